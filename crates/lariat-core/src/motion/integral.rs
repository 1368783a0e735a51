//! Integrals of channels over time.
//!
//! A wave that travels at a keyed speed has the phase of the integral of that speed: `speed × t`
//! would jump when the speed is keyed, and summing frame by frame would forbid evaluation in any
//! order. An [`Integral`] is built once from a channel, or from the product of two, and returns the
//! integral from second 0 to any time, negative times included.
//!
//! One channel is integrated in closed form. Every kind of segment has an antiderivative (for
//! weighted Bezier handles, value times the derivative of time is a polynomial of degree five in
//! the curve parameter). The sums up to each key are precomputed; a query is a binary search and
//! one segment. Whole periods of a cycle are a multiplication. For two channels see `product.rs`.
//!
//! Tests: `integral_vs_quadrature`, `whole_periods_are_exact`, `constants_are_exact`,
//! `product_vs_quadrature`.

use super::extrapolation::InPeriod;
use super::keys::MAX_TIME;
use super::product::Product;
use super::{Channel, Extrapolation, Keys, wiggly};

/// Integral over time of a channel, or of the product of two.
///
/// ```
/// use lariat_core::motion::{Channel, Integral, Interpolation, Key, Keys};
///
/// // A speed that rises from 0 to 2 lengths per second over two seconds and is then held.
/// let start = Key::new(0.0, 0.0).with_interpolation(Interpolation::Linear);
/// let speed = Channel::from(Keys::new(vec![start, Key::new(2.0, 2.0)])?);
/// let travelled = Integral::of(&speed);
/// assert_eq!(travelled.to(1.0), 0.5);
/// assert_eq!(travelled.to(2.0), 2.0);
/// assert_eq!(travelled.to(5.0), 8.0);
/// # Ok::<(), lariat_core::motion::KeysError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Integral(Kind);

#[derive(Clone, Debug)]
enum Kind {
    /// Integral of a constant.
    Constant(f64),
    /// A factor times the integral of keys.
    Keyed { factor: f64, sums: Sums, zero: f64 },
    /// Integral of the product of two keyed channels.
    Product(Box<Product>),
}

impl Integral {
    /// Integral of one channel.
    pub fn of(channel: &Channel<f64>) -> Self {
        Self::scaled(channel, 1.0)
    }

    /// Integral of the product of two channels.
    pub fn of_product(a: &Channel<f64>, b: &Channel<f64>) -> Self {
        if a.is_constant() {
            return Self::scaled(b, a.at(0.0));
        }
        if b.is_constant() {
            return Self::scaled(a, b.at(0.0));
        }
        Self(Kind::Product(Box::new(Product::new(&as_keys(a), &as_keys(b)))))
    }

    fn scaled(channel: &Channel<f64>, factor: f64) -> Self {
        if channel.is_constant() {
            return Self(Kind::Constant(factor * channel.at(0.0)));
        }
        let sums = Sums::new(&as_keys(channel));
        let zero = sums.to(0.0);
        Self(Kind::Keyed { factor, sums, zero })
    }

    /// Integral from second 0 to `t`, which may be negative. Times beyond [`MAX_TIME`] are clamped,
    /// NaN counts as 0.
    pub fn to(&self, t: f64) -> f64 {
        if t.is_nan() {
            return 0.0;
        }
        let t = t.clamp(-MAX_TIME, MAX_TIME);
        match &self.0 {
            Kind::Constant(value) => value * t,
            Kind::Keyed { factor, sums, zero } => factor * (sums.to(t) - zero),
            Kind::Product(product) => product.to(t),
        }
    }
}

/// Keys of a channel. An oscillating curve becomes enough keys to approximate it to a few
/// ten-millionths of its amplitude.
fn as_keys(channel: &Channel<f64>) -> Keys<f64> {
    wiggly::baked(channel)
}

/// Integral of keys, from the first key.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    keys: Keys<f64>,
    /// Integral from the first key to each key.
    sums: Vec<f64>,
}

impl Sums {
    pub(super) fn new(keys: &Keys<f64>) -> Self {
        let mut sums = Vec::with_capacity(keys.keys().len());
        let mut sum = Compensated::default();
        sums.push(0.0);
        for (segment, next) in keys.segments().iter().zip(&keys.keys()[1..]) {
            sum.add(segment.integral(next.time));
            sums.push(sum.total());
        }
        Self { keys: keys.clone(), sums }
    }

    /// Integral over one period, first key to last.
    pub(super) fn whole_period(&self) -> f64 {
        self.sums[self.sums.len() - 1]
    }

    /// Integral from the first key to `t`, which is between the keys.
    fn inside(&self, t: f64) -> f64 {
        let i = self.keys.segment_at(t);
        self.sums[i] + self.keys.segments()[i].integral(t)
    }

    /// Integral from the first key to `t`.
    pub(super) fn to(&self, t: f64) -> f64 {
        let keys = &self.keys;
        let (first, last) = (keys.first_time(), keys.last_time());
        if t >= first && t < last {
            return self.inside(t);
        }
        let after = t >= last;
        let (end, so_far) = if after { (last, self.whole_period()) } else { (first, 0.0) };
        let d = t - end;
        let level = so_far + keys.at(end) * d;
        let extend = if after { keys.after() } else { keys.before() };
        match extend {
            _ if first == last => level,
            Extrapolation::Hold => level,
            Extrapolation::Line => level + 0.5 * keys.end_slope(after) * d * d,
            Extrapolation::Cycle | Extrapolation::CycleOffset | Extrapolation::PingPong => {
                let InPeriod { t, periods, .. } = InPeriod::new(t, first, last, false);
                let whole = periods * self.whole_period();
                match extend {
                    // Period k is raised by k gains: 0 + 1 + … + (n − 1) for the whole periods, and
                    // n for the partial one. Also right for negative n.
                    Extrapolation::CycleOffset => {
                        let pairs = 0.5 * periods * (periods - 1.0);
                        let raised = pairs * (last - first) + periods * (t - first);
                        whole + keys.gain() * raised + self.inside(t)
                    }
                    Extrapolation::PingPong if periods - 2.0 * (0.5 * periods).floor() != 0.0 => {
                        whole + (self.whole_period() - self.inside(keys.mirrored(t)))
                    }
                    _ => whole + self.inside(t),
                }
            }
        }
    }
}

/// Compensated sum (Neumaier), so that a million keys add up as accurately as three.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Compensated {
    sum: f64,
    lost: f64,
}

impl Compensated {
    pub(super) fn add(&mut self, x: f64) {
        let sum = self.sum + x;
        let (large, small) = if self.sum.abs() >= x.abs() { (self.sum, x) } else { (x, self.sum) };
        self.lost += (large - sum) + small;
        self.sum = sum;
    }

    pub(super) fn total(&self) -> f64 {
        self.sum + self.lost
    }
}
