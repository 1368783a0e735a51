//! The studio: panels in order, and their actions applied.
//!
//! A pass shows the panels, which push actions; then the actions change the editor, and the next pass
//! shows the result. A pass happens only after input, during playback, and after a change.
//!
//! Tests: `crates/lariat-studio/tests/studio/document.rs`.

mod disk;
mod documents;
mod markers;
mod modes;
mod rest;

use egui::{CentralPanel, Context, Frame, Panel as Side};
use lariat_editor::{Change, EditorError};
use lariat_render::NamedView;
use lariat_scene::{Edit, Path, Step, Thing, lower::Shot};

use crate::{
    action::{Action, Actions},
    command::{self, Command},
    edit::{Made, edit_of},
    host::{Host, LeftJournal, OutputRequest},
    kept,
    panel::{self, Dialog, OutputAnswer, OutputDialog, PanelContext},
    playback::{Playback, Range},
    session::Session,
    theme,
    viewport::{
        ScenePicture, bounds,
        hands::{Placeable, Wanted},
    },
    workspace::{Appearance, Overlay, Workspace},
};

/// Name of documents that were never saved.
const UNTITLED: &str = "untitled";

/// An empty shot.
const EMPTY: &str = "lariat = 2\n\n[shot]\nfps = 24\nframes = [1, 120]\n";

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
    panels: panel::State,
    /// Journals that were left behind by crashes, once they are known.
    left: Option<Vec<LeftJournal>>,
    /// Body of which is reported where it comes to rest.
    watched: Option<String>,
    /// Whether the window closes after this pass.
    quits: bool,
    /// Title of the window.
    title: String,
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
            panels: panel::State::default(),
            left: None,
            watched: None,
            quits: false,
            title: String::new(),
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
        self.message.as_ref().map(|message| &*message.text)
    }

    fn range(&self) -> Range {
        let shot = self.session.as_ref().map(|session| *session.editor.scene().shot());
        let Shot { first, last, rate, .. } = shot.unwrap_or_default();
        Range { first: first as f64, last: last as f64, rate: rate.per_second() }
    }

    pub(crate) fn fail(&mut self, text: String) {
        self.message = Some(Message { text, is_error: true });
    }

    fn tell(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), is_error: false });
    }

    fn apply(&mut self, action: Action, now: f64) {
        match action {
            Action::Run(command) => return self.run(command, now),
            Action::Open(place) => return self.ask_to_open(place),
            Action::Recover(journal) => return self.ask_to_leave(Leaving::Recover(journal)),
            Action::Discard(journal) => return self.host.discard_journal(&journal),
            Action::New { title, text } => {
                return self.ask_to_leave(Leaving::New { title, text });
            }
            Action::StopSimulation => return self.host.stop_simulation(),
            Action::OpenMotion => {
                self.dialog = Some(Dialog::motion(self.folder()));
                return;
            }
            Action::CancelModes => return self.host.cancel_modes(),
            Action::DriveModes { only, onto } => return self.drive_modes(only, onto.as_deref()),
            Action::Tell(text) => return self.tell(text),
            Action::Undo(count) => return self.undo(count),
            Action::Redo(count) => return self.redo(count),
            Action::AskMarker(index) => return self.ask_marker(index),
            Action::Reveal(path) => return self.reveal(path),
            Action::Select(thing, name) => return self.workspace.select(thing, &name, false),
            Action::Watch(body) => return self.watched = Some(body),
            Action::Place(kind) => return self.panels.viewport.place(kind),
            _ => {}
        }
        let Some(session) = &mut self.session else { return };
        let editor = &mut session.editor;
        let renamed = match &action {
            Action::Apply { edit: Edit::Rename { thing, from, to }, .. } => {
                Some((*thing, from.clone(), to.clone()))
            }
            _ => None,
        };
        let done: Result<(), EditorError> = match action {
            Action::Apply { name, edit } => editor.apply(name, &edit).map(drop),
            Action::Begin { name } => editor.begin(name),
            Action::Preview(edit) => editor.preview_whole(&edit),
            Action::Commit => {
                editor.commit();
                Ok(())
            }
            Action::Cancel => {
                editor.cancel();
                Ok(())
            }
            _ => Ok(()),
        };
        match done {
            Ok(()) => {
                self.message = None;
                if let Some((thing, from, to)) = renamed {
                    self.workspace.rename(thing, &from, &to);
                }
            }
            Err(error) => self.fail(error.to_string()),
        }
        self.keep_journal();
        self.forget_missing();
    }

    /// Forgets selected things that the document no longer has.
    fn forget_missing(&mut self) {
        if let Some(session) = &self.session {
            let document = session.editor.document();
            self.workspace.retain(|thing, name| document.find(thing, name).is_some());
        }
    }

    fn run(&mut self, command: Command, now: f64) {
        let range = self.range();
        let workspace = &mut self.workspace;
        if let Some(session) = &self.session
            && panel::keys::claim(
                command,
                session,
                workspace,
                &mut self.actions,
                &mut self.panels.keys,
            )
        {
            return;
        }
        match command {
            Command::New => {
                let text = EMPTY.to_owned();
                self.apply(Action::New { title: "Untitled".to_owned(), text }, now);
            }
            Command::Open => self.dialog = Some(Dialog::open(self.folder())),
            Command::Welcome => self.ask_to_leave(Leaving::Welcome),
            Command::Quit => self.ask_to_leave(Leaving::Quit),
            Command::Save => self.save(),
            Command::SaveAs => {
                let title = self.session.as_ref().map(|session| session.title.clone());
                self.dialog = title.map(|title| Dialog::save(self.folder(), &title));
            }
            Command::Render | Command::Export => {
                let folder = self.folder();
                let is_export = command == Command::Export;
                self.output = self
                    .session
                    .as_ref()
                    .map(|session| OutputDialog::new(session, &self.workspace, &folder, is_export));
            }
            Command::Palette => self.dialog = Some(Dialog::palette()),
            Command::Undo => self.undo(1),
            Command::Redo => self.redo(1),
            Command::Deselect => {
                let editor = self.session.as_mut().map(|session| &mut session.editor);
                match editor.filter(|editor| editor.gesture_name().is_some()) {
                    Some(editor) => drop(editor.cancel()),
                    None if self.dialog.is_some() => self.dialog = None,
                    None if self.panels.viewport.drop_offer() => {}
                    None => self.workspace.selected.clear(),
                }
            }
            Command::SelectAll => {
                let session = self.session.as_ref();
                let names: Vec<String> = session.map_or_else(Vec::new, |session| {
                    let names = session.editor.document().names(Thing::Body);
                    names.filter(|name| self.workspace.shows(name)).map(str::to_owned).collect()
                });
                self.workspace.selected.clear();
                for name in &names {
                    self.workspace.select(Thing::Body, name, true);
                }
            }
            Command::Play => {
                self.playback = match self.playback {
                    Some(_) => None,
                    None => Some(Playback::start(now, workspace.frame, range)),
                };
            }
            Command::FirstFrame => self.go_to(range.first, now),
            Command::LastFrame => self.go_to(range.last, now),
            Command::NextFrame => self.go_to(self.workspace.frame.floor() + 1.0, now),
            Command::PreviousFrame => self.go_to(self.workspace.frame.ceil() - 1.0, now),
            Command::Marker => self.mark(now),
            Command::NextMarker => self.go_to_marker(true, now),
            Command::PreviousMarker => self.go_to_marker(false, now),
            Command::Loop => workspace.loops = !workspace.loops,
            Command::AutoKey => workspace.auto_key = !workspace.auto_key,
            Command::FrameAll => workspace.frames_all = true,
            Command::FrameSelection => self.frame_selection(),
            Command::FromFront => workspace.look(NamedView::Front),
            Command::FromSide => workspace.look(NamedView::Side),
            Command::FromTop => workspace.look(NamedView::Top),
            Command::Perspective => {
                workspace.view.orthographic = !workspace.view.orthographic;
                workspace.camera = None;
            }
            Command::ThroughCamera => self.look_through_camera(),
            Command::Grid => workspace.shows_grid = !workspace.shows_grid,
            Command::Ghosts => workspace.shows_ghosts = !workspace.shows_ghosts,
            Command::Trails => workspace.shows_trails = !workspace.shows_trails,
            Command::Tension => workspace.toggle(Overlay::Tension),
            Command::Twist => workspace.toggle(Overlay::Twist),
            Command::Contact => workspace.toggle(Overlay::Contact),
            Command::CopyView => self.panels.viewport.copy(),
            Command::ExtractModes => self.extract_modes(),
            Command::HangRope => self.panels.viewport.place(Placeable::Body("suspended-rope")),
            Command::Move => self.panels.viewport.want(Wanted::Move),
            Command::Turn => self.panels.viewport.want(Wanted::Turn),
            Command::Rename => {
                if let Some(active) = workspace.active().cloned() {
                    workspace.shows_outliner = true;
                    self.panels.outliner.rename(active);
                }
            }
            Command::Hide => workspace.hide_selected(),
            Command::ShowAlone => workspace.show_selected_alone(),
            Command::ShowAll => workspace.visibility.show_all(),
            Command::Outliner => workspace.shows_outliner = !workspace.shows_outliner,
            Command::History => workspace.shows_history = !workspace.shows_history,
            Command::Inspector => workspace.shows_inspector = !workspace.shows_inspector,
            Command::Bottom => workspace.shows_bottom = !workspace.shows_bottom,
            Command::Appearance => workspace.appearance = workspace.appearance.other(),
            Command::Larger => workspace.scale = (workspace.scale * 1.1).min(3.0),
            Command::Smaller => workspace.scale = (workspace.scale / 1.1).max(0.5),
            other => self.run_edit(other),
        }
    }

    /// Commands that change the document.
    fn run_edit(&mut self, command: Command) {
        let Some(session) = &self.session else { return };
        match edit_of(command, session, &self.workspace) {
            None => {}
            Some(Err(error)) => self.fail(error.to_string()),
            Some(Ok(Made { name, edit, selected, note })) => {
                self.apply(Action::Apply { name, edit }, 0.0);
                if !selected.is_empty() {
                    self.workspace.selected = selected;
                }
                self.forget_missing();
                if let Some(note) = note {
                    self.tell(note);
                }
            }
        }
    }

    /// The folder that dialogs start in.
    fn folder(&self) -> String {
        let place = self.session.as_ref().and_then(|session| session.place.as_deref());
        self.host.start_folder(place)
    }

    fn undo(&mut self, count: usize) {
        let Some(session) = &mut self.session else { return };
        match session.editor.undo_many(count) {
            Some(change) => self.tell(changed("Undone", &change)),
            None => self.tell("There is nothing to undo"),
        }
        self.forget_missing();
    }

    fn redo(&mut self, count: usize) {
        let Some(session) = &mut self.session else { return };
        match session.editor.redo_many(count) {
            Some(change) => self.tell(changed("Redone", &change)),
            None => self.tell("There is nothing to redo"),
        }
        self.forget_missing();
    }

    /// Selects the thing that a path belongs to, and scrolls the inspector to the row of the path.
    fn reveal(&mut self, path: Path) {
        let Some(session) = &self.session else { return };
        let document = session.editor.document();
        let named = document.named(&path);
        if let [Step::Field(list), Step::Field(name), ..] = named.steps()
            && let Some(thing) = Thing::ALL.into_iter().find(|thing| thing.list() == &**list)
        {
            self.workspace.select(thing, name, false);
        } else {
            self.workspace.selected.clear();
        }
        self.workspace.shows_inspector = true;
        self.panels.inspector.reveal(document.as_written(&path).unwrap_or(path));
    }

    fn go_to(&mut self, frame: f64, now: f64) {
        let range = self.range();
        self.workspace.frame = frame.clamp(range.first, range.last);
        if self.playback.is_some() {
            self.playback = Some(Playback::start(now, self.workspace.frame, range));
        }
    }

    fn frame_selection(&mut self) {
        let Some(session) = &self.session else { return };
        let (scene, workspace) = (session.editor.scene(), &mut self.workspace);
        let is_selected = |body: usize| workspace.is_selected(Thing::Body, scene.body_name(body));
        let Some(pose) = session.shown() else { return };
        let around = bounds(pose, is_selected);
        if around.is_empty() {
            workspace.frames_all = true;
        } else {
            workspace.framed = Some(around);
        }
        workspace.camera = None;
    }

    fn look_through_camera(&mut self) {
        let Some(session) = &self.session else { return };
        let cameras = session.editor.scene().camera_count();
        let next = self.workspace.camera.map_or(0, |camera| camera + 1);
        self.workspace.camera = (next < cameras).then_some(next);
        if cameras == 0 {
            self.tell("The shot has no camera; add one with Add › Camera from this view");
        }
    }

    /// Moves on to the frame that is due.
    fn advance(&mut self, context: &Context) {
        let Some(playback) = self.playback else { return };
        let (now, range) = (context.input(|input| input.time), self.range());
        match playback.frame(now, range, self.workspace.loops) {
            Some(frame) => {
                self.workspace.frame = frame;
                let wait = playback.until_next(now, range).max(0.001);
                context.request_repaint_after(std::time::Duration::from_secs_f64(wait));
            }
            None => {
                self.workspace.frame = range.last;
                self.playback = None;
            }
        }
    }

    /// Files that were dropped on the window.
    fn take_dropped(&mut self, context: &Context) {
        let dropped = context.input(|input| input.raw.dropped_files.clone());
        for file in dropped {
            let place = file.path().to_string_lossy().into_owned();
            self.ask_to_open(place);
        }
    }

    fn show_panels(&mut self, ui: &mut egui::Ui, state: Option<&egui_wgpu::RenderState>) {
        Side::top("menus").show(ui, |ui| {
            let session = self.session.as_ref();
            panel::menu_bar(ui, session, &self.workspace, &mut self.actions);
        });
        let Some(session) = &mut self.session else {
            CentralPanel::default_margins().show(ui, |ui| {
                let left = self.left.get_or_insert_with(|| self.host.left_journals());
                let recent = self.host.recent();
                panel::welcome(ui, &recent, left, self.message.as_ref(), &mut self.actions);
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
            panel::status(ui, &mut context, self.message.as_ref());
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
                    let side = Side::bottom("history").resizable(true).default_size(history);
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
            let failed = panel::viewport(ui, &mut context, state, &mut self.picture);
            if let Err(error) = failed {
                self.picture = None;
                self.message = Some(Message { text: error.to_string(), is_error: true });
            }
        });
    }

    /// The dialog for an output, its progress, and its result.
    fn show_output(&mut self, context: &Context) {
        match self.host.output_result() {
            Some(Ok(text)) => self.tell(text),
            Some(Err(why)) => self.fail(why),
            None => {}
        }
        if let Some(progress) = self.host.output()
            && panel::output_progress(context, progress)
        {
            self.host.cancel_output();
        }
        let (Some(dialog), Some(session)) = (&mut self.output, &self.session) else { return };
        match dialog.show(context, &mut *self.host, session, &self.workspace) {
            OutputAnswer::None => {}
            OutputAnswer::Closed => self.output = None,
            OutputAnswer::Write { place, frames, work, replaces } => {
                let (scene, lowered) = session.editor.snapshot();
                let request = OutputRequest { place, scene, lowered, frames, work, replaces };
                let context = context.clone();
                let report = Box::new(move || context.request_repaint());
                match self.host.write_output(request, report) {
                    Ok(()) => self.output = None,
                    Err(why) => self.fail(why),
                }
            }
        }
    }

    fn show_dialog(&mut self, context: &Context, now: f64) {
        let Some(dialog) = &mut self.dialog else { return };
        match panel::dialog(context, dialog, &*self.host) {
            panel::Answer::None => {}
            panel::Answer::Closed => self.dialog = None,
            panel::Answer::Run(command) => {
                self.dialog = None;
                self.run(command, now);
            }
            panel::Answer::Open(place) => {
                self.dialog = None;
                self.open(&place);
            }
            panel::Answer::Motion(place) => {
                self.dialog = None;
                self.panels.modes.open(place);
            }
            panel::Answer::Save(place) => {
                self.dialog = None;
                self.save_to(&place, false);
            }
            panel::Answer::SaveThen(then) => {
                self.dialog = None;
                self.save();
                let is_saved =
                    self.session.as_ref().is_some_and(|session| !session.editor.is_modified());
                if is_saved {
                    self.leave(then);
                }
            }
            panel::Answer::Changed(answer, saves) => {
                self.dialog = None;
                self.answer_changed(answer, saves);
            }
            panel::Answer::Marker(marker) => {
                self.dialog = None;
                self.change_marker(marker, now);
            }
            panel::Answer::LeaveAnyway(then) => {
                self.dialog = None;
                self.leave(then);
            }
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
        self.keep_arrangement_at(now);
        self.guard_close(&context);
        // During a gesture in the view, keys are axes and numbers.
        if !self.panels.viewport.takes_keys() {
            let kept = panel::keys_of_list(&context);
            for command in command::pressed(&context, kept) {
                self.run(command, now);
            }
        }
        self.advance(&context);
        self.show_panels(ui, state);
        self.report_rest();
        self.show_dialog(&context, now);
        self.show_output(&context);
        self.show_modes(&context);
        let actions = self.actions.take();
        if !actions.is_empty() {
            // The panels before the one that asked show the result in the next pass.
            context.request_repaint();
        }
        for action in actions {
            self.apply(action, now);
        }
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

/// A sentence about changes that were undone or redone.
fn changed(done: &str, change: &Change) -> String {
    match change.entries {
        0 | 1 => format!("{done}: {}", change.name),
        many => format!("{done}: {many} changes"),
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
