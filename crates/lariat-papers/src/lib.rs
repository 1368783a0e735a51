//! The methods exactly as published, which judge Lariat's own.
//!
//! Each paper's method is an independent implementation, with the errata of the paper corrected and
//! its gaps filled; each file lists both. The production solvers never branch on these methods: tests and `lariat
//! validate` compare their results. A document that says `method = "published"` is stepped by these
//! simulators; `lariat-eval` chooses at one place.
//!
//! ```text
//! kass             wiggly splines on samples (Kass & Anderson 2008)
//! rungjiratananon  strings by shape matching, averaged twist and sweeps (Rungjiratananon et al. 2012)
//! tuzel            a spline rope by springs and explicit steps (Tuzel 2004)
//! ```

pub mod kass;
pub mod rungjiratananon;
pub mod tuzel;
