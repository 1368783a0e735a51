//! A parameter that oscillates, and one that follows another.
//!
//! Both are tables that stand where a plain value does: `{ wiggle = [[1, 0], [24, 35]], hertz = 2 }`
//! and `{ follow = "tail.swing", lag = 40 }`.

use super::channel::{KEY_FRAME, KEY_VALUE};
use super::{Choice, Family, Field, Kind, OneOf, Preset, Range, RecordType, Unit};

/// A parameter that hits its keys and oscillates.
pub static WIGGLE: Family = Family {
    noun: "wiggle",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "wiggle",
        help: "Instead of a number, a vector or a colour: keys that are hit exactly by a curve that oscillates like a spring between them, and rings down after them.",
        fields: &[
            Field::new(
                "wiggle",
                Kind::Records(&KNOT),
                "The keys by rising frame, each `[frame, value]` or a table with more to say. None at all, and it is a spring left to itself.",
            )
            .required(),
            Field::new(
                "hertz",
                Kind::Scalar(Unit::Hertz),
                "How fast: swings per second. 0 is no spring but an ordinary smooth curve; with a `half-life` or `decay`, one that creeps back to where it rests.",
            )
            .plain(&["fast"])
            .range(Range::between(0.0, 1000.0))
            .keyed()
            .required(),
            Field::new(
                "swings",
                Kind::Scalar(Unit::Number),
                "How bouncy: after so many swings half of the motion is gone. 1 unless any of the four is given.",
            )
            .plain(&["bouncy"])
            .range(Range { low: super::Bound::At(0.01), high: super::Bound::At(1e9) })
            .keyed(),
            Field::new(
                "half-life",
                Kind::Scalar(Unit::Seconds),
                "How bouncy, in seconds: after so long half of the motion is gone.",
            )
            .range(Range { low: super::Bound::At(0.001), high: super::Bound::At(1e9) })
            .keyed(),
            Field::new(
                "damping",
                Kind::Scalar(Unit::Fraction),
                "How bouncy, as a damping ratio: 0 for ever, 1 not at all. `hertz` is then that of the spring without damping.",
            )
            .range(Range::UNIT)
            .keyed(),
            Field::new(
                "decay",
                Kind::Scalar(Unit::PerSecond),
                "How bouncy, per second: the motion falls to 37 % in the reciprocal of it. 0 for ever.",
            )
            .range(Range::between(0.0, 1000.0))
            .keyed(),
            Field::new(
                "bandwidth",
                Kind::Scalar(Unit::Hertz),
                "How loose: by so much the rhythm may stretch or squeeze to meet the keys; half of `hertz` at most, and nothing for real ones.",
            )
            .plain(&["loose"])
            .range(Range::between(0.0, 100.0))
            .keyed()
            .number(0.191),
            Field::new(
                "around",
                Kind::Anything,
                "Where it comes to rest: a value, keys, or another wiggle. The value of the first key if not given. In a loop it comes round, too.",
            )
            .plain(&["equilibrium"])
            .keyed(),
            Field::new(
                "push",
                Kind::Anything,
                "What pushes it, in its own unit per second squared: a value or keys. Where nothing at all has keys, it begins on frame 0, or at `rest-until`.",
            )
            .keyed(),
            Field::new(
                "start",
                Kind::Choice(&[
                    Choice { name: "rest", help: "It stands still until its first key." },
                    Choice {
                        name: "free",
                        help: "It arrives in whatever swing suits the keys best; before them the first is held.",
                    },
                ]),
                "How it begins; a loop does not.",
            )
            .preset(Preset::Text("rest")),
            Field::new(
                "rest-until",
                Kind::Scalar(Unit::Frames),
                "It rests `around` its equilibrium up to this frame, before its first key; not with `start = \"free\"`, nor in a loop.",
            ),
            Field::new(
                "loop",
                Kind::Switch,
                "Whether it comes round again: the last key is the first of the next round.",
            )
            .preset(Preset::Switch(false)),
            Field::new(
                "kind",
                Kind::Choice(&[
                    Choice {
                        name: "complex",
                        help: "The rhythm can stretch to meet the keys, and there is a phase to follow.",
                    },
                    Choice {
                        name: "real",
                        help: "A mass on a spring: sharper in its rhythm, and its phase is derived from its motion.",
                    },
                ]),
                "Which of the two splines of the paper it is.",
            )
            .preset(Preset::Text("complex")),
            Field::new(
                "overshoot-penalty",
                Kind::Scalar(Unit::Number),
                "Weight of the penalty on changes of the swing between keys: larger values overshoot less. 0 is as published and can overshoot by far.",
            )
            .range(Range::between(0.0, 1.0))
            .preset(Preset::Computed("0.1, for real ones 0.0001")),
        ],
        one_of: &[OneOf { fields: &["swings", "half-life", "damping", "decay"], required: false }],
    }],
};

/// A key of a wiggle.
pub static KNOT: Family = Family {
    noun: "wiggle key",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "wiggle-key",
        help: "A value at a frame that the curve hits. The short form is `[frame, value]`.",
        fields: &[
            KEY_FRAME,
            KEY_VALUE,
            Field::new(
                "slope",
                Kind::Anything,
                "How fast it passes, in its unit per second, arriving and leaving; free if not given.",
            ),
            Field::new("in", Kind::Anything, "The slope with which it arrives, per second; not on a first key that nothing leads to."),
            Field::new("out", Kind::Anything, "The slope with which it leaves, per second."),
            Field::new(
                "soft",
                Kind::Scalar(Unit::Number),
                "Pulls towards the slope that is given with this strength instead of holding it. Between keys half a second apart, 0.01 takes it a sixth of the way there, 0.1 two thirds, 1 all but a twentieth.",
            )
            .range(Range::between(0.0, 1e9)),
            Field::new(
                "local",
                Kind::Switch,
                "Whether it cuts the curve in two: nothing on one side is felt on the other. Unless a slope is given, it moves there with its equilibrium.",
            )
            .preset(Preset::Switch(false)),
        ],
        one_of: &[OneOf { fields: &["slope", "in"], required: false }, OneOf { fields: &["slope", "out"], required: false }],
    }],
};

/// A parameter that follows another.
pub static FOLLOW: Family = Family {
    noun: "follow",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "follow",
        help: "Instead of a number or a vector: what a wiggle does elsewhere, later by an angle and more or less of it.",
        fields: &[
            Field::new(
                "follow",
                Kind::Text,
                "The parameter to follow: `\"tail.swing\"`, `\"rope.waves[0].height\"`, `\"locator.hand.position\"`.",
            )
            .required(),
            Field::new(
                "lag",
                Kind::Scalar(Unit::Degrees),
                "How far behind: 360 is one swing, whatever its speed; negative is ahead.",
            )
            .keyed()
            .number(0.0),
            Field::new("gain", Kind::Scalar(Unit::Number), "How much of it; negative is mirrored.")
                .keyed()
                .number(1.0),
            Field::new(
                "around",
                Kind::Anything,
                "Where it rests: a value or keys. Where its leader rests if not given.",
            )
            .plain(&["equilibrium"])
            .keyed(),
        ],
        one_of: &[],
    }],
};
