//! Lists of records (waves, bends, pins, …) and single records (physics, envelope): foldable
//! sections with the same rows as everything else.

use egui::{ComboBox, Layout, RichText, Ui, collapsing_header::CollapsingState, vec2};
use lariat_scene::{
    Edit, Table, Value,
    schema::{Family, Field, Kind, RecordType, record_at},
};

use super::{
    super::PanelContext,
    fields, note,
    parameter::{Parameter, ask},
    row::Place,
    start,
};
use crate::{
    icon::{self, Icon},
    label,
    theme::{self, GAP, ROW, SPACE},
};

/// Shows rows a little to the right, with the same columns.
pub(super) fn indented(ui: &mut Ui, rows: impl FnOnce(&mut Ui)) {
    let colour = theme::of(ui).line;
    let top = ui.cursor().min;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.add_space(SPACE);
        ui.vertical(|ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing = vec2(SPACE, GAP);
            rows(ui);
        });
    });
    let bottom = ui.min_rect().bottom();
    let x = top.x + 2.0;
    ui.painter().vline(x, top.y..=bottom, egui::Stroke::new(1.0, colour));
}

/// Shows a list of records.
pub(super) fn list(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    parameter: &Parameter<'_>,
    family: &'static Family,
) {
    let given = parameter.given.and_then(Value::list).unwrap_or_default();
    let diagnostics = note::of_record(context, parameter.path, None);
    ui.horizontal(|ui| {
        title(ui, parameter, given.len());
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            let name = format!("Add {}", noun(family));
            let button = icon::quiet(ui, Icon::Add, &name);
            if let [record] = family.types {
                if button.on_hover_text(record.help).clicked() {
                    add(context, parameter, family, record);
                }
            } else {
                egui::Popup::menu(&button).show(|ui| {
                    for record in family.types {
                        let row = ui.button(label::words(record.name)).on_hover_text(record.help);
                        if row.clicked() {
                            add(context, parameter, family, record);
                        }
                    }
                });
                button.on_hover_text(parameter.field.help);
            }
        });
    });
    note::show(ui, context, &diagnostics);
    for (index, value) in given.iter().enumerate() {
        element(ui, context, parameter, family, index, value, given.len());
    }
}

/// Name of a section.
fn title(ui: &mut Ui, parameter: &Parameter<'_>, count: usize) {
    let colours = theme::of(ui);
    let colour = if count > 0 { colours.text } else { colours.weak };
    let text = match count {
        0 => parameter.words.to_owned(),
        count => format!("{} ({count})", parameter.words),
    };
    ui.label(RichText::new(text).color(colour)).on_hover_text(parameter.field.help);
}

fn noun(family: &Family) -> String {
    family.noun.replace('-', " ")
}

fn add(
    context: &mut PanelContext<'_>,
    parameter: &Parameter<'_>,
    family: &'static Family,
    record: &'static RecordType,
) {
    let value = Value::from(start::record(context, family, record, parameter.owner));
    let document = context.session.editor.document();
    let edit = parameter.all(|owner, list| {
        let count = document.get(list).and_then(Value::list).map_or(0, <[Value]>::len);
        let insert = Edit::Insert { list: list.clone(), index: count, value: value.clone() };
        Ok(match super::parameter::opened(document, owner, parameter.family) {
            Some(open) => Edit::Batch(vec![open, insert]),
            None => insert,
        })
    });
    ask(context, format!("Add {}", noun(family)), edit);
}

/// One record of a list.
fn element(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    parameter: &Parameter<'_>,
    family: &'static Family,
    index: usize,
    value: &Value,
    count: usize,
) {
    let path = parameter.path.clone().index(index);
    let record = record_at(context.session.editor.document(), &path);
    let id = egui::Id::unique(("record", path.to_string()));
    let state = CollapsingState::load_with_default_open(ui.ctx(), id, true);
    let word = match (family.tag, record) {
        (Some(_), Some(record)) => record.name.to_owned(),
        _ => noun(family),
    };
    let name = format!("{} {}", label::words(&word), index + 1);
    let shown = state.show_header(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let help = record.map_or("", |record| record.help);
        ui.label(&name).on_hover_text(help);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            let lower = name.to_lowercase();
            let list = parameter.path;
            if icon::quiet(ui, Icon::Remove, &format!("Remove {lower}")).clicked() {
                let edit = match count {
                    1 => Edit::Unset { path: list.clone() },
                    _ => Edit::Remove { list: list.clone(), index },
                };
                context.actions.apply(format!("Remove {lower}"), edit);
            }
            let moves = [(Icon::Down, index + 1, "down"), (Icon::Up, index.wrapping_sub(1), "up")];
            for (icon, to, word) in moves.into_iter().filter(|_| count > 1) {
                let name = format!("Move {lower} {word}");
                let moved = ui.add_enabled_ui(to < count, |ui| icon::quiet(ui, icon, &name));
                if moved.inner.clicked() {
                    let edit = Edit::Move { list: list.clone(), from: index, to };
                    context.actions.apply(name, edit);
                }
            }
        });
    });
    let place = Place { scope: parameter.scope, owner: &path, family: Some(family), motion: None };
    shown.body_unindented(|ui| {
        indented(ui, |ui| match (value.table(), record) {
            (Some(table), Some(record)) => {
                let notes = note::of_record(context, &path, Some(record));
                note::show(ui, context, &notes);
                fields(ui, context, place, Some(table), record, |_| true);
            }
            _ => {
                let notes = note::at(context, &path);
                note::show(ui, context, &notes);
            }
        });
    });
}

