//! A take as bytes, for a file that survives a crash and is never mixed up with another's.
//!
//! ```text
//! "lariat take 2\n"  hash  name  start  rate  length  points  needed      once
//! kind  size  check  payload                                              as often as there is something
//! ```
//!
//! A chunk is a checkpoint and the records from there to the next. It is appended when it is whole,
//! with a checksum of its own, so a file whose writing was cut short is good up to its last whole
//! chunk, and the run goes on from that checkpoint with the same bits. The hash is that of everything
//! in the document which the motion depends on: a take of any other state is refused.
//!
//! Numbers are little-endian doubles, bit for bit.
//!
//! Tests: `a_take_reads_back_bit_for_bit`, `what_was_cut_short_is_good_up_to_its_last_chunk`,
//! `a_take_of_something_else_is_refused`.

use glam::DVec3;
use lariat_core::dynamics::spline_rope::State;
use lariat_core::num::fnv::Fnv64;
use thiserror::Error;

use super::take::{BodyTake, Checkpoint, RECORDS_BETWEEN, Stopped};

const MAGIC: &[u8] = b"lariat take 2\n";

/// Why a file is no take of this body.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TakeError {
    /// It does not begin as one.
    #[error("it is no take, or one of another version")]
    NotATake,
    /// It begins as one and is cut off before anything is recorded.
    #[error("it is cut off before its first record")]
    CutShort,
    /// Another document, or another state of this one.
    #[error("it was recorded from another state of the document")]
    OtherDocument,
    /// Another body of the same document.
    #[error("it is {}", whose(.0))]
    OtherBody(String),
}

/// Whose take it is, by the name in it: that of all strings has none.
fn whose(name: &str) -> String {
    if name.is_empty() {
        "the take of all strings".to_owned()
    } else {
        format!("a take of `{name}`")
    }
}

/// What a chunk is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// From one checkpoint to the next.
    Whole = 0,
    /// From the last checkpoint as far as it went.
    Part = 1,
    /// Why it goes no further.
    Stopped = 2,
}

/// How much of a take has been handed out as bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TakeWriter {
    /// Whole chunks so far.
    pub(crate) whole: usize,
    started: bool,
}

/// Enough to notice what a crash leaves.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = Fnv64::new();
    hash.bytes(bytes.iter().copied());
    hash.finish()
}

impl TakeWriter {
    /// One that goes on after so many whole chunks, behind a header that is there.
    pub(crate) fn after(whole: usize) -> Self {
        Self { whole, started: true }
    }

    /// Whether nothing has been handed out yet; from now on something has.
    pub(super) fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.started, true)
    }

    /// The bytes that are new: whole chunks, and at the very end (`finally`) what is left.
    pub(crate) fn more(
        &mut self,
        take: &BodyTake,
        name: &str,
        hash: u128,
        finally: bool,
    ) -> Vec<u8> {
        let mut out = Vec::new();
        if take.is_empty() {
            return out;
        }
        if self.begin() {
            name_head(name, hash, &mut out);
            let sizes = [take.points as f64, take.nodes as f64, take.needed.unwrap_or(0.0)];
            for number in [take.start, take.rate, take.length].into_iter().chain(sizes) {
                out.extend(number.to_le_bytes());
            }
        }
        while (self.whole + 1) * RECORDS_BETWEEN <= take.len() {
            records(take, self.whole, Kind::Whole, &mut out);
            self.whole += 1;
        }
        if finally {
            if self.whole * RECORDS_BETWEEN < take.len() {
                records(take, self.whole, Kind::Part, &mut out);
            }
            if let Some(stopped) = &take.stopped {
                stopped_chunk(stopped, &mut out);
            }
        }
        out
    }
}

/// How every take begins: whose it is.
pub(super) fn name_head(name: &str, hash: u128, out: &mut Vec<u8>) {
    out.extend_from_slice(MAGIC);
    out.extend(hash.to_le_bytes());
    out.extend((name.len() as u32).to_le_bytes());
    out.extend_from_slice(name.as_bytes());
}

/// Why it goes no further.
pub(super) fn stopped_chunk(stopped: &Stopped, out: &mut Vec<u8>) {
    let mut payload = stopped.time.to_le_bytes().to_vec();
    payload.extend_from_slice(stopped.why.as_bytes());
    chunk(Kind::Stopped, &payload, out);
}

pub(super) fn chunk(kind: Kind, payload: &[u8], out: &mut Vec<u8>) {
    out.push(kind as u8);
    out.extend((payload.len() as u64).to_le_bytes());
    out.extend(checksum(payload).to_le_bytes());
    out.extend_from_slice(payload);
}

