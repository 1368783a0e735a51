//! The panels in the window, from the edges to the middle.
//!
//! Tests: `crates/lariat-studio/tests/studio/document.rs`, `crates/lariat-studio/tests/studio/kept.rs`.

use egui::{CentralPanel, Context, Frame, Panel as Side};
use lariat_render::RenderError;

use super::{Message, Studio};
use crate::{
    host::Host,
    panel::{self, PanelContext},
    session::Session,
    workspace::Workspace,
};

impl Studio {
    pub(super) fn show_panels(
        &mut self,
        ui: &mut egui::Ui,
        state: Option<&egui_wgpu::RenderState>,
    ) {
        Side::top("menus").show(ui, |ui| {
            let session = self.session.as_ref();
            panel::menu_bar(ui, session, &self.workspace, &mut self.actions);
        });
        let message = self.shown_message().cloned();
        let Some(session) = &mut self.session else {
            CentralPanel::default_margins().show(ui, |ui| {
                let left = self.left.get_or_insert_with(|| self.host.left_journals());
                let recent = self.host.recent();
                let message = message.as_ref();
                let offers = panel::welcome::Offers { recent: &recent, left, message };
                panel::welcome::welcome(ui, &offers, &mut self.panels.welcome, &mut self.actions);
            });
            return;
        };
        session.pose(self.workspace.frame);
        simulate_ahead(&mut *self.host, session, &self.workspace, ui.ctx());
        let simulation = self.host.simulation();
        let extraction = self.host.modes_progress();
        let session = &*session;
        let mut context = PanelContext {
            session,
            workspace: &mut self.workspace,
            actions: &mut self.actions,
            state: &mut self.panels,
            is_playing: self.playback.is_some(),
            simulation,
            extraction,
        };
        Side::bottom("status").show(ui, |ui| {
            panel::status(ui, &mut context, message.as_ref());
        });
        let [outliner, history, inspector, bottom] = context.workspace.sizes;
        if context.workspace.shows_bottom {
            let side = Side::bottom("bottom").resizable(true).default_size(bottom).min_size(96.0);
            let shown = side.show(ui, |ui| panel::bottom(ui, &mut context));
            context.workspace.sizes[3] = shown.response.rect.height();
        }
        if context.workspace.shows_outliner {
            let side =
                Side::left("outliner").resizable(true).default_size(outliner).min_size(120.0);
            let shown = side.show(ui, |ui| {
                if context.workspace.shows_history {
                    let half = (0.5 * ui.available_height()).max(64.0);
                    let side = Side::bottom("history").resizable(true).default_size(history);
                    let side = side.max_size(half);
                    let shown = side.min_size(64.0).show(ui, |ui| panel::history(ui, &mut context));
                    context.workspace.sizes[1] = shown.response.rect.height();
                }
                panel::outliner(ui, &mut context);
            });
            context.workspace.sizes[0] = shown.response.rect.width();
        }
        if context.workspace.shows_inspector {
            let side = Side::right("inspector").resizable(true).default_size(inspector);
            let shown = side.min_size(220.0).show(ui, |ui| {
                panel::of_fixed_width(ui, |ui| panel::inspector(ui, &mut context));
            });
            context.workspace.sizes[2] = shown.response.rect.width();
        }
        CentralPanel::no_frame().frame(Frame::NONE).show(ui, |ui| {
            let shown = panel::viewport(ui, &mut context, state, &mut self.picture);
            let error = shown.err().map(|error| sentence(&error));
            if error.is_some() {
                self.picture = None;
            }
            let before = self.picture_error.as_ref().map(|message| &*message.text);
            if before != error.as_deref() {
                // The line at the bottom is shown before the picture.
                ui.ctx().request_repaint();
                self.picture_error = error.map(|text| Message { text, is_error: true });
            }
        });
    }
}

/// Gives simulations that are not recorded yet to the worker, unless a drag is going on.
fn simulate_ahead(
    host: &mut dyn Host,
    session: &mut Session,
    workspace: &Workspace,
    context: &Context,
) {
    let is_dragging = session.editor.gesture_name().is_some();
    if !workspace.simulates || is_dragging || host.simulation().is_some() {
        return;
    }
    let last = session.editor.scene().shot().last as f64;
    if let Some(job) = session.editor.simulation_job(last) {
        let context = context.clone();
        host.simulate(job, Box::new(move || context.request_repaint()));
    }
}

/// An error of the picture, for people.
fn sentence(error: &RenderError) -> String {
    match error {
        RenderError::GpuLost => "The graphics card does not answer any more. The document is not \
                                 affected: save it, and start the studio again."
            .to_owned(),
        error => error.to_string(),
    }
}
