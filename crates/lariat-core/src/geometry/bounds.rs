//! Axis-aligned bounding boxes (the extent in USD).

use glam::DVec3;

use super::{Mesh, Strand};

/// An axis-aligned box, initially empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest coordinates.
    pub low: DVec3,
    /// Largest coordinates.
    pub high: DVec3,
}

impl Bounds {
    /// The empty box.
    pub const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    /// Returns true for the empty box.
    pub fn is_empty(&self) -> bool {
        self.low.x > self.high.x
    }

    /// Extends the box to include a ball around `p`.
    pub fn include(&mut self, p: DVec3, radius: f64) {
        let r = DVec3::splat(radius);
        (self.low, self.high) = (self.low.min(p - r), self.high.max(p + r));
    }

    /// The box around a strand, its thickness included.
    pub fn of(strand: &Strand) -> Self {
        let mut bounds = Self::EMPTY;
        let reach = strand.profile.reach();
        for (p, r) in strand.points().iter().zip(strand.radius()) {
            bounds.include(*p, r * reach);
        }
        bounds
    }

    /// The box around a mesh.
    pub fn of_mesh(mesh: &Mesh) -> Self {
        let mut bounds = Self::EMPTY;
        for p in mesh.points() {
            bounds.include(*p, 0.0);
        }
        bounds
    }

    /// The box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_grows_to_include_points() {
        let mut bounds = Bounds::EMPTY;
        assert!(bounds.is_empty());
        bounds.include(DVec3::X, 0.5);
        bounds.include(DVec3::NEG_Y, 0.0);
        assert_eq!(
            (bounds.low, bounds.high),
            (DVec3::new(0.0, -1.0, -0.5), DVec3::new(1.5, 0.5, 0.5))
        );
        assert_eq!(bounds.union(Bounds::EMPTY), bounds);
    }
}
