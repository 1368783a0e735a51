//! Free and driven motion: chirps, decaying oscillations, the response to a moving equilibrium, and
//! the residual force.

use lariat_core::num::{complex, ops};
use lariat_papers::kass::{Filter, Form, Settings, Spline, Tuning};
use lariat_papers::kass::{passive_response, stiffness};
use num_complex::Complex64;

use super::{ALL_FORMS, apart, every, height, real_parts, solved, track};

#[test]
fn a_chirp_is_free_of_residual() {
    // The frequency rises by 0.01 rad per sample.
    let tunings: Vec<Tuning> =
        (0..120).map(|i| Tuning { omega: 0.2 + 0.01 * f64::from(i), decay: 0.01 }).collect();
    let mut x = vec![Complex64::ONE];
    for tuning in &tunings {
        x.push(x[x.len() - 1] * tuning.pole());
    }
    let (mut ours, mut plain): (f64, f64) = (0.0, 0.0);
    for i in 1..tunings.len() {
        let (pole, before) = (tunings[i].pole(), tunings[i - 1].pole());
        let residual = |filter: Filter| {
            complex::abs(x[i + 1] - filter.a * x[i] - filter.b * x[i - 1]) / complex::abs(x[i])
        };
        ours = ours.max(residual(Filter::complex(pole, before, 0.0)));
        plain = plain.max(residual(Filter::complex(pole, pole, 0.0)));
    }
    assert!(ours < 5e-16, "{ours:e}");
    assert!((plain - 1e-2).abs() < 1e-3, "{plain:e}");
    // A spline through four of its samples is the chirp.
    let mut track =
        track(121, (0.0, 0.0), Settings::published(Form::Complex { bandwidth: 0.0 }), &[]);
    track.tunings = tunings;
    track.tunings.push(track.tunings[119]);
    track.knots = [3, 11, 16, 29].map(|i| super::Knot::new(i as f64, x[i].re)).to_vec();
    let spline = solved(&track);
    let off = spline.values().iter().zip(&x).map(|(a, b)| complex::abs(a - b)).fold(0.0, f64::max);
    assert!(off < 1e-9, "{off:e}");
    assert!(spline.objective() < 1e-20, "{:e}", spline.objective());
}

#[test]
fn knots_on_a_decaying_oscillation_reproduce_it() {
    let (omega, decay) = (0.37, 0.03);
    let swing = |i: usize| complex::exp(Complex64::new(-decay, omega) * i as f64) * 0.8;
    let at = [2, 9, 13, 24, 31];
    for form in [Form::Real, Form::Complex { bandwidth: 0.0 }, Form::Natural] {
        let knots = at.map(|i| (i as f64, swing(i).re));
        let spline = solved(&track(60, (omega, decay), Settings::published(form), &knots));
        for (i, x) in spline.values().iter().enumerate() {
            assert!((x.re - swing(i).re).abs() < 1e-11, "{form:?}, sample {i}: {x}");
            if form.eq(&Form::Complex { bandwidth: 0.0 }) {
                assert!((x.im - swing(i).im).abs() < 1e-10, "{form:?}, sample {i}: {x}");
            }
        }
        assert!(spline.objective() < 1e-22, "{form:?}: {:e}", spline.objective());
    }
    // With a bandwidth, any mixture of the two poles is free motion and is reproduced.
    let poles = [0.05, -0.05].map(|beta| Complex64::new(-decay, omega + beta));
    let beat =
        |i: usize| complex::exp(poles[0] * i as f64) + complex::exp(poles[1] * i as f64) * 0.5;
    let knots = at.map(|i| (i as f64, beat(i).re));
    let spline = solved(&track(60, (omega, decay), Settings::published(Form::COMPLEX), &knots));
    for (i, x) in spline.values().iter().enumerate() {
        assert!(complex::abs(x - beat(i)) < 1e-9, "sample {i}: {x} for {}", beat(i));
    }
    // Differences have different poles.
    let tuning = Tuning { omega, decay };
    let (k, gamma) = stiffness(tuning);
    let pole = Filter::differences(1.0, k, gamma).poles()[0];
    let swing = |i: usize| (0..i).fold(Complex64::ONE, |x, _| x * pole).re;
    let knots = at.map(|i| (i as f64, swing(i)));
    let spline = solved(&track(60, (omega, decay), Settings::published(Form::Differences), &knots));
    let expected: Vec<f64> = (0..60).map(swing).collect();
    assert!(apart(&real_parts(&spline), &expected) < 1e-11);
}

/// An equilibrium that starts, turns and stops, linear from sample to sample.
fn moving_equilibrium(samples: usize) -> Vec<f64> {
    let at = |i: usize| ops::sin(i as f64 * 0.21) * (i as f64 * 0.1).min(2.0) + 0.3;
    (0..samples).map(|i| at(i.min(50))).collect()
}

