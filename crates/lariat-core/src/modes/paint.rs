//! Weights as colours: the hue of a point shows its lag, the saturation its amplitude.
//!
//! Kass and Anderson 2008, figure 8. A point of weight `W = A e^(iφ)` has the hue `−φ`: red moves
//! with the drive, yellow a sixth of a cycle later, green a third, cyan half a cycle, blue two
//! thirds, magenta five sixths. The point of largest amplitude is fully saturated, a point that
//! does not move is white. Saturation vanishes where the hue is undefined, so colours are
//! continuous wherever weights are.
//!
//! # Differences from the paper
//!
//! * A mode has three weights per point, one per axis, and a point on an ellipse has no single
//!   phase. The paper does not say which one it shows. We show the motion of all points along one
//!   direction, the one with the most motion ([`main_direction`]).
//! * The paper's colours show the mode; ours include its slosh: a stiff mode has one hue and its
//!   opposite.
//!
//! Tests: `hues_follow_the_lag`, `saturation_is_relative_to_the_largest_amplitude`,
//! `slosh_separates_hues_and_stiffness_leaves_one`, `points_at_rest_are_white`,
//! `the_main_direction_has_the_most_motion`, `a_mode_along_a_line_is_the_field_along_it`.

use std::f64::consts::TAU;
use std::ops::ControlFlow;

use glam::DVec3;
use num_complex::Complex64;

use crate::motion::linear_from_srgb;
use crate::num::{complex, hermitian::Hermitian};

use super::field::fluid;

/// Brightness of the colours, sRGB: that of white paint. At 1 a lit surface loses its shading;
/// much below, hues are hard to distinguish.
const BRIGHT: f64 = 0.92;

/// Linear colours of points with these weights and this slosh.
///
/// ```
/// use lariat_core::modes::{field, paint};
///
/// let lags = [0.0f64, 120.0, 240.0].map(|lag| field::weight(0.3, -lag.to_radians()));
/// let colours = paint::colours(&lags, 1.0);
/// // Red, green and blue.
/// for (point, colour) in colours.iter().enumerate() {
///     for (channel, light) in colour.iter().enumerate() {
///         assert_eq!(*light > 0.5, channel == point);
///     }
/// }
/// ```
pub fn colours(weights: &[Complex64], slosh: f64) -> Vec<[f64; 3]> {
    let sloshed: Vec<Complex64> = weights.iter().map(|weight| fluid(*weight, slosh)).collect();
    let largest = sloshed.iter().map(|w| complex::abs(*w)).fold(0.0, f64::max);
    let colour = |w: &Complex64| {
        let saturation = if largest > 0.0 { complex::abs(*w) / largest } else { 0.0 };
        hue(-complex::arg(*w) / TAU, saturation)
    };
    sloshed.iter().map(colour).collect()
}

/// Linear colour of a hue in turns (red at 0, green at a third) and a saturation.
fn hue(turns: f64, saturation: f64) -> [f64; 3] {
    // Each channel is 1 over a third of the circle, falls over a sixth, and is 0 over a third.
    [5.0, 3.0, 1.0].map(|start| {
        let k = (start + 6.0 * turns).rem_euclid(6.0);
        let missing = k.min(4.0 - k).clamp(0.0, 1.0);
        linear_from_srgb(BRIGHT * (1.0 - saturation * missing))
    })
}

/// Direction along which a mode moves its points most: the unit vector `d` with the largest
/// `Σ |d·W|²`. `weights` has three entries per point. The largest coordinate of `d` is positive; up
/// if nothing moves.
pub fn main_direction(weights: &[Complex64]) -> DVec3 {
    let mut sums = vec![0.0; 9];
    for w in weights.chunks_exact(3) {
        for (entry, sum) in sums.iter_mut().enumerate() {
            *sum += (w[entry / 3] * w[entry % 3].conj()).re;
        }
    }
    let found =
        Hermitian::new(3, sums, vec![0.0; 9]).eigen(|_| 1, &mut |_| ControlFlow::Continue(()));
    let Ok(found) = found else { return DVec3::Z };
    if found.values.first().is_none_or(|most| *most <= 0.0) {
        return DVec3::Z;
    }
    let Some([x, y, z]) = found.vectors.first().map(|v| &v[..]) else { return DVec3::Z };
    // The matrix is real, so its eigenvector is real up to a common phase.
    let largest =
        [x, y, z].into_iter().fold(*x, |a, b| if b.norm_sqr() > a.norm_sqr() { *b } else { a });
    let turned = |w: &Complex64| (w * largest.conj()).re;
    DVec3::new(turned(x), turned(y), turned(z)).normalize_or(DVec3::Z)
}

