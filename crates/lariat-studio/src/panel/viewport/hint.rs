//! First steps in an empty shot, in the middle of the view.
//!
//! Tests: `crates/lariat-studio/tests/studio/history.rs`.

use egui::{Align2, Area, Frame, Id, Order, RichText, Ui};
use lariat_scene::Thing;

use crate::{
    action::Action,
    command::Command,
    panel::PanelContext,
    theme::{self, SPACE},
    viewport::Eye,
};

/// Shows buttons for the first body of a shot, until there is one.
pub(super) fn show(ui: &Ui, eye: &Eye, context: &mut PanelContext<'_>) {
    let has_bodies = context.session.editor.document().names(Thing::Body).next().is_some();
    if has_bodies || context.state.viewport.takes_keys() {
        return;
    }
    let area = Area::new(Id::unique("first steps")).order(Order::Middle);
    let area = area.pivot(Align2::CENTER_CENTER).fixed_pos(eye.rect.center());
    area.show(ui.ctx(), |ui| {
        let colours = theme::of(ui);
        let frame = Frame::new().fill(colours.panel.gamma_multiply(0.92)).corner_radius(8);
        frame.inner_margin(2.0 * SPACE).show(ui, |ui| {
            ui.vertical_centered(|ui| {
                ui.set_max_width(260.0);
                ui.label(RichText::new("An empty shot").strong());
                let steps = "Hang a rope: press where it starts and drag to where it ends. \
                             Menu Add has everything else.";
                ui.label(RichText::new(steps).small().color(colours.weak));
                ui.add_space(SPACE);
                let button = ui.button("Hang a rope");
                if button.on_hover_text(Command::HangRope.row().help).clicked() {
                    context.actions.push(Action::Run(Command::HangRope));
                }
            });
        });
    });
}
