//! Views drawn into a texture on a device of the caller, compared with pictures that are read back.
//!
//! The device has the limits of WebGL 2 and no optional features, as in a browser.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use glam::DVec3;
use lariat_core::geometry::Strand;
use lariat_render::{
    Camera, Detail, GpuRenderer, LiveView, Moment, Picture, Quality, RenderError, Renderer, Size,
    Stage, Target, View, bounds_of,
};
use wgpu::TextureFormat;

use crate::{
    gpu::difference,
    scenes::{lights, rope_and_spring},
};

/// A device of a caller.
pub(crate) struct Caller {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}

impl Caller {
    /// Opens a device, or returns `None` if there is none.
    pub(crate) fn open() -> Option<Self> {
        // As the renderer that opens its own device.
        let adapter = [wgpu::Backends::PRIMARY, wgpu::Backends::GL].into_iter().find_map(|some| {
            let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
            descriptor.backends = wgpu::Backends::from_env().unwrap_or(some);
            let instance = wgpu::Instance::new(descriptor);
            pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))
                .ok()
        });
        let Some(adapter) = adapter else {
            assert!(std::env::var_os("LARIAT_NEEDS_GPU").is_none(), "no adapter");
            return None;
        };
        let descriptor = wgpu::DeviceDescriptor {
            required_limits: wgpu::Limits::downlevel_webgl2_defaults()
                .using_resolution(adapter.limits()),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
        Some(Self { device, queue })
    }

    pub(crate) fn renderer(&self) -> Result<GpuRenderer, RenderError> {
        GpuRenderer::on(self.device.clone(), self.queue.clone())
    }

    /// Draws a view into a texture of the format, and reads it: four bytes per pixel.
    pub(crate) fn draw(
        &self,
        renderer: &mut GpuRenderer,
        live: &LiveView<'_>,
        format: TextureFormat,
    ) -> Result<Picture, RenderError> {
        let texture = self.texture(live.view.size, format);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        renderer.draw_into(live, &Target { view: &view, format })?;
        Ok(self.read(&texture, live.view.size))
    }

    fn texture(&self, size: Size, format: TextureFormat) -> wgpu::Texture {
        self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: extent(size),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })
    }

    fn read(&self, texture: &wgpu::Texture, size: Size) -> Picture {
        let stride = (4 * size.width()).next_multiple_of(256);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(stride * size.height()),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder =
            self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(stride),
            rows_per_image: None,
        };
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
            extent(size),
        );
        self.queue.submit([encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |mapped| mapped.unwrap());
        self.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        let bytes = buffer.get_mapped_range(..).unwrap();
        let mut picture = Picture::new(size, [0; 4]);
        let width = size.width() as usize;
        let rows = bytes.chunks(stride as usize);
        for (to, from) in picture.pixels_mut().chunks_mut(width).zip(rows) {
            to.as_flattened_mut().copy_from_slice(&from[..4 * width]);
        }
        picture
    }
}

fn extent(size: Size) -> wgpu::Extent3d {
    wgpu::Extent3d { width: size.width(), height: size.height(), depth_or_array_layers: 1 }
}

/// One device for all tests, used by one at a time; `None` if there is none.
pub(crate) fn caller() -> Option<MutexGuard<'static, Caller>> {
    static CALLER: OnceLock<Option<Mutex<Caller>>> = OnceLock::new();
    let caller = CALLER.get_or_init(|| Caller::open().map(Mutex::new));
    caller.as_ref().map(|caller| caller.lock().unwrap_or_else(PoisonError::into_inner))
}

pub(crate) fn camera(strands: &[Strand], size: Size) -> Camera {
    Camera::framing(&bounds_of(strands), DVec3::new(-0.3, 1.0, -0.5), size.aspect())
}

const BYTES: TextureFormat = TextureFormat::Rgba8Unorm;

#[test]
fn a_live_view_has_the_bytes_of_the_picture() {
    let Some(caller) = caller() else { return };
    let mut live_renderer = caller.renderer().unwrap();
    let size = Size::new(213, 120).unwrap();
    for (strands, dusk) in [(rope_and_spring(), false), (lights(), true)] {
        let bounds = bounds_of(&strands);
        let stage = if dusk { Stage::dusk(&bounds) } else { Stage::day(&bounds) };
        let moments = [Moment::new(&strands, camera(&strands, size))];
        for quality in [Quality::DRAFT, Quality::PREVIEW, Quality::FINAL] {
            let view = View { moments: &moments, stage: &stage, size, quality };
            let expected = live_renderer.draw(&view).unwrap();
            let live = LiveView::new(view);
            let found = caller.draw(&mut live_renderer, &live, BYTES).unwrap();
            let pairs = found.pixels().iter().zip(expected.pixels());
            let other: Vec<_> = pairs.filter(|(a, b)| a != b).collect();
            assert!(other.is_empty(), "{} pixels with {quality:?}: {:?}", other.len(), other[0]);
        }
    }
}

