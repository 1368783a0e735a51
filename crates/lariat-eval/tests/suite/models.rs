//! Models given by documents, against the same models built in Rust.

use std::f64::consts::TAU;

use glam::DVec3;
use lariat_core::model::layer::{Envelope, Wave};
use lariat_core::model::{SagDirection, SuspendedRope};
use lariat_core::num::ops;

use crate::scene;

fn points(text: &str, frame: f64) -> Vec<DVec3> {
    scene(text).evaluate(frame).bodies[0].strands[0].points().to_vec()
}

#[test]
fn a_document_is_the_model_it_describes() {
    let ours = points(
        r#"
        [[body]]
        name = "rein"
        model = "suspended-rope"
        from = [0, 0, 2]
        to = [3, 1, 1.5]
        length = 4
        swing = 30
        sway = -10
        waves = [{ magnitude = 0.1, frequency = 3, phase = 45, azimuth = 60 }]
        "#,
        1.0,
    );
    let mut rope = SuspendedRope::new(DVec3::new(0.0, 0.0, 2.0), DVec3::new(3.0, 1.0, 1.5), 4.0);
    rope.sag_direction =
        SagDirection::World { swing: ops::radians(30.0), sway: ops::radians(-10.0) };
    let wave = Wave {
        magnitude: 0.1,
        frequency: 3.0,
        phase: ops::radians(45.0),
        azimuth: ops::radians(60.0),
        envelope: Envelope::BOTH_ENDS,
    };
    rope.displacements = vec![wave.into()];
    assert_eq!(ours, rope.pose().unwrap().points);
}

#[test]
fn plain_words_are_aliases() {
    let with = |wave: &str| {
        points(
            &format!(
                "[[body]]\nname = \"a\"\nmodel = \"suspended-rope\"\nfrom = [0,0,0]\nto = [3,0,0]\nlength = 4\nwaves = [{{ {wave} }}]"
            ),
            7.0,
        )
    };
    assert_eq!(
        with("height = 0.1, ripples = 3, direction = 60, phase = 5"),
        with("magnitude = 0.1, frequency = 3, azimuth = 60, phase = 5")
    );
}

#[test]
fn travel_moves_ripples_towards_the_end() {
    let wave = |frame: f64, extra: &str| {
        points(
            &format!(
                "[[body]]\nname = \"a\"\nmodel = \"suspended-rope\"\nfrom = [0,0,0]\nto = [3,0,0]\nlength = 3.5\nwaves = [{{ height = 0.05, ripples = 2, {extra} }}]"
            ),
            frame,
        )
    };
    // Half a length per second: after 12 frames at 24 fps a quarter length, which is half a ripple.
    let (travelled, shifted) = (wave(12.0, "travel = 0.5"), wave(0.0, "phase = -180"));
    assert!(travelled.iter().zip(&shifted).all(|(a, b)| a.distance(*b) < 1e-12));
    // Keyed travel accumulates: the phase is an integral, not a product.
    let keyed = |frame| {
        wave(frame, "travel = { keys = [[0, 0.5], [12, 0.0]], interpolation = \"linear\" }")
    };
    let stopped = wave(0.0, "phase = -90");
    assert!(keyed(12.0).iter().zip(&stopped).all(|(a, b)| a.distance(*b) < 1e-9));
    assert_eq!(keyed(12.0), keyed(500.0));
}

#[test]
fn sag_is_a_length() {
    let by = |what: &str| {
        points(
            &format!(
                "[[body]]\nname = \"a\"\nmodel = \"suspended-rope\"\nfrom = [0,0,0]\nto = [3,0,0]\n{what}"
            ),
            1.0,
        )
    };
    assert_eq!(by("sag = 2"), by("length = 5"));
    let lowest = by("sag = 0.4\nsag-form = \"true\"").iter().map(|p| p.z).fold(0.0, f64::min);
    assert!((lowest + 0.4).abs() < 1e-9, "{lowest}");
}

#[test]
fn lights_have_two_wires_and_bulbs() {
    let scene = scene(
        "[[body]]\nname = \"lights\"\nmodel = \"string-of-lights\"\nfrom = [0,0,2]\nto = [3,0,2]\nsag = 0.3\nbulb-spacing = 0.25\n",
    );
    let body = &scene.evaluate(1.0).bodies[0];
    let names: Vec<&str> = body.strands.iter().map(|s| &*s.name).collect();
    assert_eq!(&names[..3], ["wire-1", "wire-2", "bulb-001"]);
    // √(9 + 4·0.09) = 3.059 m of wire, a bulb every 0.25 m.
    assert_eq!(body.strands.len(), 2 + 12);
    assert_ne!(body.strands[2].look.colour, body.strands[3].look.colour);
}

