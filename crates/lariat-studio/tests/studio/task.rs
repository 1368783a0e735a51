//! Tasks of a first-time user: each in at most three actions, with nothing but the screen.

use std::time::{Duration, Instant};

use egui::{Key, Modifiers, Pos2, accesskit::Role, vec2};
use egui_kittest::kittest::Queryable;
use glam::DVec3;
use lariat_studio::Opening;

use crate::harness::{ROPE, Window};

/// A box that goes 2 m to the right within 48 frames, beside a rope.
const BOX: &str = "
[[body]]
name = \"box\"
model = \"solid\"
position = { keys = [[1, [2, 0, 0.5]], [48, [4, 0, 0.5]]] }
";

/// Position of a point in the window.
fn seen(window: &Window, at: DVec3) -> Pos2 {
    let rect = window.get("View of the scene").rect();
    let (width, height) = (rect.width().round() as u32, rect.height().round() as u32);
    let size = lariat_render::Size::new(width, height).unwrap();
    let projection = window.studio().workspace.view.camera().projection(size).unwrap();
    let (x, y, _) = projection.project(at).unwrap();
    rect.min + vec2(x as f32, y as f32)
}

fn spine(window: &Window, body: usize) -> Vec<DVec3> {
    window.studio().session().unwrap().shown().unwrap().bodies[body].spine().to_vec()
}

/// Goes to a frame by its field: one action, a typed value.
fn go_to(window: &mut Window, frame: &str) {
    window.harness.get_by_role_and_label(Role::SpinButton, "Frame").click();
    window.run();
    window.press(Modifiers::COMMAND, Key::A);
    window.type_text(frame);
    window.press(Modifiers::NONE, Key::Enter);
    assert_eq!(window.studio().workspace.frame, frame.parse::<f64>().unwrap());
}

/// Hangs a rope with two clicks in an empty shot.
fn hang() -> Window {
    let mut window = Window::open_in(tempfile::tempdir().unwrap(), |_| Opening::Empty);
    let middle = window.get("View of the scene").rect().center();
    window.press(Modifiers::NONE, Key::H);
    for by in [vec2(-200.0, -60.0), vec2(200.0, -60.0)] {
        window.harness.hover_at(middle + by);
        window.harness.step();
        window.harness.drag_at(middle + by);
        window.harness.step();
        window.harness.drop_at(middle + by);
        window.run();
    }
    window
}

#[test]
fn a_rope_becomes_a_string_of_lights_with_another_look_in_three_clicks() {
    let mut window = hang();
    let before = spine(&window, 0);
    // One and two: the list of models, and one of them.
    window.click("Model");
    window.click("String of lights");
    // Three: a look.
    window.click("Look leather");
    let text = window.text();
    assert!(
        text.contains("model = \"string-of-lights\"") && text.contains("look = \"leather\""),
        "{text}"
    );
    let pose = window.studio().session().unwrap().shown().unwrap();
    assert!(pose.bodies[0].strands.len() > 4, "two wires and bulbs");
    let after = spine(&window, 0);
    let last = |spine: &[DVec3]| spine[spine.len() - 1];
    assert!(after[0].distance(before[0]) < 0.01 && last(&after).distance(last(&before)) < 0.01);
    assert_eq!(window.changes(), 3, "a rope, its model, its look");
}

#[test]
fn the_menu_of_a_row_has_models_too() {
    let mut window = Window::with(ROPE);
    // One: the menu, which also selects. Two: a model, in a menu that opens by itself. Three: a look.
    window.get("rein").click_secondary();
    window.run();
    window.harness.get_by_role_and_label(Role::Button, "Model").hover();
    window.run();
    window.click("String of lights");
    window.click("Look rubber");
    assert_eq!(window.changes(), 2);
}

#[test]
fn an_end_is_dragged_to_a_moving_solid_and_follows_it() {
    let mut window = Window::with(&format!("{ROPE}{BOX}"));
    // One: the rope.
    window.click("rein");
    // Two: its end, dragged to the box.
    let at = window.get("End of rein").rect().center();
    let to = seen(&window, DVec3::new(2.0, 0.0, 0.5));
    window.drag(at, to);
    // Three: the offer.
    window.click("Attach to box");
    assert!(window.text().contains("to = { body = \"box\", offset = ["), "{}", window.text());
    let end = |window: &Window| *spine(window, 0).last().unwrap();
    let first = end(&window);
    // On the surface of a box of 40 cm.
    let off = (first - DVec3::new(2.0, 0.0, 0.5)).abs();
    assert!((off.max_element() - 0.2).abs() < 1e-3, "{first}");
    assert!(seen(&window, first).distance(to) < 2.0, "where it was dropped");
    window.press(Modifiers::NONE, Key::End);
    assert!(end(&window).distance(first + DVec3::X * 2.0) < 1e-6, "{}", end(&window));
}

