//! The chunks of a recording outside memory, in the format of a take's file (`file.rs`).
//!
//! A tape always holds a prefix of the chunks, in order. A take that is being recorded gets every
//! chunk as soon as it is complete, so that a crash loses little. Any other tape gets chunks only when
//! memory is short.

use std::io;

use super::file::{self, Header};
use super::history::Chunk;
use super::storage::Storage;

/// When chunks are written to a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TapeUse {
    /// Every chunk, as soon as it is complete.
    Record,
    /// Only chunks for which there is no memory.
    Overflow,
    /// None: the tape is only read.
    Never,
}

/// Bytes of one chunk on a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub offset: u64,
    pub size: u64,
}

/// Storage with the first chunks of a recording.
#[derive(Debug)]
pub(super) struct Tape {
    storage: Box<dyn Storage>,
    pub name: String,
    pub hash: u128,
    pub used_for: TapeUse,
    /// Checksum of the header, which every chunk depends on; known once it is read or written.
    key: Option<u128>,
    /// End of the last full chunk. Bytes after it are a partial chunk or remains of a crash.
    end: u64,
    /// Number of records, and whether the early end is on the tape, if they are all there.
    pub complete: Option<(usize, bool)>,
    /// Memory for the bytes of a chunk.
    buffer: Vec<u8>,
    /// Error of the last write; nothing is written after one.
    pub error: Option<io::Error>,
}

impl Tape {
    /// A tape without chunks.
    pub(super) fn new(
        storage: Box<dyn Storage>,
        name: &str,
        hash: u128,
        used_for: TapeUse,
    ) -> Self {
        let name = name.to_owned();
        let buffer = Vec::new();
        Self {
            storage,
            name,
            hash,
            used_for,
            key: None,
            end: 0,
            complete: None,
            buffer,
            error: None,
        }
    }

    /// True if chunks can be written.
    pub(super) fn is_writable(&self) -> bool {
        self.error.is_none() && self.used_for != TapeUse::Never
    }

    /// The storage, to read a take from.
    pub(super) fn storage(&mut self) -> &mut dyn Storage {
        &mut *self.storage
    }

    /// Checksum of the header, if it is known.
    pub(super) fn key(&self) -> Option<u128> {
        self.key
    }

    /// Sets the header that was read, and its number of bytes.
    pub(super) fn set_header(&mut self, key: u128, size: u64) {
        (self.key, self.end) = (Some(key), size);
    }

    /// Makes `last` the last full chunk; without one, the tape is empty.
    pub(super) fn rewind(&mut self, last: Option<Place>) {
        match last {
            Some(place) => self.end = place.offset + place.size,
            None => (self.key, self.end) = (None, 0),
        }
        self.complete = None;
    }

    /// Reads a chunk again; none if it is not there any more or is damaged.
    pub(super) fn read(&mut self, place: Place, index: usize, chunk: &mut Chunk) -> Option<()> {
        self.buffer.resize(usize::try_from(place.size).ok()?, 0);
        self.storage.read_at(place.offset, &mut self.buffer).ok()?;
        file::decode_chunk(&self.buffer, self.key?, index, chunk)
    }

    /// Appends a chunk, after the header if there is none yet; `write` receives the checksum of the
    /// header. A chunk that is not `full` is replaced by the next one.
    pub(super) fn append(
        &mut self,
        header: &Header,
        full: bool,
        write: impl FnOnce(u128, &mut Vec<u8>),
    ) -> Option<Place> {
        if !self.is_writable() {
            return None;
        }
        let bytes = &mut self.buffer;
        bytes.clear();
        let key = self.key.unwrap_or_else(|| {
            bytes.extend_from_slice(&header.bytes);
            header.key
        });
        let offset = self.end + bytes.len() as u64;
        write(key, bytes);
        if let Err(error) = self.storage.write_at(self.end, bytes) {
            self.error = Some(error);
            return None;
        }
        self.key = Some(key);
        let end = self.end + bytes.len() as u64;
        if full {
            self.end = end;
        } else if self.end == 0 {
            // The header stays.
            self.end = offset;
        }
        self.complete = None;
        Some(Place { offset, size: end - offset })
    }
}
