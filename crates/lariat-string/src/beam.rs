//! Bending that is solved for together with tension: a string as an elastic beam, whatever the step.
//!
//! At a joint the directions of two segments differ by `e = d₊/l₊ − d₋/l₋`. The joint stores
//! `EI |e|² / 2 l̄`, the discrete beam, which is shape matching by neighbours alone (`match_shape.rs`, `w = 1`),
//! and pulls with the mean of `e` before and after a part, as tension does (`drift.rs`):
//!
//! ```text
//! F = −(EI/l̄) w (ē + (τ/h u uᵀ + δ (1 − t tᵀ))(e' − e))    ē = (e + e')/2    w = (1/l₋, −1/l₋ − 1/l₊, 1/l₊)
//! ```
//!
//! Linear in places, and `ē × ē = 0`: momentum, angular momentum and energy are kept. Waves that are too
//! fast for a part cost nothing and do no harm, so regions need not be wide, clamps hold where they hold,
//! and rest is the same at every rate.
//!
//! Inner friction, `τ` seconds, resists only what bends: along `u`, the line of `ē`, which `e` leaves at a
//! right angle where the joint is only turned; else a bent rope could not be swung. A trace of it, `δ`, across
//! the string (`t`), is there for every string that is stiffer than its parts can follow: the mean of before
//! and after is as much at home on the other side of rest, and would stay there.
//! What friction turns in spite of that is handed back to the string as a whole.
//!
//! A round of Newton's method is one sweep along the string and back, as without bending, but every particle
//! is tied to the next two: pivots are 3 × 3, and a front of two particles is carried along.
//!
//! Strings that bend so little that a part follows all of it have their bending by shape matching, which is
//! cheaper (`match_shape.rs`, [`STEADY`](super::match_shape)).
//!
//! Tests: `a_cantilever_sags_as_euler_says`, `stiffness_does_not_depend_on_step_or_resolution`,
//! `inner_friction_stops_waves_of_any_length`, `a_bent_rod_that_turns_feels_no_friction`,
//! `momentum_is_kept_by_what_is_stiff`, `a_beam_keeps_its_energy`,
//! `a_thick_rope_out_of_a_clamp_vs_the_elastica`, `what_tapers_bends_where_it_is_thin`.

use glam::{DMat3, DVec3};

use super::drift::{Chain, Room, Round, furthest};
use super::match_shape::outer;
use super::stretch::Asked;
use super::strings::Kind;
use super::twist::{FOLDED, twist_force};

/// Friction of what a part cannot follow, in parts. Less: stiff strings tremble from part to part. More:
/// their swings lose what one can see.
const TRACE: f64 = 0.1;

/// The stiffest that a joint may be, over the inertia of its particles in a part, and its friction over both.
/// More: digits are lost, and nobody could see the difference.
const RIGID: f64 = 5e7;

/// The shortest that a segment may be, over its length at rest, to have a direction of its own. Less: what has
/// been pushed together altogether is stiff without end.
const SHORT: f64 = 0.3;

/// What the determinant of the inertia of a straight string is less than, over its trace, cubed. More: friction
/// of what is all but straight turns it. Less: digits are lost.
const STRAIGHT: f64 = 1e-9;

/// Mass of held particles over what stiff joints are as good as. Larger: digits are lost. Smaller: they are
/// made up for in more than one round.
const HELD: f64 = 1e4;

/// How a string resists bending.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stiff {
    /// `EI` of its thickest segment, in N m².
    pub bend: f64,
    /// Inner friction, in seconds.
    pub friction: f64,
    /// Radius of its thickest segment, if it is not as stiff everywhere.
    pub tapers: Option<f64>,
}

/// A joint in a part of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Joint {
    /// One over the length of the segments before and after it.
    per: [f64; 2],
    /// `h²/4 EI/l̄`; and `h²/2 EI/l̄` times the trace of friction, and inner friction, in parts.
    firm: f64,
    trace: f64,
    rub: f64,
    /// How it was bent.
    was: DVec3,
    /// What friction makes of a change of that.
    friction: DMat3,
    /// Its torque about the string, times `h²/2`.
    wrung: f64,
}

impl Joint {
    /// How it is bent where its three particles are.
    fn bent(&self, [a, b, c]: [DVec3; 3]) -> DVec3 {
        (c - b) * self.per[1] - (b - a) * self.per[0]
    }

