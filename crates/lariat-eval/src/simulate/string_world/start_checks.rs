//! Checks of the poses that strings and solids start from: pins away from their string, and obstacles
//! that a string runs through or a solid starts inside.
//!
//! The first steps correct all of these by force: a stiff string is jerked and may tear, a heavy solid
//! is thrown. A string may end at a surface, lie on it, or enter it by its thickness. A string tied deep
//! inside a solid is led there as through a hole and reported when the document is read (`L0412`); an
//! end inside an obstacle of its own model is reported where that model is posed (`L0615`).
//!
//! Tests, in `tests/suite/solids.rs`: `a_tie_that_misses_its_string_is_reported`,
//! `a_line_that_starts_through_its_box_is_reported`, `a_line_that_starts_through_an_obstacle_is_reported`,
//! `a_box_that_starts_inside_an_obstacle_is_reported`; in `strings.rs`:
//! `a_pin_that_misses_its_string_is_reported`.

use glam::DVec3;
use lariat_core::dynamics::spline_rope::Pin;
use lariat_core::model::layer::Collider;
use lariat_rigid::Solid;

use super::StringWorld;
use super::string::StringBody;
use crate::bind::Work;
use crate::scene::Scene;
use crate::simulate::inputs::HeldPoints;
use crate::warning::{ObstacleName, PinMissed, RunsThrough, StartsInside};

/// Tolerance between a pin and its string, in metres, and relative to the string's radius. Larger: a
/// stiff string is torn without a warning. Smaller: rounded numbers are reported.
const HELD: (f64, f64) = (1e-4, 0.05);

/// Depth in a solid above which a string is reported however thin it is, in metres. Smaller: rounding is
/// reported.
const DEEP: f64 = 1e-3;

/// A solid is reported if it starts deeper than [`DEEP`] or this share of half its thickness. Larger:
/// beads are thrown without a warning. Smaller: scenes accurate to a tenth of a millimetre are reported.
const SUNK: f64 = 0.05;

/// Distance outside a surface up to which a place counts as on it, in metres. Smaller: rounding
/// puts it outside.
const ON: f64 = 1e-9;

/// Maximum number of samples per segment. Larger: the layout of long thin strings takes long.
const MOST: f64 = 64.0;

/// An obstacle of strings and solids.
struct Obstacle {
    what: ObstacleName,
    collider: Collider,
    /// Its solid, if it is one.
    solid: Option<usize>,
    /// Bodies that name it.
    of: Vec<usize>,
}

/// A sample along a string.
struct Along {
    u: f64,
    place: DVec3,
    /// Distance from the surface, positive outside, in metres.
    distance: f64,
}

impl StringWorld {
    /// Checks the pose that a string starts from.
    pub(super) fn start_checks(
        &self,
        string_body: &StringBody,
        points: &[DVec3],
        radius: f64,
        scene: &Scene,
        work: &mut Work,
    ) -> (Vec<PinMissed>, Vec<RunsThrough>) {
        let mut holds = HeldPoints::new();
        let solids = self.posed_solids(scene, string_body.start);
        scene.at_time_with(&self.on, &solids, string_body.start, work, |world, _| {
            string_body.inputs.holds(
                &scene.bodies[string_body.index],
                world,
                &mut Vec::new(),
                &mut holds,
            );
        });
        let missed = pins_missed(string_body, points, radius, &holds, scene);
        (missed, self.runs_through(string_body, points, radius, scene, &holds, work))
    }

