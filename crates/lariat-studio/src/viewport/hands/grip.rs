//! Everything that can be taken hold of: handles of the selected things, marks of the others, and the
//! arrows and rings of the active thing.

use egui::{Pos2, Rect};
use glam::DVec3;
use lariat_editor::handle::{DragHandle, Moves};
use lariat_eval::Moment;
use lariat_scene::{Path, Step, Thing};

use super::AXES;
use crate::{label, session::Session, viewport::Eye, workspace::Workspace};

/// Length of the arrows and radius of the rings, in points.
pub(crate) const GIZMO: f64 = 64.0;

/// Distance at which an arrow or ring is still under the pointer, in points.
const NEAR: f32 = 7.0;

/// Pieces of a ring.
const PIECES: usize = 48;

/// Handles at most; in a scene of thousands of locators they would hide everything.
const MOST: usize = 400;

/// A handle in the view.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    pub(crate) handle: DragHandle,
    /// Position in the window.
    pub(crate) at: Pos2,
    /// Name: "End of rope".
    pub(crate) label: String,
    /// Whether its thing is selected; a click selects it otherwise.
    pub(crate) is_selected: bool,
}

impl Handle {
    /// The part of its name before that of the thing: "End".
    pub(crate) fn end(&self) -> &str {
        self.label.split(" of ").next().unwrap_or(&self.label)
    }
}

/// Arrows and rings of the active thing.
#[derive(Clone, Debug)]
pub(crate) struct Gizmo {
    /// Its position.
    pub(crate) at: DVec3,
    /// Path of its position.
    pub(crate) position: DragHandle,
    /// Path of its rotation, if it can be turned.
    pub(crate) rotation: Option<Path>,
    /// Length of the arrows, in metres.
    pub(crate) size: f64,
}

/// Everything that can be taken hold of, besides bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grips {
    pub(crate) handles: Vec<Handle>,
    pub(crate) gizmo: Option<Gizmo>,
}

/// A part of the gizmo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Arrow along an axis.
    Arrow(usize),
    /// Ring about an axis.
    Ring(usize),
}

impl Grips {
    /// Handles of the selected things, and of all locators, colliders and cameras, at a pose.
    pub(crate) fn new(session: &Session, workspace: &Workspace, pose: &Moment, eye: &Eye) -> Self {
        let editor = &session.editor;
        let mut handles = Vec::new();
        let mut add = |thing: Thing, name: &str, is_selected: bool| {
            // Of a thing that is not selected, only its place is shown.
            let count = if is_selected { usize::MAX } else { 1 };
            for handle in editor.handles_of_in(thing, name, pose).into_iter().take(count) {
                let at = eye.project(handle.at).filter(|at| eye.rect.contains(*at));
                if let (Some(at), true) = (at, handles.len() < MOST) {
                    let label = label_of(&handle);
                    handles.push(Handle { handle, at, label, is_selected });
                }
            }
        };
        for thing in [Thing::Camera, Thing::Collider, Thing::Locator] {
            for name in editor.document().names(thing) {
                if !workspace.is_selected(thing, name) && workspace.shows_thing(thing, name) {
                    add(thing, name, false);
                }
            }
        }
        let seen = workspace.selected.iter();
        for one in seen.filter(|one| workspace.shows_thing(one.thing, &one.name)) {
            add(one.thing, &one.name, true);
        }
        // An end on a locator is the locator's handle.
        let places: Vec<Path> = handles
            .iter()
            .filter(|one| one.handle.thing == Thing::Locator)
            .map(|one| one.handle.path.clone())
            .collect();
        handles.retain(|one| {
            one.handle.thing == Thing::Locator
                || one.is_selected
                || !places.contains(&one.handle.parameter)
        });
        let gizmo = gizmo(session, workspace, &handles, eye);
        Self { handles, gizmo }
    }