    /// What it pulls with, bent in such a way now, times `h²/2`.
    fn pull(&self, bent: DVec3) -> DVec3 {
        (self.was + bent) * self.firm + self.rubbed(bent)
    }

    /// The part of it that is friction.
    fn rubbed(&self, bent: DVec3) -> DVec3 {
        self.friction * (bent - self.was)
    }

    /// How what its torque pushes with changes as particles move, as shares of rows and matrices of
    /// columns; of its segments in the middle of the part the directions, and one over their lengths.
    fn shaken(&self, [u, w]: [DVec3; 2], per: [f64; 2]) -> ([f64; 3], [DMat3; 3]) {
        let c = self.wrung / (1.0 + u.dot(w)).max(FOLDED);
        let cross = |v: DVec3, c: f64| {
            let v = v * c;
            DMat3::from_cols(
                DVec3::new(0.0, v.z, -v.y),
                DVec3::new(-v.z, 0.0, v.x),
                DVec3::new(v.y, -v.x, 0.0),
            )
        };
        // Half of where a particle goes is where it is in the middle.
        let (first, last) = (cross(w, 0.5 * per[0]), cross(u, 0.5 * per[1]));
        ([c * per[0], c * (per[1] - per[0]), -c * per[1]], [first, -(first + last), last])
    }

    fn shares(&self) -> [f64; 3] {
        let [before, after] = self.per;
        [before, -before - after, after]
    }
}

/// What a sweep along the string leaves for the way back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tie {
    /// The particle: `own + pulled ΔΛ − near (next) − far (next but one)`.
    own: DVec3,
    pulled: DVec3,
    near: DMat3,
    far: DMat3,
    /// The segment after it: `ΔΛ = e + g · (next) + g₂ · (next but one)`.
    e: f64,
    g: [DVec3; 2],
}

/// What a joint ties together of its three particles, besides the first two: the first to the last and the
/// last to the first, the middle to the last and the last to the middle, the last to itself; and what it
/// pulls at the last with.
#[derive(Clone, Copy, Debug, Default)]
struct Joined {
    far: [DMat3; 2],
    near: [DMat3; 2],
    own: DMat3,
    r: DVec3,
}

/// Twice a segment in the middle of a part, of where it points after and before.
fn twice(after: DVec3, before: DVec3) -> DVec3 {
    let both = after + before;
    if after.dot(both) < 0.5 * after.length_squared() {
        // Turned right round within the part: along where it is then, or tension would push.
        after + after
    } else {
        both
    }
}

/// The direction of a segment of which that is twice, and one over its length.
fn way(twice: DVec3) -> (DVec3, f64) {
    let square = twice.length_squared();
    let per = if square > 0.0 { 1.0 / square.sqrt() } else { 0.0 };
    (twice * per, 2.0 * per)
}

/// The most stiffness that joints of a string have in parts of `h` seconds, in N m².
pub(super) fn most(kind: &Kind, h: f64) -> f64 {
    let l2 = kind.spacing * kind.spacing;
    RIGID * l2 * l2 * kind.mass_per_metre / (4.0 * h * h)
}

fn scalar(s: f64) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(s))
}

/// `s + c I`.
fn diagonal(s: DMat3, c: f64) -> DMat3 {
    DMat3::from_cols(
        s.x_axis + DVec3::new(c, 0.0, 0.0),
        s.y_axis + DVec3::new(0.0, c, 0.0),
        s.z_axis + DVec3::new(0.0, 0.0, c),
    )
}

