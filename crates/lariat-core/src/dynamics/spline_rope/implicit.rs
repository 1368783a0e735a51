//! The default step: implicit, of second order, stable however long it is.
//!
//! The speeds at the end of a step follow from the places there by the second-order backward
//! difference, `v = (3q − 4q₀ + q₋₁)/2dt`, and so do accelerations from speeds (BDF2); forces are
//! those at the end. That damps waves of stretch, which no one sees, and hardly anything else: a
//! swing of a hundred steps loses some ten-thousandths of its height each time. Every such step looks
//! like Euler's backward one of length `τ = 2dt/3` from combined old places `q̄` and speeds `v̄`:
//! `M (q − q̄ − τ v̄)/τ² = F(q, (q − q̄)/τ)`. The first step is by the midpoint, which is that form
//! too, with half the step, and then as far again; after an impact Euler's own, because old speeds
//! would make things bounce.
//!
//! The equations are solved by Newton's method on 3 by 3 blocks in a band. A rope turns easily and
//! stretches hardly at all, and plain Newton mistakes a turn for a stretch: what a wrong guess pulls
//! with stiffens it sideways. So each node's tension is an unknown of its own, found along with the
//! places and eliminated on the spot (Magisano, Leonetti and Garcea 2017): the stiffness sideways is
//! that of the tension expected, not of the one that a guess would have. Two or three solves do.
//!
//! Pins pull with stiff springs and a force that is remembered and corrected at every solve, which is
//! all but exact; what is left, some billionths, is taken away by the mass (`pins.rs`).
//!
//! Pushed together, a rope resists by the share of its stiffness that its section tells; one of none, a
//! chain, until its links jam ([`Law`]). What pushes also pushes a little aside (`crooked.rs`), and no
//! fold is sharper than control points can draw (`crease.rs`).
//!
//! Contact is a stiff spring that pushes only; friction acts along the motion that it leaves, so it
//! stops and never reverses. Air pulls across the rope.
//!
//! If Newton's method does not settle, the step is made in halves.
//!
//! Tests: `free_fall_is_exact`, `halving_steps_changes_the_tip_to_second_order`,
//! `hanging_spline_rope_vs_catenary`, `hanging_modes_vs_bessel`,
//! `energy_falls_with_damping_and_is_bounded_without`.

use glam::{DMat3, DVec3};

use super::basis::Row;
use super::blocks::{self, along_and_across};
use super::breeze::SKIN;
use super::energy::times;
use super::nodes::Node;
use super::rope::{Next, SplineRope, StepReport, Work};
use super::touch;
use crate::dynamics::Diverged;
use crate::dynamics::contact::Obstacle;
use crate::dynamics::material::Section;

/// Solves a step may take before it is made in halves.
const MOST_SOLVES: u32 = 20;
/// How often a step may be halved. After that its answer is taken as it is, if it is finite: a hand
/// that jumps a metre between two steps has no better one.
const MOST_HALVINGS: u32 = 4;
/// A change this small, beside the length of the rope, is the last. Larger: pins and lengths are not
/// settled. Smaller: one more solve for nothing.
const SETTLED: f64 = 1e-6;
/// Tension that the last linearisation may miss because segments turn, relative to the largest in the
/// rope. Larger: ropes that hardly stretch tremble at rest.
const TENSION_SETTLED: f64 = 1e-3;
/// A change this small, beside a segment, will do where solves have run out: friction comes to rest
/// slowly, and nobody sees it.
const WILL_DO: f64 = 1e-3;
/// Stiffness of pins beside that of a segment of rope. The rest is done by their remembered force.
const PIN: f64 = 1e3;
/// Stiffness of contact beside a sample's mass over the square of the step, and beside a segment.
const CONTACT: f64 = 100.0;
const CONTACT_OF_SEGMENT: f64 = 0.2;
/// Speed below which friction holds rather than drags, in m/s: what rests creeps no faster.
const CREEP: f64 = 1e-4;

/// A slope shorter than this, beside that at rest, has no direction to pull in.
const SHORTEST: f64 = 1e-9;

