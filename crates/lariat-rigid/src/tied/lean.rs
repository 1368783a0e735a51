//! Solids that lean on taut strings, without a tie: a crate on two lines, a rope over a beam.
//!
//! What strings and solids that touch do to each other is done after the step of the strings
//! (`meet.rs`), with what a particle weighs. That is a blow of a few grams; a crate is carried by
//! tension, and tension is known to the step of the strings alone. So where a string would be pulled
//! into a solid that it touches, its particles are loaded while it steps, as tied ones are (`load.rs`):
//! at a place `s` of a segment the two have `1 − s` and `s` of the load. A load `L` that went from `v`
//! to `v'` was given `R = L (v' − v − g h)`, and that is the solid's. Momentum is kept, whatever the
//! load is, and angular momentum to about a hundredth: what is put back is not felt by the solid.
//!
//! How much? No more than the solid weighs there, which would swing itself up. And no more than it
//! takes: with a tension `T` in segments of length `l` a place is stiff aside by `k = Σ T / l`, and a
//! load of some `k h²` is not moved by more than a small share of a segment within a part. So a string
//! feels a beam of tons as grams, and slides over it as easily as it should.
//!
//! Before the step, particles get the speed of the solid, but for that along the string: a load which
//! went otherwise would have energy that nobody gave it. After it, all that the string did across the
//! surface is the solid's. Along the surface there is friction: of what is beyond `μ` times what presses,
//! the share along the string goes back to the particle, which by itself is light, and its string passes it
//! on (`Strings::pass_on`) and slides, by a fifth of a segment in a part at most. Aside of the string nothing
//! passes it on: the solid keeps it, and the place slips as far as tension would have pulled it.
//!
//! What sank in during the part is put back at once, for the load was too light, and so is what was led
//! aside without slipping; what lay deeper comes out slowly.
//!
//! A string does not lean on what it is tied to itself: there the knot carries. Where a solid leans is
//! remembered from part to part, for tension trembles; [`Tied::forget`] forgets it.
//!
//! Tests: `a_crate_dropped_on_lines_is_carried_by_them`, `a_crate_comes_to_rest_where_lines_carry_it`,
//! `a_rope_slides_over_a_beam`, `what_leans_keeps_momentum`,
//! `a_segment_that_is_held_at_one_end_is_put_out_as_far`.

use glam::DVec3;
use lariat_core::model::layer::Collider;

use super::load::norm;
use super::meet::Place;
use super::{Tied, Work};
use crate::solid::{Solid, turn_by};

/// A string leans where its tension would lead it into a solid by more than this in a part, over its
/// radius. More: heavy solids sink in. Less: what only lies on a solid is loaded as well, for nothing.
const SINKS: f64 = 0.02;

/// A place leans if it is nearer than this, over the radius, and is pulled on further than that within the
/// part. More: strings stop short of what they would touch. Less: what rests is found apart, and then
/// pulled in deep.
const TOUCHES: f64 = 1.25;

/// Places with less than this share of the most that a string pulls into a solid with do not count. More:
/// what carries a part of it is left out. Less: places that only tremble are loaded, and tremble more.
const MATTERS: f64 = 0.1;

/// Load over how stiff a string is aside, in parts squared. More: ropes slide over heavy solids as if they
/// were heavy themselves, and are thrown by what they were loaded with. Less: places sink in further within
/// a part.
const ENOUGH: f64 = 10.0;

/// How much of what lay deep comes out in a part, over the radius. More: strings are stretched by it at
/// once. Less: what was hit hard stays in for long.
const COMES_OUT: f64 = 0.02;

/// How far a string is let slip along itself in a part, over the length of a segment. More: it is thrown by
/// what it was held with. Less: it sticks for longer.
const LETS_GO: f64 = 0.2;

/// Share of what a string is held aside with beyond friction that it slips off in a part. More: it slips
/// too far, and back. Less: it sticks for longer.
const SLIPS: f64 = 0.5;

/// How far the free end of a segment that is held at the other is moved at most to put a place out, over how
/// far that is to go. More: what leans right beside where it is held is thrown about by the free end. Less:
/// it sinks in further from part to part.
const LEVER: f64 = 2.0;

/// Rounds of friction. Fewer: heavy ropes slide too easily.
const ROUNDS: u32 = 4;

