//! Seeds of a target: files of `corpus/TARGET`, and those that its code makes.

use std::{fs, path::PathBuf};

use crate::Target;

/// Longest seed and longest mutant, in bytes.
pub const MAX_BYTES: usize = 16 * 1024;

/// Folder of the corpus of a target.
pub fn folder(target: &Target) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name)
}

/// Every seed with its name, in a fixed order.
pub fn of(target: &Target) -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for entry in fs::read_dir(folder(target)).into_iter().flatten().flatten() {
        if let Ok(bytes) = fs::read(entry.path()) {
            seeds.push((entry.file_name().to_string_lossy().into_owned(), bytes));
        }
    }
    seeds.sort();
    seeds.extend((target.made)());
    seeds
}
