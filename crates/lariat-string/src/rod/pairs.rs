//! Contact between segments: strings with themselves and with each other.
//!
//! A pair of segments that touches has a force, which acts on the place of the first segment that is
//! nearest to the second, and against it on the second. Forces are found inside Newton's iteration.
//! With `A` the matrix of the strings and `G` the places of the contacts, a change `Δ` of the forces
//! moves the contacts by `G A⁻¹ Gᵀ Δ`, their compliance. So the forces that keep strands apart, with
//! friction `|f| ≤ µ N`, are found for given compliance by Gauss and Seidel's iteration over the
//! contacts, and one more solve gives the motion with them. Forces are kept from substep to substep.
//!
//! For up to [`DENSE`] contacts of a group of strings the compliance is a dense matrix, found by one
//! solve for each; for more it is applied by solves, in a projected gradient iteration with the steps
//! of Barzilai and Borwein.
//!
//! Every pair remembers on which side of each other its segments were when the substep began. Strands
//! that would pass through each other are nearer than touching by more than their thickness, and are
//! pushed back to their side.
//!
//! Tests: `a_coil_does_not_pass_through_itself`, `what_is_fast_does_not_pass_through`,
//! `friction_between_strings_stops_and_holds`.

use glam::DVec3;

use super::super::contact::nearest_on_segments as nearest;
use super::chain::Chain;
use super::lanes::{Lane, Vec3, f64x2};
use super::obstacles::RECOVERY;
use super::parts::{Constants, Parts};
use super::state::PairForce;

/// Most contacts with a dense compliance. More: memory and time grow with the square.
const DENSE: usize = 64;

/// Weight of the forces of the iteration before, over the compliance: keeps sharing of forces by
/// contacts beside each other from drifting.
const PROXIMAL: f64 = 0.1;

/// Most sweeps of Gauss and Seidel, and of the gradient iteration.
const SWEEPS: u32 = 80;
const STEPS: u32 = 15;

/// Depth at which sweeps may end, over the thickness.
const CLOSE: f64 = 0.01;

/// How far the compliance of an earlier iteration may be off, over the thickness.
const FORETOLD: f64 = 0.02;

/// Contacts nearer to each other than this, along both strands, are one; over the thickness.
const MERGED: f64 = 0.7;

/// A further contact is taken into the compliance when it is nearer than this, over the thickness.
const LATE: f64 = 0.97;

/// Distance within which a pair takes part, over the thickness.
const NEAR: f64 = 1.2;

/// A contact that begins is a blow if it would be nearer than this, over the thickness.
const BLOW: f64 = 0.95;

/// Two segments that may touch in this substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pair {
    pub segments: [u32; 2],
    /// Force on the first segment.
    pub force: DVec3,
    /// The force when the substep began.
    before: DVec3,
    /// From the second segment to the first where they are nearest: when the substep began.
    side: DVec3,
    /// Where they are nearest in this iteration, which way, and how far; negative on the wrong side.
    pub at: [f64; 2],
    pub normal: DVec3,
    distance: f64,
    pub thick: f64,
    /// One over the mean length of its segments.
    per_length: f64,
    friction: f64,
    /// Its row in the compliance.
    row: Option<u32>,
    near: bool,
}

impl Pair {
    pub(super) fn new(segments: [u32; 2], force: DVec3) -> Self {
        Self { segments, force, ..Self::default() }
    }

    pub(super) fn force_of(&self) -> PairForce {
        PairForce { segments: self.segments, force: self.force }
    }

    /// Whether it takes part in this substep.
    pub(super) fn is_near(&self) -> bool {
        self.near
    }

    pub(super) fn touches(&self) -> bool {
        self.force != DVec3::ZERO
    }

    /// Particles and the weights of their displacements in that of the contact.
    pub(super) fn ends(&self) -> [(usize, f64); 4] {
        let [i, j] = self.segments.map(|i| i as usize);
        let [s, t] = self.at;
        [(i, 1.0 - s), (i + 1, s), (j, t - 1.0), (j + 1, -t)]
    }

