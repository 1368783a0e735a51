//! What is wrong with the pose that a string starts from: pins that are elsewhere, and solids that it
//! is tied to and runs through.
//!
//! Both are set right within the first steps, by force: what is stiff is jerked and may tear. A string
//! may end at the surface of a solid, lie on it, or dip into it by as much as it is thick. One whose knot
//! is deep inside is led there as through a hole, which reading the document tells (`L0412`).
//!
//! Tests, in `tests/suite/solids.rs`: `a_tie_that_misses_its_string_is_told`,
//! `a_line_that_starts_through_its_box_is_told`; in `strings.rs`:
//! `a_pin_that_misses_its_string_is_told`.

use glam::DVec3;
use lariat_core::dynamics::spline_rope::Pin;

use super::Tangle;
use super::member::Member;
use crate::bind::Work;
use crate::scene::Scene;
use crate::simulate::inputs::Holds;

/// How far a pin may be from where its string is, in metres, and over the string's radius. More: a stiff
/// string is torn by it unheard. Less: rounded numbers are told.
const HELD: (f64, f64) = (1e-4, 0.05);

/// A string that is this deep in a solid, in metres, is told however thin it is. Less: rounding is told.
const DEEP: f64 = 1e-3;

/// A place no further outside than this is on the surface, in metres. Less: rounding puts it outside.
const ON: f64 = 1e-9;

/// Places that a segment is looked at, at most. More: long strings that are thin take long to be laid.
const MOST: f64 = 64.0;

/// A place of a string that is held elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Missed {
    /// Where along the string, 0–1, and in the world.
    pub at: f64,
    pub place: DVec3,
    /// Metres between the two.
    pub by: f64,
    /// Which body the solid is that it is tied to, if it is tied to one.
    pub solid: Option<usize>,
}

/// A stretch of a string inside of a solid that it is tied to.
#[derive(Clone, Debug)]
pub(super) struct Through {
    /// Which body the solid is.
    pub solid: usize,
    /// From where to where along the string, 0–1.
    pub part: [f64; 2],
    /// Metres of it, and how far below the surface it is at most.
    pub long: f64,
    pub depth: f64,
    /// Where it comes in on its way to an end that is tied there, from the middle of the solid along its
    /// own axes.
    pub offset: Option<DVec3>,
}

/// A place along a string.
struct Along {
    u: f64,
    place: DVec3,
    /// From the surface, outwards.
    distance: f64,
}

impl Tangle {
    /// What is wrong with the pose that a string starts from.
    pub(super) fn amiss(
        &self,
        member: &Member,
        points: &[DVec3],
        radius: f64,
        scene: &Scene,
        work: &mut Work,
    ) -> (Vec<Missed>, Vec<Through>) {
        let mut holds = Holds::new();
        let solids = self.posed_solids(scene, member.start);
        scene.at_time_with(&self.on, &solids, member.start, work, |world, _| {
            member.inputs.holds(&scene.bodies[member.index], world, &mut Vec::new(), &mut holds);
        });
        let missed = missed(member, points, radius, &holds);
        (missed, self.through(member, points, radius, scene, &holds))
    }

