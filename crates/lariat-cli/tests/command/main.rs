//! The `lariat` command, run as a person or a script runs it.
//!
//! ```text
//! harness.rs    a folder of its own for each test, and the command in it
//! usage.rs      help, slips of the finger, exit codes, completions
//! input.rs      files that cannot be read, and documents that come through a pipe
//! new.rs        documents to start from
//! camera.rs     cameras of a document, and which of them is used
//! check.rs      diagnostics as people and programs see them
//! eval.rs       points at frames
//! export.rs     files for other tools
//! render.rs     pictures, movies, contact sheets
//! overlays.rs   what is laid over pictures, and what bodies are made of instead
//! simulate.rs   takes that are recorded, gone on from and used
//! play.rs       the twisting game, by the automatic player
//! plot.rs       parameters through time, and the answer of springs
//! panels.rs     which curves of a plot share an axis, what is drawn beside them, and springs
//! explain.rs    pages
//! modes.rs      recorded motion taken apart, and put together again
//! mesh_modes.rs modes of a mesh whose recording has no faces, and what is no recording
//! museum.rs     scenes
//! validate.rs   the table of checks
//! ```

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod camera;
mod check;
mod eval;
mod explain;
mod export;
mod harness;
mod input;
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
mod usage;
mod validate;