/// Checkpoint `index` and its records.
fn records(take: &BodyTake, index: usize, kind: Kind, out: &mut Vec<u8>) {
    let Some(checkpoint) = take.checkpoints.get(index) else { return };
    let mut numbers = Vec::new();
    numbers.extend(checkpoint.up.to_array());
    checkpoint.state.to_numbers(&mut numbers);
    let row = take.row();
    let first = index * RECORDS_BETWEEN;
    let last = (first + RECORDS_BETWEEN).min(take.len());
    let mut payload = (numbers.len() as u64).to_le_bytes().to_vec();
    let all = numbers.iter().chain(&take.numbers[first * row..last * row]);
    payload.extend(all.flat_map(|number| number.to_le_bytes()));
    chunk(kind, &payload, out);
}

/// Reads from the front.
pub(super) struct Reader<'b>(pub(super) &'b [u8]);

impl<'b> Reader<'b> {
    fn bytes(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    pub(super) fn number(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }

    pub(super) fn count(&mut self) -> Option<usize> {
        self.array().map(u64::from_le_bytes).and_then(|count| usize::try_from(count).ok())
    }
}

/// Hash and name.
pub(super) fn read_name(reader: &mut Reader<'_>) -> Result<(u128, String), TakeError> {
    match reader.bytes(MAGIC.len()) {
        Some(MAGIC) => {}
        None if MAGIC.starts_with(reader.0) => return Err(TakeError::CutShort),
        _ => return Err(TakeError::NotATake),
    }
    let hash = reader.array().map(u128::from_le_bytes).ok_or(TakeError::CutShort)?;
    let long = reader.array().map(u32::from_le_bytes).ok_or(TakeError::CutShort)?;
    let name = reader.bytes(long as usize).ok_or(TakeError::CutShort)?.to_vec();
    let name = String::from_utf8(name).map_err(|_| TakeError::NotATake)?;
    Ok((hash, name))
}

/// What a take says of itself before anything that is recorded.
fn head(reader: &mut Reader<'_>) -> Result<BodyTake, TakeError> {
    let mut number = || reader.number().ok_or(TakeError::CutShort);
    let [start, rate, length] = [number()?, number()?, number()?];
    let [points, nodes, needed] = [number()?, number()?, number()?];
    let small = |count: f64| (0.0..1e9).contains(&count).then_some(count as usize);
    let (Some(points), Some(nodes)) = (small(points), small(nodes)) else {
        return Err(TakeError::NotATake);
    };
    let needed = (needed > 0.0).then_some(needed);
    Ok(BodyTake { start, rate, length, points, nodes, needed, ..BodyTake::default() })
}

/// Whose take a file is: its body by name, or nothing for that of all strings; and whether it is of the state that the hash stands for.
/// The beginning of the file will do, if it is not shorter than the name and some hundred bytes.
pub fn take_of(bytes: &[u8], hash: u128) -> Result<(String, bool), TakeError> {
    read_name(&mut Reader(bytes)).map(|(its, name)| (name, its == hash))
}

/// Reads a take as far as it is whole; and how many bytes are worth keeping, with how many chunks.
pub(crate) fn read(
    bytes: &[u8],
    name: &str,
    hash: u128,
) -> Result<(BodyTake, usize, TakeWriter), TakeError> {
    let mut reader = Reader(bytes);
    let (its, whose) = read_name(&mut reader)?;
    if whose != name {
        return Err(TakeError::OtherBody(whose));
    }
    if its != hash {
        return Err(TakeError::OtherDocument);
    }
    let mut take = head(&mut reader)?;
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

/// Kind and payload of one more chunk, if it is whole.
pub(super) fn next_chunk<'b>(reader: &mut Reader<'b>) -> Option<(u8, &'b [u8])> {
    let [kind] = reader.array()?;
    let (size, check) = (reader.count()?, reader.count()?);
    let payload = reader.bytes(size)?;
    (checksum(payload) == check as u64).then_some((kind, payload))
}

/// One more chunk, if it is whole and fits what came before.
fn next(reader: &mut Reader<'_>, take: &mut BodyTake) -> Option<u8> {
    let (kind, payload) = next_chunk(reader)?;
    if take.stopped.is_some() {
        return None;
    }
    let mut payload = Reader(payload);
    if kind == Kind::Stopped as u8 {
        let time = payload.number()?;
        let why = String::from_utf8_lossy(payload.0).into_owned();
        take.stopped = Some(Stopped { time, why });
        return Some(kind);
    }
    // What comes after part of a chunk would not fit.
    if !take.len().is_multiple_of(RECORDS_BETWEEN) {
        return None;
    }
    let state = payload.count()?;
    let mut numbers = Vec::with_capacity(payload.0.len() / 8);
    while let Some(number) = payload.number() {
        numbers.push(number);
    }
    let (checkpoint, records) = numbers.split_at_checked(state)?;
    let (up, state) = checkpoint.split_at_checked(3)?;
    let state = State::from_numbers(state)?;
    let fits = state.fits(take.points)
        && records.len().is_multiple_of(take.row())
        && (1..=RECORDS_BETWEEN).contains(&(records.len() / take.row()));
    if !fits {
        return None;
    }
    take.checkpoints.push(Checkpoint { state, up: DVec3::from_slice(up) });
    take.numbers.extend_from_slice(records);
    Some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(records: usize) -> BodyTake {
        let mut take = BodyTake {
            start: 0.5,
            rate: 240.0,
            length: 2.0,
            points: 4,
            nodes: 2,
            needed: Some(9000.0),
            ..BodyTake::default()
        };
        for i in 0..records {
            let mut state = checkpoint_state();
            state.positions.fill(DVec3::splat(i as f64 / 3.0));
            state.velocities.fill(DVec3::X * 0.1);
            if i % RECORDS_BETWEEN == 0 {
                let up = DVec3::new(0.1, 0.2, i as f64);
                take.checkpoints.push(Checkpoint { state: state.clone(), up });
            }
            take.record(&state, &[1.0, i as f64], DVec3::Z);
        }
        take
    }

    /// Histories as long as the places.
    fn checkpoint_state() -> State {
        let line: Vec<DVec3> = (0..4).map(|i| DVec3::X * f64::from(i)).collect();
        let stuff = lariat_core::dynamics::material::MATERIALS[0].at_radius(0.01);
        let build = lariat_core::dynamics::spline_rope::Build::new(4, stuff);
        lariat_core::dynamics::spline_rope::SplineRope::along(&line, &build).unwrap().state
    }

    fn written(take: &BodyTake) -> Vec<u8> {
        TakeWriter::default().more(take, "rope", 7, true)
    }

    #[test]
    fn a_take_reads_back_bit_for_bit() {
        for records in [1, 59, 60, 61, 150] {
            let mut take = example(records);
            take.stopped = (records == 150).then(|| Stopped { time: 1.0, why: "it did".into() });
            let (read, _, writer) = read(&written(&take), "rope", 7).unwrap();
            assert_eq!(read.numbers, take.numbers, "{records}");
            assert_eq!(read.checkpoints, take.checkpoints);
            assert_eq!(read.stopped, take.stopped);
            assert_eq!((read.start, read.rate, read.length), (0.5, 240.0, 2.0));
            assert_eq!(read.needed, Some(9000.0));
            assert_eq!(writer, TakeWriter::after(records / RECORDS_BETWEEN));
        }
    }

    #[test]
    fn what_was_cut_short_is_good_up_to_its_last_chunk() {
        let take = example(200);
        let bytes = written(&take);
        let (_, whole, _) = read(&bytes, "rope", 7).unwrap();
        for cut in [bytes.len() - 1, whole + 5, whole] {
            let (read, kept, _) = read(&bytes[..cut], "rope", 7).unwrap();
            assert_eq!((read.len(), read.checkpoints.len(), kept), (180, 3, whole), "{cut}");
        }
        // A bit that flipped in the second chunk ends it after the first.
        let mut flipped = bytes.clone();
        flipped[whole / 2] ^= 1;
        assert_eq!(read(&flipped, "rope", 7).unwrap().0.len(), 60);
        // Going on from there writes the same file.
        let mut writer = read(&bytes[..whole], "rope", 7).unwrap().2;
        let mut again = bytes[..whole].to_vec();
        again.extend(writer.more(&take, "rope", 7, true));
        assert_eq!(again, bytes);
    }

    #[test]
    fn a_take_of_something_else_is_refused() {
        let bytes = written(&example(3));
        assert_eq!(read(&bytes, "rope", 8).err(), Some(TakeError::OtherDocument));
        assert_eq!(read(&bytes, "rein", 7).err(), Some(TakeError::OtherBody("rope".into())));
        assert_eq!(read(b"lariat = 1", "rope", 7).err(), Some(TakeError::NotATake));
        assert_eq!(read(b"", "rope", 7).err(), Some(TakeError::CutShort));
        for cut in [5, 20, 40, 70] {
            assert_eq!(read(&bytes[..cut], "rope", 7).err(), Some(TakeError::CutShort), "{cut}");
        }
        assert_eq!(take_of(&bytes[..100], 7), Ok(("rope".into(), true)));
        assert_eq!(take_of(&bytes, 8), Ok(("rope".into(), false)));
    }
}