    /// Decides whether it takes part in a substep in which its four particles go from the places in
    /// `from` to those in `to`, and on which side of each other its segments are. Returns true if it
    /// would begin to touch with a blow.
    pub(super) fn choose(
        &mut self,
        h: f64,
        from: [DVec3; 4],
        to: [DVec3; 4],
        constants: &Constants<'_>,
    ) -> bool {
        let [i, j] = self.segments.map(|i| i as usize);
        self.friction = 0.5 * (constants.friction[i] + constants.friction[j]);
        (self.near, self.row, self.before) = (false, None, self.force);
        if !self.is_within_reach(from, to, constants.parts) {
            self.force = DVec3::ZERO;
            return false;
        }
        let gap = self.side;
        let distance = gap.length();
        // What is too near when a substep begins is not thrown apart.
        let deep = (self.thick - distance).max(0.0) * (1.0 - h / RECOVERY).max(0.0);
        self.thick -= deep;
        self.near = true;
        if self.force != DVec3::ZERO {
            return false;
        }
        let (_, _, then) = nearest([to[0], to[1]], [to[2], to[3]]);
        let then = if then.dot(gap) < 0.0 { -then.length() } else { then.length() };
        then < BLOW * self.thick && then < distance - (1.0 - BLOW) * self.thick
    }

    /// Whether it may touch in a substep; also measures how its segments lie when it begins.
    pub(super) fn is_within_reach(
        &mut self,
        from: [DVec3; 4],
        to: [DVec3; 4],
        parts: &Parts,
    ) -> bool {
        let [i, j] = self.segments.map(|i| i as usize);
        self.thick = parts.radius[i] + parts.radius[j];
        self.per_length = 2.0 / (parts.length[i] + parts.length[j]);
        let mut mean = DVec3::ZERO;
        for k in 0..4 {
            mean += (to[k] - from[k]) * 0.25;
        }
        let way = |k: usize| (to[k] - from[k] - mean).length();
        let way = way(0).max(way(1)) + way(2).max(way(3));
        let reach = NEAR * self.thick + way;
        let middle = (from[0] + from[1] - from[2] - from[3]) * 0.5;
        let halves = 0.5 * (from[0].distance(from[1]) + from[2].distance(from[3]));
        if middle.length_squared() > (reach + halves) * (reach + halves) {
            return false;
        }
        self.side = nearest([from[0], from[1]], [from[2], from[3]]).2;
        self.side.length() <= reach
    }

    /// Measures where it is nearest in this iteration.
    fn measure(&mut self, a: [DVec3; 2], b: [DVec3; 2]) {
        let (s, t, gap) = nearest(a, b);
        let distance = gap.length();
        let sign = if gap.dot(self.side) < 0.0 { -1.0 } else { 1.0 };
        self.at = [s, t];
        self.distance = sign * distance;
        self.normal = match distance > 1e-9 * self.thick {
            true => gap * (sign / distance),
            false => self.side.normalize_or(DVec3::Z),
        };
    }
}

/// A contact in the compliance.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    pair: usize,
    /// Chain, place, lane and weight of its four particles.
    places: [(usize, usize, usize, f64); 4],
    /// Force when this iteration began, and separation when the substep began.
    before: DVec3,
    start: DVec3,
    /// Separation with the forces as they are.
    separation: DVec3,
    /// Compliance along the normal and across it.
    along: f64,
    across: f64,
}

/// Room for the contacts of a group of strings.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    rows: Vec<Row>,
    compliance: Vec<f64>,
    /// Separations during sweeps.
    apart: Vec<f64>,
    column: Vec<[Vec3<f64x2>; 3]>,
    order: Vec<(f64, usize)>,
    gradient: Vec<DVec3>,
    step: Vec<DVec3>,
    loads: Vec<(usize, usize, f64)>,
    built: bool,
}

/// The chain that a particle belongs to.
pub(super) fn chain_of(chains: &[Chain], particle: usize) -> usize {
    match chains.len() {
        1 => 0,
        _ => chains.partition_point(|chain| chain.first <= particle) - 1,
    }
}

