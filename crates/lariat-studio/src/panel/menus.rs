//! Menus at the top of the window, from the table of commands.

use egui::{Button, MenuBar, Ui};

use crate::{
    action::{Action, Actions},
    command::{COMMANDS, Command, Menu},
    session::Session,
    theme::{self, SPACE},
    viewport::hands::Placeable,
    workspace::{Appearance, Overlay, Workspace},
};

/// Shows the menus, and the title of the document.
pub(crate) fn menu_bar(
    ui: &mut Ui,
    session: Option<&Session>,
    workspace: &Workspace,
    actions: &mut Actions,
) {
    MenuBar::new().ui(ui, |ui| {
        for menu in Menu::ALL {
            ui.menu_button(menu.name(), |ui| {
                for row in COMMANDS.iter().filter(|row| row.menu == menu) {
                    show_command(ui, row.command, session, workspace, actions);
                }
                if menu == Menu::Add && session.is_some() {
                    ui.separator();
                    show_placeables(ui, actions);
                }
            });
        }
        ui.add_space(SPACE);
        if let Some(session) = session {
            let changed = if session.editor.is_modified() { " •" } else { "" };
            let title = format!("{}{changed}", session.title);
            ui.label(egui::RichText::new(title).color(theme::of(ui).weak));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                for command in [Command::Render, Command::Redo, Command::Undo] {
                    let (row, name) = (command.row(), command.row().label.trim_end_matches('…'));
                    let is_enabled = is_enabled(command, Some(session), workspace);
                    let button = ui.add_enabled(is_enabled, Button::new(name));
                    let help = format!("{}. {}", label(command, Some(session)), row.help);
                    if button.on_hover_text(help).clicked() {
                        actions.push(Action::Run(command));
                    }
                }
            });
        }
    });
}

/// Things that are placed with clicks in the view.
fn show_placeables(ui: &mut Ui, actions: &mut Actions) {
    show_kinds(ui, Placeable::bodies(), actions);
    ui.separator();
    show_kinds(ui, Placeable::solids(), actions);
    ui.separator();
    ui.menu_button("Collider", |ui| show_kinds(ui, Placeable::colliders(), actions));
}

fn show_kinds(
    ui: &mut Ui,
    kinds: impl Iterator<Item = (Placeable, &'static str)>,
    actions: &mut Actions,
) {
    for (kind, help) in kinds {
        if ui.button(kind.words()).on_hover_text(help).clicked() {
            actions.push(Action::Place(kind));
            ui.close();
        }
    }
}

fn show_command(
    ui: &mut Ui,
    command: Command,
    session: Option<&Session>,
    workspace: &Workspace,
    actions: &mut Actions,
) {
    let row = command.row();
    let is_enabled = is_enabled(command, session, workspace);
    let label = label(command, session);
    let mut button = Button::new(label).selected(is_on(command, workspace));
    if let Some(shortcut) = row.shortcuts.first() {
        button = button.shortcut_text(ui.ctx().format_shortcut(shortcut));
    }
    if ui.add_enabled(is_enabled, button).on_hover_text(row.help).clicked() {
        actions.push(Action::Run(command));
        ui.close();
    }
}

/// Name of a command; undo and redo say of what.
fn label(command: Command, session: Option<&Session>) -> String {
    let name = session.and_then(|session| match command {
        Command::Undo => session.editor.undo_name(),
        Command::Redo => session.editor.redo_name(),
        _ => None,
    });
    let label = command.row().label;
    name.map_or_else(|| label.to_owned(), |name| format!("{label}: {name}"))
}

/// Whether a command can be run now.
pub(crate) fn is_enabled(
    command: Command,
    session: Option<&Session>,
    workspace: &Workspace,
) -> bool {
    let Some(session) = session else {
        return matches!(
            command,
            Command::New
                | Command::Open
                | Command::Quit
                | Command::Palette
                | Command::Appearance
                | Command::Larger
                | Command::Smaller
        );
    };
    match command {
        Command::Undo => session.editor.undo_name().is_some(),
        Command::Redo => session.editor.redo_name().is_some(),
        Command::Move
        | Command::Turn
        | Command::Duplicate
        | Command::Delete
        | Command::ExtractModes
        | Command::Rename
        | Command::Hide
        | Command::Solo
        | Command::FrameSelection => !workspace.selected.is_empty(),
        _ => true,
    }
}

/// Whether a switch is on.
fn is_on(command: Command, workspace: &Workspace) -> bool {
    match command {
        Command::Loop => workspace.loops,
        Command::AutoKey => workspace.auto_key,
        Command::Grid => workspace.shows_grid,
        Command::Ghosts => workspace.shows_ghosts,
        Command::Trails => workspace.shows_trails,
        Command::Tension => workspace.overlay == Some(Overlay::Tension),
        Command::Twist => workspace.overlay == Some(Overlay::Twist),
        Command::Contact => workspace.overlay == Some(Overlay::Contact),
        Command::Outliner => workspace.shows_outliner,
        Command::History => workspace.shows_history,
        Command::Inspector => workspace.shows_inspector,
        Command::Bottom => workspace.shows_bottom,
        Command::Perspective => !workspace.view.orthographic,
        Command::ThroughCamera => workspace.camera.is_some(),
        Command::Appearance => workspace.appearance == Appearance::Dark,
        _ => false,
    }
}
