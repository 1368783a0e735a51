//! Draws [`Guides`] over a finished picture.
//!
//! The depth of strands and meshes is drawn again, at the resolution of the target and with one
//! sample: depths of multisampled passes cannot be read in WebGL 2, and without shading this takes a
//! fraction of the scene's time. Then follow outlines, hidden lines and points, and visible ones.

use std::collections::HashMap;

use lariat_core::num::ops;
use wgpu::{
    BlendState, CompareFunction, RenderPipeline, ShaderModule, TextureFormat, TextureUsages,
    TextureView, VertexStepMode,
};

use super::{
    GpuRenderer,
    device::Device,
    pipelines::{
        DEPTH, Layouts, PipelineBuilder, TILE_STRIDE, attribute, buffer, four, joined, module,
    },
    rows::{CORNER, GHOST, KNOT},
    skins::POINT,
    targets::{self, GrowingBuffer, begin, texture},
};
use crate::{
    Guides, Picked, Size,
    guides::{DotShape, Highlight},
    view::Moment,
};

pub(super) const SHADER: &str =
    concat!(include_str!("shader/common.wgsl"), include_str!("shader/guides.wgsl"));

/// Numbers per line and per point.
const LINE: usize = 24;
const DOT: usize = 12;

/// Largest number of different outlines in a picture.
const OUTLINES: usize = 64;

/// Directions in which an outlined surface is moved. Fewer: sharp corners are cut off. More: each
/// costs another pass over the surface.
const DIRECTIONS: usize = 8;

/// Width and opacity of the line along the axis of an outlined strand where it is hidden.
const AXIS: (f32, f32) = (1.5, 0.45);

/// Depth is 1 at the eye and 0 far away.
const VISIBLE: CompareFunction = CompareFunction::GreaterEqual;
const HIDDEN: CompareFunction = CompareFunction::Less;

/// Buffers and pipelines of guides.
pub(super) struct GuidePasses {
    shader: ShaderModule,
    layout: wgpu::PipelineLayout,
    by_format: HashMap<TextureFormat, Formatted>,
    depth: Option<(Size, TextureView)>,
    lines: GrowingBuffer,
    dots: GrowingBuffer,
    outlines: wgpu::Buffer,
    outlines_group: wgpu::BindGroup,
    rows: (Vec<[f32; LINE]>, Vec<[f32; DOT]>),
}

/// Pipelines for a format of the target.
struct Formatted {
    /// Visible parts, then hidden ones.
    lines: [RenderPipeline; 2],
    dots: [RenderPipeline; 2],
    /// Tubes, outlined strands, meshes: their depth, then their outlines.
    tubes: [RenderPipeline; 2],
    /// The depth of flat ends.
    caps: RenderPipeline,
    facets: [RenderPipeline; 2],
    skins: [RenderPipeline; 2],
}

