//! Bodies that are simulated: any frame in any order, at any frame rate, edited and resumed.

use glam::DVec3;
use lariat_eval::warning::{Overstretched, PoseMissed, TooShort};
use lariat_eval::{Evaluator, Scene, TakeEnd, TakeError, Warning};
use lariat_scene::edit::Edit;
use lariat_scene::{Limits, Value};

use crate::{document, load_take, scene};

/// A rope that is swung by a hand, over a floor, in gusts.
const SWUNG: &str = r#"
[shot]
fps = 24
frames = [1, 48]
[world]
wind = [1, 0.5, 0]
turbulence = 1
[[locator]]
name = "hand"
position = { keys = [[1, [0, 0, 1.2]], [24, [0.4, 0, 1.4]], [36, [0.4, 0.3, 1.2]]], interpolation = "linear" }
[[body]]
name = "rope"
model = "loose-rope"
from = { locator = "hand" }
length = 1.5
direction = [1, 0, -0.4]
floor = 0
[body.dynamics]
kind = "spline-rope"
control-points = 14
"#;

fn points(scene: &Scene, frame: f64) -> Vec<DVec3> {
    scene.evaluate(frame).bodies[0].strands[0].points().to_vec()
}

#[test]
fn frames_in_any_order_are_the_same_bits() {
    let (one, two) = (scene(SWUNG), scene(SWUNG));
    let forward: Vec<_> = (1..=48).map(|frame| points(&one, f64::from(frame))).collect();
    for frame in [30, 48, 1, 7, 29] {
        assert_eq!(points(&two, f64::from(frame)), forward[frame as usize - 1], "frame {frame}");
    }
    // It moves, keeps its length, stays above the floor, and is held by its hand.
    assert!(forward[0][48].distance(forward[20][48]) > 0.3);
    for (frame, points) in forward.iter().enumerate() {
        let long: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        assert!((long / 1.5 - 1.0).abs() < 0.01, "frame {frame}: {long}");
        assert!(points.iter().all(|p| p.z > 0.0), "frame {frame}");
    }
    assert!(forward[23][0].distance(DVec3::new(0.4, 0.0, 1.4)) < 1e-12);
}

/// A body of a model, simulated from frame 10.
fn let_go(model: &str, dynamics: &str) -> String {
    format!(
        "[shot]\nframes = [1, 60]\n[[body]]\nname = \"it\"\n{model}\n[body.dynamics]\nkind = \"spline-rope\"\nstart = 10\n{dynamics}\n"
    )
}

const WAVY: &str = "model = \"suspended-rope\"\nfrom = [0, 0, 2]\nto = [2, 0, 2]\nlength = 3\nwaves = [{ height = 0.05, ripples = 14 }]";
const COILED: &str = "model = \"spring\"\nfrom = [0, 0, 2]\nto = [1.5, 0, 2]";

#[test]
fn a_wavy_rope_starts_at_its_pose() {
    for model in [WAVY, COILED] {
        let scene = scene(&let_go(model, ""));
        let (posed, let_go) = (points(&scene, 9.999), points(&scene, 10.0));
        assert_eq!(posed.len(), let_go.len(), "{model}");
        let jump = posed.iter().zip(&let_go).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(jump < 0.005, "{model}: {jump} m");
        assert_eq!(scene.evaluate(11.0).bodies[0].warnings, []);
    }
    // Too few given control points are used, with a warning.
    let scene = scene(&let_go(COILED, "control-points = 32"));
    let reported = scene.evaluate(10.0).bodies[0].warnings.clone();
    let [warning] = reported.as_slice() else { panic!("{reported:?}") };
    let missed = warning.get::<PoseMissed>().expect("the pose is missed").missed;
    assert!((0.02..0.2).contains(&missed), "{missed}");
}

#[test]
fn an_overstretched_rope_is_reported() {
    let hung = "model = \"loose-rope\"\nfrom = [0, 0, 2]\nlength = 1.5";
    for (kilograms, warnings) in [(1.0, 0), (1e6, 1)] {
        let weight = format!("weights = [{{ at = 1, mass = {kilograms} }}]");
        let scene = scene(&let_go(hung, &weight));
        let reported = scene.evaluate(60.0).bodies[0].warnings.clone();
        let stretched = |w: &&Warning| w.get::<Overstretched>().is_some();
        assert_eq!(
            reported.iter().filter(stretched).count(),
            warnings,
            "{kilograms} kg: {reported:?}"
        );
    }
}

