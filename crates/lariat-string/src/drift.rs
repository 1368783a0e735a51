//! How a string moves on while its length stays: one step of motion with the tension that it takes.
//!
//! A string is a chain of particles. Tension pulls along the mean of where a segment was and where
//! it will be, and is as large as the segment's length at the end of the step asks for (notes 4.3):
//!
//! ```text
//! x' = x + h v + (h²/2) (a + F/m)      F = Σ ± Λ (d + d')      |d'| = L(Λ)      v' = 2 (x' − x)/h − v
//! ```
//!
//! with `d` the segment before, `d'` after, and `Λ = h² T / 2|d + d'|`. Forces along `d + d'` turn
//! nothing about the middle of the way, so angular momentum is kept, and do no work where lengths
//! stay, so energy is kept too: a rope released from the hand swings as far as it should, with steps
//! of a hundredth of a second. Newton's rounds solve for all `x'` and `Λ` at once, *with* the way
//! in which tension changes as segments turn; that makes long steps stable. Each round is one sweep
//! along the string and back: particle, segment, particle, each eliminated in its turn (3 × 3 and
//! 1 × 1 pivots), so it costs the same per segment however long the string is.
//!
//! Speeds along segments are then what the change of length says they are (for stiff strings; soft
//! ones keep their waves): one tridiagonal solve, notes 4.3 with speeds in the place of places.
//!
//! # Where we leave the paper
//!
//! * It moves particles freely and then along the string until lengths are right, which damps every
//!   swing and needs the tension to be guessed (eq. 12, R6 of the notes). Here tension is an
//!   unknown of the step.
//! * The strain limit `L_max` is not fed back: `L(Λ)` is the stress-strain curve itself, with both of
//!   its slopes (`stretch.rs`).
//! * Energy is kept but for friction (`calm.rs`), which is all the more where segments turn too far within
//!   a part.
//!
//! Held particles have ten million times the mass of the string while a round is solved and do not
//! move at all: what is missing is made up for in the next round.
//!
//! Tests: `momentum_is_kept_to_rounding`, `a_swing_keeps_its_energy`,
//! `the_tip_of_a_falling_rope_vs_a_chain_of_rods`, `hanging_tension_is_the_weight_below`,
//! `a_weight_stretches_its_string_by_hookes_law`, `nothing_explodes`,
//! `what_has_no_answer_is_not_sought_for_long`.

use glam::{DMat3, DVec3};

use super::beam::{Joint, Stiff, Tie};
use super::stretch::{Asked, Branch, Law, Stretch};

/// Rounds of Newton's method before a step is made in halves instead. More are seldom a help: what
/// does not converge by then has turned too far.
const ROUNDS: u32 = 10;

/// Rounds in which segments may change from one branch of their curve to another.
const SWITCHES: u32 = 3;

/// Halvings before a part is flown without tension. More: what cannot be solved takes long.
const HALVINGS: u32 = 7;

/// Smallest parts that may be flown without tension before the rest of a step is, at one go. More: what
/// is drawn out beyond all measure takes a hundred times as long, and is no nearer to an answer.
const LOST: u32 = 8;

/// Mass of held particles over that of the heaviest other one. Larger: digits are lost. Smaller:
/// held particles are made up for in more than one round.
const HELD: f64 = 1e7;

/// Give of every segment, relative to that of its particles' own inertia: strings that are pulled
/// between two hands further than they are long have an answer.
const LEAST_GIVE: f64 = 1e-9;

/// How far the squares of lengths may be off in a guess, relatively, before it is made another way.
const UNLIKELY: f64 = 0.1;

/// What a sweep along the string leaves for the way back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Link {
    /// Rows of the particle's inverse, times the stiffness of the segment after it.
    rows: [DVec3; 3],
    /// What it would do by itself, and what it does for the segment.
    own: DVec3,
    pulled: DVec3,
    /// The segment: `Λ += e + g · (next particle)`.
    g: DVec3,
    e: f64,
}

