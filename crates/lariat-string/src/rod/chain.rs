//! One piece of a string during a step: Newton's method for its motion.
//!
//! A substep of `h` seconds is a step of the second-order backward differentiation formula with
//! variable step (BDF2), which damps waves that it cannot resolve and hardly damps those that it
//! can. With `r` the ratio of this substep to the last one, and `Δ` the changes in the last one:
//!
//! ```text
//! β = h (1 + r)/(1 + 2r)    α = r²/(1 + 2r)
//! x' = x + α Δx + β v'      v' = v + α Δv + β f(x', v')/m
//! ```
//!
//! With `α = 0`, `β = h` it is the implicit Euler method, of first order. Substeps in which a new
//! contact begins and those after them are made with it: velocity jumps there, and a formula that
//! extrapolates would add energy.
//!
//! Before the first substep there is no history. It is chosen as that of free fall, so a thrown
//! string follows its parabola exactly.
//!
//! Tests: `free_fall_is_exact`, `a_swing_loses_little_energy`, `the_tip_of_a_falling_rope_vs_a_chain_of_rods`.

use glam::DVec3;

use super::band::{Band, Node};
use super::lanes::{
    Lane, Sym3, Vec3, ZERO, ZERO3, add, add_to3, dot, f64x2, pair, pair3, scale, set3, sub,
    sym_mul, vector,
};
use super::obstacles::Contact;
use super::parts::Constants;
use super::state::{Rows, Span, Support};

/// A linear pull towards a point: a target with a finite weight, a spring, the drag of the air.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pull {
    /// The particle, from the first of its piece.
    pub particle: usize,
    pub stiffness: Sym3<f64>,
    pub towards: DVec3,
}

/// The coefficients of a substep.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coefficients {
    /// Length of the substep in seconds.
    pub h: f64,
    /// Length of the substep before.
    pub last: f64,
    /// Share of the last substep's changes that is extrapolated.
    pub alpha: f64,
    pub beta: f64,
    /// `β` reduced by viscosity.
    pub beta_slowed: f64,
    /// Displacement per acceleration.
    pub c: f64,
    pub viscosity: f64,
    /// Acceleration of gravity.
    pub fall: DVec3,
}

impl Coefficients {
    fn new(h: f64, last: f64, first_order: bool, viscosity: f64) -> Self {
        let (alpha, beta) = if first_order {
            (0.0, h)
        } else {
            let r = h / last;
            (r * r / (1.0 + 2.0 * r), h * (1.0 + r) / (1.0 + 2.0 * r))
        };
        let beta_slowed = beta / (1.0 + beta * viscosity);
        Self {
            h,
            last,
            alpha,
            beta,
            beta_slowed,
            c: beta * beta_slowed,
            viscosity,
            fall: DVec3::ZERO,
        }
    }
}

/// Working memory of one piece.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub(super) struct Chain {
    pub band: Band,
    /// First particle of the piece, and its string.
    pub first: usize,
    pub string: usize,
    pub count: usize,
    /// In lanes: position, velocity and their last changes at the start of the substep, the
    /// acceleration that is extrapolated, and `x + α Δx`.
    start: Vec<Vec3<f64x2>>,
    velocity: Vec<Vec3<f64x2>>,
    moved: Vec<Vec3<f64x2>>,
    gained: Vec<Vec3<f64x2>>,
    anchor: Vec<Vec3<f64x2>>,
    mass: Vec<f64x2>,
    /// Accelerations by forces from outside, besides gravity.
    pub pushed: Vec<DVec3>,
    pub is_pushed: bool,
    /// Positions in the present iteration, and at the start of the substep.
    pub x: Vec<DVec3>,
    pub x_start: Vec<DVec3>,
    /// Held particles and their positions at the end of the substep.
    pub held: Vec<(usize, DVec3)>,
    pub pulls: Vec<Pull>,
    pub contacts: Vec<Contact>,
    /// Forces at obstacles after the last substep, in the order of their keys.
    pub supports: Vec<Support>,
    pub coefficients: Coefficients,
    /// Length of the present substep in seconds.
    pub step_length: f64,
    /// Whether joints resist bending or twist, and are curved at rest.
    pub bent: bool,
    pub curved: bool,
    pub last_substep: f64,
    pub first_order: u32,
    /// Whether nothing but gravity and viscosity acts from outside.
    pub free: bool,
    /// Room for twist.
    pub upper: Vec<f64>,
    pub known: Vec<f64>,
    /// Turns of joints before the frames are carried on.
    pub old_turns: Vec<f64>,
}

