//! The time step: implicit, of second order, stable at any length.
//!
//! * Regular steps use the second-order backward difference (BDF2): velocities at the end of a step
//!   are `v = (3q − 4q₀ + q₋₁)/2dt`, accelerations follow from velocities by the same formula, and
//!   forces are those at the end. That damps waves of stretch, which are invisible, and little else: a
//!   swing of a hundred steps loses a few ten-thousandths of its height per period.
//! * The first step of a run has no history. With no obstacle within reach it is a two-stage, L-stable,
//!   diagonally implicit Runge–Kutta step of second order (Alexander 1977) with stages of length
//!   `(1 − 1/√2) dt`.
//! * Backward Euler takes any other first step, steps with an impact and those after it, where earlier
//!   velocities would cause a bounce, and steps after a change of the pins or of the step length.
//!
//! Each stage has the form of a backward Euler step of length `τ` from combined earlier positions `q̄`
//! and velocities `v̄`: `M (q − q̄ − τ v̄)/τ² = F(q, (q − q̄)/τ)`, with `τ = 2dt/3` for BDF2.
//!
//! Newton's method solves these equations on a band of 3 by 3 blocks. A rope turns easily and hardly
//! stretches. Plain Newton mistakes a rotation for a stretch, and the tension of a wrong guess then
//! stiffens the rope sideways. So the tension of each node is a separate unknown, solved for together
//! with the positions and eliminated locally (Magisano, Leonetti and Garcea 2017): the sideways
//! stiffness comes from the predicted tension instead of that of the current guess. Two or three
//! iterations are enough.
//!
//! [`Spring`](super::Spring)s are implicit too: stable however stiff and damped.
//!
//! Pins are stiff springs with a force that is carried over and corrected in every iteration (an
//! augmented Lagrangian). The remaining error of some billionths is removed by a projection
//! (`pins.rs`).
//!
//! A compressed rope resists with the share of its stiffness given by its section; a chain, whose
//! share is zero, resists once its links jam ([`StretchLaw`]). Compression also pushes the rope
//! sideways (`imperfection.rs`), and `crease.rs` limits how sharply a chain folds.
//!
//! Contact is a stiff one-sided spring. Friction opposes the motion at the end of the step, so it stops
//! the rope and never reverses it. Drag acts across the rope (`drag.rs`).
//!
//! If Newton's method does not converge, the step is repeated in two halves.
//!
//! Tests: `free_fall_is_exact`, `halving_steps_changes_the_tip_to_second_order`,
//! `hanging_spline_rope_vs_catenary`, `hanging_modes_vs_bessel`,
//! `energy_falls_with_damping_and_is_bounded_without`, `no_step_adds_energy_however_long_it_is`.

use glam::{DMat3, DVec3};

use super::blocks::{self, along_and_across};
use super::contact::{self, Contact, Sample};
use super::drag::SKIN_DRAG;
use super::energy::times;
use super::nodes::Node;
use super::rope::{Next, SplineRope, StepReport, Workspace};
use crate::dynamics::Diverged;
use crate::dynamics::contact::Obstacle;
use crate::dynamics::material::Section;

/// Newton iterations before a step is divided into halves.
const MAX_ITERATIONS: u32 = 20;
/// Number of times a step may be halved. After that its result is accepted if it is finite: for a pin
/// that jumps a metre between two steps there is no better one.
const MAX_HALVINGS: u32 = 4;
/// Change of position at which the iteration has converged, relative to the length of the rope.
/// Larger: pins and lengths have not converged. Smaller: one more iteration without effect.
const TOLERANCE: f64 = 1e-6;
/// Tension that the last linearisation may miss because segments rotate, relative to the largest in
/// the rope. Larger: ropes that hardly stretch tremble at rest.
const TENSION_TOLERANCE: f64 = 1e-3;
/// Change of position that is accepted after the last iteration, relative to a segment: friction
/// converges slowly, and the difference is invisible.
const FALLBACK_TOLERANCE: f64 = 1e-3;
/// Stiffness of pins relative to that of a segment plus the mass of the rope over `τ²`. Their
/// carried-over force does the rest.
const PIN_STIFFNESS: f64 = 1e3;
/// Stiffness of contact relative to a sample's mass over the square of the step.
const CONTACT_STIFFNESS: f64 = 100.0;
/// Stiffness of contact relative to that of a segment, added to the above.
const CONTACT_STIFFNESS_OF_SEGMENT: f64 = 0.2;
/// Speed below which friction holds rather than slides, in m/s. Ropes at rest creep no faster.
const CREEP_SPEED: f64 = 1e-4;

