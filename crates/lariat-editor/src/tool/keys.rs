//! Selected keys of several channels: move, scale, copy, paste, remove, tangents.
//!
//! A moved or pasted key replaces one that is already on its frame.

use std::collections::BTreeMap;

use lariat_scene::{Document, Edit, Path, Table, Value};

use super::ToolError;
use crate::channel::{ChannelForm, frame_of, key, keys_of, value_of, with_frame, with_value};

/// A key of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyRef {
    /// The parameter.
    pub channel: Path,
    /// Frame of the key.
    pub frame: f64,
}

/// Copied keys.
#[derive(Clone, Debug, PartialEq)]
pub struct KeysClipboard {
    /// First frame.
    pub first: f64,
    /// Channels, and their keys.
    pub channels: Vec<(Path, Vec<Value>)>,
}

/// Settings of a key; those that are `None` stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeySettings {
    /// Kind of tangents: `auto`, `flat`, `free`, …
    pub tangents: Option<String>,
    /// Interpolation to the next key: `bezier`, `linear`, `hold`, …
    pub interpolation: Option<String>,
}

/// All keys of a parameter within a range of frames, both included.
pub fn keys_in(document: &Document, channel: &Path, first: f64, last: f64) -> Vec<KeyRef> {
    let Some(channel) = document.as_written(channel) else { return Vec::new() };
    let keys = document.get(&channel).and_then(keys_of).unwrap_or_default();
    let frames = keys.iter().filter_map(frame_of);
    frames
        .filter(|frame| first <= *frame && *frame <= last)
        .map(|frame| KeyRef { channel: channel.clone(), frame })
        .collect()
}

/// Moves keys by a number of frames.
pub fn move_keys(document: &Document, keys: &[KeyRef], frames: f64) -> Result<Edit, ToolError> {
    finite("the number of frames", frames)?;
    Selection::of(document, keys)?.map(|key| with_frame(key, frame_of(key)? + frames))
}

/// Moves one key to another frame and gives it another value, as a drag in a graph does.
pub fn move_key(
    document: &Document,
    key: &KeyRef,
    frame: f64,
    value: &Value,
) -> Result<Edit, ToolError> {
    finite("the frame", frame)?;
    Selection::of(document, std::slice::from_ref(key))?
        .map(|key| with_frame(&with_value(key, value.clone())?, frame))
}

/// Scales the distances of keys from a frame. Handles of tangents are scaled along.
pub fn scale_keys(
    document: &Document,
    keys: &[KeyRef],
    around: f64,
    factor: f64,
) -> Result<Edit, ToolError> {
    finite("the frame", around)?;
    if !(factor > 0.0 && factor.is_finite()) {
        return Err(ToolError::Number { what: "the factor", number: factor, must: "above 0" });
    }
    let selection = Selection::of(document, keys)?;
    selection.map(|key| {
        let scaled = with_frame(key, around + (frame_of(key)? - around) * factor)?;
        let Value::Table(mut table) = scaled else { return Some(scaled) };
        for name in ["in", "out"] {
            if let Some(Value::List(handle)) = table.get_mut(name)
                && let Some(Value::Number(frames)) = handle.first_mut()
            {
                *frames *= factor;
            }
        }
        Some(Value::Table(table))
    })
}

/// Removes keys. A parameter that loses all its keys becomes constant, with the value of the first.
pub fn remove_keys(document: &Document, keys: &[KeyRef]) -> Result<Edit, ToolError> {
    let selection = Selection::of(document, keys)?;
    Ok(selection.batch(|channel| {
        let rest: Vec<Value> = channel.unselected().cloned().collect();
        match (rest.is_empty() && channel.field == "keys", channel.selected().next()) {
            (true, Some(key)) => {
                let value = value_of(key).cloned().unwrap_or(Value::Number(0.0));
                Edit::Set { path: channel.path.clone(), value }
            }
            _ => channel.with_keys(rest),
        }
    }))
}

