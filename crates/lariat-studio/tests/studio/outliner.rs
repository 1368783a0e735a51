//! The list of things: attach and reorder by drag, hide, rename, keys, thousands of rows.

use std::fmt::Write;

use egui::{Key, Modifiers, Pos2, accesskit::Role, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use lariat_scene::Thing;

use crate::harness::{ROPE, Window};

const THINGS: &str = "
[[body]]
name = \"lead\"
model = \"loose-rope\"
from = { body = \"rein\", at = 0.5 }
length = 1

[[locator]]
name = \"post\"
position = [3, 1, 2]
";

fn window() -> Window {
    Window::with(&format!("{ROPE}{THINGS}"))
}

fn centre(window: &Window, label: &str) -> Pos2 {
    window.get(label).rect().center()
}

fn active(window: &Window) -> Option<&str> {
    window.studio().workspace.active().map(|one| &*one.name)
}

/// The body under the middle of the first rope, found by a click there.
fn click_in_view(window: &mut Window, at: Pos2) -> Option<String> {
    window.harness.state_mut().workspace.selected.clear();
    window.click_at(at);
    active(window).map(str::to_owned)
}

#[test]
fn a_body_is_attached_by_dragging_its_row() {
    let mut window = window();
    // A loose rope has one end: it is attached at once.
    window.drag(centre(&window, "lead"), centre(&window, "post"));
    assert!(window.text().contains("from = { locator = \"post\" }"), "{}", window.text());
    window.get("Start on post");
    assert_eq!(window.changes(), 1);
    // A suspended rope has two: they are offered.
    window.drag(centre(&window, "rein"), centre(&window, "post"));
    assert_eq!(window.changes(), 1, "nothing is done yet");
    window.click("Attach end");
    assert!(window.text().contains("to = { locator = \"post\" }"), "{}", window.text());
    window.get("End on post");
    assert_eq!(window.changes(), 2);
    window.press(Modifiers::COMMAND, Key::Z);
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.text(), format!("{ROPE}{THINGS}"));
    // The lead hangs on the rein, which cannot hang on the lead.
    window.drag(centre(&window, "rein"), centre(&window, "lead"));
    assert!(!window.text().contains("body = \"lead\""), "{}", window.text());
}

#[test]
fn rows_are_moved_by_dragging_them_between_others() {
    let mut window = window();
    let above = window.get("rein").rect().center_top() + vec2(0.0, 1.0);
    window.drag(centre(&window, "lead"), above);
    let names = |window: &Window| -> Vec<String> {
        let document = window.studio().session().unwrap().editor.document();
        document.names(Thing::Body).map(str::to_owned).collect()
    };
    assert_eq!(names(&window), ["lead", "rein"]);
    assert_eq!(window.changes(), 1);
    // A row that is taken out leaves a gap: below the second of three is the second place.
    window.select("rein");
    window.press(Modifiers::COMMAND, Key::D);
    assert_eq!(names(&window), ["lead", "rein", "rein-2"]);
    let below = window.get("rein").rect().center_bottom() - vec2(0.0, 1.0);
    window.drag(centre(&window, "lead"), below);
    assert_eq!(names(&window), ["rein", "lead", "rein-2"]);
}

#[test]
fn hidden_bodies_are_neither_drawn_nor_picked_nor_changed() {
    let mut window = window();
    let (before, revision) = (window.text(), window.studio().session().unwrap().editor.revision());
    let spine = window.studio().session().unwrap().shown().unwrap().bodies[0].spine().to_vec();
    let at = seen(&window, spine[spine.len() / 5]);
    assert_eq!(click_in_view(&mut window, at).as_deref(), Some("rein"));
    window.harness.state_mut().workspace.selected.clear();
    window.harness.hover_at(Pos2::ZERO);
    window.run();
    let full = window.harness.render().expect("a picture");
    window.click("Hide rein");
    assert!(!window.studio().workspace.shows("rein"));
    window.harness.hover_at(Pos2::ZERO);
    window.run();
    let without = window.harness.render().expect("a picture");
    let rect = window.get("View of the scene").rect();
    let width = full.width() as usize;
    let is_inside = |k: usize| rect.contains(egui::pos2((k % width) as f32, (k / width) as f32));
    let pixels = full.as_raw().chunks(4).zip(without.as_raw().chunks(4)).enumerate();
    let differ = pixels.filter(|(k, (a, b))| a != b && is_inside(*k)).count();
    assert!(differ > 200, "{differ} pixels differ");
    assert_eq!(click_in_view(&mut window, at), None);
    window.click("Show rein");
    assert_eq!(click_in_view(&mut window, at).as_deref(), Some("rein"));
    // Alone: the others are not there.
    window.click("Show lead alone");
    assert!(!window.studio().workspace.shows("rein") && window.studio().workspace.shows("lead"));
    assert_eq!(click_in_view(&mut window, at), None);
    window.click("Show lead with others");
    assert_eq!(click_in_view(&mut window, at).as_deref(), Some("rein"));
    let session = window.studio().session().unwrap();
    assert_eq!((session.editor.text(), session.editor.revision()), (before, revision));
    assert!(!session.editor.is_modified());
}

/// Position of a point in the window.
fn seen(window: &Window, at: glam::DVec3) -> Pos2 {
    let rect = window.get("View of the scene").rect();
    let (width, height) = (rect.width().round() as u32, rect.height().round() as u32);
    let size = lariat_render::Size::new(width, height).unwrap();
    let projection = window.studio().workspace.view.camera().projection(size).unwrap();
    let (x, y, _) = projection.project(at).unwrap();
    rect.min + vec2(x as f32, y as f32)
}

#[test]
fn the_list_is_used_with_keys() {
    let mut window = window();
    let frame = window.studio().workspace.frame;
    window.click("rein");
    window.press(Modifiers::NONE, Key::ArrowDown);
    assert_eq!(active(&window), Some("lead"));
    window.press(Modifiers::NONE, Key::ArrowDown);
    window.press(Modifiers::NONE, Key::ArrowDown);
    assert_eq!(active(&window), Some("post"), "the last one");
    window.press(Modifiers::NONE, Key::ArrowUp);
    assert_eq!(active(&window), Some("lead"));
    assert_eq!(window.studio().workspace.frame, frame, "arrows are not those of the timeline");
    // Enter renames, F2 does from anywhere.
    for (key, name) in [(Key::Enter, "tether"), (Key::F2, "leash")] {
        window.press(Modifiers::NONE, key);
        window.press(Modifiers::COMMAND, Key::A);
        window.type_text(name);
        window.press(Modifiers::NONE, Key::Enter);
        assert!(window.text().contains(&format!("name = \"{name}\"")), "{}", window.text());
        assert_eq!(active(&window), Some(name));
    }
    window.press(Modifiers::NONE, Key::Delete);
    assert!(!window.text().contains("leash"));
    // Away from the list, the arrows belong to the timeline again.
    window.click("rein");
    window.harness.drag_at(window.get("View of the scene").rect().min + vec2(20.0, 20.0));
    window.harness.drop_at(window.get("View of the scene").rect().min + vec2(20.0, 20.0));
    window.run();
    window.press(Modifiers::NONE, Key::ArrowUp);
    assert_eq!(window.studio().workspace.frame, 24.0);
}

#[test]
fn a_name_that_is_taken_changes_nothing() {
    let mut window = window();
    window.click("rein");
    window.press(Modifiers::NONE, Key::F2);
    window.press(Modifiers::COMMAND, Key::A);
    window.type_text("lead");
    window.press(Modifiers::NONE, Key::Enter);
    assert_eq!((active(&window), window.changes()), (Some("rein"), 0));
    assert!(window.studio().message().is_some_and(|text| text.contains("lead")));
}

#[test]
fn two_thousand_bodies_are_as_many_rows_as_are_seen() {
    let mut text = "lariat = 2\n".to_owned();
    for k in 0..2000 {
        let x = f64::from(k % 50);
        let y = f64::from(k / 50);
        write!(
            text,
            "[[body]]\nname = \"r{k}\"\nmodel = \"loose-rope\"\nsamples = 4\nfrom = [{x}, {y}, 1]\nlength = 1\n"
        )
        .unwrap();
    }
    let mut window = Window::with(&text);
    let rows = |window: &Window| {
        let is_row = |label: String| {
            label.strip_prefix('r').is_some_and(|number| number.parse::<u32>().is_ok())
        };
        let buttons = window.harness.query_all_by_role(Role::Button);
        buttons
            .filter_map(|node| node.accesskit_node().label())
            .filter(|label| is_row(label.clone()))
            .count()
    };
    let count = rows(&window);
    assert!((5..60).contains(&count), "{count} rows");
    // The list follows the selection.
    window.select("r1500");
    window.run();
    window.get("r1500");
    assert!(rows(&window) < 60);
    window.harness.get_by_role_and_label(Role::TextInput, "Find a thing").click();
    window.run();
    window.type_text("R1999");
    assert_eq!(rows(&window), 1);
}
