//! Hands for the panels of keys, in a window without a graphics device.

use std::ops::{Deref, DerefMut};

use egui::{Key, Modifiers, Pos2, Vec2};
use egui_kittest::{Harness, kittest::Queryable};
use lariat_studio::{Opening, Panel, Studio, host::native::Native};
use tempfile::TempDir;

/// A window, and the folder of its state.
pub(crate) struct KeysWindow {
    harness: Harness<'static, Studio>,
    _folder: TempDir,
}

impl Deref for KeysWindow {
    type Target = Harness<'static, Studio>;

    fn deref(&self) -> &Self::Target {
        &self.harness
    }
}

impl DerefMut for KeysWindow {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.harness
    }
}

/// Opens a text, or `museum:NAME`, with a panel at the bottom.
pub(crate) fn window(document: &str, panel: Panel) -> KeysWindow {
    let folder = tempfile::tempdir().expect("a folder");
    let place = match document.starts_with("museum:") {
        true => document.to_owned(),
        false => {
            let file = folder.path().join("shot.lariat");
            std::fs::write(&file, document).expect("a file");
            file.to_string_lossy().into_owned()
        }
    };
    let host = Native::with_state(folder.path().join("state"));
    let mut studio = Studio::new(Box::new(host), &Opening::Document(place));
    assert_eq!(studio.message(), None, "{document}");
    studio.workspace.panel = panel;
    let mut harness = Harness::builder()
        .with_size([1280.0, 720.0])
        .with_step_dt(1.0 / 60.0)
        .build_ui_state(|ui, studio: &mut Studio| studio.show(ui, None), studio);
    harness.run_steps(3);
    KeysWindow { harness, _folder: folder }
}

/// Centre of the widget with a label.
pub(crate) fn centre(harness: &Harness<'_, Studio>, label: &str) -> Pos2 {
    harness.get_by_label(label).rect().center()
}

/// Presses the button at a point and moves on, without letting go.
pub(crate) fn grab(harness: &mut Harness<'_, Studio>, from: Pos2, by: Vec2) {
    harness.hover_at(from);
    harness.step();
    harness.drag_at(from);
    harness.step();
    for part in 1..=8 {
        harness.hover_at(from + by * (part as f32 / 8.0));
        harness.step();
    }
}

/// Drags from a point.
pub(crate) fn drag(harness: &mut Harness<'_, Studio>, from: Pos2, by: Vec2) {
    grab(harness, from, by);
    harness.drop_at(from + by);
    harness.run_steps(3);
}

/// Clicks twice at a point.
pub(crate) fn double_click(harness: &mut Harness<'_, Studio>, at: Pos2) {
    harness.hover_at(at);
    // A click shortly before would make it a triple click.
    harness.run_steps(60);
    for _ in 0..2 {
        harness.drag_at(at);
        harness.step();
        harness.drop_at(at);
        harness.step();
    }
    harness.run_steps(3);
}

/// Presses a key.
pub(crate) fn press(harness: &mut Harness<'_, Studio>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_steps(3);
}

/// Text of the document.
pub(crate) fn text(harness: &Harness<'_, Studio>) -> String {
    harness.state().session().expect("a document").editor.text()
}

/// Names of the entries that can be undone.
pub(crate) fn entries(harness: &Harness<'_, Studio>) -> Vec<String> {
    let editor = &harness.state().session().expect("a document").editor;
    editor.history().done().map(|entry| entry.name.clone()).collect()
}

/// Value of a parameter at a frame.
pub(crate) fn value(harness: &Harness<'_, Studio>, path: &str, frame: f64) -> f64 {
    let session = harness.state().session().expect("a document");
    let path = path.parse().expect("a path");
    let value = session.value_at(&path, frame).expect("a value");
    value.number().expect("a number")
}
