//! Curves in space: sampled, measured, framed, hung and bent.
//!
//! As in Barzel's appendix A, a curve is a list of samples, with an interpolating B-spline where a
//! smooth curve is needed. Shapes with a closed form keep it.
//!
//! ```text
//! polyline.rs     a sampled curve: points, parameter, concatenation
//! spline.rs       the interpolating B-spline: values, arc length, resampling, closest point
//! frame.rs        frames along a curve: rotation-minimising, fixed-vector, Frenet
//! catenary/       a rope at rest between two points, in closed form
//! bend.rs         a straight line with circular bends, in closed form
//! gross_shape.rs  trait of the closed-form shapes: point, frame and curvature by arc length
//! surface.rs      generalised cylinder, and curves on it
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
