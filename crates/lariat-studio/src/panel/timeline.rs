//! Playback, and the keys of all channels.

use egui::{Align2, Color32, FontId, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::PanelContext;
use crate::{
    action::Action,
    command::Command,
    label,
    theme::{self, GAP, ROW},
};

/// Height of the ruler, in points.
const RULER: f32 = 22.0;

/// Shows the controls of playback and the ruler.
pub(crate) fn timeline(ui: &mut Ui, context: &mut PanelContext<'_>) {
    controls(ui, context);
    ui.add_space(GAP);
    ruler(ui, context);
}

fn controls(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let shot = *context.session.editor.scene().shot();
    ui.horizontal(|ui| {
        let play = if context.is_playing { "⏸" } else { "▶" };
        let name = if context.is_playing { "Stop" } else { "Play" };
        for (icon, name, command) in [
            ("⏮", "First frame", Command::FirstFrame),
            ("◀", "Previous frame", Command::PreviousFrame),
            (play, name, Command::Play),
            ("▶", "Next frame", Command::NextFrame),
            ("⏭", "Last frame", Command::LastFrame),
        ] {
            let icon = if command == Command::NextFrame { "⏵" } else { icon };
            let response = ui.button(icon).on_hover_text(command.row().help);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
            if response.clicked() {
                context.actions.push(Action::Run(command));
            }
        }
        let mut frame = context.workspace.frame;
        let range = shot.first as f64..=shot.last as f64;
        let field = egui::DragValue::new(&mut frame).range(range).fixed_decimals(0).speed(0.2);
        let named = ui.label("Frame");
        if ui.add(field).labelled_by(named.id).changed() {
            context.workspace.frame = frame.round();
        }
        let colour = theme::of(ui).weak;
        let rate = label::number(shot.rate.per_second());
        let text = format!("{}–{} at {rate} frames per second", shot.first, shot.last);
        ui.label(egui::RichText::new(text).color(colour));
        ui.toggle_value(&mut context.workspace.loops, "Loop");
        ui.toggle_value(&mut context.workspace.auto_key, "Auto-key")
            .on_hover_text(Command::AutoKey.row().help);
    });
}

/// The frames of the shot, with the current one; drags scrub.
fn ruler(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let shot = *context.session.editor.scene().shot();
    let colours = theme::of(ui);
    let size = vec2(ui.available_width(), RULER);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Frames of the shot"));
    let scale = FrameScale::new(rect.shrink2(vec2(ROW, 0.0)), shot.first as f64, shot.last as f64);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, colours.well);
    let step = scale.step();
    let mut frame = (shot.first as f64 / step).ceil() * step;
    while frame <= shot.last as f64 {
        let x = scale.x(frame);
        painter.vline(x, rect.bottom() - 6.0..=rect.bottom(), Stroke::new(1.0, colours.line));
        let text = label::number(frame);
        let font = FontId::proportional(10.0);
        painter.text(pos2(x, rect.top() + 8.0), Align2::CENTER_CENTER, text, font, colours.weak);
        frame += step;
    }
    current(&painter, &scale, rect, context.workspace.frame, colours.accent, colours.on_accent);
    if let Some(pointer) = response.interact_pointer_pos()
        && (response.dragged() || response.clicked())
    {
        let frame = scale.frame(pointer.x).round();
        context.workspace.frame = frame.clamp(shot.first as f64, shot.last as f64);
    }
}

fn current(
    painter: &egui::Painter,
    scale: &FrameScale,
    rect: Rect,
    frame: f64,
    accent: Color32,
    on_accent: Color32,
) {
    let x = scale.x(frame);
    painter.vline(x, rect.y_range(), Stroke::new(1.5, accent));
    let flag = Rect::from_center_size(pos2(x, rect.top() + 8.0), vec2(34.0, 15.0));
    painter.rect_filled(flag, 3.0, accent);
    let text = label::number(frame);
    painter.text(flag.center(), Align2::CENTER_CENTER, text, FontId::proportional(11.0), on_accent);
}

/// Maps frames to points of the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameScale {
    rect: Rect,
    first: f64,
    last: f64,
}

impl FrameScale {
    pub(crate) fn new(rect: Rect, first: f64, last: f64) -> Self {
        Self { rect, first, last: last.max(first + 1.0) }
    }

    pub(crate) fn x(&self, frame: f64) -> f32 {
        let share = (frame - self.first) / (self.last - self.first);
        self.rect.left() + share as f32 * self.rect.width()
    }

    pub(crate) fn frame(&self, x: f32) -> f64 {
        let share = f64::from((x - self.rect.left()) / self.rect.width().max(1.0));
        self.first + share * (self.last - self.first)
    }

    /// Frames between two numbers of the ruler: 1, 2, 5, 10, 20, …
    pub(crate) fn step(&self) -> f64 {
        let per_label = 44.0 / f64::from(self.rect.width().max(1.0)) * (self.last - self.first);
        let mut step = 1.0;
        for factor in [2.0, 2.5, 2.0].into_iter().cycle().take(24) {
            if step >= per_label {
                break;
            }
            step *= factor;
        }
        step
    }
}
