//! Handles of Bezier keys, and slopes of wiggle knots.
//!
//! Dragging a handle of automatic tangents makes them aligned, with Alt free. Dragging the slope of a
//! knot fixes it.

use lariat_core::motion::{Channel, Handle, Tangent, TangentKind};
use lariat_editor::{
    ChannelForm, Editor,
    tool::{KeyHandle, KeyRef, ToolError, set_handles, set_slope},
};
use lariat_scene::{Document, Edit, Value};

use super::curve::Curve;
use crate::panel::keys::OpenGesture;

/// Shortest handle that is dragged, in frames.
const SHORTEST: f64 = 0.05;

/// A handle as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DrawnHandle {
    /// Whether it points to the key before.
    pub(super) is_incoming: bool,
    /// Frames from its key.
    pub(super) frames: f64,
    /// Value from its key.
    pub(super) value: f64,
    /// Whether the document gives it, or it follows from its neighbours.
    pub(super) is_given: bool,
}

/// The handles of a key for one component. Slopes of knots have a length of `reach` frames.
pub(super) fn handles(curve: &Curve, index: usize, part: usize, reach: f64) -> Vec<DrawnHandle> {
    let Some(frame) = curve.channel.frames.get(index).copied() else { return Vec::new() };
    let side = |is_incoming| side(curve, index, frame, part, reach, is_incoming);
    [side(true), side(false)].into_iter().flatten().collect()
}

fn side(
    curve: &Curve,
    index: usize,
    frame: f64,
    part: usize,
    reach: f64,
    is_incoming: bool,
) -> Option<DrawnHandle> {
    let sign = if is_incoming { -1.0 } else { 1.0 };
    match curve.parts.get(part)? {
        Channel::Wiggly(wiggly) => {
            let knot = wiggly.knots().get(index)?;
            let given = if is_incoming { knot.left } else { knot.right }.is_some();
            let seconds = curve.rate.seconds(frame + sign * reach) - curve.rate.seconds(frame);
            // Just inside of the segment, where a cut curve has the slope of this side.
            let slope = curve.slope(part, frame + sign * 1e-3);
            let value = slope * seconds;
            Some(DrawnHandle { is_incoming, frames: sign * reach, value, is_given: given })
        }
        Channel::Keyed(keys) => {
            let all = keys.keys();
            let key = all.get(index)?;
            let neighbour = match is_incoming {
                true => index.checked_sub(1).and_then(|before| all.get(before)),
                false => all.get(index + 1),
            }?;
            let segment = if is_incoming { neighbour } else { key };
            if segment.interpolation != lariat_core::motion::Interpolation::Bezier {
                return None;
            }
            let tangent: &Tangent<f64> = if is_incoming { &key.incoming } else { &key.outgoing };
            let rate = curve.rate.per_second();
            if let (TangentKind::Free, Some(Handle { time, value })) =
                (tangent.kind, tangent.handle)
            {
                let frames = time * rate;
                return Some(DrawnHandle { is_incoming, frames, value, is_given: true });
            }
            let length = tangent
                .handle
                .map_or_else(|| (neighbour.time - key.time).abs() / 3.0, |one| one.time.abs());
            let slope = curve.slope(part, frame + sign * 1e-3);
            let is_given = tangent.handle.is_some();
            let (frames, value) = (sign * length * rate, sign * slope * length);
            Some(DrawnHandle { is_incoming, frames, value, is_given })
        }
        Channel::Constant(_) | Channel::Following(_) => None,
    }
}

/// A drag of a handle or a slope.
#[derive(Debug)]
pub(crate) struct HandleDrag {
    gesture: OpenGesture,
    document: Document,
    key: KeyRef,
    is_wiggle: bool,
    is_incoming: bool,
    part: usize,
    /// Value of the key in that component.
    value: f64,
    /// Both handles with all components: frames, and a value for each.
    sides: [Option<(f64, Vec<f64>)>; 2],
    kind: TangentKind,
    rate: f64,
    shown: Option<(f64, f64, bool)>,
}

