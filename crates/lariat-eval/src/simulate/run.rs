//! The simulation of one spline rope.
//!
//! It starts at the shape that the model has at the start, as fast as the model moves there.
//!
//! Tests: `frames_in_any_order_are_the_same_bits`, `the_frame_rate_does_not_change_the_motion`,
//! `before_its_start_a_body_is_posed_and_then_let_go_as_fast_as_it_moves`,
//! `a_take_goes_on_where_it_was_cut_short_with_the_same_bits`,
//! `a_rope_starts_where_its_pose_was_however_wavy`.

mod start_pose;
#[cfg(test)]
mod tests;

use std::sync::{Mutex, OnceLock};

use glam::DVec3;
use lariat_core::dynamics::Diverged;
use lariat_core::dynamics::material::Material;
use lariat_core::dynamics::spline_rope::{
    Basis, Build, Elasticity, Ends, Hold, Method, SplineRope, State,
};
use lariat_core::geometry::Tension;
use lariat_scene::lower::{Lowered, Record};

use start_pose::{StartPose, given_length};

use super::history::{RECORDS, Stopped};
use super::inputs::{HeldPoints, Inputs, ObstacleTracker};
use super::progress::{Progress, Simulated};
use super::take::BodyTake;
use crate::bind::{Body, Work};
use crate::moment::BodyMoment;
use crate::number::Number;
use crate::scene::{Scene, World};
use crate::warning::{
    Overstretched, PinOutOfReach, PinsMeet, PoseMissed, StepTooLong, Warning, WarningKind,
};

/// Iterations of the local and global step, as the notes suggest.
const ROUNDS: usize = 10;

