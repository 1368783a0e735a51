//! Place of a journal.

use std::{
    fmt::Debug,
    io,
    sync::{Arc, Mutex, PoisonError},
};

/// Place to which a journal is written: a file, the storage of a browser, memory.
pub trait JournalStore: Debug + Send {
    /// Appends bytes. They must survive a crash of the program, but not a loss of power.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Makes everything survive a loss of power.
    fn flush(&mut self) -> io::Result<()>;

    /// Replaces the whole content. After a crash at any moment the content is either the old or the
    /// new one. The first call creates the place; it fails if another journal is there.
    fn replace(&mut self, bytes: &[u8]) -> io::Result<()>;
}

/// Journal in memory. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    bytes: Arc<Mutex<Vec<u8>>>,
}

impl MemoryStore {
    /// Creates an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// The journal so far.
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl JournalStore for MemoryStore {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        *self.bytes.lock().unwrap_or_else(PoisonError::into_inner) = bytes.to_vec();
        Ok(())
    }
}
