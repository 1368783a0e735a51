//! The rope: its state in plain arrays, what holds and pushes it, and its step.
//!
//! Whoever steps sets the places of pins and obstacles at the end of the step, and calls
//! [`SplineRope::step`]. Nothing is allocated there once pins, pushes and obstacles have been as
//! many before. [`State`] is all that a run remembers: cloned, it is a checkpoint.
//!
//! Tests: `pins_hold_to_rounding`, `a_checkpoint_goes_on_with_the_same_bits`, `no_rope_gives_nan`,
//! `a_weight_stretches_its_rope_by_hookes_law`, `bad_numbers_are_refused_with_what_is_wrong`.

use glam::DVec3;

use super::basis::{Basis, Row};
use super::breeze::Breeze;
use super::build::{Build, BuildError};
use super::crease::{self, Crease};
use super::fit;
use super::fold_damping;
use super::mass::{bending, mass};
use super::nodes::{self, Node};
use super::pins::Held;
use super::touch::{self, Meeting, Sample};
use crate::dynamics::Diverged;
use crate::dynamics::air::Air;
use crate::dynamics::contact::Obstacle;
use crate::num::banded::Symmetric;
use crate::num::banded_blocks::{BlockFactor, BlockMatrix};
use crate::num::banded_points::PointFactor;

/// A point of the rope that is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pin {
    /// Where along the rope, 0–1.
    pub u: f64,
    /// Where it is held at the end of the next step.
    pub target: DVec3,
    /// Whether it holds at all.
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
    /// Where along the rope, 0–1.
    pub u: f64,
    /// In newtons.
    pub force: DVec3,
}

/// How the next step is to be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Next {
    /// There is no history: by the midpoint.
    #[default]
    First,
    /// Something hit something: history is worth nothing.
    AfterImpact,
    /// By the two states before.
    Second,
}

/// Everything that a run remembers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The control points, in metres.
    pub positions: Vec<DVec3>,
    /// Their speeds, in m/s.
    pub velocities: Vec<DVec3>,
    /// The same a step ago.
    pub(super) positions_before: Vec<DVec3>,
    pub(super) velocities_before: Vec<DVec3>,
    /// Newtons at the nodes.
    pub(super) tensions: Vec<f64>,
    /// Newtons that pins hold with.
    pub(super) reactions: Vec<DVec3>,
    /// Which places those pins hold, 0–1.
    pub(super) held_at: Vec<f64>,
    /// Newtons that obstacles push with, sample by sample.
    pub(super) pushes: Vec<f64>,
    pub(super) next: Next,
    /// How long the last step was: a change ends history.
    pub(super) last_step: f64,
    /// The fastest that a hand, a solid or the air has moved it, in m/s; and how much faster forces
    /// can have made it. What energy is measured by.
    pub(super) hands: f64,
    pub(super) driven: f64,
    /// Seconds since the start.
    pub time: f64,
    /// Steps since the start.
    pub(super) steps: u64,
}

impl State {
    /// All of it as numbers, in an order that [`State::from_numbers`] reads.
    pub fn to_numbers(&self, out: &mut Vec<f64>) {
        let next = match self.next {
            Next::First => 0.0,
            Next::AfterImpact => 1.0,
            Next::Second => 2.0,
        };
        let counts =
            [self.positions.len(), self.tensions.len(), self.reactions.len(), self.pushes.len()];
        out.extend(counts.map(|count| count as f64));
        out.extend([next, self.last_step, self.hands, self.driven, self.time, self.steps as f64]);
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

    /// Newtons that obstacles pushed with in the last step: those of all obstacles at the first contact
    /// point, then at the next.
    pub fn pushes(&self) -> &[f64] {
        &self.pushes
    }

    /// Whether it is the state of a rope of so many control points.
    pub fn fits(&self, control_points: usize) -> bool {
        self.positions.len() == control_points && self.tensions.len() + 1 == control_points
    }

    /// What [`State::to_numbers`] wrote; nothing if it is something else.
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
                2.0 => Next::Second,
                _ => return None,
            },
            last_step: head[5],
            hands: head[6],
            driven: head[7],
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

/// What a step has to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// In how many parts it was made.
    pub parts: u32,
    /// How often a system was solved.
    pub solves: u32,
    /// How many places of the rope touch something.
    pub contacts: u32,
}

