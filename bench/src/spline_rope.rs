//! Spline ropes: the paper's configuration, the default step, growth of the cost, and many ropes on
//! several threads.
//!
//! Every scene has contacts while it is timed; the numbers of contacts and solves per step, which
//! determine the cost, are printed next to the time.

use std::hint::black_box;

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::material::{MATERIALS, Material, Section};
use lariat_core::dynamics::spline_rope::{Build, Pin, SplineRope, State, StepReport};
use lariat_core::model::layer::Collider;
use lariat_core::num::ops;
use lariat_papers::tuzel::{self, Rope};
use rayon::prelude::*;

use crate::table::{Table, median};

/// Steps a second of the default method.
const RATE: f64 = 240.0;

pub(crate) fn run(table: &mut Table) {
    published(table);
    implicit(table);
    growth(table);
    threads(table);
}

/// Sums of step statistics.
#[derive(Default)]
struct StepTotals {
    steps: f64,
    solves: f64,
    contacts: f64,
}

impl StepTotals {
    fn add(&mut self, report: StepReport) {
        self.steps += 1.0;
        self.solves += f64::from(report.iterations);
        self.contacts += f64::from(report.contacts);
    }
}

fn hemp() -> Section {
    MATERIALS[0].at_radius(0.005)
}

/// Hemp with a modulus small enough for explicit steps of a quarter of a millisecond.
fn soft() -> Section {
    Material { modulus: 1e5, ..MATERIALS[0] }.at_radius(0.005)
}

/// A rope above a floor.
fn laid(points: &[DVec3], build: &Build) -> SplineRope {
    let mut rope = SplineRope::along(points, build).expect("a rope that can be built");
    rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.005));
    rope.viscosity = 1.0;
    rope
}

/// 11 control points, 20 springs, 20 contact points, explicit, held by a spring.
fn published(table: &mut Table) {
    let name = "spline rope: a step of the paper's configuration";
    if !table.wants(name) {
        return;
    }
    let line: Vec<DVec3> = (0..=20).map(|i| DVec3::new(0.05 * f64::from(i), 0.0, 0.3)).collect();
    let mut rope =
        Rope::along(&line, &tuzel::Build::published(soft())).expect("a rope that can be built");
    rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.005));
    rope.viscosity = 1.0;
    rope.pins.push(Pin::at(0.0, line[0]));
    let dt = rope.longest_step().min(1e-4);
    let mut turn = 0.0;
    let mut go = |steps: u32| {
        for _ in 0..steps {
            turn += 0.3 * dt;
            rope.pins[0].target = line[0] + DVec3::Y * (0.2 * ops::sin_turns(turn));
            rope.step(dt).expect("a step within its limit");
        }
        black_box(&rope.state.positions);
    };
    // Two seconds to fall.
    go((2.0 / dt) as u32);
    let steps = 10_000;
    if let Some(each) = table.time(name, f64::from(steps), None, || go(steps)) {
        table.row("  steps per second", &format!("{:.0}", 1.0 / each), "", None);
    }
}

/// 100 control points; ten pins move one half of the rope, the other is dragged over the floor.
fn implicit(table: &mut Table) {
    let name = "spline rope: an implicit step, 100 control points, 10 pins, ground";
    if !table.wants(name) {
        return;
    }
    let hand = |k: usize, t: f64| {
        let turn = 0.7 * t + 0.13 * k as f64;
        let sway = DVec3::new(0.0, 0.05 * ops::sin_turns(turn), 0.03 * ops::cos_turns(1.4 * turn));
        DVec3::new(0.25 * k as f64, 0.0, 0.1) + sway
    };
    let mut points: Vec<DVec3> = (0..10).map(|k| hand(k, 0.0)).collect();
    points.extend((1..=10).map(|i| DVec3::new(2.25 + 0.25 * f64::from(i), 0.0, 0.005)));
    let mut rope = laid(&points, &Build { length: Some(5.0), ..Build::new(100, hemp()) });
    rope.pins.extend((0..10).map(|k| Pin::at(k as f64 / 18.0, hand(k, 0.0))));
    let (mut t, mut totals) = (0.0, StepTotals::default());
    let mut go = |totals: &mut StepTotals| {
        for _ in 0..RATE as u32 {
            t += 1.0 / RATE;
            for (k, pin) in rope.pins.iter_mut().enumerate() {
                pin.target = hand(k, t);
            }
            totals.add(rope.step(1.0 / RATE).expect("a step of a rope"));
        }
        black_box(&rope.state.positions);
    };
    go(&mut StepTotals::default());
    table.time(name, RATE, Some(50e-6), || go(&mut totals));
    let (solves, contacts) = (totals.solves / totals.steps, totals.contacts / totals.steps);
    let beside = format!("{solves:.2} solves, {contacts:.0} contacts");
    table.row("  solves and contacts per step", &beside, "", None);
}

