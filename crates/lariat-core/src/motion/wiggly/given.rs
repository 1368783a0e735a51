//! What a curve is made from, looked at before it is solved.

use super::plan::Node;
use super::{Knot, Setup, Slope, Start, WigglyError};
use crate::motion::keys::{MAX_TIME, MAX_VALUE, MIN_GAP};
use crate::motion::{Animate, Extend, KeysError};

/// What the strength 1 of a soft slope weighs: the paper's unit at 24 samples a second.
const SOFT_UNIT: f64 = 24.0;

/// Pins what a knot says.
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

/// From when on the curve may move.
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

/// When the spring changes for the last time, if that is after the last knot.
pub(super) fn last_change<T>(setup: &Setup<T>, last_knot: f64) -> f64 {
    let springs = setup.spring.channels();
    springs.iter().fold(last_knot, |last, channel| {
        if channel.is_constant() {
            return last;
        }
        let extends = channel.keys().is_some_and(|keys| keys.after() != Extend::Hold);
        let end = channel.key_times().last().copied().unwrap_or(last);
        last.max(if extends { setup.until.max(end) } else { end })
    })
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
