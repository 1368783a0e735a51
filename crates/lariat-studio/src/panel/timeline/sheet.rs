//! The dope sheet: one lane for each animated channel.
//!
//! Diamonds are keys, dots are knots of wiggles. Only visible rows are laid out. Moved and pasted keys
//! replace others on the same frame; the message says how many.
//!
//! Tests: `crates/lariat-studio/tests/studio/timeline.rs`; speed: `bench/src/panels.rs`.

use std::collections::BTreeSet;

use egui::{
    Align2, Color32, FontId, Painter, PointerButton, Pos2, Rect, Response, ScrollArea, Sense,
    Shape, Stroke, Ui, pos2, vec2,
};
use lariat_editor::{ChannelForm, tool::KeyRef};

use super::row::{Row, rows};
use crate::{
    panel::{
        PanelContext,
        keys::{
            AnimatedChannel, Area, Drag, FrameScale, KeyDrag, Owner, RULER, all_keys, current_line,
            marker_lines, navigate_time, ruler, ruler_height, shade_outside, visible_frames,
        },
    },
    theme::{self, Colours, GAP, SPACE},
};

/// Width of the column of names, in points.
pub(crate) const NAMES: f32 = 184.0;

/// Height of a lane, in points.
const LANE: f32 = 20.0;

/// Distance at which a key is hit, in points.
const NEAR: f32 = 7.0;

/// Keys that are drawn and labelled one by one in a lane; more of them become a band.
const DISTINCT: usize = 400;

/// The moment of the sheet.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Things whose channels are hidden.
    folded: BTreeSet<Owner>,
}

/// Shows the ruler and the lanes.
pub(crate) fn timeline(ui: &mut Ui, context: &mut PanelContext<'_>) {
    if let Some(text) = context.state.keys.copied.take() {
        ui.ctx().copy_text(text);
    }
    // Taken out while the lanes change the rest of the state.
    let mut list = std::mem::take(&mut context.state.keys.channels);
    let all = list.update(&context.session.editor);
    context.state.keys.forget_missing(&context.session.editor, all, context.workspace);
    let rows = rows(all, context.workspace, &context.state.timeline.folded);
    let shot = *context.session.editor.scene().shot();
    let area = ui.available_rect_before_wrap();
    let time = Rect::from_min_max(pos2(area.left() + NAMES, area.top()), area.max);
    let range = visible_frames(context.workspace, shot.first as f64, shot.last as f64);
    let scale = FrameScale::new(time.shrink2(vec2(SPACE, 0.0)), range);
    let top = ruler_height(context.session);
    let head = Rect::from_min_size(time.min, vec2(time.width(), top));
    ruler(ui, context, head, &scale);
    let corner = Rect::from_min_size(area.min, vec2(NAMES - SPACE, RULER));
    summary(ui, context, &rows, corner);
    let lanes = Rect::from_min_max(pos2(area.left(), area.top() + top), area.max);
    context.state.keys.note_pointer(ui, area, Area::Timeline);
    let builder = egui::UiBuilder::new().max_rect(lanes);
    ui.scope_builder(builder, |ui| {
        let wheel = egui::scroll_area::ScrollSource::SCROLL_BAR
            | egui::scroll_area::ScrollSource::MOUSE_WHEEL;
        ScrollArea::vertical().auto_shrink(false).scroll_source(wheel).show_viewport(
            ui,
            |ui, viewport| {
                let height = (rows.len() as f32 * LANE).max(viewport.height());
                ui.set_height(height);
                let top = ui.min_rect().top();
                let sheet = Sheet { all, rows: &rows, scale, top, clip: ui.clip_rect() };
                sheet.show(ui, context, lanes, shot.first as f64, shot.last as f64);
            },
        );
    });
    context.state.keys.channels = list;
}

/// Number of channels above their names.
fn summary(ui: &mut Ui, context: &mut PanelContext<'_>, rows: &[Row], rect: Rect) {
    let colours = theme::of(ui);
    let count: usize = rows
        .iter()
        .map(|row| if let Row::Thing { channels, .. } = row { channels.len() } else { 0 })
        .sum();
    let of = match context.workspace.selected.as_slice() {
        [] => "all things".to_owned(),
        [one] => one.name.clone(),
        many => format!("{} things", many.len()),
    };
    let plural = if count == 1 { "" } else { "s" };
    let text = format!("{count} channel{plural} of {of}");
    let builder = egui::UiBuilder::new()
        .max_rect(rect)
        .layout(egui::Layout::right_to_left(egui::Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().button_padding.y = 1.0;
        if ui.button("Fit").on_hover_text("Shows all frames of the shot (A).").clicked() {
            context.workspace.visible_frames = None;
        }
        let text = egui::RichText::new(text).small().color(colours.weak);
        let label = egui::Label::new(text).truncate().halign(egui::Align::LEFT);
        ui.add_sized([ui.available_width(), RULER], label);
    });
}

