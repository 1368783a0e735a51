//! A temporary folder for each test, and the command run in it.

use std::{
    ffi::OsStr,
    fs,
    io::{ErrorKind, Read, Write},
    path::PathBuf,
    process::{Command, Stdio},
};

use tempfile::TempDir;

/// A swinging rope without errors.
pub(crate) const ROPE: &str = r#"lariat = 2

[shot]
frames = [1, 24]

[[body]]
name = "rein"
model = "suspended-rope"
from = [0, 0, 2]
to = [3, 0, 2]
length = 4
swing = { keys = [[1, 0], [24, 35]] }
samples = 5
"#;

/// A rope that is too short from some frame on.
pub(crate) const SHORT: &str = r#"lariat = 2

[shot]
frames = [1, 48]

[[body]]
name = "rein"
model = "suspended-rope"
from = [0, 0, 2]
to = { keys = [[1, [3, 0, 2]], [24, [5, 0, 2]]] }
length = 4
"#;

/// A good rope, one with a misspelt parameter, and one attached to that.
pub(crate) const MIXED: &str = r#"lariat = 2

[shot]
frames = [1, 4]

[[body]]
name = "good"
model = "suspended-rope"
from = [0, 0, 2]
to = [3, 0, 2]
length = 4
samples = 3

[[body]]
name = "bad"
model = "suspended-rope"
from = [0, 0, 2]
to = [3, 0, 2]
lenght = 4

[[body]]
name = "hanger"
model = "loose-rope"
from = { body = "bad", at = 0.5 }
length = 1
"#;

/// A rope with a warning: a locator that nothing uses.
pub(crate) const WARNED: &str = r#"lariat = 2

[[locator]]
name = "nobody holds on to this"

[[body]]
name = "rein"
model = "suspended-rope"
from = [0, 0, 2]
to = [3, 0, 2]
length = 4
"#;

/// Result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Ran {
    /// Standard output as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Panics unless the exit code is as expected.
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "out:\n{}\nerr:\n{}", self.out, self.err);
        self
    }

    /// Panics unless the command failed with this line as its only message.
    pub(crate) fn expect_failure(self, line: &str) {
        let ran = self.expect(2);
        assert_eq!(ran.err, format!("error: {line}\n"));
        assert_eq!(ran.out, "");
    }
}

/// A folder that is removed after the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with one file in it.
    pub(crate) fn with(name: &str, text: &str) -> Self {
        let folder = Self::new();
        folder.write(name, text);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Names of all entries, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The command, to be run in the folder, without environment variables that affect it.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lariat"));
        command.args(args).current_dir(self.0.path()).stdin(Stdio::null());
        for name in
            ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "RAYON_NUM_THREADS", "CARGO_MANIFEST_DIR"]
        {
            command.env_remove(name);
        }
        // Machines with a graphics card give the same results.
        command.env("LARIAT_RENDERER", "cpu");
        command
    }

    /// Runs the command with the words of a line.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.run_args(&line.split_whitespace().collect::<Vec<_>>())
    }

    pub(crate) fn run_args(&self, args: &[&str]) -> Ran {
        let output = self.command(args).output().unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs the command with a text on its standard input.
    pub(crate) fn run_with_input(&self, line: &str, input: &[u8]) -> Ran {
        let mut command = self.command(line.split_whitespace());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The command may exit before it has read everything.
        if let Err(error) = child.stdin.take().unwrap().write_all(input) {
            assert_eq!(error.kind(), ErrorKind::BrokenPipe);
        }
        let output = child.wait_with_output().unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs the command into a reader that closes the pipe after one line. Returns that line, the
    /// exit code and standard error.
    pub(crate) fn run_into_head(&self, line: &str) -> Ran {
        let mut command = self.command(line.split_whitespace());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut head = Vec::new();
        {
            let mut stdout = child.stdout.take().unwrap();
            let mut byte = [0];
            while stdout.read(&mut byte).unwrap() == 1 && byte[0] != b'\n' {
                head.push(byte[0]);
            }
        }
        let output = child.wait_with_output().unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(head).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}
