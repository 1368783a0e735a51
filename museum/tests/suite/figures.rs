//! Statements of the paper about its figures hold for ours.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use glam::DVec3;
use lariat_museum::SCENES;
use lariat_scene::{Document, Table, Thing, Value};

use super::{apart, body, content, document, end, find, points, scene};

/// The figures of Barzel's paper that show ropes.
const FIGURES: [&str; 14] =
    ["2", "3", "4", "5", "6", "8", "10", "13", "16", "17", "18", "19", "20", "21"];

#[test]
fn every_figure_is_on_show() {
    for figure in FIGURES {
        let called = format!("Barzel 1997, figure {figure}");
        let shown = SCENES.iter().filter(|e| e.figure == Some(called.as_str()));
        let names: Vec<_> = shown.map(|e| e.name).collect();
        assert_eq!(names.len(), 1, "{called}: {names:?}");
        let number = format!("barzel-{figure:0>2}-");
        assert!(names[0].starts_with(&number), "{} shows figure {figure}", names[0]);
    }
}

/// Number of keys of every keyed parameter of a body, by its path below the body.
fn keys(document: &Document, body: &str) -> BTreeMap<String, usize> {
    fn walk(value: &Value, path: &str, found: &mut BTreeMap<String, usize>) {
        match value {
            Value::Table(table) => {
                if let Some(keys) = table.get("keys").and_then(Value::list) {
                    found.insert(path.to_owned(), keys.len());
                }
                for (name, value) in table.iter() {
                    let dot = if path.is_empty() { "" } else { "." };
                    walk(value, &format!("{path}{dot}{name}"), found);
                }
            }
            Value::List(list) => {
                for (i, value) in list.iter().enumerate() {
                    walk(value, &format!("{path}[{i}]"), found);
                }
            }
            _ => {}
        }
    }
    let (_, table) = document.find(Thing::Body, body).expect("the body is there");
    let mut found = BTreeMap::new();
    walk(&Value::Table(table.clone()), "", &mut found);
    found
}

/// "In the 30-frame scene of Fig. 17, only 8 key values were needed for the lights' sag parameter,
/// 3 for wave magnitude, and 4 for wave phase; the other parameters were constant."
#[test]
fn the_lights_have_the_keys_the_paper_reports() {
    let keyed = keys(&document("barzel-17-lights"), "lights");
    let reported = [("sag", 8), ("waves[0].magnitude", 3), ("waves[0].phase", 4)];
    assert_eq!(keyed, reported.map(|(path, count)| (path.to_owned(), count)).into());
    assert_eq!(content(find("barzel-17-lights")).lowered.shot.frame_count(), 30);
}

/// "In the 120-frame scene of Fig. 20, 4 key values were used for the Slinky's backbone wave
/// magnitude, 3 for its phase, 4 for compression wave magnitude, and 2 each for its frequency, and
/// phase; the other parameters were constant."
#[test]
fn the_slinky_has_the_keys_the_paper_reports() {
    let keyed = keys(&document("barzel-20-slinky"), "slinky");
    let reported = [
        ("waves[0].magnitude", 4),
        ("waves[0].phase", 3),
        ("coil-waves[0].magnitude", 4),
        ("coil-waves[0].frequency", 2),
        ("coil-waves[0].phase", 2),
    ];
    assert_eq!(keyed, reported.map(|(path, count)| (path.to_owned(), count)).into());
    assert_eq!(content(find("barzel-20-slinky")).lowered.shot.frame_count(), 120);
}

/// The parameters of a body that all panels share: without its place and one parameter of its wave.
fn all_but(body: &Table, parameter: &str) -> Table {
    let mut body = body.clone();
    for place in ["name", "from", "to"] {
        body.remove(place);
    }
    if let Some(Value::List(waves)) = body.get_mut("waves")
        && let Some(Value::Table(wave)) = waves.first_mut()
    {
        wave.remove(parameter);
    }
    body
}

#[test]
fn figures_3_to_6_vary_one_parameter_alone() {
    for (name, parameter) in [
        ("barzel-03-magnitude", "magnitude"),
        ("barzel-04-frequency", "frequency"),
        ("barzel-05-phase", "phase"),
        ("barzel-06-azimuth", "azimuth"),
    ] {
        let document = document(name);
        let is_rope =
            |body: &&Table| body.get("model") == Some(&"suspended-rope".to_owned().into());
        let bodies = document.things(Thing::Body).map(|(_, body)| body);
        let bodies: Vec<_> = bodies.filter(is_rope).collect();
        assert!(bodies.len() >= 5);
        for body in &bodies {
            assert_eq!(all_but(body, parameter), all_but(bodies[0], parameter), "{name}");
        }
    }
}

#[test]
fn the_lowered_rope_of_figure_8_rests_on_the_floor() {
    let scene = scene("barzel-08-loose");
    let radius = 0.03;
    let resting = |frame: f64| {
        points(&scene, "lowered", frame).iter().filter(|p| (p.z - radius).abs() < 1e-12).count()
    };
    assert_eq!(resting(1.0), 0);
    assert!(resting(72.0) > 12, "{} of 49 points lie", resting(72.0));
}

