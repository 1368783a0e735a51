//! Progress and cancellation of an export.

/// Observer of an export. Both methods are called from the thread that called `write`, between two
/// items of the file.
pub trait Progress {
    /// Reports that `done` of `total` items are written; an item is one body at one frame.
    fn advance(&self, done: u64, total: u64);

    /// Whether to stop. A cancelled export returns
    /// [`ExportError::Cancelled`](crate::ExportError::Cancelled) and leaves no file.
    fn cancelled(&self) -> bool;
}

/// Ignores progress and never cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn advance(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        false
    }
}
