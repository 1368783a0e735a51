//! Strings that touch each other, solved together: Newton's iteration over a substep.
//!
//! Tests: `absurd_numbers_give_finite_places_or_an_error_in_time`, `momentum_is_kept_to_rounding`.

use std::ops::Range;

use glam::{DMat3, DVec3};
use lariat_core::dynamics::air::Air;
use lariat_core::dynamics::contact::Obstacle;

use super::super::controls::Overrides;
use super::batches::{Lent, within};
use super::chain::{Chain, Coefficients, Pull};
use super::inputs::Inputs;
use super::lanes::along_and_across;
use super::pairs::{Contacts, Pair, chain_of};
use super::parts::Constants;
use super::state::{Rows, Support};
use super::strings::StepReport;
use super::twist::TurnedSegment;

/// Smallest part of a substep is one over this.
const PARTS: u32 = 64;

/// Most iterations of a part.
const ITERATIONS: u32 = 32;

/// Iterations after which pulled segments stay pulled.
const LATE: u32 = 5;

/// Depth of a contact at which an iteration has converged: of a pair over its thickness, at an
/// obstacle over the radius.
const DEPTH: [f64; 2] = [0.02, 0.02];

/// Largest error of the friction at an obstacle, over its largest.
const FRICTION: f64 = 2e-3;

/// How much smaller the change of the first iteration must be than that of others, for strings that
/// bend: their matrix leaves out what pushed segments do.
const FIRST: f64 = 1e-4;

/// What is good enough after the last iteration: turn of a segment squared, and depth.
const GOOD: (f64, f64) = (0.01, 0.15);

/// Room for strings that are solved together.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// Their pieces.
    pub pieces: Vec<usize>,
    pub(super) chains: Vec<Chain>,
    turned: Vec<Vec<TurnedSegment>>,
    contacts: Contacts,
    /// Forces at obstacles after the substep, of all pieces so far.
    pub supports: Vec<Support>,
    pairs: Vec<Pair>,
    /// Where the pairs are in the list of all.
    pair_index: Vec<usize>,
    obstacles: Vec<Obstacle>,
}

/// What all groups of a substep share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub constants: Constants<'a>,
    pub inputs: &'a Inputs,
    pub gravity: DVec3,
    pub air: &'a Air,
    /// Viscosity and drag coefficient of strings without values of their own.
    pub losses: (f64, f64),
    pub overrides: &'a [Overrides],
    /// Obstacles at the ends of the step.
    pub obstacles: &'a [Obstacle],
    pub tolerance: f64,
    /// For each piece the first piece of its group, and whether it is the only one.
    pub leader: &'a [u32],
    pub single: &'a [bool],
    /// Length of the step in seconds, and the shares of it at which the substep begins and ends.
    pub dt: f64,
    pub from: f64,
    pub until: f64,
}

impl Shared<'_> {
    /// Viscosity and drag coefficient of a string.
    fn losses(&self, string: usize) -> (f64, f64) {
        let own = self.overrides.get(string);
        own.map_or(self.losses, |values| (values.viscosity, values.drag))
    }
}

/// What acts on a group in a part of a substep.
struct Part<'a> {
    all: &'a Shared<'a>,
    h: f64,
    /// Share of the step at its end.
    share: f64,
    obstacles: &'a [Obstacle],
    last: bool,
}

/// Outcome of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Converged,
    NotConverged,
    NotFinite,
}

