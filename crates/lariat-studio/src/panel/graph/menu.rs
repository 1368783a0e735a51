//! Menus of the graph: optional lines; interpolation, tangents and slopes of the selected keys.

use egui::{
    Rect, Response, ScrollArea, Ui,
    containers::menu::{MenuButton, MenuConfig},
};
use lariat_core::motion::{Interpolation, Named, TangentKind};
use lariat_editor::{
    ChannelForm,
    tool::{KeyRef, KeySettings, ToolError, set_key_settings, set_local, set_slope},
};
use lariat_scene::{Edit, Value};

use super::{
    curve::Line,
    hand::{insert_at, knot_at},
    plot::Plot,
};
use crate::{action::Action, command::Command, label, panel::PanelContext, theme::GAP};

/// Shows the menus above the list of channels.
pub(super) fn bar(ui: &mut Ui, context: &mut PanelContext<'_>, rect: Rect) {
    let builder = egui::UiBuilder::new()
        .max_rect(rect)
        .layout(egui::Layout::left_to_right(egui::Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        ui.spacing_mut().button_padding.y = 1.0;
        // Stays open, for several lines.
        let outside = egui::PopupCloseBehavior::CloseOnClickOutside;
        let config = MenuConfig::new().close_behavior(outside);
        MenuButton::new("Lines").config(config).ui(ui, |ui| {
            let lines = &mut context.state.graph.lines;
            for (line, name, help) in [
                (
                    Line::Equilibrium,
                    "Equilibrium",
                    "The value at which a wiggle comes to rest. Double-click on it to key it.",
                ),
                (Line::Imaginary, "Imaginary part", "The wiggle a quarter of a swing later."),
                (Line::Phase, "Phase", "The angle of the swing, in degrees."),
                (Line::Force, "Force", "The force that bends the free swing to meet the knots."),
            ] {
                let mut on = lines.shown.contains(&line);
                if ui.checkbox(&mut on, name).on_hover_text(help).changed() {
                    match on {
                        true => lines.shown.insert(line),
                        false => lines.shown.remove(&line),
                    };
                }
            }
            let help = "Shown as curves below, also where they are constant. Double-click on one to \
                        key it.";
            ui.checkbox(&mut lines.spring, "Frequency and damping").on_hover_text(help);
        });
        let has_keys = !context.workspace.keys.is_empty();
        ui.add_enabled_ui(has_keys, |ui| {
            ui.menu_button("Keys", |ui| key_menu(ui, context)).response.on_disabled_hover_text(
                "Select keys to change their interpolation, tangents or slopes.",
            );
        });
        let fit = ui.button("Fit").on_hover_text("Shows all frames of the shot and all values (A).");
        if fit.clicked() {
            context.workspace.visible_frames = None;
            context.state.keys.fits = true;
        }
    });
}

/// The menu at the pointer.
pub(super) fn context(ui: &Ui, context: &mut PanelContext<'_>, plot: &Plot, response: &Response) {
    if response.secondary_clicked()
        && let Some(at) = response.interact_pointer_pos()
        && let Some(knot) = knot_at(plot, at)
    {
        let key = KeyRef { channel: knot.curve.channel.path.clone(), frame: knot.frame };
        if !context.workspace.keys.contains(&key) {
            context.workspace.keys = vec![key];
        }
    }
    let at = ui.input(|input| input.pointer.press_origin());
    response.context_menu(|ui| {
        ui.set_min_width(160.0);
        if ui.button("Insert key here").clicked() {
            let at = ui.data(|data| data.get_temp(response.id)).or(at);
            if let Some(at) = at {
                insert_at(context, plot, at);
            }
            ui.close();
        }
        if !context.workspace.keys.is_empty() {
            ui.separator();
            key_menu(ui, context);
        }
    });
    if response.secondary_clicked()
        && let Some(at) = response.interact_pointer_pos()
    {
        // The place of the click, for when the menu is answered.
        ui.data_mut(|data| data.insert_temp(response.id, at));
    }
}

/// Settings of the selected keys.
fn key_menu(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let keys = context.workspace.keys.clone();
    let document = context.session.editor.document();
    let is_wiggle = |key: &KeyRef| {
        let written = document.as_written(&key.channel);
        let found = written.and_then(|path| document.get(&path));
        ChannelForm::of(found) == ChannelForm::Wiggly
    };
    let (knots, plain): (Vec<KeyRef>, Vec<KeyRef>) = keys.into_iter().partition(is_wiggle);
    let mut asked: Option<(String, Result<Edit, ToolError>)> = None;
    if !plain.is_empty() {
        ui.menu_button("Interpolation", |ui| {
            ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
                for row in Interpolation::NAMES {
                    if ui.button(label::words(row.name)).on_hover_text(row.help).clicked() {
                        let interpolation = Some(row.name.to_owned());
                        let settings = KeySettings { interpolation, ..KeySettings::default() };
                        let edit = set_key_settings(document, &plain, &settings);
                        asked = Some((format!("{} interpolation", label::words(row.name)), edit));
                    }
                }
            });
        });
        ui.menu_button("Tangents", |ui| {
            for row in TangentKind::NAMES {
                if ui.button(label::words(row.name)).on_hover_text(row.help).clicked() {
                    let tangents = Some(row.name.to_owned());
                    let settings = KeySettings { tangents, ..KeySettings::default() };
                    let edit = set_key_settings(document, &plain, &settings);
                    asked = Some((format!("{} tangents", label::words(row.name)), edit));
                }
            }
        });
    }
    if !knots.is_empty() {
        let zero = || match context.session.value_at(&knots[0].channel, knots[0].frame) {
            Some(Value::List(list)) => Value::List(vec![0.0.into(); list.len()]),
            _ => 0.0.into(),
        };
        if ui.button("Flat slope").on_hover_text("The knot is a turning point.").clicked() {
            asked =
                Some(("Flat slope".to_owned(), set_slope(document, &knots, true, Some(&zero()))));
        }
        if ui.button("Free slope").on_hover_text("The slope follows from the spring.").clicked() {
            asked = Some(("Free slope".to_owned(), set_slope(document, &knots, true, None)));
        }
        let help = "Neither side of the knot affects the other.";
        if ui.button("Cut the curve here").on_hover_text(help).clicked() {
            asked = Some(("Cut curve".to_owned(), set_local(document, &knots, true)));
        }
        if ui.button("Join the curve here").clicked() {
            asked = Some(("Join curve".to_owned(), set_local(document, &knots, false)));
        }
    }
    ui.separator();
    for command in [Command::CopyKeys, Command::PasteKeys, Command::DeleteKeys] {
        if ui.button(command.row().label).clicked() {
            context.actions.push(Action::Run(command));
            ui.close();
        }
    }
    if let Some((name, made)) = asked {
        match made {
            Ok(edit) => context.actions.apply(name, edit),
            Err(error) => context.actions.push(Action::Report(error.to_string())),
        }
        ui.close();
    }
}
