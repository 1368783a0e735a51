//! Frames and seconds: frame rates as fractions, because film runs at 24000/1001.
//!
//! Evaluation is in seconds, and frame 0 is second 0, so trimming a shot moves no pose. Documents
//! use frames. [`FrameRate::seconds`] is the only conversion from frames to seconds, for keys and
//! for evaluation, so a key on frame 37 is hit bit for bit at frame 37.
//!
//! Tests: `the_rates_of_film_and_television_are_recognised`, `whole_frames_survive_the_round_trip`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Frames per second as a fraction in lowest terms.
///
/// Fields are private because both must be positive.
///
/// ```
/// use lariat_core::motion::FrameRate;
///
/// let film: FrameRate = "23.976".parse()?;
/// assert_eq!(film.to_string(), "24000/1001");
/// assert_eq!(film.seconds(24_000.0), 1001.0);
/// # Ok::<(), lariat_core::motion::FrameRateError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameRate {
    numerator: u32,
    denominator: u32,
}

/// Error of making a frame rate.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FrameRateError {
    /// A numerator or denominator of zero.
    #[error("{numerator}/{denominator} is not a frame rate: both numbers must be 1 or more")]
    Zero {
        /// Frames.
        numerator: u32,
        /// Seconds.
        denominator: u32,
    },
    /// Zero, negative, NaN or infinite.
    #[error("{fps} is not a frame rate: give a number above 0, such as 24")]
    NotPositive {
        /// The rate as given.
        fps: f64,
    },
    /// Too large or too small for a fraction of two 32-bit numbers.
    #[error("{fps} frames per second is out of range; a rate lies between {} and {}", 1.0 / f64::from(u32::MAX), u32::MAX)]
    OutOfReach {
        /// The rate as given.
        fps: f64,
    },
    /// Text that is neither a number nor a fraction.
    #[error(
        "`{given}` is not a frame rate: write a number such as 24 or 23.976, or a fraction such as 24000/1001"
    )]
    NotARate {
        /// The text as given.
        given: String,
    },
}

impl FrameRate {
    /// 24 frames per second, the default of a shot.
    pub const FILM: Self = Self { numerator: 24, denominator: 1 };

    /// Tolerance for recognising a television rate, in frames per second. 23.98 for 23.976… is the
    /// coarsest spelling in use, off by 0.004; the next whole rate is off by 0.024.
    const SPELLING: f64 = 0.005;

    /// `numerator` frames in `denominator` seconds.
    pub fn new(numerator: u32, denominator: u32) -> Result<Self, FrameRateError> {
        if numerator == 0 || denominator == 0 {
            return Err(FrameRateError::Zero { numerator, denominator });
        }
        let common = gcd(numerator, denominator);
        Ok(Self { numerator: numerator / common, denominator: denominator / common })
    }

    /// Frame rate of a decimal number.
    ///
    /// Whole numbers are kept. The rates of colour television, 1000/1001 of a multiple of
    /// 24 or 30, are recognised in any rounding: 23.976 and 23.98 are 24000/1001, 29.97 is
    /// 30000/1001, 59.94 is 60000/1001. Other numbers become the simplest fraction that agrees with
    /// them in twelve digits: 12.5 is 25/2.
    pub fn from_number(fps: f64) -> Result<Self, FrameRateError> {
        if !(fps.is_finite() && fps > 0.0) {
            return Err(FrameRateError::NotPositive { fps });
        }
        if fps > f64::from(u32::MAX) {
            return Err(FrameRateError::OutOfReach { fps });
        }
        if fps == fps.floor() {
            return Self::new(fps as u32, 1);
        }
        let nominal = (fps * 1.001).round();
        let known = nominal >= 24.0 && (nominal % 24.0 == 0.0 || nominal % 30.0 == 0.0);
        if known && nominal < 1e6 && (fps - nominal / 1.001).abs() < Self::SPELLING {
            return Self::new(nominal as u32 * 1000, 1001);
        }
        simplest_fraction(fps).ok_or(FrameRateError::OutOfReach { fps })
    }

    /// Frames, of `numerator / denominator` frames per second.
    pub fn numerator(&self) -> u32 {
        self.numerator
    }

    /// Seconds, of `numerator / denominator` frames per second.
    pub fn denominator(&self) -> u32 {
        self.denominator
    }

    /// Frames per second as a plain number.
    pub fn per_second(&self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }

    /// Time of a frame in seconds; frame 0 is second 0, fractions lie between frames.
    pub fn seconds(&self, frame: f64) -> f64 {
        // For whole frames the product is exact, and one division rounds once.
        frame * f64::from(self.denominator) / f64::from(self.numerator)
    }

