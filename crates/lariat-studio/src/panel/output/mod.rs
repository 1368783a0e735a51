//! The dialogs for pictures, movies and exports.
//!
//! ```text
//! kind.rs     kinds of files, by the end of their names
//! preview.rs  a small picture of the current frame as it will be rendered
//! ```
//!
//! Tests: `crates/lariat-studio/tests/studio/output.rs`.

mod kind;
mod preview;

use std::ops::RangeInclusive;

use egui::{ComboBox, Context, DragValue, Grid, ProgressBar, RichText, Ui, Window};
use lariat_render::{Quality, Size};
use lariat_shoot::ShotCamera;

use self::{
    kind::{EXPORTS, FileKind, Holds, RENDERS},
    preview::{Preview, Shown},
};
use crate::{
    host::{Host, OutputProgress, OutputWork},
    session::Session,
    theme::{self, SPACE},
    workspace::Workspace,
};

/// Settings of an output that is going to be written.
#[derive(Debug)]
pub(crate) struct OutputDialog {
    is_export: bool,
    place: String,
    frames: RangeInclusive<i64>,
    /// The frame of a single picture.
    frame: i64,
    size: [u32; 2],
    quality: usize,
    camera: OutputCamera,
    replaces: bool,
    preview: Preview,
}

/// Camera of a render.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutputCamera {
    /// The view in the window.
    View,
    /// Frames the whole shot.
    Automatic,
    /// A camera of the document.
    Document(usize),
}

/// Qualities by name.
const QUALITIES: [(&str, Quality); 3] =
    [("Draft", Quality::DRAFT), ("Preview", Quality::PREVIEW), ("Final", Quality::FINAL)];

/// Result of showing the dialog.
#[derive(Debug)]
pub(crate) enum OutputAnswer {
    /// It stays open.
    None,
    /// It was closed.
    Closed,
    /// The file is written.
    Write {
        /// Place of the file.
        place: String,
        /// Frames.
        frames: RangeInclusive<i64>,
        /// Kind of work.
        work: OutputWork,
        /// Whether an existing file is replaced.
        replaces: bool,
    },
}

impl OutputDialog {
    /// A picture or a movie, or an export. Renders use the camera that is looked through, else the
    /// first one of the document, else the view.
    pub(crate) fn new(
        session: &Session,
        workspace: &Workspace,
        folder: &str,
        is_export: bool,
    ) -> Self {
        let scene = session.editor.scene();
        let stem = session.title.trim_end_matches(".lariat");
        let FileKind { ending, .. } = if is_export { EXPORTS[0] } else { RENDERS[0] };
        let first = (scene.camera_count() > 0).then_some(0);
        let camera = workspace.camera.or(first);
        Self {
            is_export,
            place: format!("{folder}/{stem}{ending}"),
            frames: scene.shot().first..=scene.shot().last,
            frame: workspace.frame.floor() as i64,
            size: [1280, 720],
            quality: 0,
            camera: camera.map_or(OutputCamera::View, OutputCamera::Document),
            replaces: false,
            preview: Preview::default(),
        }
    }

