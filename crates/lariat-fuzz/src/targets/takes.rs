//! Takes (simulation caches) of three small scenes: a spline rope, a string that tears, a solid.
//!
//! The first byte of an input selects the scene. The second is 0 if the file is loaded as it is, and
//! anything else if its beginning and its checksums are made valid first, so that wrong numbers behind
//! a valid checksum are reached too. The file follows.
//!
//! Everything about the format is in [`repaired`].

use std::sync::LazyLock;

use lariat_core::num::fnv::Fnv128;
use lariat_eval::{MemoryStorage, Scene, TakeEnd, TakeError, TapeUse, take_of};
use lariat_scene::check::check;

use super::scene::{LIMITS, frames};
use crate::promise;

/// A spline rope that is let go.
const ROPE: &str = r#"
lariat = 2
[shot]
frames = [1, 8]
[[body]]
name = "rope"
model = "suspended-rope"
from = [0, 0, 1]
to = [1, 0, 1]
length = 1.2
samples = 9
dynamics = { kind = "spline-rope", control-points = 5, hold-end = { keys = [[1, true], [4, false]] } }
"#;

/// A string that is pulled until it tears.
const STRING: &str = r#"
lariat = 2
[shot]
frames = [1, 10]
[[body]]
name = "string"
model = "suspended-rope"
from = [0, 0, 1]
to = { keys = [[1, [1, 0, 1]], [10, [2.5, 0, 1]]], interpolation = "linear" }
sag = 0.002
radius = 0.014
samples = 9
dynamics = { kind = "string", material = "rubber", segments = 6, rupture-stress = 3e5, contact = false }
"#;

/// A box that falls on a floor.
const SOLID: &str = r#"
lariat = 2
[shot]
frames = [1, 8]
[[body]]
name = "box"
model = "solid"
size = [0.2, 0.2, 0.2]
position = [0, 0, 0.3]
dynamics = { kind = "rigid", mass = 1, floor = 0 }
"#;

/// One of the scenes, with its take.
struct Recorded {
    text: &'static str,
    /// Hash of the document.
    hash: u128,
    take: Vec<u8>,
    /// Bytes before the first chunk.
    header: usize,
    /// Hashes of its frames.
    motion: Vec<u64>,
}

static RECORDED: LazyLock<[Recorded; 3]> = LazyLock::new(|| {
    [ROPE, STRING, SOLID].map(|text| {
        let (scene, hash) = bound(text);
        let body = scene.simulated()[0];
        scene.simulate(body, scene.shot().last as f64, |_| true);
        let take = scene.take_bytes(body, hash);
        let header = header_size(&take);
        let motion = motion(&scene);
        Recorded { text, hash, take, header, motion }
    })
});

/// Hashes of some frames of a recorded scene, also between two.
fn motion(scene: &Scene) -> Vec<u64> {
    let (first, last) = (scene.shot().first as f64, scene.shot().last as f64);
    let frames = [first, 0.5 * (first + last) + 0.3, last];
    frames.iter().map(|frame| promise::moment(scene, &scene.evaluate(*frame))).collect()
}

fn bound(text: &str) -> (Scene, u128) {
    let checked = check(text.as_bytes(), &LIMITS);
    assert!(checked.diagnostics.is_empty(), "{}", checked.diagnostics[0]);
    let content = checked.content.unwrap_or_else(|| unreachable!("it has no diagnostics"));
    (Scene::bind(&content.lowered), content.document.motion_hash())
}

/// Loads a take and evaluates its scene.
///
/// # Panics
/// If a promise is broken.
pub(super) fn takes(bytes: &[u8]) {
    let [which, repair, file @ ..] = bytes else { return };
    let recorded = &RECORDED[usize::from(*which) % RECORDED.len()];
    let file = if *repair == 0 { file.to_vec() } else { repaired(file, recorded) };
    let _ = take_of(&file, recorded.hash);
    let (scene, hash) = bound(recorded.text);
    let body = scene.simulated()[0];
    match load(&scene, body, hash, &file) {
        Ok((end, _)) => {
            assert!(file != recorded.take || end == TakeEnd::Complete);
            if *repair == 0 {
                assert_eq!(motion(&scene), recorded.motion, "damage changed the motion");
            }
            for frame in frames(&scene) {
                promise::moment(&scene, &scene.evaluate(frame));
            }
            scene.take_bytes(body, hash);
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert!(file != recorded.take, "a valid take was refused: {error}");
        }
    }
}

/// Bytes of a chunk before its payload: kind, index, size, checksum, checksum of these.
const CHUNK_HEAD: usize = 1 + 8 + 8 + 16 + 8;

/// Bytes of the header before its hash: magic bytes and size.
const SIZED: usize = 14 + 4 + 4;

/// Number of bytes of a header.
fn header_size(take: &[u8]) -> usize {
    let size = take.get(14..18).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    SIZED + size.unwrap_or(0) as usize
}

