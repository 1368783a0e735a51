//! The graph editor.

use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;
use lariat_scene::Thing;
use lariat_studio::Panel;

use super::pointer::{centre, double_click, drag, entries, grab, press, text, value, window};

const SWING: &str = "body.aerial.swing";

#[test]
fn a_dragged_knot_is_one_entry_and_undo_restores_the_bytes() {
    let mut window = window("museum:kass-01-frequency", Panel::Graph);
    let before = text(&window);
    let from = centre(&window, "Knot 3 of aerial.swing");
    drag(&mut window, from, vec2(0.0, -30.0));
    assert_eq!(entries(&window), ["Move 1 key"]);
    assert!(value(&window, SWING, 90.0) > 21.0, "{}", value(&window, SWING, 90.0));
    let moved = centre(&window, "Knot 3 of aerial.swing");
    assert!(moved.distance(from + vec2(0.0, -30.0)) < 1.5, "{moved} follows the pointer");
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(text(&window), before);
    assert!(entries(&window).is_empty());
}

#[test]
fn a_knot_snaps_to_frames_and_shift_keeps_its_value() {
    let mut window = window("museum:kass-01-frequency", Panel::Graph);
    let (second, third) =
        (centre(&window, "Knot 2 of aerial.swing"), centre(&window, "Knot 3 of aerial.swing"));
    let per_frame = (third.x - second.x) / 58.0;
    window.event(egui::Event::ModifiersChanged(Modifiers::SHIFT));
    drag(&mut window, third, vec2(-10.3 * per_frame, 6.0));
    window.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    assert!(text(&window).contains("frame = 80, value = 20, slope = 40"), "{}", text(&window));
}

#[test]
fn escape_during_a_drag_leaves_no_trace() {
    let mut window = window("museum:kass-01-frequency", Panel::Graph);
    let before = text(&window);
    let from = centre(&window, "Knot 2 of aerial.swing");
    grab(&mut window, from, vec2(40.0, 30.0));
    assert_ne!(text(&window), before, "the drag shows its result");
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(text(&window), before);
    window.hover_at(from + vec2(60.0, 40.0));
    window.run_steps(2);
    assert_eq!(window.state().message(), None, "the drag is over");
    let keys = &window.state().workspace.keys;
    assert!(keys.len() == 1 && keys[0].frame == 32.0, "{keys:?}");
    window.drop_at(from + vec2(60.0, 40.0));
    window.run_steps(2);
    assert_eq!(text(&window), before);
    assert!(entries(&window).is_empty());
    assert_eq!(window.state().message(), None);
    assert_eq!(centre(&window, "Knot 2 of aerial.swing"), from);
}

#[test]
fn a_wiggle_changes_while_its_knot_is_dragged() {
    let mut window = window("museum:kass-02-equilibrium", Panel::Graph);
    window.state_mut().workspace.select(Thing::Body, "edited", false);
    window.run_steps(2);
    let after_the_knot = value(&window, "body.edited.swing", 50.0);
    let from = centre(&window, "Knot 1 of edited.swing");
    grab(&mut window, from, vec2(0.0, 25.0));
    let now = value(&window, "body.edited.swing", 50.0);
    assert!((now - after_the_knot).abs() > 1.0, "{after_the_knot} and {now}");
    assert!(entries(&window).is_empty(), "the gesture is open");
    window.drop_at(from + vec2(0.0, 25.0));
    window.run_steps(2);
    assert_eq!(entries(&window), ["Move 1 key"]);
}

#[test]
fn a_double_click_on_a_curve_inserts_a_key_and_delete_removes_it() {
    let mut window = window("museum:keys-tangents", Panel::Graph);
    window.state_mut().workspace.select(Thing::Body, "linear", false);
    window.run_steps(2);
    let before = text(&window);
    let (a, b) =
        (centre(&window, "Knot 4 of linear.to z"), centre(&window, "Knot 5 of linear.to z"));
    let middle = a + (b - a) * 0.5;
    double_click(&mut window, middle);
    assert_eq!(entries(&window), ["Insert 1 key"]);
    assert_eq!(value_z(&window), 1.8, "on the line between 1.6 and 2");
    window.get_by_label("Knot 6 of linear.to z");
    press(&mut window, Modifiers::NONE, Key::Delete);
    assert_eq!(entries(&window), ["Insert 1 key", "Delete 1 key"]);
    assert_eq!(text(&window), before);
}

