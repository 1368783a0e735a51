//! Frames and values to points of the window, with zoom and pan.
//!
//! Tests: `a_zoom_keeps_the_frame_under_the_pointer`, `rulers_have_round_numbers`.

use egui::{Rect, Ui};

use crate::workspace::Workspace;

/// Smallest number of visible frames: a finger's width for each.
const FEWEST: f64 = 4.0;

/// Largest number of visible frames: a day of film.
const MOST: f64 = 3e6;

/// Maps frames to points of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FrameScale {
    left: f32,
    right: f32,
    first: f64,
    last: f64,
}

impl FrameScale {
    pub(crate) fn new(rect: Rect, [first, last]: [f64; 2]) -> Self {
        let right = rect.right().max(rect.left() + 1.0);
        Self { left: rect.left(), right, first, last: last.max(first + 1e-3) }
    }

    pub(crate) fn x(&self, frame: f64) -> f32 {
        self.left + ((frame - self.first) * self.points_per_frame()) as f32
    }

    pub(crate) fn frame(&self, x: f32) -> f64 {
        self.first + f64::from(x - self.left) / self.points_per_frame()
    }

    pub(crate) fn points_per_frame(&self) -> f64 {
        f64::from(self.right - self.left) / (self.last - self.first)
    }

    /// The visible frames.
    pub(crate) fn range(&self) -> [f64; 2] {
        [self.first, self.last]
    }

    /// Frames between two numbers of the ruler: 1, 2, 5, 10, 20, …
    pub(crate) fn step(&self) -> f64 {
        round_step(52.0 / self.points_per_frame()).max(1.0)
    }

    /// The visible frames after a zoom about a point; above 1 is closer.
    fn zoomed(&self, x: f32, factor: f64) -> [f64; 2] {
        let at = self.frame(x);
        let width = (self.last - self.first) / factor;
        if !(FEWEST..=MOST).contains(&width) {
            return self.range();
        }
        [at + (self.first - at) / factor, at + (self.last - at) / factor]
    }

    /// The visible frames after a pan by points.
    fn panned(&self, points: f32) -> [f64; 2] {
        let frames = f64::from(points) / self.points_per_frame();
        [self.first - frames, self.last - frames]
    }
}

/// Maps values to points of the window; larger values are higher.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ValueScale {
    top: f32,
    bottom: f32,
    low: f64,
    high: f64,
}

impl ValueScale {
    pub(crate) fn new(rect: Rect, [low, high]: [f64; 2]) -> Self {
        let bottom = rect.bottom().max(rect.top() + 1.0);
        let high = if high > low { high } else { low + 1.0 };
        Self { top: rect.top(), bottom, low, high }
    }

    pub(crate) fn y(&self, value: f64) -> f32 {
        self.bottom - ((value - self.low) * self.points_per_unit()) as f32
    }

    pub(crate) fn value(&self, y: f32) -> f64 {
        self.low + f64::from(self.bottom - y) / self.points_per_unit()
    }

    pub(crate) fn points_per_unit(&self) -> f64 {
        f64::from(self.bottom - self.top) / (self.high - self.low)
    }

    /// The visible values.
    pub(crate) fn range(&self) -> [f64; 2] {
        [self.low, self.high]
    }

    /// Values between two numbers of the ruler.
    pub(crate) fn step(&self) -> f64 {
        round_step(26.0 / self.points_per_unit())
    }

    /// The visible values after a zoom about a point; above 1 is closer.
    pub(crate) fn zoomed(&self, y: f32, factor: f64) -> [f64; 2] {
        let at = self.value(y);
        let range = [at + (self.low - at) / factor, at + (self.high - at) / factor];
        let span = range[1] - range[0];
        let size = range[0].abs().max(range[1].abs());
        // Closer than this, numbers run out of digits.
        if span > size * 1e-9 && span < 1e12 { range } else { self.range() }
    }

    /// The visible values after a pan by points.
    pub(crate) fn panned(&self, points: f32) -> [f64; 2] {
        let by = f64::from(points) / self.points_per_unit();
        [self.low + by, self.high + by]
    }
}

/// The smallest of …, 0.5, 1, 2, 5, 10, … that is not below a number.
fn round_step(least: f64) -> f64 {
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let mut step = 1e-12;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle().take(90) {
        if step >= least * 0.999 {
            break;
        }
        step *= factor;
    }
    step
}

/// The visible frames: as arranged, or the shot with some room.
pub(crate) fn visible_frames(workspace: &Workspace, first: f64, last: f64) -> [f64; 2] {
    let room = (last - first).max(1.0) * 0.03;
    workspace.visible_frames.unwrap_or([first - room, last + room])
}

/// Zooms and pans time: wheel with Ctrl (or `wheel_zooms`), sideways wheel, middle drag.
pub(crate) fn navigate_time(
    ui: &Ui,
    workspace: &mut Workspace,
    scale: &FrameScale,
    response: &egui::Response,
    wheel_zooms: bool,
) {
    if response.dragged_by(egui::PointerButton::Middle) && response.drag_delta().x != 0.0 {
        workspace.visible_frames = Some(scale.panned(response.drag_delta().x));
    }
    let Some(pointer) = response.hover_pos().filter(|_| response.contains_pointer()) else {
        return;
    };
    let (zoom, scroll) = ui.input(|input| (input.zoom_delta(), input.smooth_scroll_delta()));
    let wheel = if wheel_zooms { f64::from(scroll.y) / 240.0 } else { 0.0 };
    let factor = f64::from(zoom) * lariat_core::num::ops::exp(wheel);
    if factor != 1.0 {
        workspace.visible_frames = Some(scale.zoomed(pointer.x, factor));
    } else if scroll.x != 0.0 {
        workspace.visible_frames = Some(scale.panned(scroll.x));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    #[test]
    fn a_zoom_keeps_the_frame_under_the_pointer() {
        let rect = Rect::from_min_size(pos2(100.0, 50.0), vec2(400.0, 200.0));
        let scale = FrameScale::new(rect, [1.0, 101.0]);
        let frame = scale.frame(250.0);
        let closer = FrameScale::new(rect, scale.zoomed(250.0, 2.0));
        assert!((closer.frame(250.0) - frame).abs() < 1e-9);
        assert!((closer.points_per_frame() - 8.0).abs() < 1e-9);
        assert_eq!(scale.zoomed(250.0, 1e6), scale.range(), "four frames stay");
        let moved = FrameScale::new(rect, scale.panned(40.0));
        assert!((moved.x(11.0) - scale.x(11.0) - 40.0).abs() < 1e-3);
        let values = ValueScale::new(rect, [-1.0, 1.0]);
        assert!((values.value(values.y(0.25)) - 0.25).abs() < 1e-6);
        assert!(values.y(1.0) < values.y(-1.0), "larger values are higher");
    }

    #[test]
    fn rulers_have_round_numbers() {
        for (least, step) in [(0.7, 1.0), (1.0, 1.0), (1.1, 2.0), (3.0, 5.0), (70.0, 100.0)] {
            assert!((round_step(least) - step).abs() < 1e-9 * step, "{least}");
        }
        assert!((round_step(0.03) - 0.05).abs() < 1e-9);
        assert_eq!(round_step(f64::NAN), 1.0);
    }
}
