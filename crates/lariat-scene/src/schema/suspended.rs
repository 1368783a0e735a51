//! Ropes held at both ends: suspended rope, jump rope, string of lights.

use super::{
    Field, Kind, OneOf, Preset, Range, RecordType, Unit, WAVE,
    common::{EVEN, HEMP, KEEP_LENGTH, Looks, SAG_FORM, SWING, anchor, common, samples},
    table::fields,
};

const ROPE: Looks =
    Looks { radius: 0.01, look: "rope", colour: HEMP, profile: "round", taper: EVEN };

/// The two ends.
pub(super) const ENDS: [Field; 2] =
    [anchor("from", "Point at which the rope starts."), anchor("to", "Point at which it ends.")];

/// Waves along the rope.
pub(super) const WAVES: Field =
    Field::new("waves", Kind::Records(&WAVE), "Waves along the rope; they add up.")
        .preset(Preset::Empty);

/// Length of a rope.
pub(super) const LENGTH: Field =
    Field::new("length", Kind::Scalar(Unit::Metres), "Length of the rope, in metres.")
        .range(Range::POSITIVE)
        .keyed();

/// Parameters of a rope that hangs between two points.
const HANGING: &[&[Field]] = &[&ENDS, &[LENGTH, SAG, SAG_FORM], &SWING, &[WAVES, KEEP_LENGTH]];

const SAG: Field = Field::new(
    "sag",
    Kind::Scalar(Unit::Metres),
    "How far the middle of the rope hangs down, in metres; an alternative to `length`.",
)
.range(Range::NOT_NEGATIVE)
.keyed();

const LENGTH_OR_SAG: &[OneOf] =
    &[OneOf { fields: &["length", "sag"], required: true, otherwise: None }];

/// A rope between two points.
pub(super) static SUSPENDED_ROPE: RecordType = RecordType {
    name: "suspended-rope",
    help: "A rope that hangs between two points: a rein, a clothes line, a mooring. It hangs in a catenary, swings and sways, and waves run along it while its ends stay in place.",
    fields: fields![
        &common(&ROPE),
        &[samples(49.0)],
        HANGING[0],
        HANGING[1],
        HANGING[2],
        HANGING[3]
    ],
    one_of: LENGTH_OR_SAG,
};

/// A rope that turns about its ends.
pub(super) static JUMP_ROPE: RecordType = RecordType {
    name: "jump-rope",
    help: "A rope that turns about the line between its ends. Key `turn` from 0 to 360 for each jump.",
    fields: fields![
        &common(&ROPE),
        &[samples(49.0)],
        &ENDS,
        &[
            LENGTH.required(),
            Field::new(
                "turn",
                Kind::Scalar(Unit::Degrees),
                "Rotation of the rope about the line between its ends, in degrees; at 0 it hangs down.",
            )
            .keyed()
            .number(0.0),
            WAVES,
            KEEP_LENGTH,
        ],
    ],
    one_of: &[],
};

/// A twisted pair of wires with bulbs.
pub(super) static STRING_OF_LIGHTS: RecordType = RecordType {
    name: "string-of-lights",
    help: "A suspended pair of twisted wires, with a bulb every few inches.",
    fields: fields![
        &common(&Looks {
            radius: 0.004,
            look: "wire",
            colour: &[0.01, 0.045, 0.012],
            profile: "round",
            taper: EVEN,
        }),
        &[samples(49.0)],
        HANGING[0],
        HANGING[1],
        HANGING[2],
        HANGING[3],
        &[
            Field::new(
                "pair-turns",
                Kind::Scalar(Unit::TurnsPerMetre),
                "Twist of the two wires about each other, in turns per metre.",
            )
            .number(20.0),
            Field::new(
                "wire-radius",
                Kind::Scalar(Unit::Metres),
                "Radius of each wire, half its thickness, in metres."
            )
            .range(Range::POSITIVE)
            .number(0.002),
            Field::new(
                "bulb-spacing",
                Kind::Scalar(Unit::Metres),
                "Distance between bulbs along the wire, in metres."
            )
            .range(Range::POSITIVE)
            .number(0.15),
            Field::new("bulb-size", Kind::Scalar(Unit::Metres), "Length of a bulb, in metres.")
                .range(Range::POSITIVE)
                .keyed()
                .number(0.02),
            Field::new(
                "bulb-colours",
                Kind::Colours,
                "Colours of the bulbs, in turn along the string."
            )
            .plain(&["bulb-colors"])
            .range(Range::NOT_NEGATIVE)
            .keyed()
            .preset(Preset::Colours(&[
                [0.9, 0.05, 0.03],
                [0.02, 0.45, 0.06],
                [0.03, 0.1, 0.85],
                [0.95, 0.6, 0.03],
            ])),
        ],
    ],
    one_of: LENGTH_OR_SAG,
};
