//! World of a document: defaults, errors, and worlds without effect.

use glam::DVec3;
use lariat_core::motion::Channel;

use super::*;
use crate::check::Checked;

/// A document with lines of a world, and a simulated rope.
fn document(world: &str) -> String {
    format!(
        "lariat = 2\n{world}\n[[body]]\nname = 'rein'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 2\ndynamics = 'spline-rope'\n"
    )
}

fn checked(world: &str) -> Checked {
    check(document(world).as_bytes(), &Limits::DEFAULT)
}

#[test]
fn a_document_without_a_world_has_still_air_on_earth() {
    let lowered = lowered(&document(""));
    let world = &lowered.world;
    assert!(lowered.world_valid);
    assert_eq!((world.kind(), world.path().to_string()), ("world", "world".to_owned()));
    assert_eq!(world.place(), None);
    assert_eq!(world.vector("gravity"), Some(&Channel::Constant(DVec3::new(0.0, 0.0, -9.81))));
    assert_eq!(world.vector("wind"), Some(&Channel::Constant(DVec3::ZERO)));
    let number = |name: &str| world.scalar(name).and_then(model::fixed);
    let numbers = ["turbulence", "gust-size", "gust-speed", "air"].map(number);
    assert_eq!(numbers, [Some(0.0), Some(2.0), Some(0.5), Some(1.2)]);
    assert_eq!(world.integer("seed"), Some(0));
}

#[test]
fn the_world_is_lowered() {
    let text = document(
        "[shot]\nfps = 25\n[world] # windy\ngravity = [0, 0, -1.62]\nwind = { keys = [[0, [0, 0, 0]], [50, [6, 0, 0]]], interpolation = 'linear' }\nturbulence = { wiggle = [[1, 0], [25, 2]], hertz = 1 }\nseed = 7",
    );
    let lowered = lowered(&text);
    let world = &lowered.world;
    assert_eq!(&text[world.place().unwrap().range()], "[world]");
    assert_eq!(world.vector("gravity").unwrap().at(0.0), DVec3::new(0.0, 0.0, -1.62));
    // Times of keys use the frame rate of the document.
    assert_eq!(world.vector("wind").unwrap().at(1.0), DVec3::X * 3.0);
    assert!(matches!(world.scalar("turbulence"), Some(Channel::Wiggly(_))));
    assert_eq!(world.integer("seed"), Some(7));
    assert_eq!(world.path_of("wind").to_string(), "world.wind");
}

#[test]
fn a_world_with_errors_is_invalid() {
    for (line, code) in [
        ("gravity = -9.81", "L0203"),
        ("gravity = [0, 0]", "L0217"),
        ("wind = { keys = [] }", "L0212"),
        ("turbulence = -1", "L0205"),
        ("turbulence = 1\ngust-size = 0", "L0205"),
        ("turbulence = 1\ngust-size = { keys = [[1, 2]] }", "L0211"),
        ("turbulence = 1\ngust-speed = -0.1", "L0205"),
        ("turbulence = 1\nseed = 1.5", "L0206"),
        ("turbulence = 1\nseed = -1", "L0205"),
        ("air = -1", "L0205"),
        ("breeze = 1", "L0201"),
    ] {
        let good = if line.starts_with("wind") { "air = 2" } else { "wind = [3, 0, 0]" };
        let checked = checked(&format!("[world]\n{good}\n{line}"));
        let codes: Vec<&str> = checked.diagnostics.iter().map(|f| f.code.name()).collect();
        assert_eq!(codes, [code], "{line}");
        let lowered = checked.content.unwrap().lowered;
        // The world has only defaults, and the bodies are lowered.
        assert!(!lowered.world_valid && lowered.shot_valid);
        assert_eq!(lowered.world, super::lowered(&document("")).world, "{line}");
        assert_eq!(lowered.bodies.len(), 1);
    }
    for world in ["world = 3", "[[world]]"] {
        let checked = checked(world);
        assert_eq!(checked.diagnostics[0].code, Code::WrongType, "{world}");
        assert!(checked.diagnostics[0].helps[0].contains("`[world]`"), "{world}");
    }
}

#[test]
fn a_world_without_effect_is_reported() {
    let still = document("[world]\nair = 1").replace("dynamics", "# dynamics");
    let found = check(still.as_bytes(), &Limits::DEFAULT).diagnostics;
    let [diagnostic] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(diagnostic.code, Code::NoEffect);
    assert_eq!(&still[diagnostic.span().unwrap().range()], "[world]");
    for line in ["gust-size = 3", "gust-speed = 1", "seed = 2"] {
        assert_eq!(codes(&document(&format!("[world]\n{line}"))), ["L0407"], "{line}");
        for turbulence in ["2", "{ keys = [[1, 0], [9, 2]] }"] {
            let text = document(&format!("[world]\nturbulence = {turbulence}\n{line}"));
            assert_eq!(codes(&text), [""; 0], "{line} with {turbulence}");
        }
    }
    assert_eq!(codes(&document("[world]")), [""; 0]);
}

#[test]
fn parameters_of_the_world_can_follow_and_be_followed() {
    let wiggle = "turbulence = { wiggle = [[1, 0], [25, 2]], hertz = 1 }";
    let text = document(&format!(
        "[world]\n{wiggle}\nwind = {{ follow = 'locator.hand.position' }}"
    )) + "radius = { follow = 'world.turbulence', gain = 0.001, around = 0.02 }\n[[locator]]\nname = 'hand'\nposition = { wiggle = [[1, [0, 0, 0]], [9, [1, 0, 0]]], hertz = 1 }\n[[camera]]\nname = 'main'\nposition = [0, -5, 1]\ntarget = { locator = 'hand' }\n";
    let lowered = lowered(&text);
    assert!(matches!(lowered.world.vector("wind"), Some(Channel::Following(_))));
    assert!(matches!(lowered.bodies[0].scalar("radius"), Some(Channel::Following(_))));
    let document = read(&text).unwrap().document;
    let found = parameter(&document, &Limits::DEFAULT, "world.turbulence").unwrap();
    assert_eq!(
        (found.path.to_string(), found.field.name),
        ("world.turbulence".into(), "turbulence")
    );
    assert_eq!(found.field.unit_name(), "metres per second");
    let all = animated_parameters(&document);
    assert_eq!(all[all.len() - 2..], ["world.turbulence", "world.wind"]);
    // A body of that name takes precedence.
    let body = document_of(&text.replace("'rein'", "'world'").replace("world.turb", "world.rad"));
    assert!(parameter(&body, &Limits::DEFAULT, "world.turbulence").is_err());
    assert!(!animated_parameters(&body).iter().any(|path| path.ends_with("turbulence")));
}

fn document_of(text: &str) -> Document {
    read(text).unwrap().document
}
