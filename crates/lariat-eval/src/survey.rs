//! Collects the warnings of all frames of a shot into diagnostics with place and numbers.
//!
//! A rope that is too short for its gap from frame 12 to frame 40 is one diagnostic, not twenty-nine:
//! warnings are grouped by body, parameter and code, with the range of frames and the worst frame.
//! The texts are in `warning/`, beside the numbers of each.
//!
//! Tests: `a_rope_too_short_is_one_diagnostic_with_its_worst_frame`,
//! `a_warning_about_a_still_body_covers_every_frame`,
//! `the_remedy_for_a_range_fits_its_cause`, `diagnostics_of_reading_are_not_repeated`,
//! `start_checks_are_reported_before_tears`, `a_recording_that_is_too_large_is_refused_before_it_starts`,
//! `a_shot_that_is_too_long_to_record_is_not_simulated`.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use lariat_scene::check::{Code, Diagnostic, FrameRange};
use lariat_scene::lower::{Lowered, Record};

use crate::moment::{CameraMoment, Moment};
use crate::scene::Scene;
use crate::warning::{Context, Subject, Warning};

/// The warnings of a shot, collected frame by frame.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    gathered: BTreeMap<Key, Gathered>,
}

/// The body or camera that a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Body(usize),
    Camera(usize),
}

impl Owner {
    fn record(self, lowered: &Lowered) -> &Record {
        match self {
            Self::Body(body) => &lowered.bodies[body],
            Self::Camera(camera) => &lowered.cameras[camera],
        }
    }
}

