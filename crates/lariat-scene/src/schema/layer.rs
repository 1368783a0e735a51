//! Layers that can be put on any body, one file of the paper's toolbox after the other.

use super::{
    Family, Field, Kind, Preset, Range, RecordType, Unit,
    table::fields,
    wave::{AZIMUTH, ENVELOPE_FIELD, FREQUENCY, MAGNITUDE, ON, PHASE, TRAVEL, WAVE_FIELDS},
    world::SEEDS,
};

/// One hump that runs along the rope.
const HUMP: [Field; 6] = [
    MAGNITUDE,
    Field::new(
        "position",
        Kind::Scalar(Unit::Fraction),
        "Where its top is: 0 the start, 1 the end; it may lie beyond either.",
    )
    .plain(&["at"])
    .keyed()
    .number(0.5),
    Field::new("width", Kind::Scalar(Unit::Fraction), "How wide it is, as a part of the rope.")
        .range(Range::POSITIVE)
        .keyed()
        .number(0.1),
    AZIMUTH,
    TRAVEL,
    ENVELOPE_FIELD,
];

/// The layers.
pub static LAYER: Family = Family {
    noun: "layer",
    tag: Some("kind"),
    shorthand: None,
    types: &[
        &RecordType {
            name: "wave",
            help: "A wave across the rope, as in `waves`.",
            fields: &WAVE_FIELDS,
            one_of: &[],
        },
        &RecordType {
            name: "jiggle",
            help: "An oscillation that each place of the rope feels as far as an amplitude says, and as late as a lag.",
            fields: &super::jiggle::ROPE,
            one_of: &[],
        },
        &RecordType {
            name: "pulse",
            help: "A single hump, bell-shaped.",
            fields: fields![&HUMP, &[ON]],
            one_of: &[],
        },
        &RecordType {
            name: "soliton",
            help: "A single hump as waves in shallow water have it, with longer feet than a pulse.",
            fields: fields![&HUMP, &[ON]],
            one_of: &[],
        },
        &RecordType {
            name: "noise",
            help: "Irregular motion sideways, the same every time for the same seed.",
            fields: fields![&[
                MAGNITUDE,
                Field::new(
                    "scale",
                    Kind::Scalar(Unit::Number),
                    "How many humps there are along the rope, about.",
                )
                .range(Range::POSITIVE)
                .keyed()
                .number(4.0),
                Field::new("speed", Kind::Scalar(Unit::Hertz), "How often it changes, about.")
                    .keyed()
                    .accumulates()
                    .number(1.0),
                Field::new("seed", Kind::Integer, "Which noise: every number gives another one.")
                    .range(SEEDS)
                    .number(0.0),
                ENVELOPE_FIELD,
                ON,
            ]],
            one_of: &[],
        },
        &RecordType {
            name: "twist",
            help: "Turns the cross-section evenly from one place to another.",
            fields: fields![&[
                Field::new("turns", Kind::Scalar(Unit::Turns), "How often it turns.")
                    .keyed()
                    .required(),
                Field::new(
                    "from",
                    Kind::Scalar(Unit::Fraction),
                    "Where along the rope it starts to turn."
                )
                .range(Range::UNIT)
                .keyed()
                .number(0.0),
                Field::new(
                    "to",
                    Kind::Scalar(Unit::Fraction),
                    "Where along the rope it has turned in full."
                )
                .range(Range::UNIT)
                .keyed()
                .number(1.0),
                ON,
            ]],
            one_of: &[],
        },
        &RecordType {
            name: "torsion-wave",
            help: "A wave that turns the cross-section to and fro along the rope.",
            fields: fields![&[
                Field::new(
                    "angle",
                    Kind::Scalar(Unit::Degrees),
                    "How far it turns to either side."
                )
                .keyed()
                .required(),
                FREQUENCY,
                PHASE,
                TRAVEL,
                ENVELOPE_FIELD,
                ON,
            ]],
            one_of: &[],
        },
        &RecordType {
            name: "clamp",
            help: "Keeps the rope on the outside of a collider, or above the floor.",
            fields: fields![&[
                Field::new("against", Kind::Against, "The name of a collider, or \"floor\".")
                    .required(),
                Field::new(
                    "margin",
                    Kind::Scalar(Unit::Metres),
                    "How far the middle of the rope stays away from it.",
                )
                .range(Range::NOT_NEGATIVE)
                .keyed()
                .preset(Preset::Computed("the radius")),
                Field::new("height", Kind::Scalar(Unit::Metres), "Height of the floor.")
                    .keyed()
                    .preset(Preset::Computed("the body's `floor`, else 0")),
                ON,
            ]],
            one_of: &[],
        },
    ],
};
