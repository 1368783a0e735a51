//! Value-independent data of a wiggly curve: nodes, stretches between them, and the factored
//! system, which is reused when the value of a knot changes.

use std::f64::consts::TAU;

use glam::{DMat2, DVec2};
use num_complex::Complex64;

use super::chain::{self, Block, Chain, State};
use super::element::Element;
use super::ring_down::RingDown;
use super::spring::{Kind, Now, Spring};
use super::stretch::{Stretch, Stretches, Turning};
use crate::motion::Channel;
use crate::num::complex;

/// Relative change that ends the iteration. Each iteration reduces the effect of the ridge by a
/// factor of 1e9, so the next one would change nothing.
const CONVERGED: f64 = 1e-7;

/// Limit on iterations, for systems that only the ridge determines.
const MAX_ITERATIONS: usize = 4;

/// Cycles to the next key from which the penalty on leaving a key otherwise than in free
/// oscillation begins, and from which it has its full weight.
const FREE_AFTER: [f64; 2] = [1.0, 3.0];

/// Full weight of that penalty, relative to the overshoot penalty.
const FREE_WEIGHT: f64 = 1e3;

/// Seconds after the last node over which the penalty on a real spline is integrated.
const TAIL: f64 = 4.0;

/// Relative weight of the ridge (Tikhonov regularisation).
const RIDGE: f64 = 1e-9;

/// Half the Hessian of the cost of a stretch in `(x, v)` at its two nodes.
#[derive(Clone, Debug)]
struct StretchCost {
    first: Block,
    across: Block,
    last: Block,
}

/// A time at which the state is an unknown: a knot, a start, a jump of the spring.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) time: f64,
    /// The spring just before the node and from it on.
    pub(super) before: Now,
    pub(super) after: Now,
    /// Components of `(Re x, Im x, Re v, Im v)` that are fixed.
    pub(super) pinned: [bool; 4],
    /// Weights of soft slopes before and after the node.
    pub(super) soft: [f64; 2],
    /// Whether the curve is held from the previous node up to here, and starts from rest.
    pub(super) is_held: bool,
}

impl Node {
    pub(super) fn new(time: f64, spring: &Spring) -> Self {
        let (before, after) = (spring.at(time.next_down()), spring.at(time));
        let im = spring.kind == Kind::Real;
        Self { time, before, after, pinned: [false, im, false, im], soft: [0.0; 2], is_held: false }
    }

    /// The end of a hold.
    pub(super) fn held(time: f64, spring: &Spring) -> Self {
        Self { pinned: [true; 4], is_held: true, ..Self::new(time, spring) }
    }

    /// Whether the value of the node is fixed.
    fn is_key(&self) -> bool {
        self.pinned[0] && !self.is_held
    }

    /// Whether the two sides of the node are independent.
    pub(super) fn is_separator(&self) -> bool {
        self.pinned == [true; 4] && !self.is_held
    }
}

/// Nodes, stretches, and their factored system.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) kind: Kind,
    pub(super) nodes: Vec<Node>,
    /// Times of the nodes, contiguous for the search.
    pub(super) times: Vec<f64>,
    pub(super) stretches: Stretches,
    /// Period in seconds of a loop.
    pub(super) period: Option<f64>,
    costs: Vec<StretchCost>,
    /// Penalties on not leaving single nodes in free oscillation.
    free_penalties: Vec<(usize, Block)>,
    after: RingDown,
    ridges: Vec<Block>,
    chain: Chain,
}

impl Plan {
    /// Plan for at least one node, sorted by time.
    pub(super) fn new(spring: &Spring, nodes: Vec<Node>, period: Option<f64>) -> Self {
        let times: Vec<f64> = nodes.iter().map(|node| node.time).collect();
        let mut ends = times.clone();
        ends.extend(period.map(|period| times[0] + period));
        let stretches = Stretches::divide(spring, &ends);
        let costs: Vec<StretchCost> = stretches
            .list
            .iter()
            .enumerate()
            .map(|(k, stretch)| {
                let next = &nodes[(k + 1) % nodes.len()];
                stretch_cost(spring, stretch, &nodes[k], next)
            })
            .collect();
        let last = nodes.len() - 1;
        let key_before = nodes[..last].iter().rev().find(|node| node.is_key());
        let gap = key_before.map_or(f64::INFINITY, |key| nodes[last].time - key.time);
        let after = RingDown::new(spring, &nodes[last].after, gap);
        let free_penalties = free_penalties(spring, &nodes, period);
        let (chain, ridges) = factor(&nodes, &costs, &free_penalties, period.is_some());
        let kind = spring.kind;
        Self { kind, nodes, times, stretches, period, costs, free_penalties, after, ridges, chain }
    }

