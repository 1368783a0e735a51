//! Arrows, rings and offers in the view, and every model of the Add menu.

use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use glam::DVec3;
use lariat_scene::{Path, Thing, schema};

use crate::harness::Window;

const EMPTY: &str = "lariat = 2\n\n[shot]\nfps = 24\nframes = [1, 120]\n";

const CRATE: &str = "lariat = 2\n\n[[body]]\nname = \"crate\"\nmodel = \"solid\"\n\
                     size = [1, 1, 1]\nposition = [0, 0, 1]\n";

fn vector(window: &Window, path: &str) -> [f64; 3] {
    let editor = &window.studio().session().unwrap().editor;
    let path: Path = path.parse().unwrap();
    let value = editor.value_at(&path, 1.0).unwrap();
    let list = value.list().unwrap();
    std::array::from_fn(|axis| list[axis].number().unwrap())
}

/// A point of space in the window.
fn seen(window: &Window, at: DVec3) -> Pos2 {
    let rect = window.get("View of the scene").rect();
    let size = [rect.width(), rect.height()].map(|side| side.round() as u32);
    let size = lariat_render::Size::new(size[0], size[1]).unwrap();
    let projection = window.studio().workspace.view.camera().projection(size).unwrap();
    let (x, y, _) = projection.project(at).unwrap();
    rect.min + vec2(x as f32, y as f32)
}

/// Metres per point of the window at a point of space.
fn metres_per_point(window: &Window, at: DVec3) -> f64 {
    let (a, b) = (seen(window, at), seen(window, at + DVec3::Z * 1e-3));
    1e-3 / f64::from(a.distance(b))
}

#[test]
fn an_arrow_moves_along_its_axis_only() {
    let mut window = Window::with(CRATE);
    window.press(Modifiers::NONE, Key::Num1);
    window.harness.state_mut().workspace.select(Thing::Body, "crate", false);
    window.run();
    let size = metres_per_point(&window, DVec3::Z) * 64.0;
    for (axis, along) in [(0, DVec3::X), (2, DVec3::Z)] {
        let before = vector(&window, "body.crate.position");
        let tip = seen(&window, DVec3::from(before) + along * (0.8 * size));
        window.drag(tip, tip + vec2(50.0, -30.0));
        let after = vector(&window, "body.crate.position");
        for other in 0..3 {
            let moved = (after[other] - before[other]).abs();
            assert!(
                if other == axis { moved > 0.05 } else { moved == 0.0 },
                "{before:?} {after:?}"
            );
        }
    }
    assert_eq!(window.changes(), 2);
}

#[test]
fn a_ring_turns_about_its_axis_only() {
    let mut window = Window::with(CRATE);
    window.press(Modifiers::NONE, Key::Num1);
    window.harness.state_mut().workspace.select(Thing::Body, "crate", false);
    window.run();
    // From the front, the ring about Y is a circle of 0.8 × 64 points.
    let centre = seen(&window, DVec3::Z);
    let on_ring = |degrees: f32| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        centre + vec2(cos, -sin) * (0.8 * 64.0)
    };
    window.drag(on_ring(40.0), on_ring(70.0));
    let [x, y, z] = vector(&window, "body.crate.rotation");
    // Seen from the front, against Y, a turn to the left is a negative one.
    assert!((y.abs() - 30.0).abs() < 1.5 && x.abs() < 1e-9 && z.abs() < 1e-9, "{x} {y} {z}");
    assert_eq!(window.changes(), 1);
    assert_eq!(vector(&window, "body.crate.position"), [0.0, 0.0, 1.0]);
}

#[test]
fn an_end_dropped_on_a_locator_is_attached_by_the_offer() {
    let text = "lariat = 2\n\n[[locator]]\nname = \"hook\"\nposition = [2, 0, 1]\n\n[[body]]\n\
                name = \"rope\"\nmodel = \"suspended-rope\"\nfrom = [0, 0, 2]\nto = [3, 0, 2]\nlength = 4\n";
    let mut window = Window::with(text);
    window.press(Modifiers::NONE, Key::Num1);
    window.select("rope");
    let end = window.get("End of rope").rect().center();
    let hook = window.get("Position of hook").rect().center();
    // With Ctrl, an end snaps to a locator near the pointer.
    window.harness.event(egui::Event::ModifiersChanged(Modifiers::COMMAND));
    window.drag(end, hook + vec2(3.0, 2.0));
    window.harness.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    assert_eq!(vector(&window, "body.rope.to"), [2.0, 0.0, 1.0]);
    window.click("Attach to hook");
    assert!(window.text().contains("to = { locator = \"hook\" }"), "{}", window.text());
    assert!(window.harness.query_by_label("Attach to hook").is_none());
    assert_eq!(window.changes(), 2);
}

#[test]
fn every_model_of_the_menu_becomes_a_body() {
    let mut window = Window::with(EMPTY);
    window.click("Add");
    let words = |name: &str| {
        let mut words = name.replace('-', " ");
        words[..1].make_ascii_uppercase();
        words
    };
    let offered: Vec<&str> = schema::models()
        .map(|model| model.name)
        .filter(|name| window.harness.query_by_label(&words(name)).is_some())
        .collect();
    window.press(Modifiers::NONE, Key::Escape);
    assert!(offered.len() >= 8, "{offered:?}");
    for model in offered {
        let mut window = Window::with(EMPTY);
        let middle = window.get("View of the scene").rect().center();
        window.click("Add");
        window.click(&words(model));
        for by in [vec2(-120.0, -60.0), vec2(120.0, -40.0)] {
            window.click_at(middle + by);
        }
        let editor = &window.studio().session().unwrap().editor;
        let text = window.text();
        assert!(text.contains(&format!("model = \"{model}\"")), "{model}: {text}");
        let is_error = |one: &&lariat_scene::check::Diagnostic| {
            one.severity == lariat_scene::check::Severity::Error
        };
        let errors: Vec<_> = editor.diagnostics().iter().filter(is_error).collect();
        assert!(errors.is_empty(), "{model}: {errors:#?}");
        assert_eq!(editor.scene().body_count(), 1, "{model}: {text}");
        let shown = window.studio().session().unwrap().shown().unwrap();
        assert!(!shown.bodies[0].strands.is_empty() || shown.bodies[0].mesh.is_some(), "{model}");
    }
}