/// Largest difference between a view that moves and its picture: measured values are 0.015 to
/// 0.025, and with a quarter of the pixels 0.022 to 0.049.
const MOST_MOVING: f32 = 0.06;

/// Largest difference of the mean light, of 255: more is seen as a flash when a view stops.
const MOST_LIGHTER: f64 = 3.0;

/// Mean of all colours.
fn light(picture: &Picture) -> f64 {
    let sum: u32 = picture.pixels().iter().flat_map(|p| &p[..3]).map(|c| u32::from(*c)).sum();
    f64::from(sum) / (3 * picture.pixels().len()) as f64
}

#[test]
fn moving_views_look_much_like_pictures() {
    let Some(caller) = caller() else { return };
    let mut renderer = caller.renderer().unwrap();
    let size = Size::new(480, 320).unwrap();
    for (name, strands, dusk) in [("ropes", rope_and_spring(), false), ("lights", lights(), true)] {
        let bounds = bounds_of(&strands);
        let stage = if dusk { Stage::dusk(&bounds) } else { Stage::day(&bounds) };
        let moments = [Moment::new(&strands, camera(&strands, size))];
        let view = |quality| View { moments: &moments, stage: &stage, size, quality };
        let expected = renderer.draw(&view(Quality::PREVIEW)).unwrap();
        let full = renderer.triangles();
        for (which, detail) in [("moving", Detail::MOVING), ("coarse", Detail::COARSE)] {
            let live = LiveView { detail, ..LiveView::new(view(Quality::MOVING)) };
            let found = caller.draw(&mut renderer, &live, BYTES).unwrap();
            assert!(2 * renderer.triangles() < full, "{} of {full}", renderer.triangles());
            let (far, folder) = difference(&format!("{name}-{which}"), &expected, &found);
            assert!(far < MOST_MOVING, "{name} {which}: {far}, see {folder}");
            let lighter = light(&found) - light(&expected);
            assert!(lighter.abs() < MOST_LIGHTER, "{name} {which}: lighter by {lighter}");
        }
    }
}

#[test]
fn every_target_format_has_the_same_colours() {
    let Some(caller) = caller() else { return };
    let mut renderer = caller.renderer().unwrap();
    let strands = rope_and_spring();
    let size = Size::new(64, 40).unwrap();
    let stage = Stage::day(&bounds_of(&strands));
    let moments = [Moment::new(&strands, camera(&strands, size))];
    let view = View { moments: &moments, stage: &stage, size, quality: Quality::DRAFT };
    let live = LiveView::new(view);
    let expected = caller.draw(&mut renderer, &live, BYTES).unwrap();
    let formats = [
        (TextureFormat::Bgra8Unorm, true),
        (TextureFormat::Rgba8UnormSrgb, false),
        (TextureFormat::Bgra8UnormSrgb, true),
    ];
    for (format, swapped) in formats {
        let found = caller.draw(&mut renderer, &live, format).unwrap();
        for (found, expected) in found.pixels().iter().zip(expected.pixels()) {
            let [r, g, b, a] = *found;
            let found = if swapped { [b, g, r, a] } else { *found };
            let far = found.iter().zip(expected).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(far <= Some(1), "{found:?} for {expected:?} in {format:?}");
        }
    }
}

#[test]
fn colours_of_a_transparent_target_are_multiplied_by_alpha() {
    let Some(caller) = caller() else { return };
    let mut renderer = caller.renderer().unwrap();
    let strands = rope_and_spring();
    let size = Size::new(96, 60).unwrap();
    let stage = Stage::day(&bounds_of(&strands)).transparent();
    let moments = [Moment::new(&strands, camera(&strands, size))];
    let view = View { moments: &moments, stage: &stage, size, quality: Quality::PREVIEW };
    let straight = renderer.draw(&view).unwrap();
    let found = caller.draw(&mut renderer, &LiveView::new(view), BYTES).unwrap();
    let mut translucent = 0;
    for (found, [r, g, b, a]) in found.pixels().iter().zip(straight.pixels()) {
        let times = |c: &u8| (f64::from(*c) * f64::from(*a) / 255.0).round() as u8;
        let expected = [times(r), times(g), times(b), *a];
        translucent += usize::from(*a > 20 && *a < 235);
        let far = found.iter().zip(expected).map(|(a, b)| a.abs_diff(b)).max();
        assert!(far <= Some(1), "{found:?} for {expected:?}");
    }
    assert!(translucent > 30, "{translucent} translucent pixels");
}

