//! Modes of recorded motion: extracted, played one at a time, and driven by a wiggle.
//!
//! ```text
//! source.rs  the motion, its frames, and the number of modes
//! table.rs   the modes: frequency, half-life, share, weight over time
//! drive.rs   how modes are played, and the wiggle that drives them
//! replay.rs  modes in the view, in place of the body they come from
//! ```
//!
//! Tests: `crates/lariat-studio/tests/studio/modes.rs`.

mod drive;
mod replay;
mod source;
mod table;

use egui::{Align, Layout, RichText, ScrollArea, Ui};
use lariat_core::modes::{ExtractOptions, ModeCount};
use lariat_scene::{Table, Thing};

use super::{PanelContext, column, note};
use crate::{
    host::ExtractedModes,
    session::Session,
    theme::{self, SPACE},
    workspace::{Panel, Workspace},
};

pub(crate) use replay::ReplayMoment;

/// Widths of the columns at the sides, in points: source, driving; the table has the rest.
const WIDTHS: [f32; 2] = [250.0, 250.0];

/// Least width of the table, in points.
const TABLE: f32 = 420.0;

/// Share of the motion that modes explain if their number is not given, as on the command line.
const SHARE: f64 = 0.99;

/// Recorded motion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A body of the document, by its name.
    Body(String),
    /// A file, by its place.
    File(String),
}

impl Source {
    /// Name for people.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Body(name) => name,
            Self::File(place) => place.rsplit(['/', '\\']).next().unwrap_or(place),
        }
    }
}

/// Motion that modes are asked for.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) source: Source,
    pub(crate) options: ExtractOptions,
    /// The body and the bodies it depends on, as they are in the document.
    described: Vec<Table>,
}

/// Modes that were found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) source: Source,
    pub(crate) modes: Box<ExtractedModes>,
    described: Vec<Table>,
}

/// The moment of the panel.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// The chosen motion; that of the active body if none.
    source: Option<Source>,
    /// First and last frame; the whole shot if none.
    frames: Option<[i64; 2]>,
    /// Number of modes; as many as are needed if none.
    count: Option<usize>,
    /// Lowest frequency of interest in hertz; 0 chooses it.
    lowest: f64,
    is_loop: bool,
    /// Motion that is handed to the host in this pass.
    asked: Option<Question>,
    /// Motion that modes are extracted from.
    running: Option<Question>,
    found: Option<Found>,
    error: Option<String>,
    replay: replay::State,
    /// The body that is driven; a new one if none.
    onto: Option<String>,
}

impl State {
    /// Asks for the modes of the chosen motion.
    pub(crate) fn ask(&mut self, session: &Session, workspace: &Workspace) {
        let Some(source) = self.source(session, workspace) else {
            self.error = Some("Select a body, or open a file with recorded motion.".to_owned());
            return;
        };
        let mode_count = self.count.map_or(ModeCount::Share(SHARE), ModeCount::Count);
        let lowest = (self.lowest > 0.0).then_some(self.lowest);
        let frames = self.frames.map(|[first, last]| first..=last);
        let options = ExtractOptions { mode_count, lowest, periodic: self.is_loop, frames };
        let described = described(session, &source);
        self.error = None;
        self.asked = Some(Question { source, options, described });
    }

    /// Takes the motion that is to be handed to the host.
    pub(crate) fn take_question(&mut self) -> Option<Question> {
        let asked = self.asked.take()?;
        self.running = Some(asked.clone());
        Some(asked)
    }

    /// Whether modes are asked for.
    pub(crate) fn is_asking(&self) -> bool {
        self.asked.is_some()
    }

    /// Takes the modes that were found, or the error.
    pub(crate) fn answer(&mut self, result: Result<Box<ExtractedModes>, String>) {
        let Some(Question { source, described, .. }) = self.running.take() else { return };
        match result {
            Err(why) => self.error = Some(crate::label::sentence(&why)),
            Ok(modes) => {
                self.found = Some(Found { source, modes, described });
                self.replay.begin();
                self.onto = None;
            }
        }
    }

    /// The modes that were found.
    pub(crate) fn found(&self) -> Option<&Found> {
        self.found.as_ref()
    }

    /// Chooses a file with recorded motion.
    pub(crate) fn open(&mut self, place: String) {
        self.source = Some(Source::File(place));
        self.frames = None;
    }

    /// Ends the playback of modes.
    pub(crate) fn stop(&mut self) {
        self.replay.stop();
    }

    /// The modes that are played, in place of the body they come from.
    pub(crate) fn replayed(
        &mut self,
        session: &Session,
        workspace: &Workspace,
    ) -> Option<std::sync::Arc<ReplayMoment>> {
        let is_shown = workspace.panel == Panel::Modes && workspace.shows_bottom;
        let found = self.found.as_ref().filter(|_| is_shown)?;
        self.replay.moment(found, session)
    }

    /// The motion that is chosen, or that of the active body.
    fn source(&self, session: &Session, workspace: &Workspace) -> Option<Source> {
        let document = session.editor.document();
        let active = || {
            let active = workspace.active().filter(|one| one.thing == Thing::Body)?;
            Some(Source::Body(active.name.clone()))
        };
        match &self.source {
            Some(Source::Body(name)) if document.find(Thing::Body, name).is_none() => active(),
            Some(source) => Some(source.clone()),
            None => active(),
        }
    }
}

impl Found {
    /// Whether the motion was changed after its modes were extracted.
    fn is_stale(&self, session: &Session) -> bool {
        described(session, &self.source) != self.described
    }
}

/// A body and the bodies it depends on, as they are in the document.
fn described(session: &Session, source: &Source) -> Vec<Table> {
    let Source::Body(name) = source else { return Vec::new() };
    let (scene, document) = (session.editor.scene(), session.editor.document());
    let Some(body) = scene.body_index(name) else { return Vec::new() };
    let all = scene.dependencies(body).iter().copied().chain([body]);
    let tables = all.filter_map(|body| document.find(Thing::Body, scene.body_name(body)));
    tables.map(|(_, table)| table.clone()).collect()
}

/// Shows the panel.
pub(crate) fn modes(ui: &mut Ui, context: &mut PanelContext<'_>) {
    ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
        ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0 * SPACE;
            let rest = ui.available_width() - WIDTHS.iter().sum::<f32>() - 6.0 * SPACE;
            column(ui, "modes source", WIDTHS[0], |ui| source::source(ui, context));
            column(ui, "modes table", rest.max(TABLE), |ui| table::table(ui, context));
            column(ui, "modes drive", WIDTHS[1], |ui| drive::drive(ui, context));
        });
    });
}

/// A message that needs attention.
fn warn(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).small().color(theme::of(ui).warning));
}
