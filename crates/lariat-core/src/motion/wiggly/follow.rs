//! Overlap: a parameter that follows another with a phase lag and a gain (section 6.1).
//!
//! The lag is an angle, not a time: `e + g·Re(e^(-iφ) (x - e))`. It stays the same share of a cycle
//! when the frequency changes (eq 20). A follower of a follower adds its lag to the same leader.
//! Only the deviation from equilibrium is rotated; where the leader rests, the follower rests.

use num_complex::Complex64;

use super::Wiggly;
use crate::motion::{Animate, Channel};
use crate::num::{complex, ops};

/// Phase lag and gain of a follower.
#[derive(Clone, Debug, PartialEq)]
pub struct Lag {
    /// Lag in degrees; negative is ahead.
    pub degrees: Channel<f64>,
    /// Gain.
    pub gain: Channel<f64>,
}

impl Lag {
    /// This lag followed by another; `None` unless both are constant.
    pub fn then(&self, other: &Self) -> Option<Self> {
        use Channel::Constant;
        match (&self.degrees, &self.gain, &other.degrees, &other.gain) {
            (Constant(a), Constant(b), Constant(c), Constant(d)) => {
                Some(Self { degrees: (a + c).into(), gain: (b * d).into() })
            }
            _ => None,
        }
    }

    /// Applies lag and gain at a time to a phasor.
    fn apply(&self, phasor: Complex64, t: f64) -> Complex64 {
        phasor * complex::cis(-ops::radians(self.degrees.at(t))) * self.gain.at(t)
    }
}

/// A wiggly curve, shifted in phase and scaled.
#[derive(Clone, Debug, PartialEq)]
pub struct Follow<T> {
    /// The curve that is followed.
    pub leader: Wiggly<T>,
    /// Lags to apply in order; several if it follows followers with keyed lags.
    pub lags: Vec<Lag>,
    /// Equilibrium; by default that of the leader.
    pub around: Option<Channel<T>>,
}

impl<T: Animate> Follow<T> {
    /// Follower with a lag in degrees and a gain of 1.
    pub fn new(leader: Wiggly<T>, lag: impl Into<Channel<f64>>) -> Self {
        let lags = vec![Lag { degrees: lag.into(), gain: 1.0.into() }];
        Self { leader, lags, around: None }
    }

    /// One component of the value as a follower.
    pub fn part(&self, part: usize) -> Follow<f64> {
        Follow {
            leader: self.leader.part(part),
            lags: self.lags.clone(),
            around: self.around.as_ref().map(|around| around.part(part)),
        }
    }
}

impl<T: Animate> Follow<T> {
    /// Deviation of one component from its equilibrium, with its phase.
    pub fn phasor(&self, part: usize, t: f64) -> Complex64 {
        self.lags.iter().fold(self.leader.phasor(part, t), |x, lag| lag.apply(x, t))
    }

    /// Value at a time in seconds.
    pub fn at(&self, t: f64) -> T {
        let rest = self.rest(t);
        T::from_parts(|i| rest.part(i) + self.phasor(i, t).re)
    }

    /// Equilibrium at a time.
    pub fn rest(&self, t: f64) -> T {
        match &self.around {
            Some(around) => around.at(t),
            None => self.leader.equilibrium(t),
        }
    }

    /// Whether the value is the same at all times.
    pub fn is_constant(&self) -> bool {
        let around = self.around.as_ref().is_none_or(Channel::is_constant);
        let is_silent = |gain: &Channel<f64>| gain.is_constant() && gain.at(0.0) == 0.0;
        let silent = self.lags.iter().any(|lag| is_silent(&lag.gain));
        around && (silent || self.leader.is_constant())
    }
}
