//! The studio as a person uses it: widgets are found by their accessibility labels.

mod document;
mod harness;
mod inspector;
mod simulation;
