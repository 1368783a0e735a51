//! Strings that twist, tear and flick: material, supports, loads and method.
//!
//! `dynamics = "string"` is enough: every number has a default. All strings of a document collide
//! with each other, so they are simulated together, by one method: the default, or
//! `method = "published"`, the strings of Rungjiratananon et al. 2012.

use super::{
    Choice, Family, Field, Kind, OneOf, Preset, Range, RecordType, Unit,
    dynamics::{
        BY_MATERIAL, FORCES, HOLD_END, HOLD_START, MASS_PER_METRE, PINS, START, WEIGHTS, air_drag,
        at, bend_stiffness, friction, rate, viscosity,
    },
    material::MATERIAL,
    table::fields,
    wave::ON,
};

const fn property(name: &'static str, unit: Unit, help: &'static str) -> Field {
    Field::new(name, Kind::Scalar(unit), help).range(Range::POSITIVE).preset(BY_MATERIAL)
}

const SUBSTANCE: [Field; 20] = [
    MATERIAL,
    START,
    Field::new("segments", Kind::Integer, "How many straight pieces it is made of.")
        .range(Range::between(1.0, 100_000.0))
        .preset(Preset::Computed("64, or as many as the pose that it starts from takes")),
    rate("Steps a second, whatever the frame rate. All strings move together: the highest counts."),
    MASS_PER_METRE,
    property("density", Unit::KilogramsPerCubicMetre, "How heavy a cubic metre of it is."),
    property(
        "modulus",
        Unit::Pascals,
        "The pull over its cross-section that would make it twice as long, were it to stay springy.",
    ),
    property(
        "plastic-modulus",
        Unit::Pascals,
        "The same beyond the yield point, where part of the stretch stays; below `modulus`.",
    ),
    property(
        "yield-stress",
        Unit::Pascals,
        "The pull over its cross-section beyond which it stays longer.",
    ),
    property("rupture-stress", Unit::Pascals, "The pull over its cross-section that tears it."),
    property("shear-modulus", Unit::Pascals, "How hard it is to twist.").range(Range::NOT_NEGATIVE),
    property(
        "plastic-shear-modulus",
        Unit::Pascals,
        "The same beyond the yield point, where part of the twist stays; below `shear-modulus`.",
    )
    .range(Range::NOT_NEGATIVE),
    property(
        "yield-shear",
        Unit::Number,
        "The shear of its surface beyond which it stays twisted: radius times radians a metre.",
    ),
    property("rupture-shear", Unit::Number, "The shear of its surface that tears it."),
    bend_stiffness("How hard it is to bend (EI); 0 is limp."),
    Field::new(
        "inner-friction",
        Kind::Scalar(Unit::Seconds),
        "How strongly bending and twisting lose motion: stiffness times this is the damping.",
    )
    .range(Range::NOT_NEGATIVE)
    .preset(BY_MATERIAL),
    Field::new(
        "twist-along",
        Kind::Along(Unit::Number),
        "How the stiffness against twisting changes along it, as factors: `[[0, 1], [1, 0.2]]`.",
    )
    .range(Range::POSITIVE)
    .preset(Preset::Computed("1 everywhere")),
    Field::new(
        "variation",
        Kind::Scalar(Unit::Fraction),
        "How much strength and stiffness of one segment differ from another's.",
    )
    .range(Range::between(0.0, 0.9))
    .number(1e-4),
    Field::new("seed", Kind::Integer, "Which differences: every number gives others.")
        .range(Range::between(0.0, 9_007_199_254_740_992.0))
        .number(0.0),
    WEIGHTS,
];

