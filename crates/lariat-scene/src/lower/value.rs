//! Conversion of values to the types of their fields, with diagnostics for mismatches.

use std::sync::Arc;

use glam::DVec3;
use lariat_core::{
    geometry::{LOOKS, is_look},
    motion::{Colour, MAX_VALUE},
};

use super::{Cursor, Lowering, record::Slot, references::To};
use crate::{
    check::{Code, Diagnostic, Severity},
    format::number,
    schema::{Bound, Family, Field, Kind, Range, Unit, did_you_mean, removed_word, renamed_words},
    value::Value,
};

/// Smallest number that a parameter above 0 accepts. Quotients by smaller numbers leave the range in
/// which their squares are finite; a picometre is ten thousand times as long.
const SMALLEST: f64 = 1e-16;

impl Lowering<'_> {
    /// Converts a value to the slot of a field.
    pub(super) fn slot(&mut self, field: &Field, value: &Value, at: &Cursor) -> Option<Slot> {
        Some(match field.kind {
            Kind::Scalar(_) => Slot::Scalar(self.channel(field, value, at, Self::number)?),
            Kind::Vector(_) | Kind::Direction => {
                Slot::Vector(self.channel(field, value, at, Self::vector)?)
            }
            Kind::Colour => Slot::Colour(self.channel(field, value, at, Self::one_colour)?),
            Kind::Switch => Slot::Switch(self.channel(field, value, at, Self::one_switch)?),
            Kind::Integer => Slot::Integer(self.whole(field, value, at)?),
            Kind::Text | Kind::File => Slot::Text(self.text_value(field, value, at)?),
            Kind::Choice(choices) => {
                let word = self.text_value(field, value, at)?;
                let Some(choice) = choices.iter().find(|choice| choice.name == &*word) else {
                    let names = choices.iter().map(|choice| choice.name);
                    self.unknown_choice(field.name, &word, names, at);
                    return None;
                };
                Slot::Choice(choice.name)
            }
            Kind::Anchor => Slot::Anchor(Box::new(self.anchor(field, value, at)?)),
            Kind::Records(family) if family.is_keys() => return None,
            Kind::Along(_) => Slot::Along(self.along(field, value, at)?),
            Kind::PerPoint(_, on) => Slot::PerPoint(self.per_point(field, on, value, at)?),
            Kind::Records(family) => self.record_list(family, field, value, at)?,
            Kind::Record(family) => Slot::Record(Box::new(self.record_of(family, value, at)?)),
            Kind::Outline => Slot::CrossSection(Box::new(self.cross_section(field, value, at)?)),
            Kind::Grid(_) => Slot::Grid(Box::new(self.grid(field, value, at)?)),
            Kind::Scalars(count, _) => {
                let list = self.counted(field, value, at, count)?;
                Slot::Scalars(
                    self.each(list, at, |own, value, at| {
                        own.channel(field, value, at, Self::number)
                    })?,
                )
            }
            Kind::Vectors(count, _) => {
                let list = self.counted(field, value, at, count)?;
                Slot::Vectors(
                    self.each(list, at, |own, value, at| {
                        own.channel(field, value, at, Self::vector)
                    })?,
                )
            }
            Kind::Colours => {
                let list = self.list(field, value, at)?;
                if list.is_empty() {
                    self.wrong_count(field, "at least one", 0, at);
                    return None;
                }
                Slot::Colours(self.each(list, at, |own, value, at| {
                    own.channel(field, value, at, Self::one_colour)
                })?)
            }
            Kind::Bodies => {
                let list = self.list(field, value, at)?;
                if list.is_empty() {
                    self.wrong(
                        Code::NoParts,
                        at,
                        "a compound has no parts".to_owned(),
                        "this list is empty".to_owned(),
                        Some("list the bodies to join: `parts = [\"span\", \"tail\"]`".to_owned()),
                    );
                    return None;
                }
                Slot::Names(self.each(list, at, |own, value, at| {
                    let name = own.text_value(field, value, at)?;
                    own.refer(To::Part, &name, at);
                    Some(name)
                })?)
            }
            Kind::Against => {
                let name = self.text_value(field, value, at)?;
                if &*name != "floor" {
                    self.refer(To::Collider, &name, at);
                }
                Slot::Text(name)
            }
            Kind::LocatorName => {
                let name = self.text_value(field, value, at)?;
                self.refer(To::Locator, &name, at);
                Slot::Text(name)
            }
            Kind::BodyName => {
                let name = self.text_value(field, value, at)?;
                self.refer(To::Body, &name, at);
                Slot::Text(name)
            }
            // The shot and keys are lowered elsewhere.
            Kind::Rate | Kind::Frames | Kind::Anything => return None,
        })
    }

    /// Reports a value of the wrong type.
    pub(super) fn wrong_type(&mut self, field: &Field, value: &Value, at: &Cursor) {
        let expected = expected(field);
        let help = match (field.kind, value) {
            (Kind::Scalar(_) | Kind::Integer, Value::Text(text))
                if text.trim().parse::<f64>().is_ok_and(f64::is_finite) =>
            {
                format!("remove the quotes: {}", text.trim())
            }
            (Kind::Switch, Value::Text(text)) if matches!(&**text, "true" | "false") => {
                format!("remove the quotes: {text}")
            }
            (Kind::Scalars(count, _) | Kind::Vectors(count, _), Value::Table(table))
                if table.get("keys").or(table.get("wiggle")).is_some() =>
            {
                let each = vec!["{ keys = … }"; count].join(", ");
                format!("key its {count} entries one by one: `{} = [{each}]`", field.name)
            }
            (Kind::Switch, Value::Number(_)) => "write `true` or `false`".to_owned(),
            _ => format!("write it like `{}`", super::table::example(field)),
        };
        self.wrong(
            Code::WrongType,
            at,
            format!("`{}` takes {expected}, not {}", field.name, value.describe()),
            format!("expected {expected}"),
            Some(help),
        );
    }

    /// Converts to a finite number within the range of the field.
    pub(super) fn number(&mut self, field: &Field, value: &Value, at: &Cursor) -> Option<f64> {
        let Value::Number(found) = value else {
            self.wrong_type(field, value, at);
            return None;
        };
        self.in_range(field, *found, at)
    }

    /// Returns the number if it is in the range of the field.
    fn in_range(&mut self, field: &Field, found: f64, at: &Cursor) -> Option<f64> {
        let name = field.name;
        if !found.is_finite() {
            self.wrong(
                Code::NotFinite,
                at,
                format!("`{name}` is {}, which is not a finite number", number(found)),
                "not a finite number".to_owned(),
                Some(format!("write a number, like `{}`", super::table::example(field))),
            );
            return None;
        }
        let (size, is_positive) = (found.abs(), field.range.low == Bound::Past(0.0));
        if size > MAX_VALUE || (is_positive && found > 0.0 && size < SMALLEST) {
            let (problem, bound) = if size > MAX_VALUE {
                ("too large", format!("must be at most {MAX_VALUE:e}"))
            } else {
                ("too small", format!("must be at least {SMALLEST:e}"))
            };
            self.wrong(
                Code::OutOfRange,
                at,
                format!("`{name}` is {}, which is {problem}", number(found)),
                bound,
                Some(format!("write it like `{}`", super::table::example(field))),
            );
            return None;
        }
        if !field.range.contains(found) {
            let unit = unit(field).short();
            let range = field.range.words();
            let value = with_unit(found, unit);
            let negative_length = found < 0.0
                && unit == "m"
                && matches!(field.range, Range::POSITIVE | Range::NOT_NEGATIVE);
            let message = if negative_length {
                format!("`{name}` is {value}: a length cannot be negative")
            } else {
                format!("`{name}` is {value}, which is out of range")
            };
            let nearest = if negative_length { -found } else { field.range.nearest(found) };
            self.wrong_value(
                Code::OutOfRange,
                at,
                message,
                format!("must be {range}"),
                Some(if negative_length {
                    format!("did you mean {}?", number(-found))
                } else {
                    suggestion(field, found, unit)
                }),
                field.range.contains(nearest).then_some(Value::Number(nearest)),
            );
            return None;
        }
        Some(found)
    }

    fn whole(&mut self, field: &Field, value: &Value, at: &Cursor) -> Option<i64> {
        let found = self.number(field, value, at)?;
        if found.fract() != 0.0 || found.abs() > 9_007_199_254_740_992.0 {
            self.wrong(
                Code::NotWhole,
                at,
                format!("`{}` must be a whole number, but is {}", field.name, number(found)),
                "not a whole number".to_owned(),
                Some(format!("write {}", number(found.round().clamp(-9e15, 9e15)))),
            );
            return None;
        }
        Some(found as i64)
    }

    /// Converts to three finite numbers.
    pub(super) fn vector(&mut self, field: &Field, value: &Value, at: &Cursor) -> Option<DVec3> {
        let Value::List(list) = value else {
            self.wrong_type(field, value, at);
            return None;
        };
        let [x, y, z] = &list[..] else {
            self.wrong_count(field, "3", list.len(), at);
            return None;
        };
        let x = self.number(field, x, &at.index(0));
        let y = self.number(field, y, &at.index(1));
        let z = self.number(field, z, &at.index(2));
        let vector = DVec3::new(x?, y?, z?);
        if matches!(field.kind, Kind::Direction) && vector.try_normalize().is_none() {
            self.wrong(
                Code::ZeroDirection,
                at,
                format!("`{}` is zero and has no direction", field.name),
                "zero vector".to_owned(),
                Some("use a direction, like `[0, 0, -1]` for down".to_owned()),
            );
            return None;
        }
        Some(vector)
    }

    pub(super) fn one_colour(
        &mut self,
        field: &Field,
        value: &Value,
        at: &Cursor,
    ) -> Option<Colour> {
        match value {
            Value::Text(text) => {
                match Colour::from_hex(text) {
                    Ok(colour) => Some(colour),
                    Err(error) => {
                        self.wrong(
                        Code::InvalidColour,
                        at,
                        error.to_string(),
                        "not a colour".to_owned(),
                        Some("write `#rrggbb`, or `[r, g, b]` with linear components from 0 to 1".to_owned()),
                    );
                        None
                    }
                }
            }
            Value::List(list) if list.len() == 3 => {
                self.vector(field, value, at).map(|vector| Colour(vector.to_array()))
            }
            Value::List(list) => {
                self.wrong_count(field, "3", list.len(), at);
                None
            }
            other => {
                self.wrong_type(field, other, at);
                None
            }
        }
    }

    pub(super) fn one_switch(&mut self, field: &Field, value: &Value, at: &Cursor) -> Option<bool> {
        let switch = value.switch();
        if switch.is_none() {
            self.wrong_type(field, value, at);
        }
        switch
    }

    pub(super) fn text_value(
        &mut self,
        field: &Field,
        value: &Value,
        at: &Cursor,
    ) -> Option<Arc<str>> {
        match value {
            Value::Text(text) => {
                if field.name == "look" && !is_look(text) {
                    self.unknown_look(text, at);
                }
                Some(Arc::from(&**text))
            }
            other => {
                self.wrong_type(field, other, at);
                None
            }
        }
    }

    /// Reports a look that the renderer does not know: a warning if a known name is similar, and a
    /// note otherwise, since the name may be meant for another program.
    fn unknown_look(&mut self, word: &str, at: &Cursor) {
        let near = did_you_mean(word, LOOKS.iter().map(|(name, _)| *name));
        let mut diagnostic =
            Diagnostic::new(Code::UnknownLook, format!("there is no look called {word:?}"))
                .label(at.span(), at.path(), "drawn as \"plain\"")
                .help(near.map_or_else(
                    || "`lariat explain look` lists all names".to_owned(),
                    |near| format!("did you mean \"{near}\"?"),
                ))
                .maybe_remedy(&at.path(), near.map(Value::from))
                .note("exports contain the name as it is");
        if near.is_none() {
            diagnostic.severity = Severity::Note;
        }
        self.find(diagnostic);
    }

    /// Reports a word that is not one of the choices.
    pub(super) fn unknown_choice(
        &mut self,
        name: &str,
        word: &str,
        names: impl Iterator<Item = &'static str> + Clone,
        at: &Cursor,
    ) {
        let former = renamed_words(word);
        let is_former = former.iter().any(|now| names.clone().any(|name| name == *now));
        let meant = match (is_former, former) {
            (true, [now]) => Some(*now),
            (true, _) => None,
            (false, _) if removed_word(name, word).is_some() => None,
            (false, _) => did_you_mean(word, names.clone()),
        };
        let help = if is_former {
            let now: Vec<String> = former.iter().map(|now| format!("\"{now}\"")).collect();
            format!("did you mean {}?", now.join(" or "))
        } else if let Some(advice) = removed_word(name, word) {
            advice.to_owned()
        } else {
            meant.map_or_else(
                || {
                    let all: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
                    format!("choose one of {}", all.join(", "))
                },
                |meant| format!("did you mean \"{meant}\"?"),
            )
        };
        self.wrong_value(
            Code::UnknownChoice,
            at,
            format!("`{name}` cannot be {word:?}"),
            "unknown choice".to_owned(),
            Some(help),
            meant.map(Value::from),
        );
    }

    pub(super) fn list<'v>(
        &mut self,
        field: &Field,
        value: &'v Value,
        at: &Cursor,
    ) -> Option<&'v [Value]> {
        let Value::List(list) = value else {
            self.wrong_type(field, value, at);
            return None;
        };
        self.within_entry_limit(field.name, list.len(), at).then_some(list)
    }

    /// Returns true if the list is within the limit; reports it otherwise.
    pub(super) fn within_entry_limit(&mut self, name: &str, count: usize, at: &Cursor) -> bool {
        let most = self.limits.entries_per_list;
        if count as u64 <= most {
            return true;
        }
        self.wrong(
            Code::TooManyEntries,
            at,
            format!("`{name}` has {count} entries, more than the limit of {most}"),
            format!("{count} entries"),
            Some("raise the limit with `--limit entries-per-list=N`".to_owned()),
        );
        false
    }

    fn counted<'v>(
        &mut self,
        field: &Field,
        value: &'v Value,
        at: &Cursor,
        count: usize,
    ) -> Option<&'v [Value]> {
        let list = self.list(field, value, at)?;
        if list.len() != count {
            self.wrong_count(field, &count.to_string(), list.len(), at);
            return None;
        }
        Some(list)
    }

    pub(super) fn wrong_count(&mut self, field: &Field, expected: &str, found: usize, at: &Cursor) {
        self.wrong(
            Code::WrongCount,
            at,
            format!("`{}` takes {expected} entries, not {found}", field.name),
            if found == 1 { "1 entry".to_owned() } else { format!("{found} entries") },
            Some(format!("write it like `{}`", super::table::example(field))),
        );
    }

    /// Converts every element of a list; `None` if one of them fails.
    pub(super) fn each<T>(
        &mut self,
        list: &[Value],
        at: &Cursor,
        mut lower: impl FnMut(&mut Self, &Value, &Cursor) -> Option<T>,
    ) -> Option<Vec<T>> {
        let all: Vec<Option<T>> = list
            .iter()
            .enumerate()
            .map(|(index, value)| lower(self, value, &at.index(index)))
            .collect();
        all.into_iter().collect()
    }

    fn record_list(
        &mut self,
        family: &'static Family,
        field: &Field,
        value: &Value,
        at: &Cursor,
    ) -> Option<Slot> {
        let Value::List(list) = value else {
            self.wrong(
                Code::WrongType,
                at,
                format!("`{}` is a list of {}s, not {}", field.name, family.noun, value.describe()),
                String::new(),
                Some(format!("put it in brackets: `{} = [{{ … }}]`", field.name)),
            );
            return None;
        };
        if !self.within_entry_limit(field.name, list.len(), at) {
            return None;
        }
        self.each(list, at, |own, value, at| own.record_of(family, value, at)).map(Slot::Records)
    }
}

