//! Recordings of all simulations as bars over the frames of the shot; tears and stops.

use egui::{Align, Layout, Rect, RichText, Sense, Ui, vec2};
use lariat_eval::{
    TakeState, Warning,
    warning::{SimulationStopped, StringWarning, Variant, WarningKind},
};
use lariat_scene::edit::FrameSpan;

use super::{super::PanelContext, remark, title};
use crate::{
    action::Action,
    label,
    theme::{self, ROW, SPACE},
};

/// Height of a bar, in points.
const BAR: f32 = 8.0;

/// The moment of the panel.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Tears and stops, for a revision of the document and the end of its recordings.
    events: Option<(u64, Vec<Option<f64>>, Vec<Event>)>,
}

/// Something that happens in a simulation.
#[derive(Clone, Debug, PartialEq)]
struct Event {
    frame: f64,
    text: String,
    is_stop: bool,
}

/// The column of all recordings.
pub(super) fn takes(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let takes = context.session.editor.takes();
    ui.horizontal(|ui| {
        title(ui, "Takes");
        if let Some(progress) = &context.simulation {
            let text = format!(
                "Frame {} of {}, {:.0} %",
                progress.reached.floor(),
                progress.frame,
                100.0 * progress.share
            );
            remark(ui, &text);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let stop = ui.button("Stop").on_hover_text("Keeps the frames that are recorded.");
                if stop.clicked() {
                    context.workspace.simulates = false;
                    context.actions.push(Action::StopSimulation);
                }
            });
        }
    });
    if takes.is_empty() {
        return remark(ui, "Nothing is simulated. Takes of bodies with physics appear here.");
    }
    for take in &takes {
        bar(ui, context, take);
    }
    legend(ui);
    let events = events(context, &takes);
    if !events.is_empty() {
        ui.add_space(SPACE);
    }
    for event in events {
        let colours = theme::of(ui);
        let colour = if event.is_stop { colours.error } else { colours.warning };
        let text =
            format!("Frame {}: {}", label::number((10.0 * event.frame).round() / 10.0), event.text);
        let link = egui::Link::new(RichText::new(text).small().color(colour));
        if ui.add(link).on_hover_text("Goes to this frame.").clicked() {
            context.workspace.frame = event.frame.floor();
        }
    }
}

/// A recording: its name, and its frames from the first to the last of the shot.
fn bar(ui: &mut Ui, context: &mut PanelContext<'_>, take: &TakeState) {
    let colours = theme::of(ui);
    let (first, last) = {
        let shot = context.session.editor.scene().shot();
        (shot.first as f64, shot.last as f64)
    };
    ui.horizontal(|ui| {
        let width = 96.0;
        ui.allocate_ui_with_layout(vec2(width, ROW), Layout::left_to_right(Align::Center), |ui| {
            ui.set_width(width);
            ui.add(egui::Label::new(&take.name).truncate());
        });
        let size = vec2(ui.available_width() - SPACE, ROW);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let lane = Rect::from_center_size(rect.center(), vec2(rect.width(), BAR));
        let x = |frame: f64| {
            let share = ((frame - first) / (last - first).max(1.0)).clamp(0.0, 1.0);
            lane.left() + share as f32 * lane.width()
        };
        let painter = ui.painter();
        painter.rect_filled(lane, 2.0, colours.well);
        let span = |span: &FrameSpan, colour| {
            let part = Rect::from_x_y_ranges(
                x(span.first)..=x(span.last).max(x(span.first) + 2.0),
                lane.y_range(),
            );
            painter.rect_filled(part, 2.0, colour);
        };
        if let Some(stale) = &take.stale {
            span(stale, colours.warning.gamma_multiply(0.35));
        }
        if let Some(recorded) = &take.recorded {
            let colour = if take.stopped { colours.error } else { colours.text };
            span(recorded, colour.gamma_multiply(0.7));
            if take.running {
                let end = x(recorded.last);
                painter.vline(end, rect.y_range(), egui::Stroke::new(2.0, colours.text));
            }
        }
        let now = x(context.workspace.frame);
        painter.vline(now, rect.y_range(), egui::Stroke::new(1.0, colours.accent));
        let words = describe(take);
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Meter, true, format!("{}: {words}", take.name))
        });
        if let Some(at) = response.interact_pointer_pos() {
            let share = f64::from((at.x - lane.left()) / lane.width()).clamp(0.0, 1.0);
            context.workspace.frame = (first + share * (last - first)).round();
        }
        response.on_hover_text(words);
    });
}

