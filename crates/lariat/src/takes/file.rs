//! Records a simulation while it runs, so that a crash loses little.
//!
//! A take grows by whole chunks of a checkpoint and sixty records: a quarter of a second at 240
//! steps a second. An interrupted run resumes from the file and gives the same bits as an
//! uninterrupted one. The file is locked while a run writes it.
//!
//! Tests: `a_run_in_pieces_writes_the_same_bytes`,
//! `a_file_that_is_not_a_take_is_never_overwritten`, `a_complete_take_is_not_written_again`.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use lariat_eval::{Scene, TakeWriter};
use thiserror::Error;

use super::place::{TakeStatus, file_of_run, status_of};

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
    /// Another run is writing the file.
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

/// File of one body's take, open for writing.
#[derive(Debug)]
pub struct TakeFile {
    path: PathBuf,
    file: File,
    body: usize,
    hash: u128,
    writer: TakeWriter,
    /// Bytes that are kept when more are written.
    kept: u64,
    /// Whether the file has been truncated to these bytes.
    cut: bool,
    found: TakeStatus,
    there: Option<f64>,
}

impl TakeFile {
    /// Checks whether a take can be recorded, without changing anything. `again` allows overwriting
    /// a take of another body; a file that is not a take is never overwritten.
    pub fn check(
        scene: &Scene,
        body: usize,
        hash: u128,
        folder: &Path,
        again: bool,
    ) -> Result<TakeStatus, RecordError> {
        let name = scene.take_name(body);
        let path = file_of_run(folder, scene, body);
        match super::status(&path, name, hash) {
            Err(error) => Err(RecordError::Disk { path, error }),
            Ok(status) => allowed(path, status, again),
        }
    }

    /// Opens the file of a body's take, and loads it into the scene unless it is recorded `again`.
    /// The file is not changed before the first write.
    pub fn open(
        scene: &Scene,
        body: usize,
        hash: u128,
        folder: &Path,
        again: bool,
    ) -> Result<Self, RecordError> {
        let name = scene.take_name(body);
        let path = file_of_run(folder, scene, body);
        let disk = |error| RecordError::Disk { path: path.clone(), error };
        if path.is_dir() {
            return Err(RecordError::InTheWay { path, status: TakeStatus::NoTake });
        }
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(disk)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RecordError::Busy { path }),
            Err(TryLockError::Error(error)) => return Err(disk(error)),
        }
        let found = status_of(&file, name, hash).map_err(disk)?;
        let found = allowed(path.clone(), found, again)?;
        let (mut kept, mut writer, mut there) = (0, TakeWriter::default(), None);
        if found == TakeStatus::This && !again {
            let mut bytes = Vec::new();
            file.seek(SeekFrom::Start(0)).map_err(disk)?;
            file.read_to_end(&mut bytes).map_err(disk)?;
            if let Ok((whole, resumed, frame)) = scene.load_take(body, hash, &bytes) {
                (kept, writer, there) = (whole as u64, resumed, Some(frame));
            }
        }
        Ok(Self { path, file, body, hash, writer, kept, cut: false, found, there })
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

    /// Size of the file in bytes.
    pub fn size(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Simulates up to a frame and writes every chunk as soon as it is complete. `each` receives
    /// the current frame and stops the run by returning false; frames simulated until then are
    /// written. Returns whether the run reached the end.
    pub fn record(
        &mut self,
        scene: &Scene,
        frame: f64,
        mut each: impl FnMut(f64) -> bool,
    ) -> Result<bool, RecordError> {
        let body = self.body;
        let stopped = || scene.simulation(body).is_none_or(|run| run.stopped);
        // A quarter of a second: no chunk is complete earlier.
        let piece = 0.25 * scene.shot().rate.per_second();
        // A complete take is not changed.
        let mut ran = self.there.is_none();
        let mut until = scene.simulation(body).map_or(frame, |run| run.to);
        loop {
            until = (until + piece).min(frame.max(until));
            let mut report = |at: f64| {
                ran = true;
                each(at)
            };
            let completed = scene.simulate(body, until, &mut report);
            let last = !completed || until >= frame || stopped();
            if ran {
                self.write(scene, last)?;
            }
            if last {
                return Ok(completed);
            }
        }
    }

    /// Appends new chunks.
    fn write(&mut self, scene: &Scene, finally: bool) -> Result<(), RecordError> {
        let disk = |error| RecordError::Disk { path: self.path.clone(), error };
        let bytes = scene.take_bytes(self.body, self.hash, &mut self.writer, finally);
        if !bytes.is_empty() {
            if !self.cut {
                self.cut = true;
                self.file.set_len(self.kept).map_err(disk)?;
                self.file.seek(SeekFrom::Start(self.kept)).map_err(disk)?;
            }
            self.file.write_all(&bytes).map_err(disk)?;
            self.file.flush().map_err(disk)?;
        }
        if finally {
            self.file.sync_all().map_err(disk)?;
        }
        Ok(())
    }
}

