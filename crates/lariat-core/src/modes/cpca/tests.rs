//! Modes compared with closed forms and a dense decomposition; invalid input.

use std::f64::consts::{PI, TAU};

use super::*;
use crate::modes::Pole;
use crate::num::ops;

const CONTINUE: fn(f64) -> ControlFlow<()> = |_| ControlFlow::Continue(());

/// Rows of a motion given by frame and coordinate.
fn rows(frames: usize, width: usize, at: impl Fn(f64, usize) -> f64) -> Vec<f64> {
    (0..frames * width).map(|i| at((i / width) as f64, i % width)).collect()
}

fn decompose(rows: &[f64], width: usize, hilbert: &Hilbert, count: usize) -> Analysis {
    analyse(rows, width, hilbert, ModeCount::Count(count), &mut { CONTINUE }).unwrap()
}

/// The phases of a mode along its coordinates, without jumps.
fn phases(mode: &Component) -> Vec<f64> {
    let mut last = 0.0;
    let unwrap = |w: &Complex64| {
        let phase = complex::arg(*w);
        last = phase + TAU * ((last - phase) / TAU).round();
        last
    };
    mode.weights.iter().map(unwrap).collect()
}

#[test]
fn a_travelling_wave_is_one_mode_with_the_right_direction() {
    // Towards larger p for k > 0; heights fall along the rope. Few coordinates, and many.
    let height = |p: usize| 1.5 - 0.01 * p as f64;
    for (k, width) in [(0.12, 40), (-0.3, 40), (0.12, 130), (-0.3, 130)] {
        for (hilbert, frames, w) in
            [(Hilbert::filter(31), 160, 0.5), (Hilbert::periodic(88), 88, TAU * 7.0 / 88.0)]
        {
            let wave = |t: f64, p: usize| 2.0 + height(p) * ops::cos(w * t - k * p as f64);
            let analysis = decompose(&rows(frames, width, wave), width, &hilbert, 4);
            let mode = &analysis.modes[0];
            assert!(mode.share > 0.999, "{}", mode.share);
            let phases = phases(mode);
            for p in 1..width {
                let slope = phases[p] - phases[p - 1];
                assert!((slope + k).abs() < 2e-3, "{slope} for {} at {p}", -k);
                let ratio = complex::abs(mode.weights[p]) / complex::abs(mode.weights[0]);
                assert!((ratio - height(p) / height(0)).abs() < 5e-3, "{ratio} at {p}");
            }
            let pole = Pole::fit(&mode.coefficients, 1.0).unwrap();
            assert!((pole.hertz * TAU - w).abs() < 1e-4, "{pole:?}");
        }
    }
}

#[test]
fn a_standing_wave_has_one_phase() {
    let width = 30;
    let shape = |p: usize| ops::sin(PI * p as f64 / 12.0);
    let standing = |t: f64, p: usize| shape(p) * ops::cos(0.4 * t + 0.9);
    let analysis = decompose(&rows(140, width, standing), width, &Hilbert::filter(31), 3);
    let mode = &analysis.modes[0];
    assert!(mode.share > 0.9999, "{}", mode.share);
    // The gauge makes it real; the largest entry is positive, the other half wave negative.
    let largest = mode.weights.iter().fold(0.0, |m: f64, w| m.max(w.re.abs()));
    let positive = mode.weights.iter().any(|w| w.re >= largest * (1.0 - 1e-9));
    assert!(positive, "{:?}", mode.weights);
    for (p, w) in mode.weights.iter().enumerate() {
        assert!(w.im.abs() < 1e-12, "{w} at {p}");
        assert!((w.re / largest - shape(p)).abs() < 1e-9, "{w} at {p}");
    }
}

#[test]
fn a_decaying_oscillation_gives_its_pole() {
    let (w, d, width) = (0.35, 0.004, 25);
    let swing =
        |t: f64, p: usize| (1.0 + p as f64) * ops::exp(-d * t) * ops::cos(w * t - 0.1 * p as f64);
    let analysis = decompose(&rows(302, width, swing), width, &Hilbert::filter(31), 1);
    let pole = Pole::fit(&analysis.modes[0].coefficients, 1.0).unwrap();
    let (found_w, found_d) = (pole.hertz * TAU, pole.decay);
    assert!((found_w - w).abs() < 6e-6, "{found_w}");
    assert!((found_d - d).abs() < 6e-6, "{found_d}");
}

