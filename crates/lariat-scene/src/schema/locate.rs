//! Which row of the table describes a place in a document.

use super::{
    ANCHOR_TO_BODY, ANCHOR_TO_LOCATOR, CHANNEL, DOCUMENT, Family, Field, Kind, RecordType,
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

impl Stand {
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
            (_, Value::Table(table)) if table.get("keys").is_some() => {
                Self::Record(CHANNEL.types[0])
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
    walk(document, path)
        .into_iter()
        .enumerate()
        .filter_map(|(index, (_, field))| Some((field?, index + 1)))
        .take_while(|(field, _)| !matches!(field.name, "keys" | "interpolation" | "before"))
        .filter(|(field, _)| field.animatable || matches!(field.kind, Kind::Anchor))
        .last()
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
            "[shot]\n[[body]]\nname = 'rein'\nmodel = 'suspended-rope'\nfrom = { locator = 'a' }\nlayers = [{ kind = 'pulse', height = { keys = [[1, 0]] } }]\n",
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
        let parameter = |path: &str| {
            parameter_at(&document, &path.parse().unwrap())
                .map(|(field, depth)| (field.name, depth))
        };
        assert_eq!(parameter("body[0].layers[0].height.keys[0]"), Some(("magnitude", 5)));
        assert_eq!(parameter("body[0].from.offset"), Some(("offset", 4)));
        assert_eq!(parameter("body[0].name"), None);
    }
}
