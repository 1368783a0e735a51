//! Shape: regions of a string that would rather be rigid, and pull their particles back.
//!
//! Chain shape matching (section 3; notes 4.1). The region of a particle is all within a half width
//! `w` of it along the string. Where the region lies best, turned and moved as a whole, its particles
//! have a goal; the goal of a particle is the mean over the regions that hold it, and it is pulled
//! there: `a = −Ω² (x − g)`. Sums along the string make all goals in one pass, whatever the width.
//! With `m/N` as weight (`N` regions hold the particle) momentum and angular momentum are kept.
//!
//! For long waves this *is* bending: a wave of `k` radians a metre is off its goals by
//! `k⁴ l⁴ (m₄ − m₂²)/4` of itself, `m₂` and `m₄` being the means of `j²` and `j⁴` over
//! `j = −w … w`, so that
//!
//! ```text
//! EI = ρ Ω² l⁴ (m₄ − m₂²) / 4          (= ρ Ω² W⁴ / 45 for wide regions)
//! ```
//!
//! Stiffness is given as `EI` and does not depend on step or resolution; the width only says which
//! waves are short enough to feel less of it: no wave is off by more than itself, so that those
//! shorter than about `2.4 W` are pulled back with `ρ Ω²` instead of `EI k⁴`. With neighbours alone,
//! `w = 1`, it is the discrete beam, whatever the wave. A step must not be longer than `1/Ω`. What is
//! stiffer than that is solved for with tension (`beam.rs`) if it is straight at rest; strings that are curved
//! look further to each side.
//!
//! Twist pushes short waves on: `2.6 τ / m l²` at three segments. A string whose regions are so wide
//! that `Ω²` is less than that wrinkles in waves of a few segments, long before it buckles as a whole.
//! So twisted strings whose bending is matched by regions look no further than keeps `Ω²` above it, and take steps that are short enough
//! for that; only where even neighbours are too weak is there no help but more segments.
//!
//! # Where we leave the paper
//!
//! * It moves particles towards goals, by a share for every step of a hundredth of a second. Pulls
//!   take no energy out.
//! * Straight strings: only the axis of a region matters, and it is a sum (no decomposition).
//! * Curved strings that happen to be straight: how a region is rolled is unknown; the rotation
//!   goes on from the last step's and does not jump.
//!
//! Tests: `goals_vs_brute_force`, `momentum_is_kept_to_rounding`,
//! `a_cantilever_sags_as_euler_says`, `stiffness_does_not_depend_on_step_or_resolution`,
//! `what_is_stiffer_than_its_steps_can_follow_bends_as_if_it_were_not`,
//! `a_wound_string_does_not_wrinkle`, `a_curved_string_comes_back_to_its_curve`, `a_straightened_curl_does_not_jump`.

use glam::{DMat3, DVec3};

use super::batches::{Batch, Rows, Shaping};
use super::beam;
use super::build::Bend;
use super::state::{Span, State};
use super::strings::{Kind, Strings};
use super::twist::{SHAKEN, SHORTEST};
use lariat_core::num::ops;

/// The most that `Ω h` squared may be where a width is chosen. More: short waves feel the step.
const STEADY: f64 = 0.5;

/// How many times shorter than for twist alone parts may be for the bending that holds it: narrow
/// regions are faster than what they hold. Less: hard twisted strings wrinkle. More: they take all the
/// time there is.
const STIFFER: f64 = 4.0;

/// The least that `Ω²` may be, over the square of the fastest wave of a twisted string. Less: wrinkles.
const FIRM: f64 = 1.3;

/// The most that `Ω h` squared may ever be: goals are reached at once. More: goals are overshot, and short
/// waves ring.
const MOST: f64 = 1.0;

/// Weight of held particles over that of others: regions lie as what is held does, so that two held
/// neighbours hold a direction, as if the clamp reached half a width further. Less: clamps hold
/// directions loosely, and the more so the finer the string.
const HELD: f64 = 1e3;

/// Rounds to find a rotation.
const ROUNDS: u32 = 20;

/// What does not change from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Regions {
    ready: bool,
    /// The step that it is made for, in seconds.
    step: f64,
    /// For each string of the moment: half width in particles.
    pub widths: Vec<usize>,
    /// And whether bending is solved for with tension instead.
    pub beams: Vec<bool>,
    pub rows: RegionRows,
}

/// Numbers of particles.
#[derive(Clone, Debug, Default)]
pub(super) struct RegionRows {
    /// Weight of particles, `m/N`, and `N`.
    pub weight: Vec<f64>,
    pub holders: Vec<f64>,
    /// Where particles should be.
    pub goals: Vec<DVec3>,
}

