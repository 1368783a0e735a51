//! Cost of the transition between two states over a stretch of time.
//!
//! With the phase removed (see `mod.rs`), a state is `s = (x, z)`, `z = x' + d x`, and
//!
//! ```text
//! x' = -d x + z            minimise  ∫ |u|² + rx |x|² + rz |z|²  dt
//! z' = -β² x - d z + u
//! ```
//!
//! The minimum obeys `(s, μ)' = [[A, B Bᵀ], [R, -Aᵀ]] (s, μ)` with `u = μ₂`. Over a stretch the
//! solution is linear in the state before it and the costate after it, with real coefficients:
//!
//! ```text
//! s₁ = Φ s₀ + W μ₁
//! μ₀ = Φᵀ μ₁ - Q s₀
//! ```
//!
//! Two stretches are combined by [`Element::then`] (Redheffer's star product). It adds only
//! positive matrices, so combining thousands loses no digits: a gap of an hour between two keys is
//! as exact as one of a frame.

use glam::{DMat2, DVec2};

/// Constant parameters of the spring on a short stretch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rates {
    /// Decay per second.
    pub(super) d: f64,
    /// Square of half the distance between the poles, in (rad/s)².
    pub(super) b2: f64,
    /// Weights of the overshoot penalty on `x` and `z`.
    pub(super) rx: f64,
    pub(super) rz: f64,
}

impl Rates {
    /// Fastest rate of change on the stretch without the phase, per second.
    pub(super) fn fastest(&self) -> f64 {
        (self.d * self.d + self.b2 + self.rz + self.rx.sqrt()).sqrt()
    }
}

/// Longest stretch for the series, in units of the fastest rate.
const LONGEST: f64 = 0.6;

/// 1/1, 1/2, …, one per term of the series for the longest cell.
const RECIPROCALS: [f64; 17] = {
    let mut out = [0.0; 17];
    let mut n = 0;
    while n < 17 {
        out[n] = 1.0 / (n + 1) as f64;
        n += 1;
    }
    out
};

/// Number of terms of the series. At most three ones follow each other in the matrix before a
/// factor of `size`, so the n-th term is below `size^(n-3)/n!`; terms below 1e-17 are left out.
fn terms(size: f64) -> usize {
    let mut bound = 1.0 / 6.0;
    let mut n = 3;
    while n < RECIPROCALS.len() && bound > 1e-17 {
        bound *= size * RECIPROCALS[n];
        n += 1;
    }
    n
}

/// One stretch: `Φ`, `W` and `Q`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Element {
    pub(super) phi: DMat2,
    pub(super) w: DMat2,
    pub(super) q: DMat2,
}

impl Element {
    /// Constant rates for `h` seconds.
    pub(super) fn new(rates: &Rates, h: f64) -> Self {
        // Long stretches by repeated doubling.
        let mut doublings = 0;
        let mut fraction = h;
        while fraction * rates.fastest() > LONGEST && doublings < 64 {
            fraction *= 0.5;
            doublings += 1;
        }
        (0..doublings).fold(Self::short(rates, fraction), |half, _| half.then(&half))
    }

    /// Constant rates for `h` seconds, which must be short against them.
    fn short(rates: &Rates, h: f64) -> Self {
        // In units of h: x, h z and h² u, the cost divided by h³. All entries but the ones are then
        // small, and the series of the exponential converges quickly.
        let (d, b2) = (rates.d * h, rates.b2 * h * h);
        let (rx, rz) = (rates.rx * h * h * h * h, rates.rz * h * h);
        // Powers of [[A, B Bᵀ], [R, -Aᵀ]]: four rows of four columns; the loop over columns
        // vectorises. Most of the matrix is zero.
        let size = d.max(b2.sqrt()).max(rz.sqrt()).max(rx.sqrt().sqrt());
        let terms = terms(size);
        let unit = |row: usize| std::array::from_fn(|column| f64::from(u8::from(row == column)));
        let [mut x, mut z, mut m, mut n]: [[f64; 4]; 4] = [0, 1, 2, 3].map(unit);
        let mut sums = [x, z, m, n];
        for reciprocal in &RECIPROCALS[..terms] {
            for k in 0..4 {
                let (a, b, c, e) = (x[k], z[k], m[k], n[k]);
                x[k] = (b - d * a) * reciprocal;
                z[k] = (e - b2 * a - d * b) * reciprocal;
                m[k] = (rx * a + d * c + b2 * e) * reciprocal;
                n[k] = (rz * b - c + d * e) * reciprocal;
            }
            for k in 0..4 {
                sums[0][k] += x[k];
                sums[1][k] += z[k];
                sums[2][k] += m[k];
                sums[3][k] += n[k];
            }
        }
        let block = |row: usize, column: usize| {
            let [a, b] = [sums[row], sums[row + 1]];
            DMat2::from_cols(
                DVec2::new(a[column], b[column]),
                DVec2::new(a[column + 1], b[column + 1]),
            )
        };
        let (m12, m21, m22) = (block(0, 2), block(2, 0), block(2, 2));
        let back = m22.inverse();
        let element = Self { phi: back.transpose(), w: m12 * back, q: back * m21 };
        element.in_units(h)
    }

