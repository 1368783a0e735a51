//! The world that simulated bodies live in: gravity, wind, air.
//!
//! One table, `[world]`, and all of it has a default: still air on Earth.

use super::{Family, Field, Kind, Preset, Range, RecordType, Unit, common::ORIGIN};

/// Which of its names noise has too; they are ordered as there.
pub(super) const SHARED: &[&str] = &["seed"];

/// Which random numbers: as many as a document can tell apart.
pub(super) const SEEDS: Range = Range::between(0.0, 9_007_199_254_740_992.0);

/// The world.
pub static WORLD: Family = Family {
    noun: "world",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "world",
        help: "What acts on every body that is simulated: gravity, wind and air.",
        fields: &[
            Field::new(
                "gravity",
                Kind::Vector(Unit::MetresPerSecondSquared),
                "How everything falls; Z is up.",
            )
            .keyed()
            .preset(Preset::Numbers(&[0.0, 0.0, -9.81])),
            Field::new(
                "wind",
                Kind::Vector(Unit::MetresPerSecond),
                "The wind, everywhere the same.",
            )
            .keyed()
            .preset(ORIGIN),
            Field::new(
                "turbulence",
                Kind::Scalar(Unit::MetresPerSecond),
                "How strong the gusts are that are added to the wind, about: the root of their mean square.",
            )
            .range(Range::NOT_NEGATIVE)
            .keyed()
            .number(0.0),
            Field::new(
                "gust-size",
                Kind::Scalar(Unit::Metres),
                "How large a gust is, about: places nearer to each other feel the same one.",
            )
            .range(Range::POSITIVE)
            .number(2.0),
            Field::new(
                "gust-speed",
                Kind::Scalar(Unit::Hertz),
                "How often gusts change where they are, about, besides being carried by the wind.",
            )
            .range(Range::NOT_NEGATIVE)
            .number(0.5),
            Field::new("seed", Kind::Integer, "Which gusts: every number gives others.")
                .range(SEEDS)
                .number(0.0),
            Field::new(
                "air",
                Kind::Scalar(Unit::KilogramsPerCubicMetre),
                "How dense the air is: 0 is empty space, 1000 water.",
            )
            .range(Range::NOT_NEGATIVE)
            .number(1.2),
        ],
        one_of: &[],
    }],
};