/// Arrays for one step of one string; nothing in them outlives it.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    links: Vec<Link>,
    /// The same for strings whose bending is solved for, and their joints.
    pub ties: Vec<Tie>,
    pub joints: Vec<Joint>,
    /// What bending pulls segments together with, as `Λ`: a part of their tension.
    pub bias: Vec<f64>,
    /// `Λ` of the segments.
    pub pull: Vec<f64>,
    /// Mass in the solve, held ones included.
    pub mass: Vec<f64>,
    pub next: Vec<DVec3>,
    pub aim: Vec<DVec3>,
    /// `L(Λ) = base + soft Λ + softer (Λ − knee)⁺`.
    pub law: Vec<Law>,
    pub branch: Vec<Branch>,
    /// Length before, in metres.
    pub length: Vec<f64>,
    /// Upper diagonal and right side of the tridiagonal solve.
    upper: Vec<f64>,
    right: Vec<f64>,
}

/// One string as a step sees it: `n + 1` particles, `n` segments (arrays of segments may be longer).
pub(super) struct Chain<'a> {
    pub x: &'a mut [DVec3],
    pub v: &'a mut [DVec3],
    /// Accelerations of the last step: where the next one begins to look.
    pub swing: &'a mut [DVec3],
    /// Newtons in each segment.
    pub tension: &'a mut [f64],
    /// One over mass; 0 is held.
    pub light: &'a [f64],
    /// Acceleration by everything else, in m/s².
    pub pull: &'a [DVec3],
    pub stretch: &'a [Stretch],
    /// Where held particles are at the end.
    pub goal: &'a [DVec3],
    /// How fast lengths change, times the length, in m²/s.
    pub rate: &'a mut [f64],
    /// Share of motion from segment to segment that is lost a second.
    pub calm: f64,
    /// Inner friction against bending, in N m² s, where that is not solved for.
    pub friction: f64,
    /// Bending, if it is solved for; of segments the radius.
    pub stiff: Option<Stiff>,
    pub radius: &'a [f64],
    /// Torques of joints in the middle of the part, where bending is solved for.
    pub wrung: &'a [f64],
    /// What held particles were pushed with, in N s.
    pub grips: &'a mut [DVec3],
    /// Directions of segments, times the seconds that they had them.
    pub leant: &'a mut [DVec3],
    /// Kilograms, without what hangs on it.
    pub mass_per_metre: f64,
    /// Stretch that is let pass, 1e-4 being a hundredth of a per cent.
    pub tolerance: f64,
    pub room: &'a mut Room,
}

/// The greater of two; NaN if either is.
pub(super) fn furthest(most: f64, far: f64) -> f64 {
    if far <= most || most.is_nan() { most } else { far }
}

/// What came of a round of Newton's method.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    /// How far segments moved, squared and relative to their length.
    pub moved: f64,
    /// Whether any is on another branch of its curve than in the round before.
    pub switched: bool,
    /// Whether any that yields and does not stretch is pulled as its branch does not allow.
    pub beyond: bool,
}

/// What a step took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effort {
    pub solves: u32,
    pub parts: u32,
}

impl Room {
    /// Makes room for so many particles.
    fn fit(&mut self, count: usize) {
        if self.next.len() < count {
            self.links.resize(count, Link::default());
            self.ties.resize(count, Tie::default());
            self.joints.resize(count, Joint::default());
            self.bias.resize(count, 0.0);
            self.pull.resize(count, 0.0);
            self.mass.resize(count, 0.0);
            self.next.resize(count, DVec3::ZERO);
            self.aim.resize(count, DVec3::ZERO);
            self.law.resize(count, Law::default());
            self.branch.resize(count, Branch::Taut);
            self.length.resize(count, 0.0);
            self.upper.resize(count, 0.0);
            self.right.resize(count, 0.0);
        }
    }
}

impl Room {
    /// What the last [`Room::solve`] of so many segments found.
    pub(super) fn pulls(&self, segments: usize) -> &[f64] {
        &self.right[..segments]
    }

