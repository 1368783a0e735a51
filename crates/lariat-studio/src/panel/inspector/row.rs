//! One parameter: name, key, control, reset, diagnostics.

use egui::{Align, Label, Layout, RichText, Sense, Stroke, Ui, vec2};
use lariat_editor::ChannelForm;
use lariat_scene::{
    Edit, Path, Value,
    check::Severity,
    schema::{CHANNEL, FOLLOW, Family, Field, Kind, WIGGLE},
};

use super::{
    super::PanelContext,
    anchor, menu, note,
    parameter::{Parameter, Scope, key_frames, opened, plain_name, words_of},
    records, value,
};
use crate::{
    icon::{self, Icon},
    theme::{self, GAP, ROW},
};

/// Width of the diamond and of the arrow that resets, in points.
const ICON: f32 = 14.0;

/// A record, and the things it is a part of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'p> {
    pub(crate) scope: &'p Scope,
    pub(crate) owner: &'p Path,
    pub(crate) family: Option<&'static Family>,
    /// Kind of values of the parameter that this record is the motion of.
    pub(crate) motion: Option<Kind>,
}

/// Shows a parameter.
pub(crate) fn row(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    place: Place<'_>,
    table: Option<&lariat_scene::Table>,
    field: &'static Field,
) {
    let written = table.and_then(|table| table.iter().find(|(name, _)| field.is_called(name)));
    let name = written.map_or_else(|| plain_name(field), |(name, _)| name);
    let given = written.map(|(_, value)| value);
    let path = place.owner.clone().field(name);
    let document = context.session.editor.document();
    let paths = place.scope.paths(&path);
    let is_mixed = paths.iter().skip(1).any(|path| {
        let path = document.as_written(path);
        path.as_ref().and_then(|path| document.get(path)) != given
    });
    let kind = match (field.kind, place.motion) {
        (Kind::Anything, Some(kind)) => kind,
        (kind, _) => kind,
    };
    let words = words_of(field);
    let parameter = Parameter {
        scope: place.scope,
        owner: place.owner,
        family: place.family,
        path: &path,
        given,
        field,
        kind,
        words: &words,
        named: egui::Id::NULL,
        is_mixed,
    };
    match kind {
        Kind::Records(family) => return records::list(ui, context, &parameter, family),
        Kind::Record(family) => return records::single(ui, context, &parameter, family),
        _ => {}
    }
    let diagnostics = note::at(context, &path);
    let colours = theme::of(ui);
    let colour = match note::worst(&diagnostics) {
        Some(Severity::Error) => colours.error,
        Some(Severity::Warning) => colours.warning,
        _ if given.is_some() => colours.text,
        _ => colours.weak,
    };
    let line = ui.push_id(path.to_string(), |ui| {
        ui.horizontal(|ui| {
            let named = name_label(ui, &parameter, colour);
            let parameter = Parameter { named, ..parameter };
            if field.animatable {
                key_button(ui, context, &parameter);
            } else {
                ui.add_space(ICON + GAP);
            }
            let width = (ui.available_width() - ICON - GAP).max(40.0);
            let layout = Layout::left_to_right(Align::Center);
            ui.allocate_ui_with_layout(vec2(width, ROW), layout, |ui| {
                ui.set_width(width);
                ui.spacing_mut().item_spacing.x = GAP;
                value::control(ui, context, &parameter);
            });
            if given.is_some() && !field.required {
                reset_button(ui, context, &parameter);
            }
        })
    });
    let state = &mut context.state.inspector;
    let is_revealed =
        |sought: &Path| path == *sought || document.as_written(&path).as_ref() == Some(sought);
    if state.revealed.as_ref().is_some_and(is_revealed) {
        state.revealed = None;
        line.inner.response.scroll_to_me(Some(Align::Center));
    }
    line.inner.response.container_context_menu(|ui| menu::menu(ui, context, &parameter));
    note::show(ui, context, &diagnostics);
    if matches!(kind, Kind::Anchor) {
        anchor::details(ui, context, &parameter);
    }
    motion(ui, context, &parameter);
}

/// The name, at the left, with the same width in every row.
fn name_label(ui: &mut Ui, parameter: &Parameter<'_>, colour: egui::Color32) -> egui::Id {
    ui.spacing_mut().item_spacing.x = GAP;
    let width = (parameter.scope.controls - ui.cursor().left()).max(40.0);
    let layout = Layout::left_to_right(Align::Center);
    let shown = ui.allocate_ui_with_layout(vec2(width, ROW), layout, |ui| {
        ui.set_width(width);
        let text = RichText::new(parameter.words).color(colour);
        let label = Label::new(text).truncate().selectable(false).sense(Sense::hover());
        ui.add(label)
    });
    let Parameter { field, path, .. } = parameter;
    let limits = match field.range.words() {
        words if words.is_empty() => String::new(),
        words => format!(" Allowed: {words}."),
    };
    shown.inner.on_hover_text(format!("{}{limits}\n\n{path}", field.help)).id
}

