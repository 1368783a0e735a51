//! Easing presets from one key to the next: slow start, slow stop, bounce, spring.
//!
//! A preset is a function `e` with `e(0) = 0` and `e(1) = 1`; the value between two keys is the
//! first plus `e` times the difference. Each shape is defined once, in its `in` form. `out` is its
//! mirror image, `1 − e(1 − u)`, and `in-out` is half of each. Slopes and integrals are mirrored in
//! the same way, so all three are closed forms.
//!
//! # Differences from the usual formulas
//!
//! The exponential and the elastic preset as commonly printed miss their ends by a thousandth,
//! which shows as a pop on the key. Here they end exactly on it: the exponential is rescaled, and
//! the elastic swings through 3¼ turns instead of about 3.08, so that its last crossing falls on
//! the key.
//!
//! Tests: `presets_start_at_zero_and_arrive_at_one`, `slopes_vs_differences`,
//! `integrals_vs_quadrature`.

use std::f64::consts::{LN_2, TAU};

use super::names::{Name, Named, by_name};
use crate::num::ops;

/// Shape of an easing preset, described for its `in` form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EaseShape {
    /// A quarter of a cosine: the gentlest.
    Sine,
    /// u².
    Quad,
    /// u³, the plain "ease".
    Cubic,
    /// u⁴.
    Quart,
    /// Exponential: the speed doubles every tenth of the time.
    Expo,
    /// Pulls back by a tenth first.
    Back,
    /// A damped spring.
    Elastic,
    /// A dropped ball.
    Bounce,
}

/// End of the motion that is eased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EaseSide {
    /// The start.
    In,
    /// The arrival.
    Out,
    /// Both.
    InOut,
}

/// A preset: a shape and a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ease {
    /// Shape.
    pub shape: EaseShape,
    /// Side.
    pub side: EaseSide,
}

/// Constant of `Back`: the usual value, an undershoot of a tenth.
const BACK: f64 = 1.701_58;

/// Cycles of `Elastic`; a quarter beyond an integer, so that it crosses 1 at the end.
const SWINGS: f64 = 3.25;

/// `Elastic` and `Expo` lose or gain a factor of 2¹⁰ over the interval.
const DECAY: f64 = 10.0 * LN_2;

/// Half the acceleration of `Bounce`: the drop takes 1/2.75 of the time, and the three hops after
/// it, each half as long as the one before, take the rest.
const FALL: f64 = 2.75 * 2.75;

/// Middle of each arc of `Bounce`, drop first, and its height above the floor at 1.
const ARCS: [(f64, f64); 4] =
    [(0.0, 0.0), (1.5 / 2.75, 0.75), (2.25 / 2.75, 0.9375), (2.625 / 2.75, 0.984_375)];

/// Times at which `Bounce` touches the floor.
const TOUCHES: [f64; 3] = [1.0 / 2.75, 2.0 / 2.75, 2.5 / 2.75];

impl Ease {
    /// Slow start.
    pub const IN: Self = Self { shape: EaseShape::Cubic, side: EaseSide::In };
    /// Slow arrival.
    pub const OUT: Self = Self { shape: EaseShape::Cubic, side: EaseSide::Out };
    /// Slow at both ends.
    pub const IN_OUT: Self = Self { shape: EaseShape::Cubic, side: EaseSide::InOut };

    /// Every preset.
    pub fn all() -> impl Iterator<Item = Self> {
        use EaseShape::{Back, Bounce, Cubic, Elastic, Expo, Quad, Quart, Sine};
        [Sine, Quad, Cubic, Quart, Expo, Back, Elastic, Bounce].into_iter().flat_map(|shape| {
            [EaseSide::In, EaseSide::Out, EaseSide::InOut]
                .into_iter()
                .map(move |side| Self { shape, side })
        })
    }

