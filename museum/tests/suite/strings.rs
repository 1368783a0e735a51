//! What must hold of the strings, in numbers: what the figures of the paper show, measured.

use lariat_eval::{Scene, Trouble};

use super::{body, scene};

/// Of every tear of a body: when, as a frame, and where along it.
fn tears(scene: &Scene, name: &str) -> Vec<(f64, f64)> {
    let mut tears = Vec::new();
    for frame in scene.shot().first..=scene.shot().last {
        for warning in body(scene, name, frame as f64).warnings {
            if let Trouble::Torn { frame, at, .. } = warning.trouble
                && !tears.contains(&(frame, at))
            {
                tears.push((frame, at));
            }
        }
    }
    tears
}

/// The frames at which four strings of a scene tear, each of which does so once, away from its ends.
fn four(scene: &Scene) -> [f64; 4] {
    ["string-1", "string-2", "string-3", "string-4"].map(|name| {
        let tears = tears(scene, name);
        let [(frame, at)] = tears[..] else { panic!("{name}: {tears:?}") };
        assert!((0.2..0.8).contains(&at), "{name} tears at {at} of its length");
        let pieces = |frame: f64| body(scene, name, frame).strands.len();
        assert_eq!([pieces(frame.floor()), pieces(frame.floor() + 1.0)], [1, 2], "{name}");
        frame
    })
}

/// How long a string is that is drawn out from 1 m to 1.9 m between the first frame and the 72nd.
fn drawn_out(frame: f64) -> f64 {
    1.0 + 0.9 * (frame - 1.0) / 71.0
}

#[test]
fn the_weakest_goes_first() {
    let torn = four(&scene("rung-07a-rupture"));
    for (frame, stress) in torn.into_iter().zip([0.6, 0.9, 1.2, 1.5]) {
        // σ/E, less the 6 % by which the weakest place may be weaker.
        let (longer, known) = (drawn_out(frame) - 1.0, stress / 2.0);
        assert!(longer < known && longer > 0.93 * known, "{longer} m for {known} m");
    }
    assert!(torn.is_sorted(), "{torn:?}");
}

#[test]
fn the_softest_is_longest_before_it_goes() {
    let torn = four(&scene("rung-07b-modulus"));
    for (frame, modulus) in torn.into_iter().zip([2.4, 1.5, 1.0, 0.75]) {
        let (longer, known) = (drawn_out(frame) - 1.0, 0.6 / modulus);
        assert!(longer < known && longer > 0.93 * known, "{longer} m for {known} m");
    }
    assert!(torn.is_sorted(), "{torn:?}");
}

#[test]
fn the_one_that_bears_least_shear_is_wrung_off_first() {
    let torn = four(&scene("rung-07c-torsion"));
    for (frame, shear) in torn.into_iter().zip([0.25, 0.4, 0.55, 0.7]) {
        // r θ over the length at rest, between the middles of the end segments.
        let turns = 7.0 * (frame - 9.0) / 84.0;
        let known = shear * (23.0 / 24.0) / (0.016 * std::f64::consts::TAU);
        assert!((turns / known - 1.0).abs() < 0.08, "{turns} turns for {known}");
    }
    assert!(torn.is_sorted(), "{torn:?}");
}
