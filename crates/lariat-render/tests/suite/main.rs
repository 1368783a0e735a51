//! Content of pictures, and comparison with reviewed copies.
//!
//! ```text
//! pictures.rs   light, shadow, twist, blur, alpha
//! appearance.rs colour maps, and ghosts of other frames
//! threads.rs    the same bytes with any number of threads
//! golden.rs     small pictures compared with reviewed copies
//! gpu.rs        pictures of the graphics card compared with the reference
//! live.rs       views drawn into a texture of the caller
//! guides.rs     lines, points and outlines over such views
//! scenes.rs     test scenes
//! ```

#![allow(clippy::unwrap_used, reason = "a test that cannot continue has failed")]

mod appearance;
mod golden;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(feature = "gpu")]
mod guides;
#[cfg(feature = "gpu")]
mod live;
mod meshes;
mod pictures;
mod scenes;
mod threads;
