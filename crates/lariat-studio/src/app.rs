//! The studio: panels in order, and their actions applied.
//!
//! A pass shows the panels, which push actions; then the actions change the editor, and the next pass
//! shows the result. A pass happens only after input, during playback, and after a change.
//!
//! Tests: `crates/lariat-studio/tests/studio/document.rs`.

mod actions;
mod arrangement;
mod commands;
mod dialogs;
mod disk;
mod documents;
mod layout;
mod markers;
mod modes;
mod rest;
mod stops;
mod time;

use egui::Context;

use crate::{
    action::Actions,
    command::{self, Command},
    host::{Host, LeftJournal},
    kept,
    panel::{self, Dialog, OutputDialog},
    playback::Playback,
    session::Session,
    theme,
    viewport::ScenePicture,
    workspace::{Appearance, Workspace},
};

/// The document that the studio starts with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Opening {
    /// The welcome page.
    #[default]
    Welcome,
    /// An empty shot.
    Empty,
    /// A place on the disk, or `museum:NAME`.
    Document(String),
}

/// The studio.
pub struct Studio {
    host: Box<dyn Host>,
    session: Option<Session>,
    /// The arrangement of the window.
    pub workspace: Workspace,
    actions: Actions,
    playback: Option<Playback>,
    picture: Option<ScenePicture>,
    dialog: Option<Dialog>,
    output: Option<OutputDialog>,
    message: Option<Message>,
    /// The error of the picture of the scene, until a picture succeeds.
    picture_error: Option<Message>,
    /// Names of the simulations that stopped early.
    stopped: Vec<String>,
    panels: panel::State,
    /// Journals that were left behind by crashes, once they are known.
    left: Option<Vec<LeftJournal>>,
    /// Body of which is reported where it comes to rest.
    watched: Option<rest::Watched>,
    /// Whether the window closes after this pass.
    quits: bool,
    /// Title of the window.
    title: String,
    /// The arrangement as it was kept last.
    arranged: Option<(String, Workspace)>,
    /// Time at which the arrangement was kept last.
    arranged_at: f64,
    /// The theme that was applied last.
    themed: Option<(Appearance, f32)>,
}

/// Next step after the document is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leaving {
    Open(String),
    New { title: String, text: String },
    Recover(String),
    Welcome,
    Quit,
}

/// A message at the bottom of the window.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

impl std::fmt::Debug for Studio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let title = self.session.as_ref().map(|session| &session.title);
        f.debug_struct("Studio").field("document", &title).finish_non_exhaustive()
    }
}

impl Studio {
    /// Opens the studio in a window.
    pub fn new(host: Box<dyn Host>, opening: &Opening) -> Self {
        let mut studio = Self {
            host,
            session: None,
            workspace: Workspace::default(),
            actions: Actions::default(),
            playback: None,
            picture: None,
            dialog: None,
            output: None,
            message: None,
            picture_error: None,
            stopped: Vec::new(),
            panels: panel::State::default(),
            left: None,
            watched: None,
            quits: false,
            title: String::new(),
            arranged: None,
            arranged_at: 0.0,
            themed: None,
        };
        kept::restore_window(&studio.arrangement(), &mut studio.workspace);
        match opening {
            Opening::Welcome => {}
            Opening::Empty => studio.run(Command::New, 0.0),
            Opening::Document(place) => studio.open(place),
        }
        studio
    }

    /// The open document.
    pub fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// Whether the shot is playing.
    pub fn is_playing(&self) -> bool {
        self.playback.is_some()
    }

    /// Height of the ground in the view, in metres.
    pub fn ground_height(&self) -> f64 {
        let shot = self.session.as_ref().map(|session| *session.editor.scene().shot());
        self.panels.viewport.ground.height(&shot.unwrap_or_default())
    }

    /// Frame and held point of a simulated body that is being pulled.
    pub fn pulled(&self) -> Option<(f64, glam::DVec3)> {
        self.panels.viewport.pulled()
    }

    /// The message at the bottom of the window.
    pub fn message(&self) -> Option<&str> {
        self.shown_message().map(|message| &*message.text)
    }

    fn shown_message(&self) -> Option<&Message> {
        self.picture_error.as_ref().or(self.message.as_ref())
    }

    pub(crate) fn fail(&mut self, text: String) {
        self.message = Some(Message { text, is_error: true });
    }

    fn report(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), is_error: false });
    }

    /// Files that were dropped on the window.
    fn take_dropped(&mut self, context: &Context) {
        let dropped = context.input(|input| input.raw.dropped_files.clone());
        for file in dropped {
            let place = file.path().to_string_lossy().into_owned();
            self.ask_to_open(place);
        }
    }
}

impl eframe::App for Studio {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        let state = frame.wgpu_render_state().cloned();
        self.show(ui, state.as_ref());
    }
}

impl Studio {
    /// Shows the panels and applies their actions. Without a device the view of the scene is empty.
    pub fn show(&mut self, ui: &mut egui::Ui, state: Option<&egui_wgpu::RenderState>) {
        let context = ui.ctx().clone();
        let theme = (self.workspace.appearance, self.workspace.scale);
        if self.themed != Some(theme) {
            theme::apply(&context, theme.0, theme.1);
            self.themed = Some(theme);
        }
        let now = context.input(|input| input.time);
        self.take_dropped(&context);
        self.notice_changes(&context);
        self.keep_arrangement_soon(&context);
        self.guard_close(&context);
        // During a gesture in the view, keys are axes and numbers; a dialog has its own.
        let has_dialog = self.dialog.is_some() || self.output.is_some();
        if !self.panels.viewport.takes_keys() && !has_dialog {
            let kept = match self.session {
                Some(_) => panel::keys_of_list(&context),
                None => panel::welcome::KEYS,
            };
            for command in command::pressed(&context, kept) {
                self.run(command, now);
            }
        }
        self.advance(&context);
        self.report_stops();
        self.show_panels(ui, state);
        self.report_rest(&context);
        self.show_dialog(&context, now);
        self.show_output(&context);
        self.show_modes(&context);
        if has_dialog && self.dialog.is_none() && self.output.is_none() {
            // It was closed after it was drawn.
            context.request_repaint();
        }
        let actions = self.actions.take();
        if !actions.is_empty() {
            // The panels before the one that asked show the result in the next pass.
            context.request_repaint();
        }
        for action in actions {
            self.apply(action, now);
        }
        self.notice_journal_error();
        if self.quits {
            context.send_viewport_cmd(egui::ViewportCommand::Close);
        }
        self.show_title(&context);
    }

    /// Asks before the window is closed with unsaved changes.
    fn guard_close(&mut self, context: &Context) {
        let closes = context.input(|input| input.viewport().close_requested());
        if closes && !self.quits && !self.may_leave(Leaving::Quit) {
            context.send_viewport_cmd(egui::ViewportCommand::CancelClose);
        } else if closes {
            self.close_session();
        }
    }

    fn show_title(&mut self, context: &Context) {
        let title = self.session.as_ref().map_or_else(
            || "Lariat".to_owned(),
            |session| {
                let changed = if session.editor.is_modified() { "• " } else { "" };
                format!("{changed}{} – Lariat", session.title)
            },
        );
        if title != self.title {
            context.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }
}
