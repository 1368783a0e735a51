//! Physics from the current frame on, and ends that are let go, each with one click.
//!
//! Tests: `crates/lariat-studio/tests/studio/tasks.rs`.

use egui::{RichText, Ui};
use lariat_editor::tool::End;
use lariat_scene::{
    Table,
    lower::ShotGround,
    schema::{self, RecordType},
};

use super::{
    super::{PanelContext, outliner::end as end_name},
    parameter::ask,
};
use crate::{
    action::Action,
    label,
    theme::{self, GAP},
};

/// Buttons that let physics take over at the current frame.
pub(super) fn physics(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    name: &str,
    table: &Table,
    record: &RecordType,
) {
    if !schema::can_be_simulated(record) {
        return;
    }
    let frame = context.workspace.frame.round();
    let weak = theme::of(ui).weak;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        if table.get("dynamics").is_some() {
            let scene = context.session.editor.scene();
            let from = scene.body_index(name).and_then(|body| scene.simulated_from(body));
            if let Some(from) = from {
                let text = format!("Simulated from frame {}", label::number(from));
                ui.label(RichText::new(text).small().color(weak));
            }
        } else {
            let button = ui.button(format!("Simulate from frame {frame}"));
            let help = "From this frame on it moves by itself. Ends that are held stay held.";
            if button.on_hover_text(help).clicked() {
                let edit = context.session.editor.simulate_from(name, frame, floor(context));
                ask(context, format!("Simulate {name} from frame {frame}"), edit);
                context.actions.push(Action::Watch(name.to_owned()));
            }
        }
        if End::BOTH.iter().any(|end| record.field(end.anchor()).is_some()) {
            let button = ui.button(format!("Let it fall from frame {frame}"));
            let help = "Lets go of both ends at this frame. It falls on the ground that you see.";
            if button.on_hover_text(help).clicked() {
                let_go(context, name, &End::BOTH);
            }
        }
    });
}

/// Lets go of ends of a body at the current frame.
pub(super) fn let_go(context: &mut PanelContext<'_>, name: &str, ends: &[End]) {
    let frame = context.workspace.frame.round();
    let edit = context.session.editor.let_go(name, ends, frame, floor(context));
    let entry = match ends {
        [end] => format!("Let go of {} of {name}", end_name(end.anchor()).to_lowercase()),
        _ => format!("Let {name} fall from frame {frame}"),
    };
    ask(context, entry, edit);
    context.actions.push(Action::Watch(name.to_owned()));
}

/// Height of the ground that is seen, rounded down to a millimetre.
fn floor(context: &PanelContext<'_>) -> Option<f64> {
    let shot = context.session.editor.scene().shot();
    let height = context.state.viewport.ground.height(shot);
    (shot.ground != ShotGround::None).then(|| (height * 1e3).floor() / 1e3)
}
