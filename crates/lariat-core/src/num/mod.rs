//! Numerical ground floor: nothing here has heard of ropes.

pub mod ops;
