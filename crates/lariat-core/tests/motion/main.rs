//! Guarantees of `motion` that involve several of its files.

mod arbitrary;
mod curve;
mod edit;
mod extend;
mod integral;
mod wiggly;
