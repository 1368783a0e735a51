//! One of the two channels whose product is integrated: its joints, and its extrapolation.
//!
//! A quadrature evaluates many values between two joints, where one formula holds. A [`Formula`] is
//! looked up once, so that a value costs neither a search nor a mapping into a period.

use super::extrapolation::InPeriod;
use super::integral::Sums;
use super::segment::Segment;
use super::{Extrapolation, Keys};

/// Copies of joints that one cycle may add to the table. More: memory (16 bytes each) and time (a
/// microsecond each, fifty for nearly vertical handles). Fewer: long shots are averaged sooner.
const MAX_COPIES: f64 = 512.0;

/// Periods of a cycle that are always followed, regardless of the number of joints.
pub(super) const MIN_PERIODS: f64 = 16.0;

/// One of the two channels.
#[derive(Clone, Debug)]
pub(super) struct Factor {
    keys: Keys<f64>,
    sums: Sums,
    /// Times at which the formula changes: keys, and joints of presets; ascending.
    joints: Vec<f64>,
    /// The largest value on a joint.
    pub(super) largest: f64,
    /// Whether all segments are cubics in time, without weights and presets.
    pub(super) plain: bool,
    /// Interval outside which a cycle is replaced by its average.
    from: f64,
    to: f64,
}

impl Factor {
    pub(super) fn new(keys: &Keys<f64>) -> Self {
        let mut joints = keys.key_times().to_vec();
        for segment in keys.segments() {
            segment.joints(|t| joints.push(t));
        }
        joints.sort_by(f64::total_cmp);
        let largest = joints.iter().map(|t| keys.at(*t).abs()).fold(0.0, f64::max);
        let (from, to) = (f64::NEG_INFINITY, f64::INFINITY);
        let plain = keys.segments().iter().all(Segment::is_polynomial);
        Self { keys: keys.clone(), sums: Sums::new(keys), joints, largest, plain, from, to }
    }

    pub(super) fn first(&self) -> f64 {
        self.keys.first_time()
    }

    pub(super) fn last(&self) -> f64 {
        self.keys.last_time()
    }

    fn length(&self) -> f64 {
        self.last() - self.first()
    }

    /// Extrapolation on one side; a single key always holds.
    fn extend(&self, after: bool) -> Extrapolation {
        match if after { self.keys.after() } else { self.keys.before() } {
            _ if self.length() == 0.0 => Extrapolation::Hold,
            extend => extend,
        }
    }

    fn is_cut(&self, after: bool) -> bool {
        if after { self.to.is_finite() } else { self.from.is_finite() }
    }

    /// Period, if it repeats.
    pub(super) fn period(&self, after: bool) -> Option<f64> {
        match self.extend(after) {
            Extrapolation::Hold | Extrapolation::Line => None,
            _ if self.is_cut(after) => None,
            Extrapolation::PingPong => Some(2.0 * self.length()),
            Extrapolation::Cycle | Extrapolation::CycleOffset => Some(self.length()),
        }
    }

    /// Joints in one period.
    pub(super) fn copies(&self, after: bool) -> f64 {
        let lengths = if self.extend(after) == Extrapolation::PingPong { 2.0 } else { 1.0 };
        lengths * self.joints.len() as f64
    }

    /// Limit up to which a cycle is followed copy by copy.
    pub(super) fn reach(&self, after: bool) -> Option<f64> {
        let periods = (MAX_COPIES / self.joints.len() as f64).floor().max(MIN_PERIODS);
        let distance = periods * self.length();
        let repeats = self.extend(after).repeats();
        repeats.then(|| if after { self.last() + distance } else { self.first() - distance })
    }

    pub(super) fn cut(&mut self, after: bool) {
        if let Some(reach) = self.reach(after) {
            self.cut_at(reach, after);
        }
    }

    pub(super) fn cut_at(&mut self, t: f64, after: bool) {
        if after {
            self.to = t;
        } else {
            self.from = t;
        }
    }

