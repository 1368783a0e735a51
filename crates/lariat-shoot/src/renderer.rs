//! Choice of the renderer: the graphics card if there is one, otherwise the CPU.
//!
//! Software drivers that emulate a card are used only on request; the CPU renderer gives exactly
//! what they approximate.
//!
//! Tests: `the_cpu_is_always_available`.

#[cfg(feature = "gpu")]
use lariat_render::GpuRenderer;
use lariat_render::{CpuRenderer, RenderError, Renderer, Size};

/// Requested renderer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RendererChoice {
    /// The graphics card if there is one that can draw the picture, otherwise the CPU.
    #[default]
    Auto,
    /// The graphics card, through Vulkan or OpenGL; an error if there is none.
    Gpu,
    /// The CPU: the same bytes on every machine.
    Cpu,
}

/// A renderer that is ready to draw.
pub struct OpenRenderer {
    /// The renderer.
    pub renderer: Box<dyn Renderer + Send>,
    /// Name of the graphics card; `None` for the CPU.
    pub card: Option<String>,
}

impl RendererChoice {
    /// Opens the renderer for pictures of a size.
    pub fn open(self, size: Size) -> Result<OpenRenderer, RenderError> {
        let on_card = self.open_card(size)?;
        Ok(on_card
            .unwrap_or_else(|| OpenRenderer { renderer: Box::new(CpuRenderer::new()), card: None }))
    }

    #[cfg(feature = "gpu")]
    fn open_card(self, size: Size) -> Result<Option<OpenRenderer>, RenderError> {
        let gpu = match self {
            Self::Auto if may_have_card() => GpuRenderer::of_hardware()
                .ok()
                .filter(|gpu| size.width().max(size.height()) <= gpu.longest_side()),
            Self::Gpu => Some(GpuRenderer::new()?),
            Self::Auto | Self::Cpu => None,
        };
        Ok(gpu.map(|gpu| {
            let card = Some(gpu.card().to_owned());
            OpenRenderer { renderer: Box::new(gpu), card }
        }))
    }

    #[cfg(not(feature = "gpu"))]
    fn open_card(self, _: Size) -> Result<Option<OpenRenderer>, RenderError> {
        if self == Self::Gpu { Err(RenderError::GpuNotBuilt) } else { Ok(None) }
    }
}

/// Whether the machine may have a graphics card. Linux lists cards as files; without one, drivers
/// print warnings when queried.
#[cfg(feature = "gpu")]
fn may_have_card() -> bool {
    let files = ["/dev/dri", "/dev/nvidiactl", "/dev/dxg"];
    !cfg!(target_os = "linux") || files.iter().any(|file| std::path::Path::new(file).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_is_always_available() {
        let Ok(open) = RendererChoice::Cpu.open(Size::new(1, 1).unwrap()) else {
            panic!("the CPU renderer needs no card")
        };
        assert_eq!((open.renderer.name(), open.card), ("cpu", None));
    }
}
