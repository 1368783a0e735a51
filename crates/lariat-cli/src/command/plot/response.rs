//! Frequency response of the spring of a wiggle: the paper's figure 3.

use std::f64::consts::TAU;
use std::fmt::Write;

use lariat_core::motion::wiggly::response::{Filter, Response};
use lariat_render::plot::{Panel, Plot, Series, Stroke};
use lariat_scene::lower::{Parameter, Shot};

use super::{quoted, spring};
use crate::exit::Failure;

/// Number of sampled frequencies.
const POINTS: u32 = 720;

/// Upper end of the frequency axis, relative to the fastest spring.
const FAR: f64 = 3.0;

/// One filter of one parameter.
pub(super) struct Curve {
    channel: String,
    filter: Filter,
    /// Whether the parameter uses this filter.
    is_own: bool,
    response: Response,
    /// Hertz, gain, decibels below the peak.
    points: Vec<(f64, f64, f64)>,
}

/// Responses at a frame: all filters for one parameter, or the filter of each of several.
pub(super) fn curves(
    names: &[String],
    found: &[Parameter],
    shot: Shot,
    frame: f64,
) -> Result<Vec<Curve>, Failure> {
    let t = shot.seconds(frame);
    let mut all: Vec<(String, Filter, bool, Response)> = Vec::new();
    for (name, found) in names.iter().zip(found) {
        let spring = spring::of(name, &found.channel)?.spring;
        let own = Filter::of(spring);
        for filter in Filter::ALL.into_iter().filter(|filter| names.len() == 1 || *filter == own) {
            let response = Response::new(filter, spring, t);
            if response.peak().is_none() {
                return Err(Failure::new(endless(name, &response, frame)));
            }
            all.push((name.clone(), filter, filter == own, response));
        }
    }
    // The poles of a filter lie around the frequency of its spring.
    let middle = |response: &Response| {
        let sum: f64 = response.poles.iter().map(|pole| pole.im.abs()).sum();
        sum / response.poles.len() as f64 / TAU
    };
    let fastest = all.iter().fold(0.0, |most: f64, (.., response)| most.max(middle(response)));
    let far = FAR * fastest;
    let sampled = |(channel, filter, is_own, response): (String, Filter, bool, Response)| {
        let at = |i: u32| {
            let hertz = far * f64::from(i) / f64::from(POINTS);
            let decibels = response.decibels(hertz).unwrap_or(f64::NAN);
            (hertz, response.gain(hertz), decibels)
        };
        let points = (0..=POINTS).map(at).collect();
        Curve { channel, filter, is_own, response, points }
    };
    Ok(all.into_iter().map(sampled).collect())
}

/// Error for a response without a finite peak.
fn endless(name: &str, response: &Response, frame: f64) -> String {
    let hertz = response.poles.iter().fold(0.0, |most: f64, pole| most.max(pole.im)) / TAU;
    if hertz == 0.0 {
        format!(
            "`{name}` has a frequency of 0 Hz at frame {frame}; choose another frame, as in \
             --frames 24-48"
        )
    } else {
        format!(
            "the spring of `{name}` is undamped at frame {frame}, so its response at {} Hz is infinite; \
             set `swings`, `half-life`, `damping` or `decay`",
            number(hertz)
        )
    }
}

/// All curves in one panel, or one panel each.
pub(super) fn plot(curves: &[Curve], title: String, stack: bool) -> Plot {
    let several = curves.iter().any(|curve| curve.channel != curves[0].channel);
    let series: Vec<Series> = curves
        .iter()
        .enumerate()
        .map(|(colour, curve)| Series {
            name: curve.label(several),
            points: curve.points.iter().map(|(hertz, _, decibels)| (*hertz, *decibels)).collect(),
            stroke: if curve.is_own { Stroke::Bold } else { Stroke::Thin },
            colour,
            knots: Vec::new(),
        })
        .collect();
    let panel = |series: Vec<Series>| Panel {
        title: "decibels".to_owned(),
        series,
        height: 1.0,
        ..Panel::default()
    };
    let panels = if stack {
        // The same scale in all panels.
        let all = curves.iter().flat_map(|curve| &curve.points);
        let low = all.fold(0.0, |low: f64, point| low.min(point.2));
        let alike = |series: Series| Panel { range: Some((low - 2.0, 2.0)), ..panel(vec![series]) };
        series.into_iter().map(alike).collect()
    } else {
        vec![panel(series)]
    };
    let far = curves.first().and_then(|curve| curve.points.last()).map_or(1.0, |last| last.0);
    Plot { title, axis: "hertz".to_owned(), across: (0.0, far), panels }
}

impl Curve {
    /// Label with the poles.
    fn label(&self, several: bool) -> String {
        let of = if several { format!("{}: ", self.channel) } else { String::new() };
        let hertz = |pole: &num_complex::Complex64| number(pole.im.abs() / TAU);
        let mut poles: Vec<String> = self.response.poles.iter().map(hertz).collect();
        poles.dedup();
        poles.truncate(2);
        let mirrored = if self.filter == Filter::TwoComplex { "" } else { "±" };
        let poles: Vec<String> = poles.iter().map(|pole| format!("{mirrored}{pole}")).collect();
        let decay = number(-self.response.poles[0].re);
        format!("{of}{}, poles {} Hz, decay {decay}/s", word(self.filter), poles.join(" and "))
    }
}

fn word(filter: Filter) -> &'static str {
    match filter {
        Filter::TwoReal => "two-pole real",
        Filter::FourReal => "four-pole real",
        Filter::TwoComplex => "two-pole complex",
    }
}

/// A number with at most three decimals.
fn number(number: f64) -> String {
    format!("{number:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// All curves as CSV.
pub(super) fn table(curves: &[Curve]) -> String {
    let mut out = "channel,filter,hertz,gain,decibels\n".to_owned();
    for curve in curves {
        for (hertz, gain, decibels) in &curve.points {
            let (channel, filter) = (quoted(&curve.channel), word(curve.filter));
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{channel},{filter},{hertz},{gain},{decibels}");
        }
    }
    out
}
