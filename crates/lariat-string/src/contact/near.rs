//! Which segments may touch in the next part of a step, and how long it may be for that.
//!
//! Segments are taken eight at a time: the boxes of such runs go into a grid, and only where two boxes
//! come near each other are segments looked at, first by the distance of their middles. How near is
//! near depends on how fast the two runs move *against each other*, so that a rope that swings as a
//! whole has no more pairs than one at rest. Pairs that were found stay good for as long as nothing
//! has moved by more than the margin of its run, and a pair that was far
//! apart when it was looked at is not looked at again before it could have come together.
//!
//! Which pairs are known besides those that touch has no influence on anything but time: they are
//! pushed in the order of their segments, and only those that could touch within the part say how
//! long it may be. So a run that goes on from a checkpoint has the same bits.
//!
//! Tests: `no_contact_is_missed_in_a_million_pairs`, `a_checkpoint_goes_on_with_the_same_bits`,
//! `what_is_fast_does_not_pass_through`.

use std::ops::Range;

use glam::DVec3;

use super::super::Span;
use super::super::batches::Execution;
use super::super::controls::Overrides;
use super::super::state::State;
use super::super::strings::Parts;
use super::grid::Grid;
use super::{Touch, capsule};

/// Segments of a run.
const RUN: usize = 8;

/// Distance that a particle may move before pairs are found again, over the length of its segments.
const MARGIN: f64 = 0.25;

/// Largest number of pairs, half a gigabyte.
pub(in super::super) const MOST_PAIRS: usize = 2_000_000;

/// The least distance that parts of a step are made for, over the sum of two radii. More: deep
/// contacts are passed through. Less: what rests takes many parts.
const ROOM: f64 = 0.3;

/// How far what is pulled together may sink in within a part, over the sum of two radii. More: knots
/// pass through themselves when they are pulled. Less: they take many parts.
const SINKS: f64 = 0.03;

/// Two segments that may touch.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Pair {
    /// By their first particles, the smaller one first.
    pub segments: [u32; 2],
    /// Whether one of their strings may touch another one.
    pub tangled: bool,
    /// They are further apart than touching by so much at least, in metres.
    pub free: f64,
    /// From the second to the first when the part began, if they could touch in it.
    pub side: Option<DVec3>,
    /// How they touched in the last part.
    pub touch: Option<Touch>,
    /// What pushes of this part have come to: metres apart and metres back, m/s apart and m/s back.
    pub deep: f64,
    pub back: f64,
    pub slowed: f64,
    pub held: f64,
    /// Newtons that press it in this part, from the start.
    pub press: f64,
    /// Seconds for which it has rested on each other.
    pub rested: f64,
    /// How much nearer than touching it was after the motion, in metres, and where along both; none if it
    /// was far apart.
    pub off: Option<f64>,
    pub at: [f64; 2],
}

impl Pair {
    /// Whether it cannot have touched, nor was pressed, when things moved by so much at most.
    pub(super) fn is_left(&self, moved: f64) -> bool {
        self.free > moved && self.rested <= 0.0
    }

    /// It did not touch, and things moved by so much at most.
    pub(super) fn leave(&mut self, moved: f64) {
        self.free -= moved;
        self.touch = None;
        self.off = None;
    }
}

/// Some segments in a row.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    first: usize,
    count: usize,
    span: u32,
    low: DVec3,
    high: DVec3,
    /// How it moves as a whole, and how much faster any of it may come to move, in m/s.
    pace: DVec3,
    spread: f64,
    thick: f64,
    /// Distance that its particles may move before pairs are found again.
    margin: f64,
}

impl Run {
    /// Finds out where it is and how it moves; `more` is how much faster a particle may come to move.
    fn measure(&mut self, state: &State, parts: &Parts, more: &dyn Fn(usize) -> f64) {
        let (x, v) = (&state.positions, &state.velocities);
        let range = self.first..=self.first + self.count;
        (self.low, self.high, self.pace) = (x[self.first], x[self.first], DVec3::ZERO);
        for i in range.clone() {
            self.low = self.low.min(x[i]);
            self.high = self.high.max(x[i]);
            self.pace += v[i];
        }
        self.pace /= (self.count + 1) as f64;
        let radii = &parts.radius[self.first..self.first + self.count];
        self.thick = radii.iter().fold(0.0, |most, radius| radius.max(most));
        let lengths = &parts.length[self.first..self.first + self.count];
        self.margin =
            MARGIN * lengths.iter().fold(f64::INFINITY, |least, length| length.min(least));
        let spread = range.map(|i| (v[i] - self.pace).length() + more(i));
        self.spread = spread.fold(0.0, f64::max);
    }
}

