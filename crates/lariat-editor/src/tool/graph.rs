//! Keys as a graph shows them: frames and components of values, Bezier handles, slopes of wiggles.
//!
//! Tests: `one_component_moves_and_the_others_stay`, `keys_of_other_sizes_only_change_their_frames`,
//! `handles_are_written_relative_to_their_key`, `a_slope_replaces_those_of_the_sides_unless_they_are_given`.

use lariat_scene::{Document, Edit, Table, Value};

use super::{
    KeyRef, ToolError,
    keys::{Selection, finite},
};
use crate::channel::{frame_of, value_of, with_frame, with_value};

/// Change of one component of the values of keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueShift {
    /// Number of components of the keys that change: 1 for numbers, 3 for vectors and colours.
    pub parts: usize,
    /// The component.
    pub part: usize,
    /// Amount that is added.
    pub by: f64,
}

/// End of a Bezier handle, relative to its key.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyHandle {
    /// Frames from the key: negative for an incoming handle.
    pub frames: f64,
    /// Value minus the value of the key.
    pub value: Value,
}

/// Frame of a key as a document writes it: `[frame, value]` or a table.
pub fn key_frame(key: &Value) -> Option<f64> {
    frame_of(key)
}

/// Moves keys by a number of frames, and one component of their values by an amount. Keys with
/// another number of components only change their frames.
pub fn shift_keys(
    document: &Document,
    keys: &[KeyRef],
    frames: f64,
    shift: ValueShift,
) -> Result<Edit, ToolError> {
    finite("the number of frames", frames)?;
    finite("the value", shift.by)?;
    Selection::of(document, keys)?.map(|key| {
        let value = value_of(key)?;
        let shifted = match value {
            Value::Number(number) if shift.parts == 1 => Value::Number(added(*number, shift.by)),
            Value::List(list) if shift.parts == list.len() => {
                let mut list = list.clone();
                let part = list.get_mut(shift.part)?;
                *part = Value::Number(added(part.number()?, shift.by));
                Value::List(list)
            }
            other => other.clone(),
        };
        with_frame(&with_value(key, shifted)?, added(frame_of(key)?, frames))
    })
}

/// Sum of two numbers to twelve digits, so that 0.1 and 0.2 are 0.3 in the file.
pub fn added(number: f64, by: f64) -> f64 {
    let sum = number + by;
    match by == 0.0 {
        true => number,
        false => format!("{sum:.11e}").parse().unwrap_or(sum),
    }
}

/// Gives a key a kind of tangents with handles; a side without a handle loses its own.
pub fn set_handles(
    document: &Document,
    key: &KeyRef,
    tangents: &str,
    incoming: Option<&KeyHandle>,
    outgoing: Option<&KeyHandle>,
) -> Result<Edit, ToolError> {
    let selection = Selection::of(document, std::slice::from_ref(key))?;
    if selection.has_wiggle() {
        let why = "is a wiggle, whose keys have slopes instead of handles".to_owned();
        return Err(ToolError::Unsuitable { path: key.channel.clone(), why });
    }
    for handle in incoming.into_iter().chain(outgoing) {
        finite("the length of the handle", handle.frames)?;
    }
    selection.map(|key| {
        let mut table = as_table(key)?.with("tangents", tangents);
        for (name, handle) in [("in", incoming), ("out", outgoing)] {
            match handle {
                Some(KeyHandle { frames, value }) => {
                    table.set(name, Value::List(vec![(*frames).into(), value.clone()]));
                }
                None => drop(table.remove(name)),
            }
        }
        Some(table.into())
    })
}

/// Sets the slope of keys of wiggles, per second; `None` leaves it free. A key with a slope of its
/// own on the given side only changes that one.
pub fn set_slope(
    document: &Document,
    keys: &[KeyRef],
    is_incoming: bool,
    slope: Option<&Value>,
) -> Result<Edit, ToolError> {
    wiggles(document, keys)?.map(|key| {
        let mut table = as_table(key)?;
        let side = if is_incoming { "in" } else { "out" };
        match slope {
            Some(slope) if table.get(side).is_some() => drop(table.set(side, slope.clone())),
            Some(slope) => {
                table.remove("in");
                table.remove("out");
                table.set("slope", slope.clone());
            }
            None => ["slope", "in", "out", "soft"].iter().for_each(|name| drop(table.remove(name))),
        }
        Some(table.into())
    })
}

/// Makes keys of wiggles cut the curve in two, or not.
pub fn set_local(document: &Document, keys: &[KeyRef], on: bool) -> Result<Edit, ToolError> {
    wiggles(document, keys)?.map(|key| {
        let mut table = as_table(key)?;
        match on {
            true => drop(table.set("local", true)),
            false => drop(table.remove("local")),
        }
        Some(table.into())
    })
}

