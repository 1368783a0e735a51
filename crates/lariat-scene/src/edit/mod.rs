//! Every way a document can change, as data.
//!
//! An [`Edit`] can be stored, sent, replayed and undone. Applying one returns its inverse and
//! what must be evaluated again; undo, autosave and bug reports come from that. An edit that
//! cannot be made leaves the document as it was and says why, with the numbers.
//!
//! ```text
//! apply.rs     the six ways a tree can change: set, unset, restore, insert, remove, move
//! keys.rs      keys set and removed
//! rename.rs    names changed, and everything that speaks of them
//! touched.rs   what must be evaluated again
//! ```
//!
//! ```
//! use lariat_scene::{format, Edit, Value};
//!
//! let text = "lariat = 1\n[[body]]\nname = \"rein\"\nlength = 4.2 # metres\n";
//! let mut document = format::read(text).unwrap().document;
//! let edit = Edit::Set { path: "body.rein.length".parse()?, value: Value::from(5.0) };
//!
//! let applied = document.apply(&edit)?;
//! assert_eq!(format::write_over(&document, text), text.replace("4.2", "5"));
//! assert_eq!(applied.touched.bodies, ["rein"]);
//!
//! document.apply(&applied.inverse)?;
//! assert_eq!(format::write_over(&document, text), text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod keys;
mod rename;
#[cfg(test)]
mod tests;
mod touched;

pub(crate) use apply::place;
pub use touched::{FrameSpan, Touched};

use crate::{
    document::{Document, Thing},
    path::Path,
    value::Value,
};

/// Every way a document can change.
///
/// Paths may call things by name (`body.rein.length`) or by index; plain words and technical
/// ones are the same (`height` finds a `magnitude` that is there).
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Sets a field, or an element of a list, to a value. What it is in must be there.
    Set {
        /// The field or element.
        path: Path,
        /// Its new value.
        value: Value,
    },
    /// Takes a field out; it then has its default.
    Unset {
        /// The field.
        path: Path,
    },
    /// Puts a field back where it was among its neighbours: what takes an [`Edit::Unset`] back.
    /// As `Set` if the field is there.
    Restore {
        /// The field.
        path: Path,
        /// How many fields stand before it; at the end if there are fewer.
        position: usize,
        /// Its value.
        value: Value,
    },
    /// Puts a value into a list before the element `index`, or at the end if that is the
    /// length. A list that is not there yet begins empty.
    Insert {
        /// The list.
        list: Path,
        /// Where.
        index: usize,
        /// What.
        value: Value,
    },
    /// Takes an element out of a list.
    Remove {
        /// The list.
        list: Path,
        /// Which.
        index: usize,
    },
    /// Moves an element within a list.
    Move {
        /// The list.
        list: Path,
        /// Where it is.
        from: usize,
        /// Where it will be.
        to: usize,
    },
    /// Gives a body, locator, collider or camera another name, wherever it is spoken of.
    Rename {
        /// What it is.
        thing: Thing,
        /// Its name so far.
        from: String,
        /// Its new name; no other of its kind may have it.
        to: String,
    },
    /// Sets the value of a parameter at a frame. A key on that frame keeps everything else it
    /// says; otherwise one is added. A parameter that was constant, or not given at all, becomes
    /// keyed: this key is then its only one, and holds at all frames.
    SetKey {
        /// The parameter.
        channel: Path,
        /// The frame; parts of frames are allowed.
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
    /// Several edits, one after the other: all of them, or none.
    Batch(Vec<Edit>),
}

/// What an edit did.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// The edit that takes it back.
    pub inverse: Edit,
    /// What must be evaluated again.
    pub touched: Touched,
}

/// Why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// Something on the way is not there.
    #[error("there is no `{path}`{}", or_did_you_mean(suggestion.as_deref()))]
    NotThere {
        /// As far as the path could be followed, and one step more.
        path: Path,
        /// A name nearby.
        suggestion: Option<String>,
    },
    /// A field of something that has no fields.
    #[error("`{path}` is {found}, which has no fields")]
    NotATable {
        /// What is no table.
        path: Path,
        /// What it is.
        found: String,
    },
    /// An element of something that has no elements.
    #[error("`{path}` is {found}, not a list")]
    NotAList {
        /// What is no list.
        path: Path,
        /// What it is.
        found: String,
    },
    /// An index beyond the end.
    #[error("`{list}` has {length} entries, and there is no index {index}")]
    BeyondEnd {
        /// The list.
        list: Path,
        /// The index asked for.
        index: usize,
        /// How many there are.
        length: usize,
    },
    /// The document itself is not a field of anything.
    #[error("the document itself cannot be set: name a field, like `shot.fps`")]
    Whole,
    /// A number that is NaN or infinite.
    #[error("`{path}` cannot be {number}: numbers are finite")]
    NotFinite {
        /// Where it was to go.
        path: Path,
        /// The number.
        number: f64,
    },
    /// Deeper than a document may be.
    #[error("`{path}` would lie {depth} deep, and the deepest is {deepest}")]
    TooDeep {
        /// Where it was to go.
        path: Path,
        /// How deep it would reach.
        depth: usize,
        /// How deep a document may be.
        deepest: usize,
    },
    /// The version of the format is what this program writes, and nothing else.
    #[error("the version of the format cannot be {found}: it is {version}")]
    Version {
        /// What it was to be.
        found: String,
        /// What this program writes.
        version: u32,
    },
    /// A name that another has.
    #[error("there is already a {thing} called `{name}`")]
    NameTaken {
        /// The kind.
        thing: Thing,
        /// The name.
        name: String,
    },
    /// A name that nothing has.
    #[error("there is no {thing} called `{name}`{}", or_did_you_mean(suggestion.as_deref()))]
    NoSuchName {
        /// The kind.
        thing: Thing,
        /// The name.
        name: String,
        /// A name nearby.
        suggestion: Option<String>,
    },
    /// A name without a letter.
    #[error("a name cannot be blank")]
    BlankName,
    /// A place that takes no keys: no parameter of any record, or one that cannot be keyed.
    #[error("`{path}` cannot be keyed: {why}")]
    CannotBeKeyed {
        /// The place.
        path: Path,
        /// What it takes instead, or that there is no such parameter.
        why: String,
    },
    /// A parameter that has no keys now.
    #[error("`{path}` is {found}, and has no keys")]
    NoKeys {
        /// The parameter.
        path: Path,
        /// What it is.
        found: String,
    },
    /// No key on that frame.
    #[error("`{path}` has no key on frame {frame}; the nearest is on frame {nearest}")]
    NoKeyThere {
        /// The parameter.
        path: Path,
        /// The frame asked for.
        frame: f64,
        /// The frame of the nearest key.
        nearest: f64,
    },
    /// One of several edits cannot be made; none was.
    #[error("edit {} of the batch: {error}", index + 1)]
    InBatch {
        /// Which, from 0.
        index: usize,
        /// Why.
        error: Box<EditError>,
    },
}

fn or_did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

impl Document {
    /// Makes an edit, and tells how to take it back and what it touched. If it cannot be made,
    /// the document stays as it was.
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
                            // None of it: taking back what was just done always works.
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