impl Drop for TakeFile {
    /// Removes the file if nothing was recorded.
    fn drop(&mut self) {
        if self.size().is_ok_and(|size| size == 0) {
            let _ = fs::remove_file(&self.path);
        }
    }
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

    /// Records until `stop_at`; returns whether the run reached the end.
    fn record(folder: &Path, stop_at: f64) -> bool {
        let scene = scene();
        let mut file = TakeFile::open(&scene, 0, 7, folder, false).unwrap();
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
        let mut file = TakeFile::open(&scene, 0, 7, folder.path(), false).unwrap();
        assert!(file.there().is_some_and(|frame| frame >= 30.0));
        assert!(file.record(&scene, 30.0, |_| panic!("nothing to simulate")).unwrap());
        assert_eq!(written(), before);
        // A single frame is a valid take.
        let (scene, one) = (self::scene(), tempfile::tempdir().unwrap());
        let mut file = TakeFile::open(&scene, 0, 7, one.path(), false).unwrap();
        assert!(file.record(&scene, 1.0, |_| true).unwrap() && file.size().unwrap() > 0);
    }

    #[test]
    fn a_file_that_is_not_a_take_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rope.take");
        fs::write(&path, "mine").unwrap();
        let scene = scene();
        for again in [false, true] {
            let refused = TakeFile::open(&scene, 0, 7, folder.path(), again).unwrap_err();
            assert!(matches!(refused, RecordError::InTheWay { status: TakeStatus::NoTake, .. }));
            assert!(TakeFile::check(&scene, 0, 7, folder.path(), again).is_err());
        }
        assert_eq!(fs::read(&path).unwrap(), b"mine");
        // A take of another body is overwritten only on request.
        fs::remove_file(&path).unwrap();
        record(folder.path(), 5.0);
        let lead = crate::open(ROPE.replace("'rope'", "'lead'").as_bytes(), &Limits::DEFAULT);
        let lead = lead.scene.unwrap();
        fs::rename(&path, folder.path().join("lead.take")).unwrap();
        let refused = TakeFile::check(&lead, 0, 7, folder.path(), false).unwrap_err();
        assert!(refused.to_string().ends_with("is a take of another body, `rope`"), "{refused}");
        assert!(TakeFile::check(&lead, 0, 7, folder.path(), true).is_ok());
        // The file is locked while a run writes it.
        let _one = TakeFile::open(&lead, 0, 7, folder.path(), true).unwrap();
        let busy = TakeFile::open(&lead, 0, 7, folder.path(), true).unwrap_err();
        assert!(matches!(busy, RecordError::Busy { .. }));
    }

    #[test]
    fn nothing_is_left_of_a_run_that_recorded_nothing() {
        let folder = tempfile::tempdir().unwrap();
        drop(TakeFile::open(&scene(), 0, 7, folder.path(), false).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
