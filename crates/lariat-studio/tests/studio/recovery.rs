//! Documents that a crash left behind, in the window and without it.

use std::{fs, process::Command};

use egui::{Key, Modifiers};
use lariat_studio::Opening;
use tempfile::TempDir;

use crate::harness::{ROPE, Window, place};

const CTRL: Modifiers = Modifiers::COMMAND;

/// A folder with a document that was changed and not saved.
fn crashed() -> (TempDir, String) {
    let mut window = Window::with(ROPE);
    window.select("rein");
    window.press(CTRL, Key::D);
    window.press(CTRL, Key::D);
    let text = window.text();
    (window.kill(), text)
}

fn recovered(folder: TempDir) -> Window {
    let mut window = Window::open_in(folder, |_| Opening::Welcome);
    window.click("Recover");
    window
}

#[test]
fn a_recovered_document_does_not_replace_what_another_program_wrote() {
    let (folder, mine) = crashed();
    let theirs = ROPE.replace("length = 4", "length = 4.5 # theirs");
    fs::write(folder.path().join("shot.lariat"), &theirs).unwrap();
    let mut window = recovered(folder);
    window.click("Keep mine");
    window.press(CTRL, Key::S);
    assert_eq!(fs::read_to_string(window.path("shot.lariat")).unwrap(), mine);
    assert_eq!(fs::read_to_string(window.path("shot.other.lariat")).unwrap(), theirs);
}

#[test]
fn a_recovered_document_whose_file_is_the_same_is_saved_without_a_question() {
    let (folder, mine) = crashed();
    let mut window = recovered(folder);
    window.press(CTRL, Key::S);
    assert_eq!(fs::read_to_string(window.path("shot.lariat")).unwrap(), mine);
    assert!(!window.path("shot.other.lariat").exists());
}

/// Names the place of the document after *Save as*.
fn save_as(window: &mut Window, name: &str) {
    window.press(CTRL | Modifiers::SHIFT, Key::S);
    window.press(CTRL, Key::A);
    let place = place(&window.folder, name);
    window.type_text(&place);
    window.press(Modifiers::NONE, Key::Enter);
}

#[test]
fn a_document_is_recovered_at_its_new_place() {
    let mut window = Window::with(ROPE);
    window.select("rein");
    window.press(CTRL, Key::D);
    save_as(&mut window, "second.lariat");
    window.press(CTRL, Key::D);
    let again = recovered(window.kill());
    let session = again.studio().session().unwrap();
    assert_eq!(session.place, Some(place(&again.folder, "second.lariat")));
}

fn errors(window: &Window) -> Vec<String> {
    let editor = &window.studio().session().unwrap().editor;
    editor
        .diagnostics()
        .iter()
        .filter(|one| one.is_error())
        .map(|one| one.message.clone())
        .collect()
}

#[test]
fn files_of_a_recovered_document_are_beside_it() {
    let text = lariat_museum::find("kass-08-mode").unwrap().text;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("shot.lariat"), text).unwrap();
    for (name, bytes) in lariat_museum::FILES {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let open = |folder: &TempDir| Opening::Document(place(folder, "shot.lariat"));
    for opening in [open(&folder), Opening::Document("museum:kass-08-mode".to_owned())] {
        let own = tempfile::tempdir().unwrap();
        let mut window = Window::open_in(own, |_| opening);
        window.select("aside");
        window.press(CTRL, Key::D);
        let before = errors(&window);
        let text = window.text();
        let again = recovered(window.kill());
        assert_eq!((errors(&again), again.text()), (before, text));
    }
}

#[test]
fn without_a_window_every_document_is_saved_and_every_failure_is_reported() {
    let all = tempfile::tempdir().unwrap();
    let journals = all.path().join("lariat/journals");
    fs::create_dir_all(&journals).unwrap();
    let mut longest = String::new();
    // Three documents of one name; a change of the last one was cut off.
    for cut in [0, 0, 1] {
        let (folder, text) = crashed();
        for entry in fs::read_dir(folder.path().join("state/journals")).unwrap().flatten() {
            let bytes = fs::read(entry.path()).unwrap();
            fs::write(journals.join(entry.file_name()), &bytes[..bytes.len() - cut]).unwrap();
        }
        longest = text;
    }
    fs::write(journals.join("broken-0.lariat-journal"), "no journal").unwrap();
    let recover = || {
        Command::new(env!("CARGO_BIN_EXE_lariat-studio"))
            .args(["--recover", "saved/here"])
            .current_dir(all.path())
            .env("XDG_STATE_HOME", all.path())
            .output()
            .unwrap()
    };
    let output = recover();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("broken-0.lariat-journal"), "{errors}");
    assert!(errors.contains("the last change was cut off"), "{errors}");
    assert!(errors.contains("1 of 4 documents"), "{errors}");
    let names = ["shot.lariat", "shot-2.lariat", "shot-3.lariat"];
    let read = |name: &str| fs::read_to_string(all.path().join("saved/here").join(name)).unwrap();
    let saved = names.map(read);
    assert_eq!(saved.iter().filter(|text| **text == longest).count(), 2);
    let first = |text: &String| text.contains("rein-2") && !text.contains("rein-3");
    assert_eq!(saved.iter().filter(|text| first(text)).count(), 1);
    // Nothing is replaced, and without a failure all is well.
    fs::remove_file(journals.join("broken-0.lariat-journal")).unwrap();
    assert_eq!(recover().status.code(), Some(0));
    assert!(all.path().join("saved/here/shot-6.lariat").exists());
}

#[test]
fn a_journal_that_cannot_be_written_is_reported() {
    let mut window = Window::with(ROPE);
    window.select("rein");
    window.press(CTRL, Key::D);
    fs::remove_dir_all(window.path("state/journals")).unwrap();
    window.press(CTRL, Key::S);
    let message = window.studio().message().unwrap();
    assert!(message.contains("cannot be recovered after a crash"), "{message}");
}
