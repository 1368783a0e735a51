//! Things that are turned, about an axis of the world or the direction of view.

use egui::Pos2;
use glam::DVec3;
use lariat_core::num::ops;
use lariat_editor::handle::DragOptions;
use lariat_scene::Path;

use super::{
    AXES, Pointer,
    grip::Gizmo,
    motion::{Constraint, Motion},
    preview,
};
use crate::{action::Action, label, panel::PanelContext, viewport::Eye};

/// Step of a snapped angle, in degrees.
const STEP: f64 = 15.0;

/// A turn of one thing.
#[derive(Debug)]
pub(crate) struct Turning {
    pub(crate) motion: Motion,
    pub(crate) is_modal: bool,
    pub(crate) has_begun: bool,
    name: String,
    path: Path,
    /// Angle of the pointer about the centre in the last pass, and the turn so far, in degrees.
    last: Option<f64>,
    turned: f64,
    /// The angle and axis of the last preview.
    shown: (f64, DVec3),
}

impl Turning {
    /// Takes hold of the rotation of a thing; `None` if it cannot be turned.
    pub(crate) fn new(gizmo: &Gizmo, axis: Option<usize>, pressed: Pos2) -> Option<Self> {
        let mut motion = Motion::new(gizmo.at, pressed);
        if let Some(axis) = axis {
            motion.constraint = Constraint::Axis(axis);
        }
        Some(Self {
            motion,
            is_modal: axis.is_none(),
            has_begun: false,
            name: format!("Turn {}", gizmo.position.name),
            path: gizmo.rotation.clone()?,
            last: None,
            turned: 0.0,
            shown: (0.0, DVec3::ZERO),
        })
    }

    pub(crate) fn go_on(
        &mut self,
        eye: &Eye,
        pointer: Pointer,
        options: DragOptions,
        context: &mut PanelContext<'_>,
    ) {
        let Some(centre) = eye.project(self.motion.start) else { return };
        let axis = match self.motion.constraint {
            Constraint::Axis(axis) | Constraint::Plane(axis) => AXES[axis],
            Constraint::Free => -eye.forward(),
        };
        // Seen from behind, an axis turns the other way.
        let sign = if axis.dot(eye.forward()) > 0.0 { 1.0 } else { -1.0 };
        let angle = |at: Pos2| {
            let off = at - centre;
            ops::atan2(f64::from(off.y), f64::from(off.x)) * (180.0 / std::f64::consts::PI)
        };
        let before = self.last.unwrap_or_else(|| angle(self.motion.pressed));
        let now = angle(pointer.at);
        let by = (now - before + 180.0).rem_euclid(360.0) - 180.0;
        self.last = Some(now);
        self.turned += by;
        let mut degrees = self.motion.number().unwrap_or(sign * self.turned);
        if pointer.snaps() && self.motion.typed.is_empty() {
            degrees = (degrees / STEP).round() * STEP;
        }
        if self.shown == (degrees, axis) || degrees == 0.0 && !self.has_begun {
            return;
        }
        if self.has_begun && self.shown.1 != axis {
            // About another axis, it starts again.
            context.actions.push(Action::Cancel);
            (self.has_begun, self.shown) = (false, (0.0, axis));
            return;
        }
        // The edit continues from the angles that are shown.
        let by = degrees - self.shown.0;
        let (editor, frame) = (&context.session.editor, context.workspace.frame);
        match editor.turn(&self.path, frame, axis, by, options) {
            Ok(edit) => {
                self.shown = (degrees, axis);
                preview(context, &mut self.has_begun, &self.name, edit);
            }
            Err(error) => context.actions.push(Action::Report(error.to_string())),
        }
    }

    pub(crate) fn words(&self) -> String {
        let about = match self.motion.constraint {
            Constraint::Free => "the view",
            Constraint::Axis(0) | Constraint::Plane(0) => "X",
            Constraint::Axis(1) | Constraint::Plane(1) => "Y",
            Constraint::Axis(_) | Constraint::Plane(_) => "Z",
        };
        let typed = match self.motion.typed.is_empty() {
            true => String::new(),
            false => format!("  [{}]", self.motion.typed),
        };
        format!("{}: {}° about {about}{typed}", self.name, label::number(self.shown.0))
    }
}
