//! The stage: a key light, a sky, and a ground with a fine grid.
//!
//! The light is a disc in the sky, so shadows are sharp where a rope touches the ground and soft
//! where it hangs high above. The ground fades into the background with distance, so there is no
//! horizon. With a transparent background only the shadow of the ground is drawn, ready to be
//! composited. The ground may be water ([`crate::water`]), which is always drawn.
//!
//! Amounts of light are relative: a white surface that faces a key of 1 sends 1 to the eye.
//! Exposure and tone mapping ([`crate::tone`]) turn that into a byte.
//!
//! Tests: `the_grid_spacing_fits_the_scene`, `the_ground_is_below_everything`.

use glam::DVec3;
use lariat_core::geometry::{Bounds, Strand};

use crate::{surface::Surface, water::Water};

/// Lights, ground and background.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// The only light that casts shadows.
    pub key: Key,
    /// Ambient light.
    pub sky: Sky,
    /// Ground, if any.
    pub ground: Option<Ground>,
    /// Background.
    pub background: Background,
    /// Factor on all light.
    pub exposure: f64,
}

/// A directional light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// From the scene towards the light; any length.
    pub towards: DVec3,
    /// Linear red, green, blue.
    pub colour: [f64; 3],
    /// Angular radius of the light, in radians; larger gives softer shadows.
    pub spread: f64,
}

/// Ambient light from all directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sky {
    /// From above; linear.
    pub above: [f64; 3],
    /// From below, reflected by the ground; linear.
    pub below: [f64; 3],
    /// Brightness of the studio lamps that metal reflects besides the sky.
    pub lamps: f64,
}

/// A level floor that fades out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Height, in metres.
    pub height: f64,
    /// Linear colour.
    pub colour: [f64; 3],
    /// Metres from line to line; every fifth is stronger.
    pub spacing: f64,
    /// Darkness of the lines, 0–1; negative values make them lighter.
    pub lines: f64,
    /// Centre of the visible area.
    pub centre: DVec3,
    /// Radius at which it has faded out, in metres.
    pub reach: f64,
    /// Water instead of a matte floor; `colour` is then that of its depth.
    pub water: Option<Water>,
}

/// Background.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Background {
    /// A gradient from the horizon to the zenith; linear colours.
    Gradient {
        /// At and below the horizon.
        level: [f64; 3],
        /// At the zenith.
        above: [f64; 3],
    },
    /// Transparent: alpha 0, and the ground only where it is in shadow.
    Transparent,
}

impl Stage {
    /// Bright and neutral.
    pub fn day(bounds: &Bounds) -> Self {
        Self {
            key: Key {
                towards: DVec3::new(-0.55, -0.5, 0.95),
                colour: [1.62, 1.54, 1.42],
                spread: 0.011,
            },
            sky: Sky { above: [0.34, 0.38, 0.44], below: [0.22, 0.2, 0.18], lamps: 1.0 },
            ground: Some(Ground::under(bounds, [0.36, 0.365, 0.372], 0.32)),
            background: Background::Gradient {
                level: [0.36, 0.378, 0.4],
                above: [0.16, 0.185, 0.225],
            },
            exposure: 0.78,
        }
    }

    /// Late evening, for glowing strands.
    pub fn dusk(bounds: &Bounds) -> Self {
        Self {
            key: Key {
                towards: DVec3::new(-0.55, -0.5, 0.95),
                colour: [0.085, 0.115, 0.19],
                spread: 0.014,
            },
            sky: Sky { above: [0.042, 0.056, 0.098], below: [0.03, 0.03, 0.035], lamps: 0.3 },
            ground: Some(Ground::under(bounds, [0.2, 0.2, 0.21], -0.35)),
            background: Background::Gradient {
                level: [0.02, 0.026, 0.044],
                above: [0.007, 0.009, 0.02],
            },
            exposure: 1.0,
        }
    }

    /// Light background of a viewport: calm and neutral, with a fine grid on the ground.
    pub fn light_viewport(bounds: &Bounds) -> Self {
        Self {
            ground: Some(Ground::under(bounds, [0.5, 0.505, 0.51], 0.24)),
            background: Background::Gradient {
                level: [0.56, 0.575, 0.59],
                above: [0.44, 0.465, 0.5],
            },
            ..Self::day(bounds)
        }
    }

    /// Dark background of a viewport, with the light of day on its content.
    pub fn dark_viewport(bounds: &Bounds) -> Self {
        Self {
            ground: Some(Ground::under(bounds, [0.026, 0.028, 0.032], -0.9)),
            background: Background::Gradient {
                level: [0.05, 0.053, 0.06],
                above: [0.026, 0.028, 0.033],
            },
            ..Self::day(bounds)
        }
    }

