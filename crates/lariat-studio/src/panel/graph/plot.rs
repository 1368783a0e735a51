//! One plot: grid, lines, knots.

use std::sync::Arc;

use egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, pos2, vec2,
};
use lariat_editor::ChannelForm;

use super::{
    NUMBERS,
    curve::{Curve, Line},
    handle::{DrawnHandle, handles},
};
use crate::{
    label,
    panel::{
        PanelContext,
        keys::{FrameScale, ValueScale, current_line, marker_lines, shade_outside},
    },
    theme::{self, AXES, Colours},
};

/// Knots that are drawn, labelled and hit on a curve: one of every two or three points of a wide plot.
/// Of more than these, evenly many are left out; closer, they are there.
const DISTINCT: usize = 400;

/// Length of the slope of a knot, in points.
pub(super) const REACH: f64 = 36.0;

/// Colours of curves of numbers, readable on light and dark.
const CURVES: [Color32; 6] = [
    Color32::from_rgb(86, 156, 214),
    Color32::from_rgb(196, 120, 190),
    Color32::from_rgb(88, 170, 140),
    Color32::from_rgb(208, 112, 84),
    Color32::from_rgb(150, 140, 216),
    Color32::from_rgb(168, 160, 84),
];

/// Kinds of plots, from top to bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlotKind {
    /// Values, equilibrium and imaginary part.
    Values,
    /// Frequency, damping and other parameters of springs.
    Spring,
    /// Phase, in degrees.
    Phase,
    /// Residual force, per second squared.
    Force,
}

impl PlotKind {
    pub(super) const ALL: [Self; 4] = [Self::Values, Self::Spring, Self::Phase, Self::Force];

    fn name(self) -> &'static str {
        match self {
            Self::Values => "Values",
            Self::Spring => "Spring",
            Self::Phase => "Phase (°)",
            Self::Force => "Force (per s²)",
        }
    }

    /// Returns true if the plot shows a line of a curve.
    fn shows(self, line: Line, is_spring: bool) -> bool {
        match line {
            Line::Value | Line::Equilibrium | Line::Imaginary => match self {
                Self::Values => !is_spring,
                Self::Spring => is_spring,
                Self::Phase | Self::Force => false,
            },
            Line::Phase => self == Self::Phase,
            Line::Force => self == Self::Force,
        }
    }

    /// Returns true if a curve has lines in the plot.
    pub(super) fn has_lines(self, curve: &Curve, is_spring: bool) -> bool {
        curve.lines.iter().any(|(_, line, _)| self.shows(*line, is_spring))
    }

    /// Returns true if keys can be moved in it.
    pub(super) fn has_knots(self) -> bool {
        matches!(self, Self::Values | Self::Spring)
    }
}

/// A plot of one pass.
pub(super) struct Plot {
    pub(super) kind: PlotKind,
    /// Curves with their place among all that are shown, which gives their colour.
    pub(super) curves: Vec<(usize, Arc<Curve>)>,
    /// Part of the window with the curves.
    pub(super) rect: Rect,
    pub(super) frames: FrameScale,
    pub(super) values: ValueScale,
}

/// A knot on the screen.
#[derive(Clone, Debug)]
pub(super) struct Knot<'p> {
    pub(super) curve: &'p Arc<Curve>,
    pub(super) index: usize,
    pub(super) part: usize,
    pub(super) frame: f64,
    pub(super) at: Pos2,
}

impl Plot {
    /// A plot with the given values, or with those that fit its curves.
    pub(super) fn new(
        kind: PlotKind,
        curves: Vec<(usize, Arc<Curve>)>,
        outer: Rect,
        frames: FrameScale,
        values: Option<[f64; 2]>,
    ) -> Self {
        let rect = Rect::from_min_max(pos2(outer.left() + NUMBERS, outer.top()), outer.max);
        let inner = rect.shrink2(vec2(0.0, (rect.height() * 0.1).min(12.0)));
        let values = ValueScale::new(inner, values.unwrap_or_else(|| fit(kind, &curves)));
        Self { kind, curves, rect, frames, values }
    }

