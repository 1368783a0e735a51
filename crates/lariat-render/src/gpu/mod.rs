//! The renderer on a graphics card, through wgpu: nearly the same picture as the reference
//! renderer, in less time.
//!
//! ```text
//! device.rs      finding a card
//! rows.rs        strands as rows of numbers
//! skins.rs       meshes as rows of numbers
//! uniforms.rs    uniforms of all passes; views of the lights
//! pipelines.rs   the passes
//! targets.rs     render targets
//! shader/        shaders
//! ```
//!
//! Appearance follows the reference formula by formula: looks, relief, lights, film. Visibility
//! differs. The card sweeps tubes with as many sides as they need; shadows come from a depth map
//! along the key light, ambient occlusion from small maps all around; a mirror shows the studio, and
//! water the sky, but no other strand. Meshes are in the maps with their surface, so their shadow lookups start
//! slightly above it; where a sheet lies under another object, the sky sees only one of the two.
//! The tests measure the difference between the renderers.
//!
//! Tests: `ropes_by_day_look_the_same`, `every_material_looks_the_same` and the others beside them
//! in the suite.

mod device;
mod pipelines;
mod rows;
mod skins;
mod targets;
mod uniforms;

use glam::{DVec2, DVec3};

use self::{
    device::Device,
    pipelines::{Draw, Pipelines, TILE_STRIDE},
    rows::{GHOST, KNOT, OPACITY, Rows, Run, SIDES, SKIN},
    targets::{GrowingBuffer, Lights, Targets},
    uniforms::{ACROSS, COUNT, Maps, PassCamera, SKIES, TILE, VICINITY},
};
use crate::{
    Picture, RenderError, Renderer, View,
    camera::{Projection, Ray},
    cpu::{DISC, GLOW, HALO, HIDDEN, samples::Samples, segment::Piece},
    laid::{Lamp, Ring as Section},
    view::Moment,
};

/// Renders on a graphics card.
pub struct GpuRenderer {
    card: Device,
    pipelines: Pipelines,
    globals: wgpu::Buffer,
    globals_group: wgpu::BindGroup,
    tiles: wgpu::Buffer,
    tiles_group: wgpu::BindGroup,
    /// Rings for every number of sides, and the indices of their faces.
    ring: wgpu::Buffer,
    ring_joined: wgpu::Buffer,
    rings: [Ring; SIDES.len()],
    knots: GrowingBuffer,
    caps: GrowingBuffer,
    corners: GrowingBuffer,
    skin_points: GrowingBuffer,
    skin_triangles: GrowingBuffer,
    halos: GrowingBuffer,
    rows: Rows,
    lights: Option<Lights>,
    targets: Option<Targets>,
    triangles: u64,
}

/// Completed step of a picture, for progress reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The strands of the first moment are prepared for the card.
    LaidOut,
    /// The card has drawn everything.
    Drawn,
    /// The bytes have been read back.
    ReadBack,
}

/// Position of a ring in the buffers.
#[derive(Clone, Copy, Debug, Default)]
struct Ring {
    first: i32,
    joined: (u32, u32),
    cap_first: i32,
    cap_joined: (u32, u32),
}

impl std::fmt::Debug for GpuRenderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GpuRenderer").field("card", &self.card.name).finish_non_exhaustive()
    }
}

impl GpuRenderer {
    /// Opens the first available card: Vulkan and similar APIs, then OpenGL. `WGPU_BACKEND`
    /// overrides the choice.
    pub fn new() -> Result<Self, RenderError> {
        Self::on(Device::open(true)?)
    }

    /// As [`new`](Self::new), without software renderers.
    pub fn of_hardware() -> Result<Self, RenderError> {
        Self::on(Device::open(false)?)
    }

