//! Layout of a plot over time.
//!
//! Curves of the same unit share a panel; with `--stack`, every parameter has its own. Phases and
//! residuals follow below.
//!
//! Tests: `a_follower_has_no_keys_of_its_own`.

use lariat_render::plot::{Panel, Series, Stroke};

use super::Component;
use super::track::{Sample, Track};

/// Colour of the imaginary part of the only curve of a panel.
const IMAGINARY: usize = 1;

/// Colour of the equilibrium.
const REST: usize = 5;

/// A curve and its colour.
type Coloured<'t> = (usize, &'t Track);

/// One panel per unit, then phases and residuals.
pub(super) fn together(each: &[Vec<Track>], show: &[Component]) -> Vec<Panel> {
    let all = coloured(each);
    let units = by_unit(&all);
    // A single panel has the height of the figures in the guide.
    let height = if units.len() == 1 { 2.2 } else { 1.4 };
    let mut panels: Vec<Panel> = units.iter().map(|unit| values(unit, show, height)).collect();
    panels.extend(below(&all, show));
    panels
}

/// One panel per parameter and unit, then phases and residuals.
pub(super) fn stacked(each: &[Vec<Track>], show: &[Component]) -> Vec<Panel> {
    let all = coloured(each);
    let mut panels = Vec::with_capacity(each.len() + 2);
    let mut rest = &all[..];
    for tracks in each {
        let (own, others) = rest.split_at(tracks.len());
        panels.extend(by_unit(own).iter().map(|unit| values(unit, show, 1.4)));
        rest = others;
    }
    panels.extend(below(&all, show));
    panels
}

/// Assigns colours in order, skipping that of imaginary parts.
fn coloured(each: &[Vec<Track>]) -> Vec<Coloured<'_>> {
    let ink = |index: usize| if index == 0 { 0 } else { index + 1 };
    each.iter().flatten().enumerate().map(|(index, track)| (ink(index), track)).collect()
}

/// Groups curves by unit, in order of appearance.
fn by_unit<'t>(tracks: &[Coloured<'t>]) -> Vec<Vec<Coloured<'t>>> {
    let mut units: Vec<Vec<Coloured<'t>>> = Vec::new();
    for (colour, track) in tracks {
        match units.iter_mut().find(|unit| unit[0].1.unit == track.unit) {
            Some(unit) => unit.push((*colour, track)),
            None => units.push(vec![(*colour, track)]),
        }
    }
    units
}

/// Panel of the curves of one unit, with their components. With several curves, components carry
/// the name and colour of their curve.
fn values(tracks: &[Coloured<'_>], show: &[Component], height: f64) -> Panel {
    let title = tracks.first().map_or_else(String::new, |(_, track)| track.unit.to_owned());
    let mut panel = Panel { title, height, ..Panel::default() };
    for (colour, track) in tracks {
        let beside = |what: &str, alone: usize| match tracks.len() {
            1 => (what.to_owned(), alone),
            _ => (format!("{} {what}", track.name), *colour),
        };
        if track.swings() && show.contains(&Component::Imaginary) {
            let (name, colour) = beside("imaginary", IMAGINARY);
            let im = |s: &Sample| s.phasor.map_or(f64::NAN, |x| s.rest + x.im);
            panel.series.push(series(track, name, Stroke::Thin, colour, im));
        }
        if track.swings() && show.contains(&Component::Around) {
            let (name, colour) = beside("rests at", REST);
            panel.series.push(series(track, name, Stroke::Dashed, colour, |s| s.rest));
        }
        let curve = series(track, track.name.clone(), Stroke::Bold, *colour, |s| s.value);
        panel.series.push(Series { knots: track.knots.clone(), ..curve });
    }
    panel
}

fn series(
    track: &Track,
    name: String,
    stroke: Stroke,
    colour: usize,
    value: impl Fn(&Sample) -> f64,
) -> Series {
    let points = track.samples.iter().map(|s| (s.frame, value(s))).collect();
    Series { name, points, stroke, colour, knots: Vec::new() }
}

/// Panels of the phases and residuals of oscillating curves; residuals are grouped by unit.
fn below(tracks: &[Coloured<'_>], show: &[Component]) -> Vec<Panel> {
    let swinging: Vec<Coloured<'_>> =
        tracks.iter().copied().filter(|(_, track)| track.swings()).collect();
    let mut panels = Vec::new();
    if show.contains(&Component::Phase) {
        let phase = |s: &Sample| s.phase().unwrap_or(f64::NAN);
        let line = |(colour, track): &Coloured<'_>| {
            let mut line = series(track, String::new(), Stroke::Thin, *colour, phase);
            break_at_turns(&mut line.points);
            line
        };
        panels.push(Panel {
            title: "phase, degrees".to_owned(),
            series: swinging.iter().map(line).collect(),
            range: Some((-190.0, 190.0)),
            ticks: vec![-180.0, -90.0, 0.0, 90.0, 180.0],
            height: 0.8,
        });
    }
    if show.contains(&Component::Residual) {
        let units = by_unit(&swinging);
        for unit in &units {
            let title = match unit[0].1.unit {
                named if units.len() > 1 && !named.is_empty() => {
                    format!("push, {named} per second squared")
                }
                _ => "push, per second squared".to_owned(),
            };
            let push = |s: &Sample| s.push.unwrap_or(f64::NAN);
            let line = |(colour, track): &Coloured<'_>| {
                series(track, String::new(), Stroke::Thin, *colour, push)
            };
            let series = unit.iter().map(line).collect();
            panels.push(Panel { title, series, height: 0.9, ..Panel::default() });
        }
    }
    // A follower has no spring, and so no residual.
    let is_drawn = |series: &Series| series.points.iter().any(|(_, y)| y.is_finite());
    panels.retain(|panel| panel.series.iter().any(is_drawn));
    panels
}

/// Breaks the line where the phase wraps around.
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
