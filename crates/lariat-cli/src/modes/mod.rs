//! Recorded motion becomes modes, and modes become a document that people can key.
//!
//! ```text
//! source.rs      the recording: a document that is evaluated, a point cache, or a file of modes
//! table.rs       what was found, to be read
//! remarks.rs     what is good to know of a recording before its modes are believed
//! document.rs    wiggles that drive the modes, and how far they are from the recording
//! mesh.rs        the mesh that recorded points belong to
//! watch.rs       how far the work is, and whether somebody asked to stop
//! ```

pub(crate) mod document;
pub(crate) mod mesh;
pub(crate) mod remarks;
pub(crate) mod source;
pub(crate) mod table;
pub(crate) mod watch;
