//! Records a simulation while it runs, so that a crash loses little.
//!
//! A take grows by whole chunks of a checkpoint and sixty records: a quarter of a second at 240
//! steps a second. An interrupted run resumes from the file and gives the same bits as an
//! uninterrupted one.
//!
//! A complete take is only read: it may be on a read-only disk. Otherwise the file is locked while a
//! run writes it, and a second run waits. When it is its turn, it continues from the last record
//! of the first.
//!
//! Tests: `a_run_in_pieces_writes_the_same_bytes`,
//! `a_file_that_is_not_a_take_is_never_overwritten`, `a_complete_take_is_not_written_again`,
//! `a_second_run_waits_and_then_has_nothing_left_to_do`,
//! `a_run_that_recorded_nothing_takes_no_records_along`, `damage_is_repaired`.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError},
    thread,
    time::Duration,
};

use lariat_eval::{Scene, TakeEnd, TakeError, TapeUse};
use thiserror::Error;

use crate::files::is_same;

use super::{
    place::{TakeFolder, TakeStatus, status_of},
    storage::{OpenFiles, RecordedFile, Recorder},
};

/// Time between two attempts to lock a file. Longer: Ctrl-C is answered late.
const LOCK_RETRY: Duration = Duration::from_millis(50);

/// Error of recording a take.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file is not a take, or is a take of another body.
    #[error("`{}` {}", path.display(), describe(status))]
    InTheWay {
        /// Path of the file.
        path: PathBuf,
        /// Status of the file: not a take, or a take of another body.
        status: TakeStatus,
    },
    /// A symbolic link leads out of the folders that takes may be in.
    #[error("`{}` leads out of the folder of the takes", path.display())]
    Outside {
        /// Path of the file.
        path: PathBuf,
    },
    /// Another run is writing the file, and the caller stopped waiting.
    #[error("`{}` is being written by another run", path.display())]
    Busy {
        /// Path of the file.
        path: PathBuf,
    },
    /// Reading or writing failed.
    #[error("cannot write `{}`: {error}", path.display())]
    Disk {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
}

fn describe(status: &TakeStatus) -> String {
    match status {
        TakeStatus::OtherBody(name) if name.is_empty() => {
            "is the take of all strings and solids".to_owned()
        }
        TakeStatus::OtherBody(name) => format!("is a take of another body, `{name}`"),
        _ => "is not a take, or was written by a newer version".to_owned(),
    }
}

/// File of one body's take.
#[derive(Debug)]
pub struct TakeFile {
    path: PathBuf,
    body: usize,
    /// The open file; none if the take is complete.
    recorder: Recorder,
    found: TakeStatus,
    there: Option<f64>,
    end: TakeEnd,
}

/// A take to record.
#[derive(Clone, Copy, Debug)]
pub struct Recording<'r> {
    /// Index of the body.
    pub body: usize,
    /// Hash of everything that the motion depends on.
    pub hash: u128,
    /// Folder of the takes.
    pub folder: &'r TakeFolder,
    /// Last frame.
    pub last: f64,
    /// Whether it is recorded again from the start, also over a take of another body.
    pub again: bool,
}

impl TakeFile {
    /// Checks whether a take can be recorded, without changing anything. `again` allows overwriting
    /// a take of another body; a file that is not a take is never overwritten.
    pub fn check(
        scene: &Scene,
        body: usize,
        hash: u128,
        folder: &TakeFolder,
        again: bool,
    ) -> Result<TakeStatus, RecordError> {
        let name = scene.take_name(body);
        let path = folder.file_of_run(scene, body);
        if !folder.allows(&path) {
            return Err(RecordError::Outside { path });
        }
        match super::status(&path, name, hash) {
            Err(error) => Err(RecordError::Disk { path, error }),
            Ok(status) => allowed(path, status, again),
        }
    }

