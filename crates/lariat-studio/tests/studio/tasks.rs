//! Tasks of a first-time user, with nothing but the screen, and the number of actions that each takes:
//! clicks, drags, keys and typed values.
//!
//! Keys of several channels: `timeline.rs`. Undoing, and finding problems: `history.rs`.

use std::{
    thread::sleep,
    time::{Duration, Instant},
};

use egui::{Key, Modifiers, Pos2, accesskit::Role, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use glam::DVec3;
use lariat_scene::{Path, Value};
use lariat_studio::Opening;

use crate::harness::{ROPE, Window, place};

/// A box that goes 2 m to the right within 48 frames, beside a rope.
const BOX: &str = "
[[body]]
name = \"box\"
model = \"solid\"
position = { keys = [[1, [2, 0, 0.5]], [48, [4, 0, 0.5]]] }
";

/// A window, and the number of actions in it.
struct Person {
    window: Window,
    actions: usize,
}

impl Person {
    fn at(window: Window) -> Self {
        Self { window, actions: 0 }
    }

    /// In an empty shot.
    fn at_nothing() -> Self {
        Self::at(Window::open_in(tempfile::tempdir().unwrap(), |_| Opening::Empty))
    }

    /// In a shot with a rope that was hung by two clicks, before the task.
    fn at_hung_rope() -> Self {
        let mut person = Self::at_nothing();
        let middle = person.window.get("View of the scene").rect().center();
        person.press(Key::H);
        for by in [vec2(-200.0, -60.0), vec2(200.0, -60.0)] {
            person.drag(middle + by, middle + by);
        }
        person.actions = 0;
        person
    }

    fn click(&mut self, label: &str) {
        self.actions += 1;
        // Dialogs and menus come after the panels behind them.
        self.window.harness.get_all_by_label(label).last().expect(label).click();
        self.window.run();
    }

    fn click_button(&mut self, label: &str) {
        self.actions += 1;
        let found = self.window.harness.get_all_by_role_and_label(Role::Button, label);
        found.last().expect(label).click();
        self.window.run();
    }

    /// Opens a menu inside of a menu: the pointer rests on it.
    fn hover(&mut self, label: &str) {
        self.window.harness.get_by_role_and_label(Role::Button, label).hover();
        self.window.run();
    }

    fn right_click(&mut self, label: &str) {
        self.actions += 1;
        self.window.harness.get_all_by_label(label).next().expect(label).click_secondary();
        self.window.run();
    }

    fn press(&mut self, key: Key) {
        self.actions += 1;
        self.window.press(Modifiers::NONE, key);
    }

    fn drag(&mut self, from: Pos2, to: Pos2) {
        self.actions += 1;
        self.window.drag(from, to);
    }

    fn type_number(&mut self, label: &str, digits: &str) {
        self.actions += 1;
        let found = self.window.harness.get_all_by_role_and_label(Role::SpinButton, label);
        found.last().expect(label).click();
        self.window.run();
        self.window.press(Modifiers::COMMAND, Key::A);
        self.window.type_text(digits);
        self.window.press(Modifiers::NONE, Key::Enter);
    }

    fn field(&self, label: &str) -> Pos2 {
        self.window.harness.get_by_role_and_label(Role::SpinButton, label).rect().center()
    }

    fn value(&self, path: &str) -> Value {
        let editor = &self.window.studio().session().expect("a document is open").editor;
        let path: Path = path.parse().unwrap();
        editor.value_at(&path, self.window.studio().workspace.frame).unwrap()
    }

    fn spine(&self) -> Vec<DVec3> {
        let pose = self.window.studio().session().unwrap().shown().unwrap();
        pose.bodies[0].spine().to_vec()
    }

    fn end(&self) -> DVec3 {
        *self.spine().last().unwrap()
    }

    /// Waits for something that goes on in the background; it is not an action.
    fn wait(&mut self, what: &str, is_done: impl Fn(&Window) -> bool) {
        let start = Instant::now();
        while !is_done(&self.window) {
            let message = self.window.studio().message();
            assert!(start.elapsed() < Duration::from_mins(1), "{what}: {message:?}");
            sleep(Duration::from_millis(20));
            self.window.harness.step();
        }
    }

    /// Waits until the studio reports the rest of a body, and returns its frame.
    fn rest(&mut self, body: &str) -> f64 {
        self.wait("no rest", |window| {
            window.studio().message().is_some_and(|text| text.contains(body))
        });
        let message = self.window.studio().message().unwrap();
        let rest = message.strip_prefix(&format!("{body} comes to rest at frame "));
        rest.and_then(|frame| frame.parse().ok()).unwrap_or_else(|| panic!("{message}"))
    }
}

#[test]
fn hang_a_rope_and_give_it_more_slack_by_pulling_its_middle_down() {
    let mut person = Person::at_nothing();
    let view = person.window.get("View of the scene").rect().center();
    person.click_button("Hang a rope");
    person.drag(view + vec2(-160.0, -60.0), view + vec2(160.0, -60.0));
    let before = person.value("body.rope.length").number().unwrap();
    let spine = person.spine();
    let middle = person.window.project(spine[spine.len() / 2]);
    person.drag(middle, middle + vec2(0.0, 60.0));
    let after = person.value("body.rope.length").number().unwrap();
    assert!(after > 1.1 * before, "{before} m and {after} m");
    assert_eq!(person.actions, 3);
}

#[test]
fn make_a_rope_swing_and_ring_down_with_two_knots() {
    let still = ROPE.replace("swing = { keys = [[1, 0], [24, 35]] }\n", "");
    let mut person = Person::at(Window::with(&still));
    person.window.select("rein");
    person.right_click("Swing");
    person.click_button("Make it wiggle");
    person.type_number("Frame", "12");
    let swing = person.field("Swing");
    person.drag(swing, swing + vec2(40.0, 0.0));
    assert_eq!(person.actions, 4);
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
    person.click_button("Play");
    let bouncy = person.field("Bouncy");
    let before = person.window.studio().workspace.frame;
    person.drag(bouncy, bouncy + vec2(60.0, 0.0));
    assert_ne!(person.window.studio().workspace.frame, before, "it plays during the drag");
    let now = person.window.text();
    let swings = now.split("bouncy = ").nth(1).or_else(|| now.split("swings = ").nth(1));
    let swings = swings.unwrap_or_else(|| panic!("{now}")).split([' ', '}', ',']).next().unwrap();
    assert!(swings.parse::<f64>().unwrap() > 1.5, "{now}");
    assert_eq!(person.actions, 2);
    assert_eq!(person.window.changes(), 1);
}

#[test]
fn render_a_range_of_frames_to_a_movie() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("shot.lariat"), ROPE.replace("[1, 48]", "[1, 120]")).unwrap();
    let mut person = Person::at(Window::open_in(folder, |folder| {
        Opening::Document(place(folder, "shot.lariat"))
    }));
    person.click_button("Render");
    person.type_number("to", "8");
    person.click_button("Render");
    assert_eq!(person.actions, 3);
    let movie = person.window.path("shot.mp4");
    person.wait("no movie", |_| movie.exists());
    let bytes = std::fs::read(&movie).unwrap();
    // The table of sample sizes of an .mp4: 8 pictures.
    let table = bytes.windows(4).position(|kind| kind == b"stsz").expect("a movie");
    assert_eq!(bytes[table + 12..table + 16], 8_u32.to_be_bytes());
    let button = person.window.harness.get_all_by_role_and_label(Role::Button, "Render").next();
    assert!(!button.unwrap().accesskit_node().is_disabled(), "the next one can be rendered");
}

