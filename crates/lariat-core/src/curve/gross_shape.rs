//! What the exact shapes have in common: points and frames at equal steps of arc length.
//!
//! A gross shape (a hung rope, a bent line) is known in closed form, so its frames are too; the
//! layers that displace it ride on this rail, and the length of what they make of it follows
//! from the rail's turning without building the curve: with a frame that does not spin,
//! `P = C + x n + y b` has `|P′|² = (L − x κn − y κb)² + x′² + y′²`, κ per unit of `u`.

use glam::{DVec2, DVec3};

use super::Frame;

/// Points and frames of a gross shape at equal steps, reused from frame to frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FramedPoints {
    /// The samples.
    pub points: Vec<DVec3>,
    /// One frame per sample, carried along without spin.
    pub frames: Vec<Frame>,
}

/// A shape known in closed form, run through at constant speed: `u` is arc length over length.
pub trait GrossShape {
    /// Its arc length, in metres.
    fn length(&self) -> f64;

    /// Point and frame at `u` in 0–1.
    fn at(&self, u: f64) -> (DVec3, Frame);

    /// How much the tangent turns towards (normal, binormal), in radians per unit of `u`.
    fn turning(&self, u: f64) -> DVec2;

    /// The unit tangent of the curve along the frame's tangent and normal: `(1, 0)` where the frame
    /// turns with the curve.
    fn tangent_in_frame(&self, _u: f64) -> DVec2 {
        DVec2::X
    }

    /// Fills `rail` with `n` samples at equal steps; the ends are exact.
    fn fill(&self, n: usize, rail: &mut FramedPoints) {
        rail.points.clear();
        rail.frames.clear();
        let last = (n.max(2) - 1) as f64;
        for i in 0..n.max(2) {
            let (point, frame) = self.at(i as f64 / last);
            rail.points.push(point);
            rail.frames.push(frame);
        }
    }
}
