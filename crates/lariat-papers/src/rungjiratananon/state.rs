//! State of all strings: plain arrays, and the same as numbers for a checkpoint.
//!
//! The particles of all strings lie one after the other. Segment `i` goes from particle `i` to `i + 1`,
//! joint `i` is at particle `i`, and the last particle of a piece has no segment. A piece is a range of
//! particles, so a tear renumbers nothing.
//!
//! Tests: `a_checkpoint_continues_with_the_same_bits`, `other_numbers_are_no_checkpoint`.

use std::ops::Range;

use glam::{DMat3, DVec3};

/// One piece of a string.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    /// First particle.
    pub first: usize,
    /// Number of particles, one or more.
    pub count: usize,
    /// Index of the string, as added.
    pub string: usize,
    /// True for each end that is torn.
    pub torn: [bool; 2],
    /// Seconds that a flick lasts, and seconds of it that are left.
    pub(super) flick: [f64; 2],
    /// Sum of the forces on its particles in the last step, in newtons.
    pub(super) pushed: f64,
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

    /// Its joints, each by its particle.
    pub fn joints(&self) -> Range<usize> {
        self.first + 1..(self.first + self.count - 1).max(self.first + 1)
    }
}

/// Numbers of a span in a checkpoint.
const SPAN: usize = 7;
/// Rows with one number, one vector and one matrix for each particle.
const SCALARS: usize = 11;
const VECTORS: usize = 4;

/// Everything that a run remembers; cloned, it is a checkpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Pieces of strings, in the order of their particles.
    pub spans: Vec<Span>,
    /// Places of the particles, in metres.
    pub positions: Vec<DVec3>,
    /// Velocities of the particles, in m/s.
    pub velocities: Vec<DVec3>,
    /// Tensions of the segments, in newtons.
    pub tensions: Vec<f64>,
    /// Angles of the segments about their axes, from `normals`, in radians: `θ`.
    pub angles: Vec<f64>,
    /// Rotational velocities of the segments, in rad/s: `ω`.
    pub spins: Vec<f64>,
    /// Unit vectors across the segments from which angles are measured.
    pub normals: Vec<DVec3>,
    /// Lengths of the segments at rest, in metres: `L₀`.
    pub rests: Vec<f64>,
    /// Strains that the strain limit allows: `L_max = L₀ (1 + ε)`.
    pub strains: Vec<f64>,
    /// Strains that stay after yielding.
    pub kept_strains: Vec<f64>,
    /// Twist of the joints at rest, in radians.
    pub rest_twists: Vec<f64>,
    /// Twist beyond `rest_twists` at which joints yield, in radians.
    pub twist_yields: Vec<f64>,
    /// Seconds since the start.
    pub time: f64,
    /// Directions of the segments to which `normals` belong.
    pub(super) tangents: Vec<DVec3>,
    /// Angle at a joint from the normal before it, transported, to the one after it; not wrapped.
    pub(super) windings: Vec<f64>,
    /// Tensions that flick, in newtons.
    pub(super) flicks: Vec<f64>,
    /// 1 for particles that were held in the last step, 0 for others.
    pub(super) held: Vec<f64>,
    /// Rotations of the regions from the shape at rest.
    pub(super) rotations: Vec<DMat3>,
}

impl State {
    /// Number of particles.
    pub fn particles(&self) -> usize {
        self.positions.len()
    }

    /// Twist of a joint in radians, from the segment before it to the one after it. Only for
    /// joints between two segments of a piece.
    pub fn twist(&self, joint: usize) -> f64 {
        if joint == 0 {
            return 0.0;
        }
        self.angles[joint] - self.angles[joint - 1] + self.windings[joint]
    }

    /// Longest length of a segment, in metres: `L_max`.
    pub fn longest(&self, segment: usize) -> f64 {
        self.rests[segment] * (1.0 + self.strains[segment].max(self.kept_strains[segment]))
    }