/// Lower limit of the slope's length, relative to that at rest; a zero slope has no direction.
const MIN_SLOPE: f64 = 1e-9;

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
    /// Second-order backward difference.
    Bdf2,
}

impl SplineRope {
    pub(super) fn implicit_step(&mut self, dt: f64) -> Result<StepReport, Diverged> {
        let mut report = StepReport::default();
        // Substeps may be divided again; reserving for all levels avoids allocations later.
        self.work.pin_paths.reserve((MAX_HALVINGS as usize + 2) * self.pins.len());
        let substeps = self.substeps_for_obstacles(dt);
        if substeps == 1 {
            self.substep(dt, 0, &mut report)?;
        } else {
            self.in_substeps(substeps, dt, 0, &mut report)?;
        }
        Ok(report)
    }

    /// Number of substeps in which no point moves further than half the thinnest obstacle, so that it
    /// does not pass through; 16 at most.
    fn substeps_for_obstacles(&self, dt: f64) -> u32 {
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
        let substeps = (fastest * dt + carried) / (0.5 * thinnest.max(f64::MIN_POSITIVE));
        (substeps.ceil() as u32).clamp(1, 16)
    }

    /// Divides a step into substeps, in which pins and obstacles move along straight lines.
    fn in_substeps(
        &mut self,
        substeps: u32,
        dt: f64,
        halvings: u32,
        report: &mut StepReport,
    ) -> Result<(), Diverged> {
        // Substeps may be divided themselves, so the paths and obstacles form a stack.
        let first_path = self.work.pin_paths.len();
        let paths = self.pin_starts.iter().zip(&self.targets);
        self.work.pin_paths.extend(paths.map(|(from, to)| (*from, *to)));
        let first_obstacle = self.work.whole_obstacles.len();
        let moving = self.obstacles.iter().any(|o| o.before != o.now);
        if moving {
            self.work.whole_obstacles.extend(self.obstacles.iter().cloned());
        }
        let mut result = Ok(());
        for substep in 1..=substeps {
            let share = f64::from(substep) / f64::from(substeps);
            for (k, (from, to)) in self.work.pin_paths[first_path..].iter().enumerate() {
                let here = if substep == 1 { *from } else { self.targets[k] };
                self.pin_starts[k] = here;
                self.targets[k] =
                    if substep == substeps { *to } else { *from + (*to - *from) * share };
            }
            if moving {
                let from = f64::from(substep - 1) / f64::from(substeps);
                let whole = &self.work.whole_obstacles[first_obstacle..];
                for (obstacle, whole) in self.obstacles.iter_mut().zip(whole) {
                    *obstacle = whole.within(from, share);
                }
            }
            result = self.substep(dt / f64::from(substeps), halvings, report);
            if result.is_err() {
                break;
            }
        }
        self.work.pin_paths.truncate(first_path);
        let whole = self.work.whole_obstacles.drain(first_obstacle..);
        for (obstacle, whole) in self.obstacles.iter_mut().zip(whole) {
            *obstacle = whole;
        }
        result
    }

    /// Advances the rope by `dt`, divided further if the iteration does not converge.
    fn substep(&mut self, dt: f64, halvings: u32, report: &mut StepReport) -> Result<(), Diverged> {
        if self.state.last_step != dt && self.state.next == Next::Bdf2 {
            self.state.next = Next::AfterImpact;
        }
        let mut work = std::mem::take(&mut self.work);
        let state = &self.state;
        work.start_tensions.clone_from(&state.tensions);
        work.start_reactions.clone_from(&state.reactions);
        contact::candidates(
            &self.samples,
            &self.obstacles,
            &state.positions,
            &state.velocities,
            dt,
            &state.pushes,
            &mut work.contacts,
        );
        let mut form = match self.state.next {
            Next::First if work.contacts.is_empty() => Form::TwoStage,
            Next::First | Next::AfterImpact => Form::Euler,
            Next::Bdf2 if self.about_to_hit(&work, dt) => Form::Euler,
            Next::Bdf2 => Form::Bdf2,
        };
        let last_try = halvings == MAX_HALVINGS;
        let mut converged = self.solve_step(form, dt, last_try, &mut work, report);
        let mut hit = work.contacts.iter().any(|c| c.push > 0.0 && !self.was_touching(c));
        if converged && hit && form == Form::Bdf2 {
            form = Form::Euler;
            self.discard_solution(&work);
            converged = self.solve_step(form, dt, last_try, &mut work, report);
            hit = true;
        }
        if !converged {
            self.discard_solution(&work);
            self.work = work;
            if last_try {
                return Err(Diverged::NotFinite { time: self.state.time + dt });
            }
            self.state.next = Next::AfterImpact;
            return self.in_substeps(2, dt, halvings + 1, report);
        }
        self.accept(form, dt, hit, &mut work);
        report.substeps += 1;
        report.contacts = work.contacts.iter().filter(|c| c.push > 0.0).count() as u32;
        self.work = work;
        Ok(())
    }

