//! What a record is: fields joined from shared sets, and families of records that share a list.

use super::{Kind, Preset, Range};
use crate::value::{Table, Value};

/// One parameter of a record.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The technical name, as the paper and the code say it.
    pub name: &'static str,
    /// Plain words that mean the same.
    pub plain: &'static [&'static str],
    /// What kind of value it takes.
    pub kind: Kind,
    /// Which numbers are allowed; for vectors and lists, each of them.
    pub range: Range,
    /// What it is when not given.
    pub preset: Preset,
    /// Whether it must be given.
    pub required: bool,
    /// Whether it can be keyed.
    pub animatable: bool,
    /// Whether it adds up over time, as `travel` does: a key then touches every frame after it.
    pub accumulates: bool,
    /// What it does, in one sentence.
    pub help: &'static str,
}

impl Field {
    /// A parameter that is not required, has no default and cannot be keyed.
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

    /// The unit of its numbers in words; empty if they have none.
    pub fn unit_said(&self) -> &'static str {
        match self.kind {
            Kind::Scalar(unit) | Kind::Vector(unit) | Kind::Scalars(_, unit) => unit.long(),
            Kind::Vectors(_, unit) | Kind::Along(unit) | Kind::Spread(unit, _) => unit.long(),
            Kind::Anchor => "metres",
            _ => "",
        }
    }

    /// Whether it goes by this name, technical or plain.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.plain.contains(&name)
    }

    /// Whether the default is of the field's kind and within its range.
    #[cfg(test)]
    pub(super) fn preset_fits(&self) -> bool {
        let within = |numbers: &[f64]| numbers.iter().all(|number| self.range.contains(*number));
        match (self.kind, self.preset) {
            (_, Preset::None | Preset::Computed(_)) => true,
            (Kind::Scalar(_) | Kind::Rate, Preset::Number(number)) => within(&[number]),
            (Kind::Spread(..), Preset::Number(number)) => within(&[number]),
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
}

/// What a record is made of.
#[derive(Debug)]
pub struct RecordType {
    /// What it is called in a document: `suspended-rope`, `wave`, `sphere`.
    pub name: &'static str,
    /// What it is for, in a sentence or two.
    pub help: &'static str,
    /// Its parameters, in the order they are written.
    pub fields: &'static [Field],
    /// Parameters that exclude each other.
    pub one_of: &'static [OneOf],
}

impl RecordType {
    /// The field of a technical name or plain word.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.position(name).map(|position| &self.fields[position])
    }

    /// What a table says about a field, under whichever of its names, and where it stands there.
    pub(crate) fn find_in<'t>(&self, table: &'t Table, name: &str) -> Option<(usize, &'t Value)> {
        let field = self.field(name)?;
        table.iter().enumerate().find_map(|(position, (said, value))| {
            field.is_called(said).then_some((position, value))
        })
    }

    /// Where the field of a technical name or plain word stands.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.is_called(name))
    }
}

/// Records that can stand in the same place, told apart by a word: bodies by their `model`,
/// layers by their `kind`, colliders by their `shape`.
#[derive(Debug)]
pub struct Family {
    /// What one of them is called: "body", "layer".
    pub noun: &'static str,
    /// The field that tells them apart; none if there is only one type.
    pub tag: Option<&'static str>,
    /// How the word alone can stand for the record, if it can: `envelope = "half-sine"`.
    pub shorthand: Option<Shorthand>,
    /// The types.
    pub types: &'static [&'static RecordType],
}

/// A record said by its word alone, or recognised without it.
#[derive(Clone, Copy, Debug)]
pub struct Shorthand {
    /// A field that only one type has: giving it is as good as giving the tag.
    pub tell_tale: &'static str,
    /// That type.
    pub means: &'static str,
}

impl Family {
    /// Whether its records are the keys of a parameter, which are read by code of their own.
    pub(crate) fn is_keys(&self) -> bool {
        matches!(self.noun, "key" | "wiggle key")
    }

    /// The type of this name.
    pub fn find(&self, name: &str) -> Option<&'static RecordType> {
        self.types.iter().copied().find(|record| record.name == name)
    }
}

/// How many fields sets have together.
pub(crate) const fn count(sets: &[&[Field]]) -> usize {
    let (mut total, mut set) = (0, 0);
    while set < sets.len() {
        total += sets[set].len();
        set += 1;
    }
    total
}

/// Joins sets of fields, at compile time.
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

/// The fields of several sets as one list: `fields![COMMON, HANGING, &[…]]`.
macro_rules! fields {
    ($($set:expr),* $(,)?) => {{
        const SETS: &[&[$crate::schema::Field]] = &[$($set),*];
        const JOINED: [$crate::schema::Field; $crate::schema::table::count(SETS)] =
            $crate::schema::table::join(SETS);
        &JOINED
    }};
}

pub(super) use fields;
