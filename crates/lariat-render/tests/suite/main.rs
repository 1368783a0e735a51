//! Pictures are looked at: what must be in them, and that they never change unasked.
//!
//! ```text
//! pictures.rs   light, shadow, twist, blur, alpha: what is where in a picture
//! appearance.rs maps of a measure, and ghosts of other moments
//! threads.rs    the same bytes with any number of threads
//! golden.rs     small pictures compared with reviewed copies
//! gpu.rs        the card's pictures compared with the reference's
//! scenes.rs     the ropes that they show
//! ```

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod appearance;
mod golden;
#[cfg(feature = "gpu")]
mod gpu;
mod meshes;
mod pictures;
mod scenes;
mod threads;