#[test]
fn the_frame_rate_does_not_change_the_motion() {
    let at_60 = SWUNG
        .replace("fps = 24", "fps = 60")
        .replace("frames = [1, 48]", "frames = [1, 120]")
        .replace(
            "[[1, [0, 0, 1.2]], [24, [0.4, 0, 1.4]], [36, [0.4, 0.3, 1.2]]]",
            "[[2.5, [0, 0, 1.2]], [60, [0.4, 0, 1.4]], [90, [0.4, 0.3, 1.2]]]",
        )
        .replace("kind = \"spline-rope\"", "kind = \"spline-rope\"\nstart = 2.5");
    let (film, video) = (scene(SWUNG), scene(&at_60));
    for frame in [2.0, 12.0, 24.0, 40.0] {
        let pairs = points(&film, frame).into_iter().zip(points(&video, frame * 2.5));
        let worst = pairs.map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
        assert!(worst < 1e-9, "frame {frame}: {worst:e}");
    }
}

#[test]
fn a_body_is_posed_until_its_start_and_starts_with_its_velocity() {
    let text = r#"
[[body]]
name = "rope"
model = "loose-rope"
from = { keys = [[1, [0, 0, 5]], [25, [2, 0, 5]]], interpolation = "linear" }
length = 1
[body.dynamics]
kind = "spline-rope"
start = 13
hold-start = false
air-drag = 0
"#;
    let scene = scene(text);
    assert_eq!(scene.simulated_from(0), Some(13.0));
    let before = points(&scene, 12.0);
    assert!((before[0].x - 2.0 * 11.0 / 24.0).abs() < 1e-9);
    // Half a second later it is where a stone thrown at 2 m/s would be.
    let after = points(&scene, 25.0);
    let (x, z) = (1.0 + 2.0 * 0.5, 5.0 - 0.5 * 9.81 * 0.25);
    assert!(after[0].distance(DVec3::new(x, 0.0, z)) < 1e-6, "{}", after[0]);
}

#[test]
fn an_edit_restarts_a_simulation_at_the_first_frame_it_affects() {
    let mut evaluator = Evaluator::new(document(SWUNG), Limits::default(), 96);
    let moved = Value::List(vec![Value::from(0.9), Value::from(0.0), Value::from(1.0)]);
    let edit = Edit::SetKey {
        channel: "locator.hand.position".parse().unwrap(),
        frame: 36.0,
        value: moved,
    };
    let before: Vec<_> = (1..=48).map(|f| evaluator.at(f64::from(f)).bodies[0].clone()).collect();
    evaluator.apply(&edit).unwrap();
    let mut fresh = Evaluator::new(evaluator.document().clone(), Limits::default(), 96);
    for frame in (1..=48_u32).rev() {
        let edited = evaluator.at(f64::from(frame)).bodies[0].clone();
        assert!(edited == fresh.at(f64::from(frame)).bodies[0], "frame {frame}");
        let same = edited == before[frame as usize - 1];
        // Linear keys: the hand moves differently from frame 24 on.
        assert_eq!(same, frame <= 24, "frame {frame}");
    }
}

#[test]
fn looks_and_the_end_of_the_shot_leave_a_simulation_unchanged() {
    let mut evaluator = Evaluator::new(document(SWUNG), Limits::default(), 96);
    let before = evaluator.at(48.0).bodies[0].clone();
    let reached = evaluator.scene().simulation(0).unwrap().to;
    assert!(reached >= 48.0, "{reached}");
    let set = |path: &str, value: Value| Edit::Set { path: path.parse().unwrap(), value };
    let numbers = |numbers: [f64; 2]| Value::List(numbers.map(Value::from).to_vec());
    let edits = [
        set("body[0].colour", Value::from("#ff0000")),
        set("body[0].look", Value::from("leather")),
        set("body[0].frayed", Value::from("end")),
        set("body[0].visible", Value::from(false)),
        set("body[0].visible", Value::from(true)),
        set("shot.frames", numbers([1.0, 96.0])),
        set("shot.frames", numbers([1.0, 24.0])),
        set("shot.frames", numbers([1.0, 96.0])),
    ];
    for edit in &edits {
        evaluator.apply(edit).unwrap();
        assert!(evaluator.diagnostics().is_empty(), "{edit:?}: {:?}", evaluator.diagnostics());
        // Progress without any further step.
        assert_eq!(evaluator.scene().simulation(0).unwrap().to, reached, "{edit:?}");
    }
    // It is drawn with its new look, and continues from its last state.
    let after = evaluator.at(48.0).bodies[0].clone();
    assert!(after != before, "its colour has changed");
    assert_eq!(after.strands[0].points(), before.strands[0].points());
    let mut fresh = Evaluator::new(evaluator.document().clone(), Limits::default(), 96);
    for frame in [48.0, 96.0, 60.5] {
        assert!(evaluator.at(frame).bodies == fresh.at(frame).bodies, "frame {frame}");
    }
    // Another first frame or frame rate restarts the simulation.
    for edit in [set("shot.frames", numbers([5.0, 96.0])), set("shot.fps", Value::from(25.0))] {
        assert!(evaluator.scene().simulation(0).unwrap().to >= 96.0, "{edit:?}");
        evaluator.apply(&edit).unwrap();
        let run = evaluator.scene().simulation(0).unwrap();
        assert_eq!(run.to, run.from, "{edit:?}");
        let mut fresh = Evaluator::new(evaluator.document().clone(), Limits::default(), 96);
        assert!(evaluator.at(96.0).bodies == fresh.at(96.0).bodies, "{edit:?}");
    }
}

