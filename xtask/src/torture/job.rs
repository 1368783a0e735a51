//! Commands that are disturbed, their documents, and the files that they write.
//!
//! Tests: `takes_grow_and_other_files_do_not`, `differences_are_named`.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// Time after which a command is stuck. The longest takes about a second.
const STUCK: Duration = Duration::from_mins(2);

/// Ropes and strings that are simulated: three takes, eight chunks each.
pub(super) const SIMULATED: &str = r#"lariat = 2

[shot]
frames = [1, 48]

[[locator]]
name = "hand"
position = { keys = [[1, [0, 0, 1.2]], [24, [0.4, 0, 1.4]], [36, [0.4, 0.3, 1.2]]] }

[[body]]
name = "rope"
model = "loose-rope"
from = { locator = "hand" }
length = 1.5
direction = [1, 0, -0.4]
samples = 9
floor = 0
dynamics = { kind = "spline-rope", control-points = 12 }

[[body]]
name = "tassel"
model = "loose-rope"
from = { body = "rope", at = 1 }
length = 0.3
samples = 5
dynamics = { kind = "spline-rope", control-points = 6 }

[[body]]
name = "line"
model = "loose-rope"
from = { locator = "hand" }
length = 0.8
samples = 9
dynamics = "string"
"#;

/// A rope that is cheap to evaluate and has many points to write.
const KEYED: &str = r#"lariat = 2

[shot]
frames = [1, 60]

[[body]]
name = "rope"
model = "suspended-rope"
from = [0, 0, 1]
to = [2, 0, 1]
length = 2.4
samples = 400
waves = [{ height = 0.05, ripples = 3, travel = 0.5 }]
"#;

/// A command, the document beside which it runs, and the names of its files.
pub(super) struct Job {
    pub name: &'static str,
    pub document: &'static str,
    pub arguments: &'static [&'static str],
    /// Existing files are replaced (`--force`), so a run may begin with older ones.
    pub replaces: bool,
}

/// Name of the document in the folder of a run.
pub(super) const DOCUMENT: &str = "knot.lariat";

pub(super) const SIMULATE: Job = Job {
    name: "simulate",
    document: SIMULATED,
    arguments: &["simulate", DOCUMENT],
    replaces: false,
};

/// Commands by kind.
pub(super) const JOBS: [(&str, &[Job]); 4] = [
    ("simulate", &[SIMULATE]),
    (
        "export",
        &[
            Job {
                name: "export .usda",
                document: KEYED,
                arguments: &["export", DOCUMENT, "-o", "rope.usda", "--force"],
                replaces: true,
            },
            Job {
                name: "export .csv",
                document: KEYED,
                arguments: &["export", DOCUMENT, "-o", "rope.csv", "--force"],
                replaces: true,
            },
        ],
    ),
    (
        "render",
        &[
            Job {
                name: "render pictures",
                document: KEYED,
                arguments: &[
                    "render",
                    DOCUMENT,
                    "-o",
                    "rope-##.png",
                    "--frames",
                    "1-12",
                    "--size",
                    "48x27",
                    "--renderer",
                    "cpu",
                    "--skip-existing",
                ],
                replaces: false,
            },
            Job {
                name: "render .mp4",
                document: KEYED,
                arguments: &[
                    "render",
                    DOCUMENT,
                    "-o",
                    "rope.mp4",
                    "--size",
                    "48x28",
                    "--renderer",
                    "cpu",
                    "--force",
                ],
                replaces: true,
            },
            Job {
                name: "render .gif",
                document: KEYED,
                arguments: &[
                    "render",
                    DOCUMENT,
                    "-o",
                    "rope.gif",
                    "--size",
                    "48x27",
                    "--renderer",
                    "cpu",
                    "--force",
                ],
                replaces: true,
            },
        ],
    ),
    (
        "save",
        &[
            Job {
                name: "new",
                document: KEYED,
                arguments: &["new", "starter.lariat", "--force"],
                replaces: true,
            },
            Job {
                name: "new --recipe",
                document: KEYED,
                arguments: &["new", "--recipe", "jiggling-belly", "--force"],
                replaces: true,
            },
            Job {
                name: "modes",
                document: SIMULATED,
                arguments: &[
                    "modes",
                    DOCUMENT,
                    "-o",
                    "swing.modes",
                    "--document",
                    "swing.lariat",
                    "--force",
                ],
                replaces: true,
            },
        ],
    ),
];

/// Files below a folder, by path.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// Result of a run that ended by itself.
pub(super) struct Ran {
    /// Exit code; none after a signal or if it was stuck.
    pub code: Option<i32>,
    pub out: Vec<u8>,
    pub err: String,
    pub took: Duration,
}

/// A folder for runs, and the program.
pub(super) struct Bench {
    pub lariat: PathBuf,
    pub folder: PathBuf,
}

impl Bench {
    /// An empty folder with a document.
    pub(super) fn fresh(&self, name: &str, document: &str) -> Result<PathBuf, String> {
        let folder = self.folder.join(name);
        empty(&folder)?;
        write(&folder.join(DOCUMENT), document.as_bytes())?;
        Ok(folder)
    }

