//! A sampled wiggly spline: its inputs, and the curve.
//!
//! Kass & Anderson 2008, sections 3 to 5. The curve is the passive motion plus a correction, the
//! motion of least residual that meets the knots. Knots on samples are met bit for bit. Knots
//! between samples are equations `C x = v`; with `H' = H + Cᵀ C` from `normal.rs` or `rows.rs`, the
//! minimum subject to them is
//!
//! ```text
//! x = x₀ + Z m,   H' x₀ = Cᵀ v,   H' Z = Cᵀ,   (C Z) m = v − C x₀
//! ```
//!
//! The curve is linear in the values of the knots, so moving one ([`Spline::move_knot`]) needs no
//! new factorisation, and gives the same bits as a new curve.
//!
//! Tests: `knots_are_met_bit_for_bit`, `a_moved_knot_vs_starting_over`,
//! `knots_between_samples_are_met`, `without_knots_the_spline_is_the_passive_motion`.

use num_complex::Complex64;

use super::filter::Tuning;
use super::knot::{Aim, Constraints, Knot};
use super::normal::Normal;
use super::passive::{one_or_each, passive_response, stiffness};
use super::plan::Plan;
use super::rows::Rows;
use super::settings::{Form, Method, ROWS_FROM, Settings};
use super::{SampledError, dense, open};
use lariat_core::num::banded::Symmetric;

/// Inputs of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Number of samples.
    pub samples: usize,
    /// Frequency and decay: one for all samples, or one for each.
    pub tunings: Vec<Tuning>,
    /// Equilibrium: empty for 0, one for all samples, or one for each.
    pub equilibrium: Vec<f64>,
    /// External acceleration per sample²: empty for 0, one for all samples, or one for each.
    pub force: Vec<f64>,
    /// Knots of the curve, in any order.
    pub knots: Vec<Knot>,
    /// Settings.
    pub settings: Settings,
}

impl Track {
    /// A track with one tuning for all samples, at rest at 0, without knots.
    pub fn new(samples: usize, tuning: Tuning, settings: Settings) -> Self {
        Self {
            samples,
            tunings: vec![tuning],
            equilibrium: Vec::new(),
            force: Vec::new(),
            knots: Vec::new(),
            settings,
        }
    }

    fn check(&self) -> Result<(), SampledError> {
        let samples = self.samples;
        for (what, given) in [
            ("tunings", self.tunings.len()),
            ("equilibria", self.equilibrium.len()),
            ("forces", self.force.len()),
        ] {
            if given > 1 && given != samples {
                return Err(SampledError::Length { what, given, samples });
            }
        }
        let finite = |what, index, value: f64| match value.is_finite() {
            true => Ok(()),
            false => Err(SampledError::NotFinite { what, index, value }),
        };
        for (what, list) in [("equilibrium", &self.equilibrium), ("force", &self.force)] {
            for (index, value) in list.iter().enumerate() {
                finite(what, index, *value)?;
            }
        }
        for (index, knot) in self.knots.iter().enumerate() {
            finite("knot", index, knot.value)?;
            for held in knot.imaginary.into_iter().flatten() {
                finite("imaginary part of knot", index, held)?;
            }
            for tangent in [knot.left, knot.right].into_iter().flatten() {
                let (slope, strength) = tangent.parts();
                finite("slope of knot", index, slope)?;
                if !(strength > 0.0 && strength.is_finite()) {
                    return Err(SampledError::Strength { knot: index, strength });
                }
            }
        }
        Ok(())
    }
}

/// Solver of the correction.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Solver {
    /// The correction is zero: there are no constraints.
    Nothing,
    /// Fewer constraints than degrees of freedom of free motion.
    Open,
    Normal,
    Rows,
    Natural,
}

/// A curve, with the factorisation to change it and memory to reuse.
#[derive(Clone, Debug)]
pub struct Spline {
    form: Form,
    solver: Solver,
    values: Vec<Complex64>,
    knots: Vec<f64>,
    plan: Plan,
    held: Constraints,
    passive: Vec<Complex64>,
    tunings: Vec<Tuning>,
    real: Normal<2>,
    complex: Normal<5>,
    real_rows: Rows<3>,
    rows: Rows<6>,
    /// `Z`, one column after the other.
    responses: Vec<Vec<f64>>,
    targets: Vec<f64>,
    right: Vec<f64>,
    x: Vec<f64>,
}

impl Default for Spline {
    /// A curve without samples.
    fn default() -> Self {
        Self {
            form: Form::Real,
            solver: Solver::Nothing,
            values: Vec::new(),
            knots: Vec::new(),
            plan: Plan::default(),
            held: Constraints::default(),
            passive: Vec::new(),
            tunings: Vec::new(),
            real: Normal::default(),
            complex: Normal::default(),
            real_rows: Rows::default(),
            rows: Rows::default(),
            responses: Vec::new(),
            targets: Vec::new(),
            right: Vec::new(),
            x: Vec::new(),
        }
    }
}

impl Spline {
    /// Solves for the curve of a track.
    pub fn new(track: &Track) -> Result<Self, SampledError> {
        let mut spline = Self::default();
        spline.rebuild(track)?;
        Ok(spline)
    }