/// Room for sums along one string; one more than particles.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    /// Arc length of particles now, from the first of their string.
    arc: Vec<f64>,
    mass: Vec<f64>,
    rest: Vec<DVec3>,
    place: Vec<DVec3>,
    moment: Vec<DVec3>,
    shape: Vec<DMat3>,
    shift: Vec<DVec3>,
    axis: Vec<DVec3>,
    turn: Vec<DMat3>,
}

impl Sums {
    /// Room for so many particles.
    pub(super) fn fit(&mut self, count: usize) {
        if self.mass.len() > count {
            return;
        }
        let most = count + 1;
        self.mass.resize(most, 0.0);
        self.arc.resize(most, 0.0);
        for row in
            [&mut self.rest, &mut self.place, &mut self.moment, &mut self.shift, &mut self.axis]
        {
            row.resize(most, DVec3::ZERO);
        }
        self.shape.resize(most, DMat3::ZERO);
        self.turn.resize(most, DMat3::ZERO);
    }
}

impl Regions {
    /// Strings are others than they were.
    pub(super) fn forget(&mut self) {
        self.ready = false;
    }
}

/// Poses of a string as it is built.
pub(super) fn lay(state: &mut State, span: &Span, curved: bool) {
    for i in span.particles() {
        let k = i.min((span.first + span.count).saturating_sub(2)).max(span.first);
        state.poses[i] = if curved {
            DMat3::IDENTITY
        } else {
            let along = state.tangents[k];
            let side = along.any_orthonormal_vector();
            DMat3::from_cols(along, side, along.cross(side))
        };
    }
}

/// `(m₄ − m₂²)/4` of a half width.
pub(super) fn reach(width: usize) -> f64 {
    let w = width as f64;
    let m2 = w * (w + 1.0) / 3.0;
    let m4 = w * (w + 1.0) * (3.0 * w * w + 3.0 * w - 1.0) / 15.0;
    0.25 * (m4 - m2 * m2)
}

/// `Ω²` that makes a stiffness of a width.
fn pull_for(kind: &Kind, spacing: f64, width: usize) -> f64 {
    let l4 = spacing * spacing * spacing * spacing;
    kind.stiffness / (kind.mass_per_metre * l4 * reach(width))
}

/// Whether bending of a string is solved for together with its tension: where it is the string's own, and
/// more than steps of so many seconds follow.
fn is_beam(kind: &Kind, count: usize, step: f64) -> bool {
    let friction = 2.0 * kind.material.inner_friction / step;
    let steady = pull_for(kind, kind.spacing, 1) * step * step * (1.0 + friction) <= STEADY;
    may_be_beam(kind, count) && (kind.tapers || !steady)
}

/// Whether it may be solved for at all.
fn may_be_beam(kind: &Kind, count: usize) -> bool {
    let own = matches!(kind.bend, Bend::Material | Bend::Stiffness { width: None, .. });
    own && !kind.curved && count > 2 && kind.stiffness > 0.0
}

/// The half width of a string's regions, in particles; 0 is none. `step` is the longest part of a step
/// in seconds, and `narrow` what twist asks for.
fn width_of(kind: &Kind, spacing: f64, count: usize, step: f64, narrow: u32) -> usize {
    let most = count.saturating_sub(1).max(1);
    let in_particles = |metres: f64| ((metres / spacing).round() as usize).clamp(1, most);
    match kind.bend {
        _ if count < 3 => 0,
        Bend::Limp => 0,
        _ if kind.stiffness <= 0.0 => 0,
        Bend::Stiffness { width: Some(width), .. } => in_particles(width),
        Bend::Stiffness { .. } | Bend::Material => {
            let most = most.min(narrow as usize).max(1);
            let mut width = 1;
            while width < most && pull_for(kind, spacing, width) * step * step > STEADY {
                width += 1;
            }
            width
        }
    }
}

impl Strings {
    /// Half width of a string's regions, in particles.
    pub fn region_width(&mut self, span: usize) -> usize {
        self.prepare_regions(self.settings.longest);
        self.work.regions.widths[span]
    }