/// Weights of the points of a mode along a direction, one per point.
pub fn along(weights: &[Complex64], direction: DVec3) -> Vec<Complex64> {
    let one = |w: &[Complex64]| w[0] * direction.x + w[1] * direction.y + w[2] * direction.z;
    weights.chunks_exact(3).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modes::field::weight;
    use crate::motion::Colour;
    use crate::num::ops;

    fn lagging(degrees: f64, amplitude: f64) -> Complex64 {
        weight(amplitude, -ops::radians(degrees))
    }

    fn hex(weights: &[Complex64], slosh: f64) -> Vec<String> {
        colours(weights, slosh).into_iter().map(|c| Colour(c).to_hex()).collect()
    }

    #[test]
    fn hues_follow_the_lag() {
        let circle: Vec<_> = (0..6).map(|i| lagging(60.0 * f64::from(i), 0.3)).collect();
        // 0.92 of 255 is eb. Red, yellow, green, cyan, blue, magenta.
        let names = ["#eb0000", "#ebeb00", "#00eb00", "#00ebeb", "#0000eb", "#eb00eb"];
        assert_eq!(hex(&circle, 1.0), names);
        // A whole cycle later is the same hue.
        assert_eq!(hex(&[lagging(480.0, 1.0)], 1.0), ["#00eb00"]);
        // Between red and yellow: orange.
        assert_eq!(hex(&[lagging(30.0, 1.0)], 1.0), ["#eb7500"]);
    }

    #[test]
    fn saturation_is_relative_to_the_largest_amplitude() {
        let weights =
            [lagging(0.0, 2.0), lagging(0.0, 1.0), lagging(120.0, 0.5), lagging(0.0, -2.0)];
        assert_eq!(hex(&weights, 1.0), ["#eb0000", "#eb7575", "#b0ebb0", "#00ebeb"]);
    }

    #[test]
    fn slosh_separates_hues_and_stiffness_leaves_one() {
        let weights = [lagging(0.0, 1.0), lagging(60.0, 1.0), lagging(120.0, 1.0)];
        // Stiff: the real part only; a negative one is half a cycle later.
        assert_eq!(hex(&weights, 0.0), ["#eb0000", "#eb7575", "#75ebeb"]);
        // Sloshy: the imaginary part doubled; tan 60° is √3, so 60° becomes atan 2√3 = 73.9°.
        let sloshy = colours(&weights, 2.0);
        let lag = 360.0 / TAU * ops::atan2(2.0 * 3f64.sqrt(), 1.0);
        let same = colours(&[lagging(lag, 1.0)], 1.0)[0];
        for (a, b) in sloshy[1].iter().zip(same) {
            assert!((a - b).abs() < 1e-14, "{sloshy:?}");
        }
    }

    #[test]
    fn points_at_rest_are_white() {
        assert_eq!(hex(&[Complex64::ZERO, lagging(77.0, 1.0)], 1.0)[0], "#ebebeb");
        assert_eq!(hex(&[Complex64::ZERO; 2], 1.0), ["#ebebeb"; 2]);
        assert!(colours(&[], 1.0).is_empty());
    }

    #[test]
    fn the_main_direction_has_the_most_motion() {
        let d = DVec3::new(2.0, -6.0, 3.0) / 7.0;
        let aside = DVec3::new(3.0, 2.0, 2.0).normalize_or(DVec3::Z);
        let mut weights = Vec::new();
        for i in 0..40 {
            let (most, little) =
                (lagging(9.0 * f64::from(i), 1.0), lagging(200.0 * f64::from(i), 0.1));
            weights.extend(
                (d.to_array().into_iter().zip(aside.to_array()))
                    .map(|(a, b)| most * a + little * b),
            );
        }
        let found = main_direction(&weights);
        // The largest coordinate is positive.
        assert!(found.distance(-d) < 0.02, "{found}");
        assert!((found.length() - 1.0).abs() < 1e-15);
        // No other direction has more motion.
        let motion = |d: DVec3| along(&weights, d).iter().map(Complex64::norm_sqr).sum::<f64>();
        for other in
            [DVec3::X, DVec3::Y, DVec3::Z, d, (found + 0.01 * DVec3::X).normalize_or(DVec3::Z)]
        {
            assert!(motion(other) < motion(found), "{other}");
        }
        assert_eq!(main_direction(&[Complex64::ZERO; 6]), DVec3::Z);
        assert_eq!(main_direction(&[]), DVec3::Z);
    }

    #[test]
    fn a_mode_along_a_line_is_the_field_along_it() {
        let field: Vec<_> =
            (0..9).map(|i| lagging(25.0 * f64::from(i), 0.1 + f64::from(i))).collect();
        let line = DVec3::new(-1.0, 2.0, 5.0).normalize_or(DVec3::Z);
        let mode: Vec<_> = field.iter().flat_map(|w| line.to_array().map(|x| w * x)).collect();
        let found = main_direction(&mode);
        assert!(found.distance(line) < 1e-12, "{found}");
        for (a, b) in along(&mode, found).iter().zip(&field) {
            assert!((a - b).norm_sqr() < 1e-24, "{a} for {b}");
        }
    }
}
