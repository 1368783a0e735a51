//! The `lariat` command, run as users and scripts run it.
//!
//! ```text
//! harness.rs    a temporary folder for each test, and the command run in it
//! usage.rs      help, typing errors, exit codes, completions
//! interrupt.rs  signals and their exit codes
//! input.rs      files that cannot be read, and documents that come through a pipe
//! assets.rs     files that documents refer to
//! new.rs        starter documents
//! camera.rs     cameras of a document, and the choice among them
//! check.rs      diagnostics as text and JSON
//! clean.rs      temporary files of killed runs
//! eval.rs       points at frames
//! export.rs     files for other tools
//! render.rs     pictures, movies, contact sheets
//! overlays.rs   overlays, and looks that replace those of the document
//! simulate.rs   takes: recorded, resumed and used
//! takes.rs      takes that are damaged, cut short, too large or elsewhere
//! play.rs       the twisting game, by the automatic player
//! plot.rs       parameters over time, and frequency responses
//! panels.rs     panels, components and rows of a plot, and effective springs
//! explain.rs    pages
//! modes.rs      modes of recorded motion, and documents that drive them
//! mesh_modes.rs modes of a mesh whose recording has no faces, and invalid recordings
//! museum.rs     scenes
//! guide.rs      commands on the first page of the guide
//! validate.rs   the table of checks
//! ```

#![allow(clippy::unwrap_used, reason = "a test that cannot continue has failed")]

mod assets;
mod camera;
mod check;
mod clean;
mod eval;
mod explain;
mod export;
mod guide;
mod harness;
mod input;
mod interrupt;
mod mesh_modes;
mod meshes;
mod modes;
mod museum;
mod new;
mod overlays;
mod panels;
mod play;
mod plot;
mod render;
mod simulate;
mod studio;
mod takes;
mod usage;
mod validate;