/// Stage length of the two-stage start, relative to the step: `1 − 1/√2`, for which the method is of
/// second order and damps waves that it cannot resolve (Alexander 1977).
const STAGE: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;

/// Formula of one step.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// Two implicit stages, for a step without history.
    TwoStage,
    /// Backward Euler.
    Euler,
    /// Second-order backward difference (BDF2).
    Second,
}

impl SplineRope {
    pub(super) fn implicit_step(&mut self, dt: f64) -> Result<StepReport, Diverged> {
        let mut report = StepReport::default();
        // However often parts come in parts: room is made before it is needed.
        self.work.ways.reserve((MOST_HALVINGS as usize + 2) * self.pins.len());
        // What moves further than half an obstacle in one step may pass through it.
        let parts = self.parts_for_obstacles(dt);
        if parts == 1 {
            self.implicit_part(dt, 0, &mut report)?;
        } else {
            self.in_parts(parts, dt, 0, &mut report)?;
        }
        Ok(report)
    }

    fn parts_for_obstacles(&self, dt: f64) -> u32 {
        let thinnest = self.obstacles.iter().map(Obstacle::thinnest).fold(f64::INFINITY, f64::min);
        if thinnest == f64::INFINITY {
            return 1;
        }
        let fastest =
            self.state.velocities.iter().map(|v| v.length_squared()).fold(0.0, f64::max).sqrt();
        let carried = |obstacle: &Obstacle| {
            let far = |q: &DVec3| obstacle.carried(*q).distance(*q);
            self.state.positions.iter().map(far).fold(0.0, f64::max)
        };
        let moving = self.obstacles.iter().filter(|o| o.before != o.now);
        let carried = moving.map(carried).fold(0.0, f64::max);
        let parts = (fastest * dt + carried) / (0.5 * thinnest.max(f64::MIN_POSITIVE));
        (parts.ceil() as u32).clamp(1, 16)
    }

    /// The same step in several: pins and obstacles go there in a straight line.
    fn in_parts(
        &mut self,
        parts: u32,
        dt: f64,
        halvings: u32,
        report: &mut StepReport,
    ) -> Result<(), Diverged> {
        // Parts may come in parts themselves, so these ways lie on top of theirs.
        let below = self.work.ways.len();
        let ways = self.came_from.iter().zip(&self.targets);
        self.work.ways.extend(ways.map(|(from, to)| (*from, *to)));
        let solids = self.work.solids.len();
        let moving = self.obstacles.iter().any(|o| o.before != o.now);
        if moving {
            self.work.solids.extend(self.obstacles.iter().cloned());
        }
        let mut made = Ok(());
        for part in 1..=parts {
            let share = f64::from(part) / f64::from(parts);
            for (k, (from, to)) in self.work.ways[below..].iter().enumerate() {
                let here = if part == 1 { *from } else { self.targets[k] };
                self.came_from[k] = here;
                self.targets[k] = if part == parts { *to } else { *from + (*to - *from) * share };
            }
            if moving {
                let from = f64::from(part - 1) / f64::from(parts);
                for (obstacle, whole) in self.obstacles.iter_mut().zip(&self.work.solids[solids..])
                {
                    *obstacle = whole.within(from, share);
                }
            }
            made = self.implicit_part(dt / f64::from(parts), halvings, report);
            if made.is_err() {
                break;
            }
        }
        self.work.ways.truncate(below);
        for (obstacle, whole) in self.obstacles.iter_mut().zip(self.work.solids.drain(solids..)) {
            *obstacle = whole;
        }
        made
    }

