//! Modes of recorded motion: extracted by the host, and driven by wiggles in the document.
//!
//! Tests: `crates/lariat-studio/tests/studio/modes.rs`, `modes_that_cannot_be_driven_leave_no_file`.

use egui::Context;
use glam::DVec3;
use lariat::modes_document::ModesDocumentError;
use lariat_eval::Files;
use lariat_scene::{Document, Edit, Path, Table, Thing, Value};

use super::Studio;
use crate::{
    host::{ExtractedModes, ModesRequest, ModesSource},
    panel::{self, modes::Source},
    session::Session,
    workspace::Panel,
};

impl Studio {
    /// Whether work is going on whose result the panels will show.
    pub fn is_working(&self) -> bool {
        let modes = &self.panels.modes;
        let is_extracting = modes.is_asking() || self.host.modes_progress().is_some();
        is_extracting || self.panels.welcome.is_waiting()
    }

    /// Asks for the modes of the active body, with the settings of the panel.
    pub fn extract_modes(&mut self) {
        let Some(session) = &self.session else { return };
        self.workspace.panel = Panel::Modes;
        self.workspace.shows_bottom = true;
        self.panels.modes.ask(session, &self.workspace);
    }

    /// Hands motion to the host, and takes modes from it.
    pub(super) fn show_modes(&mut self, context: &Context) {
        if let Some(result) = self.host.modes_result() {
            self.panels.modes.answer(result);
            context.request_repaint();
        }
        let Some(session) = &self.session else { return };
        let Some(panel::modes::Question { source, options, .. }) =
            self.panels.modes.take_question()
        else {
            return;
        };
        let source = match source {
            Source::File(place) => ModesSource::File(place),
            Source::Body(name) => {
                let (scene, lowered) = session.editor.snapshot();
                ModesSource::Body { scene, lowered, name }
            }
        };
        let again = context.clone();
        let report = Box::new(move || again.request_repaint());
        if let Err(why) = self.host.extract_modes(ModesRequest { source, options }, report) {
            self.panels.modes.answer(Err(why));
        }
    }

    /// Adds a body that the modes move, or the modes to a body, as one entry.
    pub(super) fn drive_modes(&mut self, only: Option<usize>, onto: Option<&str>) {
        let Some(session) = &self.session else { return };
        let Some(found) = self.panels.modes.found() else { return };
        let (modes, name) = (&*found.modes, onto.unwrap_or(found.source.name()));
        let file = unused_name(&*self.host, session, name, &modes.file);
        let driven = match onto {
            Some(body) => driven_body(session.editor.document(), modes, &file, only, body),
            None => new_bodies(session, modes, &file, only, &found.source),
        };
        // Nothing is written for an edit that cannot be applied.
        let checked = driven.map_err(|error| error.to_string()).and_then(|driven| {
            let tried = session.editor.document().clone().apply(&driven.edit);
            tried.map(|_| driven).map_err(|error| error.to_string())
        });
        let Driven { edit, body, curves } = match checked {
            Ok(driven) => driven,
            Err(why) => return self.fail(format!("The modes cannot be driven: {why}")),
        };
        let written = match &session.place {
            Some(place) => self.host.write_beside(place, &file, modes.file.as_bytes()),
            None => {
                session.files.make(&file, &*modes.file);
                Ok(())
            }
        };
        if let Err(why) = written {
            return self.fail(format!("The modes cannot be written: {why}"));
        }
        let Some(session) = &mut self.session else { return };
        if let Err(error) = session.editor.apply(format!("Drive {body} by a wiggle"), &edit) {
            return self.fail(error.to_string());
        }
        self.panels.modes.stop();
        self.workspace.select(Thing::Body, &body, false);
        self.workspace.channels = curves;
        self.workspace.panel = Panel::Graph;
        let keys =
            modes_text(self.panels.modes.found().map_or(0, |found| found.modes.document.keys));
        self.keep_journal();
        self.report(format!(
            "{body} follows the recording with {keys}; drag its knots in the graph"
        ));
    }
}

fn modes_text(keys: usize) -> String {
    if keys == 1 { "1 key".to_owned() } else { format!("{keys} keys") }
}

/// An edit that drives modes.
struct Driven {
    edit: Edit,
    /// Name of the body.
    body: String,
    /// Paths of the wiggles.
    curves: Vec<String>,
}

