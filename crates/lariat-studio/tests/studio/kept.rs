//! The arrangement of the window from one run to the next.

use std::fs;

use egui::{Key, Modifiers, pos2, vec2};
use lariat_scene::Thing;
use lariat_studio::{Appearance, Opening, Panel};

use crate::harness::{ROPE, Window, place};

fn again(window: Window) -> Window {
    Window::open_in(window.kill(), |folder| Opening::Document(place(folder, "shot.lariat")))
}

#[test]
fn the_window_opens_as_it_was_left() {
    let mut window = Window::with(ROPE);
    window.press(Modifiers::COMMAND, Key::Num5);
    window.select("rein");
    let workspace = &mut window.harness.state_mut().workspace;
    workspace.frame = 17.0;
    workspace.appearance = Appearance::Light;
    workspace.shows_history = false;
    workspace.view.yaw = 1.0;
    workspace.frames_all = false;
    window.run();
    let edge = pos2(1282.0 - window.studio().workspace.sizes[2], 300.0);
    window.drag(edge, edge - vec2(60.0, 0.0));
    let sizes = window.studio().workspace.sizes;
    assert!((sizes[2] - 424.0).abs() < 8.0, "{sizes:?}");
    // Killed, not closed: the arrangement is kept from time to time.
    window.harness.run_steps(90);
    let window = again(window);
    let workspace = &window.studio().workspace;
    assert_eq!((workspace.frame, workspace.panel), (17.0, Panel::Graph));
    assert_eq!(workspace.appearance, Appearance::Light);
    assert!(workspace.is_selected(Thing::Body, "rein") && !workspace.shows_history);
    assert_eq!(workspace.view.yaw, 1.0);
    assert_eq!(workspace.sizes, sizes);
}

#[test]
fn another_document_has_its_own_view_and_the_same_panels() {
    let mut window = Window::with(ROPE);
    fs::write(window.path("other.lariat"), ROPE).unwrap();
    let workspace = &mut window.harness.state_mut().workspace;
    (workspace.frame, workspace.shows_bottom) = (17.0, false);
    window.harness.run_steps(90);
    let opening = |folder: &_| Opening::Document(place(folder, "other.lariat"));
    let window = Window::open_in(window.kill(), opening);
    let workspace = &window.studio().workspace;
    assert_eq!((workspace.frame, workspace.shows_bottom), (1.0, false));
    assert_eq!(again(window).studio().workspace.frame, 17.0, "that of the first is not forgotten");
}

#[test]
fn a_damaged_arrangement_is_ignored() {
    for text in ["", "\u{0}\u{1}", "window = [", "lariat = 99\n[window]\nscale = 1e9\n"] {
        let mut window = Window::with(ROPE);
        window.harness.run_steps(90);
        fs::write(window.path("state/window"), text).unwrap();
        let window = again(window);
        let workspace = &window.studio().workspace;
        assert_eq!((workspace.frame, workspace.scale), (1.0, 1.0), "{text:?}");
        assert_eq!(window.studio().message(), None);
    }
}