/// Shows a single record, such as the physics of a body.
pub(super) fn single(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    parameter: &Parameter<'_>,
    family: &'static Family,
) {
    let document = context.session.editor.document();
    let record = match parameter.given {
        Some(Value::Text(word)) => family.find(word),
        Some(Value::Table(table)) => {
            record_at(document, parameter.path).or_else(|| family.find(table.text(family.tag?)?))
        }
        _ => None,
    };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        let width = (parameter.scope.controls - ui.cursor().left() - GAP).max(40.0);
        let colours = theme::of(ui);
        let colour = if parameter.given.is_some() { colours.text } else { colours.weak };
        let left = Layout::left_to_right(egui::Align::Center);
        let named = ui.allocate_ui_with_layout(vec2(width, ROW), left, |ui| {
            ui.set_width(width);
            let text = RichText::new(parameter.words).color(colour);
            ui.add(egui::Label::new(text).truncate()).on_hover_text(parameter.field.help).id
        });
        ui.add_space(22.0);
        let text = match record {
            Some(record) => label::words(record.name),
            None if parameter.given.is_some() => "Unknown".to_owned(),
            None => "None".to_owned(),
        };
        let width = ui.available_width() - 18.0;
        let combo = ComboBox::from_id_salt(parameter.path.to_string()).width(width).truncate();
        let combo = combo.selected_text(text).show_ui(ui, |ui| {
            let row = ui.selectable_label(parameter.given.is_none(), "None");
            if row.clicked() && parameter.given.is_some() {
                super::row::reset(context, parameter);
            }
            for other in family.types {
                let is_chosen = record.is_some_and(|record| record.name == other.name);
                let row = ui.selectable_label(is_chosen, label::words(other.name));
                if row.on_hover_text(other.help).clicked() && !is_chosen {
                    choose(context, parameter, family, other);
                }
            }
        });
        combo.response.labelled_by(named.inner).on_hover_text(parameter.field.help);
    });
    let diagnostics = note::of_record(context, parameter.path, record);
    note::show(ui, context, &diagnostics);
    let Some(record) = record.filter(|record| !record.fields.is_empty()) else { return };
    let place =
        Place { scope: parameter.scope, owner: parameter.path, family: Some(family), motion: None };
    let table = parameter.given.and_then(Value::table);
    indented(ui, |ui| fields(ui, context, place, table, record, |_| true));
}

/// Gives a record another type; values that both types have stay.
fn choose(
    context: &mut PanelContext<'_>,
    parameter: &Parameter<'_>,
    family: &'static Family,
    record: &'static RecordType,
) {
    let mut table = start::record(context, family, record, parameter.owner);
    let kept = parameter.given.and_then(Value::table).into_iter().flat_map(Table::iter);
    for (name, value) in kept {
        if record.field(name).is_some() {
            table.set(name, value.clone());
        }
    }
    let first = context.session.editor.scene().shot().first as f64;
    let frame = context.workspace.frame.round();
    if parameter.given.is_none() && record.field("start").is_some() && frame > first {
        table.set("start", frame);
    }
    // A type alone is written as a word.
    let value = match (family.tag, family.shorthand, table.len()) {
        (Some(tag), Some(_), 1) if table.get(tag).is_some() => Value::from(record.name),
        _ => Value::from(table),
    };
    parameter.apply(context, &value);
}

/// Whether a field is a list or a record of its own.
pub(super) fn is_section(field: &Field) -> bool {
    matches!(field.kind, Kind::Records(_) | Kind::Record(_))
}
