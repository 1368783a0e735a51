//! The simulation of one spline rope.
//!
//! It starts with the shape and the velocities of the model at the start time.
//!
//! Tests: `frames_in_any_order_are_the_same_bits`, `the_frame_rate_does_not_change_the_motion`,
//! `a_body_is_posed_until_its_start_and_starts_with_its_velocity`,
//! `a_truncated_take_resumes_with_the_same_bits`, `a_wavy_rope_starts_at_its_pose`.

pub(super) mod simulator;
mod start_pose;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use glam::DVec3;
use lariat_core::dynamics::Diverged;
use lariat_core::dynamics::material::Material;
use lariat_core::dynamics::spline_rope::Build;
use lariat_core::geometry::Tension;
use lariat_scene::lower::{Lowered, Record};

use simulator::{Method, RopeSimulator, RopeState};
use start_pose::{StartPose, given_length};

use super::history::{Ended, RECORDS, Stopped};
use super::inputs::{HeldPoints, Inputs, ObstacleTracker};
use super::progress::{Progress, Simulated, Stepper};
use super::take::BodyTake;
use crate::bind::{Body, Work};
use crate::moment::BodyMoment;
use crate::number::Number;
use crate::scene::{Scene, World};
use crate::warning::{
    Overstretched, PinOutOfReach, PinsMeet, PoseMissed, StepTooLong, Warning, WarningKind,
};

/// Default number of control points; ropes that need more get more.
const LEAST: usize = 32;

/// The simulation of a body: inputs and progress.
#[derive(Debug)]
pub(crate) struct Dynamics {
    /// Index of the body in the scene.
    index: usize,
    /// Start time in seconds.
    start: f64,
    rate: f64,
    /// Properties that depend neither on the radius nor on the start pose.
    build: Build,
    method: Method,
    material: &'static Material,
    given: Given,
    start_pose: OnceLock<Arc<StartPose>>,
    inputs: Inputs,
    run: Run,
}

/// Numbers given by the document.
#[derive(Debug, Default)]
struct Given {
    control_points: Option<usize>,
    contact_points: Option<usize>,
    springs: Option<usize>,
    mass_per_metre: Option<f64>,
    stretch: Option<f64>,
    bend: Option<f64>,
    compression: Option<f64>,
    inner_friction: Option<f64>,
}

/// A running rope.
#[derive(Debug)]
pub(crate) struct ActiveRope {
    rope: RopeSimulator,
    up: DVec3,
    tensions: Vec<f64>,
    obstacles: ObstacleTracker,
}

type Run = Progress<BodyTake, ActiveRope>;

