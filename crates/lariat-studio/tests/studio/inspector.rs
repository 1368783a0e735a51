//! Parameters: typed, dragged, keyed, wiggling, records, remedies, several bodies at once.

use egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::kittest::Queryable;
use lariat_scene::Thing;

use crate::harness::{ROPE, Window};

const NONE: Modifiers = Modifiers::NONE;

fn rope() -> Window {
    let mut window = Window::with(ROPE);
    window.select("rein");
    window
}

/// The field of a number.
fn field<'w>(window: &'w Window, label: &'w str) -> egui_kittest::Node<'w> {
    window.harness.get_by_role_and_label(Role::SpinButton, label)
}

fn type_number(window: &mut Window, label: &str, number: &str) {
    field(window, label).scroll_to_me();
    window.run();
    field(window, label).click();
    window.run();
    // One key at a time, as people do.
    for digit in number.chars() {
        window.type_text(&digit.to_string());
    }
    window.press(NONE, Key::Enter);
}

fn names(window: &Window) -> Vec<String> {
    let session = window.studio().session().expect("a document is open");
    session.editor.history().done().map(|entry| entry.name.clone()).collect()
}

#[test]
fn a_typed_length_is_one_entry() {
    let mut window = rope();
    type_number(&mut window, "Length", "5.25");
    assert_eq!(window.text(), ROPE.replace("length = 4", "length = 5.25"));
    assert_eq!(names(&window), ["Set length"]);
    // Looking at a number does not change it.
    field(&window, "Length").click();
    window.run();
    window.press(NONE, Key::Enter);
    assert_eq!(window.changes(), 1);
}

#[test]
fn a_dragged_number_is_one_entry() {
    let mut window = rope();
    let from = field(&window, "Length").rect().center();
    window.drag(from, from + egui::vec2(40.0, 0.0));
    let text = window.text();
    assert!(!text.contains("length = 4\n"), "{text}");
    assert_eq!(names(&window), ["Set length"]);
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.text(), ROPE);
}

#[test]
fn the_diamond_sets_and_removes_a_key() {
    let mut window = rope();
    window.harness.state_mut().workspace.frame = 12.0;
    window.run();
    window.click("Key length");
    assert!(window.text().contains("length = { keys = [[12, 4]] }"), "{}", window.text());
    // With auto-key, another value at another frame is another key.
    window.harness.state_mut().workspace.frame = 24.0;
    window.run();
    type_number(&mut window, "Length", "6");
    assert!(window.text().contains("[[12, 4], [24, 6]]"), "{}", window.text());
    window.click("Remove key of length");
    assert!(window.text().contains("length = { keys = [[12, 4]] }"), "{}", window.text());
}

#[test]
fn without_auto_key_the_whole_curve_moves() {
    let mut window = rope();
    window.harness.state_mut().workspace.auto_key = false;
    window.harness.state_mut().workspace.frame = 24.0;
    window.run();
    type_number(&mut window, "Swing", "45");
    assert!(window.text().contains("swing = { keys = [[1, 10], [24, 45]] }"), "{}", window.text());
}

#[test]
fn a_parameter_is_made_to_wiggle_from_its_menu() {
    let mut window = rope();
    field(&window, "Sway").click_secondary();
    window.run();
    window.click("Make it wiggle");
    assert!(window.text().contains("sway = { wiggle = [[1, 0]], hertz = 1 }"), "{}", window.text());
    // Its frequency is a parameter like others.
    type_number(&mut window, "Fast", "2.5");
    assert!(window.text().contains("hertz = 2.5"), "{}", window.text());
    field(&window, "Sway").click_secondary();
    window.run();
    window.click("Make it constant");
    assert!(window.text().contains("sway = 0\n"), "{}", window.text());
}

#[test]
fn a_wave_is_added_changed_and_undone() {
    let mut window = rope();
    window.click("Add wave");
    assert!(window.text().contains("waves = [{ height = 0.1 }]"), "{}", window.text());
    type_number(&mut window, "Ripples", "3");
    assert!(window.text().contains("ripples = 3"), "{}", window.text());
    window.get("Remove wave 1").scroll_to_me();
    window.run();
    window.click("Remove wave 1");
    assert_eq!(window.text(), ROPE);
    for _ in 0..3 {
        window.press(Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(window.text(), ROPE);
    assert_eq!(window.changes(), 0);
}

#[test]
fn a_rope_that_is_too_short_is_fixed_by_its_remedy() {
    let mut window = rope();
    type_number(&mut window, "Length", "2");
    let problems = |window: &Window| {
        let text = "is shorter than the gap it must span";
        window.harness.query_all_by_label_contains(text).count()
    };
    assert_eq!(problems(&window), 2, "the field and the line at the bottom say why it is red");
    window.click("Set length to 3.001");
    assert_eq!(window.text(), ROPE.replace("length = 4", "length = 3.001"));
    assert_eq!(problems(&window), 0);
}

#[test]
fn a_misspelt_choice_is_fixed_by_its_remedy() {
    let text = format!("{ROPE}sag-form = \"publised\"\n");
    let mut window = Window::with(&text);
    window.select("rein");
    window.click("Set sag form to Published");
    assert_eq!(window.text(), text.replace("publised", "published"));
}

#[test]
fn an_end_is_attached_to_a_locator_and_detached_in_place() {
    let text = format!("{ROPE}\n[[locator]]\nname = \"hook\"\nposition = [1, 2, 3]\n");
    let mut window = Window::with(&text);
    window.select("rein");
    window.click("Attach end");
    // The last one is in the menu; the first one in the list of things.
    let hooks = window.harness.get_all_by_role_and_label(Role::Button, "hook");
    hooks.last().expect("a menu").click();
    window.run();
    assert!(window.text().contains("to = { locator = \"hook\" }"), "{}", window.text());
    window.click("Attach end");
    window.click("A point of its own");
    assert!(window.text().contains("to = [1, 2, 3]"), "{}", window.text());
}

#[test]
fn bodies_of_one_model_are_edited_together() {
    let second = ROPE.split("\n[[body]]").nth(1).expect("a body").replace("rein", "lead");
    let second = second.replace("length = 4", "length = 5");
    let text = format!("{ROPE}\n[[body]]{second}");
    let mut window = Window::with(&text);
    window.harness.state_mut().workspace.select(Thing::Body, "lead", true);
    window.harness.state_mut().workspace.select(Thing::Body, "rein", true);
    window.run();
    type_number(&mut window, "Length", "7");
    assert_eq!(window.text().matches("length = 7").count(), 2, "{}", window.text());
    assert_eq!(names(&window), ["Set length of 2"]);
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.text(), text);
}

#[test]
fn technical_parameters_are_a_click_away_and_can_be_searched() {
    let mut window = rope();
    assert!(window.harness.query_by_label("Samples").is_none());
    window.harness.get_by_role_and_label(Role::TextInput, "Find a parameter").click();
    window.run();
    window.type_text("sampl");
    assert!(window.harness.query_by_label("Samples").is_some());
    assert!(window.harness.query_by_label("Swing").is_none());
}
