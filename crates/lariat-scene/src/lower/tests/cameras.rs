//! Cameras of a document, and their errors.

use lariat_core::motion::Channel;

use super::{codes, lowered};
use crate::{check::check, limits::Limits, lower::Anchor, testing::SAMPLE};

#[test]
fn a_camera_has_an_angle_or_a_height() {
    let lowered = lowered(SAMPLE);
    let camera = |name: &str| &lowered.cameras[lowered.camera_index(name).unwrap()];
    let (fence, map) = (camera("fence"), camera("map"));
    assert_eq!(fence.scalar("angle"), Some(&Channel::Constant(28.0)));
    assert_eq!((fence.scalar("height"), fence.scalar("roll")), (None, Some(&0.0.into())));
    assert_eq!(map.scalar("height"), Some(&Channel::Constant(12.0)));
    assert!(matches!(fence.anchor("position"), Some(Anchor::Point(Channel::Keyed(_)))));
    assert!(matches!(fence.anchor("target"), Some(Anchor::Body { .. })));
    assert!(matches!(map.anchor("position"), Some(Anchor::Locator { .. })));
}

/// Diagnostics about a camera next to a valid rope, and the valid cameras.
fn codes_of_camera(lines: &str) -> (Vec<&'static str>, usize) {
    let text = format!(
        "lariat = 2\n[[camera]]\nname = 'main'\n{lines}\n[[body]]\nname = 'rein'\nmodel = 'suspended-rope'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nlength = 2\n"
    );
    let checked = check(text.as_bytes(), &Limits::DEFAULT);
    let lowered = checked.content.unwrap().lowered;
    assert_eq!(lowered.bodies.len(), 1, "errors of a camera do not affect the body");
    (
        checked.diagnostics.iter().map(|diagnostic| diagnostic.code.name()).collect(),
        lowered.cameras.len(),
    )
}

#[test]
fn errors_of_a_camera_are_reported() {
    let stands = "position = [0, -5, 1]\ntarget = { body = 'rein' }";
    assert_eq!(codes_of_camera(stands), (vec![], 1));
    for (lines, code) in [
        ("angle = 35\nheight = 2", "L0209"),
        ("angle = 0", "L0205"),
        ("angle = 180", "L0205"),
        ("angle = { keys = [[1, 35], [9, 190]] }", "L0205"),
        ("height = 0", "L0205"),
        ("roll = 'left'", "L0203"),
        ("focal = 50", "L0201"),
    ] {
        let found = codes_of_camera(&format!("{stands}\n{lines}"));
        assert_eq!(found, (vec![code], 0), "{lines}");
    }
    for (lines, code) in [
        ("position = [0, -5, 1]", "L0202"),
        ("position = [0, -5, 1]\ntarget = { locator = 'hand' }", "L0302"),
        ("position = { body = 'rain' }\ntarget = [0, 0, 0]", "L0303"),
        ("position = [0, -5, 1]\ntarget = { camera = 'main' }", "L0203"),
        ("position = [0, -5, 1]\ntarget = 'rein'", "L0203"),
    ] {
        assert_eq!(codes_of_camera(lines), (vec![code], 0), "{lines}");
    }
}

#[test]
fn nothing_can_be_attached_to_a_camera() {
    let text = "lariat = 2\n[[camera]]\nname = 'main'\nposition = { camera = 'main' }\ntarget = { locator = 'main' }\n[[locator]]\nname = 'hand'\n[[body]]\nname = 'rein'\nmodel = 'loose-rope'\nfrom = { locator = 'hand' }\nlength = 1\n";
    let found = check(text.as_bytes(), &Limits::DEFAULT).diagnostics;
    let reported: Vec<(&str, &str)> = found.iter().map(|f| (&*f.message, &*f.helps[0])).collect();
    assert_eq!(
        reported,
        [
            ("`position` cannot be attached to a camera", "attach both to the same locator"),
            ("there is no locator named `main`", "available: \"hand\""),
        ]
    );
}

#[test]
fn a_camera_attached_to_something_with_errors_is_skipped() {
    let text = "lariat = 2\n[[camera]]\nname = 'near'\nposition = [0, -5, 1]\ntarget = { body = 'lead', at = 1 }\n[[camera]]\nname = 'far'\nposition = [0, -9, 1]\ntarget = [0, 0, 1]\n[[body]]\nname = 'rein'\nmodel = 'suspended-rope'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nlength = -2\n[[body]]\nname = 'lead'\nmodel = 'loose-rope'\nfrom = { body = 'rein' }\nlength = 1\n";
    let checked = check(text.as_bytes(), &Limits::DEFAULT);
    let reported: Vec<&str> = checked.diagnostics.iter().map(|f| &*f.message).collect();
    assert_eq!(
        reported,
        [
            "camera `near` is skipped because body `lead` has errors",
            "`length` is -2 m: a length cannot be negative",
            "body `lead` is skipped because body `rein` has errors",
        ]
    );
    let lowered = checked.content.unwrap().lowered;
    assert_eq!(lowered.skipped_cameras, ["near"]);
    assert_eq!((lowered.camera_index("far"), lowered.camera_index("near")), (Some(0), None));
    assert_eq!(lowered.skipped, ["rein", "lead"]);
}

#[test]
fn a_locator_used_only_by_a_camera_counts_as_used() {
    let text = "lariat = 2\n[[camera]]\nname = 'main'\nposition = { locator = 'crane' }\ntarget = [0, 0, 0]\n[[locator]]\nname = 'crane'\nposition = [0, -5, 2]\n[[body]]\nname = 'rein'\nmodel = 'loose-rope'\nfrom = [0, 0, 1]\nlength = 1\n";
    assert_eq!(codes(text), Vec::<&str>::new());
}
