//! Drags of selected keys as one gesture.
//!
//! A drag keeps the document as it was, because each preview replaces the one before. Escape ends the
//! gesture in the studio; the drag notices and gives the selection back.
//!
//! Tests: `crates/lariat-studio/tests/studio/timeline.rs`.

use egui::Pos2;
use lariat_editor::{
    Editor,
    tool::{KeyRef, ToolError, ValueShift, added, keys_in, scale_keys, shift_keys},
};
use lariat_scene::{Document, Edit};

use super::{Area, FrameScale, marker::snapped};
use crate::{
    action::{Action, Actions},
    panel::{PanelContext, graph::HandleDrag},
    workspace::Workspace,
};

/// A drag that is going on.
#[derive(Debug)]
pub(crate) enum Drag {
    /// Selected keys move or are scaled.
    Keys(Box<KeyDrag>),
    /// A handle or a slope turns.
    Handle(Box<HandleDrag>),
    /// A box selects keys.
    Box {
        /// Panel of the box.
        area: Area,
        /// Plot of the box, for the graph.
        plot: usize,
        /// Corner at which it started.
        from: Pos2,
        /// Keys that stay selected.
        kept: Vec<KeyRef>,
    },
    /// A marker moves.
    Marker {
        /// Its index in the document.
        index: usize,
        /// Frames from it to the pointer, which may hold the end of its name.
        held: f64,
        /// Its gesture.
        gesture: OpenGesture,
    },
    /// The first or last frame of the shot moves.
    Range {
        /// Whether it is the last frame.
        is_last: bool,
        /// Its gesture.
        gesture: OpenGesture,
    },
}

/// Whether the gesture of a drag has begun, and was not ended by Escape.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OpenGesture(bool);

impl OpenGesture {
    /// Returns true if the gesture had begun and is gone.
    pub(crate) fn was_cancelled(&mut self, editor: &Editor) -> bool {
        match editor.gesture_name() {
            Some(_) => {
                self.0 = true;
                false
            }
            None => self.0,
        }
    }
}

/// Change of the dragged keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum KeyChange {
    /// By frames, and by a component of their value.
    Shift { frames: f64, value: ValueShift },
    /// Away from a frame.
    Scale { around: f64, factor: f64 },
}

impl KeyChange {
    fn edit(&self, document: &Document, keys: &[KeyRef]) -> Result<Edit, ToolError> {
        match *self {
            Self::Shift { frames, value } => shift_keys(document, keys, frames, value),
            Self::Scale { around, factor } => scale_keys(document, keys, around, factor),
        }
    }

    /// Frame of a key after the change, with the arithmetic of the tools.
    fn frame(&self, frame: f64) -> f64 {
        match *self {
            Self::Shift { frames, .. } => added(frame, frames),
            Self::Scale { around, factor } => around + (frame - around) * factor,
        }
    }
}

/// A drag of selected keys.
#[derive(Debug)]
pub(crate) struct KeyDrag {
    gesture: OpenGesture,
    document: Document,
    /// Frames that keys snap to.
    markers: Vec<i64>,
    /// The keys before the drag.
    pub(crate) keys: Vec<KeyRef>,
    change: Option<KeyChange>,
    /// Frame of the key under the pointer.
    pub(crate) grabbed: f64,
    /// Component of the knot under the pointer, and number of components; numbers in the timeline.
    pub(crate) part: (usize, usize),
    /// The least and the greatest change of values.
    pub(crate) limits: [f64; 2],
    /// Where the drag started; none until the pointer moves after a shortcut.
    pub(crate) origin: Option<Pos2>,
    /// The frame that keys are scaled about; none if they move.
    pub(crate) around: Option<f64>,
    /// Whether it follows the pointer without a button until the next click.
    pub(crate) is_modal: bool,
}

impl KeyDrag {
    /// Begins a drag of the selected keys.
    pub(crate) fn begin(
        context: &mut PanelContext<'_>,
        grabbed: f64,
        origin: Pos2,
        around: Option<f64>,
    ) -> Self {
        let drag = Self::new(&context.session.editor, context.workspace, around);
        context.actions.push(Action::Begin { name: drag.name() });
        Self { grabbed, origin: Some(origin), ..drag }
    }

    /// Begins to scale the selected keys about a frame; the pointer gives the factor, and a click
    /// ends it.
    pub(crate) fn modal(
        editor: &Editor,
        workspace: &Workspace,
        actions: &mut Actions,
        around: f64,
    ) -> Self {
        let drag = Self::new(editor, workspace, Some(around));
        actions.push(Action::Begin { name: drag.name() });
        Self { is_modal: true, ..drag }
    }

    fn new(editor: &Editor, workspace: &Workspace, around: Option<f64>) -> Self {
        Self {
            gesture: OpenGesture::default(),
            document: editor.document().clone(),
            markers: editor.lowered().markers.iter().map(|marker| marker.frame).collect(),
            keys: workspace.keys.clone(),
            change: None,
            grabbed: 0.0,
            part: (0, 1),
            limits: [f64::NEG_INFINITY, f64::INFINITY],
            origin: None,
            around,
            is_modal: false,
        }
    }

    fn name(&self) -> String {
        let verb = if self.around.is_some() { "Scale" } else { "Move" };
        format!("{verb} {}", counted(self.keys.len()))
    }

