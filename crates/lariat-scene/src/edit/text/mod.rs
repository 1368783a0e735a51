//! Text form of edits: one line, stable, and exact.
//!
//! It is the form of journals and bug reports. Values are written like those of a document:
//!
//! ```text
//! set body.rein.length = 4.5
//! unset body.rein.sway
//! restore body[0].length at 3 = nan
//! insert body[0].waves at 1 = { height = 0.1, ripples = 3 }
//! remove body at 2
//! move body from 2 to 0
//! rename body "rein" to "left rein"
//! key body.rein.swing at 24 = 40
//! unkey body.rein.swing at 24
//! batch { set shot.fps = 25; unset body.rein.sway }
//! ```
//!
//! Numbers read back with the same bits. NaN is `nan`; one with other bits than the usual is
//! `nan:` and its 16 hexadecimal digits. The document itself, which no edit accepts, is `.`.
//! Tables keep the order of their fields.
//!
//! ```text
//! mod.rs    edit -> text
//! parse.rs  text -> edit, or the column of the error
//! ```
//!
//! Tests: `every_kind_of_edit_is_readable`, `any_edit_reads_back`, `numbers_read_back_bit_for_bit`,
//! `any_text_is_rejected_or_reads_back`, `a_cut_or_damaged_text_does_not_panic`.

mod parse;
#[cfg(test)]
mod tests;

use std::fmt;

pub(crate) use parse::escape;
pub use parse::{EditTextError, unquote};

use super::Edit;
use crate::{
    format::{number, quote},
    path::{Path, is_plain},
    value::Value,
};

/// Maximum length of the text of an edit, in bytes. The text of the largest document that is read by
/// default fits.
pub const MAX_EDIT_TEXT: usize = 256 << 20;

/// Maximum nesting of batches in the text of an edit.
pub const MAX_BATCH_DEPTH: usize = 32;

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Set { path, value } => write!(f, "set {} = {}", Place(path), Inline(value)),
            Self::Unset { path } => write!(f, "unset {}", Place(path)),
            Self::Restore { path, position, value } => {
                write!(f, "restore {} at {position} = {}", Place(path), Inline(value))
            }
            Self::Insert { list, index, value } => {
                write!(f, "insert {} at {index} = {}", Place(list), Inline(value))
            }
            Self::Remove { list, index } => write!(f, "remove {} at {index}", Place(list)),
            Self::Move { list, from, to } => write!(f, "move {} from {from} to {to}", Place(list)),
            Self::Rename { thing, from, to } => {
                write!(f, "rename {thing} {} to {}", Quoted(from), Quoted(to))
            }
            Self::SetKey { channel, frame, value } => {
                let frame = exact(*frame);
                write!(f, "key {} at {frame} = {}", Place(channel), Inline(value))
            }
            Self::RemoveKey { channel, frame } => {
                write!(f, "unkey {} at {}", Place(channel), exact(*frame))
            }
            Self::Batch(edits) if edits.is_empty() => f.write_str("batch {}"),
            Self::Batch(edits) => {
                for (i, edit) in edits.iter().enumerate() {
                    f.write_str(if i == 0 { "batch { " } else { "; " })?;
                    write!(f, "{edit}")?;
                }
                f.write_str(" }")
            }
        }
    }
}

/// Number that reads back with the same bits, also if it is NaN.
fn exact(x: f64) -> String {
    match x.is_nan() && x.to_bits() != f64::NAN.to_bits() {
        true => format!("nan:{:016x}", x.to_bits()),
        false => number(x),
    }
}

/// A path; the document itself is a dot.
struct Place<'p>(&'p Path);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.steps().is_empty() {
            true => f.write_str("."),
            false => write!(f, "{}", self.0),
        }
    }
}

/// A text in quotes.
struct Quoted<'t>(&'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::with_capacity(self.0.len() + 2);
        quote(&mut out, self.0);
        f.write_str(&out)
    }
}

/// A value on one line, with the fields of tables in their own order.
struct Inline<'v>(&'v Value);

impl fmt::Display for Inline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Number(x) => f.write_str(&exact(*x)),
            Value::Text(text) => write!(f, "{}", Quoted(text)),
            Value::Switch(switch) => write!(f, "{switch}"),
            Value::List(list) => {
                f.write_str("[")?;
                for (i, value) in list.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { ", " })?;
                    write!(f, "{}", Inline(value))?;
                }
                f.write_str("]")
            }
            Value::Table(table) if table.is_empty() => f.write_str("{}"),
            Value::Table(table) => {
                for (i, (name, value)) in table.iter().enumerate() {
                    f.write_str(if i == 0 { "{ " } else { ", " })?;
                    match is_plain(name) {
                        true => f.write_str(name)?,
                        false => write!(f, "{}", Quoted(name))?,
                    }
                    write!(f, " = {}", Inline(value))?;
                }
                f.write_str(" }")
            }
        }
    }
}
