//! A parameter sampled: a line to draw, rows of numbers, panels of several.

use std::fmt::Write;

use lariat_core::motion::{Animate, Channel};
use lariat_core::num::complex;
use lariat_render::plot::{Panel, Series, Stroke};
use lariat_scene::lower::{Moving, Parameter, Shot};
use num_complex::Complex64;

use super::{What, quoted};

/// How many points a line has, about.
const POINTS: f64 = 1600.0;

/// One number of a parameter.
pub(super) struct Track {
    name: String,
    unit: &'static str,
    /// Closely spaced, for a line.
    samples: Vec<Sample>,
    /// Every whole frame, and every key between two.
    rows: Vec<Sample>,
    knots: Vec<(f64, f64)>,
}

struct Sample {
    frame: f64,
    second: f64,
    value: f64,
    rest: f64,
    phasor: Option<Complex64>,
    push: Option<f64>,
}

impl Sample {
    /// The phase in degrees; what is at rest has none.
    fn phase(&self) -> Option<f64> {
        let swing = self.phasor.filter(|x| *x != Complex64::ZERO)?;
        Some(complex::arg(swing).to_degrees())
    }
}

/// The numbers of a parameter.
pub(super) fn of(name: &str, found: &Parameter, shot: Shot, frames: (f64, f64)) -> Vec<Track> {
    let unit = found.field.unit_said();
    match &found.moving {
        Moving::Number(channel) => {
            vec![Track::new(name.to_owned(), unit, channel, 0, shot, frames)]
        }
        Moving::Vector(channel) => parts(name, unit, channel, ["x", "y", "z"], shot, frames),
        Moving::Colour(channel) => {
            parts(name, unit, channel, ["red", "green", "blue"], shot, frames)
        }
    }
}

fn parts<T: Animate>(
    name: &str,
    unit: &'static str,
    channel: &Channel<T>,
    names: [&str; 3],
    shot: Shot,
    frames: (f64, f64),
) -> Vec<Track> {
    let named = names.iter().enumerate();
    named
        .map(|(part, axis)| Track::new(format!("{name} {axis}"), unit, channel, part, shot, frames))
        .collect()
}

impl Track {
    fn new<T: Animate>(
        name: String,
        unit: &'static str,
        channel: &Channel<T>,
        part: usize,
        shot: Shot,
        (first, last): (f64, f64),
    ) -> Self {
        let sample = |frame: f64, t: f64| {
            let rest = match channel {
                Channel::Wiggly(wiggly) => wiggly.equilibrium(t).part(part),
                Channel::Following(follow) => follow.rest(t).part(part),
                Channel::Constant(_) | Channel::Keyed(_) => f64::NAN,
            };
            let push = match channel {
                Channel::Wiggly(wiggly) => Some(wiggly.residual(part, t).re),
                _ => None,
            };
            let phasor = channel.phasor(part, t);
            Sample { frame, second: t, value: channel.at(t).part(part), rest, phasor, push }
        };
        let between = (POINTS / (last - first)).ceil().clamp(1.0, 32.0);
        let count = ((last - first) * between).ceil() as usize;
        let line = (0..=count).map(|i| (first + i as f64 / between).min(last));
        let samples = line.map(|frame| sample(frame, shot.seconds(frame))).collect();
        // A follower has the keys of its leader, which it does not hit.
        let own_keys = !matches!(channel, Channel::Following(_));
        let times = if own_keys { channel.key_times() } else { &[] };
        let knots: Vec<(f64, f64)> =
            times.iter().map(|t| (frame_of(*t, shot), channel.at(*t).part(part))).collect();
        let (from, to) = (first.ceil() as i64, last.floor() as i64);
        let whole = (from..=to).map(|frame| (frame as f64, shot.seconds(frame as f64)));
        let mut rows: Vec<(f64, f64)> = whole.collect();
        for t in times {
            let frame = frame_of(*t, shot);
            // Whole frames are there already.
            if frame > first && frame < last && frame.fract() != 0.0 {
                rows.push((frame, *t));
            }
        }
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let rows = rows.into_iter().map(|(frame, t)| sample(frame, t)).collect();
        Self { name, unit, samples, rows, knots }
    }

    fn swings(&self) -> bool {
        self.samples.iter().any(|sample| sample.phasor.is_some())
    }

    fn series(
        &self,
        name: &str,
        stroke: Stroke,
        colour: usize,
        value: impl Fn(&Sample) -> f64,
    ) -> Series {
        Series {
            name: name.to_owned(),
            points: self.samples.iter().map(|s| (s.frame, value(s))).collect(),
            stroke,
            colour,
            knots: Vec::new(),
        }
    }