    /// Converts from units of `h` to seconds.
    fn in_units(&self, h: f64) -> Self {
        let unit = DMat2::from_diagonal(DVec2::new(1.0, 1.0 / h));
        let back = DMat2::from_diagonal(DVec2::new(1.0, h));
        let cube = h * h * h;
        Self {
            phi: unit * self.phi * back,
            w: symmetric(unit * self.w * unit) * cube,
            q: symmetric(back * self.q * back) * (1.0 / cube),
        }
    }

    /// This stretch followed by another.
    pub(super) fn then(&self, next: &Self) -> Self {
        self.joined(next, self.open(next))
    }

    /// `(1 + W Q)⁻¹` with the `Q` of the next stretch.
    pub(super) fn open(&self, next: &Self) -> DMat2 {
        (DMat2::IDENTITY + self.w * next.q).inverse()
    }

    /// [`then`](Self::then), where [`open`](Self::open) is known.
    pub(super) fn joined(&self, next: &Self, open: DMat2) -> Self {
        Self {
            phi: next.phi * open * self.phi,
            w: symmetric(next.w + next.phi * open * self.w * next.phi.transpose()),
            q: symmetric(self.q + self.phi.transpose() * next.q * open * self.phi),
        }
    }
}

fn symmetric(m: DMat2) -> DMat2 {
    let off = 0.5 * (m.x_axis.y + m.y_axis.x);
    DMat2::from_cols(DVec2::new(m.x_axis.x, off), DVec2::new(off, m.y_axis.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{ops, quadrature::gauss8};

    fn near(a: DMat2, b: DMat2, tolerance: f64) -> bool {
        (a - b).to_cols_array().iter().zip(b.to_cols_array()).all(|(gap, b)| {
            gap.abs() <= tolerance * (b.abs() + 1e-3 * (a.x_axis.x * a.y_axis.y).abs().sqrt())
        })
    }

    #[test]
    fn without_forces_it_is_the_beam_of_cubic_splines() {
        let h = 0.7;
        let beam = Element::short(&Rates::default(), h);
        let by_hand =
            DMat2::from_cols(DVec2::new(h * h * h / 3.0, h * h / 2.0), DVec2::new(h * h / 2.0, h));
        assert!(near(beam.w, by_hand, 1e-14), "{:?} for {by_hand:?}", beam.w);
        assert_eq!(beam.q, DMat2::ZERO);
    }

    #[test]
    fn w_is_the_gramian_of_the_response() {
        // W = ∫ e^(-2dτ) (S, C)(S, C)ᵀ dτ with S = sin(βτ)/β, C = cos βτ.
        let rates = Rates { d: 1.3, b2: 2.0, rx: 0.0, rz: 0.0 };
        let (h, beta) = (0.3, 2.0f64.sqrt());
        let entry = |i: usize, j: usize| {
            gauss8(0.0, h, |t| {
                let response = [ops::sin(beta * t) / beta, ops::cos(beta * t)];
                ops::exp(-2.0 * rates.d * t) * response[i] * response[j]
            })
        };
        let gramian = DMat2::from_cols(
            DVec2::new(entry(0, 0), entry(0, 1)),
            DVec2::new(entry(1, 0), entry(1, 1)),
        );
        let element = Element::short(&rates, h);
        assert!(near(element.w, gramian, 1e-13), "{:?} for {gramian:?}", element.w);
    }

    #[test]
    fn two_halves_are_the_whole() {
        let rates = Rates { d: 0.4, b2: 1.1, rx: 0.03, rz: 0.2 };
        let half = Element::short(&rates, 0.2);
        let (joined, whole) = (half.then(&half), Element::short(&rates, 0.4));
        assert!(near(joined.phi, whole.phi, 1e-13));
        assert!(near(joined.w, whole.w, 1e-13));
        assert!(near(joined.q, whole.q, 1e-13));
    }
}
