//! Who makes a step: strings are shared out to as many threads as there are, and move each by itself.
//!
//! Strings lie one after the other in flat arrays, so a batch of them is a slice of each array: two
//! threads never see the same number. A part of a step takes one string after the other through all
//! stages while its numbers are at hand; only strings that touch another one wait for the end, and
//! are pushed apart by one thread, in their order. What comes out has the same bits however many
//! threads there were.
//!
//! The library starts no threads; an [`Executor`] provides them.
//!
//! Tests: `a_crew_makes_the_same_bits`.

use std::ops::Range;

use glam::{DMat3, DVec3};

use super::contact::{Pair, Touching};
use super::controls::{Overrides, Settings};
use super::drift::Room;
use super::events::Cause;
use super::match_shape::{RegionRows, Sums};
use super::state::{Span, State};
use super::stretch::Stretch;
use super::strings::{Kind, Parts};
use super::twist::{Held, TwistRows};
use lariat_core::dynamics::air::Air;
use lariat_core::dynamics::contact::Obstacle;

/// What a part of a step is made of, as the paper's table has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Holding, weight, air, yielding, tearing, and everything else.
    Update,
    /// Matching of shapes.
    Shape,
    /// Frames, spin and twist.
    Twist,
    /// Motion with the tension that keeps lengths.
    Tension,
    /// Contact with strings and obstacles.
    Contact,
}

/// Whoever makes a step: threads, if there are some, and somebody who may look on.
///
/// With a pool of threads `both` is its `join`; rayon's has the same form. Without one:
///
/// ```
/// use lariat_string::{Build, Executor, Material, Strings};
///
/// struct Two;
///
/// impl Executor for Two {
///     fn hands(&self) -> usize {
///         2
///     }
///     fn both(&self, one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
///         std::thread::scope(|scope| {
///             scope.spawn(one);
///             other();
///         });
///     }
/// }
///
/// let mut strings = Strings::new();
/// for y in 0..40 {
///     let from = glam::DVec3::Y * f64::from(y);
///     let to = from + glam::DVec3::X;
///     strings.add(&Build::straight(from, to, 20, 0.002, *Material::find("hemp").unwrap())).unwrap();
/// }
/// let mut alone = strings.clone();
/// strings.step_with(0.01, &Two).unwrap();
/// alone.step(0.01).unwrap();
/// assert_eq!(strings.state, alone.state);
/// ```
pub trait Executor: Sync {
    /// How many threads there are.
    fn hands(&self) -> usize {
        1
    }

    /// Does both, in any order or at once, and comes back when both are done.
    fn both(&self, one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
        one();
        other();
    }

    /// Is told what begins now, in its own thread: for a clock.
    fn begins(&self, stage: Stage) {
        let _ = stage;
    }
}

/// A executor, and in how many batches its work is shared out.
#[derive(Clone, Copy)]
pub(super) struct Execution<'a> {
    pub executor: &'a dyn Executor,
    pub batches: usize,
}

impl Execution<'_> {
    /// Half of them, and the other half; none if there is nothing to share out.
    fn halves(self) -> Option<(Self, Self)> {
        let half = self.batches / 2;
        (half > 0).then_some((
            Self { batches: half, ..self },
            Self { batches: self.batches - half, ..self },
        ))
    }

    /// Whether something holds of all of a range.
    pub(super) fn all(
        self,
        range: Range<usize>,
        holds: &(dyn Fn(Range<usize>) -> bool + Sync),
    ) -> bool {
        let Some((few, others)) = self.halves() else { return holds(range) };
        let middle = range.start + range.len() / 2;
        let [mut one, mut other] = [true; 2];
        self.executor.both(&mut || one = few.all(range.start..middle, holds), &mut || {
            other = others.all(middle..range.end, holds);
        });
        one && other
    }

    /// Does something with each of some pieces of work.
    pub(super) fn each<T: Send>(self, pieces: &mut [T], job: &(dyn Fn(&mut T) + Sync)) {
        let halves = self.halves().filter(|_| pieces.len() > 1);
        let Some((few, others)) = halves else {
            pieces.iter_mut().for_each(job);
            return;
        };
        let (one, other) = pieces.split_at_mut(pieces.len() / 2);
        self.executor.both(&mut || few.each(one, job), &mut || others.each(other, job));
    }
}

/// One thread, and nobody who looks on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Executor for Serial {}

macro_rules! rows {
    ($(#[$doc:meta])* $name:ident of $source:ident { $($field:ident: $kind:ty),* $(,)? }) => {
        $(#[$doc])*
        pub(super) struct $name<'a> { $(pub $field: &'a mut [$kind],)* }

        impl<'a> $name<'a> {
            pub(super) fn of(from: &'a mut $source) -> Self {
                Self { $($field: &mut from.$field),* }
            }
        }

        rows! { split $name { $($field),* } }
    };
    (split $name:ident { $($field:ident),* $(,)? }) => {
        impl $name<'_> {
            fn split(self, at: usize) -> (Self, Self) {
                $(let $field = self.$field.split_at_mut(at);)*
                (Self { $($field: $field.0),* }, Self { $($field: $field.1),* })
            }
        }
    };
}

