//! The parameters of the selection, generated from the schema.
//!
//! ```text
//! parameter.rs  a parameter of the selected things: its value, and edits of all of them
//! row.rs        one parameter: name, key, control, reset, diagnostics
//! value.rs      controls by kind of value; numbers and texts
//! choice.rs     switches, choices, names
//! colour.rs     colours
//! header.rs     name, model and look
//! physics.rs    simulated from the current frame on
//! anchor.rs     points at which bodies are held
//! ends.rs       menu of such a point: attach, detach, let go
//! records.rs    lists of records, and single records
//! start.rs      first values of parameters and records
//! menu.rs       menu of a parameter
//! note.rs       diagnostics with their remedies
//! gesture.rs    drags as gestures
//! ```

mod anchor;
mod choice;
mod colour;
mod ends;
mod gesture;
mod header;
mod menu;
mod note;
mod parameter;
mod physics;
mod records;
mod row;
mod start;
mod value;

pub(super) use ends::{end_menu, is_anchor};
pub(super) use header::models;
pub(super) use note::remedy_button;
pub(super) use parameter::{Scope, ask};
pub(super) use row::{Place, row};

use egui::{CollapsingHeader, RichText, ScrollArea, TextEdit, Ui};
use lariat_scene::{
    Path, Table, Thing,
    schema::{
        BODY, CAMERA, COLLIDER, Family, Field, Kind, LOCATOR, LOOKS, OneOf, RecordType, SHOT,
    },
};

use header::header;

use super::PanelContext;
use crate::theme::{self, GAP, SPACE};

/// Share of the width for names, and its limits in points.
const NAMES: (f32, f32, f32) = (0.36, 84.0, 150.0);

/// The moment of the panel.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// The parameter whose colour is being dragged.
    painted: Option<Path>,
    /// Words that parameters are searched by.
    search: String,
    /// A name that is being typed.
    renamed: Option<(String, String)>,
    /// The parameter whose row comes into sight.
    revealed: Option<Path>,
}

impl State {
    /// Brings the row of a parameter into sight.
    pub(crate) fn reveal(&mut self, path: Path) {
        self.search.clear();
        self.revealed = Some(path);
    }
}

/// Groups of parameters of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Shape,
    Motion,
    Look,
    Physics,
}

impl Group {
    const ALL: [Self; 4] = [Self::Shape, Self::Motion, Self::Look, Self::Physics];

    fn name(self) -> &'static str {
        match self {
            Self::Shape => "Shape",
            Self::Motion => "Motion",
            Self::Look => "Look",
            Self::Physics => "Physics",
        }
    }

    fn of(field: &Field) -> Self {
        match field.kind {
            Kind::Record(_) => Self::Physics,
            Kind::Records(_) => Self::Motion,
            Kind::Colour | Kind::Colours => Self::Look,
            _ if LOOKS.contains(&field.name) => Self::Look,
            _ => match field.name {
                "swing" | "sway" | "axes" | "turn" | "twist" | "keep-length" | "curl" => {
                    Self::Motion
                }
                "profile" | "samples" | "frames" | "radius" | "taper" | "width" | "thickness" => {
                    Self::Look
                }
                name if name.starts_with("bulb") || name.starts_with("points-per") => Self::Look,
                _ => Self::Shape,
            },
        }
    }
}