/// Some runs, and the segments of theirs that are near others.
#[derive(Clone, Debug, Default)]
struct Find {
    runs: Range<usize>,
    near: Vec<(u32, u32)>,
}

/// What may touch, and what does.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Contacts {
    grid: Grid,
    runs: Vec<Run>,
    /// Middles of segments, and half their length.
    middles: Vec<DVec3>,
    halves: Vec<f64>,
    /// Positions of particles when pairs were found, and distances that they may move from there.
    found: Vec<DVec3>,
    margins: Vec<f64>,
    /// What each batch found, and all of it.
    finds: Vec<Find>,
    near: Vec<(u32, u32)>,
    /// True if there are more than [`MOST_PAIRS`], and none is known.
    pub(in super::super) crowded: bool,
    /// In the order of their segments.
    pub(in super::super) pairs: Vec<Pair>,
    /// Which strings may touch another one; none if none may.
    pub(in super::super) tangled: Vec<bool>,
    pub(super) touches: Vec<Touch>,
    ready: bool,
}

impl Contacts {
    /// Strings are others than they were.
    pub(in super::super) fn forget(&mut self) {
        self.ready = false;
        self.pairs.clear();
        self.tangled.clear();
    }

    /// Makes sure that all pairs are known that may touch within the next `horizon` seconds.
    #[expect(clippy::too_many_arguments, reason = "who looks at what, what is held, how far ahead")]
    pub(super) fn look(
        &mut self,
        hands: Execution<'_>,
        state: &State,
        parts: &Parts,
        overrides: &[Overrides],
        ways: &[(usize, DVec3, DVec3)],
        left: f64,
        horizon: f64,
        gravity: f64,
    ) {
        let x = &state.positions;
        // How much further than by its speed a thing may come.
        let more = |i: usize| (state.swings[i].length() + gravity) * horizon;
        if self.ready && self.found.len() == x.len() {
            let (found, margins) = (&self.found, &self.margins);
            let mut good = hands.all(0..x.len(), &|particles| {
                particles.into_iter().all(|i| {
                    let goes = (state.velocities[i].length() + more(i)) * horizon;
                    let left = margins[i] - goes;
                    left >= 0.0 && x[i].distance_squared(found[i]) <= left * left
                })
            });
            for (particle, _, to) in ways {
                let far = to.distance(x[*particle]) * (horizon / left).min(1.0);
                good &= far + x[*particle].distance(found[*particle]) < margins[*particle];
            }
            if good {
                return;
            }
        }
        self.runs.clear();
        for (s, span) in state.spans.iter().enumerate() {
            if overrides.get(span.string).is_some_and(|overrides| !overrides.touches) {
                continue;
            }
            let end = span.first + span.count - 1;
            for first in (span.first..end).step_by(RUN) {
                let count = RUN.min(end - first);
                self.runs.push(Run { first, count, span: s as u32, ..Run::default() });
            }
        }
        hands.each(&mut self.runs, &|run| run.measure(state, parts, &more));
        for (particle, _, to) in ways {
            let goes = (*to - x[*particle]) / left;
            let at = self.runs.partition_point(|run| run.first + run.count < *particle);
            for run in self.runs[at..].iter_mut().take(2) {
                if (run.first..=run.first + run.count).contains(particle) {
                    run.spread = run.spread.max((goes - run.pace).length());
                }
            }
        }
        self.find(hands, state, parts, horizon);
    }

