//! Streaming writer for JSON results.
//!
//! Results can be large, so every value is written immediately. Commas and brackets are inserted
//! automatically.
//!
//! ```text
//! let mut json = Json::new(&mut out);
//! json.object(|json| {
//!     json.field("name", "rein")?;
//!     json.list("points", points, |json, point| json.numbers(point))
//! })?;
//! ```
//!
//! Tests: `a_written_document_reads_back`.

use std::io::{self, Write};

/// Writes JSON to a stream.
pub(crate) struct Json<'w> {
    out: &'w mut dyn Write,
    /// Whether the next value in the innermost brackets follows another.
    follows: bool,
}

/// A scalar value.
pub(crate) trait Scalar {
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;
}

impl Scalar for str {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(out, self).map_err(io::Error::from)
    }
}

impl Scalar for String {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.as_str().write(out)
    }
}

/// Shortest text that reads back as the same bits; `null` for NaN and infinities.
impl Scalar for f64 {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.is_finite() { write!(out, "{self}") } else { out.write_all(b"null") }
    }
}

macro_rules! displayed {
    ($($type:ty)*) => {
        $(impl Scalar for $type {
            fn write(&self, out: &mut dyn Write) -> io::Result<()> {
                write!(out, "{self}")
            }
        })*
    };
}

displayed! { bool i64 u64 usize }

impl<T: Scalar + ?Sized> Scalar for &T {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        (**self).write(out)
    }
}

/// `None` is `null`.
impl<T: Scalar> Scalar for Option<T> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Some(value) => value.write(out),
            None => out.write_all(b"null"),
        }
    }
}

impl<'w> Json<'w> {
    pub(crate) fn new(out: &'w mut dyn Write) -> Self {
        Self { out, follows: false }
    }

    /// A value on its own, or the next of a list.
    pub(crate) fn value(&mut self, value: impl Scalar) -> io::Result<()> {
        self.comma()?;
        value.write(self.out)
    }

    /// The next field of an object.
    pub(crate) fn field(&mut self, name: &str, value: impl Scalar) -> io::Result<()> {
        self.name(name)?;
        value.write(self.out)?;
        self.follows = true;
        Ok(())
    }

    /// An object on its own, or the next of a list.
    pub(crate) fn object(
        &mut self,
        fields: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.comma()?;
        self.within("{", "}", fields)
    }

    /// The next field of an object: an object.
    pub(crate) fn nested(
        &mut self,
        name: &str,
        fields: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.name(name)?;
        self.within("{", "}", fields)
    }

    /// The next field of an object: a list with one entry for each item.
    pub(crate) fn list<I: IntoIterator>(
        &mut self,
        name: &str,
        items: I,
        mut entry: impl FnMut(&mut Self, I::Item) -> io::Result<()>,
    ) -> io::Result<()> {
        self.name(name)?;
        self.within("[", "]", |json| items.into_iter().try_for_each(|item| entry(json, item)))
    }

    /// The next entry of a list: a list of numbers.
    pub(crate) fn numbers(&mut self, numbers: impl IntoIterator<Item = f64>) -> io::Result<()> {
        self.comma()?;
        self.within("[", "]", |json| numbers.into_iter().try_for_each(|number| json.value(number)))
    }

    /// Writes a newline.
    pub(crate) fn newline(&mut self) -> io::Result<()> {
        self.out.write_all(b"\n")
    }

    fn name(&mut self, name: &str) -> io::Result<()> {
        self.comma()?;
        name.write(self.out)?;
        self.out.write_all(b":")
    }

    fn comma(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.follows, true) {
            self.out.write_all(b",")?;
        }
        Ok(())
    }

    fn within(
        &mut self,
        open: &str,
        close: &str,
        fill: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.out.write_all(open.as_bytes())?;
        self.follows = false;
        fill(self)?;
        self.out.write_all(close.as_bytes())?;
        self.follows = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_document_reads_back() {
        let mut out = Vec::new();
        let mut json = Json::new(&mut out);
        json.object(|json| {
            json.field("name", "a \"rein\"\n\u{1b}")?;
            json.field("slack", None::<f64>)?;
            json.list("points", [[0.1, -0.0, 1e300]; 2], Json::numbers)?;
            json.list("none", [""; 0], Json::value)?;
            json.field("visible", true)?;
            json.list("bodies", 0..2_u64, |json, index| {
                json.object(|json| json.field("index", index))
            })
        })
        .unwrap();
        json.newline().unwrap();
        let read: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(
            read,
            serde_json::json!({
                "name": "a \"rein\"\n\u{1b}",
                "slack": null,
                "points": [[0.1, -0.0, 1e300], [0.1, -0.0, 1e300]],
                "none": [],
                "visible": true,
                "bodies": [{ "index": 0 }, { "index": 1 }],
            })
        );
    }

    #[test]
    fn nan_and_infinity_are_null() {
        let mut out = Vec::new();
        Json::new(&mut out).numbers([f64::NAN, f64::INFINITY, 0.5]).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "[null,null,0.5]");
    }
}
