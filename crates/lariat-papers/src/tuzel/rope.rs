//! The published rope: its settings, its state, and the forces that act on it.
//!
//! Tuzel 2004, sections 2, 3 and 7. Pins and obstacles are set to their positions at the end of the
//! next step, then [`Rope::step`] is called. [`State`] is the complete state of a run.
//!
//! Tests: `a_checkpoint_continues_with_the_same_bits`, `bad_numbers_are_refused_with_their_reason`.

use glam::DVec3;
use lariat_core::dynamics::Diverged;
use lariat_core::dynamics::air::Air;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::material::Section;
use lariat_core::dynamics::spline_rope::{Force, Pin};
use lariat_core::num::banded::Symmetric;
use lariat_core::num::banded_points::PointFactor;
use thiserror::Error;

use super::basis::{Basis, Weights};
use super::fit;
use super::mass::{mass, shares};
use super::springs::Springs;

/// Integration rule for positions and velocities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Step {
    /// Euler's explicit rule, as published: positions advance with the old velocities. Stable only
    /// with damping.
    #[default]
    Explicit,
    /// Positions advance with the new velocities (T10).
    SemiImplicit,
}

/// Settings of a rope.
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    /// Number of control points, at least four.
    pub control_points: usize,
    /// Number of springs along the rope.
    pub springs: usize,
    /// Number of points that are kept out of obstacles.
    pub contact_points: usize,
    /// Mass, stretch stiffness and inner friction; a published rope resists neither bending nor
    /// compression.
    pub section: Section,
    /// Length at rest in metres; `None` for that of the curve it lies along.
    pub length: Option<f64>,
    /// Factors on the mass along the rope, `(u, factor)`.
    pub mass_along: Vec<(f64, f64)>,
    /// Weights tied to the rope, `(u, kilograms)`.
    pub weights: Vec<(f64, f64)>,
    /// Integration rule.
    pub step: Step,
}

impl Build {
    /// Section 7: 11 control points, 20 springs, 20 contact points, explicit steps.
    pub fn published(section: Section) -> Self {
        Self {
            control_points: 11,
            springs: 20,
            contact_points: 20,
            section,
            length: None,
            mass_along: Vec::new(),
            weights: Vec::new(),
            step: Step::Explicit,
        }
    }

    fn check(&self) -> Result<(), BuildError> {
        if self.control_points < 4 {
            return Err(BuildError::TooFewControlPoints(self.control_points));
        }
        let positive = [
            ("mass per metre", self.section.mass_per_metre),
            ("stretch stiffness", self.section.stretch),
            ("length", self.length.unwrap_or(1.0)),
            ("number of springs", self.springs as f64),
        ];
        let factors = self.mass_along.iter().map(|(_, factor)| ("mass along", *factor));
        for (what, value) in positive.into_iter().chain(factors) {
            if !(value > 0.0 && value.is_finite()) {
                return Err(BuildError::NotPositive { what, value });
            }
        }
        let friction = ("inner friction", self.section.inner_friction);
        let weights = self.weights.iter().map(|(_, kilograms)| ("weight", *kilograms));
        for (what, value) in std::iter::once(friction).chain(weights) {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(BuildError::Negative { what, value });
            }
        }
        Ok(())
    }
}

/// Reason why a rope cannot be built.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum BuildError {
    /// Fewer than four control points.
    #[error("{0} control points are too few for a cubic spline; use 4 or more")]
    TooFewControlPoints(usize),
    /// The curve has no length.
    #[error("a rope of {0} m cannot be simulated; give it a length above 0")]
    NoLength(f64),
    /// A number that must be positive is not.
    #[error("`{what}` is {value}; it must be above 0 and finite")]
    NotPositive {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number is negative.
    #[error("`{what}` is {value}; it must be 0 or more and finite")]
    Negative {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}

/// Complete state of a run; a clone is a checkpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Control points, in metres.
    pub positions: Vec<DVec3>,
    /// Velocities of the control points, in m/s.
    pub velocities: Vec<DVec3>,
    /// Targets of all pins in the last step.
    pub(super) targets: Vec<DVec3>,
    /// Highest speed of a pin, an obstacle or the air so far, in m/s.
    pub(super) fastest_mover: f64,
    /// Speed that gravity and forces can have added so far, in m/s.
    pub(super) driven: f64,
    /// Seconds since the start.
    pub time: f64,
    /// Steps since the start.
    pub(super) steps: u64,
}

