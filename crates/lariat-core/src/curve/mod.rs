//! Curves in space: sampled, measured, framed, hung and bent.
//!
//! Barzel's appendix A represents every curve by brute force, as samples, and fits a B-spline
//! through them when something smooth is needed; so do we, and keep the closed forms beside it
//! for the shapes that have one.
//!
//! ```text
//! polyline.rs   a sampled curve: points, parameter, joining end to end
//! spline.rs     the interpolating B-spline: values, arc length, resampling, closest point
//! frame.rs      frames that ride along: rotation-minimising, fixed-vector, Frenet
//! catenary.rs   the shape a rope takes at rest, exactly
//! bend.rs       a straight line with circular bends, exactly
//! gross_shape.rs  trait of the closed-form shapes: point, frame and curvature by arc length
//! surface.rs    generalised cylinder, and curves upon it
//! ```

pub mod bend;
pub mod catenary;
mod frame;
mod gross_shape;
mod polyline;
mod spline;
pub mod surface;

pub use frame::{Frame, Framing, frames, frames_along, tangents};
pub use gross_shape::{FramedPoints, GrossShape};
pub use polyline::{Polyline, PolylineError};
pub use spline::{Closest, Spline};
