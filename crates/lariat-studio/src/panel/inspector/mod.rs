//! The parameters of the selection, generated from the schema.
//!
//! ```text
//! row.rs    one parameter: name, control, key, reset, diagnostics
//! value.rs  controls by kind of value
//! ```

mod row;
mod value;

use egui::{RichText, ScrollArea, Ui};
use lariat_scene::{
    Path, Table, Thing,
    schema::{BODY, CAMERA, COLLIDER, Field, Kind, LOCATOR, RecordType, SHOT},
};

use super::{PanelContext, outliner::list};
use crate::{
    label,
    theme::{self, SPACE},
};

/// Shows the parameters of the active thing, or those of the shot.
pub(crate) fn inspector(ui: &mut Ui, context: &mut PanelContext<'_>) {
    ui.add_space(SPACE);
    let active = context.workspace.active().cloned();
    let document = context.session.editor.document();
    let shown = match &active {
        None => None,
        Some(one) => {
            let path = format!("{}.{}", list(one.thing), one.name).parse::<Path>().ok();
            let table = document.find(one.thing, &one.name).map(|(_, table)| table);
            path.zip(table).and_then(|(path, table)| {
                Some((path, table, record_type(one.thing, table)?, one.name.clone()))
            })
        }
    };
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| match shown {
        Some((path, table, record, name)) => {
            let kind = label::words(record.name);
            header(ui, &name, &kind, record.help);
            slack(ui, context, &name);
            fields(ui, context, &path, Some(table), record);
        }
        None => {
            header(ui, "Shot", "", SHOT.types[0].help);
            let path = Path::default().field("shot");
            let table = document.get(&path).and_then(|value| value.table());
            fields(ui, context, &path, table, SHOT.types[0]);
        }
    });
}

/// The record type of a thing, by its tag.
fn record_type(thing: Thing, table: &Table) -> Option<&'static RecordType> {
    let family = match thing {
        Thing::Body => &BODY,
        Thing::Locator => &LOCATOR,
        Thing::Collider => &COLLIDER,
        Thing::Camera => &CAMERA,
    };
    match family.tag {
        None => family.types.first().copied(),
        Some(tag) => family.find(table.text(tag)?),
    }
}

fn header(ui: &mut Ui, name: &str, kind: &str, help: &str) {
    ui.horizontal(|ui| {
        ui.heading(name);
        ui.label(RichText::new(kind).color(theme::of(ui).weak)).on_hover_text(help);
    });
    ui.add_space(SPACE);
}

/// Length beyond the straight gap, where a body has one.
fn slack(ui: &mut Ui, context: &PanelContext<'_>, name: &str) {
    let scene = context.session.editor.scene();
    let body = scene.body_index(name);
    let shape = body.and_then(|body| context.session.shown()?.bodies.get(body));
    if let Some(slack) = shape.and_then(|shape| shape.slack) {
        let text = format!("Slack {} m", label::number(slack));
        let colour = if slack < 0.0 { theme::of(ui).error } else { theme::of(ui).weak };
        ui.label(RichText::new(text).color(colour));
    }
}

/// Common parameters first; the others on request.
fn fields(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    path: &Path,
    table: Option<&Table>,
    record: &'static RecordType,
) {
    let is_given = |field: &Field| {
        table.is_some_and(|table| table.iter().any(|(name, _)| field.is_called(name)))
    };
    let shows_all = context.workspace.shows_all_parameters;
    let mut hidden = 0;
    for field in record.fields {
        if !(shows_all || is_given(field) || is_common(field)) {
            hidden += 1;
            continue;
        }
        row::row(ui, context, path, table, field);
    }
    if hidden > 0 || shows_all {
        let text = match shows_all {
            true => "Fewer parameters".to_owned(),
            false => format!("{hidden} more parameters"),
        };
        ui.add_space(SPACE);
        if ui.button(text).clicked() {
            context.workspace.shows_all_parameters = !shows_all;
        }
    }
}

/// Whether a parameter is shown without asking: those that move a body.
fn is_common(field: &Field) -> bool {
    field.required
        || matches!(field.kind, Kind::Anchor)
        || (field.animatable && matches!(field.kind, Kind::Scalar(_) | Kind::Vector(_)))
}
