//! Top level of a document: version, shot, world, locators, and the lists of cameras, bodies and
//! colliders.

use super::{
    BODY, CAMERA, COLLIDER, Choice, Family, Field, Kind, Preset, Range, RecordType, Unit, WORLD,
    table::fields,
};

/// The whole document.
pub static DOCUMENT: RecordType = RecordType {
    name: "document",
    help: "A shot: its frames, its ropes and other bodies, and the world, locators, colliders and cameras around them.",
    fields: &[
        Field::new(
            "lariat",
            Kind::Integer,
            "Version of the document format, currently 2; older versions are converted when they are read.",
        )
        .range(Range::at_least(1.0)),
        Field::new("shot", Kind::Record(&SHOT), "Frame rate, frame range and ground."),
        Field::new(
            "world",
            Kind::Record(&WORLD),
            "Gravity, wind and air, which act on all simulated bodies.",
        ),
        Field::new(
            "camera",
            Kind::Records(&CAMERA),
            "Cameras, one `[[camera]]` each.",
        )
        .preset(Preset::Empty),
        Field::new(
            "locator",
            Kind::Records(&LOCATOR),
            "Named points that ropes can be attached to, one `[[locator]]` each.",
        )
        .preset(Preset::Empty),
        Field::new(
            "collider",
            Kind::Records(&COLLIDER),
            "Solid shapes that ropes can be clamped against, one `[[collider]]` each.",
        )
        .preset(Preset::Empty),
        Field::new(
            "body",
            Kind::Records(&BODY),
            "Ropes and all other visible objects, one `[[body]]` each.",
        )
        .preset(Preset::Empty),
    ],
    one_of: &[],
};

/// The shot.
pub static SHOT: Family = Family {
    noun: "shot",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "shot",
        help: "Frame rate, frame range, and the ground of pictures. Frame 0 is at time 0, so trimming a shot does not change any pose.",
        fields: &[
            Field::new(
                "fps",
                Kind::Rate,
                "Frames per second: a number, or a fraction like \"24000/1001\".",
            )
            .range(Range::POSITIVE)
            .number(24.0),
            Field::new("frames", Kind::Frames, "First and last frame, both inclusive.")
                .preset(Preset::Numbers(&[1.0, 120.0])),
            Field::new(
                "ground",
                Kind::Choice(&[
                    Choice { name: "floor", help: "A matte floor with a fine grid." },
                    Choice { name: "water", help: "Water with ripples that move over time." },
                    Choice { name: "none", help: "No ground." },
                ]),
                "Ground of pictures. It is only drawn: ropes do not touch it.",
            )
            .preset(Preset::Text("floor")),
            Field::new(
                "ground-height",
                Kind::Scalar(Unit::Metres),
                "Height of the ground, in metres. If not set, water is at 0; a floor is at 0 or, if bodies are far from there, just below them.",
            ),
            Field::new(
                "markers",
                Kind::Records(&MARKER),
                "Marked frames: cues for people, which do not change any pose.",
            )
            .preset(Preset::Empty),
        ],
        one_of: &[],
    }],
};

/// A marked frame.
pub static MARKER: Family = Family {
    noun: "marker",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "marker",
        help: "A marked frame of the shot, with a name: a beat, a contact, a cut.",
        fields: &[
            Field::new("frame", Kind::Integer, "The marked frame, a whole number.")
                .range(Range::between(-1e9, 1e9))
                .required(),
            Field::new("name", Kind::Text, "Name that timelines show; if not set, none."),
        ],
        one_of: &[],
    }],
};

/// Name of a body, locator, collider or camera.
pub(super) const NAME: Field =
    Field::new("name", Kind::Text, "Name that others refer to; must be unique among its kind.")
        .required();

const POINT: Preset = Preset::Numbers(&[0.0, 0.0, 0.0]);

/// A named point.
pub static LOCATOR: Family = Family {
    noun: "locator",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "locator",
        help: "A named point that can be animated and that ropes can be attached to: a hand, a hook, a saddle.",
        fields: fields![&[
            NAME,
            Field::new("position", Kind::Vector(Unit::Metres), "Position in the world, in metres.")
                .keyed()
                .preset(POINT),
            Field::new(
                "rotation",
                Kind::Vector(Unit::Degrees),
                "Rotation in degrees about the world's X, then Y, then Z axis.",
            )
            .keyed()
            .preset(POINT),
        ]],
        one_of: &[],
    }],
};
