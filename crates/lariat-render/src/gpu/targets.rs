//! Render targets, and growing buffers.

use wgpu::{BindGroup, BufferUsages, TextureUsages as Use, TextureView};

use super::{
    device::Device,
    pipelines::{BYTES, DEPTH, LIGHT, Pipelines},
    uniforms::{ACROSS, LIT, OPEN, SKIES, TILE, VICINITY},
};
use crate::{Picture, RenderError, Size};

/// Depth maps of the lights.
pub(super) struct Lights {
    pub key_texels: u32,
    pub maps_group: BindGroup,
    pub open_group: BindGroup,
    pub lit_group: BindGroup,
    key: (TextureView, TextureView),
    sky: (TextureView, TextureView),
    vicinity: TextureView,
    open: TextureView,
    /// Openness of the ground with the light of bulbs on it.
    lit: TextureView,
}

impl Lights {
    pub(super) fn new(device: &wgpu::Device, pipelines: &Pipelines, key_texels: u32) -> Self {
        let map = |label, (width, height)| {
            let usage = Use::RENDER_ATTACHMENT | Use::TEXTURE_BINDING;
            (
                texture(device, label, (width, height), 1, BYTES, usage),
                texture(device, label, (width, height), 1, DEPTH, Use::RENDER_ATTACHMENT),
            )
        };
        let view =
            |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let both = |(a, b): (wgpu::Texture, wgpu::Texture)| (view(&a), view(&b));
        let key = both(map("key", (key_texels, key_texels)));
        let sky = both(map("sky", (ACROSS * TILE, SKIES as u32 / ACROSS * TILE)));
        let vicinity = view(&map("vicinity", (VICINITY, VICINITY)).0);
        let open = view(&map("open", (OPEN, OPEN)).0);
        let usage = Use::RENDER_ATTACHMENT | Use::TEXTURE_BINDING;
        let lit = view(&texture(device, "lit", (LIT, LIT), 1, LIGHT, usage));
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let shown = wgpu::BindingResource::TextureView;
        let maps_group = group(
            device,
            &pipelines.layouts.maps,
            &[shown(&key.0), shown(&sky.0), shown(&vicinity)],
        );
        let sampled = wgpu::BindingResource::Sampler(&sampler);
        let layout = &pipelines.layouts.open;
        let open_group = group(device, layout, &[shown(&open), sampled.clone()]);
        let lit_group = group(device, layout, &[shown(&lit), sampled]);
        Self { key_texels, maps_group, open_group, lit_group, key, sky, vicinity, open, lit }
    }

    pub(super) fn key_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
    ) -> wgpu::RenderPass<'e> {
        begin(encoder, "key", &self.key.0, None, Some((&self.key.1, 1.0)), FAR)
    }

    pub(super) fn sky_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
    ) -> wgpu::RenderPass<'e> {
        begin(encoder, "sky", &self.sky.0, None, Some((&self.sky.1, 1.0)), FAR)
    }

    pub(super) fn vicinity_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
    ) -> wgpu::RenderPass<'e> {
        begin(encoder, "vicinity", &self.vicinity, None, None, NOTHING)
    }

    pub(super) fn open_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
    ) -> wgpu::RenderPass<'e> {
        begin(encoder, "open", &self.open, None, None, FAR)
    }

    pub(super) fn lit_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
    ) -> wgpu::RenderPass<'e> {
        begin(encoder, "lit", &self.lit, None, None, NOTHING)
    }
}

/// Largest depth, without cover.
const FAR: wgpu::LoadOp<wgpu::Color> =
    wgpu::LoadOp::Clear(wgpu::Color { r: 1.0, g: 1.0, b: 1.0, a: 0.0 });

const NOTHING: wgpu::LoadOp<wgpu::Color> = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);

/// Render targets of one picture size.
pub(super) struct Targets {
    pub samples: u32,
    size: Size,
    /// Multisampled light, with several samples per pixel.
    fine: Option<TextureView>,
    depth: TextureView,
    light: TextureView,
    pub light_group: BindGroup,
    /// Sum of several passes, if there are several.
    sum: Option<Sum>,
}

/// Sum of several passes.
enum Sum {
    /// Passes are blended into one texture.
    Blended((TextureView, BindGroup)),
    /// Each pass adds the sum so far, from one pair of textures into the other.
    Alternating(Box<Alternating>),
}

/// Two pairs of textures: a sum in 16 bits, and the rest that does not fit into them.
struct Alternating {
    sums: [(TextureView, BindGroup); 2],
    rests: [TextureView; 2],
    /// The light of a pass and the pair of the same index.
    pairs: [BindGroup; 2],
}

