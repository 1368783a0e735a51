//! Cameras: position, lens, and projection.
//!
//! A camera looks from `eye` to `target`; `up` is the upright direction in the picture. Automatic
//! placement is in `framing.rs`.
//!
//! Tests: `framing_holds_every_corner`, `framing_is_as_near_as_it_can_be`,
//! `projecting_is_the_inverse_of_looking`, `unprojecting_is_the_inverse_of_projecting`,
//! `a_ray_meets_planes_and_lines_where_it_should`, `named_views_look_along_their_axis`,
//! `an_invalid_camera_reports_why`.

use glam::DVec3;
use lariat_core::{
    geometry::{Bounds, Lens},
    num::ops,
};

use crate::{Framing, RenderError, Size};

/// A camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position, in metres.
    pub eye: DVec3,
    /// Point that it looks at, in metres.
    pub target: DVec3,
    /// Upright direction in the picture.
    pub up: DVec3,
    /// Its lens.
    pub lens: Lens,
}

/// Named directions of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamedView {
    /// From the front, slightly from the right and from above: the default.
    #[default]
    ThreeQuarter,
    /// From −Y: X to the right, Z up.
    Front,
    /// From +X: Y to the right, Z up.
    Side,
    /// From above: X to the right, Y up.
    Top,
}

impl NamedView {
    /// The direction of view.
    pub fn direction(self) -> DVec3 {
        match self {
            Self::ThreeQuarter => DVec3::new(-0.42, 1.0, -0.34),
            Self::Front => DVec3::Y,
            Self::Side => DVec3::NEG_X,
            Self::Top => DVec3::NEG_Z,
        }
    }

    /// The upright direction in the picture.
    pub fn up(self) -> DVec3 {
        if self == Self::Top { DVec3::Y } else { DVec3::Z }
    }
}

/// Vertical angle of view of an automatic camera, in radians: 35 degrees.
pub const ANGLE: f64 = 0.610_865_238_198_015_3;

/// Margin on every side of the framed content, as a share of half the picture.
pub const MARGIN: f64 = 0.08;

/// Largest coordinate of a camera, in metres: seven times the distance to the sun. Larger values
/// could overflow 32-bit numbers.
pub(crate) const FARTHEST: f64 = 1e12;

/// Smallest extent that is framed, in metres; smaller bounds are framed as if they had this size.
pub(crate) const LEAST: f64 = 1e-3;

impl Camera {
    /// A perspective camera along `direction` that shows all of `bounds`.
    ///
    /// The content of a box rarely reaches its corners; [`Framing`] gets nearer.
    pub fn framing(bounds: &Bounds, direction: DVec3, aspect: f64) -> Self {
        let mut framing = Framing::new(direction, aspect);
        let (centre, reach) = around(bounds);
        for corner in corners(reach) {
            framing.include(centre + corner, 0.0);
        }
        framing.camera()
    }

    /// An orthographic camera that shows all of `bounds`.
    pub fn orthographic(bounds: &Bounds, view: NamedView, aspect: f64) -> Self {
        let axes = Axes::new(view.direction(), view.up());
        let (centre, reach) = around(bounds);
        let widest = |side: DVec3| corners(reach).map(|c| c.dot(side)).fold(0.0, f64::max);
        let half = widest(axes.up).max(widest(axes.right) / aspect) / (1.0 - MARGIN);
        let back = 2.0 * widest(axes.forward) + 2.0 * half;
        Self {
            eye: centre - axes.forward * back,
            target: centre,
            up: axes.upright,
            lens: Lens::Orthographic { height: 2.0 * half },
        }
    }

    /// Projection for a picture size. Returns an error if the camera is invalid.
    pub fn projection(&self, size: Size) -> Result<Projection, RenderError> {
        let refuse = |reason: String| Err(RenderError::Camera { reason });
        let near = |p: DVec3| p.abs().max_element() <= FARTHEST && p.is_finite();
        if !(near(self.eye) && near(self.target) && near(self.up)) {
            return refuse(format!(
                "eye {}, target {}, up {}; coordinates must be finite and within 1e12 m",
                self.eye, self.target, self.up
            ));
        }
        let direction = self.target - self.eye;
        if direction.length() <= 1e-9 {
            return refuse(format!("eye and target coincide at {}", self.eye));
        }
        let axes = Axes::new(direction, self.up);
        let (slope, spread) = match self.lens {
            Lens::Perspective { angle } if angle > 1e-4 && angle < 3.1 => {
                (2.0 * ops::tan(0.5 * angle), true)
            }
            Lens::Perspective { angle } => {
                return refuse(format!(
                    "angle of view {angle} is out of range; expected 0.0001 to 3.1 radians"
                ));
            }
            Lens::Orthographic { height } if height > 0.0 && height.is_finite() => (height, false),
            Lens::Orthographic { height } => {
                return refuse(format!("height of view {height} m is not positive"));
            }
        };
        Ok(Projection {
            eye: self.eye,
            axes,
            pixel: slope / f64::from(size.height()),
            spread,
            half: (0.5 * f64::from(size.width()), 0.5 * f64::from(size.height())),
        })
    }
}

