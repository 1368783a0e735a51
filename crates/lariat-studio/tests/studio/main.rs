//! The studio as a person uses it: widgets are found by their accessibility labels.

mod document;
mod graph;
mod hands;
mod harness;
mod inspector;
mod output;
mod pointer;
mod simulation;
mod timeline;
