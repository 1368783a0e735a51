//! Bodies that are pulled by their points.

use egui::Pos2;
use lariat_editor::pull::{BodyPoint, Pull, PullError, PullOptions, PullParameter, Pulled};

use super::{
    Pointer,
    motion::{Constraint, Motion},
    preview,
};
use crate::{label, panel::PanelContext, viewport::Eye};

/// Distance from which on it is reported as remaining, in points of the window.
const FELT: f64 = 1.0;

/// A body that is held at a point.
#[derive(Debug)]
pub(crate) struct Pulling {
    pub(crate) motion: Motion,
    pub(crate) has_begun: bool,
    name: String,
    pull: Pull,
    /// Offset of the point from the pointer at the start, in points of the window.
    off: egui::Vec2,
    last: Option<(Pos2, bool, Motion)>,
    /// Result of the last solve.
    pub(crate) pulled: Option<Pulled>,
    /// Whether the point is not under the pointer.
    pub(crate) is_short: bool,
}

impl Pulling {
    /// Takes hold of a body.
    pub(crate) fn new(
        context: &PanelContext<'_>,
        eye: &Eye,
        body: &str,
        at: BodyPoint,
        pressed: Pos2,
    ) -> Result<Self, PullError> {
        let workspace = &context.workspace;
        let options =
            PullOptions { auto_key: workspace.auto_key, switches: workspace.pull_switches.clone() };
        let pull = Pull::new(&context.session.editor, body, at, workspace.frame, &options)?;
        let point = pull.point();
        let off = eye.project(point).map_or(egui::Vec2::ZERO, |at| at - pressed);
        Ok(Self {
            motion: Motion::new(point, pressed),
            has_begun: false,
            name: format!("Pull {body}"),
            pull,
            off,
            last: None,
            pulled: None,
            is_short: false,
        })
    }

    /// Name of the body.
    pub(crate) fn body(&self) -> &str {
        self.pull.body()
    }

    /// Parameters that could follow.
    pub(crate) fn parameters(&self) -> &[PullParameter] {
        self.pull.parameters()
    }

    pub(crate) fn go_on(&mut self, eye: &Eye, pointer: Pointer, context: &mut PanelContext<'_>) {
        let state = (pointer.at, pointer.snaps(), self.motion.clone());
        if self.last.as_ref() == Some(&state) {
            return;
        }
        self.last = Some(state);
        let pulled = match (self.motion.constraint, self.motion.number()) {
            (Constraint::Free, None) if !pointer.snaps() => {
                self.pull.to_ray(&eye.ray(pointer.at + self.off))
            }
            _ => match self.motion.to_grid(eye, pointer) {
                Some(target) => self.pull.to(target),
                None => return,
            },
        };
        self.is_short = pulled.remaining > FELT * eye.point_size(pulled.point);
        if self.has_begun || pulled.edit.is_some() {
            let nothing = || lariat_scene::Edit::Batch(Vec::new());
            let edit = pulled.edit.clone().unwrap_or_else(nothing);
            preview(context, &mut self.has_begun, &self.name, edit);
        }
        self.pulled = Some(pulled);
    }

    pub(crate) fn words(&self) -> String {
        let Some(pulled) = &self.pulled else { return self.name.clone() };
        let changed: Vec<String> = self
            .parameters()
            .iter()
            .filter(|one| pulled.changed.contains(&one.path))
            .map(|one| label::words(&one.key).to_lowercase())
            .collect();
        let by = match changed.is_empty() {
            true => String::new(),
            false => format!(": {}", changed.join(", ")),
        };
        match self.is_short {
            true => {
                format!("{}{by}; {} m out of reach", self.name, label::number(pulled.remaining))
            }
            false => format!("{}{by}", self.name),
        }
    }
}