/// The spring `y'' + 2 d y' + (ω² + d²) y = −e''`, integrated in small steps. At a corner of the
/// equilibrium the speed relative to it jumps.
fn runge_kutta(tuning: Tuning, equilibrium: &[f64], force: &[f64]) -> Vec<f64> {
    let (k, gamma) = stiffness(tuning);
    let steps = 2000;
    let h = 1.0 / f64::from(steps);
    let (mut y, mut speed) = (0.0, 0.0);
    let mut motion = vec![equilibrium[0]];
    for i in 0..equilibrium.len() - 1 {
        let before = if i > 0 { equilibrium[i] - equilibrium[i - 1] } else { 0.0 };
        speed += force[i] - (equilibrium[i + 1] - equilibrium[i] - before);
        for _ in 0..steps {
            let f = |y: f64, v: f64| (v, -k * y - gamma * v);
            let a = f(y, speed);
            let b = f(y + 0.5 * h * a.0, speed + 0.5 * h * a.1);
            let c = f(y + 0.5 * h * b.0, speed + 0.5 * h * b.1);
            let d = f(y + h * c.0, speed + h * c.1);
            y += h / 6.0 * (a.0 + 2.0 * b.0 + 2.0 * c.0 + d.0);
            speed += h / 6.0 * (a.1 + 2.0 * b.1 + 2.0 * c.1 + d.1);
        }
        motion.push(y + equilibrium[i + 1]);
    }
    motion
}

#[test]
fn passive_response_vs_runge_kutta() {
    let equilibrium = moving_equilibrium(90);
    // Forces are impulses at the samples, as are the corners.
    let force: Vec<f64> = (0..90).map(|i| if (60..63).contains(&i) { 0.05 } else { 0.0 }).collect();
    for (omega, decay) in [(0.4, 0.03), (1.3, 0.0), (0.05, 0.2)] {
        let tuning = Tuning { omega, decay };
        let reference = runge_kutta(tuning, &equilibrium, &force);
        for form in [Form::Real, Form::COMPLEX] {
            let mut motion = Vec::new();
            passive_response(form, 90, &[tuning], &equilibrium, &force, &mut motion);
            let real: Vec<f64> = motion.iter().map(|x| x.re).collect();
            let off = apart(&real, &reference);
            assert!(off < 8e-12, "{form:?} at {tuning:?}: {off:e}");
        }
    }
}

#[test]
fn the_real_part_of_the_complex_response_is_the_real_one() {
    let equilibrium = moving_equilibrium(90);
    for (omega, decay) in [(0.4, 0.03), (3.0, 0.0), (1e-3, 0.1), (0.0, 0.0), (0.0, 0.2)] {
        let tuning = [Tuning { omega, decay }];
        let (mut real, mut complex) = (Vec::new(), Vec::new());
        passive_response(Form::Real, 90, &tuning, &equilibrium, &[], &mut real);
        passive_response(Form::COMPLEX, 90, &tuning, &equilibrium, &[], &mut complex);
        for i in 0..90 {
            assert!((real[i].re - complex[i].re).abs() < 1e-10, "sample {i} at {tuning:?}");
            assert!(complex[i].im.is_finite());
        }
        // The equilibrium stops at sample 50; a damped spring is near rest at the end.
        if decay > 0.0 && omega > 0.0 {
            assert!((real[89].re - equilibrium[89]).abs() < 1.0);
        }
    }
}

#[test]
fn the_response_of_differences_to_a_force_obeys_equation_5() {
    let (equilibrium, tuning) = (moving_equilibrium(60), Tuning { omega: 0.4, decay: 0.05 });
    let force: Vec<f64> = (0..60).map(|i| ops::cos(f64::from(i)) * 0.1).collect();
    let mut x = Vec::new();
    passive_response(Form::Differences, 60, &[tuning], &equilibrium, &force, &mut x);
    let (k, gamma) = stiffness(tuning);
    for i in 1..59 {
        // Eq. 5, corrected, h = 1.
        let [a, b, c] = [x[i - 1].re, x[i].re, x[i + 1].re];
        let row = (a - 2.0 * b + c) + gamma * (c - b) + k * (b - equilibrium[i]) - force[i];
        assert!(row.abs() < 1e-13, "row {i}: {row:e}");
    }
}

#[test]
fn without_knots_the_spline_is_the_passive_motion() {
    for form in ALL_FORMS {
        let mut track = track(80, (0.4, 0.03), Settings::new(form), &[]);
        track.equilibrium = moving_equilibrium(80);
        let spline = solved(&track);
        assert_eq!(spline.values(), spline.passive());
        assert!(height(&spline) > 1.0);
        assert_eq!(spline.objective(), 0.0);
    }
}

#[test]
fn a_knot_changes_the_passive_motion_only_for_a_while() {
    // Figure 2, top: the knot is met; the start, and the motion long after the knot, are passive.
    for form in [Form::Real, Form::COMPLEX, Form::Natural, Form::Differences] {
        let mut track = track(400, (0.4, 0.05), Settings::new(form), &[(70.0, 3.0)]);
        track.equilibrium = moving_equilibrium(400);
        let spline = solved(&track);
        assert_eq!(spline.values()[70].re, 3.0);
        assert_eq!(spline.values()[..2], spline.passive()[..2]);
        let off = |i: usize| complex::abs(spline.values()[i] - spline.passive()[i]);
        assert!(off(399) < 1e-4, "{form:?}: {}", off(399));
        assert!(off(70) > 0.1);
    }
}