impl State {
    /// Appends the state as numbers that [`State::from_numbers`] reads.
    pub fn to_numbers(&self, out: &mut Vec<f64>) {
        out.extend([self.positions.len() as f64, self.targets.len() as f64]);
        out.extend([self.fastest_mover, self.driven, self.time, self.steps as f64]);
        let points = self.positions.iter().chain(&self.velocities).chain(&self.targets);
        out.extend(points.flat_map(DVec3::to_array));
    }

    /// Reads the numbers of [`State::to_numbers`]; `None` if they are not a state.
    pub fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let (head, rest) = numbers.split_first_chunk::<6>()?;
        let [points, targets, fastest_mover, driven, time, steps] = *head;
        let count = |number: f64| (0.0..1e12).contains(&number).then_some(number as usize);
        let (points, targets) = (count(points)?, count(targets)?);
        if rest.len() != 3 * (2 * points + targets) {
            return None;
        }
        let mut vectors = rest.chunks_exact(3).map(DVec3::from_slice);
        Some(Self {
            positions: vectors.by_ref().take(points).collect(),
            velocities: vectors.by_ref().take(points).collect(),
            targets: vectors.collect(),
            fastest_mover,
            driven,
            time,
            steps: steps as u64,
        })
    }
}

/// Energy of a rope without gravity, in joules.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Energy of motion.
    pub kinetic: f64,
    /// Energy of the springs.
    pub stretch: f64,
}

/// A point of the rope with its share of the mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) u: f64,
    pub(super) at: Weights,
    /// Mass in kilograms.
    pub(super) mass: f64,
}

/// A rope that moves as published.
#[derive(Clone, Debug)]
pub struct Rope {
    /// Positions and velocities.
    pub state: State,
    /// Points that are held, each with its target at the end of the next step.
    pub pins: Vec<Pin>,
    /// Forces on points.
    pub forces: Vec<Force>,
    /// Obstacles at the start and the end of the next step.
    pub obstacles: Vec<Obstacle>,
    /// Gravity in m/s².
    pub gravity: DVec3,
    /// Air around the rope.
    pub air: Air,
    /// Half the thickness that the air acts on, in metres.
    pub radius: f64,
    /// Drag coefficient across the rope.
    pub drag: f64,
    /// Share of its speed that the rope loses per second: `c` of eq. 13.
    pub viscosity: f64,
    /// Friction coefficient of contact.
    pub friction: f64,
    pub(super) build: Build,
    pub(super) basis: Basis,
    pub(super) length: f64,
    pub(super) matrix: Symmetric<3>,
    pub(super) masses: Vec<f64>,
    pub(super) factor: PointFactor<3>,
    pub(super) springs: Springs,
    pub(super) contacts: Vec<Sample>,
    /// Two points of each segment where drag acts.
    pub(super) drag_points: Vec<Sample>,
    /// Forces of the pins in the last step, in newtons, in the order of `pins`.
    pub(super) reactions: Vec<DVec3>,
    pub(super) force: Vec<DVec3>,
}

/// Steps between two checks of the energy.
const CHECKED_EVERY: u64 = 8;
/// Relative stretch that bounds the elastic energy of a rope.
const LARGEST_STRETCH: f64 = 10.0;

