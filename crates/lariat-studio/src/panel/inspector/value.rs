//! Controls of parameters by the kind of their values.
//!
//! Tests: `sliders_have_sensible_ranges`, `a_number_that_is_shown_shorter_is_not_changed`.

use std::ops::RangeInclusive;

use egui::{DragValue, Response, RichText, TextEdit, Ui, vec2};
use lariat_core::num::ops;
use lariat_scene::{
    Value,
    schema::{Bound, Field, Kind, Preset, Unit},
};

use super::{
    super::PanelContext,
    anchor, choice, colour,
    gesture::gesture,
    parameter::{Parameter, numbers},
    start,
};
use crate::{
    label,
    theme::{self, ROW},
};

/// Shows the control of a parameter.
pub(super) fn control(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    match parameter.kind {
        Kind::Scalar(unit) => number(ui, context, parameter, unit),
        Kind::Integer => number(ui, context, parameter, Unit::Number),
        Kind::Vector(unit) => vector(ui, context, parameter, unit),
        Kind::Direction => vector(ui, context, parameter, Unit::Number),
        Kind::Anchor => anchor::control(ui, context, parameter),
        Kind::Switch => choice::switch(ui, context, parameter),
        Kind::Choice(choices) => choice::choice(ui, context, parameter, choices),
        Kind::Text if parameter.field.name == "look" => choice::look(ui, context, parameter),
        Kind::LocatorName | Kind::BodyName | Kind::Against => {
            choice::name(ui, context, parameter);
        }
        Kind::Bodies => choice::names(ui, context, parameter),
        Kind::Colour => colour::one(ui, context, parameter),
        Kind::Colours => colour::several(ui, context, parameter),
        Kind::Text | Kind::File => text(ui, context, parameter, ""),
        Kind::Rate => match parameter.value(context) {
            Some(Value::Text(_)) => text(ui, context, parameter, ""),
            _ => number(ui, context, parameter, Unit::Number),
        },
        Kind::PerPoint(unit, _) => match parameter.value(context) {
            Some(Value::Number(_)) | None => number(ui, context, parameter, unit),
            Some(Value::Text(_)) => text(ui, context, parameter, "a formula"),
            Some(_) => described(ui, parameter),
        },
        Kind::Frames | Kind::Scalars(..) => several(ui, context, parameter),
        Kind::Along(_) => along(ui, context, parameter),
        Kind::Vectors(..)
        | Kind::Outline
        | Kind::Grid(_)
        | Kind::Records(_)
        | Kind::Record(_)
        | Kind::Anything => described(ui, parameter),
    }
}

/// A value that is shown only, in words.
pub(super) fn described(ui: &mut Ui, parameter: &Parameter<'_>) {
    let text = match (parameter.given, parameter.field.preset) {
        (Some(Value::List(list)), _) => match parameter.kind {
            Kind::Outline => format!("{} corners", list.len()),
            Kind::Grid(_) => format!("{} rows", list.len()),
            Kind::Vectors(..) => format!("{} points", list.len()),
            _ => format!("{} values", list.len()),
        },
        (Some(Value::Text(text)), _) => label::words(text),
        (Some(value), _) => label::words(&value.describe()),
        (None, Preset::Text(text)) => label::words(text),
        (None, Preset::Computed(words)) => label::words(words),
        (None, _) => "default".to_owned(),
    };
    let label = egui::Label::new(RichText::new(text).color(theme::of(ui).weak)).truncate();
    ui.add(label).on_hover_text(parameter.field.help);
}

/// A number that can be dragged and typed, beside a slider if it has a sensible range.
fn number(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>, unit: Unit) {
    let Some(Value::Number(before)) = parameter.value(context) else {
        return start::unset(ui, context, parameter);
    };
    let field = parameter.field;
    let mut now = before;
    let size = vec2(ui.available_width(), ROW);
    let soft = held_range(ui, parameter, soft_range(field, unit, before));
    let speed = match &soft {
        // The value follows the pointer over the field.
        Some(range) => (range.end() - range.start()) / f64::from(size.x.max(1.0)),
        None if matches!(field.kind, Kind::Integer) => 0.1,
        None => (before.abs() * 0.01).max(0.002),
    };
    let behind = ui.painter().add(egui::Shape::Noop);
    let shown = ui.scope(|ui| {
        if soft.is_some() {
            let widgets = &mut ui.visuals_mut().widgets;
            for visuals in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
                visuals.weak_bg_fill = egui::Color32::TRANSPARENT;
            }
        }
        ui.add_sized(
            size,
            drag_value(&mut now, parameter, unit, digits(parameter.kind, unit)).speed(speed),
        )
    });
    let shown = shown.inner.labelled_by(parameter.named);
    if let Some(range) = &soft
        && !shown.has_focus()
    {
        ui.painter().set(behind, filled(ui, &shown, range, before));
    }
    let shown = shown.on_hover_text(field.help);
    gesture(
        context,
        &shown,
        is_changed(now, before, digits(parameter.kind, unit)),
        parameter,
        &now.into(),
    );
}

