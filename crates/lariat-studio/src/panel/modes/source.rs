//! The motion that modes are extracted from, its frames, and the number of modes.

use egui::{Checkbox, ComboBox, DragValue, Grid, ProgressBar, RichText, Ui};
use lariat_scene::Thing;

use super::{super::PanelContext, Source, note, warn};
use crate::{
    action::Action,
    host::MOST_MODES,
    theme::{self, GAP, SPACE},
};

/// Numbers of modes to choose from.
const COUNTS: [usize; 6] = [1, 2, 3, 4, 6, 8];

/// Width of the controls, in points.
const CONTROL: f32 = 150.0;

/// The column with the motion.
pub(super) fn source(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let chosen = context.state.modes.source(context.session, context.workspace);
    Grid::new("modes").num_columns(2).spacing([SPACE, GAP]).show(ui, |ui| {
        motion(ui, context, chosen.as_ref());
        if !matches!(chosen, Some(Source::File(_))) {
            frames(ui, context);
        }
        count(ui, context);
        let state = &mut context.state.modes;
        let named = ui.label("Slowest").on_hover_text(
            "Lowest frequency of interest in hertz. A higher one discards fewer frames at both ends.",
        );
        let field = DragValue::new(&mut state.lowest).range(0.0..=1000.0).speed(0.01);
        let field = field.custom_formatter(|hertz, _| match hertz {
            0.0 => "automatic".to_owned(),
            hertz => format!("{hertz:.2} Hz"),
        });
        ui.add(field).labelled_by(named.id);
        ui.end_row();
        ui.label("");
        let help = "The motion is a loop: no frames are discarded at its ends.";
        ui.add(Checkbox::new(&mut state.is_loop, "It is a loop")).on_hover_text(help);
        ui.end_row();
    });
    ui.add_space(GAP);
    extract(ui, context, chosen.as_ref());
    if let Some(Source::Body(name)) = &chosen {
        take(ui, context, name);
    }
    if let Some(error) = &context.state.modes.error {
        ui.label(RichText::new(error).small().color(theme::of(ui).error));
    }
}

/// Bodies of the document, and a file.
fn motion(ui: &mut Ui, context: &mut PanelContext<'_>, chosen: Option<&Source>) {
    let named = ui.label("Motion of");
    let name = chosen.map_or("nothing", Source::name);
    let document = context.session.editor.document();
    let shown = ComboBox::from_id_salt("motion").width(CONTROL).selected_text(name).truncate();
    let shown = shown.show_ui(ui, |ui| {
        for body in document.names(Thing::Body) {
            let source = Source::Body(body.to_owned());
            if ui.selectable_label(chosen == Some(&source), body).clicked() {
                context.state.modes.source = Some(source);
            }
        }
        ui.separator();
        if ui.button("A file…").on_hover_text("CSV, text USD, or modes.").clicked() {
            context.actions.push(Action::OpenMotion);
            ui.close();
        }
    });
    shown.response.labelled_by(named.id);
    ui.end_row();
}

fn frames(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let shot = context.session.editor.scene().shot();
    let state = &mut context.state.modes;
    let [mut first, mut last] = state.frames.unwrap_or([shot.first, shot.last]);
    let named = ui.label("Frames");
    ui.horizontal(|ui| {
        let one = ui.add(DragValue::new(&mut first)).labelled_by(named.id);
        let to = ui.label("to");
        let other = ui.add(DragValue::new(&mut last)).labelled_by(to.id);
        if one.changed() || other.changed() {
            state.frames = Some([first, last.max(first)]);
        }
    });
    ui.end_row();
}

fn count(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let state = &mut context.state.modes;
    let named = ui.label("How many");
    let name = |count: Option<usize>| match count {
        None => format!("for 99 %, at most {MOST_MODES}"),
        Some(1) => "1 mode".to_owned(),
        Some(count) => format!("{count} modes"),
    };
    let shown = ComboBox::from_id_salt("count").width(CONTROL).selected_text(name(state.count));
    let shown = shown.show_ui(ui, |ui| {
        for count in std::iter::once(None).chain(COUNTS.map(Some)) {
            ui.selectable_value(&mut state.count, count, name(count));
        }
    });
    shown.response.labelled_by(named.id);
    ui.end_row();
}

/// The button, or the progress.
fn extract(ui: &mut Ui, context: &mut PanelContext<'_>, chosen: Option<&Source>) {
    match context.extraction {
        Some(progress) => {
            ui.horizontal(|ui| {
                let bar = ProgressBar::new(progress.share as f32).desired_width(CONTROL);
                ui.add(bar.text(progress.stage));
                if ui.button("Cancel").clicked() {
                    context.actions.push(Action::CancelModes);
                }
            });
        }
        None => {
            let button = ui.add_enabled(chosen.is_some(), egui::Button::new("Extract"));
            if button.on_disabled_hover_text("Select a body first.").clicked() {
                context.state.modes.ask(context.session, context.workspace);
            }
        }
    }
}

/// Remark about frames of a simulated body that are not recorded.
fn take(ui: &mut Ui, context: &PanelContext<'_>, name: &str) {
    let editor = &context.session.editor;
    let Some(body) = editor.scene().body_index(name) else { return };
    let takes = editor.takes();
    let Some(take) = takes.iter().find(|take| take.bodies.contains(&body)) else { return };
    let last = editor.scene().shot().last as f64;
    let last = context.state.modes.frames.map_or(last, |[_, last]| last as f64);
    let reached = take.recorded.as_ref().map(|span| span.last.floor());
    match reached {
        Some(reached) if take.stopped && reached < last => {
            warn(
                ui,
                &format!("Its simulation stops after frame {reached}; choose frames up to it."),
            );
        }
        Some(reached) if reached >= last && take.stale.is_none() => {}
        _ if take.stale.is_some() => {
            warn(ui, "Its take is out of date; frames that changed are simulated first.");
        }
        _ => note(ui, "Frames that are not recorded yet are simulated first."),
    }
}
