//! Tests of the window, by accessibility label.

mod graph;
mod harness;
mod timeline;
