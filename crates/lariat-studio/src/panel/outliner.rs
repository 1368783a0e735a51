//! The list of things: bodies, locators, colliders and cameras.

use egui::{Key, RichText, ScrollArea, Ui};
use lariat_scene::{Edit, Path, Thing, check::Severity};

use super::PanelContext;
use crate::{
    action::Actions,
    command::Command,
    label,
    session::Session,
    theme::{self, SPACE},
    workspace::{Selection, Workspace},
};

/// A name that is being typed.
#[derive(Debug, Default)]
pub(crate) struct State {
    renaming: Option<(Selection, String)>,
}

/// Kinds of things, in the order of the list.
const KINDS: [(Thing, &str); 4] = [
    (Thing::Body, "Bodies"),
    (Thing::Locator, "Locators"),
    (Thing::Collider, "Colliders"),
    (Thing::Camera, "Cameras"),
];

/// Shows the list.
pub(crate) fn outliner(ui: &mut Ui, context: &mut PanelContext<'_>) {
    ui.add_space(SPACE);
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for (thing, title) in KINDS {
            let document = context.session.editor.document();
            let names: Vec<String> = document.names(thing).map(str::to_owned).collect();
            if names.is_empty() {
                continue;
            }
            ui.label(RichText::new(title).small().color(theme::of(ui).weak));
            for name in &names {
                row(ui, context, thing, name);
            }
            ui.add_space(SPACE);
        }
    });
}

fn row(ui: &mut Ui, context: &mut PanelContext<'_>, thing: Thing, name: &str) {
    let colours = theme::of(ui);
    let this = Selection { thing, name: name.to_owned() };
    if let Some((renamed, typed)) = &mut context.state.outliner.renaming
        && *renamed == this
    {
        let response = ui.text_edit_singleline(typed);
        response.request_focus();
        let typed = typed.clone();
        let (entered, cancelled) =
            ui.input(|input| (input.key_pressed(Key::Enter), input.key_pressed(Key::Escape)));
        if entered || cancelled || response.clicked_elsewhere() {
            context.state.outliner.renaming = None;
            if !cancelled && typed != name {
                rename(context.actions, context.workspace, thing, name, typed);
            }
        }
        return;
    }
    let editor = &context.session.editor;
    let path: Option<Path> = format!("{}.{name}", list(thing)).parse().ok();
    let worst = path.and_then(|path| editor.diagnostics_at(&path).map(|one| one.severity).max());
    let colour = match worst {
        Some(Severity::Error) => colours.error,
        Some(Severity::Warning) => colours.warning,
        _ => colours.text,
    };
    let is_selected = context.workspace.is_selected(thing, name);
    let text = RichText::new(name).color(colour);
    let button = egui::Button::selectable(is_selected, text).truncate();
    let response = ui.add_sized([ui.available_width(), 0.0], button);
    if response.clicked() {
        let adds = ui.input(|input| input.modifiers.command || input.modifiers.shift);
        context.workspace.select(thing, name, adds);
    }
    if response.double_clicked() {
        context.state.outliner.renaming = Some((this.clone(), name.to_owned()));
    }
    response.context_menu(|ui| {
        if ui.button("Rename").clicked() {
            context.state.outliner.renaming = Some((this.clone(), name.to_owned()));
            ui.close();
        }
        for command in [Command::Duplicate, Command::Delete] {
            if ui.button(command.row().label).clicked() {
                context.workspace.select(thing, name, false);
                context.actions.push(crate::Action::Run(command));
                ui.close();
            }
        }
    });
}

fn rename(actions: &mut Actions, workspace: &mut Workspace, thing: Thing, from: &str, to: String) {
    let edit = Edit::Rename { thing, from: from.to_owned(), to: to.clone() };
    actions.apply(format!("Rename {from}"), edit);
    workspace.selected.retain(|one| !(one.thing == thing && one.name == from));
    workspace.selected.push(Selection { thing, name: to });
}

/// List of a kind of things in a document.
pub(crate) fn list(thing: Thing) -> &'static str {
    match thing {
        Thing::Body => "body",
        Thing::Locator => "locator",
        Thing::Collider => "collider",
        Thing::Camera => "camera",
    }
}

/// The edit of a command on the selected things.
pub(super) fn edit_of(
    command: Command,
    session: &Session,
    workspace: &Workspace,
) -> Option<Result<(String, Edit, Option<Selection>), String>> {
    let document = session.editor.document();
    match command {
        Command::Delete => {
            let mut edits: Vec<(Thing, usize)> = workspace
                .selected
                .iter()
                .filter_map(|one| Some((one.thing, document.find(one.thing, &one.name)?.0)))
                .collect();
            // The last ones first, so that the indices of the others stay.
            edits.sort_by_key(|(_, index)| std::cmp::Reverse(*index));
            let removed = edits.into_iter().map(|(thing, index)| {
                let list = Path::default().field(list(thing));
                Edit::Remove { list, index }
            });
            let edits: Vec<Edit> = removed.collect();
            let name = match workspace.selected.as_slice() {
                [] => return None,
                [one] => format!("Delete {}", one.name),
                many => format!("Delete {} things", many.len()),
            };
            Some(Ok((name, Edit::Batch(edits), None)))
        }
        Command::Duplicate => {
            let one = workspace.active()?;
            let (index, table) = document.find(one.thing, &one.name)?;
            let mut copy = table.clone();
            let name = unused_name(session, one.thing, &one.name);
            copy.set("name", name.clone());
            let list = Path::default().field(list(one.thing));
            let edit = Edit::Insert { list, index: index + 1, value: copy.into() };
            let selected = Selection { thing: one.thing, name };
            Some(Ok((format!("Duplicate {}", one.name), edit, Some(selected))))
        }
        _ => None,
    }
}

/// A name that no thing of the kind has: `rope 2`.
pub(crate) fn unused_name(session: &Session, thing: Thing, name: &str) -> String {
    let document = session.editor.document();
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    let stem = if stem.is_empty() { label::words(list(thing)) } else { stem.to_owned() };
    let mut number = 2;
    loop {
        let name = format!("{stem} {number}");
        if document.find(thing, &name).is_none() {
            return name;
        }
        number += 1;
    }
}
