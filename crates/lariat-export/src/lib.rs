//! Geometry becomes files: USD for the tools a studio already uses, CSV and JSON for everything
//! else, SVG to look at.
//!
//! This crate has never heard of a document. It pulls strands out of anything that is
//! [`Footage`](lariat_core::geometry::Footage), body by body and frame by frame, and writes them
//! down while they come, so that a ship with five thousand ropes needs no more memory than a
//! single one.
//!
//! ```text
//! usda.rs       USD as text: curves with time samples, tubes on request    ┐ one file per format,
//! csv.rs        one row per point                                          │ each with the
//! json.rs       bodies, strands, frames, points                            │ same `write`
//! svg.rs        a drawing, every frame one picture on a sheet              ┘
//! format.rs     the formats by name
//! file.rs       written beside and renamed, so that a file is whole or not there
//!
//! timing.rs     which frames, at which rate          names.rs    names USD can read
//! options.rs    what goes into the file              pen.rs      numbers and text as bytes
//! progress.rs   how far we are, and stop             still.rs    one strand at one frame
//! stream.rs     bodies in, bytes out, in order       survey.rs   what changes over the frames
//! ordered.rs    jobs side by side, results in order  error.rs    what can go wrong
//! ```
//!
//! The bytes depend on the footage, the timing and the options, and on nothing else: not on the
//! number of threads, not on the memory allowed.
//!
//! ```
//! use lariat_core::{geometry::RecordedFootage, motion::FrameRate};
//! use lariat_export::{Options, NoProgress, Timing, usda};
//!
//! let take = RecordedFootage::default();
//! let two_seconds = Timing::new(FrameRate::FILM, 1..=48)?;
//! let mut file = Vec::new();
//! usda::write(&take, &two_seconds, &Options::default(), &mut file, &NoProgress)?;
//! assert!(file.starts_with(b"#usda 1.0"));
//! # Ok::<(), lariat_export::ExportError>(())
//! ```

pub mod csv;
mod error;
pub mod file;
mod format;
pub mod json;
mod mesh;
mod names;
mod options;
mod ordered;
mod pen;
mod progress;
mod still;
mod stream;
mod survey;
pub mod svg;
mod timing;
pub mod usda;

pub use error::ExportError;
pub use format::Format;
pub use options::{Options, Summary, TubeOptions};
pub use progress::{NoProgress, Progress};
pub use timing::Timing;
