//! Simulated bodies that are pulled while time goes on, and kept as pins.

use glam::DVec3;
use lariat_editor::{
    Editor,
    pull::{BodyPoint, LivePull, PullError},
};
use lariat_scene::{Path, Value};

use crate::open;

fn rope(kind: &str) -> Editor {
    let mut editor = open(&format!(
        "lariat = 2\n\n[shot]\nframes = [1, 60]\n\n[[body]]\nname = \"rope\" # a comment\n\
         model = \"suspended-rope\"\nfrom = [0, 0, 2]\nto = [2, 0, 2]\nlength = 2.6\n\
         swing = {{ keys = [[1, 20], [4, -10]] }}\ndynamics = {kind}\n"
    ));
    editor.at(60.0);
    editor
}

/// Pulls a point of the rope in a bow for a second.
fn pull(editor: &Editor, u: f64) -> LivePull {
    let mut live = LivePull::begin(editor, "rope", BodyPoint::Along(u), 12.0).expect("a pull");
    let start = live.point();
    for step in 1..=24 {
        let turn = f64::from(step) / 24.0;
        let by = DVec3::new(0.1 * turn, 0.5 * turn * (1.0 - turn), 0.4 * turn * turn);
        live.aim(1.0, start + by);
        while !live.run(9) {}
        live.pose();
    }
    live
}

fn point(editor: &mut Editor, u: f64, frame: f64) -> DVec3 {
    BodyPoint::Along(u).on(&editor.at(frame).bodies[0]).expect("a point")
}

#[test]
fn a_kept_pull_is_a_pin_whose_motion_passes_through_its_keys() {
    let table = "{ kind = \"string\", segments = 40 }";
    // Places of drawn points, so that the held point is one of them.
    for (kind, u) in [("\"spline-rope\"", 0.5), ("\"spline-rope\"", 0.25), (table, 0.5)] {
        let mut editor = rope(kind);
        let (text, before) = (editor.text(), point(&mut editor, u, 11.0));
        let live = pull(&editor, u);
        assert_eq!(editor.text(), text, "a pull does not change the document");
        // The point is near its target, by a share of the length.
        assert!(live.stretch() < 0.03 && live.reached() == 36.0, "{kind}: {}", live.stretch());
        let edit = live.keep(&editor).expect("a pin");
        editor.apply("Keep pull as pin", &edit).expect("it fits");
        assert!(
            !lariat_scene::check::check(editor.text().as_bytes(), editor.limits()).has_errors()
        );
        let keys: Path = "body.rope.dynamics.pins[0].to.keys".parse().unwrap();
        let keys = editor.document().get(&keys).and_then(Value::list).expect("keys").to_vec();
        assert!((3..=12).contains(&keys.len()), "{kind}: {} keys", keys.len());
        for key in &keys {
            let key = key.list().unwrap();
            let place = key[1].list().unwrap().iter().map(|x| x.number().unwrap());
            let place = DVec3::from_slice(&place.collect::<Vec<_>>());
            let passes = point(&mut editor, u, key[0].number().unwrap());
            assert!(
                passes.distance(place) < live.tolerance(),
                "{kind}: {passes} instead of {place}"
            );
        }
        for frame in 12..=36 {
            let (now, was) = (point(&mut editor, u, frame.into()), live.way(frame.into()));
            let off = now.distance(was);
            assert!(off < 1.5 * live.tolerance(), "{kind} at {frame}: {off} m off");
        }
        // Before, it moves as it did; afterwards it is free.
        assert_eq!(point(&mut editor, u, 11.0), before);
        let last = point(&mut editor, u, 36.0);
        assert!(point(&mut editor, u, 50.0).distance(last) > 0.05, "{kind}");
        assert_eq!(editor.history().done().len(), 1);
        editor.undo();
        assert_eq!(editor.text(), text);
    }
}

#[test]
fn a_pull_is_refused_where_nothing_is_simulated() {
    let mut editor = rope("\"spline-rope\"");
    let begin = |editor: &Editor, body: &str, frame: f64| {
        LivePull::begin(editor, body, BodyPoint::Along(0.5), frame).map(drop).unwrap_err()
    };
    assert_eq!(begin(&editor, "none", 3.0), PullError::NoBody { name: "none".to_owned() });
    let error = begin(&editor, "rope", 0.0).to_string();
    assert_eq!(error, "`rope` is not simulated at frame 0");
    // A pull that was not held for a frame leaves nothing to keep.
    let live = LivePull::begin(&editor, "rope", BodyPoint::Along(0.5), 12.0).unwrap();
    assert_eq!(live.keep(&editor), None);
    editor.apply("Length", &crate::set("body.rope.length", 2.7)).unwrap();
    let error = begin(&editor, "rope", 12.0).to_string();
    assert!(error.contains("wait until it has reached frame 12"), "{error}");
}
