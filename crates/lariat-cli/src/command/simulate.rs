//! `lariat simulate`: records takes (simulation caches) for the other commands.
//!
//! Files grow while it runs. After Ctrl-C, a crash or a full disk, the same command continues from
//! the last record with the same bits. Errors that can be detected early are reported before the
//! first step.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    time::Instant,
};

use lariat::{
    Folder,
    takes::{self, RecordError, Recording, TakeFile, TakeFolder, TakeStatus, UnusedTake},
};
use lariat_eval::{ResolvedMaterial, Simulation, Strength, Survey, TakeError};
use lariat_scene::check::{Code, Diagnostic};
use rayon::prelude::*;

use crate::{
    ahead::{self, Bar},
    console::Console,
    exit::{Done, Failure, Outcome},
    frames::TooManyFrames,
    input::Source,
    interrupt::{self, Interrupt},
    json::Json,
    prepare::{self, Reading, Ready, Refused},
    progress::Bars,
    report::write_diagnostics,
    words,
};

/// Simulate bodies and record takes (simulation caches)
///
/// Simulates every body with `dynamics` up to the last frame of the shot and records it in
/// FOLDER/BODY.take; strings and solids share FOLDER/strings.tangle, or FOLDER/solids.tangle if
/// there are only solids. After Ctrl-C or a crash, the same command continues where it stopped. All
/// commands use the takes beside a document while they match it; changes of colours, cameras and
/// the end of the shot do not invalidate them.
///
/// Prints each body's material, breaking load and tears: the first eight of each body, and the
/// number of further ones.
#[derive(Debug, clap::Args)]
pub(crate) struct Simulate {
    #[command(flatten)]
    reading: Reading,

    /// Folder for takes [default: NAME.takes beside NAME.lariat]
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,

    /// Last frame to simulate [default: the last of the shot]
    #[arg(long, value_name = "FRAME", allow_hyphen_values = true)]
    to: Option<i64>,

    /// Simulate again from the start, replacing existing takes (never other files)
    #[arg(long)]
    again: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// Same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// Output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Table with one line per body
    #[default]
    Text,
    /// One JSON object with all takes
    Json,
}

/// Recorded take of a body.
struct Recorded {
    body: usize,
    path: PathBuf,
    run: Simulation,
    /// Frames that were already recorded.
    resumed: u64,
    /// Duration in seconds.
    took: f64,
    /// File size in bytes.
    size: u64,
    /// Whether it was stopped before its last frame.
    interrupted: bool,
}

impl Simulate {
    pub(crate) fn run(&self, console: Console) -> Done {
        let folder = self.folder()?;
        let ready = match prepare::read_without_takes(&self.reading, console)? {
            Ok(ready) => ready,
            Err(Refused { source, diagnostics }) => {
                if self.writes_json() {
                    write_json(&source, None, &diagnostics)?;
                }
                return Ok(Outcome::Diagnostics);
            }
        };
        let last = self.last(&ready)?;
        let groups = self.groups(&ready)?;
        if groups.iter().all(Vec::is_empty) {
            let of = if self.reading.bodies.is_empty() {
                "in this document"
            } else {
                "among these bodies"
            };
            console.note(&format!(
                "nothing {of} has `dynamics`; add `dynamics = \"spline-rope\"` or `\"string\"` to a body, or \
                 `\"rigid\"` to a solid"
            ));
            if self.writes_json() {
                write_json(&ready.source, None, &ready.diagnostics)?;
            }
            return Ok(Outcome::diagnostics_if(ready.has_errors));
        }
        if let Some(diagnostics) = self.oversized(&ready, &groups, &folder, last) {
            prepare::print_diagnostics(&ready.source, &diagnostics, console);
            console.error("nothing was recorded");
            if self.writes_json() {
                let all = [&ready.diagnostics[..], &diagnostics].concat();
                write_json(&ready.source, None, &all)?;
            }
            return Ok(Outcome::Diagnostics);
        }
        self.prepare_folder(&ready, &groups, &folder, console)?;
        let recorded = self.record(&ready, &groups, &folder, last, console)?;
        if let Some(stopped) = interrupted(&ready, &recorded, last) {
            return Err(stopped);
        }
        let diagnostics = check(&ready, &recorded, last, console)?;
        let has_errors = ready.has_errors || diagnostics.iter().any(Diagnostic::is_error);
        if self.writes_json() {
            let all = [&ready.diagnostics[..], &diagnostics].concat();
            write_json(&ready.source, Some((&ready, &recorded)), &all)?;
        } else {
            let mut out = Console::results();
            let materials = materials(&ready, &recorded);
            let (takes, tears) = (takes_table(&ready, &recorded), tears(&diagnostics));
            out.write_all(format!("{takes}\n{materials}{tears}").as_bytes())?;
            out.flush()?;
        }
        Ok(Outcome::diagnostics_if(has_errors))
    }