    /// Replaces the curve by that of a track, in the same memory. After an error the curve is
    /// invalid until it is rebuilt.
    pub fn rebuild(&mut self, track: &Track) -> Result<(), SampledError> {
        track.check()?;
        let Settings { form, start_at_rest, method, .. } = track.settings;
        let (samples, parts) = (track.samples, form.parts());
        self.form = form;
        self.knots.clear();
        self.knots.extend(track.knots.iter().map(|knot| knot.value));
        self.tunings.clone_from(&track.tunings);
        self.plan.read(samples, &track.tunings, &track.settings)?;
        self.held.read(&track.knots, samples, parts, start_at_rest)?;
        if parts == 2 && self.held.len() > 0 && self.plan.has_no_resonance() {
            self.held.fix_imaginary_parts(samples);
        }
        passive_response(
            form,
            samples,
            &track.tunings,
            &track.equilibrium,
            &track.force,
            &mut self.passive,
        );
        self.solver = match () {
            () if self.held.len() == 0 => Solver::Nothing,
            () if self.held.len() < open::freedom(samples, parts) => Solver::Open,
            () if form == Form::Natural => Solver::Natural,
            () if method == Method::Rows => Solver::Rows,
            () if method == Method::Auto
                && samples > ROWS_FROM
                && self.held.longest_gap(samples, parts) > ROWS_FROM =>
            {
                Solver::Rows
            }
            () => Solver::Normal,
        };
        self.factor()?;
        self.solve()
    }

    /// Changes the value of a knot and solves again without factoring.
    pub fn move_knot(&mut self, knot: usize, value: f64) -> Result<(), SampledError> {
        let knots = self.knots.len();
        let place = self.knots.get_mut(knot).ok_or(SampledError::NoKnot { knot, knots })?;
        if !value.is_finite() {
            return Err(SampledError::NotFinite { what: "knot", index: knot, value });
        }
        *place = value;
        self.solve()
    }

    /// Values of the curve; the imaginary parts of a real form are 0.
    pub fn values(&self) -> &[Complex64] {
        &self.values
    }

    /// Passive motion: that of a spring without knots.
    pub fn passive(&self) -> &[Complex64] {
        &self.passive
    }

    /// Residuals of eq. 11 or 18, one for every sample with two neighbours: the deviation of the
    /// curve from free motion.
    pub fn residuals(&self) -> Vec<Complex64> {
        let parts = self.form.parts();
        let x = |i: usize| match parts {
            1 => Complex64::from(self.x[i]),
            _ => Complex64::new(self.x[2 * i], self.x[2 * i + 1]),
        };
        (1..self.values.len().saturating_sub(1)).map(|i| self.plan.residual(i, x)).collect()
    }

    /// The residual force `J = f − m a` of eq. 10, per sample², for every sample with two
    /// neighbours. An external force `−J` would move the spring along the curve. The complex filter
    /// does not correspond to a spring; for it this is the negated residual.
    pub fn forces(&self) -> Vec<Complex64> {
        let scale = |i: usize| {
            let tuning = one_or_each(&self.tunings, i, Tuning::CUBIC);
            match self.form {
                Form::Real | Form::Natural => tuning.carry(),
                Form::Differences => 1.0 / (1.0 + stiffness(tuning).1),
                Form::Complex { .. } => 1.0,
            }
        };
        let residuals = self.residuals();
        residuals.iter().enumerate().map(|(k, residual)| -residual / scale(k + 1)).collect()
    }

    /// `Eₛ` of eq. 11 or 18.
    pub fn objective(&self) -> f64 {
        self.residuals().iter().map(Complex64::norm_sqr).sum()
    }

    /// Normal equations of a complex curve (eq. 6) without the fixed unknowns: matrix and
    /// right-hand side, real and imaginary parts of the correction alternating. For comparison
    /// with other implementations. `None` if the curve was not solved by normal equations.
    pub fn normal_equations(&self) -> Option<(&Symmetric<5>, Vec<f64>)> {
        let complex = self.form.parts() == 2 && self.solver == Solver::Normal;
        complex.then(|| self.complex.equations(&self.targets))
    }

    fn factor(&mut self) -> Result<(), SampledError> {
        let parts = self.form.parts();
        let open = |unknown: usize| SampledError::Open { sample: unknown / parts };
        match (self.solver, parts) {
            (Solver::Nothing | Solver::Open, _) => {}
            (Solver::Normal, 1) => {
                self.real.build(&self.plan, &self.held).map_err(|e| open(e.row))?;
            }
            (Solver::Normal, _) => {
                self.complex.build(&self.plan, &self.held).map_err(|e| open(e.row))?;
            }
            (Solver::Rows, 1) => {
                self.real_rows.build(&self.plan, &self.held, 1).map_err(|e| open(e.column))?;
            }
            (Solver::Rows, _) => {
                self.rows.build(&self.plan, &self.held, 2).map_err(|e| open(e.column))?;
            }
            (Solver::Natural, _) => {
                let built = self.rows.build_natural(&self.plan, &self.held);
                built.map_err(|e| SampledError::Open { sample: e.column / 2 })?;
            }
        }
        self.responses.clear();
        if matches!(self.solver, Solver::Nothing | Solver::Open) {
            return Ok(());
        }
        let first = self.held.pins.len() + self.held.soft.len();
        for k in 0..self.held.between.len() {
            self.targets.clear();
            self.targets.resize(self.held.len(), 0.0);
            self.targets[first + k] = 1.0;
            self.correct();
            self.responses.push(self.x.clone());
        }
        Ok(())
    }