/// Shows the parameters of the active thing, or those of the shot.
pub(crate) fn inspector(ui: &mut Ui, context: &mut PanelContext<'_>) {
    ui.add_space(SPACE);
    let active = context.workspace.active().cloned();
    let document = context.session.editor.document();
    let shown = active.and_then(|one| {
        let table = document.find(one.thing, &one.name)?.1;
        Some((path_of(one.thing, &one.name), one, table))
    });
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        // Room for the bar that scrolls.
        ui.set_width(ui.available_width() - SPACE);
        let (share, least, most) = NAMES;
        let names = (ui.available_width() * share).clamp(least, most);
        let mut scope = Scope {
            root: Path::root(),
            others: Vec::new(),
            controls: ui.cursor().left() + names,
            search: context.state.inspector.search.trim().to_lowercase(),
        };
        match shown {
            Some((path, one, table)) => {
                let Some((family, record)) = record_type(one.thing, table) else {
                    return header::name_field(ui, context, one.thing, &one.name);
                };
                scope.others = others(context, one.thing, &one.name, record);
                scope.root = path.clone();
                let (thing, name) = (one.thing, &*one.name);
                header(ui, context, header::Shown { thing, name, table, record }, &scope);
                search(ui, context);
                facts(ui, context, &one.name, one.thing);
                let notes = note::of_record(context, &path, Some(record));
                note::show(ui, context, &notes);
                let place =
                    Place { scope: &scope, owner: &path, family: Some(family), motion: None };
                match one.thing {
                    Thing::Body => groups(ui, context, place, table, record),
                    _ => fields(ui, context, place, Some(table), record, |_| true),
                }
            }
            None => {
                ui.heading("Shot").on_hover_text(SHOT.types[0].help);
                ui.label(
                    RichText::new("Select a thing to see its parameters.")
                        .small()
                        .color(theme::of(ui).weak),
                );
                ui.add_space(SPACE);
                let path = Path::root().field("shot");
                scope.root = path.clone();
                let table = document.get(&path).and_then(|value| value.table());
                let place =
                    Place { scope: &scope, owner: &path, family: Some(&SHOT), motion: None };
                fields(ui, context, place, table, SHOT.types[0], |_| true);
            }
        }
        more(ui, context);
    });
    context.state.inspector.revealed = None;
}

/// Path of a thing by its name.
pub(super) fn path_of(thing: Thing, name: &str) -> Path {
    Path::root().field(thing.list()).field(name)
}

/// Other selected things of the same type.
fn others(
    context: &PanelContext<'_>,
    thing: Thing,
    name: &str,
    record: &'static RecordType,
) -> Vec<Path> {
    let document = context.session.editor.document();
    let selected = context.workspace.selected.iter();
    selected
        .filter(|other| other.thing == thing && other.name != name)
        .filter(|other| {
            let table = document.find(thing, &other.name).map(|(_, table)| table);
            let own = table.and_then(|table| record_type(thing, table));
            own.is_some_and(|(_, own)| std::ptr::eq(own, record))
        })
        .map(|other| path_of(thing, &other.name))
        .collect()
}

/// The record type of a thing, by its tag.
pub(super) fn record_type(
    thing: Thing,
    table: &Table,
) -> Option<(&'static Family, &'static RecordType)> {
    let family: &'static Family = match thing {
        Thing::Body => &BODY,
        Thing::Locator => &LOCATOR,
        Thing::Collider => &COLLIDER,
        Thing::Camera => &CAMERA,
    };
    let record = match family.tag {
        None => family.types.first().copied(),
        Some(tag) => family.find(table.text(tag)?),
    };
    Some((family, record?))
}

fn search(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let text = &mut context.state.inspector.search;
    let edit = TextEdit::singleline(text).hint_text("Find a parameter");
    let response = ui.add(edit.desired_width(f32::INFINITY));
    response.accessible_name("Find a parameter");
    ui.add_space(GAP);
}

/// Length and slack of the shape that is shown.
fn facts(ui: &mut Ui, context: &PanelContext<'_>, name: &str, thing: Thing) {
    if thing != Thing::Body {
        return;
    }
    let body = context.session.editor.scene().body_index(name);
    let shape = body.and_then(|body| context.session.shown()?.bodies.get(body));
    let Some(slack) = shape.and_then(|shape| shape.slack) else { return };
    let colours = theme::of(ui);
    let length = start::spine(context, name).map(start::length);
    ui.horizontal(|ui| {
        if let Some(length) = length {
            let text = format!("Drawn {length:.3} m");
            ui.label(RichText::new(text).small().color(colours.weak))
                .on_hover_text("Length of the curve as it is drawn at this frame.");
        }
        let (text, colour) = match slack {
            slack if slack < 0.0 => (format!("Too short by {:.3} m", -slack), colours.error),
            slack => (format!("Slack {slack:.3} m"), colours.weak),
        };
        ui.label(RichText::new(text).small().color(colour))
            .on_hover_text("Rope beyond the straight gap at this frame.");
    });
}