    fn writes_json(&self) -> bool {
        self.json || self.format == Format::Json
    }

    fn folder(&self) -> Result<TakeFolder, Failure> {
        let Reading { file, allowed, .. } = &self.reading;
        let folder = match &self.output {
            Some(chosen) => {
                allowed.with(Folder::new(chosen))?;
                Some(TakeFolder::chosen(chosen).allow(&allowed.folders))
            }
            None if lariat::is_regular(file) => ahead::takes_of(file, allowed)?,
            None => None,
        };
        let folder = folder.ok_or_else(|| {
            Failure::new(format!(
                "`{}` is not a file, so there is no default folder for takes; choose one with -o, as \
                 in `-o takes`",
                words::shown(&self.reading.file.to_string_lossy())
            ))
        })?;
        let path = folder.path();
        if path.exists() && !path.is_dir() {
            return Err(Failure::new(format!(
                "`{}` is not a folder; choose another with -o",
                shown(path)
            )));
        }
        Ok(folder)
    }

    fn last(&self, ready: &Ready) -> Result<f64, Failure> {
        let shot = ready.scene.shot();
        let last = self.to.unwrap_or(shot.last);
        if last < shot.first {
            return Err(Failure::new(format!(
                "frame {last} is before the first frame of the shot, {}",
                shot.first
            )));
        }
        let (frames, limit) = (last.abs_diff(shot.first).saturating_add(1), ready.limits.frames);
        if frames > limit {
            return Err(Failure::new(TooManyFrames { frames, limit }.to_string()));
        }
        Ok(last as f64)
    }

    /// Bodies to record, in groups that can be simulated in parallel.
    fn groups(&self, ready: &Ready) -> Result<Vec<Vec<usize>>, Failure> {
        let scene = &ready.scene;
        let mut groups = scene.simulated_groups();
        if !self.reading.bodies.is_empty() {
            let bodies = ready.bodies(&self.reading)?;
            let needed = lariat_shoot::with_dependencies(scene, bodies.indices().iter().copied());
            for group in &mut groups {
                group.retain(|body| needed[*body]);
            }
        }
        Ok(groups)
    }

    /// Errors about recordings that would be larger than their limit, if there are any.
    fn oversized(
        &self,
        ready: &Ready,
        groups: &[Vec<usize>],
        folder: &TakeFolder,
        last: f64,
    ) -> Option<Vec<Diagnostic>> {
        let scene = &ready.scene;
        let is_needed = |body: usize| groups.iter().flatten().any(|one| *one == body);
        let is_too_large = |folder: Option<&TakeFolder>| {
            takes::load(scene, ready.motion, folder, &ready.limits);
            let mut survey = Survey::default();
            let found = survey.note_recordings(scene, is_needed, last as i64);
            found.then(|| survey.diagnostics(&ready.content.lowered))
        };
        // Frames that are recorded already can be used, whatever their size.
        is_too_large(None)?;
        is_too_large(Some(folder).filter(|_| !self.again))
    }

