//! Physics: on from a frame, recorded, off; tears; the stress curve.

use std::time::{Duration, Instant};

use egui_kittest::kittest::Queryable;
use lariat_core::dynamics::material::Material;
use lariat_eval::TakeState;
use lariat_scene::{Thing, Value};
use lariat_studio::Panel;

use crate::harness::{ROPE, Window};

fn takes(window: &Window) -> Vec<TakeState> {
    window.studio().session().expect("a document is open").editor.takes()
}

/// Shows the window until all takes reach a frame.
fn record(window: &mut Window, frame: f64) {
    let start = Instant::now();
    let is_there = |take: &TakeState| take.recorded.is_some_and(|span| span.last >= frame);
    while takes(window).is_empty() || !takes(window).iter().all(is_there) {
        assert!(start.elapsed() < Duration::from_mins(1), "{:?}", takes(window));
        std::thread::sleep(Duration::from_millis(20));
        window.harness.step();
    }
}

#[test]
fn a_rope_falls_from_frame_40_after_three_actions() {
    let mut window = Window::with(ROPE);
    window.select("rein");
    // One: the frame.
    window.harness.state_mut().workspace.frame = 40.0;
    window.run();
    // Two: the panel. Three: the button.
    window.click("Simulation");
    window.click("Simulate as a string from frame 40");
    assert!(
        window.text().contains("dynamics = { kind = \"string\", start = 40 }"),
        "{}",
        window.text()
    );
    record(&mut window, 48.0);
    assert_eq!(takes(&window)[0].recorded.map(|span| span.first), Some(40.0));
    window.click("Turn off");
    assert_eq!(window.text(), ROPE);
    assert!(takes(&window).is_empty());
}

#[test]
fn a_tear_is_listed_with_its_frame_and_leads_there() {
    let mut window = Window::museum("rung-07a-rupture");
    window.harness.state_mut().workspace.panel = Panel::Simulation;
    window.run();
    record(&mut window, 84.0);
    for _ in 0..20 {
        window.harness.step();
    }
    let tear = window.harness.get_by_label_contains("string-2 tears at");
    tear.click();
    window.run();
    let frame = window.studio().workspace.frame;
    // It tears at about frame 36, as the scene's text says.
    assert!((35.0..38.0).contains(&frame), "{frame}");
}

#[test]
fn a_point_of_the_stress_curve_is_dragged() {
    let text = format!("{ROPE}dynamics = \"string\"\n");
    let mut window = Window::with(&text);
    window.harness.state_mut().workspace.simulates = false;
    window.harness.state_mut().workspace.panel = Panel::Simulation;
    window.select("rein");
    let from = window.get("Point at which it tears").rect().center();
    window.drag(from, from + egui::vec2(10.0, -10.0));
    assert_eq!(window.changes(), 1);
    let editor = &window.studio().session().expect("a document is open").editor;
    let rope = editor.document().find(Thing::Body, "rein").expect("a body").1;
    let given = rope.get("dynamics").and_then(Value::table).expect("a table");
    let number = |name: &str| given.get(name).and_then(Value::number).expect("a number");
    let hemp = Material::find("hemp").expect("a material");
    assert!(number("rupture-stress") > 1.02 * hemp.rupture_stress);
    assert!((number("modulus") / hemp.modulus - 1.0).abs() < 1e-3, "the other point stays");
    assert!(number("plastic-modulus") < number("modulus") && number("yield-stress") > 0.0);
    assert!(editor.diagnostics().iter().all(|one| !one.is_error()), "{:?}", editor.diagnostics());
}

#[test]
fn wind_is_a_parameter_of_the_world() {
    let mut window = Window::with(ROPE);
    window.harness.state_mut().workspace.panel = Panel::Simulation;
    window.run();
    let from = window.get("Wind x").rect().center();
    window.drag(from, from + egui::vec2(30.0, 0.0));
    assert!(window.text().contains("[world]\nwind = ["), "{}", window.text());
    assert_eq!(window.changes(), 1);
}
