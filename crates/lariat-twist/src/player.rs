//! Somebody who plays the game, as well as told.
//!
//! A good player waits until the box will show its face when the shot arrives, aims at the half that
//! turns away, so that every hit winds on, and strikes within a centimetre. The less skill, the more
//! often the player does not look, and the wider the shots go.
//!
//! Tests: `the_best_player_wins`, `a_bad_player_loses`, `the_same_seed_plays_the_same_game`.

use glam::DVec3;
use lariat_core::num::ops;
use lariat_rigid::Shape;

use crate::dice::Dice;
use crate::game::{Aim, Game, Outcome};

/// How far a player without any skill shoots beside, root mean square, in metres.
const WIDE: f64 = 0.25;
/// How far out on the box a good player aims, over its half length: near the end is the longer
/// lever, and the sooner missed.
const LEVER: f64 = 0.75;
/// How much of its face the box must show for a good player to shoot: 1 is all of it.
const FACE: f64 = 0.7;
/// A spin in radians a second below which either side will do.
const SLOW: f64 = 0.5;

/// An automatic player.
#[derive(Clone, Debug)]
pub struct Player {
    skill: f64,
    dice: Dice,
    /// Whether it looks before its next shot; nothing is not decided yet.
    looks: Option<bool>,
}

impl Player {
    /// With a skill from 0 to 1, and errors that belong to a seed.
    pub fn new(skill: f64, seed: u64) -> Self {
        let skill = if skill.is_finite() { skill.clamp(0.0, 1.0) } else { 0.0 };
        Self { skill, dice: Dice(seed ^ 0x00a1_7b0a), looks: None }
    }

    /// Where to shoot now, if at all; asked again and again.
    pub fn decides(&mut self, game: &Game) -> Option<Aim> {
        let over = game.outcome() != Outcome::Playing || game.shots() >= game.rules().shots;
        if over || game.wait() > 0.0 {
            return None;
        }
        let looks = match self.looks {
            Some(looks) => looks,
            None => *self.looks.insert(self.dice.unit() < self.skill),
        };
        let target = game.target();
        let Shape::Box { half } = target.shape else { return None };
        let flies = game.flight();
        // How the box will stand when the shot arrives.
        let along = target.rotation * DVec3::X;
        let angle = ops::atan2(along.y, along.x) + target.spin.z * flies;
        let face = ops::cos(angle).abs();
        if looks && face < FACE {
            return None;
        }
        let side = if !looks {
            if self.dice.unit() < 0.5 { -1.0 } else { 1.0 }
        } else if target.spin.z.abs() > SLOW {
            target.spin.z.signum()
        } else {
            // Where it stands, it is about to unwind: help it.
            if game.turns() > 0.1 { -1.0 } else { 1.0 }
        };
        self.looks = None;
        let middle = target.position + target.velocity * flies;
        let wide = WIDE * (1.0 - self.skill);
        let across = middle.x + side * LEVER * half.x * face + wide * self.dice.error();
        let up = middle.z - game.hangs_at() + wide * self.dice.error();
        Some(Aim { across: across.clamp(-0.6, 0.6), up: up.clamp(-0.6, 0.6) })
    }
}
