//! `lariat check`: diagnostics of documents, including every frame.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use lariat::{Opened, takes::TakeFolder};
use lariat_eval::Scene;
use lariat_scene::{
    Limits, Thing,
    check::{Content, Diagnostic},
};
use lariat_shoot::{Bodies, Moments};

use crate::{
    ahead,
    console::Console,
    exit::{Done, Failure, Outcome},
    input::{self, Allowed, Source},
    interrupt,
    json::Json,
    limit::{self, Limit},
    prepare::survey_frames,
    report::{Drawing, Frames, Tally, write_diagnostics},
    words,
};

/// Check documents and report all errors and warnings
///
/// Reads the document, checks it against the schema, then evaluates every frame of the shot. Each
/// diagnostic shows its place in the file, the numbers and a remedy; `lariat explain CODE`
/// describes it in detail. Exits with 0 if there are no errors, 1 if there are errors (with
/// --strict: or warnings), 2 if a file cannot be read.
#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// Documents; `-` reads standard input, `museum:NAME` a museum scene
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// Same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Check the document only, without evaluating frames
    #[arg(long)]
    no_frames: bool,

    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,

    #[arg(long = "limit", value_name = "NAME=N", help = limit::SHORT, long_help = limit::help())]
    limits: Vec<Limit>,

    #[command(flatten)]
    allowed: Allowed,
}

/// Output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Annotated source lines
    #[default]
    Text,
    /// One JSON object for all files
    Json,
}

/// A document that was checked.
struct Checked {
    source: Source,
    diagnostics: Vec<Diagnostic>,
    tally: Tally,
}

/// Totals of all documents.
#[derive(Default)]
struct Total {
    errors: u64,
    warnings: u64,
    notes: u64,
    /// Files that could not be read.
    unread: u64,
}

impl Check {
    pub(crate) fn run(&self, console: Console) -> Done {
        let limits = limit::limits(&self.limits);
        let mut out = Console::results();
        let mut total = Total::default();
        if self.json || self.format == Format::Json {
            self.write_json(&limits, &mut out, console, &mut total)?;
        } else {
            self.write_text(&limits, &mut out, console, &mut total)?;
        }
        out.flush()?;
        if total.unread > 0 {
            return Err(Failure::Reported);
        }
        Ok(Outcome::diagnostics_if(total.errors > 0 || (self.strict && total.warnings > 0)))
    }

    fn write_text(
        &self,
        limits: &Limits,
        out: &mut dyn Write,
        console: Console,
        total: &mut Total,
    ) -> io::Result<()> {
        let several = self.files.len() > 1;
        for file in &self.files {
            let checked = match self.check(file, limits, console) {
                Ok(checked) => checked,
                Err(failure) => {
                    // Results so far come before the error.
                    out.flush()?;
                    console.error(&failure.to_string());
                    total.unread += 1;
                    continue;
                }
            };
            total.add(&checked.tally);
            let drawing = (!checked.diagnostics.is_empty())
                .then(|| Drawing::new(&checked.source, console.colours_results()));
            for diagnostic in &checked.diagnostics {
                if let Some(drawing) = &drawing {
                    writeln!(out, "{}\n", drawing.draw(diagnostic))?;
                }
            }
            if !console.is_quiet() {
                let name =
                    if several { format!("{}: ", checked.source.name) } else { String::new() };
                writeln!(out, "{name}{}", checked.tally)?;
            }
        }
        if several && !console.is_quiet() {
            let files = words::count(self.files.len() as u64 - total.unread, "file");
            let errors = words::count(total.errors, "error");
            writeln!(out, "{errors}, {} in {files}", words::count(total.warnings, "warning"))?;
        }
        Ok(())
    }

