//! Recorded states of a simulation: rows of numbers at regular times, checkpoints to resume from, and
//! the reason if it stopped early.
//!
//! Records are kept in chunks: a checkpoint and the records from there to the next one. Chunks that
//! are on a [`Tape`] can be dropped from memory and are read again when they are needed, so the memory
//! of a recording does not grow with its length.
//!
//! Between two records, positions follow the cubic Hermite curve of both positions and velocities.
//!
//! Tests: `between_records_a_fall_is_a_parabola`, `records_after_a_cut_are_dropped`,
//! `a_partial_record_is_dropped`, `a_recording_that_is_too_large_is_refused_before_it_starts`.

use std::sync::Arc;

use glam::DVec3;
use lariat_scene::Limits;

use super::tape::{Place, Tape, TapeUse};
use crate::scene::Scene;
use crate::warning::{RecordingTooLarge, SimulationStopped, Warning};

/// Maximum number of records per second: enough to interpolate the motion of a whip.
pub(super) const RECORDS: f64 = 240.0;

/// Records from one checkpoint to the next: a quarter of a second at [`RECORDS`] per second.
pub(super) const RECORDS_BETWEEN: usize = 60;

/// Limit on the bytes of a recording that cannot leave memory: more than an hour of a rope with 32
/// control points. Larger: an hour of a large scene aborts the program.
const MOST_IN_MEMORY: u64 = 2 << 30;

/// Chunks that stay in memory whatever the limit: two around the time of a pose, the one that grows,
/// and one before it for a second thread.
const LEAST_IN_MEMORY: usize = 4;

/// Limits on the size of one recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordingLimits {
    /// Bytes of records in memory, if the others are on a tape.
    pub memory: u64,
    /// Bytes of all records.
    pub size: u64,
}

impl RecordingLimits {
    /// The limits of one of `count` recordings.
    pub(crate) fn among(limits: &Limits, count: usize) -> Self {
        Self { memory: limits.take_memory / count.max(1) as u64, size: limits.bytes_per_take }
    }
}

impl Default for RecordingLimits {
    fn default() -> Self {
        Self::among(&Limits::DEFAULT, 1)
    }
}

/// The states that a run recorded.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// Time of the first record, in seconds.
    pub start: f64,
    /// Records per second.
    pub rate: f64,
    /// Length of a record.
    pub row: usize,
    /// Set if the run stopped early.
    pub stopped: Option<Stopped>,
    pub limits: RecordingLimits,
    /// Storage for chunks that are not in memory.
    pub(super) tape: Option<Tape>,
    /// All chunks; only the last one may have fewer than [`RECORDS_BETWEEN`] records.
    slots: Vec<Slot>,
    /// Chunks in memory, the one used last at the end.
    recent: Vec<usize>,
    /// Memory of dropped chunks, used again for the next ones. Each thread has a part of the heap of
    /// its own, so chunks that one frees and another allocates would take as much memory once more.
    spare: Vec<Chunk>,
}

/// A checkpoint and the records from there on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Chunk {
    /// The full state to resume from.
    pub checkpoint: Vec<f64>,
    /// Records, one after the other.
    pub rows: Vec<f64>,
}

impl Chunk {
    /// Bytes of its numbers.
    fn size(&self) -> u64 {
        (size_of::<f64>() * (self.checkpoint.len() + self.rows.len())) as u64
    }
}

/// A chunk in memory, on the tape, or both.
#[derive(Clone, Debug)]
struct Slot {
    /// Shared with copies of the recording until one of them changes it.
    chunk: Option<Arc<Chunk>>,
    place: Option<Place>,
    /// Number of records.
    records: usize,
}

/// The end of a simulation that stopped early.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stopped {
    /// Time in seconds.
    pub time: f64,
    /// The reason, as a sentence without its body.
    pub why: String,
}

/// Reason why there is no motion at a time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ended {
    /// The run stopped before; its last record is kept.
    Stopped(Stopped),
    /// The recording up to there would be larger than its limit, so there is none from `time` on.
    TooLarge {
        time: f64,
        /// Bytes up to the requested time.
        bytes: f64,
        limit: u64,
        /// True if the limit is a setting, false if the recording has nowhere to go but memory.
        adjustable: bool,
    },
}