/// Angle of a joint by which no string is straight, in radians. Less: an upright string stands longer.
const CROOKED: f64 = 4e-3;

/// Distance of the ends over the length, from which on a string counts as straight.
const STRAIGHT: f64 = 0.9999;

/// The shortest segment for which a joint's curvature is computed, over its length at rest. Shorter:
/// what is pushed together would be as stiff as its joints are near each other.
const SHORT: f64 = 0.3;

impl Chain {
    /// Reads a piece.
    pub(super) fn load(&mut self, span: &Span, rows: &Rows<'_>, constants: &Constants<'_>) {
        let n = span.count - 1;
        (self.first, self.count, self.string) = (span.first, span.count, span.string);
        (self.last_substep, self.first_order) = (span.last_substep, span.first_order);
        let kind = &constants.kinds[span.string];
        (self.bent, self.curved) = (kind.resists() && n > 1, kind.curved);
        self.band.fit(n, self.bent);
        self.band.clear_extras();
        let places = self.band.places();
        for row in [
            &mut self.start,
            &mut self.velocity,
            &mut self.moved,
            &mut self.gained,
            &mut self.anchor,
        ] {
            row.resize(places, ZERO3);
        }
        self.mass.resize(places, ZERO);
        let range = span.particles();
        let mass = &constants.parts.mass[range.clone()];
        for k in 0..places {
            let two = |row: &[DVec3]| pair3(row[k], row[n - k]);
            self.start[k] = two(rows.positions);
            self.velocity[k] = two(rows.velocities);
            // A caller may have set the velocity since.
            let led = scale(self.velocity[k], f64x2::splat(span.last_substep));
            self.moved[k] = add(two(rows.moved), led);
            self.gained[k] = two(rows.gained);
            self.mass[k] = pair(mass[k], mass[n - k]);
            self.band.nodes[k].free = f64x2::splat(1.0);
        }
        self.x.clear();
        self.x.extend_from_slice(rows.positions);
        self.x_start.clone_from(&self.x);
        self.is_pushed = false;
        self.free = true;
        let curves = &constants.parts.curves[range.start..range.start + n];
        let (rests, tensions, yields) = (&rows.rests[..n], &rows.tensions[..n], &rows.yields[..n]);
        for (k, node) in self.band.nodes.iter_mut().enumerate().take(n) {
            let l = n - 1 - k;
            let (one, two) = (&curves[k], &curves[l]);
            node.rest_length = pair(rests[k], rests[l]);
            node.tension = pair(tensions[k], tensions[l]);
            node.stiffness = pair(one.stiffness, two.stiffness);
            node.compression = pair(one.compression, two.compression);
            node.slack = pair(one.slack, two.slack);
            node.yield_slope = pair(one.slope, two.slope);
            (node.yield_tension, node.per_yield) = (f64x2::splat(f64::INFINITY), ZERO);
            if kind.tears {
                node.yield_tension = pair(yields[k], yields[l]);
                node.per_yield = node.yield_tension.recip();
            }
        }
        if self.bent {
            for j in 1..n {
                let bend = constants.parts.joint_bend[range.start + j];
                self.band.each_joint(j, |band, place, lane| {
                    band.nodes[place].bend.as_mut_array()[lane] = bend;
                });
            }
        }
    }

