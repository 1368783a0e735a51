//! The step of strings and solids that are tied: what strings do to solids, and solids to strings.
//!
//! A string gave its tied particle, which weighs `m + M` with its load `M`, the impulse
//! `J = (m + M)(Δv − g h)` within a part. The solid takes the share `M / (m + M)` of it at the place,
//! and the particle the rest by itself. After the solids have stepped, particle and place go on with
//! one speed, by an impulse that is the same for both: momentum is kept to rounding. Twist is handed
//! over likewise, as angular momentum about the string.
//!
//! A string that does not stretch moves particles without a trace in their speeds where it makes up
//! for a place that was too far away. Half of that is handed over as speed, so that errors fade away;
//! here alone momentum is not kept.
//!
//! Where several strings hold a solid, or one runs through its tie, each of them thinks it lighter
//! than it is, and would carry its weight only when stretched by `(g h²)`-ish lengths. So the
//! acceleration of the place that the particle could not know of is fed to it in the next parts, a
//! tenth of what is new at a time, and tension becomes what it should be.
//!
//! Tests: `momentum_is_kept_in_free_space`, `four_strings_hold_a_board_level`,
//! `a_wound_box_turns_with_its_period`, `clamps_move_evenly_through_the_parts_of_a_step`.

use glam::{DMat3, DVec3};
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::num::ops;
use lariat_string::{Push, Turn};

use super::{Pulled, Tied, TiedError, TiedReport};

/// Share of an unexplained way that becomes speed. Two: errors ring.
/// None: they stay.
const MADE_UP: f64 = 0.5;
/// Share of what is new in an unknown acceleration that is believed in each part. Much more, and it
/// swings itself up; less, and loads are late.
const BELIEVED: f64 = 0.1;
/// What is believed at most, in gravities: a blow is no weight.
const MOST: f64 = 10.0;

impl Tied {
    /// One step of `dt` seconds.
    pub fn step(&mut self, dt: f64) -> Result<TiedReport, TiedError> {
        self.events.clear();
        let mut report = TiedReport::default();
        if !(dt > 0.0 && dt.is_finite()) {
            return Ok(report);
        }
        self.check_ties()?;
        self.solids.check()?;
        self.take_hold();
        let parts = (dt / self.longest.max(1e-6) - 1e-9).ceil().max(1.0) as u32;
        self.begin(parts);
        let mut made = Ok(());
        for part in 1..=parts {
            self.lead(part, parts);
            // Those of the string come on top.
            self.solids.pushed.clone_from(&self.work.pushed);
            made = self.part(dt / f64::from(parts), &mut report);
            if made.is_err() {
                break;
            }
            report.parts += 1;
        }
        self.end();
        made.map(|()| report)
    }

    /// One part of a step.
    fn part(&mut self, h: f64, report: &mut TiedReport) -> Result<(), TiedError> {
        self.load(h);
        self.take_along();
        let pushes = self.strings.pushes.len();
        for hold in self.holds.iter().filter(|hold| hold.active) {
            let force = hold.unknown * (hold.own + hold.load);
            if force != DVec3::ZERO {
                self.strings.pushes.push(Push { particle: hold.particle, force });
            }
        }
        let made = self.strings.step(h);
        self.strings.pushes.truncate(pushes);
        let made = made?;
        report.solves += made.solves;
        report.torn += made.torn;
        self.events.extend_from_slice(&self.strings.events);
        self.hand_over(h);
        report.meeting = if self.meets { self.meet(h) } else { 0 };
        self.solids.step(h)?;
        self.agree(h);
        self.take_along();
        Ok(())
    }

    /// Tied particles are where they are tied, and move and spin as it does.
    fn take_along(&mut self) {
        self.work.pulled.resize(self.holds.len(), Pulled::default());
        for (k, hold) in self.holds.iter().enumerate() {
            if !hold.active {
                continue;
            }
            let solid = &self.solids.solids[hold.solid];
            let place = solid.point(self.ties[k].local);
            let velocity = solid.velocity_at(place);
            self.strings.carry(hold.particle, place, velocity);
            let pulled = &mut self.work.pulled[k];
            pulled.before = velocity;
            let Some(segment) = hold.segment else { continue };
            let t = self.strings.tangent(segment);
            let (axis, side) = (solid.rotation * hold.axis, solid.rotation * hold.side);
            let spin = solid.spin.dot(t);
            pulled.spin = spin;
            pulled.tangent = t;
            let now = self.strings.material_side(segment);
            let state = &mut self.strings.state;
            state.spins[segment] = spin;
            // The side of the solid, carried over to where the segment points.
            let together = 1.0 + axis.dot(t);
            if together > 1e-6 {
                let side = side - (axis + t) * (side.dot(t) / together);
                state.angles[segment] += ops::atan2(t.dot(now.cross(side)), now.dot(side));
            }
        }
    }