    fn on(card: Device) -> Result<Self, RenderError> {
        let device = &card.device;
        let pipelines = Pipelines::new(device);
        card.check()?;
        let globals =
            targets::buffer(device, "globals", 4 * COUNT as u64, wgpu::BufferUsages::UNIFORM);
        let globals_group =
            targets::group(device, &pipelines.layouts.globals, &[globals.as_entire_binding()]);
        let room = TILE_STRIDE * (SKIES as u64 + 1);
        let tiles = targets::buffer(device, "tiles", room, wgpu::BufferUsages::UNIFORM);
        let one = wgpu::BufferBinding { buffer: &tiles, offset: 0, size: 80.try_into().ok() };
        let one = wgpu::BindingResource::Buffer(one);
        let tiles_group = targets::group(device, &pipelines.layouts.tile, &[one]);
        let (corners, joined, rings) = rings();
        let ring =
            targets::buffer(device, "ring", 4 * corners.len() as u64, wgpu::BufferUsages::VERTEX);
        card.queue.write_buffer(&ring, 0, bytemuck::cast_slice(&corners));
        let ring_joined =
            targets::buffer(device, "joined", 4 * joined.len() as u64, wgpu::BufferUsages::INDEX);
        card.queue.write_buffer(&ring_joined, 0, bytemuck::cast_slice(&joined));
        Ok(Self {
            pipelines,
            globals,
            globals_group,
            tiles,
            tiles_group,
            ring,
            ring_joined,
            rings,
            knots: GrowingBuffer::new("knots"),
            caps: GrowingBuffer::new("caps"),
            corners: GrowingBuffer::new("corners"),
            skin_points: GrowingBuffer::new("points"),
            skin_triangles: GrowingBuffer::of_indices("triangles"),
            halos: GrowingBuffer::new("halos"),
            rows: Rows::default(),
            lights: None,
            targets: None,
            triangles: 0,
            card,
        })
    }

    /// Triangles of the last picture in all passes, visible or not, without shadow maps.
    pub fn triangles(&self) -> u64 {
        self.triangles
    }

    /// Largest width or height of a picture, in pixels.
    pub fn longest_side(&self) -> u32 {
        self.card.longest()
    }

    /// Name of the card and of its graphics API.
    pub fn card(&self) -> &str {
        &self.card.name
    }
}

impl Renderer for GpuRenderer {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn draw(&mut self, view: &View<'_>) -> Result<Picture, RenderError> {
        self.draw_watched(view, |_| {})
    }
}

impl GpuRenderer {
    /// Draws one picture and reports every completed step.
    pub fn draw_watched(
        &mut self,
        view: &View<'_>,
        mut report: impl FnMut(Step),
    ) -> Result<Picture, RenderError> {
        view.quality.check()?;
        if view.moments.is_empty() {
            return Err(RenderError::NoMoment);
        }
        let (width, height) = (view.size.width(), view.size.height());
        let longest = self.card.longest();
        if width.max(height) > longest {
            return Err(RenderError::TooLargeForGpu { width, height, longest });
        }
        // A pass has four well-distributed samples per pixel, equivalent to eight of the reference.
        // More samples mean more passes, each slightly shifted, divided among the moments.
        let moments = view.moments.len();
        let passes =
            (view.quality.samples as usize).div_ceil(8).max(moments).next_multiple_of(moments);
        let samples = if view.quality.samples > 1 { 4 } else { 1 };
        let places = Samples::new(passes, 0, 0).pixel;
        let several = passes > 1;
        if self.targets.as_ref().is_none_or(|targets| !targets.fits(view.size, samples, several)) {
            let (device, pipelines) = (&self.card.device, &self.pipelines);
            self.targets = Some(Targets::new(device, pipelines, view.size, samples, several));
        }
        let mut halos = Vec::new();
        let each = passes / moments;
        self.triangles = 0;
        for (index, moment) in view.moments.iter().enumerate() {
            let projection = moment.camera.projection(view.size)?;
            self.lay_out(moment, &projection)?;
            if index == 0 {
                report(Step::LaidOut);
            }
            self.triangles += self.count_triangles() * each as u64;
            self.glows(&projection, 1.0 / moments as f64, &mut halos);
            for pass in 0..each {
                let number = pass * moments + index;
                let pass = Pass { at: places[number], number, of: passes, first: pass == 0 };
                self.expose(view, &projection, pass);
            }
        }
        self.develop(view, &halos)?;
        let done = self.card.wait();
        if done.is_err() {
            // After an error, everything is rebuilt the next time.
            (self.targets, self.lights) = (None, None);
        }
        done?;
        report(Step::Drawn);
        let targets = self.targets.as_ref().ok_or(RenderError::NoMoment)?;
        let picture = targets.picture(&self.card, view.size)?;
        report(Step::ReadBack);
        Ok(picture)
    }
}