impl Targets {
    pub(super) fn new(
        device: &wgpu::Device,
        pipelines: &Pipelines,
        size: Size,
        samples: u32,
        several: bool,
    ) -> Self {
        let extent = (size.width(), size.height());
        let view =
            |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let drawn = Use::RENDER_ATTACHMENT;
        let gathered = |label, format| {
            let view =
                view(&texture(device, label, extent, 1, format, drawn | Use::TEXTURE_BINDING));
            let shown = wgpu::BindingResource::TextureView(&view);
            let group = group(device, &pipelines.layouts.light, &[shown]);
            (view, group)
        };
        let (light, light_group) = gathered("light", LIGHT);
        let sum = several.then(|| {
            if pipelines.gather.is_some() {
                return Sum::Blended(gathered("sum", pipelines.sum));
            }
            let sums = [0, 1].map(|_| gathered("sum", LIGHT));
            let rests = [0, 1].map(|_| gathered("rest", LIGHT).0);
            let shown = wgpu::BindingResource::TextureView;
            let pairs = [0, 1].map(|k| {
                let all = [shown(&light), shown(&sums[k].0), shown(&rests[k])];
                group(device, &pipelines.layouts.sums, &all)
            });
            Sum::Alternating(Box::new(Alternating { sums, rests, pairs }))
        });
        Self {
            samples,
            size,
            fine: (samples > 1)
                .then(|| view(&texture(device, "fine", extent, samples, LIGHT, drawn))),
            depth: view(&texture(device, "depth", extent, samples, DEPTH, drawn)),
            light,
            light_group,
            sum,
        }
    }

    pub(super) fn fits(&self, size: Size, samples: u32, several: bool) -> bool {
        (self.size, self.samples, self.sum.is_some()) == (size, samples, several)
    }

    pub(super) fn scene<'e>(&self, encoder: &'e mut wgpu::CommandEncoder) -> wgpu::RenderPass<'e> {
        let (view, resolved) = match &self.fine {
            Some(fine) => (fine, Some(&self.light)),
            None => (&self.light, None),
        };
        begin(encoder, "scene", view, resolved, Some((&self.depth, 0.0)), NOTHING)
    }

    /// Adds the light of a pass to the sum.
    pub(super) fn gather(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipelines: &Pipelines,
        globals: &BindGroup,
        number: usize,
    ) {
        let first = number == 0;
        let (mut pass, pipeline, group) = match (&self.sum, &pipelines.gather) {
            (Some(Sum::Blended((view, _))), Some(gather)) => {
                let load = if first { NOTHING } else { wgpu::LoadOp::Load };
                (begin(encoder, "gather", view, None, None, load), gather, &self.light_group)
            }
            (Some(Sum::Alternating(alternating)), _) => {
                let Alternating { sums, rests, pairs } = &**alternating;
                let to = number % 2;
                let pass = begin_two(encoder, "gather", [&sums[to].0, &rests[to]]);
                let group = if first { &self.light_group } else { &pairs[1 - to] };
                (pass, &pipelines.gather_divided[usize::from(!first)], group)
            }
            _ => return,
        };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, globals, &[]);
        pass.set_bind_group(1, group, &[]);
        pass.draw(0..3, 0..1);
    }

    /// Whether passes are blended into one sum, to which halos are added at the end. Otherwise
    /// halos are added to the light of every pass.
    pub(super) fn is_blended(&self) -> bool {
        matches!(self.sum, Some(Sum::Blended(_)))
    }

    /// Whether passes are added without blending.
    pub(super) fn alternates(&self) -> bool {
        matches!(self.sum, Some(Sum::Alternating(_)))
    }

    /// Finished light of a number of passes.
    pub(super) fn whole_group(&self, passes: usize) -> &BindGroup {
        match &self.sum {
            Some(Sum::Blended((_, group))) => group,
            Some(Sum::Alternating(alternating)) => &alternating.sums[(passes + 1) % 2].1,
            None => &self.light_group,
        }
    }

    /// A pass that adds halos: to the blended sum, or to the light of a pass.
    pub(super) fn adding<'e>(&self, encoder: &'e mut wgpu::CommandEncoder) -> wgpu::RenderPass<'e> {
        let to = match &self.sum {
            Some(Sum::Blended((view, _))) => view,
            _ => &self.light,
        };
        begin(encoder, "halos", to, None, None, wgpu::LoadOp::Load)
    }
}

/// A pass that replaces all pixels of a view.
pub(super) fn covering<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    label: &str,
    view: &TextureView,
) -> wgpu::RenderPass<'e> {
    begin(encoder, label, view, None, None, NOTHING)
}

/// A finished picture on the card, and the buffer through which it is read.
pub(super) struct Readback {
    size: Size,
    bytes: wgpu::Texture,
    pub view: TextureView,
    out: wgpu::Buffer,
    stride: u32,
}

