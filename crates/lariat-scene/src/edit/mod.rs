//! Edits of a document, as data.
//!
//! An [`Edit`] can be stored, sent, replayed and undone. Applying one returns its inverse and the
//! things that must be evaluated again. A failed edit leaves the document unchanged and returns the
//! reason.
//!
//! ```text
//! apply.rs     basic edits: set, unset, restore, insert, remove, move
//! keys.rs      setting and removing keys
//! rename.rs    renaming, including all references
//! touched.rs   things that must be evaluated again
//! text/        edits as text, one line each
//! ```
//!
//! ```
//! use lariat_scene::{format, Edit, Value};
//!
//! let text = "lariat = 2\n[[body]]\nname = \"rein\"\nlength = 4.2 # metres\n";
//! let mut document = format::read(text).unwrap().document;
//! let edit = Edit::Set { path: "body.rein.length".parse()?, value: Value::from(5.0) };
//!
//! let applied = document.apply(&edit)?;
//! assert_eq!(format::patch(&document, text), text.replace("4.2", "5"));
//! assert_eq!(applied.touched.bodies, ["rein"]);
//!
//! document.apply(&applied.inverse)?;
//! assert_eq!(format::patch(&document, text), text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod keys;
mod rename;
#[cfg(test)]
mod tests;
mod text;
mod touched;

pub(crate) use apply::place;
pub(crate) use text::escape;
pub use text::{EditTextError, MAX_BATCH_DEPTH, MAX_EDIT_TEXT, unquote};
pub use touched::{FrameSpan, Touched};

use crate::{
    document::{Document, Thing},
    path::Path,
    value::Value,
};

/// A change of a document.
///
/// Paths may refer to things by name (`body.rein.length`) or by index, and to parameters by their
/// plain or technical name (`height` finds an existing `magnitude`).
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Sets a field or an element of a list. Its parent must exist.
    Set {
        /// The field or element.
        path: Path,
        /// Its new value.
        value: Value,
    },
    /// Removes a field; it then has its default.
    Unset {
        /// The field.
        path: Path,
    },
    /// Restores a field at its old position: the inverse of [`Edit::Unset`]. If the field or element
    /// exists, its value is replaced. Unlike `Set`, it accepts numbers that are not finite, because a
    /// file can contain them.
    Restore {
        /// The field, or an existing element of a list.
        path: Path,
        /// Number of fields before it; at the end if there are fewer.
        position: usize,
        /// Its value.
        value: Value,
    },
    /// Inserts a value into a list before the element `index`, or at the end if `index` is the
    /// length. Creates the list if it does not exist.
    Insert {
        /// The list.
        list: Path,
        /// Index of the new element.
        index: usize,
        /// New element.
        value: Value,
    },
    /// Removes an element of a list.
    Remove {
        /// The list.
        list: Path,
        /// Index of the element.
        index: usize,
    },
    /// Moves an element within a list.
    Move {
        /// The list.
        list: Path,
        /// Current index.
        from: usize,
        /// New index.
        to: usize,
    },
    /// Renames a body, locator, collider or camera, including all references to it.
    Rename {
        /// Kind of the thing.
        thing: Thing,
        /// Old name.
        from: String,
        /// New name; must be unique among things of its kind.
        to: String,
    },
    /// Sets the value of a parameter at a frame. An existing key on that frame keeps its other
    /// settings; otherwise a key is added. A constant or missing parameter becomes keyed, with this
    /// key as its only one.
    SetKey {
        /// The parameter.
        channel: Path,
        /// The frame; fractions are allowed.
        frame: f64,
        /// The value at that frame.
        value: Value,
    },
    /// Removes the key of a parameter at a frame. A parameter that loses its only key becomes
    /// constant, with that key's value.
    RemoveKey {
        /// The parameter.
        channel: Path,
        /// The frame of the key.
        frame: f64,
    },
    /// Several edits in order; either all of them are applied or none.
    Batch(Vec<Edit>),
}

/// Result of an edit.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// The inverse edit.
    pub inverse: Edit,
    /// Things that must be evaluated again.
    pub touched: Touched,
}

