//! A set of strings, and their step.
//!
//! Whoever steps sets where clamps and obstacles are at the end of the step and calls
//! [`Strings::step`]. Nothing is allocated there once clamps, contacts and events have been as many
//! before. [`State`] is all that a run remembers.
//!
//! A step is made in parts, as short as the fastest thing in it asks for; each part is a list of
//! stages, each in its own file.
//!
//! Tests: `a_checkpoint_goes_on_with_the_same_bits`, `nothing_explodes`,
//! `a_step_allocates_nothing_after_the_first`, `bad_numbers_are_refused_with_what_is_wrong`.

use std::f64::consts::PI;

use glam::DVec3;

use super::add::nearest;
use super::batches::{
    Batch, Built, Execution, Executor, Rows, Serial, Shaping, Shared, Stage, Twisting, Workspace,
};
use super::beam::Stiff;
use super::build::{Bend, Build, BuildError, Twist};
use super::controls::{Clamp, Force, Overrides, Settings, StepReport, Torque};
use super::drift::Chain;
use super::events::Event;
use super::match_shape::Regions;
use super::spring::{Sprung, sprung_forces};
use super::state::{Span, State};
use super::stretch::Stretch;
use super::twist::Turning;
use super::work::Work;
use lariat_core::dynamics::Diverged;
use lariat_core::dynamics::air::Air;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::material::Material;

/// What is the same for all segments of a string.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question with two answers")]
pub(super) struct Kind {
    pub material: Material,
    pub bend: Bend,
    /// `EI` of the thickest segment, in N m², and its radius.
    pub stiffness: f64,
    pub thickest: f64,
    /// Whether others are thinner.
    pub tapers: bool,
    pub mass_per_metre: f64,
    /// Joules of a string folded at every joint, at most.
    pub folded: f64,
    pub curved: bool,
    pub twist: Twist,
    pub tears: bool,
    pub pushes: bool,
    /// Metres from particle to particle, in the mean.
    pub spacing: f64,
    /// Newtons that would push a segment together altogether, if it is no rod.
    pub buckles: f64,
    pub stretches: bool,
    /// Whether it flicks back though it does not stretch.
    pub flicks: bool,
    pub calm: f64,
    /// First particle and number, as it was built.
    pub first: usize,
    pub count: usize,
}

/// What particles and segments are, as they were built.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// Kilograms of particles.
    pub mass: Vec<f64>,
    /// The share of it that is the string's own: viscosity slows nothing else.
    pub slowed: Vec<f64>,
    /// Of segments: metres.
    pub length: Vec<f64>,
    pub radius: Vec<f64>,
    /// Factors of strength and stiffness.
    pub strength: Vec<f64>,
    pub stiffness: Vec<f64>,
    /// Inertia about the axis, in kg m².
    pub inertia: Vec<f64>,
    /// Inertia of what turns with them but does not tilt with them, in kg m².
    pub turned: Vec<f64>,
    /// `GJ` of segments, in N m².
    pub torsion: Vec<f64>,
    /// Places at rest, for strings that are curved; arc length in `x` for the others.
    pub rest: Vec<DVec3>,
}

impl Kind {
    /// How it resists bending, where that is solved for.
    fn stiff(&self) -> Stiff {
        Stiff {
            bend: self.stiffness,
            friction: self.material.inner_friction,
            tapers: self.tapers.then_some(self.thickest),
        }
    }

    /// The stress-strain curve of a segment: of its length, radius and factor of stiffness as built, its
    /// length at rest now, and the pull at which it yields now; whether it flicks.
    pub(super) fn curve(
        &self,
        flicks: bool,
        [length, radius, stiff]: [f64; 3],
        rest: f64,
        yields: f64,
    ) -> Stretch {
        let strong = stiff * PI * radius * radius;
        // Give belongs to the length as built: what has yielded has not become softer.
        let soft = self.stretches || flicks;
        let give = if soft {
            length / (self.material.modulus * strong)
        } else if self.material.yield_stress < f64::INFINITY {
            KEPT * length / (self.material.yield_stress * strong)
        } else {
            0.0
        };
        // What flicks gathers up.
        let limp = if self.pushes && !flicks { 0.0 } else { 1.0 / self.buckles };
        Stretch {
            rest,
            give,
            knee: if self.tears { yields } else { f64::INFINITY },
            flow: if self.tears { length * self.material.flow() / strong } else { 0.0 },
            press: give + length * limp,
        }
    }
}

