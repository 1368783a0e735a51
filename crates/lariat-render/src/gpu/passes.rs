//! Draw calls of the passes: depth maps of the lights, and the visible scene.

use super::{
    GpuRenderer,
    pipelines::{Draw, TILE_STRIDE, Variant},
    rows::{GHOST, KNOT, Part, Run, SKIN},
    targets::{Lights, Targets},
    uniforms::{ACROSS, Maps, TILE},
};
use crate::View;

impl GpuRenderer {
    /// Creates the pipelines that the rows need.
    pub(super) fn prepare(&mut self) {
        let Some(variant) = self.targets.as_ref().map(|targets| self.variant(targets)) else {
            return;
        };
        let runs = self.rows.runs.iter().map(|run| (run.draw, run.kind));
        let parts = self.rows.cap_parts.iter().chain(&self.rows.corner_parts);
        let skins = (!self.rows.skins.triangles.is_empty()).then_some((Draw::Skin, SKIN));
        for (draw, kind) in runs.chain(parts.map(|part| (part.draw, part.kind))).chain(skins) {
            self.pipelines.prepare(&self.card.device, draw, kind, variant);
        }
    }

    pub(super) fn variant(&self, targets: &Targets) -> Variant {
        Variant { samples: targets.samples, simple: self.simple }
    }

    /// Depth maps along the key and around the sky, and the openness of the ground.
    pub(super) fn draw_maps(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        lights: &Lights,
        maps: &Maps,
    ) {
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
        let (mut pass, bake) = if self.simple {
            (lights.lit_pass(encoder), &self.pipelines.bake_simple)
        } else {
            (lights.open_pass(encoder), &self.pipelines.bake)
        };
        pass.set_pipeline(bake);
        pass.set_bind_group(0, &self.globals_group, &[]);
        pass.set_bind_group(1, &lights.maps_group, &[]);
        pass.draw(0..3, 0..1);
    }

    /// Everything visible, from the most to the least occluding.
    pub(super) fn draw_scene(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        lights: &Lights,
        targets: &Targets,
        view: &View<'_>,
    ) {
        let variant = self.variant(targets);
        let backs = self.pipelines.backs(variant);
        let mut pass = targets.scene(encoder);
        pass.set_bind_group(0, &self.globals_group, &[]);
        pass.set_bind_group(1, &lights.maps_group, &[]);
        let baked = if self.simple { &lights.lit_group } else { &lights.open_group };
        pass.set_bind_group(2, baked, &[]);
        for run in self.rows.runs.iter().filter(|run| run.draw == Draw::Tube) {
            self.draw_run(&mut pass, run, variant);
        }
        self.draw_caps(&mut pass, variant);
        self.draw_corners(&mut pass, variant, false);
        if let Some(pipeline) = self.pipelines.strands(Draw::Skin, SKIN, variant) {
            self.draw_skins(&mut pass, pipeline);
        }
        if view.stage.ground.is_some() {
            pass.set_pipeline(&backs.ground);
            pass.draw(0..6, 0..1);
        }
        pass.set_pipeline(&backs.behind);
        pass.draw(0..3, 0..1);
        for run in self.rows.runs.iter().filter(|run| run.draw != Draw::Tube) {
            self.draw_run(&mut pass, run, variant);
        }
        self.draw_corners(&mut pass, variant, true);
    }

    /// All meshes.
    pub(super) fn draw_skins(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
    ) {
        let corners = 3 * self.rows.skins.triangles.len() as u32;
        let buffers = (self.skin_points.buffer(), self.skin_triangles.buffer());
        let ((Some(points), Some(triangles)), 1..) = (buffers, corners) else { return };
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, points.slice(..));
        pass.set_index_buffer(triangles.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..corners, 0, 0..1);
    }

    fn draw_run(&self, pass: &mut wgpu::RenderPass<'_>, run: &Run, variant: Variant) {
        if let Some(pipeline) = self.pipelines.strands(run.draw, run.kind, variant) {
            self.draw_tubes(pass, pipeline, run.sides, (run.first, run.end));
        }
    }

    /// Flat ends.
    fn draw_caps(&self, pass: &mut wgpu::RenderPass<'_>, variant: Variant) {
        for part in &self.rows.cap_parts {
            if let Some(pipeline) = self.pipelines.strands(part.draw, part.kind, variant) {
                self.draw_ends(pass, pipeline, part);
            }
        }
    }

    /// Flat ends of one kind.
    pub(super) fn draw_ends(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
        part: &Part,
    ) {
        let Some(caps) = self.caps.buffer() else { return };
        let from = u64::from(part.first) * 4 * KNOT as u64;
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, caps.slice(from..));
        pass.set_vertex_buffer(1, caps.slice(from..));
        pass.set_vertex_buffer(2, self.ring.slice(..));
        pass.set_index_buffer(self.ring_joined.slice(..), wgpu::IndexFormat::Uint32);
        let ring = &self.rings[part.sides];
        let (a, b) = ring.cap_joined;
        pass.draw_indexed(a..b, ring.cap_first, 0..part.end - part.first);
    }

    /// Outlined strands: ghosts, or all others.
    fn draw_corners(&self, pass: &mut wgpu::RenderPass<'_>, variant: Variant, ghosts: bool) {
        let parts = self.rows.corner_parts.iter();
        for part in parts.filter(|part| (part.kind == GHOST) == ghosts) {
            let pipeline = self.pipelines.strands(part.draw, part.kind, variant);
            let (Some(corners), Some(pipeline)) = (self.corners.buffer(), pipeline) else {
                continue;
            };
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, corners.slice(..));
            pass.draw(part.first..part.end, 0..1);
        }
    }
}
