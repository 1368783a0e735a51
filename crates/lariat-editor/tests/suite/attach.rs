//! Ends attached to moving things stay where they were attached.

use glam::DVec3;
use lariat_editor::Editor;
use lariat_scene::{Path, Thing};

use crate::open;

const TEXT: &str = "lariat = 2
[[body]]
name = 'rein'
model = 'suspended-rope'
from = [0, 0, 2]
to = [3, 0, 2]
length = 4
[[body]]
name = 'box'
model = 'solid'
size = [0.4, 0.4, 0.4]
position = { keys = [[1, [3, 0, 1]], [11, [3, 5, 1]]] }
rotation = { keys = [[1, [0, 0, 90]], [11, [0, 0, 180]]] }
[[body]]
name = 'lead'
model = 'loose-rope'
from = { body = 'rein', at = 0.5 }
length = 1
[[locator]]
name = 'post'
position = [1, 1, 1]
";

fn end() -> Path {
    "body.rein.to".parse().expect("a path")
}

fn attach(editor: &mut Editor, thing: Thing, name: &str, near: DVec3) {
    let moment = editor.at(1.0).clone();
    let edit = editor.attach(&end(), thing, name, near, &moment).expect("an attachment");
    editor.apply("Attach", &edit).expect("it fits the document");
    assert!(editor.diagnostics().iter().all(|one| !one.is_error()), "{:?}", editor.diagnostics());
}

#[test]
fn an_end_follows_the_solid_that_it_is_attached_to() {
    let mut editor = open(TEXT);
    // 3 m above a point of its upper side.
    attach(&mut editor, Thing::Body, "box", DVec3::new(3.1, -0.05, 4.2));
    let at = |editor: &mut Editor, frame: f64| {
        let spine = editor.at(frame).bodies[0].spine().to_vec();
        spine[spine.len() - 1]
    };
    assert!(at(&mut editor, 1.0).distance(DVec3::new(3.1, -0.05, 1.2)) < 1e-9);
    // A quarter turn about Z, and 5 m along Y.
    assert!(at(&mut editor, 11.0).distance(DVec3::new(3.05, 5.1, 1.2)) < 1e-9);
    let moment = editor.at(11.0).clone();
    let edit = editor.detach(&end(), &moment).unwrap();
    editor.apply("Detach", &edit).unwrap();
    assert!(editor.text().contains("to = [3.05, 5.1, 1.2]"), "{}", editor.text());
    editor.undo().unwrap();
    editor.undo().unwrap();
    assert_eq!(editor.text(), TEXT);
}

#[test]
fn an_end_is_attached_to_a_locator_and_along_a_rope() {
    let mut editor = open(&TEXT.replace("from = { body = 'rein', at = 0.5 }", "from = [3, 0, 3]"));
    attach(&mut editor, Thing::Locator, "post", DVec3::ZERO);
    assert!(editor.text().contains("to = { locator = \"post\" }"), "{}", editor.text());
    // A quarter down a rope of 1 m that hangs straight.
    attach(&mut editor, Thing::Body, "lead", DVec3::new(9.0, 0.0, 2.75));
    assert!(editor.text().contains("to = { body = \"lead\", at = 0.25 }"), "{}", editor.text());
}

#[test]
fn nothing_is_attached_to_itself_or_to_its_followers() {
    let editor = open(TEXT);
    let can = |thing, name| editor.can_attach(&end(), thing, name);
    assert!(can(Thing::Body, "box") && can(Thing::Locator, "post"));
    assert!(!can(Thing::Body, "rein") && !can(Thing::Body, "lead") && !can(Thing::Body, "post"));
}
