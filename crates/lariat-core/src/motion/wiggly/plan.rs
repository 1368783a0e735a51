//! Everything about a wiggly curve that does not depend on its values: nodes, the stretches
//! between them, and the factored system. Moving a knot up or down uses it again as it is.

use std::f64::consts::{LN_2, TAU};

use glam::{DMat2, DVec2};
use num_complex::Complex64;

use super::chain::{self, Block, Chain, State};
use super::element::{Element, Rates};
use super::spring::{Kind, Now, Spring};
use crate::motion::{Channel, Integral};
use crate::num::{complex, ops};

/// How short a cell is against the fastest rate on it. The polynomial of degree seven in a cell
/// is then off by 1e-9 of what it stands for (`h⁸ y⁽⁸⁾/10⁷`).
const CELL: f64 = 0.55;

/// Where the spring changes, it does so in steps of this part of itself.
const STEP: f64 = 0.01;

/// Steps a second at most.
const CELLS_WHEN_VARYING: f64 = 96.0;

/// More cells than this are not laid; each is then longer than it should be.
const MAX_CELLS: f64 = 65_536.0;

/// Every round takes a billionth of what the ridge leaves; once a round changes less than this,
/// the next would change nothing.
const SETTLED: f64 = 1e-7;

/// Where the ridge alone decides, rounds do not end by themselves.
const MAX_ROUNDS: usize = 4;

/// For how many seconds calm looks at what a real spline rings on after the last node.
const TAIL: f64 = 4.0;

/// How weak the ridge is that decides what nothing else decides, against what decides the rest.
const RIDGE: f64 = 1e-9;

/// `(s₀, s₁)` of a stretch as `(x, v)` at its two nodes: half the second derivatives of its cost.
#[derive(Clone, Debug)]
struct Ties {
    first: Block,
    across: Block,
    last: Block,
}

/// A moment at which the curve has a state of its own: a knot, a start, a jump of the spring.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) time: f64,
    /// The spring just before and from here on.
    pub(super) before: Now,
    pub(super) after: Now,
    /// Which of `(Re x, Im x, Re v, Im v)` are given.
    pub(super) pinned: [bool; 4],
    /// What soft slopes weigh, arriving and leaving.
    pub(super) soft: [f64; 2],
}

impl Node {
    pub(super) fn new(time: f64, spring: &Spring) -> Self {
        let (before, after) = (spring.at(time.next_down()), spring.at(time));
        let im = spring.kind == Kind::Real;
        Self { time, before, after, pinned: [false, im, false, im], soft: [0.0; 2] }
    }

    /// Whether nothing passes from one side to the other.
    pub(super) fn is_wall(&self) -> bool {
        self.pinned == [true; 4]
    }
}

/// Constant rates for a while.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) rates: Rates,
    element: Element,
    /// Decay at its two ends, which may differ from that within.
    ends: [f64; 2],
    /// Turns of the phase up to its start.
    phase: f64,
    /// Turns of the phase per turn of `hertz`.
    turn: f64,
}

/// How to get from a state at the start of a stretch to one within.
#[derive(Clone, Debug)]
struct Within {
    phi: DMat2,
    w: DMat2,
    /// `(1 + Q W)⁻¹` with the `Q` of the cell that follows.
    open: DMat2,
}

/// From one node to the next.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) start: f64,
    pub(super) end: f64,
    /// Length of a cell in seconds, cells per second, and how many there are.
    pub(super) step: f64,
    pub(super) per_second: f64,
    pub(super) count: usize,
    /// One if all are alike.
    cells: Vec<Cell>,
    within: Vec<Within>,
    whole: Element,
    /// How many turns the phase makes over all of it.
    phase: f64,
    /// Where its cells start among those of the whole curve.
    pub(super) first_cell: usize,
    /// No spring at all: the real part is a cubic, and there is no phase and no imaginary part.
    is_slack: bool,
}

impl Stretch {
    pub(super) fn cell(&self, j: usize) -> &Cell {
        &self.cells[j.min(self.cells.len() - 1)]
    }
}

