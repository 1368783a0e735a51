//! Shading: the light along a ray.
//!
//! Three kinds of light: the key, sampled over its disc for shadows; the sky, sampled for ambient
//! occlusion; and bulbs, which light their surroundings (`lamps.rs`). Surfaces have a matte part (Lambert) and a
//! glossy one (Trowbridge and Reitz's distribution, Schlick's Fresnel). Metals have only the
//! latter, and trace one reflected ray.
//!
//! Shading is independent of pixels and threads: the same place gives the same light.
//!
//! Tests: `shadows_fall_away_from_the_light`, `a_soft_light_makes_a_soft_shadow`, `bulbs_glow`,
//! `without_a_background_only_objects_and_shadows_are_drawn`, `a_floor_near_a_red_bulb_is_redder`,
//! `water_mirrors_objects_and_moves`.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

use super::{
    grid::{Candidates, LightGrid},
    surface::SurfacePoint,
    world::{Hit, World},
};
use crate::{
    camera::{Projection, Ray},
    lamps::{LampLight, Lamps},
    stage::{Ground, Stage, smooth},
    surface::Surface,
    water::{self, Ripple, WAVES},
};

/// Light and opacity: red, green, blue times alpha; alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Light {
    pub colour: DVec3,
    pub alpha: f64,
}

/// Inputs of shading.
pub(crate) struct Shader<'a> {
    pub world: &'a World,
    pub stage: &'a Stage,
    /// Unit vectors: towards the key, and two perpendicular ones scaled to the radius of its disc.
    key: [DVec3; 3],
    /// Primitives between a point and the key.
    blockers: LightGrid,
    /// Range of ambient occlusion, in metres.
    near: f64,
    /// Part of the ground that shadows can reach.
    shaded: (DVec2, DVec2),
    lamps: Lamps,
    /// Waves of a ground that is water.
    ripples: Option<[Ripple; WAVES]>,
}

/// Points on discs that belong to one sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rays<'a> {
    pub shadow: &'a [DVec2],
    /// Starting points in the pixel, in pixels from its centre, several rays for each in turn;
    /// empty if all rays start at one point.
    pub starts: &'a [DVec2],
    pub sky: &'a [DVec2],
    /// Primitives that the rays of the pixel can meet.
    pub view: Candidates<'a>,
    /// Cosine and sine of their rotation.
    pub turn: DVec2,
}

impl Rays<'_> {
    fn turned(&self, p: DVec2) -> DVec2 {
        let (c, s) = (self.turn.x, self.turn.y);
        DVec2::new(c * p.x - s * p.y, s * p.x + c * p.y)
    }
}

/// First hit of a ray.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FirstHit {
    Strand(Hit),
    Floor,
    Nothing,
}

/// Largest number of thin strands that one ray passes through.
const VEILS: u32 = 6;

/// Largest number of places in a pixel at which water is evaluated.
const MIRRORED: usize = 8;

/// Roughness of water between its ripples, which widens the key to sparkles.
pub(crate) const WET: f64 = 0.22;

/// Least roughness in the light of a bulb.
pub(crate) const SHARPEST: f64 = 0.3;

/// Roughness from which a surface has no highlights of bulbs.
pub(crate) const MATTE: f64 = 0.7;

impl<'a> Shader<'a> {
    /// `cells` is the number of cells of the grid that shadow rays use.
    pub(crate) fn new(world: &'a World, stage: &'a Stage, size: f64, cells: usize) -> Self {
        let towards = stage.key.towards.normalize_or(DVec3::Z);
        let (right, up) = across(towards);
        let wide = lariat_core::num::ops::tan(stage.key.spread.clamp(0.0, 1.0));
        let lamps = Lamps::new(&world.lamps);
        let ripples = stage.ground.and_then(|ground| Some(ground.water?.ripples(ground.spacing)));
        let key = [towards, right * wide, up * wide];
        let shaded = shaded((world.low, world.high), stage, key);
        let bottom = stage.ground.map_or(f64::INFINITY, |ground| ground.height);
        let bottom = bottom.min(world.low.z);
        let blockers = LightGrid::new(world, [towards, right, up], wide, bottom, cells);
        Self { world, stage, key, blockers, near: 0.12 * size, shaded, lamps, ripples }
    }

