//! Files and workers of the machine that the studio runs on.
//!
//! The studio opens no files itself, so that it can run in a browser, which has none.
//!
//! ```text
//! native/      folders, files and threads of this machine
//! modes.rs     modes that are extracted in the background
//! files.rs     files of a document, with those that are not on the disk yet
//! recovery.rs  documents that a crash left behind
//! ```

mod files;
mod modes;
#[cfg(not(target_arch = "wasm32"))]
pub mod native;
mod recovery;

use std::{ops::RangeInclusive, sync::Arc};

use lariat_editor::journal::JournalStore;
use lariat_eval::{Files, JobProgress, Scene, SimulationJob};
use lariat_render::{Picture, Quality, Size};
use lariat_scene::lower::Lowered;
use lariat_shoot::ShotCamera;

pub use files::{DocumentFiles, carry_files};
pub use modes::{ExtractedModes, MOST_MODES, ModesRequest, ModesSource};
pub use recovery::{Recovered, UNTITLED, recover};

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
    /// State of its file; none for a museum scene.
    pub stamp: Option<FileStamp>,
}

/// State of a file, from which it is seen that another program wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    /// Time of the last change, in nanoseconds since 1970.
    pub modified: u128,
    /// Hash of the content.
    pub hash: u128,
}

/// The machine that the studio runs on. Messages of errors are for people.
pub trait Host {
    /// Reads a document by its place on the disk, or by `museum:NAME`.
    fn read(&mut self, place: &str) -> Result<ReadDocument, String>;

    /// Writes a document: complete or not at all. `replaces` allows an existing file that was not read
    /// from there.
    fn write(&mut self, place: &str, text: &str, replaces: bool) -> Result<(), String>;

    /// State of a document on the disk; none if it is gone. One that cannot be read has a hash of no text. The content is read only if the time of its
    /// last change is not that of `known`.
    fn stamp(&self, place: &str, known: Option<FileStamp>) -> Option<FileStamp>;

    /// Copies a document to a free name beside it, which is returned; none if it is gone.
    fn set_aside(&mut self, place: &str) -> Result<Option<String>, String>;

    /// A text of an earlier run by its name; see [`keep`](Self::keep).
    fn kept(&self, name: &str) -> Option<String>;

    /// Keeps a small text for the next run: the arrangement of the window.
    fn keep(&mut self, name: &str, text: &str);

    /// Files that a document at a place, or a new one, can refer to.
    fn files(&self, document: Option<&str>) -> Box<dyn Files>;

    /// Places of documents that were opened or saved before, the newest first.
    fn recent(&self) -> Vec<String>;

    /// Entries of a folder: folders first, then files whose names have one of the endings, like
    /// `.lariat`.
    fn entries(&self, folder: &str, endings: &[&str]) -> Result<Vec<FolderEntry>, String>;

    /// The folder that dialogs start in: that of the open document, if it has a place.
    fn start_folder(&self, document: Option<&str>) -> String;

    /// Gives a simulation to a worker, which calls `report` when there are new frames. A job that is
    /// running is cancelled; its frames are kept.
    fn simulate(&mut self, job: SimulationJob, report: Box<dyn Fn() + Send>);

    /// Cancels the simulation that is running. Its frames are kept.
    fn stop_simulation(&mut self);

    /// Progress of the simulation that is running, if one is.
    fn simulation(&self) -> Option<JobProgress>;

    /// Writes a picture, a movie or an export in the background; `report` is called when there is
    /// progress. Only one is written at a time.
    fn write_output(
        &mut self,
        request: OutputRequest,
        report: Box<dyn Fn() + Send + Sync>,
    ) -> Result<(), String>;

    /// Cancels the output that is being written; it leaves no file.
    fn cancel_output(&mut self);

    /// Progress of the output that is being written, if one is.
    fn output(&self) -> Option<OutputProgress>;

