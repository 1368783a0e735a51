//! The view: overlays, colliders, cameras, the ground and copies.

use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use lariat_scene::Thing;
use lariat_studio::Overlay;

use crate::harness::{ROPE, Window};

const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// A string that hangs at rest, one metre long.
const HANGING: &str = "lariat = 2

[shot]
frames = [1, 60]

[[body]]
name = \"line\"
model = \"loose-rope\"
from = [0, 0, 2]
length = 1
radius = 0.005

[body.dynamics]
kind = \"string\"
density = 1000
segments = 20
viscosity = 8
";

/// A ball and a camera far from a rope.
const PROPS: &str = "lariat = 2

[[body]]
name = \"rope\"
model = \"suspended-rope\"
from = [-2, 0, 2]
to = [2, 0, 2]
length = 5

[[collider]]
name = \"boulder\"
shape = \"sphere\"
centre = [1.2, 0, 0.5]
radius = 0.4

[[camera]]
name = \"close\"
position = [-1.2, 0, 0.5]
target = [-1.2, -3, 0.5]
";

/// Chooses a command of the View menu.
fn choose(window: &mut Window, command: &str) {
    window.click("View");
    window.click(command);
}

/// Clicks at a point with the left button.
fn click_at(window: &mut Window, at: Pos2) {
    window.drag(at, at);
}

fn active(window: &Window) -> Option<(Thing, String)> {
    window.studio().workspace.active().map(|one| (one.thing, one.name.clone()))
}

#[test]
fn the_tension_of_a_hanging_string_is_its_weight_below() {
    let mut window = Window::with(HANGING);
    choose(&mut window, "Tension");
    assert_eq!(window.studio().workspace.overlay, Some(Overlay::Tension));
    window.harness.state_mut().workspace.frame = 60.0;
    for _ in 0..400 {
        window.run();
        if window.studio().session().unwrap().waiting().is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // The legend is fitted to the last frame, at which the string is at rest.
    let legend = |window: &Window| {
        let node = window.harness.get_by_label_contains("Tension, ");
        node.accesskit_node().label().unwrap_or_default()
    };
    let label = legend(&window);
    window.get(&label).click();
    window.run();
    window.run();
    let label = legend(&window);
    assert!(label.ends_with(" N"), "{label}");
    let numbers: Vec<f64> = label.split(' ').filter_map(|word| word.parse().ok()).collect();
    let weight = 1000.0 * std::f64::consts::PI * 0.005 * 0.005 * 9.81;
    assert!((numbers[1] / weight - 1.0).abs() < 0.04, "{label}, not {weight}");
    assert!(numbers[0] < 0.06 * weight, "{label}");
    // One overlay at a time; again, none.
    choose(&mut window, "Twist");
    assert_eq!(window.studio().workspace.overlay, Some(Overlay::Twist));
    window.harness.state_mut().workspace.toggle(Overlay::Twist);
    window.run();
    assert_eq!(window.studio().workspace.overlay, None);
    assert!(window.harness.query_by_label_contains("Tension, ").is_none());
}

#[test]
fn contacts_are_counted_in_the_legend() {
    let mut window = Window::with(
        "lariat = 2\n[[body]]\nname = \"rope\"\nmodel = \"loose-rope\"\nfrom = [0, 0, 1]\nlength = 2\n\
         radius = 0.02\nfloor = 0\n",
    );
    choose(&mut window, "Contact");
    assert!(window.harness.query_by_label("none with ropes").is_some());
    let places = "points with floors, colliders and solids";
    assert!(window.harness.query_by_label_contains(places).is_some());
}

#[test]
fn a_click_selects_a_collider_and_a_camera() {
    let mut window = Window::with(PROPS);
    window.press(Modifiers::NONE, Key::Num1);
    for (label, thing, name) in [
        ("Centre of boulder", Thing::Collider, "boulder"),
        ("Position of close", Thing::Camera, "close"),
    ] {
        let at = window.get(label).rect().center();
        // Beside the handle, inside the ball and on a line of the camera.
        let mut found = None;
        for by in [vec2(14.0, 0.0), vec2(11.0, 8.0), vec2(0.0, 13.0), vec2(-13.0, 5.0)] {
            click_at(&mut window, at + by);
            found = active(&window);
            if found.is_some() {
                break;
            }
        }
        assert_eq!(found, Some((thing, name.to_owned())));
        let corner = window.get("View of the scene").rect().min + vec2(30.0, 30.0);
        click_at(&mut window, corner);
        assert_eq!(active(&window), None);
    }
}

#[test]
fn the_menu_of_a_camera_looks_through_it() {
    let mut window = Window::with(PROPS);
    window.press(Modifiers::NONE, Key::Num1);
    let at = window.get("Position of close").rect().center() + vec2(12.0, 9.0);
    window.harness.state_mut().workspace.select(Thing::Camera, "close", false);
    window.harness.hover_at(at);
    window.harness.step();
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Secondary, Modifiers::NONE);
        window.harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
        window.harness.step();
    }
    window.run();
    assert_eq!(active(&window), Some((Thing::Camera, "close".to_owned())));
    window.click("Look through");
    assert_eq!(window.studio().workspace.camera, Some(0));
}

#[test]
fn the_ground_is_where_it_was_after_a_pull() {
    // Far above the origin, so that the ground is not at height 0.
    let text = ROPE.replace("0, 2]", "0, 12]");
    let mut window = Window::with(&text);
    let before = window.studio().ground_height();
    assert!(before > 5.0, "{before}");
    let end = {
        window.select("rein");
        window.get("End of rein").rect().center()
    };
    window.drag(end, end + vec2(-30.0, -60.0));
    assert_eq!(window.changes(), 1);
    for _ in 0..10 {
        window.run();
    }
    assert_eq!(window.studio().ground_height(), before);
}

#[test]
fn the_view_is_copied_with_its_rope() {
    let text = ROPE
        .replace("length = 4", "length = 4\nradius = 0.2\nlook = \"plain\"\ncolour = \"#ff0000\"");
    let mut window = Window::with(&text);
    window.select("rein");
    window.harness.key_press_modifiers(CTRL_SHIFT, Key::C);
    let mut copied = None;
    for _ in 0..200 {
        window.harness.step();
        let commands = &window.harness.output().platform_output.commands;
        copied = commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyImage(image) => Some(image.clone()),
            _ => None,
        });
        if copied.is_some() {
            break;
        }
    }
    let image = copied.expect("an image");
    let rect = window.get("View of the scene").rect();
    assert_eq!(image.size, [rect.width().round() as usize, rect.height().round() as usize]);
    window.run();
    let [width, height] = image.size;
    assert_eq!(window.studio().message(), Some(&*format!("Copied {width}×{height}")));
    let is_red = |p: &&egui::Color32| p.r() > 120 && p.g() < 60 && p.b() < 60;
    assert!(image.pixels.iter().filter(is_red).count() > 500);
    // The outline of the selection is not part of it.
    let is_accent =
        |p: &&egui::Color32| p.r() > 220 && p.g().abs_diff(160) < 12 && p.b().abs_diff(64) < 12;
    assert_eq!(image.pixels.iter().filter(is_accent).count(), 0);
}
