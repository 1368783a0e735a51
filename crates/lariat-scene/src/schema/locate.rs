//! Which row of the table describes a place in a document.

use super::{
    ANCHOR_TO_BODY, ANCHOR_TO_LOCATOR, CHANNEL, DOCUMENT, FOLLOW, Family, Field, Kind, RecordType,
    WIGGLE,
};
use crate::{
    document::Document,
    path::{Path, Step},
    value::{Table, Value},
};

/// What a value is, as far as the schema knows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stand {
    /// A table of this type.
    Record(&'static RecordType),
    /// A list of records.
    Records(&'static Family),
    /// A list of values of one field.
    Values(&'static Field),
    /// Anything else.
    Other,
}

impl Family {
    /// The type of a table, by its tag; if it has none or a wrong one, nothing.
    pub(crate) fn type_of(&self, table: &Table) -> Option<&'static RecordType> {
        match self.tag {
            None => self.types.first().copied(),
            Some(tag) => match table.get(tag) {
                Some(value) => self.find(value.text()?),
                None => {
                    let shorthand = self.shorthand?;
                    table.get(shorthand.tell_tale)?;
                    self.find(shorthand.means)
                }
            },
        }
    }
}

/// What kind of moving parameter a table is, if it is one.
fn channel_of(table: &Table) -> Option<&'static Family> {
    [("keys", &CHANNEL), ("wiggle", &WIGGLE), ("follow", &FOLLOW)]
        .into_iter()
        .find_map(|(word, family)| table.get(word).map(|_| family))
}

impl Stand {
    /// Whether it is a parameter that moves.
    fn is_channel(&self) -> bool {
        let one = |family: &'static Family| matches!(self, Self::Record(record) if std::ptr::eq(*record, family.types[0]));
        one(&CHANNEL) || one(&WIGGLE) || one(&FOLLOW)
    }

    /// What a value of a field is.
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

    /// What an element of a list is.
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

/// The row that describes the parameter at a path, if the schema knows it.
///
/// For a place within the keys of a parameter, it is the parameter itself that is told by
/// `parameter_at`.
pub fn field_at(document: &Document, path: &Path) -> Option<&'static Field> {
    let stands = walk(document, path);
    stands.last().filter(|_| stands.len() == path.steps().len())?.1
}

/// The parameter at a path, if it can be keyed there: a field, or one entry of a list whose
/// entries are keyed each on its own. If it cannot, the parameter that stands there, if any.
pub(crate) fn keyable_at(
    document: &Document,
    path: &Path,
) -> Result<&'static Field, Option<&'static Field>> {
    let stands = walk(document, path);
    if stands.len() != path.steps().len() {
        return Err(None);
    }
    let in_a_list = match stands[..] {
        [.., (Stand::Values(field), _), (_, None)] => Some(field),
        _ => None,
    };
    let each =
        |field: &Field| matches!(field.kind, Kind::Scalars(..) | Kind::Vectors(..) | Kind::Colours);
    match (in_a_list, stands.last().and_then(|(_, field)| *field)) {
        (Some(field), _) if field.animatable => Ok(field),
        (None, Some(field)) if field.animatable && !each(field) => Ok(field),
        (in_a_list, field) => Err(in_a_list.or(field)),
    }
}

/// The parameter that a path leads to or into: for `body.rein.swing.keys[2]`, `swing`, and how
/// many steps it takes to get there.
pub(crate) fn parameter_at(document: &Document, path: &Path) -> Option<(&'static Field, usize)> {
    let stands = walk(document, path);
    // What lies within keys or a wiggle belongs to the parameter that moves.
    let depth = stands.iter().position(|(stand, _)| stand.is_channel());
    stands
        .into_iter()
        .take(depth.map_or(usize::MAX, |depth| depth + 1))
        .enumerate()
        .filter_map(|(index, (_, field))| Some((field?, index + 1)))
        .rfind(|(field, _)| field.animatable || matches!(field.kind, Kind::Anchor))
}

/// What the table at a path is, if the schema knows it.
pub(crate) fn record_at(document: &Document, path: &Path) -> Option<&'static RecordType> {
    if path.steps().is_empty() {
        return Some(&DOCUMENT);
    }
    let stands = walk(document, path);
    match stands.last() {
        Some((Stand::Record(record), _)) if stands.len() == path.steps().len() => Some(record),
        _ => None,
    }
}

/// What stands at every step of a path; shorter than the path if it leads nowhere.
fn walk(document: &Document, path: &Path) -> Vec<(Stand, Option<&'static Field>)> {
    let mut stands = Vec::new();
    let mut stand = Stand::Record(&DOCUMENT);
    let mut prefix = Path::root();
    for step in path.steps() {
        prefix = match step {
            Step::Field(name) => prefix.field(name.clone()),
            Step::Index(index) => prefix.index(*index),
        };
        let value = document.get(&prefix);
        let field = match (stand, step) {
            (Stand::Record(record), Step::Field(name)) => record.field(name),
            _ => None,
        };
        stand = match (field, value) {
            (Some(field), Some(value)) => Stand::of(field, value),
            (None, Some(value)) => stand.element(value),
            (_, None) => Stand::Other,
        };
        stands.push((stand, field));
        if value.is_none() {
            break;
        }
    }
    stands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_by_their_rows() {
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
