//! Uniforms of all passes, as one row of numbers in the order of `common.wgsl`; and the depth maps,
//! one along the key and many around the sky.
//!
//! Tests: `the_uniforms_fill_their_buffer`, `the_matrix_agrees_with_the_rays`,
//! `a_map_holds_its_box`, `sky_directions_are_even`.

use glam::{DVec2, DVec3};
use lariat_core::num::ops;

use super::rows::{Rows, SURFACES, surface_rows};
use crate::{
    Background, Quality, Stage,
    camera::Projection,
    cpu::shade::{across, shaded},
    lamps::{LAMPS, Lamps, TOGETHER},
    water::WAVES,
};

/// Total count: 835 rows of four, within the 16 kB that every card has.
pub(super) const COUNT: usize = 835 * 4;

/// Largest number of sky maps, maps per row of the atlas, and texels per side of a map.
pub(super) const SKIES: usize = 32;
pub(super) const ACROSS: u32 = 8;
pub(super) const TILE: u32 = 256;

/// Texels per side of the map of regions that may cast a shadow; also in `light.wgsl`.
pub(super) const VICINITY: u32 = 128;

/// Texels per side of the map of the ground's openness; also in `open.wgsl`.
pub(super) const OPEN: u32 = 256;

/// The same with the light of bulbs, for simple shading.
pub(super) const LIT: u32 = 128;

/// Budget of links drawn into all maps of the sky together.
const SKY_LINKS: usize = 400_000;

/// View of a light: rows that give the position in its map, 0–1 across, down and deep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Map {
    pub rows: [[f32; 4]; 3],
    pub towards: DVec3,
    /// Depth range in metres.
    pub range: f64,
    pub texel: f64,
}

impl Map {
    /// View against `towards` of a box, with this many texels per side, and a margin in metres
    /// beside the box.
    pub(super) fn new(
        towards: DVec3,
        (low, high): (DVec3, DVec3),
        aside: f64,
        texels: u32,
    ) -> Self {
        let (right, up) = across(towards);
        let middle = (low + high) * 0.5;
        let half = (high - low) * 0.5;
        let reach = |direction: DVec3| direction.abs().dot(half);
        // Square texels, with two free ones on every side.
        let wide = 2.0 * (reach(right).max(reach(up)) + aside).max(1e-9);
        let wide = wide * f64::from(texels) / (f64::from(texels) - 4.0);
        let range = (2.0 * reach(towards) * 1.001).max(1e-9);
        let row = |direction: DVec3, size: f64| {
            let direction = direction / size;
            [
                direction.x as f32,
                direction.y as f32,
                direction.z as f32,
                (0.5 - direction.dot(middle)) as f32,
            ]
        };
        Self {
            rows: [row(right, wide), row(up, wide), row(-towards, range)],
            towards,
            range,
            texel: wide / f64::from(texels),
        }
    }
}

/// Lights of a picture.
#[derive(Clone, Debug)]
pub(super) struct Maps {
    pub key: Map,
    pub key_texels: u32,
    /// Largest sideways reach of a strand's shadow, in metres.
    pub key_reach: f64,
    pub skies: Vec<Map>,
}

impl Maps {
    pub(super) fn new(rows: &Rows, stage: &Stage, quality: &Quality) -> Self {
        let bounds = (rows.low, rows.high);
        let key_texels = match quality.samples {
            1 => 1024,
            2..=8 => 2048,
            _ => 4096,
        };
        let towards = stage.key.towards.normalize_or(DVec3::Z);
        let deepest = Map::new(towards, bounds, 0.0, key_texels).range
            + stage.ground.map_or(0.0, |ground| {
                (rows.low.z + rows.middle.z - ground.height).max(0.0) / towards.z.max(0.05)
            });
        let key_reach = ops::tan(stage.key.spread.clamp(0.0, 1.0)) * deepest;
        let key = Map::new(towards, bounds, key_reach, key_texels);
        let most = (16 * quality.sky_rays as usize).min(SKIES);
        let count = (SKY_LINKS / rows.links.max(1)).max(6).min(most);
        let skies =
            directions(count).map(|direction| Map::new(direction, bounds, 0.0, TILE)).collect();
        Self { key, key_texels, key_reach, skies }
    }
}

