//! Light of bulbs on their surroundings, for both renderers.
//!
//! A bulb sends light in all directions. The light on a surface falls off with the square of the
//! distance, is limited near the bulb, where its size counts, and ends smoothly at [`SHINE`] radii:
//!
//! ```text
//! E = colour · POWER · r² · cos θ · (1 − d² / (SHINE r)²)² / (d² + NEAR r²)
//! ```
//!
//! # Cost
//!
//! Bulbs are taken in groups of [`TOGETHER`], neighbours on their string, and a group out of reach
//! is skipped. Above [`LAMPS`] bulbs, neighbours are merged first. The order is that of the strands,
//! so the sum has the same bits everywhere; `light.wgsl` has the same loop.
//!
//! # Left out
//!
//! Bulbs cast no shadows: that would take a ray or a depth map per bulb.
//!
//! Tests: `light_is_the_sum_of_all_bulbs`, `light_ends_at_its_reach`,
//! `many_bulbs_keep_their_light`, `a_bulb_does_not_light_itself`.

use glam::DVec3;

use crate::laid::Lamp;

/// Range of a bulb, in its radii.
pub(crate) const SHINE: f64 = 150.0;

/// Strength of a bulb's light on its surroundings. A camera that shows bulbs as in a photograph is
/// exposed for them; this one is exposed for the ropes, so the light is stronger than that of a
/// ball with the glow of the glass.
pub(crate) const POWER: f64 = 170.0;

/// Limit near the bulb: the share of `r²` that is added to the square of the distance. Less: wires
/// beside their bulbs are white.
pub(crate) const NEAR: f64 = 30.0;

/// Distance from the centre of a bulb within which it lights no glass, in its radii: its own.
pub(crate) const OWN: f64 = 3.0;

/// Largest number of lamps. With more, the uniforms of the card exceed 16 kB.
pub(crate) const LAMPS: usize = 256;

/// Bulbs per group.
pub(crate) const TOGETHER: usize = 8;

/// Bulbs that light a picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lamps {
    /// In the order of their strands.
    pub lamps: Vec<Lamp>,
    /// One for every [`TOGETHER`] lamps.
    pub groups: Vec<Group>,
    /// Bounding box of everything that they light.
    lit: Option<(DVec3, DVec3)>,
}

/// Neighbouring bulbs seen from afar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// Mean of the bulbs' centres, weighted by their light.
    pub centre: DVec3,
    /// Sum of the bulbs' colours times their squared radii.
    pub power: DVec3,
    /// Distance from `centre` beyond which none of the bulbs lights anything, in metres.
    pub reach: f64,
    /// The largest radius.
    pub radius: f64,
}

/// Light on a surface: matte, and in the highlights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LampLight {
    pub matte: DVec3,
    pub shine: DVec3,
}

impl Lamps {
    /// Lamps of a picture, in any order.
    pub(crate) fn new(all: &[Lamp]) -> Self {
        let mut lamps = all.to_vec();
        lamps.sort_by_key(|lamp| lamp.strand);
        let lamps = merged(&lamps);
        let groups = lamps.chunks(TOGETHER).map(Group::of).collect();
        let mut lit = None;
        for lamp in &lamps {
            let reach = lamp.radius * SHINE;
            let (low, high) = lit.unwrap_or((lamp.centre, lamp.centre));
            lit = Some((low.min(lamp.centre - reach), high.max(lamp.centre + reach)));
        }
        Self { lamps, groups, lit }
    }

    /// Bounding box of everything that they light, if there are any.
    #[cfg(feature = "gpu")]
    pub(crate) fn lit(&self) -> Option<(DVec3, DVec3)> {
        self.lit
    }

    /// Light on a surface at `at` that faces `n`. `glass` is true for bulbs themselves; `gloss`
    /// gives the highlight of a direction towards light.
    pub(crate) fn light(
        &self,
        at: DVec3,
        n: DVec3,
        glass: bool,
        gloss: Option<&dyn Fn(DVec3) -> f64>,
    ) -> LampLight {
        let mut sum = LampLight::default();
        let Some((low, high)) = self.lit else { return sum };
        if at.cmplt(low).any() || at.cmpgt(high).any() {
            return sum;
        }
        let mut add = |centre: DVec3, radius: f64, power: DVec3| {
            let towards = centre - at;
            let far = towards.dot(towards);
            let (reach, area) = (SHINE * radius, radius * radius);
            if far >= reach * reach || (glass && far < OWN * OWN * area) {
                return;
            }
            let direction = towards / far.sqrt().max(1e-12);
            let slant = n.dot(direction);
            if slant <= 0.0 {
                return;
            }
            let end = 1.0 - far / (reach * reach);
            let light = power * (POWER * slant * end * end / (far + NEAR * area));
            sum.matte += light;
            if let Some(gloss) = gloss {
                sum.shine += light * gloss(direction);
            }
        };
        for (group, lamps) in self.groups.iter().zip(self.lamps.chunks(TOGETHER)) {
            let off = group.centre - at;
            let far = off.dot(off);
            if far >= group.reach * group.reach {
                continue;
            }
            for lamp in lamps {
                add(lamp.centre, lamp.radius, lamp.colour * (lamp.radius * lamp.radius));
            }
        }
        sum
    }
}

