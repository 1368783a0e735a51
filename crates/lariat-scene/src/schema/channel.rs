//! A parameter that moves, and a place where a rope is held.
//!
//! Both are tables that can stand where a plain value does: `{ keys = [[1, 0], [24, 35]] }` for
//! a number, `{ locator = "hand" }` for a point.

use lariat_core::motion::{Extrapolation, Interpolation, Name, Named, TangentKind};

use super::{Choice, Family, Field, Kind, Preset, Range, RecordType, Unit, common::ORIGIN};

/// The words that `lariat_core::motion` has for one of its choices.
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
        help: "Instead of a number, a vector, a colour or a switch: keys through time.",
        fields: &[
            Field::new(
                "keys",
                Kind::Records(&KEY),
                "The keys by rising frame, each `[frame, value]` or a table with more to say.",
            )
            .required(),
            Field::new(
                "interpolation",
                Kind::Choice(&INTERPOLATIONS),
                "How the value goes from a key to the next, unless the key says otherwise.",
            )
            .plain(&["ease"])
            .preset(Preset::Text("bezier")),
            Field::new(
                "tangents",
                Kind::Choice(&TANGENTS),
                "How a smooth curve passes through a key, unless the key says otherwise.",
            )
            .preset(Preset::Text("clamped-auto")),
            Field::new("before", Kind::Choice(&EXTENDS), "What happens before the first key.")
                .preset(Preset::Text("hold")),
            Field::new("after", Kind::Choice(&EXTENDS), "What happens after the last key.")
                .preset(Preset::Text("hold")),
        ],
        one_of: &[],
    }],
};

/// When a key is.
pub(super) const KEY_FRAME: Field =
    Field::new("frame", Kind::Scalar(Unit::Frames), "When; parts of frames are allowed.")
        .required();

/// What a key is.
pub(super) const KEY_VALUE: Field =
    Field::new("value", Kind::Anything, "What the parameter is at that frame, exactly.").required();

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
                "How the value goes on to the next key.",
            )
            .plain(&["ease"]),
            Field::new(
                "tangents",
                Kind::Choice(&TANGENTS),
                "How the curve passes through this key.",
            ),
            Field::new(
                "in",
                Kind::Anything,
                "The handle towards the key before, `[frames, value]` from the key; frames are negative.",
            ),
            Field::new(
                "out",
                Kind::Anything,
                "The handle towards the next key, `[frames, value]` from the key.",
            ),
        ],
        one_of: &[],
    }],
};

const OFFSET: Field = Field::new(
    "offset",
    Kind::Vector(Unit::Metres),
    "Shift from there, in the directions of what it is attached to.",
)
.keyed()
.preset(ORIGIN);

/// Held by a locator.
pub static ANCHOR_TO_LOCATOR: Family = Family {
    noun: "anchor",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "anchor-to-locator",
        help: "Instead of a point: a named place, and a shift from it.",
        fields: &[
            Field::new("locator", Kind::LocatorName, "The name of the locator.").required(),
            OFFSET,
        ],
        one_of: &[],
    }],
};

/// Held by another body.
pub static ANCHOR_TO_BODY: Family = Family {
    noun: "anchor",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "anchor-to-body",
        help: "Instead of a point: a point along another body, and a shift from it.",
        fields: &[
            Field::new("body", Kind::BodyName, "The name of the body.").required(),
            Field::new(
                "at",
                Kind::Scalar(Unit::Fraction),
                "How far along that body: 0 its start, 1 its end; along the wire, if it is coiled.",
            )
            .range(Range::UNIT)
            .keyed()
            .number(0.0),
            OFFSET,
        ],
        one_of: &[],
    }],
};
