//! Places particles evenly along the poses that strings start from.
//!
//! The number of segments is doubled until their distance from the pose is not visible. They are
//! shorter than the string is thick only if that requires it.
//!
//! Tests, in `tests/suite/strings.rs`: `a_string_starts_at_its_pose`,
//! `a_string_tears_at_its_reported_strength`.

use glam::DVec3;
use lariat_core::curve::{Frame, Spline};
use lariat_core::geometry::interpolate_linear;
use lariat_core::num::ops;

use super::StringWorld;
use super::simulator::StringSimulator;
use super::string::StringBody;
use crate::bind::{Body, Placement, Work};
use crate::moment::BodyMoment;
use crate::scene::{Scene, World};
use crate::simulate::history::Stopped;
use crate::warning::{PinMissed, RunsThrough, StartsInside};

/// Default number of segments; minimum and maximum if the document does not give it.
const USUAL: usize = 64;
const LEAST: usize = 8;
const MOST: usize = 2048;
/// Tolerance between a string and its start pose, relative to its length, if that is more than its
/// radius. Strings without given `segments` are within a quarter of it.
const UNSEEN: f64 = 2e-3;
/// All strings at the start of the run.
#[derive(Debug)]
pub(super) struct Layout {
    pub strings: StringSimulator,
    pub string_bodies: Vec<StringLayout>,
    /// Obstacles that each solid starts inside.
    pub starts_inside: Vec<Vec<StartsInside>>,
}

/// Particles and properties of one string.
#[derive(Debug)]
pub(super) struct StringLayout {
    /// Its particles.
    pub first: usize,
    pub count: usize,
    /// Metres at rest, and of each segment.
    pub length: f64,
    pub rests: Vec<f64>,
    /// Factors on the radius at its particles.
    pub taper: Vec<f64>,
    /// Largest distance of its particles from the pose, in metres; and the distance that is not seen.
    pub off: f64,
    pub tolerance: f64,
    /// `EI` in N m² as given, the largest that steps can follow, and steps per second.
    pub stiffness: [f64; 3],
    /// Pins that are away from it.
    pub pins_missed: Vec<PinMissed>,
    /// Obstacles that its pose runs through.
    pub runs_through: Vec<RunsThrough>,
    /// Strength of each segment: newtons, and turns per metre.
    pub strengths: Vec<[f64; 2]>,
    /// Attachment points of its ends in the axes of their solids, if other than in the document.
    pub beside: [Option<DVec3>; 2],
}

impl StringLayout {
    /// The particle nearest to a place along it, 0–1.
    pub(super) fn particle(&self, u: f64) -> usize {
        self.first + ((self.count - 1) as f64 * u.clamp(0.0, 1.0)).round() as usize
    }

    /// Place of a particle along the string, 0–1.
    pub(super) fn place(&self, particle: usize) -> f64 {
        (particle - self.first) as f64 / (self.count - 1) as f64
    }
}

impl StringWorld {
    /// Lays out all strings: with the rest shape of their own start, at their position when the first
    /// starts.
    pub(super) fn lay_out(&self, scene: &Scene) -> Result<Layout, Stopped> {
        let mut strings = StringSimulator::new(self.method);
        let mut string_bodies = Vec::new();
        let work = &mut Work::default();
        let h = 1.0 / self.rate;
        for (slot, string_body) in self.string_bodies.iter().enumerate() {
            let body = &scene.bodies[string_body.index];
            let posed = |t: f64, work: &mut Work| {
                let mut moment = BodyMoment::default();
                let solids = self.posed_solids(scene, t);
                scene.at_time_with(&self.on, &solids, t, work, |world, work| {
                    moment = shape(body, world, work);
                });
                moment
            };
            let pose = posed(string_body.start, work);
            let segments = string_body.segments.unwrap_or_else(|| enough(string_body, body, &pose));
            let points = along(&pose, segments);
            let off = misses(&pose, &points);
            let radius = body.looks.girth(string_body.start);
            let (pins_missed, runs_through) =
                self.start_checks(string_body, &points, radius, scene, work);
            let rests: Vec<f64> = points.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
            let length: f64 = rests.iter().sum();
            let (first, count) = (strings.particles(), points.len());
            let added = strings.add(string_body, points, body);
            let refused = |error: String| {
                let why = match self.string_bodies.len() {
                    1 => error,
                    _ => format!("of `{}`, {error}", body.name),
                };
                Stopped { time: self.start, why }
            };
            let string = added.map_err(refused)?;
            debug_assert_eq!(string, slot, "strings are numbered as they are added");
            let [stiffness, most] = strings.stiffness(string, h);
            let stiffness = [stiffness, most, self.rate];
            let place = |i: usize| i as f64 / (count - 1) as f64;
            string_bodies.push(StringLayout {
                first,
                count,
                length,
                rests,
                taper: (0..count)
                    .map(|i| interpolate_linear(body.looks.taper(), place(i)))
                    .collect(),
                off,
                tolerance: radius.max(UNSEEN * length),
                stiffness,
                pins_missed,
                runs_through,
                strengths: (first..first + count - 1).map(|i| strings.strength(i)).collect(),
                beside: self.beside(string_body, body, |t| posed(t, work), scene),
            });
            self.wind(&mut strings, &pose, string_body, first, count);
            // Position and velocity when the simulation starts.
            let (earlier, now) = (along(&posed(self.start - h, work), segments), {
                along(&posed(self.start, work), segments)
            });
            for (i, (was, is)) in earlier.into_iter().zip(now).enumerate() {
                strings.set_motion(first + i, is, (is - was) / h);
            }
        }
        strings.set_contact(self.string_bodies.iter().any(|string_body| string_body.contact));
        let starts_inside =
            (0..self.solids.len()).map(|slot| self.starts_inside(slot, scene, work)).collect();
        Ok(Layout { strings, string_bodies, starts_inside })
    }