impl HandleDrag {
    /// A drag of a handle of a key; its gesture must be begun.
    pub(super) fn new(
        editor: &Editor,
        curve: &Curve,
        index: usize,
        part: usize,
        is_incoming: bool,
    ) -> Option<Self> {
        let frame = *curve.channel.frames.get(index)?;
        let sides = [true, false].map(|incoming| {
            let all: Option<Vec<DrawnHandle>> = (0..curve.parts.len())
                .map(|part| side(curve, index, frame, part, 1.0, incoming))
                .collect();
            let all = all?;
            Some((all.first()?.frames, all.iter().map(|one| one.value).collect()))
        });
        let kind = match curve.parts.get(part)? {
            Channel::Keyed(keys) => {
                let key = keys.keys().get(index)?;
                if is_incoming { key.incoming.kind } else { key.outgoing.kind }
            }
            _ => TangentKind::Free,
        };
        Some(Self {
            gesture: OpenGesture::default(),
            document: editor.document().clone(),
            key: KeyRef { channel: curve.channel.path.clone(), frame },
            is_wiggle: curve.channel.form == ChannelForm::Wiggly,
            is_incoming,
            part,
            value: curve.at(part, frame),
            sides,
            kind,
            rate: curve.rate.per_second(),
            shown: None,
        })
    }

    /// Name of its entry in the history.
    pub(super) fn name(&self) -> &'static str {
        if self.is_wiggle { "Set slope" } else { "Move handle" }
    }

    /// Returns true if Escape ended it.
    pub(super) fn was_cancelled(&mut self, editor: &Editor) -> bool {
        self.gesture.was_cancelled(editor)
    }

    /// The edit for a pointer, if it is another one than before.
    pub(super) fn edit_at(
        &mut self,
        frame: f64,
        value: f64,
        breaks: bool,
    ) -> Option<Result<Edit, ToolError>> {
        let now = (frame, value, breaks);
        if self.shown.replace(now) == Some(now) {
            return None;
        }
        let frames = frame - self.key.frame;
        let frames = if self.is_incoming { frames.min(-SHORTEST) } else { frames.max(SHORTEST) };
        let rise = value - self.value;
        Some(if self.is_wiggle {
            self.slope(frames, rise)
        } else {
            self.handle(frames, rise, breaks)
        })
    }

    fn slope(&self, frames: f64, rise: f64) -> Result<Edit, ToolError> {
        let own = &self.sides[usize::from(!self.is_incoming)];
        let slopes: Vec<f64> = match own {
            Some((length, values)) => values.iter().map(|v| v * self.rate / length).collect(),
            None => vec![0.0],
        };
        let value = values(&slopes, self.part, rise * self.rate / frames);
        set_slope(&self.document, std::slice::from_ref(&self.key), self.is_incoming, Some(&value))
    }

    fn handle(&self, frames: f64, rise: f64, breaks: bool) -> Result<Edit, ToolError> {
        let is_free = breaks || self.kind == TangentKind::Free;
        let side = |index: usize| -> Option<KeyHandle> {
            let (length, rises) = self.sides[index].as_ref()?;
            let is_own = (index == 0) == self.is_incoming;
            let (new, own_rise) = match (is_own, is_free) {
                (true, _) => (frames, rise),
                // The other side turns along, and keeps its length.
                (false, false) => (*length, rise / frames * length),
                (false, true) => (*length, rises[self.part]),
            };
            // Other components keep their slope.
            let others: Vec<f64> = rises.iter().map(|one| one * new / length).collect();
            let value = values(&others, self.part, own_rise);
            Some(KeyHandle { frames: tidy(new), value })
        };
        let kind = if is_free { "free" } else { "aligned" };
        set_handles(&self.document, &self.key, kind, side(0).as_ref(), side(1).as_ref())
    }
}

/// Numbers as a value, with one of them replaced.
fn values(numbers: &[f64], part: usize, one: f64) -> Value {
    match numbers {
        [_] => tidy(one).into(),
        many => Value::List(
            many.iter()
                .enumerate()
                .map(|(k, number)| tidy(if k == part { one } else { *number }).into())
                .collect(),
        ),
    }
}

/// A number with six digits: a hand is not more precise.
pub(super) fn tidy(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}