/// How much longer what keeps its length is at its yield point. More: it can be seen. None: its tension is
/// anything between two hands, and rounds do not find out where it yields.
pub(super) const KEPT: f64 = 1e-4;

/// The fewest particles that are worth a thread.
pub(super) const WORTH: usize = 256;

/// Strings that move by forces.
#[derive(Clone, Debug)]
pub struct Strings {
    /// Where they are and how they move.
    pub state: State,
    /// Particles that are held.
    pub clamps: Vec<Clamp>,
    /// Forces on particles.
    pub forces: Vec<Force>,
    /// Torques on segments.
    pub torques: Vec<Torque>,
    /// What they are kept out of; a particle keeps its radius away, or the margin if that is more.
    pub obstacles: Vec<Obstacle>,
    /// In m/s².
    pub gravity: DVec3,
    /// The air around them.
    pub air: Air,
    /// Drag coefficient across a string.
    pub drag: f64,
    /// Share of speed that is lost a second.
    pub viscosity: f64,
    /// Share of spin that is lost a second.
    pub spin_viscosity: f64,
    /// Friction over push.
    pub friction: f64,
    /// What each string does otherwise, in their order; those that have none do as all.
    pub overrides: Vec<Overrides>,
    /// How steps are made.
    pub settings: Settings,
    /// What happened in the last step.
    pub events: Vec<Event>,
    pub(super) kinds: Vec<Kind>,
    pub(super) parts: Parts,
    pub(super) work: Work,
    /// Particles that springs pull in the next step.
    pub(super) sprung: Vec<Sprung>,
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
            sprung: Vec::new(),
            kept: State::default(),
        }
    }
}

impl Strings {
    /// No strings yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One string.
    pub fn of(build: &Build) -> Result<Self, BuildError> {
        let mut strings = Self::new();
        strings.add(build)?;
        Ok(strings)
    }

    /// The particle of a string nearest to the place `u` (0–1) along it, as it was built.
    ///
    /// # Panics
    ///
    /// If there is no such string.
    pub fn particle(&self, string: usize, u: f64) -> usize {
        let kind = &self.kinds[string];
        kind.first + nearest(&self.parts.length[kind.first..kind.first + kind.count - 1], u)
    }

    /// How many strings were built.
    pub fn strings(&self) -> usize {
        self.kinds.len()
    }

    /// Whether a string stretches at all before it yields.
    pub fn stretches(&self, string: usize) -> bool {
        self.kinds[string].stretches && self.kinds[string].material.modulus.is_finite()
    }

    /// What a string does, of its own or as all.
    pub fn overrides(&self, string: usize) -> Overrides {
        self.overrides.get(string).copied().unwrap_or(Overrides {
            friction: self.friction,
            viscosity: self.viscosity,
            drag: self.drag,
            touches: true,
        })
    }

    /// Puts a particle where something takes it, with the speed of that; a hand may be as fast.
    pub fn carry(&mut self, particle: usize, place: DVec3, velocity: DVec3) {
        self.state.positions[particle] = place;
        self.state.velocities[particle] = velocity;
        self.state.hands = self.state.hands.max(velocity.length());
    }

    /// Half the thickness of a segment now: it keeps its volume.
    pub fn radius(&self, segment: usize) -> f64 {
        let length = self.segment_length(segment);
        let (r, rest) = (self.parts.radius[segment], self.parts.length[segment]);
        if length > rest { r * (rest / length).sqrt() } else { r }
    }

    /// Half the thickness at a particle now: that of the segment after it, or of the last of its piece.
    pub fn radius_at(&self, particle: usize) -> f64 {
        let segment = self.segment_at(particle);
        segment.map_or(self.parts.radius[particle], |segment| self.radius(segment))
    }

    /// How long a segment is, in metres.
    pub fn segment_length(&self, segment: usize) -> f64 {
        self.state
            .positions
            .get(segment + 1)
            .map_or(0.0, |next| self.state.positions[segment].distance(*next))
    }

    /// Pull over cross-section at rest, in pascals.
    pub fn stress(&self, segment: usize) -> f64 {
        let r = self.parts.radius[segment];
        self.state.tensions[segment] / (PI * r * r)
    }

