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
    "Bends, as of a pipe cleaner; each one turns everything beyond it.",
)
.preset(Preset::Empty);

/// Hold of the free end against the waves.
pub(super) const ENV: Field = Field::new(
    "env",
    Kind::Scalar(Unit::Fraction),
    "How firmly the free end is held: 0 moves fully with the waves, 1 stays still.",
)
.plain(&["hold"])
.range(Range::UNIT)
.keyed()
.number(0.0);

pub(super) const LOOSE: [Field; 7] = [
    anchor("from", "Point at which the rope is held."),
    LENGTH.required(),
    Field::new(
        "direction",
        Kind::Direction,
        "Direction in which the rope leaves its held end, as a vector of any length.",
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
    help: "A rope that is held at one end and free at the other: a lead, a tail, a whip. Bends shape it, waves run along it, and it can lie on the floor.",
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
    help: "A loose rope with a flat profile, on which twist is visible: a belt, a strap, a ribbon.",
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
