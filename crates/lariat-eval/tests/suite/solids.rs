//! Solids that move by forces, alone and tied to strings: any frame in any order, and resumed.

use glam::DVec3;
use lariat_core::geometry::Tension;
use lariat_core::num::ops;
use lariat_eval::{Evaluator, Scene, TakeWriter};
use lariat_scene::edit::Edit;
use lariat_scene::{Document, Limits, Value};

use crate::scene;

/// A crate swings on a string that it was thrown with, over a floor; a ball rolls under it.
const SWING: &str = r#"
[shot]
fps = 24
frames = [1, 36]
[[body]]
name = "crate"
model = "solid"
size = [0.2, 0.2, 0.1]
position = [0, 0, 0.45]
[body.dynamics]
kind = "rigid"
mass = 1.5
velocity = [0.8, 0, 0]
floor = 0
[[body]]
name = "line"
model = "suspended-rope"
from = [0, 0, 1]
to = { body = "crate", offset = [0, 0, 0.05] }
length = 0.5
radius = 0.003
[body.dynamics]
kind = "string"
segments = 10
[[body]]
name = "ball"
model = "solid"
shape = "ball"
radius = 0.1
position = { keys = [[1, [-0.5, 0.02, 0.1]], [12, [-0.3, 0.02, 0.1]]], interpolation = "linear" }
[body.dynamics]
kind = "rigid"
density = 200
bounce = 0.3
start = 8
floor = 0
[[body]]
name = "flag"
model = "loose-rope"
from = { body = "crate", offset = [0.1, 0, 0] }
length = 0.1
"#;

fn document(text: &str) -> Document {
    let text = format!("lariat = 1\n{text}");
    lariat_scene::format::read(&text).expect("it is TOML").document
}

/// The middle of a solid: that of its points.
fn middle(scene: &Scene, body: usize, frame: f64) -> DVec3 {
    let moment = scene.evaluate(frame);
    let mesh = moment.bodies[body].mesh.as_ref().expect("a solid has a mesh");
    let (low, high) = mesh
        .points()
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |b, x| (b.0.min(*x), b.1.max(*x)));
    (low + high) * 0.5
}

fn solid(name: &str, model: &str, dynamics: &str) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nmodel = \"solid\"\n{model}\n[body.dynamics]\nkind = \"rigid\"\n{dynamics}\n"
    )
}

#[test]
fn frames_of_solids_in_any_order_are_the_same_bits() {
    let (one, two) = (scene(SWING), scene(SWING));
    let forward: Vec<_> = (1..=36).map(|frame| one.evaluate(f64::from(frame))).collect();
    for frame in [30_u32, 36, 1, 7, 29, 16] {
        let moment = two.evaluate(f64::from(frame));
        assert!(moment.bodies == forward[frame as usize - 1].bodies, "frame {frame}");
    }
    let moved = middle(&one, 0, 12.0).distance(middle(&one, 0, 1.0));
    assert!(moved > 0.05, "{moved}");
    assert!(forward.iter().all(|moment| moment.bodies.iter().all(|b| b.warnings.is_empty())));
}

#[test]
fn what_hangs_on_a_solid_goes_with_it() {
    let scene = scene(SWING);
    for frame in [1.0, 9.5, 20.0, 36.0] {
        let moment = scene.evaluate(frame);
        let mesh = moment.bodies[0].mesh.as_ref().unwrap();
        let side = moment.bodies[3].strands[0].points()[0];
        let end = *moment.bodies[1].strands[0].points().last().unwrap();
        let points = mesh.points();
        let middle = points.iter().copied().sum::<DVec3>() / points.len() as f64;
        // The middle of a side and of the top.
        let (side, top) = (side - middle, end - middle);
        assert!((side.length() - 0.1).abs() < 1e-6, "{frame}: {side}");
        assert!((top.length() - 0.05).abs() < 1e-4, "{frame}: {top}");
        assert!(side.dot(top).abs() < 1e-5, "{frame}");
    }
}

#[test]
fn a_box_that_is_let_go_falls_and_lies() {
    let size = "size = [0.4, 0.3, 0.2]\nposition = [0, 0, 1.1]";
    let scene =
        scene(&format!("[shot]\nfps = 24\nframes = [1, 60]\n{}", solid("box", size, "floor = 0")));
    assert_eq!(middle(&scene, 0, 1.0), DVec3::Z * 1.1);
    for frame in [4.0, 7.0, 10.0] {
        // Half a step of a 240th is what a sum of steps is off by.
        let t = (frame - 1.0) / 24.0;
        let fallen = 1.1 - middle(&scene, 0, frame).z;
        let known = 0.5 * 9.81 * t * t;
        assert!((fallen - known).abs() < 9.81 * t / 240.0, "{frame}: {fallen} m for {known} m");
    }
    let lies = middle(&scene, 0, 60.0);
    assert!((lies.z - 0.1).abs() < 1e-3 && lies.truncate().length() < 0.01, "{lies}");
    assert!(middle(&scene, 0, 50.0).distance(lies) < 1e-4, "it is at rest");
}

