//! Tasks of a first-time user, with nothing but the screen, each in as many actions as it may take: a
//! click, a drag, or a typed value.
//!
//! Attaching, letting fall and other models: `things.rs`. Keys of several channels: `timeline.rs`.
//! Undoing, and finding problems: `history.rs`.

use std::{thread::sleep, time::Duration};

use egui::{Key, Modifiers, Pos2, accesskit::Role, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use lariat_scene::{Path, Value};
use lariat_studio::Opening;

use crate::harness::{ROPE, Window, place};

/// A window, and the number of actions in it.
struct Person {
    window: Window,
    actions: usize,
}

impl Person {
    fn at(window: Window) -> Self {
        Self { window, actions: 0 }
    }

    fn click(&mut self, role: Role, label: &str) {
        self.actions += 1;
        let found = self.window.harness.get_all_by_role_and_label(role, label);
        // Dialogs come after the panels behind them.
        found.last().expect("a widget with this label").click();
        self.steps(3);
    }

    fn right_click(&mut self, label: &str) {
        self.actions += 1;
        let at = self.window.harness.get_all_by_label(label).next().expect(label).rect().center();
        let button = |pressed| egui::Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Secondary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.window.harness.hover_at(at);
        self.steps(1);
        self.window.harness.event(button(true));
        self.window.harness.event(button(false));
        self.steps(3);
    }

    fn drag(&mut self, from: Pos2, to: Pos2) {
        self.actions += 1;
        self.window.drag_part(from, to);
        self.window.harness.drop_at(to);
        self.steps(3);
    }

    fn type_number(&mut self, label: &str, digits: &str) {
        self.actions += 1;
        let found = self.window.harness.get_all_by_role_and_label(Role::SpinButton, label);
        found.last().expect("a field with this label").click();
        self.steps(3);
        self.window.harness.event(egui::Event::Text(digits.to_owned()));
        self.steps(1);
        self.window.harness.key_press_modifiers(Modifiers::NONE, Key::Enter);
        self.steps(3);
    }

    /// The window never rests while it plays.
    fn steps(&mut self, count: usize) {
        self.window.harness.run_steps(count);
    }

    fn field(&self, label: &str) -> Pos2 {
        self.window.harness.get_by_role_and_label(Role::SpinButton, label).rect().center()
    }

    fn value(&self, path: &str) -> Value {
        let editor = &self.window.studio().session().expect("a document is open").editor;
        let path: Path = path.parse().unwrap();
        editor.value_at(&path, self.window.studio().workspace.frame).unwrap()
    }
}

#[test]
fn hang_a_rope_and_give_it_more_slack_by_pulling_its_middle_down() {
    let folder = tempfile::tempdir().unwrap();
    let mut person = Person::at(Window::open_in(folder, |_| Opening::Empty));
    let view = person.window.get("View of the scene").rect().center();
    person.click(Role::Button, "Hang a rope");
    person.drag(view + vec2(-160.0, -60.0), view + vec2(160.0, -60.0));
    let before = person.value("body.rope.length").number().unwrap();
    let session = person.window.studio().session().unwrap();
    let spine = session.shown().unwrap().bodies[0].spine().to_vec();
    let middle = person.window.project(spine[spine.len() / 2]);
    person.drag(middle, middle + vec2(0.0, 60.0));
    let after = person.value("body.rope.length").number().unwrap();
    assert!(after > 1.1 * before, "{before} m and {after} m");
    assert!(person.actions <= 4, "{} actions", person.actions);
}

#[test]
fn make_a_rope_swing_and_ring_down_with_two_knots() {
    let still = ROPE.replace("swing = { keys = [[1, 0], [24, 35]] }\n", "");
    let mut person = Person::at(Window::with(&still));
    person.window.select("rein");
    person.right_click("Swing");
    person.click(Role::Button, "Make it wiggle");
    person.type_number("Frame", "12");
    let swing = person.field("Swing");
    person.drag(swing, swing + vec2(40.0, 0.0));
    assert!(person.actions <= 6, "{} actions", person.actions);
    let text = person.window.text();
    assert_eq!(text.matches("wiggle = [[1, 0], [12, ").count(), 1, "{text}");
    let path: Path = "body.rein.swing".parse().unwrap();
    let editor = &person.window.studio().session().unwrap().editor;
    let at = |frame: f64| editor.value_at(&path, frame).unwrap().number().unwrap();
    // One swing of a second, after which half is left.
    let peak = at(12.0).abs();
    assert!(peak > 5.0, "{text}");
    let later = (36..=60).map(|frame| at(f64::from(frame)).abs()).fold(0.0, f64::max);
    assert!(later > 0.1 * peak && later < 0.8 * peak, "{peak} and {later}");
}

#[test]
fn raise_how_bouncy_a_wiggle_is_while_it_plays() {
    let text =
        ROPE.replace("{ keys = [[1, 0], [24, 35]] }", "{ wiggle = [[1, 0], [8, 35]], hertz = 2 }");
    let mut person = Person::at(Window::with(&text));
    person.window.select("rein");
    person.click(Role::Button, "Play");
    let bouncy = person.field("Bouncy");
    let before = person.window.studio().workspace.frame;
    person.drag(bouncy, bouncy + vec2(60.0, 0.0));
    assert_ne!(person.window.studio().workspace.frame, before, "it plays during the drag");
    let now = person.window.text();
    let swings = now.split("bouncy = ").nth(1).or_else(|| now.split("swings = ").nth(1));
    let swings = swings.unwrap_or_else(|| panic!("{now}")).split([' ', '}', ',']).next().unwrap();
    assert!(swings.parse::<f64>().unwrap() > 1.5, "{now}");
    assert!(person.actions <= 2, "{} actions", person.actions);
    assert_eq!(person.window.changes(), 1);
}

#[test]
fn render_a_range_of_frames_to_a_movie() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("shot.lariat"), ROPE.replace("[1, 48]", "[1, 120]")).unwrap();
    let mut person = Person::at(Window::open_in(folder, |folder| {
        Opening::Document(place(folder, "shot.lariat"))
    }));
    person.click(Role::Button, "Render");
    person.type_number("to", "8");
    person.click(Role::Button, "Render");
    assert!(person.actions <= 3, "{} actions", person.actions);
    let movie = person.window.path("shot.mp4");
    for _ in 0..600 {
        person.steps(1);
        if movie.exists() {
            break;
        }
        sleep(Duration::from_millis(100));
    }
    let bytes = std::fs::read(&movie).unwrap();
    // The table of sample sizes of an .mp4: 8 pictures.
    let table = bytes.windows(4).position(|kind| kind == b"stsz").expect("a movie");
    assert_eq!(bytes[table + 12..table + 16], 8_u32.to_be_bytes());
    let button = person.window.harness.get_all_by_role_and_label(Role::Button, "Render").next();
    assert!(!button.unwrap().accesskit_node().is_disabled(), "the next one can be rendered");
}
