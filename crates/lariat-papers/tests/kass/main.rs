//! The published wiggly spline compared with closed forms, other methods, and reference numbers
//! that were computed independently of this code.
//!
//! The knots of the reference numbers are not known. Where a number depends on them, the test
//! states the values for its knots.

mod cubic;
mod filter;
mod freedom;
mod knots;
mod motion;

use lariat_papers::kass::{Form, Knot, Settings, Spline, Track, Tuning};

/// A track with one tuning and knots at `(sample, value)`.
fn track(
    samples: usize,
    (omega, decay): (f64, f64),
    settings: Settings,
    knots: &[(f64, f64)],
) -> Track {
    let mut track = Track::new(samples, Tuning { omega, decay }, settings);
    track.knots = knots.iter().map(|(at, value)| Knot::new(*at, *value)).collect();
    track
}

/// Knots `gap` samples apart, from sample `first` on.
fn every(gap: usize, first: usize, values: &[f64]) -> Vec<(f64, f64)> {
    values.iter().enumerate().map(|(i, value)| ((first + i * gap) as f64, *value)).collect()
}

fn solved(track: &Track) -> Spline {
    Spline::new(track).expect("a track that can be solved")
}

fn real_parts(spline: &Spline) -> Vec<f64> {
    spline.values().iter().map(|x| x.re).collect()
}

/// Largest absolute real part.
fn height(spline: &Spline) -> f64 {
    spline.values().iter().map(|x| x.re.abs()).fold(0.0, f64::max)
}

/// Largest difference between two lists.
fn apart(one: &[f64], other: &[f64]) -> f64 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

const ALL_FORMS: [Form; 4] = [Form::Real, Form::COMPLEX, Form::Differences, Form::Natural];
