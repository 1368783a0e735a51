//! Pictures, movies and exports from the window.

use std::{fs, thread::sleep, time::Duration};

use egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::{
    Node,
    kittest::{NodeT, Queryable},
};

use crate::harness::{ROPE, Window};

/// Types a place into the dialog, which is open.
fn name(window: &mut Window, place: &str) {
    window.harness.get_by_role_and_label(Role::TextInput, "File").focus();
    window.run();
    window.press(Modifiers::COMMAND, Key::A);
    let place = window.path(place).to_str().unwrap().to_owned();
    window.type_text(&place);
}

/// Shows the window until nothing is written any more; returns the message.
fn wait(window: &mut Window) -> String {
    for _ in 0..3000 {
        window.run();
        let is_writing = window.harness.query_by_label("Cancel").is_some();
        if let (false, Some(message)) = (is_writing, window.studio().message()) {
            return message.to_owned();
        }
        sleep(Duration::from_millis(20));
    }
    panic!("it is still being written");
}

#[test]
fn frames_are_exported_as_the_command_line_does() {
    let mut window = Window::with(ROPE);
    window.press(Modifiers::COMMAND, Key::E);
    name(&mut window, "rope.csv");
    window.harness.get_by_role_and_label(Role::Button, "Export").click();
    let message = wait(&mut window);
    assert!(message.starts_with("Exported to"), "{message}");
    let rows = fs::read_to_string(window.path("rope.csv")).unwrap();
    // A header, and 48 frames of 49 points.
    assert_eq!(rows.lines().filter(|line| !line.starts_with('#')).count(), 1 + 48 * 49);
}

/// The button that writes the file.
fn button<'l>(window: &'l Window, label: &'l str) -> Node<'l> {
    in_dialog(window, Role::Button, label)
}

/// A widget of the dialog, which comes after all others.
fn in_dialog<'l>(window: &'l Window, role: Role, label: &'l str) -> Node<'l> {
    window.harness.get_all_by_role_and_label(role, label).last().expect("the dialog is open")
}

#[test]
fn an_unknown_ending_cannot_be_rendered() {
    let mut window = Window::with(ROPE);
    window.press(Modifiers::NONE, Key::F12);
    assert!(!button(&window, "Render").accesskit_node().is_disabled());
    name(&mut window, "rope.avi");
    window.get("The name must end in .mp4, .gif, .####.png, .png.");
    assert!(button(&window, "Render").accesskit_node().is_disabled());
    name(&mut window, "rope.gif");
    assert!(!button(&window, "Render").accesskit_node().is_disabled());
}

#[test]
fn an_existing_file_is_replaced_only_when_asked() {
    let mut window = Window::with(ROPE);
    fs::write(window.path("rope.csv"), "mine").unwrap();
    window.press(Modifiers::COMMAND, Key::E);
    name(&mut window, "rope.csv");
    assert!(button(&window, "Export").accesskit_node().is_disabled());
    window.click("This file exists: replace it");
    assert_eq!(fs::read_to_string(window.path("rope.csv")).unwrap(), "mine");
    button(&window, "Export").click();
    let message = wait(&mut window);
    assert!(message.starts_with("Exported to"), "{message}");
    assert!(fs::read_to_string(window.path("rope.csv")).unwrap().lines().count() > 48);
}

#[test]
fn one_picture_is_the_frame_that_is_shown() {
    let mut window = Window::with(ROPE);
    window.harness.state_mut().workspace.frame = 24.0;
    window.press(Modifiers::NONE, Key::F12);
    name(&mut window, "rope.png");
    let frame = in_dialog(&window, Role::SpinButton, "Frame");
    assert_eq!(frame.accesskit_node().numeric_value(), Some(24.0));
}

#[test]
fn escape_closes_the_dialog_and_keeps_the_selection() {
    let mut window = Window::with(ROPE);
    window.select("rein");
    window.press(Modifiers::NONE, Key::F12);
    let dialogs = |window: &Window| window.harness.query_all_by_label("Format").count();
    assert!(dialogs(&window) > 0);
    window.press(Modifiers::NONE, Key::Escape);
    assert_eq!(dialogs(&window), 0);
    assert_eq!(window.studio().workspace.active().map(|one| &*one.name), Some("rein"));
}
