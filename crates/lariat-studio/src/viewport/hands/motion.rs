//! A motion in the view: in its plane, along an axis, in a plane of the axes, or by a typed number.
//!
//! Tests: `a_typed_number_is_the_distance_along_the_axis`, `the_same_key_again_ends_a_constraint`.

use egui::{Event, InputState, Key, Pos2};
use glam::DVec3;

use super::Pointer;
use crate::{label, viewport::Eye};

/// Distance of the lines that a drag snaps to, in points.
const GRID: f64 = 24.0;

/// Axes of the world.
pub(crate) const AXES: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];
const NAMES: [&str; 3] = ["X", "Y", "Z"];

/// Directions in which a motion is possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Constraint {
    /// The plane of the view.
    #[default]
    Free,
    /// An axis of the world.
    Axis(usize),
    /// A plane across an axis of the world.
    Plane(usize),
}

/// A motion of a point that follows the pointer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Motion {
    /// Point of space that is moved.
    pub(crate) start: DVec3,
    /// Position of the pointer at the start.
    pub(crate) pressed: Pos2,
    pub(crate) constraint: Constraint,
    /// Number that is being typed.
    pub(crate) typed: String,
}

impl Motion {
    pub(crate) fn new(start: DVec3, pressed: Pos2) -> Self {
        Self { start, pressed, constraint: Constraint::Free, typed: String::new() }
    }

    /// Takes the keys of constraints and numbers from the input.
    pub(crate) fn take_keys(&mut self, input: &mut InputState) {
        for (axis, key) in [Key::X, Key::Y, Key::Z].into_iter().enumerate() {
            let shift = input.modifiers.shift;
            if input.key_pressed(key) && !input.modifiers.command {
                let wanted = if shift { Constraint::Plane(axis) } else { Constraint::Axis(axis) };
                self.constraint = if self.constraint == wanted { Constraint::Free } else { wanted };
            }
        }
        if input.key_pressed(Key::Backspace) {
            self.typed.pop();
        }
        for event in &input.events {
            if let Event::Text(text) = event {
                let of_number = |c: &char| c.is_ascii_digit() || matches!(c, '.' | '-');
                self.typed.extend(text.replace(',', ".").chars().filter(of_number));
            }
        }
    }

    /// The typed number.
    pub(crate) fn number(&self) -> Option<f64> {
        self.typed.parse().ok()
    }

    /// The point for a position of the pointer; `None` if the ray runs along its plane or axis.
    pub(crate) fn to(&self, eye: &Eye, pointer: Pos2) -> Option<DVec3> {
        let (from, to) = (eye.ray(self.pressed), eye.ray(pointer));
        let axis = match self.constraint {
            Constraint::Axis(axis) => Some(AXES[axis]),
            _ => None,
        };
        if let (Some(number), Some(axis)) = (self.number(), axis) {
            return Some(self.start + axis * number);
        }
        let by = match self.constraint {
            Constraint::Axis(axis) => {
                to.on_axis(self.start, AXES[axis])? - from.on_axis(self.start, AXES[axis])?
            }
            Constraint::Plane(axis) => {
                to.on_plane(self.start, AXES[axis])? - from.on_plane(self.start, AXES[axis])?
            }
            Constraint::Free => {
                to.on_plane(self.start, eye.forward())?
                    - from.on_plane(self.start, eye.forward())?
            }
        };
        let by = match (self.number(), by.try_normalize()) {
            (Some(number), Some(direction)) => direction * number,
            _ => by,
        };
        Some(self.start + by)
    }

    /// The point for a pointer: on the grid, if it snaps and no number is typed.
    pub(crate) fn to_grid(&self, eye: &Eye, pointer: Pointer) -> Option<DVec3> {
        let target = self.to(eye, pointer.at)?;
        let is_snapped = pointer.snaps() && self.typed.is_empty();
        Some(if is_snapped { self.on_grid(eye, target) } else { target })
    }

