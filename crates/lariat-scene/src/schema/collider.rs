//! Colliders that ropes can be clamped against: plane, sphere, box, cylinder, capsule, height field.

use super::{
    Family, Field, Kind, Preset, Range, RecordType, Unit, common::ORIGIN, document::NAME,
    table::fields,
};

const CENTRE: Field =
    Field::new("centre", Kind::Vector(Unit::Metres), "Centre, in metres.").keyed().preset(ORIGIN);

const RADIUS: Field = Field::new("radius", Kind::Scalar(Unit::Metres), "Radius, in metres.")
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
            help: "An infinite plane; ropes stay on the side that its normal points to.",
            fields: fields![&[
                NAME,
                Field::new("point", Kind::Vector(Unit::Metres), "A point on the plane, in metres.")
                    .keyed()
                    .preset(ORIGIN),
                Field::new(
                    "normal",
                    Kind::Direction,
                    "Direction out of the plane, as a vector of any length.",
                )
                .keyed()
                .preset(Preset::Numbers(&[0.0, 0.0, 1.0])),
            ]],
            one_of: &[],
        },
        &RecordType {
            name: "sphere",
            help: "A sphere.",
            fields: fields![&[NAME, CENTRE, RADIUS]],
            one_of: &[],
        },
        &RecordType {
            name: "box",
            help: "A rectangular box.",
            fields: fields![&[
                NAME,
                CENTRE,
                Field::new(
                    "size",
                    Kind::Vector(Unit::Metres),
                    "Width, depth and height, in metres.",
                )
                .range(Range::POSITIVE)
                .keyed()
                .required(),
                Field::new(
                    "rotation",
                    Kind::Vector(Unit::Degrees),
                    "Rotation in degrees about the world's X, then Y, then Z axis.",
                )
                .keyed()
                .preset(ORIGIN),
            ]],
            one_of: &[],
        },
        &RecordType {
            name: "cylinder",
            help: "A cylinder between two points: a barrel, a pole.",
            fields: fields![&[
                NAME,
                Field::new("from", Kind::Vector(Unit::Metres), "Centre of one end, in metres.")
                    .keyed()
                    .required(),
                Field::new("to", Kind::Vector(Unit::Metres), "Centre of the other end, in metres.")
                    .keyed()
                    .required(),
                RADIUS,
            ]],
            one_of: &[],
        },
        &RecordType {
            name: "capsule",
            help: "A cylinder with round ends: a branch, an arm, a buoy.",
            fields: fields![&[
                NAME,
                Field::new(
                    "from",
                    Kind::Vector(Unit::Metres),
                    "Centre of one round end, in metres.",
                )
                .keyed()
                .required(),
                Field::new(
                    "to",
                    Kind::Vector(Unit::Metres),
                    "Centre of the other round end, in metres.",
                )
                .keyed()
                .required(),
                Field::new(
                    "radius",
                    RADIUS.kind,
                    "Radius, in metres; the capsule extends by the same distance beyond `from` and `to`.",
                )
                .range(Range::POSITIVE)
                .keyed()
                .required(),
            ]],
            one_of: &[],
        },
        &RecordType {
            name: "height-field",
            help: "Terrain of heights on a square grid; rows follow each other along Y, the numbers of a row along X.",
            fields: fields![&[
                NAME,
                Field::new(
                    "origin",
                    Kind::Vector(Unit::Metres),
                    "Position of the first height, in metres.",
                )
                .keyed()
                .preset(ORIGIN),
                Field::new(
                    "cell",
                    Kind::Scalar(Unit::Metres),
                    "Distance between neighbouring heights, in metres."
                )
                .range(Range::POSITIVE)
                .required(),
                Field::new(
                    "heights",
                    Kind::Grid(Unit::Metres),
                    "Heights above the origin in metres, row by row; all rows have the same length.",
                )
                .required(),
            ]],
            one_of: &[],
        },
    ],
};
