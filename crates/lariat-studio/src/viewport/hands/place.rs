//! New bodies, by one or two clicks in the view, or by a drag from one end to the other.

use egui::Pos2;
use glam::DVec3;
use lariat_editor::tool::{Added, ToolError, add_body};
use lariat_scene::{Document, Table, Thing, Value, lower::ShotGround};

use super::{Pointer, preview};
use crate::{
    action::Action,
    label,
    panel::PanelContext,
    viewport::{Drawn, Eye},
};

/// Distance at which a click lands on a locator, in points.
const SNAP: f32 = 14.0;

/// Distance at which a thin rope is still under the pointer, in points.
const TOLERANCE: f32 = 6.0;

/// Farthest distance of the ground, as a multiple of that of the view: near the horizon a click would
/// land kilometres away.
const FAR: f64 = 8.0;

/// A body that is being placed.
#[derive(Debug)]
pub(crate) struct Placing {
    model: &'static str,
    /// The first end and the document before the gesture.
    first: Option<(Spot, Document)>,
    has_begun: bool,
    last: Option<Pos2>,
}

/// A place for an end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spot {
    pub(crate) at: DVec3,
    /// Locator at that place, to which the end is attached.
    pub(crate) locator: Option<String>,
}

/// Whether a model can be placed without further values, such as a file.
pub(crate) fn is_placeable(model: &str) -> bool {
    added(&Document::new(), model, &spot(DVec3::ZERO), &spot(DVec3::X)).is_ok()
}

/// Whether one click places a model.
fn takes_one_click(model: &str) -> bool {
    matches!(model, "solid" | "mesh" | "shape")
}

/// Whether a model hangs from its ends, which then do not belong on the floor.
fn hangs(model: &str) -> bool {
    !matches!(model, "solid" | "mesh" | "shape" | "hoop")
}

fn spot(at: DVec3) -> Spot {
    Spot { at, locator: None }
}

fn added(document: &Document, model: &str, from: &Spot, to: &Spot) -> Result<Added, ToolError> {
    let mut values = Table::new();
    for (field, spot) in [("from", from), ("to", to)] {
        let has = lariat_scene::schema::BODY.find(model).is_some_and(|r| r.field(field).is_some());
        if let (Some(locator), true) = (&spot.locator, has) {
            values.set(field, Value::from(Table::new().with("locator", &**locator)));
        }
    }
    add_body(document, model, rounded(from.at), rounded(to.at), &values)
}

/// Adds and selects a body.
fn finish(context: &mut PanelContext<'_>, added: Added) {
    let Added { name, edit, .. } = added;
    context.actions.apply(format!("Add {name}"), edit);
    context.actions.push(Action::Select(Thing::Body, name));
}

/// Millimetres are enough for a hand.
fn rounded(at: DVec3) -> DVec3 {
    (at * 1e3).round() / 1e3
}

impl Placing {
    pub(crate) fn new(model: &'static str) -> Self {
        Self { model, first: None, has_begun: false, last: None }
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Follows the pointer; true when the body is placed.
    pub(crate) fn go_on(
        &mut self,
        eye: &Eye,
        pointer: Pointer,
        context: &mut PanelContext<'_>,
    ) -> bool {
        if !eye.rect.contains(pointer.at) {
            return false;
        }
        let spot = self.spot(eye, pointer.at, context);
        let is_done = pointer.is_released();
        if self.first.is_none() && (pointer.is_pressed() || is_done) {
            let document = context.session.editor.document().clone();
            self.first = Some((spot.clone(), document));
        }
        let Some((first, document)) = &self.first else { return false };
        if takes_one_click(self.model) {
            let up = Spot { at: first.at + DVec3::Z * 0.5, locator: None };
            if is_done {
                match added(document, self.model, first, &up) {
                    Ok(added) => finish(context, added),
                    Err(error) => context.actions.push(Action::Tell(error.to_string())),
                }
            }
            return is_done;
        }
        if first.at.distance(spot.at) < 4.0 * eye.point_size(first.at) {
            // The button is released where it was pressed: the other end is yet to come.
            return false;
        }
        let added = match added(document, self.model, first, &spot) {
            Ok(added) => added,
            Err(error) => {
                context.actions.push(Action::Tell(error.to_string()));
                return true;
            }
        };
        if self.last != Some(pointer.at) || is_done {
            self.last = Some(pointer.at);
            let name = format!("Add {}", added.name);
            preview(context, &mut self.has_begun, &name, added.edit.clone());
        }
        if is_done {
            context.actions.push(Action::Commit);
            context.actions.push(Action::Select(Thing::Body, added.name));
            return true;
        }
        false
    }

    /// The place under the pointer: a locator, the surface of a body, the ground, or the upright plane
    /// through the pivot of the view.
    fn spot(&self, eye: &Eye, pointer: Pos2, context: &PanelContext<'_>) -> Spot {
        let (session, workspace) = (context.session, &context.workspace);
        let editor = &session.editor;
        let near = editor
            .document()
            .names(Thing::Locator)
            .flat_map(|name| editor.handles_of(Thing::Locator, name, workspace.frame))
            .filter_map(|handle| Some((eye.project(handle.at)?.distance(pointer), handle)))
            .filter(|(off, _)| *off < SNAP)
            .min_by(|(a, _), (b, _)| a.total_cmp(b));
        if let Some((_, handle)) = near {
            return Spot { at: handle.at, locator: Some(handle.name) };
        }
        let scene = editor.scene();
        if let Some(pose) = session.shown() {
            // The preview itself is not in its way: it is the last body.
            let own = self.first.as_ref().map(|(_, document)| document.things(Thing::Body).count());
            let drawn = Drawn::of(scene, pose, eye.camera, |body| own.is_none_or(|own| body < own));
            let found = drawn.pick(eye, pointer, TOLERANCE);
            if let Some((_, pick)) = found {
                return spot(pick.point);
            }
        }
        let (ray, pivot) = (eye.ray(pointer), workspace.view.pivot);
        let shot = scene.shot();
        if !hangs(self.model) && shot.ground != ShotGround::None {
            let height = context.state.viewport.ground.height(shot);
            let far = FAR * eye.camera.eye.distance(pivot);
            let at = ray.on_plane(DVec3::Z * height, DVec3::Z);
            if let Some(at) = at.filter(|at| at.distance(eye.camera.eye) < far) {
                return spot(at);
            }
        }
        let forward = eye.forward();
        let level = DVec3::new(forward.x, forward.y, 0.0);
        let through = self.first.as_ref().map_or(pivot, |(first, _)| first.at);
        // Seen from above, there is no upright plane.
        let normal = if level.length() > 0.3 { level } else { forward };
        spot(ray.on_plane(through, normal).unwrap_or(pivot))
    }

    pub(crate) fn words(&self) -> String {
        let model = label::words(self.model);
        match (&self.first, takes_one_click(self.model)) {
            (_, true) => format!("{model}: click where it should be"),
            (None, false) => format!("{model}: click where it starts"),
            (Some(_), false) => format!("{model}: click where it ends"),
        }
    }
}
