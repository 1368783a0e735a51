//! Frames that ride along a curve without spinning about it.
//!
//! A rope needs to know which way is "sideways" at every point: waves push along it, tubes are
//! swept around it, twist is measured from it. The Frenet frame cannot answer: it is undefined
//! where the rope is straight and flips where the bend changes side. So one frame is chosen at
//! the start and *carried* along, turning only as much as the tangent turns.
//!
//! Method: double reflection (Wang, Jüttler, Zheng, Liu 2008), fourth-order accurate in the
//! spacing. Barzel's appendix A.3 also names the cross product with a fixed vector and the
//! Frenet frame; both are here to choose, with their faults repaired only so far that no NaN
//! comes out: where they are undefined, the carried frame stands in.
//!
//! The start, by convention: the part of `up` that is normal to the first tangent, or of +X where `up`
//! runs along the curve.
//!
//! Tests: `carried_frame_turns_back_by_the_torsion`, `error_falls_with_the_fourth_power`,
//! `frames_are_right_handed_and_orthonormal`, `a_straight_stretch_does_not_flip_anything`.

use glam::DVec3;

use crate::num::lanes::{LANES, Lanes, Lanes3};
use crate::num::ops;

/// Right-handed and orthonormal: `tangent`, `normal`, `binormal = tangent × normal`.
///
/// Fields are private because a frame that is not orthonormal is not a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    tangent: DVec3,
    normal: DVec3,
}

/// How a frame is chosen along a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Framing {
    /// Carried along by double reflection: the default.
    #[default]
    RotationMinimising,
    /// The normal is the part of this vector normal to the tangent: steady for ropes that never
    /// point along it.
    Fixed(DVec3),
    /// The normal points to the centre of curvature.
    Frenet,
}

impl Frame {
    /// The frame of the world at the start of a curve along X: tangent X, normal Z, binormal −Y.
    pub const WORLD: Self = Self { tangent: DVec3::X, normal: DVec3::Z };

    /// The frame along `tangent` whose normal is the part of `up` normal to it.
    pub fn new(tangent: DVec3, up: DVec3) -> Self {
        let tangent = tangent.normalize_or(DVec3::X);
        let sideways = |hint: DVec3| hint - tangent * tangent.dot(hint);
        let mut normal = sideways(up);
        // Below this the direction of what remains is rounding, not geometry.
        if normal.length_squared() <= 1e-20 * up.length_squared() {
            normal = sideways(DVec3::X);
        }
        if normal.length_squared() < 1e-20 {
            normal = sideways(DVec3::Y);
        }
        let normal = normal.normalize_or(DVec3::Z);
        // Once more: what the first pass rounded off is along the tangent.
        Self { tangent, normal: sideways_unit(normal, tangent) }
    }

    /// From a tangent and a normal that already are unit and perpendicular.
    pub(crate) const fn from_orthonormal(tangent: DVec3, normal: DVec3) -> Self {
        Self { tangent, normal }
    }

    /// Along the curve.
    pub fn tangent(&self) -> DVec3 {
        self.tangent
    }

    /// Sideways: azimuth 0.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// Sideways: azimuth 90 degrees.
    pub fn binormal(&self) -> DVec3 {
        self.tangent.cross(self.normal)
    }

    /// The direction at `azimuth` radians around the curve: `cos normal + sin binormal`.
    pub fn sideways(&self, azimuth: f64) -> DVec3 {
        let (sin, cos) = ops::sin_cos(azimuth);
        self.normal * cos + self.binormal() * sin
    }

    /// The frame turned about its tangent by `angle` radians.
    #[must_use]
    pub fn twisted(&self, angle: f64) -> Self {
        Self { tangent: self.tangent, normal: self.sideways(angle) }
    }

    /// Carries this frame, standing at `from`, to `to`, where the curve runs along `tangent`.
    #[must_use]
    #[inline]
    pub fn carried(&self, from: DVec3, to: DVec3, tangent: DVec3) -> Self {
        // Standing still counts as a step along the tangent: it is the same two reflections.
        let v = if to == from { self.tangent } else { to - from };
        let (t, n) = (self.tangent, self.normal);
        // Written out, with what unit and perpendicular vectors cancel left away: the first
        // reflection takes n to n − r v and t to t − q v, the second takes the latter to the new
        // tangent and the former to the new normal.
        let per = 2.0 / v.dot(v);
        let (r, q) = (per * v.dot(n), per * v.dot(t));
        let ahead = tangent.dot(v);
        let between = 1.0 - tangent.dot(t) + q * ahead;
        // Zero only where the curve turns straight back: any half turn is as good as another.
        let g = if between > 0.0 { (tangent.dot(n) - r * ahead) / between } else { 0.0 };
        Self { tangent, normal: n - v * (r + g * q) - (tangent - t) * g }
    }
}

