//! Menu of an end: things that it can be attached to, a point of its own, and letting go.
//!
//! Tests: `crates/lariat-studio/tests/studio/tasks.rs`.

use egui::{Button, RichText, ScrollArea, Ui};
use lariat_editor::tool::{End, ToolError};
use lariat_scene::{
    Edit, Path, Step, Thing,
    schema::{self, Kind},
};

use super::{super::PanelContext, parameter::ask, physics::let_go};
use crate::theme;

/// Height of the list of things, in points. Longer lists scroll.
const LIST: f32 = 280.0;

/// Shows the menu of the same end of one or more things; the first path is that of the active one.
pub(in crate::panel) fn end_menu(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    paths: &[Path],
    words: &str,
) {
    let Some(path) = paths.first() else { return };
    let editor = &context.session.editor;
    let document = editor.document();
    let weak = theme::of(ui).weak;
    if let Some((body, end)) = released(context, path) {
        let text = format!("Let go from frame {}", context.workspace.frame.round());
        let help = "It falls from there on, and stays held at its other end.";
        if ui.add(Button::new(text)).on_hover_text(help).clicked() {
            let_go(context, &body, &[end]);
            ui.close();
        }
    }
    if is_attached(context, path) && ui.button("A point of its own").clicked() {
        detach(context, paths, words);
        ui.close();
    }
    let all = [Thing::Locator, Thing::Body].into_iter();
    let names = all.flat_map(|thing| document.names(thing).map(move |name| (thing, name)));
    let names: Vec<(Thing, &str)> =
        names.filter(|(thing, name)| editor.can_attach(path, *thing, name)).collect();
    if names.is_empty() {
        ui.label(RichText::new("There is nothing to attach it to").small().color(weak));
        return;
    }
    ui.label(RichText::new("Attach to").small().color(weak));
    ScrollArea::vertical().max_height(LIST).show_rows(ui, theme::ROW, names.len(), |ui, range| {
        for (thing, name) in &names[range] {
            if ui.button(*name).clicked() {
                attach(context, paths, words, *thing, name);
                ui.close();
            }
        }
    });
}

/// Whether a path is that of an anchor.
pub(in crate::panel) fn is_anchor(context: &PanelContext<'_>, path: &Path) -> bool {
    let field = schema::field_at(context.session.editor.document(), path);
    field.is_some_and(|field| matches!(field.kind, Kind::Anchor))
}

/// The body and the end that an anchor holds, if it can be let go.
fn released(context: &PanelContext<'_>, path: &Path) -> Option<(String, End)> {
    let document = context.session.editor.document();
    let named = document.named(path);
    let [_, Step::Field(body), Step::Field(anchor)] = named.steps() else { return None };
    let record = schema::record_at(document, &super::path_of(Thing::Body, body))?;
    let end = End::of(record.field(anchor)?.name)?;
    schema::can_be_simulated(record).then(|| (body.to_string(), end))
}

fn is_attached(context: &PanelContext<'_>, path: &Path) -> bool {
    let document = context.session.editor.document();
    let value = document.as_written(path).and_then(|path| document.get(&path)?.table());
    value.is_some_and(|table| table.get("locator").is_some() || table.get("body").is_some())
}

/// Attaches ends at their nearest places; those that cannot be are left as they are.
pub(super) fn attach(
    context: &mut PanelContext<'_>,
    paths: &[Path],
    words: &str,
    thing: Thing,
    name: &str,
) {
    let Some(moment) = context.session.shown() else { return };
    let editor = &context.session.editor;
    let can = paths.iter().filter(|path| editor.can_attach(path, thing, name));
    let edits = can.map(|path| {
        let near = editor.anchor_at(path, moment).unwrap_or_default();
        editor.attach(path, thing, name, near, moment)
    });
    let edits: Result<Vec<Edit>, ToolError> = edits.collect();
    let entry = format!("Attach {} to {name}", words.to_lowercase());
    ask(context, entry, edits.map(Edit::Batch));
}

/// Makes attached ends points of their own.
pub(super) fn detach(context: &mut PanelContext<'_>, paths: &[Path], words: &str) {
    let Some(moment) = context.session.shown() else { return };
    let editor = &context.session.editor;
    let edits = paths.iter().map(|path| editor.detach(path, moment));
    let edits: Result<Vec<Edit>, ToolError> = edits.collect();
    ask(context, format!("Detach {}", words.to_lowercase()), edits.map(Edit::Batch));
}
