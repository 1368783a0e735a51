//! A studio that runs on a display.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use super::display::Display;

/// Longest wait for the window to rest. A software driver on a busy machine needs some seconds.
const PATIENCE: Duration = Duration::from_mins(1);

/// Time without work after which a window rests. Shorter than a pass of the window on a busy machine: it
/// seems to rest while it is at work.
const REST: Duration = Duration::from_millis(400);

/// A studio with a window.
pub(super) struct Running<'d> {
    pub(super) display: &'d Display,
    child: Child,
    started: Instant,
}

impl<'d> Running<'d> {
    /// Starts a studio whose recent files and journals are in the folder `state`.
    pub(super) fn start(
        display: &'d Display,
        studio: &Path,
        state: &Path,
        arguments: &[&str],
    ) -> Result<Self, String> {
        let log = fs::File::create(state.with_extension("log"));
        let child = Command::new(studio)
            .args(arguments)
            .env("DISPLAY", &display.name)
            .env_remove("WAYLAND_DISPLAY")
            .env("XDG_STATE_HOME", state)
            .env("XDG_RUNTIME_DIR", std::env::temp_dir())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log.map_or_else(|_| Stdio::null(), Stdio::from))
            .spawn()
            .map_err(|error| format!("{}: {error}", studio.display()))?;
        Ok(Self { display, child, started: Instant::now() })
    }

    /// Waits for the window, and gives it the keyboard.
    pub(super) fn wait_for_window(&mut self) -> Result<Duration, String> {
        let search = "search --onlyvisible --name Lariat";
        while self.started.elapsed() < PATIENCE {
            self.check_alive()?;
            if let Some(window) = self.display.act(search).ok().filter(|found| !found.is_empty()) {
                let window = window.lines().next().unwrap_or_default().to_owned();
                self.display.act(&format!("windowfocus {window}"))?;
                return Ok(self.started.elapsed());
            }
            sleep(Duration::from_millis(20));
        }
        Err("there is no window after a minute".to_owned())
    }

    /// Waits until the studio uses no processor time any more.
    pub(super) fn rest(&mut self) -> Result<(), String> {
        let begun = Instant::now();
        let (mut last, mut since) = (self.processor_ticks()?, Instant::now());
        while since.elapsed() < REST {
            if begun.elapsed() > PATIENCE {
                return Err("the window does not rest within a minute".to_owned());
            }
            sleep(Duration::from_millis(50));
            let now = self.processor_ticks()?;
            if now > last {
                (last, since) = (now, Instant::now());
            }
        }
        Ok(())
    }

    /// Acts with pointer and keyboard, and waits for the effect.
    pub(super) fn act(&mut self, words: &str) -> Result<(), String> {
        self.display.act(words)?;
        // The events arrive.
        sleep(Duration::from_millis(100));
        self.rest()
    }

    /// Processor time since the start, in ticks of a hundredth of a second.
    pub(super) fn processor_ticks(&mut self) -> Result<u64, String> {
        self.check_alive()?;
        let path = PathBuf::from(format!("/proc/{}/stat", self.child.id()));
        let text = fs::read_to_string(&path).map_err(|error| format!("{error}"))?;
        // Fields after the name of the program, which may contain spaces: the 14th and 15th of all.
        let after = text.rsplit_once(')').map_or("", |(_, after)| after);
        let mut fields = after.split_whitespace().skip(11);
        let mut ticks = || fields.next().and_then(|field| field.parse::<u64>().ok());
        match (ticks(), ticks()) {
            (Some(user), Some(system)) => Ok(user + system),
            _ => Err(format!("{} has no processor time", path.display())),
        }
    }

    /// Kills the studio at once.
    pub(super) fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn check_alive(&mut self) -> Result<(), String> {
        match self.child.try_wait() {
            Ok(None) => Ok(()),
            Ok(Some(status)) => Err(format!("the studio has ended: {status}")),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
