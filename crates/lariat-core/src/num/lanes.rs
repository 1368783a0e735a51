//! Four numbers, or four vectors, side by side in the processor's registers.
//!
//! For the loops over samples where five thousand ropes spend their time. Only the operations that
//! IEEE 754 makes exact are used, lane by lane, so the bits are those of the same formula written
//! with plain numbers, on every processor. (`clippy.toml` forbids the others of `wide`: a fused
//! multiplication rounds differently where there is none.)

use std::ops::{Add, Mul, Sub};

use glam::DVec3;
pub use wide::f64x4 as Lanes;

/// How many.
pub const LANES: usize = 4;

/// Four vectors.
#[derive(Clone, Copy, Debug, Default)]
#[must_use]
pub struct Lanes3 {
    /// Their x.
    pub x: Lanes,
    /// Their y.
    pub y: Lanes,
    /// Their z.
    pub z: Lanes,
}

impl Lanes3 {
    /// The first four of `vectors`, or as many as there are and the last once more.
    #[inline]
    pub fn load(vectors: &[DVec3]) -> Self {
        let [a, b, c, d] = if let Some(four) = vectors.first_chunk() {
            *four
        } else {
            let last = vectors.last().copied().unwrap_or_default();
            std::array::from_fn(|k| vectors.get(k).copied().unwrap_or(last))
        };
        Self {
            x: Lanes::new([a.x, b.x, c.x, d.x]),
            y: Lanes::new([a.y, b.y, c.y, d.y]),
            z: Lanes::new([a.z, b.z, c.z, d.z]),
        }
    }

    /// The same vector four times.
    #[inline]
    pub fn splat(v: DVec3) -> Self {
        Self { x: Lanes::splat(v.x), y: Lanes::splat(v.y), z: Lanes::splat(v.z) }
    }

    /// The four vectors, one after the other.
    #[inline]
    pub fn to_array(self) -> [DVec3; LANES] {
        let (x, y, z) = (self.x.to_array(), self.y.to_array(), self.z.to_array());
        std::array::from_fn(|k| DVec3::new(x[k], y[k], z[k]))
    }

    /// Each vector's left neighbour, with `first` in front.
    #[inline]
    pub fn shifted(self, first: DVec3) -> Self {
        let shift = |row: Lanes, first: f64| {
            let [a, b, c, _] = row.to_array();
            Lanes::new([first, a, b, c])
        };
        Self { x: shift(self.x, first.x), y: shift(self.y, first.y), z: shift(self.z, first.z) }
    }

    /// Four dot products.
    #[inline]
    pub fn dot(self, other: Self) -> Lanes {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// `self` where `mask` is set, `other` elsewhere.
    #[inline]
    pub fn where_or(self, mask: Lanes, other: Self) -> Self {
        Self {
            x: mask.bitselect(self.x, other.x),
            y: mask.bitselect(self.y, other.y),
            z: mask.bitselect(self.z, other.z),
        }
    }
}

impl Add for Lanes3 {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for Lanes3 {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl Mul<Lanes> for Lanes3 {
    type Output = Self;
    #[inline]
    fn mul(self, factor: Lanes) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}
