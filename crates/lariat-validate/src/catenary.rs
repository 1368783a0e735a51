//! Posed ropes against the textbook catenary: level, slanted, nearly taut, very deep.
//!
//! Simulated ropes and strings at rest are in `spline_rope/rest.rs` and `strings/rest.rs`.
//!
//! Ends, length and lowest point for lengths of 1 + 1e-12 to 1e6 times the gap, any sign of the rise,
//! vertical, coincident, exactly taut. `A` is the horizontal tension over the weight per length.
//!
//! Bars are 1e-13 of the length, except for slanted gaps: their length is a square root, whose rounding
//! of 1e-16 changes a slack of 1e-9 or 1e-12 in the seventh or fourth digit, hence `A` in the eighth or
//! fifth, and positions by 1e-16/√slack of the length.
//!
//! Tests: `a_sheared_rope_would_be_seen`.

use glam::DVec3;
use lariat_core::curve::GrossShape;
use lariat_core::curve::catenary::{Catenary, tilted_up};
use lariat_core::num::ops;

use super::check::{Outcome, topic};
use super::reference::dice::Dice;
use super::reference::hung::{Hung, distance, leaned};
use super::reference::{measure, worst};

/// A rope to hang from the origin.
#[derive(Clone, Copy)]
struct Case {
    end: DVec3,
    length: f64,
    swing: f64,
    sway: f64,
}

impl Case {
    /// `h` metres across, `v` up.
    const fn plain(h: f64, v: f64, length: f64) -> Self {
        Self { end: DVec3::new(h, 0.0, v), length, swing: 0.0, sway: 0.0 }
    }

    fn ours(&self) -> Option<Catenary> {
        let up = tilted_up(self.swing, self.sway, (DVec3::X, DVec3::Y));
        Catenary::between(DVec3::ZERO, self.end, self.length, up).ok()
    }

    fn truth(&self) -> Hung {
        Hung::between(DVec3::ZERO, self.end, self.length, leaned(self.swing, self.sway))
    }
}

const LEVEL: Case = Case::plain(4.0, 0.0, 6.0);
const RISING: Case = Case::plain(4.0, 1.5, 6.0);
const FALLING: Case = Case::plain(4.0, -1.5, 6.0);
const STEEP: Case = Case::plain(0.1, 3.0, 3.5);
const TAUT_9: Case = Case::plain(4.0, 0.0, 4.0 * (1.0 + 1e-9));
const TAUT_12: Case = Case::plain(4.0, 0.0, 4.0 * (1.0 + 1e-12));
/// 1 + 1e-9 and 1 + 1e-12 times √13.
const SLANTED_9: Case = Case::plain(3.0, 2.0, 3.605_551_279_069_540_5);
const SLANTED_12: Case = Case::plain(3.0, 2.0, 3.605_551_275_467_595);
const DEEP_3: Case = Case::plain(1.0, 0.0, 1e3);
const DEEP_6: Case = Case::plain(1.0, 0.25, 1e6);
const LEANED: Case = Case { end: DVec3::new(4.0, 0.5, 1.0), length: 6.0, swing: 0.6, sway: -0.3 };

const ALL: [Case; 11] =
    [LEVEL, RISING, FALLING, STEEP, TAUT_9, TAUT_12, SLANTED_9, SLANTED_12, DEEP_3, DEEP_6, LEANED];

const MPMATH: &str = "mpmath 1.3, 60 digits: sinh(a)/a = √(L² − v²)/h by findroot, A = h/2a, b = artanh(v/L) − a, \
     lowest A (1 − cosh b)";
const TEXTBOOK: &str = "y = A cosh((x − x₀)/A), A by bisection, 31 digits, at 66 points";
const MEASURED: &str = "the given length; measured by halving chords of the curve until they agree";

