//! `lariat export`: files for other tools.
//!
//! The file is written to a temporary file and renamed when complete, so it is never partial, also
//! after Ctrl-C. Its bytes depend on the document, the frames and the options, not on the number of
//! threads.

use std::io::Write;
use std::path::PathBuf;

use lariat_export::{Format, Options, Summary, Timing, TubeOptions, file::save};

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    frames::FrameSet,
    input::is_standard,
    interrupt::Interrupt,
    output,
    prepare::{self, Reading, Ready},
    progress::{Progress, Watch},
    words,
};

/// Export bodies to USD, CSV, JSON or SVG
///
/// USD files contain one curve per strand with time samples, in metres, Z up, one time code per
/// frame; with --meshes also tubes. SVG files contain one drawing per frame. Existing files are
/// replaced only with --force. Files are written atomically.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag that may be given or not")]
pub(crate) struct Export {
    #[command(flatten)]
    reading: Reading,

    /// Output file; its extension selects the format (.usda, .csv, .json, .svg); `-` is standard
    /// output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Format, if the extension does not select it
    #[arg(long, value_name = "FORMAT", value_parser = format_named)]
    format: Option<Format>,

    /// Frames: 1-10, 1,5-9, 1-100x2, -5-3 [default: the whole shot]
    #[arg(long, short, value_name = "SET", allow_hyphen_values = true)]
    frames: Option<FrameSet>,

    /// Replace an existing file
    #[arg(long)]
    force: bool,

    /// Also write every strand as a tube with this many sides [default: 12]
    #[arg(
        long,
        value_name = "SIDES",
        num_args = 0..=1,
        default_missing_value = "12",
        value_parser = sides,
        help_heading = "USD options"
    )]
    meshes: Option<usize>,

    /// Write no curves, only meshes
    #[arg(long, requires = "meshes", help_heading = "USD options")]
    no_curves: bool,

    /// Write velocities of the points of curves, for motion blur
    #[arg(long, help_heading = "USD options")]
    velocities: bool,

    /// Omit orientations (primvars:frame), about half of a file
    #[arg(long, help_heading = "USD options")]
    no_orientations: bool,

    /// Write tangents and normals
    #[arg(long, help_heading = "CSV and JSON options")]
    axes: bool,

    /// View direction in degrees around and above; 0,0 is the front [default: 25,15]
    #[arg(
        long,
        value_name = "AROUND,ABOVE",
        allow_hyphen_values = true,
        value_parser = view,
        help_heading = "SVG options"
    )]
    view: Option<(f64, f64)>,
}

fn format_named(name: &str) -> Result<Format, String> {
    Format::from_name(name).ok_or_else(|| format!("supported formats: {}", formats()))
}

fn formats() -> String {
    Format::ALL.map(Format::name).join(", ")
}

fn view(text: &str) -> Result<(f64, f64), String> {
    lariat_shoot::parse_angles(text)
        .ok_or_else(|| "expected two angles in degrees, as in 25,15".to_owned())
}

fn sides(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(sides @ 3..=1024) => Ok(sides),
        Ok(sides) => Err(format!("{sides} sides are out of range; tubes have 3 to 1024")),
        Err(_) => {
            Err("expected a number of sides; write `--meshes=12`, or put `--meshes` last"
                .to_owned())
        }
    }
}

