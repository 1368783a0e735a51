//! Strings and their step.
//!
//! A caller sets where clamps and obstacles are at the end of a step and calls [`Strings::step`].
//! A step is divided into substeps of equal length, at most [`Settings::longest`]. In each of them
//!
//! ```text
//! near.rs       pairs of segments that may touch
//! group.rs      strings that touch each other are solved together
//!   chain.rs      prediction, coefficients of the time step
//!   obstacles.rs  contact with obstacles           }
//!   pairs.rs      contact between segments         } Newton's iteration
//!   band.rs       inertia, stretch, bending, twist }
//!   twist.rs      frames, spread of twist
//! wear.rs       yielding and tearing
//! ```
//!
//! A group whose iteration does not converge makes its substep in halves.
//!
//! Tests: `a_checkpoint_continues_with_the_same_bits`, `nothing_explodes`,
//! `a_step_allocates_nothing_after_the_first`.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::Diverged;
use lariat_core::dynamics::air::Air;
use lariat_core::dynamics::contact::Obstacle;

use super::super::batches::{Executor, Serial};
use super::super::build::{Build, BuildError};
use super::super::contact::Touch;
use super::super::controls::{Clamp, Force, Overrides, Torque};
use super::super::events::Event;
use super::super::spring::Spring;
use super::batches::{Batch, Lent, advance_single, batches};
use super::group::Shared;
use super::inputs::Inputs;
use super::near::{Motion, Near};
use super::pairs::Pair;
use super::parts::{Constants, Kind, Parts};
use super::state::{Span, State, Support};

/// Settings of steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Longest substep in seconds.
    pub longest: f64,
    /// Change of a segment's direction in the last iteration, squared and halved, at which a substep
    /// has converged: the stretch of a rigid segment that is left.
    pub tolerance: f64,
    /// Whether strings touch themselves and each other.
    pub contact: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { longest: 0.0125, tolerance: 1e-5, contact: true }
    }
}

/// Statistics of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepReport {
    /// Substeps.
    pub substeps: u32,
    /// Substeps that were made in halves.
    pub halvings: u32,
    /// Iterations of Newton's method, of all strings.
    pub iterations: u32,
    /// Pairs of segments that touch.
    pub touching: u32,
    /// Places that touch an obstacle.
    pub resting: u32,
    /// Segments and joints that tore.
    pub torn: u32,
}

/// Room for a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    pub inputs: Inputs,
    pub near: Near,
    pub likely: Vec<DVec3>,
    pub batches: Vec<Batch>,
    /// For each piece the first piece of its group, whether it is the only one, and the pieces in the
    /// order of their groups.
    pub leader: Vec<u32>,
    pub single: Vec<bool>,
    pub grouped: Vec<u32>,
    pub worst: Vec<(usize, usize, super::super::events::Cause)>,
    /// Whether a group has no finite solution in this step.
    pub diverged: bool,
    /// Pairs that touched in the last substep.
    pub touches: Vec<Touch>,
    /// Forces at obstacles when the substep begins.
    pub supports: Vec<Support>,
}

/// Strings that move by forces.
#[derive(Clone, Debug)]
pub struct Strings {
    /// Positions, velocities and everything else that a run remembers.
    pub state: State,
    /// Held particles.
    pub clamps: Vec<Clamp>,
    /// Forces on particles.
    pub forces: Vec<Force>,
    /// Torques on segments.
    pub torques: Vec<Torque>,
    /// Obstacles; a string keeps its radius away from them, or the margin if that is more.
    pub obstacles: Vec<Obstacle>,
    /// In m/s².
    pub gravity: DVec3,
    /// The air around them.
    pub air: Air,
    /// Drag coefficient across a string.
    pub drag: f64,
    /// Share of speed that is lost per second.
    pub viscosity: f64,
    /// Share of spin that is lost per second.
    pub spin_viscosity: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Values of strings that replace the global ones, by string.
    pub overrides: Vec<Overrides>,
    /// Settings of steps.
    pub settings: Settings,
    /// Events of the last step.
    pub events: Vec<Event>,
    pub(super) kinds: Vec<Kind>,
    pub(super) parts: Parts,
    pub(super) work: Work,
    pub(super) springs: Vec<Spring>,
    kept: State,
}