#[test]
fn a_strap_is_flat_and_twists() {
    use lariat_core::geometry::Profile;
    let scene = scene(
        "[[body]]\nname = \"strap\"\nmodel = \"strap\"\nfrom = [0,0,2]\nlength = 1\ntwist = 1.5\n",
    );
    let strand = &scene.evaluate(1.0).bodies[0].strands[0];
    assert!(matches!(strand.profile, Profile::Closed(_)));
    assert_eq!(strand.radius()[0], 0.02);
    assert!((strand.twist()[48] - 1.5 * TAU).abs() < 1e-12);
}

#[test]
fn a_torsion_wave_turns_but_does_not_move() {
    let with = |layers: &str| {
        scene(&format!("[[body]]\nname = \"strap\"\nmodel = \"strap\"\nfrom = [0,0,2]\nlength = 1\nlayers = [{layers}]")).evaluate(1.0).bodies.remove(0).strands.remove(0)
    };
    let (still, turned) = (with(""), with("{ kind = \"torsion-wave\", angle = 90, ripples = 1 }"));
    assert_eq!(still.points(), turned.points());
    let most = turned.twist().iter().copied().fold(0.0, f64::max);
    assert!((most - TAU / 4.0).abs() < 1e-9, "{most}");
}

#[test]
fn a_slinky_leaves_its_locators_squarely() {
    let scene = scene(
        r#"
        [[locator]]
        name = "front"
        position = [0, 0, 1]
        rotation = [0, 0, 90]
        [[locator]]
        name = "back"
        position = [0, 1.5, 1]
        rotation = [0, 0, 90]
        [[body]]
        name = "dog"
        model = "slinky"
        from = { locator = "front" }
        to = { locator = "back" }
        coils = 40
        coil-radius = 0.1
        "#,
    );
    let points = scene.evaluate(1.0).bodies[0].strands[0].points().to_vec();
    // The first coil lies in the plane normal to the locator's X axis, the world's Y.
    assert!(points[..24].iter().all(|p| p.y.abs() < 0.06), "{:?}", &points[..3]);
    assert!(
        points[..12].iter().any(|p| (p.x.abs() - 0.1).abs() < 0.02 || (p.z - 1.1).abs() < 0.02)
    );
}

#[test]
fn clamps_follow_moving_colliders() {
    let text = r#"
        [[collider]]
        name = "ball"
        shape = "sphere"
        centre = { keys = [[1, [1.5, 0, -5]], [10, [1.5, 0, 0]]], interpolation = "linear" }
        radius = 0.5
        [[body]]
        name = "line"
        model = "suspended-rope"
        from = [0, 0, 0.6]
        to = [3, 0, 0.6]
        length = 3.6
        radius = 0.02
        layers = [{ kind = "clamp", against = "ball" }]
    "#;
    let scene = scene(text);
    let before = scene.evaluate(1.0);
    let after = scene.evaluate(10.0);
    assert_ne!(before.bodies[0].strands[0].points(), after.bodies[0].strands[0].points());
    let centre = DVec3::new(1.5, 0.0, 0.0);
    assert!(after.bodies[0].strands[0].points().iter().all(|p| p.distance(centre) > 0.52 - 1e-9));
}

#[test]
fn reused_strands_keep_nothing_of_the_other_body() {
    use lariat_core::geometry::Footage;
    let ends = "from = [0, 0, 1]\nto = [2, 0, 1]\nlength = 2.5\n";
    let scene = scene(&format!(
        "[[body]]\nname = \"a\"\nmodel = \"string-of-lights\"\n{ends}\
         [[body]]\nname = \"b\"\nmodel = \"suspended-rope\"\nprofile = \"flat\"\nlook = \"steel\"\n{ends}\
         [[body]]\nname = \"c\"\nmodel = \"suspended-rope\"\n{ends}"
    ));
    let mut reused = Vec::new();
    for body in [0, 1, 2, 1, 0, 2] {
        Footage::strands(&scene, body, 3.0, &mut reused);
        let mut fresh = Vec::new();
        Footage::strands(&scene, body, 3.0, &mut fresh);
        assert_eq!(reused, fresh, "body {body}");
    }
}

#[test]
fn a_look_brings_its_colour_unless_another_is_given() {
    let colour = |lines: &str| {
        let scene = scene(&format!(
            "[[body]]\nname = \"a\"\nmodel = \"suspended-rope\"\nfrom = [0, 0, 2]\n\
             to = [3, 0, 2]\nlength = 4\n{lines}"
        ));
        scene.evaluate(1.0).bodies[0].strands[0].look.colour
    };
    let hemp = colour("");
    assert_eq!(colour("look = \"rope\""), hemp);
    assert_eq!(colour("look = \"steel\""), [0.52, 0.53, 0.55]);
    assert_eq!(colour("look = \"steel\"\ncolour = [0.1, 0.2, 0.3]"), [0.1, 0.2, 0.3]);
    // Cords and unknown looks have no natural colour: they keep that of the model.
    assert_eq!(colour("look = \"cord\""), hemp);
    assert_eq!(colour("look = \"stardust\""), hemp);
}