/// A rope that moves by forces.
#[derive(Clone, Debug)]
pub struct SplineRope {
    /// Where it is and how it moves.
    pub state: State,
    /// Points that are held.
    pub pins: Vec<Pin>,
    /// Forces on points.
    pub forces: Vec<Force>,
    /// What it is kept out of.
    pub obstacles: Vec<Obstacle>,
    /// In m/s².
    pub gravity: DVec3,
    /// The air around it.
    pub air: Air,
    /// Half its thickness, which the air feels, in metres.
    pub radius: f64,
    /// Drag coefficient across it.
    pub drag: f64,
    /// Share of its speed that it loses a second.
    pub viscosity: f64,
    /// Friction over push.
    pub friction: f64,
    pub(super) basis: Basis,
    pub(super) build: Build,
    /// Metres at rest, of all of it and of a segment.
    pub(super) length: f64,
    pub(super) segment: f64,
    pub(super) mass: Symmetric<3>,
    /// `M 1`: kilograms that each control point answers for.
    pub(super) masses: Vec<f64>,
    pub(super) factor: PointFactor<3>,
    /// Stiffness against bending.
    pub(super) bending: Symmetric<3>,
    pub(super) nodes: Vec<Node>,
    /// Where it is kept from being creased.
    pub(super) creases: Vec<Crease>,
    /// Second-derivative weights at the knots, where folds are damped.
    pub(super) folds: Vec<Row>,
    /// Where air pulls.
    pub(super) sails: Vec<Node>,
    pub(super) samples: Vec<Sample>,
    pub(super) held: Held,
    /// Pins that are on: their weights, in the order of `pins`, and the places they are for.
    pub(super) pinned: Vec<Row>,
    pub(super) pinned_at: Vec<f64>,
    pub(super) targets: Vec<DVec3>,
    /// Where hands that hold were when the step began.
    pub(super) came_from: Vec<DVec3>,
    /// What to go back to if a step cannot be made.
    kept: Kept,
    pub(super) work: Work,
}

/// What a step that cannot be made must not change.
#[derive(Clone, Debug, Default)]
struct Kept {
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    hands: f64,
    driven: f64,
}

/// Room for a step; nothing in it outlives one, but for what is worth keeping between.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    pub force: Vec<DVec3>,
    pub constant: Vec<DVec3>,
    pub bar: Vec<DVec3>,
    pub bar_speed: Vec<DVec3>,
    pub next: Vec<DVec3>,
    pub pulls: Vec<DVec3>,
    /// Obstacles of steps that are made in parts, as they are for the whole of it.
    pub solids: Vec<Obstacle>,
    /// Ways of pins through steps that are made in parts: from where to where.
    pub ways: Vec<(DVec3, DVec3)>,
    pub meetings: Vec<Meeting>,
    /// Strain at the nodes, as damping sees it.
    pub strain: Vec<f64>,
    /// Newtons of compression at the nodes, where crookedness pushes aside.
    pub compression: Vec<f64>,
    pub breeze: Vec<Breeze>,
    /// Damping of the fold at each knot in this step, over `tau`, in newtons per metre.
    pub fold_damping: Vec<f64>,
    /// Which step the constant matrices are for: its length, and the viscosity.
    pub made_for: Option<(u64, u64)>,
    pub even: Symmetric<3>,
    pub spread: BlockMatrix,
    pub base: BlockMatrix,
    pub matrix: BlockMatrix,
    pub solver: BlockFactor,
}

/// Every so many steps the energy is looked at; that all numbers are finite, at every one.
const LOOKED_AFTER: u64 = 8;

