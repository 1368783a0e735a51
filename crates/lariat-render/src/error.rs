//! Errors of rendering, with the numbers.

/// Error of a renderer.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The picture has no pixels.
    #[error("a picture of {width}x{height} pixels is empty; width and height must be at least 1")]
    Empty {
        /// Width, in pixels.
        width: u32,
        /// Height, in pixels.
        height: u32,
    },
    /// The picture would not fit into memory.
    #[error("a picture of {width}x{height} pixels is too large; the limit is {most} pixels")]
    TooLarge {
        /// Width, in pixels.
        width: u32,
        /// Height, in pixels.
        height: u32,
        /// The limit, in pixels.
        most: u64,
    },
    /// The camera is invalid.
    #[error("invalid camera: {reason}")]
    Camera {
        /// Reason, with numbers.
        reason: String,
    },
    /// A mesh has a position that is not finite.
    #[error("position of mesh `{mesh}` is {value} at point {point}; expected a finite number")]
    MeshNotFinite {
        /// Name of the mesh.
        mesh: String,
        /// Index of the point.
        point: usize,
        /// Value found.
        value: f64,
    },
    /// A strand has a value that is not finite.
    #[error("{what} of strand `{strand}` is {value} at point {point}; expected a finite number")]
    NotFinite {
        /// Name of the strand.
        strand: String,
        /// Index of the point.
        point: usize,
        /// Position, radius, twist, frame or colour.
        what: &'static str,
        /// Value found.
        value: f64,
    },
    /// The number of colours differs from the number of points.
    #[error("the colour map of strand `{strand}` has {colours} colours for {points} points")]
    Map {
        /// Name of the strand.
        strand: String,
        /// Number of points.
        points: usize,
        /// Number of colours.
        colours: usize,
    },
    /// The view has no moments.
    #[error("no moment to draw; a view needs at least one")]
    NoMoment,
    /// Too many pieces of strand.
    #[error("{pieces} pieces of strand exceed the limit of {most} per picture")]
    TooMany {
        /// Number found.
        pieces: usize,
        /// Limit.
        most: usize,
    },
    /// The number of samples is out of range.
    #[error("{samples} samples or rays per pixel are out of range; supported: 1 to {most}")]
    Quality {
        /// Requested value.
        samples: u32,
        /// Limit.
        most: u32,
    },
    /// The picture has another size than its cell of a contact sheet.
    #[error(
        "a picture of {found_width}x{found_height} pixels does not fit a cell of {width}x{height}"
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
    /// The contact sheet has no such cell.
    #[error("cell {index} is out of range; the sheet has {count} cells")]
    NoCell {
        /// Requested cell, counted from 0.
        index: usize,
        /// Number of cells.
        count: usize,
    },
    /// The crate was built without the feature `gpu`.
    #[error("this build cannot draw on a graphics card")]
    GpuNotBuilt,
    /// No graphics card is available.
    #[error("no graphics card found: {reason}")]
    NoGpu {
        /// Reason.
        reason: String,
    },
    /// The graphics card reported an error.
    #[error("error of the graphics card: {reason}")]
    Gpu {
        /// Message of the driver.
        reason: String,
    },
    /// The graphics device was lost: its driver was reset or removed, or it was destroyed.
    #[error("the graphics device was lost; create another device and another renderer on it")]
    GpuLost,
    /// The picture is too large for the graphics card.
    #[error(
        "a picture of {width}x{height} pixels is too large for the graphics card; the limit is \
         {longest}x{longest}"
    )]
    TooLargeForGpu {
        /// Width, in pixels.
        width: u32,
        /// Height, in pixels.
        height: u32,
        /// Largest width and height.
        longest: u32,
    },
    /// The picture could not be written.
    #[error("cannot write the picture: {0}")]
    Write(#[from] std::io::Error),
}
