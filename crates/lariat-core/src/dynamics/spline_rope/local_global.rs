//! Rounds of shapes on one fixed factor: implicit, cheap, and soft.
//!
//! Every node chooses the slope it would like, as long as at rest; the control points nearest to all
//! of these wishes and to where inertia would take them are one solve with a matrix that never
//! changes, `M (1 + c dt)/dt² + Σ w k Dᵀ D + K` with friction in `k` and `K`, factored once (the
//! local and global steps of Bouaziz et al. 2014; NOTES 2). Stable however long the step, and of
//! first order.
//!
//! What it cannot do is turn stiff ropes quickly: a wish keeps the direction that a node has, so each
//! round turns the rope only by about mass over `dt² k` of what is left. Ten rounds of a hemp rope at
//! 60 steps a second fall like a feather, which is why the default is `implicit.rs`.
//!
//! Pins are brought to their places in every round, on the same factor. Places that touch something
//! wish to be outside of it; while there are any, the matrix has them in it and is factored anew, once
//! or twice a step. Every round lowers what the step minimises, so that ropes come to rest.
//!
//! Tests: `local_global_vs_implicit_on_a_soft_rope`, `pins_hold_to_rounding`,
//! `rounds_bring_a_rope_to_rest_on_the_floor`, `rounds_damp_as_the_implicit_step_does`.

use super::build::{Elasticity, Hold};
use super::energy::times;
use super::implicit::Law;
use super::nodes::Node;
use super::rope::{Next, SplineRope, StepReport, Work};
use super::touch::{self, Sample};
use crate::dynamics::Diverged;
use crate::num::banded::Symmetric;

impl SplineRope {
    pub(super) fn local_global_step(
        &mut self,
        dt: f64,
        rounds: usize,
    ) -> Result<StepReport, Diverged> {
        let mut work = std::mem::take(&mut self.work);
        let report = self.go_round(dt, rounds.max(1), &mut work);
        self.work = work;
        report.ok_or(Diverged::NotFinite { time: self.state.time + dt })
    }

    /// The step; nothing if there is no answer to the matrix.
    fn go_round(&mut self, dt: f64, rounds: usize, work: &mut Work) -> Option<StepReport> {
        self.state.positions_before.clone_from(&self.state.positions);
        self.state.velocities_before.clone_from(&self.state.velocities);
        self.make_fixed(dt, work);
        self.look_at_lengths(work);
        let state = &self.state;
        let (q, v) = (&state.positions, &state.velocities);
        touch::meetings(
            &self.samples,
            &self.obstacles,
            q,
            v,
            dt,
            &state.pushes,
            &mut work.meetings,
        );
        let inertia = (1.0 + self.viscosity * dt) / (dt * dt);
        work.force.clear();
        work.force.extend(q.iter().zip(v).map(|(q, v)| *q * inertia + *v / dt + self.gravity));
        times(&self.mass, &work.force, &mut work.constant);
        for push in &self.forces {
            self.row(push.u).add_to(&mut work.constant, push.force);
        }
        if self.build.elasticity == Elasticity::Energy {
            self.push_aside(&mut work.constant);
            // What friction in bending remembers.
            times(&self.bending, q, &mut work.force);
            let friction = self.build.section.inner_friction / dt;
            for (constant, bent) in work.constant.iter_mut().zip(&work.force) {
                *constant += *bent * friction;
            }
        }
        self.add_breezes(dt, &mut work.breeze, &mut work.constant);
        let grip = self.grip();
        if self.build.hold == Hold::Penalty {
            for way in self.ways_of_pins() {
                let slower = way.speed(dt) + way.row.of(q) / dt;
                way.row.add_to(&mut work.constant, grip.pull(way.to, slower));
            }
        }
        work.next.clear();
        work.next.extend(q.iter().zip(v).map(|(q, v)| *q + *v * dt));
        for _ in 0..rounds {
            work.force.clone_from(&work.constant);
            self.add_wishes(dt, work);
            let more = self.push_back(dt, work);
            if (more || work.factored == Factored::Nothing) && !self.make_factor(dt, work) {
                return None;
            }
            work.fixed_factor.solve(&mut work.force);
            if self.build.hold == Hold::Constraint {
                work.fixed_held.bring(&self.targets, &mut work.force);
                for (reaction, push) in
                    self.state.reactions.iter_mut().zip(work.fixed_held.pushes())
                {
                    *reaction = *push;
                }
            }
            std::mem::swap(&mut work.next, &mut work.force);
        }
        let state = &mut self.state;
        for ((q, v), next) in state.positions.iter_mut().zip(&mut state.velocities).zip(&work.next)
        {
            *v = (*next - *q) / dt;
            *q = *next;
        }
        match self.build.hold {
            Hold::Constraint => self.held.meet(&self.targets, &mut self.state.positions),
            Hold::Penalty => {
                let (q, v) = (&self.state.positions, &self.state.velocities);
                work.pulls.clear();
                work.pulls.extend(
                    self.ways_of_pins().map(|way| {
                        grip.pull(way.to - way.row.of(q), way.speed(dt) - way.row.of(v))
                    }),
                );
                self.state.reactions.clone_from(&work.pulls);
            }
        }
        let state = &mut self.state;
        state.pushes.clear();
        state.pushes.resize(self.samples.len() * self.obstacles.len(), 0.0);
        let mut contacts = 0;
        for meeting in &work.meetings {
            state.pushes[meeting.sample * self.obstacles.len() + meeting.obstacle] = meeting.push;
            contacts += u32::from(meeting.push > 0.0);
        }
        state.next = Next::First;
        Some(StepReport { parts: 1, solves: rounds as u32, contacts })
    }

