//! Recordings of all simulations as bars over the frames of the shot; tears and stops.

use egui::{Align, Layout, Rect, RichText, Sense, Ui, vec2};
use lariat_eval::{
    TakeState, Warning,
    warning::{SimulationStopped, StringWarning, Variant, WarningKind},
};
use lariat_scene::edit::FrameSpan;

use super::{super::PanelContext, note, title};
use crate::{
    action::Action,
    label,
    theme::{self, ROW, SPACE},
};

/// Height of a bar, in points.
const BAR: f32 = 8.0;

/// Frames that are searched for tears in one pass.
const FRAMES_PER_PASS: usize = 8;

/// The moment of the panel.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Revision of the document that the events belong to.
    revision: u64,
    /// The next frame that is searched for events.
    next: Option<i64>,
    /// Tears and stops that were found.
    events: Vec<Event>,
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
            note(ui, &text);
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
        return note(ui, "Nothing is simulated. Takes of bodies with physics appear here.");
    }
    for take in &takes {
        bar(ui, context, take);
    }
    legend(ui);
    let events = events(ui, context, &takes);
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
            note(ui, text);
        }
    });
}

/// Tears and stops of all recordings. A tear is reported in its own frame only, so every recorded
/// frame is looked at, a few in each pass, when no simulation is running.
fn events(ui: &Ui, context: &mut PanelContext<'_>, takes: &[TakeState]) -> Vec<Event> {
    let editor = &context.session.editor;
    let (scene, state) = (editor.scene(), &mut context.state.simulation);
    if state.revision != editor.revision() {
        *state = State { revision: editor.revision(), ..State::default() };
    }
    let ends = takes.iter().filter_map(|take| Some(take.recorded.as_ref()?.last));
    // A stop is reported after the last frame that was recorded.
    let is_stopped = takes.iter().any(|take| take.stopped);
    let end = match ends.fold(f64::NEG_INFINITY, f64::max) {
        end if is_stopped => end + 1.0,
        end => end,
    };
    if takes.iter().any(|take| take.running) || !end.is_finite() {
        return state.events.clone();
    }
    let mut next = state.next.unwrap_or(scene.shot().first);
    let last = (end.floor() as i64).min(scene.shot().last);
    for frame in (next..=last).take(FRAMES_PER_PASS) {
        let recorded = |take: &&TakeState| {
            take.stopped || take.recorded.as_ref().is_some_and(|span| span.last >= frame as f64)
        };
        for body in takes.iter().filter(recorded).flat_map(|take| &take.bodies) {
            let at = scene.evaluate_body(*body, frame as f64);
            let name = scene.body_name(*body);
            state.events.extend(at.warnings.iter().filter_map(|warning| event(name, warning)));
        }
        next = frame + 1;
    }
    if next <= last {
        ui.ctx().request_repaint();
    }
    state.next = Some(next);
    state.events = sorted(std::mem::take(&mut state.events));
    state.events.clone()
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
