//! Trait of the closed-form gross shapes: points and frames at equal steps of arc length.
//!
//! The points and frames of a gross shape (a hung rope, a bent line) are known in closed form.
//! Displacements are measured in these frames, and the length of the displaced curve
//! `P = C + x n + y b` follows without building it: with a frame that does not spin,
//! `|P′|² = (L − x κn − y κb)² + x′² + y′²`, κ per unit of `u` (`model::displaced_length`).

use glam::{DVec2, DVec3};

use super::Frame;

/// Points and frames of a gross shape at equal steps; a reusable buffer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FramedPoints {
    /// The samples.
    pub points: Vec<DVec3>,
    /// One rotation-minimising frame per sample.
    pub frames: Vec<Frame>,
}

/// A shape in closed form, parametrised by arc length over length, `u`.
pub trait GrossShape {
    /// Its arc length, in metres.
    fn length(&self) -> f64;

    /// Point and frame at `u` in 0–1.
    fn at(&self, u: f64) -> (DVec3, Frame);

    /// Curvature of the frame towards (normal, binormal), in radians per unit of `u`.
    fn turning(&self, u: f64) -> DVec2;

    /// The unit tangent of the curve along the frame's tangent and normal: `(1, 0)` where the frame
    /// turns with the curve.
    fn tangent_in_frame(&self, _u: f64) -> DVec2 {
        DVec2::X
    }

    /// Fills `out` with `n` samples at equal steps; the ends are exact.
    fn fill(&self, n: usize, out: &mut FramedPoints) {
        out.points.clear();
        out.frames.clear();
        let last = (n.max(2) - 1) as f64;
        for i in 0..n.max(2) {
            let (point, frame) = self.at(i as f64 / last);
            out.points.push(point);
            out.frames.push(frame);
        }
    }
}
