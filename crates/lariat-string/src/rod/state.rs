//! The state of a run: plain arrays, so a copy is a checkpoint.
//!
//! Particles of all strings lie one after the other. Segment `i` goes from particle `i` to `i + 1`,
//! joint `i` is at particle `i`, and the last particle of a string has no segment. A string is a
//! range of particles, so a string that tears becomes two ranges and nothing is moved: a particle
//! keeps its number for the whole run.
//!
//! Tests: `a_checkpoint_continues_with_the_same_bits`.

use std::ops::Range;

use glam::DVec3;

/// One piece of a string: a range of particles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    /// Its first particle.
    pub first: usize,
    /// Number of particles, at least one.
    pub count: usize,
    /// Index of the string that it is a piece of.
    pub string: usize,
    /// Whether its first and its last end are torn.
    pub torn: [bool; 2],
    /// Length of its last substep in seconds, 0 before the first.
    pub(super) last_substep: f64,
    /// Number of following substeps that are of first order.
    pub(super) first_order: u32,
    /// Seconds until it may tear again: by tension, and by twist.
    pub(super) tear_guard: [f64; 2],
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

/// Force between a string and an obstacle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Support {
    /// The particle, or the segment if the contact is within it.
    pub particle: u32,
    pub obstacle: u32,
    pub within: bool,
    /// Place along the segment, 0–1, and the outward normal.
    pub at: f64,
    pub normal: DVec3,
    /// Push along the normal, in newtons.
    pub push: f64,
    /// Friction, in newtons.
    pub friction: DVec3,
}

impl Support {
    pub(super) fn key(&self) -> (u32, u32, bool) {
        (self.particle, self.obstacle, self.within)
    }
}

/// Force between two segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PairForce {
    pub segments: [u32; 2],
    /// Force on the first, in newtons.
    pub force: DVec3,
}

macro_rules! state {
    ($($(#[$doc:meta])* $vis:vis $name:ident: $kind:ty = $fill:expr),* $(,)?) => {
        /// The state of a run.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct State {
            /// Pieces of strings, in the order of their particles.
            pub spans: Vec<Span>,
            $($(#[$doc])* $vis $name: Vec<$kind>,)*
            /// Seconds since the start.
            pub time: f64,
            /// Forces at obstacles, in the order of their keys.
            pub(super) supports: Vec<Support>,
            /// Forces between segments, in the order of the segments.
            pub(super) pair_forces: Vec<PairForce>,
            pub(super) steps: u64,
            /// Largest speed of a held particle, in m/s.
            pub(super) fastest_hold: f64,
            /// Energy that holds and forces have supplied at most, in joules.
            pub(super) supplied: f64,
        }

        /// The numbers of some particles that follow each other.
        pub(super) struct Rows<'a> { $(pub $name: &'a mut [$kind],)* }

        impl State {
            /// Makes all rows as long as there are particles.
            pub(super) fn resize(&mut self, particles: usize) {
                $(self.$name.resize(particles, $fill);)*
            }

            /// Pieces, and the rows of all particles.
            pub(super) fn rows(&mut self) -> (&mut Vec<Span>, Rows<'_>) {
                (&mut self.spans, Rows { $($name: &mut self.$name,)* })
            }

            /// Copies rows and lists of another state, without allocating where they fit.
            pub(super) fn copy_from(&mut self, other: &Self) {
                self.spans.clone_from(&other.spans);
                $(self.$name.clone_from(&other.$name);)*
                self.supports.clone_from(&other.supports);
                self.pair_forces.clone_from(&other.pair_forces);
                (self.time, self.steps) = (other.time, other.steps);
                (self.fastest_hold, self.supplied) = (other.fastest_hold, other.supplied);
            }

            fn write_rows(&self, out: &mut Vec<f64>) {
                $(for value in &self.$name { value.write(out); })*
            }

            fn read_rows(&mut self, n: usize, numbers: &mut &[f64]) -> Option<()> {
                $(for _ in 0..n { self.$name.push(<$kind>::read(numbers)?); })*
                Some(())
            }
        }

        impl<'a> Rows<'a> {
            /// The rows of the first particles, and those of the others.
            pub(super) fn split_at(self, at: usize) -> (Rows<'a>, Rows<'a>) {
                $(let $name = self.$name.split_at_mut(at);)*
                (Rows { $($name: $name.0,)* }, Rows { $($name: $name.1,)* })
            }

            /// The rows of some particles, counted from the first of these.
            pub(super) fn part(&mut self, range: Range<usize>) -> Rows<'_> {
                Rows { $($name: &mut self.$name[range.clone()],)* }
            }
        }
    };
}

