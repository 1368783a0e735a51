//! State of a game: shots, steps, score, outcome.
//!
//! X points to the right, Y away from the player, Z up; the box hangs above the origin. The game
//! advances in ticks of a 120th of a second for any requested steps, so it is the same at any frame
//! rate.
//!
//! Tests: `a_hit_winds_the_string_and_it_unwinds_by_itself`, `a_miss_changes_nothing`,
//! `the_same_game_at_any_frame_rate`, `the_string_tears_at_the_turns_of_the_rules`,
//! `a_game_ends_when_time_or_shots_do`.

use std::f64::consts::TAU;

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_core::model::layer::Collider;
use lariat_rigid::{Shape, Solid, Solids, Tied, TiedError};
use lariat_string::{Build, Cause, Clamp, Event, Strings, Turn};
use thiserror::Error;

use crate::rules::{Rules, RulesError};

/// Seconds of a tick.
const TICK: f64 = 1.0 / 120.0;
/// Height of the beam and length of the string, in metres.
const BEAM: f64 = 1.9;
const STRING: f64 = 0.6;
/// Radius of the string in metres, and its number of segments.
const RADIUS: f64 = 0.0025;
const SEGMENTS: usize = 15;
/// Half extents of the box in metres, and its mass in kilograms.
const BOX: DVec3 = DVec3::new(0.2, 0.03, 0.04);
const BOX_MASS: f64 = 0.3;
/// Radius of a shot in metres, and its mass in kilograms.
const SHOT_RADIUS: f64 = 0.015;
const SHOT_MASS: f64 = 0.006;
/// Distance from which shots come, and distance behind the box at which they are removed, in
/// metres.
const FROM: f64 = 2.0;
const GONE: f64 = 1.5;
/// Change of a shot's velocity within a tick that counts as a hit, in m/s; gravity alone gives
/// 0.08.
const STRUCK: f64 = 0.3;
/// Largest distance of the aim from the middle, in metres.
const WIDEST: f64 = 0.6;
/// Angular speed in rad/s below which the box counts as standing.
const STILL: f64 = 0.05;

/// Target of a shot in the plane of the box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aim {
    /// Metres to the right of the box at rest.
    pub across: f64,
    /// Metres above its middle.
    pub up: f64,
}

/// Reason for a lost game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// All shots are fired and the string unwinds.
    Shots,
    /// Time is up.
    Time,
    /// The string was torn by a pull instead of by twist.
    Pulled,
}

/// Outcome of a game so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The game is not over.
    Playing,
    /// The string was twisted until it tore.
    Won,
    /// The game ended otherwise.
    Lost(Lost),
}

/// Reason why a shot is refused.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum ShotError {
    /// The next shot is not loaded yet.
    #[error("not loaded yet: wait {wait:.2} s")]
    Reloading {
        /// Seconds until it is loaded.
        wait: f64,
    },
    /// All shots are fired.
    #[error("all {shots} shots are fired")]
    NoneLeft {
        /// Number of shots in the game.
        shots: u32,
    },
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// The aim is out of range.
    #[error("the aim is {across} m across and {up} m up; both must be within 0.6 m")]
    OffRange {
        /// Metres.
        across: f64,
        /// Metres.
        up: f64,
    },
}

/// A shot in flight.
#[derive(Clone, Copy, Debug)]
struct Flight {
    /// Whether it has hit the box.
    hit: bool,
    /// Velocity before the tick.
    before: DVec3,
}

/// A game.
pub struct Game {
    rules: Rules,
    tied: Tied,
    outcome: Outcome,
    /// One per solid after the first.
    flights: Vec<Flight>,
    ticks: u64,
    /// Requested time that is not a whole tick yet, in seconds.
    rest: f64,
    loaded_at: f64,
    shots: u32,
    hits: u32,
    misses: u32,
    /// Turns of the string when it tore.
    torn_at: Option<f64>,
    most: f64,
}

