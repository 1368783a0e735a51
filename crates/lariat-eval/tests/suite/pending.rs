//! Poses that do not wait for simulations, and jobs that simulate in slices.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use lariat_eval::{Evaluator, JobStatus, Moment, Pose, Scene, SimulationJob};
use lariat_scene::edit::{Edit, FrameSpan};
use lariat_scene::{Limits, Value, format};
use proptest::prelude::*;

/// A keyed rope, a simulated one with a follower that is simulated too, strings and a solid.
const TEXT: &str = r#"
lariat = 2
[shot]
frames = [1, 40]
[[body]]
name = "keyed"
model = "suspended-rope"
from = [0, 3, 2]
to = [1, 3, 2]
length = 1.2
swing = { keys = [[1, 0], [20, 40]] }
[[body]]
name = "rope"
model = "suspended-rope"
from = [0, 0, 2]
to = { keys = [[1, [1, 0, 2]], [20, [1, 0, 2]], [30, [0.5, 0, 2]]] }
length = 1.5
dynamics = { kind = "spline-rope", control-points = 8, start = 5, rate = 480 }
[[body]]
name = "tag"
model = "loose-rope"
from = { body = "rope", at = 0.5 }
length = 0.3
[[body]]
name = "hung"
model = "loose-rope"
from = { body = "tag", at = 1 }
length = 0.4
dynamics = { kind = "spline-rope", control-points = 6, start = 8 }
[[body]]
name = "string"
model = "suspended-rope"
from = { body = "weight", offset = [0, 0, 0.05] }
to = [0, 2, 2]
length = 1.2
dynamics = { kind = "string", segments = 8 }
[[body]]
name = "weight"
model = "solid"
shape = "ball"
radius = 0.05
position = [0, 1, 1.5]
dynamics = { kind = "rigid", mass = 0.1, start = 2 }
"#;

fn evaluator() -> Evaluator {
    let document = format::read(TEXT).expect("it is TOML").document;
    Evaluator::new(document, Limits::DEFAULT, 16)
}

fn set(path: &str, value: impl Into<Value>) -> Edit {
    Edit::Set { path: path.parse().expect("a path"), value: value.into() }
}

fn names(scene: &Scene, bodies: &[usize]) -> Vec<String> {
    bodies.iter().map(|b| scene.body_name(*b).to_owned()).collect()
}

/// Names of the bodies that wait at a frame, and all bodies.
fn posed(evaluator: &mut Evaluator, frame: f64) -> (Vec<String>, Moment) {
    let scene = evaluator.snapshot();
    match evaluator.pose(frame) {
        Pose::Ready(moment) => (Vec::new(), moment.clone()),
        Pose::Pending { last, waiting } => (names(&scene, &waiting), last.clone()),
    }
}

/// Simulates everything up to a frame.
fn finish(evaluator: &mut Evaluator, frame: f64) {
    if let Some(mut job) = evaluator.simulation_job(frame) {
        assert_eq!(job.advance(|| true), JobStatus::Finished);
    }
}

/// The takes of all simulations as bytes.
fn takes(scene: &Scene) -> Vec<Vec<u8>> {
    scene.simulated_groups().into_iter().flatten().map(|b| scene.take_bytes(b, 0)).collect()
}

#[test]
fn keyed_bodies_are_current_while_others_are_pending() {
    let mut evaluator = evaluator();
    // Until they start, ropes and solids are posed by their models; a string needs its start pose.
    assert_eq!(posed(&mut evaluator, 1.0).0, ["string"]);
    let (waiting, moment) = posed(&mut evaluator, 12.0);
    assert_eq!(waiting, ["rope", "tag", "hung", "string", "weight"]);
    let fresh = self::evaluator().at(12.0).clone();
    assert!(moment.bodies[0] == fresh.bodies[0]);
    assert!(moment.bodies.iter().all(|body| !body.strands.is_empty() || body.mesh.is_some()));
    assert!(moment.bodies[1] != fresh.bodies[1]);
    finish(&mut evaluator, 12.0);
    let (waiting, moment) = posed(&mut evaluator, 12.0);
    assert!(waiting.is_empty() && moment == fresh);
    assert!(evaluator.simulation_job(12.0).is_none(), "there is nothing left to simulate");
    // A keyed body is edited while the others wait.
    evaluator.apply(&set("body.keyed.length", 1.4)).expect("a good edit");
    let (waiting, moment) = posed(&mut evaluator, 30.0);
    assert_eq!(waiting.len(), 5);
    let mut fresh = Evaluator::new(evaluator.document().clone(), Limits::DEFAULT, 1);
    assert!(moment.bodies[0] == fresh.at(30.0).bodies[0]);
}

