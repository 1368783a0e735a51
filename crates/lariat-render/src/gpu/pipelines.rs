//! Render passes and pipelines.
//!
//! | pass | draws | into |
//! |---|---|---|
//! | map | ribbons, triangles and meshes, as seen by a light | depths along the key, depths around the sky |
//! | open | the ground | its visible share of the sky |
//! | scene | tubes, caps, triangles, meshes; the ground; the background; translucent strands | light, several samples per pixel |
//! | film | sum of several passes, halos, tone mapping | light, then bytes |
//!
//! Strands have a pipeline for every pattern, created when first needed: a single shader for all
//! patterns would evaluate all of them for every pixel on devices without branching, such as
//! software drivers.
//!
//! Tests: `shaders_have_the_same_constants`.

use std::collections::HashMap;

use wgpu::{
    BindGroupLayout, BlendComponent, BlendFactor, BlendOperation, BlendState, CompareFunction,
    PipelineLayout, RenderPipeline, ShaderModule, ShaderStages, TextureFormat, VertexFormat,
    VertexStepMode,
};

use super::{
    rows::{CORNER, KNOT},
    skins::POINT,
};

/// Accumulated light.
pub(super) const LIGHT: TextureFormat = TextureFormat::Rgba16Float;
/// Depths with cover, and finished pictures.
pub(super) const BYTES: TextureFormat = TextureFormat::Rgba8Unorm;
pub(super) const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// Distance between the uniforms of two lights in bytes, the alignment that every card supports.
pub(super) const TILE_STRIDE: u64 = 256;

/// Depth is 1 at the eye and 0 far away.
const NEARER: CompareFunction = CompareFunction::Greater;

const SCENE: &str = concat!(
    include_str!("shader/common.wgsl"),
    include_str!("shader/light.wgsl"),
    include_str!("shader/relief.wgsl"),
    include_str!("shader/strand.wgsl"),
    include_str!("shader/ground.wgsl"),
);
const OPEN: &str = concat!(
    include_str!("shader/common.wgsl"),
    include_str!("shader/light.wgsl"),
    include_str!("shader/open.wgsl"),
);
const MAP: &str = concat!(include_str!("shader/common.wgsl"), include_str!("shader/map.wgsl"));
const FILM: &str = concat!(include_str!("shader/common.wgsl"), include_str!("shader/film.wgsl"));

/// Way of drawing strands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Draw {
    /// An opaque tube.
    Tube,
    /// A tube that is translucent in places.
    Veil,
    /// A tube that hides nothing: thinner than a pixel everywhere, or a ghost.
    Mist,
    /// A flat end.
    Cap,
    /// Triangles visible from both sides.
    Facet,
    /// Triangles of a closed surface, visible from outside.
    Shell,
    /// A mesh.
    Skin,
}

/// Pattern of strands: its number in `relief.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Kind(pub u8);

/// Variant of the pipelines of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Variant {
    /// Samples per pixel: one or four.
    pub samples: u32,
    /// Whether shading is simplified.
    pub simple: bool,
}

pub(super) struct Pipelines {
    pub layouts: Layouts,
    pub map_ribbons: RenderPipeline,
    pub map_facets: RenderPipeline,
    /// Meshes as seen by the key.
    pub key_skins: RenderPipeline,
    /// Meshes as seen by the sky: their far side, and behind everything else the near one.
    pub sky_skins: [RenderPipeline; 2],
    pub vicinity: RenderPipeline,
    pub bake: RenderPipeline,
    /// Also bakes the light of bulbs, for simple shading.
    pub bake_simple: RenderPipeline,
    /// Adds the light of a pass to a sum by blending, if the card can do so in 32 bits.
    pub gather: Option<RenderPipeline>,
    /// Starts a sum of two parts, and adds the light of a pass to one.
    pub gather_divided: [RenderPipeline; 2],
    /// Sum of the light of several passes.
    pub sum: TextureFormat,
    /// For the light of one pass, and of several.
    halos: [RenderPipeline; 2],
    /// Tone mapping into pictures that are read back.
    pub develop: RenderPipeline,
    /// Tone mapping into targets of the caller, by their format and whether it enlarges.
    live: HashMap<(TextureFormat, bool), RenderPipeline>,
    film: (ShaderModule, PipelineLayout),
    /// By samples per pixel, one or four, and by shading, full or simple.
    backs: [[Backs; 2]; 2],
    strands: HashMap<(Draw, Kind, Variant), RenderPipeline>,
    scene: (ShaderModule, PipelineLayout),
}

