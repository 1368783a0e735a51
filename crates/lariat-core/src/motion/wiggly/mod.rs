//! Curves that hit their keys exactly and oscillate: Kass and Anderson's Wiggly Splines.
//!
//! # The curve
//!
//! Of all curves through the knots, the one that needs the least force on a spring:
//!
//! ```text
//! minimise ∫ |L x|² dt,   L = (D - p)² + β²,   p(t) = -d(t) + iω(t),   Re x(tₖ) = vₖ
//! ```
//!
//! `x` is complex (the *complex* spline, section 5 of the paper) or real with `L = (D + d)² + ω²`
//! (section 4). At `ω = d = 0` it is the natural cubic spline.
//!
//! # Solution in continuous time
//!
//! The paper samples the curve once per frame and solves a banded system (the `lariat-papers` crate
//! does that). The result depends on the frame rate, keys must lie on frames, and long gaps lose
//! digits. Here time is continuous. Two observations make that cheap:
//!
//! * With the phase removed, `x = e^(i∫ω) x̂`, the cost does not depend on the frequency: `x̂`
//!   is slow, and only the *keys* rotate. A keyed frequency costs one integral
//!   (`motion::Integral`, in closed form), and a chirp is free motion exactly.
//! * Between two nodes the least cost is a quadratic form of their states, and short
//!   stretches combine to long ones without loss of precision (`element.rs`).
//!
//! The unknowns are the states at knots, four numbers and one block row each: O(knots), independent
//! of the length of the shot. The curve between them is a polynomial of degree seven per cell.
//! Cells are short against the rate of change of `x̂` and the same at every frame rate. A value is
//! one search and one polynomial.
//!
//! ```text
//! spring.rs    parameters of the spring
//! knot.rs      a value to be hit, slopes, local support
//! element.rs   a stretch of time: transition, gramian and cost
//! chain.rs     the linear system of the nodes, open or periodic
//! stretch.rs   the cells of a stretch, and the curve through them
//! plan.rs      nodes and their factored system, independent of values
//! inputs.rs    checks and preparation of the inputs
//! solved.rs    the solved curve, and its value at any time
//! ring_down.rs ring-down after the last knot
//! values_at.rs values at many times
//! passive.rs   response to a moving equilibrium and to forces
//! follow.rs    followers, shifted in phase and scaled
//! response.rs  frequency response of a spring
//! bake.rs      the curve as ordinary keys
//! ```
//!
//! # Differences from the paper
//!
//! * Continuous time, as above.
//! * **Overshoot penalty**: keys half a period apart leave the paper's objective without a unique
//!   minimum, or with one a hundred times the size of the keys. A penalty on changes of the
//!   oscillation, `∫ rz |x' - p x|²`, fixes that; the cost of the two together for an oscillation
//!   that does not change is subtracted, so keys on a free oscillation reproduce it.
//!   `overshoot_penalty = 0` is the paper's.
//! * **Long gaps**: the curve leaves a key in free oscillation if the next key is some cycles away,
//!   and also the last key.
//! * **Slow springs** are braked after their last knot (`ring_down.rs`).
//! * Where the minimum is not unique (one knot, no penalty), a free oscillation is preferred, then
//!   a small one.
//! * The bandwidth falls with the frequency, `β ≤ ω/2`, so that the limit `ω = 0` is cubic.
//! * Where the frequency jumps, value and velocity stay continuous, as with any real spring; also
//!   where a loop closes.
//! * Where there is no spring at all after the last knot, the last value is held, until a spring
//!   begins again (`inputs.rs`).

mod bake;
mod chain;
mod element;
mod follow;
mod inputs;
mod knot;
mod passive;
mod plan;
pub mod response;
mod ring_down;
mod solved;
mod spring;
mod stretch;
mod values_at;

use std::fmt;
use std::sync::Arc;

use num_complex::Complex64;
use thiserror::Error;

pub(super) use self::bake::baked;
pub use self::follow::{Follow, Lag};
use self::inputs::{check, check_knot, holds, last_change, pin, starting_time};
pub use self::knot::{Knot, Slope};
use self::passive::Passive;
use self::plan::{Node, Plan};
use self::solved::{Component, Solved};
pub use self::spring::{DEFAULT_BANDWIDTH, Damping, Kind, Spring, default_overshoot_penalty};
pub use self::values_at::ValuesAt;
use super::keys::MIN_GAP;
use super::{Animate, Channel, Interval, KeysError};

