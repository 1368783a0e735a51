//! Paths of a document's takes, and the status of the files there.
//!
//! A folder of takes may come from someone else, like the document. No take is read or written outside
//! it by a symbolic link, except in folders that the user allows.
//!
//! Tests: `takes_are_beside_their_document`, `no_name_escapes_the_folder`,
//! `different_names_have_different_files`, `a_link_cannot_lead_a_take_elsewhere`.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use lariat_eval::{LONGEST_HEADER, Scene, TakeError, take_of};

use crate::Folder;

/// The folder of a document's takes, and the folders that links may lead to.
#[derive(Clone, Debug)]
pub struct TakeFolder {
    path: PathBuf,
    /// Whether the user has chosen it: it may be a link.
    is_chosen: bool,
    allowed: Vec<PathBuf>,
}

impl TakeFolder {
    /// The folder beside a document ([`folder_of`]).
    pub fn beside(document: &Path) -> Self {
        Self { path: folder_of(document), is_chosen: false, allowed: Vec::new() }
    }

    /// A folder that the user has chosen.
    pub fn chosen(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), is_chosen: true, allowed: Vec::new() }
    }

    /// Allows symbolic links to lead to further folders.
    #[must_use]
    pub fn allow(mut self, folders: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        self.allowed.extend(folders.into_iter().map(Into::into));
        self
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file of the take of a body's simulation: its own, or that of all strings and solids,
    /// `strings.tangle`; with solids only, `solids.tangle`. The take of a body cannot have these names.
    pub fn file_of_run(&self, scene: &Scene, body: usize) -> PathBuf {
        match scene.take_name(body) {
            "" if scene.is_of_solids_alone(body) => self.path.join("solids.tangle"),
            "" => self.path.join("strings.tangle"),
            name => file_of(&self.path, name),
        }
    }

    /// Whether a path in the folder stays inside, or leads to a folder that is allowed.
    pub(super) fn allows(&self, path: &Path) -> bool {
        match fs::symlink_metadata(&self.path) {
            // A folder that is created later has no links.
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Ok(found) if found.is_symlink() && !self.is_chosen => {
                self.allowed.iter().any(|folder| Folder::new(folder).allows(path))
            }
            _ => Folder::new(&self.path).allow(&self.allowed).allows(path),
        }
    }
}

/// The folder of a document's takes: `swing.takes` beside `swing.lariat`.
pub fn folder_of(document: &Path) -> PathBuf {
    let mut name = match document.extension() {
        Some(ending) if ending == "lariat" => document.file_stem().unwrap_or_default(),
        _ => document.file_name().unwrap_or_default(),
    }
    .to_owned();
    name.push(".takes");
    document.with_file_name(name)
}

