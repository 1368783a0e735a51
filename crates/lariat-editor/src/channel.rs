//! Values of parameters over time, as written in a document: constants, keys, wiggles, followers.
//!
//! Tests: `an_offset_moves_every_key_and_the_equilibrium`.

use lariat_scene::{Document, Edit, Path, Table, Value};

/// Form of a parameter over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelForm {
    /// A constant, or not given.
    Constant,
    /// Keys.
    Keyed,
    /// A wiggle.
    Wiggly,
    /// The motion of another parameter.
    Following,
}

impl ChannelForm {
    /// Form of a value; a missing one is constant.
    pub fn of(value: Option<&Value>) -> Self {
        let has =
            |word| value.and_then(Value::table).is_some_and(|table| table.get(word).is_some());
        match () {
            () if has("keys") => Self::Keyed,
            () if has("wiggle") => Self::Wiggly,
            () if has("follow") => Self::Following,
            () => Self::Constant,
        }
    }

    /// Field with the keys; `None` without keys.
    pub(crate) fn keys_field(self) -> Option<&'static str> {
        match self {
            Self::Keyed => Some("keys"),
            Self::Wiggly => Some("wiggle"),
            Self::Constant | Self::Following => None,
        }
    }
}

/// Keys of a parameter, if it has any.
pub(crate) fn keys_of(value: &Value) -> Option<&[Value]> {
    let field = ChannelForm::of(Some(value)).keys_field()?;
    value.table()?.get(field)?.list()
}

/// Frame of a key.
pub(crate) fn frame_of(key: &Value) -> Option<f64> {
    match key {
        Value::List(pair) => pair.first()?.number(),
        Value::Table(key) => key.get("frame")?.number(),
        _ => None,
    }
}

/// Value of a key.
pub(crate) fn value_of(key: &Value) -> Option<&Value> {
    match key {
        Value::List(pair) => pair.get(1),
        Value::Table(key) => key.get("value"),
        _ => None,
    }
}

/// A number, or a vector with three.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Amount {
    Number(f64),
    Vector(glam::DVec3),
}

impl Amount {
    pub(crate) fn value(self) -> Value {
        match self {
            Self::Number(x) => x.into(),
            Self::Vector(v) => v.into(),
        }
    }

    /// Difference of two amounts of the same kind.
    fn minus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Number(x), Self::Number(y)) => Self::Number(x - y),
            (Self::Vector(x), Self::Vector(y)) => Self::Vector(x - y),
            (amount, _) => amount,
        }
    }

    /// Sum with a value of a document; `None` if it is of another kind.
    fn plus(self, value: &Value) -> Option<Value> {
        match (self, value) {
            (Self::Number(x), Value::Number(y)) => Some(Value::Number(y + x)),
            (Self::Vector(x), Value::List(list)) if list.len() == 3 => {
                let sum = list.iter().zip(x.to_array()).map(|(y, x)| Some(y.number()? + x));
                sum.collect::<Option<Vec<f64>>>().map(Value::from)
            }
            _ => None,
        }
    }
}

/// The value of a parameter with the same motion, moved by an amount. `None` if the parameter
/// follows another one without an equilibrium of its own, or is not of the kind of the amount.
pub(crate) fn offset(value: &Value, by: Amount) -> Option<Value> {
    let Value::Table(table) = value else { return by.plus(value) };
    let form = ChannelForm::of(Some(value));
    let mut moved = table.clone();
    let equilibrium = ["around", "equilibrium"].into_iter().find(|name| table.get(name).is_some());
    let mut is_moved = false;
    if let Some(name) = equilibrium {
        moved.set(name, offset(table.get(name)?, by)?);
        is_moved = true;
    }
    if let Some(field) = form.keys_field() {
        let keys: Option<Vec<Value>> =
            table.get(field)?.list()?.iter().map(|key| offset_key(key, by)).collect();
        let keys = keys?;
        is_moved |= !keys.is_empty();
        moved.set(field, Value::List(keys));
    }
    match (is_moved, form) {
        (true, _) => Some(moved.into()),
        // A free spring comes to rest at zero.
        (false, ChannelForm::Wiggly) => Some(moved.with("around", by.value()).into()),
        (false, _) => None,
    }
}

