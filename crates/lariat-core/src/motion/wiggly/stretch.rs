//! Stretches between nodes, divided into cells that are short against the spring.
//!
//! Cells of a stretch have equal length except the last. Where the spring is constant, cells of one
//! length are shared by all stretches of a curve, and their combinations are computed once.

use std::f64::consts::TAU;

use glam::DMat2;
use num_complex::Complex64;

use super::element::{Element, Rates};
use super::spring::{Kind, Spring};
use crate::motion::Integral;

/// Length of a cell in units of the fastest rate. The relative error of the polynomial of degree
/// seven in a cell is then 1e-9 (`h⁸ y⁽⁸⁾/10⁷`).
pub(super) const CELL: f64 = 0.53;

/// Share of a step below which the last cell is merged into the one before it.
const SHORTEST: f64 = 0.05;

/// Relative change of a varying spring per cell.
const STEP: f64 = 0.01;

/// Samples per stretch that measure how the spring changes.
const SAMPLES: u32 = 16;

/// Maximum number of cells per second that follow a varying spring.
const CELLS_WHEN_VARYING: f64 = 96.0;

/// Maximum number of cells per stretch: more than an hour for the complex spline, but a quarter of
/// an hour for a real spring of ten hertz. Beyond it cells are longer than [`CELL`].
const MAX_CELLS: f64 = 65_536.0;

/// Phase as a function of time.
#[derive(Clone, Debug)]
pub(super) enum Turning {
    Steady(f64),
    Keyed(Integral),
}

impl Turning {
    pub(super) fn new(spring: &Spring) -> Self {
        if spring.kind == Kind::Real {
            Self::Steady(0.0)
        } else if spring.is_constant() {
            Self::Steady(spring.at(0.0).omega / TAU)
        } else {
            Self::Keyed(Integral::of(&spring.hertz))
        }
    }

    /// Turns from one time to another, with `turn` turns per turn of `hertz`.
    pub(super) fn between(&self, from: f64, to: f64, turn: f64) -> f64 {
        match self {
            Self::Steady(hertz) => hertz * (to - from),
            Self::Keyed(turns) => turn * (turns.to(to) - turns.to(from)),
        }
    }
}

/// A cell with constant rates.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) rates: Rates,
    element: Element,
    /// Length in seconds.
    length: f64,
    /// Decay at its two ends, which may differ from that inside.
    ends: [f64; 2],
    /// Turns of the phase from the start of the stretch to `counted`, seconds after that start.
    pub(super) phase: f64,
    pub(super) counted: f64,
    /// Turns of the phase per turn of `hertz`.
    pub(super) turn: f64,
}

/// Combination of all cells before a cell, and `(1 + Q W)⁻¹` with their `W` and the `Q` of the
/// cell.
#[derive(Clone, Debug)]
struct Joint {
    before: Element,
    open: DMat2,
}

/// A stretch from one node to the next.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) start: f64,
    pub(super) end: f64,
    /// Length of all cells but the last in seconds, its reciprocal, and the number of cells.
    pub(super) step: f64,
    pub(super) per_second: f64,
    pub(super) count: usize,
    pub(super) whole: Element,
    /// Turns of the phase over the whole stretch.
    pub(super) phase: f64,
    /// Index of its first polynomial among those of all stretches.
    pub(super) first_cell: usize,
    /// Whether there is no spring: the real part is a cubic, and the imaginary part is unused.
    pub(super) is_slack: bool,
    cells: Row,
    joints: Row,
}

impl Stretch {
    /// Cell at a time, and the steps from its start to that time.
    #[inline]
    pub(super) fn place(&self, t: f64) -> (usize, f64) {
        let along = (t - self.start) * self.per_second;
        let cell = (along as u32 as usize).min(self.count - 1);
        (cell, along - cell as f64)
    }

    /// Whether cell `j` is the same as the one before it, including its length.
    fn is_shared(&self, j: usize) -> bool {
        self.cells.stride == 0 && j + 1 < self.count
    }

    /// Length of cell `j` in steps.
    pub(super) fn steps(&self, j: usize) -> f64 {
        if j + 1 < self.count {
            return 1.0;
        }
        (self.end - self.start) * self.per_second - j as f64
    }
}

/// Indices of the cells of a stretch, or of their joints: consecutive or one shared, and a separate
/// last one.
#[derive(Clone, Copy, Debug)]
struct Row {
    first: usize,
    stride: usize,
    last: usize,
}

impl Row {
    fn place(&self, i: usize, count: usize) -> usize {
        if i + 1 == count { self.last } else { self.first + i * self.stride }
    }
}

/// All stretches of a curve with their cells.
#[derive(Clone, Debug)]
pub(super) struct Stretches {
    pub(super) list: Vec<Stretch>,
    pub(super) turning: Turning,
    pub(super) cell_count: usize,
    cells: Vec<Cell>,
    joints: Vec<Joint>,
}

/// Cells of equal length and rates: index of the cell, and of the first of its combinations.
#[derive(Clone, Copy)]
struct SharedCells {
    rates: Rates,
    step: f64,
    cell: usize,
    joints: usize,
}