/// Nodes, stretches, and the system that ties them.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) kind: Kind,
    pub(super) nodes: Vec<Node>,
    /// Their times, close together for the search.
    pub(super) times: Vec<f64>,
    pub(super) stretches: Vec<Stretch>,
    /// If it comes round again, after how many seconds.
    pub(super) period: Option<f64>,
    turning: Turning,
    ties: Vec<Ties>,
    /// What calm charges for ringing on after the last node.
    tail: Block,
    /// Per second: how fast the swing settles after the last node.
    settles: f64,
    ridges: Vec<Block>,
    chain: Chain,
    pub(super) cell_count: usize,
}

/// How the phase turns with time.
#[derive(Clone, Debug)]
enum Turning {
    Steady(f64),
    Keyed(Integral),
}

impl Turning {
    fn new(spring: &Spring) -> Self {
        if spring.kind == Kind::Real {
            Self::Steady(0.0)
        } else if spring.is_constant() {
            Self::Steady(spring.at(0.0).omega / TAU)
        } else {
            Self::Keyed(Integral::of(&spring.hertz))
        }
    }

    /// Turns from one time to another, where a turn of `hertz` is so many.
    fn between(&self, from: f64, to: f64, turn: f64) -> f64 {
        match self {
            Self::Steady(hertz) => hertz * (to - from),
            Self::Keyed(turns) => turn * (turns.to(to) - turns.to(from)),
        }
    }
}

impl Plan {
    /// Lays it out for nodes in order of time; at least one.
    pub(super) fn new(spring: &Spring, nodes: Vec<Node>, period: Option<f64>) -> Self {
        let turning = Turning::new(spring);
        let mut stretches = Vec::with_capacity(nodes.len());
        let mut cell_count = 0;
        let mut ends: Vec<f64> = nodes.iter().skip(1).map(|node| node.time).collect();
        ends.extend(period.map(|period| nodes[0].time + period));
        for (node, end) in nodes.iter().zip(ends) {
            let stretch = lay(spring, &turning, node.time, end, cell_count);
            cell_count += stretch.count;
            stretches.push(stretch);
        }
        let ties: Vec<Ties> = stretches
            .iter()
            .enumerate()
            .map(|(k, stretch)| {
                let next = &nodes[(k + 1) % nodes.len()];
                tie(spring, stretch, &nodes[k], next)
            })
            .collect();
        let (tail, settles) = match period {
            Some(_) => (chain::ZERO, 0.0),
            None => tail(spring, &nodes[nodes.len() - 1]),
        };
        let (chain, ridges) = factor(&nodes, &ties, &tail, period.is_some());
        let kind = spring.kind;
        Self {
            kind,
            times: nodes.iter().map(|node| node.time).collect(),
            nodes,
            stretches,
            period,
            turning,
            ties,
            tail,
            settles,
            ridges,
            chain,
            cell_count,
        }
    }