    /// Obstacles that the pose runs through.
    fn runs_through(
        &self,
        string_body: &StringBody,
        points: &[DVec3],
        radius: f64,
        scene: &Scene,
        holds: &HeldPoints,
        work: &mut Work,
    ) -> Vec<RunsThrough> {
        let thick = (2.0 * radius).max(DEEP);
        let own = &*scene.bodies[string_body.index].name;
        let frame = scene.shot().rate.frame(string_body.start);
        let through = |obstacle: Obstacle| {
            let Obstacle { what, collider, solid, of } = obstacle;
            let mut along = places(points, 0.5 * thick, &collider);
            // The part up to a knot in its own solid is reported elsewhere, and so is an end inside
            // an obstacle of its own model.
            let tied =
                |which: usize| solid.is_some() && string_body.ties.get(which) == Some(&solid);
            let clamped = of.contains(&string_body.index);
            let held = holds.iter().enumerate().filter(|(_, pin)| pin.on);
            let knots = held.filter(|(which, _)| tied(*which) || (clamped && *which < 2));
            let knots: Vec<(usize, f64)> = knots.map(|(which, pin)| (which, pin.u)).collect();
            for (_, u) in &knots {
                ignore_knot(&mut along, *u, thick);
            }
            let (first, last, depth) = deepest(&along, thick)?;
            let mut comes_in = knots.iter().filter_map(|(which, _)| match which {
                0 if first == 0 => along.get(last),
                1 if last + 1 == along.len() => along.get(first),
                _ => None,
            });
            let offset = solid.and_then(|slot| {
                let at = comes_in.next()?;
                let surface = at.place - collider.distance(at.place).1 * at.distance;
                let solid = self.posed_solid(slot, scene, string_body.start);
                Some(solid.rotation.inverse() * (surface - solid.position))
            });
            let inside = &along[first..=last];
            let long = inside.windows(2).map(|pair| pair[0].place.distance(pair[1].place)).sum();
            let part = [along[first].u, along[last].u];
            let own = clamped || !knots.is_empty();
            Some(RunsThrough { through: what, own, frame, part, long, depth, offset })
        };
        self.obstacles(own, string_body.start, scene, work)
            .into_iter()
            .filter_map(through)
            .collect()
    }

    /// Obstacles that a solid starts inside. Two solids that start together are reported once, with the
    /// first of them.
    pub(super) fn starts_inside(
        &self,
        slot: usize,
        scene: &Scene,
        work: &mut Work,
    ) -> Vec<StartsInside> {
        let start = self.solids[slot].start;
        let solid = self.posed_solid(slot, scene, start);
        let own = &*scene.bodies[self.solids[slot].index].name;
        let tolerance = DEEP.min(SUNK * solid.shape.half().min_element());
        let frame = scene.shot().rate.frame(start);
        let sunk = |obstacle: Obstacle| {
            if let Some(other) = obstacle.solid {
                let beside = self.posed_solid(other, scene, start);
                let reach = solid.shape.half().length() + beside.shape.half().length();
                let reported = other < slot && self.solids[other].start == start;
                if other == slot || reported || solid.position.distance(beside.position) > reach {
                    return None;
                }
            }
            let (depth, out) = solid.inside(&obstacle.collider)?;
            let place = solid.position + out * depth;
            let inside = obstacle.what;
            (depth > tolerance).then_some(StartsInside { inside, frame, depth, place })
        };
        self.obstacles(own, start, scene, work).into_iter().filter_map(sunk).collect()
    }

    fn posed_solid(&self, slot: usize, scene: &Scene, t: f64) -> Solid {
        let solid = &self.solids[slot];
        solid.posed(&scene.bodies[solid.index], t, 1.0 / self.rate)
    }

    /// All obstacles at a time. Solids that started earlier are left out, because their position is
    /// not known. A floor that several bodies have is named after `own` if it is one of them.
    fn obstacles(&self, own: &str, t: f64, scene: &Scene, work: &mut Work) -> Vec<Obstacle> {
        let mut obstacles: Vec<Obstacle> = Vec::new();
        scene.at_time_on(&self.on, t, work, |world, _| {
            let strings = self.string_bodies.iter().map(|string_body| {
                let body = &scene.bodies[string_body.index];
                (string_body.index, body, &*body.layers)
            });
            let solids = self
                .solids
                .iter()
                .map(|solid| (solid.index, &scene.bodies[solid.index], &solid.layers));
            let (mut clamps, mut ignored) = (Vec::new(), Vec::new());
            for (index, body, layers) in strings.chain(solids) {
                layers.clamps(world, &body.looks, 0.0, &mut clamps, &mut ignored);
                for (clamp, number) in clamps.drain(..).zip(layers.clamps_on(t)) {
                    let what = match layers.against(number) {
                        Some(name) => ObstacleName::Collider(name.clone()),
                        None => ObstacleName::Floor(body.name.clone()),
                    };
                    match obstacles.iter_mut().find(|one| one.collider == clamp.collider) {
                        Some(one) => {
                            one.of.push(index);
                            if *body.name == *own {
                                one.what = what;
                            }
                        }
                        None => obstacles.push(Obstacle {
                            what,
                            collider: clamp.collider,
                            solid: None,
                            of: vec![index],
                        }),
                    }
                }
            }
        });
        for (slot, solid) in self.solids.iter().enumerate().filter(|(_, solid)| solid.start >= t) {
            obstacles.push(Obstacle {
                what: ObstacleName::Solid(scene.bodies[solid.index].name.clone()),
                collider: self.posed_solid(slot, scene, t).collider(),
                solid: Some(slot),
                of: Vec::new(),
            });
        }
        obstacles
    }
}