    /// The nearest point on the grid of the view.
    pub(crate) fn on_grid(&self, eye: &Eye, point: DVec3) -> DVec3 {
        self.snapped(point, eye.spacing(self.start, GRID))
    }

    /// A point on the grid: coordinates that the constraint leaves free are rounded.
    pub(crate) fn snapped(&self, point: DVec3, spacing: f64) -> DVec3 {
        // A division by a whole number gives short decimals, a multiplication by a tenth does not.
        let round = match spacing < 1.0 {
            true => (point * (1.0 / spacing).round()).round() / (1.0 / spacing).round(),
            false => (point / spacing).round() * spacing,
        };
        let mut out = point;
        for axis in 0..3 {
            let is_free = match self.constraint {
                Constraint::Free => true,
                Constraint::Axis(only) => axis == only,
                Constraint::Plane(across) => axis != across,
            };
            if is_free {
                out[axis] = round[axis];
            }
        }
        out
    }

    /// The motion so far, for the line at the bottom of the view.
    pub(crate) fn words(&self, to: DVec3) -> String {
        let by = to - self.start;
        let along = match self.constraint {
            Constraint::Free => format!(
                "{} m, {} m, {} m",
                label::number(by.x),
                label::number(by.y),
                label::number(by.z)
            ),
            Constraint::Axis(axis) => {
                format!("{} m along {}", label::number(by.dot(AXES[axis])), NAMES[axis])
            }
            Constraint::Plane(axis) => {
                format!("{} m across {}", label::number(by.length()), NAMES[axis])
            }
        };
        match self.typed.is_empty() {
            true => along,
            false => format!("{along}  [{}]", self.typed),
        }
    }
}

#[cfg(test)]
mod tests {
    use egui::{Rect, pos2, vec2};
    use lariat_render::{OrbitCamera, Size};

    use super::*;

    fn eye() -> Eye {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(640.0, 360.0));
        let size = Size::new(640, 360).unwrap();
        Eye::new(rect, 1.0, size, OrbitCamera::default().camera()).unwrap()
    }

    #[test]
    fn a_typed_number_is_the_distance_along_the_axis() {
        let mut motion = Motion::new(DVec3::new(1.0, 0.5, 0.0), pos2(300.0, 200.0));
        motion.constraint = Constraint::Axis(2);
        let dragged = motion.to(&eye(), pos2(320.0, 120.0)).unwrap();
        assert!(dragged.z > 0.1 && dragged.x == 1.0 && dragged.y == 0.5, "{dragged}");
        motion.typed = "-0.25".to_owned();
        assert_eq!(motion.to(&eye(), pos2(320.0, 120.0)), Some(DVec3::new(1.0, 0.5, -0.25)));
        assert_eq!(motion.words(DVec3::new(1.0, 0.5, -0.25)), "-0.25 m along Z  [-0.25]");
        assert_eq!(motion.snapped(DVec3::new(1.03, 0.52, 0.26), 0.1), DVec3::new(1.03, 0.52, 0.3));
        assert_eq!(motion.snapped(DVec3::ONE * 7.3, 5.0).z, 5.0);
    }

    #[test]
    fn the_same_key_again_ends_a_constraint() {
        let mut motion = Motion::new(DVec3::ZERO, pos2(0.0, 0.0));
        let mut press = |modifiers: egui::Modifiers| {
            let mut input = InputState::default();
            input.modifiers = modifiers;
            input.events.push(Event::Key {
                key: Key::Y,
                physical_key: None,
                pressed: true,
                repeat: false,
                modifiers,
            });
            motion.take_keys(&mut input);
            motion.constraint
        };
        assert_eq!(press(egui::Modifiers::NONE), Constraint::Axis(1));
        assert_eq!(press(egui::Modifiers::SHIFT), Constraint::Plane(1));
        assert_eq!(press(egui::Modifiers::SHIFT), Constraint::Free);
    }
}