/// A place of a string that a solid leans on, in a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lean {
    solid: usize,
    piece: usize,
    pub particles: [usize; 2],
    weights: [f64; 2],
    /// One over their masses; 0 for what is held.
    light: [f64; 2],
    /// Out of the solid, and along the string.
    out: DVec3,
    along: DVec3,
    /// On the axis of the string, from the middle of the solid.
    arm: DVec3,
    /// How far it lies in the solid.
    pub depth: f64,
    /// Newtons that the string pulls into the solid with.
    pull: f64,
    /// Kilograms of the solid, as felt here.
    load: f64,
    friction: f64,
    /// Speeds of both when the part began, and how that was changed.
    before: [DVec3; 2],
    changed: [DVec3; 2],
    /// Newton seconds: what presses, and what friction gave to the string so far.
    pressed: f64,
    held: DVec3,
    /// Metres that it slips aside.
    slips: DVec3,
}

impl Lean {
    /// The mean of both particles.
    fn mean(&self, row: &[DVec3]) -> DVec3 {
        row[self.particles[0]] * self.weights[0] + row[self.particles[1]] * self.weights[1]
    }
}

impl Tied {
    /// Finds where solids lean on strings, and lets these feel what they weigh, for a part of `h` seconds.
    pub(super) fn lean(&mut self, h: f64) {
        let Work { leans, leant, .. } = &mut self.work;
        leant.clear();
        leant.extend(leans.iter().filter(|l| l.pressed > 0.0).map(|l| (l.solid, l.particles)));
        leans.clear();
        self.work.blows.clear();
        self.work.blows.resize(self.solids.solids.len(), (DVec3::ZERO, DVec3::ZERO));
        if !self.meets || self.solids.solids.is_empty() {
            return;
        }
        self.measure();
        for k in 0..self.solids.solids.len() {
            let solid = self.solids.solids[k];
            let collider = solid.collider();
            let from_solid = self.work.leans.len();
            for s in 0..self.work.extents.len() {
                if !self.may_lean(s, k) {
                    continue;
                }
                let from = self.work.leans.len();
                self.lean_on(s, k, &collider, h);
                let leans = &mut self.work.leans;
                let most = leans[from..].iter().fold(0.0_f64, |most, lean| most.max(lean.pull));
                let mut kept = from;
                for n in from..leans.len() {
                    if leans[n].pull >= MATTERS * most {
                        leans.swap(kept, n);
                        kept += 1;
                    }
                }
                leans.truncate(kept);
            }
            self.weigh(k, from_solid, h);
        }
        for n in 0..self.work.leans.len() {
            self.go_along(n, h);
        }
        for n in 0..self.work.leans.len() {
            let state = &self.strings.state;
            let before = self.work.leans[n].particles.map(|i| state.velocities[i]);
            self.work.leans[n].before = before;
            let lean = self.work.leans[n];
            for (i, weight) in lean.particles.into_iter().zip(lean.weights) {
                let load = weight * lean.load;
                if load > 0.0 {
                    self.put_on(i, load);
                }
            }
        }
    }

    /// Particles go as the solid does, but for what they go along their string.
    ///
    /// One that leans in several places is joined by each of them as if it leaned there alone. Joined once
    /// with all loads it would keep more of its own motion, and a load is less than its solid weighs: ropes
    /// stick to what they should slide over.
    fn go_along(&mut self, n: usize, h: f64) {
        let lean = self.work.leans[n];
        let solid = self.solids.solids[lean.solid];
        for end in 0..2 {
            let load = lean.load * lean.weights[end];
            if load * lean.light[end] <= 0.0 {
                continue;
            }
            let i = lean.particles[end];
            let (x, v) = (self.strings.state.positions[i], self.strings.state.velocities[i]);
            let past = v - solid.velocity_at(x);
            let own = lean.light[end].recip();
            let change = (lean.along * past.dot(lean.along) - past) * (load / (own + load));
            self.strings.carry(i, x, v + change);
            self.work.leans[n].changed[end] = change;
            self.hit(lean.solid, x - solid.position, change * -own, h);
        }
    }

    /// Puts a load on a particle, besides those that it has.
    fn put_on(&mut self, i: usize, load: f64) {
        let loaded = &mut self.work.loaded;
        let at = loaded.iter().position(|other| other.0 == i).unwrap_or_else(|| {
            loaded.push((i, self.strings.mass(i), 0.0));
            loaded.len() - 1
        });
        loaded[at].2 += load;
        let (_, own, load) = loaded[at];
        self.strings.set_mass(i, own, load);
        // What is as fast as that may have the energy of it.
        let (x, v) = (self.strings.state.positions[i], self.strings.state.velocities[i]);
        self.strings.carry(i, x, v);
    }

