//! Anchors that are attached to locators and bodies, and that become points again.
//!
//! Tests: `crates/lariat-editor/tests/suite/attach.rs`.

use glam::DVec3;
use lariat_eval::{Moment, NearestPlace};
use lariat_scene::{Edit, Path, Table, Thing, Value};

use crate::{
    editor::Editor,
    tool::{ToolError, set},
};

impl Editor {
    /// Returns true if the anchor at a path can be attached to a thing: a locator, or a body that is
    /// neither its own nor held by its own.
    pub fn can_attach(&self, path: &Path, thing: Thing, name: &str) -> bool {
        let path = self.written(path);
        let Some((of, record, _)) = self.owner(&path) else { return false };
        let lowered = self.lowered();
        match (thing, lowered.body_index(name)) {
            (Thing::Locator, _) => lowered.locator_index(name).is_some(),
            (Thing::Body, Some(body)) if of == Thing::Body => {
                let own = lowered.body_index(record.name());
                own.is_some_and(|own| !self.holds(own, body))
            }
            (Thing::Body, Some(_)) => true,
            _ => false,
        }
    }

    /// The reason why an anchor cannot be attached to a thing.
    fn why_not(&self, thing: Thing, name: &str) -> String {
        let is_body = thing == Thing::Body;
        match self.document().find(thing, name) {
            None => format!("cannot be attached: there is no {thing} `{name}`"),
            Some(_) if is_body && self.lowered().body_index(name).is_some() => {
                format!("cannot be attached to {thing} `{name}`, which it holds itself")
            }
            Some(_) if is_body => {
                format!("cannot be attached to {thing} `{name}`, which has errors")
            }
            Some(_) => format!("cannot be attached to a {thing}; attach it to a locator or a body"),
        }
    }

    /// Returns true if a body is another one, or holds it, or holds one that holds it.
    fn holds(&self, body: usize, other: usize) -> bool {
        let (mut found, mut next) = (vec![other], 0);
        while let Some(of) = found.get(next).copied() {
            if of == body {
                return true;
            }
            let new = self.scene().dependencies(of).iter().filter(|on| !found.contains(on));
            found.extend(new.copied().collect::<Vec<_>>());
            next += 1;
        }
        false
    }

    /// Edit that attaches the anchor at a path to a locator, or to the place of a body that is nearest
    /// to a point at a frame that was evaluated: along a rope, on the surface of a solid.
    pub fn attach(
        &self,
        path: &Path,
        thing: Thing,
        name: &str,
        near: DVec3,
        moment: &Moment,
    ) -> Result<Edit, ToolError> {
        let path = self.written(path);
        if !self.can_attach(&path, thing, name) {
            let why = self.why_not(thing, name);
            return Err(ToolError::Unsuitable { path: self.document().named(&path), why });
        }
        let table = Table::new().with(thing.list(), name);
        let body = self.lowered().body_index(name).filter(|_| thing == Thing::Body);
        let place = body.and_then(|body| Some(moment.bodies.get(body)?.nearest_place(near)));
        let table = match place {
            Some(NearestPlace::Along(at)) => table.with("at", rounded(at)),
            Some(NearestPlace::Offset(by)) => {
                table.with("offset", DVec3::from(by.to_array().map(rounded)))
            }
            None => table,
        };
        set(self.document(), &path, table)
    }

    /// Edit that makes an attached anchor a point, where it is at a frame that was evaluated.
    pub fn detach(&self, path: &Path, moment: &Moment) -> Result<Edit, ToolError> {
        let at = self.anchor_at(path, moment);
        let at = at.ok_or_else(|| ToolError::NoParameter { path: path.clone() })?;
        set(self.document(), path, Value::from(DVec3::from(at.to_array().map(rounded))))
    }

    /// Position of the anchor at a path, at a frame that was evaluated.
    pub fn anchor_at(&self, path: &Path, moment: &Moment) -> Option<DVec3> {
        let path = self.written(path);
        let (thing, record, _) = self.owner(&path)?;
        let handles = self.handles_of_in(thing, record.name(), moment);
        handles.into_iter().find(|handle| handle.path == path).map(|handle| handle.at)
    }
}

/// Tenths of millimetres are enough for a hand.
fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}