    fn implicit_part(
        &mut self,
        dt: f64,
        halvings: u32,
        report: &mut StepReport,
    ) -> Result<(), Diverged> {
        if self.state.last_step != dt && self.state.next == Next::Second {
            self.state.next = Next::AfterImpact;
        }
        let mut work = std::mem::take(&mut self.work);
        let state = &self.state;
        touch::meetings(
            &self.samples,
            &self.obstacles,
            &state.positions,
            &state.velocities,
            dt,
            &state.pushes,
            &mut work.meetings,
        );
        let mut form = match self.state.next {
            Next::First if work.meetings.is_empty() => Form::TwoStage,
            Next::First | Next::AfterImpact => Form::Euler,
            Next::Second if self.about_to_hit(&work, dt) => Form::Euler,
            Next::Second => Form::Second,
        };
        let last_try = halvings == MOST_HALVINGS;
        let mut settled = self.solve_step(form, dt, last_try, &mut work, report);
        let mut hit = work.meetings.iter().any(|m| m.push > 0.0 && !self.touched(m));
        if settled && hit && form == Form::Second {
            form = Form::Euler;
            settled = self.solve_step(form, dt, last_try, &mut work, report);
            hit = true;
        }
        if !settled {
            self.work = work;
            if last_try {
                return Err(Diverged::NotFinite { time: self.state.time + dt });
            }
            self.state.next = Next::AfterImpact;
            return self.in_parts(2, dt, halvings + 1, report);
        }
        self.accept(form, dt, hit, &mut work);
        report.parts += 1;
        report.contacts = work.meetings.iter().filter(|m| m.push > 0.0).count() as u32;
        self.work = work;
        Ok(())
    }

    /// Whether a meeting's pair already touched in the last step.
    fn touched(&self, meeting: &touch::Meeting) -> bool {
        let pair = meeting.sample * self.obstacles.len() + meeting.obstacle;
        self.state.pushes.get(pair).is_some_and(|push| *push > 0.0)
    }

    /// Whether a place that is free now would be inside something after the step.
    fn about_to_hit(&self, work: &Work, dt: f64) -> bool {
        work.meetings.iter().any(|meeting| {
            !self.touched(meeting) && {
                let row = &self.samples[meeting.sample].row;
                let then = row.of(&self.state.positions) + row.of(&self.state.velocities) * dt;
                self.obstacles[meeting.obstacle].clearance(then).0 < 0.0
            }
        })
    }

    /// Takes the places found as the new ones.
    fn accept(&mut self, form: Form, dt: f64, hit: bool, work: &mut Work) {
        let state = &mut self.state;
        std::mem::swap(&mut state.positions_before, &mut state.positions);
        std::mem::swap(&mut state.velocities_before, &mut state.velocities);
        let tau = form.tau(dt);
        let (q, v) = (&mut state.positions, &mut state.velocities);
        for i in 0..q.len() {
            let speed = (work.next[i] - work.bar[i]) / tau;
            q[i] = work.next[i];
            v[i] = speed;
        }
        // What rounding and the last solve have left.
        self.held.meet(&self.targets, q);
        state.pushes.clear();
        state.pushes.resize(self.samples.len() * self.obstacles.len(), 0.0);
        for meeting in &work.meetings {
            state.pushes[meeting.sample * self.obstacles.len() + meeting.obstacle] = meeting.push;
        }
        state.last_step = dt;
        state.next = if hit { Next::AfterImpact } else { Next::Second };
    }

    /// Finds the positions at the end of the step; returns whether the iteration converged.
    fn solve_step(
        &mut self,
        form: Form,
        dt: f64,
        last_try: bool,
        work: &mut Work,
        report: &mut StepReport,
    ) -> bool {
        self.look_back(form, dt, work);
        let tau = form.tau(dt);
        if form != Form::TwoStage {
            return self.newton(tau, 1.0, last_try, work, report);
        }
        if !self.newton(tau, STAGE, last_try, work, report) {
            return false;
        }
        // The rest of the step goes on as the first stage has found it, then the second stage ends it.
        let rest = (1.0 - STAGE) / STAGE;
        for (strain, node) in work.strain.iter_mut().zip(&self.nodes) {
            *strain += (node.strain(&work.next) - *strain) * rest;
        }
        let old = self.state.positions.iter().zip(&self.state.velocities);
        let bars = work.bar.iter_mut().zip(&mut work.bar_speed);
        for ((next, (bar, bar_speed)), (q, v)) in work.next.iter_mut().zip(bars).zip(old) {
            let speed = (*next - *q) / tau;
            *bar = *q + (*next - *q) * rest;
            *bar_speed = *v + (speed - *v) * rest;
            *next = *bar + *bar_speed * tau;
        }
        self.newton(tau, 1.0, last_try, work, report)
    }

