//! A solved curve: its nodes, its cells, and its value at any time.
//!
//! Tests: `an_overshoot_is_reported_between_keys_wherever_the_spring_jumps`,
//! `keys_too_close_for_the_spring_are_named`, `a_slope_that_causes_an_overshoot_is_reported`.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use num_complex::Complex64;

use super::chain;
use super::passive::Passive;
use super::plan::{self, Plan};
use super::stretch::Stretch;
use super::{Kind, Knot, Resonance, Setup, Slope};
use crate::motion::extrapolation::InPeriod;
use crate::motion::keys::MIN_GAP;
use crate::motion::{Animate, Channel, Interval};

/// Overshoot that is reported, as a multiple of the keys' deviation. Less: every lively curve is
/// reported. More: a curve twice as large as its keys is not.
const RESONANT: f64 = 2.0;

/// Deviation by rounding relative to the keys, with a margin of a thousand.
const ROUNDING: f64 = 1e-12;

/// Samples per cycle; the peak is then missed by a hundredth at most.
const SAMPLES_PER_CYCLE: f64 = 24.0;

/// Cycles in a cell above which one of them comes close to the amplitude.
const MANY_CYCLES: f64 = 4.0;

/// Half periods between keys below which they cannot be in resonance, but can be too close.
const TOO_CLOSE: f64 = 0.5;

/// Share of the overshoot that a slope must cause by itself to be reported as its cause.
const MAIN_CAUSE: f64 = 0.5;

/// Data shared by all clones of a curve.
pub(super) struct Solved<T> {
    pub(super) knots: Vec<Knot<T>>,
    pub(super) times: Vec<f64>,
    pub(super) setup: Setup<T>,
    pub(super) plan: Option<Arc<Plan>>,
    /// The node of each knot.
    pub(super) node_of: Vec<usize>,
    pub(super) parts: Vec<Component>,
}

/// One component of the value.
#[derive(Clone)]
pub(super) struct Component {
    pub(super) around: Channel<f64>,
    pub(super) passive: Option<Arc<Passive>>,
    /// Equilibrium, if it is constant and there is no force.
    pub(super) level: Option<f64>,
    /// Deviation of each node from the passive response.
    pub(super) states: Vec<chain::State>,
    pub(super) cells: Vec<[Complex64; 8]>,
}

impl Component {
    /// Equilibrium at a time plus `deviation`.
    #[inline]
    fn near_rest(&self, t: f64, deviation: f64) -> f64 {
        let rest = match (self.level, &self.passive) {
            (Some(level), _) => level,
            (None, Some(passive)) => passive.at(t).0,
            (None, None) => self.around.at(t),
        };
        let value = rest + deviation;
        // Values near the largest floating-point numbers may overflow.
        if value.is_finite() { value } else { rest }
    }
}

/// Maps a time into the period that starts at `start`.
pub(super) fn in_period(t: f64, start: f64, period: f64) -> f64 {
    if !t.is_finite() {
        return start;
    }
    let place = InPeriod::new(t, start, start + period, false);
    place.t
}

/// Location of a time.
#[derive(Clone, Copy)]
enum Place {
    Before,
    In { stretch: usize, cell: usize, s: f64 },
    RingDown(f64),
}

impl Place {
    pub(super) fn find(plan: &Plan, t: f64) -> Self {
        let times = &plan.times[..];
        if t < times[0] || t.is_nan() {
            return Self::Before;
        }
        let k = times.partition_point(|time| *time <= t) - 1;
        let Some(stretch) = plan.stretches.list.get(k) else {
            return Self::RingDown(t - times[k]);
        };
        let (cell, s) = stretch.place(t);
        Self::In { stretch: k, cell, s }
    }
}

impl<T: Animate> Solved<T> {
    pub(super) fn in_period(&self, t: f64) -> (f64, f64) {
        match (self.setup.period, self.times.first()) {
            (Some(period), Some(first)) if t.is_finite() => {
                let place = InPeriod::new(t, *first, first + period, false);
                (place.t, place.tolerance)
            }
            _ => (t, 0.0),
        }
    }

    pub(super) fn knot_at(&self, t: f64, tolerance: f64) -> Option<&Knot<T>> {
        let i = self.times.partition_point(|time| *time < t - tolerance);
        match self.times.get(i) {
            Some(time) if (time - t).abs() <= tolerance => self.knots.get(i),
            _ => None,
        }
    }

