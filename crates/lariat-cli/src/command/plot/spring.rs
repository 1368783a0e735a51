//! Effective spring of a wiggle over time.

use std::f64::consts::{LN_2, TAU};

use lariat_core::motion::wiggly::response::{Filter, Response};
use lariat_core::motion::wiggly::{Kind, Spring};
use lariat_core::motion::{Animate, Channel};
use lariat_scene::lower::{Parameter, ParameterChannel, Shot};

use super::track::{Frames, Track};
use crate::exit::Failure;

/// Parameters for the damping of a spring; a document sets at most one.
pub(super) const LOSSES: [&str; 5] = ["swings", "bouncy", "half-life", "damping", "decay"];

/// A spring and its loop.
#[derive(Clone, Copy)]
pub(super) struct Sprung<'p> {
    pub(super) spring: &'p Spring,
    /// Start and period of a loop, in seconds.
    round: Option<(f64, f64)>,
}

/// Spring of a wiggle, or of the leader of a follower.
pub(super) fn of<'p>(name: &str, moving: &'p ParameterChannel) -> Result<Sprung<'p>, Failure> {
    fn found<T: Animate>(channel: &Channel<T>) -> Option<Sprung<'_>> {
        let wiggly = match channel {
            Channel::Wiggly(wiggly) => wiggly,
            Channel::Following(follow) => &follow.leader,
            Channel::Constant(_) | Channel::Keyed(_) => return None,
        };
        let first = wiggly.knot_times().first().copied().unwrap_or_default();
        let round = wiggly.setup().period.map(|period| (first, period));
        Some(Sprung { spring: &wiggly.setup().spring, round })
    }
    let spring = match moving {
        ParameterChannel::Number(channel) => found(channel),
        ParameterChannel::Vector(channel) => found(channel),
        ParameterChannel::Colour(channel) => found(channel),
    };
    spring.ok_or_else(|| {
        Failure::new(format!("`{name}` has no spring; only a `wiggle` and its followers have one"))
    })
}

/// Spring at a time.
struct Now {
    hertz: f64,
    /// Per second.
    decay: f64,
    /// Half bandwidth in hertz.
    bandwidth: f64,
}

impl Sprung<'_> {
    fn at(&self, t: f64) -> Now {
        let t = match self.round {
            Some((first, period)) => first + (t - first).rem_euclid(period),
            None => t,
        };
        // Two poles, half a bandwidth to either side of the frequency.
        let Response { poles } = Response::new(Filter::TwoComplex, self.spring, t);
        let (low, high) = (poles[0], poles[1]);
        Now {
            hertz: 0.5 * (low.im + high.im) / TAU,
            decay: -low.re,
            bandwidth: 0.5 * (high.im - low.im) / TAU,
        }
    }
}

/// Frequency, bandwidth, and half-life in seconds and in swings.
pub(super) fn tracks(
    name: &str,
    found: &Parameter,
    shot: Shot,
    frames: Frames,
) -> Result<Vec<Track>, Failure> {
    let sprung = of(name, &found.channel)?;
    let track = |what: &str, unit: &'static str, number: &dyn Fn(Now) -> f64| {
        let value = |t: f64| number(sprung.at(t));
        Track::of_number(format!("{name} {what}"), unit, shot, frames, value)
    };
    // An undamped spring has no half-life: infinity is drawn as a gap.
    let half_life = |now: &Now| LN_2 / now.decay;
    let mut tracks = vec![track("hertz", "hertz", &|now| now.hertz)];
    if sprung.spring.kind == Kind::Complex {
        tracks.push(track("bandwidth", "hertz", &|now| now.bandwidth));
    }
    tracks.push(track("half-life", "seconds", &|now| half_life(&now)));
    tracks.push(track("swings", "swings", &|now| now.hertz * half_life(&now)));
    Ok(tracks)
}
