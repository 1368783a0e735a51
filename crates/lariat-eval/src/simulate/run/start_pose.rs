//! The pose that a rope starts from, its number of control points, and the properties of its section.
//!
//! Tests, in `tests/suite/dynamics.rs`: `a_wavy_rope_starts_at_its_pose`.

use std::sync::Arc;

use glam::DVec3;
use lariat_core::curve::Frame;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::material::Section;
use lariat_core::dynamics::spline_rope::SplineRope;

use super::simulator::{Method, RopeSimulator};
use super::{Dynamics, LEAST};
use crate::bind::{Body, Work};
use crate::moment::BodyMoment;
use crate::scene::Scene;
use crate::simulate::ResolvedMaterial;
use crate::warning::{TooShort, TooShortOver, Warning};

/// Maximum number of control points, unless the document gives it.
const MOST: usize = 2048;
/// Maximum number of contact points, unless the document gives it. More: a nail makes a long rope
/// slow.
const MOST_TOUCHING: f64 = 2000.0;
/// Tolerance between rope and start pose, relative to its length, if that is more than its radius.
/// Ropes without given `control-points` are within a quarter of it.
const UNSEEN: f64 = 2e-3;
/// Points of a pose within this of even spacing, 0–1, are taken as evenly spaced, so that a rope held
/// in its middle is drawn exactly where it is held.
const EVEN: f64 = 1e-6;

/// The pose that a rope starts from, and its discretisation.
#[derive(Debug)]
pub(super) struct StartPose {
    pub(super) points: Vec<DVec3>,
    /// Their places along the rope, 0–1; the simulated rope is drawn at these places.
    pub(super) places: Vec<f64>,
    /// Up direction at its start.
    pub(super) up: DVec3,
    pub(super) control_points: usize,
    /// Largest distance of its curve from that pose, and the distance that is not visible, in metres.
    pub(super) missed: f64,
    pub(super) tolerance: f64,
    /// Warnings of the model about that pose.
    pub(super) warnings: Vec<Warning>,
    /// Largest spacing of contact points, in metres, for the thinnest obstacle at the start.
    pub(super) finest: f64,
}

/// Length of the rope in metres, if its model had to draw it longer to span its gap.
pub(super) fn given_length(warnings: &[Warning]) -> Option<f64> {
    warnings.iter().find_map(|warning| {
        let short = warning.get::<TooShort>().map(|short| short.length);
        short.or_else(|| warning.get::<TooShortOver>().map(|short| short.length))
    })
}

impl Dynamics {
    /// Its material, with the numbers it is simulated with.
    pub(crate) fn resolved_material(&self, body: &Body, scene: &Scene) -> ResolvedMaterial {
        let start_pose = self.start_pose(body, scene);
        let (mut section, _) = self.lay(
            &start_pose.points,
            given_length(&start_pose.warnings),
            start_pose.control_points,
            start_pose.finest,
            body,
        );
        if self.method == Method::Published {
            // The springs of the published method only pull.
            (section.bend, section.compression) = (0.0, 0.0);
        }
        ResolvedMaterial { name: self.material.name, section, is_string: false, strength: None }
    }

    /// The pose that it starts from. Unless the document gives the number of control points, it is
    /// doubled until the curve is within a quarter of the visible distance of that pose.
    pub(super) fn start_pose(&self, body: &Body, scene: &Scene) -> &StartPose {
        self.start_pose.get_or_init(|| {
            let (points, up, warnings) = self.shape(self.start, body, scene, &mut Work::default());
            let length = given_length(&warnings);
            let finest = self.finest(body, scene);
            let mut places = SplineRope::places(&points);
            let last = (points.len().max(2) - 1) as f64;
            let even = |(i, u): (usize, &f64)| (u - i as f64 / last).abs() < EVEN;
            if places.iter().enumerate().all(even) {
                places = (0..points.len()).map(|i| i as f64 / last).collect();
            }
            let long: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            let tolerance = body.looks.girth(self.start).max(UNSEEN * long);
            let mut control_points = self.given.control_points.unwrap_or(LEAST);
            loop {
                let (_, laid) = self.lay(&points, length, control_points, finest, body);
                let missed = laid.map_or(0.0, |rope| rope.misses(&points));
                let more = self.given.control_points.is_none() && control_points < MOST;
                if missed <= 0.25 * tolerance || !more {
                    return Arc::new(StartPose {
                        points,
                        places,
                        up,
                        control_points,
                        missed,
                        tolerance,
                        warnings,
                        finest,
                    });
                }
                control_points *= 2;
            }
        })
    }

    /// Length of the curve that it starts from, in metres.
    pub(crate) fn start_length(&self, body: &Body, scene: &Scene) -> f64 {
        let points = &self.start_pose(body, scene).points;
        points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }

    /// Half the thickness of the thinnest obstacle at the start, including the margin, in metres: an
    /// obstacle could pass between contact points that are further apart.
    fn finest(&self, body: &Body, scene: &Scene) -> f64 {
        let (mut clamps, mut ignored) = (Vec::new(), Vec::new());
        scene.at_time(self.index, self.start, &mut Work::default(), |world, _| {
            body.layers.clamps(world, &body.looks, 0.0, &mut clamps, &mut ignored);
        });
        let solids =
            clamps.into_iter().map(|clamp| Obstacle::standing(clamp.collider, clamp.margin));
        0.5 * solids.map(|solid| solid.thinnest()).fold(f64::INFINITY, f64::min)
    }

    /// The curve of its model at a time, the up vector at its start, and the warnings of the model.
    pub(super) fn shape(
        &self,
        t: f64,
        body: &Body,
        scene: &Scene,
        work: &mut Work,
    ) -> (Vec<DVec3>, DVec3, Vec<Warning>) {
        let mut moment = BodyMoment::default();
        scene.at_time(self.index, t, work, |world, work| {
            moment.clear();
            body.pose_model(world, work, &mut moment);
        });
        let first = moment.strands.first().and_then(|strand| strand.frames().first());
        let up = first.map_or(DVec3::Z, Frame::normal);
        (moment.spine().to_vec(), up, std::mem::take(&mut moment.warnings))
    }

    /// A simulated rope along a curve, and the properties of its section.
    pub(super) fn lay(
        &self,
        now: &[DVec3],
        length: Option<f64>,
        control_points: usize,
        finest: f64,
        body: &Body,
    ) -> (Section, Result<RopeSimulator, String>) {
        let mut build = self.build.clone();
        build.length = length;
        build.control_points = control_points;
        let long: f64 = now.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let enough = (long / finest).ceil().min(MOST_TOUCHING) as usize;
        let enough = enough.max(2 * control_points);
        build.contact_points = self.given.contact_points.unwrap_or(enough);
        build.section = self.material.at_radius(body.looks.girth(self.start));
        let section = &mut build.section;
        section.mass_per_metre = self.given.mass_per_metre.unwrap_or(section.mass_per_metre);
        section.stretch = self.given.stretch.unwrap_or(section.stretch);
        section.bend = self.given.bend.unwrap_or(section.bend);
        section.compression = self.given.compression.unwrap_or(section.compression);
        section.inner_friction = self.given.inner_friction.unwrap_or(section.inner_friction);
        let springs = self.given.springs.unwrap_or(2 * control_points);
        let damping_given = self.given.inner_friction.is_some();
        let laid = self.method.lay(now, &mut build, springs, damping_given);
        (build.section, laid)
    }
}
