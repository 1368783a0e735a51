//! The dope sheet.

use egui::{Key, Modifiers, vec2};
use egui_kittest::{Harness, kittest::Queryable};
use lariat_studio::{Panel, Studio};

use super::pointer::{KeysWindow, centre, double_click, drag, entries, grab, press, text, window};

const TEXT: &str = "lariat = 2\n[shot]\nfps = 24\nframes = [1, 48]\n\n[[body]]\nname = \"rope\"\n\
    model = \"suspended-rope\"\nfrom = [0, 0, 2]\nto = [3, 0, 2]\n\
    length = { keys = [[1, 4], [12, 5]] }\n\
    sway = { keys = [[1, 0], [12, 20], [20, 5]] }\n\
    swing = { wiggle = [[1, 0], [12, 30]], hertz = 1.5 } # rings\n";

fn sheet() -> KeysWindow {
    window(TEXT, Panel::Timeline)
}

fn per_frame(window: &Harness<'_, Studio>) -> f32 {
    let at = |label| centre(window, label).x;
    (at("Key 3 of rope.sway") - at("Key 2 of rope.sway")) / 8.0
}

#[test]
fn moving_a_key_of_three_channels_takes_two_drags_and_is_one_entry() {
    let mut window = sheet();
    let by = 5.0 * per_frame(&window);
    let (first, last) =
        (centre(&window, "Key 2 of rope.length"), centre(&window, "Knot 2 of rope.swing"));
    let corner = first - vec2(20.0, 8.0);
    drag(&mut window, corner, last + vec2(20.0, 8.0) - corner);
    assert_eq!(window.state().workspace.keys.len(), 3);
    drag(&mut window, first, vec2(by, 3.0));
    assert_eq!(entries(&window), ["Move 3 keys"]);
    let now = text(&window);
    let moved = TEXT.replace("[12, ", "[17, ");
    assert_eq!(now, moved);
    assert_eq!(window.state().workspace.keys.len(), 3, "they stay selected");
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(text(&window), TEXT);
}

#[test]
fn a_key_that_lands_on_another_replaces_it_and_the_message_says_so() {
    let mut window = sheet();
    let from = centre(&window, "Key 2 of rope.sway");
    let by = vec2(8.0 * per_frame(&window), 0.0);
    grab(&mut window, from, by);
    let message = window.state().message().unwrap_or_default().to_owned();
    assert_eq!(message, "1 key by 8 frames; replaces 1 key on the same frame");
    window.drop_at(from + by);
    window.run_steps(3);
    assert!(text(&window).contains("sway = { keys = [[1, 0], [20, 20]] }"), "{}", text(&window));
    assert_eq!(window.state().message(), Some(&*message));
}

#[test]
fn escape_gives_the_keys_and_the_selection_back() {
    let mut window = sheet();
    window.get_by_label("Key 2 of rope.sway").click();
    window.run_steps(2);
    let selected = window.state().workspace.keys.clone();
    assert_eq!(selected.len(), 1);
    let from = centre(&window, "Key 2 of rope.sway");
    grab(&mut window, from, vec2(60.0, 0.0));
    assert_ne!(text(&window), TEXT);
    press(&mut window, Modifiers::NONE, Key::Escape);
    window.drop_at(from + vec2(80.0, 0.0));
    window.run_steps(3);
    assert_eq!(text(&window), TEXT);
    assert!(entries(&window).is_empty());
    assert_eq!(window.state().workspace.keys, selected);
}

#[test]
fn keys_are_copied_pasted_and_deleted() {
    let mut window = sheet();
    window.get_by_label("Key 2 of rope.sway").click();
    window.run_steps(2);
    window.event(egui::Event::Copy);
    window.run_steps(2);
    window.state_mut().workspace.frame = 30.0;
    window.event(egui::Event::Paste("keys".to_owned()));
    window.run_steps(2);
    assert!(text(&window).contains("[20, 5], [30, 20]]"), "{}", text(&window));
    press(&mut window, Modifiers::NONE, Key::Delete);
    assert_eq!(text(&window), TEXT);
    assert_eq!(entries(&window), ["Paste 1 key", "Delete 1 key"]);
}

#[test]
fn all_keys_of_a_lane_are_scaled_about_the_current_frame() {
    let mut window = sheet();
    let name = centre(&window, "Channel rope.sway");
    double_click(&mut window, name);
    assert_eq!(window.state().workspace.keys.len(), 3);
    window.state_mut().workspace.frame = 2.0;
    window.run_steps(2);
    let from = centre(&window, "Key 2 of rope.sway");
    let by = vec2(10.0 * per_frame(&window), 0.0);
    window.event(egui::Event::ModifiersChanged(Modifiers::COMMAND));
    drag(&mut window, from, by);
    window.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    assert_eq!(entries(&window), ["Scale 3 keys"]);
    assert!(text(&window).contains("keys = [[0, 0], [22, 20], [38, 5]]"), "{}", text(&window));
}

#[test]
fn s_scales_keys_with_the_pointer_until_a_click() {
    let mut window = sheet();
    window.get_by_label("Key 3 of rope.sway").click();
    window.run_steps(2);
    let from = centre(&window, "Key 3 of rope.sway");
    let per_frame = per_frame(&window);
    press(&mut window, Modifiers::NONE, Key::S);
    // From frame 20 to 39 about frame 1 is twice as far.
    for part in 0..=4 {
        window.hover_at(from + vec2(19.0 * per_frame * part as f32 / 4.0, 0.0));
        window.run_steps(2);
    }
    assert!(entries(&window).is_empty(), "it follows the pointer");
    let to = from + vec2(19.0 * per_frame, 0.0);
    window.drag_at(to);
    window.step();
    window.drop_at(to);
    window.run_steps(3);
    assert_eq!(entries(&window), ["Scale 1 key"]);
    let keys = &window.state().workspace.keys;
    assert!(keys.len() == 1 && (keys[0].frame - 39.0).abs() < 0.1, "{keys:?}");
}

#[test]
fn undo_forgets_selected_keys_that_are_gone() {
    let mut window = sheet();
    window.get_by_label("Key 2 of rope.sway").click();
    window.run_steps(2);
    let from = centre(&window, "Key 2 of rope.sway");
    let by = vec2(3.0 * per_frame(&window), 0.0);
    drag(&mut window, from, by);
    assert_eq!(window.state().workspace.keys.len(), 1);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert!(window.state().workspace.keys.is_empty());
}

#[test]
fn the_wheel_above_the_ruler_zooms_at_the_pointer() {
    let mut window = sheet();
    let before = (per_frame(&window), centre(&window, "Key 2 of rope.sway").x);
    let ruler = centre(&window, "Frames of the shot");
    window.hover_at(egui::pos2(before.1, ruler.y));
    window.step();
    window.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, 1.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    window.run_steps(20);
    let after = (per_frame(&window), centre(&window, "Key 2 of rope.sway").x);
    assert!(after.0 > 1.1 * before.0, "{before:?} and {after:?}");
    assert!((after.1 - before.1).abs() < 1.0, "the frame under the pointer stays");
}

#[test]
fn the_last_frame_of_the_shot_is_dragged() {
    let mut window = sheet();
    let from = centre(&window, "Last frame of the shot");
    let by = vec2(-8.0 * per_frame(&window), 0.0);
    drag(&mut window, from, by);
    assert_eq!(entries(&window), ["Set last frame"]);
    assert!(text(&window).contains("frames = [1, 40]"), "{}", text(&window));
}
