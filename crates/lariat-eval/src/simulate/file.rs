//! File format of takes (simulation caches): a file survives a crash, and is matched to its document.
//!
//! ```text
//! "lariat take 4\n"  hash  name  start  rate  further numbers      header, once
//! kind  size  check  payload                                       chunk, repeated
//! ```
//!
//! A chunk holds a checkpoint, the records from there to the next one, and their events. It is
//! appended when it is complete, with its checksum, so a truncated file is valid up to its last whole
//! chunk, and the run resumes from that checkpoint with the same bits. The hash covers everything in
//! the document that the motion depends on: a take of any other state is refused.
//!
//! Numbers are little-endian doubles, bit for bit.
//!
//! Tests: `a_take_reads_back_bit_for_bit`, `a_truncated_take_is_read_up_to_its_last_chunk`,
//! `a_take_of_something_else_is_refused`.

use std::ops::Range;

use lariat_core::num::fnv::Fnv64;
use thiserror::Error;

use super::history::{History, RECORDS_BETWEEN, Stopped};

const MAGIC: &[u8] = b"lariat take 4\n";

/// Magic bytes of earlier versions, which had the same header and other chunks: only the name in
/// such a take can be read.
const OLDER: [&[u8]; 2] = [b"lariat take 2\n", b"lariat take 3\n"];

/// The recording of a simulation, as stored in a file.
pub(crate) trait Take: Default {
    /// Its records.
    fn history(&self) -> &History;

    /// Its records, mutably.
    fn history_mut(&mut self) -> &mut History;

    /// Further numbers of the header.
    fn head(&self) -> Vec<f64>;

    /// An empty take with the numbers of a header.
    fn from_head(number: &mut dyn FnMut() -> Result<f64, TakeError>) -> Result<Self, TakeError>;

    /// True if a checkpoint belongs to this simulation.
    fn fits(&self, checkpoint: &[f64]) -> bool;

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
}

/// Describes a take by the name in it, which is empty for the string world.
fn described(name: &str) -> String {
    if name.is_empty() {
        "the take of all strings".to_owned()
    } else {
        format!("a take of `{name}`")
    }
}

/// Kind of a chunk.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Records from one checkpoint to the next.
    Whole = 0,
    /// Records from the last checkpoint to the end.
    Part = 1,
    /// The early end of the run.
    Stopped = 2,
}

/// Position up to which a take has been written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TakeWriter {
    /// Number of whole chunks written.
    pub(crate) whole: usize,
    started: bool,
}

/// Checksum of a payload; strong enough to detect the remains of a crash.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = Fnv64::new();
    hash.bytes(bytes.iter().copied());
    hash.finish()
}

impl TakeWriter {
    /// A writer that appends to a header and `whole` chunks.
    fn after(whole: usize) -> Self {
        Self { whole, started: true }
    }

    /// Returns the new bytes: whole chunks, and with `finally` the remainder as well.
    pub(crate) fn more(
        &mut self,
        take: &impl Take,
        name: &str,
        hash: u128,
        finally: bool,
    ) -> Vec<u8> {
        let mut out = Vec::new();
        let history = take.history();
        if history.is_empty() {
            return out;
        }
        if !std::mem::replace(&mut self.started, true) {
            out.extend_from_slice(MAGIC);
            out.extend(hash.to_le_bytes());
            out.extend((name.len() as u32).to_le_bytes());
            out.extend_from_slice(name.as_bytes());
            let numbers = [history.start, history.rate].into_iter().chain(take.head());
            out.extend(numbers.flat_map(f64::to_le_bytes));
        }
        while (self.whole + 1) * RECORDS_BETWEEN <= history.len() {
            records(take, self.whole, Kind::Whole, &mut out);
            self.whole += 1;
        }
        if finally {
            if self.whole * RECORDS_BETWEEN < history.len() {
                records(take, self.whole, Kind::Part, &mut out);
            }
            if let Some(Stopped { time, why }) = &history.stopped {
                let mut payload = time.to_le_bytes().to_vec();
                payload.extend_from_slice(why.as_bytes());
                chunk(Kind::Stopped, &payload, &mut out);
            }
        }
        out
    }
}

fn chunk(kind: Kind, payload: &[u8], out: &mut Vec<u8>) {
    out.push(kind as u8);
    out.extend((payload.len() as u64).to_le_bytes());
    out.extend(checksum(payload).to_le_bytes());
    out.extend_from_slice(payload);
}