/// Size of the payload of the chunk at the beginning of `bytes`.
fn payload(bytes: &[u8]) -> Option<usize> {
    let size = bytes.get(9..17)?.try_into().ok().map(u64::from_le_bytes)?;
    usize::try_from(size).ok().filter(|size| CHUNK_HEAD.saturating_add(*size) <= bytes.len())
}

fn checksum(parts: &[&[u8]]) -> u128 {
    let mut hash = Fnv128::new();
    for part in parts {
        hash.many_bytes(part);
    }
    hash.finish()
}

/// The file with the beginning of the header of its scene, and with valid checksums and indices. A last
/// chunk that is too short becomes as long as the file allows.
fn repaired(file: &[u8], recorded: &Recorded) -> Vec<u8> {
    // Magic bytes, size, hash, length of the name, name.
    let named = SIZED + 16 + 4 + usize::from(recorded.take[SIZED + 16]);
    let mut out = recorded.take[..named].to_vec();
    out.extend(file.iter().skip(named));
    let header = recorded.header;
    if out.len() < header {
        return out;
    }
    let key = checksum(&[&out[..14], &out[14..header - 16]]).to_le_bytes();
    out[header - 16..header].copy_from_slice(&key);
    let mut at = header;
    let mut index = 0_u64;
    while at + CHUNK_HEAD <= out.len() {
        let size = payload(&out[at..]).unwrap_or(out.len() - at - CHUNK_HEAD);
        out[at + 1..at + 9].copy_from_slice(&index.to_le_bytes());
        out[at + 9..at + 17].copy_from_slice(&(size as u64).to_le_bytes());
        let numbers = &out[at + CHUNK_HEAD..at + CHUNK_HEAD + size];
        let check = checksum(&[&key, &out[at..at + 17], numbers]).to_le_bytes();
        out[at + 17..at + 33].copy_from_slice(&check);
        let check = (checksum(&[&out[at..at + 33]]) as u64).to_le_bytes();
        out[at + 33..at + CHUNK_HEAD].copy_from_slice(&check);
        at += CHUNK_HEAD + size;
        index += 1;
    }
    out
}

fn load(scene: &Scene, body: usize, hash: u128, file: &[u8]) -> Result<(TakeEnd, f64), TakeError> {
    scene.load_take(body, hash, Box::new(MemoryStorage::new(file)), TapeUse::Overflow)
}

/// The takes of the three scenes, to be loaded as they are and to be repaired after a change.
pub(super) fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for (which, (recorded, name)) in RECORDED.iter().zip(["rope", "string", "solid"]).enumerate() {
        for repair in [0, 1] {
            let bytes = [&[which as u8, repair], &recorded.take[..]].concat();
            seeds.push((format!("{name}-{repair}"), bytes));
        }
    }
    for (field, name) in [(1, "string"), (2, "segment")] {
        if let Some(take) = with_tear(&RECORDED[1], field, 5e5) {
            seeds.push((format!("no-such-{name}"), [&[1, 1], &take[..]].concat()));
        }
    }
    seeds
}

/// A take with another number in its first tear: record, string, segment, cause, time, direction.
fn with_tear(recorded: &Recorded, field: usize, number: f64) -> Option<Vec<u8>> {
    let mut take = recorded.take.clone();
    let mut at = recorded.header;
    while let Some(size) = payload(&take[at..]) {
        // Numbers of the checkpoint, numbers of the events, then both.
        let count = |from: usize| {
            let bytes = take.get(at + CHUNK_HEAD + from..)?.first_chunk()?;
            usize::try_from(u64::from_le_bytes(*bytes)).ok()
        };
        if count(8)? > field {
            let place = at + CHUNK_HEAD + 16 + 8 * (count(0)? + field);
            take.get_mut(place..place + 8)?.copy_from_slice(&number.to_le_bytes());
            return Some(take);
        }
        at += CHUNK_HEAD + size;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_valid_take_is_its_own_repair() {
        for recorded in RECORDED.iter() {
            assert!(recorded.header < recorded.take.len(), "no chunks in the take");
            assert_eq!(repaired(&recorded.take, recorded), recorded.take);
        }
    }

    #[test]
    fn the_string_tears_within_its_take() {
        assert!(with_tear(&RECORDED[1], 1, 0.0).is_some());
    }

    #[test]
    fn a_repaired_take_is_loaded() {
        for recorded in RECORDED.iter() {
            let mut take = recorded.take.clone();
            let last = take.len() - 1;
            take[last] ^= 1;
            let (scene, hash) = bound(recorded.text);
            let body = scene.simulated()[0];
            let loaded = |bytes: &[u8]| load(&scene, body, hash, bytes).map(|(_, frame)| frame);
            let whole = loaded(&recorded.take);
            assert_ne!(loaded(&take), whole, "the last chunk is lost");
            assert_eq!(loaded(&repaired(&take, recorded)), whole);
        }
    }
}
