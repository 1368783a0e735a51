//! Automatic framing: the camera that shows everything from a given direction.
//!
//! The camera is as near as the lens allows while everything stays inside. In camera coordinates a
//! point `(x, y, z)` is inside if `|x − ex| ≤ tx (z − ez)` and `|y − ey| ≤ ty (z − ez)` for an eye
//! at `(ex, ey, ez)`. Each is a pair of half-planes, so only the largest of `x − tx z`, `−x − tx z`
//! and so on count, and the eye follows in closed form, without a search and without storing
//! points.
//!
//! One of the two directions is filled by that. In the other one the content is centred: between
//! the slopes `t` and `−t` that touch it on both sides as seen from that eye. `x − t z` is kept for
//! some smaller slopes too and interpolated between them. It is convex in `t`, so the interpolated
//! number is never too small, and everything stays inside.
//!
//! A shadow is framed with its body if that costs little ([`SHADOW_ROOM`]).
//!
//! Which frames and bodies are included is decided in `lariat-shoot/src/framing.rs`.
//!
//! Tests: `balls_are_framed_with_their_radius`, `framing_does_not_depend_on_the_order`,
//! `content_is_centred_in_both_directions`, `near_shadows_are_framed`, `torn_ends_are_in_view`.

use glam::DVec3;
use lariat_core::{
    geometry::{Bounds, Lens, Mesh, Strand},
    num::ops,
};

use crate::camera::{ANGLE, Axes, Camera, LEAST, MARGIN};
use crate::{DrawnStrand, fray::with_frays};

/// Number of intervals between slope 0 and the slope of the view.
const SLOPES: usize = 4;

/// Largest distance of a camera that frames the shadow too, relative to one that does not. Larger:
/// the shadow of a rope that hangs high makes it small. Smaller: shadows are cut off.
const SHADOW_ROOM: f64 = 1.2;

/// Places a perspective camera so that it shows everything that was included. Stores a few numbers,
/// for any number of points and frames.
#[derive(Clone, Copy, Debug)]
pub struct Framing {
    axes: Axes,
    /// Horizontal and vertical slopes of the view, without the margin.
    slope: [f64; 2],
    /// Distance from the centre of a ball of radius 1 to its tangent, for each slope.
    tangent: [[f64; SLOPES + 1]; 2],
    /// Largest distance of the included points beyond planes of each slope: right, left, up, down.
    beyond: [[f64; SLOPES + 1]; 4],
    /// Smallest and largest depth.
    depth: [f64; 2],
}

