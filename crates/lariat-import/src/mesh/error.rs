//! Errors of reading meshes, with the line or the accessor.

use lariat_core::geometry::MeshError;
use thiserror::Error;

use super::CORNERS_PER_POINT;

/// Error of reading a mesh.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ImportError {
    /// A word of an OBJ that is not a number.
    #[error("line {line}: `{word}` is not a finite number")]
    NotANumber {
        /// Line number, from 1.
        line: usize,
        /// The word found.
        word: String,
    },
    /// A point of an OBJ with too few numbers.
    #[error("line {line}: a point has {found} coordinates; expected x, y and z")]
    FewNumbers {
        /// Line number, from 1.
        line: usize,
        /// Number of coordinates found.
        found: usize,
    },
    /// A corner of an OBJ that is not an index.
    #[error(
        "line {line}: `{word}` is not a valid face corner; expected a point index, counted from 1"
    )]
    NotACorner {
        /// Line number, from 1.
        line: usize,
        /// The word found.
        word: String,
    },
    /// A corner of an OBJ at an undefined point.
    #[error(
        "line {line}: a face refers to point {point}, but only {points} points are defined so far"
    )]
    NoSuchPoint {
        /// Line number, from 1.
        line: usize,
        /// Index as in the file: from 1, or backwards from −1.
        point: i64,
        /// Number of points defined up to that line.
        points: usize,
    },
    /// A face of an OBJ with one or two corners.
    #[error("line {line}: a face has {corners} corners; expected 3 or more")]
    FewCorners {
        /// Line number, from 1.
        line: usize,
        /// Number of corners.
        corners: usize,
    },
    /// More points than the limit.
    #[error("the mesh has more than {most} points")]
    TooManyPoints {
        /// The limit.
        most: usize,
    },
    /// More corners than the limit: a small file can name the same points many times.
    #[error(
        "the mesh has more than {most} face corners, {CORNERS_PER_POINT} for each of the {points} \
         points allowed"
    )]
    TooManyCorners {
        /// The limit.
        most: usize,
        /// The limit on points.
        points: usize,
    },
    /// A file without faces.
    #[error("the file has {} and no faces", how_many(*points))]
    NoFaces {
        /// Number of points.
        points: usize,
    },
    /// A file that is not glTF 2.0.
    #[error("not a glTF file: {why}")]
    NotGltf {
        /// Reason.
        why: String,
    },
    /// A missing or invalid property of a glTF file.
    #[error("`{place}` {problem}")]
    Gltf {
        /// Path of the property: `accessors[3].bufferView`.
        place: String,
        /// Description of the problem.
        problem: String,
    },
    /// A glTF that requires an unsupported extension.
    #[error("requires the unsupported extension `{name}`; export without it")]
    Extension {
        /// Name of the extension.
        name: String,
    },
    /// A referenced file that cannot be loaded.
    #[error("`{place}` refers to the file `{file}`: {why}")]
    Unread {
        /// Path of the reference: `buffers[0].uri`.
        place: String,
        /// Name of the file.
        file: String,
        /// Reason of the loader.
        why: String,
    },
    /// Inconsistent mesh data.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

/// `no points`, `1 point`, `3 points`.
fn how_many(points: usize) -> String {
    match points {
        0 => "no points".to_owned(),
        1 => "1 point".to_owned(),
        many => format!("{many} points"),
    }
}