/// A diamond: hollow without a key, filled on one.
fn key_button(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let (given, words) = (parameter.given, parameter.words.to_lowercase());
    let frame = context.workspace.frame;
    let keys = given.map(key_frames).unwrap_or_default();
    let on_key = keys.contains(&frame);
    let (rect, response) = ui.allocate_exact_size(vec2(ICON, ROW), Sense::click());
    let name = if on_key { format!("Remove key of {words}") } else { format!("Key {words}") };
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    let colours = theme::of(ui);
    let (centre, r) = (rect.center(), 4.0);
    let corners = [vec2(0.0, -r), vec2(r, 0.0), vec2(0.0, r), vec2(-r, 0.0)];
    let points = corners.map(|corner| centre + corner).to_vec();
    let (fill, line) = match ChannelForm::of(given) {
        _ if on_key => (colours.accent, colours.accent),
        _ if response.hovered() || response.has_focus() => {
            (egui::Color32::TRANSPARENT, colours.text)
        }
        ChannelForm::Constant => (egui::Color32::TRANSPARENT, colours.weak.gamma_multiply(0.5)),
        _ => (colours.accent.gamma_multiply(0.25), colours.accent),
    };
    ui.painter().add(egui::Shape::convex_polygon(points, fill, Stroke::new(1.0, line)));
    if response.clicked() {
        toggle_key(context, parameter, on_key, name);
    }
    response.on_hover_text("Sets or removes a key at the current frame.");
}

/// Sets or removes the key at the current frame.
pub(super) fn toggle_key(
    context: &mut PanelContext<'_>,
    parameter: &Parameter<'_>,
    on_key: bool,
    name: String,
) {
    let (frame, session) = (context.workspace.frame, context.session);
    let (family, value) = (parameter.family, parameter.value(context));
    let edit = parameter.all(|owner, path| {
        if on_key {
            return Ok(Edit::RemoveKey { channel: path.clone(), frame });
        }
        let open = opened(session.editor.document(), owner, family);
        match (open, &value) {
            (Some(open), Some(value)) => {
                let channel = path.clone();
                let key = Edit::SetKey { channel, frame, value: value.clone() };
                Ok(Edit::Batch(vec![open, key]))
            }
            _ => session.editor.key_now(path, frame),
        }
    });
    super::parameter::ask(context, name, edit);
}

fn reset_button(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let name = format!("Reset {}", parameter.words.to_lowercase());
    let response = icon::quiet(ui, Icon::Reset, &name);
    if response.clicked() {
        reset(context, parameter);
    }
    response.on_hover_text("Back to its default.");
}

/// Takes the value away, where it is given.
pub(super) fn reset(context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let name = format!("Reset {}", parameter.words.to_lowercase());
    let document = context.session.editor.document();
    let is_given =
        |path: &&Path| document.as_written(path).is_some_and(|path| document.get(&path).is_some());
    let paths = parameter.scope.paths(parameter.path);
    let edits: Vec<Edit> =
        paths.iter().filter(is_given).map(|path| Edit::Unset { path: path.clone() }).collect();
    context.actions.apply(name, Edit::Batch(edits));
}

/// Settings of a motion under its parameter: frequency, damping and equilibrium of a wiggle, leader
/// and lag of a follower; with all parameters shown, those of keys.
fn motion(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let family: &'static Family = match ChannelForm::of(parameter.given) {
        ChannelForm::Wiggly => &WIGGLE,
        ChannelForm::Following => &FOLLOW,
        ChannelForm::Keyed if context.workspace.shows_all_parameters => &CHANNEL,
        _ => return,
    };
    let (Some(table), [record]) = (parameter.given.and_then(Value::table), family.types) else {
        return;
    };
    let place = Place {
        scope: parameter.scope,
        owner: parameter.path,
        family: None,
        motion: Some(parameter.kind),
    };
    let all = context.workspace.shows_all_parameters;
    records::indented(ui, |ui| {
        for field in record.fields {
            let is_given = table.iter().any(|(name, _)| field.is_called(name));
            let has_loss =
                ["half-life", "damping", "decay"].into_iter().any(|name| table.get(name).is_some());
            let is_shown = match field.name {
                "keys" | "wiggle" => false,
                "hertz" | "around" | "lag" | "gain" => true,
                "swings" => !has_loss,
                _ => false,
            };
            if (is_shown || all || is_given) && !matches!(field.kind, Kind::Records(_)) {
                row(ui, context, place, Some(table), field);
            }
        }
    });
}
