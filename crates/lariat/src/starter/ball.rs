//! OBJ file of the starter document for a mesh.

use std::fmt::Write as _;

use lariat_core::num::ops;

/// Name of the file.
pub(super) const NAME: &str = "ball.obj";

/// Faces around the ball; half as many from pole to pole.
const AROUND: u32 = 32;

/// A ball of half a metre as OBJ, Z up, with a weight of 0 below to 1 above as its colour.
pub(super) fn text() -> String {
    let down = AROUND / 2;
    let mut out =
        "# A ball of half a metre; its colour is white above and black below.\n".to_owned();
    let mut point = |x: f64, y: f64, z: f64| {
        let grey = 0.5 + 0.5 * z;
        let _ = writeln!(
            out,
            "v {:.6} {:.6} {:.6} {grey:.4} {grey:.4} {grey:.4}",
            0.5 * x,
            0.5 * y,
            0.5 * z
        );
    };
    point(0.0, 0.0, 1.0);
    for i in 1..down {
        let angle = 0.5 * f64::from(i) / f64::from(down);
        let (s, c) = (ops::sin_turns(angle), ops::cos_turns(angle));
        for j in 0..AROUND {
            let turns = f64::from(j) / f64::from(AROUND);
            point(s * ops::cos_turns(turns), s * ops::sin_turns(turns), c);
        }
    }
    point(0.0, 0.0, -1.0);
    // Points count from 1.
    let at = |i: u32, j: u32| 2 + (i - 1) * AROUND + j % AROUND;
    let last = 2 + (down - 1) * AROUND;
    for j in 0..AROUND {
        let _ = writeln!(out, "f 1 {} {}", at(1, j), at(1, j + 1));
        for i in 1..down - 1 {
            let [a, b] = [at(i, j), at(i + 1, j)];
            let _ = writeln!(out, "f {a} {b} {} {}", at(i + 1, j + 1), at(i, j + 1));
        }
        let _ = writeln!(out, "f {} {last} {}", at(down - 1, j), at(down - 1, j + 1));
    }
    out
}
