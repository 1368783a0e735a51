//! The rope: its state in plain arrays, pins, forces and obstacles, and its step.
//!
//! The caller sets the positions of pins and obstacles at the end of the step, then calls
//! [`SplineRope::step`]. A step allocates only if there are more pins, forces or obstacles than ever
//! before. [`State`] is everything that a run remembers; cloned, it is a checkpoint.
//!
//! Tests: `pins_hold_to_rounding`, `a_checkpoint_continues_with_the_same_bits`, `no_rope_gives_nan`,
//! `a_weight_stretches_its_rope_by_hookes_law`, `bad_numbers_are_refused_with_their_reason`.

use glam::DVec3;

use super::basis::{Basis, Row};
use super::build::{Build, BuildError};
use super::contact::{self, Contact, Sample};
use super::crease::{self, Crease};
use super::drag::Drag;
use super::fit;
use super::fold_damping;
use super::mass::{bending, mass};
use super::nodes::{self, Node};
use super::pins::PinProjection;
use crate::dynamics::Diverged;
use crate::dynamics::air::Air;
use crate::dynamics::contact::Obstacle;
use crate::num::banded::Symmetric;
use crate::num::banded_blocks::{BlockFactor, BlockMatrix};
use crate::num::banded_points::PointFactor;

/// A point of the rope that is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pin {
    /// Place along the rope, 0–1.
    pub u: f64,
    /// Position at the end of the next step.
    pub target: DVec3,
    /// Whether the pin holds.
    pub on: bool,
}

impl Pin {
    /// A pin that holds.
    pub fn at(u: f64, target: DVec3) -> Self {
        Self { u, target, on: true }
    }
}

/// A force on a point of the rope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Force {
    /// Place along the rope, 0–1.
    pub u: f64,
    /// In newtons.
    pub force: DVec3,
}

/// A damped spring from a point of the rope to a moving target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Place along the rope, 0–1.
    pub u: f64,
    /// Position of its other end at the end of the next step.
    pub target: DVec3,
    /// Velocity of its other end, in m/s.
    pub velocity: DVec3,
    /// In newtons per metre.
    pub stiffness: f64,
    /// In newtons per m/s.
    pub damping: f64,
}

/// History that the next step can use, and so its formula; see `implicit.rs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Next {
    /// No history: two implicit Runge–Kutta stages, or backward Euler near an obstacle.
    #[default]
    First,
    /// The earlier state is not usable, because of an impact or because pins or the step length have
    /// changed: backward Euler.
    AfterImpact,
    /// The last two states are usable: second-order backward difference.
    Bdf2,
}

/// Everything that a run remembers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Control points, in metres.
    pub positions: Vec<DVec3>,
    /// Velocities of the control points, in m/s.
    pub velocities: Vec<DVec3>,
    /// Control points one step earlier.
    pub(super) positions_before: Vec<DVec3>,
    /// Velocities one step earlier.
    pub(super) velocities_before: Vec<DVec3>,
    /// Tensions at the nodes, in newtons.
    pub(super) tensions: Vec<f64>,
    /// Forces of the active pins, in newtons.
    pub(super) reactions: Vec<DVec3>,
    /// Places of the active pins along the rope, 0–1.
    pub(super) held_at: Vec<f64>,
    /// Normal forces of the obstacles in newtons, sample by sample.
    pub(super) pushes: Vec<f64>,
    pub(super) next: Next,
    /// Length of the last step in seconds; a change ends the history.
    pub(super) last_step: f64,
    /// Highest speed of a pin, an obstacle or the air so far, in m/s. Bounds the energy, together with
    /// `speed_from_forces`.
    pub(super) fastest_mover: f64,
    /// Speed that gravity and forces can have added so far, in m/s.
    pub(super) speed_from_forces: f64,
    /// Seconds since the start.
    pub time: f64,
    /// Steps since the start.
    pub(super) steps: u64,
}

impl State {
    /// Appends the state as numbers that [`State::from_numbers`] reads.
    pub fn to_numbers(&self, out: &mut Vec<f64>) {
        let next = match self.next {
            Next::First => 0.0,
            Next::AfterImpact => 1.0,
            Next::Bdf2 => 2.0,
        };
        let counts =
            [self.positions.len(), self.tensions.len(), self.reactions.len(), self.pushes.len()];
        out.extend(counts.map(|count| count as f64));
        out.extend([
            next,
            self.last_step,
            self.fastest_mover,
            self.speed_from_forces,
            self.time,
            self.steps as f64,
        ]);
        let rows =
            [&self.positions, &self.velocities, &self.positions_before, &self.velocities_before];
        for row in rows {
            out.extend(row.iter().flat_map(DVec3::to_array));
        }
        out.extend_from_slice(&self.tensions);
        out.extend(self.reactions.iter().flat_map(DVec3::to_array));
        out.extend_from_slice(&self.held_at);
        out.extend_from_slice(&self.pushes);
    }