/// `v` made normal to the unit vector `axis` and of unit length again.
fn sideways_unit(v: DVec3, axis: DVec3) -> DVec3 {
    let part = v - axis * axis.dot(v);
    part.normalize_or(v)
}

/// The derivative by the sample index, up to a factor, within two samples of an end.
///
/// Differences of third order (fourth-order ends would read five samples to one side, which a rope
/// with a fold near its end does not forgive). A closed row wraps round.
fn slope_near_an_end(p: &[DVec3], closed: bool, i: usize) -> DVec3 {
    let n = p.len();
    if closed && n >= 4 {
        // The last sample repeats the first, so a ring of n has n − 1.
        let at = |k: usize| p[(i + n - 1 + k - 2) % (n - 1)];
        return (at(3) - at(1)) * 8.0 - (at(4) - at(0));
    }
    // One-sided differences over a fold can point backwards: the chord is right then.
    let (one_sided, chord) = match (n, i) {
        (0 | 1, _) => return DVec3::ZERO,
        (2, _) => return p[1] - p[0],
        (3, 1) => return p[2] - p[0],
        (3, 0) => ((p[1] - p[0]) * 4.0 - (p[2] - p[0]), p[1] - p[0]),
        (3, _) => ((p[2] - p[1]) * 4.0 - (p[2] - p[0]), p[2] - p[1]),
        (_, 0) => (p[0] * -11.0 + p[1] * 18.0 - p[2] * 9.0 + p[3] * 2.0, p[1] - p[0]),
        (_, 1) => (p[0] * -2.0 - p[1] * 3.0 + p[2] * 6.0 - p[3], p[2] - p[0]),
        (_, i) if i == n - 2 => {
            (p[n - 1] * 2.0 + p[n - 2] * 3.0 - p[n - 3] * 6.0 + p[n - 4], p[n - 1] - p[n - 3])
        }
        _ => (
            p[n - 1] * 11.0 - p[n - 2] * 18.0 + p[n - 3] * 9.0 - p[n - 4] * 2.0,
            p[n - 1] - p[n - 2],
        ),
    };
    if one_sided.dot(chord) > 0.0 { one_sided } else { chord }
}

/// Unit tangents of a row of samples at equal steps of their parameter, four at a time.
///
/// Differences of fourth order inside. Where samples coincide the tangent before is kept.
struct Tangents<'a> {
    points: &'a [DVec3],
    closed: bool,
    before: DVec3,
}

impl<'a> Tangents<'a> {
    fn new(points: &'a [DVec3], closed: bool) -> Self {
        // For rows that begin with coinciding samples: the first direction that is one.
        let mut chords = points.windows(2).map(|w| w[1] - w[0]);
        let first = chords.find(|d| d.length_squared() > 0.0).unwrap_or(DVec3::X);
        Self { points, closed, before: first.normalize_or(DVec3::X) }
    }

    /// The tangents of four samples from `first` on; those beyond the last are of no use.
    #[inline]
    fn block(&mut self, first: usize) -> Lanes3 {
        let (p, n) = (self.points, self.points.len());
        let slope = if first >= 2 && first + LANES + 2 <= n {
            let at = |k: usize| Lanes3::load(&p[first + k - 2..]);
            (at(3) - at(1)) * Lanes::splat(8.0) - (at(4) - at(0))
        } else {
            self.slopes_near_an_end(first)
        };
        let squared = slope.dot(slope);
        let unit = slope * (Lanes::splat(1.0) / squared.sqrt());
        let still = squared.simd_le(Lanes::splat(1e-300));
        if still.any() { self.kept(unit, still) } else { unit }
    }

    fn slopes_near_an_end(&self, first: usize) -> Lanes3 {
        let (p, n) = (self.points, self.points.len());
        Lanes3::load(&std::array::from_fn::<_, LANES, _>(|k| match first + k {
            i if i >= 2 && i + 2 < n => (p[i + 1] - p[i - 1]) * 8.0 - (p[i + 2] - p[i - 2]),
            i if i < n => slope_near_an_end(p, self.closed, i),
            _ => DVec3::X,
        }))
    }

    /// The tangent before, where there is `still` none.
    #[cold]
    fn kept(&self, unit: Lanes3, still: Lanes) -> Lanes3 {
        let (mut unit, mut before) = (unit.to_array(), self.before);
        for (k, tangent) in unit.iter_mut().enumerate() {
            if still.to_bitmask() & (1 << k) != 0 {
                *tangent = before;
            }
            before = *tangent;
        }
        Lanes3::load(&unit)
    }
}

