//! Dots, arrows and words over the picture of the scene.

use egui::{
    Align2, Area, Color32, FontId, Frame, Id, Order, Painter, Pos2, Rect, RichText, Shape, Stroke,
    Ui, vec2,
};

use crate::{
    action::{Action, Actions},
    label,
    theme::{self, Colours, GAP, SPACE},
    viewport::{
        Eye,
        hands::{
            AXES, Constraint, Gesture, Gizmo, Grips, Handle, Hands, LivePulling, Part, Pulling,
        },
    },
    workspace::Workspace,
};
use lariat_editor::handle::Moves;
use lariat_scene::Thing;

/// Radius of a handle, in points.
const RADIUS: f32 = 5.0;

/// Paints handles, arrows and the words of the gesture; shows switches and offers.
pub(super) fn show(
    ui: &Ui,
    eye: &Eye,
    grips: &Grips,
    hovered: Option<usize>,
    hands: &mut Hands,
    workspace: &mut Workspace,
    actions: &mut Actions,
) {
    let painter = ui.painter_at(eye.rect);
    let colours = theme::of(ui);
    let pointer = ui.input(|input| input.pointer.hover_pos());
    if let Some((constraint, through)) = hands.gesture.as_ref().and_then(Gesture::constraint) {
        constraint_lines(&painter, eye, constraint, through);
    }
    let is_placing = matches!(hands.gesture, Some(Gesture::Place(_)));
    if let (Some(gizmo), None) = (&grips.gizmo, &hands.gesture) {
        let part =
            pointer.and_then(|pointer| grips.part_at(eye, pointer)).filter(|_| hovered.is_none());
        arrows(&painter, eye, gizmo, part);
    }
    for (index, one) in grips.handles.iter().enumerate() {
        dot(&painter, one, hovered == Some(index), &colours);
    }
    if let (Some(index), None) = (hovered, &hands.gesture) {
        let one = &grips.handles[index];
        words_at(&painter, one.at + vec2(12.0, -12.0), &one.label, &colours);
    }
    if is_placing && let Some(pointer) = pointer.filter(|at| eye.rect.contains(*at)) {
        let stroke = Stroke::new(1.5, colours.accent);
        painter.circle_stroke(pointer, RADIUS, stroke);
        ui.ctx().set_cursor_icon(egui::CursorIcon::Crosshair);
    }
    if let Some(gesture) = &hands.gesture {
        let words = gesture.words();
        let at = eye.rect.center_bottom() - vec2(0.0, 14.0);
        let hint = match gesture {
            Gesture::Place(_) => "Esc cancels",
            _ => "X Y Z axis · Shift plane · Ctrl snap · Esc cancels",
        };
        banner(&painter, at, &words, hint, &colours);
        if let Gesture::Pull(pulling) = gesture {
            ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
            pull_marks(&painter, eye, pulling, pointer, &colours);
        }
        if let (Gesture::Live(pulling), Some(pointer)) = (gesture, pointer) {
            ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
            live_marks(&painter, eye, pulling, pointer, &colours);
        }
    }
    switches(ui, eye, hands, workspace);
    offer(ui, eye, hands, actions);
}

fn dot(painter: &Painter, one: &Handle, is_hovered: bool, colours: &Colours) {
    let radius = if is_hovered { RADIUS + 1.5 } else { RADIUS };
    let fill = match (is_hovered, one.is_selected) {
        (true, _) => colours.accent,
        (false, true) => Color32::WHITE,
        (false, false) => colours.panel,
    };
    let ring =
        Stroke::new(1.5, if one.is_selected || is_hovered { colours.accent } else { colours.weak });
    // A thin dark line keeps a dot apart from any background.
    let edge = Stroke::new(radius_edge(is_hovered), Color32::from_black_alpha(90));
    let (at, small) = (one.at, if one.is_selected { radius } else { radius - 1.0 });
    match (one.handle.thing, &one.handle.moves) {
        (Thing::Locator, _) | (_, Moves::Locator(_)) => {
            let r = small + 1.0;
            let points =
                vec![at - vec2(0.0, r), at + vec2(r, 0.0), at + vec2(0.0, r), at - vec2(r, 0.0)];
            painter.add(Shape::convex_polygon(points.clone(), fill, edge));
            painter.add(Shape::convex_polygon(points, Color32::TRANSPARENT, ring));
        }
        (Thing::Camera | Thing::Collider, _) | (_, Moves::Along(_)) => {
            let square = Rect::from_center_size(at, egui::Vec2::splat(2.0 * small - 1.0));
            painter.rect(square, 1.5, fill, ring, egui::StrokeKind::Middle);
        }
        _ => {
            painter.circle(at, small + 0.75, fill, edge);
            painter.circle_stroke(at, small, ring);
        }
    }
}

