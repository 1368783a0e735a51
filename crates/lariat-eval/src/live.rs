//! A simulation that is pulled at one point while it runs.
//!
//! A [`LiveRun`] branches off a recording at a frame. Simulations that the pull affects continue from
//! copies of their recordings, cut at the checkpoint before that frame; all others are shared with the
//! scene, as is everything that is not simulated. The recordings of the scene stay as they are.
//!
//! ```
//! use lariat_eval::{Evaluator, LiveRun};
//! use lariat_scene::{Limits, format};
//!
//! let text = "lariat = 2\n[[body]]\nname = \"rope\"\nmodel = \"suspended-rope\"\nfrom = [0, 0, 2]\n\
//!             to = [1, 0, 2]\nlength = 1.2\ndynamics = { kind = \"spline-rope\" }\n";
//! let mut evaluator = Evaluator::new(format::read(text).unwrap().document, Limits::DEFAULT, 8);
//! evaluator.at(10.0);
//! let mut live = LiveRun::begin(&evaluator, 0, 0.5, 10.0)?;
//! let start = live.point();
//! // Up by 20 cm within two frames, then still; simulated in slices of five steps.
//! live.aim(2.0, start + glam::DVec3::Z * 0.2);
//! live.aim(10.0, start + glam::DVec3::Z * 0.2);
//! let mut steps = 0;
//! while !live.run(|| { steps += 1; steps % 5 > 0 }) {}
//! live.pose();
//! assert!(live.point().z > start.z + 0.15);
//! # Ok::<(), lariat_eval::LiveError>(())
//! ```
//!
//! Strings and spline ropes can be pulled, with our solvers. The published methods make explicit steps
//! that a spring on a single particle would upset, and solids have no strand to be held by.
//!
//! Tests: `crates/lariat-eval/tests/suite/live.rs`.

use std::sync::Arc;

use glam::DVec3;

use crate::cache::Evaluator;
use crate::moment::{BodyMoment, Moment};
use crate::scene::{Scene, Wanted};
use crate::simulate::{JobStatus, PullSpring, SimulationJob};

/// Reason why a simulation cannot be pulled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// The body is not simulated at this frame.
    #[error("`{name}` is not simulated at frame {frame}")]
    NotSimulated {
        /// Name of the body.
        name: String,
        /// The frame.
        frame: f64,
    },
    /// The simulation has not reached this frame.
    #[error("`{name}` is simulated up to frame {reached}; wait until it has reached frame {frame}")]
    NotRecorded {
        /// Name of the body.
        name: String,
        /// The frame that is reached.
        reached: f64,
        /// The frame.
        frame: f64,
    },
    /// The body is a solid.
    #[error(
        "`{name}` is a solid, which cannot be pulled while it moves; pull a string that holds it"
    )]
    Solid {
        /// Name of the body.
        name: String,
    },
    /// The method of the simulation is that of its paper.
    #[error(
        "`{name}` is simulated by its published method, which cannot be pulled while it moves; remove \
         `method = \"published\"`"
    )]
    Published {
        /// Name of the body.
        name: String,
    },
}

/// Share of a frame by which a record may be off a whole frame and is taken as that frame.
const ON_FRAME: f64 = 1e-6;

/// A simulation that is pulled at one point while it runs.
#[derive(Debug)]
pub struct LiveRun {
    scene: Arc<Scene>,
    body: usize,
    /// One body of each simulation that the pull affects.
    affected: Vec<usize>,
    /// Index of the point among those of the body's curve.
    sample: usize,
    /// Frame of the grab, and the frame up to which the path of the target is known.
    from: f64,
    aimed: f64,
    /// The last pose, and whether some bodies in it wait for their simulations.
    moment: Moment,
    waits: bool,
}

impl LiveRun {
    /// Takes hold of a point of a simulated body at a frame that is recorded. `along` is the place on
    /// its curve by sample index, 0–1; the nearest sample is held.
    pub fn begin(
        evaluator: &Evaluator,
        body: usize,
        along: f64,
        frame: f64,
    ) -> Result<Self, LiveError> {
        let scene = evaluator.scene();
        let name = || scene.body_name(body).to_owned();
        scene.can_be_pulled(body, frame)?;
        let reached = scene.simulation(body).map_or(frame, |simulation| simulation.to);
        if scene.pending(frame).is_some_and(|pending| pending[body]) {
            return Err(LiveError::NotRecorded { name: name(), reached, frame });
        }
        let mut moment = Moment::default();
        let waits = scene.pose_now(frame, &mut moment);
        let spine = moment.bodies[body].spine();
        let last = spine.len().saturating_sub(1);
        let sample = (along.clamp(0.0, 1.0) * last as f64).round() as usize;
        let Some(point) = spine.get(sample).copied().filter(|point| point.is_finite()) else {
            return Err(LiveError::NotSimulated { name: name(), frame });
        };
        let share = if last > 0 { sample as f64 / last as f64 } else { 0.0 };
        let u = scene.material_place(body, sample, share);
        let mut branch = evaluator.branch_scene(body, frame);
        branch.pull_spring = Some(PullSpring::new(body, u, scene.shot().seconds(frame), point));
        let scene = Arc::new(branch);
        let marked = scene.simulated_after(body);
        let groups = scene.simulated_groups().into_iter().flatten();
        let affected = groups.filter(|body| marked[*body]).collect();
        Ok(Self { scene, body, affected, sample, from: frame, aimed: frame, moment, waits })
    }

