//! Pictures, movies and exports from the window.

use std::{fs, thread::sleep, time::Duration};

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

use crate::harness::{ROPE, Window};

/// Types a place into the dialog, which is open.
fn name(window: &mut Window, place: &str) {
    window.harness.get_by_role_and_label(egui::accesskit::Role::TextInput, "File").focus();
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
    window.harness.get_by_role_and_label(egui::accesskit::Role::Button, "Export").click();
    let message = wait(&mut window);
    assert!(message.starts_with("Exported to"), "{message}");
    let rows = fs::read_to_string(window.path("rope.csv")).unwrap();
    // A header, and 48 frames of 49 points.
    assert_eq!(rows.lines().filter(|line| !line.starts_with('#')).count(), 1 + 48 * 49);
}

#[test]
fn an_unknown_ending_is_an_error_and_the_window_stays_alive() {
    let mut window = Window::with(ROPE);
    window.press(Modifiers::NONE, Key::F12);
    name(&mut window, "rope.avi");
    window.harness.get_by_role_and_label(egui::accesskit::Role::Button, "Render").click();
    let message = wait(&mut window);
    assert!(message.contains(".mp4, .gif or .png"), "{message}");
    assert!(!window.path("rope.avi").exists());
}

#[test]
fn an_existing_file_is_not_replaced_unasked() {
    let mut window = Window::with(ROPE);
    fs::write(window.path("rope.csv"), "mine").unwrap();
    window.press(Modifiers::COMMAND, Key::E);
    name(&mut window, "rope.csv");
    window.harness.get_by_role_and_label(egui::accesskit::Role::Button, "Export").click();
    let message = wait(&mut window);
    assert!(message.contains("already exists"), "{message}");
    assert_eq!(fs::read_to_string(window.path("rope.csv")).unwrap(), "mine");
}
