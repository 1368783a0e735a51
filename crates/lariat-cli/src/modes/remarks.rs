//! What is good to know of a recording before its modes are believed.
//!
//! Tests: `a_loop_that_does_not_close_is_remarked_on`,
//! `fewer_modes_than_asked_for_are_remarked_on`, `what_a_recording_leaves_open_is_said`.

use std::ops::RangeInclusive;

use lariat_core::modes::{ModeSet, Recording};

use super::table::metres;
use crate::words;

/// A loop comes round by a step like any other. One that is so many times the largest of them is
/// a jump. Smaller: loops with few frames are doubted. Larger: a swing that is cut in the middle
/// passes for a loop.
const JUMP: f64 = 1.5;

/// What to say if a motion that is said to be a loop does not come round.
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
    // A last frame that repeats the first is not of the round.
    let to = if to > from && row(from) == row(to) { to - 1 } else { to };
    let steps: Vec<f64> = (from..to).map(|frame| apart(frame, frame + 1)).collect();
    let largest = steps.iter().copied().fold(0.0, f64::max);
    let usual = steps.iter().sum::<f64>() / steps.len().max(1) as f64;
    let gap = apart(to, from);
    (gap > JUMP * largest).then(|| {
        format!(
            "from frame {to} back to frame {from} it is {} RMS, and from one frame to the next \
             {} as a rule, {} at most: that is no loop, or not all of one; name its frames with \
             --frames, or leave --periodic out",
            metres(gap),
            metres(usual),
            metres(largest)
        )
    })
}

/// Modes found in fewer frames than this are doubted: half a second of film. Fewer: hardly any swing
/// is seen once round. More: short loops are doubted.
const FEW_FRAMES: usize = 12;

/// What to say if there is little to find modes in.
pub(crate) fn too_short(set: &ModeSet) -> Option<String> {
    let (left, origin) = (set.frames(), set.origin());
    if left >= FEW_FRAMES {
        return None;
    }
    let hertz = origin.rate.per_second() / left.max(1) as f64;
    Some(format!(
        "{} to find modes in {} little to go by: what swings less than {hertz:.1} times a second is \
         not seen once round, and its hertz and half-life are guesses; record more",
        words::count(left as u64, "frame"),
        if left == 1 { "is" } else { "are" },
    ))
}

/// What to say if there are fewer modes than were asked for.
pub(crate) fn too_few(set: &ModeSet, asked: Option<u32>) -> Option<String> {
    let (found, asked) = (set.modes().len(), asked? as usize);
    if found >= asked {
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
        format!("what else there is in {seen} is rounding")
    };
    let verb = if found == 1 { "is" } else { "are" };
    Some(format!("there {verb} only {}, not {asked}: {why}", words::count(found as u64, "mode")))
}
