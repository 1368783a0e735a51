//! Simulations that are pulled while they run.

use glam::DVec3;
use lariat_eval::{Evaluator, LiveError, LiveRun, Scene};
use lariat_scene::{Limits, format};

/// Ropes of both solvers that hang on nothing, a rope that is held, and a string that holds a ball, each
/// with followers.
fn text(kind: &str) -> String {
    format!(
        r#"
lariat = 2
[shot]
frames = [1, 60]
[[body]]
name = "free"
model = "loose-rope"
from = [0, 0, 2]
length = 0.8
dynamics = {{ kind = "{kind}", hold-start = false, start = 2 }}
[[body]]
name = "held"
model = "suspended-rope"
from = [1, 0, 2]
to = {{ keys = [[1, [2, 0, 2]], [12, [1.8, 0.3, 2]], [24, [2, 0, 2]]] }}
length = 1.3
dynamics = {{ kind = "{kind}", start = 2 }}
[[body]]
name = "tag"
model = "loose-rope"
from = {{ body = "held", at = 0.5 }}
length = 0.4
dynamics = {{ kind = "spline-rope", control-points = 6, start = 3 }}
[[body]]
name = "other"
model = "suspended-rope"
from = [0, 3, 2]
to = {{ keys = [[1, [1, 3, 2]], [12, [0.7, 3, 2]]] }}
length = 1.3
dynamics = {{ kind = "spline-rope", control-points = 8 }}
[[body]]
name = "line"
model = "suspended-rope"
from = {{ body = "weight", offset = [0, 0, 0.05] }}
to = [0, 2, 2]
length = 1.2
dynamics = {{ kind = "string", segments = 10 }}
[[body]]
name = "weight"
model = "solid"
shape = "ball"
radius = 0.05
position = [0, 1, 1.5]
dynamics = {{ kind = "rigid", mass = 0.1, start = 2 }}
"#
    )
}

fn evaluator(kind: &str) -> Evaluator {
    let document = format::read(&text(kind)).expect("it is TOML").document;
    let evaluator = Evaluator::new(document, Limits::DEFAULT, 16);
    assert!(evaluator.diagnostics().is_empty(), "{:?}", evaluator.diagnostics());
    evaluator
}

fn body(evaluator: &Evaluator, name: &str) -> usize {
    evaluator.scene().body_index(name).expect("a body")
}

/// A pull at a body, whose simulation is recorded up to a frame.
fn begin(evaluator: &mut Evaluator, name: &str, along: f64, frame: f64) -> LiveRun {
    evaluator.at(frame);
    LiveRun::begin(evaluator, body(evaluator, name), along, frame).expect("it can be pulled")
}

fn finish(live: &mut LiveRun) {
    while !live.run(|| true) {}
    live.pose();
}

/// The takes of all simulations as bytes.
fn takes(scene: &Scene) -> Vec<Vec<u8>> {
    scene.simulated_groups().into_iter().flatten().map(|b| scene.take_bytes(b, 0)).collect()
}

#[test]
fn a_pulled_body_hangs_by_its_weight_over_the_stiffness() {
    // The stiffness is the weight on Earth over a 400th of the length.
    let offset = 0.8 / 400.0 * 9.81 / 9.806_65;
    for (kind, along) in
        [("spline-rope", 0.0), ("string", 0.0), ("spline-rope", 0.5), ("string", 0.5)]
    {
        let mut evaluator = evaluator(kind);
        let mut live = begin(&mut evaluator, "free", along, 6.0);
        let target = live.point();
        live.aim(24.0 * 20.0, target);
        finish(&mut live);
        let hangs = live.target() - live.point();
        let missed = hangs.distance(DVec3::Z * offset);
        assert!(missed < 1e-3 * offset, "{kind} {along}: {hangs} instead of {offset} m");
        assert_eq!(live.target(), target);
    }
}

