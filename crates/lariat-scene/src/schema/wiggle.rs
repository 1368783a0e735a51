//! Parameters that oscillate, and parameters that follow another.
//!
//! Both are tables in place of a plain value: `{ wiggle = [[1, 0], [24, 35]], hertz = 2 }`
//! and `{ follow = "tail.swing", lag = 40 }`.

use super::channel::{KEY_FRAME, KEY_VALUE};
use super::{Choice, Family, Field, Kind, OneOf, Preset, Range, RecordType, Unit};

/// A parameter that passes through its keys and oscillates.
pub static WIGGLE: Family = Family {
    noun: "wiggle",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "wiggle",
        help: "Instead of a number, a vector or a colour: a curve that passes exactly through its keys, oscillates like a spring between them and rings down after them.",
        fields: &[
            Field::new(
                "wiggle",
                Kind::Records(&KNOT),
                "Keys in order of their frames, each `[frame, value]` or a table with more settings. Without keys it is a free spring.",
            )
            .required(),
            Field::new(
                "hertz",
                Kind::Scalar(Unit::Hertz),
                "Frequency, in swings per second. 0 is an ordinary smooth curve instead of a spring; with `half-life` or `decay`, it creeps back to rest.",
            )
            .plain(&["fast"])
            .range(Range::between(0.0, 1000.0))
            .keyed()
            .required(),
            Field::new(
                "swings",
                Kind::Scalar(Unit::Number),
                "Number of swings after which half of the motion is gone; 1 if none of `swings`, `half-life`, `damping` and `decay` is set.",
            )
            .plain(&["bouncy"])
            .range(Range { low: super::Bound::At(0.01), high: super::Bound::At(1e9) })
            .keyed(),
            Field::new(
                "half-life",
                Kind::Scalar(Unit::Seconds),
                "Time after which half of the motion is gone, in seconds; an alternative to `swings`.",
            )
            .range(Range { low: super::Bound::At(0.001), high: super::Bound::At(1e9) })
            .keyed(),
            Field::new(
                "damping",
                Kind::Scalar(Unit::Fraction),
                "Damping ratio, an alternative to `swings`: 0 never settles, 1 settles without overshoot. `hertz` is then the frequency without damping.",
            )
            .range(Range::UNIT)
            .keyed(),
            Field::new(
                "decay",
                Kind::Scalar(Unit::PerSecond),
                "Decay rate per second, an alternative to `swings`: the motion falls to 37 % within 1/`decay` seconds; 0 never settles.",
            )
            .range(Range::between(0.0, 1000.0))
            .keyed(),
            Field::new(
                "bandwidth",
                Kind::Scalar(Unit::Hertz),
                "How far the frequency may deviate to meet the keys, in hertz; at most half of `hertz`. No effect with `kind = \"real\"`.",
            )
            .plain(&["loose"])
            .range(Range::between(0.0, 100.0))
            .keyed()
            .number(0.191),
            Field::new(
                "around",
                Kind::Anything,
                "Equilibrium, at which it comes to rest: a value, keys, or another wiggle; if not set, the value of the first key. In a loop it must have the same value at both ends.",
            )
            .plain(&["equilibrium"])
            .keyed(),
            Field::new(
                "push",
                Kind::Anything,
                "External acceleration, in units of the parameter per second squared: a value or keys. If nothing has keys, it starts on frame 0, or at `rest-until`.",
            )
            .keyed(),
            Field::new(
                "start",
                Kind::Choice(&[
                    Choice { name: "rest", help: "It is at rest until its first key." },
                    Choice {
                        name: "free",
                        help: "It arrives with the motion that fits the keys best; before the first key, its value is held.",
                    },
                ]),
                "Motion before the first key; no effect in a loop.",
            )
            .preset(Preset::Text("rest")),
            Field::new(
                "rest-until",
                Kind::Scalar(Unit::Frames),
                "Frame until which it rests at its equilibrium, before its first key; not with `start = \"free\"` or in a loop.",
            ),
            Field::new(
                "loop",
                Kind::Switch,
                "Whether it repeats: the last key is the first key of the next cycle.",
            )
            .preset(Preset::Switch(false)),
            Field::new(
                "kind",
                Kind::Choice(&[
                    Choice {
                        name: "complex",
                        help: "The frequency can deviate to meet the keys, and it has a phase to follow.",
                    },
                    Choice {
                        name: "real",
                        help: "A mass on a spring: its frequency is fixed, and its phase is derived from its motion.",
                    },
                ]),
                "Type of spline, of the two in the paper.",
            )
            .preset(Preset::Text("complex")),
            Field::new(
                "overshoot-penalty",
                Kind::Scalar(Unit::Number),
                "Weight of the penalty on changes of the swing between keys; larger values overshoot less. 0 is as published, and can overshoot by far.",
            )
            .range(Range::between(0.0, 1.0))
            .preset(Preset::Computed("0.1, or 0.0001 for \"real\"")),
        ],
        one_of: &[OneOf { fields: &["swings", "half-life", "damping", "decay"], required: false, otherwise: Some(("swings", 1.0)) }],
    }],
};

/// A key of a wiggle.
pub static KNOT: Family = Family {
    noun: "wiggle key",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "wiggle-key",
        help: "A value at a frame that the curve passes through. The short form is `[frame, value]`.",
        fields: &[
            KEY_FRAME,
            KEY_VALUE,
            Field::new(
                "slope",
                Kind::Anything,
                "Slope on both sides of the key, in units per second; if not set, it is free.",
            ),
            Field::new("in", Kind::Anything, "Slope before the key, in units per second; no effect on a first key without a curve before it."),
            Field::new("out", Kind::Anything, "Slope after the key, in units per second."),
            Field::new(
                "soft",
                Kind::Scalar(Unit::Number),
                "Strength of the pull towards the given slope, which is then not met exactly. Between keys half a second apart, 0.01 takes the slope a sixth of the way, 0.1 two thirds, 1 all but a twentieth.",
            )
            .range(Range::between(0.0, 1e9)),
            Field::new(
                "local",
                Kind::Switch,
                "Whether the key cuts the curve in two, so that neither side affects the other. Without a slope, the curve moves with its equilibrium there.",
            )
            .preset(Preset::Switch(false)),
        ],
        one_of: &[OneOf { fields: &["slope", "in"], required: false, otherwise: None }, OneOf { fields: &["slope", "out"], required: false, otherwise: None }],
    }],
};

/// A parameter that follows another.
pub static FOLLOW: Family = Family {
    noun: "follow",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "follow",
        help: "Instead of a number or a vector: the motion of a wiggle elsewhere, with a lag and a gain.",
        fields: &[
            Field::new(
                "follow",
                Kind::Text,
                "Parameter to follow: `\"tail.swing\"`, `\"rope.waves[0].height\"`, `\"locator.hand.position\"`.",
            )
            .required(),
            Field::new(
                "lag",
                Kind::Scalar(Unit::Degrees),
                "Lag behind the leader, in degrees: 360 is one swing, at any speed; negative values lead.",
            )
            .keyed()
            .number(0.0),
            Field::new(
                "gain",
                Kind::Scalar(Unit::Number),
                "Factor on the motion; negative values mirror it.",
            )
            .keyed()
            .number(1.0),
            Field::new(
                "around",
                Kind::Anything,
                "Equilibrium: a value or keys; if not set, that of the leader.",
            )
            .plain(&["equilibrium"])
            .keyed(),
        ],
        one_of: &[],
    }],
};
