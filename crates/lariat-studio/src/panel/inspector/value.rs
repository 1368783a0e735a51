//! Controls of parameters by the kind of their values.

use egui::{ComboBox, DragValue, Response, Ui};
use lariat_scene::{
    Edit, Path, Value,
    schema::{Bound, Field, Kind, Preset, Unit},
};

use super::super::PanelContext;
use crate::{action::Action, label, theme};

/// Shows the control of a parameter.
pub(super) fn control(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    path: &Path,
    given: Option<&Value>,
    field: &'static Field,
    words: &str,
    named: egui::Id,
) {
    let name = format!("Set {}", words.to_lowercase());
    match field.kind {
        Kind::Scalar(unit) => number(ui, context, path, given, field, unit, &name, named),
        Kind::Integer => number(ui, context, path, given, field, Unit::Number, &name, named),
        Kind::Vector(_) | Kind::Direction => {
            vector(ui, context, path, given, field, &name, named);
        }
        Kind::Anchor => match given.map(numbers) {
            Some(Some(_)) | None => vector(ui, context, path, given, field, &name, named),
            Some(None) => described(ui, given),
        },
        Kind::Switch => {
            let mut on = match (given.and_then(Value::switch), field.preset) {
                (Some(on), _) => on,
                (None, Preset::Switch(on)) => on,
                _ => false,
            };
            if ui.checkbox(&mut on, "").labelled_by(named).changed() {
                context.actions.apply(name, Edit::Set { path: path.clone(), value: on.into() });
            }
        }
        Kind::Choice(choices) => {
            let preset = if let Preset::Text(text) = field.preset { text } else { "" };
            let chosen = given.and_then(Value::text).unwrap_or(preset);
            ComboBox::from_id_salt(path.to_string()).selected_text(label::words(chosen)).show_ui(
                ui,
                |ui| {
                    for choice in choices {
                        let is_chosen = choice.name == chosen;
                        let row = ui.selectable_label(is_chosen, label::words(choice.name));
                        if row.on_hover_text(choice.help).clicked() && !is_chosen {
                            let value = choice.name.into();
                            let edit = Edit::Set { path: path.clone(), value };
                            context.actions.apply(name.clone(), edit);
                        }
                    }
                },
            );
        }
        Kind::Colour => colour(ui, context, path, given, field, &name),
        _ => described(ui, given),
    }
}

fn described(ui: &mut Ui, given: Option<&Value>) {
    let text = given.map_or_else(|| "default".to_owned(), Value::describe);
    ui.label(egui::RichText::new(text).color(theme::of(ui).weak));
}

/// A value that can be dragged and typed.
fn number(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    path: &Path,
    given: Option<&Value>,
    field: &'static Field,
    unit: Unit,
    name: &str,
    named: egui::Id,
) {
    let frame = context.workspace.frame;
    let Some(Value::Number(before)) = at_frame(context, path, given, field, frame) else {
        return described(ui, given);
    };
    let mut now = before;
    let response = ui.add(drag_value(&mut now, field, unit)).labelled_by(named);
    let value = || Value::from(now);
    gesture(context, &response, now != before, path, given, name, value);
}

fn vector(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    path: &Path,
    given: Option<&Value>,
    field: &'static Field,
    name: &str,
    named: egui::Id,
) {
    let frame = context.workspace.frame;
    let unit = if let Kind::Vector(unit) = field.kind { unit } else { Unit::Metres };
    let value = at_frame(context, path, given, field, frame);
    let Some(before) = value.as_ref().and_then(numbers) else { return described(ui, given) };
    let mut now = before;
    let responses: Vec<Response> = now
        .iter_mut()
        .map(|one| ui.add(drag_value(one, field, unit).suffix("")).labelled_by(named))
        .collect();
    for response in &responses {
        let value = || Value::List(now.iter().map(|one| Value::from(*one)).collect());
        gesture(context, response, now != before, path, given, name, value);
    }
}

