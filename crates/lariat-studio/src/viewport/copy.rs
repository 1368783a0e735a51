//! The picture as an image for other programs: drawn again without grid, outlines and handles, and
//! taken when the device has finished it, some passes later.
//!
//! Tests: `crates/lariat-studio/tests/studio/view.rs`.

use egui::ColorImage;
use lariat_render::{
    PendingPicture, RenderError,
    overlay::{Canvas, Legend},
};

use super::ScenePicture;

/// A copy that is asked for, or on its way.
#[derive(Debug, Default)]
pub(crate) struct Copying {
    pub(crate) is_wanted: bool,
    pending: Option<(PendingPicture, Option<Legend>)>,
}

impl Copying {
    /// Waits for a picture, which gets a legend.
    pub(crate) fn begin(&mut self, pending: PendingPicture, legend: Option<Legend>) {
        self.pending = Some((pending, legend));
    }

    /// Whether a picture is on its way.
    pub(crate) fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// The image, once the picture is finished.
    pub(crate) fn take(
        &mut self,
        picture: &ScenePicture,
    ) -> Option<Result<ColorImage, RenderError>> {
        let finished = picture.finished(&self.pending.as_ref()?.0)?;
        let (_, legend) = self.pending.take()?;
        Some(finished.map(|mut picture| {
            if let Some(legend) = legend {
                legend.paint(&mut Canvas::new(&mut picture));
            }
            let size = [picture.size().width() as usize, picture.size().height() as usize];
            ColorImage::from_rgba_unmultiplied(size, picture.pixels().as_flattened())
        }))
    }
}