/// Axes of a camera.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axes {
    pub(crate) forward: DVec3,
    pub(crate) right: DVec3,
    pub(crate) up: DVec3,
    /// The given up direction, or its replacement.
    pub(crate) upright: DVec3,
}

impl Axes {
    pub(crate) fn new(direction: DVec3, up: DVec3) -> Self {
        let forward = direction.normalize_or(DVec3::Y);
        let mut upright = up;
        let mut right = forward.cross(up);
        // Looking along up: use Y or Z as the upright direction.
        if right.length_squared() <= 1e-12 * up.length_squared() {
            upright = if up.z.abs() > 0.5 * up.length() { DVec3::Y } else { DVec3::Z };
            right = forward.cross(upright);
        }
        let right = right.normalize_or(DVec3::X);
        Self { forward, right, up: right.cross(forward), upright }
    }
}

/// A ray from the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Starting point.
    pub origin: DVec3,
    /// Unit vector.
    pub direction: DVec3,
}

impl Ray {
    /// The point where it meets a plane through `point`; `None` if it is parallel to the plane or
    /// starts beyond it.
    pub fn meets_plane(&self, point: DVec3, normal: DVec3) -> Option<DVec3> {
        let along = self.direction.dot(normal);
        let distance = (point - self.origin).dot(normal) / along;
        // Nearly parallel, the point is not determined by the numbers.
        let meets = along.abs() > 1e-9 * normal.length() && distance >= 0.0;
        meets.then(|| self.origin + self.direction * distance)
    }

    /// Position along the line through `point`, in units of `along`, that is nearest to the ray;
    /// `None` if the two are parallel.
    pub fn nearest_on_line(&self, point: DVec3, along: DVec3) -> Option<f64> {
        let flat = |v: DVec3| v - self.direction * v.dot(self.direction);
        let (across, off) = (flat(along), flat(self.origin - point));
        let length_sq = across.dot(across);
        (length_sq > 1e-12 * along.dot(along)).then(|| off.dot(across) / length_sq)
    }
}

/// Mapping between points of space and pixels of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Projection {
    eye: DVec3,
    axes: Axes,
    /// Size of a pixel: in metres, or in metres per metre of depth.
    pixel: f64,
    /// Whether the projection is a perspective.
    spread: bool,
    half: (f64, f64),
}

impl Projection {
    /// The ray through a position in the picture, in pixels from the top left corner.
    pub fn through(&self, x: f64, y: f64) -> Ray {
        let side = self.axes.right * ((x - self.half.0) * self.pixel)
            + self.axes.up * ((self.half.1 - y) * self.pixel);
        if self.spread {
            let direction = self.axes.forward + side;
            Ray { origin: self.eye, direction: direction / direction.length() }
        } else {
            Ray { origin: self.eye + side, direction: self.axes.forward }
        }
    }

    /// Position of a point in the picture, in pixels, and its depth; `None` behind the eye.
    pub fn project(&self, p: DVec3) -> Option<(f64, f64, f64)> {
        let away = p - self.eye;
        let depth = away.dot(self.axes.forward);
        if depth <= 0.0 {
            return None;
        }
        let scale = 1.0 / self.pixel_at(depth);
        let x = self.half.0 + away.dot(self.axes.right) * scale;
        let y = self.half.1 - away.dot(self.axes.up) * scale;
        Some((x, y, depth))
    }

    /// The point at a position in the picture, in pixels, and at a depth: the inverse of
    /// [`project`](Self::project).
    pub fn unproject(&self, x: f64, y: f64, depth: f64) -> DVec3 {
        let pixel = self.pixel_at(depth);
        self.eye
            + self.axes.forward * depth
            + self.axes.right * ((x - self.half.0) * pixel)
            + self.axes.up * ((self.half.1 - y) * pixel)
    }

