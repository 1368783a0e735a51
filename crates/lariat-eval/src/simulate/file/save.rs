//! Writes the chunks of a recording to its tape.

use super::chunk::{Kind, records_payload, write_chunk};
use super::{Header, Take};
use crate::simulate::history::{RECORDS_BETWEEN, Stopped};
use crate::simulate::tape::{Tape, TapeUse};

/// Appends the partial chunk at the end of a recording, and its early end.
fn write_remainder(take: &impl Take, key: u128, out: &mut Vec<u8>) {
    let history = take.history();
    let mut index = history.chunks();
    if !history.is_due() {
        index -= 1;
        if let Some(payload) = records_payload(take, index) {
            write_chunk(Kind::Part, index, &payload, key, out);
            index += 1;
        }
    }
    if let Some(Stopped { time, why }) = &history.stopped {
        let mut payload = time.to_le_bytes().to_vec();
        payload.extend_from_slice(why.as_bytes());
        write_chunk(Kind::Stopped, index, &payload, key, out);
    }
}

/// The whole recording as the bytes of a file; empty without a record.
pub(crate) fn bytes_of<T: Take>(take: &mut T, name: &str, hash: u128) -> Vec<u8> {
    if take.history().is_empty() {
        return Vec::new();
    }
    let Header { bytes: mut out, key } = Header::of(take, name, hash);
    let full = take.history().len() / RECORDS_BETWEEN;
    for index in 0..full {
        take.history_mut().fetch(index);
        let Some(payload) = records_payload(take, index) else { return out };
        write_chunk(Kind::Whole, index, &payload, key, &mut out);
    }
    write_remainder(take, key, &mut out);
    out
}

/// Writes full chunks to the tape: all of them if it records the run, otherwise those for which there
/// is no memory; then drops chunks from memory.
pub(crate) fn write_full_chunks<T: Take>(take: &mut T) {
    let Some(tape) = &take.history().tape else { return };
    let used_for = tape.used_for;
    let full = take.history().len() / RECORDS_BETWEEN;
    let mut next = (0..full).rev().find(|i| take.history().is_on_tape(*i)).map_or(0, |i| i + 1);
    loop {
        let until = match used_for {
            TapeUse::Record => full,
            TapeUse::Never => 0,
            TapeUse::Overflow => take.history().least_used().map_or(0, |index| index + 1),
        };
        if next >= until || !append(take, next) {
            break;
        }
        next += 1;
        take.history_mut().drop_unused();
    }
    take.history_mut().drop_unused();
    take.history_mut().stop_without_storage();
}

/// Appends a full chunk to the tape; returns false if that failed.
fn append<T: Take>(take: &mut T, index: usize) -> bool {
    let Some(payload) = records_payload(take, index) else { return false };
    let place = with_tape(take, |take, tape| {
        let header = Header::of(take, &tape.name, tape.hash);
        tape.append(&header, true, |key, out| {
            write_chunk(Kind::Whole, index, &payload, key, out);
        })
    });
    let Some(place) = place.flatten() else { return false };
    take.history_mut().set_place(index, place);
    true
}

/// Writes the remainder of a recording after its full chunks, unless it is there.
pub(crate) fn write_to_end<T: Take>(take: &mut T) {
    write_full_chunks(take);
    let history = take.history();
    let now = (history.len(), history.stopped.is_some());
    let is_there = |tape: &Tape| tape.used_for != TapeUse::Record || tape.complete == Some(now);
    if history.is_empty() || history.tape.as_ref().is_none_or(is_there) {
        return;
    }
    with_tape(take, |take, tape| {
        let header = Header::of(take, &tape.name, tape.hash);
        let written = tape.append(&header, false, |key, out| write_remainder(take, key, out));
        if written.is_some() {
            tape.complete = Some(now);
        }
    });
}

/// Calls `act` with the recording and its tape, if it has one.
fn with_tape<T: Take, R>(take: &mut T, act: impl FnOnce(&T, &mut Tape) -> R) -> Option<R> {
    let mut tape = take.history_mut().tape.take()?;
    let result = act(take, &mut tape);
    take.history_mut().tape = Some(tape);
    Some(result)
}