impl Rope {
    /// A rope along sampled points, at rest.
    pub fn along(points: &[DVec3], build: &Build) -> Result<Self, BuildError> {
        build.check()?;
        let basis = Basis::new(build.control_points);
        let (q, laid) = fit::along(basis, points);
        let length = build.length.unwrap_or(laid);
        if !(length > 0.0 && length.is_finite()) {
            return Err(BuildError::NoLength(length));
        }
        let section = &build.section;
        let kilograms = section.mass_per_metre * length;
        let matrix = mass(basis, kilograms, &build.mass_along, &build.weights);
        let masses = matrix.times(&vec![1.0; basis.control_points()]);
        let Ok(factor) = PointFactor::new(&matrix) else {
            let value = section.mass_per_metre;
            return Err(BuildError::NotPositive { what: "mass per metre", value });
        };
        let elastic = (section.stretch, section.inner_friction);
        let springs = Springs::new(basis, build.springs, &q, build.length, elastic);
        let sampled = |places: Vec<f64>| -> Vec<Sample> {
            let weights: Vec<Weights> = places.iter().map(|u| basis.at(*u)).collect();
            let shares = shares(&weights, &masses);
            let samples = places.into_iter().zip(weights).zip(shares);
            samples.map(|((u, at), mass)| Sample { u, at, mass }).collect()
        };
        let last = (build.contact_points.max(2) - 1) as f64;
        let contacts = sampled((0..build.contact_points).map(|k| k as f64 / last).collect());
        let (segments, off) = (basis.segments() as f64, 0.5 / 3.0_f64.sqrt());
        let middles = (0..basis.segments()).map(|j| j as f64 + 0.5);
        let drag_points = middles.flat_map(|t| [(t - off) / segments, (t + off) / segments]);
        let drag_points = sampled(drag_points.collect());
        let velocities = vec![DVec3::ZERO; q.len()];
        Ok(Self {
            state: State { positions: q, velocities, ..State::default() },
            pins: Vec::new(),
            forces: Vec::new(),
            obstacles: Vec::new(),
            gravity: DVec3::new(0.0, 0.0, -9.81),
            air: Air::default(),
            radius: 0.0,
            drag: 1.2,
            viscosity: 0.0,
            friction: 0.4,
            build: build.clone(),
            basis,
            length,
            matrix,
            masses,
            factor,
            springs,
            contacts,
            drag_points,
            reactions: Vec::new(),
            force: Vec::new(),
        })
    }

    /// Sets velocities from the positions of the same points `seconds` ago.
    pub fn throw(&mut self, earlier: &[DVec3], seconds: f64) {
        let (before, _) = fit::along(self.basis, earlier);
        let moved = self.state.positions.iter().zip(before);
        self.state.velocities = moved.map(|(now, before)| (*now - before) / seconds).collect();
    }

    /// Splines of the rope.
    pub fn basis(&self) -> Basis {
        self.basis
    }

    /// Length at rest, in metres.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Mass in kilograms, weights included.
    pub fn mass(&self) -> f64 {
        self.masses.iter().sum()
    }

    /// Position of the point `u`, 0–1.
    pub fn point(&self, u: f64) -> DVec3 {
        self.basis.at(u).of(&self.state.positions)
    }

    /// Velocity of the point `u`, in m/s.
    pub fn velocity(&self, u: f64) -> DVec3 {
        self.basis.at(u).of(&self.state.velocities)
    }

    /// Direction of the rope at `u`; zero where it has none.
    pub fn tangent(&self, u: f64) -> DVec3 {
        self.basis.slope(u).of(&self.state.positions).normalize_or_zero()
    }

    /// Force of a pin on the rope in the last step, in newtons; zero if it was off.
    pub fn reaction(&self, pin: usize) -> DVec3 {
        self.reactions.get(pin).copied().unwrap_or_default()
    }

    /// Energy of motion and of the springs.
    pub fn energy(&self) -> Energy {
        let mut kinetic = 0.0;
        for axis in 0..3 {
            let column: Vec<f64> = self.state.velocities.iter().map(|v| v[axis]).collect();
            let momentum = self.matrix.times(&column);
            kinetic += 0.5 * column.iter().zip(momentum).map(|(v, p)| v * p).sum::<f64>();
        }
        Energy { kinetic, stretch: self.springs.energy(&self.state.positions) }
    }

