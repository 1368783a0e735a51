//! Edits of keys: every edit gives new keys and the interval in which they differ.
//!
//! Moving one key changes more than the two segments beside it: automatic tangents of its
//! neighbours depend on it, and extrapolation repeats it. Instead of tracking dependencies, the new
//! keys are built and compared with the old ones, segment by segment from both ends
//! ([`Keys::difference`]). Outside the reported interval the value is the same bit for bit.
//!
//! Tests: `nothing_outside_the_touched_interval_changes`,
//! `setting_and_removing_a_key_is_the_identity`.

use super::keys::MIN_GAP;
use super::{Animate, Extrapolation, Interval, Key, Keys, KeysError};

impl<T: Animate> Keys<T> {
    /// These keys with `key` added, or replacing the one at the same time; and the interval in
    /// which the value may differ, if any.
    pub fn with_key(&self, key: Key<T>) -> Result<(Self, Option<Interval>), KeysError> {
        let mut keys = self.keys().to_vec();
        match self.index_of(key.time) {
            Ok(index) => keys[index] = key,
            Err(index) => keys.insert(index, key),
        }
        self.replaced(keys)
    }

    /// These keys without the one at `time`.
    pub fn without_key(&self, time: f64) -> Result<(Self, Option<Interval>), KeysError> {
        let mut keys = self.keys().to_vec();
        match self.index_of(time) {
            Ok(index) => keys.remove(index),
            Err(index) => {
                let nearest = [index.saturating_sub(1), index.min(keys.len() - 1)]
                    .map(|i| keys[i].time)
                    .into_iter()
                    .min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs()))
                    .unwrap_or(time);
                return Err(KeysError::NoKeyThere { time, nearest });
            }
        };
        self.replaced(keys)
    }

    fn replaced(&self, keys: Vec<Key<T>>) -> Result<(Self, Option<Interval>), KeysError> {
        let edited = Self::extended(keys, self.before(), self.after())?;
        let touched = self.difference(&edited);
        Ok((edited, touched))
    }

    /// Index of the key at a time, or the index to insert one.
    fn index_of(&self, time: f64) -> Result<usize, usize> {
        let times = self.key_times();
        let after = times.partition_point(|t| *t < time);
        let same = |i: usize| times.get(i).is_some_and(|t| (t - time).abs() < MIN_GAP);
        if same(after) {
            Ok(after)
        } else if after > 0 && same(after - 1) {
            Ok(after - 1)
        } else {
            Err(after)
        }
    }

    /// Shortest interval outside which both have the same value; `None` if they are the same
    /// everywhere.
    pub fn difference(&self, other: &Self) -> Option<Interval> {
        let (a, b) = (self, other);
        let (m, n) = (a.segments().len(), b.segments().len());
        // Whether segment i of `a` equals segment j of `b`, with the keys at both ends.
        let same = |i: usize, j: usize| {
            let ends_meet = |i: usize, j: usize| {
                let (key, other) = (&a.keys()[i], &b.keys()[j]);
                key.time == other.time && key.value == other.value
            };
            a.segments()[i] == b.segments()[j] && ends_meet(i, j) && ends_meet(i + 1, j + 1)
        };
        let head = (0..m.min(n)).take_while(|&i| same(i, i)).count();
        let mut touched = None;
        let mut touch = |interval: Interval| {
            touched = Some(touched.map_or(interval, |t: Interval| t.cover(interval)));
        };
        let alike = head == m && head == n;
        if !alike {
            let tail = (1..=(m.min(n) - head)).take_while(|&i| same(m - i, n - i)).count();
            let from = a.key_times()[head].min(b.key_times()[head]);
            let to = a.key_times()[m - tail].max(b.key_times()[n - tail]);
            touch(Interval::new(from, to));
        }
        for after in [false, true] {
            let (key, extend) = a.end_key(after);
            let (other_key, other_extend) = b.end_key(after);
            let holds =
                |keys: &Self, extend| extend == Extrapolation::Hold || keys.segments().is_empty();
            let same = if holds(a, extend) && holds(b, other_extend) {
                key.value == other_key.value
            } else {
                extend == other_extend
                    && match extend {
                        Extrapolation::Line => {
                            key.time == other_key.time
                                && key.value == other_key.value
                                && a.end_slope(after) == b.end_slope(after)
                        }
                        _ => alike && m > 0,
                    }
            };
            if !same {
                let far = if after { f64::INFINITY } else { f64::NEG_INFINITY };
                touch(Interval::new(key.time, far));
                touch(Interval::new(other_key.time, far));
            }
        }
        touched
    }

    fn end_key(&self, after: bool) -> (&Key<T>, Extrapolation) {
        let keys = self.keys();
        if after { (&keys[keys.len() - 1], self.after()) } else { (&keys[0], self.before()) }
    }
}