    /// The stiffness against bending that a string was told, and the most that steps of `dt` seconds can
    /// follow: one that is stiffer bends as if it had that much. In N m².
    pub fn stiffness(&self, string: usize, dt: f64) -> [f64; 2] {
        let kind = &self.kinds[string];
        if may_be_beam(kind, kind.count) {
            return [kind.stiffness, beam::most(kind, dt.min(self.settings.longest))];
        }
        let width = match kind.bend {
            Bend::Limp => return [kind.stiffness, f64::INFINITY],
            Bend::Stiffness { width: Some(_), .. } => {
                width_of(kind, kind.spacing, kind.count, dt, u32::MAX)
            }
            Bend::Stiffness { .. } | Bend::Material => kind.count - 1,
        };
        if width == 0 || kind.stiffness <= 0.0 {
            return [kind.stiffness, f64::INFINITY];
        }
        let step = dt.min(self.settings.longest);
        let pull = pull_for(kind, kind.spacing, width);
        [kind.stiffness, kind.stiffness * MOST / (pull * step * step)]
    }

    /// Finds what changes only when strings do, or the step: regions, stiffness of joints, one over
    /// mass; and regions of strings that are twisted otherwise than they were.
    pub(super) fn prepare_regions(&mut self, dt: f64) {
        let step = dt.min(self.settings.longest);
        let all = !self.work.regions.ready || self.work.regions.step != step;
        if all {
            let n = self.state.particles();
            self.work.turning.fit(n);
            self.prepare_twist();
            let work = &mut self.work;
            work.heft.clear();
            work.heft.extend(self.parts.mass.iter().map(|m| if *m > 0.0 { 1.0 / m } else { 0.0 }));
            let regions = &mut work.regions;
            (regions.ready, regions.step) = (true, step);
            regions.widths.clear();
            regions.widths.resize(self.state.spans.len(), usize::MAX);
            regions.beams.clear();
            regions.beams.resize(self.state.spans.len(), false);
            let rows = &mut regions.rows;
            rows.weight.resize(n, 0.0);
            rows.holders.resize(n, 0.0);
            rows.goals.resize(n, DVec3::ZERO);
        }
        let Regions { widths, beams, rows, .. } = &mut self.work.regions;
        for ((span, now), beam) in self.state.spans.iter().zip(widths).zip(beams) {
            let kind = &self.kinds[span.string];
            *beam = is_beam(kind, span.count, step);
            let width = match *beam {
                true => 0,
                false => width_of(kind, kind.spacing, span.count, step, span.narrow),
            };
            if *now == width {
                continue;
            }
            *now = width;
            for i in 0..span.count {
                let (lo, hi) = around(i, width, span.count);
                let holders = (hi - lo) as f64;
                rows.holders[span.first + i] = holders;
                let heavy = if self.state.held[span.first + i] { HELD } else { 1.0 };
                rows.weight[span.first + i] = heavy * self.parts.mass[span.first + i] / holders;
            }
        }
    }

    /// A particle weighs otherwise than it did: what follows from that, and nothing else, is found anew.
    pub(super) fn reweigh(&mut self, particle: usize) {
        let work = &mut self.work;
        if !work.regions.ready || particle >= work.heft.len() {
            return;
        }
        let mass = self.parts.mass[particle];
        work.heft[particle] = if mass > 0.0 { 1.0 / mass } else { 0.0 };
        let heavy = if self.state.held[particle] { HELD } else { 1.0 };
        let rows = &mut work.regions.rows;
        if rows.holders[particle] > 0.0 {
            rows.weight[particle] = heavy * mass / rows.holders[particle];
        }
        self.reweigh_twist(particle);
    }
}