fn describe(take: &TakeState) -> String {
    let frames = |span: &FrameSpan| {
        format!("{}–{}", label::number(span.first), label::number(span.last.floor()))
    };
    let recorded = match &take.recorded {
        Some(span) => format!("frames {} are recorded", frames(span)),
        None => "nothing is recorded yet".to_owned(),
    };
    let stale = take.stale.as_ref().map(|span| format!(", {} are out of date", frames(span)));
    let state = match () {
        () if take.stopped => "; it stopped early",
        () if take.running => "; running",
        () => "",
    };
    format!("{recorded}{}{state}", stale.unwrap_or_default())
}

fn legend(ui: &mut Ui) {
    let colours = theme::of(ui);
    ui.horizontal(|ui| {
        for (colour, text) in [
            (colours.text.gamma_multiply(0.7), "recorded"),
            (colours.warning.gamma_multiply(0.35), "out of date"),
            (colours.error.gamma_multiply(0.7), "stopped early"),
        ] {
            let (rect, _) = ui.allocate_exact_size(vec2(10.0, BAR), Sense::hover());
            ui.painter().rect_filled(rect, 2.0, colour);
            remark(ui, text);
        }
    });
}

/// Tears and stops up to the ends of all recordings. While a simulation runs, those of the frame that
/// is shown.
fn events(context: &mut PanelContext<'_>, takes: &[TakeState]) -> Vec<Event> {
    let editor = &context.session.editor;
    let scene = editor.scene();
    let ends: Vec<Option<f64>> =
        takes.iter().map(|take| take.recorded.as_ref().map(|span| span.last)).collect();
    if let Some((revision, known, events)) = &context.state.simulation.events
        && *revision == editor.revision()
        && *known == ends
    {
        return events.clone();
    }
    if takes.iter().any(|take| take.running) {
        let shown = context.session.shown().into_iter().flat_map(|moment| &moment.bodies);
        let found = shown.enumerate().flat_map(|(body, at)| {
            at.warnings.iter().filter_map(move |warning| event(scene.body_name(body), warning))
        });
        return sorted(found.collect());
    }
    let mut found = Vec::new();
    for take in takes {
        let Some(span) = &take.recorded else { continue };
        for body in &take.bodies {
            // A stop is reported after the last frame that was recorded.
            let end = if take.stopped { scene.shot().last as f64 } else { span.last };
            let at = scene.evaluate_body(*body, end);
            let name = scene.body_name(*body);
            found.extend(at.warnings.iter().filter_map(|warning| event(name, warning)));
        }
    }
    let found = sorted(found);
    context.state.simulation.events = Some((editor.revision(), ends, found.clone()));
    found
}

fn sorted(mut events: Vec<Event>) -> Vec<Event> {
    events.sort_by(|a, b| a.frame.total_cmp(&b.frame));
    events.dedup();
    events
}

fn event(name: &str, warning: &Warning) -> Option<Event> {
    if let WarningKind::String(StringWarning::Torn(torn)) = &warning.kind {
        let cause = match torn.cause {
            lariat_eval::Cause::Pull => "pulled too hard",
            lariat_eval::Cause::Twist => "twisted too far",
            lariat_eval::Cause::Cut => "cut",
        };
        let text = format!("{name} tears at {:.0} % of its length, {cause}", 100.0 * torn.at);
        return Some(Event { frame: torn.frame, text, is_stop: false });
    }
    let SimulationStopped { frame, why, .. } = SimulationStopped::of(&warning.kind)?;
    Some(Event { frame: *frame, text: format!("{name} stops: {why}"), is_stop: true })
}
