//! A view drawn into a texture of the caller, for windows: nothing is read back.

use crate::{Guides, View};

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
}

impl Detail {
    /// As in a picture.
    pub const FULL: Self = Self { simple: false };
    /// For playback and gestures.
    pub const MOVING: Self = Self { simple: true };
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
