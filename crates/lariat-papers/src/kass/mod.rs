//! The wiggly spline as published: one unknown per sample.
//!
//! Kass & Anderson 2008, *Animating Oscillatory Motion With Overlap: Wiggly Splines*, sections 3
//! to 5, with its errata corrected. It is the reference for the continuous spline
//! `lariat_core::motion::wiggly`. Time is counted in samples.
//!
//! ```text
//! filter.rs     frequency and decay, poles, the system function         eqs 9, 10, 12–17, fig. 3
//! plan.rs       the objective, row by row                               eqs 1–5, 11, 18
//! normal.rs     normal equations as a banded matrix                     eq. 6
//! rows.rs       the same by rotations, for long gaps
//! natural.rs    residuals weighted as in a cubic spline
//! knot.rs       values and tangents                                     eqs 7, 8
//! passive.rs    motion of a spring without knots                        fig. 2
//! settings.rs   forms, overshoot penalty, start at rest
//! open.rs       too few knots
//! spline.rs     the curve; moving a knot; the residual force
//! dense.rs      small dense systems
//! error.rs      error type
//! ```
//!
//! ```
//! use lariat_papers::kass::{Form, Knot, Settings, Spline, Track, Tuning};
//!
//! // Two seconds at 24 samples per second: 2 Hz, with a half-life of half a second.
//! let tuning = Tuning::from_half_life(2.0, 0.5, 24.0);
//! let mut track = Track::new(49, tuning, Settings::new(Form::COMPLEX));
//! track.knots = vec![Knot::new(6.0, 1.0), Knot::new(30.0, 0.5)];
//! let mut spline = Spline::new(&track)?;
//! assert_eq!((spline.values()[6].re, spline.values()[30].re), (1.0, 0.5));
//!
//! spline.move_knot(1, -0.5)?;
//! assert_eq!((spline.values()[6].re, spline.values()[30].re), (1.0, -0.5));
//! # Ok::<(), lariat_papers::kass::SampledError>(())
//! ```
//!
//! # Differences from the paper
//!
//! Errata and the files that correct them: K1, K2 `plan.rs`; K3, K9 `knot.rs`; K4 `filter.rs` and
//! `plan.rs`; K5, K6 `filter.rs`; K7 `settings.rs`, `normal.rs` and `open.rs`; K8 `normal.rs`.
//!
//! Tests of the published numbers: `crates/lariat-papers/tests/kass`.

mod dense;
mod error;
mod filter;
mod knot;
mod natural;
mod normal;
mod open;
mod passive;
mod plan;
mod rows;
mod settings;
mod spline;

pub use error::SampledError;
pub use filter::{
    BANDWIDTH, Filter, Tuning, bandwidth_from_hertz, complex_poles, four_poles, real_poles,
    response, stiffness_limit,
};
pub use knot::{Knot, Tangent};
pub use passive::{passive_response, stiffness};
pub use settings::{
    Form, Method, OVERSHOOT_PENALTY_COMPLEX, OVERSHOOT_PENALTY_REAL, ROWS_FROM, Settings,
};
pub use spline::{Spline, Track};
