//! Rounds of shapes on one fixed factor: implicit, cheap, and soft.
//!
//! Every node chooses the slope it would like, as long as at rest; the control points nearest to all
//! of these wishes and to where inertia would take them are one solve with a matrix that never
//! changes, `M (1 + c dt)/dt² + Σ w k Dᵀ D + K`, factored once (the local and global steps of Bouaziz
//! et al. 2014; NOTES 2). Stable however long the step, and of first order.
//!
//! What it cannot do is turn stiff ropes quickly: a wish keeps the direction that a node has, so each
//! round turns the rope only by about mass over `dt² k` of what is left. Ten rounds of a hemp rope at
//! 60 steps a second fall like a feather, which is why the default is `implicit.rs`.
//!
//! Pins are brought to their places in every round, on the same factor.
//!
//! Tests: `local_global_vs_implicit_on_a_soft_rope`, `pins_hold_to_rounding`.

use super::build::{Elasticity, Hold};
use super::energy::times;
use super::implicit::Breeze;
use super::rope::{Next, SplineRope, StepReport, Work};
use super::touch;
use crate::num::banded::Symmetric;

impl SplineRope {
    pub(super) fn local_global_step(&mut self, dt: f64, rounds: usize) -> StepReport {
        let mut work = std::mem::take(&mut self.work);
        self.state.positions_before.clone_from(&self.state.positions);
        self.state.velocities_before.clone_from(&self.state.velocities);
        self.make_fixed(dt, &mut work);
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
        for push in &self.pushes {
            self.row(push.u).add_to(&mut work.constant, push.force);
        }
        if self.air.density != 0.0 && self.drag != 0.0 && self.radius != 0.0 {
            for node in &self.sails {
                let breeze = Breeze::at(self, node, q, v);
                node.value.add_to(&mut work.constant, breeze.pull(node.value.of(v)));
            }
        }
        if self.build.hold == Hold::Penalty {
            for (row, target) in self.pinned.iter().zip(&self.targets) {
                row.add_to(&mut work.constant, *target * self.penalty());
            }
        }
        work.next.clear();
        work.next.extend(q.iter().zip(v).map(|(q, v)| *q + *v * dt));
        for _ in 0..rounds.max(1) {
            work.force.clone_from(&work.constant);
            self.add_wishes(&mut work);
            self.push_back(dt, &mut work);
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
        if self.build.hold == Hold::Constraint {
            self.held.bring(&self.targets, &mut state.positions);
        }
        state.pushes.clear();
        state.pushes.resize(self.samples.len() * self.obstacles.len(), 0.0);
        let mut contacts = 0;
        for meeting in &work.meetings {
            state.pushes[meeting.sample * self.obstacles.len() + meeting.obstacle] = meeting.push;
            contacts += u32::from(meeting.push > 0.0);
        }
        state.next = Next::First;
        self.work = work;
        StepReport { parts: 1, solves: rounds.max(1) as u32, contacts }
    }

    /// The matrix and its factor, if the step or the viscosity is another than before; and the pins
    /// upon it.
    fn make_fixed(&self, dt: f64, work: &mut Work) {
        let made_for = (dt.to_bits(), self.viscosity.to_bits());
        if work.made_for != Some(made_for) {
            work.made_for = Some(made_for);
            let inertia = (1.0 + self.viscosity * dt) / (dt * dt);
            work.fixed.reset(self.basis.len());
            let energy = self.build.elasticity == Elasticity::Energy;
            for (i, (mass, bend)) in self.mass.rows.iter().zip(&self.bending.rows).enumerate() {
                let bend_scale = if energy { 1.0 } else { 0.0 };
                work.fixed.rows[i].diagonal = inertia * mass.diagonal + bend_scale * bend.diagonal;
                for k in 0..3 {
                    work.fixed.rows[i].below[k] =
                        inertia * mass.below[k] + bend_scale * bend.below[k];
                }
            }
            if energy {
                for node in &self.nodes {
                    let stiffness = node.weight * self.build.stuff.stretch / node.rest;
                    node.slope.add_square(&mut work.fixed, stiffness);
                }
            } else {
                for pair in self.springs.rows.windows(2) {
                    add_difference(&mut work.fixed, &pair[0], &pair[1], self.springs.stiffness);
                }
            }
            if self.build.hold == Hold::Penalty {
                for row in &self.pinned {
                    row.add_square(&mut work.fixed, self.penalty());
                }
            }
            // Positive definite: it has the mass in it.
            if work.fixed_factor.build(&work.fixed).is_err() {
                work.made_for = None;
            }
            work.fixed_held.forget();
        }
        if self.build.hold == Hold::Constraint
            && !work.fixed_held.is_for(self.pinned.iter().copied())
        {
            work.fixed_held.prepare(&work.fixed_factor, self.pinned.iter().copied());
        }
    }

    /// What nodes or springs would like, as forces; and how hard they pull.
    fn add_wishes(&mut self, work: &mut Work) {
        let stuff = &self.build.stuff;
        match self.build.elasticity {
            Elasticity::Energy => {
                for (node, tension) in self.nodes.iter().zip(&mut self.state.tensions) {
                    let slope = node.slope.of(&work.next);
                    let long = slope.length().max(1e-9 * node.rest);
                    // Shorter than at rest it wishes for little; longer, to be as long as at rest.
                    let share = if long < node.rest { stuff.compression } else { 1.0 };
                    let wished = slope * (1.0 + share * (node.rest / long - 1.0));
                    let stiffness = node.weight * stuff.stretch / node.rest;
                    *tension = share * stuff.stretch * (long / node.rest - 1.0);
                    node.slope.add_to(&mut work.force, wished * stiffness);
                }
            }
            Elasticity::Springs { .. } => {
                let springs = &self.springs;
                for (k, pair) in springs.rows.windows(2).enumerate() {
                    let apart = pair[1].of(&work.next) - pair[0].of(&work.next);
                    let long = apart.length();
                    let wished = if long > springs.rest[k] {
                        apart * (springs.rest[k] / long)
                    } else {
                        apart
                    };
                    pair[1].add_to(&mut work.force, wished * springs.stiffness);
                    pair[0].add_to(&mut work.force, wished * -springs.stiffness);
                }
            }
        }
    }

    /// Pushes that grow from round to round while a place is inside something.
    fn push_back(&self, dt: f64, work: &mut Work) {
        for meeting in &mut work.meetings {
            let (sample, obstacle) =
                (&self.samples[meeting.sample], &self.obstacles[meeting.obstacle]);
            let here = sample.row.of(&work.next);
            let (clear, out) = obstacle.clearance(here);
            let stiff = sample.mass / (dt * dt);
            meeting.push = (meeting.push - stiff * clear).max(0.0);
            let moved = here - meeting.stuck;
            let along = moved - out * out.dot(moved);
            let most = self.friction * meeting.push;
            meeting.drag = (meeting.drag - along * stiff).clamp_length_max(most);
            sample.row.add_to(&mut work.force, out * meeting.push + meeting.drag);
        }
    }
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
