//! The curve between two keys, precomputed so that a value is a handful of multiplications.
//!
//! Every kind but the presets is `from + c₁p + c₂p² + c₃p³` in each component, where `p` is the
//! fraction of the time, or the curve parameter for weighted handles (see `bezier.rs`). The result
//! is clamped between the lowest and the highest handle, so that a curve whose handles do not
//! overshoot does not overshoot by a rounding error either.

use super::bezier::{Clock, ROOM, Reach};
use super::key::{Interpolation, Key};
use super::tangent::{Arm, Arms};
use super::{Animate, Ease};

/// Computation of `p` and of the value from the fraction `u` of the time.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// The first key's value.
    Step,
    /// p = u, and only c₁.
    Linear,
    /// p = u.
    Cubic,
    /// p by solving for the time.
    Weighted(Clock),
    /// c₁ times a preset.
    Ease(Ease),
}

/// Curve from one key to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment<T> {
    start: f64,
    length: f64,
    from: T,
    c1: T,
    c2: T,
    c3: T,
    low: T,
    high: T,
    kind: Kind,
}

impl<T: Animate> Segment<T> {
    /// Segment from `a` with its outgoing tangent to `b` with its incoming tangent.
    pub(super) fn new(a: &Key<T>, b: &Key<T>, leaving: &Arms<T>, reaching: &Arms<T>) -> Self {
        let rise = T::from_parts(|i| b.value.part(i) - a.value.part(i));
        let straight = Self {
            start: a.time,
            length: b.time - a.time,
            from: a.value,
            c1: rise,
            c2: T::zero(),
            c3: T::zero(),
            low: T::from_parts(|i| a.value.part(i).min(b.value.part(i))),
            high: T::from_parts(|i| a.value.part(i).max(b.value.part(i))),
            kind: Kind::Linear,
        };
        match a.interpolation {
            _ if T::STEPS => straight.stepping(),
            Interpolation::Step => straight.stepping(),
            Interpolation::Linear => straight,
            Interpolation::Bezier => straight.bent(&leaving.outgoing, &reaching.incoming),
            Interpolation::Ease(ease) => straight.eased(ease),
        }
    }

    fn stepping(self) -> Self {
        Self { c1: T::zero(), low: self.from, high: self.from, kind: Kind::Step, ..self }
    }

    fn eased(self, ease: Ease) -> Self {
        let eased = Self { kind: Kind::Ease(ease), ..self };
        if !ease.overshoots() {
            return eased;
        }
        // No preset overshoots by more than the difference of the keys.
        let size = |i| self.c1.part(i).abs();
        Self {
            low: T::from_parts(|i| self.low.part(i) - size(i)),
            high: T::from_parts(|i| self.high.part(i) + size(i)),
            ..eased
        }
    }

    /// The straight segment `self` with its two handles applied.
    fn bent(self, out: &Arm<T>, back: &Arm<T>) -> Self {
        let (length, rise) = (self.length, self.c1);
        // A handle as fraction of the time and value; `sign` is the direction of the slope.
        let handle = |arm: &Arm<T>, sign: f64| match *arm {
            Arm::Handle(handle) => (handle.time.abs() / length, handle.value),
            Arm::Slope(slope, time) => {
                // Slopes with a short length keep their slope; explicit handles keep their ends.
                let time = time.unwrap_or(length / 3.0).max(ROOM * length);
                (time / length, T::from_parts(|i| sign * slope.part(i) * time))
            }
        };
        let (a, out_value) = handle(out, 1.0);
        let (b, back_value) = handle(back, -1.0);
        let reach = Reach::fit(a, b);
        let first = T::from_parts(|i| out_value.part(i) * reach.scale + reach.add_a * rise.part(i));
        let second =
            T::from_parts(|i| back_value.part(i) * reach.scale - reach.add_b * rise.part(i));
        let clock = Clock::new(reach.a, reach.b);
        // A handle that ends within rounding of a key's value ends on it.
        let hull = |i: usize, key: f64, handle: f64| {
            let slack = 4.0 * f64::EPSILON * (self.from.part(i).abs() + rise.part(i).abs());
            if (handle - key).abs() <= slack { key } else { handle }
        };
        let ends = |i: usize| {
            let from = self.from.part(i);
            (from + first.part(i), from + rise.part(i) + second.part(i))
        };
        Self {
            c1: T::from_parts(|i| 3.0 * first.part(i)),
            c2: T::from_parts(|i| 3.0 * (rise.part(i) + second.part(i) - 2.0 * first.part(i))),
            c3: T::from_parts(|i| 3.0 * (first.part(i) - second.part(i)) - 2.0 * rise.part(i)),
            low: T::from_parts(|i| {
                let (one, two) = ends(i);
                hull(i, self.low.part(i), self.low.part(i).min(one).min(two))
            }),
            high: T::from_parts(|i| {
                let (one, two) = ends(i);
                hull(i, self.high.part(i), self.high.part(i).max(one).max(two))
            }),
            kind: if clock.is_even() { Kind::Cubic } else { Kind::Weighted(clock) },
            ..self
        }
    }

