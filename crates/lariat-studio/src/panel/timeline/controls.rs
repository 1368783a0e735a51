//! Controls of playback.

use egui::Ui;

use crate::{
    action::Action,
    command::Command,
    icon::{self, Icon},
    label,
    panel::PanelContext,
    theme,
};

/// Shows the controls of playback in a row.
pub(crate) fn controls(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let shot = *context.session.editor.scene().shot();
    let play = if context.is_playing { Icon::Pause } else { Icon::Play };
    let name = if context.is_playing { "Stop" } else { "Play" };
    ui.spacing_mut().item_spacing.x = theme::GAP;
    for (icon, name, command) in [
        (Icon::First, "First frame", Command::FirstFrame),
        (Icon::Previous, "Previous frame", Command::PreviousFrame),
        (play, name, Command::Play),
        (Icon::Next, "Next frame", Command::NextFrame),
        (Icon::Last, "Last frame", Command::LastFrame),
    ] {
        if icon::button(ui, icon, name).on_hover_text(command.row().help).clicked() {
            context.actions.push(Action::Run(command));
        }
    }
    ui.spacing_mut().item_spacing.x = theme::SPACE;
    let mut frame = context.workspace.frame;
    let range = shot.first as f64..=shot.last as f64;
    let field = egui::DragValue::new(&mut frame).range(range).fixed_decimals(0).speed(0.2);
    let named = ui.label("Frame");
    if ui.add(field).labelled_by(named.id).changed() {
        context.workspace.frame = frame.round();
    }
    let colour = theme::of(ui).weak;
    let rate = label::number(shot.rate.per_second());
    let text = format!("{}–{} at {rate} fps", shot.first, shot.last);
    ui.label(egui::RichText::new(text).color(colour));
    ui.toggle_value(&mut context.workspace.loops, "Loop").on_hover_text(Command::Loop.row().help);
    ui.toggle_value(&mut context.workspace.auto_key, "Auto-key")
        .on_hover_text(Command::AutoKey.row().help);
}