    /// Strand or mesh of a hit, if any.
    pub(crate) fn object(&self, hit: FirstHit) -> Option<u32> {
        match hit {
            FirstHit::Strand(hit) => Some(self.world.strand_of(hit.index)),
            FirstHit::Floor | FirstHit::Nothing => None,
        }
    }

    /// First hit of a ray among candidates, at `least` metres or farther.
    pub(crate) fn first_hit(&self, view: Candidates<'_>, ray: Ray, least: f64) -> FirstHit {
        let floor = self.floor_along(ray).unwrap_or(f64::INFINITY);
        match self.world.first_among(view, ray, least) {
            Some(hit) if hit.t < floor => FirstHit::Strand(hit),
            _ if floor < f64::INFINITY => FirstHit::Floor,
            _ => FirstHit::Nothing,
        }
    }

    /// Distance of a hit; infinite without one.
    pub(crate) fn distance(&self, first: FirstHit, ray: Ray) -> f64 {
        match first {
            FirstHit::Strand(hit) => hit.t,
            FirstHit::Floor => self.floor_along(ray).unwrap_or(f64::INFINITY),
            FirstHit::Nothing => f64::INFINITY,
        }
    }

    /// Distance of the ground; it is invisible from below.
    pub(crate) fn floor_along(&self, ray: Ray) -> Option<f64> {
        let ground = self.stage.ground.as_ref()?;
        let t = (ground.height - ray.origin.z) / ray.direction.z;
        (t > 0.0 && ray.direction.z < 0.0).then_some(t)
    }

    /// Light along a ray from its hit.
    pub(crate) fn light(
        &self,
        first: FirstHit,
        ray: Ray,
        projection: &Projection,
        rays: Rays<'_>,
        depth: u32,
    ) -> Light {
        let FirstHit::Strand(hit) = first else {
            return match (first, &self.stage.ground, self.floor_along(ray)) {
                (FirstHit::Floor, Some(ground), Some(t)) => {
                    let at = ray.origin + ray.direction * t;
                    self.floor(ground, at, ray.direction, projection.pixel_at(t), rays)
                }
                _ => self.nothing(ray.direction),
            };
        };
        let surface =
            self.world.surface(hit, ray.origin, ray.direction, projection.pixel_at(hit.t));
        let front = Light { colour: self.strand(&surface, ray.direction, rays), alpha: 1.0 };
        if surface.cover >= 1.0 || depth >= VEILS {
            return front;
        }
        // Beyond the far side, so that a joint between two pieces does not count twice.
        let behind = self.first_hit(rays.view, ray, hit.t + 2.2 * surface.radius);
        let behind = self.light(behind, ray, projection, rays, depth + 1);
        Light {
            colour: behind.colour.lerp(front.colour, surface.cover),
            alpha: behind.alpha + (1.0 - behind.alpha) * surface.cover,
        }
    }

    fn nothing(&self, direction: DVec3) -> Light {
        match self.stage.backdrop(direction) {
            Some(colour) => Light { colour, alpha: 1.0 },
            None => Light { colour: DVec3::ZERO, alpha: 0.0 },
        }
    }

