//! The top of the panel: name, model, look and physics of a thing, each a click away.
//!
//! Tests: `crates/lariat-studio/tests/studio/tasks.rs`.

use egui::{Color32, ComboBox, Rect, RichText, Sense, Stroke, TextEdit, Ui, WidgetInfo, vec2};
use glam::DVec3;
use lariat_core::geometry::{LOOKS, natural_colour};
use lariat_editor::tool::{self, ToolError};
use lariat_scene::{
    Edit, Table, Thing,
    schema::{self, Preset, RecordType},
};

use super::{
    super::PanelContext,
    parameter::{Scope, ask, numbers},
    physics::physics,
    start,
};
use crate::{
    label,
    theme::{self, GAP},
    viewport::bounds,
};

/// Share of the width for the name of a body; its model has the rest.
const NAME: f32 = 0.5;

/// Height of the name, in points.
const HEADING: f32 = 24.0;

/// Width and height of a look, in points.
const SWATCH: f32 = 20.0;

/// The thing that is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown<'t> {
    pub(super) thing: Thing,
    pub(super) name: &'t str,
    pub(super) table: &'t Table,
    pub(super) record: &'static RecordType,
}

/// Shows the top of the panel.
pub(super) fn header(ui: &mut Ui, context: &mut PanelContext<'_>, shown: Shown<'_>, scope: &Scope) {
    let Shown { thing, name, record, .. } = shown;
    let weak = theme::of(ui).weak;
    if thing == Thing::Body {
        ui.horizontal(|ui| {
            let width = NAME * ui.available_width();
            ui.allocate_ui(vec2(width, HEADING), |ui| name_field(ui, context, thing, name));
            model(ui, context, shown);
        });
        looks(ui, context, shown, scope);
        physics(ui, context, name, shown.table, record);
    } else {
        name_field(ui, context, thing, name);
        let kind = RichText::new(label::words(record.name)).small().color(weak);
        ui.label(kind).on_hover_text(record.help);
    }
    if !scope.others.is_empty() {
        let text = format!("{} more are edited along", scope.others.len());
        ui.label(RichText::new(text).small().color(weak));
    }
    ui.add_space(GAP);
}

/// The name, which can be changed.
pub(super) fn name_field(ui: &mut Ui, context: &mut PanelContext<'_>, thing: Thing, name: &str) {
    let state = &mut context.state.inspector;
    let mut typed = match &state.renamed {
        Some((old, typed)) if old == name => typed.clone(),
        _ => name.to_owned(),
    };
    let edit =
        TextEdit::singleline(&mut typed).font(egui::TextStyle::Heading).frame(egui::Frame::NONE);
    let response = ui.add(edit.desired_width(f32::INFINITY));
    let response = response.accessible_name("Name").on_hover_text("Renames it everywhere.");
    if response.changed() {
        state.renamed = Some((name.to_owned(), typed.clone()));
    }
    if response.lost_focus() {
        state.renamed = None;
        let is_cancelled = ui.input(|input| input.key_pressed(egui::Key::Escape));
        let to = typed.trim();
        if !is_cancelled && to != name && !to.is_empty() {
            let edit = Edit::Rename { thing, from: name.to_owned(), to: to.to_owned() };
            context.actions.apply(format!("Rename {name}"), edit);
        }
    }
}

fn model(ui: &mut Ui, context: &mut PanelContext<'_>, shown: Shown<'_>) {
    let combo = ComboBox::from_id_salt("model").width(ui.available_width());
    let combo = combo.height(420.0).selected_text(label::words(shown.record.name));
    let shown = combo.show_ui(ui, |ui| models(ui, context, shown.name));
    let response = shown.response.accessible_name("Model");
    response.on_hover_text("The kind of body. Another one keeps everything that both have.");
}

/// All models as a list; a click gives a body, and those that are selected with it, another one.
pub(in crate::panel) fn models(ui: &mut Ui, context: &mut PanelContext<'_>, name: &str) {
    let document = context.session.editor.document();
    let own = document.find(Thing::Body, name).and_then(|(_, table)| table.text("model"));
    let own = own.and_then(|model| schema::BODY.find(model)).map(|record| record.name);
    let (from, to) = (DVec3::ZERO, DVec3::X);
    let can = |record: &&'static RecordType| {
        tool::change_model(document, name, record.name, from, to).is_ok()
    };
    for record in schema::models().filter(can) {
        let is_own = own == Some(record.name);
        let row = ui.selectable_label(is_own, label::words(record.name));
        if row.on_hover_text(record.help).clicked() {
            if !is_own {
                change_model(context, name, record);
            }
            ui.close();
        }
    }
}

fn change_model(context: &mut PanelContext<'_>, name: &str, record: &RecordType) {
    let selected = context.workspace.selected.iter();
    let others = selected.filter(|one| one.thing == Thing::Body && one.name != name);
    let names: Vec<&str> = std::iter::once(name).chain(others.map(|one| &*one.name)).collect();
    let document = context.session.editor.document();
    let edits = names.iter().map(|name| {
        let (from, to) = ends(context, name);
        tool::change_model(document, name, record.name, from, to)
    });
    let edits: Result<Vec<Edit>, ToolError> = edits.collect();
    let words = label::words(record.name).to_lowercase();
    ask(context, format!("Make {name} a {words}"), edits.map(Edit::Batch));
}