fn drag_value<'v>(value: &'v mut f64, field: &Field, unit: Unit) -> DragValue<'v> {
    let bound = |bound: Bound, open: f64| match bound {
        Bound::Open => open,
        Bound::At(at) | Bound::Past(at) => at,
    };
    let low = bound(field.range.low, f64::NEG_INFINITY);
    let high = bound(field.range.high, f64::INFINITY);
    let speed = match unit {
        Unit::Degrees => 0.5,
        Unit::Fraction => 0.005,
        _ if matches!(field.kind, Kind::Integer) => 0.1,
        _ => (value.abs() * 0.01).max(0.01),
    };
    let decimals = if matches!(field.kind, Kind::Integer) { 0 } else { 4 };
    let suffix = match unit.short() {
        "" => String::new(),
        "°" => "°".to_owned(),
        short => format!(" {short}"),
    };
    DragValue::new(value).range(low..=high).speed(speed).max_decimals(decimals).suffix(suffix)
}

/// Turns a drag into a gesture, and a typed value into an entry.
fn gesture(
    context: &mut PanelContext<'_>,
    response: &Response,
    changed: bool,
    path: &Path,
    given: Option<&Value>,
    name: &str,
    value: impl Fn() -> Value,
) {
    let frame = context.workspace.frame;
    let edit = || match given.is_some_and(|value| !key_frames(value).is_empty()) {
        true => Edit::SetKey { channel: path.clone(), frame, value: value() },
        false => Edit::Set { path: path.clone(), value: value() },
    };
    if response.drag_started() {
        context.actions.push(Action::Begin { name: name.to_owned() });
    }
    match () {
        () if changed && response.dragged() => context.actions.push(Action::Preview(edit())),
        () if changed => context.actions.apply(name, edit()),
        () => {}
    }
    if response.drag_stopped() {
        context.actions.push(Action::Commit);
    }
}

fn colour(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    path: &Path,
    given: Option<&Value>,
    field: &'static Field,
    name: &str,
) {
    let frame = context.workspace.frame;
    let value = at_frame(context, path, given, field, frame);
    let Some(before) = value.as_ref().and_then(numbers) else { return described(ui, given) };
    let mut now = before.map(|one| one as f32);
    if ui.color_edit_button_rgb(&mut now).changed() {
        let value = Value::List(now.iter().map(|one| Value::from(f64::from(*one))).collect());
        context.actions.apply(name, Edit::Set { path: path.clone(), value });
    }
}

/// Three numbers.
pub(super) fn numbers(value: &Value) -> Option<[f64; 3]> {
    let list = value.list()?;
    let numbers: Option<Vec<f64>> = list.iter().map(Value::number).collect();
    numbers?.try_into().ok()
}

/// Frames of the keys of a parameter.
pub(super) fn key_frames(value: &Value) -> Vec<f64> {
    let table = value.table();
    let keys = table.and_then(|table| table.get("keys").or_else(|| table.get("wiggle")));
    let keys = keys.and_then(Value::list).unwrap_or_default();
    let frame = |key: &Value| match key {
        Value::List(list) => list.first().and_then(Value::number),
        Value::Table(table) => table.get("frame").and_then(Value::number),
        _ => None,
    };
    keys.iter().filter_map(frame).collect()
}

/// The value of a parameter at a frame, as it would be written; the default if it is not given.
pub(super) fn at_frame(
    context: &PanelContext<'_>,
    path: &Path,
    given: Option<&Value>,
    field: &'static Field,
    frame: f64,
) -> Option<Value> {
    match given {
        Some(value) if key_frames(value).is_empty() => Some(value.clone()),
        Some(_) => context.session.value_at(path, frame),
        None => match field.preset {
            Preset::Number(number) => Some(number.into()),
            Preset::Numbers(numbers) => {
                Some(Value::List(numbers.iter().map(|one| Value::from(*one)).collect()))
            }
            _ => context.session.value_at(path, frame),
        },
    }
}
