//! A shot that is ready to be drawn: bodies, camera, stage, overlays and renderer.
//!
//! A camera of the document follows its keys. The automatic camera is fixed and frames the whole
//! shot ([`framing`](crate::framing)). While a picture is written, the next one is drawn; at most
//! [`AHEAD`] pictures wait, so memory does not grow with the number of frames.
//!
//! Tests: `every_frame_is_taken_from_the_same_place`, `the_number_of_threads_changes_no_byte`,
//! `a_document_chooses_its_ground`.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use lariat_core::motion::FrameRate;
use lariat_eval::Moment as Pose;
use lariat_export::Progress;
use lariat_render::{Camera, Moment, Picture, Quality, RenderError, Renderer, Size, Stage, View};
use lariat_scene::lower::ShotGround;

use crate::{
    bodies::meshes,
    camera::{ShotCamera, render_camera},
    error::ShootError,
    framing::Extent,
    moments::Moments,
    overlay::{Overlay, Overlays},
    renderer::{OpenRenderer, RendererChoice},
    viewpoint::Viewpoint,
};

/// Largest number of pictures waiting to be written.
const AHEAD: usize = 2;

/// Time that the shutter is open for motion blur, in frames: half, as in film cameras.
const SHUTTER: f64 = 0.5;

/// Time between two checks for cancellation while a picture is drawn.
const POLL: Duration = Duration::from_millis(50);

/// Settings of the pictures of a shot.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Size in pixels.
    pub size: Size,
    /// Work per pixel.
    pub quality: Quality,
    /// Viewpoint of the automatic camera.
    pub viewpoint: Viewpoint,
    /// Camera.
    pub camera: ShotCamera,
    /// Whether ground and sky are omitted.
    pub transparent: bool,
    /// Number of moments in a picture, for motion blur; 1 is sharp.
    pub blur: u32,
    /// Overlays.
    pub overlays: Overlays,
    /// Renderer.
    pub renderer: RendererChoice,
}

impl Settings {
    /// Preview quality, automatic camera, opaque, sharp, without overlays.
    pub fn new(size: Size) -> Self {
        Self {
            size,
            quality: Quality::PREVIEW,
            viewpoint: Viewpoint::default(),
            camera: ShotCamera::Automatic,
            transparent: false,
            blur: 1,
            overlays: Overlays::default(),
            renderer: RendererChoice::Auto,
        }
    }
}

/// A shot that is ready to be drawn.
pub struct Shoot<'s> {
    moments: &'s Moments<'s>,
    settings: Settings,
    camera: Camera,
    stage: Stage,
    overlay: Overlay<'s>,
    renderer: Mutex<OpenRenderer>,
    card: Option<String>,
}

impl<'s> Shoot<'s> {
    /// Frames a shot: `frames` are all its frames, including those that are not drawn.
    pub fn new(
        moments: &'s Moments<'s>,
        settings: Settings,
        frames: &[f64],
        progress: &dyn Progress,
    ) -> Result<Self, ShootError> {
        let renderer = settings.renderer.open(settings.size)?;
        let Settings { size, viewpoint, overlays, .. } = settings;
        let mut extent = Extent::new(viewpoint, size.aspect(), overlays.measure);
        extent.include_frames(moments, frames, progress)?;
        let mut stage =
            if extent.glows { Stage::dusk(&extent.bounds) } else { Stage::day(&extent.bounds) };
        let shot = moments.bodies().scene().shot();
        match shot.ground {
            ShotGround::Floor => {}
            ShotGround::Water => stage = stage.with_water(),
            ShotGround::None => stage.ground = None,
        }
        if let Some(height) = shot.ground_height {
            stage = stage.with_ground_at(height);
        }
        let camera = extent.camera(stage.ground.map(|ground| ground.height));
        if settings.transparent {
            stage = stage.transparent();
        }
        let overlay = Overlay::new(moments, overlays, extent.range, frames)?;
        let card = renderer.card.clone();
        let renderer = Mutex::new(renderer);
        Ok(Self { moments, settings, camera, stage, overlay, renderer, card })
    }

    /// Name of the graphics card; `None` if the CPU draws.
    pub fn card(&self) -> Option<&str> {
        self.card.as_deref()
    }

    /// Settings of the pictures.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Frames per second of the shot.
    pub fn rate(&self) -> FrameRate {
        self.moments.bodies().scene().shot().rate
    }

    /// Draws one frame.
    pub fn picture(&self, frame: f64) -> Result<Picture, ShootError> {
        let mut open = self.renderer.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(self.draw(frame, open.renderer.as_mut())?)
    }

