//! Documents that are recovered from their journals, with their files.
//!
//! Tests: `crates/lariat-studio/tests/studio/recovery.rs`.

use lariat_editor::{
    Options,
    journal::{Recovery, RecoveryError, label, replay},
};

use super::{DocumentFiles, Host};

/// Name in the journal of a document without a place.
pub const UNTITLED: &str = "untitled";

/// A document that was recovered.
#[derive(Debug)]
pub struct Recovered {
    /// The document.
    pub recovery: Recovery,
    /// Its place; none if it was never saved.
    pub place: Option<String>,
    /// Files that it refers to.
    pub files: DocumentFiles,
}

/// Replays a journal with the files of its document: those beside its place, or without one, those
/// that were kept with the journal.
pub fn recover(host: &dyn Host, journal: &str, bytes: &[u8]) -> Result<Recovered, RecoveryError> {
    let place = label(bytes).filter(|place| place != UNTITLED);
    let beside = place.clone().unwrap_or_else(|| host.beside_journal(journal));
    let files = DocumentFiles::new(host.files(Some(&beside)));
    let its = Box::new(files.clone());
    let recovery = replay(bytes, Options { files: its, ..Options::default() })?;
    Ok(Recovered { recovery, place, files })
}
