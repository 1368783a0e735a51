//! Point caches: CSV, and USD as text.

use lariat_core::modes::Recording;
use lariat_import::recording::{self, ReadError, ReadOptions};

use crate::promise::{self, in_proportion};

/// Most bytes of memory per byte of a file. A USD file names a point once and has samples at two
/// frames far apart, and the recording has the point at every frame between them.
const PROPORTION: u64 = 2000;

/// Reads a CSV point cache.
///
/// # Panics
/// If a promise is broken.
pub(super) fn csv(bytes: &[u8]) {
    read(bytes, recording::csv::read);
}

/// Reads USD as text.
///
/// # Panics
/// If a promise is broken.
pub(super) fn usda(bytes: &[u8]) {
    read(bytes, recording::usda::read);
}

fn read(bytes: &[u8], reader: fn(&[u8], &ReadOptions) -> Result<Recording, ReadError>) {
    let all = ReadOptions::default();
    match in_proportion(bytes, PROPORTION, || reader(bytes, &all)) {
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
