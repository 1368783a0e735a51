//! `lariat play`: string games, played by an automatic player.
//!
//! ```text
//! sheet.rs  contact sheet of a game
//! ```

mod sheet;

use std::{io::Write, path::PathBuf};

use lariat_export::file;
use lariat_twist::{Game, Lost, Outcome as End, Player, Rules};

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    output,
    renderer::RendererFlag,
    words,
};

/// Seconds simulated after the end of the game, for the last pictures.
const AFTER: f64 = 0.2;

/// Play a game with strings
#[derive(Debug, clap::Args)]
pub(crate) struct Play {
    #[command(subcommand)]
    game: Which,
}

/// Games.
#[derive(Debug, clap::Subcommand)]
enum Which {
    Twist(Twist),
}

/// Shoot at a box that hangs on a string until the twisted string tears
///
/// A shot that hits the box off-centre turns it and twists its string; between shots the string
/// unwinds. The game is won when the string tears, and lost after 30 shots or 60 seconds. The same
/// seed and skill give the same game on every machine.
#[derive(Debug, clap::Args)]
struct Twist {
    /// Use the automatic player (there is no interactive mode yet)
    #[arg(long)]
    auto: bool,

    /// Random seed of the string and the player
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Skill of the player, from 0 to 1: 0.3 loses, 0.95 wins nine games of ten
    #[arg(long, value_name = "S", default_value_t = Player::GOOD, value_parser = skill)]
    skill: f64,

    /// Write a contact sheet of twelve pictures (.png)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace an existing file
    #[arg(long)]
    force: bool,

    /// Renderer: graphics card or CPU
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "RENDERER",
        env = "LARIAT_RENDERER",
        hide_env_values = true
    )]
    renderer: RendererFlag,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

fn skill(text: &str) -> Result<f64, String> {
    let skill: f64 = text.trim().parse().map_err(|_| "expected a number from 0 to 1".to_owned())?;
    if (0.0..=1.0).contains(&skill) {
        Ok(skill)
    } else {
        Err("expected a number from 0 to 1".to_owned())
    }
}

impl Play {
    pub(crate) fn run(&self, console: Console) -> Done {
        let Which::Twist(twist) = &self.game;
        twist.run(console)
    }
}

impl Twist {
    fn run(&self, console: Console) -> Done {
        if !self.auto {
            return Err(Failure::new(
                "there is no interactive mode yet; use the automatic player with --auto",
            ));
        }
        if let Some(path) = &self.output {
            let png = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
            if !png {
                let name = words::shown(&path.to_string_lossy());
                return Err(Failure::new(format!(
                    "`{name}` is not a .png file; contact sheets are written as .png"
                )));
            }
            file::check(path, output::existing(self.force))?;
        }
        let failed = |error: &dyn std::fmt::Display| {
            Failure::new(format!("the simulation failed: {error}; try another --seed"))
        };
        let rules = Rules { seed: self.seed, ..Rules::default() };
        let mut game = Game::new(rules).map_err(|error| failed(&error))?;
        let mut player = Player::new(self.skill, self.seed);
        let mut film = sheet::Film::default();
        let mut end = None;
        loop {
            film.take(&game);
            if let Some(aim) = player.next_shot(&game) {
                game.shoot(aim).map_err(|error| failed(&error))?;
            }
            game.step(sheet::FRAME).map_err(|error| failed(&error))?;
            if game.outcome() != End::Playing && end.is_none() {
                end = Some(game.seconds());
            }
            if end.is_some_and(|end| game.seconds() >= end + AFTER) {
                break;
            }
        }
        let seconds = end.unwrap_or_default();
        self.report(&game, seconds)?;
        if let Some(path) = &self.output {
            output::sweep(path, console);
            let pictures = film.draw(path, self.force, self.renderer.into())?;
            let name = words::shown(&path.to_string_lossy());
            console.note(&format!("wrote {name}: {pictures}"));
        }
        Ok(Outcome::Clean)
    }

    /// Prints the result.
    fn report(&self, game: &Game, seconds: f64) -> Result<(), Failure> {
        let (shots, hits) = (game.shots(), game.hits());
        let (turns, most) = (game.turns().abs(), game.most_turns());
        let (word, why) = match game.outcome() {
            End::Won => ("won", "the string tore"),
            End::Lost(Lost::Shots) => ("lost", "no shots left"),
            End::Lost(Lost::Time) => ("lost", "time is up"),
            End::Lost(Lost::Pulled) => ("lost", "the string tore by tension, not by twist"),
            End::Playing => ("playing", "not finished"),
        };
        let mut out = Console::results();
        if self.json {
            writeln!(
                out,
                "{{\"game\": \"twist\", \"result\": \"{word}\", \"seed\": {}, \"skill\": {}, \
                 \"seconds\": {seconds:.3}, \"shots\": {shots}, \"hits\": {hits}, \
                 \"turns\": {turns:.3}, \"most-turns\": {most:.3}}}",
                self.seed, self.skill
            )?;
        } else {
            writeln!(
                out,
                "{word} after {seconds:.1} s: {why}\n{}, {}; twist {turns:.2} turns at the end, \
                 maximum {most:.2}, limit {}",
                words::count(shots.into(), "shot"),
                words::count(hits.into(), "hit"),
                game.rules().turns
            )?;
        }
        Ok(out.flush()?)
    }
}
