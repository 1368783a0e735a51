//! A whole shot looked through: what could not be done as told, as diagnostics with place and numbers.
//!
//! A rope that is too short for its gap from frame 12 to frame 40 is one diagnostic, not twenty-nine:
//! warnings are gathered per body, parameter and code, with the frames, the worst of them, and
//! what to do about it. What does not move is looked at once, and is wrong at all of them.
//!
//! Tests: `a_rope_too_short_is_one_diagnostic_with_its_worst_frame`,
//! `a_body_that_does_not_move_is_wrong_at_every_frame`,
//! `the_way_out_of_a_range_fits_what_led_there`, `what_reading_has_told_is_not_told_again`,
//! `what_is_amiss_is_told_before_what_tears`, `a_recording_that_is_too_long_is_not_told_to_pull_less`.

#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

use lariat_core::model::PoseWarning;
use lariat_core::model::layer::coils::PincerWarning;
use lariat_core::motion::Channel;
use lariat_scene::check::{Code, Diagnostic};
use lariat_scene::lower::{Lowered, Record};

use self::words::diagnostic;
use crate::moment::{CameraMoment, Moment, Subject, Trouble, Warning};
use crate::scene::Scene;

/// What a run through the frames of a shot has found so far.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    gathered: BTreeMap<Key, Gathered>,
}

/// Whom a warning is about.
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

/// What is told as one: the same code about the same parameter. What is wrong with a collider is
/// told once, whichever bodies are clamped against it, and belongs to none of them; an end that
/// lies inside several is told about each.
type Key = (Option<Owner>, Code, &'static str, Subject, Option<Arc<str>>);

#[derive(Clone, Debug)]
struct Gathered {
    /// A body that met it, or the camera.
    who: Owner,
    /// First and last of the frames that were counted last: they may be looked at in parts.
    counted: Option<(i64, i64)>,
    first: i64,
    last: i64,
    frames: u64,
    worst: (i64, Warning),
    /// Whether every frame is as bad as the worst.
    even: bool,
}

impl Survey {
    /// Takes note of the warnings of one frame.
    pub fn note(&mut self, frame: i64, moment: &Moment) {
        self.note_still([frame], moment);
    }

    /// Takes note of the warnings of bodies that look the same at all of these frames, which rise.
    pub fn note_still(&mut self, frames: impl IntoIterator<Item = i64>, moment: &Moment) {
        let Some(frames) = Stretch::of(frames) else { return };
        for (body, at) in moment.bodies.iter().enumerate() {
            for warning in &at.warnings {
                self.gather(frames, Owner::Body(body), warning);
            }
        }
    }

    /// Takes note of the warnings of a camera that is the same at all of these frames, which rise.
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

    fn gather(&mut self, frames: Stretch, who: Owner, warning: &Warning) {
        let Stretch { first, last, count } = frames;
        let owner = match warning.of {
            Subject::Collider(_) => None,
            Subject::Body | Subject::Part(_) => Some(who),
        };
        let inside = match &warning.trouble {
            Trouble::EndInside { collider, .. } => collider.clone(),
            Trouble::Torn { which, .. } => Some(which.to_string().into()),
            Trouble::TornOn { .. } => Some("on".into()),
            Trouble::OutOfOrder { fields, .. } => Some(fields[0].into()),
            Trouble::PinMissed { at, .. } => Some(at.to_string().into()),
            Trouble::RunsThrough { through: inside, .. } | Trouble::StartsInside { inside, .. } => {
                Some(format!("{inside:?}").into())
            }
            // Held too far apart and still too long afterwards are two things.
            Trouble::Overstretched { .. } => Some("pulled".into()),
            _ => None,
        };
        let key = (owner, warning.code(), warning.field, warning.of.clone(), inside);
        let seen = self.gathered.entry(key).or_insert_with(|| Gathered {
            who,
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
        // The earliest of equally bad frames, whatever order they were looked at in.
        if worse.is_gt() || (worse.is_eq() && first < seen.worst.0) {
            seen.worst = (first, warning.clone());
        }
    }

    /// The diagnostics, in the order of bodies, then of cameras; what tears comes last, for what is amiss
    /// before may be why.
    pub fn diagnostics(&self, lowered: &Lowered) -> Vec<Diagnostic> {
        let untold = self.gathered.values().filter(|seen| !is_told(lowered, seen));
        let mut diagnostics: Vec<_> = untold.map(|seen| diagnostic(lowered, seen)).collect();
        diagnostics.sort_by_key(|diagnostic| diagnostic.code == Code::StringTorn);
        diagnostics
    }
}

/// Frames that are looked at as one.
#[derive(Clone, Copy)]
struct Stretch {
    first: i64,
    last: i64,
    count: u64,
}

impl Stretch {
    /// Rising frames; a frame that comes twice counts once.
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

/// Evaluates every frame of the shot and tells what could not be done as told.
///
/// `each` is called with every frame before it is evaluated; it may show progress, and returning
/// false stops there.
pub fn survey(
    scene: &Scene,
    lowered: &Lowered,
    mut each: impl FnMut(i64) -> bool,
) -> Vec<Diagnostic> {
    let mut survey = Survey::default();
    let mut moment = Moment::default();
    let (first, last) = (scene.shot().first, scene.shot().last);
    let still = (0..scene.body_count()).all(|b| scene.is_still(b))
        && (0..scene.camera_count()).all(|c| scene.is_camera_still(c));
    for frame in first..=last {
        if !each(frame) {
            break;
        }
        scene.evaluate_into(frame as f64, &mut moment);
        // A shot in which nothing moves is looked at once.
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

/// Whether reading the document has told it already: constants are looked at there.
fn is_told(lowered: &Lowered, seen: &Gathered) -> bool {
    let body = seen.who.record(lowered);
    let constant = |record: &Record, name: &str| match record.scalar(name) {
        Some(Channel::Constant(value)) => Some(*value),
        _ => None,
    };
    match seen.worst.1.trouble {
        Trouble::Model(PoseWarning::Pincers(PincerWarning::TooMany { .. })) => {
            constant(body, "coils").is_some_and(|coils| {
                let held = body.records("pincers").iter().filter_map(|p| constant(p, "count"));
                held.sum::<f64>() > coils
            })
        }
        Trouble::Model(PoseWarning::BendPastEnd { bend, .. }) => {
            body.records("bends").get(bend).is_some_and(|bend| {
                constant(bend, "position").is_some() && constant(bend, "length").is_some()
            })
        }
        _ => false,
    }
}
