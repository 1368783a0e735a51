//! Checks and preparation of the inputs of a curve before it is solved.
//!
//! Where the spring vanishes after the last knot, nothing can move the curve: it is held until the
//! spring returns, and then starts from rest. These holds are found here. A key that leaves the
//! spring unchanged has no effect.
//!
//! Tests: `without_a_spring_the_last_value_is_held_despite_later_keys`,
//! `a_held_curve_swings_again_when_a_spring_begins`, `a_key_that_changes_nothing_has_no_effect`,
//! `a_hold_begins_and_ends_where_the_frequency_is_zero`.

use super::plan::Node;
use super::{Knot, Setup, Slope, Spring, Start, WigglyError};
use crate::motion::keys::{MAX_TIME, MAX_VALUE, MIN_GAP};
use crate::motion::{Animate, Extrapolation, KeysError};

/// Weight of a soft slope of strength 1: the paper's unit at 24 samples a second.
const SOFT_UNIT: f64 = 24.0;

/// Pins the components of a node that a knot fixes.
pub(super) fn pin<T>(node: &mut Node, knot: &Knot<T>, rests: bool) {
    node.pinned[0] = true;
    let hard = |slope: &Option<Slope<T>>| matches!(slope, Some(Slope::Hard(_)));
    node.pinned[2] = hard(&knot.left) || hard(&knot.right);
    let soft = |slope: &Option<Slope<T>>| match slope {
        Some(Slope::Soft(_, strength)) => strength * SOFT_UNIT,
        _ => 0.0,
    };
    node.soft = [soft(&knot.left), soft(&knot.right)];
    if knot.local || rests {
        node.pinned = [true; 4];
    }
}

/// Time from which the curve may move.
pub(super) fn starting_time<T: Animate>(times: &[f64], setup: &Setup<T>) -> Option<f64> {
    if let (Some(_), Some(first)) = (setup.period, times.first()) {
        return Some(*first);
    }
    if let Start::RestUntil(until) = setup.start {
        return Some(until);
    }
    let driven = [&setup.around, &setup.push].into_iter().flatten();
    let driven = driven.filter(|channel| !channel.is_constant());
    let firsts = driven.filter_map(|channel| channel.key_times().first().copied());
    firsts.chain(times.first().copied()).min_by(f64::total_cmp)
}

/// Samples between two keys at which a spring is checked for changes.
const SAMPLES: u32 = 16;

/// Limit on samples where keys are repeated for long.
const MAX_SAMPLES: f64 = 4096.0;

/// Time of the last change of the spring, if it is after the last knot.
pub(super) fn last_change<T>(setup: &Setup<T>, last_knot: f64) -> f64 {
    let spring = &setup.spring;
    let mut times = vec![last_knot];
    for channel in spring.channels().into_iter().filter(|channel| !channel.is_constant()) {
        if channel.keys().is_some_and(|keys| keys.after() != Extrapolation::Hold) {
            return channels_end(setup, last_knot).max(setup.until);
        }
        times.extend(channel.key_times().iter().filter(|t| **t > last_knot));
    }
    times.sort_by(f64::total_cmp);
    // Trailing keys that repeat the state of the spring change nothing.
    while let [.., from, to] = times[..] {
        let now = spring.at(to);
        let same =
            |i: u32| spring.at(from + (to - from) * f64::from(i) / f64::from(SAMPLES)) == now;
        if !(0..SAMPLES).all(same) || spring.at(to.next_down()) != now {
            break;
        }
        times.pop();
    }
    times[times.len() - 1]
}

/// Time of the last key of the spring, or of the last knot if that is later.
fn channels_end<T>(setup: &Setup<T>, last_knot: f64) -> f64 {
    let channels = setup.spring.channels();
    let ends = channels.iter().filter(|channel| !channel.is_constant());
    ends.filter_map(|channel| channel.key_times().last().copied()).fold(last_knot, f64::max)
}

