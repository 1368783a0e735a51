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
    "How far the middle of the backbone hangs down, in metres; 0 is a straight line.",
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
            "Radius of the coils, from the backbone to the axis of the wire, in metres.",
        )
        .range(Range::POSITIVE)
        .keyed()
        .number(0.03),
        Field::new("coils", Kind::Scalar(Unit::Coils), "Number of coils; fractions are allowed.")
            .range(Range::POSITIVE)
            .number(30.0),
        Field::new("points-per-coil", Kind::Integer, "Number of points per coil.")
            .range(Range::at_least(8.0))
            .number(24.0),
        Field::new(
            "wire-length",
            Kind::Scalar(Unit::Metres),
            "Length of the wire, in metres; the coils then narrow as the cord stretches. If not set, they keep their `coil-radius`.",
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
    help: "A coiled elastic cord, as of a telephone: coils around a backbone, which spread apart and close up as it stretches and shrinks.",
    fields: fields![&common(&CORD), COILED[0], COILED[1], COILED[2], COILED[3]],
    one_of: &[],
};

/// A coiled cord with straight leads.
pub(super) static MICROPHONE_CORD: RecordType = RecordType {
    name: "microphone-cord",
    help: "A coiled cord with straight cable at each end.",
    fields: fields![
        &common(&CORD),
        COILED[0],
        COILED[1],
        COILED[2],
        COILED[3],
        &[Field::new(
            "leads",
            Kind::Scalars(2, Unit::Metres),
            "Lengths of the straight cable at the start and at the end, in metres.",
        )
        .range(Range::NOT_NEGATIVE)
        .keyed()
        .preset(Preset::Numbers(&[0.15, 0.15]))],
    ],
    one_of: &[],
};

/// Parameters of a spring that a coiled cord does not have.
const CLUSTERS: [Field; 5] = [
    Field::new("pincers", Kind::Records(&PINCER), "Pincers that hold coils together.")
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
            Choice {
                name: "pinned",
                help: "The end coils stay in place, and coils never run backwards.",
            },
            Choice {
                name: "rigid-ends",
                help: "As \"pinned\", and the last half coil at each end keeps its spacing.",
            },
            Choice {
                name: "published",
                help: "The formula of the paper, with which large waves can run backwards.",
            },
        ]),
        "How coil waves behave at the ends.",
    )
    .preset(Preset::Text("pinned")),
    Field::new(
        "plateau",
        Kind::Scalar(Unit::Fraction),
        "Fraction of the spring at each end over which coil waves fade in; if not set, half a coil.",
    )
    .range(Range::between(0.0, 0.5))
    .keyed()
    .preset(Preset::Computed("half a coil")),
    Field::new(
        "rounding",
        Kind::Scalar(Unit::Fraction),
        "How softly pincers begin and end, as a fraction of half the shortest section between their edges.",
    )
    .range(Range::UNIT)
    .keyed()
    .number(0.5),
];

/// A long, loose spring.
pub(super) static SPRING: RecordType = RecordType {
    name: "spring",
    help: "A long, loose spring whose coils cluster: pincers hold coils together, and waves of compression run along it.",
    fields: fields![&common(&STEEL_WIRE), COILED[0], COILED[1], COILED[2], COILED[3], &CLUSTERS],
    one_of: &[],
};

/// The spring of a toy dog.
pub(super) static SLINKY: RecordType = RecordType {
    name: "slinky",
    help: "A spring between two bodies, as in the toy dog: it leaves both ends at right angles, two inner points shape it, and its sag vanishes as the ends meet.",
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
                "Direction in which the spring leaves its start, as a vector of any length.",
            )
            .keyed()
            .preset(Preset::Computed("X axis of the locator, or towards the other end")),
            Field::new(
                "to-normal",
                Kind::Direction,
                "Direction in which the spring arrives at its end, as a vector of any length.",
            )
            .keyed()
            .preset(Preset::Computed("X axis of the locator, or away from the other end")),
            Field::new(
                "reach",
                Kind::Scalar(Unit::Fraction),
                "How far the spring keeps these directions at its ends, as a fraction of the distance between them.",
            )
            .range(Range::NOT_NEGATIVE)
            .keyed()
            .number(0.5),
            Field::new(
                "inner",
                Kind::Vectors(2, Unit::Metres),
                "Offsets of the two inner control points from their default positions, in metres.",
            )
            .keyed()
            .preset(Preset::Numbers(&[0.0; 6])),
            Field::new(
                "rest-distance",
                Kind::Scalar(Unit::Metres),
                "Distance between the ends at which `sag` applies in full, in metres; if not set, that at frame 0.",
            )
            .range(Range::POSITIVE)
            .keyed()
            .preset(Preset::Computed("distance at frame 0")),
        ],
    ],
    one_of: &[],
};
