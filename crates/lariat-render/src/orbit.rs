//! Camera of a viewport: orbits around a pivot, pans, zooms, frames a box. Plain numbers, without a
//! window.
//!
//! Gestures are in pixels of the viewport: x to the right, y down. Each keeps a point under the
//! pointer: panning and zooming a point of the plane through the pivot that faces the viewer,
//! orbiting the point that it turns about.
//!
//! Tests: `panning_moves_the_pivot_with_the_pointer`, `zooming_keeps_the_point_under_the_pointer`,
//! `orbiting_keeps_its_centre_in_the_picture`, `framing_contains_the_box`,
//! `switching_the_lens_keeps_the_size_at_the_pivot`, `named_views_are_exact`,
//! `a_camera_gives_the_orbit_back`, `gestures_never_give_an_invalid_camera`.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::DVec3;
use lariat_core::{
    geometry::{Bounds, Lens},
    num::ops,
};

use crate::{
    Camera, NamedView, Projection, RenderError, Size,
    camera::{ANGLE, LEAST, MARGIN},
};

/// Nearest and farthest distance of the pivot, in metres.
const NEAREST: f64 = 1e-4;
const FARTHEST: f64 = 1e6;

/// Smallest and largest vertical angle of view of a perspective, in radians.
const ANGLES: (f64, f64) = (0.02, 2.6);

/// Distance of an orthographic camera from its pivot, as a factor on that of a perspective. Objects
/// behind a camera are not drawn, and with parallel rays the distance changes nothing else.
const BACK: f64 = 50.0;

/// A camera that looks at a pivot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrbitCamera {
    /// Point at the centre of the picture, in metres.
    pub pivot: DVec3,
    /// Direction of view about the Z axis, in radians: 0 looks along +Y, a quarter turn along −X.
    pub yaw: f64,
    /// Angle by which it looks down, in radians: −π/2 to π/2.
    pub pitch: f64,
    /// Distance from the pivot, in metres.
    pub distance: f64,
    /// Vertical angle of view, in radians.
    pub angle: f64,
    /// Whether rays are parallel; the height of the view is then that of the perspective at the
    /// pivot.
    pub orthographic: bool,
}

impl Default for OrbitCamera {
    fn default() -> Self {
        let mut orbit = Self {
            pivot: DVec3::ZERO,
            yaw: 0.0,
            pitch: 0.0,
            distance: 5.0,
            angle: ANGLE,
            orthographic: false,
        };
        orbit.look(NamedView::ThreeQuarter);
        orbit
    }
}

impl OrbitCamera {
    /// The camera from which `camera` sees the pivot at its target.
    pub fn from_camera(camera: &Camera) -> Self {
        let away = camera.target - camera.eye;
        let mut orbit = Self { pivot: camera.target, distance: away.length(), ..Self::default() };
        orbit.turn_to(away, camera.up);
        match camera.lens {
            Lens::Perspective { angle } => orbit.angle = angle,
            Lens::Orthographic { height } => {
                orbit.orthographic = true;
                orbit.distance = 0.5 * height / orbit.slope();
            }
        }
        orbit.limited()
    }

    /// The camera for renderers.
    pub fn camera(&self) -> Camera {
        let orbit = self.limited();
        let [forward, _, up] = orbit.axes();
        let (back, lens) = if orbit.orthographic {
            let height = 2.0 * orbit.distance * orbit.slope();
            (orbit.distance * BACK, Lens::Orthographic { height })
        } else {
            (orbit.distance, Lens::Perspective { angle: orbit.angle })
        };
        Camera { eye: orbit.pivot - forward * back, target: orbit.pivot, up, lens }
    }

    /// Mapping between points and pixels of a viewport.
    pub fn projection(&self, size: Size) -> Result<Projection, RenderError> {
        self.camera().projection(size)
    }

    /// Turns about the pivot by a drag: half a turn for the height of the viewport.
    pub fn orbit(&mut self, dx: f64, dy: f64, size: Size) {
        self.orbit_about(self.pivot, dx, dy, size);
    }

