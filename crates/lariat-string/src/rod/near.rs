//! Which segments are near each other.
//!
//! Segments are taken eight at a time. The boxes of these runs go into a grid, and where two boxes
//! come near each other the distances of their segments are looked at. A list of pairs stays good
//! until something has moved by more than the margin of its segment.
//!
//! Pairs that are listed without being near have no influence on the motion: which ones take part in
//! a substep is decided by their distance then (`pairs.rs`). So a run that continues from a
//! checkpoint, which finds its pairs anew, has the same bits.
//!
//! Tests: `no_contact_is_missed_in_a_million_pairs`, `segments_of_different_length_have_few_pairs`.

use glam::DVec3;

use super::super::contact::MOST_PAIRS;
use super::super::contact::grid::Grid;
use super::super::controls::Overrides;
use super::pairs::Pair;
use super::parts::Parts;
use super::state::{PairForce, Span};

/// Segments of a run.
const RUN: usize = 8;

/// Distance that a particle may move before pairs are found again, over the length of its segment.
const MARGIN: f64 = 0.25;

/// Some segments that follow each other.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    first: usize,
    count: usize,
    piece: usize,
    low: DVec3,
    high: DVec3,
}

/// All pairs of segments that may come to touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    grid: Grid,
    runs: Vec<Run>,
    /// Positions of particles when pairs were found, and how far they may move from there.
    found: Vec<DVec3>,
    margins: Vec<f64>,
    /// Arc length at rest from the start of the piece.
    arc: Vec<f64>,
    close: Vec<(u32, u32)>,
    /// Middles of segments, and how far each reaches from there.
    middles: Vec<(DVec3, f64)>,
    /// In the order of their segments.
    pub pairs: Vec<Pair>,
    old: Vec<Pair>,
    ready: bool,
    /// True if there are more than [`MOST_PAIRS`].
    pub crowded: bool,
}

/// Positions at the start of a substep, and likely positions at its end.
pub(super) struct Motion<'a> {
    pub from: &'a [DVec3],
    pub to: &'a [DVec3],
}

impl Near {
    /// Forgets all pairs: strings were changed.
    pub(super) fn forget(&mut self) {
        self.ready = false;
        self.pairs.clear();
    }

