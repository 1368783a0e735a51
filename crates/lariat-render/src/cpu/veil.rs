//! Ghosts: translucent strands of other frames, drawn over the picture.
//!
//! They have a separate tree, so no ray to a light, to the sky or into a mirror hits one, and a
//! picture without ghosts costs nothing. A view ray passes through all ghosts in front of its first
//! hit, from near to far, and accumulates their cover.
//!
//! The ghosts of a rope that hardly moves lie inside it. A ghost that is less than its radius in
//! front of another surface is not drawn: otherwise the two would show through each other in
//! patches.
//!
//! Tests: `ghosts_tint_objects_behind_them`, `ghosts_cast_no_shadow`,
//! `a_coincident_ghost_is_hidden`.

use glam::DVec3;

use super::{shade::Light, world::World};
use crate::camera::{Projection, Ray};

/// Largest number of ghosts that one ray passes through.
const MOST: u32 = 16;

/// Ghosts, prepared for rays.
pub(crate) struct Veils<'a> {
    ghosts: &'a World,
    projection: &'a Projection,
}

/// Premultiplied colour and opacity of the ghosts in front of a light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Veil {
    pub colour: DVec3,
    pub cover: f64,
}

impl<'a> Veils<'a> {
    pub(crate) fn new(ghosts: &'a World, projection: &'a Projection) -> Self {
        Self { ghosts, projection }
    }

    /// All ghosts along a ray that are nearer than `most` metres.
    pub(crate) fn before(&self, most: f64, ray: Ray) -> Veil {
        let mut veil = Veil::NONE;
        let mut least = 0.0;
        for _ in 0..MOST {
            let Some(hit) = self.ghosts.first(ray.origin, ray.direction, least, true) else {
                break;
            };
            if hit.t >= most {
                break;
            }
            let pixel = self.projection.pixel_at(hit.t);
            let surface = self.ghosts.surface(hit, ray.origin, ray.direction, pixel);
            // Beyond the far side, so that a ghost does not count twice.
            least = hit.t + 2.2 * surface.radius;
            if hit.t + surface.radius >= most {
                continue;
            }
            // Brighter at the centre than at the rim, so that it looks round.
            let facing = surface.normal.dot(-ray.direction).clamp(0.0, 1.0);
            let colour = surface.finish.colour * (0.45 + 0.55 * facing);
            let left = (1.0 - veil.cover) * surface.cover;
            veil = Veil { colour: veil.colour + colour * left, cover: veil.cover + left };
        }
        veil
    }
}

impl Veil {
    /// No ghost.
    pub(crate) const NONE: Self = Self { colour: DVec3::ZERO, cover: 0.0 };

    /// Adds the veil of another sample, if there is one.
    pub(crate) fn add(&mut self, other: Option<Self>) {
        if let Some(other) = other {
            self.colour += other.colour;
            self.cover += other.cover;
        }
    }

    /// Mean of `count` accumulated samples.
    pub(crate) fn shared(self, count: f64) -> Self {
        Self { colour: self.colour / count, cover: self.cover / count }
    }

    /// Light seen through the veil.
    pub(crate) fn over(self, light: Light) -> Light {
        let left = 1.0 - self.cover;
        Light { colour: light.colour * left + self.colour, alpha: light.alpha * left + self.cover }
    }
}
