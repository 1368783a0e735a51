//! `lariat plot`: a parameter through time, drawn or as numbers.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use lariat_core::motion::{Animate, Channel};
use lariat_core::num::complex;
use lariat_export::file::save;
use lariat_render::Size;
use lariat_render::plot::{self, Panel, Series, Stroke};
use lariat_scene::lower::{Moving, Parameter, Shot, moving, parameter};

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    input::{self, is_standard},
    limit::{self, Limit},
    output, prepare, words,
};

/// Draw a parameter through time: its keys, its phase, and what its spring is pushed with
///
/// What oscillates is shown with where it rests, its imaginary part, its phase in degrees, and
/// the push per second squared that the spring would have needed to do this by itself. Without
/// --channel, the parameters that move are listed.
#[derive(Debug, clap::Args)]
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

    /// What is shown of a parameter that oscillates
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',', default_values_t = What::ALL)]
    show: Vec<What>,

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
    // The dash between the two is the first after a digit.
    let dash = text[1.min(text.len())..].find('-').ok_or_else(help)? + 1;
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite());
    match (number(&text[..dash]), number(&text[dash + 1..])) {
        (Some(first), Some(last)) if first < last => Ok((first, last)),
        (Some(first), Some(last)) => Err(format!("frame {last} does not come after frame {first}")),
        _ => Err(help()),
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
        let input = input::read(&self.file, &limits)?;
        prepare::say(&input.source, &input.checked.findings, console);
        let has_errors = input.checked.has_errors();
        let Some(content) = input.checked.content else { return Ok(Outcome::Findings) };
        let (document, shot) = (&content.document, content.lowered.shot);
        if self.channels.is_empty() {
            return self.list(&moving(document), console);
        }
        let parameters = self
            .channels
            .iter()
            .map(|name| {
                parameter(document, &limits, name).map_err(|error| {
                    let all = moving(document);
                    let among = if all.is_empty() {
                        "nothing in this document moves".to_owned()
                    } else {
                        format!(
                            "what moves here is {}",
                            words::either(all.iter().map(String::as_str))
                        )
                    };
                    Failure::new(format!("{error}; {among}"))
                })
            })
            .collect::<Result<Vec<_>, _>>()?;
        let frames =
            self.frames.unwrap_or((shot.first as f64, (shot.last.max(shot.first + 1)) as f64));
        let tracks = self.tracks(&parameters, shot, frames);
        match format {
            Format::Csv => output::put(&self.output, self.force, &table(&tracks))?,
            Format::Svg => {
                let text =
                    plot::svg(&self.plot(&tracks, frames), self.size.width(), self.size.height());
                output::put(&self.output, self.force, &text)?;
            }
            Format::Png => {
                let picture = plot::picture(&self.plot(&tracks, frames), self.size);
                let mut bytes = Vec::new();
                picture.encode_png(&mut bytes).map_err(|error| Failure::new(error.to_string()))?;
                save(&self.output, output::existing(self.force), |out| Ok(out.write_all(&bytes)?))
                    .map_err(|error| output::failure(&error))?;
            }
        }
        if !is_standard(&self.output) {
            console.remark(&format!("{}: {}", self.output.display(), self.channels.join(", ")));
        }
        Ok(Outcome::findings_if(has_errors))
    }

    fn list(&self, all: &[String], console: Console) -> Done {
        if all.is_empty() {
            console.remark("nothing moves in this document: give a parameter keys or a wiggle");
        }
        let mut text = all.join("\n");
        if !text.is_empty() {
            text.push('\n');
        }
        output::put(Path::new("-"), self.force, &text)?;
        Ok(Outcome::Clean)
    }

    fn format(&self) -> Result<Format, Failure> {
        if is_standard(&self.output) {
            return Ok(Format::Csv);
        }
        let ending = self.output.extension().and_then(|e| e.to_str()).unwrap_or_default();
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

    /// Every number of every parameter, sampled.
    fn tracks(&self, parameters: &[Parameter], shot: Shot, frames: (f64, f64)) -> Vec<Track> {
        let mut tracks = Vec::new();
        for (name, found) in self.channels.iter().zip(parameters) {
            let unit = found.field.unit_said();
            match &found.moving {
                Moving::Number(channel) => {
                    tracks.push(Track::new(name, unit, channel, 0, shot, frames))
                }
                Moving::Vector(channel) => {
                    for (part, axis) in ["x", "y", "z"].into_iter().enumerate() {
                        let name = format!("{name} {axis}");
                        tracks.push(Track::new(&name, unit, channel, part, shot, frames));
                    }
                }
                Moving::Colour(channel) => {
                    for (part, axis) in ["red", "green", "blue"].into_iter().enumerate() {
                        let name = format!("{name} {axis}");
                        tracks.push(Track::new(&name, unit, channel, part, shot, frames));
                    }
                }
            }
        }
        tracks
    }

    fn plot(&self, tracks: &[Track], frames: (f64, f64)) -> plot::Plot {
        let shows = |what: What| self.show.contains(&what);
        let mut values = Panel { height: 2.2, ..Panel::default() };
        let mut phases = Panel {
            title: "phase, degrees".to_owned(),
            range: Some((-190.0, 190.0)),
            ticks: vec![-180.0, -90.0, 0.0, 90.0, 180.0],
            height: 0.8,
            ..Panel::default()
        };
        let mut pushes =
            Panel { title: "push, per second squared".to_owned(), height: 0.9, ..Panel::default() };
        let alone = tracks.len() == 1;
        values.title = tracks.first().map_or_else(String::new, |track| track.unit.to_owned());
        for (colour, track) in tracks.iter().enumerate() {
            let series = |name: &str, stroke, colour, value: &dyn Fn(&Sample) -> f64| Series {
                name: name.to_owned(),
                points: track.samples.iter().map(|s| (s.frame, value(s))).collect(),
                stroke,
                colour,
                knots: Vec::new(),
            };
            let swings = track.samples.iter().any(|s| s.phasor.is_some());
            if alone && swings && shows(What::Imaginary) {
                let im = |s: &Sample| s.phasor.map_or(f64::NAN, |x| s.rest + x.im);
                values.series.push(series("imaginary", Stroke::Thin, 1, &im));
            }
            if alone && swings && shows(What::Around) {
                values.series.push(series("rests at", Stroke::Dashed, 5, &|s| s.rest));
            }
            let mut curve =
                series(&track.name, Stroke::Bold, if colour == 0 { 0 } else { colour + 1 }, &|s| {
                    s.value
                });
            curve.knots.clone_from(&track.knots);
            values.series.push(curve);
            let ink = if colour == 0 { 0 } else { colour + 1 };
            if swings && shows(What::Phase) {
                let mut line = series("", Stroke::Thin, ink, &|s| {
                    s.phasor.map_or(f64::NAN, |x| complex::arg(x).to_degrees())
                });
                break_at_turns(&mut line.points);
                phases.series.push(line);
            }
            if swings && shows(What::Residual) {
                pushes.series.push(series("", Stroke::Thin, ink, &|s| s.push.unwrap_or(f64::NAN)));
            }
        }
        let mut panels = vec![values];
        panels.extend([phases, pushes].into_iter().filter(|panel| !panel.series.is_empty()));
        plot::Plot { title: self.channels.join(", "), frames, panels }
    }
}

