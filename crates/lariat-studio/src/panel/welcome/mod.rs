//! The page without a document: new and recent files, recipes, museum scenes.
//!
//! ```text
//! entry.rs     scenes and recipes, and the search in them
//! card.rs      cards
//! pictures.rs  their pictures
//! ```
//!
//! Tests: `crates/lariat-studio/tests/studio/welcome.rs`.

mod card;
mod entry;
mod pictures;

use egui::{
    Align, Button, Frame, Id, Key, Layout, Margin, Modifiers, Response, RichText, ScrollArea,
    TextEdit, Ui, vec2,
};

use crate::{
    action::{Action, Actions},
    app::Message,
    command::Command,
    host::LeftJournal,
    theme::{self, GAP, SPACE},
};
use entry::Entry;
use pictures::Pictures;

/// Most columns of cards. With more, the page is hard to survey on wide displays.
const COLUMNS: usize = 5;

/// Space between cards.
const BETWEEN: f32 = 2.0 * SPACE;

/// Smallest space beside the page.
const MARGIN: f32 = 4.0 * SPACE;

/// Keys that the page keeps for itself.
pub(crate) const KEYS: &[Key] = &[Key::Slash];

const SEARCH: &str = "Find a recipe or a scene";

/// Search and pictures of the page; forgotten when a document opens.
#[derive(Debug, Default)]
pub(crate) struct State {
    search: String,
    pictures: Pictures,
    /// The card that had the focus in the pass before.
    focused: Option<Id>,
}

impl State {
    /// Whether a card waits for its picture.
    pub(crate) fn is_waiting(&self) -> bool {
        self.pictures.is_waiting()
    }
}

/// Content of the page that is not in the museum.
pub(crate) struct Offers<'a> {
    /// Places of files that were open before, the last one first.
    pub(crate) recent: &'a [String],
    /// Journals that crashes left behind.
    pub(crate) left: &'a [LeftJournal],
    /// The last message.
    pub(crate) message: Option<&'a Message>,
}

/// Shows the page.
pub(crate) fn welcome(ui: &mut Ui, offers: &Offers<'_>, state: &mut State, actions: &mut Actions) {
    state.pictures.begin_pass();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let room = ui.available_width() - 2.0 * MARGIN;
        let columns = ((room + BETWEEN) / (card::WIDTH + BETWEEN)) as usize;
        let columns = columns.clamp(1, COLUMNS);
        let width = columns as f32 * (card::WIDTH + BETWEEN) - BETWEEN;
        ui.horizontal_top(|ui| {
            ui.add_space((0.5 * (ui.available_width() - width)).max(0.0));
            ui.vertical(|ui| {
                ui.set_width(width);
                ui.spacing_mut().item_spacing = vec2(BETWEEN, GAP);
                page(ui, columns, offers, state, actions);
            });
        });
    });
}

fn page(
    ui: &mut Ui,
    columns: usize,
    offers: &Offers<'_>,
    state: &mut State,
    actions: &mut Actions,
) {
    ui.add_space(MARGIN);
    let chooses_first = header(ui, &mut state.search);
    if let Some(Message { text, is_error: true }) = offers.message {
        ui.add_space(SPACE);
        ui.label(RichText::new(text).color(theme::of(ui).error));
    }
    for left in offers.left {
        ui.add_space(BETWEEN);
        recovery(ui, left, actions);
    }
    let search = state.search.trim().to_owned();
    let (recipes, scenes) = (entry::recipes(&search), entry::scenes(&search));
    let recent = || offers.recent.iter().filter(|place| entry::contains(place, &search));
    if search.is_empty() {
        heading(ui, "Your work", "");
        buttons(ui, actions);
    } else if recent().count() > 0 {
        heading(ui, "Your work", "");
    }
    let recent: Vec<&String> = recent().take(2 * columns).collect();
    let focused = &mut state.focused;
    grid(ui, columns, focused, &recent, |ui, place| {
        let card = card::file(ui, place);
        if card.clicked() {
            actions.push(Action::Open((*place).clone()));
        }
        card
    });
    let mut open = |entry: &Entry| actions.push(Action::Open(format!("museum:{}", entry.name)));
    if let Some(first) = recipes.first().or(scenes.first()).filter(|_| chooses_first) {
        open(first);
    }
    let nothing = recent.is_empty() && recipes.is_empty() && scenes.is_empty();
    for (title, about, entries) in [
        ("Recipes", "Short documents to change.", recipes),
        ("Museum", "Figures of four papers, and ropes at their limits.", scenes),
    ] {
        if entries.is_empty() {
            continue;
        }
        heading(ui, title, about);
        grid(ui, columns, focused, &entries, |ui, entry| {
            let card = card::card(ui, entry, &mut state.pictures);
            if card.clicked() {
                open(entry);
            }
            card
        });
    }
    if nothing {
        found_nothing(ui, &mut state.search);
    }
    ui.add_space(MARGIN);
}

