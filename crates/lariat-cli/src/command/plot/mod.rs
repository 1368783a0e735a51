//! `lariat plot`: a parameter through time, or the answer of its spring, drawn or as numbers.
//!
//! ```text
//! mod.rs        what is asked for, and where it goes
//! track.rs      a parameter sampled, and rows of it
//! panels.rs     which curves share an axis, and what is drawn beside them
//! spring.rs     the spring of a wiggle as it is at every moment
//! response.rs   how strongly that spring answers at each frequency
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
    frames::TooMany,
    input::{self, is_standard},
    limit::{self, Limit},
    output, prepare, words,
};

/// Draw a parameter through time: its keys, its phase, and what its spring is pushed with
///
/// What oscillates is shown with where it rests, its imaginary part, its phase in degrees, and
/// the push per second squared that the spring would have needed to do this by itself; there is
/// none where its first key holds it. Parameters of one unit share a panel. Without --channel, the
/// parameters that move are listed.
///
/// With --spring it is not the curve but its spring that is shown. With --response it is not time
/// that runs across but frequency: how strongly the spring answers.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag that may be given or not")]
pub(crate) struct Plot {
    /// The document; `-` reads standard input, `museum:NAME` a scene of the museum
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The parameter, as in tail.swing or rope.waves[0].height; can be given several times
    #[arg(long = "channel", short, value_name = "NAME")]
    channels: Vec<String>,

    /// Where to; the ending says what (.svg, .png, .csv); `-` is standard output, as CSV
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,

    /// From which frame to which, as in 1-120 [default: the whole shot]
    #[arg(long, short, value_name = "FIRST-LAST", allow_hyphen_values = true, value_parser = span)]
    frames: Option<(f64, f64)>,

    /// Frames from row to row of a CSV, as in 0.25; keys have rows besides [default: every whole
    /// frame]
    #[arg(long, value_name = "FRAMES", value_parser = step, conflicts_with = "response")]
    step: Option<f64>,

    /// What is shown of a parameter that oscillates
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',', default_values_t = What::ALL)]
    show: Vec<What>,

    /// One panel for each parameter, even if they have one unit
    #[arg(long)]
    stack: bool,

    /// Instead of the curve: its spring as it is at every moment, however it was said
    ///
    /// Hertz, bandwidth, half-life in seconds and in swings: with what is not said by default, a
    /// bandwidth that is bounded by the hertz, and hertz that are slowed down by damping.
    #[arg(long, conflicts_with = "response")]
    spring: bool,

    /// Instead of time: how strongly the spring answers at each frequency, in decibels below its
    /// peak, as it is on the first frame
    ///
    /// For one parameter all three filters of the paper's figure 3 are drawn, with the frequency,
    /// decay and bandwidth of its spring; the bold one is its own. With --stack each has a panel.
    #[arg(long)]
    response: bool,

    /// Pixels across and down
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "960x600", value_parser = size)]
    size: Size,

    /// Replace a file that is there already
    #[arg(long)]
    force: bool,

    #[arg(long = "limit", value_name = "NAME=N", help = limit::SHORT, long_help = limit::help())]
    limits: Vec<Limit>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// Where it would come to rest
    Around,
    /// The imaginary part, moved to where it rests
    Imaginary,
    /// The phase, in degrees
    Phase,
    /// What the spring would have to be pushed with
    Residual,
}

impl What {
    const ALL: [Self; 4] = [Self::Around, Self::Imaginary, Self::Phase, Self::Residual];
}

impl std::fmt::Display for What {
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
    let help = || "write the first frame and the last, as in 1-120".to_owned();
    // The dash between the two is the first behind the first letter, which may be a minus.
    let (dash, _) = text.char_indices().skip(1).find(|(_, c)| *c == '-').ok_or_else(help)?;
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite());
    match (number(&text[..dash]), number(&text[dash + 1..])) {
        (Some(first), Some(last)) if first < last => Ok((first, last)),
        (Some(first), Some(last)) => Err(format!("frame {last} does not come after frame {first}")),
        _ => Err(help()),
    }
}

fn step(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(step) if step > 0.0 && step.is_finite() => Ok(step),
        _ => Err("write the frames from row to row, above 0, as in 0.25".to_owned()),
    }
}

fn size(text: &str) -> Result<Size, String> {
    let numbers = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    match numbers {
        Some((width, height)) if width >= 200 && height >= 120 => {
            Size::new(width, height).map_err(|error| error.to_string())
        }
        Some(_) => Err("a plot needs 200x120 pixels or more".to_owned()),
        None => Err("write it like 960x600".to_owned()),
    }
}

/// Refuses more frames than are allowed, before any of them is sampled.
fn check_count(frames: u64, limit: u64) -> Result<(), Failure> {
    if frames > limit {
        return Err(Failure::new(TooMany { frames, limit }.to_string()));
    }
    Ok(())
}

/// Why a parameter cannot be plotted, with the way out.
fn no_parameter(
    document: &Document,
    limits: &Limits,
    name: &str,
    error: &ParameterError,
) -> Failure {
    // How bouncy a spring is can be said in four ways, and need not be said.
    if let Some((wiggle, last)) = name.rsplit_once('.')
        && spring::LOSSES.contains(&last)
        && let Ok(found) = parameter(document, limits, wiggle)
        && spring::of(wiggle, &found.channel).is_ok()
        && matches!(error, ParameterError::NotFound { .. })
    {
        return Failure::new(format!(
            "`{wiggle}` does not say its `{last}`: what its spring is at every moment shows `-c \
             {wiggle} --spring`"
        ));
    }
    Failure::new(format!("{error}; {}", what_moves(&animated_parameters(document))))
}

/// The parameters that could be named.
fn what_moves(all: &[String]) -> String {
    if all.is_empty() {
        return "nothing in this document moves".to_owned();
    }
    format!("what moves here is {}", words::either(all.iter().map(String::as_str)))
}

/// What a plot is written as.
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
        let (source, opened) = input::read(&self.file, &limits)?;
        prepare::say(&source, &opened.diagnostics, console);
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
            self.through_time(&parameters, shot, frames)?
        };
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
            console.remark(&format!("{}: {}", self.output.display(), self.channels.join(", ")));
        }
        Ok(Outcome::diagnostics_if(has_errors))
    }

    fn list(&self, all: &[String], console: Console) -> Result<(), Failure> {
        if !is_standard(&self.output) {
            return Err(Failure::new(format!(
                "what is to be drawn in `{}`? say it with --channel; {}",
                words::shown(&self.output.to_string_lossy()),
                what_moves(all)
            )));
        }
        if all.is_empty() {
            console.remark("nothing moves in this document: give a parameter keys or a wiggle");
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
                "--step is the distance of rows, and a drawing has none: leave it out, or write \
                 a .csv",
            ));
        }
        match ending {
            "svg" => Ok(Format::Svg),
            "png" => Ok(Format::Png),
            "csv" => Ok(Format::Csv),
            other => Err(Failure::new(format!(
                "a plot is written as .svg, .png or .csv, not as `.{}`: name it plot.svg",
                words::shown(other)
            ))),
        }
    }

    /// Every number of every parameter, sampled: drawn, and as rows.
    fn through_time(
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

/// A name as a cell of a table.
fn quoted(name: &str) -> String {
    if name.contains([',', '"']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}
