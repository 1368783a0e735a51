//! Knots: values of the curve, and slopes on either side.
//!
//! Kass & Anderson 2008, section 3. A value on a sample replaces the unknown. A hard tangent fixes
//! a neighbour too, `xⱼ₊₁ = v + g` or `xⱼ₋₁ = v − g'`; if the two slopes differ, the tangent is
//! broken. A soft tangent is a penalty,
//!
//! ```text
//! E = Eₛ + Eₜ,   Eₜ = cₜ ((xⱼ₊₁ − xⱼ)/h − g)²                                      (7), (8)
//! ```
//!
//! here with `h` = one sample. A value between two samples is an equation in both,
//! `(1 − τ) xⱼ + τ xⱼ₊₁ = v`.
//!
//! # Differences from the paper
//!
//! * K3: the hard tangent `xᵢ₊₁ − xᵢ = g` should have `g h` on the right. Slopes here are per
//!   sample: divide slopes per second by the rate.
//! * K9: "strong tangent constraints will decouple" the two sides of a knot. This is true of the
//!   real spline. The complex one leaks through its imaginary part, which no tangent fixes; fix it
//!   with [`Knot::imaginary`].
//!
//! Tests: `two_fixed_samples_cut_a_real_spline_in_two`,
//! `a_complex_spline_leaks_unless_its_imaginary_part_is_held`,
//! `soft_tangents_leak_by_known_percentages`, `a_broken_tangent_is_met_on_both_sides`.

use super::SampledError;

/// Tangent of the curve at a knot. Slopes are per sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tangent {
    /// Exact slope to the next sample.
    Hard(f64),
    /// Target slope, with the strength `cₜ` of eq. 8.
    Soft {
        /// Target slope.
        slope: f64,
        /// `cₜ`; 1 weighs like a row of the objective.
        strength: f64,
    },
}

impl Tangent {
    /// Slope and strength; a hard one counts as 1.
    pub(super) fn parts(self) -> (f64, f64) {
        match self {
            Self::Hard(slope) => (slope, 1.0),
            Self::Soft { slope, strength } => (slope, strength),
        }
    }
}

/// A value at a time, with tangents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knot {
    /// Time in samples, from 0.
    pub at: f64,
    /// Value of the real part.
    pub value: f64,
    /// Tangent on the left.
    pub left: Option<Tangent>,
    /// Tangent on the right.
    pub right: Option<Tangent>,
    /// Fixed imaginary parts of the samples before, at and after the knot; only for complex splines
    /// and knots on samples.
    pub imaginary: [Option<f64>; 3],
}

impl Knot {
    /// A knot without tangents.
    pub fn new(at: f64, value: f64) -> Self {
        Self { at, value, left: None, right: None, imaginary: [None; 3] }
    }
}

/// Target value of a constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Aim {
    /// Value of a knot plus an offset.
    Knot(usize, f64),
    /// A constant.
    Fixed(f64),
    /// Value of the passive motion.
    Passive,
}

/// A fixed unknown. Unknowns are real parts, or real and imaginary parts alternately.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pin {
    pub(super) unknown: usize,
    pub(super) aim: Aim,
}

/// Constraint that `weights[0] Re xⱼ + weights[1] Re xⱼ₊₁` equals `aim`: exactly, or as a penalty
/// of weight `strength`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) sample: usize,
    pub(super) weights: [f64; 2],
    pub(super) strength: f64,
    pub(super) aim: Aim,
}

/// Constraints of the knots, in order of samples.
#[derive(Clone, Debug, Default)]
pub(super) struct Constraints {
    pub(super) pins: Vec<Pin>,
    pub(super) soft: Vec<Pair>,
    pub(super) between: Vec<Pair>,
}

impl Constraints {
    /// Number of constraints.
    pub(super) fn len(&self) -> usize {
        self.pins.len() + self.soft.len() + self.between.len()
    }

    /// Reads the knots.
    pub(super) fn read(
        &mut self,
        knots: &[Knot],
        samples: usize,
        parts: usize,
        start_at_rest: bool,
    ) -> Result<(), SampledError> {
        self.pins.clear();
        self.soft.clear();
        self.between.clear();
        for (index, knot) in knots.iter().enumerate() {
            self.read_knot(index, knot, samples, parts)?;
        }
        let first = self.first_sample(parts);
        if start_at_rest && first.is_some_and(|first| first >= 2) {
            let unknowns = 0..2 * parts;
            self.pins.extend(unknowns.map(|unknown| Pin { unknown, aim: Aim::Passive }));
        }
        self.pins.sort_by_key(|pin| pin.unknown);
        self.soft.sort_by_key(|pair| pair.sample);
        self.between.sort_by_key(|pair| pair.sample);
        match self.pins.windows(2).find(|two| two[0].unknown == two[1].unknown) {
            Some(two) => Err(SampledError::Twice { sample: two[0].unknown / parts }),
            None => Ok(()),
        }
    }

