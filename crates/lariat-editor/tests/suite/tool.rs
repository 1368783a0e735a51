//! Tools that return edits.

use glam::DVec3;
use lariat_editor::{
    Editor, Options,
    tool::{self, KeyRef, KeySettings, ToolError},
};
use lariat_eval::MemoryFiles;
use lariat_scene::{
    Edit, Path, Table, Thing, Value,
    check::{Code, Severity},
    schema,
};

use crate::{SAMPLE, open};

const EMPTY: &str = "lariat = 2\n\n[shot]\nfps = 24\nframes = [1, 24]\n";

fn path(text: &str) -> Path {
    text.parse().expect("a path")
}

fn get(editor: &Editor, at: &str) -> Value {
    editor.document().get(&path(at)).unwrap_or_else(|| panic!("no `{at}`")).clone()
}

fn parsed(text: &str) -> Value {
    let read = lariat_scene::format::read(&format!("lariat = 2\nx = {text}\n")).expect("TOML");
    read.document.root.get("x").expect("a field").clone()
}

#[test]
fn a_new_body_of_every_model_has_no_errors_or_warnings() {
    let files = lariat_museum::FILES
        .iter()
        .fold(MemoryFiles::default(), |files, (name, bytes)| files.with(*name, *bytes));
    let (from, to) = (DVec3::new(-1.0, 0.0, 2.0), DVec3::new(1.5, 0.4, 2.2));
    for model in schema::models() {
        for (from, to) in [(from, to), (from, from), (from * 100.0, to * 100.0)] {
            let options = Options { files: Box::new(files.clone()), ..Options::default() };
            let mut editor = Editor::open(EMPTY, options).expect("a document");
            let mut values = Table::new();
            match model.name {
                "mesh" => drop(values.set("file", "ball.obj")),
                // A recorded shape needs a file of its own kind, a compound its parts.
                "shape" | "compound" => {
                    let missing = tool::add_body(editor.document(), model.name, from, to, &values);
                    assert!(matches!(missing, Err(ToolError::NeedsValue { .. })), "{missing:?}");
                    continue;
                }
                _ => {}
            }
            let added = tool::add_body(editor.document(), model.name, from, to, &values).unwrap();
            editor.apply("Add", &added.edit).unwrap();
            let is_bad =
                |found: &&lariat_scene::check::Diagnostic| found.severity != Severity::Note;
            let found: Vec<_> = editor.diagnostics().iter().filter(is_bad).collect();
            // A spring between equal ends has no backbone.
            let same_ends = from == to && found.iter().all(|found| found.code != Code::WrongType);
            assert!(found.is_empty() || same_ends, "{}: {found:#?}", model.name);
            if from == to {
                continue;
            }
            let warnings = editor.diagnostics_at_frame(1.0);
            assert!(warnings.is_empty(), "{}: {warnings:#?}", model.name);
            assert_eq!(editor.at(1.0).bodies.len(), 1, "{}", model.name);
            editor.undo().unwrap();
            assert_eq!(editor.text(), EMPTY);
        }
    }
}

#[test]
fn a_new_rope_hangs_between_its_points() {
    let mut editor = open(EMPTY);
    let (from, to) = (DVec3::new(0.0, 0.0, 2.0), DVec3::new(3.0, 0.0, 2.0));
    let added =
        tool::add_body(editor.document(), "suspended-rope", from, to, &Table::new()).unwrap();
    editor.apply("Add rope", &added.edit).unwrap();
    assert_eq!(
        editor.text(),
        format!(
            "{EMPTY}\n[[body]]\nname = \"rope\"\nmodel = \"suspended-rope\"\nfrom = [0, 0, 2]\n\
             to = [3, 0, 2]\nlength = 3.45\n"
        )
    );
    let spine = editor.at(1.0).bodies[0].spine().to_vec();
    assert_eq!((spine[0], *spine.last().unwrap()), (from, to));
    // The next one has another name, and a given `sag` replaces `length`.
    let values = Table::new().with("sag", 0.5);
    let next = tool::add_body(editor.document(), "suspended-rope", from, to, &values).unwrap();
    assert_eq!(next.name, "rope-2");
    editor.apply("Add rope", &next.edit).unwrap();
    assert!(editor.diagnostics().iter().all(|found| !found.is_error()));
    let unknown = tool::add_body(editor.document(), "suspendet-rope", from, to, &Table::new());
    assert_eq!(
        unknown.unwrap_err().to_string(),
        "there is no body `suspendet-rope`; did you mean `suspended-rope`?"
    );
}