    fn point(&self, frame: f64, value: f64) -> Pos2 {
        // Far outside of the window, points become imprecise and slow to draw.
        let y = self.values.y(value).clamp(-1e5, 1e5);
        pos2(self.frames.x(frame), y)
    }

    /// Colour of a component of a curve.
    pub(super) fn colour(place: usize, curve: &Curve, part: usize) -> Color32 {
        match curve.parts.len() {
            1 => CURVES[place % CURVES.len()],
            _ => AXES[part % AXES.len()],
        }
    }

    /// All knots in view.
    pub(super) fn knots(&self) -> impl Iterator<Item = Knot<'_>> {
        let [first, last] =
            [self.frames.frame(self.rect.left()), self.frames.frame(self.rect.right())];
        let curves = self.curves.iter().filter(|_| self.kind.has_knots());
        curves.flat_map(move |(_, curve)| {
            let keys = curve.channel.keys_in(first, last);
            let step = keys.len().div_ceil(DISTINCT).max(1);
            let keys = keys.step_by(step);
            (0..curve.parts.len()).flat_map(move |part| {
                keys.clone().map(move |index| {
                    let frame = curve.channel.frames[index];
                    let at = self.point(frame, curve.at(part, frame));
                    Knot { curve, index, part, frame, at }
                })
            })
        })
    }

    /// Handles of a knot with the points of their ends.
    pub(super) fn handles(&self, knot: &Knot<'_>) -> Vec<(DrawnHandle, Pos2)> {
        let reach = REACH / self.frames.points_per_frame();
        let value = knot.curve.at(knot.part, knot.frame);
        handles(knot.curve, knot.index, knot.part, reach)
            .into_iter()
            .map(|one| (one, self.point(knot.frame + one.frames, value + one.value)))
            .collect()
    }

    /// Draws the plot.
    pub(super) fn show(&self, ui: &mut Ui, context: &mut PanelContext<'_>) -> Response {
        let colours = theme::of(ui);
        let id = ui.scope_id().with(("plot", self.kind.name()));
        let response = ui.interact(self.rect, id, Sense::click_and_drag());
        let name = format!("Plot of {}", self.kind.name().to_lowercase());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Group, true, &name));
        let painter = ui.painter_at(self.rect);
        painter.rect_filled(self.rect, 0.0, colours.well);
        let shot = context.session.editor.scene().shot();
        let range = [shot.first as f64, shot.last as f64];
        shade_outside(&painter, &self.frames, self.rect, range);
        self.grid(ui, &painter, &colours);
        let markers = &context.session.editor.lowered().markers;
        marker_lines(&painter, &self.frames, self.rect, markers, &colours);
        for ghost in &context.state.graph.ghosts {
            if self.curves.iter().any(|(_, one)| one.channel.path == ghost.channel.path) {
                self.lines(&painter, ghost, |_| colours.weak.gamma_multiply(0.5), true);
            }
        }
        for (place, curve) in &self.curves {
            self.lines(&painter, curve, |part| Self::colour(*place, curve, part), false);
        }
        current_line(&painter, &self.frames, self.rect, context.workspace.frame, &colours);
        self.show_knots(ui, context, &painter, &colours);
        self.caption(&painter, &colours);
        response
    }

    fn grid(&self, ui: &Ui, painter: &Painter, colours: &Colours) {
        let font = FontId::proportional(11.0);
        let (step, [from, to]) = (self.frames.step(), self.frames.range());
        let mut number = (from / step).floor();
        while number * step <= to + step {
            let x = self.frames.x(number * step);
            painter.vline(x, self.rect.y_range(), Stroke::new(0.5, colours.line));
            number += 1.0;
        }
        let step = self.values.step();
        let (low, high) =
            (self.values.value(self.rect.bottom()), self.values.value(self.rect.top()));
        let numbers = Rect::from_min_max(
            pos2(self.rect.left() - NUMBERS, self.rect.top()),
            self.rect.left_bottom(),
        );
        let beside = ui.painter_at(numbers);
        let mut number = (low / step).ceil();
        while number * step <= high {
            let value = number * step;
            let y = self.values.y(value);
            let is_zero = number == 0.0;
            let colour = if is_zero { colours.weak.gamma_multiply(0.6) } else { colours.line };
            let width = if is_zero { 1.0 } else { 0.5 };
            painter.hline(self.rect.x_range(), y, Stroke::new(width, colour));
            if y > numbers.top() + 6.0 && y < numbers.bottom() - 5.0 {
                let at = pos2(numbers.right() - 5.0, y);
                let text = short_number(value, step);
                beside.text(at, Align2::RIGHT_CENTER, text, font.clone(), colours.weak);
            }
            number += 1.0;
        }
        if self.kind != PlotKind::Values {
            painter.hline(self.rect.x_range(), self.rect.top(), Stroke::new(1.0, colours.panel));
        }
    }

    fn caption(&self, painter: &Painter, colours: &Colours) {
        let at = self.rect.right_top() + vec2(-8.0, 10.0);
        if self.curves.is_empty() {
            let text = "No curves. Select a thing with keys, or a channel in the list.";
            let font = FontId::proportional(13.0);
            painter.text(self.rect.center(), Align2::CENTER_CENTER, text, font, colours.weak);
        } else if self.kind != PlotKind::Values {
            on_plot(painter, at, Align2::RIGHT_CENTER, self.kind.name(), colours.weak, colours);
        }
        if self.kind == PlotKind::Spring {
            let mut at = self.rect.left_top() + vec2(8.0, 10.0);
            for (place, curve) in &self.curves {
                let colour = Self::colour(*place, curve, 0);
                let name = &*curve.channel.name;
                at.x = on_plot(painter, at, Align2::LEFT_CENTER, name, colour, colours) + 12.0;
            }
        }
    }

    fn lines(
        &self,
        painter: &Painter,
        curve: &Curve,
        colour: impl Fn(usize) -> Color32,
        is_ghost: bool,
    ) {
        for (part, line, points) in &curve.lines {
            let is_here = match line {
                Line::Phase => self.kind == PlotKind::Phase,
                Line::Force => self.kind == PlotKind::Force,
                _ => self.kind.has_knots(),
            };
            if !is_here || (is_ghost && *line != Line::Value) {
                continue;
            }
            let colour = colour(*part);
            let stroke = match line {
                Line::Value => Stroke::new(1.6, colour),
                _ => Stroke::new(1.1, colour.gamma_multiply(0.75)),
            };
            for run in runs(points, if *line == Line::Phase { 180.0 } else { f64::INFINITY }) {
                let path: Vec<Pos2> = run.iter().map(|[x, y]| self.point(*x, *y)).collect();
                match line {
                    Line::Equilibrium => {
                        painter.extend(Shape::dashed_line(&path, stroke, 6.0, 4.0));
                    }
                    Line::Imaginary => {
                        painter.extend(Shape::dashed_line(&path, stroke, 2.0, 3.0));
                    }
                    _ => {
                        painter.line(path, stroke);
                    }
                }
            }
        }
    }

    fn show_knots(
        &self,
        ui: &Ui,
        context: &PanelContext<'_>,
        painter: &Painter,
        colours: &Colours,
    ) {
        for knot in self.knots() {
            let Knot { curve, index, part, frame, at } = &knot;
            let mut selected = context.workspace.selected_frames(&curve.channel.path);
            let is_selected = selected.any(|one| one == *frame);
            let label = format!("{} of {}{}", index + 1, curve.channel.label, curve.suffix(*part));
            if is_selected {
                self.show_handles(ui, &knot, &label, painter, colours);
            }
            let fill = if is_selected { colours.accent } else { colours.key };
            let edge = Stroke::new(1.0, colours.well);
            match curve.channel.form {
                ChannelForm::Wiggly => {
                    painter.circle(*at, 4.5, fill, edge);
                }
                _ => {
                    let r = 5.0;
                    let corners = [vec2(0.0, -r), vec2(r, 0.0), vec2(0.0, r), vec2(-r, 0.0)];
                    let points = corners.map(|corner| *at + corner).to_vec();
                    painter.add(Shape::convex_polygon(points, fill, edge));
                }
            }
            // Knots only have labels; the plot below them is clicked and dragged.
            let id = ui.scope_id().with((&curve.channel.path, *part, *index));
            let response =
                ui.interact(Rect::from_center_size(*at, vec2(12.0, 12.0)), id, Sense::hover());
            response.widget_info(|| {
                let text = format!("Knot {label}");
                egui::WidgetInfo::selected(egui::Role::Button, true, is_selected, text)
            });
        }
    }

    fn show_handles(
        &self,
        ui: &Ui,
        knot: &Knot<'_>,
        label: &str,
        painter: &Painter,
        colours: &Colours,
    ) {
        for (handle, end) in self.handles(knot) {
            let colour = match handle.is_given {
                true => colours.accent,
                false => colours.weak,
            };
            painter.line_segment([knot.at, end], Stroke::new(1.0, colour.gamma_multiply(0.8)));
            painter.circle(end, 3.2, colours.well, Stroke::new(1.4, colour));
            let side = if handle.is_incoming { "before" } else { "after" };
            let id = ui.scope_id().with((&knot.curve.channel.path, knot.part, knot.index, side));
            let rect = Rect::from_center_size(end, vec2(10.0, 10.0));
            let response = ui.interact(rect, id, Sense::hover());
            response.widget_info(|| {
                let text = format!("Handle {side} knot {label}");
                egui::WidgetInfo::labeled(egui::Role::Button, true, text)
            });
        }
    }
}

