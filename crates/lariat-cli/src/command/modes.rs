//! `lariat modes`: modes of recorded motion, and a document that drives them.
//!
//! Files are written when all work is done, so Ctrl-C leaves nothing behind.

use std::io::Write;
use std::path::{Path, PathBuf};

use lariat::Folder;
use lariat::extraction::{MotionFile, extract};
use lariat::modes_document::{
    self, ModesDocument, Options, Stage, distance, metres, origin, relative_path,
};
use lariat_core::modes::{ExtractOptions, ModeCount, ModeSet, Recording};
use lariat_core::motion::FrameRate;
use lariat_export::file;
use lariat_import::mode_file;

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    frames::FrameSet,
    input::{Allowed, is_standard},
    limit::{self, Limit},
    modes::{
        mesh::RecordedMesh,
        notes,
        source::{self, Request, Source},
        table,
        watch::Watch,
    },
    output,
    prepare::Reading,
    words,
};

/// Extract modes from recorded motion: shapes with a frequency, half-life and phase
///
/// The motion comes from a document, which is evaluated, or from a point cache: text USD, or CSV
/// with the columns frame, point, x, y, z. The modes are printed as a table and written to a file
/// that documents can use. With --document, also writes a document in which wiggles with few keys
/// drive the modes, and reports its distance from the recording.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag that may be given or not")]
pub(crate) struct Modes {
    /// Document (or `museum:NAME`), take, point cache (.usda, .csv) or .modes file; `-` reads a
    /// document or cache from standard input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// Output file for modes (.modes); `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Also write a document in which wiggles drive the modes
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,

    /// Mesh (.obj, .gltf, .glb) that the modes move in the document
    ///
    /// A CSV has points but no faces, so its points become ropes. With --mesh, they move the mesh,
    /// which must have the same points in the same order.
    #[arg(long, value_name = "FILE", requires = "document")]
    mesh: Option<PathBuf>,

    /// Replace existing files
    #[arg(long)]
    force: bool,

    /// Number of modes
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "share",
        value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "Extraction"
    )]
    modes: Option<u32>,

    /// Share of the motion that the modes explain, 0–1 [default: 0.99]
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Extraction")]
    share: Option<f64>,

    /// Lowest frequency of interest in hertz; lower ones discard more frames at both ends
    #[arg(long, value_name = "HZ", help_heading = "Extraction")]
    lowest: Option<f64>,

    /// The motion is a loop; no frames are discarded
    #[arg(long, help_heading = "Extraction")]
    periodic: bool,

    /// Frames, as in 1-96 [default: the whole shot or recording]
    #[arg(
        long,
        short,
        value_name = "FIRST-LAST",
        allow_hyphen_values = true,
        help_heading = "Extraction"
    )]
    frames: Option<FrameSet>,

    /// Use only this body (or part of a cache); can be repeated
    #[arg(long = "body", value_name = "NAME", help_heading = "Extraction")]
    bodies: Vec<String>,

    /// Frames per second of a point cache that has none, as in 30 or 24000/1001 [default: 24]
    #[arg(long, value_name = "RATE", help_heading = "Extraction")]
    fps: Option<FrameRate>,

    /// Allowed distance of the curves from the recording, as a share of the motion
    #[arg(
        long,
        value_name = "SHARE",
        default_value = "0.1",
        value_parser = share,
        help_heading = "Document options"
    )]
    tolerance: f64,

    /// Maximum number of keys per curve
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "Document options"
    )]
    most_keys: Option<u32>,

    /// Fluidity of the motion: 0 stiff, 1 as recorded, 2.3 sloshy
    #[arg(
        long,
        value_name = "S",
        default_value = "1",
        value_parser = slosh,
        help_heading = "Document options"
    )]
    slosh: f64,

    /// Continue despite errors in the document
    #[arg(long)]
    keep_going: bool,

    #[arg(long = "limit", value_name = "NAME=N", help = limit::SHORT, long_help = limit::help())]
    limits: Vec<Limit>,

    #[command(flatten)]
    allowed: Allowed,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("expected a share above 0, up to 1, as in 0.99".to_owned()),
    }
}

fn slosh(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(slosh) if (0.0..=1e6).contains(&slosh) => Ok(slosh),
        _ => Err("expected a number of at least 0: 0 is stiff, 1 as recorded".to_owned()),
    }
}

