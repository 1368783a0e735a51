//! Evaluated frames of a shot, kept for reuse within a budget of memory.
//!
//! A frame of a shot is needed several times: for its warnings, for the framing of the camera, for the
//! picture, and for overlays of other frames. It is evaluated once if the frames that are drawn fit
//! into the budget. Frames beyond the budget are evaluated again, so memory does not grow with the
//! length of the shot.
//!
//! Tests: `a_frame_is_evaluated_once`, `frames_beyond_the_budget_are_not_kept`,
//! `only_frames_that_are_drawn_are_kept`.

use std::{
    cmp::Ordering,
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use lariat_eval::{BodyMoment, Moment};
use lariat_export::Progress;
use rayon::prelude::*;

use crate::{bodies::Bodies, error::ShootError};

/// Memory for kept frames in bytes: with 49 points per rope, a minute of 27 ropes, or seven frames of
/// 5,000 ropes.
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

/// A frame number with an order.
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
    /// Frames that are drawn, rising, and the number of frames around each that overlays show.
    drawn: Vec<Frame>,
    reach: f64,
    kept: Mutex<Kept>,
    /// Memory of moments that are no longer used.
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

    /// Keeps frames that are drawn, and those up to `reach` frames away from one, within a budget in
    /// bytes ([`BUDGET`]).
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

    /// The bodies at a frame. Of bodies that never move one moment stands for all frames.
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

    /// Takes back the memory of a moment that is no longer used.
    pub(crate) fn recycle(&self, moment: Arc<Moment>) {
        if let Ok(moment) = Arc::try_unwrap(moment) {
            lock(&self.spare).push(moment);
        }
    }

    /// Gives up frames that are not needed once `frame` and those before it are drawn.
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

    /// Summarises frames, in parallel if that is faster, and hands on the summaries in order.
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
                batch.iter().for_each(|frame| take(*frame, one(frame).0));
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

/// Memory of a moment, estimated.
fn bytes(moment: &Moment) -> usize {
    let strands: usize = moment.bodies.iter().map(|body| body.strands.len().max(1)).sum();
    points(moment) * POINT_BYTES + strands * STRAND_BYTES
}
