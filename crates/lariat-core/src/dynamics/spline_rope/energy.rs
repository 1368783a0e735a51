//! Energy of a rope: motion, height, stretch, bending.
//!
//! Tests: `energy_falls_with_damping_and_is_bounded_without`.

use glam::DVec3;

use super::implicit::jam_force_and_energy;
use super::nodes::Node;
use super::rope::SplineRope;
use crate::num::banded::Symmetric;

/// Energy of a rope, in joules.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Energy of motion.
    pub kinetic: f64,
    /// Potential energy, zero at the height of the origin.
    pub height: f64,
    /// Energy of stretch.
    pub stretch: f64,
    /// Energy of bending.
    pub bend: f64,
}

impl Energy {
    /// Sum of all four.
    pub fn total(&self) -> f64 {
        self.kinetic + self.height + self.stretch + self.bend
    }
}

/// `xᵀ A x`, summed over the coordinates.
pub(super) fn quadratic_form(matrix: &Symmetric<3>, x: &[DVec3]) -> f64 {
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

/// Sets `out` to `A x`, for points.
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
    /// Energy of the rope.
    pub fn energy(&self) -> Energy {
        let (q, v) = (&self.state.positions, &self.state.velocities);
        let section = &self.build.section;
        let stretched = |node: &Node| {
            let strain = node.strain(q);
            let share = if strain < 0.0 { section.compression } else { 1.0 };
            let elastic = 0.5 * share * section.stretch * strain * strain;
            (elastic + jam_force_and_energy(section, strain).1) * node.weight * node.rest
        };
        let moment: DVec3 = q.iter().zip(&self.masses).map(|(q, mass)| *q * *mass).sum();
        Energy {
            kinetic: 0.5 * quadratic_form(&self.mass, v),
            height: -self.gravity.dot(moment),
            stretch: self.nodes.iter().map(stretched).sum(),
            bend: 0.5 * quadratic_form(&self.bending, q) + self.crease_energy(),
        }
    }
}
