//! Bodies that are simulated: what a rope is made of, what holds and pulls it, and how its motion
//! is worked out; what strings share with ropes stands here once. Strings are in `string.rs`, solids in
//! `rigid.rs`.
//!
//! `dynamics = "spline-rope"` is enough; every number has a default, most of them by what the rope
//! is made of. *As published* is what Tuzel 2004 does; where something better is known, that is the
//! default, and the published way stands beside it.

use super::{
    Choice, Family, Field, Kind, Preset, Range, RecordType, Unit,
    common::anchor,
    material::MATERIAL,
    string,
    table::{Shorthand, fields},
    wave::ON,
};

/// Models of closed ropes and of several: nothing simulates them yet.
const NOT_SIMULATED: &[&str] = &["hoop", "lasso", "compound"];

/// Whether a body of this model can be simulated.
pub fn can_be_simulated(model: &RecordType) -> bool {
    model.field("dynamics").is_some() && !NOT_SIMULATED.contains(&model.name)
}

/// How a body is simulated.
pub(super) const FIELD: Field = Field::new(
    "dynamics",
    Kind::Record(&DYNAMICS),
    "Whether it is simulated, and how: `\"spline-rope\"`, `\"string\"`, or a table; if not given, it is posed.",
);

/// What it is made of says it.
pub(super) const BY_MATERIAL: Preset = Preset::Computed("that of what it is made of");

/// As many as a curve needs to be one, and not so many that a slip takes a machine down.
const CONTROL_POINTS: Range = Range::between(4.0, 100_000.0);

/// Steps a second that are worth their while.
const RATES: Range = Range::between(1.0, 1_000_000.0);

/// Where along the rope something is.
pub(super) const fn at(help: &'static str) -> Field {
    Field::new("at", Kind::Scalar(Unit::Fraction), help).range(Range::UNIT)
}

/// From when on.
pub(super) const START: Field = Field::new(
    "start",
    Kind::Scalar(Unit::Frames),
    "From which frame on it is simulated, which may lie before the shot. Up to there its model poses it, and it is let go as fast as it moves there.",
)
.preset(Preset::Computed("the first frame of the shot"));

/// How often a second.
pub(super) const fn rate(help: &'static str) -> Field {
    Field::new("rate", Kind::Scalar(Unit::Hertz), help).range(RATES).number(240.0)
}

/// How heavy.
pub(super) const MASS_PER_METRE: Field =
    Field::new("mass-per-metre", Kind::Scalar(Unit::KilogramsPerMetre), "How heavy a metre is.")
        .range(Range::POSITIVE)
        .preset(BY_MATERIAL);

/// How hard to bend.
pub(super) const fn bend_stiffness(help: &'static str) -> Field {
    Field::new("bend-stiffness", Kind::Scalar(Unit::NewtonSquareMetres), help)
        .range(Range::NOT_NEGATIVE)
        .preset(BY_MATERIAL)
}

const fn loss(name: &'static str, unit: Unit, usual: f64, help: &'static str) -> Field {
    Field::new(name, Kind::Scalar(unit), help).range(Range::NOT_NEGATIVE).keyed().number(usual)
}

/// Speed that is lost.
pub(super) const fn viscosity(help: &'static str) -> Field {
    loss("viscosity", Unit::PerSecond, 0.0, help)
}

/// What air does.
pub(super) const fn air_drag(help: &'static str) -> Field {
    loss("air-drag", Unit::Number, 1.2, help)
}

/// What rubs.
pub(super) const fn friction(help: &'static str) -> Field {
    loss("friction", Unit::Number, 0.4, help)
}

/// Ends are held as they are when the body is posed.
const AS_ITS_MODEL: Preset = Preset::Computed("whether its model holds it there");

/// Whether its start is held.
pub(super) const HOLD_START: Field = Field::new(
    "hold-start",
    Kind::Switch,
    "Whether its start is held where its model puts it; off lets it go.",
)
.keyed()
.preset(AS_ITS_MODEL);

/// Whether its end is held.
pub(super) const HOLD_END: Field = Field::new(
    "hold-end",
    Kind::Switch,
    "Whether its end is held where its model puts it; off lets it go.",
)
.keyed()
.preset(AS_ITS_MODEL);

/// What holds it between.
pub(super) const PINS: Field =
    Field::new("pins", Kind::Records(&PIN), "Places between that are held.").preset(Preset::Empty);

/// What pulls.
pub(super) const FORCES: Field =
    Field::new("forces", Kind::Records(&FORCE), "What pulls at it.").preset(Preset::Empty);

/// What hangs on it.
pub(super) const WEIGHTS: Field =
    Field::new("weights", Kind::Records(&WEIGHT), "What is tied to it.").preset(Preset::Empty);