impl GuidePasses {
    pub(super) fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let room = TILE_STRIDE * (OUTLINES * DIRECTIONS) as u64;
        let outlines = targets::buffer(device, "outlines", room, wgpu::BufferUsages::UNIFORM);
        let one = wgpu::BufferBinding { buffer: &outlines, offset: 0, size: 32.try_into().ok() };
        let one = wgpu::BindingResource::Buffer(one);
        let outlines_group = targets::group(device, &layouts.tile, &[one]);
        Self {
            shader: module(device, "guides", SHADER),
            layout: joined(device, &[&layouts.globals, &layouts.tile]),
            by_format: HashMap::new(),
            depth: None,
            lines: GrowingBuffer::new("lines"),
            dots: GrowingBuffer::new("dots"),
            outlines,
            outlines_group,
            rows: (Vec::new(), Vec::new()),
        }
    }

    fn prepare(&mut self, device: &wgpu::Device, format: TextureFormat, size: Size) {
        let Self { shader, layout, by_format, depth, .. } = self;
        by_format.entry(format).or_insert_with(|| Formatted::new(device, shader, layout, format));
        if depth.as_ref().is_none_or(|(of, _)| *of != size) {
            let extent = (size.width(), size.height());
            let usage = TextureUsages::RENDER_ATTACHMENT;
            let texture = texture(device, "guide depth", extent, 1, DEPTH, usage);
            *depth = Some((size, texture.create_view(&wgpu::TextureViewDescriptor::default())));
        }
    }

    /// Uploads lines, points and outline styles.
    fn upload(
        &mut self,
        card: &Device,
        guides: &Guides,
        moment: &Moment<'_>,
        (middle, scale): (glam::DVec3, f32),
    ) {
        let (lines, dots) = &mut self.rows;
        lines.clear();
        dots.clear();
        let place = |p: glam::DVec3, w: f32| {
            let p = (p - middle).as_vec3();
            [p.x, p.y, p.z, w]
        };
        let mut line = |before, a, b, after, width, hidden, colours: [[f32; 4]; 2]| {
            let rows = [place(before, width), place(a, hidden), place(b, 0.0), place(after, 0.0)];
            let rows = [rows[0], rows[1], rows[2], rows[3], colours[0], colours[1]];
            lines.push(std::array::from_fn(|i| rows[i / 4][i % 4]));
        };
        for s in &guides.segments {
            line(s.before, s.a, s.b, s.after, s.width, s.hidden, s.colours);
        }
        for Highlight { object, colour, .. } in &guides.highlights {
            let Picked::Strand(index) = *object else { continue };
            let Some(drawn) = moment.strands.get(index) else { continue };
            // Visible parts have the outline; the axis is inside the strand, so it counts as hidden.
            let [r, g, b, a] = *colour;
            let points = drawn.strand.points();
            for (i, pair) in points.windows(2).enumerate() {
                let (before, after) = (i.saturating_sub(1), (i + 2).min(points.len() - 1));
                let colours = [[r, g, b, a]; 2];
                line(points[before], pair[0], pair[1], points[after], AXIS.0, AXIS.1, colours);
            }
        }
        for dot in &guides.dots {
            let shape = match dot.shape {
                DotShape::Disc => 0.0,
                DotShape::Ring => 1.0,
                DotShape::Square => 2.0,
                DotShape::Diamond => 3.0,
            };
            let rows = [place(dot.at, dot.radius), dot.colour, [shape, dot.hidden, 0.0, 0.0]];
            dots.push(std::array::from_fn(|i| rows[i / 4][i % 4]));
        }
        self.lines.write(card, bytemuck::cast_slice(lines));
        self.dots.write(card, bytemuck::cast_slice(dots));
        let stride = TILE_STRIDE as usize / 4;
        let outlined = guides.highlights.len().clamp(1, OUTLINES);
        let mut styles = vec![0.0_f32; stride * outlined * DIRECTIONS];
        // The first is also there for lines and points.
        styles[5] = scale;
        let rows = styles.chunks_exact_mut(stride);
        let each = guides.highlights.iter().flat_map(|one| (0..DIRECTIONS).map(move |k| (one, k)));
        for (row, (highlight, k)) in rows.zip(each) {
            let turns = k as f64 / DIRECTIONS as f64;
            let direction = [ops::cos_turns(turns) as f32, ops::sin_turns(turns) as f32];
            row[..4].copy_from_slice(&highlight.colour);
            row[4..8].copy_from_slice(&[highlight.width, scale, direction[0], direction[1]]);
        }
        card.queue.write_buffer(&self.outlines, 0, bytemuck::cast_slice(&styles));
    }
}

