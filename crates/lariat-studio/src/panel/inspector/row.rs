//! One parameter: name, control, key, reset, diagnostics.

use egui::{RichText, Sense, Stroke, Ui, vec2};
use lariat_scene::{Edit, Path, Table, Value, check::Severity, schema::Field};

use super::{super::PanelContext, value};
use crate::{label, theme};

/// Width of the names, in points.
const NAMES: f32 = 104.0;

/// Shows a parameter.
pub(super) fn row(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    owner: &Path,
    table: Option<&Table>,
    field: &'static Field,
) {
    let written = table.and_then(|table| table.iter().find(|(name, _)| field.is_called(name)));
    let name = written.map_or_else(|| plain_name(field), |(name, _)| name);
    let given = written.map(|(_, value)| value);
    let path = owner.clone().field(name);
    let colours = theme::of(ui);
    let diagnostics: Vec<_> = context.session.editor.diagnostics_at(&path).cloned().collect();
    let colour = match diagnostics.iter().map(|one| one.severity).max() {
        Some(Severity::Error) => colours.error,
        Some(Severity::Warning) => colours.warning,
        _ if given.is_some() => colours.text,
        _ => colours.weak,
    };
    let words = label::words(name);
    ui.horizontal(|ui| {
        let help = format!("{}\n{path}", field.help);
        let text = RichText::new(&words).color(colour);
        let named =
            ui.add_sized([NAMES, 0.0], egui::Label::new(text).truncate().halign(egui::Align::LEFT));
        let named = named.on_hover_text(help).interact(Sense::click());
        named.context_menu(|ui| {
            if let (Some(given), true) = (given, ui.button("Reset to its default").clicked()) {
                let _ = given;
                context.actions.apply(format!("Reset {words}"), Edit::Unset { path: path.clone() });
                ui.close();
            }
        });
        if field.animatable {
            key_button(ui, context, &path, given, field, &words);
        }
        value::control(ui, context, &path, given, field, &words, named.id);
    });
    for one in &diagnostics {
        let colour = if one.is_error() { colours.error } else { colours.warning };
        ui.label(RichText::new(&one.message).small().color(colour));
        for help in &one.helps {
            ui.label(RichText::new(help).small().color(colours.weak));
        }
    }
}

/// The word that animators use, if there is one.
fn plain_name(field: &Field) -> &'static str {
    field.plain.first().copied().unwrap_or(field.name)
}

/// A diamond: hollow without keys, filled on a key.
fn key_button(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    path: &Path,
    given: Option<&Value>,
    field: &'static Field,
    words: &str,
) {
    let frame = context.workspace.frame;
    let keys = given.map(value::key_frames).unwrap_or_default();
    let on_key = keys.contains(&frame);
    let (rect, response) = ui.allocate_exact_size(vec2(12.0, 16.0), Sense::click());
    response.widget_info(|| {
        let text = if on_key { format!("Remove key of {words}") } else { format!("Key {words}") };
        egui::WidgetInfo::labeled(egui::Role::Button, true, text)
    });
    let colours = theme::of(ui);
    let (centre, r) = (rect.center(), 4.5);
    let corners = [vec2(0.0, -r), vec2(r, 0.0), vec2(0.0, r), vec2(-r, 0.0)];
    let points = corners.map(|corner| centre + corner).to_vec();
    let colour = match () {
        () if on_key => colours.accent,
        () if response.hovered() || !keys.is_empty() => colours.text,
        () => colours.weak.gamma_multiply(0.6),
    };
    let fill = if on_key { colour } else { egui::Color32::TRANSPARENT };
    ui.painter().add(egui::Shape::convex_polygon(points, fill, Stroke::new(1.2, colour)));
    if response.clicked() {
        if on_key {
            let edit = Edit::RemoveKey { channel: path.clone(), frame };
            context.actions.apply(format!("Remove key of {words}"), edit);
        } else if let Some(value) = value::at_frame(context, path, given, field, frame) {
            let edit = Edit::SetKey { channel: path.clone(), frame, value };
            context.actions.apply(format!("Key {words}"), edit);
        }
    }
    response.on_hover_text("Sets or removes a key at the current frame.");
}
