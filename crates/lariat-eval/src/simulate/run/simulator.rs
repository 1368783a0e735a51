//! The simulator that steps a rope: ours, or the one of the paper if the document asks for it.
//!
//! Everything else in this folder is the same for both. Neither simulator knows the other.
//!
//! Tests, in `tests/suite/dynamics.rs`: `a_published_rope_is_stepped_by_the_papers_simulator`,
//! `a_published_take_continues_with_the_same_bits`.

use glam::DVec3;
use lariat_core::dynamics::Diverged;
use lariat_core::dynamics::air::Air;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::spline_rope::{Basis, Build, Force, Pin, SplineRope, Spring, State};
use lariat_papers::tuzel;

use crate::simulate::pull_spring::PullSpringStep;

/// Substeps that one step may take before the run is refused: a minute of waiting for a second of rope.
const MOST_SUBSTEPS: f64 = 100_000.0;

/// Damping of published ropes relative to their fastest vibration, unless the document gives it.
const LIGHT_DAMPING: f64 = 0.2;

/// Marks the checkpoint of a published rope. A checkpoint of ours starts with a count.
const PUBLISHED: f64 = -1.0;

/// Method that a document asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::simulate) enum Method {
    Implicit,
    Published,
}

/// A rope and the simulator that steps it.
#[derive(Debug)]
pub(in crate::simulate) enum RopeSimulator {
    Implicit(Box<SplineRope>),
    Published { rope: Box<tuzel::Rope>, substeps: u32 },
}

/// State of a rope, by its simulator.
#[derive(Debug)]
pub(in crate::simulate) enum RopeState {
    Implicit(State),
    Published(tuzel::State),
}

/// Everything that acts on a rope in its next step.
pub(in crate::simulate) struct Controls<'a> {
    pub pins: &'a mut Vec<Pin>,
    pub forces: &'a mut Vec<Force>,
    pub obstacles: &'a mut Vec<Obstacle>,
    pub gravity: &'a mut DVec3,
    pub air: &'a mut Air,
    pub radius: &'a mut f64,
    pub drag: &'a mut f64,
    pub viscosity: &'a mut f64,
    pub friction: &'a mut f64,
}

impl Method {
    /// Appends the points at `places` (0–1) of the curve with these control points.
    pub(super) fn points(self, control_points: &[DVec3], places: &[f64], out: &mut Vec<DVec3>) {
        match self {
            Self::Implicit => {
                let basis = Basis::new(control_points.len() - 3);
                let segments = basis.segments() as f64;
                let point = |u: &f64| basis.at(segments * u).of(control_points);
                out.extend(places.iter().map(point));
            }
            Self::Published => {
                let basis = tuzel::Basis::new(control_points.len());
                out.extend(places.iter().map(|u| basis.at(*u).of(control_points)));
            }
        }
    }

    /// A rope along a curve. Published ropes have `springs`; unless `damping_given`, their inner
    /// friction is reduced in `build` to what explicit steps allow.
    pub(super) fn lay(
        self,
        points: &[DVec3],
        build: &mut Build,
        springs: usize,
        damping_given: bool,
    ) -> Result<RopeSimulator, String> {
        if self == Self::Implicit {
            let laid = SplineRope::along(points, build).map_err(|error| error.to_string())?;
            return Ok(RopeSimulator::Implicit(Box::new(laid)));
        }
        let mut published = tuzel::Build {
            control_points: build.control_points,
            springs,
            contact_points: build.contact_points,
            length: build.length,
            mass_along: build.mass_along.clone(),
            weights: build.weights.clone(),
            ..tuzel::Build::published(build.section)
        };
        let laid = |build: &tuzel::Build| {
            tuzel::Rope::along(points, build).map_err(|error| error.to_string())
        };
        let mut rope = laid(&published)?;
        let most = LIGHT_DAMPING / rope.fastest_squared().sqrt();
        if !damping_given && published.section.inner_friction > most {
            published.section.inner_friction = most;
            rope = laid(&published)?;
        }
        build.section.inner_friction = published.section.inner_friction;
        Ok(RopeSimulator::Published { rope: Box::new(rope), substeps: 1 })
    }
}

