//! Settings of a rope: control points, section, length, weights.

use thiserror::Error;

use crate::dynamics::material::Section;

/// Settings of a rope.
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    /// Number of control points, at least four.
    pub control_points: usize,
    /// Mass, stiffness and inner friction.
    pub section: Section,
    /// Length at rest in metres; if not given, that of the curve the rope is laid along, so that it is
    /// unstretched everywhere at the start.
    pub length: Option<f64>,
    /// Factors on the mass along the rope, `(u, factor)` with rising `u`; if empty, 1 everywhere.
    pub mass_along: Vec<(f64, f64)>,
    /// Weights tied to the rope, `(u, kilograms)`.
    pub weights: Vec<(f64, f64)>,
    /// Number of points that are kept out of obstacles, evenly along the rope.
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

/// Reason why a rope cannot be built.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum BuildError {
    /// A cubic needs four.
    #[error("{0} control points do not make a cubic spline; it takes 4 or more")]
    TooFewControlPoints(usize),
    /// The curve has no length.
    #[error("a rope of {0} m has no length to be simulated")]
    NoLength(f64),
    /// A number that must be positive is not.
    #[error("`{what}` is {value}; it must be above 0 and finite")]
    NotPositive {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number is negative.
    #[error("`{what}` is {value}; it must be 0 or more and finite")]
    Negative {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}

impl Build {
    /// Checks that a rope can be built with these settings.
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
        let weights = self.weights.iter().map(|(_, kilograms)| ("weight", *kilograms));
        for (what, value) in others.into_iter().chain(weights) {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(BuildError::Negative { what, value });
            }
        }
        Ok(())
    }
}