impl Framing {
    /// A view along `direction` with a picture of this width over height.
    pub fn new(direction: DVec3, aspect: f64) -> Self {
        let half = ops::tan(0.5 * ANGLE) * (1.0 - MARGIN);
        let slope = [half * aspect, half];
        let tangent = slope.map(|slope| {
            std::array::from_fn(|step| {
                let slope = share(step) * slope;
                (1.0 + slope * slope).sqrt()
            })
        });
        Self {
            axes: Axes::new(direction, DVec3::Z),
            slope,
            tangent,
            beyond: [[f64::NEG_INFINITY; SLOPES + 1]; 4],
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
            let x = p.dot(side);
            for step in 0..=SLOPES {
                let off = radius * self.tangent[k][step] - share(step) * self.slope[k] * z;
                let [more, less] = [2 * k, 2 * k + 1];
                self.beyond[more][step] = self.beyond[more][step].max(off + x);
                self.beyond[less][step] = self.beyond[less][step].max(off - x);
            }
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
        for (most, theirs) in self.beyond.iter_mut().flatten().zip(other.beyond.iter().flatten()) {
            *most = most.max(*theirs);
        }
        self.depth = [self.depth[0].min(other.depth[0]), self.depth[1].max(other.depth[1])];
    }

    /// The camera that shows everything that was included.
    pub fn camera(&self) -> Camera {
        self.default_if_empty().unwrap_or_else(|| self.camera_at(self.eye()))
    }

    /// The camera that shows everything that was included, and its shadow if there is room.
    pub fn camera_with_shadow(&self, shadow: &Self) -> Camera {
        if let Some(camera) = self.default_if_empty() {
            return camera;
        }
        let mut both = *self;
        both.include_all_of(shadow);
        let (near, far) = (self.eye(), both.eye());
        let middle = 0.5 * (self.depth[0] + self.depth[1]);
        let fits = middle - far[2] <= SHADOW_ROOM * (middle - near[2]);
        self.camera_at(if fits { far } else { near })
    }

    /// The default camera if nothing was included.
    fn default_if_empty(&self) -> Option<Camera> {
        let empty = self.depth[0] > self.depth[1];
        empty.then(|| Camera::framing(&Bounds::EMPTY, self.axes.forward, 1.0))
    }

    /// Position of the eye: right, up, forward.
    fn eye(&self) -> [f64; 3] {
        let apex = |k: usize| {
            (self.beyond[2 * k][SLOPES] + self.beyond[2 * k + 1][SLOPES]) / (2.0 * self.slope[k])
        };
        // Depth is measured from the world origin; every point must be in front of the lens.
        let z = -apex(0).max(apex(1));
        let z = z.min(self.depth[0] - LEAST);
        [self.centre(0, z), self.centre(1, z), z]
    }

    /// Position of an eye at depth `z` that sees as much on one side as on the other.
    fn centre(&self, k: usize, z: f64) -> f64 {
        let (more, less) = (self.beyond[2 * k], self.beyond[2 * k + 1]);
        // The content exceeds a slope by this much, less and less for larger ones.
        let excess = |step: usize| more[step] + less[step] + 2.0 * share(step) * self.slope[k] * z;
        let last = (1..SLOPES).find(|step| excess(*step) <= 0.0).unwrap_or(SLOPES);
        let (a, b) = (excess(last - 1), excess(last));
        let part = if a > b { (a / (a - b)).clamp(0.0, 1.0) } else { 0.0 };
        let at = |of: [f64; SLOPES + 1]| of[last - 1] + (of[last] - of[last - 1]) * part;
        (at(more) - at(less)) / 2.0
    }

    fn camera_at(&self, [x, y, z]: [f64; 3]) -> Camera {
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

/// Share of the slope of the view.
fn share(step: usize) -> f64 {
    step as f64 / SLOPES as f64
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

    /// Smallest and largest coordinate of points in the picture, as shares of its sides.
    fn seen(camera: &Camera, points: &[DVec3]) -> [(f64, f64); 2] {
        let size = Size::new(800, 450).unwrap();
        let projection = camera.projection(size).unwrap();
        let mut seen = [(f64::INFINITY, f64::NEG_INFINITY); 2];
        for p in points {
            let (x, y, _) = projection.project(*p).unwrap();
            for (seen, at) in seen.iter_mut().zip([x / 800.0, y / 450.0]) {
                *seen = (seen.0.min(at), seen.1.max(at));
            }
        }
        seen
    }

    #[test]
    fn content_is_centred_in_both_directions() {
        // Lines that come towards the camera, so that the nearest point decides.
        let near = DVec3::new(0.5, -3.0, 0.2);
        for points in [
            [DVec3::new(-2.0, 0.0, 0.0), DVec3::X * 2.0, near],
            [DVec3::new(-0.2, 0.0, -1.0), DVec3::new(0.2, 0.0, 3.0), near],
            [DVec3::ZERO, DVec3::new(0.0, 5.0, 0.3), DVec3::new(3.0, 5.0, -0.4)],
        ] {
            let mut framing = Framing::new(NamedView::ThreeQuarter.direction(), 16.0 / 9.0);
            for p in points {
                framing.include(p, 0.0);
            }
            let sides = seen(&framing.camera(), &points);
            for (low, high) in sides {
                assert!(low >= 0.5 * MARGIN - 1e-9 && high <= 1.0 - 0.5 * MARGIN + 1e-9);
                assert!((low + high - 1.0).abs() < 0.03, "{low} to {high}");
            }
            let widest = sides.map(|(low, high)| high - low).into_iter().fold(0.0, f64::max);
            assert!(widest > 1.0 - MARGIN - 1e-9, "the camera could be nearer");
        }
    }

    #[test]
    fn near_shadows_are_framed() {
        let body = [DVec3::new(-1.0, 0.0, 0.5), DVec3::new(1.0, 0.0, 0.5)];
        let framed = |depth: f64| {
            let shadow = body.map(|p| p - DVec3::Z * depth);
            let mut framings = [Framing::new(DVec3::Y, 16.0 / 9.0); 2];
            for (framing, points) in framings.iter_mut().zip([body, shadow]) {
                for p in points {
                    framing.include(p, 0.0);
                }
            }
            let camera = framings[0].camera_with_shadow(&framings[1]);
            (seen(&camera, &body), seen(&camera, &shadow), camera == framings[0].camera())
        };
        let (body, shadow, _) = framed(0.5);
        assert!(shadow[1].1 < 1.0 - 0.4 * MARGIN, "the shadow is in the picture");
        assert!((body[1].0 + shadow[1].1 - 1.0).abs() < 0.01, "both are centred");
        // A shadow far below is not, and the body keeps its size and place.
        assert!(framed(9.0).2);
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
