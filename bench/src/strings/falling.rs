//! Ropes that fall and ropes that come to hang. Other simulators run the same ropes.

use std::cell::OnceCell;
use std::hint::black_box;

use glam::DVec3;
use lariat_core::curve::catenary::Catenary;
use lariat_string::rod;

use super::scenes;
use super::solver::{CONVERGED, Fall, Job, Solver, measured};
use crate::rivals;
use crate::table::Table;

pub(super) fn run(table: &mut Table) {
    for (name, ropes, segments, rate) in [
        ("1 s of a falling rope, 100 segments", 1, 100, 600.0),
        ("1 s of a falling rope, 1,000 segments", 1, 1000, 200.0),
        ("1 s of 100 falling ropes of 100 segments", 100, 100, 25.0),
    ] {
        let job = Falling { name, ropes, segments, rate, tip: OnceCell::new() };
        if let Some(median) = measured(table, &job) {
            let start: rod::Strings = scenes::level(1, segments, CONVERGED);
            let fall = rivals::Job::Fall(job.tip());
            rivals::compared(table, fall, ropes, start.positions(), median);
        }
    }
    hung(table);
}

/// A second of falling ropes.
struct Falling {
    name: &'static str,
    ropes: u32,
    segments: usize,
    /// Simulated seconds per second that are the target.
    rate: f64,
    /// Converged position of a tip after 0.4 s.
    tip: OnceCell<DVec3>,
}

impl Falling {
    /// Position of a tip after 0.4 s with converged steps; both solvers converge to it, and so does
    /// another method in their tests.
    fn tip(&self) -> DVec3 {
        *self.tip.get_or_init(|| fall::<rod::Strings>(self.segments, CONVERGED).0)
    }
}

impl Job for Falling {
    fn run<S: Solver>(&self, table: &mut Table) -> Option<f64> {
        let name = format!("{}: {}", S::PREFIX, self.name);
        if !table.wants(&name) {
            return None;
        }
        let dt = S::FALL.dt;
        let mut strings: S = scenes::level(self.ropes, self.segments, S::FALL);
        let start = strings.state();
        let median = table.time(&name, 1.0, Some(1.0 / self.rate), || {
            strings.restore(&start);
            for _ in 0..(1.0 / dt).round() as u32 {
                strings.step(dt);
            }
            black_box(strings.positions());
        })?;
        let rate = format!("{:.1}", 1.0 / median);
        table.row("  simulated seconds per second", &rate, &self.rate.to_string(), None);
        let (tip, stretch) = fall::<S>(self.segments, S::FALL);
        let off = 1e3 * tip.distance(self.tip());
        let met = Some(off < 6.0);
        table.row("  error of the tip after 0.4 s", &format!("{off:.2} mm"), "6 mm", met);
        let met = Some(stretch < 0.01);
        table.row("  largest stretch", &format!("{:.3} %", 100.0 * stretch), "1 %", met);
        Some(median)
    }
}

/// Position of the tip after 0.4 s of fall, and the largest stretch of any segment in a second.
fn fall<S: Solver>(segments: usize, fall: Fall) -> (DVec3, f64) {
    let mut strings: S = scenes::level(1, segments, fall);
    let dt = fall.dt;
    let (mut tip, mut most) = (DVec3::ZERO, 0.0_f64);
    for step in 1..=(1.0 / dt).round() as u32 {
        strings.step(dt);
        if step == (0.4 / dt).round() as u32 {
            tip = strings.positions()[segments];
        }
        for i in 0..segments {
            most = most.max(strings.segment_length(i) * segments as f64 - 1.0);
        }
    }
    (tip, most)
}

/// Step of a rope that comes to hang, in seconds.
const HUNG_STEP: f64 = 0.025;

/// Measures 1.5 m hung over 1 m from a corner, until it stays within 1 % of the catenary.
fn hung(table: &mut Table) {
    let known = Catenary::between(DVec3::ZERO, DVec3::X, 1.5, DVec3::Z).expect("it hangs");
    let job = Hung { known: known.sample(101) };
    if let Some(median) = measured(table, &job) {
        let start: rod::Strings = scenes::corner(HUNG_STEP);
        rivals::compared(table, rivals::Job::Hang(&job.known), 1, start.positions(), median);
    }
}

struct Hung {
    /// Points of the catenary.
    known: Vec<DVec3>,
}

impl Job for Hung {
    fn run<S: Solver>(&self, table: &mut Table) -> Option<f64> {
        let name = format!("{}: 1.5 m over 1 m settles, 100 segments", S::PREFIX);
        if !table.wants(&name) {
            return None;
        }
        let mut strings: S = scenes::corner(HUNG_STEP);
        let start = strings.state();
        let mut needed = 0;
        for step in 1..=200 {
            strings.step(HUNG_STEP);
            let pairs = strings.positions().iter().zip(&self.known);
            if pairs.fold(0.0_f64, |most, (a, b)| most.max(a.distance(*b))) > 0.01 {
                needed = step + 1;
            }
        }
        let median = table.time(&name, 1.0, Some(0.0015), || {
            strings.restore(&start);
            for _ in 0..needed {
                strings.step(HUNG_STEP);
            }
            black_box(strings.positions());
        });
        table.row("  steps of a fortieth of a second", &needed.to_string(), "", None);
        median
    }
}
