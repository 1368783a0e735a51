//! A spring that pulls at a point of a simulated body: damped, to a target that moves.
//!
//! The path of the target is known before the steps along it are made: no step ends after the known part
//! (`SimulationJob::within`). So the motion depends on the path alone, not on the slices in which it is
//! given and simulated.
//!
//! Tests, in `tests/suite/live.rs`: `a_pulled_body_hangs_by_its_weight_over_the_stiffness`,
//! `any_slices_of_a_pull_give_the_same_bits`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use glam::DVec3;

/// Stretch of the spring when the whole body hangs from it on Earth, relative to the length of the body.
/// The spring alone swings with a twentieth of the period of a pendulum as long as the body. Larger: the
/// point lags visibly behind the pointer. Smaller: every tremble of the pointer jerks the body.
const GIVE: f64 = 1.0 / 400.0;

/// Gravity on Earth in m/s², also where the document has another: the spring is as strong there.
const EARTH: f64 = 9.806_65;

/// Largest angle of the spring's own swing in one step, in radians. Larger: its swing is shorter than
/// six steps, which are too few to follow it.
const ANGLE_PER_STEP: f64 = 1.0;

/// Share of a step by which a step may begin before the grab.
const ON_TIME: f64 = 1e-6;

/// A spring on a body.
#[derive(Debug)]
pub(crate) struct PullSpring {
    /// The body.
    pub body: usize,
    /// Place along it, 0–1.
    pub u: f64,
    /// Times in seconds, ascending, and targets.
    path: Mutex<Vec<(f64, DVec3)>>,
}

/// The spring in one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct PullSpringStep {
    /// Place along the body, 0–1.
    pub u: f64,
    /// Target at the end of the step.
    pub target: DVec3,
    /// Mean velocity of the target in the step.
    pub velocity: DVec3,
    /// In newtons per metre.
    pub stiffness: f64,
    /// In newtons per m/s; critical for the whole body.
    pub damping: f64,
}

impl PullSpring {
    /// A spring at a point from a time in seconds on, which does not pull yet.
    pub(crate) fn new(body: usize, u: f64, time: f64, point: DVec3) -> Self {
        Self { body, u, path: Mutex::new(vec![(time, point)]) }
    }

    fn path(&self) -> MutexGuard<'_, Vec<(f64, DVec3)>> {
        self.path.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the target on to a point, at a later time.
    pub(crate) fn aim(&self, time: f64, target: DVec3) {
        let mut path = self.path();
        if path.last().is_some_and(|(last, _)| *last < time) && target.is_finite() {
            path.push((time, target));
        }
    }

    /// Begins to pull at a later time, if it does not pull yet. Otherwise the target stays until then.
    pub(crate) fn wait(&self, time: f64) {
        let mut path = self.path();
        match &mut path[..] {
            [(start, _)] => *start = start.max(time),
            [.., (last, target)] if *last < time => {
                let stays = (time, *target);
                path.push(stays);
            }
            _ => {}
        }
    }

    /// The spring on a body in the step of `h` seconds that ends at `to`, given mass and length of the
    /// body; none if it does not pull at it.
    pub(super) fn spring(
        &self,
        body: usize,
        [to, h]: [f64; 2],
        mass: f64,
        length: f64,
    ) -> Option<PullSpringStep> {
        let path = self.path();
        let [(start, _), _, ..] = path[..] else { return None };
        if body != self.body || to - h < start - ON_TIME * h {
            return None;
        }
        let (before, target) = (target_at(&path, to - h), target_at(&path, to));
        let rate = (EARTH / (GIVE * length)).sqrt().min(ANGLE_PER_STEP / h);
        Some(PullSpringStep {
            u: self.u,
            target,
            velocity: (target - before) / h,
            stiffness: mass * rate * rate,
            damping: 2.0 * mass * rate,
        })
    }

    /// The target at a time.
    pub(crate) fn target(&self, time: f64) -> DVec3 {
        target_at(&self.path(), time)
    }
}

/// Point of a path at a time: along straight lines, still before and after.
fn target_at(path: &[(f64, DVec3)], time: f64) -> DVec3 {
    let after = path.partition_point(|(t, _)| *t < time);
    match (after.checked_sub(1).and_then(|before| path.get(before)), path.get(after)) {
        (Some((t0, a)), Some((t1, b))) => a.lerp(*b, (time - t0) / (t1 - t0)),
        (Some((_, at)), None) | (None, Some((_, at))) => *at,
        (None, None) => DVec3::ZERO,
    }
}