impl Dynamics {
    pub(crate) fn bind(body: &Record, lowered: &Lowered) -> Option<Self> {
        if !body.has("dynamics") {
            return None;
        }
        let record = body.record("dynamics").filter(|record| record.kind() == "spline-rope")?;
        let fixed = |name: &'static str| {
            Number::read(record, name).map(|number| number.at(0.0, &mut Vec::new()))
        };
        let count = |name: &str| record.integer(name).map(|count| count.max(0) as usize);
        let material = record.choice("material").and_then(Material::find)?;
        let mut build = Build::new(LEAST, material.at_radius(1.0));
        build.mass_along = record.along("mass-along").unwrap_or_default().to_vec();
        let number =
            |weight: &Record, name: &'static str| Number::of(weight, name).at(0.0, &mut Vec::new());
        let weight = |weight: &Record| (number(weight, "at"), number(weight, "mass"));
        build.weights = record.records("weights").iter().map(weight).collect();
        let shot = &lowered.shot;
        Some(Self {
            index: lowered.body_index(body.name())?,
            start: shot.seconds(fixed("start").unwrap_or(shot.first as f64)),
            rate: fixed("rate").unwrap_or(RECORDS),
            build,
            method: match record.choice("method") {
                Some("published") => Method::Published,
                _ => Method::Implicit,
            },
            material,
            given: Given {
                control_points: count("control-points").map(|count| count.max(4)),
                contact_points: count("contact-points"),
                springs: count("springs"),
                mass_per_metre: fixed("mass-per-metre"),
                stretch: fixed("stretch-stiffness"),
                bend: fixed("bend-stiffness"),
                compression: fixed("compression"),
                inner_friction: fixed("inner-friction"),
            },
            start_pose: OnceLock::new(),
            inputs: Inputs::bind(record, lowered),
            run: Run::default(),
        })
    }

    /// Whether it is simulated by the method of its paper.
    pub(crate) fn is_published(&self) -> bool {
        self.method == Method::Published
    }

    /// Place along the rope of one of its drawn points, 0–1.
    pub(crate) fn material_place(&self, sample: usize) -> Option<f64> {
        self.start_pose.get()?.places.get(sample).copied()
    }

    /// Index of the body in the scene.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// Poses the body from its simulation; returns false before its start.
    pub(crate) fn pose(
        &self,
        body: &Body,
        world: &World<'_>,
        work: &mut Work,
        out: &mut BodyMoment,
    ) -> bool {
        if world.t < self.start {
            return false;
        }
        let mut recorded = std::mem::take(&mut work.recorded);
        let (ended, needed, mass) = {
            let take = match world.waits {
                true => self.reach(world.scene, world.t),
                false => self.lock_take(),
            };
            take.at(world.t, &mut recorded);
            let ended = take.history.ended_by(world.t);
            (ended, take.needed, self.mass_per_metre(body))
        };
        if !world.waits && !self.is_prepared() {
            work.recorded = recorded;
            return false;
        }
        if recorded.positions.is_empty() || matches!(ended, Some(Ended::TooLarge { .. })) {
            // It could not even start.
            work.recorded = recorded;
            out.warnings.extend(ended.map(|ended| ended.warning(world.scene)));
            return false;
        }
        let pose = &mut work.pose;
        pose.points.clear();
        let places = &self.start_pose(body, world.scene).places;
        self.method.points(&recorded.positions, places, &mut pose.points);
        pose.warnings.clear();
        (pose.closed, pose.up, pose.slack) = (false, recorded.up, None);
        let weight = self.inputs.weight(world.t, mass);
        pose.tension = (weight > 0.0 && self.method == Method::Implicit).then(|| {
            let newtons = recorded.tensions.as_slice().into();
            Tension::Measured { newtons, weight_per_metre: weight }
        });
        work.recorded = recorded;
        let long = pose.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        body.dress(world, work, out);
        self.warn(body, world, ended.as_ref(), needed, long, out);
        true
    }

    /// Mass per metre, in kilograms.
    fn mass_per_metre(&self, body: &Body) -> f64 {
        let radius = body.looks.girth(self.start);
        self.given.mass_per_metre.unwrap_or(self.material.at_radius(radius).mass_per_metre)
    }

    fn warn(
        &self,
        body: &Body,
        world: &World<'_>,
        ended: Option<&Ended>,
        needed: Option<f64>,
        long: f64,
        out: &mut BodyMoment,
    ) {
        let warn = |kind: WarningKind, out: &mut BodyMoment| {
            out.warnings.push(Warning::new("dynamics", kind));
        };
        out.warnings.extend(ended.map(|ended| ended.warning(world.scene)));
        if let Some(needed) = needed {
            warn(StepTooLong { rate: self.rate, needed }.into(), out);
        }
        let start_pose = self.start_pose(body, world.scene);
        let &StartPose { control_points, missed, tolerance, .. } = start_pose;
        // Warnings about the start pose are reported at the first visible frame.
        let shot = world.scene.shot();
        let seen = self.start.max(shot.seconds(shot.first as f64));
        if world.t < seen + shot.seconds(1.0) - shot.seconds(0.0) {
            out.warnings.extend_from_slice(&start_pose.warnings);
        }
        if missed > tolerance {
            warn(PoseMissed { missed, tolerance, control_points }.into(), out);
        }
        let mut holds = HeldPoints::new();
        let mut warnings = std::mem::take(&mut out.warnings);
        self.inputs.holds(body, world, &mut warnings, &mut holds);
        out.warnings = warnings;
        holds.retain(|pin| pin.on);
        holds.sort_by(|a, b| a.u.total_cmp(&b.u));
        let length = self.take(|take| take.length);
        let segment = length / (control_points - 3) as f64;
        let most = self.material.breaking_strain();
        let mut out_of_reach = false;
        for pair in holds.windows(2) {
            let apart = pair[0].target.distance(pair[1].target);
            let rope = (pair[1].u - pair[0].u) * length;
            if rope < 0.1 * segment && apart > rope + 0.01 * segment {
                let (first, second) = (pair[0].u, pair[1].u);
                warn(PinsMeet { first, second, apart }.into(), out);
            } else if length > 0.0 && apart > rope * (1.0 + most) {
                let (first, second) = (pair[0].u, pair[1].u);
                warn(PinOutOfReach { first, second, apart, rope, most }.into(), out);
                out_of_reach = true;
            }
        }
        if !out_of_reach && length > 0.0 && long > length * (1.0 + most) {
            warn(Overstretched { long, length, most }.into(), out);
        }
    }
}

impl Simulated for Dynamics {
    type Take = BodyTake;
    type Active = ActiveRope;

    fn progress(&self) -> &Run {
        &self.run
    }

    fn is_prepared(&self) -> bool {
        self.start_pose.get().is_some()
    }

    fn prepare_from(&self, was: &Self, until: f64) {
        if let (true, Some(pose)) = (until > self.start, was.start_pose.get()) {
            self.start_pose.get_or_init(|| pose.clone());
        }
    }

    fn start(&self) -> f64 {
        self.start
    }

    fn rate(&self) -> f64 {
        self.rate
    }

    fn blank(&self, take: &mut BodyTake, scene: &Scene) -> bool {
        let control_points = self.start_pose(&scene.bodies[self.index], scene).control_points;
        take.begin(self.start, self.rate / self.stride() as f64, control_points);
        true
    }

