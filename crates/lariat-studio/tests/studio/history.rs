//! The history, the list of problems, and first steps in an empty shot.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use lariat_studio::Opening;

use crate::harness::{ROPE, Window};

#[test]
fn ten_changes_are_undone_by_one_click_and_five_redone_by_another() {
    let mut window = Window::with(ROPE);
    let mut texts = vec![window.text()];
    window.select("rein");
    for _ in 0..12 {
        window.press(Modifiers::COMMAND, Key::D);
        texts.push(window.text());
    }
    assert_eq!(window.changes(), 12);
    // The second entry: ten of twelve are undone. The newest are in sight.
    let list = window.get("Duplicate rein-12").rect().center();
    window.harness.hover_at(list);
    window.harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 2000.0),
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
        source: egui::MouseWheelSource::Wheel,
    });
    window.run();
    window.click("Duplicate rein-2");
    assert_eq!(window.text(), texts[2]);
    assert_eq!(window.studio().message(), Some("Undone: 10 changes"));
    window.click("Duplicate rein-7");
    assert_eq!(window.text(), texts[7]);
    window.click("Opened");
    assert_eq!(window.text(), ROPE);
    assert_eq!(window.changes(), 0);
}

#[test]
fn a_problem_is_found_and_fixed_by_two_clicks() {
    // 2 m of rope do not span 3 m.
    let mut window = Window::with(&ROPE.replace("length = 4", "length = 2"));
    window.click("1 error");
    assert!(window.studio().workspace.active().is_none());
    window.click("Set length to 3.001");
    assert!(window.text().contains("length = 3.001"), "{}", window.text());
    assert!(window.harness.query_by_label("1 error").is_none());
}

#[test]
fn a_problem_leads_to_its_field() {
    let mut window = Window::with(&ROPE.replace("length = 4", "length = -4"));
    window.click("1 error");
    let links = window.harness.query_all_by_role(egui::accesskit::Role::Link);
    links.into_iter().next().expect("a problem with a field").click();
    window.run();
    assert_eq!(window.studio().workspace.active().map(|one| &*one.name), Some("rein"));
}

#[test]
fn an_empty_shot_shows_the_first_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::open_in(folder, |_| Opening::Empty);
    window.click("Hang a rope");
    assert!(window.harness.query_by_label("An empty shot").is_none(), "a rope is being placed");
    window.press(Modifiers::NONE, Key::Escape);
    window.get("An empty shot");
}
