//! All that a run of strings remembers, in plain arrays: cloned, it is a checkpoint.
//!
//! Particles of all strings lie one after the other; segment `i` goes from particle `i` to `i + 1`,
//! joint `i` lies at particle `i`, and the last particle of a string has no segment. A string is a
//! range of particles, so one that tears becomes two without anything being moved: numbers of
//! particles are good for the whole run.
//!
//! Tests: `a_checkpoint_goes_on_with_the_same_bits`.

use std::ops::Range;

use glam::{DMat3, DVec3};

use super::contact::Pressed;

/// One string: a range of particles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    /// Its first particle.
    pub first: usize,
    /// How many particles, one at least.
    pub count: usize,
    /// Which of the strings that were built it is a piece of.
    pub string: usize,
    /// Whether its first and its last end are torn: they are frayed.
    pub torn: [bool; 2],
    /// How often its last step was halved.
    pub(super) hasty: u32,
    /// Seconds that a flick still lasts, and joules that it gave; none when it is over.
    pub(super) flick: [f64; 2],
    /// Seconds until the news of its last tear has gone along it: as a pull, and as a twist.
    pub(super) news: [f64; 2],
    /// Newtons of all pushes on it in the last step.
    pub(super) pushed: f64,
    /// The most that its regions may reach to each side, in particles, for twist not to wrinkle it.
    pub(super) narrow: u32,
}

impl Span {
    /// Its particles.
    pub fn particles(&self) -> Range<usize> {
        self.first..self.first + self.count
    }

    /// Its segments, each by its first particle.
    pub fn segments(&self) -> Range<usize> {
        self.first..self.first + self.count - 1
    }

    /// The segment at one of its particles: the one after it, or the last.
    pub fn segment_at(&self, particle: usize) -> Option<usize> {
        (self.count > 1).then(|| particle.min(self.first + self.count - 2))
    }

    /// Its joints, each by its particle.
    pub fn joints(&self) -> Range<usize> {
        self.first + 1..(self.first + self.count - 1).max(self.first + 1)
    }
}

/// Everything that a run remembers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The strings, in the order of their particles.
    pub spans: Vec<Span>,
    /// Of particles, in metres.
    pub positions: Vec<DVec3>,
    /// Of particles, in m/s.
    pub velocities: Vec<DVec3>,
    /// Newtons in segments.
    pub tensions: Vec<f64>,
    /// Angles of segments about their axes, from `sides`, in radians.
    pub angles: Vec<f64>,
    /// How fast segments turn about their axes, in radians a second.
    pub spins: Vec<f64>,
    /// What angles are measured from: carried along as segments turn, without spin.
    pub sides: Vec<DVec3>,
    /// Newton metres that joints are twisted with.
    pub torques: Vec<f64>,
    /// Lengths of segments without tension, in metres.
    pub rests: Vec<f64>,
    /// Newtons at which segments yield.
    pub yields: Vec<f64>,
    /// Twist of joints without torque, in radians.
    pub rest_twists: Vec<f64>,
    /// Twist beyond it at which joints yield, in radians.
    pub twist_yields: Vec<f64>,
    /// Seconds since the start.
    pub time: f64,
    /// How much shorter segments would be that flick, in metres; below 0 where they are slack.
    pub(super) flicks: Vec<f64>,
    /// Directions of segments that `sides` belong to.
    pub(super) tangents: Vec<DVec3>,
    /// Angle from the side before, carried over, to the own one; goes on counting.
    pub(super) turns: Vec<f64>,
    /// Its cosine and sine.
    pub(super) turn_cosines: Vec<f64>,
    pub(super) turn_sines: Vec<f64>,
    /// Accelerations of the last step.
    pub(super) swings: Vec<DVec3>,
    /// Which particles were held in the last step.
    pub(super) held: Vec<bool>,
    /// How regions lie, from rest.
    pub(super) poses: Vec<DMat3>,
    /// Pairs of segments that were pulled through each other, in their order, and which way the first
    /// must go back.
    pub(super) crossed: Vec<([u32; 2], DVec3)>,
    /// Pairs of segments that press each other, in their order.
    pub(super) pressed: Vec<Pressed>,
    pub(super) steps: u64,
    /// The fastest that a hand has moved, in m/s: what energy is measured by.
    pub(super) hands: f64,
    /// Joules that were given by hands and pushes, at most.
    pub(super) given: f64,
}

impl State {
    fn scalars(&self) -> [&Vec<f64>; 12] {
        [
            &self.tensions,
            &self.angles,
            &self.spins,
            &self.torques,
            &self.rests,
            &self.yields,
            &self.rest_twists,
            &self.twist_yields,
            &self.flicks,
            &self.turns,
            &self.turn_cosines,
            &self.turn_sines,
        ]
    }

    fn scalars_mut(&mut self) -> [&mut Vec<f64>; 12] {
        [
            &mut self.tensions,
            &mut self.angles,
            &mut self.spins,
            &mut self.torques,
            &mut self.rests,
            &mut self.yields,
            &mut self.rest_twists,
            &mut self.twist_yields,
            &mut self.flicks,
            &mut self.turns,
            &mut self.turn_cosines,
            &mut self.turn_sines,
        ]
    }