/// A wavy rope on a floor, with 5 cm per control point, held at one end.
fn wavy(control_points: usize) -> SplineRope {
    let count = 8 * control_points;
    let points: Vec<DVec3> = (0..=count)
        .map(|i| {
            let x = 0.05 * control_points as f64 * i as f64 / count as f64;
            DVec3::new(x, 0.03 * ops::sin_turns(2.0 * x), 0.005)
        })
        .collect();
    let mut rope = laid(&points, &Build::new(control_points, hemp()));
    rope.pins.push(Pin::at(0.0, points[0]));
    rope
}

/// A shaken floor that drags everything on it.
fn shaken(t: f64, dt: f64) -> Obstacle {
    let floor = |t: f64| {
        let point = DVec3::new(0.0, 0.05 * ops::sin_turns(2.0 * t), 0.0);
        Collider::Plane { point, normal: DVec3::Z }
    };
    Obstacle { before: floor(t - dt), now: floor(t), margin: 0.005 }
}

/// Cost over control points.
fn growth(table: &mut Table) {
    let name = "spline rope: growth with control points";
    if !table.wants(name) {
        return;
    }
    let runs = if table.quick() { 5 } else { 11 };
    let (mut totals, dt) = (Vec::new(), 1.0 / RATE);
    let sizes = [10, 100, 1000, 10_000].map(|control_points| {
        let mut rope = wavy(control_points);
        let (start, mut sum) = (rope.state.clone(), StepTotals::default());
        let seconds = median(runs, || {
            rope.state.clone_from(&start);
            for step in 1..=24 {
                rope.obstacles[0] = shaken(f64::from(step) * dt, dt);
                sum.add(rope.step(dt).expect("a step of a rope"));
            }
        }) / 24.0;
        totals.push((sum.solves / sum.steps, sum.contacts / sum.steps / control_points as f64));
        (control_points as f64, seconds)
    });
    let each = sizes.map(|(count, seconds)| format!("{:.0}", 1e9 * seconds / count)).join(", ");
    table.row(&format!("{name}: 10, 100, 1,000, 10,000"), &each, "ns per point and step", None);
    table.growth("  growth", &sizes);
    let of_solves: Vec<_> = sizes.iter().zip(&totals).map(|(s, t)| (s.0, s.1 / t.0)).collect();
    table.growth("  growth of one solve", &of_solves);
    let show = |(solves, contacts): &(f64, f64)| format!("{solves:.1} and {contacts:.1}");
    let beside: Vec<String> = totals.iter().map(show).collect();
    table.row("  solves per step, contacts per point", &beside.join(", "), "", None);
}

/// 100 ropes of 50 control points, each released above the floor, for a tenth of a second at a
/// time.
fn threads(table: &mut Table) {
    let name = |threads: usize| format!("spline rope: 100 ropes x 50, 24 steps, {threads} threads");
    if !table.wants(&name(1)) && !table.wants(&name(2)) {
        return;
    }
    let mut ropes: Vec<SplineRope> = (0..100)
        .map(|k| {
            let (y, tilt) = (0.05 * f64::from(k), 0.2 * ops::sin(f64::from(k)));
            let point =
                |i: u32| DVec3::new(0.1 * f64::from(i), y, 0.05 + tilt.abs() * f64::from(i) / 20.0);
            let points: Vec<DVec3> = (0..=20).map(point).collect();
            let mut rope = laid(&points, &Build::new(50, hemp()));
            rope.pins.push(Pin::at(0.0, points[0]));
            rope
        })
        .collect();
    let start: Vec<State> = ropes.iter().map(|rope| rope.state.clone()).collect();
    let mut ends: Vec<Vec<State>> = Vec::new();
    let medians = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("a thread pool");
        let median = table.time(&name(threads), 1.0, None, || {
            pool.install(|| {
                ropes.par_iter_mut().zip(&start).for_each(|(rope, start)| {
                    rope.state.clone_from(start);
                    for _ in 0..24 {
                        rope.step(1.0 / RATE).expect("a step of a rope");
                    }
                });
            });
        });
        ends.push(ropes.iter().map(|rope| rope.state.clone()).collect());
        median
    });
    if let [Some(one), Some(two)] = medians {
        table.row("  two threads over one", &format!("{:.2}", two / one), "near 0.5", None);
        let same = ends[0] == ends[1];
        table.row("  the same bits", if same { "yes" } else { "no" }, "yes", Some(same));
    }
}