/// The field of a number as a slider: filled from zero to the value.
fn filled(ui: &Ui, response: &Response, range: &RangeInclusive<f64>, value: f64) -> egui::Shape {
    let colours = theme::of(ui);
    let fill = if response.hovered() { colours.hover } else { colours.control };
    let (rect, radius) = (response.rect, 4.0);
    let span = range.end() - range.start();
    let x = |value: f64| {
        let share = ((value - range.start()) / span).clamp(0.0, 1.0);
        rect.left() + share as f32 * rect.width()
    };
    let (a, b) = (x(0.0), x(value));
    let bar = egui::Rect::from_x_y_ranges(a.min(b)..=a.max(b), rect.y_range());
    let whole = egui::Shape::rect_filled(rect, radius, fill);
    // Round corners only where the bar ends with the field.
    let is_at = |one: f32, other: f32| if (one - other).abs() < 0.5 { 4 } else { 0 };
    let (left, right) = (is_at(bar.left(), rect.left()), is_at(bar.right(), rect.right()));
    let corners = egui::CornerRadius { nw: left, sw: left, ne: right, se: right };
    let bar = egui::Shape::rect_filled(bar, corners, colours.weak.gamma_multiply(0.28));
    egui::Shape::Vec(vec![whole, bar])
}

/// Digits after the point that are shown.
fn digits(kind: Kind, unit: Unit) -> f64 {
    match (kind, unit) {
        (_, Unit::Degrees) => 100.0,
        (Kind::Vector(_) | Kind::Direction | Kind::Anchor, _) => 1e3,
        _ => 1e4,
    }
}

/// A number as it is shown.
fn shown(number: f64, digits: f64) -> String {
    let is_small = number != 0.0 && number.abs() * digits < 1.0;
    label::number(if is_small { number } else { (number * digits).round() / digits })
}

/// Whether a number was changed by a person, and not by being shown with fewer digits.
fn is_changed(now: f64, before: f64, digits: f64) -> bool {
    now != before && shown(before, digits).parse() != Ok(now)
}

fn drag_value<'v>(
    value: &'v mut f64,
    parameter: &Parameter<'_>,
    unit: Unit,
    digits: f64,
) -> DragValue<'v> {
    let field = parameter.field;
    let bound = |bound: Bound, open: f64| match bound {
        Bound::Open => open,
        Bound::At(at) | Bound::Past(at) => at,
    };
    let low = bound(field.range.low, f64::NEG_INFINITY);
    let high = bound(field.range.high, f64::INFINITY);
    let decimals = if matches!(field.kind, Kind::Integer) { 0 } else { 4 };
    let suffix = match unit.short() {
        _ if parameter.is_mixed => " (mixed)".to_owned(),
        "" => String::new(),
        "°" => "°".to_owned(),
        // Frames are counted everywhere in the window.
        "frames" => String::new(),
        short => format!(" {short}"),
    };
    DragValue::new(value)
        .range(low..=high)
        .clamp_existing_to_range(false)
        .max_decimals(decimals)
        .custom_formatter(move |number, _| shown(number, digits))
        .suffix(suffix)
        .update_while_editing(false)
        .clip_text(true)
}

/// The range of a slider that is being dragged stays.
fn held_range(
    ui: &Ui,
    parameter: &Parameter<'_>,
    fresh: Option<RangeInclusive<f64>>,
) -> Option<RangeInclusive<f64>> {
    let id = egui::Id::unique(("soft range", parameter.path.to_string()));
    let is_down = ui.input(|input| input.pointer.any_down());
    let held = ui.data(|data| data.get_temp::<RangeInclusive<f64>>(id));
    if let (true, Some(held)) = (is_down, held) {
        return Some(held);
    }
    if let Some(fresh) = &fresh {
        ui.data_mut(|data| data.insert_temp(id, fresh.clone()));
    }
    fresh
}