impl Ended {
    /// The warning that reports it.
    pub(crate) fn warning(&self, scene: &Scene) -> Warning {
        let frame = |time: f64| scene.shot().rate.frame(time);
        match *self {
            Self::Stopped(Stopped { time, ref why }) => {
                let why = why.as_str().into();
                Warning::new("dynamics", SimulationStopped { time, frame: frame(time), why })
            }
            Self::TooLarge { time, bytes, limit, adjustable } => {
                let (frame, limit) = (frame(time), limit as f64);
                Warning::new("dynamics", RecordingTooLarge { frame, bytes, limit, adjustable })
            }
        }
    }
}

/// The two records around a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Between<'r> {
    /// The records before and after it; the same one twice before the first and after the last.
    pub rows: [&'r [f64]; 2],
    /// Their indices.
    pub records: [usize; 2],
    /// Fraction of the way from one to the other, 0–1.
    pub share: f64,
    /// Seconds from one to the other.
    seconds: f64,
}

impl Between<'_> {
    /// Interpolated position, from the offsets of the position and of its velocity in a record.
    pub(super) fn place(&self, at: usize, speed: usize) -> DVec3 {
        let [p, q] = self.rows.map(|row| DVec3::from_slice(&row[at..at + 3]));
        if self.share == 0.0 {
            return p;
        }
        let [u, w] = self.rows.map(|row| DVec3::from_slice(&row[speed..speed + 3]));
        let (s, rest) = (self.share, 1.0 - self.share);
        let tangents = u * (rest * rest * s) - w * (rest * s * s);
        p + (q - p) * (s * s * (3.0 - 2.0 * s)) + tangents * self.seconds
    }

    /// Interpolated number, from its offset in a record.
    pub(super) fn number(&self, at: usize) -> f64 {
        let [a, b] = self.rows.map(|row| row[at]);
        a + self.share * (b - a)
    }
}

impl History {
    /// Drops all records and starts a recording; limits and tape stay.
    pub(super) fn begin(&mut self, start: f64, rate: f64, row: usize) {
        (self.start, self.rate, self.row) = (start, rate, row);
        self.stopped = None;
        self.slots.clear();
        self.recent.clear();
        if let Some(tape) = &mut self.tape {
            tape.rewind(None);
        }
    }

    /// A copy that shares all records in memory. The tape goes with the copy.
    pub(super) fn share(&mut self) -> Self {
        Self {
            stopped: self.stopped.clone(),
            tape: self.tape.take(),
            slots: self.slots.clone(),
            recent: self.recent.clone(),
            spare: Vec::new(),
            ..*self
        }
    }

    /// Number of records.
    pub(super) fn len(&self) -> usize {
        let Some(last) = self.slots.last() else { return 0 };
        (self.slots.len() - 1) * RECORDS_BETWEEN + last.records
    }

    /// Number of chunks.
    pub(super) fn chunks(&self) -> usize {
        self.slots.len()
    }

    /// True if nothing is recorded.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Time of the last record, in seconds.
    pub(crate) fn end(&self) -> f64 {
        self.start + self.len().saturating_sub(1) as f64 / self.rate
    }

    /// True if the next record begins with a checkpoint.
    pub(super) fn is_due(&self) -> bool {
        self.len().is_multiple_of(RECORDS_BETWEEN)
    }

    /// Starts the next chunk with its checkpoint.
    pub(super) fn add_checkpoint(&mut self, checkpoint: Vec<f64>) {
        let mut chunk = self.spare_chunk();
        chunk.checkpoint.extend(checkpoint);
        chunk.rows.reserve_exact(RECORDS_BETWEEN * self.row);
        self.recent.push(self.slots.len());
        self.slots.push(Slot { chunk: Some(Arc::new(chunk)), place: None, records: 0 });
    }

    /// Adds a record, which `write` appends; there must be a checkpoint.
    pub(super) fn add_record(&mut self, write: impl FnOnce(&mut Vec<f64>)) {
        let row = self.row;
        let Some(slot) = self.slots.last_mut() else { return };
        let Some(chunk) = slot.chunk.as_mut().map(Arc::make_mut) else { return };
        write(&mut chunk.rows);
        slot.records = chunk.rows.len().checked_div(row).unwrap_or(0);
    }

    /// An empty chunk, with the memory of a dropped one if there is any.
    pub(super) fn spare_chunk(&mut self) -> Chunk {
        let mut chunk = self.spare.pop().unwrap_or_default();
        chunk.checkpoint.clear();
        chunk.rows.clear();
        chunk
    }

