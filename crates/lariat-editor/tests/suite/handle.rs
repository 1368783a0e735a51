//! A dragged handle goes to its point, over the whole museum.

use std::collections::BTreeMap;

use glam::DVec3;
use lariat_core::num::ops;
use lariat_editor::{
    ChannelForm, Editor, Options,
    handle::{Attached, DragError, DragHandle, DragOptions, Moves},
};
use lariat_eval::MemoryFiles;
use lariat_scene::{Edit, Thing};

use crate::{SAMPLE, open, set};

/// A museum scene with the files that it names.
fn museum(scene: &lariat_museum::Scene) -> Editor {
    let add = |files: MemoryFiles, file: &(&str, &[u8])| files.with(file.0, file.1);
    let files = lariat_museum::FILES.iter().fold(MemoryFiles::default(), add);
    let options = Options { files: Box::new(files), ..Options::default() };
    Editor::open(scene.text, options).expect("museum scenes are documents")
}

/// Frame at which handles are dragged: between keys, and early, because simulations are long.
fn frame_of(editor: &Editor) -> f64 {
    editor.lowered().shot.first as f64 + 1.5
}

/// The handle with the same path.
fn find(editor: &Editor, handle: &DragHandle, frame: f64) -> Option<DragHandle> {
    let all = editor.handles_of(handle.thing, &handle.name, frame);
    all.into_iter().find(|other| other.path == handle.path)
}

fn again(editor: &Editor, handle: &DragHandle, frame: f64) -> DragHandle {
    find(editor, handle, frame).unwrap_or_else(|| {
        panic!("the handle {} is gone: {:#?}", handle.path, editor.diagnostics())
    })
}

/// Kind of a handle, for the count of what was tried.
fn kind_of(handle: &DragHandle) -> String {
    let field = handle.path.steps()[2..]
        .iter()
        .filter_map(|step| match step {
            lariat_scene::Step::Field(name) => Some(&**name),
            lariat_scene::Step::Index(_) => None,
        })
        .collect::<Vec<_>>()
        .join(".");
    let moves = match handle.moves {
        Moves::Freely => "freely",
        Moves::Locator(_) => "locator",
        Moves::OnSolid(_) => "on solid",
        Moves::Along(_) => "along",
    };
    format!("{}.{field} {moves} {:?}", handle.thing, handle.form)
}

#[test]
fn every_handle_of_the_museum_goes_to_its_point() {
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    for scene in lariat_museum::SCENES {
        let mut editor = museum(scene);
        let frame = frame_of(&editor);
        // A scene of five thousand ropes teaches no more than its first ones.
        for handle in editor.handles(frame).into_iter().take(20) {
            if is_on_simulated(&editor, &handle) {
                continue;
            }
            for auto_key in [false, true] {
                let what = format!("{}: {} auto-key {auto_key}", scene.name, handle.path);
                let target = handle.at + DVec3::new(0.031, -0.017, 0.023);
                let options = DragOptions { auto_key, ..DragOptions::default() };
                let edit = match editor.drag(&handle.path, frame, target, options) {
                    Ok(edit) => edit,
                    Err(error) => {
                        assert_eq!(handle.form, ChannelForm::Following, "{what}: {error}");
                        continue;
                    }
                };
                editor.begin("Drag").unwrap();
                editor.preview(&edit).unwrap_or_else(|error| panic!("{what}: {error}"));
                let reached = again(&editor, &handle, frame).at;
                if handle.moves.is_free() {
                    let miss = reached.distance(target);
                    assert!(miss < 1e-9, "{what}: {miss:e} m from its point, by {edit}");
                } else {
                    check_nearest(&mut editor, &handle, frame, target, reached, &what);
                    editor.preview(&edit).unwrap();
                }
                // The same edit again, computed from the previewed document.
                let repeated = editor.drag(&handle.path, frame, target, options).unwrap();
                editor.preview(&repeated).unwrap();
                let stays = again(&editor, &handle, frame).at;
                assert!(stays.distance(reached) < 1e-6, "{what}: {stays} {reached}");
                editor.cancel();
                *tried.entry(kind_of(&handle)).or_default() += 1;
            }
        }
        assert_eq!(editor.text(), scene.text, "{}", scene.name);
    }
    for kind in [
        "body.from freely Constant",
        "body.to freely Keyed",
        "body.from locator Constant",
        "body.from along Constant",
        "body.to on solid Constant",
        "body.bends.position along Constant",
        "body.pincers.position along Keyed",
        "body.inner freely Constant",
        "body.dynamics.pins.to locator Keyed",
        "body.position freely Constant",
        "locator.position freely Keyed",
        "body.to freely Wiggly",
        "body.to along Keyed",
        "collider.centre freely Keyed",
        "collider.origin freely Constant",
        "camera.position freely Constant",
        "camera.target freely Constant",
    ] {
        assert!(tried.contains_key(kind), "the museum has no handle `{kind}`: {tried:#?}");
    }
}

