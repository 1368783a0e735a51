//! The page without a document: recipes, museum scenes and recent files.

use egui::{RichText, ScrollArea, Ui};

use crate::{
    action::{Action, Actions},
    app::Message,
    command::Command,
    host::LeftJournal,
    label,
    theme::{self, SPACE},
};

/// Width of a card, in points.
const CARD: f32 = 208.0;

/// Shows the page.
pub(crate) fn welcome(
    ui: &mut Ui,
    recent: &[String],
    left: &[LeftJournal],
    message: Option<&Message>,
    actions: &mut Actions,
) {
    let colours = theme::of(ui);
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.add_space(2.0 * SPACE);
        ui.label(RichText::new("Lariat").size(28.0).strong());
        ui.label(RichText::new("Ropes, cords, springs and tails").color(colours.weak));
        ui.add_space(SPACE);
        if let Some(Message { text, is_error: true }) = message {
            ui.label(RichText::new(text).color(colours.error));
            ui.add_space(SPACE);
        }
        ui.horizontal(|ui| {
            if ui.button("Empty shot").clicked() {
                actions.push(Action::Run(Command::New));
            }
            if ui.button("Open…").clicked() {
                actions.push(Action::Run(Command::Open));
            }
        });
        for LeftJournal { journal, title } in left {
            ui.add_space(SPACE);
            ui.horizontal(|ui| {
                ui.label(format!("“{title}” was not closed. Its changes can be recovered."));
                if ui.button("Recover").clicked() {
                    actions.push(Action::Recover(journal.clone()));
                }
                if ui.button("Discard").clicked() {
                    actions.push(Action::Discard(journal.clone()));
                }
            });
        }
        if !recent.is_empty() {
            heading(ui, "Recent");
            for place in recent {
                let name = place.rsplit(['/', '\\']).next().unwrap_or(place);
                if ui.link(name).on_hover_text(place).clicked() {
                    actions.push(Action::Open(place.clone()));
                }
            }
        }
        heading(ui, "Recipes");
        let recipes = lariat_museum::RECIPES.iter().map(|one| (one.name, one.title));
        cards(ui, recipes, actions);
        heading(ui, "Museum");
        cards(ui, lariat_museum::SCENES.iter().map(|one| (one.name, one.why)), actions);
        ui.add_space(2.0 * SPACE);
    });
}

fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(2.0 * SPACE);
    ui.heading(text);
    ui.add_space(SPACE);
}

/// Documents of the museum, as cards.
fn cards<'n>(
    ui: &mut Ui,
    documents: impl Iterator<Item = (&'n str, &'n str)>,
    actions: &mut Actions,
) {
    let columns = ((ui.available_width() / (CARD + SPACE)) as usize).max(1);
    let documents: Vec<(&str, &str)> = documents.collect();
    for row in documents.chunks(columns) {
        ui.horizontal_top(|ui| {
            for (name, why) in row {
                if card(ui, &label::words(name), why).clicked() {
                    actions.push(Action::Open(format!("museum:{name}")));
                }
            }
        });
    }
}

fn card(ui: &mut Ui, title: &str, why: &str) -> egui::Response {
    let text = RichText::new(title).strong();
    let button = egui::Button::new(text).truncate().min_size(egui::vec2(CARD, 40.0));
    ui.add_sized([CARD, 40.0], button).on_hover_text(why)
}
