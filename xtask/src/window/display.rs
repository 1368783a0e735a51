//! A display without a screen, with a pointer and a keyboard: Xvfb and xdotool.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use crate::shell;

/// Debian packages: the display, its tools, libraries that a window loads.
const PACKAGES: [&str; 11] = [
    "xvfb",
    "xdotool",
    "imagemagick",
    "mesa-vulkan-drivers",
    "libvulkan1",
    "libx11-6",
    "libx11-xcb1",
    "libxcursor1",
    "libxi6",
    "libxkbcommon0",
    "libxkbcommon-x11-0",
];

/// A display, which ends with this value.
pub(super) struct Display {
    server: Child,
    /// Its name, for programs: `:99`.
    pub(super) name: String,
}

impl Display {
    /// Starts a display of a size in pixels, and installs what is missing.
    pub(super) fn start([width, height]: [u32; 2]) -> Result<Self, String> {
        if ["Xvfb", "xdotool", "import"].iter().any(|program| shell::which(program).is_none()) {
            shell::install(&PACKAGES, "a window without a screen")?;
        }
        let screen = format!("{width}x{height}x24");
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("Xvfb: {error}"))?;
        // It chooses a free number and prints it when it is ready.
        let mut number = String::new();
        if let Some(out) = server.stdout.take() {
            let _ = BufReader::new(out).read_line(&mut number);
        }
        match number.trim() {
            "" => Err("Xvfb ended before it had a display".to_owned()),
            number => Ok(Self { name: format!(":{number}"), server }),
        }
    }

    /// Moves the pointer, presses keys: the words of `xdotool`, several commands after each other.
    pub(super) fn act(&self, words: &str) -> Result<String, String> {
        let mut command = Command::new("xdotool");
        let output = command.args(words.split_whitespace()).env("DISPLAY", &self.name).output();
        let output = output.map_err(|error| format!("xdotool: {error}"))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
            false => Err(format!(
                "xdotool {words}: {}{}",
                output.status,
                String::from_utf8_lossy(&output.stderr)
            )),
        }
    }

    /// Saves the screen as a picture.
    pub(super) fn save_picture(&self, path: &Path) -> Result<(), String> {
        let mut command = Command::new("import");
        shell::read(command.args(["-window", "root"]).arg(path).env("DISPLAY", &self.name))
            .map(|_| ())
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
