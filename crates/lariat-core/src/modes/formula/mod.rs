//! Amplitude and phase as an animator writes them down: `0.3 * smoothstep(0, 1, u)`.
//!
//! A formula speaks of one point at a time: where it is (`x`, `y`, `z`), how far along its rope
//! (`u`), which way its surface looks (`nx`, `ny`, `nz`), and whatever else its body has a number
//! for at each point. It is read once and becomes a short program (`program.rs`), which runs for
//! every point without asking for memory. There are no comparisons and no loops.
//!
//! | | |
//! |---|---|
//! | numbers | `2`, `0.5`, `.5`, `1e-3`, `pi` |
//! | signs | `a + b`, `a - b`, `a * b`, `a / b`, `a ^ b`, `-a`, `(a)` |
//! | functions | `sin cos tan exp ln sqrt abs floor` of one number, angles in radians; `min(a, b)`, `max(a, b)`, `clamp(x, lo, hi)`, `smoothstep(lo, hi, x)`, `mix(a, b, t)` |
//!
//! `^` binds tightest and to the right, then the sign, as on paper: `-u^2` is `-(u^2)`.
//!
//! Nothing that is not a finite number comes out: the root of a negative number is an error that
//! names the point, the place in the formula and the number.
//!
//! Tests: `signs_bind_as_on_paper`, `functions_do_what_their_names_say`,
//! `a_misspelt_name_is_answered_with_the_nearest`, `what_is_not_a_number_names_its_point`,
//! `no_text_makes_it_panic`.

mod attributes;
mod parse;
mod program;

use thiserror::Error;

pub use attributes::PointAttributes;

use program::Program;

/// A formula that has been read, for the names of some [`PointAttributes`].
///
/// ```
/// use glam::DVec3;
/// use lariat_core::modes::{Formula, PointAttributes};
///
/// let belly = [DVec3::ZERO, DVec3::X, DVec3::X * 2.0];
/// let softness = [0.0, 0.5, 1.0];
/// let sites = PointAttributes::of_points(&belly).with_attribute("soft", &softness)?;
/// let formula = Formula::parse("soft * cos(pi * x / 2)", &sites)?;
/// assert_eq!(formula.at(&sites, 2)?, -1.0);
///
/// let error = Formula::parse("sof * 2", &sites).unwrap_err();
/// assert_eq!(error.to_string(), "column 1: nothing is called `sof` here: did you mean `soft`?");
/// # Ok::<(), lariat_core::modes::FormulaError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    program: Program,
    /// The names it was read for, to notice other sites.
    names: Vec<String>,
}

/// Why there is no formula, or no number of it. Columns count characters, from 1.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FormulaError {
    /// A name that neither the body nor the language has.
    #[error("column {column}: nothing is called `{name}` here: {}", way_out(suggestion.as_deref(), known))]
    UnknownName {
        /// Where it stands.
        column: usize,
        /// The name as written.
        name: String,
        /// The nearest name there is.
        suggestion: Option<String>,
        /// All names there are.
        known: String,
    },
    /// Two things that do not fit together.
    #[error("column {column}: here should be {expected}, but there is {found}")]
    Unexpected {
        /// Where it stands.
        column: usize,
        /// What would fit.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A function with too many numbers, or too few.
    #[error("column {column}: `{form}` takes {needed}, but here it has {given}")]
    WrongCount {
        /// Where the function stands.
        column: usize,
        /// How it is written.
        form: &'static str,
        /// How many numbers it takes.
        needed: usize,
        /// How many it was given.
        given: usize,
    },
    /// A formula that nobody could read either.
    #[error(
        "column {column}: the formula is nested deeper than {most} levels: compute a part of it \
         in an attribute"
    )]
    TooDeep {
        /// Where it goes too deep.
        column: usize,
        /// How deep it may be.
        most: usize,
    },
    /// A number that does not exist.
    #[error("point {point}, column {column}: {what} {value} is not a finite number: {way_out}")]
    Undefined {
        /// Which point, from 0.
        point: usize,
        /// Where in the formula.
        column: usize,
        /// What was asked, up to its value: `the root of`.
        what: &'static str,
        /// What it was asked for.
        value: f64,
        /// What would do.
        way_out: &'static str,
    },
    /// An attribute that a formula could not speak of.
    #[error(
        "`{name}` cannot name an attribute: use a letter, then letters, digits and underscores, \
         and none of the names that formulas have already"
    )]
    BadName {
        /// The name as given.
        name: String,
    },
    /// An attribute of another number of points.
    #[error("attribute `{name}` has {given} numbers for {needed} points: give one for each")]
    WrongLength {
        /// The attribute.
        name: String,
        /// How many points there are.
        needed: usize,
        /// How many numbers were given.
        given: usize,
    },
    /// Other sites than those the formula was read for.
    #[error("the formula was read for points with {expected}, these have {found}: read it again")]
    OtherSites {
        /// The names it was read for.
        expected: String,
        /// The names these points have.
        found: String,
    },
}