    /// Solves one implicit stage of length `tau` from the history in `work`; pins are on their way by
    /// `share` of the step then. Returns whether the iteration converged.
    fn newton(
        &mut self,
        tau: f64,
        share: f64,
        last_try: bool,
        work: &mut Work,
        report: &mut StepReport,
    ) -> bool {
        let law = Law::new(&self.build.section, tau);
        let pin = PIN * (law.stiff / self.segment + self.mass() / (tau * tau));
        self.make_base(tau, pin, work);
        self.start_compression(work);
        let mut last = f64::INFINITY;
        for _ in 0..MOST_SOLVES {
            report.solves += 1;
            work.matrix.copy(&work.base);
            // Forces that are linear in the places.
            times(&work.even, &work.next, &mut work.force);
            for (force, constant) in work.force.iter_mut().zip(&work.constant) {
                *force = *constant - *force;
            }
            for ((node, tension), strain) in
                self.nodes.iter().zip(&self.state.tensions).zip(&work.strain)
            {
                let slope = node.slope.of(&work.next);
                let long = slope.length().max(SHORTEST * node.rest);
                let way = slope / long;
                let (pull, stiffness) = law.pull(long / node.rest, *strain);
                let along = node.weight * stiffness / node.rest;
                let across = node.weight * tension.max(0.0) / long;
                let block = along_and_across(way, along, across);
                blocks::add(&mut work.matrix, &node.slope, &block);
                node.slope.add_to(&mut work.force, way * (-node.weight * pull));
            }
            self.push_aside(work);
            self.add_creases(work);
            self.damp_folds(work);
            for (node, breeze) in self.sails.iter().zip(&work.breeze) {
                let moved = node.value.of(&work.next) - node.value.of(&work.bar);
                node.value.add_to(&mut work.force, breeze.pull(moved / tau));
            }
            self.pull_pins(share, pin, work);
            for (row, pull) in self.pinned.iter().zip(&work.pulls) {
                row.add_to(&mut work.force, *pull);
            }
            self.add_touches(tau, work);
            if work.solver.solve(&work.matrix, &mut work.force).is_err() {
                return false;
            }
            let largest = work.force.iter().map(|c| c.length_squared()).fold(0.0, f64::max);
            let (mut tightest, mut missed) = (0.0_f64, 0.0_f64);
            for ((node, tension), strain) in
                self.nodes.iter().zip(&mut self.state.tensions).zip(&work.strain)
            {
                let slope = node.slope.of(&work.next);
                let change = node.slope.of(&work.force);
                let long = slope.length().max(SHORTEST * node.rest);
                let grown = slope.dot(change) / long;
                let (pull, stiffness) = law.pull((long + grown) / node.rest, *strain);
                *tension = pull;
                tightest = tightest.max(pull.abs());
                let turned = (change.length_squared() - grown * grown) / (2.0 * long * node.rest);
                missed = missed.max(stiffness * turned);
            }
            self.limit_compression(work);
            self.expect_touches(tau, &mut work.meetings, &work.force);
            for (next, change) in work.next.iter_mut().zip(&work.force) {
                *next += *change;
            }
            self.pull_pins(share, pin, work);
            self.state.reactions.clone_from(&work.pulls);
            last = largest.sqrt();
            if last < SETTLED * self.length && missed <= TENSION_SETTLED * tightest {
                return true;
            }
            if !last.is_finite() {
                return false;
            }
        }
        last_try || last < WILL_DO * self.segment
    }

