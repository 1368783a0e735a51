//! Eqs 11 and 18 as least squares on their rows, for long gaps and as the reference of `normal.rs`.
//!
//! The same objective without squaring it first: rows of the filter, of the overshoot penalty, of
//! soft tangents and of knots between samples, each with the root of its weight, sorted by first
//! column and triangularised by `num::banded_qr`. At gaps of 3,000 samples that is accurate to
//! 1e-11, the normal equations to 4e-6.
//!
//! Tests: `normal_equations_vs_rows`, `long_gaps_keep_their_digits_by_rows`.

use num_complex::Complex64;

use super::knot::{Constraints, Pair};
use super::normal::{RhsTerm, fill_rhs};
use super::plan::Plan;
use lariat_core::num::banded_qr::{BandedQr, RankDeficientError};

/// Rows of `W` coefficients, triangularised.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows<const W: usize> {
    triangle: BandedQr<W>,
    rhs_terms: Vec<RhsTerm>,
    /// Index of the pin that fixes each unknown.
    pinned: Vec<Option<usize>>,
}

impl<const W: usize> Rows<W> {
    /// Removes all rows. `stride` is the number of columns per unknown.
    pub(super) fn start(&mut self, unknowns: usize, stride: usize, held: &Constraints) {
        self.triangle.reset(unknowns);
        self.rhs_terms.clear();
        self.pinned.clear();
        self.pinned.resize(unknowns, None);
        for (target, pin) in held.pins.iter().enumerate() {
            self.pinned[pin.unknown * stride] = Some(target);
        }
    }

    /// Adds a row; the terms of fixed unknowns go to its right-hand side.
    pub(super) fn add(&mut self, start: usize, mut row: [f64; W]) {
        let number = self.triangle.rows();
        for (coefficient, pinned) in row.iter_mut().zip(self.pinned.iter().skip(start)) {
            if let Some(target) = *pinned {
                if *coefficient != 0.0 {
                    self.rhs_terms.push(RhsTerm { row: number, target, factor: -*coefficient });
                }
                *coefficient = 0.0;
            }
        }
        self.triangle.add(start, row);
    }

    /// Adds a target to the right-hand side of the next row.
    pub(super) fn add_target(&mut self, target: usize, factor: f64) {
        self.rhs_terms.push(RhsTerm { row: self.triangle.rows(), target, factor });
    }

    /// Index of the pin that fixes an unknown.
    pub(super) fn pin_of(&self, unknown: usize) -> Option<usize> {
        self.pinned[unknown]
    }

    /// Adds the row of a pin: an equation in a single unknown.
    pub(super) fn add_pin(&mut self, unknown: usize, target: usize) {
        self.add_target(target, 1.0);
        let mut row = [0.0; W];
        row[0] = 1.0;
        self.triangle.add(unknown, row);
    }

    pub(super) fn check(&self) -> Result<(), RankDeficientError> {
        self.triangle.check()
    }

    /// Solves for the unknowns, given the targets; `right` is scratch memory.
    pub(super) fn solve(&self, targets: &[f64], right: &mut Vec<f64>, x: &mut Vec<f64>) {
        fill_rhs(&self.rhs_terms, targets, right, self.triangle.rows());
        self.triangle.solve(right, x);
    }

    /// Builds the objective of `plan` with all constraints, with `parts` real unknowns per sample;
    /// `W` spans at least three samples.
    pub(super) fn build(
        &mut self,
        plan: &Plan,
        held: &Constraints,
        parts: usize,
    ) -> Result<(), RankDeficientError> {
        let n = plan.samples;
        self.start(n * parts, 1, held);
        let mut pairs = Pairs::new(held);
        for j in 0..n {
            if j + 2 < n {
                let filter = plan.filters[j + 1];
                self.add_parts(j, parts, &[-filter.b, -filter.a, Complex64::ONE], 1.0);
            }
            if let Some(weight) = plan.penalty.get(j).map(|p| p.sqrt()).filter(|w| *w > 0.0) {
                if j + 1 < n {
                    self.add_parts(j, parts, &[-plan.poles[j], Complex64::ONE], weight);
                }
                if plan.size > 0.0 {
                    self.add_parts(j, parts, &[Complex64::ONE], weight * plan.size.sqrt());
                }
            }
            if let Some(weight) = plan.imaginary_penalty.get(j).filter(|weight| **weight > 0.0) {
                let mut row = [0.0; W];
                row[0] = weight.sqrt();
                self.add(2 * j + 1, row);
            }
            while let Some((target, pair)) = pairs.next_at(j) {
                let root = pair.strength.sqrt();
                let mut row = [0.0; W];
                row[0] = pair.weights[0] * root;
                row[parts] = pair.weights[1] * root;
                self.add_target(target, root);
                self.add(j * parts, row);
            }
            for unknown in j * parts..(j + 1) * parts {
                if let Some(target) = self.pinned[unknown] {
                    self.add_pin(unknown, target);
                }
            }
        }
        self.check()
    }

    /// Adds a complex row as two rows, its real and its imaginary part. For a real curve both are
    /// equations in the same real unknowns.
    fn add_parts(&mut self, sample: usize, parts: usize, row: &[Complex64], weight: f64) {
        let (mut real, mut imaginary) = ([0.0; W], [0.0; W]);
        for (k, coefficient) in row.iter().enumerate() {
            let Complex64 { re, im } = coefficient * weight;
            real[k * parts] = re;
            imaginary[k * parts] = im;
            if parts == 2 {
                real[k * parts + 1] = -im;
                imaginary[k * parts + 1] = re;
            }
        }
        self.add(sample * parts, real);
        if imaginary != [0.0; W] {
            self.add(sample * parts, imaginary);
        }
    }
}

/// Iterator over soft pairs and those between samples, in order of samples, with the index of
/// their target.
pub(super) struct Pairs<'a> {
    soft: std::iter::Peekable<std::iter::Enumerate<std::slice::Iter<'a, Pair>>>,
    between: std::iter::Peekable<std::iter::Enumerate<std::slice::Iter<'a, Pair>>>,
    first: [usize; 2],
}

impl<'a> Pairs<'a> {
    pub(super) fn new(held: &'a Constraints) -> Self {
        let pins = held.pins.len();
        Self {
            soft: held.soft.iter().enumerate().peekable(),
            between: held.between.iter().enumerate().peekable(),
            first: [pins, pins + held.soft.len()],
        }
    }

    /// Next pair that starts at a sample, if there is another.
    pub(super) fn next_at(&mut self, sample: usize) -> Option<(usize, &'a Pair)> {
        let here = |entry: &(usize, &Pair)| entry.1.sample == sample;
        if let Some((k, pair)) = self.soft.next_if(here) {
            return Some((self.first[0] + k, pair));
        }
        self.between.next_if(here).map(|(k, pair)| (self.first[1] + k, pair))
    }
}
