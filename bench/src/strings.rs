//! Strings: the paper's three sizes with its breakdown, many strings on several threads, and the
//! jobs of other simulators.
//!
//! The paper's step is a hundredth of a second with everything on: tension, shape, twist and
//! contact. The 100 segments hang from both ends and are twisted until they loop and touch; the 200
//! are wound further, into a coil; the 746 are the ropes of a bridge, without its boards. A step is
//! divided into substeps where necessary; their number is printed next to the time.

use std::f64::consts::PI;
use std::hint::black_box;
use std::sync::Mutex;
use std::time::Instant;

use glam::DVec3;
use lariat_core::curve::catenary::Catenary;
use lariat_core::dynamics::material::Material;
use lariat_core::num::ops;
use lariat_string::{Build, Clamp, Executor, Stage, State, StepReport, Strings, Turn};

use crate::rivals::{self, Job};
use crate::table::Table;

pub(crate) fn run(table: &mut Table) {
    published(table);
    threads(table);
    falling(table);
    hung(table);
}

/// Executor that measures the seconds of each stage.
struct Clock(Mutex<(Instant, Option<Stage>, [f64; 5])>);

impl Clock {
    fn new() -> Self {
        Self(Mutex::new((Instant::now(), None, [0.0; 5])))
    }

    /// Ends the last stage and returns the seconds of all stages.
    fn finish(&self) -> [f64; 5] {
        let mut clock = self.0.lock().expect("no thread panicked");
        if let Some(stage) = clock.1.take() {
            clock.2[stage as usize] += clock.0.elapsed().as_secs_f64();
        }
        clock.2
    }
}

impl Executor for Clock {
    fn begins(&self, stage: Stage) {
        let mut clock = self.0.lock().expect("no thread panicked");
        let now = Instant::now();
        if let Some(last) = clock.1.replace(stage) {
            clock.2[last as usize] += (now - clock.0).as_secs_f64();
        }
        clock.0 = now;
    }
}

/// Sums of step statistics.
#[derive(Default)]
struct StepTotals {
    steps: f64,
    parts: f64,
    solves: f64,
    touching: f64,
}

impl StepTotals {
    fn add(&mut self, report: StepReport) {
        self.steps += 1.0;
        self.parts += f64::from(report.parts);
        self.solves += f64::from(report.solves);
        self.touching += f64::from(report.touching);
    }
}

fn material(name: &str) -> Material {
    *Material::find(name).expect("a material of that name")
}

/// A cord that is held at both ends, twisted by a number of turns with its ends moved closer, and
/// settled.
fn wound(segments: usize, turns: f64, nearer: f64) -> Strings {
    let n = segments;
    let mut build = Build::straight(DVec3::ZERO, DVec3::X, n, 0.004, material("rubber"));
    build.tears = false;
    for (i, x) in build.points.iter_mut().enumerate() {
        x.y = 1e-3 * ops::sin(PI * i as f64 / n as f64);
    }
    let mut strings = Strings::of(&build).expect("a string that can be built");
    strings.viscosity = 1.0;
    strings.spin_viscosity = 5.0;
    strings.clamps.extend([0, 1, n - 1, n].map(|i| Clamp::at(i, build.points[i])));
    strings.clamps[0].turn = Some(Turn::Angle(0.0));
    for step in 1..=400 {
        let t = (f64::from(step) / 300.0).min(1.0);
        for k in [2, 3] {
            strings.clamps[k].target = build.points[n - 3 + k] - DVec3::X * (nearer * t);
        }
        strings.clamps[3].turn = Some(Turn::Angle(2.0 * PI * turns * t));
        strings.step(0.01).expect("a step of a string");
    }
    strings
}

/// Two ropes that hang across four metres, and 22 that hang from a line between them.
fn bridge() -> Strings {
    let mut strings = Strings::new();
    let hemp = material("hemp");
    for k in 0..24 {
        let (from, to, segments, length) = if k < 2 {
            let y = DVec3::Y * f64::from(k);
            (y, y + DVec3::X * 4.0, 150, Some(4.1))
        } else {
            let x = DVec3::new(0.18 * f64::from(k - 1), 0.5, 0.0);
            (x, x + DVec3::new(0.0, 0.05, -0.4), 20 + usize::from(k < 8), None)
        };
        let mut build = Build { length, ..Build::straight(from, to, segments, 0.006, hemp) };
        // Replaces the weight of its board.
        build.weights = if k < 2 { Vec::new() } else { vec![(1.0, 0.5)] };
        let string = strings.add(&build).expect("a rope that can be built");
        let ends: &[f64] = if k < 2 { &[0.0, 1.0] } else { &[0.0] };
        for u in ends {
            let particle = strings.particle(string, *u);
            strings.clamps.push(Clamp::at(particle, strings.state.positions[particle]));
        }
    }
    strings.viscosity = 0.5;
    strings
}