fn radius_edge(is_hovered: bool) -> f32 {
    if is_hovered { 2.0 } else { 1.5 }
}

fn arrows(painter: &Painter, eye: &Eye, gizmo: &Gizmo, hovered: Option<Part>) {
    for axis in 0..3 {
        let shade = |part: Part| match hovered {
            Some(other) if other == part => (3.5, theme::AXES[axis]),
            Some(_) => (1.5, theme::AXES[axis].gamma_multiply(0.5)),
            None => (2.0, theme::AXES[axis]),
        };
        if gizmo.rotation.is_some() {
            let (width, colour) = shade(Part::Ring(axis));
            let ring: Vec<Pos2> = gizmo.ring(axis).iter().filter_map(|p| eye.project(*p)).collect();
            painter.add(Shape::line(ring, Stroke::new(width - 0.5, colour.gamma_multiply(0.8))));
        }
        let (width, colour) = shade(Part::Arrow(axis));
        let [a, b] = gizmo.arrow(axis).map(|p| eye.project(p));
        let (Some(a), Some(b)) = (a, b) else { continue };
        // An axis that points at the eye has no arrow.
        if a.distance(b) < 6.0 {
            continue;
        }
        let along = (b - a).normalized();
        let across = vec2(-along.y, along.x);
        painter.line_segment([a, b - along * 6.0], Stroke::new(width, colour));
        let tip =
            vec![b + along * 3.0, b - along * 8.0 + across * 4.5, b - along * 8.0 - across * 4.5];
        painter.add(Shape::convex_polygon(tip, colour, Stroke::NONE));
    }
}

/// Lines along the axes in which a motion is possible.
fn constraint_lines(painter: &Painter, eye: &Eye, constraint: Constraint, through: glam::DVec3) {
    let axes: &[usize] = match constraint {
        Constraint::Free => &[],
        Constraint::Axis(axis) => &[[0], [1], [2]][axis],
        Constraint::Plane(axis) => &[[1, 2], [0, 2], [0, 1]][axis],
    };
    let far = 400.0 * eye.point_size(through);
    for axis in axes {
        // In pieces, since an end may be behind the eye.
        let at = |k: i32| eye.project(through + AXES[*axis] * (far * f64::from(k) / 10.0));
        for k in -10..10 {
            if let (Some(a), Some(b)) = (at(k), at(k + 1)) {
                let stroke = Stroke::new(1.0, theme::AXES[*axis].gamma_multiply(0.8));
                painter.line_segment([a, b], stroke);
            }
        }
    }
}

fn pull_marks(
    painter: &Painter,
    eye: &Eye,
    pulling: &Pulling,
    pointer: Option<Pos2>,
    colours: &Colours,
) {
    let Some(pulled) = &pulling.pulled else { return };
    let Some(at) = eye.project(pulled.point) else { return };
    let colour = if pulling.is_short { colours.warning } else { colours.accent };
    painter.circle(at, RADIUS, Color32::WHITE, Stroke::new(2.0, colour));
    if let (true, Some(pointer)) = (pulling.is_short, pointer) {
        let dashes = Shape::dashed_line(&[at, pointer], Stroke::new(1.5, colour), 5.0, 4.0);
        painter.extend(dashes);
        let words = format!("{} m out of reach", label::number(pulled.remaining));
        words_at(painter, pointer + vec2(14.0, 10.0), &words, colours);
    }
}

/// A line from the held point to the pointer, and how far that is.
fn live_marks(
    painter: &Painter,
    eye: &Eye,
    pulling: &LivePulling,
    pointer: Pos2,
    colours: &Colours,
) {
    let Some([at, to]) = pulling.line(eye, pointer) else { return };
    painter.line_segment([at, to], Stroke::new(1.5, colours.accent));
    painter.circle(at, RADIUS, Color32::WHITE, Stroke::new(2.0, colours.accent));
    if at.distance(to) > 2.0 * RADIUS {
        let words = format!("{} m", label::short(pulling.stretch()));
        words_at(painter, to + vec2(14.0, 10.0), &words, colours);
    }
}