impl Group {
    /// Moves its pieces through a substep. Returns false if there is no finite solution.
    pub(super) fn advance(
        &mut self,
        all: &Shared<'_>,
        lent: &mut Lent<'_>,
        report: &mut StepReport,
    ) -> bool {
        self.load(all, lent);
        self.take_pairs(all, lent);
        // A size that failed is not tried again in this substep.
        let (mut gone, mut size, mut largest) = (0, PARTS, PARTS);
        let at =
            |gone: u32| all.from + (all.until - all.from) * (f64::from(gone) / f64::from(PARTS));
        let mut finite = true;
        while gone < PARTS {
            while !gone.is_multiple_of(size) {
                size /= 2;
            }
            let (begins, ends) = (at(gone), at(gone + size));
            let mut own = std::mem::take(&mut self.obstacles);
            own.clear();
            if size < PARTS {
                own.extend(all.obstacles.iter().map(|obstacle| obstacle.within(begins, ends)));
            }
            let part = Part {
                all,
                h: all.dt * (ends - begins),
                share: ends,
                obstacles: if size < PARTS { &own } else { &all.inputs.obstacles },
                last: size == 1,
            };
            let outcome = self.substep(&part, lent, report);
            self.obstacles = own;
            if outcome == Outcome::Converged {
                gone += size;
                size = (2 * size).min(largest);
            } else if size > 1 {
                size /= 2;
                largest = size;
                report.halvings += 1;
            } else {
                finite = false;
                break;
            }
        }
        self.store(lent);
        finite
    }

    /// Reads its pieces.
    fn load(&mut self, all: &Shared<'_>, lent: &mut Lent<'_>) {
        let (count, inputs) = (self.pieces.len(), all.inputs);
        if self.chains.len() < count {
            self.chains.resize_with(count, Chain::default);
            self.turned.resize_with(count, Vec::new);
        }
        for (k, piece) in self.pieces.iter().enumerate() {
            let (span, chain) = (lent.spans[*piece - lent.piece], &mut self.chains[k]);
            let range = span.particles();
            chain.held.clear();
            let holds = within(&inputs.holds, &range, |hold| hold.particle);
            chain.held.extend(holds.iter().map(|hold| (hold.particle - range.start, hold.from)));
            chain.supports.clear();
            let supports = within(lent.supports, &range, |support| support.particle as usize);
            chain.supports.extend(supports.iter().map(|support| Support {
                particle: support.particle - range.start as u32,
                ..*support
            }));
            let turned = within(&inputs.turned, &range, |turned| turned.segment);
            self.turned[k].clear();
            self.turned[k].extend(
                turned.iter().map(|turned| TurnedSegment {
                    segment: turned.segment - range.start,
                    ..*turned
                }),
            );
            chain.load(&span, &lent.rows_of(&range), &all.constants);
            chain.hold(&all.constants);
            chain.is_pushed = inputs.is_pushed;
            chain.pushed.clear();
            if inputs.is_pushed {
                chain.pushed.extend_from_slice(&inputs.pushed[range.clone()]);
                chain.free &= chain.pushed.iter().all(|push| *push == DVec3::ZERO);
            }
            chain.free &= all.constants.torque[range].iter().all(|torque| *torque == 0.0);
        }
    }

    /// Copies the pairs among its strings.
    fn take_pairs(&mut self, all: &Shared<'_>, lent: &Lent<'_>) {
        self.pairs.clear();
        self.pair_index.clear();
        for piece in &self.pieces {
            let range = lent.spans[*piece - lent.piece].particles();
            let from = lent.pairs.partition_point(|pair| (pair.segments[0] as usize) < range.start);
            let own = within(lent.pairs, &range, |pair| pair.segments[0] as usize);
            for (k, pair) in own.iter().enumerate() {
                let other = pair.segments[1] as usize;
                let shared = other < range.end || {
                    let spans = &lent.spans;
                    let at = spans.partition_point(|span| span.first <= other) - 1;
                    all.leader[lent.piece + at] == all.leader[*piece]
                };
                if shared {
                    self.pairs.push(*pair);
                    self.pair_index.push(from + k);
                }
            }
        }
    }