    /// Creates the folder and reports takes that will be replaced.
    fn prepare_folder(
        &self,
        ready: &Ready,
        groups: &[Vec<usize>],
        folder: &TakeFolder,
        console: Console,
    ) -> Result<(), Failure> {
        let scene = &ready.scene;
        let mut replaced = Vec::new();
        for &body in groups.iter().flatten() {
            let found = TakeFile::check(scene, body, ready.motion, folder, self.again);
            let why = match found.map_err(|error| record_failure(&error))? {
                TakeStatus::OtherState => TakeError::OtherDocument,
                TakeStatus::Older => TakeError::Older,
                _ => continue,
            };
            replaced.push(UnusedTake {
                body,
                path: folder.file_of_run(scene, body),
                why,
                used_to: None,
            });
        }
        let mut notes = takes::notes(&ready.content.lowered, scene, &replaced);
        for note in &mut notes {
            note.helps.clear();
            note.notes = vec!["the take is replaced".to_owned()];
        }
        if !self.again && !console.is_quiet() {
            prepare::draw(&ready.source, &notes, console);
        }
        let folder = folder.path();
        match fs::create_dir(folder) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::new(format!(
                "cannot create folder `{}`: there is no folder `{}`; create it, or choose another \
                 location",
                shown(folder),
                shown(folder.parent().unwrap_or(Path::new("")))
            ))),
            Err(error) => Err(Failure::new(format!(
                "cannot create folder `{}`: {error}; choose another location",
                shown(folder)
            ))),
        }
    }

    fn record(
        &self,
        ready: &Ready,
        groups: &[Vec<usize>],
        folder: &TakeFolder,
        last: f64,
        console: Console,
    ) -> Result<Vec<Recorded>, Failure> {
        let (bars, interrupt) = (Bars::new(console), Interrupt::listen());
        let mut recorded = Vec::new();
        for group in groups {
            let one = |body: &usize| self.record_one(ready, *body, folder, last, &bars, &interrupt);
            let done: Vec<Result<Recorded, Failure>> = group.par_iter().map(one).collect();
            for one in done {
                recorded.push(one?);
            }
            if interrupt.requested() {
                break;
            }
        }
        recorded.sort_by_key(|one| one.body);
        Ok(recorded)
    }

    fn record_one(
        &self,
        ready: &Ready,
        body: usize,
        folder: &TakeFolder,
        last: f64,
        bars: &Bars,
        interrupt: &Interrupt,
    ) -> Result<Recorded, Failure> {
        let (scene, begun) = (&ready.scene, Instant::now());
        let from = scene.simulation(body).map_or(last, |run| run.from);
        let nothing = Simulation { from, to: from, rate: 0.0, stopped: false };
        let name = words::shown(scene.run_name(body));
        let recording = Recording { body, hash: ready.motion, folder, last, again: self.again };
        let mut waits = false;
        let opened = TakeFile::open(scene, &recording, || {
            if !std::mem::replace(&mut waits, true) {
                bars.note(&format!("`{name}`: waiting for another run that is recording it"));
            }
            !interrupt.requested()
        });
        let mut file = match opened {
            Err(RecordError::Busy { path }) => {
                // Interrupted while it waited.
                let (resumed, took, size) = (0, begun.elapsed().as_secs_f64(), 0);
                return Ok(Recorded {
                    body,
                    path,
                    run: nothing,
                    resumed,
                    took,
                    size,
                    interrupted: true,
                });
            }
            opened => opened.map_err(|error| record_failure(&error))?,
        };
        if let Some(byte) = file.damaged_at() {
            let frame = file.there().unwrap_or(from).floor();
            bars.note(&format!(
                "`{name}`: the take is damaged at byte {byte}; simulating again after frame {frame}"
            ));
        }
        let resumed = file.there().map_or(0, |frame| frames(from, frame.min(last)));
        let all = frames(from, last);
        let total = words::count(all, "frame");
        if resumed == all {
            bars.note(&format!("`{name}`: all {total} are already recorded"));
        } else if resumed > 0 {
            bars.note(&format!("`{name}`: resuming; {resumed} of {total} already recorded"));
        }
        let bar = Bar::new(bars, scene, body, last);
        let left_to_run = file.record(scene, last, |frame| {
            bar.advance(frame);
            !interrupt.requested()
        });
        let left_to_run = left_to_run.map_err(|error| record_failure(&error))?;
        let size = file.size().map_err(|error| {
            record_failure(&RecordError::Disk { path: file.path().to_owned(), error })
        })?;
        Ok(Recorded {
            body,
            path: file.path().to_owned(),
            run: scene.simulation(body).unwrap_or(nothing),
            resumed,
            took: begun.elapsed().as_secs_f64(),
            size,
            interrupted: !left_to_run,
        })
    }
}

/// Number of whole frames in a range.
fn frames(from: f64, to: f64) -> u64 {
    // Tolerates rounding.
    ((to + 1e-6 - from.ceil()).floor() + 1.0).max(0.0) as u64
}

