//! Automatic framing: the camera that shows everything from a given direction.
//!
//! The camera is as near as the lens allows while everything stays inside. In camera coordinates a
//! point `(x, y, z)` is inside if `|x − ex| ≤ tx (z − ez)` and `|y − ey| ≤ ty (z − ez)` for an eye
//! at `(ex, ey, ez)`. Each is a pair of half-planes, so only the largest of `x − tx z`, `−x − tx z`
//! and so on count, and the eye follows in closed form, without a search and without storing
//! points.
//!
//! Which frames and bodies are included is decided in `lariat-shoot/src/framing.rs`.
//!
//! Tests: `balls_are_framed_with_their_radius`, `framing_does_not_depend_on_the_order`,
//! `torn_ends_are_in_view`.

use glam::DVec3;
use lariat_core::{
    geometry::{Bounds, Lens, Mesh, Strand},
    num::ops,
};

use crate::camera::{ANGLE, Axes, Camera, LEAST, MARGIN};
use crate::{DrawnStrand, fray::with_frays};

/// Places a perspective camera so that it shows everything that was included. Stores six numbers,
/// for any number of points and frames.
#[derive(Clone, Copy, Debug)]
pub struct Framing {
    axes: Axes,
    /// Horizontal and vertical slopes of the view, without the margin.
    slope: [f64; 2],
    /// Largest distance of the included points beyond the planes of the view: right, left, up,
    /// down.
    beyond: [f64; 4],
    /// Smallest and largest depth.
    depth: [f64; 2],
}

impl Framing {
    /// A view along `direction` with a picture of this width over height.
    pub fn new(direction: DVec3, aspect: f64) -> Self {
        let half = ops::tan(0.5 * ANGLE) * (1.0 - MARGIN);
        Self {
            axes: Axes::new(direction, DVec3::Z),
            slope: [half * aspect, half],
            beyond: [f64::NEG_INFINITY; 4],
            depth: [f64::INFINITY, f64::NEG_INFINITY],
        }
    }

    /// Includes a ball; values that are not finite are ignored.
    pub fn include(&mut self, p: DVec3, radius: f64) {
        let z = p.dot(self.axes.forward);
        if !(z + radius).is_finite() {
            return;
        }
        self.depth = [self.depth[0].min(z - radius), self.depth[1].max(z + radius)];
        for (k, side) in [self.axes.right, self.axes.up].into_iter().enumerate() {
            let slope = self.slope[k];
            let (x, wide) = (p.dot(side), radius * (1.0 + slope * slope).sqrt());
            self.beyond[2 * k] = self.beyond[2 * k].max(x - slope * z + wide);
            self.beyond[2 * k + 1] = self.beyond[2 * k + 1].max(-x - slope * z + wide);
        }
    }

