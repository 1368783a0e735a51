//! Keyed parameters, and anchors, at which ropes are held.
//!
//! Both are tables in place of a plain value: `{ keys = [[1, 0], [24, 35]] }` for a number,
//! `{ locator = "hand" }` for a point.

use lariat_core::motion::{Extrapolation, Interpolation, Name, Named, TangentKind};

use super::{Choice, Family, Field, Kind, Preset, Range, RecordType, Unit, common::ORIGIN};

/// Choices with the names and descriptions of `lariat_core::motion`.
const fn words<T: Copy, const N: usize>(names: &[Name<T>]) -> [Choice; N] {
    let mut choices = [Choice { name: "", help: "" }; N];
    let mut i = 0;
    while i < N {
        choices[i] = Choice { name: names[i].name, help: names[i].help };
        i += 1;
    }
    choices
}

const INTERPOLATIONS: [Choice; Interpolation::NAMES.len()] = words(Interpolation::NAMES);
const TANGENTS: [Choice; TangentKind::NAMES.len()] = words(TangentKind::NAMES);
const EXTENDS: [Choice; Extrapolation::NAMES.len()] = words(Extrapolation::NAMES);

/// A parameter with keys.
pub static CHANNEL: Family = Family {
    noun: "channel",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "keys",
        help: "Instead of a number, a vector, a colour or a switch: keys over time.",
        fields: &[
            Field::new(
                "keys",
                Kind::Records(&KEY),
                "Keys in order of their frames, each `[frame, value]` or a table with more settings.",
            )
            .required(),
            Field::new(
                "interpolation",
                Kind::Choice(&INTERPOLATIONS),
                "Interpolation between keys, unless a key sets its own.",
            )
            .plain(&["ease"])
            .preset(Preset::Text("bezier")),
            Field::new(
                "tangents",
                Kind::Choice(&TANGENTS),
                "Tangents of a smooth curve at its keys, unless a key sets its own.",
            )
            .preset(Preset::Text("clamped-auto")),
            Field::new("before", Kind::Choice(&EXTENDS), "Extrapolation before the first key.")
                .preset(Preset::Text("hold")),
            Field::new("after", Kind::Choice(&EXTENDS), "Extrapolation after the last key.")
                .preset(Preset::Text("hold")),
        ],
        one_of: &[],
    }],
};

/// Frame of a key.
pub(super) const KEY_FRAME: Field =
    Field::new("frame", Kind::Scalar(Unit::Frames), "Frame of the key; fractions are allowed.")
        .required();

/// Value of a key.
pub(super) const KEY_VALUE: Field =
    Field::new("value", Kind::Anything, "Exact value of the parameter at that frame.").required();

/// One key.
pub static KEY: Family = Family {
    noun: "key",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "key",
        help: "A value at a frame. The short form is `[frame, value]`.",
        fields: &[
            KEY_FRAME,
            KEY_VALUE,
            Field::new(
                "interpolation",
                Kind::Choice(&INTERPOLATIONS),
                "Interpolation to the next key; if not set, that of the parameter.",
            )
            .plain(&["ease"]),
            Field::new(
                "tangents",
                Kind::Choice(&TANGENTS),
                "Tangents at this key; if not set, free on a side with a handle, and otherwise those of the parameter.",
            ),
            Field::new(
                "in",
                Kind::Anything,
                "Handle towards the previous key, `[frames, value]` relative to the key; frames are negative.",
            ),
            Field::new(
                "out",
                Kind::Anything,
                "Handle towards the next key, `[frames, value]` relative to the key.",
            ),
        ],
        one_of: &[],
    }],
};

const OFFSET: Field = Field::new(
    "offset",
    Kind::Vector(Unit::Metres),
    "Offset in metres, along the axes of the locator or body that it is attached to.",
)
.keyed()
.preset(ORIGIN);

/// Attachment to a locator.
pub static ANCHOR_TO_LOCATOR: Family = Family {
    noun: "anchor",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "anchor-to-locator",
        help: "Instead of a point: a locator, with an offset.",
        fields: &[
            Field::new("locator", Kind::LocatorName, "Name of the locator.").required(),
            OFFSET,
        ],
        one_of: &[],
    }],
};

/// Attachment to another body.
pub static ANCHOR_TO_BODY: Family = Family {
    noun: "anchor",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "anchor-to-body",
        help: "Instead of a point: a point along another body, with an offset.",
        fields: &[
            Field::new("body", Kind::BodyName, "Name of the body.").required(),
            Field::new(
                "at",
                Kind::Scalar(Unit::Fraction),
                "Position along the body: 0 is its start, 1 its end; along the wire if it is coiled.",
            )
            .range(Range::UNIT)
            .keyed()
            .number(0.0),
            OFFSET,
        ],
        one_of: &[],
    }],
};