#[test]
fn two_oscillations_are_separated() {
    // Two orthogonal shapes, one travelling and one standing, at two frequencies.
    let width = 60;
    let one = |p: usize| complex::cis(-TAU * 2.0 * p as f64 / width as f64);
    let two = |p: usize| Complex64::new(ops::sin(TAU * 5.0 * p as f64 / width as f64), 0.0);
    let motion = |t: f64, p: usize| {
        (one(p) * complex::cis(0.3 * t)).re + 0.4 * (two(p) * complex::cis(0.8 * t + 0.5)).re
    };
    // Long enough for the two to be uncorrelated.
    let analysis = decompose(&rows(700, width, motion), width, &Hilbert::filter(41), 4);
    for (mode, shape, w) in [
        (&analysis.modes[0], &one as &dyn Fn(usize) -> Complex64, 0.3),
        (&analysis.modes[1], &two, 0.8),
    ] {
        let along: Complex64 =
            mode.weights.iter().enumerate().map(|(p, w)| w * shape(p).conj()).sum();
        let norm: f64 = (0..width).map(|p| shape(p).norm_sqr()).sum();
        assert!(along.norm_sqr() / norm > 0.9999, "{} of the shape", along.norm_sqr() / norm);
        let pole = Pole::fit(&mode.coefficients, 1.0).unwrap();
        assert!((pole.hertz * TAU - w).abs() < 1e-3, "{pole:?} for {w}");
    }
    assert!(analysis.modes[1].residual < 0.01, "{}", analysis.modes[1].residual);
}

/// Pseudo-random numbers, smooth in time.
fn smooth_noise(frames: usize, width: usize) -> Vec<f64> {
    rows(frames, width, |t, p| {
        (1..6)
            .map(|m| {
                let (m, p) = (f64::from(m), p as f64);
                ops::cos((0.25 + 0.19 * m) * t + 1.7 * m * p + ops::sin(p * m))
                    * ops::exp(-0.7 * m)
                    * (1.0 + ops::cos(2.1 * p + m))
            })
            .sum()
    })
}

/// Singular values and right vectors of `X` by one-sided Jacobi rotations of its columns.
fn dense(mut columns: Vec<Vec<Complex64>>) -> Vec<(f64, Vec<Complex64>)> {
    let n = columns.len();
    let mut v: Vec<Vec<Complex64>> = (0..n)
        .map(|i| (0..n).map(|j| if i == j { Complex64::ONE } else { Complex64::ZERO }).collect())
        .collect();
    for _ in 0..30 {
        for p in 0..n {
            for q in p + 1..n {
                let a: f64 = columns[p].iter().map(Complex64::norm_sqr).sum();
                let b: f64 = columns[q].iter().map(Complex64::norm_sqr).sum();
                let dot: Complex64 =
                    columns[p].iter().zip(&columns[q]).map(|(x, y)| x.conj() * y).sum();
                let size = complex::abs(dot);
                // Columns of rounding errors are left alone.
                if size <= 1e-16 * (a * b).sqrt() + 1e-30 {
                    continue;
                }
                let phase = dot / size;
                let zeta = (b - a) / (2.0 * size);
                let tan = 1.0_f64.copysign(zeta) / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let cos = 1.0 / (1.0 + tan * tan).sqrt();
                let sin = cos * tan;
                for set in [&mut columns, &mut v] {
                    let (left, right) = set.split_at_mut(q);
                    for (x, y) in left[p].iter_mut().zip(&mut right[0]) {
                        let (old_x, old_y) = (*x, *y * phase.conj());
                        *x = old_x * cos - old_y * sin;
                        *y = old_x * sin + old_y * cos;
                    }
                }
            }
        }
    }
    let norm = |c: &Vec<Complex64>| c.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt();
    let mut all: Vec<_> = columns.iter().map(norm).zip(v).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all
}

