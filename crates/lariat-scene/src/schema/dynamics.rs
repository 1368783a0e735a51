//! Simulated bodies: material, supports, loads and method of a spline rope, and the parameters that
//! strings share with it. Strings are in `string.rs`, solids in `rigid.rs`.
//!
//! `dynamics = "spline-rope"` is enough: every number has a default, most of them from the material.
//! *As published* refers to Tuzel 2004. Where a better method is known, it is the default, and the
//! published one is a choice.

use super::{
    Choice, Family, Field, Kind, Preset, Range, RecordType, Unit,
    common::anchor,
    material::MATERIAL,
    string,
    table::{Shorthand, fields},
    wave::ON,
};

/// Models of closed and compound ropes, which cannot be simulated yet.
const NOT_SIMULATED: &[&str] = &["hoop", "lasso", "compound"];

/// Returns true if a body of this model can be simulated.
pub fn can_be_simulated(model: &RecordType) -> bool {
    model.field("dynamics").is_some() && !NOT_SIMULATED.contains(&model.name)
}

/// Dynamics of a body.
pub(super) const FIELD: Field = Field::new(
    "dynamics",
    Kind::Record(&DYNAMICS),
    "Simulation of the body: `\"spline-rope\"`, `\"string\"`, or a table; if not set, it is posed by its model.",
);

/// Default that depends on the material.
pub(super) const BY_MATERIAL: Preset = Preset::Computed("that of the material");

/// Number of control points: at least those of one spline segment, and few enough that a typing
/// error does not exhaust the memory.
const CONTROL_POINTS: Range = Range::between(4.0, 100_000.0);

/// Steps per second.
const RATES: Range = Range::between(1.0, 1_000_000.0);

/// Position along the rope.
pub(super) const fn at(help: &'static str) -> Field {
    Field::new("at", Kind::Scalar(Unit::Fraction), help).range(Range::UNIT)
}

/// First simulated frame.
pub(super) const START: Field = Field::new(
    "start",
    Kind::Scalar(Unit::Frames),
    "First simulated frame, which may be before the shot. Until then it is posed, and it is released with the velocity of that pose.",
)
.preset(Preset::Computed("the first frame of the shot"));

/// Steps per second.
pub(super) const fn rate(help: &'static str) -> Field {
    Field::new("rate", Kind::Scalar(Unit::Hertz), help).range(RATES).number(240.0)
}

/// Mass per metre.
pub(super) const MASS_PER_METRE: Field = Field::new(
    "mass-per-metre",
    Kind::Scalar(Unit::KilogramsPerMetre),
    "Mass per metre, in kilograms; if not set, that of the material and radius.",
)
.range(Range::POSITIVE)
.preset(BY_MATERIAL);

/// Bending stiffness.
pub(super) const fn bend_stiffness(help: &'static str) -> Field {
    Field::new("bend-stiffness", Kind::Scalar(Unit::NewtonSquareMetres), help)
        .range(Range::NOT_NEGATIVE)
        .preset(BY_MATERIAL)
}

const fn loss(name: &'static str, unit: Unit, usual: f64, help: &'static str) -> Field {
    Field::new(name, Kind::Scalar(unit), help).range(Range::NOT_NEGATIVE).keyed().number(usual)
}

/// Linear damping.
pub(super) const fn viscosity(help: &'static str) -> Field {
    loss("viscosity", Unit::PerSecond, 0.0, help)
}

/// Air drag.
pub(super) const fn air_drag(help: &'static str) -> Field {
    loss("air-drag", Unit::Number, 1.2, help)
}

/// Friction.
pub(super) const fn friction(help: &'static str) -> Field {
    loss("friction", Unit::Number, 0.4, help)
}

/// Default of held ends.
const AS_ITS_MODEL: Preset = Preset::Computed("as in its model");

/// Whether its start is held.
pub(super) const HOLD_START: Field = Field::new(
    "hold-start",
    Kind::Switch,
    "Whether the start is held where the model places it; off releases it. If not set, as in the model.",
)
.keyed()
.preset(AS_ITS_MODEL);

/// Whether its end is held.
pub(super) const HOLD_END: Field = Field::new(
    "hold-end",
    Kind::Switch,
    "Whether the end is held where the model places it; off releases it. If not set, as in the model.",
)
.keyed()
.preset(AS_ITS_MODEL);

/// Held points between the ends.
pub(super) const PINS: Field =
    Field::new("pins", Kind::Records(&PIN), "Points between the ends that are held.")
        .preset(Preset::Empty);

/// Forces.
pub(super) const FORCES: Field =
    Field::new("forces", Kind::Records(&FORCE), "Forces that act on it.").preset(Preset::Empty);

/// Weights.
pub(super) const WEIGHTS: Field =
    Field::new("weights", Kind::Records(&WEIGHT), "Weights that are tied to it.")
        .preset(Preset::Empty);