    /// Value at a time from the first key up to, not including, the second.
    #[inline]
    pub(super) fn at(&self, t: f64) -> T {
        // The key itself, with the sign of its zero.
        if t == self.start {
            return self.from;
        }
        let u = (t - self.start) / self.length;
        let p = match self.kind {
            Kind::Step => return self.from,
            Kind::Linear => {
                return self.clamped(|i| self.from.part(i) + u * self.c1.part(i));
            }
            Kind::Cubic => u,
            Kind::Weighted(ref clock) => clock.parameter(u),
            Kind::Ease(ease) => {
                let done = ease.at(u);
                return self.clamped(|i| self.from.part(i) + done * self.c1.part(i));
            }
        };
        self.clamped(|i| {
            let bend = self.c2.part(i) + p * self.c3.part(i);
            self.from.part(i) + p * (self.c1.part(i) + p * bend)
        })
    }

    /// Assembles a value and clamps it between the handles.
    #[inline]
    fn clamped(&self, part: impl Fn(usize) -> f64) -> T {
        T::from_parts(|i| part(i).max(self.low.part(i)).min(self.high.part(i)))
    }

    /// Slope per second at a time from the first key to the second, both included.
    pub(super) fn slope(&self, t: f64) -> T {
        let u = ((t - self.start) / self.length).min(1.0);
        let (p, per_second) = match self.kind {
            Kind::Step => return T::zero(),
            Kind::Linear => (0.0, self.length),
            Kind::Cubic => (u, self.length),
            Kind::Weighted(clock) => {
                let p = clock.parameter(u);
                (p, self.length * clock.speed(p))
            }
            Kind::Ease(ease) => {
                let speed = ease.slope(u);
                return T::from_parts(|i| speed * self.c1.part(i) / self.length);
            }
        };
        T::from_parts(|i| {
            let bend = 2.0 * self.c2.part(i) + p * (3.0 * self.c3.part(i));
            (self.c1.part(i) + p * bend) / per_second
        })
    }

    /// Whether the value is constant.
    pub(super) fn is_level(&self) -> bool {
        self.low == self.from && self.high == self.from
    }

    /// Whether it is a polynomial in time, of degree three at most.
    pub(super) fn is_polynomial(&self) -> bool {
        matches!(self.kind, Kind::Step | Kind::Linear | Kind::Cubic)
    }

    /// Calls `found` with every time inside at which the formula changes.
    pub(super) fn joints(&self, mut found: impl FnMut(f64)) {
        if let Kind::Ease(ease) = self.kind {
            ease.joints(|u| found(self.start + u * self.length));
        }
    }
}

impl Segment<f64> {
    /// Integral over time from the first key to `t`, in closed form.
    pub(super) fn integral(&self, t: f64) -> f64 {
        let seconds = t - self.start;
        let u = (seconds / self.length).min(1.0);
        let level = self.from * seconds;
        let Self { c1, c2, c3, length, .. } = *self;
        match self.kind {
            Kind::Step => level,
            Kind::Linear => level + length * (u * u) * c1 / 2.0,
            Kind::Cubic => level + length * (u * u) * (c1 / 2.0 + u * (c2 / 3.0 + u * c3 / 4.0)),
            Kind::Ease(ease) => level + length * c1 * ease.integral(u),
            Kind::Weighted(ref clock) => {
                // Value times the derivative of time, both polynomials in p.
                let p = clock.parameter(u);
                let [s0, s1, s2] = clock.speed_coefficients();
                let sum = (c1 * s0) / 2.0
                    + p * ((c1 * s1 + c2 * s0) / 3.0
                        + p * ((c1 * s2 + c2 * s1 + c3 * s0) / 4.0
                            + p * ((c2 * s2 + c3 * s1) / 5.0 + p * (c3 * s2) / 6.0)));
                level + length * (p * p) * sum
            }
        }
    }
}