/// Describes the expected value of a field for a message.
pub(super) fn expected(field: &Field) -> String {
    match field.kind {
        Kind::Scalar(Unit::Number | Unit::Fraction) => "a number".to_owned(),
        Kind::Scalar(unit) => format!("a number ({})", unit.long()),
        Kind::Integer => "a whole number".to_owned(),
        Kind::Vector(_) | Kind::Direction => "three numbers `[x, y, z]`".to_owned(),
        Kind::Colour => "a colour".to_owned(),
        Kind::Switch => "`true` or `false`".to_owned(),
        Kind::Text | Kind::Against | Kind::LocatorName | Kind::BodyName => "text".to_owned(),
        Kind::File => "the path of a file".to_owned(),
        Kind::Choice(_) => "one of several words".to_owned(),
        Kind::Anchor => "a point, a locator or a body".to_owned(),
        Kind::Along(_) => "points `[[u, value], …]`".to_owned(),
        Kind::PerPoint(..) => "a number or a formula".to_owned(),
        Kind::Outline => "\"round\", \"flat\" or points".to_owned(),
        Kind::Grid(_) => "rows of numbers".to_owned(),
        Kind::Scalars(count, _) => format!("a list of {count} numbers"),
        Kind::Vectors(count, _) => format!("a list of {count} vectors"),
        Kind::Colours => "a list of colours".to_owned(),
        Kind::Bodies => "a list of names".to_owned(),
        Kind::Records(_) | Kind::Record(_) => "a table".to_owned(),
        Kind::Rate | Kind::Frames | Kind::Anything => "something else".to_owned(),
    }
}

/// Suggests the nearest allowed number, or an example if there is none.
fn suggestion(field: &Field, found: f64, unit: &str) -> String {
    let nearest = field.range.nearest(found);
    if field.range.contains(nearest) {
        format!("the nearest allowed value is {}", with_unit(nearest, unit))
    } else {
        format!("write it like `{}`", super::table::example(field))
    }
}

fn unit(field: &Field) -> Unit {
    match field.kind {
        Kind::Scalar(unit)
        | Kind::Vector(unit)
        | Kind::Along(unit)
        | Kind::PerPoint(unit, _)
        | Kind::Grid(unit)
        | Kind::Scalars(_, unit)
        | Kind::Vectors(_, unit) => unit,
        _ => Unit::Number,
    }
}

/// Formats a number with its unit: "-3 m", "20°", "0.5".
pub(super) fn with_unit(found: f64, unit: &str) -> String {
    match unit {
        "" => number(found),
        "°" => format!("{}°", number(found)),
        unit => format!("{} {unit}", number(found)),
    }
}