    /// Adds a chunk that was read from the tape.
    pub(super) fn add_chunk(&mut self, chunk: Chunk, place: Place) {
        let records = chunk.rows.len().checked_div(self.row).unwrap_or(0);
        self.recent.push(self.slots.len());
        self.slots.push(Slot { chunk: Some(Arc::new(chunk)), place: Some(place), records });
        self.drop_unused();
    }

    /// A chunk, if it is in memory.
    pub(super) fn chunk(&self, index: usize) -> Option<&Chunk> {
        self.slots.get(index)?.chunk.as_deref()
    }

    /// Range of the records of a chunk.
    pub(super) fn records_of(&self, index: usize) -> std::ops::Range<usize> {
        let first = index * RECORDS_BETWEEN;
        first..first + self.slots.get(index).map_or(0, |slot| slot.records)
    }

    /// Makes sure that a chunk is in memory; returns false if it cannot be read.
    pub(super) fn fetch(&mut self, index: usize) -> bool {
        let Some(slot) = self.slots.get(index) else { return false };
        if slot.chunk.is_some() {
            let held = self.recent.iter().rposition(|held| *held == index);
            if let Some(held) = held {
                self.recent[held..].rotate_left(1);
            }
            return true;
        }
        let (Some(place), numbers) = (slot.place, slot.records * self.row) else { return false };
        let mut chunk = self.spare_chunk();
        let Some(tape) = &mut self.tape else { return false };
        if tape.read(place, index, &mut chunk).is_none() || chunk.rows.len() != numbers {
            return false;
        }
        self.slots[index].chunk = Some(Arc::new(chunk));
        self.recent.push(index);
        self.drop_unused();
        true
    }

    /// Makes sure that the records around a time are in memory; else returns the chunk that cannot be
    /// read.
    pub(super) fn fetch_around(&mut self, t: f64) -> Result<(), usize> {
        let Some(last) = self.len().checked_sub(1) else { return Ok(()) };
        let before = self.place(t).0.min(last);
        for record in [before, (before + 1).min(last)] {
            let index = record / RECORDS_BETWEEN;
            if !self.fetch(index) {
                return Err(index);
            }
        }
        Ok(())
    }

    /// Notes that a chunk is on the tape.
    pub(super) fn set_place(&mut self, index: usize, place: Place) {
        if let Some(slot) = self.slots.get_mut(index) {
            slot.place = Some(place);
        }
    }

    /// True if a chunk is on the tape.
    pub(super) fn is_on_tape(&self, index: usize) -> bool {
        self.slots.get(index).is_some_and(|slot| slot.place.is_some())
    }

    /// Bytes of the chunks in memory.
    pub(super) fn bytes_in_memory(&self) -> u64 {
        self.recent.iter().filter_map(|index| self.chunk(*index)).map(Chunk::size).sum()
    }

    /// Chunks for which there is no memory, the one used least recently first.
    fn surplus(&self) -> impl Iterator<Item = usize> {
        let surplus = if self.bytes_in_memory() <= self.limits.memory {
            &[]
        } else {
            &self.recent[..self.recent.len().saturating_sub(LEAST_IN_MEMORY)]
        };
        surplus.iter().copied().filter(|index| self.slots[*index].records == RECORDS_BETWEEN)
    }

    /// A full chunk for which there is no memory, if any.
    pub(super) fn least_used(&self) -> Option<usize> {
        self.surplus().next()
    }

    /// Drops chunks from memory that are on the tape, down to the limit.
    pub(super) fn drop_unused(&mut self) {
        let unused = |this: &Self| this.surplus().find(|index| this.is_on_tape(*index));
        while let Some(index) = unused(self) {
            let chunk = self.slots[index].chunk.take();
            self.spare.extend(chunk.and_then(Arc::into_inner));
            self.recent.retain(|held| *held != index);
        }
    }

    /// Stops writing to a take, which belongs to another state of the document from now on. Its chunks
    /// can still be read.
    pub(crate) fn stop_writing(&mut self) {
        if let Some(tape) = self.tape.as_mut().filter(|tape| tape.used_for == TapeUse::Record) {
            tape.used_for = TapeUse::Never;
        }
    }

    /// Error of the last write to the tape of a take that is being recorded.
    pub(super) fn write_error(&self) -> Option<&std::io::Error> {
        let tape = self.tape.as_ref().filter(|tape| tape.used_for == TapeUse::Record);
        tape.and_then(|tape| tape.error.as_ref())
    }

