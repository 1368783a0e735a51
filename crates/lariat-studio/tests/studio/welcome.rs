//! The page without a document.

use std::collections::BTreeSet;

use egui::{Key, Modifiers, Rect, vec2};
use egui_kittest::kittest::Queryable;
use lariat_studio::Opening;

use crate::harness::{Window, place};

const SEARCH: &str = "Find a recipe or a scene";
const LIGHTS: &str = "Party lights in front of a fence";
const PENGUIN: &str = "A penguin's belly jiggles";

fn page() -> Window {
    Window::open_in(tempfile::tempdir().unwrap(), |_| Opening::Welcome)
}

fn title(window: &Window) -> &str {
    &window.studio().session().expect("a document is open").title
}

/// Number of colours in a part of the window.
fn colours(window: &mut Window, rect: Rect) -> usize {
    let picture = window.harness.render().unwrap();
    let places = (rect.left() as u32..rect.right() as u32)
        .flat_map(|x| (rect.top() as u32..rect.bottom() as u32).map(move |y| (x, y)));
    places.map(|(x, y)| picture.get_pixel(x, y).0).collect::<BTreeSet<_>>().len()
}

#[test]
fn a_card_has_its_picture() {
    let mut window = page();
    for title in [LIGHTS, "A dog wags its tail"] {
        let card = window.get(title).rect();
        let picture = Rect::from_min_size(card.min, vec2(208.0, 117.0)).shrink(8.0);
        let count = colours(&mut window, picture);
        assert!((40..=128).contains(&count), "{title}: {count} colours");
    }
}

#[test]
fn a_search_leaves_what_it_finds() {
    let mut window = page();
    for modifiers_and_key in [(Modifiers::NONE, Key::Slash), (Modifiers::COMMAND, Key::F)] {
        window.press(modifiers_and_key.0, modifiers_and_key.1);
        assert!(window.get(SEARCH).is_focused(), "{modifiers_and_key:?}");
        window.press(Modifiers::NONE, Key::Escape);
    }
    window.press(Modifiers::NONE, Key::Slash);
    window.type_text("penguin");
    assert!(window.harness.query_by_label(LIGHTS).is_none());
    window.get(PENGUIN);
    window.type_text(" zeppelin");
    assert!(window.harness.query_by_label(PENGUIN).is_none());
    window.get("Nothing is found for “penguin zeppelin”.");
    // A topic replaces the search.
    window.click("hanging");
    window.get(LIGHTS);
}

#[test]
fn keys_choose_a_card() {
    let mut window = page();
    window.get(LIGHTS).focus();
    window.run();
    window.press(Modifiers::NONE, Key::ArrowRight);
    assert!(window.get("A dog wags its tail").is_focused());
    window.press(Modifiers::NONE, Key::Enter);
    assert_eq!(title(&window), "dog-tail");
    // The page follows the focus.
    let mut window = page();
    window.get(LIGHTS).focus();
    window.run();
    let top = window.get(LIGHTS).rect().top();
    for _ in 0..3 {
        window.press(Modifiers::NONE, Key::ArrowDown);
    }
    assert!(window.get(LIGHTS).rect().top() < top - 200.0);
    // From the search, Enter opens the first card.
    let mut window = page();
    window.press(Modifiers::NONE, Key::Slash);
    window.type_text("penguin");
    window.press(Modifiers::NONE, Key::Enter);
    assert_eq!(title(&window), "jiggling-belly");
}

#[test]
fn a_recent_file_is_a_card() {
    let mut window = Window::with(crate::harness::ROPE);
    window.press(Modifiers::COMMAND, Key::S);
    let mut again = Window::open_in(window.kill(), |_| Opening::Welcome);
    let place = place(&again.folder, "shot.lariat");
    again.click("shot.lariat");
    assert_eq!(again.studio().session().unwrap().place.as_ref(), Some(&place));
}
