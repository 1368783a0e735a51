//! Samples of a parameter, for a line and for rows.
//!
//! Tests: `rows_are_whole_frames_unless_a_step_is_given`, and those of the command.

use std::fmt::Write;

use lariat_core::motion::{Animate, Channel};
use lariat_core::num::complex;
use lariat_scene::lower::{Parameter, ParameterChannel, Shot};
use num_complex::Complex64;

use super::quoted;

/// Approximate number of points of a line.
const POINTS: f64 = 1600.0;

/// Frame range of a plot and the step of its rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frames {
    pub(super) first: f64,
    pub(super) last: f64,
    /// Frames between rows, from the first on; whole frames if `None`.
    pub(super) step: Option<f64>,
}

impl Frames {
    /// Number of rows, without those of keys.
    pub(super) fn count(&self) -> u64 {
        let (first, step) = self.rows_from();
        // A billionth of a step is a rounding error: from 0 to 0.3 there are three steps of 0.1.
        let steps = (self.last - first) / step + 1e-9;
        if steps < 0.0 { 0 } else { (steps.floor() as u64).saturating_add(1) }
    }

    fn rows_from(&self) -> (f64, f64) {
        match self.step {
            Some(step) => (self.first, step),
            None => (self.first.ceil(), 1.0),
        }
    }

    fn rows(&self) -> impl Iterator<Item = f64> {
        let (first, step) = self.rows_from();
        // 1.3 and not 1.3000000000000003.
        let short =
            |frame: f64| if frame.fract() == 0.0 { frame } else { (frame * 1e9).round() / 1e9 };
        (0..self.count()).map(move |i| short(first + i as f64 * step))
    }
}

/// One component of a parameter.
pub(super) struct Track {
    pub(super) name: String,
    pub(super) unit: &'static str,
    /// Closely spaced, for a line.
    pub(super) samples: Vec<Sample>,
    /// Requested frames, and keys between them.
    rows: Vec<Sample>,
    pub(super) knots: Vec<(f64, f64)>,
}

pub(super) struct Sample {
    pub(super) frame: f64,
    pub(super) second: f64,
    pub(super) value: f64,
    pub(super) rest: f64,
    pub(super) phasor: Option<Complex64>,
    pub(super) push: Option<f64>,
}

impl Sample {
    /// Phase in degrees; `None` at rest.
    pub(super) fn phase(&self) -> Option<f64> {
        let swing = self.phasor.filter(|x| *x != Complex64::ZERO)?;
        Some(complex::arg(swing).to_degrees())
    }
}

