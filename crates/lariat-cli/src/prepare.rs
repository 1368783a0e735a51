//! Opens and checks the document of a command before anything is written.
//!
//! A document with errors produces no output, so that a render farm never renders a shot without
//! its rope. With `--keep-going`, bodies with errors are skipped, a `[shot]` with errors uses
//! defaults, and a rope that cannot satisfy its parameters at a frame behaves as its diagnostic
//! says. Diagnostics go to standard error in both cases.
//!
//! Simulated bodies continue from the takes (simulation caches) beside the document ([`read`]), and
//! are simulated up to the last frame before frames are surveyed ([`survey_frames`]).

use std::path::PathBuf;

use lariat::Opened;
use lariat_eval::Scene;
use lariat_scene::{
    Limits,
    check::{Content, Diagnostic, Severity},
    lower::Lowered,
};
use lariat_shoot::{Bodies, Moments, survey, survey_recordings};

use crate::{
    ahead,
    console::Console,
    exit::Failure,
    frames::FrameSet,
    input::{self, Allowed, Source},
    limit::{self, Limit},
    progress::Progress,
    report::{Drawing, Tally},
    words,
};

/// Document of a command, and how to handle its errors.
#[derive(Debug, clap::Args)]
pub(crate) struct Reading {
    /// Document; `-` is standard input, `museum:NAME` a museum scene
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Only this body, which may be a member of a compound; can be repeated
    #[arg(long = "body", value_name = "NAME")]
    pub(crate) bodies: Vec<String>,

    /// Continue despite errors, without the bodies that have them
    ///
    /// By default, a document with errors produces no output. With this flag, bodies with errors
    /// are skipped, together with the bodies attached to them; a rope that is too short for its gap
    /// at some frame is a straight line there; and a `[shot]` with errors uses 24 frames per second
    /// and frames 1 to 120 where it has no valid values. Errors are still reported, and the exit
    /// code is still 1.
    #[arg(long)]
    pub(crate) keep_going: bool,

    #[arg(long = "limit", value_name = "NAME=N", help = limit::SHORT, long_help = limit::help())]
    pub(crate) limits: Vec<Limit>,

    #[command(flatten)]
    pub(crate) allowed: Allowed,
}

/// A document that is ready to be evaluated.
pub(crate) struct Ready {
    pub(crate) source: Source,
    pub(crate) content: Content,
    pub(crate) scene: Scene,
    pub(crate) limits: Limits,
    /// Hash of everything that a simulation depends on; identifies takes.
    pub(crate) motion: u128,
    /// Diagnostics of the document; those of frames come later.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether the document has errors, with `--keep-going`.
    pub(crate) has_errors: bool,
    keep_going: bool,
}

/// Opens a document and its takes, and reports diagnostics. Returns `None` if errors stop the
/// command.
pub(crate) fn read(reading: &Reading, console: Console) -> Result<Option<Ready>, Failure> {
    let ready = read_without_takes(reading, console)?.ok();
    if let Some(Ready { source, content, scene, limits, motion, .. }) = &ready {
        let folder = ahead::takes_of(&reading.file, &reading.allowed)?;
        let notes = ahead::load_takes(folder.as_ref(), content, *motion, scene, limits, console);
        if !console.is_quiet() {
            draw(source, &notes, console);
        }
    }
    Ok(ready)
}

/// A document with errors that stop the command.
pub(crate) struct Refused {
    pub(crate) source: Source,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// [`read`] without takes, for the command that records them.
pub(crate) fn read_without_takes(
    reading: &Reading,
    console: Console,
) -> Result<Result<Ready, Refused>, Failure> {
    let limits = limit::limits(&reading.limits);
    let (source, mut opened) = input::read(&reading.file, &limits, &reading.allowed)?;
    let has_errors = opened.has_errors();
    print_diagnostics(&source, &opened.diagnostics, console);
    let scene = match opened.scene.take() {
        None if reading.keep_going => opened.bind(),
        scene => scene,
    };
    let Opened { content, diagnostics, motion, .. } = opened;
    let (Some(scene), Some(content)) = (scene, content) else {
        refuse(&diagnostics, reading.keep_going, console);
        return Ok(Err(Refused { source, diagnostics }));
    };
    if has_errors {
        let lowered = &content.lowered;
        note_skipped(&[&lowered.skipped[..], &lowered.skipped_cameras].concat(), console);
        if !content.lowered.shot_valid {
            let shot = words::shot(&content.lowered.shot);
            console.note(&format!("`[shot]` has errors; using {shot}"));
        }
    }
    let keep_going = reading.keep_going;
    Ok(Ok(Ready { source, content, scene, limits, motion, diagnostics, has_errors, keep_going }))
}

impl Ready {
    /// Bodies of the command.
    pub(crate) fn bodies(&self, reading: &Reading) -> Result<Bodies<'_>, Failure> {
        Ok(Bodies::choose(&self.scene, &self.content.lowered, &reading.bodies)?)
    }

