//! Parameters of a spring: frequency, damping, bandwidth. Each may be keyed.

use std::f64::consts::{LN_2, TAU};

use super::element::Rates;
use crate::motion::Channel;

/// The paper's two kinds of splines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Complex values, two adjacent poles (section 5): the curve can adapt its frequency to the
    /// keys, and has a phase.
    #[default]
    Complex,
    /// Real values, conjugate poles (section 4): a mass on a spring with a sharp frequency.
    Real,
}

/// Damping of the oscillation.
#[derive(Clone, Debug, PartialEq)]
pub enum Damping {
    /// Decay rate per second: the amplitude falls to 37 % within its reciprocal.
    PerSecond(Channel<f64>),
    /// Half-life of the amplitude in seconds.
    HalfLife(Channel<f64>),
    /// Half-life of the amplitude in cycles.
    Swings(Channel<f64>),
    /// Damping ratio, 0 to 1. The frequency of the spring is then the undamped one.
    Ratio(Channel<f64>),
}

/// A spring with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Kind of spline.
    pub kind: Kind,
    /// Frequency in hertz. At 0 the curve is a cubic spline.
    pub hertz: Channel<f64>,
    /// Damping.
    pub damping: Damping,
    /// Deviation of the frequency in either direction, in hertz; complex only.
    pub bandwidth: Channel<f64>,
    /// Weight of the regulariser against changes of the oscillation; 0 is the paper's objective.
    pub overshoot_penalty: f64,
}

/// Samples per second of the paper's constants.
const PAPER_RATE: f64 = 24.0;

/// The paper's 0.05 radians per frame to each side, in hertz.
pub const DEFAULT_BANDWIDTH: f64 = 0.05 * PAPER_RATE / TAU;

/// Shortest half-life in seconds; shorter ones are raised to it.
const SHORTEST_HALF_LIFE: f64 = 1e-4;

impl Spring {
    /// A complex spring of this frequency with a half-life of one cycle.
    pub fn new(hertz: impl Into<Channel<f64>>) -> Self {
        Self {
            kind: Kind::Complex,
            hertz: hertz.into(),
            damping: Damping::Swings(1.0.into()),
            bandwidth: DEFAULT_BANDWIDTH.into(),
            overshoot_penalty: default_overshoot_penalty(Kind::Complex),
        }
    }

    /// The same spring with another damping.
    #[must_use]
    pub fn with_damping(self, damping: Damping) -> Self {
        Self { damping, ..self }
    }

    /// The same spring with another bandwidth in hertz.
    #[must_use]
    pub fn with_bandwidth(self, bandwidth: impl Into<Channel<f64>>) -> Self {
        Self { bandwidth: bandwidth.into(), ..self }
    }

    /// The same spring with another overshoot penalty.
    #[must_use]
    pub fn with_overshoot_penalty(self, overshoot_penalty: f64) -> Self {
        Self { overshoot_penalty, ..self }
    }

    /// The real spring, with its default overshoot penalty.
    #[must_use]
    pub fn real(self) -> Self {
        Self { kind: Kind::Real, overshoot_penalty: default_overshoot_penalty(Kind::Real), ..self }
    }

    /// Channels of frequency, damping and bandwidth.
    pub(super) fn channels(&self) -> [&Channel<f64>; 3] {
        let (Damping::PerSecond(loss)
        | Damping::HalfLife(loss)
        | Damping::Swings(loss)
        | Damping::Ratio(loss)) = &self.damping;
        [&self.hertz, loss, &self.bandwidth]
    }

    pub(super) fn is_constant(&self) -> bool {
        self.channels().iter().all(|channel| channel.is_constant())
    }

    /// Whether the phase depends on `hertz` alone.
    pub(super) fn turns_by_hertz(&self) -> bool {
        !matches!(self.damping, Damping::Ratio(_))
    }

    /// State of the spring at a time.
    pub(super) fn at(&self, t: f64) -> Now {
        let mut omega = TAU * self.hertz.at(t).max(0.0);
        let d = match &self.damping {
            Damping::PerSecond(decay) => decay.at(t).max(0.0),
            Damping::HalfLife(seconds) => LN_2 / seconds.at(t).max(SHORTEST_HALF_LIFE),
            // Without oscillation there is no loss per cycle.
            Damping::Swings(_) if omega == 0.0 => 0.0,
            Damping::Swings(swings) => {
                let half_life = swings.at(t).max(0.0) * TAU / omega.max(f64::MIN_POSITIVE);
                LN_2 / half_life.max(SHORTEST_HALF_LIFE)
            }
            Damping::Ratio(ratio) => {
                let ratio = ratio.at(t).clamp(0.0, 1.0);
                let undamped = omega;
                omega *= (1.0 - ratio * ratio).sqrt();
                ratio * undamped
            }
        };
        let beta = TAU * self.bandwidth.at(t).max(0.0);
        Now { omega, d, beta: beta.min(0.5 * omega) }
    }

    /// Rates of the cost on a stretch where the spring is `now`.
    pub(super) fn rates(&self, now: &Now) -> Rates {
        let rz = self.penalty_weight(now);
        match self.kind {
            // An oscillation with a frequency error δ costs (δ² - β²)² + rz δ². The minimum over δ
            // penalises any oscillation and would suppress it between keys, so it is subtracted;
            // the rest is (δ² - b2)² + rz' δ².
            Kind::Complex => {
                let b2 = now.beta * now.beta;
                let (b2, rz) = ((b2 - 0.5 * rz).max(0.0), (rz - 2.0 * b2).max(0.0));
                Rates { d: now.d, b2, rx: 0.0, rz }
            }
            Kind::Real => {
                let b2 = now.omega * now.omega;
                Rates { d: now.d, b2, rx: rz * b2, rz }
            }
        }
    }

    /// Weight of the penalty on a changing oscillation, proportional to the stiffness of the
    /// spring: spring and keys slowed down together give the same curve, and a cubic spline stays
    /// one.
    pub(super) fn penalty_weight(&self, now: &Now) -> f64 {
        self.overshoot_penalty * now.stiffness()
    }

    /// Frequency that is removed as phase: 0 for the real spring.
    pub(super) fn turning(&self, now: &Now) -> f64 {
        match self.kind {
            Kind::Complex => now.omega,
            Kind::Real => 0.0,
        }
    }
}

/// Default overshoot penalty: enough that the curve stays bounded for any spacing of keys.
pub fn default_overshoot_penalty(kind: Kind) -> f64 {
    match kind {
        Kind::Complex => 0.1,
        Kind::Real => 1e-4,
    }
}

/// A spring at one time: angular frequency, decay rate, half the distance between its poles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Now {
    pub(super) omega: f64,
    pub(super) d: f64,
    pub(super) beta: f64,
}

impl Now {
    /// Whether there is no spring: a cubic spline.
    pub(super) fn is_slack(&self) -> bool {
        self.omega == 0.0 && self.d == 0.0
    }

    /// Stiffness `d² + ω²`.
    pub(super) fn stiffness(&self) -> f64 {
        self.d * self.d + self.omega * self.omega
    }

    /// Imaginary part of a free oscillation of this value and slope.
    ///
    /// `x' = (-d + iω) x`, so `Im x = -(v + d x)/ω`. Below half a radian per second, where there is
    /// hardly any oscillation, it fades to zero.
    pub(super) fn quadrature(&self, x: f64, v: f64) -> f64 {
        const SLOWEST: f64 = 0.5;
        let inverse =
            if self.omega >= SLOWEST { 1.0 / self.omega } else { self.omega / (SLOWEST * SLOWEST) };
        -(v + self.d * x) * inverse
    }
}
