//! The state of a game: shooting, stepping, counting, and how it ends.
//!
//! X goes to the right, Y away from whoever shoots, Z up; the box hangs above the origin. Time goes
//! in ticks of a 120th of a second, whatever steps are asked for, so that a game is the same at any
//! frame rate.
//!
//! Tests: `a_hit_winds_the_string_and_it_unwinds_by_itself`, `a_miss_changes_nothing`,
//! `the_same_game_at_any_frame_rate`, `the_string_tears_at_the_turns_it_was_told`,
//! `a_game_ends_when_time_or_shots_do`.

use std::f64::consts::TAU;

use glam::DVec3;
use lariat_core::model::layer::Collider;
use lariat_rigid::{Shape, Solid, Solids, Tied, TiedError};
use lariat_string::{Build, Cause, Clamp, Event, Fibre, Strings, Turn};
use thiserror::Error;

use crate::rules::{BadRules, Rules};

/// Seconds of a tick.
const TICK: f64 = 1.0 / 120.0;
/// Height of the beam, and how long the string is, in metres.
const BEAM: f64 = 1.9;
const STRING: f64 = 0.6;
/// Half its thickness, in metres, and its segments.
const RADIUS: f64 = 0.0025;
const SEGMENTS: usize = 15;
/// Half the edges of the box in metres, and its kilograms.
const BOX: DVec3 = DVec3::new(0.2, 0.03, 0.04);
const BOX_MASS: f64 = 0.3;
/// A shot: a small ball.
const SHOT_RADIUS: f64 = 0.015;
const SHOT_MASS: f64 = 0.006;
/// From where shots come, in metres before the box, and how far behind it they are gone.
const FROM: f64 = 2.0;
const GONE: f64 = 1.5;
/// A shot whose speed changes by this much in a tick has struck something, in m/s; weight alone
/// gives it 0.08.
const STRUCK: f64 = 0.3;
/// The furthest that can be aimed, in metres from the middle.
const WIDEST: f64 = 0.6;
/// A turn in radians a second below which the box is taken to stand.
const STILL: f64 = 0.05;

/// Where a shot shall strike the plane of the box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aim {
    /// Metres to the right of where the box hangs at rest.
    pub across: f64,
    /// Metres above its middle there.
    pub up: f64,
}

/// Why a game is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The last shot is spent, and the string unwinds.
    Shots,
    /// The time is over.
    Time,
    /// The string was torn by a pull: that is no art.
    Pulled,
}

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    Playing,
    /// The string was twisted until it tore.
    Won,
    /// It was not.
    Lost(Lost),
}

/// Why no shot was fired.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum NoShot {
    /// It is too early.
    #[error("not loaded yet: {wait:.2} s more")]
    Reloading {
        /// Seconds.
        wait: f64,
    },
    /// All are fired.
    #[error("all {shots} shots are fired")]
    NoneLeft {
        /// How many there were.
        shots: u32,
    },
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// Nobody can aim there.
    #[error("the aim is {across} m across and {up} m up; 0.6 m either way can be aimed at")]
    OffRange {
        /// Metres.
        across: f64,
        /// Metres.
        up: f64,
    },
}

/// A shot that is on its way.
#[derive(Clone, Copy, Debug)]
struct Flight {
    /// Whether it has struck the box.
    hit: bool,
    before: DVec3,
}

