//! Opening, changing, saving, leaving and recovering documents.

use std::fs;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use lariat_studio::Opening;

use crate::harness::{ROPE, Window, place};

const CTRL: Modifiers = Modifiers::COMMAND;

/// Renames the selected body with the keyboard and the list of things.
fn duplicate(window: &mut Window) {
    window.select("rein");
    window.press(CTRL, Key::D);
}

#[test]
fn a_change_is_undone_to_the_same_bytes_and_redone() {
    let mut window = Window::with(ROPE);
    assert_eq!(window.text(), ROPE);
    duplicate(&mut window);
    let changed = window.text();
    assert!(changed.contains("rein-2"), "{changed}");
    assert_eq!(window.changes(), 1);
    window.press(CTRL, Key::Z);
    assert_eq!(window.text(), ROPE);
    window.press(CTRL.plus(Modifiers::SHIFT), Key::Z);
    assert_eq!(window.text(), changed);
}

#[test]
fn a_saved_document_opens_as_it_was() {
    let mut window = Window::with(ROPE);
    duplicate(&mut window);
    let text = window.text();
    window.press(CTRL, Key::S);
    assert!(window.studio().message().is_some_and(|message| message.starts_with("Saved")));
    assert_eq!(fs::read_to_string(window.path("shot.lariat")).unwrap(), text);
    // The comment of the file is kept.
    assert!(text.contains("# the hook"));
    let folder = window.kill();
    let again = Window::open_in(folder, |folder| Opening::Document(place(folder, "shot.lariat")));
    assert_eq!(again.text(), text);
}

#[test]
fn a_full_disk_loses_nothing() {
    let mut window = Window::with(ROPE);
    duplicate(&mut window);
    let text = window.text();
    // A folder in place of the file cannot be written to.
    fs::remove_file(window.path("shot.lariat")).unwrap();
    fs::create_dir(window.path("shot.lariat")).unwrap();
    window.press(CTRL, Key::S);
    let message = window.studio().message().unwrap().to_owned();
    assert!(message.contains("nothing is lost"), "{message}");
    assert_eq!(window.text(), text);
    assert!(window.studio().session().unwrap().editor.is_modified());
}

#[test]
fn unsaved_changes_are_asked_about() {
    let mut window = Window::with(ROPE);
    duplicate(&mut window);
    let changed = window.text();
    window.press(CTRL, Key::N);
    assert_eq!(window.text(), changed, "it was left without a question");
    window.click("Stay");
    assert_eq!(window.text(), changed);
    window.press(CTRL, Key::N);
    window.click("Leave without saving");
    assert!(!window.text().contains("rein"), "{}", window.text());
    assert_eq!(fs::read_to_string(window.path("shot.lariat")).unwrap(), ROPE);
}

#[test]
fn a_killed_program_offers_its_changes() {
    for kill in 1..=4 {
        let mut window = Window::with(ROPE);
        for _ in 0..kill {
            duplicate(&mut window);
        }
        let text = window.text();
        let folder = window.kill();
        let mut again = Window::open_in(folder, |_| Opening::Welcome);
        again.click("Recover");
        assert_eq!(again.text(), text);
        assert_eq!(again.changes(), kill);
        for _ in 0..kill {
            again.press(CTRL, Key::Z);
        }
        assert_eq!(again.text(), ROPE);
    }
}

#[test]
fn a_document_that_was_only_looked_at_leaves_no_journal() {
    let mut window = Window::with(ROPE);
    window.select("rein");
    let again = Window::open_in(window.kill(), |_| Opening::Welcome);
    assert!(again.harness.query_by_label("Recover").is_none());
}

#[test]
fn a_broken_file_is_refused_and_the_window_stays_alive() {
    for text in ["lariat = [", "\u{0}", "lariat = 99\n"] {
        let mut window = Window::with(text);
        assert!(window.studio().session().is_none());
        let message = window.studio().message().unwrap().to_owned();
        assert!(message.contains("shot.lariat"), "{message}");
        window.press(CTRL, Key::N);
        assert!(window.studio().session().is_some());
    }
}

#[test]
fn the_palette_finds_and_runs_a_command() {
    let mut window = Window::with(ROPE);
    window.press(CTRL, Key::K);
    window.type_text("last fr");
    window.press(Modifiers::NONE, Key::Enter);
    assert_eq!(window.studio().workspace.frame, 48.0);
}

#[test]
fn playback_drops_frames_and_stops() {
    let mut window = Window::with(ROPE);
    window.press(Modifiers::NONE, Key::Space);
    assert!(window.studio().is_playing());
    window.harness.run_steps(20);
    assert!(window.studio().workspace.frame > 1.0);
    window.press(Modifiers::NONE, Key::Space);
    assert!(!window.studio().is_playing());
}

#[test]
fn a_window_at_rest_draws_nothing() {
    let mut window = Window::museum("barzel-02-suspended");
    // Three seconds: the arrangement is kept after two.
    window.harness.run_steps(90);
    let output = window.harness.output();
    let delays = output.viewport_output.values().map(|viewport| viewport.repaint_delay);
    let soonest = delays.min().unwrap();
    assert!(soonest >= std::time::Duration::from_hours(1), "{soonest:?}");
}