    /// How long everything is now, beside its rest: what friction within it starts from.
    fn look_at_lengths(&self, work: &mut Work) {
        let q = &self.state.positions;
        work.strain.clear();
        match self.build.elasticity {
            Elasticity::Energy => {
                let strain = |n: &Node| n.slope.of(q).length() / n.rest - 1.0;
                work.strain.extend(self.nodes.iter().map(strain));
            }
            Elasticity::Springs { .. } => {
                let pairs = self.springs.rows.windows(2);
                work.strain.extend(pairs.map(|pair| pair[0].of(q).distance(pair[1].of(q))));
            }
        }
    }

    /// The matrix without what touches, if the step or the viscosity is another than before.
    fn make_fixed(&self, dt: f64, work: &mut Work) {
        let made_for = (dt.to_bits(), self.viscosity.to_bits());
        if work.made_for != Some(made_for) {
            work.made_for = Some(made_for);
            let inertia = (1.0 + self.viscosity * dt) / (dt * dt);
            work.fixed.reset(self.basis.len());
            let energy = self.build.elasticity == Elasticity::Energy;
            let bend_scale =
                if energy { 1.0 + self.build.section.inner_friction / dt } else { 0.0 };
            for (i, (mass, bend)) in self.mass.rows.iter().zip(&self.bending.rows).enumerate() {
                work.fixed.rows[i].diagonal = inertia * mass.diagonal + bend_scale * bend.diagonal;
                for k in 0..3 {
                    work.fixed.rows[i].below[k] =
                        inertia * mass.below[k] + bend_scale * bend.below[k];
                }
            }
            let law = Law::new(&self.build.section, dt);
            if energy {
                for node in &self.nodes {
                    let stiffness = node.weight * law.stiff / node.rest;
                    node.slope.add_square(&mut work.fixed, stiffness);
                }
            } else {
                let stiffness = self.springs.stiffness + self.springs.damping / dt;
                for pair in self.springs.rows.windows(2) {
                    add_difference(&mut work.fixed, &pair[0], &pair[1], stiffness);
                }
            }
            if self.build.hold == Hold::Penalty {
                let grip = self.grip();
                for row in &self.pinned {
                    row.add_square(&mut work.fixed, grip.stiffness + grip.damping / dt);
                }
            }
            work.factored = Factored::Nothing;
        }
        // What touched in the last step may not do so now.
        let alone = work.factored == Factored::Alone
            && (self.build.hold == Hold::Penalty
                || work.fixed_held.is_for(self.pinned.iter().copied()));
        if !alone {
            work.factored = Factored::Nothing;
        }
    }

    /// The factor of that matrix with everything in it that touches, and the pins upon it; whether
    /// there is one.
    fn make_factor(&self, dt: f64, work: &mut Work) -> bool {
        let touching = || work.meetings.iter().filter(|meeting| meeting.touches);
        work.factored = match touching().next() {
            Some(_) => Factored::WithTouches,
            None => Factored::Alone,
        };
        work.touched.rows.clone_from(&work.fixed.rows);
        for meeting in touching() {
            let sample = &self.samples[meeting.sample];
            sample.row.add_square(&mut work.touched, stiffness(sample, dt));
        }
        // Positive definite, as it has the mass in it, unless numbers are absurd.
        if work.fixed_factor.build(&work.touched).is_err() {
            work.made_for = None;
            return false;
        }
        if self.build.hold == Hold::Constraint {
            work.fixed_held.prepare(&work.fixed_factor, self.pinned.iter().copied());
        }
        true
    }