const MANNERS: [Field; 10] = [
    Field::new(
        "curved",
        Kind::Switch,
        "Whether the pose that it starts from is its shape at rest; otherwise it would be straight.",
    )
    .preset(Preset::Switch(false)),
    Field::new("tears", Kind::Switch, "Whether it yields and tears at all.")
        .preset(Preset::Switch(true)),
    Field::new(
        "stretches",
        Kind::Switch,
        "Whether it stretches before it yields; otherwise its length stays until then, and nothing snaps it back.",
    )
    .preset(Preset::Switch(true)),
    Field::new(
        "flick",
        Kind::Switch,
        "Whether its length stays until it yields, and what it was pulled with flicks it back when it is let go or tears, as in the paper.",
    )
    .preset(Preset::Switch(false)),
    Field::new("contact", Kind::Switch, "Whether it touches itself and other strings.")
        .preset(Preset::Switch(true)),
    friction("How much it rubs on floor, clamps and strings: 0 is ice. Of two strings the mean counts."),
    viscosity("The share of its speed that it loses each second."),
    air_drag("How much the world's air and wind take hold across it: its drag coefficient."),
    PINS,
    FORCES,
];

/// Rotation of a held end.
const fn turned(name: &'static str, help: &'static str) -> Field {
    Field::new(name, Kind::Scalar(Unit::Turns), help).keyed().number(0.0)
}

const HOLDS: [Field; 7] = [
    HOLD_START,
    HOLD_END,
    turned(
        "twist-start",
        "How far what holds its start is turned about the string, right-handed towards its end. What both ends differ by at first is laid into it evenly.",
    ),
    turned(
        "twist-end",
        "How far what holds its end is turned about the string, the same way round.",
    ),
    Field::new(
        "swivel-start",
        Kind::Switch,
        "Whether its held start may turn freely, as on a swivel; otherwise it keeps its twist.",
    )
    .keyed()
    .preset(Preset::Switch(false)),
    Field::new(
        "swivel-end",
        Kind::Switch,
        "Whether its held end may turn freely, as on a swivel; otherwise it keeps its twist.",
    )
    .keyed()
    .preset(Preset::Switch(false)),
    Field::new("torques", Kind::Records(&TORQUE), "What wrings it.").preset(Preset::Empty),
];

const METHOD: [Field; 4] = [
    Field::new(
        "method",
        Kind::Choice(&[
            Choice {
                name: "implicit",
                help: "Tension, bending and twist are solved for, and stable at any step.",
            },
            Choice {
                name: "published",
                help: "The strings of Rungjiratananon et al.: regions that keep their shape, averaged twist, lengths put right from the held places outwards, and all stretch beyond the yield point stays.",
            },
        ]),
        "Which simulator steps the strings. All strings of a document use the same one.",
    )
    .preset(Preset::Text("implicit")),
    Field::new(
        "twist-by",
        Kind::Choice(&[
            Choice { name: "torque", help: "By torques between segments, with their inertia." },
            Choice { name: "none", help: "It has no twist." },
        ]),
        "How twist spreads.",
    )
    .preset(Preset::Text("torque")),
    Field::new(
        "bend-width",
        Kind::Scalar(Unit::Metres),
        "How far to each side regions reach that keep their shape.",
    )
    .range(Range::POSITIVE)
    .preset(Preset::Computed("three segments as published; otherwise the narrowest that will do")),
    Field::new(
        "segment-damping",
        Kind::Scalar(Unit::PerSecond),
        "Damping of the relative motion of neighbouring segments, per second: lower lets a whip crack, higher softens it.",
    )
    .range(Range::NOT_NEGATIVE)
    .number(10.0),
];

/// A string.
pub(super) static STRING: RecordType = RecordType {
    name: "string",
    help: "A string that falls, twists, kinks, tears and flicks by itself, and touches itself and other strings.",
    fields: fields![&SUBSTANCE, &MANNERS, &HOLDS, &METHOD],
    one_of: &[OneOf { fields: &["mass-per-metre", "density"], required: false }],
};

/// A torque.
pub static TORQUE: Family = Family {
    noun: "torque",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "torque",
        help: "A torque about a string at one of its places.",
        fields: &[
            at("Where along the string it wrings: 0 its start, 1 its end.").keyed().number(1.0),
            Field::new(
                "torque",
                Kind::Scalar(Unit::NewtonMetres),
                "How hard, right-handed about the way from its start to its end.",
            )
            .keyed()
            .required(),
            ON,
        ],
        one_of: &[],
    }],
};
