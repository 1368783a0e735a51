//! Every edit can be undone, and reports the things it touched.

use proptest::prelude::*;

use super::*;
use crate::{
    format::{read, write},
    testing::{self, SAMPLE},
    value::{MAX_DEPTH, Table},
};

fn path(text: &str) -> Path {
    text.parse().unwrap()
}

fn set(at: &str, value: impl Into<Value>) -> Edit {
    Edit::Set { path: path(at), value: value.into() }
}

fn set_key(at: &str, frame: f64, value: impl Into<Value>) -> Edit {
    Edit::SetKey { channel: path(at), frame, value: value.into() }
}

/// Applies an edit to the sample, checks its inverse, and returns the result.
fn edited(edit: &Edit) -> (Document, Touched) {
    let before = testing::sample();
    let mut document = before.clone();
    let applied = document.apply(edit).unwrap_or_else(|error| panic!("{edit:?}: {error}"));
    assert_ne!(document, before, "{edit:?} did nothing");
    let after = document.clone();
    let back = document.apply(&applied.inverse).unwrap();
    assert_eq!(document, before, "{edit:?} left a trace");
    assert_eq!(back.touched, applied.touched, "taking {edit:?} back touches the same");
    document.apply(&back.inverse).unwrap();
    assert_eq!(document, after, "{edit:?} cannot be made again");
    (after, applied.touched)
}

fn error(edit: &Edit) -> EditError {
    let before = testing::sample();
    let mut document = before.clone();
    let error = document.apply(edit).unwrap_err();
    assert_eq!(document, before, "{edit:?} failed and left a trace");
    error
}

#[test]
fn a_field_is_set_by_name_or_index_and_under_both_names() {
    let (by_name, _) = edited(&set("body.rein.length", 5));
    let (by_index, _) = edited(&set("body[0].length", 5));
    assert_eq!(by_name, by_index);
    // The file has `height` in the first wave and `magnitude` in the second.
    let (document, _) = edited(&set("body.rein.waves[0].magnitude", 1));
    assert_eq!(document.get(&path("body[0].waves[0].height")), Some(&Value::from(1)));
    assert_eq!(document.get(&path("body[0].waves[0].magnitude")), None);
    let (document, _) = edited(&set("body.rein.waves[1].height", 1));
    assert_eq!(document.get(&path("body[0].waves[1].magnitude")), Some(&Value::from(1)));
}

#[test]
fn elements_of_a_list_are_inserted_removed_and_moved() {
    let wave = Table::new().with("height", 1);
    let insert =
        |list: &str, index| Edit::Insert { list: path(list), index, value: wave.clone().into() };
    let (document, _) = edited(&insert("body.rein.waves", 2));
    assert_eq!(document.get(&path("body[0].waves[2].height")), Some(&Value::from(1)));
    // A new list.
    let (document, _) = edited(&insert("body.lead.waves", 0));
    assert_eq!(document.get(&path("body.lead.waves[0].height")), Some(&Value::from(1)));
    edited(&Edit::Remove { list: path("body.rein.waves"), index: 0 });
    let (document, touched) = edited(&Edit::Move { list: path("body"), from: 0, to: 7 });
    assert_eq!(document.names(Thing::Body).last(), Some("rein"));
    assert!(touched.structure);
}