impl Batch<'_> {
    /// How far regions of a string may reach so that twist does not wrinkle it, and how long a part may
    /// be then; `twist` is how long it may be for twist alone.
    pub(super) fn longest_by_shape(&self, s: usize, twist: f64) -> (u32, f64) {
        let span = &self.span(s);
        let kind = self.kind(span);
        if self.is_beam(s) {
            return (u32::MAX, twist);
        }
        let chosen = matches!(kind.bend, Bend::Material | Bend::Stiffness { width: None, .. });
        if !twist.is_finite() || !chosen || kind.stiffness <= 0.0 || span.count < 3 {
            return (u32::MAX, twist);
        }
        let fastest = SHAKEN / (twist * twist);
        let shortest = self.all.settings.longest / (STIFFER * SHORTEST);
        let pull = |width: usize| pull_for(kind, kind.spacing, width);
        let mut width = 1;
        // As far as it may, and no nearer than the shortest part can follow. To reach further than now
        // takes some more, so that it does not go back and forth.
        let firm = |width: usize| if width > span.narrow as usize { 1.5 * FIRM } else { FIRM };
        while width < span.count - 1
            && (pull(width + 1) > firm(width + 1) * fastest
                || pull(width) * shortest * shortest > MOST)
        {
            width += 1;
        }
        let steady = (STEADY / pull(width)).sqrt().max(shortest);
        (width as u32, twist.min(steady))
    }

    /// Pulls particles towards where their regions want them.
    pub(super) fn match_shapes(&mut self, s: usize, h: f64) {
        let span = self.span(s);
        let width = self.all.widths[self.number + s];
        if width == 0 {
            return;
        }
        let kind = self.kind(&span);
        let total: f64 = self.parts.length[span.segments()].iter().sum();
        // Speed towards the goal for each metre off it.
        let pull = (pull_for(kind, kind.spacing, width) * h).min(MOST / h);
        let (curved, stretches) = (kind.curved, kind.stretches);
        let (state, regions) = (&mut self.state, &mut self.regions);
        let sums = &mut self.scratch[0].sums;
        sums.fit(span.count);
        // What is stretched keeps its shape, not its length: that is tension's task.
        if curved {
            let now: f64 = if stretches {
                let x = &state.positions[span.particles()];
                x.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
            } else {
                total
            };
            let scale = if total > 0.0 { now / total } else { 1.0 };
            goals_curved(state, regions, sums, self.parts.rest, &span, width, scale);
        } else {
            measure(state, sums, self.parts.rest, &span, stretches);
            goals_straight(state, regions, sums, &span, width);
        }
        for i in span.particles() {
            let off = (regions.goals[i] - state.positions[i]) * pull;
            if self.work.light[i] > 0.0 {
                state.velocities[i] += off;
            } else {
                self.work.grips[i] += off * (HELD * self.parts.mass[i]);
            }
        }
    }
}

/// Which particles a region holds, and which regions a particle: from, and up to but not with.
fn around(i: usize, width: usize, count: usize) -> (usize, usize) {
    (i.saturating_sub(width), (i + width + 1).min(count))
}

/// Finds arc lengths of particles, at rest or as they are now.
pub(super) fn measure(
    state: &Rows<'_>,
    sums: &mut Sums,
    rest: &[DVec3],
    span: &Span,
    stretched: bool,
) {
    let x = &state.positions[span.particles()];
    if stretched {
        for i in 1..x.len() {
            sums.arc[i] = sums.arc[i - 1] + x[i].distance(x[i - 1]);
        }
    } else {
        let from = rest[span.first].x;
        for (arc, rest) in sums.arc.iter_mut().zip(&rest[span.particles()]) {
            *arc = rest.x - from;
        }
    }
}

/// Goals of a straight string: only axes matter.
pub(super) fn goals_straight(
    state: &mut Rows<'_>,
    regions: &mut Shaping<'_>,
    sums: &mut Sums,
    span: &Span,
    width: usize,
) {
    let n = span.count;
    let first = span.first;
    let origin = state.positions[first];
    let Shaping { weight, holders, goals } = regions;
    let Sums { arc, mass, rest: along, place, moment, shift, axis, .. } = sums;
    for i in 0..n {
        let (m, s) = (weight[first + i], arc[i]);
        let x = (state.positions[first + i] - origin) * m;
        mass[i + 1] = mass[i] + m;
        along[i + 1].x = along[i].x + m * s;
        place[i + 1] = place[i] + x;
        moment[i + 1] = moment[i] + x * s;
    }
    for k in 0..n {
        let (lo, hi) = around(k, width, n);
        let per = 1.0 / (mass[hi] - mass[lo]);
        let middle = (along[hi].x - along[lo].x) * per;
        let sum = place[hi] - place[lo];
        let long = moment[hi] - moment[lo] - sum * middle;
        let length = long.length_squared();
        let pose = &mut state.poses[first + k];
        if length > 0.0 && length.is_finite() {
            pose.x_axis = long * (1.0 / length.sqrt());
        }
        let direction = pose.x_axis;
        shift[k + 1] = shift[k] + sum * per - direction * middle;
        axis[k + 1] = axis[k] + direction;
    }
    for i in 0..n {
        let (lo, hi) = around(i, width, n);
        let s = arc[i];
        let sum = shift[hi] - shift[lo] + (axis[hi] - axis[lo]) * s;
        goals[first + i] = origin + sum * (1.0 / holders[first + i]);
    }
}

