//! The take of a tangle as bytes: laid out as that of a body is (see `simulate/file.rs`), with what tore
//! in every chunk.
//!
//! ```text
//! "lariat take 2\n"  hash  name  start  rate  particles  solids   once
//! kind  size  check  payload                                      as often as there is something
//! ```
//!
//! Tests, in `tests/suite/strings.rs`: `a_run_in_pieces_is_the_same_bits_as_one`.

use lariat_string::Cause;

use super::take::{TangleTake, Tear};
use crate::simulate::file::{self, Kind, Reader, TakeError, TakeWriter};
use crate::simulate::take::{RECORDS_BETWEEN, Stopped};

/// What stands for the name of a body in the take of all strings. No body is called that: names are
/// not blank.
pub(crate) const TANGLE: &str = "";

/// Numbers that a tear takes.
const TEAR: usize = 5;

/// The bytes that are new: whole chunks, and at the very end (`finally`) what is left.
pub(crate) fn more(
    writer: &mut TakeWriter,
    take: &TangleTake,
    hash: u128,
    finally: bool,
) -> Vec<u8> {
    let mut out = Vec::new();
    if take.is_empty() {
        return out;
    }
    if writer.begin() {
        file::name_head(TANGLE, hash, &mut out);
        for number in [take.start, take.rate, take.particles as f64, take.solids as f64] {
            out.extend(number.to_le_bytes());
        }
    }
    while (writer.whole + 1) * RECORDS_BETWEEN <= take.len() {
        records(take, writer.whole, Kind::Whole, &mut out);
        writer.whole += 1;
    }
    if finally {
        if writer.whole * RECORDS_BETWEEN < take.len() {
            records(take, writer.whole, Kind::Part, &mut out);
        }
        if let Some(stopped) = &take.stopped {
            file::stopped_chunk(stopped, &mut out);
        }
    }
    out
}

/// Checkpoint `index`, what tore since, and its records.
fn records(take: &TangleTake, index: usize, kind: Kind, out: &mut Vec<u8>) {
    let Some(checkpoint) = take.checkpoints.get(index) else { return };
    let row = take.row();
    let first = index * RECORDS_BETWEEN;
    let last = (first + RECORDS_BETWEEN).min(take.len());
    let mut tears = Vec::new();
    for tear in take.tears.iter().filter(|tear| (first..last).contains(&tear.record)) {
        let whole = [tear.record, tear.string, tear.segment, tear.cause as usize];
        tears.extend(whole.map(|number| number as f64));
        tears.push(tear.time);
    }
    let mut payload = (checkpoint.len() as u64).to_le_bytes().to_vec();
    payload.extend((tears.len() as u64).to_le_bytes());
    let all = checkpoint.iter().chain(&tears).chain(&take.numbers[first * row..last * row]);
    payload.extend(all.flat_map(|number| number.to_le_bytes()));
    file::chunk(kind, &payload, out);
}

/// Reads a take as far as it is whole; and how many bytes are worth keeping, with how many chunks.
pub(crate) fn read(bytes: &[u8], hash: u128) -> Result<(TangleTake, usize, TakeWriter), TakeError> {
    let mut reader = Reader(bytes);
    let (its, whose) = file::read_name(&mut reader)?;
    if whose != TANGLE {
        return Err(TakeError::OtherBody(whose));
    }
    if its != hash {
        return Err(TakeError::OtherDocument);
    }
    let mut number = || reader.number().ok_or(TakeError::CutShort);
    let [start, rate, particles, solids] = [number()?, number()?, number()?, number()?];
    let many = |number: f64| (0.0..1e9).contains(&number);
    if !many(particles) || !many(solids) || particles + solids < 1.0 {
        return Err(TakeError::NotATake);
    }
    let (particles, solids) = (particles as usize, solids as usize);
    let mut take = TangleTake { start, rate, particles, solids, ..TangleTake::default() };
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

/// One more chunk, if it is whole and fits what came before.
fn next(reader: &mut Reader<'_>, take: &mut TangleTake) -> Option<u8> {
    let (kind, payload) = file::next_chunk(reader)?;
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
    let (state, torn) = (payload.count()?, payload.count()?);
    let mut numbers = Vec::with_capacity(payload.0.len() / 8);
    while let Some(number) = payload.number() {
        numbers.push(number);
    }
    let (checkpoint, rest) = numbers.split_at_checked(state)?;
    let (tears, records) = rest.split_at_checked(torn)?;
    let from = take.len();
    let many = records.len() / take.row();
    let fits = records.len().is_multiple_of(take.row())
        && (1..=RECORDS_BETWEEN).contains(&many)
        && tears.len().is_multiple_of(TEAR);
    if !fits {
        return None;
    }
    let mut read = Vec::new();
    for tear in tears.chunks_exact(TEAR) {
        let whole = |x: f64, below: usize| (0.0..below as f64).contains(&x).then_some(x as usize);
        let record = whole(tear[0], from + many).filter(|record| *record >= from)?;
        let string = whole(tear[1], take.particles)?;
        let segment = whole(tear[2], take.particles.saturating_sub(1))?;
        let cause = [Cause::Pull, Cause::Twist, Cause::Cut][whole(tear[3], 3)?];
        read.push(Tear { record, string, segment, cause, time: tear[4] });
    }
    take.checkpoints.push(checkpoint.to_vec());
    take.tears.extend(read);
    take.numbers.extend_from_slice(records);
    Some(kind)
}