    /// Includes strands with their torn ends.
    pub fn include_strands<'a>(&mut self, strands: impl IntoIterator<Item = &'a Strand>) {
        for strand in strands {
            with_frays(&DrawnStrand::from(strand), |part| {
                let reach = part.strand.profile.reach();
                for (p, r) in part.strand.points().iter().zip(part.strand.radius()) {
                    self.include(*p, r * reach);
                }
            });
        }
    }

    /// Includes meshes.
    pub fn include_meshes<'a>(&mut self, meshes: impl IntoIterator<Item = &'a Mesh>) {
        for p in meshes.into_iter().flat_map(Mesh::points) {
            self.include(*p, 0.0);
        }
    }

    /// Includes everything of another framing with the same direction and aspect ratio; the order
    /// does not matter.
    pub fn include_all_of(&mut self, other: &Self) {
        for (most, theirs) in self.beyond.iter_mut().zip(other.beyond) {
            *most = most.max(theirs);
        }
        self.depth = [self.depth[0].min(other.depth[0]), self.depth[1].max(other.depth[1])];
    }

    /// The camera that shows everything that was included.
    pub fn camera(&self) -> Camera {
        if self.depth[0] > self.depth[1] {
            return Camera::framing(&Bounds::EMPTY, self.axes.forward, 1.0);
        }
        let place = |k: usize| {
            let (more, less) = (self.beyond[2 * k], self.beyond[2 * k + 1]);
            ((more + less) / (2.0 * self.slope[k]), (more - less) / 2.0)
        };
        let ((dx, x), (dy, y)) = (place(0), place(1));
        // Depth is measured from the world origin; every point must be in front of the lens.
        let z = -dx.max(dy);
        let z = z.min(self.depth[0] - LEAST);
        let Axes { forward, right, up, upright } = self.axes;
        let eye = right * x + up * y + forward * z;
        let middle = 0.5 * (self.depth[0] + self.depth[1]);
        Camera {
            eye,
            target: eye + forward * (middle - z),
            up: upright,
            lens: Lens::Perspective { angle: ANGLE },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NamedView, Size};

    #[test]
    fn framing_does_not_depend_on_the_order() {
        let balls = [(DVec3::X, 0.4), (DVec3::NEG_Z * 3.0, 0.1), (DVec3::new(1.0, -5.0, 2.0), 0.2)];
        let shown = |balls: &[(DVec3, f64)]| {
            let mut framing = Framing::new(NamedView::ThreeQuarter.direction(), 1.5);
            for (p, r) in balls {
                framing.include(*p, *r);
            }
            framing
        };
        let mut halves = shown(&balls[2..]);
        halves.include_all_of(&shown(&balls[..2]));
        halves.include_all_of(&shown(&[]));
        assert_eq!(halves.camera(), shown(&balls).camera());
    }

    #[test]
    fn balls_are_framed_with_their_radius() {
        let size = Size::new(800, 600).unwrap();
        let mut framing = Framing::new(NamedView::ThreeQuarter.direction(), size.aspect());
        let balls = [(DVec3::new(1.0, 2.0, 3.0), 0.4), (DVec3::new(-2.0, 0.0, 1.0), 0.1)];
        for (p, r) in balls {
            framing.include(p, r);
        }
        framing.include(DVec3::NAN, 1.0);
        let projection = framing.camera().projection(size).unwrap();
        let mut touched = 0;
        for (p, r) in balls {
            for k in 0..10_000 {
                // A spiral on the ball.
                let z = 1.0 - 2.0 * (f64::from(k) + 0.5) / 10_000.0;
                let v = f64::from(k) * 0.381_966;
                let flat = (1.0 - z * z).sqrt();
                let out = DVec3::new(flat * ops::cos_turns(v), flat * ops::sin_turns(v), z);
                let (x, y, _) = projection.project(p + out * r).unwrap();
                let edge = |x: f64, most: f64| (x / most - 0.5).abs() - 0.5 * (1.0 - MARGIN);
                let far = edge(x, 800.0).max(edge(y, 600.0));
                assert!(far < 1e-9, "{far}");
                touched += u32::from(far > -1e-3);
            }
        }
        assert!(touched > 1, "the camera could be nearer");
        assert!(Framing::new(DVec3::Y, 1.0).camera().projection(size).is_ok(), "an empty framing");
    }

    #[test]
    fn torn_ends_are_in_view() {
        use lariat_core::geometry::{Look, Sweep};
        let look = Look { name: "rope".into(), colour: [0.5; 3] };
        let mut rope = Strand::empty("rope", look);
        rope.sweep(&[DVec3::Z, DVec3::Z * 1.5, DVec3::Z * 2.0], &Sweep::round(DVec3::X, 0.1));
        let height = |rope: &Strand| {
            let mut framing = Framing::new(DVec3::Y, 1.0);
            framing.include_strands([rope]);
            framing.camera().eye.y
        };
        let whole = height(&rope);
        rope.torn = [true, true];
        assert!(height(&rope) < whole - 0.2, "the camera did not move from {whole}");
    }
}