fn segment_of(chains: &[Chain], segment: u32) -> [DVec3; 2] {
    let segment = segment as usize;
    let chain = &chains[chain_of(chains, segment)];
    let i = segment - chain.first;
    [chain.x[i], chain.x[i + 1]]
}

impl Contacts {
    /// Begins a substep.
    pub(super) fn begin(&mut self, chains: &[Chain], pairs: &mut [Pair]) {
        self.rows.clear();
        self.built = false;
        for pair in pairs.iter_mut().filter(|pair| pair.near) {
            pair.before = pair.force;
            pair.row = None;
        }
        Self::measure(chains, pairs);
        self.merge(pairs);
    }

    /// Puts forces back as they were before a substep that was not accepted.
    pub(super) fn take_back(pairs: &mut [Pair]) {
        for pair in pairs.iter_mut().filter(|pair| pair.near) {
            pair.force = pair.before;
        }
    }

    /// Measures all pairs. Returns how much nearer than touching the nearest is, over its thickness.
    pub(super) fn measure(chains: &[Chain], pairs: &mut [Pair]) -> f64 {
        let mut deepest = 0.0_f64;
        for pair in pairs.iter_mut().filter(|pair| pair.near) {
            let [i, j] = pair.segments;
            pair.measure(segment_of(chains, i), segment_of(chains, j));
            deepest = deepest.max(1.0 - pair.distance / pair.thick);
        }
        deepest
    }

    /// Contacts nearer to each other than strings are thick become one, which has their forces.
    fn merge(&mut self, pairs: &mut [Pair]) {
        self.order.clear();
        let touching = pairs.iter().enumerate().filter(|(_, pair)| pair.near && pair.touches());
        self.order.extend(touching.map(|(k, pair)| (pair.distance, k)));
        if self.order.len() < 2 {
            return;
        }
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut kept = 0;
        for o in 0..self.order.len() {
            let k = self.order[o].1;
            let same = self.order[..kept].iter().find(|(_, other)| same(&pairs[*other], &pairs[k]));
            if let Some((_, other)) = same {
                let force = std::mem::take(&mut pairs[k].force);
                pairs[*other].force += force;
            } else {
                self.order[kept] = (0.0, k);
                kept += 1;
            }
        }
    }

    /// Adds the forces as they are known to the equations.
    pub(super) fn push(chains: &mut [Chain], pairs: &[Pair]) {
        for pair in pairs.iter().filter(|pair| pair.near && pair.touches()) {
            for (particle, weight) in pair.ends() {
                let chain = chain_of(chains, particle);
                let chain = &mut chains[chain];
                let particle = particle - chain.first;
                chain.band.add_force(particle, pair.force * weight);
            }
        }
    }

    /// Finds the forces that keep segments apart, given where particles would go with those so far,
    /// and adds what they change to the displacements. Returns the number of contacts.
    pub(super) fn respond(&mut self, chains: &mut [Chain], pairs: &mut [Pair]) -> u32 {
        self.add_rows(chains, pairs);
        if self.rows.is_empty() {
            return 0;
        }
        self.place_rows(chains, pairs);
        if self.rows.len() > DENSE {
            self.descend(chains, pairs);
            self.apply(chains, pairs);
            return self.rows.len() as u32;
        }
        // The compliance of an earlier iteration will do as long as it foretells the motion.
        loop {
            let fresh = !self.built;
            if fresh {
                self.build(chains);
            }
            self.sweep(pairs);
            self.apply(chains, pairs);
            if self.separate(chains, pairs) < FORETOLD || fresh {
                break;
            }
            self.built = false;
        }
        self.rows.len() as u32
    }

    /// Finds places of the contacts, their separation with the forces as they are, and that at the
    /// start of the substep.
    fn place_rows(&mut self, chains: &[Chain], pairs: &[Pair]) {
        for row in &mut self.rows {
            let pair = &pairs[row.pair];
            row.start = DVec3::ZERO;
            for (place, (particle, weight)) in row.places.iter_mut().zip(pair.ends()) {
                let chain = chain_of(chains, particle);
                let local = particle - chains[chain].first;
                let (at, lane) = chains[chain].band.place(local);
                *place = (chain, at, lane, weight);
                row.start += chains[chain].x_start[local] * weight;
            }
        }
        self.separate(chains, pairs);
    }

