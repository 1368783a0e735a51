//! Diagnostics under the field that they belong to, with their remedy as a button.

use egui::{RichText, Ui};
use lariat_scene::{
    Path, Step, Value,
    check::{Diagnostic, Remedy, Severity},
    schema::RecordType,
};

use super::super::PanelContext;
use crate::{label, theme};

/// All diagnostics of the document and of the frame at a path or below it.
pub(super) fn at(context: &PanelContext<'_>, path: &Path) -> Vec<Diagnostic> {
    let editor = &context.session.editor;
    let path = editor.document().as_written(path).unwrap_or_else(|| path.clone());
    let all = editor.diagnostics().iter().chain(context.session.frame_diagnostics());
    all.filter(|one| editor.field_of(one).is_some_and(|place| path.contains(&place)))
        .cloned()
        .collect()
}

/// Diagnostics of a record that no row of it shows: those of the record itself, and of fields that
/// the schema does not have.
pub(super) fn of_record(
    context: &PanelContext<'_>,
    path: &Path,
    record: Option<&RecordType>,
) -> Vec<Diagnostic> {
    let editor = &context.session.editor;
    let own = editor.document().as_written(path).unwrap_or_else(|| path.clone());
    let is_own = |one: &Diagnostic| {
        let place = editor.field_of(one);
        let next = place.as_ref().and_then(|place| place.steps().get(own.steps().len()));
        match next {
            None => true,
            Some(Step::Field(name)) => record.is_some_and(|record| record.field(name).is_none()),
            Some(Step::Index(_)) => false,
        }
    };
    at(context, path).into_iter().filter(is_own).collect()
}

/// The worst severity.
pub(super) fn worst(diagnostics: &[Diagnostic]) -> Option<Severity> {
    diagnostics.iter().map(|one| one.severity).max()
}

/// Shows diagnostics and their remedies.
pub(super) fn show(ui: &mut Ui, context: &mut PanelContext<'_>, diagnostics: &[Diagnostic]) {
    let colours = theme::of(ui);
    for one in diagnostics {
        let colour = match one.severity {
            Severity::Error => colours.error,
            Severity::Warning => colours.warning,
            Severity::Note => colours.weak,
        };
        let text = one.labels.first().map_or("", |label| &*label.text);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            let message = label::sentence(&one.message);
            let named = ui.label(RichText::new(message).small().color(colour));
            if !text.is_empty() {
                named.on_hover_text(text);
            }
            match &one.remedy {
                Some(remedy) => remedy_button(ui, context, remedy),
                None => {
                    for help in &one.helps {
                        ui.label(RichText::new(label::sentence(help)).small().color(colours.weak));
                    }
                }
            }
            ui.add_space(2.0);
        });
    }
}

/// A button that applies a remedy.
pub(in crate::panel) fn remedy_button(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    remedy: &Remedy,
) {
    let field = remedy.path.steps().iter().rev().find_map(|step| match step {
        Step::Field(name) => Some(label::words(name).to_lowercase()),
        Step::Index(_) => None,
    });
    let value = match &remedy.value {
        Value::Number(number) => label::number(*number),
        Value::Text(text) => label::words(text),
        other => other.describe(),
    };
    let name = format!("Set {} to {value}", field.unwrap_or_default());
    let button = egui::Button::new(RichText::new(&name).small());
    if ui.add(button).on_hover_text("Fixes it with one change.").clicked() {
        context.actions.apply(name, remedy.edit());
    }
}
