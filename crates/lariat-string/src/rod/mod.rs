//! Strings by one implicit solve per substep: tension, bending, twist and contact together.

mod add;
mod band;
mod batches;
mod chain;
mod energy;
mod grip;
mod group;
mod inputs;
mod lanes;
mod near;
mod obstacles;
mod pairs;
mod parts;
mod state;
mod strings;
#[cfg(test)]
mod tests;
mod twist;
mod wear;

pub use state::{Span, State};
pub use strings::{Settings, StepReport, Strings};
