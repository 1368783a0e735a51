//! The take (simulation cache) of a string world as a file; its events are the tears.
//!
//! Tests, in `tests/suite/strings.rs`: `a_resumed_take_of_strings_has_the_same_bits`.

use std::ops::Range;

use lariat_string::Cause;

use super::take::{StringWorldTake, Tear};
use crate::simulate::file::{Take, TakeError};
use crate::simulate::history::History;

/// The name in the take of all strings and solids. No body has it: names are not blank.
pub(crate) const STRING_WORLD_NAME: &str = "";

/// Numbers that a tear takes.
const TEAR: usize = 5;

impl Take for StringWorldTake {
    fn history(&self) -> &History {
        &self.history
    }

    fn history_mut(&mut self) -> &mut History {
        &mut self.history
    }

    fn head(&self) -> Vec<f64> {
        vec![self.particles as f64, self.solids as f64]
    }

    fn from_head(number: &mut dyn FnMut() -> Result<f64, TakeError>) -> Result<Self, TakeError> {
        let [particles, solids] = [number()?, number()?];
        let many = |number: f64| (0.0..1e9).contains(&number);
        if !many(particles) || !many(solids) || particles + solids < 1.0 {
            return Err(TakeError::NotATake);
        }
        Ok(Self::new(particles as usize, solids as usize))
    }

    fn fits(&self, checkpoint: &[f64]) -> bool {
        // The number of numbers in a state is known only after the layout.
        !checkpoint.is_empty()
    }

    fn events(&self, records: Range<usize>) -> Vec<f64> {
        let tears = self.tears.iter().filter(|tear| records.contains(&tear.record));
        let numbers = |tear: &Tear| {
            let whole = [tear.record, tear.string, tear.segment, tear.cause as usize];
            whole.map(|number| number as f64).into_iter().chain([tear.time])
        };
        tears.flat_map(numbers).collect()
    }

    fn add_events(&mut self, numbers: &[f64], records: Range<usize>) -> Option<()> {
        let tears = numbers.chunks_exact(TEAR);
        if !tears.remainder().is_empty() {
            return None;
        }
        let whole = |x: f64, below: usize| (0.0..below as f64).contains(&x).then_some(x as usize);
        let tear = |tear: &[f64]| {
            let record = whole(tear[0], records.end).filter(|record| records.contains(record))?;
            let string = whole(tear[1], self.particles)?;
            let segment = whole(tear[2], self.particles.saturating_sub(1))?;
            let cause = [Cause::Pull, Cause::Twist, Cause::Cut][whole(tear[3], 3)?];
            Some(Tear { record, string, segment, cause, time: tear[4] })
        };
        let read: Option<Vec<Tear>> = tears.map(tear).collect();
        self.tears.extend(read?);
        Some(())
    }

    fn trim(&mut self) {
        let records = self.history.len();
        self.tears.retain(|tear| tear.record < records);
    }
}
