//! World of the simulated bodies: gravity, wind and air.
//!
//! The defaults of `[world]` are still air on Earth.

use super::{Family, Field, Kind, Preset, Range, RecordType, Unit, common::ORIGIN};

/// Fields that noise has, too; they are written in its order.
pub(super) const SHARED: &[&str] = &["seed"];

/// Seeds of random numbers, up to the largest exact whole number in a document.
pub(super) const SEEDS: Range = Range::between(0.0, 9_007_199_254_740_992.0);

/// The world.
pub static WORLD: Family = Family {
    noun: "world",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "world",
        help: "Gravity, wind and air, which act on all simulated bodies.",
        fields: &[
            Field::new(
                "gravity",
                Kind::Vector(Unit::MetresPerSecondSquared),
                "Gravitational acceleration, in metres per second squared; Z is up.",
            )
            .keyed()
            .preset(Preset::Numbers(&[0.0, 0.0, -9.81])),
            Field::new(
                "wind",
                Kind::Vector(Unit::MetresPerSecond),
                "Wind velocity, in metres per second, the same everywhere.",
            )
            .keyed()
            .preset(ORIGIN),
            Field::new(
                "turbulence",
                Kind::Scalar(Unit::MetresPerSecond),
                "Approximate RMS speed of the gusts that are added to `wind`, in metres per second.",
            )
            .range(Range::NOT_NEGATIVE)
            .keyed()
            .number(0.0),
            Field::new(
                "gust-size",
                Kind::Scalar(Unit::Metres),
                "Approximate size of a gust, in metres: points closer together than this feel the same gust.",
            )
            .range(Range::POSITIVE)
            .number(2.0),
            Field::new(
                "gust-speed",
                Kind::Scalar(Unit::Hertz),
                "Approximate rate at which gusts change in place, in hertz, in addition to being carried along by the wind.",
            )
            .range(Range::NOT_NEGATIVE)
            .number(0.5),
            Field::new("seed", Kind::Integer, "Random seed; each number gives different gusts.")
                .range(SEEDS)
                .number(0.0),
            Field::new(
                "air",
                Kind::Scalar(Unit::KilogramsPerCubicMetre),
                "Density of the air, in kilograms per cubic metre: 0 is a vacuum, 1000 is water.",
            )
            .range(Range::NOT_NEGATIVE)
            .number(1.2),
        ],
        one_of: &[],
    }],
};
