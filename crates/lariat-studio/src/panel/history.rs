//! The history: every change by its name, and any of them a click away.
//!
//! Tests: `crates/lariat-studio/tests/studio/history.rs`.

use egui::{Align, Button, Layout, Rect, RichText, ScrollArea, Ui, vec2};

use super::PanelContext;
use crate::{
    action::Action,
    theme::{self, GAP, ROW, SPACE},
};

/// The moment of the panel.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Numbers of done and undone entries that were shown last.
    shown: (usize, usize),
}

/// Shows the entries, oldest first; a click undoes or redoes up to an entry.
pub(crate) fn history(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let colours = theme::of(ui);
    let history = context.session.editor.history();
    let (done, undone) = (history.done().len(), history.undone().len());
    ui.add_space(SPACE);
    ui.label(RichText::new("History").small().color(colours.weak));
    ui.add_space(GAP);
    // Rows without gaps, so that ten changes are in sight.
    ui.spacing_mut().item_spacing.y = 0.0;
    let shown = (done, undone);
    let has_changed = std::mem::replace(&mut context.state.history.shown, shown) != shown;
    let area = ScrollArea::vertical().auto_shrink(false);
    area.show_rows(ui, ROW, done + undone + 1, |ui, rows| {
        if has_changed {
            // The current entry stays in sight, and the list where it is if it can.
            let below = (done as f32 - rows.start as f32) * ROW;
            let row = Rect::from_min_size(ui.cursor().min + vec2(0.0, below), vec2(1.0, ROW));
            ui.scroll_to_rect(row, None);
        }
        for row in rows {
            let name = match row.checked_sub(1) {
                None => "Opened",
                Some(index) => {
                    let mut entries = history.done().chain(history.undone());
                    entries.nth(index).map_or("", |entry| &*entry.name)
                }
            };
            let colour = if row > done { colours.weak } else { colours.text };
            let button =
                Button::selectable(row == done, RichText::new(name).color(colour)).truncate();
            let left = Layout::top_down_justified(Align::LEFT);
            let response = ui.with_layout(left, |ui| ui.add(button)).inner;
            if response.on_hover_text(help(row, done)).clicked() {
                context.actions.push(match row < done {
                    true => Action::Undo(done - row),
                    false => Action::Redo(row - done),
                });
            }
        }
    });
}

/// The effect of a click.
fn help(row: usize, done: usize) -> String {
    let counted = |count: usize| match count {
        1 => "1 change".to_owned(),
        many => format!("{many} changes"),
    };
    match row {
        row if row < done => format!("Undoes {}.", counted(done - row)),
        row if row > done => format!("Redoes {}.", counted(row - done)),
        _ => "The document as it is now.".to_owned(),
    }
}