impl Chain<'_> {
    /// Sets out: how joints are bent, and how stiff they are in a part of `h` seconds.
    pub(super) fn begin_bending(&mut self, h: f64) {
        let Some(stiff) = self.stiff else { return };
        let n = self.x.len() - 1;
        let (x, stretch, radius) = (&self.x[..=n], &self.stretch[..n], &self.radius[..n]);
        let light = &self.light[..=n];
        let Room { joints, length, bias, mass, .. } = &mut *self.room;
        let mut stiffest = 0.0_f64;
        let long = |i: usize| length[i].max(stretch[i].rest);
        let softer = |i: usize| {
            stiff.tapers.map_or(1.0, |thickest| {
                let r = radius[i] / thickest;
                1.0 / (r * r * r * r)
            })
        };
        let half = 0.5 * h * h;
        bias[..n].fill(0.0);
        for j in 1..n {
            let (before, after) = (long(j - 1), long(j));
            // A joint stands for half of either segment; for none of one that is held at both ends.
            let share = |i: usize| if light[i] + light[i + 1] > 0.0 { 0.5 * long(i) } else { 0.0 };
            let span = (share(j - 1) + share(j)).max(0.25 * before.min(after));
            let bend = 2.0 * stiff.bend / (softer(j - 1) + softer(j));
            let firm = 0.25 * h * h * bend / span;
            // The fastest wave of such joints, times half a part, squared.
            let mean = 0.5 * (before + after);
            let fastest = 16.0 * firm / (mean * mean * mean * self.mass_per_metre);
            let (rub, trace) = (stiff.friction / h, TRACE * fastest / (1.0 + fastest));
            let firm = if fastest > RIGID { firm * RIGID / fastest } else { firm };
            let fastest = fastest.min(RIGID);
            let rub = rub.min(RIGID / fastest.max(f64::MIN_POSITIVE));
            let all = fastest * (1.0 + 2.0 * (rub + trace));
            // Directions: what is pushed together is not bent by that.
            let [p, q] = [j - 1, j].map(|i| 1.0 / length[i].max(SHORT * stretch[i].rest));
            let mut joint = Joint {
                per: [p, q],
                firm,
                trace: 2.0 * firm * trace,
                rub: 2.0 * firm * rub,
                wrung: half * self.wrung[j],
                ..Joint::default()
            };
            joint.was = joint.bent([x[j - 1], x[j], x[j + 1]]);
            joints[j] = joint;
            stiffest = stiffest.max(all);
            // Of `e` half its square lies along either segment.
            let along = 0.5 * joint.firm * joint.was.length_squared();
            bias[j - 1] += along * p * p;
            bias[j] += along * q * q;
        }
        // What is held is to be heavy beside what is stiff.
        let heaviest = mass.iter().zip(light).filter(|(_, w)| **w > 0.0);
        let heaviest = heaviest.fold(0.0_f64, |most, (m, _)| most.max(*m));
        for (mass, w) in mass.iter_mut().zip(light) {
            if *w == 0.0 {
                *mass = mass.max(HELD * heaviest * stiffest);
            }
        }
    }

    /// Which way friction acts: on how far joints are bent, as they are likely to lie.
    fn rub_joints(&mut self) {
        let n = self.x.len() - 1;
        let x = &self.x[..=n];
        let Room { joints, next, .. } = &mut *self.room;
        for j in 1..n {
            let joint = &mut joints[j];
            let middle = |i: usize| (next[i + 1] - next[i]) + (x[i + 1] - x[i]);
            let way = middle(j) * joint.per[1] + middle(j - 1) * joint.per[0];
            let bent = joint.bent([next[j - 1], next[j], next[j + 1]]);
            // The line that it is bent along, before and after, to whichever side.
            let line = if bent.dot(joint.was) < 0.0 { joint.was - bent } else { joint.was + bent };
            let unit = |v: DVec3| {
                let square = v.length_squared();
                if square > 1e-24 { v / square.sqrt() } else { DVec3::ZERO }
            };
            let along = unit(way);
            let line = unit(line - along * along.dot(line));
            let across = scalar(1.0) - outer(along, along);
            joint.friction = across * joint.trace + outer(line * joint.rub, line);
        }
    }

    /// One round of Newton's method, as `round` does it, with bending.
    pub(super) fn round_bent(&mut self, may_switch: bool) -> Round {
        let n = self.x.len() - 1;
        if may_switch {
            self.rub_joints();
        }
        let Room { ties, joints, bias, pull, mass, next, aim, law, branch, .. } = &mut *self.room;
        let (ties, pull, law) = (&mut ties[..n], &mut pull[..n], &law[..n]);
        let (branch, joints) = (&mut branch[..n], &joints[..n]);
        let (mass, next, aim) = (&mass[..=n], &mut next[..=n], &aim[..=n]);
        let (x, light) = (&self.x[..=n], &self.light[..=n]);
        let mut switched = false;
        // The front: this particle, with all before it in it, and the next one.
        let [mut s00, mut s01, mut s10, mut s11] = [DMat3::ZERO; 4];
        let [mut r0, mut r1] = [DVec3::ZERO; 2];
        let mut ahead = twice(next[1] - next[0], x[1] - x[0]);
        for i in 0..n {
            let (here, there) = (next[i], next[i + 1]);
            let d = there - here;
            let b = ahead;
            let square = d.length_squared();
            let Asked { lambda, gap, gives } =
                law[i].ask(&mut branch[i], &mut pull[i], square, may_switch, &mut switched);
            let taut = light[i] + light[i + 1] > 0.0;
            let lambda = lambda - bias[i];
            let k = if taut { lambda.max(0.0) } else { 0.0 };
            // What the joint after the segment ties together: this particle and the next two.
            let mut joined = Joined::default();
            s00 = diagonal(s00, mass[i] + k);
            s01 = diagonal(s01, -k);
            s10 = diagonal(s10, -k);
            s11 = diagonal(s11, k);
            if i + 1 < n {
                let joint = &joints[i + 1];
                let pulls = joint.pull(joint.bent([here, there, next[i + 2]]));
                ahead = twice(next[i + 2] - there, x[i + 2] - x[i + 1]);
                let [p, o, q] = joint.shares();
                let stiff = diagonal(joint.friction, joint.firm);
                s00 += stiff * (p * p);
                s01 += stiff * (p * o);
                s10 += stiff * (p * o);
                s11 += stiff * (o * o);
                let (far, near) = (stiff * (p * q), stiff * (o * q));
                joined =
                    Joined { far: [far; 2], near: [near; 2], own: stiff * (q * q), r: pulls * -q };
                r0 -= pulls * p;
                r1 -= pulls * o;
                if joint.wrung != 0.0 {
                    let [before, after] = [way(b), way(ahead)];
                    let (ways, per) = ([before.0, after.0], [before.1, after.1]);
                    let forces = twist_force(ways, per, joint.wrung);
                    r0 += forces[0];
                    r1 += forces[1];
                    joined.r += forces[2];
                    // How that changes as the two segments turn: by rows, and by columns.
                    let (rows, columns) = joint.shaken(ways, per);
                    s00 -= columns[0] * rows[0];
                    s01 -= columns[1] * rows[0];
                    s10 -= columns[0] * rows[1];
                    s11 -= columns[1] * rows[1];
                    joined.far[0] -= columns[2] * rows[0];
                    joined.near[0] -= columns[2] * rows[1];
                    joined.far[1] -= columns[0] * rows[2];
                    joined.near[1] -= columns[1] * rows[2];
                    joined.own -= columns[2] * rows[2];
                }
            }
            let pull_here = b * lambda;
            r0 += pull_here - (here - aim[i]) * mass[i];
            r1 -= pull_here;
            if light[i] == 0.0 {
                // Nothing moves it; what is stiff would follow it, by however little.
                r0 = DVec3::ZERO;
            }
            let a0 = s00.y_axis.cross(s00.z_axis);
            let a1 = s00.z_axis.cross(s00.x_axis);
            let a2 = s00.x_axis.cross(s00.y_axis);
            let inverse = 1.0 / s00.z_axis.dot(a2);
            // Rows of the inverse.
            let rows = DMat3::from_cols(a0 * inverse, a1 * inverse, a2 * inverse);
            let p = rows.transpose();
            let own = p * r0;
            let pulled = p * b;
            let near = p * s01;
            let back = rows * d;
            let pivot = if taut { 1.0 / (d.dot(pulled) + gives) } else { 0.0 };
            let Joined { far: [far, low], near: [s12, s21], own: s22, r: r2 } = joined;
            let g = [(d + s01.transpose() * back) * pivot, far.transpose() * back * pivot];
            let e = (gap - d.dot(own)) * pivot;
            let z = b + s10 * pulled;
            let reach = p * far;
            let drawn = low * pulled;
            r0 = r1 - s10 * own - z * e;
            r1 = r2 - low * own - drawn * e;
            s00 = s11 - s10 * near + outer(z, g[0]);
            s01 = s12 - s10 * reach + outer(z, g[1]);
            s10 = s21 - low * near + outer(drawn, g[0]);
            s11 = s22 - low * reach + outer(drawn, g[1]);
            ties[i] = Tie { own, pulled, near, far: reach, e, g };
        }
        let [mut after, mut beyond_that] = [DVec3::ZERO; 2];
        if light[n] > 0.0 {
            let m = mass[n];
            after = (s00 + scalar(m)).inverse() * (r0 - (next[n] - aim[n]) * m);
            next[n] += after;
        }
        let (mut most, mut beyond) = (0.0_f64, false);
        for i in (0..n).rev() {
            let Tie { own, pulled, near, far, e, g } = ties[i];
            let change = e + g[0].dot(after) + g[1].dot(beyond_that);
            let here = if light[i] > 0.0 {
                own + pulled * change - near * after - far * beyond_that
            } else {
                DVec3::ZERO
            };
            pull[i] += change;
            beyond |= law[i].only_yields() && !law[i].admits(branch[i], pull[i]);
            let rest = law[i].base;
            most = furthest(most, (after - here).length_squared() / (rest * rest));
            next[i] += here;
            (after, beyond_that) = (here, after);
        }
        Round { moved: most, switched, beyond }
    }

    /// What joints did in a part of `h` seconds: to hands that hold on, and what friction turned.
    pub(super) fn end_bending(&mut self, h: f64) {
        if self.stiff.is_none() {
            return;
        }
        let n = self.x.len() - 1;
        let Room { joints, next, bias, .. } = &*self.room;
        let (x, was, light) = (&self.x[..=n], &next[..=n], &self.light[..=n]);
        let per = 2.0 / h;
        let (mut turned, mut held) = (DVec3::ZERO, false);
        let mut before = twice(x[1] - x[0], was[1] - was[0]);
        let mut torque = 0.0;
        for i in 0..n {
            let j = i + 1;
            let hands = light[i].min(light[j]) <= 0.0;
            held |= hands;
            if hands {
                // What is told of a hand has all of the tension in it.
                let drawn = before * (bias[i] * per);
                self.grips[i] -= if light[i] == 0.0 { drawn } else { DVec3::ZERO };
                self.grips[j] += if light[j] == 0.0 { drawn } else { DVec3::ZERO };
            }
            let (mut after, mut ahead) = (DVec3::ZERO, 0.0);
            if j < n {
                let joint = &joints[j];
                let bent = joint.bent([x[i], x[j], x[j + 1]]);
                turned += (joint.was + bent).cross(joint.rubbed(bent));
                after = twice(x[j + 1] - x[j], was[j + 1] - was[j]);
                ahead = joint.wrung;
                if hands || light[j + 1] == 0.0 {
                    let pulls = joint.pull(bent);
                    let [one, other] = [way(before), way(after)];
                    let forces = twist_force([one.0, other.0], [one.1, other.1], joint.wrung);
                    for ((k, share), force) in (i..=j + 1).zip(joint.shares()).zip(forces) {
                        if light[k] == 0.0 {
                            self.grips[k] += (force - pulls * share) * per;
                        }
                    }
                }
            }
            if torque != ahead {
                // Who turns it is turned by it, about where it pointed.
                self.leant[i] += way(before).0 * h;
            }
            (before, torque) = (after, ahead);
        }
        if !held {
            self.turn_back(turned / h);
        }
    }

    /// Turns a string as a whole, by an angular momentum that it has lost.
    fn turn_back(&mut self, momentum: DVec3) {
        let masses = || self.light.iter().map(|w| 1.0 / w);
        let total: f64 = masses().sum();
        let middle = self.x.iter().zip(masses()).map(|(x, m)| *x * m).sum::<DVec3>() / total;
        let mut inertia = DMat3::ZERO;
        for (x, m) in self.x.iter().zip(masses()) {
            let r = *x - middle;
            inertia += scalar(m * r.length_squared()) - outer(r * m, r);
        }
        let size = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
        // A straight one has nothing to turn about its axis, and no bend whose friction could.
        if momentum == DVec3::ZERO || inertia.determinant() <= STRAIGHT * size * size * size {
            return;
        }
        let turn = inertia.inverse() * momentum;
        for (x, v) in self.x.iter().zip(self.v.iter_mut()) {
            *v += turn.cross(*x - middle);
        }
    }
}
