//! The picture of the scene, and hands in it.
//!
//! ```text
//! eye.rs      the view as numbers: rays and projected points
//! drawn.rs    strands and meshes of a pose, with the bodies they belong to
//! marks.rs    lines and outlines in the picture: selection, grid, trails, ghosts
//! picture.rs  drawing into a texture of the window
//! hands/      handles, pulls, and new bodies
//! ```

mod drawn;
mod eye;
pub(crate) mod hands;
mod marks;
mod picture;

pub(crate) use drawn::{Drawn, bounds};
pub(crate) use eye::Eye;
pub(crate) use marks::{Traces, guides};
pub(crate) use picture::{Additions, PictureSettings, ScenePicture};
