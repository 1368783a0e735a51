//! A value becomes what its field asks for, or a finding that says what was expected.

use std::sync::Arc;

use glam::{DVec2, DVec3};
use lariat_core::motion::{Colour, FrameRate, MAX_VALUE};

use super::{
    At, Lowering,
    record::{Grid, Outline, Slot},
    references::To,
};
use crate::{
    check::{Code, Diagnostic},
    format::number,
    schema::{Family, Field, Kind, Range, Unit, did_you_mean},
    value::Value,
};

impl Lowering<'_> {
    /// A value becomes the slot of a field.
    pub(super) fn slot(&mut self, field: &Field, value: &Value, at: &At) -> Option<Slot> {
        Some(match field.kind {
            Kind::Scalar(_) => Slot::Scalar(self.channel(field, value, at, Self::number)?),
            Kind::Vector(_) => Slot::Vector(self.channel(field, value, at, Self::vector)?),
            Kind::Colour => Slot::Colour(self.channel(field, value, at, Self::one_colour)?),
            Kind::Switch => Slot::Switch(self.channel(field, value, at, Self::one_switch)?),
            Kind::Integer => Slot::Integer(self.whole(field, value, at)?),
            Kind::Text => Slot::Text(self.words(field, value, at)?),
            Kind::Choice(choices) => {
                let word = self.words(field, value, at)?;
                let Some(choice) = choices.iter().find(|choice| choice.name == &*word) else {
                    let names = choices.iter().map(|choice| choice.name);
                    self.unknown_choice(field.name, &word, names, at);
                    return None;
                };
                Slot::Choice(choice.name)
            }
            Kind::Anchor => Slot::Anchor(Box::new(self.anchor(field, value, at)?)),
            Kind::Along(_) => Slot::Along(self.along(field, value, at)?),
            Kind::Records(family) => self.record_list(family, field, value, at)?,
            Kind::Record(family) => Slot::Record(Box::new(self.record_of(family, value, at)?)),
            Kind::Outline => Slot::Outline(Box::new(self.outline(field, value, at)?)),
            Kind::Grid(_) => Slot::Grid(Box::new(self.grid(field, value, at)?)),
            Kind::Scalars(count, _) => {
                let list = self.counted(field, value, at, count)?;
                Slot::Scalars(self.each(list, at, |own, value, at| {
                    own.channel(field, value, at, Self::number)
                })?)
            }
            Kind::Vectors(count, _) => {
                let list = self.counted(field, value, at, count)?;
                Slot::Vectors(self.each(list, at, |own, value, at| {
                    own.channel(field, value, at, Self::vector)
                })?)
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
                        Some("name the bodies it is made of: `parts = [\"span\", \"tail\"]`".to_owned()),
                    );
                    return None;
                }
                Slot::Names(self.each(list, at, |own, value, at| {
                    let name = own.words(field, value, at)?;
                    own.refer(To::Part, &name, at);
                    Some(name)
                })?)
            }
            Kind::Against => {
                let name = self.words(field, value, at)?;
                if &*name != "floor" {
                    self.refer(To::Collider, &name, at);
                }
                Slot::Text(name)
            }
            Kind::LocatorName => {
                let name = self.words(field, value, at)?;
                self.refer(To::Locator, &name, at);
                Slot::Text(name)
            }
            Kind::BodyName => {
                let name = self.words(field, value, at)?;
                self.refer(To::Body, &name, at);
                Slot::Text(name)
            }
            // The shot and keys are lowered by code of their own.
            Kind::Rate | Kind::Frames | Kind::Anything => return None,
        })
    }

    /// A value of the wrong kind.
    pub(super) fn wrong_type(&mut self, field: &Field, value: &Value, at: &At) {
        let expected = expected(field);
        let help = match (field.kind, value) {
            (Kind::Scalar(_) | Kind::Integer | Kind::Vector(_), Value::Text(text))
                if text.trim().parse::<f64>().is_ok_and(f64::is_finite) =>
            {
                format!("remove the quotes: {}", text.trim())
            }
            (Kind::Switch, Value::Text(text)) if matches!(&**text, "true" | "false") => {
                format!("remove the quotes: {text}")
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

    /// A finite number within the field's range.
    pub(super) fn number(&mut self, field: &Field, value: &Value, at: &At) -> Option<f64> {
        let Value::Number(found) = value else {
            self.wrong_type(field, value, at);
            return None;
        };
        self.in_range(field, *found, at)
    }

    /// The number, if the field allows it.
    fn in_range(&mut self, field: &Field, found: f64, at: &At) -> Option<f64> {
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
        if found.abs() > MAX_VALUE {
            self.wrong(
                Code::OutOfRange,
                at,
                format!("`{name}` is {}, beyond what can be computed with", number(found)),
                format!("nothing larger than {MAX_VALUE:e} is allowed"),
                None,
            );
            return None;
        }
        if !field.range.contains(found) {
            let unit = unit(field).short();
            let range = field.range.words();
            let said = with_unit(found, unit);
            let negative_length = found < 0.0
                && unit == "m"
                && matches!(field.range, Range::POSITIVE | Range::NOT_NEGATIVE);
            let message = if negative_length {
                format!("`{name}` is {said}: a length cannot be negative")
            } else {
                format!("`{name}` is {said}, outside its range")
            };
            self.wrong(
                Code::OutOfRange,
                at,
                message,
                format!("must be {range}"),
                negative_length.then(|| format!("did you mean {}?", number(-found))),
            );
            return None;
        }
        Some(found)
    }

    fn whole(&mut self, field: &Field, value: &Value, at: &At) -> Option<i64> {
        let found = self.number(field, value, at)?;
        if found.fract() != 0.0 || found.abs() > 9_007_199_254_740_992.0 {
            self.wrong(
                Code::NotWhole,
                at,
                format!("`{}` is {}, and must be a whole number", field.name, number(found)),
                "not a whole number".to_owned(),
                Some(format!("write {}", number(found.round().clamp(-9e15, 9e15)))),
            );
            return None;
        }
        Some(found as i64)
    }

    /// Three finite numbers.
    pub(super) fn vector(&mut self, field: &Field, value: &Value, at: &At) -> Option<DVec3> {
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
        if field.direction && vector.try_normalize().is_none() {
            self.wrong(
                Code::NoDirection,
                at,
                format!("`{}` is zero, and points nowhere", field.name),
                "zero has no direction".to_owned(),
                Some("give it a direction, like `[0, 0, -1]` for down".to_owned()),
            );
            return None;
        }
        Some(vector)
    }

    pub(super) fn one_colour(&mut self, field: &Field, value: &Value, at: &At) -> Option<Colour> {
        match value {
            Value::Text(text) => match Colour::from_hex(text) {
                Ok(colour) => Some(colour),
                Err(error) => {
                    self.wrong(
                        Code::BadColour,
                        at,
                        error.to_string(),
                        "not a colour".to_owned(),
                        Some("or `[r, g, b]` with linear parts from 0 to 1".to_owned()),
                    );
                    None
                }
            },
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

    pub(super) fn one_switch(&mut self, field: &Field, value: &Value, at: &At) -> Option<bool> {
        let switch = value.switch();
        if switch.is_none() {
            self.wrong_type(field, value, at);
        }
        switch
    }

    pub(super) fn words(&mut self, field: &Field, value: &Value, at: &At) -> Option<Arc<str>> {
        match value {
            Value::Text(text) => Some(Arc::from(&**text)),
            other => {
                self.wrong_type(field, other, at);
                None
            }
        }
    }

    /// A word that is none of those offered.
    pub(super) fn unknown_choice(
        &mut self,
        name: &str,
        word: &str,
        names: impl Iterator<Item = &'static str> + Clone,
        at: &At,
    ) {
        let help = did_you_mean(word, names.clone()).map_or_else(
            || {
                let all: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
                format!("choose one of {}", all.join(", "))
            },
            |meant| format!("did you mean \"{meant}\"?"),
        );
        self.wrong(
            Code::UnknownChoice,
            at,
            format!("`{name}` cannot be {word:?}"),
            "no such choice".to_owned(),
            Some(help),
        );
    }

    fn list<'v>(&mut self, field: &Field, value: &'v Value, at: &At) -> Option<&'v [Value]> {
        let Value::List(list) = value else {
            self.wrong_type(field, value, at);
            return None;
        };
        self.not_too_many(field.name, list.len(), at).then_some(list)
    }

    /// Whether a list is short enough.
    pub(super) fn not_too_many(&mut self, name: &str, count: usize, at: &At) -> bool {
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
        at: &At,
        count: usize,
    ) -> Option<&'v [Value]> {
        let list = self.list(field, value, at)?;
        if list.len() != count {
            self.wrong_count(field, &count.to_string(), list.len(), at);
            return None;
        }
        Some(list)
    }

    pub(super) fn wrong_count(&mut self, field: &Field, expected: &str, found: usize, at: &At) {
        self.wrong(
            Code::WrongCount,
            at,
            format!("`{}` takes {expected} entries, not {found}", field.name),
            format!("{found} entries"),
            Some(format!("write it like `{}`", super::table::example(field))),
        );
    }

    /// Every element of a list; nothing if one of them fails.
    fn each<T>(
        &mut self,
        list: &[Value],
        at: &At,
        mut lower: impl FnMut(&mut Self, &Value, &At) -> Option<T>,
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
        at: &At,
    ) -> Option<Slot> {
        let Value::List(list) = value else {
            self.wrong(
                Code::WrongType,
                at,
                format!("`{}` is a list of {}s, not {}", field.name, family.noun, value.describe()),
                String::new(),
                Some(format!("put it into brackets: `{} = [{{ … }}]`", field.name)),
            );
            return None;
        };
        if !self.not_too_many(field.name, list.len(), at) {
            return None;
        }
        self.each(list, at, |own, value, at| own.record_of(family, value, at)).map(Slot::Records)
    }

    /// `[[u, value], …]` with `u` rising within 0–1.
    fn along(&mut self, field: &Field, value: &Value, at: &At) -> Option<Vec<(f64, f64)>> {
        let list = self.list(field, value, at)?;
        if list.is_empty() {
            self.wrong_count(field, "at least one", 0, at);
            return None;
        }
        let name = field.name;
        let points = self.each(list, at, |own, value, at| {
            let Some([u, weight]) = value.list() else {
                own.wrong(
                    Code::WrongCount,
                    at,
                    format!("a point of `{name}` is `[u, value]`, not {}", value.describe()),
                    "expected two numbers".to_owned(),
                    Some(format!("write it like `{}`", super::table::example(field))),
                );
                return None;
            };
            let along = Field { range: Range::UNIT, ..*field };
            let u = own.number(&along, u, &at.index(0));
            let weight = own.number(field, weight, &at.index(1));
            Some((u?, weight?))
        })?;
        for (index, pair) in points.windows(2).enumerate() {
            if pair[1].0 <= pair[0].0 {
                let (before, after) = (number(pair[0].0), number(pair[1].0));
                self.wrong(
                    Code::AlongOutOfOrder,
                    &at.index(index + 1),
                    format!("`{name}` does not rise along the rope: {after} follows {before}"),
                    format!("must lie beyond {before}"),
                    Some("put the points in order, each at its own place".to_owned()),
                );
                return None;
            }
        }
        Some(points)
    }

    fn outline(&mut self, field: &Field, value: &Value, at: &At) -> Option<Outline> {
        match value {
            Value::Text(word) => match &**word {
                "round" => Some(Outline::Round),
                "flat" => Some(Outline::Flat),
                _ => {
                    self.unknown_choice(field.name, word, ["round", "flat"].into_iter(), at);
                    None
                }
            },
            Value::List(_) => self.outline_points(field, value, at, true),
            Value::Table(table) => {
                let mut closed = true;
                let mut points = None;
                for (position, (name, value)) in table.iter().enumerate() {
                    let at = at.field(name, position);
                    match name {
                        "points" => points = Some(at),
                        "closed" => {
                            let switch = Field { name: "closed", kind: Kind::Switch, ..*field };
                            closed = self.one_switch(&switch, value, &at)?;
                        }
                        _ => {
                            let help = did_you_mean(name, ["points", "closed"])
                                .map_or("there are points, closed".to_owned(), |meant| {
                                    format!("did you mean `{meant}`?")
                                });
                            self.find(
                                Diagnostic::new(
                                    Code::UnknownField,
                                    format!("a profile has no parameter `{name}`"),
                                )
                                .label(at.name_span(), at.path(), "no such parameter")
                                .help(help),
                            );
                            return None;
                        }
                    }
                }
                match (points, table.get("points")) {
                    (Some(at), Some(points)) => self.outline_points(field, points, &at, closed),
                    _ => {
                        self.wrong_type(field, value, at);
                        None
                    }
                }
            }
            other => {
                self.wrong_type(field, other, at);
                None
            }
        }
    }

    fn outline_points(
        &mut self,
        field: &Field,
        value: &Value,
        at: &At,
        closed: bool,
    ) -> Option<Outline> {
        let list = self.list(field, value, at)?;
        let least = if closed { 3 } else { 2 };
        if list.len() < least {
            self.wrong_count(field, &format!("at least {least}"), list.len(), at);
            return None;
        }
        let corner = Field { name: "a corner of a profile", ..*field };
        let points = self.each(list, at, |own, value, at| {
            let Some([x, y]) = value.list() else {
                own.wrong(
                    Code::WrongCount,
                    at,
                    format!("a corner of `{}` is `[x, y]`, not {}", field.name, value.describe()),
                    "expected two numbers".to_owned(),
                    None,
                );
                return None;
            };
            let x = own.number(&corner, x, &at.index(0));
            let y = own.number(&corner, y, &at.index(1));
            Some(DVec2::new(x?, y?))
        })?;
        Some(Outline::Points { points, closed })
    }

    fn grid(&mut self, field: &Field, value: &Value, at: &At) -> Option<Grid> {
        let Value::List(rows) = value else {
            self.wrong_type(field, value, at);
            return None;
        };
        let columns = rows.first().and_then(Value::list).map_or(0, <[Value]>::len);
        if rows.len() < 2 || columns < 2 {
            self.wrong(
                Code::WrongCount,
                at,
                format!("`{}` needs at least 2 rows of 2 numbers", field.name),
                format!("{} rows of {columns}", rows.len()),
                Some(format!("write it like `{}`", super::table::example(field))),
            );
            return None;
        }
        let most = self.limits.cells;
        let count = (rows.len() as u64).saturating_mul(columns as u64);
        if count > most {
            self.wrong(
                Code::TooManyCells,
                at,
                format!("`{}` has {count} heights, more than the limit of {most}", field.name),
                format!("{} rows of {columns}", rows.len()),
                Some("raise the limit with `--limit cells=N`, or use larger cells".to_owned()),
            );
            return None;
        }
        let mut cells = Vec::with_capacity(rows.len() * columns);
        let mut good = true;
        for (index, row) in rows.iter().enumerate() {
            let at = at.index(index);
            let Value::List(row) = row else {
                self.wrong_type(field, row, &at);
                return None;
            };
            if row.len() != columns {
                self.wrong(
                    Code::RaggedGrid,
                    &at,
                    format!(
                        "row {} of `{}` has {} numbers, the first has {columns}",
                        index + 1,
                        field.name,
                        row.len()
                    ),
                    format!("{} numbers", row.len()),
                    Some("make all rows equally long".to_owned()),
                );
                good = false;
                continue;
            }
            for (column, cell) in row.iter().enumerate() {
                match self.number(field, cell, &at.index(column)) {
                    Some(cell) => cells.push(cell),
                    None => good = false,
                }
            }
        }
        good.then(|| Grid::new(columns, cells))
    }

    pub(super) fn frame_rate(&mut self, value: &Value, at: &At) -> Option<FrameRate> {
        let rate = match value {
            Value::Number(fps) => FrameRate::from_number(*fps).map_err(|error| error.to_string()),
            Value::Text(text) => text.parse::<FrameRate>().map_err(|error| error.to_string()),
            other => Err(format!("a frame rate is a number, not {}", other.describe())),
        };
        match rate {
            Ok(rate) => Some(rate),
            Err(message) => {
                self.wrong(
                    Code::BadFrameRate,
                    at,
                    message,
                    "not a frame rate".to_owned(),
                    Some("write `fps = 24`, or `fps = \"24000/1001\"`".to_owned()),
                );
                None
            }
        }
    }

    pub(super) fn frame_range(&mut self, value: &Value, at: &At) -> Option<(i64, i64)> {
        /// Frames beyond this are no longer whole seconds apart in time.
        const FURTHEST: f64 = 1e9;
        let frames: Option<(f64, f64)> = match value.list() {
            Some([Value::Number(first), Value::Number(last)]) => Some((*first, *last)),
            _ => None,
        };
        let Some((first, last)) = frames else {
            self.wrong(
                Code::WrongType,
                at,
                format!("`frames` takes first and last frame, not {}", value.describe()),
                "expected `[first, last]`".to_owned(),
                Some("write it like `frames = [1, 120]`".to_owned()),
            );
            return None;
        };
        for frame in [first, last] {
            if !frame.is_finite() || frame.abs() > FURTHEST {
                self.wrong(
                    if frame.is_finite() { Code::OutOfRange } else { Code::NotFinite },
                    at,
                    format!("frame {} cannot be played", number(frame)),
                    format!("frames lie between -{FURTHEST:e} and {FURTHEST:e}"),
                    None,
                );
                return None;
            }
            if frame.fract() != 0.0 {
                self.wrong(
                    Code::NotWhole,
                    at,
                    format!("`frames` are whole numbers, and {} is not", number(frame)),
                    "not a whole number".to_owned(),
                    Some(format!("write {}", number(frame.round()))),
                );
                return None;
            }
        }
        if last < first {
            self.wrong(
                Code::BadFrameRange,
                at,
                format!("the shot ends at frame {last}, before it starts at frame {first}"),
                "no frames".to_owned(),
                Some(format!("turn it round: `frames = [{last}, {first}]`")),
            );
            return None;
        }
        let (count, most) = (last - first + 1.0, self.limits.frames);
        if count > most as f64 {
            self.wrong(
                Code::TooManyFrames,
                at,
                format!("the shot has {count} frames, more than the limit of {most}"),
                format!("{count} frames"),
                Some("raise the limit with `--limit frames=N`, or shorten the shot".to_owned()),
            );
            return None;
        }
        Some((first as i64, last as i64))
    }
}

/// What a field expects, in words for a message.
fn expected(field: &Field) -> String {
    match field.kind {
        Kind::Scalar(Unit::Number | Unit::Fraction) => "a number".to_owned(),
        Kind::Scalar(unit) => format!("a number ({})", unit.long()),
        Kind::Integer => "a whole number".to_owned(),
        Kind::Vector(_) => "three numbers `[x, y, z]`".to_owned(),
        Kind::Colour => "a colour".to_owned(),
        Kind::Switch => "`true` or `false`".to_owned(),
        Kind::Text | Kind::Against | Kind::LocatorName | Kind::BodyName => "text".to_owned(),
        Kind::Choice(_) => "one of several words".to_owned(),
        Kind::Anchor => "a point, a locator or a body".to_owned(),
        Kind::Along(_) => "points `[[u, value], …]`".to_owned(),
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

fn unit(field: &Field) -> Unit {
    match field.kind {
        Kind::Scalar(unit)
        | Kind::Vector(unit)
        | Kind::Along(unit)
        | Kind::Grid(unit)
        | Kind::Scalars(_, unit)
        | Kind::Vectors(_, unit) => unit,
        _ => Unit::Number,
    }
}

/// A number with its unit: "-3 m", "20°", "0.5".
pub(super) fn with_unit(found: f64, unit: &str) -> String {
    match unit {
        "" => number(found),
        "°" => format!("{}°", number(found)),
        unit => format!("{} {unit}", number(found)),
    }
}