topic! { "catenary": "the shape a rope takes at rest";

    "catenary-level-lowest": "6 m over 4 m, level: lowest point" ["m"],
        MPMATH, 1e-13 ["relative"], lowest(LEVEL, -2.010_533_046_593_260_673_8);
    "catenary-level-tension": "6 m over 4 m, level: A" ["m"],
        MPMATH, 1e-13 ["relative"], tension(LEVEL, 1.232_945_878_944_161_581_9);
    "catenary-level-shape": "6 m over 4 m, level: worst position error",
        TEXTBOOK, 1e-13 ["of the length"], shape(LEVEL);
    "catenary-level-length": "6 m over 4 m, level: length" ["m"],
        MEASURED, 1e-10 ["relative"], length(LEVEL);
    "catenary-rising-lowest": "6 m over 4 m, 1.5 m up: lowest point" ["m"],
        MPMATH, 1e-13 ["relative"], lowest(RISING, -1.243_093_747_977_129_130_1);
    "catenary-rising-tension": "6 m over 4 m, 1.5 m up: A" ["m"],
        MPMATH, 1e-13 ["relative"], tension(RISING, 1.289_039_245_848_865_378_1);
    "catenary-rising-shape": "6 m over 4 m, 1.5 m up: worst position error",
        TEXTBOOK, 1e-13 ["of the length"], shape(RISING);
    "catenary-rising-length": "6 m over 4 m, 1.5 m up: length" ["m"],
        MEASURED, 1e-10 ["relative"], length(RISING);
    "catenary-falling-lowest": "6 m over 4 m, 1.5 m down: lowest point" ["m"],
        MPMATH, 1e-13 ["relative"], lowest(FALLING, -2.743_093_747_977_129_130_1);
    "catenary-falling-shape": "6 m over 4 m, 1.5 m down: worst position error",
        TEXTBOOK, 1e-13 ["of the length"], shape(FALLING);
    "catenary-falling-length": "6 m over 4 m, 1.5 m down: length" ["m"],
        MEASURED, 1e-10 ["relative"], length(FALLING);
    "catenary-steep-lowest": "3.5 m, 3 m up over 0.1 m: lowest point" ["m"],
        MPMATH, 1e-13 ["relative"], lowest(STEEP, -0.240_559_170_985_614_032_1);
    "catenary-steep-shape": "3.5 m, 3 m up over 0.1 m: worst position error",
        TEXTBOOK, 1e-13 ["of the length"], shape(STEEP);
    "catenary-taut-9-lowest": "gap × (1 + 1e-9), level: lowest point" ["m"],
        MPMATH, 1e-13 ["relative"], lowest(TAUT_9, -0.000_077_459_670_155_779_947_586);
    "catenary-taut-9-tension": "gap × (1 + 1e-9), level: A" ["m"],
        MPMATH, 1e-13 ["relative"], tension(TAUT_9, 25_819.887_910_415_565_898);
    "catenary-taut-9-shape": "gap × (1 + 1e-9), level: worst position error",
        TEXTBOOK, 1e-13 ["of the length"], shape(TAUT_9);
    "catenary-taut-12-lowest": "gap × (1 + 1e-12), level: lowest point" ["m"],
        MPMATH, 1e-13 ["relative"], lowest(TAUT_12, -2.449_598_620_896_543_290_8e-6);
    "catenary-taut-12-tension": "gap × (1 + 1e-12), level: A" ["m"],
        MPMATH, 1e-13 ["relative"], tension(TAUT_12, 816_460.289_836_792_973_81);
    "catenary-taut-12-shape": "gap × (1 + 1e-12), level: worst position error",
        TEXTBOOK, 1e-13 ["of the length"], shape(TAUT_12);
    "catenary-taut-12-length": "gap × (1 + 1e-12), level: length" ["m"],
        MEASURED, 1e-10 ["relative"], length(TAUT_12);
    "catenary-slanted-9-tension": "gap × (1 + 1e-9), slanted: A" ["m"],
        MPMATH, 1e-7 ["relative"], tension(SLANTED_9, 16_112.584_739_845_631_61);
    "catenary-slanted-9-shape": "gap × (1 + 1e-9), slanted: worst position error",
        TEXTBOOK, 4e-12 ["of the length"], shape(SLANTED_9);
    "catenary-slanted-12-tension": "gap × (1 + 1e-12), slanted: A" ["m"],
        MPMATH, 1e-4 ["relative"], tension(SLANTED_12, 509_504.539_666_019_682_67);
    "catenary-slanted-12-shape": "gap × (1 + 1e-12), slanted: worst position error",
        TEXTBOOK, 1e-10 ["of the length"], shape(SLANTED_12);
    "catenary-deep-3-lowest": "a thousand times the gap: lowest point" ["m"],
        MPMATH, 1e-13 ["relative"], lowest(DEEP_3, -499.949_460_233_018_477_95);
    "catenary-deep-3-tension": "a thousand times the gap: A" ["m"],
        MPMATH, 1e-13 ["relative"], tension(DEEP_3, 0.050_542_321_507_778_919_543);
    "catenary-deep-3-shape": "a thousand times the gap: worst position error",
        TEXTBOOK, 1e-13 ["of the length"], shape(DEEP_3);
    "catenary-deep-3-length": "a thousand times the gap: length" ["m"],
        MEASURED, 1e-10 ["relative"], length(DEEP_3);
    "catenary-deep-6-lowest": "a million times the gap: lowest point" ["m"],
        MPMATH, 1e-13 ["relative"], lowest(DEEP_6, -499_999.846_203_132_597_71);
    "catenary-deep-6-tension": "a million times the gap: A" ["m"],
        MPMATH, 1e-13 ["relative"], tension(DEEP_6, 0.028_796_868_231_548_530_721);
    "catenary-deep-6-shape": "a million times the gap: worst position error",
        TEXTBOOK, 1e-13 ["of the length"], shape(DEEP_6);
    "catenary-deep-6-length": "a million times the gap: length" ["m"],
        MEASURED, 1e-10 ["relative"], length(DEEP_6);
    "catenary-leaned-lowest": "swing 0.6, sway −0.3 rad: lowest point along the leaned up" ["m"],
        "y = A cosh((x − x₀)/A) in the leaned plane, 31 digits",
        1e-13 ["relative"], lowest(LEANED, LEANED.truth().lowest().1);
    "catenary-leaned-tension": "swing 0.6, sway −0.3 rad: A" ["m"],
        "y = A cosh((x − x₀)/A) in the leaned plane, 31 digits",
        1e-13 ["relative"], tension(LEANED, LEANED.truth().scale());
    "catenary-leaned-shape": "swing 0.6, sway −0.3 rad: worst position error",
        TEXTBOOK, 1e-13 ["of the length"], shape(LEANED);
    "catenary-leaned-length": "swing 0.6, sway −0.3 rad: length" ["m"],
        MEASURED, 1e-10 ["relative"], length(LEANED);
    "catenary-ends": "both ends of all ropes above, first and last of 33 samples" ["wrong ends"],
        "the points the rope is held at, bit for bit", 0.0 ["ends"], ends();
    "catenary-sweep-ends": "1,000 ropes, 1 + 1e-12 to 1e6 times the gap: worst far end",
        "the point the rope is held at",
        1e-13 ["of the length"], worst(sweep(-12.0, 1000).map(|c| far_end(&c)));
    "catenary-sweep-shape": "300 ropes, 1 + 1e-6 to 1e6 times the gap: worst of 5 points",
        "y = A cosh((x − x₀)/A), A by bisection, 31 digits",
        1e-13 ["of the length"], worst(sweep(-6.0, 300).map(|c| miss(&c, 5)));
    "catenary-vertical": "5 m between a point and one 1 m above it: lowest point" ["m"],
        "a fold: (L − v)/2 below the start",
        1e-15 ["relative"], lowest(Case::plain(0.0, 1.0, 5.0), -2.0);
    "catenary-coincident": "5 m with both ends in one point: lowest point" ["m"],
        "a fold: L/2 below the start", 1e-15 ["relative"], lowest(Case::plain(0.0, 0.0, 5.0), -2.5);
    "catenary-exactly-taut": "as long as the gap: worst of 9 samples" ["m"],
        "the straight line", 1e-15 ["m"], straight();
}