/// Directions distributed evenly over the sphere by the golden angle, from the zenith down; upper
/// ones affect the ground and most surfaces, so there are twice as many.
fn directions(count: usize) -> impl Iterator<Item = DVec3> {
    (0..count).map(move |i| {
        let u = (i as f64 + 0.5) / count as f64;
        let z = if u < 2.0 / 3.0 { 1.0 - 1.5 * u } else { 2.0 - 3.0 * u };
        let flat = (1.0 - z * z).max(0.0).sqrt();
        let (sin, cos) = ops::sin_cos(std::f64::consts::TAU * 0.381_966_011_25 * i as f64);
        DVec3::new(flat * cos, flat * sin, z)
    })
}

/// Camera of a pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassCamera<'a> {
    pub projection: &'a Projection,
    /// Half of the picture, in pixels.
    pub half: DVec2,
    /// Offset from the centre of a pixel, in pixels.
    pub jitter: DVec2,
    /// Share of this pass in the light of the picture.
    pub share: f64,
    /// Index of the pass; each has different noise.
    pub pass: usize,
    /// Whether shading is simplified: light of bulbs on the ground is baked, so the baked part of
    /// the ground reaches as far as their light.
    pub simple: bool,
}

/// All uniforms in their order.
pub(super) fn pack(
    rows: &Rows,
    maps: &Maps,
    stage: &Stage,
    quality: &Quality,
    pass_camera: &PassCamera<'_>,
) -> Vec<f32> {
    let mut out = Packed(Vec::with_capacity(COUNT));
    let middle = rows.middle;
    let (low, high) = (rows.low, rows.high);
    let extent = if low == high { 1.0 } else { (high - low).length() };
    let projection = pass_camera.projection;
    let [forward, right, up] = projection.axes();
    let eye = projection.eye() - middle;
    let pixel = projection.pixel_at(1.0);
    out.view(projection, eye, pass_camera, extent);
    out.row(eye, f64::from(u8::from(projection.is_perspective())));
    out.row(forward, pixel);
    out.row(right, pass_camera.half.x);
    out.row(up, pass_camera.half.y);
    let towards = maps.key.towards;
    let spread = ops::tan(stage.key.spread.clamp(0.0, 1.0));
    out.row(towards, spread);
    let taps = (quality.samples * quality.shadow_rays).clamp(4, 24);
    out.row(stage.key.colour.into(), if quality.shadow_rays == 0 { 0.0 } else { taps.into() });
    out.row(stage.sky.above.into(), stage.sky.lamps);
    let near = 0.12 * extent;
    out.row(stage.sky.below.into(), near);
    let (level, above, there) = match stage.background {
        Background::Gradient { level, above } => (level, above, 1.0),
        Background::Transparent => ([0.0; 3], [0.0; 3], 0.0),
    };
    out.row(level.into(), there);
    out.row(above.into(), stage.exposure);
    let ground = stage.ground;
    let colour = ground.map_or([0.0; 3], |g| g.colour);
    out.row(colour.into(), ground.map_or(0.0, |g| g.lines));
    let place =
        ground.map_or(DVec3::ZERO, |g| DVec3::new(g.centre.x, g.centre.y, g.height) - middle);
    out.row(place, ground.map_or(1.0, |g| g.reach));
    let spacing = ground.map_or(1.0, |g| g.spacing);
    let cell = |x: f64| x.rem_euclid(5.0 * spacing);
    out.row(DVec3::new(spacing, cell(middle.x), cell(middle.y)), pass_camera.share);
    let (a, b) = across(towards);
    let (from, to) =
        shaded((low + middle, high + middle), stage, [towards, a * spread, b * spread]);
    let flat = DVec2::new(middle.x, middle.y);
    // Beyond the range of 32-bit numbers there is no ground.
    let (from, to) = ((from - flat).max(DVec2::splat(-1e30)), (to - flat).min(DVec2::splat(1e30)));
    out.four([from.x, from.y, to.x, to.y]);
    let lamps = Lamps::new(&rows.lamps);
    let mut baked = (low.truncate() - near, high.truncate() + near);
    if let (true, Some((from, to))) = (pass_camera.simple, lamps.lit()) {
        baked.0 = baked.0.min(from.truncate() - flat);
        baked.1 = baked.1.max(to.truncate() - flat);
    }
    let size = baked.1 - baked.0;
    out.four([baked.0.x, baked.0.y, size.x, size.y]);
    out.row(low, pass_camera.pass as f64);
    out.row(high, 0.0);
    out.map(&maps.key);
    out.four([maps.key_texels.into(), maps.key.range, maps.key.texel, maps.key_reach]);
    let sky_texel = maps.skies.iter().map(|map| map.texel).fold(0.0, f64::max);
    out.four([maps.skies.len() as f64, ACROSS.into(), TILE.into(), sky_texel]);
    for map in &maps.skies {
        out.map(map);
    }
    out.nothing(3 * (SKIES - maps.skies.len()));
    for map in &maps.skies {
        out.row(map.towards, map.range);
    }
    out.nothing(SKIES - maps.skies.len());
    let Lamps { lamps, groups, .. } = lamps;
    let ripples = ground.and_then(|g| Some(g.water?.ripples(g.spacing)));
    let is_water = f64::from(u8::from(ripples.is_some()));
    out.four([lamps.len() as f64, is_water, 0.0, 0.0]);
    for ripple in ripples.iter().flatten() {
        // Relative to the centre of the scene.
        let phase = ripple.phase + ripple.wave.dot(DVec2::new(middle.x, middle.y));
        out.four([ripple.wave.x, ripple.wave.y, phase.rem_euclid(1.0), ripple.slope]);
    }
    out.nothing(if ripples.is_some() { 0 } else { WAVES });
    for group in &groups {
        out.row(group.centre - middle, group.reach);
    }
    out.nothing(LAMPS / TOGETHER - groups.len());
    for lamp in &lamps {
        out.row(lamp.centre - middle, lamp.radius);
        out.row(lamp.colour * (lamp.radius * lamp.radius), 0.0);
    }
    out.nothing(2 * (LAMPS - lamps.len()));
    for surface in &rows.surfaces {
        out.0.extend(surface_rows(surface).concat());
    }
    out.nothing(2 * (SURFACES - rows.surfaces.len()));
    out.0
}