#[test]
fn renaming_changes_all_references() {
    let rename = |thing, from: &str, to: &str| {
        edited(&Edit::Rename { thing, from: from.to_owned(), to: to.to_owned() })
    };
    let (document, touched) = rename(Thing::Locator, "hand", "fist");
    let text = write(&document);
    assert!(!text.contains("\"hand\"") && text.matches("\"fist\"").count() == 6, "{text}");
    assert_eq!(touched.locators, ["fist", "hand"]);
    assert_eq!(touched.bodies, ["lasso", "lead", "rein"]);
    assert_eq!(touched.cameras, ["map"]);
    let (document, _) = rename(Thing::Body, "cord", "wire");
    assert!(write(&document).contains("parts = [\"wire\", \"girth\"]"));
    let (document, _) = rename(Thing::Body, "rein", "bridle");
    assert!(write(&document).contains("from = { body = \"bridle\", at = 0.5 }"));
    assert!(write(&document).contains("target = { body = \"bridle\", at = 0.5 }"));
    let (document, touched) = rename(Thing::Camera, "map", "crane");
    assert_eq!(document.names(Thing::Camera).collect::<Vec<_>>(), ["fence", "crane"]);
    assert_eq!((touched.cameras, touched.bodies), (vec!["crane".into(), "map".into()], vec![]));
    let (document, _) = rename(Thing::Collider, "barrel", "tub");
    assert!(write(&document).contains("against = \"tub\""));
    // A body may have the name of a locator: only references to the locator change.
    let (document, _) = rename(Thing::Locator, "bit", "rein");
    assert!(write(&document).contains("from = { body = \"rein\", at = 0.5 }"));
}

#[test]
fn a_key_set_on_a_constant_makes_it_keyed() {
    let (document, _) = edited(&set_key("body.rein.length", 12.0, 5));
    let keys: Value = Table::new().with("keys", vec![Value::from([12, 5])]).into();
    assert_eq!(document.get(&path("body.rein.length")), Some(&keys));
    let (document, _) = edited(&set_key("body.rein.sway", 12.0, 5));
    assert_eq!(document.get(&path("body.rein.sway")), Some(&keys));
}

#[test]
fn keys_are_found_under_both_names() {
    let text = "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'loose-rope'\nwaves = [{ height = { keys = [[1, 0], [24, 1]] } }]\n";
    for word in ["height", "magnitude"] {
        let channel = path(&format!("body.a.waves[0].{word}"));
        let mut document = read(text).unwrap().document;
        let key = Edit::SetKey { channel: channel.clone(), frame: 12.0, value: 0.5.into() };
        document.apply(&key).unwrap();
        let keys = document.get(&path("body.a.waves[0].height.keys")).unwrap().list().unwrap();
        assert_eq!(keys.len(), 3, "{word}: {keys:?}");
        assert_eq!(keys[1], Value::from([12.0, 0.5]));
        document.apply(&Edit::RemoveKey { channel, frame: 12.0 }).unwrap();
        assert_eq!(document, read(text).unwrap().document, "{word}");
    }
}

#[test]
fn a_camera_can_be_keyed() {
    let (document, touched) = edited(&set_key("camera.fence.position", 48.0, [3, -9, 2]));
    let key = Value::List(vec![48.into(), [3, -9, 2].into()]);
    assert_eq!(document.get(&path("camera.fence.position.keys[1]")), Some(&key));
    assert_eq!(touched.cameras, ["fence"]);
    let (document, _) = edited(&set_key("camera.fence.angle", 12.0, 40));
    assert_eq!(document.get(&path("camera.fence.angle.keys[0]")), Some(&Value::from([12, 40])));
    edited(&set_key("camera.map.roll", 12.0, 0));
    edited(&set_key("camera.map.target.offset", 12.0, [0, 1, 0]));
    edited(&Edit::RemoveKey { channel: path("camera.fence.position"), frame: 96.0 });
    edited(&Edit::Unset { path: path("camera.map.height") });
    edited(&Edit::Remove { list: path("camera"), index: 0 });
    edited(&Edit::Move { list: path("camera"), from: 0, to: 1 });
    assert_eq!(
        error(&set_key("camera.fence.name", 1.0, "x")).to_string(),
        "`camera[0].name` cannot be keyed: it takes no keys, only: text"
    );
}

