//! The menu of the thing under the pointer, by a click with the right button.
//!
//! Tests: `crates/lariat-studio/tests/studio/view.rs`.

use lariat_scene::Thing;

use crate::{
    action::Action,
    command::Command,
    panel::{PanelContext, inspector},
};

/// Shows the menu of the active thing, which the click selected.
pub(super) fn show(response: &egui::Response, context: &mut PanelContext<'_>) {
    let Some(active) = context.workspace.active().cloned() else { return };
    response.context_menu(|ui| {
        let scene = context.session.editor.scene();
        let mut cameras = 0..scene.camera_count();
        let camera = cameras.find(|camera| scene.camera_name(*camera) == active.name);
        if let (Thing::Camera, Some(camera)) = (active.thing, camera)
            && ui.button("Look through").clicked()
        {
            context.workspace.camera = Some(camera);
            ui.close();
        }
        if active.thing == Thing::Body {
            ui.menu_button("Model", |ui| inspector::models(ui, context, &active.name));
        }
        let commands =
            [Command::FrameSelection, Command::Hide, Command::Duplicate, Command::Delete];
        for command in commands {
            let row = command.row();
            if ui.button(row.label).on_hover_text(row.help).clicked() {
                context.actions.push(Action::Run(command));
                ui.close();
            }
        }
    });
}