    fn kinds(&self) -> &'static [FileKind] {
        if self.is_export { &EXPORTS } else { &RENDERS }
    }

    fn camera(&self, workspace: &Workspace) -> ShotCamera {
        match self.camera {
            OutputCamera::View => ShotCamera::Fixed(workspace.view.camera()),
            OutputCamera::Automatic => ShotCamera::Automatic,
            OutputCamera::Document(camera) => ShotCamera::Document(camera),
        }
    }

    /// Shows the dialog.
    pub(crate) fn show(
        &mut self,
        context: &Context,
        host: &mut dyn Host,
        session: &Session,
        workspace: &Workspace,
    ) -> OutputAnswer {
        self.forget_missing_camera(session);
        let kind = kind::of(self.kinds(), &self.place);
        let camera = self.camera(workspace);
        if !self.is_export {
            let frame = match kind.map(|kind| kind.holds) {
                Some(Holds::One) => self.frame as f64,
                _ => workspace.frame,
            };
            let (size, quality) = (self.size, QUALITIES[self.quality].1);
            let revision = session.editor.revision();
            let shown = Shown { revision, frame, size, quality, camera };
            self.preview.update(context, host, session, shown);
        }
        let title = if self.is_export { "Export" } else { "Render" };
        let (mut is_open, mut answer) = (true, OutputAnswer::None);
        let window = Window::new(title).open(&mut is_open).collapsible(false).resizable(false);
        let top = egui::vec2(0.0, 64.0);
        window.anchor(egui::Align2::CENTER_TOP, top).show(context, |ui| {
            ui.horizontal_top(|ui| {
                if !self.is_export {
                    self.preview.show(ui, self.size);
                }
                ui.vertical(|ui| {
                    answer = self.fields(ui, host, session, kind, camera);
                });
            });
        });
        let escapes = context.input(|input| input.key_pressed(egui::Key::Escape));
        if is_open && !escapes { answer } else { OutputAnswer::Closed }
    }

    fn fields(
        &mut self,
        ui: &mut Ui,
        host: &dyn Host,
        session: &Session,
        kind: Option<FileKind>,
        camera: ShotCamera,
    ) -> OutputAnswer {
        Grid::new("output").num_columns(2).spacing([SPACE, SPACE]).show(ui, |ui| {
            self.kind_field(ui, kind);
            let named = ui.label("File");
            ui.add(egui::TextEdit::singleline(&mut self.place).desired_width(300.0))
                .labelled_by(named.id);
            ui.end_row();
            match kind.map(|kind| kind.holds) {
                Some(Holds::One) => self.frame_field(ui),
                _ => self.range_fields(ui),
            }
            if !self.is_export {
                self.picture_fields(ui, session);
            }
        });
        let is_there = kind.is_some_and(|kind| kind.ending != ".####.png");
        let is_there = is_there && host.exists(&self.place);
        let colours = theme::of(ui);
        match kind {
            None => {
                let endings: Vec<&str> = self.kinds().iter().map(|kind| kind.ending).collect();
                let text = format!("The name must end in {}.", endings.join(", "));
                ui.label(RichText::new(text).small().color(colours.error));
            }
            Some(_) if is_there => {
                ui.checkbox(&mut self.replaces, "This file exists: replace it");
            }
            Some(_) => {
                self.replaces = false;
                ui.label(RichText::new("A new file is written.").small().color(colours.weak));
            }
        }
        ui.add_space(SPACE);
        let mut answer = OutputAnswer::None;
        ui.horizontal(|ui| {
            let title = if self.is_export { "Export" } else { "Render" };
            let can = kind.is_some() && (!is_there || self.replaces);
            if ui.add_enabled(can, egui::Button::new(title)).clicked() {
                answer = self.answer(kind, camera);
            }
            if ui.button("Close").clicked() {
                answer = OutputAnswer::Closed;
            }
        });
        answer
    }

    fn kind_field(&mut self, ui: &mut Ui, kind: Option<FileKind>) {
        let named = ui.label("Format");
        let name = kind.map_or("Unknown", |kind| kind.name);
        let shown =
            ComboBox::from_id_salt("format").selected_text(name).width(200.0).show_ui(ui, |ui| {
                for one in self.kinds() {
                    if ui.selectable_label(kind == Some(*one), one.name).clicked() {
                        self.place = kind::renamed(self.kinds(), &self.place, *one);
                    }
                }
            });
        shown.response.labelled_by(named.id);
        ui.end_row();
    }

    fn range_fields(&mut self, ui: &mut Ui) {
        let (mut first, mut last) = (*self.frames.start(), *self.frames.end());
        let named = ui.label("Frames");
        ui.horizontal(|ui| {
            ui.add(DragValue::new(&mut first)).labelled_by(named.id);
            let to = ui.label("to");
            ui.add(DragValue::new(&mut last)).labelled_by(to.id);
        });
        self.frames = first..=last.max(first);
        ui.end_row();
    }

    fn frame_field(&mut self, ui: &mut Ui) {
        let named = ui.label("Frame");
        ui.add(DragValue::new(&mut self.frame)).labelled_by(named.id);
        ui.end_row();
    }

    fn picture_fields(&mut self, ui: &mut Ui, session: &Session) {
        let named = ui.label("Size");
        ui.horizontal(|ui| {
            for side in &mut self.size {
                ui.add(DragValue::new(side).range(16..=8192)).labelled_by(named.id);
            }
            ui.label("pixels");
        });
        ui.end_row();
        let named = ui.label("Quality");
        let chosen = ComboBox::from_id_salt("quality").selected_text(QUALITIES[self.quality].0);
        let shown = chosen.show_ui(ui, |ui| {
            for (i, (name, _)) in QUALITIES.iter().enumerate() {
                ui.selectable_value(&mut self.quality, i, *name);
            }
        });
        shown.response.labelled_by(named.id);
        ui.end_row();
        let scene = session.editor.scene();
        let name = |camera: OutputCamera| match camera {
            OutputCamera::View => "This view".to_owned(),
            OutputCamera::Automatic => "Automatic: shows the whole shot".to_owned(),
            OutputCamera::Document(camera) => scene.camera_name(camera).to_owned(),
        };
        let named = ui.label("Camera");
        let chosen = ComboBox::from_id_salt("camera").width(200.0).selected_text(name(self.camera));
        let shown = chosen.show_ui(ui, |ui| {
            let cameras = (0..scene.camera_count()).map(OutputCamera::Document);
            for camera in cameras.chain([OutputCamera::View, OutputCamera::Automatic]) {
                ui.selectable_value(&mut self.camera, camera, name(camera));
            }
        });
        shown.response.labelled_by(named.id);
        ui.end_row();
    }

    /// A camera that was deleted while the dialog is open is replaced by the view.
    fn forget_missing_camera(&mut self, session: &Session) {
        let count = session.editor.scene().camera_count();
        if matches!(self.camera, OutputCamera::Document(camera) if camera >= count) {
            self.camera = OutputCamera::View;
        }
    }

    fn answer(&self, kind: Option<FileKind>, camera: ShotCamera) -> OutputAnswer {
        let work = match (self.is_export, Size::new(self.size[0], self.size[1])) {
            (true, _) => OutputWork::Export,
            (false, Ok(size)) => {
                OutputWork::Render { size, quality: QUALITIES[self.quality].1, camera }
            }
            (false, Err(_)) => return OutputAnswer::None,
        };
        let frames = match kind.map(|kind| kind.holds) {
            Some(Holds::One) => self.frame..=self.frame,
            _ => self.frames.clone(),
        };
        OutputAnswer::Write { place: self.place.clone(), frames, work, replaces: self.replaces }
    }
}

/// Shows the progress of an output; true if it is cancelled.
pub(crate) fn output_progress(context: &Context, progress: OutputProgress) -> bool {
    let mut cancelled = false;
    Window::new("Writing")
        .collapsible(false)
        .resizable(false)
        .anchor(egui::Align2::RIGHT_BOTTOM, egui::vec2(-16.0, -48.0))
        .show(context, |ui| {
            let left = progress.seconds_left.map_or_else(String::new, |seconds| {
                let seconds = seconds.ceil() as u64;
                format!(", {}:{:02} left", seconds / 60, seconds % 60)
            });
            ui.label(format!("{}{left}", progress.stage));
            ui.add(ProgressBar::new(progress.share as f32).desired_width(240.0).show_percentage());
            cancelled = ui.button("Cancel").clicked();
        });
    cancelled
}
