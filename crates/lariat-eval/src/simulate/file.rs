//! File format of takes (simulation caches): a file survives a crash, damage is detected, and a take is
//! matched to its document.
//!
//! ```text
//! "lariat take 5\n"  size  hash  name  numbers  check       header, once
//! kind  index  size  check  check-of-these  payload         chunk, repeated
//! ```
//!
//! The numbers of the header are the start, the rate and the size of the simulation. A chunk holds a
//! checkpoint, the records from there to the next one, and their events. It is appended when it is
//! complete, so a truncated file is valid up to its last whole chunk, and the run resumes from that
//! checkpoint with the same bits. The hash covers everything in the document that the motion depends
//! on: a take of any other state is refused.
//!
//! The check of a chunk covers its kind, index and size, its payload, and the check of the header. So
//! chunks that are damaged, missing, doubled, exchanged or from another take are not read, and neither
//! is any chunk after them. A take is input like any other: a chunk is used only if its numbers are
//! finite and fit the scene.
//!
//! Numbers are little-endian doubles, bit for bit.
//!
//! ```text
//! file/header.rs  header: document, body and size
//! file/chunk.rs   chunks: encoding, checksums, decoding
//! file/load.rs    reading a take, chunk by chunk
//! file/save.rs    writing chunks to a tape
//! ```
//!
//! Tests, in `file/tests.rs`: `a_take_reads_back_bit_for_bit`, `a_truncated_take_is_read_up_to_its_last_chunk`,
//! `no_flipped_bit_is_read`, `misplaced_chunks_are_not_read`, `a_take_of_something_else_is_refused`.

mod chunk;
mod header;
mod load;
mod save;
#[cfg(test)]
mod tests;

use std::ops::Range;

use thiserror::Error;

use super::history::History;

pub(super) use chunk::decode_chunk;
pub(super) use header::Header;
pub use header::{LONGEST_HEADER, take_of};
pub use load::TakeEnd;
pub(crate) use load::load;
pub(crate) use save::{bytes_of, write_full_chunks, write_to_end};

/// The recording of a simulation, as stored in a file.
pub(crate) trait Take: Default {
    /// Its records.
    fn history(&self) -> &History;

    /// Its records, mutably.
    fn history_mut(&mut self) -> &mut History;

    /// A copy that shares all records in memory. The tape goes with the copy.
    fn share(&mut self) -> Self;

    /// Further numbers of the header.
    fn head(&self) -> Vec<f64>;

    /// Takes over the further numbers of a header; returns false if they do not fit the simulation.
    fn set_head(&mut self, numbers: &[f64]) -> bool;

    /// True if a checkpoint belongs to this simulation.
    fn fits(&self, checkpoint: &[f64]) -> bool;

    /// True if this simulation can have a record with these numbers, which are in range.
    fn can_record(&self, _row: &[f64]) -> bool {
        true
    }

    /// Events of some records, as numbers.
    fn events(&self, records: Range<usize>) -> Vec<f64> {
        let _ = records;
        Vec::new()
    }

    /// Adds the events of some records; `None` if they are not possible.
    fn add_events(&mut self, numbers: &[f64], records: Range<usize>) -> Option<()> {
        let _ = records;
        numbers.is_empty().then_some(())
    }

    /// Drops the events of records that were dropped.
    fn trim(&mut self) {}

    /// Drops all records after a time, back to the checkpoint before it.
    fn cut(&mut self, t: f64) {
        self.history_mut().cut(t);
        self.trim();
    }
}

/// Reason why a file is not a take of this body.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TakeError {
    /// The file does not begin with the magic bytes.
    #[error("it is not a take, or was written by a newer version")]
    NotATake,
    /// The file ends before its first record.
    #[error("it ends before its first record")]
    CutShort,
    /// The take is of another document, or of another state of this one.
    #[error("it was recorded from another state of the document")]
    OtherDocument,
    /// The take was written by an earlier version with another format.
    #[error("it was recorded by an older version")]
    Older,
    /// The take is of another body of the same document.
    #[error("it is {}", described(.0))]
    OtherBody(String),
    /// The header is damaged, or does not fit the scene.
    #[error("it is damaged")]
    Damaged,
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
}

/// Describes a take by the name in it, which is empty for the string world.
fn described(name: &str) -> String {
    if name.is_empty() {
        "the take of all strings".to_owned()
    } else {
        format!("a take of `{name}`")
    }
}

/// Reads from the front.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn bytes(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    fn count(&mut self) -> Option<usize> {
        self.array().map(u64::from_le_bytes).and_then(|count| usize::try_from(count).ok())
    }

    /// All remaining numbers.
    fn numbers(&self) -> impl Iterator<Item = f64> {
        self.0.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes))
    }
}
