//! Reader of `.modes` files.

use std::borrow::Cow;

use lariat_core::geometry::Look;
use lariat_core::modes::{Mode, ModeSet, ModeSetError, Origin, Part, PartKind, Pole};
use lariat_core::motion::FrameRate;
use num_complex::Complex64;

use super::VERSION;
use crate::json::{Json, JsonError, Value};

/// Error of reading a `.modes` file.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum ModeFileError {
    /// Invalid JSON.
    #[error("line {line}, column {column}: invalid JSON: {what}")]
    NotJson {
        /// Line number, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// Message of the JSON parser.
        what: String,
    },
    /// JSON that is not a mode file.
    #[error("not a `.modes` file: it has no `lariat-modes` version")]
    NotModes,
    /// A newer version of the format.
    #[error(
        "the file has version {version}, but this program supports up to {VERSION}; use a newer \
         Lariat"
    )]
    Newer {
        /// Version of the file.
        version: u64,
    },
    /// A value of the wrong type.
    #[error("`{place}`: expected {expected}, found {found}")]
    Unexpected {
        /// Path of the value: `modes[2].weights[17]`.
        place: String,
        /// Expected value.
        expected: String,
        /// Value found.
        found: String,
    },
    /// Inconsistent numbers.
    #[error(transparent)]
    Set(#[from] ModeSetError),
}

/// Reads a `.modes` file.
pub fn read(bytes: &[u8]) -> Result<ModeSet, ModeFileError> {
    let json = Json::read(bytes).map_err(|JsonError { line, column, what }| {
        ModeFileError::NotJson { line, column, what }
    })?;
    match json.root().get("lariat-modes").and_then(Value::unsigned) {
        None | Some(0) => return Err(ModeFileError::NotModes),
        Some(version) if version > VERSION => return Err(ModeFileError::Newer { version }),
        Some(_) => {}
    }
    let file = Place { value: Some(json.root()), step: Step::Top };
    let rate = file.get("rate");
    let origin = Origin {
        rate: rate
            .text()?
            .parse::<FrameRate>()
            .map_err(|_| rate.unexpected("a frame rate such as \"24\""))?,
        first: file.get("first").whole()?,
        margin: file.get("margin").count()?,
        periodic: file.get("periodic").boolean()?,
        rms: file.get("rms").number()?,
        worst: file.get("worst").number()?,
    };
    let parts = file.get("parts").collect(|place| part(&place))?;
    let mean = file.get("mean").collect(|point| point.row::<3>())?.into_flattened();
    let modes = file.get("modes").collect(|place| mode(&place))?;
    Ok(ModeSet::new(origin, parts, mean, modes)?)
}

fn part(place: &Place<'_>) -> Result<Part, ModeFileError> {
    let whole = |name: &str| {
        place.get(name).collect(|item| {
            let count = item.count()?;
            u32::try_from(count).map_err(|_| item.unexpected("a 32-bit number"))
        })
    };
    let numbers = |name: &str| place.get(name).collect(|item| item.number());
    let kind = place.get("kind");
    let kind = match &*kind.text()? {
        "strand" => {
            let look = place.get("material");
            PartKind::Strand {
                closed: place.get("closed").boolean()?,
                radius: numbers("radius")?,
                twist: numbers("twist")?,
                look: match look.value.is_none_or(Value::is_null) {
                    true => None,
                    false => {
                        Some(Look { name: look.text()?.into(), colour: place.get("colour").row()? })
                    }
                },
            }
        }
        "mesh" => PartKind::Mesh { counts: whole("counts")?, corners: whole("corners")? },
        _ => return Err(kind.unexpected("\"strand\" or \"mesh\"")),
    };
    let (name, points) = (place.get("name").text()?.into_owned(), place.get("points").count()?);
    Ok(Part { name, points, kind })
}