/// Control points of a rope that needs no more.
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
    material: &'static Material,
    given: Given,
    start_pose: OnceLock<StartPose>,
    inputs: Inputs,
    run: Mutex<Run>,
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
    rope: SplineRope,
    /// Substeps of each step, for methods that are stable only for short ones.
    parts: u32,
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
        let material = record.choice("made-of").and_then(Material::find)?;
        let mut build = Build::new(LEAST, material.at_radius(1.0));
        build.ends = match record.choice("knots") {
            Some("uniform") => Ends::Uniform,
            _ => Ends::Clamped,
        };
        build.method = match record.choice("method") {
            Some("local-global") => Method::LocalGlobal { rounds: ROUNDS },
            Some("semi-implicit") => Method::SemiImplicit,
            Some("explicit") => Method::Explicit,
            _ => Method::Implicit,
        };
        if record.choice("elasticity") == Some("springs") {
            build.elasticity = Elasticity::Springs { count: 0 };
        }
        if record.choice("hold-by") == Some("penalty") {
            build.hold = Hold::Penalty;
        }
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
            run: Mutex::default(),
        })
    }

    /// Poses the body from its simulation; not before it has started.
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
        let (stopped, needed, mass) = {
            let run = self.reach(world.scene, world.t);
            run.take.at(world.t, &mut recorded);
            let stopped = run.take.history.stopped_by(world.t).cloned();
            (stopped, run.take.needed, self.mass_per_metre(body))
        };
        if recorded.positions.is_empty() {
            // It could not even start.
            work.recorded = recorded;
            if let Some(stopped) = stopped {
                out.warnings.push(stopped.warning(world.scene));
            }
            return false;
        }
        let basis = Basis::new(recorded.positions.len() - 3, self.build.ends);
        let segments = basis.segments() as f64;
        let pose = &mut work.pose;
        pose.points.clear();
        let rows = self.start_pose(body, world.scene).places.iter().map(|u| basis.at(segments * u));
        pose.points.extend(rows.map(|row| row.of(&recorded.positions)));
        pose.warnings.clear();
        (pose.closed, pose.up, pose.slack) = (false, recorded.up, None);
        let weight = self.inputs.weight(world.t, mass);
        pose.tension = (weight > 0.0 && self.build.elasticity == Elasticity::Energy).then(|| {
            let newtons = recorded.tensions.as_slice().into();
            Tension::Measured { newtons, weight_per_metre: weight }
        });
        work.recorded = recorded;
        let long = pose.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        body.dress(world, work, out);
        self.warn(body, world, stopped.as_ref(), needed, long, out);
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
        stopped: Option<&Stopped>,
        needed: Option<f64>,
        long: f64,
        out: &mut BodyMoment,
    ) {
        let warn = |kind: WarningKind, out: &mut BodyMoment| {
            out.warnings.push(Warning::new("dynamics", kind));
        };
        if let Some(stopped) = stopped {
            out.warnings.push(stopped.warning(world.scene));
        }
        if let Some(needed) = needed {
            warn(StepTooLong { rate: self.rate, needed }.into(), out);
        }
        let start_pose = self.start_pose(body, world.scene);
        let &StartPose { control_points, missed, bearable, .. } = start_pose;
        // Warnings about the start pose are reported at the first visible frame.
        let shot = world.scene.shot();
        let seen = self.start.max(shot.seconds(shot.first as f64));
        if world.t < seen + shot.seconds(1.0) - shot.seconds(0.0) {
            out.warnings.extend_from_slice(&start_pose.warnings);
        }
        if missed > bearable {
            warn(PoseMissed { missed, bearable, control_points }.into(), out);
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

    fn progress(&self) -> &Mutex<Run> {
        &self.run
    }

    fn start(&self) -> f64 {
        self.start
    }

    fn rate(&self) -> f64 {
        self.rate
    }

    fn start_or_resume(&self, run: &mut Run, scene: &Scene) -> bool {
        let (h, body) = (1.0 / self.rate, &scene.bodies[self.index]);
        let StartPose { points, up, control_points, warnings, finest, .. } =
            self.start_pose(body, scene);
        let (earlier, ..) = self.shape(self.start - h, body, scene, &mut run.work);
        let (_, laid) = self.lay(points, given_length(warnings), *control_points, *finest, body);
        let mut rope = match laid {
            Ok(rope) => rope,
            Err(error) => {
                run.take.history.stopped =
                    Some(Stopped { time: self.start, why: error.to_string() });
                return false;
            }
        };
        rope.throw(&earlier, h);
        let mut obstacles = ObstacleTracker::default();
        scene.at_time(self.index, self.start, &mut run.work, |world, _| {
            self.inputs.tell(&mut rope, body, world, &mut obstacles);
        });
        let mut parts = 1;
        let mut needed = None;
        if let Some(longest) = rope.longest_step() {
            let asked = (h / longest).ceil();
            if asked > 1.0 {
                needed = Some(1.0 / longest);
            }
            if asked > MOST_PARTS {
                let why = if longest == 0.0 {
                    "explicit steps are stable only with `viscosity`, and it has none".to_owned()
                } else {
                    format!(
                        "its method takes steps of {longest:.1e} s at most, {asked:.0} for each of the {} a second",
                        self.rate
                    )
                };
                run.take.history.stopped = Some(Stopped { time: self.start, why });
                return false;
            }
            parts = asked.max(1.0) as u32;
        }
        let mut active = ActiveRope { rope, parts, up: *up, tensions: Vec::new(), obstacles };
        let last = run.take.history.checkpoints.last();
        let last = last.and_then(|last| run.take.state_of(last));
        let fits =
            |(state, _): &(State, DVec3)| state.positions.len() == active.rope.control_points();
        if let Some((state, up)) = last.filter(fits) {
            run.take.history.rewind();
            run.steps = run.take.history.before_checkpoint() as u64 * self.stride();
            // Obstacles are where, and which, they were when that state was recorded.
            let ActiveRope { rope, obstacles, .. } = &mut active;
            *obstacles = ObstacleTracker::default();
            rope.obstacles.clear();
            scene.at_time(self.index, self.time(run.steps), &mut run.work, |world, _| {
                self.inputs.tell(rope, body, world, obstacles);
            });
            rope.state = state;
            active.up = up;
            run.active = Some(Box::new(active));
        } else {
            let length = active.rope.length();
            run.take = BodyTake { length, needed, ..BodyTake::new(*control_points) };
            run.take.history.start = self.start;
            run.take.history.rate = self.rate / self.stride() as f64;
            run.steps = 0;
            run.active = Some(Box::new(active));
            self.record(run, scene);
        }
        true
    }

    fn step(&self, run: &mut Run, scene: &Scene) -> bool {
        let Run { active: Some(active), work, steps, .. } = run else { return false };
        let ActiveRope { rope, parts, up, obstacles, .. } = &mut **active;
        let (to, h, body) = (self.time(*steps + 1), 1.0 / self.rate, &scene.bodies[self.index]);
        let before: Vec<DVec3> = match *parts {
            1 => Vec::new(),
            _ => rope.pins.iter().map(|pin| pin.target).collect(),
        };
        scene.at_time(self.index, to, work, |world, _| {
            self.inputs.tell(rope, body, world, obstacles);
        });
        let mut made = Ok(());
        if *parts == 1 {
            made = rope.step(h).map(|_| ());
        } else {
            let after: Vec<DVec3> = rope.pins.iter().map(|pin| pin.target).collect();
            let solids = rope.obstacles.clone();
            for part in 1..=*parts {
                let share = f64::from(part) / f64::from(*parts);
                let from = f64::from(part - 1) / f64::from(*parts);
                for (obstacle, whole) in rope.obstacles.iter_mut().zip(&solids) {
                    *obstacle = whole.within(from, share);
                }
                for (pin, (a, b)) in rope.pins.iter_mut().zip(before.iter().zip(&after)) {
                    pin.target = a.lerp(*b, share);
                }
                made = rope.step(h / f64::from(*parts)).map(|_| ());
                if made.is_err() {
                    break;
                }
            }
            rope.obstacles = solids;
        }
        if let Err(diverged) = made {
            let why = cause(diverged, rope);
            run.take.history.stopped = Some(Stopped { time: to, why });
            return false;
        }
        *steps += 1;
        // The way up goes along with the start of the rope, turning only as that turns.
        let way = rope.tangent(0.0);
        *up = (*up - way * way.dot(*up)).normalize_or(*up);
        true
    }

    fn record(&self, run: &mut Run, _: &Scene) {
        let Some(active) = &mut run.active else { return };
        let ActiveRope { rope, up, tensions, .. } = &mut **active;
        let last = (rope.control_points() - 1) as f64;
        tensions.clear();
        tensions.extend((0..rope.control_points()).map(|i| rope.tension(i as f64 / last)));
        run.take.record(&rope.state, tensions, *up);
    }
}

/// The cause of a divergence without its time, which the rope counts from its own start.
fn cause(diverged: Diverged, rope: &SplineRope) -> String {
    let strongest = rope.forces.iter().map(|push| push.force.length()).fold(0.0, f64::max);
    let weight = rope.gravity.length() * rope.mass();
    let pulled = if strongest > ABSURD * weight {
        format!("; a force of {strongest:.1e} N pulls at its {:.3} kg", rope.mass())
    } else {
        String::new()
    };
    diverged.why() + &pulled
}

/// Ratio of a force to the weight of the rope above which it is named as the likely cause of a
/// divergence.
const ABSURD: f64 = 1e4;

/// Substeps of one step above which the run is refused: a minute of waiting for a second of rope.
const MOST_PARTS: f64 = 100_000.0;