/// Intervals from the last knot to `end` without a spring, where the curve is held.
pub(super) fn holds(spring: &Spring, last_knot: f64, end: f64) -> Vec<[f64; 2]> {
    let mut times = vec![last_knot, end];
    let mut shortest = end - last_knot;
    for channel in spring.channels() {
        let keys = channel.key_times();
        times.extend(keys.iter().filter(|t| **t > last_knot && **t < end));
        for pair in keys.windows(2).filter(|pair| pair[1] - pair[0] > MIN_GAP) {
            shortest = shortest.min(pair[1] - pair[0]);
        }
    }
    times.sort_by(f64::total_cmp);
    let is_slack = |t: f64| spring.at(t).is_slack();
    // First time at which the spring appears or vanishes, by bisection.
    let changes = |mut before: f64, mut after: f64| {
        let was = is_slack(before);
        loop {
            let middle = 0.5 * (before + after);
            if middle <= before || middle >= after {
                return after;
            }
            *(if is_slack(middle) == was { &mut before } else { &mut after }) = middle;
        }
    };
    let mut out = Vec::new();
    let mut since = is_slack(last_knot).then_some(last_knot);
    let mut before = last_knot;
    for pair in times.windows(2).filter(|pair| pair[1] > pair[0]) {
        let samples = (4.0 * (pair[1] - pair[0]) / shortest).clamp(f64::from(SAMPLES), MAX_SAMPLES);
        let samples = samples as u32;
        for i in 1..=samples + 1 {
            // The last samples are just before the next key, and on it.
            let t = match i {
                _ if i < samples => {
                    pair[0] + (pair[1] - pair[0]) * f64::from(i) / f64::from(samples)
                }
                _ if i == samples => pair[1].next_down(),
                _ => pair[1],
            };
            match since {
                Some(from) if !is_slack(t) => {
                    out.push([from, changes(before, t)]);
                    since = None;
                }
                None if is_slack(t) => since = Some(changes(before, t)),
                _ => {}
            }
            before = t;
        }
    }
    out.extend(since.map(|from| [from, f64::INFINITY]));
    out.retain(|[from, to]| to - from >= MIN_GAP);
    out
}

pub(super) fn check<T: Animate>(knots: &[Knot<T>], setup: &Setup<T>) -> Result<(), WigglyError> {
    if T::STEPS {
        return Err(WigglyError::Switch);
    }
    if knots.is_empty() && setup.around.is_none() && setup.push.is_none() {
        return Err(WigglyError::Nothing);
    }
    for (index, knot) in knots.iter().enumerate() {
        check_knot(index, knot)?;
        if index > 0 {
            let (time, previous) = (knot.time, knots[index - 1].time);
            if (time - previous).abs() < MIN_GAP {
                return Err(KeysError::SameTime { index, time }.into());
            }
            if time < previous {
                return Err(KeysError::OutOfOrder { index, time, previous }.into());
            }
        }
    }
    if let (Some(first), Some(last)) = (knots.first(), knots.last()) {
        if let Start::RestUntil(until) = setup.start
            && until > first.time + MIN_GAP
        {
            return Err(WigglyError::RestsTooLong { until, first: first.time });
        }
        let span = last.time - first.time;
        if let Some(period) = setup.period
            && period - span < MIN_GAP
        {
            return Err(WigglyError::ShortLoop { period, span });
        }
    }
    Ok(())
}

pub(super) fn check_knot<T: Animate>(index: usize, knot: &Knot<T>) -> Result<(), KeysError> {
    let number = |what, number: f64, limit: f64| {
        if !number.is_finite() {
            Err(KeysError::NotFinite { index, what, number })
        } else if number.abs() > limit {
            Err(KeysError::TooLarge { index, what, number, limit })
        } else {
            Ok(())
        }
    };
    number("time", knot.time, MAX_TIME)?;
    for i in 0..T::PARTS {
        number("value", knot.value.part(i), MAX_VALUE)?;
        for slope in [knot.left, knot.right].iter().flatten() {
            let (Slope::Hard(g) | Slope::Soft(g, _)) = slope;
            number("slope", g.part(i), MAX_VALUE)?;
            if let Slope::Soft(_, strength) = slope {
                number("softness", *strength, MAX_VALUE)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Channel, Interpolation, Key, Keys};

    #[test]
    fn a_hold_begins_and_ends_where_the_frequency_is_zero() {
        // Down through zero at 1.75 s and up again at 5.25 s, between keys and between samples.
        let keys = [(0.0, 3.5), (3.0, -2.5), (4.0, -2.5), (6.0, 1.5)]
            .map(|(t, hertz)| Key::new(t, hertz).with_interpolation(Interpolation::Linear));
        let spring = Spring::new(Channel::from(Keys::new(keys.to_vec()).expect("keys in order")));
        let found = holds(&spring, 0.0, 6.0);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0][0] - 1.75).abs() < 1e-14, "{found:?}");
        assert!((found[0][1] - 5.25).abs() < 1e-14, "{found:?}");
    }
}
