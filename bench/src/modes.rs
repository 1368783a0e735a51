//! Mode analysis of recorded motion.

use std::hint::black_box;
use std::ops::ControlFlow;

use lariat_core::modes::cpca::{ModeCount, analyse};
use lariat_core::modes::hilbert::Hilbert;
use lariat_core::num::ops;

use crate::table::Table;

pub(crate) fn run(table: &mut Table) {
    for (kept, coordinates, margin) in [(240, 3000, 59), (240, 144, 59)] {
        let frames = kept + 2 * margin;
        let rows = sloshing(frames, coordinates);
        let hilbert = Hilbert::filter(margin);
        let name = format!("{kept} frames x {coordinates} coordinates into 8 modes, one core");
        let target = (coordinates == 3000).then_some(0.15);
        table.time(&name, 1.0, target, || {
            let mut go_on = |_| ControlFlow::Continue(());
            let count = ModeCount::Count(8);
            black_box(analyse(&rows, coordinates, &hilbert, count, &mut go_on).expect("finite"));
        });
    }
}

/// Twenty waves of different speeds, with a little noise.
fn sloshing(frames: usize, coordinates: usize) -> Vec<f64> {
    let mut rows = vec![0.0; frames * coordinates];
    for wave in 0..20 {
        let w = f64::from(wave);
        let (speed, length, height) = (0.02 + 0.013 * w, 0.001 * (w + 1.0), 1.0 / (1.0 + w));
        for (i, value) in rows.iter_mut().enumerate() {
            let (t, p) = ((i / coordinates) as f64, (i % coordinates) as f64);
            *value += height * ops::sin_turns(speed * t - length * p + 0.3 * w);
        }
    }
    for (i, value) in rows.iter_mut().enumerate() {
        *value += 0.01 * (((i * 2_654_435_761) % 10_007) as f64 / 10_007.0 - 0.5);
    }
    rows
}
