//! Simulated bodies that are pulled while time goes on, and kept as pins.

use glam::DVec3;
use lariat_editor::{
    Editor,
    pull::{BodyPoint, LivePull, PullError},
};
use lariat_scene::{Edit, Path, Value};

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

/// The keys of a field of the pin that keeps a pull, as frames and values.
fn keys(edit: &Edit, field: &str) -> Vec<(f64, Value)> {
    let edit = match edit {
        Edit::Batch(edits) => edits.last().expect("an insertion"),
        edit => edit,
    };
    let Edit::Insert { value: Value::Table(pin), .. } = edit else { panic!("{edit:?}") };
    let Some(Value::Table(keyed)) = pin.get(field) else { panic!("{pin:?}") };
    let keys = keyed.get("keys").and_then(Value::list).expect("keys");
    let key = |key: &Value| {
        let key = key.list().expect("a key");
        (key[0].number().expect("a frame"), key[1].clone())
    };
    keys.iter().map(key).collect()
}

#[test]
fn a_pull_from_the_start_of_the_simulation_is_kept() {
    for start in [1.0, 4.0] {
        let kind = format!("{{ kind = \"spline-rope\", start = {start} }}");
        let mut editor = rope(&kind);
        let mut live = LivePull::begin(&editor, "rope", BodyPoint::Along(0.5), start).unwrap();
        live.aim(5.0, live.point() + DVec3::Z * 0.2);
        while !live.run(100) {}
        let edit = live.keep(&editor).expect("a pin");
        let switch = keys(&edit, "on");
        assert_eq!(switch, [(start, true.into()), (start + 5.0, false.into())]);
        editor.apply("Keep pull as pin", &edit).expect("it fits");
        let report = lariat_scene::check::check(editor.text().as_bytes(), editor.limits());
        assert!(!report.has_errors(), "{report:?}");
        for frame in 0..=5 {
            let frame = start + f64::from(frame);
            let off = point(&mut editor, 0.5, frame).distance(live.way(frame));
            assert!(off < 1.5 * live.tolerance(), "from {start} at {frame}: {off} m off");
        }
    }
}

#[test]
fn a_pull_is_kept_up_to_where_the_simulation_stopped() {
    let mut editor = open(
        "lariat = 2\n[shot]\nframes = [1, 24]\n[[body]]\nname = \"cord\"\nmodel = \
         \"suspended-rope\"\nfrom = [0, 0, 1]\nto = [1, 0, 1]\nsag = 0.05\nradius = 0.01\n\
         [body.dynamics]\nkind = \"string\"\nshear-modulus = 1e30\ntwist-end = { keys = [[6, 0], \
         [16, 3]] }\n",
    );
    editor.at(24.0);
    let run = editor.scene().simulation(0).expect("a simulation");
    assert!(run.stopped && run.to > 5.0 && run.to < 20.0, "{run:?}");
    let mut live = LivePull::begin(&editor, "cord", BodyPoint::Along(0.5), 3.0).unwrap();
    live.aim(20.0, live.point());
    while !live.run(1000) {}
    live.pose();
    assert!(live.reached() < 20.0, "{}", live.reached());
    let edit = live.keep(&editor).expect("a pin");
    for field in ["to", "on"] {
        let (last, _) = keys(&edit, field).pop().expect("a key");
        assert_eq!(last, live.reached().floor(), "{field}");
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
