//! Kinds of parameter values, their units, ranges and defaults.

use super::Family;

/// Unit of a number in documents, which never use radians.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Length.
    Metres,
    /// Angle; not wrapped at 360, so keys from 0 to 720 are two turns.
    Degrees,
    /// Whole turns.
    Turns,
    /// Turns per metre of rope.
    TurnsPerMetre,
    /// Fraction of a whole, 0 to 1.
    Fraction,
    /// Frequency.
    Hertz,
    /// Time.
    Seconds,
    /// Rate of decay.
    PerSecond,
    /// Cycles over the whole rope.
    Cycles,
    /// Rope lengths per second.
    LengthsPerSecond,
    /// Speed.
    MetresPerSecond,
    /// Acceleration.
    MetresPerSecondSquared,
    /// Force.
    Newtons,
    /// Bending stiffness: the bending moment times the radius of curvature.
    NewtonSquareMetres,
    /// Torque.
    NewtonMetres,
    /// Stress or elastic modulus.
    Pascals,
    /// Mass.
    Kilograms,
    /// Mass per metre of rope.
    KilogramsPerMetre,
    /// Density.
    KilogramsPerCubicMetre,
    /// Coils.
    Coils,
    /// Frames of the shot.
    Frames,
    /// A plain number.
    Number,
}

impl Unit {
    /// Symbol after a number; empty for plain numbers.
    pub const fn short(self) -> &'static str {
        match self {
            Self::Metres => "m",
            Self::Degrees => "°",
            Self::Turns => "turns",
            Self::TurnsPerMetre => "turns/m",
            Self::Fraction | Self::Number => "",
            Self::Hertz => "Hz",
            Self::Seconds => "s",
            Self::PerSecond => "/s",
            Self::Cycles => "cycles",
            Self::LengthsPerSecond => "lengths/s",
            Self::MetresPerSecond => "m/s",
            Self::MetresPerSecondSquared => "m/s²",
            Self::Newtons => "N",
            Self::NewtonSquareMetres => "N m²",
            Self::NewtonMetres => "N m",
            Self::Pascals => "Pa",
            Self::Kilograms => "kg",
            Self::KilogramsPerMetre => "kg/m",
            Self::KilogramsPerCubicMetre => "kg/m³",
            Self::Coils => "coils",
            Self::Frames => "frames",
        }
    }

    /// Name in a table.
    pub const fn long(self) -> &'static str {
        match self {
            Self::Metres => "metres",
            Self::Degrees => "degrees",
            Self::Turns => "turns",
            Self::TurnsPerMetre => "turns per metre",
            Self::Fraction => "fraction",
            Self::Hertz => "hertz",
            Self::Seconds => "seconds",
            Self::PerSecond => "per second",
            Self::Cycles => "cycles over the rope",
            Self::LengthsPerSecond => "lengths per second",
            Self::MetresPerSecond => "metres per second",
            Self::MetresPerSecondSquared => "metres per second squared",
            Self::Newtons => "newtons",
            Self::NewtonSquareMetres => "newton square metres",
            Self::NewtonMetres => "newton metres",
            Self::Pascals => "pascals",
            Self::Kilograms => "kilograms",
            Self::KilogramsPerMetre => "kilograms per metre",
            Self::KilogramsPerCubicMetre => "kilograms per cubic metre",
            Self::Coils => "coils",
            Self::Frames => "frames",
            Self::Number => "number",
        }
    }
}

/// Kind of body that a value per point belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// A rope: points have `u`.
    Rope,
    /// A mesh: points have coordinates and attributes.
    Mesh,
}

/// One end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Unbounded; infinity itself is excluded.
    Open,
    /// Inclusive bound.
    At(f64),
    /// Exclusive bound.
    Past(f64),
}

/// Range of allowed numbers. NaN and infinity are never allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The lower end.
    pub low: Bound,
    /// The upper end.
    pub high: Bound,
}

impl Range {
    /// All finite numbers.
    pub const ANY: Self = Self { low: Bound::Open, high: Bound::Open };
    /// Zero or more.
    pub const NOT_NEGATIVE: Self = Self { low: Bound::At(0.0), high: Bound::Open };
    /// More than zero.
    pub const POSITIVE: Self = Self { low: Bound::Past(0.0), high: Bound::Open };
    /// From 0 to 1, both included.
    pub const UNIT: Self = Self::between(0.0, 1.0);

    /// From `low` to `high`, both included.
    pub const fn between(low: f64, high: f64) -> Self {
        Self { low: Bound::At(low), high: Bound::At(high) }
    }

    /// `low` or more.
    pub const fn at_least(low: f64) -> Self {
        Self { low: Bound::At(low), high: Bound::Open }
    }

    /// Returns true if a number is allowed.
    pub fn contains(&self, number: f64) -> bool {
        number.is_finite()
            && match self.low {
                Bound::Open => true,
                Bound::At(low) => number >= low,
                Bound::Past(low) => number > low,
            }
            && match self.high {
                Bound::Open => true,
                Bound::At(high) => number <= high,
                Bound::Past(high) => number < high,
            }
    }