    /// Fixes held particles, and stiffens the joints beside held segments: the string begins where
    /// it leaves the clamp.
    pub(super) fn hold(&mut self, constants: &Constants<'_>) {
        for k in 0..self.held.len() {
            let particle = self.held[k].0;
            self.band.each_place(particle, |band, place, lane| {
                band.nodes[place].free.as_mut_array()[lane] = 0.0;
            });
        }
        self.free &= self.held.is_empty();
        if !self.bent || self.held.len() < 2 {
            return;
        }
        for pair in 0..self.held.len() - 1 {
            let i = self.held[pair].0;
            if self.held[pair + 1].0 != i + 1 {
                continue;
            }
            for joint in [i, i + 1] {
                if joint == 0 || joint + 1 >= self.count {
                    continue;
                }
                let stiffer = self.joint_share(joint, constants);
                let bend = constants.parts.joint_bend[self.first + joint] * stiffer;
                self.band.each_joint(joint, |band, place, lane| {
                    band.nodes[place].bend.as_mut_array()[lane] = bend;
                });
            }
        }
    }

    pub(super) fn is_held(&self, particle: usize) -> bool {
        self.held.binary_search_by_key(&particle, |(held, _)| *held).is_ok()
    }

    /// Factor on the stiffness of a joint: its two half segments over those that can bend.
    pub(super) fn joint_share(&self, joint: usize, constants: &Constants<'_>) -> f64 {
        let length = |i: usize| constants.parts.length[self.first + i];
        let bends = |i: usize| if self.is_held(i) && self.is_held(i + 1) { 0.0 } else { length(i) };
        let (all, free) = (length(joint - 1) + length(joint), bends(joint - 1) + bends(joint));
        // Between two held segments nothing moves.
        if free > 0.0 { all / free } else { 1.0 }
    }

    /// Begins a substep: positions as they are likely to be at its end, and the constant part of the
    /// equations. `gravity` includes nothing that moves with the string.
    pub(super) fn predict(&mut self, h: f64, gravity: DVec3) {
        let places = self.band.places();
        let s = f64x2::splat;
        self.step_length = h;
        self.band.unlatch();
        if self.last_substep <= 0.0 {
            // What is held does not fall.
            self.first_order = self.first_order.max(u32::from(!self.held.is_empty()));
            // The history of free fall.
            let fall = gravity * h;
            for k in 0..places {
                self.gained[k] = pair3(fall, fall);
                let back = gravity * (0.5 * h * h);
                self.moved[k] = sub(scale(self.velocity[k], s(h)), pair3(back, back));
            }
            self.last_substep = h;
        }
        let likely = self.first_order == 0;
        let ratio = s(if likely { 0.5 * h * h / self.last_substep } else { 0.0 });
        for k in 0..places {
            let straight = add(self.start[k], scale(self.velocity[k], s(h)));
            self.band.nodes[k].position = add(straight, scale(self.gained[k], ratio));
        }
        for k in 0..self.held.len() {
            let (particle, target) = self.held[k];
            self.band.each_place(particle, |band, place, lane| {
                set3(&mut band.nodes[place].position, lane, target);
            });
        }
        self.unfold();
    }

    /// Sets the order of the substep, and with it the constant part of the equations.
    pub(super) fn begin(&mut self, h: f64, gravity: DVec3, viscosity: f64, crooked: &[DVec3]) {
        let coefficients = Coefficients::new(h, self.last_substep, self.first_order > 0, viscosity);
        self.coefficients = Coefficients { fall: gravity, ..coefficients };
        let Coefficients { alpha, beta_slowed, c, .. } = coefficients;
        let (alpha, slowed, per) =
            (f64x2::splat(alpha), f64x2::splat(beta_slowed), f64x2::splat(1.0 / c));
        let fall = pair3(gravity * c, gravity * c);
        for k in 0..self.band.places() {
            let anchor = add(self.start[k], scale(self.moved[k], alpha));
            let velocity = add(self.velocity[k], scale(self.gained[k], alpha));
            self.anchor[k] = anchor;
            let node = &mut self.band.nodes[k];
            node.aim = add(add(anchor, scale(velocity, slowed)), fall);
            node.inertia = self.mass[k] * per;
        }
        self.bow(gravity, crooked);
        if self.is_pushed {
            for i in 0..self.count {
                let further = self.pushed[i] * c;
                self.band.each_place(i, |band, place, lane| {
                    add_to3(&mut band.nodes[place].aim, lane, further);
                });
            }
        }
    }