    /// Formula that holds between two times without a joint between them.
    pub(super) fn formula(&self, from: f64, to: f64) -> Formula<'_> {
        let middle = 0.5 * (from + to);
        let keys = &self.keys;
        let segment = |place: f64, direction: f64, raise: f64| {
            let segment = &keys.segments()[keys.segment_at(place)];
            Formula::Segment { segment, middle, place, direction, raise }
        };
        if middle >= self.first() && middle < self.last() {
            return segment(middle, 1.0, 0.0);
        }
        let after = middle >= self.last();
        if self.is_cut(after) && (middle >= self.to || middle <= self.from) {
            let slope = self.average_slope(after);
            return Formula::Line { t: middle, value: self.average(middle, after), slope };
        }
        let end = if after { self.last() } else { self.first() };
        match self.extend(after) {
            Extrapolation::Hold => Formula::Line { t: end, value: keys.at(end), slope: 0.0 },
            Extrapolation::Line => {
                Formula::Line { t: end, value: keys.at(end), slope: keys.end_slope(after) }
            }
            extend => {
                let place = InPeriod::new(middle, self.first(), self.last(), false);
                match extend {
                    Extrapolation::PingPong if place.is_backwards() => {
                        segment(keys.mirrored(place.t), -1.0, 0.0)
                    }
                    Extrapolation::CycleOffset => {
                        segment(place.t, 1.0, place.periods * keys.gain())
                    }
                    _ => segment(place.t, 1.0, 0.0),
                }
            }
        }
    }

    /// The line through the averages of a cycle.
    fn average(&self, t: f64, after: bool) -> f64 {
        let middle = 0.5 * (self.first() + self.last());
        let slope = self.average_slope(after);
        self.sums.whole_period() / self.length() + slope * (t - middle)
    }

    fn average_slope(&self, after: bool) -> f64 {
        match self.extend(after) {
            Extrapolation::CycleOffset => self.keys.gain() / self.length(),
            _ => 0.0,
        }
    }

    /// Gain over `period` seconds outwards, if it is a period.
    pub(super) fn gain(&self, period: f64, after: bool) -> f64 {
        let forward = match self.extend(after) {
            Extrapolation::Line => self.keys.end_slope(after) * period,
            Extrapolation::CycleOffset => self.average_slope(after) * period,
            Extrapolation::Hold | Extrapolation::Cycle | Extrapolation::PingPong => 0.0,
        };
        if after { forward } else { -forward }
    }

    /// Integral between two times on one side of the table.
    pub(super) fn integral(&self, from: f64, to: f64, after: bool) -> f64 {
        if self.is_cut(after) {
            return 0.5 * (to - from) * (self.average(from, after) + self.average(to, after));
        }
        self.sums.to(to) - self.sums.to(from)
    }

    /// Adds the joints strictly between two times.
    pub(super) fn add_joints(&self, from: f64, to: f64, out: &mut Vec<f64>) {
        let mut add = |t: f64| {
            if t > from && t < to {
                out.push(t);
            }
        };
        self.joints.iter().for_each(|t| add(*t));
        add(self.from);
        add(self.to);
        let length = self.length();
        for after in [false, true] {
            let extend = self.extend(after);
            if !extend.repeats() {
                continue;
            }
            // Periods are counted outwards from the keys, which are period 0.
            let (near, far, direction) = if after {
                (from - self.last(), to.min(self.to) - self.last(), 1.0)
            } else {
                (self.first() - to, self.first() - from.max(self.from), -1.0)
            };
            let mut period = (near / length).floor().max(0.0) + 1.0;
            while (period - 1.0) * length < far {
                let backwards = extend == Extrapolation::PingPong
                    && period - 2.0 * (0.5 * period).floor() != 0.0;
                for t in &self.joints {
                    let t = if backwards { self.keys.mirrored(*t) } else { *t };
                    add(t + direction * period * length);
                }
                period += 1.0;
            }
        }
    }
}

/// A single formula of a channel.
#[derive(Clone, Copy, Debug)]
pub(super) enum Formula<'a> {
    /// A line through `value` at `t`.
    Line { t: f64, value: f64, slope: f64 },
    /// A segment between two keys. Time `middle` maps to `place` in it; from there time runs
    /// forwards or backwards (`direction`).
    Segment { segment: &'a Segment<f64>, middle: f64, place: f64, direction: f64, raise: f64 },
}

impl Formula<'_> {
    pub(super) fn at(&self, time: f64) -> f64 {
        match *self {
            Self::Line { t, value, slope } => value + slope * (time - t),
            Self::Segment { segment, middle, place, direction, raise } => {
                segment.at(place + direction * (time - middle)) + raise
            }
        }
    }
}
