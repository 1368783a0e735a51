//! Who draws: the graphics card if there is one, the processor otherwise, and it is said which.
//!
//! A driver that makes the processor pretend to be a card is taken only when the card is asked for:
//! it gives an approximation of what the processor gives exactly.
//!
//! Tests: `the_processor_is_always_there`.

use lariat_render::{CpuRenderer, GpuRenderer, Renderer};

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
    pub(crate) fn open(self) -> Result<(Box<dyn Renderer + Send>, String), Failure> {
        let gpu = match self {
            Self::Auto => GpuRenderer::of_hardware().ok(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_always_there() {
        let Ok((renderer, said)) = Choice::Cpu.open() else { panic!("no card is needed") };
        assert_eq!((renderer.name(), said.as_str()), ("cpu", "drawn by the processor"));
    }
}