/// Copies keys.
pub fn copy_keys(document: &Document, keys: &[KeyRef]) -> Result<KeysClipboard, ToolError> {
    let selection = Selection::of(document, keys)?;
    let channels: Vec<(Path, Vec<Value>)> = selection
        .channels
        .iter()
        .map(|channel| (document.named(&channel.path), channel.selected().cloned().collect()))
        .collect();
    let frames = channels.iter().flat_map(|(_, keys)| keys).filter_map(frame_of);
    Ok(KeysClipboard { first: frames.fold(f64::INFINITY, f64::min), channels })
}

/// Pastes keys, the first of them at a frame, into the channels they were copied from, or into
/// `into`, one for each of them. A constant or missing parameter becomes keyed.
pub fn paste_keys(
    document: &Document,
    clipboard: &KeysClipboard,
    frame: f64,
    into: Option<&[Path]>,
) -> Result<Edit, ToolError> {
    finite("the frame", frame)?;
    let mut edits = Vec::with_capacity(clipboard.channels.len());
    for (k, (source, keys)) in clipboard.channels.iter().enumerate() {
        let target = match into {
            None => source,
            Some(paths) => match paths.get(k) {
                Some(path) => path,
                None => break,
            },
        };
        let path = document
            .as_written(target)
            .ok_or_else(|| ToolError::NoParameter { path: target.clone() })?;
        let found = document.get(&path);
        let shifted =
            keys.iter().filter_map(|key| with_frame(key, frame_of(key)? + frame - clipboard.first));
        edits.push(match ChannelForm::of(found) {
            ChannelForm::Following => {
                let why = "follows another parameter and has no keys".to_owned();
                return Err(ToolError::Unsuitable { path, why });
            }
            ChannelForm::Constant => {
                let keys = sorted(Vec::new(), shifted.collect());
                Edit::Set { path, value: Table::new().with("keys", Value::List(keys)).into() }
            }
            form => {
                let field = form.keys_field().unwrap_or("keys");
                let old = found.and_then(keys_of).unwrap_or_default().to_vec();
                // Knots of a wiggle have slopes where keys have handles.
                let plain = |k: Value| match form {
                    ChannelForm::Wiggly => Some(key(frame_of(&k)?, value_of(&k)?.clone())),
                    _ => Some(k),
                };
                let keys = sorted(old, shifted.filter_map(plain).collect());
                Edit::Set { path: path.field(field), value: Value::List(keys) }
            }
        });
    }
    Ok(one_edit(edits))
}

/// Changes tangents or interpolation of keys.
pub fn set_key_settings(
    document: &Document,
    keys: &[KeyRef],
    settings: &KeySettings,
) -> Result<Edit, ToolError> {
    let selection = Selection::of(document, keys)?;
    if let Some(channel) = selection.channels.iter().find(|channel| channel.field == "wiggle") {
        let why = "is a wiggle, whose keys have slopes instead of tangents".to_owned();
        return Err(ToolError::Unsuitable { path: document.named(&channel.path), why });
    }
    selection.map(|key| {
        let mut table = match key {
            Value::Table(table) => table.clone(),
            _ => Table::new().with("frame", frame_of(key)?).with("value", value_of(key)?.clone()),
        };
        if let Some(tangents) = &settings.tangents {
            table.set("tangents", &**tangents);
            // Handles would take precedence over automatic tangents.
            if !matches!(&**tangents, "free" | "aligned") {
                table.remove("in");
                table.remove("out");
            }
        }
        if let Some(interpolation) = &settings.interpolation {
            table.remove("ease");
            table.set("interpolation", &**interpolation);
        }
        Some(Value::Table(table))
    })
}

/// Selected keys of one channel.
pub(super) struct SelectedChannel<'d> {
    path: Path,
    /// Field with the keys.
    field: &'static str,
    keys: &'d [Value],
    is_selected: Vec<bool>,
}

impl<'d> SelectedChannel<'d> {
    fn pick(&self, selected: bool) -> impl Iterator<Item = &'d Value> {
        let keys = self.keys.iter().zip(&self.is_selected);
        keys.filter(move |(_, is)| **is == selected).map(|(key, _)| key)
    }

    fn selected(&self) -> impl Iterator<Item = &'d Value> {
        self.pick(true)
    }

    fn unselected(&self) -> impl Iterator<Item = &'d Value> {
        self.pick(false)
    }

    fn with_keys(&self, keys: Vec<Value>) -> Edit {
        Edit::Set { path: self.path.clone().field(self.field), value: Value::List(keys) }
    }
}