    /// Writes its pieces.
    fn store(&mut self, lent: &mut Lent<'_>) {
        for (k, piece) in self.pieces.iter().enumerate() {
            let mut span = lent.spans[*piece - lent.piece];
            let chain = &self.chains[k];
            let mut rows = lent.rows_of(&span.particles());
            chain.store(&mut span, &mut rows);
            self.supports.extend(chain.supports.iter().map(|support| Support {
                particle: support.particle + span.first as u32,
                ..*support
            }));
            lent.spans[*piece - lent.piece] = span;
        }
        for (pair, index) in self.pairs.iter().zip(&self.pair_index) {
            lent.pairs[*index] = *pair;
        }
    }

    /// One part of a substep. Nothing has changed if it did not converge.
    fn substep(
        &mut self,
        part: &Part<'_>,
        lent: &mut Lent<'_>,
        report: &mut StepReport,
    ) -> Outcome {
        let constants = &part.all.constants;
        let count = self.pieces.len();
        let chains = &mut self.chains[..count];
        for chain in chains.iter_mut() {
            chain.set_targets(part.all.inputs, part.share);
            chain.predict(part.h, part.all.gravity);
            chain.find_contacts(part.obstacles, constants);
        }
        for pair in &mut self.pairs {
            let [i, j] = pair.segments.map(|i| i as usize);
            let (a, b) = (chain_of(chains, i), chain_of(chains, j));
            let (k, l) = (i - chains[a].first, j - chains[b].first);
            let ends = |x: fn(&Chain) -> &[DVec3]| {
                let (one, two) = (x(&chains[a]), x(&chains[b]));
                [one[k], one[k + 1], two[l], two[l + 1]]
            };
            let (from, to) = (ends(|chain| &chain.x_start), ends(|chain| &chain.x));
            if pair.choose(part.h, from, to, constants) {
                for k in [a, b] {
                    chains[k].first_order = chains[k].first_order.max(2);
                }
            }
            if pair.is_near() {
                (chains[a].free, chains[b].free) = (false, false);
            }
        }
        // One order for all, or a push would not be the same for both of its strings.
        let first_order = chains.iter().map(|chain| chain.first_order).max().unwrap_or(0);
        for chain in chains.iter_mut() {
            chain.first_order = first_order;
            let (viscosity, drag) = part.all.losses(chain.string);
            let crooked = &constants.parts.crooked[chain.particles()];
            chain.begin(part.h, part.all.gravity, viscosity, crooked);
            let rows = lent.rows_of(&chain.particles());
            chain.set_joints(&rows, constants.kinds[chain.string].material.inner_friction);
            chain.gather_pulls(part.all.inputs, part.all.air, drag, constants);
        }
        let outcome = self.iterate(part, lent, report);
        let chains = &mut self.chains[..count];
        if outcome != Outcome::Converged {
            for chain in chains.iter_mut() {
                chain.take_back(&lent.rows_of(&chain.particles()));
            }
            Contacts::take_back(&mut self.pairs);
            return outcome;
        }
        for (chain, turned) in chains.iter_mut().zip(&self.turned) {
            let mut rows = lent.rows_of(&chain.particles());
            let before = chain.momentum(&rows, constants);
            chain.accept(&mut rows);
            chain.keep_contacts(constants.friction[chain.first]);
            chain.turn(&mut rows, constants, turned, part.share);
            if chain.free {
                // The second time for what rounding has left.
                chain.restore_momentum(before, &rows, constants);
                chain.restore_momentum(before, &rows, constants);
            }
        }
        Outcome::Converged
    }

