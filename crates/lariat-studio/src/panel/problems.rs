//! The problems of the document and of the frame, as a list: a click shows the field, a button fixes it.
//!
//! Tests: `crates/lariat-studio/tests/studio/history.rs`.

use egui::{Link, Popup, PopupCloseBehavior, Response, RichText, ScrollArea, Ui};
use lariat_scene::check::{Code, Diagnostic, Severity};

use super::{PanelContext, inspector::remedy_button};
use crate::{
    action::Action,
    label,
    theme::{self, GAP, SPACE},
};

/// Width of the list, in points.
const WIDTH: f32 = 420.0;

/// Height of the list, in points.
const HEIGHT: f32 = 320.0;

/// Shows the number of problems as a button that opens their list; nothing if there are none.
pub(crate) fn problems(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let all = all(context);
    let count = |severity| all.iter().filter(|one| one.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    if errors + warnings == 0 {
        return;
    }
    let words: Vec<String> = [(errors, "error"), (warnings, "warning")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| format!("{count} {noun}{}", if count == 1 { "" } else { "s" }))
        .collect();
    let colours = theme::of(ui);
    let colour = if errors > 0 { colours.error } else { colours.warning };
    let button = ui.button(RichText::new(words.join(", ")).color(colour));
    let button = button.on_hover_text("Shows the problems and how to fix them.");
    list(&button, context, &all);
}

/// Problems of the document and of the frame that is shown, the worst first.
pub(crate) fn all(context: &PanelContext<'_>) -> Vec<Diagnostic> {
    let session = context.session;
    let diagnostics = session.editor.diagnostics().iter().chain(session.frame_diagnostics());
    // The view of an empty shot says what comes first.
    let is_problem =
        |one: &&Diagnostic| one.severity >= Severity::Warning && one.code != Code::NoBodies;
    let mut all: Vec<Diagnostic> = diagnostics.filter(is_problem).cloned().collect();
    all.sort_by_key(|one| std::cmp::Reverse(one.severity));
    all
}

fn list(button: &Response, context: &mut PanelContext<'_>, all: &[Diagnostic]) {
    let popup = Popup::from_toggle_button_response(button)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    popup.show(|ui| {
        ui.set_width(WIDTH);
        ScrollArea::vertical().max_height(HEIGHT).show(ui, |ui| {
            for one in all {
                row(ui, context, one);
                ui.add_space(SPACE);
            }
        });
    });
}

fn row(ui: &mut Ui, context: &mut PanelContext<'_>, one: &Diagnostic) {
    let colours = theme::of(ui);
    let colour = if one.severity == Severity::Error { colours.error } else { colours.warning };
    ui.spacing_mut().item_spacing.y = GAP;
    let text = RichText::new(label::sentence(&one.message)).color(colour);
    match context.session.editor.field_of(one) {
        None => drop(ui.label(text)),
        Some(path) => {
            let link = ui.add(Link::new(text));
            if link.on_hover_text(format!("Shows {path}")).clicked() {
                context.actions.push(Action::Reveal(path));
            }
        }
    }
    for help in &one.helps {
        ui.label(RichText::new(label::sentence(help)).small().color(colours.weak));
    }
    if let Some(remedy) = &one.remedy {
        remedy_button(ui, context, remedy);
    }
}