/// Selected keys, by channel.
pub(super) struct Selection<'d> {
    channels: Vec<SelectedChannel<'d>>,
}

impl<'d> Selection<'d> {
    /// Returns true if one of the channels is a wiggle.
    pub(super) fn has_wiggle(&self) -> bool {
        self.channels.iter().any(|channel| channel.field == "wiggle")
    }

    /// Returns true if all channels are wiggles.
    pub(super) fn is_wiggly(&self) -> bool {
        self.channels.iter().all(|channel| channel.field == "wiggle")
    }

    pub(super) fn of(document: &'d Document, keys: &[KeyRef]) -> Result<Self, ToolError> {
        let mut frames: BTreeMap<Path, Vec<f64>> = BTreeMap::new();
        for KeyRef { channel, frame } in keys {
            let path = document
                .as_written(channel)
                .ok_or_else(|| ToolError::NoParameter { path: channel.clone() })?;
            frames.entry(path).or_default().push(*frame);
        }
        let mut channels = Vec::with_capacity(frames.len());
        for (path, frames) in frames {
            let found = document.get(&path);
            let Some((field, keys)) =
                ChannelForm::of(found).keys_field().zip(found.and_then(keys_of))
            else {
                let path = document.named(&path);
                return Err(ToolError::Unsuitable { path, why: "has no keys".to_owned() });
            };
            let mut is_selected = vec![false; keys.len()];
            for frame in frames {
                match keys.iter().position(|key| frame_of(key) == Some(frame)) {
                    Some(index) => is_selected[index] = true,
                    None => return Err(ToolError::NoKey { path: document.named(&path), frame }),
                }
            }
            channels.push(SelectedChannel { path, field, keys, is_selected });
        }
        Ok(Self { channels })
    }

    /// Changes every selected key.
    pub(super) fn map(&self, change: impl Fn(&Value) -> Option<Value>) -> Result<Edit, ToolError> {
        let mut edits = Vec::with_capacity(self.channels.len());
        for channel in &self.channels {
            let changed: Option<Vec<Value>> = channel.selected().map(&change).collect();
            let Some(changed) = changed else {
                let why = "has a key that is not `[frame, value]` or a table".to_owned();
                return Err(ToolError::Unsuitable { path: channel.path.clone(), why });
            };
            edits.push(channel.with_keys(sorted(channel.unselected().cloned().collect(), changed)));
        }
        Ok(one_edit(edits))
    }

    fn batch(&self, edit: impl Fn(&SelectedChannel<'_>) -> Edit) -> Edit {
        one_edit(self.channels.iter().map(edit).collect())
    }
}

/// Old keys with new ones in order of their frames; a new key replaces an old one on its frame.
fn sorted(mut old: Vec<Value>, mut new: Vec<Value>) -> Vec<Value> {
    // Of new keys on one frame, the last stays.
    new.reverse();
    new.sort_by(by_frame);
    new.dedup_by(|later, first| frame_of(later) == frame_of(first));
    let frames: Vec<Option<f64>> = new.iter().map(frame_of).collect();
    old.retain(|key| {
        let frame = frame_of(key);
        frames.binary_search_by(|other| compare(*other, frame)).is_err()
    });
    old.append(&mut new);
    old.sort_by(by_frame);
    old
}

fn by_frame(a: &Value, b: &Value) -> std::cmp::Ordering {
    compare(frame_of(a), frame_of(b))
}

fn compare(a: Option<f64>, b: Option<f64>) -> std::cmp::Ordering {
    let number = |frame: Option<f64>| frame.unwrap_or(f64::NAN);
    // Zero and minus zero are the same frame.
    (number(a) + 0.0).total_cmp(&(number(b) + 0.0))
}

/// One edit for several; edits of different channels are independent.
fn one_edit(mut edits: Vec<Edit>) -> Edit {
    if edits.len() == 1 { edits.swap_remove(0) } else { Edit::Batch(edits) }
}

pub(super) fn finite(what: &'static str, number: f64) -> Result<(), ToolError> {
    match number.is_finite() {
        true => Ok(()),
        false => Err(ToolError::Number { what, number, must: "finite" }),
    }
}
