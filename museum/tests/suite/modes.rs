//! Modes of the alien's motions: the colours of figure 8, and the hula.

use glam::DVec3;
use lariat_core::num::ops;
use lariat_eval::Scene;

use super::{body, bound, content, find, scene};

/// The points of a mesh, and their linear colours if it is painted.
fn mesh(scene: &Scene, name: &str, frame: f64) -> (Vec<DVec3>, Option<Vec<[f64; 3]>>) {
    let mesh = body(scene, name, frame).mesh.unwrap_or_else(|| panic!("`{name}` is no mesh"));
    (mesh.points().to_vec(), mesh.colours().map(<[_]>::to_vec))
}

/// The point nearest to a place.
fn nearest(points: &[DVec3], place: DVec3) -> usize {
    let far = |i: &usize| points[*i].distance(place);
    (0..points.len()).min_by(|a, b| far(a).total_cmp(&far(b))).expect("there are points")
}

/// Hue in degrees and saturation of a linear colour, by the usual hexagon.
fn hue(linear: [f64; 3]) -> (f64, f64) {
    let [r, g, b] = linear
        .map(|c| if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * ops::pow(c, 1.0 / 2.4) - 0.055 });
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    let range = most - least;
    let sixths = if range < 1e-9 {
        0.0
    } else if most == r {
        (g - b) / range
    } else if most == g {
        2.0 + (b - r) / range
    } else {
        4.0 + (r - g) / range
    };
    ((60.0 * sixths).rem_euclid(360.0), range / most)
}

/// Degrees from one hue forward to another, −180 to 180.
fn later(from: f64, to: f64) -> f64 {
    (to - from + 180.0).rem_euclid(360.0) - 180.0
}

