//! The reference renderer: ray tracing without tessellation of round strands, with the same bytes
//! on every machine.
//!
//! ```text
//! segment.rs   intersection of a ray with a piece of tube
//! world.rs     strands and meshes, ready for rays; why the picture does not depend on the tree
//! tree.rs      tree of boxes
//! grid.rs      primitives by pixel, and between a point and the key
//! surface.rs   normal, arc length and angle at a hit
//! skin.rs      meshes: triangles with smooth normals
//! veil.rs      ghosts of other frames
//! samples.rs   sample positions
//! sightings.rs samples of a pixel that see the same strand
//! shade.rs     shading
//! film.rs      accumulation, halos, bytes
//! ```
//!
//! # Same bytes everywhere
//!
//! * Every pixel is computed independently, from tables shared by all; threads divide
//!   the rows, and no sum crosses threads.
//! * Arithmetic is in 64 bits and never fused; square roots are exact by IEEE 754; other functions
//!   come from `lariat_core::num::ops`.
//! * The tree of boxes uses 32 bits and does not affect the result (`world.rs`).
//!
//! Tests: `the_number_of_threads_changes_nothing`, `ropes_by_day`, `lights_at_dusk`,
//! `a_bulb_behind_a_wire_keeps_most_of_its_halo`.

mod film;
mod grid;
pub(crate) mod samples;
pub(crate) mod segment;
pub(crate) mod shade;
mod sightings;
mod skin;
mod surface;
mod tree;
mod veil;
pub(crate) mod world;

use glam::{DVec2, DVec3};
use lariat_core::geometry::{Bounds, Mesh};
use rayon::prelude::*;

use self::{
    film::{Film, Halo, expose},
    grid::{Candidates, ViewGrid},
    samples::{Samples, TENT, turn_of},
    shade::{FirstHit, Rays, Shader},
    sightings::{Sighting, Sightings},
    veil::{Veil, Veils},
    world::World,
};
use crate::{
    Picture, RenderError, Renderer, View,
    camera::Projection,
    tone::Encoder,
    view::{DrawnStrand, Moment, bounds_of},
};

/// Renders on the CPU, in the threads of the rayon pool it is called in.
#[derive(Clone, Debug, Default)]
pub struct CpuRenderer {
    encoder: Encoder,
}

impl CpuRenderer {
    /// A new renderer.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Renderer for CpuRenderer {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn draw(&mut self, view: &View<'_>) -> Result<Picture, RenderError> {
        view.quality.check()?;
        if view.moments.is_empty() {
            return Err(RenderError::NoMoment);
        }
        // The samples are divided among the moments, so motion blur costs little.
        let moments = view.moments.len();
        let each = (view.quality.samples as usize).div_ceil(moments);
        let quality = &view.quality;
        let (shadow_rays, sky_rays) = (quality.shadow_rays as usize, quality.sky_rays as usize);
        let samples = Samples::new(each * moments, shadow_rays, sky_rays);
        let mut film = Film::new(view.size);
        let mut halos = Vec::new();
        for (index, moment) in view.moments.iter().enumerate() {
            let share = 1.0 / samples.pixel.len() as f64;
            let samples = samples.dealt(index, moments);
            expose_moment(view, moment, &samples, share, &mut film, &mut halos)?;
        }
        film.add_halos(&halos);
        Ok(film.develop(view.stage.exposure, &self.encoder))
    }
}