    /// What nodes or springs would like, as forces; and how hard they pull.
    fn add_wishes(&mut self, dt: f64, work: &mut Work) {
        match self.build.elasticity {
            Elasticity::Energy => {
                let law = Law::new(&self.build.section, dt);
                let nodes = self.nodes.iter().zip(&work.strain);
                for ((node, strain), tension) in nodes.zip(&mut self.state.tensions) {
                    let slope = node.slope.of(&work.next);
                    let long = slope.length().max(1e-9 * node.rest);
                    *tension = law.pull(long / node.rest, *strain).0;
                    // Where it would not be pulled any more, as if all of the matrix pulled at it.
                    let wished = slope * (1.0 - *tension * node.rest / (law.stiff * long));
                    let stiffness = node.weight * law.stiff / node.rest;
                    node.slope.add_to(&mut work.force, wished * stiffness);
                }
            }
            Elasticity::Springs { .. } => {
                let springs = &self.springs;
                let stiffness = springs.stiffness + springs.damping / dt;
                for (k, pair) in springs.rows.windows(2).enumerate() {
                    let apart = pair[1].of(&work.next) - pair[0].of(&work.next);
                    let long = apart.length().max(f64::MIN_POSITIVE);
                    let growing = apart * ((1.0 - work.strain[k] / long) / dt);
                    let (pull, way) = springs.pull(k, apart, growing);
                    let wished = apart * stiffness - way * pull;
                    pair[1].add_to(&mut work.force, wished);
                    pair[0].add_to(&mut work.force, -wished);
                }
            }
        }
    }

    /// What places that touch something would like: to be outside, and as far back as friction can
    /// hold them. Whether some of them touch that did not before.
    fn push_back(&self, dt: f64, work: &mut Work) -> bool {
        let mut more = false;
        for meeting in &mut work.meetings {
            let (sample, obstacle) =
                (&self.samples[meeting.sample], &self.obstacles[meeting.obstacle]);
            let here = sample.row.of(&work.next);
            let (clear, out) = obstacle.clearance(here);
            more |= clear < 0.0 && !meeting.touches;
            meeting.touches |= clear < 0.0;
            if !meeting.touches {
                continue;
            }
            let deep = (-clear).max(0.0);
            let moved = here - meeting.stuck;
            let along = moved - out * out.dot(moved);
            let held = along.clamp_length_max(self.friction * deep);
            let stiff = stiffness(sample, dt);
            meeting.push = stiff * deep;
            sample.row.add_to(&mut work.force, (here + out * deep - held) * stiff);
        }
        more
    }
}

/// Which matrix a factor is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Factored {
    /// None of use.
    #[default]
    Nothing,
    /// The fixed one.
    Alone,
    /// The same with everything that touches.
    WithTouches,
}

/// Stiffness of contact `c` beside a sample's mass over the square of the step. Larger: friction is
/// too weak, as `r` rounds find all of it but `(c/(1 + c))ʳ`. Smaller: what lies on a floor sinks in,
/// by `g dt²/c`, and what friction holds creeps, by `μ g dt/c` a second.
const CONTACT: f64 = 2.0;

/// Newtons a metre that a place is pushed out with.
fn stiffness(sample: &Sample, dt: f64) -> f64 {
    CONTACT * sample.mass / (dt * dt)
}

/// Adds `value` times the products of a difference of two rows with itself.
pub(super) fn add_difference(
    matrix: &mut Symmetric<4>,
    from: &super::basis::Row,
    to: &super::basis::Row,
    value: f64,
) {
    let first = from.first.min(to.first);
    let mut weights = [0.0; 8];
    for k in 0..4 {
        weights[to.first - first + k] += to.weights[k];
        weights[from.first - first + k] -= from.weights[k];
    }
    for a in 0..8 {
        for b in 0..=a {
            let product = weights[a] * weights[b];
            if product != 0.0 {
                matrix.add(first + a, first + b, value * product);
            }
        }
    }
}