/// Components of a parameter.
pub(super) fn of(name: &str, found: &Parameter, shot: Shot, frames: Frames) -> Vec<Track> {
    let unit = found.field.unit_said();
    match &found.channel {
        ParameterChannel::Number(channel) => {
            vec![Track::new(name.to_owned(), unit, channel, 0, shot, frames)]
        }
        ParameterChannel::Vector(channel) => {
            parts(name, unit, channel, ["x", "y", "z"], shot, frames)
        }
        ParameterChannel::Colour(channel) => {
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
    frames: Frames,
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
        frames: Frames,
    ) -> Self {
        let sample = |frame: f64, t: f64| {
            let value = channel.at(t).part(part);
            let rest = match channel {
                Channel::Wiggly(wiggly) => wiggly.equilibrium(t).part(part),
                Channel::Following(follow) => follow.rest(t).part(part),
                Channel::Constant(_) | Channel::Keyed(_) => f64::NAN,
            };
            let push = match channel {
                Channel::Wiggly(wiggly) => {
                    // Before the first key, a curve away from its equilibrium is held by the key,
                    // not by a spring.
                    let moves = wiggly.setup().period.is_some()
                        || wiggly.span().is_none_or(|span| t >= span.from());
                    let is_held = !moves && value != rest;
                    (!is_held).then(|| wiggly.residual(part, t).re)
                }
                _ => None,
            };
            let phasor = channel.phasor(part, t);
            Sample { frame, second: t, value, rest, phasor, push }
        };
        let keys: Vec<(f64, f64)> =
            key_times(channel).into_iter().map(|t| (frame_of(t, shot), t)).collect();
        let knots = keys.iter().map(|(frame, t)| (*frame, channel.at(*t).part(part))).collect();
        Self { knots, ..Self::sampled(name, unit, &keys, shot, frames, sample) }
    }

    /// Track of a number that is computed at every time.
    pub(super) fn of_number(
        name: String,
        unit: &'static str,
        shot: Shot,
        frames: Frames,
        value: impl Fn(f64) -> f64,
    ) -> Self {
        Self::sampled(name, unit, &[], shot, frames, |frame, t| Sample {
            frame,
            second: t,
            value: value(t),
            rest: f64::NAN,
            phasor: None,
            push: None,
        })
    }

    /// Samples densely for the line, and once per row; `keys` are frames and times of additional
    /// rows.
    fn sampled(
        name: String,
        unit: &'static str,
        keys: &[(f64, f64)],
        shot: Shot,
        frames: Frames,
        sample: impl Fn(f64, f64) -> Sample,
    ) -> Self {
        let Frames { first, last, .. } = frames;
        let between = (POINTS / (last - first)).ceil().clamp(1.0, 32.0);
        let count = ((last - first) * between).ceil() as usize;
        let line = (0..=count).map(|i| (first + i as f64 / between).min(last));
        let samples = line.map(|frame| sample(frame, shot.seconds(frame))).collect();
        let mut rows: Vec<(f64, f64)> =
            keys.iter().copied().filter(|(frame, _)| *frame >= first && *frame <= last).collect();
        rows.extend(frames.rows().map(|frame| (frame, shot.seconds(frame))));
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        // A key comes before a row at the same frame, so the key is kept.
        rows.dedup_by(|next, kept| next.0 == kept.0);
        let rows = rows.into_iter().map(|(frame, t)| sample(frame, t)).collect();
        Self { name, unit, samples, rows, knots: Vec::new() }
    }

    pub(super) fn swings(&self) -> bool {
        self.samples.iter().any(|sample| sample.phasor.is_some())
    }
}

/// Times of the keys of a parameter. A follower has none, because it does not pass through the keys
/// of its leader. The first key of a loop is repeated after one period.
fn key_times<T: Animate>(channel: &Channel<T>) -> Vec<f64> {
    if matches!(channel, Channel::Following(_)) {
        return Vec::new();
    }
    let mut times = channel.key_times().to_vec();
    if let Channel::Wiggly(wiggly) = channel
        && let (Some(period), Some(first)) = (wiggly.setup().period, times.first())
    {
        times.push(first + period);
    }
    times
}

/// Frame number of a time, rounded to the digits in the document: 12.3, not 12.299999999999999.
fn frame_of(t: f64, shot: Shot) -> f64 {
    let frame = t / shot.seconds(1.0);
    let short = (frame * 1e6).round() / 1e6;
    // The end of a loop is a sum, whose last digit may differ from the document.
    if (shot.seconds(short) - t).abs() <= 4.0 * f64::EPSILON * t.abs() { short } else { frame }
}

/// CSV of all tracks: requested frames, and keys between them.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_whole_frames_unless_a_step_is_given() {
        let rows = |first: f64, last: f64, step: Option<f64>| {
            let frames = Frames { first, last, step };
            let rows: Vec<f64> = frames.rows().collect();
            assert_eq!(rows.len() as u64, frames.count());
            rows
        };
        assert_eq!(rows(0.7, 3.2, None), [1.0, 2.0, 3.0]);
        assert_eq!(rows(0.2, 0.7, None), [0.0; 0]);
        assert_eq!(rows(0.0, 0.3, Some(0.1)), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(rows(1.0, 6.0, Some(2.0)), [1.0, 3.0, 5.0]);
        assert_eq!(rows(999_999_998.5, 1e9, None), [999_999_999.0, 1e9]);
        assert_eq!(Frames { first: 0.0, last: 1e9, step: Some(1e-300) }.count(), u64::MAX);
    }
}
