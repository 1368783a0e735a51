//! Clicks, boxes and drags in a plot.
//!
//! Tests: `crates/lariat-studio/tests/studio/graph.rs`.

use std::sync::Arc;

use egui::{PointerButton, Pos2, Rect, Response, Stroke, Ui};
use lariat_core::num::ops;
use lariat_editor::tool::KeyRef;
use lariat_scene::{
    Edit, Value,
    schema::{Bound, field_at},
};

use super::{
    curve::{Curve, Line},
    handle::{DrawnHandle, HandleDrag, tidy},
    plot::{Knot, Plot},
};
use crate::{
    action::Action,
    panel::{
        PanelContext,
        keys::{Area, Drag, KeyDrag},
    },
    theme,
};

/// Distance at which a knot or a handle is hit, in points.
const NEAR: f32 = 8.0;

/// Distance at which a curve is hit, in points.
const NEAR_CURVE: f32 = 10.0;

/// Zooms and pans values: wheel with Alt only values, with Ctrl only time, middle drag both.
pub(super) fn navigate_values(
    ui: &Ui,
    context: &mut PanelContext<'_>,
    plot: &Plot,
    response: &Response,
) {
    let values = &mut context.state.graph.values[plot.kind as usize];
    if response.dragged_by(PointerButton::Middle) {
        *values = Some(plot.values.panned(response.drag_delta().y));
    }
    let Some(pointer) = response.hover_pos().filter(|_| response.contains_pointer()) else {
        return;
    };
    let scroll = ui.input(|input| input.smooth_scroll_delta().y);
    if scroll != 0.0 {
        let factor = ops::exp(f64::from(scroll) / 240.0);
        *values = Some(plot.values.zoomed(pointer.y, factor));
    }
}

/// The knot at a point.
pub(super) fn knot_at(plot: &Plot, at: Pos2) -> Option<Knot<'_>> {
    plot.knots()
        .filter(|knot| knot.at.distance(at) <= NEAR)
        .min_by(|a, b| a.at.distance(at).total_cmp(&b.at.distance(at)))
}

/// The handle of a selected knot at a point.
fn handle_at<'p>(
    plot: &'p Plot,
    context: &PanelContext<'_>,
    at: Pos2,
) -> Option<(Knot<'p>, DrawnHandle)> {
    let is_selected = |knot: &Knot<'_>| {
        let mut selected = context.workspace.selected_frames(&knot.curve.channel.path);
        selected.any(|frame| frame == knot.frame)
    };
    let near = |(_, end): &(DrawnHandle, Pos2)| end.distance(at) <= NEAR;
    plot.knots().filter(is_selected).find_map(|knot| {
        let handle = plot.handles(&knot).into_iter().find(near)?.0;
        Some((knot, handle))
    })
}

/// The curve at a point, and its line.
pub(super) fn curve_at(plot: &Plot, at: Pos2) -> Option<(&Arc<Curve>, Line)> {
    let frame = plot.frames.frame(at.x);
    let mut nearest: Option<(f32, &Arc<Curve>, Line)> = None;
    for (_, curve) in plot.curves.iter().filter(|_| plot.kind.has_knots()) {
        for (part, line, _) in &curve.lines {
            if !matches!(line, Line::Value | Line::Equilibrium) {
                continue;
            }
            let Some(value) = curve.line_at(*part, *line, frame) else { continue };
            let distance = (plot.values.y(value) - at.y).abs();
            if distance <= NEAR_CURVE && nearest.is_none_or(|(least, ..)| distance < least) {
                nearest = Some((distance, curve, *line));
            }
        }
    }
    nearest.map(|(_, curve, line)| (curve, line))
}

/// Sets a key on a curve at a point, with the value that it has there.
pub(super) fn insert_at(context: &mut PanelContext<'_>, plot: &Plot, at: Pos2) {
    let frame = plot.frames.frame(at.x).round();
    let Some((curve, line)) = curve_at(plot, at) else {
        let text = "Double-click on a curve to insert a key";
        return context.actions.push(Action::Report(text.to_owned()));
    };
    let path = &curve.channel.path;
    let values = || {
        let parts = (0..curve.parts.len()).filter_map(|part| curve.line_at(part, line, frame));
        let parts: Vec<Value> = parts.map(|value| tidy(value).into()).collect();
        match parts.as_slice() {
            [one] => one.clone(),
            _ => Value::List(parts),
        }
    };
    let (name, channel) = match line {
        Line::Equilibrium => ("Key equilibrium", path.clone().field("around")),
        _ => ("Insert 1 key", path.clone()),
    };
    let edit = match context.session.editor.key_now(&channel, frame) {
        Ok(edit) if line == Line::Value => edit,
        _ => Edit::SetKey { channel: channel.clone(), frame, value: values() },
    };
    context.actions.apply(name, edit);
    context.workspace.keys = vec![KeyRef { channel, frame }];
}