/// The range in which a parameter usually is; none if that is unknown.
pub(super) fn soft_range(field: &Field, unit: Unit, value: f64) -> Option<RangeInclusive<f64>> {
    let at = |bound: Bound| match bound {
        Bound::Open => None,
        Bound::At(at) | Bound::Past(at) => Some(at),
    };
    let (low, high) = (at(field.range.low), at(field.range.high));
    let preset = if let Preset::Number(number) = field.preset { number } else { 0.0 };
    if field.name == "seed" {
        return None;
    }
    Some(match (unit, low, high) {
        (_, Some(low), Some(high)) if high - low <= 10.0 => low..=high,
        (Unit::Fraction, ..) => value.min(0.0)..=value.max(1.0),
        (Unit::Degrees, ..) => {
            let end = [180.0, 360.0, 720.0].into_iter().find(|end| value.abs() <= *end)?;
            -end..=end
        }
        (Unit::Frames | Unit::Pascals, ..) => return None,
        (_, Some(low), _) if low >= 0.0 => {
            let end = nice(2.0 * value.max(preset));
            let end = high.map_or(end, |high| end.min(high));
            let start = if low > 1.0 { low } else { 0.0 };
            if end <= start {
                return None;
            }
            start..=end
        }
        (Unit::Turns | Unit::LengthsPerSecond, ..) => {
            let end = nice(2.0 * value.abs().max(preset.abs())).max(2.0);
            -end..=end
        }
        _ => return None,
    })
}

/// The next of 1, 2, 5, 10, … ; 1 for zero.
fn nice(value: f64) -> f64 {
    if value <= 0.0 || !value.is_finite() {
        return 1.0;
    }
    let power = ops::pow(10.0, (ops::ln(value) / std::f64::consts::LN_10).floor());
    let digit = [1.0, 2.0, 5.0, 10.0].into_iter().find(|digit| digit * power >= value * 0.999_999);
    digit.unwrap_or(10.0) * power
}

fn vector(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>, unit: Unit) {
    let value = parameter.value(context);
    let Some(before) = value.as_ref().and_then(numbers) else {
        return start::unset(ui, context, parameter);
    };
    vector_of(ui, context, parameter, unit, before);
}

/// Three numbers beside each other.
pub(super) fn vector_of(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    parameter: &Parameter<'_>,
    unit: Unit,
    before: [f64; 3],
) {
    let mut now = before;
    ui.spacing_mut().button_padding.x = 2.0;
    let digits = digits(parameter.kind, unit);
    let gap = ui.spacing().item_spacing.x;
    let width = ((ui.available_width() - 2.0 * gap) / 3.0).floor();
    let mut responses: Vec<Response> = Vec::with_capacity(3);
    for (one, axis) in now.iter_mut().zip(["x", "y", "z"]) {
        let speed = if unit == Unit::Degrees { 0.5 } else { (one.abs() * 0.005).max(0.005) };
        let shown = drag_value(one, parameter, Unit::Number, digits).speed(speed);
        let shown = ui.add_sized([width, ROW], shown);
        let help = format!("{axis}, {}. {}", unit.long(), parameter.field.help);
        let shown = shown.accessible_name(format!("{} {axis}", parameter.words));
        responses.push(shown.on_hover_text(help));
    }
    let value = Value::from(now.to_vec());
    for response in &responses {
        let changed = now.iter().zip(before).any(|(now, before)| is_changed(*now, before, digits));
        gesture(context, response, changed && response.changed(), parameter, &value);
    }
}

/// A pair or a few numbers, each of them constant.
fn several(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let value = parameter.value(context);
    let list = value.as_ref().and_then(Value::list).unwrap_or_default();
    let before: Option<Vec<f64>> = list.iter().map(Value::number).collect();
    let Some(before) = before.filter(|numbers| !numbers.is_empty() && numbers.len() <= 4) else {
        return described(ui, parameter);
    };
    let (unit, names) = match parameter.kind {
        Kind::Scalars(_, unit) => (unit, ["start", "end", "third", "fourth"]),
        _ => (Unit::Frames, ["first", "last", "", ""]),
    };
    let mut now = before.clone();
    let (gap, count) = (ui.spacing().item_spacing.x, now.len() as f32);
    let width = ((ui.available_width() - (count - 1.0) * gap) / count).floor();
    let mut responses = Vec::with_capacity(now.len());
    for (one, name) in now.iter_mut().zip(names) {
        let speed = if unit == Unit::Frames { 0.2 } else { (one.abs() * 0.01).max(0.002) };
        let shown = drag_value(one, parameter, unit, digits(parameter.kind, unit)).speed(speed);
        let shown = if unit == Unit::Frames { shown.max_decimals(0) } else { shown };
        let shown = ui.add_sized([width, ROW], shown);
        let shown = shown.accessible_name(format!("{} {name}", parameter.words));
        responses.push(shown.on_hover_text(parameter.field.help));
    }
    if unit == Unit::Frames {
        for frame in &mut now {
            *frame = frame.round();
        }
    }
    let value = Value::from(now.clone());
    for response in &responses {
        gesture(context, response, now != before && response.changed(), parameter, &value);
    }
}

