//! Strings by one implicit solve per substep: tension, bending, twist and contact together.

mod add;
mod band;
mod batches;
mod chain;
mod energy;
mod grip;
mod group;
mod lanes;
mod near;
mod obstacles;
mod pairs;
mod state;
mod strings;
mod twist;
mod wear;
#[cfg(test)]
mod tests;

pub use state::{Span, State};
pub use strings::{Settings, StepReport, Strings};