/// A name for a file of modes that no other file has. A file with the same modes is used again.
fn unused_name(host: &dyn crate::Host, session: &Session, body: &str, modes: &str) -> String {
    let stem = session.title.trim_end_matches(".lariat");
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
    let base: String =
        format!("{stem}-{}", body.trim_end_matches(".csv")).chars().map(plain).collect();
    let folder =
        session.place.as_deref().and_then(|place| place.rfind(['/', '\\']).map(|at| &place[..=at]));
    let most = session.editor.limits().bytes_per_asset;
    let is_free = |name: &String| match session.files.read(name, most) {
        Ok(bytes) => bytes == modes.as_bytes(),
        Err(_) => !folder.is_some_and(|folder| host.exists(&format!("{folder}{name}"))),
    };
    let first = format!("{base}.modes");
    let others = (2..).map(|number| format!("{base}-{number}.modes"));
    std::iter::once(first.clone()).chain(others).take(1000).find(is_free).unwrap_or(first)
}

/// New bodies beside the recorded one.
fn new_bodies(
    session: &Session,
    modes: &ExtractedModes,
    file: &str,
    only: Option<usize>,
    source: &Source,
) -> Result<Driven, ModesDocumentError> {
    let document = session.editor.document();
    let taken: Vec<String> = document.names(Thing::Body).map(str::to_owned).collect();
    let bodies = modes.document.bodies(&modes.extracted.set, file, only, &taken)?;
    let list = Path::root().field(Thing::Body.list());
    let first = taken.len();
    let leader = bodies.first();
    let name = leader.and_then(|body| body.text("name")).unwrap_or_default().to_owned();
    let count = leader.and_then(|body| body.get("modes")?.list()).map_or(0, <[Value]>::len);
    let curves = (0..count).map(|mode| curve(&name, mode)).collect();
    let insert = |(at, mut body): (usize, Table)| {
        if let Source::Body(_) = source {
            body.set("position", beside(modes.extracted.set.mean()));
        }
        Edit::Insert { list: list.clone(), index: first + at, value: body.into() }
    };
    let edits = bodies.into_iter().enumerate().map(insert).collect();
    Ok(Driven { edit: Edit::Batch(edits), body: name, curves })
}

/// Path of a drive as the graph names it.
fn curve(body: &str, mode: usize) -> String {
    let list = Path::root().field(Thing::Body.list());
    list.field(body).field("modes").index(mode).field("drive").to_string()
}

/// Distance to the side at which a body is beside the recorded one: its width and a fifth.
fn beside(mean: &[f64]) -> DVec3 {
    let (low, high) = mean
        .iter()
        .step_by(3)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    let width = 1.2 * (high - low).max(0.1);
    DVec3::new((100.0 * width).ceil() / 100.0, 0.0, 0.0)
}

/// Modes of a body that is there already.
fn driven_body(
    document: &Document,
    modes: &ExtractedModes,
    file: &str,
    only: Option<usize>,
    body: &str,
) -> Result<Driven, ModesDocumentError> {
    let list = Path::root().field(Thing::Body.list()).field(body).field("modes");
    let given = document.find(Thing::Body, body).and_then(|(_, body)| body.get("modes")?.list());
    let first = given.map_or(0, <[Value]>::len);
    let made = modes.document.bodies(&modes.extracted.set, file, only, &[])?;
    let made = made.first().and_then(|body| body.get("modes")?.list());
    let tables = made.unwrap_or_default().iter().filter_map(Value::table);
    let insert = |(at, mode): (usize, &Table)| {
        let mode: Table = [("file".to_owned(), Value::from(file))]
            .into_iter()
            .chain(mode.iter().map(|(name, value)| (name.to_owned(), value.clone())))
            .collect();
        Edit::Insert { list: list.clone(), index: first + at, value: mode.into() }
    };
    let edits: Vec<Edit> = tables.enumerate().map(insert).collect();
    let curves = (first..first + edits.len()).map(|mode| curve(body, mode)).collect();
    Ok(Driven { edit: Edit::Batch(edits), body: body.to_owned(), curves })
}

#[cfg(test)]
mod tests {
    use std::{fs, thread, time::Duration};

    use crate::{Opening, Studio, host::native::Native};

    use super::*;

    #[test]
    fn modes_that_cannot_be_driven_leave_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("shot.lariat");
        let text = "lariat = 2\n[shot]\nframes = [1, 48]\n[[body]]\nname = \"rein\"\n\
                    model = \"suspended-rope\"\nfrom = [0, 0, 2]\nto = [3, 0, 2]\nlength = 4\n\
                    swing = { keys = [[1, 0], [24, 35]] }\n";
        fs::write(&place, text).unwrap();
        let opening = Opening::Document(place.to_str().unwrap().to_owned());
        let mut studio = Studio::new(Box::new(Native::without_state()), &opening);
        studio.workspace.select(Thing::Body, "rein", false);
        studio.extract_modes();
        while studio.is_working() {
            studio.show_modes(&Context::default());
            thread::sleep(Duration::from_millis(5));
        }
        studio.drive_modes(Some(99), None);
        assert!(studio.message().unwrap().contains("no such mode"));
        assert_eq!(studio.session().unwrap().editor.text(), text);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