/// Bind group layouts of the passes.
pub(super) struct Layouts {
    pub globals: BindGroupLayout,
    pub tile: BindGroupLayout,
    pub maps: BindGroupLayout,
    pub open: BindGroupLayout,
    pub light: BindGroupLayout,
    /// The light of a pass, and the two parts of the sum of those before.
    pub sums: BindGroupLayout,
}

/// Ground and background, behind all strands.
pub(super) struct Backs {
    pub ground: RenderPipeline,
    pub behind: RenderPipeline,
}

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let layouts = Layouts::new(device);
        let joined = |groups: &[&BindGroupLayout]| joined(device, groups);
        let with_tile = joined(&[&layouts.globals, &layouts.tile]);
        let with_maps = joined(&[&layouts.globals, &layouts.maps]);
        let with_light = joined(&[&layouts.globals, &layouts.light]);
        let with_open = joined(&[&layouts.globals, &layouts.maps, &layouts.open]);
        let alone = joined(&[&layouts.globals]);

        let map = module(device, "map", MAP);
        let knot = |rows| buffer(4 * KNOT as u64, VertexStepMode::Instance, rows);
        let (from, to) =
            ([four(0, 0), four(1, 1), four(4, 4)], [four(0, 5), four(1, 6), four(4, 9)]);
        let place = [four(0, 0)];
        let map_builder = |entry| {
            let builder = PipelineBuilder::new("map", &map, (entry, "depth"), &with_tile, BYTES);
            builder.at_depth(Some((CompareFunction::Less, true)))
        };
        let into_map = |entry, buffers| map_builder(entry).reading(buffers).build(device);
        let skin = [Some(buffer(4 * POINT as u64, VertexStepMode::Vertex, &place))];
        let film = module(device, "film", FILM);
        let halos = [four(0, 0), four(1, 1)];
        let add = BlendComponent {
            src_factor: BlendFactor::One,
            dst_factor: BlendFactor::One,
            operation: BlendOperation::Add,
        };
        let most = BlendComponent { operation: BlendOperation::Max, ..add };

        // The sum of hundreds of passes needs 32 bits, and not every card can blend in that format.
        let blends_sum = device.features().contains(wgpu::Features::FLOAT32_BLENDABLE);
        let sum = TextureFormat::Rgba32Float;
        let with_sums = joined(&[&layouts.globals, &layouts.sums]);
        let gather = PipelineBuilder::new("gather", &film, ("sheet", "gather"), &with_light, sum)
            .blended(BlendState { color: add, alpha: add });

        let open = module(device, "open", OPEN);
        let scene = module(device, "scene", SCENE);
        let backs = |samples, simple| {
            let simple = [("SIMPLE", f64::from(u8::from(simple)))];
            let builder = |entries| {
                PipelineBuilder::new("back", &scene, entries, &with_open, LIGHT)
                    .with_constants(&simple)
            };
            let ground = builder(("plane", "ground")).at_depth(Some((NEARER, true)));
            let behind = (CompareFunction::GreaterEqual, false);
            Backs {
                ground: ground.only_front().with_samples(samples).build(device),
                behind: builder(("far_away", "behind"))
                    .at_depth(Some(behind))
                    .with_samples(samples)
                    .build(device),
            }
        };
        Self {
            map_ribbons: into_map("ribbon", &[Some(knot(&from)), Some(knot(&to))]),
            map_facets: into_map(
                "facet",
                &[Some(buffer(4 * CORNER as u64, VertexStepMode::Vertex, &place))],
            ),
            key_skins: into_map("facet", &skin),
            // Maps are drawn upside down, so faces towards the light are clockwise.
            sky_skins: [("facet", wgpu::Face::Back), ("near_side", wgpu::Face::Front)]
                .map(|(entry, cull)| map_builder(entry).reading(&skin).without(cull).build(device)),
            vicinity: PipelineBuilder::new(
                "vicinity",
                &map,
                ("vicinity", "there"),
                &with_tile,
                BYTES,
            )
            .reading(&[Some(knot(&from)), Some(knot(&to))])
            .build(device),
            bake: PipelineBuilder::new("bake", &open, ("whole", "bake"), &with_maps, BYTES)
                .build(device),
            bake_simple: PipelineBuilder::new(
                "bake",
                &open,
                ("whole", "bake_simple"),
                &with_maps,
                LIGHT,
            )
            .build(device),
            gather: blends_sum.then(|| gather.build(device)),
            gather_divided: [("gather_first", &with_light), ("gather_next", &with_sums)].map(
                |(entry, layout)| {
                    PipelineBuilder::new(entry, &film, ("sheet", entry), layout, LIGHT)
                        .into_two()
                        .build(device)
                },
            ),
            sum,
            halos: [LIGHT, if blends_sum { sum } else { LIGHT }].map(|format| {
                PipelineBuilder::new("halo", &film, ("ring", "halo"), &alone, format)
                    .reading(&[Some(buffer(32, VertexStepMode::Instance, &halos))])
                    .blended(BlendState { color: add, alpha: most })
                    .build(device)
            }),
            develop: PipelineBuilder::new(
                "develop",
                &film,
                ("sheet", "develop"),
                &with_light,
                BYTES,
            )
            .build(device),
            live: HashMap::new(),
            film: (film, with_light),
            backs: [1, 4].map(|samples| [false, true].map(|simple| backs(samples, simple))),
            strands: HashMap::new(),
            scene: (scene, with_open),
            layouts,
        }
    }

    /// Halos, for the light of one pass or of several.
    pub(super) fn halo(&self, several: bool) -> &RenderPipeline {
        &self.halos[usize::from(several)]
    }

    /// Creates the tone mapping for targets of a format, unless it exists.
    pub(super) fn prepare_target(
        &mut self,
        device: &wgpu::Device,
        format: TextureFormat,
        enlarged: bool,
    ) {
        let Self { live, film: (film, layout), .. } = self;
        live.entry((format, enlarged)).or_insert_with(|| {
            // The card encodes colours of an sRGB target itself.
            let encode = f64::from(u8::from(!format.is_srgb()));
            let constants = [("ENCODE", encode), ("PREMULTIPLY", 1.0)];
            let entries = if enlarged { ("pane", "enlarge") } else { ("sheet", "develop") };
            PipelineBuilder::new("live", film, entries, layout, format)
                .with_constants(&constants)
                .build(device)
        });
    }

    /// Tone mapping for a format, created by [`prepare_target`](Self::prepare_target).
    pub(super) fn live(&self, format: TextureFormat, enlarged: bool) -> Option<&RenderPipeline> {
        self.live.get(&(format, enlarged))
    }

    /// Ground and background, behind all strands.
    pub(super) fn backs(&self, variant: Variant) -> &Backs {
        &self.backs[usize::from(variant.samples > 1)][usize::from(variant.simple)]
    }

    /// Creates the pipeline for strands of a kind, unless it exists.
    pub(super) fn prepare(
        &mut self,
        device: &wgpu::Device,
        draw: Draw,
        kind: Kind,
        variant: Variant,
    ) {
        let Self { strands, scene: (scene, layout), .. } = self;
        strands.entry((draw, kind, variant)).or_insert_with(|| {
            let knots = [0, 1, 2, 3, 4].map(|k| four(k, k));
            let nexts = [0, 1, 2, 3, 4].map(|k| four(k, k + 5));
            let ring = [four(0, 10), attribute(VertexFormat::Float32, 16, 11)];
            let corners = [0, 1, 2, 3, 4, 5].map(|k| four(k, k));
            let tube = [
                Some(buffer(4 * KNOT as u64, VertexStepMode::Instance, &knots)),
                Some(buffer(4 * KNOT as u64, VertexStepMode::Instance, &nexts)),
                Some(buffer(20, VertexStepMode::Vertex, &ring)),
            ];
            let facet = [Some(buffer(4 * CORNER as u64, VertexStepMode::Vertex, &corners))];
            let points = [0, 1, 2, 3].map(|k| four(k, k));
            let skin = [Some(buffer(4 * POINT as u64, VertexStepMode::Vertex, &points))];
            let (entry, buffers) = match draw {
                Draw::Tube | Draw::Veil | Draw::Mist => ("tube", &tube[..]),
                Draw::Cap => ("cap", &tube[..]),
                Draw::Facet | Draw::Shell => ("facet", &facet[..]),
                Draw::Skin => ("skin", &skin[..]),
            };
            let simple = f64::from(u8::from(variant.simple));
            let constants = [("KIND", f64::from(kind.0)), ("SIMPLE", simple)];
            let mut builder =
                PipelineBuilder::new("strand", scene, (entry, "strand"), layout, LIGHT)
                    .reading(buffers)
                    .at_depth(Some((NEARER, draw != Draw::Mist)))
                    .with_samples(variant.samples)
                    .with_constants(&constants);
            if !matches!(draw, Draw::Tube | Draw::Skin) {
                builder = builder.blended(BlendState::PREMULTIPLIED_ALPHA_BLENDING);
            }
            if !matches!(draw, Draw::Facet | Draw::Skin) {
                builder = builder.only_front();
            }
            builder.build(device)
        });
    }

    /// A pipeline created by [`prepare`](Self::prepare).
    pub(super) fn strands(
        &self,
        draw: Draw,
        kind: Kind,
        variant: Variant,
    ) -> Option<&RenderPipeline> {
        self.strands.get(&(draw, kind, variant))
    }
}