/// Error of an edit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// A step of the path does not exist.
    #[error("there is no `{path}`{}", or_did_you_mean(suggestion.as_deref()))]
    NotThere {
        /// The path up to the first step that does not exist.
        path: Path,
        /// A similar name.
        suggestion: Option<String>,
    },
    /// A field of a value that is not a table.
    #[error("`{path}` is {found}, which has no fields")]
    NotATable {
        /// Path of the value.
        path: Path,
        /// Description of the value.
        found: String,
    },
    /// An element of a value that is not a list.
    #[error("`{path}` is {found}, not a list")]
    NotAList {
        /// Path of the value.
        path: Path,
        /// Description of the value.
        found: String,
    },
    /// An index past the end of a list.
    #[error("index {index} is out of range: `{list}` has {length} entries")]
    BeyondEnd {
        /// The list.
        list: Path,
        /// The requested index.
        index: usize,
        /// Length of the list.
        length: usize,
    },
    /// The path is the document itself.
    #[error("cannot set the whole document: name a field, like `shot.fps`")]
    Whole,
    /// A number that is NaN or infinite.
    #[error("`{path}` cannot be {number}: numbers must be finite")]
    NotFinite {
        /// Path of the value.
        path: Path,
        /// The number.
        number: f64,
    },
    /// The value would be nested too deeply.
    #[error("`{path}` would be nested {depth} levels deep; the maximum is {deepest}")]
    TooDeep {
        /// Path of the value.
        path: Path,
        /// Resulting depth.
        depth: usize,
        /// Maximum depth.
        deepest: usize,
    },
    /// The format version cannot be changed.
    #[error("the format version is {version} and cannot be {found}")]
    Version {
        /// Description of the new value.
        found: String,
        /// Current format version.
        version: u32,
    },
    /// The name already exists.
    #[error("there is already a {thing} named `{name}`")]
    NameTaken {
        /// Kind of the thing.
        thing: Thing,
        /// The name.
        name: String,
    },
    /// The name does not exist.
    #[error("there is no {thing} named `{name}`{}", or_did_you_mean(suggestion.as_deref()))]
    NoSuchName {
        /// Kind of the thing.
        thing: Thing,
        /// The name.
        name: String,
        /// A similar name.
        suggestion: Option<String>,
    },
    /// The name is empty or white space.
    #[error("a name cannot be blank")]
    BlankName,
    /// The path is not a parameter, or its parameter cannot be keyed.
    #[error("`{path}` cannot be keyed: {why}")]
    CannotBeKeyed {
        /// The path.
        path: Path,
        /// Reason.
        why: String,
    },
    /// The parameter has no keys.
    #[error("`{path}` is {found} and has no keys")]
    NoKeys {
        /// The parameter.
        path: Path,
        /// Description of the value.
        found: String,
    },
    /// There is no key on this frame.
    #[error("`{path}` has no key on frame {frame}; the nearest is on frame {nearest}")]
    NoKeyThere {
        /// The parameter.
        path: Path,
        /// The requested frame.
        frame: f64,
        /// The frame of the nearest key.
        nearest: f64,
    },
    /// An edit of a batch failed; none was applied.
    #[error("edit {} of the batch: {error}", index + 1)]
    InBatch {
        /// Index of the edit, from 0.
        index: usize,
        /// Its error.
        error: Box<EditError>,
    },
}

fn or_did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

impl Document {
    /// Applies an edit; returns its inverse and the things it touched. On an error the document is
    /// unchanged.
    pub fn apply(&mut self, edit: &Edit) -> Result<Applied, EditError> {
        match edit {
            Edit::Set { .. }
            | Edit::Unset { .. }
            | Edit::Restore { .. }
            | Edit::Insert { .. }
            | Edit::Remove { .. }
            | Edit::Move { .. } => apply::apply(self, edit),
            Edit::Rename { thing, from, to } => {
                let batch = rename::edits(self, *thing, from, to)?;
                self.apply(&batch)
            }
            Edit::SetKey { channel, frame, value } => {
                let edit = keys::set(self, channel, *frame, value)?;
                self.apply(&edit)
            }
            Edit::RemoveKey { channel, frame } => {
                let edit = keys::remove(self, channel, *frame)?;
                self.apply(&edit)
            }
            Edit::Batch(edits) => {
                let mut inverses = Vec::with_capacity(edits.len());
                let mut touched = Touched::default();
                for (index, edit) in edits.iter().enumerate() {
                    match self.apply(edit) {
                        Ok(applied) => {
                            inverses.push(applied.inverse);
                            touched.append(applied.touched);
                        }
                        Err(error) => {
                            // Undo the edits so far; inverses of applied edits cannot fail.
                            for inverse in inverses.iter().rev() {
                                let back = self.apply(inverse);
                                debug_assert!(back.is_ok(), "{inverse:?} failed: {back:?}");
                            }
                            return Err(EditError::InBatch { index, error: Box::new(error) });
                        }
                    }
                }
                inverses.reverse();
                touched.settle();
                Ok(Applied { inverse: Edit::Batch(inverses), touched })
            }
        }
    }
}
