//! After any edits, a document is lowered as a fresh one, and only what the edits touch is lowered.

use proptest::prelude::*;

use super::*;
use crate::edit::Edit;

/// All numbers, names and paths of a lowered document, without the revisions.
fn described(lowered: &Lowered) -> Vec<String> {
    let Lowered { shot, shot_valid, frames_span, world, world_valid, .. } = lowered;
    let mut out = vec![format!("{shot:?} {shot_valid} {frames_span:?} {world:?} {world_valid}")];
    for records in [&lowered.locators, &lowered.colliders, &lowered.cameras, &lowered.bodies] {
        out.extend(records.iter().map(|record| format!("{record:?}")));
    }
    out.push(format!("{:?} {:?}", lowered.skipped, lowered.skipped_cameras));
    out.push(format!("{:?} {:?}", lowered.dependencies, lowered.max_points));
    out.push(format!("{:?} {:?}", lowered.links, lowered.camera_links));
    let indices = |thing: Thing, records: &[Arc<Record>]| -> Vec<Option<usize>> {
        records.iter().map(|record| lowered.index(thing, record.name())).collect()
    };
    let bodies = indices(Thing::Body, &lowered.bodies);
    let locators = indices(Thing::Locator, &lowered.locators);
    let colliders = indices(Thing::Collider, &lowered.colliders);
    let cameras = indices(Thing::Camera, &lowered.cameras);
    out.push(format!("{bodies:?} {locators:?} {colliders:?} {cameras:?} {}", lowered.names.len()));
    out
}

/// Compares a lowerer with a fresh lowering of its document.
fn is_as_fresh(lowerer: &Lowerer, document: &Document, limits: &Limits) -> Result<(), String> {
    let (fresh, diagnostics) = lower(document, &Places::none(), limits);
    for (is, should) in described(lowerer.lowered()).iter().zip(described(&fresh)) {
        if *is != should {
            return Err(format!("{is}\ninstead of\n{should}"));
        }
    }
    if lowerer.diagnostics() != diagnostics {
        return Err(format!("{:#?}\ninstead of\n{diagnostics:#?}", lowerer.diagnostics()));
    }
    Ok(())
}

/// Applies edits one by one; returns the number of things that were lowered for each.
fn lowered_by(text: &str, edits: &[Edit]) -> Vec<u64> {
    let mut document = read(text).unwrap().document;
    let mut lowerer = Lowerer::new(&document, Limits::DEFAULT);
    let mut counts = Vec::new();
    for edit in edits {
        let before = lowerer.records_lowered();
        document.apply(edit).unwrap();
        lowerer.update(&document);
        is_as_fresh(&lowerer, &document, &Limits::DEFAULT).unwrap();
        counts.push(lowerer.records_lowered() - before);
    }
    counts
}

fn set(at: &str, value: impl Into<Value>) -> Edit {
    Edit::Set { path: at.parse().unwrap(), value: value.into() }
}

fn list(name: &str) -> Path {
    name.parse().unwrap()
}

const FOLLOWERS: &str = r#"
lariat = 2
[[locator]]
name = "hand"
position = { wiggle = [[1, [0, 0, 2]], [24, [1, 0, 2]]], hertz = 2 }
[[body]]
name = "tail"
model = "loose-rope"
from = { locator = "hand" }
length = 1
waves = [{ height = 0.1, ripples = 1 }]
direction = { follow = "locator.hand.position", lag = 20 }
[[body]]
name = "rope"
model = "suspended-rope"
from = [0, 0, 2]
to = [1, 0, 2]
length = 2
swing = { wiggle = [[1, 0], [24, 35]], hertz = 2 }
[[body]]
name = "second"
model = "suspended-rope"
from = [0, 1, 2]
to = [1, 1, 2]
length = 2
swing = { follow = "rope.swing", lag = 30 }
[[body]]
name = "third"
model = "suspended-rope"
from = { body = "second", at = 0.5 }
to = [1, 2, 2]
length = 2
swing = { follow = "second.swing", lag = 30 }
[[body]]
name = "alone"
model = "suspended-rope"
from = [0, 3, 2]
to = [1, 3, 2]
length = 2
"#;

#[test]
fn an_edit_lowers_only_its_thing() {
    let edits = [
        set("body.alone.length", 3),
        set("body.alone.waves", vec![Value::from(Table::new().with("height", 0.1))]),
        set("body.alone.colour", "no colour"),
        set("locator.hand.rotation", [0, 0, 90]),
        set("world", Table::new().with("wind", [1, 0, 0])),
        // A body without effect on others, and an edit without effect.
        set("body.third.length", 4),
        set("body.third.length", 4),
    ];
    // The tail follows the locator. With a new field at the top, the three followers' leaders are
    // looked up again.
    assert_eq!(lowered_by(FOLLOWERS, &edits), [1, 1, 1, 2, 4, 1, 0]);
}