    /// Finds all pairs of segments of runs that may touch within some seconds.
    fn find(&mut self, hands: Execution<'_>, state: &State, parts: &Parts, horizon: f64) {
        let x = &state.positions;
        self.found.clone_from(x);
        self.ready = true;
        self.middles.resize(x.len(), DVec3::ZERO);
        self.halves.resize(x.len(), 0.0);
        for i in state.spans.iter().flat_map(Span::segments) {
            self.middles[i] = (x[i] + x[i + 1]) * 0.5;
            self.halves[i] = 0.5 * x[i].distance(x[i + 1]);
        }
        let Self { runs, middles, halves, margins, near, finds, grid, .. } = self;
        margins.clear();
        margins.resize(x.len(), f64::INFINITY);
        for run in runs.iter() {
            for margin in &mut margins[run.first..=run.first + run.count] {
                *margin = margin.min(run.margin);
            }
        }
        let mean = runs.iter().map(|run| run.pace).sum::<DVec3>() / runs.len().max(1) as f64;
        let mut size = 0.0_f64;
        for run in runs.iter() {
            let goes = ((run.pace - mean).length() + run.spread) * horizon;
            let around = run.thick + goes + run.margin;
            size = size.max((run.high - run.low).max_element() + 2.0 * around);
        }
        let boxes = runs.iter().enumerate();
        let middles_of_runs = boxes.map(|(k, run)| (k as u32, (run.low + run.high) * 0.5));
        grid.sort(middles_of_runs, size.max(1e-9));
        let both = |near: &mut Vec<(u32, u32)>, a: &Run, b: &Run, same: bool| {
            let speed = (a.pace - b.pace).length() + a.spread + b.spread;
            let goes = speed * horizon + a.margin + b.margin;
            let apart = (b.low - a.high).max(a.low - b.high).max_element();
            if apart > goes + a.thick + b.thick || near.len() > MOST_PAIRS {
                return;
            }
            for i in a.first..a.first + a.count {
                let from = if same { i + 2 } else { b.first };
                for j in from..b.first + b.count {
                    let thick = parts.radius[i] + parts.radius[j];
                    let reach = halves[i] + halves[j] + thick + goes;
                    if middles[i].distance_squared(middles[j]) >= reach * reach
                        || (a.span == b.span && i.abs_diff(j) <= skipped(parts, i, j))
                    {
                        continue;
                    }
                    near.push((i.min(j) as u32, i.max(j) as u32));
                }
            }
        };
        let batches = hands.batches.clamp(1, runs.len().max(1));
        finds.resize_with(batches, Find::default);
        for (k, find) in finds.iter_mut().enumerate() {
            find.runs = runs.len() * k / batches..runs.len() * (k + 1) / batches;
            find.near.clear();
            // Room is made before it is needed.
            find.near.reserve(2 * x.len() / batches);
        }
        hands.each(finds, &|find| {
            let Find { runs: mine, near } = find;
            for run in &runs[mine.clone()] {
                both(near, run, run, true);
            }
            grid.pairs(mine.clone(), |a, b| {
                both(near, &runs[a as usize], &runs[b as usize], false);
            });
        });
        near.clear();
        self.crowded = finds.iter().map(|find| find.near.len()).sum::<usize>() > MOST_PAIRS;
        if !self.crowded {
            for find in finds.iter() {
                near.extend_from_slice(&find.near);
            }
        }
        near.sort_unstable();
        self.settle(state);
    }

    /// Pairs as they are pushed apart, and which strings touch others.
    fn settle(&mut self, state: &State) {
        let owner = |i: u32| {
            let after = state.spans.partition_point(|span| span.first <= i as usize);
            after.saturating_sub(1)
        };
        self.tangled.clear();
        let single = state.spans.len() < 2;
        for (a, b) in &self.near {
            if single {
                break;
            }
            let (s, t) = (owner(*a), owner(*b));
            if s != t {
                self.tangled.resize(state.spans.len(), false);
                (self.tangled[s], self.tangled[t]) = (true, true);
            }
        }
        let tangled = &self.tangled;
        self.pairs.clear();
        // Room is made before it is needed.
        self.pairs.reserve(2 * state.particles());
        self.touches.reserve(2 * state.particles());
        self.near.reserve(2 * state.particles());
        self.pairs.extend(self.near.iter().map(|(a, b)| Pair {
            segments: [*a, *b],
            tangled: !tangled.is_empty() && tangled[owner(*a)],
            free: -1.0,
            side: None,
            touch: None,
            deep: 0.0,
            back: 0.0,
            slowed: 0.0,
            held: 0.0,
            press: 0.0,
            rested: 0.0,
            off: None,
            at: [0.0; 2],
        }));
    }

