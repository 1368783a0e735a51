//! `--renderer`, and errors of drawing with the flags that avoid them.

use lariat_render::{RenderError, movie::MovieError};
use lariat_shoot::{RendererChoice, ShootError};

use crate::exit::Failure;

/// Renderer as it is named on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RendererFlag {
    /// The graphics card if there is one, otherwise the processor
    #[default]
    Auto,
    /// The graphics card, through Vulkan or OpenGL
    Gpu,
    /// The processor: the same bytes on every machine
    Cpu,
}

impl From<RendererFlag> for RendererChoice {
    fn from(flag: RendererFlag) -> Self {
        match flag {
            RendererFlag::Auto => Self::Auto,
            RendererFlag::Gpu => Self::Gpu,
            RendererFlag::Cpu => Self::Cpu,
        }
    }
}

/// `drawn by` a graphics card of this name, or the processor.
pub(crate) fn drawn_by(card: Option<&str>) -> String {
    format!("drawn by {}", card.unwrap_or("the processor"))
}

impl From<ShootError> for Failure {
    fn from(error: ShootError) -> Self {
        match error {
            ShootError::Render(error) => error.into(),
            ShootError::Movie(error) => error.into(),
            ShootError::File(error) => error.into(),
            ShootError::Cancelled => {
                Self::new("the drawing was stopped, and no unfinished file is left")
            }
            ShootError::SimulationCancelled { .. } => Self::new(format!(
                "{error}, and nothing was written: `lariat simulate` keeps what it has simulated and \
                 continues from there"
            )),
            ShootError::NoTension => Self::new(format!("{error}; try `--show slack`")),
            other => Self::new(other.to_string()),
        }
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        let help = match error {
            RenderError::TooLarge { .. } => "choose a smaller --size",
            RenderError::Camera { .. } => {
                "bring bodies and cameras nearer to the origin, or draw some bodies with --body"
            }
            RenderError::NoGpu { .. }
            | RenderError::Gpu { .. }
            | RenderError::TooLargeForGpu { .. } => "draw with --renderer cpu",
            RenderError::TooMany { .. } => "draw some bodies with --body",
            other => return Self::new(other.to_string()),
        };
        Self::new(format!("{error}; {help}"))
    }
}

impl From<MovieError> for Failure {
    fn from(error: MovieError) -> Self {
        let help = match error {
            MovieError::TooLarge { .. } => "choose a smaller --size",
            MovieError::TooSmall { .. } => "choose a larger --size",
            MovieError::Rate { format: "mp4", .. } => {
                "change `fps`, or draw numbered pictures to `frame-####.png`"
            }
            MovieError::Rate { .. } => "draw to .mp4, or change `fps`",
            MovieError::TooLong { .. } => "choose fewer frames, or a smaller --size",
            other => return Self::new(other.to_string()),
        };
        Self::new(format!("{error}; {help}"))
    }
}
