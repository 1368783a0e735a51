//! A tail: one curve drives all its bends.

use super::{
    Choice, Field, Kind, Preset, Range, RecordType, Unit,
    common::{Looks, common, samples},
    loose::LOOSE,
    table::fields,
};

/// Fur, linear.
const FUR: &[f64] = &[0.32, 0.17, 0.07];

const TAIL: [Field; 5] = [
    Field::new(
        "swing",
        Kind::Scalar(Unit::Degrees),
        "Bends it sideways: by so much as a whole, if all of it moved at once. A wiggle here runs down the tail.",
    )
    .keyed()
    .number(0.0),
    Field::new("lift", Kind::Scalar(Unit::Degrees), "Bends it upwards, likewise.")
        .keyed()
        .number(0.0),
    Field::new(
        "lag",
        Kind::Scalar(Unit::Degrees),
        "How far the tip is behind the base: 360 is a whole swing.",
    )
    .keyed()
    .number(120.0),
    Field::new(
        "pace",
        Kind::Choice(&[
            Choice {
                name: "width",
                help: "The lag grows quickly where the tail is thick, as in the paper.",
            },
            Choice { name: "even", help: "The lag grows evenly along the tail." },
            Choice {
                name: "weight",
                help: "The lag is the time that a wave takes down a rope hanging by its own weight; `lag` has no effect.",
            },
        ]),
        "How the lag grows along the tail.",
    )
    .preset(Preset::Text("width")),
    Field::new("joints", Kind::Integer, "Number of joints that bend.")
        .range(Range::between(1.0, 1000.0))
        .number(24.0),
];

/// A tail.
pub(super) static RECORD: RecordType = RecordType {
    name: "tail",
    help: "A tapering rope held at one end, all of whose bends follow one curve, each a little behind the one before: a tail, an antenna, a tentacle. Needs a wiggle in `swing` or `lift`.",
    fields: fields![
        &common(&Looks {
            radius: 0.04,
            look: "leather",
            colour: FUR,
            profile: "round",
            taper: "from 1 to 0.15",
        }),
        &[samples(65.0)],
        &LOOSE,
        &TAIL,
    ],
    one_of: &[],
};
