//! Schema of simulated strings: material, contact, holds, torques, method.
//!
//! `dynamics = "string"` is enough. All strings of a document are simulated together,
//! because they collide, and by one method: the default, or `method = "published"`, the strings of
//! Rungjiratananon et al. 2012.

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
    Field::new("segments", Kind::Integer, "Number of straight segments.")
        .range(Range::between(1.0, 100_000.0))
        .preset(Preset::Computed("64, or more if the start pose needs them")),
    rate("Simulation steps per second, independent of the frame rate. All strings use the highest rate in the document."),
    MASS_PER_METRE,
    property("density", Unit::KilogramsPerCubicMetre, "Mass per volume."),
    property(
        "modulus",
        Unit::Pascals,
        "Young's modulus: tensile stress over stretch, up to the yield point.",
    ),
    property(
        "plastic-modulus",
        Unit::Pascals,
        "Slope of tensile stress over stretch beyond the yield point, where part of the stretch stays; below `modulus`.",
    ),
    property(
        "yield-stress",
        Unit::Pascals,
        "Tensile stress beyond which part of the stretch stays.",
    ),
    property("rupture-stress", Unit::Pascals, "Tensile stress at which the string tears."),
    property("shear-modulus", Unit::Pascals, "Shear modulus: resistance to twisting, up to the yield point.").range(Range::NOT_NEGATIVE),
    property(
        "plastic-shear-modulus",
        Unit::Pascals,
        "Shear modulus beyond the yield point, where part of the twist stays; below `shear-modulus`.",
    )
    .range(Range::NOT_NEGATIVE),
    property(
        "yield-shear",
        Unit::Number,
        "Shear of the surface beyond which part of the twist stays: radius times radians per metre.",
    ),
    property("rupture-shear", Unit::Number, "Shear of the surface at which the string tears."),
    bend_stiffness("Bending stiffness (EI); 0 is limp."),
    Field::new(
        "inner-friction",
        Kind::Scalar(Unit::Seconds),
        "Damping of bending and twisting, relative to their stiffness.",
    )
    .range(Range::NOT_NEGATIVE)
    .preset(BY_MATERIAL),
    Field::new(
        "twist-along",
        Kind::Along(Unit::Number),
        "Factors on the torsional stiffness along the string: `[[0, 1], [1, 0.2]]`.",
    )
    .range(Range::POSITIVE)
    .preset(Preset::Computed("1 everywhere")),
    Field::new(
        "variation",
        Kind::Scalar(Unit::Fraction),
        "Random variation of strength and stiffness from segment to segment.",
    )
    .range(Range::between(0.0, 0.9))
    .number(1e-4),
    Field::new("seed", Kind::Integer, "Seed of the variation.")
        .range(Range::between(0.0, 9_007_199_254_740_992.0))
        .number(0.0),
    WEIGHTS,
];

const BEHAVIOUR: [Field; 10] = [
    Field::new(
        "curved",
        Kind::Switch,
        "Uses the start pose as the rest shape; otherwise the string is straight at rest.",
    )
    .preset(Preset::Switch(false)),
    Field::new("tears", Kind::Switch, "Lets the string yield and tear.")
        .preset(Preset::Switch(true)),
    Field::new(
        "stretches",
        Kind::Switch,
        "Lets the string stretch below the yield point; otherwise its length is fixed up to there, and it does not snap back.",
    )
    .preset(Preset::Switch(true)),
    Field::new(
        "flick",
        Kind::Switch,
        "Keeps the length fixed up to the yield point; when released or torn, the string recoils with the tension it had, as in the paper.",
    )
    .preset(Preset::Switch(false)),
    Field::new("contact", Kind::Switch, "Lets the string collide with itself and with other strings.")
        .preset(Preset::Switch(true)),
    friction("Coefficient of friction with floors, colliders and strings; 0 is frictionless. Two strings use the mean of theirs."),
    viscosity("Rate at which the string loses speed, as a share per second."),
    air_drag("Drag coefficient across the string, in the air and wind of the world."),
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
        "Rotation of the held start about the string, right-handed towards its end. The initial difference between both ends is distributed evenly as twist.",
    ),
    turned(
        "twist-end",
        "Rotation of the held end about the string, in the same direction as `twist-start`.",
    ),
    Field::new(
        "swivel-start",
        Kind::Switch,
        "Lets the held start turn freely, as on a swivel; otherwise it keeps its twist.",
    )
    .keyed()
    .preset(Preset::Switch(false)),
    Field::new(
        "swivel-end",
        Kind::Switch,
        "Lets the held end turn freely, as on a swivel; otherwise it keeps its twist.",
    )
    .keyed()
    .preset(Preset::Switch(false)),
    Field::new("torques", Kind::Records(&TORQUE), "Torques about the string.")
        .preset(Preset::Empty),
];

const METHOD: [Field; 4] = [
    Field::new(
        "method",
        Kind::Choice(&[
            Choice {
                name: "implicit",
                help: "Lariat's own: tension, bending and twist are solved implicitly and are stable at any step.",
            },
            Choice {
                name: "published",
                help: "The method of Rungjiratananon et al.: shape matching, averaged twist, strain limiting by sweeps, and all stretch beyond the yield point stays.",
            },
        ]),
        "Simulation method. All strings of a document must use the same one.",
    )
    .preset(Preset::Text("implicit")),
    Field::new(
        "twist-by",
        Kind::Choice(&[
            Choice { name: "torque", help: "Twist spreads: by torques between segments, or averaged over regions with `method = \"published\"`." },
            Choice { name: "none", help: "The string has no twist." },
        ]),
        "Simulation of twist.",
    )
    .preset(Preset::Text("torque")),
    Field::new(
        "bend-width",
        Kind::Scalar(Unit::Metres),
        "Half-width of the regions that are matched to the rest shape.",
    )
    .range(Range::POSITIVE)
    .preset(Preset::Computed("three segments if `method` is \"published\"; otherwise the narrowest possible")),
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
    help: "A simulated string that twists, kinks, yields, tears and flicks, and collides with itself and other strings.",
    fields: fields![&SUBSTANCE, &BEHAVIOUR, &HOLDS, &METHOD],
    one_of: &[OneOf { fields: &["mass-per-metre", "density"], required: false, otherwise: None }],
};

/// Torques on strings.
pub static TORQUE: Family = Family {
    noun: "torque",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "torque",
        help: "A torque about a string.",
        fields: &[
            at("Place along the string: 0 is its start, 1 its end.").keyed().number(1.0),
            Field::new(
                "torque",
                Kind::Scalar(Unit::NewtonMetres),
                "Torque, right-handed about the direction from the start of the string to its end.",
            )
            .keyed()
            .required(),
            ON,
        ],
        one_of: &[],
    }],
};