    /// Normal forces of the obstacles in the last step, in newtons: all obstacles at the first contact
    /// point, then all at the next.
    pub fn pushes(&self) -> &[f64] {
        &self.pushes
    }

    /// Whether the state belongs to a rope with this number of control points.
    pub fn fits(&self, control_points: usize) -> bool {
        self.positions.len() == control_points && self.tensions.len() + 1 == control_points
    }

    /// Reads the numbers of [`State::to_numbers`]; `None` if they are not a state.
    pub fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let (head, mut rest) = numbers.split_at_checked(10)?;
        let count = |at: usize| (head[at] >= 0.0 && head[at] < 1e12).then_some(head[at] as usize);
        let (points, tensions, reactions) = (count(0)?, count(1)?, count(2)?);
        let pushes = count(3)?;
        if rest.len() != 12 * points + tensions + 4 * reactions + pushes {
            return None;
        }
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at(count);
            rest = left;
            taken
        };
        let vectors = |row: &[f64]| row.chunks_exact(3).map(DVec3::from_slice).collect::<Vec<_>>();
        Some(Self {
            next: match head[4] {
                0.0 => Next::First,
                1.0 => Next::AfterImpact,
                2.0 => Next::Bdf2,
                _ => return None,
            },
            last_step: head[5],
            fastest_mover: head[6],
            speed_from_forces: head[7],
            time: head[8],
            steps: head[9] as u64,
            positions: vectors(take(3 * points)),
            velocities: vectors(take(3 * points)),
            positions_before: vectors(take(3 * points)),
            velocities_before: vectors(take(3 * points)),
            tensions: take(tensions).to_vec(),
            reactions: vectors(take(3 * reactions)),
            held_at: take(reactions).to_vec(),
            pushes: take(pushes).to_vec(),
        })
    }
}

/// Statistics of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Number of substeps.
    pub substeps: u32,
    /// Number of Newton iterations, over all substeps.
    pub iterations: u32,
    /// Number of contacts at the end of the step.
    pub contacts: u32,
}

/// A rope that is moved by forces.
#[derive(Clone, Debug)]
pub struct SplineRope {
    /// Positions, velocities and history.
    pub state: State,
    /// Points that are held, each with its target at the end of the next step.
    pub pins: Vec<Pin>,
    /// Forces on points.
    pub forces: Vec<Force>,
    /// Springs that pull at points.
    pub springs: Vec<Spring>,
    /// Obstacles, each with its place at the start and the end of the next step.
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
    pub(super) basis: Basis,
    pub(super) build: Build,
    /// Length of the rope at rest, in metres.
    pub(super) length: f64,
    /// Length of a segment at rest, in metres.
    pub(super) segment: f64,
    /// Mass matrix.
    pub(super) mass: Symmetric<3>,
    /// Row sums of the mass matrix, `M 1`, in kilograms.
    pub(super) masses: Vec<f64>,
    /// Cholesky factor of the mass matrix.
    pub(super) factor: PointFactor<3>,
    /// Stiffness matrix of bending.
    pub(super) bending: Symmetric<3>,
    pub(super) nodes: Vec<Node>,
    /// Knots whose curvature is limited.
    pub(super) creases: Vec<Crease>,
    /// Second-derivative weights at the knots, where folds are damped.
    pub(super) folds: Vec<Row>,
    /// Points where drag acts.
    pub(super) drag_points: Vec<Node>,
    pub(super) samples: Vec<Sample>,
    pub(super) pin_projection: PinProjection,
    /// Weights of the active pins, in the order of `pins`.
    pub(super) pinned: Vec<Row>,
    /// Places along the rope for which `pinned` was computed, 0–1.
    pub(super) pinned_at: Vec<f64>,
    /// Targets of the active pins.
    pub(super) targets: Vec<DVec3>,
    /// Positions of the active pins at the beginning of the step.
    pub(super) pin_starts: Vec<DVec3>,
    /// State to restore if a step fails.
    saved: SavedState,
    pub(super) work: Workspace,
}

/// Parts of the state that a failed step leaves unchanged.
#[derive(Clone, Debug, Default)]
struct SavedState {
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    fastest_mover: f64,
    speed_from_forces: f64,
}