rows! {
    /// A batch's part of the state.
    Rows of State {
        positions: DVec3,
        velocities: DVec3,
        tensions: f64,
        angles: f64,
        spins: f64,
        sides: DVec3,
        torques: f64,
        rests: f64,
        yields: f64,
        rest_twists: f64,
        twist_yields: f64,
        flicks: f64,
        tangents: DVec3,
        turns: f64,
        turn_cosines: f64,
        turn_sines: f64,
        swings: DVec3,
        held: bool,
        poses: DMat3,
    }
}

impl<'a> Rows<'a> {
    /// All strings, and all their numbers.
    pub(super) fn lend(state: &'a mut State) -> (&'a mut [Span], Self) {
        macro_rules! lend {
            ($($field:ident),*) => {
                (&mut state.spans, Self { $($field: &mut state.$field),* })
            };
        }
        lend!(
            positions,
            velocities,
            tensions,
            angles,
            spins,
            sides,
            torques,
            rests,
            yields,
            rest_twists,
            twist_yields,
            flicks,
            tangents,
            turns,
            turn_cosines,
            turn_sines,
            swings,
            held,
            poses
        )
    }

    /// The same as another, from one particle to another; but for who is held and who flicks, which
    /// is found out before strings are shared out.
    pub(super) fn copy_from(&mut self, other: &Self, range: Range<usize>) {
        macro_rules! copy {
            ($($field:ident),*) => {
                $(self.$field[range.clone()].copy_from_slice(&other.$field[range.clone()]);)*
            };
        }
        copy!(positions, velocities, tensions, angles, spins, sides, torques, rests, yields);
        copy!(rest_twists, twist_yields, tangents, turns, turn_cosines, turn_sines);
        copy!(swings, poses);
    }
}

rows! {
    /// What its strings are, as they were built.
    Built of Parts {
        mass: f64,
        slowed: f64,
        length: f64,
        radius: f64,
        strength: f64,
        stiffness: f64,
        inertia: f64,
        turned: f64,
        rest: DVec3,
    }
}

/// Its part of what a step needs.
pub(super) struct Workspace<'a> {
    pub light: &'a mut [f64],
    pub goal: &'a mut [DVec3],
    pub pressed: &'a mut [DVec3],
    pub pull: &'a mut [DVec3],
    pub stretch: &'a mut [Stretch],
    pub rates: &'a mut [f64],
    pub before: &'a mut [DVec3],
    pub lengths: &'a mut [f64],
    pub paces: &'a mut [f64],
    pub touched: &'a mut [bool],
    pub grips: &'a mut [DVec3],
    pub leant: &'a mut [DVec3],
    pub rub: &'a mut [f64],
}

rows! {
    split Workspace {
        light, goal, pressed, pull, stretch, rates, before, lengths, paces, touched, grips,
        leant, rub
    }
}

rows! {
    /// Its part of what twist needs.
    Twisting of TwistRows {
        rates: f64,
        torque: f64,
        stiff: f64,
        rub: f64,
        shakes: f64,
        per: f64,
        handed: DVec3,
        drawn: f64,
        upper: f64,
        inverse: f64,
        lower: f64,
        one: f64,
        two: f64,
        mean: f64,
    }
}

rows! {
    /// Its part of what shapes need.
    Shaping of RegionRows {
        weight: f64,
        holders: f64,
        goals: DVec3,
    }
}

/// What all batches of a step share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub kinds: &'a [Kind],
    pub settings: Settings,
    pub gravity: DVec3,
    pub air: &'a Air,
    pub drag: f64,
    pub viscosity: f64,
    pub spin_viscosity: f64,
    /// What strings do otherwise, by string.
    pub overrides: &'a [Overrides],
    /// Segments that clamps turn, in their order.
    pub turned: &'a [Held],
    /// How much of the step is over at the end of this part, 0–1.
    pub share: f64,
    /// Whether this is the second, fourth, … part of the step.
    pub odd: bool,
    /// Obstacles in this part of the step.
    pub solids: &'a [Obstacle],
    /// Half widths of regions, by string, and whether bending is solved for.
    pub widths: &'a [usize],
    pub beams: &'a [bool],
    /// Which strings may touch another one, by string; none if none may.
    pub tangled: &'a [bool],
    pub executor: &'a dyn Executor,
}

/// Room of one batch, and what it has to tell.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    pub room: Room,
    pub sums: Sums,
    /// How often a string's tension was solved for.
    pub solves: u32,
    /// Particles that touch an obstacle.
    pub resting: u32,
    /// How long the next part may be, in seconds.
    pub longest: f64,
    /// Whether all numbers are numbers.
    pub finite: bool,
    /// What tears: string, segment, why.
    pub worst: Vec<(usize, usize, Cause)>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            room: Room::default(),
            sums: Sums::default(),
            solves: 0,
            resting: 0,
            longest: f64::INFINITY,
            finite: true,
            worst: Vec::new(),
        }
    }
}

