//! Curves that hit their keys exactly and oscillate: Kass and Anderson's Wiggly Splines.
//!
//! # The curve
//!
//! Among all curves through the knots, the one that a spring would need the least pushing for:
//!
//! ```text
//! minimise ∫ |L x|² dt,   L = (D - p)² + β²,   p(t) = -d(t) + iω(t),   Re x(tₖ) = vₖ
//! ```
//!
//! `x` is complex (the *complex* spline, section 5 of the paper) or real with `L = (D + d)² + ω²`
//! (section 4). At `ω = d = 0` it is the natural cubic spline.
//!
//! # How it is solved, and why not on frames
//!
//! The paper samples the curve once a frame and solves a banded system (`crate::sampled` does that).
//! Its answer then depends on the frame rate, keys must lie on frames, and long gaps lose digits.
//! Here time is continuous. Two observations make that cheap:
//!
//! * With the phase taken out, `x = e^(i∫ω) x̂`, nothing of the frequency is left in the cost: `x̂`
//!   is slow, and only the *keys* turn. A frequency keyed through time costs one integral
//!   (`motion::Integral`, in closed form), and a chirp is free motion exactly.
//! * Between two nodes the least cost is a quadratic form of the two states there, and short
//!   stretches join to long ones without loss (`element.rs`).
//!
//! So the unknowns are states at knots: four numbers each, one block row each, O(knots), whatever
//! the length of the shot. The curve between them is a polynomial of degree seven per cell, cells
//! being short against how fast `x̂` changes and the same at every frame rate: any time is one
//! search and one polynomial. What the frame rate is, nobody here knows.
//!
//! ```text
//! spring.rs    how fast, how bouncy, how loose, and what that means in numbers
//! knot.rs      a value to be hit, slopes, local support
//! element.rs   a stretch of time: transition, reach and price
//! chain.rs     the system of nodes, in a row or in a ring
//! stretch.rs   the cells of a stretch, and the curve through them
//! plan.rs      nodes and the system that ties them; factored once, used for every value
//! inputs.rs     what it is made from, looked at first
//! solved.rs    the curve solved, and its value at any time
//! ring_down.rs     how it rings down after its last knot
//! values_at.rs its values at one time after the other
//! passive.rs   the response to a moving equilibrium and to pushes
//! follow.rs    readouts shifted in phase and scaled
//! response.rs  how strongly a spring answers at each frequency
//! bake.rs      the curve as ordinary keys
//! ```
//!
//! # Where we leave the paper
//!
//! * Continuous time, as above.
//! * **Calm**: spacings of half a period leave the paper's objective without a unique minimum, or
//!   with one a hundred times the size of the keys. A price on changes of the swing,
//!   `∫ rz |x' - p x|²`, settles that; what the two together charge for a swing that does not
//!   change at all is taken out again, so a free oscillation through its own keys comes back.
//!   `calm = 0` is the paper's.
//! * **Nobody waiting**: a key that is followed by no other for some swings, and the last key, is
//!   left in free oscillation.
//! * **Slow springs** are braked after their last knot (`ring_down.rs`).
//! * Where nothing else decides (one knot, no price), a free oscillation is preferred, then a
//!   small one.
//! * Bandwidth fades with the frequency, `β ≤ ω/2`, so that the cubic limit is one.
//! * Where the frequency jumps, value and velocity stay continuous, as with any real spring; so where
//!   a loop closes.
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
use self::solved::{Part, Solved};
pub use self::spring::{DEFAULT_BANDWIDTH, Damping, Kind, Spring, default_overshoot_penalty};
pub use self::values_at::ValuesAt;
use super::keys::MIN_GAP;
use super::{Animate, Channel, Interval, KeysError};

/// When the curve is at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Start {
    /// On its first knot, or earlier if its equilibrium moves earlier. Where there is no spring
    /// at the start, the end is natural, as that of any cubic.
    #[default]
    Rest,
    /// From this time on, in seconds; before the first knot.
    RestUntil(f64),
    /// Never: whatever costs least, as published. Before the first knot its value is held.
    Free,
}

/// Everything but the knots.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup<T> {
    /// How fast, how bouncy, how loose.
    pub spring: Spring,
    /// When it is at rest.
    pub start: Start,
    /// Where it would come to rest: the value of the first knot if not said.
    pub around: Option<Channel<T>>,
    /// What pushes it, in its unit per second².
    pub push: Option<Channel<T>>,
    /// RingDown how many seconds it comes round again, from the first knot on, if it is a loop.
    pub period: Option<f64>,
    /// Seconds up to which a moving equilibrium is followed; beyond, it counts as held.
    pub until: f64,
}

impl<T> Setup<T> {
    /// At rest on its first knot, around that knot's value.
    pub fn new(spring: Spring) -> Self {
        Self { spring, start: Start::Rest, around: None, push: None, period: None, until: 0.0 }
    }
}

/// Why there is no such curve.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum WigglyError {
    /// Something about a knot.
    #[error(transparent)]
    Knot(#[from] KeysError),
    /// It is to rest beyond its first knot.
    #[error(
        "it is to rest until {until} s, but its first key is at {first} s: rest earlier, or remove the key"
    )]
    RestsTooLong {
        /// Until when, in seconds.
        until: f64,
        /// The first knot.
        first: f64,
    },
    /// A round that is too short for its knots.
    #[error("a loop of {period} s is too short for keys that are {span} s apart: make it longer")]
    ShortLoop {
        /// The round in seconds.
        period: f64,
        /// From the first knot to the last.
        span: f64,
    },
    /// A switch, which can only jump.
    #[error("a switch is on or off, and cannot oscillate: give it `keys`")]
    Switch,
    /// Neither knots nor anything else that says where the curve is.
    #[error("a wiggly curve needs keys, or a value that it moves around")]
    Nothing,
}