/// Returns an error if a file name does not have the extension of its content.
fn check_extension(path: &Path, content: &str, extension: &str) -> Result<(), Failure> {
    if path.extension().is_some_and(|given| given.eq_ignore_ascii_case(extension)) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{content} are written as .{extension} files; name it `{}`",
        words::shown(&path.with_extension(extension).to_string_lossy())
    )))
}

impl Modes {
    pub(crate) fn run(&self, console: Console) -> Done {
        let (file, bodies) = source::of_take(&self.input, &self.bodies)?;
        self.check_arguments(&file)?;
        let reading = Reading {
            file,
            bodies,
            keep_going: self.keep_going,
            limits: self.limits.clone(),
            allowed: self.allowed.clone(),
        };
        let watch = Watch::new(console);
        let request = Request { reading: &reading, frames: self.frames.as_ref(), rate: self.fps };
        let (set, recording, has_errors) = match source::read(&request, &watch, console)? {
            Source::Diagnostics => return Ok(Outcome::Diagnostics),
            Source::Modes(set) => (set, None, false),
            Source::Recording(recording, has_errors) => {
                let set = self.extract(&recording, &watch, console)?;
                (set, Some(recording), has_errors)
            }
        };
        let mesh = match (&self.mesh, &self.document) {
            (Some(mesh), Some(document)) => {
                let most = limit::limits(&self.limits).bytes_per_asset;
                Some(RecordedMesh::new(mesh, document, &set, most, &self.allowed)?)
            }
            _ => None,
        };
        let made = match &self.document {
            None => None,
            Some(place) => {
                let file = relative_path(place, self.output.as_ref().unwrap_or(&self.input));
                let options = Options {
                    tolerance: self.tolerance,
                    max_keys: self.most_keys.map_or(usize::MAX, |most| most as usize),
                    slosh: self.slosh,
                };
                let (recording, mesh) = (recording.as_ref(), mesh.as_ref().map(|mesh| &mesh.body));
                let name = |stage| match stage {
                    Stage::Keys => "finding keys",
                    Stage::Evaluation => "comparing",
                };
                let written = watch.over_stages(name, |progress| {
                    modes_document::write(&set, recording, &file, mesh, &options, progress)
                });
                Some(written.map_err(|error| watch.failed(&error))?)
            }
        };
        self.output.iter().chain(&self.document).for_each(|place| output::sweep(place, console));
        if let Some(place) = &self.output {
            output::put(place, self.force, &mode_file::write(&set))?;
        }
        if let (Some(place), Some(made)) = (&self.document, &made) {
            output::put(place, self.force, &made.text)?;
        }
        self.report(&set, recording.as_ref(), made.as_ref(), mesh.as_ref(), console)?;
        Ok(Outcome::diagnostics_if(has_errors))
    }

    /// Validates the arguments before any work is done.
    fn check_arguments(&self, input: &Path) -> Result<(), Failure> {
        if let Some(failure) = source::not_a_recording(&self.input) {
            return Err(failure);
        }
        let is_modes = MotionFile::of(&self.input) == MotionFile::Modes;
        match (&self.output, &self.document) {
            (None, _) if !is_modes => {
                return Err(Failure::new("missing output file; use -o, as in `-o motion.modes`"));
            }
            (None, None) => {}
            (Some(_), _) if is_modes => {
                return Err(Failure::new(
                    "the input already contains modes; omit -o, and write a document with --document",
                ));
            }
            _ => {}
        }
        let extraction = [
            (self.modes.is_some(), "--modes"),
            (self.share.is_some(), "--share"),
            (self.lowest.is_some(), "--lowest"),
            (self.periodic, "--periodic"),
            (self.frames.is_some(), "--frames"),
            (!self.bodies.is_empty(), "--body"),
            (self.fps.is_some(), "--fps"),
        ];
        if let Some((_, flag)) = extraction.iter().find(|(given, _)| is_modes && *given) {
            return Err(Failure::new(format!(
                "{flag} applies to recordings only, not to .modes files; omit it, or use the \
                 recording"
            )));
        }
        if self.document.as_deref().is_some_and(is_standard) {
            return Err(Failure::new(
                "--document needs a file, because the document refers to its modes by path",
            ));
        }
        if self.document.is_some() && self.output.as_deref().is_some_and(is_standard) {
            return Err(Failure::new("--document needs the modes in a file; choose one with -o"));
        }
        for place in self.output.iter().chain(&self.document) {
            output::not_the_document(input, place)?;
            if !is_standard(place) {
                file::check(place, output::existing(self.force))
                    .map_err(|error| output::failure(&error))?;
            }
        }
        if let (Some(modes), Some(document)) = (&self.output, &self.document)
            && output::is_one_file(modes, document)
        {
            return Err(Failure::new("the modes and the document need different files"));
        }
        if let Some(modes) = self.output.as_deref().filter(|modes| !is_standard(modes)) {
            check_extension(modes, "modes", "modes")?;
        }
        if let Some(document) = &self.document {
            check_extension(document, "documents", "lariat")?;
        }
        Ok(())
    }