    /// Whether a piece is near to a solid and not tied to it.
    fn may_lean(&self, s: usize, k: usize) -> bool {
        self.is_near(s, &self.solids.solids[k]) && !self.is_tied(&self.strings.state.spans[s], k)
    }

    /// Notes where a piece is pulled into a solid.
    fn lean_on(&mut self, s: usize, k: usize, collider: &Collider, h: f64) {
        let span = self.strings.state.spans[s];
        let solid = self.solids.solids[k];
        let reach = solid.shape.half().length() + TOUCHES * self.work.extents[s].radius;
        for i in span.particles() {
            if self.is_beyond(i, solid.position, reach) {
                continue;
            }
            if let Some(place) = self.particle_in(i, k, collider, TOUCHES) {
                self.note_lean(&place, [s, k], h);
            }
        }
        for i in span.segments() {
            let reach = reach + self.strings.segment_length(i);
            if self.is_beyond(i, solid.position, reach) {
                continue;
            }
            if let Some(place) = self.segment_in(i, k, collider, TOUCHES) {
                self.note_lean(&place, [s, k], h);
            }
        }
    }

    fn note_lean(&mut self, place: &Place, [s, k]: [usize; 2], h: f64) {
        let Place { particles: [a, b], share, light, out, .. } = *place;
        let weights = [1.0 - share, share];
        // What is tied is moved by its own solid.
        if self.holds.iter().any(|hold| hold.active && [a, b].contains(&hold.particle)) {
            return;
        }
        let span = self.strings.state.spans[s];
        let state = &self.strings.state;
        // How the string pulls at the place from both sides.
        let pull = |from: usize, to: usize, segment: usize| {
            let way = (state.positions[to] - state.positions[from]).normalize_or_zero();
            way * state.tensions[segment].max(0.0)
        };
        let mut force = DVec3::ZERO;
        let mut ways = [DVec3::ZERO; 2];
        if a > span.first {
            let pulls = pull(a, a - 1, a - 1);
            ways[0] = -pulls.normalize_or_zero();
            force += pulls;
        }
        if b + 1 < span.first + span.count {
            let pulls = pull(b, b + 1, b);
            ways[1] = pulls.normalize_or_zero();
            force += pulls;
        }
        let yields = light[0].max(light[1]);
        let goes = -0.5 * h * h * yields * force.dot(out);
        let radius = self.strings.radius_at(a);
        let depth = radius - place.distance;
        let near = |other: &(usize, [usize; 2])| {
            other.0 == k && other.1[0] <= b + 1 && a <= other.1[1] + 1
        };
        // What leaned before goes on, for tension trembles.
        let leant = goes >= 0.0 && self.work.leant.iter().any(near);
        if goes < SINKS * radius - depth.min(0.0) && !leant {
            return;
        }
        let way = ways[0] + ways[1];
        let along = (way - out * way.dot(out)).normalize_or_zero();
        let solid = &self.solids.solids[k];
        let axis = state.positions[a].lerp(state.positions[b], share);
        self.work.leans.push(Lean {
            solid: k,
            piece: s,
            particles: [a, b],
            weights,
            light,
            out,
            along,
            arm: axis - solid.position,
            depth,
            pull: -force.dot(out),
            load: 0.0,
            friction: self.work.extents[s].friction,
            before: [DVec3::ZERO; 2],
            changed: [DVec3::ZERO; 2],
            pressed: 0.0,
            held: DVec3::ZERO,
            slips: DVec3::ZERO,
        });
    }

    /// How stiff a string is at a place against being moved aside, in N/m.
    fn stiff_aside(&self, lean: &Lean) -> f64 {
        let span = self.strings.state.spans[lean.piece];
        let beside = [lean.particles[0].wrapping_sub(1), lean.particles[1]];
        let beside = beside.into_iter().filter(|i| span.segments().contains(i));
        let stiff = beside.map(|i| {
            let length = self.strings.segment_length(i).max(1e-9);
            self.strings.state.tensions[i].max(0.0) / length
        });
        stiff.sum()
    }

