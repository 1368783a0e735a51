//! Frames above lanes and curves: scrub, range of the shot, current frame.

use egui::{Align2, CursorIcon, FontId, Painter, Rect, Sense, Stroke, Ui, pos2, vec2};
use lariat_scene::{Edit, Path, Table, Value};

use super::{Drag, FrameScale, drag::OpenGesture, marker, navigate_time};
use crate::{
    action::Action,
    label,
    panel::PanelContext,
    theme::{self, Colours},
};

/// Height of the frames, in points.
pub(crate) const RULER: f32 = 22.0;

/// Shows the frames of the shot; drags scrub, the grips at its ends change its range. The markers are
/// below them.
pub(crate) fn ruler(ui: &mut Ui, context: &mut PanelContext<'_>, head: Rect, scale: &FrameScale) {
    let rect = head.with_max_y(head.top() + RULER);
    let shot = *context.session.editor.scene().shot();
    let (first, last) = (shot.first as f64, shot.last as f64);
    let colours = theme::of(ui);
    let response = ui.interact(rect, ui.scope_id().with("ruler"), Sense::click_and_drag());
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Frames of the shot"));
    navigate_time(ui, context.workspace, scale, &response, true);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, colours.well);
    painter.rect_filled(rect, 0.0, colours.control.gamma_multiply(0.55));
    shade_outside(&painter, scale, rect, [first, last]);
    ticks(&painter, scale, rect, &colours);
    if let Some(pointer) = response.interact_pointer_pos()
        && (response.dragged_by(egui::PointerButton::Primary) || response.clicked())
    {
        let frame = scale.frame(pointer.x).round();
        context.workspace.frame = frame.clamp(first, last);
    }
    for (is_last, frame) in [(false, first), (true, last)] {
        grip(ui, context, rect, scale, is_last, frame);
    }
    flag(&painter, scale, rect, context.workspace.frame, &colours);
    if head.bottom() > rect.bottom() {
        marker::strip(ui, context, head, scale);
    }
}

fn ticks(painter: &Painter, scale: &FrameScale, rect: Rect, colours: &Colours) {
    let (step, [from, to]) = (scale.step(), scale.range());
    let mut number = (from / step).floor();
    while number * step <= to {
        let frame = number * step;
        let x = scale.x(frame);
        painter.vline(x, rect.bottom() - 5.0..=rect.bottom(), Stroke::new(1.0, colours.weak));
        let font = FontId::proportional(11.0);
        let at = pos2(x, rect.top() + 8.0);
        painter.text(at, Align2::CENTER_CENTER, label::number(frame), font, colours.weak);
        number += 1.0;
    }
}

/// The current frame as a number at the top.
fn flag(painter: &Painter, scale: &FrameScale, rect: Rect, frame: f64, colours: &Colours) {
    let x = scale.x(frame);
    painter.vline(x, rect.y_range(), Stroke::new(1.5, colours.accent));
    let text = label::number(frame);
    let font = FontId::proportional(11.0);
    let galley = painter.layout_no_wrap(text, font, colours.on_accent);
    let size = vec2((galley.size().x + 10.0).max(24.0), 15.0);
    let flag = Rect::from_center_size(pos2(x, rect.top() + 8.0), size);
    painter.rect_filled(flag, 3.0, colours.accent);
    painter.galley(flag.center() - galley.size() / 2.0, galley, colours.on_accent);
}

/// Shades the frames before and after the shot.
pub(crate) fn shade_outside(
    painter: &Painter,
    scale: &FrameScale,
    rect: Rect,
    [first, last]: [f64; 2],
) {
    let is_dark = painter.ctx().global_style().visuals.dark_mode;
    let shade = egui::Color32::from_black_alpha(if is_dark { 70 } else { 14 });
    let before = Rect::from_x_y_ranges(rect.left()..=scale.x(first), rect.y_range());
    let after = Rect::from_x_y_ranges(scale.x(last)..=rect.right(), rect.y_range());
    for outside in [before, after] {
        if outside.width() > 0.0 {
            painter.rect_filled(outside.intersect(rect), 0.0, shade);
        }
    }
}

/// The line of the current frame below the ruler.
pub(crate) fn current_line(
    painter: &Painter,
    scale: &FrameScale,
    rect: Rect,
    frame: f64,
    colours: &Colours,
) {
    painter.vline(scale.x(frame), rect.y_range(), Stroke::new(1.5, colours.accent));
}

/// A grip at the first or last frame of the shot.
fn grip(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    rect: Rect,
    scale: &FrameScale,
    is_last: bool,
    frame: f64,
) {
    let x = scale.x(frame);
    if !rect.x_range().contains(x) {
        return;
    }
    let colours = theme::of(ui);
    // Outside of the range, so that the frame itself can be scrubbed to.
    let centre = pos2(x + if is_last { 4.0 } else { -4.0 }, rect.center().y);
    let area = Rect::from_center_size(centre, vec2(7.0, RULER));
    let name = if is_last { "Last frame of the shot" } else { "First frame of the shot" };
    let response = ui.interact(area, ui.scope_id().with(name), Sense::drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, name));
    let response = response.on_hover_cursor(CursorIcon::ResizeHorizontal);
    let colour = match response.hovered() || response.dragged() {
        true => colours.accent,
        false => colours.weak,
    };
    // Below the numbers.
    let mark = Rect::from_center_size(pos2(centre.x, rect.bottom() - 5.0), vec2(3.0, 9.0));
    ui.painter_at(rect.expand(4.0)).rect_filled(mark, 1.5, colour);
    if response.drag_started() {
        let what = if is_last { "last" } else { "first" };
        context.actions.push(Action::Begin { name: format!("Set {what} frame") });
        // Otherwise frames would move under the pointer as the shot changes.
        context.workspace.visible_frames = Some(scale.range());
        let gesture = OpenGesture::default();
        context.state.keys.drag = Some(Drag::Range { is_last, gesture });
    }
    let Some(Drag::Range { is_last: dragged, gesture }) = &mut context.state.keys.drag else {
        return;
    };
    if *dragged != is_last {
        return;
    }
    let cancelled = gesture.was_cancelled(&context.session.editor);
    if let (Some(pointer), true) = (response.interact_pointer_pos(), response.dragged())
        && !cancelled
    {
        let shot = *context.session.editor.scene().shot();
        let at = scale.frame(pointer.x).round();
        let range = match is_last {
            true => [shot.first as f64, at.max(shot.first as f64)],
            false => [at.min(shot.last as f64), shot.last as f64],
        };
        if at != frame {
            context.actions.push(Action::Preview(range_edit(context, range)));
        }
    }
    if response.drag_stopped() && !cancelled {
        context.actions.push(Action::Commit);
    }
    if response.drag_stopped() || cancelled {
        context.state.keys.drag = None;
    }
}

/// The edit that sets the frames of the shot.
fn range_edit(context: &PanelContext<'_>, range: [f64; 2]) -> Edit {
    let value = Value::List(range.map(Value::from).to_vec());
    let shot = Path::root().field("shot");
    match context.session.editor.document().root.get("shot") {
        Some(_) => Edit::Set { path: shot.field("frames"), value },
        None => Edit::Set { path: shot, value: Table::new().with("frames", value).into() },
    }
}