/// Ends of a body as it is shown, to a millimetre; of a ring or a solid, its extent along X.
fn ends(context: &PanelContext<'_>, name: &str) -> (DVec3, DVec3) {
    let found =
        start::spine(context, name).and_then(|spine| Some((*spine.first()?, *spine.last()?)));
    let rounded = |at: DVec3| (at * 1e3).round() / 1e3;
    if let Some((from, to)) = found.map(|(from, to)| (rounded(from), rounded(to)))
        && from != to
    {
        return (from, to);
    }
    let body = context.session.editor.scene().body_index(name);
    let around = context.session.shown().map(|pose| bounds(pose, |other| Some(other) == body));
    match around.filter(|around| !around.is_empty()) {
        Some(around) => {
            let centre = around.low.midpoint(around.high);
            let half = DVec3::X * (0.5 * (around.high.x - around.low.x));
            (rounded(centre - half), rounded(centre + half))
        }
        None => (DVec3::ZERO, DVec3::X),
    }
}

/// Looks as swatches in their colours.
fn looks(ui: &mut Ui, context: &mut PanelContext<'_>, shown: Shown<'_>, scope: &Scope) {
    let Some(field) = shown.record.field("look") else { return };
    let preset = if let Preset::Text(preset) = field.preset { preset } else { "" };
    let chosen = shown.table.text("look").unwrap_or(preset);
    let own = own_colour(shown);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(3.0, 3.0);
        // Others look like one of these.
        for (name, help) in LOOKS.into_iter().filter(|(_, help)| !help.starts_with("as `")) {
            let colour = natural_colour(name).or(own).unwrap_or([0.5; 3]);
            let words = label::words(name);
            let swatch = swatch(ui, name, &words, colour, name == chosen);
            if swatch.on_hover_text(format!("{words}: {help}.")).clicked() && name != chosen {
                set_look(context, scope, name);
            }
        }
    });
}

/// The colour that a body is given; that of its model, for looks that come in any colour.
fn own_colour(shown: Shown<'_>) -> Option<[f64; 3]> {
    let given = shown.table.get("colour").or_else(|| shown.table.get("color")).and_then(numbers);
    let preset = shown.record.field("colour").map(|field| field.preset);
    given.or_else(|| match preset {
        Some(Preset::Numbers(numbers)) => numbers.try_into().ok(),
        _ => None,
    })
}

fn set_look(context: &mut PanelContext<'_>, scope: &Scope, name: &str) {
    let document = context.session.editor.document();
    let paths = scope.paths(&scope.root.clone().field("look"));
    let edits: Result<Vec<Edit>, ToolError> =
        paths.iter().map(|path| tool::set(document, path, name)).collect();
    ask(
        context,
        format!("Set look to {}", label::words(name).to_lowercase()),
        edits.map(Edit::Batch),
    );
}

fn swatch(ui: &mut Ui, look: &str, words: &str, colour: [f64; 3], is_on: bool) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(SWATCH, SWATCH), Sense::click());
    let label = format!("Look {}", words.to_lowercase());
    response.widget_info(|| WidgetInfo::selected(egui::Role::Button, true, is_on, &label));
    let colours = theme::of(ui);
    let square = rect.shrink(2.5);
    let [r, g, b] = colour.map(|one| one as f32);
    let fill = Color32::from(egui::Rgba::from_rgb(r, g, b));
    ui.painter().rect_filled(square, 3.0, fill);
    let is_dark = 0.3 * r + 0.6 * g + 0.1 * b < 0.12;
    let mark = if is_dark { Color32::from_white_alpha(96) } else { Color32::from_black_alpha(96) };
    texture(ui, square, look, mark);
    let outline = match () {
        () if is_on => Stroke::new(2.0, colours.accent),
        () if response.hovered() || response.has_focus() => Stroke::new(1.0, colours.text),
        () => Stroke::new(1.0, colours.line),
    };
    ui.painter().rect_stroke(rect.shrink(1.0), 4.0, outline, egui::StrokeKind::Inside);
    response
}

/// Lines that tell looks of the same colour apart.
fn texture(ui: &Ui, square: Rect, look: &str, colour: Color32) {
    let at = |x: f32, y: f32| square.min + vec2(x, y) * square.size();
    let line = |a: (f32, f32), b: (f32, f32), width: f32| {
        ui.painter().line_segment([at(a.0, a.1), at(b.0, b.1)], Stroke::new(width, colour));
    };
    match look {
        // Laid.
        "rope" | "cable" | "bare-wire" => {
            for x in [0.0, 0.33, 0.66] {
                line((x, 1.0), (x + 0.34, 0.0), 1.25);
            }
        }
        // Braided.
        "cord" => {
            for x in [0.0, 0.5] {
                line((x, 1.0), (x + 0.5, 0.0), 1.0);
                line((x, 0.0), (x + 0.5, 1.0), 1.0);
            }
        }
        // Woven.
        "cloth" => {
            for k in [0.25, 0.5, 0.75] {
                line((k, 0.0), (k, 1.0), 1.0);
                line((0.0, k), (1.0, k), 1.0);
            }
        }
        // Grain.
        "wood" | "leather" => {
            for y in [0.25, 0.5, 0.75] {
                line((0.05, y), (0.95, y - 0.08), 1.0);
            }
        }
        // Shine.
        "wire" | "steel" | "rubber" | "skin" => line((0.2, 0.3), (0.8, 0.3), 2.0),
        "bulb" => {
            let light = Color32::from_white_alpha(200);
            ui.painter().circle_filled(square.center(), 3.0, light);
        }
        _ => {}
    }
}