    fn scalars(&self) -> [&Vec<f64>; SCALARS] {
        [
            &self.tensions,
            &self.angles,
            &self.spins,
            &self.rests,
            &self.strains,
            &self.kept_strains,
            &self.rest_twists,
            &self.windings,
            &self.flicks,
            &self.held,
            &self.twist_yields,
        ]
    }

    pub(super) fn scalars_mut(&mut self) -> [&mut Vec<f64>; SCALARS] {
        [
            &mut self.tensions,
            &mut self.angles,
            &mut self.spins,
            &mut self.rests,
            &mut self.strains,
            &mut self.kept_strains,
            &mut self.rest_twists,
            &mut self.windings,
            &mut self.flicks,
            &mut self.held,
            &mut self.twist_yields,
        ]
    }

    fn vectors(&self) -> [&Vec<DVec3>; VECTORS] {
        [&self.positions, &self.velocities, &self.normals, &self.tangents]
    }

    pub(super) fn vectors_mut(&mut self) -> [&mut Vec<DVec3>; VECTORS] {
        [&mut self.positions, &mut self.velocities, &mut self.normals, &mut self.tangents]
    }

    /// True if positions, velocities, tensions and twist are finite.
    pub(super) fn is_finite(&self) -> bool {
        let vectors = self.vectors().into_iter().flatten().all(|vector| vector.is_finite());
        let scalars = self.scalars().into_iter().take(SCALARS - 1).flatten();
        // A joint that never yields has an infinite limit.
        let limits = self.twist_yields.iter().all(|limit| !limit.is_nan());
        vectors && limits && scalars.into_iter().all(|number| number.is_finite())
    }

    /// Appends the state as numbers that [`State::from_numbers`] reads.
    pub fn to_numbers(&self, out: &mut Vec<f64>) {
        out.extend([self.particles() as f64, self.spans.len() as f64, self.time]);
        for span in &self.spans {
            let torn = u8::from(span.torn[0]) + 2 * u8::from(span.torn[1]);
            out.extend([span.first as f64, span.count as f64, span.string as f64]);
            out.extend([f64::from(torn), span.flick[0], span.flick[1], span.pushed]);
        }
        self.scalars().into_iter().for_each(|row| out.extend_from_slice(row));
        for row in self.vectors() {
            out.extend(row.iter().flat_map(DVec3::to_array));
        }
        out.extend(self.rotations.iter().flat_map(DMat3::to_cols_array));
    }

    /// Reads the numbers of [`State::to_numbers`]; `None` if they are not a state.
    pub fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let count = |number: f64| (0.0..1e12).contains(&number).then_some(number as usize);
        let ([particles, spans, time], rest) = numbers.split_first_chunk::<3>()?;
        let (particles, spans, time) = (count(*particles)?, count(*spans)?, *time);
        if rest.len() != SPAN * spans + particles * (SCALARS + 3 * VECTORS + 9) {
            return None;
        }
        let (pieces, mut rows) = rest.split_at(SPAN * spans);
        let mut state = Self { time, ..Self::default() };
        let mut next = 0;
        for piece in pieces.chunks_exact(SPAN) {
            let torn = count(piece[3]).filter(|torn| *torn < 4)?;
            let span = Span {
                first: count(piece[0])?,
                count: count(piece[1])?,
                string: count(piece[2])?,
                torn: [torn & 1 != 0, torn & 2 != 0],
                flick: [piece[4], piece[5]],
                pushed: piece[6],
            };
            if span.first != next || span.count == 0 {
                return None;
            }
            next += span.count;
            state.spans.push(span);
        }
        if next != particles {
            return None;
        }
        let mut row = |width: usize| {
            let (row, after) = rows.split_at(width * particles);
            rows = after;
            row
        };
        for numbers in state.scalars_mut() {
            *numbers = row(1).to_vec();
        }
        for vectors in state.vectors_mut() {
            *vectors = row(3).chunks_exact(3).map(DVec3::from_slice).collect();
        }
        state.rotations = row(9).chunks_exact(9).map(DMat3::from_cols_slice).collect();
        Some(state)
    }
}
