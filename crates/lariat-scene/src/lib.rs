//! The `.lariat` document: plain data, and everything that can be done with it but drawing it.

#![allow(missing_docs)]
pub mod check;
mod document;
pub mod edit;
pub mod format;
mod limits;
pub mod lower;
mod path;
mod place;
pub mod schema;
#[cfg(test)]
mod testing;
mod value;

pub use document::{Document, Thing};
pub use edit::{Applied, Edit, EditError, Touched};
pub use limits::{LimitRow, Limits};
pub use path::{NotAPath, Path, Step};
pub use place::{Places, Span, line_and_column};
pub use value::{DEEPEST, Table, Value};
