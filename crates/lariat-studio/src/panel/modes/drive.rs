//! Playback of modes in the view, and the wiggle that drives them.

use egui::{ComboBox, RichText, Slider, Ui};
use lariat_core::modes::PartKind;
use lariat_scene::Thing;

use super::{super::PanelContext, Found, note, replay::Played};
use crate::{action::Action, theme::GAP};

/// Largest factor on the motion: small modes of a large motion are a hundredth of it, and get seen.
const LARGEST: f64 = 100.0;

/// The column with playback and driving.
pub(super) fn drive(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let Some(found) = context.state.modes.found.take() else { return };
    ui.label(RichText::new("In the view").strong());
    playback(ui, context, &found);
    ui.add_space(GAP);
    ui.label(RichText::new("Drive by a wiggle").strong());
    wiggle(ui, context, &found);
    context.state.modes.found = Some(found);
}

fn playback(ui: &mut Ui, context: &mut PanelContext<'_>, found: &Found) {
    let replay = &mut context.state.modes.replay;
    let text = match replay.shown() {
        None => "The document. Click a row to play it.".to_owned(),
        Some(Played::All) => format!("{}, rebuilt from all modes.", found.source.name()),
        Some(Played::Mode(mode)) => format!("Mode {} of {}, alone.", mode + 1, found.source.name()),
    };
    note(ui, &text);
    ui.horizontal(|ui| {
        let named = ui.label("Amplify");
        let slider = Slider::new(&mut replay.gain, 1.0..=LARGEST).logarithmic(true);
        ui.add(slider.max_decimals(1).suffix("×")).labelled_by(named.id);
    });
    let parts = found.modes.extracted.set.parts();
    if parts.iter().any(|part| matches!(part.kind, PartKind::Mesh { .. })) {
        let help = "Hue is the lag of a point, saturation its amplitude. Red moves with the drive, \
                    cyan half a swing later; white does not move.";
        ui.checkbox(&mut replay.painted, "Colours for lag").on_hover_text(help);
    }
}

fn wiggle(ui: &mut Ui, context: &mut PanelContext<'_>, found: &Found) {
    let bodies = fitting(context, found);
    let state = &mut context.state.modes;
    if state.onto.as_ref().is_some_and(|name| !bodies.contains(name)) {
        state.onto = None;
    }
    ui.horizontal(|ui| {
        let named = ui.label("Moves");
        let chosen = state.onto.clone().unwrap_or_else(|| "a new body".to_owned());
        let shown = ComboBox::from_id_salt("onto").width(150.0).selected_text(chosen).truncate();
        let shown = shown.show_ui(ui, |ui| {
            ui.selectable_value(&mut state.onto, None, "a new body");
            for body in bodies {
                let text = body.clone();
                ui.selectable_value(&mut state.onto, Some(body), text);
            }
        });
        shown.response.labelled_by(named.id);
    });
    let only = state.replay.shown().and_then(Played::only);
    let text = match only {
        None => "Drive all modes".to_owned(),
        Some(mode) => format!("Drive mode {}", mode + 1),
    };
    let help = "Every mode gets a wiggle of its frequency and half-life, with the few keys that \
                follow the recording. Drag its knots in the graph.";
    if ui.button(text).on_hover_text(help).clicked() {
        let onto = state.onto.clone();
        context.actions.push(Action::DriveModes { only, onto });
    }
}

/// Shapes and meshes with as many points as the modes, which can be moved by them.
fn fitting(context: &PanelContext<'_>, found: &Found) -> Vec<String> {
    let points = found.modes.extracted.set.mean().len() / 3;
    let (scene, Some(pose)) = (context.session.editor.scene(), context.session.shown()) else {
        return Vec::new();
    };
    let document = context.session.editor.document();
    let fits = |name: &&str| {
        let model = document.find(Thing::Body, name).and_then(|(_, body)| body.text("model"));
        let shown = scene.body_index(name).and_then(|body| pose.bodies.get(body));
        matches!(model, Some("mesh" | "shape"))
            && shown.is_some_and(|shown| {
                let mesh = shown.mesh.as_ref().map_or(0, |mesh| mesh.points().len());
                let strands = shown.strands.iter().map(|strand| strand.points().len());
                mesh + strands.sum::<usize>() == points
            })
    };
    document.names(Thing::Body).filter(fits).map(str::to_owned).collect()
}