state! {
    /// Positions of particles, in metres.
    pub positions: DVec3 = DVec3::ZERO,
    /// Velocities of particles, in m/s.
    pub velocities: DVec3 = DVec3::ZERO,
    /// Tensions of segments, in newtons.
    pub tensions: f64 = 0.0,
    /// Angles of segments about their axes, from `sides`, in radians.
    pub angles: f64 = 0.0,
    /// Angular velocities of segments about their axes, in radians per second.
    pub spins: f64 = 0.0,
    /// Unit vectors across segments, from which angles are measured; they turn with their segments
    /// without spin.
    pub sides: DVec3 = DVec3::ZERO,
    /// Torques of twisted joints, in newton metres.
    pub torques: f64 = 0.0,
    /// Lengths of segments without tension, in metres.
    pub rests: f64 = 0.0,
    /// Tensions at which segments yield, in newtons.
    pub yields: f64 = 0.0,
    /// Twist of joints without torque, in radians.
    pub rest_twists: f64 = 0.0,
    /// Twist beyond it at which joints yield, in radians.
    pub twist_yields: f64 = 0.0,
    /// Displacements and changes of velocity in the last substep: the history of the second-order
    /// step. Differences, so that a caller may set positions and velocities between steps.
    pub(super) moved: DVec3 = DVec3::ZERO,
    pub(super) gained: DVec3 = DVec3::ZERO,
    pub(super) turned: f64 = 0.0,
    pub(super) spun: f64 = 0.0,
    /// Directions of segments that `sides` belong to.
    pub(super) tangents: DVec3 = DVec3::ZERO,
    /// Angle of a joint from the side before it, transported, to the side after it; never wrapped.
    pub(super) turns: f64 = 0.0,
    pub(super) turn_cosines: f64 = 1.0,
    pub(super) turn_sines: f64 = 0.0,
}

impl State {
    /// Twist of a joint in radians: from the segment before it to the one after.
    pub fn twist(&self, joint: usize) -> f64 {
        self.angles[joint] - self.angles[joint.max(1) - 1] + self.turns[joint]
    }

    /// Number of particles.
    pub fn particles(&self) -> usize {
        self.positions.len()
    }

    /// Appends all of it as numbers that [`State::from_numbers`] reads.
    pub fn to_numbers(&self, out: &mut Vec<f64>) {
        let counts =
            [self.particles(), self.spans.len(), self.supports.len(), self.pair_forces.len()];
        out.extend(counts.map(|count| count as f64));
        out.extend([self.time, self.steps as f64, self.fastest_hold, self.supplied]);
        for span in &self.spans {
            let torn = f64::from(u8::from(span.torn[0]) + 2 * u8::from(span.torn[1]));
            out.extend([span.first, span.count, span.string].map(|number| number as f64));
            out.extend([torn, span.last_substep, f64::from(span.first_order)]);
            out.extend(span.tear_guard);
        }
        self.write_rows(out);
        for support in &self.supports {
            let within = f64::from(u8::from(support.within));
            out.extend([f64::from(support.particle), f64::from(support.obstacle), within]);
            out.push(support.at);
            support.normal.write(out);
            out.push(support.push);
            support.friction.write(out);
        }
        for PairForce { segments, force } in &self.pair_forces {
            out.extend(segments.map(f64::from));
            force.write(out);
        }
    }

    /// Reads what [`State::to_numbers`] wrote; `None` if it is something else.
    pub fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let mut left = numbers;
        let left = &mut left;
        let [n, spans, supports, pairs] = [whole(left)?, whole(left)?, whole(left)?, whole(left)?];
        // Every entry takes numbers of its own, so no count can be larger.
        if [n, spans, supports, pairs].iter().any(|count| *count > numbers.len()) {
            return None;
        }
        let mut state = Self { time: f64::read(left)?, ..Self::default() };
        state.steps = whole(left)? as u64;
        (state.fastest_hold, state.supplied) = (f64::read(left)?, f64::read(left)?);
        let mut next = 0;
        for _ in 0..spans {
            let [first, count, string] = [whole(left)?, whole(left)?, whole(left)?];
            let torn = whole(left).filter(|torn| *torn < 4)?;
            let span = Span {
                first,
                count,
                string,
                torn: [torn & 1 != 0, torn & 2 != 0],
                last_substep: f64::read(left)?,
                first_order: whole(left)? as u32,
                tear_guard: [f64::read(left)?, f64::read(left)?],
            };
            if first != next || count == 0 || count > n - next {
                return None;
            }
            next += count;
            state.spans.push(span);
        }
        if next != n {
            return None;
        }
        state.read_rows(n, left)?;
        for _ in 0..supports {
            let [particle, obstacle] = [whole(left)?, whole(left)?];
            state.supports.push(Support {
                particle: u32::try_from(particle).ok().filter(|i| (*i as usize) < n)?,
                obstacle: u32::try_from(obstacle).ok()?,
                within: whole(left)? != 0,
                at: f64::read(left)?,
                normal: DVec3::read(left)?,
                push: f64::read(left)?,
                friction: DVec3::read(left)?,
            });
        }
        for _ in 0..pairs {
            let segments = [whole(left)?, whole(left)?];
            if segments[0] >= segments[1] || segments[1] + 1 >= n {
                return None;
            }
            let segments = segments.map(|i| i as u32);
            state.pair_forces.push(PairForce { segments, force: DVec3::read(left)? });
        }
        left.is_empty().then_some(state)
    }
}

/// A value in a list of numbers.
trait Number: Sized {
    fn write(&self, out: &mut Vec<f64>);
    fn read(numbers: &mut &[f64]) -> Option<Self>;
}

impl Number for f64 {
    fn write(&self, out: &mut Vec<f64>) {
        out.push(*self);
    }

    fn read(numbers: &mut &[f64]) -> Option<Self> {
        let (first, rest) = numbers.split_first()?;
        *numbers = rest;
        Some(*first)
    }
}

impl Number for DVec3 {
    fn write(&self, out: &mut Vec<f64>) {
        out.extend(self.to_array());
    }

    fn read(numbers: &mut &[f64]) -> Option<Self> {
        Some(Self::new(f64::read(numbers)?, f64::read(numbers)?, f64::read(numbers)?))
    }
}

/// A count.
fn whole(numbers: &mut &[f64]) -> Option<usize> {
    let number = f64::read(numbers)?;
    (0.0..1e12).contains(&number).then_some(number as usize)
}
