//! Jiggles: oscillations with an amplitude and a lag per point.

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
    Field::new("amplitude", Kind::PerPoint(Unit::Number, on), help).number(1.0)
}

const fn lag(on: On) -> Field {
    Field::new(
        "lag",
        Kind::PerPoint(Unit::Degrees, on),
        "Lag of each point, in degrees: a number or a formula; 360 is one swing.",
    )
    .number(0.0)
}

const SLOSH: Field = Field::new(
    "slosh",
    Kind::Scalar(Unit::Number),
    "How fluid the motion looks: 0 is stiff, all points at once; 1 follows `lag`; 2.3 is sloshy.",
)
.range(Range::NOT_NEGATIVE)
.keyed()
.number(1.0);

/// Fields of a jiggle on a rope, as a layer.
pub(super) const ROPE: [Field; 7] = [
    drive("Curve that drives it, in metres sideways: usually a wiggle, or a follower of one."),
    amplitude(
        On::Rope,
        "Amplitude of each point, as a factor on `drive`: a number, a formula like `\"u^2\"` (u is 0 to 1 along the rope), or points `[[0, 0], [1, 1]]`.",
    ),
    lag(On::Rope),
    SLOSH,
    AZIMUTH,
    ENVELOPE_FIELD,
    ON,
];

/// A jiggle on a mesh.
pub static JIGGLE: Family = Family {
    noun: "jiggle",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "mesh-jiggle",
        help: "A part of a mesh that jiggles: every point follows an oscillation with its own amplitude and lag.",
        fields: fields![&[
            drive("Curve that drives it, in metres of the file, before `size`: usually a wiggle, or a follower of one."),
            amplitude(
                On::Mesh,
                "Amplitude of each point, as a factor on `drive`: a number, or a formula of x, y, z, nx, ny, nz and the attributes of the mesh, like `\"weight * smoothstep(0, 1, z)\"`; z is up, whichever axis is up in the file.",
            ),
            lag(On::Mesh),
            SLOSH,
            Field::new(
                "along",
                Kind::Choice(&[
                    Choice { name: "direction", help: "All points move along `direction`." },
                    Choice { name: "normal", help: "Every point moves along its normal." },
                ]),
                "Direction in which the points move.",
            )
            .preset(Preset::Text("direction")),
            Field::new(
                "direction",
                Kind::Direction,
                "Direction of the motion, before `rotation`: [0, 0, 1] is up, whichever axis is up in the file."
            )
            .keyed()
            .preset(Preset::Numbers(&[0.0, 0.0, 1.0])),
            ON,
            PAINTED,
        ]],
        one_of: &[],
    }],
};
