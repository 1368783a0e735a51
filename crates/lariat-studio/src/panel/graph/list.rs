//! Channels beside the plots.

use std::sync::Arc;

use egui::{Align2, FontId, Rect, ScrollArea, Sense, Ui, vec2};

use super::{curve::Curve, plot::Plot};
use crate::{
    action::Action,
    panel::{PanelContext, keys::AnimatedChannel, timeline::choose},
    theme::{self, AXES, GAP},
};
use lariat_editor::ChannelForm;

/// Height of a row, in points.
const LINE: f32 = 20.0;

/// Frequency of a new wiggle, in hertz: a rope of half a metre.
const HERTZ: f64 = 1.0;

/// Shows the channels of the selected things; those with curves have their colour.
pub(super) fn list(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    all: &[AnimatedChannel],
    curves: &[Arc<Curve>],
    rect: Rect,
) {
    let shown: Vec<&AnimatedChannel> =
        all.iter().filter(|channel| channel.owner.is_shown(context.workspace)).collect();
    let builder = egui::UiBuilder::new().max_rect(rect);
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ScrollArea::vertical().auto_shrink(false).show_rows(ui, LINE, shown.len(), |ui, rows| {
            for index in rows {
                let is_first = index == 0 || shown[index - 1].owner != shown[index].owner;
                row(ui, context, shown[index], curves, is_first);
            }
        });
    });
}

fn row(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    channel: &AnimatedChannel,
    curves: &[Arc<Curve>],
    is_first: bool,
) {
    let colours = theme::of(ui);
    let size = vec2(ui.available_width(), LINE);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let label = format!("Channel {}", channel.label);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
    let painter = ui.painter_at(rect.shrink2(vec2(2.0, 0.0)));
    let path = channel.path.to_string();
    let place = curves.iter().position(|curve| curve.channel.path == channel.path);
    if context.workspace.channels.contains(&path) {
        painter.rect_filled(rect, 0.0, colours.accent.gamma_multiply(0.22));
    } else if response.hovered() {
        painter.rect_filled(rect, 0.0, colours.control);
    }
    let centre = rect.left_center() + vec2(11.0, 0.0);
    match place.map(|place| (place, curves[place].parts.len())) {
        Some((place, 1)) => {
            painter.circle_filled(centre, 4.0, Plot::colour(place, &curves[place], 0));
        }
        Some(_) => {
            for (k, colour) in AXES.into_iter().enumerate() {
                painter.circle_filled(centre + vec2(4.5 * (k as f32 - 1.0), 0.0), 2.4, colour);
            }
        }
        None => {
            painter.circle_stroke(centre, 3.5, egui::Stroke::new(1.0, colours.weak));
        }
    }
    let colour = if place.is_some() { colours.text } else { colours.weak };
    let font = FontId::proportional(13.0);
    let name = painter.layout_no_wrap(channel.name.clone(), font, colour);
    let owner = channel.owner.name();
    let at = rect.left_center() + vec2(22.0, -name.size().y / 2.0);
    let end = at.x + name.size().x;
    painter.galley(at, name, colour);
    if is_first && end + 40.0 < rect.right() {
        let clip = Rect::from_x_y_ranges(end + 8.0..=rect.right() - GAP, rect.y_range());
        let right = rect.right_center() - vec2(GAP, 0.0);
        let font = FontId::proportional(11.0);
        painter.with_clip_rect(clip).text(right, Align2::RIGHT_CENTER, owner, font, colours.weak);
    }
    if response.clicked() {
        let adds = ui.input(|input| input.modifiers.shift || input.modifiers.command);
        choose(&mut context.workspace.channels, path, adds);
    }
    response.context_menu(|ui| channel_menu(ui, context, channel));
    response.on_hover_text(format!(
        "{}\nClick for this curve alone, with Shift for more, again for all.",
        channel.label
    ));
}

/// Changes of the whole channel.
fn channel_menu(ui: &mut Ui, context: &mut PanelContext<'_>, channel: &AnimatedChannel) {
    let editor = &context.session.editor;
    let frame = context.workspace.frame;
    let mut asked = None;
    if channel.form != ChannelForm::Wiggly && ui.button("Make it wiggle").clicked() {
        asked =
            Some((format!("Wiggle {}", channel.label), editor.wiggle(&channel.path, frame, HERTZ)));
    }
    if ui.button("Make it constant").clicked() {
        asked = Some((format!("Freeze {}", channel.label), editor.freeze(&channel.path, frame)));
    }
    match asked {
        None => {}
        Some((name, made)) => {
            match made {
                Ok(edit) => context.actions.apply(name, edit),
                Err(error) => context.actions.push(Action::Report(error.to_string())),
            }
            ui.close();
        }
    }
}