    /// Newton's iteration.
    fn iterate(
        &mut self,
        part: &Part<'_>,
        lent: &mut Lent<'_>,
        report: &mut StepReport,
    ) -> Outcome {
        let constants = &part.all.constants;
        let chains = &mut self.chains[..self.pieces.len()];
        let touching = self.pairs.iter().any(Pair::is_near);
        if touching {
            self.contacts.begin(chains, &mut self.pairs);
        }
        let mut good = part.last;
        for iteration in 0..ITERATIONS {
            report.iterations += 1;
            let late = iteration >= LATE;
            let (mut turn, mut settled) = (0.0_f64, true);
            for chain in chains.iter_mut() {
                if chain.curved && chain.bent {
                    let rows = lent.rows_of(&chain.particles());
                    chain.turn_rest_curvature(&rows, constants);
                }
                chain.add_pulls();
                settled &= chain.press(constants.friction[chain.first]);
            }
            if touching {
                Contacts::push(chains, &self.pairs);
            }
            for chain in chains.iter_mut() {
                chain.band.solve();
            }
            if touching {
                self.contacts.respond(chains, &mut self.pairs);
            }
            for chain in chains.iter_mut() {
                let most = chain.band.largest_turn();
                turn = if most.is_nan() { most } else { turn.max(most) };
                if turn.is_nan() {
                    break;
                }
            }
            if !turn.is_finite() {
                return Outcome::NotFinite;
            }
            // No segment changes by more than its length at once.
            let share = if turn > 1.0 { 1.0 / turn.sqrt() } else { 1.0 };
            let (mut depth, mut consistent) = ([0.0_f64; 2], true);
            for chain in chains.iter_mut() {
                settled &= chain.answer_contacts(share);
                consistent &= chain.band.advance(share, late);
                chain.unfold();
                let [deep, off] = chain.measure_contacts(part.obstacles, constants);
                depth[1] = depth[1].max(deep);
                settled &= off <= FRICTION;
            }
            if touching {
                depth[0] = Contacts::measure(chains, &mut self.pairs);
            }
            let (enough, deep) = GOOD;
            // The first iteration corrects the prediction, whose error is not known yet.
            let bent = chains.iter().any(|chain| chain.bent);
            let exact = if iteration == 0 && bent { FIRST } else { 1.0 };
            if settled
                && consistent
                && turn < 2.0 * exact * part.all.tolerance
                && depth[0] < DEPTH[0]
                && depth[1] < DEPTH[1]
            {
                return Outcome::Converged;
            }
            good = part.last || (turn < enough && depth[0] < deep && depth[1] < deep);
        }
        if good { Outcome::Converged } else { Outcome::NotConverged }
    }
}

impl Chain {
    /// Its particles.
    fn particles(&self) -> Range<usize> {
        self.first..self.first + self.count
    }

    /// Sets where held particles are at a share of the step.
    fn set_targets(&mut self, inputs: &Inputs, share: f64) {
        let from = inputs.holds.partition_point(|hold| hold.particle < self.first);
        for (held, hold) in self.held.iter_mut().zip(&inputs.holds[from..]) {
            held.1 = if share < 1.0 { hold.from.lerp(hold.to, share) } else { hold.to };
        }
    }

    /// Springs and the drag of the air, as linear pulls.
    fn gather_pulls(&mut self, inputs: &Inputs, air: &Air, drag: f64, constants: &Constants<'_>) {
        self.pulls.clear();
        let beta = self.coefficients.beta;
        let from = inputs.springs.partition_point(|spring| spring.particle < self.first);
        let end = self.first + self.count;
        for spring in inputs.springs[from..].iter().take_while(|spring| spring.particle < end) {
            let particle = spring.particle - self.first;
            let damping = spring.damping / beta;
            let stiffness = spring.stiffness + damping;
            let led = self.anchor(particle) + spring.velocity * beta;
            let towards = (spring.target * spring.stiffness + led * damping) / stiffness;
            if stiffness > 0.0 && towards.is_finite() {
                let stiffness = along_and_across(stiffness, 0.0, [0.0; 3]);
                self.pulls.push(Pull { particle, stiffness, towards });
            }
        }
        if air.density > 0.0 && drag > 0.0 {
            self.feel_air(air, drag, constants);
        }
        self.free &= self.pulls.is_empty();
    }

