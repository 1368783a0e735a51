//! Cards: a picture, a title, what it shows.

use std::sync::Arc;

use egui::{
    Color32, CornerRadius, FontId, Galley, Image, Rect, Response, Role, Sense, Stroke, StrokeKind,
    Ui, Vec2, WidgetInfo, load::SizedTexture, pos2, text::LayoutJob, vec2,
};

use super::{entry::Entry, pictures::Pictures};
use crate::{
    label,
    theme::{self, GAP, SPACE},
};

/// Width of a card: that of its picture, which is sharpest at this size.
pub(super) const WIDTH: f32 = lariat_museum::THUMBNAIL_SIZE[0] as f32;

/// Height of the picture of a card.
const PICTURE: f32 = lariat_museum::THUMBNAIL_SIZE[1] as f32;

/// Most lines of a title, and of a description.
const LINES: usize = 2;

/// Height below the picture: title and description, name, margins.
const TEXT: f32 = 92.0;

/// Height of a card without a picture.
const SMALL: f32 = 48.0;

const ROUND: u8 = 8;

/// A scene or a recipe.
pub(super) fn card(ui: &mut Ui, entry: &Entry, pictures: &mut Pictures) -> Response {
    let (rect, response) = base(ui, vec2(WIDTH, PICTURE + TEXT), entry.title);
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let colours = theme::of(ui);
    let (above, below) = rect.split_top_bottom_at_y(rect.top() + PICTURE);
    let top = CornerRadius { nw: ROUND, ne: ROUND, sw: 0, se: 0 };
    match pictures.of(ui.ctx(), entry.name) {
        Some(id) => {
            Image::new(SizedTexture::new(id, above.size())).corner_radius(top).paint_at(ui, above);
        }
        None => drop(ui.painter().rect_filled(above, top, colours.control)),
    }
    outline(ui, rect, &response);
    let inner = below.shrink(SPACE);
    let title = text(ui, entry.title, 13.0, colours.text, LINES);
    let about = text(ui, &label::sentence(entry.about), 11.0, colours.weak, LINES);
    let name = text(ui, entry.name, 11.0, colours.weak.gamma_multiply(0.75), 1);
    let (at, height) = (inner.left_top(), title.size().y);
    ui.painter().galley(at, title, colours.text);
    ui.painter().galley(at + vec2(0.0, height + 2.0), about, colours.weak);
    let bottom = pos2(inner.left(), inner.bottom() - name.size().y);
    ui.painter().galley(bottom, name, colours.weak);
    response.on_hover_text(label::sentence(entry.about))
}

/// A file that was open before.
pub(super) fn file(ui: &mut Ui, place: &str) -> Response {
    let at = place.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let (folder, name) = place.split_at(at);
    let (rect, response) = base(ui, vec2(WIDTH, SMALL), name);
    let colours = theme::of(ui);
    outline(ui, rect, &response);
    let inner = rect.shrink2(vec2(SPACE, GAP));
    let title = text(ui, name, 13.0, colours.text, 1);
    // The end of a long path says more than its beginning.
    let mut shown = folder.trim_end_matches(['/', '\\']).to_owned();
    let mut line = text(ui, &shown, 11.0, colours.weak, 1);
    while line.elided && !shown.is_empty() {
        let cut: String = shown.trim_start_matches('…').chars().skip(4).collect();
        if cut.is_empty() {
            break;
        }
        shown = format!("…{cut}");
        line = text(ui, &shown, 11.0, colours.weak, 1);
    }
    let height = title.size().y + line.size().y;
    let top = inner.left_center() - vec2(0.0, 0.5 * height);
    let second = top + vec2(0.0, title.size().y);
    ui.painter().galley(top, title, colours.text);
    ui.painter().galley(second, line, colours.weak);
    response.on_hover_text(place)
}

/// Ground of a card that can be clicked, and has the focus with Tab and arrows.
fn base(ui: &mut Ui, size: Vec2, title: &str) -> (Rect, Response) {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, title));
    let colours = theme::of(ui);
    let fill = if response.hovered() { colours.control } else { colours.well };
    ui.painter().rect_filled(rect, ROUND, fill);
    (rect, response)
}

fn outline(ui: &Ui, rect: Rect, response: &Response) {
    let colours = theme::of(ui);
    let stroke = match () {
        () if response.has_focus() => Stroke::new(2.0, colours.accent),
        () if response.hovered() => Stroke::new(1.0, colours.weak),
        () => Stroke::new(1.0, colours.line),
    };
    ui.painter().rect_stroke(rect, ROUND, stroke, StrokeKind::Inside);
}

/// Text in the width of a card, in at most a number of lines.
fn text(ui: &Ui, text: &str, size: f32, colour: Color32, lines: usize) -> Arc<Galley> {
    let font = FontId::proportional(size);
    let mut job = LayoutJob::simple(text.to_owned(), font, colour, WIDTH - 2.0 * SPACE);
    job.wrap.max_rows = lines;
    // A path has no spaces to break at.
    job.wrap.break_anywhere = lines == 1;
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}
