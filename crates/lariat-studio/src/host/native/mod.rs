//! Folders, files and threads of this machine.
//!
//! ```text
//! modes.rs   modes of recorded motion
//! output.rs  pictures, movies and exports
//! task.rs    work on a thread, with progress and cancellation
//! ```
//!
//! Documents are written beside their place and renamed. A list of recent documents and the arrangement
//! of the window are kept in the folder for state of the user.
//!
//! Tests: `recent_documents_are_remembered_once`, `a_document_is_written_completely_or_not_at_all`.

mod modes;
mod output;
mod task;

use std::{
    borrow::Cow,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use lariat::{
    Folder, SimulationWorker,
    journal::{JournalFile, journal_in, journals_in},
};
use lariat_core::num::fnv::Fnv128;
use lariat_editor::journal::{JournalStore, base_hash, label};
use lariat_eval::{Files, JobProgress, MemoryFiles, SimulationJob};
use lariat_export::file::{IfExists, save};
use lariat_render::Picture;
use lariat_scene::Limits;

use self::task::Task;
use super::{
    ExtractedModes, FileStamp, FolderEntry, Host, LeftJournal, ModesRequest, OutputProgress,
    OutputRequest, PreviewRequest, ReadDocument, UNTITLED,
};

/// Recent documents that are remembered.
const MOST_RECENT: usize = 12;

/// The disk of this machine.
#[derive(Debug)]
pub struct Native {
    /// Folder for state of the user; none if it is not known.
    state: Option<PathBuf>,
    /// Runs simulations; started with the first one.
    worker: Option<SimulationWorker>,
    /// Number of journals of documents without a place.
    untitled: u32,
    /// Picture, movie or export that is being written.
    output: Option<Task<String>>,
    /// Preview that is being drawn.
    preview: Option<Task<Picture>>,
    /// Modes that are being extracted.
    modes: Option<Task<Box<ExtractedModes>>>,
}

impl Native {
    /// Remembers recent documents in the folder for state of the user.
    pub fn new() -> Self {
        let of = |name: &str, below: &str| {
            std::env::var_os(name).map(|folder| PathBuf::from(folder).join(below))
        };
        let state = of("XDG_STATE_HOME", "lariat")
            .or_else(|| of("HOME", ".local/state/lariat"))
            .or_else(|| of("LOCALAPPDATA", "Lariat"));
        Self::in_folder(state)
    }

    /// Remembers nothing, for pictures of the window that are the same everywhere.
    pub fn without_state() -> Self {
        Self::in_folder(None)
    }

    /// Remembers recent documents in a folder.
    pub fn with_state(folder: impl Into<PathBuf>) -> Self {
        Self::in_folder(Some(folder.into()))
    }

    fn in_folder(state: Option<PathBuf>) -> Self {
        Self { state, worker: None, untitled: 0, output: None, preview: None, modes: None }
    }

    fn journals(&self) -> Option<PathBuf> {
        self.state.as_ref().map(|folder| folder.join("journals"))
    }

    fn recent_file(&self) -> Option<PathBuf> {
        self.state.as_ref().map(|folder| folder.join("recent"))
    }

    fn remember(&self, place: &str) {
        let Some(file) = self.recent_file() else { return };
        let Ok(real) = fs::canonicalize(place) else { return };
        let Some(real) = real.to_str().filter(|path| !path.contains('\n')) else { return };
        let mut recent = self.recent();
        recent.retain(|one| one != real);
        recent.insert(0, real.to_owned());
        recent.truncate(MOST_RECENT);
        // The list is a convenience: a disk that cannot be written to has none.
        let _ = file.parent().map(fs::create_dir_all);
        let text = recent.join("\n");
        let _ = save(&file, IfExists::Replace, |out| Ok(out.write_all(text.as_bytes())?));
    }
}

impl Default for Native {
    fn default() -> Self {
        Self::new()
    }
}

impl Host for Native {
    fn read(&mut self, place: &str) -> Result<ReadDocument, String> {
        if let Some(name) = place.strip_prefix("museum:") {
            return museum(name);
        }
        let path = Path::new(place);
        let cannot = |why: String| format!("cannot open `{place}`: {why}");
        if lariat::is_named_pipe(path) {
            return Err(cannot("it is a named pipe".to_owned()));
        }
        let found = fs::metadata(path).map_err(|error| cannot(error.to_string()))?;
        let most = Limits::DEFAULT.file_bytes;
        match () {
            () if !found.is_file() => return Err(cannot("it is not a file".to_owned())),
            () if found.len() > most => {
                return Err(cannot(format!("it has {} bytes; the limit is {most}", found.len())));
            }
            () => {}
        }
        let bytes = fs::read(path).map_err(|error| cannot(error.to_string()))?;
        let text = String::from_utf8(bytes)
            .map_err(|error| cannot(format!("it is not text: {}", error.utf8_error())))?;
        // Files that are no documents are refused by their text later, and not offered again.
        if path.extension().is_some_and(|ending| ending == "lariat") {
            self.remember(place);
        }
        let title = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = Box::new(Folder::of(path));
        let stamp = Some(FileStamp { modified: modified(&found), hash: base_hash(&text) });
        // A journal outlives the working directory.
        let place = std::path::absolute(path).map_err(|error| cannot(error.to_string()))?;
        let place = Some(place.to_string_lossy().into_owned());
        Ok(ReadDocument { text, title, place, files, stamp })
    }

    fn write(&mut self, place: &str, text: &str, replaces: bool) -> Result<(), String> {
        let existing = if replaces { IfExists::Replace } else { IfExists::Fail };
        save(Path::new(place), existing, |out| Ok(out.write_all(text.as_bytes())?))
            .map_err(|error| error.to_string())?;
        self.remember(place);
        Ok(())
    }

    fn stamp(&self, place: &str, known: Option<FileStamp>) -> Option<FileStamp> {
        let modified = modified(&fs::metadata(place).ok().filter(fs::Metadata::is_file)?);
        if let Some(known) = known.filter(|known| known.modified == modified) {
            return Some(known);
        }
        match fs::read(place) {
            Ok(bytes) => {
                let mut hash = Fnv128::new();
                hash.many_bytes(&bytes);
                Some(FileStamp { modified, hash: hash.finish() })
            }
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(_) => Some(FileStamp { modified, hash: 0 }),
        }
    }

    fn set_aside(&mut self, place: &str) -> Result<Option<String>, String> {
        let path = Path::new(place);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("cannot read `{place}`: {error}")),
        };
        let names = (1..).map(|k| match k {
            1 => format!("{stem}.other.lariat"),
            k => format!("{stem}.other-{k}.lariat"),
        });
        let mut free = names.map(|name| path.with_file_name(name)).filter(|path| !path.exists());
        let Some(copy) = free.next() else { return Err("there is no free name".to_owned()) };
        save(&copy, IfExists::Fail, |out| Ok(out.write_all(&bytes)?))
            .map_err(|error| error.to_string())?;
        Ok(Some(copy.to_string_lossy().into_owned()))
    }

    fn kept(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.state.as_ref()?.join(name)).ok()
    }

    fn keep(&mut self, name: &str, text: &str) {
        let Some(folder) = &self.state else { return };
        // A convenience: a disk that cannot be written to has none.
        let _ = fs::create_dir_all(folder);
        let file = folder.join(name);
        let _ = save(&file, IfExists::Replace, |out| Ok(out.write_all(text.as_bytes())?));
    }

    fn files(&self, document: Option<&str>) -> Box<dyn Files> {
        let place = document.unwrap_or_default();
        Box::new(Folder::of(Path::new(place)))
    }

    fn recent(&self) -> Vec<String> {
        let text = self.recent_file().and_then(|file| fs::read_to_string(file).ok());
        let text = text.unwrap_or_default();
        let lines = text.lines().filter(|line| !line.is_empty());
        lines.take(MOST_RECENT).map(str::to_owned).collect()
    }

    fn entries(&self, folder: &str, endings: &[&str]) -> Result<Vec<FolderEntry>, String> {
        let cannot = |error: std::io::Error| format!("cannot read `{folder}`: {error}");
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder).map_err(cannot)?.flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_file = endings.iter().any(|ending| name.ends_with(ending)) && !path.is_dir();
            if !name.starts_with('.') && (is_file || path.is_dir()) {
                let place = path.to_string_lossy().into_owned();
                entries.push(FolderEntry { is_file, name, place });
            }
        }
        entries.sort();
        Ok(entries)
    }

    fn start_folder(&self, document: Option<&str>) -> String {
        let real = document.and_then(|place| fs::canonicalize(place).ok());
        let parent = real.as_deref().and_then(Path::parent).map(Path::to_path_buf);
        let folder = parent.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        folder.to_string_lossy().into_owned()
    }

    fn simulate(&mut self, job: SimulationJob, report: Box<dyn Fn() + Send>) {
        if self.worker.is_none() {
            self.worker = SimulationWorker::start(report).ok();
        }
        if let Some(worker) = &self.worker {
            worker.submit(job);
        }
    }

    fn stop_simulation(&mut self) {
        self.worker.iter().for_each(SimulationWorker::cancel);
    }

    fn simulation(&self) -> Option<JobProgress> {
        let worker = self.worker.as_ref().filter(|worker| worker.is_busy())?;
        worker.progress()
    }

    fn write_output(
        &mut self,
        request: OutputRequest,
        report: Box<dyn Fn() + Send + Sync>,
    ) -> Result<(), String> {
        if self.output.is_some() {
            return Err("another file is being written; wait for it, or cancel it".to_owned());
        }
        let started = Task::start("output", report, move |watch| output::write(&request, watch));
        self.output = Some(started.map_err(|error| error.to_string())?);
        Ok(())
    }

    fn cancel_output(&mut self) {
        self.output.iter().for_each(Task::cancel);
    }

    fn output(&self) -> Option<OutputProgress> {
        self.output.as_ref().map(Task::progress)
    }

    fn output_result(&mut self) -> Option<Result<String, String>> {
        let result = self.output.as_ref().and_then(Task::result)?;
        self.output = None;
        Some(result)
    }

    fn write_beside(&mut self, document: &str, path: &str, bytes: &[u8]) -> Result<(), String> {
        let folder = Path::new(document).parent().unwrap_or(Path::new(""));
        let place = folder.join(path);
        if fs::read(&place).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        }
        save(&place, IfExists::Fail, |out| Ok(out.write_all(bytes)?))
            .map_err(|error| error.to_string())
    }

    fn extract_modes(
        &mut self,
        request: ModesRequest,
        report: Box<dyn Fn() + Send + Sync>,
    ) -> Result<(), String> {
        if let Some(old) = self.modes.take() {
            old.abandon();
        }
        let work = move |watch: &task::Watch<'_, _>| modes::extract_modes(&request, watch);
        let started = Task::start("modes", report, work);
        self.modes = Some(started.map_err(|error| error.to_string())?);
        Ok(())
    }

    fn cancel_modes(&mut self) {
        self.modes.iter().for_each(Task::cancel);
    }

    fn modes_progress(&self) -> Option<OutputProgress> {
        self.modes.as_ref().map(Task::progress)
    }

    fn modes_result(&mut self) -> Option<Result<Box<ExtractedModes>, String>> {
        let result = self.modes.as_ref().and_then(Task::result)?;
        self.modes = None;
        Some(result)
    }

    fn exists(&self, place: &str) -> bool {
        fs::symlink_metadata(place).is_ok()
    }

    fn preview(
        &mut self,
        request: PreviewRequest,
        report: Box<dyn Fn() + Send + Sync>,
    ) -> Result<(), String> {
        if let Some(old) = self.preview.take() {
            old.abandon();
        }
        let started = Task::start("preview", report, move |watch| output::preview(&request, watch));
        self.preview = Some(started.map_err(|error| error.to_string())?);
        Ok(())
    }

    fn preview_result(&mut self) -> Option<Result<Picture, String>> {
        let result = self.preview.as_ref().and_then(Task::result)?;
        self.preview = None;
        Some(result)
    }

    fn new_journal(&mut self, place: Option<&str>) -> Option<(String, Box<dyn JournalStore>)> {
        let folder = self.journals()?;
        fs::create_dir_all(&folder).ok()?;
        let document = match place {
            Some(place) => fs::canonicalize(place).unwrap_or_else(|_| PathBuf::from(place)),
            None => {
                self.untitled += 1;
                PathBuf::from(format!("untitled/{}/{}", std::process::id(), self.untitled))
                    .join("untitled.lariat")
            }
        };
        let path = journal_in(&folder, &document);
        let name = path.to_str()?.to_owned();
        Some((name, Box::new(JournalFile::new(path))))
    }

    fn beside_journal(&self, journal: &str) -> String {
        format!("{journal}.files/untitled.lariat")
    }

    fn left_journals(&mut self) -> Vec<LeftJournal> {
        let found = self.journals().and_then(|folder| journals_in(&folder).ok());
        let left = found.unwrap_or_default().into_iter().filter_map(|path| {
            // A journal that is locked belongs to a program that is running.
            let (_, bytes) = JournalFile::open(&path).ok()?;
            let place = label(&bytes).filter(|place| place != UNTITLED).map(PathBuf::from);
            let stem =
                place.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy());
            let title = stem.map_or_else(|| title_of(&path), Cow::into_owned);
            let journal = path.to_str()?.to_owned();
            Some(LeftJournal { journal, title })
        });
        left.collect()
    }

    fn discard_journal(&mut self, journal: &str) {
        // A journal that cannot be removed is offered again, which loses nothing.
        if let Ok((file, _)) = JournalFile::open(journal) {
            let _ = file.remove();
            if let Some(folder) = Path::new(&self.beside_journal(journal)).parent() {
                let _ = fs::remove_dir_all(folder);
            }
        }
    }

    fn open_journal(&mut self, journal: &str) -> Result<(Box<dyn JournalStore>, Vec<u8>), String> {
        match JournalFile::open(journal) {
            Ok((file, bytes)) => Ok((Box::new(file), bytes)),
            Err(error) => Err(format!("cannot open `{journal}`: {error}")),
        }
    }
}

