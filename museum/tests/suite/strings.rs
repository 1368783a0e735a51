//! Measured properties of the strings in the figures of the paper.

use glam::DVec3;
use lariat_core::geometry::Tension;
use lariat_core::num::ops;
use lariat_eval::Scene;
use lariat_eval::warning::Torn;

use super::{body, end, points, scene};

/// Frame and position of every tear of a body.
fn tears(scene: &Scene, name: &str) -> Vec<(f64, f64)> {
    let mut tears = Vec::new();
    for frame in scene.shot().first..=scene.shot().last {
        for warning in body(scene, name, frame as f64).warnings {
            if let Some(&Torn { frame, at, .. }) = warning.get()
                && !tears.contains(&(frame, at))
            {
                tears.push((frame, at));
            }
        }
    }
    tears
}

/// Frames at which the four strings of a scene tear, once each.
fn four(scene: &Scene) -> [f64; 4] {
    ["string-1", "string-2", "string-3", "string-4"].map(|name| {
        let tears = tears(scene, name);
        let [(frame, _)] = tears[..] else { panic!("{name}: {tears:?}") };
        // Two pieces, or detached from its bar.
        let torn = |frame: f64| {
            let drawn = body(scene, name, frame).strands.len();
            drawn == 2 || end(scene, name, frame).x < end(scene, "right", frame).x - 0.03
        };
        assert_eq!([torn(frame.floor()), torn(frame.floor() + 1.0)], [false, true], "{name}");
        frame
    })
}

/// Length of a string that is pulled from 1 m to 1.9 m between frames 1 and 72.
fn drawn_out(frame: f64) -> f64 {
    1.0 + 0.9 * (frame - 1.0) / 71.0
}

#[test]
fn the_weakest_string_tears_first() {
    let torn = four(&scene("rung-07a-rupture"));
    for (frame, stress) in torn.into_iter().zip([0.6, 0.9, 1.2, 1.5]) {
        // σ/E.
        let (longer, known) = (drawn_out(frame) - 1.0, stress / 2.0);
        assert!((longer / known - 1.0).abs() < 0.01, "{longer} m for {known} m");
    }
    assert!(torn.is_sorted(), "{torn:?}");
    // It tears at the moving bar, where air and inertia add more tension than strength varies along
    // it.
    let places = tears(&scene("rung-07a-rupture"), "string-1");
    assert!(places[0].1 > 0.9, "{places:?}");
}

#[test]
fn the_softest_string_stretches_most_before_it_tears() {
    let torn = four(&scene("rung-07b-modulus"));
    for (frame, modulus) in torn.into_iter().zip([2.4, 1.5, 1.0, 0.75]) {
        let (longer, known) = (drawn_out(frame) - 1.0, 0.6 / modulus);
        assert!((longer / known - 1.0).abs() < 0.02, "{longer} m for {known} m");
    }
    assert!(torn.is_sorted(), "{torn:?}");
}

#[test]
fn the_string_with_the_lowest_rupture_shear_tears_first() {
    let torn = four(&scene("rung-07c-torsion"));
    for (frame, shear) in torn.into_iter().zip([0.25, 0.4, 0.55, 0.7]) {
        // r θ over the length at rest between the middles of the end segments.
        let turns = 7.0 * (frame - 9.0) / 84.0;
        let known = shear * (23.0 / 24.0) / (0.016 * std::f64::consts::TAU);
        assert!((turns / known - 1.0).abs() < 0.02, "{turns} turns for {known}");
    }
    assert!(torn.is_sorted(), "{torn:?}");
}

