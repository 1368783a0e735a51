//! A small picture of the current frame as it will be rendered.
//!
//! It is drawn in the background whenever something that it shows has changed, but not during a drag.

use egui::{ColorImage, Context, RichText, TextureHandle, TextureOptions, Ui, vec2};
use lariat_render::{Picture, Quality, Size};
use lariat_shoot::ShotCamera;

use crate::{
    host::{Host, PreviewRequest},
    session::Session,
    theme,
};

/// Longer side of the picture, in points.
pub(super) const SIDE: f32 = 300.0;

/// Everything that the picture depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shown {
    /// Counts changes of the document.
    pub(super) revision: u64,
    pub(super) frame: f64,
    /// Size of the rendered pictures, of which the preview has the proportions.
    pub(super) size: [u32; 2],
    pub(super) quality: Quality,
    pub(super) camera: ShotCamera,
}

/// The preview of a render.
#[derive(Default)]
pub(super) struct Preview {
    /// The picture that was asked for last.
    asked: Option<Shown>,
    texture: Option<TextureHandle>,
    error: Option<String>,
}

impl std::fmt::Debug for Preview {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Preview").field("asked", &self.asked).finish_non_exhaustive()
    }
}

impl Preview {
    /// Asks for a new picture if it would differ, and takes one that is ready.
    pub(super) fn update(
        &mut self,
        context: &Context,
        host: &mut dyn Host,
        session: &Session,
        shown: Shown,
    ) {
        match host.preview_result() {
            Some(Ok(picture)) => {
                let image = image(&picture);
                self.error = None;
                let options = TextureOptions::LINEAR;
                match &mut self.texture {
                    Some(texture) => texture.set(image, options),
                    none => *none = Some(context.load_texture("render preview", image, options)),
                }
            }
            Some(Err(why)) => self.error = Some(why),
            None => {}
        }
        let is_dragging = context.input(|input| input.pointer.any_down());
        if self.asked == Some(shown) || is_dragging {
            return;
        }
        let [width, height] = small(shown.size, SIDE * context.pixels_per_point());
        let Ok(size) = Size::new(width, height) else { return };
        self.asked = Some(shown);
        let (scene, lowered) = session.editor.snapshot();
        let Shown { frame, quality, camera, .. } = shown;
        let request = PreviewRequest { scene, lowered, frame, size, quality, camera };
        let again = context.clone();
        if let Err(why) = host.preview(request, Box::new(move || again.request_repaint())) {
            self.error = Some(why);
        }
    }

    /// Shows the picture in the proportions of the rendered ones.
    pub(super) fn show(&self, ui: &mut Ui, size: [u32; 2]) {
        let [width, height] = small(size, SIDE).map(|side| side as f32);
        let colours = theme::of(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(SIDE, height), egui::Sense::hover());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Image, true, "Preview of the current frame")
        });
        let rect = egui::Rect::from_center_size(rect.center(), vec2(width, height));
        ui.painter().rect_filled(rect, 4.0, colours.well);
        let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
        if let Some(texture) = &self.texture {
            ui.painter().image(texture.id(), rect, whole, egui::Color32::WHITE);
        }
        if let Some(error) = &self.error {
            let area = ui.new_child(egui::UiBuilder::new().max_rect(rect.shrink(theme::SPACE)));
            { area }.label(RichText::new(error).small().color(colours.error));
        } else if self.texture.is_none() {
            let font = egui::TextStyle::Small.resolve(ui.style());
            let centre = egui::Align2::CENTER_CENTER;
            ui.painter().text(rect.center(), centre, "Drawing a preview…", font, colours.weak);
        }
    }
}

/// A size with the same proportions, whose longer side has so many pixels.
fn small(size: [u32; 2], longer: f32) -> [u32; 2] {
    let scale = longer / size[0].max(size[1]).max(1) as f32;
    size.map(|side| (side as f32 * scale).round().max(1.0) as u32)
}

fn image(picture: &Picture) -> ColorImage {
    let size = picture.size();
    let size = [size.width() as usize, size.height() as usize];
    ColorImage::from_rgba_unmultiplied(size, picture.pixels().as_flattened())
}