    fn start_or_resume(&self, stepper: &mut Stepper<ActiveRope>, scene: &Scene) -> bool {
        let (h, body) = (1.0 / self.rate, &scene.bodies[self.index]);
        let StartPose { points, up, control_points, warnings, finest, .. } =
            self.start_pose(body, scene);
        let (earlier, ..) = self.shape(self.start - h, body, scene, &mut stepper.work);
        let (_, laid) = self.lay(points, given_length(warnings), *control_points, *finest, body);
        let mut rope = match laid {
            Ok(rope) => rope,
            Err(error) => {
                let stopped = Stopped { time: self.start, why: error.clone() };
                self.lock_take().history.stopped = Some(stopped);
                return false;
            }
        };
        rope.throw(&earlier, h);
        let mut obstacles = ObstacleTracker::default();
        scene.at_time(self.index, self.start, &mut stepper.work, |world, _| {
            self.inputs.apply(&mut rope, body, world, &mut obstacles);
        });
        let needed = match rope.start(h) {
            Ok(needed) => needed,
            Err(why) => {
                self.lock_take().history.stopped = Some(Stopped { time: self.start, why });
                return false;
            }
        };
        let mut active = ActiveRope { rope, up: *up, tensions: Vec::new(), obstacles };
        let mut take = self.lock_take();
        let last = take.history.last_checkpoint().map(<[f64]>::to_vec);
        let last = last.and_then(|last| take.state_of(&last));
        let fits = |(state, _): &(RopeState, DVec3)| active.rope.accepts(state);
        if let Some((state, up)) = last.filter(fits) {
            take.history.rewind();
            stepper.steps = take.history.before_checkpoint() as u64 * self.stride();
            drop(take);
            // Restores the obstacles at the time when that state was recorded.
            let ActiveRope { rope, obstacles, .. } = &mut active;
            *obstacles = ObstacleTracker::default();
            rope.controls().obstacles.clear();
            scene.at_time(self.index, self.time(stepper.steps), &mut stepper.work, |world, _| {
                self.inputs.apply(rope, body, world, obstacles);
            });
            rope.set_state(state);
            active.up = up;
            stepper.active = Some(Box::new(active));
        } else {
            (take.length, take.needed) = (active.rope.length(), needed);
            take.begin(self.start, self.rate / self.stride() as f64, *control_points);
            stepper.steps = 0;
            stepper.active = Some(Box::new(active));
            self.record(&mut take, stepper, scene);
        }
        true
    }

    fn step(&self, stepper: &mut Stepper<ActiveRope>, scene: &Scene) -> Result<(), Stopped> {
        let Stepper { active: Some(active), work, steps } = stepper else { return Ok(()) };
        let ActiveRope { rope, up, obstacles, .. } = &mut **active;
        let (to, h, body) = (self.time(*steps + 1), 1.0 / self.rate, &scene.bodies[self.index]);
        scene.at_time(self.index, to, work, |world, _| {
            self.inputs.apply(rope, body, world, obstacles);
        });
        let (mass, length) = (rope.mass(), rope.length());
        let pulling = scene.pull_spring.as_ref();
        rope.set_spring(
            pulling.and_then(|pulling| pulling.spring(self.index, [to, h], mass, length)),
        );
        if let Err(diverged) = rope.step(h) {
            return Err(Stopped { time: to, why: cause(diverged, rope) });
        }
        *steps += 1;
        // The up vector is transported along with the start tangent, without rotating about it.
        let tangent = rope.start_tangent();
        *up = (*up - tangent * tangent.dot(*up)).normalize_or(*up);
        Ok(())
    }

    fn record(&self, take: &mut BodyTake, stepper: &mut Stepper<ActiveRope>, _: &Scene) {
        let Some(active) = &mut stepper.active else { return };
        let ActiveRope { rope, up, tensions, .. } = &mut **active;
        let last = (rope.control_points() - 1) as f64;
        tensions.clear();
        tensions.extend((0..rope.control_points()).map(|i| rope.tension(i as f64 / last)));
        let moved = (rope.positions(), rope.velocities());
        take.record(moved, |out| rope.checkpoint(out), tensions, *up);
    }
}

/// The cause of a divergence, without its time, which the rope counts from the start of its run.
fn cause(diverged: Diverged, rope: &mut RopeSimulator) -> String {
    let mass = rope.mass();
    let controls = rope.controls();
    let strongest = controls.forces.iter().map(|push| push.force.length()).fold(0.0, f64::max);
    let weight = controls.gravity.length() * mass;
    let pulled = if strongest > ABSURD * weight {
        format!("; a force of {strongest:.1e} N acts on its {mass:.3} kg")
    } else {
        String::new()
    };
    diverged.why() + &pulled
}

/// Ratio of a force to the weight of the rope above which it is named as the likely cause of a
/// divergence.
const ABSURD: f64 = 1e4;