/// A caption that stays readable above lines; returns its right end.
fn on_plot(
    painter: &Painter,
    at: Pos2,
    align: Align2,
    text: &str,
    colour: Color32,
    colours: &Colours,
) -> f32 {
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(11.0), colour);
    let rect = align.anchor_size(at, galley.size());
    painter.rect_filled(rect.expand2(vec2(4.0, 1.0)), 3.0, colours.well.gamma_multiply(0.85));
    painter.galley(rect.min, galley, colour);
    rect.right()
}

/// Runs of points without a jump above a limit.
fn runs(points: &[[f64; 2]], jump: f64) -> impl Iterator<Item = &[[f64; 2]]> {
    points.chunk_by(move |a, b| (a[1] - b[1]).abs() <= jump)
}

/// Values that show all lines of a plot, with some room.
fn fit(kind: PlotKind, curves: &[(usize, Arc<Curve>)]) -> [f64; 2] {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (_, line, points) in curves.iter().flat_map(|(_, curve)| &curve.lines) {
        let is_here = match line {
            Line::Phase => kind == PlotKind::Phase,
            Line::Force => kind == PlotKind::Force,
            _ => kind.has_knots(),
        };
        for [_, value] in points.iter().filter(|_| is_here).filter(|one| one[1].is_finite()) {
            (low, high) = (low.min(*value), high.max(*value));
        }
    }
    if low > high {
        return [-1.0, 1.0];
    }
    if kind == PlotKind::Spring {
        // Frequency and damping are seen against zero.
        low = low.min(0.0);
    }
    let room = match (high - low) * 0.08 {
        small if small > 1e-9 * (1.0 + high.abs()) => small,
        _ => (high.abs() * 0.2).max(0.5),
    };
    [low - room, high + room]
}

/// A number of the ruler, with the digits of its step.
fn short_number(value: f64, step: f64) -> String {
    match step {
        _ if value == 0.0 => "0".to_owned(),
        step if step >= 1.0 && value.abs() < 1e6 => label::number(value.round()),
        step if step >= 1e-4 && value.abs() < 1e6 => label::number(value),
        _ => format!("{value:.1e}"),
    }
}