/// Strings that lie one after the other.
pub(super) struct Batch<'a> {
    pub all: Shared<'a>,
    /// Its first particle, and its first string.
    pub base: usize,
    pub number: usize,
    pub spans: &'a mut [Span],
    pub state: Rows<'a>,
    pub kept: Rows<'a>,
    pub parts: Built<'a>,
    pub work: Workspace<'a>,
    pub turning: Twisting<'a>,
    pub regions: Shaping<'a>,
    /// Pairs that may touch, whose first segment is in it.
    pub pairs: &'a mut [Pair],
    pub scratch: &'a mut [Scratch],
}

impl<'a> Batch<'a> {
    /// A string, with its particles counted from the batch's first.
    pub(super) fn span(&self, s: usize) -> Span {
        let span = self.spans[s];
        Span { first: span.first - self.base, ..span }
    }

    /// Viscosity and drag of a string.
    pub(super) fn losses(&self, span: &Span) -> (f64, f64) {
        let own = self.all.overrides.get(span.string);
        own.map_or((self.all.viscosity, self.all.drag), |own| (own.viscosity, own.drag))
    }

    /// What is the same for all segments of a string.
    pub(super) fn kind(&self, span: &Span) -> &'a Kind {
        &self.all.kinds[span.string]
    }

    /// Whether bending of a string is solved for with its tension.
    pub(super) fn is_beam(&self, s: usize) -> bool {
        self.all.beams[self.number + s]
    }

    /// Two batches, of nearly as many particles.
    fn split(self, room: usize) -> (Self, Self) {
        let half = self.base + self.state.positions.len() / 2;
        let at = self.spans.partition_point(|span| span.first + span.count / 2 < half);
        let at = at.clamp(1, self.spans.len() - 1);
        let from = self.spans[at].first;
        let particles = from - self.base;
        let pairs = self.pairs.partition_point(|pair| (pair.segments[0] as usize) < from);
        let spans = self.spans.split_at_mut(at);
        let state = self.state.split(particles);
        let kept = self.kept.split(particles);
        let parts = self.parts.split(particles);
        let work = self.work.split(particles);
        let turning = self.turning.split(particles);
        let regions = self.regions.split(particles);
        let pairs = self.pairs.split_at_mut(pairs);
        let scratch = self.scratch.split_at_mut(room);
        let one = Self {
            all: self.all,
            base: self.base,
            number: self.number,
            spans: spans.0,
            state: state.0,
            kept: kept.0,
            parts: parts.0,
            work: work.0,
            turning: turning.0,
            regions: regions.0,
            pairs: pairs.0,
            scratch: scratch.0,
        };
        let other = Self {
            all: self.all,
            base: from,
            number: self.number + at,
            spans: spans.1,
            state: state.1,
            kept: kept.1,
            parts: parts.1,
            work: work.1,
            turning: turning.1,
            regions: regions.1,
            pairs: pairs.1,
            scratch: scratch.1,
        };
        (one, other)
    }

    /// Does something with every string, in as many batches as there is room for.
    pub(super) fn share_out(mut self, job: &(dyn Fn(&mut Batch<'_>, usize) + Sync)) {
        if self.scratch.len() < 2 || self.spans.len() < 2 {
            for s in 0..self.spans.len() {
                job(&mut self, s);
            }
            return;
        }
        let executor = self.all.executor;
        let room = self.scratch.len() / 2;
        let (one, other) = self.split(room);
        let (mut one, mut other) = (Some(one), Some(other));
        executor.both(
            &mut || {
                if let Some(batch) = one.take() {
                    batch.share_out(job);
                }
            },
            &mut || {
                if let Some(batch) = other.take() {
                    batch.share_out(job);
                }
            },
        );
    }

    /// Pairs that may touch, whose first segment is of a string (counted from the batch's first).
    pub(super) fn pairs_of(&self, span: &Span) -> Range<usize> {
        if self.pairs.is_empty() {
            return 0..0;
        }
        let at = |particle: usize| {
            let particle = (particle + self.base) as u32;
            self.pairs.partition_point(|pair| pair.segments[0] < particle)
        };
        at(span.first)..at(span.first + span.count)
    }

    /// What contact works on.
    pub(super) fn touching(&mut self, h: f64) -> (Touching<'_>, &mut [Pair]) {
        let touching = Touching {
            base: self.base,
            x: &mut *self.state.positions,
            v: &mut *self.state.velocities,
            light: &*self.work.light,
            before: &*self.work.before,
            radius: &*self.parts.radius,
            touched: &mut *self.work.touched,
            grips: &mut *self.work.grips,
            rub: &*self.work.rub,
            h,
        };
        (touching, &mut *self.pairs)
    }
}
