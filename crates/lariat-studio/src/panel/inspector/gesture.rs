//! A drag of a control is one entry of the history, and so is a typed value.

use egui::{Response, Ui};
use lariat_scene::Value;

use super::{super::PanelContext, parameter::Parameter};
use crate::action::Action;

/// Turns a drag into a gesture, and a typed value into an entry.
pub(super) fn gesture(
    context: &mut PanelContext<'_>,
    response: &Response,
    changed: bool,
    parameter: &Parameter<'_>,
    value: &Value,
) {
    if response.drag_started() {
        context.actions.push(Action::Begin { name: parameter.entry() });
    }
    match () {
        () if changed && response.dragged() => preview(context, parameter, value),
        () if changed => parameter.apply(context, value),
        () => {}
    }
    if response.drag_stopped() {
        context.actions.push(Action::Commit);
    }
}

/// The same for a control in a popup, such as a colour, which does not say when its drag begins and
/// ends: a gesture lasts as long as the pointer is down.
pub(super) fn popup_gesture(
    ui: &Ui,
    context: &mut PanelContext<'_>,
    changed: bool,
    parameter: &Parameter<'_>,
    value: &Value,
) {
    let is_down = ui.input(|input| input.pointer.any_down());
    let is_open = context.state.inspector.painted.as_ref() == Some(parameter.path);
    match () {
        () if changed && is_down => {
            if !is_open {
                context.state.inspector.painted = Some(parameter.path.clone());
                context.actions.push(Action::Begin { name: parameter.entry() });
            }
            preview(context, parameter, value);
        }
        () if changed => parameter.apply(context, value),
        () => {}
    }
    if is_open && !is_down {
        context.state.inspector.painted = None;
        context.actions.push(Action::Commit);
    }
}

fn preview(context: &mut PanelContext<'_>, parameter: &Parameter<'_>, value: &Value) {
    match parameter.set(context, value) {
        Ok(edit) => context.actions.push(Action::Preview(edit)),
        Err(error) => context.actions.push(Action::Report(error.to_string())),
    }
}
