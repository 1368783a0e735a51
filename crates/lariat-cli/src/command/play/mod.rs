//! `lariat play`: games that strings make possible, played by an automatic player.
//!
//! ```text
//! sheet.rs  a game as pictures on one sheet
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

/// Seconds that are played on after the end, for the last pictures: a box that falls.
const AFTER: f64 = 0.2;

/// Play a game: shoot a box until its string is twisted so far that it tears
#[derive(Debug, clap::Args)]
pub(crate) struct Play {
    #[command(subcommand)]
    game: Which,
}

/// Which game.
#[derive(Debug, clap::Subcommand)]
enum Which {
    Twist(Twist),
}

/// A box hangs from a beam by a string: wind it up with shots until it tears
///
/// A shot that strikes the box off its middle turns it and winds its string; between shots the
/// string unwinds by itself. Twisted too far it tears, and the game is won. It is lost when 30 shots
/// or 60 seconds are over. The same seed and skill play the same game on every machine.
#[derive(Debug, clap::Args)]
struct Twist {
    /// Let the automatic player play; there is no window to play in yet
    #[arg(long)]
    auto: bool,

    /// Which game: another seed is another string and another hand
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How well the player plays, from 0 to 1: 0.3 loses, 0.95 wins nine games of ten
    #[arg(long, value_name = "S", default_value_t = Player::GOOD, value_parser = skill)]
    skill: f64,

    /// Twelve pictures of the game on one sheet: a .png
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace a file that is there already
    #[arg(long)]
    force: bool,

    /// What draws: the graphics card, or the processor
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "WHAT",
        env = "LARIAT_RENDERER",
        hide_env_values = true
    )]
    renderer: RendererFlag,

    /// The result for programs
    #[arg(long)]
    json: bool,
}

fn skill(text: &str) -> Result<f64, String> {
    let skill: f64 = text.trim().parse().map_err(|_| "write a number from 0 to 1".to_owned())?;
    if (0.0..=1.0).contains(&skill) { Ok(skill) } else { Err("it goes from 0 to 1".to_owned()) }
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
                "there is no window to play in yet: let the automatic player play, with --auto",
            ));
        }
        if let Some(path) = &self.output {
            let png = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
            if !png {
                let name = words::shown(&path.to_string_lossy());
                return Err(Failure::new(format!(
                    "`{name}`: a sheet is a picture, let its name end in .png"
                )));
            }
            file::check(path, output::existing(self.force))?;
        }
        let stopped = |error: &dyn std::fmt::Display| {
            Failure::new(format!("the game stopped: {error}; play with another --seed"))
        };
        let rules = Rules { seed: self.seed, ..Rules::default() };
        let mut game = Game::new(rules).map_err(|error| stopped(&error))?;
        let mut player = Player::new(self.skill, self.seed);
        let mut film = sheet::Film::default();
        let mut end = None;
        loop {
            film.take(&game);
            if let Some(aim) = player.next_shot(&game) {
                game.shoot(aim).map_err(|error| stopped(&error))?;
            }
            game.step(sheet::FRAME).map_err(|error| stopped(&error))?;
            if game.outcome() != End::Playing && end.is_none() {
                end = Some(game.seconds());
            }
            if end.is_some_and(|end| game.seconds() >= end + AFTER) {
                break;
            }
        }
        let seconds = end.unwrap_or_default();
        self.tell(&game, seconds)?;
        if let Some(path) = &self.output {
            let pictures = film.draw(path, self.force, self.renderer.into())?;
            let name = words::shown(&path.to_string_lossy());
            console.remark(&format!("wrote {name}: {pictures}"));
        }
        Ok(Outcome::Clean)
    }

    /// What came of it; a game that is lost is no diagnostic.
    fn tell(&self, game: &Game, seconds: f64) -> Result<(), Failure> {
        let (shots, hits) = (game.shots(), game.hits());
        let (turns, most) = (game.turns().abs(), game.most_turns());
        let (word, why) = match game.outcome() {
            End::Won => ("won", "the string tore"),
            End::Lost(Lost::Shots) => ("lost", "all shots are fired, and the string unwinds"),
            End::Lost(Lost::Time) => ("lost", "the time is over"),
            End::Lost(Lost::Pulled) => ("lost", "the string was pulled apart, not twisted"),
            End::Playing => ("playing", "it goes on"),
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
                "{word} after {seconds:.1} s: {why}\n{}, {}; {turns:.2} turns at the end, \
                 {most:.2} at most of {} it bears",
                words::count(shots.into(), "shot"),
                words::count(hits.into(), "hit"),
                game.rules().turns
            )?;
        }
        Ok(out.flush()?)
    }
}