    /// Light reflected by a strand towards `-direction`.
    fn strand(&self, surface: &SurfacePoint, direction: DVec3, rays: Rays<'_>) -> DVec3 {
        let SurfacePoint { finish, touch, .. } = surface;
        let view = -direction;
        // Relief must not turn a visible surface away from the viewer.
        let mut n = surface.bumped;
        let away = n.dot(view);
        if away < 0.04 {
            n = (n + view * (0.04 - away)).normalize_or(surface.normal);
        }
        let facing = n.dot(view).clamp(0.04, 1.0);
        let colour = (finish.colour * touch.tint).lerp(touch.paint.0, touch.paint.1);
        let from = surface.at + surface.normal * (0.012 * surface.radius);

        let key = self.key[0];
        let slant = n.dot(key);
        let shadow = if slant > 0.0 && surface.normal.dot(key) > -0.05 {
            self.key_seen(|_| from, rays)
        } else {
            0.0
        };
        let light = DVec3::from(self.stage.key.colour) * (shadow * (0.35 + 0.65 * touch.open));
        let open = self.sky_seen(from, surface.normal, rays) * touch.open;

        let fresnel = 1.0 - facing;
        let fresnel = fresnel * fresnel * fresnel * fresnel * fresnel;
        let mirror = if finish.metal { colour } else { DVec3::splat(finish.reflect) };
        let mirror = mirror + (DVec3::ONE - mirror) * (fresnel * (1.0 - 0.8 * finish.roughness));
        let gloss = gloss(n, view, key, finish.roughness);

        let lamps = self.lamp_light(from, n, view, finish);
        let mut sum = mirror * lamps.shine;
        if !finish.metal {
            let fill = self.stage.fill(n) * open;
            sum += colour * (light * slant.max(0.0) + fill + lamps.matte);
        }
        sum += mirror * light * (gloss * slant.max(0.0));
        // Rough surfaces blur reflections so much that ambient light is sufficient.
        let back = n * (2.0 * n.dot(view)) - view;
        if finish.metal {
            let seen = self.mirrored(from, back, finish.roughness, surface);
            sum += mirror * (seen * (0.35 + 0.65 * open));
            sum += mirror * lamps.matte * 0.5;
        } else if finish.roughness < 0.7 {
            let clear = 1.0 - finish.roughness / 0.7;
            let seen = self.stage.reflection(back, finish.roughness);
            sum += mirror * seen * (open * clear);
        }
        if finish.glow > 0.0 && touch.glow > 0.0 {
            sum += glowing(finish.colour, facing) * (finish.glow * touch.glow);
        }
        sum
    }

    /// Reflection in metal: another strand with simple lighting, or the studio.
    fn mirrored(&self, from: DVec3, direction: DVec3, roughness: f64, own: &SurfacePoint) -> DVec3 {
        let studio = self.stage.reflection(direction, roughness);
        match self.world.first(from, direction, 1e-9, false) {
            // A rough mirror blends near and far reflections.
            Some(hit) => {
                let (seen, metal) = self.in_mirror(hit, from, direction, own.radius);
                if metal { seen } else { seen.lerp(studio, 0.8 * roughness) }
            }
            None => studio,
        }
    }

    /// A strand or mesh in a mirror, with simple lighting, and whether it is metal.
    fn in_mirror(&self, hit: Hit, from: DVec3, direction: DVec3, pixel: f64) -> (DVec3, bool) {
        let other = self.world.surface(hit, from, direction, pixel);
        let lit = other.normal.dot(self.key[0]).max(0.0) * 0.6;
        let light = DVec3::from(self.stage.key.colour) * lit + self.stage.fill(other.normal) * 0.6;
        let glow = other.finish.colour * (other.finish.glow * other.touch.glow * 2.0);
        if other.finish.metal {
            // A second reflection is not traced: it shows the studio, darker.
            let back = direction - other.normal * (2.0 * direction.dot(other.normal));
            return (other.finish.colour * self.stage.reflection(back, 0.5) * 0.55, true);
        }
        (other.finish.colour * light + glow, false)
    }

