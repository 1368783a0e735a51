//! A wiggly curve as ordinary keys, for integrals.

use std::f64::consts::TAU;

use super::Wiggly;
use crate::motion::{Channel, Extrapolation, Interval, Key, Keys, Tangent};
use crate::num::ops;

/// Keys per cycle. The error of the cubics is 2e-7 of the amplitude (`(ωh)⁴/384`).
const KEYS_PER_CYCLE: f64 = 64.0;

/// Minimum number of keys per second.
const KEYS_PER_SECOND: f64 = 48.0;

/// Maximum number of keys.
const MAX_KEYS: f64 = 65_536.0;

/// Share of its amplitude at which an oscillation counts as ended.
const ENDED: f64 = 1e-9;

/// An oscillating channel as keys, from its start to the end of the oscillation. An oscillation
/// that does not end is followed for the maximum number of keys and counts as rest from then on.
pub(in crate::motion) fn baked(channel: &Channel<f64>) -> Keys<f64> {
    let (leader, rest): (_, &dyn Fn(f64) -> f64) = match channel {
        Channel::Wiggly(wiggly) => (wiggly, &|t| wiggly.equilibrium(t)),
        Channel::Following(follow) => (&follow.leader, &|t| follow.rest(t)),
        Channel::Keyed(keys) => return keys.clone(),
        Channel::Constant(value) => return constant(*value),
    };
    let setup = leader.setup();
    let span = leader.span().unwrap_or(Interval::new(0.0, 0.0));
    if let Some(period) = setup.period {
        let (start, end) = (span.from(), span.from() + period);
        return keys(cubics(channel, start, end, rate(leader, start, end)))
            .with_extensions(Extrapolation::Cycle, Extrapolation::Cycle);
    }
    let (mut start, mut last) = (span.from(), span.to().max(setup.until));
    if let Channel::Following(follow) = channel {
        let lags = follow.lags.iter().flat_map(|lag| [&lag.degrees, &lag.gain]);
        for t in lags.chain(&follow.around).flat_map(Channel::key_times) {
            (start, last) = (start.min(*t), last.max(*t));
        }
    }
    let rate = rate(leader, start, last);
    let d = setup.spring.at(last).d;
    let ended = last - ops::ln(ENDED) / d.max(f64::MIN_POSITIVE);
    let end = ended.min(start + MAX_KEYS / rate).max(last);
    let mut all = cubics(channel, start, end, rate);
    if end < ended {
        let after = end + 1.0 / rate;
        all.push(Key::new(after, rest(after)));
    }
    keys(all)
}

/// Keys per second for the highest frequency between two times.
fn rate(leader: &Wiggly<f64>, from: f64, to: f64) -> f64 {
    let spring = &leader.setup().spring;
    let spread = (0..=64).map(|i| from + (to - from) * f64::from(i) / 64.0);
    let keyed = spring.hertz.key_times().iter().copied();
    let fastest = spread.chain(keyed).fold(0.0, |most: f64, t| most.max(spring.at(t).omega));
    (fastest / TAU * KEYS_PER_CYCLE).max(KEYS_PER_SECOND)
}

/// The channel between two times as keys with handles, `rate` per second.
fn cubics(channel: &Channel<f64>, from: f64, to: f64, rate: f64) -> Vec<Key<f64>> {
    let count = ((to - from) * rate).ceil().clamp(1.0, MAX_KEYS) as usize;
    let h = (to - from) / count as f64;
    let key = |i: usize| {
        let t = if i == count { to } else { from + i as f64 * h };
        let (reach, slope) = (h / 3.0, channel.slope(t));
        Key::new(t, channel.at(t)).with_tangents(
            Tangent::free(-reach, -slope * reach),
            Tangent::free(reach, slope * reach),
        )
    };
    if h > 0.0 { (0..=count).map(key).collect() } else { vec![key(0)] }
}

fn keys(all: Vec<Key<f64>>) -> Keys<f64> {
    let first = all.first().map_or(0.0, |key| key.value);
    Keys::new(all).unwrap_or_else(|_| constant(first))
}

fn constant(value: f64) -> Keys<f64> {
    let Ok(keys) = Keys::new(vec![Key::new(0.0, value)]) else { return constant(0.0) };
    keys
}
