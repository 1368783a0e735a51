//! Numbered pictures that `lariat render --skip-existing` keeps, and damaged ones that it renders again.
//!
//! Every existing picture is decoded to its end, in parallel.
//!
//! Tests: `crates/lariat-cli/tests/command/render.rs`.

use std::path::{Path, PathBuf};

use lariat_render::Size;
use lariat_shoot::{ExistingPicture, Sequence, existing_picture};
use rayon::prelude::*;

use crate::{console::Console, exit::Failure, progress::Progress, words};

/// Existing pictures that are read between two updates of the progress bar.
const READ_AT_ONCE: usize = 64;

/// State of a numbered picture with --skip-existing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// No file.
    Missing,
    /// A complete picture of the right size.
    Complete,
    /// A picture that cannot be decoded.
    Damaged,
}

impl Kept {
    /// Reads the existing pictures of frames; all are missing unless `skip_existing`.
    pub(crate) fn read_all(
        sequence: &Sequence,
        frames: &[f64],
        size: Size,
        skip_existing: bool,
        console: Console,
    ) -> Result<Vec<Self>, Failure> {
        if !skip_existing {
            return Ok(vec![Self::Missing; frames.len()]);
        }
        let progress = Progress::new(console, "reading existing pictures", "pictures");
        let mut kept = Vec::with_capacity(frames.len());
        for some in frames.chunks(READ_AT_ONCE) {
            let read = |frame: &f64| Self::read(&sequence.path(*frame as i64), size);
            let some: Vec<Result<Self, Failure>> = some.par_iter().map(read).collect();
            for one in some {
                kept.push(one?);
            }
            progress.advance(kept.len() as u64, frames.len() as u64);
        }
        Ok(kept)
    }

    /// Reads an existing picture. A picture of another size and a file that is no picture are errors.
    fn read(path: &Path, size: Size) -> Result<Self, Failure> {
        if !path.is_file() {
            return Ok(Self::Missing);
        }
        let name = words::shown(&path.to_string_lossy());
        match existing_picture(path) {
            Ok(ExistingPicture::Complete(found)) if found == size => Ok(Self::Complete),
            Ok(ExistingPicture::Complete(found)) => Err(Failure::new(format!(
                "`{name}` has {}x{} pixels instead of {}x{}; use the same --size or another name, or \
                 replace all files with --force",
                found.width(),
                found.height(),
                size.width(),
                size.height()
            ))),
            Ok(ExistingPicture::Damaged) => Ok(Self::Damaged),
            Ok(ExistingPicture::Other) => Err(Failure::new(format!(
                "`{name}` exists but is not a picture; remove it, or replace all files with --force"
            ))),
            Err(error) => Err(Failure::new(format!(
                "cannot read the existing file `{name}`: {error}; replace all files with --force"
            ))),
        }
    }
}

/// Names damaged pictures that are rendered again.
pub(crate) fn note_damaged(damaged: &[PathBuf], console: Console) {
    const MAX_LISTED: usize = 3;
    if damaged.is_empty() {
        return;
    }
    let some = damaged.iter().take(MAX_LISTED);
    let some: Vec<String> =
        some.map(|path| format!("`{}`", words::shown(&path.to_string_lossy()))).collect();
    let rest = match damaged.len().saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    console.note(&format!(
        "rendering {} again: {}{rest}",
        words::count(damaged.len() as u64, "damaged picture"),
        some.join(", ")
    ));
}
