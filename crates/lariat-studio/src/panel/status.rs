//! The line at the bottom: progress, a message or the worst problem, and the number of problems.

use egui::{Align, Layout, RichText, Ui};
use lariat_scene::check::Severity;

use super::{PanelContext, problems};
use crate::{action::Action, app::Message, label, theme};

/// Shows the line.
pub(crate) fn status(ui: &mut Ui, context: &mut PanelContext<'_>, message: Option<&Message>) {
    let colours = theme::of(ui);
    ui.horizontal(|ui| {
        if let Some(progress) = context.simulation {
            let text = format!("Simulating frame {:.0} of {:.0}", progress.reached, progress.frame);
            ui.add(egui::ProgressBar::new(progress.share as f32).desired_width(160.0).text(text));
            if ui.small_button("Stop").on_hover_text("Recorded frames are kept.").clicked() {
                context.workspace.simulates = false;
                context.actions.push(Action::StopSimulation);
            }
        } else if !context.workspace.simulates && !context.session.waiting().is_empty() {
            ui.label(RichText::new("Not simulated up to this frame").color(colours.warning));
            if ui.small_button("Simulate").clicked() {
                context.workspace.simulates = true;
            }
        }
        if let Some(Message { text, is_error }) = message {
            let colour = if *is_error { colours.error } else { colours.weak };
            ui.label(RichText::new(text).color(colour));
        } else if let Some(worst) = problems::all(context).first() {
            let colour = match worst.severity {
                Severity::Error => colours.error,
                _ => colours.warning,
            };
            ui.label(RichText::new(label::sentence(&worst.message)).color(colour));
        } else {
            let bodies = context.session.editor.scene().body_count();
            let plural = if bodies == 1 { "body" } else { "bodies" };
            ui.label(RichText::new(format!("{bodies} {plural}")).color(colours.weak));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            problems::problems(ui, context);
        });
    });
}