    /// One step of `dt` seconds: clamps and obstacles are where they shall be at its end.
    pub fn step(&mut self, dt: f64) -> Result<StepReport, Diverged> {
        self.step_with(dt, &Serial)
    }

    /// One step, shared out to the threads of a executor: the same bits as by [`Strings::step`].
    pub fn step_with(&mut self, dt: f64, executor: &dyn Executor) -> Result<StepReport, Diverged> {
        self.events.clear();
        if !(dt > 0.0 && dt.is_finite()) || self.state.spans.is_empty() {
            return Ok(StepReport::default());
        }
        executor.begins(Stage::Update);
        if self.state.steps == 0 {
            // What it was thrown with, and how it was wound.
            let energy = self.energy();
            self.state.given = energy.kinetic + energy.spin + energy.twist;
        }
        let count = self.state.particles();
        let hands = executor.hands();
        let batches = if hands < 2 { 1 } else { (4 * hands).min(count / WORTH).max(1) };
        self.work.fit(count, batches);
        self.prepare_regions(dt);
        if self.kept.particles() == count {
            self.kept.spans.clone_from(&self.state.spans);
            self.kept.crossed.clone_from(&self.state.crossed);
            self.kept.pressed.clone_from(&self.state.pressed);
            self.kept.flicks.clone_from(&self.state.flicks);
            self.kept.held.clone_from(&self.state.held);
            (self.kept.time, self.kept.steps) = (self.state.time, self.state.steps);
            (self.kept.hands, self.kept.given) = (self.state.hands, self.state.given);
        } else {
            self.kept.copy_from(&self.state);
        }
        self.take_hold(dt);
        self.batch(executor, batches, 0.0).share_out(&|batch, s| {
            let range = batch.span(s).particles();
            batch.kept.copy_from(&batch.state, range);
            batch.set_out(s);
        });
        let mut report = StepReport::default();
        let (mut gone, mut parts) = (0.0, 0);
        while gone < 1.0 {
            let left = dt * (1.0 - gone);
            executor.begins(Stage::Contact);
            let most = self.settings.most_parts.saturating_sub(parts);
            let h = self.short_enough(Execution { executor, batches }, left, most);
            if self.work.contacts.crowded {
                break;
            }
            let until = if h >= left { 1.0 } else { gone + h / dt };
            self.work.odd = parts % 2 == 1;
            self.part([dt, h], [gone, until], executor, batches, &mut report);
            gone = until;
            parts += 1;
        }
        report.parts = parts;
        report.touching = self.gather_touches();
        for grip in &mut self.work.grips {
            *grip /= dt;
        }
        let checked = self.look_after(dt);
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

    /// Takes the last step back, as if it had not been made: right after it, before anything else has moved
    /// them; nothing if there was none.
    pub fn take_back(&mut self) {
        if self.kept.particles() == self.state.particles() {
            self.state.copy_from(&self.kept);
            self.forget();
            self.events.clear();
        }
    }

    /// Forgets what is known ahead, as after strings were changed or moved by others: which pairs are near,
    /// and how long parts may be.
    pub fn forget(&mut self) {
        self.work.regions.forget();
        self.work.contacts.forget();
        for scratch in &mut self.work.scratch {
            scratch.longest = f64::INFINITY;
        }
    }

    /// All strings as one batch, with room to be shared out.
    pub(super) fn batch<'a>(
        &'a mut self,
        executor: &'a dyn Executor,
        batches: usize,
        share: f64,
    ) -> Batch<'a> {
        let Work {
            light,
            goal,
            pressed,
            pull,
            stretch,
            rates,
            before,
            lengths,
            paces,
            touched,
            grips,
            leant,
            rub,
            turning,
            regions,
            contacts,
            solids,
            scratch,
            odd,
            ..
        } = &mut self.work;
        let Turning { held, rows } = turning;
        let Regions { rows: regions, widths, beams, .. } = regions;
        let all = Shared {
            kinds: &self.kinds,
            settings: self.settings,
            gravity: self.gravity,
            air: &self.air,
            drag: self.drag,
            viscosity: self.viscosity,
            spin_viscosity: self.spin_viscosity,
            overrides: &self.overrides,
            turned: held,
            share,
            odd: *odd,
            solids,
            widths,
            beams,
            tangled: &contacts.tangled,
            executor,
        };
        let (spans, state) = Rows::lend(&mut self.state);
        Batch {
            all,
            base: 0,
            number: 0,
            spans,
            state,
            kept: Rows::of(&mut self.kept),
            parts: Built::of(&mut self.parts),
            work: Workspace {
                light,
                goal,
                pressed,
                pull,
                stretch,
                rates,
                before,
                lengths,
                paces,
                touched,
                grips,
                leant,
                rub,
            },
            turning: Twisting::of(rows),
            regions: Shaping::of(regions),
            pairs: &mut contacts.pairs,
            scratch: &mut scratch[..batches],
        }
    }

    /// One part `h` of a step `dt`, from one share of it to another: the stages in their order.
    fn part(
        &mut self,
        [dt, h]: [f64; 2],
        [from, until]: [f64; 2],
        executor: &dyn Executor,
        batches: usize,
        report: &mut StepReport,
    ) {
        executor.begins(Stage::Update);
        self.prepare_regions(dt); //                   match_shape.rs   again if something tore
        self.hold(until); //                           strings.rs       clamps
        self.move_solids(from, until); //              contact/solids.rs
        self.press(h); //                              contact/press.rs what touched goes on pressing
        self.batch(executor, batches, until).share_out(&|batch, s| {
            let begins = |stage| batch.all.executor.begins(stage);
            begins(Stage::Update);
            batch.feel(s, h); //                         forces.rs        gravity, air, pushes
            batch.flick(s, h); //                        flick.rs         section 5.4
            begins(Stage::Twist);
            batch.begin_turning(s, h); //                twist.rs         spin that is carried round
            batch.draw_by_twist(s, h); //                twist.rs         eq. 6, where bending is solved for
            begins(Stage::Tension);
            batch.drift(s, h); //                        drift.rs         motion, length, tension
            begins(Stage::Twist);
            batch.twist(s, h); //                        frames.rs, twist.rs   eqs 1–7
            begins(Stage::Shape);
            batch.match_shapes(s, h); //                 match_shape.rs   section 3
            begins(Stage::Tension);
            batch.keep_lengths(s, h); //                 drift.rs
            begins(Stage::Contact);
            batch.touch(s, h); //                        contact/, section 6
            begins(Stage::Update);
            batch.wear(s, h); //                         plastic.rs, tear.rs   section 5
            batch.set_out(s);
        });
        executor.begins(Stage::Contact);
        let untangled = self.untangle(h); //           contact/
        executor.begins(Stage::Update);
        let torn = self.tear_worst(); //               tear.rs
        report.resting = untangled;
        for scratch in &mut self.work.scratch {
            report.solves += scratch.solves;
            report.resting += scratch.resting;
            (scratch.solves, scratch.resting) = (0, 0);
        }
        report.torn += torn;
    }

    /// Finds out what is held, and which way it goes.
    fn take_hold(&mut self, dt: f64) {
        let work = &mut self.work;
        work.light.copy_from_slice(&work.heft);
        work.ways.clear();
        work.grips.fill(DVec3::ZERO);
        work.pushed.fill(DVec3::ZERO);
        for push in self.forces.iter().copied().chain(sprung_forces(&self.sprung)) {
            if push.particle < work.pushed.len() && push.force.is_finite() {
                work.pushed[push.particle] += push.force / self.parts.mass[push.particle];
            }
        }
        for clamp in self.clamps.iter().filter(|clamp| clamp.on) {
            if clamp.particle >= self.state.particles() || !clamp.target.is_finite() {
                continue;
            }
            work.light[clamp.particle] = 0.0;
            let from = self.state.positions[clamp.particle];
            work.ways.push((clamp.particle, from, clamp.target));
            let speed = from.distance(clamp.target) / dt;
            self.state.hands = self.state.hands.max(speed);
        }
        self.let_go();
        self.prepare_regions(dt);
        self.take_turns();
        self.work.rub.resize(self.state.particles(), 0.0);
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            let friction = self.overrides(span.string).friction;
            self.work.rub[span.particles()].fill(friction);
        }
    }

    /// Where held particles are at the end of this part.
    fn hold(&mut self, until: f64) {
        for (particle, a, b) in &self.work.ways {
            self.work.goal[*particle] = if until < 1.0 { a.lerp(*b, until) } else { *b };
        }
    }

    /// How long the next part may be, of what is left.
    fn short_enough(&mut self, hands: Execution<'_>, left: f64, parts: u32) -> f64 {
        let mut longest = self.settings.longest.max(1e-6);
        for scratch in &mut self.work.scratch {
            longest = longest.min(scratch.longest);
            scratch.longest = f64::INFINITY;
        }
        longest = longest.min(self.longest_by_contact(hands, left, longest));
        let count = (left / longest).ceil().clamp(1.0, f64::from(parts.max(1)));
        left / count
    }

    /// Tells them that [`Strings::carry`] moved particles by so many metres at most since the last step:
    /// what was known to be apart is not as far any more.
    pub fn nudge(&mut self, far: f64) {
        if far > 0.0 {
            for pair in &mut self.work.contacts.pairs {
                pair.free -= 2.0 * far;
            }
        }
    }
}