    /// Impulses along segments, over their length, that change the speeds of their ends against each
    /// other by what `right` says (times the length, which it is told as a vector with its square); `soft`
    /// is give over time squared.
    pub(super) fn solve(
        &mut self,
        x: &[DVec3],
        light: &[f64],
        soft: impl Fn(usize) -> f64,
        right: impl Fn(usize, DVec3, f64) -> f64,
    ) -> &[f64] {
        let n = x.len() - 1;
        self.fit(n + 1);
        let (x, light) = (&x[..=n], &light[..=n]);
        let (upper, known) = (&mut self.upper[..n], &mut self.right[..n]);
        let mut d = x[1] - x[0];
        let (mut lower, mut above, mut last) = (0.0, 0.0, 0.0);
        for i in 0..n {
            let after = if i + 1 < n { x[i + 2] - x[i + 1] } else { DVec3::ZERO };
            let w = light[i] + light[i + 1];
            let square = d.length_squared();
            let diagonal = w * square + soft(i) * square - lower * above;
            if diagonal <= 1e-12 * w * square || w <= 0.0 {
                upper[i] = 0.0;
                known[i] = 0.0;
                (lower, above, last) = (0.0, 0.0, 0.0);
            } else {
                let inverse = 1.0 / diagonal;
                last = (right(i, d, square) - lower * last) * inverse;
                lower = -light[i + 1] * d.dot(after);
                above = lower * inverse;
                upper[i] = above;
                known[i] = last;
            }
            d = after;
        }
        let mut after = 0.0;
        for i in (0..n).rev() {
            after = known[i] - upper[i] * after;
            known[i] = after;
        }
        known
    }
}

