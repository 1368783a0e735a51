//! What a parameter can be: kinds of values, units, ranges, defaults.

use super::Family;

/// What a number measures. Documents speak in these; radians appear nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Length.
    Metres,
    /// Angle; 360 to a turn, and keys from 0 to 720 are two turns.
    Degrees,
    /// Whole turns.
    Turns,
    /// Turns per metre of rope.
    TurnsPerMetre,
    /// A part of something: 0 none of it, 1 all.
    Fraction,
    /// Per second, of what comes again.
    Hertz,
    /// Time.
    Seconds,
    /// Per second, of what fades.
    PerSecond,
    /// Cycles over the whole rope.
    Cycles,
    /// Rope lengths per second.
    LengthsPerSecond,
    /// Speed.
    MetresPerSecond,
    /// How fast a speed grows.
    MetresPerSecondSquared,
    /// Force.
    Newtons,
    /// How hard a rope is to bend: the couple that bends it to a radius, times that radius.
    NewtonSquareMetres,
    /// Force times the arm that it turns with.
    NewtonMetres,
    /// Force on a square metre.
    Pascals,
    /// Mass.
    Kilograms,
    /// Mass of a metre of rope.
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
    /// As it is said after a number; empty for plain ones.
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

    /// As it is said in a table.
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

/// What the points of a spread belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// A rope: places are told by `u`.
    Rope,
    /// A mesh: by where they are, and by what is painted on them.
    Mesh,
}

/// One end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// As far as numbers go; never infinite itself.
    Open,
    /// Up to and including.
    At(f64),
    /// Up to but not including.
    Past(f64),
}

/// Which numbers are allowed. NaN and infinity never are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The lower end.
    pub low: Bound,
    /// The upper end.
    pub high: Bound,
}

impl Range {
    /// Every number.
    pub const ANY: Self = Self { low: Bound::Open, high: Bound::Open };
    /// Zero and more.
    pub const NOT_NEGATIVE: Self = Self { low: Bound::At(0.0), high: Bound::Open };
    /// More than zero.
    pub const POSITIVE: Self = Self { low: Bound::Past(0.0), high: Bound::Open };
    /// From 0 to 1, both included.
    pub const UNIT: Self = Self::between(0.0, 1.0);

    /// From `low` to `high`, both included.
    pub const fn between(low: f64, high: f64) -> Self {
        Self { low: Bound::At(low), high: Bound::At(high) }
    }

    /// From `low` on, itself included.
    pub const fn at_least(low: f64) -> Self {
        Self { low: Bound::At(low), high: Bound::Open }
    }

    /// Whether a number is allowed.
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

    /// The edge that a number is beyond; the number itself if it is within.
    pub fn nearest(&self, number: f64) -> f64 {
        match (self.low, self.high) {
            (Bound::At(low) | Bound::Past(low), _) if number < low => low,
            (_, Bound::At(high) | Bound::Past(high)) if number > high => high,
            _ => number,
        }
    }

    /// In words: "0 or more", "above 0", "0 to 1"; empty if every number is allowed.
    pub fn words(&self) -> String {
        // Whole numbers as people write them, however large.
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

/// One of several words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The word.
    pub name: &'static str,
    /// What it chooses.
    pub help: &'static str,
}

/// What kind of value a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number, or keys.
    Scalar(Unit),
    /// A whole number.
    Integer,
    /// Three numbers, or keys.
    Vector(Unit),
    /// Three numbers that are not all zero, or keys; only which way they point matters.
    Direction,
    /// `[r, g, b]` in 0–1 linear, `"#rrggbb"`, or keys.
    Colour,
    /// `true` or `false`, or keys.
    Switch,
    /// Words.
    Text,
    /// The path of a file, as seen from the document.
    File,
    /// One of several words.
    Choice(&'static [Choice]),
    /// Where a rope is held: a point, a locator, a point of a body.
    Anchor,
    /// Values along the rope, `[[u, value], …]`, `u` rising within 0–1.
    Along(Unit),
    /// A number at every point: one for all, or a formula; on ropes also points along it.
    Spread(Unit, On),
    /// A list of records.
    Records(&'static Family),
    /// One record.
    Record(&'static Family),
    /// A cross-section: `"round"`, `"flat"`, or points.
    Outline,
    /// Rows of numbers, all equally long.
    Grid(Unit),
    /// Exactly so many numbers, each of which can be keyed.
    Scalars(usize, Unit),
    /// Exactly so many vectors, each of which can be keyed.
    Vectors(usize, Unit),
    /// Any number of colours, at least one.
    Colours,
    /// Names of bodies.
    Bodies,
    /// The name of a collider, or `"floor"`.
    Against,
    /// The name of a locator.
    LocatorName,
    /// The name of a body.
    BodyName,
    /// Frames per second: a number, or a fraction like `"24000/1001"`.
    Rate,
    /// First and last frame.
    Frames,
    /// What a key carries: whatever its parameter takes.
    Anything,
}

/// What a parameter is when it is not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preset {
    /// Nothing.
    None,
    /// Something that depends on other parameters; said in words.
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
    /// A list with nothing in it.
    Empty,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_keep_their_ends() {
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
    fn ranges_can_be_said() {
        assert_eq!(Range::ANY.words(), "");
        assert_eq!(Range::UNIT.words(), "0 to 1");
        assert_eq!(Range::POSITIVE.words(), "above 0");
        assert_eq!(Range::at_least(8.0).words(), "8 or more");
        let half = Range { low: Bound::Past(0.0), high: Bound::At(0.5) };
        assert_eq!(half.words(), "above 0 to 0.5");
    }
}