    /// Stops a run if there is neither memory nor a temporary file for its records.
    pub(super) fn stop_without_storage(&mut self) {
        let tape = self.tape.as_ref().filter(|tape| tape.used_for == TapeUse::Overflow);
        let Some(error) = tape.and_then(|tape| tape.error.as_ref()) else { return };
        let why = format!(
            "its records take more memory than the limit, and their temporary file cannot be written \
             ({error}); free space for it, choose another folder with `TMPDIR`, or raise the limit with \
             `--limit take-memory=N`"
        );
        self.stopped = Some(Stopped { time: self.end(), why });
    }

    /// Bytes of records that the recording may have.
    fn most_bytes(&self) -> u64 {
        let paged = self.tape.as_ref().is_some_and(Tape::is_writable);
        if paged { self.limits.size } else { self.limits.size.min(MOST_IN_MEMORY) }
    }

    /// The reason why there is no recording at a time: it would be too large. Known as soon as the
    /// length of a record is.
    pub(super) fn too_large(&self, t: f64) -> Option<Ended> {
        let per_record = (size_of::<f64>() * self.row) as f64;
        let limit = self.most_bytes();
        let bytes = ((t - self.start) * self.rate + 1.0) * per_record;
        // Records that exist can be used.
        (bytes > limit as f64 && !self.reaches(t)).then(|| {
            let time = self.start + (limit as f64 / per_record).floor() / self.rate;
            Ended::TooLarge { time, bytes, limit, adjustable: limit == self.limits.size }
        })
    }

    /// The reason why there is no motion at a time, if there is none.
    pub(super) fn ended_by(&self, t: f64) -> Option<Ended> {
        let stopped = self.stopped.as_ref().filter(|stopped| t >= stopped.time);
        stopped.cloned().map(Ended::Stopped).or_else(|| self.too_large(t))
    }

    /// Index of the record before a time, and the fraction of the way to the next one. Times within
    /// rounding of a record are taken as that record.
    fn place(&self, t: f64) -> (usize, f64) {
        let at = ((t - self.start) * self.rate).max(0.0);
        let nearest = at.round();
        if (at - nearest).abs() < 1e-6 {
            (nearest as usize, 0.0)
        } else {
            (at as usize, at - at.floor())
        }
    }

    /// True if all records needed for a time exist.
    pub(super) fn reaches(&self, t: f64) -> bool {
        let (before, share) = self.place(t);
        before.saturating_add(usize::from(share > 0.0)) < self.len()
    }

    /// The numbers of a record, if they are in memory.
    pub(super) fn row_of(&self, record: usize) -> Option<&[f64]> {
        let chunk = self.chunk(record / RECORDS_BETWEEN)?;
        let from = record % RECORDS_BETWEEN * self.row;
        chunk.rows.get(from..from + self.row)
    }