    /// Value at a time.
    pub(super) fn at(&self, t: f64) -> T {
        if let Some((plan, k)) = self.stretch_at(t)
            && plan.times[k] != t
        {
            // The usual case: one search, one polynomial, one rotation.
            let stretch = &plan.stretches.list[k];
            return T::from_parts(|i| self.inside(plan, stretch, i, t));
        }
        let (t, tolerance) = self.in_period(t);
        if let Some(knot) = self.knot_at(t, tolerance) {
            return knot.value;
        }
        let Some(plan) = &self.plan else { return T::from_parts(|i| self.moving(i, t).0) };
        match Place::find(plan, t) {
            Place::In { stretch, .. } => {
                let stretch = &plan.stretches.list[stretch];
                T::from_parts(|i| self.inside(plan, stretch, i, t))
            }
            _ => T::from_parts(|i| self.parts[i].near_rest(t, self.correction(i, t)[0].re)),
        }
    }

    /// Stretch of a time, unless it is before or after all of them, or in a repetition.
    #[inline]
    pub(super) fn stretch_at(&self, t: f64) -> Option<(&Plan, usize)> {
        let plan = self.plan.as_ref().filter(|plan| plan.period.is_none())?;
        let k = plan.times.partition_point(|time| *time <= t).checked_sub(1)?;
        (k < plan.stretches.list.len()).then_some((plan, k))
    }

    /// One component of the value at a time within a stretch.
    #[inline]
    pub(super) fn inside(&self, plan: &Plan, stretch: &Stretch, part: usize, t: f64) -> f64 {
        let part = &self.parts[part];
        let (cell, s) = stretch.place(t);
        let x = polynomial(&part.cells[stretch.first_cell + cell], s);
        let turn = plan.phase(stretch, cell, t);
        part.near_rest(t, x.re * turn.re - x.im * turn.im)
    }

    /// Value and slope of one component.
    pub(super) fn moving(&self, part: usize, t: f64) -> (f64, f64) {
        let Component { around, passive, .. } = &self.parts[part];
        let (x, v) = match passive {
            Some(passive) => passive.at(t),
            None => (around.at(t), 0.0),
        };
        let [c, dc] = self.correction(part, t);
        (x + c.re, v + dc.re)
    }

    /// Complex deviation of one component from the passive response, and its slope.
    pub(super) fn correction(&self, part: usize, t: f64) -> [Complex64; 2] {
        let Some(plan) = &self.plan else { return [Complex64::ZERO; 2] };
        let Component { states, cells, .. } = &self.parts[part];
        let t = self.in_period(t).0;
        match Place::find(plan, t) {
            Place::Before => [plan::pair(&states[0])[0], Complex64::ZERO],
            Place::In { stretch, cell, s } => {
                let stretch = &plan.stretches.list[stretch];
                let (x, dx) = with_slope(&cells[stretch.first_cell + cell], s);
                let turn = plan.phase(stretch, cell, t);
                let omega = self.turning(t);
                let slope = dx * (1.0 / stretch.step) + x * Complex64::new(0.0, omega);
                [x * turn, slope * turn]
            }
            Place::RingDown(tau) => {
                let last = plan.nodes.len() - 1;
                let now = &plan.nodes[last].after;
                if now.is_slack() || tau.is_infinite() {
                    let held =
                        if now.is_slack() { plan::pair(&states[last])[0] } else { Complex64::ZERO };
                    return [held, Complex64::ZERO];
                }
                let [x, slope, _] = plan.ring_down(&states[last], tau);
                [x, slope]
            }
        }
    }

    pub(super) fn turning(&self, t: f64) -> f64 {
        let spring = &self.setup.spring;
        spring.turning(&spring.at(t))
    }

    pub(super) fn phasor(&self, part: usize, t: f64) -> Complex64 {
        let t = self.in_period(t).0;
        let now = self.setup.spring.at(t);
        let Component { around, passive, .. } = &self.parts[part];
        if self.setup.spring.kind == Kind::Real {
            let (x, v) = self.moving(part, t);
            let (y, v) = (x - around.at(t), v - around.slope(t));
            return Complex64::new(y, now.quadrature(y, v));
        }
        let passive = passive.as_ref().map_or(Complex64::ZERO, |p| p.deviation(t, &now));
        passive + self.correction(part, t)[0]
    }

