//! After any sequence of edits, an evaluator equals a fresh one: diagnostics, shapes and bits.

use std::fmt::Write;

use lariat_eval::{Evaluator, Files, MemoryFiles};
use lariat_scene::edit::Edit;
use lariat_scene::{Document, Limits, Path, Table, Thing, Value, format};
use proptest::prelude::*;

/// The files of the museum.
fn files() -> Box<dyn Files> {
    let files = lariat_museum::FILES.iter();
    Box::new(files.fold(MemoryFiles::default(), |all, (path, bytes)| all.with(*path, *bytes)))
}

fn evaluator(document: Document) -> Evaluator {
    Evaluator::with_files(document, Limits::DEFAULT, 8, files())
}

fn set(path: &str, value: impl Into<Value>) -> Edit {
    Edit::Set { path: path.parse().expect("a path"), value: value.into() }
}

/// Compares an evaluator with a fresh one at some frames, bit by bit.
fn is_as_fresh(evaluator: &mut Evaluator, frames: &[f64]) -> Result<(), String> {
    let mut fresh = self::evaluator(evaluator.document().clone());
    if evaluator.diagnostics() != fresh.diagnostics() {
        let (is, should) = (evaluator.diagnostics(), fresh.diagnostics());
        return Err(format!("{is:#?}\ninstead of\n{should:#?}"));
    }
    let (is, should) = (evaluator.snapshot(), fresh.snapshot());
    if is.body_count() != should.body_count() || is.camera_count() != should.camera_count() {
        return Err("other bodies or cameras".to_owned());
    }
    for body in 0..is.body_count() {
        let of = |scene: &lariat_eval::Scene| {
            let name = scene.body_name(body).to_owned();
            (name, scene.is_drawn(body), scene.is_still(body), scene.dependencies(body).to_vec())
        };
        if of(&is) != of(&should) {
            return Err(format!("{:?} instead of {:?}", of(&is), of(&should)));
        }
    }
    for &frame in frames {
        // Text distinguishes −0 from 0.
        let (is, should) = (evaluator.at(frame).clone(), fresh.at(frame));
        for (b, (is, should)) in is.bodies.iter().zip(&should.bodies).enumerate() {
            if bits(is) != bits(should) {
                let name = fresh.scene().body_name(b);
                return Err(format!("body {b} `{name}` differs at frame {frame}"));
            }
        }
        for camera in 0..evaluator.scene().camera_count() {
            let at = |evaluator: &Evaluator| {
                format!("{:?}", evaluator.scene().evaluate_camera(camera, frame))
            };
            if at(evaluator) != at(&fresh) {
                return Err(format!("camera {camera} differs at frame {frame}"));
            }
        }
    }
    Ok(())
}

/// Shapes, slack and warnings of a body as text, which distinguishes −0 from 0. Curves that are
/// computed on demand are left out.
fn bits(body: &lariat_eval::BodyMoment) -> String {
    let mut out = String::new();
    for strand in &body.strands {
        let _ = write!(out, "{strand:?}");
    }
    if let Some(mesh) = &body.mesh {
        let _ = write!(out, "{:?} {:?}", mesh.points(), mesh.look);
    }
    let _ = write!(out, "{} {:?} {:?} {:?}", body.visible, body.slack, body.warnings, body.spine());
    out
}

/// Scenes of the museum that are evaluated quickly; the slow ones are simulated.
fn scenes() -> Vec<&'static str> {
    let texts = lariat_museum::SCENES.iter().map(|scene| scene.text);
    texts.filter(|text| !text.contains("dynamics")).collect()
}

