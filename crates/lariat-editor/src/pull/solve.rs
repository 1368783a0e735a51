//! Damped least squares: the unknowns that bring a point to a target with the least change.
//!
//! Each step minimises `|J dx − r|² + λ |dx|² + ε |x + dx − x₀|²`, where `r` is the way to the target.
//! `λ` adapts as in Levenberg and Marquardt's method. `ε` is tiny: it brings unknowns that are not
//! needed back to `x₀`. With three residuals a step takes a 3×3 solve, however many unknowns there are.
//! The Jacobian is numeric. Unknowns are scaled: a change of 1 is a large change of each of them.
//!
//! The target is a point, or any point of a line, such as the ray through the pointer.
//!
//! Where the derivative vanishes (a taut rope does not move with its first millimetre of length),
//! single unknowns are probed by larger steps.
//!
//! Tests: `a_linear_map_is_reached_with_the_least_change`, `limits_are_respected`,
//! `the_nearest_point_is_found_where_the_target_is_out_of_reach`,
//! `a_vanishing_derivative_is_probed`, `unused_unknowns_stay_exactly`,
//! `a_line_leaves_its_direction_free`.

use glam::{DMat3, DVec3};

/// The place that the point is brought to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// A point.
    Point(DVec3),
    /// The nearest point of a line, through a point along a unit vector.
    Line(DVec3, DVec3),
}

impl Target {
    /// Shortest way from a point to the target.
    pub(super) fn way(&self, from: DVec3) -> DVec3 {
        match *self {
            Self::Point(at) => at - from,
            Self::Line(..) => self.across(self.through() - from),
        }
    }

    fn through(&self) -> DVec3 {
        let (Self::Point(at) | Self::Line(at, _)) = *self;
        at
    }

    /// The part of a motion that changes the distance from the target.
    fn across(&self, motion: DVec3) -> DVec3 {
        match *self {
            Self::Point(_) => motion,
            Self::Line(_, along) => motion - along * motion.dot(along),
        }
    }

    /// Distance of a point.
    pub(super) fn distance(&self, from: DVec3) -> f64 {
        self.way(from).length()
    }
}

/// Limits of an unknown, in its scaled units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Limits {
    #[cfg(test)]
    pub(super) const NONE: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
}

/// Result of a solve.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    pub(super) x: Vec<f64>,
    pub(super) point: DVec3,
}

/// Step of the numeric derivative. Larger: the derivative of a curved map is wrong in its fifth digit.
/// Smaller: rounding errors of a pose of 10 m, about 1e-15 m, spoil its fifth digit.
const STEP: f64 = 1e-6;

/// Largest change of an unknown in the first iteration, and after one that did not come as near as
/// predicted. Larger: a curved map is left on another branch. Smaller: more iterations.
const STRIDE: f64 = 0.5;

/// Share of the predicted approach from which on the next stride may be twice as long. Unknowns whose
/// scale is far from their effect (drives of modes) take few iterations by that. Larger: they take as
/// many as their distance has strides. Smaller: strides grow where the map is curved.
const AS_PREDICTED: f64 = 0.9;

/// Share of the predicted approach below which the next step is damped more, as in Levenberg and
/// Marquardt's method. Larger: straight ways take more iterations. Smaller: beside a target out of reach,
/// steps go to and fro across a curved valley.
const DISAPPOINTS: f64 = 0.25;

/// Iterations at most; a drag usually takes three to six.
const ITERATIONS: usize = 60;

/// Pull of the unknowns back to where they were, relative to the squared size of the Jacobian. Larger:
/// the target is missed by as much, relative to the size of the body. Smaller: more iterations.
const BACK: f64 = 1e-10;

/// Steps that are tried on single unknowns where the derivative says nothing.
const PROBES: [f64; 5] = [0.3, 0.1, 0.03, 0.01, 0.001];

/// Distance by which unneeded unknowns may leave the target on their way back, as a multiple of the
/// distance that counts as reached.
const AWAY: f64 = 1e4;

/// A change below this is given up if the target can be reached without it.
const SLIGHT: f64 = 1e-4;

/// A point that depends on unknowns; `None` where it does not exist.
pub(super) trait Map {
    fn point(&mut self, x: &[f64]) -> Option<DVec3>;
}

impl<F: FnMut(&[f64]) -> Option<DVec3>> Map for F {
    fn point(&mut self, x: &[f64]) -> Option<DVec3> {
        self(x)
    }
}

