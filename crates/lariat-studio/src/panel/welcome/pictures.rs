//! Textures of the cards, decoded when their card is seen for the first time.

use std::{collections::BTreeMap, io::Cursor};

use egui::{ColorImage, Context, TextureHandle, TextureId, TextureOptions};

/// Pictures that are decoded in one pass. More: the first pass is late. Fewer: they trickle in.
const AT_ONCE: usize = 4;

/// Pictures of cards that were seen; they are freed with it.
#[derive(Default)]
pub(super) struct Pictures {
    /// None for a picture that cannot be read.
    decoded: BTreeMap<&'static str, Option<TextureHandle>>,
    /// Pictures that were decoded in this pass.
    now: usize,
    /// Whether a card waits for its picture.
    is_waiting: bool,
}

impl std::fmt::Debug for Pictures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pictures").field("decoded", &self.decoded.len()).finish_non_exhaustive()
    }
}

impl Pictures {
    pub(super) fn begin_pass(&mut self) {
        (self.now, self.is_waiting) = (0, false);
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.is_waiting
    }

    /// The picture of a scene or a recipe; none if it comes in a later pass.
    pub(super) fn of(&mut self, context: &Context, name: &'static str) -> Option<TextureId> {
        if !self.decoded.contains_key(name) {
            if self.now == AT_ONCE {
                self.is_waiting = true;
                context.request_repaint();
                return None;
            }
            self.now += 1;
            let image = lariat_museum::thumbnail(name).and_then(image);
            let texture =
                image.map(|image| context.load_texture(name, image, TextureOptions::LINEAR));
            self.decoded.insert(name, texture);
        }
        self.decoded.get(name)?.as_ref().map(TextureHandle::id)
    }
}

fn image(file: &[u8]) -> Option<ColorImage> {
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().ok()?;
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut bytes).ok()?;
    let size = [info.width as usize, info.height as usize];
    let is_rgb = info.color_type == png::ColorType::Rgb && bytes.len() == 3 * size[0] * size[1];
    is_rgb.then(|| ColorImage::from_rgb(size, &bytes))
}
