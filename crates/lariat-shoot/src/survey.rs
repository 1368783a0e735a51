//! Warnings of frames as diagnostics; frames are evaluated in parallel.
//!
//! [`lariat_eval::survey`] gives the same diagnostics sequentially.
//!
//! Tests: `parallel_and_sequential_surveys_find_the_same`.

use lariat_eval::{Moment, Scene, Survey, Warning};
use lariat_export::Progress;

use crate::{bodies::Bodies, error::ShootError, moments::Moments};

/// The recordings of bodies and cameras that would be too large up to a frame, if there are any.
/// Nothing is simulated for them.
pub fn survey_recordings(bodies: &Bodies<'_>, cameras: &[usize], frame: f64) -> Option<Survey> {
    let (mut survey, needed) = (Survey::default(), bodies.needed(cameras));
    let found = survey.note_recordings(bodies.scene(), |body| needed[body], whole(frame.ceil()));
    found.then_some(survey)
}

/// Collects the warnings of bodies and cameras at frames; a fractional frame counts as the nearest.
/// If a recording would be too large at the last of them, none is evaluated.
pub fn survey(
    moments: &Moments<'_>,
    cameras: &[usize],
    frames: &[f64],
    progress: &dyn Progress,
) -> Result<Survey, ShootError> {
    let bodies = moments.bodies();
    let last = frames.iter().copied().max_by(f64::total_cmp);
    if let Some(refused) = last.and_then(|last| survey_recordings(bodies, cameras, last)) {
        return Ok(refused);
    }
    let mut survey = Survey::default();
    match frames {
        [] => {}
        [first, ..] if moments.are_still() => {
            let moment = moments.at(*first);
            survey.note_still(frames.iter().copied().map(whole), &moment);
            moments.recycle(moment);
        }
        _ => moments.summarise(frames, progress, warnings, |frame, warnings| {
            note(&mut survey, frame, warnings);
        })?,
    }
    for &camera in cameras {
        note_camera(bodies.scene(), camera, frames, &mut survey);
    }
    Ok(survey)
}

fn note_camera(scene: &Scene, camera: usize, frames: &[f64], survey: &mut Survey) {
    match frames {
        [first, ..] if scene.is_camera_still(camera) => {
            let seen = scene.evaluate_camera(camera, *first);
            survey.note_camera(frames.iter().copied().map(whole), camera, &seen);
        }
        _ => {
            for frame in frames {
                let seen = scene.evaluate_camera(camera, *frame);
                survey.note_camera([whole(*frame)], camera, &seen);
            }
        }
    }
}

fn note(survey: &mut Survey, frame: f64, warnings: Vec<(usize, Vec<Warning>)>) {
    let Some((last, _)) = warnings.last() else { return };
    let mut moment = Moment::default();
    moment.bodies.resize_with(last + 1, Default::default);
    for (body, warnings) in warnings {
        moment.bodies[body].warnings = warnings;
    }
    survey.note(whole(frame), &moment);
}

fn whole(frame: f64) -> i64 {
    frame.round() as i64
}

/// Bodies with warnings, in ascending order.
fn warnings(moment: &Moment) -> Vec<(usize, Vec<Warning>)> {
    let bodies = moment.bodies.iter().enumerate();
    let warned = bodies.filter(|(_, body)| !body.warnings.is_empty());
    warned.map(|(index, body)| (index, body.warnings.clone())).collect()
}

#[cfg(test)]
mod tests {
    use lariat_export::NoProgress;
    use lariat_scene::{Limits, check::check};

    use super::*;
    use crate::bodies::Bodies;

    fn assert_both_find_the_same(text: &str) {
        let lowered = check(text.as_bytes(), &Limits::DEFAULT).content.unwrap().lowered;
        let scene = Scene::bind(&lowered);
        let bodies = Bodies::choose(&scene, &lowered, &[]).unwrap();
        let shot = lowered.shot;
        let frames: Vec<f64> = (shot.first..=shot.last).map(|frame| frame as f64).collect();
        let sequential = lariat_eval::survey(&scene, &lowered, |_| true);
        let cameras: Vec<usize> = (0..scene.camera_count()).collect();
        let found = survey(&Moments::transient(&bodies), &cameras, &frames, &NoProgress).unwrap();
        assert_eq!(found.diagnostics(&lowered), sequential);
    }

    #[test]
    fn parallel_and_sequential_surveys_find_the_same() {
        let document = |samples: usize| {
            let body = |name: usize| {
                format!(
                    "[[body]]\nname = '{name}'\nmodel = 'suspended-rope'\nfrom = [0, 0, 2]\nto = {{ keys = \
                     [[1, [3, 0, 2]], [{}, [5, 0, 2]]], after = 'ping-pong' }}\nlength = 4\nsamples = \
                     {samples}\nwaves = [{{ height = 0.5, ripples = 3, travel = 1 }}]\n",
                    24 + name
                )
            };
            let camera = "[[camera]]\nname = 'a'\nposition = { body = '1', at = 1 }\ntarget = { keys = [[1, \
                          [9, 0, 2]], [31, [5, 0, 2]]] }\n[[camera]]\nname = 'b'\nposition = [1, 2, \
                          3]\ntarget = [1, 2, 3]\n";
            format!("lariat = 2\n[shot]\nframes = [1, 200]\n{}{}{camera}", body(1), body(7))
        };
        for samples in [5, 49, 300] {
            assert_both_find_the_same(&document(samples));
        }
        for scene in lariat_museum::SCENES {
            assert_both_find_the_same(scene.text);
        }
    }
}
