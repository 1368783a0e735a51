//! Contact: strings with themselves, with each other, and with what stands around.
//!
//! ```text
//! grid.rs      which segments may touch: a uniform grid with a safe stencil
//! capsule.rs   where two segments are nearest
//! respond.rs   pushes and friction between two segments
//! solids.rs    pushes and friction at obstacles
//! ```
//!
//! Which pairs may touch is found for a while ahead, with a margin for what moves meanwhile, and
//! again when something has moved further. A part of a step is never so long that the middles of
//! two segments could pass each other (notes 4.5): pairs that are near and fast ask for short parts,
//! pairs that rest on each other ask for nothing.
//!
//! Tests: `what_is_fast_does_not_pass_through`, `neighbours_do_not_push_each_other`.

mod capsule;
mod grid;
mod respond;
mod solids;
#[cfg(test)]
mod tests;

use glam::DVec3;

use self::grid::Grid;
use super::state::State;
use super::strings::{Parts, Strings};

/// Two segments that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Which, by their first particles.
    pub segments: [usize; 2],
    /// Where along each, 0–1.
    pub at: [f64; 2],
    /// From the second to the first, unit.
    pub way: DVec3,
    /// What they were pushed apart with in the last part, in newton seconds.
    pub push: f64,
}

/// What may touch, and what does.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    grid: Grid,
    /// Pairs that may touch.
    near: Vec<(u32, u32)>,
    /// From the second to the first of each, when the part began: on which side it was.
    sides: Vec<DVec3>,
    /// How far things may still move before pairs must be found again, in metres.
    slack: f64,
    /// For how many strings they were found.
    spans: usize,
    pub touches: Vec<Touch>,
    /// Particles that touched something.
    touched: Vec<bool>,
    /// String of each segment; `u32::MAX` is none.
    owner: Vec<u32>,
}

impl Contacts {
    /// Whether a particle touched something in the last part.
    pub(super) fn touched(&self, particle: usize) -> bool {
        self.touched.get(particle).copied().unwrap_or(false)
    }

    /// Finds all pairs that are nearer than `margin` beyond touching.
    fn find(&mut self, state: &State, parts: &Parts, touches: &[bool], margin: f64) {
        let x = &state.positions;
        self.owner.clear();
        self.owner.resize(x.len(), u32::MAX);
        let (mut longest, mut thickest) = (0.0_f64, 0.0_f64);
        for (s, span) in state.spans.iter().enumerate() {
            for i in span.segments() {
                self.owner[i] = s as u32;
                longest = longest.max(x[i].distance_squared(x[i + 1]));
                thickest = thickest.max(parts.radius[i]);
            }
        }
        let size = longest.sqrt() + 2.0 * thickest + margin;
        let owner = &self.owner;
        let segments = state.spans.iter().flat_map(super::Span::segments);
        self.grid.sort(segments.map(|i| (i as u32, (x[i] + x[i + 1]) * 0.5)), size.max(1e-9));
        let near = &mut self.near;
        near.clear();
        // Room is made before it is needed.
        near.reserve(4 * x.len());
        self.sides.reserve(4 * x.len());
        self.touches.reserve(4 * x.len());
        self.grid.pairs(|a, b| {
            let (i, j) = (a as usize, b as usize);
            let skips = owner[i] == owner[j] && i.abs_diff(j) <= skipped(parts, i, j);
            if skips || !(touches[i] && touches[j]) {
                return;
            }
            let reach = parts.radius[i] + parts.radius[j] + margin;
            let (_, _, gap) = capsule::nearest([x[i], x[i + 1]], [x[j], x[j + 1]]);
            if gap.length_squared() < reach * reach {
                near.push((a.min(b), a.max(b)));
            }
        });
        self.slack = 0.5 * margin;
        self.spans = state.spans.len();
    }
}

/// How many segments apart two of one string must be more than, to touch: bends bring neighbours
/// nearer than their thickness.
fn skipped(parts: &Parts, i: usize, j: usize) -> usize {
    let thick = parts.radius[i] + parts.radius[j];
    1 + (thick / parts.length[i].min(parts.length[j])).ceil().min(1e6) as usize
}