#[test]
fn a_pending_body_keeps_its_last_good_shape() {
    let mut evaluator = evaluator();
    let before = evaluator.at(12.0).clone();
    evaluator.apply(&set("body.rope.length", 1.6)).expect("a good edit");
    let (waiting, moment) = posed(&mut evaluator, 12.0);
    assert_eq!(waiting, ["rope", "tag", "hung"], "strings are not affected");
    assert!(moment.bodies == before.bodies);
    // A frame that was never shown has the last record, which moves on as it is simulated.
    let mut job = evaluator.simulation_job(20.0).expect("there is something to simulate");
    job.advance_steps(100);
    let first = posed(&mut evaluator, 20.0).1;
    job.advance_steps(100);
    let second = posed(&mut evaluator, 20.0).1;
    assert!(first.bodies[1] != second.bodies[1]);
    assert_eq!(job.advance(|| true), JobStatus::Finished);
    let mut fresh = Evaluator::new(evaluator.document().clone(), Limits::DEFAULT, 1);
    for frame in [12.0, 20.0] {
        let (waiting, moment) = posed(&mut evaluator, frame);
        assert!(waiting.is_empty() && moment == *fresh.at(frame), "frame {frame}");
    }
}

#[test]
fn nothing_is_simulated_by_a_pose() {
    let mut evaluator = evaluator();
    for frame in [1.0, 4.0, 12.0, 40.0] {
        evaluator.pose(frame);
    }
    let recorded = evaluator.takes().iter().filter(|take| take.recorded.is_some()).count();
    assert_eq!(recorded, 0);
}

#[test]
fn a_job_stops_within_a_step() {
    let mut evaluator = evaluator();
    let mut job = evaluator.simulation_job(40.0).expect("there is something to simulate");
    let mut asked = 0;
    let status = job.advance(|| {
        asked += 1;
        asked <= 7
    });
    assert_eq!((status, asked), (JobStatus::Running, 8));
    let canceller = job.canceller();
    let mut steps = 0;
    let status = job.advance(|| {
        steps += 1;
        if steps == 3 {
            canceller.cancel();
        }
        true
    });
    assert_eq!((status, steps), (JobStatus::Cancelled, 3));
    assert_eq!(job.advance(|| true), JobStatus::Cancelled);
}

#[test]
fn progress_grows_to_one() {
    let mut evaluator = evaluator();
    let mut job = evaluator.simulation_job(20.0).expect("there is something to simulate");
    let mut last = job.progress().share;
    assert!(last.abs() < 1e-12);
    while job.advance_steps(50) == JobStatus::Running {
        let share = job.progress().share;
        assert!(share >= last && share <= 1.0, "{share}");
        last = share;
    }
    let progress = job.progress();
    assert!((progress.share - 1.0).abs() < 1e-12 && (progress.reached - 20.0).abs() < 1e-9);
}

#[test]
fn an_edit_supersedes_a_job() {
    let mut evaluator = evaluator();
    let mut job = evaluator.simulation_job(20.0).expect("there is something to simulate");
    assert_eq!(job.advance_steps(10), JobStatus::Running);
    // A keyed body does not matter to it.
    evaluator.apply(&set("body.keyed.length", 1.4)).expect("a good edit");
    assert_eq!(job.advance_steps(10), JobStatus::Running);
    evaluator.apply(&set("body.rope.length", 1.6)).expect("a good edit");
    assert_eq!(job.advance_steps(10), JobStatus::Superseded);
    finish(&mut evaluator, 20.0);
    let fresh = Evaluator::new(evaluator.document().clone(), Limits::DEFAULT, 1).at(20.0).clone();
    assert!(*evaluator.at(20.0) == fresh);
}

#[test]
fn a_snapshot_keeps_its_records_after_an_edit() {
    let mut evaluator = evaluator();
    finish(&mut evaluator, 20.0);
    let snapshot = evaluator.snapshot();
    let (before, recorded) = (snapshot.evaluate(20.0), takes(&snapshot));
    evaluator.apply(&set("body.rope.length", 1.6)).expect("a good edit");
    finish(&mut evaluator, 20.0);
    assert!(takes(&snapshot) == recorded);
    assert!(snapshot.evaluate(20.0) == before);
    assert!(*evaluator.at(20.0) != before);
}

