//! Twist: how it spreads along a string, spins its segments, and bends it.
//!
//! Every segment has an angle `θ` about its axis and a spin `ω`. At a joint the two segments are
//! twisted against each other by `m = θ₊ − θ₋ + turn − rest` and resist with the torque `τ = k m`,
//! `k = GJ / l̄` (notes 4.2): `I θ̈ = τ_ahead − τ_behind + T − c θ̇`. All joints at once are one
//! tridiagonal system, solved twice with one matrix (Alexander's two-stage step: second order, and
//! damps what it cannot follow), so that a body on a string swings back and forth for as long as it
//! should, whatever the stiffness.
//!
//! A twisted string would rather bend than stay twisted. The force of that on the centreline is
//! eq. 6 corrected, with `κb = 2 e₋ × e₊ / (|e₋||e₊| + e₋·e₊)` (eq. 7):
//!
//! ```text
//! F₋ += τ κb / 2|e₋|      F₊ −= τ κb / 2|e₊|      F += τ κb (1/2|e₊| − 1/2|e₋|)
//! ```
//!
//! and with the same `τ` on spins and on the centreline, momentum and angular momentum are kept. What
//! spins and is turned over pushes back as a gyroscope does (`begin_turning`).
//!
//! # Where we leave the paper
//!
//! * R1–R4: eqs 1–5 move angles twice and multiply them.
//! * R5: eq. 6 has a second difference of angles, which is 0 where twist is uniform, so its strings
//!   never buckle; and its two terms have one sign, so they pull the string along.
//! * The denominator of `κb` is kept above a tenth: folded strings have finite forces.
//!
//! Tests: `twist_spreads_evenly_and_by_stiffness`, `a_body_on_a_string_swings_with_its_period`,
//! `the_force_of_twist_vs_differences_of_energy`, `momentum_is_kept_to_rounding`,
//! `a_twisted_string_buckles_and_an_untwisted_one_does_not`.

use glam::DVec3;

use super::batches::{Batch, Rows, Twisting};
use super::build::Twist;
use super::controls::Turn;
use super::frames;
use super::state::Span;
use super::strings::Strings;
use lariat_core::num::ops;

/// Alexander's number, `1 − 1/√2`: makes the two stages damp what is too fast.
const STAGE: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;

/// How short a segment may be, over its length at rest, for twist to bend the string there: its force goes
/// with one over that. Less: what is pushed together is thrown apart.
const SHORT: f64 = 0.3;

/// The least that the denominator of `κb` may be, over `|e₋||e₊|`.
pub(super) const FOLDED: f64 = 0.1;

/// A segment that a clamp turns: which, how, and its angle when the step began.
pub(super) type Held = (usize, Turn, f64);

/// How far the fastest wave of a twisted string may go in a part, in radians, squared. More than 4:
/// it grows without end. Less: twisted strings take many parts for waves that no one sees.
pub(super) const SHAKEN: f64 = 0.64;

/// The same where bending is solved for: it holds what twist shakes.
const FOLLOWED: f64 = 20.0;

/// The most that it may be where twist bends in the drift: beyond it is held back.
const MOST: f64 = 30.0;

/// The shortest part that twist may ask for, as a share of the longest. More: kinks that no segment
/// can follow take all the time there is. Less: hard twisted strings are softer than they should be.
pub(super) const SHORTEST: f64 = 50.0;

/// Room for twist, and which segments are turned by clamps.
#[derive(Clone, Debug, Default)]
pub(super) struct Turning {
    /// In the order of segments.
    pub held: Vec<Held>,
    pub rows: TwistRows,
}

/// Numbers of segments and joints.
#[derive(Clone, Debug, Default)]
pub(super) struct TwistRows {
    /// How fast segments are turned by clamps; NaN is not at all.
    pub rates: Vec<f64>,
    /// Torque from outside, on segments.
    pub torque: Vec<f64>,
    /// Joints: stiffness, and that times inner friction.
    pub stiff: Vec<f64>,
    pub rub: Vec<f64>,
    /// Square of the fastest wave for a torque of one, in 1/s² per N m: `1.5 √3 / (m l²)`, three
    /// segments long.
    pub shakes: Vec<f64>,
    /// One over the length of segments; 0 for what has been pushed together altogether.
    pub per: Vec<f64>,
    /// Angular momentum that was handed over before the drift, on segments.
    pub handed: Vec<DVec3>,
    /// The torque that bent a joint in the drift.
    pub drawn: Vec<f64>,
    /// The tridiagonal system, and its two answers.
    pub upper: Vec<f64>,
    pub inverse: Vec<f64>,
    pub lower: Vec<f64>,
    pub one: Vec<f64>,
    pub two: Vec<f64>,
    pub mean: Vec<f64>,
}