/// Memory of a step, kept between steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    /// Right-hand side of an iteration, then its solution: the changes of position.
    pub force: Vec<DVec3>,
    /// Forces that do not depend on the iteration.
    pub constant_force: Vec<DVec3>,
    /// `q̄`, combined earlier positions.
    pub bar: Vec<DVec3>,
    /// `v̄`, combined earlier velocities.
    pub bar_velocity: Vec<DVec3>,
    /// Positions of the current iteration.
    pub next: Vec<DVec3>,
    pub pin_forces: Vec<DVec3>,
    /// Springs: weights of the control points, and stiffness of the step in newtons per metre.
    pub sprung: Vec<(Row, f64)>,
    /// Obstacles over the whole of each step that is divided into substeps, outermost first.
    pub whole_obstacles: Vec<Obstacle>,
    /// Start and end of each pin over the same steps.
    pub pin_paths: Vec<(DVec3, DVec3)>,
    /// Samples that may touch an obstacle in this step.
    pub contacts: Vec<Contact>,
    /// Combined earlier strains at the nodes, to which damping refers.
    pub strain: Vec<f64>,
    /// Tensions and reactions at the beginning of the substep, in newtons.
    pub start_tensions: Vec<f64>,
    pub start_reactions: Vec<DVec3>,
    /// Compression at the nodes in newtons, which pushes a crooked rope sideways.
    pub compression: Vec<f64>,
    pub drag: Vec<Drag>,
    /// Damping of the fold at each knot in this step, over `tau`, in newtons per metre.
    pub fold_damping: Vec<f64>,
    /// Bits of `tau` and the viscosity for which `scalar_matrix` was assembled.
    pub assembled_for: Option<(u64, u64)>,
    /// Inertia and bending, the same for each coordinate.
    pub scalar_matrix: Symmetric<3>,
    /// The same as blocks.
    pub scalar_blocks: BlockMatrix,
    /// Part of the matrix that does not depend on the iteration.
    pub constant_matrix: BlockMatrix,
    /// Matrix of the current iteration.
    pub matrix: BlockMatrix,
    pub solver: BlockFactor,
}

/// Steps between two checks of the energy. Finiteness is checked after every step.
const CHECKED_EVERY: u64 = 8;

/// Relative stretch whose energy no rope exceeds: eleven times its length.
const LARGEST_STRETCH: f64 = 10.0;

impl SplineRope {
    /// A rope laid along sampled points, at rest.
    pub fn along(points: &[DVec3], build: &Build) -> Result<Self, BuildError> {
        build.check()?;
        let basis = Basis::new(build.control_points - 3);
        let (q, laid) = fit::along(basis, points);
        let length = build.length.unwrap_or(laid);
        if !(length > 0.0 && length.is_finite()) {
            return Err(BuildError::NoLength(length));
        }
        let segment = length / basis.segments() as f64;
        let mut nodes = nodes::nodes(basis, segment);
        let creases = crease::creases(basis, &build.section, segment, &q);
        if build.length.is_none() {
            // Unstretched at every node, even where the control points are too few for the curve.
            for node in &mut nodes {
                let laid = node.slope.of(&q).length();
                node.rest = laid.max(1e-3 * segment);
            }
        }
        let per_segment = build.section.mass_per_metre * segment;
        let mass = mass(basis, per_segment, &build.mass_along, &build.weights);
        let masses = mass.times(&vec![1.0; basis.len()]);
        let Ok(factor) = PointFactor::new(&mass) else {
            let value = build.section.mass_per_metre;
            return Err(BuildError::NotPositive { what: "mass per metre", value });
        };
        let mut stiffness = bending(basis);
        for row in &mut stiffness.rows {
            let scale = build.section.bend / (segment * segment * segment);
            row.diagonal *= scale;
            row.below.iter_mut().for_each(|entry| *entry *= scale);
        }
        let samples = contact::samples(basis, build.contact_points, &masses);
        let n = basis.len();
        let state = State {
            velocities: vec![DVec3::ZERO; n],
            positions_before: q.clone(),
            velocities_before: vec![DVec3::ZERO; n],
            positions: q,
            tensions: vec![0.0; nodes.len()],
            ..State::default()
        };
        let drag_points = nodes::drag_points(basis, segment);
        Ok(Self {
            state,
            pins: Vec::new(),
            forces: Vec::new(),
            springs: Vec::new(),
            obstacles: Vec::new(),
            gravity: DVec3::new(0.0, 0.0, -9.81),
            air: Air::default(),
            radius: 0.0,
            drag: 1.2,
            viscosity: 0.0,
            friction: 0.4,
            basis,
            build: build.clone(),
            length,
            segment,
            mass,
            masses,
            factor,
            bending: stiffness,
            nodes,
            creases,
            folds: fold_damping::rows(basis),
            drag_points,
            samples,
            pin_projection: PinProjection::default(),
            pinned: Vec::new(),
            pinned_at: Vec::new(),
            targets: Vec::new(),
            pin_starts: Vec::new(),
            saved: SavedState::default(),
            work: Workspace::default(),
        })
    }