#[test]
fn a_take_shows_recorded_stale_and_running_frames() {
    let mut evaluator = evaluator();
    let take = |evaluator: &Evaluator, name: &str| {
        let takes = evaluator.takes();
        takes.into_iter().find(|take| take.name == name).expect("it is simulated")
    };
    assert_eq!(take(&evaluator, "rope").recorded, None);
    finish(&mut evaluator, 40.0);
    let rope = take(&evaluator, "rope");
    let recorded = rope.recorded.expect("it is recorded");
    assert!(recorded.first == 5.0 && recorded.last >= 40.0 && !rope.running);
    assert_eq!(rope.stale, None);
    // A key changes the motion from frame 20 on.
    let channel = "body.rope.to".parse().expect("a path");
    let value = Value::from([0.6, 0.0, 2.0]);
    evaluator.apply(&Edit::SetKey { channel, frame: 30.0, value }).expect("a good edit");
    let rope = take(&evaluator, "rope");
    let kept = rope.recorded.expect("frames before it are kept");
    assert!(kept.first == 5.0 && kept.last > 10.0 && kept.last <= 20.0, "{kept:?}");
    assert_eq!(rope.stale, Some(FrameSpan { first: kept.last, last: recorded.last }));
    assert!(take(&evaluator, "hung").stale.is_some(), "it hangs on the rope");
    assert_eq!(take(&evaluator, "strings and solids").stale, None);
    assert!(posed(&mut evaluator, 10.0).0.is_empty());
    let mut job = evaluator.simulation_job(40.0).expect("there is something to simulate");
    assert!(take(&evaluator, "rope").running && !take(&evaluator, "strings and solids").running);
    job.advance_steps(40);
    assert!(take(&evaluator, "rope").recorded.expect("more").last > kept.last);
    job.cancel();
    assert!(!take(&evaluator, "rope").running);
    finish(&mut evaluator, 40.0);
    assert_eq!(take(&evaluator, "rope").stale, None);
}

#[test]
fn poses_are_right_while_another_thread_simulates() {
    let mut evaluator = evaluator();
    finish(&mut evaluator, 10.0);
    let mut job =
        SimulationJob::new(evaluator.snapshot(), 40.0).expect("there is more to simulate");
    let (stop, steps) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    std::thread::scope(|scope| {
        let (stop, steps) = (stop.clone(), steps.clone());
        let (stopping, counting) = (stop.clone(), steps.clone());
        scope.spawn(move || {
            job.advance(|| {
                counting.fetch_add(1, Ordering::Relaxed);
                !stopping.load(Ordering::Relaxed)
            })
        });
        let mut fresh = self::evaluator();
        for frame in 1..=10 {
            let frame = f64::from(frame);
            let Pose::Ready(moment) = evaluator.pose(frame) else { panic!("frame {frame} waits") };
            assert!(moment == fresh.at(frame), "frame {frame}");
        }
        while steps.load(Ordering::Relaxed) < 50 {
            evaluator.pose(40.0);
        }
        stop.store(true, Ordering::Relaxed);
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Jobs of any length, cancelled and replaced at any step, with edits of other bodies between.
    #[test]
    fn any_slices_record_the_same_bits(
        slices in prop::collection::vec((0..400_u64, 0..4_u8, 10..36_i32), 1..12),
    ) {
        let mut evaluator = evaluator();
        let mut job = None;
        for (steps, event, frame) in slices {
            let current: &mut Option<SimulationJob> = &mut job;
            if current.is_none() {
                *current = evaluator.simulation_job(f64::from(frame));
            }
            let Some(running) = current else { continue };
            let status = running.advance_steps(steps);
            match event {
                _ if status == JobStatus::Finished => *current = None,
                0 => *current = None,
                1 => {
                    running.cancel();
                    *current = None;
                }
                2 => {
                    let length = 1.2 + f64::from(frame) * 0.01;
                    evaluator.apply(&set("body.keyed.length", length)).expect("a good edit");
                    evaluator.pose(f64::from(frame));
                }
                _ => {}
            }
        }
        drop(job);
        finish(&mut evaluator, 36.0);
        let whole = self::evaluator();
        for body in whole.scene().simulated_groups().into_iter().flatten() {
            let until = evaluator.scene().simulation(body).expect("it is simulated").to;
            prop_assert!(whole.scene().simulate(body, until, |_| true));
        }
        prop_assert!(takes(evaluator.scene()) == takes(whole.scene()));
    }
}
