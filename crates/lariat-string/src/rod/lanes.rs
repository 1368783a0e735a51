//! Vectors and blocks of numbers that are computed two at a time.
//!
//! A string is eliminated from both of its ends at once (`band.rs`). Lane 0 holds the particle that
//! is `k` steps from the first end, lane 1 the one that is `k` steps from the last. All operations
//! are IEEE additions, multiplications, divisions and square roots without fused multiply-add, so
//! every machine gives the same bits, with SIMD instructions or without.

#![expect(
    clippy::inline_always,
    reason = "a kernel of small operations is one loop only if all of them are inlined"
)]

use std::ops::{Add, Mul, Neg, Sub};

use glam::DVec3;
pub(super) use wide::f64x2;

/// One number, or one for each lane.
pub(super) trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// The same number in all lanes.
    fn splat(x: f64) -> Self;
    fn recip(self) -> Self;
    fn root(self) -> Self;
    fn larger(self, other: Self) -> Self;
    /// `yes` where `self` is 0 or more, else `no`.
    fn choose(self, yes: Self, no: Self) -> Self;
    /// The number of one lane.
    fn lane(self, lane: usize) -> f64;
}

impl Lane for f64 {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn recip(self) -> Self {
        1.0 / self
    }
    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        if self >= 0.0 { yes } else { no }
    }
    #[inline(always)]
    fn lane(self, _: usize) -> f64 {
        self
    }
}

impl Lane for f64x2 {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self::splat(x)
    }
    #[inline(always)]
    fn recip(self) -> Self {
        Self::splat(1.0) / self
    }
    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        self.simd_gt(other).select(self, other)
    }
    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        self.simd_ge(Self::splat(0.0)).select(yes, no)
    }
    #[inline(always)]
    fn lane(self, lane: usize) -> f64 {
        self.as_array()[lane]
    }
}

/// A vector.
pub(super) type Vec3<V> = [V; 3];
/// A symmetric 3 by 3 block: xx, xy, xz, yy, yz, zz.
pub(super) type Sym3<V> = [V; 6];
/// A 3 by 3 block, by rows.
pub(super) type Mat3<V> = [V; 9];

/// Zeros in both lanes.
pub(super) const ZERO: f64x2 = f64x2::ZERO;
pub(super) const ZERO3: Vec3<f64x2> = [ZERO; 3];

#[inline(always)]
pub(super) fn pair(a: f64, b: f64) -> f64x2 {
    f64x2::new([a, b])
}

#[inline(always)]
pub(super) fn pair3(a: DVec3, b: DVec3) -> Vec3<f64x2> {
    [pair(a.x, b.x), pair(a.y, b.y), pair(a.z, b.z)]
}

/// The vector of one lane.
#[inline(always)]
pub(super) fn lane3<V: Lane>(v: &Vec3<V>, lane: usize) -> Vec3<f64> {
    [v[0].lane(lane), v[1].lane(lane), v[2].lane(lane)]
}

#[inline(always)]
pub(super) fn vector(v: &Vec3<f64x2>, lane: usize) -> DVec3 {
    DVec3::from_array(lane3(v, lane))
}

#[inline(always)]
pub(super) fn set3(v: &mut Vec3<f64x2>, lane: usize, to: DVec3) {
    for (axis, x) in v.iter_mut().zip(to.to_array()) {
        axis.as_mut_array()[lane] = x;
    }
}

#[inline(always)]
pub(super) fn add_to3(v: &mut Vec3<f64x2>, lane: usize, more: DVec3) {
    for (axis, x) in v.iter_mut().zip(more.to_array()) {
        axis.as_mut_array()[lane] += x;
    }
}

#[inline(always)]
pub(super) fn add<V: Lane>(a: Vec3<V>, b: Vec3<V>) -> Vec3<V> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(super) fn sub<V: Lane>(a: Vec3<V>, b: Vec3<V>) -> Vec3<V> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(super) fn scale<V: Lane>(a: Vec3<V>, s: V) -> Vec3<V> {
    [a[0] * s, a[1] * s, a[2] * s]
}

