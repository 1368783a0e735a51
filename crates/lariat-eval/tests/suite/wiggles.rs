//! Wiggly curves in documents: tails, fields on ropes and meshes, and parameters that follow.

use glam::DVec3;
use lariat_core::num::{complex, ops};
use lariat_eval::{Assets, Evaluator, MemoryFiles, Scene};
use lariat_scene::check::{Code, check};
use lariat_scene::lower::{ParameterChannel, parameter};
use lariat_scene::{Edit, Limits, Path, Value, format};
use num_complex::Complex64;

use super::meshes::BELLY;
use super::{lowered, scene};

const SWING: &str = "{ wiggle = [[1, 0], [18, 60], [50, -40]], hertz = 1.2, swings = 3 }";

/// Phasor of a parameter at a frame.
fn phasor(text: &str, name: &str, frame: f64) -> Complex64 {
    let document = format::read(&format!("lariat = 2\n{text}")).expect("it is TOML").document;
    let found = parameter(&document, &Limits::DEFAULT, name).expect("it is there");
    let ParameterChannel::Number(channel) = found.channel else { panic!("{found:?}") };
    channel.phasor(0, frame / 24.0).expect("it oscillates")
}

fn tail(lines: &str) -> String {
    format!(
        "[[body]]\nname = \"tail\"\nmodel = \"tail\"\nfrom = [0, 0, 1]\ndirection = [1, 0, 0]\nlength = 1\nswing = {SWING}\n{lines}\n"
    )
}

/// Sideways angle of the end of the tail, in degrees.
fn turned(scene: &Scene, frame: f64) -> f64 {
    let moment = scene.evaluate(frame);
    let points = moment.bodies[0].strands[0].points();
    let end = points[points.len() - 1] - points[points.len() - 2];
    // Sideways is towards -Y for a tail along X.
    ops::atan2(-end.y, end.x).to_degrees()
}

#[test]
fn a_tail_without_lag_bends_as_a_whole() {
    let text = tail("lag = 0");
    let scene = scene(&text);
    for frame in [18.0, 25.0, 50.0] {
        let swing = phasor(&text, "tail.swing", frame).re;
        // The last link is half a link short of the full bend.
        assert!((turned(&scene, frame) - swing).abs() < 0.02 * swing.abs() + 0.1, "{frame}");
    }
    assert!(turned(&scene, 1.0).abs() < 1e-9);
}

#[test]
fn a_tails_tip_lags_behind_its_base() {
    // The lag over the whole tail is a quarter swing: the end turns by the sum of its joints.
    let text = tail("lag = 90\npace = \"even\"\ntaper = [[0, 1], [1, 1]]\njoints = 50");
    let scene = scene(&text);
    for frame in [24.0, 37.0] {
        let x = phasor(&text, "tail.swing", frame);
        let sum: f64 = (0..50)
            .map(|k| (x * complex::cis(-ops::radians(90.0 * f64::from(k) / 49.0))).re / 50.0)
            .sum();
        let end = turned(&scene, frame);
        assert!((end - sum).abs() < 1.0, "at {frame}: {end} for {sum}");
    }
}

#[test]
fn a_tail_keeps_its_length_and_its_base() {
    let scene = scene(&tail("lag = 200\nlift = { follow = \"tail.swing\", lag = 90, gain = 0.3 }"));
    for frame in [1.0, 20.0, 33.5] {
        let moment = scene.evaluate(frame);
        let points = moment.bodies[0].strands[0].points();
        let length: f64 = points.windows(2).map(|w| w[0].distance(w[1])).sum();
        assert!((length - 1.0).abs() < 2e-3, "{length}");
        assert_eq!(points[0], DVec3::Z);
    }
}

#[test]
fn the_pace_of_a_hanging_rope_needs_no_lag() {
    let hung = scene(&tail("pace = \"weight\""));
    assert_ne!(turned(&hung, 30.0), turned(&scene(&tail("lag = 0")), 30.0));
}

#[test]
fn by_weight_lift_and_swing_lag_by_their_frequencies() {
    let lifted = |swing: &str| {
        scene(&format!(
            "[[body]]\nname = \"tail\"\nmodel = \"tail\"\nfrom = [0, 0, 1]\ndirection = [1, 0, 0]\nlength = 1\npace = \"weight\"\nlift = {{ wiggle = [[1, 0], [18, 60], [50, -40]], hertz = 1 }}\n{swing}\n"
        ))
    };
    // A faster swing with amplitude 0.
    let (alone, beside) = (lifted(""), lifted("swing = { wiggle = [[1, 0], [9, 0]], hertz = 3 }"));
    for frame in [12.0, 30.0, 41.0] {
        let ends = [&alone, &beside].map(|scene| {
            let moment = scene.evaluate(frame);
            moment.bodies[0].strands[0].points().last().copied().expect("it has points")
        });
        assert!(ends[0].distance(ends[1]) < 1e-12, "frame {frame}: {ends:?}");
    }
}

