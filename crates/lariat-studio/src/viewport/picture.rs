//! Drawing the scene into a texture of the window.
//!
//! The picture is drawn again only if the pose, the view or its size changed.

use egui_wgpu::RenderState;
use lariat_eval::{Moment as Pose, Scene};
use lariat_render::{
    Camera, Detail, DrawnStrand, GpuRenderer, Guides, LiveView, Quality, RenderError, Size, Stage,
    Target, View,
};

use super::drawn::{Drawn, stage};
use crate::workspace::Appearance;

/// Format of the picture: colours are encoded, as egui expects.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Everything that the picture depends on besides the pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PictureSettings {
    /// Pixels across and down.
    pub(crate) size: Size,
    /// The camera.
    pub(crate) camera: Camera,
    /// Whether it moves, and is drawn with less detail.
    pub(crate) moves: bool,
    /// Counts changes of the document.
    pub(crate) revision: u64,
    /// Counts poses.
    pub(crate) pose: u64,
    /// Light or dark.
    pub(crate) appearance: Appearance,
    /// Whether light and ground stay, as during a drag.
    pub(crate) keeps_stage: bool,
}

/// Lines, outlines and ghosts over the scene.
#[derive(Debug)]
pub(crate) struct Additions<'g> {
    pub(crate) guides: Guides,
    pub(crate) ghosts: Vec<DrawnStrand<'g>>,
}

/// The picture of the scene in the window.
pub(crate) struct ScenePicture {
    renderer: GpuRenderer,
    texture: Option<(Size, wgpu::TextureView, egui::TextureId)>,
    drawn: Option<PictureSettings>,
    /// Lines and outlines that were drawn last, and the number of ghosts.
    guides: (Guides, usize),
    /// Light and ground, which stay the same during playback.
    stage: Option<((u64, Appearance), Stage)>,
}

impl ScenePicture {
    /// Uses the device of the window.
    pub(crate) fn new(state: &RenderState) -> Result<Self, RenderError> {
        let renderer = GpuRenderer::on(state.device.clone(), state.queue.clone())?;
        Ok(Self { renderer, texture: None, drawn: None, guides: Default::default(), stage: None })
    }

    /// Draws a pose if something changed, and returns its texture.
    pub(crate) fn draw(
        &mut self,
        state: &RenderState,
        settings: PictureSettings,
        scene: &Scene,
        pose: &Pose,
        additions: Additions<'_>,
    ) -> Result<egui::TextureId, RenderError> {
        let size = settings.size;
        let texture = self.texture(state, size);
        let Additions { guides, ghosts } = additions;
        if self.drawn == Some(settings) && self.guides == (guides.clone(), ghosts.len()) {
            return Ok(texture);
        }
        let of = (settings.revision, settings.appearance);
        let kept = self.stage.take().filter(|(kept, _)| settings.keeps_stage || *kept == of);
        let made = || (of, stage(scene, pose, settings.appearance));
        let (_, stage) = &*self.stage.insert(kept.unwrap_or_else(made));
        let stage = stage.clone().at_time(scene.shot().rate.seconds(pose.frame));
        let mut drawn = Drawn::new(scene, pose, settings.camera).0;
        drawn.moment.strands.extend(ghosts.iter().copied());
        let moments = [drawn.moment];
        let (quality, detail) = match settings.moves {
            true => (Quality::MOVING, Detail::MOVING),
            false => (Quality::PREVIEW, Detail::FULL),
        };
        let view = View { moments: &moments, stage: &stage, size, quality };
        let live = LiveView { detail, guides: Some(&guides), ..LiveView::new(view) };
        if let Some((_, view, _)) = &self.texture {
            self.renderer.draw_into(&live, &Target { view, format: FORMAT })?;
        }
        self.drawn = Some(settings);
        self.guides = (guides, ghosts.len());
        Ok(texture)
    }

    /// Height of the ground that was drawn last.
    pub(crate) fn ground(&self) -> Option<f64> {
        self.stage.as_ref()?.1.ground.map(|ground| ground.height)
    }

    /// The texture, created again if the size changed.
    fn texture(&mut self, state: &RenderState, size: Size) -> egui::TextureId {
        if let Some((of, _, id)) = &self.texture
            && *of == size
        {
            return *id;
        }
        let texture = state.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("scene"),
            size: wgpu::Extent3d {
                width: size.width(),
                height: size.height(),
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut painter = state.renderer.write();
        if let Some((_, _, old)) = self.texture.take() {
            painter.free_texture(&old);
        }
        let id = painter.register_native_texture(&state.device, &view, wgpu::FilterMode::Linear);
        self.drawn = None;
        self.texture = Some((size, view, id));
        id
    }
}
