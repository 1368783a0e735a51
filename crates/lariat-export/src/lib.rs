//! Export of geometry: USD for the tools of a studio, CSV and JSON for scripts, SVG for drawings.
//!
//! The crate does not depend on documents. It evaluates the strands of any
//! [`Footage`](lariat_core::geometry::Footage), body by body and frame by frame, and writes them as
//! they come, so a ship with five thousand ropes needs no more memory than a single rope.
//!
//! ```text
//! usda.rs       USD as text: curves with time samples, tubes on request    ┐ one file per format,
//! csv.rs        one row per point                                          │ each with the
//! json.rs       bodies, strands, frames, points                            │ same `write`
//! svg.rs        a drawing, every frame one picture on a sheet              ┘
//! format.rs     the formats by name
//! file.rs       atomic writing: a file is complete or absent
//! special.rs    pipes, sockets and devices in place of files
//! temporary.rs  temporary files, and those that killed programs left
//!
//! timing.rs     frames and frame rate               names.rs        USD identifiers
//! options.rs    contents of the file                text_buffer.rs  formatting of numbers and text
//! progress.rs   progress and cancellation           still.rs        one strand at one frame
//! stream.rs     evaluation and writing in order     survey.rs       changes over the frames
//! ordered.rs    parallel jobs, ordered results      error.rs        errors
//! ```
//!
//! The bytes depend only on the footage, the timing and the options, not on the number of threads
//! or the memory limit.
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
mod progress;
pub mod special;
mod still;
mod stream;
mod survey;
pub mod svg;
pub mod temporary;
mod text_buffer;
mod timing;
pub mod usda;

pub use error::ExportError;
pub use format::Format;
pub use options::{Options, Summary, TubeOptions};
pub use progress::{NoProgress, Progress};
pub use timing::Timing;
