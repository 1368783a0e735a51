//! Lengths of ropes with a given sag.
//!
//! Barzel, figure 11, computes the length from a triangle: the dip is √¾ of a small sag and approaches
//! a large one (`docs/papers/barzel.md` B8).
//!
//! Tests: `the_triangle_would_not_pass_for_the_true_sag`.

use glam::DVec3;
use lariat_core::curve::catenary::Catenary;
use lariat_core::model::{SagForm, length_for_sag};

use super::check::{Outcome, topic};

const TRUE: &str = "mpmath 1.3, 60 digits: D (cosh a − 1)/2a = sag by findroot, length D sinh(a)/a";
const DIP: &str = "mpmath 1.3, 60 digits: dip of the catenary of length √(D² + 4 sag²), over sag";

topic! { "sag": "length of a rope over 2 m for a given sag";

    "sag-true-slight": "true sag 0.001 m: length" ["m"],
        TRUE, 1e-14 ["relative"], true_length(0.001, 2.000_001_333_332_711_111_7);
    "sag-true": "true sag 0.5 m: length" ["m"],
        TRUE, 1e-14 ["relative"], true_length(0.5, 2.301_582_228_172_272_242_1);
    "sag-true-deep": "true sag 10 m: length" ["m"],
        TRUE, 1e-14 ["relative"], true_length(10.0, 20.436_955_182_848_797_012);
    "sag-true-hangs": "true sag 0.5 m: lowest point" ["m"],
        "the given sag",
        1e-13 ["relative"], Outcome::relative(-0.5, -dip(0.5, SagForm::True)?);
    // The slack of this sag is 1e-6 of the gap: ten digits of it are left.
    "sag-published-slight": "published sag 0.001 m: dip over sag",
        DIP, 1e-9 ["relative"], published_dip(0.001, 0.866_025_447_085_684_711_01);
    "sag-published": "published sag 0.5 m: dip over sag",
        DIP, 1e-13 ["relative"], published_dip(0.5, 0.875_556_159_786_267_149_8);
    "sag-published-deep": "published sag 100 m: dip over sag",
        DIP, 1e-13 ["relative"], published_dip(100.0, 0.998_678_079_514_493_011_15);
}

fn true_length(sag: f64, reference: f64) -> Option<Outcome> {
    Some(Outcome::relative(reference, length_for_sag(2.0, sag, SagForm::True)))
}

/// Dip of a rope over 2 m, in metres.
fn dip(sag: f64, form: SagForm) -> Option<f64> {
    let length = length_for_sag(2.0, sag, form);
    let hung = Catenary::between(DVec3::ZERO, DVec3::X * 2.0, length, DVec3::Z).ok()?;
    Some(-hung.lowest().z)
}

fn published_dip(sag: f64, reference: f64) -> Option<Outcome> {
    Some(Outcome::relative(reference, dip(sag, SagForm::Published)? / sag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_triangle_would_not_pass_for_the_true_sag() {
        let triangle = length_for_sag(2.0, 0.5, SagForm::Published);
        let outcome = Outcome::relative(2.301_582_228_172_272_242_1, triangle);
        assert!(outcome.error > 0.01);
    }
}