#[test]
fn new_locators_colliders_and_cameras_have_no_errors() {
    let mut editor = open(SAMPLE);
    let (a, b) = (DVec3::new(0.0, 0.0, 1.0), DVec3::new(1.0, 2.0, 3.0));
    let mut edits = vec![
        tool::add_locator(editor.document(), a),
        tool::add_camera(editor.document(), b, a),
        tool::add_camera(editor.document(), b, b),
    ];
    for shape in schema::COLLIDER.types {
        edits.push(tool::add_collider(editor.document(), shape.name, a, b).unwrap());
        edits.push(tool::add_collider(editor.document(), shape.name, a, a).unwrap());
    }
    for added in edits {
        let Edit::Insert { list, value, .. } = &added.edit else { panic!("{added:?}") };
        assert_eq!(value.table().unwrap().text("name"), Some(&*added.name));
        editor.apply("Add", &added.edit).unwrap();
        let errors: Vec<_> = editor.diagnostics().iter().filter(|found| found.is_error()).collect();
        assert!(errors.is_empty(), "{list}: {errors:#?}");
        editor.undo().unwrap();
    }
}

#[test]
fn names_count_on() {
    let editor =
        open("lariat = 2\n[[body]]\nname = 'a'\n[[body]]\nname = 'a-2'\n[[body]]\nname = 'b-x'\n");
    let name = |base| tool::unique_name(editor.document(), Thing::Body, base);
    assert_eq!(name("a"), "a-3");
    assert_eq!(name("a-2"), "a-3");
    assert_eq!(name("b-x"), "b-x-2");
    assert_eq!(name("c"), "c");
    assert_eq!(name(" "), "body");
}

#[test]
fn a_duplicate_is_moved_and_stays_attached() {
    let mut editor = open(SAMPLE);
    let by = DVec3::new(0.0, 1.0, 0.0);
    let copy = tool::duplicate(editor.document(), Thing::Body, "rein", by).unwrap();
    assert_eq!(copy.name, "rein-2");
    editor.apply("Duplicate", &copy.edit).unwrap();
    assert_eq!(get(&editor, "body[1].name"), "rein-2".into());
    assert_eq!(get(&editor, "body.rein-2.to"), parsed("[3.0, 1.0, 2.0]"));
    assert_eq!(get(&editor, "body.rein-2.from"), get(&editor, "body.rein.from"));
    let copy = tool::duplicate(editor.document(), Thing::Locator, "hand", by).unwrap();
    editor.apply("Duplicate", &copy.edit).unwrap();
    assert_eq!(
        get(&editor, "locator.hand-2.position"),
        parsed("{ keys = [[1, [0, 1, 1]], [24, [0, 1, 2]]] }")
    );
    let copy = tool::duplicate(editor.document(), Thing::Collider, "barrel", by).unwrap();
    editor.apply("Duplicate", &copy.edit).unwrap();
    assert_eq!(get(&editor, "collider.barrel-2.radius"), 0.3.into());
    assert_eq!(get(&editor, "collider.barrel-2.to"), parsed("[1, 1, 1]"));
    editor.undo_many(9);
    assert_eq!(editor.text(), SAMPLE);
}

