//! The step of strings and solids that are tied, in parts: what leads clamps, obstacles and ground
//! through it, how long its parts are, and the order in which things happen. A part in which strings have
//! become too taut for it is taken back and made in two (`lever.rs`).
//!
//! Tests: `clamps_move_evenly_through_the_parts_of_a_step`, `a_push_lasts_for_the_whole_step`.

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_string::{Force, Turn};

use super::{Tied, TiedError, TiedReport};

/// Times that light solids may make parts more. More: a mote takes all the time there is.
const LIGHT_PARTS: f64 = 64.0;

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
        let least = parts;
        let parts = self.parts_to_meet(dt, parts);
        let longest = dt / f64::from(parts);
        let shortest = longest.min(dt / (f64::from(least) * LIGHT_PARTS));
        self.begin();
        let (mut gone, mut made) = (0.0, Ok(()));
        // Halved where a part was too long.
        let mut next = longest;
        while gone < 1.0 {
            let left = dt * (1.0 - gone);
            let h = next.min(self.longest_by_levers()).max(shortest);
            // As even as what is left allows.
            let h = left / (left / h - 1e-9).ceil().max(1.0);
            let until = if h >= left { 1.0 } else { gone + h / dt };
            self.lead(gone, until);
            // Those of the string come on top.
            self.solids.pushed.clone_from(&self.work.pushed);
            match self.part(h, h > 2.0 * shortest, &mut report) {
                Ok(true) => {
                    self.note_tensions(until - gone);
                    (gone, next) = (until, longest);
                    report.parts += 1;
                }
                Ok(false) => {
                    next = 0.5 * h;
                    report.taken_back += 1;
                }
                Err(error) => {
                    made = Err(error);
                    break;
                }
            }
        }
        self.end();
        if report.parts > 1 && made.is_ok() {
            // Where several strings hold a solid they take turns: what they pull with is the mean.
            self.strings.state.tensions.copy_from_slice(&self.work.tensions);
        }
        made.map(|()| report)
    }

    /// Adds what strings pulled with in a share of the step.
    fn note_tensions(&mut self, share: f64) {
        let (sums, tensions) = (&mut self.work.tensions, &self.strings.state.tensions);
        for (sum, tension) in sums.iter_mut().zip(tensions) {
            *sum += share * tension;
        }
    }

    /// One part of a step; whether it was made, and not taken back for having been too long.
    fn part(
        &mut self,
        h: f64,
        may_be_shorter: bool,
        report: &mut TiedReport,
    ) -> Result<bool, TiedError> {
        self.load(h);
        self.take_along();
        let pushes = self.strings.forces.len();
        for hold in self.holds.iter().filter(|hold| hold.active) {
            let force = hold.unknown * (hold.own + hold.load);
            if force != DVec3::ZERO {
                self.strings.forces.push(Force { particle: hold.particle, force });
            }
        }
        self.lean(h);
        let made = self.strings.step(h);
        self.strings.forces.truncate(pushes);
        if made.is_err() {
            self.lean_back();
        }
        let made = made?;
        report.solves += made.solves;
        if may_be_shorter && self.is_snatched(h) {
            self.strings.take_back();
            self.lean_back();
            return Ok(false);
        }
        report.torn += made.torn;
        self.events.extend_from_slice(&self.strings.events);
        self.give_back(h);
        report.meeting = if self.meets { self.meet(h) } else { 0 };
        self.hand_over(h);
        self.solids.step(h)?;
        self.join(h);
        self.take_along();
        Ok(true)
    }

    /// Notes where clamps, obstacles and ground shall be.
    fn begin(&mut self) {
        let work = &mut self.work;
        work.tensions.clear();
        work.tensions.resize(self.strings.state.particles(), 0.0);
        work.told.clone_from(&self.solids.ground);
        std::mem::swap(&mut work.pushed, &mut self.solids.pushed);
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

    /// Leads clamps, obstacles and ground through a part, from one share of the step to another.
    fn lead(&mut self, from: f64, until: f64) {
        if from == 0.0 && until == 1.0 {
            return;
        }
        let last = until == 1.0;
        let work = &self.work;
        for ((clamp, told), (place, angle)) in
            self.strings.clamps.iter_mut().zip(&work.clamps).zip(&work.from)
        {
            if last {
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
                *ground = if last { now.clone() } else { way.within(0.0, until).now };
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
