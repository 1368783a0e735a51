//! Markers of the shot: set, named, removed, jumped to.
//!
//! Tests: `crates/lariat-studio/tests/studio/markers.rs`.

use lariat_editor::tool::{add_marker, name_marker, remove_marker};
use lariat_scene::lower::Marker;

use super::Studio;
use crate::{
    action::Action,
    panel::{Dialog, MarkerAnswer},
};

impl Studio {
    fn markers(&self) -> &[Marker] {
        self.session.as_ref().map_or(&[], |session| &session.editor.lowered().markers)
    }

    /// Marks the current frame; on a marker, asks for its name.
    pub(super) fn mark(&mut self, now: f64) {
        let Some(session) = &self.session else { return };
        let frame = self.workspace.frame.round() as i64;
        match self.markers().iter().find(|marker| marker.frame == frame) {
            Some(marker) => self.ask_marker(marker.index),
            None => {
                let edit = add_marker(session.editor.document(), frame, "");
                self.apply(Action::Apply { name: "Set marker".to_owned(), edit }, now);
            }
        }
    }

    pub(super) fn ask_marker(&mut self, index: usize) {
        let found = self.markers().iter().find(|marker| marker.index == index);
        self.dialog = found.map(|marker| Dialog::marker(index, &marker.name));
    }

    pub(super) fn change_marker(&mut self, answer: MarkerAnswer, now: f64) {
        let Some(session) = &self.session else { return };
        let is_so = |index: usize, name: &str| {
            self.markers().iter().any(|marker| marker.index == index && &*marker.name == name)
        };
        let (name, edit) = match answer {
            MarkerAnswer::Name(index, name) if is_so(index, &name) => return,
            MarkerAnswer::Name(index, name) => ("Name marker", name_marker(index, &name)),
            MarkerAnswer::Remove(index) => {
                ("Remove marker", remove_marker(session.editor.document(), index))
            }
        };
        self.apply(Action::Apply { name: name.to_owned(), edit }, now);
    }

    pub(super) fn go_to_marker(&mut self, forwards: bool, now: f64) {
        let here = self.workspace.frame;
        let mut frames = self.markers().iter().map(|marker| marker.frame as f64);
        let found = match forwards {
            true => frames.find(|frame| *frame > here),
            false => frames.rev().find(|frame| *frame < here),
        };
        match found {
            Some(frame) => self.go_to(frame, now),
            None if self.markers().is_empty() => self.report("The shot has no markers; M sets one"),
            None => {}
        }
    }
}
