//! What is in a rope: motion, height, stretch, bending.
//!
//! Tests: `energy_falls_with_damping_and_is_bounded_without`.

use glam::DVec3;

use super::implicit::jammed;
use super::nodes::Node;
use super::rope::SplineRope;
use crate::num::banded::Symmetric;

/// Joules, by where they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of motion.
    pub kinetic: f64,
    /// Of height, from the origin up.
    pub height: f64,
    /// Of stretch.
    pub stretch: f64,
    /// Of bending.
    pub bend: f64,
}

impl Energy {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.kinetic + self.height + self.stretch + self.bend
    }
}

/// `xᵀ A x`, summed over the coordinates.
pub(super) fn form(matrix: &Symmetric<3>, x: &[DVec3]) -> f64 {
    let mut sum = 0.0;
    for (i, (row, here)) in matrix.rows.iter().zip(x).enumerate() {
        let mut left = DVec3::ZERO;
        for (entry, other) in row.below.iter().zip(x[..i].iter().rev()) {
            left += *other * *entry;
        }
        sum += here.dot(*here * row.diagonal + left * 2.0);
    }
    sum
}

/// `out = A x` for points.
pub(super) fn times<const B: usize>(matrix: &Symmetric<B>, x: &[DVec3], out: &mut Vec<DVec3>) {
    out.clear();
    for (i, row) in matrix.rows.iter().enumerate() {
        let mut sum = x[i] * row.diagonal;
        for (entry, other) in row.below.iter().zip(x[..i].iter().rev()) {
            sum += *other * *entry;
        }
        out.push(sum);
    }
    for (i, row) in matrix.rows.iter().enumerate() {
        for (k, entry) in row.below.iter().enumerate().take(i) {
            out[i - 1 - k] += x[i] * *entry;
        }
    }
}

impl SplineRope {
    /// Its energy.
    pub fn energy(&self) -> Energy {
        let (q, v) = (&self.state.positions, &self.state.velocities);
        let section = &self.build.section;
        let stretched = |node: &Node| {
            let strain = node.strain(q);
            let share = if strain < 0.0 { section.compression } else { 1.0 };
            let springy = 0.5 * share * section.stretch * strain * strain;
            (springy + jammed(section, strain).1) * node.weight * node.rest
        };
        let lifted: DVec3 = q.iter().zip(&self.masses).map(|(q, mass)| *q * *mass).sum();
        Energy {
            kinetic: 0.5 * form(&self.mass, v),
            height: -self.gravity.dot(lifted),
            stretch: self.nodes.iter().map(stretched).sum(),
            bend: 0.5 * form(&self.bending, q) + self.creased(),
        }
    }
}
