//! The dialogs for pictures, movies and exports.

use std::ops::RangeInclusive;

use egui::{ComboBox, Context, DragValue, Grid, ProgressBar, RichText, Window};
use lariat_render::{Quality, Size};

use crate::{
    host::{OutputProgress, OutputWork},
    session::Session,
    theme::{self, SPACE},
    workspace::Workspace,
};

/// Settings of an output that is going to be written.
#[derive(Clone, Debug)]
pub(crate) struct OutputDialog {
    is_export: bool,
    place: String,
    frames: RangeInclusive<i64>,
    size: [u32; 2],
    quality: usize,
    camera: Option<usize>,
    replaces: bool,
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
    /// A picture or a movie, or an export.
    pub(crate) fn new(
        session: &Session,
        workspace: &Workspace,
        folder: &str,
        is_export: bool,
    ) -> Self {
        let shot = session.editor.scene().shot();
        let stem = session.title.trim_end_matches(".lariat");
        let ending = if is_export { "usda" } else { "mp4" };
        Self {
            is_export,
            place: format!("{folder}/{stem}.{ending}"),
            frames: shot.first..=shot.last,
            size: [1280, 720],
            quality: 0,
            camera: workspace.camera,
            replaces: false,
        }
    }

    /// Shows the dialog.
    pub(crate) fn show(&mut self, context: &Context, session: &Session) -> OutputAnswer {
        let title = if self.is_export { "Export" } else { "Render" };
        let (mut is_open, mut answer) = (true, OutputAnswer::None);
        let window = Window::new(title).open(&mut is_open).collapsible(false).resizable(false);
        let top = egui::vec2(0.0, 64.0);
        window.anchor(egui::Align2::CENTER_TOP, top).show(context, |ui| {
            Grid::new("output").num_columns(2).spacing([SPACE, SPACE]).show(ui, |ui| {
                let named = ui.label("File");
                ui.add(egui::TextEdit::singleline(&mut self.place).desired_width(320.0))
                    .labelled_by(named.id);
                ui.end_row();
                self.frame_fields(ui);
                if !self.is_export {
                    self.picture_fields(ui, session);
                }
            });
            let weak = theme::of(ui).weak;
            let endings = match self.is_export {
                true => "The name ends in .usda, .csv, .json or .svg.",
                false => "The name ends in .mp4, .gif or .png; #### numbers pictures.",
            };
            ui.label(RichText::new(endings).small().color(weak));
            ui.checkbox(&mut self.replaces, "Replace an existing file");
            ui.add_space(SPACE);
            ui.horizontal(|ui| {
                if ui.button(title).clicked() {
                    answer = self.answer();
                }
                if ui.button("Close").clicked() {
                    answer = OutputAnswer::Closed;
                }
            });
        });
        if is_open { answer } else { OutputAnswer::Closed }
    }

    fn frame_fields(&mut self, ui: &mut egui::Ui) {
        let (mut first, mut last) = (*self.frames.start(), *self.frames.end());
        let named = ui.label("Frames");
        ui.horizontal(|ui| {
            ui.add(DragValue::new(&mut first)).labelled_by(named.id);
            ui.label("to");
            ui.add(DragValue::new(&mut last)).labelled_by(named.id);
        });
        self.frames = first..=last.max(first);
        ui.end_row();
    }

    fn picture_fields(&mut self, ui: &mut egui::Ui, session: &Session) {
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
        let name = |camera: Option<usize>| {
            camera.map_or("Automatic", |camera| scene.camera_name(camera)).to_owned()
        };
        let named = ui.label("Camera");
        let chosen = ComboBox::from_id_salt("camera").selected_text(name(self.camera));
        let shown = chosen.show_ui(ui, |ui| {
            for camera in std::iter::once(None).chain((0..scene.camera_count()).map(Some)) {
                ui.selectable_value(&mut self.camera, camera, name(camera));
            }
        });
        shown.response.labelled_by(named.id);
        ui.end_row();
    }

    fn answer(&self) -> OutputAnswer {
        let work = match (self.is_export, Size::new(self.size[0], self.size[1])) {
            (true, _) => OutputWork::Export,
            (false, Ok(size)) => {
                let quality = QUALITIES[self.quality].1;
                OutputWork::Render { size, quality, camera: self.camera }
            }
            (false, Err(_)) => return OutputAnswer::None,
        };
        let (place, frames) = (self.place.clone(), self.frames.clone());
        OutputAnswer::Write { place, frames, work, replaces: self.replaces }
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
