//! The list of things: bodies with what their ends are tied to, locators, colliders and cameras.
//!
//! ```text
//! rows.rs  the rows, made again after a change
//! row.rs   one row: name, eye, switch to show it alone, menu
//! drop.rs  a row that is dragged: attached to another thing, or moved in the list
//! ```
//!
//! Tests: `crates/lariat-studio/tests/studio/outliner.rs`.

mod drop;
mod row;
mod rows;

use egui::{EventFilter, Id, InputState, Key, Modifiers, ScrollArea, Sense, TextEdit, Ui};
use lariat_scene::Thing;

use super::PanelContext;
use crate::{
    theme::{GAP, ROW, SPACE},
    workspace::{Selection, Workspace},
};
use rows::{Row, Rows};

pub(in crate::panel) use rows::end;

/// The moment of the list.
#[derive(Debug, Default)]
pub(crate) struct State {
    filter: String,
    rows: Rows,
    /// A name that is being typed.
    renaming: Option<Renaming>,
    /// The active thing that was shown last; the list follows it.
    active: Option<Selection>,
    /// Ends to choose from, after a drop.
    choice: Option<drop::Choice>,
}

/// A name that is being typed.
#[derive(Clone, Debug)]
struct Renaming {
    of: Selection,
    typed: String,
    /// Whether its field had the focus.
    is_open: bool,
}

impl State {
    /// Lets the name of a thing be typed in its row.
    pub(crate) fn rename(&mut self, of: Selection) {
        self.filter.clear();
        self.renaming = Some(Renaming { typed: of.name.clone(), of, is_open: false });
    }

    /// Plain keys that belong to the list instead of to commands.
    pub(crate) fn keys(context: &egui::Context) -> &'static [Key] {
        match context.memory(|memory| memory.has_focus(id())) {
            true => &[Key::ArrowUp, Key::ArrowDown],
            false => &[],
        }
    }
}

/// Id of the list, which has the focus while its keys are used.
fn id() -> Id {
    Id::unique("list of things")
}

/// Shows the list.
pub(crate) fn outliner(ui: &mut Ui, context: &mut PanelContext<'_>) {
    ui.add_space(SPACE);
    let mut state = std::mem::take(&mut context.state.outliner);
    let edit = TextEdit::singleline(&mut state.filter).hint_text("Find a thing");
    ui.add(edit.desired_width(f32::INFINITY)).accessible_name("Find a thing");
    ui.add_space(GAP);
    state.rows.update(context.session, &state.filter);
    take_keys(ui, context.workspace, &mut state);
    // The list follows what is selected elsewhere.
    let active = context.workspace.active();
    let is_new = active != state.active.as_ref();
    let sought =
        active.filter(|_| is_new).and_then(|one| state.rows.position((one.thing, &one.name)));
    state.active = active.cloned();
    let spacing = 2.0;
    ui.spacing_mut().item_spacing.y = spacing;
    let count = state.rows.all.len();
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, ROW, count, |ui, range| {
        // Room for the bar that scrolls.
        ui.set_width(ui.available_width() - SPACE);
        if let Some(row) = sought {
            let down = (row as f32 - range.start as f32) * (ROW + spacing);
            let top = ui.max_rect().left_top() + egui::vec2(0.0, down);
            // With its neighbours, since the list fades out at its edges.
            let row = egui::Rect::from_min_size(top, egui::vec2(1.0, ROW));
            ui.scroll_to_rect(row.expand2(egui::vec2(0.0, ROW)), None);
        }
        let rows = std::mem::take(&mut state.rows);
        for row in &rows.all[range] {
            match row {
                Row::Title(thing) => row::title(ui, *thing),
                Row::Tie { path, words } => row::tie(ui, context, path, words),
                Row::Thing { thing, name, icon, index } => {
                    let this = row::ThingRow { thing: *thing, name, icon: *icon, index: *index };
                    this.show(ui, context, &mut state);
                }
            }
        }
        state.rows = rows;
    });
    drop::choose(ui, context, &mut state.choice);
    // A name that is typed elsewhere, or a command, may have begun meanwhile.
    context.state.outliner = state;
}

/// Up and down select, Enter renames.
fn take_keys(ui: &Ui, workspace: &mut Workspace, state: &mut State) {
    let list =
        ui.interact(ui.available_rect_before_wrap(), id(), Sense::focusable_noninteractive());
    list.widget_info(|| egui::WidgetInfo::labeled(egui::Role::List, true, "Things"));
    if !list.has_focus() {
        return;
    }
    let is_elsewhere = ui.input(|input| {
        let pressed = input.pointer.any_pressed().then(|| input.pointer.interact_pos()).flatten();
        pressed.is_some_and(|at| !list.rect.contains(at))
    });
    if is_elsewhere {
        return list.surrender_focus();
    }
    let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id(), filter));
    let is_pressed = |input: &mut InputState, key| input.consume_key(Modifiers::NONE, key);
    let (up, down, enter) = ui.input_mut(|input| {
        let keys = [Key::ArrowUp, Key::ArrowDown, Key::Enter];
        let [up, down, enter] = keys.map(|key| is_pressed(input, key));
        (up, down, enter)
    });
    let active = workspace.active().cloned();
    if up || down {
        let from = active.as_ref().and_then(|one| state.rows.position((one.thing, &one.name)));
        if let Some((thing, name)) = state.rows.next(from, down) {
            workspace.select(thing, name, false);
        }
    } else if let (true, Some(of)) = (enter, active) {
        state.rename(of);
    }
}

/// Title of a kind of things.
fn title(thing: Thing) -> &'static str {
    match thing {
        Thing::Body => "Bodies",
        Thing::Locator => "Locators",
        Thing::Collider => "Colliders",
        Thing::Camera => "Cameras",
    }
}
