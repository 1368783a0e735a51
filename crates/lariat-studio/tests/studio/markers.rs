//! Markers on the rulers of timeline and graph.

use egui::{Event, Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;
use lariat_studio::Panel;

use super::pointer::{KeysWindow, centre, double_click, drag, entries, grab, press, text, window};

const TEXT: &str = "lariat = 2\n[shot]\nfps = 24\nframes = [1, 480]\n\
    markers = [{ frame = 100, name = \"snap\" }]\n\n[[body]]\nname = \"rope\"\n\
    model = \"suspended-rope\"\nfrom = [0, 0, 2]\nto = [3, 0, 2]\n\
    length = { keys = [[1, 4], [40, 5], [400, 4]] }\n";

fn go_to(window: &mut KeysWindow, frame: f64) {
    window.state_mut().workspace.frame = frame;
    window.run_steps(2);
}

/// Moves the pointer off everything that has a hover.
fn leave(window: &mut KeysWindow) {
    window.event(Event::PointerGone);
    window.run_steps(2);
}

#[test]
fn m_sets_a_marker_and_again_names_and_removes_it() {
    let mut window = window(
        &TEXT.replace("markers = [{ frame = 100, name = \"snap\" }]\n", ""),
        Panel::Timeline,
    );
    let before = text(&window);
    go_to(&mut window, 30.0);
    press(&mut window, Modifiers::NONE, Key::M);
    assert!(text(&window).contains("markers = [{ frame = 30 }]"), "{}", text(&window));
    press(&mut window, Modifiers::NONE, Key::M);
    window.event(Event::Text("hit".to_owned()));
    window.run_steps(2);
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert!(text(&window).contains("{ name = \"hit\", frame = 30 }"), "{}", text(&window));
    let at = centre(&window, "Marker hit at frame 30");
    double_click(&mut window, at);
    window.get_by_label("Remove").click();
    window.run_steps(3);
    assert_eq!(text(&window), before);
    assert_eq!(entries(&window), ["Set marker", "Name marker", "Remove marker"]);
    for _ in 0..3 {
        press(&mut window, Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(text(&window), before);
}

#[test]
fn a_marker_is_dragged_on_both_rulers_as_one_entry() {
    for panel in [Panel::Timeline, Panel::Graph] {
        let mut window = window(TEXT, panel);
        let label = |frame: i64| format!("Marker snap at frame {frame}");
        let left = |window: &KeysWindow, frame: i64| {
            let rect = window.get_by_label(&label(frame)).rect();
            egui::pos2(rect.left() + 8.0, rect.center().y)
        };
        let per_frame = (window.get_by_label("Last frame of the shot").rect().left()
            - window.get_by_label("First frame of the shot").rect().right())
            / 479.0;
        let from = left(&window, 100);
        drag(&mut window, from, vec2(per_frame * 120.0, 0.0));
        assert_eq!(entries(&window), ["Move marker"]);
        assert!(text(&window).contains("{ frame = 220, name = \"snap\" }"), "{}", text(&window));
        let now = left(&window, 220);
        assert!((now.x - from.x - per_frame * 120.0).abs() < 1.0, "it is drawn where it is");
        // Escape takes a drag back.
        grab(&mut window, now, vec2(-80.0, 0.0));
        assert!(!text(&window).contains("220"));
        press(&mut window, Modifiers::NONE, Key::Escape);
        window.drop_at(now);
        window.run_steps(3);
        assert!(text(&window).contains("frame = 220"), "{}", text(&window));
        assert_eq!(entries(&window).len(), 1);
    }
}

#[test]
fn shift_and_arrows_jump_between_markers() {
    let text = TEXT.replace("\"snap\" }", "\"snap\" }, { frame = 300 }, { frame = 20 }");
    let mut window = window(&text, Panel::Timeline);
    let mut seen = Vec::new();
    for key in [Key::ArrowUp, Key::ArrowUp, Key::ArrowUp, Key::ArrowUp, Key::ArrowDown] {
        press(&mut window, Modifiers::SHIFT, key);
        seen.push(window.state().workspace.frame);
    }
    assert_eq!(seen, [20.0, 100.0, 300.0, 300.0, 100.0]);
}

#[test]
fn a_dragged_key_snaps_to_a_marker() {
    let mut window = window(TEXT, Panel::Timeline);
    leave(&mut window);
    let at = |window: &KeysWindow, key: usize| centre(window, &format!("Key {key} of rope.length"));
    let per_frame = (at(&window, 3).x - at(&window, 2).x) / 360.0;
    assert!(per_frame < 3.0, "a frame is too narrow to aim at");
    // Five points beside the marker.
    let by = vec2(60.0 * per_frame + 5.0, 0.0);
    let from = at(&window, 2);
    drag(&mut window, from, by);
    assert!(text(&window).contains("[100, 5]"), "{}", text(&window));
    // Not beyond the reach of the marker.
    press(&mut window, Modifiers::COMMAND, Key::Z);
    let from = at(&window, 2);
    drag(&mut window, from, vec2(60.0 * per_frame + 12.0, 0.0));
    assert!(!text(&window).contains("[100, 5]"), "{}", text(&window));
}