#[test]
fn a_box_on_a_string_hangs_with_its_weight() {
    let crate_ = solid("crate", "size = [0.2, 0.2, 0.1]\nposition = [0, 0, 0.45]", "mass = 2");
    let line = "[[body]]\nname = \"line\"\nmodel = \"suspended-rope\"\nfrom = [0, 0, 1]\nto = { body = \"crate\", offset = [0, 0, 0.05] }\nlength = 0.5\nradius = 0.003\n[body.dynamics]\nkind = \"string\"\nsegments = 10\n";
    let scene = scene(&format!("[shot]\nfps = 24\nframes = [1, 72]\n{crate_}{line}"));
    let moment = scene.evaluate(72.0);
    let Some(Tension::Measured { newtons, .. }) = &moment.bodies[1].strands[0].tension else {
        panic!("a string tells its tension");
    };
    // What hangs below the middle of the last segments: the box, and hardly any string.
    let last = newtons[newtons.len() - 1];
    assert!((last / (2.0 * 9.81) - 1.0).abs() < 5e-3, "{last} N");
    let place = middle(&scene, 0, 72.0);
    assert!(place.distance(DVec3::Z * 0.45) < 2e-3, "{place}");
}

#[test]
fn a_string_that_is_tied_to_a_box_pulls_it() {
    // A box slides on ice when the other end of its string is pulled.
    let crate_ = solid(
        "crate",
        "size = [0.2, 0.2, 0.1]\nposition = [0, 0, 0.05]",
        "mass = 0.5\nfriction = 0\nfloor = 0",
    );
    let line = |tied: &str| {
        format!(
            "[[body]]\nname = \"line\"\nmodel = \"suspended-rope\"\nfrom = {{ keys = [[1, [0.6, 0, 0.05]], [25, [1.1, 0, 0.05]]], interpolation = \"linear\" }}\nto = {tied}\nlength = 0.52\nradius = 0.002\n[body.dynamics]\nkind = \"string\"\nsegments = 12\nhold-end = true\n"
        )
    };
    let with =
        |tied: &str| scene(&format!("[shot]\nfps = 24\nframes = [1, 40]\n{crate_}{}", line(tied)));
    let tied = with("{ body = \"crate\", offset = [0.1, 0, 0] }");
    let alone = with("[0.1, 0, 0.05]");
    assert!(middle(&alone, 0, 24.0).distance(DVec3::Z * 0.05) < 2e-3);
    let pulled = middle(&tied, 0, 24.0);
    assert!(pulled.x > 0.4, "{pulled}");
    // And back: the box keeps the string straight behind the hand, at its own length.
    let moment = tied.evaluate(24.0);
    let end = *moment.bodies[1].strands[0].points().last().unwrap();
    assert!(end.distance(pulled + DVec3::X * 0.1) < 0.05, "{end} at {pulled}");
}

#[test]
fn before_its_start_a_box_is_posed_and_then_let_go_as_it_moves() {
    let keys = "position = { keys = [[1, [0, 0, 2]], [25, [1, 0, 2]]], interpolation = \"linear\", after = \"line\" }\nrotation = { keys = [[1, [0, 0, 0]], [25, [0, 90, 0]]], interpolation = \"linear\" }";
    let scene = scene(&format!(
        "[shot]\nfps = 24\nframes = [1, 30]\n[world]\nair = 0\n{}",
        solid("box", keys, "start = 13")
    ));
    for frame in [1.0, 6.5, 12.0] {
        assert!(
            middle(&scene, 0, frame).distance(DVec3::new((frame - 1.0) / 24.0, 0.0, 2.0)) < 1e-9
        );
    }
    // A metre a second goes on, and falling begins.
    let t = 10.0 / 24.0;
    let place = middle(&scene, 0, 23.0);
    assert!((place.x - (0.5 + t)).abs() < 2e-3, "{place}");
    assert!((2.0 - place.z - 0.5 * 9.81 * t * t).abs() < 9.81 * t / 240.0, "{place}");
    // And a quarter of a turn a second.
    let spun = |frame: f64| {
        let moment = scene.evaluate(frame);
        let points = moment.bodies[0].mesh.as_ref().unwrap().points();
        let way =
            points.iter().copied().find(|x| x.distance(points[0]) > 0.39).unwrap() - points[0];
        way.normalize_or_zero()
    };
    let angle = |a: DVec3, b: DVec3| a.dot(b).clamp(-1.0, 1.0);
    let (before, after) = (angle(spun(1.0), spun(7.0)), angle(spun(15.0), spun(21.0)));
    assert!((before - after).abs() < 5e-3, "{before} and {after}");
}