    /// [`dusk`](Self::dusk) if any strand glows, [`day`](Self::day) otherwise.
    pub fn for_strands<'a>(strands: impl IntoIterator<Item = &'a Strand>, bounds: &Bounds) -> Self {
        let glows = strands.into_iter().any(|s| Surface::of(&s.look).glow > 0.0);
        if glows { Self::dusk(bounds) } else { Self::day(bounds) }
    }

    /// The stage with another height of its ground, in metres.
    #[must_use]
    pub fn with_ground_at(mut self, height: f64) -> Self {
        if let Some(ground) = &mut self.ground {
            ground.height = height;
            ground.centre.z = height;
        }
        self
    }

    /// The stage with water at height 0 instead of a floor.
    #[must_use]
    pub fn with_water(self) -> Self {
        let mut stage = self.with_ground_at(0.0);
        if let Some(ground) = &mut stage.ground {
            ground.colour = WATER;
            ground.lines = 0.0;
            ground.reach *= 2.5;
            ground.water = Some(Water { seconds: 0.0 });
        }
        stage
    }

    /// The stage at a time in seconds, which moves its water.
    #[must_use]
    pub fn at_time(mut self, seconds: f64) -> Self {
        if let Some(water) = self.ground.as_mut().and_then(|ground| ground.water.as_mut()) {
            water.seconds = seconds;
        }
        self
    }

    /// The stage with a transparent background.
    #[must_use]
    pub fn transparent(mut self) -> Self {
        self.background = Background::Transparent;
        self
    }

    /// Colour of the background in a direction; `None` if it is transparent.
    pub(crate) fn backdrop(&self, direction: DVec3) -> Option<DVec3> {
        match self.background {
            Background::Gradient { level, above } => {
                let up = smooth(0.0, 1.0, direction.z.max(0.0));
                Some(DVec3::from(level).lerp(DVec3::from(above), up))
            }
            Background::Transparent => None,
        }
    }

    /// Ambient light on a surface that faces `normal`.
    pub(crate) fn fill(&self, normal: DVec3) -> DVec3 {
        let up = 0.5 + 0.5 * normal.z;
        DVec3::from(self.sky.below).lerp(DVec3::from(self.sky.above), up)
    }

    /// Light that a mirror reflects from a direction, blurred by its roughness (0–1): sky, ground,
    /// a large lamp around the key light and a tall one on the other side. The lamps make the long
    /// highlights that are typical of metal.
    pub(crate) fn reflection(&self, direction: DVec3, roughness: f64) -> DVec3 {
        let soft = 0.06 + 0.5 * roughness;
        let sky = DVec3::from(self.sky.above) * (1.15 - 0.35 * direction.z.max(0.0));
        // A floor appears darker below the viewer and brighter towards the horizon.
        let floor = DVec3::from(self.sky.below) * (0.55 + 0.7 * (1.0 + direction.z.min(0.0)));
        let base = floor.lerp(sky, smooth(-soft, soft, direction.z));
        let key = self.key.towards.normalize_or(DVec3::Z);
        let near = direction.dot(key);
        let large = smooth(0.86 - soft * 0.5, 0.93 + soft * 0.07, near);
        let side = DVec3::new(-key.y, key.x, 0.12).normalize_or(DVec3::X);
        let tall = smooth(0.9 - soft * 0.6, 0.97, direction.dot(-side)) * 0.6;
        let lamp = DVec3::from(self.key.colour) * (self.sky.lamps * 1.3);
        base + lamp * (large + tall)
    }
}

impl Ground {
    /// A ground for content within `bounds`: at height 0 if that fits, otherwise just below.
    pub fn under(bounds: &Bounds, colour: [f64; 3], lines: f64) -> Self {
        let (low, high) = if bounds.is_empty() {
            (DVec3::splat(-0.5), DVec3::splat(0.5))
        } else {
            (bounds.low, bounds.high)
        };
        let size = (high - low).length().max(1e-3);
        let suits = low.z > -0.02 * size && low.z < 0.8 * size;
        let height = if suits { 0.0 } else { low.z - 0.02 * size };
        let middle = (low + high) * 0.5;
        Self {
            height,
            colour,
            spacing: round_number(size / 24.0),
            lines,
            centre: DVec3::new(middle.x, middle.y, height),
            reach: 2.6 * size,
            water: None,
        }
    }
}

/// Colour of deep water, linear.
const WATER: [f64; 3] = [0.006, 0.032, 0.04];

/// The nearest of … 0.1, 0.2, 0.5, 1, 2, 5 … that is not smaller.
fn round_number(x: f64) -> f64 {
    let mut ten = 1e-6;
    while ten < 1e9 {
        for step in [1.0, 2.0, 5.0] {
            if step * ten >= x * (1.0 - 1e-12) {
                return step * ten;
            }
        }
        ten *= 10.0;
    }
    ten
}

/// 0 below `a`, 1 above `b`, smooth between.
pub(crate) fn smooth(a: f64, b: f64, x: f64) -> f64 {
    let t = ((x - a) / (b - a)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_spacing_fits_the_scene() {
        for (size, spacing) in [(2.4, 0.1), (2.5, 0.2), (24.0, 1.0), (0.05, 0.005)] {
            let bounds = Bounds { low: DVec3::ZERO, high: DVec3::X * size };
            let found = Ground::under(&bounds, [0.5; 3], 0.1).spacing;
            assert!((found / spacing - 1.0).abs() < 1e-9, "{found} for {size}");
        }
    }

    #[test]
    fn the_ground_is_below_everything() {
        for low in [-3.0, -0.01, 0.0, 0.5, 40.0] {
            let bounds =
                Bounds { low: DVec3::new(0.0, 0.0, low), high: DVec3::new(1.0, 0.0, low + 1.0) };
            let ground = Ground::under(&bounds, [0.5; 3], 0.1);
            // Less than the tolerance below the floor counts as on it.
            assert!(ground.height <= low + 0.03, "{} for {low}", ground.height);
            assert!(low - ground.height < 1.2, "{} is far from {low}", ground.height);
        }
        assert!(Ground::under(&Bounds::EMPTY, [0.5; 3], 0.1).reach.is_finite());
    }
}
