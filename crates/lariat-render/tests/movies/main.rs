//! Movies are played back: every file is read by another reader than the code that wrote it.
//!
//! ```text
//! mp4.rs      H.264, its boxes and its colours
//! gif.rs      palettes, delays, transparency
//! webp.rs     colours, alpha, delays
//! refuse.rs   what is not accepted, and a disk that is full
//! films.rs    the pictures that they show
//! ```

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod films;
mod gif;
mod mp4;
mod refuse;
mod webp;