    /// Drag across segments, `½ ρ c 2r l |u| u`, linear in the velocity at the end of the substep.
    fn feel_air(&mut self, air: &Air, drag: f64, constants: &Constants<'_>) {
        let beta = self.coefficients.beta;
        for i in 0..self.count - 1 {
            let (a, b) = (self.x_start[i], self.x_start[i + 1]);
            let offset = b - a;
            let along = offset.normalize_or(DVec3::X);
            let wind = air.at((a + b) * 0.5);
            let u = wind - (self.velocity(i) + self.velocity(i + 1)) * 0.5;
            let across = u - along * u.dot(along);
            let radius = constants.parts.radius[self.first + i];
            let coefficient = air.density * drag * radius * offset.length() * across.length();
            let stiff = 0.5 * coefficient / beta;
            if stiff <= 0.0 {
                continue;
            }
            let stiffness = along_and_across(stiff, -stiff, along.to_array());
            for particle in [i, i + 1] {
                let towards = self.anchor(particle) + wind * beta;
                self.pulls.push(Pull { particle, stiffness, towards });
            }
        }
    }

    /// Mean velocity, and angular momentum about the middle of mass: of the motion, and of spins.
    fn momentum(&self, rows: &Rows<'_>, constants: &Constants<'_>) -> Momentum {
        if !self.free {
            return Momentum::default();
        }
        let mass = &constants.parts.mass[self.first..self.first + self.count];
        let (mut all, mut middle, mut mean, mut gained) =
            (0.0, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        for (i, m) in mass.iter().enumerate() {
            all += m;
            middle += self.x_start[i] * *m;
            mean += self.velocity(i) * *m;
            gained += self.gained(i) * *m;
        }
        let (middle, mean, gained) = (middle / all, mean / all, gained / all);
        let mut orbital = DVec3::ZERO;
        for (i, m) in mass.iter().enumerate() {
            orbital += (self.x_start[i] - middle).cross(self.velocity(i) - mean) * *m;
        }
        let inertia = &constants.parts.inertia[self.first..];
        let spins =
            (0..self.count - 1).map(|i| rows.tangents[i] * (inertia[i] * rows.spins[i])).sum();
        Momentum { middle, mean, gained, orbital, spins }
    }

    /// Gives a free piece the momentum and angular momentum back that the substep has taken from it or
    /// added to it, by a motion as a whole.
    fn restore_momentum(&mut self, before: Momentum, rows: &Rows<'_>, constants: &Constants<'_>) {
        let now = self.momentum(rows, constants);
        let Coefficients { h, alpha, beta, beta_slowed, viscosity, fall, .. } = self.coefficients;
        let velocity =
            (before.mean + before.gained * alpha) * (beta_slowed / beta) + fall * beta_slowed;
        let kept = |viscosity: f64| (1.0 - alpha * h * viscosity) / (1.0 + beta * viscosity);
        let wanted =
            before.orbital * kept(viscosity) + before.spins * kept(constants.spin_viscosity);
        let missing = wanted - now.orbital - now.spins;
        let mass = &constants.parts.mass[self.first..self.first + self.count];
        let mut inertia = DMat3::ZERO;
        for (m, x) in mass.iter().zip(&self.x) {
            let r = *x - now.middle;
            let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
            inertia += (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer) * *m;
        }
        // A straight string has no inertia about itself.
        let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
        let inertia = inertia + DMat3::from_diagonal(DVec3::splat(STRAIGHT * trace));
        let spin = inertia.inverse() * missing;
        if spin.is_finite() && velocity.is_finite() {
            self.add_motion(velocity - now.mean, now.middle, spin);
        }
    }
}

/// Inertia of a straight string about itself, over its own.
const STRAIGHT: f64 = 1e-9;

/// Momentum of a piece.
#[derive(Clone, Copy, Default)]
struct Momentum {
    middle: DVec3,
    mean: DVec3,
    gained: DVec3,
    orbital: DVec3,
    spins: DVec3,
}