/// Height of the lowest point along the leaned up vector.
fn lowest(case: Case, reference: f64) -> Option<Outcome> {
    let up = tilted_up(case.swing, case.sway, (DVec3::X, DVec3::Y));
    Some(Outcome::relative(reference, case.ours()?.lowest().dot(up)))
}

fn tension(case: Case, reference: f64) -> Option<Outcome> {
    Some(Outcome::relative(reference, case.ours()?.scale()))
}

fn shape(case: Case) -> Option<Outcome> {
    Some(Outcome::worst(miss(&case, 65)))
}

/// Worst of `n` points at equal steps and of one just before the end: the last sample itself is set
/// exactly and does not test the formula.
fn miss(case: &Case, n: usize) -> f64 {
    let Some(ours) = case.ours() else { return f64::NAN };
    let truth = case.truth();
    let steps = (0..n).map(|i| i as f64 / (n - 1) as f64);
    worst(steps.chain([BEFORE_ONE]).map(|u| distance(ours.at(u).0, &truth.at(u * case.length))))
        / case.length
}

/// The largest number below 1.
const BEFORE_ONE: f64 = 1.0 - 0.5 * f64::EPSILON;

fn far_end(case: &Case) -> f64 {
    case.ours().map_or(f64::NAN, |ours| ours.at(BEFORE_ONE).0.distance(case.end) / case.length)
}