#[test]
fn the_wound_string_throws_a_loop_that_lies_on_itself() {
    let scene = scene("rung-06b-loop");
    // Smallest distance between places that are at least a tenth of the string apart along it.
    let nearest = |frame: f64| {
        let joints = points(&scene, "string", frame);
        let between = |pair: &[DVec3]| {
            let [a, b] = [pair[0], pair[1]];
            (0..16).map(move |part| a.lerp(b, f64::from(part) / 16.0))
        };
        let points: Vec<DVec3> = joints.windows(2).flat_map(between).collect();
        let far = points.len() / 10;
        let pairs = points
            .iter()
            .enumerate()
            .flat_map(|(i, a)| points.iter().skip(i + far).map(move |b| a.distance(*b)));
        pairs.fold(f64::INFINITY, f64::min)
    };
    assert!(nearest(60.0) > 0.05, "{} m", nearest(60.0));
    let crossing = nearest(96.0);
    assert!((0.018..0.022).contains(&crossing), "twice its radius is 0.02 m: {crossing} m");
}

/// Twist of a body between two of its points, in turns.
fn turns(scene: &Scene, name: &str, frame: f64, from: usize, to: usize) -> f64 {
    let moment = body(scene, name, frame);
    let twist = moment.strands[0].twist();
    (twist[to] - twist[from]) / std::f64::consts::TAU
}

#[test]
fn the_stiff_middle_is_twisted_less() {
    let scene = scene("rung-06d-rigidity");
    let last = scene.shot().last as f64;
    // Of 32 segments, ranges that are entirely soft or entirely stiff.
    let rates = |name: &str| {
        [(2, 8), (12, 20), (24, 30)]
            .map(|(from, to)| turns(&scene, name, last, from, to) / (to - from) as f64)
    };
    let (even, other) = (rates("even"), rates("stiff-middle"));
    assert!((even[1] / even[0] - 1.0).abs() < 0.03 && (even[2] / even[0] - 1.0).abs() < 0.03);
    for soft in [other[0], other[2]] {
        assert!((6.0 * other[1] / soft - 1.0).abs() < 0.06, "{other:?}");
    }
    assert!((even[0] * 32.0 - 2.0).abs() < 0.1, "{even:?}");
}

#[test]
fn strings_beyond_their_yield_point_keep_their_deformation() {
    let scene = scene("rung-08-set");
    let last = scene.shot().last as f64;
    let long = |name: &str, frame: f64| 0.9 - end(&scene, name, frame).z;
    assert!(long("pulled-little", 46.0) > 0.415, "{} m", long("pulled-little", 46.0));
    assert!((long("pulled-little", last) - 0.4).abs() < 3e-3, "{}", long("pulled-little", last));
    // Permanent strain (σ − σ_y) (1/E' − 1/E) of 0.4 m.
    let stress = 60.0 / (std::f64::consts::PI * 0.008 * 0.008);
    let known = 0.4 * (1.0 + (stress - 0.15e6) * (1.0 / 0.4e6 - 1.0 / 2e6));
    let left = long("pulled-far", last);
    assert!((left / known - 1.0).abs() < 0.02, "{left} m for {known} m");
    let wound = |name: &str, frame: f64| turns(&scene, name, frame, 0, 24).abs();
    assert!(wound("wrung-little", 46.0) > 0.25, "{}", wound("wrung-little", 46.0));
    assert!(wound("wrung-little", last) < 0.02, "{}", wound("wrung-little", last));
    assert!((2.0..3.5).contains(&wound("wrung-far", last)), "{}", wound("wrung-far", last));
}