    /// Computes the states of least cost, given the pinned components of `states` (the others are
    /// overwritten), the breaks of slope at nodes, and the targets of soft slopes.
    pub(super) fn solve(&self, states: &mut [State], breaks: &[f64], targets: &[[f64; 2]]) {
        for (state, node) in states.iter_mut().zip(&self.nodes) {
            for (part, pinned) in state.iter_mut().zip(node.pinned) {
                if !pinned {
                    *part = 0.0;
                }
            }
        }
        // The first iteration includes the ridge; the next ones remove its effect wherever the
        // system is determined without it.
        let mut rest = vec![[0.0; 4]; states.len()];
        let size = |states: &[State]| states.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        for iteration in 0..MAX_ITERATIONS {
            self.gradient(states, breaks, targets, &mut rest);
            if iteration == 0 {
                for (rest, (ridge, state)) in rest.iter_mut().zip(self.ridges.iter().zip(&*states))
                {
                    chain::add_product(rest, ridge, state);
                }
            }
            for (rest, node) in rest.iter_mut().zip(&self.nodes) {
                for (rest, pinned) in rest.iter_mut().zip(node.pinned) {
                    *rest = if pinned { 0.0 } else { -*rest };
                }
            }
            self.chain.solve(&mut rest);
            for (state, step) in states.iter_mut().flatten().zip(rest.iter().flatten()) {
                *state += step;
            }
            if iteration > 0 && size(&rest) <= CONVERGED * size(states) {
                break;
            }
        }
    }

    fn gradient(&self, states: &[State], breaks: &[f64], targets: &[[f64; 2]], out: &mut [State]) {
        out.fill([0.0; 4]);
        for (k, cost) in self.costs.iter().enumerate() {
            let next = (k + 1) % self.nodes.len();
            let (from, mut to) = (states[k], states[next]);
            to[2] += breaks[next];
            chain::add_product(&mut out[k], &cost.first, &from);
            chain::add_product(&mut out[k], &cost.across, &to);
            chain::add_transposed(&mut out[next], &cost.across, &from);
            chain::add_product(&mut out[next], &cost.last, &to);
        }
        for (k, penalty) in &self.free_penalties {
            chain::add_product(&mut out[*k], penalty, &states[*k]);
        }
        for (k, node) in self.nodes.iter().enumerate() {
            let v = states[k][2];
            out[k][2] += node.soft[0] * (v + breaks[k] - targets[k][0]);
            out[k][2] += node.soft[1] * (v - targets[k][1]);
        }
    }

    /// Curve between the nodes: eight coefficients per cell, without the phase.
    pub(super) fn fill(&self, states: &[State], breaks: &[f64]) -> Vec<[Complex64; 8]> {
        let mut out = Vec::with_capacity(self.stretches.cell_count);
        let mut tracks = Vec::new();
        for (k, stretch) in self.stretches.list.iter().enumerate() {
            let next = (k + 1) % self.nodes.len();
            let (mut from, mut to) = (states[k], states[next]);
            to[2] += breaks[next];
            if self.nodes[next].is_held {
                (from[2], to[2]) = (0.0, 0.0);
            }
            if stretch.is_slack {
                // No rotation here; the imaginary part, which followers read, blends from one
                // spring to the next.
                (from[3], to[3]) = (0.0, 0.0);
            }
            let from = self.inner(&self.nodes[k].after, &from, 0.0);
            let to = self.inner(&self.nodes[next].before, &to, -stretch.phase);
            self.stretches.fill(stretch, [from, to], &mut tracks, &mut out);
        }
        out
    }

    /// `(x, z)` of a state, rotated by `turns`.
    fn inner(&self, now: &Now, state: &State, turns: f64) -> [Complex64; 2] {
        let turn = complex::cis_turns(turns);
        let [x, v] = pair(state);
        let omega = match self.kind {
            Kind::Complex => now.omega,
            Kind::Real => 0.0,
        };
        [x * turn, (v + x * Complex64::new(now.d, -omega)) * turn]
    }