impl Formatted {
    fn new(
        device: &wgpu::Device,
        shader: &ShaderModule,
        layout: &wgpu::PipelineLayout,
        format: TextureFormat,
    ) -> Self {
        let linear = f64::from(u8::from(format.is_srgb()));
        let over = BlendState::PREMULTIPLIED_ALPHA_BLENDING;
        let flat = |entry, rows: &[wgpu::VertexAttribute], stride: usize| {
            [(VISIBLE, 0.0), (HIDDEN, 1.0)].map(|(compare, behind)| {
                let constants = [("BEHIND", behind), ("LINEAR", linear)];
                let buffers = [Some(buffer(4 * stride as u64, VertexStepMode::Instance, rows))];
                PipelineBuilder::new("guides", shader, (entry, "ink"), layout, format)
                    .reading(&buffers)
                    .at_depth(Some((compare, false)))
                    .blended(over)
                    .with_constants(&constants)
                    .build(device)
            })
        };
        let surface = |entry, buffers: &[Option<wgpu::VertexBufferLayout<'_>>], hull: f64| {
            let constants = [("HULL", hull), ("LINEAR", linear)];
            let builder =
                PipelineBuilder::new("solid", shader, (entry, "solid_ink"), layout, format)
                    .reading(buffers)
                    .with_constants(&constants);
            if hull > 0.5 {
                let builder = builder.at_depth(Some((CompareFunction::Greater, false)));
                builder.without(wgpu::Face::Front).blended(over).build(device)
            } else {
                let builder = builder.at_depth(Some((CompareFunction::Greater, true)));
                builder.without_colour().build(device)
            }
        };
        let solid = |entry, buffers: &[Option<wgpu::VertexBufferLayout<'_>>]| {
            [0.0, 1.0].map(|hull| surface(entry, buffers, hull))
        };
        let line: Vec<_> = (0..6).map(|k| four(k, k)).collect();
        let dot: Vec<_> = (0..3).map(|k| four(k, k)).collect();
        let knots = [0, 1, 2, 4].map(|k| four(k, k));
        let nexts = [0, 1, 2].map(|k| four(k, k + 5));
        let ring = [four(0, 10), attribute(wgpu::VertexFormat::Float32, 16, 11)];
        let place = [four(0, 0)];
        let knot = |rows| Some(buffer(4 * KNOT as u64, VertexStepMode::Instance, rows));
        let link = [knot(&knots), knot(&nexts), Some(buffer(20, VertexStepMode::Vertex, &ring))];
        Self {
            lines: flat("line", &line, LINE),
            dots: flat("dot_corner", &dot, DOT),
            tubes: solid("tube_solid", &link),
            caps: surface("cap_solid", &link, 0.0),
            facets: solid(
                "facet_solid",
                &[Some(buffer(4 * CORNER as u64, VertexStepMode::Vertex, &place))],
            ),
            skins: solid(
                "facet_solid",
                &[Some(buffer(4 * POINT as u64, VertexStepMode::Vertex, &place))],
            ),
        }
    }
}

impl GpuRenderer {
    /// Draws guides over the finished picture of a moment, the last that was laid out.
    pub(super) fn draw_guides(
        &mut self,
        guides: &Guides,
        moment: &Moment<'_>,
        (size, scale): (Size, f32),
        (target, format): (&TextureView, TextureFormat),
        encoder: &mut wgpu::CommandEncoder,
    ) {
        self.guides.prepare(&self.card.device, format, size);
        let middle = self.rows.middle;
        self.guides.upload(&self.card, guides, moment, (middle, scale));
        let passes = &self.guides;
        let (Some(formatted), Some((_, depth))) = (passes.by_format.get(&format), &passes.depth)
        else {
            return;
        };
        let load = wgpu::LoadOp::Load;
        let mut pass = begin(encoder, "guides", target, None, Some((depth, 0.0)), load);
        pass.set_bind_group(0, &self.globals_group, &[]);
        pass.set_bind_group(1, &passes.outlines_group, &[0]);
        self.draw_solids(&mut pass, formatted);
        for (index, highlight) in guides.highlights.iter().take(OUTLINES).enumerate() {
            for slot in index * DIRECTIONS..(index + 1) * DIRECTIONS {
                let offset = slot as u32 * TILE_STRIDE as u32;
                pass.set_bind_group(1, &passes.outlines_group, &[offset]);
                self.draw_outline(&mut pass, formatted, highlight.object);
            }
        }
        pass.set_bind_group(1, &passes.outlines_group, &[0]);
        for visible in [1, 0] {
            let (lines, dots) = (passes.rows.0.len() as u32, passes.rows.1.len() as u32);
            if let (Some(buffer), 1..) = (passes.lines.buffer(), lines) {
                pass.set_pipeline(&formatted.lines[visible]);
                pass.set_vertex_buffer(0, buffer.slice(..));
                pass.draw(0..6, 0..lines);
            }
            if let (Some(buffer), 1..) = (passes.dots.buffer(), dots) {
                pass.set_pipeline(&formatted.dots[visible]);
                pass.set_vertex_buffer(0, buffer.slice(..));
                pass.draw(0..6, 0..dots);
            }
        }
    }