    pub(super) fn residual(&self, part: usize, t: f64) -> Complex64 {
        let t = self.in_period(t).0;
        let Some(plan) = &self.plan else { return Complex64::ZERO };
        let Component { states, cells, .. } = &self.parts[part];
        let (stretch, cell, s) = match Place::find(plan, t) {
            Place::Before => return Complex64::ZERO,
            Place::In { stretch, cell, s } => (&plan.stretches.list[stretch], cell, s),
            Place::RingDown(tau) => {
                let last = plan.nodes.len() - 1;
                let still = plan.nodes[last].after.is_slack() || tau.is_infinite();
                return if still { Complex64::ZERO } else { plan.ring_down(&states[last], tau)[2] };
            }
        };
        let c = &cells[stretch.first_cell + cell];
        let d = plan.stretches.cell(stretch, cell).rates.d;
        let omega = self.setup.spring.at(t).omega;
        let per = 1.0 / stretch.step;
        let (x, dx) = with_slope(c, s);
        let ddx = curvature(c, s) * (per * per);
        let z = dx * per + x * d;
        let z_slope = ddx + dx * (per * d);
        match plan.kind {
            // (D + d)² + ω².
            Kind::Real => z_slope + z * d + x * (omega * omega),
            // (D - p̄)(D - p); without the phase the first is D + d + 2iω, the second D + d.
            Kind::Complex => {
                (z_slope + z * Complex64::new(d, 2.0 * omega)) * plan.phase(stretch, cell, t)
            }
        }
    }

    /// Solves for one component of the value and computes its curve.
    pub(super) fn solve(&mut self, part: usize) {
        let Some(plan) = &self.plan else { return };
        let n = plan.nodes.len();
        let mut states = vec![[0.0; 4]; n];
        let mut breaks = vec![0.0; n];
        let mut targets = vec![[0.0; 2]; n];
        let Component { around, passive, .. } = &self.parts[part];
        for (knot, k) in self.knots.iter().zip(&self.node_of) {
            let node = &plan.nodes[*k];
            let (x, v) = match passive {
                Some(passive) => passive.at(knot.time),
                None => (around.at(knot.time), 0.0),
            };
            let value = knot.value.part(part) - x;
            let hard = |slope: &Option<Slope<T>>| match slope {
                Some(Slope::Hard(g)) => Some(g.part(part) - v),
                _ => None,
            };
            let soft = |slope: &Option<Slope<T>>| match slope {
                Some(Slope::Soft(g, _)) => g.part(part) - v,
                _ => 0.0,
            };
            let (left, right) = (hard(&knot.left), hard(&knot.right));
            let slope = right.or(left).unwrap_or(0.0);
            breaks[*k] = left.unwrap_or(slope) - slope;
            targets[*k] = [soft(&knot.left), soft(&knot.right)];
            let now = &node.after;
            let im = now.quadrature(value, slope);
            // A free oscillation of this value and slope; only pinned components are used.
            let im_v = now.omega * value - now.d * im;
            states[*k] = if plan.kind == Kind::Real {
                [value, 0.0, slope, 0.0]
            } else {
                [value, im, slope, im_v]
            };
        }
        // After a hold, the states are computed for a value of 1 and scaled below: the held value
        // is known only when the curve before it is solved.
        for (state, node) in states.iter_mut().zip(&plan.nodes).filter(|(_, node)| node.is_held) {
            let now = &node.after;
            let im = now.quadrature(1.0, 0.0);
            *state = match plan.kind {
                Kind::Real => [1.0, 0.0, 0.0, 0.0],
                Kind::Complex => [1.0, im, 0.0, now.omega - now.d * im],
            };
        }
        plan.solve(&mut states, &breaks, &targets);
        let mut held = 1.0;
        for k in 1..n {
            if plan.nodes[k].is_held {
                held = states[k - 1][0];
            }
            states[k] = states[k].map(|part| part * held);
        }
        let cells = plan.fill(&states, &breaks);
        let part = &mut self.parts[part];
        (part.states, part.cells) = (states, cells);
    }

    /// Interval between the separators before and after a node.
    pub(super) fn affected_span(&self, node: usize) -> Interval {
        let Some(plan) = &self.plan else { return Interval::ALL_TIME };
        let separator = |k: &usize| plan.nodes[*k].is_separator();
        let before = (0..node).rev().find(separator);
        let after = (node + 1..plan.nodes.len()).find(separator);
        if plan.period.is_some() && (before.is_none() || after.is_none()) {
            return Interval::ALL_TIME;
        }
        Interval::new(
            before.map_or(f64::NEG_INFINITY, |k| plan.nodes[k].time),
            after.map_or(f64::INFINITY, |k| plan.nodes[k].time),
        )
    }

