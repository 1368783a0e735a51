//! Switches, choices, and names of looks, bodies, locators and colliders.

use egui::{ComboBox, Ui};
use lariat_core::geometry::LOOKS;
use lariat_scene::{
    Step, Thing, Value,
    schema::{Choice, Kind, Preset},
};

use super::{super::PanelContext, parameter::Parameter};
use crate::label;

/// On or off.
pub(super) fn switch(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let value = parameter.value(context);
    let mut on = value.as_ref().and_then(Value::switch).unwrap_or_default();
    let is_computed = value.is_none();
    let text = match (parameter.field.preset, parameter.is_mixed) {
        (_, true) => "mixed",
        (Preset::Computed(words), false) if is_computed => words,
        _ => "",
    };
    let shown = ui.checkbox(&mut on, text).labelled_by(parameter.named);
    if shown.on_hover_text(parameter.field.help).changed() {
        parameter.apply(context, &on.into());
    }
}

/// One of the choices of the schema.
pub(super) fn choice(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    parameter: &Parameter<'_>,
    choices: &'static [Choice],
) {
    let value = parameter.value(context);
    let chosen = value.as_ref().and_then(Value::text).unwrap_or_default();
    let rows = choices.iter().map(|choice| (choice.name, choice.help));
    pick(ui, context, parameter, chosen, rows, true);
}

/// One of the looks.
pub(super) fn look(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let value = parameter.value(context);
    let chosen = value.as_ref().and_then(Value::text).unwrap_or_default();
    pick(ui, context, parameter, chosen, LOOKS.iter().copied(), true);
}

/// The name of a thing.
pub(super) fn name(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let document = context.session.editor.document();
    let (thing, more) = match parameter.kind {
        Kind::LocatorName => (Thing::Locator, None),
        Kind::Against => (Thing::Collider, Some("floor")),
        _ => (Thing::Body, None),
    };
    let own = match parameter.scope.root.steps() {
        [_, Step::Field(name)] if thing == Thing::Body => Some(name.to_string()),
        _ => None,
    };
    let names: Vec<&str> = more.into_iter().chain(document.names(thing)).collect();
    let names = names.into_iter().filter(|name| Some(*name) != own.as_deref());
    let value = parameter.value(context);
    let chosen = value.as_ref().and_then(Value::text).unwrap_or_default();
    pick(ui, context, parameter, chosen, names.map(|name| (name, "")), false);
}

fn pick<'c>(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    parameter: &Parameter<'_>,
    chosen: &str,
    rows: impl Iterator<Item = (&'c str, &'c str)>,
    are_words: bool,
) {
    let text = |name: &str| if are_words { label::words(name) } else { name.to_owned() };
    let shown = match parameter.is_mixed {
        true => "Mixed".to_owned(),
        false if chosen.is_empty() => "None".to_owned(),
        false => text(chosen),
    };
    let width = ui.available_width();
    let combo = ComboBox::from_id_salt(parameter.path.to_string()).width(width).truncate();
    let shown = combo.selected_text(shown).show_ui(ui, |ui| {
        for (name, help) in rows {
            let is_chosen = name == chosen && !parameter.is_mixed;
            let row = ui.selectable_label(is_chosen, text(name));
            let row = if help.is_empty() { row } else { row.on_hover_text(help) };
            if row.clicked() && !is_chosen {
                parameter.apply(context, &name.into());
            }
        }
    });
    shown.response.labelled_by(parameter.named).on_hover_text(parameter.field.help);
}

/// Names of several bodies.
pub(super) fn names(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let document = context.session.editor.document();
    let chosen: Vec<&str> = parameter
        .given
        .and_then(Value::list)
        .unwrap_or_default()
        .iter()
        .filter_map(Value::text)
        .collect();
    let shown = if chosen.is_empty() { "None".to_owned() } else { chosen.join(", ") };
    let own = match parameter.scope.root.steps() {
        [_, Step::Field(name)] => name.to_string(),
        _ => String::new(),
    };
    let names: Vec<&str> = document.names(Thing::Body).filter(|name| *name != own).collect();
    let combo = ComboBox::from_id_salt(parameter.path.to_string())
        .width(ui.available_width())
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .truncate();
    let shown = combo.selected_text(shown).show_ui(ui, |ui| {
        for name in names {
            let mut is_chosen = chosen.contains(&name);
            if ui.checkbox(&mut is_chosen, name).changed() {
                let mut list = chosen.clone();
                list.retain(|other| *other != name);
                if is_chosen {
                    list.push(name);
                }
                let list = list.into_iter().map(Value::from).collect();
                parameter.apply(context, &Value::List(list));
            }
        }
    });
    shown.response.labelled_by(parameter.named).on_hover_text(parameter.field.help);
}
