//! `lariat plot`: parameters over time, or the response of their springs.
//!
//! ```text
//! mod.rs        arguments and output
//! track.rs      samples and rows of a parameter
//! panels.rs     layout of curves in panels
//! spring.rs     effective spring of a wiggle over time
//! response.rs   frequency response of that spring
//! ```

mod panels;
mod response;
mod spring;
mod track;

use std::path::PathBuf;

use lariat_export::file::save;
use lariat_render::Size;
use lariat_render::plot;
use lariat_scene::lower::{Parameter, ParameterError, Shot, animated_parameters, parameter};
use lariat_scene::{Document, Limits};

use self::track::Frames;
use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    frames::TooManyFrames,
    input::{self, Allowed, is_standard},
    limit::{self, Limit},
    output, prepare, words,
};

/// Plot parameters over time, with keys, phase and residual
///
/// An oscillating parameter is shown with its equilibrium, imaginary part, phase in degrees, and
/// the push per second squared that its spring would need to follow the curve (none while the first
/// key holds it). Parameters of the same unit share a panel. Without --channel, lists the animated
/// parameters.
///
/// --spring plots the effective spring over time, --response its frequency response.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag that may be given or not")]
pub(crate) struct Plot {
    /// Document; `-` reads standard input, `museum:NAME` a museum scene
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Parameter, as in tail.swing or rope.waves[0].height; can be repeated
    #[arg(long = "channel", short, value_name = "NAME")]
    channels: Vec<String>,

    /// Output file (.svg, .png, .csv); `-` writes CSV to standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,

    /// First and last frame, as in 1-120 [default: the whole shot]
    #[arg(long, short, value_name = "FIRST-LAST", allow_hyphen_values = true, value_parser = span)]
    frames: Option<(f64, f64)>,

    /// Frames between rows of a CSV, as in 0.25; keys have rows of their own [default: 1]
    #[arg(long, value_name = "FRAMES", value_parser = step, conflicts_with = "response")]
    step: Option<f64>,

    /// Components shown for an oscillating parameter
    #[arg(long, value_name = "COMPONENTS", value_enum, value_delimiter = ',', default_values_t = Component::ALL)]
    show: Vec<Component>,

    /// One panel per parameter, even if they share a unit
    #[arg(long)]
    stack: bool,

    /// Plot the effective spring over time instead of the curve
    ///
    /// Frequency, bandwidth, and half-life in seconds and in swings, including defaults, the bound
    /// of the bandwidth by the frequency, and the slowdown by damping.
    #[arg(long, conflicts_with = "response")]
    spring: bool,

    /// Plot the frequency response of the spring at the first frame, in decibels below its peak
    ///
    /// For one parameter, draws all three filters of the paper's figure 3 with the frequency, decay
    /// and bandwidth of its spring; its own filter is bold. With --stack, one panel per filter.
    #[arg(long)]
    response: bool,

    /// Size in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "960x600", value_parser = size)]
    size: Size,

    /// Replace an existing file
    #[arg(long)]
    force: bool,

    #[arg(long = "limit", value_name = "NAME=N", help = limit::SHORT, long_help = limit::help())]
    limits: Vec<Limit>,

    #[command(flatten)]
    allowed: Allowed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Component {
    /// Equilibrium
    Around,
    /// Imaginary part, offset by the equilibrium
    Imaginary,
    /// Phase in degrees
    Phase,
    /// Residual acceleration
    Residual,
}

impl Component {
    const ALL: [Self; 4] = [Self::Around, Self::Imaginary, Self::Phase, Self::Residual];
}

impl std::fmt::Display for Component {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Around => "around",
            Self::Imaginary => "imaginary",
            Self::Phase => "phase",
            Self::Residual => "residual",
        })
    }
}

fn span(text: &str) -> Result<(f64, f64), String> {
    let help = || "expected FIRST-LAST, as in 1-120".to_owned();
    // The separator is the first dash after the first character, which may be a minus sign.
    let (dash, _) = text.char_indices().skip(1).find(|(_, c)| *c == '-').ok_or_else(help)?;
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite());
    match (number(&text[..dash]), number(&text[dash + 1..])) {
        (Some(first), Some(last)) if first < last => Ok((first, last)),
        (Some(first), Some(last)) => {
            Err(format!("last frame {last} is not after first frame {first}"))
        }
        _ => Err(help()),
    }
}

fn step(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(step) if step > 0.0 && step.is_finite() => Ok(step),
        _ => Err("expected a number of frames above 0, as in 0.25".to_owned()),
    }
}

fn size(text: &str) -> Result<Size, String> {
    let numbers = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    match numbers {
        Some((width, height)) if width >= 200 && height >= 120 => {
            Size::new(width, height).map_err(|error| error.to_string())
        }
        Some(_) => Err("plots are at least 200x120 pixels".to_owned()),
        None => Err("expected WIDTHxHEIGHT, as in 960x600".to_owned()),
    }
}

/// Returns an error if the frames exceed the limit.
fn check_count(frames: u64, limit: u64) -> Result<(), Failure> {
    if frames > limit {
        return Err(Failure::new(TooManyFrames { frames, limit }.to_string()));
    }
    Ok(())
}

