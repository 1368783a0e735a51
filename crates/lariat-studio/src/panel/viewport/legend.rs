//! The legend of tension, twist and contact, in the lower left corner of the view.
//!
//! Tests: `crates/lariat-studio/tests/studio/view.rs`.

use egui::{
    Align2, Area, Color32, FontId, Frame, Id, Order, Pos2, Rect, RichText, Sense, Shape, Stroke,
    Ui, pos2, vec2,
};
use lariat_eval::Touched;
use lariat_render::overlay::{Legend, UNKNOWN, bytes_of};
use lariat_shoot::BodyPart;

use crate::{
    label,
    panel::PanelContext,
    theme::{self, GAP, SPACE},
    viewport::Eye,
    workspace::Overlay,
};

/// Width and height of the bar, in points.
const BAR: (f32, f32) = (220.0, 10.0);

/// Shows the legend of the overlay, with a marker for the part under the pointer.
pub(super) fn show(
    ui: &Ui,
    eye: &Eye,
    context: &mut PanelContext<'_>,
    under: Option<(BodyPart, f64)>,
) {
    let Some(overlay) = context.workspace.overlay else { return };
    let at = eye.rect.left_bottom() + vec2(SPACE, -SPACE);
    let area = Area::new(Id::unique("legend")).order(Order::Middle);
    area.pivot(Align2::LEFT_BOTTOM).fixed_pos(at).show(ui.ctx(), |ui| {
        let fill = theme::of(ui).panel.gamma_multiply(0.94);
        Frame::new().fill(fill).corner_radius(6).inner_margin(SPACE).show(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(SPACE, GAP);
            match overlay {
                Overlay::Contact => contacts(ui, context),
                Overlay::Tension | Overlay::Twist => measured(ui, overlay, context, under),
            }
        });
    });
}

fn measured(
    ui: &mut Ui,
    overlay: Overlay,
    context: &mut PanelContext<'_>,
    under: Option<(BodyPart, f64)>,
) {
    let state = &mut context.state.viewport.measured;
    let Some(legend) = state.legend() else {
        ui.label(RichText::new(overlay.name()).strong());
        let why = match overlay {
            Overlay::Tension => "Nothing here has a tension: simulate a rope, or hang one.",
            _ => "Nothing here has a twist: simulate a string, or add a twist layer.",
        };
        ui.set_max_width(BAR.0);
        ui.label(RichText::new(why).small().color(theme::of(ui).weak));
        return;
    };
    let pose = context.session.shown();
    let value = under.zip(pose).and_then(|((part, u), pose)| {
        state.value(pose.bodies.get(part.body)?.strands.get(part.strand?)?, u)
    });
    ui.horizontal(|ui| {
        ui.label(RichText::new(overlay.name()).strong());
        ui.label(RichText::new(&legend.unit).small().color(theme::of(ui).weak));
        if let Some(value) = value {
            let left = egui::Layout::right_to_left(egui::Align::Center);
            ui.allocate_ui_with_layout(vec2(ui.available_width(), 0.0), left, |ui| {
                ui.label(RichText::new(label::short(value)).strong());
            });
        }
    });
    if bar(ui, overlay, &legend, value) {
        state.fit();
        ui.ctx().request_repaint();
    }
    if state.has_unknown() {
        let [r, g, b] = UNKNOWN;
        let colour = Color32::from(egui::Rgba::from_rgb(r, g, b));
        key(ui, colour, &format!("no {} known", overlay.name().to_lowercase()));
    }
}

/// The colours with their numbers; true if it was clicked.
fn bar(ui: &mut Ui, overlay: Overlay, legend: &Legend, value: Option<f64>) -> bool {
    let (width, height) = BAR;
    let (rect, response) = ui.allocate_exact_size(vec2(width, height + 20.0), Sense::click());
    let bar = Rect::from_min_size(rect.min + vec2(0.0, 4.0), vec2(width, height));
    let words = format!(
        "{}, {} to {} {}",
        overlay.name(),
        label::short(legend.low),
        label::short(legend.high),
        legend.unit
    );
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &words));
    let painter = ui.painter();
    let colours = theme::of(ui);
    let columns = width as usize;
    for column in 0..columns {
        let share = (column as f64 + 0.5) / columns as f64;
        let [r, g, b] = bytes_of(share);
        let x = bar.min.x + column as f32;
        // One point wider, so that no gap is left between columns.
        let strip =
            Rect::from_min_max(pos2(x, bar.min.y), pos2((x + 1.5).min(bar.max.x), bar.max.y));
        painter.rect_filled(strip, 0.0, Color32::from_rgb(r, g, b));
    }
    let place = |value: f64| bar.min.x + width * legend.place(value).clamp(0.0, 1.0) as f32;
    let mut free = f32::NEG_INFINITY;
    for (value, text) in legend.ticks() {
        let x = place(value);
        let text = painter.layout_no_wrap(text, FontId::proportional(11.0), colours.text);
        let left = (x - 0.5 * text.size().x).clamp(rect.min.x, rect.max.x - text.size().x);
        if left > free {
            let stroke = Stroke::new(1.0, colours.weak);
            painter.line_segment([pos2(x, bar.max.y), pos2(x, bar.max.y + 3.0)], stroke);
            free = left + text.size().x + 6.0;
            painter.galley(pos2(left, bar.max.y + 3.0), text, colours.text);
        }
    }
    if let Some(value) = value {
        marker(ui, pos2(place(value), bar.min.y), bar.max.y);
    }
    let help =
        "The range of the frames shown since the last change. Click to fit it to this frame.";
    response.on_hover_text(help).clicked()
}

/// A line across the bar with a tip above it.
fn marker(ui: &Ui, at: Pos2, bottom: f32) {
    let colour = theme::of(ui).text;
    let painter = ui.painter();
    painter.line_segment([at, pos2(at.x, bottom)], Stroke::new(1.5, colour));
    let tip = vec![at + vec2(0.0, 1.0), at + vec2(-4.0, -5.0), at + vec2(4.0, -5.0)];
    painter.add(Shape::convex_polygon(tip, colour, Stroke::NONE));
}

fn contacts(ui: &mut Ui, context: &PanelContext<'_>) {
    let found = &context.state.viewport.contacts.found;
    let obstacles = found.iter().filter(|one| one.with == Touched::Obstacle).count();
    ui.label(RichText::new(Overlay::Contact.name()).strong());
    let of = |count: usize, with: &str| match count {
        0 => format!("none with {with}"),
        1 => format!("1 point with {with}"),
        many => format!("{many} points with {with}"),
    };
    key(ui, theme::CONTACTS[0], &of(found.len() - obstacles, "ropes"));
    key(ui, theme::CONTACTS[1], &of(obstacles, "floors, colliders and solids"));
}

/// A coloured dot with its meaning.
fn key(ui: &mut Ui, colour: Color32, words: &str) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(10.0, 14.0), Sense::hover());
        ui.painter().circle_filled(rect.center(), 4.0, colour);
        ui.label(RichText::new(words).small());
    });
}
