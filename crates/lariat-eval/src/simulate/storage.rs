//! Bytes outside the records in memory: the file of a take (simulation cache), or a temporary file.
//!
//! Nothing here opens a file. The caller provides a [`Storage`]: a file of the command line, or
//! memory ([`MemoryStorage`]).

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that can be read and written at any place.
pub trait Storage: fmt::Debug + Send {
    /// Number of bytes.
    fn size(&mut self) -> io::Result<u64>;

    /// Fills `out` with the bytes from `offset` on; fewer bytes are an error.
    fn read_at(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()>;

    /// Writes bytes at `offset`, which is at most [`size`](Self::size), and drops all bytes after
    /// them.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;
}

/// Bytes in memory. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct MemoryStorage(Arc<Mutex<Vec<u8>>>);

impl MemoryStorage {
    /// Storage that holds these bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(Arc::new(Mutex::new(bytes.into())))
    }

    /// A copy of its bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.with(|bytes| bytes.clone())
    }

    fn with<T>(&self, act: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Storage for MemoryStorage {
    fn size(&mut self) -> io::Result<u64> {
        Ok(self.with(|bytes| bytes.len() as u64))
    }

    fn read_at(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.with(|bytes| {
            let from = usize::try_from(offset).ok().and_then(|from| bytes.get(from..));
            match from.and_then(|bytes| bytes.get(..out.len())) {
                Some(found) => {
                    out.copy_from_slice(found);
                    Ok(())
                }
                None => Err(io::ErrorKind::UnexpectedEof.into()),
            }
        })
    }

    fn write_at(&mut self, offset: u64, new: &[u8]) -> io::Result<()> {
        self.with(|bytes| {
            let offset = usize::try_from(offset).map_err(|_| io::ErrorKind::InvalidInput)?;
            if offset > bytes.len() {
                return Err(io::ErrorKind::InvalidInput.into());
            }
            bytes.truncate(offset);
            bytes.extend_from_slice(new);
            Ok(())
        })
    }
}
