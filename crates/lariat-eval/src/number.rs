//! A parameter and its allowed range, sampled at a time.
//!
//! Keys are checked when the document is read, but a curve can overshoot its keys: a radius keyed to
//! nearly zero may become negative. Such a value is held at the edge of its range, and a warning is
//! added once per frame.

use lariat_core::motion::{Channel, Integral};
use lariat_scene::lower::Record;
use lariat_scene::schema::{Bound, Range};

use crate::warning::{LeftRange, Subject, Warning};

/// Distance from an exclusive bound at which a value is held, in the unit of the parameter: a
/// thousandth of a millimetre for lengths.
const JUST_PAST: f64 = 1e-6;

/// A number or keys, with their range.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    channel: Channel<f64>,
    low: f64,
    high: f64,
    subject: Subject,
    field: &'static str,
}

impl Number {
    /// The parameter `name` of a record; `None` if it is not given and has no default.
    pub(crate) fn read(record: &Record, name: &'static str) -> Option<Self> {
        let channel = record.scalar(name)?.clone();
        let range = record.record_type().field(name).map_or(Range::ANY, |f| f.range);
        let bound = |bound: Bound, open: f64, inward: f64| match bound {
            Bound::Open => open,
            Bound::At(edge) => edge,
            Bound::Past(edge) => edge + inward,
        };
        let low = bound(range.low, f64::NEG_INFINITY, JUST_PAST);
        let high = bound(range.high, f64::INFINITY, -JUST_PAST);
        // A constant was checked when it was read; a tiny one that is allowed stays as it is.
        let (low, high) =
            if channel.is_constant() { (f64::NEG_INFINITY, f64::INFINITY) } else { (low, high) };
        // Only keyed parameters can leave their range.
        let subject = if channel.is_constant() { Subject::Body } else { Subject::record(record) };
        Some(Self { channel, low, high, subject, field: name })
    }

    /// The parameter `name`, which the schema gives a default or requires.
    pub(crate) fn of(record: &Record, name: &'static str) -> Self {
        Self::read(record, name).unwrap_or_else(|| {
            debug_assert!(false, "`{name}` of {} has neither value nor default", record.kind());
            Self::constant(0.0)
        })
    }

    /// A number that never changes.
    pub(crate) fn constant(value: f64) -> Self {
        Self {
            channel: Channel::Constant(value),
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            subject: Subject::Body,
            field: "",
        }
    }

    /// Its value at `t` seconds, within its range.
    pub(crate) fn at(&self, t: f64, warnings: &mut Vec<Warning>) -> f64 {
        let value = self.channel.at(t);
        if value >= self.low && value <= self.high {
            return value;
        }
        let held = value.clamp(self.low, self.high);
        let kind = LeftRange { value, held }.into();
        warnings.push(Warning { subject: self.subject.clone(), field: self.field, kind });
        held
    }

    /// Value at `t` in radians, of a parameter in degrees.
    pub(crate) fn radians(&self, t: f64, warnings: &mut Vec<Warning>) -> f64 {
        lariat_core::num::ops::radians(self.at(t, warnings))
    }

    pub(crate) fn channel(&self) -> &Channel<f64> {
        &self.channel
    }

    pub(crate) fn is_constant(&self) -> bool {
        self.channel.is_constant()
    }
}

/// Distance that a pattern has travelled since frame 0: the integral of its speed, or of its speed
/// times its ripples. `None` while nothing travels.
pub(crate) fn travelled(speed: &Number, times: Option<&Number>) -> Option<Integral> {
    if matches!(speed.channel(), Channel::Constant(v) if *v == 0.0) {
        return None;
    }
    Some(match times {
        Some(times) => Integral::of_product(speed.channel(), times.channel()),
        None => Integral::of(speed.channel()),
    })
}
