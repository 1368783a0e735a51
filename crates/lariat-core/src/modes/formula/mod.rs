//! Formulas for amplitude and phase, such as `0.3 * smoothstep(0, 1, u)`.
//!
//! A formula is evaluated for one point at a time. Its variables are the position (`x`, `y`, `z`),
//! the place along the rope (`u`), the surface normal (`nx`, `ny`, `nz`), and any other attribute
//! of the body's points. It is parsed once into a short program (`program.rs`), which runs for
//! every point without allocating. There are no comparisons and no loops.
//!
//! | | |
//! |---|---|
//! | numbers | `2`, `0.5`, `.5`, `1e-3`, `pi` |
//! | operators | `a + b`, `a - b`, `a * b`, `a / b`, `a ^ b`, `-a`, `(a)` |
//! | functions | `sin cos tan exp ln sqrt abs floor` of one number, angles in radians; `min(a, b)`, `max(a, b)`, `clamp(x, lo, hi)`, `smoothstep(lo, hi, x)`, `mix(a, b, t)` |
//!
//! `^` has the highest precedence and is right-associative; unary minus follows: `-u^2` is
//! `-(u^2)`.
//!
//! Every result is finite: the root of a negative number is an error that names the point, the
//! column in the formula and the number.
//!
//! Tests: `operators_have_their_usual_precedence`, `functions_have_their_usual_values`,
//! `a_misspelt_name_gets_a_suggestion`, `a_result_that_is_not_finite_names_its_point`,
//! `arbitrary_text_never_panics`.

mod attributes;
mod parse;
mod program;

use thiserror::Error;

pub use attributes::PointAttributes;

use program::Program;

/// A parsed formula over the attributes of some [`PointAttributes`].
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
/// assert_eq!(error.to_string(), "column 1: unknown name `sof`; did you mean `soft`?");
/// # Ok::<(), lariat_core::modes::FormulaError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    program: Program,
    /// Attribute names it was parsed for, to detect other points.
    names: Vec<String>,
}

/// Error of parsing or evaluating a formula. Columns count characters from 1.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FormulaError {
    /// A name that is neither an attribute nor a function.
    #[error("column {column}: unknown name `{name}`; {}", known_names(suggestion.as_deref(), known))]
    UnknownName {
        /// Column of the name.
        column: usize,
        /// The name as written.
        name: String,
        /// Nearest known name.
        suggestion: Option<String>,
        /// All known names.
        known: String,
    },
    /// A syntax error.
    #[error("column {column}: expected {expected}, found {found}")]
    Unexpected {
        /// Column of the error.
        column: usize,
        /// Expected token.
        expected: &'static str,
        /// Token found.
        found: String,
    },
    /// A function with the wrong number of arguments.
    #[error(
        "column {column}: wrong number of arguments for `{form}`: expected {needed}, found {given}"
    )]
    WrongCount {
        /// Column of the function.
        column: usize,
        /// Signature of the function.
        form: &'static str,
        /// Expected number of arguments.
        needed: usize,
        /// Number of arguments given.
        given: usize,
    },
    /// Nesting beyond the limit.
    #[error(
        "column {column}: the formula is nested deeper than {most} levels; compute a part of it \
         in an attribute"
    )]
    TooDeep {
        /// Column that exceeds the limit.
        column: usize,
        /// Limit on the depth.
        most: usize,
    },
    /// A result that is not finite.
    #[error("point {point}, column {column}: {what} {value} is not a finite number; {help}")]
    Undefined {
        /// Index of the point.
        point: usize,
        /// Column in the formula.
        column: usize,
        /// Operation, without its argument: `the root of`.
        what: &'static str,
        /// Argument of the operation.
        value: f64,
        /// Remedy.
        help: &'static str,
    },
    /// An attribute name that formulas cannot use.
    #[error(
        "`{name}` is not a valid attribute name; use a letter, then letters, digits and underscores, \
         and no name of a function or constant"
    )]
    BadName {
        /// Name as given.
        name: String,
    },
    /// An attribute of the wrong length.
    #[error("attribute `{name}` has {given} values for {needed} points; give one per point")]
    WrongLength {
        /// The attribute.
        name: String,
        /// Number of points.
        needed: usize,
        /// Number of values given.
        given: usize,
    },
    /// Points with other attributes than those the formula was parsed for.
    #[error(
        "the formula was parsed for points with {expected}, but these have {found}; parse it again"
    )]
    OtherSites {
        /// Attribute names it was parsed for.
        expected: String,
        /// Attribute names of these points.
        found: String,
    },
}

/// Second half of the message about an unknown name.
fn known_names(suggestion: Option<&str>, known: &str) -> String {
    match suggestion {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("known names: {known}"),
    }
}

impl Formula {
    /// Parses a formula over the attributes of `sites`.
    pub fn parse(text: &str, sites: &PointAttributes<'_>) -> Result<Self, FormulaError> {
        let names: Vec<String> = sites.names().map(str::to_owned).collect();
        Ok(Self { program: parse::parse(text, &names)?, names })
    }

