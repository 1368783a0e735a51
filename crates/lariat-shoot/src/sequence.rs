//! Names of numbered pictures: `out/frame-####.png` stands for `out/frame-0001.png` and so on.
//!
//! A picture is renamed to its final name only when complete, so an interrupted sequence can keep
//! its pictures. [`size_of_png`] still checks each of them, because it may have another origin.
//!
//! Tests: `marks_become_numbers`, `without_marks_the_number_precedes_the_extension`,
//! `complete_pictures_are_recognised`.

use std::{
    ffi::OsString,
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use lariat_render::Size;

use crate::error::ShootError;

/// Number of digits without marks.
const DIGITS: usize = 4;

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
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Ok(None) };
        let Some(start) = name.find('#') else { return Ok(None) };
        let digits = name[start..].bytes().take_while(|byte| *byte == b'#').count();
        let (before, after) = (&name[..start], &name[start + digits..]);
        if after.contains('#') {
            return Err(ShootError::TwoNumbers);
        }
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Some(Self { folder, before: before.into(), digits, after: after.into() }))
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

/// Size of a complete PNG; `None` if the file is something else or incomplete.
pub fn size_of_png(path: &Path) -> io::Result<Option<Size>> {
    const START: &[u8; 8] = b"\x89PNG\r\n\x1a\n";
    const END: &[u8; 8] = b"IEND\xae\x42\x60\x82";
    let mut file = File::open(path)?;
    let (mut head, mut tail) = ([0; 24], [0; 8]);
    if file.metadata()?.len() < 45 {
        return Ok(None);
    }
    file.read_exact(&mut head)?;
    file.seek(SeekFrom::End(-8))?;
    file.read_exact(&mut tail)?;
    let side = |at: usize| u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let whole = head.starts_with(START) && tail == *END;
    Ok(if whole { Size::new(side(16), side(20)).ok() } else { None })
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
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(size_of_png(&path).unwrap(), Some(size));
        for part in [&bytes[..bytes.len() - 1], &bytes[..3], b"", &[b'x'; 100]] {
            std::fs::write(&path, part).unwrap();
            assert_eq!(size_of_png(&path).unwrap(), None);
        }
    }
}
