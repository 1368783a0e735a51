//! The published wiggly spline held to closed forms, to other methods, and to numbers that were
//! worked out independently of this code.
//!
//! Those numbers came without the knots they were measured with. Where a number depends on the
//! knots, the test says what ours give.

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

/// Knots as far apart as said, from sample `first` on.
fn every(gap: usize, first: usize, values: &[f64]) -> Vec<(f64, f64)> {
    values.iter().enumerate().map(|(i, value)| ((first + i * gap) as f64, *value)).collect()
}

fn solved(track: &Track) -> Spline {
    Spline::new(track).expect("a track that can be solved")
}

fn real_parts(spline: &Spline) -> Vec<f64> {
    spline.values().iter().map(|x| x.re).collect()
}

/// The largest real part, either way.
fn height(spline: &Spline) -> f64 {
    spline.values().iter().map(|x| x.re.abs()).fold(0.0, f64::max)
}

/// The largest difference of two lists.
fn apart(one: &[f64], other: &[f64]) -> f64 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

const ALL_FORMS: [Form; 4] = [Form::Real, Form::COMPLEX, Form::Differences, Form::Natural];
