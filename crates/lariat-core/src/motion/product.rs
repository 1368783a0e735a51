//! Integral of the product of two keyed channels, such as the speed and the number of ripples.
//!
//! The product of two segments has no closed form, because weighted handles have different time
//! parameters. It is integrated numerically between the *joints* of both channels (keys, and joints
//! of presets) by Gauss-Legendre quadrature on eight points, which is exact for plain cubics.
//! Otherwise intervals are halved until the halves agree with the whole twice in succession. The
//! pieces and their running sum are kept; a query is a binary search and eight points.
//!
//! # Beyond the keys
//!
//! Far enough out, every extrapolation obeys `a(t + P) = a(t) + A`: a cycle of period `P` with gain
//! `A = 0`, a cycle with offset with its gain, a ping-pong with twice the length, and hold and line
//! for *any* `P`. If both channels share a `P`, the integral over `n` such periods is
//! `n∫ab + (A∫b + B∫a)·n(n−1)/2 + A·B·P·n(n−1)(2n−1)/6`. Only one period of pieces is kept, and a
//! query costs the same at any distance. Periods in whole frames nearly always share one.
//!
//! # Limits
//!
//! Two cycles whose periods have no small common multiple are followed piece by piece for
//! `MAX_COPIES` pieces beyond their keys, a hundred periods or more. Further out each is replaced
//! by its average (a cycle with offset by the line through its averages). This neglects the product
//! of two uncorrelated oscillations, whose integral does not grow. The same holds for a cycle that
//! is hundreds of times shorter than the keys of the other.

use super::Keys;
use super::factor::{Factor, Formula, MIN_PERIODS};
use super::integral::Compensated;
use crate::num::quadrature::gauss8;

/// Joints that the table of one common period may have; see `factor::MAX_COPIES`. It may be larger,
/// since a common period is valid at any distance.
const MAX_COMMON: f64 = 2048.0;

/// Relative tolerance of a common multiple of two periods. Periods come from key times in seconds
/// and carry their rounding, some 1e-16 of the time of the shot.
const SAME_PERIOD: f64 = 1e-12;

/// Tolerance between a piece and its two halves, relative to the integral of absolute values.
const AGREEMENT: f64 = 2e-12;

/// Factor on the tolerance for the previous halving. Where a curve starts nearly vertically, the
/// error changes sign while halving, and a single agreement can be chance.
const BEFORE: f64 = 32.0;

/// Limit on halvings. The steepest segment converges after a dozen around its steepest place;
/// beyond this limit is rounding noise.
const MAX_HALVINGS: u32 = 24;

/// Integral of the product of two keyed channels.
#[derive(Clone, Debug)]
pub(super) struct Product {
    a: Factor,
    b: Factor,
    /// Table over the keys of both.
    table: Table,
    before: Option<Periods>,
    after: Option<Periods>,
    /// Integral from the first key of either to second 0.
    zero: f64,
}

impl Product {
    pub(super) fn new(a: &Keys<f64>, b: &Keys<f64>) -> Self {
        let (mut a, mut b) = (Factor::new(a), Factor::new(b));
        let first = a.first().min(b.first());
        let last = a.last().max(b.last());
        let (from, period_before) = settle(&mut a, &mut b, first, false);
        let (to, period_after) = settle(&mut a, &mut b, last, true);
        let table = Table::new(&a, &b, (from, to), first);
        let before = period_before.map(|period| Periods::new(&a, &b, from, period, false));
        let after = period_after.map(|period| Periods::new(&a, &b, to, period, true));
        let mut product = Self { a, b, table, before, after, zero: 0.0 };
        product.zero = product.since_first(0.0);
        product
    }

    /// Integral from second 0 to `t`.
    pub(super) fn to(&self, t: f64) -> f64 {
        self.since_first(t) - self.zero
    }

    /// Integral from the first key of either to `t`.
    fn since_first(&self, t: f64) -> f64 {
        let Self { a, b, table, .. } = self;
        let edge = t.clamp(table.from(), table.to());
        let within = table.up_to(a, b, edge);
        let periods = if t < edge { &self.before } else { &self.after };
        match periods {
            _ if t == edge => within,
            Some(periods) if t < edge => within - periods.out(a, b, edge, edge - t),
            Some(periods) => within + periods.out(a, b, edge, t - edge),
            // Lines: their product is a parabola, and eight points are exact.
            None => within + integrate(a, b, edge, t),
        }
    }
}

