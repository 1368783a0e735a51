//! A ship with five thousand ropes, one frame at a time.

use std::hint::black_box;

use lariat_core::geometry::tube::Tube;
use lariat_eval::Moment;

use crate::scenes::{bound, ship};
use crate::table::{Table, median};

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool")
}

pub(crate) fn run(table: &mut Table) {
    let (one, two) = (pool(1), pool(2));
    for (keep, form) in [(false, "as published"), (true, "length-true")] {
        let scene = bound(&ship(5000, 48, 240, keep));
        let mut moment = Moment::default();
        let mut frame = 0.0;
        let mut next = |moment: &mut Moment| {
            frame += 1.0;
            scene.evaluate_into(frame, moment);
        };
        let name = |cores| format!("5,000 ropes x 48, swing and a wave, frames, {form}, {cores}");
        let alone =
            table.time(&name("one core"), 1.0, Some(8e-3), || one.install(|| next(&mut moment)));
        let both = table.time(&name("two cores"), 1.0, None, || two.install(|| next(&mut moment)));
        if let (Some(alone), Some(both)) = (alone, both) {
            table.row(
                &format!("  two cores over one, {form}"),
                &format!("{:.2}", both / alone),
                "near 0.5",
                None,
            );
        }
    }
    tessellate(table);
    growth(table, &one);
}

/// Surfaces of all ropes, one after the other in the same memory, as for a vertex buffer.
fn tessellate(table: &mut Table) {
    let name = "5,000 ropes x 48 tessellated, 12 sides, one core";
    if !table.wants(name) {
        return;
    }
    let moment = bound(&ship(5000, 48, 240, false)).evaluate(17.0);
    let mut tube = Tube::default();
    table.time(name, 1.0, Some(15e-3), || {
        for strand in moment.bodies.iter().flat_map(|body| &body.strands) {
            tube.rebuild(strand, 12, true);
            black_box(&tube);
        }
    });
}

/// Cost over ropes, samples and frames.
fn growth(table: &mut Table, one: &rayon::ThreadPool) {
    let runs = if table.quick() { 5 } else { 15 };
    if table.wants("growth") {
        let ropes = [1000, 2000, 4000, 8000].map(|ropes| {
            let scene = bound(&ship(ropes, 48, 240, true));
            let mut moment = Moment::default();
            (ropes as f64, median(runs, || one.install(|| scene.evaluate_into(17.0, &mut moment))))
        });
        table.growth("growth with ropes: 1,000, 2,000, 4,000, 8,000", &ropes);
        let samples = [48, 96, 192, 384].map(|samples| {
            let scene = bound(&ship(500, samples, 240, true));
            let mut moment = Moment::default();
            (
                samples as f64,
                median(runs, || one.install(|| scene.evaluate_into(17.0, &mut moment))),
            )
        });
        table.growth("growth with samples: 48, 96, 192, 384", &samples);
        let frames = [10, 20, 40, 80].map(|frames| {
            let scene = bound(&ship(300, 48, 240, true));
            let mut moment = Moment::default();
            let run = || {
                one.install(|| {
                    for frame in 1..=frames {
                        scene.evaluate_into(f64::from(frame), &mut moment);
                    }
                });
            };
            (f64::from(frames), median(runs, run))
        });
        table.growth("growth with frames: 10, 20, 40, 80", &frames);
    }
}