fn offset_key(key: &Value, by: Amount) -> Option<Value> {
    let value = by.plus(value_of(key)?)?;
    with_value(key, value)
}

/// The key with another value.
pub(crate) fn with_value(key: &Value, value: Value) -> Option<Value> {
    match key {
        Value::List(pair) => {
            let mut pair = pair.clone();
            *pair.get_mut(1)? = value;
            Some(Value::List(pair))
        }
        Value::Table(key) => Some(key.clone().with("value", value).into()),
        _ => None,
    }
}

/// The key at another frame.
pub(crate) fn with_frame(key: &Value, frame: f64) -> Option<Value> {
    match key {
        Value::List(pair) => {
            let mut pair = pair.clone();
            *pair.first_mut()? = frame.into();
            Some(Value::List(pair))
        }
        Value::Table(key) => Some(key.clone().with("frame", frame).into()),
        _ => None,
    }
}

/// Edit after which a parameter has a value at a frame. A constant is set. Keys get one at the frame
/// with `auto_key`, and are all moved by the difference without. `None` if the parameter follows
/// another one.
pub(crate) fn value_at(
    document: &Document,
    path: &Path,
    frame: f64,
    now: Amount,
    wanted: Amount,
    auto_key: bool,
) -> Option<Edit> {
    let path = document.as_written(path).unwrap_or_else(|| path.clone());
    let found = document.get(&path);
    match (ChannelForm::of(found), found) {
        (ChannelForm::Keyed | ChannelForm::Wiggly, _) if auto_key => {
            Some(Edit::SetKey { channel: path, frame, value: wanted.value() })
        }
        (ChannelForm::Keyed | ChannelForm::Wiggly | ChannelForm::Following, Some(found)) => {
            let value = offset(found, wanted.minus(now))?;
            Some(Edit::Set { path, value })
        }
        _ => Some(Edit::Set { path, value: wanted.value() }),
    }
}

/// A table with keys only.
pub(crate) fn keyed(keys: Vec<Value>) -> Value {
    Table::new().with("keys", Value::List(keys)).into()
}

/// A key in the short form.
pub(crate) fn key(frame: f64, value: Value) -> Value {
    Value::List(vec![frame.into(), value])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Value {
        let document = lariat_scene::format::read(&format!("lariat = 2\nx = {text}\n"));
        document.expect("TOML").document.root.get("x").expect("a field").clone()
    }

    #[test]
    fn an_offset_moves_every_key_and_the_equilibrium() {
        for (text, moved) in [
            ("1.5", "3.5"),
            (
                "{ keys = [[1, 0], { frame = 5, value = 4, tangents = 'flat' }], after = 'cycle' }",
                "{ keys = [[1, 2], { frame = 5, value = 6, tangents = 'flat' }], after = 'cycle' }",
            ),
            (
                "{ wiggle = [[1, 3]], hertz = 2, equilibrium = { keys = [[1, 1]] }, push = 7 }",
                "{ wiggle = [[1, 5]], hertz = 2, equilibrium = { keys = [[1, 3]] }, push = 7 }",
            ),
            ("{ wiggle = [], hertz = 2 }", "{ wiggle = [], hertz = 2, around = 2 }"),
            ("{ follow = 'a.b', around = 1 }", "{ follow = 'a.b', around = 3 }"),
        ] {
            assert_eq!(offset(&parsed(text), Amount::Number(2.0)), Some(parsed(moved)), "{text}");
        }
        assert_eq!(offset(&parsed("{ follow = 'a.b' }"), Amount::Number(2.0)), None);
        assert_eq!(offset(&parsed("[1, 2, 3]"), Amount::Number(2.0)), None);
        let up = Amount::Vector(glam::DVec3::Z);
        assert_eq!(offset(&parsed("[1, 2, 3]"), up), Some(parsed("[1.0, 2.0, 4.0]")));
    }
}