impl Stretches {
    /// Divides the intervals between times into cells.
    pub(super) fn divide(spring: &Spring, times: &[f64]) -> Self {
        let turning = Turning::new(spring);
        let mut all = Self {
            list: Vec::with_capacity(times.len()),
            turning,
            cell_count: 0,
            cells: Vec::with_capacity(times.len()),
            joints: Vec::new(),
        };
        let longest = times.windows(2).fold(0.0, |most: f64, pair| most.max(pair[1] - pair[0]));
        let shared =
            (spring.is_constant() && longest > 0.0).then(|| all.shared(spring, 0.0, longest));
        for pair in times.windows(2) {
            let (start, end) = (pair[0], pair[1]);
            let stretch = match shared {
                Some(shared) => all.steady(spring, shared, start, end),
                None => match constant_inside(spring, start, end) {
                    Some(at) => {
                        let shared = all.shared(spring, at, end - start);
                        all.steady(spring, shared, start, end)
                    }
                    None => all.varying(spring, start, end),
                },
            };
            all.cell_count += stretch.count;
            all.list.push(stretch);
        }
        all
    }

    /// Cell `j` of a stretch.
    #[inline]
    pub(super) fn cell(&self, stretch: &Stretch, j: usize) -> &Cell {
        &self.cells[stretch.cells.place(j, stretch.count)]
    }

    /// Shared cells for the spring at a time, combined up to a length.
    fn shared(&mut self, spring: &Spring, at: f64, longest: f64) -> SharedCells {
        let now = spring.at(at);
        let rates = spring.rates(&now);
        let fastest = rates.fastest();
        let step = if fastest * longest > CELL {
            (CELL / (1.0 + SHORTEST) / fastest).max(longest / MAX_CELLS)
        } else {
            longest
        };
        let (cell, joints) = (self.cells.len(), self.joints.len());
        let turn = turn(spring, at);
        let element = Element::new(&rates, step);
        let ends = [now.d; 2];
        self.cells.push(Cell {
            rates,
            element,
            length: step,
            ends,
            phase: 0.0,
            counted: 0.0,
            turn,
        });
        let mut before = element;
        for _ in 1..count(longest, step) {
            let open = before.open(&element);
            self.joints.push(Joint { before, open: open.transpose() });
            before = before.joined(&element, open);
        }
        SharedCells { rates, step, cell, joints }
    }

    /// Stretch of shared cells, except for the length of the last.
    fn steady(&mut self, spring: &Spring, shared: SharedCells, start: f64, end: f64) -> Stretch {
        let SharedCells { rates, step, cell, joints } = shared;
        let count = count(end - start, step);
        let length = end - start - (count - 1) as f64 * step;
        let element = Element::new(&rates, length);
        let last = self.cells.len();
        self.cells.push(Cell { element, length, ..self.cells[cell].clone() });
        let mut whole = element;
        let last_joint = self.joints.len();
        if count > 1 {
            let before = self.joints[joints + count - 2].before;
            let open = before.open(&element);
            self.joints.push(Joint { before, open: open.transpose() });
            whole = before.joined(&element, open);
        }
        let turn = self.cells[cell].turn;
        Stretch {
            start,
            end,
            step,
            per_second: 1.0 / step,
            count,
            whole,
            phase: self.turning.between(start, end, turn),
            first_cell: self.cell_count,
            is_slack: spring.at(0.5 * (start + end)).is_slack(),
            cells: Row { first: cell, stride: 0, last },
            joints: Row { first: joints, stride: 1, last: last_joint },
        }
    }

    /// Stretch on which the spring changes.
    fn varying(&mut self, spring: &Spring, start: f64, end: f64) -> Stretch {
        let length = end - start;
        let mut fastest = spring.rates(&spring.at(0.5 * (start + end))).fastest();
        let mut varies = 0.0;
        let mut before = spring.rates(&spring.at(start)).fastest();
        for i in 1..=SAMPLES {
            let t = (start + length * f64::from(i) / f64::from(SAMPLES)).min(end.next_down());
            let here = spring.rates(&spring.at(t)).fastest();
            varies += (here - before).abs();
            fastest = fastest.max(here);
            before = here;
        }
        let most = (length * CELLS_WHEN_VARYING).ceil().max(1.0);
        // A spring of 0 Hz that does not change is one cell, not 0 / 0.
        let least =
            if varies > 0.0 { (varies / (STEP * fastest)).ceil().clamp(1.0, most) } else { 1.0 };
        let count = (length * fastest / CELL).ceil().max(least).min(MAX_CELLS) as usize;
        let step = length / count as f64;
        let (first, joints) = (self.cells.len(), self.joints.len());
        let mut phase = 0.0;
        for j in 0..count {
            let counted = j as f64 * step;
            let from = start + counted;
            let to = if j + 1 == count { end.next_down() } else { from + step };
            let middle = 0.5 * (from + to);
            let (rates, turn) = (spring.rates(&spring.at(middle)), turn(spring, middle));
            let element = Element::new(&rates, step);
            let ends = [spring.at(from).d, spring.at(to).d];
            self.cells.push(Cell { rates, element, length: step, ends, phase, counted, turn });
            phase += self.turning.between(from, from + step, turn);
        }
        let mut whole = self.cells[first].element;
        for cell in &self.cells[first + 1..] {
            let open = whole.open(&cell.element);
            // Both are symmetric, so (1 + Q W)⁻¹ is the transpose.
            self.joints.push(Joint { before: whole, open: open.transpose() });
            whole = whole.joined(&cell.element, open);
        }
        Stretch {
            start,
            end,
            step,
            per_second: 1.0 / step,
            count,
            whole,
            phase,
            first_cell: self.cell_count,
            is_slack: false,
            cells: Row { first, stride: 1, last: first + count - 1 },
            joints: Row { first: joints, stride: 1, last: (joints + count).saturating_sub(2) },
        }
    }

