//! A view drawn into a texture of the caller, for windows: nothing is read back.

use crate::{Guides, RenderError, Size, View};

/// A view of a window.
#[derive(Clone, Debug)]
pub struct LiveView<'a> {
    /// The view. Its size is that of the target.
    pub view: View<'a>,
    /// Detail of its shading and its resolution.
    pub detail: Detail,
    /// Lines, points and outlines; highlights are those of the last moment.
    pub guides: Option<&'a Guides>,
}

/// Detail of a live view, for devices that cannot draw the full one at the speed of a movie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detail {
    /// Whether shading is simplified: light of bulbs is computed per vertex and baked for the
    /// ground, patterns are not filtered, and tubes have fewer sides.
    pub simple: bool,
    /// Pixels of the picture per pixel of the target, across and down: 0.25–1. A picture with fewer
    /// is enlarged; guides stay sharp.
    pub scale: f64,
}

impl Detail {
    /// As in a picture.
    pub const FULL: Self = Self { simple: false, scale: 1.0 };
    /// For playback and gestures.
    pub const MOVING: Self = Self { simple: true, scale: 1.0 };
    /// For large views on slow devices.
    pub const COARSE: Self = Self { simple: true, scale: 0.5 };

    /// Size of the picture for a size of the target.
    pub(super) fn picture_size(&self, target: Size) -> Result<Size, RenderError> {
        if self.scale >= 1.0 {
            return Ok(target);
        }
        // Not a number counts as the least.
        let scale = self.scale.max(0.25);
        let scaled = |n: u32| (f64::from(n) * scale).round().max(1.0) as u32;
        Size::new(scaled(target.width()), scaled(target.height()))
    }
}

impl<'a> LiveView<'a> {
    /// A view without any additions.
    pub fn new(view: View<'a>) -> Self {
        Self { view, detail: Detail::FULL, guides: None }
    }
}

/// A texture to draw into; all of its pixels are replaced. Colours are multiplied by alpha.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// View of the texture, which must allow `RENDER_ATTACHMENT`.
    pub view: &'a wgpu::TextureView,
    /// Format of the view. A format that is not sRGB gets encoded colours, as egui expects.
    pub format: wgpu::TextureFormat,
}
