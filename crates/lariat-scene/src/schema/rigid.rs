//! Solids that fall, turn and bump: how heavy they are, what they rest on, how they are thrown.
//!
//! `dynamics = "rigid"` is enough. They move together with all strings of a document, which can be
//! tied to them.
//!
//! Tests, in `lariat-eval`: `a_released_box_falls_and_comes_to_rest`.

use super::{
    Family, Field, Kind, OneOf, Preset, Range, RecordType, Unit,
    dynamics::START,
    table::{Shorthand, fields},
    wave::ON,
};

/// How a solid is simulated.
pub(super) const FIELD: Field = Field::new(
    "dynamics",
    Kind::Record(&RIGID),
    "Whether it falls, turns and bumps by itself: `\"rigid\"`, or a table; if not given, it is posed.",
);

/// As it moves when it is let go.
const BY_KEYS: Preset = Preset::Computed("as its keys move it");

/// How a solid is simulated.
pub static RIGID: Family = Family {
    noun: "solid-dynamics",
    tag: Some("kind"),
    shorthand: Some(Shorthand { tell_tale: "bounce", means: "rigid" }),
    types: &[&RecordType {
        name: "rigid",
        help: "A solid that falls, turns and bumps by itself, and is pulled by the strings that are tied to it.",
        fields: fields![&[
            START,
            Field::new("mass", Kind::Scalar(Unit::Kilograms), "How heavy it is.")
                .range(Range::POSITIVE)
                .preset(Preset::Computed("that of its volume and `density`")),
            Field::new(
                "density",
                Kind::Scalar(Unit::KilogramsPerCubicMetre),
                "How heavy a cubic metre of it is.",
            )
            .range(Range::POSITIVE)
            .preset(Preset::Computed("600, which is wood")),
            Field::new(
                "friction",
                Kind::Scalar(Unit::Number),
                "How much it rubs on what it touches: 0 is ice.",
            )
            .range(Range::NOT_NEGATIVE)
            .number(0.5),
            Field::new(
                "bounce",
                Kind::Scalar(Unit::Fraction),
                "How much of its speed comes back from a floor: 0 lies still, 1 bounces on.",
            )
            .range(Range::UNIT)
            .number(0.0),
            Field::new(
                "velocity",
                Kind::Vector(Unit::MetresPerSecond),
                "How fast it is thrown when it is let go.",
            )
            .preset(BY_KEYS),
            Field::new(
                "spin",
                Kind::Vector(Unit::Hertz),
                "Turns a second about X, Y and Z of the world when it is let go.",
            )
            .preset(BY_KEYS),
            Field::new(
                "floor",
                Kind::Scalar(Unit::Metres),
                "Height of the floor that it falls on; no floor if not given.",
            )
            .keyed(),
            Field::new("touches", Kind::Records(&TOUCH), "Colliders that it bumps into.")
                .preset(Preset::Empty),
        ]],
        one_of: &[OneOf { fields: &["mass", "density"], required: false }],
    }],
};

/// What a solid bumps into.
pub static TOUCH: Family = Family {
    noun: "touch",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "touch",
        help: "A collider that a simulated solid bumps into.",
        fields: &[Field::new("against", Kind::Against, "The name of a collider.").required(), ON],
        one_of: &[],
    }],
};