/// Initial condition of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Start {
    /// At rest on its first knot, or earlier if its equilibrium moves earlier. Without a spring
    /// at the start, the curve begins as a natural cubic spline.
    #[default]
    Rest,
    /// At rest until this time in seconds, which is before the first knot.
    RestUntil(f64),
    /// Free: the least cost, as published. Before the first knot its value is held.
    Free,
}

/// Parameters of a curve besides its knots.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup<T> {
    /// Spring.
    pub spring: Spring,
    /// Initial condition.
    pub start: Start,
    /// Equilibrium; by default the value of the first knot.
    pub around: Option<Channel<T>>,
    /// External force, in the unit of the value per second².
    pub push: Option<Channel<T>>,
    /// Period of a loop in seconds, from the first knot on.
    pub period: Option<f64>,
    /// Time in seconds up to which a moving equilibrium is followed; it is held beyond.
    pub until: f64,
}

impl<T> Setup<T> {
    /// At rest on its first knot, around that knot's value.
    pub fn new(spring: Spring) -> Self {
        Self { spring, start: Start::Rest, around: None, push: None, period: None, until: 0.0 }
    }
}

/// Error of making a wiggly curve.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum WigglyError {
    /// An invalid knot.
    #[error(transparent)]
    Knot(#[from] KeysError),
    /// The rest extends beyond the first knot.
    #[error(
        "the rest until {until} s ends after the first key at {first} s: end it earlier, or remove the key"
    )]
    RestsTooLong {
        /// End of the rest in seconds.
        until: f64,
        /// The first knot.
        first: f64,
    },
    /// A loop that is too short for its knots.
    #[error("a loop of {period} s is too short for keys that are {span} s apart: make it longer")]
    ShortLoop {
        /// Period in seconds.
        period: f64,
        /// Time from the first knot to the last in seconds.
        span: f64,
    },
    /// A switch, which cannot oscillate.
    #[error("a switch is on or off and cannot oscillate: give it `keys`")]
    Switch,
    /// Neither knots nor an equilibrium.
    #[error("a wiggly curve needs keys, or a value that it moves around")]
    Nothing,
}

/// Keys in resonance with the spring, or too close together, so that the curve overshoots them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resonance {
    /// Time of the first of the two keys with the largest overshoot, in seconds.
    pub from: f64,
    /// Time of the second; infinite if the largest overshoot is after the last key.
    pub to: f64,
    /// Half periods between them; below a half they are too close together.
    pub half_periods: f64,
    /// Largest deviation of the curve from its equilibrium.
    pub reach: f64,
    /// Largest deviation of the keys from the equilibrium.
    pub asked: f64,
    /// Time of the key whose slope causes the overshoot, with its slope per second, if one does.
    pub slope: Option<(f64, f64)>,
}

/// A curve that hits its knots and oscillates between and after them.
///
/// Immutable and cheap to clone; edits return another curve.
///
/// ```
/// use lariat_core::motion::wiggly::{Knot, Setup, Spring, Wiggly};
///
/// let knots = vec![Knot::new(0.0, 0.0), Knot::new(1.0, 35.0), Knot::new(4.0, 0.0)];
/// let swing = Wiggly::new(knots, Setup::new(Spring::new(1.4)))?;
/// assert_eq!(swing.at(1.0), 35.0);
/// assert!(swing.at(1.36) < 0.0, "half a swing later it is on the other side");
/// # Ok::<(), lariat_core::motion::wiggly::WigglyError>(())
/// ```
#[derive(Clone)]
pub struct Wiggly<T>(Arc<Solved<T>>);