struct Packed(Vec<f32>);

impl Packed {
    fn four(&mut self, row: [f64; 4]) {
        self.0.extend(row.map(|x| x as f32));
    }

    fn row(&mut self, xyz: DVec3, w: f64) {
        self.four([xyz.x, xyz.y, xyz.z, w]);
    }

    fn map(&mut self, map: &Map) {
        self.0.extend(map.rows.concat());
    }

    fn nothing(&mut self, rows: usize) {
        self.0.extend(std::iter::repeat_n(0.0, 4 * rows));
    }

    /// The camera as a matrix, column by column. Depth is 1 at the eye and falls with distance,
    /// which distributes the precision of a 32-bit number evenly.
    fn view(
        &mut self,
        projection: &Projection,
        eye: DVec3,
        pass_camera: &PassCamera<'_>,
        extent: f64,
    ) {
        let [forward, right, up] = projection.axes();
        let away = forward.dot(-eye).abs() + extent;
        let scale = 1.0 / (projection.pixel_at(1.0) * pass_camera.half);
        let shift = DVec2::new(pass_camera.jitter.x, -pass_camera.jitter.y) / pass_camera.half;
        // Rows that give x, y, depth and w.
        let along = |direction: DVec3| direction.extend(-direction.dot(eye));
        let (x, y, z) = (along(right) * scale.x, along(up) * scale.y, along(forward));
        let rows = if projection.is_perspective() {
            let near = 1e-5 * away;
            [x - z * shift.x, y - z * shift.y, glam::DVec4::W * near, z]
        } else {
            let far = 40.0 * away;
            let one = glam::DVec4::W;
            [x - one * shift.x, y - one * shift.y, one - z / far, one]
        };
        for column in 0..4 {
            self.four(rows.map(|row| row[column]));
        }
    }
}

#[cfg(test)]
mod tests {
    use lariat_core::geometry::Bounds;

    use super::*;
    use crate::{Camera, NamedView, Size};