    /// Visible share of the key's disc, 0–1.
    fn key_seen(&self, from: impl Fn(usize) -> DVec3, rays: Rays<'_>) -> f64 {
        if rays.shadow.is_empty() {
            return 1.0;
        }
        let [towards, right, up] = self.key;
        let mut seen = 0;
        // A primitive that blocks one ray often blocks the next.
        let mut last = None;
        for (k, p) in rays.shadow.iter().enumerate() {
            let from = from(k);
            let blockers = self.blockers.at(from);
            if blockers == Candidates::Few(&[]) {
                seen += 1;
                continue;
            }
            let p = rays.turned(*p);
            let direction = towards + right * p.x + up * p.y;
            let direction = direction / direction.length();
            if self.blocks(last, from, direction, f64::INFINITY) {
                continue;
            }
            let blocker = self.blockers.blocker(self.world, blockers, from, direction, 1e-9);
            seen += u32::from(blocker.is_none());
            last = blocker.or(last);
        }
        f64::from(seen) / rays.shadow.len() as f64
    }

    /// Unoccluded share of the sky, 0–1, weighted by the cosine.
    fn sky_seen(&self, from: DVec3, normal: DVec3, rays: Rays<'_>) -> f64 {
        if rays.sky.is_empty() {
            return 1.0;
        }
        let (right, up) = across(normal);
        let (mut seen, mut last) = (0, None);
        for p in rays.sky {
            // Points of a disc projected to the hemisphere are distributed by the cosine.
            let p = rays.turned(*p);
            let high = (1.0 - p.dot(p)).max(0.0).sqrt();
            let direction = right * p.x + up * p.y + normal * high;
            if self.blocks(last, from, direction, self.near) {
                continue;
            }
            let blocker = self.world.blocker(from, direction, 1e-9, self.near);
            seen += u32::from(blocker.is_none());
            last = blocker.or(last);
        }
        f64::from(seen) / rays.sky.len() as f64
    }

    /// Returns whether a primitive blocks a ray.
    fn blocks(&self, index: Option<u32>, from: DVec3, direction: DVec3, most: f64) -> bool {
        index.is_some_and(|index| self.world.intersect(index, from, direction, 1e-9, false) < most)
    }

    /// Light of bulbs on a surface, with the highlights of glossy ones.
    fn lamp_light(&self, at: DVec3, n: DVec3, view: DVec3, finish: &Surface) -> LampLight {
        // A bulb is no point: its highlight is never sharp.
        let roughness = finish.roughness.max(SHARPEST);
        let shine = |light: DVec3| gloss(n, view, light, roughness);
        let glossy: Option<&dyn Fn(DVec3) -> f64> =
            if finish.roughness < MATTE { Some(&shine) } else { None };
        self.lamps.light(at, n, finish.glow > 0.0, glossy)
    }

    /// Light of water towards `-direction`: the sky and objects mirrored in its ripples, the key in
    /// its highlights, and the colour of its depth. `seen` are the visible shares of key and sky.
    #[expect(clippy::too_many_arguments, reason = "all of them differ from pixel to pixel")]
    fn water(
        &self,
        ground: &Ground,
        ripples: &[Ripple; WAVES],
        from: DVec3,
        direction: DVec3,
        pixel: f64,
        seen: [f64; 2],
        rays: Rays<'_>,
    ) -> DVec3 {
        let view = -direction;
        let ahead = DVec2::new(direction.x, direction.y).normalize_or(DVec2::Y) * pixel;
        let aside = DVec2::new(ahead.y, -ahead.x);
        let ahead = ahead / direction.z.abs().max(0.02);
        let key = self.key[0];
        let key_light = DVec3::from(self.stage.key.colour) * seen[0];
        let sky = DVec3::from(self.stage.sky.above) * seen[1];
        let depth = DVec3::from(ground.colour) * (key_light * key.z.max(0.0) + sky);
        // Ripples and reflections are finer than a pixel.
        let places = rays.starts.len().clamp(1, MIRRORED);
        let mut sum = DVec3::ZERO;
        for k in 0..places {
            let start = rays.starts.get(k).copied().unwrap_or_default();
            let off = aside * start.x - ahead * start.y;
            let at = from + off.extend(0.0);
            let share = 1.0 / (places as f64).sqrt();
            let flat = DVec2::new(at.x, at.y);
            let slopes = water::slopes(ripples, flat, ahead * share, aside * share);
            let n = water::normal(slopes.slope);
            let facing = n.dot(view).clamp(0.02, 1.0);
            let mirror = water::fresnel(facing, slopes.lost);
            let mut back = n * (2.0 * n.dot(view)) - view;
            back.z = back.z.abs().max(0.01);
            let back = back.normalize_or(DVec3::Z);
            let mut seen = self.stage.backdrop(back).unwrap_or(sky);
            if let Some(hit) = self.world.first(at, back, 1e-9, true) {
                seen = self.in_mirror(hit, at, back, pixel).0;
            }
            let roughness = WET + slopes.lost.sqrt();
            let half = water::fresnel(view.dot((view + key).normalize_or(n)), 0.0);
            let sun = key_light * (gloss(n, view, key, roughness) * n.dot(key).max(0.0) * half);
            let shine = |light: DVec3| gloss(n, view, light, roughness);
            let bulbs = self.lamps.light(at, n, false, Some(&shine)).shine * mirror;
            sum += seen * mirror + depth * (1.0 - mirror) + sun + bulbs;
        }
        sum / places as f64
    }