fn length(case: Case) -> Option<Outcome> {
    let ours = case.ours()?;
    let measured = measure::by_halving(64, 1e-12 * case.length, |u| ours.at(u).0);
    Some(Outcome::relative(case.length, measured))
}

fn ends() -> Option<Outcome> {
    let mut off = 0.0;
    for case in ALL {
        let samples = case.ours()?.sample(33);
        let exact = [(samples[0], DVec3::ZERO), (samples[32], case.end)];
        off += exact.iter().filter(|(ours, held)| ours != held).count() as f64;
    }
    Some(Outcome::worst(off))
}

/// Random ropes with a slack of 10 to the power of `least` to 6 times the gap. The horizontal gap is
/// at least a thousandth of the rise.
fn sweep(least: f64, count: usize) -> impl Iterator<Item = Case> {
    let mut dice = Dice::new(0x0c47_e4a2);
    (0..count).map(move |_| {
        let v = dice.between(-4.0, 4.0);
        let h = v.abs() * ops::pow(10.0, dice.between(-3.0, 2.0)) + 1e-3;
        let (sin, cos) = ops::sin_cos(dice.between(0.0, 6.3));
        let end = DVec3::new(h * cos, h * sin, v);
        let length = end.length() * (1.0 + ops::pow(10.0, dice.between(least, 6.0)));
        Case { end, length, swing: 0.0, sway: 0.0 }
    })
}

fn straight() -> Option<Outcome> {
    let (a, b) = (DVec3::new(0.3, 0.1, 2.0), DVec3::new(-1.0, 2.0, 0.7));
    let samples = Catenary::between(a, b, a.distance(b), DVec3::Z).ok()?.sample(9);
    let line = (0..9).map(|i| a + (b - a) * (f64::from(i) / 8.0));
    Some(Outcome::worst(worst(samples.iter().zip(line).map(|(p, q)| p.distance(q)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheared_rope_would_be_seen() {
        // The paper's linear correction: a millionth of the length, spread over the rope.
        let ours = LEVEL.ours().unwrap();
        let truth = LEVEL.truth();
        let sheared = |u: f64| ours.at(u).0 + DVec3::X * (6e-6 * u * (1.0 - u));
        let error = worst((0..65).map(|i| {
            let u = f64::from(i) / 64.0;
            distance(sheared(u), &truth.at(6.0 * u)) / 6.0
        }));
        assert!(error > 1e-7, "{error:e}");
        // A rope too long by a billionth.
        let long = Case { length: 6.0 * (1.0 + 1e-9), ..LEVEL };
        assert!(miss(&long, 65) < 1e-13);
        assert!(lowest(long, -2.010_533_046_593_260_673_8).unwrap().error > 1e-10);
        assert!(tension(long, 1.232_945_878_944_161_581_9).unwrap().error > 1e-10);
    }
}
