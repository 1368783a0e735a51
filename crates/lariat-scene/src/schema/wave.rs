//! Waves, bends, pincers, coil waves, and the envelopes that hold a wave still where it must be.
//!
//! Barzel's footnote is a requirement: beside the technical words (magnitude, frequency,
//! azimuth) each has plain ones (height, ripples, direction), and either may be used.

use super::{
    Family, Field, Kind, Preset, Range, RecordType, Unit,
    table::{Shorthand, fields},
};

/// Height of a wave.
pub(super) const MAGNITUDE: Field =
    Field::new("magnitude", Kind::Scalar(Unit::Metres), "How far the wave pushes the rope aside.")
        .plain(&["height"])
        .keyed()
        .required();

/// Ripples of a wave.
pub(super) const FREQUENCY: Field = Field::new(
    "frequency",
    Kind::Scalar(Unit::Cycles),
    "How many ripples there are along the whole rope.",
)
.plain(&["ripples"])
.range(Range::NOT_NEGATIVE)
.keyed()
.accumulates()
.number(1.0);

/// Phase of a wave.
pub(super) const PHASE: Field = Field::new(
    "phase",
    Kind::Scalar(Unit::Degrees),
    "Shifts the ripples; a rising phase moves them towards the start.",
)
.keyed()
.number(0.0);

/// Direction of a wave.
pub(super) const AZIMUTH: Field = Field::new(
    "azimuth",
    Kind::Scalar(Unit::Degrees),
    "Which way the rope is pushed, turned about the rope from its upper side.",
)
.plain(&["direction"])
.keyed()
.number(0.0);

/// Speed of a wave.
pub(super) const TRAVEL: Field = Field::new(
    "travel",
    Kind::Scalar(Unit::LengthsPerSecond),
    "How fast the ripples run towards the far end, in rope lengths per second.",
)
.keyed()
.accumulates()
.number(0.0);

/// Envelope of a wave.
pub(super) const ENVELOPE_FIELD: Field = Field::new(
    "envelope",
    Kind::Record(&ENVELOPE),
    "Where the rope is held still and where it moves in full.",
)
.preset(Preset::Computed("the model's own"));

/// Whether a layer does anything.
pub(super) const ON: Field = Field::new("on", Kind::Switch, "Whether it does anything.")
    .keyed()
    .preset(Preset::Switch(true));

/// The parameters of a wave.
pub(super) const WAVE_FIELDS: [Field; 7] =
    [MAGNITUDE, FREQUENCY, PHASE, AZIMUTH, TRAVEL, ENVELOPE_FIELD, ON];

/// A wave across the rope.
pub static WAVE: Family = Family {
    noun: "wave",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "wave",
        help: "A wave that pushes the rope sideways. Waves add up, each measured on the shape without waves.",
        fields: &WAVE_FIELDS,
        one_of: &[],
    }],
};

/// A bend of a loose rope.
pub static BEND: Family = Family {
    noun: "bend",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "bend",
        help: "A stretch of rope bent into a circular arc; what lies beyond is carried along.",
        fields: fields![&[
            Field::new(
                "position",
                Kind::Scalar(Unit::Fraction),
                "Where the bend starts: 0 the end that is held, 1 the free end.",
            )
            .range(Range::UNIT)
            .keyed()
            .required(),
            Field::new(
                "length",
                Kind::Scalar(Unit::Fraction),
                "How much of the rope is bent; 0 is a kink.",
            )
            .range(Range::UNIT)
            .keyed()
            .required(),
            Field::new("angle", Kind::Scalar(Unit::Degrees), "How far it is bent.")
                .keyed()
                .required(),
            Field::new(
                "azimuth",
                Kind::Scalar(Unit::Degrees),
                "Which way it is bent, turned about the rope from its upper side.",
            )
            .plain(&["direction"])
            .keyed()
            .number(0.0),
        ]],
        one_of: &[],
    }],
};

/// A pincer on a spring.
pub static PINCER: Family = Family {
    noun: "pincer",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "pincer",
        help: "Fingers that hold a number of coils together on a stretch of the spring.",
        fields: &[
            Field::new(
                "position",
                Kind::Scalar(Unit::Fraction),
                "Where along the spring the pincer starts.",
            )
            .range(Range::UNIT)
            .keyed()
            .required(),
            Field::new(
                "length",
                Kind::Scalar(Unit::Fraction),
                "How far along the spring it extends.",
            )
            .range(Range { low: super::Bound::Past(0.0), high: super::Bound::At(1.0) })
            .keyed()
            .required(),
            Field::new("count", Kind::Scalar(Unit::Coils), "How many coils it holds.")
                .plain(&["npinch"])
                .range(Range::NOT_NEGATIVE)
                .keyed()
                .required(),
        ],
        one_of: &[],
    }],
};

/// A wave of compression on a spring.
pub static COIL_WAVE: Family = Family {
    noun: "coil wave",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "coil-wave",
        help: "Coils that bunch together and come apart again, in waves along the spring.",
        fields: &[
            Field::new("magnitude", Kind::Scalar(Unit::Number), "How tightly the coils bunch.")
                .plain(&["tightness"])
                .range(Range::NOT_NEGATIVE)
                .keyed()
                .required(),
            Field::new("frequency", Kind::Scalar(Unit::Cycles), "How many bunches there are.")
                .plain(&["bunches"])
                .range(Range::NOT_NEGATIVE)
                .keyed()
                .accumulates()
                .number(1.0),
            Field::new(
                "phase",
                Kind::Scalar(Unit::Degrees),
                "Shifts the bunches; a rising phase moves them towards the start.",
            )
            .keyed()
            .number(0.0),
            TRAVEL,
            ON,
        ],
        one_of: &[],
    }],
};

/// How much of a wave arrives where along the rope.
pub static ENVELOPE: Family = Family {
    noun: "envelope",
    tag: Some("kind"),
    shorthand: Some(Shorthand { tell_tale: "points", means: "points" }),
    types: &[
        &RecordType {
            name: "half-sine",
            help: "Both ends are held, the middle moves in full.",
            fields: &[],
            one_of: &[],
        },
        &RecordType {
            name: "quarter-sine",
            help: "The start is held, the end moves in full.",
            fields: &[],
            one_of: &[],
        },
        &RecordType { name: "flat", help: "Everything moves in full.", fields: &[], one_of: &[] },
        &RecordType {
            name: "loose",
            help: "The start is held, the end as much as `env` says.",
            fields: &[Field::new(
                "env",
                Kind::Scalar(Unit::Fraction),
                "How still the end is: 0 it moves with the wave, 1 it is held.",
            )
            .plain(&["hold"])
            .range(Range::UNIT)
            .keyed()
            .number(0.0)],
            one_of: &[],
        },
        &RecordType {
            name: "plateau",
            help: "Both ends are held, everything between moves in full.",
            fields: &[Field::new(
                "width",
                Kind::Scalar(Unit::Fraction),
                "How much of the rope at each end the wave fades over.",
            )
            .range(Range::between(0.0, 0.5))
            .keyed()
            .number(0.1)],
            one_of: &[],
        },
        &RecordType {
            name: "points",
            help: "Weights along the rope, with straight lines between them.",
            fields: &[Field::new(
                "points",
                Kind::Along(Unit::Number),
                "The weights: `[[0, 0], [0.5, 1], [1, 0]]`.",
            )
            .required()],
            one_of: &[],
        },
    ],
};