/// One pass of several.
#[derive(Clone, Copy)]
struct Pass {
    /// Offset from the centre of a pixel, in pixels.
    at: DVec2,
    number: usize,
    of: usize,
    /// Whether it is the first pass of its moment.
    first: bool,
}

impl GpuRenderer {
    /// Uploads the strands of a moment.
    fn lay_out(&mut self, moment: &Moment<'_>, projection: &Projection) -> Result<(), RenderError> {
        self.rows.fill(&moment.strands, &moment.meshes, &moment.bounds(), projection)?;
        self.knots.write(&self.card, bytemuck::cast_slice(&self.rows.knots));
        self.corners.write(&self.card, bytemuck::cast_slice(&self.rows.corners));
        self.caps.write(&self.card, bytemuck::cast_slice(&self.rows.caps));
        self.skin_points.write(&self.card, bytemuck::cast_slice(&self.rows.skins.points));
        self.skin_triangles.write(&self.card, bytemuck::cast_slice(&self.rows.skins.triangles));
        Ok(())
    }

    /// Number of triangles of a pass.
    fn count_triangles(&self) -> u64 {
        let sides = |index: usize| u64::from(SIDES[index]);
        let runs = self.rows.runs.iter();
        let tubes: u64 =
            runs.map(|run| 2 * sides(run.sides) * u64::from(run.end - run.first - 1)).sum();
        let parts = self.rows.cap_parts.iter();
        let caps: u64 =
            parts.map(|part| sides(part.sides) * u64::from(part.end - part.first)).sum();
        tubes + caps + self.rows.corners.len() as u64 / 3 + self.rows.skins.triangles.len() as u64
    }

    /// Draws one pass and adds its light to that of the others.
    fn expose(&mut self, view: &View<'_>, projection: &Projection, pass: Pass) {
        let half = DVec2::new(f64::from(view.size.width()), f64::from(view.size.height())) * 0.5;
        let maps = Maps::new(&self.rows, view.stage, &view.quality);
        let share = 1.0 / pass.of as f64;
        let pass_camera =
            PassCamera { projection, half, jitter: pass.at, share, pass: pass.number };
        let globals = uniforms::pack(&self.rows, &maps, view.stage, &view.quality, &pass_camera);
        self.card.queue.write_buffer(&self.globals, 0, bytemuck::cast_slice(&globals));
        let mut tiles = vec![0.0_f32; (TILE_STRIDE as usize / 4) * (1 + maps.skies.len())];
        for (tile, map) in std::iter::once(&maps.key).chain(&maps.skies).enumerate() {
            let at = tile * TILE_STRIDE as usize / 4;
            tiles[at..at + 12].copy_from_slice(&map.rows.concat());
            let t = map.towards;
            let row = [t.x, t.y, t.z, map.texel].map(|x| x as f32);
            tiles[at + 12..at + 16].copy_from_slice(&row);
            // Size of a texel of the vicinity map, in texels of the key map.
            let coarse = maps.key_texels / VICINITY;
            tiles[at + 16] = (maps.key_reach + 1.5 * f64::from(coarse) * maps.key.texel) as f32;
        }
        self.card.queue.write_buffer(&self.tiles, 0, bytemuck::cast_slice(&tiles));
        if self.lights.as_ref().is_none_or(|lights| lights.key_texels != maps.key_texels) {
            self.lights = Some(Lights::new(&self.card.device, &self.pipelines, maps.key_texels));
        }
        self.prepare();
        let (Some(lights), Some(targets)) = (&self.lights, &self.targets) else { return };
        let mut encoder =
            self.card.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if pass.first {
            self.draw_maps(&mut encoder, lights, &maps);
        }
        self.draw_scene(&mut encoder, lights, targets, view);
        if pass.of > 1 {
            let mut gather = targets.gathering(&mut encoder, pass.number == 0);
            gather.set_pipeline(&self.pipelines.gather);
            gather.set_bind_group(0, &self.globals_group, &[]);
            gather.set_bind_group(1, &targets.light_group, &[]);
            gather.draw(0..3, 0..1);
        }
        self.card.queue.submit([encoder.finish()]);
    }