    /// Restores the tensions and reactions that the substep started with.
    fn discard_solution(&mut self, work: &Workspace) {
        self.state.tensions.clone_from(&work.start_tensions);
        self.state.reactions.clone_from(&work.start_reactions);
    }

    /// Whether this sample and obstacle touched in the last step.
    fn was_touching(&self, contact: &Contact) -> bool {
        let pair = contact.sample * self.obstacles.len() + contact.obstacle;
        self.state.pushes.get(pair).is_some_and(|push| *push > 0.0)
    }

    /// Whether a sample that is free now would be inside an obstacle after the step.
    fn about_to_hit(&self, work: &Workspace, dt: f64) -> bool {
        work.contacts.iter().any(|contact| {
            !self.was_touching(contact) && {
                let row = &self.samples[contact.sample].row;
                let then = row.of(&self.state.positions) + row.of(&self.state.velocities) * dt;
                self.obstacles[contact.obstacle].clearance(then).0 < 0.0
            }
        })
    }

    /// Makes the solution the new state.
    fn accept(&mut self, form: Form, dt: f64, hit: bool, work: &mut Workspace) {
        let state = &mut self.state;
        std::mem::swap(&mut state.positions_before, &mut state.positions);
        std::mem::swap(&mut state.velocities_before, &mut state.velocities);
        let tau = form.tau(dt);
        let (q, v) = (&mut state.positions, &mut state.velocities);
        for i in 0..q.len() {
            let velocity = (work.next[i] - work.bar[i]) / tau;
            q[i] = work.next[i];
            v[i] = velocity;
        }
        // Removes the remaining error of the last iteration and of rounding.
        self.pin_projection.project_exactly(&self.targets, q);
        state.pushes.clear();
        state.pushes.resize(self.samples.len() * self.obstacles.len(), 0.0);
        for contact in &work.contacts {
            state.pushes[contact.sample * self.obstacles.len() + contact.obstacle] = contact.push;
        }
        state.last_step = dt;
        state.next = if hit { Next::AfterImpact } else { Next::Bdf2 };
    }

