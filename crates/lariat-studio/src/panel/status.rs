//! The line at the bottom: progress, a message or the worst problem, and the number of problems.
//!
//! Texts have one line, however long they are; the pointer shows the rest.
//!
//! Tests: `crates/lariat-studio/tests/studio/trouble.rs`.

use egui::{Align, Color32, Label, Layout, RichText, Ui};
use lariat_scene::check::{Diagnostic, Severity};

use super::{PanelContext, problems};
use crate::{action::Action, app::Message, label, theme};

/// Width of the bar of a simulation, in points.
const BAR: f32 = 96.0;

/// Shows the line.
pub(crate) fn status(ui: &mut Ui, context: &mut PanelContext<'_>, message: Option<&Message>) {
    let colours = theme::of(ui);
    ui.horizontal(|ui| {
        simulation(ui, context);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            problems::problems(ui, context);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                if let Some(Message { text, is_error }) = message {
                    line(ui, text, if *is_error { colours.error } else { colours.weak });
                } else if let Some(worst) = problems::all(context).first() {
                    let colour = match worst.severity {
                        Severity::Error => colours.error,
                        _ => colours.warning,
                    };
                    line(ui, &sentence(worst), colour);
                } else {
                    let bodies = context.session.editor.scene().body_count();
                    let plural = if bodies == 1 { "body" } else { "bodies" };
                    line(ui, &format!("{bodies} {plural}"), colours.weak);
                }
            });
        });
    });
}

/// Progress of simulations, and their switch.
fn simulation(ui: &mut Ui, context: &mut PanelContext<'_>) {
    if let Some(progress) = context.simulation {
        ui.add(egui::ProgressBar::new(progress.share as f32).desired_width(BAR));
        // Before the text, whose width changes with its digits.
        if ui.small_button("Stop").on_hover_text("Recorded frames are kept.").clicked() {
            context.workspace.simulates = false;
            context.actions.push(Action::StopSimulation);
        }
        let (reached, last) = (progress.reached.floor(), progress.frame);
        ui.label(format!("Simulating frame {reached:.0} of {last:.0}"));
    } else if !context.workspace.simulates && !context.session.waiting().is_empty() {
        let text = "Not simulated up to this frame";
        ui.label(RichText::new(text).color(theme::of(ui).warning));
        if ui.small_button("Simulate").clicked() {
            context.workspace.simulates = true;
        }
    }
}

/// A text in one line, cut off at the end of the space; the pointer shows it as it is.
fn line(ui: &mut Ui, text: &str, colour: Color32) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let one_line = words.join(" ");
    let is_cut = one_line != text;
    let shown = ui.add(Label::new(RichText::new(one_line).color(colour)).truncate());
    // A label that is too long for its space shows its text by itself.
    if is_cut {
        shown.on_hover_text(text);
    }
}

/// A problem with the numbers of its first place.
fn sentence(problem: &Diagnostic) -> String {
    let message = label::sentence(&problem.message);
    match problem.labels.first().filter(|place| !place.text.is_empty()) {
        Some(place) => format!("{message}: {}", place.text.replace('`', "")),
        None => message,
    }
}