#[test]
fn deleting_reports_what_refers_to_it() {
    let mut editor = open(SAMPLE);
    let referrers = |thing, names: &[&str]| -> Vec<String> {
        let deleted = tool::delete(editor.document(), thing, names).unwrap();
        deleted.referrers.iter().map(ToString::to_string).collect()
    };
    assert_eq!(referrers(Thing::Body, &["rein"]), ["body[1].from.body"]);
    assert_eq!(referrers(Thing::Body, &["rein", "lead"]), [""; 0], "both are deleted");
    assert_eq!(
        referrers(Thing::Locator, &["hand"]),
        ["body[0].from.locator", "camera[0].target.locator"]
    );
    assert_eq!(referrers(Thing::Collider, &["barrel"]), ["body[1].layers[0].against"]);
    let deleted = tool::delete(editor.document(), Thing::Body, &["lead", "rein"]).unwrap();
    editor.apply("Delete", &deleted.edit).unwrap();
    assert!(!editor.text().contains("body"), "{}", editor.text());
    editor.undo().unwrap();
    assert_eq!(editor.text(), SAMPLE);
    let missing = tool::delete(editor.document(), Thing::Body, &["nobody"]);
    assert_eq!(missing.unwrap_err().to_string(), "there is no body named `nobody`");
}

#[test]
fn things_are_reordered() {
    let mut editor = open(SAMPLE);
    let edit = tool::reorder(editor.document(), Thing::Body, "rein", 99).unwrap();
    editor.apply("Reorder", &edit).unwrap();
    let names: Vec<&str> = editor.document().names(Thing::Body).collect();
    assert_eq!(names, ["lead", "rein"]);
}

#[test]
fn setting_an_alternative_unsets_the_other() {
    let mut editor = open(SAMPLE);
    let edit = tool::set(editor.document(), &path("body.rein.sag"), 0.7).unwrap();
    assert_eq!(edit.to_string(), "batch { unset body[0].length; set body[0].sag = 0.7 }");
    editor.apply("Set sag", &edit).unwrap();
    assert!(editor.diagnostics().iter().all(|found| !found.is_error()));
    editor.undo().unwrap();
    let plain = tool::set(editor.document(), &path("body.rein.waves[0].magnitude"), 0.7).unwrap();
    assert_eq!(plain.to_string(), "set body[0].waves[0].height = 0.7", "as written");
    let unset = tool::unset(editor.document(), &path("body.rein.swing")).unwrap();
    assert_eq!(unset.to_string(), "unset body[0].swing");
    assert!(tool::unset(editor.document(), &path("body.rein.sway")).is_err());
}

#[test]
fn a_constant_becomes_keys_a_wiggle_and_a_constant_again() {
    let mut editor = open(SAMPLE);
    let length = path("body.rein.length");
    let apply = |editor: &mut Editor, edit: Result<Edit, ToolError>| {
        editor.apply("Tool", &edit.unwrap()).unwrap();
        assert!(editor.diagnostics().iter().all(|found| !found.is_error()));
    };
    let edit = editor.key_now(&length, 12.0);
    apply(&mut editor, edit);
    assert_eq!(get(&editor, "body.rein.length"), parsed("{ keys = [[12, 5]] }"));
    editor.apply("Key", &"key body.rein.length at 24 = 6".parse().unwrap()).unwrap();
    let between = editor.value_at(&length, 18.0).unwrap().number().unwrap();
    let edit = editor.key_now(&length, 18.0);
    apply(&mut editor, edit);
    assert_eq!(get(&editor, "body.rein.length.keys[1]"), parsed(&format!("[18, {between:?}]")));
    assert!((between - 5.5).abs() < 1e-9, "{between}");
    let edit = editor.wiggle(&length, 1.0, 2.0);
    apply(&mut editor, edit);
    assert_eq!(get(&editor, "body.rein.length.hertz"), 2.0.into());
    assert_eq!(get(&editor, "body.rein.length.wiggle[2]"), parsed("[24, 6]"));
    assert!(matches!(editor.wiggle(&length, 1.0, 2.0), Err(ToolError::Unsuitable { .. })));
    let edit = editor.freeze(&length, 24.0);
    apply(&mut editor, edit);
    assert_eq!(get(&editor, "body.rein.length"), 6.0.into());
    // A parameter that is not given starts from its default.
    let edit = editor.wiggle(&path("body.rein.sway"), 5.0, 1.5);
    apply(&mut editor, edit);
    assert_eq!(get(&editor, "body.rein.sway"), parsed("{ wiggle = [[5, 0]], hertz = 1.5 }"));
    let edit = tool::follow(editor.document(), &path("body.rein.swing"), "rein.sway");
    apply(&mut editor, edit);
    assert!(editor.key_now(&path("body.rein.name"), 1.0).is_ok(), "refused when it is applied");
    assert!(editor.value_at(&path("body.rein.name"), 1.0).is_err());
}