    /// Finds the positions at the end of the step; returns whether the iteration converged.
    fn solve_step(
        &mut self,
        form: Form,
        dt: f64,
        last_try: bool,
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> bool {
        self.prepare_history(form, dt, work);
        let tau = form.tau(dt);
        if form != Form::TwoStage {
            return self.newton(tau, 1.0, last_try, work, report);
        }
        if !self.newton(tau, STAGE, last_try, work, report) {
            return false;
        }
        // The first stage's velocities and accelerations extend to the start of the second stage.
        let rest = (1.0 - STAGE) / STAGE;
        for (strain, node) in work.strain.iter_mut().zip(&self.nodes) {
            *strain += (node.strain(&work.next) - *strain) * rest;
        }
        let old = self.state.positions.iter().zip(&self.state.velocities);
        let bars = work.bar.iter_mut().zip(&mut work.bar_velocity);
        for ((next, (bar, bar_velocity)), (q, v)) in work.next.iter_mut().zip(bars).zip(old) {
            let velocity = (*next - *q) / tau;
            *bar = *q + (*next - *q) * rest;
            *bar_velocity = *v + (velocity - *v) * rest;
            *next = *bar + *bar_velocity * tau;
        }
        self.newton(tau, 1.0, last_try, work, report)
    }

    /// Solves one implicit stage of length `tau` from the history in `work`; pins have moved by `share`
    /// of their paths at its end. Returns whether the iteration converged.
    fn newton(
        &mut self,
        tau: f64,
        share: f64,
        last_try: bool,
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> bool {
        let law = StretchLaw::new(&self.build.section, tau);
        let pin = PIN_STIFFNESS * (law.stiffness / self.segment + self.mass() / (tau * tau));
        self.assemble_constant(tau, pin, work);
        work.start_compression();
        let mut change = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            report.iterations += 1;
            work.matrix.copy(&work.constant_matrix);
            // Forces that are linear in the positions.
            times(&work.scalar_matrix, &work.next, &mut work.force);
            for (force, constant) in work.force.iter_mut().zip(&work.constant_force) {
                *force = *constant - *force;
            }
            for ((node, predicted), strain) in
                self.nodes.iter().zip(&self.state.tensions).zip(&work.strain)
            {
                let slope = node.slope.of(&work.next);
                let length = slope.length().max(MIN_SLOPE * node.rest);
                let direction = slope / length;
                let (tension, stiffness) = law.tension(length / node.rest, *strain);
                let along = node.weight * stiffness / node.rest;
                let across = node.weight * predicted.max(0.0) / length;
                let block = along_and_across(direction, along, across);
                blocks::add(&mut work.matrix, &node.slope, &block);
                node.slope.add_to(&mut work.force, direction * (-node.weight * tension));
            }
            self.push_aside(work);
            self.add_crease_forces(work);
            self.damp_folds(work);
            for (node, drag) in self.drag_points.iter().zip(&work.drag) {
                let moved = node.value.of(&work.next) - node.value.of(&work.bar);
                node.value.add_to(&mut work.force, drag.force(moved / tau));
            }
            self.update_pin_forces(share, pin, work);
            for (row, force) in self.pinned.iter().zip(&work.pin_forces) {
                row.add_to(&mut work.force, *force);
            }
            for (row, stiffness) in &work.sprung {
                let pull = row.of(&work.next) * -stiffness;
                row.add_to(&mut work.force, pull);
            }
            self.add_contact_forces(tau, work);
            if work.solver.solve(&work.matrix, &mut work.force).is_err() {
                return false;
            }
            // `work.force` now holds the changes of position.
            let largest = work.force.iter().map(|c| c.length_squared()).fold(0.0, f64::max);
            let (mut largest_tension, mut missed) = (0.0_f64, 0.0_f64);
            for ((node, tension), strain) in
                self.nodes.iter().zip(&mut self.state.tensions).zip(&work.strain)
            {
                let slope = node.slope.of(&work.next);
                let change = node.slope.of(&work.force);
                let length = slope.length().max(MIN_SLOPE * node.rest);
                let growth = slope.dot(change) / length;
                let (found, stiffness) = law.tension((length + growth) / node.rest, *strain);
                *tension = found;
                largest_tension = largest_tension.max(found.abs());
                let rotation =
                    (change.length_squared() - growth * growth) / (2.0 * length * node.rest);
                missed = missed.max(stiffness * rotation);
            }
            self.limit_compression(work);
            self.predict_contact_forces(tau, &mut work.contacts, &work.force);
            for (next, change) in work.next.iter_mut().zip(&work.force) {
                *next += *change;
            }
            self.update_pin_forces(share, pin, work);
            self.state.reactions.clone_from(&work.pin_forces);
            change = largest.sqrt();
            if change < TOLERANCE * self.length && missed <= TENSION_TOLERANCE * largest_tension {
                return true;
            }
            if !change.is_finite() {
                return false;
            }
        }
        last_try || change < FALLBACK_TOLERANCE * self.segment
    }

    /// Computes the forces of the pins at the current positions.
    fn update_pin_forces(&self, share: f64, pin: f64, work: &mut Workspace) {
        work.pin_forces.clear();
        let paths = self.pin_starts.iter().zip(&self.targets);
        let pins = self.pinned.iter().zip(paths).zip(&self.state.reactions);
        for ((row, (from, target)), reaction) in pins {
            let to = if share == 1.0 { *target } else { *from + (*target - *from) * share };
            work.pin_forces.push(*reaction + (to - row.of(&work.next)) * pin);
        }
    }

    /// Sets `q̄`, `v̄`, the first guess, and the earlier strains that damping refers to.
    fn prepare_history(&self, form: Form, dt: f64, work: &mut Workspace) {
        let (q, v) = (&self.state.positions, &self.state.velocities);
        let (q1, v1) = (&self.state.positions_before, &self.state.velocities_before);
        let combined = |(now, before): (&DVec3, &DVec3)| (*now * 4.0 - *before) / 3.0;
        work.bar.clear();
        work.bar_velocity.clear();
        work.strain.clear();
        work.next.clear();
        if form == Form::Bdf2 {
            work.bar.extend(q.iter().zip(q1).map(combined));
            work.bar_velocity.extend(v.iter().zip(v1).map(combined));
            let both = |n: &Node| (4.0 * n.strain(q) - n.strain(q1)) / 3.0;
            work.strain.extend(self.nodes.iter().map(both));
            let ahead = q.iter().zip(v.iter().zip(v1));
            work.next.extend(ahead.map(|(q, (v, v1))| *q + (*v * 1.5 - *v1 * 0.5) * dt));
        } else {
            work.bar.extend_from_slice(q);
            work.bar_velocity.extend_from_slice(v);
            work.strain.extend(self.nodes.iter().map(|n| n.strain(q)));
            let tau = form.tau(dt);
            work.next.extend(q.iter().zip(v).map(|(q, v)| *q + *v * tau));
        }
    }

    /// Assembles the matrix and the forces that stay constant over all iterations of a stage.
    fn assemble_constant(&self, tau: f64, pin: f64, work: &mut Workspace) {
        let friction = self.build.section.inner_friction / tau;
        let inertia = (1.0 + self.viscosity * tau) / (tau * tau);
        let assembled_for = (tau.to_bits(), self.viscosity.to_bits());
        if work.assembled_for != Some(assembled_for) {
            work.assembled_for = Some(assembled_for);
            work.scalar_matrix.reset(self.basis.len());
            let rows = work
                .scalar_matrix
                .rows
                .iter_mut()
                .zip(self.mass.rows.iter().zip(&self.bending.rows));
            for (row, (mass, bend)) in rows {
                row.diagonal = inertia * mass.diagonal + (1.0 + friction) * bend.diagonal;
                for k in 0..3 {
                    row.below[k] = inertia * mass.below[k] + (1.0 + friction) * bend.below[k];
                }
            }
            blocks::expand(&work.scalar_matrix, &mut work.scalar_blocks);
        }
        work.constant_matrix.copy(&work.scalar_blocks);
        // M ((1 + c τ) q̄/τ² + v̄/τ + g), and the earlier shape in the friction of bending.
        work.force.clear();
        let old = work.bar.iter().zip(&work.bar_velocity);
        work.force.extend(old.map(|(q, v)| *q * inertia + *v / tau + self.gravity));
        times(&self.mass, &work.force, &mut work.constant_force);
        if friction != 0.0 && self.build.section.bend != 0.0 {
            times(&self.bending, &work.bar, &mut work.force);
            for (constant, bent) in work.constant_force.iter_mut().zip(&work.force) {
                *constant += *bent * friction;
            }
        }
        for force in &self.forces {
            self.row(force.u).add_to(&mut work.constant_force, force.force);
        }
        self.find_drag(&mut work.drag);
        for (node, drag) in self.drag_points.iter().zip(&work.drag) {
            let across = drag.coefficient / tau;
            let block = along_and_across(drag.direction, SKIN_DRAG * across, across);
            blocks::add(&mut work.constant_matrix, &node.value, &block);
        }
        for row in &self.pinned {
            blocks::add(&mut work.constant_matrix, row, &DMat3::from_diagonal(DVec3::splat(pin)));
        }
        self.prepare_springs(tau, work);
        self.prepare_fold_damping(tau, work);
    }

    /// Adds the springs. They are linear in the positions at the end of the step, whose velocities are
    /// `(q − q̄)/τ`, so the step is stable for any stiffness.
    fn prepare_springs(&self, tau: f64, work: &mut Workspace) {
        work.sprung.clear();
        for spring in &self.springs {
            let (row, damping) = (self.row(spring.u), spring.damping / tau);
            let stiffness = spring.stiffness + damping;
            let constant = spring.target * spring.stiffness
                + spring.velocity * spring.damping
                + row.of(&work.bar) * damping;
            row.add_to(&mut work.constant_force, constant);
            let block = DMat3::from_diagonal(DVec3::splat(stiffness));
            blocks::add(&mut work.constant_matrix, &row, &block);
            work.sprung.push((row, stiffness));
        }
    }

    /// Adds the forces of contact and friction and their Jacobian. Friction is proportional to the
    /// predicted normal force, because that of a guess deep inside an obstacle is meaningless.
    fn add_contact_forces(&self, tau: f64, work: &mut Workspace) {
        for contact in &mut work.contacts {
            let (sample, obstacle) =
                (&self.samples[contact.sample], &self.obstacles[contact.obstacle]);
            let here = sample.row.of(&work.next);
            (contact.clearance, contact.normal) = obstacle.clearance(here);
            if contact.clearance >= 0.0 {
                continue;
            }
            let (normal, stiffness) = (contact.normal, self.contact_stiffness(sample, tau));
            let moved = here - contact.stuck;
            let slip = moved - normal * normal.dot(moved);
            let hold = self.friction * contact.push / slip.length().max(CREEP_SPEED * tau);
            let block = along_and_across(normal, stiffness, hold);
            blocks::add(&mut work.matrix, &sample.row, &block);
            let force = normal * (-stiffness * contact.clearance) - slip * hold;
            sample.row.add_to(&mut work.force, force);
        }
    }

    /// Predicts the normal forces after a change of positions.
    fn predict_contact_forces(&self, tau: f64, contacts: &mut [Contact], change: &[DVec3]) {
        for contact in contacts {
            let sample = &self.samples[contact.sample];
            let clearance = contact.clearance + contact.normal.dot(sample.row.of(change));
            let touching = contact.clearance < 0.0 && clearance < 0.0;
            contact.push =
                if touching { -self.contact_stiffness(sample, tau) * clearance } else { 0.0 };
        }
    }

    fn contact_stiffness(&self, sample: &Sample, tau: f64) -> f64 {
        CONTACT_STIFFNESS * sample.mass / (tau * tau)
            + CONTACT_STIFFNESS_OF_SEGMENT * self.build.section.stretch / self.segment
    }
}

impl Form {
    /// Length `τ` of the equivalent backward Euler step.
    fn tau(self, dt: f64) -> f64 {
        match self {
            Self::TwoStage => STAGE * dt,
            Self::Euler => dt,
            Self::Bdf2 => dt * (2.0 / 3.0),
        }
    }
}

/// Tension over stretch within one step, inner friction included (Kelvin–Voigt): over a step, friction
/// acts like a stiffer spring whose rest length is shifted towards the earlier length. In compression
/// the stiffness is the share given by the section, until the links jam.
pub(super) struct StretchLaw {
    /// In newtons.
    pub stiffness: f64,
    /// Share of the earlier strain by which the rest length is shifted.
    lag: f64,
    compression: f64,
    jam: f64,
}

/// Relative shortening at which the links of a chain jam. Larger: a chain that lies on the ground is
/// visibly shorter.
const JAM_STRAIN: f64 = 5e-3;
/// Stiffness of jammed links relative to that of stretch: enough for a fall from any table. Larger: a
/// chain that lands takes several times the iterations.
pub(super) const JAM_STIFFNESS: f64 = 0.01;

impl StretchLaw {
    pub(super) fn new(section: &Section, tau: f64) -> Self {
        let friction = section.inner_friction / tau;
        Self {
            stiffness: section.stretch * (1.0 + friction),
            lag: friction / (1.0 + friction),
            compression: section.compression,
            jam: jam_stiffness(section),
        }
    }

    /// Returns the tension in newtons at a length relative to that at rest, and its derivative.
    #[inline]
    pub(super) fn tension(&self, length: f64, strain_before: f64) -> (f64, f64) {
        let tension = self.stiffness * (length - 1.0 - self.lag * strain_before);
        if tension >= 0.0 {
            return (tension, self.stiffness);
        }
        let (tension, stiffness) = (self.compression * tension, self.compression * self.stiffness);
        let jammed = length - 1.0 + JAM_STRAIN;
        if jammed < 0.0 {
            (tension + self.jam * jammed, stiffness + self.jam)
        } else {
            (tension, stiffness)
        }
    }
}

/// Additional stiffness of jammed links, in newtons; zero for a section that resists compression at
/// least as much.
fn jam_stiffness(section: &Section) -> f64 {
    section.stretch * (JAM_STIFFNESS - section.compression).max(0.0)
}

/// Additional force of jammed links at a strain, in newtons, and their energy in joules per metre.
pub(super) fn jam_force_and_energy(section: &Section, strain: f64) -> (f64, f64) {
    let (stiffness, jammed) = (jam_stiffness(section), (strain + JAM_STRAIN).min(0.0));
    (stiffness * jammed, 0.5 * stiffness * jammed * jammed)
}
