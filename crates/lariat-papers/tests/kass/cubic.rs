//! Cubic splines (no frequency, no decay), discrete and continuous, and long gaps.

use lariat_core::num::ops;
use lariat_papers::kass::{Form, Method, Settings, Spline};

use super::{ALL_FORMS, apart, every, height, real_parts, solved, track};

const DATA: [f64; 6] = [1.0, -0.5, 0.7, 0.2, -1.0, 0.4];

/// A cubic spline with natural ends through values `gap` samples apart, from its second derivatives
/// at the knots: the usual one, or the discrete one whose second *differences* are linear. The two
/// differ only in the equations for those derivatives: `gap² (M₋ + 4 M + M₊) = 6 Δ²v`, with
/// `gap² − 1` and `4 gap² + 2` for the discrete one.
fn cubic(gap: usize, values: &[f64], discrete: bool) -> Vec<f64> {
    let (h, n) = (gap as f64, values.len());
    let (side, middle) =
        if discrete { (h * h - 1.0, 4.0 * h * h + 2.0) } else { (h * h, 4.0 * h * h) };
    let (mut c, mut moments) = (vec![0.0; n], vec![0.0; n]);
    for i in 1..n - 1 {
        let right = 6.0 * (values[i - 1] - 2.0 * values[i] + values[i + 1]);
        let pivot = middle - side * c[i - 1];
        c[i] = side / pivot;
        moments[i] = (right - side * moments[i - 1]) / pivot;
    }
    for i in (1..n - 1).rev() {
        moments[i] -= c[i] * moments[i + 1];
    }
    let at = |k: usize| {
        let i = (k / gap).min(n - 2);
        let t = (k - i * gap) as f64;
        let (s, m0, m1) = (h - t, moments[i], moments[i + 1]);
        (m0 * s * s * s + m1 * t * t * t) / (6.0 * h)
            + (values[i] / h - m0 * h / 6.0) * s
            + (values[i + 1] / h - m1 * h / 6.0) * t
    };
    (0..=(n - 1) * gap).map(at).collect()
}

#[test]
fn without_resonance_every_form_is_a_cubic_spline_as_samples_become_dense() {
    // The reference number, 0.42 / gap² of the data, lies between the errors of smooth data and of
    // data that alternate at every knot.
    let alternating = [0.0, 1.0, -1.0, 1.0, -1.0, 1.0, 0.0];
    for (values, least, most) in [(&DATA[..], 0.25, 0.28), (&alternating[..], 0.62, 0.69)] {
        for gap in [5, 10, 20, 40] {
            let n = (values.len() - 1) * gap + 1;
            let reference = cubic(gap, values, false);
            for form in [Form::Real, Form::COMPLEX, Form::Differences] {
                let track = track(n, (0.0, 0.0), Settings::new(form), &every(gap, 0, values));
                let spline = solved(&track);
                let off = apart(&real_parts(&spline), &reference) * (gap * gap) as f64;
                assert!((least..most).contains(&off), "{form:?}, gap {gap}: {off} / gap²");
                let discrete = apart(&real_parts(&spline), &cubic(gap, values, true));
                assert!(discrete < 1e-11, "{form:?}, gap {gap}: {discrete:e}");
                assert!(spline.values().iter().all(|x| x.im == 0.0));
            }
        }
    }
}

#[test]
fn natural_form_vs_natural_cubic_spline() {
    for gap in [1, 2, 5, 10, 20] {
        let n = (DATA.len() - 1) * gap + 1;
        let track = track(n, (0.0, 0.0), Settings::new(Form::Natural), &every(gap, 0, &DATA));
        let off = apart(&real_parts(&solved(&track)), &cubic(gap, &DATA, false));
        assert!(off < 5e-14, "gap {gap}: {off:e}");
    }
}

