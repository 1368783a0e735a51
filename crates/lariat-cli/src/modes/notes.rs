//! Notes about the quality of a recording.
//!
//! Tests: `a_loop_that_does_not_close_is_reported`, `fewer_modes_than_requested_are_reported`,
//! `limits_of_a_recording_are_reported`.

use std::ops::RangeInclusive;

use lariat::modes_document::metres;
use lariat_core::modes::{ModeSet, Recording};

use crate::words;

/// Distance from the last frame to the first, relative to the largest step, above which a motion is
/// not a loop. Smaller: loops with few frames are reported. Larger: half a swing passes for a loop.
const JUMP: f64 = 1.5;

/// Note about a motion that is declared a loop but does not close.
pub(crate) fn open_loop(
    recording: &Recording,
    frames: Option<&RangeInclusive<i64>>,
) -> Option<String> {
    let (from, to) =
        frames.map_or((recording.first(), recording.last()), |f| (*f.start(), *f.end()));
    let width = recording.width();
    let row =
        |frame: i64| &recording.rows()[(frame - recording.first()) as usize * width..][..width];
    let apart = |a: i64, b: i64| {
        let sum: f64 = row(a).iter().zip(row(b)).map(|(a, b)| (a - b) * (a - b)).sum();
        (3.0 * sum / width as f64).sqrt()
    };
    // A last frame that repeats the first is not part of the loop.
    let to = if to > from && row(from) == row(to) { to - 1 } else { to };
    let steps: Vec<f64> = (from..to).map(|frame| apart(frame, frame + 1)).collect();
    let largest = steps.iter().copied().fold(0.0, f64::max);
    let usual = steps.iter().sum::<f64>() / steps.len().max(1) as f64;
    let gap = apart(to, from);
    (gap > JUMP * largest).then(|| {
        format!(
            "the loop does not close: the step from frame {to} back to frame {from} is {} RMS, other \
             steps are {} on average and {} at most; choose the frames of one loop with --frames, \
             or omit --periodic",
            metres(gap),
            metres(usual),
            metres(largest)
        )
    })
}

/// Number of frames below which modes are uncertain: half a second of film. Fewer: hardly any swing
/// is complete. More: short loops are reported.
const FEW_FRAMES: usize = 12;

/// Note about a short recording.
pub(crate) fn too_short(set: &ModeSet) -> Option<String> {
    let (left, origin) = (set.frames(), set.origin());
    if left >= FEW_FRAMES {
        return None;
    }
    let hertz = origin.rate.per_second() / left.max(1) as f64;
    Some(format!(
        "the recording is short, {} after discarding margins: frequencies below {hertz:.1} Hz and \
         their half-lives are uncertain; record more frames",
        words::count(left as u64, "frame"),
    ))
}

/// Note about fewer modes than requested.
pub(crate) fn too_few(set: &ModeSet, requested: Option<u32>) -> Option<String> {
    let (found, requested) = (set.modes().len(), requested? as usize);
    if found >= requested {
        return None;
    }
    let (width, frames) = (set.mean().len(), set.frames());
    let seen = format!(
        "{} over {}",
        words::count(width as u64 / 3, "point"),
        words::count(frames as u64, "frame")
    );
    let why = if found >= width.min(frames) {
        format!("{seen} have no more")
    } else {
        format!("the rest of {seen} is rounding error")
    };
    Some(format!("found only {} of {requested}: {why}", words::count(found as u64, "mode")))
}
