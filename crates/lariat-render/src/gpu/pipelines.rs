//! The passes of a picture as the card knows them, made once.
//!
//! | pass | draws | into |
//! |---|---|---|
//! | map | ribbons and triangles, as a light sees them | depths along the key, depths around the sky |
//! | open | the ground | how much sky it sees |
//! | strands | tubes, caps, triangles; the ground; the background; what is veiled | light, several samples a pixel |
//! | film | several passes added up, halos, the film's response | light, then bytes |

use wgpu::{
    BindGroupLayout, BlendComponent, BlendFactor, BlendOperation, BlendState, CompareFunction,
    RenderPipeline, ShaderStages, TextureFormat, VertexFormat, VertexStepMode,
};

use super::rows::{CORNER, KNOT};

/// Light while it is gathered.
pub(super) const LIGHT: TextureFormat = TextureFormat::Rgba16Float;
/// Depths with cover, and finished pictures.
pub(super) const BYTES: TextureFormat = TextureFormat::Rgba8Unorm;
pub(super) const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// Bytes of one light's rows, as far apart as every card wants.
pub(super) const TILE_STRIDE: u64 = 256;

const COMMON: &str = include_str!("shader/common.wgsl");
const STRANDS: &str = concat!(
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

pub(super) struct Pipelines {
    pub globals: BindGroupLayout,
    pub tile: BindGroupLayout,
    pub maps: BindGroupLayout,
    pub open: BindGroupLayout,
    pub film: BindGroupLayout,
    pub map_ribbons: RenderPipeline,
    pub map_facets: RenderPipeline,
    pub bake: RenderPipeline,
    /// By samples a pixel: one, four.
    pub scene: [Scene; 2],
    pub gather: RenderPipeline,
    pub halo: RenderPipeline,
    pub develop: RenderPipeline,
}

/// What is drawn into the light.
pub(super) struct Scene {
    pub tube: RenderPipeline,
    pub veil: RenderPipeline,
    pub mist: RenderPipeline,
    pub cap: RenderPipeline,
    pub facet: RenderPipeline,
    pub ground: RenderPipeline,
    pub behind: RenderPipeline,
}

/// What differs from pass to pass.
struct Wish<'a> {
    label: &'a str,
    module: &'a wgpu::ShaderModule,
    entries: (&'a str, &'a str),
    layout: &'a wgpu::PipelineLayout,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    format: TextureFormat,
    blend: Option<BlendState>,
    /// Which depths pass, and whether they are written down.
    depth: Option<(CompareFunction, bool)>,
    samples: u32,
    /// Whether only what faces the eye is drawn.
    front: bool,
}

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let module = |label: &str, source: &str| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        };
        let strands = module("strands", STRANDS);
        let open = module("open", OPEN);
        let map = module("map", MAP);
        let film = module("film", FILM);
        debug_assert!(STRANDS.starts_with(COMMON), "every shader begins with what all know");

        let both = ShaderStages::VERTEX_FRAGMENT;
        let globals_layout = layout(device, "globals", &[uniform(0, both, false)]);
        let tile_layout = layout(device, "tile", &[uniform(0, ShaderStages::VERTEX, true)]);
        let maps_layout = layout(device, "maps", &[texture(0, both), texture(1, both)]);
        let open_layout = layout(
            device,
            "open",
            &[
                texture(0, ShaderStages::FRAGMENT),
                wgpu::BindGroupLayoutEntry {
                    binding: 1,
                    visibility: ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                    count: None,
                },
            ],
        );
        let film_layout = layout(device, "film", &[texture(0, ShaderStages::FRAGMENT)]);
        let joined = |groups: &[Option<&BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: None,
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let with_tile = joined(&[Some(&globals_layout), Some(&tile_layout)]);
        let with_maps = joined(&[Some(&globals_layout), Some(&maps_layout)]);
        let with_open = joined(&[Some(&globals_layout), Some(&maps_layout), Some(&open_layout)]);
        let with_light = joined(&[Some(&globals_layout), Some(&film_layout)]);

        let knots = [0, 1, 2, 3, 4].map(|k| four(k, k));
        let nexts = [0, 1, 2, 3, 4].map(|k| four(k, k + 5));
        let ring = [four(0, 10), attribute(VertexFormat::Float32, 16, 11)];
        let knot = |attributes| buffer(4 * KNOT as u64, VertexStepMode::Instance, attributes);
        let link = [
            Some(knot(&knots)),
            Some(knot(&nexts)),
            Some(buffer(20, VertexStepMode::Vertex, &ring)),
        ];
        let (near, far) =
            ([four(0, 0), four(1, 1), four(4, 4)], [four(0, 5), four(1, 6), four(4, 9)]);
        let ends = [Some(knot(&near)), Some(knot(&far))];
        let corners = [0, 1, 2, 3, 4, 5].map(|k| four(k, k));
        let corner = [Some(buffer(4 * CORNER as u64, VertexStepMode::Vertex, &corners))];
        let place = [four(0, 0)];
        let only_place = [Some(buffer(4 * CORNER as u64, VertexStepMode::Vertex, &place))];
        let halo_rows = [four(0, 0), four(1, 1)];
        let halos = [Some(buffer(32, VertexStepMode::Instance, &halo_rows))];

        let into_map = |label, entry, buffers| {
            pipeline(
                device,
                &Wish {
                    label,
                    module: &map,
                    entries: (entry, "depth"),
                    layout: &with_tile,
                    buffers,
                    format: BYTES,
                    blend: None,
                    depth: Some((CompareFunction::Less, true)),
                    samples: 1,
                    front: false,
                },
            )
        };
        let whole = |label, module, entries, layout, format, blend| {
            pipeline(
                device,
                &Wish {
                    label,
                    module,
                    entries,
                    layout,
                    buffers: &[],
                    format,
                    blend,
                    depth: None,
                    samples: 1,
                    front: false,
                },
            )
        };
        let add = BlendComponent {
            src_factor: BlendFactor::One,
            dst_factor: BlendFactor::One,
            operation: BlendOperation::Add,
        };
        let most = BlendComponent { operation: BlendOperation::Max, ..add };
        let scene = |samples| {
            let wish = |label, entries, buffers, blend, depth, front| {
                pipeline(
                    device,
                    &Wish {
                        label,
                        module: &strands,
                        entries,
                        layout: &with_open,
                        buffers,
                        format: LIGHT,
                        blend,
                        depth: Some(depth),
                        samples,
                        front,
                    },
                )
            };
            // Depth is 1 at the eye and 0 far away.
            let nearer = (CompareFunction::Greater, true);
            let over = Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING);
            Scene {
                tube: wish("tube", ("tube", "strand"), &link, None, nearer, true),
                veil: wish("veil", ("tube", "strand"), &link, over, nearer, true),
                mist: wish(
                    "mist",
                    ("tube", "strand"),
                    &link,
                    over,
                    (CompareFunction::Greater, false),
                    true,
                ),
                cap: wish("cap", ("cap", "strand"), &link, over, nearer, true),
                facet: wish("facet", ("facet", "strand"), &corner, over, nearer, false),
                ground: wish("ground", ("plane", "ground"), &[], None, nearer, true),
                behind: wish(
                    "behind",
                    ("far_away", "behind"),
                    &[],
                    None,
                    (CompareFunction::GreaterEqual, false),
                    false,
                ),
            }
        };
        Self {
            map_ribbons: into_map("map-ribbons", "ribbon", &ends),
            map_facets: into_map("map-facets", "facet", &only_place),
            bake: whole("bake", &open, ("whole", "bake"), &with_maps, BYTES, None),
            scene: [scene(1), scene(4)],
            gather: whole(
                "gather",
                &film,
                ("sheet", "gather"),
                &with_light,
                LIGHT,
                Some(BlendState { color: add, alpha: add }),
            ),
            halo: pipeline(
                device,
                &Wish {
                    label: "halo",
                    module: &film,
                    entries: ("ring", "halo"),
                    layout: &joined(&[Some(&globals_layout)]),
                    buffers: &halos,
                    format: LIGHT,
                    blend: Some(BlendState { color: add, alpha: most }),
                    depth: None,
                    samples: 1,
                    front: false,
                },
            ),
            develop: whole("develop", &film, ("sheet", "develop"), &with_light, BYTES, None),
            globals: globals_layout,
            tile: tile_layout,
            maps: maps_layout,
            open: open_layout,
            film: film_layout,
        }
    }
}