fn value_z(window: &egui_kittest::Harness<'_, lariat_studio::Studio>) -> f64 {
    let session = window.state().session().expect("a document");
    let path = "body.linear.to".parse().expect("a path");
    let value = session.value_at(&path, 73.0).expect("a value");
    let z = value.list().and_then(|list| list[2].number()).expect("a vector");
    (z * 1e9).round() / 1e9
}

#[test]
fn a_handle_makes_automatic_tangents_aligned() {
    let mut window = window("museum:kass-02-equilibrium", Panel::Graph);
    window.state_mut().workspace.select(Thing::Body, "moved", false);
    window.run_steps(2);
    window.get_by_label("Knot 1 of moved.swing").click();
    window.run_steps(2);
    let from = centre(&window, "Handle after knot 1 of moved.swing");
    drag(&mut window, from, vec2(0.0, -40.0));
    assert_eq!(entries(&window), ["Move handle"]);
    let now = text(&window);
    assert!(now.contains("tangents = \"aligned\"") && now.contains("out = ["), "{now}");
    let slope = value(&window, "body.moved.swing", 14.0) - value(&window, "body.moved.swing", 12.0);
    assert!(slope > 2.0, "the curve leaves the key upwards: {slope}");
}

#[test]
fn a_slope_of_a_knot_is_turned_by_hand() {
    let mut window = window("museum:kass-01-frequency", Panel::Graph);
    window.get_by_label("Knot 3 of aerial.swing").click();
    window.run_steps(2);
    let from = centre(&window, "Handle after knot 3 of aerial.swing");
    drag(&mut window, from, vec2(0.0, 60.0));
    assert_eq!(entries(&window), ["Set slope"]);
    assert!(text(&window).contains("value = 20, slope = -"), "{}", text(&window));
}

#[test]
fn the_frequency_is_a_curve_below_its_wiggle() {
    let window = window("museum:kass-01-frequency", Panel::Graph);
    let (value, hertz) = (
        centre(&window, "Knot 2 of aerial.swing"),
        centre(&window, "Knot 2 of aerial.swing.hertz"),
    );
    assert!((hertz.x - value.x).abs() < 0.5, "{value} and {hertz}");
    assert!(window.get_by_label("Plot of values").rect().contains(value));
    assert!(window.get_by_label("Plot of spring").rect().contains(hertz));
}

#[test]
fn figure_1_of_kass_and_anderson_is_made_by_hand() {
    let text_before = "lariat = 2\n[shot]\nframes = [1, 96]\n[[body]]\nname = \"aerial\"\n\
        model = \"tail\"\nfrom = [0, 0, 0]\ndirection = [0, 0, 1]\nlength = 1.2\n\
        swing = { wiggle = [[1, 0], [32, 55], [90, 20]], hertz = 1.3, swings = 3 }\n";
    let mut window = window(text_before, Panel::Graph);
    window.get_by_label("Lines").click();
    window.run_steps(2);
    window.get_by_label("Frequency and damping").click();
    window.run_steps(2);
    press(&mut window, Modifiers::NONE, Key::Escape);
    // Values from 0 to 3 (swings) with 8 % of room on both sides; see `fit`.
    let spring = window.get_by_label("Plot of spring").rect();
    let inner = spring.shrink2(vec2(0.0, (spring.height() * 0.1).min(12.0)));
    let y = inner.bottom() - inner.height() * (1.3 + 0.24) / 3.48;
    for index in [2, 1] {
        let x = centre(&window, &format!("Knot {index} of aerial.swing")).x;
        double_click(&mut window, egui::pos2(x, y));
    }
    assert_eq!(
        entries(&window),
        ["Insert 1 key"; 2],
        "{:?} {y} {spring}",
        window.state().message()
    );
    let key = centre(&window, "Knot 1 of aerial.swing.hertz");
    drag(&mut window, key, vec2(0.0, 200.0));
    assert_eq!(value(&window, "body.aerial.swing.hertz", 1.0), 0.0, "a frequency is not negative");
    window.get_by_label("Keys").click();
    window.run_steps(2);
    window.get_by_label("Interpolation").click();
    window.run_steps(2);
    window.get_by_label("Step").click();
    window.run_steps(2);
    assert_eq!(value(&window, "body.aerial.swing.hertz", 31.0), 0.0, "{}", text(&window));
    assert_eq!(value(&window, "body.aerial.swing.hertz", 32.0), 1.3, "{}", text(&window));
    let errors = window.state().session().expect("a document").editor.diagnostics().to_vec();
    assert!(errors.iter().all(|one| !one.is_error()), "{errors:?}");
}