impl Default for Strings {
    fn default() -> Self {
        Self {
            state: State::default(),
            clamps: Vec::new(),
            forces: Vec::new(),
            torques: Vec::new(),
            obstacles: Vec::new(),
            gravity: DVec3::new(0.0, 0.0, -9.81),
            air: Air::default(),
            drag: 1.2,
            viscosity: 0.0,
            spin_viscosity: 0.0,
            friction: 0.4,
            overrides: Vec::new(),
            settings: Settings::default(),
            events: Vec::new(),
            kinds: Vec::new(),
            parts: Parts::default(),
            work: Work::default(),
            springs: Vec::new(),
            kept: State::default(),
        }
    }
}

impl Strings {
    /// No strings.
    pub fn new() -> Self {
        Self::default()
    }

    /// One string.
    pub fn of(build: &Build) -> Result<Self, BuildError> {
        let mut strings = Self::new();
        strings.add(build)?;
        Ok(strings)
    }

    /// Number of strings that were added.
    pub fn strings(&self) -> usize {
        self.kinds.len()
    }

    /// The particle of a string nearest to the place `u` (0–1) along it, as it was built.
    ///
    /// # Panics
    ///
    /// If there is no such string.
    pub fn particle(&self, string: usize, u: f64) -> usize {
        let kind = &self.kinds[string];
        let lengths = &self.parts.length[kind.first..kind.first + kind.count - 1];
        kind.first + super::super::add::nearest(lengths, u)
    }

    /// Values of a string: its own, or the global ones.
    pub fn overrides(&self, string: usize) -> Overrides {
        self.overrides.get(string).copied().unwrap_or(Overrides {
            friction: self.friction,
            viscosity: self.viscosity,
            drag: self.drag,
            touches: true,
        })
    }

    /// Mass of a particle in kilograms.
    pub fn mass(&self, particle: usize) -> f64 {
        self.parts.mass[particle]
    }

    /// Makes a particle heavier.
    pub fn add_mass(&mut self, particle: usize, kilograms: f64) {
        self.parts.mass[particle] += kilograms.max(0.0);
        self.parts.curves.clear();
    }

    /// Makes a segment harder to spin, in kg m².
    pub fn add_inertia(&mut self, segment: usize, inertia: f64) {
        self.parts.turned[segment] += inertia.max(0.0);
    }

    /// Half the thickness of a segment now: it keeps its volume.
    pub fn radius(&self, segment: usize) -> f64 {
        let length = self.segment_length(segment);
        let (radius, rest) = (self.parts.radius[segment], self.parts.length[segment]);
        if length > rest { radius * (rest / length).sqrt() } else { radius }
    }

    /// Length of a segment in metres.
    pub fn segment_length(&self, segment: usize) -> f64 {
        let x = &self.state.positions;
        x.get(segment + 1).map_or(0.0, |next| x[segment].distance(*next))
    }

    /// Tension over the cross-section at rest, in pascals.
    pub fn stress(&self, segment: usize) -> f64 {
        let radius = self.parts.radius[segment];
        self.state.tensions[segment] / (PI * radius * radius)
    }

    /// The piece that a particle belongs to.
    pub fn span_of(&self, particle: usize) -> Option<Span> {
        let spans = &self.state.spans;
        let at = spans.partition_point(|span| span.first <= particle).checked_sub(1)?;
        Some(spans[at]).filter(|span| particle < span.first + span.count)
    }

    /// The segment that a clamp at a particle turns: the one after it, or the last.
    pub fn segment_at(&self, particle: usize) -> Option<usize> {
        self.span_of(particle)?.segment_at(particle)
    }

    /// Torsional stiffness of a joint between the middles of its segments, in N m per radian.
    pub fn twist_stiffness(&self, joint: usize) -> f64 {
        self.parts.joint_twist(joint, [0.5; 2])
    }

    /// Twist of a joint beyond that at rest, in radians.
    pub fn twist_at(&self, joint: usize) -> f64 {
        self.state.twist(joint) - self.state.rest_twists[joint]
    }

    /// Adds a spring for the next step.
    pub fn pull(&mut self, spring: Spring) {
        self.springs.push(spring);
    }

    /// Pairs of segments that touched in the last substep of the last step.
    pub fn touches(&self) -> &[Touch] {
        &self.work.touches
    }

    /// The direction of a segment that its side belongs to.
    pub fn tangent(&self, segment: usize) -> DVec3 {
        self.state.tangents[segment]
    }

