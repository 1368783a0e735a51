//! A wiggly curve as ordinary keys: for integrals, and for whoever has no springs.

use super::super::{Channel, Extend, Key, Keys, Tangent};

/// Keys a swing. Cubics between so many are off by 2e-7 of the swing (`(ωh)⁴/384`).
const KEYS_A_SWING: f64 = 64.0;

/// Keys a second at least.
const KEYS_A_SECOND: f64 = 48.0;

/// More are not set.
const MAX_KEYS: f64 = 65_536.0;

/// A swing that has fallen to this part of itself is over.
const OVER: f64 = 1e-9;

/// The channel between two times as keys with handles, `rate` a second; held outside.
pub fn baked(channel: &Channel<f64>, from: f64, to: f64, rate: f64) -> Keys<f64> {
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
    let keys: Vec<_> = if h > 0.0 { (0..=count).map(key).collect() } else { vec![key(0)] };
    Keys::new(keys).unwrap_or_else(|_| level(channel.at(from)))
}

fn level(value: f64) -> Keys<f64> {
    let Ok(keys) = Keys::new(vec![Key::new(0.0, value)]) else { return level(0.0) };
    keys
}

/// All of a channel that swings, from where it starts to where nothing of it is left.
pub(in crate::motion) fn all(channel: &Channel<f64>) -> Keys<f64> {
    let (leader, lag) = match channel {
        Channel::Wiggly(wiggly) => (wiggly.clone(), 0.0),
        Channel::Following(follow) => (follow.leader.clone(), 1.0),
        Channel::Keyed(keys) => return keys.clone(),
        Channel::Constant(value) => return level(*value),
    };
    let setup = leader.setup();
    let start = leader.span().map_or(0.0, |span| span.from());
    let rate = |t: f64| setup.spring.at(t).omega / std::f64::consts::TAU * KEYS_A_SWING;
    if let Some(period) = setup.period {
        let rate = rate(start).max(KEYS_A_SECOND);
        return baked(channel, start, start + period, rate)
            .with_extensions(Extend::Cycle, Extend::Cycle);
    }
    let last = leader.span().map_or(start, |span| span.to()).max(setup.until);
    let d = setup.spring.at(last).d;
    let fades = if d > 0.0 { -crate::num::ops::ln(OVER) / d } else { 3600.0 };
    let end = last + fades.min(3600.0);
    let rate = rate(start).max(rate(last)).max(KEYS_A_SECOND);
    baked(channel, start - lag, end, rate)
}
