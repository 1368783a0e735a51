//! A row that is dragged onto another: an end of the body is attached to the thing there, or the row
//! is moved in the list.

use egui::{Id, LayerId, Order, Pos2, Response, Stroke, Ui, vec2};
use lariat_editor::tool;
use lariat_scene::{
    Path, Thing,
    schema::{Kind, record_at},
};

use super::{State, end, row::ThingRow};
use crate::{
    action::Action,
    panel::{
        PanelContext,
        inspector::{ask, path_of},
    },
    session::Session,
    theme,
    workspace::Selection,
};

/// Height of the part of a row at its upper and lower edge where a drop moves it, in points. Larger:
/// the middle, where it attaches, is hard to hit. Smaller: the edges are.
const EDGE: f32 = 5.0;

/// Ends of a body of which one is to be attached.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    ends: Vec<(Path, String)>,
    to: Selection,
    at: Pos2,
}

/// Effect of a drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    On,
    Above,
    Below,
}

/// Shows and does the effect of a row that is dragged over another one.
pub(super) fn over(
    ui: &Ui,
    context: &mut PanelContext<'_>,
    state: &mut State,
    row: ThingRow<'_>,
    response: &Response,
) {
    let Some(dragged) = response.dnd_hover_payload::<Selection>() else { return };
    let Some(pointer) = ui.input(|input| input.pointer.latest_pos()) else { return };
    if dragged.thing == row.thing && dragged.name == row.name {
        return;
    }
    let ends = ends(context.session, &dragged, row.thing, row.name);
    let Some(place) = place(&dragged, row, !ends.is_empty(), response.rect, pointer) else {
        return;
    };
    let words = match (place, &ends[..]) {
        (Place::On, [(_, one)]) => format!("Attach {} to {}", one.to_lowercase(), row.name),
        (Place::On, _) => format!("Attach {} to {}", dragged.name, row.name),
        (Place::Above, _) => format!("Move above {}", row.name),
        (Place::Below, _) => format!("Move below {}", row.name),
    };
    mark(ui, response, place, pointer, &words);
    if response.dnd_release_payload::<Selection>().is_none() {
        return;
    }
    let to = Selection { thing: row.thing, name: row.name.to_owned() };
    match (place, &ends[..]) {
        (Place::On, [(path, words)]) => attach(context, path, words, &to),
        (Place::On, _) => state.choice = Some(Choice { ends, to, at: pointer }),
        _ => reorder(context, &dragged, row.index, place),
    }
}

fn place(
    dragged: &Selection,
    row: ThingRow<'_>,
    can_attach: bool,
    rect: egui::Rect,
    pointer: Pos2,
) -> Option<Place> {
    let is_same = dragged.thing == row.thing;
    let edge = if can_attach { EDGE } else { 0.5 * rect.height() };
    match pointer.y {
        y if is_same && y < rect.top() + edge => Some(Place::Above),
        y if is_same && y >= rect.bottom() - edge => Some(Place::Below),
        _ if can_attach => Some(Place::On),
        _ => None,
    }
}

fn mark(ui: &Ui, response: &Response, place: Place, pointer: Pos2, words: &str) {
    let (colours, rect) = (theme::of(ui), response.rect);
    let stroke = Stroke::new(2.0, colours.accent);
    match place {
        Place::On => drop(ui.painter().rect_stroke(rect, 4.0, stroke, egui::StrokeKind::Inside)),
        Place::Above => drop(ui.painter().hline(rect.x_range(), rect.top() - 1.0, stroke)),
        Place::Below => drop(ui.painter().hline(rect.x_range(), rect.bottom() + 1.0, stroke)),
    }
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, Id::unique("dragged row")));
    let font = egui::FontId::proportional(11.0);
    let galley = painter.layout_no_wrap(words.to_owned(), font, colours.text);
    let at = pointer + vec2(14.0, 6.0);
    let back = egui::Rect::from_min_size(at, galley.size()).expand2(vec2(6.0, 3.0));
    painter.rect(
        back,
        4.0,
        colours.panel,
        Stroke::new(1.0, colours.line),
        egui::StrokeKind::Outside,
    );
    painter.galley(at, galley, colours.text);
}

/// Ends of a thing that can be attached to another one: paths and names.
fn ends(session: &Session, of: &Selection, thing: Thing, name: &str) -> Vec<(Path, String)> {
    let path = path_of(of.thing, &of.name);
    let Some(record) = record_at(session.editor.document(), &path) else { return Vec::new() };
    let anchors = record.fields.iter().filter(|field| matches!(field.kind, Kind::Anchor));
    let ends = anchors.map(|field| (path.clone().field(field.name), end(field.name)));
    ends.filter(|(path, _)| session.editor.can_attach(path, thing, name)).collect()
}

/// Attaches an end at its nearest place.
fn attach(context: &mut PanelContext<'_>, path: &Path, words: &str, to: &Selection) {
    let Some(moment) = context.session.shown() else { return };
    let editor = &context.session.editor;
    let near = editor.anchor_at(path, moment).unwrap_or_default();
    let edit = editor.attach(path, to.thing, &to.name, near, moment);
    ask(context, format!("Attach {} to {}", words.to_lowercase(), to.name), edit);
    if let [_, lariat_scene::Step::Field(body), ..] = path.steps() {
        context.actions.push(Action::Select(Thing::Body, body.to_string()));
    }
}

fn reorder(context: &mut PanelContext<'_>, dragged: &Selection, index: usize, place: Place) {
    let document = context.session.editor.document();
    let Some((from, _)) = document.find(dragged.thing, &dragged.name) else { return };
    let before = if place == Place::Above { index } else { index + 1 };
    // Taken out, it leaves a gap above.
    let to = if from < before { before - 1 } else { before };
    if to != from {
        let edit = tool::reorder(document, dragged.thing, &dragged.name, to);
        ask(context, format!("Move {} in the list", dragged.name), edit);
    }
}

/// Buttons for the ends that can be attached, after a drop.
pub(super) fn choose(ui: &Ui, context: &mut PanelContext<'_>, choice: &mut Option<Choice>) {
    let Some(Choice { ends, to, at }) = choice.clone() else { return };
    let mut is_open = true;
    let id = Id::unique("ends to attach");
    let popup = egui::Popup::new(id, ui.ctx().clone(), at, ui.layer_id());
    popup.kind(egui::PopupKind::Menu).open_bool(&mut is_open).show(|ui| {
        for (path, words) in &ends {
            if ui.button(format!("Attach {}", words.to_lowercase())).clicked() {
                attach(context, path, words, &to);
                ui.close();
            }
        }
    });
    if !is_open {
        *choice = None;
    }
}