    /// What a solid weighs at its leans, which are the last ones; no more than a string feels.
    ///
    /// A push at one place moves every other: `1/m + r × I⁻¹ r'` is at most `1/m + |r| |r'| / I` with the
    /// least `I`, so that the sum over all places is two numbers.
    fn weigh(&mut self, k: usize, from: usize, h: f64) {
        let solid = &self.solids.solids[k];
        let ties = self.holds.iter().zip(&self.ties);
        let ties = ties.filter(|(hold, _)| hold.active && hold.solid == k);
        let arms = self.work.leans[from..].iter().map(|lean| lean.arm.length());
        let arms = arms.chain(ties.map(|(_, tie)| tie.local.length()));
        let (mut count, mut sum) = (0.0, 0.0);
        for arm in arms {
            count += 1.0;
            sum += arm;
        }
        let turns = norm(&solid.turns());
        let each = count / solid.mass;
        for n in from..self.work.leans.len() {
            let lean = &self.work.leans[n];
            let enough = ENOUGH * h * h * self.stiff_aside(lean);
            let gives = each + lean.arm.length() * sum * turns;
            self.work.leans[n].load = gives.recip().min(enough);
        }
    }

    /// Particles weigh what they do by themselves again.
    pub(super) fn lean_no_more(&mut self) {
        for (i, own, _) in self.work.loaded.drain(..) {
            self.strings.unload(i, own);
        }
    }

    /// A part is taken back: particles have the speed again that they had, and lean again.
    pub(super) fn lean_back(&mut self) {
        self.lean_no_more();
        for n in (0..self.work.leans.len()).rev() {
            let lean = self.work.leans[n];
            for (i, change) in lean.particles.into_iter().zip(lean.changed) {
                self.strings.state.velocities[i] -= change;
            }
            self.work.leans[n].pressed = f64::MIN_POSITIVE;
        }
    }

    /// What strings did to loads is done to the solids, as far as friction hands it on.
    pub(super) fn give_back(&mut self, h: f64) {
        self.lean_no_more();
        if self.work.leans.is_empty() {
            return;
        }
        let gravity = self.strings.gravity;
        for n in 0..self.work.leans.len() {
            let mut lean = self.work.leans[n];
            let state = &self.strings.state;
            let mut given = DVec3::ZERO;
            for end in 0..2 {
                let now = state.velocities[lean.particles[end]];
                let load = lean.load * lean.weights[end];
                given += (now - lean.before[end] - gravity * h) * load;
            }
            lean.pressed = (-given.dot(lean.out)).max(0.0);
            let across = lean.out * given.dot(lean.out);
            self.hit(lean.solid, lean.arm, across, h);
            lean.held = across - given;
            // It may have torn.
            let spans = &self.strings.state.spans;
            lean.piece = spans.partition_point(|span| span.first <= lean.particles[0]) - 1;
            self.work.leans[n] = lean;
        }
        let Work { leans, leaning, .. } = &mut self.work;
        leaning.clear();
        leaning.extend(leans.iter().map(|lean| lean.piece));
        leaning.sort_unstable();
        leaning.dedup();
        // Pieces are marked before anything is given back to them.
        for n in 0..self.work.leaning.len() {
            self.strings.mark(self.work.leaning[n]);
        }
        for round in 0..ROUNDS {
            for n in 0..self.work.leans.len() {
                self.rub(n, h, round == 0);
            }
            for n in 0..self.work.leaning.len() {
                self.strings.pass_on(self.work.leaning[n], h);
            }
        }
        for n in 0..self.work.leans.len() {
            let lean = self.work.leans[n];
            self.hit(lean.solid, lean.arm, -lean.held, h);
        }
        // Lengths are not put back: the string is to be as long there as the solid makes it. A particle is
        // in three places at most, its own and two of segments.
        let moved =
            (0..self.work.leans.len()).fold(0.0_f64, |most, n| most.max(self.put_out(n, h)));
        self.strings.nudge(3.0 * moved);
    }