    /// Curve of a stretch from `(x, z)` at its ends, without the phase: eight coefficients per
    /// cell, of powers of steps since the cell's start. `tracks` is scratch memory.
    pub(super) fn fill(
        &self,
        stretch: &Stretch,
        ends: [[Complex64; 2]; 2],
        tracks: &mut Vec<Track>,
        out: &mut Vec<[Complex64; 8]>,
    ) {
        self.follow(stretch, ends, tracks);
        let mut before = None;
        for j in 0..stretch.count {
            let cell = self.cell(stretch, j);
            let first = match before {
                Some(before) if stretch.is_shared(j) => before,
                _ => tracks[j].derivatives(&cell.rates, cell.ends[0], cell.length),
            };
            let last = tracks[j + 1].derivatives(&cell.rates, cell.ends[1], cell.length);
            before = Some(last);
            let mut coefficients = through(&first, &last);
            if j + 1 == stretch.count && cell.length != stretch.step {
                let scale = stretch.step / cell.length;
                let mut power = scale;
                for coefficient in &mut coefficients[1..] {
                    *coefficient *= power;
                    power *= scale;
                }
            }
            out.push(coefficients);
        }
    }

    /// Computes states and costates at the ends of the cells from `(x, z)` at the ends of the
    /// stretch.
    fn follow(&self, stretch: &Stretch, ends: [[Complex64; 2]; 2], out: &mut Vec<Track>) {
        let [from, to] = ends;
        let n = stretch.count;
        let free = apply(&stretch.whole.phi, from);
        let mut mu = apply(&stretch.whole.w.inverse(), [to[0] - free[0], to[1] - free[1]]);
        out.clear();
        out.resize(n + 1, Track { x: to[0], z: to[1], mu });
        for j in (1..n).rev() {
            let joint = &self.joints[stretch.joints.place(j - 1, n - 1)];
            let next = &self.cell(stretch, j).element;
            let free = apply(&joint.before.phi, from);
            let pull = apply(&next.q, free);
            let carried = apply(&next.phi.transpose(), mu);
            mu = apply(&joint.open, [carried[0] - pull[0], carried[1] - pull[1]]);
            let pushed = apply(&joint.before.w, mu);
            out[j] = Track { x: free[0] + pushed[0], z: free[1] + pushed[1], mu };
        }
        let next = &self.cell(stretch, 0).element;
        let (carried, pull) = (apply(&next.phi.transpose(), mu), apply(&next.q, from));
        let mu = [carried[0] - pull[0], carried[1] - pull[1]];
        out[0] = Track { x: from[0], z: from[1], mu };
    }
}

/// Number of cells of length `step` in `length`; the last may be shorter.
fn count(length: f64, step: f64) -> usize {
    (length / step - SHORTEST).ceil().max(1.0) as usize
}

/// Turns of the phase per turn of `hertz` at a time.
fn turn(spring: &Spring, t: f64) -> f64 {
    if spring.turns_by_hertz() {
        return 1.0;
    }
    spring.at(t).omega / TAU / spring.hertz.at(t).max(f64::MIN_POSITIVE)
}

/// A time inside the stretch, if its rates are constant from just after the start to just before
/// the end. The frequency may change: it is in the phase.
fn constant_inside(spring: &Spring, start: f64, end: f64) -> Option<f64> {
    let middle = 0.5 * (start + end);
    let rates = spring.rates(&spring.at(middle));
    let same = |t: f64| spring.rates(&spring.at(t)) == rates;
    let channels = spring.channels();
    let mut keys = channels.iter().flat_map(|channel| channel.key_times());
    let constant = keys.all(|t| *t <= start || *t >= end || same(*t))
        && (1..SAMPLES).all(|i| same(start + f64::from(i) / f64::from(SAMPLES) * (end - start)));
    constant.then_some(middle)
}

/// State and costate at the end of a cell, without the phase.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track {
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

fn apply(m: &DMat2, v: [Complex64; 2]) -> [Complex64; 2] {
    [v[0] * m.x_axis.x + v[1] * m.y_axis.x, v[0] * m.x_axis.y + v[1] * m.y_axis.y]
}