/// Clicks, boxes and drags.
pub(super) fn hands(ui: &Ui, context: &mut PanelContext<'_>, plot: &Plot, response: &Response) {
    let modifiers = ui.input(|input| input.modifiers);
    let is_modal = matches!(&context.state.keys.drag, Some(Drag::Keys(drag)) if drag.is_modal);
    if let Some(at) = response.interact_pointer_pos().filter(|_| !is_modal) {
        let knot = knot_at(plot, at).map(|knot| key_of(&knot));
        match knot {
            Some(key) if response.clicked() => {
                context.workspace.select_keys(vec![key], modifiers.shift);
            }
            None if response.double_clicked() => insert_at(context, plot, at),
            None if response.clicked() && !modifiers.shift => context.workspace.keys.clear(),
            _ => {}
        }
    }
    if response.drag_started_by(PointerButton::Primary)
        && !is_modal
        && let Some(origin) = ui.input(|input| input.pointer.press_origin())
    {
        start(context, plot, origin, modifiers.shift, modifiers.command);
    }
    let is_mine = response.dragged_by(PointerButton::Primary) || response.drag_stopped();
    if !is_mine && !(is_modal && (response.contains_pointer() || response.clicked())) {
        return;
    }
    let Some(mut drag) = context.state.keys.drag.take() else { return };
    let pointer = ui.input(|input| input.pointer.latest_pos());
    let ends = match is_modal {
        true => response.clicked() || response.drag_stopped(),
        false => response.drag_stopped(),
    };
    let keeps = match &mut drag {
        Drag::Keys(drag) => {
            let cancelled = drag.was_cancelled(context);
            if let Some(at) = pointer.filter(|_| !cancelled) {
                drag_keys(context, plot, drag, at, modifiers);
            }
            if ends && !cancelled {
                drag.commit(context.actions);
            }
            !cancelled
        }
        Drag::Handle(drag) => {
            let cancelled = drag.was_cancelled(&context.session.editor);
            if let Some(at) = pointer.filter(|_| !cancelled) {
                let (frame, value) = (plot.frames.frame(at.x), plot.values.value(at.y));
                match drag.edit_at(frame, value, modifiers.alt) {
                    Some(Ok(edit)) => context.actions.push(Action::Preview(edit)),
                    Some(Err(error)) => context.actions.push(Action::Report(error.to_string())),
                    None => {}
                }
            }
            if ends && !cancelled {
                context.actions.push(Action::Commit);
            }
            !cancelled
        }
        Drag::Box { area: Area::Graph, plot: of, from, kept } if *of == plot.kind as usize => {
            if let Some(to) = pointer {
                drag_box(ui, context, plot, *from, to, kept);
            }
            true
        }
        _ => true,
    };
    if keeps && !ends {
        context.state.keys.drag = Some(drag);
    }
}

fn key_of(knot: &Knot<'_>) -> KeyRef {
    KeyRef { channel: knot.curve.channel.path.clone(), frame: knot.frame }
}

fn start(context: &mut PanelContext<'_>, plot: &Plot, origin: Pos2, adds: bool, scales: bool) {
    if let Some((knot, handle)) = handle_at(plot, context, origin) {
        let editor = &context.session.editor;
        let drag = HandleDrag::new(editor, knot.curve, knot.index, knot.part, handle.is_incoming);
        if let Some(drag) = drag {
            context.actions.push(Action::Begin { name: drag.name().to_owned() });
            context.state.graph.ghosts = vec![knot.curve.clone()];
            context.state.keys.drag = Some(Drag::Handle(Box::new(drag)));
        }
        return;
    }
    let Some(knot) = knot_at(plot, origin) else {
        let kept = if adds { context.workspace.keys.clone() } else { Vec::new() };
        let plot = plot.kind as usize;
        context.state.keys.drag = Some(Drag::Box { area: Area::Graph, plot, from: origin, kept });
        return;
    };
    let key = key_of(&knot);
    if !context.workspace.keys.contains(&key) {
        // Shift also constrains the drag; with it, other selected knots move along.
        context.workspace.select_keys(vec![key], adds);
    }
    let around = scales.then_some(context.workspace.frame);
    let mut drag = KeyDrag::begin(context, knot.frame, origin, around);
    drag.part = (knot.part, knot.curve.parts.len());
    drag.limits = limits(context, plot, &drag);
    let is_dragged = |curve: &Curve| drag.keys.iter().any(|key| key.channel == curve.channel.path);
    let ghosts = plot.curves.iter().map(|(_, curve)| curve).filter(|curve| is_dragged(curve));
    context.state.graph.ghosts = ghosts.cloned().collect();
    context.state.keys.drag = Some(Drag::Keys(Box::new(drag)));
}