fn smoothstep(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[test]
fn the_key_of_figure_8_goes_round_once() {
    let (points, colours) = mesh(&scene("kass-08-mode"), "key", 1.0);
    let (centre, colours) = (points[0], colours.expect("it is painted"));
    for twelfth in 0..12 {
        let degrees = 30.0 * f64::from(twelfth);
        let (sin, cos) = ops::sin_cos(ops::radians(degrees));
        // Clockwise for the camera, which looks along Y.
        let way = DVec3::new(sin, 0.0, cos);
        let (rim_hue, full) = hue(colours[nearest(&points, centre + 0.25 * way)]);
        assert!(later(degrees, rim_hue).abs() < 0.1, "{rim_hue} at {degrees}");
        assert!((full - 1.0).abs() < 1e-6, "{full}");
        let (_, half) = hue(colours[nearest(&points, centre + 0.125 * way)]);
        assert!((half - 0.5).abs() < 1e-3, "{half}");
    }
    assert!(hue(colours[0]).1 < 1e-9);
}

/// "For this figure the phase is encoded in the hue and the amplitude in the saturation."
#[test]
fn the_modes_of_figure_8_have_the_lags_that_moved_the_alien() {
    let scene = scene("kass-08-mode");
    // At frame 1 everything is at rest.
    let (points, colours) = mesh(&scene, "up", 1.0);
    assert!(colours.is_none(), "what was recorded has its own colour");
    let origin = DVec3::new(-2.0, 0.0, 0.0);
    let at = |x, y, z| nearest(&points, origin + DVec3::new(x, y, z));
    let (_, up) = mesh(&scene, "up mode", 1.0);
    let (_, aside) = mesh(&scene, "aside mode", 1.0);
    let (up, aside) = (up.expect("it is painted"), aside.expect("it is painted"));
    // Hands move up and down, with the lag of the scene.
    let lag = |point: usize| 200.0 * smoothstep(0.12, 0.65, (points[point] - origin).x.abs());
    let (elbow, hand) = (at(0.4, 0.0, 0.7), at(0.56, -0.04, 0.84));
    let (expected, seen) = (lag(hand) - lag(elbow), later(hue(up[elbow]).0, hue(up[hand]).0));
    assert!(expected > 60.0 && (expected - seen).abs() < 6.0, "{seen}° for {expected}°");
    // Both hands move at once.
    assert!(later(hue(up[hand]).0, hue(up[at(-0.56, -0.04, 0.84)]).0).abs() < 3.0);
    // Sideways, hips move before the chest.
    let lag = |point: usize| {
        let DVec3 { y, z, .. } = points[point] - origin;
        100.0 * smoothstep(0.4, 0.85, z)
            + 40.0 * smoothstep(0.4, 0.05, z)
            + 40.0 * smoothstep(0.0, -0.2, y)
    };
    let (hip, chest) = (at(0.25, 0.0, 0.42), at(0.15, 0.05, 0.68));
    let (expected, seen) = (lag(chest) - lag(hip), later(hue(aside[hip]).0, hue(aside[chest]).0));
    assert!(expected > 45.0 && (expected - seen).abs() < 6.0, "{seen}° for {expected}°");
    // Hips move farthest, the head not at all.
    assert!(hue(aside[hip]).1 > 0.9, "{:?}", hue(aside[hip]));
    for colours in [&up, &aside] {
        let (_, head) = hue(colours[at(0.0, 0.0, 1.25)]);
        assert!(head < 0.01, "{head}");
    }
}

#[test]
fn the_first_mode_moves_like_its_recording_without_the_tremble() {
    let museum_scene = find("kass-08-mode");
    let scene = scene("kass-08-mode");
    let tremble = "[[1, 0], [15, 0], [18, 0.01]]";
    assert!(museum_scene.text.contains(tremble));
    let calm = lariat_museum::Scene {
        text: Box::leak(museum_scene.text.replace(tremble, "[[1, 0]]").into_boxed_str()),
        ..*museum_scene
    };
    let calm = bound(&content(&calm).lowered);
    for (source, mode) in [("up", "up mode"), ("aside", "aside mode")] {
        let rest = mesh(&scene, source, 1.0).0;
        let (mut off, mut trembling, mut way) = (0.0f64, 0.0f64, 0.0f64);
        for frame in 30..=91 {
            let frame = f64::from(frame);
            let (recorded, calm) = (mesh(&scene, source, frame).0, mesh(&calm, source, frame).0);
            let learned = mesh(&scene, mode, frame).0;
            for (i, rest) in rest.iter().enumerate() {
                let learned = learned[i] - DVec3::X * 1.3;
                off = off.max(learned.distance(calm[i]));
                trembling = trembling.max(recorded[i].distance(calm[i]));
                way = way.max(calm[i].distance(*rest));
            }
        }
        assert!(off < 0.05 * way, "`{mode}` is {off} m off, of {way}");
        assert!(trembling > 2.0 * off, "{trembling} m of trembling, {off} m off");
    }
}

/// Area enclosed by the path of a point between two frames, seen from the front, in square metres;
/// positive if the path turns from right to up.
fn area(scene: &Scene, place: DVec3, first: i32, last: i32) -> f64 {
    let point = nearest(&mesh(scene, "alien", 1.0).0, place);
    let path: Vec<DVec3> =
        (first..=last).map(|frame| mesh(scene, "alien", f64::from(frame)).0[point]).collect();
    let steps = path.iter().zip(path.iter().skip(1).chain(&path[..1]));
    0.5 * steps.map(|(a, b)| a.x * b.z - b.x * a.z).sum::<f64>()
}

#[test]
fn the_hips_of_the_hula_go_round_and_neither_mode_alone_does() {
    let museum_scene = find("kass-hula");
    let only = |left_out: usize| {
        let mut parts: Vec<&str> = museum_scene.text.split("[[body.modes]]").collect();
        // The last part also contains the eyes.
        let eyes = parts[2].find("[[body]]").map_or("", |at| &parts[2][at..]);
        parts.remove(left_out);
        let text = parts.join("[[body.modes]]");
        let text = if left_out == 2 { format!("{text}\n{eyes}") } else { text };
        let alone =
            lariat_museum::Scene { text: Box::leak(text.into_boxed_str()), ..*museum_scene };
        bound(&content(&alone).lowered)
    };
    let hips = DVec3::new(0.0, -0.2, 0.42);
    // One swing at 1 Hz, when the dance is at its widest.
    let (both, up, aside) = (scene("kass-hula"), only(1), only(2));
    let round = area(&both, hips, 62, 85);
    // An ellipse of 0.08 m by 0.05 m is 0.0126 m².
    assert!(round > 0.008, "{round} m²");
    for alone in [up, aside] {
        let around = area(&alone, hips, 62, 85).abs();
        assert!(around < 0.1 * round, "{around} m² of {round}");
    }
    // The head stays, and so do the feet.
    for still in [DVec3::new(0.0, 0.0, 1.25), DVec3::new(0.15, -0.1, 0.0)] {
        let point = nearest(&mesh(&both, "alien", 1.0).0, still);
        let at = |frame| mesh(&both, "alien", frame).0[point];
        assert!(at(1.0).distance(at(73.0)) < 0.005, "{still}");
    }
}