/// A device that cannot blend 32-bit numbers, as in browsers.
#[test]
fn a_hundred_moments_add_up_without_blending() {
    let Some(caller) = caller() else { return };
    assert!(!caller.device.features().contains(wgpu::Features::FLOAT32_BLENDABLE));
    let mut renderer = caller.renderer().unwrap();
    let strands = lights();
    let stage = Stage::dusk(&bounds_of(&strands));
    let size = Size::new(60, 40).unwrap();
    let all: Vec<_> = (0..100).map(|_| Moment::new(&strands, camera(&strands, size))).collect();
    // Odd and even numbers of passes end in different textures.
    for count in [99, 100] {
        let moments = &all[..count];
        let view = View { moments, stage: &stage, size, quality: Quality::DRAFT };
        let many = renderer.draw(&view).unwrap();
        assert!(many.is_opaque(), "the sum of {count} passes is not opaque");
        if let Ok(mut other) = GpuRenderer::new() {
            let expected = other.draw(&view).unwrap();
            let pairs = many.pixels().iter().flatten().zip(expected.pixels().iter().flatten());
            let far = pairs.map(|(a, b)| a.abs_diff(*b)).max();
            assert!(far <= Some(1), "{far:?} from the blended sum of {count} passes");
        }
    }
}

#[test]
fn a_lost_device_is_an_error_and_another_one_works() {
    let Some(caller) = Caller::open() else { return };
    let mut renderer = caller.renderer().unwrap();
    let stage = Stage::day(&bounds_of([]));
    let size = Size::new(16, 9).unwrap();
    let camera = Camera::framing(&bounds_of([]), DVec3::Y, size.aspect());
    let moments = [Moment::new([], camera)];
    let view = View { moments: &moments, stage: &stage, size, quality: Quality::DRAFT };
    let live = LiveView::new(view.clone());
    let texture = caller.texture(size, BYTES);
    let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let target = Target { view: &target, format: BYTES };
    renderer.draw_into(&live, &target).unwrap();
    caller.device.destroy();
    for _ in 0..3 {
        let error = renderer.draw_into(&live, &target).unwrap_err();
        assert!(matches!(error, RenderError::GpuLost), "{error}");
        let error = renderer.draw(&view).unwrap_err();
        assert!(matches!(error, RenderError::GpuLost), "{error}");
    }
    assert!(matches!(caller.renderer(), Err(RenderError::GpuLost)));
    let Some(other) = Caller::open() else { return };
    let mut renderer = other.renderer().unwrap();
    assert!(other.draw(&mut renderer, &live, BYTES).unwrap().is_opaque());
}

#[test]
fn an_invalid_target_is_an_error_and_the_next_view_is_drawn() {
    let Some(caller) = caller() else { return };
    let mut renderer = caller.renderer().unwrap();
    let stage = Stage::day(&bounds_of([]));
    let size = Size::new(16, 9).unwrap();
    let camera = Camera::framing(&bounds_of([]), DVec3::Y, size.aspect());
    let moments = [Moment::new([], camera)];
    let view = View { moments: &moments, stage: &stage, size, quality: Quality::DRAFT };
    let live = LiveView::new(view);
    let texture = caller.texture(size, BYTES);
    let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let wrong = Target { view: &target, format: TextureFormat::Bgra8Unorm };
    let error = renderer.draw_into(&live, &wrong).unwrap_err();
    assert!(matches!(error, RenderError::Gpu { .. }), "{error}");
    assert!(caller.draw(&mut renderer, &live, BYTES).unwrap().is_opaque());
}

#[test]
fn a_pending_picture_is_that_of_the_view() {
    let Some(caller) = caller() else { return };
    let mut renderer = caller.renderer().unwrap();
    let strands = rope_and_spring();
    let size = Size::new(121, 70).unwrap();
    let stage = Stage::day(&bounds_of(&strands));
    let moments = [Moment::new(&strands, camera(&strands, size))];
    let view = View { moments: &moments, stage: &stage, size, quality: Quality::DRAFT };
    let live = LiveView::new(view);
    let expected = caller.draw(&mut renderer, &live, TextureFormat::Rgba8Unorm).unwrap();
    let pending = renderer.draw_pending(&live).unwrap();
    let picture = loop {
        if let Some(picture) = renderer.finished(&pending) {
            break picture.unwrap();
        }
        std::thread::yield_now();
    };
    assert!(picture == expected, "the pictures differ");
}
