//! Cameras: where a picture is taken from, what it shows, and how wide.

use super::{
    Family, Field, Kind, OneOf, Range, RecordType, Unit, common::anchor, document::NAME,
    table::fields,
};

/// The two ways to say how much of the world a camera takes in. Waves and bends have parameters
/// of these names too.
pub(super) const LENS: &[&str] = &["angle", "height"];

/// Angles of view that can be drawn, in degrees: at 180 a picture would be endless, at 0 a point,
/// and numbers give out a little before either.
const ANGLES: Range = Range::between(0.01, 177.0);

/// A camera.
pub static CAMERA: Family = Family {
    noun: "camera",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "camera",
        help: "Where pictures are taken from. It can be keyed, and can ride on a locator or a rope.",
        fields: fields![&[
            NAME,
            anchor("position", "Where it stands."),
            anchor("target", "What it looks at: the middle of the picture."),
            Field::new(
                "roll",
                Kind::Scalar(Unit::Degrees),
                "Leans the camera to its right, so that the picture leans to the left.",
            )
            .keyed()
            .number(0.0),
            Field::new(
                "angle",
                Kind::Scalar(Unit::Degrees),
                "How much it takes in, from the lower to the upper edge: less is nearer.",
            )
            .range(ANGLES)
            .keyed()
            .number(35.0),
            Field::new(
                "height",
                Kind::Scalar(Unit::Metres),
                "Instead of an angle: a view so high, without perspective.",
            )
            .range(Range::POSITIVE)
            .keyed(),
        ]],
        one_of: &[OneOf { fields: LENS, required: false }],
    }],
};