    /// How hard pins pull at the places of now, into `work.pulls`.
    fn pull_pins(&self, share: f64, pin: f64, work: &mut Work) {
        work.pulls.clear();
        let ways = self.came_from.iter().zip(&self.targets);
        let pins = self.pinned.iter().zip(ways).zip(&self.state.reactions);
        for ((row, (from, target)), reaction) in pins {
            let to = if share == 1.0 { *target } else { *from + (*target - *from) * share };
            work.pulls.push(*reaction + (to - row.of(&work.next)) * pin);
        }
    }

    /// What the step starts from: `q̄`, `v̄`, a first guess, and strains as damping remembers them.
    fn look_back(&self, form: Form, dt: f64, work: &mut Work) {
        let (q, v) = (&self.state.positions, &self.state.velocities);
        let (q1, v1) = (&self.state.positions_before, &self.state.velocities_before);
        let combined = |(now, before): (&DVec3, &DVec3)| (*now * 4.0 - *before) / 3.0;
        work.bar.clear();
        work.bar_speed.clear();
        work.strain.clear();
        work.next.clear();
        if form == Form::Second {
            work.bar.extend(q.iter().zip(q1).map(combined));
            work.bar_speed.extend(v.iter().zip(v1).map(combined));
            let both = |n: &Node| (4.0 * n.strain(q) - n.strain(q1)) / 3.0;
            work.strain.extend(self.nodes.iter().map(both));
            let ahead = q.iter().zip(v.iter().zip(v1));
            work.next.extend(ahead.map(|(q, (v, v1))| *q + (*v * 1.5 - *v1 * 0.5) * dt));
        } else {
            work.bar.extend_from_slice(q);
            work.bar_speed.extend_from_slice(v);
            work.strain.extend(self.nodes.iter().map(|n| n.strain(q)));
            let tau = form.tau(dt);
            work.next.extend(q.iter().zip(v).map(|(q, v)| *q + *v * tau));
        }
    }

    /// The part of the matrix and of the forces that no solve changes.
    fn make_base(&self, tau: f64, pin: f64, work: &mut Work) {
        let friction = self.build.section.inner_friction / tau;
        let inertia = (1.0 + self.viscosity * tau) / (tau * tau);
        let made_for = (tau.to_bits(), self.viscosity.to_bits());
        if work.made_for != Some(made_for) {
            work.made_for = Some(made_for);
            work.even.reset(self.basis.len());
            let rows = work.even.rows.iter_mut().zip(self.mass.rows.iter().zip(&self.bending.rows));
            for (even, (mass, bend)) in rows {
                even.diagonal = inertia * mass.diagonal + (1.0 + friction) * bend.diagonal;
                for k in 0..3 {
                    even.below[k] = inertia * mass.below[k] + (1.0 + friction) * bend.below[k];
                }
            }
            blocks::spread(&work.even, &mut work.spread);
        }
        work.base.copy(&work.spread);
        // M ((1 + c τ) q̄/τ² + v̄/τ + g), and what friction in bending remembers.
        work.force.clear();
        let old = work.bar.iter().zip(&work.bar_speed);
        work.force.extend(old.map(|(q, v)| *q * inertia + *v / tau + self.gravity));
        times(&self.mass, &work.force, &mut work.constant);
        if friction != 0.0 && self.build.section.bend != 0.0 {
            times(&self.bending, &work.bar, &mut work.force);
            for (constant, bent) in work.constant.iter_mut().zip(&work.force) {
                *constant += *bent * friction;
            }
        }
        for push in &self.forces {
            self.row(push.u).add_to(&mut work.constant, push.force);
        }
        self.breezes(&mut work.breeze);
        for (node, breeze) in self.sails.iter().zip(&work.breeze) {
            let across = breeze.strength / tau;
            let block = along_and_across(breeze.way, SKIN * across, across);
            blocks::add(&mut work.base, &node.value, &block);
        }
        for row in &self.pinned {
            blocks::add(&mut work.base, row, &DMat3::from_diagonal(DVec3::splat(pin)));
        }
        self.prepare_fold_damping(tau, work);
    }

