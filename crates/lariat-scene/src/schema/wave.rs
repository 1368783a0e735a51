//! Waves, bends, pincers, coil waves, and the envelopes of waves.
//!
//! As a footnote of Barzel 1997 asks for, parameters have technical names (magnitude, frequency,
//! azimuth) and plain names (height, ripples, direction), and documents may use either.

use super::{
    Family, Field, Kind, Preset, Range, RecordType, Unit,
    table::{Shorthand, fields},
};

/// Height of a wave.
pub(super) const MAGNITUDE: Field =
    Field::new("magnitude", Kind::Scalar(Unit::Metres), "Largest displacement, in metres.")
        .plain(&["height"])
        .keyed()
        .required();

/// Ripples of a wave.
pub(super) const FREQUENCY: Field =
    Field::new("frequency", Kind::Scalar(Unit::Cycles), "Number of ripples along the whole rope.")
        .plain(&["ripples"])
        .range(Range::NOT_NEGATIVE)
        .keyed()
        .accumulates()
        .number(1.0);

/// Phase of a wave.
pub(super) const PHASE: Field = Field::new(
    "phase",
    Kind::Scalar(Unit::Degrees),
    "Phase of the ripples, in degrees; increasing it moves them towards the start.",
)
.keyed()
.number(0.0);

/// Direction of a wave.
pub(super) const AZIMUTH: Field = Field::new(
    "azimuth",
    Kind::Scalar(Unit::Degrees),
    "Direction of the displacement, in degrees about the rope from its upper side.",
)
.plain(&["direction"])
.keyed()
.number(0.0);

/// Speed of a wave.
pub(super) const TRAVEL: Field = Field::new(
    "travel",
    Kind::Scalar(Unit::LengthsPerSecond),
    "Speed of the pattern towards the far end, in rope lengths per second.",
)
.keyed()
.accumulates()
.number(0.0);

/// Envelope of a wave.
pub(super) const ENVELOPE_FIELD: Field = Field::new(
    "envelope",
    Kind::Record(&ENVELOPE),
    "Weight of the displacement along the rope: 0 stays still, 1 moves fully; if not set, that of the model.",
)
.preset(Preset::Computed("that of the model"));

/// Switch of a layer, pin or force.
pub(super) const ON: Field =
    Field::new("on", Kind::Switch, "Whether it is active.").keyed().preset(Preset::Switch(true));

/// Parameters of a wave.
pub(super) const WAVE_FIELDS: [Field; 7] =
    [MAGNITUDE, FREQUENCY, PHASE, AZIMUTH, TRAVEL, ENVELOPE_FIELD, ON];

/// A wave across the rope.
pub static WAVE: Family = Family {
    noun: "wave",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "wave",
        help: "A wave that displaces the rope sideways. Waves add up; each is computed on the shape without waves.",
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
        help: "A section of the rope bent into a circular arc; everything beyond it turns along.",
        fields: fields![&[
            Field::new(
                "position",
                Kind::Scalar(Unit::Fraction),
                "Position along the rope at which the bend starts: 0 is the held end, 1 the free end.",
            )
            .range(Range::UNIT)
            .keyed()
            .required(),
            Field::new(
                "length",
                Kind::Scalar(Unit::Fraction),
                "Fraction of the rope that is bent; 0 is a kink.",
            )
            .range(Range::UNIT)
            .keyed()
            .required(),
            Field::new("angle", Kind::Scalar(Unit::Degrees), "Angle of the bend, in degrees.")
                .keyed()
                .required(),
            Field::new(
                "azimuth",
                Kind::Scalar(Unit::Degrees),
                "Direction of the bend, in degrees about the rope from its upper side.",
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
        help: "Holds a number of coils together on a section of the spring, like fingers.",
        fields: &[
            Field::new(
                "position",
                Kind::Scalar(Unit::Fraction),
                "Position along the spring at which the pincer starts: 0 is the start, 1 the end.",
            )
            .range(Range::UNIT)
            .keyed()
            .required(),
            Field::new(
                "length",
                Kind::Scalar(Unit::Fraction),
                "Length of the pincer, as a fraction of the spring.",
            )
            .range(Range { low: super::Bound::Past(0.0), high: super::Bound::At(1.0) })
            .keyed()
            .required(),
            Field::new("count", Kind::Scalar(Unit::Coils), "Number of coils that it holds.")
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
        help: "A wave along the spring in which coils bunch together and spread apart.",
        fields: &[
            Field::new(
                "magnitude",
                Kind::Scalar(Unit::Number),
                "Tightness of the bunches; 0 is even.",
            )
            .plain(&["tightness"])
            .range(Range::NOT_NEGATIVE)
            .keyed()
            .required(),
            Field::new(
                "frequency",
                Kind::Scalar(Unit::Cycles),
                "Number of bunches along the spring.",
            )
            .plain(&["bunches"])
            .range(Range::NOT_NEGATIVE)
            .keyed()
            .accumulates()
            .number(1.0),
            Field::new(
                "phase",
                Kind::Scalar(Unit::Degrees),
                "Phase of the bunches, in degrees; increasing it moves them towards the start.",
            )
            .keyed()
            .number(0.0),
            TRAVEL,
            ON,
        ],
        one_of: &[],
    }],
};

/// Weight of a wave along the rope.
pub static ENVELOPE: Family = Family {
    noun: "envelope",
    tag: Some("kind"),
    shorthand: Some(Shorthand { unique_field: "points", type_name: "points" }),
    types: &[
        &RecordType {
            name: "half-sine",
            help: "Both ends stay still, the middle moves fully.",
            fields: &[],
            one_of: &[],
        },
        &RecordType {
            name: "quarter-sine",
            help: "The start stays still, the end moves fully.",
            fields: &[],
            one_of: &[],
        },
        &RecordType { name: "flat", help: "The whole rope moves fully.", fields: &[], one_of: &[] },
        &RecordType {
            name: "loose",
            help: "The start stays still, the end is held as firmly as `env` sets.",
            fields: &[Field::new(
                "env",
                Kind::Scalar(Unit::Fraction),
                "How firmly the end is held: 0 moves fully with the wave, 1 stays still.",
            )
            .plain(&["hold"])
            .range(Range::UNIT)
            .keyed()
            .number(0.0)],
            one_of: &[],
        },
        &RecordType {
            name: "plateau",
            help: "Both ends stay still, everything between moves fully.",
            fields: &[Field::new(
                "width",
                Kind::Scalar(Unit::Fraction),
                "Fraction of the rope at each end over which the wave fades in.",
            )
            .range(Range::between(0.0, 0.5))
            .keyed()
            .number(0.1)],
            one_of: &[],
        },
        &RecordType {
            name: "points",
            help: "Weights along the rope, linearly interpolated.",
            fields: &[Field::new(
                "points",
                Kind::Along(Unit::Number),
                "Weights as `[[u, weight], …]`, for example `[[0, 0], [0.5, 1], [1, 0]]`.",
            )
            .required()],
            one_of: &[],
        },
    ],
};
