//! What a rope is told once: how many control points, of what section, moved by which method.

use thiserror::Error;

use super::basis::Ends;
use crate::dynamics::material::Section;

/// How a rope steps through time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Implicit and of second order: stable however long the step, and hardly damps by itself. The
    /// springs of [`Elasticity::Springs`] reach too far for its matrix; they go ten rounds instead.
    #[default]
    Implicit,
    /// Implicit, by rounds: each place chooses its own stretch, one fixed factor joins them. Cheap
    /// and stable; stiff ropes move as if through honey unless rounds are many.
    LocalGlobal {
        /// How many.
        rounds: usize,
    },
    /// Speeds first, then places with the new speeds (Euler–Cromer).
    SemiImplicit,
    /// As published: places with the old speeds. Stable only with damping.
    Explicit,
}

/// What keeps a rope from stretching.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Elasticity {
    /// Energies of stretch and bending of the whole curve.
    #[default]
    Energy,
    /// As published: damped springs between points of the curve, which pull and never push.
    Springs {
        /// How many, evenly along the rope.
        count: usize,
    },
}

/// How points are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// Exactly, by multipliers.
    #[default]
    Constraint,
    /// As published: by damped springs of no length.
    Penalty,
}

/// What a rope is told once.
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    /// How many control points, four at least.
    pub control_points: usize,
    /// How the knots lie at both ends.
    pub ends: Ends,
    /// What it is made of.
    pub section: Section,
    /// Its length at rest in metres; if not given, that of the curve it is laid along, so that it
    /// is not stretched anywhere to begin with.
    pub length: Option<f64>,
    /// Factors on the mass, `(u, factor)` with rising `u`; none is 1 everywhere.
    pub mass_along: Vec<(f64, f64)>,
    /// Lumps of mass, `(u, kilograms)`.
    pub weights: Vec<(f64, f64)>,
    /// How it steps.
    pub method: Method,
    /// What keeps it from stretching.
    pub elasticity: Elasticity,
    /// How its pins hold.
    pub hold: Hold,
    /// How many places are kept out of obstacles, evenly along the rope.
    pub contact_points: usize,
}

impl Build {
    /// A rope of so many control points, everything else as it is best.
    pub fn new(control_points: usize, section: Section) -> Self {
        Self {
            control_points,
            ends: Ends::default(),
            section,
            length: None,
            mass_along: Vec::new(),
            weights: Vec::new(),
            method: Method::default(),
            elasticity: Elasticity::default(),
            hold: Hold::default(),
            contact_points: 2 * control_points,
        }
    }

    /// The paper's own configuration: 11 control points, 20 springs, 20 contact points, explicit.
    pub fn published(section: Section) -> Self {
        Self {
            ends: Ends::Uniform,
            method: Method::Explicit,
            elasticity: Elasticity::Springs { count: 20 },
            hold: Hold::Penalty,
            contact_points: 20,
            ..Self::new(11, section)
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
    /// Springs reach over two segments at most.
    #[error("{springs} springs on {segments} segments reach too far; it takes {segments} or more")]
    TooFewSprings {
        /// How many were asked for.
        springs: usize,
        /// Segments of the rope.
        segments: usize,
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
        let segments = self.control_points - 3;
        match self.elasticity {
            Elasticity::Springs { count } if count < segments => {
                Err(BuildError::TooFewSprings { springs: count, segments })
            }
            _ => Ok(()),
        }
    }
}
