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
use crate::{
    action::Action,
    panel::PanelContext,
    viewport::{Drawn, Eye},
};

/// Distance at which a dragged handle is on a locator or a body, in points.
const SNAP: f32 = 14.0;

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
    /// The thing under the pointer that the end can be attached to.
    near: Option<Near>,
    /// Where the pointer was when it was looked for.
    sought: Option<Pos2>,
}

/// A thing that an end can be attached to, and the place of it under the pointer.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    pub(crate) thing: Thing,
    pub(crate) name: String,
    at: DVec3,
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
            near: None,
            sought: None,
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
            near: None,
            sought: None,
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
        self.seek(eye, pointer.at, context);
        let near = self.near.as_ref().map(|near| near.at);
        match near.filter(|_| pointer.snaps() && self.motion.typed.is_empty()) {
            Some(at) => target = at,
            None if pointer.snaps() && self.motion.typed.is_empty() => {
                target = self.motion.on_grid(eye, target);
            }
            // As many digits as the view can show.
            None if self.motion.number().is_none() => {
                target = self.motion.snapped(target, eye.tenth(target));
            }
            None => {}
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
                Err(error) => return context.actions.push(Action::Report(error.to_string())),
            }
        }
        let edit = if edits.len() == 1 { edits.swap_remove(0) } else { Edit::Batch(edits) };
        preview(context, &mut self.has_begun, &self.name, edit);
    }

    /// Looks for a thing under the pointer: a locator, or the surface of a body. A constrained end is
    /// not brought to one.
    fn seek(&mut self, eye: &Eye, pointer: Pos2, context: &PanelContext<'_>) {
        if self.motion.constraint != Constraint::Free {
            self.near = None;
            self.sought = None;
            return;
        }
        if self.sought.replace(pointer) != Some(pointer) {
            self.near = self.locator(eye, pointer, context);
            if let (None, Some((path, _))) = (&self.near, &self.end) {
                self.near = body_at(path, eye, pointer, context);
            }
        }
    }

    fn locator(&self, eye: &Eye, pointer: Pos2, context: &PanelContext<'_>) -> Option<Near> {
        let editor = &context.session.editor;
        let frame = context.workspace.frame;
        let locators = editor.document().names(Thing::Locator);
        let (_, handle) = locators
            .filter(|name| context.workspace.shows_thing(Thing::Locator, name))
            .flat_map(|name| editor.handles_of(Thing::Locator, name, frame))
            .filter(|handle| self.moved.iter().all(|(path, _)| *path != handle.path))
            .filter_map(|handle| Some((eye.project(handle.at)?.distance(pointer), handle)))
            .filter(|(off, _)| *off < SNAP)
            .min_by(|(a, _), (b, _)| a.total_cmp(b))?;
        Some(Near { thing: Thing::Locator, name: handle.name, at: handle.at })
    }

    /// The thing under the pointer, if the handle is an end that can be attached to it.
    pub(crate) fn near(&self) -> Option<&Near> {
        self.near.as_ref().filter(|_| self.end.is_some())
    }

    pub(crate) fn words(&self) -> String {
        let at = self.near().map_or_else(String::new, |near| format!(", on {}", near.name));
        format!("{}: {}{at}", self.name, self.motion.words(self.target))
    }

    /// The offer to attach the end to the thing that it was dropped on.
    pub(crate) fn offer(&self, at: Pos2, context: &PanelContext<'_>) -> Option<Offer> {
        let (path, label) = self.end.as_ref()?;
        let Near { thing, name, at: place } = self.near()?;
        let moment = context.session.shown()?;
        let edit = context.session.editor.attach(path, *thing, name, *place, moment).ok()?;
        let entry = format!("Attach {} to {name}", label.to_lowercase());
        Some(Offer { label: format!("Attach to {name}"), entry, edit, at })
    }
}

/// The body under the pointer that an anchor can be attached to, without its own.
fn body_at(path: &Path, eye: &Eye, pointer: Pos2, context: &PanelContext<'_>) -> Option<Near> {
    let (scene, workspace) = (context.session.editor.scene(), &context.workspace);
    let can = |body: usize| {
        let name = scene.body_name(body);
        workspace.shows(name) && context.session.editor.can_attach(path, Thing::Body, name)
    };
    let drawn = Drawn::of(scene, context.session.shown()?, eye.camera, can);
    let (body, pick) = drawn.pick(eye, pointer, SNAP)?;
    Some(Near { thing: Thing::Body, name: scene.body_name(body).to_owned(), at: pick.point })
}
