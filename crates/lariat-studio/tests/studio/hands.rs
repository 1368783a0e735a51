//! Hands in the view: hang a rope, drag its ends, pull it.

use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use lariat_scene::Path;

use crate::harness::Window;

const CTRL: Modifiers = Modifiers::COMMAND;

const EMPTY: &str = "lariat = 2\n\n[shot]\nfps = 24\nframes = [1, 120]\n";

const ROPE: &str = "lariat = 2\n\n[[body]]\nname = \"rope\"\nmodel = \"suspended-rope\"\n\
                    from = [0, 0, 2] # the hook\nto = [3, 0, 2]\nlength = 4\n";

fn number(window: &Window, path: &str) -> f64 {
    let editor = &window.studio().session().unwrap().editor;
    let path: Path = path.parse().unwrap();
    editor.value_at(&path, 1.0).unwrap().number().unwrap()
}

fn point(window: &Window, path: &str) -> [f64; 3] {
    let editor = &window.studio().session().unwrap().editor;
    let path: Path = path.parse().unwrap();
    let value = editor.value_at(&path, 1.0).unwrap();
    let list = value.list().unwrap();
    std::array::from_fn(|axis| list[axis].number().unwrap())
}

/// Position of the middle of the first body in the window.
pub(crate) fn middle(window: &Window) -> Pos2 {
    let studio = window.studio();
    let pose = studio.session().unwrap().shown().unwrap();
    let spine = pose.bodies[0].spine();
    window.project(spine[spine.len() / 2])
}

/// Name of the last change.
fn last(window: &Window) -> String {
    let editor = &window.studio().session().unwrap().editor;
    editor.undo_name().unwrap_or_default().to_owned()
}

#[test]
fn two_clicks_hang_a_rope() {
    let mut window = Window::with(EMPTY);
    let middle = window.get("View of the scene").rect().center();
    window.press(Modifiers::NONE, Key::H);
    for by in [vec2(-200.0, -60.0), vec2(200.0, -60.0)] {
        window.click_at(middle + by);
    }
    assert_eq!((window.changes(), &*last(&window)), (1, "Add rope"), "{}", window.text());
    assert!(window.text().contains("model = \"suspended-rope\""), "{}", window.text());
    assert!(number(&window, "body.rope.length") > 0.5);
    let active = window.studio().workspace.active().map(|one| one.name.clone());
    assert_eq!(active.as_deref(), Some("rope"));
    window.press(CTRL, Key::Z);
    assert_eq!(window.text(), EMPTY);
}

#[test]
fn escape_after_the_first_click_leaves_no_trace() {
    let mut window = Window::with(EMPTY);
    let middle = window.get("View of the scene").rect().center();
    window.press(Modifiers::NONE, Key::H);
    window.drag(middle, middle);
    window.harness.hover_at(middle + vec2(120.0, 0.0));
    window.run();
    assert!(window.text().contains("suspended-rope"), "it is previewed");
    window.press(Modifiers::NONE, Key::Escape);
    assert_eq!((window.text(), window.changes()), (EMPTY.to_owned(), 0));
}

#[test]
fn an_end_is_dragged_by_its_handle() {
    let mut window = Window::with(ROPE);
    window.select("rope");
    let at = window.get("End of rope").rect().center();
    window.drag(at, at + vec2(-40.0, 50.0));
    let [_, _, z] = point(&window, "body.rope.to");
    assert!(z < 1.95, "{z}");
    assert_eq!(point(&window, "body.rope.from"), [0.0, 0.0, 2.0]);
    assert_eq!((window.changes(), &*last(&window)), (1, "Move end of rope"));
    let now = window.get("End of rope").rect().center();
    assert!(now.distance(at + vec2(-40.0, 50.0)) < 1.0, "{at} {now}");
    window.press(CTRL, Key::Z);
    assert_eq!(window.text(), ROPE);
}

