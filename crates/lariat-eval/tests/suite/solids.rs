//! Simulated solids, alone and tied to strings: any frame in any order, and resumed.

use glam::DVec3;
use lariat_core::geometry::Tension;
use lariat_core::num::ops;
use lariat_eval::{Evaluator, Scene};
use lariat_scene::check::{Diagnostic, check};
use lariat_scene::edit::Edit;
use lariat_scene::{Limits, Value};

use crate::{document, frames_in_order, load_take, scene};

/// A crate with an initial velocity swings on a string over a floor; a ball rolls under it.
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

/// Centre of the bounding box of a solid.
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
    let forward = frames_in_order(SWING);
    let swing = scene(SWING);
    let moved = middle(&swing, 0, 12.0).distance(middle(&swing, 0, 1.0));
    assert!(moved > 0.05, "{moved}");
    assert!(forward.iter().all(|moment| moment.bodies.iter().all(|b| b.warnings.is_empty())));
}

#[test]
fn a_body_attached_to_a_solid_moves_with_it() {
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
fn a_released_box_falls_and_comes_to_rest() {
    let size = "size = [0.4, 0.3, 0.2]\nposition = [0, 0, 1.1]";
    let scene =
        scene(&format!("[shot]\nfps = 24\nframes = [1, 60]\n{}", solid("box", size, "floor = 0")));
    assert_eq!(middle(&scene, 0, 1.0), DVec3::Z * 1.1);
    for frame in [4.0, 7.0, 10.0] {
        // Summing steps of 1/240 s is off by half a step.
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
        panic!("a string measures its tension");
    };
    // The last segment carries the box and hardly any string.
    let last = newtons[newtons.len() - 1];
    assert!((last / (2.0 * 9.81) - 1.0).abs() < 5e-3, "{last} N");
    let place = middle(&scene, 0, 72.0);
    assert!(place.distance(DVec3::Z * 0.45) < 2e-3, "{place}");
}

#[test]
fn a_string_that_is_tied_to_a_box_pulls_it() {
    // A box slides when the other end of its string is pulled. It has the friction that keeps it in place
    // when the slack string beside it touches it.
    let crate_ = solid(
        "crate",
        "size = [0.2, 0.2, 0.1]\nposition = [0, 0, 0.05]",
        "mass = 0.5\nfriction = 0.25\nfloor = 0",
    );
    let line = |tied: &str| {
        format!(
            "[[body]]\nname = \"line\"\nmodel = \"suspended-rope\"\nfrom = {{ keys = [[1, [0.6, 0, 0.05]], [25, [1.1, 0, 0.05]]], interpolation = \"linear\" }}\nto = {tied}\nlength = 0.52\nradius = 0.002\n[body.dynamics]\nkind = \"string\"\nsegments = 12\nhold-end = true\n"
        )
    };
    let with =
        |tied: &str| scene(&format!("[shot]\nfps = 24\nframes = [1, 40]\n{crate_}{}", line(tied)));
    let tied = with("{ body = \"crate\", offset = [0.1, 0, 0] }");
    // Held beside the box, not tied to it.
    let alone = with("[0.13, 0, 0.05]");
    assert!(middle(&alone, 0, 24.0).distance(DVec3::Z * 0.05) < 2e-3);
    let pulled = middle(&tied, 0, 24.0);
    assert!(pulled.x > 0.4, "{pulled}");
    // The box keeps the string straight behind the hand.
    let moment = tied.evaluate(24.0);
    let end = *moment.bodies[1].strands[0].points().last().unwrap();
    assert!(end.distance(pulled + DVec3::X * 0.1) < 0.05, "{end} at {pulled}");
}

#[test]
fn a_box_is_posed_until_its_start_and_starts_with_its_velocity() {
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
    // It keeps its speed of 1 m/s, and starts to fall.
    let t = 10.0 / 24.0;
    let place = middle(&scene, 0, 23.0);
    assert!((place.x - (0.5 + t)).abs() < 2e-3, "{place}");
    assert!((2.0 - place.z - 0.5 * 9.81 * t * t).abs() < 9.81 * t / 240.0, "{place}");
    // It keeps turning by a quarter turn per second.
    let spun = |frame: f64| {
        let moment = scene.evaluate(frame);
        let points = moment.bodies[0].mesh.as_ref().unwrap().points();
        let edge =
            points.iter().copied().find(|x| x.distance(points[0]) > 0.39).unwrap() - points[0];
        edge.normalize_or_zero()
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
    let bytes = whole.take_bytes(0, hash);
    for share in [0.3, 0.6, 0.9, 1.0] {
        let resumed = scene(SWING);
        let cut = (bytes.len() as f64 * share) as usize;
        load_take(&resumed, 2, hash, &bytes[..cut]).unwrap();
        assert!(resumed.evaluate(36.0).bodies == whole.evaluate(36.0).bodies, "{share}");
        assert!(resumed.evaluate(11.3).bodies == whole.evaluate(11.3).bodies, "{share}");
        assert!(resumed.take_bytes(0, hash) == bytes, "{share}: the file is the same");
    }
}

#[test]
fn an_edit_of_a_solid_restarts_the_strings_tied_to_it() {
    let mut evaluator = Evaluator::new(document(SWING), Limits::default(), 96);
    let before: Vec<_> = (1..=36).map(|f| evaluator.at(f64::from(f)).bodies.clone()).collect();
    let path = "body.crate.dynamics.mass".parse().unwrap();
    evaluator.apply(&Edit::Set { path, value: Value::from(6.0) }).unwrap();
    let mut fresh = Evaluator::new(evaluator.document().clone(), Limits::default(), 96);
    for frame in [36_u32, 12, 24] {
        let edited = evaluator.at(f64::from(frame)).bodies.clone();
        assert!(edited == fresh.at(f64::from(frame)).bodies, "frame {frame}");
        assert!(edited[1] != before[frame as usize - 1][1], "the string is affected");
    }
}

#[test]
fn wind_carries_solids_and_gusts_turn_them() {
    let text = |world: &str| {
        let shot = "[shot]\nfps = 24\nframes = [1, 49]\n";
        let crate_ = solid("crate", "size = [1, 1, 1]", "mass = 10");
        scene(&format!("{shot}[world]\ngravity = [0, 0, 0]\n{world}\n{crate_}"))
    };
    // m v' = ½ ρ C A (u − v)²: the distance is u t − ln(1 + k u t) / k, with k = ½ ρ C A / m.
    let blown = text("wind = [5, 0, 0]");
    for (frame, t) in [(25.0, 1.0_f64), (49.0, 2.0)] {
        let k = 0.5 * 1.2 * 1.1 / 10.0;
        let known = 5.0 * t - ops::ln(1.0 + k * 5.0 * t) / k;
        let gone = middle(&blown, 0, frame);
        assert!((gone.x / known - 1.0).abs() < 0.01, "{} m for {known} m", gone.x);
        assert!(gone.with_x(0.0).length() < 1e-6, "{gone}");
    }
    // Keyed wind starts with its keys; without air it has no effect.
    let late = text("wind = { keys = [[24, [0, 0, 0]], [26, [5, 0, 0]]] }");
    assert!(middle(&late, 0, 24.0).length() < 1e-12 && middle(&late, 0, 49.0).x > 0.3);
    assert!(middle(&text("wind = [5, 0, 0]\nair = 0"), 0, 49.0).length() < 1e-12);
    // A gust that is smaller than the box pushes one side harder than the other.
    let corner = |scene: &Scene, frame: f64| {
        let moment = scene.evaluate(frame);
        let mesh = moment.bodies[0].mesh.as_ref().expect("a solid has a mesh");
        (mesh.points()[0] - middle(scene, 0, frame)).normalize_or_zero()
    };
    let gusty = text("wind = [5, 0, 0]\nturbulence = 4\ngust-size = 0.7");
    let turned = |scene: &Scene| corner(scene, 1.0).distance(corner(scene, 49.0));
    assert!(turned(&blown) < 1e-6 && turned(&gusty) > 0.03, "{}", turned(&gusty));
}

#[test]
fn a_run_is_named_after_its_bodies() {
    let ball = solid("ball", "shape = \"ball\"", "floor = -9");
    let line = "[[body]]\nname = \"line\"\nmodel = \"loose-rope\"\nfrom = [3, 0, 2]\nlength = 1\ndynamics = \"string\"\n";
    assert_eq!(scene(&ball).run_name(0), "solids");
    assert!(scene(&ball).is_of_solids_alone(0));
    assert_eq!(scene(line).run_name(0), "strings");
    let both = scene(&format!("{ball}{line}"));
    assert_eq!((both.run_name(0), both.run_name(1)), ("strings and solids", "strings and solids"));
    assert!(!both.is_of_solids_alone(0));
}

#[test]
fn a_stack_of_five_crates_stands_for_four_seconds() {
    let text: String = (0..5)
        .map(|k| {
            let at =
                format!("size = [0.3, 0.2, 0.2]\nposition = [0, 0, {}]", 0.1 + 0.2 * f64::from(k));
            solid(&format!("crate {k}"), &at, if k == 0 { "floor = 0" } else { "" })
        })
        .collect();
    let scene = scene(&format!("[shot]\nfps = 24\nframes = [1, 97]\n[world]\nair = 0\n{text}"));
    let last = scene.evaluate(97.0);
    assert!(last.bodies.iter().all(|body| body.warnings.is_empty()));
    for k in 0..5_u32 {
        let place = middle(&scene, k as usize, 97.0);
        let wanted = DVec3::Z * (0.1 + 0.2 * f64::from(k));
        assert!(place.distance(wanted) < 1e-3, "{k}: {place} for {wanted}");
        assert!(place.distance(middle(&scene, k as usize, 90.0)) < 1e-4, "{k} is at rest");
    }
}

#[test]
fn a_solid_collides_only_with_the_colliders_it_names() {
    // A ball falls on a tilted table and rolls off; another, which does not name it, falls through.
    let ball = |name: &str, touches: &str| {
        let at = "shape = \"ball\"\nradius = 0.05\nposition = [0, 0, 1]";
        solid(name, at, touches)
    };
    let table = "[[collider]]\nname = \"table\"\nshape = \"box\"\ncentre = [0, 0, 0.5]\nsize = [1, 1, 0.1]\nrotation = [0, 20, 0]\n";
    let of = |touches: &str| {
        scene(&format!("[shot]\nfps = 24\nframes = [1, 24]\n{table}{}", ball("ball", touches)))
    };
    let without = of("touches = [{ against = \"table\", on = false }]");
    let with = of("touches = [{ against = \"table\" }]");
    // Down a slope of 20 degrees, rolling: 5/7 g sin.
    let (there, through) = (middle(&with, 0, 16.0), middle(&without, 0, 16.0));
    assert!((through.z - (1.0 - 0.5 * 9.81 * 0.625 * 0.625)).abs() < 0.03, "{through}");
    assert!(there.z > 0.45 && there.x > 0.01, "{there}");
    let off = DVec3::new(there.x, 0.0, there.z - 0.5);
    let (sin, cos) = (0.342_020_143, 0.939_692_621);
    let above = off.dot(DVec3::new(sin, 0.0, cos));
    assert!((above - 0.1).abs() < 3e-3, "it lies on the table: {above} m from its middle plane");
    // Switched off, the table has no effect.
    let off = of("touches = [{ against = \"table\", on = { keys = [[1, true], [14, false]] } }]");
    assert!(middle(&off, 0, 24.0).z < middle(&with, 0, 24.0).z - 0.2);
}

#[test]
fn a_pin_ties_the_middle_of_a_string_to_a_solid() {
    // A line between two hands, a ball pinned to its middle: T = m g / 2 sin.
    let ball =
        solid("ball", "shape = \"ball\"\nradius = 0.05\nposition = [0, 0, 0.7]", "mass = 0.5");
    let line = |on: &str| {
        format!(
            "[[body]]\nname = \"line\"\nmodel = \"suspended-rope\"\nfrom = [-0.5, 0, 1]\nto = [0.5, 0, 1]\nlength = 1.118034\nradius = 0.002\n[body.dynamics]\nkind = \"string\"\nsegments = 20\nviscosity = 2\npins = [{{ at = 0.5, to = {{ body = \"ball\", offset = [0, 0, 0.05] }}{on} }}]\n"
        )
    };
    let of = |on: &str| {
        scene(&format!("[shot]\nfps = 24\nframes = [1, 96]\n[world]\nair = 0\n{ball}{}", line(on)))
    };
    let held = of("");
    let place = middle(&held, 0, 96.0);
    assert!((place.z - 0.7).abs() < 0.01 && place.truncate().length() < 0.01, "{place}");
    let moment = held.evaluate(96.0);
    let Some(Tension::Measured { newtons, .. }) = &moment.bodies[1].strands[0].tension else {
        panic!("a string measures its tension");
    };
    // Half a metre aside, a quarter down; the weight of the string is negligible.
    let sin = 0.25 / (0.25_f64 * 0.25 + 0.25).sqrt();
    let wanted = 0.5 * 9.81 / (2.0 * sin);
    assert!((newtons[10] / wanted - 1.0).abs() < 0.03, "{} N for {wanted} N", newtons[10]);
    // Released at frame 48, it falls.
    let fallen = middle(&of(", on = { keys = [[1, true], [48, false]] }"), 0, 72.0);
    assert!(fallen.z < 0.7 - 3.0, "{fallen}");
}

#[test]
fn a_collider_that_a_string_names_holds_solids_too() {
    // A ball comes to rest on a post that only a string names.
    let post = "[[collider]]\nname = \"post\"\nshape = \"cylinder\"\nfrom = [0, 0, 0]\nto = [0, 0, 0.5]\nradius = 0.2\n";
    let ball = solid("ball", "shape = \"ball\"\nradius = 0.05\nposition = [0, 0, 0.8]", "");
    let line = "[[body]]\nname = \"line\"\nmodel = \"loose-rope\"\nfrom = [0.6, 0, 1]\nlength = 0.4\nlayers = [{ kind = \"clamp\", against = \"post\" }]\n[body.dynamics]\nkind = \"string\"\nsegments = 10\n";
    let scene = scene(&format!("[shot]\nfps = 24\nframes = [1, 48]\n{post}{ball}{line}"));
    let place = middle(&scene, 0, 48.0);
    assert!((place.z - 0.55).abs() < 3e-3, "{place}");
}

/// A flat box on a rubber cord that is wound up by `turns`.
fn torsion(turns: f64, swivel: &str) -> Scene {
    let pan = solid("pan", "size = [0.3, 0.1, 0.02]\nposition = [0, 0, 0.49]", "mass = 0.1");
    let line = format!(
        "[[body]]\nname = \"cord\"\nmodel = \"suspended-rope\"\nfrom = [0, 0, 1]\nto = {{ body = \"pan\", offset = [0, 0, 0.01] }}\nlength = 0.5\nradius = 0.004\n[body.dynamics]\nkind = \"string\"\nmaterial = \"rubber\"\nsegments = 25\ninner-friction = 0\nmodulus = 1e8\nshear-modulus = 6e6\ntears = false\ntwist-end = {turns}\n{swivel}\n"
    );
    scene(&format!("[shot]\nfps = 24\nframes = [1, 240]\n[world]\nair = 0\n{pan}{line}"))
}

#[test]
fn a_box_on_a_wound_cord_is_a_torsion_pendulum() {
    let scene = torsion(0.5, "");
    let turned = |frame: f64| {
        let moment = scene.evaluate(frame);
        let mesh = moment.bodies[0].mesh.as_ref().unwrap();
        let points = mesh.points();
        // Direction from the centre to a corner.
        let middle = points.iter().copied().sum::<DVec3>() / points.len() as f64;
        let corner = points[0] - middle;
        ops::atan2(corner.y, corner.x)
    };
    let (start, mut before, mut crossings) = (turned(1.0), 0.0_f64, Vec::new());
    let (mut angle, mut most) = (0.0_f64, 0.0_f64);
    let mut last = start;
    let mut path = Vec::new();
    for step in 0..4 * 200 {
        let frame = 1.0 + 0.25 * f64::from(step);
        let now = turned(frame);
        let change = (now - last + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU)
            - std::f64::consts::PI;
        angle += change;
        last = now;
        most = most.max(angle.abs());
        path.push((frame, angle));
    }
    // It starts half a turn from rest, and swings about the rest angle.
    let side = path
        .iter()
        .map(|(_, angle)| *angle)
        .fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
    let rest = 0.5 * side;
    for (frame, angle) in path {
        let now = (angle - rest) * side.signum();
        if before < 0.0 && now >= 0.0 {
            crossings.push((frame - 0.25 * now / (now - before) - 1.0) / 24.0);
        }
        before = now;
    }
    // The twist lies between the middles of the first and the last segment.
    let wanted = std::f64::consts::TAU * 24.0 / 25.0;
    assert!((most / wanted - 1.0).abs() < 2e-3, "half a turn to each side: {most}");
    // I of a box, GJ/L of a round cord; the inertia of the string is a ten-thousandth of I.
    let inertia = 0.1 * (0.09 + 0.01) / 12.0;
    let r4 = 0.004_f64 * 0.004 * 0.004 * 0.004;
    let stiff = 6e6 * 0.5 * std::f64::consts::PI * r4 / (0.5 * 24.0 / 25.0);
    let known = std::f64::consts::TAU * (inertia / stiff).sqrt();
    let swings = crossings.len() - 1;
    let period = (crossings[swings] - crossings[0]) / swings as f64;
    assert!((period / known - 1.0).abs() < 5e-4, "{period} s for {known} s");
}

#[test]
fn a_wound_cord_on_a_swivel_does_not_turn_its_box() {
    let scene = torsion(0.5, "swivel-end = true");
    let corner = |frame: f64| scene.evaluate(frame).bodies[0].mesh.as_ref().unwrap().points()[0];
    assert!(corner(1.0).distance(corner(200.0)) < 2e-3, "{}", corner(200.0));
}

#[test]
fn a_spinning_box_twists_its_string() {
    let pan = solid(
        "pan",
        "size = [0.3, 0.1, 0.02]\nposition = [0, 0, 0.49]",
        "mass = 0.1\nspin = [0, 0, 0.5]",
    );
    let line = "[[body]]\nname = \"cord\"\nmodel = \"suspended-rope\"\nfrom = [0, 0, 1]\nto = { body = \"pan\", offset = [0, 0, 0.01] }\nlength = 0.5\nradius = 0.004\n[body.dynamics]\nkind = \"string\"\nmaterial = \"rubber\"\nsegments = 25\ntears = false\n";
    let scene =
        scene(&format!("[shot]\nfps = 24\nframes = [1, 24]\n[world]\nair = 0\n{pan}{line}"));
    let wound = |frame: f64| {
        let moment = scene.evaluate(frame);
        let twist = moment.bodies[1].strands[0].twist();
        twist[twist.len() - 1] - twist[0]
    };
    // Half a turn per second, anticlockwise seen from above, which is negative about the downward
    // tangent; soft rubber hardly resists.
    let (early, later) = (wound(3.0) - wound(1.0), wound(7.0) - wound(1.0));
    let known = |frame: f64| -std::f64::consts::PI * (frame - 1.0) / 24.0;
    assert!(
        (early - known(3.0)).abs() < 0.002 && (later - known(7.0)).abs() < 0.015,
        "{early} {later}"
    );
}

#[test]
fn a_string_may_be_tied_deep_inside_a_box() {
    let crate_ = solid("crate", "position = [0, 0, 1]", "");
    let line = "[[body]]\nname = \"line\"\nmodel = \"suspended-rope\"\nfrom = [0, 0, 2]\nto = { body = \"crate\" }\nlength = 1.01\ndynamics = \"string\"\n";
    let text = format!("[shot]\nfps = 24\nframes = [1, 24]\n{crate_}{line}");
    // It is reported, and simulated.
    let checked = check(format!("lariat = 2\n{text}").as_bytes(), &Limits::default());
    assert_eq!(checked.diagnostics.len(), 1);
    let scene = Scene::bind(&checked.content.unwrap().lowered);
    let moment = scene.evaluate(24.0);
    for body in &moment.bodies {
        assert!(body.warnings.is_empty(), "{:?}", body.warnings);
    }
    assert!(middle(&scene, 0, 24.0).distance(DVec3::Z) < 0.4, "{}", middle(&scene, 0, 24.0));
}

#[test]
fn a_run_of_solids_without_a_solution_is_reported() {
    // So large that its inertia is infinite.
    let text = solid("ball", "shape = \"ball\"\nradius = 1e100", "spin = [1, 0, 0]");
    let lowered = crate::lowered(&format!("[shot]\nframes = [1, 300]\n{text}"));
    let found = lariat_eval::survey(&Scene::bind(&lowered), &lowered, |_| true);
    let [diagnostic] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(diagnostic.code.name(), "L0660");
    assert!(diagnostic.labels[0].text.contains("`ball` has no finite answer"), "{diagnostic}");
    assert!(diagnostic.helps[0].contains("throw it more slowly"), "{diagnostic}");
}

#[test]
fn a_tie_that_misses_its_string_is_reported() {
    let reported = |height: f64, on: &str| -> Vec<String> {
        let text = format!(
            "lariat = 2\n[shot]\nframes = [1, 3]\n[[body]]\nname = 'board'\nmodel = 'solid'\nsize = [0.2, 0.9, 0.04]\nposition = [0.2, 0, {height}]\ndynamics = 'rigid'\n[[body]]\nname = 'line'\nmodel = 'suspended-rope'\nfrom = [-1, 0, 1]\nto = [1, 0, 1]\nlength = 2.0001\nradius = 0.01\n[body.dynamics]\nkind = 'string'\nsegments = 20\ntears = false\npins = [{{ at = 0.6, to = {{ body = 'board', offset = [0, 0, 0.02] }}{on} }}]\n"
        );
        let checked = check(text.as_bytes(), &Limits::DEFAULT);
        let lowered = checked.content.expect("it can be read").lowered;
        let scene = Scene::bind(&lowered);
        let found = lariat_eval::survey(&scene, &lowered, |_| true);
        let texts =
            found.iter().map(|f| format!("{} {}: {}", f.code.name(), f.message, f.labels[0].text));
        texts.collect()
    };
    // The catenary of 2.0001 m over 2 m: its sag is √(3/8 · 2 · 0.0001), and 1/25 less at a fifth of
    // the half span from the middle.
    let height = 1.0 - (0.375 * 2.0 * 1e-4_f64).sqrt() * 0.96;
    assert_eq!(reported(height - 0.02, ""), [""; 0]);
    let [found] = &reported(height - 0.023, "")[..] else { panic!("one diagnostic") };
    assert!(found.starts_with("L0667") && found.contains("0.0030 m apart"), "{found}");
    assert!(found.contains("`board`"), "{found}");
    // A pin that is off may be anywhere.
    assert_eq!(reported(height - 0.3, ", on = false"), [""; 0]);
}

#[test]
fn a_line_that_starts_through_its_box_is_reported() {
    let reported = |to: &str, more: &str, dynamics: &str| -> Vec<String> {
        let text = format!(
            "lariat = 2\n[shot]\nframes = [1, 2]\n[[body]]\nname = 'crate'\nmodel = 'solid'\nsize = [0.3, 0.2, 0.2]\nposition = [0.4, 0, 0.6]\ndynamics = 'rigid'\n[[body]]\nname = 'line'\nmodel = 'suspended-rope'\nfrom = [0, 0, 1.5]\nto = {to}\n{more}\nradius = 0.004\n[body.dynamics]\nkind = 'string'\ntears = false\n{dynamics}\n"
        );
        let checked = check(text.as_bytes(), &Limits::DEFAULT);
        let lowered = checked.content.expect("it can be read").lowered;
        let found = lariat_eval::survey(&Scene::bind(&lowered), &lowered, |_| true);
        let words = |f: &Diagnostic| {
            format!("{} {}: {} {}", f.code.name(), f.message, f.labels[0].text, f.helps[0])
        };
        found.iter().filter(|f| f.code.name() == "L0671").map(words).collect()
    };
    let at = |x: f64, z: f64| format!("{{ body = 'crate', offset = [{x}, 0, {z}] }}");
    // Straight down to the bottom: it enters at the top, 0.08 m from the middle.
    let [found] = &reported(&at(0.0, -0.1), "length = 1.0771", "")[..] else {
        panic!("one diagnostic")
    };
    for words in [
        "`line` starts from a pose that runs through `crate`",
        "at frame 1, 0.215 m of it are inside, from 0.800 to 1.000 of the string",
        "up to 0.099 m below",
        "offset = [-0.083, 0.000, 0.100]",
    ] {
        assert!(found.contains(words), "{words}: {found}");
    }
    // A line with slack hangs down beside its knot, into the crate.
    let [found] = &reported(&at(0.0, 0.1), "length = 1.3", "")[..] else {
        panic!("one diagnostic")
    };
    assert!(found.contains("offset = [-0.15"), "{found}");
    // It enters at one side and leaves at another.
    let pin = "pins = [{ at = 0.5, to = { body = 'crate', offset = [-0.15, 0, 0.1] } }]";
    let [found] = &reported("[0.5, 0, -0.1]", "sag = 0", pin)[..] else { panic!("one diagnostic") };
    assert!(found.contains("passes outside `crate`"), "{found}");
    // Not tied to the crate.
    let [found] = &reported("[0.5, 0, -0.1]", "sag = 0", "")[..] else { panic!("one diagnostic") };
    assert!(found.contains("through `crate`:") && found.contains("move either"), "{found}");
    // A line may end at any surface or lie on one; a knot deep inside is reported elsewhere.
    for (to, more, dynamics) in [
        (at(0.0, 0.1), "length = 0.8945", ""),
        (at(-0.15, 0.0), "length = 1", ""),
        (at(0.0, 0.0), "length = 0.99", ""),
        ("[0.8, 0, 0.7]".into(), "sag = 0", "pins = [{ at = 0.5, to = { body = 'crate' } }]"),
        ("[0.8, 0, 0.71]".into(), "sag = 0", ""),
    ] {
        assert_eq!(reported(&to, more, dynamics), [""; 0], "{to} {more}");
    }
}

/// Diagnostics L0671 and L0672 of the first frames, as text.
fn start_diagnostics(text: &str) -> Vec<String> {
    let text = format!("lariat = 2\n[shot]\nframes = [1, 2]\n{text}");
    let checked = check(text.as_bytes(), &Limits::DEFAULT);
    let lowered = checked.content.expect("it can be read").lowered;
    let found = lariat_eval::survey(&Scene::bind(&lowered), &lowered, |_| true);
    let words = |f: &Diagnostic| {
        let at = f.path().expect("it has a place");
        format!("{} {at} {}: {} {}", f.code.name(), f.message, f.labels[0].text, f.helps[0])
    };
    found.iter().filter(|f| ["L0671", "L0672"].contains(&f.code.name())).map(words).collect()
}

#[test]
fn a_line_that_starts_through_an_obstacle_is_reported() {
    let line = |name: &str, height: f64, more: &str| {
        format!(
            "[[body]]\nname = '{name}'\nmodel = 'suspended-rope'\nfrom = [-1, 0, {height}]\nto = [1, 0, {height}]\nlength = 2.00001\nradius = 0.004\n{more}\n[body.dynamics]\nkind = 'string'\ntears = false\n"
        )
    };
    let beam = "[[collider]]\nname = 'beam'\nshape = 'cylinder'\nfrom = [0.2, -1, 1]\nto = [0.2, 1, 1]\nradius = 0.1\n";
    let clamp = "layers = [{ kind = 'clamp', against = 'beam' }]";
    // All strings share their obstacles: only `other` is posed outside the beam, `line` runs through.
    let other = line("other", 3.0, clamp);
    let [found] = &start_diagnostics(&format!("{beam}{other}{}", line("line", 1.0, "")))[..] else {
        panic!("one diagnostic")
    };
    for words in [
        "L0671 body[1].dynamics `line` starts from a pose that runs through `beam`: at frame 1, 0.19",
        "up to 0.09",
        "against = \"beam\"",
    ] {
        assert!(found.contains(words), "{words}: {found}");
    }
    // No diagnostic if `line` is clamped too, at another height, or if no body names the beam.
    for good in [
        format!("{beam}{other}{}", line("line", 1.0, clamp).replace("2.00001", "2.2")),
        format!("{beam}{other}{}", line("line", 1.2, "")),
        format!("{beam}{}{}", line("other", 3.0, ""), line("line", 1.0, "")),
    ] {
        assert_eq!(start_diagnostics(&good), [""; 0], "{good}");
    }
    // The floor of another string, or of a box.
    let low = line("line", 0.5, "");
    let [found] = &start_diagnostics(&format!("{}{low}", line("other", 3.0, "floor = 0.6")))[..]
    else {
        panic!("one diagnostic")
    };
    assert!(found.contains("the floor of `other`: at frame 1, 2.0"), "{found}");
    assert!(found.contains("set its `floor` as well"), "{found}");
    let box_ = "[[body]]\nname = 'box'\nmodel = 'solid'\nsize = [0.2, 0.2, 0.2]\nposition = [0, 3, 4]\ndynamics = { kind = 'rigid', floor = 0.6 }\n";
    assert_eq!(start_diagnostics(&format!("{box_}{low}")).len(), 1);
    assert_eq!(start_diagnostics(&format!("{box_}{}", line("line", 0.7, ""))), [""; 0]);
}

#[test]
fn a_box_that_starts_inside_an_obstacle_is_reported() {
    let box_ = |name: &str, height: f64, dynamics: &str| {
        format!(
            "[[body]]\nname = '{name}'\nmodel = 'solid'\nsize = [0.4, 0.4, 0.2]\nposition = [1, 0, {height}]\ndynamics = {{ kind = 'rigid'{dynamics} }}\n"
        )
    };
    let [found] = &start_diagnostics(&box_("box", 0.07, ", floor = 0"))[..] else {
        panic!("one diagnostic")
    };
    for words in [
        "L0672 body[0].position `box` starts inside its floor: at frame 1, by 0.030 m",
        "`position = [1.000, 0.000, 0.100]`",
    ] {
        assert!(found.contains(words), "{words}: {found}");
    }
    assert_eq!(start_diagnostics(&box_("box", 0.1, ", floor = 0")), [""; 0]);
    // Entirely below its floor.
    let [found] = &start_diagnostics(&box_("box", -1.0, ", floor = 0"))[..] else {
        panic!("one diagnostic")
    };
    assert!(found.contains("by 1.100 m"), "{found}");
    // Two boxes inside each other are reported once; a stack is fine.
    let two = |height: f64, start: &str| {
        start_diagnostics(&format!(
            "{}{}",
            box_("lower", 0.1, ", floor = 0"),
            box_("upper", height, start)
        ))
    };
    let [found] = &two(0.25, "")[..] else { panic!("one diagnostic") };
    assert!(found.contains("`lower` starts inside `upper`: at frame 1, by 0.050 m"), "{found}");
    assert_eq!(two(0.3, ""), [""; 0]);
    // A box that starts later is an obstacle until then; one that starts earlier is reported too.
    assert_eq!(two(0.25, ", start = 2").len(), 1);
    assert_eq!(two(0.25, ", start = -20").len(), 1);
    // A collider that the box names.
    let ramp = "[[collider]]\nname = 'ramp'\nshape = 'box'\ncentre = [1, 0, 0]\nsize = [4, 4, 1]\n";
    let on = ", touches = [{ against = 'ramp' }]";
    let [found] = &start_diagnostics(&format!("{ramp}{}", box_("box", 0.55, on)))[..] else {
        panic!("one diagnostic")
    };
    assert!(found.contains("inside `ramp`: at frame 1, by 0.050 m"), "{found}");
    assert_eq!(start_diagnostics(&format!("{ramp}{}", box_("box", 0.6, on))), [""; 0]);
}
