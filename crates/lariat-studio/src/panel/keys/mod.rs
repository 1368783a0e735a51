//! Parts that the timeline and the graph share: channels, selected keys, scales, drags, commands.
//!
//! ```text
//! channel.rs  animated channels of the document
//! scale.rs    frames and values to points of the window, with zoom and pan
//! ruler.rs    frames above lanes and curves: scrub, range of the shot, current frame
//! marker.rs   markers below those frames
//! drag.rs     drags of selected keys as one gesture
//! command.rs  commands on selected keys
//! ```

mod channel;
mod command;
mod drag;
mod marker;
mod ruler;
mod scale;

pub(crate) use channel::{AnimatedChannel, ChannelList, Owner};
pub(crate) use command::{all_keys, claim};
pub(super) use drag::{Drag, KeyDrag, OpenGesture};
pub(super) use marker::{marker_lines, ruler_height};
pub(super) use ruler::{RULER, current_line, ruler, shade_outside};
pub(super) use scale::{FrameScale, ValueScale, navigate_time, visible_frames};

use std::collections::BTreeMap;

use lariat_editor::{
    Editor,
    tool::{KeyRef, KeysClipboard},
};
use lariat_scene::Path;

use crate::workspace::Workspace;

/// Number of channels up to which the graph shows all of them while nothing is selected.
const MOST_CURVES: usize = 24;

/// The panel under the pointer, which shortcuts belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Area {
    Timeline,
    Graph,
}

/// The moment of both panels.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Animated channels of the document.
    pub(super) channels: ChannelList,
    /// The panel under the pointer.
    pub(super) area: Option<Area>,
    /// The drag that is going on.
    pub(super) drag: Option<Drag>,
    /// Copied keys.
    pub(super) clipboard: Option<KeysClipboard>,
    /// Text for the clipboard of the system.
    pub(super) copied: Option<String>,
    /// Whether the graph fits its values at the next pass.
    pub(super) fits: bool,
    /// Revision of the document in which the selected keys exist.
    checked: Option<u64>,
}

impl State {
    /// Forgets selected keys that the document no longer has.
    pub(super) fn forget_missing(
        &mut self,
        editor: &Editor,
        channels: &[AnimatedChannel],
        workspace: &mut Workspace,
    ) {
        if self.checked.replace(editor.revision()) == Some(editor.revision()) {
            return;
        }
        let by_path: BTreeMap<&Path, &AnimatedChannel> =
            channels.iter().map(|channel| (&channel.path, channel)).collect();
        workspace.keys.retain(|key| {
            let channel = by_path.get(&key.channel);
            channel.is_some_and(|channel| !channel.keys_in(key.frame, key.frame).is_empty())
        });
    }

    /// Notes whether the pointer is over a panel. A pointer that has left the window is where it was
    /// last, for tests and fingers.
    pub(super) fn note_pointer(&mut self, ui: &egui::Ui, rect: egui::Rect, area: Area) {
        if ui.input(|input| input.pointer.hover_pos().is_some()) {
            self.area = ui.rect_contains_pointer(rect).then_some(area);
        }
    }
}

/// Indices of the channels that the graph shows: the chosen ones, or those of the active thing, or
/// all if they are few. Keyed parameters of a wiggle come with it.
pub(super) fn shown_in_graph(channels: &[AnimatedChannel], workspace: &Workspace) -> Vec<usize> {
    let is_chosen = |channel: &AnimatedChannel| {
        let is_under = |path: &Path| path.contains(&channel.path);
        workspace.channels.iter().any(|one| match one.parse::<Path>() {
            Ok(path) => is_under(&path) || *one == channel.label,
            Err(_) => *one == channel.label,
        })
    };
    let all = || channels.iter().enumerate();
    let chosen: Vec<usize> = all().filter(|(_, one)| is_chosen(one)).map(|(k, _)| k).collect();
    if !chosen.is_empty() {
        return chosen;
    }
    let active = workspace.active();
    let is_active = |owner: &Owner| match (active, owner) {
        (None, _) => channels.len() <= MOST_CURVES,
        (Some(active), Owner::Thing(thing, name)) => active.thing == *thing && active.name == *name,
        (Some(_), Owner::World) => false,
    };
    all().filter(|(_, one)| is_active(&one.owner)).map(|(k, _)| k).collect()
}

impl Workspace {
    /// Frames of the selected keys of a channel.
    pub(super) fn selected_frames<'w>(&'w self, path: &'w Path) -> impl Iterator<Item = f64> + 'w {
        self.keys.iter().filter(move |key| key.channel == *path).map(|key| key.frame)
    }

    /// Selects keys: alone, or in addition to those that are selected. A click on a single selected
    /// key with `adds` deselects it.
    pub(super) fn select_keys(&mut self, keys: Vec<KeyRef>, adds: bool) {
        if !adds {
            self.keys = keys;
            return;
        }
        let had_all = keys.iter().all(|key| self.keys.contains(key));
        self.keys.retain(|key| !keys.contains(key));
        if !had_all {
            self.keys.extend(keys);
        }
    }
}