/// Keys at such a rhythm, or so close together, that the curve swings far beyond them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resonance {
    /// The two keys between which it swings most, or that are too close together, in seconds.
    pub from: f64,
    /// The later one; infinite if it swings most after the last.
    pub to: f64,
    /// How many half periods lie between them; below a half they are too close together.
    pub half_periods: f64,
    /// How far the curve swings from its equilibrium.
    pub reach: f64,
    /// How far the keys ask for.
    pub asked: f64,
    /// If it is the slope of a key that throws it so far, when that key is and its slope per second.
    pub slope: Option<(f64, f64)>,
}

/// A curve that hits its knots and oscillates between and after them.
///
/// A value: it never changes, cloning it is free, and an edit gives another.
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
    /// The curve through `knots`, which are in order of time.
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
            // What comes before the first node of a round is its end. The spring may be another
            // there than it was before the first round: value and velocity go over all the same.
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
                Part { around, passive, level, states: Vec::new(), cells: Vec::new() }
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
    /// Nothing is factored again: two sweeps over the nodes, and the cells are filled anew.
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
            // The equilibrium moves along.
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
        let touched = solved.reach_of(solved.node_of[index]);
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
        let same_ground = self.0.setup.around.is_some() || firsts[0] == firsts[1];
        if !same_ground || firsts.iter().flatten().any(|first| time <= *first) {
            return Ok((edited, Interval::ALL_TIME));
        }
        let touched = self.0.walls_around(time).cover(edited.0.walls_around(time));
        Ok((edited, touched))
    }

    /// Change per second at a time; on a knot with broken slopes, of what follows it.
    pub fn slope(&self, t: f64) -> T {
        T::from_parts(|i| self.0.moving(i, t).1)
    }

    /// The shortest interval outside which both have the same value; none if they have it
    /// everywhere. Beyond knots that cut the curve in two nothing is felt.
    pub fn difference(&self, other: &Self) -> Option<Interval> {
        let (a, b) = (&*self.0, &*other.0);
        if self == other {
            return None;
        }
        let same_ground = a.setup.around.is_some() || a.knots.first() == b.knots.first();
        if a.setup != b.setup || !same_ground {
            return Some(Interval::ALL_TIME);
        }
        let alike = |(a, b): &(&Knot<T>, &Knot<T>)| a == b;
        let head = a.knots.iter().zip(&b.knots).take_while(alike).count();
        let short = a.knots.len().min(b.knots.len()) - head;
        let tail = a.knots.iter().rev().zip(b.knots.iter().rev()).take(short).take_while(alike);
        let tail = tail.count();
        let touched = |solved: &Solved<T>| {
            let changed = &solved.knots[head..solved.knots.len() - tail];
            changed.iter().map(|knot| solved.walls_around(knot.time)).reduce(|a, b| a.cover(b))
        };
        match (touched(a), touched(b)) {
            (Some(a), Some(b)) => Some(a.cover(b)),
            (a, b) => a.or(b),
        }
    }

    /// One number of the value as a curve of its own.
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

    /// The place where the curve swings far beyond what its knots ask for, if there is one.
    pub fn resonance(&self) -> Option<Resonance> {
        (0..T::PARTS)
            .filter_map(|i| self.0.resonance(i))
            .max_by(|a, b| (a.reach * b.asked).total_cmp(&(b.reach * a.asked)))
    }

    /// The value at a time in seconds; finite at every time, bit for bit a knot's on a knot.
    pub fn at(&self, t: f64) -> T {
        self.0.at(t)
    }

    /// The values at many times: those of [`at`](Self::at), bit for bit, in half the time where
    /// most times lie between the same two knots as the one before.
    pub fn values_at<I: IntoIterator<Item = f64>>(&self, times: I) -> ValuesAt<'_, T, I::IntoIter> {
        ValuesAt::new(self, times.into_iter())
    }

    /// How far one number of the value is from its equilibrium, and in what phase: its real part
    /// is the deviation itself, its size the swing, its angle the phase in radians.
    pub fn phasor(&self, part: usize, t: f64) -> Complex64 {
        self.0.phasor(part, t)
    }

    /// What a mass on the spring would have to be pushed with, in its unit per second², for it to do
    /// this by itself: `x'' + 2d x' + (d² + ω²) x`, the paper's residual `J` of a spring with one
    /// pole. Nothing where it moves freely; a chirp is free motion.
    pub fn residual(&self, part: usize, t: f64) -> Complex64 {
        self.0.residual(part, t)
    }

    /// The knots.
    pub fn knots(&self) -> &[Knot<T>] {
        &self.0.knots
    }

    /// Everything else it was made from.
    pub fn setup(&self) -> &Setup<T> {
        &self.0.setup
    }

    /// Swings per second that it would make by itself at a time.
    pub fn hertz(&self, t: f64) -> f64 {
        let t = self.0.in_round(t).0;
        self.0.setup.spring.at(t).omega / std::f64::consts::TAU
    }

    /// Where the spring would come to rest at a time.
    pub fn equilibrium(&self, t: f64) -> T {
        let t = self.0.in_round(t).0;
        T::from_parts(|i| self.0.parts[i].around.at(t))
    }

    /// Whether the value is the same at all times.
    pub fn is_constant(&self) -> bool {
        let Solved { knots, parts, .. } = &*self.0;
        let level = |i: usize, part: &Part| {
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

    /// From where on the curve moves to its last knot or to where the spring last changes.
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

/// Equal if knots and everything else they were made from are.
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
