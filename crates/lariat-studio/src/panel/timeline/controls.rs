//! Controls of playback.

use egui::{Rect, Response, Sense, Shape, Stroke, Ui, vec2};

use crate::{action::Action, command::Command, label, panel::PanelContext, theme};

/// Shows the controls of playback in a row.
pub(crate) fn controls(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let shot = *context.session.editor.scene().shot();
    let play = if context.is_playing { Icon::Stop } else { Icon::Play };
    let name = if context.is_playing { "Stop" } else { "Play" };
    ui.spacing_mut().item_spacing.x = theme::GAP;
    for (icon, name, command) in [
        (Icon::First, "First frame", Command::FirstFrame),
        (Icon::Previous, "Previous frame", Command::PreviousFrame),
        (play, name, Command::Play),
        (Icon::Next, "Next frame", Command::NextFrame),
        (Icon::Last, "Last frame", Command::LastFrame),
    ] {
        if icon_button(ui, icon, name).on_hover_text(command.row().help).clicked() {
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

/// Drawn, because fonts do not agree on these signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Icon {
    First,
    Previous,
    Play,
    Stop,
    Next,
    Last,
}

fn icon_button(ui: &mut Ui, icon: Icon, name: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(26.0, theme::ROW), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    let visuals = ui.style().interact(&response);
    let (painter, colour) = (ui.painter(), visuals.fg_stroke.color);
    painter.rect(
        rect,
        visuals.corner_radius,
        visuals.weak_bg_fill,
        visuals.bg_stroke,
        egui::StrokeKind::Inside,
    );
    let bar = |x: f32, width: f32| {
        let centre = rect.center() + vec2(x, 0.0);
        painter.rect_filled(Rect::from_center_size(centre, vec2(width, 9.0)), 0.0, colour);
    };
    // A triangle that points forwards, or back with a negative width.
    let triangle = |x: f32, width: f32| {
        let centre = rect.center() + vec2(x, 0.0);
        let (half, side) = (width / 2.0, 5.0);
        let corners = [vec2(-half, -side), vec2(half, 0.0), vec2(-half, side)];
        let points = corners.map(|corner| centre + corner).to_vec();
        painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
    };
    match icon {
        Icon::First => {
            bar(-5.0, 2.0);
            triangle(1.0, -8.0);
        }
        Icon::Previous => triangle(-0.5, -7.0),
        Icon::Play => triangle(0.5, 9.0),
        Icon::Stop => {
            bar(-2.5, 3.0);
            bar(2.5, 3.0);
        }
        Icon::Next => triangle(0.5, 7.0),
        Icon::Last => {
            triangle(-1.0, 8.0);
            bar(5.0, 2.0);
        }
    }
    response
}
