//! Physics of the active body: on and off, material and supports.

use egui::{Button, Grid, RichText, Ui};
use lariat_eval::ResolvedMaterial;
use lariat_scene::{
    Edit, Path, Table, Thing, Value,
    schema::{Family, Kind, RecordType, can_be_simulated},
};

use super::{super::PanelContext, note, rows, title};
use crate::{
    label,
    panel::inspector::{path_of, record_type},
    theme,
};

/// The physics of a body.
pub(super) struct Physics<'d> {
    pub(super) name: String,
    pub(super) body: Path,
    /// Path of its physics.
    pub(super) path: Path,
    pub(super) family: &'static Family,
    /// Its type; none if it is off.
    pub(super) record: Option<&'static RecordType>,
    pub(super) table: Option<&'d Table>,
}

/// The physics of the active body; a sentence if there is none.
pub(super) fn active<'d>(context: &PanelContext<'d>) -> Result<Physics<'d>, &'static str> {
    let selected = context.workspace.active().filter(|one| one.thing == Thing::Body);
    let Some(one) = selected else { return Err("Select a body to give it physics.") };
    let document = context.session.editor.document();
    let found = document.find(Thing::Body, &one.name);
    let found = found.and_then(|(_, table)| Some((table, record_type(Thing::Body, table)?.1)));
    let Some((table, model)) = found else { return Err("The model of this body is unknown.") };
    let field = model.field("dynamics");
    let Some(Kind::Record(family)) = field.map(|field| field.kind) else {
        return Err("Bodies of this model move as their parameters say.");
    };
    if !can_be_simulated(model) {
        return Err("Closed and compound ropes cannot be simulated yet.");
    }
    let body = path_of(Thing::Body, &one.name);
    let given = table.get("dynamics");
    let record = match given {
        Some(Value::Text(word)) => family.find(word),
        Some(Value::Table(table)) => match family.tag.and_then(|tag| table.text(tag)) {
            Some(word) => family.find(word),
            None => family.types.first().copied(),
        },
        _ => None,
    };
    let path = body.clone().field("dynamics");
    let table = given.and_then(Value::table);
    Ok(Physics { name: one.name.clone(), body, path, family, record, table })
}

/// The column of the active body.
pub(super) fn physics(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let physics = match active(context) {
        Ok(physics) => physics,
        Err(why) => {
            title(ui, "Physics");
            return note(ui, why);
        }
    };
    let Physics { name, body, path, family, record, .. } = physics;
    let Some(record) = record else { return off(ui, context, &name, &path, family) };
    ui.horizontal(|ui| {
        title(ui, &name);
        let kind = RichText::new(label::words(record.name)).color(theme::of(ui).weak);
        ui.label(kind).on_hover_text(record.help);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Turn off").on_hover_text("Poses it by its model again.").clicked() {
                let edit = Edit::Unset { path: path.clone() };
                context.actions.apply(format!("Physics of {name} off"), edit);
            }
        });
    });
    rows(ui, context, &body, &path, family, record, |name| name == "material");
    numbers(ui, context, &name);
    let all = context.workspace.shows_all_parameters;
    rows(ui, context, &body, &path, family, record, |name| {
        name != "material"
            && (all
                || matches!(
                    name,
                    "start"
                        | "hold-start"
                        | "hold-end"
                        | "tears"
                        | "mass"
                        | "friction"
                        | "bounce"
                        | "floor"
                        | "pins"
                        | "forces"
                        | "weights"
                        | "touches"
                ))
    });
}

/// Buttons that turn physics on.
fn off(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    name: &str,
    path: &Path,
    family: &'static Family,
) {
    title(ui, name);
    let frame = context.workspace.frame.round();
    let first = context.session.editor.scene().shot().first as f64;
    note(ui, &format!("Posed by its model. From frame {frame} on it can move by itself:"));
    for record in family.types {
        let text = format!("Simulate as {} from frame {frame}", noun(record));
        let width = ui.available_width() - theme::SPACE;
        let button = Button::new(text).min_size(egui::vec2(width, theme::ROW));
        if ui.add(button).on_hover_text(record.help).clicked() {
            let mut table = Table::new();
            if let Some(tag) = family.tag {
                table.set(tag, record.name);
            }
            let value = match frame > first {
                true => Value::from(table.with("start", frame)),
                false => Value::from(record.name),
            };
            let edit = Edit::Set { path: path.clone(), value };
            context.actions.apply(format!("Simulate {name} from frame {frame}"), edit);
        }
    }
}

/// A type with its article.
fn noun(record: &RecordType) -> String {
    match record.name {
        "rigid" => "a solid".to_owned(),
        name => format!("a {}", name.replace('-', " ")),
    }
}

/// Numbers that the body is simulated with.
fn numbers(ui: &mut Ui, context: &PanelContext<'_>, name: &str) {
    let scene = context.session.editor.scene();
    let found = scene.body_index(name).and_then(|body| scene.resolved_material(body));
    let Some(ResolvedMaterial { section, strength, .. }) = found else { return };
    let mut facts = vec![
        ("Weighs", format!("{} kg/m", label::short(section.mass_per_metre))),
        ("Stretches", format!("EA {} N", label::short(section.stretch))),
        ("Bends", format!("EI {} N m²", label::short(section.bend))),
    ];
    if let Some(strength) = strength {
        facts.push(("Breaks", format!("at {} N", label::short(strength.newtons))));
    }
    let weak = theme::of(ui).weak;
    Grid::new("material").num_columns(4).spacing([theme::SPACE, 2.0]).show(ui, |ui| {
        for pair in facts.chunks(2) {
            for (name, fact) in pair {
                ui.label(RichText::new(*name).small().color(weak));
                ui.label(RichText::new(fact).small());
            }
            ui.end_row();
        }
    });
}