/// Warnings with the same key become one diagnostic: owner, code, parameter, subject, and the key of
/// the warning. Warnings about a collider have no owner.
type Key = (Option<Owner>, Code, &'static str, Subject, Option<Arc<str>>);

#[derive(Clone, Debug)]
struct Gathered {
    /// The camera, or the first body that had the warning.
    owner: Owner,
    /// First and last of the most recently counted frames.
    counted: Option<(i64, i64)>,
    first: i64,
    last: i64,
    frames: u64,
    worst: (i64, Warning),
    /// True if every frame is as bad as the worst.
    even: bool,
}

impl Survey {
    /// Adds the warnings of one frame.
    pub fn note(&mut self, frame: i64, moment: &Moment) {
        self.note_still([frame], moment);
    }

    /// Adds the warnings of bodies that look the same at all of these frames, in ascending order.
    pub fn note_still(&mut self, frames: impl IntoIterator<Item = i64>, moment: &Moment) {
        let Some(frames) = Stretch::of(frames) else { return };
        for (body, at) in moment.bodies.iter().enumerate() {
            for warning in &at.warnings {
                self.gather(frames, Owner::Body(body), warning);
            }
        }
    }

    /// Adds the warnings of a camera that is the same at all of these frames, in ascending order.
    pub fn note_camera(
        &mut self,
        frames: impl IntoIterator<Item = i64>,
        camera: usize,
        moment: &CameraMoment,
    ) {
        let Some(frames) = Stretch::of(frames) else { return };
        for warning in &moment.warnings {
            self.gather(frames, Owner::Camera(camera), warning);
        }
    }

    /// Adds the recordings of needed bodies that would be larger than their limit at a frame, before
    /// anything is simulated. Returns whether there are any: the other warnings are then not worth
    /// hours of simulation.
    pub fn note_recordings(
        &mut self,
        scene: &Scene,
        is_needed: impl Fn(usize) -> bool,
        frame: i64,
    ) -> bool {
        let oversized = scene.oversized_recordings(is_needed, frame as f64);
        let Some(frames) = Stretch::of([frame]) else { return false };
        for (body, warning) in &oversized {
            self.gather(frames, Owner::Body(*body), warning);
        }
        !oversized.is_empty()
    }

    fn gather(&mut self, frames: Stretch, owner: Owner, warning: &Warning) {
        let Stretch { first, last, count } = frames;
        // A fault of a collider is reported once, for all bodies that are clamped against it.
        let of = match warning.subject {
            Subject::Collider(_) => None,
            Subject::Body | Subject::Part(_) => Some(owner),
        };
        let subject = warning.subject.clone();
        let key = (of, warning.code(), warning.field, subject, warning.described().key());
        let seen = self.gathered.entry(key).or_insert_with(|| Gathered {
            owner,
            counted: None,
            first,
            last,
            frames: 0,
            worst: (first, warning.clone()),
            even: true,
        });
        (seen.first, seen.last) = (seen.first.min(first), seen.last.max(last));
        if seen.counted.replace((first, last)) != Some((first, last)) {
            seen.frames += count;
        }
        let worse = warning.size().total_cmp(&seen.worst.1.size());
        seen.even &= worse.is_eq();
        // The earliest of equally bad frames, independent of the order in which they are added.
        if worse.is_gt() || (worse.is_eq() && first < seen.worst.0) {
            seen.worst = (first, warning.clone());
        }
    }

    /// The diagnostics in the order of bodies, then of cameras. Consequences come last: an earlier
    /// diagnostic may be their cause.
    pub fn diagnostics(&self, lowered: &Lowered) -> Vec<Diagnostic> {
        let is_new = |seen: &&Gathered| {
            !seen.worst.1.described().is_found_by_reading(seen.owner.record(lowered))
        };
        let mut gathered: Vec<_> = self.gathered.values().filter(is_new).collect();
        gathered.sort_by_key(|seen| seen.worst.1.described().is_consequence());
        gathered.into_iter().map(|seen| diagnostic(lowered, seen)).collect()
    }
}

/// Frames at which nothing changes.
#[derive(Clone, Copy)]
struct Stretch {
    first: i64,
    last: i64,
    count: u64,
}

impl Stretch {
    /// Frames in ascending order; a repeated frame counts once.
    fn of(frames: impl IntoIterator<Item = i64>) -> Option<Self> {
        let mut frames = frames.into_iter();
        let first = frames.next()?;
        let (mut last, mut count) = (first, 1);
        for frame in frames {
            count += u64::from(frame != last);
            last = frame;
        }
        Some(Self { first, last, count })
    }
}

/// Evaluates every frame of the shot and returns its warnings as diagnostics.
///
/// `each` is called with every frame before it is evaluated. It may show progress; returning false
/// stops the survey. If a recording would be too large at the last frame, no frame is evaluated.
pub fn survey(
    scene: &Scene,
    lowered: &Lowered,
    mut each: impl FnMut(i64) -> bool,
) -> Vec<Diagnostic> {
    let mut survey = Survey::default();
    let mut moment = Moment::default();
    let (first, last) = (scene.shot().first, scene.shot().last);
    if survey.note_recordings(scene, |_| true, last) {
        return survey.diagnostics(lowered);
    }
    let still = (0..scene.body_count()).all(|b| scene.is_still(b))
        && (0..scene.camera_count()).all(|c| scene.is_camera_still(c));
    for frame in first..=last {
        if !each(frame) {
            break;
        }
        scene.evaluate_into(frame as f64, &mut moment);
        // A shot in which nothing moves is evaluated once.
        let frames = if still { first..=last } else { frame..=frame };
        survey.note_still(frames.clone(), &moment);
        for camera in 0..scene.camera_count() {
            let seen = scene.evaluate_camera(camera, frame as f64);
            survey.note_camera(frames.clone(), camera, &seen);
        }
        if still {
            break;
        }
    }
    survey.diagnostics(lowered)
}

/// The diagnostic of a gathered warning, with its frames and numbers.
fn diagnostic(lowered: &Lowered, seen: &Gathered) -> Diagnostic {
    let Gathered { first, last, frames: count, worst: (worst, warning), .. } = seen;
    let context = Context::new(warning, seen.owner.record(lowered), lowered, *worst, when(seen));
    let frames = FrameRange { first: *first, last: *last, count: *count, worst: *worst };
    let described = warning.described();
    described.describe(&context).at_frames(frames, described.numbers())
}

/// "at frame 12", or "in frames 12–40, worst at frame 31", or "in 9 frames between 12 and 40".
fn when(seen: &Gathered) -> String {
    let Gathered { first, last, frames, .. } = seen;
    if *frames == 1 {
        return format!("at frame {first}");
    }
    let range = if *frames == last.abs_diff(*first) + 1 {
        format!("in frames {first}–{last}")
    } else {
        format!("in {frames} frames between {first} and {last}")
    };
    if seen.even { range } else { format!("{range}, worst at frame {}", seen.worst.0) }
}
