//! Wiggly splines as published: many short ones, a long one, one moved knot; and the same systems
//! in `scipy`.
//!
//! `scipy` is measured twice: for solving the same banded matrices and right-hand sides
//! (`scipy.linalg.solveh_banded`, which calls LAPACK), and for the whole computation from knots to
//! curve, with the matrix assembled by `numpy`. The script (`bench/sampled.py`) reads the systems
//! from a file, times itself and writes its solutions, which must equal ours.

use std::ffi::OsStr;
use std::hint::black_box;
use std::path::Path;

use lariat_core::num::banded::{Factor, Symmetric};
use lariat_papers::kass::{
    BANDWIDTH, Form, Knot, OVERSHOOT_PENALTY_COMPLEX, Settings, Spline, Track, Tuning,
};

use crate::python;
use crate::table::{Table, median};

/// Tolerance between the solutions, relative to the height of a knot. Measured: 4e-10, consistent
/// with the condition of the systems in 16 digits. A larger tolerance would hide a different
/// system.
const SAME: f64 = 1e-7;

pub(crate) fn run(table: &mut Table) {
    let many: Vec<Track> = (0..1000).map(|i| channel(i, 240, 8)).collect();
    let mut spline = Spline::default();
    let mut curves = vec![0.0; 240 * many.len()];
    table.time("sampled: 1,000 complex channels x 240 samples", 1.0, Some(16e-3), || {
        for (track, curve) in many.iter().zip(curves.chunks_exact_mut(240)) {
            spline.rebuild(track).expect("a channel that can be solved");
            for (place, x) in curve.iter_mut().zip(spline.values()) {
                *place = x.re;
            }
        }
        black_box(&curves);
    });

    let changing: Vec<Track> = many.iter().map(changing).collect();
    let name = "sampled: the same, frequency and decay changing at every sample";
    table.time(name, 1.0, None, || {
        for (track, curve) in changing.iter().zip(curves.chunks_exact_mut(240)) {
            spline.rebuild(track).expect("a channel that can be solved");
            for (place, x) in curve.iter_mut().zip(spline.values()) {
                *place = x.re;
            }
        }
        black_box(&curves);
    });

    let long = channel(0, 10_000, 330);
    table.time("sampled: one complex channel of 10,000 samples", 1.0, Some(1e-3), || {
        spline.rebuild(&long).expect("a channel that can be solved");
        black_box(spline.values());
    });

    spline.rebuild(&many[0]).expect("a channel that can be solved");
    let mut value = 0.0;
    table.time("sampled: one knot moved, 240 complex samples", 100.0, Some(20e-6), || {
        for _ in 0..100 {
            value += 0.01;
            spline.move_knot(3, value).expect("a channel that can be solved");
            black_box(spline.values());
        }
    });

    if table.wants("sampled: SciPy") {
        let folder = std::env::temp_dir().join(format!("lariat-sampled-{}", std::process::id()));
        if std::fs::create_dir_all(&folder).is_err() {
            table.row("sampled: SciPy: no temporary folder", "", "", None);
            return;
        }
        scipy(table, "1,000 x 240", &many, &folder);
        scipy(table, "10,000", &[long], &folder);
        let _ = std::fs::remove_dir_all(&folder);
    }
}

/// A channel with its own tuning and knots.
fn channel(number: usize, samples: usize, knots: usize) -> Track {
    let share = (number as f64 * 0.618).fract();
    let tuning = Tuning { omega: 0.3 + 0.4 * share, decay: 0.01 + 0.03 * share };
    let mut track = Track::new(samples, tuning, Settings::new(Form::COMPLEX));
    let gap = samples / (knots + 1);
    track.knots = (1..=knots)
        .map(|k| {
            let at = k * gap + (number * 7 + k * 5) % (gap / 2);
            let value = ((number * 13 + k * 29) % 101) as f64 / 50.0 - 1.0;
            Knot::new(at as f64, value)
        })
        .collect();
    track
}

/// The same channel with frequency and decay that differ at every sample.
fn changing(track: &Track) -> Track {
    let mut track = track.clone();
    let Tuning { omega, decay } = track.tunings[0];
    track.tunings = (0..track.samples)
        .map(|i| {
            let more = 1.0 + i as f64 / track.samples as f64;
            Tuning { omega: omega * more, decay: decay * more }
        })
        .collect();
    track
}

