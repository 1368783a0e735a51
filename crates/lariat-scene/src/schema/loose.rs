//! Ropes held at one end: loose rope, strap.

use super::{
    BEND, Field, Kind, Preset, Range, RecordType, Unit,
    common::{EVEN, HEMP, KEEP_LENGTH, LEATHER, Looks, anchor, common, samples},
    suspended::{LENGTH, WAVES},
    table::fields,
};

/// Bends along a rope.
pub(super) const BENDS: Field = Field::new(
    "bends",
    Kind::Records(&BEND),
    "Bends, as of a pipe cleaner; each turns everything beyond it.",
)
.preset(Preset::Empty);

/// How much the free end joins in the waves.
pub(super) const ENV: Field = Field::new(
    "env",
    Kind::Scalar(Unit::Fraction),
    "How still the free end is: 0 it moves with the waves, 1 it is held.",
)
.plain(&["hold"])
.range(Range::UNIT)
.keyed()
.number(0.0);

pub(super) const LOOSE: [Field; 7] = [
    anchor("from", "Where the rope is held."),
    LENGTH.required(),
    Field::new(
        "direction",
        Kind::Direction,
        "Which way the rope leaves the end that is held; its length does not matter.",
    )
    .keyed()
    .preset(Preset::Numbers(&[0.0, 0.0, -1.0])),
    BENDS,
    WAVES,
    ENV,
    KEEP_LENGTH,
];

/// A rope held at one end.
pub(super) static LOOSE_ROPE: RecordType = RecordType {
    name: "loose-rope",
    help: "A rope that is held at one end and free at the other: a lead, a tail, a whip. Bends shape it, waves run down it, and it lies down on the floor.",
    fields: fields![
        &common(&Looks { radius: 0.01, look: "rope", colour: HEMP, profile: "round", taper: EVEN }),
        &[samples(49.0)],
        &LOOSE,
    ],
    one_of: &[],
};

/// A flat rope.
pub(super) static STRAP: RecordType = RecordType {
    name: "strap",
    help: "A loose rope with a flat profile: a belt, a strap, a ribbon. Twist shows.",
    fields: fields![
        &common(&Looks {
            radius: 0.01,
            look: "leather",
            colour: LEATHER,
            profile: "flat",
            taper: EVEN
        }),
        &[samples(49.0)],
        &LOOSE,
    ],
    one_of: &[],
};
