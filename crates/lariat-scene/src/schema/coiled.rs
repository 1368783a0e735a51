//! Coils on a backbone: coiled cord, microphone cord, spring, slinky.

use super::{
    COIL_WAVE, Choice, Field, Kind, PINCER, Preset, Range, RecordType, Unit,
    common::{EVEN, Looks, RUBBER, SAG_FORM, STEEL, SWING, common},
    suspended::{ENDS, WAVES},
    table::fields,
};

const CORD: Looks =
    Looks { radius: 0.003, look: "rubber", colour: RUBBER, profile: "round", taper: EVEN };
const STEEL_WIRE: Looks =
    Looks { radius: 0.002, look: "steel", colour: STEEL, profile: "round", taper: EVEN };

const SAG: Field = Field::new(
    "sag",
    Kind::Scalar(Unit::Metres),
    "How far the backbone hangs down in the middle; 0 is a straight line.",
)
.range(Range::NOT_NEGATIVE)
.keyed()
.number(0.0);

/// The backbone and the coils around it.
const COILED: &[&[Field]] = &[
    &ENDS,
    &[SAG, SAG_FORM],
    &SWING,
    &[
        WAVES,
        Field::new(
            "coil-radius",
            Kind::Scalar(Unit::Metres),
            "Distance of the coils from the backbone.",
        )
        .range(Range::POSITIVE)
        .keyed()
        .number(0.03),
        Field::new("coils", Kind::Scalar(Unit::Coils), "How many coils there are; parts count.")
            .range(Range::POSITIVE)
            .number(30.0),
        Field::new("points-per-coil", Kind::Integer, "Number of points in one coil.")
            .range(Range::at_least(8.0))
            .number(24.0),
        Field::new(
            "wire-length",
            Kind::Scalar(Unit::Metres),
            "Length of the wire itself; if given, the coils narrow as the cord is stretched.",
        )
        .range(Range::POSITIVE)
        .keyed(),
        Field::new("backbone-samples", Kind::Integer, "Number of points along the backbone.")
            .range(Range::at_least(3.0))
            .number(65.0),
    ],
];

/// A telephone cord.
pub(super) static COILED_CORD: RecordType = RecordType {
    name: "coiled-cord",
    help: "A coiled elastic cord, as of a telephone: coils wrapped around a backbone that the animator controls, coming apart and together as it stretches and shrinks.",
    fields: fields![&common(&CORD), COILED[0], COILED[1], COILED[2], COILED[3]],
    one_of: &[],
};

/// A coiled cord with straight leads.
pub(super) static MICROPHONE_CORD: RecordType = RecordType {
    name: "microphone-cord",
    help: "A coiled cord with a stretch of straight cable at each end.",
    fields: fields![
        &common(&CORD),
        COILED[0],
        COILED[1],
        COILED[2],
        COILED[3],
        &[Field::new(
            "leads",
            Kind::Scalars(2, Unit::Metres),
            "Lengths of the straight cable at the start and at the end.",
        )
        .range(Range::NOT_NEGATIVE)
        .keyed()
        .preset(Preset::Numbers(&[0.15, 0.15]))],
    ],
    one_of: &[],
};

/// What a spring adds to a coiled cord.
const CLUSTERS: [Field; 5] = [
    Field::new("pincers", Kind::Records(&PINCER), "Places where coils are held together.")
        .preset(Preset::Empty),
    Field::new(
        "coil-waves",
        Kind::Records(&COIL_WAVE),
        "Waves of bunching coils that run along the spring.",
    )
    .preset(Preset::Empty),
    Field::new(
        "compression",
        Kind::Choice(&[
            Choice { name: "pinned", help: "End coils stay, coils never run backwards." },
            Choice { name: "rigid-ends", help: "The last half coils keep their spacing as well." },
            Choice {
                name: "published",
                help: "The paper's formula; large waves can run backwards.",
            },
        ]),
        "How coil waves treat the ends.",
    )
    .preset(Preset::Text("pinned")),
    Field::new(
        "plateau",
        Kind::Scalar(Unit::Fraction),
        "How much of the spring at each end the coil waves fade over.",
    )
    .range(Range::between(0.0, 0.5))
    .keyed()
    .preset(Preset::Computed("half a coil")),
    Field::new(
        "rounding",
        Kind::Scalar(Unit::Fraction),
        "How softly pincers begin and end, as a part of half the shortest piece.",
    )
    .range(Range::UNIT)
    .keyed()
    .number(0.5),
];

/// A long, loose spring.
pub(super) static SPRING: RecordType = RecordType {
    name: "spring",
    help: "A long, loose spring whose coils cluster: pincers grab coils and bunch them, waves of compression run through.",
    fields: fields![&common(&STEEL_WIRE), COILED[0], COILED[1], COILED[2], COILED[3], &CLUSTERS],
    one_of: &[],
};

/// The spring of a toy dog.
pub(super) static SLINKY: RecordType = RecordType {
    name: "slinky",
    help: "A spring between two bodies, as in the toy dog: it leaves both ends squarely, two inner points shape it, and its sag vanishes as the ends meet.",
    fields: fields![
        &common(&STEEL_WIRE),
        COILED[0],
        COILED[1],
        COILED[2],
        COILED[3],
        &CLUSTERS,
        &[
            Field::new(
                "from-normal",
                Kind::Direction,
                "Which way the spring leaves its start; its length does not matter.",
            )
            .keyed()
            .preset(Preset::Computed("X axis of the locator, else towards the other end")),
            Field::new(
                "to-normal",
                Kind::Direction,
                "Which way the spring arrives at its end; its length does not matter.",
            )
            .keyed()
            .preset(Preset::Computed("X axis of the locator, else away from the other end")),
            Field::new(
                "reach",
                Kind::Scalar(Unit::Fraction),
                "How far the ends hold their direction, as a part of the distance between them.",
            )
            .range(Range::NOT_NEGATIVE)
            .keyed()
            .number(0.5),
            Field::new(
                "inner",
                Kind::Vectors(2, Unit::Metres),
                "Shifts of the two inner control points from where they would be.",
            )
            .keyed()
            .preset(Preset::Numbers(&[0.0; 6])),
            Field::new(
                "rest-distance",
                Kind::Scalar(Unit::Metres),
                "Distance of the ends at which `sag` counts in full.",
            )
            .range(Range::POSITIVE)
            .keyed()
            .preset(Preset::Computed("distance at frame 0")),
        ],
    ],
    one_of: &[],
};
