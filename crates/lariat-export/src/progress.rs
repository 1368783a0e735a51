//! How far an export is, and a way to stop it.

/// Watches an export. Both calls come from the thread that called `write`, between two pieces of
/// the file.
pub trait Progress {
    /// `done` of `total` pieces are in the file; a piece is one body at one frame.
    fn advance(&self, done: u64, total: u64);

    /// Whether to stop now. An export that is stopped ends with
    /// [`ExportError::Cancelled`](crate::ExportError::Cancelled) and leaves nothing behind.
    fn cancelled(&self) -> bool;
}

/// Watches nothing and never stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn advance(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        false
    }
}