#[test]
fn a_rope_becomes_a_string_of_lights_with_another_look_in_three_clicks() {
    let mut person = Person::at_hung_rope();
    let before = person.spine();
    person.click("Model");
    person.click("String of lights");
    person.click("Look leather");
    let text = person.window.text();
    assert!(
        text.contains("model = \"string-of-lights\"") && text.contains("look = \"leather\""),
        "{text}"
    );
    let pose = person.window.studio().session().unwrap().shown().unwrap();
    assert!(pose.bodies[0].strands.len() > 4, "two wires and bulbs");
    let after = person.spine();
    let last = |spine: &[DVec3]| spine[spine.len() - 1];
    assert!(after[0].distance(before[0]) < 0.01 && last(&after).distance(last(&before)) < 0.01);
    assert_eq!(person.window.changes(), 3, "a rope, its model, its look");
    assert_eq!(person.actions, 3);
}

#[test]
fn the_menu_of_a_row_has_models_too() {
    let mut person = Person::at(Window::with(ROPE));
    // It also selects.
    person.right_click("rein");
    person.hover("Model");
    person.click("String of lights");
    person.click("Look rubber");
    assert_eq!((person.window.changes(), person.actions), (2, 3));
}

#[test]
fn an_end_is_dragged_to_a_moving_solid_and_follows_it() {
    let mut person = Person::at(Window::with(&format!("{ROPE}{BOX}")));
    person.click("rein");
    let at = person.window.get("End of rein").rect().center();
    let to = person.window.project(DVec3::new(2.0, 0.0, 0.5));
    person.drag(at, to);
    person.click("Attach to box");
    assert_eq!(person.actions, 3);
    let text = person.window.text();
    assert!(text.contains("to = { body = \"box\", offset = ["), "{text}");
    let first = person.end();
    // On the surface of a box of 40 cm.
    let off = (first - DVec3::new(2.0, 0.0, 0.5)).abs();
    assert!((off.max_element() - 0.2).abs() < 1e-3, "{first}");
    assert!(person.window.project(first).distance(to) < 2.0, "where it was dropped");
    person.press(Key::End);
    assert!(person.end().distance(first + DVec3::X * 2.0) < 1e-6, "{}", person.end());
}

