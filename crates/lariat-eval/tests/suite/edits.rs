//! After an edit, only affected bodies are posed again, and the result equals a fresh evaluation.

use lariat_eval::Evaluator;
use lariat_scene::edit::Edit;
use lariat_scene::{Document, Limits, Value, format};

const TEXT: &str = r#"
lariat = 2
[[locator]]
name = "hook"
position = [0, 0, 3]
[[collider]]
name = "ball"
shape = "sphere"
radius = 0.2
[[body]]
name = "line"
model = "suspended-rope"
from = { locator = "hook" }
to = [4, 0, 3]
length = 5
swing = { keys = [[1, 0], [20, 40], [40, 0], [60, 20]] }
[[body]]
name = "bell"
model = "loose-rope"
from = { body = "line", at = 0.5 }
length = 1
[[body]]
name = "alone"
model = "loose-rope"
from = [9, 0, 3]
length = 2
waves = [{ height = 0.1, ripples = 2, travel = 1 }]
[[body]]
name = "over"
model = "suspended-rope"
from = [-1, 0, 0.5]
to = [1, 0, 0.5]
length = 2.6
layers = [{ kind = "clamp", against = "ball" }]
"#;

fn document() -> Document {
    format::read(TEXT).expect("it is TOML").document
}

fn evaluator() -> Evaluator {
    Evaluator::new(document(), Limits::default(), 16)
}

fn set(path: &str, value: impl Into<Value>) -> Edit {
    Edit::Set { path: path.parse().expect("a path"), value: value.into() }
}

/// Number of bodies that the evaluator poses again at `frame` after an edit; checks the result.
fn posed_by(edit: &Edit, frame: f64) -> u64 {
    let mut evaluator = evaluator();
    evaluator.at(frame);
    evaluator.at(7.0);
    let before = evaluator.bodies_posed();
    evaluator.apply(edit).expect("a good edit");
    let fresh =
        Evaluator::new(evaluator.document().clone(), Limits::default(), 1).at(frame).clone();
    assert_eq!(*evaluator.at(frame), fresh, "{edit:?}");
    evaluator.bodies_posed() - before
}

#[test]
fn a_frame_evaluated_twice_is_posed_once() {
    let mut evaluator = evaluator();
    evaluator.at(12.0);
    evaluator.at(12.0);
    assert_eq!(evaluator.bodies_posed(), 4);
}

#[test]
fn an_edit_poses_its_body_and_its_followers() {
    assert_eq!(posed_by(&set("body[2].length", 2.5), 12.0), 1);
    assert_eq!(posed_by(&set("body[0].length", 5.5), 12.0), 2, "the line and its bell");
    assert_eq!(posed_by(&set("locator[0].position[2]", 3.5), 12.0), 2);
    assert_eq!(posed_by(&set("collider[0].radius", 0.3), 12.0), 1);
    assert_eq!(
        posed_by(
            &set(
                "shot",
                Value::Table([("fps".to_owned(), Value::Number(30.0))].into_iter().collect())
            ),
            12.0
        ),
        4
    );
}

#[test]
fn a_key_affects_only_frames_where_its_curve_changes() {
    let path = "body[0].swing".parse().expect("a path");
    let edit = Edit::SetKey { channel: path, frame: 60.0, value: Value::Number(35.0) };
    assert_eq!(posed_by(&edit, 12.0), 0, "two keys before");
    assert_eq!(posed_by(&edit, 55.0), 2);
}

const DOG: &str = r#"
lariat = 2
[shot]
frames = [10, 60]
[[body]]
name = "dog"
model = "slinky"
from = [0, 0, 1]
to = { keys = [[0, [1, 0, 1]], [20, [3, 0, 1]], [40, [1, 0, 1]], [60, [2, 0, 1]]] }
sag = 0.4
coils = 6
[[body]]
name = "tag"
model = "loose-rope"
from = { body = "dog", at = 0.5 }
length = 0.2
"#;

