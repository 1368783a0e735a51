//! Smooth seeded noise.
//!
//! Gradient noise on a lattice of `u · scale` by `drift`, after Perlin (2002): smooth to the
//! second derivative, without fixed zeros, and the same for the same seed on every machine,
//! because its gradients come from integer hashing alone. Evaluation sets `drift` from the time, so
//! frames can be evaluated in any order. Both may have any value: past 2⁶³ the lattice wraps around.
//!
//! Tests: `slopes_vs_differences`, `seeds_differ_and_repeat`, `never_larger_than_its_magnitude`,
//! `any_parameters_stay_finite`.

use super::{Envelope, Offset};

/// Smooth seeded noise along normal and binormal.
#[derive(Clone, Debug, PartialEq)]
pub struct Noise {
    /// Largest displacement, in metres.
    pub magnitude: f64,
    /// Number of features along the rope.
    pub scale: f64,
    /// Position along the second lattice axis; one unit changes the whole pattern.
    pub drift: f64,
    /// Seed.
    pub seed: u64,
    /// Weight along the rope.
    pub envelope: Envelope,
}

impl Noise {
    /// The displacement at `u`.
    pub fn at(&self, u: f64) -> Offset {
        let (weight, slope) = self.envelope.at(u);
        // Scaled so that two directions together stay within the magnitude.
        let m = self.magnitude * std::f64::consts::FRAC_1_SQRT_2;
        let along = |seed: u64| {
            let (g, dg) = lattice(u * self.scale, self.drift, seed);
            (m * weight * g, m * (slope * g + weight * dg * self.scale))
        };
        let (x, dx) = along(mix(self.seed));
        let (y, dy) = along(mix(self.seed ^ 0x9e37_79b9_7f4a_7c15));
        Offset { x, y, dx, dy }
    }
}

/// `SplitMix64`'s finaliser: every bit of the input reaches every bit of the output.
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The gradient at a lattice point, each component in −1..1.
fn gradient(i: i64, j: i64, seed: u64) -> (f64, f64) {
    let h = mix(seed ^ mix(i as u64 ^ mix(j as u64)));
    let unit = |bits: u64| (bits as f64) * (2.0 / f64::from(u32::MAX)) - 1.0;
    (unit(h & 0xffff_ffff), unit(h >> 32))
}

/// Noise in −1..1 and its derivative by `x`.
fn lattice(x: f64, y: f64, seed: u64) -> (f64, f64) {
    // An infinite position has no lattice cell; the noise is constant there.
    let finite = |v: f64| if v.is_finite() { v } else { 0.0 };
    let (x, y) = (finite(x), finite(y));
    let (xi, yi) = (x.floor(), y.floor());
    let (fx, fy) = (x - xi, y - yi);
    let fade = |t: f64| t * t * t * (t * (6.0 * t - 15.0) + 10.0);
    let fade_slope = |t: f64| 30.0 * t * t * (t * (t - 2.0) + 1.0);
    let corner = |di: i64, dj: i64| {
        let (gx, gy) = gradient((xi as i64).wrapping_add(di), (yi as i64).wrapping_add(dj), seed);
        (gx * (fx - di as f64) + gy * (fy - dj as f64), gx)
    };
    let ((v00, d00), (v10, d10)) = (corner(0, 0), corner(1, 0));
    let ((v01, d01), (v11, d11)) = (corner(0, 1), corner(1, 1));
    let (sx, sy) = (fade(fx), fade(fy));
    let (low, high) = (v00 + sx * (v10 - v00), v01 + sx * (v11 - v01));
    let slope = fade_slope(fx);
    let low_d = d00 + sx * (d10 - d00) + slope * (v10 - v00);
    let high_d = d01 + sx * (d11 - d01) + slope * (v11 - v01);
    (low + sy * (high - low), low_d + sy * (high_d - low_d))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(seed: u64) -> Noise {
        Noise { magnitude: 0.2, scale: 5.0, drift: 1.3, seed, envelope: Envelope::Flat }
    }

    #[test]
    fn slopes_vs_differences() {
        for k in 1..200 {
            let (u, h) = (f64::from(k) / 200.0 + 1e-4, 1e-6);
            let n = noise(7);
            let difference = (n.at(u + h).x - n.at(u - h).x) / (2.0 * h);
            assert!((difference - n.at(u).dx).abs() < 1e-6);
        }
    }

    #[test]
    fn seeds_differ_and_repeat() {
        let row = |seed| (0..50).map(|k| noise(seed).at(f64::from(k) / 50.0).x).collect::<Vec<_>>();
        assert_eq!(row(3), row(3));
        assert_ne!(row(3), row(4));
        let o = noise(3).at(0.37);
        assert_ne!(o.x, o.y, "the two directions have different noise");
    }

    #[test]
    fn any_parameters_stay_finite() {
        for huge in [1e18, 9.3e18, 1e19, -1e19, 1e300, f64::MAX, -f64::MAX, f64::INFINITY] {
            for (scale, drift) in [(huge, 1.3), (5.0, huge), (huge, huge)] {
                let o = Noise { scale, drift, ..noise(7) }.at(0.37);
                assert!(o.x.is_finite() && o.y.is_finite(), "{scale} {drift}: {o:?}");
                assert!(o.x.abs() <= 0.2 && o.y.abs() <= 0.2, "{scale} {drift}: {o:?}");
            }
        }
    }

    #[test]
    fn never_larger_than_its_magnitude() {
        let mut most: f64 = 0.0;
        for seed in 0..20 {
            for k in 0..2000 {
                let mut n = noise(seed);
                n.drift = f64::from(k) * 0.017;
                let o = n.at(f64::from(k % 97) / 97.0);
                most = most.max((o.x * o.x + o.y * o.y).sqrt());
            }
        }
        assert!(most <= 0.2, "{most}");
        assert!(most > 0.05, "{most}");
    }
}