#[test]
fn a_follower_is_lowered_again_with_its_leader() {
    let edits = [
        set("body.rope.swing.hertz", 3),
        set("body.second.length", 3),
        set("body.rope.swing", 3),
        set("body.alone.length", 3),
    ];
    // While a leader is missing, every edit may supply it. A parameter that cannot be followed is
    // found, so its followers are lowered only with it.
    assert_eq!(lowered_by(FOLLOWERS, &edits), [3, 2, 3, 1]);
}

#[test]
fn a_moved_body_is_not_lowered_again() {
    let extra = read(FOLLOWERS).unwrap().document.get(&list("body.alone")).unwrap().clone();
    let Value::Table(extra) = extra else { panic!("a body is a table") };
    let extra = extra.with("name", "new").with("waves", vec![Value::from(Table::new())]);
    let edits = [
        Edit::Insert { list: list("body"), index: 0, value: extra.into() },
        Edit::Move { list: list("body"), from: 0, to: 5 },
        Edit::Remove { list: list("body"), index: 5 },
        Edit::Rename { thing: Thing::Body, from: "alone".to_owned(), to: "lonely".to_owned() },
    ];
    // Bodies that follow others are lowered when names move: three of them.
    assert_eq!(lowered_by(FOLLOWERS, &edits), [4, 3, 3, 4]);
}

#[test]
fn other_frames_lower_all_and_keep_equal_records() {
    let mut document = read(FOLLOWERS).unwrap().document;
    let mut lowerer = Lowerer::new(&document, Limits::DEFAULT);
    let before = lowerer.lowered().clone();
    document.apply(&set("shot", Table::new().with("frames", [1, 48]))).unwrap();
    lowerer.update(&document);
    is_as_fresh(&lowerer, &document, &Limits::DEFAULT).unwrap();
    let after = lowerer.lowered();
    let index = |lowered: &Lowered, name: &str| lowered.body_index(name).unwrap();
    let [alone, rope] = ["alone", "rope"].map(|name| {
        let (was, is) = (index(&before, name), index(after, name));
        let same = before.revision(Thing::Body, was) == after.revision(Thing::Body, is);
        (same, Arc::ptr_eq(&before.bodies[was], &after.bodies[is]))
    });
    assert_eq!(alone, (true, true));
    // A wiggle rings until the end of the shot.
    assert_eq!(rope, (false, false));
}

#[test]
fn many_diagnostics_are_counted_as_in_a_fresh_document() {
    let body = "[[body]]\nname = 'a'\nmodel = 'loose-rope'\none = 1\ntwo = 2\nthree = 3\n";
    let text = format!("lariat = 2\n{}", body.repeat(4));
    let mut document = read(&text).unwrap().document;
    for most in [0, 1, 2, 3, 5, 7, 20, 100] {
        let limits = Limits { diagnostics: most, ..Limits::DEFAULT };
        let mut lowerer = Lowerer::new(&document, limits);
        is_as_fresh(&lowerer, &document, &limits).unwrap();
        for edit in [
            Edit::Remove { list: list("body"), index: 0 },
            Edit::Unset { path: list("body[1].two") },
            Edit::Move { list: list("body"), from: 2, to: 0 },
        ] {
            let applied = document.apply(&edit).unwrap();
            lowerer.update(&document);
            is_as_fresh(&lowerer, &document, &limits).unwrap();
            document.apply(&applied.inverse).unwrap();
            lowerer.update(&document);
            is_as_fresh(&lowerer, &document, &limits).unwrap();
        }
    }
}

proptest! {
    #[test]
    fn any_edits_lower_as_a_fresh_document(
        start in prop_oneof![
            2 => Just(SAMPLE.to_owned()),
            2 => Just(FOLLOWERS.to_owned()),
            1 => testing::document().prop_map(|document| crate::format::write(&document)),
        ],
        edits in prop::collection::vec(
            (0..9_u8, any::<prop::sample::Index>(), any::<prop::sample::Index>(), testing::name(), testing::value()),
            1..12,
        ),
        most in prop_oneof![3 => Just(1000_u64), 1 => 0..6_u64],
    ) {
        let mut document = read(&start).unwrap().document;
        let limits = Limits { diagnostics: most, ..Limits::DEFAULT };
        let mut lowerer = Lowerer::new(&document, limits);
        let mut inverses = Vec::new();
        for (choice, pick, other, name, value) in edits {
            let edit = testing::edit_of(&document, choice, pick, other, name, value);
            let Ok(applied) = document.apply(&edit) else { continue };
            inverses.push(applied.inverse);
            lowerer.update(&document);
            let same = is_as_fresh(&lowerer, &document, &limits);
            prop_assert!(same.is_ok(), "{edit:?}: {}", same.unwrap_err());
        }
        for inverse in inverses.iter().rev() {
            document.apply(inverse).unwrap();
            lowerer.update(&document);
            let same = is_as_fresh(&lowerer, &document, &limits);
            prop_assert!(same.is_ok(), "{inverse:?}: {}", same.unwrap_err());
        }
    }
}
