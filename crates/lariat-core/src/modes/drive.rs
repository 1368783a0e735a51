//! Keyed curve that reproduces the recorded motion of a mode.
//!
//! The coefficients of a mode over time, `c(t)`, become a wiggly curve with the pole of the mode: a
//! spring of its frequency and half-life that hits the real part of `c` at its knots. A free decay
//! needs one or two knots; each push in the recording needs another. The imaginary part comes from
//! the spring. The remaining rotation and scale between curve and coefficients is the coupling
//! `g = Σ x̄ c / Σ |x|²`: driving the mode with `g x` fits real and imaginary parts best.
//!
//! Knots are chosen greedily, starting with the best single knot. Each iteration finds the frame of
//! the largest error and tries a knot there, a quarter of a cycle to either side (an error of the
//! imaginary part is one of the real part a quarter of a cycle away), and at frames spread over the
//! recording; the best candidate stays. When none helps, a knot gets a slope as well: value and
//! slope are the whole state of a spring, so such a *full* knot hits both parts. Finally every knot
//! is removed that is not needed.
//!
//! A decaying motion comes to rest beside the mean of the recording, so its coefficients end
//! beside 0. The spring rests there if that fits better than resting at 0.
//!
//! Values are rounded to a few digits, and errors are measured with the rounded values.
//!
//! Tests: `a_free_decay_needs_two_knots`, `a_push_needs_knots_where_it_acts`,
//! `a_decaying_motion_rests_beside_its_mean`, `any_coefficients_can_be_reproduced`,
//! `a_loop_stays_a_loop`, `the_number_of_knots_is_limited`.

use std::f64::consts::{LN_2, TAU};
use std::ops::ControlFlow;

use num_complex::Complex64;
use thiserror::Error;

use crate::motion::wiggly::{Damping, Knot, Setup, Spring, Start, Wiggly, WigglyError};
use crate::num::{complex, ops};

use super::pole::{Pole, coupling};
use super::set::Origin;

/// Options of [`drive`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveOptions {
    /// Largest allowed error: the root of the summed squares over all frames, in the unit of the
    /// coefficients.
    pub error: f64,
    /// Largest number of knots.
    pub max_knots: usize,
}

/// Error of [`drive`].
#[derive(Clone, Debug, Error, PartialEq)]
pub enum DriveError {
    /// No coefficients.
    #[error("the mode has no recorded coefficients to make keys from")]
    Empty,
    /// Keys that do not make a valid curve.
    #[error("cannot make a curve from the keys of the mode: {0}")]
    Curve(#[from] WigglyError),
    /// The progress callback asked to stop.
    #[error("the search for keys was stopped")]
    Stopped,
}

/// A knot in the terms of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveKnot {
    /// Frame.
    pub frame: i64,
    /// Value of the curve at the frame.
    pub value: f64,
    /// Slope per second of a full knot, which separates the two sides of the curve.
    pub slope: Option<f64>,
}

/// A wiggly curve that reproduces the coefficients of a mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// Knots by rising frame.
    pub knots: Vec<DriveKnot>,
    /// Frequency in hertz.
    pub hertz: f64,
    /// Half-life in seconds; `None` without decay.
    pub half_life: Option<f64>,
    /// Equilibrium.
    pub around: f64,
    /// Length of the loop in frames, if it is one.
    pub loop_frames: Option<usize>,
    /// Factor from the curve to the coefficients.
    pub coupling: Complex64,
    /// Error with that factor, measured as [`DriveOptions::error`].
    pub error: f64,
}

/// Significant digits of values, counted from the largest.
const DIGITS: i32 = 5;

/// Frames, spread over the recording, at which each iteration tries a knot.
const SPREAD: usize = 48;

/// Iterations without a gain before knots are made full.
const PATIENCE: usize = 2;

/// An iteration that leaves more than this share of the squared error has no gain.
const GAIN: f64 = 0.98;

/// Half-lives in seconds: the shortest that a document accepts; longer than any shot.
const HALF_LIVES: (f64, f64) = (0.001, 1e6);