impl Batch<'_> {
    /// How long the next part of a string may be, and whether all of it is numbers.
    fn set_out(&mut self, s: usize) {
        let span = self.span(s);
        let twist = self.longest_by_twist(s);
        let (narrow, longest) = self.longest_by_shape(s, twist);
        self.spans[s].narrow = narrow;
        let (state, range) = (&self.state, span.particles());
        let sum: DVec3 =
            state.positions[range.clone()].iter().chain(&state.velocities[range.clone()]).sum();
        let rows = [&state.angles, &state.spins, &state.tensions];
        let others: f64 = rows.iter().map(|row| row[range.clone()].iter().sum::<f64>()).sum();
        let scratch = &mut self.scratch[0];
        scratch.longest = scratch.longest.min(longest);
        scratch.finite &= sum.is_finite() && others.is_finite();
    }

    /// Moves a string on.
    fn drift(&mut self, s: usize, h: f64) {
        let span = self.span(s);
        let range = span.particles();
        self.work.before[range.clone()].copy_from_slice(&self.state.positions[range]);
        let mut hasty = span.hasty;
        self.lay_stretch(&span);
        let beam = self.is_beam(s);
        let effort = self.chain(&span, beam).advance(h, &mut hasty);
        self.spans[s].hasty = hasty;
        self.slow_down(&span, 0.5 * h); //             forces.rs
        self.scratch[0].solves += effort.solves;
    }

    /// Speeds along segments are taken out again, where stages after the drift have put some in.
    fn keep_lengths(&mut self, s: usize, h: f64) {
        let span = self.span(s);
        let kind = self.kind(&span);
        let stirred = !matches!(kind.bend, Bend::Limp) || kind.twist != Twist::Free;
        if stirred && span.count > 1 {
            self.chain(&span, false).keep_lengths(h);
            self.hold_lengths(&span);
        }
    }

    /// The stress-strain curves of a string's segments.
    pub(super) fn lay_stretch(&mut self, span: &Span) {
        let (kind, flicks) = (self.kind(span), span.flicks());
        for i in span.segments() {
            let built = [self.parts.length[i], self.parts.radius[i], self.parts.stiffness[i]];
            let rest = self.state.rests[i] - self.state.flicks[i].abs();
            self.work.stretch[i] = kind.curve(flicks, built, rest, self.state.yields[i]);
        }
    }

    /// A string as its drift sees it.
    pub(super) fn chain(&mut self, span: &Span, beam: bool) -> Chain<'_> {
        let kind = self.kind(span);
        let range = span.particles();
        Chain {
            x: &mut self.state.positions[range.clone()],
            v: &mut self.state.velocities[range.clone()],
            swing: &mut self.state.swings[range.clone()],
            tension: &mut self.state.tensions[range.clone()],
            light: &self.work.light[range.clone()],
            pull: &self.work.pull[range.clone()],
            stretch: &self.work.stretch[range.clone()],
            goal: &self.work.goal[range.clone()],
            rate: &mut self.work.rates[range.clone()],
            grips: &mut self.work.grips[range.clone()],
            leant: &mut self.work.leant[range.clone()],
            wrung: &self.turning.drawn[range.clone()],
            radius: &self.parts.radius[range],
            calm: kind.calm,
            friction: if beam { 0.0 } else { kind.stiffness * kind.material.inner_friction },
            stiff: beam.then(|| kind.stiff()),
            mass_per_metre: kind.mass_per_metre,
            tolerance: self.all.settings.tolerance,
            room: &mut self.scratch[0].room,
        }
    }
}
