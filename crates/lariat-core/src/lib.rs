//! The mathematics of ropes: curves and frames, keys through time, models made of layers.
//!
//! The crate does no I/O and uses no ids, clocks or threads. Models take numbers and return shapes;
//! `lariat-eval` turns keys into numbers.
//!
//! A module uses only the modules above it in this list; `geometry` and `motion` do not use each
//! other. `cargo xtask tidy` checks the order:
//!
//! ```text
//! num        elementary functions with the same bits everywhere, quadrature, solves, roots, eigenvectors
//! curve      sampled curves, splines, arc length, frames, the catenary, bends, surfaces
//! geometry   Strand and Mesh (the geometry of a body at one frame), tube, footage, bounds
//! motion     time, keys, tangents, wiggly curves, channels
//! model      the ropes, cords and springs of Barzel's paper, and the layers they are made of
//! modes      amplitude and phase of every point, from formulas or from recorded motion
//! dynamics   simulation by forces: ropes that fall, swing and are held
//! ```

pub mod curve;
pub mod dynamics;
pub mod geometry;
pub mod model;
pub mod modes;
pub mod motion;
pub mod num;