impl Turning {
    pub(super) fn fit(&mut self, count: usize) {
        let rows = &mut self.rows;
        for row in [
            &mut rows.rates,
            &mut rows.torque,
            &mut rows.stiff,
            &mut rows.rub,
            &mut rows.shakes,
            &mut rows.per,
            &mut rows.upper,
            &mut rows.inverse,
            &mut rows.lower,
            &mut rows.one,
            &mut rows.two,
            &mut rows.mean,
            &mut rows.drawn,
        ] {
            row.resize(count, 0.0);
        }
        rows.handed.resize(count, DVec3::ZERO);
    }
}

impl Strings {
    /// The segment that a clamp at a particle turns: the one after it, or the last.
    pub fn segment_at(&self, particle: usize) -> Option<usize> {
        self.span_of(particle)?.segment_at(particle)
    }

    /// The string that a particle belongs to now.
    pub fn span_of(&self, particle: usize) -> Option<Span> {
        let spans = &self.state.spans;
        let at = spans.partition_point(|span| span.first <= particle).checked_sub(1)?;
        Some(spans[at]).filter(|span| particle < span.first + span.count)
    }

    /// Stiffness of a joint against twist, in N m per radian.
    pub fn twist_stiffness(&self, joint: usize) -> f64 {
        let parts = &self.parts;
        let (a, b) = (joint - 1, joint);
        let gives = parts.length[a] / parts.torsion[a] + parts.length[b] / parts.torsion[b];
        if gives.is_finite() && gives > 0.0 { 2.0 / gives } else { 0.0 }
    }

    /// Twist of a joint, in radians, beyond what it has at rest.
    pub fn twist_at(&self, joint: usize) -> f64 {
        let state = &self.state;
        state.angles[joint] - state.angles[joint - 1] + state.turns[joint]
            - state.rest_twists[joint]
    }

    /// Which way the material side of a segment points.
    pub fn material_side(&self, segment: usize) -> DVec3 {
        let (side, tangent) = (self.state.sides[segment], self.state.tangents[segment]);
        let (sin, cos) = ops::sin_cos(self.state.angles[segment]);
        side * cos + tangent.cross(side) * sin
    }

    /// The direction of a segment that its sides belong to.
    pub fn tangent(&self, segment: usize) -> DVec3 {
        self.state.tangents[segment]
    }

    /// Which segments are turned in this step, and from where.
    pub(super) fn take_turns(&mut self) {
        let mut held = std::mem::take(&mut self.work.turning.held);
        held.clear();
        for clamp in self.clamps.iter().filter(|clamp| clamp.on) {
            if let (Some(turn), Some(segment)) = (clamp.turn, self.segment_at(clamp.particle)) {
                held.push((segment, turn, self.state.angles[segment]));
            }
        }
        held.sort_by_key(|(segment, ..)| *segment);
        self.work.turning.held = held;
        let torque = &mut self.work.turning.rows.torque;
        torque.fill(0.0);
        for applied in &self.torques {
            if applied.segment < torque.len() && applied.torque.is_finite() {
                torque[applied.segment] += applied.torque;
            }
        }
    }

    /// Stiffness of all joints, and how fast twist shakes them.
    pub(super) fn prepare_twist(&mut self) {
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            let friction = self.kinds[span.string].material.inner_friction;
            for j in span.joints() {
                let stiff = self.twist_stiffness(j);
                self.work.turning.rows.stiff[j] = stiff;
                self.work.turning.rows.rub[j] = stiff * friction;
                self.reweigh_twist(j);
            }
        }
    }

    /// How fast twist shakes a joint, as heavy as it is now; nothing for ends, which are none.
    pub(super) fn reweigh_twist(&mut self, joint: usize) {
        if joint > 0 {
            let l = self.parts.length[joint].min(self.parts.length[joint - 1]);
            self.work.turning.rows.shakes[joint] = 2.6 / (self.parts.mass[joint] * l * l);
        }
    }
}

