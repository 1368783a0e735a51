//! Settings of a rope: control points, section, length, weights.

use thiserror::Error;

use crate::dynamics::material::Section;

/// Settings of a rope.
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    /// How many control points, four at least.
    pub control_points: usize,
    /// What it is made of.
    pub section: Section,
    /// Its length at rest in metres; if not given, that of the curve it is laid along, so that it
    /// is not stretched anywhere to begin with.
    pub length: Option<f64>,
    /// Factors on the mass, `(u, factor)` with rising `u`; none is 1 everywhere.
    pub mass_along: Vec<(f64, f64)>,
    /// Lumps of mass, `(u, kilograms)`.
    pub weights: Vec<(f64, f64)>,
    /// How many places are kept out of obstacles, evenly along the rope.
    pub contact_points: usize,
}

impl Build {
    /// A rope with this many control points and the defaults for everything else.
    pub fn new(control_points: usize, section: Section) -> Self {
        Self {
            control_points,
            section,
            length: None,
            mass_along: Vec::new(),
            weights: Vec::new(),
            contact_points: 2 * control_points,
        }
    }
}

/// Why a rope cannot be built.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum BuildError {
    /// A cubic needs four.
    #[error("{0} control points do not make a cubic spline; it takes 4 or more")]
    TooFewControlPoints(usize),
    /// There is nothing to simulate.
    #[error("a rope of {0} m has no length to be simulated")]
    NoLength(f64),
    /// Forces would move it infinitely fast.
    #[error("`{what}` is {value}; it must be above 0 and finite")]
    NotPositive {
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
    },
    /// It would push instead of pulling back.
    #[error("`{what}` is {value}; it must be 0 or more and finite")]
    Negative {
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
    },
}

impl Build {
    /// Whether a rope can be made of this.
    pub fn check(&self) -> Result<(), BuildError> {
        if self.control_points < 4 {
            return Err(BuildError::TooFewControlPoints(self.control_points));
        }
        let section = &self.section;
        let positive = [
            ("mass per metre", section.mass_per_metre),
            ("stretch stiffness", section.stretch),
            ("length", self.length.unwrap_or(1.0)),
        ];
        let factors = self.mass_along.iter().map(|(_, factor)| ("mass along", *factor));
        for (what, value) in positive.into_iter().chain(factors) {
            if !(value > 0.0 && value.is_finite()) {
                return Err(BuildError::NotPositive { what, value });
            }
        }
        let others = [
            ("bend stiffness", section.bend),
            ("compression", section.compression),
            ("inner friction", section.inner_friction),
        ];
        let lumps = self.weights.iter().map(|(_, kilograms)| ("weight", *kilograms));
        for (what, value) in others.into_iter().chain(lumps) {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(BuildError::Negative { what, value });
            }
        }
        Ok(())
    }
}
