//! Modes of recorded motion: the phase of a travelling wave; frequency and decay of a damped mode.
//!
//! Tests: `a_reversed_wave_would_be_seen`.

use std::f64::consts::TAU;
use std::ops::ControlFlow;

use lariat_core::modes::Pole;
use lariat_core::modes::cpca::{Analysis, ModeCount, analyse};
use lariat_core::modes::hilbert::Hilbert;
use lariat_core::num::{complex, ops};

use super::check::{Outcome, topic};

/// Number of points in the recordings.
const POINTS: usize = 40;

topic! { "modes": "modes of recorded motion";

    "modes-travelling-wave":
        "wave of 0.7 wavelengths over 40 points: phase change along its first mode" ["turns"],
        "the closed form cos(ωt − kp), k · 39 points",
        0.005 ["turns"], Outcome::absolute(-0.7, phase_change(&wave(0.7)?));
    "modes-decaying-frequency":
        "mode of 0.35 rad per frame with a decay of 0.004 per frame: frequency" ["rad"],
        "the closed form e^(−0.004 t) cos(0.35 t)",
        1e-3 ["relative"], Outcome::relative(0.35, TAU * decaying()?.hertz);
    "modes-decaying-decay": "the same: decay" ["per frame"],
        "the closed form e^(−0.004 t) cos(0.35 t)",
        0.02 ["relative"], Outcome::relative(0.004, decaying()?.decay);
}

fn modes_of(frames: usize, at: impl Fn(f64, f64) -> f64) -> Option<Analysis> {
    let k = 31;
    let mut rows = Vec::with_capacity((frames + 2 * k) * POINTS);
    for frame in 0..frames + 2 * k {
        let t = frame as f64 - k as f64;
        rows.extend((0..POINTS).map(|p| at(t, p as f64 / (POINTS - 1) as f64)));
    }
    let mut progress = |_| ControlFlow::Continue(());
    analyse(&rows, POINTS, &Hilbert::filter(k), ModeCount::Count(1), &mut progress).ok()
}

/// A travelling wave whose phase falls by `turns` along the points.
fn wave(turns: f64) -> Option<Analysis> {
    modes_of(240, |t, u| (0.5 + 0.5 * u) * ops::cos(0.35 * t - TAU * turns * u))
}

/// Change of phase of the first mode from the first point to the last, in turns.
fn phase_change(found: &Analysis) -> f64 {
    let weights = &found.modes[0].weights;
    weights.windows(2).map(|w| complex::arg(w[1] * w[0].conj())).sum::<f64>() / TAU
}

/// Pole of a decaying mode, per frame.
fn decaying() -> Option<Pole> {
    let found = modes_of(240, |t, u| (1.0 + u) * ops::exp(-0.004 * t) * ops::cos(0.35 * t))?;
    Pole::fit(&found.modes[0].coefficients, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reversed_wave_would_be_seen() {
        let [forward, back] = [0.7, -0.7].map(|turns| phase_change(&wave(turns).unwrap()));
        assert!(forward < -0.6 && back > 0.6, "{forward} and {back} turns");
    }
}