/// Stretch that a rope's energy is compared with: tenfold on top of itself.
const WILD_STRETCH: f64 = 10.0;

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
            // At rest as it lies, wherever control points are too few to follow the curve.
            for node in &mut nodes {
                let lies = node.slope.of(&q).length();
                node.rest = lies.max(1e-3 * segment);
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
        let samples = touch::samples(basis, build.contact_points, &masses);
        let n = basis.len();
        let state = State {
            velocities: vec![DVec3::ZERO; n],
            positions_before: q.clone(),
            velocities_before: vec![DVec3::ZERO; n],
            positions: q,
            tensions: vec![0.0; nodes.len()],
            ..State::default()
        };
        let sails = nodes::sails(basis, segment);
        Ok(Self {
            state,
            pins: Vec::new(),
            forces: Vec::new(),
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
            sails,
            samples,
            held: Held::default(),
            pinned: Vec::new(),
            pinned_at: Vec::new(),
            targets: Vec::new(),
            came_from: Vec::new(),
            kept: Kept::default(),
            work: Work::default(),
        })
    }

    /// How far it is from points that it was laid along, at most, in metres: more control points
    /// come nearer.
    pub fn misses(&self, points: &[DVec3]) -> f64 {
        let places = Self::places(points);
        let miss = |(u, point): (f64, &DVec3)| self.point(u).distance(*point);
        places.into_iter().zip(points).map(miss).fold(0.0, f64::max)
    }

    /// How far along a rope the points lie that it is laid along, 0–1.
    pub fn places(points: &[DVec3]) -> Vec<f64> {
        fit::places(points)
    }

    /// Lets it go as fast as it was: `earlier` is where the same points were `seconds` ago.
    pub fn throw(&mut self, earlier: &[DVec3], seconds: f64) {
        let (q, _) = fit::along(self.basis, earlier);
        for ((v, now), then) in self.state.velocities.iter_mut().zip(&self.state.positions).zip(&q)
        {
            *v = (*now - *then) / seconds;
        }
        self.state.velocities_before.clone_from(&self.state.velocities);
    }

    /// How many control points it has.
    pub fn control_points(&self) -> usize {
        self.basis.len()
    }

    /// Its splines.
    pub fn basis(&self) -> Basis {
        self.basis
    }

    /// Its length at rest, in metres.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Its mass in kilograms, weights included.
    pub fn mass(&self) -> f64 {
        self.masses.iter().sum()
    }

    /// Where the place `u` (0–1) of it is.
    pub fn point(&self, u: f64) -> DVec3 {
        self.row(u).of(&self.state.positions)
    }

    /// How the place `u` moves, in m/s.
    pub fn velocity(&self, u: f64) -> DVec3 {
        self.row(u).of(&self.state.velocities)
    }

    /// Which way it runs at the place `u`; nowhere where it is a point.
    pub fn tangent(&self, u: f64) -> DVec3 {
        let [_, slope, _] = self.basis.rows(u * self.basis.segments() as f64);
        slope.of(&self.state.positions).normalize_or_zero()
    }

    /// Weights of the control points at the place `u`.
    pub fn row(&self, u: f64) -> Row {
        self.basis.at(u * self.basis.segments() as f64)
    }

    /// How hard it is pulled at the place `u`, in newtons; below 0 where it is pushed together.
    pub fn tension(&self, u: f64) -> f64 {
        let t = u.clamp(0.0, 1.0) * self.basis.segments() as f64;
        let after = self.nodes.partition_point(|node| node.t <= t).clamp(1, self.nodes.len() - 1);
        let (a, b) = (&self.nodes[after - 1], &self.nodes[after]);
        let tensions = &self.state.tensions;
        let share = ((t - a.t) / (b.t - a.t)).clamp(0.0, 1.0);
        tensions[after - 1] + share * (tensions[after] - tensions[after - 1])
    }

    /// How hard each pin pulled in the last step, in newtons, in the order of `pins`; nothing for
    /// those that are off.
    pub fn reaction(&self, pin: usize) -> DVec3 {
        let before = self.pins[..pin].iter().filter(|pin| pin.on).count();
        match self.pins[pin].on {
            true => self.state.reactions.get(before).copied().unwrap_or_default(),
            false => DVec3::ZERO,
        }
    }

    /// One step of `dt` seconds: pins and obstacles are where they shall be at its end.
    pub fn step(&mut self, dt: f64) -> Result<StepReport, Diverged> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Ok(StepReport::default());
        }
        // The states before are of no use for that: a step may be made in parts.
        self.kept.positions.clone_from(&self.state.positions);
        self.kept.velocities.clone_from(&self.state.velocities);
        (self.kept.hands, self.kept.driven) = (self.state.hands, self.state.driven);
        self.take_hold();
        self.note_movers(dt);
        let report = self.implicit_step(dt);
        let checked = report.and_then(|report| self.look_after(dt).map(|()| report));
        match checked {
            Ok(report) => {
                self.state.time += dt;
                self.state.steps += 1;
                Ok(report)
            }
            Err(diverged) => {
                // The step was not made.
                self.state.positions.clone_from(&self.kept.positions);
                self.state.velocities.clone_from(&self.kept.velocities);
                (self.state.hands, self.state.driven) = (self.kept.hands, self.kept.driven);
                // What was found on the way may be no numbers.
                self.state.tensions.fill(0.0);
                self.state.reactions.fill(DVec3::ZERO);
                self.state.pushes.fill(0.0);
                self.state.next = Next::First;
                Err(diverged)
            }
        }
    }

    /// Finds out which pins hold, and makes ready for them if they are others than before.
    fn take_hold(&mut self) {
        let segments = self.basis.segments() as f64;
        let (pins, state) = (&self.pins, &mut self.state);
        let on = || pins.iter().filter(|pin| pin.on);
        if !on().map(|pin| pin.u).eq(state.held_at.iter().copied()) {
            state.held_at.clear();
            state.held_at.extend(on().map(|pin| pin.u));
            state.reactions.clear();
            state.reactions.resize(state.held_at.len(), DVec3::ZERO);
            if state.next == Next::Second {
                state.next = Next::AfterImpact;
            }
        }
        if self.pinned_at != state.held_at {
            self.pinned_at.clone_from(&state.held_at);
            self.pinned.clear();
            self.pinned.extend(state.held_at.iter().map(|u| self.basis.at(u * segments)));
        }
        if !self.held.is_for(self.pinned.iter().copied()) {
            self.held.prepare(&self.factor, self.pinned.iter().copied());
        }
        self.targets.clear();
        self.targets.extend(on().map(|pin| pin.target));
        self.came_from.clear();
        self.came_from.extend(self.pinned.iter().map(|row| row.of(&state.positions)));
    }

    /// Notes what may move it in this step.
    fn note_movers(&mut self, dt: f64) {
        let mass = self.mass();
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
        state.hands = state.hands.max(fastest);
        let pushed: f64 = self.forces.iter().map(|push| push.force.length()).sum();
        state.driven += (self.gravity.length() + pushed / mass) * dt;
    }

    /// Refuses what no rope would do.
    fn look_after(&self, dt: f64) -> Result<(), Diverged> {
        let time = self.state.time + dt;
        let sum: DVec3 = self.state.positions.iter().chain(&self.state.velocities).sum();
        if !sum.is_finite() {
            return Err(Diverged::NotFinite { time });
        }
        if !self.state.steps.is_multiple_of(LOOKED_AFTER) {
            return Ok(());
        }
        let energy = self.energy();
        let lively = energy.kinetic + energy.stretch + energy.bend;
        let bound = self.most_energy();
        // Asked this way round, NaN is refused too.
        let calm = lively <= bound;
        if calm { Ok(()) } else { Err(Diverged::Energy { time, energy: lively, bound }) }
    }

    /// Joules that it could have, generously: what stretching it elevenfold takes, and a hundred
    /// times what hands, solids, gravity, pushes and wind may have given it so far.
    fn most_energy(&self) -> f64 {
        let mass = self.mass();
        let stretched =
            0.5 * self.build.section.stretch * self.length * WILD_STRETCH * WILD_STRETCH;
        let speed = self.state.hands + self.state.driven;
        let fall = self.gravity.length() * self.length;
        stretched + 100.0 * mass * (speed * speed + fall)
    }
}