    pub(super) fn independent_span(&self, time: f64) -> Interval {
        let Some(plan) = &self.plan else { return Interval::ALL_TIME };
        let near = |k: &usize| (plan.nodes[*k].time - time).abs() < MIN_GAP;
        match (0..plan.nodes.len()).find(near) {
            Some(node) => self.affected_span(node),
            None => {
                // Between two nodes: separators on either side limit the interval.
                let after = plan.nodes.partition_point(|node| node.time < time);
                let separator = |k: &usize| plan.nodes[*k].is_separator();
                let (left, right) =
                    ((0..after).rev().find(separator), (after..plan.nodes.len()).find(separator));
                if plan.period.is_some() && (left.is_none() || right.is_none()) {
                    return Interval::ALL_TIME;
                }
                Interval::new(
                    left.map_or(f64::NEG_INFINITY, |k| plan.nodes[k].time),
                    right.map_or(f64::INFINITY, |k| plan.nodes[k].time),
                )
            }
        }
    }

    pub(super) fn resonance(&self, part: usize) -> Option<Resonance> {
        let plan = self.plan.as_ref()?;
        let Component { around, states, cells, .. } = &self.parts[part];
        let size = self.knots.iter().fold(0.0, |most: f64, k| most.max(k.value.part(part).abs()));
        let asked = self.knots.iter().zip(&self.node_of).fold(0.0, |most: f64, (knot, k)| {
            // Deviation from the equilibrium, or from the passive response.
            let deviation = (knot.value.part(part) - around.at(knot.time)).abs();
            let deviation = deviation.max(states[*k][0].abs());
            // A slope at the equilibrium is an impulse; the slope of a local key is part of its
            // state.
            let is_impulse = deviation <= ROUNDING * size || knot.local;
            most.max(deviation).max(if is_impulse {
                overshoot_of_slope(plan, *k, knot, part)
            } else {
                0.0
            })
        });
        // Keys that differ from the passive response only by rounding have no deviation.
        let asked = asked.max(ROUNDING * size);
        let mut worst: Option<Resonance> = None;
        let last_key = self.times.last().copied().unwrap_or(f64::NEG_INFINITY);
        let mut after = 0.0f64;
        for stretch in &plan.stretches.list {
            let laid = &cells[stretch.first_cell..][..stretch.count];
            let each = laid.iter().enumerate();
            let reach = each.fold(0.0, |most: f64, (j, c)| {
                most.max(self.largest_deviation(plan, stretch, j, c))
            });
            if plan.period.is_none() && stretch.start >= last_key {
                after = after.max(reach);
            } else if reach > RESONANT * asked && worst.is_none_or(|w| reach > w.reach) {
                worst = Some(self.between_keys(plan, stretch, reach, asked));
            }
        }
        if plan.period.is_none() {
            let last = plan.nodes.len() - 1;
            let reach = plan.reach_after(&states[last]).max(after);
            let (from, to, half_periods) = (last_key, f64::INFINITY, f64::INFINITY);
            worst = match worst {
                // If the amplitude is hardly larger than between two keys, these are the cause.
                Some(worst) if reach < 1.1 * worst.reach => {
                    Some(Resonance { reach: reach.max(worst.reach), ..worst })
                }
                None if reach <= RESONANT * asked => None,
                _ => Some(Resonance { from, to, half_periods, reach, asked, slope: None }),
            };
        }
        let worst = worst?;
        let slope = self.causing_slope(part, plan, worst.reach);
        Some(match slope {
            Some(slope) => Resonance { slope: Some(slope), ..worst },
            None => self.close_pair(part, worst).unwrap_or(worst),
        })
    }

    /// Time and slope of the key whose slope causes the overshoot, if one does.
    fn causing_slope(&self, part: usize, plan: &Plan, reach: f64) -> Option<(f64, f64)> {
        let each = self.knots.iter().zip(&self.node_of);
        let each = each.map(|(knot, node)| (knot, overshoot_of_slope(plan, *node, knot, part)));
        let (knot, far) = each.max_by(|a, b| a.1.total_cmp(&b.1))?;
        (far > MAIN_CAUSE * reach).then(|| (knot.time, steepest(knot, part)))
    }

