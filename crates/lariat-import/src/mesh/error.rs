//! What can be wrong with a file, with the line or the number of the accessor.

use lariat_core::geometry::MeshError;
use thiserror::Error;

use super::CORNERS_PER_POINT;

/// Why a file is no mesh.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ImportError {
    /// A word of an OBJ that should be a number.
    #[error("line {line}: `{word}` is not a finite number")]
    NotANumber {
        /// Which line, from 1.
        line: usize,
        /// What stands there.
        word: String,
    },
    /// A point of an OBJ with too few numbers.
    #[error("line {line}: a point has {found} numbers: it needs x, y and z")]
    FewNumbers {
        /// Which line, from 1.
        line: usize,
        /// How many there are.
        found: usize,
    },
    /// A corner of an OBJ that is no index.
    #[error("line {line}: `{word}` is no corner of a face: write the number of a point, from 1")]
    NotACorner {
        /// Which line, from 1.
        line: usize,
        /// What stands there.
        word: String,
    },
    /// A corner of an OBJ at a point that is not there.
    #[error("line {line}: a face has a corner at point {point}, but there are {points} so far")]
    NoSuchPoint {
        /// Which line, from 1.
        line: usize,
        /// As the file says it: from 1, or backwards from −1.
        point: i64,
        /// How many points the file has up to there.
        points: usize,
    },
    /// A face of an OBJ with one or two corners.
    #[error("line {line}: a face has {corners} corners: it needs 3 or more")]
    FewCorners {
        /// Which line, from 1.
        line: usize,
        /// How many it has.
        corners: usize,
    },
    /// More points than are allowed.
    #[error("there are more than {most} points")]
    TooManyPoints {
        /// How many are allowed.
        most: usize,
    },
    /// More corners than are allowed: a small file may name the same points again and again.
    #[error(
        "there are more than {most} corners of faces, {CORNERS_PER_POINT} for each of the {points} \
         points that are allowed"
    )]
    TooManyCorners {
        /// How many are allowed.
        most: usize,
        /// The points that are allowed.
        points: usize,
    },
    /// A file without any face.
    #[error("there are {points} points and no faces")]
    NoFaces {
        /// How many points there are.
        points: usize,
    },
    /// A glTF that is none.
    #[error("this is no glTF file: {why}")]
    NotGltf {
        /// What is wrong with it.
        why: String,
    },
    /// A part of a glTF that is missing, or not what it should be.
    #[error("`{place}` {trouble}")]
    Gltf {
        /// Where: `accessors[3].bufferView`.
        place: String,
        /// What is wrong there.
        trouble: String,
    },
    /// A glTF that cannot be understood without something that is not here.
    #[error("it needs the extension `{name}`, which cannot be read: export it without")]
    Extension {
        /// What it is called.
        name: String,
    },
    /// A file beside a glTF that cannot be had.
    #[error("`{place}` names the file `{file}`: {why}")]
    Unread {
        /// Where: `buffers[0].uri`.
        place: String,
        /// The name of the file.
        file: String,
        /// Why it cannot be had.
        why: String,
    },
    /// Numbers that make no mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}