impl Readback {
    pub(super) fn new(device: &wgpu::Device, size: Size) -> Self {
        let extent = (size.width(), size.height());
        let usage = Use::RENDER_ATTACHMENT | Use::COPY_SRC;
        let bytes = texture(device, "bytes", extent, 1, BYTES, usage);
        let stride = (4 * size.width()).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let out = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("out"),
            size: u64::from(stride) * u64::from(size.height()),
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let view = bytes.create_view(&wgpu::TextureViewDescriptor::default());
        Self { size, bytes, view, out, stride }
    }

    pub(super) fn fits(&self, size: Size) -> bool {
        self.size == size
    }

    /// Copies the picture to the readback buffer.
    pub(super) fn copy_out(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.copy_texture_to_buffer(
            self.bytes.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.out,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(self.stride),
                    rows_per_image: None,
                },
            },
            wgpu::Extent3d {
                width: self.size.width(),
                height: self.size.height(),
                depth_or_array_layers: 1,
            },
        );
    }

    /// Reads the picture from the readback buffer.
    pub(super) fn picture(&self, card: &Device) -> Result<Picture, RenderError> {
        self.map(|_| {});
        card.wait()?;
        self.mapped_picture()
    }

    /// Calls back once the readback buffer can be read, or cannot.
    pub(super) fn map(&self, done: impl FnOnce(bool) + Send + 'static) {
        self.out.slice(..).map_async(wgpu::MapMode::Read, move |mapped| done(mapped.is_ok()));
    }

    /// Reads the picture from the mapped readback buffer.
    pub(super) fn mapped_picture(&self) -> Result<Picture, RenderError> {
        let refused = |reason: String| RenderError::Gpu { reason };
        let slice = self.out.slice(..);
        let mut picture = Picture::new(self.size, [0; 4]);
        {
            let bytes = slice.get_mapped_range().map_err(|error| refused(error.to_string()))?;
            let width = self.size.width() as usize;
            let rows = bytes.chunks(self.stride as usize);
            for (to, from) in picture.pixels_mut().chunks_mut(width).zip(rows) {
                to.as_flattened_mut().copy_from_slice(&from[..4 * width]);
            }
        }
        self.out.unmap();
        Ok(picture)
    }
}

/// Buffer that grows as needed.
pub(super) struct GrowingBuffer {
    label: &'static str,
    usage: BufferUsages,
    buffer: Option<wgpu::Buffer>,
}

impl GrowingBuffer {
    pub(super) fn new(label: &'static str) -> Self {
        Self { label, usage: BufferUsages::VERTEX, buffer: None }
    }

    /// Index buffer.
    pub(super) fn of_indices(label: &'static str) -> Self {
        Self { usage: BufferUsages::INDEX, ..Self::new(label) }
    }

    pub(super) fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref()
    }

    pub(super) fn write(&mut self, card: &Device, bytes: &[u8]) {
        let needed = bytes.len() as u64;
        if needed == 0 {
            return;
        }
        if self.buffer.as_ref().is_none_or(|buffer| buffer.size() < needed) {
            let size = needed + needed / 4;
            let size = size.next_multiple_of(256);
            self.buffer = Some(buffer(&card.device, self.label, size, self.usage));
        }
        if let Some(buffer) = &self.buffer {
            card.queue.write_buffer(buffer, 0, bytes);
        }
    }
}

pub(super) fn buffer(
    device: &wgpu::Device,
    label: &str,
    size: u64,
    usage: BufferUsages,
) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: usage | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Bind group of resources in the order of their bindings.
pub(super) fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    resources: &[wgpu::BindingResource<'_>],
) -> BindGroup {
    let entries: Vec<_> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}

pub(super) fn texture(
    device: &wgpu::Device,
    label: &str,
    (width, height): (u32, u32),
    sample_count: u32,
    format: wgpu::TextureFormat,
    usage: Use,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}

pub(super) fn begin<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    label: &str,
    view: &TextureView,
    resolve_target: Option<&TextureView>,
    depth: Option<(&TextureView, f32)>,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPass<'e> {
    let store =
        if resolve_target.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: wgpu::Operations { load, store },
        })],
        depth_stencil_attachment: depth.map(|(view, clear)| {
            wgpu::RenderPassDepthStencilAttachment {
                view,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(clear),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }
        }),
        ..Default::default()
    })
}

/// A pass that replaces all pixels of two views.
fn begin_two<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    label: &str,
    views: [&TextureView; 2],
) -> wgpu::RenderPass<'e> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &views.map(|view| {
            Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: NOTHING, store: wgpu::StoreOp::Store },
            })
        }),
        ..Default::default()
    })
}
