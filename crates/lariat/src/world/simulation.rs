//! Ropes alone: the simulation of a world without the feature `rigid`.
//!
//! It has the fields of `lariat_rigid::Tied` that the world uses.

use lariat_string::{Diverged, Event, Strings};

/// All ropes of a world.
#[derive(Debug, Default)]
pub(super) struct Simulation {
    /// The ropes.
    pub(super) strings: Strings,
    /// Events of the last step.
    pub(super) events: Vec<Event>,
}

impl Simulation {
    /// Advances by one fixed step.
    pub(super) fn step(&mut self, dt: f64) -> Result<(), Diverged> {
        self.strings.step(dt)?;
        self.events.clone_from(&self.strings.events);
        Ok(())
    }
}
