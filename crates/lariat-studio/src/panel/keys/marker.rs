//! Markers of the shot on the rulers of timeline and graph: click, drag, double-click.
//!
//! They have a strip of their own below the frames, which is there as soon as the shot has one.
//!
//! Tests: `crates/lariat-studio/tests/studio/markers.rs`.

use egui::{
    Color32, CursorIcon, FontId, Painter, PointerButton, Rect, Response, Sense, Stroke, Ui, pos2,
};
use lariat_editor::tool::{move_marker, remove_marker};
use lariat_scene::lower::Marker;

use super::{Drag, FrameScale, RULER, drag::OpenGesture};
use crate::{
    action::Action,
    panel::PanelContext,
    session::Session,
    theme::{self, Colours, GAP},
};

/// Height of the strip, in points.
const STRIP: f32 = 16.0;

/// Width of a marker without a name, in points.
const BARE: f32 = 9.0;

/// Distance at which a dragged key snaps to a marker, in points: less is hard to hit, more keeps keys
/// from the frames beside it in a long shot.
const SNAP: f64 = 6.0;

/// Height of the frames above lanes and curves, with the strip if the shot has markers.
pub(crate) fn ruler_height(session: &Session) -> f32 {
    if session.editor.lowered().markers.is_empty() { RULER } else { RULER + STRIP }
}

/// The marker that a dragged key at a frame snaps to.
pub(super) fn snapped(markers: &[i64], frame: f64, scale: &FrameScale) -> Option<f64> {
    let near = SNAP / scale.points_per_frame();
    let at = markers.iter().map(|frame| *frame as f64);
    let nearest = at.min_by(|a, b| (a - frame).abs().total_cmp(&(b - frame).abs()))?;
    ((nearest - frame).abs() <= near).then_some(nearest)
}

/// Lines of the markers below the ruler.
pub(crate) fn marker_lines(
    painter: &Painter,
    scale: &FrameScale,
    rect: Rect,
    markers: &[Marker],
    colours: &Colours,
) {
    for x in markers.iter().map(|marker| scale.x(marker.frame as f64)) {
        if rect.x_range().contains(x) {
            let stroke = Stroke::new(1.0, colours.weak.gamma_multiply(0.45));
            painter.vline(x, rect.y_range(), stroke);
        }
    }
}

/// Shows the strip at the bottom of the ruler.
pub(super) fn strip(ui: &mut Ui, context: &mut PanelContext<'_>, head: Rect, scale: &FrameScale) {
    let markers = &context.session.editor.lowered().markers;
    let rect = Rect::from_min_max(pos2(head.left(), head.bottom() - STRIP), head.max);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, theme::of(ui).well);
    for (k, marker) in markers.iter().enumerate() {
        let x = scale.x(marker.frame as f64);
        // A name ends where the next marker begins.
        let next = markers.get(k + 1).map_or(f32::INFINITY, |next| scale.x(next.frame as f64));
        if x > rect.right() || next < rect.left() {
            continue;
        }
        let response = tag(ui, context, marker, (x, next.min(rect.right())), rect);
        hands(context, marker, &response, scale);
    }
    end_drag(ui, context, scale);
}

/// One marker: a flag with its name.
fn tag(
    ui: &Ui,
    context: &PanelContext<'_>,
    marker: &Marker,
    (x, end): (f32, f32),
    strip: Rect,
) -> Response {
    let colours = theme::of(ui);
    let is_here = context.workspace.frame == marker.frame as f64;
    let is_dragged = matches!(context.state.keys.drag, Some(Drag::Marker { index, .. }) if index == marker.index);
    let font = FontId::proportional(11.0);
    let painter = ui.painter_at(strip);
    let text = painter.layout_no_wrap(marker.name.to_string(), font, Color32::PLACEHOLDER);
    let wide = if marker.name.is_empty() { BARE } else { text.size().x + 3.0 * GAP };
    let right = (x + wide).min((end - 1.0).max(x + BARE));
    let rect = Rect::from_min_max(pos2(x, strip.top() + 1.0), pos2(right, strip.bottom() - 1.0));
    let id = ui.scope_id().with(("marker", marker.index));
    let response = ui.interact(rect.intersect(strip), id, Sense::click_and_drag());
    let label = match &*marker.name {
        "" => format!("Marker at frame {}", marker.frame),
        name => format!("Marker {name} at frame {}", marker.frame),
    };
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
    let is_lit = response.hovered() || is_dragged;
    let (fill, ink) = match (is_here, is_lit) {
        (true, _) => (colours.accent, colours.on_accent),
        (false, true) => (colours.hover, colours.text),
        (false, false) => (colours.control, colours.text),
    };
    let radius = egui::CornerRadius { nw: 0, sw: 0, ne: 3, se: 3 };
    painter.rect_filled(rect, radius, fill);
    let edge = if is_here { colours.on_accent } else { colours.accent };
    painter.vline(x + 0.5, rect.y_range(), Stroke::new(1.5, edge));
    let inside = painter.with_clip_rect(rect.intersect(strip));
    let at = pos2(x + 1.5 * GAP, rect.center().y - text.size().y / 2.0);
    inside.galley(at, text, ink);
    response.on_hover_cursor(CursorIcon::ResizeHorizontal)
}

/// Clicks and drags of a marker.
fn hands(context: &mut PanelContext<'_>, marker: &Marker, response: &Response, scale: &FrameScale) {
    if response.double_clicked() {
        context.actions.push(Action::AskMarker(marker.index));
    } else if response.clicked() {
        context.workspace.frame = marker.frame as f64;
    }
    if response.drag_started_by(PointerButton::Primary) {
        // Otherwise frames would move under the pointer.
        context.workspace.visible_frames = Some(scale.range());
        context.actions.push(Action::Begin { name: "Move marker".to_owned() });
        let origin = response.ctx.input(|input| input.pointer.press_origin());
        let held = origin.map_or(0.0, |at| scale.frame(at.x) - marker.frame as f64);
        let gesture = OpenGesture::default();
        context.state.keys.drag = Some(Drag::Marker { index: marker.index, held, gesture });
    }
    let (index, actions) = (marker.index, &mut *context.actions);
    let document = context.session.editor.document();
    response.context_menu(|ui| {
        if ui.button("Rename…").clicked() {
            actions.push(Action::AskMarker(index));
            ui.close();
        }
        if ui.button("Remove").clicked() {
            actions.apply("Remove marker", remove_marker(document, index));
            ui.close();
        }
    });
}

/// Moves the dragged marker with the pointer.
fn end_drag(ui: &Ui, context: &mut PanelContext<'_>, scale: &FrameScale) {
    let Some(Drag::Marker { index, held, gesture }) = &mut context.state.keys.drag else {
        return;
    };
    let (index, held) = (*index, *held);
    let cancelled = gesture.was_cancelled(&context.session.editor);
    let (pointer, is_down) = ui.input(|input| {
        (input.pointer.latest_pos(), input.pointer.button_down(PointerButton::Primary))
    });
    let markers = &context.session.editor.lowered().markers;
    let now = markers.iter().find(|marker| marker.index == index).map(|marker| marker.frame);
    if let (Some(pointer), Some(now), true, false) = (pointer, now, is_down, cancelled) {
        let frame = (scale.frame(pointer.x) - held).round() as i64;
        if frame != now {
            context.actions.push(Action::Preview(move_marker(index, frame)));
        }
    }
    if !is_down && !cancelled {
        context.actions.push(Action::Commit);
    }
    if !is_down || cancelled || now.is_none() {
        context.state.keys.drag = None;
    }
}