/// The end of a message about an unknown name.
fn way_out(suggestion: Option<&str>, known: &str) -> String {
    match suggestion {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("there are {known}"),
    }
}

impl Formula {
    /// Reads a formula for points that have the names of `sites`.
    pub fn parse(text: &str, sites: &PointAttributes<'_>) -> Result<Self, FormulaError> {
        let names: Vec<String> = sites.names().map(str::to_owned).collect();
        Ok(Self { program: parse::parse(text, &names)?, names })
    }

    /// The formula's number at one point.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn at(&self, sites: &PointAttributes<'_>, point: usize) -> Result<f64, FormulaError> {
        self.check(sites)?;
        self.program.run(point, |slot| sites.value(slot, point))
    }

    /// The formula's numbers at all points.
    pub fn over(&self, sites: &PointAttributes<'_>) -> Result<Vec<f64>, FormulaError> {
        self.check(sites)?;
        let number = |point| self.program.run(point, |slot| sites.value(slot, point));
        (0..sites.len()).map(number).collect()
    }

    fn check(&self, sites: &PointAttributes<'_>) -> Result<(), FormulaError> {
        if sites.names().eq(self.names.iter().map(String::as_str)) {
            return Ok(());
        }
        Err(FormulaError::OtherSites {
            expected: self.names.join(", "),
            found: sites.names().collect::<Vec<_>>().join(", "),
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use proptest::prelude::*;

    use super::*;
    use crate::num::ops;

    const POINTS: [DVec3; 2] = [DVec3::new(1.0, 2.0, -3.0), DVec3::new(0.5, -0.25, 4.0)];

    fn value(text: &str) -> f64 {
        let sites = PointAttributes::of_rope(&POINTS);
        let read = Formula::parse(text, &sites).unwrap_or_else(|e| panic!("{text}: {e}"));
        read.at(&sites, 0).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn complaint(text: &str) -> String {
        let sites = PointAttributes::of_rope(&POINTS);
        match Formula::parse(text, &sites) {
            Err(error) => error.to_string(),
            Ok(formula) => formula.over(&sites).unwrap_err().to_string(),
        }
    }

    #[test]
    fn signs_bind_as_on_paper() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("8 / 4 / 2", 1.0),
            ("8 - 4 - 2", 2.0),
            ("2 ^ 3 ^ 2", 512.0),
            ("-2 ^ 2", -4.0),
            ("2 ^ -1", 0.5),
            ("3 - -2", 5.0),
            ("--2", 2.0),
            ("2 * -x", -2.0),
            ("-y * z", 6.0),
            (".5 + 1e-1 + 2E+0 + 3.", 5.6),
            ("x+y*z", -5.0),
            ("  pi  ", std::f64::consts::PI),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn functions_do_what_their_names_say() {
        for (text, expected) in [
            ("sin(2)", ops::sin(2.0)),
            ("cos(2)", ops::cos(2.0)),
            ("tan(2)", ops::tan(2.0)),
            ("exp(2)", ops::exp(2.0)),
            ("ln(2)", ops::ln(2.0)),
            ("sqrt(2)", 2.0_f64.sqrt()),
            ("abs(z)", 3.0),
            ("floor(-1.5)", -2.0),
            ("min(2, z)", -3.0),
            ("max(2, z)", 2.0),
            ("clamp(5, 0, 3)", 3.0),
            ("clamp(z, 0, 3)", 0.0),
            ("clamp(2, 0, 3)", 2.0),
            ("mix(10, 20, 0.25)", 12.5),
            ("smoothstep(0, 2, -1)", 0.0),
            ("smoothstep(0, 2, 0.5)", 0.156_25),
            ("smoothstep(0, 2, 3)", 1.0),
            // Falling, and a step where both edges are one.
            ("smoothstep(2, 0, 0.5)", 0.843_75),
            ("smoothstep(1, 1, 0.9)", 0.0),
            ("smoothstep(1, 1, 1)", 1.0),
            ("u", 0.0),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn a_misspelt_name_is_answered_with_the_nearest() {
        assert_eq!(
            complaint("2 * smothstep(0, 1, u)"),
            "column 5: nothing is called `smothstep` here: did you mean `smoothstep`?"
        );
        assert_eq!(complaint("2 + X"), "column 5: nothing is called `X` here: did you mean `x`?");
        assert_eq!(
            complaint("width"),
            "column 1: nothing is called `width` here: there are x, y, z, u, pi"
        );
        // A rope has no normals, so their names are unknown for it.
        assert_eq!(
            complaint("elephant(1)"),
            "column 1: nothing is called `elephant` here: there are sin, cos, tan, exp, ln, sqrt, \
             abs, floor, min, max, clamp, smoothstep, mix"
        );
    }

    #[test]
    fn slips_are_found_where_they_are() {
        for (text, message) in [
            ("", "column 1: here should be a number, a name or `(`, but there is the end"),
            ("1 +", "column 4: here should be a number, a name or `(`, but there is the end"),
            ("(1", "column 3: here should be `)` or a sign, but there is the end"),
            ("1)", "column 2: here should be a sign or the end, but there is `)`"),
            ("é u", "column 1: nothing is called `é` here: there are x, y, z, u, pi"),
            ("2 u", "column 3: here should be a sign or the end, but there is `u`"),
            ("sin", "column 4: here should be `(`, but there is the end"),
            ("sin(1, 2)", "column 1: `sin(x)` takes 1, but here it has 2"),
            ("1 + clamp(u, 1)", "column 5: `clamp(x, lo, hi)` takes 3, but here it has 2"),
            ("u % 2", "column 3: here should be a sign or the end, but there is `%`"),
            ("1e", "column 1: here should be a number such as 0.5 or 1e-3, but there is `1e`"),
            (
                "1.2.3",
                "column 1: here should be a number such as 0.5 or 1e-3, but there is `1.2.3`",
            ),
            (
                "1e999",
                "column 1: here should be a number such as 0.5 or 1e-3, but there is `1e999`",
            ),
        ] {
            assert_eq!(complaint(text), message, "for {text:?}");
        }
    }

    #[test]
    fn what_is_not_a_number_names_its_point() {
        for (text, message) in [
            (
                "1 + sqrt(y)",
                "point 1, column 5: the root of -0.25 is not a finite number: keep it at 0 or \
                 more, as with max(a, 0)",
            ),
            (
                "ln(1 - x)",
                "point 0, column 1: the logarithm of 0 is not a finite number: keep it above 0, \
                 as with max(a, 1e-6)",
            ),
            (
                "1 / u",
                "point 0, column 3: a division by 0 is not a finite number: keep the divisor away \
                 from 0",
            ),
            (
                "z ^ 0.5",
                "point 0, column 3: a power of -3 is not a finite number: keep the base above 0, \
                 or the exponent whole",
            ),
            (
                "exp(1000 * x)",
                "point 0, column 1: the exponential of 1000 is not a finite number: keep it below \
                 700",
            ),
        ] {
            assert_eq!(complaint(text), message, "for {text}");
        }
        // Not even where the next function would hide it.
        assert!(complaint("min(1, sqrt(z))").contains("the root of -3"));
    }

    #[test]
    fn a_number_missing_in_the_body_names_its_point() {
        let soft = [0.5, f64::NAN];
        let sites = PointAttributes::of_points(&POINTS).with_attribute("soft", &soft).unwrap();
        let formula = Formula::parse("max(soft, 0)", &sites).unwrap();
        assert_eq!(formula.at(&sites, 0), Ok(0.5));
        let error = formula.over(&sites).unwrap_err().to_string();
        assert!(error.starts_with("point 1, column 5: the point's own NaN"), "{error}");
    }

    #[test]
    fn a_formula_is_not_used_for_points_of_other_names() {
        let formula = Formula::parse("u", &PointAttributes::of_rope(&POINTS)).unwrap();
        let error = formula.at(&PointAttributes::of_points(&POINTS), 0).unwrap_err();
        assert!(matches!(error, FormulaError::OtherSites { .. }), "{error}");
    }

    #[test]
    fn depth_has_an_end() {
        let deep = |open: &str, n: usize, close: &str| {
            complaint(&format!("{}1{}", open.repeat(n), close.repeat(n)))
        };
        for (open, close) in [("(", ")"), ("-", ""), ("2^", ""), ("mix(1,2,", ")")] {
            assert!(deep(open, 100_000, close).contains("nested deeper than 64"), "{open}");
        }
        // Long is not deep.
        let long = vec!["x"; 100_000].join(" + ");
        assert_eq!(value(&long), 100_000.0);
    }

    /// Whatever could stand in a formula, and whatever could not.
    const TEXTS: &str = "[-+*/^()., 0-9a-z]{0,40}|.{0,20}";

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in TEXTS) {
            let sites = PointAttributes::of_rope(&POINTS);
            if let Ok(formula) = Formula::parse(&text, &sites) {
                for point in 0..2 {
                    if let Ok(value) = formula.at(&sites, point) {
                        prop_assert!(value.is_finite(), "{} gives {}", text, value);
                    }
                }
            }
        }
    }
}