    /// Creates the pipelines that the rows need.
    fn prepare(&mut self) {
        let Some(Targets { samples, .. }) = self.targets else { return };
        let runs = self.rows.runs.iter().map(|run| (run.draw, run.kind));
        let parts = self.rows.cap_parts.iter().chain(&self.rows.corner_parts);
        let skins = (!self.rows.skins.triangles.is_empty()).then_some((Draw::Skin, SKIN));
        for (draw, kind) in runs.chain(parts.map(|part| (part.draw, part.kind))).chain(skins) {
            self.pipelines.prepare(&self.card.device, draw, kind, samples);
        }
    }

    /// Depth maps along the key and around the sky, and the openness of the ground.
    fn draw_maps(&self, encoder: &mut wgpu::CommandEncoder, lights: &Lights, maps: &Maps) {
        let links = (self.rows.knots.len() as u32).saturating_sub(1);
        let draw = |pass: &mut wgpu::RenderPass<'_>, tile: usize| {
            let offset = tile as u32 * TILE_STRIDE as u32;
            pass.set_bind_group(0, &self.globals_group, &[]);
            pass.set_bind_group(1, &self.tiles_group, &[offset]);
            if let (Some(knots), 1..) = (self.knots.buffer(), links) {
                pass.set_pipeline(&self.pipelines.map_ribbons);
                pass.set_vertex_buffer(0, knots.slice(..));
                pass.set_vertex_buffer(1, knots.slice(4 * KNOT as u64..));
                pass.draw(0..6, 0..links);
            }
            let parts = self.rows.corner_parts.iter().filter(|part| part.kind != GHOST);
            for part in parts {
                let Some(corners) = self.corners.buffer() else { continue };
                pass.set_pipeline(&self.pipelines.map_facets);
                pass.set_vertex_buffer(0, corners.slice(..));
                pass.draw(part.first..part.end, 0..1);
            }
            if tile == 0 {
                self.draw_skins(pass, &self.pipelines.key_skins);
            } else {
                for side in &self.pipelines.sky_skins {
                    self.draw_skins(pass, side);
                }
            }
        };
        draw(&mut lights.key_pass(encoder), 0);
        {
            let mut pass = lights.sky_pass(encoder);
            for index in 0..maps.skies.len() {
                let (x, y) = (index as u32 % ACROSS * TILE, index as u32 / ACROSS * TILE);
                pass.set_viewport(x as f32, y as f32, TILE as f32, TILE as f32, 0.0, 1.0);
                draw(&mut pass, index + 1);
            }
        }
        if let (Some(knots), 1..) = (self.knots.buffer(), links) {
            let mut pass = lights.vicinity_pass(encoder);
            pass.set_pipeline(&self.pipelines.vicinity);
            pass.set_bind_group(0, &self.globals_group, &[]);
            pass.set_bind_group(1, &self.tiles_group, &[0]);
            pass.set_vertex_buffer(0, knots.slice(..));
            pass.set_vertex_buffer(1, knots.slice(4 * KNOT as u64..));
            pass.draw(0..6, 0..links);
        }
        let mut pass = lights.open_pass(encoder);
        pass.set_pipeline(&self.pipelines.bake);
        pass.set_bind_group(0, &self.globals_group, &[]);
        pass.set_bind_group(1, &lights.maps_group, &[]);
        pass.draw(0..3, 0..1);
    }

    /// Everything visible, from the most to the least occluding.
    fn draw_scene(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        lights: &Lights,
        targets: &Targets,
        view: &View<'_>,
    ) {
        let backs = self.pipelines.backs(targets.samples);
        let mut pass = targets.scene(encoder);
        pass.set_bind_group(0, &self.globals_group, &[]);
        pass.set_bind_group(1, &lights.maps_group, &[]);
        pass.set_bind_group(2, &lights.open_group, &[]);
        pass.set_index_buffer(self.ring_joined.slice(..), wgpu::IndexFormat::Uint32);
        for run in self.rows.runs.iter().filter(|run| run.draw == Draw::Tube) {
            self.draw_run(&mut pass, run, targets.samples);
        }
        self.draw_caps(&mut pass, targets.samples);
        self.draw_corners(&mut pass, targets.samples, false);
        if let Some(pipeline) = self.pipelines.strands(Draw::Skin, SKIN, targets.samples) {
            self.draw_skins(&mut pass, pipeline);
        }
        if view.stage.ground.is_some() {
            pass.set_pipeline(&backs.ground);
            pass.draw(0..6, 0..1);
        }
        pass.set_pipeline(&backs.behind);
        pass.draw(0..3, 0..1);
        pass.set_index_buffer(self.ring_joined.slice(..), wgpu::IndexFormat::Uint32);
        for run in self.rows.runs.iter().filter(|run| run.draw != Draw::Tube) {
            self.draw_run(&mut pass, run, targets.samples);
        }
        self.draw_corners(&mut pass, targets.samples, true);
    }

    /// All meshes.
    fn draw_skins(&self, pass: &mut wgpu::RenderPass<'_>, pipeline: &wgpu::RenderPipeline) {
        let corners = 3 * self.rows.skins.triangles.len() as u32;
        let buffers = (self.skin_points.buffer(), self.skin_triangles.buffer());
        let ((Some(points), Some(triangles)), 1..) = (buffers, corners) else { return };
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, points.slice(..));
        pass.set_index_buffer(triangles.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..corners, 0, 0..1);
    }

    fn draw_run(&self, pass: &mut wgpu::RenderPass<'_>, run: &Run, samples: u32) {
        let pipeline = self.pipelines.strands(run.draw, run.kind, samples);
        let (Some(knots), Some(pipeline)) = (self.knots.buffer(), pipeline) else { return };
        let stride = 4 * KNOT as u64;
        let from = u64::from(run.first) * stride;
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, knots.slice(from..));
        pass.set_vertex_buffer(1, knots.slice(from + stride..));
        pass.set_vertex_buffer(2, self.ring.slice(..));
        let ring = &self.rings[run.sides];
        let (a, b) = ring.joined;
        pass.draw_indexed(a..b, ring.first, 0..run.end - run.first - 1);
    }

    /// Flat ends.
    fn draw_caps(&self, pass: &mut wgpu::RenderPass<'_>, samples: u32) {
        for part in &self.rows.cap_parts {
            let pipeline = self.pipelines.strands(part.draw, part.kind, samples);
            let (Some(caps), Some(pipeline)) = (self.caps.buffer(), pipeline) else { continue };
            let from = u64::from(part.first) * 4 * KNOT as u64;
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, caps.slice(from..));
            pass.set_vertex_buffer(1, caps.slice(from..));
            pass.set_vertex_buffer(2, self.ring.slice(..));
            let ring = &self.rings[part.sides];
            let (a, b) = ring.cap_joined;
            pass.draw_indexed(a..b, ring.cap_first, 0..part.end - part.first);
        }
    }

    /// Outlined strands: ghosts, or all others.
    fn draw_corners(&self, pass: &mut wgpu::RenderPass<'_>, samples: u32, ghosts: bool) {
        let parts = self.rows.corner_parts.iter();
        for part in parts.filter(|part| (part.kind == GHOST) == ghosts) {
            let pipeline = self.pipelines.strands(part.draw, part.kind, samples);
            let (Some(corners), Some(pipeline)) = (self.corners.buffer(), pipeline) else {
                continue;
            };
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, corners.slice(..));
            pass.draw(part.first..part.end, 0..1);
        }
    }

    /// Halos of a moment, as in the reference, except that straps do not hide them.
    fn glows(&self, projection: &Projection, part: f64, halos: &mut Vec<[f32; 8]>) {
        for (lamp, own) in self.rows.lamps.iter().zip(&self.rows.lamp_knots) {
            let Some((x, y, depth)) = projection.project(lamp.centre) else { continue };
            let wide = lamp.radius / projection.pixel_at(depth);
            let rays = DISC.map(|at| projection.through(x + at[0] * wide, y + at[1] * wide));
            let knots = &self.rows.knots[..self.rows.tubes];
            let mut hidden = [false; DISC.len()];
            for pair in [&knots[..own.start], &knots[own.end..]].iter().flat_map(|k| k.windows(2)) {
                let [a, b] = [&pair[0], &pair[1]];
                if a[KNOT - 1] != 0.0 || a[OPACITY] < 1.0 {
                    continue;
                }
                let piece = piece_of(a, b, self.rows.middle);
                if !may_hide(&piece, lamp, rays[0]) {
                    continue;
                }
                for (hidden, ray) in hidden.iter_mut().zip(&rays) {
                    let far = lamp.centre.distance(ray.origin);
                    *hidden |= piece.hit(ray.origin, ray.direction, 0.0) < far;
                }
            }
            let share = hidden.iter().filter(|hidden| !**hidden).count() as f64 / DISC.len() as f64;
            let much = GLOW * (HIDDEN + (1.0 - HIDDEN) * share);
            let reach = HALO * wide;
            let colour = lamp.colour * (much * part);
            halos.push([x, y, reach, 0.0, colour.x, colour.y, colour.z, 0.0].map(|v| v as f32));
        }
    }

    /// Adds halos, applies tone mapping and reads the picture back.
    fn develop(&mut self, view: &View<'_>, halos: &[[f32; 8]]) -> Result<(), RenderError> {
        self.halos.write(&self.card, bytemuck::cast_slice(halos));
        let Some(targets) = &self.targets else { return Ok(()) };
        let mut encoder =
            self.card.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if let (Some(buffer), 1..) = (self.halos.buffer(), halos.len()) {
            let mut pass = targets.adding(&mut encoder);
            pass.set_pipeline(self.pipelines.halo(targets.several()));
            pass.set_bind_group(0, &self.globals_group, &[]);
            pass.set_vertex_buffer(0, buffer.slice(..));
            pass.draw(0..6, 0..halos.len() as u32);
        }
        {
            let mut pass = targets.developing(&mut encoder);
            pass.set_pipeline(&self.pipelines.develop);
            pass.set_bind_group(0, &self.globals_group, &[]);
            pass.set_bind_group(1, targets.whole_group(), &[]);
            pass.draw(0..3, 0..1);
        }
        targets.copy_out(&mut encoder, view.size);
        self.card.queue.submit([encoder.finish()]);
        self.card.check()
    }
}

