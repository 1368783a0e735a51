//! Fields of amplitude and lag: what moves how far with an oscillation, and how late.

use super::{
    Choice, Family, Field, Kind, Preset, Range, RecordType, Unit,
    kind::On,
    modes::PAINTED,
    table::fields,
    wave::{AZIMUTH, ENVELOPE_FIELD, ON},
};

const fn drive(help: &'static str) -> Field {
    Field::new("drive", Kind::Scalar(Unit::Metres), help).keyed().required()
}

const fn amplitude(on: On, help: &'static str) -> Field {
    Field::new("amplitude", Kind::Spread(Unit::Number, on), help).number(1.0)
}

const fn lag(on: On) -> Field {
    Field::new(
        "lag",
        Kind::Spread(Unit::Degrees, on),
        "How late each point follows: a number, or a formula in degrees; 360 is a whole swing.",
    )
    .number(0.0)
}

const SLOSH: Field = Field::new(
    "slosh",
    Kind::Scalar(Unit::Number),
    "How fluid it looks: 0 stiff, all at once; 1 as the lag says; 2.3 sloshy.",
)
.range(Range::NOT_NEGATIVE)
.keyed()
.number(1.0);

/// On a rope, as a layer.
pub(super) const ROPE: [Field; 7] = [
    drive("What drives it, in metres sideways: mostly a wiggle, or what follows one."),
    amplitude(
        On::Rope,
        "How much of it each place feels: a number, a formula like `\"u^2\"` (u is 0 to 1 along the rope), or points `[[0, 0], [1, 1]]`.",
    ),
    lag(On::Rope),
    SLOSH,
    AZIMUTH,
    ENVELOPE_FIELD,
    ON,
];

/// On a mesh.
pub static JIGGLE: Family = Family {
    noun: "jiggle",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "mesh-jiggle",
        help: "Part of a mesh that jiggles: every point moves with an oscillation as far as its amplitude says, and as late as its lag.",
        fields: fields![&[
            drive("What drives it, in metres of the file, before `size`: mostly a wiggle, or what follows one."),
            amplitude(
                On::Mesh,
                "How much of it each point feels: a number, or a formula of x, y, z, nx, ny, nz and the attributes of the mesh, like `\"weight * smoothstep(0, 1, z)\"`; z is up, whatever is up in the file.",
            ),
            lag(On::Mesh),
            SLOSH,
            Field::new(
                "along",
                Kind::Choice(&[
                    Choice { name: "direction", help: "All points move along `direction`." },
                    Choice { name: "normal", help: "Every point moves along its own normal." },
                ]),
                "Which way points move.",
            )
            .preset(Preset::Text("direction")),
            Field::new(
                "direction",
                Kind::Direction,
                "Which way they move, before `rotation`: [0, 0, 1] is up, whatever is up in the file."
            )
            .keyed()
            .preset(Preset::Numbers(&[0.0, 0.0, 1.0])),
            ON,
            PAINTED,
        ]],
        one_of: &[],
    }],
};
