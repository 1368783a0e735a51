//! New things, by one or two clicks in the view, or by a drag from one end to the other.

use egui::Pos2;
use glam::DVec3;
use lariat_scene::{Document, Thing, lower::ShotGround};

use super::{Placeable, Pointer, preview};
use crate::{
    action::Action,
    panel::PanelContext,
    viewport::{Drawn, Eye},
};

/// Distance at which a click lands on a locator or a body, in points.
const SNAP: f32 = 14.0;

/// Farthest distance of the ground, as a multiple of that of the view: near the horizon a click would
/// land kilometres away.
const FAR: f64 = 8.0;

/// A thing that is being placed.
#[derive(Debug)]
pub(crate) struct Placing {
    kind: Placeable,
    /// The first end and the document before the gesture.
    first: Option<(Spot, Document)>,
    has_begun: bool,
    last: Option<Pos2>,
}

/// A place for an end.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Spot {
    pub(crate) at: DVec3,
    /// Locator at that place, to which the end is attached.
    pub(crate) locator: Option<String>,
}

impl Spot {
    fn at(at: DVec3) -> Self {
        Self { at, locator: None }
    }

    /// A metre away from the origin.
    pub(super) fn unit() -> Self {
        Self::at(DVec3::X)
    }

    /// Millimetres are enough for a hand.
    pub(super) fn rounded(&self) -> DVec3 {
        (self.at * 1e3).round() / 1e3
    }
}

impl Placing {
    pub(crate) fn new(kind: Placeable) -> Self {
        Self { kind, first: None, has_begun: false, last: None }
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
        let is_click = first.at.distance(spot.at) < 4.0 * eye.point_size(first.at);
        if is_click && !(is_done && self.kind.has_size()) {
            // The button is released where it was pressed: the other end is yet to come.
            return false;
        }
        let last = if is_click { first } else { &spot };
        let added = match self.kind.add(document, first, last) {
            Ok(added) => added,
            Err(error) => {
                context.actions.push(Action::Report(error.to_string()));
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
            context.actions.push(Action::Select(self.kind.thing(), added.name));
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
            .filter(|name| workspace.shows_thing(Thing::Locator, name))
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
            let drawn = Drawn::of(scene, pose, eye.camera, |body| {
                own.is_none_or(|own| body < own) && workspace.shows(scene.body_name(body))
            });
            let found = drawn.pick(eye, pointer, SNAP);
            if let Some((_, pick)) = found {
                return Spot::at(pick.point);
            }
        }
        let (ray, pivot) = (eye.ray(pointer), workspace.view.pivot);
        let shot = scene.shot();
        if self.first.is_none() && !self.kind.hangs() && shot.ground != ShotGround::None {
            let height = context.state.viewport.ground.height(shot);
            let far = FAR * eye.camera.eye.distance(pivot);
            let at = ray.on_plane(DVec3::Z * height, DVec3::Z);
            if let Some(at) = at.filter(|at| at.distance(eye.camera.eye) < far) {
                return Spot::at(at);
            }
        }
        let forward = eye.forward();
        let level = DVec3::new(forward.x, forward.y, 0.0);
        let through = self.first.as_ref().map_or(pivot, |(first, _)| first.at);
        // Seen from above, there is no upright plane.
        let normal = if level.length() > 0.3 { level } else { forward };
        Spot::at(ray.on_plane(through, normal).unwrap_or(pivot))
    }

    pub(crate) fn words(&self) -> String {
        let kind = self.kind.words();
        match (&self.first, self.kind.has_size()) {
            (None, true) => format!("{kind}: click where it stands, or drag upwards to its height"),
            (Some(_), true) => format!("{kind}: drag to its size"),
            (None, false) => format!("{kind}: click where it starts"),
            (Some(_), false) => format!("{kind}: click where it ends"),
        }
    }
}
