//! A string before it is added to a set, and the checks of its numbers.
//!
//! Tests: `bad_numbers_are_refused_with_their_reason`.

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use thiserror::Error;

/// Overlapping chain regions of a string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regions {
    /// Particles or segments to each side of the middle, `w` in the paper.
    pub half_width: usize,
    /// Share of the way to the goal per 1/100 s, 0–1: `α` of shape matching.
    pub share: f64,
}

impl Regions {
    /// Three to each side and half of the way.
    pub const USUAL: Self = Self { half_width: 3, share: 0.5 };

    /// Half width for a torsional rigidity relative to the usual one: rigidity acts as `w (w + 1)`.
    pub(super) fn half_width_for(&self, rigidity: f64) -> usize {
        let width = self.half_width as f64;
        let product = rigidity * width * (width + 1.0);
        (0.5 * ((1.0 + 4.0 * product).sqrt() - 1.0)).round() as usize
    }
}

/// Settings of one string.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Build {
    /// Places of the particles, in metres, two or more.
    pub points: Vec<DVec3>,
    /// Length at rest in metres; if not given, that of `points`.
    pub length: Option<f64>,
    /// Half the thickness, in metres.
    pub radius: f64,
    /// Factors on the radius, `(u, factor)` with rising `u` (0–1); 1 everywhere if empty.
    pub radius_along: Vec<(f64, f64)>,
    /// Factors on the torsional rigidity, in the same form. They change the half width of the twist
    /// regions.
    pub twist_along: Vec<(f64, f64)>,
    /// Material: density, curves and strength.
    pub material: Material,
    /// Weights tied to the string, `(u, kilograms)`.
    pub weights: Vec<(f64, f64)>,
    /// Regions that keep the shape; `None` for a limp string.
    pub shape: Option<Regions>,
    /// Regions that spread twist; `None` if twist is not followed.
    pub twist: Option<Regions>,
    /// True if `points` are the shape at rest; otherwise it is straight.
    pub curved: bool,
    /// True if the string stretches before it yields; otherwise by a ten-thousandth at most.
    pub stretches: bool,
    /// True if tension continues to pull after a release.
    pub flicks: bool,
    /// True if the string yields and tears.
    pub tears: bool,
    /// Relative variation of strength and stiffness from segment to segment; 1e-4 in the paper.
    pub variation: f64,
    /// Seed of that variation.
    pub seed: u64,
}

impl Build {
    /// A string along points, with the settings of the paper.
    pub fn new(points: Vec<DVec3>, radius: f64, material: Material) -> Self {
        Self {
            points,
            length: None,
            radius,
            radius_along: Vec::new(),
            twist_along: Vec::new(),
            material,
            weights: Vec::new(),
            shape: Some(Regions::USUAL),
            twist: Some(Regions::USUAL),
            curved: false,
            stretches: true,
            flicks: false,
            tears: true,
            variation: 1e-4,
            seed: 0,
        }
    }

    /// A straight string of `segments` equal segments.
    pub fn straight(
        from: DVec3,
        to: DVec3,
        segments: usize,
        radius: f64,
        material: Material,
    ) -> Self {
        let count = segments.max(1);
        let points = (0..=count).map(|i| from.lerp(to, i as f64 / count as f64)).collect();
        Self::new(points, radius, material)
    }

    /// Checks all numbers.
    pub fn check(&self) -> Result<(), BuildError> {
        if self.points.len() < 2 {
            return Err(BuildError::TooFewPoints(self.points.len()));
        }
        if let Some(point) = self.points.iter().position(|point| !point.is_finite()) {
            return Err(BuildError::NotFinite { point });
        }
        if let Some(segment) = self.points.windows(2).position(|pair| pair[0] == pair[1]) {
            return Err(BuildError::NoLength { segment });
        }
        let material = &self.material;
        let finite = [
            ("radius", self.radius),
            ("density", material.density),
            ("length", self.length.unwrap_or(1.0)),
        ];
        let radii = self.radius_along.iter().map(|(_, factor)| ("radius along", *factor));
        for (what, value) in finite.into_iter().chain(radii) {
            if !(value > 0.0 && value.is_finite()) {
                return Err(BuildError::NotPositive { what, value });
            }
        }
        // These may be infinite: a string that never yields, or never tears.
        let limits = [
            ("modulus", material.modulus),
            ("plastic modulus", material.plastic_modulus),
            ("yield stress", material.yield_stress),
            ("rupture stress", material.rupture_stress),
            ("yield shear", material.yield_shear),
            ("rupture shear", material.rupture_shear),
        ];
        for (what, value) in limits {
            if value.is_nan() || value <= 0.0 {
                return Err(BuildError::NotPositive { what, value });
            }
        }
        let others = [
            ("shear modulus", material.shear_modulus),
            ("plastic shear modulus", material.plastic_shear_modulus),
            ("variation", self.variation),
        ];
        let weights = self.weights.iter().map(|(_, kilograms)| ("weight", *kilograms));
        let twists = self.twist_along.iter().map(|(_, factor)| ("twist along", *factor));
        for (what, value) in others.into_iter().chain(weights).chain(twists) {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(BuildError::Negative { what, value });
            }
        }
        let regions = [("share of shape", self.shape), ("share of twist", self.twist)];
        for (what, regions) in regions {
            let share = regions.map_or(0.0, |regions| regions.share);
            if !(0.0..=1.0).contains(&share) {
                return Err(BuildError::NotAShare { what, value: share });
            }
        }
        if self.variation >= 1.0 {
            return Err(BuildError::NotAShare { what: "variation", value: self.variation });
        }
        Ok(())
    }
}

/// Reason why a string cannot be built.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum BuildError {
    /// A segment needs two points.
    #[error("{0} points do not make a string; it takes 2 or more")]
    TooFewPoints(usize),
    /// A point is infinite or NaN.
    #[error("point {point} is not finite")]
    NotFinite {
        /// Index of the point.
        point: usize,
    },
    /// Two neighbouring points coincide.
    #[error("segment {segment} has no length: its two points coincide")]
    NoLength {
        /// Index of the segment.
        segment: usize,
    },
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
    /// A share is outside of its range.
    #[error("`{what}` is {value}; it must be from 0 to 1")]
    NotAShare {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}

/// Factor at the place `u` of the polyline through `(u, factor)`.
pub(super) fn factor_at(along: &[(f64, f64)], u: f64) -> f64 {
    let (Some(first), Some(last)) = (along.first(), along.last()) else { return 1.0 };
    let next = along.partition_point(|(at, _)| *at <= u);
    if next == 0 {
        return first.1;
    }
    let (from, below) = along[next - 1];
    along.get(next).map_or(last.1, |(to, above)| below + (above - below) * (u - from) / (to - from))
}
