//! Layers: changes of shape that can be applied to any body.

use super::{
    Family, Field, Kind, Preset, Range, RecordType, Unit,
    table::fields,
    wave::{AZIMUTH, ENVELOPE_FIELD, FREQUENCY, MAGNITUDE, ON, PHASE, TRAVEL, WAVE_FIELDS},
    world::SEEDS,
};

/// Parameters of a hump that runs along the rope.
const HUMP: [Field; 6] = [
    MAGNITUDE,
    Field::new(
        "position",
        Kind::Scalar(Unit::Fraction),
        "Position of the crest along the rope: 0 is the start, 1 the end; it may lie beyond either.",
    )
    .plain(&["at"])
    .keyed()
    .number(0.5),
    Field::new("width", Kind::Scalar(Unit::Fraction), "Width, as a fraction of the rope.")
        .range(Range::POSITIVE)
        .keyed()
        .number(0.1),
    AZIMUTH,
    TRAVEL,
    ENVELOPE_FIELD,
];

/// All layers.
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
            help: "An oscillation that each point of the rope follows with its own amplitude and lag.",
            fields: &super::jiggle::ROPE,
            one_of: &[],
        },
        &RecordType {
            name: "pulse",
            help: "A single bell-shaped hump.",
            fields: fields![&HUMP, &[ON]],
            one_of: &[],
        },
        &RecordType {
            name: "soliton",
            help: "A single hump shaped like a solitary wave in shallow water, with longer flanks than a pulse.",
            fields: fields![&HUMP, &[ON]],
            one_of: &[],
        },
        &RecordType {
            name: "noise",
            help: "Irregular sideways motion, always the same for the same seed.",
            fields: fields![&[
                MAGNITUDE,
                Field::new(
                    "scale",
                    Kind::Scalar(Unit::Number),
                    "Approximate number of humps along the rope.",
                )
                .range(Range::POSITIVE)
                .keyed()
                .number(4.0),
                Field::new(
                    "speed",
                    Kind::Scalar(Unit::Hertz),
                    "Approximate rate of change, in hertz.",
                )
                .keyed()
                .accumulates()
                .number(1.0),
                Field::new("seed", Kind::Integer, "Random seed; each number gives different noise.")
                    .range(SEEDS)
                    .number(0.0),
                ENVELOPE_FIELD,
                ON,
            ]],
            one_of: &[],
        },
        &RecordType {
            name: "twist",
            help: "Twists the cross-section evenly between two positions along the rope.",
            fields: fields![&[
                Field::new("turns", Kind::Scalar(Unit::Turns), "Number of turns.")
                    .keyed()
                    .required(),
                Field::new(
                    "from",
                    Kind::Scalar(Unit::Fraction),
                    "Position along the rope, 0 to 1, at which the twist starts."
                )
                .range(Range::UNIT)
                .keyed()
                .number(0.0),
                Field::new(
                    "to",
                    Kind::Scalar(Unit::Fraction),
                    "Position along the rope, 0 to 1, at which the twist is complete."
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
            help: "A wave that turns the cross-section back and forth along the rope.",
            fields: fields![&[
                Field::new(
                    "angle",
                    Kind::Scalar(Unit::Degrees),
                    "Largest rotation to either side, in degrees."
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
            help: "Keeps the rope outside a collider, or above the floor.",
            fields: fields![&[
                Field::new("against", Kind::Against, "Name of a collider, or \"floor\".")
                    .required(),
                Field::new(
                    "margin",
                    Kind::Scalar(Unit::Metres),
                    "Distance of the rope's centre line from the surface, in metres; if not set, the rope's radius.",
                )
                .range(Range::NOT_NEGATIVE)
                .keyed()
                .preset(Preset::Computed("the radius")),
                Field::new(
                    "height",
                    Kind::Scalar(Unit::Metres),
                    "Height of the floor, in metres; if not set, the `floor` of the body, or 0."
                )
                .keyed()
                .preset(Preset::Computed("the body's `floor`, or 0")),
                ON,
            ]],
            one_of: &[],
        },
    ],
};
