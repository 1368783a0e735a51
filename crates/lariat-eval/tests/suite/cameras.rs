//! Cameras: keyed and attached, at any time, and their warnings.

use glam::DVec3;
use lariat_core::geometry::{Camera, Footage, Lens};
use lariat_eval::{Evaluator, FRAMES_REMEMBERED, Scene, survey};
use lariat_scene::check::Code;
use lariat_scene::edit::Edit;
use lariat_scene::{Limits, format};

use crate::{lowered, scene};

const ROPE: &str = r#"
    [[locator]]
    name = "hand"
    position = { keys = [[1, [0, 0, 2]], [25, [0, 4, 2]]] }
    rotation = [0, 0, 90]
    [[body]]
    name = "rein"
    model = "suspended-rope"
    from = { locator = "hand" }
    to = [3, 0, 2]
    length = 7
    "#;

fn at(scene: &Scene, frame: f64) -> Camera {
    let moment = scene.evaluate_camera(0, frame);
    assert_eq!(moment.warnings, []);
    moment.camera
}

fn with(camera: &str) -> Scene {
    scene(&format!("{ROPE}\n[[camera]]\nname = \"main\"\n{camera}"))
}

#[test]
fn a_straight_dolly_is_halfway_at_half_time() {
    let scene = with(
        "position = { keys = [[1, [0, -8, 1]], [25, [6, -4, 3]]], interpolation = \"linear\" }\n\
         target = [0, 0, 1]\nangle = { keys = [[1, 20], [25, 60]], interpolation = \"linear\" }",
    );
    assert_eq!(at(&scene, 1.0).eye, DVec3::new(0.0, -8.0, 1.0));
    assert!(at(&scene, 13.0).eye.distance(DVec3::new(3.0, -6.0, 2.0)) < 1e-14);
    // Between frames as well: the dolly takes 24 frames.
    let travel = DVec3::new(6.0, 4.0, 2.0);
    let expected = DVec3::new(0.0, -8.0, 1.0) + travel * (6.25 / 24.0);
    assert!(at(&scene, 7.25).eye.distance(expected) < 1e-14);
    let Lens::Perspective { angle } = at(&scene, 13.0).lens else { panic!("no perspective") };
    assert!((angle - 40_f64.to_radians()).abs() < 1e-15);
    assert_eq!(at(&scene, 99.0).eye, DVec3::new(6.0, -4.0, 3.0), "it is held after its keys");
}

#[test]
fn any_order_of_frames_gives_the_same_bits() {
    let camera = "position = { body = \"rein\", at = 0.3, offset = [0, 1, 3] }\n\
                  target = { locator = \"hand\" }\nroll = { keys = [[1, 0], [25, 30]] }";
    let frames = [1.0, 2.5, 12.0, 24.999, -3.0, 40.0];
    let forwards: Vec<Camera> = frames.map(|frame| at(&with(camera), frame)).into();
    let scene = with(camera);
    for (frame, expected) in frames.iter().zip(&forwards).rev() {
        assert_eq!(at(&scene, *frame), *expected, "frame {frame}");
        assert_eq!(Footage::camera(&scene, 0, *frame), Some(*expected));
    }
    assert_eq!(Footage::camera(&scene, 1, 1.0), None);
}

#[test]
fn a_camera_follows_its_leader() {
    let scene = with(
        "position = { locator = \"hand\", offset = [-5, 0, 1] }\ntarget = { body = \"rein\", at = 1 }",
    );
    for frame in [1.0, 9.5, 25.0] {
        let camera = at(&scene, frame);
        let rein = scene.evaluate_body(0, frame);
        let hand = rein.spine()[0];
        // The hand is turned by 90° about Z, so its X is the world's Y.
        assert!(camera.eye.distance(hand + DVec3::new(0.0, -5.0, 1.0)) < 1e-12, "{frame}");
        assert_eq!(camera.target, *rein.spine().last().unwrap());
    }
    assert!(!scene.is_camera_still(0));
    let fixed = with("position = [0, -5, 1]\ntarget = { body = \"rein\", at = 1 }");
    assert!(!fixed.is_camera_still(0), "its target moves");
    assert!(with("position = [0, -5, 1]\ntarget = [0, 0, 1]").is_camera_still(0));
}