#[test]
fn both_matrices_agree_with_a_dense_decomposition() {
    // Few coordinates: `Xᴴ X`. Many: `X Xᴴ`.
    for (frames, width) in [(90, 12), (75, 66)] {
        for hilbert in [Hilbert::filter(15), Hilbert::periodic(frames)] {
            let rows = smooth_noise(frames, width);
            let kept = hilbert.kept(frames);
            let analysis = decompose(&rows, width, &hilbert, 5);
            let mut other = Vec::new();
            hilbert.rows(&rows, width, &mut other);
            let columns = (0..width).map(|p| {
                let at = |t: usize| {
                    let re = rows[(t + hilbert.margin()) * width + p] - analysis.mean[p];
                    Complex64::new(re, other[t * width + p])
                };
                (0..kept).map(at).collect::<Vec<_>>()
            });
            let columns: Vec<_> = columns.collect();
            let energy: f64 = columns.iter().flatten().map(Complex64::norm_sqr).sum();
            assert!((analysis.energy / energy - 1.0).abs() < 1e-12);
            for (mode, (sigma, v)) in analysis.modes.iter().zip(dense(columns.clone())) {
                assert!((mode.sigma / sigma - 1.0).abs() < 1e-10, "{} for {sigma}", mode.sigma);
                assert!((mode.share - sigma * sigma / energy).abs() < 1e-12);
                // W = vᴴ but for a phase, and c = X v with the opposite one.
                let turn: Complex64 = mode.weights.iter().zip(&v).map(|(w, v)| w * v).sum();
                assert!((complex::abs(turn) - 1.0).abs() < 1e-10, "{turn}");
                for (w, v) in mode.weights.iter().zip(&v) {
                    assert!(complex::abs(w - v.conj() * turn) < 1e-8, "{w}");
                }
                for (t, c) in mode.coefficients.iter().enumerate() {
                    let xv: Complex64 = columns.iter().zip(&v).map(|(x, v)| x[t] * v).sum();
                    assert!(complex::abs(c - xv * turn.conj()) < 1e-8 * sigma, "{c} at {t}");
                }
            }
        }
    }
}

#[test]
fn the_error_estimate_holds() {
    let (frames, width) = (400, 30);
    let rows = smooth_noise(frames, width);
    for (hilbert, close) in [(Hilbert::periodic(frames), 0.12), (Hilbert::filter(31), 0.12)] {
        let analysis = decompose(&rows, width, &hilbert, 4);
        let rebuilt = |t: usize, p: usize, modes: usize| {
            let used = analysis.modes[..modes].iter();
            analysis.mean[p]
                + used.map(|mode| (mode.coefficients[t] * mode.weights[p]).re).sum::<f64>()
        };
        for modes in 1..=4 {
            let mut sum = 0.0;
            for t in 0..hilbert.kept(frames) {
                for p in 0..width {
                    let gap = rows[(t + hilbert.margin()) * width + p] - rebuilt(t, p, modes);
                    sum += gap * gap;
                }
            }
            let measured = analysis.modes[modes - 1].residual;
            let direct = sum.sqrt() / analysis.size;
            assert!((measured - direct).abs() < 1e-12, "{measured} for {direct}");
            let estimate = analysis.estimate(modes);
            assert!((estimate / direct - 1.0).abs() < close, "{estimate} for {direct}");
        }
    }
}

#[test]
fn the_phase_of_a_mode_is_fixed() {
    for mode in decompose(&smooth_noise(100, 20), 20, &Hilbert::filter(15), 4).modes {
        let sum: Complex64 = mode.weights.iter().map(|w| w * w).sum();
        assert!(sum.im.abs() < 1e-14 && sum.re > 0.0, "{sum}");
        let largest = mode.weights.iter().max_by(|a, b| a.re.abs().total_cmp(&b.re.abs())).unwrap();
        assert!(largest.re > 0.0, "{largest}");
        let norm: f64 = mode.weights.iter().map(Complex64::norm_sqr).sum();
        assert!((norm - 1.0).abs() < 1e-12, "{norm}");
    }
    // For a wave that travels around a ring `Σ W²` vanishes; the first weight is made real.
    let ring = rows(48, 12, |t, p| ops::cos_turns(t / 16.0 - p as f64 / 12.0));
    let mode = &decompose(&ring, 12, &Hilbert::periodic(48), 1).modes[0];
    assert!(mode.weights[0].im.abs() < 1e-14 && mode.weights[0].re > 0.0, "{}", mode.weights[0]);
}

#[test]
fn a_share_selects_as_many_modes_as_it_needs() {
    let rows = smooth_noise(120, 20);
    let all = decompose(&rows, 20, &Hilbert::filter(15), 20);
    for share in [0.5, 0.9, 0.99, 1.0] {
        let some =
            analyse(&rows, 20, &Hilbert::filter(15), ModeCount::Share(share), &mut { CONTINUE });
        let some = some.unwrap().modes;
        let explained = |modes: usize| all.modes[..modes].iter().map(|m| m.share).sum::<f64>();
        assert!(explained(some.len()) >= share - 1e-12, "{share}: {}", some.len());
        assert!(some.len() == all.modes.len() || explained(some.len() - 1) < share, "{share}");
    }
}