    /// Finds the separation of the contacts with the forces as they are. Returns how far it was
    /// foretold wrongly at most, over the thickness.
    fn separate(&mut self, chains: &[Chain], pairs: &[Pair]) -> f64 {
        let mut off = 0.0_f64;
        for row in &mut self.rows {
            let pair = &pairs[row.pair];
            let moved = row.places.iter().map(|(chain, place, lane, weight)| {
                chains[*chain].band.displacement_at(*place, *lane) * *weight
            });
            let separation = pair.normal * pair.distance + moved.sum::<DVec3>();
            off = off.max(separation.distance(row.separation) / pair.thick);
            row.separation = separation;
            row.before = pair.force;
        }
        off
    }

    /// Takes pairs in that touch or come to touch, the deepest first, unless they are the same as
    /// others.
    fn add_rows(&mut self, chains: &[Chain], pairs: &mut [Pair]) {
        self.order.clear();
        for (k, pair) in pairs.iter().enumerate().filter(|(_, pair)| pair.near) {
            if pair.row.is_some() {
                continue;
            }
            let will = if pair.touches() {
                f64::NEG_INFINITY
            } else {
                let moved: DVec3 = pair
                    .ends()
                    .iter()
                    .map(|(particle, weight)| {
                        let chain = &chains[chain_of(chains, *particle)];
                        chain.band.displacement(particle - chain.first) * *weight
                    })
                    .sum();
                pair.distance + pair.normal.dot(moved)
            };
            let limit = if self.rows.is_empty() { 1.0 } else { LATE };
            if will < limit * pair.thick {
                self.order.push((will, k));
            }
        }
        if self.order.is_empty() {
            return;
        }
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut kept = 0;
        for o in 0..self.order.len() {
            let (will, k) = self.order[o];
            let pair = &pairs[k];
            let known = will > f64::NEG_INFINITY
                && (self.rows.iter().any(|row| same(pair, &pairs[row.pair]))
                    || self.order[..kept].iter().any(|(_, other)| same(pair, &pairs[*other])));
            if !known {
                self.order[kept] = (will, k);
                kept += 1;
            }
        }
        self.order.truncate(kept);
        if kept == 0 {
            return;
        }
        self.built = false;
        let rows = &self.rows;
        self.order.extend(rows.iter().map(|row| (0.0, row.pair)));
        self.order.sort_unstable_by_key(|(_, k)| *k);
        self.rows.clear();
        for (_, k) in &self.order {
            pairs[*k].row = Some(self.rows.len() as u32);
            self.rows.push(Row { pair: *k, ..Row::default() });
        }
    }

    /// Finds the compliance: how a force at each contact moves all of them.
    fn build(&mut self, chains: &[Chain]) {
        let rows = self.rows.len();
        let wide = 3 * rows;
        self.compliance.clear();
        self.compliance.resize(wide * wide, 0.0);
        for (index, chain) in chains.iter().enumerate() {
            let on = |row: &Row| row.places.iter().any(|place| place.0 == index);
            // The contact that is furthest out is the last that has to be known.
            let until = self
                .rows
                .iter()
                .flat_map(|row| row.places)
                .filter(|place| place.0 == index)
                .fold(usize::MAX, |until, (_, place, ..)| until.min(place));
            for a in 0..rows {
                if !on(&self.rows[a]) {
                    continue;
                }
                self.loads.clear();
                let places = self.rows[a].places;
                let here = places.iter().filter(|place| place.0 == index);
                self.loads.extend(here.map(|(_, place, lane, weight)| (*place, *lane, *weight)));
                chain.band.columns(&mut self.column, &self.loads, until);
                // The compliance is symmetric: the part up to the diagonal is enough.
                for b in 0..=a {
                    let mut block = [[0.0; 3]; 3];
                    for (at, place, lane, weight) in self.rows[b].places {
                        if at != index {
                            continue;
                        }
                        for (row, column) in block.iter_mut().zip(&self.column[place]) {
                            for (to, x) in row.iter_mut().zip(column) {
                                *to += weight * x.lane(lane);
                            }
                        }
                    }
                    for (axis, row) in block.iter().enumerate() {
                        let from = (3 * a + axis) * wide + 3 * b;
                        for (to, x) in self.compliance[from..from + 3].iter_mut().zip(row) {
                            *to += x;
                        }
                    }
                }
            }
        }
        for a in 0..wide {
            for b in 0..a {
                self.compliance[b * wide + a] = self.compliance[a * wide + b];
            }
        }
        self.built = true;
    }