    /// Frames of a set, within the limit.
    pub(crate) fn frames(&self, set: &FrameSet) -> Result<Vec<f64>, Failure> {
        set.frames(self.limits.frames).map_err(|error| Failure::new(error.to_string()))
    }

    /// Reports the warnings of bodies and cameras at frames. Returns whether to continue.
    pub(crate) fn check_frames(
        &mut self,
        names: &[String],
        cameras: &[usize],
        frames: &[f64],
        console: Console,
    ) -> Result<bool, Failure> {
        let bodies = Bodies::choose(&self.scene, &self.content.lowered, names)?;
        let moments = Moments::transient(&bodies);
        let has_errors = self.survey(&moments, cameras, frames, console)?;
        self.has_errors |= has_errors.unwrap_or(true);
        Ok(has_errors.is_some())
    }

    /// Reports recordings that would be too large up to a frame. Returns whether there are any; nothing
    /// is simulated then.
    pub(crate) fn refuses_recordings(
        &self,
        bodies: &Bodies<'_>,
        cameras: &[usize],
        last: f64,
        console: Console,
    ) -> bool {
        let Some(found) = survey_recordings(bodies, cameras, last) else { return false };
        let diagnostics = found.diagnostics(&self.content.lowered);
        print_diagnostics(&self.source, &diagnostics, console);
        refuse(&diagnostics, true, console);
        true
    }

    /// Reports the warnings of frames. Returns whether some are errors, or `None` if these stop the
    /// command.
    pub(crate) fn survey(
        &self,
        moments: &Moments<'_>,
        cameras: &[usize],
        frames: &[f64],
        console: Console,
    ) -> Result<Option<bool>, Failure> {
        let diagnostics = self.report(moments, cameras, frames, console)?;
        let has_errors = diagnostics.iter().any(Diagnostic::is_error);
        if has_errors && !self.keep_going {
            refuse(&diagnostics, false, console);
            return Ok(None);
        }
        Ok(Some(has_errors))
    }

    /// Reports and returns the diagnostics of frames.
    pub(crate) fn diagnostics(
        &self,
        names: &[String],
        cameras: &[usize],
        frames: &[f64],
        console: Console,
    ) -> Result<Vec<Diagnostic>, Failure> {
        let lowered = &self.content.lowered;
        let bodies = Bodies::choose(&self.scene, lowered, names)?;
        self.report(&Moments::transient(&bodies), cameras, frames, console)
    }

    fn report(
        &self,
        moments: &Moments<'_>,
        cameras: &[usize],
        frames: &[f64],
        console: Console,
    ) -> Result<Vec<Diagnostic>, Failure> {
        let lowered = &self.content.lowered;
        let mut diagnostics =
            survey_frames(moments, lowered, cameras, frames, "checking", console)?;
        lariat::sort_diagnostics(&mut diagnostics);
        print_diagnostics(&self.source, &diagnostics, console);
        Ok(diagnostics)
    }
}

/// Simulates up to the last of the frames and returns the diagnostics of all of them.
pub(crate) fn survey_frames(
    moments: &Moments<'_>,
    lowered: &Lowered,
    cameras: &[usize],
    frames: &[f64],
    what: &'static str,
    console: Console,
) -> Result<Vec<Diagnostic>, Failure> {
    ahead::simulate(moments.bodies(), cameras, frames, console)?;
    let progress = Progress::new(console, what, "frames");
    Ok(survey(moments, cameras, frames, &progress)?.diagnostics(lowered))
}

/// Prints diagnostics to standard error: errors always, warnings unless quiet, notes never.
pub(crate) fn print_diagnostics(source: &Source, diagnostics: &[Diagnostic], console: Console) {
    let least = if console.is_quiet() { Severity::Error } else { Severity::Warning };
    draw(source, diagnostics.iter().filter(|diagnostic| diagnostic.severity >= least), console);
}

/// Prints diagnostics to standard error.
pub(crate) fn draw<'f>(
    source: &Source,
    diagnostics: impl IntoIterator<Item = &'f Diagnostic>,
    console: Console,
) {
    let mut drawing = None;
    for diagnostic in diagnostics {
        let drawing =
            drawing.get_or_insert_with(|| Drawing::new(source, console.colours_messages()));
        Console::put(&format!("{}\n\n", drawing.draw(diagnostic)));
    }
}

/// Reports that the command stops; with `--keep-going`, only for a file that is not a document.
fn refuse(diagnostics: &[Diagnostic], keep_going: bool, console: Console) {
    let errors = words::count(Tally::of(diagnostics, None).errors, "error");
    let help =
        if keep_going { "" } else { ", or continue without the affected bodies with --keep-going" };
    console.error(&format!("nothing was written because of {errors}; fix the document{help}"));
}

fn note_skipped(names: &[String], console: Console) {
    const MAX_LISTED: usize = 12;
    if names.is_empty() {
        return;
    }
    let some: Vec<String> =
        names.iter().take(MAX_LISTED).map(|name| format!("`{}`", words::shown(name))).collect();
    let rest = match names.len().saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    console.note(&format!("skipped because of errors: {}{rest}", some.join(", ")));
}