/// Name, target time in seconds, and the strings to step.
type Scene = (&'static str, f64, fn() -> Strings);

fn published(table: &mut Table) {
    let scenes: [Scene; 3] = [
        ("strings: a step of 100 segments that loop and touch", 0.04e-3, || wound(100, 14.0, 0.3)),
        ("strings: a step of 200 segments that coil", 0.08e-3, || wound(200, 10.0, 0.4)),
        ("strings: a step of 746 segments of a bridge", 0.30e-3, bridge),
    ];
    for (name, target, make) in scenes {
        if !table.wants(name) {
            continue;
        }
        let mut strings = make();
        let start = strings.state.clone();
        let (mut totals, steps) = (StepTotals::default(), 20);
        table.time(name, f64::from(steps), Some(target), || {
            strings.state.clone_from(&start);
            for _ in 0..steps {
                totals.add(strings.step(0.01).expect("a step of strings"));
            }
            black_box(&strings.state.positions);
        });
        let each = |sum: f64| sum / totals.steps;
        let beside = format!(
            "{:.1} substeps, {:.1} solves, {:.1} touching",
            each(totals.parts),
            each(totals.solves),
            each(totals.touching)
        );
        table.row("  a step has", &beside, "", None);
        let clock = Clock::new();
        strings.state.clone_from(&start);
        for _ in 0..steps {
            strings.step_with(0.01, &clock).expect("a step of strings");
        }
        let stages = clock.finish().map(|s| format!("{:.4}", 1e3 * s / f64::from(steps)));
        let names = "update, shape, twist, tension, contact";
        table.row(&format!("  ms of {names}"), &stages.join(", "), "", None);
    }
}

/// Rayon's threads.
struct Pool;

impl Executor for Pool {
    fn hands(&self) -> usize {
        rayon::current_num_threads()
    }

    fn both(&self, one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
        rayon::join(one, other);
    }
}

/// 1,000 strings of 100 segments that hang and swing side by side, with everything on.
fn threads(table: &mut Table) {
    let name = |count: u32, threads: usize| {
        format!("strings: a step of {count} x 100 segments, {threads} threads")
    };
    if !table.wants(&name(1000, 1)) && !table.wants(&name(1000, 2)) {
        return;
    }
    let many = |count: u32| {
        let mut strings = Strings::new();
        for k in 0..count {
            let at = DVec3::new(0.0, 0.05 * f64::from(k % 32), 0.3 * f64::from(k / 32));
            let to = at + DVec3::new(0.3, 0.0, -0.95);
            let string = strings.add(&Build::straight(at, to, 100, 0.003, material("hemp")));
            let particle = strings.particle(string.expect("a string that can be built"), 0.0);
            strings.clamps.push(Clamp::at(particle, at));
        }
        for _ in 0..5 {
            strings.step(0.01).expect("a step of strings");
        }
        strings
    };
    let steps = 4;
    let mut ends: Vec<State> = Vec::new();
    let mut strings = many(1000);
    let start = strings.state.clone();
    let medians = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("a thread pool");
        let median = table.time(&name(1000, threads), f64::from(steps), None, || {
            strings.state.clone_from(&start);
            pool.install(|| {
                for _ in 0..steps {
                    strings.step_with(0.01, &Pool).expect("a step of strings");
                }
            });
        });
        ends.push(strings.state.clone());
        median
    });
    if let [Some(one), Some(two)] = medians {
        table.row("  two threads over one", &format!("{:.2}", two / one), "near 0.5", None);
        let same = ends[0] == ends[1];
        table.row("  the same bits", if same { "yes" } else { "no" }, "yes", Some(same));
        let mut fewer = many(100);
        let start = fewer.state.clone();
        let few = table.time(&name(100, 1), f64::from(steps), None, || {
            fewer.state.clone_from(&start);
            for _ in 0..steps {
                fewer.step(0.01).expect("a step of strings");
            }
        });
        if let Some(few) = few {
            table.growth("  growth", &[(100.0, few), (1000.0, one)]);
        }
    }
}

/// Settings of a falling rope: seconds of a step, and the allowed stretch.
type Fall = (f64, f64);

/// As the job allows: a tenth of its stretch, and steps that keep the tip within its tolerance.
const ALLOWED: Fall = (0.025, 1e-3);

/// Steps a hundred times shorter: converged, as tests confirm with another method.
const CONVERGED: Fall = (0.000_25, 1e-5);

