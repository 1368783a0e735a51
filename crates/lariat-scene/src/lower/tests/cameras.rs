//! Cameras as documents have them, and everything that can be wrong with one.

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

/// The diagnostics about a camera beside a rope that is fine, and the cameras that are left.
fn codes_of_camera(lines: &str) -> (Vec<&'static str>, usize) {
    let text = format!(
        "lariat = 1\n[[camera]]\nname = 'main'\n{lines}\n[[body]]\nname = 'rein'\nmodel = 'suspended-rope'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nlength = 2\n"
    );
    let checked = check(text.as_bytes(), &Limits::DEFAULT);
    let lowered = checked.content.unwrap().lowered;
    assert_eq!(lowered.bodies.len(), 1, "a camera does no harm to a body");
    (
        checked.diagnostics.iter().map(|diagnostic| diagnostic.code.name()).collect(),
        lowered.cameras.len(),
    )
}

#[test]
fn what_is_wrong_with_a_camera_is_told() {
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
fn nobody_holds_on_to_a_camera() {
    let text = "lariat = 1\n[[camera]]\nname = 'main'\nposition = { camera = 'main' }\ntarget = { locator = 'main' }\n[[locator]]\nname = 'hand'\n[[body]]\nname = 'rein'\nmodel = 'loose-rope'\nfrom = { locator = 'hand' }\nlength = 1\n";
    let found = check(text.as_bytes(), &Limits::DEFAULT).diagnostics;
    let told: Vec<(&str, &str)> = found.iter().map(|f| (&*f.message, &*f.helps[0])).collect();
    assert_eq!(
        told,
        [
            (
                "`position` holds on to a camera, which is no place",
                "let both hold on to the same locator"
            ),
            ("there is no locator called `main`", "there are \"hand\""),
        ]
    );
}

#[test]
fn a_camera_on_something_with_errors_is_left_out_with_it() {
    let text = "lariat = 1\n[[camera]]\nname = 'near'\nposition = [0, -5, 1]\ntarget = { body = 'lead', at = 1 }\n[[camera]]\nname = 'far'\nposition = [0, -9, 1]\ntarget = [0, 0, 1]\n[[body]]\nname = 'rein'\nmodel = 'suspended-rope'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nlength = -2\n[[body]]\nname = 'lead'\nmodel = 'loose-rope'\nfrom = { body = 'rein' }\nlength = 1\n";
    let checked = check(text.as_bytes(), &Limits::DEFAULT);
    let told: Vec<&str> = checked.diagnostics.iter().map(|f| &*f.message).collect();
    assert_eq!(
        told,
        [
            "camera `near` is left out because body `lead` has errors",
            "`length` is -2 m: a length cannot be negative",
            "body `lead` is left out because body `rein` has errors",
        ]
    );
    let lowered = checked.content.unwrap().lowered;
    assert_eq!(lowered.cameras_left_out, ["near"]);
    assert_eq!((lowered.camera_index("far"), lowered.camera_index("near")), (Some(0), None));
    assert_eq!(lowered.left_out, ["rein", "lead"]);
}

#[test]
fn a_locator_that_only_a_camera_uses_is_used() {
    let text = "lariat = 1\n[[camera]]\nname = 'main'\nposition = { locator = 'crane' }\ntarget = [0, 0, 0]\n[[locator]]\nname = 'crane'\nposition = [0, -5, 2]\n[[body]]\nname = 'rein'\nmodel = 'loose-rope'\nfrom = [0, 0, 1]\nlength = 1\n";
    assert_eq!(codes(text), Vec::<&str>::new());
}
