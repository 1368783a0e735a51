//! The picture of the scene, and hands in it.
//!
//! ```text
//! drawn.rs    strands and meshes of a pose, with the bodies they belong to
//! picture.rs  drawing into a texture of the window
//! ```

mod drawn;
mod picture;

pub(crate) use drawn::{Drawn, bounds};
pub(crate) use picture::{PictureSettings, ScenePicture};
