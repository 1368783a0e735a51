//! Overlays on a picture: handles, frames, names, trails, ghosts, colour maps.
//!
//! There are two kinds. Overlays within the scene are drawn by the renderer, as the
//! [`Appearance`](crate::Appearance) of a strand: colours along it, and ghosts of other frames.
//! Overlays that must always be visible (handles, axes, paths, names, the legend) are painted on the
//! finished picture, so they are the same with every renderer. Their size is proportional to the
//! height of the picture.
//!
//! ```text
//! canvas.rs   lines, discs, squares, panels and text with soft edges
//! ramp.rs     colour map
//! legend.rs   legend of the colour map
//! marks.rs    handles and control polygons
//! names.rs    names beside bodies
//! axes.rs     frames along a strand, with twist
//! trail.rs    path of a point over time
//! ```
//!
//! ```
//! use glam::DVec3;
//! use lariat_render::{Camera, Lens, Picture, Size, overlay::{Canvas, Mark, marks}};
//!
//! let size = Size::new(64, 64)?;
//! let mut picture = Picture::new(size, [0, 0, 0, 255]);
//! let lens = Lens::Orthographic { height: 2.0 };
//! let camera = Camera { eye: DVec3::NEG_Y, target: DVec3::ZERO, up: DVec3::Z, lens };
//! let ends = [(DVec3::ZERO, Mark::Square)];
//! marks(&mut Canvas::new(&mut picture), &camera.projection(size)?, &ends, false);
//! assert_ne!(picture.at(32, 32), [0, 0, 0, 255]);
//! # Ok::<(), lariat_render::RenderError>(())
//! ```

mod axes;
mod canvas;
mod legend;
mod marks;
mod names;
mod ramp;
mod trail;

pub use axes::axes;
pub(crate) use canvas::LEAST_LETTER;
pub use canvas::{Canvas, Ink};
pub use legend::Legend;
pub use marks::{Mark, marks};
pub use names::{Outline, names};
pub use ramp::{UNKNOWN, bytes_of, colour_of};
pub use trail::{Step, trail};

/// Colour of ghosts and trails of the past: warm, linear.
pub const BEFORE: [f32; 3] = [0.85, 0.27, 0.06];

/// Colour of ghosts and trails of the future: cool, linear.
pub const AFTER: [f32; 3] = [0.06, 0.36, 0.85];