#[test]
fn a_value_at_a_frame_is_a_constant_a_key_or_a_moved_curve() {
    let mut editor = open(SAMPLE);
    let (length, sag) = (path("body.rein.length"), path("body.rein.sag"));
    let edit = |editor: &Editor, path: &Path, value: f64, auto_key: bool| {
        editor.set_at(path, 12.0, &value.into(), auto_key).map(|edit| edit.to_string())
    };
    assert_eq!(edit(&editor, &length, 7.0, true), Ok("set body[0].length = 7".to_owned()));
    let instead = "batch { unset body[0].length; set body[0].sag = 0.5 }".to_owned();
    assert_eq!(edit(&editor, &sag, 0.5, true), Ok(instead));
    let keys = "set body.rein.length = { keys = [[12, 5], [24, 6]] }";
    editor.apply("Keys", &keys.parse().unwrap()).unwrap();
    assert_eq!(edit(&editor, &length, 7.0, true), Ok("key body[0].length at 12 = 7".to_owned()));
    let moved = "set body[0].length = { keys = [[12, 7], [24, 8]] }".to_owned();
    assert_eq!(edit(&editor, &length, 7.0, false), Ok(moved));
}

/// A rope with keys on three channels.
const KEYED: &str = "lariat = 2\n[shot]\nfps = 24\nframes = [1, 48]\n[[body]]\nname = 'a'\n\
    model = 'suspended-rope'\nfrom = [0, 0, 2]\nto = { keys = [[1, [3, 0, 2]], [10, [3, 1, 2]]] }\n\
    length = 5\nswing = { keys = [[1, 0], [10, 30], { frame = 20, value = 5, in = [-2, 1], out = [3, 1] }] }\n\
    sway = { wiggle = [[1, 0], [10, 20]], hertz = 1 }\n";

fn selected(frames: &[(&str, f64)]) -> Vec<KeyRef> {
    frames.iter().map(|(at, frame)| KeyRef { channel: path(at), frame: *frame }).collect()
}

#[test]
fn keys_of_three_channels_move_at_once() {
    let mut editor = open(KEYED);
    let keys = selected(&[("body.a.swing", 10.0), ("body.a.sway", 10.0), ("body.a.to", 10.0)]);
    let edit = tool::move_keys(editor.document(), &keys, 5.0).unwrap();
    assert!(matches!(&edit, Edit::Batch(edits) if edits.len() == 3));
    editor.apply("Move keys", &edit).unwrap();
    assert_eq!(editor.text(), KEYED.replace("[10,", "[15,"));
    // Onto another key, which is replaced.
    let edit =
        tool::move_keys(editor.document(), &selected(&[("body.a.swing", 1.0)]), 14.0).unwrap();
    editor.apply("Move keys", &edit).unwrap();
    assert_eq!(get(&editor, "body.a.swing.keys[0]"), parsed("[15, 0]"));
    assert_eq!(get(&editor, "body.a.swing.keys").list().unwrap().len(), 2);
    editor.undo_many(2);
    assert_eq!(editor.text(), KEYED);
    // Past another one: keys stay in order.
    let edit =
        tool::move_keys(editor.document(), &selected(&[("body.a.swing", 1.0)]), 12.5).unwrap();
    editor.apply("Move keys", &edit).unwrap();
    assert_eq!(get(&editor, "body.a.swing.keys[1]"), parsed("[13.5, 0]"));
    let missing = tool::move_keys(editor.document(), &selected(&[("body.a.swing", 2.0)]), 1.0);
    assert_eq!(missing.unwrap_err().to_string(), "`body.a.swing` has no key on frame 2");
    let constant = tool::move_keys(editor.document(), &selected(&[("body.a.length", 2.0)]), 1.0);
    assert_eq!(constant.unwrap_err().to_string(), "`body.a.length` has no keys");
    assert!(tool::move_keys(editor.document(), &[], f64::NAN).is_err());
}

