//! Loads the takes beside a document into its scene.
//!
//! Tests: `damage_is_reported_and_simulated_again`, `a_take_of_this_state_is_used`, `a_stale_take_is_reported_once`,
//! `all_strings_share_one_take`.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::Arc,
};

use lariat_eval::{Scene, TakeEnd, TakeError, TapeUse};
use lariat_scene::{
    Limits,
    check::{Code, Diagnostic},
    lower::Lowered,
};

use super::{
    TakeFolder,
    storage::{OpenFiles, OverflowFile},
};

/// A take that was found but not used, or not completely, or that ends before the shot.
#[derive(Debug)]
pub struct UnusedTake {
    /// Index of the body.
    pub body: usize,
    /// Path of the file.
    pub path: PathBuf,
    /// Reason.
    pub why: TakeError,
    /// Last frame that is used, if any are.
    pub used_to: Option<f64>,
}

impl UnusedTake {
    /// Whether it was recorded from another version of the document, or by an older program
    /// version.
    pub fn is_stale(&self) -> bool {
        self.is_older() || self.why == TakeError::OtherDocument
    }

    fn is_older(&self) -> bool {
        self.why == TakeError::Older
    }
}

/// Loads all takes in a folder into the scene. Returns the takes that cannot be used, or not
/// completely, and those that end before the shot ([`TakeError::CutShort`]); the rest of the motion is
/// simulated when it is needed.
///
/// Records beyond the limit on memory are read from takes when they are needed, and are otherwise in
/// temporary files. Takes are not changed.
pub fn load(
    scene: &Scene,
    hash: u128,
    folder: Option<&TakeFolder>,
    limits: &Limits,
) -> Vec<UnusedTake> {
    scene.limit_recordings(limits);
    let files = Arc::new(OpenFiles::default());
    let mut unused = Vec::new();
    for body in scene.simulated_groups().into_iter().flatten() {
        let found = folder.and_then(|folder| {
            let path = folder.file_of_run(scene, body);
            let found = match folder.allows(&path) {
                true => load_one(scene, hash, body, &path, &files),
                false => Some((TakeError::Unreadable(OUTSIDE.to_owned()), None)),
            };
            found.map(|(why, used_to)| UnusedTake { body, path, why, used_to })
        });
        let used = found.as_ref().is_none_or(|unused| unused.used_to.is_some());
        if !used || scene.simulation(body).is_some_and(|run| run.to <= run.from) {
            let storage = Box::new(OverflowFile::empty(&files));
            scene.start_take(body, hash, storage, TapeUse::Overflow);
        }
        unused.extend(found);
    }
    unused
}

/// The reason why a take is not read.
const OUTSIDE: &str = "it leads out of the folder of the takes; if you trust it, allow the folder that \
                       it leads to with `--allow-path`";

/// Loads a take; returns the reason why it is not used, and the last frame that is.
fn load_one(
    scene: &Scene,
    hash: u128,
    body: usize,
    path: &Path,
    files: &Arc<OpenFiles>,
) -> Option<(TakeError, Option<f64>)> {
    let storage = match OverflowFile::after(path, files) {
        Ok(storage) => Box::new(storage),
        // The file or the folder does not exist.
        Err(error) if [ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&error.kind()) => {
            return None;
        }
        Err(error) => return Some((TakeError::Unreadable(error.to_string()), None)),
    };
    match scene.load_take(body, hash, storage, TapeUse::Overflow) {
        Ok((TakeEnd::Damaged { .. }, frame)) => Some((TakeError::Damaged, Some(frame))),
        Ok((_, frame)) => {
            let run = scene.simulation(body);
            let is_done = frame >= scene.shot().last as f64 || run.is_some_and(|run| run.stopped);
            (!is_done).then_some((TakeError::CutShort, Some(frame)))
        }
        // A run stopped before it had recorded a whole chunk.
        Err(why) => Some((why, None)),
    }
}

/// Number of listed names.
const NAMED: usize = 3;

/// Notes about takes: one for all those of another version of the document or of the program, and one
/// for each that is damaged.
pub fn notes(lowered: &Lowered, scene: &Scene, unused: &[UnusedTake]) -> Vec<Diagnostic> {
    let damaged = unused.iter().filter(|one| one.why == TakeError::Damaged);
    let damaged = damaged.map(|one| damage_note(lowered, scene, one));
    stale_note(lowered, scene, unused).into_iter().chain(damaged).collect()
}

fn damage_note(lowered: &Lowered, scene: &Scene, take: &UnusedTake) -> Diagnostic {
    let name = scene.run_name(take.body);
    let again = match take.used_to {
        None => "the motion is simulated again".to_owned(),
        Some(frame) => format!("the motion after frame {:.0} is simulated again", frame.floor()),
    };
    let mut note = Diagnostic::new(Code::DamagedTake, format!("the take of `{name}` is damaged"));
    if let Some(body) = lowered.bodies.get(take.body) {
        let label = format!("`{}` is not as it was written", take.path.display());
        note = note.label(body.span("dynamics"), body.path_of("dynamics"), label);
    }
    note.help("repair it with `lariat simulate`").note(again)
}

