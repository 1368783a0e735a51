//! Several runs of the same `simulate` at the same time.
//!
//! All of them succeed: one records each take, the others wait for it and have nothing left to do.

use std::{thread::sleep, time::Duration};

use super::{
    job::{Bench, SIMULATE, difference, files},
    report::Report,
};

use crate::random::Random;

/// Starts two or three runs at once, or at random moments, `rounds` times.
pub(super) fn run(
    bench: &Bench,
    rounds: usize,
    random: &mut Random,
    report: &mut Report,
) -> Result<(), String> {
    report.begin("simulate together");
    let (reference, took) = bench.reference(&SIMULATE)?;
    for round in 0..rounds {
        let folder = bench.fresh("together", SIMULATE.document)?;
        let mut running = Vec::new();
        for k in 0..2 + round % 2 {
            let name = format!("together-{k}");
            let mut command = bench.command(&folder, SIMULATE.arguments);
            running.push((bench.start(&mut command, &name)?, name));
            let pause = if round < 2 { Duration::ZERO } else { took.mul_f64(0.8 * random.unit()) };
            sleep(pause);
        }
        let what = format!("{} runs at once", running.len());
        for (child, name) in running {
            let ran = bench.finish(child, &name)?;
            report.count(true);
            if ran.code != Some(0) {
                let text = format!("exit code {:?}: {}", ran.code, ran.err.trim_end());
                report.failure(&what, &text, &folder);
            }
        }
        if let Some(text) = difference(&files(&folder)?, &reference) {
            report.failure(&what, &text, &folder);
        }
    }
    Ok(())
}
