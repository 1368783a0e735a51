//! What only shows inside: the air around a rope, and what it remembers of obstacles.

use lariat_core::dynamics::air::Air;
use lariat_scene::Limits;
use lariat_scene::check::check;

use super::*;

/// A document bound, which must be free of findings.
fn scene(text: &str) -> Scene {
    let checked = check(format!("lariat = 1\n{text}").as_bytes(), &Limits::default());
    assert!(checked.findings.is_empty(), "{:#?}", checked.findings);
    Scene::bind(&checked.content.expect("a document without findings has content").lowered)
}

fn dynamics(scene: &Scene, body: usize) -> &Dynamics {
    scene.bodies[body].dynamics.as_ref().expect("it is simulated")
}

/// The wind rises from nothing at frame 0 to its whole at frame 48, and stays.
const WINDY: &str = "[world]\nturbulence = 2\n\
    wind = { keys = [[0, [0, 0, 0]], [48, [4, -2, 0]]], interpolation = 'linear' }\n";

fn loose(name: &str, how: &str) -> String {
    format!(
        "[[body]]\nname = '{name}'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 1\n\
         dynamics = {{ kind = 'spline-rope', control-points = 8, {how} }}\n"
    )
}

#[test]
fn gusts_are_carried_by_the_integral_of_the_wind() {
    let scene = scene(&format!("{WINDY}{}", loose("rope", "start = 13")));
    let whole = DVec3::new(4.0, -2.0, 0.0);
    // At 24 frames a second it has risen after two: t²/4 of the whole, then a second a second.
    for (t, seconds) in [(0.0, 0.0), (0.37, 0.37 * 0.37 / 4.0), (2.0, 1.0), (3.5, 2.5)] {
        let carried = dynamics(&scene, 0).inputs.carried(t);
        assert!(carried.distance(whole * seconds) < 1e-14, "{t}: {carried}");
    }
}

#[test]
fn bodies_of_any_start_and_rate_are_in_the_same_air() {
    let bodies = [
        loose("slow", "rate = 120"),
        loose("fast", "rate = 960"),
        loose("late", "rate = 120, start = 13"),
    ];
    let scene = scene(&format!("{WINDY}{}", bodies.concat()));
    let at_frame_30 = |body: usize| -> Air {
        assert!(scene.simulate(body, 30.0, |_| true));
        dynamics(&scene, body).lock().rope.as_ref().expect("it runs").air.clone()
    };
    let slow = at_frame_30(0);
    assert!(slow.carried.length() > 1.0, "{}", slow.carried);
    for other in [at_frame_30(1), at_frame_30(2)] {
        // Steps that end at one time, but for rounding.
        assert!((slow.changed - other.changed).abs() < 1e-12);
        assert!(slow.carried.distance(other.carried) < 1e-12, "{}", other.carried);
        assert_eq!(slow.gusts, other.gusts);
    }
}