/// True if dragging the handle changes the simulation of the body that it is attached to.
fn is_on_simulated(editor: &Editor, handle: &DragHandle) -> bool {
    let (Moves::OnSolid(name) | Moves::Along(name)) = &handle.moves else { return false };
    let leader = editor.document().find(Thing::Body, name).expect("it exists").1;
    *name != handle.name && leader.get("dynamics").is_some()
}

/// No other value of the sliding parameter brings the handle nearer.
fn check_nearest(
    editor: &mut Editor,
    handle: &DragHandle,
    frame: f64,
    target: DVec3,
    reached: DVec3,
    what: &str,
) {
    let far = reached.distance(target);
    for k in 0..=20 {
        let value = f64::from(k) / 20.0;
        let edit = Edit::Set { path: handle.parameter.clone(), value: value.into() };
        editor.preview(&edit).unwrap_or_else(|error| panic!("{what}: {error}"));
        // A pincer may not extend past the end.
        let Some(other) = find(editor, handle, frame) else { continue };
        let other = other.at.distance(target);
        assert!(far <= other + 1e-6, "{what}: {far} m, but {other} m at {value}");
    }
}

#[test]
fn an_attached_end_carries_shifts_or_detaches() {
    let mut editor = open(SAMPLE);
    let target = DVec3::new(0.2, 0.1, 1.4);
    let drag = |editor: &Editor, path: &str, attached, auto_key| {
        let options = DragOptions { auto_key, attached };
        editor.drag(&path.parse().unwrap(), 1.0, target, options).unwrap().to_string()
    };
    let hand = |attached, auto_key| drag(&editor, "body.rein.from", attached, auto_key);
    assert_eq!(hand(Attached::Carry, true), "key locator[0].position at 1 = [0.2, 0.1, 1.4]");
    assert_eq!(
        hand(Attached::Carry, false),
        "set locator[0].position = { keys = [[1, [0.2, 0.1, 1.4]], [24, [0.2, 0.1, 2.4]]] }"
    );
    assert_eq!(hand(Attached::Detach, false), "set body[0].from = [0.2, 0.1, 1.4]");
    // The offset is in the axes of the locator, which are turned by 45 degrees about Z.
    editor.apply("Attach", &set("body.rein.from.locator", "post")).unwrap();
    let edit = drag(&editor, "body.rein.from", Attached::Offset, false);
    editor.apply("Drag", &edit.parse().unwrap()).unwrap();
    let at = editor.handles_of(Thing::Body, "rein", 1.0)[0].at;
    assert!(at.distance(target) < 1e-12, "{at}: {edit}");
    let offset = editor.document().get(&"body.rein.from.offset".parse().unwrap()).unwrap();
    let x = offset.list().unwrap()[0].number().unwrap();
    let half = 0.5_f64.sqrt();
    assert!((x - (-2.8 * half + 0.1 * half)).abs() < 1e-12, "{x}");
}

#[test]
fn a_handle_says_what_it_moves() {
    let editor = open(SAMPLE);
    let all = editor.handles(1.0);
    let described: Vec<String> = all
        .iter()
        .map(|handle| format!("{} -> {} {:?}", handle.path, handle.parameter, handle.form))
        .collect();
    assert_eq!(
        described,
        [
            "body[0].from -> locator[0].position Keyed",
            "body[0].to -> body[0].to Constant",
            "body[1].from -> body[1].from.at Constant",
            "body[1].bends[0].position -> body[1].bends[0].position Constant",
            "locator[0].position -> locator[0].position Keyed",
            "locator[1].position -> locator[1].position Constant",
            "collider[0].from -> collider[0].from Constant",
            "collider[0].to -> collider[0].to Constant",
            "camera[0].position -> camera[0].position Constant",
            "camera[0].target -> locator[0].position Keyed",
        ]
    );
    assert_eq!(all[2].moves, Moves::Along("rein".to_owned()));
}

