//! Edits that a person asks for: add, duplicate, delete, key, wiggle, move keys.
//!
//! Each function returns an [`Edit`](lariat_scene::Edit) for a document, which it does not change.
//! Several changes are one batch, so each tool is one entry of the history.
//!
//! ```text
//! add.rs        new bodies, locators, colliders and cameras
//! arrange.rs    duplicate, delete, reorder
//! parameter.rs  set and unset, keys, wiggles and constants
//! model.rs      another model for a body
//! physics.rs    simulated from a frame on, ends let go
//! keys.rs       selected keys of several channels: move, scale, copy, paste, tangents
//! marker.rs     markers of the shot
//! graph.rs      keys as a graph shows them: components, Bezier handles, slopes of wiggles
//! ```
//!
//! Tests: `crates/lariat-editor/tests/suite/tool.rs`.

mod add;
mod arrange;
mod graph;
mod keys;
mod marker;
mod model;
mod parameter;
mod physics;

pub use add::{Added, add_body, add_camera, add_collider, add_locator, add_solid, unique_name};
pub use arrange::{Deleted, delete, duplicate, reorder};
pub use graph::{
    KeyHandle, ValueShift, added, key_frame, set_handles, set_local, set_slope, shift_keys,
};
pub use keys::{
    KeyRef, KeySettings, KeysClipboard, copy_keys, keys_in, move_key, move_keys, paste_keys,
    remove_keys, scale_keys, set_key_settings,
};
pub use marker::{add_marker, move_marker, name_marker, remove_marker};
pub use model::change_model;
pub use parameter::{follow, set, unset};
pub use physics::End;

use lariat_scene::{Path, Thing};

/// Error of a tool.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// There is no such model or shape.
    #[error("there is no {noun} `{name}`{}", suggestion.as_deref().map_or_else(String::new, |s| format!("; did you mean `{s}`?")))]
    NoSuchType {
        /// Noun: "body", "collider".
        noun: &'static str,
        /// The name.
        name: String,
        /// A similar name.
        suggestion: Option<&'static str>,
    },
    /// A value without a sensible default.
    #[error("a new {model} needs a value for `{field}`")]
    NeedsValue {
        /// The model.
        model: &'static str,
        /// Its field.
        field: &'static str,
    },
    /// The thing does not exist.
    #[error("there is no {thing} named `{name}`")]
    NoSuchName {
        /// Kind of the thing.
        thing: Thing,
        /// Its name.
        name: String,
    },
    /// There is no parameter at the path.
    #[error("`{path}` is not a parameter")]
    NoParameter {
        /// The path.
        path: Path,
    },
    /// The parameter has a value that the tool cannot change.
    #[error("`{path}` {why}")]
    Unsuitable {
        /// The parameter.
        path: Path,
        /// Reason: "has no keys".
        why: String,
    },
    /// There is no key on this frame.
    #[error("`{path}` has no key on frame {frame}")]
    NoKey {
        /// The parameter.
        path: Path,
        /// The frame.
        frame: f64,
    },
    /// A number that a tool does not accept.
    #[error("{what} is {number}; it must be {must}")]
    Number {
        /// Meaning of the number: "the factor".
        what: &'static str,
        /// The number.
        number: f64,
        /// Accepted numbers: "above 0".
        must: &'static str,
    },
}
