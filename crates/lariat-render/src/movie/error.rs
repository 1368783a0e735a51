//! Errors of movie writing, with the numbers.

use lariat_core::motion::FrameRate;

/// Error of a movie.
#[derive(Debug, thiserror::Error)]
pub enum MovieError {
    /// The encoder was left out when the crate was built.
    #[error("this build cannot write .{format} files")]
    NotBuilt {
        /// File extension, and the name of the missing feature.
        format: &'static str,
    },
    /// The picture is larger than the format allows.
    #[error(
        "a .{format} of {width}x{height} pixels is too large; the limit is {longer}x{shorter}, upright or sideways"
    )]
    TooLarge {
        /// File extension.
        format: &'static str,
        /// Width, in pixels.
        width: u32,
        /// Height, in pixels.
        height: u32,
        /// Limit of the longer side.
        longer: u32,
        /// Limit of the shorter side.
        shorter: u32,
    },
    /// The picture is smaller than the encoder allows.
    #[error("a .{format} of {width}x{height} pixels is too small; the minimum is {least}x{least}")]
    TooSmall {
        /// File extension.
        format: &'static str,
        /// Width, in pixels.
        width: u32,
        /// Height, in pixels.
        height: u32,
        /// The limit.
        least: u32,
    },
    /// The frame rate is out of range.
    #[error(
        "a .{format} cannot play at {rate} frames per second; players support {least} to {most}"
    )]
    Rate {
        /// File extension.
        format: &'static str,
        /// Requested value.
        rate: FrameRate,
        /// Lowest frame rate, per second.
        least: f64,
        /// Highest frame rate, per second.
        most: f64,
    },
    /// The quantisation step is out of range.
    #[error("the quantisation step of a .mp4 cannot be {step}; expected 12 (finest) to 51")]
    Step {
        /// Requested value.
        step: u8,
    },
    /// The quality is out of range.
    #[error("the quality of a .webp cannot be {quality}; expected 0 (worst) to 100")]
    Quality {
        /// Requested value.
        quality: f32,
    },
    /// The picture has another size than the movie.
    #[error(
        "picture {frame} has {found_width}x{found_height} pixels, but the movie has {width}x{height}"
    )]
    SizeChanged {
        /// Number of the picture, counted from 1.
        frame: u32,
        /// Width of the movie.
        width: u32,
        /// Height of the movie.
        height: u32,
        /// Width of the picture.
        found_width: u32,
        /// Height of the picture.
        found_height: u32,
    },
    /// More pictures than the settings allow.
    #[error("the movie was started for {frames} pictures; one more was added")]
    TooMany {
        /// Number of pictures in the settings.
        frames: u32,
    },
    /// The movie has no pictures.
    #[error("a .{format} needs at least one picture")]
    NoPictures {
        /// File extension.
        format: &'static str,
    },
    /// The file is larger than the format allows.
    #[error("picture {frame} would exceed the size limit of a .{format}, {most} bytes")]
    TooLong {
        /// File extension.
        format: &'static str,
        /// Number of the picture, counted from 1.
        frame: u32,
        /// The limit.
        most: u64,
    },
    /// The encoder failed.
    #[error("cannot encode picture {frame} of the .{format}: {reason}")]
    Encode {
        /// File extension.
        format: &'static str,
        /// Number of the picture, counted from 1.
        frame: u32,
        /// Message of the encoder.
        reason: String,
    },
    /// The movie could not be written.
    #[error("cannot write the movie: {0}")]
    Write(#[from] std::io::Error),
}
