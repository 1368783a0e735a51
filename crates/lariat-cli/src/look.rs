//! Frames looked through for what cannot be done there as told, side by side.
//!
//! The same diagnostics that `lariat_eval::survey` makes, sooner: a shot of few bodies has too little
//! in one frame to share out among threads, but frames have nothing to do with each other. Only
//! the troubles are kept of them. Scenes so large that a frame for each thread would fill the
//! memory are looked at frame by frame; they have bodies enough to share out.
//!
//! Tests: `side_by_side_finds_what_one_after_the_other_does`.

use std::time::{Duration, Instant};

use lariat_eval::{Moment, Scene, Survey, Warning};
use rayon::prelude::*;

use crate::{bodies::Bodies, progress::Progress};

/// Points in one frame up to which several frames are held in memory at once, 25 MB each.
pub(crate) const SMALL: usize = 200_000;

/// Work that takes less than this is done before threads are under way.
const LITTLE: Duration = Duration::from_millis(2);

/// Frames between two moves of the progress bar.
const BATCH: usize = 64;

/// Looks through frames of bodies and cameras; those between two count as the nearest.
pub(crate) fn survey(
    bodies: &Bodies<'_>,
    cameras: &[usize],
    frames: &[f64],
    progress: &Progress,
) -> Survey {
    let mut survey = survey_bodies(bodies, frames, progress);
    for &camera in cameras {
        note_camera(bodies.scene(), camera, frames, &mut survey);
    }
    survey
}

/// A camera is little work: its frames one after the other, or one for all if it stands still.
fn note_camera(scene: &Scene, camera: usize, frames: &[f64], survey: &mut Survey) {
    let whole_frames = || frames.iter().copied().map(whole);
    match frames {
        [first, ..] if scene.is_camera_still(camera) => {
            survey.note_camera(whole_frames(), camera, &scene.evaluate_camera(camera, *first));
        }
        _ => {
            for frame in frames {
                let seen = scene.evaluate_camera(camera, *frame);
                survey.note_camera([whole(*frame)], camera, &seen);
            }
        }
    }
}

fn survey_bodies(bodies: &Bodies<'_>, frames: &[f64], progress: &Progress) -> Survey {
    let mut survey = Survey::default();
    let Some((&first, rest)) = frames.split_first() else { return survey };
    let begun = Instant::now();
    let mut moment = Moment::default();
    bodies.pose_into(first, &mut moment);
    // Where nothing moves, one frame is like the others.
    if bodies.are_still() {
        survey.note_still(frames.iter().copied().map(whole), &moment);
        return survey;
    }
    survey.note(whole(first), &moment);
    let strands = moment.bodies.iter().flat_map(|body| &body.strands);
    let meshes = moment.bodies.iter().filter_map(|body| body.mesh.as_ref());
    let points: usize = strands.map(|strand| strand.points().len()).sum::<usize>()
        + meshes.map(|mesh| mesh.points().len()).sum::<usize>();
    // The clock only chooses the way there; both ways find the same.
    let to_do = begun.elapsed().as_secs_f64() * rest.len() as f64;
    let side_by_side = points <= SMALL && to_do > LITTLE.as_secs_f64();
    for (done, batch) in rest.chunks(BATCH).enumerate() {
        progress.advance((done * BATCH) as u64, frames.len() as u64);
        if side_by_side {
            note_side_by_side(bodies, batch, &mut survey);
        } else {
            note_in_turn(bodies, batch, &mut moment, &mut survey);
        }
    }
    survey
}

fn note_in_turn(bodies: &Bodies<'_>, frames: &[f64], moment: &mut Moment, survey: &mut Survey) {
    for &frame in frames {
        bodies.pose_into(frame, moment);
        survey.note(whole(frame), moment);
    }
}

fn note_side_by_side(bodies: &Bodies<'_>, frames: &[f64], survey: &mut Survey) {
    let look = |moment: &mut Moment, frame: &f64| {
        bodies.pose_into(*frame, moment);
        (whole(*frame), troubles(moment))
    };
    let found: Vec<_> = frames.par_iter().map_init(Moment::default, look).collect();
    for (frame, troubles) in found {
        let Some((last, _)) = troubles.last() else { continue };
        let mut moment = Moment::default();
        moment.bodies.resize_with(last + 1, Default::default);
        for (body, warnings) in troubles {
            moment.bodies[body].warnings = warnings;
        }
        survey.note(frame, &moment);
    }
}

fn whole(frame: f64) -> i64 {
    frame.round() as i64
}

/// What could not be done as told: bodies, rising, and their warnings.
fn troubles(moment: &Moment) -> Vec<(usize, Vec<Warning>)> {
    let bodies = moment.bodies.iter().enumerate();
    let troubled = bodies.filter(|(_, body)| !body.warnings.is_empty());
    troubled.map(|(index, body)| (index, body.warnings.clone())).collect()
}

#[cfg(test)]
mod tests {
    use lariat_scene::{Limits, check::check};

    use super::*;
    use crate::console::{Colour, Console};

    fn assert_both_find_the_same(text: &str) {
        let lowered = check(text.as_bytes(), &Limits::DEFAULT).content.unwrap().lowered;
        let scene = Scene::bind(&lowered);
        let bodies = Bodies::choose(&scene, &lowered, &[]).unwrap();
        let progress = Progress::new(Console::new(Colour::Never, true), "looking", "frames");
        let shot = lowered.shot;
        let frames: Vec<f64> = (shot.first..=shot.last).map(|frame| frame as f64).collect();
        let theirs = lariat_eval::survey(&scene, &lowered, |_| true);
        let cameras: Vec<usize> = (0..scene.camera_count()).collect();
        assert_eq!(survey(&bodies, &cameras, &frames, &progress).diagnostics(&lowered), theirs);
        let mut ours = Survey::default();
        note_side_by_side(&bodies, &frames, &mut ours);
        for camera in cameras {
            note_camera(&scene, camera, &frames, &mut ours);
        }
        assert_eq!(ours.diagnostics(&lowered), theirs);
    }

    #[test]
    fn side_by_side_finds_what_one_after_the_other_does() {
        let troubled = |samples: usize| {
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
            format!("lariat = 1\n[shot]\nframes = [1, 200]\n{}{}{camera}", body(1), body(7))
        };
        for samples in [5, 49, 300] {
            assert_both_find_the_same(&troubled(samples));
        }
        for museum_scene in lariat_museum::SCENES {
            assert_both_find_the_same(museum_scene.text);
        }
    }
}