    /// A sentence about the output that has ended, or its error, once.
    fn output_result(&mut self) -> Option<Result<String, String>>;

    /// Writes a file that a document refers to by a path: complete or not at all, and never in place of
    /// another file.
    fn write_beside(&mut self, document: &str, path: &str, bytes: &[u8]) -> Result<(), String>;

    /// Extracts modes in the background, in place of those that are being extracted; `report` is called
    /// when there is progress. Nothing is written.
    fn extract_modes(
        &mut self,
        request: ModesRequest,
        report: Box<dyn Fn() + Send + Sync>,
    ) -> Result<(), String>;

    /// Cancels the extraction of modes.
    fn cancel_modes(&mut self);

    /// Progress of the extraction of modes, if it is going on.
    fn modes_progress(&self) -> Option<OutputProgress>;

    /// The modes that were extracted, or the error, once.
    fn modes_result(&mut self) -> Option<Result<Box<ExtractedModes>, String>>;

    /// Returns whether there is something at a place, so that writing there would replace it.
    fn exists(&self, place: &str) -> bool;

    /// Draws one frame in the background, in place of the one that is being drawn; `report` is called
    /// when it is ready.
    fn preview(
        &mut self,
        request: PreviewRequest,
        report: Box<dyn Fn() + Send + Sync>,
    ) -> Result<(), String>;

    /// The frame that was drawn for a preview, or its error, once.
    fn preview_result(&mut self) -> Option<Result<Picture, String>>;

    /// A place for the journal of a document, from which it is recovered after a crash. Documents that
    /// were never saved have one, too. None if there is no room for journals.
    fn new_journal(&mut self, place: Option<&str>) -> Option<(String, Box<dyn JournalStore>)>;

    /// Place of a document beside which the files are kept that a document without a place refers to. They
    /// are removed with its journal.
    fn beside_journal(&self, journal: &str) -> String;

    /// Journals of documents that were open when a program ended without closing them.
    fn left_journals(&mut self) -> Vec<LeftJournal>;

    /// Removes a journal that is no longer needed.
    fn discard_journal(&mut self, journal: &str);

    /// Continues a journal: its content, and the place to append to.
    fn open_journal(&mut self, journal: &str) -> Result<(Box<dyn JournalStore>, Vec<u8>), String>;
}

/// A picture, a movie or an export.
#[derive(Clone, Debug)]
pub struct OutputRequest {
    /// Place of the file; its end chooses the format.
    pub place: String,
    /// The scene.
    pub scene: Arc<Scene>,
    /// The document.
    pub lowered: Arc<Lowered>,
    /// Frames; a picture is of the first.
    pub frames: RangeInclusive<i64>,
    /// Kind of work.
    pub work: OutputWork,
    /// Whether an existing file is replaced.
    pub replaces: bool,
}

/// Kind of an output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutputWork {
    /// Pictures or a movie.
    Render {
        /// Pixels across and down.
        size: Size,
        /// Work per pixel.
        quality: Quality,
        /// Camera.
        camera: ShotCamera,
    },
    /// A file for other programs.
    Export,
}

/// One frame of a render, small.
#[derive(Clone, Debug)]
pub struct PreviewRequest {
    /// The scene.
    pub scene: Arc<Scene>,
    /// The document.
    pub lowered: Arc<Lowered>,
    /// The frame.
    pub frame: f64,
    /// Pixels across and down.
    pub size: Size,
    /// Work per pixel.
    pub quality: Quality,
    /// Camera.
    pub camera: ShotCamera,
}

/// Progress of an output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputProgress {
    /// Current stage: "Rendering".
    pub stage: &'static str,
    /// Share of it that is done, 0–1.
    pub share: f64,
    /// Estimate of the time left, in seconds.
    pub seconds_left: Option<f64>,
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
    pub is_file: bool,
    /// Its name.
    pub name: String,
    /// Its place.
    pub place: String,
}