#[test]
fn a_truncated_take_resumes_with_the_same_bits() {
    let hash = document(SWUNG).motion_hash();
    let whole = scene(SWUNG);
    assert!(whole.simulate(0, 48.0, |_| true));
    let bytes = whole.take_bytes(0, hash);

    let resumed = scene(SWUNG);
    let (end, reached) = load_take(&resumed, 0, hash, &bytes[..bytes.len() * 2 / 3]).unwrap();
    assert!(end == TakeEnd::CutShort && reached > 20.0 && reached < 40.0, "{end:?} {reached}");
    for frame in [3.0, 47.5, 48.0, 20.25] {
        assert_eq!(points(&resumed, frame), points(&whole, frame), "frame {frame}");
    }
    let other = scene(&SWUNG.replace("length = 1.5", "length = 1.6"));
    let changed = document(&SWUNG.replace("length = 1.5", "length = 1.6")).motion_hash();
    assert_eq!(load_take(&other, 0, changed, &bytes).unwrap_err(), TakeError::OtherDocument);
    // Colours and the end of the shot do not affect the motion.
    let dressed = SWUNG.replace("floor = 0", "floor = 0\ncolour = \"#aa0000\"");
    assert_eq!(document(&dressed.replace("[1, 48]", "[1, 96]")).motion_hash(), hash);
}

#[test]
fn a_run_can_be_cancelled_and_resumed() {
    let scene = scene(SWUNG);
    assert_eq!(scene.simulation(0).map(|run| (run.from, run.to)), Some((1.0, 1.0)));
    let mut reported = Vec::new();
    let left = scene.simulate(0, 48.0, |frame| {
        reported.push(frame);
        frame < 20.0
    });
    assert!(!left && reported.len() > 100 && *reported.last().unwrap() >= 20.0);
    assert_eq!(scene.simulation(0).unwrap().to, *reported.last().unwrap());
    assert!(scene.simulate(0, 48.0, |_| true));
    let run = scene.simulation(0).unwrap();
    assert!(run.to >= 48.0 && run.to < 48.2 && !run.stopped, "{run:?}");
}

#[test]
fn a_progress_callback_may_evaluate_the_scene() {
    let (watched, quiet) = (scene(SWUNG), scene(SWUNG));
    let (send, receive) = std::sync::mpsc::channel();
    // On another thread, so that a deadlock fails the test.
    std::thread::spawn(move || {
        let mut evaluated = Vec::new();
        assert!(watched.simulate(0, 12.0, |frame| {
            // The frame that is reached, and the next one.
            evaluated.push((points(&watched, frame), points(&watched, frame + 1.0)));
            true
        }));
        send.send((evaluated.len(), points(&watched, 12.0))).expect("the test waits");
    });
    let (calls, at_12) = receive
        .recv_timeout(std::time::Duration::from_mins(1))
        .expect("it must not wait for itself");
    // Every call advances the simulation by a frame.
    assert!((10..=24).contains(&calls), "{calls}");
    assert_eq!(at_12, points(&quiet, 12.0));
}

#[test]
fn a_rope_can_hang_on_one_that_is_simulated() {
    let text = format!(
        "{SWUNG}\n[[body]]\nname = \"tassel\"\nmodel = \"loose-rope\"\nlength = 0.3\n\
         from = {{ body = \"rope\", at = 1 }}\ndynamics = \"spline-rope\"\n"
    );
    let scene = scene(&text);
    assert_eq!(scene.simulated(), [0, 1]);
    assert_eq!(scene.simulated_groups(), [[0], [1]]);
    for frame in [40.0, 11.5] {
        let moment = scene.evaluate(frame);
        let (rope, tassel) = (&moment.bodies[0].strands[0], &moment.bodies[1].strands[0]);
        let apart = rope.points()[48].distance(tassel.points()[0]);
        assert!(apart < 1e-3, "frame {frame}: {apart}");
    }
}