fn pipeline(device: &wgpu::Device, wish: &Wish<'_>) -> RenderPipeline {
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(wish.label),
        layout: Some(wish.layout),
        vertex: wgpu::VertexState {
            module: wish.module,
            entry_point: Some(wish.entries.0),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: wish.buffers,
        },
        primitive: wgpu::PrimitiveState {
            cull_mode: wish.front.then_some(wgpu::Face::Back),
            ..Default::default()
        },
        depth_stencil: wish.depth.map(|(compare, write)| wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(write),
            depth_compare: Some(compare),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: wish.samples, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module: wish.module,
            entry_point: Some(wish.entries.1),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: wish.format,
                blend: wish.blend,
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}

fn layout(
    device: &wgpu::Device,
    label: &str,
    entries: &[wgpu::BindGroupLayoutEntry],
) -> BindGroupLayout {
    let wish = wgpu::BindGroupLayoutDescriptor { label: Some(label), entries };
    device.create_bind_group_layout(&wish)
}

fn uniform(binding: u32, visibility: ShaderStages, moves: bool) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: moves,
            min_binding_size: None,
        },
        count: None,
    }
}

fn texture(binding: u32, visibility: ShaderStages) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
        count: None,
    }
}

fn buffer(
    array_stride: u64,
    step_mode: VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride, step_mode, attributes }
}

/// Row `at` of a knot or corner.
fn four(at: u32, location: u32) -> wgpu::VertexAttribute {
    attribute(VertexFormat::Float32x4, 16 * u64::from(at), location)
}

fn attribute(format: VertexFormat, offset: u64, shader_location: u32) -> wgpu::VertexAttribute {
    wgpu::VertexAttribute { format, offset, shader_location }
}
