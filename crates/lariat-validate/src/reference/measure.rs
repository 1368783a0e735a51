//! Lengths of curves and integrals by brute force, with compensated sums.
//!
//! [`by_chords`] extrapolates chords of smooth curves (Richardson); [`by_halving`] halves chords until
//! they agree, for curves with kinks; [`simpson`] does the same for integrals.
//!
//! Tests: `a_kink_is_found`, `simpson_vs_closed_forms`.

use glam::DVec3;

/// A compensated sum (Neumaier 1974).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, x: f64) {
        let sum = self.sum + x;
        let (large, small) = if self.sum.abs() >= x.abs() { (self.sum, x) } else { (x, self.sum) };
        self.lost += (large - sum) + small;
        self.sum = sum;
    }

    pub(crate) fn total(self) -> f64 {
        self.sum + self.lost
    }
}

/// Sum of the chords between every `stride`-th point.
fn chords(points: &[DVec3], stride: usize) -> f64 {
    let mut sum = Sum::default();
    for w in points.windows(stride + 1).step_by(stride) {
        sum.add(w[0].distance(w[stride]));
    }
    sum.total()
}

/// Length of a smooth curve, from points at equal steps of its parameter; the number of steps must be
/// a multiple of four.
pub(crate) fn of_points(points: &[DVec3]) -> f64 {
    assert_eq!((points.len() - 1) % 4, 0, "a multiple of four steps is needed");
    let [coarse, middle, fine] = [4, 2, 1].map(|stride| chords(points, stride));
    let (first, second) = (middle + (middle - coarse) / 3.0, fine + (fine - middle) / 3.0);
    second + (second - first) / 15.0
}

/// Length of a smooth curve over `u` in 0–1, from four times `steps` chords.
pub(crate) fn by_chords(steps: usize, point: impl Fn(f64) -> DVec3) -> f64 {
    let n = 4 * steps;
    of_points(&(0..=n).map(|i| point(i as f64 / n as f64)).collect::<Vec<_>>())
}

/// Length of any curve over `u` in 0–1, also with kinks, to about `tolerance` metres.
pub(crate) fn by_halving(spans: usize, tolerance: f64, point: impl Fn(f64) -> DVec3) -> f64 {
    let at = |u: f64| (u, point(u));
    let mut sum = Sum::default();
    let mut start = at(0.0);
    for i in 0..spans {
        let middle = at((i as f64 + 0.5) / spans as f64);
        let end = at((i + 1) as f64 / spans as f64);
        halve(&at, [start, middle, end], tolerance / spans as f64, 40, &mut sum);
        start = end;
    }
    sum.total()
}

type Place = (f64, DVec3);

fn halve(
    at: &impl Fn(f64) -> Place,
    [a, c, e]: [Place; 3],
    tolerance: f64,
    depth: u32,
    sum: &mut Sum,
) {
    let (b, d) = (at(0.5 * (a.0 + c.0)), at(0.5 * (c.0 + e.0)));
    let chord = |p: Place, q: Place| p.1.distance(q.1);
    let (one, two) = (chord(a, e), chord(a, c) + chord(c, e));
    let four = chord(a, b) + chord(b, c) + chord(c, d) + chord(d, e);
    // Where the curve is smooth, both extrapolations agree to twice as many digits as the chords.
    // At a kink they do not, and halving closes in on it.
    let (coarse, fine) = (two + (two - one) / 3.0, four + (four - two) / 3.0);
    // Differences below the rounding of the points say nothing about the curve.
    let rounding = 1e-15 * c.1.abs().max_element();
    // NaN is passed on, not halved further.
    let open = (fine - coarse).abs() > tolerance.max(rounding);
    if !open || depth == 0 {
        sum.add(fine);
        return;
    }
    halve(at, [a, b, c], 0.5 * tolerance, depth - 1, sum);
    halve(at, [c, d, e], 0.5 * tolerance, depth - 1, sum);
}

/// Integral of `f` from `a` to `b` by adaptive Simpson.
pub(crate) fn simpson(a: f64, b: f64, tolerance: f64, f: impl Fn(f64) -> f64) -> f64 {
    // Starts with sixteen panels, so that no oscillation looks flat by accident.
    let panels = 16;
    let mut sum = Sum::default();
    for i in 0..panels {
        let at = |k: i32| a + (b - a) * f64::from(k) / f64::from(panels);
        let (left, right) = (at(i), at(i + 1));
        let values = [f(left), f(0.5 * (left + right)), f(right)];
        panel(&f, (left, right), values, tolerance / f64::from(panels), 40, &mut sum);
    }
    sum.total()
}

fn panel(
    f: &impl Fn(f64) -> f64,
    (a, b): (f64, f64),
    [left, middle, right]: [f64; 3],
    tolerance: f64,
    depth: u32,
    sum: &mut Sum,
) {
    let m = 0.5 * (a + b);
    let (q1, q3) = (f(0.5 * (a + m)), f(0.5 * (m + b)));
    let whole = (b - a) / 6.0 * (left + 4.0 * middle + right);
    let halves = (b - a) / 12.0 * (left + 4.0 * q1 + 2.0 * middle + 4.0 * q3 + right);
    let change = halves - whole;
    // A change below the rounding of the panel is no information. NaN is passed on.
    let open = change.abs() > tolerance.max(2e-16 * whole.abs());
    if !open || depth == 0 {
        sum.add(halves + change / 15.0);
        return;
    }
    panel(f, (a, m), [left, q1, middle], 0.5 * tolerance, depth - 1, sum);
    panel(f, (m, b), [middle, q3, right], 0.5 * tolerance, depth - 1, sum);
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_core::num::ops;
    use std::f64::consts::PI;

    #[test]
    fn a_kink_is_found() {
        let corner = |u: f64| {
            if u < 0.3 { DVec3::X * u } else { DVec3::new(0.3, u - 0.3, 0.0) }
        };
        let length = by_halving(7, 1e-9, corner);
        assert!((length - 1.0).abs() < 1e-8, "{length}");
        assert!(by_halving(7, 1e-9, |u| DVec3::X * (u - 0.2).sqrt()).is_nan());
    }

    #[test]
    fn simpson_vs_closed_forms() {
        assert!((simpson(0.0, PI, 1e-13, ops::sin) - 2.0).abs() < 1e-12);
        assert!((simpson(0.0, 1.0, 1e-13, |x| 1.0 / (1.0 + x * x)) - PI / 4.0).abs() < 1e-12);
        assert!(simpson(0.0, 1.0, 1e-13, |_| f64::NAN).is_nan());
        // A kink.
        assert!((simpson(0.0, 1.0, 1e-12, |x| (x - 0.3).abs()) - 0.29).abs() < 1e-10);
    }
}