/// Layout of a pipeline with bind groups in their order.
pub(super) fn joined(device: &wgpu::Device, groups: &[&BindGroupLayout]) -> PipelineLayout {
    let groups: Vec<_> = groups.iter().map(|group| Some(*group)).collect();
    device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &groups,
        immediate_size: 0,
    })
}

/// Builder of a pipeline.
#[derive(Clone, Copy)]
pub(super) struct PipelineBuilder<'a> {
    label: &'a str,
    module: &'a ShaderModule,
    entries: (&'a str, &'a str),
    layout: &'a PipelineLayout,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    format: TextureFormat,
    blend: Option<BlendState>,
    /// Depth comparison, and whether depths are written.
    depth: Option<(CompareFunction, bool)>,
    samples: u32,
    /// Culled side, if any.
    cull: Option<wgpu::Face>,
    constants: &'a [(&'a str, f64)],
    writes: wgpu::ColorWrites,
    /// Number of targets, all with the same format.
    targets: usize,
}

impl<'a> PipelineBuilder<'a> {
    pub(super) fn new(
        label: &'a str,
        module: &'a ShaderModule,
        entries: (&'a str, &'a str),
        layout: &'a PipelineLayout,
        format: TextureFormat,
    ) -> Self {
        Self {
            label,
            module,
            entries,
            layout,
            buffers: &[],
            format,
            blend: None,
            depth: None,
            samples: 1,
            cull: None,
            constants: &[],
            writes: wgpu::ColorWrites::ALL,
            targets: 1,
        }
    }

