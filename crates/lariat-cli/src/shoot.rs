//! Frames of a scene become pictures: the camera finds its place, then frame after frame is drawn.
//!
//! A camera of the document is where its keys say, at every moment of a picture. Any other looks at the
//! whole motion before the first picture is drawn, frames side by side, and remembers only how far
//! things reach; pieces of torn strings that fly off do not count. So every picture of a shot is taken from the same
//! place, also those that another machine draws. While a picture is written down the next one is
//! being drawn; [`AHEAD`] of them wait at most, so memory does not grow with the number of frames.
//!
//! Tests: `views_are_angles_or_names`, `the_default_view_is_the_renderers`,
//! `every_frame_is_taken_from_the_same_place`, `torn_pieces_that_fly_off_are_not_framed`,
//! `the_number_of_threads_changes_no_byte`.

use std::{
    str::FromStr,
    sync::{Mutex, PoisonError, mpsc},
    thread,
};

use glam::DVec3;
use lariat_core::{
    geometry::{Bounds, Mesh, Strand},
    num::ops,
};
use lariat_eval::Moment as Pose;
use lariat_render::{
    Camera, Framing, Moment, Outlook, Picture, Quality, RenderError, Renderer, Size, Stage, View,
    surface::Surface,
};
use rayon::prelude::*;

use crate::{
    bodies::Bodies,
    camera::drawn_by,
    exit::Failure,
    interrupt::Interrupt,
    look::SMALL,
    overlay::{Overlay, Range},
    progress::Progress,
    renderer::Choice,
    show::{Measure, Show},
};

/// Pictures that wait to be written down at most.
const AHEAD: usize = 2;

/// Frames that are looked at before the progress bar moves.
const BATCH: usize = 64;

/// How long the shutter is open with motion blur, in frames: half of each, as in film cameras.
const SHUTTER: f64 = 0.5;

/// From where the camera looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Viewpoint {
    /// Degrees around and above; 0,0 is the front.
    Angles { around: f64, above: f64 },
    /// Straight along an axis, without perspective.
    Along(Outlook),
}

impl Default for Viewpoint {
    /// From the front, a little from the right and from above: [`Outlook::ThreeQuarter`] in whole
    /// degrees.
    fn default() -> Self {
        Self::Angles { around: 23.0, above: 17.0 }
    }
}

/// Two angles in degrees, around and above, as in `25,15`.
pub(crate) fn angles(text: &str) -> Option<(f64, f64)> {
    let angle = |text: &str| text.trim().parse::<f64>().ok().filter(|angle| angle.is_finite());
    let (around, above) = text.split_once(',')?;
    Some((angle(around)?, angle(above)?))
}

impl FromStr for Viewpoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "front" => return Ok(Self::Along(Outlook::Front)),
            "side" => return Ok(Self::Along(Outlook::Side)),
            "top" => return Ok(Self::Along(Outlook::Top)),
            _ => {}
        }
        angles(text)
            .map(|(around, above)| Self::Angles { around, above })
            .ok_or_else(|| "write front, side or top, or two angles as in 25,15".to_owned())
    }
}

impl Viewpoint {
    fn direction(self) -> DVec3 {
        match self {
            Self::Along(outlook) => outlook.direction(),
            Self::Angles { around, above } => {
                let (sa, ca) = ops::sin_cos(ops::radians(around));
                let (se, ce) = ops::sin_cos(ops::radians(above));
                -DVec3::new(sa * ce, -ca * ce, se)
            }
        }
    }
}

/// What pictures are to be like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish {
    pub(crate) size: Size,
    pub(crate) quality: Quality,
    pub(crate) viewpoint: Viewpoint,
    /// The camera of the document; nothing for one that finds its place by itself.
    pub(crate) camera: Option<usize>,
    pub(crate) transparent: bool,
    /// Moments in a picture; one is sharp.
    pub(crate) moments: u32,
    /// What is shown besides.
    pub(crate) show: Show,
}

/// Everything is in its place, and pictures can be taken.
pub(crate) struct Shoot<'s> {
    bodies: &'s Bodies<'s>,
    wish: Wish,
    camera: Camera,
    stage: Stage,
    overlay: Overlay<'s>,
    renderer: Mutex<Box<dyn Renderer + Send>>,
    by: String,
}

impl<'s> Shoot<'s> {
    /// Finds the place of the camera and lays out the stage for these frames.
    pub(crate) fn set_up(
        bodies: &'s Bodies<'s>,
        wish: Wish,
        choice: Choice,
        frames: &[f64],
        progress: &Progress,
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let (renderer, by) = choice.open(wish.size)?;
        let extent = Extent::of(bodies, frames, &wish, progress, interrupt)?;
        let camera = match wish.viewpoint {
            Viewpoint::Along(outlook) => {
                Camera::orthographic(&extent.bounds, outlook, wish.size.aspect())
            }
            Viewpoint::Angles { .. } => extent.framing.camera(),
        };
        let mut stage =
            if extent.glows { Stage::dusk(&extent.bounds) } else { Stage::day(&extent.bounds) };
        if wish.transparent {
            stage = stage.transparent();
        }
        let overlay = Overlay::new(bodies, wish.show, extent.range, frames)?;
        let renderer = Mutex::new(renderer);
        Ok(Self { bodies, wish, camera, stage, overlay, renderer, by })
    }

