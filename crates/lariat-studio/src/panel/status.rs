//! The line at the bottom: a message, or the diagnostics of the document.

use egui::{RichText, Ui};
use lariat_scene::check::Severity;

use super::PanelContext;
use crate::{action::Action, app::Message, theme};

/// Shows a message, or a summary of the diagnostics.
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
            return;
        }
        let diagnostics = context.session.editor.diagnostics();
        let count = |least| diagnostics.iter().filter(|one| one.severity == least).count();
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        match diagnostics.iter().max_by_key(|one| one.severity) {
            Some(worst) if errors + warnings > 0 => {
                let colour = if errors > 0 { colours.error } else { colours.warning };
                let more = errors + warnings - 1;
                let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
                let help = worst.helps.join("\n");
                ui.label(RichText::new(format!("{}{more}", worst.message)).color(colour))
                    .on_hover_text(help);
            }
            _ => {
                let scene = context.session.editor.scene();
                let bodies = scene.body_count();
                let plural = if bodies == 1 { "body" } else { "bodies" };
                ui.label(RichText::new(format!("{bodies} {plural}")).color(colours.weak));
            }
        }
    });
}