#[test]
fn long_gaps_keep_their_digits_by_rows() {
    // Reference numbers of the normal equations: 3e-11, 7e-8 and 4e-6. Five knots give the same
    // powers of ten, slightly more at the last. Rows must keep 1e-9.
    for (gap, normal_loss) in [(100, 3e-11), (1000, 7e-8), (3000, 4e-6)] {
        let values = [0.0, 1.0, -0.7, 0.4, 1.0];
        let reference = cubic(gap, &values, true);
        let loss = |form, method| {
            let settings = Settings { method, ..Settings::published(form) };
            let knots = every(gap, 0, &values);
            apart(
                &real_parts(&solved(&track(4 * gap + 1, (0.0, 0.0), settings, &knots))),
                &reference,
            )
        };
        for form in [Form::Real, Form::COMPLEX] {
            let (normal, rows) = (loss(form, Method::NormalEquations), loss(form, Method::Rows));
            assert!((0.1..10.0).contains(&(normal / normal_loss)), "gap {gap}: {normal:e}");
            assert!(rows < 1e-11, "gap {gap}: {rows:e}");
            let chosen = loss(form, Method::Auto);
            assert_eq!(chosen, if gap > 1000 { rows } else { normal }, "gap {gap}");
        }
        // A beat of two frequencies, which is free motion, must be reproduced.
        let beat = |i: usize| {
            let t = i as f64;
            ops::cos(0.45 * t + 0.3) + 0.5 * ops::cos(0.35 * t - 0.7)
        };
        let knots = [0, gap, 2 * gap + 3, 3 * gap + 1, 4 * gap].map(|i| (i as f64, beat(i)));
        let settings = Settings { method: Method::Rows, ..Settings::published(Form::COMPLEX) };
        let spline = solved(&track(4 * gap + 1, (0.4, 0.0), settings, &knots));
        let expected: Vec<f64> = (0..=4 * gap).map(beat).collect();
        let loss = apart(&real_parts(&spline), &expected);
        assert!(loss < 5e-11, "gap {gap}: {loss:e}");
    }
}

#[test]
fn normal_equations_vs_rows() {
    for form in [Form::Real, Form::COMPLEX, Form::Differences] {
        for (tuning, overshoot_penalty) in
            [((0.4, 0.02), 1e-4), ((0.3, 0.0), 0.0), ((0.03, 0.01), 1e-5)]
        {
            let settings = Settings { overshoot_penalty, ..Settings::new(form) };
            let mut track = track(121, tuning, settings, &every(13, 20, &DATA));
            track.knots[1].right = Some(super::knots::soft(0.2, 3.0));
            track.knots[2].left = Some(super::knots::hard(-0.1));
            track.knots[3].at += 0.25;
            track.settings.method = Method::NormalEquations;
            let normal = real_parts(&solved(&track));
            track.settings.method = Method::Rows;
            let rows = solved(&track);
            let off = apart(&normal, &real_parts(&rows)) / height(&rows);
            assert!(off < 1e-9, "{form:?} {tuning:?} {overshoot_penalty}: {off:e}");
        }
    }
}

#[test]
fn a_slow_complex_spline_becomes_the_cubic_one() {
    let reference = cubic(10, &DATA, true);
    let off = |omega: f64| {
        let settings = Settings::new(Form::COMPLEX);
        let spline = solved(&track(51, (omega, 0.0), settings, &every(10, 0, &DATA)));
        apart(&real_parts(&spline), &reference)
    };
    let errors = [0.1, 0.03, 0.01, 1e-4, 1e-6, 1e-8, 0.0].map(off);
    assert!(errors.is_sorted_by(|a, b| a >= b), "{errors:?}");
    assert!(errors[4] < 1e-4 && errors[5] < 1e-6 && errors[6] < 1e-12, "{errors:?}");
    // The paper's objective has no such limit: its equations become singular.
    let published = Settings::published(Form::COMPLEX);
    let slow = track(51, (1e-6, 0.0), published, &every(10, 0, &DATA));
    assert!(Spline::new(&slow).is_err());
}

#[test]
fn bandwidth_fades_with_the_frequency() {
    // A constant 0.05 rad would put the poles of a spline without resonance at e^(±0.05 i), a slow
    // resonator. The reference number, 12 % off the cubic, holds at gaps of 40; it is 0.9 % at gaps
    // of 10.
    let values = [0.0, 1.0, 0.0, 1.0, 0.0];
    for (gap, wrong) in [(40, 0.12), (10, 0.0085)] {
        let (n, knots) = (4 * gap + 1, every(gap, 0, &values));
        let reference = cubic(gap, &values, true);
        let left_on = solved(&track(n, (0.05, 0.0), Settings::published(Form::Real), &knots));
        let off = apart(&real_parts(&left_on), &reference);
        assert!((off / wrong - 1.0).abs() < 0.01, "{off}");
        let faded = solved(&track(n, (0.0, 0.0), Settings::published(Form::COMPLEX), &knots));
        assert!(apart(&real_parts(&faded), &reference) < 1e-11);
    }
}

#[test]
fn tracks_of_few_samples_are_solved() {
    for form in ALL_FORMS {
        for samples in 0..5 {
            let none = solved(&track(samples, (0.4, 0.1), Settings::new(form), &[]));
            assert_eq!(real_parts(&none), vec![0.0; samples]);
            if samples > 0 {
                let last = samples as f64 - 1.0;
                let one = solved(&track(samples, (0.4, 0.1), Settings::new(form), &[(last, 2.5)]));
                assert_eq!(one.values()[samples - 1].re, 2.5);
            }
        }
    }
}