    /// The program with some arguments, in a folder.
    pub(super) fn command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.lariat);
        command.args(arguments).current_dir(folder);
        command
    }

    /// Starts a command whose output goes to files with this name.
    pub(super) fn start(&self, command: &mut Command, name: &str) -> Result<Child, String> {
        let create = |kind: &str| {
            let path = self.folder.join(format!("{name}.{kind}"));
            File::create(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        command.stdin(Stdio::null()).stdout(create("out")?).stderr(create("err")?);
        command.spawn().map_err(|error| format!("{}: {error}", self.lariat.display()))
    }

    /// Waits for a command and returns its output.
    pub(super) fn finish(&self, mut child: Child, name: &str) -> Result<Ran, String> {
        let start = Instant::now();
        let status = wait(&mut child)?;
        let took = start.elapsed();
        let read = |kind: &str| fs::read(self.folder.join(format!("{name}.{kind}")));
        let out = read("out").map_err(|error| error.to_string())?;
        let err = read("err").map_err(|error| error.to_string())?;
        let mut err = String::from_utf8_lossy(&err).into_owned();
        if status.is_none() {
            err.push_str("(stuck: ended from outside)");
        }
        Ok(Ran { code: status.and_then(|status| status.code()), out, err, took })
    }

    /// Runs a command to its end.
    pub(super) fn run(&self, command: &mut Command) -> Result<Ran, String> {
        let child = self.start(command, "run")?;
        self.finish(child, "run")
    }

    /// Files of an undisturbed run, and its duration. Two runs must write the same bytes.
    pub(super) fn reference(&self, job: &Job) -> Result<(Files, Duration), String> {
        let mut runs = Vec::new();
        for _ in 0..3 {
            let folder = self.fresh("reference", job.document)?;
            let ran = self.run(&mut self.command(&folder, job.arguments))?;
            if ran.code != Some(0) {
                return Err(format!("`{}` fails undisturbed: {}", job.name, ran.err));
            }
            runs.push((files(&folder)?, ran.took));
        }
        if let Some(text) = runs.iter().find_map(|(files, _)| difference(files, &runs[0].0)) {
            return Err(format!("two undisturbed runs of `{}` differ: {text}", job.name));
        }
        let took = runs.iter().map(|(_, took)| *took).min().unwrap_or_default();
        Ok((runs.swap_remove(0).0, took))
    }
}

/// Waits for a child; `None` if it is stuck and had to be killed.
fn wait(child: &mut Child) -> Result<Option<ExitStatus>, String> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(Some(status));
        }
        if start.elapsed() > STUCK {
            child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
            return Ok(None);
        }
        sleep(Duration::from_millis(1));
    }
}

/// Whether a file grows while it is written, so that a part of it is valid.
pub(super) fn grows(path: &str) -> bool {
    ["take", "tangle"].iter().any(|kind| Path::new(path).extension().is_some_and(|e| e == *kind))
}

/// First difference between the files of a run and those that it should have.
pub(super) fn difference(are: &Files, should_be: &Files) -> Option<String> {
    for (path, bytes) in should_be {
        match are.get(path) {
            None => return Some(format!("`{path}` is missing")),
            Some(its) if its != bytes => {
                let at = its.iter().zip(bytes).take_while(|(a, b)| a == b).count();
                return Some(format!(
                    "`{path}` has {} bytes instead of {} and differs from byte {at} on",
                    its.len(),
                    bytes.len()
                ));
            }
            Some(_) => {}
        }
    }
    let extra = are.keys().find(|path| !should_be.contains_key(*path));
    extra.map(|path| format!("`{path}` is left over"))
}

/// All files below a folder.
pub(super) fn files(folder: &Path) -> Result<Files, String> {
    let mut found = Files::new();
    gather(folder, "", &mut found).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(found)
}

fn gather(folder: &Path, below: &str, found: &mut Files) -> std::io::Result<()> {
    for entry in fs::read_dir(folder.join(below))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.file_type()?.is_dir() {
            gather(folder, &path, found)?;
        } else {
            found.insert(path, fs::read(entry.path())?);
        }
    }
    Ok(())
}

/// Creates a folder, or empties it.
pub(super) fn empty(folder: &Path) -> Result<(), String> {
    let emptied = match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => fs::create_dir_all(folder),
    };
    emptied.map_err(|error| format!("{}: {error}", folder.display()))
}

pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_grow_and_other_files_do_not() {
        assert!(grows("knot.takes/rope.take") && grows("knot.takes/strings.tangle"));
        assert!(!grows("rope.usda") && !grows("knot.takes/.rope.take.0.tmp"));
    }

    #[test]
    fn differences_are_named() {
        let of = |files: &[(&str, &str)]| -> Files {
            let pair = |(path, text): &(&str, &str)| ((*path).to_owned(), text.as_bytes().to_vec());
            files.iter().map(pair).collect()
        };
        let full = of(&[("a", "rope"), ("b", "cord")]);
        assert_eq!(difference(&full, &full), None);
        let found = |files: &[(&str, &str)]| difference(&of(files), &full).expect("a difference");
        assert!(found(&[("a", "rope")]).contains("`b` is missing"));
        let changed = found(&[("a", "rode"), ("b", "cord")]);
        assert!(changed.contains("`a`") && changed.ends_with("from byte 2 on"), "{changed}");
        assert!(found(&[("a", "rope"), ("b", "cord"), ("c", "")]).contains("`c` is left over"));
    }
}