impl Strings {
    /// Pairs of segments that touched in the last part of the last step.
    pub fn touches(&self) -> &[Touch] {
        &self.work.contacts.touches
    }

    /// How long the next part may be, for nothing to pass through anything.
    pub(super) fn longest_by_contact(&mut self, left: f64) -> f64 {
        let fastest = self.fastest(left);
        let mut longest = self.longest_by_solids(left, fastest);
        if !self.settings.contact {
            return longest;
        }
        let (state, parts) = (&self.state, &self.parts);
        let contacts = &mut self.work.contacts;
        let typical = parts.length.first().copied().unwrap_or(1.0);
        let wanted = 1.5 * fastest * left.min(self.settings.longest);
        if contacts.spans != state.spans.len() || contacts.slack < wanted {
            // Wide margins find pairs that never meet; narrow ones must be found again soon.
            let margin = (4.0 * wanted).clamp(0.1 * parts.radius[0], 2.0 * typical);
            contacts.find(state, parts, &self.work.touches, margin);
        }
        if fastest > 0.0 {
            longest = longest.min(contacts.slack / (1.5 * fastest)).max(1e-9);
        }
        let (x, v) = (&state.positions, &state.velocities);
        contacts.sides.clear();
        for (a, b) in &contacts.near {
            let (i, j) = (*a as usize, *b as usize);
            let (_, _, gap) = capsule::nearest([x[i], x[i + 1]], [x[j], x[j + 1]]);
            let speed = |p: usize, q: usize| v[p].distance_squared(v[q]);
            let fast = speed(i, j).max(speed(i, j + 1)).max(speed(i + 1, j));
            let fast = fast.max(speed(i + 1, j + 1)).sqrt();
            contacts.sides.push(gap);
            let room = gap.length().max(0.3 * (parts.radius[i] + parts.radius[j]));
            if fast * longest > 0.5 * room {
                longest = 0.5 * room / fast;
            }
        }
        longest
    }

    /// The fastest that anything moves or may come to move in this part, in m/s.
    fn fastest(&self, left: f64) -> f64 {
        let squares = self.state.velocities.iter().map(|v| v.length_squared());
        let most = squares.fold(0.0_f64, f64::max).sqrt();
        let h = left.min(self.settings.longest);
        let mut hands = 0.0_f64;
        for (particle, _, to) in &self.work.ways {
            hands = hands.max(self.state.positions[*particle].distance(*to) / left);
        }
        most.max(hands) + 2.0 * self.gravity.length() * h
    }

    /// Pushes apart what touches: pairs that touch, and particles that rest on something.
    pub(super) fn touch(&mut self, h: f64, from: f64, until: f64) -> (u32, u32) {
        let moved = self.furthest();
        self.work.contacts.slack -= moved;
        let count = self.state.particles();
        let contacts = &mut self.work.contacts;
        contacts.touches.clear();
        if contacts.near.is_empty() && self.obstacles.is_empty() {
            contacts.touched.clear();
            return (0, 0);
        }
        contacts.touched.clear();
        contacts.touched.resize(count, false);
        let mut resting = 0;
        self.move_solids(from, until);
        for round in 0..self.settings.rounds.max(1) {
            if self.settings.contact {
                self.push_apart(h, round == 0);
            }
            resting = self.push_out(h, round == 0);
            self.lengths_of_touched(h);
        }
        (self.work.contacts.touches.len() as u32, resting)
    }

    /// How far anything moved in this part.
    fn furthest(&self) -> f64 {
        let pairs = self.state.positions.iter().zip(&self.work.before);
        pairs.map(|(now, then)| now.distance_squared(*then)).fold(0.0_f64, f64::max).sqrt()
    }

    /// Strings that were pushed keep their lengths.
    fn lengths_of_touched(&mut self, h: f64) {
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            let pushed = span.particles().any(|i| self.work.contacts.touched[i]);
            if pushed && span.count > 1 {
                self.chain(&span).keep_lengths(h);
            }
        }
    }
}