/// Finds a curve for the coefficients of a mode, one per frame as in
/// [`Mode::coefficients`](super::Mode), scaled to the unit of the curve. `watch` may stop it.
pub fn drive(
    course: &[Complex64],
    pole: Pole,
    origin: &Origin,
    options: &DriveOptions,
    watch: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Drive, DriveError> {
    if course.is_empty() {
        return Err(DriveError::Empty);
    }
    let mut search = Search::new(course, pole, origin, 0.0);
    let mut best = search.judge(vec![search.full(0)])?;
    if let Some(rest) = rest_of(course, origin) {
        let beside = Search::new(course, pole, origin, rest);
        let tried = beside.judge(vec![beside.full(0)])?;
        if tried.squared < best.squared {
            search = beside;
        }
    }
    best = search.judge(vec![search.plain(0)])?;
    for at in (0..course.len()).step_by(course.len().div_ceil(SPREAD)) {
        let tried = search.judge(vec![search.plain(at)])?;
        if tried.squared < best.squared {
            best = tried;
        }
    }
    let (mut idle, mut full) = (0, false);
    while best.squared > options.error * options.error && best.knots.len() < options.max_knots {
        if watch().is_break() {
            return Err(DriveError::Stopped);
        }
        let Some(next) = search.improved(&best, full)? else {
            if full {
                break;
            }
            full = true;
            continue;
        };
        idle = if next.squared > GAIN * best.squared { idle + 1 } else { 0 };
        full |= idle > PATIENCE;
        best = next;
    }
    // Remove knots that later ones have made superfluous.
    let met = best.squared <= options.error * options.error;
    let mut at = 1;
    while met && at < best.knots.len() {
        if watch().is_break() {
            return Err(DriveError::Stopped);
        }
        let mut fewer = best.knots.clone();
        fewer.remove(at);
        let fewer = search.judge(fewer)?;
        if fewer.squared <= options.error * options.error {
            best = fewer;
        } else {
            at += 1;
        }
    }
    Ok(search.drive(&best))
}

/// Real part of the equilibrium of the coefficients, if it lies within their range.
fn rest_of(course: &[Complex64], origin: &Origin) -> Option<f64> {
    let (pole, rest) = Pole::fit_with_offset(course, origin.rate.per_second())?;
    let largest = course.iter().map(Complex64::norm_sqr).fold(0.0, f64::max);
    (pole.decay > 0.0 && !origin.periodic && rest.norm_sqr() <= largest).then_some(rest.re)
}

/// Candidate knots with their errors.
struct Judged {
    /// Index of the frame, and the knot.
    knots: Vec<(usize, Knot<f64>)>,
    coupling: Complex64,
    /// Error at each frame.
    missing: Vec<Complex64>,
    squared: f64,
}

struct Search<'c> {
    course: &'c [Complex64],
    origin: &'c Origin,
    per_second: f64,
    hertz: f64,
    half_life: Option<f64>,
    around: f64,
    /// Decimal places.
    digits: i32,
}

impl<'c> Search<'c> {
    fn new(course: &'c [Complex64], pole: Pole, origin: &'c Origin, around: f64) -> Self {
        let per_second = origin.rate.per_second();
        // The lowest frequency that can be resolved is half a cycle over all frames.
        let slowest = 0.5 * per_second / course.len() as f64;
        let hertz = pole.hertz.clamp(slowest.min(0.5 * per_second), 0.5 * per_second);
        let largest = course.iter().map(Complex64::norm_sqr).fold(0.0, f64::max).sqrt();
        let half_life = pole.half_life().filter(|half| *half < HALF_LIVES.1);
        Self {
            course,
            origin,
            per_second,
            hertz: rounded(hertz, DIGITS - magnitude(hertz)),
            half_life: half_life
                .map(|half| rounded(half.max(HALF_LIVES.0), DIGITS - magnitude(half))),
            around: rounded(around, DIGITS - magnitude(largest)),
            digits: DIGITS - magnitude(largest),
        }
    }

    fn time(&self, at: usize) -> f64 {
        self.origin.rate.seconds((self.origin.first + at as i64) as f64)
    }