    /// The size of a pixel at a distance along a ray, in metres.
    pub fn pixel_at(&self, distance: f64) -> f64 {
        if self.spread { self.pixel * distance } else { self.pixel }
    }

    /// Forward, right and up in the picture: unit vectors.
    pub(crate) fn axes(&self) -> [DVec3; 3] {
        [self.axes.forward, self.axes.right, self.axes.up]
    }

    /// Whether distant objects appear smaller.
    pub(crate) fn is_perspective(&self) -> bool {
        self.spread
    }

    /// The eye: the start of all rays, or the centre of their starting points if they are parallel.
    pub fn eye(&self) -> DVec3 {
        self.eye
    }
}

fn around(bounds: &Bounds) -> (DVec3, DVec3) {
    if bounds.is_empty() || !bounds.low.is_finite() || !bounds.high.is_finite() {
        return (DVec3::ZERO, DVec3::splat(0.5));
    }
    let reach = (bounds.high - bounds.low) * 0.5;
    (bounds.low + reach, reach.max(DVec3::splat(LEAST)))
}

/// The corners of a box around the origin.
fn corners(reach: DVec3) -> impl Iterator<Item = DVec3> {
    (0..8).map(move |k| {
        let sign = |bit: u32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
        reach * DVec3::new(sign(0), sign(1), sign(2))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOXES: [(DVec3, DVec3); 4] = [
        (DVec3::new(-1.0, -2.0, 0.0), DVec3::new(3.0, 0.5, 1.0)),
        (DVec3::new(100.0, 100.0, 100.0), DVec3::new(100.0, 100.0, 100.0)),
        (DVec3::new(0.0, 0.0, 0.0), DVec3::new(0.0, 0.0, 9.0)),
        (DVec3::new(0.0, -30.0, 0.0), DVec3::new(0.1, 30.0, 0.1)),
    ];

    fn corner_places(bounds: &Bounds, camera: &Camera, size: Size) -> Vec<(f64, f64)> {
        let projection = camera.projection(size).unwrap();
        let (centre, reach) = around(bounds);
        corners(reach)
            .map(|c| projection.project(centre + c).expect("in front of the eye"))
            .map(|(x, y, _)| (x / f64::from(size.width()), y / f64::from(size.height())))
            .collect()
    }

    #[test]
    fn framing_holds_every_corner() {
        for (low, high) in BOXES {
            let bounds = Bounds { low, high };
            for (w, h) in [(1280, 720), (300, 900), (64, 64)] {
                let size = Size::new(w, h).unwrap();
                let directions =
                    [NamedView::ThreeQuarter, NamedView::Front, NamedView::Side, NamedView::Top];
                for view in directions {
                    let cameras = [
                        Camera::framing(&bounds, view.direction(), size.aspect()),
                        Camera::orthographic(&bounds, view, size.aspect()),
                    ];
                    for camera in cameras {
                        for (x, y) in corner_places(&bounds, &camera, size) {
                            let inside = 0.5 * MARGIN - 1e-9..=1.0 - 0.5 * MARGIN + 1e-9;
                            assert!(
                                inside.contains(&x) && inside.contains(&y),
                                "{x} {y} {camera:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn framing_is_as_near_as_it_can_be() {
        let bounds = Bounds { low: BOXES[0].0, high: BOXES[0].1 };
        let size = Size::new(1280, 720).unwrap();
        let camera = Camera::framing(&bounds, NamedView::ThreeQuarter.direction(), size.aspect());
        let places = corner_places(&bounds, &camera, size);
        // It touches the margin on both sides of at least one axis.
        let touches = |of: fn(&(f64, f64)) -> f64| {
            let low = places.iter().map(of).fold(f64::INFINITY, f64::min);
            let high = places.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
            (low - 0.5 * MARGIN).abs() < 1e-9 && (high - 1.0 + 0.5 * MARGIN).abs() < 1e-9
        };
        assert!(touches(|p| p.0) || touches(|p| p.1), "{places:?}");
    }

    #[test]
    fn unprojecting_is_the_inverse_of_projecting() {
        let size = Size::new(640, 360).unwrap();
        let bounds = Bounds { low: BOXES[0].0, high: BOXES[0].1 };
        for camera in [
            Camera::framing(&bounds, NamedView::ThreeQuarter.direction(), size.aspect()),
            Camera::orthographic(&bounds, NamedView::Side, size.aspect()),
        ] {
            let projection = camera.projection(size).unwrap();
            for p in [bounds.low, bounds.high, DVec3::new(0.3, -1.0, 0.7)] {
                let (x, y, depth) = projection.project(p).unwrap();
                assert!(projection.unproject(x, y, depth).distance(p) < 1e-9);
                let ray = projection.through(x, y);
                let off = p - ray.origin;
                assert!((off - ray.direction * off.dot(ray.direction)).length() < 1e-9);
            }
        }
    }

    #[test]
    fn a_ray_meets_planes_and_lines_where_it_should() {
        let ray = Ray { origin: DVec3::new(0.0, 0.0, 2.0), direction: DVec3::new(0.6, 0.0, -0.8) };
        let found = ray.meets_plane(DVec3::new(9.0, 9.0, 0.0), DVec3::Z * 3.0).unwrap();
        assert!(found.distance(DVec3::new(1.5, 0.0, 0.0)) < 1e-12, "{found}");
        assert!(ray.meets_plane(DVec3::Z * 3.0, DVec3::Z).is_none(), "behind its origin");
        assert!(ray.meets_plane(DVec3::ZERO, DVec3::Y).is_none(), "parallel");
        // The line along X at height 0, two metres aside.
        let s = ray.nearest_on_line(DVec3::Y * 2.0, DVec3::X * 0.5).unwrap();
        assert!((s - 3.0).abs() < 1e-12, "{s}");
        assert!(ray.nearest_on_line(DVec3::ZERO, ray.direction).is_none());
    }

    #[test]
    fn projecting_is_the_inverse_of_looking() {
        let size = Size::new(640, 360).unwrap();
        let bounds = Bounds { low: BOXES[0].0, high: BOXES[0].1 };
        for camera in [
            Camera::framing(&bounds, NamedView::ThreeQuarter.direction(), size.aspect()),
            Camera::orthographic(&bounds, NamedView::Side, size.aspect()),
        ] {
            let projection = camera.projection(size).unwrap();
            for (x, y) in [(0.0, 0.0), (320.0, 180.0), (12.5, 300.25)] {
                let ray = projection.through(x, y);
                let (px, py, _) = projection.project(ray.origin + ray.direction * 3.7).unwrap();
                assert!((px - x).abs() < 1e-9 && (py - y).abs() < 1e-9, "{px} {py}");
            }
            let behind = projection.eye() - projection.axes.forward;
            assert_eq!(projection.project(behind), None);
        }
    }

    #[test]
    fn named_views_look_along_their_axis() {
        let size = Size::new(100, 100).unwrap();
        let bounds = Bounds { low: DVec3::splat(-1.0), high: DVec3::splat(1.0) };
        for (view, right, up) in [
            (NamedView::Front, DVec3::X, DVec3::Z),
            (NamedView::Side, DVec3::Y, DVec3::Z),
            (NamedView::Top, DVec3::X, DVec3::Y),
        ] {
            let projection = Camera::orthographic(&bounds, view, 1.0).projection(size).unwrap();
            let (x, y, _) = projection.project(right * 0.5 + up * 0.5).unwrap();
            assert!(x > 60.0 && y < 40.0, "{view:?}: {x} {y}");
            assert!((x - (100.0 - y)).abs() < 1e-9);
        }
    }

    #[test]
    fn an_invalid_camera_reports_why() {
        let size = Size::new(100, 100).unwrap();
        let good = Camera {
            eye: DVec3::ZERO,
            target: DVec3::Y,
            up: DVec3::Z,
            lens: Lens::Perspective { angle: 1.0 },
        };
        assert!(good.projection(size).is_ok());
        for (camera, expected) in [
            (Camera { eye: DVec3::NAN, ..good }, "eye [NaN"),
            (Camera { eye: DVec3::X * 1e13, ..good }, "eye [10000000000000"),
            (Camera { target: DVec3::ZERO, ..good }, "eye and target coincide"),
            (
                Camera { lens: Lens::Perspective { angle: 4.0 }, ..good },
                "angle of view 4 is out of range",
            ),
            (Camera { lens: Lens::Orthographic { height: 0.0 }, ..good }, "height of view 0 m"),
        ] {
            let error = camera.projection(size).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        // Looking straight up or down is valid.
        assert!(Camera { target: DVec3::Z, ..good }.projection(size).is_ok());
    }
}