#[test]
fn without_a_pull_a_branch_moves_as_the_recording() {
    for (kind, name) in [("spline-rope", "held"), ("string", "held"), ("string", "line")] {
        let mut evaluator = evaluator(kind);
        // Between two steps, and far from a checkpoint.
        let mut live = begin(&mut evaluator, name, 0.4, 13.7);
        assert!(!live.has_begun());
        for _ in 0..4 {
            live.wait(5.3);
            finish(&mut live);
            assert!(live.has_begun());
            let frame = live.reached();
            assert!(live.moment().bodies == evaluator.at(frame).bodies, "{kind} {name} {frame}");
        }
    }
}

#[test]
fn a_pull_leaves_the_recordings_as_they_are() {
    for (kind, name) in [("spline-rope", "held"), ("string", "held"), ("string", "line")] {
        let mut evaluator = evaluator(kind);
        evaluator.at(30.0);
        let before = takes(evaluator.scene());
        let pose = evaluator.at(20.0).clone();
        let mut live = begin(&mut evaluator, name, 0.4, 12.0);
        let up = live.point() + DVec3::Z * 0.3;
        live.aim(4.0, up);
        live.aim(10.0, up);
        finish(&mut live);
        let pulled = live.point();
        assert!(pulled.z > up.z - 0.1, "{kind} {name}: {pulled} for {up}");
        assert!(takes(evaluator.scene()) == before && *evaluator.at(20.0) == pose, "{kind} {name}");
        // Followers move with it, others do not. Strings share their substeps, and so their last bits.
        let moved = |name: &str| {
            let body = body(&evaluator, name);
            live.moment().bodies[body] != evaluator.scene().evaluate_body(body, live.reached())
        };
        assert!(moved(name) && !moved("other"), "{kind} {name}");
        assert!(moved("tag") == (name == "held") || kind == "string", "{kind} {name}");
        assert!(moved("weight") || name != "line", "{kind} {name}");
    }
}

#[test]
fn any_slices_of_a_pull_give_the_same_bits() {
    // The rope leads another simulation, which needs its motion, and the string moves at other rates.
    for (kind, name) in [("spline-rope", "held"), ("string", "line")] {
        let mut evaluator = evaluator(kind);
        let path = [(1.3, 0.1), (2.0, 0.3), (0.4, -0.2), (6.0, 0.0)];
        let aim = |live: &mut LiveRun, start: DVec3, (frames, x): (f64, f64)| {
            live.aim(frames, start + DVec3::new(x, 0.2, 0.1));
        };
        // The whole path is known at once.
        let mut live = begin(&mut evaluator, name, 0.6, 9.0);
        let start = live.point();
        for part in path {
            aim(&mut live, start, part);
        }
        finish(&mut live);
        let whole = live.moment().clone();
        assert!(whole.frame > 18.4 && whole.frame < 18.7 + 1e-9, "{kind}: {}", whole.frame);
        for slice in [1, 7, 1000] {
            let mut live = begin(&mut evaluator, name, 0.6, 9.0);
            for part in path {
                aim(&mut live, start, part);
                let mut steps = 0;
                while !live.run(|| {
                    steps += 1;
                    steps % (slice + 1) > 0
                }) {
                    live.pose();
                }
            }
            assert!(*live.pose() == whole, "{kind} in slices of {slice}");
        }
    }
}

#[test]
fn bodies_that_cannot_be_pulled_say_why() {
    let mut evaluator = evaluator("string");
    evaluator.at(10.0);
    let begin = |evaluator: &Evaluator, name: &str, frame: f64| {
        LiveRun::begin(evaluator, body(evaluator, name), 0.5, frame).map(drop).unwrap_err()
    };
    assert!(matches!(begin(&evaluator, "weight", 5.0), LiveError::Solid { .. }));
    assert!(matches!(begin(&evaluator, "free", 1.0), LiveError::NotSimulated { .. }));
    let error = begin(&evaluator, "held", 50.0);
    assert!(matches!(error, LiveError::NotRecorded { .. }), "{error}");
    let published = text("spline-rope").replace("control-points = 8", "method = \"published\"");
    let document = format::read(&published).expect("it is TOML").document;
    let mut evaluator = Evaluator::new(document, Limits::DEFAULT, 16);
    evaluator.at(3.0);
    assert!(matches!(begin(&evaluator, "other", 3.0), LiveError::Published { .. }));
}