#[test]
fn a_field_on_a_rope_is_equation_21() {
    let drive = "{ wiggle = [[1, 0], [12, 0.1], [40, -0.05]], hertz = 1.5, swings = 4 }";
    let rope = |slosh: f64| {
        format!(
            "[[body]]\nname = \"lead\"\nmodel = \"loose-rope\"\nfrom = [0, 0, 2]\nlength = 1\nsamples = 97\nkeep-length = false\nlayers = [{{ kind = \"jiggle\", drive = {drive}, amplitude = \"u^2\", lag = \"150 * u\", slosh = {slosh}, envelope = \"flat\" }}]\n"
        )
    };
    for slosh in [0.0, 1.0, 2.3] {
        let text = rope(slosh);
        let moment = scene(&text).evaluate(21.0);
        let x = phasor(&text, "lead.layers[0].drive", 21.0);
        let points = moment.bodies[0].strands[0].points();
        for i in [10, 48, 90, 96] {
            let u = i as f64 / 96.0;
            let (a, phi) = (u * u, -ops::radians(150.0 * u));
            // Equations 22 and 23 as published, then 21.
            let scaled = Complex64::new(a * ops::cos(phi), slosh * a * ops::sin(phi));
            let (amplitude, phase) = (complex::abs(scaled), complex::arg(scaled));
            let (r, theta) = (complex::abs(x), complex::arg(x));
            let by_paper = r * amplitude * ops::cos(phase + theta);
            // Azimuth 0 of a rope that hangs down is along X.
            assert!((points[i].x - by_paper).abs() < 1e-6, "slosh {slosh}, u {u}");
        }
    }
}

fn belly(jiggle: &str) -> Scene {
    let text = format!(
        "[[body]]\nname = \"belly\"\nmodel = \"mesh\"\nfile = \"belly.obj\"\njiggles = [{jiggle}]\n"
    );
    let lowered = lowered(&text);
    let assets =
        Assets::load(&lowered, &Limits::DEFAULT, &MemoryFiles::default().with("belly.obj", BELLY));
    assert_eq!(assets.diagnostics(&lowered, &Limits::DEFAULT), []);
    Scene::bind_with(&lowered, &assets)
}

fn points(scene: &Scene, frame: f64) -> Vec<DVec3> {
    scene.evaluate(frame).bodies[0].mesh.as_ref().expect("it is a mesh").points().to_vec()
}

#[test]
fn a_mesh_jiggles_by_formula_and_by_its_attributes() {
    let drive = "{ wiggle = [[1, 0], [12, 0.1]], hertz = 2 }";
    let by_formula = belly(&format!("{{ drive = {drive}, amplitude = \"x / 3\" }}"));
    let (rest, moved) = (points(&by_formula, 1.0), points(&by_formula, 12.0));
    assert_eq!(rest[1], DVec3::X * 3.0);
    assert!(moved[1].distance(DVec3::new(3.0, 0.0, 0.1)) < 1e-12, "{}", moved[1]);
    assert_eq!(moved[2], rest[2], "amplitude 0 stays");
    // Its green is 1 at the second point and at the last.
    let painted = points(
        &belly(&format!("{{ drive = {drive}, amplitude = \"green\", direction = [0, 1, 0] }}")),
        12.0,
    );
    assert!((painted[1].y - 0.1).abs() < 1e-12 && (painted[3].y - 0.1).abs() < 1e-12);
    assert_eq!(painted[2].y, 2.0);
}

/// Directions and formulas are in the axes of the document, whatever is up in the file.
#[test]
fn a_jiggle_uses_the_axes_of_the_document() {
    const TOWER: &str = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\n";
    let text = "[[body]]\nname = \"tower\"\nmodel = \"mesh\"\nfile = \"tower.obj\"\nup = \"y\"\n\
                jiggles = [{ drive = { wiggle = [[1, 0], [12, 0.1]], hertz = 2 }, amplitude = \"z / 2\" }]";
    let lowered = lowered(text);
    let files = MemoryFiles::default().with("tower.obj", TOWER);
    let scene = Scene::bind_with(&lowered, &Assets::load(&lowered, &Limits::DEFAULT, &files));
    let (rest, moved) = (points(&scene, 1.0), points(&scene, 12.0));
    // Y of the file becomes Z, and its Z becomes −Y.
    assert_eq!(rest[2], DVec3::Z * 2.0);
    assert_eq!(rest[3], -DVec3::Y);
    assert!(moved[2].distance(DVec3::Z * 2.1) < 1e-12, "{}", moved[2]);
    assert_eq!((moved[1], moved[3]), (rest[1], rest[3]), "at height 0 nothing moves");
}