/// Parameters of a body in groups that fold.
fn groups(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    place: Place<'_>,
    table: &Table,
    record: &'static RecordType,
) {
    for group in Group::ALL {
        let of_group = |field: &Field| Group::of(field) == group;
        let shown = shown_fields(context, place, Some(table), record);
        if !shown.iter().any(|field| of_group(field)) {
            continue;
        }
        let title = RichText::new(group.name()).strong();
        CollapsingHeader::new(title)
            .id_salt(("group", group.name()))
            .default_open(true)
            .show_unindented(ui, |ui| fields(ui, context, place, Some(table), record, of_group));
        ui.add_space(GAP);
    }
}

/// Rows of a record: common parameters first; the others on request.
fn fields(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    place: Place<'_>,
    table: Option<&Table>,
    record: &'static RecordType,
    is_of: impl Fn(&Field) -> bool,
) {
    let shown = shown_fields(context, place, table, record);
    let shown: Vec<_> = shown.into_iter().filter(|field| is_of(field)).collect();
    // Sections come after single values.
    let (sections, values): (Vec<_>, Vec<_>) =
        shown.into_iter().partition(|field| records::is_section(field));
    for field in values.into_iter().chain(sections) {
        row(ui, context, place, table, field);
    }
}

/// Parameters that are shown: those that are given or common, all of them on request, or those that
/// are searched.
fn shown_fields(
    context: &PanelContext<'_>,
    place: Place<'_>,
    table: Option<&Table>,
    record: &'static RecordType,
) -> Vec<&'static Field> {
    let is_given = |field: &Field| {
        table.is_some_and(|table| table.iter().any(|(name, _)| field.is_called(name)))
    };
    let all = context.workspace.shows_all_parameters;
    let search = &place.scope.search;
    let is_top = place.owner == &place.scope.root;
    let is_found = |field: &Field| {
        let names = std::iter::once(&field.name).chain(field.plain);
        let mut words = names.map(|name| name.replace('-', " "));
        words.any(|name| name.contains(search)) || field.help.to_lowercase().contains(search)
    };
    let fields = record.fields.iter().filter(|field| field.name != "name");
    fields
        .filter(|field| match is_top && !search.is_empty() {
            true => is_found(field),
            false => all || is_given(field) || is_common(field, record) && fits(field, table),
        })
        .collect()
}

/// Whether a parameter fits the shape of its solid: a box has a size, a ball has a radius.
fn fits(field: &Field, table: Option<&Table>) -> bool {
    let of_solid = table.filter(|table| table.text("model") == Some("solid"));
    let Some(table) = of_solid else { return true };
    let shape = table.text("shape").unwrap_or("box");
    let is_foreign = match shape {
        "ball" => ["size", "height"].contains(&field.name),
        "cylinder" => field.name == "size",
        _ => ["radius", "height"].contains(&field.name),
    };
    !is_foreign
}

/// Whether a parameter is shown without asking: those that move a body, and its look.
fn is_common(field: &Field, record: &RecordType) -> bool {
    let needs = |one_of: &OneOf| one_of.required && one_of.fields.contains(&field.name);
    let is_moving = field.animatable && matches!(field.kind, Kind::Scalar(_) | Kind::Vector(_));
    match (record.name, field.name) {
        ("string" | "spline-rope" | "rigid", name) => matches!(
            name,
            "material" | "start" | "hold-start" | "hold-end" | "pins" | "forces" | "tears" | "mass"
        ),
        (_, "floor" | "thickness" | "width" | "bandwidth" | "layers") => false,
        (_, "colour" | "look" | "dynamics" | "bulb-colours" | "material") => true,
        // The shape of a solid.
        ("solid", "shape" | "size" | "radius" | "height") => true,
        (_, name) if record.name == "shot" => name != "ground-height",
        _ => {
            field.required
                || matches!(field.kind, Kind::Anchor | Kind::Records(_))
                || is_moving
                || record.one_of.iter().any(needs)
        }
    }
}

/// The button that shows all parameters.
fn more(ui: &mut Ui, context: &mut PanelContext<'_>) {
    let all = context.workspace.shows_all_parameters;
    ui.add_space(SPACE);
    let text = if all { "Fewer parameters" } else { "More parameters" };
    let button =
        ui.button(text).on_hover_text("Technical parameters, which most shots do not need.");
    if button.clicked() {
        context.workspace.shows_all_parameters = !all;
    }
    ui.add_space(SPACE);
}
