//! A document that another program changed while it is open.

use std::fs;

use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::Queryable;

use crate::harness::{ROPE, Window};

const CTRL: Modifiers = Modifiers::COMMAND;

fn theirs() -> String {
    ROPE.replace("length = 4", "length = 4.5 # theirs")
}

/// A window with a change of its own, or none, whose file another program changed.
fn changed(own: bool) -> Window {
    let mut window = Window::with(ROPE);
    if own {
        window.select("rein");
        window.press(CTRL, Key::D);
    }
    fs::write(window.path("shot.lariat"), theirs()).unwrap();
    window
}

fn focus(window: &mut Window) {
    window.harness.event(Event::WindowFocused(true));
    window.run();
}

fn file(window: &Window, name: &str) -> String {
    fs::read_to_string(window.path(name)).unwrap()
}

fn is_modified(window: &Window) -> bool {
    window.studio().session().unwrap().editor.is_modified()
}

#[test]
fn loading_again_can_be_undone() {
    for own in [false, true] {
        let mut window = changed(own);
        let mine = window.text();
        focus(&mut window);
        window.click("Load it again");
        assert_eq!(window.text(), theirs());
        assert!(!is_modified(&window));
        window.press(CTRL, Key::Z);
        assert_eq!(window.text().replace(" # theirs", ""), mine, "mine is back");
        assert!(is_modified(&window));
        // It was loaded: nothing is asked again.
        window.press(CTRL, Key::S);
        assert_eq!(file(&window, "shot.lariat"), window.text());
    }
}

#[test]
fn keeping_mine_sets_the_other_version_aside_when_it_is_saved() {
    for saves in [false, true] {
        let mut window = changed(true);
        let mine = window.text();
        match saves {
            true => window.press(CTRL, Key::S),
            false => focus(&mut window),
        }
        assert_eq!(file(&window, "shot.lariat"), theirs(), "nothing is written unasked");
        window.click("Keep mine");
        assert_eq!(window.text(), mine);
        if !saves {
            assert!(is_modified(&window), "mine is not on the disk");
            focus(&mut window);
            assert!(window.harness.query_by_label("Keep mine").is_none(), "it is asked once");
            window.press(CTRL, Key::S);
        }
        assert_eq!(file(&window, "shot.lariat"), mine);
        assert_eq!(file(&window, "shot.other.lariat"), theirs());
        let message = window.studio().message().unwrap();
        assert!(message.contains("shot.other.lariat"), "{message}");
        assert!(!is_modified(&window));
        // A second save has nothing to set aside.
        window.press(CTRL, Key::D);
        window.press(CTRL, Key::S);
        assert!(!window.path("shot.other-2.lariat").exists());
    }
}

#[test]
fn saving_under_another_name_leaves_the_file_to_the_other_program() {
    let mut window = changed(true);
    window.press(CTRL, Key::S);
    window.click("Save as…");
    let name = window.path("mine.lariat").to_str().unwrap().to_owned();
    window.press(CTRL, Key::A);
    window.type_text(&name);
    window.press(Modifiers::NONE, Key::Enter);
    assert_eq!(file(&window, "shot.lariat"), theirs());
    assert_eq!(file(&window, "mine.lariat"), window.text());
}

#[test]
fn a_file_that_became_unreadable_leaves_the_document_as_it_is() {
    for bytes in [&b"lariat = ["[..], &[0xff, 0xfe, 0], b"lariat = 99\n"] {
        let mut window = changed(true);
        let mine = window.text();
        fs::write(window.path("shot.lariat"), bytes).unwrap();
        focus(&mut window);
        window.click("Load it again");
        let message = window.studio().message().unwrap().to_owned();
        assert!(message.contains("your document stays as it is"), "{message}");
        assert_eq!(window.text(), mine);
        // Saving asks again, and keeps even these bytes.
        window.press(CTRL, Key::S);
        window.click("Keep mine");
        assert_eq!(fs::read(window.path("shot.other.lariat")).unwrap(), bytes);
        assert_eq!(file(&window, "shot.lariat"), mine);
    }
}

#[test]
fn a_file_that_was_only_touched_is_not_asked_about() {
    let mut window = Window::with(ROPE);
    fs::write(window.path("shot.lariat"), ROPE).unwrap();
    focus(&mut window);
    assert!(window.harness.query_by_label("Load it again").is_none());
    fs::remove_file(window.path("shot.lariat")).unwrap();
    focus(&mut window);
    window.press(CTRL, Key::S);
    assert_eq!(file(&window, "shot.lariat"), ROPE, "a file that is gone is written again");
}

#[test]
fn keeping_mine_has_nothing_to_set_aside_if_the_file_is_gone() {
    let mut window = changed(true);
    focus(&mut window);
    window.click("Keep mine");
    fs::remove_file(window.path("shot.lariat")).unwrap();
    window.press(CTRL, Key::S);
    assert_eq!(file(&window, "shot.lariat"), window.text());
    assert!(!window.path("shot.other.lariat").exists());
}

#[test]
fn the_document_is_left_after_all_questions_about_saving_it() {
    for keeps in [true, false] {
        let mut window = changed(true);
        let mine = window.text();
        window.press(CTRL, Key::N);
        window.click("Save");
        let name = match keeps {
            true => "shot.lariat",
            false => "mine.lariat",
        };
        if keeps {
            window.click("Keep mine");
        } else {
            window.click("Save as…");
            // A name that is taken asks once more.
            for name in ["shot.lariat", name] {
                window.press(CTRL, Key::A);
                let place = window.path(name).to_str().unwrap().to_owned();
                window.type_text(&place);
                window.press(Modifiers::NONE, Key::Enter);
                if window.harness.query_by_label("Not now").is_some() {
                    window.click("Save as…");
                }
            }
        }
        assert_eq!(file(&window, name), mine);
        assert!(window.harness.query_by_label("Stay").is_none());
        assert!(!window.text().contains("rein"), "the new document is open");
    }
}