#[test]
fn an_end_is_attached_by_its_menus() {
    for opens in ["Attach end", "End of rein"] {
        let mut window = Window::with(&format!("{ROPE}{BOX}"));
        // One: the rope. Two: the menu of the row in the inspector, or of the dot. Three: the box.
        window.click("rein");
        match opens {
            "Attach end" => window.get(opens).click(),
            dot => window.get(dot).click_secondary(),
        }
        window.run();
        let rows = window.harness.get_all_by_label("box");
        // Above the list of things.
        rows.last().unwrap().click();
        window.run();
        assert!(window.text().contains("to = { body = \"box\""), "{opens}: {}", window.text());
        assert_eq!(window.changes(), 1);
    }
}

#[test]
fn the_default_rope_falls_and_its_rest_is_told() {
    let mut window = hang();
    let before = spine(&window, 0);
    // One: the frame. Two: the button. Three: the last frame.
    go_to(&mut window, "40");
    window.click("Let it fall from frame 40");
    let held = spine(&window, 0);
    assert_eq!((held[0], held.last()), (before[0], before.last()), "it is held at this frame");
    window.press(Modifiers::NONE, Key::End);
    assert_eq!(window.changes(), 2, "a rope, and its fall");
    let start = Instant::now();
    while !window.studio().message().is_some_and(|text| text.contains("rope")) {
        assert!(start.elapsed() < Duration::from_mins(1), "{:?}", window.studio().message());
        std::thread::sleep(Duration::from_millis(20));
        window.harness.step();
    }
    let message = window.studio().message().unwrap().to_owned();
    let rest = message.strip_prefix("rope comes to rest at frame ").map(str::parse::<f64>);
    let rest = rest.unwrap_or_else(|| panic!("{message}")).unwrap();
    assert!((50.0..120.0).contains(&rest), "{message}");
    window.run();
    // The view shows it there: flat on the ground that was seen below it.
    let after = spine(&window, 0);
    let highest = after.iter().map(|point| point.z).fold(f64::MIN, f64::max);
    let lowest = after.iter().map(|point| point.z).fold(f64::MAX, f64::min);
    let low = before.iter().map(|point| point.z).fold(f64::MAX, f64::min);
    assert!(highest - lowest < 0.1 && lowest < low, "{lowest} to {highest}, {low} before");
}

#[test]
fn one_end_is_let_go_by_its_menu_and_the_other_holds() {
    let mut window = hang();
    let before = spine(&window, 0);
    go_to(&mut window, "40");
    window.get("End of rope").click_secondary();
    window.run();
    window.click("Let go from frame 40");
    assert!(window.text().contains("start = 40, hold-end = false }"), "{}", window.text());
    window.press(Modifiers::NONE, Key::End);
    let start = Instant::now();
    while window.studio().message().is_none() {
        assert!(start.elapsed() < Duration::from_mins(1));
        std::thread::sleep(Duration::from_millis(20));
        window.harness.step();
    }
    let (after, last) = (spine(&window, 0), before.len() - 1);
    assert!(after[0].distance(before[0]) < 1e-6, "it is held there");
    assert!(after[after.len() - 1].z < before[last].z - 0.2, "the end fell");
}

#[test]
fn a_solid_falls_on_the_ground_with_one_click() {
    let text = "lariat = 2\n[shot]\nframes = [1, 60]\n[[body]]\nname = \"box\"\nmodel = \"solid\"\n\
                position = [0, 0, 0.7]\n";
    let mut window = Window::with(text);
    window.click("box");
    window.click("Simulate from frame 1");
    assert!(
        window.text().contains("dynamics = { kind = \"rigid\", floor = 0 }"),
        "{}",
        window.text()
    );
    let start = Instant::now();
    while window.studio().message().is_none() {
        assert!(start.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(20));
        window.harness.step();
    }
    // Half a metre takes 0.32 s, 7.7 frames; it settles within some more.
    let told = window.studio().message().unwrap_or_default();
    let rest = told.strip_prefix("box comes to rest at frame ").map(str::parse::<f64>);
    assert!(rest.is_some_and(|rest| rest.is_ok_and(|rest| (9.0..13.0).contains(&rest))), "{told}");
}