/// A window in which the end of the rope is dragged along X, and the place where the drag began.
fn end_on_x() -> (Window, Pos2) {
    let mut window = Window::with(ROPE);
    window.select("rope");
    let at = window.get("End of rope").rect().center();
    window.drag_part(at, at + vec2(30.0, 40.0));
    window.harness.key_press(Key::X);
    window.harness.step();
    (window, at)
}

#[test]
fn keys_constrain_a_drag_and_numbers_set_it() {
    let (mut window, at) = end_on_x();
    let [x, y, z] = point(&window, "body.rope.to");
    assert!(x != 3.0 && (y, z) == (0.0, 2.0), "{x} {y} {z}");
    window.harness.event(egui::Event::Text("-0.5".to_owned()));
    window.harness.step();
    window.harness.step();
    window.harness.drop_at(at + vec2(30.0, 40.0));
    window.run();
    assert_eq!(point(&window, "body.rope.to"), [2.5, 0.0, 2.0]);
    // X is not the command that deletes.
    assert_eq!((window.changes(), &*last(&window)), (1, "Move end of rope"));
}

#[test]
fn the_middle_of_a_rope_is_pulled_down() {
    let mut window = Window::with(ROPE);
    let at = middle(&window);
    let to = at + vec2(0.0, 60.0);
    window.drag(at, to);
    assert!(number(&window, "body.rope.length") > 4.1, "{}", window.text());
    assert_eq!((window.changes(), &*last(&window)), (1, "Pull rope"));
    // The point under the pointer stays there.
    let now = middle(&window);
    assert!(now.distance(to) < 1.0, "{now} {to}");
    let active = window.studio().workspace.active().map(|one| one.name.clone());
    assert_eq!(active.as_deref(), Some("rope"));
    window.press(CTRL, Key::Z);
    assert_eq!(window.text(), ROPE);
}

#[test]
fn escape_ends_a_pull_without_a_trace() {
    let mut window = Window::with(ROPE);
    let at = middle(&window);
    window.drag_part(at, at + vec2(10.0, 60.0));
    assert!(number(&window, "body.rope.length") > 4.05, "{}", window.text());
    window.harness.key_press(Key::Escape);
    window.harness.step();
    window.harness.hover_at(at + vec2(30.0, 80.0));
    window.harness.step();
    assert_eq!(window.text(), ROPE, "the rest of the drag is ignored");
    window.harness.drop_at(at + vec2(30.0, 80.0));
    window.run();
    assert_eq!((window.text(), window.changes()), (ROPE.to_owned(), 0));
}

#[test]
fn a_click_selects_and_a_drag_on_nothing_turns_the_view() {
    let mut window = Window::with(ROPE);
    let at = middle(&window);
    window.click_at(at);
    assert_eq!(window.studio().workspace.active().map(|one| &*one.name), Some("rope"));
    assert!(window.harness.query_by_label("Start of rope").is_some());
    let view = window.studio().workspace.view;
    let corner = window.get("View of the scene").rect().min + vec2(40.0, 40.0);
    window.drag(corner, corner + vec2(60.0, 30.0));
    let turned = window.studio().workspace.view;
    assert!(turned.yaw != view.yaw && turned.pivot == view.pivot);
    assert_eq!((window.text(), window.changes()), (ROPE.to_owned(), 0));
}

#[test]
fn ctrl_snaps_a_pull() {
    let mut window = Window::with(ROPE);
    let at = middle(&window);
    window.drag_part(at, at + vec2(7.0, 60.0));
    window.harness.key_press(Key::Z);
    window.harness.step();
    for _ in 0..3 {
        let moved = egui::Event::PointerMoved(at + vec2(9.0, 62.0));
        window.harness.event_modifiers(moved, CTRL);
        window.harness.step();
    }
    let pose = window.studio().session().unwrap().shown().unwrap();
    let spine = pose.bodies[0].spine();
    let lines = spine[spine.len() / 2].z * 20.0;
    // The point under the pointer is a little beside the middle.
    assert!((lines - lines.round()).abs() < 0.01, "{} m", lines / 20.0);
    window.harness.drop_at(at);
}