#[test]
fn keys_are_scaled_with_their_handles() {
    let mut editor = open(KEYED);
    let all = tool::keys_in(editor.document(), &path("body.a.swing"), 0.0, 99.0);
    assert_eq!(all.len(), 3);
    let edit = tool::scale_keys(editor.document(), &all, 10.0, 2.0).unwrap();
    editor.apply("Scale", &edit).unwrap();
    assert_eq!(
        get(&editor, "body.a.swing.keys"),
        parsed("[[-8, 0], [10, 30], { frame = 30, value = 5, in = [-4, 1], out = [6, 1] }]")
    );
    // The curve is the same at scaled times.
    let value = |editor: &Editor, frame| {
        editor.value_at(&path("body.a.swing"), frame).unwrap().number().unwrap()
    };
    let before = open(KEYED);
    for frame in [3.0, 12.25, 19.5] {
        let scaled = value(&editor, 10.0 + (frame - 10.0) * 2.0);
        assert!((scaled - value(&before, frame)).abs() < 1e-9, "{frame}");
    }
    assert!(tool::scale_keys(editor.document(), &[], 10.0, 0.0).is_err());
}

#[test]
fn keys_are_copied_and_pasted() {
    let mut editor = open(KEYED);
    let keys = selected(&[("body.a.swing", 10.0), ("body.a.swing", 20.0), ("body.a.to", 10.0)]);
    let clipboard = tool::copy_keys(editor.document(), &keys).unwrap();
    assert_eq!(clipboard.first, 10.0);
    let edit = tool::paste_keys(editor.document(), &clipboard, 30.0, None).unwrap();
    editor.apply("Paste", &edit).unwrap();
    assert_eq!(get(&editor, "body.a.swing.keys").list().unwrap().len(), 5);
    assert_eq!(get(&editor, "body.a.swing.keys[3]"), parsed("[30, 30]"));
    assert_eq!(get(&editor, "body.a.to.keys[2]"), parsed("[30, [3, 1, 2]]"));
    assert!(editor.diagnostics().iter().all(|found| !found.is_error()));
    // Into other channels: a constant becomes keyed, a wiggle gets plain knots.
    let swing = tool::copy_keys(editor.document(), &keys[..2]).unwrap();
    for (target, field) in [("body.a.length", "keys"), ("body.a.sway", "wiggle")] {
        let into = [path(target)];
        let edit = tool::paste_keys(editor.document(), &swing, 40.0, Some(&into)).unwrap();
        editor.apply("Paste", &edit).unwrap();
        let keys = get(&editor, &format!("{target}.{field}"));
        assert!(keys.list().unwrap().len() >= 2, "{target}");
        assert!(editor.diagnostics().iter().all(|found| !found.is_error()), "{target}");
    }
    editor.undo_many(9);
    assert_eq!(editor.text(), KEYED);
}

#[test]
fn removed_keys_leave_a_constant() {
    let mut editor = open(KEYED);
    let all = tool::keys_in(editor.document(), &path("body.a.to"), 0.0, 99.0);
    let edit = tool::remove_keys(editor.document(), &all).unwrap();
    editor.apply("Remove", &edit).unwrap();
    assert_eq!(get(&editor, "body.a.to"), parsed("[3, 0, 2]"));
    let edit = tool::remove_keys(editor.document(), &selected(&[("body.a.swing", 10.0)])).unwrap();
    editor.apply("Remove", &edit).unwrap();
    assert_eq!(get(&editor, "body.a.swing.keys").list().unwrap().len(), 2);
}

#[test]
fn a_key_in_a_graph_gets_another_frame_and_value() {
    let mut editor = open(KEYED);
    let key = &selected(&[("body.a.swing", 20.0)])[0];
    let edit = tool::move_key(editor.document(), key, 8.0, &12.into()).unwrap();
    editor.apply("Move key", &edit).unwrap();
    assert_eq!(
        get(&editor, "body.a.swing.keys[1]"),
        parsed("{ frame = 8, value = 12, in = [-2, 1], out = [3, 1] }")
    );
}

