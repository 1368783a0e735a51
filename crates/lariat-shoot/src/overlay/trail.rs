//! Trails: the path over time of one point of each body.
//!
//! Positions at quarter frames are kept while they are within reach, so neighbouring pictures share
//! them.
//!
//! Tests: `a_trail_stays_on_its_piece`.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use glam::DVec3;
use lariat_core::geometry::{Mesh, Strand};
use lariat_eval::BodyMoment;
use lariat_render::overlay::Step;
use rayon::prelude::*;

use crate::moments::{Frame, Moments};

/// Number of frames that a trail extends before and after, and number of steps per frame.
pub(super) const REACH: i32 = 12;
const STEPS: i32 = 4;

/// Number of intervals of the shot used to find the point of a body that moves most.
const INTERVALS: usize = 24;

/// Trails of the bodies of a shot.
pub(super) struct Trails<'s> {
    moments: &'s Moments<'s>,
    /// First and last frame of the shot; trails end there.
    shot: (f64, f64),
    /// Point of each body that its trail follows: start, middle or end.
    followed: Vec<Option<usize>>,
    /// Positions of followed points, by frame and body; `None` where a body is hidden.
    places: Mutex<BTreeMap<(Frame, usize), Option<DVec3>>>,
}

impl<'s> Trails<'s> {
    /// Trails of a shot of these frames.
    pub(super) fn new(moments: &'s Moments<'s>, shot: (f64, f64), frames: &[f64]) -> Self {
        let followed = if moments.are_still() { Vec::new() } else { most_moving(moments, frames) };
        Self { moments, shot, followed, places: Mutex::default() }
    }

    /// Number of bodies, with or without a trail.
    pub(super) fn count(&self) -> usize {
        self.followed.len()
    }

    /// Path of the `k`th body around a frame; `None` if it does not move.
    pub(super) fn path(&self, k: usize, frame: f64) -> Option<Vec<Step>> {
        let point = self.followed[k]?;
        let last = REACH * STEPS;
        let times = (-last..=last).map(|step| (step, frame + f64::from(step) / f64::from(STEPS)));
        let inside = times.filter(|(_, at)| (self.shot.0..=self.shot.1).contains(at));
        let inside: Vec<(i32, f64)> = inside.collect();
        let known = |at: f64| {
            let places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
            places.get(&(Frame(at), k)).copied()
        };
        let place = |&(_, at): &(i32, f64)| known(at).unwrap_or_else(|| self.place(k, point, at));
        let found: Vec<Option<DVec3>> = inside.par_iter().map(place).collect();
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        *places = places.split_off(&(Frame(frame - f64::from(REACH)), 0));
        let mut path = Vec::new();
        for ((step, at), place) in inside.into_iter().zip(found) {
            places.insert((Frame(at), k), place);
            let age = f64::from(step) / f64::from(last);
            path.extend(place.map(|at| Step { age, at, frame: step % STEPS == 0 }));
        }
        Some(path)
    }

    /// Position of a point of the `k`th body at a frame; `None` if the body is hidden.
    fn place(&self, k: usize, point: usize, frame: f64) -> Option<DVec3> {
        let bodies = self.moments.bodies();
        let body = bodies.indices()[k];
        let of = |body: &BodyMoment| {
            body.visible.then(|| candidates(body).map(|places| places[point])).flatten()
        };
        match self.moments.kept(frame) {
            Some(moment) => of(&moment.bodies[body]),
            None => of(&bodies.evaluate_body(body, frame)),
        }
    }
}

/// Start, middle and end of a body; for a mesh, in the order of its file. On a torn rope they are
/// places of the whole rope, on any piece.
fn candidates(body: &BodyMoment) -> Option<[DVec3; 3]> {
    if body.strands.first().is_some_and(|strand| strand.piece.is_some()) {
        let [start, middle, end] = [0.0, 0.5, 1.0].map(|place| on_piece(&body.strands, place));
        return Some([start?, middle?, end?]);
    }
    let strand = body.strands.first().map(Strand::points);
    let points = strand.or(body.mesh.as_ref().map(Mesh::points))?;
    Some([*points.first()?, points[points.len() / 2], *points.last()?])
}

/// Point nearest to a place of a rope, on any piece; at a tear, on the piece before it.
fn on_piece(strands: &[Strand], place: f64) -> Option<DVec3> {
    strands.iter().find_map(|strand| {
        let u = strand.piece?.along(place)?;
        let last = strand.points().len().checked_sub(1)?;
        Some(strand.points()[(u * last as f64).round() as usize])
    })
}

/// Start, middle or end of each body, whichever moves farthest; `None` if none moves.
fn most_moving(moments: &Moments<'_>, frames: &[f64]) -> Vec<Option<usize>> {
    let bodies = moments.bodies();
    let last = frames.len().saturating_sub(1);
    let intervals = last.clamp(1, INTERVALS);
    let seen: Vec<Vec<Option<[DVec3; 3]>>> = (0..=intervals)
        .into_par_iter()
        .map(|k| {
            let Some(frame) = frames.get(last * k / intervals) else { return Vec::new() };
            let moment = moments.at(*frame);
            let places =
                bodies.indices().iter().map(|body| candidates(&moment.bodies[*body])).collect();
            moments.recycle(moment);
            places
        })
        .collect();
    let farthest = |body: usize| {
        let mut distance = [0.0; 3];
        for pair in seen.windows(2) {
            let (Some(a), Some(b)) = (*pair[0].get(body)?, *pair[1].get(body)?) else {
                return None;
            };
            for (distance, (a, b)) in distance.iter_mut().zip(a.into_iter().zip(b)) {
                *distance += a.distance(b);
            }
        }
        // The middle wins a tie, because it is more visible.
        let farther = |best: usize, k: usize| if distance[k] > distance[best] { k } else { best };
        let best = [1, 2, 0].into_iter().fold(1, farther);
        (distance[best] > 1e-9).then_some(best)
    };
    (0..bodies.indices().len()).map(farthest).collect()
}

#[cfg(test)]
mod tests {
    use lariat_core::geometry::{Look, RopePiece, Sweep};

    use super::*;

    #[test]
    fn a_trail_stays_on_its_piece() {
        let mut line: Vec<DVec3> = (0..9).map(|i| DVec3::X * f64::from(i)).collect();
        let mut body = BodyMoment::default();
        let whole = RopePiece::whole(8.0, 0.1);
        let piece = |points: &[DVec3], from: f64, to: f64| {
            let mut strand = Strand::empty("x", Look { name: "rope".into(), colour: [0.5; 3] });
            strand.sweep(points, &Sweep::round(DVec3::Z, 0.1));
            strand.piece = Some(whole.part(from, to));
            strand
        };
        body.strands = vec![piece(&line, 0.0, 1.0)];
        assert_eq!(candidates(&body), Some([line[0], line[4], line[8]]));
        // Torn after two segments: the start stays, the rest has fallen.
        let start = piece(&line[..3], 0.0, 0.25);
        for p in &mut line {
            p.z = -1.0;
        }
        body.strands = vec![piece(&line[2..], 0.25, 1.0), start];
        assert_eq!(candidates(&body), Some([DVec3::ZERO, line[4], line[8]]));
    }
}
