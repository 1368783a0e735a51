//! Movies read back by independent decoders.
//!
//! ```text
//! mp4.rs      H.264, its boxes and its colours
//! gif.rs      palettes, delays, transparency
//! webp.rs     colours, alpha, delays
//! refuse.rs   invalid movies, and a full disk
//! films.rs    test pictures
//! ```

#![allow(clippy::unwrap_used, reason = "a test that cannot continue has failed")]

mod films;
mod gif;
mod mp4;
mod refuse;
mod webp;
