//! Modes of recorded motion on a body: every point moves as in the recording, driven by a curve.
//!
//! Kass and Anderson 2008, §6.3. A mode has a weight `W` for every coordinate; driven by a curve
//! of complex value `x` through the coupling `g = gain e^(−i lag)` it adds
//! `Re((Re W + i s Im W) g x)` to each, where `s` is the slosh. The real part of `x` is the value of
//! the curve; its imaginary part comes from the phase of the curve, and is 0 without one.
//!
//! The scale of the weights in a file is arbitrary. They are normalised so that a curve of 1 m moves
//! the point that moves farthest, of all points in the file, by 1 m.
//!
//! Tests: `a_mode_follows_its_formula`, `two_modes_of_two_files_mix_on_one_mesh`,
//! `wrong_counts_are_refused_with_numbers`, `a_curve_without_phase_drives_with_its_real_part`.

use std::sync::Arc;

use glam::DVec3;
use lariat_core::modes::{ModeSet, Part, field};
use lariat_core::motion::Channel;
use lariat_core::num::complex;
use lariat_scene::check::{Code, Diagnostic};
use lariat_scene::lower::Record;
use num_complex::Complex64;

use crate::assets::Assets;
use crate::number::Number;
use crate::warning::Warning;

/// One mode with the curve that drives it.
#[derive(Debug)]
struct BoundMode {
    /// Three weights for each point of the body, in its order.
    weights: Vec<Complex64>,
    drive: Number,
    gain: Number,
    lag: Number,
    slosh: Number,
    on: Channel<bool>,
}

/// All modes of a body.
#[derive(Debug, Default)]
pub(super) struct Modes(Vec<BoundMode>);