#[test]
fn the_residual_force_moves_a_spring_along_the_curve() {
    let tuning = Tuning { omega: 0.4, decay: 0.03 };
    for form in [Form::Real, Form::Differences] {
        let knots = every(15, 10, &[1.0, -0.5, 0.8]);
        let mut track = track(60, (tuning.omega, tuning.decay), Settings::new(form), &knots);
        track.equilibrium = moving_equilibrium(60);
        let spline = solved(&track);
        // A spring without knots, driven by the external force −J, passes through all knots.
        let mut force = vec![0.0];
        force.extend(spline.forces().iter().map(|j| -j.re));
        force.push(0.0);
        track.knots.clear();
        track.force = force;
        let pushed = solved(&track);
        let off = apart(&real_parts(&pushed), &real_parts(&spline));
        assert!(off < 1e-11, "{form:?}: {off:e}");
    }
    // Eq. 18 for the complex one.
    let knots = every(9, 10, &[1.0, -0.5, 0.8, 0.1, 0.6]);
    let spline = solved(&track(60, (0.4, 0.03), Settings::published(Form::COMPLEX), &knots));
    let sum: f64 = spline.forces().iter().map(Complex64::norm_sqr).sum();
    assert!((sum - spline.objective()).abs() < 1e-15 && sum > 1e-6, "{sum}");
}

#[test]
fn one_tuning_for_all_equals_one_for_each() {
    for form in ALL_FORMS {
        let knots = every(9, 10, &[1.0, -0.5, 0.8, 0.1]);
        let mut track = track(60, (0.4, 0.03), Settings::new(form), &knots);
        track.equilibrium = moving_equilibrium(60);
        let one = solved(&track);
        track.tunings = vec![track.tunings[0]; 60];
        assert_eq!(solved(&track).values(), one.values());
    }
}

#[test]
fn a_cubic_becomes_an_oscillation_where_the_frequency_jumps() {
    // Figure 1: three knots, no resonance up to the second, 0.5 rad from there on.
    for form in [Form::Real, Form::COMPLEX] {
        let knots = [(5.0, 0.0), (40.0, 1.0), (90.0, 0.2)];
        let mut track = track(100, (0.0, 0.0), Settings::published(form), &knots);
        track.settings.overshoot_penalty = 1e-6;
        track.tunings = (0..100)
            .map(|i| Tuning { omega: if i < 40 { 0.0 } else { 0.5 }, decay: 0.0 })
            .collect();
        let x = real_parts(&solved(&track));
        let bend = |i: usize| x[i - 1] - 2.0 * x[i] + x[i + 1];
        // Second differences of a cubic are linear.
        for i in 8..36 {
            let off = bend(i - 1) - 2.0 * bend(i) + bend(i + 1);
            assert!(off.abs() < 1e-9, "{form:?}, sample {i}: {off:e}");
        }
        // An oscillation has two inflections per period.
        let inflections = (41..89).filter(|i| bend(*i) * bend(i + 1) < 0.0).count();
        assert!((6..=9).contains(&inflections), "{form:?}: {inflections}");
    }
}

#[test]
fn bad_numbers_are_refused_with_their_place() {
    let settings = Settings::new(Form::COMPLEX);
    let knots = [(5.0, 1.0)];
    let mut cases = vec![
        (track(20, (3.2, 0.0), settings, &knots), "sample 0 resonates at 3.2 rad"),
        (track(20, (f64::NAN, 0.0), settings, &knots), "sample 0 resonates at NaN rad"),
        (track(20, (0.4, -0.1), settings, &knots), "sample 0 decays by -0.1"),
        (
            track(20, (0.4, 0.1), settings, &[(20.0, 1.0)]),
            "knot 0 needs sample 20, but there are 20",
        ),
        (track(20, (0.4, 0.1), settings, &[(f64::NAN, 1.0)]), "knot 0 needs sample NaN"),
        (track(20, (0.4, 0.1), settings, &[(3.0, f64::INFINITY)]), "knot number 0 is inf"),
        (track(20, (0.4, 0.1), settings, &[(3.0, 1.0), (3.0, 1.0)]), "sample 3 is fixed twice"),
        (
            track(20, (2.5, 0.0), Settings::new(Form::Differences), &knots),
            "stiffness 6.25; finite differences need less than 4",
        ),
    ];
    let mut lengths = track(20, (0.4, 0.1), settings, &knots);
    lengths.equilibrium = vec![0.0; 19];
    cases.push((lengths, "19 equilibria for 20 samples"));
    for (tangent, words) in [
        (super::knots::soft(0.1, -1.0), "a tangent of knot 0 has strength -1"),
        (super::knots::hard(f64::NAN), "slope of knot number 0 is NaN"),
    ] {
        let mut track = track(20, (0.4, 0.1), settings, &knots);
        track.knots[0].right = Some(tangent);
        cases.push((track, words));
    }
    for (track, words) in cases {
        let message = Spline::new(&track).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    }
}