impl Group {
    fn of(lamps: &[Lamp]) -> Self {
        let weight = |lamp: &Lamp| (lamp.colour.element_sum() * lamp.radius * lamp.radius).max(0.0);
        let all: f64 = lamps.iter().map(weight).sum();
        let centre = if all > 0.0 {
            lamps.iter().map(|lamp| lamp.centre * weight(lamp)).sum::<DVec3>() / all
        } else {
            lamps[0].centre
        };
        let size = lamps.iter().map(|lamp| lamp.centre.distance(centre)).fold(0.0, f64::max);
        let radius = lamps.iter().map(|lamp| lamp.radius).fold(0.0, f64::max);
        Self {
            centre,
            power: lamps.iter().map(|lamp| lamp.colour * (lamp.radius * lamp.radius)).sum(),
            reach: SHINE * radius + size,
            radius,
        }
    }
}

/// At most [`LAMPS`] lamps with the light of all.
fn merged(lamps: &[Lamp]) -> Vec<Lamp> {
    let each = lamps.len().div_ceil(LAMPS).max(1);
    if each == 1 {
        return lamps.to_vec();
    }
    let merge = |some: &[Lamp]| {
        let Group { centre, power, radius, .. } = Group::of(some);
        let area = (radius * radius).max(1e-300);
        Lamp { centre, radius, colour: power / area, strand: some[0].strand }
    };
    lamps.chunks(each).map(merge).collect()
}

#[cfg(test)]
mod tests {
    use lariat_core::num::ops;

    use super::*;

    fn lamp(k: u32, centre: DVec3) -> Lamp {
        let colour = [DVec3::X, DVec3::Y, DVec3::Z][k as usize % 3];
        Lamp { centre, radius: 0.01, colour, strand: k }
    }

    /// A garland of lights, ten centimetres apart.
    fn garland(count: u32) -> Vec<Lamp> {
        let place = |k: u32| DVec3::new(0.1 * f64::from(k), 0.0, 0.1 * ops::sin(f64::from(k)));
        (0..count).map(|k| lamp(k, place(k))).collect()
    }

    /// The formula of the header for one bulb.
    fn exact(lamp: &Lamp, at: DVec3, n: DVec3) -> DVec3 {
        let (d, r) = (lamp.centre.distance(at), lamp.radius);
        let cos = (n.dot(lamp.centre - at) / d).max(0.0);
        let reach = SHINE * r;
        let end = (1.0 - d * d / (reach * reach)).max(0.0);
        lamp.colour * (POWER * r * r * cos * end * end / (d * d + NEAR * r * r))
    }

    #[test]
    fn light_is_the_sum_of_all_bulbs() {
        let some = garland(24);
        let lamps = Lamps::new(&some);
        assert_eq!(lamps.groups.len(), 3);
        for k in 0..60 {
            let at = DVec3::new(0.3 + 0.05 * f64::from(k), 0.0, -0.05 - 0.02 * f64::from(k));
            let found = lamps.light(at, DVec3::Z, false, None).matte;
            let expected: DVec3 = some.iter().map(|lamp| exact(lamp, at, DVec3::Z)).sum();
            assert!(expected.element_sum() > 0.0, "dark at {at}");
            let off = (found - expected).length() / expected.length();
            assert!(off < 1e-12, "{found} for {expected} at {at}");
        }
    }

    #[test]
    fn light_ends_at_its_reach() {
        let lamps = Lamps::new(&[lamp(0, DVec3::Z)]);
        let light = |down: f64| lamps.light(DVec3::Z * (1.0 - down), DVec3::Z, false, None).matte.x;
        let reach = SHINE * 0.01;
        assert!(light(0.5 * reach) > 0.0);
        assert!(light(0.999 * reach) < 1e-4 * light(0.5 * reach), "it ends with a step");
        assert_eq!(light(1.001 * reach), 0.0);
        // At half the distance, four times as bright, but for the limit near the bulb.
        assert!((light(0.15) / light(0.3) - 4.0).abs() < 0.8, "{}", light(0.15) / light(0.3));
        // Surfaces that face away stay dark.
        assert_eq!(lamps.light(DVec3::ZERO, DVec3::NEG_Z, false, None), LampLight::default());
    }

    #[test]
    fn many_bulbs_keep_their_light() {
        let some = garland(1000);
        let lamps = Lamps::new(&some);
        assert!(lamps.lamps.len() <= LAMPS, "{}", lamps.lamps.len());
        let at = DVec3::new(50.0, 0.4, -1.0);
        let found = lamps.light(at, DVec3::Z, false, None).matte;
        let expected: DVec3 = some.iter().map(|lamp| exact(lamp, at, DVec3::Z)).sum();
        let off = found.element_sum() / expected.element_sum() - 1.0;
        assert!(off.abs() < 0.06, "{found} {expected}");
        // The order of the list does not matter.
        let mut backwards = some;
        backwards.reverse();
        assert_eq!(Lamps::new(&backwards).light(at, DVec3::Z, false, None).matte, found);
    }

    #[test]
    fn a_bulb_does_not_light_itself() {
        let lamps = Lamps::new(&[lamp(0, DVec3::ZERO), lamp(1, DVec3::X * 0.2)]);
        let at = DVec3::NEG_X * 0.01;
        let light = |glass: bool| lamps.light(at, DVec3::X, glass, None).matte;
        assert_eq!(light(true).x, 0.0, "its own light");
        assert!(light(true).y > 0.0, "that of its neighbour");
        assert!(light(false).x > 0.0, "a wire in the same place");
    }
}