/// One note for all takes of another version of the document or of the program, if any.
fn stale_note(lowered: &Lowered, scene: &Scene, unused: &[UnusedTake]) -> Option<Diagnostic> {
    let others: Vec<&UnusedTake> = unused.iter().filter(|one| one.is_stale()).collect();
    let names: Vec<String> =
        others.iter().map(|one| format!("`{}`", scene.run_name(one.body))).collect();
    let (takes, [belong, were, them]) = match names.as_slice() {
        [] => return None,
        [one] => (format!("the take of {one}"), ["belongs", "was", "it"]),
        [most @ .., last] if names.len() <= NAMED => {
            (format!("the takes of {} and {last}", most.join(", ")), ["belong", "were", "them"])
        }
        _ => {
            let more = names.len() - NAMED;
            let some = names[..NAMED].join(", ");
            (format!("the takes of {some} and {more} more"), ["belong", "were", "them"])
        }
    };
    let first = others[0];
    let folder = first.path.parent().unwrap_or(Path::new("")).display();
    // With takes of both kinds, the help is about the change, which can be undone.
    let older = others.iter().all(|one| one.is_older());
    let (what, when, undo) = if older {
        (format!("{were} recorded by an older version of Lariat"), "by an older version", "")
    } else {
        let state = format!("{belong} to another version of the document");
        (state, "before a change", ", or undo the change")
    };
    let mut note = Diagnostic::new(Code::StaleTake, format!("{takes} {what}"));
    if let Some(body) = lowered.bodies.get(first.body) {
        let label = format!("`{}` was recorded {when}", first.path.display());
        note = note.label(body.span("dynamics"), body.path_of("dynamics"), label);
    }
    Some(
        note.help(format!("record {them} again with `lariat simulate`{undo}")).note(format!(
            "outdated takes in `{folder}` are not used; the motion is simulated again"
        )),
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{
        open, open_file,
        takes::{Recording, TakeFile, folder_of},
    };

    const ROPE: &str = "lariat = 2\n[shot]\nframes = [1, 12]\n[[body]]\nname = 'rope'\n\
                        model = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 1\ndirection = [1, 0, 0]\n\
                        dynamics = 'spline-rope'\n";

    fn chosen(folder: &Path) -> TakeFolder {
        TakeFolder::chosen(folder)
    }

    fn open_take(scene: &Scene, body: usize, hash: u128, folder: &Path) -> TakeFile {
        let folder = &chosen(folder);
        let recording = Recording { body, hash, folder, last: 12.0, again: false };
        TakeFile::open(scene, &recording, || false).unwrap()
    }

    fn load_all(scene: &Scene, hash: u128, folder: &Path) -> Vec<UnusedTake> {
        load(scene, hash, Some(&chosen(folder)), &Limits::DEFAULT)
    }

    /// A document on disk, and its take beside it.
    fn recorded() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shot.lariat");
        fs::write(&path, ROPE).unwrap();
        let opened = open_file(&path, &Limits::DEFAULT).unwrap();
        let (scene, content) = (opened.scene.unwrap(), opened.content.unwrap());
        let takes = folder_of(&path);
        fs::create_dir(&takes).unwrap();
        let hash = content.document.motion_hash();
        let mut file = open_take(&scene, 0, hash, &takes);
        assert!(file.record(&scene, 12.0, |_| true).unwrap());
        (folder, path)
    }

    #[test]
    fn a_take_of_this_state_is_used() {
        let (_folder, path) = recorded();
        let opened = open_file(&path, &Limits::DEFAULT).unwrap();
        assert!(opened.diagnostics.is_empty(), "{:?}", opened.diagnostics);
        let scene = opened.scene.unwrap();
        assert!(scene.simulation(0).unwrap().to >= 12.0, "the take was not used");
        let fresh = open(ROPE.as_bytes(), &Limits::DEFAULT).scene.unwrap();
        assert!(scene.evaluate(12.0) == fresh.evaluate(12.0));
    }

    #[test]
    fn a_stale_take_is_reported_once() {
        let (_folder, path) = recorded();
        fs::write(&path, ROPE.replace("length = 1", "length = 2")).unwrap();
        let opened = open_file(&path, &Limits::DEFAULT).unwrap();
        let [note] = opened.diagnostics.as_slice() else { panic!("{:?}", opened.diagnostics) };
        assert_eq!(note.code, Code::StaleTake);
        assert_eq!(note.message, "the take of `rope` belongs to another version of the document");
        assert!(note.span().is_some());
        let run = opened.scene.unwrap().simulation(0).unwrap();
        assert_eq!(run.to, run.from);
        // A take of an older program version is reported as such, even if the document changed too.
        let take = folder_of(&path).join("rope.take");
        let older = [&b"lariat take 4\n"[..], &[7; 16], &4_u32.to_le_bytes(), b"rope", &[0; 99]];
        fs::write(&take, older.concat()).unwrap();
        let opened = open_file(&path, &Limits::DEFAULT).unwrap();
        let [note] = opened.diagnostics.as_slice() else { panic!("{:?}", opened.diagnostics) };
        assert_eq!(note.message, "the take of `rope` was recorded by an older version of Lariat");
        assert_eq!(note.helps, ["record it again with `lariat simulate`"]);
        // A file that is not a take is ignored.
        fs::write(folder_of(&path).join("rope.take"), "mine").unwrap();
        assert!(open_file(&path, &Limits::DEFAULT).unwrap().diagnostics.is_empty());
    }

    #[test]
    fn damage_is_reported_and_simulated_again() {
        let (_folder, path) = recorded();
        let take = folder_of(&path).join("rope.take");
        let whole = fs::read(&take).unwrap();
        let fresh = open(ROPE.as_bytes(), &Limits::DEFAULT).scene.unwrap().evaluate(12.0);
        for at in [2, 40, 80, whole.len() / 2, whole.len() - 3] {
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            fs::write(&take, flipped).unwrap();
            let opened = open_file(&path, &Limits::DEFAULT).unwrap();
            let [note] = opened.diagnostics.as_slice() else { panic!("{at}") };
            assert_eq!(note.code, Code::DamagedTake, "{at}");
            assert_eq!(note.message, "the take of `rope` is damaged");
            assert!(note.notes[0].ends_with("is simulated again"), "{note:?}");
            assert!(opened.scene.unwrap().evaluate(12.0) == fresh, "{at}");
        }
        // Cut short, as a crash leaves it: nothing to report.
        fs::write(&take, &whole[..whole.len() - 3]).unwrap();
        let opened = open_file(&path, &Limits::DEFAULT).unwrap();
        assert!(opened.diagnostics.is_empty(), "{:?}", opened.diagnostics);
        assert!(opened.scene.unwrap().evaluate(12.0) == fresh);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_in_place_of_a_take_is_not_read() {
        let (_folder, path) = recorded();
        let take = folder_of(&path).join("rope.take");
        fs::remove_file(&take).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &take).unwrap();
        let scene = open(ROPE.as_bytes(), &Limits::DEFAULT).scene.unwrap();
        let unused = load_all(&scene, 7, &folder_of(&path));
        let [UnusedTake { why: TakeError::Unreadable(why), .. }] = &unused[..] else {
            panic!("{unused:?}")
        };
        assert_eq!(why, OUTSIDE);
        let devices = TakeFolder::beside(&path).allow(["/dev"]);
        let unused = load(&scene, 7, Some(&devices), &Limits::DEFAULT);
        let [UnusedTake { why: TakeError::Unreadable(why), .. }] = &unused[..] else {
            panic!("{unused:?}")
        };
        assert_eq!(why, "it is not a regular file");
        scene.evaluate(12.0);
    }

    #[test]
    fn all_strings_share_one_take() {
        let body = |name: &str, kind: &str| {
            format!(
                "[[body]]\nname = '{name}'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 1\n\
                 dynamics = {{ kind = '{kind}', {} }}\n",
                if kind == "string" {
                    "segments = 6, contact = false"
                } else {
                    "control-points = 6"
                }
            )
        };
        let text = ["lariat = 2\n[shot]\nframes = [1, 12]\n".to_owned()]
            .into_iter()
            .chain([body("a", "string"), body("strings", "spline-rope"), body("b", "string")])
            .collect::<String>();
        let scene = || open(text.as_bytes(), &Limits::DEFAULT).scene.unwrap();
        let (recorded, folder) = (scene(), tempfile::tempdir().unwrap());
        for body in recorded.simulated_groups().into_iter().flatten() {
            let mut file = open_take(&recorded, body, 7, folder.path());
            assert!(file.record(&recorded, 12.0, |_| true).unwrap());
        }
        let mut files: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        assert_eq!(files, ["strings.take", "strings.tangle"]);
        let loaded = scene();
        assert!(load_all(&loaded, 7, folder.path()).is_empty());
        for body in 0..3 {
            assert!(loaded.simulation(body).unwrap().to >= 12.0, "the take of {body} was not used");
        }
        assert!(loaded.evaluate(12.0) == recorded.evaluate(12.0));
        // Both stale takes are reported, the strings as one.
        let unused = load_all(&scene(), 8, folder.path());
        assert_eq!(unused.iter().filter(|one| one.is_stale()).count(), 2);
        // A scene with only solids has a different take.
        let ball = "[[body]]\nname = 'ball'\nmodel = 'solid'\nshape = 'ball'\ndynamics = 'rigid'\n";
        let alone = format!("lariat = 2\n{ball}");
        let alone = open(alone.as_bytes(), &Limits::DEFAULT).scene.unwrap();
        assert!(chosen(folder.path()).file_of_run(&alone, 0).ends_with("solids.tangle"));
        let both = open(format!("{text}{ball}").as_bytes(), &Limits::DEFAULT).scene.unwrap();
        assert!(chosen(folder.path()).file_of_run(&both, 3).ends_with("strings.tangle"));
    }
}
