//! Definition of a rope in a world.
//!
//! Tests: `a_slack_rope_starts_as_it_hangs`, `bad_definitions_are_refused`.

use glam::DVec3;
use lariat_core::dynamics::material::{MATERIALS, Material};
use lariat_core::model::SuspendedRope;
use lariat_string::Build;

use super::WorldError;

/// Default material: hemp, the first of the table.
const DEFAULT_MATERIAL: Material = MATERIALS[0];

/// Definition of a rope: plain numbers, with defaults for everything but its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct RopeDef {
    /// Start of the rope, in metres.
    pub from: DVec3,
    /// End of the rope, in metres.
    pub to: DVec3,
    /// Length at rest, in metres. A rope longer than the distance of its ends starts hanging
    /// between them; without a length it starts straight and without tension.
    pub length: Option<f64>,
    /// Number of segments. More give finer bends and take more time per step.
    pub segments: usize,
    /// Radius, in metres.
    pub radius: f64,
    /// Physical material.
    pub material: Material,
    /// Whether the rope can yield and tear.
    pub tears: bool,
    /// Seed of the small differences in strength between segments.
    pub seed: u64,
}

impl RopeDef {
    /// Defines a rope of hemp, 1 cm thick, with 24 segments, between two places.
    pub fn between(from: DVec3, to: DVec3) -> Self {
        Self {
            from,
            to,
            length: None,
            segments: 24,
            radius: 0.005,
            material: DEFAULT_MATERIAL,
            tears: true,
            seed: 0,
        }
    }

    /// Sets the length at rest, in metres.
    #[must_use]
    pub fn with_length(self, length: f64) -> Self {
        Self { length: Some(length), ..self }
    }

    /// Sets the material.
    #[must_use]
    pub fn with_material(self, material: Material) -> Self {
        Self { material, ..self }
    }

    /// Sets the radius, in metres.
    #[must_use]
    pub fn with_radius(self, radius: f64) -> Self {
        Self { radius, ..self }
    }

    /// Sets the number of segments.
    #[must_use]
    pub fn with_segments(self, segments: usize) -> Self {
        Self { segments, ..self }
    }

    /// Starting points and numbers for the simulator.
    pub(super) fn build(&self) -> Result<Build, WorldError> {
        if self.segments == 0 {
            return Err(WorldError::Segments { segments: self.segments });
        }
        let points = match self.length.filter(|length| *length > self.from.distance(self.to)) {
            Some(length) => {
                let mut hanging = SuspendedRope::new(self.from, self.to, length);
                hanging.samples = self.segments + 1;
                hanging.pose()?.points
            }
            None => {
                let place = |i: usize| self.from.lerp(self.to, i as f64 / self.segments as f64);
                (0..=self.segments).map(place).collect()
            }
        };
        let build = Build::new(points, self.radius, self.material);
        Ok(Build { length: self.length, tears: self.tears, seed: self.seed, ..build })
    }
}