/// Ropes of a metre, held at one end and released horizontally.
fn level(ropes: u32, segments: usize, (dt, stretch): Fall) -> Strings {
    let mut strings = Strings::new();
    for k in 0..ropes {
        let y = DVec3::Y * (0.1 * f64::from(k));
        let points = (0..=segments).map(|i| y + DVec3::X * (i as f64 / segments as f64)).collect();
        let string = strings.add(&Build::chain(points, 0.1)).expect("a rope that can be built");
        strings.clamps.push(Clamp::at(strings.particle(string, 0.0), y));
    }
    strings.settings.contact = false;
    strings.settings.longest = dt;
    strings.settings.tolerance = stretch;
    strings
}

/// Position of the tip after 0.4 s of fall, and the largest stretch of any segment in a second.
fn fall(segments: usize, settings: Fall) -> (DVec3, f64) {
    let mut strings = level(1, segments, settings);
    let dt = settings.0;
    let (mut tip, mut most) = (DVec3::ZERO, 0.0_f64);
    for step in 1..=(1.0 / dt).round() as u32 {
        strings.step(dt).expect("a step of a rope");
        if step == (0.4 / dt).round() as u32 {
            tip = strings.state.positions[segments];
        }
        for i in 0..segments {
            most = most.max(strings.segment_length(i) * segments as f64 - 1.0);
        }
    }
    (tip, most)
}

/// Measures falling ropes; other simulators are measured with the same ropes.
fn falling(table: &mut Table) {
    let dt = ALLOWED.0;
    for (name, ropes, segments, target) in [
        ("strings: 1 s of a falling rope, 100 segments", 1, 100, 600.0),
        ("strings: 1 s of a falling rope, 1,000 segments", 1, 1000, 50.0),
        ("strings: 1 s of 100 falling ropes of 100 segments", 100, 100, 10.0),
    ] {
        if !table.wants(name) {
            continue;
        }
        let mut strings = level(ropes, segments, ALLOWED);
        let start = strings.state.clone();
        let median = table.time(name, 1.0, Some(1.0 / target), || {
            strings.state.clone_from(&start);
            for _ in 0..(1.0 / dt).round() as u32 {
                strings.step(dt).expect("a step of a rope");
            }
            black_box(&strings.state.positions);
        });
        let Some(median) = median else { continue };
        let rate = format!("{:.1}", 1.0 / median);
        table.row("  simulated seconds per second", &rate, &format!("{target}"), None);
        let (known, _) = fall(segments, CONVERGED);
        let (tip, most) = fall(segments, ALLOWED);
        let off = 1e3 * tip.distance(known);
        table.row(
            "  error of the tip after 0.4 s",
            &format!("{off:.2} mm"),
            "6 mm",
            Some(off < 6.0),
        );
        let stretch = format!("{:.3} %", 100.0 * most);
        table.row("  largest stretch", &stretch, "1 %", Some(most < 0.01));
        rivals::compared(table, Job::Fall(known), ropes, &start.positions[..=segments], median);
    }
}

/// 1.5 m hung over 1 m from a corner, until it stays within 1 % of the catenary.
fn hung(table: &mut Table) {
    let name = "strings: 1.5 m over 1 m settles, 100 segments";
    if !table.wants(name) {
        return;
    }
    let depth = (0.75_f64 * 0.75 - 0.25).sqrt();
    let points: Vec<DVec3> = (0..=100)
        .map(|i| {
            let u = f64::from(i) / 100.0;
            DVec3::new(u, 0.0, -depth * (1.0 - (2.0 * u - 1.0).abs()))
        })
        .collect();
    let dt = 0.025;
    let mut strings = Strings::of(&Build::chain(points, 0.1)).expect("a rope that can be built");
    strings.clamps.extend([Clamp::at(0, DVec3::ZERO), Clamp::at(100, DVec3::X)]);
    strings.settings.contact = false;
    strings.settings.longest = dt;
    strings.viscosity = 20.0;
    let start = strings.state.clone();
    let known = Catenary::between(DVec3::ZERO, DVec3::X, 1.5, DVec3::Z).expect("it hangs");
    let known = known.sample(101);
    let mut needed = 0;
    for step in 1..=200 {
        strings.step(dt).expect("a step of a rope");
        let pairs = strings.state.positions.iter().zip(&known);
        if pairs.fold(0.0_f64, |most, (a, b)| most.max(a.distance(*b))) > 0.01 {
            needed = step + 1;
        }
    }
    let median = table.time(name, 1.0, Some(0.0015), || {
        strings.state.clone_from(&start);
        for _ in 0..needed {
            strings.step(dt).expect("a step of a rope");
        }
        black_box(&strings.state.positions);
    });
    table.row("  steps of a fortieth of a second", &needed.to_string(), "", None);
    if let Some(median) = median {
        rivals::compared(table, Job::Hang(&known), 1, &start.positions, median);
    }
}