/// Appends a chunk: checkpoint `index` with its events and records.
fn records(take: &impl Take, index: usize, kind: Kind, out: &mut Vec<u8>) {
    let history = take.history();
    let Some(checkpoint) = history.checkpoints.get(index) else { return };
    let first = index * RECORDS_BETWEEN;
    let last = (first + RECORDS_BETWEEN).min(history.len());
    let events = take.events(first..last);
    let counts = [checkpoint.len(), events.len()];
    let mut payload: Vec<u8> = counts.into_iter().flat_map(|n| (n as u64).to_le_bytes()).collect();
    let rows = &history.numbers[first * history.row..last * history.row];
    let all = checkpoint.iter().chain(&events).chain(rows);
    payload.extend(all.flat_map(|number| number.to_le_bytes()));
    chunk(kind, &payload, out);
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

    fn number(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }

    fn count(&mut self) -> Option<usize> {
        self.array().map(u64::from_le_bytes).and_then(|count| usize::try_from(count).ok())
    }
}

/// Hash and name; no hash for a take of an earlier version, which matches no current state.
fn read_name(reader: &mut Reader<'_>) -> Result<(Option<u128>, String), TakeError> {
    let older = match reader.bytes(MAGIC.len()) {
        Some(MAGIC) => false,
        Some(magic) if OLDER.contains(&magic) => true,
        None if MAGIC.starts_with(reader.0) => return Err(TakeError::CutShort),
        _ => return Err(TakeError::NotATake),
    };
    let hash = reader.array().map(u128::from_le_bytes).ok_or(TakeError::CutShort)?;
    let length = reader.array().map(u32::from_le_bytes).ok_or(TakeError::CutShort)?;
    let name = reader.bytes(length as usize).ok_or(TakeError::CutShort)?.to_vec();
    let name = String::from_utf8(name).map_err(|_| TakeError::NotATake)?;
    Ok(((!older).then_some(hash), name))
}

/// Returns the name of the body that a take is of, empty for the string world; and the reason why the
/// take does not match `hash`, if it does not. The beginning of the file is enough: the length of the
/// name plus some hundred bytes.
pub fn take_of(bytes: &[u8], hash: u128) -> Result<(String, Option<TakeError>), TakeError> {
    read_name(&mut Reader(bytes)).map(|(its, name)| (name, other_state(its, hash)))
}

/// Reason why a take with the hash `its` does not match `hash`; `its` is `None` for earlier versions.
fn other_state(its: Option<u128>, hash: u128) -> Option<TakeError> {
    match its {
        None => Some(TakeError::Older),
        Some(its) => (its != hash).then_some(TakeError::OtherDocument),
    }
}

/// Reads a take up to its last valid chunk. Returns also the number of bytes up to its last whole
/// chunk, and a writer that appends there.
pub(crate) fn read<T: Take>(
    bytes: &[u8],
    name: &str,
    hash: u128,
) -> Result<(T, usize, TakeWriter), TakeError> {
    let mut reader = Reader(bytes);
    let (its, body) = read_name(&mut reader)?;
    if body != name {
        return Err(TakeError::OtherBody(body));
    }
    if let Some(other) = other_state(its, hash) {
        return Err(other);
    }
    let mut number = || reader.number().ok_or(TakeError::CutShort);
    let (start, rate) = (number()?, number()?);
    let mut take = T::from_head(&mut number)?;
    (take.history_mut().start, take.history_mut().rate) = (start, rate);
    let mut whole = bytes.len() - reader.0.len();
    let mut chunks = 0;
    while let Some(kind) = next(&mut reader, &mut take) {
        if kind == Kind::Whole as u8 {
            chunks += 1;
            whole = bytes.len() - reader.0.len();
        }
    }
    Ok((take, whole, TakeWriter::after(chunks)))
}