#[test]
fn the_lasso_of_figure_16_is_the_compound_of_its_parts() {
    let scene = scene("barzel-16-lasso");
    let beside = DVec3::X * 3.0;
    for frame in 1..=16 {
        let frame = f64::from(frame);
        let (lasso, by_hand) = (end(&scene, "lasso", frame), end(&scene, "by-hand", frame));
        assert!(lasso.distance(by_hand + beside) < 1e-7, "frame {frame}: {lasso} {by_hand}");
        let knot = points(&scene, "lasso", frame)[0];
        assert!(knot.distance(points(&scene, "hoop", frame)[0] + beside) < 1e-12, "frame {frame}");
    }
}

/// "Consider, for example, the frame-accurate choreography needed for the scene of Fig. 18."
#[test]
fn the_strap_of_figure_18_changes_hands_on_the_frame() {
    let scene = scene("barzel-18-strap");
    for frame in 1..=108 {
        let held = match frame {
            ..22 => "strap-swinging",
            22..47 => "strap-held",
            47.. => "strap-let-go",
        };
        for strap in ["strap-swinging", "strap-held", "strap-let-go"] {
            let visible = body(&scene, strap, f64::from(frame)).visible;
            assert_eq!(visible, strap == held, "{strap} on frame {frame}");
        }
    }
    // When one strap replaces another, their ends are at the same place.
    for (frame, before, after) in
        [(22.0, "strap-swinging", "strap-held"), (47.0, "strap-held", "strap-let-go")]
    {
        let gap = end(&scene, before, frame).distance(end(&scene, after, frame));
        assert!(gap < 0.01, "{before} to {after}: {gap} m");
    }
}

#[test]
fn the_lasso_of_figure_21_neither_gains_nor_loses_rope() {
    let content = content(find("barzel-21-lasso"));
    let lasso = &content.lowered.bodies[content.lowered.body_index("lasso").expect("it is there")];
    let (radius, length) = (lasso.scalar("hoop-radius"), lasso.scalar("length"));
    let (radius, length) = (radius.expect("given"), length.expect("given"));
    let rope = |frame: i64| {
        let t = content.lowered.shot.seconds(frame as f64);
        TAU * radius.at(t) + length.at(t)
    };
    for frame in 1..=132 {
        assert!((rope(frame) - rope(1)).abs() < 0.002, "frame {frame}: {} m", rope(frame));
    }
}

#[test]
fn jump_ropes_brush_the_floor_without_lying_on_it() {
    let scene = scene("jump-rope-double-dutch");
    for rope in ["near", "far"] {
        let turn = (0..160).map(|i| 1.0 + f64::from(i) / 10.0);
        let heights = turn.flat_map(|frame| points(&scene, rope, frame)).map(|p| p.z);
        let gap = heights.fold(f64::INFINITY, f64::min) - 0.02;
        assert!((1e-4..0.01).contains(&gap), "{rope}: {gap} m");
    }
}

#[test]
fn shrouds_of_the_ship_end_on_its_tops() {
    let scene = scene("ship-rigging");
    for frame in [1.0, 40.0, 73.0] {
        for mast in ["fore", "main"] {
            let top = points(&scene, &format!("{mast}-top"), frame);
            let along = top[1] - top[0];
            for (side, number) in
                ["port", "starboard"].into_iter().flat_map(|s| (1..=3).map(move |i| (s, i)))
            {
                let shroud = format!("{mast}-{side}-topmast-shroud-{number}");
                let foot = points(&scene, &shroud, frame)[0] - top[0];
                let share = foot.dot(along) / along.length_squared();
                assert!((0.0..=1.0).contains(&share), "{shroud} is {share} along the top");
                let aside = (foot - along * share).length();
                assert!(aside < 0.95, "{shroud} is {aside} m beside the top");
            }
        }
    }
}

#[test]
fn loops_close() {
    for name in [
        "barzel-02-suspended",
        "barzel-03-magnitude",
        "barzel-04-frequency",
        "barzel-05-phase",
        "barzel-06-azimuth",
        "barzel-10-coiled-cord",
        "barzel-13-spring",
        "barzel-16-lasso",
        "edge-compression",
        "edge-length",
        "edge-wire",
        "jump-rope-double-dutch",
        "layer-envelopes",
    ] {
        let scene = scene(name);
        let (first, after) = (scene.shot().first as f64, scene.shot().last as f64 + 1.0);
        let (a, b) = (scene.evaluate(first), scene.evaluate(after));
        for (i, (a, b)) in a.bodies.iter().zip(&b.bodies).enumerate() {
            assert_eq!(a.strands.len(), b.strands.len());
            for (a, b) in a.strands.iter().zip(&b.strands) {
                let gap = apart(a.points(), b.points());
                assert!(gap < 1e-9, "{} of {name} jumps by {gap} m", scene.body_name(i));
            }
        }
    }
}