    /// Opens the file of a body's take, and loads it into the scene unless it is recorded again. A
    /// complete take is not opened for writing, and no file is changed before the first write. While
    /// another run writes the file, calls `wait` every 50 ms, and gives up if it returns false.
    pub fn open(
        scene: &Scene,
        recording: &Recording<'_>,
        wait: impl FnMut() -> bool,
    ) -> Result<Self, RecordError> {
        let &Recording { body, hash, folder, last, again } = recording;
        let name = scene.take_name(body);
        let path = folder.file_of_run(scene, body);
        if !folder.allows(&path) {
            return Err(RecordError::Outside { path });
        }
        let disk = |error| RecordError::Disk { path: path.clone(), error };
        let files = Arc::new(OpenFiles::default());
        let storage = |recorder: &Recorder| {
            let (path, files, recorder) = (path.clone(), Arc::clone(&files), Arc::clone(recorder));
            Box::new(RecordedFile { path, files, recorder })
        };
        match fs::metadata(&path) {
            Ok(found) if !found.is_file() => {
                return Err(RecordError::InTheWay { path, status: TakeStatus::NoTake });
            }
            Ok(_) if !again => {
                let closed = Recorder::default();
                let loaded = scene.load_take(body, hash, storage(&closed), TapeUse::Never);
                let run = scene.simulation(body);
                let is_done =
                    |frame: f64| frame >= last - 1e-6 || run.is_some_and(|run| run.stopped);
                match loaded {
                    Ok((end @ TakeEnd::Complete, frame)) if is_done(frame) => {
                        let (found, there) = (TakeStatus::This, Some(frame));
                        return Ok(Self { path, body, recorder: closed, found, there, end });
                    }
                    // It is loaded again once it is locked; its memory is free until then.
                    Ok(_) => scene.start_take(body, hash, storage(&closed), TapeUse::Never),
                    Err(_) => {}
                }
            }
            _ => {}
        }
        let Some(file) = open_locked(&path, wait).map_err(disk)? else {
            return Err(RecordError::Busy { path });
        };
        // It may have been exchanged before it was opened.
        if !folder.allows(&path) {
            return Err(RecordError::Outside { path });
        }
        let found = status_of(&file, name, hash).map_err(disk)?;
        let found = allowed(path.clone(), found, again)?;
        let recorder = Recorder::default();
        *recorder.lock().unwrap_or_else(PoisonError::into_inner) = Some(file);
        let (mut end, mut there) = (TakeEnd::Complete, None);
        if found == TakeStatus::This && !again {
            match scene.load_take(body, hash, storage(&recorder), TapeUse::Record) {
                Ok((read, frame)) => (end, there) = (read, Some(frame)),
                // Its records may still be good.
                Err(TakeError::Unreadable(why)) => return Err(disk(io::Error::other(why))),
                Err(TakeError::Damaged) => end = TakeEnd::Damaged { byte: 0 },
                Err(_) => {}
            }
        }
        if there.is_none() {
            scene.start_take(body, hash, storage(&recorder), TapeUse::Record);
        }
        Ok(Self { path, body, recorder, found, there, end })
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Status of the file when it was opened.
    pub fn found(&self) -> &TakeStatus {
        &self.found
    }

    /// Last recorded frame when the file was opened, if any.
    pub fn there(&self) -> Option<f64> {
        self.there
    }

    /// Position of the first damaged byte, if the file was damaged when it was opened. Everything
    /// from there on is simulated again.
    pub fn damaged_at(&self) -> Option<u64> {
        match (&self.found, self.end) {
            (TakeStatus::Damaged, _) => Some(0),
            (_, TakeEnd::Damaged { byte }) => Some(byte),
            _ => None,
        }
    }

    /// Size of the file in bytes; 0 if nothing was recorded.
    pub fn size(&self) -> io::Result<u64> {
        match fs::metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
            found => Ok(found?.len()),
        }
    }

    /// Simulates up to a frame and writes every chunk as soon as it is complete. `each` receives
    /// the current frame and stops the run by returning false; frames simulated until then are
    /// written. Returns whether the run reached the end. Then the file is closed.
    pub fn record(
        &mut self,
        scene: &Scene,
        frame: f64,
        each: impl FnMut(f64) -> bool,
    ) -> Result<bool, RecordError> {
        let disk = |error| RecordError::Disk { path: self.path.clone(), error };
        let completed = scene.record(self.body, frame, each).map_err(disk)?;
        self.close().map_err(disk)?;
        Ok(completed)
    }

    /// Closes the file, which unlocks it. Removes it if nothing was recorded.
    fn close(&self) -> io::Result<()> {
        let file = self.recorder.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(file) = file else { return Ok(()) };
        match (file.metadata()?.len(), is_at(&file, &self.path)) {
            (0, true) => fs::remove_file(&self.path),
            (0, false) => Ok(()),
            (_, true) => file.sync_all(),
            (_, false) => {
                let why = "it was removed or exchanged while it was being recorded";
                Err(io::Error::new(io::ErrorKind::NotFound, why))
            }
        }
    }
}

impl Drop for TakeFile {
    /// Closes the file, however the run ended.
    fn drop(&mut self) {
        let _ = self.close();
    }
}