impl Export {
    pub(crate) fn run(&self, console: Console) -> Done {
        let format = self.format()?;
        let options = self.options(format)?;
        output::not_the_document(&self.reading.file, &self.output)?;
        if let Some(frame) = self.frames.as_ref().and_then(FrameSet::fractional) {
            return Err(Failure::new(format!(
                "frame {frame} is fractional, and files contain whole frames only; use `lariat eval` for \
                 fractional frames"
            )));
        }
        let Some(mut ready) = prepare::read(&self.reading, console)? else {
            return Ok(Outcome::Diagnostics);
        };
        let shot = *ready.scene.shot();
        let set = self.frames.clone().unwrap_or_else(|| FrameSet::range(shot.first, shot.last));
        let frames = ready.frames(&set)?;
        // Only USD files contain cameras.
        let cameras = if format == Format::Usda { ready.scene.camera_count() } else { 0 };
        let cameras: Vec<usize> = (0..cameras).collect();
        if !ready.check_frames(&self.reading.bodies, &cameras, &frames, console)? {
            return Ok(Outcome::Diagnostics);
        }
        let timing = Timing::new(shot.rate, frames.into_iter().map(|frame| frame as i64))?;
        let summary = self.write(&ready, format, &options, &timing, console)?;
        if !is_standard(&self.output) {
            self.report(&summary, console);
        }
        Ok(Outcome::diagnostics_if(ready.has_errors))
    }

    fn write(
        &self,
        ready: &Ready,
        format: Format,
        options: &Options,
        timing: &Timing,
        console: Console,
    ) -> Result<Summary, Failure> {
        let bodies = ready.bodies(&self.reading)?;
        let footage = bodies.footage();
        let progress = Progress::new(console, "exporting", "poses");
        if is_standard(&self.output) {
            // There is no file to clean up, so Ctrl-C may end the process.
            let mut out = Console::results();
            let summary = format.write(footage, timing, options, &mut out, &progress)?;
            out.flush()?;
            return Ok(summary);
        }
        let watch = Watch::new(progress, Interrupt::listen());
        output::sweep(&self.output, console);
        Ok(save(&self.output, output::existing(self.force), |out| {
            format.write(footage, timing, options, out, &watch)
        })?)
    }

    fn format(&self) -> Result<Format, Failure> {
        if let Some(format) = self.format.or_else(|| Format::from_path(&self.output)) {
            return Ok(format);
        }
        let name = words::shown(&self.output.to_string_lossy());
        Err(Failure::new(if is_standard(&self.output) {
            format!("choose a format for standard output with --format: {}", formats())
        } else {
            let supported = Format::ALL.map(|format| format!(".{}", format.name())).join(", ");
            let unknown = match self.output.extension() {
                Some(extension) => {
                    format!("unknown format `.{}`", words::shown(&extension.to_string_lossy()))
                }
                None => format!("`{name}` has no extension"),
            };
            format!("{unknown}; supported: {supported}, or choose one with --format")
        }))
    }

    /// Export options; returns an error for options that the format does not support.
    fn options(&self, format: Format) -> Result<Options, Failure> {
        let usd = format == Format::Usda;
        let rows = matches!(format, Format::Csv | Format::Json);
        for (given, flag, fits, holder) in [
            (self.meshes.is_some(), "--meshes", usd, ".usda"),
            (self.velocities, "--velocities", usd, ".usda"),
            (self.no_orientations, "--no-orientations", usd, ".usda"),
            (self.axes, "--axes", rows, ".csv or .json"),
            (self.view.is_some(), "--view", format == Format::Svg, ".svg"),
        ] {
            if given && !fits {
                return Err(Failure::new(format!(
                    "{flag} does not apply to .{} files; omit it, or export to {holder}",
                    format.name()
                )));
            }
        }
        let default = Options::default();
        Ok(Options {
            curves: !self.no_curves,
            tubes: self.meshes.map(|sides| TubeOptions { sides, ..TubeOptions::default() }),
            orientations: !self.no_orientations,
            velocities: self.velocities,
            axes: self.axes,
            view: self.view.unwrap_or(default.view),
            ..default
        })
    }

    fn report(&self, summary: &Summary, console: Console) {
        let name = words::shown(&self.output.to_string_lossy());
        let bodies = words::count(summary.bodies, "body");
        let frames = words::count(summary.frames, "frame");
        let size = words::size(summary.bytes);
        console.note(&format!("wrote {name}: {bodies}, {frames}, {size}"));
    }
}