/// Name of the program, and the search field. Returns whether Enter was pressed in a search.
fn header(ui: &mut Ui, search: &mut String) -> bool {
    let colours = theme::of(ui);
    ui.horizontal(|ui| {
        ui.vertical(|ui| {
            ui.label(RichText::new("Lariat").size(28.0).strong());
            ui.label(RichText::new("Ropes, cords, springs and tails").color(colours.weak));
        });
        let right = Layout::right_to_left(Align::Center);
        let field = ui.with_layout(right, |ui| {
            let edit = TextEdit::singleline(search).hint_text(format!("{SEARCH}  /"));
            let edit = edit.margin(Margin::symmetric(8, 6)).desired_width(card::WIDTH - BETWEEN);
            ui.add(edit).accessible_name(SEARCH)
        });
        let field = field.inner;
        // After the field, which would take the key as text.
        let is_typing = ui.ctx().text_edit_focused();
        let asks = ui.input_mut(|input| {
            input.consume_key(Modifiers::COMMAND, Key::F)
                || (!is_typing && input.consume_key(Modifiers::NONE, Key::Slash))
        });
        if asks {
            field.request_focus();
            field.scroll_to_me(None);
        }
        let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        is_entered && !search.trim().is_empty()
    })
    .inner
}

fn buttons(ui: &mut Ui, actions: &mut Actions) {
    let colours = theme::of(ui);
    let size = vec2(card::WIDTH, 36.0);
    ui.horizontal(|ui| {
        let text = RichText::new("Empty shot").strong().color(colours.on_accent);
        let new = Button::new(text).fill(colours.accent).corner_radius(6).min_size(size);
        if ui.add(new).clicked() {
            actions.push(Action::Run(Command::New));
        }
        if ui.add(Button::new("Open…").corner_radius(6).min_size(size)).clicked() {
            actions.push(Action::Run(Command::Open));
        }
    });
    ui.add_space(SPACE);
}

fn recovery(ui: &mut Ui, left: &LeftJournal, actions: &mut Actions) {
    let LeftJournal { journal, title } = left;
    let frame = Frame::new().fill(theme::of(ui).well).corner_radius(6).inner_margin(12);
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing.x = SPACE;
        ui.horizontal_wrapped(|ui| {
            ui.set_width(ui.available_width());
            ui.label(format!("“{title}” was not closed. Its changes can be recovered."));
            if ui.button("Recover").clicked() {
                actions.push(Action::Recover(journal.clone()));
            }
            if ui.button("Discard").clicked() {
                actions.push(Action::Discard(journal.clone()));
            }
        });
    });
}

fn found_nothing(ui: &mut Ui, search: &mut String) {
    ui.add_space(MARGIN);
    ui.label(RichText::new(format!("Nothing is found for “{}”.", search.trim())).heading());
    ui.add_space(SPACE);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE;
        ui.label(RichText::new("Topics:").color(theme::of(ui).weak));
        for topic in lariat_museum::TOPICS {
            if ui.link(topic.name).on_hover_text(topic.about).clicked() {
                topic.name.clone_into(search);
            }
        }
    });
}

fn heading(ui: &mut Ui, title: &str, about: &str) {
    ui.add_space(3.0 * SPACE);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE;
        ui.heading(title);
        ui.label(RichText::new(about).color(theme::of(ui).weak));
    });
    ui.add_space(SPACE);
}

/// Cards in rows. The page follows the focus.
fn grid<T>(
    ui: &mut Ui,
    columns: usize,
    focused: &mut Option<Id>,
    all: &[T],
    mut show: impl FnMut(&mut Ui, &T) -> Response,
) {
    for row in all.chunks(columns) {
        ui.horizontal_top(|ui| {
            for one in row {
                let card = show(ui, one);
                // `gained_focus` does not see the arrows, which move the focus between two passes.
                if card.has_focus() && *focused != Some(card.id) {
                    *focused = Some(card.id);
                    ui.scroll_to_rect(card.rect.expand(BETWEEN), None);
                }
            }
        });
        ui.add_space(BETWEEN - GAP);
    }
}