impl Game {
    /// Starts a game.
    pub fn new(rules: Rules) -> Result<Self, RulesError> {
        rules.check()?;
        let bad = |what| RulesError { what, value: rules.turns, least: 0.1, most: 20.0 };
        let mut tied = Tied::new();
        let hemp = Material::find("hemp").ok_or(bad("material"))?;
        // Twist is spread evenly over all joints, one fewer than segments.
        let twisted = STRING * (SEGMENTS - 1) as f64 / SEGMENTS as f64;
        let shear = RADIUS * rules.turns * TAU / twisted;
        let material = Material {
            yield_shear: 0.95 * shear,
            rupture_shear: shear,
            inner_friction: 0.03,
            ..*hemp
        };
        let top = DVec3::Z * BEAM;
        let bottom = DVec3::Z * (BEAM - STRING);
        let build =
            Build { seed: rules.seed, ..Build::straight(top, bottom, SEGMENTS, RADIUS, material) };
        let string = tied.strings.add(&build).map_err(|_| bad("string"))?;
        let (first, last) =
            (tied.strings.particle(string, 0.0), tied.strings.particle(string, 1.0));
        tied.strings.clamps.push(Clamp { turn: Some(Turn::Angle(0.0)), ..Clamp::at(first, top) });
        tied.strings.settings.contact = false;
        let middle = bottom - DVec3::Z * BOX.z;
        tied.solids.solids.push(Solid::new(Shape::Box { half: BOX }, BOX_MASS, middle));
        tied.tie(last, 0, true);
        tied.solids.ground.push(Collider::floor(0.0));
        Ok(Self {
            rules,
            tied,
            outcome: Outcome::Playing,
            flights: Vec::new(),
            ticks: 0,
            rest: 0.0,
            loaded_at: 0.0,
            shots: 0,
            hits: 0,
            misses: 0,
            torn_at: None,
            most: 0.0,
        })
    }

    /// Fires a shot.
    pub fn shoot(&mut self, aim: Aim) -> Result<(), ShotError> {
        if self.outcome != Outcome::Playing {
            return Err(ShotError::Over);
        }
        if self.shots >= self.rules.shots {
            return Err(ShotError::NoneLeft { shots: self.rules.shots });
        }
        let wait = self.wait();
        if wait > 0.0 {
            return Err(ShotError::Reloading { wait });
        }
        let Aim { across, up } = aim;
        if !(across.abs() <= WIDEST && up.abs() <= WIDEST) {
            return Err(ShotError::OffRange { across, up });
        }
        let to = DVec3::new(across, -BOX.y, self.rest_height() + up);
        let from = DVec3::new(0.0, -FROM, self.rest_height());
        let mut shot = Solid::new(Shape::Ball { radius: SHOT_RADIUS }, SHOT_MASS, from);
        // Compensates for the drop during the flight.
        let flight_time = self.flight_time();
        shot.velocity = (to - from) / flight_time - self.tied.solids.gravity * (0.5 * flight_time);
        shot.bounce = 0.3;
        self.tied.solids.solids.push(shot);
        self.flights.push(Flight { hit: false, before: shot.velocity });
        self.shots += 1;
        self.loaded_at = self.seconds() + self.rules.reload;
        Ok(())
    }

    /// Advances the game by `dt` seconds, in whole ticks; the remainder is kept for the next call.
    /// Bodies keep moving after the end of the game.
    pub fn step(&mut self, dt: f64) -> Result<Outcome, TiedError> {
        if dt > 0.0 && dt.is_finite() {
            self.rest += dt;
        }
        // The margin makes sums of sixtieths of a second whole ticks.
        while self.rest > TICK * (1.0 - 1e-9) {
            self.rest -= TICK;
            self.tick()?;
        }
        Ok(self.outcome)
    }

    fn tick(&mut self) -> Result<(), TiedError> {
        let before = self.turns();
        for (flight, shot) in self.flights.iter_mut().zip(&self.tied.solids.solids[1..]) {
            flight.before = shot.velocity;
        }
        self.tied.step(TICK)?;
        self.ticks += 1;
        self.find_tears(before);
        self.most = self.most.max(self.turns().abs());
        self.update_shots();
        if self.outcome == Outcome::Playing {
            self.decide_outcome(before);
        }
        Ok(())
    }