impl Chain<'_> {
    /// Moves on by `h` seconds, in halves where it turns too far; `hasty` says how short parts were
    /// last time, as a number of halvings, and is told how short they became.
    pub(super) fn advance(&mut self, h: f64, hasty: &mut u32) -> Effort {
        let n = self.x.len() - 1;
        self.room.fit(n + 1);
        let mut effort = Effort::default();
        if n == 0 {
            self.fall(h);
            return effort;
        }
        self.weigh();
        // Time is counted in the smallest parts, so that it ends where it should.
        let whole = 1_u32 << HALVINGS;
        let mut gone = 0;
        let mut halved = (*hasty).min(HALVINGS);
        let (mut easy, mut hard) = (0, false);
        let mut flown = 0;
        while gone < whole {
            let lost = flown >= LOST;
            let mut part = if lost { whole - gone } else { whole >> halved };
            // Parts begin where parts of their length do.
            while gone % part != 0 && !lost {
                part >>= 1;
            }
            let step = h * f64::from(part) / f64::from(whole);
            let last = part == 1 || lost;
            let share = f64::from(part) / f64::from(whole - gone);
            match self.part(step, share, last, &mut effort) {
                Some(rounds) => {
                    gone += part;
                    effort.parts += 1;
                    self.calm_down(step);
                    if halved > 0 {
                        // So that the next ones may be twice as long.
                        self.calm_waves(2.0 * step);
                    }
                    self.keep_lengths(step);
                    for (swing, v) in self.swing.iter_mut().zip(self.v.iter()) {
                        // It was the speed before.
                        *swing = (*v - *swing) / step;
                    }
                    hard |= rounds > 4;
                    flown += u32::from(rounds > ROUNDS);
                    easy = if rounds <= 4 { easy + 1 } else { 0 };
                    if easy >= 3 && halved > 0 {
                        halved -= 1;
                        easy = 0;
                    }
                }
                None => {
                    halved = part.leading_zeros() - whole.leading_zeros() + 1;
                    easy = 0;
                    hard = true;
                }
            }
        }
        // After a step in which all parts were easy the next one begins with longer ones.
        *hasty = if hard || easy >= 3 { halved } else { halved.saturating_sub(1) };
        effort
    }

    /// A single particle.
    fn fall(&mut self, h: f64) {
        if self.light[0] > 0.0 {
            self.x[0] += self.v[0] * h + self.pull[0] * (0.5 * h * h);
            self.v[0] += self.pull[0] * h;
        } else {
            self.v[0] = (self.goal[0] - self.x[0]) / h;
            self.x[0] = self.goal[0];
        }
        self.swing[0] = self.pull[0];
    }

    fn weigh(&mut self) {
        let heaviest =
            self.light.iter().filter(|w| **w > 0.0).fold(0.0_f64, |most, w| most.max(1.0 / w));
        let held = if heaviest > 0.0 { HELD * heaviest } else { 1.0 };
        for (mass, w) in self.room.mass.iter_mut().zip(self.light) {
            *mass = if *w > 0.0 { 1.0 / w } else { held };
        }
    }

    /// One part of a step; `share` is how much of the way of held particles it is. Nothing changes
    /// if it does not converge, unless it must be taken as it is. Returns how many rounds it took, or one
    /// more than there are if it was flown.
    fn part(&mut self, h: f64, share: f64, last: bool, effort: &mut Effort) -> Option<u32> {
        let n = self.x.len() - 1;
        self.begin(h, share);
        self.begin_bending(h);
        let mut done = None;
        let mut before = f64::INFINITY;
        for round in 1..=ROUNDS {
            effort.solves += 1;
            let may_switch = round <= SWITCHES;
            let Round { moved, switched, beyond } = match self.stiff {
                Some(_) => self.round_bent(may_switch),
                None => self.round(may_switch),
            };
            // What is left after a round is the square of what it moved.
            if moved < 2.0 * self.tolerance && !beyond && (!switched || round > SWITCHES) {
                done = Some(round);
                break;
            }
            let hopeless = moved.is_nan()
                || moved >= 100.0
                || (round > SWITCHES && moved > 0.25 * before && (beyond || !switched));
            if hopeless {
                break;
            }
            before = moved;
        }
        if done.is_none() && !last {
            return None;
        }
        let room = &mut *self.room;
        if done.is_none() {
            // So short a part is flown without tension; speeds are put right after it.
            room.next[..=n].copy_from_slice(&room.aim[..=n]);
            room.pull[..n].fill(0.0);
        }
        let per = 1.0 / h;
        for i in 0..=n {
            let (old, way) = (self.v[i], room.next[i] - self.x[i]);
            self.swing[i] = old;
            let free = self.light[i] > 0.0;
            self.v[i] = if free { way * (2.0 * per) - old } else { way * per };
            // Where it was is left there.
            std::mem::swap(&mut self.x[i], &mut room.next[i]);
        }
        for i in 0..n {
            let long = room.length[i].max(self.stretch[i].rest);
            self.tension[i] = 4.0 * room.pull[i] * long * per * per;
            self.rate[i] = 0.0;
            if self.light[i] + self.light[i + 1] == 0.0 {
                let length = self.x[i].distance(self.x[i + 1]);
                self.tension[i] = self.stretch[i].tension_at(length);
            } else if self.tension[i] < 0.0 || self.stretch[i].gives(self.tension[i]) > 0.0 {
                let (now, was) = (self.x[i].distance_squared(self.x[i + 1]), room.length[i]);
                self.rate[i] = 0.5 * (now - was * was) * per;
            }
        }
        if done.is_some() {
            self.end_bending(h);
        }
        Some(done.unwrap_or(ROUNDS + 1))
    }

    /// Sets out: where particles would be without tension, where they are likely to be, and how long
    /// segments are under a pull.
    fn begin(&mut self, h: f64, share: f64) {
        let n = self.x.len() - 1;
        let half = 0.5 * h * h;
        let Room { next, aim, law, length, pull, branch, .. } = &mut *self.room;
        for i in 0..=n {
            if self.light[i] > 0.0 {
                let free = self.x[i] + self.v[i] * h;
                aim[i] = free + self.pull[i] * half;
                next[i] = free + self.swing[i] * half;
            } else {
                let there = if share < 1.0 {
                    self.x[i] + (self.goal[i] - self.x[i]) * share
                } else {
                    self.goal[i]
                };
                aim[i] = there;
                next[i] = there;
            }
        }
        let mut bad = false;
        for i in 0..n {
            let Stretch { rest, give, knee, flow, press } = self.stretch[i];
            let was = self.x[i].distance(self.x[i + 1]);
            let likely = next[i].distance_squared(next[i + 1]);
            bad |= (likely - was * was).abs() > UNLIKELY * was * was;
            let w = self.light[i] + self.light[i + 1];
            // Newtons for one unit of Λ; what has been pushed together is soon as long as it was.
            let newtons = 2.0 * was.max(rest) / half;
            length[i] = was;
            // Stiff segments have the length that tension at the end gives them; soft ones that of
            // the mean tension, so that waves along them are not damped.
            let known = was - rest;
            let mut mean = 1.0;
            if give > 0.0 && known > 0.0 && known < 0.5 * rest {
                let x = h * h * w / give;
                mean = (1.0 + x + x) / (2.0 + x + x);
            }
            law[i] = Law {
                base: rest - known * (1.0 - mean) / mean,
                soft: give * newtons / mean,
                knee: knee / newtons,
                softer: flow * newtons / mean,
                pressed: press * newtons / mean,
                least: LEAST_GIVE * rest * rest * w,
            };
            pull[i] = self.tension[i] / newtons;
            branch[i] = if self.tension[i] < 0.0 { Branch::Pressed } else { Branch::Taut };
        }
        if bad {
            self.guess_by_directions();
        }
    }

    /// Where segments turn far, the guess keeps their directions and gives them their lengths: what
    /// is as long as it should be is soon found, wherever it points.
    fn guess_by_directions(&mut self) {
        let n = self.x.len() - 1;
        let Room { next, length, .. } = &mut *self.room;
        // The last one that was held, and how far everything after it was moved.
        let mut from = None;
        let mut off = DVec3::ZERO;
        let mut last = next[0];
        for i in 0..=n {
            let here = next[i];
            if i > 0 {
                let d = here - last;
                let square = d.length_squared();
                if square > 0.0 {
                    off += d
                        * (length[i - 1].max(0.1 * self.stretch[i - 1].rest) / square.sqrt() - 1.0);
                }
            }
            last = here;
            if self.light[i] > 0.0 {
                next[i] += off;
            } else {
                // It stays where it is, and those before it make up for it.
                match from {
                    None => next[..i].iter_mut().for_each(|x| *x -= off),
                    Some(from) => {
                        let share = off / (i - from) as f64;
                        for (k, x) in next[from + 1..i].iter_mut().enumerate() {
                            *x -= share * (k + 1) as f64;
                        }
                    }
                }
                from = Some(i);
                off = DVec3::ZERO;
            }
        }
    }

    /// One round of Newton's method.
    ///
    /// A segment is on one branch of its curve, and may change it in the first rounds only: rounds
    /// that put it on the other side of a kink each time would never end. One that only yields may change
    /// it in every round, for its pull is put right when it does; a part in which that comes to no end is
    /// made in halves.
    fn round(&mut self, may_switch: bool) -> Round {
        let n = self.x.len() - 1;
        let Room { links, pull, mass, next, aim, law, branch, .. } = &mut *self.room;
        let (links, pull, law) = (&mut links[..n], &mut pull[..n], &law[..n]);
        let branch = &mut branch[..n];
        let (mass, next, aim) = (&mass[..=n], &mut next[..=n], &aim[..=n]);
        let (x, light) = (&self.x[..=n], &self.light[..=n]);
        let mut switched = false;
        // Along the string: S is what the particle weighs with all before it, r what pulls at it.
        let mut carried = DMat3::ZERO;
        let mut r = DVec3::ZERO;
        for i in 0..n {
            let link = &mut links[i];
            let (here, there) = (next[i], next[i + 1]);
            let d = there - here;
            let mut b = d + (x[i + 1] - x[i]);
            if d.dot(b) < 0.5 * d.length_squared() {
                // Turned right round within the part: along where it is then, or tension would push.
                b = d + d;
            }
            let square = d.length_squared();
            let Asked { lambda, gap, gives } =
                law[i].ask(&mut branch[i], &mut pull[i], square, may_switch, &mut switched);
            let taut = light[i] + light[i + 1] > 0.0;
            let k = if taut { lambda.max(0.0) } else { 0.0 };
            let m = mass[i] + k;
            let s = DMat3::from_cols(
                carried.x_axis + DVec3::new(m, 0.0, 0.0),
                carried.y_axis + DVec3::new(0.0, m, 0.0),
                carried.z_axis + DVec3::new(0.0, 0.0, m),
            );
            r += b * lambda - (here - aim[i]) * mass[i];
            let c0 = s.y_axis.cross(s.z_axis);
            let c1 = s.z_axis.cross(s.x_axis);
            let c2 = s.x_axis.cross(s.y_axis);
            let det = s.z_axis.dot(c2);
            let by = |w: DVec3| DVec3::new(c0.dot(w), c1.dot(w), c2.dot(w));
            let inverse = 1.0 / det;
            let own = by(r) * inverse;
            if !taut {
                *link = Link { own, ..Link::default() };
                carried = DMat3::ZERO;
                r = DVec3::ZERO;
                continue;
            }
            let adj_b = by(b);
            // Both divisions at once: neither waits for the other.
            let pivot = 1.0 / (d.dot(adj_b) + gives * det);
            let q = det * pivot;
            let pulled = adj_b * inverse;
            let back = (c0 * d.x + c1 * d.y + c2 * d.z) * inverse;
            let z = b - pulled * k;
            let g = (d - back * k) * q;
            let e = (gap - d.dot(own)) * q;
            let ki = k * inverse;
            let kk = k * ki;
            carried = DMat3::from_cols(
                z * g.x - DVec3::new(c0.x * kk - k, c1.x * kk, c2.x * kk),
                z * g.y - DVec3::new(c0.y * kk, c1.y * kk - k, c2.y * kk),
                z * g.z - DVec3::new(c0.z * kk, c1.z * kk, c2.z * kk - k),
            );
            r = own * k - b * lambda - z * e;
            *link = Link { rows: [c0 * ki, c1 * ki, c2 * ki], own, pulled, g, e };
        }
        let mut after = DVec3::ZERO;
        if light[n] > 0.0 {
            let m = mass[n];
            let s = carried + DMat3::from_diagonal(DVec3::splat(m));
            after = s.inverse() * (r - (next[n] - aim[n]) * m);
            next[n] += after;
        }
        // And back.
        let (mut most, mut beyond) = (0.0_f64, false);
        for i in (0..n).rev() {
            let Link { rows, own, pulled, g, e } = links[i];
            let change = e + g.dot(after);
            let here = if light[i] > 0.0 {
                own + DVec3::new(rows[0].dot(after), rows[1].dot(after), rows[2].dot(after))
                    + pulled * change
            } else {
                DVec3::ZERO
            };
            pull[i] += change;
            beyond |= law[i].only_yields() && !law[i].admits(branch[i], pull[i]);
            let rest = law[i].base;
            most = furthest(most, (after - here).length_squared() / (rest * rest));
            next[i] += here;
            after = here;
        }
        Round { moved: most, switched, beyond }
    }

    /// Takes out of the speeds what would change lengths otherwise than they did change.
    ///
    /// Impulses along segments: neither momentum nor angular momentum sees them.
    pub(super) fn keep_lengths(&mut self, h: f64) {
        let n = self.x.len() - 1;
        let per = 1.0 / (h * h);
        let (x, v, light) = (&self.x[..=n], &mut self.v[..=n], &self.light[..=n]);
        let (stretch, tension, rate) = (&self.stretch[..n], &self.tension[..n], &self.rate[..n]);
        let pulls = self.room.solve(
            x,
            light,
            |i| per * stretch[i].gives(tension[i]),
            |i, d, _| d.dot(v[i + 1] - v[i]) - rate[i],
        );
        let mut last = DVec3::ZERO;
        for i in 0..n {
            let impulse = (x[i + 1] - x[i]) * pulls[i];
            v[i] += (impulse - last) * light[i];
            last = impulse;
        }
        v[n] -= last * light[n];
    }
}