    /// No string is quite straight: where the segments of one that looks straight push, every joint is
    /// pushed aside, and the particles beside it the other way. Without this a string that is dropped upright would stand
    /// on its end for ever.
    /// Only what the weight of the string can push counts: a blow is no load.
    fn bow(&mut self, gravity: DVec3, crooked: &[DVec3]) {
        let n = self.count - 1;
        let pushed = |node: &Node<f64x2>| node.tension.as_array().iter().any(|t| *t < 0.0);
        if !self.band.nodes.iter().any(pushed) {
            return;
        }
        let c = self.coefficients.c;
        let weight: f64 = self
            .band
            .nodes
            .iter()
            .map(|node| {
                let [a, b] = *node.inertia.as_array();
                a.max(b)
            })
            .sum::<f64>()
            * c
            * gravity.length();
        let length: f64 = self.x_start.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        if self.x_start[0].distance(self.x_start[n]) < STRAIGHT * length {
            return;
        }
        for (joint, way) in crooked.iter().enumerate().take(n).skip(1) {
            let push = [joint - 1, joint].map(|i| (-self.band.tension(i)).clamp(0.0, weight));
            if push == [0.0; 2] {
                continue;
            }
            let across = self.x_start[joint + 1] - self.x_start[joint - 1];
            let along = across.normalize_or_zero();
            let force = (*way - along * way.dot(along)) * (CROOKED * (push[0] + push[1]));
            for (particle, share) in [(joint - 1, -0.5), (joint, 1.0), (joint + 1, -0.5)] {
                self.band.each_place(particle, |band, place, lane| {
                    let node = &mut band.nodes[place];
                    let per = 1.0 / node.inertia.as_array()[lane];
                    add_to3(&mut node.aim, lane, force * (share * per));
                });
            }
        }
    }

    /// Position at the end of the substep of a particle without velocity.
    pub(super) fn anchor(&self, particle: usize) -> DVec3 {
        let (place, lane) = self.band.place(particle);
        vector(&self.anchor[place], lane)
    }

    pub(super) fn velocity(&self, particle: usize) -> DVec3 {
        let (place, lane) = self.band.place(particle);
        vector(&self.velocity[place], lane)
    }

    pub(super) fn gained(&self, particle: usize) -> DVec3 {
        let (place, lane) = self.band.place(particle);
        vector(&self.gained[place], lane)
    }

    /// Lengths, curvature and inner friction of the joints when the substep begins, and their
    /// torques.
    pub(super) fn set_joints(&mut self, rows: &Rows<'_>, inner_friction: f64) {
        if !self.bent {
            return;
        }
        let n = self.count - 1;
        let s = f64x2::splat;
        let rate = s(inner_friction / self.coefficients.h);
        let per_of = |offset: Vec3<f64x2>, rest: f64x2| {
            dot(offset, offset).root().larger(rest * s(SHORT)).recip()
        };
        let nodes = &mut self.band.nodes;
        let mut before = sub(self.start[1], self.start[0]);
        let mut before_now = sub(nodes[1].position, nodes[0].position);
        let mut per_before = per_of(before, nodes[0].rest_length);
        for k in 0..nodes.len() - 2 {
            let after = sub(self.start[k + 2], self.start[k + 1]);
            let after_now = sub(nodes[k + 2].position, nodes[k + 1].position);
            let per_after = per_of(after, nodes[k + 1].rest_length);
            let (ahead, behind) = (scale(after, per_after), scale(before, per_before));
            let was = sub(ahead, behind);
            let now = sub(scale(after_now, per_after), scale(before_now, per_before));
            // Friction acts on the size of the bend only, so that a bent string can turn freely.
            let way = add(ahead, behind);
            let towards = dot(was, now).choose(s(1.0), s(-1.0));
            let axis = add(was, scale(now, towards));
            let tilt = dot(way, axis) / dot(way, way).larger(s(f64::MIN_POSITIVE));
            let axis = sub(axis, scale(way, tilt));
            let axis = scale(axis, (dot(axis, axis) + s(1e-24)).root().recip());
            let node = &mut nodes[k];
            (node.per_before, node.per_after) = (per_before, per_after);
            node.friction = node.bend * rate;
            node.friction_axis = axis;
            node.friction_start = dot(axis, was);
            node.torque = pair(rows.torques[k + 1], rows.torques[n - 1 - k]);
            node.bent = ZERO3;
            (before, before_now, per_before) = (after, after_now, per_after);
        }
    }

