//! Simulated solids: mass, friction, initial velocity and colliders.
//!
//! `dynamics = "rigid"` is enough. Solids are simulated together with all strings of a document,
//! which can be tied to them.
//!
//! Tests, in `lariat-eval`: `a_released_box_falls_and_comes_to_rest`.

use super::{
    Family, Field, Kind, OneOf, Preset, Range, RecordType, Unit,
    dynamics::START,
    table::{Shorthand, fields},
    wave::ON,
};

/// Dynamics of a solid.
pub(super) const FIELD: Field = Field::new(
    "dynamics",
    Kind::Record(&RIGID),
    "Simulation of the solid: `\"rigid\"`, or a table; if not set, it is posed by its keys.",
);

/// Default of the initial velocity and spin.
const BY_KEYS: Preset = Preset::Computed("that of its keys at the start");

/// Dynamics of a solid.
pub static RIGID: Family = Family {
    noun: "solid-dynamics",
    tag: Some("kind"),
    shorthand: Some(Shorthand { unique_field: "bounce", type_name: "rigid" }),
    types: &[&RecordType {
        name: "rigid",
        help: "A simulated solid, which falls, tumbles, collides, and is pulled by the strings tied to it.",
        fields: fields![&[
            START,
            Field::new(
                "mass",
                Kind::Scalar(Unit::Kilograms),
                "Mass in kilograms; if not set, its volume times `density`."
            )
            .range(Range::POSITIVE)
            .preset(Preset::Computed("volume times `density`")),
            Field::new(
                "density",
                Kind::Scalar(Unit::KilogramsPerCubicMetre),
                "Density, in kilograms per cubic metre.",
            )
            .range(Range::POSITIVE)
            .preset(Preset::Computed("600 kg/m³, wood")),
            Field::new(
                "friction",
                Kind::Scalar(Unit::Number),
                "Coefficient of friction with floor and colliders; 0 is ice. Two solids use the mean of theirs, a string on a solid its own.",
            )
            .range(Range::NOT_NEGATIVE)
            .number(0.5),
            Field::new(
                "bounce",
                Kind::Scalar(Unit::Fraction),
                "Coefficient of restitution: 0 does not bounce, 1 bounces off a floor to the height that it fell from. Two solids use the mean of theirs.",
            )
            .range(Range::UNIT)
            .number(0.0),
            Field::new(
                "velocity",
                Kind::Vector(Unit::MetresPerSecond),
                "Velocity at the start, in metres per second; if not set, that of its keys.",
            )
            .preset(BY_KEYS),
            Field::new(
                "spin",
                Kind::Vector(Unit::Hertz),
                "Rotation at the start, in turns per second about the world's X, Y and Z axes; if not set, that of its keys.",
            )
            .preset(BY_KEYS),
            Field::new(
                "floor",
                Kind::Scalar(Unit::Metres),
                "Height of the floor that it falls on, in metres; if not set, there is no floor.",
            )
            .keyed(),
            Field::new("touches", Kind::Records(&TOUCH), "Colliders that it collides with.")
                .preset(Preset::Empty),
        ]],
        one_of: &[OneOf { fields: &["mass", "density"], required: false, otherwise: None }],
    }],
};

/// A collider of a simulated solid.
pub static TOUCH: Family = Family {
    noun: "touch",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "touch",
        help: "A collider that a simulated solid collides with.",
        fields: &[Field::new("against", Kind::Against, "Name of the collider.").required(), ON],
        one_of: &[],
    }],
};
