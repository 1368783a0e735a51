//! Tests of private state: the air around a rope, its tracked obstacles, and runs after a panic.

use lariat_core::dynamics::air::Air;
use lariat_core::dynamics::spline_rope::SplineRope;
use lariat_scene::Limits;
use lariat_scene::check::check;

use super::super::file::Take;
use super::*;

/// A bound document, which must be free of diagnostics.
fn scene(text: &str) -> Scene {
    let checked = check(format!("lariat = 2\n{text}").as_bytes(), &Limits::default());
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    Scene::bind(&checked.content.expect("a document without diagnostics has content").lowered)
}

fn dynamics(scene: &Scene, body: usize) -> &Dynamics {
    scene.bodies[body].dynamics.as_ref().expect("it is simulated")
}

/// The rope of the default method.
fn implicit(rope: &mut RopeSimulator) -> &mut SplineRope {
    match rope {
        RopeSimulator::Implicit(rope) => rope,
        RopeSimulator::Published { .. } => panic!("it is stepped by the published method"),
    }
}

/// The wind rises from zero at frame 0 to its full speed at frame 48, and stays.
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
    // At 24 frames per second the wind rises for 2 s: its integral is t²/4 of the full speed, then
    // grows by 1 s per second.
    for (t, seconds) in [(0.0, 0.0), (0.37, 0.37 * 0.37 / 4.0), (2.0, 1.0), (3.5, 2.5)] {
        let carried = dynamics(&scene, 0).inputs.weather.carried(t);
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
        let mut run = dynamics(&scene, body).lock();
        run.active.as_mut().expect("it runs").rope.controls().air.clone()
    };
    let slow = at_frame_30(0);
    assert!(slow.carried.length() > 1.0, "{}", slow.carried);
    for other in [at_frame_30(1), at_frame_30(2)] {
        // All steps end at the same time, up to rounding.
        assert!((slow.changed - other.changed).abs() < 1e-12);
        assert!(slow.carried.distance(other.carried) < 1e-12, "{}", other.carried);
        assert_eq!(slow.gusts, other.gusts);
    }
}

/// A rope lies on a table and a shelf of the same height; at frame 24 the table is switched off, and
/// the ground, which is a little lower, is switched on.
const TABLE_AND_SHELF: &str = r#"
[shot]
frames = [1, 48]
[[collider]]
name = "table"
shape = "box"
centre = [0.25, 0, 0.5]
size = [0.5, 1, 1]
[[collider]]
name = "shelf"
shape = "box"
centre = [0.75, 0, 0.5]
size = [0.4, 1, 1]
[[collider]]
name = "ground"
shape = "plane"
point = [0, 0, 0.995]
[[body]]
name = "rope"
model = "loose-rope"
from = [0, 0, 1.02]
direction = [1, 0, 0]
length = 0.9
radius = 0.01
layers = [
  { kind = "clamp", against = "table", on = { keys = [[1, true], [24, false]] } },
  { kind = "clamp", against = "shelf" },
  { kind = "clamp", against = "ground", on = { keys = [[1, false], [24, true]] } },
]
[body.dynamics]
kind = "spline-rope"
control-points = 12
hold-start = false
"#;

#[test]
fn obstacles_keep_their_identity_when_clamps_are_switched() {
    let scene = scene(TABLE_AND_SHELF);
    let dynamics = dynamics(&scene, 0);
    assert!(scene.simulate(0, 23.0, |_| true));
    let mut run = dynamics.lock();
    let Stepper { active: Some(active), work, .. } = &mut *run else { panic!("it runs") };
    let ActiveRope { rope, obstacles, .. } = &mut **active;
    let shelf = rope.controls().obstacles[1].clone();
    let before = implicit(rope).state.pushes().to_vec();
    let of = |pushes: &[f64], obstacle: usize| -> Vec<f64> {
        pushes.iter().copied().skip(obstacle).step_by(2).collect()
    };
    let sum = |pushes: &[f64], obstacle: usize| of(pushes, obstacle).iter().sum::<f64>();
    assert!(sum(&before, 0) > 0.1 && sum(&before, 1) > 0.1, "it lies on both");

    scene.at_time(0, scene.shot().seconds(24.0), work, |world, _| {
        dynamics.inputs.apply(rope, &scene.bodies[0], world, obstacles);
    });
    let rope = implicit(rope);
    let after = rope.state.pushes().to_vec();
    assert_eq!(after.len(), before.len());
    assert_eq!(of(&after, 0), of(&before, 1), "the shelf pushes as before");
    assert_eq!(sum(&after, 1), 0.0, "the ground has not pushed yet");
    assert_eq!(rope.obstacles[0], shelf);
    assert_eq!(rope.obstacles[1].before, rope.obstacles[1].now, "it was not there before");
}

#[test]
fn a_run_with_switched_clamps_resumes_with_the_same_bits() {
    let (whole, resumed) = (scene(TABLE_AND_SHELF), scene(TABLE_AND_SHELF));
    whole.evaluate(48.0);
    let source = scene(TABLE_AND_SHELF);
    source.evaluate(48.0);
    let mut take = dynamics(&source, 0).share_take();
    take.cut(whole.shot().seconds(34.0));
    assert!(take.history.end() > whole.shot().seconds(24.0), "the table is gone by then");
    dynamics(&resumed, 0).set_take(take);
    assert!(resumed.evaluate(48.0).bodies == whole.evaluate(48.0).bodies);
}

#[test]
fn a_run_that_panicked_resumes_from_its_last_checkpoint() {
    let (whole, broken) = (scene(TABLE_AND_SHELF), scene(TABLE_AND_SHELF));
    assert!(broken.simulate(0, 23.0, |_| true));
    std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let mut run = dynamics(&broken, 0).lock();
            // In the middle of a step.
            if let Some(active) = &mut run.active {
                implicit(&mut active.rope).state.positions[3] += DVec3::Z;
            }
            panic!("on purpose");
        });
        assert!(run.join().is_err());
    });
    assert!(broken.evaluate(48.0).bodies == whole.evaluate(48.0).bodies);
}

#[test]
fn records_are_read_while_a_step_is_made() {
    let (scene, fresh) = (scene(TABLE_AND_SHELF), scene(TABLE_AND_SHELF));
    assert!(scene.simulate(0, 12.0, |_| true));
    // A step is being made for as long as this lock is held: waiting for it would never end.
    let _step = dynamics(&scene, 0).lock();
    for frame in [1.0, 7.5, 12.0] {
        assert!(scene.evaluate(frame) == fresh.evaluate(frame), "frame {frame}");
        assert!(scene.pending(frame).is_none(), "frame {frame}");
    }
    assert_eq!(scene.pending(40.0), Some(vec![true]));
    assert!(scene.recorded_until(0) >= scene.shot().seconds(12.0));
    let copy = dynamics(&scene, 0).share_take();
    assert_eq!(copy.history.end(), scene.recorded_until(0));
}
