//! What an animator says about a spring: how fast, how bouncy, how loose. Each may be keyed.

use std::f64::consts::{LN_2, TAU};

use super::element::Rates;
use crate::motion::Channel;

/// Which of the paper's two splines it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Complex values, two poles beside each other (section 5): the curve can stretch its rhythm
    /// to meet the keys, and has a phase.
    #[default]
    Complex,
    /// Real values, conjugate poles (section 4): a mass on a spring, sharp in its frequency.
    Real,
}

/// How the oscillation dies away.
#[derive(Clone, Debug, PartialEq)]
pub enum Damping {
    /// Decay per second: the motion falls to 37 % in its reciprocal.
    PerSecond(Channel<f64>),
    /// Seconds until half of the motion is gone.
    HalfLife(Channel<f64>),
    /// Swings until half of the motion is gone.
    Swings(Channel<f64>),
    /// Damping ratio, 0 to 1. The spring's hertz are then those it would have undamped.
    Ratio(Channel<f64>),
}

/// How fast, how bouncy, how loose.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Real or complex.
    pub kind: Kind,
    /// Swings per second. At 0 the curve is an ordinary cubic.
    pub hertz: Channel<f64>,
    /// How it dies away.
    pub damping: Damping,
    /// How far either way the rhythm may stretch, in hertz; complex only.
    pub bandwidth: Channel<f64>,
    /// What is paid for a swing that changes; 0 is the paper's own objective.
    pub overshoot_penalty: f64,
}

/// Samples a second at which the paper's constants were chosen; they are kept in units of this.
const PAPER_RATE: f64 = 24.0;

/// The paper's 0.05 radians per frame to each side, in hertz.
pub const DEFAULT_BANDWIDTH: f64 = 0.05 * PAPER_RATE / TAU;

/// A half-life shorter than this counts as this long, in seconds.
const SHORTEST_HALF_LIFE: f64 = 1e-4;

impl Spring {
    /// A complex spring of so many hertz that loses half of its motion with every swing.
    pub fn new(hertz: impl Into<Channel<f64>>) -> Self {
        Self {
            kind: Kind::Complex,
            hertz: hertz.into(),
            damping: Damping::Swings(1.0.into()),
            bandwidth: DEFAULT_BANDWIDTH.into(),
            overshoot_penalty: default_overshoot_penalty(Kind::Complex),
        }
    }

    /// The same with another loss.
    #[must_use]
    pub fn with_damping(self, damping: Damping) -> Self {
        Self { damping, ..self }
    }

    /// The same with another bandwidth in hertz.
    #[must_use]
    pub fn with_bandwidth(self, bandwidth: impl Into<Channel<f64>>) -> Self {
        Self { bandwidth: bandwidth.into(), ..self }
    }

    /// The same with another calm.
    #[must_use]
    pub fn with_overshoot_penalty(self, overshoot_penalty: f64) -> Self {
        Self { overshoot_penalty, ..self }
    }

    /// The real spring, with its own default of calm.
    #[must_use]
    pub fn real(self) -> Self {
        Self { kind: Kind::Real, overshoot_penalty: default_overshoot_penalty(Kind::Real), ..self }
    }

    /// The channels it is made of.
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

    /// Whether its phase is that of `hertz` alone.
    pub(super) fn turns_by_hertz(&self) -> bool {
        !matches!(self.damping, Damping::Ratio(_))
    }

    /// What it is at a time.
    pub(super) fn at(&self, t: f64) -> Now {
        let mut omega = TAU * self.hertz.at(t).max(0.0);
        let d = match &self.damping {
            Damping::PerSecond(decay) => decay.at(t).max(0.0),
            Damping::HalfLife(seconds) => LN_2 / seconds.at(t).max(SHORTEST_HALF_LIFE),
            // Where nothing swings, nothing is lost by it.
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

    /// What it costs on a stretch where it is `now`.
    pub(super) fn rates(&self, now: &Now) -> Rates {
        let rz = self.price(now);
        match self.kind {
            // A swing whose rhythm is off by δ costs (δ² - β²)² + rz δ². What of that is the same
            // for the cheapest δ says only that swings cost, and would end them between keys; the
            // rest is (δ² - b2)² + rz' δ².
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

    /// What calm charges for a changing swing. In proportion to the spring's stiffness: slowed down
    /// together, spring and keys make the same curve; and an ordinary cubic stays one.
    pub(super) fn price(&self, now: &Now) -> f64 {
        self.overshoot_penalty * now.stiffness()
    }

    /// The frequency that is taken out as phase: none for the real spring.
    pub(super) fn turning(&self, now: &Now) -> f64 {
        match self.kind {
            Kind::Complex => now.omega,
            Kind::Real => 0.0,
        }
    }
}

/// What calm is unless said: enough that no spacing of keys makes the curve explode.
pub fn default_overshoot_penalty(kind: Kind) -> f64 {
    match kind {
        Kind::Complex => 0.1,
        Kind::Real => 1e-4,
    }
}

/// A spring at one time: radians per second, decay per second, half the distance of its poles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Now {
    pub(super) omega: f64,
    pub(super) d: f64,
    pub(super) beta: f64,
}

impl Now {
    /// Whether there is no spring at all: an ordinary cubic.
    pub(super) fn is_slack(&self) -> bool {
        self.omega == 0.0 && self.d == 0.0
    }

    /// `d² + ω²`: the spring's pull per unit of its stretch.
    pub(super) fn stiffness(&self) -> f64 {
        self.d * self.d + self.omega * self.omega
    }

    /// The imaginary part that a free oscillation of this value and slope has.
    ///
    /// `x' = (-d + iω) x`, so `Im x = -(v + d x)/ω`. Below half a radian per second there is
    /// hardly an oscillation to speak of, and it fades.
    pub(super) fn quadrature(&self, x: f64, v: f64) -> f64 {
        const SLOWEST: f64 = 0.5;
        let inverse =
            if self.omega >= SLOWEST { 1.0 / self.omega } else { self.omega / (SLOWEST * SLOWEST) };
        -(v + self.d * x) * inverse
    }
}