#[test]
fn a_changed_rest_distance_affects_every_frame() {
    let document = format::read(DOG).expect("it is TOML").document;
    let mut evaluator = Evaluator::new(document, Limits::default(), 16);
    evaluator.at(60.0);
    let channel: lariat_scene::Path = "body.dog.to".parse().expect("a path");
    for frame in [0.0, 10.0] {
        let value = Value::from([1.5, 0.0, 1.0]);
        let edit = Edit::SetKey { channel: channel.clone(), frame, value };
        evaluator.apply(&edit).expect("a good edit");
        let fresh =
            Evaluator::new(evaluator.document().clone(), Limits::default(), 1).at(60.0).clone();
        assert_eq!(*evaluator.at(60.0), fresh, "key at {frame}");
    }
}

#[test]
fn trimming_a_shot_moves_no_spring() {
    let at = |text: &str| {
        let document = format::read(text).expect("it is TOML").document;
        Evaluator::new(document, Limits::default(), 1).at(33.0).clone()
    };
    assert_eq!(at(DOG), at(&DOG.replace("[10, 60]", "[20, 50]")));
}

#[test]
fn diagnostics_have_places_in_the_text_after_an_edit() {
    let mut evaluator = evaluator();
    evaluator.apply(&set("body.alone.colour", "no colour")).expect("a good edit");
    evaluator.apply(&set("body.line.radius", 0.02)).expect("a good edit");
    assert!(evaluator.diagnostics().iter().all(|found| found.span().is_none()));
    let text = format::patch(evaluator.document(), TEXT);
    let places = format::read(&text).expect("it is TOML").places;
    let located = evaluator.located_diagnostics(&places);
    assert_eq!(located.len(), evaluator.diagnostics().len());
    let spans = located.iter().filter_map(lariat_scene::check::Diagnostic::span);
    assert!(spans.clone().any(|span| text[span.range()].contains("no colour")), "{located:#?}");
}

#[test]
fn every_change_of_looks_is_drawn() {
    let outline = || Value::from([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]);
    let mut evaluator = evaluator();
    evaluator.at(12.0);
    for edit in [
        set("body[0].colour", [0.1, 0.2, 0.3]),
        set("body[0].material", "brass"),
        set("body[0].profile", "flat"),
        set("body[0].width", 0.2),
        set("body[0].thickness", 0.01),
        set("body[0].profile", outline()),
        set("body[0].profile", "round"),
        set("body[0].radius", 0.07),
        set("body[0].taper", [[0.0, 1.0], [1.0, 0.5]]),
        set("body[0].twist", 2),
        set("body[0].frames", "frenet"),
        set("body[0].visible", false),
    ] {
        evaluator.apply(&edit).expect("a good edit");
        let fresh =
            Evaluator::new(evaluator.document().clone(), Limits::default(), 1).at(12.0).clone();
        assert_eq!(*evaluator.at(12.0), fresh, "{edit:?}");
    }
}

#[test]
fn adding_or_removing_a_body_does_not_pose_the_others() {
    let remove = Edit::Remove { list: "body".parse().expect("a path"), index: 2 };
    assert_eq!(posed_by(&remove, 12.0), 0);
    let text = "lariat = 2\n[[body]]\nname = \"new\"\nmodel = \"loose-rope\"\nfrom = [0, 0, 1]\nlength = 0.5\n";
    let body = format::read(text)
        .expect("it is TOML")
        .document
        .get(&"body[0]".parse().expect("a path"))
        .expect("a body")
        .clone();
    let insert = Edit::Insert { list: "body".parse().expect("a path"), index: 1, value: body };
    assert_eq!(posed_by(&insert, 12.0), 1);
}

#[test]
fn an_edit_and_its_inverse_restore_the_moment() {
    let mut evaluator = evaluator();
    let before = evaluator.at(12.0).clone();
    let applied = evaluator.apply(&set("body[0].length", 4.5)).expect("a good edit");
    assert_ne!(*evaluator.at(12.0), before);
    evaluator.apply(&applied.inverse).expect("its inverse");
    assert_eq!(*evaluator.at(12.0), before);
}

#[test]
fn memory_is_bounded_and_eviction_changes_nothing() {
    let mut small = Evaluator::new(document(), Limits::default(), 2);
    let first = small.at(1.0).clone();
    for frame in 2..20 {
        small.at(f64::from(frame));
    }
    assert_eq!(*small.at(1.0), first);
    assert_eq!(small.bodies_posed(), 20 * 4);
}
