//! Schema of a place in a document.

use super::{
    ANCHOR_TO_BODY, ANCHOR_TO_LOCATOR, CHANNEL, DOCUMENT, FOLLOW, Family, Field, Kind, RecordType,
    WIGGLE,
};
use crate::{
    document::Document,
    path::{Path, Step},
    value::{Table, Value},
};

/// Type of a value in the schema.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueType {
    /// A record.
    Record(&'static RecordType),
    /// A list of records.
    Records(&'static Family),
    /// A list of values of one field.
    Values(&'static Field),
    /// Anything else.
    Other,
}

impl Family {
    /// Type of a table by its tag; `None` if the tag is missing or unknown.
    pub(crate) fn type_of(&self, table: &Table) -> Option<&'static RecordType> {
        match self.tag {
            None => self.types.first().copied(),
            Some(tag) => match table.get(tag) {
                Some(value) => self.find(value.text()?),
                None => {
                    let shorthand = self.shorthand?;
                    table.get(shorthand.unique_field)?;
                    self.find(shorthand.type_name)
                }
            },
        }
    }
}

/// Family of an animated parameter: keys, a wiggle or a follower.
fn channel_of(table: &Table) -> Option<&'static Family> {
    [("keys", &CHANNEL), ("wiggle", &WIGGLE), ("follow", &FOLLOW)]
        .into_iter()
        .find_map(|(word, family)| table.get(word).map(|_| family))
}

impl ValueType {
    /// Returns true for an animated parameter.
    fn is_channel(&self) -> bool {
        let is = |family: &'static Family| matches!(self, Self::Record(record) if std::ptr::eq(*record, family.types[0]));
        is(&CHANNEL) || is(&WIGGLE) || is(&FOLLOW)
    }

    /// Type of a value of a field.
    pub(crate) fn of(field: &'static Field, value: &Value) -> Self {
        match (field.kind, value) {
            (Kind::Records(family), Value::List(_)) => Self::Records(family),
            (Kind::Record(family), Value::Table(table)) => {
                family.type_of(table).map_or(Self::Other, Self::Record)
            }
            (Kind::Anchor, Value::Table(table)) if table.get("locator").is_some() => {
                Self::Record(ANCHOR_TO_LOCATOR.types[0])
            }
            (Kind::Anchor, Value::Table(table)) if table.get("body").is_some() => {
                Self::Record(ANCHOR_TO_BODY.types[0])
            }
            (_, Value::Table(table)) if channel_of(table).is_some() => {
                channel_of(table).map_or(Self::Other, |family| Self::Record(family.types[0]))
            }
            (Kind::Scalars(..) | Kind::Vectors(..) | Kind::Colours, Value::List(_)) => {
                Self::Values(field)
            }
            _ => Self::Other,
        }
    }

    /// Type of an element of a list.
    pub(crate) fn element(self, value: &Value) -> Self {
        match (self, value) {
            (Self::Records(family), Value::Table(table)) => {
                family.type_of(table).map_or(Self::Other, Self::Record)
            }
            (Self::Values(field), value) => Self::of(field, value),
            _ => Self::Other,
        }
    }
}

/// Finds the field at a path. For a place within the keys of a parameter, `parameter_at` finds the
/// parameter itself.
pub fn field_at(document: &Document, path: &Path) -> Option<&'static Field> {
    let types = walk(document, path);
    types.last().filter(|_| types.len() == path.steps().len())?.1
}

/// Finds the parameter at a path if it can be keyed: a field, or an entry of a list whose entries are
/// keyed individually. Otherwise returns the parameter at the path, if there is one, as the error.
pub(crate) fn keyable_at(
    document: &Document,
    path: &Path,
) -> Result<&'static Field, Option<&'static Field>> {
    let types = walk(document, path);
    if types.len() != path.steps().len() {
        return Err(None);
    }
    let in_a_list = match types[..] {
        [.., (ValueType::Values(field), _), (_, None)] => Some(field),
        _ => None,
    };
    let each =
        |field: &Field| matches!(field.kind, Kind::Scalars(..) | Kind::Vectors(..) | Kind::Colours);
    match (in_a_list, types.last().and_then(|(_, field)| *field)) {
        (Some(field), _) if field.animatable => Ok(field),
        (None, Some(field)) if field.animatable && !each(field) => Ok(field),
        (in_a_list, field) => Err(in_a_list.or(field)),
    }
}