fn shown(path: &Path) -> String {
    words::shown(&path.to_string_lossy())
}

/// Error for a take that cannot be recorded, with a remedy.
fn record_failure(error: &RecordError) -> Failure {
    let remedy = match error {
        RecordError::InTheWay { status: TakeStatus::OtherBody(_), .. } => {
            "replace it with --again, move it, or choose another folder with -o"
        }
        RecordError::InTheWay { .. } => {
            "it is never overwritten; move it, or choose another folder with -o"
        }
        RecordError::Outside { .. } => {
            "it is not written; choose another folder with -o, or, if you trust the link, allow the \
             folder that it leads to with --allow-path"
        }
        RecordError::Busy { .. } => "run the same command to continue",
        RecordError::Disk { error, .. } if error.kind() == io::ErrorKind::StorageFull => {
            "recorded frames are kept; free some space, or choose another folder with -o"
        }
        RecordError::Disk { .. } => "choose another folder with -o",
    };
    Failure::new(words::shown(&format!("{error}; {remedy}")))
}

/// Error after Ctrl-C.
fn interrupted(ready: &Ready, recorded: &[Recorded], last: f64) -> Option<Failure> {
    const MOST: usize = 3;
    let stopped: Vec<String> = recorded
        .iter()
        .filter(|one| one.interrupted)
        .map(|one| {
            let name = words::shown(ready.scene.run_name(one.body));
            format!("`{name}` recorded up to frame {:.0} of {last}", one.run.to.floor())
        })
        .collect();
    if stopped.is_empty() && !interrupt::was_requested() {
        return None;
    }
    let some = match stopped.len() {
        0 => "simulated frames are recorded".to_owned(),
        many if many > MOST => format!("{} and {} more", stopped[..MOST].join(", "), many - MOST),
        _ => stopped.join(", "),
    };
    Some(Failure::Interrupted(format!("{some}; run the same command to continue")))
}

/// Diagnostics of the recorded frames.
fn check(
    ready: &Ready,
    recorded: &[Recorded],
    last: f64,
    console: Console,
) -> Result<Vec<Diagnostic>, Failure> {
    let names: Vec<String> =
        bodies(ready, recorded).map(|body| ready.scene.body_name(body).to_owned()).collect();
    // Only frames of the shot: a simulation may start long before it.
    let first = ready.scene.shot().first;
    let frames: Vec<f64> = (first..=last as i64).map(|frame| frame as f64).collect();
    ready.diagnostics(&names, &[], &frames, console)
}

/// Number of steps from the start.
fn steps(ready: &Ready, run: &Simulation) -> u64 {
    let rate = ready.scene.shot().rate;
    ((rate.seconds(run.to) - rate.seconds(run.from)) * run.rate).round() as u64
}

fn takes_table(ready: &Ready, recorded: &[Recorded]) -> String {
    let head = ["body", "frames", "steps", "steps/s", "time", "size", "file"];
    let mut rows = vec![head.map(str::to_owned)];
    for one in recorded {
        let to = one.run.to.floor();
        let stopped = if one.run.stopped { ", stopped" } else { "" };
        rows.push([
            words::shown(ready.scene.run_name(one.body)),
            format!("{}–{to}{stopped}", words::frame(one.run.from)),
            steps(ready, &one.run).to_string(),
            words::frame(one.run.rate),
            words::seconds(one.took),
            words::size(one.size),
            shown(&one.path),
        ]);
    }
    table(&rows)
}

/// All recorded bodies.
fn bodies(ready: &Ready, recorded: &[Recorded]) -> impl Iterator<Item = usize> {
    recorded.iter().flat_map(|one| ready.scene.simulated_with(one.body))
}

