//! Boxes, boards, balls and barrels: posed by keys, or left to fall.
//!
//! What a mesh is, without a file. Its sizes are not keyed: what grows is no solid.

use super::{
    Choice, Field, Kind, Preset, Range, RecordType, Unit,
    common::{ORIGIN, ROTATION, VISIBLE, colour, look},
    document::NAME,
    rigid,
    table::fields,
};

/// That of bare wood, linear.
const WOOD: &[f64] = &[0.22, 0.12, 0.05];

/// Something that keeps its shape.
pub(super) static SOLID: RecordType = RecordType {
    name: "solid",
    help: "A box, a board, a ball or a barrel: placed and turned.",
    fields: fields![&[
        NAME,
        Field::new(
            "shape",
            Kind::Choice(&[
                Choice { name: "box", help: "A box, a board, a crate: see `size`." },
                Choice { name: "ball", help: "A ball: see `radius`." },
                Choice {
                    name: "cylinder",
                    help: "A barrel or a post, upright: see `radius` and `height`."
                },
            ]),
            "What it looks like.",
        )
        .preset(Preset::Text("box")),
        Field::new("size", Kind::Vector(Unit::Metres), "Width, depth and height of a box.")
            .range(Range::POSITIVE)
            .preset(Preset::Numbers(&[0.4, 0.4, 0.4])),
        Field::new("radius", Kind::Scalar(Unit::Metres), "Radius of a ball or a cylinder.")
            .range(Range::POSITIVE)
            .number(0.2),
        Field::new("height", Kind::Scalar(Unit::Metres), "Height of a cylinder.")
            .range(Range::POSITIVE)
            .number(0.5),
        Field::new("position", Kind::Vector(Unit::Metres), "Where its middle is.")
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