#[test]
fn tangents_and_interpolation_of_keys_change() {
    let mut editor = open(KEYED);
    let keys = selected(&[("body.a.swing", 10.0), ("body.a.swing", 20.0)]);
    let flat = KeySettings { tangents: Some("flat".into()), interpolation: Some("bezier".into()) };
    let edit = tool::set_key_settings(editor.document(), &keys, &flat).unwrap();
    editor.apply("Tangents", &edit).unwrap();
    assert_eq!(
        get(&editor, "body.a.swing.keys[2]"),
        parsed("{ frame = 20, value = 5, tangents = 'flat', interpolation = 'bezier' }")
    );
    assert!(
        editor.diagnostics().iter().all(|found| !found.is_error()),
        "{:?}",
        editor.diagnostics()
    );
    // Flat at a key: the slope is zero there.
    let value = |frame| editor.value_at(&path("body.a.swing"), frame).unwrap().number().unwrap();
    assert!((value(10.001) - value(9.999)).abs() < 1e-5);
    let wiggle =
        tool::set_key_settings(editor.document(), &selected(&[("body.a.sway", 10.0)]), &flat);
    assert!(matches!(wiggle, Err(ToolError::Unsuitable { .. })));
}

#[test]
fn a_body_of_any_model_becomes_one_of_any_other_and_back() {
    let (from, to) = (DVec3::new(-1.0, 0.0, 2.0), DVec3::new(1.5, 0.4, 2.2));
    let simple = || {
        let names = schema::models().map(|model| model.name);
        names.filter(|name| !matches!(*name, "mesh" | "shape" | "compound"))
    };
    for first in simple() {
        for second in simple().filter(|second| *second != first) {
            let mut editor = open(EMPTY);
            let added = tool::add_body(editor.document(), first, from, to, &Table::new()).unwrap();
            editor.apply("Add", &added.edit).unwrap();
            let before = editor.text();
            let edit = tool::change_model(editor.document(), &added.name, second, from, to);
            editor.apply("Change model", &edit.unwrap()).unwrap();
            let model = get(&editor, &format!("body.{}.model", added.name));
            assert_eq!(model, second.into());
            let errors: Vec<_> = editor.diagnostics().iter().filter(|one| one.is_error()).collect();
            assert!(errors.is_empty(), "{first} to {second}: {errors:?}");
            editor.undo().unwrap();
            assert_eq!(editor.text(), before);
        }
    }
}

#[test]
fn another_model_keeps_keys_ends_and_comments() {
    let text = "lariat = 2\n[[body]]\nname = 'rein'\nmodel = 'suspended-rope'\n\
                from = [0, 0, 2] # the hook\nto = { locator = 'post' }\nsag = 0.4\n\
                swing = { wiggle = [[1, 0], [24, 35]], hertz = 1 }\n\
                [[locator]]\nname = 'post'\nposition = [3, 0, 2]\n";
    let mut editor = open(text);
    let (from, to) = (DVec3::new(0.0, 0.0, 2.0), DVec3::new(3.0, 0.0, 2.0));
    let change = |editor: &mut Editor, model: &str| {
        let edit = tool::change_model(editor.document(), "rein", model, from, to).unwrap();
        editor.apply("Change model", &edit).unwrap();
        assert!(
            editor.diagnostics().iter().all(|one| !one.is_error()),
            "{:?}",
            editor.diagnostics()
        );
    };
    change(&mut editor, "string-of-lights");
    assert_eq!(editor.text(), text.replace("suspended-rope", "string-of-lights"));
    // A loose rope has a length and one end.
    change(&mut editor, "loose-rope");
    assert!(editor.text().contains("# the hook") && !editor.text().contains("sag"));
    assert_eq!(get(&editor, "body.rein.length"), 3.0.into());
    let nothing = tool::change_model(editor.document(), "rope", "loose-rope", from, to);
    assert!(matches!(nothing, Err(ToolError::NoSuchName { .. })));
    let unknown = tool::change_model(editor.document(), "rein", "loose-ropes", from, to);
    assert!(unknown.unwrap_err().to_string().contains("`loose-rope`"));
}
