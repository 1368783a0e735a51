//! Record types: fields joined from shared sets, and families of records that share a list.

use super::{Kind, Preset, Range};
use crate::value::{Table, Value};

/// One parameter of a record.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Technical name, as in the paper and the code.
    pub name: &'static str,
    /// Plain names of the same parameter.
    pub plain: &'static [&'static str],
    /// Kind of its value.
    pub kind: Kind,
    /// Range of its numbers; for vectors and lists, of each of them.
    pub range: Range,
    /// Default.
    pub preset: Preset,
    /// Whether it must be given.
    pub required: bool,
    /// Whether it can be keyed.
    pub animatable: bool,
    /// Whether it accumulates over time, as `travel` does: a key then affects every later frame.
    pub accumulates: bool,
    /// Help text, one or two sentences.
    pub help: &'static str,
}

impl Field {
    /// Creates a parameter that is not required, has no default and cannot be keyed.
    pub(crate) const fn new(name: &'static str, kind: Kind, help: &'static str) -> Self {
        Self {
            name,
            plain: &[],
            kind,
            range: Range::ANY,
            preset: Preset::None,
            required: false,
            animatable: false,
            accumulates: false,
            help,
        }
    }

    pub(crate) const fn plain(self, plain: &'static [&'static str]) -> Self {
        Self { plain, ..self }
    }

    pub(crate) const fn range(self, range: Range) -> Self {
        Self { range, ..self }
    }

    pub(crate) const fn preset(self, preset: Preset) -> Self {
        Self { preset, ..self }
    }

    pub(crate) const fn number(self, default: f64) -> Self {
        Self { preset: Preset::Number(default), ..self }
    }

    pub(crate) const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    pub(crate) const fn keyed(self) -> Self {
        Self { animatable: true, ..self }
    }

    pub(crate) const fn accumulates(self) -> Self {
        Self { accumulates: true, ..self }
    }

    /// Name of the unit of its numbers; empty if they have none.
    pub fn unit_name(&self) -> &'static str {
        match self.kind {
            Kind::Scalar(unit) | Kind::Vector(unit) | Kind::Scalars(_, unit) => unit.long(),
            Kind::Vectors(_, unit) | Kind::Along(unit) | Kind::PerPoint(unit, _) => unit.long(),
            Kind::Anchor => "metres",
            _ => "",
        }
    }

    /// Returns true if this is its technical name or one of its plain names.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.plain.contains(&name)
    }

    /// Returns true if the default has the kind of the field and is within its range.
    #[cfg(test)]
    pub(super) fn preset_fits(&self) -> bool {
        let within = |numbers: &[f64]| numbers.iter().all(|number| self.range.contains(*number));
        match (self.kind, self.preset) {
            (_, Preset::None | Preset::Computed(_)) => true,
            (Kind::Scalar(_) | Kind::Rate, Preset::Number(number)) => within(&[number]),
            (Kind::PerPoint(..), Preset::Number(number)) => within(&[number]),
            (Kind::Integer, Preset::Number(number)) => number.fract() == 0.0 && within(&[number]),
            (Kind::Vector(_) | Kind::Direction | Kind::Colour, Preset::Numbers(numbers)) => {
                numbers.len() == 3 && within(numbers)
            }
            (Kind::Scalars(count, _), Preset::Numbers(numbers)) => {
                numbers.len() == count && within(numbers)
            }
            (Kind::Vectors(count, _), Preset::Numbers(numbers)) => {
                numbers.len() == 3 * count && within(numbers)
            }
            (Kind::Frames, Preset::Numbers(numbers)) => numbers.len() == 2,
            (Kind::Colours, Preset::Colours(colours)) => !colours.is_empty(),
            (Kind::Switch, Preset::Switch(_)) | (Kind::Records(_), Preset::Empty) => true,
            (Kind::Text, Preset::Text(text)) => !text.is_empty(),
            (Kind::Outline, Preset::Text(text)) => matches!(text, "round" | "flat"),
            (Kind::Choice(choices), Preset::Text(text)) => {
                choices.iter().any(|choice| choice.name == text)
            }
            _ => false,
        }
    }
}

