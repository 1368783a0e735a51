//! The modes as a table: frequency, half-life, share of the motion, and weight over time. A row that is
//! clicked is played alone in the view.

use egui::{Align2, FontId, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};
use lariat::{
    extraction::half_life,
    modes_document::{distance, metres, percent},
};
use lariat_core::{modes::Mode, num::complex};

use super::{super::PanelContext, Found, note, replay::Played, warn};
use crate::{
    label,
    theme::{self, Colours, ROW, SPACE},
};

/// Left edges of the columns, in points: name, frequency, half-life, share, weight.
const COLUMNS: [f32; 5] = [6.0, 70.0, 158.0, 240.0, 372.0];

/// Length of a bar for the whole motion, in points.
const BAR: f32 = 64.0;

/// The column with the table.
pub(super) fn table(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let Some(found) = context.state.modes.found.take() else {
        note(
            ui,
            "A mode is one way in which a thing swings, with its own speed. Choose a body that moves, \
             or a file with recorded motion, and extract its modes.",
        );
        return;
    };
    header(ui);
    let set = &found.modes.extracted.set;
    ui.spacing_mut().item_spacing.y = 0.0;
    let each = (0..set.modes().len()).map(Played::Mode);
    for played in std::iter::once(Played::All).chain(each) {
        if row(ui, context, &found, played).clicked() {
            context.state.modes.replay.toggle(played);
        }
    }
    ui.spacing_mut().item_spacing.y = theme::GAP;
    ui.add_space(theme::GAP);
    note(ui, &total(&found));
    for note in &found.modes.extracted.notes {
        warn(ui, &format!("{}.", label::sentence(&note.to_string())));
    }
    if found.is_stale(context.session) {
        let name = found.source.name();
        warn(ui, &format!("{name} has changed since its modes were extracted. Extract again."));
    }
    context.state.modes.found = Some(found);
}

fn header(ui: &mut Ui) {
    let colours = theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let painter = ui.painter_at(rect);
    let names = ["", "Swings a second", "Halves in", "Share of the motion", "Weight over time"];
    for (x, name) in COLUMNS.into_iter().zip(names) {
        let font = FontId::proportional(11.0);
        text(&painter, rect, x, name, font, colours.weak);
    }
    response.on_hover_text(
        "Frequency in hertz; half-life, in which the swing falls to half; share of the squared \
         motion that the mode explains.",
    );
}

fn text(painter: &Painter, rect: Rect, x: f32, text: &str, font: FontId, colour: egui::Color32) {
    let at = rect.left_center() + vec2(x, 0.0);
    painter.text(at, Align2::LEFT_CENTER, text, font, colour);
}

/// A mode, or all of them.
fn row(ui: &mut Ui, context: &PanelContext<'_>, found: &Found, played: Played) -> egui::Response {
    let colours = theme::of(ui);
    let set = &found.modes.extracted.set;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let is_shown = context.state.modes.replay.shown() == Some(played);
    let mode = played.only();
    let painter = ui.painter_at(rect);
    if is_shown {
        painter.rect_filled(rect, 3.0, colours.accent.gamma_multiply(0.22));
    } else if response.hovered() {
        painter.rect_filled(rect, 3.0, colours.control);
    }
    let explained: f64 = set.modes().iter().map(|mode| mode.share).sum();
    let share = mode.map_or(explained, |mode| set.modes()[mode].share);
    let name = mode.map_or("All".to_owned(), |mode| format!("Mode {}", mode + 1));
    let body = FontId::proportional(13.0);
    text(&painter, rect, COLUMNS[0], &name, body.clone(), colours.text);
    bar(&painter, rect, share, &colours);
    text(&painter, rect, COLUMNS[3] + BAR + 6.0, &percent(share), body.clone(), colours.text);
    let mut words = format!("{name}: ");
    if let Some(mode) = mode.map(|mode| &set.modes()[mode]) {
        let (hertz, half) = (format!("{:.3} Hz", mode.pole.hertz), half_life(mode));
        text(&painter, rect, COLUMNS[1], &hertz, body.clone(), colours.text);
        text(&painter, rect, COLUMNS[2], &half, body, colours.text);
        let plot = Rect::from_min_max(
            pos2(rect.left() + COLUMNS[4], rect.top() + 2.0),
            pos2(rect.right() - SPACE, rect.bottom() - 2.0),
        );
        let frame = context.workspace.frame - set.origin().first as f64;
        weight(&painter, plot, mode, frame, &colours);
        words += &format!("{hertz}, half-life {half}, ");
    }
    words += &format!("{} of the motion", percent(share));
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_shown, &words));
    let farthest = mode.map_or_else(String::new, |mode| {
        let mode = &set.modes()[mode];
        let size = mode.coefficients.iter().map(|c| complex::abs(*c)).fold(0.0, f64::max);
        format!("\nIt moves a point by up to {}.", metres(size * mode.max_displacement()))
    });
    response.on_hover_text(format!("{words}.{farthest}\nClick to play it in the view."))
}

fn bar(painter: &Painter, rect: Rect, share: f64, colours: &Colours) {
    let lane = Rect::from_center_size(
        rect.left_center() + vec2(COLUMNS[3] + 0.5 * BAR, 0.0),
        vec2(BAR, 8.0),
    );
    painter.rect_filled(lane, 2.0, colours.well);
    let part = vec2((share.clamp(0.0, 1.0) as f32 * BAR).max(1.0), 8.0);
    painter.rect_filled(Rect::from_min_size(lane.min, part), 2.0, colours.key);
}

/// The weight over the recorded frames, and the current frame.
fn weight(painter: &Painter, rect: Rect, mode: &Mode, frame: f64, colours: &Colours) {
    if rect.width() < 24.0 {
        return;
    }
    let size = mode.coefficients.iter().map(|c| c.re.abs()).fold(f64::MIN_POSITIVE, f64::max);
    let last = (mode.coefficients.len().max(2) - 1) as f64;
    let x = |frame: f64| rect.left() + (frame / last) as f32 * rect.width();
    painter.hline(rect.x_range(), rect.center().y, Stroke::new(1.0, colours.line));
    let points: Vec<Pos2> = mode
        .coefficients
        .iter()
        .enumerate()
        .map(|(at, c)| {
            let height = (c.re / size) as f32 * 0.5 * rect.height();
            pos2(x(at as f64), rect.center().y - height)
        })
        .collect();
    painter.add(Shape::line(points, Stroke::new(1.25, colours.text)));
    if (0.0..=last).contains(&frame) {
        painter.vline(x(frame), rect.y_range(), Stroke::new(1.0, colours.accent));
    }
}

/// A sentence about all modes together.
fn total(found: &Found) -> String {
    let set = &found.modes.extracted.set;
    let explained: f64 = set.modes().iter().map(|mode| mode.share).sum();
    let modes = match set.modes().len() {
        1 => "1 mode explains".to_owned(),
        count => format!("{count} modes explain"),
    };
    let first = set.origin().first;
    let last = first + set.frames() as i64 - 1;
    let left = found.modes.extracted.residuals.last();
    let left = left.map_or_else(String::new, |left| format!(" Distance left: {}.", distance(left)));
    format!("{modes} {} of the motion in frames {first}–{last}.{left}", percent(explained))
}