    /// Solids that it is tied to and runs through.
    fn through(
        &self,
        member: &Member,
        points: &[DVec3],
        radius: f64,
        scene: &Scene,
        holds: &Holds,
    ) -> Vec<Through> {
        let tied = |slot: usize| {
            let to = member.ties.iter().zip(holds).enumerate();
            to.filter(move |(_, (tie, pin))| **tie == Some(slot) && pin.on)
        };
        let thick = (2.0 * radius).max(DEEP);
        let through = |slot: usize| {
            tied(slot).next()?;
            let solid = self.solids[slot].posed(
                &scene.bodies[self.solids[slot].index],
                member.start,
                1.0 / self.rate,
            );
            let collider = solid.collider();
            let mut along = places(points, 0.5 * thick, |p| collider.distance(p).0);
            for (_, (_, pin)) in tied(slot) {
                forget_hole(&mut along, pin.u, thick);
            }
            let (first, last, depth) = deepest(&along, thick)?;
            let ends = tied(slot).filter_map(|(which, _)| (which < 2).then_some(which));
            let mut comes_in = ends.filter_map(|end| match end {
                0 if first == 0 => along.get(last),
                1 if last + 1 == along.len() => along.get(first),
                _ => None,
            });
            let offset = comes_in.next().map(|at| {
                let surface = at.place - collider.distance(at.place).1 * at.distance;
                solid.rotation.inverse() * (surface - solid.position)
            });
            let inside = &along[first..=last];
            let long = inside.windows(2).map(|pair| pair[0].place.distance(pair[1].place)).sum();
            let part = [along[first].u, along[last].u];
            let solid = self.solids[slot].index;
            Some(Through { solid, part, long, depth, offset })
        };
        (0..self.solids.len()).filter_map(through).collect()
    }
}

/// Pins that hold a string where it is not; its ends are where they are held.
fn missed(member: &Member, points: &[DVec3], radius: f64, holds: &Holds) -> Vec<Missed> {
    let last = points.len() - 1;
    let missed = |(which, pin): (usize, &Pin)| {
        let tied = member.ties.get(which).is_some_and(Option::is_some);
        let solid = member.tied_to.get(which).copied().flatten().filter(|_| tied);
        let place = points[(last as f64 * pin.u.clamp(0.0, 1.0)).round() as usize];
        let by = place.distance(pin.target);
        let off = pin.on && by > HELD.0.max(HELD.1 * radius);
        off.then_some(Missed { at: pin.u, place, by, solid })
    };
    holds.iter().enumerate().skip(2).filter_map(missed).collect()
}

/// Places along straight segments, as near to each other as told, with their distances.
///
/// What is deeper in a solid without hollows than it is thick, is inside for twice that at least: places
/// half as far apart find it, unless segments are longer than [`MOST`] of that.
fn places(points: &[DVec3], apart: f64, distance: impl Fn(DVec3) -> f64) -> Vec<Along> {
    let segments = (points.len() - 1) as f64;
    let mut along = Vec::new();
    for (i, pair) in points.windows(2).enumerate() {
        let parts = (pair[0].distance(pair[1]) / apart).ceil().clamp(1.0, MOST);
        for k in 0..parts as usize {
            let share = k as f64 / parts;
            let place = pair[0].lerp(pair[1], share);
            along.push(Along {
                u: (i as f64 + share) / segments,
                place,
                distance: distance(place),
            });
        }
    }
    let end = points[points.len() - 1];
    along.push(Along { u: 1.0, place: end, distance: distance(end) });
    along
}

/// Leaves out the way to a knot that is deep inside: it is none of the string's faults, and counts as
/// outside.
fn forget_hole(along: &mut [Along], knot: f64, thick: f64) {
    let next = along.partition_point(|at| at.u < knot).min(along.len() - 1);
    if along[next].distance >= -thick {
        return;
    }
    let (before, after) = along.split_at_mut(next);
    let inside = |at: &&mut Along| at.distance < 0.0;
    before.iter_mut().rev().take_while(inside).for_each(|at| at.distance = f64::INFINITY);
    after.iter_mut().take_while(inside).for_each(|at| at.distance = f64::INFINITY);
}

/// The stretch inside that is deepest: its first and last place, and how deep; nothing if that is no
/// more than the string is thick.
fn deepest(along: &[Along], thick: f64) -> Option<(usize, usize, f64)> {
    let (at, deepest) =
        along.iter().enumerate().min_by(|a, b| a.1.distance.total_cmp(&b.1.distance))?;
    if -deepest.distance <= thick {
        return None;
    }
    // What is on the surface belongs to it.
    let outside = |at: &Along| at.distance > ON;
    let first = along[..at].iter().rposition(outside).map_or(0, |i| i + 1);
    let last = along[at..].iter().position(outside).map_or(along.len(), |i| at + i) - 1;
    Some((first, last, -deepest.distance))
}