#[inline(always)]
pub(super) fn dot<V: Lane>(a: Vec3<V>, b: Vec3<V>) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(super) fn cross<V: Lane>(a: Vec3<V>, b: Vec3<V>) -> Vec3<V> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `S v`.
#[inline(always)]
pub(super) fn sym_mul<V: Lane>(s: &Sym3<V>, v: Vec3<V>) -> Vec3<V> {
    [
        s[0] * v[0] + s[1] * v[1] + s[2] * v[2],
        s[1] * v[0] + s[3] * v[1] + s[4] * v[2],
        s[2] * v[0] + s[4] * v[1] + s[5] * v[2],
    ]
}

/// `M v`.
#[inline(always)]
pub(super) fn mat_mul<V: Lane>(m: &Mat3<V>, v: Vec3<V>) -> Vec3<V> {
    [
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    ]
}

/// `Mᵀ v`.
#[inline(always)]
pub(super) fn mat_t_mul<V: Lane>(m: &Mat3<V>, v: Vec3<V>) -> Vec3<V> {
    [
        m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
        m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
        m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
    ]
}

/// `S Mᵀ`.
#[inline(always)]
pub(super) fn sym_mat_t<V: Lane>(s: &Sym3<V>, m: &Mat3<V>) -> Mat3<V> {
    let a = sym_mul(s, [m[0], m[1], m[2]]);
    let b = sym_mul(s, [m[3], m[4], m[5]]);
    let c = sym_mul(s, [m[6], m[7], m[8]]);
    [a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]]
}

#[inline(always)]
fn entry<V: Lane>(l: &Mat3<V>, u: &Mat3<V>, row: usize, column: usize) -> V {
    l[3 * row] * u[column] + l[3 * row + 1] * u[3 + column] + l[3 * row + 2] * u[6 + column]
}

/// `S − L U` where that is symmetric.
#[inline(always)]
pub(super) fn sym_minus<V: Lane>(s: &Sym3<V>, l: &Mat3<V>, u: &Mat3<V>) -> Sym3<V> {
    let e = |row: usize, column: usize| entry(l, u, row, column);
    [s[0] - e(0, 0), s[1] - e(0, 1), s[2] - e(0, 2), s[3] - e(1, 1), s[4] - e(1, 2), s[5] - e(2, 2)]
}

/// `M − L U`.
#[inline(always)]
pub(super) fn mat_minus<V: Lane>(m: &Mat3<V>, l: &Mat3<V>, u: &Mat3<V>) -> Mat3<V> {
    std::array::from_fn(|k| m[k] - entry(l, u, k / 3, k % 3))
}

/// The inverse, times `free`.
#[inline(always)]
pub(super) fn sym_inverse<V: Lane>(s: &Sym3<V>, free: V) -> Sym3<V> {
    let [a, b, c, d, e, f] = *s;
    let c00 = d * f - e * e;
    let c01 = c * e - b * f;
    let c02 = b * e - c * d;
    let c11 = a * f - c * c;
    let c12 = b * c - a * e;
    let c22 = a * d - b * b;
    let per = free * (a * c00 + b * c01 + c * c02).recip();
    [c00 * per, c01 * per, c02 * per, c11 * per, c12 * per, c22 * per]
}

/// All nine entries of a symmetric block.
#[inline(always)]
pub(super) fn full<V: Lane>(s: &Sym3<V>) -> Mat3<V> {
    [s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5]]
}

#[inline(always)]
pub(super) fn transposed<V: Lane>(m: &Mat3<V>) -> Mat3<V> {
    [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]]
}

/// `a 1 + b t tᵀ`.
#[inline(always)]
pub(super) fn along_and_across<V: Lane>(a: V, b: V, t: Vec3<V>) -> Sym3<V> {
    let s = scale(t, b);
    [a + s[0] * t[0], s[0] * t[1], s[0] * t[2], a + s[1] * t[1], s[1] * t[2], a + s[2] * t[2]]
}
