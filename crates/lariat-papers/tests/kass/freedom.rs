//! Free motion: degrees of freedom, too few knots, redundant knots, and the time before the first
//! knot.

use std::f64::consts::PI;

use lariat_core::num::{complex, ops};
use lariat_papers::kass::{Filter, Form, OVERSHOOT_PENALTY_COMPLEX, Settings, Spline, Tuning};
use num_complex::Complex64;

use super::{ALL_FORMS, apart, every, height, real_parts, solved, track};

/// Dimension of free motion when some unknowns are fixed at zero: unknowns minus the rank of the
/// rows, by elimination with full pivoting.
fn free_dimensions(filter: Filter, samples: usize, parts: usize, held: &[usize]) -> usize {
    let unknowns: Vec<usize> = (0..samples * parts).filter(|u| !held.contains(u)).collect();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for i in 1..samples - 1 {
        for part in 0..parts {
            let mut row = vec![0.0; samples * parts];
            for (j, c) in [(i - 1, -filter.b), (i, -filter.a), (i + 1, Complex64::ONE)] {
                row[j * parts] = if part == 0 { c.re } else { c.im };
                if parts == 2 {
                    row[j * parts + 1] = if part == 0 { -c.im } else { c.re };
                }
            }
            rows.push(unknowns.iter().map(|u| row[*u]).collect());
        }
    }
    let mut rank = 0;
    let mut open: Vec<usize> = (0..unknowns.len()).collect();
    while rank < rows.len() {
        let best = (rank..rows.len())
            .flat_map(|i| open.iter().enumerate().map(move |(k, j)| (i, k, *j)))
            .max_by(|a, b| rows[a.0][a.2].abs().total_cmp(&rows[b.0][b.2].abs()));
        let Some((i, k, j)) = best.filter(|(i, _, j)| rows[*i][*j].abs() > 1e-9) else { break };
        rows.swap(rank, i);
        open.swap_remove(k);
        let pivot = rows[rank].clone();
        for row in &mut rows[rank + 1..] {
            let factor = row[j] / pivot[j];
            row.iter_mut().zip(&pivot).for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
        rank += 1;
    }
    unknowns.len() - rank
}

#[test]
fn each_knot_removes_one_degree_of_freedom() {
    let tuning = Tuning { omega: 0.4, decay: 0.02 };
    let complex = Filter::complex(tuning.pole(), tuning.pole(), 0.05);
    let knots = [4, 9, 15, 22];
    for count in 0..=4 {
        let held: Vec<usize> = knots[..count].iter().map(|j| 2 * j).collect();
        assert_eq!(free_dimensions(complex, 30, 2, &held), 4 - count);
        let held = &knots[..count.min(2)];
        assert_eq!(free_dimensions(Filter::real(tuning), 30, 1, held), 2 - held.len());
    }
    // Two knots half a period apart count as one.
    let half = Filter::real(Tuning { omega: PI / 10.0, decay: 0.0 });
    assert_eq!(free_dimensions(half, 30, 1, &[0, 10]), 1);
    assert_eq!(free_dimensions(half, 30, 1, &[0, 9]), 0);
    // The objective is zero up to as many knots as degrees of freedom, and positive beyond.
    for (form, free) in [(Form::COMPLEX, 4), (Form::Real, 2)] {
        for count in 1..=5 {
            let values = [1.0, -0.4, 0.9, 0.3, -0.8];
            let knots = every(6, 4, &values[..count]);
            let spline = solved(&track(40, (0.4, 0.02), Settings::published(form), &knots));
            let cost = spline.objective();
            assert_eq!(cost > 1e-12, count > free, "{form:?}, {count} knots: {cost:e}");
        }
    }
}

#[test]
fn one_knot_is_an_oscillation_that_peaks_there() {
    for form in [Form::Real, Form::COMPLEX, Form::Differences, Form::Natural] {
        let settings = Settings::published(form);
        let spline = solved(&track(61, (0.4, 0.0), settings, &[(30.0, 1.5)]));
        assert_eq!(spline.values()[30].re, 1.5);
        assert!(height(&spline) < 1.5 + 5e-3, "{form:?}: {}", height(&spline));
        assert!(spline.objective() < 1e-18, "{:e}", spline.objective());
        // The phasor is real there, and turns by ω per sample.
        let theta = match form {
            Form::Differences => 2.0 * ops::acos((1.0f64 - 0.04).sqrt()),
            _ => 0.4,
        };
        for i in [28, 29, 31, 32] {
            let expected = 1.5 * ops::cos(theta * (i as f64 - 30.0));
            assert!((spline.values()[i].re - expected).abs() < 0.02, "{form:?}, sample {i}");
        }
    }
}

#[test]
fn without_resonance_one_knot_is_a_constant_and_two_are_a_line() {
    for form in ALL_FORMS {
        let settings = Settings { start_at_rest: false, ..Settings::new(form) };
        let one = solved(&track(50, (0.0, 0.0), settings, &[(12.0, 0.7)]));
        assert!(apart(&real_parts(&one), &[0.7; 50]) < 1e-12, "{form:?}");
        let two = solved(&track(50, (0.0, 0.0), settings, &[(10.0, 1.0), (30.0, 2.0)]));
        let line: Vec<f64> = (0..50).map(|i| 0.5 + f64::from(i) * 0.05).collect();
        assert!(apart(&real_parts(&two), &line) < 1e-10, "{form:?}");
    }
}

#[test]
fn knots_half_a_period_apart_are_refused_without_penalty() {
    let published = Settings::published(Form::Real);
    let knots = [(0.0, 0.0), (10.0, 1.0)];
    let error = Spline::new(&track(41, (PI / 10.0, 0.0), published, &knots)).unwrap_err();
    assert!(error.to_string().contains("set an overshoot penalty"), "{error}");
    let penalised = Settings { overshoot_penalty: 1e-5, ..published };
    assert!(height(&solved(&track(41, (PI / 10.0, 0.0), penalised, &knots))) <= 1.0);
}

#[test]
fn the_penalty_bounds_knots_half_a_period_apart() {
    // Real, ω off by 0.1 %: the height is 1/sin(10 ω). With the penalty it is 1.06 for 200 samples,
    // 1.19 for 100 and 1.00 for 480, since the penalty on free motion grows with its length.
    let published = Settings::published(Form::Real);
    let tuning = (PI / 10.0 * 1.001, 0.0);
    let knots = [(0.0, 0.0), (10.0, 1.0)];
    let resonant = height(&solved(&track(201, tuning, published, &knots)));
    assert!((resonant - 318.31).abs() < 0.01, "{resonant}");
    assert!((resonant * ops::sin(10.0 * tuning.0).abs() - 1.0).abs() < 1e-4);
    let settings = Settings { overshoot_penalty: 1e-5, ..published };
    let penalised = height(&solved(&track(201, tuning, settings, &knots)));
    assert!((penalised - 1.06).abs() < 0.01, "{penalised}");

    // Complex, four knots 7 samples apart: the reference numbers are 425, 16 and 2.4; these values
    // give 453, 16.9 and 2.2.
    let published = Settings::published(Form::COMPLEX);
    let knots = every(7, 0, &[0.0, 1.0, -0.5, 0.5]);
    for (overshoot_penalty, expected) in
        [(0.0, 453.2), (1e-5, 16.92), (OVERSHOOT_PENALTY_COMPLEX, 2.184)]
    {
        let settings = Settings { overshoot_penalty, ..published };
        let height = height(&solved(&track(41, (0.4, 0.0), settings, &knots)));
        assert!((height / expected - 1.0).abs() < 1e-3, "{overshoot_penalty}: {height}");
    }
}

#[test]
fn the_penalty_hardly_changes_ordinary_curves() {
    let moved = |form, overshoot_penalty, gap: usize| {
        let published = Settings::published(form);
        let knots = every(gap, 0, &[0.2, 1.0, -0.5, 0.6, 0.1, -0.9, 0.4]);
        let solve = |settings| solved(&track(6 * gap + 1, (0.4, 0.02), settings, &knots));
        let plain = solve(published);
        let penalised = solve(Settings { overshoot_penalty, ..published });
        apart(&real_parts(&plain), &real_parts(&penalised)) / height(&plain)
    };
    // The reference number of the real form is 0.1 %. Those of the complex form are 0.3–2 % at 1e-5
    // and 3–15 % at 1e-4; these knots move by a tenth of that.
    for (form, penalty, most) in
        [(Form::Real, 1e-5, 1e-3), (Form::COMPLEX, 1e-5, 2e-3), (Form::COMPLEX, 1e-4, 0.02)]
    {
        for gap in [5, 10, 12] {
            let moved = moved(form, penalty, gap);
            assert!(moved > 0.0 && moved < most, "{form:?}, {penalty}, gap {gap}: {moved}");
        }
    }
}

#[test]
fn before_its_first_knot_a_damped_motion_grows() {
    // The amplitude grows by e^(d t): 403 times in 60 samples at d = 0.1. The reference number of
    // 490 compares two samples of different phase.
    let (omega, decay) = (0.4, 0.1);
    let knots = [(60.0, 1.0), (70.0, -0.5), (80.0, 0.4), (95.0, 0.2)];
    let free = solved(&track(120, (omega, decay), Settings::published(Form::Real), &knots));
    let amplitude = |i: usize| {
        let (here, next) = (free.values()[i].re, free.values()[i + 1].re);
        // x = Re(p λⁱ), so p λⁱ has this imaginary part.
        let imaginary = (here * ops::cos(omega) - next * ops::exp(decay)) / ops::sin(omega);
        complex::abs(Complex64::new(here, imaginary))
    };
    let growth = amplitude(0) / amplitude(59);
    assert!((growth / ops::exp(decay * 59.0) - 1.0).abs() < 1e-7, "{growth}");
    assert!(height(&free) > 400.0);
    for form in ALL_FORMS {
        let rested = solved(&track(120, (omega, decay), Settings::new(form), &knots));
        assert_eq!(rested.values()[..2], [Complex64::ZERO; 2]);
        assert!(height(&rested) < 2.0, "{form:?}: {}", height(&rested));
    }
}

#[test]
fn starting_at_rest_does_not_affect_a_knot_at_the_start() {
    for form in ALL_FORMS {
        let knots = [(0.0, 1.0), (20.0, 0.3), (31.0, 0.1)];
        let spline = solved(&track(50, (0.4, 0.02), Settings::new(form), &knots));
        assert_eq!(spline.values()[0].re, 1.0);
        let free = Settings { start_at_rest: false, ..Settings::new(form) };
        let same = solved(&track(50, (0.4, 0.02), free, &knots));
        assert_eq!(spline.values(), same.values());
    }
}

#[test]
fn after_its_last_knot_the_motion_rings_down() {
    let knots = every(8, 5, &[1.0, -0.3, 0.6]);
    for form in [Form::Real, Form::COMPLEX] {
        let settings = Settings { overshoot_penalty: 0.0, ..Settings::new(form) };
        let spline = solved(&track(120, (0.4, 0.05), settings, &knots));
        let late = &spline.residuals()[22..];
        assert!(late.iter().all(|r| r.norm_sqr() < 1e-18), "{form:?}");
        assert!(spline.values()[119].re.abs() < 0.1);
    }
}

#[test]
fn a_motion_that_overflows_is_refused() {
    let knots = [(900.0, 1.0), (901.0, 0.2)];
    let grown = Spline::new(&track(1000, (0.4, 1.0), Settings::published(Form::Real), &knots));
    assert!(grown.is_err());
    assert!(Spline::new(&track(1000, (0.4, 1.0), Settings::new(Form::Real), &knots)).is_ok());
}
