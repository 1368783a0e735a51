//! The twisting game: a box hangs from a beam by a string; shoot it until the string tears.
//!
//! Figure 11 of Rungjiratananon et al. 2012: whoever hits the box off its middle turns it and winds
//! the string up; whoever misses watches it unwind; twisted too far, the string tears, and the game is
//! won. This crate is rules and state: no window, no clock, no printing. Whoever plays it calls
//! [`Game::shoot`] when a trigger is pulled and [`Game::step`] with the time that went by, and draws
//! what [`Game::solids`] and [`Game::strings`] say.
//!
//! ```text
//! rules.rs   what a game is told once: how strong the string is, how many shots, how long
//! game.rs    the state: shooting, stepping, counting, and how it ends
//! player.rs  somebody who plays it, as well as told
//! dice.rs    numbers that belong to a seed
//! ```
//!
//! ```
//! use lariat_twist::{Game, Outcome, Player, Rules};
//!
//! let mut game = Game::new(Rules::default()).unwrap();
//! let mut player = Player::new(0.9, 7);
//! while game.outcome() == Outcome::Playing && game.seconds() < 2.0 {
//!     if let Some(aim) = player.decides(&game) {
//!         game.shoot(aim).unwrap();
//!     }
//!     game.step(1.0 / 60.0).unwrap();
//! }
//! assert!(game.shots() > 0 && game.turns().abs() > 0.0);
//! ```
//!
//! # Where we leave the paper
//!
//! * A shot is a ball that flies and strikes: rapier lets it hit, glance off and bounce, so where and
//!   when it strikes decides how much it winds. An impulse at the place aimed at would be simpler,
//!   and would make every shot that hits the same.
//! * A miss takes nothing away by rule. The string twists back by itself, as strings do.
//! * The paper names no limits; here shots and time have one, so that a game can be lost.

mod dice;
mod game;
mod player;
mod rules;

pub use game::{Aim, Game, Lost, NoShot, Outcome};
pub use player::Player;
pub use rules::{BadRules, Rules};