#[test]
fn a_released_string_flicks_back_only_if_asked_to() {
    let scene = scene("rung-09-flick");
    let tip = |name: &str, frame: f64| end(&scene, name, frame);
    for name in ["falls", "flicks", "wound"] {
        assert!((tip(name, 12.0).x - 1.0).abs() < 0.01, "{name} keeps its length");
    }
    // Speed of the tip in the frame after its release: ε √(E/ρ) for a stretched string.
    let speed = |name: &str| (tip(name, 13.0).x - tip(name, 14.0).x) * 24.0;
    let strain = 200.0 / (2e6 * std::f64::consts::PI * 0.012 * 0.012);
    let known = strain * (2e6_f64 / 1100.0).sqrt();
    assert!(speed("falls") < 0.1 * known, "{} m/s", speed("falls"));
    assert!((speed("flicks") / known - 1.0).abs() < 0.2, "{} for {known} m/s", speed("flicks"));
    assert!(speed("wound") > 0.5 * known, "{} for {known} m/s", speed("wound"));
    // It gets no more energy than was stored, apart from that of falling.
    let stored = 0.5 * 200.0 * strain;
    let mass = 1100.0 * std::f64::consts::PI * 0.012 * 0.012;
    for frame in 13..24 {
        let [before, now] =
            [0.0, 1.0].map(|later| points(&scene, "flicks", f64::from(frame) + later));
        let way = |(a, b): (&DVec3, &DVec3)| (*b - *a).length_squared();
        let square: f64 = before.iter().zip(&now).map(way).sum::<f64>() * 24.0 * 24.0;
        let moves = 0.5 * mass * square / now.len() as f64;
        let fallen: f64 = now.iter().map(|p| (1.2 - p.z).max(0.0)).sum::<f64>() / now.len() as f64;
        assert!(moves < stored + mass * 9.81 * fallen, "{frame}: {moves} of {stored} J");
    }
    // Only twist takes a string out of its plane.
    let aside = |name: &str, plane: f64| {
        let away = |p: &DVec3| (p.y - plane).abs();
        points(&scene, name, 18.0).iter().map(away).fold(0.0, f64::max)
    };
    let [flicks, wound] = [aside("flicks", 0.0), aside("wound", -0.45)];
    assert!(flicks < 1e-6 && wound > 0.05, "{flicks} m and {wound} m");
}

#[test]
fn the_twisted_string_coils_along_its_own_line() {
    let scene = scene("rung-06c-coil");
    // Number of turns around the line between the ends.
    let coils = |frame: f64| {
        let joints = points(&scene, "string", frame);
        let across = |pair: &[DVec3]| {
            let along = pair[1] - pair[0];
            let aside = along.with_x(0.0);
            (aside.length() > 0.5 * along.length()).then_some(aside)
        };
        let asides: Vec<DVec3> = joints.windows(2).filter_map(across).collect();
        let turn = |pair: &[DVec3]| ops::atan2(pair[0].cross(pair[1]).x, pair[0].dot(pair[1]));
        asides.windows(2).map(turn).sum::<f64>().abs() / std::f64::consts::TAU
    };
    assert!(coils(44.0) < 0.01, "{} coils while it is taut", coils(44.0));
    assert!(coils(96.0) > 5.0, "{} coils", coils(96.0));
    // It does not sag: all of it is within three radii of the line.
    let last = points(&scene, "string", 96.0);
    let off = last.iter().map(|p| (*p - DVec3::Z * 0.6).with_x(0.0).length()).fold(0.0, f64::max);
    assert!(off < 0.036, "{off} m off its line");
}

/// A box at every frame of the shot: the vector from one end to the other, and its rotation about
/// the vertical in turns.
fn turned(scene: &Scene, name: &str) -> Vec<(DVec3, f64)> {
    let corners = |frame: i64| {
        let mesh = body(scene, name, frame as f64).mesh.expect("a solid has a mesh");
        mesh.points().to_vec()
    };
    let first = corners(scene.shot().first);
    let middle = first.iter().map(|p| p.y).sum::<f64>() / first.len() as f64;
    let across = |points: &[DVec3]| {
        let way = |(p, was): (&DVec3, &DVec3)| *p * (was.y - middle).signum();
        points.iter().zip(&first).map(way).sum::<DVec3>()
    };
    let (mut turn, mut before) = (0.0, across(&first));
    let mut next = |frame: i64| {
        let now = across(&corners(frame));
        let (was, is) = (before.with_z(0.0), now.with_z(0.0));
        turn += ops::atan2(was.cross(is).z, was.dot(is)) / std::f64::consts::TAU;
        before = now;
        (now, turn)
    };
    (scene.shot().first..=scene.shot().last).map(&mut next).collect()
}