/// Paths of all values below the things of a document.
fn places(document: &Document) -> Vec<Path> {
    fn collect(value: &Value, path: &Path, out: &mut Vec<Path>) {
        out.push(path.clone());
        match value {
            Value::List(list) => {
                for (i, value) in list.iter().enumerate() {
                    collect(value, &path.clone().index(i), out);
                }
            }
            Value::Table(table) => {
                for (name, value) in table.iter() {
                    collect(value, &path.clone().field(name), out);
                }
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    for (name, value) in document.root.iter().filter(|(name, _)| *name != "lariat") {
        collect(value, &Path::root().field(name), &mut out);
    }
    out
}

/// An edit that usually makes sense: numbers stay near theirs, things are copied, moved and renamed.
fn edit_of(document: &Document, choice: u8, picks: [usize; 2], factor: f64) -> Option<Edit> {
    let all = places(document);
    let pick = |from: &[Path]| (!from.is_empty()).then(|| from[picks[0] % from.len()].clone());
    let of = |is: &dyn Fn(&Value) -> bool| -> Vec<Path> {
        all.iter().filter(|path| document.get(path).is_some_and(is)).cloned().collect()
    };
    let thing = Thing::ALL[picks[1] % 4];
    let things = document.things(thing).count();
    let list = Path::root().field(thing.list());
    Some(match choice % 12 {
        0..=4 => {
            let path = pick(&of(&|value| value.number().is_some()))?;
            let number = document.get(&path)?.number()?;
            let number = if factor < 0.05 { -number } else { number * factor };
            Edit::Set { path, value: Value::from(number) }
        }
        5 => Edit::Unset { path: pick(&of(&|value| !matches!(value, Value::Number(_))))? },
        6 if things > 0 => {
            let index = picks[0] % things;
            let Value::Table(copy) = document.get(&list.clone().index(index))?.clone() else {
                return None;
            };
            let copy = copy.with("name", format!("copy {}", picks[0] % 1000));
            Edit::Insert { list, index: picks[1] % (things + 1), value: copy.into() }
        }
        7 if things > 0 => Edit::Remove { list, index: picks[0] % things },
        8 if things > 0 => Edit::Move { list, from: picks[0] % things, to: picks[1] % things },
        9 if things > 0 => {
            let from = document.names(thing).nth(picks[0] % things)?.to_owned();
            Edit::Rename { thing, from, to: format!("name {}", picks[1] % 5) }
        }
        10 => Edit::SetKey {
            channel: pick(&of(&|value| value.number().is_some()))?,
            frame: (picks[1] % 60) as f64,
            value: Value::from(factor),
        },
        _ => match picks[0] % 4 {
            0 => set("shot", Table::new().with("frames", [1, 20 + (picks[1] % 9) as i32])),
            1 => set("shot", Table::new().with("fps", 24 + (picks[1] % 3) as i32)),
            2 => set("world", Table::new().with("wind", [1, 0, 0])),
            _ => Edit::Unset { path: pick(&of(&|value| value.table().is_some()))? },
        },
    })
}

fn edits(most: usize) -> impl Strategy<Value = Vec<(u8, [usize; 2], f64)>> {
    let factor = prop_oneof![Just(0.0), 0.0..0.1, 0.5..2.0, Just(1.0)];
    let edit = (any::<u8>(), [0..10_000_usize, 0..10_000_usize], factor);
    prop::collection::vec(edit, 1..most)
}

/// Applies edits and their inverses, and compares after each.
fn compare(text: &str, edits: &[(u8, [usize; 2], f64)], frames: &[f64]) -> Result<(), String> {
    let document = format::read(text).expect("a scene can be read").document;
    let mut evaluator = evaluator(document);
    let mut inverses = Vec::new();
    for frame in frames {
        evaluator.at(*frame);
    }
    for (choice, picks, factor) in edits {
        let Some(edit) = edit_of(evaluator.document(), *choice, *picks, *factor) else { continue };
        let Ok(applied) = evaluator.apply(&edit) else { continue };
        inverses.push(applied.inverse);
        is_as_fresh(&mut evaluator, frames).map_err(|why| format!("{edit:?}: {why}"))?;
    }
    while let Some(inverse) = inverses.pop() {
        evaluator.apply(&inverse).map_err(|error| error.to_string())?;
    }
    is_as_fresh(&mut evaluator, frames).map_err(|why| format!("all undone: {why}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn any_edits_evaluate_as_a_fresh_document(
        scene in any::<prop::sample::Index>(),
        edits in edits(6),
    ) {
        let scenes = scenes();
        let text = scenes[scene.index(scenes.len())];
        let same = compare(text, &edits, &[1.0, 17.5, 40.0]);
        prop_assert!(same.is_ok(), "{}", same.unwrap_err());
    }
}

/// Ropes, strings, a solid, a slinky and followers of simulated bodies, short enough for a test.
const SIMULATED: &str = r#"
lariat = 2
[shot]
frames = [1, 30]
[world]
wind = [0.5, 0, 0]
[[locator]]
name = "hook"
position = { keys = [[1, [0, 0, 2]], [10, [0.2, 0, 2]], [20, [0, 0, 2]]] }
[[collider]]
name = "ball"
shape = "sphere"
centre = [0.5, 0, 1.2]
radius = 0.2
[[body]]
name = "rope"
model = "suspended-rope"
from = { locator = "hook" }
to = [1, 0, 2]
length = 1.5
layers = [{ kind = "clamp", against = "ball" }]
dynamics = { kind = "spline-rope", control-points = 8, start = 3 }
[[body]]
name = "tag"
model = "loose-rope"
from = { body = "rope", at = 0.5 }
length = 0.3
waves = [{ height = 0.02, ripples = 1, travel = 1 }]
[[body]]
name = "hung"
model = "loose-rope"
from = { body = "rope", at = 0.3 }
length = 0.4
dynamics = { kind = "spline-rope", control-points = 6, start = 6 }
[[body]]
name = "dog"
model = "slinky"
from = { body = "rope", at = 0.7 }
to = [1, 1, 1]
sag = 0.1
coils = 4
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
[[body]]
name = "still"
model = "suspended-rope"
from = [0, 3, 2]
to = [1, 3, 2]
length = 1.2
"#;

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_edits_simulate_as_a_fresh_document(edits in edits(4)) {
        let same = compare(SIMULATED, &edits, &[2.0, 12.0, 18.5]);
        prop_assert!(same.is_ok(), "{}", same.unwrap_err());
    }
}

/// Counts of records lowered, bodies bound and bodies posed by an edit.
fn counts(evaluator: &mut Evaluator, edit: &Edit, frame: f64) -> [u64; 3] {
    let all = |e: &Evaluator| [e.records_lowered(), e.bodies_bound(), e.bodies_posed()];
    evaluator.at(frame);
    let before = all(evaluator);
    evaluator.apply(edit).expect("a good edit");
    evaluator.at(frame);
    let after = all(evaluator);
    is_as_fresh(evaluator, &[frame]).expect("as fresh");
    [0, 1, 2].map(|i| after[i] - before[i])
}

/// A chain of `count` ropes, each attached to the one before, beside as many free ones.
fn many(count: usize) -> Document {
    let mut text = "lariat = 2\n[[locator]]\nname = \"hook\"\nposition = [0, 0, 3]\n".to_owned();
    for i in 0..count {
        let from = match i {
            0 => "{ locator = \"hook\" }".to_owned(),
            _ => format!("{{ body = \"chain {}\", at = 0.5 }}", i - 1),
        };
        let _ = write!(
            text,
            "[[body]]\nname = \"chain {i}\"\nmodel = \"loose-rope\"\nfrom = {from}\nlength = 1\n\
             [[body]]\nname = \"free {i}\"\nmodel = \"loose-rope\"\nfrom = [{i}, 1, 3]\nlength = 1\n"
        );
    }
    format::read(&text).expect("it is TOML").document
}

#[test]
fn an_edit_binds_only_its_body() {
    let mut evaluator = evaluator(many(20));
    let by = |edit: Edit, evaluator: &mut Evaluator| counts(evaluator, &edit, 12.0);
    assert_eq!(by(set("body.\"free 3\".length", 2), &mut evaluator), [1, 1, 1]);
    assert_eq!(by(set("body.\"chain 17\".length", 2), &mut evaluator), [1, 1, 3]);
    assert_eq!(by(set("locator.hook.position[2]", 4), &mut evaluator), [1, 0, 20]);
    // A locator that begins to move makes its rope move.
    let key = |frame: f64, x: f64| Value::List(vec![frame.into(), [x, 0.0, 3.0].into()]);
    let keys = Table::new().with("keys", vec![key(1.0, 0.0), key(24.0, 1.0)]);
    assert_eq!(by(set("locator.hook.position", keys), &mut evaluator), [1, 1, 20]);
}

#[test]
fn structural_edits_do_not_lower_all_bodies() {
    let list: Path = "body".parse().expect("a path");
    let mut evaluator = evaluator(many(20));
    let by = |edit: Edit, evaluator: &mut Evaluator| counts(evaluator, &edit, 12.0);
    // Attached ropes are bound to other indices, but neither lowered nor posed.
    let swap = Edit::Move { list: list.clone(), from: 39, to: 0 };
    assert_eq!(by(swap, &mut evaluator), [0, 19, 0]);
    let remove = Edit::Remove { list, index: 0 };
    assert_eq!(by(remove, &mut evaluator), [0, 19, 0]);
    let (from, to) = ("chain 18".to_owned(), "link".to_owned());
    let rename = Edit::Rename { thing: Thing::Body, from, to };
    assert_eq!(by(rename, &mut evaluator), [2, 2, 2]);
}

#[test]
fn another_state_of_a_document_keeps_what_is_the_same() {
    let mut evaluator = evaluator(many(20));
    evaluator.at(12.0);
    let mut other = evaluator.document().clone();
    other.apply(&set("body.\"free 3\".length", 2)).expect("a good edit");
    let before = (evaluator.records_lowered(), evaluator.bodies_bound());
    evaluator.replace(other);
    assert_eq!(
        (evaluator.records_lowered() - before.0, evaluator.bodies_bound() - before.1),
        (1, 1)
    );
    is_as_fresh(&mut evaluator, &[12.0]).expect("as fresh");
}

#[test]
fn scenes_before_and_after_an_edit_are_both_valid() {
    let mut evaluator = evaluator(many(4));
    let before = evaluator.snapshot();
    let was = before.evaluate(12.0);
    evaluator.apply(&set("body.\"chain 1\".length", 2)).expect("a good edit");
    let is = evaluator.at(12.0).clone();
    assert!(before.evaluate(12.0) == was);
    assert!(is.bodies[2] != was.bodies[2] && is.bodies[1] == was.bodies[1]);
}
