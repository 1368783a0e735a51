//! Simulated bodies that are pulled in the view while time goes on.

use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable;

use crate::hands::middle;
use crate::harness::Window;

const ROPE: &str = "lariat = 2\n\n[shot]\nframes = [1, 60]\n\n[[body]]\nname = \"rope\"\n\
                    model = \"suspended-rope\"\nfrom = [0, 0, 2] # the hook\nto = [3, 0, 2]\n\
                    length = 4\nswing = { keys = [[1, 20], [4, 0]] }\n\
                    dynamics = \"spline-rope\"\n";

/// A window at frame 12 of a simulated rope, whose recording has arrived.
fn window() -> Window {
    let mut window = Window::with(ROPE);
    window.harness.state_mut().workspace.frame = 12.0;
    for _ in 0..200 {
        window.run();
        let session = window.studio().session().unwrap();
        if session.waiting().is_empty() && session.editor.scene().simulation(0).unwrap().to > 59.0 {
            return window;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("the simulation does not arrive");
}

/// Holds the middle of the rope for a number of passes, some points up from where it hangs.
fn hold(window: &mut Window, passes: usize) -> Pos2 {
    let at = middle(window);
    let to = at - vec2(0.0, 50.0);
    window.drag_part(at, to);
    for _ in 0..passes {
        window.harness.step();
    }
    to
}

fn take(window: &Window) -> Vec<u8> {
    window.studio().session().unwrap().editor.scene().take_bytes(0, 0)
}

#[test]
fn a_live_pull_is_kept_as_a_pin() {
    let mut window = window();
    let (recorded, before) = (take(&window), middle(&window));
    let to = hold(&mut window, 20);
    assert_eq!(window.text(), ROPE, "a pull does not change the document");
    window.harness.drop_at(to);
    window.run();
    assert!(take(&window) == recorded);
    assert_eq!(middle(&window), before, "the recorded motion is shown again");
    window.click("Keep as pin");
    let editor = &window.studio().session().unwrap().editor;
    assert_eq!((editor.history().done().len(), editor.undo_name()), (1, Some("Keep pull as pin")));
    let keys = |field: &str| {
        let path = format!("body.rope.dynamics.pins[0].{field}.keys").parse().unwrap();
        editor.document().get(&path).and_then(|keys| keys.list()).map_or(0, <[_]>::len)
    };
    assert!(keys("to") >= 2 && keys("on") == 3, "{}", window.text());
    assert!(window.harness.query_by_label("Keep as pin").is_none());
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.text(), ROPE);
}

#[test]
fn a_live_pull_follows_the_pointer_and_is_dropped_by_escape_or_a_click() {
    let mut window = window();
    let to = hold(&mut window, 40);
    // The point hangs near the pointer: the spring of a rope of 4 m gives a centimetre for its weight.
    let (shown, held) = window.studio().pulled().expect("a pull");
    let (at, frame) = (window.project(held), shown);
    assert!(at.distance(to) < 12.0, "{at} for {to}");
    // 40 passes and the drag, at 30 a second.
    assert!((frame - 12.0 - 46.0 * 24.0 / 30.0).abs() < 4.0, "{frame}");
    window.harness.key_press(Key::Escape);
    window.harness.step();
    window.harness.drop_at(to);
    window.run();
    assert!(
        window.harness.query_by_label("Keep as pin").is_none(),
        "a cancelled pull is not offered"
    );
    for escapes in [true, false] {
        let to = hold(&mut window, 6);
        window.harness.drop_at(to);
        window.run();
        assert!(window.harness.query_by_label("Keep as pin").is_some());
        match escapes {
            true => window.press(Modifiers::NONE, Key::Escape),
            false => window.click("Graph"),
        }
        assert!(window.harness.query_by_label("Keep as pin").is_none(), "{escapes}");
    }
    assert_eq!((window.text(), window.changes()), (ROPE.to_owned(), 0));
}

#[test]
fn playback_stops_when_a_pull_begins() {
    let mut window = window();
    window.press(Modifiers::NONE, Key::Space);
    window.harness.run_steps(3);
    assert!(window.studio().is_playing());
    let to = hold(&mut window, 3);
    assert!(!window.studio().is_playing() && window.studio().pulled().is_some());
    window.harness.drop_at(to);
}