    /// Adds what obstacles push with and hold back with, and how that changes with places. Friction
    /// goes by the push that is expected: what a guess deep inside would be pushed with says nothing.
    fn add_touches(&self, tau: f64, work: &mut Work) {
        for meeting in &mut work.meetings {
            let (sample, obstacle) =
                (&self.samples[meeting.sample], &self.obstacles[meeting.obstacle]);
            let here = sample.row.of(&work.next);
            (meeting.clear, meeting.out) = obstacle.clearance(here);
            if meeting.clear >= 0.0 {
                continue;
            }
            let (out, stiff) = (meeting.out, self.contact_stiffness(sample, tau));
            let moved = here - meeting.stuck;
            let along = moved - out * out.dot(moved);
            let hold = self.friction * meeting.push / along.length().max(CREEP * tau);
            let block = along_and_across(out, stiff, hold);
            blocks::add(&mut work.matrix, &sample.row, &block);
            sample.row.add_to(&mut work.force, out * (-stiff * meeting.clear) - along * hold);
        }
    }

    /// What pushes are expected to be after a change of places.
    fn expect_touches(&self, tau: f64, meetings: &mut [touch::Meeting], change: &[DVec3]) {
        for meeting in meetings {
            let sample = &self.samples[meeting.sample];
            let clear = meeting.clear + meeting.out.dot(sample.row.of(change));
            let touching = meeting.clear < 0.0 && clear < 0.0;
            meeting.push =
                if touching { -self.contact_stiffness(sample, tau) * clear } else { 0.0 };
        }
    }

    fn contact_stiffness(&self, sample: &touch::Sample, tau: f64) -> f64 {
        CONTACT * sample.mass / (tau * tau)
            + CONTACT_OF_SEGMENT * self.build.section.stretch / self.segment
    }
}

impl Form {
    /// The length of Euler's step that it looks like.
    fn tau(self, dt: f64) -> f64 {
        match self {
            Self::TwoStage => STAGE * dt,
            Self::Euler => dt,
            Self::Second => dt * (2.0 / 3.0),
        }
    }
}

/// Stretch and its friction within one step: a stiffer spring, whose rest is nearer to where it was
/// (Kelvin and Voigt). Pushed together it gives by what its section says, and then jams.
pub(super) struct Law {
    pub stiff: f64,
    lag: f64,
    compression: f64,
    jam: f64,
}

/// Links that are pushed together jam when they are this much shorter, beside themselves. Larger: a
/// chain is seen to be shorter where it lies.
const LOOSE: f64 = 5e-3;
/// What then resists, beside the stiffness: enough for a fall from any table. More: a chain that
/// lands takes several times the solves.
pub(super) const JAMMED: f64 = 0.01;

impl Law {
    pub(super) fn new(section: &Section, tau: f64) -> Self {
        let friction = section.inner_friction / tau;
        Self {
            stiff: section.stretch * (1.0 + friction),
            lag: friction / (1.0 + friction),
            compression: section.compression,
            jam: jam(section),
        }
    }

    /// Newtons at a length beside that at rest, and how they grow with it.
    #[inline]
    pub(super) fn pull(&self, length: f64, strain_before: f64) -> (f64, f64) {
        let pull = self.stiff * (length - 1.0 - self.lag * strain_before);
        if pull >= 0.0 {
            return (pull, self.stiff);
        }
        let (pull, stiff) = (self.compression * pull, self.compression * self.stiff);
        let jammed = length - 1.0 + LOOSE;
        if jammed < 0.0 { (pull + self.jam * jammed, stiff + self.jam) } else { (pull, stiff) }
    }
}

/// What resists more than its compression once it jams, in newtons; nothing for a section that
/// resists as much anyway.
fn jam(section: &Section) -> f64 {
    section.stretch * (JAMMED - section.compression).max(0.0)
}

/// Newtons that jammed links push with at a strain, to be added, and joules a metre in them.
pub(super) fn jammed(section: &Section, strain: f64) -> (f64, f64) {
    let (stiff, short) = (jam(section), (strain + LOOSE).min(0.0));
    (stiff * short, 0.5 * stiff * short * short)
}