    /// As [`orbit`](Self::orbit), about another point, which stays where it is in the picture.
    pub fn orbit_about(&mut self, centre: DVec3, dx: f64, dy: f64, size: Size) {
        let before = self.axes();
        let turn = PI / f64::from(size.height());
        self.yaw = wrap(self.yaw - dx * turn);
        self.pitch = (self.pitch + dy * turn).clamp(-FRAC_PI_2, FRAC_PI_2);
        let off = self.pivot - centre;
        let after = self.axes();
        let turned: DVec3 = before.iter().zip(after).map(|(b, a)| a * off.dot(*b)).sum();
        self.pivot = centre + turned;
        *self = self.limited();
    }

    /// Moves with a drag: the content follows the pointer.
    pub fn pan(&mut self, dx: f64, dy: f64, size: Size) {
        let [_, right, up] = self.axes();
        let pixel = self.pixel(size);
        self.pivot += (up * dy - right * dx) * pixel;
        *self = self.limited();
    }

    /// Zooms by a factor on the distance, below 1 nearer, towards a position in the viewport.
    pub fn zoom_at(&mut self, factor: f64, x: f64, y: f64, size: Size) {
        let [_, right, up] = self.axes();
        let pixel = self.pixel(size);
        let (half_x, half_y) = (0.5 * f64::from(size.width()), 0.5 * f64::from(size.height()));
        let point = self.pivot + (right * (x - half_x) + up * (half_y - y)) * pixel;
        self.zoom_about(factor, point);
    }

    /// Zooms by a factor on the distance towards a point, which stays where it is in the picture.
    pub fn zoom_about(&mut self, factor: f64, point: DVec3) {
        let factor = if factor.is_finite() { factor } else { 1.0 };
        // At a limit of the distance nothing moves.
        let distance = (self.distance * factor).clamp(NEAREST, FARTHEST);
        let factor = distance / self.distance;
        self.pivot = point + (self.pivot - point) * factor;
        self.distance = distance;
        *self = self.limited();
    }

    /// Moves so that all of a box is visible, without turning.
    pub fn frame(&mut self, bounds: &Bounds, size: Size) {
        let known = !bounds.is_empty() && bounds.low.is_finite() && bounds.high.is_finite();
        let (low, high) =
            if known { (bounds.low, bounds.high) } else { (DVec3::NEG_ONE, DVec3::ONE) };
        let reach = ((high - low) * 0.5).max(DVec3::splat(LEAST));
        self.pivot = low + (high - low) * 0.5;
        let [forward, right, up] = self.axes();
        let slope = self.slope() * (1.0 - MARGIN);
        let mut distance = NEAREST;
        for k in 0..8 {
            let sign = |bit: u32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let corner = reach * DVec3::new(sign(0), sign(1), sign(2));
            let aside = corner.dot(up).abs().max(corner.dot(right).abs() / size.aspect());
            let nearer = if self.orthographic { 0.0 } else { -corner.dot(forward) };
            distance = distance.max(aside / slope + nearer);
        }
        self.distance = distance;
        *self = self.limited();
    }

    /// Turns to a named direction of view about the pivot.
    pub fn look(&mut self, view: NamedView) {
        self.turn_to(view.direction(), view.up());
    }

    /// Turns to a direction of view. Looking straight up or down, `up` is the upright direction.
    pub fn turn_to(&mut self, direction: DVec3, up: DVec3) {
        let direction = direction.normalize_or(DVec3::Y);
        let level = ops::hypot(direction.x, direction.y);
        self.pitch = ops::atan2(-direction.z, level);
        // Looking straight down, up in the picture is ahead; looking straight up, it is behind.
        let ahead = if level > 1e-9 { direction } else { up * -direction.z.signum() };
        self.yaw = ops::atan2(-ahead.x, ahead.y);
        *self = self.limited();
    }

    /// Forward, right and up: unit vectors.
    pub fn axes(&self) -> [DVec3; 3] {
        let (sin, cos) = ops::sin_cos(self.yaw);
        let (down, level) = ops::sin_cos(self.pitch);
        let ahead = DVec3::new(-sin, cos, 0.0);
        let forward = ahead * level - DVec3::Z * down;
        [forward, DVec3::new(cos, sin, 0.0), ahead * down + DVec3::Z * level]
    }