/// Error for a parameter that cannot be plotted, with a remedy.
fn no_parameter(
    document: &Document,
    limits: &Limits,
    name: &str,
    error: &ParameterError,
) -> Failure {
    // The damping of a spring has several parameters, all optional.
    if let Some((wiggle, last)) = name.rsplit_once('.')
        && spring::LOSSES.contains(&last)
        && let Ok(found) = parameter(document, limits, wiggle)
        && spring::of(wiggle, &found.channel).is_ok()
        && matches!(error, ParameterError::NotFound { .. })
    {
        return Failure::new(format!(
            "`{wiggle}` does not set `{last}`; `-c {wiggle} --spring` plots its effective spring"
        ));
    }
    Failure::new(format!("{error}; {}", animated(&animated_parameters(document))))
}

/// Message that lists the animated parameters.
fn animated(all: &[String]) -> String {
    if all.is_empty() {
        return "no parameter in this document is animated".to_owned();
    }
    format!("animated parameters: {}", all.join(", "))
}

/// Output format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
    Csv,
}

impl Plot {
    pub(crate) fn run(&self, console: Console) -> Done {
        let format = self.format()?;
        output::not_the_document(&self.file, &self.output)?;
        let limits = limit::limits(&self.limits);
        let (source, opened) = input::read(&self.file, &limits, &self.allowed)?;
        prepare::print_diagnostics(&source, &opened.diagnostics, console);
        let has_errors = opened.has_errors();
        let Some(content) = opened.content else { return Ok(Outcome::Diagnostics) };
        let (document, shot) = (&content.document, content.lowered.shot);
        if self.channels.is_empty() {
            self.list(&animated_parameters(document), console)?;
            return Ok(Outcome::diagnostics_if(has_errors));
        }
        let parameters = self
            .channels
            .iter()
            .map(|name| {
                parameter(document, &limits, name)
                    .map_err(|error| no_parameter(document, &limits, name, &error))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let (first, last) =
            self.frames.unwrap_or((shot.first as f64, (shot.last.max(shot.first + 1)) as f64));
        let (plot, table) = if self.response {
            let curves = response::curves(&self.channels, &parameters, shot, first)?;
            let title = format!("{}, the spring at frame {first}", self.channels.join(", "));
            (response::plot(&curves, title, self.stack), response::table(&curves))
        } else {
            let frames = Frames { first, last, step: self.step };
            check_count(((last - first).floor() as u64).saturating_add(1), limits.frames)?;
            check_count(frames.count(), limits.frames)?;
            self.over_time(&parameters, shot, frames)?
        };
        output::sweep(&self.output, console);
        match format {
            Format::Csv => output::put(&self.output, self.force, &table)?,
            Format::Svg => {
                let text = plot::svg(&plot, self.size.width(), self.size.height());
                output::put(&self.output, self.force, &text)?;
            }
            Format::Png => {
                let picture = plot::picture(&plot, self.size);
                let mut bytes = Vec::new();
                picture.encode_png(&mut bytes).map_err(|error| Failure::new(error.to_string()))?;
                save(&self.output, output::existing(self.force), |out| Ok(out.write_all(&bytes)?))
                    .map_err(|error| output::failure(&error))?;
            }
        }
        if !is_standard(&self.output) {
            console.note(&format!(
                "wrote {}: {}",
                words::shown(&self.output.to_string_lossy()),
                self.channels.join(", ")
            ));
        }
        Ok(Outcome::diagnostics_if(has_errors))
    }

    fn list(&self, all: &[String], console: Console) -> Result<(), Failure> {
        if !is_standard(&self.output) {
            return Err(Failure::new(format!(
                "choose parameters for `{}` with --channel; {}",
                words::shown(&self.output.to_string_lossy()),
                animated(all)
            )));
        }
        if all.is_empty() {
            console.note("no parameter in this document is animated; add keys or a wiggle");
        }
        let mut text = all.join("\n");
        if !text.is_empty() {
            text.push('\n');
        }
        output::put(&self.output, self.force, &text)
    }

    fn format(&self) -> Result<Format, Failure> {
        if is_standard(&self.output) {
            return Ok(Format::Csv);
        }
        let ending = self.output.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if self.step.is_some() && matches!(ending, "svg" | "png") {
            return Err(Failure::new(
                "--step applies to .csv files only; omit it, or write a .csv",
            ));
        }
        match ending {
            "svg" => Ok(Format::Svg),
            "png" => Ok(Format::Png),
            "csv" => Ok(Format::Csv),
            other => Err(Failure::new(format!(
                "unknown format `.{}`; supported: .svg, .png, .csv",
                words::shown(other)
            ))),
        }
    }

    /// Samples all parameters over time, as a plot and as a table.
    fn over_time(
        &self,
        parameters: &[Parameter],
        shot: Shot,
        frames: Frames,
    ) -> Result<(plot::Plot, String), Failure> {
        let tracks = |(name, found): (&String, &Parameter)| {
            if self.spring {
                spring::tracks(name, found, shot, frames)
            } else {
                Ok(track::of(name, found, shot, frames))
            }
        };
        let each: Vec<Vec<track::Track>> =
            self.channels.iter().zip(parameters).map(tracks).collect::<Result<_, _>>()?;
        let panels = if self.stack {
            panels::stacked(&each, &self.show)
        } else {
            panels::together(&each, &self.show)
        };
        let of = if self.spring { ", the spring" } else { "" };
        let (title, axis) = (format!("{}{of}", self.channels.join(", ")), "frames".to_owned());
        let (table, across) = (track::table(each.iter().flatten()), (frames.first, frames.last));
        Ok((plot::Plot { title, axis, across, panels }, table))
    }
}

/// Quotes a name for CSV.
fn quoted(name: &str) -> String {
    if name.contains([',', '"']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}