    /// Sets the curvature of a joint at rest, in world axes.
    pub(super) fn set_bent(&mut self, joint: usize, bent: DVec3) {
        self.band.each_joint(joint, |band, place, lane| {
            set3(&mut band.nodes[place].bent, lane, bent);
        });
    }

    /// Stiffness and forces from outside in the present iteration.
    pub(super) fn add_pulls(&mut self) {
        self.band.clear_extras();
        for k in 0..self.pulls.len() {
            let Pull { particle, stiffness, towards } = self.pulls[k];
            let force = sym_mul(&stiffness, (towards - self.x[particle]).to_array());
            self.band.add_extra(particle, &stiffness, DVec3::from_array(force));
        }
    }

    /// Copies positions out of the lanes.
    pub(super) fn unfold(&mut self) {
        let n = self.count - 1;
        let half = self.band.halfway();
        for (k, node) in self.band.nodes.iter().enumerate() {
            if k <= half {
                self.x[k] = vector(&node.position, 0);
            }
            if n - k > half {
                self.x[n - k] = vector(&node.position, 1);
            }
        }
    }

    /// Puts tensions back as they were before a substep that was not accepted.
    pub(super) fn take_back(&mut self, rows: &Rows<'_>) {
        for i in 0..self.count - 1 {
            let tension = rows.tensions[i];
            self.band.each_segment(i, |band, place, lane| {
                band.nodes[place].tension.as_mut_array()[lane] = tension;
            });
        }
        self.x.clone_from(&self.x_start);
    }

    /// Accepts a substep: positions, velocities, their changes and tensions.
    pub(super) fn accept(&mut self, rows: &mut Rows<'_>) {
        let Coefficients { h, beta, .. } = self.coefficients;
        let (per_beta, per_h, one) =
            (f64x2::splat(1.0 / beta), f64x2::splat(1.0 / h), f64x2::splat(1.0));
        for k in 0..self.band.places() {
            let node = &self.band.nodes[k];
            let moves = scale(sub(node.position, self.anchor[k]), per_beta);
            let moved = sub(node.position, self.start[k]);
            let led = scale(moved, per_h);
            let velocity = add(scale(moves, node.free), scale(led, one - node.free));
            self.gained[k] = sub(velocity, self.velocity[k]);
            self.moved[k] = moved;
            self.velocity[k] = velocity;
            self.start[k] = node.position;
        }
        self.x_start.clone_from(&self.x);
        self.last_substep = h;
        self.first_order = self.first_order.saturating_sub(1);
        for i in 0..self.count - 1 {
            rows.tensions[i] = self.band.tension(i);
        }
    }

    /// Writes a piece after its last substep.
    pub(super) fn store(&self, span: &mut Span, rows: &mut Rows<'_>) {
        let n = self.count - 1;
        let half = self.band.halfway();
        (span.last_substep, span.first_order) = (self.last_substep, self.first_order);
        rows.positions.copy_from_slice(&self.x);
        let led = f64x2::splat(self.last_substep);
        for k in 0..self.band.places() {
            let (velocity, gained) = (self.velocity[k], self.gained[k]);
            let moved = sub(self.moved[k], scale(velocity, led));
            let mut write = |particle: usize, lane: usize| {
                rows.velocities[particle] = vector(&velocity, lane);
                rows.moved[particle] = vector(&moved, lane);
                rows.gained[particle] = vector(&gained, lane);
            };
            if k <= half {
                write(k, 0);
            }
            if n - k > half {
                write(n - k, 1);
            }
        }
    }

    /// Adds to the velocities what a motion as a whole adds: a velocity, and an angular velocity about
    /// a point.
    pub(super) fn add_motion(&mut self, velocity: DVec3, about: DVec3, spin: DVec3) {
        for i in 0..self.count {
            let more = velocity + spin.cross(self.x[i] - about);
            let (velocities, gained) = (&mut self.velocity, &mut self.gained);
            self.band.each_place(i, |_, place, lane| {
                add_to3(&mut velocities[place], lane, more);
                add_to3(&mut gained[place], lane, more);
            });
        }
    }
}
