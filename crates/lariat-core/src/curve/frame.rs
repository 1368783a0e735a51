//! Frames along a curve that do not spin about it.
//!
//! Waves, tubes and twist need a normal at every point of a rope. The Frenet frame is undefined
//! where the rope is straight and flips where the bend changes side. So one frame is chosen at the
//! start and *carried* along, turning only as much as the tangent turns (rotation-minimising).
//!
//! Method: double reflection (Wang, Jüttler, Zheng, Liu 2008), fourth-order accurate in the
//! spacing. Barzel's appendix A.3 also names the cross product with a fixed vector and the
//! Frenet frame; both are available. Where they are undefined, the carried frame is used.
//!
//! The first normal, by convention: the component of `up` normal to the first tangent, or of +X
//! where `up` is parallel to the curve.
//!
//! Tests: `carried_frame_turns_back_by_the_torsion`, `error_falls_with_the_fourth_power`,
//! `frames_are_right_handed_and_orthonormal`, `a_straight_stretch_does_not_flip_the_frame`.

use glam::DVec3;

use crate::num::ops;

/// Right-handed and orthonormal: `tangent`, `normal`, `binormal = tangent × normal`.
///
/// Fields are private so that a frame is always orthonormal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    tangent: DVec3,
    normal: DVec3,
}

/// Method for frames along a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Framing {
    /// Carried along by double reflection: the default.
    #[default]
    RotationMinimising,
    /// The normal is the component of this vector normal to the tangent: for ropes that are never
    /// parallel to it.
    Fixed(DVec3),
    /// The normal points to the centre of curvature.
    Frenet,
}

impl Frame {
    /// The frame of the world at the start of a curve along X: tangent X, normal Z, binormal −Y.
    pub const WORLD: Self = Self { tangent: DVec3::X, normal: DVec3::Z };

    /// The frame along `tangent` whose normal is the component of `up` normal to it.
    pub fn new(tangent: DVec3, up: DVec3) -> Self {
        let tangent = tangent.normalize_or(DVec3::X);
        let sideways = |hint: DVec3| hint - tangent * tangent.dot(hint);
        let mut normal = sideways(up);
        // Below this the direction of the remainder is rounding.
        if normal.length_squared() <= 1e-20 * up.length_squared() {
            normal = sideways(DVec3::X);
        }
        if normal.length_squared() < 1e-20 {
            normal = sideways(DVec3::Y);
        }
        let normal = normal.normalize_or(DVec3::Z);
        // A second pass removes the rounding error along the tangent.
        Self { tangent, normal: sideways_unit(normal, tangent) }
    }

    /// From a tangent and a normal that are unit and perpendicular already.
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

    /// The direction at `turns` around the curve: like [`sideways`](Self::sideways), but in turns, so
    /// that whole turns are exact.
    #[inline]
    pub fn around(&self, turns: f64) -> DVec3 {
        let (sin, cos) = ops::sin_cos_turns(turns);
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
        let (t, n) = (self.tangent, self.normal);
        let v = to - from;
        if !goes_along(v.dot(v), v.dot(t), v.dot(tangent)) {
            let normal = n - smallest_turn(t, tangent) * tangent.dot(n);
            return Self { tangent, normal: sideways_unit(normal, tangent) };
        }
        // Expanded, without the terms that vanish for unit and perpendicular vectors: the first
        // reflection takes n to n − r v and t to t − q v, the second takes the latter to the new
        // tangent and the former to the new normal.
        let per = 2.0 / v.dot(v);
        let (r, q) = (per * v.dot(n), per * v.dot(t));
        let ahead = tangent.dot(v);
        let g = (tangent.dot(n) - r * ahead) / (1.0 - tangent.dot(t) + q * ahead);
        Self { tangent, normal: n - v * (r + g * q) - (tangent - t) * g }
    }
}

/// Returns true if a step agrees with the tangents at both its ends. `vv` is its squared length,
/// `behind` and `ahead` are its dot products with the tangents.
///
/// A step that does not agree is zero or so small that its direction is rounding. Reflecting in it
/// could invert the frame.
#[inline]
fn goes_along(vv: f64, behind: f64, ahead: f64) -> bool {
    // Within 75 degrees of both, in one comparison.
    let least = if behind < ahead { behind } else { ahead };
    16.0 * least * least.abs() > vv + 1e-150
}

