//! Tests of the file format of takes.

use glam::DVec3;
use lariat_core::dynamics::spline_rope::State;

use super::header::OLDER;
use super::*;
use crate::simulate::history::{RECORDS_BETWEEN, Stopped};
use crate::simulate::storage::{MemoryStorage, Storage};
use crate::simulate::take::BodyTake;
use crate::simulate::tape::{Tape, TapeUse};

/// A recording without records, with the header of the example.
fn blank() -> BodyTake {
    let mut take = BodyTake { length: 2.0, needed: Some(9000.0), ..BodyTake::default() };
    take.begin(0.5, 240.0, 4);
    take
}

fn example(records: usize) -> BodyTake {
    let mut take = blank();
    add_records(&mut take, 0..records);
    take
}

fn add_records(take: &mut BodyTake, records: Range<usize>) {
    for i in records {
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
        if take.history.is_due() {
            write_full_chunks(take);
        }
    }
}

/// A state of a rope with four control points.
fn checkpoint_state() -> State {
    let line: Vec<DVec3> = (0..4).map(|i| DVec3::X * f64::from(i)).collect();
    let section = lariat_core::dynamics::material::MATERIALS[0].at_radius(0.01);
    let build = lariat_core::dynamics::spline_rope::Build::new(4, section);
    lariat_core::dynamics::spline_rope::SplineRope::along(&line, &build).unwrap().state
}

fn written(take: &mut BodyTake) -> Vec<u8> {
    bytes_of(take, "rope", 7)
}

/// Loads a take of the example; the storage can be inspected afterwards.
fn load_from(
    storage: &MemoryStorage,
    name: &str,
    hash: u128,
) -> Result<(BodyTake, TakeEnd), TakeError> {
    let mut take = blank();
    let storage: Box<dyn Storage> = Box::new(storage.clone());
    let end = load(&mut take, storage, (name, hash), TapeUse::Record)?;
    Ok((take, end))
}

fn read(bytes: &[u8]) -> Result<(BodyTake, TakeEnd), TakeError> {
    load_from(&MemoryStorage::new(bytes), "rope", 7)
}

/// Positions of all chunks of a take, and its end.
fn chunk_starts(bytes: &[u8], header: usize) -> Vec<usize> {
    let mut starts = vec![header];
    while let Some(last) = starts.last().copied().filter(|last| *last < bytes.len()) {
        let size = bytes[last + 9..last + 17].try_into().map(u64::from_le_bytes).unwrap();
        starts.push(last + chunk::CHUNK_HEAD + size as usize);
    }
    starts
}

/// Bytes of the header of the example.
fn header_size() -> usize {
    Header::of(&blank(), "rope", 7).bytes.len()
}

fn all_rows(take: &mut BodyTake) -> Vec<f64> {
    let mut rows = Vec::new();
    for index in 0..take.history.chunks() {
        assert!(take.history.fetch(index));
        rows.extend_from_slice(&take.history.chunk(index).unwrap().rows);
    }
    rows
}

#[test]
fn a_take_reads_back_bit_for_bit() {
    for records in [1, 59, 60, 61, 150] {
        let mut take = example(records);
        take.history.stopped =
            (records == 150).then(|| Stopped { time: 1.0, why: "it did".into() });
        let (mut found, end) = read(&written(&mut take)).unwrap();
        assert_eq!(end, TakeEnd::Complete);
        assert_eq!(found.history.len(), records);
        assert_eq!(all_rows(&mut found), all_rows(&mut take), "{records}");
        assert_eq!(found.history.last_checkpoint(), take.history.last_checkpoint());
        assert_eq!(found.history.stopped, take.history.stopped);
        assert_eq!((found.length, found.needed), (2.0, Some(9000.0)));
        assert_eq!(written(&mut found), written(&mut take));
    }
}