#[test]
fn a_resumed_take_of_solids_has_the_same_bits() {
    let hash = document(SWING).motion_hash();
    let whole = scene(SWING);
    assert_eq!(whole.simulated_groups(), [[0]], "one simulation");
    assert_eq!(whole.simulated_with(2), [0, 1, 2]);
    assert!(whole.simulate(2, 36.0, |_| true));
    let bytes = whole.take_bytes(0, hash, &mut TakeWriter::default(), true);
    for share in [0.3, 0.6, 0.9, 1.0] {
        let resumed = scene(SWING);
        let cut = (bytes.len() as f64 * share) as usize;
        let (kept, mut writer, _) = resumed.load_take(2, hash, &bytes[..cut]).unwrap();
        assert!(kept <= cut);
        assert!(resumed.evaluate(36.0).bodies == whole.evaluate(36.0).bodies, "{share}");
        assert!(resumed.evaluate(11.3).bodies == whole.evaluate(11.3).bodies, "{share}");
        let mut again = bytes[..kept].to_vec();
        again.extend(resumed.take_bytes(0, hash, &mut writer, true));
        assert!(again == bytes, "{share}: the file is the same");
    }
}

#[test]
fn an_edit_of_a_solid_simulates_again_what_is_tied_to_it() {
    let mut evaluator = Evaluator::new(document(SWING), Limits::default(), 96);
    let before: Vec<_> = (1..=36).map(|f| evaluator.at(f64::from(f)).bodies.clone()).collect();
    let path = "body.crate.dynamics.mass".parse().unwrap();
    evaluator.apply(&Edit::Set { path, value: Value::from(6.0) }).unwrap();
    let mut fresh = Evaluator::new(evaluator.document().clone(), Limits::default(), 96);
    for frame in [36_u32, 12, 24] {
        let edited = evaluator.at(f64::from(frame)).bodies.clone();
        assert!(edited == fresh.at(f64::from(frame)).bodies, "frame {frame}");
        assert!(edited[1] != before[frame as usize - 1][1], "the string feels it");
    }
}

#[test]
fn the_wind_of_the_world_carries_solids_and_its_gusts_turn_them() {
    let text = |world: &str| {
        let shot = "[shot]\nfps = 24\nframes = [1, 49]\n";
        let crate_ = solid("crate", "size = [1, 1, 1]", "mass = 10");
        scene(&format!("{shot}[world]\ngravity = [0, 0, 0]\n{world}\n{crate_}"))
    };
    // m v' = ½ ρ C A (u − v)²: it goes u t − ln(1 + k u t) / k, with k = ½ ρ C A / m.
    let blown = text("wind = [5, 0, 0]");
    for (frame, t) in [(25.0, 1.0_f64), (49.0, 2.0)] {
        let k = 0.5 * 1.2 * 1.1 / 10.0;
        let known = 5.0 * t - ops::ln(1.0 + k * 5.0 * t) / k;
        let gone = middle(&blown, 0, frame);
        assert!((gone.x / known - 1.0).abs() < 0.01, "{} m for {known} m", gone.x);
        assert!(gone.with_x(0.0).length() < 1e-6, "{gone}");
    }
    // Wind that is keyed is not there before its keys say so, and without air there is none.
    let late = text("wind = { keys = [[24, [0, 0, 0]], [26, [5, 0, 0]]] }");
    assert!(middle(&late, 0, 24.0).length() < 1e-12 && middle(&late, 0, 49.0).x > 0.3);
    assert!(middle(&text("wind = [5, 0, 0]\nair = 0"), 0, 49.0).length() < 1e-12);
    // A gust that is smaller than the box takes one side of it harder than the other.
    let corner = |scene: &Scene, frame: f64| {
        let moment = scene.evaluate(frame);
        let mesh = moment.bodies[0].mesh.as_ref().expect("a solid has a mesh");
        (mesh.points()[0] - middle(scene, 0, frame)).normalize_or_zero()
    };
    let gusty = text("wind = [5, 0, 0]\nturbulence = 4\ngust-size = 0.7");
    let turned = |scene: &Scene| corner(scene, 1.0).distance(corner(scene, 49.0));
    assert!(turned(&blown) < 1e-6 && turned(&gusty) > 0.03, "{}", turned(&gusty));
}
