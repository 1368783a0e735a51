//! Set and unset parameters; keys, wiggles and constants in place of each other.

use lariat_scene::{
    Document, Edit, Path, Step, Table, Value,
    lower::{ParameterChannel, parameter},
    schema,
};

use super::ToolError;
use crate::{
    channel::{Amount, ChannelForm, frame_of, key, keyed, keys_of, value_at, value_of},
    editor::Editor,
};

/// Sets a parameter. Parameters of which only one may be given replace each other: setting `sag`
/// unsets `length`.
pub fn set(document: &Document, path: &Path, value: impl Into<Value>) -> Result<Edit, ToolError> {
    let no_parameter = || ToolError::NoParameter { path: path.clone() };
    let path = document.as_written(path).ok_or_else(no_parameter)?;
    let (parent, Step::Field(name)) = path.parent().ok_or_else(no_parameter)? else {
        return Ok(Edit::Set { path, value: value.into() });
    };
    let set = Edit::Set { path: path.clone(), value: value.into() };
    let (Some(record), Some(table)) =
        (schema::record_at(document, &parent), document.get(&parent).and_then(Value::table))
    else {
        return Ok(set);
    };
    let own = record.field(name).map(|field| field.name);
    let excluded = record
        .one_of
        .iter()
        .filter(|one_of| own.is_some_and(|own| one_of.fields.contains(&own)))
        .flat_map(|one_of| one_of.fields)
        .filter(|other| Some(**other) != own)
        .filter_map(|other| {
            let field = record.field(other)?;
            table.iter().find(|(given, _)| field.is_called(given)).map(|(given, _)| given)
        });
    let mut edits: Vec<Edit> =
        excluded.map(|given| Edit::Unset { path: parent.clone().field(given) }).collect();
    if edits.is_empty() {
        return Ok(set);
    }
    edits.push(set);
    Ok(Edit::Batch(edits))
}

/// Unsets a parameter, which then has its default.
pub fn unset(document: &Document, path: &Path) -> Result<Edit, ToolError> {
    match document.as_written(path).filter(|path| document.get(path).is_some()) {
        Some(path) => Ok(Edit::Unset { path }),
        None => Err(ToolError::NoParameter { path: path.clone() }),
    }
}

/// Makes a parameter follow another, named as in a document: `tail.swing`.
pub fn follow(document: &Document, path: &Path, leader: &str) -> Result<Edit, ToolError> {
    let path =
        document.as_written(path).ok_or_else(|| ToolError::NoParameter { path: path.clone() })?;
    Ok(Edit::Set { path, value: Table::new().with("follow", leader).into() })
}

/// A number, or a vector of three.
fn amount(value: &Value) -> Option<Amount> {
    match value {
        Value::Number(number) => Some(Amount::Number(*number)),
        Value::List(list) => {
            let numbers: Option<Vec<f64>> = list.iter().map(Value::number).collect();
            let numbers: [f64; 3] = numbers?.try_into().ok()?;
            Some(Amount::Vector(numbers.into()))
        }
        _ => None,
    }
}

impl Editor {
    /// Value of an animatable parameter at a frame, in the form of a document; its default if it is
    /// not given.
    pub fn value_at(&self, path: &Path, frame: f64) -> Result<Value, ToolError> {
        let found = parameter(
            self.document(),
            self.limits(),
            &self.document().named(&self.written(path)).to_string(),
        )
        .map_err(|error| ToolError::Unsuitable {
            path: path.clone(),
            why: format!("has no value at a frame: {error}"),
        })?;
        let t = self.lowered().shot.seconds(frame);
        Ok(match found.channel {
            ParameterChannel::Number(channel) => channel.at(t).into(),
            ParameterChannel::Vector(channel) => channel.at(t).into(),
            ParameterChannel::Colour(channel) => Value::from(channel.at(t).0),
        })
    }

    /// Edit after which a parameter has a value at a frame. A constant is set, in place of those that
    /// exclude it. Keys and knots get one at the frame with `auto_key`; without, the whole curve is
    /// moved by the difference.
    pub fn set_at(
        &self,
        path: &Path,
        frame: f64,
        value: &Value,
        auto_key: bool,
    ) -> Result<Edit, ToolError> {
        let path = self.written(path);
        let form = self.form_of(&path);
        if form == ChannelForm::Constant {
            return set(self.document(), &path, value.clone());
        }
        let key = || Edit::SetKey { channel: path.clone(), frame, value: value.clone() };
        let amounts = || Some((amount(&self.value_at(&path, frame).ok()?)?, amount(value)?));
        match (form, amounts()) {
            (ChannelForm::Keyed | ChannelForm::Wiggly, _) if auto_key => Ok(key()),
            (_, Some((now, wanted))) => {
                value_at(self.document(), &path, frame, now, wanted, auto_key).ok_or_else(|| {
                    let why = "follows another parameter; set its `around`, or make it constant";
                    ToolError::Unsuitable { path: path.clone(), why: why.to_owned() }
                })
            }
            // A switch or a word cannot be moved by a difference.
            _ => Ok(key()),
        }
    }

    /// Sets a key at a frame with the value that the parameter has there. A constant becomes keyed.
    pub fn key_now(&self, path: &Path, frame: f64) -> Result<Edit, ToolError> {
        let path = self.written(path);
        let value = match self.document().get(&path) {
            // As written: a switch, a colour as text.
            Some(given) if ChannelForm::of(Some(given)) == ChannelForm::Constant => given.clone(),
            _ => self.value_at(&path, frame)?,
        };
        Ok(match self.form_of(&path) {
            ChannelForm::Constant => Edit::Set { path, value: keyed(vec![key(frame, value)]) },
            _ => Edit::SetKey { channel: path, frame, value },
        })
    }

    /// Makes a parameter oscillate at a frequency in hertz. A constant gets a key at the frame; keys
    /// become those of the wiggle, without their tangents.
    pub fn wiggle(&self, path: &Path, frame: f64, hertz: f64) -> Result<Edit, ToolError> {
        let path = self.written(path);
        let found = self.document().get(&path);
        let keys = match (ChannelForm::of(found), found) {
            (ChannelForm::Wiggly, _) => {
                return Err(ToolError::Unsuitable { path, why: "wiggles already".to_owned() });
            }
            (ChannelForm::Keyed, Some(found)) => {
                let pair = |k: &Value| Some(key(frame_of(k)?, value_of(k)?.clone()));
                keys_of(found).unwrap_or_default().iter().filter_map(pair).collect()
            }
            _ => vec![key(frame, self.value_at(&path, frame)?)],
        };
        let value = Table::new().with("wiggle", Value::List(keys)).with("hertz", hertz);
        Ok(Edit::Set { path, value: value.into() })
    }

    /// Makes an animated parameter constant, with its value at a frame.
    pub fn freeze(&self, path: &Path, frame: f64) -> Result<Edit, ToolError> {
        let path = self.written(path);
        match self.form_of(&path) {
            ChannelForm::Constant => {
                Err(ToolError::Unsuitable { path, why: "is constant already".to_owned() })
            }
            _ => Ok(Edit::Set { value: self.value_at(&path, frame)?, path }),
        }
    }
}
