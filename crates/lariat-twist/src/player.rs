//! Automatic player of a given skill.
//!
//! A skilled player waits until the box will be seen broadside when the shot arrives, and aims at the
//! half that turns away, so that every hit winds the string further. With less skill, more shots are
//! fired without waiting, and errors are larger.
//!
//! Tests: `the_best_player_wins`, `a_good_player_wins_nine_games_of_ten`, `a_bad_player_loses`,
//! `the_same_seed_plays_the_same_game`.

use glam::DVec3;
use lariat_core::num::ops;
use lariat_rigid::Shape;

use crate::game::{Aim, Game, Outcome};
use crate::random::Random;

/// Aiming error of a player without skill, root mean square, in metres.
const WIDE: f64 = 0.25;
/// Distance of the aim from the middle of the box, over its half length. Larger: a longer lever, and
/// more misses.
const LEVER: f64 = 0.75;
/// Cosine of the angle between the box and the plane of the target, above which a skilled player
/// shoots: 1 is broadside.
const FACE: f64 = 0.7;
/// Angular speed in rad/s below which both halves are equally good targets.
const SLOW: f64 = 0.5;

/// An automatic player.
#[derive(Clone, Debug)]
pub struct Player {
    skill: f64,
    random: Random,
    /// Whether the player waits for a good moment before the next shot; `None` before the decision.
    waits: Option<bool>,
}

impl Player {
    /// Skill of a good player, who wins nine games of ten.
    pub const GOOD: f64 = 0.95;

    /// Creates a player with a skill from 0 to 1; the seed decides its errors.
    pub fn new(skill: f64, seed: u64) -> Self {
        let skill = if skill.is_finite() { skill.clamp(0.0, 1.0) } else { 0.0 };
        Self { skill, random: Random(seed ^ 0x00a1_7b0a), waits: None }
    }

    /// Returns the aim of a shot to be fired now, or `None` to wait. Call it before every step.
    pub fn next_shot(&mut self, game: &Game) -> Option<Aim> {
        let over = game.outcome() != Outcome::Playing || game.shots() >= game.rules().shots;
        if over || game.wait() > 0.0 {
            return None;
        }
        let waits = match self.waits {
            Some(waits) => waits,
            None => *self.waits.insert(self.random.unit() < self.skill),
        };
        let target = game.target();
        let Shape::Box { half } = target.shape else { return None };
        let flight_time = game.flight_time();
        // Attitude of the box when the shot arrives.
        let along = target.rotation * DVec3::X;
        let angle = ops::atan2(along.y, along.x) + target.spin.z * flight_time;
        let face = ops::cos(angle).abs();
        if waits && face < FACE {
            return None;
        }
        let side = if !waits {
            if self.random.unit() < 0.5 { -1.0 } else { 1.0 }
        } else if target.spin.z.abs() > SLOW {
            target.spin.z.signum()
        } else {
            // A box at rest is about to unwind: hit it the same way.
            if game.turns() > 0.1 { -1.0 } else { 1.0 }
        };
        self.waits = None;
        let middle = target.position + target.velocity * flight_time;
        let error = WIDE * (1.0 - self.skill);
        let across = middle.x + side * LEVER * half.x * face + error * self.random.error();
        let up = middle.z - game.rest_height() + error * self.random.error();
        Some(Aim { across: across.clamp(-0.6, 0.6), up: up.clamp(-0.6, 0.6) })
    }
}
