//! The picture of the scene, and hands in it.
//!
//! ```text
//! eye.rs      the view as numbers: rays and projected points
//! drawn.rs    strands and meshes of a pose, with the bodies they belong to
//! ground.rs   light and ground, and the height of the ground
//! measured.rs colours along strands by tension or twist
//! wires.rs    colliders and cameras as lines
//! marks.rs    lines and outlines in the picture: selection, grid, trails, ghosts, contacts
//! picture.rs  drawing into a texture of the window
//! pace.rs     detail of pictures that move
//! copy.rs     the picture as an image for other programs
//! hands/      handles, pulls, and new bodies
//! ```

mod copy;
mod drawn;
mod eye;
mod ground;
pub(crate) mod hands;
mod marks;
mod measured;
mod pace;
mod picture;
mod wires;

pub(crate) use copy::Copying;
pub(crate) use drawn::{Drawn, bounds};
pub(crate) use eye::Eye;
pub(crate) use ground::Ground;
pub(crate) use marks::{Contacts, Marked, Traces, ghosts_of, guides};
pub(crate) use measured::Measured;
pub(crate) use picture::{Additions, PictureSettings, ScenePicture};
pub(crate) use wires::{Wire, wires};
