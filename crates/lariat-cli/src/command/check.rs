//! `lariat check`: everything that is wrong with documents, in one run.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use lariat::Opened;
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
    input::{self, Source},
    interrupt::Interrupt,
    json::Json,
    limit::{self, Limit},
    prepare::look_through,
    report::{Drawing, Frames, Tally, write_diagnostics},
    words,
};

/// Check documents, and tell everything that is wrong with them
///
/// Reads the document, looks at every word of it, then evaluates every frame of the shot. Each
/// diagnostic has its place in the file, the numbers, and the way out; `lariat explain CODE` has a
/// page about each. The exit code is 0 if nothing is wrong, 1 if there are errors (with --strict:
/// or warnings), 2 if a file could not be looked at.
#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// The documents; `-` reads standard input, `museum:NAME` a scene of the museum
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// How diagnostics are written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Look at the document only, and evaluate no frames
    #[arg(long)]
    no_frames: bool,

    /// Let warnings count as errors do
    #[arg(long)]
    strict: bool,

    #[arg(long = "limit", value_name = "NAME=N", help = limit::SHORT, long_help = limit::help())]
    limits: Vec<Limit>,
}

/// How diagnostics are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people: drawn under the lines of the file
    #[default]
    Text,
    /// For programs: one object with all files
    Json,
}

/// A document that was looked at.
struct Looked {
    source: Source,
    diagnostics: Vec<Diagnostic>,
    tally: Tally,
}

/// All documents together.
#[derive(Default)]
struct Total {
    errors: u64,
    warnings: u64,
    notes: u64,
    /// Files that could not be looked at.
    unseen: u64,
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
        if total.unseen > 0 {
            return Err(Failure::Told);
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
            let looked = match self.look(file, limits, console) {
                Ok(looked) => looked,
                Err(failure) => {
                    // What was found so far comes before it.
                    out.flush()?;
                    console.error(&failure.to_string());
                    total.unseen += 1;
                    continue;
                }
            };
            total.add(&looked.tally);
            let drawing = (!looked.diagnostics.is_empty())
                .then(|| Drawing::new(&looked.source, console.colours_results()));
            for diagnostic in &looked.diagnostics {
                if let Some(drawing) = &drawing {
                    writeln!(out, "{}\n", drawing.draw(diagnostic))?;
                }
            }
            if !console.is_quiet() {
                let name =
                    if several { format!("{}: ", looked.source.name) } else { String::new() };
                writeln!(out, "{name}{}", looked.tally)?;
            }
        }
        if several && !console.is_quiet() {
            let files = words::count(self.files.len() as u64 - total.unseen, "file");
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
                match self.look(file, limits, console) {
                    Ok(looked) => {
                        total.add(&looked.tally);
                        looked.write_json(json)
                    }
                    Err(failure) => {
                        console.error(&failure.to_string());
                        total.unseen += 1;
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

    fn look(&self, file: &Path, limits: &Limits, console: Console) -> Result<Looked, Failure> {
        if Interrupt::was_asked() {
            return Err(Failure::new(format!("`{}` was not looked at", file.display())));
        }
        let (source, mut opened) = input::read(file, limits)?;
        let mut diagnostics = std::mem::take(&mut opened.diagnostics);
        let seen = match &opened.content {
            None => None,
            Some(content) => {
                let bodies = content.document.things(Thing::Body).count() as u64;
                let frames = if self.no_frames {
                    Frames::NotAsked
                } else {
                    diagnostics.extend(look_at_frames(file, content, &opened, console)?);
                    let shot = content.lowered.shot;
                    if content.lowered.shot_valid {
                        Frames::Seen(shot.frame_count())
                    } else {
                        Frames::StandIn(shot)
                    }
                };
                Some((bodies, frames))
            }
        };
        lariat::sort_diagnostics(&mut diagnostics);
        if let Some(content) = &opened.content {
            // Addresses as people say them; edits take the same.
            for label in diagnostics.iter_mut().flat_map(|diagnostic| &mut diagnostic.labels) {
                label.path = content.document.named(&label.path);
            }
        }
        let tally = Tally::of(&diagnostics, seen);
        Ok(Looked { source, diagnostics, tally })
    }
}

/// What only shows when frames are evaluated.
fn look_at_frames(
    file: &Path,
    content: &Content,
    opened: &Opened,
    console: Console,
) -> Result<Vec<Diagnostic>, Failure> {
    let lowered = &content.lowered;
    if lowered.bodies.is_empty() {
        return Ok(Vec::new());
    }
    let scene = Scene::bind_with(lowered, &opened.assets);
    let note = ahead::load_takes(file, content, opened.motion, &scene, console);
    let bodies = Bodies::choose(&scene, lowered, &[])?;
    let frames: Vec<f64> =
        (lowered.shot.first..=lowered.shot.last).map(|frame| frame as f64).collect();
    let cameras: Vec<usize> = (0..scene.camera_count()).collect();
    let mut diagnostics = look_through(
        &Moments::transient(&bodies),
        lowered,
        &cameras,
        &frames,
        "checking",
        console,
    )?;
    diagnostics.extend(note);
    Ok(diagnostics)
}

impl Total {
    fn add(&mut self, tally: &Tally) {
        self.errors += tally.errors;
        self.warnings += tally.warnings;
        self.notes += tally.notes;
    }
}

impl Looked {
    fn write_json(&self, json: &mut Json<'_>) -> io::Result<()> {
        json.object(|json| {
            json.field("file", &self.source.name)?;
            json.field("bodies", self.tally.seen.map(|(bodies, _)| bodies))?;
            let frames = match self.tally.seen {
                Some((_, Frames::Seen(frames))) => Some(frames),
                Some((_, Frames::StandIn(shot))) => Some(shot.frame_count()),
                Some((_, Frames::NotAsked)) => Some(0),
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