    /// Largest distance from the points that the rope was laid along, in metres; more control points
    /// reduce it.
    pub fn fit_error(&self, points: &[DVec3]) -> f64 {
        let places = Self::places(points);
        let error = |(u, point): (f64, &DVec3)| self.point(u).distance(*point);
        places.into_iter().zip(points).map(error).fold(0.0, f64::max)
    }

    /// Places along the rope, 0–1, of the points that it is laid along.
    pub fn places(points: &[DVec3]) -> Vec<f64> {
        fit::places(points)
    }

    /// Sets velocities from the places where the same points were `seconds` ago.
    pub fn throw(&mut self, earlier: &[DVec3], seconds: f64) {
        let (q, _) = fit::along(self.basis, earlier);
        for ((v, now), then) in self.state.velocities.iter_mut().zip(&self.state.positions).zip(&q)
        {
            *v = (*now - *then) / seconds;
        }
        self.state.velocities_before.clone_from(&self.state.velocities);
    }

    /// Number of control points.
    pub fn control_points(&self) -> usize {
        self.basis.len()
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
        self.row(u).of(&self.state.positions)
    }

    /// Velocity of the point `u`, in m/s.
    pub fn velocity(&self, u: f64) -> DVec3 {
        self.row(u).of(&self.state.velocities)
    }

    /// Direction of the rope at `u`; zero where it has none.
    pub fn tangent(&self, u: f64) -> DVec3 {
        let [_, slope, _] = self.basis.rows(u * self.basis.segments() as f64);
        slope.of(&self.state.positions).normalize_or_zero()
    }

    /// Weights of the control points at `u`.
    pub fn row(&self, u: f64) -> Row {
        self.basis.at(u * self.basis.segments() as f64)
    }

    /// Tension at `u` in newtons; negative in compression.
    pub fn tension(&self, u: f64) -> f64 {
        let t = u.clamp(0.0, 1.0) * self.basis.segments() as f64;
        let after = self.nodes.partition_point(|node| node.t <= t).clamp(1, self.nodes.len() - 1);
        let (a, b) = (&self.nodes[after - 1], &self.nodes[after]);
        let tensions = &self.state.tensions;
        let share = ((t - a.t) / (b.t - a.t)).clamp(0.0, 1.0);
        tensions[after - 1] + share * (tensions[after] - tensions[after - 1])
    }

    /// Force of a pin on the rope in the last step, in newtons; zero if it is off.
    pub fn reaction(&self, pin: usize) -> DVec3 {
        let before = self.pins[..pin].iter().filter(|pin| pin.on).count();
        match self.pins[pin].on {
            true => self.state.reactions.get(before).copied().unwrap_or_default(),
            false => DVec3::ZERO,
        }
    }