#[test]
fn a_truncated_take_is_read_up_to_its_last_chunk() {
    let mut take = example(200);
    let bytes = written(&mut take);
    let starts = chunk_starts(&bytes, header_size());
    assert_eq!(starts.len(), 5, "three full chunks and a partial one");
    for cut in header_size()..bytes.len() {
        let (found, end) = read(&bytes[..cut]).unwrap();
        let chunks = starts[1..].iter().filter(|end| **end <= cut).count();
        assert_eq!(found.history.chunks(), chunks, "{cut}");
        let whole = starts.contains(&cut);
        assert_eq!(end, if whole { TakeEnd::Complete } else { TakeEnd::CutShort }, "{cut}");
        // Recording from there on writes the same file.
        if cut % 97 == 0 || cut.abs_diff(starts[3]) < 3 {
            let storage = MemoryStorage::new(&bytes[..cut]);
            let (mut found, _) = load_from(&storage, "rope", 7).unwrap();
            found.history.keep_chunks(chunks.min(3));
            let from = found.history.len();
            add_records(&mut found, from..200);
            write_to_end(&mut found);
            assert!(storage.bytes() == bytes, "{cut}");
        }
    }
}

#[test]
fn no_flipped_bit_is_read() {
    let mut take = example(130);
    let bytes = written(&mut take);
    let rows = all_rows(&mut take);
    let starts = chunk_starts(&bytes, header_size());
    let step = if bytes.len() > 4000 { 3 } else { 1 };
    let (mut refused, mut shortened) = (0, 0);
    for bit in (0..8 * header_size()).chain((8 * header_size()..8 * bytes.len()).step_by(step)) {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        match read(&flipped) {
            Err(_) => {
                assert!(bit / 8 < header_size(), "bit {bit}");
                refused += 1;
            }
            Ok((mut found, end)) => {
                let chunk = starts.iter().rposition(|start| *start <= bit / 8).unwrap();
                assert_eq!(end, TakeEnd::Damaged { byte: starts[chunk] as u64 }, "bit {bit}");
                assert_eq!(found.history.chunks(), chunk, "bit {bit}");
                assert!(rows.starts_with(&all_rows(&mut found)), "bit {bit}");
                shortened += 1;
            }
        }
    }
    assert_eq!(refused, 8 * header_size());
    assert!(shortened > 1000, "{shortened}");
}

#[test]
fn misplaced_chunks_are_not_read() {
    let mut take = example(200);
    let bytes = written(&mut take);
    let starts = chunk_starts(&bytes, header_size());
    let chunks: Vec<&[u8]> = starts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
    let header = &bytes[..header_size()];
    let joined = |order: &[usize]| {
        let mut joined = header.to_vec();
        for index in order {
            joined.extend_from_slice(chunks[*index]);
        }
        joined
    };
    for (order, valid) in [
        (&[0, 1, 2, 3][..], 4),
        (&[1, 2, 3], 0),
        (&[0, 2, 3], 1),
        (&[0, 1, 1, 2, 3], 2),
        (&[0, 2, 1, 3], 1),
        (&[1, 0, 2, 3], 0),
        (&[0, 1, 3], 2),
        (&[0, 1, 2, 3, 3], 4),
    ] {
        let (found, end) = read(&joined(order)).unwrap();
        assert_eq!(found.history.chunks(), valid, "{order:?}");
        assert_eq!(end == TakeEnd::Complete, valid == order.len(), "{order:?}");
    }
    // A chunk of another take does not fit, even at the right place.
    let mut other = bytes_of(&mut example(200), "rope", 8);
    other.splice(..header_size(), header.iter().copied());
    assert_eq!(read(&other).unwrap().0.history.len(), 0);
}