    /// Direction of the material side of a segment.
    pub fn material_side(&self, segment: usize) -> DVec3 {
        let state = &self.state;
        let (side, tangent) = (state.sides[segment], state.tangents[segment]);
        super::twist::material_side(side, tangent, state.angles[segment])
    }

    /// One step of `dt` seconds, at whose end clamps and obstacles are where they are set.
    pub fn step(&mut self, dt: f64) -> Result<StepReport, Diverged> {
        self.step_with(dt, &Serial)
    }

    /// One step on the threads of an executor: the same bits as by [`Strings::step`].
    pub fn step_with(&mut self, dt: f64, executor: &dyn Executor) -> Result<StepReport, Diverged> {
        self.events.clear();
        if !(dt > 0.0 && dt.is_finite()) || self.state.spans.is_empty() {
            return Ok(StepReport::default());
        }
        if self.state.steps == 0 {
            let energy = self.energy();
            self.state.supplied = energy.kinetic + energy.spin + energy.twist;
        }
        self.kept.copy_from(&self.state);
        self.take_inputs(dt);
        let mut report = StepReport::default();
        let substeps = (dt / self.settings.longest.max(1e-6) - 1e-9).ceil().max(1.0) as u32;
        for substep in 0..substeps {
            let share = |k: u32| f64::from(k) / f64::from(substeps);
            let ends = [share(substep), share(substep + 1)];
            self.substep(executor, dt, ends, &mut report);
            if self.work.near.crowded || self.work.diverged {
                break;
            }
        }
        self.springs.clear();
        self.keep_contacts(&mut report);
        let checked = match std::mem::take(&mut self.work.diverged) {
            true => Err(Diverged::NotFinite { time: self.state.time + dt }),
            false => self.check_energy(dt),
        };
        match checked {
            Ok(()) => {
                self.state.time += dt;
                self.state.steps += 1;
                Ok(report)
            }
            Err(diverged) => {
                self.take_back();
                Err(diverged)
            }
        }
    }

    /// Takes the last step back.
    pub fn take_back(&mut self) {
        if self.kept.particles() == self.state.particles() {
            self.state.copy_from(&self.kept);
            self.forget();
            self.events.clear();
        }
    }

    /// Forgets everything but the state, as after a change of it.
    pub fn forget(&mut self) {
        self.work.near.forget();
    }

    /// One substep, from one share of the step to another.
    fn substep(
        &mut self,
        executor: &dyn Executor,
        dt: f64,
        [from, until]: [f64; 2],
        report: &mut StepReport,
    ) {
        let h = dt * (until - from);
        let inputs = &mut self.work.inputs;
        inputs.obstacles.clear();
        inputs.obstacles.extend(self.obstacles.iter().map(|solid| solid.within(from, until)));
        self.find_pairs(h, until);
        if self.work.near.crowded {
            return;
        }
        self.group_pieces();
        let hands = executor.hands();
        let count = batches(hands, self.state.particles());
        let Work { inputs, near, batches, leader, grouped, single, supports, diverged, .. } =
            &mut self.work;
        if batches.len() < count {
            batches.resize_with(count, Batch::default);
        }
        let shared = Shared {
            constants: Constants {
                kinds: &self.kinds,
                parts: &self.parts,
                friction: &inputs.friction,
                torque: &inputs.torque,
                spin_viscosity: self.spin_viscosity,
            },
            inputs,
            gravity: self.gravity,
            air: &self.air,
            losses: (self.viscosity, self.drag),
            overrides: &self.overrides,
            obstacles: &self.obstacles,
            tolerance: self.settings.tolerance,
            leader,
            single,
            dt,
            from,
            until,
        };
        supports.clone_from(&self.state.supports);
        let (spans, rows) = self.state.rows();
        let lent = Lent { spans, piece: 0, base: 0, rows, pairs: &mut near.pairs, supports };
        advance_single(executor, &shared, lent, &mut batches[..count]);
        let (spans, rows) = self.state.rows();
        let mut lent = Lent { spans, piece: 0, base: 0, rows, pairs: &mut near.pairs, supports };
        let batch = &mut batches[0];
        for group in grouped.chunk_by(|a, b| leader[*a as usize] == leader[*b as usize]) {
            if group.len() > 1 {
                batch.group.pieces.clear();
                batch.group.pieces.extend(group.iter().map(|piece| *piece as usize));
                batch.diverged |= !batch.group.advance(&shared, &mut lent, &mut batch.report);
            }
        }
        self.state.supports.clear();
        for batch in batches {
            self.state.supports.append(&mut batch.group.supports);
            report.iterations += batch.report.iterations;
            report.halvings += batch.report.halvings;
            batch.report = StepReport::default();
            *diverged |= std::mem::take(&mut batch.diverged);
        }
        // Groups come in any order.
        self.state.supports.sort_unstable_by_key(Support::key);
        report.substeps += 1;
        self.wear(h, report);
    }