    /// The part of the gizmo under the pointer.
    pub(crate) fn part_at(&self, eye: &Eye, pointer: Pos2) -> Option<Part> {
        let gizmo = self.gizmo.as_ref()?;
        let near = |points: &[DVec3]| {
            let on_screen: Vec<Pos2> = points.iter().filter_map(|p| eye.project(*p)).collect();
            on_screen.windows(2).any(|pair| distance(pointer, pair[0], pair[1]) < NEAR)
        };
        let arrow = (0..3).find(|axis| near(&gizmo.arrow(*axis))).map(Part::Arrow);
        let rings = if gizmo.rotation.is_some() { 0..3 } else { 0..0 };
        arrow.or_else(|| rings.into_iter().find(|axis| near(&gizmo.ring(*axis))).map(Part::Ring))
    }
}

impl Gizmo {
    /// Ends of an arrow. It starts off the centre, where the handle is.
    pub(crate) fn arrow(&self, axis: usize) -> [DVec3; 2] {
        [self.at + AXES[axis] * (0.25 * self.size), self.at + AXES[axis] * self.size]
    }

    /// Points of a ring.
    pub(crate) fn ring(&self, axis: usize) -> Vec<DVec3> {
        let (a, b) = (AXES[(axis + 1) % 3], AXES[(axis + 2) % 3]);
        let at = |k: usize| {
            let turn = std::f64::consts::TAU * k as f64 / PIECES as f64;
            let (sin, cos) = lariat_core::num::ops::sin_cos(turn);
            self.at + (a * cos + b * sin) * (0.8 * self.size)
        };
        (0..=PIECES).map(at).collect()
    }
}

fn gizmo(session: &Session, workspace: &Workspace, handles: &[Handle], eye: &Eye) -> Option<Gizmo> {
    let active = workspace.active()?;
    let is_position = |handle: &DragHandle| {
        matches!(handle.path.steps().last(), Some(Step::Field(name)) if matches!(&**name, "position" | "centre" | "center"))
            && handle.path.steps().len() == 3
    };
    let mut own = handles.iter().map(|one| &one.handle);
    let position =
        own.find(|one| one.thing == active.thing && one.name == active.name && is_position(one))?;
    let (thing, _) = position.path.parent()?;
    let record = lariat_scene::schema::record_at(session.editor.document(), &thing);
    let turns = record.is_some_and(|record| record.field("rotation").is_some());
    Some(Gizmo {
        at: position.at,
        position: position.clone(),
        rotation: turns.then(|| thing.field("rotation")),
        size: eye.point_size(position.at) * GIZMO,
    })
}

/// Name of a handle.
pub(crate) fn label_of(handle: &DragHandle) -> String {
    let name = &handle.name;
    let steps = handle.path.steps();
    let field = |step: Option<&Step>| match step {
        Some(Step::Field(name)) => (**name).to_owned(),
        _ => String::new(),
    };
    let number = steps.iter().skip(2).find_map(|step| match step {
        Step::Index(index) => Some(index + 1),
        Step::Field(_) => None,
    });
    let of = match (&*field(steps.get(2)), number) {
        ("from", _) => "Start".to_owned(),
        ("to", _) => "End".to_owned(),
        ("inner", Some(number)) => format!("Point {number}"),
        ("bends", Some(number)) => format!("Bend {number}"),
        ("pincers", Some(number)) => format!("Pincer {number}"),
        ("dynamics", Some(number)) => format!("Pin {number}"),
        (other, _) => label::words(other),
    };
    match handle.moves {
        Moves::Locator(ref locator) => format!("{of} of {name}, on {locator}"),
        Moves::OnSolid(ref body) | Moves::Along(ref body) if body != name => {
            format!("{of} of {name}, on {body}")
        }
        _ => format!("{of} of {name}"),
    }
}

/// Distance of a point from a piece of a line, in points.
pub(crate) fn distance(p: Pos2, a: Pos2, b: Pos2) -> f32 {
    let along = b - a;
    let length_sq = along.length_sq();
    let share = if length_sq > 0.0 { (p - a).dot(along) / length_sq } else { 0.0 };
    (a + along * share.clamp(0.0, 1.0)).distance(p)
}

/// Area of a handle that can be hit.
pub(crate) fn area(at: Pos2) -> Rect {
    Rect::from_center_size(at, egui::Vec2::splat(18.0))
}
