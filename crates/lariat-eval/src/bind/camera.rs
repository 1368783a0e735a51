//! Cameras, bound to channels and to the bodies they are attached to.
//!
//! Tests: `a_straight_dolly_is_halfway_at_half_time`, `a_camera_follows_its_leader`,
//! `a_camera_at_its_target_is_reported`.

use lariat_core::geometry::{Camera, Lens};
use lariat_scene::lower::{Lowered, Record};

use super::Place;
use crate::moment::CameraMoment;
use crate::number::Number;
use crate::scene::World;
use crate::warning::{CameraAtTarget, Warning, deduplicate};

/// A camera that can be evaluated at any time.
#[derive(Debug)]
pub(crate) struct BoundCamera {
    pub name: String,
    position: Place,
    target: Place,
    roll: Number,
    lens: BoundLens,
    /// Indices of the bodies that it is attached to or looks at.
    pub on: Vec<usize>,
    /// True if it is the same at every time, apart from the bodies it is attached to.
    pub still: bool,
}

#[derive(Debug)]
enum BoundLens {
    Angle(Number),
    Height(Number),
}

impl BoundCamera {
    pub(crate) fn bind(record: &Record, lowered: &Lowered) -> Self {
        let lens = match Number::read(record, "height") {
            Some(height) => BoundLens::Height(height),
            None => BoundLens::Angle(Number::of(record, "angle")),
        };
        let (BoundLens::Angle(number) | BoundLens::Height(number)) = &lens;
        let position = Place::bind(record, lowered, "position");
        let target = Place::bind(record, lowered, "target");
        let roll = Number::of(record, "roll");
        let still =
            position.is_still() && target.is_still() && roll.is_constant() && number.is_constant();
        let on = [&position, &target].into_iter().filter_map(Place::body).collect();
        let name = record.name().to_owned();
        Self { name, position, target, roll, lens, on, still }
    }

    /// The camera at the world's time.
    pub(crate) fn pose(&self, world: &World<'_>) -> CameraMoment {
        let t = world.t;
        let mut warnings = Vec::new();
        let w = &mut warnings;
        let eye = self.position.at(world, w);
        let target = self.target.at(world, w);
        let roll = self.roll.radians(t, w);
        let lens = match &self.lens {
            BoundLens::Angle(angle) => Lens::Perspective { angle: angle.radians(t, w) },
            BoundLens::Height(height) => Lens::Orthographic { height: height.at(t, w) },
        };
        let camera = Camera::upright(eye, target, roll, lens).unwrap_or_else(|| {
            w.push(Warning::new("target", CameraAtTarget { eye }));
            let ahead = glam::DVec3::Y;
            Camera { eye, target: eye + ahead, up: glam::DVec3::Z, lens }
        });
        deduplicate(&mut warnings);
        CameraMoment { camera, warnings }
    }
}