    /// The states of least cost, given what is pinned in `states` (the rest is overwritten), by
    /// how much the slope arrives otherwise than it leaves, and what soft slopes pull at.
    pub(super) fn solve(&self, states: &mut [State], broken: &[f64], pulls: &[[f64; 2]]) {
        for (state, node) in states.iter_mut().zip(&self.nodes) {
            for (part, pinned) in state.iter_mut().zip(node.pinned) {
                if !pinned {
                    *part = 0.0;
                }
            }
        }
        // The first round solves it with the ridge; the next ones take the ridge out again,
        // wherever anything else has a say.
        let mut rest = vec![[0.0; 4]; states.len()];
        let size = |states: &[State]| states.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        for round in 0..MAX_ROUNDS {
            self.slope_of_cost(states, broken, pulls, &mut rest);
            if round == 0 {
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
            if round > 0 && size(&rest) <= SETTLED * size(states) {
                break;
            }
        }
    }

    fn slope_of_cost(
        &self,
        states: &[State],
        broken: &[f64],
        pulls: &[[f64; 2]],
        out: &mut [State],
    ) {
        out.fill([0.0; 4]);
        for (k, ties) in self.ties.iter().enumerate() {
            let next = (k + 1) % self.nodes.len();
            let (from, mut to) = (states[k], states[next]);
            to[2] += broken[next];
            chain::add_product(&mut out[k], &ties.first, &from);
            chain::add_product(&mut out[k], &ties.across, &to);
            chain::add_transposed(&mut out[next], &ties.across, &from);
            chain::add_product(&mut out[next], &ties.last, &to);
        }
        let last = self.nodes.len() - 1;
        chain::add_product(&mut out[last], &self.tail, &states[last]);
        for (k, node) in self.nodes.iter().enumerate() {
            let v = states[k][2];
            out[k][2] += node.soft[0] * (v + broken[k] - pulls[k][0]);
            out[k][2] += node.soft[1] * (v - pulls[k][1]);
        }
    }

    /// Fills in the curve between the nodes: eight coefficients a cell, the phase taken out.
    pub(super) fn fill(&self, states: &[State], broken: &[f64]) -> Vec<[Complex64; 8]> {
        let mut out = Vec::with_capacity(self.cell_count);
        let mut tracks = Vec::new();
        for (k, stretch) in self.stretches.iter().enumerate() {
            let next = (k + 1) % self.nodes.len();
            let (mut from, mut to) = (states[k], states[next]);
            to[2] += broken[next];
            if stretch.is_slack {
                for state in [&mut from, &mut to] {
                    (state[1], state[3]) = (0.0, 0.0);
                }
            }
            let from = self.inner(&self.nodes[k].after, &from, 0.0);
            let to = self.inner(&self.nodes[next].before, &to, -stretch.phase);
            stretch.follow(from, to, &mut tracks);
            for j in 0..stretch.count {
                let cell = stretch.cell(j);
                let first = tracks[j].derivatives(&cell.rates, cell.ends[0], stretch.step);
                let last = tracks[j + 1].derivatives(&cell.rates, cell.ends[1], stretch.step);
                out.push(through(&first, &last));
            }
        }
        out
    }

    /// `(x, z)` of a state, turned by so many turns.
    fn inner(&self, now: &Now, state: &State, turns: f64) -> [Complex64; 2] {
        let turn = complex::cis_turns(turns);
        let [x, v] = pair(state);
        let omega = match self.kind {
            Kind::Complex => now.omega,
            Kind::Real => 0.0,
        };
        [x * turn, (v + x * Complex64::new(now.d, -omega)) * turn]
    }

    /// The factor that puts the phase back in, at `t` in cell `j` of a stretch.
    #[inline]
    pub(super) fn phase(&self, stretch: &Stretch, j: usize, t: f64) -> Complex64 {
        if self.kind == Kind::Real {
            return Complex64::ONE;
        }
        if let Turning::Steady(hertz) = self.turning {
            return complex::cis_turns(hertz * (t - stretch.start));
        }
        let cell = stretch.cell(j);
        // Where one cell stands for all of them, the phase is counted from the first.
        let first = if stretch.cells.len() == 1 { 0 } else { j };
        let start = stretch.start + first as f64 * stretch.step;
        complex::cis_turns(cell.phase + self.turning.between(start, t, cell.turn))
    }

    /// What follows the last state: `x` and its slope after `tau` seconds.
    ///
    /// The real spline rings down freely. Of the complex one, two poles would beat for ever after;
    /// what calm charges least for is one pole, to which the swing settles at the rate `κ`.
    pub(super) fn ring_down(&self, state: &State, tau: f64) -> [Complex64; 2] {
        let now = &self.nodes[self.nodes.len() - 1].after;
        let [x, z] = self.inner(now, state, 0.0);
        let fade = ops::exp(-now.d * tau);
        if fade == 0.0 {
            return [Complex64::ZERO; 2];
        }
        match self.kind {
            Kind::Real => {
                let (sin, cos) = ops::sin_cos(now.omega * tau);
                let reach = if now.omega * tau > 1e-8 { sin / now.omega } else { tau };
                let then = (x * cos + z * reach) * fade;
                let z_then = (z * cos - x * (now.omega * sin)) * fade;
                [then, z_then - then * now.d]
            }
            Kind::Complex => {
                let settles = self.settles;
                let rest = ops::exp(-settles * tau);
                let reach = if settles * tau > 1e-8 { (1.0 - rest) / settles } else { tau };
                let turn = complex::cis_turns(now.omega / TAU * tau) * fade;
                let then = (x + z * reach) * turn;
                [then, z * rest * turn + then * Complex64::new(-now.d, now.omega)]
            }
        }
    }
}

/// `x` and `v` of a state as complex numbers.
pub(super) fn pair(state: &State) -> [Complex64; 2] {
    [Complex64::new(state[0], state[1]), Complex64::new(state[2], state[3])]
}

/// State and costate at the end of a cell, the phase taken out.
#[derive(Clone, Copy, Debug)]
struct Track {
    x: Complex64,
    z: Complex64,
    mu: [Complex64; 2],
}

impl Track {
    /// `x` and its first three derivatives, in units of `h`.
    fn derivatives(&self, rates: &Rates, d_here: f64, h: f64) -> [Complex64; 4] {
        let Rates { d, b2, rz, .. } = *rates;
        let Self { x, z, mu } = *self;
        let x1 = z - x * d_here;
        let z1 = mu[1] - x * b2 - z * d;
        let mu2 = z * rz - mu[0] + mu[1] * d;
        let x2 = z1 - x1 * d;
        let z2 = mu2 - x1 * b2 - z1 * d;
        let x3 = z2 - x2 * d;
        [x, x1 * h, x2 * (h * h), x3 * (h * h * h)]
    }
}

/// The polynomial of degree seven on 0–1 through value and three derivatives at both ends.
fn through(first: &[Complex64; 4], last: &[Complex64; 4]) -> [Complex64; 8] {
    let [f0, f1, f2, f3] = *first;
    let (a2, a3) = (f2 * 0.5, f3 * (1.0 / 6.0));
    let a = last[0] - (f0 + f1 + a2 + a3);
    let b = last[1] - (f1 + f2 + a3 * 3.0);
    let c = last[2] - (f2 + f3);
    let d = last[3] - f3;
    [
        f0,
        f1,
        a2,
        a3,
        a * 35.0 - b * 15.0 + c * 2.5 - d * (1.0 / 6.0),
        a * -84.0 + b * 39.0 - c * 7.0 + d * 0.5,
        a * 70.0 - b * 34.0 + c * 6.5 - d * 0.5,
        a * -20.0 + b * 10.0 - c * 2.0 + d * (1.0 / 6.0),
    ]
}

impl Stretch {
    /// States and costates at the ends of its cells, from `(x, z)` at its own ends.
    fn follow(&self, from: [Complex64; 2], to: [Complex64; 2], out: &mut Vec<Track>) {
        let n = self.count;
        let free = apply(&self.whole.phi, from);
        let mut mu = apply(&self.whole.w.inverse(), [to[0] - free[0], to[1] - free[1]]);
        out.clear();
        out.resize(n + 1, Track { x: to[0], z: to[1], mu });
        for j in (1..n).rev() {
            let (within, next) = (&self.within[j - 1], &self.cell(j).element);
            let free = apply(&within.phi, from);
            let pull = apply(&next.q, free);
            let carried = apply(&next.phi.transpose(), mu);
            mu = apply(&within.open, [carried[0] - pull[0], carried[1] - pull[1]]);
            let pushed = apply(&within.w, mu);
            out[j] = Track { x: free[0] + pushed[0], z: free[1] + pushed[1], mu };
        }
        let next = &self.cell(0).element;
        let (carried, pull) = (apply(&next.phi.transpose(), mu), apply(&next.q, from));
        let mu = [carried[0] - pull[0], carried[1] - pull[1]];
        out[0] = Track { x: from[0], z: from[1], mu };
    }
}

fn apply(m: &DMat2, v: [Complex64; 2]) -> [Complex64; 2] {
    [v[0] * m.x_axis.x + v[1] * m.y_axis.x, v[0] * m.x_axis.y + v[1] * m.y_axis.y]
}

/// Lays the cells of a stretch.
fn lay(spring: &Spring, turning: &Turning, start: f64, end: f64, first_cell: usize) -> Stretch {
    let length = end - start;
    let middle = spring.rates(&spring.at(0.5 * (start + end)));
    let steady = rates_rest(spring, &middle, start, end);
    let mut fastest = middle.fastest();
    let mut least = 1.0;
    if !steady {
        let mut varies = 0.0;
        let mut before = spring.rates(&spring.at(start)).fastest();
        for i in 1..=64 {
            let t = (start + length * f64::from(i) / 64.0).min(end.next_down());
            let here = spring.rates(&spring.at(t)).fastest();
            varies += (here - before).abs();
            fastest = fastest.max(here);
            before = here;
        }
        let most = (length * CELLS_WHEN_VARYING).ceil().max(1.0);
        least = (varies / (STEP * fastest)).ceil().clamp(1.0, most);
    }
    let count = (length * fastest / CELL).ceil().max(least).min(MAX_CELLS) as usize;
    let step = length / count as f64;
    let mut cells = Vec::new();
    let mut phase = 0.0;
    for j in 0..if steady { 1 } else { count } {
        let from = start + j as f64 * step;
        let to = if j + 1 == count { end.next_down() } else { from + step };
        let now = spring.at(0.5 * (from + to));
        let turn = if spring.turns_by_hertz() {
            1.0
        } else {
            now.omega / TAU / spring.hertz.at(0.5 * (from + to)).max(f64::MIN_POSITIVE)
        };
        let rates = spring.rates(&now);
        let ends = if steady { [now.d; 2] } else { [spring.at(from).d, spring.at(to).d] };
        cells.push(Cell { rates, element: Element::short(&rates, step), ends, phase, turn });
        phase += turning.between(from, from + step, turn);
    }
    if steady {
        phase = turning.between(start, end, cells[0].turn);
    }
    let cell = |j: usize| &cells[j.min(cells.len() - 1)].element;
    let mut whole = *cell(0);
    let mut within = Vec::with_capacity(count - 1);
    for j in 1..count {
        let next = cell(j);
        let open = whole.open(next);
        // Both are symmetric, so (1 + Q W)⁻¹ is the transpose.
        within.push(Within { phi: whole.phi, w: whole.w, open: open.transpose() });
        whole = whole.joined(next, open);
    }
    let is_slack = steady && spring.at(0.5 * (start + end)).is_slack();
    let per_second = 1.0 / step;
    Stretch {
        start,
        end,
        step,
        per_second,
        count,
        cells,
        within,
        whole,
        phase,
        first_cell,
        is_slack,
    }
}

/// Whether what the stretch costs is the same throughout, from just after the start to just before
/// the end. The frequency may change all the same: it is in the phase.
fn rates_rest(spring: &Spring, rates: &Rates, start: f64, end: f64) -> bool {
    let same = |t: f64| spring.rates(&spring.at(t)) == *rates;
    let channels = spring.channels();
    let keys = channels.iter().flat_map(|channel| channel.key_times());
    spring.is_constant()
        || (keys.filter(|t| **t > start && **t < end).all(|t| same(*t))
            && (1..16).all(|i| same(start + f64::from(i) / 16.0 * (end - start))))
}

/// The cost of a stretch as a quadratic form of `(x, v)` at its two nodes.
fn tie(spring: &Spring, stretch: &Stretch, from: &Node, to: &Node) -> Ties {
    let Element { phi, w, q } = stretch.whole;
    let inverse = w.inverse();
    let first = q + phi.transpose() * inverse * phi;
    let across = phi.transpose() * inverse * -1.0;
    let turn = complex::cis_turns(-stretch.phase);
    // z = v - p x at either end, with p = -d + iω.
    let lift = |now: &Now| Complex64::new(now.d, -spring.turning(now));
    let (here, there) = (lift(&from.after), lift(&to.before));
    let mut ties = Ties {
        first: real_form(&product(&first, here, Complex64::ONE, here)),
        across: real_form(&product(&across, here, turn, there)),
        last: real_form(&product(&inverse, there, Complex64::ONE, there)),
    };
    if stretch.is_slack {
        const IM: [bool; 4] = [false, true, false, true];
        for block in [&mut ties.first, &mut ties.across, &mut ties.last] {
            pin(block, IM, IM);
        }
    }
    ties
}

/// `Tᴴ m T'` with `T = [[1, 0], [lift, 1]]`, times a factor.
fn product(m: &DMat2, left: Complex64, factor: Complex64, right: Complex64) -> [[Complex64; 2]; 2] {
    let (a, b) = (m.x_axis.x, m.y_axis.x);
    let (c, d) = (m.x_axis.y, m.y_axis.y);
    let left = left.conj();
    let rows = [[a + left * c, b + left * d], [Complex64::from(c), Complex64::from(d)]];
    rows.map(|row| [(row[0] + row[1] * right) * factor, row[1] * factor])
}

/// An entry `p + iq` becomes `[[p, -q], [q, p]]`.
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

/// Puts the blocks together, pins what is given, and factors.
fn factor(nodes: &[Node], ties: &[Ties], tail: &Block, ring: bool) -> (Chain, Vec<Block>) {
    let n = nodes.len();
    let mut diagonal = vec![chain::ZERO; n];
    for (k, ties) in ties.iter().enumerate() {
        chain::add(&mut diagonal[k], &ties.first);
        chain::add(&mut diagonal[(k + 1) % n], &ties.last);
    }
    chain::add(&mut diagonal[n - 1], tail);
    let mut ridges = Vec::with_capacity(n);
    for (block, node) in diagonal.iter_mut().zip(nodes) {
        block[2][2] += node.soft[0] + node.soft[1];
        ridges.push(ridge(block, node));
        chain::add(block, &ridges[ridges.len() - 1]);
    }
    let mut across: Vec<Block> = ties.iter().map(|ties| ties.across).collect();
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

/// What calm charges for ringing down after the last node, and how fast the swing settles.
fn tail(spring: &Spring, last: &Node) -> (Block, f64) {
    let now = &last.after;
    let rates = spring.rates(now);
    if rates.rz == 0.0 {
        return (chain::ZERO, 0.0);
    }
    let lift = Complex64::new(now.d, -spring.turning(now));
    let (price, settles) = match spring.kind {
        Kind::Complex => {
            // One pole: z' = -√(d² + rz) z costs (√(d² + rz) - d) |z|².
            let settles = (now.d * now.d + rates.rz).sqrt() - now.d;
            (DMat2::from_diagonal(DVec2::new(0.0, settles)), settles)
        }
        Kind::Real => {
            let doublings = ops::ln(TAIL * rates.fastest() / CELL).max(0.0) / LN_2;
            let doublings = doublings.ceil();
            let mut whole = Element::short(&rates, TAIL / ops::pow(2.0, doublings));
            for _ in 0..doublings as usize {
                whole = whole.then(&whole);
            }
            (whole.q, 0.0)
        }
    };
    (real_form(&product(&price, lift, Complex64::ONE, lift)), settles)
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

/// Where nothing else decides, a free oscillation (`z = 0`) is best, and then a small one.
fn ridge(block: &Block, node: &Node) -> Block {
    let scale = 0.5 * (block[2][2] + block[3][3]);
    let weight = RIDGE * if scale > 0.0 { scale } else { 1.0 };
    let lift = Complex64::new(node.after.d, -node.after.omega);
    let small = 1e-6 * (node.after.omega * node.after.omega).max(1.0);
    let ridge = DMat2::from_cols(DVec2::new(small, 0.0), DVec2::new(0.0, 1.0)) * weight;
    real_form(&product(&ridge, lift, Complex64::ONE, lift))
}

/// The times at which a channel jumps.
pub(super) fn jumps(channel: &Channel<f64>, from: f64, to: f64, out: &mut Vec<f64>) {
    let times = channel.key_times();
    out.extend(times.iter().copied().filter(|t| {
        let (before, here) = (channel.at(t.next_down()), channel.at(*t));
        *t > from && *t < to && (here - before).abs() > 1e-6 * here.abs().max(before.abs())
    }));
}