fn wiggles<'d>(document: &'d Document, keys: &[KeyRef]) -> Result<Selection<'d>, ToolError> {
    let selection = Selection::of(document, keys)?;
    match (selection.is_wiggly(), keys.first()) {
        (false, Some(key)) => {
            let why = "has keys with tangents; only wiggles have slopes".to_owned();
            Err(ToolError::Unsuitable { path: key.channel.clone(), why })
        }
        _ => Ok(selection),
    }
}

/// The key in the long form.
fn as_table(key: &Value) -> Option<Table> {
    match key {
        Value::Table(table) => Some(table.clone()),
        _ => {
            let table = Table::new().with("frame", frame_of(key)?);
            Some(table.with("value", value_of(key)?.clone()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "lariat = 2\n[[body]]\nname = 'rope'\nmodel = 'suspended-rope'\n\
        from = [0, 0, 2]\nto = { keys = [[1, [1, 2, 3]], [5, [4, 5, 6]]] }\nlength = 9\n\
        swing = { wiggle = [[1, 0], { frame = 9, value = 4, in = 1, out = 2 }], hertz = 1 }\n\
        sway = { keys = [[1, 0], [5, 10]] }\n";

    fn document() -> Document {
        lariat_scene::format::read(TEXT).expect("a document").document
    }

    fn key(path: &str, frame: f64) -> KeyRef {
        KeyRef { channel: format!("body.rope.{path}").parse().expect("a path"), frame }
    }

    /// Keys of a parameter after an edit, as text.
    fn after(edit: Result<Edit, ToolError>, path: &str) -> String {
        let mut document = document();
        document.apply(&edit.expect("an edit")).expect("it applies");
        let path = document.as_written(&key(path, 0.0).channel).expect("a parameter");
        let table = document.get(&path).and_then(Value::table).expect("keys");
        let keys = table.get("keys").or_else(|| table.get("wiggle")).expect("keys");
        format!("{keys:?}").replace("Number(", "").replace("List(", "").replace(')', "")
    }

    #[test]
    fn one_component_moves_and_the_others_stay() {
        let up = ValueShift { parts: 3, part: 2, by: 0.5 };
        let edit = shift_keys(&document(), &[key("to", 5.0)], 2.0, up);
        let text = after(edit, "to");
        assert!(text.ends_with("[7.0, [4.0, 5.0, 6.5]]]"), "{text}");
    }

    #[test]
    fn keys_of_other_sizes_only_change_their_frames() {
        let up = ValueShift { parts: 1, part: 0, by: 0.5 };
        let keys = [key("to", 5.0), key("sway", 5.0), key("swing", 1.0)];
        let edit = shift_keys(&document(), &keys, 1.0, up);
        assert!(after(edit.clone(), "to").ends_with("[6.0, [4.0, 5.0, 6.0]]]"));
        assert_eq!(after(edit.clone(), "sway"), "[[1.0, 0.0], [6.0, 10.5]]");
        assert!(after(edit, "swing").starts_with("[[2.0, 0.5]"));
        let none = shift_keys(&document(), &keys, f64::NAN, up);
        assert!(matches!(none, Err(ToolError::Number { .. })));
    }

    #[test]
    fn handles_are_written_relative_to_their_key() {
        let handle = KeyHandle { frames: 2.0, value: 3.0.into() };
        let edit = set_handles(&document(), &key("sway", 1.0), "free", None, Some(&handle));
        let text = after(edit, "sway");
        assert!(text.contains("\"tangents\"") && text.contains("\"out\""), "{text}");
        assert!(text.contains("[2.0, 3.0]") && !text.contains("\"in\""), "{text}");
        let refused = set_handles(&document(), &key("swing", 1.0), "free", None, Some(&handle));
        assert!(matches!(refused, Err(ToolError::Unsuitable { .. })));
    }

    #[test]
    fn a_slope_replaces_those_of_the_sides_unless_they_are_given() {
        let seven = Value::from(7.0);
        let set = |frame: f64, slope| set_slope(&document(), &[key("swing", frame)], true, slope);
        let text = after(set(1.0, Some(&seven)), "swing");
        assert!(text.contains("\"slope\": 7.0"), "{text}");
        let text = after(set(9.0, Some(&seven)), "swing");
        assert!(text.contains("\"in\": 7.0") && text.contains("\"out\": 2.0"), "{text}");
        let text = after(set(9.0, None), "swing");
        assert!(!text.contains("\"in\"") && !text.contains("\"out\""), "{text}");
        assert!(set_slope(&document(), &[key("sway", 1.0)], true, None).is_err());
        let text = after(set_local(&document(), &[key("swing", 9.0)], true), "swing");
        assert!(text.contains("\"local\": Switch(true"), "{text}");
    }
}