#[test]
fn bodies_not_attached_to_each_other_share_a_group() {
    let rope = |name: &str, from: &str, how: &str| {
        format!(
            "[[body]]\nname = '{name}'\nmodel = 'loose-rope'\nfrom = {from}\nlength = 1\n{how}\n"
        )
    };
    let dynamics = "dynamics = 'spline-rope'";
    // Bodies that are only posed do not count: `d` hangs on `c`, which depends on no simulation.
    let text = [
        rope("a", "[0, 0, 2]", dynamics),
        rope("b", "{ body = 'a', at = 1 }", dynamics),
        rope("c", "[1, 0, 2]", ""),
        rope("d", "{ body = 'c', at = 1 }", dynamics),
    ];
    assert_eq!(scene(&text.concat()).simulated_groups(), [vec![0, 3], vec![1]]);
}

#[test]
fn a_loaded_take_warns_about_long_steps_like_its_run() {
    let text = "[shot]\nframes = [1, 4]\n[[body]]\nname = 'rope'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\n\
                length = 1\n[body.dynamics]\nkind = 'spline-rope'\nmethod = 'published'\nrate = 60\n\
                control-points = 8\nmaterial = 'rubber'\nviscosity = 2\n";
    let (run, loaded) = (scene(text), scene(text));
    let moment = run.evaluate(4.0).bodies[0].clone();
    assert!(!moment.warnings.is_empty(), "its steps are too long");
    let bytes = run.take_bytes(0, 7);
    load_take(&loaded, 0, 7, &bytes).unwrap();
    assert!(loaded.evaluate(4.0).bodies[0] == moment);
}

/// Half a second of a soft rope, released horizontally, by a method.
fn let_go_by(method: &str) -> String {
    format!(
        "[shot]\nframes = [1, 12]\n[[body]]\nname = 'rope'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\n\
         direction = [1, 0, 0]\nlength = 1\n[body.dynamics]\nkind = 'spline-rope'\nmethod = '{method}'\n\
         control-points = 8\nstretch-stiffness = 100\nmass-per-metre = 0.2\nviscosity = 2\nrate = 2000\n"
    )
}

#[test]
fn a_published_rope_is_stepped_by_the_papers_simulator() {
    let [published, ours] = ["published", "implicit"].map(|method| {
        let scene = scene(&let_go_by(method));
        scene.evaluate(12.0).bodies[0].strands[0].points().to_vec()
    });
    // A pin that is a spring gives by millimetres; ours is exact up to rounding.
    let held = |points: &[DVec3]| points[0].distance(DVec3::Z * 2.0);
    assert!(held(&ours) < 1e-9, "{}", held(&ours));
    assert!((1e-4..0.1).contains(&held(&published)), "{}", held(&published));
    // Both fall nearly alike.
    let tips = [published[48], ours[48]];
    assert!(tips[0].z < 1.6 && tips[0].distance(tips[1]) < 0.2, "{tips:?}");
}

#[test]
fn a_published_take_continues_with_the_same_bits() {
    let text = let_go_by("published");
    let (whole, cut, resumed) = (scene(&text), scene(&text), scene(&text));
    cut.evaluate(8.0);
    let bytes = cut.take_bytes(0, 7);
    load_take(&resumed, 0, 7, &bytes).unwrap();
    assert!(resumed.evaluate(12.0).bodies == whole.evaluate(12.0).bodies);
}

#[test]
fn a_rope_that_cannot_start_keeps_its_pose() {
    let rope = |name: &str, x: f64, dynamics: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nmodel = \"loose-rope\"\nfrom = [{x}, 0, 2]\nlength = 1\n\
             dynamics = {{ kind = \"spline-rope\", {dynamics} }}\n"
        )
    };
    // Without viscosity, no explicit step is short enough.
    let text = rope("a", 0.0, "control-points = 8")
        + &rope("b", 5.0, "control-points = 64, method = \"published\"");
    let scene = scene(&text);
    let moment = scene.evaluate(20.0);
    assert_eq!(moment.bodies[1].strands[0].points()[0], DVec3::new(5.0, 0.0, 2.0));
    assert!(moment.bodies[1].warnings.iter().any(|w| w.code().name() == "L0660"));
}

