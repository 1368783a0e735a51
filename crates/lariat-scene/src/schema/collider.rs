//! What ropes can be clamped against: plane, sphere, box, cylinder, capsule, height field.

use super::{
    Family, Field, Kind, Preset, Range, RecordType, Unit, common::ORIGIN, document::NAME,
    table::fields,
};

const CENTRE: Field =
    Field::new("centre", Kind::Vector(Unit::Metres), "Where its middle is.").keyed().preset(ORIGIN);

const RADIUS: Field =
    Field::new("radius", Kind::Scalar(Unit::Metres), "How thick it is, from its middle.")
        .range(Range::POSITIVE)
        .keyed()
        .required();

/// The colliders.
pub static COLLIDER: Family = Family {
    noun: "collider",
    tag: Some("shape"),
    shorthand: None,
    types: &[
        &RecordType {
            name: "plane",
            help: "An endless plane; ropes stay on the side of its normal.",
            fields: fields![&[
                NAME,
                Field::new("point", Kind::Vector(Unit::Metres), "A point on it.")
                    .keyed()
                    .preset(ORIGIN),
                Field::new("normal", Kind::Direction, "Which way is out of it.")
                    .keyed()
                    .preset(Preset::Numbers(&[0.0, 0.0, 1.0])),
            ]],
            one_of: &[],
        },
        &RecordType {
            name: "sphere",
            help: "A ball.",
            fields: fields![&[NAME, CENTRE, RADIUS]],
            one_of: &[],
        },
        &RecordType {
            name: "box",
            help: "A block with straight edges.",
            fields: fields![&[
                NAME,
                CENTRE,
                Field::new("size", Kind::Vector(Unit::Metres), "Its width, depth and height.")
                    .range(Range::POSITIVE)
                    .keyed()
                    .required(),
                Field::new(
                    "rotation",
                    Kind::Vector(Unit::Degrees),
                    "How it is turned, about X, then Y, then Z of the world.",
                )
                .keyed()
                .preset(ORIGIN),
            ]],
            one_of: &[],
        },
        &RecordType {
            name: "cylinder",
            help: "A round beam between two points: a barrel, a pole.",
            fields: fields![&[
                NAME,
                Field::new("from", Kind::Vector(Unit::Metres), "The middle of one end.")
                    .keyed()
                    .required(),
                Field::new("to", Kind::Vector(Unit::Metres), "The middle of the other end.")
                    .keyed()
                    .required(),
                RADIUS,
            ]],
            one_of: &[],
        },
        &RecordType {
            name: "capsule",
            help: "A round beam with round ends: a branch, an arm, a buoy.",
            fields: fields![&[
                NAME,
                Field::new("from", Kind::Vector(Unit::Metres), "The middle of one round end.")
                    .keyed()
                    .required(),
                Field::new("to", Kind::Vector(Unit::Metres), "The middle of the other round end.")
                    .keyed()
                    .required(),
                Field::new(
                    "radius",
                    RADIUS.kind,
                    "How thick it is, from its middle; it reaches as far beyond `from` and `to`.",
                )
                .range(Range::POSITIVE)
                .keyed()
                .required(),
            ]],
            one_of: &[],
        },
        &RecordType {
            name: "height-field",
            help: "Ground given by heights on a square grid; rows run along Y, numbers in a row along X.",
            fields: fields![&[
                NAME,
                Field::new("origin", Kind::Vector(Unit::Metres), "Where the first height stands.")
                    .keyed()
                    .preset(ORIGIN),
                Field::new(
                    "cell",
                    Kind::Scalar(Unit::Metres),
                    "Distance from one height to the next."
                )
                .range(Range::POSITIVE)
                .required(),
                Field::new(
                    "heights",
                    Kind::Grid(Unit::Metres),
                    "The heights above the origin, row by row; all rows equally long.",
                )
                .required(),
            ]],
            one_of: &[],
        },
    ],
};