    /// The records around a time; none if the history is empty, or if they are not in memory.
    pub(super) fn around(&self, t: f64) -> Option<Between<'_>> {
        let last = self.len().checked_sub(1)?;
        let (before, share) = self.place(t);
        let (before, share) = if before < last { (before, share) } else { (last, 0.0) };
        let records = [before, (before + 1).min(last)];
        let rows = [self.row_of(records[0])?, self.row_of(records[1])?];
        Some(Between { rows, records, share, seconds: 1.0 / self.rate })
    }

    /// Drops partial records and checkpoints without a record, after a panic during recording.
    pub(super) fn drop_partial_records(&mut self) {
        let row = self.row;
        if let Some(Slot { chunk: Some(chunk), records, .. }) = self.slots.last_mut() {
            *records = chunk.rows.len().checked_div(row).unwrap_or(0);
            Arc::make_mut(chunk).rows.truncate(*records * row);
        }
        if self.slots.last().is_some_and(|slot| slot.records == 0) {
            self.truncate(self.slots.len() - 1);
        }
    }

    fn truncate(&mut self, chunks: usize) {
        self.slots.truncate(chunks);
        self.recent.retain(|held| *held < chunks);
    }

    /// Number of records before the last checkpoint.
    pub(super) fn before_checkpoint(&self) -> usize {
        self.slots.len().saturating_sub(1) * RECORDS_BETWEEN
    }

    /// The last checkpoint, if there is one and it can be read.
    pub(super) fn last_checkpoint(&mut self) -> Option<&[f64]> {
        let last = self.slots.len().checked_sub(1)?;
        self.fetch(last).then_some(())?;
        self.chunk(last).map(|chunk| chunk.checkpoint.as_slice())
    }

    /// Goes back to the last checkpoint, which must be in memory.
    pub(super) fn rewind(&mut self) {
        let row = self.row;
        let Some(slot) = self.slots.last_mut() else { return };
        if let Some(chunk) = &mut slot.chunk {
            Arc::make_mut(chunk).rows.truncate(row);
            slot.records = 1;
            slot.place = None;
        }
        self.rewind_tape();
    }

    /// Drops all chunks from `index` on.
    pub(super) fn keep_chunks(&mut self, index: usize) {
        self.truncate(index);
        self.stopped = None;
        self.rewind_tape();
    }

    /// Sets the end of the tape to that of its last full chunk that is still valid.
    fn rewind_tape(&mut self) {
        if let Some(tape) = &mut self.tape {
            let mut full = self.slots.iter().rev().filter(|slot| slot.records == RECORDS_BETWEEN);
            tape.rewind(full.find_map(|slot| slot.place));
        }
    }

    /// Makes sure that the checkpoint that [`cut`](Self::cut) goes back to is in memory.
    pub(super) fn fetch_checkpoint(&mut self, t: f64) {
        let kept = self.chunks_before(t).min(self.slots.len());
        kept.checked_sub(1).map(|last| self.fetch(last));
    }

    /// Makes it a recording in memory: chunks that are only on a tape are lost.
    pub(super) fn forget_tape(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.place = None);
    }

    /// Number of chunks that begin before a time.
    fn chunks_before(&self, t: f64) -> usize {
        let kept =
            if t <= self.start { 0 } else { ((t - self.start) * self.rate).floor() as usize };
        kept.div_ceil(RECORDS_BETWEEN)
    }

    /// Drops all records after a time, back to the checkpoint before it.
    pub(super) fn cut(&mut self, t: f64) {
        if t > self.end() && self.stopped.as_ref().is_none_or(|stopped| stopped.time < t) {
            return;
        }
        self.keep_chunks(self.chunks_before(t));
        if let Some(last) = self.slots.len().checked_sub(1) {
            if self.fetch(last) {
                self.rewind();
            } else {
                self.keep_chunks(last);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A falling point: its position, velocity and one more number.
    fn fall(records: usize) -> History {
        let mut history = History::default();
        history.begin(1.0, 10.0, 7);
        for i in 0..records {
            let t = i as f64 / 10.0;
            if history.is_due() {
                history.add_checkpoint(vec![t]);
            }
            let row = [t, 0.0, -4.9 * t * t, 1.0, 0.0, -9.8 * t, 2.0 * t];
            history.add_record(|numbers| numbers.extend(row));
        }
        history
    }

    #[test]
    fn between_records_a_fall_is_a_parabola() {
        let history = fall(30);
        for t in [0.0, 0.1, 0.237, 1.999, 2.9] {
            let at = history.around(1.0 + t).unwrap();
            assert!((at.place(0, 3) - DVec3::new(t, 0.0, -4.9 * t * t)).length() < 1e-13, "{t}");
            assert!((at.number(6) - 2.0 * t).abs() < 1e-13);
        }
        assert_eq!(history.around(-5.0).unwrap().place(0, 3).x, 0.0);
        assert!((history.around(99.0).unwrap().place(0, 3).x - 2.9).abs() < 1e-13);
        assert!(History::default().around(1.0).is_none());
    }

    #[test]
    fn records_after_a_cut_are_dropped() {
        let mut history = fall(150);
        history.cut(1.0 + 13.05);
        // The checkpoint before 13.05 s is that of record 120.
        assert_eq!((history.len(), history.chunks()), (121, 3));
        history.cut(99.0);
        assert_eq!(history.len(), 121, "nothing was recorded there");
        // A cut exactly at a checkpoint drops that checkpoint.
        history.cut(1.0 + 12.0);
        assert_eq!((history.len(), history.chunks()), (61, 2));
        history.cut(0.5);
        assert_eq!((history.len(), history.chunks()), (0, 0));
    }

    #[test]
    fn a_partial_record_is_dropped() {
        let mut history = fall(120);
        // The third checkpoint is there, and half of its record.
        history.add_checkpoint(vec![12.0]);
        history.add_record(|numbers| numbers.extend([1.0; 5]));
        history.drop_partial_records();
        assert_eq!((history.len(), history.chunks()), (120, 2));
        let whole = fall(120);
        assert!((0..2).all(|index| history.chunk(index) == whole.chunk(index)));
    }
}