    /// Moves the target on: in a straight line to a point, which it reaches a number of frames after
    /// the last one.
    pub fn aim(&mut self, frames: f64, target: DVec3) {
        if frames > 0.0 && frames.is_finite() {
            self.aimed += frames;
            if let Some(spring) = &self.scene.pull_spring {
                spring.aim(self.scene.shot().seconds(self.aimed), target);
            }
        }
    }

    /// Lets time go on by a number of frames: without a pull before the first [`aim`](Self::aim), with a
    /// target that stays after it.
    pub fn wait(&mut self, frames: f64) {
        if frames > 0.0 && frames.is_finite() {
            self.aimed += frames;
            if let Some(spring) = &self.scene.pull_spring {
                spring.wait(self.scene.shot().seconds(self.aimed));
            }
        }
    }

    /// Simulates to the last record before the end of the path of the target, as long as `go_on` returns
    /// true; it is asked before every step. Returns true once that is reached.
    pub fn run(&mut self, go_on: impl FnMut() -> bool) -> bool {
        let job = SimulationJob::within(self.scene.clone(), self.aimed, &self.affected);
        job.is_none_or(|mut job| job.advance(go_on) != JobStatus::Running)
    }

    /// The frame of the grab.
    pub fn from(&self) -> f64 {
        self.from
    }

    /// The frame that is reached by all simulations that the pull affects. One that stopped early does
    /// not hold up the others, but the pull ends where that of the body stopped.
    pub fn reached(&self) -> f64 {
        let rate = self.scene.shot().rate;
        let stopped = |b: usize| self.scene.simulation(b).is_some_and(|run| run.stopped);
        let others = self.affected.iter().copied().filter(|b| !stopped(*b));
        let ends = std::iter::once(self.body).chain(others);
        let ends = ends.map(|b| rate.frame(self.scene.recorded_until(b)));
        let end = ends.fold(self.aimed, f64::min);
        // Times of records are rounded.
        let whole = end.round();
        let end = if (end - whole).abs() < ON_FRAME { whole } else { end };
        end.clamp(self.from, self.aimed)
    }

    /// Whether the frame of the grab is reached again, from the checkpoint before it.
    pub fn has_begun(&self) -> bool {
        let from = self.scene.shot().seconds(self.from);
        self.affected.iter().all(|body| self.scene.is_recorded(*body, from))
    }

    /// All bodies at the frame that is reached.
    pub fn pose(&mut self) -> &Moment {
        let frame = self.reached();
        if self.has_begun() && (self.waits || frame != self.moment.frame) {
            self.waits = self.scene.pose_now(frame, &mut self.moment);
        }
        &self.moment
    }

    /// All bodies at a frame that is reached.
    pub fn pose_at(&self, frame: f64) -> BodyMoment {
        if !self.has_begun() {
            // To pose it would make steps that the path of the target may still change.
            return self.moment.bodies[self.body].clone();
        }
        self.scene.evaluate_body(self.body, frame.clamp(self.from, self.reached()))
    }

    /// The last pose of all bodies.
    pub fn moment(&self) -> &Moment {
        &self.moment
    }

    /// The held point in the last pose.
    pub fn point(&self) -> DVec3 {
        self.point_of(&self.moment.bodies[self.body])
    }

    /// The held point at a frame that is reached.
    pub fn point_at(&self, frame: f64) -> DVec3 {
        self.point_of(&self.pose_at(frame))
    }

    fn point_of(&self, body: &BodyMoment) -> DVec3 {
        let spine = body.spine();
        spine.get(self.sample).or(spine.last()).copied().unwrap_or_default()
    }

    /// The target at the frame of the last pose.
    pub fn target(&self) -> DVec3 {
        let time = self.scene.shot().seconds(self.moment.frame);
        self.scene.pull_spring.as_ref().map_or_else(|| self.point(), |spring| spring.target(time))
    }

    /// Place of the held point along the body, 0–1: that of a pin there.
    pub fn place(&self) -> f64 {
        self.scene.pull_spring.as_ref().map_or(0.0, |spring| spring.u)
    }

    /// Name of the body.
    pub fn body_name(&self) -> &str {
        self.scene.body_name(self.body)
    }
}

impl Scene {
    /// Poses all bodies at a frame without waiting for simulations; returns whether some wait.
    fn pose_now(&self, frame: f64, moment: &mut Moment) -> bool {
        let pending = self.pending(frame);
        let wanted = |b: usize| match &pending {
            Some(pending) if pending[b] => Wanted::Provisionally,
            _ => Wanted::Yes,
        };
        moment.frame = frame;
        moment.bodies.resize_with(self.body_count(), BodyMoment::default);
        let wanted: Vec<Wanted> = (0..self.body_count()).map(wanted).collect();
        self.pose_wanted(moment, &wanted);
        pending.is_some()
    }
}