    /// Returns the nearest bound for a number outside the range, and the number itself otherwise.
    pub fn nearest(&self, number: f64) -> f64 {
        match (self.low, self.high) {
            (Bound::At(low) | Bound::Past(low), _) if number < low => low,
            (_, Bound::At(high) | Bound::Past(high)) if number > high => high,
            _ => number,
        }
    }

    /// Describes the range: "0 or more", "above 0", "0 to 1"; empty if all numbers are allowed.
    pub fn words(&self) -> String {
        // Large whole numbers without exponent or decimal point.
        let number = |number: f64| {
            if number.fract() == 0.0 && number.abs() < 1e18 {
                format!("{number:.0}")
            } else {
                crate::format::number(number)
            }
        };
        match (self.low, self.high) {
            (Bound::Open, Bound::Open) => String::new(),
            (Bound::At(low), Bound::Open) => format!("{} or more", number(low)),
            (Bound::Past(low), Bound::Open) => format!("above {}", number(low)),
            (Bound::Open, Bound::At(high)) => format!("{} or less", number(high)),
            (Bound::Open, Bound::Past(high)) => format!("below {}", number(high)),
            (low, high) => {
                let low = match low {
                    Bound::Past(low) => format!("above {}", number(low)),
                    Bound::At(low) => number(low),
                    Bound::Open => String::new(),
                };
                match high {
                    Bound::At(high) => format!("{low} to {}", number(high)),
                    Bound::Past(high) => format!("{low} to below {}", number(high)),
                    Bound::Open => low,
                }
            }
        }
    }
}

/// One of several choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Name in documents.
    pub name: &'static str,
    /// Description in one sentence.
    pub help: &'static str,
}

/// Kind of value that a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number, or keys.
    Scalar(Unit),
    /// A whole number.
    Integer,
    /// Three numbers, or keys.
    Vector(Unit),
    /// Three numbers that are not all zero, or keys; the length of the vector does not matter.
    Direction,
    /// `[r, g, b]` in 0–1 linear, `"#rrggbb"`, or keys.
    Colour,
    /// `true` or `false`, or keys.
    Switch,
    /// Text.
    Text,
    /// Path of a file, relative to the document.
    File,
    /// One of several choices.
    Choice(&'static [Choice]),
    /// Point at which a rope is held: a point, a locator or a point of a body.
    Anchor,
    /// Values along the rope, `[[u, value], …]`, with `u` increasing within 0–1.
    Along(Unit),
    /// A number per point: one for all points, or a formula; on ropes also values along the rope.
    PerPoint(Unit, On),
    /// A list of records.
    Records(&'static Family),
    /// One record.
    Record(&'static Family),
    /// A cross-section: `"round"`, `"flat"`, or points.
    Outline,
    /// Rows of numbers, all equally long.
    Grid(Unit),
    /// A fixed number of numbers, each of which can be keyed.
    Scalars(usize, Unit),
    /// A fixed number of vectors, each of which can be keyed.
    Vectors(usize, Unit),
    /// One or more colours.
    Colours,
    /// Names of bodies.
    Bodies,
    /// Name of a collider, or `"floor"`.
    Against,
    /// Name of a locator.
    LocatorName,
    /// Name of a body.
    BodyName,
    /// Frames per second: a number, or a fraction like `"24000/1001"`.
    Rate,
    /// First and last frame.
    Frames,
    /// Value of a key, of the kind that its parameter takes.
    Anything,
}

/// Default of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preset {
    /// No default.
    None,
    /// Depends on other parameters; described in words.
    Computed(&'static str),
    /// A number.
    Number(f64),
    /// Several numbers: a vector, a colour, a pair.
    Numbers(&'static [f64]),
    /// Several colours.
    Colours(&'static [[f64; 3]]),
    /// On or off.
    Switch(bool),
    /// A word.
    Text(&'static str),
    /// An empty list.
    Empty,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_contain_their_inclusive_bounds() {
        assert!(Range::UNIT.contains(0.0) && Range::UNIT.contains(1.0));
        assert!(!Range::UNIT.contains(-1e-300) && !Range::UNIT.contains(1.0 + 1e-15));
        assert!(!Range::POSITIVE.contains(0.0) && Range::POSITIVE.contains(5e-324));
        assert!(Range::NOT_NEGATIVE.contains(-0.0));
        for range in [Range::ANY, Range::UNIT, Range::POSITIVE] {
            for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                assert!(!range.contains(number));
            }
        }
    }

    #[test]
    fn ranges_are_described_in_words() {
        assert_eq!(Range::ANY.words(), "");
        assert_eq!(Range::UNIT.words(), "0 to 1");
        assert_eq!(Range::POSITIVE.words(), "above 0");
        assert_eq!(Range::at_least(8.0).words(), "8 or more");
        let half = Range { low: Bound::Past(0.0), high: Bound::At(0.5) };
        assert_eq!(half.words(), "above 0 to 0.5");
    }
}
