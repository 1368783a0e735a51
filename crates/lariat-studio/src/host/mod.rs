//! Files and workers of the machine that the studio runs on.
//!
//! The studio opens no files itself, so that it can run in a browser, which has none.
//!
//! ```text
//! native.rs  folders and files of the disk
//! ```

#[cfg(not(target_arch = "wasm32"))]
pub mod native;

use lariat_editor::journal::JournalStore;
use lariat_eval::{Files, JobProgress, SimulationJob};

/// A document as it was read.
#[derive(Debug)]
pub struct ReadDocument {
    /// Its text.
    pub text: String,
    /// Name in the title of the window.
    pub title: String,
    /// Place to save it to; none for a museum scene.
    pub place: Option<String>,
    /// Files that it refers to.
    pub files: Box<dyn Files>,
}

/// The machine that the studio runs on. Messages of errors are for people.
pub trait Host {
    /// Reads a document by its place on the disk, or by `museum:NAME`.
    fn read(&mut self, place: &str) -> Result<ReadDocument, String>;

    /// Writes a document: complete or not at all. `replaces` allows an existing file that was not read
    /// from there.
    fn write(&mut self, place: &str, text: &str, replaces: bool) -> Result<(), String>;

    /// Files that a new document can refer to.
    fn files(&self) -> Box<dyn Files>;

    /// Places of documents that were opened or saved before, the newest first.
    fn recent(&self) -> Vec<String>;

    /// Entries of a folder: folders first, then documents.
    fn entries(&self, folder: &str) -> Result<Vec<FolderEntry>, String>;

    /// The folder that dialogs start in.
    fn start_folder(&self) -> String;

    /// Gives a simulation to a worker, which calls `report` when there are new frames. A job that is
    /// running is cancelled; its frames are kept.
    fn simulate(&mut self, job: SimulationJob, report: Box<dyn Fn() + Send>);

    /// Cancels the simulation that is running. Its frames are kept.
    fn stop_simulation(&mut self);

    /// Progress of the simulation that is running, if one is.
    fn simulation(&self) -> Option<JobProgress>;

    /// A place for the journal of a document, from which it is recovered after a crash. Documents that
    /// were never saved have one, too. None if there is no room for journals.
    fn new_journal(&mut self, place: Option<&str>) -> Option<(String, Box<dyn JournalStore>)>;

    /// Journals of documents that were open when a program ended without closing them.
    fn left_journals(&mut self) -> Vec<LeftJournal>;

    /// Removes a journal that is no longer needed.
    fn discard_journal(&mut self, journal: &str);

    /// Continues a journal: its content, and the place to append to.
    fn open_journal(&mut self, journal: &str) -> Result<(Box<dyn JournalStore>, Vec<u8>), String>;
}

/// A journal that was left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftJournal {
    /// Name for [`Host::open_journal`].
    pub journal: String,
    /// Name of its document for people.
    pub title: String,
}

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderEntry {
    /// False for folders, which come first.
    pub is_document: bool,
    /// Its name.
    pub name: String,
    /// Its place.
    pub place: String,
}