    /// Phase factor at `t` in cell `j` of a stretch.
    #[inline]
    pub(super) fn phase(&self, stretch: &Stretch, j: usize, t: f64) -> Complex64 {
        if self.kind == Kind::Real {
            return Complex64::ONE;
        }
        let turning = &self.stretches.turning;
        if let Turning::Steady(hertz) = turning {
            return complex::cis_turns(hertz * (t - stretch.start));
        }
        let cell = self.stretches.cell(stretch, j);
        let start = stretch.start + cell.counted;
        complex::cis_turns(cell.phase + turning.between(start, t, cell.turn))
    }

    /// State `tau` seconds after the last node: `x`, its slope, and the force on the spring.
    pub(super) fn ring_down(&self, state: &State, tau: f64) -> [Complex64; 3] {
        let now = &self.nodes[self.nodes.len() - 1].after;
        self.after.at(now, self.inner(now, state, 0.0), tau)
    }

    /// Largest deviation after the last node.
    pub(super) fn reach_after(&self, state: &State) -> f64 {
        let now = &self.nodes[self.nodes.len() - 1].after;
        if now.is_slack() {
            return state[0].abs();
        }
        self.after.reach(now, self.inner(now, state, 0.0))
    }
}

/// `x` and `v` of a state as complex numbers.
pub(super) fn pair(state: &State) -> [Complex64; 2] {
    [Complex64::new(state[0], state[1]), Complex64::new(state[2], state[3])]
}

/// Cost of a stretch as a quadratic form of `(x, v)` at its two nodes.
fn stretch_cost(spring: &Spring, stretch: &Stretch, from: &Node, to: &Node) -> StretchCost {
    let Element { phi, w, q } = stretch.whole;
    let inverse = w.inverse();
    let first = q + phi.transpose() * inverse * phi;
    let across = phi.transpose() * inverse * -1.0;
    let turn = complex::cis_turns(-stretch.phase);
    // z = v - p x at either end, with p = -d + iω.
    let lift = |now: &Now| Complex64::new(now.d, -spring.turning(now));
    let (here, there) = (lift(&from.after), lift(&to.before));
    let mut cost = StretchCost {
        first: real_form(&product(&first, here, Complex64::ONE, here)),
        across: real_form(&product(&across, here, turn, there)),
        last: real_form(&product(&inverse, there, Complex64::ONE, there)),
    };
    if to.is_held {
        return StretchCost { first: chain::ZERO, across: chain::ZERO, last: chain::ZERO };
    }
    if stretch.is_slack {
        const IM: [bool; 4] = [false, true, false, true];
        for block in [&mut cost.first, &mut cost.across, &mut cost.last] {
            pin(block, IM, IM);
        }
    }
    cost
}

/// `Tᴴ m T'` with `T = [[1, 0], [lift, 1]]`, times a factor.
fn product(m: &DMat2, left: Complex64, factor: Complex64, right: Complex64) -> [[Complex64; 2]; 2] {
    let (a, b) = (m.x_axis.x, m.y_axis.x);
    let (c, d) = (m.x_axis.y, m.y_axis.y);
    let left = left.conj();
    let rows = [[a + left * c, b + left * d], [Complex64::from(c), Complex64::from(d)]];
    rows.map(|row| [(row[0] + row[1] * right) * factor, row[1] * factor])
}

/// Real form of a complex block: an entry `p + iq` becomes `[[p, -q], [q, p]]`.
fn real_form(m: &[[Complex64; 2]; 2]) -> Block {
    let mut out = chain::ZERO;
    for i in 0..2 {
        for j in 0..2 {
            let z = m[i][j];
            out[2 * i][2 * j] = z.re;
            out[2 * i][2 * j + 1] = -z.im;
            out[2 * i + 1][2 * j] = z.im;
            out[2 * i + 1][2 * j + 1] = z.re;
        }
    }
    out
}