/// Unit tangents of a row of samples at equal steps of their parameter, into `out`.
pub fn tangents(points: &[DVec3], closed: bool, out: &mut Vec<DVec3>) {
    let mut unit = Tangents::new(points, closed);
    out.clear();
    out.reserve(points.len());
    for first in (0..points.len()).step_by(LANES) {
        let row = unit.block(first).to_array();
        out.extend_from_slice(&row[..LANES.min(points.len() - first)]);
        unit.before = row[LANES - 1];
    }
}

/// One frame per sample, into `out`; `up` chooses the first. Tangents come from the samples.
pub fn frames_along(
    points: &[DVec3],
    closed: bool,
    up: DVec3,
    framing: Framing,
    out: &mut Vec<Frame>,
) {
    let mut unit = Tangents::new(points, closed);
    let block = |first, before| {
        unit.before = before;
        unit.block(first)
    };
    carry(points, block, up, framing, out);
}

/// One frame per sample, into `out`; `up` chooses the first, `tangents` are unit.
pub fn frames(
    points: &[DVec3],
    tangents: &[DVec3],
    up: DVec3,
    framing: Framing,
    out: &mut Vec<Frame>,
) {
    carry(points, |first, _| Lanes3::load(&tangents[first..]), up, framing, out);
}

/// The two reflections of [`Frame::carried`], of four steps at once.
///
/// They are linear in the normal: `n − A (v·n) − B (t·n)` with `v` the step and `t` the tangent
/// there. `A` and `B` do not depend on the normal, so they can be had side by side, and only two
/// dot products are left for the chain that must go step by step.
struct Steps {
    v: [DVec3; LANES],
    t: [DVec3; LANES],
    a: [DVec3; LANES],
    b: [DVec3; LANES],
}

impl Steps {
    /// Steps from `from` to `to`, where the tangents are `t0` and `t`.
    #[inline]
    fn new(from: Lanes3, to: Lanes3, t0: Lanes3, t: Lanes3) -> Self {
        let (one, two) = (Lanes::splat(1.0), Lanes::splat(2.0));
        let step = to - from;
        // Standing still counts as a step along the tangent: it is the same two reflections.
        let v = step.where_or(step.dot(step).simd_gt(Lanes::splat(1e-150)), t0);
        let (vv, behind, ahead) = (v.dot(v), v.dot(t0), v.dot(t));
        let turned = vv * (one - t0.dot(t)) + two * behind * ahead;
        // Zero only where the curve turns straight back: any half turn is as good as another.
        let turns = turned.simd_gt(Lanes::splat(0.0));
        let safe = turns.bitselect(turned, vv);
        // One division for both reciprocals.
        let both = one / (vv * safe);
        let (per_vv, per_turned) = (two * safe * both, turns & (vv * both));
        let (g_v, g_t) = (-(two * ahead * per_turned), vv * per_turned);
        let change = t - t0;
        let a = v * (per_vv * (one + behind * g_v)) + change * g_v;
        let b = v * (per_vv * behind * g_t) + change * g_t;
        Self { v: v.to_array(), t: t.to_array(), a: a.to_array(), b: b.to_array() }
    }

    /// The normal `n` carried over step `k`.
    #[inline]
    fn carry(&self, k: usize, n: DVec3) -> DVec3 {
        n - self.a[k] * self.v[k].dot(n) - self.b[k] * self.t[k].dot(n)
    }
}