impl<T: Animate> Wiggly<T> {
    /// Curve through `knots`, which are sorted by time.
    pub fn new(knots: Vec<Knot<T>>, setup: Setup<T>) -> Result<Self, WigglyError> {
        check(&knots, &setup)?;
        let times: Vec<f64> = knots.iter().map(|knot| knot.time).collect();
        let start = starting_time(&times, &setup).unwrap_or(0.0);
        let mut nodes: Vec<Node> = Vec::new();
        let mut node_of = Vec::with_capacity(knots.len());
        let spring = &setup.spring;
        let slack = spring.at(start).is_slack();
        let ring = setup.period.is_some();
        if let Some(first) = times.first() {
            let mut jumps = Vec::new();
            let last = times[times.len() - 1];
            let mut end = setup.period.map_or_else(|| last_change(&setup, last), |p| first + p);
            let mut held = if ring { Vec::new() } else { holds(spring, last, end) };
            if let Some([from, _]) = held.pop_if(|[_, to]| to.is_infinite()) {
                end = from;
            }
            for channel in spring.channels() {
                plan::jumps(channel, *first, end, &mut jumps);
            }
            jumps.retain(|t| !held.iter().any(|[from, to]| (*from..=*to).contains(t)));
            let rests_before = start < *first && setup.start != Start::Free && !ring;
            if rests_before {
                let mut node = Node::new(start, spring);
                node.pinned = [true; 4];
                nodes.push(node);
            }
            let mut all: Vec<(f64, Option<usize>)> =
                times.iter().enumerate().map(|(i, t)| (*t, Some(i))).collect();
            all.extend(jumps.iter().chain(held.iter().flatten()).map(|t| (*t, None)));
            if !ring && end > last {
                all.push((end, None));
            }
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            for (time, knot) in all {
                match (knot, nodes.last()) {
                    (None, Some(last)) if time - last.time < MIN_GAP => continue,
                    (Some(_), Some(last)) if time - last.time < MIN_GAP && !last.pinned[0] => {
                        nodes.pop();
                    }
                    _ => {}
                }
                let mut node = Node::new(time, spring);
                if held.iter().any(|[_, to]| *to == time) {
                    node = Node::held(time, spring);
                }
                if let Some(i) = knot {
                    let rests =
                        i == 0 && !rests_before && !ring && setup.start != Start::Free && !slack;
                    pin(&mut node, &knots[i], rests);
                    node_of.push(nodes.len());
                }
                nodes.push(node);
            }
        }
        if let (Some(period), Some(first)) = (setup.period, nodes.first_mut()) {
            // The state before the first node of a period is its end. The spring may differ from
            // that before the first period: value and velocity are continuous all the same.
            first.before = spring.at((first.time + period).next_down());
        }
        let plan = (!nodes.is_empty()).then(|| Arc::new(Plan::new(spring, nodes, setup.period)));
        let push = setup.push.clone().unwrap_or(Channel::Constant(T::zero()));
        let around = setup.around.clone().unwrap_or_else(|| {
            Channel::Constant(knots.first().map_or_else(T::zero, |knot| knot.value))
        });
        let until = setup.until.max(times.last().copied().unwrap_or(start));
        let parts = (0..T::PARTS)
            .map(|i| {
                let (around, push) = (around.part(i), push.part(i));
                let span = (start, until);
                let last = times.last().copied().unwrap_or(start);
                let held_from = if ring { f64::INFINITY } else { last };
                let passive = Passive::new(spring, &around, &push, span, setup.period, held_from)
                    .map(Arc::new);
                let level = (passive.is_none() && around.is_constant()).then(|| around.at(0.0));
                Component { around, passive, level, states: Vec::new(), cells: Vec::new() }
            })
            .collect();
        let mut solved = Solved { knots, times, setup, plan, node_of, parts };
        for i in 0..T::PARTS {
            solved.solve(i);
        }
        Ok(Self(Arc::new(solved)))
    }

    /// This curve with the value of one knot changed, and the interval in which it may differ.
    ///
    /// The factorisation is reused: two sweeps over the nodes, and the cells are recomputed.
    pub fn with_value(&self, index: usize, value: T) -> Result<(Self, Interval), WigglyError> {
        let old = &*self.0;
        let mut knots = old.knots.clone();
        let Some(knot) = knots.get_mut(index) else {
            return Err(KeysError::NoKeyThere { time: f64::NAN, nearest: f64::NAN }.into());
        };
        let changed: Vec<usize> =
            (0..T::PARTS).filter(|i| knot.value.part(*i) != value.part(*i)).collect();
        knot.value = value;
        check_knot(index, knot)?;
        if index == 0 && old.setup.around.is_none() {
            // The default equilibrium is the value of the first knot.
            let edited = Self::new(knots, old.setup.clone())?;
            return Ok((edited, Interval::ALL_TIME));
        }
        let mut solved = Solved {
            knots,
            times: old.times.clone(),
            setup: old.setup.clone(),
            plan: old.plan.clone(),
            node_of: old.node_of.clone(),
            parts: old.parts.clone(),
        };
        for i in changed {
            solved.solve(i);
        }
        let touched = solved.affected_span(solved.node_of[index]);
        Ok((Self(Arc::new(solved)), touched))
    }

