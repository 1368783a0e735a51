//! Wiggly channels as in documents: solved in continuous time, then evaluated at every frame.

use std::hint::black_box;

use lariat_core::motion::wiggly::{Knot, Setup, Spring, Wiggly};
use lariat_core::motion::{Channel, Key, Keys};

use crate::table::Table;

/// Frames of ten seconds.
const FRAMES: usize = 240;

pub(crate) fn run(table: &mut Table) {
    let many: Vec<_> = (0..1000).map(|i| channel(i, 9)).collect();
    let mut curves = vec![0.0; FRAMES * many.len()];
    let times: Vec<f64> = (0..10_000).map(|frame| f64::from(frame) / 24.0).collect();
    let read = |curve: &Wiggly<f64>, out: &mut [f64]| {
        for (out, value) in out.iter_mut().zip(curve.values_at(times.iter().copied())) {
            *out = value;
        }
    };
    table.time("wiggly: 1,000 complex channels x 240 frames", 1.0, Some(16e-3), || {
        for ((knots, spring), curve) in many.iter().zip(curves.chunks_exact_mut(FRAMES)) {
            let solved = solve(knots, spring);
            read(&solved, curve);
        }
        black_box(&curves);
    });
    let name = "wiggly: the same, solved only";
    table.time(name, 1.0, None, || {
        for (knots, spring) in &many {
            black_box(solve(knots, spring));
        }
    });
    let changing: Vec<_> = many.iter().map(|(knots, s)| (knots, keyed(s))).collect();
    let name = "wiggly: the same, frequency and decay keyed";
    table.time(name, 1.0, None, || {
        for ((knots, spring), curve) in changing.iter().zip(curves.chunks_exact_mut(FRAMES)) {
            read(&solve(knots, spring), curve);
        }
        black_box(&curves);
    });
    let (knots, spring) = channel(0, 350);
    let mut long = vec![0.0; 10_000];
    table.time("wiggly: one complex channel of 10,000 frames", 1.0, Some(1e-3), || {
        read(&solve(&knots, &spring), &mut long);
        black_box(&long);
    });
    let solved = solve(&many[0].0, &many[0].1);
    let mut curve = vec![0.0; FRAMES];
    let mut value = 0.0;
    table.time("wiggly: one knot moved, 240 frames read", 100.0, Some(20e-6), || {
        for _ in 0..100 {
            value += 0.01;
            let (moved, _) = solved.with_value(3, value).expect("a finite value");
            read(&moved, &mut curve);
            black_box(&curve);
        }
    });
}

fn solve(knots: &[Knot<f64>], spring: &Spring) -> Wiggly<f64> {
    Wiggly::new(knots.to_vec(), Setup::new(spring.clone())).expect("knots in order")
}

/// Knots and a spring for each channel; a knot about every 1.2 seconds.
fn channel(number: usize, knots: usize) -> (Vec<Knot<f64>>, Spring) {
    let share = (number as f64 * 0.618).fract();
    let knot = |k: usize| {
        let time = k as f64 * 1.19 + 0.04 * ((number * 7 + k * 5) % 12) as f64;
        Knot::new(time, ((number * 13 + k * 29) % 101) as f64 / 50.0 - 1.0)
    };
    ((0..knots).map(knot).collect(), Spring::new(1.1 + 1.5 * share))
}

/// The same spring, twice as fast after ten seconds.
fn keyed(spring: &Spring) -> Spring {
    let hertz = spring.hertz.at(0.0);
    let keys = Keys::new(vec![Key::new(0.0, hertz), Key::new(10.0, 2.0 * hertz)]);
    Spring { hertz: Channel::from(keys.expect("two keys in order")), ..spring.clone() }
}
