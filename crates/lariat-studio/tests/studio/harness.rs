//! A studio in a window that is not on a display.

use std::{fs, path::PathBuf};

use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::{Harness, Node, kittest::Queryable};
use lariat_scene::Thing;
use lariat_studio::{Opening, Studio, host::native::Native};
use tempfile::TempDir;

/// A hanging rope with a keyed swing.
pub(crate) const ROPE: &str = "lariat = 2

[shot]
frames = [1, 48]

[[body]]
name = \"rein\"
model = \"suspended-rope\"
from = [0, 0, 2] # the hook
to = [3, 0, 2]
length = 4
swing = { keys = [[1, 0], [24, 35]] }
";

/// A studio, and the folder that its documents and its state are in.
pub(crate) struct Window {
    pub(crate) harness: Harness<'static, Studio>,
    pub(crate) folder: TempDir,
}

impl Window {
    /// A studio with a text as `shot.lariat`.
    pub(crate) fn with(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("shot.lariat"), text).unwrap();
        Self::open_in(folder, |folder| Opening::Document(place(folder, "shot.lariat")))
    }

    /// A studio with a museum scene.
    pub(crate) fn museum(name: &str) -> Self {
        let opening = Opening::Document(format!("museum:{name}"));
        Self::open_in(tempfile::tempdir().unwrap(), |_| opening)
    }

    /// A studio in a folder.
    pub(crate) fn open_in(folder: TempDir, opening: impl FnOnce(&TempDir) -> Opening) -> Self {
        let (opening, state) = (opening(&folder), folder.path().join("state"));
        let mut harness = Harness::builder()
            .with_size(vec2(1280.0, 720.0))
            .with_max_steps(16)
            .with_step_dt(1.0 / 30.0)
            .wgpu()
            .build_eframe(move |_| Studio::new(Box::new(Native::with_state(state)), &opening));
        harness.run_ok();
        Self { harness, folder }
    }

    /// Ends the program at once, and returns its folder.
    pub(crate) fn kill(self) -> TempDir {
        let Self { harness, folder } = self;
        drop(harness);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn studio(&self) -> &Studio {
        self.harness.state()
    }

    /// Text of the document.
    pub(crate) fn text(&self) -> String {
        self.studio().session().expect("a document is open").editor.text()
    }

    /// Number of changes that can be undone.
    pub(crate) fn changes(&self) -> usize {
        self.studio().session().map_or(0, |session| session.editor.history().done().len())
    }

    /// Place of a point of the scene in the window.
    pub(crate) fn project(&self, point: glam::DVec3) -> Pos2 {
        let rect = self.get("View of the scene").rect();
        let (width, height) = (rect.width().round() as u32, rect.height().round() as u32);
        let size = lariat_render::Size::new(width, height).unwrap();
        let projection = self.studio().workspace.view.camera().projection(size).unwrap();
        let (x, y, _) = projection.project(point).expect("a point before the camera");
        rect.min + vec2(x as f32, y as f32)
    }

    /// Selects a body.
    pub(crate) fn select(&mut self, body: &str) {
        self.harness.state_mut().workspace.select(Thing::Body, body, false);
        self.run();
    }

    pub(crate) fn run(&mut self) {
        self.harness.run_ok();
    }

    /// The widget with a label.
    pub(crate) fn get<'l>(&'l self, label: &'l str) -> Node<'l> {
        self.harness.get_by_label(label)
    }

    pub(crate) fn click(&mut self, label: &str) {
        self.get(label).click();
        self.run();
    }

    pub(crate) fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.run();
    }

    /// Types into the field that has the focus.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.harness.event(egui::Event::Text(text.to_owned()));
        self.run();
    }

    /// Clicks at a place with the left button.
    pub(crate) fn click_at(&mut self, at: Pos2) {
        self.harness.hover_at(at);
        self.harness.step();
        self.harness.drag_at(at);
        self.harness.step();
        self.harness.drop_at(at);
        self.run();
    }

    /// Drags with the left button in several steps.
    pub(crate) fn drag(&mut self, from: Pos2, to: Pos2) {
        self.drag_part(from, to);
        self.harness.drop_at(to);
        self.run();
    }

    /// Drags without letting go.
    pub(crate) fn drag_part(&mut self, from: Pos2, to: Pos2) {
        self.harness.hover_at(from);
        self.harness.step();
        self.harness.drag_at(from);
        self.harness.step();
        for i in 1..=6 {
            self.harness.hover_at(from + (to - from) * (i as f32 / 6.0));
            self.harness.step();
        }
    }
}

/// A place in a folder, as the studio names it.
pub(crate) fn place(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}