    /// Who draws, in words.
    pub(crate) fn by(&self) -> &str {
        &self.by
    }

    /// Draws frames in turn and hands each picture on, while the next is being drawn.
    pub(crate) fn each(
        &self,
        frames: &[f64],
        interrupt: &Interrupt,
        mut take: impl FnMut(usize, &Picture) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        thread::scope(|scope| {
            let (finished, pictures) = mpsc::sync_channel(AHEAD);
            scope.spawn(move || {
                let mut renderer = self.renderer.lock().unwrap_or_else(PoisonError::into_inner);
                let mut poses = vec![Pose::default(); self.wish.moments as usize];
                for frame in frames {
                    if interrupt.asked() {
                        return;
                    }
                    let picture = self.draw(*frame, renderer.as_mut(), &mut poses);
                    // Nobody takes it any more: something went wrong there.
                    if finished.send(picture).is_err() {
                        return;
                    }
                }
            });
            for (index, picture) in pictures.into_iter().enumerate() {
                if interrupt.asked() {
                    return Err(stopped());
                }
                take(index, &picture.map_err(|error| cannot_draw(&error))?)?;
            }
            if interrupt.asked() { Err(stopped()) } else { Ok(()) }
        })
    }

    fn camera(&self, frame: f64) -> Camera {
        match self.wish.camera {
            Some(camera) => drawn_by(&self.bodies.camera(camera, frame)),
            None => self.camera,
        }
    }

    fn draw(
        &self,
        frame: f64,
        renderer: &mut dyn Renderer,
        poses: &mut [Pose],
    ) -> Result<Picture, RenderError> {
        let step = SHUTTER / poses.len() as f64;
        for (k, pose) in poses.iter_mut().enumerate() {
            self.bodies.pose_into(frame + step * k as f64, pose);
        }
        let ghosts = self.overlay.ghosts(frame);
        let colours: Vec<_> = poses.iter().map(|pose| self.overlay.colours(pose)).collect();
        let dressed = poses.iter().zip(&colours).map(|(pose, colours)| Moment {
            strands: self.overlay.dressed(pose, colours, &ghosts),
            meshes: meshes(self.bodies, pose).collect(),
            camera: self.camera(pose.frame),
        });
        let moments: Vec<Moment<'_>> = dressed.collect();
        let Wish { size, quality, .. } = self.wish;
        let view = View { moments: &moments, stage: &self.stage, size, quality };
        let mut picture = renderer.draw(&view)?;
        if let Some(pose) = poses.first() {
            self.overlay.paint(frame, pose, &self.camera(frame), &mut picture)?;
        }
        Ok(picture)
    }
}

/// How far everything reaches, over many frames.
#[derive(Clone, Copy)]
struct Extent {
    framing: Framing,
    bounds: Bounds,
    glows: bool,
    /// What is measured, and the numbers that it had.
    measure: Option<Measure>,
    range: Range,
}

impl Extent {
    fn of(
        bodies: &Bodies<'_>,
        frames: &[f64],
        wish: &Wish,
        progress: &Progress,
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let framing = Framing::new(wish.viewpoint.direction(), wish.size.aspect());
        let measure = wish.show.measure;
        let nothing =
            Self { framing, bounds: Bounds::EMPTY, glows: false, measure, range: Range::EMPTY };
        let mut extent = nothing;
        let mut pose = Pose::default();
        let Some((first, rest)) = frames.split_first() else { return Ok(extent) };
        extent.look(bodies, *first, &mut pose, Bounds::EMPTY);
        let home = extent.bounds;
        if bodies.are_still() {
            return Ok(extent);
        }
        let points: usize =
            strands(bodies, &pose).map(|strand| strand.points().len()).sum::<usize>()
                + meshes(bodies, &pose).map(|mesh| mesh.points().len()).sum::<usize>();
        for (done, batch) in rest.chunks(BATCH).enumerate() {
            if interrupt.asked() {
                return Err(stopped());
            }
            progress.advance((done * BATCH) as u64, frames.len() as u64);
            if points > SMALL {
                // Such scenes have bodies enough to share out.
                for frame in batch {
                    extent.look(bodies, *frame, &mut pose, home);
                }
                continue;
            }
            let look = |pose: &mut Pose, frame: &f64| {
                let mut extent = nothing;
                extent.look(bodies, *frame, pose, home);
                extent
            };
            let seen: Vec<Self> = batch.par_iter().map_init(Pose::default, look).collect();
            for other in &seen {
                extent.framing.include_all_of(&other.framing);
                extent.bounds = extent.bounds.union(other.bounds);
                extent.glows |= other.glows;
                extent.range.include_all_of(other.range);
            }
        }
        Ok(extent)
    }