    /// Depth of everything that hides guides.
    fn draw_solids(&self, pass: &mut wgpu::RenderPass<'_>, formatted: &Formatted) {
        for run in self.rows.runs.iter().filter(|run| run.kind != GHOST) {
            self.draw_tubes(pass, &formatted.tubes[0], run.sides, (run.first, run.end));
        }
        // Through an open end one would see the outline of the far side.
        for part in &self.rows.cap_parts {
            self.draw_ends(pass, &formatted.caps, part);
        }
        if let Some(corners) = self.corners.buffer() {
            pass.set_pipeline(&formatted.facets[0]);
            pass.set_vertex_buffer(0, corners.slice(..));
            for part in self.rows.corner_parts.iter().filter(|part| part.kind != GHOST) {
                pass.draw(part.first..part.end, 0..1);
            }
        }
        self.draw_skins(pass, &formatted.skins[0]);
    }

    fn draw_outline(&self, pass: &mut wgpu::RenderPass<'_>, formatted: &Formatted, object: Picked) {
        match object {
            Picked::Strand(strand) => {
                let own = |of: &u32| *of == strand as u32;
                for (_, sides, range) in self.rows.tube_ranges.iter().filter(|(of, ..)| own(of)) {
                    self.draw_tubes(pass, &formatted.tubes[1], *sides, *range);
                }
                let Some(corners) = self.corners.buffer() else { return };
                for (_, (first, end)) in self.rows.corner_ranges.iter().filter(|(of, _)| own(of)) {
                    pass.set_pipeline(&formatted.facets[1]);
                    pass.set_vertex_buffer(0, corners.slice(..));
                    pass.draw(*first..*end, 0..1);
                }
            }
            Picked::Mesh(mesh) => {
                let Some((first, end)) = self.rows.skins.ranges.get(mesh).copied() else { return };
                let buffers = (self.skin_points.buffer(), self.skin_triangles.buffer());
                let (Some(points), Some(triangles)) = buffers else { return };
                pass.set_pipeline(&formatted.skins[1]);
                pass.set_vertex_buffer(0, points.slice(..));
                pass.set_index_buffer(triangles.slice(..), wgpu::IndexFormat::Uint32);
                pass.draw_indexed(3 * first..3 * end, 0, 0..1);
            }
        }
    }

    /// Tubes between the knots of a range.
    pub(super) fn draw_tubes(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &RenderPipeline,
        sides: usize,
        (first, end): (u32, u32),
    ) {
        let Some(knots) = self.knots.buffer() else { return };
        let stride = 4 * KNOT as u64;
        let from = u64::from(first) * stride;
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, knots.slice(from..));
        pass.set_vertex_buffer(1, knots.slice(from + stride..));
        pass.set_vertex_buffer(2, self.ring.slice(..));
        pass.set_index_buffer(self.ring_joined.slice(..), wgpu::IndexFormat::Uint32);
        let ring = &self.rings[sides];
        let (a, b) = ring.joined;
        pass.draw_indexed(a..b, ring.first, 0..(end - first).saturating_sub(1));
    }
}