    /// Finds pairs of segments that may touch in a substep.
    fn find_pairs(&mut self, h: f64, until: f64) {
        let work = &mut self.work;
        if !self.settings.contact {
            work.near.forget();
            self.state.pair_forces.clear();
            return;
        }
        let state = &self.state;
        work.likely.clear();
        for span in &state.spans {
            let last = span.last_substep;
            let half = if span.first_order == 0 && last > 0.0 { 0.5 * h * h / last } else { 0.0 };
            let fall = if last > 0.0 { DVec3::ZERO } else { self.gravity * (0.5 * h * h) };
            work.likely.extend(span.particles().map(|i| {
                state.positions[i] + state.velocities[i] * h + state.gained[i] * half + fall
            }));
        }
        for hold in &work.inputs.holds {
            work.likely[hold.particle] = hold.from.lerp(hold.to, until);
        }
        let motion = Motion { from: &state.positions, to: &work.likely };
        work.near.look(&state.spans, &self.parts, &self.overrides, &motion, &state.pair_forces);
    }

    /// Puts pieces that may touch each other into groups.
    fn group_pieces(&mut self) {
        let Work { near, leader, single, grouped, likely, .. } = &mut self.work;
        let spans = &self.state.spans;
        leader.clear();
        leader.extend(0..spans.len() as u32);
        let piece_of = |i: u32| spans.partition_point(|span| span.first <= i as usize) as u32 - 1;
        let find = |leader: &[u32], mut piece: u32| {
            while leader[piece as usize] != piece {
                piece = leader[piece as usize];
            }
            piece
        };
        let x = &self.state.positions;
        for pair in &near.pairs {
            let [a, b] = pair.segments.map(piece_of);
            if a == b || !(pair.touches() || near_enough(pair.segments, x, likely, &self.parts)) {
                continue;
            }
            let (a, b) = (find(leader, a), find(leader, b));
            leader[a.max(b) as usize] = a.min(b);
        }
        for piece in 0..leader.len() {
            leader[piece] = find(leader, piece as u32);
        }
        single.clear();
        single.resize(leader.len(), true);
        for (piece, first) in leader.iter().enumerate() {
            if *first as usize != piece {
                (single[piece], single[*first as usize]) = (false, false);
            }
        }
        grouped.clear();
        grouped.extend(0..spans.len() as u32);
        grouped.sort_by_key(|piece| (leader[*piece as usize], *piece));
    }

    /// Keeps the forces of contacts in the state.
    fn keep_contacts(&mut self, report: &mut StepReport) {
        let state = &mut self.state;
        state.pair_forces.clear();
        let touching = self.work.near.pairs.iter().filter(|pair| pair.touches());
        state.pair_forces.extend(touching.map(Pair::force_of));
        report.touching = state.pair_forces.len() as u32;
        let touching = self.work.near.pairs.iter().filter(|pair| pair.touches());
        let touch = |pair: &Pair| Touch {
            segments: pair.segments.map(|i| i as usize),
            at: pair.at,
            way: pair.normal,
            push: pair.force.length(),
        };
        self.work.touches.clear();
        self.work.touches.extend(touching.map(touch));
        report.resting = state.supports.iter().filter(|support| support.push > 0.0).count() as u32;
    }
}

/// Whether two segments may touch in a substep.
fn near_enough(segments: [u32; 2], x: &[DVec3], likely: &[DVec3], parts: &Parts) -> bool {
    let [i, j] = segments.map(|i| i as usize);
    let mut pair = Pair::new(segments, DVec3::ZERO);
    let ends = |row: &[DVec3]| [row[i], row[i + 1], row[j], row[j + 1]];
    pair.is_within_reach(ends(x), ends(likely), parts)
}