/// Opens or creates a file, and locks it. While another process has the lock, calls `wait` every
/// 50 ms; `None` if that returns false.
fn open_locked(path: &Path, mut wait: impl FnMut() -> bool) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    loop {
        let file = options.open(path)?;
        loop {
            match file.try_lock() {
                Err(TryLockError::WouldBlock) if wait() => thread::sleep(LOCK_RETRY),
                Err(TryLockError::WouldBlock) => return Ok(None),
                // Not every file system has locks.
                Ok(()) | Err(TryLockError::Error(_)) => break,
            }
        }
        // The other run removes its file if it has recorded nothing.
        if is_at(&file, path) {
            return Ok(Some(file));
        }
    }
}

/// True if a path leads to an open file, not to another one or none.
fn is_at(file: &File, path: &Path) -> bool {
    let there = fs::metadata(path);
    there.is_ok_and(|there| file.metadata().is_ok_and(|opened| is_same(&there, &opened)))
}

fn allowed(path: PathBuf, status: TakeStatus, again: bool) -> Result<TakeStatus, RecordError> {
    match status {
        TakeStatus::OtherBody(_) if again => Ok(status),
        TakeStatus::OtherBody(_) | TakeStatus::NoTake => {
            Err(RecordError::InTheWay { path, status })
        }
        other => Ok(other),
    }
}

#[cfg(test)]
mod tests {
    use lariat_scene::Limits;

    use super::*;

    const ROPE: &str = "lariat = 2\n[shot]\nframes = [1, 30]\n[[body]]\nname = 'rope'\n\
                        model = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 1\ndirection = [1, 0, 0]\n\
                        [body.dynamics]\nkind = 'spline-rope'\ncontrol-points = 6\n";

    fn scene() -> Scene {
        crate::open(ROPE.as_bytes(), &Limits::DEFAULT).scene.unwrap()
    }

    fn chosen(folder: &Path) -> TakeFolder {
        TakeFolder::chosen(folder)
    }