    /// Looks at a frame; what was torn off and has flown far from home is let go.
    fn look(&mut self, bodies: &Bodies<'_>, frame: f64, pose: &mut Pose, home: Bounds) {
        bodies.pose_into(frame, pose);
        let seen = bodies.indices().iter().map(|body| &pose.bodies[*body]);
        // An end may be frayed by its looks; what is in pieces is torn.
        let seen = seen
            .filter(|body| body.visible)
            .flat_map(|body| body.strands.iter().map(|strand| (strand, body.strands.len() > 1)));
        for (strand, is_piece) in seen {
            let bounds = Bounds::of(strand);
            if !(is_piece && is_stray(strand, &bounds, &home)) {
                self.framing.include_strands([strand]);
                self.bounds = self.bounds.union(bounds);
            }
            // Colours that mean something are for the day.
            let glows = self.measure.is_none() && Surface::of(&strand.look).glow > 0.0;
            self.glows = self.glows || glows;
            self.range.include(self.measure, strand);
        }
        for mesh in meshes(bodies, pose) {
            self.framing.include_meshes([mesh]);
            self.bounds = self.bounds.union(Bounds::of_mesh(mesh));
        }
    }
}

/// How many times as far as everything is wide at first a torn piece may be from there, to be framed.
/// Less: pieces that fall beside what they fell from are out of the picture. More: what flies off makes
/// everything else a speck.
const STRAY: f64 = 1.0;

/// Whether a strand is a torn piece that is far from where everything was at first.
fn is_stray(strand: &Strand, bounds: &Bounds, home: &Bounds) -> bool {
    if strand.torn == [false; 2] || home.is_empty() || bounds.is_empty() {
        return false;
    }
    let apart = (bounds.low - home.high).max(home.low - bounds.high).max(DVec3::ZERO);
    apart.length() > STRAY * (home.high - home.low).length()
}

/// The meshes that are seen.
pub(crate) fn meshes<'p>(bodies: &'p Bodies<'_>, pose: &'p Pose) -> impl Iterator<Item = &'p Mesh> {
    let chosen = bodies.indices().iter().map(|body| &pose.bodies[*body]);
    chosen.filter(|body| body.visible).filter_map(|body| body.mesh.as_ref())
}

/// The strands that are seen.
pub(crate) fn strands<'p>(
    bodies: &'p Bodies<'_>,
    pose: &'p Pose,
) -> impl Iterator<Item = &'p Strand> {
    let chosen = bodies.indices().iter().map(|body| &pose.bodies[*body]);
    chosen.filter(|body| body.visible).flat_map(|body| &body.strands)
}

/// What is said after Ctrl-C.
fn stopped() -> Failure {
    Failure::new("the drawing was stopped, and no unfinished file is left")
}

/// Why there is no picture, and the way out as it is said on the command line.
pub(crate) fn cannot_draw(error: &RenderError) -> Failure {
    Failure::new(match error {
        RenderError::TooLarge { .. } => format!("{error}; ask for a smaller --size"),
        RenderError::Camera { .. } => {
            format!(
                "{error}; bring bodies and cameras nearer to the origin, or draw some bodies with \
                 --body"
            )
        }
        RenderError::Gpu { .. } | RenderError::TooLargeForGpu { .. } => {
            format!("{error}; draw with --renderer cpu")
        }
        RenderError::TooMany { .. } => format!("{error}; draw some with --body"),
        other => other.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_angles_or_names() {
        let look = |text: &str| text.parse::<Viewpoint>().map(Viewpoint::direction);
        assert!((look("0,0").unwrap() - DVec3::Y).length() < 1e-15);
        assert!((look(" 90 , 0").unwrap() - look("side").unwrap()).length() < 1e-15);
        assert!((look("0,90").unwrap() - look("top").unwrap()).length() < 1e-15);
        for bad in ["", "below", "1", "1,2,3", "nan,0", "front,0"] {
            assert!(look(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn torn_pieces_that_fly_off_are_not_framed() {
        use lariat_core::geometry::{Look, Sweep};
        let piece = |from: DVec3, torn: bool| {
            let mut strand = Strand::empty("x", Look { name: "rope".into(), colour: [0.5; 3] });
            strand.sweep(&[from, from + DVec3::X], &Sweep::round(DVec3::Z, 0.1));
            strand.torn = [torn, false];
            strand
        };
        let mut home = Bounds::EMPTY;
        home.include(DVec3::ZERO, 0.0);
        home.include(DVec3::new(3.0, 0.0, 4.0), 0.0);
        // Everything is 5 m wide, so that 5 m are far.
        let stray = |strand: &Strand| is_stray(strand, &Bounds::of(strand), &home);
        assert!(stray(&piece(DVec3::new(0.0, 0.0, -5.2), true)));
        assert!(!stray(&piece(DVec3::new(0.0, 0.0, -5.0), true)));
        assert!(!stray(&piece(DVec3::new(0.0, 0.0, -50.0), false)), "a rope may go where it likes");
    }

    #[test]
    fn the_default_view_is_the_renderers() {
        let theirs = Outlook::ThreeQuarter.direction().normalize_or_zero();
        assert!(Viewpoint::default().direction().dot(theirs) > 0.9999);
    }
}
