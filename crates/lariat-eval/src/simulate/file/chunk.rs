//! Chunks of a take: kind, index, size, checksums and payload.

use lariat_core::num::fnv::Fnv128;

use super::{Reader, Take};
use crate::simulate::history::Chunk;

/// Bytes of a chunk before its payload.
pub(super) const CHUNK_HEAD: usize = 41;

/// Kind of a chunk.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Records from one checkpoint to the next.
    Whole = 0,
    /// Records from the last checkpoint to the end.
    Part = 1,
    /// The early end of the run.
    Stopped = 2,
}

impl Kind {
    fn from_byte(byte: u8) -> Option<Self> {
        [Self::Whole, Self::Part, Self::Stopped].into_iter().find(|kind| *kind as u8 == byte)
    }
}

/// Checksum of a chunk; `head` are its bytes before the checksum.
fn chunk_checksum(key: u128, head: &[u8], payload: &[u8]) -> u128 {
    let mut hash = Fnv128::new();
    hash.many_bytes(&key.to_le_bytes());
    hash.many_bytes(head);
    hash.many_bytes(payload);
    hash.finish()
}

fn head_checksum(head: &[u8]) -> u64 {
    let mut hash = Fnv128::new();
    hash.many_bytes(head);
    hash.finish() as u64
}

pub(super) fn write_chunk(kind: Kind, index: usize, payload: &[u8], key: u128, out: &mut Vec<u8>) {
    let from = out.len();
    out.push(kind as u8);
    out.extend((index as u64).to_le_bytes());
    out.extend((payload.len() as u64).to_le_bytes());
    let check = chunk_checksum(key, &out[from..], payload);
    out.extend(check.to_le_bytes());
    let check = head_checksum(&out[from..]);
    out.extend(check.to_le_bytes());
    out.extend_from_slice(payload);
}

/// Payload of a chunk: its checkpoint, events and records. None if the chunk is not in memory.
pub(super) fn records_payload(take: &impl Take, index: usize) -> Option<Vec<u8>> {
    let Chunk { checkpoint, rows } = take.history().chunk(index)?;
    let events = take.events(take.history().records_of(index));
    let counts = [checkpoint.len(), events.len()];
    let mut payload = Vec::with_capacity(8 * (2 + checkpoint.len() + events.len() + rows.len()));
    payload.extend(counts.into_iter().flat_map(|count| (count as u64).to_le_bytes()));
    let all = checkpoint.iter().chain(&events).chain(rows);
    payload.extend(all.flat_map(|number| number.to_le_bytes()));
    Some(payload)
}

/// Fields of a chunk before its payload.
pub(super) struct ChunkHead {
    pub kind: Kind,
    /// Bytes of the payload.
    pub size: u64,
    /// Bytes that the checksum covers.
    covered: [u8; COVERED],
    check: u128,
}

/// Bytes of a chunk before its checksum: kind, index and size.
const COVERED: usize = 17;

impl ChunkHead {
    /// Reads the fields of the chunk with this index; none if they are damaged or of another chunk.
    pub(super) fn read(bytes: &[u8; CHUNK_HEAD], index: usize) -> Option<Self> {
        let (fields, check) = bytes.split_last_chunk()?;
        if head_checksum(fields) != u64::from_le_bytes(*check) {
            return None;
        }
        let mut reader = Reader(bytes);
        let covered = *bytes.first_chunk()?;
        let [kind] = reader.array()?;
        let [its_index, size] = [reader.count()?, reader.count()?];
        let check = reader.array().map(u128::from_le_bytes)?;
        let kind = Kind::from_byte(kind)?;
        (its_index == index).then_some(Self { kind, size: size as u64, covered, check })
    }

    /// True if the payload is the one that was written after a header with this checksum.
    pub(super) fn fits(&self, key: u128, payload: &[u8]) -> bool {
        chunk_checksum(key, &self.covered, payload) == self.check
    }
}

/// Reads the checkpoint and the records of a payload into `chunk`, which is empty, and returns its
/// events; none if its counts exceed its size.
pub(super) fn read_payload(payload: &[u8], chunk: &mut Chunk) -> Option<Vec<f64>> {
    let mut reader = Reader(payload);
    let (state, events) = (reader.count()?, reader.count()?);
    let checkpoint = reader.bytes(state.checked_mul(8)?)?;
    let events = reader.bytes(events.checked_mul(8)?)?;
    let rows = reader.0.len().is_multiple_of(8).then_some(reader.0)?;
    chunk.checkpoint.extend(Reader(checkpoint).numbers());
    chunk.rows.extend(Reader(rows).numbers());
    Some(Reader(events).numbers().collect())
}

/// Reads a whole chunk of records into `chunk`, which is empty; none if it is damaged, or another one.
pub(in crate::simulate) fn decode_chunk(
    bytes: &[u8],
    key: u128,
    index: usize,
    chunk: &mut Chunk,
) -> Option<()> {
    let (head, payload) = bytes.split_first_chunk()?;
    let head = ChunkHead::read(head, index)?;
    let right = head.size == payload.len() as u64 && head.fits(key, payload);
    right.then(|| read_payload(payload, chunk)).flatten().map(drop)
}
