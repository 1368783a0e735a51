//! The take (simulation cache) of a string world as a file; its events are the tears.
//!
//! Tests, in `tests/suite/strings.rs`: `a_resumed_take_of_strings_has_the_same_bits`.

use std::{collections::HashSet, ops::Range};

use glam::{DQuat, DVec3};
use lariat_core::num::is_in_range;
use lariat_string::Cause;

use super::take::{SOLID, StringWorldTake, Tear};
use crate::simulate::file::Take;
use crate::simulate::history::History;

/// The name in the take of all strings and solids. No body has it: names are not blank.
pub(crate) const STRING_WORLD_NAME: &str = "";

/// Numbers that a tear takes.
const TEAR: usize = 8;

impl Take for StringWorldTake {
    fn history(&self) -> &History {
        &self.history
    }

    fn history_mut(&mut self) -> &mut History {
        &mut self.history
    }

    fn share(&mut self) -> Self {
        self.share()
    }

    fn head(&self) -> Vec<f64> {
        vec![self.particles as f64, self.solids as f64]
    }

    fn set_head(&mut self, numbers: &[f64]) -> bool {
        numbers == self.head()
    }

    fn fits(&self, checkpoint: &[f64]) -> bool {
        // The number of numbers in a state is known only after the layout.
        !checkpoint.is_empty() && checkpoint.iter().all(|number| is_in_range(*number))
    }

    fn can_record(&self, row: &[f64]) -> bool {
        let is_rotation =
            |solid: &[f64]| (DQuat::from_slice(&solid[3..7]).length() - 1.0).abs() < 1e-3;
        row[8 * self.particles..].chunks_exact(SOLID).all(is_rotation)
    }

    fn events(&self, records: Range<usize>) -> Vec<f64> {
        let tears = self.tears.iter().filter(|tear| records.contains(&tear.record));
        let numbers = |tear: &Tear| {
            let whole = [tear.record, tear.string, tear.segment, tear.cause as usize];
            let [x, y, z] = tear.direction.to_array();
            whole.map(|number| number as f64).into_iter().chain([tear.time, x, y, z])
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
            let string = whole(tear[1], self.strings.len())?;
            let particles = &self.strings[string];
            let segment = whole(tear[2], particles.end.saturating_sub(1))?;
            let cause = [Cause::Pull, Cause::Twist, Cause::Cut][whole(tear[3], 3)?];
            let (time, direction) = (tear[4], DVec3::from_slice(&tear[5..]));
            let possible = segment >= particles.start && time.is_finite() && direction.is_finite();
            possible.then_some(Tear { record, string, segment, cause, time, direction })
        };
        let read: Option<Vec<Tear>> = tears.map(tear).collect();
        // A segment tears once.
        let mut torn: HashSet<usize> = self.tears.iter().map(|tear| tear.segment).collect();
        let read = read?;
        if !read.iter().all(|tear| torn.insert(tear.segment)) {
            return None;
        }
        self.tears.extend(read);
        Some(())
    }

    fn trim(&mut self) {
        let records = self.history.len();
        self.tears.retain(|tear| tear.record < records);
    }
}