    fn find_tears(&mut self, before: f64) {
        for event in &self.tied.events {
            let Event::Torn { cause, .. } = event;
            if self.torn_at.is_none() {
                self.torn_at = Some(before);
                if self.outcome == Outcome::Playing {
                    self.outcome = match cause {
                        Cause::Twist => Outcome::Won,
                        Cause::Pull | Cause::Cut => Outcome::Lost(Lost::Pulled),
                    };
                }
            }
        }
    }

    /// Counts hits and misses, and removes shots that have passed.
    fn update_shots(&mut self) {
        let middle = self.target().position;
        let weight = self.tied.solids.gravity * TICK;
        for k in (0..self.flights.len()).rev() {
            let shot = self.tied.solids.solids[k + 1];
            let flight = &mut self.flights[k];
            let struck = (shot.velocity - flight.before - weight).length() > STRUCK;
            let near = shot.position.distance(middle) < BOX.length() + 0.1;
            if struck && near && !flight.hit {
                flight.hit = true;
                self.hits += 1;
            }
            let gone = shot.position.y.abs() > FROM.max(GONE) + 0.01
                || shot.position.y > GONE
                || shot.position.z < 4.0 * SHOT_RADIUS;
            if gone {
                self.misses += u32::from(!flight.hit);
                self.flights.remove(k);
                self.tied.solids.solids.remove(k + 1);
            }
        }
    }

    fn decide_outcome(&mut self, before: f64) {
        if self.seconds() >= self.rules.seconds {
            self.outcome = Outcome::Lost(Lost::Time);
        }
        let spent = self.shots >= self.rules.shots && self.flights.iter().all(|shot| shot.hit);
        // A string that is still winding up may tear.
        let winds = self.turns().abs() > before.abs() + STILL * TICK / TAU;
        if spent && !winds {
            self.outcome = Outcome::Lost(Lost::Shots);
        }
    }

    /// Outcome so far.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.ticks as f64 * TICK
    }

    /// Number of shots fired.
    pub fn shots(&self) -> u32 {
        self.shots
    }

    /// Number of shots that hit the box.
    pub fn hits(&self) -> u32 {
        self.hits
    }

    /// Number of shots that missed.
    pub fn misses(&self) -> u32 {
        self.misses
    }

    /// Seconds until the next shot can be fired, 0 if it can now.
    pub fn wait(&self) -> f64 {
        (self.loaded_at - self.seconds() - 1e-9).max(0.0)
    }

    /// Flight time of a shot, in seconds.
    pub fn flight_time(&self) -> f64 {
        (FROM - BOX.y) / self.rules.speed
    }

    /// Turns of the string, positive counterclockwise from above; for a torn string, its turns when
    /// it tore.
    pub fn turns(&self) -> f64 {
        let angles = &self.tied.strings.state.angles;
        self.torn_at.unwrap_or_else(|| (angles[0] - angles[SEGMENTS - 1]) / TAU)
    }

    /// Largest number of turns so far, in either direction.
    pub fn most_turns(&self) -> f64 {
        self.most
    }

    /// The box.
    pub fn target(&self) -> &Solid {
        &self.tied.solids.solids[0]
    }

    /// The box, followed by the shots in flight.
    pub fn solids(&self) -> &Solids {
        &self.tied.solids
    }

    /// The string, whole or torn.
    pub fn strings(&self) -> &Strings {
        &self.tied.strings
    }

    /// Upper end of the string.
    pub fn beam(&self) -> DVec3 {
        DVec3::Z * BEAM
    }

    /// Height of the middle of the box at rest, in metres.
    pub fn rest_height(&self) -> f64 {
        BEAM - STRING - BOX.z
    }
}

#[cfg(test)]
mod tests;