    /// Advances the rope by `dt` seconds, to the targets of the pins and obstacles.
    ///
    /// On an error, positions and velocities are those before the step.
    pub fn step(&mut self, dt: f64) -> Result<StepReport, Diverged> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Ok(StepReport::default());
        }
        // A separate copy, because substeps overwrite `positions_before`.
        self.saved.positions.clone_from(&self.state.positions);
        self.saved.velocities.clone_from(&self.state.velocities);
        (self.saved.fastest_mover, self.saved.speed_from_forces) =
            (self.state.fastest_mover, self.state.speed_from_forces);
        self.update_pins();
        self.update_speed_bounds(dt);
        let report = self.implicit_step(dt);
        let checked = report.and_then(|report| self.check(dt).map(|()| report));
        match checked {
            Ok(report) => {
                self.state.time += dt;
                self.state.steps += 1;
                Ok(report)
            }
            Err(diverged) => {
                self.state.positions.clone_from(&self.saved.positions);
                self.state.velocities.clone_from(&self.saved.velocities);
                (self.state.fastest_mover, self.state.speed_from_forces) =
                    (self.saved.fastest_mover, self.saved.speed_from_forces);
                // Forces of the failed step may be NaN.
                self.state.tensions.fill(0.0);
                self.state.reactions.fill(DVec3::ZERO);
                self.state.pushes.fill(0.0);
                self.state.next = Next::First;
                Err(diverged)
            }
        }
    }

    /// Collects the active pins, and recomputes their weights and the projection if they have changed.
    fn update_pins(&mut self) {
        let segments = self.basis.segments() as f64;
        let (pins, state) = (&self.pins, &mut self.state);
        let on = || pins.iter().filter(|pin| pin.on);
        if !on().map(|pin| pin.u).eq(state.held_at.iter().copied()) {
            state.held_at.clear();
            state.held_at.extend(on().map(|pin| pin.u));
            state.reactions.clear();
            state.reactions.resize(state.held_at.len(), DVec3::ZERO);
            if state.next == Next::Bdf2 {
                state.next = Next::AfterImpact;
            }
        }
        if self.pinned_at != state.held_at {
            self.pinned_at.clone_from(&state.held_at);
            self.pinned.clear();
            self.pinned.extend(state.held_at.iter().map(|u| self.basis.at(u * segments)));
        }
        if !self.pin_projection.is_for(self.pinned.iter().copied()) {
            self.pin_projection.prepare(&self.factor, self.pinned.iter().copied());
        }
        self.targets.clear();
        self.targets.extend(on().map(|pin| pin.target));
        self.pin_starts.clear();
        self.pin_starts.extend(self.pinned.iter().map(|row| row.of(&state.positions)));
    }

    /// Updates the speeds by which pins, obstacles, air and forces may have moved the rope.
    fn update_speed_bounds(&mut self, dt: f64) {
        let mass = self.mass();
        let sprung: f64 = self.springs.iter().map(|spring| self.spring_force(spring)).sum();
        let state = &mut self.state;
        let q = &state.positions;
        let mut fastest = 4.0 * (self.air.wind.length() + self.air.turbulence);
        for (row, target) in self.pinned.iter().zip(&self.targets) {
            fastest = fastest.max(row.of(q).distance(*target) / dt);
        }
        for obstacle in self.obstacles.iter().filter(|o| o.before != o.now) {
            let far = q.iter().map(|q| obstacle.carried(*q).distance(*q)).fold(0.0, f64::max);
            fastest = fastest.max(far / dt);
        }
        if state.steps == 0 {
            let thrown = state.velocities.iter().map(|v| v.length_squared()).fold(0.0, f64::max);
            fastest = fastest.max(thrown.sqrt());
        }
        state.fastest_mover = state.fastest_mover.max(fastest);
        let force: f64 = self.forces.iter().map(|force| force.force.length()).sum();
        state.speed_from_forces += (self.gravity.length() + (force + sprung) / mass) * dt;
    }

    /// Largest force of a spring now, in newtons.
    fn spring_force(&self, spring: &Spring) -> f64 {
        let (row, state) = (self.row(spring.u), &self.state);
        let stretch = row.of(&state.positions).distance(spring.target);
        let speed = row.of(&state.velocities).distance(spring.velocity);
        spring.stiffness * stretch + spring.damping * speed
    }

    /// Checks that the state is finite and that its energy is within the bound.
    fn check(&self, dt: f64) -> Result<(), Diverged> {
        let time = self.state.time + dt;
        let sum: DVec3 = self.state.positions.iter().chain(&self.state.velocities).sum();
        if !sum.is_finite() {
            return Err(Diverged::NotFinite { time });
        }
        if !self.state.steps.is_multiple_of(CHECKED_EVERY) {
            return Ok(());
        }
        let energy = self.energy();
        let energy = energy.kinetic + energy.stretch + energy.bend;
        let bound = self.energy_bound();
        // False for NaN, too.
        let within = energy <= bound;
        if within { Ok(()) } else { Err(Diverged::Energy { time, energy, bound }) }
    }

    /// Generous upper bound of the energy, in joules: that of a rope stretched to eleven times its
    /// length, and a hundred times the energy that pins, obstacles, gravity, forces and wind can have
    /// supplied so far.
    fn energy_bound(&self) -> f64 {
        let mass = self.mass();
        let stretched =
            0.5 * self.build.section.stretch * self.length * LARGEST_STRETCH * LARGEST_STRETCH;
        let speed = self.state.fastest_mover + self.state.speed_from_forces;
        let fall = self.gravity.length() * self.length;
        stretched + 100.0 * mass * (speed * speed + fall)
    }
}