impl Batch<'_> {
    fn follows_twist(&self, span: &Span) -> bool {
        span.count > 1 && self.kind(span).twist != Twist::Free
    }

    /// Half of what spins push back with when they are turned over, before they are: from where the
    /// segment points to where it is likely to point.
    pub(super) fn begin_turning(&mut self, s: usize, h: f64) {
        let span = self.span(s);
        if !self.follows_twist(&span) {
            return;
        }
        let range = span.particles();
        let x = &self.state.positions[range.clone()];
        let v = &mut self.state.velocities[range.clone()];
        let n = x.len() - 1;
        let tangents = &self.state.tangents[range.clone()][..n];
        let spins = &self.state.spins[range.clone()][..n];
        let inertia = &self.parts.inertia[range.clone()][..n];
        let handed = &mut self.turning.handed[range.clone()][..n];
        // All by the speeds before: no segment waits for another.
        for i in 0..n {
            let momentum = inertia[i] * spins[i];
            let likely = (x[i + 1] - x[i]) + (v[i + 1] - v[i]) * h;
            let square = likely.length_squared();
            let per = if square > 0.0 { 1.0 / square.sqrt() } else { 0.0 };
            let along = tangents[i];
            handed[i] = (likely - along * likely.dot(along)) * (-0.5 * momentum * per);
        }
        couple(x, v, &self.work.light[range], handed);
    }

    /// Spreads twist, spins segments, and lets twist bend the string.
    pub(super) fn twist(&mut self, s: usize, h: f64) {
        let span = self.span(s);
        if !self.follows_twist(&span) {
            return;
        }
        self.turn_over(&span, self.is_beam(s), h);
        self.turned_by_clamps(&span, h);
        self.spread(&span, h);
        self.bend_by_twist(&span, self.is_beam(s), h);
    }

    /// Where bending is solved for, twist bends the string in the drift: finds the torques of joints in the
    /// middle of the part, as they are likely to be.
    pub(super) fn draw_by_twist(&mut self, s: usize, h: f64) {
        let span = self.span(s);
        self.work.leant[span.particles()].fill(DVec3::ZERO);
        self.turning.drawn[span.particles()].fill(0.0);
        if !self.follows_twist(&span) || !self.is_beam(s) {
            return;
        }
        let range = span.particles();
        let n = span.count - 1;
        let x = &self.state.positions[range.clone()];
        let v = &self.state.velocities[range.clone()];
        let (spins, torques) =
            (&self.state.spins[range.clone()], &self.state.torques[range.clone()]);
        let (stiff, shakes) =
            (&self.turning.stiff[range.clone()], &self.turning.shakes[range.clone()]);
        let rests = &self.state.rests[range.clone()];
        let drawn = &mut self.turning.drawn[range];
        // What has been pushed together points anywhere.
        let way = |i: usize| {
            let d = x[i + 1] - x[i];
            let (square, rest) = (d.length_squared(), SHORT * rests[i]);
            let per = if square > rest * rest { 1.0 / square.sqrt() } else { 0.0 };
            (d * per, per)
        };
        let mut before = way(0);
        for j in 1..n {
            let after = way(j);
            let forces = twist_force([before.0, after.0], [before.1, after.1], 1.0);
            // By how much it is twisted more until then: force is what its work changes.
            let wound: f64 = (j - 1..=j + 1).zip(forces).map(|(k, force)| -force.dot(v[k])).sum();
            let spun = spins[j] - spins[j - 1];
            let torque = torques[j] + stiff[j] * (0.5 * h) * (spun + wound);
            let torque = if before.1.min(after.1) > 0.0 { torque } else { 0.0 };
            let fast = shakes[j] * torque.abs() * h * h;
            drawn[j] = if fast > MOST { torque * (MOST / fast) } else { torque };
            before = after;
        }
    }

    /// Carries frames to where segments are now; what spins and was turned over pushes back, and what twist
    /// turned in the drift otherwise than spins will be.
    fn turn_over(&mut self, span: &Span, beam: bool, h: f64) {
        let (state, range) = (&mut self.state, span.segments());
        let (sides, spins) = frames::Sides::of(state, span);
        let handed = &mut self.turning.handed[range.clone()];
        let per = &mut self.turning.per[range.clone()];
        let (inertia, turned) = (&self.parts.inertia[range.clone()], &self.parts.turned[range]);
        sides.carry(|i, was, now, one_over| {
            let missing = (was - now) * (inertia[i] * spins[i]) - handed[i];
            let along = missing.dot(now);
            // Next to nothing is left along the axis: the two halves before and after cancel there.
            spins[i] += along / (inertia[i] + turned[i]);
            handed[i] = missing - now * along;
            per[i] = one_over;
        });
        if beam {
            // Torques were about where segments pointed all the while.
            let (leant, drawn) = (&self.work.leant, &self.turning.drawn);
            for i in span.segments() {
                let ahead = if span.joints().contains(&(i + 1)) { drawn[i + 1] } else { 0.0 };
                let (tangent, at) = (state.tangents[i], i - span.first);
                let missing = (leant[i] - tangent * h) * (ahead - drawn[i]);
                let along = missing.dot(tangent);
                state.spins[i] += along / (inertia[at] + turned[at]);
                handed[at] += missing - tangent * along;
            }
        }
        let range = span.particles();
        let x = &state.positions[range.clone()];
        let v = &mut state.velocities[range.clone()];
        couple(x, v, &self.work.light[range], handed);
    }

    /// How fast clamps turn their segments in this part.
    fn turned_by_clamps(&mut self, span: &Span, h: f64) {
        let (state, turning) = (&self.state, &mut self.turning);
        turning.rates[span.particles()].fill(f64::NAN);
        let turned = self.all.turned;
        let first = turned.partition_point(|(segment, ..)| *segment < span.first + self.base);
        for (segment, turn, from) in &turned[first..] {
            let segment = &(segment - self.base);
            if !span.segments().contains(segment) {
                break;
            }
            let now = state.angles[*segment];
            let target = match turn {
                Turn::Angle(to) => from + (to - from) * self.all.share,
                Turn::Side(to) => {
                    let (side, tangent) = (state.sides[*segment], state.tangents[*segment]);
                    let (sin, cos) = (tangent.dot(side.cross(*to)), side.dot(*to));
                    let (s, c) = ops::sin_cos(now);
                    now + ops::atan2(sin * c - cos * s, cos * c + sin * s)
                }
            };
            if target.is_finite() {
                turning.rates[*segment] = (target - now) / h;
            }
        }
    }

    /// Torques of all joints at once, in two stages.
    ///
    /// `(I (1 + g c) + g² K + g C) ω' = I ω + g (T + torques)`, with the same on the left twice. Joint `i`
    /// lies before segment `i`; the first segment has none.
    fn spread(&mut self, span: &Span, h: f64) {
        let n = span.count - 1;
        let range = span.first..span.first + n;
        let g = STAGE * h;
        let later = h * (1.0 - STAGE);
        let slowed = 1.0 + g * self.all.spin_viscosity;
        let Rows { angles, spins, turns, rest_twists, torques, .. } = &mut self.state;
        let (angles, spins) = (&mut angles[range.clone()], &mut spins[range.clone()]);
        let (turns, rest_twists) = (&turns[range.clone()], &rest_twists[range.clone()]);
        let torques = &mut torques[range.clone()];
        let Twisting { rates, torque, stiff, rub, upper, inverse, lower, one, two, mean, .. } =
            &mut self.turning;
        let (rates, torque) = (&rates[range.clone()], &torque[range.clone()]);
        let (stiff, rub) = (&stiff[range.clone()], &rub[range.clone()]);
        let (upper, inverse) = (&mut upper[range.clone()], &mut inverse[range.clone()]);
        let (lower, mean) = (&mut lower[range.clone()], &mut mean[range.clone()]);
        let (one, two) = (&mut one[range.clone()], &mut two[range.clone()]);
        let (own, turned) = (&self.parts.inertia[range.clone()], &self.parts.turned[range]);
        // How far joints are twisted, in `mean`, and what ties two segments.
        (mean[0], lower[0]) = (0.0, 0.0);
        for j in 1..n {
            mean[j] = angles[j] - angles[j - 1] + turns[j] - rest_twists[j];
            lower[j] = g * (g * stiff[j] + rub[j]);
        }
        let (mut above, mut known, mut behind) = (0.0, 0.0, 0.0);
        for i in 0..n {
            let ahead = if i + 1 < n { stiff[i + 1] * mean[i + 1] } else { 0.0 };
            let tie = if i + 1 < n { lower[i + 1] } else { 0.0 };
            if rates[i].is_nan() {
                let inertia = own[i] + turned[i];
                let low = -lower[i];
                let pivot = 1.0 / (inertia * slowed - low + tie - low * above);
                let right = inertia * spins[i] + g * (torque[i] + ahead - behind);
                known = (right - low * known) * pivot;
                inverse[i] = pivot;
                above = -tie * pivot;
            } else {
                known = rates[i];
                above = 0.0;
            }
            one[i] = known;
            upper[i] = above;
            behind = ahead;
        }
        for i in (1..n).rev() {
            one[i - 1] -= upper[i - 1] * one[i];
        }
        (known, behind) = (0.0, 0.0);
        for i in 0..n {
            let ahead = if i + 1 < n {
                stiff[i + 1] * (mean[i + 1] + later * (one[i + 1] - one[i]))
            } else {
                0.0
            };
            known = if rates[i].is_nan() {
                let inertia = own[i] + turned[i];
                let gained = (one[i] - spins[i]) * (later / g);
                let right = inertia * (spins[i] + gained) + g * (torque[i] + ahead - behind);
                (right + lower[i] * known) * inverse[i]
            } else {
                rates[i]
            };
            two[i] = known;
            behind = ahead;
        }
        for i in (1..n).rev() {
            two[i - 1] -= upper[i - 1] * two[i];
        }
        for i in 0..n {
            angles[i] += later * one[i] + g * two[i];
        }
        for j in 1..n {
            let (w1, w2, m) = (one[j] - one[j - 1], two[j] - two[j - 1], mean[j]);
            let early = stiff[j] * (m + g * w1) + rub[j] * w1;
            let late = stiff[j] * (m + later * w1 + g * w2) + rub[j] * w2;
            mean[j] = (1.0 - STAGE) * early + STAGE * late;
            torques[j] = stiff[j] * (m + later * w1 + g * w2);
        }
        spins.copy_from_slice(two);
    }

    /// What twist does to the centreline: eq. 6, corrected.
    fn bend_by_twist(&mut self, span: &Span, beam: bool, h: f64) {
        let state = &mut self.state;
        let (light, grips) = (&*self.work.light, &mut *self.work.grips);
        let Twisting { mean, shakes, per, drawn, .. } = &self.turning;
        let most = if beam { MOST } else { 1.5 * SHAKEN };
        for j in span.joints() {
            let short = SHORT * state.rests[j - 1].min(state.rests[j]);
            let lengths = [per[j - 1], per[j]];
            if lengths[0].min(lengths[1]) <= 0.0 || short * lengths[0].max(lengths[1]) > 1.0 {
                continue;
            }
            // What is faster than the shortest part is held back: it would grow without end.
            let fast = shakes[j] * mean[j].abs() * h * h;
            let held_back = if fast > most { most / fast } else { 1.0 };
            let tangents = [state.tangents[j - 1], state.tangents[j]];
            // What has been done in the drift is done.
            let done = if beam { drawn[j] } else { 0.0 };
            let impulses = twist_force(tangents, lengths, (mean[j] * held_back - done) * h);
            for (k, impulse) in (j - 1..=j + 1).zip(impulses) {
                state.velocities[k] += impulse * light[k];
                if light[k] == 0.0 {
                    grips[k] += impulse;
                }
            }
        }
    }

    /// How long a part may be for twist and shape to be followed, in seconds.
    pub(super) fn longest_by_twist(&self, s: usize) -> f64 {
        let span = &self.span(s);
        if !self.follows_twist(span) {
            return f64::INFINITY;
        }
        let mut most = 0.0_f64;
        for j in span.joints() {
            most = most.max(self.turning.shakes[j] * self.state.torques[j].abs());
        }
        if most > 0.0 {
            let shaken = if self.is_beam(s) { FOLLOWED } else { SHAKEN };
            (shaken / most).sqrt().max(self.all.settings.longest / SHORTEST)
        } else {
            f64::INFINITY
        }
    }
}

/// Forces on three particles whose joint is twisted by a torque; of the two segments there the
/// directions, and one over their lengths.
#[inline]
pub(super) fn twist_force(tangents: [DVec3; 2], per: [f64; 2], torque: f64) -> [DVec3; 3] {
    let [before, after] = tangents;
    let bound = (1.0 + before.dot(after)).max(FOLDED);
    let kb = before.cross(after) * (torque / bound);
    let (first, last) = (kb * per[0], kb * per[1]);
    [first, last - first, -last]
}

/// Turns segments by angular momentum across them: two equal and opposite pushes at the ends of each.
fn couple(x: &[DVec3], v: &mut [DVec3], light: &[f64], momenta: &[DVec3]) {
    let n = momenta.len();
    let (x, v, light) = (&x[..=n], &mut v[..=n], &light[..=n]);
    let mut last = DVec3::ZERO;
    for i in 0..n {
        let d = x[i + 1] - x[i];
        let square = d.length_squared();
        let push = if square > 0.0 { momenta[i].cross(d) * (1.0 / square) } else { DVec3::ZERO };
        v[i] += (last - push) * light[i];
        last = push;
    }
    v[n] += last * light[n];
}
