//! Names of numbered pictures: `out/frame-####.png` stands for `out/frame-0001.png` and so on.
//!
//! A picture is renamed to its final name only when complete, so an interrupted sequence can keep
//! its pictures. [`existing_picture`] still reads each of them to its end, because it may have another
//! origin, or the disk may have damaged it.
//!
//! Tests: `marks_become_numbers`, `marks_of_a_name_that_is_not_text_become_numbers`,
//! `without_marks_the_number_precedes_the_extension`, `complete_pictures_are_recognised`.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, BufReader, Read, Seek},
    path::{Path, PathBuf},
};

use lariat_render::{Size, size_of_png};

use crate::error::ShootError;

/// Number of digits without marks.
const DIGITS: usize = 4;

/// Size of the buffer for reading pictures, in bytes.
const BUFFER: usize = 1 << 16;

/// File names that differ by a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    folder: PathBuf,
    before: OsString,
    digits: usize,
    after: OsString,
}

impl Sequence {
    /// Sequence of a name with `#` marks; `None` for a name without.
    pub fn marked(path: &Path) -> Result<Option<Self>, ShootError> {
        let Some((before, digits, after)) = path.file_name().and_then(split) else {
            return Ok(None);
        };
        if after.as_encoded_bytes().contains(&b'#') {
            return Err(ShootError::TwoNumbers);
        }
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Some(Self { folder, before, digits, after }))
    }

    /// Sequence of a name without marks: `rope.png` becomes `rope-0001.png` and so on.
    pub fn beside(path: &Path) -> Self {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut before = path.file_stem().unwrap_or_default().to_owned();
        before.push("-");
        let mut after = OsString::from(".");
        after.push(path.extension().unwrap_or_default());
        Self { folder, before, digits: DIGITS, after }
    }

    /// File of a frame.
    pub fn path(&self, frame: i64) -> PathBuf {
        let mut name = self.before.clone();
        name.push(format!("{frame:0digits$}", digits = self.digits));
        name.push(&self.after);
        self.folder.join(name)
    }
}

/// Splits a file name around its first marks: the part before, their number, the part after.
#[cfg(unix)]
fn split(name: &OsStr) -> Option<(OsString, usize, OsString)> {
    use std::os::unix::ffi::OsStrExt;

    // A name may be any bytes.
    let (before, digits, after) = split_bytes(name.as_bytes())?;
    Some((OsStr::from_bytes(before).into(), digits, OsStr::from_bytes(after).into()))
}

/// Splits a file name around its first marks: the part before, their number, the part after.
#[cfg(not(unix))]
fn split(name: &OsStr) -> Option<(OsString, usize, OsString)> {
    let name = name.to_str()?;
    let (before, digits, _) = split_bytes(name.as_bytes())?;
    let start = before.len();
    Some((name[..start].into(), digits, name[start + digits..].into()))
}

fn split_bytes(name: &[u8]) -> Option<(&[u8], usize, &[u8])> {
    let start = name.iter().position(|byte| *byte == b'#')?;
    let digits = name[start..].iter().take_while(|byte| **byte == b'#').count();
    Some((&name[..start], digits, &name[start + digits..]))
}

/// State of an existing file at the path of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingPicture {
    /// A complete PNG.
    Complete(Size),
    /// A PNG with wrong bytes, or the beginning of one.
    Damaged,
    /// A file of another kind.
    Other,
}

/// Reads an existing file at the path of a picture, all of it.
pub fn existing_picture(path: &Path) -> io::Result<ExistingPicture> {
    const START: &[u8; 8] = b"\x89PNG\r\n\x1a\n";
    let mut file = BufReader::with_capacity(BUFFER, File::open(path)?);
    let mut start = Vec::with_capacity(START.len());
    file.by_ref().take(START.len() as u64).read_to_end(&mut start)?;
    if !START.starts_with(&start) {
        return Ok(ExistingPicture::Other);
    }
    file.rewind()?;
    Ok(size_of_png(file)?.map_or(ExistingPicture::Damaged, ExistingPicture::Complete))
}

#[cfg(test)]
mod tests {
    use lariat_render::Picture;

    use super::*;

    #[test]
    fn marks_become_numbers() {
        let named = |name: &str, frame: i64| {
            Sequence::marked(Path::new(name)).unwrap().map(|sequence| sequence.path(frame))
        };
        for (name, frame, expected) in [
            ("out/frame-####.png", 7, "out/frame-0007.png"),
            ("#.png", 12, "12.png"),
            ("##a.png", 123, "123a.png"),
            ("a.####.png", -5, "a.-005.png"),
        ] {
            assert_eq!(named(name, frame), Some(expected.into()), "{name}");
        }
        assert_eq!(named("take #2/rope.png", 1), None);
        assert!(Sequence::marked(Path::new("#-#.png")).is_err());
    }

    #[test]
    fn without_marks_the_number_precedes_the_extension() {
        let path = |name: &str| Sequence::beside(Path::new(name)).path(24);
        assert_eq!(path("out/rope.png"), Path::new("out/rope-0024.png"));
        assert_eq!(path("rope.v2.PNG"), Path::new("rope.v2-0024.PNG"));
    }

    #[test]
    fn complete_pictures_are_recognised() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let size = Size::new(20, 10).unwrap();
        let mut bytes = Vec::new();
        Picture::new(size, [1, 2, 3, 255]).encode_png(&mut bytes).unwrap();
        let found = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            existing_picture(&path).unwrap()
        };
        assert_eq!(found(&bytes), ExistingPicture::Complete(size));
        for part in [&bytes[..bytes.len() - 1], &bytes[..3], b""] {
            assert_eq!(found(part), ExistingPicture::Damaged);
        }
        assert_eq!(found(&[b'x'; 100]), ExistingPicture::Other);
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        assert_eq!(found(&bytes), ExistingPicture::Damaged);
        assert!(existing_picture(&folder.path().join("gone.png")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn marks_of_a_name_that_is_not_text_become_numbers() {
        use std::os::unix::ffi::OsStrExt;

        let path = |bytes: &'static [u8]| Path::new(OsStr::from_bytes(bytes));
        let sequence = Sequence::marked(path(b"out/\xff-####\xfe.png")).unwrap().unwrap();
        assert_eq!(sequence.path(7), path(b"out/\xff-0007\xfe.png"));
        assert!(Sequence::marked(path(b"\xff#-#.png")).is_err());
        assert_eq!(Sequence::marked(path(b"\xff.png")).unwrap(), None);
    }
}
