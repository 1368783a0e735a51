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
        "Sideways bend, in degrees: the total of all joints if they moved at once. A wiggle here runs down the tail.",
    )
    .keyed()
    .number(0.0),
    Field::new("lift", Kind::Scalar(Unit::Degrees), "Upward bend, in degrees, as for `swing`.")
        .keyed()
        .number(0.0),
    Field::new(
        "lag",
        Kind::Scalar(Unit::Degrees),
        "Lag of the tip behind the base, in degrees: 360 is one swing.",
    )
    .keyed()
    .number(120.0),
    Field::new(
        "pace",
        Kind::Choice(&[
            Choice {
                name: "width",
                help: "The lag grows fastest where the tail is thick, as in the paper.",
            },
            Choice { name: "even", help: "The lag grows evenly along the tail." },
            Choice {
                name: "weight",
                help: "The lag is the travel time of a wave down a rope that hangs under its own weight; `lag` has no effect.",
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
    help: "A tapering rope held at one end, whose bends all follow one curve, each a little later than the one before: a tail, an antenna, a tentacle. It needs a wiggle in `swing` or `lift`.",
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
