//! Recording of a string world: positions, velocities, tensions and twist of all particles at regular
//! times, tears, and checkpoints to resume from.
//!
//! One number per particle gives the rotation of its segment. For the first particle of a piece it
//! is the angle of its side from a normal that follows from its direction; for the others it is the
//! accumulated twist from there, which is not wrapped. Tears are a list, which determines the
//! pieces.
//!
//! Between two records, positions follow the cubic Hermite curve, and solids rotate uniformly. If a
//! string tears between them, it has the pieces of the earlier record.
//!
//! Tests, in `tests/suite/strings.rs`: `a_torn_string_is_two_pieces_from_then_on`,
//! `a_resumed_take_of_strings_has_the_same_bits`.

use std::ops::Range;

use glam::{DQuat, DVec3};
use lariat_core::num::ops;
use lariat_rigid::Solid;
use lariat_string::Cause;

use super::simulator::StringSimulator;
use super::solid::turned_between;
use crate::simulate::history::History;

/// Numbers of a solid in a record: position, rotation, velocity and spin.
pub(super) const SOLID: usize = 13;

/// A tear of a string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tear {
    /// The first record after it.
    pub record: usize,
    /// Index of the string.
    pub string: usize,
    /// First particle of the torn segment.
    pub segment: usize,
    pub cause: Cause,
    /// Time in seconds of the shot.
    pub time: f64,
    /// Direction of the segment at the record before it tore.
    pub direction: DVec3,
}

/// The recording of a string world.
#[derive(Debug, Default)]
pub(crate) struct StringWorldTake {
    /// Positions, velocities, tensions and rotations of particles, then solids.
    pub history: History,
    pub particles: usize,
    pub solids: usize,
    /// Particles of each string.
    pub strings: Vec<Range<usize>>,
    /// In the order of their records.
    pub tears: Vec<Tear>,
}

/// A piece of a string at a moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Piece {
    /// Its first particle, counted from that of its string.
    pub first: usize,
    pub points: Vec<DVec3>,
    /// Tensions at its points, in newtons.
    pub tensions: Vec<f64>,
    /// Twist at its points relative to the first, in radians.
    pub twist: Vec<f64>,
    /// Direction of the side of its first segment.
    pub side: DVec3,
    /// True for each end that is torn.
    pub torn: [bool; 2],
    /// Outward directions of its torn ends.
    pub ways: [DVec3; 2],
}

impl StringWorldTake {
    /// Drops all records and starts a recording of strings, given the particles of each, and solids.
    pub(super) fn begin(
        &mut self,
        (start, rate): (f64, f64),
        strings: Vec<Range<usize>>,
        solids: usize,
    ) {
        self.particles = strings.last().map_or(0, |last| last.end);
        (self.strings, self.solids) = (strings, solids);
        self.tears.clear();
        self.history.begin(start, rate, 8 * self.particles + SOLID * solids);
    }

    /// Adds a tear at the next record.
    pub(super) fn add_tear(&mut self, string: usize, segment: usize, cause: Cause, time: f64) {
        let record = self.history.len();
        let before = record.checked_sub(1).and_then(|last| self.history.row_of(last));
        let place = |row: &[f64], i: usize| DVec3::from_slice(&row[3 * i..3 * i + 3]);
        let direction =
            before.map_or(DVec3::X, |row| direction(place(row, segment), place(row, segment + 1)));
        self.tears.push(Tear { record, string, segment, cause, time, direction });
    }

    pub(super) fn record(
        &mut self,
        strings: &StringSimulator,
        solids: impl Iterator<Item = Solid>,
    ) {
        let particles = self.particles;
        self.history.add_record(|numbers| write_record(numbers, particles, strings, solids));
    }

    /// A copy that shares all records in memory. The tape goes with the copy.
    pub(super) fn share(&mut self) -> Self {
        Self {
            history: self.history.share(),
            strings: self.strings.clone(),
            tears: self.tears.clone(),
            ..*self
        }
    }

    /// Position and rotation of a solid at a time; held before the first record and after the last.
    pub(super) fn solid_at(&self, t: f64, solid: usize) -> Option<(DVec3, DQuat)> {
        let at = self.history.around(t)?;
        let from = 8 * self.particles + SOLID * solid;
        let [a, b] = at.rows.map(|row| DQuat::from_slice(&row[from + 3..from + 7]));
        let turned = if at.share == 0.0 { a } else { turned_between(a, b, at.share) };
        Some((at.place(from, from + 7), turned))
    }

