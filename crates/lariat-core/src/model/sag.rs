//! Length of a rope for a given sag.
//!
//! Barzel 1997, figure 11: "we compute the backbone length by triangular approximation":
//! `√(D² + 4 sag²)`. The true dip of that rope is 0.87 of the sag if the sag is
//! small, and approaches it if it is large; [`SagForm::True`] solves for the dip itself.
//!
//! Tests: `true_sag_is_the_dip_of_the_rope`, `published_sag_is_a_triangle`.

use crate::num::{ops, root};

/// Definition of sag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SagForm {
    /// The triangular approximation of the paper.
    #[default]
    Published,
    /// The dip of the hung rope below a level chord.
    True,
}

/// The length of a rope over `gap` metres that sags by `sag` metres.
///
/// Without sag it is exactly the gap: a coiled cord at rest is a straight line.
pub fn length_for_sag(gap: f64, sag: f64, form: SagForm) -> f64 {
    let sag = sag.abs();
    if sag == 0.0 {
        return gap;
    }
    if form == SagForm::Published || gap <= 1e-9 * sag {
        return if gap <= 1e-9 * sag { 2.0 * sag } else { ops::hypot(gap, 2.0 * sag) };
    }
    // Dip of the level catenary: D (cosh a − 1)/2a. In terms of t = sinh(a/2): cosh a − 1 = 2 t².
    let wanted = 2.0 * sag / gap;
    // A rope is longer than its gap by a²/6 of it, with a up to 2·wanted: less than rounding.
    if wanted < 1e-9 {
        return gap;
    }
    let dip = |a: f64| {
        let t = ops::sinh(0.5 * a);
        2.0 * t * t / a - wanted
    };
    // (cosh a − 1)/a is at least a/2, so 2·wanted is an upper bound.
    let high = (2.0 * wanted).min(2.0 * ops::ln_1p(2.0 * wanted) + 4.0);
    let a = root::bracketed((0.0, -wanted), (high, dip(high)), 1e-15 * wanted, 80, dip);
    gap * ops::sinh(a) / a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::catenary::Catenary;
    use glam::DVec3;

    #[test]
    fn published_sag_is_a_triangle() {
        assert_eq!(length_for_sag(3.0, 2.0, SagForm::Published), 5.0);
        assert_eq!(length_for_sag(3.0, 0.0, SagForm::Published), 3.0);
        assert_eq!(length_for_sag(0.0, 2.0, SagForm::Published), 4.0);
    }

    #[test]
    fn true_sag_is_the_dip_of_the_rope() {
        let dip = |length: f64| {
            let hung = Catenary::between(DVec3::ZERO, DVec3::X * 2.0, length, DVec3::Z).unwrap();
            -hung.lowest().z
        };
        for sag in [5e-324, 1e-300, 1e-12] {
            assert_eq!(length_for_sag(2.0, sag, SagForm::True), 2.0, "sag {sag}");
        }
        let mut sag = 1e-4;
        while sag < 1e4 {
            let ours = dip(length_for_sag(2.0, sag, SagForm::True));
            assert!((ours / sag - 1.0).abs() < 1e-7, "sag {sag}: hangs {ours}");
            // The paper's triangle: 0.866 of it when small, all of it when large.
            let ratio = dip(length_for_sag(2.0, sag, SagForm::Published)) / sag;
            assert!((0.865..1.001).contains(&ratio), "sag {sag}: published ratio {ratio}");
            sag *= 3.0;
        }
        assert!((dip(length_for_sag(2.0, 1e-3, SagForm::Published)) / 1e-3 - 0.866).abs() < 1e-3);
    }
}