/// The tube between two knots.
fn piece_of(a: &[f32; KNOT], b: &[f32; KNOT], middle: DVec3) -> Piece {
    let section = |k: &[f32; KNOT]| {
        let centre = middle + DVec3::new(k[0].into(), k[1].into(), k[2].into());
        Section { centre, radius: k[3].into() }
    };
    Piece { a: section(a), b: section(b), joints: [1.0; 2], cut: [None; 2] }
}

/// Whether a piece is close enough to the ray through a lamp's centre to hide any of the lamp.
fn may_hide(piece: &Piece, lamp: &Lamp, ray: Ray) -> bool {
    let (a, b) = (piece.a, piece.b);
    let middle = (a.centre + b.centre) * 0.5 - ray.origin;
    let along = middle.dot(ray.direction);
    let around = 0.5 * a.centre.distance(b.centre) + a.radius.max(b.radius) + lamp.radius;
    let aside = middle - ray.direction * along;
    aside.dot(aside) <= around * around
        && along - around < lamp.centre.distance(ray.origin)
        && along + around > 0.0
}

/// Corners of rings with every number of sides, the indices of their faces, and their offsets.
fn rings() -> (Vec<f32>, Vec<u32>, [Ring; SIDES.len()]) {
    use lariat_core::num::ops;
    let (mut corners, mut joined) = (Vec::new(), Vec::new());
    let rings = SIDES.map(|sides| {
        // Between its corners a polygon is too thin: this factor makes it right on average.
        let wider = 2.0 / (1.0 + ops::cos_turns(0.5 / f64::from(sides)));
        let mut corner = |turns: f64, end: f64| {
            let (cos, sin) = (ops::cos_turns(turns), ops::sin_turns(turns));
            corners.extend([cos, sin, turns, wider, end].map(|x| x as f32));
            corners.len() as u32 / 5
        };
        let turns = |k: u32| f64::from(k) / f64::from(sides);
        let first = corner(0.0, 0.0) as i32 - 1;
        corner(0.0, 1.0);
        for k in 1..=sides {
            corner(turns(k), 0.0);
            corner(turns(k), 1.0);
        }
        let cap_first = corner(0.0, 0.0) as i32 - 1;
        for k in 0..=sides {
            corner(turns(k), 1.0);
        }
        let from = joined.len() as u32;
        for k in 0..sides {
            let a = 2 * k;
            joined.extend([a, a + 2, a + 3, a, a + 3, a + 1]);
        }
        let to = joined.len() as u32;
        for k in 0..sides {
            joined.extend([0, k + 1, k + 2]);
        }
        Ring { first, joined: (from, to), cap_first, cap_joined: (to, joined.len() as u32) }
    });
    (corners, joined, rings)
}