    /// Size of a pixel at the pivot, in metres.
    pub fn pixel(&self, size: Size) -> f64 {
        2.0 * self.distance * self.slope() / f64::from(size.height())
    }

    /// Tangent of half the vertical angle of view.
    fn slope(&self) -> f64 {
        ops::tan(0.5 * self.angle)
    }

    /// The same camera within all limits.
    fn limited(&self) -> Self {
        let sane = |x: f64, or: f64| if x.is_finite() { x } else { or };
        let pivot = if self.pivot.is_finite() { self.pivot } else { DVec3::ZERO };
        Self {
            pivot: pivot.clamp(DVec3::splat(-FARTHEST), DVec3::splat(FARTHEST)),
            yaw: wrap(sane(self.yaw, 0.0)),
            pitch: sane(self.pitch, 0.0).clamp(-FRAC_PI_2, FRAC_PI_2),
            distance: sane(self.distance, 1.0).clamp(NEAREST, FARTHEST),
            angle: sane(self.angle, ANGLE).clamp(ANGLES.0, ANGLES.1),
            orthographic: self.orthographic,
        }
    }
}

/// An angle within half a turn of 0.
fn wrap(angle: f64) -> f64 {
    if angle.abs() <= PI { angle } else { (angle + PI).rem_euclid(TAU) - PI }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn size() -> Size {
        Size::new(640, 360).unwrap()
    }

    fn place(orbit: &OrbitCamera, p: DVec3) -> (f64, f64) {
        let (x, y, _) = orbit.projection(size()).unwrap().project(p).unwrap();
        (x, y)
    }

    fn near(a: (f64, f64), b: (f64, f64)) -> bool {
        (a.0 - b.0).abs() < 1e-6 && (a.1 - b.1).abs() < 1e-6
    }

    fn both() -> [OrbitCamera; 2] {
        let pivot = DVec3::new(1.0, -2.0, 0.5);
        let one = OrbitCamera { pivot, distance: 7.0, ..OrbitCamera::default() };
        [one, OrbitCamera { orthographic: true, ..one }]
    }

    #[test]
    fn panning_moves_the_pivot_with_the_pointer() {
        for mut orbit in both() {
            let before = orbit.pivot;
            assert!(near(place(&orbit, before), (320.0, 180.0)));
            orbit.pan(31.0, -17.5, size());
            assert!(near(place(&orbit, before), (351.0, 162.5)), "{:?}", place(&orbit, before));
        }
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        for mut orbit in both() {
            let [_, right, up] = orbit.axes();
            let under = orbit.pivot + right * 0.9 + up * 0.4;
            let (x, y) = place(&orbit, under);
            for factor in [0.5, 3.0, 0.9] {
                let distance = orbit.distance;
                orbit.zoom_at(factor, x, y, size());
                assert!(near(place(&orbit, under), (x, y)), "{:?}", place(&orbit, under));
                assert!((orbit.distance / distance - factor).abs() < 1e-12);
            }
            let other = DVec3::new(0.5, -1.0, 0.2);
            let at = place(&orbit, other);
            orbit.zoom_about(0.6, other);
            assert!(near(place(&orbit, other), at));
            // At its limit it stays where it is.
            orbit.zoom_about(1e-300, other);
            let pivot = orbit.pivot;
            orbit.zoom_about(0.5, other);
            assert_eq!((orbit.pivot, orbit.distance), (pivot, NEAREST));
        }
    }

    #[test]
    fn orbiting_keeps_its_centre_in_the_picture() {
        for mut orbit in both() {
            let centre = DVec3::new(0.2, -1.2, 0.9);
            let at = place(&orbit, centre);
            orbit.orbit_about(centre, 200.0, -90.0, size());
            assert!(near(place(&orbit, centre), at), "{:?} {at:?}", place(&orbit, centre));
            let (pivot, yaw) = (orbit.pivot, orbit.yaw);
            orbit.orbit(360.0, 0.0, size());
            assert!(orbit.pivot.distance(pivot) < 1e-12);
            // The height of the viewport is half a turn.
            assert!((wrap(orbit.yaw - yaw).abs() - PI).abs() < 1e-12);
        }
    }

    #[test]
    fn framing_contains_the_box() {
        let bounds = Bounds { low: DVec3::new(-1.0, 4.0, 0.0), high: DVec3::new(3.0, 4.5, 9.0) };
        for mut orbit in both() {
            for (w, h) in [(640, 360), (200, 900)] {
                let size = Size::new(w, h).unwrap();
                for view in [NamedView::ThreeQuarter, NamedView::Top, NamedView::Side] {
                    orbit.look(view);
                    orbit.frame(&bounds, size);
                    let projection = orbit.projection(size).unwrap();
                    let mut outermost = 0.0_f64;
                    for k in 0..8 {
                        let pick = |bit: u32| k >> bit & 1 == 1;
                        let c = DVec3::select(
                            glam::BVec3::new(pick(0), pick(1), pick(2)),
                            bounds.high,
                            bounds.low,
                        );
                        let (x, y, _) = projection.project(c).unwrap();
                        let across = |x: f64, n: u32| (2.0 * x / f64::from(n) - 1.0).abs();
                        outermost = outermost.max(across(x, w)).max(across(y, h));
                    }
                    // It touches the margin.
                    assert!((outermost - (1.0 - MARGIN)).abs() < 1e-9, "{outermost} {orbit:?}");
                }
            }
        }
    }

    #[test]
    fn switching_the_lens_keeps_the_size_at_the_pivot() {
        let [one, other] = both();
        let [_, right, up] = one.axes();
        let p = one.pivot + right * 0.7 - up * 0.3;
        assert!(near(place(&one, p), place(&other, p)));
    }

    #[test]
    fn named_views_are_exact() {
        for view in [NamedView::Front, NamedView::Side, NamedView::Top, NamedView::ThreeQuarter] {
            let mut orbit = OrbitCamera::default();
            orbit.look(view);
            let [forward, right, up] = orbit.axes();
            let direction = view.direction().normalize_or(DVec3::Y);
            assert!(forward.distance(direction) < 1e-12, "{view:?} {forward}");
            assert!(right.distance(direction.cross(view.up()).normalize_or(DVec3::X)) < 1e-12);
            assert!(up.dot(view.up()) > 0.5);
            assert!((right.cross(forward) - up).length() < 1e-12);
        }
        // From below, the given up is upright too.
        let mut orbit = OrbitCamera::default();
        orbit.turn_to(DVec3::Z, DVec3::Y);
        let [forward, _, up] = orbit.axes();
        assert!(forward.distance(DVec3::Z) < 1e-12 && up.distance(DVec3::Y) < 1e-12, "{up}");
    }

    #[test]
    fn a_camera_gives_the_orbit_back() {
        for orbit in both() {
            let back = OrbitCamera::from_camera(&orbit.camera());
            assert!(back.pivot.distance(orbit.pivot) < 1e-9);
            assert!((back.yaw - orbit.yaw).abs() < 1e-9 && (back.pitch - orbit.pitch).abs() < 1e-9);
            assert!((back.distance - orbit.distance).abs() < 1e-9, "{back:?} {orbit:?}");
            assert_eq!(back.orthographic, orbit.orthographic);
        }
    }

    proptest! {
        #[test]
        fn gestures_never_give_an_invalid_camera(
            steps in prop::collection::vec((0..5, -1e4..1e4_f64, -1e4..1e4_f64, any::<f64>()), 1..30),
            orthographic: bool,
        ) {
            let mut orbit = OrbitCamera { orthographic, ..OrbitCamera::default() };
            for (kind, x, y, any) in steps {
                match kind {
                    0 => orbit.orbit(x, y, size()),
                    1 => orbit.pan(x, y, size()),
                    2 => orbit.zoom_at(any, x, y, size()),
                    3 => orbit.frame(&Bounds { low: DVec3::splat(-any), high: DVec3::splat(any) }, size()),
                    _ => orbit.orbit_about(DVec3::new(x, y, any), y, x, size()),
                }
                let projection = orbit.projection(size());
                prop_assert!(projection.is_ok(), "{orbit:?}");
            }
        }
    }
}