/// Integral of the product between two times without a joint between them, by eight points.
fn integrate(a: &Factor, b: &Factor, from: f64, to: f64) -> f64 {
    let (a, b) = (a.formula(from, to), b.formula(from, to));
    gauss8(from, to, |t| a.at(t) * b.at(t))
}

/// Returns how far the table must extend on one side, given the extent of the keys, and the common
/// period beyond it, unless both channels are lines there.
fn settle(a: &mut Factor, b: &mut Factor, edge: f64, after: bool) -> (f64, Option<f64>) {
    for factor in [&mut *a, &mut *b] {
        if factor.reach(after).is_some_and(|reach| beyond(edge, reach, after)) {
            factor.cut(after);
        }
    }
    match (a.period(after), b.period(after)) {
        (None, None) => (edge, None),
        (Some(period), None) | (None, Some(period)) => (edge, Some(period)),
        (Some(p), Some(q)) => {
            let copies = [a.copies(after), b.copies(after)];
            if let Some(period) = common_multiple(p, q, copies) {
                return (edge, Some(period));
            }
            let reach = a.reach(after).into_iter().chain(b.reach(after));
            let edge = if after {
                reach.fold(f64::INFINITY, f64::min)
            } else {
                reach.fold(f64::NEG_INFINITY, f64::max)
            };
            a.cut_at(edge, after);
            b.cut_at(edge, after);
            (edge, None)
        }
    }
}

/// Whether `t` is further out than `limit`.
fn beyond(t: f64, limit: f64, after: bool) -> bool {
    if after { t > limit } else { t < limit }
}

/// Shortest common multiple of both periods, if it fits into the table. `copies` are the joints in
/// one period of each.
fn common_multiple(p: f64, q: f64, copies: [f64; 2]) -> Option<f64> {
    // Continued fraction of p/q: n/m with m periods of p on n periods of q.
    let (mut n0, mut m0, mut n, mut m) = (0.0, 1.0, 1.0, 0.0);
    let mut rest = p / q;
    loop {
        let whole = rest.floor();
        (n0, n) = (n, whole * n + n0);
        (m0, m) = (m, whole * m + m0);
        let pieces = m * copies[0] + n * copies[1];
        let fits = pieces <= MAX_COMMON || m.max(n) <= MIN_PERIODS;
        if !fits {
            return None;
        }
        if (m * p - n * q).abs() <= SAME_PERIOD * m * p {
            return Some(m * p);
        }
        rest = 1.0 / (rest - whole);
    }
}

/// Pieces with the running sum of the integral.
#[derive(Clone, Debug)]
struct Table {
    ends: Vec<f64>,
    /// Sums from the anchor, counted backwards before it: far out, sums are large, and near the
    /// keys they must still be accurate.
    sums: Vec<f64>,
}

impl Table {
    fn new(a: &Factor, b: &Factor, (from, to): (f64, f64), anchor: f64) -> Self {
        let mut joints = vec![from, to, anchor];
        a.add_joints(from, to, &mut joints);
        b.add_joints(from, to, &mut joints);
        joints.sort_by(f64::total_cmp);
        joints.dedup();
        let mut pieces = Pieces { a, b, ends: vec![from], parts: vec![] };
        for piece in joints.windows(2) {
            pieces.add(piece[0], piece[1]);
        }
        let Pieces { ends, parts, .. } = pieces;
        let middle = ends.partition_point(|end| *end < anchor);
        let mut sums = vec![0.0; ends.len()];
        let mut sum = Compensated::default();
        for i in middle..parts.len() {
            sum.add(parts[i]);
            sums[i + 1] = sum.total();
        }
        let mut sum = Compensated::default();
        for i in (0..middle).rev() {
            sum.add(-parts[i]);
            sums[i] = sum.total();
        }
        Self { ends, sums }
    }

    fn from(&self) -> f64 {
        self.ends[0]
    }

    fn to(&self) -> f64 {
        self.ends[self.ends.len() - 1]
    }

    /// Integral from the anchor to `t` within the table.
    fn up_to(&self, a: &Factor, b: &Factor, t: f64) -> f64 {
        let piece = self.ends.partition_point(|end| *end <= t).saturating_sub(1);
        self.sums[piece] + integrate(a, b, self.ends[piece], t)
    }
}