    fn solve(&mut self) -> Result<(), SampledError> {
        self.aim();
        match self.solver {
            Solver::Nothing => {
                self.x.clear();
                self.x.resize(self.plan.samples * self.form.parts(), 0.0);
            }
            Solver::Open => {
                let parts = self.form.parts();
                let solved = open::solve(&self.plan, &self.held, parts, &self.targets, &mut self.x);
                let sample = self.held.first_sample(parts).unwrap_or(0);
                solved.ok_or(SampledError::Open { sample })?;
            }
            Solver::Normal | Solver::Rows | Solver::Natural => {
                self.correct();
                self.meet_between()?;
            }
        }
        self.assemble()
    }

    /// Computes the target of the correction at each constraint.
    fn aim(&mut self) {
        let Self { held, passive, knots, targets, form, .. } = self;
        let parts = form.parts();
        let target = |aim: Aim, passive: f64| match aim {
            Aim::Knot(knot, offset) => knots[knot] + offset - passive,
            Aim::Fixed(value) => value - passive,
            Aim::Passive => 0.0,
        };
        targets.clear();
        targets.extend(held.pins.iter().map(|pin| {
            let passive = passive[pin.unknown / parts];
            target(pin.aim, if pin.unknown.is_multiple_of(parts) { passive.re } else { passive.im })
        }));
        targets.extend(held.soft.iter().chain(&held.between).map(|pair| {
            let [p, q] = pair.weights;
            target(pair.aim, p * passive[pair.sample].re + q * passive[pair.sample + 1].re)
        }));
    }

    /// Solves for the correction; knots between samples are met only approximately.
    fn correct(&mut self) {
        let Self { targets, right, x, .. } = self;
        match (self.solver, self.form.parts()) {
            (Solver::Normal, 1) => self.real.solve(targets, x),
            (Solver::Normal, _) => self.complex.solve(targets, x),
            (Solver::Rows, 1) => self.real_rows.solve(targets, right, x),
            _ => self.rows.solve(targets, right, x),
        }
        if self.solver == Solver::Natural {
            // Every other unknown is a `μ`.
            for i in 0..self.plan.samples {
                x[i] = x[2 * i];
            }
            x.truncate(self.plan.samples);
        }
    }

    /// Adjusts the correction to meet the knots between samples.
    fn meet_between(&mut self) -> Result<(), SampledError> {
        let Self { held, responses, targets, x, .. } = self;
        let parts = self.form.parts();
        let count = responses.len();
        let Some(first) = held.between.first() else { return Ok(()) };
        let first_target = held.pins.len() + held.soft.len();
        let value = |pair: &super::knot::Pair, x: &[f64]| {
            let [p, q] = pair.weights;
            p * x[pair.sample * parts] + q * x[(pair.sample + 1) * parts]
        };
        let mut matrix = Vec::with_capacity(count * count);
        let mut right = Vec::with_capacity(count);
        for (pair, target) in held.between.iter().zip(&targets[first_target..]) {
            matrix.extend(responses.iter().map(|response| value(pair, response)));
            right.push(target - value(pair, x));
        }
        let open = SampledError::Open { sample: first.sample };
        let shares = dense::solve(matrix, right).ok_or(open)?;
        for (response, share) in responses.iter().zip(shares) {
            for (x, response) in x.iter_mut().zip(response) {
                *x += share * response;
            }
        }
        Ok(())
    }

    /// Adds the correction to the passive motion, and sets fixed values bit for bit.
    fn assemble(&mut self) -> Result<(), SampledError> {
        let Self { values, passive, x, held, knots, form, .. } = self;
        values.clear();
        match form.parts() {
            1 => values.extend(passive.iter().zip(&*x).map(|(passive, x)| passive + x)),
            _ => values.extend(
                passive.iter().zip(x.chunks_exact(2)).map(|(p, x)| p + Complex64::new(x[0], x[1])),
            ),
        }
        let parts = form.parts();
        for pin in &held.pins {
            let value = match pin.aim {
                Aim::Knot(knot, offset) => knots[knot] + offset,
                Aim::Fixed(value) => value,
                Aim::Passive => continue,
            };
            let place = &mut values[pin.unknown / parts];
            *(if pin.unknown.is_multiple_of(parts) { &mut place.re } else { &mut place.im }) =
                value;
        }
        match values.iter().position(|x| !(x.re.is_finite() && x.im.is_finite())) {
            Some(sample) => Err(SampledError::TooLarge { sample }),
            None => Ok(()),
        }
    }
}
