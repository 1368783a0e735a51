//! Overlap: a parameter that does what another does, later and more or less of it (section 6.1).
//!
//! Not later by a time but by an angle: `e + g·Re(e^(-iφ) (x - e))`. The lag then stays the same
//! part of a swing while the swing itself gets faster or slower (eq 20). One that follows a follower
//! is further behind the same leader. What is turned is the
//! deviation from equilibrium; where the leader rests, the follower rests.

use num_complex::Complex64;

use super::Wiggly;
use crate::motion::{Animate, Channel};
use crate::num::{complex, ops};

/// How far behind, and how much of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lag {
    /// Degrees; negative is ahead.
    pub degrees: Channel<f64>,
    /// How much of it there is.
    pub gain: Channel<f64>,
}

impl Lag {
    /// Lag by this and then by another, as one; none if that takes keys of both.
    pub fn then(&self, other: &Self) -> Option<Self> {
        use Channel::Constant;
        match (&self.degrees, &self.gain, &other.degrees, &other.gain) {
            (Constant(a), Constant(b), Constant(c), Constant(d)) => {
                Some(Self { degrees: (a + c).into(), gain: (b * d).into() })
            }
            _ => None,
        }
    }

    /// A phasor turned back and scaled as it is at a time.
    fn turned(&self, phasor: Complex64, t: f64) -> Complex64 {
        phasor * complex::cis(-ops::radians(self.degrees.at(t))) * self.gain.at(t)
    }
}

/// A readout of a wiggly curve, shifted in phase and scaled.
#[derive(Clone, Debug, PartialEq)]
pub struct Follow<T> {
    /// What is followed.
    pub leader: Wiggly<T>,
    /// How far behind it is; several that are keyed, if it follows followers.
    pub lags: Vec<Lag>,
    /// Where it rests; where its leader does if not said.
    pub around: Option<Channel<T>>,
}

impl<T: Animate> Follow<T> {
    /// Lag by so many degrees, all of it.
    pub fn new(leader: Wiggly<T>, lag: impl Into<Channel<f64>>) -> Self {
        let lags = vec![Lag { degrees: lag.into(), gain: 1.0.into() }];
        Self { leader, lags, around: None }
    }

    /// One number of the value as a channel of its own.
    pub fn part(&self, part: usize) -> Follow<f64> {
        Follow {
            leader: self.leader.part(part),
            lags: self.lags.clone(),
            around: self.around.as_ref().map(|around| around.part(part)),
        }
    }
}

impl<T: Animate> Follow<T> {
    /// How far one number is from its rest, and in what phase.
    pub fn phasor(&self, part: usize, t: f64) -> Complex64 {
        self.lags.iter().fold(self.leader.phasor(part, t), |x, lag| lag.turned(x, t))
    }

    /// The value at a time in seconds.
    pub fn at(&self, t: f64) -> T {
        let rest = self.rest(t);
        T::from_parts(|i| rest.part(i) + self.phasor(i, t).re)
    }

    /// Where it rests at a time.
    pub fn rest(&self, t: f64) -> T {
        match &self.around {
            Some(around) => around.at(t),
            None => self.leader.equilibrium(t),
        }
    }

    /// Whether it never changes.
    pub fn is_constant(&self) -> bool {
        let around = self.around.as_ref().is_none_or(Channel::is_constant);
        let is_silent = |gain: &Channel<f64>| gain.is_constant() && gain.at(0.0) == 0.0;
        let silent = self.lags.iter().any(|lag| is_silent(&lag.gain));
        around && (silent || self.leader.is_constant())
    }
}