/// A table under construction.
struct Pieces<'a> {
    a: &'a Factor,
    b: &'a Factor,
    ends: Vec<f64>,
    /// The integral over each piece.
    parts: Vec<f64>,
}

impl<'a> Pieces<'a> {
    /// Adds the interval between two joints.
    fn add(&mut self, from: f64, to: f64) {
        let (mut unsigned, mut most_a, mut most_b) = (0.0, self.a.largest, self.b.largest);
        let formulas = (self.a.formula(from, to), self.b.formula(from, to));
        let whole = gauss8(from, to, |t| {
            let (a, b) = (formulas.0.at(t), formulas.1.at(t));
            unsigned += (a * b).abs();
            (most_a, most_b) = (a.abs().max(most_a), b.abs().max(most_b));
            a * b
        });
        if self.a.plain && self.b.plain {
            // Degree six at most, for which eight points are exact.
            self.ends.push(to);
            self.parts.push(whole);
            return;
        }
        // The rounding error of the largest values is the limit of the resolution.
        let grain = 8.0 * f64::EPSILON * most_a * most_b;
        let tolerance = (AGREEMENT * unsigned / 8.0 + grain) * (to - from);
        self.refine(&formulas, (from, to), whole, (tolerance, f64::INFINITY), MAX_HALVINGS);
    }

    /// Adds a piece, halved until the halves agree with the whole; `before` is the error of the
    /// piece that it is a half of.
    fn refine(
        &mut self,
        formulas: &(Formula<'a>, Formula<'a>),
        (from, to): (f64, f64),
        whole: f64,
        (tolerance, before): (f64, f64),
        halvings: u32,
    ) {
        let middle = 0.5 * (from + to);
        let product = |t| formulas.0.at(t) * formulas.1.at(t);
        let (left, right) = (gauss8(from, middle, product), gauss8(middle, to, product));
        let error = (left + right - whole).abs();
        if (error <= tolerance && before <= BEFORE * tolerance) || halvings == 0 {
            self.ends.extend([middle, to]);
            self.parts.extend([left, right]);
        } else {
            self.refine(formulas, (from, middle), left, (tolerance, error), halvings - 1);
            self.refine(formulas, (middle, to), right, (tolerance, error), halvings - 1);
        }
    }
}

/// A common period of both channels, beyond one end of the keys.
#[derive(Clone, Debug)]
struct Periods {
    after: bool,
    period: f64,
    gain_a: f64,
    gain_b: f64,
    /// Integrals over the first period, of each channel and of the product.
    whole_a: f64,
    whole_b: f64,
    whole_ab: f64,
    /// Table anchored at the edge.
    table: Table,
}

impl Periods {
    fn new(a: &Factor, b: &Factor, edge: f64, period: f64, after: bool) -> Self {
        let (from, to) = if after { (edge, edge + period) } else { (edge - period, edge) };
        let table = Table::new(a, b, (from, to), edge);
        Self {
            after,
            period,
            gain_a: a.gain(period, after),
            gain_b: b.gain(period, after),
            whole_a: a.integral(from, to, after),
            whole_b: b.integral(from, to, after),
            whole_ab: if after { table.up_to(a, b, to) } else { -table.up_to(a, b, from) },
            table,
        }
    }

    /// Integral over the `distance` seconds outwards from `edge`.
    fn out(&self, a: &Factor, b: &Factor, edge: f64, distance: f64) -> f64 {
        let Self { after, period, gain_a, gain_b, .. } = *self;
        let n = (distance / period).floor();
        let rest = (distance - n * period).clamp(0.0, period);
        let (from, to) = if after { (edge, edge + rest) } else { (edge - rest, edge) };
        let rest_ab =
            if after { self.table.up_to(a, b, to) } else { -self.table.up_to(a, b, from) };
        let (rest_a, rest_b) = (a.integral(from, to, after), b.integral(from, to, after));
        let ones = 0.5 * n * (n - 1.0);
        let squares = n * (n - 1.0) * (2.0 * n - 1.0) / 6.0;
        n * self.whole_ab
            + (gain_a * self.whole_b + gain_b * self.whole_a) * ones
            + gain_a * gain_b * (period * squares)
            + rest_ab
            + n * (gain_a * rest_b + gain_b * rest_a)
            + n * n * gain_a * gain_b * rest
    }
}