/// Time of the last change of a file, in nanoseconds since 1970; 0 if it is not known.
fn modified(found: &fs::Metadata) -> u128 {
    let since = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos())
}

/// Name of a journal for people: `swing` for `swing-0123456789abcdef.lariat-journal`.
fn title_of(journal: &Path) -> String {
    let stem = journal.file_stem().unwrap_or_default().to_string_lossy();
    stem.rsplit_once('-').map_or(&*stem, |(title, _)| title).to_owned()
}

/// A scene or recipe of the museum, with the files of the museum.
fn museum(name: &str) -> Result<ReadDocument, String> {
    let scene = lariat_museum::find(name).map(|scene| scene.text);
    let text = scene.or_else(|| lariat_museum::recipe(name).map(|recipe| recipe.text));
    let text = text.ok_or_else(|| format!("there is no museum scene `{name}`"))?.to_owned();
    let files = lariat_museum::FILES.iter();
    let files = files.fold(MemoryFiles::default(), |all, (path, bytes)| all.with(*path, *bytes));
    Ok(ReadDocument {
        text,
        title: name.to_owned(),
        place: None,
        files: Box::new(files),
        stamp: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_documents_are_remembered_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut host = Native::with_state(folder.path().join("state"));
        let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        for name in ["a.lariat", "b.lariat", "a.lariat"] {
            host.write(&place(name), "lariat = 2\n", true).unwrap();
        }
        let recent = host.recent();
        assert_eq!(recent.len(), 2);
        assert!(recent[0].ends_with("a.lariat") && recent[1].ends_with("b.lariat"));
        assert_eq!(host.read(&place("b.lariat")).unwrap().title, "b.lariat");
        assert!(host.recent()[0].ends_with("b.lariat"));
        assert!(host.read(&place("gone.lariat")).unwrap_err().contains("gone.lariat"));
    }

    #[test]
    fn a_document_is_written_completely_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let mut host = Native::with_state(folder.path().join("state"));
        let place = folder.path().join("rope.lariat").to_str().unwrap().to_owned();
        host.write(&place, "old", false).unwrap();
        let error = host.write(&place, "new", false).unwrap_err();
        assert!(error.contains("already exists"), "{error}");
        assert_eq!(fs::read_to_string(&place).unwrap(), "old");
        host.write(&place, "new", true).unwrap();
        assert_eq!(fs::read_to_string(&place).unwrap(), "new");
        let entries = host.entries(folder.path().to_str().unwrap(), &[".lariat"]).unwrap();
        assert_eq!(entries.iter().map(|one| one.is_file).collect::<Vec<_>>(), [false, true]);
    }
}