    fn vectors(&self) -> [&Vec<DVec3>; 5] {
        [&self.positions, &self.velocities, &self.sides, &self.tangents, &self.swings]
    }

    fn vectors_mut(&mut self) -> [&mut Vec<DVec3>; 5] {
        [
            &mut self.positions,
            &mut self.velocities,
            &mut self.sides,
            &mut self.tangents,
            &mut self.swings,
        ]
    }

    /// The same as another, in the memory that it has: a step must not ask for more.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.spans.clone_from(&other.spans);
        for (row, from) in self.scalars_mut().into_iter().zip(other.scalars()) {
            row.clone_from(from);
        }
        for (row, from) in self.vectors_mut().into_iter().zip(other.vectors()) {
            row.clone_from(from);
        }
        self.held.clone_from(&other.held);
        self.poses.clone_from(&other.poses);
        self.crossed.clone_from(&other.crossed);
        self.pressed.clone_from(&other.pressed);
        (self.time, self.steps) = (other.time, other.steps);
        (self.hands, self.given) = (other.hands, other.given);
    }

    /// How far a joint is twisted, in radians: from the segment before it to the one after.
    pub fn twist(&self, joint: usize) -> f64 {
        self.angles[joint] - self.angles[joint.max(1) - 1] + self.turns[joint]
    }

    /// How many particles there are.
    pub fn particles(&self) -> usize {
        self.positions.len()
    }

    /// All of it as numbers, in an order that [`State::from_numbers`] reads.
    pub fn to_numbers(&self, out: &mut Vec<f64>) {
        out.extend([self.particles() as f64, self.spans.len() as f64]);
        out.extend([self.time, self.steps as f64, self.hands, self.given]);
        out.extend([self.crossed.len() as f64, self.pressed.len() as f64]);
        for span in &self.spans {
            let torn = f64::from(u8::from(span.torn[0]) + 2 * u8::from(span.torn[1]));
            out.extend([span.first, span.count, span.string].map(|number| number as f64));
            out.extend([torn, f64::from(span.hasty), span.flick[0], span.flick[1]]);
            out.extend([span.news[0], span.news[1], span.pushed, f64::from(span.narrow)]);
        }
        for row in self.scalars() {
            out.extend_from_slice(row);
        }
        out.extend(self.held.iter().map(|flag| f64::from(u8::from(*flag))));
        for row in self.vectors() {
            out.extend(row.iter().flat_map(DVec3::to_array));
        }
        out.extend(self.poses.iter().flat_map(DMat3::to_cols_array));
        for ([a, b], side) in &self.crossed {
            out.extend([f64::from(*a), f64::from(*b)]);
            out.extend(side.to_array());
        }
        for Pressed { pair, force, rested } in &self.pressed {
            out.extend([f64::from(pair[0]), f64::from(pair[1]), *force, *rested]);
        }
    }

    /// What [`State::to_numbers`] wrote; nothing if it is something else.
    pub fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let (head, mut rest) = numbers.split_at_checked(8)?;
        let whole = |x: f64| (0.0..1e12).contains(&x).then_some(x as usize);
        let (n, spans) = (whole(head[0])?, whole(head[1])?);
        let (crossed, pressed) = (whole(head[6])?, whole(head[7])?);
        if rest.len() != 11 * spans + n * (12 + 1 + 3 * 5 + 9) + 5 * crossed + 4 * pressed {
            return None;
        }
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at(count);
            rest = left;
            taken
        };
        let mut state = Self {
            time: head[2],
            steps: head[3] as u64,
            hands: head[4],
            given: head[5],
            ..Self::default()
        };
        let mut next = 0;
        for row in take(11 * spans).chunks_exact(11) {
            let torn = whole(row[3]).filter(|torn| *torn < 4)?;
            let span = Span {
                first: whole(row[0])?,
                count: whole(row[1])?,
                string: whole(row[2])?,
                torn: [torn & 1 != 0, torn & 2 != 0],
                hasty: whole(row[4])? as u32,
                flick: [row[5], row[6]],
                news: [row[7], row[8]],
                pushed: row[9],
                narrow: whole(row[10])? as u32,
            };
            if span.first != next || span.count == 0 || span.count > n - next {
                return None;
            }
            next += span.count;
            state.spans.push(span);
        }
        if next != n {
            return None;
        }
        for row in state.scalars_mut() {
            *row = take(n).to_vec();
        }
        state.held = take(n).iter().map(|flag| *flag != 0.0).collect();
        for row in state.vectors_mut() {
            *row = take(3 * n).chunks_exact(3).map(DVec3::from_slice).collect();
        }
        state.poses = take(9 * n).chunks_exact(9).map(DMat3::from_cols_slice).collect();
        let pair = |row: &[f64]| {
            let pair = [whole(row[0])?, whole(row[1])?];
            (pair[0] < pair[1] && pair[1] + 1 < n).then(|| pair.map(|i| i as u32))
        };
        for row in take(5 * crossed).chunks_exact(5) {
            state.crossed.push((pair(row)?, DVec3::from_slice(&row[2..])));
        }
        for row in take(4 * pressed).chunks_exact(4) {
            state.pressed.push(Pressed { pair: pair(row)?, force: row[2], rested: row[3] });
        }
        Some(state)
    }
}