    fn write_json(
        &self,
        limits: &Limits,
        out: &mut dyn Write,
        console: Console,
        total: &mut Total,
    ) -> io::Result<()> {
        let mut json = Json::new(out);
        json.object(|json| {
            json.list("files", &self.files, |json, file| {
                json.newline()?;
                match self.check(file, limits, console) {
                    Ok(checked) => {
                        total.add(&checked.tally);
                        checked.write_json(json)
                    }
                    Err(failure) => {
                        console.error(&failure.to_string());
                        total.unread += 1;
                        json.object(|json| {
                            json.field("file", file.to_string_lossy().as_ref())?;
                            json.field("failure", failure.to_string())
                        })
                    }
                }
            })?;
            json.field("errors", total.errors)?;
            json.field("warnings", total.warnings)?;
            json.field("notes", total.notes)
        })?;
        json.newline()
    }

    fn check(&self, file: &Path, limits: &Limits, console: Console) -> Result<Checked, Failure> {
        if interrupt::was_requested() {
            let name = words::shown(&file.to_string_lossy());
            return Err(Failure::Interrupted(format!("`{name}` was not checked")));
        }
        let (source, mut opened) = input::read(file, limits, &self.allowed)?;
        let mut diagnostics = std::mem::take(&mut opened.diagnostics);
        let extent = match &opened.content {
            None => None,
            Some(content) => {
                let bodies = content.document.things(Thing::Body).count() as u64;
                let frames = if self.no_frames {
                    Frames::Skipped
                } else {
                    let takes = ahead::takes_of(file, &self.allowed)?;
                    let takes = takes.as_ref();
                    diagnostics.extend(check_frames(takes, content, &opened, limits, console)?);
                    let shot = content.lowered.shot;
                    if content.lowered.shot_valid {
                        Frames::Evaluated(shot.frame_count())
                    } else {
                        Frames::Default(shot)
                    }
                };
                Some((bodies, frames))
            }
        };
        lariat::sort_diagnostics(&mut diagnostics);
        if let Some(content) = &opened.content {
            // Addresses by name, as edits take them.
            for label in diagnostics.iter_mut().flat_map(|diagnostic| &mut diagnostic.labels) {
                label.path = content.document.named(&label.path);
            }
        }
        let tally = Tally::of(&diagnostics, extent);
        Ok(Checked { source, diagnostics, tally })
    }
}

/// Diagnostics of the frames of the shot.
fn check_frames(
    takes: Option<&TakeFolder>,
    content: &Content,
    opened: &Opened,
    limits: &Limits,
    console: Console,
) -> Result<Vec<Diagnostic>, Failure> {
    let lowered = &content.lowered;
    if lowered.bodies.is_empty() {
        return Ok(Vec::new());
    }
    let scene = Scene::bind_with(lowered, &opened.assets);
    let notes = ahead::load_takes(takes, content, opened.motion, &scene, limits, console);
    let bodies = Bodies::choose(&scene, lowered, &[])?;
    let frames: Vec<f64> =
        (lowered.shot.first..=lowered.shot.last).map(|frame| frame as f64).collect();
    let cameras: Vec<usize> = (0..scene.camera_count()).collect();
    let mut diagnostics = survey_frames(
        &Moments::transient(&bodies),
        lowered,
        &cameras,
        &frames,
        "checking",
        console,
    )?;
    diagnostics.extend(notes);
    Ok(diagnostics)
}

impl Total {
    fn add(&mut self, tally: &Tally) {
        self.errors += tally.errors;
        self.warnings += tally.warnings;
        self.notes += tally.notes;
    }
}

impl Checked {
    fn write_json(&self, json: &mut Json<'_>) -> io::Result<()> {
        json.object(|json| {
            json.field("file", &self.source.name)?;
            json.field("bodies", self.tally.extent.map(|(bodies, _)| bodies))?;
            let frames = match self.tally.extent {
                Some((_, Frames::Evaluated(frames))) => Some(frames),
                Some((_, Frames::Default(shot))) => Some(shot.frame_count()),
                Some((_, Frames::Skipped)) => Some(0),
                None => None,
            };
            json.field("frames", frames)?;
            json.field("errors", self.tally.errors)?;
            json.field("warnings", self.tally.warnings)?;
            json.field("notes", self.tally.notes)?;
            write_diagnostics(json, &self.source, &self.diagnostics)
        })
    }
}
