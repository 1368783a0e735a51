//! Files that hold the records of simulations: takes (simulation caches), and temporary files for
//! records that do not fit into memory.
//!
//! The files of takes are opened when they are needed, and a few stay open, so that a document can
//! have more simulations than a program may have open files. Chunks have checksums, so a file that
//! somebody else changes meanwhile is noticed and simulated again.
//!
//! Temporary files have no name (where the system allows it), so nothing is left of them after a crash.
//! They are in the folder for temporary files, `TMPDIR`.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use lariat_eval::Storage;

/// Files that stay open for reading. More: a program with many other files reaches the limit of the
/// system.
const MOST_OPEN: usize = 32;

/// Opens a file for reading; a pipe or a device is an error, not waited for.
pub(super) fn open_regular(path: &Path) -> io::Result<File> {
    let check = |found: Metadata| match found.is_file() {
        true => Ok(()),
        false => Err(io::Error::other("it is not a regular file")),
    };
    check(fs::metadata(path)?)?;
    let file = File::open(path)?;
    check(file.metadata()?)?;
    Ok(file)
}

/// Files that are open for reading, the one used last at the end.
#[derive(Debug, Default)]
pub(super) struct OpenFiles(Mutex<Vec<(PathBuf, File)>>);

impl OpenFiles {
    fn read_at(&self, path: &Path, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match files.iter().position(|(open, _)| open == path) {
            Some(at) => files[at..].rotate_left(1),
            None => {
                let file = open_regular(path)?;
                if files.len() == MOST_OPEN {
                    files.remove(0);
                }
                files.push((path.to_owned(), file));
            }
        }
        let Some((_, file)) = files.last_mut() else { return Ok(()) };
        read_at(file, offset, out)
    }

    /// Closes a file, because it is going to be written or has changed.
    fn close(&self, path: &Path) {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.retain(|(open, _)| open != path);
    }
}

fn read_at(file: &mut File, offset: u64, out: &mut [u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(out)
}

fn write_at(file: &mut File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    // Old bytes go first: after a crash, the file must not continue with bytes of another chunk.
    file.set_len(offset)?;
    file.seek(SeekFrom::Start(offset))?;
    file.write_all(bytes)
}

/// The open file of a take that is being recorded; shared, so that it can be closed at the end.
pub(super) type Recorder = Arc<Mutex<Option<File>>>;

/// The file of a take that is recorded, and is only read once the recorder is closed.
#[derive(Debug)]
pub(super) struct RecordedFile {
    pub path: PathBuf,
    pub files: Arc<OpenFiles>,
    pub recorder: Recorder,
}

impl RecordedFile {
    /// Calls `act` with the open file; none if it is closed.
    fn recorder<T>(&self, act: impl FnOnce(&mut File) -> io::Result<T>) -> Option<io::Result<T>> {
        self.recorder.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(act)
    }
}

impl Storage for RecordedFile {
    fn size(&mut self) -> io::Result<u64> {
        let size = self.recorder(|file| Ok(file.metadata()?.len()));
        size.unwrap_or_else(|| Ok(fs::metadata(&self.path)?.len()))
    }

    fn read_at(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let read = self.recorder(|file| read_at(file, offset, out));
        read.unwrap_or_else(|| self.files.read_at(&self.path, offset, out))
    }

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.files.close(&self.path);
        let written = self.recorder(|file| write_at(file, offset, bytes));
        written.unwrap_or_else(|| Err(io::Error::other("it is not being recorded")))
    }
}

/// The first bytes are those of a take's file, if there is one; all others are in a temporary file.
#[derive(Debug)]
pub(super) struct OverflowFile {
    /// The file of the take, and the number of its bytes that are used.
    take: Option<(PathBuf, u64)>,
    files: Arc<OpenFiles>,
    /// Created when it is first needed.
    temporary: Option<File>,
}

impl OverflowFile {
    /// Storage without a take.
    pub(super) fn empty(files: &Arc<OpenFiles>) -> Self {
        Self { take: None, files: Arc::clone(files), temporary: None }
    }

    /// Storage that begins with a take.
    pub(super) fn after(path: &Path, files: &Arc<OpenFiles>) -> io::Result<Self> {
        let size = open_regular(path)?.metadata()?.len();
        Ok(Self { take: Some((path.to_owned(), size)), ..Self::empty(files) })
    }

    /// Number of bytes of the take that are used.
    fn taken(&self) -> u64 {
        self.take.as_ref().map_or(0, |(_, size)| *size)
    }
}

impl Storage for OverflowFile {
    fn size(&mut self) -> io::Result<u64> {
        let more = self
            .temporary
            .as_ref()
            .map_or(Ok(0), |file| Ok::<_, io::Error>(file.metadata()?.len()))?;
        Ok(self.taken() + more)
    }

    fn read_at(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let taken = self.taken();
        let inside = usize::try_from(taken.saturating_sub(offset)).unwrap_or(usize::MAX);
        let (first, rest) = out.split_at_mut(inside.min(out.len()));
        if let (Some((path, _)), false) = (&self.take, first.is_empty()) {
            self.files.read_at(path, offset, first)?;
        }
        match &mut self.temporary {
            _ if rest.is_empty() => Ok(()),
            Some(file) => read_at(file, offset.max(taken) - taken, rest),
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        if let Some((_, size)) = &mut self.take {
            // The take itself is never changed.
            *size = offset.min(*size);
        }
        let taken = self.taken();
        let file = match &mut self.temporary {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        write_at(file, offset - taken, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_take_is_extended_in_a_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rope.take");
        fs::write(&path, b"0123456789").unwrap();
        let mut file = OverflowFile::after(&path, &Arc::default()).unwrap();
        let read = |file: &mut OverflowFile, from: u64, count: usize| {
            let mut out = vec![0; count];
            file.read_at(from, &mut out).map(|()| String::from_utf8(out).unwrap())
        };
        file.write_at(10, b"abc").unwrap();
        assert_eq!(file.size().unwrap(), 13);
        assert_eq!(read(&mut file, 8, 4).unwrap(), "89ab");
        assert!(read(&mut file, 8, 6).is_err());
        // Written over its last bytes, and again.
        file.write_at(6, b"xyz").unwrap();
        assert_eq!((file.size().unwrap(), read(&mut file, 4, 5).unwrap()), (9, "45xyz".to_owned()));
        file.write_at(8, b"!").unwrap();
        assert_eq!(read(&mut file, 0, 9).unwrap(), "012345xy!");
        assert_eq!(fs::read(&path).unwrap(), b"0123456789");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn more_files_than_may_stay_open_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let files = OpenFiles::default();
        let path = |i: usize| folder.path().join(format!("{i}.take"));
        (0..3 * MOST_OPEN).for_each(|i| fs::write(path(i), i.to_le_bytes()).unwrap());
        for i in (0..3 * MOST_OPEN).chain((0..3 * MOST_OPEN).rev()) {
            let mut out = [0; size_of::<usize>()];
            files.read_at(&path(i), 0, &mut out).unwrap();
            assert_eq!(usize::from_le_bytes(out), i);
        }
        assert_eq!(files.0.lock().unwrap().len(), MOST_OPEN);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_refused() {
        let error = open_regular(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.to_string(), "it is not a regular file");
    }
}