/// A game.
pub struct Game {
    rules: Rules,
    tied: Tied,
    outcome: Outcome,
    /// Of the solids after the first.
    flights: Vec<Flight>,
    ticks: u64,
    /// Seconds that are asked for but not yet a tick.
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
    /// A new game.
    pub fn new(rules: Rules) -> Result<Self, BadRules> {
        rules.check()?;
        let bad = |what| BadRules { what, value: rules.turns, least: 0.1, most: 20.0 };
        let mut tied = Tied::new();
        let hemp = Fibre::find("hemp").ok_or(bad("fibre"))?;
        // Twist is spread evenly over all joints, one fewer than segments.
        let twisted = STRING * (SEGMENTS - 1) as f64 / SEGMENTS as f64;
        let shear = RADIUS * rules.turns * TAU / twisted;
        let fibre = Fibre {
            yield_shear: 0.95 * shear,
            rupture_shear: shear,
            inner_friction: 0.03,
            ..*hemp
        };
        let top = DVec3::Z * BEAM;
        let bottom = DVec3::Z * (BEAM - STRING);
        let build =
            Build { seed: rules.seed, ..Build::straight(top, bottom, SEGMENTS, RADIUS, fibre) };
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
    pub fn shoot(&mut self, aim: Aim) -> Result<(), NoShot> {
        if self.outcome != Outcome::Playing {
            return Err(NoShot::Over);
        }
        if self.shots >= self.rules.shots {
            return Err(NoShot::NoneLeft { shots: self.rules.shots });
        }
        let wait = self.wait();
        if wait > 0.0 {
            return Err(NoShot::Reloading { wait });
        }
        let Aim { across, up } = aim;
        if !(across.abs() <= WIDEST && up.abs() <= WIDEST) {
            return Err(NoShot::OffRange { across, up });
        }
        let to = DVec3::new(across, -BOX.y, self.hangs_at() + up);
        let from = DVec3::new(0.0, -FROM, self.hangs_at());
        let mut shot = Solid::new(Shape::Ball { radius: SHOT_RADIUS }, SHOT_MASS, from);
        // Aimed so that its weight brings it there.
        let flies = self.flight();
        shot.velocity = (to - from) / flies - self.tied.solids.gravity * (0.5 * flies);
        shot.bounce = 0.3;
        self.tied.solids.solids.push(shot);
        self.flights.push(Flight { hit: false, before: shot.velocity });
        self.shots += 1;
        self.loaded_at = self.seconds() + self.rules.reload;
        Ok(())
    }

    /// Lets so many seconds go by; the game goes on in ticks, and keeps what is left for the next
    /// time. After the end everything still falls and swings.
    pub fn step(&mut self, dt: f64) -> Result<Outcome, TiedError> {
        if dt > 0.0 && dt.is_finite() {
            self.rest += dt;
        }
        // A hair less: sums of sixtieths are ticks as well.
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
        self.look_for_tears(before);
        self.most = self.most.max(self.turns().abs());
        self.look_at_shots();
        if self.outcome == Outcome::Playing {
            self.judge(before);
        }
        Ok(())
    }

    fn look_for_tears(&mut self, before: f64) {
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

    /// Counts hits and misses, and takes away what has flown by.
    fn look_at_shots(&mut self) {
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

    fn judge(&mut self, before: f64) {
        if self.seconds() >= self.rules.seconds {
            self.outcome = Outcome::Lost(Lost::Time);
        }
        let spent = self.shots >= self.rules.shots && self.flights.iter().all(|shot| shot.hit);
        // As long as it winds up, it may still tear.
        let winds = self.turns().abs() > before.abs() + STILL * TICK / TAU;
        if spent && !winds {
            self.outcome = Outcome::Lost(Lost::Shots);
        }
    }

    /// How it stands.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The rules it is played by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.ticks as f64 * TICK
    }

    /// Shots that were fired.
    pub fn shots(&self) -> u32 {
        self.shots
    }

    /// Those of them that struck the box.
    pub fn hits(&self) -> u32 {
        self.hits
    }

    /// Those that flew by.
    pub fn misses(&self) -> u32 {
        self.misses
    }

    /// Seconds until the next shot can be fired; 0 is now.
    pub fn wait(&self) -> f64 {
        (self.loaded_at - self.seconds() - 1e-9).max(0.0)
    }

    /// Seconds that a shot flies.
    pub fn flight(&self) -> f64 {
        (FROM - BOX.y) / self.rules.speed
    }

    /// Turns of the string, positive as seen winding to the left from above; once it is torn, those
    /// it tore at.
    pub fn turns(&self) -> f64 {
        let angles = &self.tied.strings.state.angles;
        self.torn_at.unwrap_or_else(|| (angles[0] - angles[SEGMENTS - 1]) / TAU)
    }

    /// The most turns that the string had either way.
    pub fn most_turns(&self) -> f64 {
        self.most
    }

    /// The box.
    pub fn target(&self) -> &Solid {
        &self.tied.solids.solids[0]
    }

    /// The box, and then the shots that are on their way.
    pub fn solids(&self) -> &Solids {
        &self.tied.solids
    }

    /// The string, whole or torn.
    pub fn strings(&self) -> &Strings {
        &self.tied.strings
    }

    /// Where the string hangs from the beam.
    pub fn beam(&self) -> DVec3 {
        DVec3::Z * BEAM
    }

    /// Height of the middle of the box at rest.
    pub fn hangs_at(&self) -> f64 {
        BEAM - STRING - BOX.z
    }
}

#[cfg(test)]
mod tests;