#[test]
fn a_pincer_stops_at_its_neighbours() {
    let text = "lariat = 2\n[[body]]\nname = 's'\nmodel = 'spring'\nfrom = [0, 0, 2]\nto = [1, 0, 2]\n\
                pincers = [{ position = 0.1, length = 0.2, count = 3 },\n\
                { position = 0.5, length = 0.1, count = 3 }]\n";
    let mut editor = open(text);
    let pincers = ["body.s.pincers[0].position", "body.s.pincers[1].position"];
    // Dragged past the other one, past an end, and to a free place.
    for (pincer, x, expected) in
        [(0, 0.9, 0.3), (1, 0.0, 0.3), (1, 2.0, 0.9), (0, -1.0, 0.0), (0, 0.25, 0.25)]
    {
        let (path, target) = (pincers[pincer].parse().unwrap(), DVec3::new(x, 0.0, 2.0));
        let edit = editor.drag(&path, 1.0, target, DragOptions::default()).unwrap();
        editor.begin("Drag").unwrap();
        editor.preview(&edit).unwrap();
        let at = editor.document().get(&path).unwrap().number().unwrap();
        assert!((at - expected).abs() < 1e-6, "{path} to {x}: {at}");
        assert!(editor.diagnostics().iter().all(|found| !found.is_error()));
        editor.cancel();
    }
}

#[test]
fn handles_of_a_moment_are_those_of_its_frame() {
    let mut editor = open(SAMPLE);
    let moment = editor.at(7.0).clone();
    assert_eq!(editor.handles_in(&moment), editor.handles(7.0));
}

#[test]
fn a_path_without_a_handle_is_refused() {
    let editor = open(SAMPLE);
    let drag = |path: &str, target| {
        editor.drag(&path.parse().unwrap(), 1.0, target, DragOptions::default()).unwrap_err()
    };
    for path in ["body.rein.length", "body.nobody.from", "shot.fps", "body.rein.waves[0].height"] {
        assert!(matches!(drag(path, DVec3::ZERO), DragError::NoHandle { .. }), "{path}");
    }
    assert!(matches!(drag("body.rein.to", DVec3::NAN), DragError::NotFinite { .. }));
}

#[test]
fn a_turned_solid_has_the_turned_axes() {
    let text = "lariat = 2\n[[body]]\nname = 'box'\nmodel = 'solid'\nrotation = [10, 20, 30]\n\
                [[locator]]\nname = 'hand'\n";
    let mut editor = open(text);
    let axis = DVec3::new(1.0, -2.0, 0.5);
    for path in ["body.box.rotation", "locator.hand.rotation"] {
        let before = rotation_of(&editor, path);
        let edit =
            editor.turn(&path.parse().unwrap(), 1.0, axis, 35.0, DragOptions::default()).unwrap();
        editor.apply("Turn", &edit).unwrap();
        let after = rotation_of(&editor, path);
        // Rodrigues' angle: the trace of the relative rotation.
        let relative = after * before.transpose();
        let trace = relative.x_axis.x + relative.y_axis.y + relative.z_axis.z;
        assert!((trace - (1.0 + 2.0 * ops::cos(ops::radians(35.0)))).abs() < 1e-9);
        let fixed = relative * axis;
        assert!(fixed.distance(axis) < 1e-9, "{fixed}");
    }
    let wrong =
        editor.turn(&"body.box.position".parse().unwrap(), 1.0, axis, 1.0, DragOptions::default());
    assert!(matches!(wrong, Err(DragError::NoHandle { .. })));
}

fn rotation_of(editor: &Editor, path: &str) -> glam::DMat3 {
    let value = editor.document().get(&path.parse().expect("a path"));
    let numbers: Vec<f64> = value.and_then(|value| value.list()).map_or_else(
        || vec![0.0; 3],
        |list| list.iter().filter_map(lariat_scene::Value::number).collect(),
    );
    lariat_eval::rotation(DVec3::new(numbers[0], numbers[1], numbers[2]))
}