    /// With two targets.
    fn into_two(self) -> Self {
        Self { targets: 2, ..self }
    }

    /// Only depth is written.
    pub(super) fn without_colour(self) -> Self {
        Self { writes: wgpu::ColorWrites::empty(), ..self }
    }

    pub(super) fn reading(self, buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>]) -> Self {
        Self { buffers, ..self }
    }

    pub(super) fn blended(self, blend: BlendState) -> Self {
        Self { blend: Some(blend), ..self }
    }

    pub(super) fn at_depth(self, depth: Option<(CompareFunction, bool)>) -> Self {
        Self { depth, ..self }
    }

    fn with_samples(self, samples: u32) -> Self {
        Self { samples, ..self }
    }

    fn only_front(self) -> Self {
        self.without(wgpu::Face::Back)
    }

    pub(super) fn without(self, side: wgpu::Face) -> Self {
        Self { cull: Some(side), ..self }
    }

    pub(super) fn with_constants(self, constants: &'a [(&'a str, f64)]) -> Self {
        Self { constants, ..self }
    }

    pub(super) fn build(&self, device: &wgpu::Device) -> RenderPipeline {
        let options =
            wgpu::PipelineCompilationOptions { constants: self.constants, ..Default::default() };
        let target = Some(wgpu::ColorTargetState {
            format: self.format,
            blend: self.blend,
            write_mask: self.writes,
        });
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(self.layout),
            vertex: wgpu::VertexState {
                module: self.module,
                entry_point: Some(self.entries.0),
                compilation_options: options.clone(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState { cull_mode: self.cull, ..Default::default() },
            depth_stencil: self.depth.map(|(compare, write)| wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(write),
                depth_compare: Some(compare),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState { count: self.samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: self.module,
                entry_point: Some(self.entries.1),
                compilation_options: options,
                targets: &[target.clone(), target][..self.targets],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

impl Layouts {
    fn new(device: &wgpu::Device) -> Self {
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some(label), entries };
            device.create_bind_group_layout(&descriptor)
        };
        let both = ShaderStages::VERTEX_FRAGMENT;
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        Self {
            globals: layout("globals", &[entry(0, both, uniform(false))]),
            tile: layout("tile", &[entry(0, ShaderStages::VERTEX, uniform(true))]),
            maps: layout("maps", &[0, 1, 2].map(|binding| entry(binding, both, TEXTURE))),
            open: layout(
                "open",
                &[
                    entry(0, ShaderStages::FRAGMENT, TEXTURE),
                    entry(1, ShaderStages::FRAGMENT, sampler),
                ],
            ),
            light: layout("light", &[entry(0, ShaderStages::FRAGMENT, UNFILTERED)]),
            sums: layout("sums", &[0, 1, 2].map(|k| entry(k, ShaderStages::FRAGMENT, UNFILTERED))),
        }
    }
}

const TEXTURE: wgpu::BindingType = wgpu::BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Float { filterable: true },
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: false,
};

/// A texture that is read texel by texel.
const UNFILTERED: wgpu::BindingType = wgpu::BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Float { filterable: false },
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: false,
};

fn uniform(moves: bool) -> wgpu::BindingType {
    wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: moves,
        min_binding_size: None,
    }
}