#[test]
fn a_lens_is_perspective_or_has_a_height() {
    let camera = at(&with("position = [0, -5, 1]\ntarget = [0, 0, 1]"), 1.0);
    assert_eq!(camera.up, DVec3::Z);
    let Lens::Perspective { angle } = camera.lens else { panic!("{camera:?}") };
    assert!((angle - 35_f64.to_radians()).abs() < 1e-15);
    let camera = at(&with("position = [0, -5, 1]\ntarget = [0, 0, 1]\nheight = 3"), 1.0);
    assert_eq!(camera.lens, Lens::Orthographic { height: 3.0 });
    let camera = at(&with("position = [0, -5, 1]\ntarget = [0, 0, 1]\nroll = 30"), 1.0);
    let expected = DVec3::new(0.5, 0.0, 0.75_f64.sqrt());
    assert!(camera.up.distance(expected) < 1e-15, "{}", camera.up);
}

#[test]
fn a_camera_at_its_target_is_reported() {
    let lowered = lowered(&format!(
        "[shot]\nframes = [1, 30]\n{ROPE}\n[[camera]]\nname = \"main\"\nposition = {{ locator = \"hand\" }}\n\
         target = {{ keys = [[1, [9, 0, 2]], [10, [0, 4, 2]]], interpolation = \"linear\" }}"
    ));
    let scene = Scene::bind(&lowered);
    let found = survey(&scene, &lowered, |_| true);
    let [diagnostic] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(diagnostic.code, Code::CameraAtTarget);
    assert_eq!(diagnostic.message, "camera `main` is at its target");
    assert_eq!(diagnostic.labels[0].text, "both are at [0.000, 4.000, 2.000] in frames 25–30");
    assert_eq!(diagnostic.labels[0].path.to_string(), "camera[0].target");
    // The camera still has a direction.
    let camera = scene.evaluate_camera(0, 27.0).camera;
    assert_eq!(camera.target - camera.eye, DVec3::Y);
}

#[test]
fn a_number_of_a_camera_out_of_range_is_reported() {
    let lowered = lowered(&format!(
        "[shot]\nframes = [1, 30]\n{ROPE}\n[[camera]]\nname = \"main\"\nposition = [0, -5, 1]\n\
         target = {{ body = \"rein\", at = {{ keys = [[1, 0.9], [12, 1], [24, 0.2]], tangents = \"auto\" }} }}\n\
         height = {{ keys = [[1, 2], [12, 0.01], [14, 0.01], [24, 2]], tangents = \"auto\" }}"
    ));
    let found = survey(&Scene::bind(&lowered), &lowered, |_| true);
    let reported: Vec<(Code, &str)> = found.iter().map(|f| (f.code, &*f.message)).collect();
    assert_eq!(
        reported,
        [
            (Code::AttachedBeyondEnd, "`main` is attached beyond the end of a body"),
            (Code::LeavesRange, "`height` of `main` leaves its range between keys"),
        ]
    );
}

#[test]
fn an_edit_of_a_camera_poses_no_body() {
    let text = format!(
        "lariat = 2\n{ROPE}\n[[camera]]\nname = \"main\"\nposition = [0, -5, 1]\ntarget = [0, 0, 1]"
    );
    let document = format::read(&text).unwrap().document;
    let mut evaluator = Evaluator::new(document, Limits::default(), FRAMES_REMEMBERED);
    evaluator.at(9.0);
    let (posed, before) = (evaluator.bodies_posed(), at(evaluator.scene(), 9.0));
    let channel = "camera.main.position".parse().unwrap();
    let edit = Edit::SetKey { channel, frame: 9.0, value: [0, -9, 1].into() };
    let applied = evaluator.apply(&edit).unwrap();
    assert_eq!(at(evaluator.scene(), 9.0).eye, DVec3::new(0.0, -9.0, 1.0));
    evaluator.at(9.0);
    assert_eq!(evaluator.bodies_posed(), posed, "no body has changed");
    evaluator.apply(&applied.inverse).unwrap();
    assert_eq!(at(evaluator.scene(), 9.0), before);
}

#[test]
fn frayed_ends_are_torn() {
    for (word, torn) in [("start", [true, false]), ("end", [false, true]), ("both", [true; 2])] {
        let scene = scene(&format!(
            "[[body]]\nname = \"a\"\nmodel = \"loose-rope\"\nfrom = [0, 0, 1]\nlength = 1\nfrayed = \"{word}\""
        ));
        assert_eq!(scene.evaluate_body(0, 1.0).strands[0].torn, torn);
    }
    assert_eq!(scene(ROPE).evaluate_body(0, 1.0).strands[0].torn, [false; 2]);
}