    /// This curve with one more knot, or with the one at the same time replaced.
    pub fn with_knot(&self, knot: Knot<T>) -> Result<(Self, Interval), WigglyError> {
        let mut knots = self.0.knots.clone();
        let at = knots.partition_point(|other| other.time < knot.time - MIN_GAP);
        match knots.get_mut(at) {
            Some(other) if (other.time - knot.time).abs() < MIN_GAP => *other = knot,
            _ => knots.insert(at, knot),
        }
        self.replaced(knots, knot.time)
    }

    /// This curve without the knot at `time`.
    pub fn without_knot(&self, time: f64) -> Result<(Self, Interval), WigglyError> {
        let mut knots = self.0.knots.clone();
        let near = |knot: &Knot<T>| (knot.time - time).abs();
        let nearest = (0..knots.len()).min_by(|a, b| near(&knots[*a]).total_cmp(&near(&knots[*b])));
        match nearest {
            Some(at) if near(&knots[at]) < MIN_GAP => {
                knots.remove(at);
                self.replaced(knots, time)
            }
            other => {
                let nearest = other.map_or(f64::NAN, |at| knots[at].time);
                Err(KeysError::NoKeyThere { time, nearest }.into())
            }
        }
    }

    fn replaced(&self, knots: Vec<Knot<T>>, time: f64) -> Result<(Self, Interval), WigglyError> {
        let edited = Self::new(knots, self.0.setup.clone())?;
        let firsts = [self, &edited].map(|w| w.0.times.first().copied());
        let same_equilibrium = self.0.setup.around.is_some() || firsts[0] == firsts[1];
        if !same_equilibrium || firsts.iter().flatten().any(|first| time <= *first) {
            return Ok((edited, Interval::ALL_TIME));
        }
        let touched = self.0.independent_span(time).cover(edited.0.independent_span(time));
        Ok((edited, touched))
    }

    /// Slope per second at a time; on a knot with broken slopes, that after it.
    pub fn slope(&self, t: f64) -> T {
        T::from_parts(|i| self.0.moving(i, t).1)
    }

    /// Shortest interval outside which both have the same value; `None` if they have it
    /// everywhere. Local knots limit the interval.
    pub fn difference(&self, other: &Self) -> Option<Interval> {
        let (a, b) = (&*self.0, &*other.0);
        if self == other {
            return None;
        }
        let same_equilibrium = a.setup.around.is_some() || a.knots.first() == b.knots.first();
        if a.setup != b.setup || !same_equilibrium {
            return Some(Interval::ALL_TIME);
        }
        let alike = |(a, b): &(&Knot<T>, &Knot<T>)| a == b;
        let head = a.knots.iter().zip(&b.knots).take_while(alike).count();
        let short = a.knots.len().min(b.knots.len()) - head;
        let tail = a.knots.iter().rev().zip(b.knots.iter().rev()).take(short).take_while(alike);
        let tail = tail.count();
        let touched = |solved: &Solved<T>| {
            let changed = &solved.knots[head..solved.knots.len() - tail];
            changed.iter().map(|knot| solved.independent_span(knot.time)).reduce(|a, b| a.cover(b))
        };
        match (touched(a), touched(b)) {
            (Some(a), Some(b)) => Some(a.cover(b)),
            (a, b) => a.or(b),
        }
    }

    /// One component of the value as a curve.
    pub fn part(&self, part: usize) -> Wiggly<f64> {
        let Solved { knots, times, setup, plan, node_of, parts } = &*self.0;
        let slope = |slope: &Option<Slope<T>>| {
            slope.map(|slope| match slope {
                Slope::Hard(g) => Slope::Hard(g.part(part)),
                Slope::Soft(g, strength) => Slope::Soft(g.part(part), strength),
            })
        };
        let knot = |knot: &Knot<T>| Knot {
            time: knot.time,
            value: knot.value.part(part),
            left: slope(&knot.left),
            right: slope(&knot.right),
            local: knot.local,
        };
        Wiggly(Arc::new(Solved {
            knots: knots.iter().map(knot).collect(),
            times: times.clone(),
            setup: Setup {
                spring: setup.spring.clone(),
                start: setup.start,
                around: setup.around.as_ref().map(|channel| channel.part(part)),
                push: setup.push.as_ref().map(|channel| channel.part(part)),
                period: setup.period,
                until: setup.until,
            },
            plan: plan.clone(),
            node_of: node_of.clone(),
            parts: vec![parts[part].clone()],
        }))
    }

