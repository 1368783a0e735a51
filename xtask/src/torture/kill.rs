//! Kills a command at a random moment, and runs it again.
//!
//! After the kill, every file with a final name is as before or complete. After the second run, the
//! folder holds the same bytes as after an undisturbed run, and nothing else.

use std::{thread::sleep, time::Duration};

use super::{
    job::{Bench, Files, JOBS, Job, difference, files, grows, write},
    report::Report,
};

use crate::random::Random;

/// Content of older files that a run replaces.
const OLD: &[u8] = b"older\n";

/// Share of the kills that are aimed at the last tenth of a run, where files get their final names.
const AT_THE_END: f64 = 0.4;

/// Kills each kind of command `kills` times.
pub(super) fn run(
    bench: &Bench,
    kills: usize,
    random: &mut Random,
    report: &mut Report,
) -> Result<(), String> {
    for (kind, jobs) in JOBS {
        report.begin(&format!("kill {kind}"));
        let references: Vec<_> =
            jobs.iter().map(|job| bench.reference(job)).collect::<Result<_, _>>()?;
        for kill in 0..kills {
            let which = kill % jobs.len();
            let (job, (reference, took)) = (&jobs[which], &references[which]);
            let u = random.unit();
            let u = if random.unit() < AT_THE_END { 0.9 + 0.2 * u } else { u };
            let has_older = job.replaces && random.unit() < 0.5;
            one(bench, job, (reference, took.mul_f64(u)), has_older, report)?;
        }
    }
    Ok(())
}

fn one(
    bench: &Bench,
    job: &Job,
    (reference, moment): (&Files, Duration),
    has_older: bool,
    report: &mut Report,
) -> Result<(), String> {
    let folder = bench.fresh("kill", job.document)?;
    let before = files(&folder)?;
    if has_older {
        for path in reference.keys().filter(|path| !before.contains_key(*path)) {
            write(&folder.join(path), OLD)?;
        }
    }
    let mut child = bench.start(&mut bench.command(&folder, job.arguments), "killed")?;
    sleep(moment);
    // A child that has ended already cannot be killed; its files are checked all the same.
    let _ = child.kill();
    let status = child.wait().map_err(|error| error.to_string())?;
    report.count(status.code().is_none());

    let what = format!("{}, killed after {:.1} ms", job.name, moment.as_secs_f64() * 1e3);
    for (path, bytes) in files(&folder)? {
        let is_whole = reference.get(&path) == Some(&bytes) || (has_older && bytes == OLD);
        if reference.contains_key(&path) && !is_whole && !grows(&path) {
            report.failure(&what, &format!("`{path}` is partial: {} bytes", bytes.len()), &folder);
        }
    }
    let ran = bench.run(&mut bench.command(&folder, job.arguments))?;
    if ran.code != Some(0) {
        report.failure(&what, &format!("the next run fails: {}", ran.err.trim_end()), &folder);
    } else if let Some(text) = difference(&files(&folder)?, reference) {
        report.failure(&what, &format!("after the next run, {text}"), &folder);
    }
    Ok(())
}