    /// What strings did to tied particles is done to solids.
    fn hand_over(&mut self, h: f64) {
        let spin_slowed = 1.0 - ops::exp(-self.strings.spin_viscosity * h);
        let gravity = self.strings.gravity;
        for (k, hold) in self.holds.iter().enumerate() {
            if !hold.active {
                continue;
            }
            let solid = self.solids.solids[hold.solid];
            let (x, v) = {
                let state = &self.strings.state;
                (state.positions[hold.particle], state.velocities[hold.particle])
            };
            let pulled = &mut self.work.pulled[k];
            let (place, before) = (solid.point(self.ties[k].local), pulled.before);
            let mut change = v - before - (gravity + hold.unknown) * h;
            let span = self.strings.span_of(hold.particle);
            let manner = span.map(|span| self.strings.manner(span.string));
            let viscosity = manner.map_or(0.0, |manner| manner.viscosity);
            let slowed = 1.0 - ops::exp(-viscosity * h);
            if span.is_some_and(|span| !self.strings.stretches(span.string)) {
                change += ((x - place) / h - (before + v) * 0.5) * MADE_UP;
            }
            let (own, load) = (hold.own, hold.load);
            // Viscosity is that of strings.
            pulled.impulse = change * (own + load) + before * (slowed * load);
            let share = pulled.impulse / (own + load);
            pulled.alone = before + gravity * h + share;
            let force = share * (load / h);
            // Both are on their way while the string pulls.
            let arm = (place + x) * 0.5 - (solid.position + solid.velocity * (0.5 * h));
            self.solids.push(hold.solid, force, solid.position);
            self.solids.turn(hold.solid, arm.cross(force));
            let Some(segment) = hold.segment else { continue };
            let spin = self.strings.state.spins[segment];
            let gained = spin - pulled.spin + pulled.spin * spin_slowed;
            pulled.spin_alone = pulled.spin + gained;
            let t = (pulled.tangent + self.strings.tangent(segment)).normalize_or(pulled.tangent);
            pulled.tangent = self.strings.tangent(segment);
            self.solids.turn(hold.solid, t * (gained * hold.inertia / h));
        }
    }

    /// Particles and the places where they are tied go on with one speed.
    fn agree(&mut self, h: f64) {
        let gravity = self.strings.gravity;
        let most = MOST * gravity.length();
        for (k, hold) in self.holds.iter_mut().enumerate() {
            if !hold.active {
                continue;
            }
            let several = self.ties.iter().filter(|tie| tie.on && tie.solid == hold.solid).count();
            let solid = &mut self.solids.solids[hold.solid];
            let pulled = &self.work.pulled[k];
            let place = solid.point(self.ties[k].local);
            let apart = pulled.alone - solid.velocity_at(place);
            let gives = solid.gives(place) + DMat3::from_diagonal(DVec3::splat(hold.own.recip()));
            let impulse = gives.inverse() * apart;
            solid.velocity += impulse / solid.mass;
            solid.spin += solid.turns() * (place - solid.position).cross(impulse);
            if hold.segment.is_some() && hold.own_inertia > 0.0 {
                let t = pulled.tangent;
                let turns = solid.turns() * t;
                let apart = pulled.spin_alone - solid.spin.dot(t);
                solid.spin += turns * (apart / (turns.dot(t) + hold.own_inertia.recip()));
            }
            let through = self
                .strings
                .span_of(hold.particle)
                .is_some_and(|span| span.joints().contains(&hold.particle));
            if several > 1 || through {
                let gained = (solid.velocity_at(place) - pulled.before) / h;
                let known = gravity + pulled.impulse / ((hold.own + hold.load) * h);
                let unknown = (gained - known).clamp_length_max(most);
                hold.unknown += (unknown - hold.unknown) * BELIEVED;
            } else {
                hold.unknown = DVec3::ZERO;
            }
        }
    }

    /// Notes where clamps, obstacles and ground shall be, if there is more than one part.
    fn begin(&mut self, parts: u32) {
        let work = &mut self.work;
        work.told.clone_from(&self.solids.ground);
        std::mem::swap(&mut work.pushed, &mut self.solids.pushed);
        if parts == 1 {
            return;
        }
        work.clamps.clone_from(&self.strings.clamps);
        work.obstacles.clone_from(&self.strings.obstacles);
        work.from.clear();
        for clamp in &work.clamps {
            let state = &self.strings.state;
            let place = state.positions.get(clamp.particle).copied();
            let segment = self.strings.segment_at(clamp.particle);
            let angle = segment.map_or(0.0, |segment| state.angles[segment]);
            work.from.push((place.unwrap_or(clamp.target), angle));
        }
        if work.ground.len() != work.told.len() {
            work.ground.clone_from(&work.told);
        }
    }

    /// Leads clamps, obstacles and ground to where they are at the end of a part.
    fn lead(&mut self, part: u32, parts: u32) {
        if parts == 1 {
            return;
        }
        let share = |part: u32| f64::from(part) / f64::from(parts);
        let (from, until) = (share(part - 1), share(part));
        let work = &self.work;
        for ((clamp, told), (place, angle)) in
            self.strings.clamps.iter_mut().zip(&work.clamps).zip(&work.from)
        {
            if part == parts {
                *clamp = *told;
                continue;
            }
            clamp.target = place.lerp(told.target, until);
            if let Some(Turn::Angle(to)) = told.turn {
                clamp.turn = Some(Turn::Angle(angle + (to - angle) * until));
            }
        }
        for (obstacle, told) in self.strings.obstacles.iter_mut().zip(&work.obstacles) {
            *obstacle = told.within(from, until);
        }
        for ((ground, before), now) in
            self.solids.ground.iter_mut().zip(&work.ground).zip(&work.told)
        {
            if before != now {
                let way = Obstacle { before: before.clone(), now: now.clone(), margin: 0.0 };
                *ground = if part == parts { now.clone() } else { way.within(0.0, until).now };
            }
        }
    }

    /// Everything is as it was told, whatever came between.
    fn end(&mut self) {
        let work = &mut self.work;
        self.solids.pushed.clear();
        work.pushed.clear();
        if !work.clamps.is_empty() || !work.obstacles.is_empty() {
            self.strings.clamps.clone_from(&work.clamps);
            self.strings.obstacles.clone_from(&work.obstacles);
            work.clamps.clear();
            work.obstacles.clear();
        }
        self.solids.ground.clone_from(&work.told);
        work.ground.clone_from(&work.told);
    }
}
