//! Kills the studio at a random moment of editing; the next start offers the last state.
//!
//! All runs edit the same, so an undisturbed run that saves after every action knows all
//! states. A kill comes during one action: recovered is the state before it or after it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread::sleep,
    time::Duration,
};

use super::{ACTIONS, DOCUMENT, Stage, running::Running};
use crate::{random::Random, shell};

/// Longest time from the end of an action with the pointer to a kill, in seconds. Longer: more of the kills
/// find the studio at rest.
const WITHIN: f64 = 0.3;

/// Kills the studio `kills` times. Returns how many of the kills left changes behind.
pub(super) fn run(stage: &Stage<'_>, kills: usize, random: &mut Random) -> Result<usize, String> {
    let states = states(stage)?;
    let mut left_changes = 0;
    for kill in 0..kills {
        let folder = stage.fresh(&format!("kill-{kill}"))?;
        let before = random.below(ACTIONS.len());
        let moment = Duration::from_secs_f64(WITHIN * random.unit());
        let what = format!(
            "kill {} of {kills}, {:.0} ms after action {}",
            kill + 1,
            moment.as_secs_f64() * 1e3,
            before + 1
        );
        let recovered =
            one(stage, &folder, before, moment).map_err(|why| format!("{what}: {why}"))?;
        left_changes += usize::from(recovered.is_some());
        let recovered = recovered.unwrap_or_else(|| states[0].clone());
        if ![before, before + 1].iter().any(|state| states[*state] == recovered) {
            let file = folder.join("recovered.lariat");
            let _ = fs::write(&file, recovered);
            return Err(format!("{what}: {} is not the last state", file.display()));
        }
        println!("{what}: recovered");
    }
    Ok(left_changes)
}

/// The document before and after each action, saved by an undisturbed run.
fn states(stage: &Stage<'_>) -> Result<Vec<String>, String> {
    let folder = stage.fresh("undisturbed")?;
    let place = folder.join(DOCUMENT);
    let read = || fs::read_to_string(&place).map_err(|error| error.to_string());
    let mut studio = stage.open(&folder)?;
    let mut states = vec![read()?];
    for action in ACTIONS {
        studio.act(action)?;
        studio.act("key ctrl+s")?;
        states.push(read()?);
    }
    match states.windows(2).position(|pair| pair[0] == pair[1]) {
        None => Ok(states),
        Some(action) => Err(format!("`{}` changed nothing", ACTIONS[action])),
    }
}

/// Edits, kills, and returns what the next start recovers.
fn one(
    stage: &Stage<'_>,
    folder: &Path,
    before: usize,
    moment: Duration,
) -> Result<Option<String>, String> {
    let mut studio: Running<'_> = stage.open(folder)?;
    for action in &ACTIONS[..before] {
        studio.act(action)?;
    }
    studio.display.act(ACTIONS[before])?;
    sleep(moment);
    studio.kill();
    // Buttons and keys of an action that was cut off.
    stage.display.act("mouseup 1 keyup ctrl")?;
    let mut recover = Command::new(&stage.studio);
    recover
        .arg("--recover")
        .arg(folder.join("recovered"))
        .env("XDG_STATE_HOME", folder.join("state"));
    fs::create_dir_all(folder.join("recovered")).map_err(|error| error.to_string())?;
    let saved: Vec<PathBuf> = shell::read(&mut recover)?.lines().map(PathBuf::from).collect();
    match &*saved {
        [] => Ok(None),
        [one] => fs::read_to_string(one).map(Some).map_err(|error| error.to_string()),
        many => Err(format!("{} documents were left behind", many.len())),
    }
}