#[test]
fn a_free_end_is_held_where_its_model_puts_it() {
    let text = r#"
[[body]]
name = "rope"
model = "loose-rope"
from = [0, 0, 2]
direction = [1, 0, 0]
length = 1
[body.dynamics]
kind = "spline-rope"
hold-end = true
"#;
    let scene = scene(text);
    let end = scene.evaluate(40.0).bodies[0].strands[0].points()[48];
    assert!(end.distance(DVec3::new(1.0, 0.0, 2.0)) < 1e-12, "{end}");
}

#[test]
fn a_rope_too_short_for_its_gap_is_reported_and_keeps_its_length() {
    let scene = scene(
        "[shot]\nframes = [1, 60]\n[[body]]\nname = 'rope'\nmodel = 'suspended-rope'\n\
         from = [0, 0, 2]\nto = [5, 0, 2]\nlength = 4.6\nradius = 0.01\n\
         [body.dynamics]\nkind = 'spline-rope'\nmaterial = 'rubber'\n\
         hold-end = { keys = [[1, true], [12, false]] }\n",
    );
    let short = |frame: f64| {
        let moment = scene.evaluate(frame);
        let too_short = |w: &Warning| w.get() == Some(&TooShort { length: 4.6, gap: 5.0 });
        moment.bodies[0].warnings.iter().any(too_short)
    };
    assert!(short(1.0), "{:?}", scene.evaluate(1.0).bodies[0].warnings);
    assert!(!short(2.0) && !short(30.0), "reported once, at its start");
    let long = |frame: f64| -> f64 {
        points(&scene, frame).windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    };
    assert!((long(1.0) - 5.0).abs() < 1e-3, "held that far apart: {}", long(1.0));
    // Rubber stretches a little under its own weight.
    assert!(long(60.0) < 4.9, "released, it has its rest length: {}", long(60.0));
}

#[test]
fn a_rope_does_not_fall_through_a_nail() {
    let scene = scene(
        "[shot]\nframes = [1, 40]\n[[collider]]\nname = 'nail'\nshape = 'cylinder'\n\
         from = [0.017, -0.2, 1]\nto = [0.017, 0.2, 1]\nradius = 0.004\n\
         [[body]]\nname = 'rope'\nmodel = 'suspended-rope'\nfrom = [-1.1, 0, 1.1]\nto = [1.1, 0, 1.1]\n\
         sag = 0.001\nradius = 0.006\nlayers = [{ kind = 'clamp', against = 'nail' }]\n\
         [body.dynamics]\nkind = 'spline-rope'\nhold-start = false\nhold-end = false\n",
    );
    // Half a second later it hangs over the nail.
    let top = points(&scene, 20.0).iter().map(|p| p.z).fold(f64::MIN, f64::max);
    assert!((1.0..1.02).contains(&top), "{top}");
}

/// Bodies of every model that can be simulated; their start moves until frame 6.
const SIMULATED: [(&str, &str); 10] = [
    ("suspended-rope", "length = 2"),
    ("jump-rope", "length = 2"),
    ("string-of-lights", "length = 4.5\npair-turns = 20"),
    ("string-of-lights", "sag = 0.4\npair-turns = 20"),
    ("coiled-cord", "wire-length = 6"),
    ("spring", "coils = 6"),
    ("slinky", "coils = 6"),
    ("loose-rope", "length = 1"),
    ("strap", "length = 1"),
    ("tail", "length = 1"),
];

#[test]
fn a_body_without_tears_has_the_same_points_in_every_frame() {
    for (model, more) in SIMULATED {
        let start = "{ keys = [[1, [0, 0, 2]], [6, [0.3, 0, 2]]] }";
        let ends = match model {
            "loose-rope" | "strap" | "tail" => format!("from = {start}"),
            _ => format!("from = {start}\nto = [1.5, 0, 2]"),
        };
        for dynamics in [
            "kind = 'spline-rope', control-points = 32",
            "kind = 'string', segments = 40, contact = false, tears = false",
        ] {
            let body = format!(
                "[shot]\nframes = [1, 9]\n[[body]]\nname = 'it'\nmodel = '{model}'\n{ends}\n{more}\n\
                 dynamics = {{ {dynamics}, start = 4 }}\n"
            );
            let scene = scene(&body);
            let points = |frame: u32| -> Vec<(String, usize)> {
                let strands = &scene.evaluate(f64::from(frame)).bodies[0].strands;
                strands.iter().map(|s| (s.name.to_string(), s.points().len())).collect()
            };
            let first = points(1);
            assert!(!first.is_empty(), "{model}");
            for frame in 2..=9 {
                assert_eq!(points(frame), first, "{model}, {dynamics}: frame {frame}");
            }
        }
    }
}
