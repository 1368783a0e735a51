//! The `.lariat` document format: reading, checking, editing and writing.
//!
//! A document is a TOML file, written by hand or by programs. This crate reads it with the positions
//! of all values, reports diagnostics, applies edits, and writes it back with its comments.
//! `lariat-eval` evaluates the document; this crate has no geometry.
//!
//! ```text
//! value, path, document   tree of values, and paths in it
//! place, limits           positions in the file; limits on the size of a document
//! format/                 text -> Document and Places; Document -> text, also as a patch of a file
//! schema/                 table of models, records and parameters, the source of all others
//! lower/                  Document -> Lowered: typed parameters with resolved names and defaults
//! check/                  diagnostics with code, place, numbers and help; a page for each code
//! edit/                   edits as data, with inverses and the things they touch
//! ```
//!
//! A tour:
//!
//! ```
//! use lariat_scene::{Edit, Limits, check, format, schema};
//!
//! let text = r#"
//! lariat = 2
//!
//! [[body]]
//! name   = "rein"            # held by the bit
//! model  = "suspended-rope"
//! from   = [0, 0, 2]
//! to     = { keys = [[1, [3, 0, 1.2]], [40, [3.4, 0.2, 1.6]]] }
//! length = 4.2
//! waves  = [{ height = 0.08, ripples = 3, travel = 0.5 }]
//! "#;
//!
//! // Read, lower and check the document. It has no diagnostics.
//! let checked = check::check(text.as_bytes(), &Limits::DEFAULT);
//! assert!(checked.diagnostics.is_empty());
//! let content = checked.content.unwrap();
//!
//! // Parameters have technical names, resolved plain names, and defaults.
//! let rein = &content.lowered.bodies[0];
//! assert_eq!(rein.kind(), "suspended-rope");
//! assert_eq!(rein.records("waves")[0].scalar("magnitude").unwrap().at(0.0), 0.08);
//! assert_eq!(rein.integer("samples"), Some(49));
//!
//! // Edit the document and patch the text: only the changed value is replaced.
//! let mut document = content.document;
//! let edit = Edit::Set { path: "body.rein.length".parse()?, value: 4.5.into() };
//! let applied = document.apply(&edit)?;
//! assert_eq!(format::patch(&document, text), text.replace("4.2", "4.5"));
//! document.apply(&applied.inverse)?;
//! assert_eq!(format::patch(&document, text), text);
//!
//! // Documentation of a record type.
//! assert!(schema::page(rein.record_type()).contains("Length of the rope, in metres."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate does no I/O and does not panic on any document.

pub mod check;
mod document;
pub mod edit;
pub mod format;
mod limits;
pub mod lower;
mod path;
mod place;
mod printable;
pub mod schema;
#[cfg(test)]
mod testing;
mod value;

pub use document::{Document, Thing};
pub use edit::{Applied, Edit, EditError, Touched};
pub use limits::{LimitRow, Limits};
pub use path::{Path, PathError, Step};
pub use place::{Places, Span, line_and_column};
pub use printable::{printable, printable_source};
pub use value::{MAX_DEPTH, Table, Value};