#[test]
fn a_constant_motion_has_no_modes() {
    for (frames, width) in [(60, 3), (60, 90)] {
        let still = rows(frames, width, |_, p| 0.1 + p as f64 / 3.0);
        let analysis = decompose(&still, width, &Hilbert::filter(11), 4);
        assert_eq!((analysis.modes.len(), analysis.size), (0, 0.0));
        assert_eq!(analysis.mean, still[..width]);
        assert_eq!(analysis.estimate(0), 0.0);
        // Rounding is not motion.
        let shaken: Vec<f64> =
            still.iter().enumerate().map(|(i, x)| x * (1.0 + 1e-16 * (i % 7) as f64)).collect();
        assert_eq!(decompose(&shaken, width, &Hilbert::filter(11), 4).modes, []);
    }
}

#[test]
fn one_point_has_a_mode() {
    let circle = rows(80, 3, |t, p| match p {
        0 => ops::cos(0.5 * t),
        1 => ops::sin(0.5 * t),
        _ => 1.0,
    });
    let analysis = decompose(&circle, 3, &Hilbert::filter(15), 8);
    let mode = &analysis.modes[0];
    assert!(mode.share > 0.999 && mode.weights[2].norm_sqr() < 1e-30, "{mode:?}");
    // Y follows X a quarter of a turn later.
    let lag = complex::arg(mode.weights[1] / mode.weights[0]);
    assert!((lag + PI / 2.0).abs() < 0.01, "{lag}");
}

#[test]
fn invalid_input_is_refused_with_a_reason() {
    let ask = |rows: &[f64], width: usize, k: usize, mode_count: ModeCount| {
        analyse(rows, width, &Hilbert::filter(k), mode_count, &mut { CONTINUE }).unwrap_err()
    };
    let one = ModeCount::Count(1);
    assert_eq!(ask(&[], 3, 5, one).to_string(), "the motion is empty: 0 frames of 3 coordinates");
    assert_eq!(
        ask(&smooth_noise(12, 2), 2, 5, one).to_string(),
        "12 frames are too few: the filter drops 5 at each end and needs 3 more; record 13 or more, \
         raise the lowest frequency, or mark the motion as a loop"
    );
    decompose(&smooth_noise(13, 2), 2, &Hilbert::filter(5), 1);
    let mut broken = smooth_noise(20, 4);
    broken[17] = f64::NAN;
    assert_eq!(
        ask(&broken, 4, 3, one).to_string(),
        "coordinate 1 in row 4 is NaN; expected a finite number"
    );
    assert!(matches!(ask(&[1e200; 60], 3, 3, one), AnalysisError::TooLarge { .. }));
    assert_eq!(ask(&smooth_noise(20, 4), 4, 3, ModeCount::Count(0)), AnalysisError::NoModes);
    for share in [0.0, -1.0, 1.5] {
        assert_eq!(
            ask(&smooth_noise(20, 4), 4, 3, ModeCount::Share(share)),
            AnalysisError::InvalidShare { share }
        );
    }
    assert!(matches!(
        ask(&smooth_noise(20, 4), 4, 3, ModeCount::Share(f64::NAN)),
        AnalysisError::InvalidShare { .. }
    ));
}

#[test]
fn the_analysis_reports_progress_and_can_be_stopped() {
    for (frames, width) in [(120, 30), (120, 400)] {
        let rows = smooth_noise(frames, width);
        let mut seen = Vec::new();
        let mut note = |done: f64| {
            seen.push(done);
            ControlFlow::Continue(())
        };
        analyse(&rows, width, &Hilbert::filter(15), ModeCount::Count(3), &mut note).unwrap();
        assert!(seen.is_sorted() && seen.iter().all(|d| (0.0..=1.0).contains(d)), "{seen:?}");
        for stop in 0..seen.len() {
            let mut calls = 0;
            let mut stop_there = |_: f64| {
                calls += 1;
                if calls > stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let hilbert = Hilbert::filter(15);
            let stopped = analyse(&rows, width, &hilbert, ModeCount::Count(3), &mut stop_there);
            assert_eq!(stopped, Err(AnalysisError::Stopped), "at call {stop}");
        }
    }
}