/// Reads the next chunk, if it is complete and fits those before it.
fn next(reader: &mut Reader<'_>, take: &mut impl Take) -> Option<u8> {
    let [kind] = reader.array()?;
    let (size, check) = (reader.count()?, reader.count()?);
    let payload = reader.bytes(size)?;
    if checksum(payload) != check as u64 || take.history().stopped.is_some() {
        return None;
    }
    let mut payload = Reader(payload);
    if kind == Kind::Stopped as u8 {
        let time = payload.number()?;
        let why = String::from_utf8_lossy(payload.0).into_owned();
        take.history_mut().stopped = Some(Stopped { time, why });
        return Some(kind);
    }
    let (from, row) = (take.history().len(), take.history().row);
    let (state, events) = (payload.count()?, payload.count()?);
    let mut numbers = Vec::with_capacity(payload.0.len() / 8);
    while let Some(number) = payload.number() {
        numbers.push(number);
    }
    let (checkpoint, rest) = numbers.split_at_checked(state)?;
    let (events, records) = rest.split_at_checked(events)?;
    let count = records.len() / row;
    // No chunk can follow a partial one.
    let fits = take.history().is_due()
        && records.len().is_multiple_of(row)
        && (1..=RECORDS_BETWEEN).contains(&count)
        && take.fits(checkpoint);
    if !fits {
        return None;
    }
    take.add_events(events, from..from + count)?;
    let history = take.history_mut();
    history.checkpoints.push(checkpoint.to_vec());
    history.numbers.extend_from_slice(records);
    Some(kind)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use lariat_core::dynamics::spline_rope::State;

    use super::super::take::BodyTake;
    use super::*;

    fn example(records: usize) -> BodyTake {
        let mut take = BodyTake { length: 2.0, needed: Some(9000.0), ..BodyTake::new(4) };
        (take.history.start, take.history.rate) = (0.5, 240.0);
        for i in 0..records {
            let mut state = checkpoint_state();
            state.positions.fill(DVec3::splat(i as f64 / 3.0));
            state.velocities.fill(DVec3::X * 0.1);
            let moved = (&state.positions[..], &state.velocities[..]);
            take.record(
                moved,
                |out| state.to_numbers(out),
                &[1.0, i as f64, 2.0, 3.0],
                DVec3::new(0.1, 0.2, i as f64),
            );
        }
        take
    }

    /// A state of a rope with four control points.
    fn checkpoint_state() -> State {
        let line: Vec<DVec3> = (0..4).map(|i| DVec3::X * f64::from(i)).collect();
        let section = lariat_core::dynamics::material::MATERIALS[0].at_radius(0.01);
        let build = lariat_core::dynamics::spline_rope::Build::new(4, section);
        lariat_core::dynamics::spline_rope::SplineRope::along(&line, &build).unwrap().state
    }

    fn written(take: &BodyTake) -> Vec<u8> {
        TakeWriter::default().more(take, "rope", 7, true)
    }

    fn read_rope(
        bytes: &[u8],
        name: &str,
        hash: u128,
    ) -> Result<(BodyTake, usize, TakeWriter), TakeError> {
        read(bytes, name, hash)
    }

    #[test]
    fn a_take_reads_back_bit_for_bit() {
        for records in [1, 59, 60, 61, 150] {
            let mut take = example(records);
            take.history.stopped =
                (records == 150).then(|| Stopped { time: 1.0, why: "it did".into() });
            let (read, _, writer) = read_rope(&written(&take), "rope", 7).unwrap();
            assert_eq!(read.history.numbers, take.history.numbers, "{records}");
            assert_eq!(read.history.checkpoints, take.history.checkpoints);
            assert_eq!(read.history.stopped, take.history.stopped);
            assert_eq!((read.history.start, read.history.rate, read.length), (0.5, 240.0, 2.0));
            assert_eq!(read.needed, Some(9000.0));
            assert_eq!(writer, TakeWriter::after(records / RECORDS_BETWEEN));
        }
    }

    #[test]
    fn a_truncated_take_is_read_up_to_its_last_chunk() {
        let take = example(200);
        let bytes = written(&take);
        let (_, whole, _) = read_rope(&bytes, "rope", 7).unwrap();
        for cut in [bytes.len() - 1, whole + 5, whole] {
            let (read, kept, _) = read_rope(&bytes[..cut], "rope", 7).unwrap();
            assert_eq!(
                (read.history.len(), read.history.checkpoints.len(), kept),
                (180, 3, whole),
                "{cut}"
            );
        }
        // With a flipped bit in the second chunk, only the first is read.
        let mut flipped = bytes.clone();
        flipped[whole / 2] ^= 1;
        assert_eq!(read_rope(&flipped, "rope", 7).unwrap().0.history.len(), 60);
        // Appending from there writes the same file.
        let mut writer = read_rope(&bytes[..whole], "rope", 7).unwrap().2;
        let mut again = bytes[..whole].to_vec();
        again.extend(writer.more(&take, "rope", 7, true));
        assert_eq!(again, bytes);
    }

    #[test]
    fn a_take_of_something_else_is_refused() {
        let bytes = written(&example(3));
        assert_eq!(read_rope(&bytes, "rope", 8).err(), Some(TakeError::OtherDocument));
        assert_eq!(read_rope(&bytes, "rein", 7).err(), Some(TakeError::OtherBody("rope".into())));
        assert_eq!(read_rope(b"lariat = 2", "rope", 7).err(), Some(TakeError::NotATake));
        assert_eq!(read_rope(b"", "rope", 7).err(), Some(TakeError::CutShort));
        for cut in [5, 20, 40, 70] {
            assert_eq!(
                read_rope(&bytes[..cut], "rope", 7).err(),
                Some(TakeError::CutShort),
                "{cut}"
            );
        }
        assert_eq!(take_of(&bytes[..100], 7), Ok(("rope".into(), None)));
        let other = TakeError::OtherDocument;
        assert_eq!(take_of(&bytes, 8), Ok(("rope".into(), Some(other))));
        for magic in OLDER {
            let mut older = bytes.clone();
            older[..magic.len()].copy_from_slice(magic);
            assert_eq!(take_of(&older, 7), Ok(("rope".into(), Some(TakeError::Older))));
            assert_eq!(read_rope(&older, "rope", 7).err(), Some(TakeError::Older));
        }
    }
}