/// Finds the parameter at or above a path, and the length of its path: for `body.rein.swing.keys[2]`,
/// `swing` and 3.
pub(crate) fn parameter_at(document: &Document, path: &Path) -> Option<(&'static Field, usize)> {
    let types = walk(document, path);
    // Everything within keys or a wiggle belongs to the animated parameter.
    let depth = types.iter().position(|(value_type, _)| value_type.is_channel());
    types
        .into_iter()
        .take(depth.map_or(usize::MAX, |depth| depth + 1))
        .enumerate()
        .filter_map(|(index, (_, field))| Some((field?, index + 1)))
        .rfind(|(field, _)| field.animatable || matches!(field.kind, Kind::Anchor))
}

/// Type of the record at a path; `None` if there is none, or its type is unknown.
pub fn record_at(document: &Document, path: &Path) -> Option<&'static RecordType> {
    if path.steps().is_empty() {
        return Some(&DOCUMENT);
    }
    let types = walk(document, path);
    match types.last() {
        Some((ValueType::Record(record), _)) if types.len() == path.steps().len() => Some(record),
        _ => None,
    }
}

/// Type and field of every step of a path; shorter than the path if a step does not exist.
fn walk(document: &Document, path: &Path) -> Vec<(ValueType, Option<&'static Field>)> {
    let mut types = Vec::new();
    let mut value_type = ValueType::Record(&DOCUMENT);
    let mut prefix = Path::root();
    for step in path.steps() {
        prefix = match step {
            Step::Field(name) => prefix.field(name.clone()),
            Step::Index(index) => prefix.index(*index),
        };
        let value = document.get(&prefix);
        let field = match (value_type, step) {
            (ValueType::Record(record), Step::Field(name)) => record.field(name),
            _ => None,
        };
        value_type = match (field, value) {
            (Some(field), Some(value)) => ValueType::of(field, value),
            (None, Some(value)) => value_type.element(value),
            (_, None) => ValueType::Other,
        };
        types.push((value_type, field));
        if value.is_none() {
            break;
        }
    }
    types
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_parameters_and_records_are_found_by_path() {
        let document = crate::format::read(
            "[shot]\n[world]\nwind = { keys = [[1, [0, 0, 0]]] }\n[[body]]\nname = 'rein'\nmodel = 'suspended-rope'\nfrom = { locator = 'a' }\nlayers = [{ kind = 'pulse', height = { keys = [[1, 0]] } }]\n[body.dynamics]\ncontrol-points = 9\npins = [{ at = 0, to = { keys = [[1, [0, 0, 0]]] } }, { to = { body = 'b' } }]\n",
        )
        .unwrap()
        .document;
        let field =
            |path: &str| field_at(&document, &path.parse().unwrap()).map(|field| field.name);
        assert_eq!(field("body.rein.length"), Some("length"));
        assert_eq!(field("body[0].from.offset"), Some("offset"));
        assert_eq!(field("body[0].layers[0].height"), Some("magnitude"));
        assert_eq!(field("body[0].layers[0].at"), Some("position"));
        assert_eq!(field("body[0].lenght"), None);
        assert_eq!(field("body[0].layers[7].at"), None);
        assert_eq!(field("shot.fps"), Some("fps"));
        assert_eq!(field("collider[0].radius"), None);
        assert_eq!(field("world.gravity"), Some("gravity"));
        assert_eq!(field("world.wind.keys"), Some("keys"));
        assert_eq!(field("body[0].dynamics.rate"), Some("rate"));
        assert_eq!(field("body[0].dynamics.pins[1].to.at"), Some("at"));
        let parameter = |path: &str| {
            parameter_at(&document, &path.parse().unwrap())
                .map(|(field, depth)| (field.name, depth))
        };
        assert_eq!(parameter("body[0].layers[0].height.keys[0]"), Some(("magnitude", 5)));
        assert_eq!(parameter("body[0].from.offset"), Some(("offset", 4)));
        assert_eq!(parameter("body[0].name"), None);
        assert_eq!(parameter("world.wind.keys[0][1]"), Some(("wind", 2)));
        assert_eq!(parameter("world.air"), None);
        assert_eq!(parameter("body[0].dynamics.pins[0].to.keys[0]"), Some(("to", 6)));
        assert_eq!(parameter("body[0].dynamics.pins[1].to.offset"), Some(("offset", 7)));
        assert_eq!(parameter("body[0].dynamics.pins[0].at"), None);
        let record =
            |path: &str| record_at(&document, &path.parse().unwrap()).map(|record| record.name);
        assert_eq!(record("world"), Some("world"));
        assert_eq!(record("body[0].dynamics"), Some("spline-rope"));
        assert_eq!(record("body[0].dynamics.pins[0]"), Some("pin"));
    }
}
