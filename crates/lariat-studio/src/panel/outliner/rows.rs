//! Rows of the list: titles, things, and what their ends are tied to.
//!
//! They are made again only after a change of the document or of the filter, so that a scene of
//! thousands of bodies costs nothing while it plays.

use lariat_scene::{
    Path, Table, Thing, Value,
    schema::{Kind, RecordType},
};

use crate::{
    icon::Icon,
    label,
    panel::inspector::{path_of, record_type},
    session::Session,
};

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Row {
    /// The title of a kind of things.
    Title(Thing),
    /// A thing, with its place in the list of its kind.
    Thing { thing: Thing, name: String, icon: Icon, index: usize },
    /// An end of the thing above that is tied to another one.
    Tie { path: Path, words: String },
}

/// All rows.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Revision of the document and filter that they belong to.
    of: Option<(u64, String)>,
    pub(super) all: Vec<Row>,
}

/// Kinds of things, in the order of the list.
const KINDS: [Thing; 4] = [Thing::Body, Thing::Locator, Thing::Collider, Thing::Camera];

impl Rows {
    /// Makes the rows again, if something changed.
    pub(super) fn update(&mut self, session: &Session, filter: &str) {
        let of = (session.editor.revision(), filter.trim().to_lowercase());
        if self.of.as_ref() == Some(&of) {
            return;
        }
        self.all.clear();
        let document = session.editor.document();
        for thing in KINDS {
            let mut is_first = true;
            for (index, table) in document.things(thing) {
                let Some(name) = table.text("name") else { continue };
                if !of.1.is_empty() && !name.to_lowercase().contains(&of.1) {
                    continue;
                }
                if std::mem::take(&mut is_first) {
                    self.all.push(Row::Title(thing));
                }
                let icon = icon_of(thing, table);
                self.all.push(Row::Thing { thing, name: name.to_owned(), icon, index });
                let record = record_type(thing, table).map(|(_, record)| record);
                self.all
                    .extend(record.into_iter().flat_map(|record| ties(thing, name, table, record)));
            }
        }
        self.of = Some(of);
    }

    /// Index of the row of a thing.
    pub(super) fn position(&self, sought: (Thing, &str)) -> Option<usize> {
        let is_it = |row: &Row| matches!(row, Row::Thing { thing, name, .. } if (*thing, &**name) == sought);
        self.all.iter().position(is_it)
    }

    /// The next thing after a row, or before it; the first or last one without a row.
    pub(super) fn next(&self, from: Option<usize>, forwards: bool) -> Option<(Thing, &str)> {
        let thing = |row: &'_ Row| matches!(row, Row::Thing { .. });
        let index = match (from, forwards) {
            (Some(from), true) => (from + 1..self.all.len()).find(|at| thing(&self.all[*at])),
            (Some(from), false) => (0..from).rev().find(|at| thing(&self.all[*at])),
            (None, true) => self.all.iter().position(thing),
            (None, false) => self.all.iter().rposition(thing),
        };
        match self.all.get(index?) {
            Some(Row::Thing { thing, name, .. }) => Some((*thing, name)),
            _ => None,
        }
    }
}

/// Ends of a thing that are tied to others.
fn ties(thing: Thing, name: &str, table: &Table, record: &RecordType) -> Vec<Row> {
    let anchors = record.fields.iter().filter(|field| matches!(field.kind, Kind::Anchor));
    let tie = |field: &lariat_scene::schema::Field| {
        let (written, value) = table.iter().find(|(name, _)| field.is_called(name))?;
        let held = value.table()?;
        let on = held.text("locator").or_else(|| held.text("body"))?;
        let words = format!("{} on {on}", end(field.name));
        Some(Row::Tie { path: path_of(thing, name).field(written), words })
    };
    anchors.filter_map(tie).collect()
}

/// Name of the end that an anchor holds.
pub(in crate::panel) fn end(anchor: &str) -> String {
    match anchor {
        "from" => "Start".to_owned(),
        "to" => "End".to_owned(),
        other => label::words(other),
    }
}

fn icon_of(thing: Thing, table: &Table) -> Icon {
    match (thing, table.get("model").and_then(Value::text)) {
        (Thing::Locator, _) => Icon::Locator,
        (Thing::Collider, _) => Icon::Collider,
        (Thing::Camera, _) => Icon::Camera,
        (Thing::Body, Some("solid" | "mesh" | "shape")) => Icon::Solid,
        (Thing::Body, Some("coiled-cord" | "microphone-cord" | "spring" | "slinky")) => Icon::Coil,
        (Thing::Body, Some("hoop" | "lasso")) => Icon::Hoop,
        (Thing::Body, Some("string-of-lights")) => Icon::Lights,
        (Thing::Body, Some("loose-rope" | "strap" | "tail")) => Icon::Loose,
        (Thing::Body, _) => Icon::Rope,
    }
}