#[test]
fn boxes_wind_their_ribbons_and_are_turned_back() {
    let scene = scene("rung-06a-boxes");
    for k in 1..=5 {
        let (name, ribbon) = (format!("box-{k}"), format!("ribbon-{k}"));
        let turned = turned(&scene, &name);
        // Before the wind it is at rest; then it winds up by more than half a turn.
        assert!(turned[3].1.abs() < 1e-3, "{name}: {} turns", turned[3].1);
        let most = turned
            .iter()
            .map(|(_, turn)| *turn)
            .reduce(|a, b| if b.abs() > a.abs() { b } else { a });
        let most = most.expect("the shot has frames");
        assert!(most.abs() > 0.5, "{name}: {most} turns");
        // In still air it turns back, past where it began.
        let back = turned[76..].iter().map(|(_, turn)| turn * most.signum());
        let back = back.fold(f64::INFINITY, f64::min);
        assert!(back < -0.1, "{name}: wound by {most}, turned back to {back} turns");
        // The ribbon has the rotation of the box as twist: by the number of turns, as far as it is
        // defined for a box that tilts, and by the directions of both where they are tied.
        let (mut apart, mut aside, mut tied) = (0.0_f64, 0.0_f64, None);
        for ((across, turn), frame) in turned.iter().zip(scene.shot().first..) {
            let moment = body(&scene, &ribbon, frame as f64);
            let strand = &moment.strands[0];
            let (frame, twist) = (strand.frames()[24], strand.twist()[24]);
            apart = apart.max((turn + (twist - strand.twist()[0]) / std::f64::consts::TAU).abs());
            let (sin, cos) = ops::sin_cos(twist);
            let side = frame.normal() * cos + frame.binormal() * sin;
            let angle = ops::atan2(frame.tangent().dot(side.cross(*across)), side.dot(*across));
            let first = *tied.get_or_insert(angle);
            aside = aside.max(ops::sin(0.5 * (angle - first)).abs());
        }
        assert!(apart < 0.1, "{name} and its ribbon differ by {apart} turns");
        assert!(aside < 0.03, "{name} is turned against its ribbon: {aside}");
    }
}

#[test]
fn ropes_of_a_bridge_tear_one_by_one_and_the_boards_fall() {
    let scene = scene("rung-10-bridge");
    let sides = ["near", "far"];
    let hangers = (1..=12).flat_map(|k| sides.map(|side| format!("hanger-{side}-{k}")));
    let ropes = sides.iter().flat_map(|side| [format!("deck-{side}"), format!("rail-{side}")]);
    // Ropes in the order of their first tears.
    let mut torn: Vec<(f64, String)> = hangers
        .chain(ropes)
        .filter_map(|name| Some((tears(&scene, &name).first()?.0, name)))
        .collect();
    torn.sort_by(|a, b| a.0.total_cmp(&b.0));
    let middles = |frame: f64| -> Vec<DVec3> {
        let middle = |k: i32| {
            let mesh = body(&scene, &format!("board-{k}"), frame).mesh.expect("a solid has a mesh");
            mesh.points().iter().sum::<DVec3>() / mesh.points().len() as f64
        };
        (1..=12).map(middle).collect()
    };
    let lowest = |frame: f64| middles(frame).iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    // Nothing tears before the first crate lands, on frame 12. The second, on frame 41, is too
    // heavy for the bridge.
    let by = |frame: f64| torn.iter().filter(|(torn, _)| *torn < frame).count();
    assert_eq!(by(12.0), 0, "{torn:?}");
    assert!((1..=10).contains(&by(41.0)), "{torn:?}");
    assert!(lowest(40.0) > 1.0, "it bears the first crate: {} m", lowest(40.0));
    assert!(by(60.0) > 20, "{torn:?}");
    // At most a quarter of them tear within a frame, hangers first.
    for (frame, name) in &torn {
        let together = torn.iter().filter(|(other, _)| (0.0..1.0).contains(&(other - frame)));
        assert!(together.count() <= 7, "from the tear of {name} at {frame} on: {torn:?}");
    }
    assert!(torn[..3].iter().all(|(_, name)| name.starts_with("hanger")), "{torn:?}");
    // Boards lie on the ground, except those that hang from a post: at most as far below it as the
    // rope between is long. Stiff ropes and boards below hold some of them a little higher.
    let (first, last) = (middles(1.0), middles(scene.shot().last as f64));
    for k in 0..12 {
        let post = DVec3::new(if k < 6 { -2.1 } else { 2.1 }, 0.0, 1.55);
        let mut way: Vec<DVec3> = if k < 6 { first[..=k].to_vec() } else { first[k..].to_vec() };
        way.insert(if k < 6 { 0 } else { way.len() }, post);
        let rope: f64 = way.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let most = (post.z - rope).max(0.3) + 0.15;
        assert!(last[k].z < most, "board {}: {} m, {most} at most", k + 1, last[k].z);
    }
    assert!(last.iter().filter(|x| x.z < 0.3).count() > 6, "{last:?}");
}

