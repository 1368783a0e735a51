//! Physics: of the active body, of the world, and the recordings of all simulations.
//!
//! ```text
//! physics.rs  on and off, material and supports of the active body
//! curve.rs    stress over stretch of its material, with points to drag
//! takes.rs    recorded, stale and running frames; tears and stops
//! ```
//!
//! Tests: `crates/lariat-studio/tests/studio/simulation.rs`.

mod curve;
mod physics;
mod takes;

use egui::{Align, Layout, RichText, ScrollArea, Ui};
use lariat_scene::{
    Path,
    schema::{Family, RecordType, WORLD},
};

use super::{
    PanelContext, column,
    inspector::{Place, Scope, row},
    note,
};
use crate::{
    action::Action,
    theme::{ROW, SPACE},
};

pub(crate) use takes::State;

/// Widths of the columns, in points: physics, curve, world; the takes have the rest.
const WIDTHS: [f32; 3] = [290.0, 230.0, 270.0];

/// Least width of the takes, in points.
const TAKES: f32 = 240.0;

/// Share of the width of a column for names.
const NAMES: f32 = 0.36;

/// Shows the panel.
pub(crate) fn simulation(ui: &mut Ui, context: &mut PanelContext<'_>) {
    ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
        ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0 * SPACE;
            let rest = ui.available_width() - WIDTHS.iter().sum::<f32>() - 8.0 * SPACE;
            column(ui, "physics", WIDTHS[0], |ui| physics::physics(ui, context));
            column(ui, "curve", WIDTHS[1], |ui| curve::curve(ui, context));
            column(ui, "world", WIDTHS[2], |ui| world(ui, context));
            column(ui, "takes", rest.max(TAKES), |ui| takes::takes(ui, context));
        });
    });
}

/// Title of a column.
fn title(ui: &mut Ui, text: &str) {
    ui.horizontal(|ui| {
        ui.set_height(ROW);
        ui.label(RichText::new(text).strong());
    });
}

/// Rows of some fields of a record.
fn rows(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    root: &Path,
    owner: &Path,
    family: &'static Family,
    record: &'static RecordType,
    is_shown: impl Fn(&str) -> bool,
) {
    let room = ui.available_width() - SPACE;
    ui.set_width(room);
    let scope = Scope {
        root: root.clone(),
        others: Vec::new(),
        controls: ui.cursor().left() + NAMES * room,
        search: String::new(),
    };
    let document = context.session.editor.document();
    let table = document.get(owner).and_then(|value| value.table());
    let place = Place { scope: &scope, owner, family: Some(family), motion: None };
    for field in record.fields.iter().filter(|field| is_shown(field.name)) {
        row(ui, context, place, table, field);
    }
}

/// Gravity, wind and air, and whether anything is simulated.
fn world(ui: &mut Ui, context: &mut PanelContext<'_>) {
    ui.horizontal(|ui| {
        title(ui, "World");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut runs = context.workspace.simulates;
            let switch = ui.checkbox(&mut runs, "Simulate");
            let help = "Records everything that is simulated, in the background.";
            if switch.on_hover_text(help).changed() {
                context.workspace.simulates = runs;
                if !runs {
                    context.actions.push(Action::StopSimulation);
                }
            }
        });
    });
    let path = Path::root().field("world");
    let all = context.workspace.shows_all_parameters;
    rows(ui, context, &path, &path, &WORLD, WORLD.types[0], |name| {
        all || matches!(name, "gravity" | "wind" | "turbulence")
    });
}