/// Parameters of which at most one may be given.
#[derive(Clone, Copy, Debug)]
pub struct OneOf {
    /// Their technical names.
    pub fields: &'static [&'static str],
    /// Whether one of them must be given.
    pub required: bool,
    /// The one that applies if none is given, and its value.
    pub otherwise: Option<(&'static str, f64)>,
}

/// Type of a record.
#[derive(Debug)]
pub struct RecordType {
    /// Name in documents: `suspended-rope`, `wave`, `sphere`.
    pub name: &'static str,
    /// Help text, one or two sentences.
    pub help: &'static str,
    /// Parameters, in the order of writing.
    pub fields: &'static [Field],
    /// Mutually exclusive parameters.
    pub one_of: &'static [OneOf],
}

impl RecordType {
    /// Finds a field by its technical name or a plain name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.position(name).map(|position| &self.fields[position])
    }

    /// Finds the value of a field in a table under any of its names; returns its position, too.
    pub(crate) fn find_in<'t>(&self, table: &'t Table, name: &str) -> Option<(usize, &'t Value)> {
        let field = self.field(name)?;
        table.iter().enumerate().find_map(|(position, (written, value))| {
            field.is_called(written).then_some((position, value))
        })
    }

    /// Index of the field with this technical or plain name.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.is_called(name))
    }
}

/// Record types that can be used in the same place, distinguished by a tag: bodies by their `model`,
/// layers by their `kind`, colliders by their `shape`.
#[derive(Debug)]
pub struct Family {
    /// Noun for messages: "body", "layer".
    pub noun: &'static str,
    /// Field that selects the type; `None` if there is only one type.
    pub tag: Option<&'static str>,
    /// Short form, if there is one: `envelope = "half-sine"`.
    pub shorthand: Option<Shorthand>,
    /// All types.
    pub types: &'static [&'static RecordType],
}

/// Short form of a record: its tag alone, or a table without the tag.
#[derive(Clone, Copy, Debug)]
pub struct Shorthand {
    /// Field that only one type has, which selects this type without the tag.
    pub unique_field: &'static str,
    /// Name of that type.
    pub type_name: &'static str,
}

impl Family {
    /// Returns true for keys of a parameter, which are lowered separately.
    pub(crate) fn is_keys(&self) -> bool {
        matches!(self.noun, "key" | "wiggle key")
    }

    /// Finds a type by name.
    pub fn find(&self, name: &str) -> Option<&'static RecordType> {
        self.types.iter().copied().find(|record| record.name == name)
    }
}

/// Number of fields in several sets.
pub(crate) const fn count(sets: &[&[Field]]) -> usize {
    let (mut total, mut set) = (0, 0);
    while set < sets.len() {
        total += sets[set].len();
        set += 1;
    }
    total
}

/// Joins sets of fields at compile time.
pub(crate) const fn join<const N: usize>(sets: &[&[Field]]) -> [Field; N] {
    let mut joined = [Field::new("", Kind::Text, ""); N];
    let (mut set, mut next) = (0, 0);
    while set < sets.len() {
        let mut field = 0;
        while field < sets[set].len() {
            joined[next] = sets[set][field];
            next += 1;
            field += 1;
        }
        set += 1;
    }
    joined
}

/// Joins the fields of several sets into one list: `fields![COMMON, HANGING, &[…]]`.
macro_rules! fields {
    ($($set:expr),* $(,)?) => {{
        const SETS: &[&[$crate::schema::Field]] = &[$($set),*];
        const JOINED: [$crate::schema::Field; $crate::schema::table::count(SETS)] =
            $crate::schema::table::join(SETS);
        &JOINED
    }};
}

pub(super) use fields;
