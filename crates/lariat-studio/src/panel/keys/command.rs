//! Commands on selected keys.
//!
//! Shortcuts that other panels have too belong to the panel under the pointer: Delete removes keys in
//! the timeline and the graph, and things elsewhere.

use lariat_editor::tool::{KeyRef, copy_keys, key_frame, paste_keys, remove_keys};
use lariat_scene::Edit;

use super::{AnimatedChannel, Drag, KeyDrag, State, drag::counted};
use crate::{
    action::{Action, Actions},
    command::Command,
    label,
    session::Session,
    workspace::{Panel, Workspace},
};

/// Runs a command on keys; false if it is not one of them.
pub(crate) fn claim(
    command: Command,
    session: &Session,
    workspace: &mut Workspace,
    actions: &mut Actions,
    state: &mut State,
) -> bool {
    let editor = &session.editor;
    if state.drag.is_some() || editor.gesture_name().is_some() {
        return false;
    }
    if !workspace.shows_bottom {
        state.area = None;
    }
    let mut list = std::mem::take(&mut state.channels);
    state.forget_missing(editor, list.update(editor), workspace);
    state.channels = list;
    match command {
        Command::Timeline => show(workspace, Panel::Timeline),
        Command::Graph => show(workspace, Panel::Graph),
        Command::NextKey => go_to_key(state.channels.all(), workspace, true),
        Command::PreviousKey => go_to_key(state.channels.all(), workspace, false),
        Command::CopyKeys => copy(session, workspace, actions, state),
        Command::PasteKeys => paste(session, workspace, actions, state),
        Command::InsertKey => insert(session, workspace, actions, state),
        Command::DeleteKeys => delete(session, workspace, actions),
        Command::ScaleKeys => match workspace.keys.is_empty() || state.area.is_none() {
            true => actions.push(Action::Report(
                "Select keys, and hold the pointer over the timeline to scale them".to_owned(),
            )),
            false => {
                let drag = KeyDrag::modal(editor, workspace, actions, workspace.frame);
                state.drag = Some(Drag::Keys(Box::new(drag)));
            }
        },
        _ if state.area.is_none() => return false,
        Command::Delete => delete(session, workspace, actions),
        Command::SelectAll => {
            let shown = state.channels.all().iter().filter(|one| one.owner.is_shown(workspace));
            workspace.keys = shown.flat_map(all_keys).collect();
        }
        Command::Deselect if !workspace.keys.is_empty() => workspace.keys.clear(),
        Command::FrameAll => {
            workspace.visible_frames = None;
            state.fits = true;
        }
        Command::FrameSelection => {
            workspace.visible_frames = around_keys(workspace);
            state.fits = true;
        }
        _ => return false,
    }
    true
}

/// All keys of a channel.
pub(crate) fn all_keys(channel: &AnimatedChannel) -> impl Iterator<Item = KeyRef> + '_ {
    channel.frames.iter().map(|frame| KeyRef { channel: channel.path.clone(), frame: *frame })
}

fn show(workspace: &mut Workspace, panel: Panel) {
    workspace.panel = panel;
    workspace.shows_bottom = true;
}

/// Frames around the selected keys; none without any.
fn around_keys(workspace: &Workspace) -> Option<[f64; 2]> {
    let frames = workspace.keys.iter().map(|key| key.frame);
    let first = frames.clone().fold(f64::INFINITY, f64::min);
    let last = frames.fold(f64::NEG_INFINITY, f64::max);
    let room = ((last - first) * 0.1).max(2.0);
    (first <= last).then_some([first - room, last + room])
}

fn go_to_key(channels: &[AnimatedChannel], workspace: &mut Workspace, forwards: bool) {
    let now = workspace.frame;
    let shown = channels.iter().filter(|channel| channel.owner.is_shown(workspace));
    let frames = shown.flat_map(|channel| channel.frames.iter().copied());
    let next = match forwards {
        true => frames.filter(|frame| *frame > now).min_by(f64::total_cmp),
        false => frames.filter(|frame| *frame < now).max_by(f64::total_cmp),
    };
    workspace.frame = next.unwrap_or(now);
}

fn delete(session: &Session, workspace: &mut Workspace, actions: &mut Actions) {
    if workspace.keys.is_empty() {
        return actions.push(Action::Report("No keys are selected".to_owned()));
    }
    match remove_keys(session.editor.document(), &workspace.keys) {
        Err(error) => actions.push(Action::Report(error.to_string())),
        Ok(edit) => {
            actions.apply(format!("Delete {}", counted(workspace.keys.len())), edit);
            workspace.keys.clear();
        }
    }
}

fn copy(session: &Session, workspace: &Workspace, actions: &mut Actions, state: &mut State) {
    if workspace.keys.is_empty() {
        return actions.push(Action::Report("No keys are selected".to_owned()));
    }
    match copy_keys(session.editor.document(), &workspace.keys) {
        Err(error) => actions.push(Action::Report(error.to_string())),
        Ok(clipboard) => {
            let lines = clipboard.channels.iter().flat_map(|(path, keys)| {
                let frame = |key| label::number(key_frame(key).unwrap_or_default());
                keys.iter().map(move |key| format!("{path} {}\n", frame(key)))
            });
            // A window only hears of Ctrl+V if the clipboard of the system has a text.
            state.copied = Some(lines.collect());
            state.clipboard = Some(clipboard);
            actions.push(Action::Report(format!("Copied {}", counted(workspace.keys.len()))));
        }
    }
}

fn paste(session: &Session, workspace: &mut Workspace, actions: &mut Actions, state: &State) {
    let Some(clipboard) = &state.clipboard else {
        return actions.push(Action::Report("There are no copied keys".to_owned()));
    };
    let frame = workspace.frame;
    match paste_keys(session.editor.document(), clipboard, frame, None) {
        Err(error) => actions.push(Action::Report(error.to_string())),
        Ok(edit) => {
            let pasted = clipboard.channels.iter().flat_map(|(path, keys)| {
                let frames = keys.iter().filter_map(key_frame);
                frames
                    .map(|at| KeyRef { channel: path.clone(), frame: at + frame - clipboard.first })
            });
            workspace.keys = pasted.collect();
            actions.apply(format!("Paste {}", counted(workspace.keys.len())), edit);
        }
    }
}

/// Sets keys at the current frame, with the values that the channels have there.
fn insert(session: &Session, workspace: &mut Workspace, actions: &mut Actions, state: &State) {
    let channels = super::shown_in_graph(state.channels.all(), workspace);
    if channels.is_empty() || (workspace.selected.is_empty() && workspace.channels.is_empty()) {
        let text = "Select a thing with keys, or a channel in the graph, to insert keys";
        return actions.push(Action::Report(text.to_owned()));
    }
    let frame = workspace.frame;
    let mut edits = Vec::new();
    let mut keys = Vec::new();
    for channel in channels.iter().filter_map(|index| state.channels.all().get(*index)) {
        if let Ok(edit) = session.editor.key_now(&channel.path, frame) {
            edits.push(edit);
            keys.push(KeyRef { channel: channel.path.clone(), frame });
        }
    }
    workspace.keys = keys;
    actions.apply(format!("Insert {}", counted(edits.len())), Edit::Batch(edits));
}