/// Unknowns near `rest` whose point is at the target, or as near to it as they get.
#[derive(Clone, Copy, Debug)]
pub(super) struct Problem<'a> {
    pub(super) limits: &'a [Limits],
    /// Values from which the unknowns change as little as possible.
    pub(super) rest: &'a [f64],
    pub(super) target: Target,
    /// Distance that counts as reached, in metres.
    pub(super) close: f64,
}

/// Solves a problem, starting at `start`. `None` if the point does not exist there.
pub(super) fn solve(map: &mut impl Map, problem: &Problem<'_>, start: &[f64]) -> Option<Solution> {
    let Problem { rest, target, close, .. } = *problem;
    let mut found = descend(map, problem, start, &vec![true; rest.len()])?;
    // Unknowns that hardly changed stay, if the others can do without them.
    let slight = |k: usize, x: &[f64]| x[k] != rest[k] && (x[k] - rest[k]).abs() < SLIGHT;
    if (0..rest.len()).any(|k| slight(k, &found.x)) {
        let is_free = |k: usize| found.x[k] != rest[k] && !slight(k, &found.x);
        let free: Vec<bool> = (0..rest.len()).map(is_free).collect();
        let start: Vec<f64> =
            (0..rest.len()).map(|k| if free[k] { found.x[k] } else { rest[k] }).collect();
        if let Some(other) = descend(map, problem, &start, &free) {
            let (before, after) = (target.distance(found.point), target.distance(other.point));
            if after <= before.max(close) {
                found = other;
            }
        }
    }
    Some(found)
}

fn descend(
    map: &mut impl Map,
    problem: &Problem<'_>,
    start: &[f64],
    free: &[bool],
) -> Option<Solution> {
    let Problem { limits, rest, target, close } = *problem;
    let mut x = start.to_vec();
    let mut point = map.point(&x)?;
    let mut damping = 1e-6;
    let mut stride = STRIDE;
    let mut best = None;
    for _ in 0..ITERATIONS {
        let way = target.way(point);
        let mut jacobian = jacobian(map, limits, &x, free, point);
        for column in &mut jacobian {
            *column = target.across(*column);
        }
        let size_sq: f64 = jacobian.iter().map(|column| column.length_squared()).sum();
        let mut accepted = false;
        let arrived = way.length() <= close;
        if arrived {
            best = Some((x.clone(), point));
            // Unknowns that are not needed go back, and the next step returns to the target.
            let step = step(problem, &jacobian, &x, free, way, [0.0, 1e-14 * size_sq]);
            let mut shrink = 1.0;
            for _ in 0..6 {
                let next = moved(&x, &step, shrink, limits);
                let found = map.point(&next).filter(|found| {
                    target.distance(*found) <= AWAY * close
                        && change(&next, rest) < 0.98 * change(&x, rest)
                });
                if let Some(found) = found {
                    (x, point, accepted) = (next, found, true);
                    damping = 1e-12;
                    break;
                }
                shrink *= 0.5;
            }
            if accepted {
                continue;
            }
            break;
        }
        // The last steps go straight to the target.
        let back = if way.length() < AWAY * close { 0.0 } else { BACK };
        for _ in 0..24 {
            if size_sq <= 0.0 {
                break;
            }
            let step = step(problem, &jacobian, &x, free, way, [damping * size_sq, back * size_sq]);
            let longest = step.iter().fold(0.0, |most: f64, dx| most.max(dx.abs()));
            if longest < 1e-12 {
                break;
            }
            let share = (stride / longest).min(1.0);
            let next = moved(&x, &step, share, limits);
            let found = map.point(&next).filter(|found| target.distance(*found) < way.length());
            if let Some(found) = found {
                let columns = jacobian.iter().zip(&step);
                let left = columns.fold(way, |left, (column, dx)| left - *column * (dx * share));
                let predicted = way.length() - left.length();
                let approach = way.length() - target.distance(found);
                let is_as_predicted = approach > AS_PREDICTED * predicted;
                stride = if share < 1.0 && is_as_predicted { 2.0 * stride } else { STRIDE };
                (x, point, accepted) = (next, found, true);
                damping = match () {
                    () if approach < DISAPPOINTS * predicted => (damping * 5.0).min(1e9),
                    () => (damping * 0.2).max(1e-12),
                };
                break;
            }
            damping = (damping * 5.0).min(1e9);
            stride = STRIDE;
        }
        if accepted {
            // The nearest point is approached ever more slowly.
            if way.length() - target.distance(point) < 1e-13 * way.length() {
                break;
            }
            continue;
        }
        match probe(map, limits, &x, free, target, point) {
            Some((next, found)) => {
                (x, point) = (next, found);
                damping = 1e-3;
            }
            None => break,
        }
    }
    // A way back may have ended beside the target.
    if let (Some(reached), true) = (best, target.distance(point) > close) {
        (x, point) = reached;
    }
    Some(Solution { x, point })
}