    #[test]
    fn the_uniforms_fill_their_buffer() {
        let bounds = Bounds { low: -DVec3::ONE, high: DVec3::ONE };
        let stage = Stage::day(&bounds);
        let size = Size::new(64, 32).unwrap();
        let projection = Camera::framing(&bounds, DVec3::Y, 2.0).projection(size).unwrap();
        let mut rows = Rows::default();
        rows.fill(&[], &[], &Bounds::EMPTY, &projection, false).unwrap();
        for quality in [Quality::DRAFT, Quality::PREVIEW, Quality::FINAL] {
            let maps = Maps::new(&rows, &stage, &quality);
            let half = DVec2::new(32.0, 16.0);
            let pass_camera = PassCamera {
                projection: &projection,
                half,
                jitter: DVec2::ZERO,
                share: 1.0,
                pass: 0,
                simple: false,
            };
            let packed = pack(&rows, &maps, &stage, &quality, &pass_camera);
            assert_eq!(packed.len(), COUNT);
            // Without any strands, every number is finite.
            assert!(packed.iter().all(|x| x.is_finite()));
        }
    }

    #[test]
    fn the_matrix_agrees_with_the_rays() {
        let bounds = Bounds { low: DVec3::new(-1.0, 2.0, 0.0), high: DVec3::new(3.0, 4.0, 2.0) };
        let size = Size::new(640, 360).unwrap();
        let half = DVec2::new(320.0, 180.0);
        let cameras = [
            Camera::framing(&bounds, DVec3::new(-0.4, 1.0, -0.3), size.aspect()),
            Camera::orthographic(&bounds, NamedView::Side, size.aspect()),
        ];
        for camera in cameras {
            let projection = camera.projection(size).unwrap();
            let jitter = DVec2::new(0.25, -0.125);
            let mut packed = Packed(Vec::new());
            packed.view(
                &projection,
                projection.eye(),
                &PassCamera {
                    projection: &projection,
                    half,
                    jitter,
                    share: 1.0,
                    pass: 0,
                    simple: false,
                },
                4.0,
            );
            for p in [bounds.low, bounds.high, DVec3::new(0.3, 2.2, 0.7)] {
                let q = p.extend(1.0).as_vec4().to_array();
                let row = |r: usize| (0..4).map(|c| packed.0[4 * c + r] * q[c]).sum::<f32>();
                let clip: [f64; 4] = std::array::from_fn(|r| row(r).into());
                let (x, y, _) = projection.project(p).unwrap();
                let found = DVec2::new(clip[0], -clip[1]) / clip[3] * half + half;
                let expected = DVec2::new(x, y) - jitter;
                assert!((found - expected).length() < 0.01, "{found} for {expected}");
                let depth = clip[2] / clip[3];
                assert!(depth > 0.0 && depth < 1.0, "{depth}");
            }
        }
    }

    #[test]
    fn a_map_holds_its_box() {
        let (low, high) = (DVec3::new(-1.0, -2.0, 0.0), DVec3::new(5.0, 0.5, 3.0));
        for direction in directions(32) {
            let map = Map::new(direction, (low, high), 0.0, 256);
            for k in 0..8 {
                let pick = |bit: u32, a: f64, b: f64| if k >> bit & 1 == 0 { a } else { b };
                let p = DVec3::new(
                    pick(0, low.x, high.x),
                    pick(1, low.y, high.y),
                    pick(2, low.z, high.z),
                );
                for row in map.rows {
                    let [a, b, c, d] = row.map(f64::from);
                    let at = DVec3::new(a, b, c).dot(p) + d;
                    assert!((0.0..=1.0).contains(&at), "{at} against {direction}");
                }
            }
        }
    }

    #[test]
    fn sky_directions_are_even() {
        let all: Vec<DVec3> = directions(SKIES).collect();
        assert!(all.iter().all(|direction| (direction.length() - 1.0).abs() < 1e-12));
        let above = all.iter().filter(|direction| direction.z > 0.0).count();
        assert_eq!(above, 21, "two thirds point up");
        // The mean of all directions is vertical.
        let mean = all.iter().filter(|direction| direction.z > 0.0).sum::<DVec3>() / above as f64;
        assert!(mean.x.abs() < 0.06 && mean.y.abs() < 0.06, "{mean}");
    }
}
