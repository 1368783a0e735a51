//! Splines that would rather wiggle: keyed curves with a preferred frequency and decay.
//!
//! ```text
//! sampled/   the published form, one unknown for every sample: the reference
//! ```

pub mod sampled;