    /// Returns true if Escape ended it; the selection is then as before.
    pub(crate) fn was_cancelled(&mut self, context: &mut PanelContext<'_>) -> bool {
        let was = self.gesture.was_cancelled(&context.session.editor);
        if was {
            context.workspace.keys.clone_from(&self.keys);
            // The gesture is gone; its message goes too.
            context.actions.push(Action::Cancel);
        }
        was
    }

    /// The change for a pointer: whole frames and markers for the key under it, fractions with Alt.
    pub(crate) fn change_at(
        &mut self,
        pointer: Pos2,
        scale: &FrameScale,
        value: f64,
        fractions: bool,
    ) -> KeyChange {
        let origin = *self.origin.get_or_insert(pointer);
        if let Some(around) = self.around {
            let (from, to) = (scale.frame(origin.x) - around, scale.frame(pointer.x) - around);
            let from = if from.abs() < 0.5 { 0.5_f64.copysign(from) } else { from };
            // A factor of zero or less would pile keys up or turn them around.
            let factor = (to / from).max(0.01);
            let distance = self.grabbed - around;
            let factor = match fractions || self.is_modal || distance.abs() < 0.5 {
                true => factor,
                false => {
                    let frame = around + distance * factor;
                    let whole = snapped(&self.markers, frame, scale).unwrap_or(frame.round());
                    ((whole - around) / distance).max(0.01)
                }
            };
            return KeyChange::Scale { around, factor };
        }
        let frames = f64::from(pointer.x - origin.x) / scale.points_per_frame();
        let frames = match snapped(&self.markers, self.grabbed + frames, scale) {
            _ if fractions => (frames * 100.0).round() / 100.0,
            Some(marker) => marker - self.grabbed,
            None => frames.round(),
        };
        let (part, parts) = self.part;
        KeyChange::Shift { frames, value: ValueShift { parts, part, by: value } }
    }

    /// Shows a change, if it is another one than before.
    pub(crate) fn preview(
        &mut self,
        workspace: &mut Workspace,
        actions: &mut Actions,
        change: KeyChange,
    ) {
        let is_nothing =
            matches!(change, KeyChange::Shift { frames: 0.0, value } if value.by == 0.0);
        if self.change == Some(change) || (self.change.is_none() && is_nothing) {
            return;
        }
        match change.edit(&self.document, &self.keys) {
            Err(error) => actions.push(Action::Report(error.to_string())),
            Ok(edit) => {
                self.change = Some(change);
                actions.push(Action::Preview(edit));
                workspace.keys = self.moved(change);
                actions.push(Action::Report(self.description()));
            }
        }
    }

    /// Makes the drag an entry of the history.
    pub(crate) fn commit(&self, actions: &mut Actions) {
        actions.push(Action::Commit);
        if self.replaced() > 0 {
            actions.push(Action::Report(self.description()));
        }
    }

    fn moved(&self, change: KeyChange) -> Vec<KeyRef> {
        let mut keys: Vec<KeyRef> = self.keys.clone();
        for key in &mut keys {
            key.frame = change.frame(key.frame);
        }
        let mut seen: Vec<KeyRef> = Vec::with_capacity(keys.len());
        let order =
            |a: &KeyRef, b: &KeyRef| a.channel.cmp(&b.channel).then(a.frame.total_cmp(&b.frame));
        keys.sort_by(order);
        for key in keys {
            if seen.last() != Some(&key) {
                seen.push(key);
            }
        }
        seen
    }

    /// Number of keys that disappear because a moved key takes their frame.
    fn replaced(&self) -> usize {
        let Some(change) = self.change else { return 0 };
        let moved = self.moved(change);
        let mut count = self.keys.len() - moved.len();
        let mut from = 0;
        while let Some(first) = moved.get(from) {
            let until = moved[from..].partition_point(|key| key.channel == first.channel) + from;
            let all = keys_in(&self.document, &first.channel, f64::NEG_INFINITY, f64::INFINITY);
            let mine: Vec<f64> = self
                .keys
                .iter()
                .filter(|key| key.channel == first.channel)
                .map(|key| key.frame)
                .collect();
            let others = all.iter().filter(|key| !mine.contains(&key.frame));
            let taken = |frame: f64| moved[from..until].iter().any(|key| key.frame == frame);
            count += others.filter(|key| taken(key.frame)).count();
            from = until;
        }
        count
    }

    fn description(&self) -> String {
        let keys = counted(self.keys.len());
        let text = match self.change {
            Some(KeyChange::Shift { frames, value }) if value.by == 0.0 => {
                format!("{keys} by {} frames", crate::label::number(frames))
            }
            Some(KeyChange::Shift { frames, value }) => {
                let (frames, by) = (crate::label::number(frames), crate::label::number(value.by));
                format!("{keys} by {frames} frames and {by}")
            }
            Some(KeyChange::Scale { around, factor }) => {
                let (around, factor) = (crate::label::number(around), crate::label::number(factor));
                format!("{keys} × {factor} about frame {around}")
            }
            None => keys,
        };
        match self.replaced() {
            0 => text,
            one => format!("{text}; replaces {} on the same frame", counted(one)),
        }
    }
}

/// "1 key", "3 keys".
pub(crate) fn counted(keys: usize) -> String {
    if keys == 1 { "1 key".to_owned() } else { format!("{keys} keys") }
}