#[test]
fn an_end_is_attached_by_its_menus() {
    for opens in ["Attach end", "End of rein"] {
        let mut person = Person::at(Window::with(&format!("{ROPE}{BOX}")));
        person.click("rein");
        // The menu of the row in the inspector, or of the dot.
        match opens {
            "Attach end" => person.click(opens),
            dot => person.right_click(dot),
        }
        person.click("box");
        let text = person.window.text();
        assert!(text.contains("to = { body = \"box\""), "{opens}: {text}");
        assert_eq!((person.window.changes(), person.actions), (1, 3));
    }
}

#[test]
fn the_default_rope_falls_and_its_rest_is_reported() {
    let mut person = Person::at_hung_rope();
    let before = person.spine();
    person.type_number("Frame", "40");
    person.click("Let it fall from frame 40");
    let held = person.spine();
    assert_eq!((held[0], held.last()), (before[0], before.last()), "it is held at this frame");
    person.press(Key::End);
    assert_eq!(person.actions, 3);
    assert_eq!(person.window.changes(), 2, "a rope, and its fall");
    let rest = person.rest("rope");
    assert!((50.0..120.0).contains(&rest), "{rest}");
    person.window.run();
    // The view shows it there: flat on the ground that was seen below it.
    let heights = |spine: &[DVec3]| {
        let z = || spine.iter().map(|point| point.z);
        (z().fold(f64::MAX, f64::min), z().fold(f64::MIN, f64::max))
    };
    let ((low, _), (lowest, highest)) = (heights(&before), heights(&person.spine()));
    assert!(highest - lowest < 0.1 && lowest < low, "{lowest} to {highest}, {low} before");
}

#[test]
fn one_end_is_let_go_by_its_menu_and_the_other_holds() {
    let mut person = Person::at_hung_rope();
    let before = person.spine();
    person.type_number("Frame", "40");
    person.right_click("End of rope");
    person.click("Let go from frame 40");
    assert_eq!(person.actions, 3);
    let text = person.window.text();
    assert!(text.contains("start = 40, hold-end = false }"), "{text}");
    person.press(Key::End);
    person.wait("not simulated", |window| window.studio().message().is_some());
    let (after, last) = (person.spine(), before.len() - 1);
    assert!(after[0].distance(before[0]) < 1e-6, "it is held there");
    assert!(after[after.len() - 1].z < before[last].z - 0.2, "the end fell");
}

