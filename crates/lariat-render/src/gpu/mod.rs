//! The renderer on a graphics card, through wgpu: nearly the same picture as the reference
//! renderer, in less time.
//!
//! ```text
//! device.rs      finding a card; its errors and its loss
//! expose.rs      pictures: moments, passes, tone mapping
//! passes.rs      draw calls
//! halos.rs       halos of bulbs
//! rings.rs       cross-sections of tubes
//! guides.rs      lines, points and outlines over a live view
//! live.rs        views drawn into a texture of the caller
//! pending.rs     pictures that are read back without waiting
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
mod expose;
mod guides;
mod halos;
mod live;
mod passes;
mod pending;
mod pipelines;
mod rings;
mod rows;
mod skins;
mod targets;
mod uniforms;

use self::{
    device::Device,
    guides::GuidePasses,
    pipelines::{Pipelines, TILE_STRIDE},
    rings::{Ring, rings},
    rows::{Rows, SIDES},
    targets::{GrowingBuffer, Lights, Readback, Targets},
    uniforms::{COUNT, SKIES},
};
pub use self::{
    expose::Step,
    live::{Detail, LiveView, Target},
    pending::PendingPicture,
};
use crate::{Picture, RenderError, Renderer, View};

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
    readback: Option<Readback>,
    guides: GuidePasses,
    triangles: u64,
    /// Whether the current picture has simple shading.
    simple: bool,
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
        Self::with(Device::open(true)?)
    }

    /// As [`new`](Self::new), without software renderers.
    pub fn of_hardware() -> Result<Self, RenderError> {
        Self::with(Device::open(false)?)
    }

    /// Uses a device of the caller, such as that of a window; limits of WebGL 2 are enough. The
    /// handlers of the device stay those of the caller.
    ///
    /// [`draw_into`](Self::draw_into) and [`record_into`](Self::record_into) do not wait for the
    /// device. [`draw`](Renderer::draw), which returns a picture, does.
    pub fn on(device: wgpu::Device, queue: wgpu::Queue) -> Result<Self, RenderError> {
        let card = Device::given(device, queue);
        card.check_alive()?;
        let scopes = card.collect_errors();
        let opened = Self::with(card);
        scopes.pop()?;
        opened
    }

    fn with(card: Device) -> Result<Self, RenderError> {
        let device = &card.device;
        let pipelines = Pipelines::new(device);
        let guides = GuidePasses::new(device, &pipelines.layouts);
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
            readback: None,
            guides,
            triangles: 0,
            simple: false,
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

    /// The device, for textures that it draws into.
    pub fn device(&self) -> &wgpu::Device {
        &self.card.device
    }

    /// The queue of the device.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.card.queue
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
