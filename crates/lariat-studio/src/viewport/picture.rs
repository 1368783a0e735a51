//! Drawing the scene into a texture of the window.
//!
//! The picture is drawn again only if the pose, the view or its size changed.

use std::sync::atomic::Ordering;

use egui_wgpu::RenderState;
use lariat_core::geometry::{Look, Mesh};
use lariat_eval::{BodyMoment, Moment as Pose, Scene};
use lariat_render::{
    Appearance as Shown, Camera, DrawnStrand, GpuRenderer, Guides, LiveView, PendingPicture,
    RenderError, Size, Stage, Target, View, overlay::UNKNOWN,
};
use lariat_shoot::{Measure, MeasureRange};

use super::{drawn::Drawn, pace::Pace};
use crate::workspace::Workspace;

/// Format of the picture: colours are encoded, as egui expects.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Everything that the picture depends on besides the pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PictureSettings {
    /// Pixels across and down.
    pub(crate) size: Size,
    /// The camera.
    pub(crate) camera: Camera,
    /// Whether it moves, and may be drawn with less detail.
    pub(crate) moves: bool,
    /// Counts changes of the document.
    pub(crate) revision: u64,
    /// Counts poses.
    pub(crate) pose: u64,
    /// Counts frames of modes that are played; 0 if none are.
    pub(crate) replay: u64,
    /// Counts changes of what is hidden.
    pub(crate) visibility: u64,
    /// Measure that colours strands, with its range.
    pub(crate) measured: Option<(Measure, MeasureRange)>,
}

/// Light, ground, lines, outlines, ghosts, and bodies that are not in the document, around the scene.
#[derive(Debug)]
pub(crate) struct Additions<'g> {
    /// Says which bodies are hidden.
    pub(crate) workspace: &'g Workspace,
    pub(crate) stage: Stage,
    pub(crate) guides: Guides,
    pub(crate) ghosts: Vec<DrawnStrand<'g>>,
    pub(crate) others: &'g [BodyMoment],
}

/// The picture of the scene in the window.
pub(crate) struct ScenePicture {
    renderer: GpuRenderer,
    texture: Option<(Size, wgpu::TextureView, egui::TextureId)>,
    drawn: Option<PictureSettings>,
    /// Light, lines and outlines that were drawn last, and the number of ghosts.
    added: Option<(Stage, Guides, usize)>,
    pace: Pace,
}

impl ScenePicture {
    /// Uses the device of the window.
    pub(crate) fn new(state: &RenderState) -> Result<Self, RenderError> {
        let renderer = GpuRenderer::on(state.device.clone(), state.queue.clone())?;
        let pace = Pace::default();
        Ok(Self { renderer, texture: None, drawn: None, added: None, pace })
    }

    /// Draws a pose if something changed, and returns its texture. `now` is the time in seconds.
    pub(crate) fn draw(
        &mut self,
        state: &RenderState,
        settings: PictureSettings,
        (scene, pose): (&Scene, &Pose),
        additions: Additions<'_>,
        now: f64,
    ) -> Result<egui::TextureId, RenderError> {
        let (width, height) = (settings.size.width(), settings.size.height());
        let longest = state.device.limits().max_texture_dimension_2d;
        if width.max(height) > longest {
            return Err(RenderError::TooLargeForGpu { width, height, longest });
        }
        let texture = self.texture(state, settings.size);
        let Additions { stage, guides, ghosts, .. } = &additions;
        let is_same = self.added.as_ref().is_some_and(|(of_stage, of_guides, count)| {
            (of_stage, of_guides, *count) == (stage, guides, ghosts.len())
        });
        if self.drawn == Some(settings) && is_same {
            return Ok(texture);
        }
        // A picture of something new is shown early, with less detail.
        let settings =
            PictureSettings { moves: settings.moves || self.drawn.is_none(), ..settings };
        let (quality, detail) = self.pace.next(settings.moves, now);
        if let Some((_, view, _)) = &self.texture {
            let target = Target { view, format: FORMAT };
            with_view(settings, scene, pose, &additions, |view| {
                let view = View { quality, ..view.clone() };
                let live = LiveView { detail, guides: Some(guides), view };
                self.renderer.draw_into(&live, &target)
            })?;
        }
        if settings.moves {
            let done = self.pace.submitted(now);
            let submitted = move || done.store(true, Ordering::Release);
            state.queue.on_submitted_work_done(submitted);
        }
        self.drawn = Some(settings);
        self.added = Some((additions.stage, additions.guides, additions.ghosts.len()));
        Ok(texture)
    }

    /// Whether the last picture has less detail than one at rest.
    pub(crate) fn is_coarse(&self) -> bool {
        self.drawn.is_some_and(|settings| settings.moves)
    }

    /// Looks whether the last moving picture is finished; the time after which to look again.
    pub(crate) fn look(&mut self, state: &RenderState, now: f64) -> Option<f64> {
        drop(state.device.poll(wgpu::PollType::Poll));
        self.pace.look(now)
    }

    /// Begins to draw a pose with all detail, to be read back later.
    pub(crate) fn copy(
        &mut self,
        settings: PictureSettings,
        (scene, pose): (&Scene, &Pose),
        additions: &Additions<'_>,
    ) -> Result<PendingPicture, RenderError> {
        with_view(settings, scene, pose, additions, |view| {
            let guides = Some(&additions.guides);
            self.renderer.draw_pending(&LiveView { guides, ..LiveView::new(view.clone()) })
        })
    }

    /// A picture that was begun, once it is there.
    pub(crate) fn finished(
        &self,
        pending: &PendingPicture,
    ) -> Option<Result<lariat_render::Picture, RenderError>> {
        self.renderer.finished(pending)
    }

    /// Draws again, since the document is another one.
    pub(crate) fn forget(&mut self) {
        self.drawn = None;
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

/// Calls `draw` with the view of a pose at the quality of pictures at rest.
fn with_view<T>(
    settings: PictureSettings,
    scene: &Scene,
    pose: &Pose,
    additions: &Additions<'_>,
    draw: impl FnOnce(&View<'_>) -> T,
) -> T {
    let mut drawn = Drawn::new(scene, pose, settings.camera, additions.workspace).0;
    let (mut colours, mut grey) = (Vec::new(), Vec::new());
    if let Some((measure, range)) = settings.measured {
        let legend = range.legend(measure).ok();
        colours.extend(drawn.moment.strands.iter().map(|one| match &legend {
            Some(legend) => range.colours(measure, legend, one.strand),
            None => vec![UNKNOWN; one.strand.points().len()],
        }));
        grey.extend(drawn.moment.meshes.iter().map(|mesh| without_measure(mesh)));
    }
    for (one, map) in drawn.moment.strands.iter_mut().zip(&colours) {
        one.appearance = Shown::Map(map);
    }
    for (one, grey) in drawn.moment.meshes.iter_mut().zip(&grey) {
        *one = grey;
    }
    drawn.moment.strands.extend(additions.ghosts.iter().copied());
    for other in additions.others {
        drawn.moment.strands.extend(other.strands.iter().map(DrawnStrand::from));
        drawn.moment.meshes.extend(&other.mesh);
    }
    let (stage, size) = (&additions.stage, settings.size);
    draw(&View { moments: &[drawn.moment], stage, size, quality: lariat_render::Quality::PREVIEW })
}

/// A mesh in the colour of things that do not have the measure.
fn without_measure(mesh: &Mesh) -> Mesh {
    let mut grey = mesh.clone();
    grey.look = Look { name: "plain".into(), colour: UNKNOWN.map(f64::from) };
    // Removing colours cannot fail.
    drop(grey.set_colours(None));
    grey
}
