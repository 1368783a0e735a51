//! Poses become particles, evenly along them.
//!
//! A string has as many segments as its pose takes: they are doubled until the pose is met as nobody
//! would see. They are not made shorter than it is thick without need.
//!
//! Tests, in `tests/suite/strings.rs`: `a_string_starts_where_its_pose_was`,
//! `what_tears_bore_as_much_as_is_told`.

use glam::DVec3;
use lariat_core::curve::{Frame, Spline};
use lariat_core::geometry::interpolate_linear;
use lariat_core::num::ops;
use lariat_string::Strings;

use super::StringWorld;
use super::string::StringBody;
use crate::bind::{Body, Placement, Work};
use crate::moment::BodyMoment;
use crate::scene::{Scene, World};
use crate::simulate::history::Stopped;
use crate::warning::{PinMissed, RunsThrough, StartsInside};

/// Segments of a string that needs no more, the fewest, and the most that it is given unasked.
const USUAL: usize = 64;
const LEAST: usize = 8;
const MOST: usize = 2048;
/// How far from its pose a string may start beside its length, if that is more than its radius. Who
/// leaves the segments to us gets a quarter of it.
const UNSEEN: f64 = 2e-3;
/// All strings as they set out.
#[derive(Debug)]
pub(super) struct Layout {
    pub strings: Strings,
    pub string_bodies: Vec<StringLayout>,
    /// Obstacles that each solid starts inside.
    pub starts_inside: Vec<Vec<StartsInside>>,
}

/// One of them.
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
    /// How far its particles are from the pose, in metres; and how far they may be.
    pub off: f64,
    pub bearable: f64,
    /// `EI` in N m² as told, the most that steps follow, and how many of these there are a second.
    pub stiffness: [f64; 3],
    /// Pins that hold it elsewhere.
    pub pins_missed: Vec<PinMissed>,
    /// Obstacles that its pose runs through.
    pub runs_through: Vec<RunsThrough>,
    /// What tears each segment: newtons, and turns in a metre.
    pub bears: Vec<[f64; 2]>,
    /// Where its ends are tied to solids, along their own axes, if not where the document says.
    pub beside: [Option<DVec3>; 2],
}

impl StringLayout {
    /// The particle nearest to a place along it, 0–1.
    pub(super) fn particle(&self, u: f64) -> usize {
        self.first + ((self.count - 1) as f64 * u.clamp(0.0, 1.0)).round() as usize
    }

    /// Where along it a particle is, 0–1.
    pub(super) fn place(&self, particle: usize) -> f64 {
        (particle - self.first) as f64 / (self.count - 1) as f64
    }
}

impl StringWorld {
    /// Lays all strings: at rest as each is when it starts, and where each is when the first starts.
    pub(super) fn lay_out(&self, scene: &Scene) -> Result<Layout, Stopped> {
        let mut strings = Strings::new();
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
            let (first, count) = (strings.state.particles(), points.len());
            let added = strings.add(&string_body.built(points, body));
            let refused = |error: lariat_string::BuildError| {
                let why = match self.string_bodies.len() {
                    1 => error.to_string(),
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
                bearable: radius.max(UNSEEN * length),
                stiffness,
                pins_missed,
                runs_through,
                bears: (first..first + count - 1).map(|i| strings.bears(i)).collect(),
                beside: self.beside(string_body, body, |t| posed(t, work), scene),
            });
            self.wind(&mut strings, &pose, string_body, first, count);
            // Where it is when the string world starts, and how fast it moves there.
            let state = &mut strings.state;
            let (earlier, now) = (along(&posed(self.start - h, work), segments), {
                along(&posed(self.start, work), segments)
            });
            for (i, (was, is)) in earlier.into_iter().zip(now).enumerate() {
                state.positions[first + i] = is;
                state.velocities[first + i] = (is - was) / h;
            }
        }
        strings.settings.contact = self.string_bodies.iter().any(|string_body| string_body.contact);
        let starts_inside =
            (0..self.solids.len()).map(|slot| self.starts_inside(slot, scene, work)).collect();
        Ok(Layout { strings, string_bodies, starts_inside })
    }

    /// Where the ends of a wound wire are on solids that they are tied to, when those start.
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

    /// Where keys have all solids.
    pub(super) fn posed_solids(&self, scene: &Scene, t: f64) -> Vec<(usize, Placement)> {
        let keyed = |b: usize| (b, scene.bodies[b].keyed_placement(t).unwrap_or_default());
        self.solids.iter().map(|solid| keyed(solid.index)).collect()
    }

    /// Turns its segments as the pose does, and as its ends are turned, evenly between them.
    fn wind(
        &self,
        strings: &mut Strings,
        pose: &BodyMoment,
        string_body: &StringBody,
        first: usize,
        count: usize,
    ) {
        let state = &mut strings.state;
        let frame = pose.strands.first().and_then(|strand| strand.frames().first());
        let way = (state.positions[first + 1] - state.positions[first]).normalize_or(DVec3::X);
        let (side, up) = (state.sides[first], frame.map_or(DVec3::Z, Frame::normal));
        let rolled = ops::atan2(up.dot(way.cross(side)), up.dot(side));
        let [from, to] = string_body.turned(self.start);
        for i in 0..count - 1 {
            let share = (i as f64 + 0.5) / (count - 1) as f64;
            state.angles[first + i] = rolled + from + (to - from) * share;
        }
    }
}

/// As many segments as the pose takes.
fn enough(string_body: &StringBody, body: &Body, pose: &BodyMoment) -> usize {
    let radius = body.looks.girth(string_body.start);
    let long = pose.smooth_spine().map_or(0.0, Spline::length);
    let bearable = radius.max(UNSEEN * long);
    let mut segments = ((long / radius.max(1e-9)) as usize).clamp(LEAST, USUAL);
    while segments < MOST && misses(pose, &along(pose, segments)) > 0.25 * bearable {
        segments *= 2;
    }
    segments
}

/// What its model makes of a body at the world's time.
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

/// How far straight segments are from a pose at most, in metres.
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