#[test]
fn a_solid_falls_on_the_ground_with_one_click() {
    let text = "lariat = 2\n[shot]\nframes = [1, 60]\n[[body]]\nname = \"box\"\nmodel = \"solid\"\n\
                position = [0, 0, 0.7]\n";
    let mut person = Person::at(Window::with(text));
    person.click("box");
    person.click("Simulate from frame 1");
    assert_eq!(person.actions, 2);
    let text = person.window.text();
    assert!(text.contains("dynamics = { kind = \"rigid\", floor = 0 }"), "{text}");
    // Half a metre takes 0.32 s, 7.7 frames; it settles within some more.
    let rest = person.rest("box");
    assert!((9.0..13.0).contains(&rest), "{rest}");
}

/// The first pages of the guide, `docs/guide/studio.md`.
#[test]
fn lights_between_two_posts_sway_ring_down_and_are_taken_by_the_wind() {
    let folder = tempfile::tempdir().unwrap();
    let mut person = Person::at(Window::open_in(folder, |_| Opening::Empty));
    let view = person.window.get("View of the scene").rect().center();
    let feet = [vec2(-190.0, 60.0), vec2(170.0, 90.0)];
    let tops = feet.map(|foot| foot - vec2(0.0, 180.0));
    for (foot, top) in feet.into_iter().zip(tops) {
        person.click("Add");
        person.click("Cylinder");
        person.drag(view + foot, view + top);
    }
    // Posts lean in perspective; their tops are where they are seen.
    let session = person.window.studio().session().unwrap();
    let names = ["post", "post-2"];
    let tops = names.map(|name| {
        let value = |field: &str| {
            let path: Path = format!("body.{name}.{field}").parse().unwrap();
            session.editor.document().get(&path).cloned().unwrap()
        };
        let position = value("position");
        let at = |axis: usize| position.list().unwrap()[axis].number().unwrap();
        let half = 0.48 * value("height").number().unwrap();
        person.window.project(DVec3::new(at(0), at(1), at(2) + half))
    });
    person.click("Add");
    person.click("String of lights");
    person.drag(tops[0], tops[1]);
    person.right_click("Swing");
    person.click_button("Make it wiggle");
    for (frame, degrees) in [("16", "60"), ("40", "-20")] {
        person.type_number("Frame", frame);
        person.type_number("Swing", degrees);
    }
    person.type_number("Frame", "60");
    person.click("Simulate from frame 60");
    person.click("Simulation");
    person.type_number("Wind y", "6");
    assert_eq!(person.actions, 19);
    let text = person.window.text();
    for part in [
        "wiggle = [[1, 0], [16, 60], [40, -20]], hertz = 1",
        "dynamics = { kind = \"string\"",
        "start = 60",
        "wind = [0, 6, 0]",
    ] {
        assert!(text.contains(part), "`{part}` in {text}");
    }
    let session = person.window.studio().session().unwrap();
    assert!(
        !session.editor.diagnostics().iter().any(lariat_scene::check::Diagnostic::is_error),
        "{text}"
    );
    // The wind blows along y: the lights lean that way at the end, compared with still air.
    let lean = |person: &mut Person| {
        person.press(Key::Home);
        person.press(Key::End);
        person.wait("not simulated", |window| {
            window.studio().session().unwrap().waiting().is_empty()
        });
        person.window.run();
        let pose = person.window.studio().session().unwrap().shown().unwrap();
        let spine = pose.bodies[2].spine();
        spine[spine.len() / 2].y
    };
    let windy = lean(&mut person);
    person.type_number("Wind y", "0");
    let still = lean(&mut person);
    assert!(windy > still + 0.01, "{windy} m and {still} m");
}
