//! The twisting game: a box hangs from a beam by a string; shoot it until the string tears.
//!
//! Figure 11 of Rungjiratananon et al. 2012. A hit off the middle of the box turns it and winds the
//! string up; between hits the string unwinds. A string that is twisted too far tears, and the game
//! is won. This crate is rules and state: no window, no clock, no printing. A program calls
//! [`Game::shoot`] when the trigger is pulled and [`Game::step`] with the elapsed time, and draws
//! [`Game::solids`] and [`Game::strings`].
//!
//! ```text
//! rules.rs   settings of a game: strength of the string, number of shots, time
//! game.rs    state of a game: shots, steps, score, outcome
//! player.rs  automatic player of a given skill
//! random.rs  seeded random numbers
//! ```
//!
//! ```
//! use lariat_twist::{Game, Outcome, Player, Rules};
//!
//! let mut game = Game::new(Rules::default()).unwrap();
//! let mut player = Player::new(Player::GOOD, 7);
//! while game.outcome() == Outcome::Playing && game.seconds() < 2.0 {
//!     if let Some(aim) = player.next_shot(&game) {
//!         game.shoot(aim).unwrap();
//!     }
//!     game.step(1.0 / 60.0).unwrap();
//! }
//! assert!(game.shots() > 0 && game.turns().abs() > 0.0);
//! ```
//!
//! # Differences from the paper
//!
//! * A shot is a ball with mass. rapier lets it hit, glance off and bounce, so the place and time
//!   of a hit determine how much it winds the string. An impulse at the aim would make all hits
//!   equal.
//! * A miss has no penalty; the string untwists by itself.
//! * The paper gives no limits. Here shots and time are limited, so a game can be lost.

mod game;
mod player;
mod random;
mod rules;

pub use game::{Aim, Game, Lost, Outcome, ShotError};
pub use player::Player;
pub use rules::{Rules, RulesError};

/// Runs the example of the guide's page about the game.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/play.md")]
struct Guide;
