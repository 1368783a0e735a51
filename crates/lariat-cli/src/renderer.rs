//! Who draws: the graphics card if there is one, the processor otherwise, and it is said which.
//!
//! A driver that makes the processor pretend to be a card is taken only when the card is asked for:
//! it gives an approximation of what the processor gives exactly.
//!
//! Tests: `the_processor_is_always_there`.

use lariat_render::{CpuRenderer, GpuRenderer, Renderer, Size};

use crate::exit::Failure;

/// Who is asked to draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Choice {
    /// The graphics card if there is one, otherwise the processor
    #[default]
    Auto,
    /// The graphics card, through Vulkan or OpenGL
    Gpu,
    /// The processor: the same bytes on every machine
    Cpu,
}

impl Choice {
    /// Who draws, and how it is called in a sentence.
    pub(crate) fn open(self, size: Size) -> Result<(Box<dyn Renderer + Send>, String), Failure> {
        let gpu = match self {
            // A card that cannot draw so large a picture is as good as none.
            Self::Auto if may_have_card() => GpuRenderer::of_hardware()
                .ok()
                .filter(|gpu| size.width().max(size.height()) <= gpu.longest_side()),
            Self::Auto => None,
            Self::Gpu => Some(
                GpuRenderer::new()
                    .map_err(|error| Failure::new(format!("{error}; draw with --renderer cpu")))?,
            ),
            Self::Cpu => None,
        };
        if let Some(gpu) = gpu {
            let name = format!("drawn by {}", gpu.card());
            return Ok((Box::new(gpu), name));
        }
        Ok((Box::new(CpuRenderer::new()), "drawn by the processor".to_owned()))
    }
}

/// Whether it is worth asking. Linux shows every card as a file, and without one the drivers would
/// only complain.
fn may_have_card() -> bool {
    let files = ["/dev/dri", "/dev/nvidiactl", "/dev/dxg"];
    !cfg!(target_os = "linux") || files.iter().any(|file| std::path::Path::new(file).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_always_there() {
        let Ok((renderer, said)) = Choice::Cpu.open(Size::new(1, 1).unwrap()) else {
            panic!("no card is needed")
        };
        assert_eq!((renderer.name(), said.as_str()), ("cpu", "drawn by the processor"));
    }
}