#[test]
fn a_forged_take_is_checked_like_any_input() {
    let forged = |change: &dyn Fn(&mut BodyTake)| {
        let mut take = example(70);
        change(&mut take);
        read(&written(&mut take)).map(|(take, end)| (take.history.len(), end))
    };
    assert_eq!(forged(&|_| ()).unwrap(), (70, TakeEnd::Complete));
    for number in [f64::NAN, f64::INFINITY] {
        let (records, end) = forged(&|take| {
            add_records(take, 70..120);
            take.history.add_checkpoint(vec![0.0]);
            let row = vec![number; take.history.row];
            take.history.add_record(|numbers| numbers.extend(&row));
        })
        .unwrap();
        assert!(records == 120 && matches!(end, TakeEnd::Damaged { .. }), "{records} {end:?}");
    }
    // Other counts, start, rate or length than those of the scene.
    for change in [
        &|take: &mut BodyTake| take.points = 1,
        &|take: &mut BodyTake| take.history.start = 0.25,
        &|take: &mut BodyTake| take.history.rate = 120.0,
        &|take: &mut BodyTake| take.history.rate = f64::NAN,
        &|take: &mut BodyTake| take.length = f64::NAN,
        &|take: &mut BodyTake| take.needed = Some(f64::INFINITY),
    ] as [&dyn Fn(&mut BodyTake); 6]
    {
        assert_eq!(forged(change).err(), Some(TakeError::Damaged));
    }
    // A chunk that claims more bytes than the limit on memory is not allocated.
    let bytes = written(&mut example(1));
    let mut take = blank();
    take.history.limits.memory = 0;
    let storage = Box::new(MemoryStorage::new(bytes));
    assert_eq!(load(&mut take, storage, ("rope", 7), TapeUse::Never), Ok(TakeEnd::Complete));
}

#[test]
fn a_long_recording_needs_no_more_memory_than_its_limit() {
    let storage = MemoryStorage::default();
    for used_for in [TapeUse::Record, TapeUse::Overflow] {
        let mut take = blank();
        take.history.limits.memory = 100_000;
        take.history.tape = Some(Tape::new(Box::new(storage.clone()), "rope", 7, used_for));
        add_records(&mut take, 0..6000);
        // The limit and four chunks; all records have 1.5 MB.
        assert!(take.history.bytes_in_memory() < 180_000, "{}", take.history.bytes_in_memory());
        // All records can be read, in any order.
        let mut whole = example(6000);
        for index in [0, 99, 50, 1, 98, 0] {
            assert!(take.history.fetch(index) && whole.history.fetch(index));
            assert_eq!(take.history.chunk(index), whole.history.chunk(index), "{index}");
            assert!(take.history.bytes_in_memory() < 180_000);
        }
        if used_for == TapeUse::Record {
            write_to_end(&mut take);
            assert!(storage.bytes() == written(&mut whole), "the file is that of a short run");
        }
        // A tape that was changed by somebody else is noticed.
        let mut bytes = storage.bytes();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        storage.clone().write_at(0, &bytes).unwrap();
        let lost = (0..100).filter(|index| !take.history.fetch(*index)).count();
        assert_eq!(lost, 1);
    }
}

#[test]
fn a_take_of_something_else_is_refused() {
    let bytes = written(&mut example(3));
    let refused = |bytes: &[u8], name: &str, hash: u128| {
        load_from(&MemoryStorage::new(bytes), name, hash).err()
    };
    assert_eq!(refused(&bytes, "rope", 8), Some(TakeError::OtherDocument));
    assert_eq!(refused(&bytes, "rein", 7), Some(TakeError::OtherBody("rope".into())));
    assert_eq!(refused(b"lariat = 2", "rope", 7), Some(TakeError::NotATake));
    for cut in 0..header_size() {
        assert_eq!(refused(&bytes[..cut], "rope", 7), Some(TakeError::CutShort), "{cut}");
    }
    assert_eq!(take_of(&bytes[..header_size()], 7), Ok(("rope".into(), None)));
    let other = TakeError::OtherDocument;
    assert_eq!(take_of(&bytes, 8), Ok(("rope".into(), Some(other))));
    // Earlier versions: a header without a checksum.
    for magic in OLDER {
        let mut older = magic.to_vec();
        older.extend(7_u128.to_le_bytes());
        older.extend(4_u32.to_le_bytes());
        older.extend_from_slice(b"rope");
        older.extend([0; 60]);
        assert_eq!(take_of(&older, 7), Ok(("rope".into(), Some(TakeError::Older))));
        assert_eq!(refused(&older, "rope", 7), Some(TakeError::Older));
    }
    assert_eq!(RECORDS_BETWEEN, 60, "part of the format");
}