fn expose_moment(
    view: &View<'_>,
    moment: &Moment<'_>,
    samples: &Samples,
    share: f64,
    film: &mut Film,
    halos: &mut Vec<Halo>,
) -> Result<(), RenderError> {
    let projection = moment.camera.projection(view.size)?;
    let (ghosts, there): (Vec<_>, Vec<_>) = moment.strands.iter().partition(|s| s.is_ghost());
    let (world, extent) = world_of(&there, &moment.meshes, view, &projection)?;
    let ghosts =
        if ghosts.is_empty() { None } else { Some(world_of(&ghosts, &[], view, &projection)?.0) };
    let cells = view.size.pixels() * samples.shadow.len().min(LIGHT_RAYS) / (4 * LIGHT_RAYS);
    let shader = Shader::new(&world, view.stage, extent, cells);
    let grid = ViewGrid::new(&world, &projection, view.size);
    let veils = ghosts.as_ref().map(|ghosts| Veils::new(ghosts, &projection));

    let width = view.size.width() as usize;
    let count = samples.pixel.len();
    let (shadows, skies) = (samples.shadow.len() / count, samples.sky.len() / count);
    // Ghosts cover each sample differently.
    let shades_once = view.quality.shades_once && veils.is_none();
    let every = samples.pixel.iter().fold(DVec2::ZERO, |sum, at| sum + *at);
    film.pixels.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, pixel) in row.iter_mut().enumerate() {
            let turn = turn_of(x as u32, y as u32);
            let through =
                |at: DVec2| projection.through(x as f64 + 0.5 + at.x, y as f64 + 0.5 + at.y);
            let (mut on_floor, mut middle) = (0.0, DVec2::ZERO);
            let mut before_floor = Veil::NONE;
            let among = grid.at(x, y);
            let only_floor = count > 1 && among == Candidates::Few(&[]) && veils.is_none() && {
                let edges = [(-TENT, -TENT), (-TENT, TENT), (TENT, -TENT), (TENT, TENT)];
                edges.iter().all(|at| shader.floor_along(through(DVec2::from(*at))).is_some())
            };
            if only_floor {
                (on_floor, middle) = (count as f64, every);
            }
            let rays_of = |sample: usize| Rays {
                shadow: &samples.shadow[sample * shadows..(sample + 1) * shadows],
                starts: &[],
                sky: &samples.sky[sample * skies..(sample + 1) * skies],
                view: among,
                turn,
            };
            let mut seen = Sightings::default();
            let single = if only_floor { &[] } else { &samples.pixel[..] };
            for (i, at) in single.iter().enumerate() {
                let ray = through(*at);
                let hit = shader.first_hit(among, ray, 0.0);
                let veil = veils.as_ref().map(|v| v.before(shader.distance(hit, ray), ray));
                if matches!(hit, FirstHit::Floor) {
                    (on_floor, middle) = (on_floor + 1.0, middle + *at);
                    before_floor.add(veil);
                    continue;
                }
                if shades_once && seen.add(shader.object(hit), hit, ray, i) {
                    continue;
                }
                let light = shader.light(hit, ray, &projection, rays_of(i), 0);
                expose(pixel, veil.map_or(light, |veil| veil.over(light)), share);
            }
            for Sighting { hit, ray, sample, samples, .. } in seen.iter() {
                let light = shader.light(*hit, *ray, &projection, rays_of(*sample), 0);
                expose(pixel, light, share * samples);
            }
            // The ground has no edges inside a pixel: it is shaded once for all samples that hit
            // it, with all their rays.
            if on_floor > 0.0 {
                let (shadow, sky) = (&samples.shadow, &samples.sky);
                let starts = if shades_once { &[] } else { &samples.pixel[..] };
                let rays = Rays { shadow, starts, sky, view: among, turn };
                let ray = through(middle / on_floor);
                let light = shader.light(FirstHit::Floor, ray, &projection, rays, 0);
                let veil = veils.as_ref().map(|_| before_floor.shared(on_floor));
                expose(pixel, veil.map_or(light, |veil| veil.over(light)), share * on_floor);
            }
        }
    });
    let part = count as f64 * share;
    halos.extend(glows(&world, &projection, part));
    Ok(())
}

/// Shadow rays per pixel for which the grid of shadow rays has a cell for every four pixels. With
/// fewer rays it has fewer cells, because building it would cost more than it saves.
const LIGHT_RAYS: usize = 8;

/// World of strands and meshes, and its extent.
fn world_of(
    strands: &[DrawnStrand<'_>],
    meshes: &[&Mesh],
    view: &View<'_>,
    projection: &Projection,
) -> Result<(World, f64), RenderError> {
    let bounds = bounds_of(strands.iter().map(|drawn| drawn.strand));
    let bounds = meshes.iter().fold(bounds, |bounds, mesh| bounds.union(Bounds::of_mesh(mesh)));
    let (middle, extent) = if bounds.is_empty() {
        (DVec3::ZERO, 1.0)
    } else {
        ((bounds.low + bounds.high) * 0.5, (bounds.high - bounds.low).length())
    };
    let floor = view.stage.ground.map_or(0.0, |g| g.reach + (g.centre - middle).length());
    let max_distance = extent + projection.eye().distance(middle).max(floor);
    let pixel = |p: DVec3| projection.pixel_at(p.distance(projection.eye()));
    Ok((World::build(strands, meshes, middle, max_distance, pixel)?, extent))
}

/// Radius of a bulb's halo, in radii of the bulb.
pub(crate) const HALO: f64 = 7.0;

/// Brightness of a halo at its centre.
pub(crate) const GLOW: f64 = 0.55;

/// Share of a halo that remains if its bulb is hidden.
pub(crate) const HIDDEN: f64 = 0.35;

/// Points of a bulb that are tested for visibility, in its radii from its centre.
pub(crate) const DISC: [[f64; 2]; 7] = [
    [0.0, 0.0],
    [0.7, 0.0],
    [0.35, 0.606],
    [-0.35, 0.606],
    [-0.7, 0.0],
    [-0.35, -0.606],
    [0.35, -0.606],
];

fn glows(world: &World, projection: &Projection, part: f64) -> Vec<Halo> {
    let mut halos = Vec::new();
    for lamp in &world.lamps {
        let Some((x, y, depth)) = projection.project(lamp.centre) else { continue };
        // Objects in front of a bulb also hide its halo, as far as they hide the bulb.
        let wide = lamp.radius / projection.pixel_at(depth);
        let seen = DISC.iter().filter(|at| {
            let ray = projection.through(x + at[0] * wide, y + at[1] * wide);
            let far = lamp.centre.distance(ray.origin);
            let hit = world.first(ray.origin, ray.direction, 0.0, true);
            hit.is_none_or(|hit| hit.t > far || world.strand_of(hit.index) == lamp.strand)
        });
        let share = seen.count() as f64 / DISC.len() as f64;
        let much = GLOW * (HIDDEN + (1.0 - HIDDEN) * share);
        let reach = HALO * wide;
        halos.push(Halo { x, y, reach, colour: lamp.colour * (much * part) });
    }
    halos
}
