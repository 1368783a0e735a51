//! What a string is told once: where it lies, how thick it is, of what it is made.
//!
//! Tests: `bad_numbers_are_refused_with_what_is_wrong`.

use glam::DVec3;
use thiserror::Error;

use lariat_core::dynamics::material::Material;

/// What keeps a string's shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Bend {
    /// Nothing: it is limp.
    Limp,
    /// As its material and radius say; `width` is how far each place looks, in metres to each side,
    /// and is chosen if it is not given: the narrowest for which a step is short enough.
    #[default]
    Material,
    /// A stiffness against bending, `EI`, in N m².
    Stiffness {
        /// `EI`.
        bend: f64,
        /// Half width of regions in metres, if not to be chosen.
        width: Option<f64>,
    },
}

/// How twist spreads along a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Twist {
    /// It is not followed: for chains, and strings so limp that nobody sees it.
    Free,
    /// By torques between segments, solved all at once.
    #[default]
    Torque,
}

/// What a string is told once.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question with two answers")]
pub struct Build {
    /// Where its particles are, two at least.
    pub points: Vec<DVec3>,
    /// Its length at rest in metres; if not given, that of `points`.
    pub length: Option<f64>,
    /// Half its thickness, in metres.
    pub radius: f64,
    /// Factors on the radius, `(u, factor)` with rising `u` (0–1); none is 1 everywhere.
    pub radius_along: Vec<(f64, f64)>,
    /// Factors on the stiffness against twisting, likewise.
    pub twist_along: Vec<(f64, f64)>,
    /// What it is made of.
    pub material: Material,
    /// Lumps of mass, `(u, kilograms)`.
    pub weights: Vec<(f64, f64)>,
    /// What keeps its shape.
    pub bend: Bend,
    /// Whether its shape at rest is `points`; otherwise it would be straight.
    pub curved: bool,
    /// How twist spreads.
    pub twist: Twist,
    /// Whether it stretches before it yields; otherwise its length stays until then, to a ten-thousandth.
    pub stretches: bool,
    /// Whether it flicks back when it is let go or torn though it does not stretch, by what it was
    /// pulled with; what stretches does so by itself.
    pub flicks: bool,
    /// Whether it yields and tears at all.
    pub tears: bool,
    /// Whether segments resist being pushed together as much as being pulled, as rods do; otherwise
    /// they give way, as a string does that bows between two particles.
    pub pushes: bool,
    /// How much one segment's strength and stiffness differ from another's: 1e-4 is the paper's
    /// hundredth of a per cent.
    pub variation: f64,
    /// Which differences.
    pub seed: u64,
    /// Share of motion from one segment to the next that is lost a second.
    pub calm: f64,
}

/// Motion from segment to segment that is lost a second. More: whips crack less. Less: steps
/// become shorter for motion that no one sees.
const CALM: f64 = 10.0;

impl Build {
    /// A string along points, everything else as it is best.
    pub fn new(points: Vec<DVec3>, radius: f64, material: Material) -> Self {
        Self {
            points,
            length: None,
            radius,
            radius_along: Vec::new(),
            twist_along: Vec::new(),
            material,
            weights: Vec::new(),
            bend: Bend::default(),
            curved: false,
            twist: Twist::default(),
            stretches: true,
            flicks: false,
            tears: true,
            pushes: false,
            variation: 1e-4,
            seed: 0,
            calm: CALM,
        }
    }

    /// A straight one of so many segments.
    pub fn straight(
        from: DVec3,
        to: DVec3,
        segments: usize,
        radius: f64,
        material: Material,
    ) -> Self {
        let points = (0..=segments).map(|i| from.lerp(to, i as f64 / segments as f64)).collect();
        Self::new(points, radius, material)
    }

    /// A fine chain of rods with pins: it neither stretches, bends back nor twists.
    pub fn chain(points: Vec<DVec3>, mass_per_metre: f64) -> Self {
        let radius = 1e-3;
        let density = mass_per_metre / (std::f64::consts::PI * radius * radius);
        Self {
            bend: Bend::Limp,
            twist: Twist::Free,
            tears: false,
            pushes: true,
            ..Self::new(points, radius, Material::ideal(density))
        }
    }

    /// Whether a string can be made of this.
    pub fn check(&self) -> Result<(), BuildError> {
        if self.points.len() < 2 {
            return Err(BuildError::TooFewPoints(self.points.len()));
        }
        if let Some(at) = self.points.iter().position(|p| !p.is_finite()) {
            return Err(BuildError::NotFinite { at });
        }
        for (at, pair) in self.points.windows(2).enumerate() {
            if pair[0] == pair[1] {
                return Err(BuildError::NoLength { segment: at });
            }
        }
        let material = &self.material;
        let positive = [
            ("radius", self.radius),
            ("density", material.density),
            ("length", self.length.unwrap_or(1.0)),
        ];
        let factors = self.radius_along.iter().map(|(_, factor)| ("radius along", *factor));
        for (what, value) in positive.into_iter().chain(factors) {
            if !(value > 0.0 && value.is_finite()) {
                return Err(BuildError::NotPositive { what, value });
            }
        }
        // These may be infinite.
        let lasting = [
            ("modulus", material.modulus),
            ("plastic modulus", material.plastic_modulus),
            ("yield stress", material.yield_stress),
            ("rupture stress", material.rupture_stress),
            ("yield shear", material.yield_shear),
            ("rupture shear", material.rupture_shear),
        ];
        for (what, value) in lasting {
            if value.is_nan() || value <= 0.0 {
                return Err(BuildError::NotPositive { what, value });
            }
        }
        let (bend, width) = match self.bend {
            Bend::Stiffness { bend, width } => (bend, width.unwrap_or(1.0)),
            Bend::Limp | Bend::Material => (0.0, 1.0),
        };
        let others = [
            ("shear modulus", material.shear_modulus),
            ("plastic shear modulus", material.plastic_shear_modulus),
            ("rigidity", material.rigidity),
            ("inner friction", material.inner_friction),
            ("variation", self.variation),
            ("calm", self.calm),
            ("bend", bend),
            ("width", width),
        ];
        let lumps = self.weights.iter().map(|(_, kilograms)| ("weight", *kilograms));
        let twists = self.twist_along.iter().map(|(_, factor)| ("twist along", *factor));
        for (what, value) in others.into_iter().chain(lumps).chain(twists) {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(BuildError::Negative { what, value });
            }
        }
        if material.rigidity > 0.0 && material.modulus.is_infinite() && self.bend == Bend::Material
        {
            return Err(BuildError::NotPositive { what: "modulus", value: material.modulus });
        }
        Ok(())
    }
}

/// A factor at the place `u` of a line through `(u, factor)`.
pub(super) fn factor_at(along: &[(f64, f64)], u: f64) -> f64 {
    let after = along.partition_point(|(at, _)| *at <= u);
    match (after.checked_sub(1).map(|i| along[i]), along.get(after)) {
        (None, None) => 1.0,
        (None, Some(first)) => first.1,
        (Some(last), None) => last.1,
        (Some(a), Some(b)) => a.1 + (b.1 - a.1) * (u - a.0) / (b.0 - a.0),
    }
}

/// Why a string cannot be built.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum BuildError {
    /// A segment has two ends.
    #[error("{0} points do not make a string; it takes 2 or more")]
    TooFewPoints(usize),
    /// It is nowhere.
    #[error("point {at} is not finite")]
    NotFinite {
        /// Which.
        at: usize,
    },
    /// A segment without length has no direction.
    #[error("segment {segment} has no length: its two points are one")]
    NoLength {
        /// Which.
        segment: usize,
    },
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
