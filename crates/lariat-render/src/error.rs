//! What can go wrong between strands and a picture, with the numbers.

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A side of the picture is nothing.
    #[error(
        "a picture of {width} by {height} pixels has nothing to show: both sides must be 1 or more"
    )]
    Empty {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// The picture would not fit into memory.
    #[error("a picture of {width} by {height} pixels is too large: {most} pixels are the most")]
    TooLarge {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The limit, in pixels.
        most: u64,
    },
    /// The camera cannot see.
    #[error("the camera cannot look: {reason}")]
    Camera {
        /// What is wrong with it, with its numbers.
        reason: String,
    },
    /// A mesh has a place that is no number.
    #[error("mesh `{mesh}` has {value} for its position at point {point}, which cannot be drawn")]
    MeshNotFinite {
        /// Name of the mesh.
        mesh: String,
        /// Index of the point.
        point: usize,
        /// What was found there.
        value: f64,
    },
    /// A strand has a place or a radius that is no number.
    #[error("strand `{strand}` has {value} for its {what} at point {point}, which cannot be drawn")]
    NotFinite {
        /// Name of the strand.
        strand: String,
        /// Index of the point.
        point: usize,
        /// Position, radius, twist, frame or colour.
        what: &'static str,
        /// What was found there.
        value: f64,
    },
    /// A colour map that does not fit its strand.
    #[error("the map of strand `{strand}` has {colours} colours for its {points} points")]
    Map {
        /// Name of the strand.
        strand: String,
        /// How many points it has.
        points: usize,
        /// How many colours there are.
        colours: usize,
    },
    /// There is no moment to draw.
    #[error("there is no moment to draw: a view needs one at least")]
    NoMoment,
    /// More pieces of strand than can be told apart.
    #[error("{pieces} pieces of strand are too many for one picture: {most} are the most")]
    TooMany {
        /// How many there are.
        pieces: usize,
        /// The limit.
        most: usize,
    },
    /// A quality without samples.
    #[error("a quality of {samples} samples draws nothing: 1 to {most} do")]
    Quality {
        /// What was asked for.
        samples: u32,
        /// The limit.
        most: u32,
    },
    /// A picture that does not fit its cell of a contact sheet.
    #[error(
        "a picture of {found_width} by {found_height} pixels does not fit a cell of {width} by {height}"
    )]
    Cell {
        /// Width of the cell.
        width: u32,
        /// Height of the cell.
        height: u32,
        /// Width of the picture.
        found_width: u32,
        /// Height of the picture.
        found_height: u32,
    },
    /// There are only so many cells on a contact sheet.
    #[error("cell {index} is not on a sheet of {count}")]
    NoCell {
        /// Which was asked for, counted from 0.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// There is no graphics card to draw with.
    #[error("no graphics card answers: {reason}")]
    NoGpu {
        /// What was heard instead.
        reason: String,
    },
    /// The graphics card gave up.
    #[error("the graphics card cannot draw this: {reason}")]
    Gpu {
        /// What it said.
        reason: String,
    },
    /// The picture is too large for the graphics card.
    #[error(
        "a picture of {width} by {height} pixels is too large for the graphics card: {longest} are \
         the most across and down"
    )]
    TooLargeForGpu {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The limit of both.
        longest: u32,
    },
    /// The picture could not be written down.
    #[error("the picture cannot be written: {0}")]
    Write(#[from] std::io::Error),
}