    /// Positions of the ends of a wound wire in the axes of the solids that they are tied to, when those
    /// start.
    fn beside(
        &self,
        string_body: &StringBody,
        body: &Body,
        mut posed: impl FnMut(f64) -> BodyMoment,
        scene: &Scene,
    ) -> [Option<DVec3>; 2] {
        std::array::from_fn(|end| {
            let solid = &self.solids[string_body.ties[end].filter(|_| body.ends_beside())?];
            let moment = posed(solid.start);
            let spine = moment.spine();
            let place = if end == 0 { spine.first()? } else { spine.last()? };
            let placement = scene.bodies[solid.index].keyed_placement(solid.start)?;
            Some(placement.axes.transpose() * (*place - placement.position))
        })
    }

    /// Keyed placements of all solids.
    pub(super) fn posed_solids(&self, scene: &Scene, t: f64) -> Vec<(usize, Placement)> {
        let keyed = |b: usize| (b, scene.bodies[b].keyed_placement(t).unwrap_or_default());
        self.solids.iter().map(|solid| keyed(solid.index)).collect()
    }

    /// Sets the angles of its segments: those of the pose, plus the turns of its ends, interpolated
    /// evenly.
    fn wind(
        &self,
        strings: &mut StringSimulator,
        pose: &BodyMoment,
        string_body: &StringBody,
        first: usize,
        count: usize,
    ) {
        let frame = pose.strands.first().and_then(|strand| strand.frames().first());
        let positions = strings.positions();
        let way = (positions[first + 1] - positions[first]).normalize_or(DVec3::X);
        let (_, side) = strings.turned(first);
        let up = frame.map_or(DVec3::Z, Frame::normal);
        let rolled = ops::atan2(up.dot(way.cross(side)), up.dot(side));
        let [from, to] = string_body.turned(self.start);
        for i in 0..count - 1 {
            let share = (i as f64 + 0.5) / (count - 1) as f64;
            strings.turn(first + i, rolled + from + (to - from) * share);
        }
    }
}

/// Number of segments that represent the pose.
fn enough(string_body: &StringBody, body: &Body, pose: &BodyMoment) -> usize {
    let radius = body.looks.girth(string_body.start);
    let long = pose.smooth_spine().map_or(0.0, Spline::length);
    let tolerance = radius.max(UNSEEN * long);
    let mut segments = ((long / radius.max(1e-9)) as usize).clamp(LEAST, USUAL);
    while segments < MOST && misses(pose, &along(pose, segments)) > 0.25 * tolerance {
        segments *= 2;
    }
    segments
}

/// The pose of a body by its model at the world's time.
pub(super) fn shape(body: &Body, world: &World<'_>, work: &mut Work) -> BodyMoment {
    let mut moment = BodyMoment::default();
    body.pose_model(world, work, &mut moment);
    moment
}

/// Places evenly along a pose; its ends exactly.
pub(super) fn along(pose: &BodyMoment, segments: usize) -> Vec<DVec3> {
    let spine = pose.spine();
    let Some(spline) = pose.smooth_spine() else {
        return vec![spine.first().copied().unwrap_or_default(); segments + 1];
    };
    let length = spline.length();
    let inner = (1..segments)
        .map(|i| spline.point(spline.parameter_at(length * i as f64 / segments as f64)));
    let (first, last) = (spine[0], spine[spine.len() - 1]);
    std::iter::once(first).chain(inner).chain([last]).collect()
}

/// Largest distance of straight segments from a pose, in metres.
fn misses(pose: &BodyMoment, points: &[DVec3]) -> f64 {
    let Some(spline) = pose.smooth_spine() else { return 0.0 };
    let length = spline.length();
    let last = points.len() - 1;
    // In the middle of segments, where they are furthest.
    let off = |i: usize| {
        let there = spline.point(spline.parameter_at(length * (i as f64 + 0.5) / last as f64));
        there.distance((points[i] + points[i + 1]) * 0.5)
    };
    (0..last).map(off).fold(0.0, f64::max)
}
