//! Anchors: a point, a locator or a place on a body, each of which can become another.

use egui::{ComboBox, Ui};
use lariat_scene::{
    Thing, Value,
    schema::{ANCHOR_TO_BODY, ANCHOR_TO_LOCATOR, Family, Unit},
};

use super::{
    super::{PanelContext, outliner},
    ends,
    parameter::{Parameter, numbers},
    records::indented,
    row::{self, Place},
    start, value,
};
use crate::{
    icon::{self, Icon},
    theme::ROW,
};

/// Width of the button that chooses between point, locator and body, in points.
const MENU: f32 = 14.0;

/// The control of an anchor.
pub(super) fn control(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let held = parameter.given.and_then(held_by);
    let width = (ui.available_width() - MENU - ui.spacing().item_spacing.x).max(30.0);
    match held {
        Some((thing, name)) => attached(ui, context, parameter, thing, name, width),
        None => {
            let value = parameter.value(context);
            match value.as_ref().and_then(numbers) {
                Some(before) => {
                    let layout = egui::Layout::left_to_right(egui::Align::Center);
                    ui.allocate_ui_with_layout(egui::vec2(width, ROW), layout, |ui| {
                        ui.set_width(width);
                        value::vector_of(ui, context, parameter, Unit::Metres, before);
                    });
                }
                None => start::unset(ui, context, parameter),
            }
        }
    }
    let words = outliner::end(parameter.field.name);
    let button = icon::quiet(ui, Icon::Anchor, &format!("Attach {}", words.to_lowercase()));
    let paths = parameter.scope.paths(parameter.path);
    egui::Popup::menu(&button).show(|ui| ends::end_menu(ui, context, &paths, &words));
    button.on_hover_text("Attaches it to a locator or a body, or lets it go.");
}

/// The thing that an anchor is attached to.
fn held_by(value: &Value) -> Option<(Thing, &str)> {
    let table = value.table()?;
    let locator = table.text("locator").map(|name| (Thing::Locator, name));
    locator.or_else(|| table.text("body").map(|name| (Thing::Body, name)))
}

fn attached(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    parameter: &Parameter<'_>,
    thing: Thing,
    name: &str,
    width: f32,
) {
    let editor = &context.session.editor;
    let names = editor.document().names(thing);
    let names: Vec<&str> =
        names.filter(|other| editor.can_attach(parameter.path, thing, other)).collect();
    let combo = ComboBox::from_id_salt(parameter.path.to_string()).width(width).truncate();
    let text = if parameter.is_mixed { "Mixed" } else { name };
    let shown = combo.selected_text(text).show_ui(ui, |ui| {
        for other in names {
            if ui.selectable_label(other == name, other).clicked() && other != name {
                let paths = parameter.scope.paths(parameter.path);
                let words = outliner::end(parameter.field.name);
                ends::attach(context, &paths, &words, thing, other);
            }
        }
    });
    let help = format!("Held by a {}. {}", thing.list(), parameter.field.help);
    shown.response.labelled_by(parameter.named).on_hover_text(help);
}

/// Place along a body and offset, under an anchor that is attached.
pub(super) fn details(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let Some((thing, _)) = parameter.given.and_then(held_by) else { return };
    let family: &'static Family = match thing {
        Thing::Locator => &ANCHOR_TO_LOCATOR,
        _ => &ANCHOR_TO_BODY,
    };
    let (Some(table), [record]) = (parameter.given.and_then(Value::table), family.types) else {
        return;
    };
    let place = Place { scope: parameter.scope, owner: parameter.path, family: None, motion: None };
    let all = context.workspace.shows_all_parameters;
    let fields = record.fields.iter().filter(|field| match field.name {
        "locator" | "body" => false,
        "at" => true,
        name => all || table.get(name).is_some(),
    });
    let fields: Vec<_> = fields.collect();
    if fields.is_empty() {
        return;
    }
    indented(ui, |ui| {
        for field in fields {
            row::row(ui, context, place, Some(table), field);
        }
    });
}
