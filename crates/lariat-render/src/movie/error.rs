//! Errors of movie writing, with the numbers.

use lariat_core::motion::FrameRate;

/// Error of a movie.
#[derive(Debug, thiserror::Error)]
pub enum MovieError {
    /// The picture is larger than the format allows.
    #[error(
        "a .{format} of {width} by {height} pixels is too large: {longer} by {shorter} are the most, upright or lying"
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
    #[error(
        "a .{format} of {width} by {height} pixels is too small: both sides must be {least} or more"
    )]
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
        "a .{format} cannot run at {rate} frames per second: {least} to {most} are what players follow"
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
    #[error("the step of a .mp4 cannot be {step}: it lies from 12 (finest) to 51")]
    Step {
        /// Requested value.
        step: u8,
    },
    /// The quality is out of range.
    #[error("the quality of a .webp cannot be {quality}: it lies from 0 (worst) to 100")]
    Quality {
        /// Requested value.
        quality: f32,
    },
    /// The picture has another size than the movie.
    #[error(
        "picture {frame} has {found_width} by {found_height} pixels, but the movie has {width} by {height}"
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
    #[error(
        "picture {frame} would make the .{format} longer than {most} bytes, the most it can be"
    )]
    TooLong {
        /// File extension.
        format: &'static str,
        /// Number of the picture, counted from 1.
        frame: u32,
        /// The limit.
        most: u64,
    },
    /// The encoder failed.
    #[error("picture {frame} of the .{format} cannot be encoded: {reason}")]
    Encode {
        /// File extension.
        format: &'static str,
        /// Number of the picture, counted from 1.
        frame: u32,
        /// Message of the encoder.
        reason: String,
    },
    /// The movie could not be written.
    #[error("the movie cannot be written: {0}")]
    Write(#[from] std::io::Error),
}
