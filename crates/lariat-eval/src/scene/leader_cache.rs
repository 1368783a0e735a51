//! Cache of the poses of bodies that others are attached to.
//!
//! Exporters ask for one body after the other, each at all frames. Without this cache the last body of
//! a chain of `n` would pose all `n` bodies at every frame, and the whole export `n²/2` of them; with
//! it, each body is posed once per frame from its cached leader.
//!
//! Memory is bounded: the least recently used body is dropped first, but never a leader of the body
//! that is being added. If there is still no room, the new pose is not cached, and is computed again
//! when it is needed.
//!
//! Tests, in `tests/suite/attach.rs`: `a_chain_evaluated_body_by_body_is_posed_once_per_frame`; here:
//! `the_cache_is_bounded_and_keeps_leaders`.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::moment::BodyMoment;

/// Limit on the bytes of all cached poses: fifty ropes of 49 points for some 200 frames each.
const BUDGET: usize = 64 << 20;

/// Bytes of a point of a strand, with its frame, radius and twist.
const BYTES_PER_POINT: usize = 128;

/// Bytes of a pose besides its points.
const BYTES_PER_POSE: usize = 512;

#[derive(Debug)]
pub(super) struct LeaderCache {
    kept: Mutex<Kept>,
    budget: usize,
}

#[derive(Debug, Default)]
struct Kept {
    bodies: BTreeMap<usize, Frames>,
    bytes: usize,
    /// Counts requests, to find the least recently used body.
    clock: u64,
}

#[derive(Debug, Default)]
struct Frames {
    /// Poses by the bits of their frame.
    poses: HashMap<u64, Arc<BodyMoment>>,
    bytes: usize,
    used: u64,
}

impl Default for LeaderCache {
    fn default() -> Self {
        Self { kept: Mutex::default(), budget: BUDGET }
    }
}

impl LeaderCache {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The pose of a body at a frame, if it is cached.
    pub(super) fn get(&self, body: usize, frame: f64) -> Option<Arc<BodyMoment>> {
        let mut kept = self.lock();
        kept.clock += 1;
        let clock = kept.clock;
        let frames = kept.bodies.get_mut(&body)?;
        frames.used = clock;
        frames.poses.get(&frame.to_bits()).cloned()
    }

    /// Stores the pose of a body at a frame if there is room; `leaders` are not dropped for it.
    pub(super) fn keep(&self, body: usize, frame: f64, pose: Arc<BodyMoment>, leaders: &[usize]) {
        let bytes = bytes_of(&pose);
        let mut kept = self.lock();
        kept.clock += 1;
        while kept.bytes + bytes > self.budget {
            let others = kept.bodies.iter().filter(|(b, _)| **b != body && !leaders.contains(b));
            let Some(oldest) = others.min_by_key(|(_, frames)| frames.used).map(|(b, _)| *b) else {
                return;
            };
            let dropped = kept.bodies.remove(&oldest).map_or(0, |frames| frames.bytes);
            kept.bytes -= dropped;
        }
        let clock = kept.clock;
        let frames = kept.bodies.entry(body).or_default();
        frames.used = clock;
        if frames.poses.insert(frame.to_bits(), pose).is_none() {
            frames.bytes += bytes;
            kept.bytes += bytes;
        }
    }
}

fn bytes_of(pose: &BodyMoment) -> usize {
    let points: usize = pose.strands.iter().map(|strand| strand.points().len()).sum();
    BYTES_PER_POSE + BYTES_PER_POINT * (points + pose.spine().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_bounded_and_keeps_leaders() {
        let cache = LeaderCache { budget: 4 * BYTES_PER_POSE, ..LeaderCache::default() };
        let keep = |body: usize, frame: f64, leaders: &[usize]| {
            cache.keep(body, frame, Arc::default(), leaders);
        };
        let kept = || [0, 1, 2, 3].map(|body| cache.get(body, 1.0).is_some());
        for body in 0..4 {
            keep(body, 1.0, &[]);
        }
        assert_eq!(kept(), [true; 4]);
        // Bodies 0 and 1 were used before 2 and 3; 0 is a leader.
        keep(3, 2.0, &[0]);
        assert_eq!(kept(), [true, false, true, true]);
        // With nothing else to drop, the new pose is not cached.
        keep(3, 3.0, &[0, 2]);
        assert_eq!((kept(), cache.get(3, 3.0).is_some()), ([true, false, true, true], false));
        assert_eq!(cache.lock().bytes, 4 * BYTES_PER_POSE);
    }
}