    /// Fixes the imaginary parts of a spline without resonance, where they are independent of the
    /// real ones and of the knots: at rest, or at the one value that is fixed.
    pub(super) fn fix_imaginary_parts(&mut self, samples: usize) {
        let held: Vec<Pin> = self.pins.iter().copied().filter(|pin| pin.unknown % 2 == 1).collect();
        let missing = match held[..] {
            [] => vec![(0, Aim::Passive), (1, Aim::Passive)],
            [one] if one.unknown == 1 => vec![(1, one.aim)],
            [one] => vec![(one.unknown / 2 - 1, one.aim)],
            _ => return,
        };
        let missing = missing.into_iter().filter(|(sample, _)| *sample < samples);
        self.pins.extend(missing.map(|(sample, aim)| Pin { unknown: 2 * sample + 1, aim }));
        self.pins.sort_by_key(|pin| pin.unknown);
    }

    /// First sample that a constraint involves.
    pub(super) fn first_sample(&self, parts: usize) -> Option<usize> {
        let pins = self.pins.iter().map(|pin| pin.unknown / parts);
        pins.chain(self.soft.iter().chain(&self.between).map(|pair| pair.sample)).min()
    }

    /// Longest run of samples without a constraint, including those at the ends.
    pub(super) fn longest_gap(&self, samples: usize, parts: usize) -> usize {
        let mut held: Vec<usize> = self.pins.iter().map(|pin| pin.unknown / parts).collect();
        held.extend(self.between.iter().map(|pair| pair.sample));
        held.push(samples);
        held.sort_unstable();
        let mut last = 0;
        held.into_iter()
            .map(|at| {
                let gap = at - last;
                last = at;
                gap
            })
            .max()
            .unwrap_or(0)
    }

    fn read_knot(
        &mut self,
        index: usize,
        knot: &Knot,
        samples: usize,
        parts: usize,
    ) -> Result<(), SampledError> {
        let outside = |at: f64| SampledError::Outside { knot: index, at, samples };
        let inside = |at: f64| at >= 0.0 && at <= samples as f64 - 1.0;
        if !inside(knot.at) {
            return Err(outside(knot.at));
        }
        let sample = knot.at as usize;
        let share = knot.at - sample as f64;
        if share > 0.0 {
            return self.read_between(index, knot, sample, share);
        }
        let pin = |at: usize, aim: Aim| Pin { unknown: at * parts, aim };
        self.pins.push(pin(sample, Aim::Knot(index, 0.0)));
        let mut side = |tangent: Option<Tangent>, sign: f64| {
            let Some(tangent) = tangent else { return Ok(()) };
            if !inside(knot.at + sign) {
                return Err(outside(knot.at + sign));
            }
            let neighbour = if sign > 0.0 { sample + 1 } else { sample - 1 };
            match tangent {
                Tangent::Hard(slope) => {
                    self.pins.push(pin(neighbour, Aim::Knot(index, sign * slope)));
                }
                Tangent::Soft { slope, strength } => {
                    self.soft.push(slope_of(sample.min(neighbour), slope, strength));
                }
            }
            Ok(())
        };
        side(knot.left, -1.0)?;
        side(knot.right, 1.0)?;
        if parts == 2 {
            for (held, offset) in knot.imaginary.iter().zip([-1.0, 0.0, 1.0]) {
                let Some(held) = *held else { continue };
                if !inside(knot.at + offset) {
                    return Err(outside(knot.at + offset));
                }
                let unknown = (knot.at + offset) as usize * 2 + 1;
                self.pins.push(Pin { unknown, aim: Aim::Fixed(held) });
            }
        }
        Ok(())
    }

    /// Reads a knot between two samples; its two tangents are the same segment of the curve.
    fn read_between(
        &mut self,
        index: usize,
        knot: &Knot,
        sample: usize,
        share: f64,
    ) -> Result<(), SampledError> {
        let weights = [1.0 - share, share];
        self.between.push(Pair { sample, weights, strength: 1.0, aim: Aim::Knot(index, 0.0) });
        let tangent = match (knot.left, knot.right) {
            (Some(left), Some(right)) if left != right => {
                let (left, right) = (left.parts().0, right.parts().0);
                return Err(SampledError::Broken { knot: index, left, right });
            }
            (left, right) => left.or(right),
        };
        match tangent {
            None => {}
            Some(Tangent::Hard(slope)) => self.between.push(slope_of(sample, slope, 1.0)),
            Some(Tangent::Soft { slope, strength }) => {
                self.soft.push(slope_of(sample, slope, strength));
            }
        }
        Ok(())
    }
}

fn slope_of(sample: usize, slope: f64, strength: f64) -> Pair {
    Pair { sample, weights: [-1.0, 1.0], strength, aim: Aim::Fixed(slope) }
}