/// Unknowns after a part of a step, within their limits.
fn moved(x: &[f64], step: &[f64], share: f64, limits: &[Limits]) -> Vec<f64> {
    let next = x.iter().zip(step).zip(limits);
    next.map(|((x, dx), limits)| (x + dx * share).clamp(limits.low, limits.high)).collect()
}

/// Sum of the squared changes.
fn change(x: &[f64], rest: &[f64]) -> f64 {
    x.iter().zip(rest).map(|(x, rest)| (x - rest) * (x - rest)).sum()
}

/// Derivative of the point by every unknown; zero for those that are not free.
fn jacobian(
    map: &mut impl Map,
    limits: &[Limits],
    x: &[f64],
    free: &[bool],
    point: DVec3,
) -> Vec<DVec3> {
    let mut moved = x.to_vec();
    let mut column = |k: usize| -> DVec3 {
        if !free[k] {
            return DVec3::ZERO;
        }
        let mut at = |value: f64| {
            moved[k] = value;
            map.point(&moved)
        };
        let (low, high) = ((x[k] - STEP).max(limits[k].low), (x[k] + STEP).min(limits[k].high));
        let found = match (at(low), at(high)) {
            (Some(a), Some(b)) if high > low => (b - a) / (high - low),
            (None, Some(b)) if high > x[k] => (b - point) / (high - x[k]),
            (Some(a), None) if x[k] > low => (point - a) / (x[k] - low),
            _ => DVec3::ZERO,
        };
        moved[k] = x[k];
        if found.is_finite() { found } else { DVec3::ZERO }
    };
    (0..x.len()).map(&mut column).collect()
}

/// The damped step, without unknowns that it would push beyond their limits.
fn step(
    problem: &Problem<'_>,
    jacobian: &[DVec3],
    x: &[f64],
    free: &[bool],
    way: DVec3,
    [damping, back]: [f64; 2],
) -> Vec<f64> {
    let Problem { limits, rest, .. } = *problem;
    let mut used = free.to_vec();
    let share = back / (damping + back);
    loop {
        // Some way back, and from there to the target.
        let back_to: Vec<f64> =
            (0..x.len()).map(|k| if used[k] { share * (rest[k] - x[k]) } else { 0.0 }).collect();
        let mut normal = DMat3::from_diagonal(DVec3::splat(damping + back));
        let mut left = way;
        for k in (0..x.len()).filter(|k| used[*k]) {
            let j = jacobian[k];
            normal += DMat3::from_cols(j * j.x, j * j.y, j * j.z);
            left -= j * back_to[k];
        }
        let pull = normal.inverse() * left;
        let pull = if pull.is_finite() { pull } else { DVec3::ZERO };
        let step: Vec<f64> = (0..x.len())
            .map(|k| if used[k] { back_to[k] + jacobian[k].dot(pull) } else { 0.0 })
            .collect();
        let blocked = |k: usize| {
            used[k]
                && (x[k] <= limits[k].low && step[k] < 0.0
                    || x[k] >= limits[k].high && step[k] > 0.0)
        };
        match (0..x.len()).find(|k| blocked(*k)) {
            Some(k) => used[k] = false,
            None => return step,
        }
    }
}