    fn plain(&self, at: usize) -> (usize, Knot<f64>) {
        (at, Knot::new(self.time(at), rounded(self.course[at].re, self.digits)))
    }

    /// A knot that hits both parts: a spring of value `x` and phase has the slope `Re(p c)`, with
    /// `p = −d + iω`.
    fn full(&self, at: usize) -> (usize, Knot<f64>) {
        let decay = self.half_life.map_or(0.0, |half| LN_2 / half);
        let (at, knot) = self.plain(at);
        let away = knot.value - self.around;
        let slope = -decay * away - TAU * self.hertz * self.course[at].im;
        (at, knot.with_slope(rounded(slope, self.digits)).local())
    }

    /// Curve through the knots, as a document would lower it.
    fn curve(&self, knots: &[(usize, Knot<f64>)]) -> Result<Wiggly<f64>, WigglyError> {
        let loss = match self.half_life {
            Some(half) => Damping::HalfLife(half.into()),
            None => Damping::PerSecond(0.0.into()),
        };
        let mut setup = Setup::new(Spring::new(self.hertz).with_damping(loss));
        setup.start = Start::Free;
        setup.around = Some(self.around.into());
        setup.period = self.origin.periodic.then(|| self.time(self.course.len()) - self.time(0));
        Wiggly::new(knots.iter().map(|(_, knot)| *knot).collect(), setup)
    }

    fn judge(&self, knots: Vec<(usize, Knot<f64>)>) -> Result<Judged, WigglyError> {
        let curve = self.curve(&knots)?;
        let x: Vec<Complex64> =
            (0..self.course.len()).map(|at| curve.phasor(0, self.time(at)) + self.around).collect();
        let coupling = coupling(&x, self.course).unwrap_or(Complex64::ONE);
        let missing: Vec<Complex64> =
            self.course.iter().zip(&x).map(|(c, x)| c - coupling * x).collect();
        let squared = missing.iter().map(Complex64::norm_sqr).sum();
        Ok(Judged { knots, coupling, missing, squared })
    }

    /// The best curve with one more knot, or with one knot made full. `None` if no frame is free or
    /// no candidate helps.
    fn improved(&self, best: &Judged, full: bool) -> Result<Option<Judged>, WigglyError> {
        let free = |at: usize| match best.knots.iter().find(|(other, _)| *other == at) {
            None => true,
            Some((_, knot)) => full && !knot.local,
        };
        let worst = |measure: &dyn Fn(&Complex64) -> f64| {
            let all = best.missing.iter().enumerate().filter(|(at, _)| free(*at));
            all.map(|(at, e)| (at, measure(e)))
                .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
        };
        let Some((at, _)) = worst(&Complex64::norm_sqr) else { return Ok(None) };
        let mut tried = vec![at];
        if !full {
            let quarter = (0.25 * self.per_second / self.hertz).round() as usize;
            tried.extend(at.checked_sub(quarter));
            tried.push(at + quarter);
            let turned = |e: &Complex64| (e / best.coupling).re.abs();
            tried.extend(worst(&turned).map(|(at, _)| at));
            tried.extend((0..self.course.len()).step_by(self.course.len().div_ceil(SPREAD)));
        }
        let mut found: Option<Judged> = None;
        for at in tried {
            if at >= self.course.len() || !free(at) {
                continue;
            }
            let knot = if full { self.full(at) } else { self.plain(at) };
            let mut knots = best.knots.clone();
            let place = knots.partition_point(|(other, _)| *other < at);
            if knots.get(place).is_some_and(|(other, _)| *other == at) {
                knots[place] = knot;
            } else {
                knots.insert(place, knot);
            }
            let next = self.judge(knots)?;
            if found.as_ref().is_none_or(|found| next.squared < found.squared) {
                found = Some(next);
            }
        }
        // A full knot may help only together with its neighbours.
        Ok(found.filter(|found| full || found.squared < best.squared))
    }