/// The least and the greatest change of values that keeps all dragged keys in the ranges of their
/// parameters.
fn limits(context: &PanelContext<'_>, plot: &Plot, drag: &KeyDrag) -> [f64; 2] {
    let document = context.session.editor.document();
    let (part, parts) = drag.part;
    let mut limits = [f64::NEG_INFINITY, f64::INFINITY];
    for (_, curve) in plot.curves.iter().filter(|(_, curve)| curve.parts.len() == parts) {
        let written = document.as_written(&curve.channel.path);
        let Some(field) = written.and_then(|path| field_at(document, &path)) else { continue };
        for key in drag.keys.iter().filter(|key| key.channel == curve.channel.path) {
            let value = curve.at(part, key.frame);
            if let Bound::At(low) | Bound::Past(low) = field.range.low {
                limits[0] = limits[0].max(low - value);
            }
            if let Bound::At(high) | Bound::Past(high) = field.range.high {
                limits[1] = limits[1].min(high - value);
            }
        }
    }
    limits
}

fn drag_keys(
    context: &mut PanelContext<'_>,
    plot: &Plot,
    drag: &mut KeyDrag,
    mut at: Pos2,
    modifiers: egui::Modifiers,
) {
    let origin = *drag.origin.get_or_insert(at);
    if modifiers.shift && drag.around.is_none() {
        let by = at - origin;
        match by.x.abs() > by.y.abs() {
            true => at.y = origin.y,
            false => at.x = origin.x,
        }
    }
    let by = plot.values.value(at.y) - plot.values.value(origin.y);
    let by = round_to_points(by, plot.values.points_per_unit());
    let [low, high] = drag.limits;
    let by = by.clamp(low.min(0.0), high.max(0.0));
    let change = drag.change_at(at, &plot.frames, by, modifiers.alt);
    drag.preview(context.workspace, context.actions, change);
}

/// A change of a value in round numbers that a point of the window can tell apart.
fn round_to_points(by: f64, points_per_unit: f64) -> f64 {
    let mut digits = 0;
    let mut unit = 1.0;
    while unit * points_per_unit > 1.0 && digits < 12 {
        unit /= 10.0;
        digits += 1;
    }
    format!("{by:.digits$}").parse().unwrap_or(by)
}

fn drag_box(
    ui: &Ui,
    context: &mut PanelContext<'_>,
    plot: &Plot,
    from: Pos2,
    to: Pos2,
    kept: &[KeyRef],
) {
    let colours = theme::of(ui);
    let area = Rect::from_two_pos(from, to);
    ui.painter_at(plot.rect).rect(
        area,
        0.0,
        colours.accent.gamma_multiply(0.12),
        Stroke::new(1.0, colours.accent.gamma_multiply(0.7)),
        egui::StrokeKind::Inside,
    );
    let mut keys = kept.to_vec();
    keys.extend(plot.knots().filter(|knot| area.contains(knot.at)).map(|knot| key_of(&knot)));
    keys.sort_by(|a, b| a.channel.cmp(&b.channel).then(a.frame.total_cmp(&b.frame)));
    keys.dedup();
    context.workspace.keys = keys;
}

/// Forgets drags whose plot is gone.
pub(super) fn finish(ui: &Ui, context: &mut PanelContext<'_>) {
    let is_down = ui.input(|input| input.pointer.any_down());
    let is_stale = match &context.state.keys.drag {
        Some(Drag::Keys(drag)) => !drag.is_modal,
        Some(Drag::Handle(_) | Drag::Box { .. }) => true,
        Some(Drag::Range { .. } | Drag::Marker { .. }) | None => false,
    };
    if is_stale && !is_down {
        context.state.keys.drag = None;
        if context.session.editor.gesture_name().is_some() {
            context.actions.push(Action::Commit);
        }
    }
}
