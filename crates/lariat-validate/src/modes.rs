//! Modes of recorded motion: the phase of a travelling wave; frequency and decay of a damped mode.
//!
//! Tests: `a_wave_the_other_way_would_be_seen`.

use std::f64::consts::TAU;
use std::ops::ControlFlow;

use lariat_core::modes::Pole;
use lariat_core::modes::cpca::{Analysis, ModeCount, analyse};
use lariat_core::modes::hilbert::Hilbert;
use lariat_core::num::{complex, ops};

use super::check::{Outcome, topic};

/// Points of the recordings.
const POINTS: usize = 40;

topic! { "modes": "modes of recorded motion";

    "modes-travelling-wave":
        "a wave that travels 0.7 of its length over 40 points: phase gained by its first mode" ["turns"],
        "the closed form cos(ωt − kp), k · 39 points",
        0.005 ["turns"], Outcome::absolute(-0.7, gained(&wave(0.7)?));
    "modes-decaying-frequency":
        "a mode of 0.35 rad a frame that decays by 0.004: its frequency" ["rad"],
        "the closed form e^(−0.004 t) cos(0.35 t)",
        1e-3 ["relative"], Outcome::relative(0.35, TAU * dying()?.hertz);
    "modes-decaying-decay": "the same: its decay" ["per frame"],
        "the closed form e^(−0.004 t) cos(0.35 t)",
        0.02 ["relative"], Outcome::relative(0.004, dying()?.decay);
}

fn modes_of(frames: usize, at: impl Fn(f64, f64) -> f64) -> Option<Analysis> {
    let k = 31;
    let mut rows = Vec::with_capacity((frames + 2 * k) * POINTS);
    for frame in 0..frames + 2 * k {
        let t = frame as f64 - k as f64;
        rows.extend((0..POINTS).map(|p| at(t, p as f64 / (POINTS - 1) as f64)));
    }
    let mut go_on = |_| ControlFlow::Continue(());
    analyse(&rows, POINTS, &Hilbert::filter(k), ModeCount::Count(1), &mut go_on).ok()
}

/// A wave that is `turns` of its length behind at the far end.
fn wave(turns: f64) -> Option<Analysis> {
    modes_of(240, |t, u| (0.5 + 0.5 * u) * ops::cos(0.35 * t - TAU * turns * u))
}

/// The phase that the first mode gains from the first point to the last, in turns.
fn gained(found: &Analysis) -> f64 {
    let weights = &found.modes[0].weights;
    weights.windows(2).map(|w| complex::arg(w[1] * w[0].conj())).sum::<f64>() / TAU
}

/// The pole of a mode that dies away, per frame.
fn dying() -> Option<Pole> {
    let found = modes_of(240, |t, u| (1.0 + u) * ops::exp(-0.004 * t) * ops::cos(0.35 * t))?;
    Pole::fit(&found.modes[0].coefficients, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_the_other_way_would_be_seen() {
        let (there, back) = (gained(&wave(0.7).unwrap()), gained(&wave(-0.7).unwrap()));
        assert!(there < -0.6 && back > 0.6, "{there} and {back} turns");
    }
}
