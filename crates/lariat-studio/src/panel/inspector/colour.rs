//! Colours: one, or several in turn.

use egui::{RichText, Ui};
use lariat_scene::Value;

use super::{
    super::PanelContext,
    gesture::popup_gesture,
    parameter::{Parameter, numbers},
    start,
    value::described,
};
use crate::{
    icon::{self, Icon},
    theme,
};

/// One colour.
pub(super) fn one(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let value = parameter.value(context);
    let Some(before) = value.as_ref().and_then(linear) else {
        return start::unset(ui, context, parameter);
    };
    ui.spacing_mut().interact_size.x = 48.0;
    let mut now = before.map(|one| one as f32);
    let button = ui.color_edit_button_rgb(&mut now);
    let changed = button.changed();
    let button = button.accessible_name(parameter.words.to_owned());
    button.on_hover_text(parameter.field.help);
    let value = Value::from(now.map(rounded).to_vec());
    popup_gesture(ui, context, changed, parameter, &value);
    let text = if parameter.is_mixed { "mixed".to_owned() } else { hex(before) };
    ui.label(RichText::new(text).small().color(theme::of(ui).weak));
}

/// Several colours, with buttons to add and to remove the last one.
pub(super) fn several(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let value = parameter.value(context);
    let list = value.as_ref().and_then(Value::list).unwrap_or_default();
    let before: Option<Vec<[f64; 3]>> = list.iter().map(linear).collect();
    let Some(before) = before.filter(|colours| !colours.is_empty() && colours.len() <= 12) else {
        return described(ui, parameter);
    };
    ui.spacing_mut().interact_size.x = 20.0;
    ui.spacing_mut().item_spacing.x = 2.0;
    let mut now: Vec<[f32; 3]> = before.iter().map(|colour| colour.map(|one| one as f32)).collect();
    let mut changed = false;
    ui.horizontal_wrapped(|ui| {
        for (k, colour) in now.iter_mut().enumerate() {
            let button = ui.color_edit_button_rgb(colour);
            changed |= button.changed();
            button.accessible_name(format!("{} {}", parameter.words, k + 1));
        }
        let value = |colours: &[[f32; 3]]| {
            Value::List(colours.iter().map(|one| Value::from(one.map(rounded).to_vec())).collect())
        };
        popup_gesture(ui, context, changed, parameter, &value(&now));
        let add = icon::quiet(ui, Icon::Add, "Add a colour");
        if add.on_hover_text("Adds a colour.").clicked() {
            let last = now.last().copied().unwrap_or([1.0; 3]);
            parameter.apply(context, &value(&[&now[..], &[last]].concat()));
        }
        if now.len() > 1 {
            let remove = icon::quiet(ui, Icon::Remove, "Remove a colour");
            if remove.on_hover_text("Removes the last colour.").clicked() {
                parameter.apply(context, &value(&now[..now.len() - 1]));
            }
        }
    });
}

/// Linear components of `[r, g, b]` or `"#rrggbb"`.
fn linear(value: &Value) -> Option<[f64; 3]> {
    match value {
        Value::Text(text) => {
            let colour = egui::Color32::from_hex(text).ok()?;
            let [r, g, b, _] = egui::Rgba::from(colour).to_array();
            Some([r, g, b].map(f64::from))
        }
        _ => numbers(value),
    }
}

fn rounded(component: f32) -> f64 {
    (f64::from(component) * 1e4).round() / 1e4
}

fn hex([r, g, b]: [f64; 3]) -> String {
    let colour = egui::Color32::from(egui::Rgba::from_rgb(r as f32, g as f32, b as f32));
    format!("#{:02x}{:02x}{:02x}", colour.r(), colour.g(), colour.b())
}