    /// One step of `dt` seconds. A step that diverges leaves the rope as it was.
    pub fn step(&mut self, dt: f64) -> Result<(), Diverged> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Ok(());
        }
        let before = self.state.clone();
        if self.state.targets.len() != self.pins.len() {
            self.state.targets = self.pins.iter().map(|pin| pin.target).collect();
        }
        self.update_movers(dt);
        self.advance(dt);
        for (target, pin) in self.state.targets.iter_mut().zip(&self.pins) {
            *target = pin.target;
        }
        self.state.time += dt;
        self.state.steps += 1;
        let checked = self.check();
        if checked.is_err() {
            self.state = before;
            self.reactions.fill(DVec3::ZERO);
        }
        checked
    }

    /// Takes the current targets of the pins as their starting positions. Without it, pins stand
    /// still during the first step.
    pub fn start_pins(&mut self) {
        self.state.targets = self.pins.iter().map(|pin| pin.target).collect();
    }

    /// One step of `dt` seconds in `count` equal substeps, during which pins and obstacles move
    /// uniformly. If a substep diverges, the rope keeps its state at the start of that substep.
    pub fn substeps(&mut self, dt: f64, count: u32) -> Result<(), Diverged> {
        if count <= 1 {
            return self.step(dt);
        }
        let ends: Vec<DVec3> = self.pins.iter().map(|pin| pin.target).collect();
        let starts = match self.state.targets.len() == ends.len() {
            true => self.state.targets.clone(),
            false => ends.clone(),
        };
        let obstacles = self.obstacles.clone();
        let mut result = Ok(());
        for substep in 0..count {
            let [from, to] = [substep, substep + 1].map(|k| f64::from(k) / f64::from(count));
            for (pin, (start, end)) in self.pins.iter_mut().zip(starts.iter().zip(&ends)) {
                pin.target = start.lerp(*end, to);
            }
            for (obstacle, whole) in self.obstacles.iter_mut().zip(&obstacles) {
                *obstacle = whole.within(from, to);
            }
            result = self.step(dt / f64::from(count));
            if result.is_err() {
                break;
            }
        }
        for (pin, end) in self.pins.iter_mut().zip(ends) {
            pin.target = end;
        }
        self.obstacles = obstacles;
        result
    }

    /// Updates the largest speeds that pins, obstacles, air and forces can give the rope.
    fn update_movers(&mut self, dt: f64) {
        let mass = self.mass();
        let state = &mut self.state;
        let q = &state.positions;
        let mut fastest = 4.0 * (self.air.wind.length() + self.air.turbulence);
        for pin in self.pins.iter().filter(|pin| pin.on) {
            fastest = fastest.max(self.basis.at(pin.u).of(q).distance(pin.target) / dt);
        }
        for obstacle in self.obstacles.iter().filter(|o| o.before != o.now) {
            let far = q.iter().map(|q| obstacle.carried(*q).distance(*q)).fold(0.0, f64::max);
            fastest = fastest.max(far / dt);
        }
        if state.steps == 0 {
            let thrown = state.velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
            fastest = fastest.max(thrown);
        }
        state.fastest_mover = state.fastest_mover.max(fastest);
        let pulled: f64 = self.forces.iter().map(|force| force.force.length()).sum();
        state.driven += (self.gravity.length() + pulled / mass) * dt;
    }

    /// Rejects values that are not finite, and energy above the bound: that of an elevenfold
    /// length, plus a hundred times the energy that pins, obstacles, gravity, forces and air can
    /// supply.
    fn check(&self) -> Result<(), Diverged> {
        let state = &self.state;
        let sum: DVec3 = state.positions.iter().chain(&state.velocities).sum();
        if !sum.is_finite() {
            return Err(Diverged::NotFinite { time: state.time });
        }
        if !(state.steps - 1).is_multiple_of(CHECKED_EVERY) {
            return Ok(());
        }
        let Energy { kinetic, stretch } = self.energy();
        let energy = kinetic + stretch;
        let stretched =
            0.5 * self.build.section.stretch * self.length * LARGEST_STRETCH * LARGEST_STRETCH;
        let speed = state.fastest_mover + state.driven;
        let fall = self.gravity.length() * self.length;
        let bound = stretched + 100.0 * self.mass() * (speed * speed + fall);
        // This form rejects NaN too.
        let within = energy <= bound;
        if within { Ok(()) } else { Err(Diverged::Energy { time: state.time, energy, bound }) }
    }
}