/// The best of some larger steps of single unknowns, if it comes nearer by a noticeable amount.
fn probe(
    map: &mut impl Map,
    limits: &[Limits],
    x: &[f64],
    free: &[bool],
    target: Target,
    point: DVec3,
) -> Option<(Vec<f64>, DVec3)> {
    let mut best: Option<(Vec<f64>, DVec3)> = None;
    let mut nearest = target.distance(point) * (1.0 - 1e-6);
    for k in (0..x.len()).filter(|k| free[*k]) {
        for by in PROBES.iter().flat_map(|by| [*by, -*by]) {
            let mut next = x.to_vec();
            next[k] = (x[k] + by).clamp(limits[k].low, limits[k].high);
            if let Some(found) = map.point(&next)
                && target.distance(found) < nearest
            {
                nearest = target.distance(found);
                best = Some((next, found));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(
        map: &mut impl Map,
        limits: &[Limits],
        rest: &[f64],
        start: &[f64],
        target: Target,
        close: f64,
    ) -> Option<Solution> {
        solve(map, &Problem { limits, rest, target, close }, start)
    }

    const CLOSE: f64 = 1e-10;

    #[test]
    fn a_linear_map_is_reached_with_the_least_change() {
        // Two unknowns move along x: the least change is split by the squares of their effects.
        let mut map = |x: &[f64]| Some(DVec3::new(3.0 * x[0] + x[1], x[2], 0.0));
        let limits = [Limits::NONE; 3];
        let found = run(
            &mut map,
            &limits,
            &[0.0; 3],
            &[0.9, -0.3, 0.0],
            Target::Point(DVec3::new(1.0, 0.5, 0.0)),
            CLOSE,
        )
        .unwrap();
        for (x, wanted) in found.x.iter().zip([0.3, 0.1, 0.5]) {
            assert!((x - wanted).abs() < 1e-4, "{:?}", found.x);
        }
        assert!(found.point.distance(DVec3::new(1.0, 0.5, 0.0)) < 1e-9);
    }

    #[test]
    fn limits_are_respected() {
        let mut map = |x: &[f64]| Some(DVec3::new(x[0] + x[1], 0.0, 0.0));
        let limits = [Limits { low: 0.0, high: 0.25 }, Limits::NONE];
        let found =
            run(&mut map, &limits, &[0.0; 2], &[0.0; 2], Target::Point(DVec3::X), CLOSE).unwrap();
        assert!(found.x[0] <= 0.25 && (found.x[0] + found.x[1] - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_nearest_point_is_found_where_the_target_is_out_of_reach() {
        // A circle of radius 1: the nearest point to (3, 4, 0) is (0.6, 0.8, 0).
        let mut map = |x: &[f64]| {
            let (sin, cos) = lariat_core::num::ops::sin_cos(x[0]);
            Some(DVec3::new(cos, sin, 0.0))
        };
        let found = run(
            &mut map,
            &[Limits::NONE],
            &[0.0],
            &[0.0],
            Target::Point(DVec3::new(3.0, 4.0, 0.0)),
            CLOSE,
        )
        .unwrap();
        assert!(found.point.distance(DVec3::new(0.6, 0.8, 0.0)) < 1e-6, "{}", found.point);
    }

    #[test]
    fn a_vanishing_derivative_is_probed() {
        // Like the sag of a rope with little slack.
        let mut map = |x: &[f64]| Some(DVec3::NEG_Z * x[0].max(0.0).sqrt());
        let limits = [Limits { low: -1.0, high: 10.0 }];
        let found =
            run(&mut map, &limits, &[-0.005], &[-0.005], Target::Point(DVec3::NEG_Z * 0.7), CLOSE)
                .unwrap();
        assert!((found.x[0] - 0.49).abs() < 1e-8, "{:?}", found.x);
    }

    #[test]
    fn unused_unknowns_stay_exactly() {
        let mut map = |x: &[f64]| Some(DVec3::new(x[0], 1e-7 * x[1], 0.0));
        let limits = [Limits::NONE; 2];
        let rest = [0.0, 0.123];
        let target = Target::Point(DVec3::new(0.4, 0.123e-7, 0.0));
        let found = run(&mut map, &limits, &rest, &rest, target, 1e-8).unwrap();
        assert!((found.x[0] - 0.4).abs() < 1e-8 && found.x[1] == 0.123, "{:?}", found.x);
    }

    #[test]
    fn a_line_leaves_its_direction_free() {
        let mut map = |x: &[f64]| Some(DVec3::new(x[0], x[1], x[1] + x[2]));
        let limits = [Limits::NONE; 3];
        let line = Target::Line(DVec3::new(0.2, 0.0, 7.0), DVec3::Z);
        let found = run(&mut map, &limits, &[0.0; 3], &[0.0; 3], line, CLOSE).unwrap();
        assert!((found.x[0] - 0.2).abs() < 1e-9 && found.x[1..] == [0.0; 2], "{:?}", found.x);
    }
}
