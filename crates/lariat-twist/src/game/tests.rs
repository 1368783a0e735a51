//! Whole games, won and lost.

use super::*;
use crate::player::Player;

fn game() -> Game {
    Game::new(Rules::default()).unwrap()
}

fn play(rules: Rules, skill: f64, seed: u64) -> Game {
    play_in_steps(TICK, rules, skill, seed)
}

/// Plays a game whose player decides once per step of `dt` seconds.
fn play_in_steps(dt: f64, rules: Rules, skill: f64, seed: u64) -> Game {
    let mut game = Game::new(rules).unwrap();
    let mut player = Player::new(skill, seed);
    while game.outcome() == Outcome::Playing {
        if let Some(aim) = player.next_shot(&game) {
            game.shoot(aim).unwrap();
        }
        game.step(dt).unwrap();
    }
    game
}

#[test]
fn a_hit_winds_the_string_and_it_unwinds_by_itself() {
    let mut game = game();
    game.shoot(Aim { across: 0.15, up: 0.0 }).unwrap();
    let mut most = 0.0_f64;
    for _ in 0..120 {
        game.step(TICK).unwrap();
        most = most.max(game.turns());
    }
    assert_eq!((game.shots(), game.hits(), game.misses()), (1, 1, 0));
    assert!(most > 0.1, "a hit on the right winds to the left: {most} turns");
    let mut least = f64::INFINITY;
    for _ in 0..1200 {
        game.step(TICK).unwrap();
        least = least.min(game.turns());
    }
    assert!(least < 0.0, "and it comes back: {least} turns");
    assert!(game.turns().abs() <= game.most_turns());
}

#[test]
fn a_miss_changes_nothing() {
    let mut missed = game();
    missed.shoot(Aim { across: 0.4, up: 0.1 }).unwrap();
    let mut nothing = game();
    for _ in 0..120 {
        missed.step(TICK).unwrap();
        nothing.step(TICK).unwrap();
    }
    assert_eq!((missed.shots(), missed.hits(), missed.misses()), (1, 0, 1));
    assert!(missed.turns().abs() < 1e-6, "{}", missed.turns());
    assert!(missed.target().position.distance(nothing.target().position) < 1e-9);
}

#[test]
fn the_same_game_at_any_frame_rate() {
    let mut fine = game();
    let mut coarse = game();
    for game in [&mut fine, &mut coarse] {
        game.shoot(Aim { across: 0.12, up: 0.01 }).unwrap();
    }
    for _ in 0..240 {
        fine.step(1.0 / 120.0).unwrap();
    }
    for _ in 0..60 {
        coarse.step(1.0 / 30.0).unwrap();
    }
    assert_eq!(fine.seconds(), coarse.seconds());
    assert_eq!(fine.strings().state, coarse.strings().state);
    assert_eq!(fine.solids().solids, coarse.solids().solids);
}

#[test]
fn the_string_tears_at_the_turns_of_the_rules() {
    let mut game = Game::new(Rules { turns: 2.0, ..Rules::default() }).unwrap();
    // Wound up by a torque on the box.
    let mut torn = 0.0;
    for _ in 0..1200 {
        game.tied.solids.turn(0, DVec3::Z * 0.1);
        torn = game.turns();
        if game.step(TICK).unwrap() != Outcome::Playing {
            break;
        }
    }
    assert_eq!(game.outcome(), Outcome::Won);
    assert!((torn - 2.0).abs() < 0.1, "{torn} turns");
    let height = game.target().position.z;
    game.step(0.3).unwrap();
    assert!(game.target().position.z < height - 0.2, "and the box falls");
    assert_eq!(game.shoot(Aim::default()), Err(ShotError::Over));
}

#[test]
fn a_game_ends_when_time_or_shots_do() {
    let rules = Rules { seconds: 2.0, ..Rules::default() };
    let mut game = Game::new(rules).unwrap();
    assert_eq!(game.step(1.9), Ok(Outcome::Playing));
    assert_eq!(game.step(0.2), Ok(Outcome::Lost(Lost::Time)));
    let rules = Rules { shots: 1, ..Rules::default() };
    let mut game = Game::new(rules).unwrap();
    game.shoot(Aim { across: 0.15, up: 0.0 }).unwrap();
    assert_eq!(game.shoot(Aim::default()), Err(ShotError::NoneLeft { shots: 1 }));
    // It winds up first and may still tear; then the game is over.
    assert_eq!(game.step(0.4), Ok(Outcome::Playing));
    assert_eq!(game.step(10.0), Ok(Outcome::Lost(Lost::Shots)));
}

#[test]
fn shots_wait_for_loading_and_stay_in_range() {
    let mut game = game();
    let off = game.shoot(Aim { across: f64::NAN, up: 0.0 }).unwrap_err();
    assert!(matches!(off, ShotError::OffRange { .. }), "{off}");
    game.shoot(Aim::default()).unwrap();
    assert!(matches!(game.shoot(Aim::default()), Err(ShotError::Reloading { .. })));
    game.step(game.rules().reload).unwrap();
    game.shoot(Aim::default()).unwrap();
    assert_eq!(game.shots(), 2);
}

#[test]
fn the_best_player_wins() {
    for seed in 0..3 {
        let rules = Rules { seed, ..Rules::default() };
        let game = play(rules, 1.0, seed);
        let score = (game.seconds(), game.shots(), game.hits(), game.turns());
        assert_eq!(game.outcome(), Outcome::Won, "seed {seed}: {score:?}");
        assert!(game.hits() * 2 > game.shots(), "{score:?}");
    }
}

/// The default game of `lariat play twist --auto` is among them, and is won. The command steps 60
/// times a second.
#[test]
fn a_good_player_wins_nine_games_of_ten() {
    let won = |seed: &u64| {
        let rules = Rules { seed: *seed, ..Rules::default() };
        let game = play_in_steps(1.0 / 60.0, rules, Player::GOOD, *seed);
        game.outcome() == Outcome::Won
    };
    let games: Vec<u64> = (0..10).filter(won).collect();
    assert!(games.contains(&0) && games.len() >= 9, "only {games:?} are won");
}

#[test]
fn a_bad_player_loses() {
    for seed in 0..3 {
        let rules = Rules { seed, ..Rules::default() };
        let game = play(rules, 0.1, seed);
        let score = (game.seconds(), game.shots(), game.hits(), game.turns());
        assert!(matches!(game.outcome(), Outcome::Lost(_)), "seed {seed}: {score:?}");
        assert_eq!(game.hits() + game.misses(), game.shots(), "{score:?}");
        assert_eq!(Player::new(1.0, seed).next_shot(&game), None, "no shots after the end");
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let rules = Rules { shots: 6, ..Rules::default() };
    let (a, b, other) = (play(rules, 0.6, 5), play(rules, 0.6, 5), play(rules, 0.6, 6));
    assert_eq!(a.strings().state, b.strings().state);
    assert_ne!(a.strings().state, other.strings().state);
}
