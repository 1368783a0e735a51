//! The top of a document: version, shot, world, locators, and the lists of cameras, bodies and
//! colliders.

use super::{
    BODY, CAMERA, COLLIDER, Family, Field, Kind, Preset, Range, RecordType, Unit, WORLD,
    table::fields,
};

/// The whole document.
pub static DOCUMENT: RecordType = RecordType {
    name: "document",
    help: "A shot: when it plays, what is held, what ropes lie on, and the ropes.",
    fields: &[
        Field::new("lariat", Kind::Integer, "Version of the format; 1 is the only one so far.")
            .range(Range::at_least(1.0)),
        Field::new("shot", Kind::Record(&SHOT), "When it plays: frame rate and frames."),
        Field::new(
            "world",
            Kind::Record(&WORLD),
            "What acts on every body that is simulated: gravity, wind and air.",
        ),
        Field::new(
            "camera",
            Kind::Records(&CAMERA),
            "Where pictures are taken from, one `[[camera]]` each.",
        )
        .preset(Preset::Empty),
        Field::new(
            "locator",
            Kind::Records(&LOCATOR),
            "Named places that ropes hold on to, one `[[locator]]` each.",
        )
        .preset(Preset::Empty),
        Field::new(
            "collider",
            Kind::Records(&COLLIDER),
            "Shapes that ropes can be clamped against, one `[[collider]]` each.",
        )
        .preset(Preset::Empty),
        Field::new(
            "body",
            Kind::Records(&BODY),
            "The ropes and all else that is seen, one `[[body]]` each.",
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
        help: "When it plays. Frame 0 is time 0, so trimming a shot changes no pose.",
        fields: &[
            Field::new(
                "fps",
                Kind::Rate,
                "Frames per second: a number, or a fraction like \"24000/1001\".",
            )
            .range(Range::POSITIVE)
            .number(24.0),
            Field::new("frames", Kind::Frames, "First and last frame, both of them played.")
                .preset(Preset::Numbers(&[1.0, 120.0])),
        ],
        one_of: &[],
    }],
};

/// The name of a body, locator, collider or camera.
pub(super) const NAME: Field =
    Field::new("name", Kind::Text, "What it is called; no two of a kind have the same name.")
        .required();

const POINT: Preset = Preset::Numbers(&[0.0, 0.0, 0.0]);

/// A named place.
pub static LOCATOR: Family = Family {
    noun: "locator",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "locator",
        help: "A named place that can be keyed, for ropes to hold on to: a hand, a hook, a saddle.",
        fields: fields![&[
            NAME,
            Field::new("position", Kind::Vector(Unit::Metres), "Where it is.")
                .keyed()
                .preset(POINT),
            Field::new(
                "rotation",
                Kind::Vector(Unit::Degrees),
                "How it is turned, about X, then Y, then Z of the world.",
            )
            .keyed()
            .preset(POINT),
        ]],
        one_of: &[],
    }],
};