    fn recording(folder: &TakeFolder, again: bool) -> Recording<'_> {
        Recording { body: 0, hash: 7, folder, last: 30.0, again }
    }

    /// Opens the take of the first body; another run is not waited for.
    fn open(scene: &Scene, folder: &Path, again: bool) -> Result<TakeFile, RecordError> {
        TakeFile::open(scene, &recording(&chosen(folder), again), || false)
    }

    /// Records until `stop_at`; returns whether the run reached the end.
    fn record(folder: &Path, stop_at: f64) -> bool {
        let scene = scene();
        let mut file = open(&scene, folder, false).unwrap();
        file.record(&scene, 30.0, |frame| frame < stop_at).unwrap()
    }

    #[test]
    fn a_run_in_pieces_writes_the_same_bytes() {
        let (one, many) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let bytes = |folder: &Path| fs::read(folder.join("rope.take")).unwrap();
        assert!(record(one.path(), f64::INFINITY));
        for stop_at in [2.0, 9.5, 9.6, 20.0] {
            assert!(!record(many.path(), stop_at));
            assert!(bytes(many.path()).len() < bytes(one.path()).len());
        }
        assert!(record(many.path(), f64::INFINITY));
        assert_eq!(bytes(many.path()), bytes(one.path()));
        // A take truncated at any position is resumed.
        let whole = bytes(one.path());
        for cut in [0, 3, 50, 90, whole.len() / 2, whole.len() - 1] {
            fs::write(many.path().join("rope.take"), &whole[..cut]).unwrap();
            assert!(record(many.path(), f64::INFINITY));
            assert_eq!(bytes(many.path()), whole, "{cut}");
        }
    }

    #[test]
    fn a_complete_take_is_not_written_again() {
        let folder = tempfile::tempdir().unwrap();
        record(folder.path(), f64::INFINITY);
        let path = folder.path().join("rope.take");
        let written = || fs::metadata(&path).unwrap().modified().unwrap();
        let before = written();
        let scene = scene();
        let mut file = open(&scene, folder.path(), false).unwrap();
        assert!(file.there().is_some_and(|frame| frame >= 30.0));
        assert!(file.record(&scene, 30.0, |_| panic!("nothing to simulate")).unwrap());
        assert_eq!(written(), before);
        // A single frame is a valid take.
        let (scene, one) = (self::scene(), tempfile::tempdir().unwrap());
        let mut file = open(&scene, one.path(), false).unwrap();
        assert!(file.record(&scene, 1.0, |_| true).unwrap() && file.size().unwrap() > 0);
    }

    #[test]
    fn a_file_that_is_not_a_take_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rope.take");
        fs::write(&path, "mine").unwrap();
        let scene = scene();
        for again in [false, true] {
            let refused = open(&scene, folder.path(), again).unwrap_err();
            assert!(matches!(refused, RecordError::InTheWay { status: TakeStatus::NoTake, .. }));
            assert!(TakeFile::check(&scene, 0, 7, &chosen(folder.path()), again).is_err());
        }
        assert_eq!(fs::read(&path).unwrap(), b"mine");
        // A take of another body is overwritten only on request.
        fs::remove_file(&path).unwrap();
        record(folder.path(), 5.0);
        let lead = crate::open(ROPE.replace("'rope'", "'lead'").as_bytes(), &Limits::DEFAULT);
        let lead = lead.scene.unwrap();
        fs::rename(&path, folder.path().join("lead.take")).unwrap();
        let refused = TakeFile::check(&lead, 0, 7, &chosen(folder.path()), false).unwrap_err();
        assert!(refused.to_string().ends_with("is a take of another body, `rope`"), "{refused}");
        assert!(TakeFile::check(&lead, 0, 7, &chosen(folder.path()), true).is_ok());
        // The file is locked while a run writes it.
        let _one = open(&lead, folder.path(), true).unwrap();
        let busy = open(&lead, folder.path(), true).unwrap_err();
        assert!(matches!(busy, RecordError::Busy { .. }));
    }

    #[test]
    fn nothing_is_left_of_a_run_that_recorded_nothing() {
        let folder = tempfile::tempdir().unwrap();
        drop(open(&scene(), folder.path(), false).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_second_run_waits_and_then_has_nothing_left_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (scene(), scene());
        let mut one = open(&first, folder.path(), false).unwrap();
        // The first run records while the second one waits.
        let mut waited = 0;
        let mut other = TakeFile::open(&second, &recording(&chosen(folder.path()), false), || {
            waited += 1;
            assert!(one.record(&first, 30.0, |_| true).unwrap());
            true
        })
        .unwrap();
        assert_eq!(waited, 1);
        assert!(other.record(&second, 30.0, |_| panic!("nothing to simulate")).unwrap());
        assert!(second.evaluate(30.0) == first.evaluate(30.0));
    }

    #[test]
    fn a_run_that_recorded_nothing_takes_no_records_along() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (scene(), scene());
        let mut one = Some(open(&first, folder.path(), false).unwrap());
        // The first run ends without a record and removes its file, which the second one has open.
        let takes = chosen(folder.path());
        let recording = recording(&takes, false);
        let opened = TakeFile::open(&second, &recording, || {
            one = None;
            true
        });
        assert!(opened.unwrap().record(&second, 30.0, |_| true).unwrap());
        let mut again = open(&scene(), folder.path(), false).unwrap();
        assert_eq!(again.there(), Some(30.0));
        assert!(again.size().unwrap() > 0);
        assert!(again.record(&second, 30.0, |_| panic!("nothing to simulate")).unwrap());
    }

    #[test]
    fn a_file_that_is_removed_while_it_is_recorded_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let scene = scene();
        let mut file = open(&scene, folder.path(), false).unwrap();
        fs::remove_file(file.path()).unwrap();
        let error = file.record(&scene, 30.0, |_| true).unwrap_err();
        assert!(error.to_string().contains("was removed or exchanged"), "{error}");
        // Another run's file at the same path stays.
        let file = open(&scene, folder.path(), true).unwrap();
        fs::remove_file(file.path()).unwrap();
        fs::write(file.path(), "another").unwrap();
        file.close().unwrap();
        assert_eq!(fs::read(file.path()).unwrap(), b"another");
    }

    #[test]
    fn a_complete_take_is_used_while_another_run_holds_it() {
        let folder = tempfile::tempdir().unwrap();
        record(folder.path(), f64::INFINITY);
        let lock = File::open(folder.path().join("rope.take")).unwrap();
        lock.lock().unwrap();
        let scene = scene();
        let mut file = open(&scene, folder.path(), false).unwrap();
        assert!(file.record(&scene, 30.0, |_| panic!("nothing to simulate")).unwrap());
    }

    #[test]
    fn damage_is_repaired() {
        let folder = tempfile::tempdir().unwrap();
        record(folder.path(), f64::INFINITY);
        let path = folder.path().join("rope.take");
        let whole = fs::read(&path).unwrap();
        for at in [0, 3, 20, 60, 100, whole.len() / 2, whole.len() - 1] {
            let mut flipped = whole.clone();
            flipped[at] ^= 4;
            fs::write(&path, &flipped).unwrap();
            let scene = scene();
            let mut file = open(&scene, folder.path(), false).unwrap();
            assert!(file.damaged_at().is_some_and(|byte| byte <= at as u64), "{at}");
            assert!(file.record(&scene, 30.0, |_| true).unwrap());
            assert!(fs::read(&path).unwrap() == whole, "{at}");
        }
    }
}
