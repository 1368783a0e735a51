//! Menu of a parameter: keys, wiggle, constant, follow, path, reset.

use egui::Ui;
use lariat_editor::{ChannelForm, tool};
use lariat_scene::{
    Document, Path, Step, Table, Thing, Value,
    schema::{Kind, field_at},
};

use super::{super::PanelContext, parameter::Parameter, parameter::key_frames, row};

/// Frequency of a new wiggle, in hertz.
const HERTZ: f64 = 1.0;

/// The menu of a parameter.
pub(super) fn menu(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let words = parameter.words.to_lowercase();
    let frame = context.workspace.frame;
    if parameter.field.animatable {
        let on_key = parameter.given.is_some_and(|value| key_frames(value).contains(&frame));
        let text = if on_key { "Remove key" } else { "Set key" };
        if ui.button(text).clicked() {
            row::toggle_key(context, parameter, on_key, format!("{text} of {words}"));
        }
        let form = ChannelForm::of(parameter.given);
        let oscillates = !matches!(parameter.kind, Kind::Switch | Kind::Choice(_));
        if oscillates && form != ChannelForm::Wiggly && ui.button("Make it wiggle").clicked() {
            parameter.apply_all(context, format!("Wiggle {words}"), |session, path| {
                session.editor.wiggle(path, frame, HERTZ)
            });
        }
        if form != ChannelForm::Constant && ui.button("Make it constant").clicked() {
            parameter.apply_all(context, format!("Freeze {words}"), |session, path| {
                session.editor.freeze(path, frame)
            });
        }
        if oscillates {
            follow(ui, context, parameter, &words);
        }
        ui.separator();
    }
    if ui.button("Copy its path").clicked() {
        ui.ctx().copy_text(parameter.path.to_string());
    }
    let can_reset = parameter.given.is_some() && !parameter.field.required;
    if ui.add_enabled(can_reset, egui::Button::new("Reset to its default")).clicked() {
        row::reset(context, parameter);
    }
}

fn follow(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>, words: &str) {
    let document = context.session.editor.document();
    let own = document.as_written(parameter.path);
    let leaders: Vec<String> = wiggles(document)
        .into_iter()
        .filter(|(path, is_vector)| {
            let wants_vector = !matches!(parameter.kind, Kind::Scalar(_));
            Some(path) != own.as_ref() && *is_vector == wants_vector
        })
        .map(|(path, _)| leader_name(document, &path))
        .collect();
    ui.menu_button("Follow", |ui| {
        if leaders.is_empty() {
            ui.weak("Nothing wiggles that it could follow");
        }
        for leader in &leaders {
            if ui.button(leader).clicked() {
                parameter.apply_all(context, format!("Follow with {words}"), |session, path| {
                    tool::follow(session.editor.document(), path, leader)
                });
            }
        }
    });
}

/// Paths of all wiggles of a document, and whether each is of vectors.
fn wiggles(document: &Document) -> Vec<(Path, bool)> {
    let mut found = Vec::new();
    for thing in Thing::ALL {
        for (index, table) in document.things(thing) {
            let path = Path::root().field(thing.list()).index(index);
            collect(document, &path, table, &mut found);
        }
    }
    found
}

fn collect(document: &Document, path: &Path, table: &Table, found: &mut Vec<(Path, bool)>) {
    for (name, value) in table.iter() {
        let path = path.clone().field(name);
        match value {
            Value::Table(table) if table.get("wiggle").is_some() => {
                let kind = field_at(document, &path).map(|field| field.kind);
                found.push((path, !matches!(kind, Some(Kind::Scalar(_)))));
            }
            Value::Table(table) => collect(document, &path, table, found),
            Value::List(list) => {
                for (index, value) in list.iter().enumerate() {
                    if let Value::Table(table) = value {
                        collect(document, &path.clone().index(index), table, found);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Name of a leader in a document: bodies go without the name of their list.
fn leader_name(document: &Document, path: &Path) -> String {
    let named = document.named(path);
    match named.steps() {
        [Step::Field(list), rest @ ..] if **list == *"body" => {
            rest.iter().cloned().collect::<Path>().to_string()
        }
        _ => named.to_string(),
    }
}