#[test]
fn jiggles_add_up_and_normals_follow() {
    let drive = "{ wiggle = [[1, 0], [12, 0.1]], hertz = 2 }";
    let twice = belly(&format!("{{ drive = {drive} }}, {{ drive = {drive} }}"));
    assert!((points(&twice, 12.0)[0].z - 0.2).abs() < 1e-12);
    let along = belly(&format!("{{ drive = {drive}, along = \"normal\" }}"));
    let (rest, moved) = (along.evaluate(1.0), along.evaluate(12.0));
    let (rest, moved) =
        (rest.bodies[0].mesh.clone().unwrap(), moved.bodies[0].mesh.clone().unwrap());
    for i in 0..4 {
        let displacement = moved.points()[i] - rest.points()[i];
        assert!(displacement.distance(rest.normals()[i] * 0.1) < 1e-12);
    }
}

#[test]
fn a_formula_that_cannot_be_read_is_reported_on_a_mesh_too() {
    for (formula, says) in [("red*(1+", "column 8"), ("smothstep(0, 1, z)", "`smoothstep`")] {
        let text = format!(
            "lariat = 2\n[[body]]\nname = \"belly\"\nmodel = \"mesh\"\nfile = \"belly.obj\"\njiggles = [{{ drive = 1, amplitude = \"{formula}\" }}]\n"
        );
        let content = check(text.as_bytes(), &Limits::DEFAULT).content.unwrap();
        let files = MemoryFiles::default().with("belly.obj", BELLY);
        let assets = Assets::load(&content.lowered, &Limits::DEFAULT, &files);
        let diagnostics = assets.diagnostics(&content.lowered, &Limits::DEFAULT);
        assert_eq!(diagnostics.iter().map(|f| f.code).collect::<Vec<_>>(), [Code::InvalidFormula]);
        let message = &diagnostics[0].message;
        assert!(message.contains("cannot be read") && message.contains(says), "{message}");
    }
}

#[test]
fn a_formula_undefined_on_a_mesh_is_reported() {
    let text = "lariat = 2\n[[body]]\nname = \"belly\"\nmodel = \"mesh\"\nfile = \"belly.obj\"\njiggles = [{ drive = 1, amplitude = \"sqrt(x - 1)\" }]\n";
    let content = check(text.as_bytes(), &Limits::DEFAULT).content.unwrap();
    let files = MemoryFiles::default().with("belly.obj", BELLY);
    let assets = Assets::load(&content.lowered, &Limits::DEFAULT, &files);
    let diagnostics = assets.diagnostics(&content.lowered, &Limits::DEFAULT);
    assert_eq!(diagnostics.iter().map(|f| f.code).collect::<Vec<_>>(), [Code::FormulaFails]);
    assert!(diagnostics[0].message.contains("point 0"), "{}", diagnostics[0].message);
    // The mesh is drawn at rest.
    let scene = Scene::bind_with(&content.lowered, &assets);
    assert_eq!(points(&scene, 9.0)[1], DVec3::X * 3.0);
}

#[test]
fn an_edit_of_a_leader_moves_its_followers() {
    let text = format!(
        "lariat = 2\n{}[[body]]\nname = \"rope\"\nmodel = \"suspended-rope\"\nfrom = [0, 2, 1]\nto = [1, 2, 1]\nlength = 1.5\nswing = {{ follow = \"tail.swing\", lag = 40 }}\n",
        tail("")
    );
    let document = format::read(&text).unwrap().document;
    let mut evaluator = Evaluator::new(document, Limits::DEFAULT, 8);
    let before = evaluator.at(30.0).bodies[1].strands[0].points().to_vec();
    let channel: Path = "body.tail.swing".parse().unwrap();
    let edit = Edit::SetKey { channel, frame: 18.0, value: Value::from(20) };
    evaluator.apply(&edit).unwrap();
    let after = evaluator.at(30.0).bodies[1].strands[0].points().to_vec();
    assert_ne!(before, after);
    let fresh = Scene::bind(
        &lariat_scene::lower::lower(
            evaluator.document(),
            &lariat_scene::Places::none(),
            &Limits::DEFAULT,
        )
        .0,
    );
    assert_eq!(fresh.evaluate(30.0).bodies[1].strands[0].points(), after);
}