    fn drive(&self, best: &Judged) -> Drive {
        let knots = best.knots.iter().map(|(at, knot)| DriveKnot {
            frame: self.origin.first + *at as i64,
            value: knot.value,
            slope: match knot.right {
                Some(crate::motion::wiggly::Slope::Hard(slope)) => Some(slope),
                _ => None,
            },
        });
        Drive {
            knots: knots.collect(),
            hertz: self.hertz,
            half_life: self.half_life,
            around: self.around,
            loop_frames: self.origin.periodic.then_some(self.course.len()),
            coupling: best.coupling,
            error: best.squared.sqrt(),
        }
    }
}

/// Digits before the decimal point; zero or negative for numbers below 1.
fn magnitude(number: f64) -> i32 {
    if number > 0.0 { (ops::ln(number) / std::f64::consts::LN_10).floor() as i32 + 1 } else { 0 }
}

/// Rounds to `digits` decimal places.
fn rounded(number: f64, digits: i32) -> f64 {
    // An f64 has no digits beyond these places.
    let text = format!("{number:.*}", digits.clamp(0, 300) as usize);
    if digits <= 0 { number.round() } else { text.parse().unwrap_or(number) }
}

/// Lag of a coupling in degrees; positive is later.
pub fn lag_degrees(coupling: Complex64) -> f64 {
    -complex::arg(coupling) * 360.0 / TAU
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::FrameRate;

    const FRAMES: usize = 96;

    fn origin(periodic: bool) -> Origin {
        let rate = FrameRate::FILM;
        Origin { rate, first: 20, margin: 0, periodic, rms: 0.0, worst: 0.0 }
    }

    fn ringing(hertz: f64, decay: f64) -> Vec<Complex64> {
        let at = |t: usize| complex::exp(Complex64::new(-decay, TAU * hertz) * (t as f64 / 24.0));
        (0..FRAMES).map(|t| at(t) * Complex64::new(0.3, -0.2)).collect()
    }

    fn size(course: &[Complex64]) -> f64 {
        course.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt()
    }

    fn driven(course: &[Complex64], share: f64, most: usize, periodic: bool) -> Drive {
        let pole = Pole::fit(course, 24.0).unwrap();
        let options = DriveOptions { error: share * size(course), max_knots: most };
        let mut keep_going = || ControlFlow::Continue(());
        drive(course, pole, &origin(periodic), &options, &mut keep_going).unwrap()
    }

    /// Error of a curve, computed from its representation in a document.
    fn distance(found: &Drive, course: &[Complex64]) -> f64 {
        let rate = FrameRate::FILM;
        let knot = |knot: &DriveKnot| {
            let plain = Knot::new(rate.seconds(knot.frame as f64), knot.value);
            knot.slope.map_or(plain, |slope| plain.with_slope(slope).local())
        };
        let loss =
            found.half_life.map_or(Damping::PerSecond(0.0.into()), |h| Damping::HalfLife(h.into()));
        let mut setup = Setup::new(Spring::new(found.hertz).with_damping(loss));
        (setup.start, setup.around) = (Start::Free, Some(found.around.into()));
        setup.period = found.loop_frames.map(|frames| rate.seconds(frames as f64));
        let curve = Wiggly::new(found.knots.iter().map(knot).collect(), setup).unwrap();
        let off = |(t, c): (usize, &Complex64)| {
            let t = rate.seconds((20 + t) as f64);
            (found.coupling * (curve.phasor(0, t) + found.around) - c).norm_sqr()
        };
        course.iter().enumerate().map(off).sum::<f64>().sqrt()
    }

    #[test]
    fn a_free_decay_needs_two_knots() {
        for (hertz, decay) in [(2.0, 0.5), (0.7, 0.1), (3.3, 0.0)] {
            let course = ringing(hertz, decay);
            let found = driven(&course, 0.02, usize::MAX, false);
            assert!(found.knots.len() <= 2, "{found:?}");
            assert!((found.hertz - hertz).abs() < 1e-4, "{found:?}");
            assert_eq!(found.half_life.is_some(), decay > 0.0, "{found:?}");
            assert!(distance(&found, &course) <= 0.02 * size(&course));
        }
    }

    #[test]
    fn a_decaying_motion_rests_beside_its_mean() {
        let course: Vec<_> = ringing(1.5, 0.9).iter().map(|c| c + 0.1).collect();
        let found = driven(&course, 0.02, usize::MAX, false);
        assert!((found.around - 0.1).abs() < 1e-4, "{found:?}");
        assert!(found.knots.len() <= 3, "{found:?}");
        assert!(distance(&found, &course) <= 0.02 * size(&course));
    }

    #[test]
    fn a_push_needs_knots_where_it_acts() {
        // A free decay with an impulse at frame 60.
        let mut course = ringing(1.5, 0.3);
        for (t, hit) in ringing(1.5, 0.3).into_iter().enumerate().take(FRAMES - 40) {
            course[t + 40] += 1.5 * Complex64::new(0.0, 1.0) * hit;
        }
        let found = driven(&course, 0.05, usize::MAX, false);
        let off = distance(&found, &course);
        assert!(off <= 0.05 * size(&course) && (off - found.error).abs() < 1e-9, "{off}");
        let near = found.knots.iter().filter(|knot| (knot.frame - 60).abs() <= 1).count();
        assert!(near > 0 && found.knots.len() < 12, "{found:?}");
    }

    #[test]
    fn any_coefficients_can_be_reproduced() {
        // Coefficients unlike those of any spring.
        let turns = |t: usize| ((t * t * 37) % 101) as f64 / 101.0;
        let course: Vec<_> = (0..FRAMES).map(|t| complex::cis_turns(turns(t)) * 0.1).collect();
        let found = driven(&course, 0.02, usize::MAX, false);
        assert!(distance(&found, &course) <= 0.02 * size(&course), "{found:?}");
    }

    #[test]
    fn a_loop_stays_a_loop() {
        let course: Vec<_> =
            (0..FRAMES).map(|t| complex::cis_turns(3.0 * t as f64 / 96.0) * 0.2).collect();
        let found = driven(&course, 0.02, usize::MAX, true);
        assert_eq!(found.loop_frames, Some(FRAMES));
        assert!(found.knots.iter().all(|knot| (20..20 + FRAMES as i64).contains(&knot.frame)));
        assert!(distance(&found, &course) <= 0.02 * size(&course), "{found:?}");
        assert!(found.knots.len() < 20, "{found:?}");
    }

    #[test]
    fn the_number_of_knots_is_limited() {
        let turns = |t: usize| ((t * t * 37) % 101) as f64 / 101.0;
        let course: Vec<_> = (0..FRAMES).map(|t| complex::cis_turns(turns(t)) * 0.1).collect();
        let found = driven(&course, 0.02, 7, false);
        assert_eq!(found.knots.len(), 7);
        assert!(found.error > 0.02 * size(&course));
        let empty = drive(
            &[],
            Pole { hertz: 1.0, decay: 0.0 },
            &origin(false),
            &DriveOptions { error: 0.0, max_knots: 9 },
            &mut || ControlFlow::Continue(()),
        );
        assert_eq!(empty, Err(DriveError::Empty));
    }

    #[test]
    fn the_search_can_be_stopped() {
        let course = ringing(2.0, 0.5);
        let pole = Pole::fit(&course, 24.0).unwrap();
        let options = DriveOptions { error: 0.0, max_knots: usize::MAX };
        let stopped =
            drive(&course, pole, &origin(false), &options, &mut || ControlFlow::Break(()));
        assert_eq!(stopped, Err(DriveError::Stopped));
    }

    #[test]
    fn values_are_rounded_to_a_few_digits() {
        for (number, digits, text) in
            [(0.123_456_789, 5, "0.12346"), (1234.567, 1, "1234.6"), (1.0e-9, 12, "0.000000001")]
        {
            assert_eq!(format!("{}", rounded(number, digits)), text);
        }
        assert_eq!([0.02, 0.3, 1.0, 9.9, 10.0].map(magnitude), [-1, 0, 1, 1, 2]);
        assert_eq!(lag_degrees(Complex64::new(0.0, -2.0)), 90.0);
    }
}
