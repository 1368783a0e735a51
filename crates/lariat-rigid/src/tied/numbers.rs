//! All that tied strings and solids remember, as numbers: a checkpoint.
//!
//! Whoever writes one calls [`Tied::forget`] as well, so that the run which goes on and the one that
//! begins from the numbers have the same bits.
//!
//! Tests: `a_checkpoint_goes_on_with_the_same_bits`,
//! `a_checkpoint_is_not_read_with_what_was_known_before`.

use glam::DVec3;
use lariat_string::State;

use super::{Hold, Tied};

/// Numbers of a solid, and of a tie.
const SOLID: usize = 13;
const TIE: usize = 16;

impl Tied {
    /// All of it as numbers, in an order that [`Tied::set_numbers`] reads.
    pub fn to_numbers(&self, out: &mut Vec<f64>) {
        out.extend([self.solids.solids.len() as f64, self.holds.len() as f64]);
        for solid in &self.solids.solids {
            solid.to_numbers(out);
        }
        for hold in &self.holds {
            let segment = hold.segment.map_or(-1.0, |segment| segment as f64);
            out.extend([f64::from(u8::from(hold.active)), hold.particle as f64]);
            out.extend([hold.solid as f64, hold.load, segment, hold.inertia, 0.0]);
            for v in [hold.axis, hold.side, hold.unknown] {
                out.extend(v.to_array());
            }
        }
        self.strings.state.to_numbers(out);
    }

    /// Sets what [`Tied::to_numbers`] wrote, on strings and solids that were built alike; `None`, and
    /// nothing changed, if it is something else.
    pub fn set_numbers(&mut self, numbers: &[f64]) -> Option<()> {
        let (head, rest) = numbers.split_at_checked(2)?;
        let whole = |x: f64| (0.0..1e9).contains(&x).then_some(x as usize);
        let (solids, holds) = (whole(head[0])?, whole(head[1])?);
        if solids != self.solids.solids.len() || holds > self.ties.len() {
            return None;
        }
        let (first, rest) = rest.split_at_checked(SOLID * solids)?;
        let (second, rest) = rest.split_at_checked(TIE * holds)?;
        let state = State::from_numbers(rest)?;
        let particles = self.strings.state.particles();
        if state.particles() != particles {
            return None;
        }
        let mut read = Vec::with_capacity(holds);
        for row in second.chunks_exact(TIE) {
            let (particle, solid) = (whole(row[1])?, whole(row[2])?);
            let segment = if row[4] < 0.0 { None } else { Some(whole(row[4])?) };
            if particle >= particles || solid >= solids.max(1) || segment >= Some(particles) {
                return None;
            }
            let vector = |at: usize| DVec3::from_slice(&row[at..at + 3]);
            read.push(Hold {
                active: row[0] != 0.0,
                particle,
                solid,
                load: row[3],
                segment,
                inertia: row[5],
                axis: vector(7),
                side: vector(10),
                unknown: vector(13),
                ..Hold::default()
            });
        }
        for k in 0..self.holds.len() {
            if self.holds[k].active {
                self.leave(k);
            }
        }
        for hold in read.iter_mut().filter(|hold| hold.active) {
            hold.own = self.strings.mass(hold.particle);
            self.strings.set_mass(hold.particle, hold.own, hold.load);
            if let Some(segment) = hold.segment {
                hold.own_inertia = self.strings.inertia(segment);
                self.strings.set_turned(segment, hold.inertia);
            }
        }
        self.holds = read;
        self.strings.state = state;
        for (solid, numbers) in self.solids.solids.iter_mut().zip(first.chunks_exact(SOLID)) {
            solid.set_numbers(numbers)?;
        }
        self.forget();
        Some(())
    }
}