    /// Eased fraction at fraction `u` of the time.
    pub fn at(self, u: f64) -> f64 {
        match self.side {
            EaseSide::In => self.shape.start(u),
            EaseSide::Out => 1.0 - self.shape.start(1.0 - u),
            EaseSide::InOut if u < 0.5 => 0.5 * self.shape.start(2.0 * u),
            EaseSide::InOut => 1.0 - 0.5 * self.shape.start(2.0 - 2.0 * u),
        }
    }

    /// Slope at fraction `u` of the time; 1 is linear.
    pub fn slope(self, u: f64) -> f64 {
        match self.side {
            EaseSide::In => self.shape.start_slope(u),
            EaseSide::Out => self.shape.start_slope(1.0 - u),
            EaseSide::InOut if u < 0.5 => self.shape.start_slope(2.0 * u),
            EaseSide::InOut => self.shape.start_slope(2.0 - 2.0 * u),
        }
    }

    /// Integral of [`Self::at`] from 0 to `u`.
    pub fn integral(self, u: f64) -> f64 {
        let start = |u| self.shape.start_integral(u);
        match self.side {
            EaseSide::In => start(u),
            EaseSide::Out => u - (start(1.0) - start(1.0 - u)),
            EaseSide::InOut if u < 0.5 => 0.25 * start(2.0 * u),
            EaseSide::InOut => (u - 0.5) + 0.25 * start(2.0 - 2.0 * u),
        }
    }

    /// Whether it leaves the range between the two keys.
    pub fn overshoots(self) -> bool {
        matches!(self.shape, EaseShape::Back | EaseShape::Elastic)
    }

    /// Calls `found` with every `u` inside the interval at which the formula changes; a quadrature
    /// must not step across these.
    pub(super) fn joints(self, mut found: impl FnMut(f64)) {
        let touches: &[f64] = if self.shape == EaseShape::Bounce { &TOUCHES } else { &[] };
        match self.side {
            EaseSide::In => touches.iter().for_each(|u| found(1.0 - u)),
            EaseSide::Out => touches.iter().copied().for_each(found),
            EaseSide::InOut => {
                found(0.5);
                for u in touches {
                    found(0.5 - 0.5 * u);
                    found(0.5 + 0.5 * u);
                }
            }
        }
    }
}

impl Default for Ease {
    fn default() -> Self {
        Self::IN_OUT
    }
}

impl EaseShape {
    /// The `in` form.
    fn start(self, u: f64) -> f64 {
        match self {
            Self::Sine => 1.0 - ops::cos_turns(0.25 * u),
            Self::Quad => u * u,
            Self::Cubic => u * u * u,
            Self::Quart => (u * u) * (u * u),
            Self::Expo => (ops::exp(DECAY * u) - 1.0) / 1023.0,
            Self::Back => u * u * ((BACK + 1.0) * u - BACK),
            Self::Elastic => {
                let left = 1.0 - u;
                ops::exp(-DECAY * left) * ops::cos_turns(SWINGS * left)
            }
            Self::Bounce => {
                let (from_bottom, height) = arc(1.0 - u);
                1.0 - (FALL * from_bottom * from_bottom + height)
            }
        }
    }

    fn start_slope(self, u: f64) -> f64 {
        match self {
            Self::Sine => 0.25 * TAU * ops::sin_turns(0.25 * u),
            Self::Quad => 2.0 * u,
            Self::Cubic => 3.0 * u * u,
            Self::Quart => 4.0 * u * u * u,
            Self::Expo => DECAY * ops::exp(DECAY * u) / 1023.0,
            Self::Back => u * (3.0 * (BACK + 1.0) * u - 2.0 * BACK),
            Self::Elastic => {
                let left = 1.0 - u;
                let (sin, cos) = ops::sin_cos_turns(SWINGS * left);
                ops::exp(-DECAY * left) * (DECAY * cos + TAU * SWINGS * sin)
            }
            Self::Bounce => 2.0 * FALL * arc(1.0 - u).0,
        }
    }