/// Where the phase passes half a turn, the line is broken.
fn break_at_turns(points: &mut Vec<(f64, f64)>) {
    let mut broken = Vec::with_capacity(points.len());
    for point in points.drain(..) {
        if let Some((frame, last)) = broken.last().copied()
            && f64::abs(point.1 - last) > 180.0
        {
            broken.push((frame, f64::NAN));
        }
        broken.push(point);
    }
    *points = broken;
}

/// One number of a parameter.
struct Track {
    name: String,
    unit: &'static str,
    samples: Vec<Sample>,
    knots: Vec<(f64, f64)>,
}

struct Sample {
    frame: f64,
    second: f64,
    value: f64,
    rest: f64,
    phasor: Option<num_complex::Complex64>,
    push: Option<f64>,
}

impl Track {
    fn new<T: Animate>(
        name: &str,
        unit: &'static str,
        channel: &Channel<T>,
        part: usize,
        shot: Shot,
        (first, last): (f64, f64),
    ) -> Self {
        // Every frame, and enough between them for a smooth line.
        let between = (1600.0 / (last - first)).ceil().clamp(1.0, 32.0);
        let count = ((last - first) * between).ceil() as usize;
        let sample = |i: usize| {
            let frame = (first + i as f64 / between).min(last);
            let t = shot.seconds(frame);
            let phasor = channel.phasor(part, t);
            let rest = match channel {
                Channel::Wiggly(wiggly) => wiggly.equilibrium(t).part(part),
                Channel::Following(follow) => follow.rest(t).part(part),
                Channel::Constant(_) | Channel::Keyed(_) => f64::NAN,
            };
            let push = match channel {
                Channel::Wiggly(wiggly) => Some(wiggly.residual(part, t).re),
                _ => None,
            };
            Sample { frame, second: t, value: channel.at(t).part(part), rest, phasor, push }
        };
        let rate = shot.seconds(1.0);
        let own_keys = !matches!(channel, Channel::Following(_));
        let times = if own_keys { channel.key_times() } else { &[] };
        let knots = times.iter().map(|t| (t / rate, channel.at(*t).part(part))).collect();
        Self { name: name.to_owned(), unit, samples: (0..=count).map(sample).collect(), knots }
    }
}

/// All tracks as rows of numbers, at whole frames.
fn table(tracks: &[Track]) -> String {
    let mut out = "channel,frame,seconds,value,around,imaginary,swing,phase,push\n".to_owned();
    for track in tracks {
        let whole = |sample: &&Sample| sample.frame.fract() == 0.0;
        for s in track.samples.iter().filter(whole) {
            let number = |value: Option<f64>| match value.filter(|v| v.is_finite()) {
                Some(value) => format!("{value}"),
                None => String::new(),
            };
            let cells = [
                number(Some(s.frame)),
                number(Some(s.second)),
                number(Some(s.value)),
                number(Some(s.rest)),
                number(s.phasor.map(|x| x.im)),
                number(s.phasor.map(complex::abs)),
                number(s.phasor.map(|x| complex::arg(x).to_degrees())),
                number(s.push),
            ];
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{},{}", quoted(&track.name), cells.join(","));
        }
    }
    out
}

fn quoted(name: &str) -> String {
    if name.contains([',', '"']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}
