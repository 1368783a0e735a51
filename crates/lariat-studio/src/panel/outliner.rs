//! The list of things: bodies, locators, colliders and cameras.

use egui::{Key, Layout, RichText, ScrollArea, Ui};
use lariat_scene::{Edit, Path, Thing, check::Severity};

use super::PanelContext;
use crate::{
    action::Actions,
    command::Command,
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
    let left = Layout::top_down_justified(egui::Align::LEFT);
    let response = ui.with_layout(left, |ui| ui.add(button)).inner;
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
