//! Reader of `.modes` files.

use lariat_core::geometry::Look;
use lariat_core::modes::{Mode, ModeSet, ModeSetError, Origin, Part, PartKind, Pole};
use lariat_core::motion::FrameRate;
use num_complex::Complex64;
use serde_json::Value;

use super::VERSION;

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
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        let text = error.to_string();
        let what = text.split(" at line ").next().unwrap_or_default().to_owned();
        ModeFileError::NotJson { line: error.line(), column: error.column(), what }
    })?;
    match value.get("lariat-modes").and_then(Value::as_u64) {
        None | Some(0) => return Err(ModeFileError::NotModes),
        Some(version) if version > VERSION => return Err(ModeFileError::Newer { version }),
        Some(_) => {}
    }
    let file = Place { value: &value, name: String::new() };
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
    let parts = file.get("parts").items()?.iter().map(part).collect::<Result<_, _>>()?;
    let mut mean = Vec::new();
    for point in file.get("mean").items()? {
        mean.extend(point.row::<3>()?);
    }
    let modes = file.get("modes").items()?.iter().map(mode).collect::<Result<_, _>>()?;
    Ok(ModeSet::new(origin, parts, mean, modes)?)
}

fn part(place: &Place<'_>) -> Result<Part, ModeFileError> {
    let whole = |name: &str| {
        let each = |item: &Place<'_>| {
            let count = item.count()?;
            u32::try_from(count).map_err(|_| item.unexpected("a 32-bit number"))
        };
        place.get(name).items()?.iter().map(each).collect::<Result<Vec<u32>, _>>()
    };
    let numbers = |name: &str| {
        place.get(name).items()?.iter().map(Place::number).collect::<Result<Vec<f64>, _>>()
    };
    let kind = place.get("kind");
    let kind = match kind.text()? {
        "strand" => {
            let look = place.get("material");
            PartKind::Strand {
                closed: place.get("closed").boolean()?,
                radius: numbers("radius")?,
                twist: numbers("twist")?,
                look: match look.value {
                    Value::Null => None,
                    _ => {
                        Some(Look { name: look.text()?.into(), colour: place.get("colour").row()? })
                    }
                },
            }
        }
        "mesh" => PartKind::Mesh { counts: whole("counts")?, corners: whole("corners")? },
        _ => return Err(kind.unexpected("\"strand\" or \"mesh\"")),
    };
    let (name, points) = (place.get("name").text()?.to_owned(), place.get("points").count()?);
    Ok(Part { name, points, kind })
}

fn mode(place: &Place<'_>) -> Result<Mode, ModeFileError> {
    let number = |name: &str| place.get(name).number();
    let mut weights = Vec::new();
    for point in place.get("weights").items()? {
        let row = point.row::<6>()?;
        weights.extend(row.chunks_exact(2).map(|pair| Complex64::new(pair[0], pair[1])));
    }
    let mut course = Vec::new();
    for frame in place.get("course").items()? {
        let [re, im] = frame.row()?;
        course.push(Complex64::new(re, im));
    }
    Ok(Mode {
        weights,
        pole: Pole { hertz: number("hertz")?, decay: number("decay")? },
        sigma: number("sigma")?,
        share: number("share")?,
        residual: number("missing")?,
        gauge: number("gauge")?,
        coefficients: course,
    })
}

/// A value and its path.
struct Place<'a> {
    value: &'a Value,
    name: String,
}

impl<'a> Place<'a> {
    fn unexpected(&self, expected: &str) -> ModeFileError {
        let found = match self.value {
            Value::Null => "nothing".to_owned(),
            Value::Array(items) => format!("a list of {}", items.len()),
            Value::Object(_) => "an object".to_owned(),
            Value::String(text) => format!("\"{}\"", text.chars().take(40).collect::<String>()),
            plain => plain.to_string(),
        };
        let place = self.name.trim_start_matches('.').to_owned();
        ModeFileError::Unexpected { place, expected: expected.to_owned(), found }
    }

    fn get(&self, name: &str) -> Self {
        // A missing value is treated as null, which is never valid.
        let value = self.value.get(name).unwrap_or(&Value::Null);
        Self { value, name: format!("{}.{name}", self.name) }
    }

    fn items(&self) -> Result<Vec<Self>, ModeFileError> {
        let Value::Array(items) = self.value else { return Err(self.unexpected("a list")) };
        let item = |(i, value)| Self { value, name: format!("{}[{i}]", self.name) };
        Ok(items.iter().enumerate().map(item).collect())
    }

    fn number(&self) -> Result<f64, ModeFileError> {
        self.value.as_f64().ok_or_else(|| self.unexpected("a number"))
    }

    fn row<const N: usize>(&self) -> Result<[f64; N], ModeFileError> {
        let wrong = || self.unexpected(&format!("a list of {N} numbers"));
        let Value::Array(items) = self.value else { return Err(wrong()) };
        let mut row = [0.0; N];
        if items.len() != N {
            return Err(wrong());
        }
        for (place, item) in row.iter_mut().zip(items) {
            *place = item.as_f64().ok_or_else(wrong)?;
        }
        Ok(row)
    }

    fn whole(&self) -> Result<i64, ModeFileError> {
        self.value.as_i64().ok_or_else(|| self.unexpected("a whole number"))
    }

    fn count(&self) -> Result<usize, ModeFileError> {
        let count = self.value.as_u64().and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| self.unexpected("a whole number, 0 or more"))
    }

    fn text(&self) -> Result<&'a str, ModeFileError> {
        self.value.as_str().ok_or_else(|| self.unexpected("a string"))
    }

    fn boolean(&self) -> Result<bool, ModeFileError> {
        self.value.as_bool().ok_or_else(|| self.unexpected("true or false"))
    }
}