/// Material and section of each body, and the breaking load of those that tear.
fn materials(ready: &Ready, recorded: &[Recorded]) -> String {
    let head = ["body", "kg/m", "EA, N", "EI, N m²", "inner friction, s", "material"];
    let mut rows = vec![head.map(str::to_owned)];
    let mut torn = vec![["body", "breaking load, N", "breaking twist, turns/m"].map(str::to_owned)];
    for body in bodies(ready, recorded) {
        let Some(ResolvedMaterial { name, section, strength, .. }) =
            ready.scene.resolved_material(body)
        else {
            continue;
        };
        let numbers =
            [section.mass_per_metre, section.stretch, section.bend, section.inner_friction];
        let [mass, stretch, bend, friction] = numbers.map(words::three_digits);
        let body = words::shown(ready.scene.body_name(body));
        if let Some(Strength { newtons, turns_per_metre }) = strength {
            let [newtons, turns] = [newtons, turns_per_metre].map(words::three_digits);
            torn.push([body.clone(), newtons, turns]);
        }
        rows.push([body, mass, stretch, bend, friction, name.to_owned()]);
    }
    match torn.len() {
        // Solids have no section.
        _ if rows.len() == 1 => String::new(),
        1 => table(&rows),
        _ => format!("{}\n{}", table(&rows), table(&torn)),
    }
}

/// One line per tear; notes are not printed otherwise.
fn tears(diagnostics: &[Diagnostic]) -> String {
    let torn = diagnostics.iter().filter(|diagnostic| diagnostic.code == Code::StringTorn);
    let lines = torn.map(|diagnostic| {
        let why = diagnostic.labels.first().map_or("", |label| label.text.as_str());
        words::shown(&format!("{}: {why}", diagnostic.message)) + "\n"
    });
    let lines: String = lines.collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// Aligns rows in columns; the first row is the header.
fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let wide = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..N).map(|column| wide(column).unwrap_or(0)).collect();
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            // Text to the left, numbers to the right.
            if column == 0 || column == N - 1 {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
        out += cells.collect::<Vec<_>>().join("  ").trim_end();
        out.push('\n');
    }
    out
}

fn write_material(json: &mut Json<'_>, ready: &Ready, body: usize) -> io::Result<()> {
    let Some(ResolvedMaterial { name, section, strength, .. }) =
        ready.scene.resolved_material(body)
    else {
        return Ok(());
    };
    json.field("made_of", name)?;
    json.field("mass_per_metre", section.mass_per_metre)?;
    json.field("stretch_stiffness", section.stretch)?;
    json.field("bend_stiffness", section.bend)?;
    json.field("compression", section.compression)?;
    json.field("inner_friction", section.inner_friction)?;
    if let Some(Strength { newtons, turns_per_metre }) = strength {
        json.field("tears_at_newtons", newtons)?;
        json.field("tears_at_turns_per_metre", turns_per_metre)?;
    }
    Ok(())
}

/// Writes recorded takes, if there are any, and diagnostics to standard output.
fn write_json(
    source: &Source,
    takes: Option<(&Ready, &[Recorded])>,
    diagnostics: &[Diagnostic],
) -> io::Result<()> {
    let mut out = Console::results();
    let mut json = Json::new(&mut out);
    json.object(|json| {
        json.list("takes", takes.map_or(&[][..], |(_, recorded)| recorded), |json, one| {
            json.newline()?;
            let Some((ready, _)) = takes else { return Ok(()) };
            json.object(|json| {
                json.field("body", ready.scene.run_name(one.body))?;
                json.field("file", one.path.to_string_lossy().as_ref())?;
                json.field("first", one.run.from)?;
                json.field("last", one.run.to)?;
                json.field("frames_there", one.resumed)?;
                json.field("steps", steps(ready, &one.run))?;
                json.field("rate", one.run.rate)?;
                json.field("seconds", one.took)?;
                json.field("bytes", one.size)?;
                json.field("stopped", one.run.stopped)?;
                let together = ready.scene.simulated_with(one.body);
                if ready.scene.take_name(one.body).is_empty() {
                    return json.list("bodies", &together, |json, body| {
                        json.newline()?;
                        json.object(|json| {
                            json.field("body", ready.scene.body_name(*body))?;
                            write_material(json, ready, *body)
                        })
                    });
                }
                write_material(json, ready, one.body)
            })
        })?;
        write_diagnostics(json, source, diagnostics)
    })?;
    json.newline()?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_frames_are_counted() {
        assert_eq!(frames(1.0, 96.0), 96);
        assert_eq!(frames(1.0, 96.1), 96);
        assert_eq!(frames(1.0, 95.999_999_9), 96);
        assert_eq!(frames(2.5, 4.0), 2);
        assert_eq!(frames(13.0, 5.0), 0);
        assert_eq!(frames(-3.0, -3.0), 1);
    }
}