impl RopeSimulator {
    /// Everything that acts on the rope, to be set before a step.
    pub(in crate::simulate) fn controls(&mut self) -> Controls<'_> {
        match self {
            Self::Implicit(rope) => Controls {
                pins: &mut rope.pins,
                forces: &mut rope.forces,
                obstacles: &mut rope.obstacles,
                gravity: &mut rope.gravity,
                air: &mut rope.air,
                radius: &mut rope.radius,
                drag: &mut rope.drag,
                viscosity: &mut rope.viscosity,
                friction: &mut rope.friction,
            },
            Self::Published { rope, .. } => Controls {
                pins: &mut rope.pins,
                forces: &mut rope.forces,
                obstacles: &mut rope.obstacles,
                gravity: &mut rope.gravity,
                air: &mut rope.air,
                radius: &mut rope.radius,
                drag: &mut rope.drag,
                viscosity: &mut rope.viscosity,
                friction: &mut rope.friction,
            },
        }
    }

    /// Carries contact forces over to obstacles that have changed places: `were` has the former index
    /// of each. Published contact remembers nothing.
    pub(in crate::simulate) fn rearrange_pushes(&mut self, were: &[Option<usize>]) {
        if let Self::Implicit(rope) = self {
            rope.rearrange_pushes(were);
        }
    }

    /// Sets velocities from the places where the same points were `seconds` ago.
    pub(super) fn throw(&mut self, earlier: &[DVec3], seconds: f64) {
        match self {
            Self::Implicit(rope) => rope.throw(earlier, seconds),
            Self::Published { rope, .. } => rope.throw(earlier, seconds),
        }
    }

    /// Prepares for steps of `h` seconds, once the controls are set. Returns the steps per second that
    /// the method requires if these are more, or the reason why it cannot run.
    pub(super) fn start(&mut self, h: f64) -> Result<Option<f64>, String> {
        let Self::Published { rope, substeps } = self else { return Ok(None) };
        rope.start_pins();
        let longest = rope.longest_step();
        let needed = (h / longest).ceil();
        if needed > MOST_SUBSTEPS {
            return Err(if longest == 0.0 {
                "explicit steps are stable only with `viscosity`, and it has none".to_owned()
            } else {
                let rate = 1.0 / h;
                format!(
                    "its method takes steps of {longest:.1e} s at most, {needed:.0} for each of the {rate} a second"
                )
            });
        }
        *substeps = needed.max(1.0) as u32;
        Ok((needed > 1.0).then_some(1.0 / longest))
    }

    /// Sets the spring that pulls at the rope in the next step. Published ropes are not pulled.
    pub(super) fn set_spring(&mut self, spring: Option<PullSpringStep>) {
        if let Self::Implicit(rope) = self {
            rope.springs.clear();
            let spring =
                spring.map(|PullSpringStep { u, target, velocity, stiffness, damping }| Spring {
                    u,
                    target,
                    velocity,
                    stiffness,
                    damping,
                });
            rope.springs.extend(spring);
        }
    }

    /// One step of `h` seconds.
    pub(super) fn step(&mut self, h: f64) -> Result<(), Diverged> {
        match self {
            Self::Implicit(rope) => rope.step(h).map(|_| ()),
            Self::Published { rope, substeps } => rope.substeps(h, *substeps),
        }
    }

    pub(super) fn control_points(&self) -> usize {
        self.positions().len()
    }

    pub(super) fn positions(&self) -> &[DVec3] {
        match self {
            Self::Implicit(rope) => &rope.state.positions,
            Self::Published { rope, .. } => &rope.state.positions,
        }
    }

    pub(super) fn velocities(&self) -> &[DVec3] {
        match self {
            Self::Implicit(rope) => &rope.state.velocities,
            Self::Published { rope, .. } => &rope.state.velocities,
        }
    }

    /// Length at rest, in metres.
    pub(super) fn length(&self) -> f64 {
        match self {
            Self::Implicit(rope) => rope.length(),
            Self::Published { rope, .. } => rope.length(),
        }
    }

    /// Mass in kilograms.
    pub(super) fn mass(&self) -> f64 {
        match self {
            Self::Implicit(rope) => rope.mass(),
            Self::Published { rope, .. } => rope.mass(),
        }
    }

    /// Direction of the rope at its start.
    pub(super) fn start_tangent(&self) -> DVec3 {
        match self {
            Self::Implicit(rope) => rope.tangent(0.0),
            Self::Published { rope, .. } => rope.tangent(0.0),
        }
    }

    /// Tension at `u` in newtons; 0 for published ropes, whose springs do not measure it.
    pub(super) fn tension(&self, u: f64) -> f64 {
        match self {
            Self::Implicit(rope) => rope.tension(u),
            Self::Published { .. } => 0.0,
        }
    }

    /// Largest distance from the points that the rope was laid along, in metres.
    pub(super) fn misses(&self, points: &[DVec3]) -> f64 {
        match self {
            Self::Implicit(rope) => rope.fit_error(points),
            Self::Published { rope, .. } => {
                let places = SplineRope::places(points).into_iter().zip(points);
                places.map(|(u, point)| rope.point(u).distance(*point)).fold(0.0, f64::max)
            }
        }
    }

    /// Appends a checkpoint that [`RopeState::from_numbers`] reads.
    pub(super) fn checkpoint(&self, out: &mut Vec<f64>) {
        match self {
            Self::Implicit(rope) => rope.state.to_numbers(out),
            Self::Published { rope, .. } => {
                out.push(PUBLISHED);
                rope.state.to_numbers(out);
            }
        }
    }

    /// Whether a state is one of this simulator and this many control points.
    pub(super) fn accepts(&self, state: &RopeState) -> bool {
        let points = self.control_points();
        match (self, state) {
            (Self::Implicit(_), RopeState::Implicit(state)) => state.positions.len() == points,
            (Self::Published { .. }, RopeState::Published(state)) => {
                state.positions.len() == points
            }
            _ => false,
        }
    }

    /// Continues from a state that it accepts; others are ignored.
    pub(super) fn set_state(&mut self, state: RopeState) {
        match (self, state) {
            (Self::Implicit(rope), RopeState::Implicit(state)) => rope.state = state,
            (Self::Published { rope, .. }, RopeState::Published(state)) => rope.state = state,
            _ => {}
        }
    }
}

impl RopeState {
    /// Reads a checkpoint of a rope with this many control points; `None` if it is not one.
    pub(in crate::simulate) fn from_numbers(
        numbers: &[f64],
        control_points: usize,
    ) -> Option<Self> {
        if let Some((&PUBLISHED, rest)) = numbers.split_first() {
            let state = tuzel::State::from_numbers(rest)?;
            return (state.positions.len() == control_points).then_some(Self::Published(state));
        }
        let state = State::from_numbers(numbers).filter(|state| state.fits(control_points))?;
        Some(Self::Implicit(state))
    }
}