    /// Gauss and Seidel's iteration over the contacts.
    fn sweep(&mut self, pairs: &mut [Pair]) {
        let wide = 3 * self.rows.len();
        for a in 0..self.rows.len() {
            let d =
                |row: usize, column: usize| self.compliance[(3 * a + row) * wide + 3 * a + column];
            let n = pairs[self.rows[a].pair].normal;
            let along = n.x * (d(0, 0) * n.x + 2.0 * d(0, 1) * n.y + 2.0 * d(0, 2) * n.z)
                + n.y * (d(1, 1) * n.y + 2.0 * d(1, 2) * n.z)
                + d(2, 2) * n.z * n.z;
            let row = &mut self.rows[a];
            row.along = along.max(f64::MIN_POSITIVE);
            row.across = (0.5 * (d(0, 0) + d(1, 1) + d(2, 2) - along)).max(f64::MIN_POSITIVE);
        }
        self.apart.clear();
        self.apart.extend(self.rows.iter().flat_map(|row| row.separation.to_array()));
        let apart = &mut self.apart[..wide];
        for _ in 0..SWEEPS {
            let mut worst = 0.0_f64;
            for (a, row) in self.rows.iter().enumerate() {
                let pair = &mut pairs[row.pair];
                let (change, off) = pair.correct(row, DVec3::from_slice(&apart[3 * a..]));
                worst = worst.max(off / pair.thick);
                if change == DVec3::ZERO {
                    continue;
                }
                pair.force += change;
                let from = 3 * a * wide;
                let (x, rest) = self.compliance[from..from + 3 * wide].split_at(wide);
                let (y, z) = rest.split_at(wide);
                for (((to, x), y), z) in apart.iter_mut().zip(x).zip(y).zip(z) {
                    *to += x * change.x + y * change.y + z * change.z;
                }
            }
            if worst < CLOSE {
                break;
            }
        }
        for (row, apart) in self.rows.iter_mut().zip(apart.chunks_exact(3)) {
            row.separation = DVec3::from_slice(apart);
        }
    }

    /// The same without the matrix: projected gradients, each with one solve.
    fn descend(&mut self, chains: &mut [Chain], pairs: &mut [Pair]) {
        let m = self.rows.len();
        self.gradient.resize(m, DVec3::ZERO);
        self.step.resize(m, DVec3::ZERO);
        // The compliance of the first contact gives the scale.
        self.step.fill(DVec3::ZERO);
        self.step[0] = pairs[self.rows[0].pair].normal;
        let mut along = 0.0;
        let scale_of = self.step[0];
        self.ask(chains, |row, moved| {
            if row == 0 {
                along = moved.dot(scale_of);
            }
        });
        let along = along.max(f64::MIN_POSITIVE);
        let proximal = PROXIMAL * along;
        for (row, gradient) in self.rows.iter().zip(&mut self.gradient) {
            let pair = &pairs[row.pair];
            let slip = row.separation - row.start;
            let n = pair.normal;
            *gradient = n * (row.separation.dot(n) - pair.thick) + slip - n * slip.dot(n);
        }
        let mut length = 0.5 / along;
        for iteration in 0..STEPS {
            let (mut steps, mut worst) = (0.0, 0.0_f64);
            for (k, row) in self.rows.iter().enumerate() {
                let pair = &mut pairs[row.pair];
                let n = pair.normal;
                let to = pair.force - self.gradient[k] * length;
                let off = self.gradient[k].dot(n);
                let old = pair.force.dot(n);
                worst = worst.max(if old > 0.0 { off.abs() } else { -off } / pair.thick);
                let push = to.dot(n).max(0.0);
                let rub = (to - n * to.dot(n)).clamp_length_max(pair.friction * push);
                self.step[k] = n * push + rub - pair.force;
                steps += self.step[k].length_squared();
            }
            if (worst < CLOSE && iteration > 0) || steps == 0.0 {
                break;
            }
            for (row, step) in self.rows.iter().zip(&self.step) {
                pairs[row.pair].force += *step;
            }
            let (mut sy, mut yy) = (0.0, 0.0);
            let mut gradient = std::mem::take(&mut self.gradient);
            self.ask(chains, |row, moved| {
                let change = moved + self.step[row] * proximal;
                sy += self.step[row].dot(change);
                yy += change.length_squared();
                gradient[row] += change;
            });
            self.gradient = gradient;
            let next = if iteration % 2 == 0 { steps / sy } else { sy / yy };
            length = next.clamp(0.02 / along, 5.0 / along);
        }
    }