impl Modes {
    /// Binds the modes of a body with `points` points. Modes with errors have been reported, and are
    /// left out.
    pub(super) fn bind(body: &Record, points: usize, assets: &Assets) -> Self {
        let bind = |mode: &Record| {
            let weights = weights(body, mode, points, assets).ok()?;
            Some(BoundMode {
                weights,
                drive: Number::of(mode, "drive"),
                gain: Number::of(mode, "gain"),
                lag: Number::of(mode, "lag"),
                slosh: Number::of(mode, "slosh"),
                on: mode.switch("on").cloned().unwrap_or(Channel::Constant(true)),
            })
        };
        Self(body.records("modes").iter().filter_map(bind).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_still(&self) -> bool {
        self.0.iter().all(|mode| {
            let numbers = [&mode.drive, &mode.gain, &mode.lag, &mode.slosh];
            numbers.iter().all(|number| number.is_constant()) && mode.on.is_constant()
        })
    }

    /// Displaces the points of the body at a time, in the space of the recording.
    pub(super) fn push(&self, t: f64, points: &mut [DVec3], w: &mut Vec<Warning>) {
        for mode in self.0.iter().filter(|mode| mode.on.at(t)) {
            let value = mode.drive.at(t, w);
            let phase = mode.drive.channel().phasor(0, t).map_or(0.0, |x| x.im);
            let coupling = complex::cis(-mode.lag.radians(t, w)) * mode.gain.at(t, w);
            let (x, slosh) = (coupling * Complex64::new(value, phase), mode.slosh.at(t, w));
            for (point, weights) in points.iter_mut().zip(mode.weights.chunks_exact(3)) {
                let push = |axis: usize| field::displacement(weights[axis], slosh, x);
                *point += DVec3::new(push(0), push(1), push(2));
            }
        }
    }
}

/// The set of modes that a record names: a shape, or one of the modes of a body.
pub(super) fn set_of(body: &Record, record: &Record, assets: &Assets) -> Option<Arc<ModeSet>> {
    let named = record.text("file").or_else(|| body.text("file").filter(|_| is_shape(body)))?;
    assets.modes(named)
}

fn is_shape(body: &Record) -> bool {
    body.kind() == "shape"
}

/// The parts of a set that a record selects, and the index of their first points.
#[allow(clippy::result_large_err, reason = "a diagnostic is made at most once per body")]
pub(super) fn parts_of<'s>(
    body: &Record,
    record: &Record,
    set: &'s ModeSet,
) -> Result<Vec<(&'s Part, usize)>, Diagnostic> {
    // Modes from the file of a shape move the parts that the shape selects.
    let own = is_shape(body) && !record.is_given("file");
    let selector = if own && !record.is_given("part") { body } else { record };
    let mut start = 0;
    let with_start = set.parts().iter().map(|part| {
        start += part.points;
        (part, start - part.points)
    });
    let all: Vec<_> = with_start.collect();
    let Some(asked) = selector.text("part") else { return Ok(all) };
    let parts: Vec<_> = set.named(asked).into_iter().map(|at| all[at]).collect();
    if !parts.is_empty() {
        return Ok(parts);
    }
    let names = names(set);
    Err(Diagnostic::new(
        Code::UnknownModesPart,
        format!("there is no part `{asked}` in the modes of body `{}`", body.name()),
    )
    .label(selector.span("part"), selector.path_of("part"), format!("the file has {names}"))
    .help("name one of them, or leave out `part` to use all"))
}

/// Names of the parts of a set; the first eight of many.
fn names(set: &ModeSet) -> String {
    const MOST: usize = 8;
    let names: Vec<String> =
        set.parts().iter().take(MOST).map(|part| format!("`{}`", part.name)).collect();
    match set.parts().len().saturating_sub(MOST) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// The weights of a mode for a body with `points` points. An error is `None` if another diagnostic
/// reports it.
#[allow(clippy::result_large_err, reason = "a diagnostic is made at most once per body")]
pub(super) fn weights(
    body: &Record,
    mode: &Record,
    points: usize,
    assets: &Assets,
) -> Result<Vec<Complex64>, Option<Diagnostic>> {
    let set = set_of(body, mode, assets).ok_or(None)?;
    let wanted = mode.integer("mode").unwrap_or(1);
    let place = usize::try_from(wanted - 1).ok();
    let Some(found) = place.and_then(|place| set.modes().get(place)) else {
        let there = set.modes().len();
        return Err(Some(
            Diagnostic::new(
                Code::UnknownMode,
                format!("body `{}` uses mode {wanted}, but its file has only {there}", body.name()),
            )
            .label(mode.span("mode"), mode.path_of("mode"), format!("valid modes: 1 to {there}"))
            .help("choose one of them, or write the file again with `lariat modes --modes N`")
            .note("until then the mode has no effect"),
        ));
    };
    let parts = parts_of(body, mode, &set).map_err(Some)?;
    let given: usize = parts.iter().map(|(part, _)| part.points).sum();
    if given != points {
        return Err(Some(
            Diagnostic::new(
                Code::ModePointMismatch,
                format!(
                    "a mode of body `{}` has {given} points, but the body has {points}",
                    body.name()
                ),
            )
            .label(mode.place(), mode.path(), format!("moves {given} points: {}", names(&set)))
            .help("record the motion of this body, or select its part of the file with `part`")
            .note("until then the mode has no effect"),
        ));
    }
    let scale = found.max_displacement();
    let scale = if scale > 0.0 { 1.0 / scale } else { 0.0 };
    let of_part = |(part, start): (&Part, usize)| &found.weights[3 * start..][..3 * part.points];
    Ok(parts.into_iter().flat_map(of_part).map(|w| w * scale).collect())
}

/// Diagnostics about the modes of a body with `points` points.
pub(crate) fn diagnostics(body: &Record, points: usize, assets: &Assets) -> Vec<Diagnostic> {
    let wrong = |mode: &Record| weights(body, mode, points, assets).err().flatten();
    body.records("modes").iter().filter_map(wrong).collect()
}
