//! Reads a take, chunk by chunk.

use std::io;

use lariat_core::num::is_in_range;

use super::chunk::{CHUNK_HEAD, ChunkHead, Kind, read_payload};
use super::header::{LONGEST_HEADER, read_header, take_of};
use super::{Take, TakeError};
use crate::simulate::history::{RECORDS_BETWEEN, Stopped};
use crate::simulate::storage::Storage;
use crate::simulate::tape::{Place, Tape, TapeUse};

/// State of the end of a take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeEnd {
    /// All bytes belong to the take.
    Complete,
    /// The last chunk is incomplete, as a crash leaves it.
    CutShort,
    /// The chunk at this byte is damaged or does not fit; it and everything after it was not read.
    Damaged {
        /// Position in the file.
        byte: u64,
    },
}

/// Reads a take up to its last valid chunk into `take`, which has no records yet, and keeps the storage
/// as its tape. Memory is bounded by the limits of the recording.
pub(crate) fn load<T: Take>(
    take: &mut T,
    mut storage: Box<dyn Storage>,
    (name, hash): (&str, u128),
    used_for: TapeUse,
) -> Result<TakeEnd, TakeError> {
    let size = storage.size().map_err(|error| unreadable(&error))?;
    let mut bytes = vec![0; size.min(LONGEST_HEADER) as usize];
    storage.read_at(0, &mut bytes).map_err(|error| unreadable(&error))?;
    let (body, state) = take_of(&bytes, hash)?;
    if body != name {
        return Err(TakeError::OtherBody(body));
    }
    if let Some(state) = state {
        return Err(state);
    }
    let header = read_header(&bytes)?;
    let history = take.history();
    let expected = [history.start, history.rate].map(f64::to_bits);
    let (given, further) = header.numbers.split_at_checked(2).ok_or(TakeError::Damaged)?;
    let same = given.iter().map(|number| number.to_bits()).eq(expected);
    if !same || !take.set_head(further) {
        return Err(TakeError::Damaged);
    }
    drop(bytes);
    let mut tape = Tape::new(storage, name, hash, used_for);
    tape.set_header(header.key, header.size as u64);
    let end = read_chunks(take, &mut tape, header.size as u64, size)?;
    let history = take.history_mut();
    tape.complete = (end == TakeEnd::Complete).then(|| (history.len(), history.stopped.is_some()));
    history.tape = Some(tape);
    Ok(end)
}

fn unreadable(error: &io::Error) -> TakeError {
    TakeError::Unreadable(error.to_string())
}

/// Reads chunks from `offset` on.
fn read_chunks<T: Take>(
    take: &mut T,
    tape: &mut Tape,
    mut offset: u64,
    size: u64,
) -> Result<TakeEnd, TakeError> {
    let key = tape.key().ok_or(TakeError::Damaged)?;
    let mut payload = Vec::new();
    loop {
        let left = size - offset;
        match left {
            0 => return Ok(TakeEnd::Complete),
            _ if left < CHUNK_HEAD as u64 => return Ok(TakeEnd::CutShort),
            _ => {}
        }
        let mut head = [0; CHUNK_HEAD];
        tape.storage().read_at(offset, &mut head).map_err(|error| unreadable(&error))?;
        let damaged = Ok(TakeEnd::Damaged { byte: offset });
        let Some(head) = ChunkHead::read(&head, take.history().chunks()) else { return damaged };
        if head.size > largest(take) {
            return damaged;
        }
        let place = Place { offset, size: CHUNK_HEAD as u64 + head.size };
        if place.size > left {
            return Ok(TakeEnd::CutShort);
        }
        payload.resize(head.size as usize, 0);
        tape.storage()
            .read_at(offset + CHUNK_HEAD as u64, &mut payload)
            .map_err(|error| unreadable(&error))?;
        if !head.fits(key, &payload) || add(take, &head, &payload, place).is_none() {
            return damaged;
        }
        offset += place.size;
        if head.kind == Kind::Whole {
            tape.rewind(Some(place));
        }
    }
}

/// Largest payload that is read, in bytes. The limit on memory holds for the numbers of a chunk as
/// well, unless a record alone needs more.
fn largest(take: &impl Take) -> u64 {
    let history = take.history();
    let rows = (8 * history.row * RECORDS_BETWEEN) as u64;
    history.limits.memory.max(rows.saturating_mul(4)).max(1 << 16)
}

/// Adds a chunk; none if it is not possible there.
fn add<T: Take>(take: &mut T, head: &ChunkHead, payload: &[u8], place: Place) -> Option<()> {
    if take.history().stopped.is_some() {
        return None;
    }
    if head.kind == Kind::Stopped {
        let (time, why) = payload.split_first_chunk()?;
        let time = Some(f64::from_le_bytes(*time)).filter(|time| time.is_finite())?;
        let why = String::from_utf8(why.to_vec()).ok()?;
        take.history_mut().stopped = Some(Stopped { time, why });
        return Some(());
    }
    let mut chunk = take.history_mut().spare_chunk();
    let events = read_payload(payload, &mut chunk)?;
    let rows = &chunk.rows;
    let (from, row) = (take.history().len(), take.history().row);
    let count = rows.len().checked_div(row)?;
    let possible = match head.kind {
        Kind::Whole => count == RECORDS_BETWEEN,
        _ => (1..RECORDS_BETWEEN).contains(&count),
    };
    // No chunk can follow a partial one.
    let fits = possible
        && take.history().is_due()
        && rows.len().is_multiple_of(row)
        && rows.iter().all(|number| is_in_range(*number))
        && rows.chunks_exact(row).all(|row| take.can_record(row))
        && take.fits(&chunk.checkpoint);
    if !fits {
        return None;
    }
    take.add_events(&events, from..from + count)?;
    take.history_mut().add_chunk(chunk, place);
    Some(())
}