#[test]
fn a_bridge_that_cannot_tear_carries_its_load() {
    // At the default rate, a quarter of the scene's.
    let museum_scene = lariat_museum::find("rung-10-bridge").expect("it is on show");
    let text = museum_scene.text.replace("rate = 960", "tears = false");
    let text = text.replace("{ kind = \"string\", ", "{ kind = \"string\", tears = false, ");
    let checked = lariat_scene::check::check(text.as_bytes(), &lariat_scene::Limits::DEFAULT);
    let lowered = checked.content.expect("it can be read").lowered;
    let scene = Scene::bind(&lowered);
    let names: Vec<&str> = (0..scene.body_count()).map(|b| scene.body_name(b)).collect();
    // Energy stored in the ropes, T² l / 2EA. E is 1e8 Pa, with a variation of 5 %.
    let (mut most, mut lowest) = (0.0_f64, f64::INFINITY);
    for frame in scene.shot().first..=scene.shot().last {
        let moment = scene.evaluate(frame as f64);
        let mut stored = 0.0;
        for (name, body) in names.iter().zip(&moment.bodies) {
            for strand in &body.strands {
                let Some(Tension::Measured { newtons, .. }) = &strand.tension else { continue };
                let radius: f64 = if name.starts_with("hanger") { 0.006 } else { 0.011 };
                let long: f64 = strand.points().windows(2).map(|p| p[0].distance(p[1])).sum();
                let share = long / newtons.len() as f64;
                let square: f64 = newtons.iter().map(|t| t * t).sum();
                stored += square * share / (2.0 * 1e8 * std::f64::consts::PI * radius * radius);
            }
            if let Some(mesh) = body.mesh.as_ref().filter(|_| name.starts_with("board")) {
                let heights = mesh.points().iter().map(|p| p.z);
                lowest = lowest.min(heights.fold(f64::INFINITY, f64::min));
            }
        }
        most = most.max(stored);
    }
    // Three crates fall by about 1.5 m, and everything sinks by 0.3 m at most.
    let crates = [(0.4_f64, 300.0, 1.5), (0.44, 420.0, 1.5), (0.48, 480.0, 1.7)];
    let fallen: f64 = crates.iter().map(|(a, rho, by)| a * a * a * rho * 9.81 * by).sum();
    let sunk = 12.0 * 0.2 * 0.9 * 0.04 * 600.0 * 9.81 * 0.3;
    assert!(most < fallen + sunk, "{most} J are in the ropes, of {fallen} J and {sunk} J");
    assert!(most > 50.0, "{most} J: crates fall on it");
    assert!(lowest > 0.9, "a board is at {lowest} m");
}