/// Carries a frame along `points`; `tangents` are asked for four at a time, with the one before.
fn carry(
    points: &[DVec3],
    mut tangents: impl FnMut(usize, DVec3) -> Lanes3,
    up: DVec3,
    framing: Framing,
    out: &mut Vec<Frame>,
) {
    let n = points.len();
    out.clear();
    if n == 0 {
        return;
    }
    let hint = if let Framing::Fixed(v) = framing { v } else { up };
    let mut t = tangents(0, DVec3::X);
    let start = Frame::new(t.to_array()[0], hint);
    let (mut from, mut t0, mut normal) = (points[0], start.tangent, start.normal);
    out.reserve(n);
    for first in (0..n).step_by(LANES) {
        if first > 0 {
            t = tangents(first, t0);
        }
        let at = Lanes3::load(&points[first..]);
        let steps = Steps::new(at.shifted(from), at, t.shifted(t0), t);
        let count = LANES.min(n - first);
        for k in 0..count {
            normal = steps.carry(k, normal);
            // What the reflections rounded off, before it adds up to anything.
            if (first + k) % 64 == 63 {
                normal = sideways_unit(normal, steps.t[k]);
            }
            out.push(Frame { tangent: steps.t[k], normal });
        }
        (from, t0) = (points[first + count - 1], steps.t[count - 1]);
    }
    match framing {
        Framing::RotationMinimising => {}
        Framing::Fixed(v) => {
            for frame in out.iter_mut() {
                let part = v - frame.tangent * frame.tangent.dot(v);
                if part.length_squared() > 1e-20 * v.length_squared() {
                    frame.normal = part.normalize_or(frame.normal);
                }
            }
        }
        Framing::Frenet => {
            let last = out.len() - 1;
            for i in 0..=last {
                let change = out[(i + 1).min(last)].tangent - out[i.saturating_sub(1)].tangent;
                let part = change - out[i].tangent * out[i].tangent.dot(change);
                if part.length_squared() > 1e-20 {
                    out[i].normal = part.normalize_or(out[i].normal);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// A helix of radius 1 and rise 0.3 per radian, two turns; exact points and tangents.
    fn helix(n: usize) -> (Vec<DVec3>, Vec<DVec3>) {
        let speed = 1.09_f64.sqrt();
        (0..n)
            .map(|i| {
                let a = 2.0 * TAU * i as f64 / (n - 1) as f64;
                let (s, c) = ops::sin_cos(a);
                (DVec3::new(c, s, 0.3 * a), DVec3::new(-s, c, 0.3) / speed)
            })
            .unzip()
    }

    /// How far the carried frame at the end is from where torsion times length puts it.
    fn torsion_error(n: usize) -> f64 {
        let (points, tangents) = helix(n);
        let inward = DVec3::new(-1.0, 0.0, 0.0);
        let mut out = Vec::new();
        frames(&points, &tangents, inward, Framing::RotationMinimising, &mut out);
        // Torsion of this helix is 0.3 / 1.09, its length 2·2π·√1.09: the carried frame turns
        // against the principal normal by minus their product.
        let expected = -(0.3 / 1.09) * 2.0 * TAU * 1.09_f64.sqrt();
        let end = out[n - 1];
        let principal = Frame::new(end.tangent(), inward);
        let turned = ops::atan2(
            end.normal().dot(principal.binormal()),
            end.normal().dot(principal.normal()),
        );
        let miss = (turned - expected) / TAU;
        ((miss - miss.round()) * TAU).abs()
    }

    #[test]
    fn carried_frame_turns_back_by_the_torsion() {
        let error = torsion_error(65);
        assert!(error < 6e-7, "{error:e}"); // the notes measure 5.7e-7 rad
    }

    #[test]
    fn error_falls_with_the_fourth_power() {
        let order = libm::log2(torsion_error(65) / torsion_error(129));
        assert!((3.8..4.2).contains(&order), "order {order}");
    }

    #[test]
    fn frames_are_right_handed_and_orthonormal() {
        let (points, t) = helix(40);
        for framing in [Framing::RotationMinimising, Framing::Fixed(DVec3::Z), Framing::Frenet] {
            let mut out = Vec::new();
            frames(&points, &t, DVec3::Z, framing, &mut out);
            for f in &out {
                assert!((f.normal().length() - 1.0).abs() < 1e-14);
                assert!(f.normal().dot(f.tangent()).abs() < 1e-14);
                assert!(f.tangent().cross(f.normal()).distance(f.binormal()) < 1e-15);
            }
        }
    }

    #[test]
    fn a_straight_stretch_does_not_flip_anything() {
        // An S: Frenet's normal flips between its halves, the carried one must not.
        let points: Vec<_> = (0..101)
            .map(|i| {
                let x = f64::from(i) * 0.1 - 5.0;
                DVec3::new(x, ops::sin(x), 0.0)
            })
            .collect();
        let (mut t, mut out) = (Vec::new(), Vec::new());
        tangents(&points, false, &mut t);
        frames(&points, &t, DVec3::Z, Framing::RotationMinimising, &mut out);
        assert!(out.iter().all(|f| f.normal().distance(DVec3::Z) < 1e-13));
    }

    #[test]
    fn sampled_tangents_converge_with_the_third_power_at_least() {
        let worst = |n: usize| {
            let (points, exact) = helix(n);
            let mut ours = Vec::new();
            tangents(&points, false, &mut ours);
            ours.iter().zip(&exact).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
        };
        let order = libm::log2(worst(65) / worst(129));
        assert!(order > 2.9, "order {order}");
    }

    #[test]
    fn coinciding_samples_and_vertical_starts_are_no_trouble() {
        let points =
            [DVec3::ZERO, DVec3::ZERO, DVec3::NEG_Z, DVec3::NEG_Z, DVec3::new(0.0, 0.0, -2.0)];
        let (mut t, mut out) = (Vec::new(), Vec::new());
        tangents(&points, false, &mut t);
        frames(&points, &t, DVec3::Z, Framing::RotationMinimising, &mut out);
        assert!(t.iter().chain(out.iter().map(|f| &f.normal)).all(|v| v.is_finite()));
        // The convention for a rope hanging down: n = +X, b = −Y.
        assert_eq!(out[0].normal(), DVec3::X);
        assert_eq!(out[0].binormal(), DVec3::NEG_Y);
    }
}
