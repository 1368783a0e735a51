//! Takes (simulation caches) of three small scenes: a spline rope, a string that tears, a solid.
//!
//! The first byte of an input selects the scene. The second is 0 if the file is loaded as it is, and
//! anything else if its beginning and its checksums are made valid first, so that wrong numbers behind
//! a valid checksum are reached too. The file follows.
//!
//! Everything about the format is in [`repaired`].

use std::sync::LazyLock;

use lariat_core::num::fnv::Fnv64;
use lariat_eval::{Scene, TakeWriter, take_of};
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
}

static RECORDED: LazyLock<[Recorded; 3]> = LazyLock::new(|| {
    [ROPE, STRING, SOLID].map(|text| {
        let (scene, hash) = bound(text);
        let body = scene.simulated()[0];
        scene.simulate(body, scene.shot().last as f64, |_| true);
        let take = scene.take_bytes(body, hash, &mut TakeWriter::default(), true);
        let header = (0..take.len()).find(|at| tiles(&take[*at..])).unwrap_or(take.len());
        Recorded { text, hash, take, header }
    })
});

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
    match scene.load_take(body, hash, &file) {
        Ok((whole, mut writer, _)) => {
            assert!(whole <= file.len());
            for frame in frames(&scene) {
                promise::moment(&scene, &scene.evaluate(frame));
            }
            scene.take_bytes(body, hash, &mut writer, true);
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert!(file != recorded.take, "a valid take was refused: {error}");
        }
    }
}

/// Bytes of a chunk before its payload: kind, size, checksum.
const CHUNK_HEAD: usize = 1 + 8 + 8;

/// Size of the payload of the chunk at the beginning of `bytes`.
fn payload(bytes: &[u8]) -> Option<usize> {
    let size = bytes.get(1..9)?.try_into().ok().map(u64::from_le_bytes)?;
    usize::try_from(size).ok().filter(|size| CHUNK_HEAD.saturating_add(*size) <= bytes.len())
}

/// True if whole chunks with valid checksums fill `bytes`.
fn tiles(mut bytes: &[u8]) -> bool {
    let mut chunks = 0;
    while let Some(size) = payload(bytes) {
        let (chunk, rest) = bytes.split_at(CHUNK_HEAD + size);
        if chunk[9..CHUNK_HEAD] != checksum(&chunk[CHUNK_HEAD..]) {
            return false;
        }
        bytes = rest;
        chunks += 1;
    }
    chunks > 0 && bytes.is_empty()
}

fn checksum(payload: &[u8]) -> [u8; 8] {
    let mut hash = Fnv64::new();
    hash.bytes(payload.iter().copied());
    hash.finish().to_le_bytes()
}

/// The file with the magic bytes, hash and name of its scene, and with valid checksums. A last chunk
/// that is too short becomes as long as the file allows.
fn repaired(file: &[u8], recorded: &Recorded) -> Vec<u8> {
    // Magic bytes, hash, length of the name, name.
    let named = 14 + 16 + 4 + usize::from(recorded.take[30]);
    let mut out = recorded.take[..named].to_vec();
    out.extend(file.iter().skip(named));
    let mut at = recorded.header;
    while at + CHUNK_HEAD <= out.len() {
        let size = payload(&out[at..]).unwrap_or(out.len() - at - CHUNK_HEAD);
        out[at + 1..at + 9].copy_from_slice(&(size as u64).to_le_bytes());
        let check = checksum(&out[at + CHUNK_HEAD..at + CHUNK_HEAD + size]);
        out[at + 9..at + CHUNK_HEAD].copy_from_slice(&check);
        at += CHUNK_HEAD + size;
    }
    out
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

/// A take with another number in its first tear: record, string, segment, cause and time.
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
            let loaded = |bytes: &[u8]| scene.load_take(body, hash, bytes).map(|(.., frame)| frame);
            let whole = loaded(&recorded.take);
            assert_ne!(loaded(&take), whole, "the last chunk is lost");
            assert_eq!(loaded(&repaired(&take, recorded)), whole);
        }
    }
}