const SUBSTANCE: [Field; 8] = [
    MATERIAL,
    START,
    Field::new("control-points", Kind::Integer, "How many points its curve is drawn by.")
        .range(CONTROL_POINTS)
        .preset(Preset::Computed("32, or as many as the pose that it starts from takes")),
    rate("Steps a second, whatever the frame rate: more are more exact, and take longer."),
    MASS_PER_METRE,
    Field::new(
        "mass-along",
        Kind::Along(Unit::Number),
        "How the mass changes along the rope, as factors: `[[0, 1], [1, 3]]`.",
    )
    .range(Range::POSITIVE)
    .preset(Preset::Computed("1 everywhere")),
    Field::new(
        "stretch-stiffness",
        Kind::Scalar(Unit::Newtons),
        "The pull that would make it twice as long, were it to stay springy (EA).",
    )
    .range(Range::POSITIVE)
    .preset(BY_MATERIAL),
    bend_stiffness("How hard it is to bend (EI); 0 is a chain."),
];

const LOSSES: [Field; 6] = [
    Field::new(
        "compression",
        Kind::Scalar(Unit::Fraction),
        "How much of `stretch-stiffness` resists being pushed together: 0 is a chain, 1 a rod.",
    )
    .range(Range::UNIT)
    .preset(BY_MATERIAL),
    Field::new(
        "inner-friction",
        Kind::Scalar(Unit::Seconds),
        "How strongly stretching and bending lose motion: stiffness times this is the damping. Unless given, the published method takes no more of it than its steps allow.",
    )
    .range(Range::NOT_NEGATIVE)
    .preset(BY_MATERIAL),
    viscosity("The share of its speed that the rope loses each second, as published."),
    air_drag("How much the world's air and wind take hold across the rope: its drag coefficient."),
    friction("How much it rubs on floor and clamps: 0 is ice."),
    Field::new(
        "contact-points",
        Kind::Integer,
        "How many places along the rope are kept out of floor and clamps.",
    )
    .range(Range::between(0.0, 1_000_000.0))
    .preset(Preset::Computed("two for each control point, or as many as the thinnest thing that it touches needs")),
];

const HOLDS: [Field; 5] = [HOLD_START, HOLD_END, PINS, FORCES, WEIGHTS];

const METHOD: [Field; 2] = [
    Field::new(
        "method",
        Kind::Choice(&[
            Choice {
                name: "implicit",
                help: "Second order, and stable at any step; the whole curve resists stretching and bending, and held places do not give.",
            },
            Choice {
                name: "published",
                help: "Tuzel's rope: springs that pull and never push, held places on springs, uniform knots, explicit steps. It needs `viscosity`.",
            },
        ]),
        "Which simulator steps the rope.",
    )
    .preset(Preset::Text("implicit")),
    Field::new(
        "springs",
        Kind::Integer,
        "How many springs there are along the rope, with `method = \"published\"`.",
    )
    .range(Range::between(1.0, 1_000_000.0))
    .preset(Preset::Computed("two for each control point")),
];

/// How a body is simulated.
pub static DYNAMICS: Family = Family {
    noun: "dynamics",
    tag: Some("kind"),
    shorthand: Some(Shorthand { tell_tale: "control-points", means: "spline-rope" }),
    types: &[
        &RecordType {
            name: "spline-rope",
            help: "A rope that falls, swings and lies down by itself: a smooth curve with mass, which stretches and bends as what it is made of does.",
            fields: fields![&SUBSTANCE, &LOSSES, &HOLDS, &METHOD],
            one_of: &[],
        },
        &string::STRING,
    ],
};

/// A place that is held.
pub static PIN: Family = Family {
    noun: "pin",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "pin",
        help: "A place of a simulated rope that is held: a hand, a nail, a pulley.",
        fields: &[
            at("Where along the rope: 0 its start, 1 its end.").required(),
            anchor("to", "Where it is held."),
            ON,
        ],
        one_of: &[],
    }],
};

/// What pulls.
pub static FORCE: Family = Family {
    noun: "force",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "force",
        help: "A pull at a place of a simulated rope.",
        fields: &[
            at("Where along the rope it pulls: 0 its start, 1 its end.").keyed().number(1.0),
            Field::new("force", Kind::Vector(Unit::Newtons), "Which way it pulls, and how hard.")
                .keyed()
                .required(),
            ON,
        ],
        one_of: &[],
    }],
};

/// What is tied on.
pub static WEIGHT: Family = Family {
    noun: "weight",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "weight",
        help: "Something heavy that is tied to a simulated rope.",
        fields: &[
            at("Where along the rope it is tied on: 0 its start, 1 its end.").number(1.0),
            Field::new("mass", Kind::Scalar(Unit::Kilograms), "How heavy it is.")
                .range(Range::POSITIVE)
                .required(),
        ],
        one_of: &[],
    }],
};