    /// How the forces in `step` move the contacts.
    fn ask(&self, chains: &mut [Chain], mut answer: impl FnMut(usize, DVec3)) {
        for (index, chain) in chains.iter_mut().enumerate() {
            let mut from = usize::MAX;
            for (row, step) in self.rows.iter().zip(&self.step) {
                for (_, place, lane, weight) in row.places.iter().filter(|place| place.0 == index) {
                    chain.band.load_place(*place, *lane, *step * *weight);
                    from = from.min(*place);
                }
            }
            if from < usize::MAX {
                chain.band.answer_here(from);
            }
        }
        for (k, row) in self.rows.iter().enumerate() {
            let moved = row.places.iter().map(|(chain, place, lane, weight)| {
                chains[*chain].band.answered_place(*place, *lane) * *weight
            });
            answer(k, moved.sum());
        }
        for chain in chains {
            chain.band.clear_right();
        }
    }

    /// Adds what the change of the forces does to the displacements.
    fn apply(&mut self, chains: &mut [Chain], pairs: &[Pair]) {
        for (index, chain) in chains.iter_mut().enumerate() {
            let mut from = usize::MAX;
            for row in &self.rows {
                let change = pairs[row.pair].force - row.before;
                if change == DVec3::ZERO {
                    continue;
                }
                for (_, place, lane, weight) in row.places.iter().filter(|place| place.0 == index) {
                    chain.band.load_place(*place, *lane, change * *weight);
                    from = from.min(*place);
                }
            }
            if from < usize::MAX {
                chain.band.add_answer(from);
            }
        }
    }
}

impl Pair {
    /// The change of its force that puts it right by itself at a separation, and how far it is off.
    fn correct(&self, row: &Row, separation: DVec3) -> (DVec3, f64) {
        let n = self.normal;
        let (proximal, proximal_across) = (PROXIMAL * row.along, PROXIMAL * row.across);
        let (old, before) = (self.force.dot(n), row.before.dot(n));
        let over = separation.dot(n) - self.thick + proximal * (old - before);
        let push = (old - over / (row.along + proximal)).max(0.0);
        let off = if old > 0.0 { over.abs() } else { -over };
        let slip = separation - row.start;
        let slip = slip - n * slip.dot(n);
        let rub = self.force - n * old;
        let rub_before = row.before - n * before;
        let wanted =
            rub - (slip + (rub - rub_before) * proximal_across) / (row.across + proximal_across);
        let force = n * push + wanted.clamp_length_max(self.friction * push);
        (force - self.force, off)
    }
}

/// Whether two contacts are nearer to each other, along both strands, than these are thick.
fn same(a: &Pair, b: &Pair) -> bool {
    let place = |pair: &Pair, k: usize| f64::from(pair.segments[k]) + pair.at[k];
    let apart = (place(a, 0) - place(b, 0)).abs() + (place(a, 1) - place(b, 1)).abs();
    apart < MERGED * a.thick * a.per_length
}