    /// Finds all pairs that may come to touch, if those known may not be all.
    pub(super) fn look(
        &mut self,
        spans: &[Span],
        parts: &Parts,
        overrides: &[Overrides],
        motion: &Motion<'_>,
        forces: &[PairForce],
    ) {
        let moved = |i: usize, x: DVec3| {
            x.distance_squared(self.found[i]) > self.margins[i] * self.margins[i]
        };
        let good = self.ready
            && self.found.len() == motion.from.len()
            && !(0..self.found.len()).any(|i| moved(i, motion.from[i]) || moved(i, motion.to[i]));
        if good {
            return;
        }
        let touches =
            |span: &Span| overrides.get(span.string).is_none_or(|overrides| overrides.touches);
        let n = motion.from.len();
        self.found.clear();
        self.found.extend_from_slice(motion.to);
        self.margins.clear();
        self.margins.resize(n, f64::INFINITY);
        self.arc.clear();
        self.arc.resize(n, 0.0);
        self.runs.clear();
        let mut widest = 0.0_f64;
        for (piece, span) in spans.iter().enumerate() {
            let mut arc = 0.0;
            for i in span.particles() {
                self.arc[i] = arc;
                let k = i.min(span.first + span.count.max(2) - 2);
                arc += parts.length[k];
                self.margins[i] = MARGIN * parts.length[k];
            }
            if !touches(span) {
                for i in span.particles() {
                    self.margins[i] = f64::INFINITY;
                }
                continue;
            }
            let segments = span.segments();
            for first in segments.clone().step_by(RUN) {
                let count = RUN.min(segments.end - first);
                let (mut low, mut high) = (motion.to[first], motion.to[first]);
                let mut wide = 0.0_f64;
                for i in first..=first + count {
                    low = low.min(motion.to[i]).min(motion.from[i]);
                    high = high.max(motion.to[i]).max(motion.from[i]);
                    wide = wide.max(parts.radius[i.min(segments.end - 1)] + self.margins[i]);
                }
                let (low, high) = (low - DVec3::splat(wide), high + DVec3::splat(wide));
                if low.is_finite() && high.is_finite() {
                    widest = widest.max((high - low).max_element());
                    self.runs.push(Run { first, count, piece, low, high });
                }
            }
        }
        self.close.clear();
        let runs = &self.runs;
        let middles =
            runs.iter().enumerate().map(|(k, run)| (k as u32, (run.low + run.high) * 0.5));
        self.grid.sort(middles, widest.max(f64::MIN_POSITIVE));
        let (found, margins, arc) = (&self.found, &self.margins, &self.arc);
        self.middles.clear();
        self.middles.resize(n, (DVec3::ZERO, 0.0));
        for run in runs {
            for i in run.first..run.first + run.count {
                let reach = parts.radius[i]
                    + margins[i].max(margins[i + 1])
                    + travel(motion, i)
                    + 0.5 * found[i].distance(found[i + 1]);
                self.middles[i] = ((found[i] + found[i + 1]) * 0.5, reach);
            }
        }
        let middles = &self.middles;
        let close = &mut self.close;
        let mut among = |a: &Run, b: &Run| {
            let (a, b) = if a.first <= b.first { (a, b) } else { (b, a) };
            let same = a.piece == b.piece;
            let end = b.first + b.count;
            for i in a.first..a.first + a.count {
                let (middle, reach) = middles[i];
                let from = b.first.max(if same { i + 2 } else { 0 }).min(end);
                for (j, (other, other_reach)) in (from..end).zip(&middles[from..end]) {
                    let reach = reach + other_reach;
                    if middle.distance_squared(*other) >= reach * reach {
                        continue;
                    }
                    let between = arc[j] - arc[i + 1];
                    let thick = parts.radius[i] + parts.radius[j];
                    // Neighbours along a string are near each other and never in contact.
                    let beside = between < parts.length[i].max(parts.length[j]) + thick;
                    if !(same && beside) && close.len() <= MOST_PAIRS {
                        close.push((i as u32, j as u32));
                    }
                }
            }
        };
        for run in runs {
            among(run, run);
        }
        self.grid.pairs(0..runs.len(), |a, b| {
            let (a, b) = (&runs[a as usize], &runs[b as usize]);
            if a.low.cmple(b.high).all() && b.low.cmple(a.high).all() {
                among(a, b);
            }
        });
        self.crowded = self.close.len() > MOST_PAIRS;
        if self.crowded {
            self.forget();
            return;
        }
        self.close.sort_unstable();
        std::mem::swap(&mut self.pairs, &mut self.old);
        self.pairs.clear();
        // Forces of the pairs known so far, or those of the state if none are.
        let known: &mut dyn Iterator<Item = PairForce> = match self.ready {
            true => &mut self.old.iter().map(Pair::force_of),
            false => &mut forces.iter().copied(),
        };
        let mut known = known.filter(|pair| pair.force != DVec3::ZERO).peekable();
        for &(i, j) in &self.close {
            while known.next_if(|known| known.segments < [i, j]).is_some() {}
            let force = known.next_if(|known| known.segments == [i, j]);
            self.pairs.push(Pair::new([i, j], force.map_or(DVec3::ZERO, |known| known.force)));
        }
        self.ready = true;
    }
}

/// How far the ends of a segment go in this substep.
fn travel(motion: &Motion<'_>, segment: usize) -> f64 {
    let far = |i: usize| motion.from[i].distance_squared(motion.to[i]);
    far(segment).max(far(segment + 1)).sqrt()
}