/// The lanes of one pass.
struct Sheet<'a> {
    all: &'a [AnimatedChannel],
    rows: &'a [Row],
    scale: FrameScale,
    /// Top of the first row, in points of the window.
    top: f32,
    /// Visible part.
    clip: Rect,
}

impl Sheet<'_> {
    fn show(
        &self,
        ui: &mut Ui,
        context: &mut PanelContext<'_>,
        lanes: Rect,
        first: f64,
        last: f64,
    ) {
        let colours = theme::of(ui);
        let time = Rect::from_min_max(pos2(lanes.left() + NAMES, lanes.top()), lanes.max);
        let painter = ui.painter_at(lanes.intersect(self.clip));
        painter.rect_filled(time, 0.0, colours.well);
        let response = ui.interact(time, ui.scope_id().with("lanes"), Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Group, true, "Dope sheet"));
        if self.rows.is_empty() {
            let text = "No keys here. The diamonds beside parameters set them.";
            let font = FontId::proportional(13.0);
            painter.text(time.center(), Align2::CENTER_CENTER, text, font, colours.weak);
        }
        let visible = self.row_at(time.top())..=self.row_at(time.bottom());
        let lane_painter = painter.with_clip_rect(time.intersect(painter.clip_rect()));
        for index in visible {
            let Some(row) = self.rows.get(index) else { break };
            let y = self.top + index as f32 * LANE;
            let names = Rect::from_min_size(pos2(lanes.left(), y), vec2(NAMES, LANE));
            self.name(ui, context, row, names, &painter);
            let lane = Rect::from_x_y_ranges(time.x_range(), y..=y + LANE);
            if matches!(row, Row::Thing { .. }) {
                let fill = colours.control.gamma_multiply(0.45);
                lane_painter.rect_filled(lane, 0.0, fill);
            }
            lane_painter.hline(lane.x_range(), lane.bottom(), Stroke::new(0.5, colours.line));
            self.keys(ui, context, row, lane, &lane_painter, &colours);
        }
        shade_outside(&lane_painter, &self.scale, time, [first, last]);
        let markers = &context.session.editor.lowered().markers;
        marker_lines(&lane_painter, &self.scale, time, markers, &colours);
        current_line(&lane_painter, &self.scale, time, context.workspace.frame, &colours);
        navigate_time(ui, context.workspace, &self.scale, &response, false);
        self.hands(ui, context, &response, &lane_painter, &colours);
    }

    fn row_at(&self, y: f32) -> usize {
        ((y - self.top) / LANE).floor().max(0.0) as usize
    }

    /// The name of a row. A click chooses the channel for the graph, a double click its keys.
    fn name(
        &self,
        ui: &Ui,
        context: &mut PanelContext<'_>,
        row: &Row,
        rect: Rect,
        painter: &Painter,
    ) {
        let colours = theme::of(ui);
        let Some(first) = self.all.get(row.channels().start) else { return };
        let (text, id, label) = match row {
            Row::Thing { .. } => {
                let name = first.owner.name();
                (name, ui.scope_id().with(("thing", &first.owner)), format!("Fold {name}"))
            }
            Row::Channel(_) => {
                (&*first.name, ui.scope_id().with(&first.path), format!("Channel {}", first.label))
            }
        };
        let response = ui.interact(rect.intersect(self.clip), id, Sense::click());
        let role = egui::Role::Button;
        response.widget_info(|| egui::WidgetInfo::labeled(role, true, &label));
        let path = first.path.to_string();
        let is_chosen =
            matches!(row, Row::Channel(_)) && context.workspace.channels.contains(&path);
        let is_selected = match &first.owner {
            Owner::Thing(thing, name) => context.workspace.is_selected(*thing, name),
            Owner::World => false,
        };
        let fill = match () {
            () if is_chosen => colours.accent.gamma_multiply(0.22),
            () if response.hovered() => colours.control,
            () => Color32::TRANSPARENT,
        };
        painter.rect_filled(rect, 0.0, fill);
        let colour = match row {
            Row::Thing { .. } if is_selected => colours.accent,
            Row::Thing { .. } => colours.text,
            Row::Channel(_) => colours.text.gamma_multiply(0.85),
        };
        let indent = if let Row::Thing { is_folded, .. } = row {
            fold_mark(painter, rect.left_center() + vec2(9.0, 0.0), *is_folded, colours.weak);
            18.0
        } else {
            30.0
        };
        let clipped =
            painter.with_clip_rect(rect.shrink2(vec2(GAP, 0.0)).intersect(painter.clip_rect()));
        let at = rect.left_center() + vec2(indent, 0.0);
        clipped.text(at, Align2::LEFT_CENTER, text, FontId::proportional(13.0), colour);
        let adds = ui.input(|input| input.modifiers.shift || input.modifiers.command);
        match row {
            Row::Thing { is_folded, .. } if response.clicked() => {
                let folded = &mut context.state.timeline.folded;
                match is_folded {
                    true => drop(folded.remove(&first.owner)),
                    false => drop(folded.insert(first.owner.clone())),
                }
            }
            Row::Channel(_) if response.double_clicked() => {
                context.workspace.select_keys(all_keys(first).collect(), adds);
            }
            Row::Channel(_) if response.clicked() => {
                choose(&mut context.workspace.channels, path, adds);
            }
            _ => {}
        }
        response.on_hover_text(match row {
            Row::Thing { .. } => format!("{text}\nClick to fold or unfold."),
            Row::Channel(_) => {
                format!("{}\nClick for the graph, double click for all its keys.", first.label)
            }
        });
    }

    /// The keys of a row.
    fn keys(
        &self,
        ui: &Ui,
        context: &PanelContext<'_>,
        row: &Row,
        lane: Rect,
        painter: &Painter,
        colours: &Colours,
    ) {
        let [first, last] = self.scale.range();
        let margin = f64::from(NEAR) / self.scale.points_per_frame();
        let is_thing = matches!(row, Row::Thing { .. });
        for channel in &self.all[row.channels()] {
            let shown = channel.keys_in(first - margin, last + margin);
            if shown.len() > DISTINCT {
                band(painter, &self.scale, channel, shown, lane, colours);
                continue;
            }
            let selected: Vec<f64> = context.workspace.selected_frames(&channel.path).collect();
            for index in shown {
                let frame = channel.frames[index];
                let centre = pos2(self.scale.x(frame), lane.center().y);
                let is_selected = selected.contains(&frame);
                let colour = match is_selected {
                    true => colours.accent,
                    false if is_thing => colours.weak,
                    false => colours.key,
                };
                match channel.form {
                    ChannelForm::Wiggly => dot(painter, centre, colour, colours.well),
                    _ => diamond(painter, centre, colour, colours.well),
                }
                if !is_thing {
                    let rect = Rect::from_center_size(centre, vec2(2.0 * NEAR, LANE));
                    let id = ui.scope_id().with((&channel.path, index));
                    // Keys only have labels; the lanes below them are clicked and dragged.
                    let response = ui.interact(rect, id, Sense::hover());
                    response.widget_info(|| {
                        let noun = if channel.form == ChannelForm::Wiggly { "Knot" } else { "Key" };
                        let label = format!("{noun} {} of {}", index + 1, channel.label);
                        egui::WidgetInfo::selected(egui::Role::Button, true, is_selected, label)
                    });
                }
            }
        }
    }

    /// The row and the frame of the key at a point.
    fn hit(&self, at: Pos2) -> Option<(&Row, f64)> {
        let row = self.rows.get(self.row_at(at.y)).filter(|_| at.y >= self.top)?;
        let within = f64::from(NEAR) / self.scale.points_per_frame();
        let frame = row.nearest(self.all, self.scale.frame(at.x), within)?;
        Some((row, frame))
    }

    /// Clicks, boxes and drags.
    fn hands(
        &self,
        ui: &Ui,
        context: &mut PanelContext<'_>,
        response: &Response,
        painter: &Painter,
        colours: &Colours,
    ) {
        let modifiers = ui.input(|input| input.modifiers);
        let adds = modifiers.shift;
        let is_modal = matches!(&context.state.keys.drag, Some(Drag::Keys(drag)) if drag.is_modal);
        if response.clicked() && !is_modal {
            let at = response.interact_pointer_pos();
            match at.and_then(|at| self.hit(at)) {
                Some((row, frame)) => {
                    let keys = row.keys_in(self.all, frame, frame);
                    context.workspace.select_keys(keys, adds);
                }
                None if !adds => context.workspace.keys.clear(),
                None => {}
            }
        }
        if response.drag_started_by(PointerButton::Primary)
            && !is_modal
            && let Some(origin) = ui.input(|input| input.pointer.press_origin())
        {
            self.start(context, origin, adds, modifiers.command);
        }
        let pointer = ui.input(|input| input.pointer.latest_pos());
        let Some(mut drag) = context.state.keys.drag.take() else { return };
        let keeps = match &mut drag {
            Drag::Keys(drag) => self.drag_keys(context, response, drag, pointer, modifiers.alt),
            Drag::Box { area: Area::Timeline, from, kept, .. } => {
                self.drag_box(context, *from, kept, pointer, painter, colours);
                response.dragged_by(PointerButton::Primary)
            }
            Drag::Range { .. } | Drag::Marker { .. } => true,
            _ => false,
        };
        if keeps {
            context.state.keys.drag = Some(drag);
        }
    }

    fn start(&self, context: &mut PanelContext<'_>, origin: Pos2, adds: bool, scales: bool) {
        let Some((row, frame)) = self.hit(origin) else {
            let kept = if adds { context.workspace.keys.clone() } else { Vec::new() };
            let area = Area::Timeline;
            context.state.keys.drag = Some(Drag::Box { area, plot: 0, from: origin, kept });
            return;
        };
        let keys = row.keys_in(self.all, frame, frame);
        if !keys.iter().any(|key| context.workspace.keys.contains(key)) {
            context.workspace.select_keys(keys, adds);
        }
        let around = scales.then_some(context.workspace.frame);
        let drag = KeyDrag::begin(context, frame, origin, around);
        context.state.keys.drag = Some(Drag::Keys(Box::new(drag)));
    }

    /// Moves or scales the selected keys; false at the end.
    fn drag_keys(
        &self,
        context: &mut PanelContext<'_>,
        response: &Response,
        drag: &mut KeyDrag,
        pointer: Option<Pos2>,
        fractions: bool,
    ) -> bool {
        if drag.was_cancelled(context) {
            return false;
        }
        if let Some(at) = pointer {
            let change = drag.change_at(at, &self.scale, 0.0, fractions);
            drag.preview(context.workspace, context.actions, change);
        }
        let ends = match drag.is_modal {
            true => response.clicked() || response.drag_stopped(),
            false => !response.dragged_by(PointerButton::Primary),
        };
        if ends {
            drag.commit(context.actions);
        }
        !ends
    }

    fn drag_box(
        &self,
        context: &mut PanelContext<'_>,
        from: Pos2,
        kept: &[KeyRef],
        pointer: Option<Pos2>,
        painter: &Painter,
        colours: &Colours,
    ) {
        let Some(to) = pointer else { return };
        let area = Rect::from_two_pos(from, to);
        painter.rect(
            area,
            0.0,
            colours.accent.gamma_multiply(0.12),
            Stroke::new(1.0, colours.accent.gamma_multiply(0.7)),
            egui::StrokeKind::Inside,
        );
        let (first, last) = (self.scale.frame(area.left()), self.scale.frame(area.right()));
        let mut keys = kept.to_vec();
        for (index, row) in self.rows.iter().enumerate() {
            let y = self.top + (index as f32 + 0.5) * LANE;
            let is_whole =
                matches!(row, Row::Channel(_)) || matches!(row, Row::Thing { is_folded: true, .. });
            if is_whole && area.y_range().contains(y) {
                keys.extend(row.keys_in(self.all, first, last));
            }
        }
        keys.sort_by(|a, b| a.channel.cmp(&b.channel).then(a.frame.total_cmp(&b.frame)));
        keys.dedup();
        context.workspace.keys = keys;
    }
}