    /// Frame at a time in seconds; exactly whole for [`Self::seconds`] of a whole frame.
    pub fn frame(&self, seconds: f64) -> f64 {
        let frame = seconds * f64::from(self.numerator) / f64::from(self.denominator);
        let whole = frame.round();
        if self.seconds(whole) == seconds { whole } else { frame }
    }
}

impl fmt::Display for FrameRate {
    /// `24`, or `24000/1001`; reads back as the same rate.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            write!(f, "{}", self.numerator)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

impl FromStr for FrameRate {
    type Err = FrameRateError;

    fn from_str(text: &str) -> Result<Self, FrameRateError> {
        let not_a_rate = || FrameRateError::NotARate { given: text.to_owned() };
        if let Some((numerator, denominator)) = text.split_once('/') {
            let numerator = numerator.trim().parse().map_err(|_| not_a_rate())?;
            let denominator = denominator.trim().parse().map_err(|_| not_a_rate())?;
            return Self::new(numerator, denominator);
        }
        Self::from_number(text.trim().parse().map_err(|_| not_a_rate())?)
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// First convergent of the continued fraction of `x` that agrees with it in twelve digits; each
/// inversion loses some, so more cannot be required.
fn simplest_fraction(x: f64) -> Option<FrameRate> {
    let (mut n0, mut d0, mut n1, mut d1) = (0.0, 1.0, 1.0, 0.0);
    let mut rest = x;
    loop {
        let whole = rest.floor();
        (n0, n1) = (n1, whole * n1 + n0);
        (d0, d1) = (d1, whole * d1 + d0);
        if n1.max(d1) > f64::from(u32::MAX) {
            return None;
        }
        // A convergent is in lowest terms already, and its numerator is 0 only for 0/1.
        if (n1 / d1 - x).abs() <= 1e-12 * x {
            return FrameRate::new(n1 as u32, d1 as u32).ok();
        }
        rest = 1.0 / (rest - whole);
        if !rest.is_finite() {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_rates_of_film_and_television_are_recognised() {
        for (written, meant) in [
            ("24", "24"),
            ("25.0", "25"),
            ("23.976", "24000/1001"),
            ("23.98", "24000/1001"),
            ("23.976023976", "24000/1001"),
            ("29.97", "30000/1001"),
            ("47.952", "48000/1001"),
            ("59.94", "60000/1001"),
            ("119.88", "120000/1001"),
            ("12.5", "25/2"),
            ("23.9", "239/10"),
            ("0.1", "1/10"),
            ("48/2", "24"),
            (" 30000 / 1001 ", "30000/1001"),
        ] {
            assert_eq!(written.parse::<FrameRate>().unwrap().to_string(), meant, "for {written}");
        }
    }

    #[test]
    fn invalid_rates_are_refused_with_a_remedy() {
        for text in
            ["0", "-24", "NaN", "inf", "0/1", "24/0", "fast", "24/1/1", "", "1e300", "1e-12"]
        {
            assert!(text.parse::<FrameRate>().is_err(), "{text} was accepted as a rate");
        }
        assert_eq!(
            "fast".parse::<FrameRate>().unwrap_err().to_string(),
            "`fast` is not a frame rate: write a number such as 24 or 23.976, or a fraction such as 24000/1001"
        );
    }

    #[test]
    fn whole_frames_survive_the_round_trip() {
        for rate in ["24", "25", "24000/1001", "30000/1001", "49", "7/3"] {
            let rate: FrameRate = rate.parse().unwrap();
            for frame in -5000..5000 {
                let frame = f64::from(frame);
                assert_eq!(rate.frame(rate.seconds(frame)), frame, "frame {frame} at {rate}");
            }
        }
    }

    #[test]
    fn an_hour_of_television_does_not_drift() {
        let rate = FrameRate::new(30_000, 1001).unwrap();
        assert_eq!(rate.seconds(30_000.0 * 3600.0), 1001.0 * 3600.0);
        assert_eq!(rate.frame(1001.0 * 3600.0), 30_000.0 * 3600.0);
    }

    proptest! {
        #[test]
        fn any_rate_reads_back_and_keeps_the_order_of_frames(n in 1u32.., d in 1u32.., frame in -1e6..1e6f64) {
            let rate = FrameRate::new(n, d).unwrap();
            prop_assert_eq!(rate.to_string().parse::<FrameRate>().unwrap(), rate);
            prop_assert!(rate.seconds(frame + 1.0) > rate.seconds(frame));
            prop_assert!((rate.frame(rate.seconds(frame)) - frame).abs() <= 1e-9);
        }

        #[test]
        fn any_number_becomes_a_fraction_near_it(fps in 0.01..1000.0f64) {
            let rate = FrameRate::from_number(fps).unwrap();
            prop_assert!((rate.per_second() - fps).abs() < FrameRate::SPELLING);
        }
    }
}