    /// How long a part may be, of `horizon` seconds, for no two segments to pass through each other.
    pub(super) fn longest(
        &mut self,
        state: &State,
        parts: &Parts,
        mut longest: f64,
        horizon: f64,
    ) -> f64 {
        let (x, v, swings) = (&state.positions, &state.velocities, &state.swings);
        for pair in &mut self.pairs {
            let [i, j] = pair.segments.map(|i| i as usize);
            pair.side = None;
            let against = |row: &[DVec3]| {
                let far = |p: usize, q: usize| row[p].distance_squared(row[q]);
                far(i, j).max(far(i, j + 1)).max(far(i + 1, j).max(far(i + 1, j + 1))).sqrt()
            };
            let (fast, pulled) = (against(v), against(swings));
            let goes = (fast + 0.5 * pulled * horizon) * horizon;
            if pair.free > goes {
                continue;
            }
            let (s, t, gap) = capsule::nearest([x[i], x[i + 1]], [x[j], x[j + 1]]);
            let (thick, distance) = (parts.radius[i] + parts.radius[j], gap.length());
            pair.free = distance - thick;
            // Only what could touch within the part has a say.
            if pair.free > goes {
                continue;
            }
            // Pulled through in the last part: it still belongs on the other side.
            let crossed = state.crossed.binary_search_by_key(&pair.segments, |(pair, _)| *pair);
            pair.side = Some(crossed.map_or(gap, |at| state.crossed[at].1));
            let lost = crossed.is_ok() || distance <= 0.0;
            let room = 0.5 * distance.max(ROOM * thick);
            // fast h + pulled h² / 2 = room, in the form without a difference.
            let root = (fast * fast + 2.0 * pulled * room).sqrt();
            if fast + root > 0.0 {
                longest = longest.min(2.0 * room / (fast + root));
            }
            let [ours, theirs] = [(i, s), (j, t)].map(|(i, s)| swings[i].lerp(swings[i + 1], s));
            // What has come to rest sinks as its nearest places do; of what has not, anything may.
            let rests = state.pressed.binary_search_by_key(&pair.segments, |known| known.pair);
            let sinks = match rests.is_ok_and(|at| state.pressed[at].force > 0.0) {
                _ if lost => pulled,
                true => (theirs - ours).dot(gap) / distance,
                false => {
                    let way = gap / distance;
                    let least = |i: usize| swings[i].dot(way).min(swings[i + 1].dot(way));
                    let most = |i: usize| swings[i].dot(way).max(swings[i + 1].dot(way));
                    most(j) - least(i)
                }
            };
            if sinks > 0.0 {
                longest = longest.min((2.0 * SINKS * thick / sinks).sqrt());
            }
        }
        longest.max(1e-9)
    }

    /// Which pairs are on the wrong side of each other after a part.
    pub(super) fn cross(&self, state: &mut State) {
        let x = &state.positions;
        state.crossed.clear();
        for pair in self.pairs.iter().filter(|pair| pair.touch.is_some()) {
            let [i, j] = pair.segments.map(|i| i as usize);
            let (_, _, gap) = capsule::nearest([x[i], x[i + 1]], [x[j], x[j + 1]]);
            if let Some(side) = pair.side.filter(|side| side.dot(gap) < 0.0) {
                state.crossed.push((pair.segments, side));
            }
        }
    }

    /// All pairs nearer than touching, each once.
    #[cfg(test)]
    pub(super) fn touching_now(&mut self, state: &State, parts: &Parts) -> Vec<(u32, u32)> {
        self.forget();
        let hands = Execution { executor: &super::Serial, batches: 1 };
        self.look(hands, state, parts, &[], &[], 1.0, 0.0, 0.0);
        let x = &state.positions;
        let touch = |pair: &&(u32, u32)| {
            let (i, j) = (pair.0 as usize, pair.1 as usize);
            let (_, _, gap) = capsule::nearest([x[i], x[i + 1]], [x[j], x[j + 1]]);
            gap.length() < parts.radius[i] + parts.radius[j]
        };
        self.near.iter().filter(touch).copied().collect()
    }
}

/// How many segments apart two of one string must be more than, to touch: bends bring neighbours
/// nearer than their thickness.
fn skipped(parts: &Parts, i: usize, j: usize) -> usize {
    let thick = parts.radius[i] + parts.radius[j];
    1 + (thick / parts.length[i].min(parts.length[j])).ceil().min(1e6) as usize
}