const SUBSTANCE: [Field; 8] = [
    MATERIAL,
    START,
    Field::new("control-points", Kind::Integer, "Number of control points of its curve.")
        .range(CONTROL_POINTS)
        .preset(Preset::Computed("32, or as many as the starting pose needs")),
    rate("Steps per second, independent of the frame rate; more are more accurate, but slower."),
    MASS_PER_METRE,
    Field::new(
        "mass-along",
        Kind::Along(Unit::Number),
        "Factors on the mass along the rope, as `[[u, factor], …]`: `[[0, 1], [1, 3]]`.",
    )
    .range(Range::POSITIVE)
    .preset(Preset::Computed("1 everywhere")),
    Field::new(
        "stretch-stiffness",
        Kind::Scalar(Unit::Newtons),
        "Stretching stiffness (EA), in newtons: the force that would double its length if it stayed elastic.",
    )
    .range(Range::POSITIVE)
    .preset(BY_MATERIAL),
    bend_stiffness("Bending stiffness (EI), in newton square metres; 0 is a chain."),
];

const LOSSES: [Field; 6] = [
    Field::new(
        "compression",
        Kind::Scalar(Unit::Fraction),
        "Stiffness against compression, as a fraction of `stretch-stiffness`: 0 is a chain, 1 a rod.",
    )
    .range(Range::UNIT)
    .preset(BY_MATERIAL),
    Field::new(
        "inner-friction",
        Kind::Scalar(Unit::Seconds),
        "Internal damping of stretching and bending, in seconds; it is multiplied by the stiffness. If not set, the published method limits it to what its steps allow.",
    )
    .range(Range::NOT_NEGATIVE)
    .preset(BY_MATERIAL),
    viscosity("Linear damping, as published: the fraction of its speed that the rope loses per second."),
    air_drag("Drag coefficient of the rope across the world's air and wind."),
    friction("Coefficient of friction with floor and clamps; 0 is ice."),
    Field::new(
        "contact-points",
        Kind::Integer,
        "Number of points along the rope that are kept out of floor and clamps.",
    )
    .range(Range::between(0.0, 1_000_000.0))
    .preset(Preset::Computed("two per control point, or as many as the thinnest obstacle needs")),
];

const HOLDS: [Field; 5] = [HOLD_START, HOLD_END, PINS, FORCES, WEIGHTS];

const METHOD: [Field; 2] = [
    Field::new(
        "method",
        Kind::Choice(&[
            Choice {
                name: "implicit",
                help: "Second order, and stable at any step; the whole curve resists stretching and bending, and held points do not give.",
            },
            Choice {
                name: "published",
                help: "Tuzel's rope: springs that pull but never push, held points on springs, uniform knots, explicit steps. It needs `viscosity`.",
            },
        ]),
        "Simulation method.",
    )
    .preset(Preset::Text("implicit")),
    Field::new(
        "springs",
        Kind::Integer,
        "Number of springs along the rope, with `method = \"published\"`.",
    )
    .range(Range::between(1.0, 1_000_000.0))
    .preset(Preset::Computed("two per control point")),
];

/// Dynamics of a body.
pub static DYNAMICS: Family = Family {
    noun: "dynamics",
    tag: Some("kind"),
    shorthand: Some(Shorthand { unique_field: "control-points", type_name: "spline-rope" }),
    types: &[
        &RecordType {
            name: "spline-rope",
            help: "A simulated rope, which falls, swings and comes to rest: a smooth curve with mass that stretches and bends as its material does.",
            fields: fields![&SUBSTANCE, &LOSSES, &HOLDS, &METHOD],
            one_of: &[],
        },
        &string::STRING,
    ],
};

/// A held point.
pub static PIN: Family = Family {
    noun: "pin",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "pin",
        help: "A held point of a simulated rope: a hand, a nail, a pulley.",
        fields: &[
            at("Position along the rope: 0 is its start, 1 its end.").required(),
            anchor("to", "Point at which it is held."),
            ON,
        ],
        one_of: &[],
    }],
};

/// A force.
pub static FORCE: Family = Family {
    noun: "force",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "force",
        help: "A force at a point of a simulated rope.",
        fields: &[
            at("Position along the rope at which it acts: 0 is its start, 1 its end.")
                .keyed()
                .number(1.0),
            Field::new("force", Kind::Vector(Unit::Newtons), "Force vector, in newtons.")
                .keyed()
                .required(),
            ON,
        ],
        one_of: &[],
    }],
};

/// A weight.
pub static WEIGHT: Family = Family {
    noun: "weight",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "weight",
        help: "A weight tied to a simulated rope.",
        fields: &[
            at("Position along the rope at which it is tied: 0 is its start, 1 its end.")
                .number(1.0),
            Field::new("mass", Kind::Scalar(Unit::Kilograms), "Mass in kilograms.")
                .range(Range::POSITIVE)
                .required(),
        ],
        one_of: &[],
    }],
};
