//! Evaluated frames of a shot, kept for reuse within a budget of memory.
//!
//! A frame of a shot is needed several times: for its warnings, to frame the camera, for the
//! picture, and for overlays of other frames. Frames that are drawn are evaluated once, as far as
//! they fit into the budget; frames beyond it are evaluated again, so memory does not grow with the
//! length of the shot.
//!
//! Tests: `a_frame_is_evaluated_once`, `a_shot_that_stands_still_is_evaluated_once`,
//! `frames_beyond_the_budget_are_not_kept`, `only_frames_that_are_drawn_are_kept`.

use std::{
    cmp::Ordering,
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use lariat_eval::{BodyMoment, Moment};
use lariat_export::Progress;
use rayon::prelude::*;

use crate::{bodies::Bodies, error::ShootError};

/// Memory for kept frames in bytes: with 49 points per rope, a minute of 27 ropes, or seven frames
/// of 5,000 ropes.
pub const BUDGET: usize = 256 << 20;

/// Number of points in one frame up to which several frames are evaluated in parallel, 25 MB each.
/// Larger scenes have enough bodies to occupy all threads within one frame.
const PARALLEL_POINTS: usize = 200_000;

/// Number of points in all frames below which threads cost more than they save, about 2 ms of work.
const SEQUENTIAL_POINTS: usize = 20_000;

/// Number of frames between two reports of progress.
const BATCH: usize = 64;

/// Bytes of one point with its frame, radius and twist, and of one strand without points.
const POINT_BYTES: usize = 128;
const STRAND_BYTES: usize = 512;

/// A frame number that can be ordered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame(pub(crate) f64);

impl Ord for Frame {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Frame {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Frame {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Frame {}

/// Evaluated frames of some bodies.
#[derive(Debug)]
pub struct Moments<'s> {
    bodies: &'s Bodies<'s>,
    are_still: bool,
    budget: usize,
    /// Drawn frames in ascending order, and the number of frames around each that overlays show.
    drawn: Vec<Frame>,
    reach: f64,
    kept: Mutex<Kept>,
    /// Unused moments, kept to reuse their memory.
    spare: Mutex<Vec<Moment>>,
}

#[derive(Debug, Default)]
struct Kept {
    moments: BTreeMap<Frame, Arc<Moment>>,
    bytes: usize,
}

impl<'s> Moments<'s> {
    /// Keeps nothing: for passes that need each frame once.
    pub fn transient(bodies: &'s Bodies<'s>) -> Self {
        Self::new(bodies, &[], 0.0, 0)
    }

    /// Keeps drawn frames, and those up to `reach` frames away from one, within a budget in bytes
    /// ([`BUDGET`]).
    pub fn new(bodies: &'s Bodies<'s>, drawn: &[f64], reach: f64, budget: usize) -> Self {
        let mut drawn: Vec<Frame> = drawn.iter().copied().map(Frame).collect();
        drawn.sort_unstable();
        Self {
            bodies,
            are_still: bodies.are_still(),
            budget,
            drawn,
            reach,
            kept: Mutex::default(),
            spare: Mutex::default(),
        }
    }

    /// Bodies that are evaluated.
    pub fn bodies(&self) -> &'s Bodies<'s> {
        self.bodies
    }

    /// Whether all frames are the same.
    pub(crate) fn are_still(&self) -> bool {
        self.are_still
    }

    /// The bodies at a frame. If nothing moves, all frames share one moment.
    pub(crate) fn at(&self, frame: f64) -> Arc<Moment> {
        let key = Frame(if self.are_still { 0.0 } else { frame });
        if let Some(moment) = lock(&self.kept).moments.get(&key) {
            return Arc::clone(moment);
        }
        let mut moment = lock(&self.spare).pop().unwrap_or_default();
        self.bodies.evaluate_into(frame, &mut moment);
        let moment = Arc::new(moment);
        if self.is_needed_again(frame) {
            let bytes = bytes(&moment);
            let mut kept = lock(&self.kept);
            if kept.bytes + bytes <= self.budget {
                kept.bytes += bytes;
                kept.moments.insert(key, Arc::clone(&moment));
            }
        }
        moment
    }

    /// The bodies at a frame if that frame is kept.
    pub(crate) fn kept(&self, frame: f64) -> Option<Arc<Moment>> {
        let key = Frame(if self.are_still { 0.0 } else { frame });
        lock(&self.kept).moments.get(&key).cloned()
    }

    /// Keeps the memory of an unused moment for reuse.
    pub(crate) fn recycle(&self, moment: Arc<Moment>) {
        if let Ok(moment) = Arc::try_unwrap(moment) {
            lock(&self.spare).push(moment);
        }
    }

    /// Drops frames that are not needed after `frame` and those before it are drawn.
    pub(crate) fn release_up_to(&self, frame: f64) {
        if self.are_still {
            return;
        }
        let mut kept = lock(&self.kept);
        while let Some(first) = kept.moments.first_entry() {
            if first.key().0 > frame - self.reach {
                break;
            }
            let moment = first.remove();
            kept.bytes -= bytes(&moment);
            self.recycle(moment);
        }
    }

    /// Summarises frames, in parallel if that is faster, and passes on the summaries in order.
    pub(crate) fn summarise<T: Send>(
        &self,
        frames: &[f64],
        progress: &dyn Progress,
        summary: impl Fn(&Moment) -> T + Sync,
        mut take: impl FnMut(f64, T),
    ) -> Result<(), ShootError> {
        let one = |frame: &f64| {
            let moment = self.at(*frame);
            let (summary, points) = (summary(&moment), points(&moment));
            self.recycle(moment);
            (summary, points)
        };
        let Some((first, rest)) = frames.split_first() else { return Ok(()) };
        let (summary, points) = one(first);
        take(*first, summary);
        let in_parallel =
            points <= PARALLEL_POINTS && points.saturating_mul(rest.len()) > SEQUENTIAL_POINTS;
        for (done, batch) in rest.chunks(BATCH).enumerate() {
            if progress.cancelled() {
                return Err(ShootError::Cancelled);
            }
            progress.advance((done * BATCH) as u64, frames.len() as u64);
            if in_parallel {
                let all: Vec<(T, usize)> = batch.par_iter().map(one).collect();
                batch.iter().zip(all).for_each(|(frame, (summary, _))| take(*frame, summary));
            } else {
                for frame in batch {
                    take(*frame, one(frame).0);
                }
            }
        }
        Ok(())
    }

    fn is_needed_again(&self, frame: f64) -> bool {
        let next = self.drawn.partition_point(|drawn| drawn.0 < frame);
        let near = |at: usize| {
            self.drawn.get(at).is_some_and(|drawn| (drawn.0 - frame).abs() <= self.reach)
        };
        (self.are_still && self.budget > 0) || near(next) || (next > 0 && near(next - 1))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn points(moment: &Moment) -> usize {
    let of_body = |body: &BodyMoment| {
        let strands: usize = body.strands.iter().map(|strand| strand.points().len()).sum();
        strands + body.mesh.as_ref().map_or(0, |mesh| mesh.points().len())
    };
    moment.bodies.iter().map(of_body).sum()
}

/// Estimated memory of a moment.
fn bytes(moment: &Moment) -> usize {
    let strands: usize = moment.bodies.iter().map(|body| body.strands.len().max(1)).sum();
    points(moment) * POINT_BYTES + strands * STRAND_BYTES
}

#[cfg(test)]
mod tests {
    use lariat_eval::Scene;
    use lariat_export::NoProgress;
    use lariat_render::{Quality, Size};
    use lariat_scene::{Limits, check::check};

    use super::*;
    use crate::{Overlays, RendererChoice, Settings, Shoot, survey};

    const FRAMES: u64 = 6;

    fn text(to: &str) -> String {
        format!(
            "lariat = 2\n[shot]\nframes = [1, {FRAMES}]\n[[camera]]\nname = 'c'\nposition = [1, -4, \
             2]\ntarget = {{ body = 'b', at = 0.5 }}\n[[body]]\nname = 'a'\nmodel = \
             'suspended-rope'\nfrom = [0, 0, 2]\nto = {to}\nlength = 4\nsamples = 9\n[[body]]\nname = \
             'b'\nmodel = 'loose-rope'\nfrom = {{ body = 'a', at = 0.5 }}\nlength = 1\nsamples = 9\n"
        )
    }

    const MOVING: &str = "{ keys = [[1, [3, 0, 2]], [6, [2, 1, 2]]] }";

    /// Surveys, frames and draws a shot. Returns the number of evaluations of bodies.
    fn evaluations(text: &str, overlays: &str, camera: bool, drawn: &[f64], budget: usize) -> u64 {
        let lowered = check(text.as_bytes(), &Limits::DEFAULT).content.unwrap().lowered;
        let scene = Scene::bind(&lowered);
        let bodies = Bodies::choose(&scene, &lowered, &[]).unwrap();
        let overlays: Option<Overlays> = (!overlays.is_empty()).then(|| overlays.parse().unwrap());
        let overlays = overlays.unwrap_or_default();
        let frames: Vec<f64> = (1..=FRAMES).map(|frame| frame as f64).collect();
        let moments = Moments::new(&bodies, drawn, overlays.reach(), budget);
        survey(&moments, &[], drawn, &NoProgress).unwrap();
        let settings = Settings {
            quality: Quality::DRAFT,
            camera: camera.then_some(0).into(),
            overlays,
            renderer: RendererChoice::Cpu,
            ..Settings::new(Size::new(16, 9).unwrap())
        };
        let shoot = Shoot::new(&moments, settings, &frames, &NoProgress).unwrap();
        let take = |_, _: &_| Ok::<_, ShootError>(());
        shoot.pictures(drawn, &NoProgress, take).unwrap();
        bodies.evaluations()
    }

    fn all() -> Vec<f64> {
        (1..=FRAMES).map(|frame| frame as f64).collect()
    }

    #[test]
    fn a_frame_is_evaluated_once() {
        let text = text(MOVING);
        for overlays in ["", "control-points", "frames,slack", "ghosts:2"] {
            for camera in [false, true] {
                let count = evaluations(&text, overlays, camera, &all(), BUDGET);
                assert_eq!(count, 2 * FRAMES, "`{overlays}`, camera: {camera}");
            }
        }
        // Trails have a step every quarter of a frame.
        let steps = 4 * (FRAMES - 1) + 1;
        assert_eq!(evaluations(&text, "trails", false, &all(), BUDGET), 2 * steps);
    }

    #[test]
    fn a_shot_that_stands_still_is_evaluated_once() {
        assert_eq!(evaluations(&text("[3, 0, 2]"), "", false, &all(), BUDGET), 2);
    }

    #[test]
    fn frames_beyond_the_budget_are_not_kept() {
        let text = text(MOVING);
        let lowered = check(text.as_bytes(), &Limits::DEFAULT).content.unwrap().lowered;
        let scene = Scene::bind(&lowered);
        let bodies = Bodies::choose(&scene, &lowered, &[]).unwrap();
        let one = bytes(&Moments::transient(&bodies).at(1.0));
        let moments = Moments::new(&bodies, &all(), 0.0, 2 * one);
        for frame in all() {
            drop(moments.at(frame));
        }
        assert_eq!(lock(&moments.kept).moments.len(), 2);
        moments.release_up_to(1.0);
        assert_eq!(lock(&moments.kept).bytes, one);
        // Every pass evaluates all frames again.
        assert_eq!(evaluations(&text, "", false, &all(), 0), 3 * 2 * FRAMES);
    }

    #[test]
    fn only_frames_that_are_drawn_are_kept() {
        let text = text(MOVING);
        assert_eq!(evaluations(&text, "", false, &[3.0], BUDGET), 2 * FRAMES);
        let lowered = check(text.as_bytes(), &Limits::DEFAULT).content.unwrap().lowered;
        let scene = Scene::bind(&lowered);
        let bodies = Bodies::choose(&scene, &lowered, &[]).unwrap();
        let moments = Moments::new(&bodies, &[3.0], 1.0, BUDGET);
        for frame in all() {
            drop(moments.at(frame));
        }
        let kept: Vec<f64> = lock(&moments.kept).moments.keys().map(|frame| frame.0).collect();
        assert_eq!(kept, [2.0, 3.0, 4.0]);
    }
}