    fn extract(
        &self,
        recording: &Recording,
        watch: &Watch,
        console: Console,
    ) -> Result<ModeSet, Failure> {
        let mode_count = match (self.modes, self.share) {
            (Some(modes), _) => ModeCount::Count(modes as usize),
            (None, share) => ModeCount::Share(share.unwrap_or(0.99)),
        };
        let frames = match &self.frames {
            None => None,
            Some(set) => {
                let most = limit::limits(&self.limits).frames;
                let frames = set.frames(most).map_err(|error| Failure::new(error.to_string()))?;
                Some(source::range(&frames)?)
            }
        };
        let (lowest, periodic) = (self.lowest, self.periodic);
        let options = ExtractOptions { mode_count, lowest, periodic, frames };
        let found = watch
            .over("extracting modes", |advance| extract(recording, &options, advance))
            .map_err(|error| watch.failed(&error))?;
        for note in &found.notes {
            console.note(&notes::text(note));
        }
        Ok(found.set)
    }

    /// Prints the table, to standard error if the modes go to standard output.
    fn report(
        &self,
        set: &ModeSet,
        recording: Option<&Recording>,
        made: Option<&ModesDocument>,
        mesh: Option<&RecordedMesh>,
        console: Console,
    ) -> Result<(), Failure> {
        let left = recording.and_then(|recording| set.residual_after_each_mode(recording));
        let mut text = format!("{}\n\n", origin(set));
        text += &table::table(set, left.as_deref());
        if let Some(made) = made {
            let against =
                if recording.is_some() { "the recording" } else { "the motion of its modes" };
            text += &format!(
                "\ndocument: {}; distance from {against}: {}\n",
                words::count(made.keys as u64, "key"),
                distance(&made.residual)
            );
        }
        if let Some(mesh) = mesh {
            let off = metres(mesh.distance);
            text += &format!("mesh at rest: {off} RMS from the mean of the motion\n");
        }
        if self.output.as_deref().is_some_and(is_standard) {
            console.note(&text);
        } else {
            let mut out = Console::results();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
        let shown = |path: &Path| words::shown(&path.to_string_lossy());
        for place in self.output.iter().chain(&self.document).filter(|place| !is_standard(place)) {
            console.note(&format!("wrote {}", shown(place)));
        }
        if let Some(document) = &self.document {
            let modes = self.output.as_ref().unwrap_or(&self.input);
            note_outside(
                document,
                [Some(modes), self.mesh.as_ref()].into_iter().flatten(),
                console,
            );
        }
        Ok(())
    }
}

/// Names the folders that a document can only use with `--allow-path`.
fn note_outside<'f>(document: &Path, files: impl Iterator<Item = &'f PathBuf>, console: Console) {
    let own = Folder::of(document);
    let mut folders: Vec<String> = files
        .filter(|file| !own.contains(&relative_path(document, file)))
        .map(|file| file.parent().filter(|folder| !folder.as_os_str().is_empty()))
        .map(|folder| words::shown(&folder.unwrap_or(Path::new(".")).to_string_lossy()))
        .map(|folder| format!("--allow-path {folder}"))
        .collect();
    folders.dedup();
    if !folders.is_empty() {
        console.note(&format!(
            "`{}` refers to files outside its folder; use it with `{}`",
            words::shown(&document.to_string_lossy()),
            folders.join(" ")
        ));
    }
}