/// Times the systems of some channels in both programs, and compares the solutions.
fn scipy(table: &mut Table, size: &str, tracks: &[Track], folder: &Path) {
    let mut spline = Spline::default();
    let mut systems: Vec<(Symmetric<5>, Vec<f64>)> = Vec::new();
    for track in tracks {
        spline.rebuild(track).expect("a channel that can be solved");
        let (matrix, right) = spline.normal_equations().expect("a channel with short gaps");
        systems.push((matrix.clone(), right));
    }
    let runs = if table.quick() { 5 } else { 15 };
    let mut factor = Factor::default();
    let mut ours: Vec<Vec<f64>> = systems.iter().map(|(_, right)| right.clone()).collect();
    let solve = median(runs, || {
        for ((matrix, right), x) in systems.iter().zip(&mut ours) {
            x.copy_from_slice(right);
            factor.build_and_solve(matrix, x).expect("a definite matrix");
        }
        black_box(&ours);
    });
    let whole = median(runs, || {
        for track in tracks {
            spline.rebuild(track).expect("a channel that can be solved");
            black_box(spline.values());
        }
    });

    let answer = match ask(tracks, &systems, folder, runs) {
        Ok(answer) => answer,
        Err(why) => {
            table.row(&format!("sampled: SciPy on {size}: {why}"), "", "", None);
            return;
        }
    };
    let off = ours
        .iter()
        .flatten()
        .zip(&answer.solutions)
        .map(|(ours, theirs)| (ours - theirs).abs())
        .fold(0.0, f64::max);
    let same = off <= SAME && answer.solutions.len() == ours.iter().map(Vec::len).sum::<usize>();
    let name = format!("sampled: SciPy's solutions of {size}, largest difference from ours");
    table.row(&name, &format!("{off:.1e}"), &format!("{SAME:.0e}"), Some(same));
    for (what, ours, theirs) in [
        ("the same matrices solved", solve, answer.solve),
        ("from knots to curve", whole, answer.whole),
    ] {
        let row = format!("sampled: SciPy's time over ours, {what}, {size}");
        let times =
            format!("{:.1} ({:.2} ms over {:.2} ms)", theirs / ours, theirs * 1e3, ours * 1e3);
        table.row(&row, &times, "5", Some(theirs / ours >= 5.0));
    }
}

/// Output of the script.
struct Answer {
    /// Median seconds for all systems, given the matrices.
    solve: f64,
    /// Median seconds for all systems, given the knots.
    whole: f64,
    /// All unknowns of all systems, found from the knots.
    solutions: Vec<f64>,
}

/// Passes the systems to `sampled.py` as numbers, in the order that the script reads.
fn ask(
    tracks: &[Track],
    systems: &[(Symmetric<5>, Vec<f64>)],
    folder: &Path,
    runs: usize,
) -> Result<Answer, String> {
    let (samples, knots) = (tracks[0].samples, tracks[0].knots.len());
    let mut numbers = vec![
        tracks.len() as f64,
        samples as f64,
        knots as f64,
        BANDWIDTH,
        OVERSHOOT_PENALTY_COMPLEX,
    ];
    for (track, (matrix, right)) in tracks.iter().zip(systems) {
        numbers.extend([track.tunings[0].omega, track.tunings[0].decay]);
        numbers.extend(track.knots.iter().flat_map(|knot| [knot.at, knot.value]));
        // LAPACK's lower form: diagonal by diagonal, each from the first column on.
        numbers.extend(matrix.rows.iter().map(|row| row.diagonal));
        for k in 0..5 {
            numbers.extend(matrix.rows.iter().skip(k + 1).map(|row| row.below[k]));
            numbers.extend(std::iter::repeat_n(0.0, k + 1));
        }
        numbers.extend(right);
    }
    let (question, reply) = (folder.join("systems.f64"), folder.join("solutions.f64"));
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    std::fs::write(&question, bytes).map_err(|error| error.to_string())?;
    let runs = runs.to_string();
    let asked = [question.as_os_str(), reply.as_os_str(), OsStr::new(&runs)];
    let words = python::ask("sampled.py", "scipy", &asked)?;
    let mut seconds = words.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    let (Some(solve), Some(whole)) = (seconds.next(), seconds.next()) else {
        return Err(format!("unexpected output: {words}"));
    };
    let bytes = std::fs::read(&reply).map_err(|error| error.to_string())?;
    let (numbers, _) = bytes.as_chunks::<8>();
    let solutions = numbers.iter().map(|number| f64::from_le_bytes(*number)).collect();
    Ok(Answer { solve, whole, solutions })
}
