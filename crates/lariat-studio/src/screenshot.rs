//! Screenshots without a display: the same panels, drawn into a texture.
//!
//! Tests: `crates/lariat-studio/tests/studio/document.rs`.

use std::{sync::mpsc, time::Duration};

use egui_wgpu::{
    RenderState, RendererOptions, ScreenDescriptor, WgpuConfiguration, WgpuSetup,
    WgpuSetupCreateNew,
};

use crate::Studio;

/// Time between two passes, in seconds.
const PASS: f64 = 0.05;

/// Passes after which everything has its size and animations have ended.
const PASSES: usize = 12;

/// Time between two looks at work that is going on.
const WAIT: Duration = Duration::from_millis(10);

/// A window that is not on a display.
pub struct HiddenWindow {
    context: egui::Context,
    state: RenderState,
    size: [u32; 2],
    time: f64,
    output: Option<egui::FullOutput>,
}

impl std::fmt::Debug for HiddenWindow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HiddenWindow").field("size", &self.size).finish_non_exhaustive()
    }
}

impl HiddenWindow {
    /// Opens a window of a size in pixels, on the graphics card or a software renderer.
    pub fn new(size: [u32; 2]) -> Result<Self, String> {
        let setup = WgpuSetup::CreateNew(WgpuSetupCreateNew::without_display_handle());
        let instance = pollster::block_on(setup.new_instance());
        let configuration = WgpuConfiguration { wgpu_setup: setup, ..Default::default() };
        let options = RendererOptions::PREDICTABLE;
        let state = RenderState::create(&configuration, &instance, None, options);
        let state = pollster::block_on(state).map_err(|error| error.to_string())?;
        let context = egui::Context::default();
        Ok(Self { context, state, size, time: 0.0, output: None })
    }

    /// Shows the studio until it rests, and until the work that it waits for is done.
    pub fn show(&mut self, studio: &mut Studio) {
        loop {
            for _ in 0..PASSES {
                self.pass(studio, Vec::new());
            }
            if !studio.is_working() {
                break;
            }
            std::thread::sleep(WAIT);
        }
    }

    /// Shows the studio once, with events.
    pub fn pass(&mut self, studio: &mut Studio, events: Vec<egui::Event>) {
        let [width, height] = self.size.map(|pixels| pixels as f32);
        self.time += PASS;
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(
                egui::Pos2::ZERO,
                egui::vec2(width, height) / self.context.zoom_factor(),
            )),
            time: Some(self.time),
            focused: true,
            events,
            ..Default::default()
        };
        let state = &self.state;
        let mut output = self.context.run_ui(input, |ui| studio.show(ui, Some(state)));
        let mut renderer = state.renderer.write();
        #[allow(clippy::disallowed_methods, reason = "sorted below")]
        let mut changed: Vec<_> = output.textures_delta.set.drain().collect();
        changed.sort_by_key(|(id, _)| *id);
        for (id, images) in changed {
            for image in images {
                renderer.update_texture(&state.device, &state.queue, id, &image);
            }
        }
        #[allow(clippy::disallowed_methods, reason = "textures are independent of each other")]
        output.textures_delta.free.drain().for_each(|id| renderer.free_texture(&id));
        drop(renderer);
        if let Some(before) = self.output.replace(output) {
            before.drop_without_applying_deltas();
        }
    }

    /// The window as RGBA bytes, row by row from the top.
    pub fn picture(&mut self) -> Result<Vec<u8>, String> {
        let Self { context, state, size, .. } = self;
        let [width, height] = *size;
        let shapes = self.output.as_ref().map(|output| output.shapes.clone()).unwrap_or_default();
        let scale = context.pixels_per_point();
        let screen = ScreenDescriptor { pixels_per_point: scale, size_in_pixels: *size };
        let shapes = context.tessellate(shapes, scale);
        let texture = state.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("window"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: state.target_format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder =
            state.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut renderer = state.renderer.write();
        let more =
            renderer.update_buffers(&state.device, &state.queue, &mut encoder, &shapes, &screen);
        let mut pass = encoder
            .begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("window"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &view,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                    depth_slice: None,
                })],
                ..Default::default()
            })
            .forget_lifetime();
        renderer.render(&mut pass, &shapes, &screen);
        drop(pass);
        let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = state.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("window"),
            size: u64::from(row) * u64::from(height),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row),
                    rows_per_image: None,
                },
            },
            texture.size(),
        );
        state.queue.submit(more.into_iter().chain([encoder.finish()]));
        let (done, wait) = mpsc::channel();
        buffer.slice(..).map_async(wgpu::MapMode::Read, move |mapped| {
            let _ = done.send(mapped);
        });
        state
            .device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| error.to_string())?;
        let mapped = wait.recv().map_err(|error| error.to_string())?;
        mapped.map_err(|error| error.to_string())?;
        let bytes = buffer.slice(..).get_mapped_range().map_err(|error| error.to_string())?;
        let is_bgra = matches!(
            state.target_format,
            wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Bgra8UnormSrgb
        );
        let mut out = Vec::with_capacity(4 * width as usize * height as usize);
        for line in bytes.chunks_exact(row as usize) {
            for pixel in line[..4 * width as usize].chunks_exact(4) {
                let [r, g, b] = match is_bgra {
                    true => [pixel[2], pixel[1], pixel[0]],
                    false => [pixel[0], pixel[1], pixel[2]],
                };
                out.extend([r, g, b, 255]);
            }
        }
        Ok(out)
    }

    /// Size in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }
}

impl Drop for HiddenWindow {
    fn drop(&mut self) {
        if let Some(output) = self.output.take() {
            output.drop_without_applying_deltas();
        }
    }
}

#[cfg(test)]
mod tests {
    use egui::{Event, Key, Modifiers};

    use super::*;
    use crate::{Opening, host::native::Native};

    #[test]
    fn a_lost_device_is_reported_and_the_document_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("shot.lariat");
        let text = "lariat = 2\n[shot]\nframes = [1, 48]\n[[body]]\nname = \"rope\"\n\
                    model = \"suspended-rope\"\nfrom = [0, 0, 2]\nto = [3, 0, 2]\nlength = 4\n";
        std::fs::write(&place, text).unwrap();
        let opening = Opening::Document(place.to_str().unwrap().to_owned());
        let host = Native::with_state(folder.path().join("state"));
        let mut studio = Studio::new(Box::new(host), &opening);
        let mut window = HiddenWindow::new([960, 600]).expect("a graphics driver");
        window.show(&mut studio);
        assert_eq!(studio.message(), None);
        window.state.device.destroy();
        studio.workspace.frame = 2.0;
        studio.workspace.select(lariat_scene::Thing::Body, "rope", false);
        let mut press = |key: Key| {
            let event = |pressed| Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers: Modifiers::COMMAND,
            };
            window.pass(&mut studio, vec![event(true), event(false)]);
            window.pass(&mut studio, Vec::new());
        };
        press(Key::D);
        press(Key::S);
        assert!(std::fs::read_to_string(&place).unwrap().contains("rope-2"));
        let message = studio.message().unwrap_or_default();
        assert!(message.contains("graphics card"), "{message}");
    }
}
