//! The panels of the window, one file each.
//!
//! ```text
//! menus.rs      menus, from the table of commands
//! welcome/      the page without a document: recent files, recipes, museum
//! outliner/     the list of things
//! history.rs    changes by name, undone and redone by a click
//! inspector/    the parameters of the selection, from the schema
//! viewport.rs   the picture of the scene
//! timeline/     playback, and the dope sheet: keys of all channels
//! graph/        the graph editor: curves of the chosen channels
//! simulation/   physics of the active body, the world, recordings
//! modes/        modes of recorded motion: extract, play alone, drive
//! keys/         channels, selected keys and drags of both
//! status.rs     progress and messages
//! problems.rs   problems, with their fields and remedies
//! dialog.rs     open, save, find a command
//! output.rs     render and export
//! ```

mod dialog;
mod graph;
mod history;
mod inspector;
pub(crate) mod keys;
mod menus;
pub(crate) mod modes;
mod outliner;
mod output;
mod problems;
mod simulation;
mod status;
mod timeline;
mod viewport;
pub(crate) mod welcome;

pub(crate) use dialog::{Answer, ChangedAnswer, Dialog, MarkerAnswer, dialog};
pub(crate) use history::history;
pub(crate) use inspector::inspector;
pub(crate) use menus::menu_bar;
pub(crate) use outliner::outliner;
pub(crate) use output::{OutputAnswer, OutputDialog, output_progress};
pub(crate) use status::status;
pub(crate) use viewport::viewport;

use egui::{Align, Layout, RichText, ScrollArea, Ui, vec2};
use lariat_eval::JobProgress;

use crate::{
    action::Actions,
    host::OutputProgress,
    session::Session,
    theme::{self, GAP, SPACE},
    workspace::{Panel, Workspace},
};

/// State that a panel reads, and its requests.
pub(crate) struct PanelContext<'a> {
    /// The open document.
    pub(crate) session: &'a Session,
    /// The arrangement of the window.
    pub(crate) workspace: &'a mut Workspace,
    /// Requests.
    pub(crate) actions: &'a mut Actions,
    /// Moments of the panels.
    pub(crate) state: &'a mut State,
    /// Whether the shot is playing.
    pub(crate) is_playing: bool,
    /// Progress of the simulation that is running.
    pub(crate) simulation: Option<JobProgress>,
    /// Progress of the extraction of modes.
    pub(crate) extraction: Option<OutputProgress>,
}

/// Hovers and drags that are going on; forgotten when the window closes.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) inspector: inspector::State,
    pub(crate) outliner: outliner::State,
    pub(crate) history: history::State,
    pub(crate) viewport: viewport::State,
    pub(crate) keys: keys::State,
    pub(crate) timeline: timeline::State,
    pub(crate) graph: graph::State,
    pub(crate) simulation: simulation::State,
    pub(crate) modes: modes::State,
    pub(crate) welcome: welcome::State,
}

/// Plain keys that the list of things keeps for itself, while it has the focus.
pub(crate) fn keys_of_list(context: &egui::Context) -> &'static [egui::Key] {
    outliner::State::keys(context)
}

/// Shows content in all of the space, without growing with it: the view beside it must not move while
/// something in it is dragged and numbers get longer.
pub(crate) fn of_fixed_width(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let rect = ui.available_rect_before_wrap();
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect));
    content(&mut child);
    ui.allocate_rect(rect, egui::Sense::hover());
}

/// The panel at the bottom: tabs, and the chosen one.
pub(crate) fn bottom(ui: &mut Ui, context: &mut PanelContext<'_>) {
    ui.horizontal(|ui| {
        for panel in Panel::ALL {
            let is_shown = context.workspace.panel == panel;
            if ui.selectable_label(is_shown, panel.name()).clicked() {
                context.workspace.panel = panel;
            }
        }
        ui.separator();
        timeline::controls(ui, context);
    });
    ui.add_space(GAP);
    match context.workspace.panel {
        Panel::Timeline => timeline::timeline(ui, context),
        Panel::Graph => graph::graph(ui, context),
        Panel::Simulation => simulation::simulation(ui, context),
        Panel::Modes => modes::modes(ui, context),
    }
}

/// A column of a panel at the bottom, which scrolls by itself.
fn column(ui: &mut Ui, name: &str, width: f32, show: impl FnOnce(&mut Ui)) {
    let height = ui.available_height();
    ui.allocate_ui_with_layout(vec2(width, height), Layout::top_down(Align::Min), |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing = vec2(SPACE, GAP);
        ScrollArea::vertical().id_salt(name).auto_shrink(false).show(ui, show);
    });
}

/// A sentence of second importance.
fn note(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).small().color(theme::of(ui).weak));
}