/// Chooses a channel for the graph, alone or with the others.
pub(crate) fn choose(channels: &mut Vec<String>, path: String, adds: bool) {
    let was = channels.contains(&path);
    let was_alone = was && channels.len() == 1;
    match adds {
        true => channels.retain(|one| *one != path),
        false => channels.clear(),
    }
    // A second click on the only one shows all again.
    if !(was && adds || was_alone) {
        channels.push(path);
    }
}

fn diamond(painter: &Painter, centre: Pos2, colour: Color32, edge: Color32) {
    let r = 5.0;
    let corners = [vec2(0.0, -r), vec2(r, 0.0), vec2(0.0, r), vec2(-r, 0.0)];
    let points = corners.map(|corner| centre + corner).to_vec();
    painter.add(Shape::convex_polygon(points, colour, Stroke::new(1.0, edge)));
}

fn dot(painter: &Painter, centre: Pos2, colour: Color32, edge: Color32) {
    painter.circle(centre, 4.2, colour, Stroke::new(1.0, edge));
}

/// Keys that are too close to be told apart.
fn band(
    painter: &Painter,
    scale: &FrameScale,
    channel: &AnimatedChannel,
    shown: std::ops::Range<usize>,
    lane: Rect,
    colours: &Colours,
) {
    let frames = &channel.frames[shown];
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return };
    let across = scale.x(*first)..=scale.x(*last);
    let rect = Rect::from_x_y_ranges(across, lane.center().y - 4.0..=lane.center().y + 4.0);
    painter.rect_filled(rect, 2.0, colours.key.gamma_multiply(0.5));
}

fn fold_mark(painter: &Painter, centre: Pos2, is_folded: bool, colour: Color32) {
    let r = 3.5;
    let corners = match is_folded {
        true => [vec2(-r * 0.7, -r), vec2(r, 0.0), vec2(-r * 0.7, r)],
        false => [vec2(-r, -r * 0.7), vec2(r, -r * 0.7), vec2(0.0, r)],
    };
    let points = corners.map(|corner| centre + corner).to_vec();
    painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
}