    /// The ground: matte, with a grid, fading with distance; or water.
    fn floor(
        &self,
        ground: &Ground,
        at: DVec3,
        direction: DVec3,
        pixel: f64,
        rays: Rays<'_>,
    ) -> Light {
        let far = (at - ground.centre).length() / ground.reach;
        let there = 1.0 - smooth(0.3, 1.0, far);
        let nothing = self.nothing(direction);
        if there <= 0.0 {
            return nothing;
        }
        let from = at + DVec3::Z * (1e-6 * ground.reach);
        let slant = self.key[0].z.max(0.0);
        // Most of the ground is far from everything and needs no rays.
        let flat = DVec2::new(at.x, at.y);
        let outside = flat.cmplt(self.shaded.0).any() || flat.cmpgt(self.shaded.1).any();
        let shadow = if outside {
            1.0
        } else {
            // Distributed over the area of the pixel: a thinner shadow would become a row of dots.
            let ahead = DVec3::new(direction.x, direction.y, 0.0).normalize_or(DVec3::Y) * pixel;
            let right = DVec3::new(ahead.y, -ahead.x, 0.0);
            let up = ahead / direction.z.abs().max(0.02);
            let each = rays.shadow.len() / rays.starts.len().max(1);
            let start = |k: usize| rays.starts.get(k / each.max(1)).copied().unwrap_or_default();
            self.key_seen(|k| from + right * start(k).x - up * start(k).y, rays)
        };
        let away = (self.world.low - at).max(at - self.world.high).max(DVec3::ZERO);
        let far = away.dot(away) > self.near * self.near;
        let open = if far { 1.0 } else { self.sky_seen(from, DVec3::Z, rays) };
        let key = DVec3::from(self.stage.key.colour) * slant;
        let sky = DVec3::from(self.stage.sky.above);
        if let Some(ripples) = &self.ripples {
            let colour = self.water(ground, ripples, from, direction, pixel, [shadow, open], rays);
            return Light {
                colour: nothing.colour.lerp(colour, there),
                alpha: nothing.alpha + (1.0 - nothing.alpha) * there,
            };
        }
        let bulbs = self.lamps.light(from, DVec3::Z, false, None).matte;
        if nothing.alpha == 0.0 {
            // Only the missing light: black, with the opacity of the shadow.
            let full = (key + sky).element_sum();
            let left = (key * shadow + sky * open).element_sum();
            let alpha = if full > 0.0 { (1.0 - left / full) * there } else { 0.0 };
            return Light { colour: DVec3::from(ground.colour) * bulbs * there, alpha };
        }
        let grid = 1.0 - ground.lines * lines(ground, at, direction, pixel);
        let lit = DVec3::from(ground.colour) * (key * shadow + sky * open + bulbs) * grid;
        Light { colour: nothing.colour.lerp(lit, there), alpha: 1.0 }
    }
}

