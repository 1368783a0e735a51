//! Modes of recorded motion, and documents that drive them.
//!
//! ```text
//! source.rs      input: an evaluated document, a point cache, or a file of modes
//! table.rs       the printed table
//! notes.rs       notes about the quality of a recording
//! mesh.rs        mesh of the recorded points
//! watch.rs       progress and cancellation
//! ```

pub(crate) mod mesh;
pub(crate) mod notes;
pub(crate) mod source;
pub(crate) mod table;
pub(crate) mod watch;
