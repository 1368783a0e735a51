//! Cameras: position, target and lens.

use super::{
    Family, Field, Kind, OneOf, Range, RecordType, Unit, common::anchor, document::NAME,
    table::fields,
};

/// Parameters of the field of view. Waves and bends have parameters with the same names.
pub(super) const LENS: &[&str] = &["angle", "height"];

/// Angles of view that can be drawn, in degrees. The view is degenerate at 0 and 180, and loses
/// precision close to them.
const ANGLES: Range = Range::between(0.01, 177.0);

/// A camera.
pub static CAMERA: Family = Family {
    noun: "camera",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "camera",
        help: "A camera for pictures and movies. It can be keyed, and attached to a locator or a rope.",
        fields: fields![&[
            NAME,
            anchor("position", "Position of the camera."),
            anchor("target", "Point that the camera looks at, the centre of the picture."),
            Field::new(
                "roll",
                Kind::Scalar(Unit::Degrees),
                "Roll of the camera to its right, in degrees; the picture leans to the left.",
            )
            .keyed()
            .number(0.0),
            Field::new(
                "angle",
                Kind::Scalar(Unit::Degrees),
                "Vertical angle of view, in degrees; smaller angles zoom in.",
            )
            .range(ANGLES)
            .keyed()
            .number(35.0),
            Field::new(
                "height",
                Kind::Scalar(Unit::Metres),
                "Height of a view without perspective, in metres; an alternative to `angle`.",
            )
            .range(Range::POSITIVE)
            .keyed(),
        ]],
        one_of: &[OneOf { fields: LENS, required: false, otherwise: None }],
    }],
};