fn mode(place: &Place<'_>) -> Result<Mode, ModeFileError> {
    let number = |name: &str| place.get(name).number();
    let weights = place.get("weights").collect(|point| {
        let [a, b, c, d, e, f] = point.row()?;
        Ok([Complex64::new(a, b), Complex64::new(c, d), Complex64::new(e, f)])
    })?;
    let course = place.get("course").collect(|frame| {
        let [re, im] = frame.row()?;
        Ok(Complex64::new(re, im))
    })?;
    Ok(Mode {
        weights: weights.into_flattened(),
        pole: Pole { hertz: number("hertz")?, decay: number("decay")? },
        sigma: number("sigma")?,
        share: number("share")?,
        residual: number("missing")?,
        gauge: number("gauge")?,
        coefficients: course,
    })
}

/// A value and its path.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// `None` if it is missing.
    value: Option<Value<'a>>,
    step: Step<'a>,
}

/// Last step of a path.
#[derive(Clone, Copy)]
enum Step<'a> {
    Top,
    Field(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

impl<'a> Place<'a> {
    fn name(&self) -> String {
        match self.step {
            Step::Top => String::new(),
            Step::Field(up, name) => match up.name() {
                parent if parent.is_empty() => name.to_owned(),
                parent => format!("{parent}.{name}"),
            },
            Step::Item(up, index) => format!("{}[{index}]", up.name()),
        }
    }

    fn unexpected(&self, expected: &str) -> ModeFileError {
        let found = match self.value {
            None => "nothing".to_owned(),
            Some(value) if value.is_null() => "nothing".to_owned(),
            Some(value) if value.is_object() => "an object".to_owned(),
            Some(value) => match (value.items(), value.text()) {
                (Some(items), _) => format!("a list of {}", items.count()),
                (None, Some(text)) => format!("\"{}\"", text.chars().take(40).collect::<String>()),
                (None, None) => value.raw().to_owned(),
            },
        };
        ModeFileError::Unexpected { place: self.name(), expected: expected.to_owned(), found }
    }

    fn get<'b>(&'b self, name: &'b str) -> Place<'b> {
        let value = self.value.and_then(|value| value.get(name));
        Place { value, step: Step::Field(self, name) }
    }

    /// Converts all items of a list.
    fn collect<T>(
        &self,
        convert: impl Fn(Place<'_>) -> Result<T, ModeFileError>,
    ) -> Result<Vec<T>, ModeFileError> {
        let items = || self.value.and_then(Value::items);
        let count = items().ok_or_else(|| self.unexpected("a list"))?.count();
        let mut all = Vec::new();
        for (index, value) in items().into_iter().flatten().enumerate() {
            all.push(convert(Place { value: Some(value), step: Step::Item(self, index) })?);
            // Not before the first is valid, so that other content does not take memory.
            all.reserve_exact(count - all.len());
        }
        Ok(all)
    }

    fn number(&self) -> Result<f64, ModeFileError> {
        self.value.and_then(Value::number).ok_or_else(|| self.unexpected("a number"))
    }

    fn row<const N: usize>(&self) -> Result<[f64; N], ModeFileError> {
        let wrong = || self.unexpected(&format!("a list of {N} numbers"));
        let mut items = self.value.and_then(Value::items).ok_or_else(wrong)?;
        let mut row = [0.0; N];
        for place in &mut row {
            *place = items.next().and_then(Value::number).ok_or_else(wrong)?;
        }
        if items.next().is_some() {
            return Err(wrong());
        }
        Ok(row)
    }

    fn whole(&self) -> Result<i64, ModeFileError> {
        self.value.and_then(Value::whole).ok_or_else(|| self.unexpected("a whole number"))
    }

    fn count(&self) -> Result<usize, ModeFileError> {
        let count = self.value.and_then(Value::unsigned);
        let count = count.and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| self.unexpected("a whole number, 0 or more"))
    }

    fn text(&self) -> Result<Cow<'a, str>, ModeFileError> {
        self.value.and_then(Value::text).ok_or_else(|| self.unexpected("a string"))
    }

    fn boolean(&self) -> Result<bool, ModeFileError> {
        self.value.and_then(Value::boolean).ok_or_else(|| self.unexpected("true or false"))
    }
}