    /// Integral of the `in` form from 0 to `u`.
    fn start_integral(self, u: f64) -> f64 {
        match self {
            Self::Sine => u - ops::sin_turns(0.25 * u) / (0.25 * TAU),
            Self::Quad => u * u * u / 3.0,
            Self::Cubic => (u * u) * (u * u) / 4.0,
            Self::Quart => (u * u) * (u * u) * u / 5.0,
            Self::Expo => ((ops::exp(DECAY * u) - 1.0) / DECAY - u) / 1023.0,
            Self::Back => u * u * u * ((BACK + 1.0) * u / 4.0 - BACK / 3.0),
            // ∫ e^{−ax} cos bx dx from 1 − u to 1.
            Self::Elastic => elastic_antiderivative(1.0) - elastic_antiderivative(1.0 - u),
            Self::Bounce => u - (bounce_integral(1.0) - bounce_integral(1.0 - u)),
        }
    }
}

fn elastic_antiderivative(x: f64) -> f64 {
    let swing = TAU * SWINGS;
    let (sin, cos) = ops::sin_cos_turns(SWINGS * x);
    ops::exp(-DECAY * x) * (swing * sin - DECAY * cos) / (DECAY * DECAY + swing * swing)
}

/// For `Bounce` in its `out` form: distance of `u` from the middle of its arc, and the arc's
/// height.
fn arc(u: f64) -> (f64, f64) {
    let index = TOUCHES.iter().filter(|touch| u >= **touch).count();
    let (middle, height) = ARCS[index];
    (u - middle, height)
}

/// Integral of `Bounce` in its `out` form from 0 to `u`.
fn bounce_integral(u: f64) -> f64 {
    let mut sum = 0.0;
    let mut from = 0.0;
    for (index, (middle, height)) in ARCS.into_iter().enumerate() {
        let to = TOUCHES.get(index).map_or(u, |touch| touch.min(u));
        if to <= from {
            break;
        }
        let cube = |x: f64| (x - middle) * (x - middle) * (x - middle);
        sum += FALL / 3.0 * (cube(to) - cube(from)) + height * (to - from);
        from = to;
    }
    sum
}

/// A row of the table.
const fn row(
    name: &'static str,
    shape: EaseShape,
    side: EaseSide,
    help: &'static str,
) -> Name<Ease> {
    Name { name, value: Ease { shape, side }, help }
}

impl Named for Ease {
    const WHAT: &'static str = "an easing preset";

    const NAMES: &'static [Name<Self>] = &EASES;
}

/// Names of the presets, in the order they are listed.
pub(super) const EASES: [Name<Ease>; 27] = {
    use EaseShape::{Back, Bounce, Cubic, Elastic, Expo, Quad, Quart, Sine};
    use EaseSide::{In, InOut, Out};
    [
        row("ease-in", Cubic, In, "Starts slowly."),
        row("ease-out", Cubic, Out, "Arrives slowly."),
        row("ease-in-out", Cubic, InOut, "Starts and arrives slowly."),
        row("sine-in", Sine, In, "Starts gently."),
        row("sine-out", Sine, Out, "Arrives gently."),
        row("sine-in-out", Sine, InOut, "Starts and arrives gently, as a pendulum does."),
        row("quad-in", Quad, In, "Starts like a falling object."),
        row("quad-out", Quad, Out, "Arrives like an object thrown upwards."),
        row("quad-in-out", Quad, InOut, "Speeds up evenly, then slows down evenly."),
        row("cubic-in", Cubic, In, "The same as ease-in."),
        row("cubic-out", Cubic, Out, "The same as ease-out."),
        row("cubic-in-out", Cubic, InOut, "The same as ease-in-out."),
        row("quart-in", Quart, In, "Starts very slowly."),
        row("quart-out", Quart, Out, "Arrives very slowly."),
        row("quart-in-out", Quart, InOut, "Starts and arrives very slowly, fast in between."),
        row("expo-in", Expo, In, "Starts almost still, then shoots off."),
        row("expo-out", Expo, Out, "Shoots off, then creeps to its end."),
        row("expo-in-out", Expo, InOut, "Creeps at both ends, jumps in between."),
        row("back-in", Back, In, "Draws back a tenth of the distance first."),
        row("back-out", Back, Out, "Overshoots by a tenth and comes back."),
        row("back-in-out", Back, InOut, "Draws back first and overshoots at the end."),
        row("elastic-in", Elastic, In, "Swings more and more, then goes."),
        row("elastic-out", Elastic, Out, "Arrives like a released spring and rings out."),
        row("elastic-in-out", Elastic, InOut, "Swings more and more, goes, and rings out."),
        row("bounce-in", Bounce, In, "Hops higher and higher, then goes."),
        row("bounce-out", Bounce, Out, "Arrives like a dropped ball."),
        row("bounce-in-out", Bounce, InOut, "Hops higher and higher, then lands bouncing."),
    ]
};