#[test]
fn a_value_that_cannot_be_shown_does_not_end_a_drag() {
    let (mut window, at) = end_on_x();
    let type_text = |window: &mut Window, text: &str| {
        window.harness.event(egui::Event::Text(text.to_owned()));
        window.harness.step();
        window.harness.step();
    };
    type_text(&mut window, "2");
    assert_eq!(point(&window, "body.rope.to"), [5.0, 0.0, 2.0]);
    type_text(&mut window, &"9".repeat(40));
    let message = window.studio().message().unwrap_or_default().to_owned();
    assert!(message.contains("`rope`"), "{message}");
    for _ in 0..40 {
        window.harness.key_press(Key::Backspace);
        window.harness.step();
    }
    type_text(&mut window, ".5");
    window.harness.drop_at(at + vec2(30.0, 40.0));
    window.run();
    assert_eq!(point(&window, "body.rope.to"), [5.5, 0.0, 2.0]);
    assert_eq!(window.changes(), 1);
}

#[test]
fn things_are_moved_with_a_key() {
    let mut window = Window::with(ROPE);
    window.select("rope");
    let at = window.get("View of the scene").rect().center();
    window.harness.hover_at(at);
    window.harness.step();
    window.press(Modifiers::NONE, Key::G);
    window.harness.key_press(Key::Z);
    window.harness.event(egui::Event::Text("0.75".to_owned()));
    window.run();
    window.press(Modifiers::NONE, Key::Enter);
    assert_eq!(point(&window, "body.rope.from"), [0.0, 0.0, 2.75]);
    assert_eq!(point(&window, "body.rope.to"), [3.0, 0.0, 2.75]);
    assert_eq!((window.changes(), &*last(&window)), (1, "Move rope"));
}

#[test]
fn a_post_is_as_high_as_the_drag_and_a_box_stands_where_it_is_clicked() {
    let mut window = Window::with(EMPTY);
    let view = window.get("View of the scene").rect();
    let (foot, top) = (view.center() + vec2(-120.0, 60.0), view.center() + vec2(-120.0, -90.0));
    window.click("Add");
    window.click("Cylinder");
    window.drag(foot, top);
    let height: Path = "body.post.height".parse().unwrap();
    let document = window.studio().session().unwrap().editor.document();
    let height = document.get(&height).and_then(lariat_scene::Value::number).unwrap();
    let position = point(&window, "body.post.position");
    assert!((position[2] - height / 2.0).abs() < 2e-3, "it stands on the floor: {position:?}");
    let end = glam::DVec3::from(position) + glam::DVec3::Z * height / 2.0;
    assert!((window.project(end).y - top.y).abs() < 2.0, "its top is under the pointer");
    window.click("Add");
    window.click("Box");
    window.click_at(view.center() + vec2(100.0, 80.0));
    let position = point(&window, "body.box.position");
    assert!((position[2] - 0.2).abs() < 1e-9, "{position:?}");
    let has = |label: &str| window.harness.query_all_by_label(label).next().is_some();
    assert!(has("Size") && !has("Height") && !has("Radius"), "a box has a size");
    assert_eq!(window.changes(), 2);
    assert!(window.studio().session().unwrap().editor.diagnostics().is_empty());
}

#[test]
fn colliders_of_every_shape_are_placed() {
    let mut window = Window::with(EMPTY);
    let view = window.get("View of the scene").rect();
    for shape in ["Plane", "Sphere", "Box", "Cylinder", "Capsule", "Height field"] {
        window.click("Add");
        window.click("Collider");
        window.click(&format!("{shape} collider"));
        window.drag(view.center() + vec2(-90.0, 60.0), view.center() + vec2(90.0, -60.0));
    }
    assert_eq!(window.changes(), 6);
    let errors = window.studio().session().unwrap().editor.diagnostics().iter();
    assert_eq!(errors.filter(|one| one.is_error()).count(), 0, "{}", window.text());
}
