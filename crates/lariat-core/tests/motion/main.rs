//! Promises of `motion` that need more than one of its files to be kept.

mod arbitrary;
mod curve;
mod edit;
mod extend;
mod integral;
mod wiggly;