    /// Resonance between the keys on either side of a stretch, which may end at a jump of the
    /// spring.
    fn between_keys(&self, plan: &Plan, stretch: &Stretch, reach: f64, asked: f64) -> Resonance {
        let times = &self.times;
        let next = times.partition_point(|t| *t < stretch.end);
        let before = times.partition_point(|t| *t <= stretch.start).checked_sub(1);
        let from = before.map_or(stretch.start, |k| times[k]);
        let to = times.get(next).copied().unwrap_or(stretch.end);
        let inside = |s: &&Stretch| s.start >= from && s.end <= to;
        let halves = |s: &Stretch| {
            let now = self.setup.spring.at(0.5 * (s.start + s.end));
            (s.end - s.start) * now.omega / PI
        };
        let half_periods = plan.stretches.list.iter().filter(inside).map(halves).sum();
        Resonance { from, to, half_periods, reach, asked, slope: None }
    }

    /// Largest deviation of the curve from the passive response in cell `j` of a stretch; the
    /// amplitude, if the cell has many cycles.
    fn largest_deviation(
        &self,
        plan: &Plan,
        stretch: &Stretch,
        j: usize,
        c: &[Complex64; 8],
    ) -> f64 {
        let steps = stretch.steps(j);
        let start = stretch.start + j as f64 * stretch.step;
        let omega = self.turning(start + 0.5 * steps * stretch.step);
        let cycles = omega * steps * stretch.step / TAU;
        let samples = (SAMPLES_PER_CYCLE * cycles.min(MANY_CYCLES)).max(8.0) as u32;
        (0..=samples).fold(0.0, |most: f64, i| {
            let s = steps * f64::from(i) / f64::from(samples);
            let x = polynomial(c, s);
            let deviation = if cycles > MANY_CYCLES {
                x.norm_sqr().sqrt()
            } else {
                (x * plan.phase(stretch, j, start + s * stretch.step)).re.abs()
            };
            most.max(deviation)
        })
    }

    /// The pair of keys with the fastest change among those too close for the spring, if that
    /// explains the overshoot.
    fn close_pair(&self, part: usize, worst: Resonance) -> Option<Resonance> {
        let pairs = self.knots.windows(2).filter_map(|pair| {
            let (from, to) = (pair[0].time, pair[1].time);
            let omega = self.setup.spring.at(0.5 * (from + to)).omega;
            let speed = (pair[1].value.part(part) - pair[0].value.part(part)).abs() / (to - from);
            let half_periods = omega * (to - from) / PI;
            (half_periods < TOO_CLOSE && speed > 0.1 * omega * worst.reach)
                .then_some((speed, Resonance { from, to, half_periods, ..worst }))
        });
        pairs.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, pair)| pair)
    }
}

/// Deviation that the slopes of a knot cause.
fn overshoot_of_slope<T: Animate>(plan: &Plan, node: usize, knot: &Knot<T>, part: usize) -> f64 {
    plan.nodes[node].after.quadrature(0.0, steepest(knot, part)).abs()
}

/// Steepest slope of a knot.
fn steepest<T: Animate>(knot: &Knot<T>, part: usize) -> f64 {
    [knot.left, knot.right].iter().flatten().fold(0.0, |most: f64, slope| {
        let (Slope::Hard(g) | Slope::Soft(g, _)) = slope;
        g.part(part).abs().max(most)
    })
}

/// Value of a cell's polynomial, even and odd powers in parallel.
#[inline]
fn polynomial(c: &[Complex64; 8], s: f64) -> Complex64 {
    let s2 = s * s;
    let even = ((c[6] * s2 + c[4]) * s2 + c[2]) * s2 + c[0];
    let odd = ((c[7] * s2 + c[5]) * s2 + c[3]) * s2 + c[1];
    odd * s + even
}

/// Value and slope of a cell's polynomial.
fn with_slope(c: &[Complex64; 8], s: f64) -> (Complex64, Complex64) {
    let (mut value, mut slope) = (c[7], Complex64::ZERO);
    for c in c[..7].iter().rev() {
        slope = slope * s + value;
        value = value * s + c;
    }
    (value, slope)
}

/// Second derivative of a cell's polynomial.
fn curvature(c: &[Complex64; 8], s: f64) -> Complex64 {
    (2..8).rev().fold(Complex64::ZERO, |sum, k| sum * s + c[k] * ((k * (k - 1)) as f64))
}
