//! `--renderer`, and drawing errors with their remedies.

use lariat_render::{RenderError, movie::MovieError};
use lariat_shoot::{RendererChoice, ShootError};

use crate::exit::Failure;

/// Renderer, as named on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RendererFlag {
    /// The graphics card if there is one, otherwise the CPU
    #[default]
    Auto,
    /// The graphics card, through Vulkan or OpenGL
    Gpu,
    /// The CPU: the same bytes on every machine
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

/// `rendered by` and the name of the graphics card, or `the CPU`.
pub(crate) fn rendered_by(card: Option<&str>) -> String {
    format!("rendered by {}", card.unwrap_or("the CPU"))
}

impl From<ShootError> for Failure {
    fn from(error: ShootError) -> Self {
        match error {
            ShootError::Render(error) => error.into(),
            ShootError::Movie(error) => error.into(),
            ShootError::File(error) => error.into(),
            ShootError::Cancelled => {
                Self::Interrupted("rendering was cancelled; no incomplete file is left".to_owned())
            }
            ShootError::SimulationCancelled { .. } => Self::Interrupted(format!(
                "{error}, and nothing was written; `lariat simulate` records what it simulates and \
                 can continue after an interruption"
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
                "move bodies and cameras closer to the origin, or select bodies with --body"
            }
            RenderError::GpuNotBuilt => {
                "use --renderer cpu, or build with the feature `gpu`: cargo install --path \
                 crates/lariat-cli"
            }
            RenderError::NoGpu { .. }
            | RenderError::Gpu { .. }
            | RenderError::TooLargeForGpu { .. } => "use --renderer cpu",
            RenderError::TooMany { .. } => "select fewer bodies with --body",
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
                "change `fps`, or write numbered pictures to `frame-####.png`"
            }
            MovieError::Rate { .. } => "write a .mp4, or change `fps`",
            MovieError::NotBuilt { .. } => {
                "write a .mp4 or .gif, or build with the feature `webp`: cargo install --path \
                 crates/lariat-cli"
            }
            MovieError::TooLong { .. } => "choose fewer frames, or a smaller --size",
            other => return Self::new(other.to_string()),
        };
        Self::new(format!("{error}; {help}"))
    }
}
