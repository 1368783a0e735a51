//! Handles and things that are moved.

use egui::Pos2;
use glam::DVec3;
use lariat_editor::handle::{DragHandle, DragOptions, Moves};
use lariat_scene::{Edit, Path, Step, Thing};

use super::{
    Offer, Pointer, label_of,
    motion::{Constraint, Motion},
    preview,
};
use crate::{action::Action, panel::PanelContext, viewport::Eye};

/// Distance at which a dragged handle snaps to another one, in points.
const SNAP: f32 = 14.0;

/// Distance of the lines that a drag snaps to, in points.
const GRID: f64 = 24.0;

/// A motion of one handle, or of everything that is selected.
#[derive(Debug)]
pub(crate) struct Shifting {
    pub(crate) motion: Motion,
    pub(crate) is_modal: bool,
    pub(crate) has_begun: bool,
    name: String,
    /// Paths and positions of the handles at the start.
    moved: Vec<(Path, DVec3)>,
    /// The only handle, if it is one that can be attached.
    end: Option<(Path, String)>,
    target: DVec3,
    /// The locator that the handle snaps to.
    snapped: Option<String>,
}

impl Shifting {
    /// Takes hold of one handle.
    pub(crate) fn handle(handle: &DragHandle, pressed: Pos2) -> Self {
        let label = label_of(handle);
        let short = label.split(',').next().unwrap_or(&label).to_owned();
        let mut words = short.clone();
        if let Some(first) = words.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        let is_end = matches!(handle.moves, Moves::Freely)
            && handle.thing == Thing::Body
            && matches!(handle.path.steps().last(), Some(Step::Field(name)) if matches!(&**name, "from" | "to" | "hand"));
        Self {
            motion: Motion::new(handle.at, pressed),
            is_modal: false,
            has_begun: false,
            name: format!("Move {words}"),
            moved: vec![(handle.path.clone(), handle.at)],
            end: is_end.then(|| (handle.path.clone(), short)),
            target: handle.at,
            snapped: None,
        }
    }

    /// Takes hold of all selected things; `None` if none of them can be moved.
    pub(crate) fn selection(context: &PanelContext<'_>, pressed: Pos2, eye: &Eye) -> Option<Self> {
        let (session, pose) = (context.session, context.session.shown()?);
        let selected = &context.workspace.selected;
        let handles: Vec<DragHandle> = selected
            .iter()
            .flat_map(|one| session.editor.handles_of_in(one.thing, &one.name, pose))
            // Bends and points of a Slinky move with their ends.
            .filter(|handle| {
                handle.moves.is_free()
                    && !matches!(handle.path.steps().last(), Some(Step::Index(_)))
            })
            .collect();
        let name = match selected.as_slice() {
            [one] => format!("Move {}", one.name),
            many => format!("Move {} things", many.len()),
        };
        let sum: DVec3 = handles.iter().map(|handle| handle.at).sum();
        let middle = (!handles.is_empty()).then(|| sum / handles.len() as f64)?;
        // Far from the pointer, the motion still follows it.
        let pressed = if eye.rect.contains(pressed) { pressed } else { eye.rect.center() };
        Some(Self {
            motion: Motion::new(middle, pressed),
            is_modal: true,
            has_begun: false,
            name,
            moved: handles.into_iter().map(|handle| (handle.path, handle.at)).collect(),
            end: None,
            target: middle,
            snapped: None,
        })
    }

    /// Moves along an axis only.
    #[must_use]
    pub(crate) fn along(mut self, axis: usize) -> Self {
        self.motion.constraint = Constraint::Axis(axis);
        self
    }

    pub(crate) fn go_on(
        &mut self,
        eye: &Eye,
        pointer: Pointer,
        options: DragOptions,
        context: &mut PanelContext<'_>,
    ) {
        let Some(mut target) = self.motion.to(eye, pointer.at) else { return };
        self.snapped = None;
        if pointer.snaps() && self.motion.typed.is_empty() {
            target = self.snap(eye, pointer.at, target, context);
        }
        if self.snapped.is_none() && self.motion.number().is_none() {
            // As many digits as the view can show.
            target = self.motion.snapped(target, eye.tenth(target));
        }
        if target == self.target && self.has_begun {
            return;
        }
        self.target = target;
        let (editor, frame) = (&context.session.editor, context.workspace.frame);
        let by = target - self.motion.start;
        if by == DVec3::ZERO && !self.has_begun {
            return;
        }
        let mut edits = Vec::new();
        for (path, at) in &self.moved {
            match editor.drag(path, frame, *at + by, options) {
                Ok(edit) if edits.contains(&edit) => {}
                Ok(edit) => edits.push(edit),
                Err(error) => return context.actions.push(Action::Tell(error.to_string())),
            }
        }
        let edit = if edits.len() == 1 { edits.swap_remove(0) } else { Edit::Batch(edits) };
        preview(context, &mut self.has_begun, &self.name, edit);
    }

    /// To a locator or an end near the pointer, or to the grid.
    fn snap(
        &mut self,
        eye: &Eye,
        pointer: Pos2,
        target: DVec3,
        context: &PanelContext<'_>,
    ) -> DVec3 {
        let editor = &context.session.editor;
        let frame = context.workspace.frame;
        let locators = editor.document().names(Thing::Locator);
        let near = locators
            .flat_map(|name| editor.handles_of(Thing::Locator, name, frame))
            .filter(|handle| self.moved.iter().all(|(path, _)| *path != handle.path))
            .filter_map(|handle| Some((eye.project(handle.at)?.distance(pointer), handle)))
            .filter(|(off, _)| *off < SNAP)
            .min_by(|(a, _), (b, _)| a.total_cmp(b));
        if let (Some((_, handle)), Constraint::Free) = (near, self.motion.constraint) {
            self.snapped = Some(handle.name.clone());
            return handle.at;
        }
        self.motion.snapped(target, eye.spacing(self.motion.start, GRID))
    }

    pub(crate) fn words(&self) -> String {
        let at = self.snapped.as_ref().map_or_else(String::new, |name| format!(", at {name}"));
        format!("{}: {}{at}", self.name, self.motion.words(self.target))
    }

    /// The offer to attach the end to the locator that it was dropped on.
    pub(crate) fn offer(&self, at: Pos2) -> Option<Offer> {
        let ((path, label), locator) = (self.end.clone()?, self.snapped.clone()?);
        Some(Offer { path, locator, label, at })
    }
}