/// Values along the rope, as `u: value` pairs in one line of text.
fn along(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let pair = |pair: &Value| {
        let pair = pair.list()?;
        Some(format!(
            "{}: {}",
            label::number(pair.first()?.number()?),
            label::number(pair.get(1)?.number()?)
        ))
    };
    let pairs = parameter.given.and_then(Value::list).unwrap_or_default();
    let pairs: Option<Vec<String>> = pairs.iter().map(pair).collect();
    let Some(pairs) = pairs else { return described(ui, parameter) };
    let parse = |text: &str| -> Option<Value> {
        let pair = |pair: &str| {
            let (u, value) = pair.split_once(':')?;
            let numbers: [f64; 2] = [u.trim().parse().ok()?, value.trim().parse().ok()?];
            Some(Value::from(numbers.to_vec()))
        };
        text.split(',').map(pair).collect::<Option<Vec<Value>>>().map(Value::List)
    };
    let hint = if let Preset::Computed(words) = parameter.field.preset { words } else { "" };
    let hint = format!("{hint}; 0: 1, 1: 0.5");
    line(ui, context, parameter, &pairs.join(", "), &hint, parse);
}

fn text(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>, hint: &str) {
    let value = parameter.value(context);
    let shown = value.as_ref().and_then(Value::text).unwrap_or_default().to_owned();
    let is_rate = matches!(parameter.kind, Kind::Rate | Kind::PerPoint(..));
    line(ui, context, parameter, &shown, hint, |text| match text.parse::<f64>() {
        Ok(number) if is_rate => Some(number.into()),
        _ if text.is_empty() => None,
        _ => Some(text.into()),
    });
}

/// A line of text, which is an entry of the history when it is left with Enter or Tab.
fn line(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    parameter: &Parameter<'_>,
    shown: &str,
    hint: &str,
    parse: impl Fn(&str) -> Option<Value>,
) {
    let id = egui::Id::unique(("line", parameter.path.to_string()));
    let has_focus = ui.memory(|memory| memory.has_focus(id));
    let typed = ui.data(|data| data.get_temp::<String>(id));
    let mut text = typed.unwrap_or_else(|| shown.to_owned());
    let edit = TextEdit::singleline(&mut text).id(id).hint_text(hint);
    let response = ui.add(edit.desired_width(ui.available_width()));
    let response = response.labelled_by(parameter.named).on_hover_text(parameter.field.help);
    if response.lost_focus() {
        ui.data_mut(|data| data.remove::<String>(id));
        let is_cancelled = ui.input(|input| input.key_pressed(egui::Key::Escape));
        if text != shown && !is_cancelled {
            match parse(text.trim()) {
                Some(value) => parameter.apply(context, &value),
                None => context.actions.push(crate::action::Action::Report(format!(
                    "{text:?} is not a value of {}",
                    parameter.words.to_lowercase()
                ))),
            }
        }
    } else if has_focus || response.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, text));
    }
}

#[cfg(test)]
mod tests {
    use lariat_scene::schema::find;

    use super::*;

    #[test]
    fn sliders_have_sensible_ranges() {
        let field = |record: &str, name: &str| {
            find(record).and_then(|record| record.field(name)).expect("a field")
        };
        let range = |record: &str, name: &str, unit, value| {
            soft_range(field(record, name), unit, value).map(|range| (*range.start(), *range.end()))
        };
        let rope = "suspended-rope";
        assert_eq!(range(rope, "length", Unit::Metres, 3.2), Some((0.0, 10.0)));
        assert_eq!(range(rope, "length", Unit::Metres, 0.0), Some((0.0, 1.0)));
        assert_eq!(range(rope, "swing", Unit::Degrees, -20.0), Some((-180.0, 180.0)));
        assert_eq!(range(rope, "swing", Unit::Degrees, 700.0), Some((-720.0, 720.0)));
        assert_eq!(range(rope, "floor", Unit::Metres, 0.0), None, "no bounds");
        assert_eq!(range("bend", "position", Unit::Fraction, 0.5), Some((0.0, 1.0)));
        assert_eq!(range("world", "seed", Unit::Number, 1.0), None);
    }

    #[test]
    fn a_number_that_is_shown_shorter_is_not_changed() {
        let before = -501.220_541;
        assert_eq!(shown(before, 100.0), "-501.22");
        assert!(!is_changed(-501.22, before, 100.0), "left without typing");
        assert!(is_changed(-501.221, before, 100.0) && is_changed(0.0, before, 100.0));
        assert_eq!(shown(0.000_02, 1e4), "2e-5");
    }
}