/// Assembles the blocks, applies the pinned components, and factors.
fn factor(
    nodes: &[Node],
    costs: &[StretchCost],
    free_penalties: &[(usize, Block)],
    ring: bool,
) -> (Chain, Vec<Block>) {
    let n = nodes.len();
    let mut diagonal = vec![chain::ZERO; n];
    for (k, cost) in costs.iter().enumerate() {
        chain::add(&mut diagonal[k], &cost.first);
        chain::add(&mut diagonal[(k + 1) % n], &cost.last);
    }
    for (k, penalty) in free_penalties {
        chain::add(&mut diagonal[*k], penalty);
    }
    let mut ridges = Vec::with_capacity(n);
    for (block, node) in diagonal.iter_mut().zip(nodes) {
        block[2][2] += node.soft[0] + node.soft[1];
        ridges.push(ridge(block, node));
        chain::add(block, &ridges[ridges.len() - 1]);
    }
    let mut across: Vec<Block> = costs.iter().map(|cost| cost.across).collect();
    for k in 0..across.len() {
        pin(&mut across[k], nodes[k].pinned, nodes[(k + 1) % n].pinned);
    }
    let wrap = if ring { across.pop() } else { None };
    for (block, node) in diagonal.iter_mut().zip(nodes) {
        pin(block, node.pinned, node.pinned);
        for (i, row) in block.iter_mut().enumerate() {
            if node.pinned[i] {
                row[i] = 1.0;
            }
        }
    }
    (Chain::factor(diagonal, across, wrap), ridges)
}

/// Penalties that make the curve leave a key in free oscillation, with no larger amplitude, if the
/// next key is some cycles away. The last key has no next one.
fn free_penalties(spring: &Spring, nodes: &[Node], period: Option<f64>) -> Vec<(usize, Block)> {
    let mut out = Vec::new();
    if spring.overshoot_penalty == 0.0 {
        return out;
    }
    let is_key = |k: &usize| nodes[*k].is_key();
    let last = nodes.len() - 1;
    if spring.kind == Kind::Real {
        let now = &nodes[last].after;
        if period.is_none() && spring.penalty_weight(now) > 0.0 {
            out.push((last, node_penalty(spring, now, &Element::new(&spring.rates(now), TAIL).q)));
        }
        return out;
    }
    let wrapped = period.zip((0..nodes.len()).find(is_key));
    let mut next = wrapped.map_or(f64::INFINITY, |(period, k)| nodes[k].time + period);
    for (k, node) in nodes.iter().enumerate().rev() {
        let now = &node.after;
        let penalty = spring.penalty_weight(now);
        // A spring without oscillation counts as having no next key.
        let gap = next - node.time;
        let cycles = if gap.is_infinite() { gap } else { gap * now.omega / TAU };
        let share = ((cycles - FREE_AFTER[0]) / (FREE_AFTER[1] - FREE_AFTER[0])).clamp(0.0, 1.0);
        if penalty > 0.0 && share > 0.0 && (is_key(&k) || k == last) && !node.is_separator() {
            let weight = FREE_WEIGHT * share * share * penalty / (now.d * now.d + penalty).sqrt();
            let on_z = DMat2::from_diagonal(DVec2::new(0.0, weight));
            out.push((k, node_penalty(spring, now, &on_z)));
        }
        if is_key(&k) {
            next = node.time;
        }
    }
    out
}

/// Penalty on `(x, z)` at a node, in terms of its state.
fn node_penalty(spring: &Spring, now: &Now, on: &DMat2) -> Block {
    let lift = Complex64::new(now.d, -spring.turning(now));
    real_form(&product(on, lift, Complex64::ONE, lift))
}

fn pin(block: &mut Block, rows: [bool; 4], columns: [bool; 4]) {
    for i in 0..4 {
        for j in 0..4 {
            if rows[i] || columns[j] {
                block[i][j] = 0.0;
            }
        }
    }
}

/// Ridge that prefers a free oscillation (`z = 0`), then a small one, where the system is not
/// determined.
fn ridge(block: &Block, node: &Node) -> Block {
    let scale = 0.5 * (block[2][2] + block[3][3]);
    let weight = RIDGE * if scale > 0.0 { scale } else { 1.0 };
    let lift = Complex64::new(node.after.d, -node.after.omega);
    let small = 1e-6 * (node.after.omega * node.after.omega).max(1.0);
    let ridge = DMat2::from_cols(DVec2::new(small, 0.0), DVec2::new(0.0, 1.0)) * weight;
    real_form(&product(&ridge, lift, Complex64::ONE, lift))
}

/// Times at which a channel jumps.
pub(super) fn jumps(channel: &Channel<f64>, from: f64, to: f64, out: &mut Vec<f64>) {
    let times = channel.key_times();
    out.extend(times.iter().copied().filter(|t| {
        let (before, here) = (channel.at(t.next_down()), channel.at(*t));
        *t > from && *t < to && (here - before).abs() > 1e-6 * here.abs().max(before.abs())
    }));
}
