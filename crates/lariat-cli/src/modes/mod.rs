//! Recorded motion becomes modes, and modes become a document that people can key.
//!
//! ```text
//! source.rs      the recording: a document that is evaluated, a point cache, or a file of modes
//! table.rs       what was found, to be read
//! document.rs    wiggles that drive the modes, and how far they are from the recording
//! watch.rs       how far the work is, and whether somebody asked to stop
//! ```

pub(crate) mod document;
pub(crate) mod source;
pub(crate) mod table;
pub(crate) mod watch;