/// The file of a body's take.
///
/// Characters that are invalid in file names are written as bytes, `%2F` for `/`, so that no name
/// escapes the folder.
pub fn file_of(folder: &Path, body: &str) -> PathBuf {
    let mut name = String::with_capacity(body.len() + 5);
    for (place, c) in body.char_indices() {
        let plain = c.is_alphanumeric() || " _-+()".contains(c) || (c == '.' && place > 0);
        if plain {
            name.push(c);
        } else {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                name.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    name.push_str(".take");
    folder.join(name)
}

/// Status of the file of a take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakeStatus {
    /// No file, or the beginning of a take without records.
    Nothing,
    /// A take of this body and this version of its document.
    This,
    /// A take of this body and another version of its document.
    OtherState,
    /// A take of this body, recorded by an older program version.
    Older,
    /// A take whose header is damaged.
    Damaged,
    /// A take of another body; without a name, of all strings and solids.
    OtherBody(String),
    /// A file that is not a take, or a take of a newer program version.
    NoTake,
}

/// Status of a file.
pub fn status(path: &Path, body: &str, hash: u128) -> io::Result<TakeStatus> {
    match fs::metadata(path).and_then(|found| match found.is_file() {
        true => File::open(path).map(Some),
        false => Ok(None),
    }) {
        Ok(Some(file)) => status_of(&file, body, hash),
        Ok(None) => Ok(TakeStatus::NoTake),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(TakeStatus::Nothing),
        Err(error) => Err(error),
    }
}

/// Status of an open file.
pub(super) fn status_of(file: &File, body: &str, hash: u128) -> io::Result<TakeStatus> {
    let mut head = Vec::new();
    file.take(LONGEST_HEADER).read_to_end(&mut head)?;
    Ok(match take_of(&head, hash) {
        Ok((whose, _)) if whose != body => TakeStatus::OtherBody(whose),
        Ok((_, None)) => TakeStatus::This,
        Ok((_, Some(TakeError::Older))) => TakeStatus::Older,
        Ok((_, Some(_))) => TakeStatus::OtherState,
        Err(TakeError::CutShort) => TakeStatus::Nothing,
        Err(TakeError::Damaged) => TakeStatus::Damaged,
        Err(_) => TakeStatus::NoTake,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_are_beside_their_document() {
        let folder = |document: &str| folder_of(Path::new(document));
        assert_eq!(folder("shots/swing.lariat"), Path::new("shots/swing.takes"));
        assert_eq!(folder("swing.v2.lariat"), Path::new("swing.v2.takes"));
        // Two documents never share a folder.
        assert_eq!(folder("swing.toml"), Path::new("swing.toml.takes"));
        assert_eq!(folder("swing"), Path::new("swing.takes"));
    }

    #[test]
    fn no_name_escapes_the_folder() {
        let file = |body: &str| file_of(Path::new("a.takes"), body);
        assert_eq!(file("left rein"), Path::new("a.takes/left rein.take"));
        assert_eq!(file("верёвка"), Path::new("a.takes/верёвка.take"));
        for body in ["../../etc/passwd", "..", "/etc/passwd", "C:\\x", ".", "", "a\0b\n", "%2F"] {
            let file = file(body);
            assert_eq!(file.parent(), Some(Path::new("a.takes")), "{body:?}");
            let name = file.file_name().and_then(|name| name.to_str()).unwrap();
            assert!(!name.contains(['/', '\\', ':', '\0', '\n']), "{name}");
        }
    }

    #[test]
    fn different_names_have_different_files() {
        let names = ["a/b", "a%2Fb", "a\\b", "a b", "a.b", ".a", "%2Ea", "a", "é", "e\u{301}"];
        let mut files: Vec<PathBuf> = names.map(|name| file_of(Path::new(""), name)).to_vec();
        files.sort();
        files.dedup();
        assert_eq!(files.len(), names.len());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_cannot_lead_a_take_elsewhere() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for inner in ["shots", "shots/swing.takes", "elsewhere"] {
            fs::create_dir(at(inner)).unwrap();
        }
        fs::write(at("elsewhere/rope.take"), "of another shot").unwrap();
        symlink(at("elsewhere/rope.take"), at("shots/swing.takes/rope.take")).unwrap();
        symlink(at("elsewhere/new.take"), at("shots/swing.takes/new.take")).unwrap();
        symlink(at("elsewhere"), at("shots/fall.takes")).unwrap();
        let beside = |name: &str, allowed: &[&str]| {
            let document = at("shots").join(name);
            TakeFolder::beside(&document).allow(allowed.iter().map(|path| at(path)))
        };
        // Neither outside the document's folder, nor over another file there.
        fs::create_dir(at("shots/other.takes")).unwrap();
        symlink("../other.takes/rope.take", at("shots/swing.takes/other.take")).unwrap();
        assert!(!beside("swing.lariat", &[]).allows(&at("shots/swing.takes/other.take")));
        for (document, take) in
            [("swing.lariat", "rope"), ("swing.lariat", "new"), ("fall.lariat", "rope")]
        {
            let refused = beside(document, &[]);
            let path = file_of(refused.path(), take);
            assert!(!refused.allows(&path), "{}", path.display());
            assert!(beside(document, &["elsewhere"]).allows(&path), "{}", path.display());
        }
        let swing = beside("swing.lariat", &[]);
        assert!(swing.allows(&file_of(swing.path(), "lead")));
        // A chosen folder may be anywhere, a link in it may not lead out of it.
        let chosen = TakeFolder::chosen(at("shots/fall.takes"));
        assert!(chosen.allows(&at("shots/fall.takes/rope.take")));
        symlink(at("rope.take"), at("elsewhere/out.take")).unwrap();
        assert!(!chosen.allows(&at("shots/fall.takes/out.take")));
    }

    #[test]
    fn a_file_that_is_not_a_take_differs_from_a_truncated_take() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rope.take");
        let status_now = || status(&path, "rope", 7).unwrap();
        assert_eq!(status_now(), TakeStatus::Nothing);
        for (bytes, expected) in [
            (&b""[..], TakeStatus::Nothing),
            (b"lariat ta", TakeStatus::Nothing),
            (b"lariat take 5\n\0\0\0", TakeStatus::Nothing),
            (b"lariat take 6\n\0\0\0", TakeStatus::NoTake),
            (b"lariat = 2", TakeStatus::NoTake),
        ] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(status_now(), expected, "{bytes:?}");
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert_eq!(status_now(), TakeStatus::NoTake);
    }
}