    /// Draws frames in order and passes each picture with its index to `take`, while the next one
    /// is drawn.
    pub fn pictures<E: From<ShootError>>(
        &self,
        frames: &[f64],
        progress: &dyn Progress,
        mut take: impl FnMut(usize, &Picture) -> Result<(), E>,
    ) -> Result<(), E> {
        let cancelled = AtomicBool::new(false);
        thread::scope(|scope| {
            let (finished, pictures) = mpsc::sync_channel(AHEAD);
            let cancelled = &cancelled;
            scope.spawn(move || {
                for frame in frames {
                    // If `take` failed, the receiver is gone.
                    let is_over = cancelled.load(Ordering::Relaxed);
                    if is_over || finished.send(self.picture(*frame)).is_err() {
                        return;
                    }
                }
            });
            let mut done = 0;
            loop {
                if progress.cancelled() {
                    cancelled.store(true, Ordering::Relaxed);
                    return Err(ShootError::Cancelled.into());
                }
                match pictures.recv_timeout(POLL) {
                    Ok(picture) => {
                        take(done, &picture?)?;
                        done += 1;
                        progress.advance(done as u64, frames.len() as u64);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            }
        })
    }

    /// The camera at a frame.
    pub fn camera(&self, frame: f64) -> Camera {
        self.camera_in(frame, &self.moments.at(frame))
    }

    fn camera_in(&self, frame: f64, pose: &Pose) -> Camera {
        match self.settings.camera {
            ShotCamera::Automatic => self.camera,
            ShotCamera::Document(camera) => {
                render_camera(&self.moments.bodies().camera(camera, frame, pose))
            }
            ShotCamera::Fixed(camera) => camera,
        }
    }

    fn draw(&self, frame: f64, renderer: &mut dyn Renderer) -> Result<Picture, RenderError> {
        let Settings { size, quality, blur, .. } = self.settings;
        let count = blur.max(1);
        let bodies = self.moments.bodies();
        let times = (0..count).map(|k| frame + SHUTTER * f64::from(k) / f64::from(count));
        let poses: Vec<(f64, Arc<Pose>)> =
            times.map(|time| (time, self.moments.at(time))).collect();
        let ghosts = self.overlay.ghosts(frame);
        let colours: Vec<_> = poses.iter().map(|(_, pose)| self.overlay.colours(pose)).collect();
        let moments = poses.iter().zip(&colours).map(|((time, pose), colours)| Moment {
            strands: self.overlay.strands(pose, colours, &ghosts),
            meshes: meshes(bodies, pose).collect(),
            camera: self.camera_in(*time, pose),
        });
        let moments: Vec<Moment<'_>> = moments.collect();
        // Blurred or not, a picture shows the water at the start of its frame.
        let stage = self.stage.clone().at_time(self.rate().seconds(frame));
        let view = View { moments: &moments, stage: &stage, size, quality };
        let mut picture = renderer.draw(&view)?;
        if let (Some((_, pose)), Some(moment)) = (poses.first(), moments.first()) {
            self.overlay.paint(frame, pose, &moment.camera, &mut picture)?;
        }
        drop(moments);
        let ghosts = ghosts.into_iter().map(|(pose, _)| pose);
        poses.into_iter().map(|(_, pose)| pose).chain(ghosts).for_each(|pose| {
            self.moments.recycle(pose);
        });
        self.moments.release_up_to(frame);
        Ok(picture)
    }
}

#[cfg(test)]
mod tests {
    use lariat_eval::Scene;
    use lariat_export::NoProgress;
    use lariat_scene::{Limits, check::check};

    use super::*;
    use crate::bodies::Bodies;

    /// Pictures of a box that stands on the ground, at some frames in this order.
    fn pictures(shot: &str, frames: &[f64]) -> Vec<Picture> {
        let text = format!(
            "lariat = 2\n[shot]\n{shot}\n[[body]]\nname = 'box'\nmodel = 'solid'\nposition = [0, 0, 0.2]\n"
        );
        let lowered = check(text.as_bytes(), &Limits::DEFAULT).content.unwrap().lowered;
        let scene = Scene::bind(&lowered);
        let bodies = Bodies::choose(&scene, &lowered, &[]).unwrap();
        let moments = Moments::transient(&bodies);
        let mut settings = Settings::new(Size::new(48, 32).unwrap());
        settings.quality = Quality::DRAFT;
        settings.renderer = RendererChoice::Cpu;
        let shoot = Shoot::new(&moments, settings, &[1.0, 24.0], &NoProgress).unwrap();
        frames.iter().map(|frame| shoot.picture(*frame).unwrap()).collect()
    }

    #[test]
    fn a_document_chooses_its_ground() {
        let floor = pictures("ground = 'floor'", &[1.0, 20.0]);
        assert!(floor == pictures("fps = 24", &[1.0, 1.0]), "a floor is the default and still");
        let water = pictures("ground = 'water'", &[1.0, 20.0]);
        assert!(water[0] != floor[0], "water looks like a floor");
        assert!(water[0] != water[1], "the water stands still");
        let backwards = pictures("ground = 'water'", &[20.0, 1.0]);
        assert!(backwards[0] == water[1] && backwards[1] == water[0]);
        assert!(pictures("ground = 'none'", &[1.0])[0] != floor[0]);
        let low = pictures("ground = 'floor'\nground-height = -0.3", &[1.0]);
        assert!(low[0] != floor[0], "the ground stays where it is");
    }
}
