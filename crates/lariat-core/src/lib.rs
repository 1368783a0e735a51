//! The mathematics of ropes: curves and frames, keys through time, models made of layers.
//!
//! Nothing here knows a file, an id, a clock or a thread. Models take numbers and return
//! shapes; who turns keys into numbers is `lariat-eval`.
//!
//! The rooms only look down, and `cargo xtask tidy` checks it:
//!
//! ```text
//! num        elementary functions with the same bits everywhere, quadrature, solves, roots, eigenvectors
//! curve      sampled curves, splines, arc length, frames, the catenary, bends, surfaces
//! geometry   Strand and Mesh (what a body looks like now), tube, footage, bounds      ┐ side by
//! motion     time, keys, tangents, wiggly curves, channels                            ┘ side
//! model      the ropes, cords and springs of Barzel's paper, and the layers they are made of
//! modes      amplitude and phase of every point, by formula or out of recorded motion
//! dynamics   motion by forces: ropes that fall, swing and are held
//! ```

pub mod curve;
pub mod dynamics;
pub mod geometry;
pub mod model;
pub mod modes;
pub mod motion;
pub mod num;