/// Goals of a string with a shape of its own.
pub(super) fn goals_curved(
    state: &mut Rows<'_>,
    regions: &mut Shaping<'_>,
    sums: &mut Sums,
    rest: &[DVec3],
    span: &Span,
    width: usize,
    scale: f64,
) {
    let n = span.count;
    let first = span.first;
    let (origin, home) = (state.positions[first], rest[first]);
    let Shaping { weight, holders, goals } = regions;
    let Sums { mass, rest: along, place, shape, shift, turn, .. } = sums;
    for i in 0..n {
        let (m, s) = (weight[first + i], (rest[first + i] - home) * scale);
        let x = (state.positions[first + i] - origin) * m;
        mass[i + 1] = mass[i] + m;
        along[i + 1] = along[i] + s * m;
        place[i + 1] = place[i] + x;
        shape[i + 1] = shape[i] + outer(x, s);
    }
    for k in 0..n {
        let (lo, hi) = around(k, width, n);
        let per = 1.0 / (mass[hi] - mass[lo]);
        let sum = place[hi] - place[lo];
        let middle = (along[hi] - along[lo]) * per;
        let a = shape[hi] - shape[lo] - outer(sum, middle);
        let pose = rotation(a, state.poses[first + k]);
        state.poses[first + k] = pose;
        shift[k + 1] = shift[k] + sum * per - pose * middle;
        turn[k + 1] = turn[k] + pose;
    }
    for i in 0..n {
        let (lo, hi) = around(i, width, n);
        let s = (rest[first + i] - home) * scale;
        let sum = shift[hi] - shift[lo] + (turn[hi] - turn[lo]) * s;
        goals[first + i] = origin + sum * (1.0 / holders[first + i]);
    }
}

/// `x sᵀ`.
pub(super) fn outer(x: DVec3, s: DVec3) -> DMat3 {
    DMat3::from_cols(x * s.x, x * s.y, x * s.z)
}

/// The rotation nearest to a matrix, from one that was it a moment ago.
///
/// Turned again and again by `ω` until that is nothing: Newton's `(tr H − H)⁻¹ τ` with
/// `H = A Rᵀ` and `τ = Σ r × a` where particles span a plane at least; where they lie on a line, and
/// the roll about it is unknown, `τ / (|Σ r·a| + 1e-9 |A|)` (notes 4.1), which leaves the roll as it
/// was.
pub(super) fn rotation(a: DMat3, from: DMat3) -> DMat3 {
    let size =
        (a.x_axis.length_squared() + a.y_axis.length_squared() + a.z_axis.length_squared()).sqrt();
    if size <= 0.0 || !size.is_finite() {
        return from;
    }
    let mut r = from;
    for round in 0..ROUNDS {
        let torque = r.x_axis.cross(a.x_axis) + r.y_axis.cross(a.y_axis) + r.z_axis.cross(a.z_axis);
        let along = r.x_axis.dot(a.x_axis) + r.y_axis.dot(a.y_axis) + r.z_axis.dot(a.z_axis);
        let h = a * r.transpose();
        let h = (h + h.transpose()) * 0.5;
        let g = DMat3::from_diagonal(DVec3::splat(along)) - h;
        let flat = 1e-6 * size * size * size;
        let determinant = g.determinant();
        let spans = along > 0.5 * size && determinant > flat;
        let mut omega = if spans {
            g.inverse() * torque
        } else if along > 0.5 * size && determinant < -flat {
            // Rolled to the wrong side: downhill, and not too far.
            (g + DMat3::from_diagonal(DVec3::splat(0.02 * size))).inverse() * torque
        } else {
            torque / (along.abs() + 1e-9 * size)
        };
        if round == 0 && along < -0.9 * size && omega.length_squared() < 1e-12 {
            // Turned right round, every way back is as good as any other.
            omega = DVec3::new(0.1, 0.07, 0.03);
        }
        omega = omega.clamp_length_max(0.5);
        let angle = omega.length();
        if angle < 1e-13 {
            break;
        }
        r = turned(r, omega, angle);
        if spans && angle < 1e-8 {
            // The next would be its square.
            break;
        }
    }
    r
}

/// Turned about a vector by its length, and squared up.
fn turned(r: DMat3, omega: DVec3, angle: f64) -> DMat3 {
    let axis = omega / angle;
    let (sin, cos) = ops::sin_cos(angle);
    let turn = |v: DVec3| v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos));
    let x = turn(r.x_axis).normalize_or(DVec3::X);
    let y = turn(r.y_axis);
    let y = (y - x * x.dot(y)).normalize_or(x.any_orthonormal_vector());
    DMat3::from_cols(x, y, x.cross(y))
}
