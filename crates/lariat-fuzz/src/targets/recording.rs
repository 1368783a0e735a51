//! Point caches: CSV, and USD as text.

use lariat_core::modes::Recording;
use lariat_import::recording::{self, MAX_VALUES, ReadError, ReadOptions};

use crate::promise::{self, within};

/// Most bytes of memory per byte of a file, besides the recording: between two samples that are far
/// apart, it has a point at every frame.
const PROPORTION: u64 = 300;

/// Reads a CSV point cache.
///
/// # Panics
/// If a promise is broken.
pub(super) fn csv(bytes: &[u8]) {
    read(bytes, recording::csv::read, 0);
}

/// Reads USD as text.
///
/// # Panics
/// If a promise is broken.
pub(super) fn usda(bytes: &[u8]) {
    // An error at a late frame comes after all frames before it, up to the limit of the reader.
    read(bytes, recording::usda::read, 8 * MAX_VALUES);
}

/// Reads a file; one that is refused may have taken `refused` bytes.
fn read(
    bytes: &[u8],
    reader: fn(&[u8], &ReadOptions) -> Result<Recording, ReadError>,
    refused: usize,
) {
    let all = ReadOptions::default();
    let more = |read: &Result<Recording, ReadError>| {
        4 * read.as_ref().map_or(refused, |recording| size_of_val(recording.rows()))
    };
    match within(bytes, PROPORTION, more, || reader(bytes, &all)) {
        Ok(recording) => {
            promise::recording(&recording);
            // A part that was read can also be read alone.
            let name = recording.parts()[0].name.clone();
            let one = ReadOptions { only: vec![name], ..all };
            if let Ok(alone) = reader(bytes, &one) {
                promise::recording(&alone);
                assert!(alone.width() <= recording.width());
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
