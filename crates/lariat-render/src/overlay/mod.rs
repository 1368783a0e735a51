//! What a studio lays over a picture: handles, frames, trails, ghosts, colours that mean something.
//!
//! Two kinds. What has a place among the strands is drawn by the renderer, as the
//! [`Appearance`](crate::Appearance) of a strand: colours along it, and ghosts of other frames. What must be
//! seen wherever it is (handles, axes, paths, the legend) is painted on the finished picture, so
//! every renderer has the same marks. Their size goes with the height of the picture.
//!
//! ```text
//! canvas.rs   lines, discs, squares, panels and text with soft edges
//! ramp.rs     a number becomes a colour
//! legend.rs   which colour is which number
//! marks.rs    handles and control polygons
//! axes.rs     which way is sideways along a strand, twist included
//! trail.rs    where a point has been and will be
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
mod ramp;
mod trail;

pub use axes::axes;
pub use canvas::{Canvas, Ink};
pub use legend::Legend;
pub use marks::{Mark, marks};
pub use ramp::{UNKNOWN, colour_of};
pub use trail::{Step, trail};

/// What was, linear: the warm colour of ghosts and trails.
pub const BEFORE: [f32; 3] = [0.85, 0.27, 0.06];

/// What will be, linear: the cool one.
pub const AFTER: [f32; 3] = [0.06, 0.36, 0.85];
