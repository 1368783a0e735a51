//! What can go wrong between pictures and a movie, with the numbers.

use lariat_core::motion::FrameRate;

/// Why there is no movie.
#[derive(Debug, thiserror::Error)]
pub enum MovieError {
    /// A side is longer than the format can say.
    #[error(
        "a .{format} of {width} by {height} pixels is too large: {longer} by {shorter} are the most, upright or lying"
    )]
    TooLarge {
        /// End of the file's name.
        format: &'static str,
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Limit of the longer side.
        longer: u32,
        /// Limit of the shorter side.
        shorter: u32,
    },
    /// A side is shorter than the encoder can work on.
    #[error(
        "a .{format} of {width} by {height} pixels is too small: both sides must be {least} or more"
    )]
    TooSmall {
        /// End of the file's name.
        format: &'static str,
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The limit.
        least: u32,
    },
    /// Too fast or too slow.
    #[error(
        "a .{format} cannot run at {rate} frames per second: {least} to {most} are what players follow"
    )]
    Rate {
        /// End of the file's name.
        format: &'static str,
        /// What was asked for.
        rate: FrameRate,
        /// The slowest, in frames per second.
        least: f64,
        /// The fastest.
        most: f64,
    },
    /// Not a step of the video encoder.
    #[error("the step of a .mp4 cannot be {step}: it lies from 12 (finest) to 51")]
    Step {
        /// What was asked for.
        step: u8,
    },
    /// Not a quality.
    #[error("the quality of a .webp cannot be {quality}: it lies from 0 (worst) to 100")]
    Quality {
        /// What was asked for.
        quality: f32,
    },
    /// A picture of another size than the movie.
    #[error(
        "picture {frame} has {found_width} by {found_height} pixels, but the movie has {width} by {height}"
    )]
    SizeChanged {
        /// Which picture, counted from 1.
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
    /// More pictures than were announced.
    #[error("the movie was begun for {frames} pictures, and one more came")]
    TooMany {
        /// How many were announced.
        frames: u32,
    },
    /// A movie of nothing.
    #[error("a .{format} needs one picture at least, and none was added")]
    NoPictures {
        /// End of the file's name.
        format: &'static str,
    },
    /// More bytes than the format can count.
    #[error(
        "picture {frame} would make the .{format} longer than {most} bytes, the most it can be"
    )]
    TooLong {
        /// End of the file's name.
        format: &'static str,
        /// Which picture, counted from 1.
        frame: u32,
        /// The limit.
        most: u64,
    },
    /// The encoder gave up.
    #[error("picture {frame} of the .{format} cannot be encoded: {reason}")]
    Encode {
        /// End of the file's name.
        format: &'static str,
        /// Which picture, counted from 1.
        frame: u32,
        /// In the encoder's words.
        reason: String,
    },
    /// The movie could not be written down.
    #[error("the movie cannot be written: {0}")]
    Write(#[from] std::io::Error),
}