    /// Friction at a place: what it held beyond what it may goes back to the string.
    fn rub(&mut self, n: usize, h: f64, first: bool) {
        let mut lean = self.work.leans[n];
        let a = lean.particles[0];
        let solid = &self.solids.solids[lean.solid];
        let yields = [0, 1].map(|end| lean.weights[end] * lean.light[end]);
        let gives = yields[0] * lean.weights[0] + yields[1] * lean.weights[1];
        let blow = self.work.blows[lean.solid];
        let velocity = solid.velocity + blow.0 / solid.mass;
        let spin = solid.spin + solid.turns() * blow.1;
        let place = velocity + spin.cross(lean.arm);
        let past = lean.mean(&self.strings.state.velocities) - place;
        let sliding = past - lean.out * past.dot(lean.out);
        let most = lean.friction * lean.pressed;
        let most = if first { most } else { most.max(lean.held.length()) };
        // Aside of the string nothing passes it on.
        let along = lean.along;
        let change = if first {
            let change = lean.held.clamp_length_max(most) - lean.held;
            let stiff = self.stiff_aside(&lean);
            let aside = change - along * change.dot(along);
            lean.slips = aside * (SLIPS * h * gives / (1.0 + h * h * stiff * gives));
            along * change.dot(along)
        } else {
            let wanted = lean.held - along * (sliding.dot(along) / gives);
            along * (wanted.clamp_length_max(most) - lean.held).dot(along)
        };
        let beside = self.strings.segment_at(a).map_or(0.0, |i| self.strings.state.rests[i]);
        let change = change.clamp_length_max(LETS_GO * beside / (h * yields[0].max(yields[1])));
        lean.held += change;
        for (i, yields) in lean.particles.into_iter().zip(yields) {
            if yields > 0.0 {
                let (x, v) = (self.strings.state.positions[i], self.strings.state.velocities[i]);
                self.strings.carry(i, x, v + change * yields);
            }
        }
        self.work.leans[n] = lean;
    }

    /// An impulse upon a solid, so far from its middle.
    fn hit(&mut self, k: usize, arm: DVec3, impulse: DVec3, h: f64) {
        let place = self.solids.solids[k].position;
        self.solids.push(k, impulse / h, place);
        self.solids.turn(k, arm.cross(impulse) / h);
        let blow = &mut self.work.blows[k];
        blow.0 += impulse;
        blow.1 += arm.cross(impulse);
    }

    /// Where a solid will be at the end of the part, by its speed and what leaned on it.
    pub(super) fn soon(&self, k: usize, h: f64) -> Solid {
        let solid = self.solids.solids[k];
        let (push, turn) = self.work.blows.get(k).copied().unwrap_or_default();
        let mut faster = push / solid.mass;
        if push != DVec3::ZERO {
            faster += self.solids.gravity * h;
        }
        let spun = solid.turns() * turn;
        Solid {
            position: solid.position + (solid.velocity + faster * 0.5) * h,
            rotation: turn_by((solid.spin + spun * 0.5) * h) * solid.rotation,
            velocity: solid.velocity + faster,
            spin: solid.spin + spun,
            ..solid
        }
    }

    /// Puts a place back that sank in, or was led aside without having slipped; returns how far.
    fn put_out(&mut self, n: usize, h: f64) -> f64 {
        let lean = self.work.leans[n];
        let (solid, soon) = (self.solids.solids[lean.solid], self.soon(lean.solid, h));
        let place = lean.mean(&self.strings.state.positions);
        let (distance, out) = soon.collider().distance(place);
        let radius = self.strings.radius_at(lean.particles[0]);
        let depth = radius - distance;
        let sank = (depth - lean.depth.max(0.0)).max(0.0);
        let goes = out * depth.min(sank + COMES_OUT * radius).max(0.0);
        // Where it would be had it stuck.
        let stuck = soon.position + soon.rotation * (solid.rotation.inverse() * lean.arm);
        let aside = lean.out.cross(lean.along);
        let back = (stuck - place).dot(aside).clamp(-radius, radius);
        let goes = goes + aside * back + lean.slips;
        let both = if lean.particles[0] == lean.particles[1] { 1 } else { 2 };
        let free = |end: usize| lean.light[end] > 0.0;
        // Held at one end, a segment is a lever: its other end goes further than the place.
        let moves = (0..both).filter(|end| free(*end)).map(|end| lean.weights[end]).sum::<f64>();
        let goes = goes * moves.recip().min(LEVER);
        for end in (0..both).filter(|end| free(*end)) {
            let i = lean.particles[end];
            let (x, v) = (self.strings.state.positions[i], self.strings.state.velocities[i]);
            self.strings.carry(i, x + goes, v);
        }
        goes.length()
    }
}