by_name!(Ease);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::quadrature::gauss8;

    #[test]
    fn presets_start_at_zero_and_arrive_at_one() {
        for ease in Ease::all() {
            assert!(ease.at(0.0).abs() < 1e-15, "{ease} starts at {}", ease.at(0.0));
            assert!((ease.at(1.0) - 1.0).abs() < 1e-15, "{ease} arrives at {}", ease.at(1.0));
        }
        assert_eq!(Ease::IN_OUT.at(0.5), 0.5);
        assert_eq!(Ease::IN.at(0.5), 0.125);
    }

    #[test]
    fn overshoots_is_true_only_for_presets_that_overshoot() {
        for ease in Ease::all() {
            let (mut least, mut most) = (0.0_f64, 1.0_f64);
            for i in 0..=1000 {
                let e = ease.at(f64::from(i) / 1000.0);
                (least, most) = (least.min(e), most.max(e));
            }
            let out = least < -1e-3 || most > 1.0 + 1e-3;
            assert_eq!(out, ease.overshoots(), "{ease} covers {least} to {most}");
        }
        let least = (0..1000).map(|i| "back-in".parse::<Ease>().unwrap().at(f64::from(i) / 1000.0));
        assert!((least.fold(0.0, f64::min) + 0.1).abs() < 1e-4, "back draws back a tenth");
    }

    #[test]
    fn in_and_out_are_mirrors() {
        for i in 0..=64 {
            let u = f64::from(i) / 64.0;
            for ease in Ease::all() {
                let mirror = match ease.side {
                    EaseSide::In => Ease { side: EaseSide::Out, ..ease },
                    EaseSide::Out => Ease { side: EaseSide::In, ..ease },
                    EaseSide::InOut => ease,
                };
                assert!((ease.at(u) + mirror.at(1.0 - u) - 1.0).abs() < 1e-15, "{ease} at {u}");
            }
        }
    }

    /// Interior of every formula, away from its joints.
    fn pieces(ease: Ease) -> Vec<(f64, f64)> {
        let mut ends = vec![0.0, 1.0];
        ease.joints(|u| ends.push(u));
        ends.sort_by(f64::total_cmp);
        ends.windows(2).map(|w| (w[0], w[1])).collect()
    }

    #[test]
    fn slopes_vs_differences() {
        for ease in Ease::all() {
            for (from, to) in pieces(ease) {
                for i in 1..16 {
                    let u = from + (to - from) * f64::from(i) / 16.0;
                    let h = 1e-5 * (to - from);
                    let difference = (ease.at(u + h) - ease.at(u - h)) / (2.0 * h);
                    let error = (ease.slope(u) - difference).abs();
                    assert!(error < 1e-5, "{ease} at {u}: {} for {difference}", ease.slope(u));
                }
            }
        }
    }

    #[test]
    fn integrals_vs_quadrature() {
        for ease in Ease::all() {
            let mut sum = 0.0;
            for (from, to) in pieces(ease) {
                let step = (to - from) / 8.0;
                for i in 0..8 {
                    let u = from + f64::from(i) * step;
                    sum += gauss8(u, u + step, |u| ease.at(u));
                    let ours = ease.integral(u + step);
                    assert!((ours - sum).abs() < 1e-13, "{ease} to {}: {ours} for {sum}", u + step);
                }
            }
        }
    }
}