fn entry(
    binding: u32,
    visibility: ShaderStages,
    ty: wgpu::BindingType,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

pub(super) fn module(device: &wgpu::Device, label: &str, source: &str) -> ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    })
}

pub(super) fn buffer(
    array_stride: u64,
    step_mode: VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride, step_mode, attributes }
}

/// Row `at` of a knot, a corner or a halo.
pub(super) fn four(at: u32, location: u32) -> wgpu::VertexAttribute {
    attribute(VertexFormat::Float32x4, 16 * u64::from(at), location)
}

pub(super) fn attribute(
    format: VertexFormat,
    offset: u64,
    shader_location: u32,
) -> wgpu::VertexAttribute {
    wgpu::VertexAttribute { format, offset, shader_location }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cpu::shade::{MATTE, SHARPEST, WET},
        gpu::uniforms,
        laid::THIN,
        lamps::{NEAR, OWN, POWER, SHINE, TOGETHER},
        surface, water,
    };

    #[test]
    fn shaders_have_the_same_constants() {
        let all = [SCENE, OPEN, MAP, FILM, super::super::guides::SHADER].concat();
        let numbers = [
            ("THIN", THIN),
            ("SHINE", SHINE),
            ("POWER", POWER),
            ("NEAR", NEAR),
            ("OWN", OWN),
            ("MATTE", MATTE),
            ("SHARPEST", SHARPEST),
            ("WET", WET),
            ("BENT", water::BENT),
            ("PITCH", surface::PITCH),
            ("SOCKET", surface::SOCKET),
            ("COLLAR", surface::COLLAR),
            ("VICINITY", f64::from(uniforms::VICINITY)),
            ("TEXELS", f64::from(uniforms::OPEN)),
            ("LIT_TEXELS", f64::from(uniforms::LIT)),
        ];
        for (name, number) in numbers {
            let line = format!("const {name}: f32 = {number:?};");
            assert!(all.contains(&line), "no shader contains `{line}`");
        }
        assert!(all.contains(&format!("const TOGETHER: i32 = {TOGETHER};")));
    }
}