fn words_at(painter: &Painter, at: Pos2, words: &str, colours: &Colours) {
    let galley = painter.layout_no_wrap(words.to_owned(), FontId::proportional(11.0), colours.text);
    let rect = Rect::from_min_size(at - vec2(0.0, galley.size().y), galley.size());
    painter.rect_filled(rect.expand2(vec2(6.0, 3.0)), 4.0, colours.panel.gamma_multiply(0.92));
    painter.galley(rect.min, galley, colours.text);
}

fn banner(painter: &Painter, at: Pos2, words: &str, hint: &str, colours: &Colours) {
    let font = FontId::proportional(13.0);
    let words = painter.layout_no_wrap(words.to_owned(), font, colours.text);
    let hint = painter.layout_no_wrap(hint.to_owned(), FontId::proportional(11.0), colours.weak);
    let width = words.size().x.max(hint.size().x);
    let size = vec2(width, words.size().y + hint.size().y + 2.0);
    let rect = Align2::CENTER_BOTTOM.anchor_size(at, size);
    painter.rect_filled(rect.expand2(vec2(12.0, 7.0)), 6.0, colours.panel.gamma_multiply(0.94));
    let middle = |width: f32| rect.center().x - 0.5 * width;
    let below = rect.min.y + words.size().y + 2.0;
    painter.galley(Pos2::new(middle(words.size().x), rect.min.y), words, colours.text);
    painter.galley(Pos2::new(middle(hint.size().x), below), hint, colours.weak);
}

/// Switches of the parameters that a pull may change: during it, and after it until the next click.
fn switches(ui: &Ui, eye: &Eye, hands: &mut Hands, workspace: &mut Workspace) {
    if let Some(Gesture::Pull(pulling)) = &hands.gesture {
        let mut keys: Vec<(String, bool)> = Vec::new();
        for one in pulling.parameters() {
            if !keys.iter().any(|(key, _)| *key == one.key) {
                keys.push((one.key.clone(), one.allowed));
            }
        }
        hands.switches = Some((pulling.body().to_owned(), keys));
    }
    let is_active = |body: &str| workspace.active().is_some_and(|one| one.name == body);
    let Some((_, switches)) = hands.switches.as_mut().filter(|(body, _)| is_active(body)) else {
        hands.switches = None;
        return;
    };
    let at = eye.rect.left_top() + vec2(SPACE, SPACE);
    Area::new(Id::unique("pull switches")).order(Order::Middle).fixed_pos(at).show(
        ui.ctx(),
        |ui| {
            let colours = theme::of(ui);
            let frame = Frame::new()
                .fill(colours.panel.gamma_multiply(0.92))
                .corner_radius(6)
                .inner_margin(GAP);
            frame.show(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = GAP;
                    ui.label(RichText::new("Pull changes").small().color(colours.weak));
                    for (key, is_on) in switches {
                        let words = RichText::new(label::words(key)).small();
                        let switch = ui.selectable_label(*is_on, words);
                        if switch.on_hover_text("Whether pulling a body may change it").clicked() {
                            *is_on = !*is_on;
                            workspace.pull_switches.insert(key.clone(), *is_on);
                        }
                    }
                });
            });
        },
    );
}

/// A button with what a drag can become. A click elsewhere drops it.
fn offer(ui: &Ui, eye: &Eye, hands: &mut Hands, actions: &mut Actions) {
    let Some(offer) = hands.offer.clone() else { return };
    let at = offer.at.clamp(eye.rect.min, eye.rect.max - vec2(160.0, 40.0)) + vec2(12.0, 12.0);
    let area = Area::new(Id::unique("offer")).order(Order::Middle).fixed_pos(at);
    let shown = area.show(ui.ctx(), |ui| {
        Frame::popup(ui.style()).show(ui, |ui| ui.button(&offer.label).clicked()).inner
    });
    if shown.inner {
        actions.push(Action::Apply { name: offer.entry, edit: offer.edit });
    }
    if shown.inner || shown.response.clicked_elsewhere() {
        hands.offer = None;
    }
}
