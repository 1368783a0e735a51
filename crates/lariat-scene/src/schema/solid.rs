//! Boxes, boards, balls and barrels, posed by keys or simulated.
//!
//! A solid is placed like a mesh, but needs no file. Its size cannot be keyed, because a solid is
//! rigid.

use super::{
    Choice, Field, Kind, Preset, Range, RecordType, Unit,
    common::{ORIGIN, ROTATION, VISIBLE, colour, look},
    document::NAME,
    rigid,
    table::fields,
};

/// Bare wood, linear.
const WOOD: &[f64] = &[0.22, 0.12, 0.05];

/// A rigid shape.
pub(super) static SOLID: RecordType = RecordType {
    name: "solid",
    help: "A box, board, ball or barrel, placed and rotated.",
    fields: fields![&[
        NAME,
        Field::new(
            "shape",
            Kind::Choice(&[
                Choice { name: "box", help: "A box, board or crate, with a `size`." },
                Choice { name: "ball", help: "A ball, with a `radius`." },
                Choice {
                    name: "cylinder",
                    help: "An upright barrel or post, with a `radius` and a `height`."
                },
            ]),
            "Shape of the solid.",
        )
        .preset(Preset::Text("box")),
        Field::new(
            "size",
            Kind::Vector(Unit::Metres),
            "Width, depth and height of a box, in metres."
        )
        .range(Range::POSITIVE)
        .preset(Preset::Numbers(&[0.4, 0.4, 0.4])),
        Field::new(
            "radius",
            Kind::Scalar(Unit::Metres),
            "Radius of a ball or a cylinder, in metres."
        )
        .range(Range::POSITIVE)
        .number(0.2),
        Field::new("height", Kind::Scalar(Unit::Metres), "Height of a cylinder, in metres.")
            .range(Range::POSITIVE)
            .number(0.5),
        Field::new("position", Kind::Vector(Unit::Metres), "Position of the centre, in metres.")
            .keyed()
            .preset(ORIGIN),
        ROTATION,
        look("wood"),
        colour(WOOD),
        VISIBLE,
        rigid::FIELD,
    ]],
    one_of: &[],
};