#[test]
fn each_number_of_a_list_is_keyed_separately() {
    let text = "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'microphone-cord'\nleads = [0.1, 0.2]\n";
    let mut document = read(text).unwrap().document;
    document.apply(&set_key("body.a.leads[1]", 12.0, 0.3)).unwrap();
    assert_eq!(document.get(&path("body.a.leads[1].keys[0]")), Some(&Value::from([12.0, 0.3])));
    assert!(matches!(
        document.apply(&set_key("body.a.leads", 12.0, 0.3)),
        Err(EditError::CannotBeKeyed { .. })
    ));
}

/// Names of all fields, in order.
fn order(document: &Document) -> Vec<String> {
    testing::places(document).iter().map(ToString::to_string).collect()
}

/// Names of the fields next to a path, in order.
fn neighbours(document: &Document, path: &Path) -> Vec<String> {
    let (parent, _) = path.parent().unwrap();
    let table = document.get(&parent).and_then(Value::table).unwrap_or(&document.root);
    table.iter().map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn numbers_that_are_not_finite_can_be_put_back() {
    let text = "lariat = 2\n[[body]]\nname = 'a'\nlength = -inf\nfrom = [nan, 0, 1]\nswing = { keys = \
                [[1, inf], [2, 3]] }\n[[body]]\nlength = inf\n";
    let edits = [
        Edit::Set { path: path("body.a.length"), value: Value::from(2.0) },
        Edit::Set { path: path("body.a.from[0]"), value: Value::from(2.0) },
        Edit::Set { path: path("body[0]"), value: Value::from(2.0) },
        Edit::Unset { path: path("body.a.length") },
        Edit::Remove { list: path("body.a.swing.keys"), index: 0 },
        Edit::Remove { list: path("body"), index: 1 },
        set_key("body.a.length", 4.0, 1.0),
        Edit::Batch(vec![
            Edit::Remove { list: path("body.a.from"), index: 0 },
            Edit::Unset { path: path("body.a.nothing") },
        ]),
    ];
    let before = read(text).unwrap().document;
    for edit in edits {
        let mut document = before.clone();
        if let Ok(applied) = document.apply(&edit) {
            assert_ne!(write(&document), write(&before), "{edit:?}");
            let again = document.apply(&applied.inverse).unwrap();
            assert_eq!(write(&document), write(&before), "{edit:?}");
            assert_eq!(order(&document), order(&before), "{edit:?}");
            document.apply(&again.inverse).unwrap();
            document.apply(&applied.inverse).unwrap();
        }
        assert_eq!(write(&document), write(&before), "{edit:?} left a trace");
    }
    // A new value must be finite.
    let nan = Value::from(f64::NAN);
    let mut document = before;
    for edit in [
        Edit::Set { path: path("body.a.length"), value: nan.clone() },
        Edit::Insert { list: path("body.a.from"), index: 0, value: nan },
    ] {
        assert!(matches!(document.apply(&edit), Err(EditError::NotFinite { .. })), "{edit:?}");
    }
}

#[test]
fn a_restored_field_has_its_old_position() {
    let before = testing::sample();
    for path in testing::places(&before) {
        let mut document = before.clone();
        let Ok(applied) = document.apply(&Edit::Unset { path: path.clone() }) else { continue };
        // Saved in between, as with autosave.
        let saved = crate::format::patch(&document, SAMPLE);
        document.apply(&applied.inverse).unwrap();
        assert_eq!(order(&document), order(&before), "{path}");
        let again = read(&crate::format::patch(&document, &saved)).unwrap().document;
        assert_eq!(again, before, "{path}");
        // Tables with headers are written last.
        if path.steps().len() > 1 {
            assert_eq!(neighbours(&again, &path), neighbours(&before, &path), "{path}");
        }
    }
}

#[test]
fn a_failed_batch_preserves_the_order_of_fields() {
    let before = testing::sample();
    let mut document = before.clone();
    let batch = Edit::Batch(vec![Edit::Unset { path: path("body.rein.from") }, set("body.x.y", 1)]);
    document.apply(&batch).unwrap_err();
    assert_eq!(order(&document), order(&before));
}

#[test]
fn setting_a_key_preserves_its_other_settings() {
    let (document, _) = edited(&set_key("body.rein.swing", 24.0, 40));
    let key = document.get(&path("body.rein.swing.keys[1]")).unwrap().table().unwrap();
    assert_eq!(key.get("value"), Some(&Value::from(40)));
    assert_eq!(key.get("tangents"), Some(&Value::from("free")));
    let (document, _) = edited(&set_key("body.rein.swing", 1.0, 40));
    assert_eq!(document.get(&path("body.rein.swing.keys[0]")), Some(&Value::from([1, 40])));
    let (document, _) = edited(&set_key("body.rein.swing", 36.5, 40));
    assert_eq!(document.get(&path("body.rein.swing.keys[2]")), Some(&Value::from([36.5, 40.0])));
}

#[test]
fn removing_the_last_key_keeps_its_value() {
    let mut document = testing::sample();
    document.apply(&set_key("body.rein.length", 12.0, 5)).unwrap();
    let keyed = document.clone();
    let remove = Edit::RemoveKey { channel: path("body.rein.length"), frame: 12.0 };
    let applied = document.apply(&remove).unwrap();
    assert_eq!(document.get(&path("body.rein.length")), Some(&Value::from(5)));
    document.apply(&applied.inverse).unwrap();
    assert_eq!(document, keyed);
    edited(&Edit::RemoveKey { channel: path("body.rein.swing"), frame: 24.0 });
}

fn frames_of(edit: &Edit) -> Option<FrameSpan> {
    edited(edit).1.frames
}

#[test]
fn a_key_touches_only_the_frames_around_it() {
    let frames = |edit: &Edit| frames_of(edit).unwrap();
    // The last key is held, so all frames after the key before it change.
    let span = frames(&set_key("body.lead.bends[1].angle", 12.0, 50));
    assert_eq!((span.first, span.last), (1.0, f64::INFINITY));
    // In the middle: up to the neighbours, and one key further where tangents depend on it.
    let text = "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'loose-rope'\nlength = { keys = [[1, 1], [10, 2], [20, 1], [30, 2], [40, 1], [50, 2], [60, 1]] }\n";
    let mut document = read(text).unwrap().document;
    let applied = document.apply(&set_key("body.a.length", 30.0, 3)).unwrap();
    let span = applied.touched.frames.unwrap();
    assert!(span.first >= 10.0 && span.last <= 50.0, "{span:?}");
    assert!(span.contains(25.0) && span.contains(35.0));
    assert_eq!(applied.touched.bodies, ["a"]);
    assert!(!applied.touched.structure && !applied.touched.shot);
    // A key set to its own value touches no frame.
    let applied = document.apply(&set_key("body.a.length", 30.0, 3)).unwrap();
    assert_eq!(applied.touched.frames, None);
    // Travel accumulates, so a key touches all frames.
    let mut document = testing::sample();
    document.apply(&set_key("body.rein.waves[0].travel", 12.0, 1)).unwrap();
    document.apply(&set_key("body.rein.waves[0].travel", 24.0, 2)).unwrap();
    let applied = document.apply(&set_key("body.rein.waves[0].travel", 1.0, 0)).unwrap();
    assert_eq!(applied.touched.frames, Some(FrameSpan::ALL));
    assert_eq!(edited(&set("body.rein.length", 5)).1.frames, Some(FrameSpan::ALL));
}

#[test]
fn keys_of_pins_and_of_the_world_touch_the_frames_around_them() {
    // Later frames of simulated bodies are handled by the simulation.
    let boot = "body.lead.dynamics.pins[1].to";
    let (document, touched) = edited(&set_key(boot, 96.0, [3.0, 2.0, 1.0]));
    let at = path("body[1].dynamics.pins[1].to.keys[2][1]");
    assert_eq!(document.get(&at), Some(&Value::from([3.0, 2.0, 1.0])));
    assert_eq!(touched.bodies, ["lead"]);
    assert!(!touched.structure && !touched.shot && !touched.world);
    // Tangents of the key before depend on it.
    assert_eq!(touched.frames, Some(FrameSpan { first: 12.0, last: f64::INFINITY }));
    let on = frames_of(&set_key("body.lead.dynamics.pins[1].on", 60.0, false));
    assert_eq!(on, Some(FrameSpan { first: 1.0, last: f64::INFINITY }));
    // Adding or removing a pin touches the whole simulation.
    let pin = Table::new().with("at", 0.3).with("to", [0, 0, 0]);
    let list = path("body.lead.dynamics.pins");
    let insert = Edit::Insert { list: list.clone(), index: 1, value: pin.into() };
    for edit in [insert, Edit::Remove { list, index: 0 }, set("body.lead.dynamics.rate", 600)] {
        let (_, touched) = edited(&edit);
        assert_eq!((touched.bodies, touched.frames), (vec!["lead".into()], Some(FrameSpan::ALL)));
    }

    let (_, touched) = edited(&set_key("world.wind", 72.0, [3, 0, 0]));
    assert!(touched.world && !touched.shot && !touched.structure && touched.bodies.is_empty());
    assert_eq!(touched.frames, Some(FrameSpan { first: 24.0, last: f64::INFINITY }));
    let mut document = testing::sample();
    let same = document.apply(&set_key("world.wind", 72.0, [2, 0, 0])).unwrap();
    assert!(same.touched.world && same.touched.frames.is_none());
    for edit in [
        set("world.air", 1.1),
        set_key("world.gravity", 1.0, [0, 0, -1]),
        Edit::Unset { path: path("world.wind") },
        Edit::Unset { path: path("world") },
        set("world", Table::new().with("seed", 1)),
    ] {
        let (_, touched) = edited(&edit);
        assert!(touched.world && !touched.structure, "{edit:?}");
        assert_eq!(touched.frames, Some(FrameSpan::ALL), "{edit:?}");
    }
    let both = Edit::Batch(vec![set("world.air", 1), set("shot.fps", 25)]);
    let (_, touched) = edited(&both);
    assert!(touched.world && touched.shot);
    assert!(matches!(error(&set_key("world.air", 1.0, 1)), EditError::CannotBeKeyed { .. }));
}

#[test]
fn names_in_dynamics_are_renamed_even_if_its_kind_is_invalid() {
    for kind in ["'spline-rope'", "'splin-rope'"] {
        let text = format!(
            "lariat = 2\n[[locator]]\nname = 'hand'\n[[body]]\nname = 'a'\nmodel = 'loose-rope'\ndynamics = {{ kind = {kind}, pins = [{{ at = 0, to = {{ locator = 'hand' }} }}] }}\n"
        );
        let mut document = read(&text).unwrap().document;
        let (thing, from, to) = (Thing::Locator, "hand".to_owned(), "fist".to_owned());
        document.apply(&Edit::Rename { thing, from, to }).unwrap();
        let name = document.get(&path("body.a.dynamics.pins[0].to.locator"));
        assert_eq!(name, Some(&Value::from("fist")), "{kind}");
    }
}

#[test]
fn keys_of_a_wiggle_are_set_and_removed_like_others() {
    let text = "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'loose-rope'\nlength = { wiggle = [[1, 1], [10, 2], { frame = 20, value = 1, local = true }, [30, 2], [40, 1]], hertz = 1 }\n";
    let mut document = read(text).unwrap().document;
    let was = document.clone();
    let applied = document.apply(&set_key("body.a.length", 30.0, 3)).unwrap();
    assert_eq!(document.get(&path("body.a.length.wiggle[3][1]")), Some(&Value::from(3)));
    // Frames before the local key do not change.
    let span = applied.touched.frames.unwrap();
    assert_eq!((span.first, span.last), (20.0, f64::INFINITY));
    document.apply(&applied.inverse).unwrap();
    assert_eq!(document, was);
    let applied = document.apply(&set_key("body.a.length", 5.0, 3)).unwrap();
    let span = applied.touched.frames.unwrap();
    assert_eq!((span.first, span.last), (1.0, 20.0));
    let remove = Edit::RemoveKey { channel: path("body.a.length"), frame: 5.0 };
    document.apply(&remove).unwrap();
    assert_eq!(document, was);
    // Another spring changes the whole curve.
    let applied = document.apply(&set("body.a.length.hertz", 2)).unwrap();
    assert_eq!(applied.touched.frames, Some(FrameSpan::ALL));
}

#[test]
fn touched_things_are_reported_by_name() {
    let touched = |edit: &Edit| edited(edit).1;
    assert_eq!(touched(&set("body.rein.length", 5)).bodies, ["rein"]);
    assert_eq!(touched(&set("locator[1].position[0]", 5)).locators, ["bit"]);
    assert_eq!(touched(&set("collider.barrel.radius", 5)).colliders, ["barrel"]);
    let camera = touched(&set("camera.fence.angle", 50));
    assert_eq!((camera.cameras, camera.bodies.len()), (vec!["fence".to_owned()], 0));
    assert!(!camera.structure && !camera.shot);
    let shot = touched(&set("shot.fps", 25));
    assert!(shot.shot && shot.bodies.is_empty());
    let removed = touched(&Edit::Remove { list: path("body"), index: 1 });
    assert_eq!((removed.bodies, removed.structure), (vec!["lead".to_owned()], true));
    assert!(touched(&Edit::Unset { path: path("body") }).structure);
    let both = Edit::Batch(vec![set("body.rein.length", 5), set("body.lead.length", 5)]);
    assert_eq!(touched(&both).bodies, ["lead", "rein"]);
}

#[test]
fn a_failed_edit_reports_the_reason() {
    for (edit, message) in [
        (set("body.rain.length", 1), "there is no `body.rain`; did you mean `rein`?"),
        (set("body.rein.length.x", 1), "`body[0].length` is the number 4.2, which has no fields"),
        (set("body.rein.length[0]", 1), "`body[0].length` is the number 4.2, not a list"),
        (set("body[8].length", 1), "there is no `body[8]`"),
        (set("body[8]", 1), "index 8 is out of range: `body` has 8 entries"),
        (set("body.rein[0]", 1), "`body[0]` is a table, not a list"),
        (set("lariat", 1), "the format version is 2 and cannot be the number 1"),
        (set("", 1), "cannot set the whole document: name a field, like `shot.fps`"),
        (
            set("body.rein.length", f64::NAN),
            "`body[0].length` cannot be NaN: numbers must be finite",
        ),
        (
            set("body.rein.waves", [f64::INFINITY]),
            "`body[0].waves` cannot be inf: numbers must be finite",
        ),
        (
            Edit::Unset { path: path("body.rein.lenght") },
            "there is no `body[0].lenght`; did you mean `length`?",
        ),
        (
            Edit::Unset { path: path("body.rein") },
            "`body` is a list, whose elements are removed by `Remove`, which has no fields",
        ),
        (
            Edit::Insert { list: path("body"), index: 9, value: 1.into() },
            "index 9 is out of range: `body` has 8 entries",
        ),
        (
            Edit::Insert { list: path("body.rein.length"), index: 0, value: 1.into() },
            "`body[0].length` is the number 4.2, not a list",
        ),
        (Edit::Remove { list: path("body.lead.waves"), index: 0 }, "there is no `body[1].waves`"),
        (
            Edit::Move { list: path("body"), from: 0, to: 8 },
            "index 8 is out of range: `body` has 8 entries",
        ),
        (
            Edit::Rename { thing: Thing::Body, from: "rain".into(), to: "b".into() },
            "there is no body named `rain`; did you mean `rein`?",
        ),
        (
            Edit::Rename { thing: Thing::Body, from: "rein".into(), to: "lead".into() },
            "there is already a body named `lead`",
        ),
        (
            Edit::Rename { thing: Thing::Body, from: "rein".into(), to: " ".into() },
            "a name cannot be blank",
        ),
        (
            set_key("body.rein.from", 1.0, 1),
            "`body[0].from` is a table { locator } and has no keys",
        ),
        (
            set_key("body.rein.length", f64::NAN, 1),
            "`body[0].length` cannot be NaN: numbers must be finite",
        ),
        (
            Edit::RemoveKey { channel: path("body.rein.swing"), frame: 25.0 },
            "`body[0].swing` has no key on frame 25; the nearest is on frame 24",
        ),
        (
            Edit::RemoveKey { channel: path("body.rein.length"), frame: 25.0 },
            "`body[0].length` is the number 4.2 and has no keys",
        ),
        (
            set_key("body.rein.waves", 1.0, 1),
            "`body[0].waves` cannot be keyed: it takes no keys, only: list of waves",
        ),
        (set_key("body", 1.0, 1), "`body` cannot be keyed: it takes no keys, only: list of bodies"),
        (
            set_key("body.rein.name", 1.0, 1),
            "`body[0].name` cannot be keyed: it takes no keys, only: text",
        ),
        (
            set_key("body.rein.waves[0]", 1.0, 1),
            "`body[0].waves[0]` cannot be keyed: it is not a parameter",
        ),
        (
            set_key("body.rein.lenght", 1.0, 1),
            "`body[0].lenght` cannot be keyed: there is no such parameter; did you mean `length`?",
        ),
        (
            Edit::RemoveKey { channel: path("body.rein.sway"), frame: 1.0 },
            "there is no `body[0].sway`",
        ),
        (
            Edit::Batch(vec![set("body.rein.length", 9), set("body.rain.length", 1)]),
            "edit 2 of the batch: there is no `body.rain`; did you mean `rein`?",
        ),
    ] {
        assert_eq!(error(&edit).to_string(), message, "{edit:?}");
    }
}

#[test]
fn an_edit_cannot_exceed_the_maximum_depth() {
    let mut deep = Value::from(1);
    for _ in 0..MAX_DEPTH {
        deep = Value::List(vec![deep]);
    }
    assert!(matches!(error(&set("body.rein.length", deep.clone())), EditError::TooDeep { .. }));
    let mut document = Document::new();
    assert!(document.apply(&set("x", deep.clone())).is_err());
    let Value::List(mut inner) = deep else { unreachable!() };
    document.apply(&set("x", inner.remove(0))).unwrap();
    let text = write(&document);
    assert_eq!(read(&text).unwrap().document, document);
}

proptest! {
    #[test]
    fn every_edit_can_be_undone(
        start in prop_oneof![Just(None), testing::document().prop_map(Some)],
        edits in prop::collection::vec(
            (0..9_u8, any::<prop::sample::Index>(), any::<prop::sample::Index>(), testing::name(), testing::value()),
            1..8,
        ),
        as_batch in any::<bool>(),
    ) {
        let start = start.unwrap_or_else(testing::sample);
        let mut document = start.clone();
        let mut made = Vec::new();
        let mut inverses = Vec::new();
        for (choice, pick, other, name, value) in edits {
            let edit = testing::edit_of(&document, choice, pick, other, name, value);
            let before = document.clone();
            match document.apply(&edit) {
                Ok(applied) => {
                    let mut back = document.clone();
                    back.apply(&applied.inverse).unwrap();
                    prop_assert_eq!(&back, &before, "{:?} left a trace", edit);
                    prop_assert_eq!(order(&back), order(&before), "{:?} moved a field", edit);
                    made.push(edit);
                    inverses.push(applied.inverse);
                }
                Err(error) => {
                    prop_assert_eq!(&document, &before, "{:?} failed and left a trace", edit);
                    prop_assert!(!error.to_string().is_empty());
                }
            }
            prop_assert_eq!(&read(&write(&document)).unwrap().document, &document);
        }
        if as_batch {
            let mut again = start.clone();
            let applied = again.apply(&Edit::Batch(made)).unwrap();
            prop_assert_eq!(&again, &document);
            document.apply(&applied.inverse).unwrap();
        } else {
            for inverse in inverses.iter().rev() {
                document.apply(inverse).unwrap();
            }
        }
        prop_assert_eq!(order(&document), order(&start));
        prop_assert_eq!(document, start);
    }

    #[test]
    fn values_change_only_in_the_touched_frames(
        frame in 0..130_u32, value in -50.0..50.0, removed in 0..4_usize,
    ) {
        let before = read(SAMPLE).unwrap();
        let mut document = before.document.clone();
        let edit = if removed == 3 {
            set_key("body.rein.swing", f64::from(frame), value)
        } else {
            Edit::RemoveKey { channel: path("body.rein.swing"), frame: [1.0, 24.0, 96.0][removed] }
        };
        let touched = document.apply(&edit).unwrap().touched;
        let lowered = |document: &Document| {
            crate::lower::lower(document, &crate::Places::none(), &crate::Limits::DEFAULT).0
        };
        let (one, other) = (lowered(&before.document), lowered(&document));
        let swing = |lowered: &crate::lower::Lowered, frame: f64| {
            lowered.bodies[0].scalar("swing").unwrap().at(lowered.shot.seconds(frame))
        };
        for frame in -50..200 {
            let frame = f64::from(frame);
            if !touched.frames.is_some_and(|span| span.contains(frame)) {
                prop_assert_eq!(swing(&one, frame), swing(&other, frame), "frame {}", frame);
            }
        }
    }
}

#[test]
fn followers_are_renamed_with_their_leader() {
    let text = "lariat = 2\n[[locator]]\nname = 'hand'\nposition = { wiggle = [[1, [0, 0, 0]]], hertz = 1 }\n\
                [[body]]\nname = 'tail'\nmodel = 'tail'\nswing = { wiggle = [[1, 0]], hertz = 1 }\n\
                [[body]]\nname = 'b'\nmodel = 'tail'\nswing = { follow = 'tail.swing', lag = 30 }\n\
                lift = { follow = 'body.tail.swing' }\nfrom = { follow = 'locator.hand.position' }\n";
    let document = read(text).unwrap().document;
    let rename = |thing, from: &str, to: &str| {
        let mut document = document.clone();
        let edit = Edit::Rename { thing, from: from.into(), to: to.into() };
        let applied = document.apply(&edit).unwrap();
        let renamed = crate::format::patch(&document, text);
        document.apply(&applied.inverse).unwrap();
        assert_eq!(crate::format::patch(&document, text), text);
        renamed
    };
    let renamed = rename(Thing::Body, "tail", "my tail");
    assert!(renamed.contains(r#"swing = { follow = '"my tail".swing', lag = 30 }"#), "{renamed}");
    assert!(renamed.contains(r#"lift = { follow = '"my tail".swing' }"#), "{renamed}");
    // A name that would be taken for a list is written with its list.
    let renamed = rename(Thing::Body, "tail", "locator");
    assert!(renamed.contains("follow = 'body.locator.swing'"), "{renamed}");
    let renamed = rename(Thing::Locator, "hand", "fist");
    assert!(renamed.contains("follow = 'locator.fist.position'"), "{renamed}");
    assert_eq!(document.references_to(Thing::Body, "tail").len(), 2);
    assert_eq!(document.references_to(Thing::Body, "hand").len(), 0);
}