    /// The largest overshoot of the curve beyond its knots, if it is excessive.
    pub fn resonance(&self) -> Option<Resonance> {
        (0..T::PARTS)
            .filter_map(|i| self.0.resonance(i))
            .max_by(|a, b| (a.reach * b.asked).total_cmp(&(b.reach * a.asked)))
    }

    /// Value at a time in seconds; finite at every time, and bit for bit that of a knot.
    pub fn at(&self, t: f64) -> T {
        self.0.at(t)
    }

    /// Values at many times: those of [`at`](Self::at), bit for bit, in half the time where
    /// most times lie between the same two knots as the one before.
    pub fn values_at<I: IntoIterator<Item = f64>>(&self, times: I) -> ValuesAt<'_, T, I::IntoIter> {
        ValuesAt::new(self, times.into_iter())
    }

    /// Deviation of one component from its equilibrium as a phasor: its real part is the deviation,
    /// its absolute value the amplitude, its angle the phase in radians.
    pub fn phasor(&self, part: usize, t: f64) -> Complex64 {
        self.0.phasor(part, t)
    }

    /// Force on the spring, in the unit of the value per second², that produces this motion:
    /// `x'' + 2d x' + (d² + ω²) x`, the paper's residual `J` of a spring with one pole. Zero for
    /// free motion; a chirp is free motion.
    pub fn residual(&self, part: usize, t: f64) -> Complex64 {
        self.0.residual(part, t)
    }

    /// The knots.
    pub fn knots(&self) -> &[Knot<T>] {
        &self.0.knots
    }

    /// Parameters besides the knots.
    pub fn setup(&self) -> &Setup<T> {
        &self.0.setup
    }

    /// Frequency of the spring in hertz at a time.
    pub fn hertz(&self, t: f64) -> f64 {
        let t = self.0.in_period(t).0;
        self.0.setup.spring.at(t).omega / std::f64::consts::TAU
    }

    /// Equilibrium of the spring at a time.
    pub fn equilibrium(&self, t: f64) -> T {
        let t = self.0.in_period(t).0;
        T::from_parts(|i| self.0.parts[i].around.at(t))
    }

    /// Whether the value is the same at all times.
    pub fn is_constant(&self) -> bool {
        let Solved { knots, parts, .. } = &*self.0;
        let level = |i: usize, part: &Component| {
            let rest = part.around.at(0.0);
            part.passive.is_none()
                && part.around.is_constant()
                && knots.iter().all(|knot| knot.value.part(i) == rest)
                && part.states.iter().flatten().all(|s| *s == 0.0)
                && part.cells.iter().flatten().all(|c| *c == Complex64::ZERO)
        };
        parts.iter().enumerate().all(|(i, part)| level(i, part))
    }

    /// Times of the knots in seconds, ascending.
    pub fn knot_times(&self) -> &[f64] {
        &self.0.times
    }

    /// Interval from the start of the motion to the last knot or the last change of the spring.
    pub fn span(&self) -> Option<Interval> {
        let Solved { times, plan, .. } = &*self.0;
        match plan {
            Some(plan) => {
                Some(Interval::new(plan.nodes[0].time, plan.nodes[plan.nodes.len() - 1].time))
            }
            None => Some(Interval::new(*times.first()?, *times.last()?)),
        }
    }
}

/// Equal if knots and parameters are; the rest is derived.
impl<T: PartialEq> PartialEq for Wiggly<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.knots == other.0.knots && self.0.setup == other.0.setup)
    }
}

impl<T: fmt::Debug> fmt::Debug for Wiggly<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Solved { knots, setup, .. } = &*self.0;
        f.debug_struct("Wiggly").field("knots", knots).field("setup", setup).finish()
    }
}