/// Pins that are away from their string. Ends are not checked: the string starts where they are
/// held.
fn pins_missed(
    string_body: &StringBody,
    points: &[DVec3],
    radius: f64,
    holds: &HeldPoints,
    scene: &Scene,
) -> Vec<PinMissed> {
    let last = points.len() - 1;
    let missed = |(which, pin): (usize, &Pin)| {
        let tied = string_body.ties.get(which).is_some_and(Option::is_some);
        let solid = string_body.tied_to.get(which).copied().flatten().filter(|_| tied);
        let place = points[(last as f64 * pin.u.clamp(0.0, 1.0)).round() as usize];
        let by = place.distance(pin.target);
        let off = pin.on && by > HELD.0.max(HELD.1 * radius);
        let solid = solid.map(|solid| scene.bodies[solid].name.clone());
        off.then_some(PinMissed { at: pin.u, place, missed: by, solid })
    };
    holds.iter().enumerate().skip(2).filter_map(missed).collect()
}

/// Samples along straight segments, at most `apart` from each other, with their distances from the
/// surface.
///
/// A string that is deeper in a convex solid than it is thick is inside for at least twice its
/// thickness, so samples half its thickness apart find it, unless a segment is longer than [`MOST`]
/// times `apart`.
///
/// A segment whose middle is further outside than half its length is outside, and is sampled once.
fn places(points: &[DVec3], apart: f64, collider: &Collider) -> Vec<Along> {
    let distance = |p: DVec3| collider.distance(p).0;
    // The distance from a height field is vertical, which may be more than that from its slope.
    let is_even = !matches!(collider, Collider::HeightField(_));
    let segments = (points.len() - 1) as f64;
    let mut along = Vec::new();
    for (i, pair) in points.windows(2).enumerate() {
        let long = pair[0].distance(pair[1]);
        let far = is_even && distance((pair[0] + pair[1]) * 0.5) > 0.5 * long + ON;
        let parts = if far { 1.0 } else { (long / apart).ceil().clamp(1.0, MOST) };
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

/// Treats the part up to a knot deep inside as outside, because it is reported elsewhere.
fn ignore_knot(along: &mut [Along], knot: f64, thick: f64) {
    let next = along.partition_point(|at| at.u < knot).min(along.len() - 1);
    if along[next].distance >= -thick {
        return;
    }
    let (before, after) = along.split_at_mut(next);
    let inside = |at: &&mut Along| at.distance < 0.0;
    before.iter_mut().rev().take_while(inside).for_each(|at| at.distance = f64::INFINITY);
    after.iter_mut().take_while(inside).for_each(|at| at.distance = f64::INFINITY);
}

/// The deepest section inside: its first and last sample, and its depth; `None` if the depth is at
/// most the thickness of the string.
fn deepest(along: &[Along], thick: f64) -> Option<(usize, usize, f64)> {
    let (at, deepest) =
        along.iter().enumerate().min_by(|a, b| a.1.distance.total_cmp(&b.1.distance))?;
    if -deepest.distance <= thick {
        return None;
    }
    // Samples on the surface belong to the section.
    let outside = |at: &Along| at.distance > ON;
    let first = along[..at].iter().rposition(outside).map_or(0, |i| i + 1);
    let last = along[at..].iter().position(outside).map_or(along.len(), |i| at + i) - 1;
    Some((first, last, -deepest.distance))
}