    /// The pieces of a string at a time, given its particles; held before the first record and after
    /// the last.
    pub(super) fn at(&self, t: f64, string: usize, first: usize, count: usize) -> Vec<Piece> {
        let Some(around) = self.history.around(t) else { return Vec::new() };
        let ([a, b], [before, after], s) = (around.rows, around.records, around.share);
        let n = self.particles;
        let place = |row: &[f64], i: usize| DVec3::from_slice(&row[3 * i..3 * i + 3]);
        let point = |i: usize| around.place(3 * i, 3 * (n + i));
        let number = |row: &[f64], i: usize| row[6 * n + i];
        let turned = |row: &[f64], i: usize| row[7 * n + i];
        let side = |row: &[f64], i: usize| {
            let way = direction(place(row, i), place(row, i + 1));
            let across = way.any_orthonormal_vector();
            let (sin, cos) = ops::sin_cos(turned(row, i));
            across * cos + way.cross(across) * sin
        };
        // Tears so far, and whether there is another one at the next record.
        let mine = self.tears.iter().filter(|tear| tear.string == string);
        let changes = mine.clone().any(|tear| tear.record == after && after > before);
        let mut ends: Vec<usize> =
            mine.filter(|tear| tear.record <= before).map(|tear| tear.segment).collect();
        ends.sort_unstable();
        ends.push(first + count - 1);
        let twist_share = if changes { 0.0 } else { s };
        let mut pieces = Vec::with_capacity(ends.len());
        let mut from = first;
        for end in ends {
            let (start, many) = (from, end + 1 - from);
            from = end + 1;
            let torn = [start > first, end + 1 < first + count];
            if many < 2 {
                // The remains of both adjacent segments keep the direction that they had before
                // they tore.
                let beside = [start.wrapping_sub(1), start];
                let ways = [0, 1].map(|side| {
                    let tore = |tear: &&Tear| tear.string == string && tear.segment == beside[side];
                    let tear = self.tears.iter().find(tore).filter(|_| torn[side]);
                    tear.map_or(DVec3::ZERO, |tear| [-1.0, 1.0][side] * tear.direction)
                });
                let way = if torn[1] { ways[1] } else { -ways[0] };
                pieces.push(Piece {
                    first: start - first,
                    points: vec![point(start)],
                    tensions: vec![0.0],
                    twist: vec![0.0],
                    side: way.any_orthonormal_vector(),
                    torn,
                    ways,
                });
                continue;
            }
            let tension = |i: usize| number(a, i) + twist_share * (number(b, i) - number(a, i));
            // Twist belongs to segments; the value at a point is the mean of its two.
            let twist = |i: usize| match i == start {
                true => 0.0,
                false => turned(a, i) + twist_share * (turned(b, i) - turned(a, i)),
            };
            let at_points = |of: &dyn Fn(usize) -> f64| -> Vec<f64> {
                let at = |i: usize| 0.5 * (of(i.max(start + 1) - 1) + of(i.min(end - 1)));
                (start..=end).map(at).collect()
            };
            let sides = [side(a, start), if changes { side(a, start) } else { side(b, start) }];
            let points: Vec<DVec3> = (start..=end).map(point).collect();
            let ways =
                [direction(points[1], points[0]), direction(points[many - 2], points[many - 1])];
            pieces.push(Piece {
                first: start - first,
                points,
                tensions: at_points(&tension),
                twist: at_points(&twist),
                side: sides[0].lerp(sides[1], s).normalize_or(sides[0]),
                torn,
                ways,
            });
        }
        pieces
    }
}

/// Direction of a segment.
fn direction(from: DVec3, to: DVec3) -> DVec3 {
    (to - from).normalize_or(DVec3::X)
}

/// Appends the numbers of a record.
fn write_record(
    numbers: &mut Vec<f64>,
    particles: usize,
    strings: &StringSimulator,
    solids: impl Iterator<Item = Solid>,
) {
    let positions = strings.positions();
    let vectors = positions.iter().chain(strings.velocities());
    numbers.extend(vectors.flat_map(DVec3::to_array));
    numbers.extend_from_slice(strings.tensions());
    let from = numbers.len();
    numbers.resize(from + particles, 0.0);
    let turned = &mut numbers[from..];
    for (i, count) in strings.pieces().into_iter().filter(|(_, count)| *count > 1) {
        let way = direction(positions[i], positions[i + 1]);
        let (angle, from_side) = strings.turned(i);
        let (sin, cos) = ops::sin_cos(angle);
        let side = from_side * cos + way.cross(from_side) * sin;
        let across = way.any_orthonormal_vector();
        turned[i] = ops::atan2(side.dot(way.cross(across)), side.dot(across));
        let mut twist = 0.0;
        for (joint, turned) in (i + 1..).zip(&mut turned[i + 1..i + count - 1]) {
            twist += strings.twist(joint);
            *turned = twist;
        }
    }
    solids.for_each(|solid| solid.to_numbers(numbers));
}