/// `B` for a zero step: `n − B (tangent·n)` is the normal `n` turned by the smallest rotation that
/// takes `t` to `tangent`. If the curve folds straight back, `n` is unchanged.
fn smallest_turn(t: DVec3, tangent: DVec3) -> DVec3 {
    let v = t + tangent;
    let vv = v.length_squared();
    if vv > 1e-12 { v * (2.0 / vv) } else { tangent }
}

/// The component of `v` normal to the unit vector `axis`, normalised.
fn sideways_unit(v: DVec3, axis: DVec3) -> DVec3 {
    let component = v - axis * axis.dot(v);
    component.normalize_or(v)
}

/// The derivative with respect to the sample index, up to a factor, within two samples of an end.
///
/// Third-order differences are used: fourth-order ones would read five samples to one side, which
/// fails for a rope with a fold near its end. A closed curve wraps around.
fn slope_near_an_end(p: &[DVec3], closed: bool, i: usize) -> DVec3 {
    let n = p.len();
    if closed && n >= 4 {
        // The last sample repeats the first, so a ring of n has n − 1.
        let at = |k: usize| p[(i + n - 1 + k - 2) % (n - 1)];
        return (at(3) - at(1)) * 8.0 - (at(4) - at(0));
    }
    // One-sided differences over a fold can point backwards; then the chord is used.
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

/// Samples per chunk: small enough for the cache.
const CHUNK: usize = 24;

/// Vectors component by component, so that the compiler can vectorise.
type Columns<const N: usize> = [[f64; N]; 3];

fn vector<const N: usize>(columns: &Columns<N>, k: usize) -> DVec3 {
    DVec3::new(columns[0][k], columns[1][k], columns[2][k])
}

fn set_vector<const N: usize>(columns: &mut Columns<N>, k: usize, v: DVec3) {
    (columns[0][k], columns[1][k], columns[2][k]) = (v.x, v.y, v.z);
}

/// A chunk of samples, with the coefficients for carrying a frame over it.
///
/// The two reflections of [`Frame::carried`] are linear in the normal: `n − A (v·n) − B (t·n)`
/// with `v` the step and `t` the tangent there. `A` and `B` do not depend on the normal, so they
/// are computed for many steps at once; only two dot products per step remain sequential.
struct Chunk {
    /// The points, with two neighbours on either side.
    near: Columns<{ CHUNK + 4 }>,
    /// Unit tangents, preceded by the last one of the previous chunk.
    tangents: Columns<{ CHUNK + 1 }>,
    steps: Columns<CHUNK>,
    a: Columns<CHUNK>,
    b: Columns<CHUNK>,
    /// Squares of the slopes.
    squared: [f64; CHUNK],
}

impl Chunk {
    fn new() -> Self {
        Self {
            near: [[0.0; CHUNK + 4]; 3],
            tangents: [[0.0; CHUNK + 1]; 3],
            steps: [[0.0; CHUNK]; 3],
            a: [[0.0; CHUNK]; 3],
            b: [[0.0; CHUNK]; 3],
            squared: [0.0; CHUNK],
        }
    }

    /// Loads the points from `first` on.
    fn load(&mut self, points: &[DVec3], first: usize) {
        let (from, to) = (first.saturating_sub(2), (first + CHUNK + 2).min(points.len()));
        let start = from + 2 - first;
        let [x, y, z] = self.near.each_mut().map(|row| &mut row[start..]);
        for (((x, y), z), p) in x.iter_mut().zip(y).zip(z).zip(&points[from..to]) {
            (*x, *y, *z) = (p.x, p.y, p.z);
        }
    }

    /// Unit tangents of samples at equal steps of their parameter, by fourth-order differences away
    /// from the ends. Where samples coincide, the previous tangent is kept.
    fn find_tangents(&mut self, points: &[DVec3], closed: bool, first: usize) {
        let n = points.len();
        let count = CHUNK.min(n - first);
        for (near, slope) in self.near.iter().zip(&mut self.tangents) {
            let (near, slope) = (&near[..count + 4], &mut slope[1..=count]);
            for k in 0..count {
                slope[k] = (near[k + 3] - near[k + 1]) * 8.0 - (near[k + 4] - near[k]);
            }
        }
        for i in (first..n.min(2)).chain(first.max(n.max(4) - 2)..first + count) {
            let slope = slope_near_an_end(points, closed, i);
            set_vector(&mut self.tangents, i - first + 1, slope);
        }
        let [x, y, z] = self.tangents.each_mut().map(|row| &mut row[1..=count]);
        let squared = &mut self.squared[..count];
        for k in 0..count {
            squared[k] = x[k] * x[k] + y[k] * y[k] + z[k] * z[k];
            let per_length = 1.0 / squared[k].sqrt();
            x[k] *= per_length;
            y[k] *= per_length;
            z[k] *= per_length;
        }
        for k in 0..count {
            if self.squared[k] <= 1e-300 {
                let before = vector(&self.tangents, k);
                set_vector(&mut self.tangents, k + 1, before);
            }
        }
    }

    /// Coefficients of the reflections for every step; the first sample of a curve has no step.
    fn find_reflections(&mut self, first: usize, count: usize) {
        for (near, step) in self.near.iter().zip(&mut self.steps) {
            let (near, step) = (&near[1..count + 2], &mut step[..count]);
            for k in 0..count {
                step[k] = near[k + 1] - near[k];
            }
        }
        if first == 0 {
            let along = vector(&self.tangents, 1);
            set_vector(&mut self.steps, 0, along);
        }
        if self.reflect(count) {
            return;
        }
        for k in 0..count {
            let (v, t0) = (vector(&self.steps, k), vector(&self.tangents, k));
            let t = vector(&self.tangents, k + 1);
            if !goes_along(v.dot(v), v.dot(t0), v.dot(t)) {
                set_vector(&mut self.a, k, DVec3::ZERO);
                set_vector(&mut self.b, k, smallest_turn(t0, t));
            }
        }
    }

    /// Computes `A` and `B` of every step; returns true if all steps go along the curve.
    fn reflect(&mut self, count: usize) -> bool {
        let [x, y, z] = self.steps.each_ref().map(|row| &row[..count]);
        let [tx, ty, tz] = self.tangents.each_ref().map(|row| &row[..=count]);
        let [ax, ay, az] = self.a.each_mut().map(|row| &mut row[..count]);
        let [bx, by, bz] = self.b.each_mut().map(|row| &mut row[..count]);
        let mut misaligned = 0;
        for k in 0..count {
            let (fx, fy, fz) = (tx[k], ty[k], tz[k]);
            let (dx, dy, dz) = (tx[k + 1] - fx, ty[k + 1] - fy, tz[k + 1] - fz);
            let vv = x[k] * x[k] + y[k] * y[k] + z[k] * z[k];
            let behind = x[k] * fx + y[k] * fy + z[k] * fz;
            let ahead = behind + (x[k] * dx + y[k] * dy + z[k] * dz);
            misaligned |= u64::from(!goes_along(vv, behind, ahead));
            // 1 − cos of the turn, as half the square of the change.
            let turned = vv * 0.5 * (dx * dx + dy * dy + dz * dz) + 2.0 * behind * ahead;
            // One division for both reciprocals.
            let both = 1.0 / (vv * turned);
            let (per_vv, per_turned) = (2.0 * turned * both, vv * both);
            let (g_v, g_t) = (-2.0 * ahead * per_turned, vv * per_turned);
            let (a_v, b_v) = (per_vv * (1.0 + behind * g_v), per_vv * behind * g_t);
            (ax[k], bx[k]) = (x[k] * a_v + dx * g_v, x[k] * b_v + dx * g_t);
            (ay[k], by[k]) = (y[k] * a_v + dy * g_v, y[k] * b_v + dy * g_t);
            (az[k], bz[k]) = (z[k] * a_v + dz * g_v, z[k] * b_v + dz * g_t);
        }
        misaligned == 0
    }
}

/// The first nonzero direction, for curves that begin with coinciding samples.
fn first_direction(points: &[DVec3]) -> DVec3 {
    let mut chords = points.windows(2).map(|w| w[1] - w[0]);
    chords.find(|d| d.length_squared() > 0.0).unwrap_or(DVec3::X).normalize_or(DVec3::X)
}

/// Fills `out` with the unit tangents of samples at equal steps of their parameter.
pub fn tangents(points: &[DVec3], closed: bool, out: &mut Vec<DVec3>) {
    let mut chunk = Chunk::new();
    set_vector(&mut chunk.tangents, 0, first_direction(points));
    out.clear();
    for first in (0..points.len()).step_by(CHUNK) {
        chunk.load(points, first);
        chunk.find_tangents(points, closed, first);
        let count = CHUNK.min(points.len() - first);
        out.extend((1..=count).map(|k| vector(&chunk.tangents, k)));
        let last = vector(&chunk.tangents, count);
        set_vector(&mut chunk.tangents, 0, last);
    }
}

/// Fills `out` with one frame per sample; `up` determines the first. Tangents are computed from the
/// samples.
pub fn frames_along(
    points: &[DVec3],
    closed: bool,
    up: DVec3,
    framing: Framing,
    out: &mut Vec<Frame>,
) {
    let find = |chunk: &mut Chunk, first: usize| chunk.find_tangents(points, closed, first);
    carry(points, find, up, framing, out);
}

/// Fills `out` with one frame per sample; `up` determines the first, `tangents` are unit vectors.
pub fn frames(
    points: &[DVec3],
    tangents: &[DVec3],
    up: DVec3,
    framing: Framing,
    out: &mut Vec<Frame>,
) {
    let take = |chunk: &mut Chunk, first: usize| {
        for (k, t) in tangents[first..].iter().take(CHUNK).enumerate() {
            set_vector(&mut chunk.tangents, k + 1, *t);
        }
    };
    carry(points, take, up, framing, out);
}

/// Carries a frame along `points`; `find_tangents` computes the tangents of a chunk.
fn carry(
    points: &[DVec3],
    mut find_tangents: impl FnMut(&mut Chunk, usize),
    up: DVec3,
    framing: Framing,
    out: &mut Vec<Frame>,
) {
    let n = points.len();
    out.clear();
    out.reserve(n);
    let hint = if let Framing::Fixed(v) = framing { v } else { up };
    let mut chunk = Chunk::new();
    set_vector(&mut chunk.tangents, 0, first_direction(points));
    let mut normal = DVec3::ZERO;
    for first in (0..n).step_by(CHUNK) {
        let count = CHUNK.min(n - first);
        chunk.load(points, first);
        find_tangents(&mut chunk, first);
        if first == 0 {
            let start = Frame::new(vector(&chunk.tangents, 1), hint);
            set_vector(&mut chunk.tangents, 0, start.tangent);
            normal = start.normal;
        }
        chunk.find_reflections(first, count);
        let [tx, ty, tz] = chunk.tangents.each_ref().map(|row| &row[1..=count]);
        let [x, y, z] = chunk.steps.each_ref().map(|row| &row[..count]);
        let [ax, ay, az] = chunk.a.each_ref().map(|row| &row[..count]);
        let [bx, by, bz] = chunk.b.each_ref().map(|row| &row[..count]);
        let DVec3 { x: mut nx, y: mut ny, z: mut nz } = normal;
        out.extend((0..count).map(|k| {
            let along = x[k] * nx + y[k] * ny + z[k] * nz;
            let ahead = tx[k] * nx + ty[k] * ny + tz[k] * nz;
            nx = nx - ax[k] * along - bx[k] * ahead;
            ny = ny - ay[k] * along - by[k] * ahead;
            nz = nz - az[k] * along - bz[k] * ahead;
            Frame { tangent: DVec3::new(tx[k], ty[k], tz[k]), normal: DVec3::new(nx, ny, nz) }
        }));
        let tangent = vector(&chunk.tangents, count);
        set_vector(&mut chunk.tangents, 0, tangent);
        // Remove the rounding error of the reflections.
        normal = sideways_unit(DVec3::new(nx, ny, nz), tangent);
        out[first + count - 1].normal = normal;
    }
    if out.is_empty() {
        return;
    }
    match framing {
        Framing::RotationMinimising => {}
        Framing::Fixed(v) => {
            for frame in out.iter_mut() {
                let component = v - frame.tangent * frame.tangent.dot(v);
                if component.length_squared() > 1e-20 * v.length_squared() {
                    frame.normal = component.normalize_or(frame.normal);
                }
            }
        }
        Framing::Frenet => {
            let last = out.len() - 1;
            for i in 0..=last {
                let change = out[(i + 1).min(last)].tangent - out[i.saturating_sub(1)].tangent;
                let component = change - out[i].tangent * out[i].tangent.dot(change);
                if component.length_squared() > 1e-20 {
                    out[i].normal = component.normalize_or(out[i].normal);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DMat3;
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

    /// Angle between the carried frame at the end and the one that torsion times length predicts.
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
        assert!(error < 6e-7, "{error:e}"); // docs/papers/barzel.md: 5.7e-7 rad
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
                let turned = DMat3::from_cols(f.tangent(), f.normal(), f.binormal());
                assert!((turned.determinant() - 1.0).abs() < 1e-14);
            }
        }
    }

    /// The derivative of a parabola is exact through three samples, also away from the origin.
    #[test]
    fn tangents_of_three_samples_are_those_of_the_parabola() {
        let at = |u: f64| DVec3::new(7.0 + u, 5.0 - 3.0 * u * u, u * (2.0 - u));
        let slope = |u: f64| DVec3::new(1.0, -6.0 * u, 2.0 - 2.0 * u).normalize_or(DVec3::X);
        let mut t = Vec::new();
        tangents(&[at(0.0), at(0.25), at(0.5)], false, &mut t);
        assert_eq!(t.len(), 3);
        for (tangent, u) in t.iter().zip([0.0, 0.25, 0.5]) {
            assert!(tangent.distance(slope(u)) < 1e-14, "{tangent} for {} at {u}", slope(u));
        }
    }

    #[test]
    fn a_straight_stretch_does_not_flip_the_frame() {
        // An S: the Frenet normal flips between its halves, the carried one must not.
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
    fn a_step_of_rounding_size_does_not_invert_the_frame() {
        let start = Frame::new(DVec3::X, DVec3::Z);
        for step in [DVec3::Y * 1e-17, DVec3::new(-1e-17, 1e-18, 0.0), DVec3::ZERO] {
            let carried = start.carried(DVec3::ZERO, step, DVec3::X);
            assert!(carried.normal().distance(DVec3::Z) < 1e-15, "{step}: {carried:?}");
            let points = [DVec3::NEG_X, DVec3::ZERO, step, DVec3::X, DVec3::X * 2.0];
            let mut out = Vec::new();
            frames(&points, &[DVec3::X; 5], DVec3::Z, Framing::RotationMinimising, &mut out);
            assert!(out.iter().all(|f| f.normal().distance(DVec3::Z) < 1e-15), "{out:?}");
        }
    }

    /// Carrying by chunks and step by step are the same reflections.
    #[test]
    fn chunks_vs_single_steps() {
        for n in [2, 3, 5, 63, 64, 65, 66, 67, 200] {
            let (points, tangents) = helix(n);
            let mut out = Vec::new();
            frames(&points, &tangents, DVec3::Z, Framing::RotationMinimising, &mut out);
            let mut frame = out[0];
            for i in 1..n {
                frame = frame.carried(points[i - 1], points[i], tangents[i]);
                assert!(frame.normal.distance(out[i].normal) < 1e-14 * n as f64, "{i} of {n}");
            }
        }
    }

    #[test]
    fn folds_and_repeated_samples_keep_the_normal() {
        // There and back along X, with repeated samples: the tangent reverses between two samples.
        let there = [0.0, 1.0, 2.0, 3.0, 3.0, 3.0, 2.0, 1.0, 0.0];
        let points = there.map(|x| DVec3::new(x, 0.0, 0.0));
        let tangents = [1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0].map(|x| DVec3::X * x);
        let (mut given, mut found) = (Vec::new(), Vec::new());
        frames(&points, &tangents, DVec3::Z, Framing::RotationMinimising, &mut given);
        frames_along(&points, false, DVec3::Z, Framing::RotationMinimising, &mut found);
        assert!(given.iter().chain(&found).all(|f| f.normal() == DVec3::Z), "{given:?} {found:?}");
        let turned = Frame::new(DVec3::X, DVec3::Z).carried(DVec3::X, DVec3::ZERO, DVec3::NEG_X);
        assert_eq!(turned.normal(), DVec3::Z);
    }

    #[test]
    fn coinciding_samples_and_vertical_starts_have_finite_frames() {
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
