//! The `.lariat` document: plain data, and everything that can be done with it but drawing it.
//!
//! A document is a TOML file that people write by hand and programs write for them. This crate
//! reads it and remembers where everything stands, tells everything that is wrong with it,
//! changes it, and writes it back without losing a comment. What the words look like in the end
//! is `lariat-eval`'s business; nothing here knows a curve.
//!
//! ```text
//! value, path, document   the tree: numbers, words, switches, lists, tables; addresses in it
//! place, limits           where in the file it stands; how much a document may ask for
//! format/                 text -> Document + Places; Document -> text, also over an old file
//! schema/                 the one table of models, records and parameters; all else derives
//! lower/                  Document -> Lowered: typed parameters, names resolved, defaults in
//! check/                  diagnostics with code, place, numbers and way out; a page for each code
//! edit/                   edits as data, with their inverses and what they touch
//! ```
//!
//! A tour:
//!
//! ```
//! use lariat_scene::{Edit, Limits, check, format, schema};
//!
//! let text = r#"
//! lariat = 1
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
//! // Read, make sense of it, and hear everything that is wrong. Here: nothing.
//! let checked = check::check(text.as_bytes(), &Limits::DEFAULT);
//! assert!(checked.diagnostics.is_empty());
//! let content = checked.content.unwrap();
//!
//! // Parameters come by technical name, plain words resolved, defaults filled in.
//! let rein = &content.lowered.bodies[0];
//! assert_eq!(rein.kind(), "suspended-rope");
//! assert_eq!(rein.records("waves")[0].scalar("magnitude").unwrap().at(0.0), 0.08);
//! assert_eq!(rein.integer("samples"), Some(49));
//!
//! // Change it, and write it over the file: only the changed bytes change.
//! let mut document = content.document;
//! let edit = Edit::Set { path: "body.rein.length".parse()?, value: 4.5.into() };
//! let applied = document.apply(&edit)?;
//! assert_eq!(format::write_over(&document, text), text.replace("4.2", "4.5"));
//! document.apply(&applied.inverse)?;
//! assert_eq!(format::write_over(&document, text), text);
//!
//! // What a parameter is, for people.
//! assert!(schema::page(rein.record_type()).contains("How long the rope is."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here prints, reads files or the clock, or panics on what a document says.

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
