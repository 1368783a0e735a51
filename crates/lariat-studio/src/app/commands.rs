//! Commands of menus, shortcuts and the palette, carried out.
//!
//! Tests: `crates/lariat-studio/tests/studio/document.rs`, `crates/lariat-studio/tests/studio/view.rs`.

use lariat_render::NamedView;
use lariat_scene::Thing;

use super::{Leaving, Studio};
use crate::{
    action::Action,
    command::Command,
    edit::{Made, edit_of},
    panel::{self, Dialog, OutputDialog},
    playback::Playback,
    viewport::{
        bounds,
        hands::{Placeable, Wanted},
    },
    workspace::Overlay,
};

/// An empty shot.
const EMPTY: &str = "lariat = 2\n\n[shot]\nfps = 24\nframes = [1, 120]\n";

impl Studio {
    pub(super) fn run(&mut self, command: Command, now: f64) {
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
            Command::Save => self.save(None),
            Command::SaveAs => self.ask_where_to_save(None),
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
            Command::Solo => workspace.solo_selected(),
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
                    self.report(note);
                }
            }
        }
    }

    /// The folder that dialogs start in.
    pub(super) fn folder(&self) -> String {
        let place = self.session.as_ref().and_then(|session| session.place.as_deref());
        self.host.start_folder(place)
    }

    pub(super) fn frame_selection(&mut self) {
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

    pub(super) fn look_through_camera(&mut self) {
        let Some(session) = &self.session else { return };
        let cameras = session.editor.scene().camera_count();
        let next = self.workspace.camera.map_or(0, |camera| camera + 1);
        self.workspace.camera = (next < cameras).then_some(next);
        if cameras == 0 {
            self.report("The shot has no camera; add one with Add › Camera from this view");
        }
    }
}