    /// What belongs to the curve, below it, and the curve itself.
    fn value_series(&self, colour: usize, show: &[What], out: &mut Vec<Series>) {
        if self.swings() && show.contains(&What::Imaginary) {
            let im = |s: &Sample| s.phasor.map_or(f64::NAN, |x| s.rest + x.im);
            out.push(self.series("imaginary", Stroke::Thin, 1, im));
        }
        if self.swings() && show.contains(&What::Around) {
            out.push(self.series("rests at", Stroke::Dashed, 5, |s| s.rest));
        }
        out.push(self.curve(colour));
    }

    fn curve(&self, colour: usize) -> Series {
        let knots = self.knots.clone();
        Series { knots, ..self.series(&self.name, Stroke::Bold, colour, |s| s.value) }
    }
}

/// The frame of a time, as it was written: 12.3 and not 12.299999999999999.
fn frame_of(t: f64, shot: Shot) -> f64 {
    let frame = t / shot.seconds(1.0);
    let short = (frame * 1e6).round() / 1e6;
    if shot.seconds(short) == t { short } else { frame }
}

/// The second colour is that of imaginary parts.
fn ink(index: usize) -> usize {
    if index == 0 { 0 } else { index + 1 }
}

/// All values in one panel, below it their phases and their pushes.
pub(super) fn together(tracks: &[&Track], show: &[What]) -> Vec<Panel> {
    let mut values = Panel { height: 2.2, ..Panel::default() };
    values.title = tracks.first().map_or_else(String::new, |track| track.unit.to_owned());
    match tracks {
        [alone] => alone.value_series(0, show, &mut values.series),
        several => {
            values.series = several.iter().enumerate().map(|(i, t)| t.curve(ink(i))).collect();
        }
    }
    let mut panels = vec![values];
    panels.extend(below(tracks, show));
    panels
}

/// A panel for each parameter, below them the phases and pushes of all.
pub(super) fn stacked(each: &[Vec<Track>], show: &[What]) -> Vec<Panel> {
    let all: Vec<&Track> = each.iter().flatten().collect();
    let mut index = 0;
    let mut panels = Vec::with_capacity(each.len() + 2);
    for tracks in each {
        let title = tracks.first().map_or_else(String::new, |track| track.unit.to_owned());
        let mut panel = Panel { title, height: 1.4, ..Panel::default() };
        for track in tracks {
            if let [alone] = &tracks[..] {
                alone.value_series(ink(index), show, &mut panel.series);
            } else {
                panel.series.push(track.curve(ink(index)));
            }
            index += 1;
        }
        panels.push(panel);
    }
    panels.extend(below(&all, show));
    panels
}

/// Phases and pushes of whatever swings.
fn below(tracks: &[&Track], show: &[What]) -> impl Iterator<Item = Panel> {
    let mut phases = Panel {
        title: "phase, degrees".to_owned(),
        range: Some((-190.0, 190.0)),
        ticks: vec![-180.0, -90.0, 0.0, 90.0, 180.0],
        height: 0.8,
        ..Panel::default()
    };
    let mut pushes =
        Panel { title: "push, per second squared".to_owned(), height: 0.9, ..Panel::default() };
    for (i, track) in tracks.iter().enumerate().filter(|(_, track)| track.swings()) {
        if show.contains(&What::Phase) {
            let phase = |s: &Sample| s.phase().unwrap_or(f64::NAN);
            let mut line = track.series("", Stroke::Thin, ink(i), phase);
            break_at_turns(&mut line.points);
            phases.series.push(line);
        }
        if show.contains(&What::Residual) {
            let push = |s: &Sample| s.push.unwrap_or(f64::NAN);
            pushes.series.push(track.series("", Stroke::Thin, ink(i), push));
        }
    }
    [phases, pushes].into_iter().filter(|panel| !panel.series.is_empty())
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

/// All tracks as rows of numbers: whole frames, and keys between them.
pub(super) fn table<'t>(tracks: impl Iterator<Item = &'t Track>) -> String {
    let mut out = "channel,frame,seconds,value,around,imaginary,swing,phase,push\n".to_owned();
    for track in tracks {
        for s in &track.rows {
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
                number(s.phase()),
                number(s.push),
            ];
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{},{}", quoted(&track.name), cells.join(","));
        }
    }
    out
}