/// Part of the ground that the shadow of a box can reach: the box projected along every direction
/// of the light.
pub(crate) fn shaded(
    (least, most): (DVec3, DVec3),
    stage: &Stage,
    [towards, right, up]: [DVec3; 3],
) -> (DVec2, DVec2) {
    let everywhere = (DVec2::NEG_INFINITY, DVec2::INFINITY);
    let Some(ground) = &stage.ground else { return everywhere };
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        let direction = towards + right * x + up * y;
        if direction.z < 0.05 {
            return everywhere;
        }
        let slope = DVec2::new(direction.x, direction.y) / direction.z;
        // Objects below the ground cast no shadow on it.
        for z in [least.z, most.z].map(|z| (z - ground.height).max(0.0)) {
            low = low.min(DVec2::new(least.x, least.y) - slope * z);
            high = high.max(DVec2::new(most.x, most.y) - slope * z);
        }
    }
    // Slightly more, for rounding.
    let hair = DVec2::splat(1e-4 * ground.reach);
    (low - hair, high + hair)
}

/// 1.5·2⁵²: adding and subtracting it rounds to a whole number.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// Share of a pixel on the ground that a grid line covers, 0–1.
fn lines(ground: &Ground, at: DVec3, direction: DVec3, pixel: f64) -> f64 {
    // Along the view direction, a pixel is longer on the ground.
    let flat = DVec2::new(direction.x, direction.y);
    let level = flat.length();
    let stretch = if level > 0.0 { flat.abs() / level } else { DVec2::ZERO };
    let longer = 1.0 / direction.z.abs().max(1e-3) - 1.0;
    let wide = (DVec2::ONE + stretch * longer) * pixel;
    let line = |x: f64, wide: f64, spacing: f64, width: f64| {
        let cell = x / spacing;
        // Rounding as fast as an addition; the ground is less than 2⁵¹ lines wide.
        let off = (cell - ((cell + ROUND) - ROUND)).abs() * spacing;
        let blur = wide.max(width);
        (1.0 - smooth(0.0, blur, off)) * (width / blur)
    };
    let (g, p) = (ground.spacing, at - DVec3::Z * ground.height);
    let grid = |spacing: f64, width: f64| {
        line(p.x, wide.x, spacing, width).max(line(p.y, wide.y, spacing, width))
    };
    (0.5 * grid(g, 0.014 * g)).max(grid(5.0 * g, 0.022 * g))
}

/// Two unit vectors perpendicular to a third (Duff et al. 2017).
pub(crate) fn across(n: DVec3) -> (DVec3, DVec3) {
    let sign = 1.0f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    (
        DVec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x),
        DVec3::new(b, sign + n.y * n.y * a, -n.y),
    )
}

/// Shape of a highlight: Trowbridge and Reitz's distribution with Hammon's form of Smith's
/// shadowing; relative to a white matte surface.
fn gloss(n: DVec3, view: DVec3, light: DVec3, roughness: f64) -> f64 {
    let half = (view + light).normalize_or(n);
    let a = (roughness * roughness).max(0.004);
    let (nh, nv, nl) = (n.dot(half).max(0.0), n.dot(view).max(0.04), n.dot(light).max(0.0));
    let d = nh * nh * (a * a - 1.0) + 1.0;
    let spread = a * a / (d * d);
    let masked = 0.5 / ((2.0 * nl * nv) * (1.0 - a) + (nl + nv) * a).max(1e-4);
    // The light is a disc, not a point, so the highlight is limited.
    (spread * masked / PI).min(14.0)
}

/// Nearly white at the centre, in its own colour at the rim.
fn glowing(colour: DVec3, facing: f64) -> DVec3 {
    let hot = facing * facing;
    colour * (1.6 + 3.0 * hot) + DVec3::splat(0.9 * hot * hot)
}
