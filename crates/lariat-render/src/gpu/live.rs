//! A view drawn into a texture of the caller, for windows: nothing is read back.

use crate::View;

/// A view of a window.
#[derive(Clone, Debug)]
pub struct LiveView<'a> {
    /// The view. Its size is that of the target.
    pub view: View<'a>,
}

impl<'a> LiveView<'a> {
    /// A view without any additions.
    pub fn new(view: View<'a>) -> Self {
        Self { view }
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