    /// Value of the formula at one point.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn at(&self, sites: &PointAttributes<'_>, point: usize) -> Result<f64, FormulaError> {
        self.check(sites)?;
        self.program.run(point, |slot| sites.value(slot, point))
    }

    /// Values of the formula at all points.
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

    fn error_of(text: &str) -> String {
        let sites = PointAttributes::of_rope(&POINTS);
        match Formula::parse(text, &sites) {
            Err(error) => error.to_string(),
            Ok(formula) => formula.over(&sites).unwrap_err().to_string(),
        }
    }

    #[test]
    fn operators_have_their_usual_precedence() {
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
    fn functions_have_their_usual_values() {
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
            // A falling edge, and a step where both edges are equal.
            ("smoothstep(2, 0, 0.5)", 0.843_75),
            ("smoothstep(1, 1, 0.9)", 0.0),
            ("smoothstep(1, 1, 1)", 1.0),
            ("u", 0.0),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn a_misspelt_name_gets_a_suggestion() {
        assert_eq!(
            error_of("2 * smothstep(0, 1, u)"),
            "column 5: unknown name `smothstep`; did you mean `smoothstep`?"
        );
        assert_eq!(error_of("2 + X"), "column 5: unknown name `X`; did you mean `x`?");
        assert_eq!(
            error_of("width"),
            "column 1: unknown name `width`; known names: x, y, z, u, pi"
        );
        // Where a function is expected, functions are listed.
        assert_eq!(
            error_of("elephant(1)"),
            "column 1: unknown name `elephant`; known names: sin, cos, tan, exp, ln, sqrt, \
             abs, floor, min, max, clamp, smoothstep, mix"
        );
    }

    #[test]
    fn syntax_errors_name_their_column() {
        for (text, message) in [
            ("", "column 1: expected a number, a name or `(`, found the end"),
            ("1 +", "column 4: expected a number, a name or `(`, found the end"),
            ("(1", "column 3: expected `)` or an operator, found the end"),
            ("1)", "column 2: expected an operator or the end, found `)`"),
            ("é u", "column 1: unknown name `é`; known names: x, y, z, u, pi"),
            ("2 u", "column 3: expected an operator or the end, found `u`"),
            ("sin", "column 4: expected `(`, found the end"),
            ("sin(1, 2)", "column 1: wrong number of arguments for `sin(x)`: expected 1, found 2"),
            (
                "1 + clamp(u, 1)",
                "column 5: wrong number of arguments for `clamp(x, lo, hi)`: expected 3, found 2",
            ),
            ("u % 2", "column 3: expected an operator or the end, found `%`"),
            ("1e", "column 1: expected a number such as 0.5 or 1e-3, found `1e`"),
            ("1.2.3", "column 1: expected a number such as 0.5 or 1e-3, found `1.2.3`"),
            ("1e999", "column 1: expected a number such as 0.5 or 1e-3, found `1e999`"),
        ] {
            assert_eq!(error_of(text), message, "for {text:?}");
        }
    }

    #[test]
    fn a_result_that_is_not_finite_names_its_point() {
        for (text, message) in [
            (
                "1 + sqrt(y)",
                "point 1, column 5: the root of -0.25 is not a finite number; keep it at 0 or \
                 more, as with max(a, 0)",
            ),
            (
                "ln(1 - x)",
                "point 0, column 1: the logarithm of 0 is not a finite number; keep it above 0, \
                 as with max(a, 1e-6)",
            ),
            (
                "1 / u",
                "point 0, column 3: a division by 0 is not a finite number; keep the divisor away \
                 from 0",
            ),
            (
                "z ^ 0.5",
                "point 0, column 3: a power of -3 is not a finite number; keep the base above 0, \
                 or the exponent whole",
            ),
            (
                "exp(1000 * x)",
                "point 0, column 1: the exponential of 1000 is not a finite number; keep it below \
                 700",
            ),
        ] {
            assert_eq!(error_of(text), message, "for {text}");
        }
        // Even if the next function would hide it.
        assert!(error_of("min(1, sqrt(z))").contains("the root of -3"));
    }

    #[test]
    fn an_attribute_that_is_not_finite_names_its_point() {
        let soft = [0.5, f64::NAN];
        let sites = PointAttributes::of_points(&POINTS).with_attribute("soft", &soft).unwrap();
        let formula = Formula::parse("max(soft, 0)", &sites).unwrap();
        assert_eq!(formula.at(&sites, 0), Ok(0.5));
        let error = formula.over(&sites).unwrap_err().to_string();
        assert!(error.starts_with("point 1, column 5: the attribute value NaN"), "{error}");
    }

    #[test]
    fn a_formula_is_refused_for_points_with_other_attributes() {
        let formula = Formula::parse("u", &PointAttributes::of_rope(&POINTS)).unwrap();
        let error = formula.at(&PointAttributes::of_points(&POINTS), 0).unwrap_err();
        assert!(matches!(error, FormulaError::OtherSites { .. }), "{error}");
    }

    #[test]
    fn the_depth_is_limited() {
        let deep = |open: &str, n: usize, close: &str| {
            error_of(&format!("{}1{}", open.repeat(n), close.repeat(n)))
        };
        for (open, close) in [("(", ")"), ("-", ""), ("2^", ""), ("mix(1,2,", ")")] {
            assert!(deep(open, 100_000, close).contains("nested deeper than 64"), "{open}");
        }
        // A long formula is not a deep one.
        let long = vec!["x"; 100_000].join(" + ");
        assert_eq!(value(&long), 100_000.0);
    }

    /// Texts that resemble formulas, and arbitrary texts.
    const TEXTS: &str = "[-+*/^()., 0-9a-z]{0,40}|.{0,20}";

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(text in TEXTS) {
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
