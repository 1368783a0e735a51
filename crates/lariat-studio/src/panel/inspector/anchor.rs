//! Anchors: a point, a locator or a place on a body, each of which can become another.

use egui::{ComboBox, Ui};
use glam::DVec3;
use lariat_scene::{
    Step, Table, Thing, Value,
    schema::{ANCHOR_TO_BODY, ANCHOR_TO_LOCATOR, Family, Unit},
};

use super::{
    super::PanelContext,
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
    let name = format!("Attach {}", parameter.words.to_lowercase());
    let button = icon::quiet(ui, Icon::Anchor, &name);
    egui::Popup::menu(&button).show(|ui| choices(ui, context, parameter, held));
    button.on_hover_text("Holds it at a point, a locator or a body.");
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
    let document = context.session.editor.document();
    let names: Vec<&str> = document.names(thing).collect();
    let combo = ComboBox::from_id_salt(parameter.path.to_string()).width(width).truncate();
    let text = if parameter.is_mixed { "Mixed" } else { name };
    let shown = combo.selected_text(text).show_ui(ui, |ui| {
        for other in names {
            if ui.selectable_label(other == name, other).clicked() && other != name {
                attach(context, parameter, thing, other);
            }
        }
    });
    let help = format!("Held by a {}. {}", thing.list(), parameter.field.help);
    shown.response.labelled_by(parameter.named).on_hover_text(help);
}

fn choices(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    parameter: &Parameter<'_>,
    held: Option<(Thing, &str)>,
) {
    if ui.selectable_label(held.is_none(), "A point").clicked() && held.is_some() {
        let at = place(context, parameter).unwrap_or(DVec3::ZERO);
        let at = at.to_array().map(|one| (one * 1e4).round() / 1e4);
        let name = format!("Detach {}", parameter.words.to_lowercase());
        let value = Value::from(at.to_vec());
        parameter.apply_all(context, name, |session, path| {
            lariat_editor::tool::set(session.editor.document(), path, value.clone())
        });
    }
    let document = context.session.editor.document();
    for (thing, text) in [(Thing::Locator, "A locator"), (Thing::Body, "A body")] {
        let own = match parameter.scope.root.steps() {
            [_, Step::Field(name)] if thing == Thing::Body => Some(name.to_string()),
            _ => None,
        };
        let names: Vec<&str> =
            document.names(thing).filter(|name| Some(*name) != own.as_deref()).collect();
        ui.add_enabled_ui(!names.is_empty(), |ui| {
            ui.menu_button(text, |ui| {
                for name in names {
                    let is_chosen = held == Some((thing, name));
                    if ui.selectable_label(is_chosen, name).clicked() && !is_chosen {
                        attach(context, parameter, thing, name);
                    }
                }
            });
        });
    }
}

fn attach(context: &mut PanelContext<'_>, parameter: &Parameter<'_>, thing: Thing, name: &str) {
    let table = Table::new().with(thing.list(), name);
    let table = if thing == Thing::Body { table.with("at", 0.5) } else { table };
    let entry = format!("Attach {} to {name}", parameter.words.to_lowercase());
    parameter.apply_all(context, entry, |session, path| {
        lariat_editor::tool::set(session.editor.document(), path, Value::from(table.clone()))
    });
}

/// Where the anchor is at the current frame.
fn place(context: &PanelContext<'_>, parameter: &Parameter<'_>) -> Option<DVec3> {
    let editor = &context.session.editor;
    let path = editor.document().as_written(parameter.path)?;
    let handles = editor.handles_in(context.session.shown()?);
    handles.into_iter().find(|handle| handle.path == path).map(|handle| handle.at)
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
