//! Chain shape matching: regions that keep their shape.
//!
//! Section 3. Region `k` holds the particles `k − w … k + w`. Each region fits a rigid transformation of
//! its shape at rest to its particles, weighted by the per-region masses `m̃ = m / N` (`N` regions hold a
//! particle). The goal of a particle is the mean over its regions, and the particle moves by the share `α`
//! towards it. Sums along the string make this `O(n)`, for any width (notes 4.1).
//!
//! A string that is straight at rest needs only an axis for each region, `d = Σ m̃ (s − s̄)(x − c)`.
//! Regions keep the lengths that the strain limit allows, not those at rest.
//!
//! Tests: `a_straight_held_string_stays_straight`, `a_bent_string_relaxes_by_its_share`,
//! `shape_matching_keeps_momentum`, `regions_vs_sums_by_hand`, `a_curved_string_keeps_its_shape`.

use glam::{DMat3, DVec3};

use super::rotation::{nearest_rotation, outer};
use super::share_of_step;
use super::state::Span;
use super::strings::Strings;

/// Sums along a piece: entry `i` is the sum over the particles before `i`.
struct Sums {
    mass: Vec<f64>,
    shape: Vec<DVec3>,
    place: Vec<DVec3>,
    product: Vec<DMat3>,
}

impl Strings {
    /// Sets the rotations of the regions of a new string.
    pub(super) fn lay_regions(&mut self, span: &Span) {
        if self.kinds[span.string].curved {
            return;
        }
        for i in span.particles() {
            let x = self.state.tangents[i.min(span.segments().end - 1)];
            let y = x.any_orthonormal_vector();
            self.state.rotations[i] = DMat3::from_cols(x, y, x.cross(y));
        }
    }

    /// Moves the particles of all strings towards their goal positions.
    pub(super) fn match_shapes(&mut self, dt: f64) {
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            let Some(regions) = self.kinds[span.string].shape else { continue };
            if span.count < 3 || regions.half_width == 0 {
                continue;
            }
            let share = share_of_step(regions.share, dt);
            let goals = self.goals(&span, regions.half_width);
            for (i, goal) in span.particles().zip(goals) {
                if !self.work.held[i] {
                    let place = &mut self.state.positions[i];
                    *place += (goal - *place) * share;
                }
            }
        }
    }

    /// Goal positions of the particles of a piece.
    fn goals(&mut self, span: &Span, width: usize) -> Vec<DVec3> {
        let n = span.count;
        let curved = self.kinds[span.string].curved;
        // Particles of the region around `k`, and regions that hold the particle `k`.
        let around = |k: usize| (k.saturating_sub(width), k.saturating_add(width).min(n - 1) + 1);
        let shape = self.shape_at_rest(span);
        let origin = self.state.positions[span.first];
        let sums = self.sums(span, &shape, origin, |k| {
            let (from, to) = around(k);
            (to - from) as f64
        });
        // Sums over the regions: of rotations, and of the places of the origin of the shape.
        let mut rotations = vec![DMat3::ZERO; n + 1];
        let mut shifts = vec![DVec3::ZERO; n + 1];
        for k in 0..n {
            let (from, to) = around(k);
            let per = 1.0 / (sums.mass[to] - sums.mass[from]);
            let middle = (sums.shape[to] - sums.shape[from]) * per;
            let place = sums.place[to] - sums.place[from];
            let product = sums.product[to] - sums.product[from] - outer(place, middle);
            let rotation = &mut self.state.rotations[span.first + k];
            if curved {
                *rotation = nearest_rotation(product, *rotation);
            } else if let Some(axis) = product.x_axis.try_normalize() {
                // A region that is folded in two has no axis, and keeps that of the last step.
                let across = axis.any_orthonormal_vector();
                *rotation = DMat3::from_cols(axis, across, axis.cross(across));
            }
            rotations[k + 1] = rotations[k] + *rotation;
            shifts[k + 1] = shifts[k] + place * per - *rotation * middle;
        }
        let goal = |k: usize| {
            let (from, to) = around(k);
            let turned = (rotations[to] - rotations[from]) * shape[k];
            origin + (turned + shifts[to] - shifts[from]) / (to - from) as f64
        };
        (0..n).map(goal).collect()
    }

    /// Shape of a piece at rest, from its first particle, with the lengths that the strain limit allows.
    fn shape_at_rest(&self, span: &Span) -> Vec<DVec3> {
        let state = &self.state;
        if self.kinds[span.string].curved {
            let built: f64 = self.parts.length[span.segments()].iter().sum();
            let now: f64 = span.segments().map(|i| state.longest(i)).sum();
            let home = self.parts.shape[span.first];
            let shape = &self.parts.shape[span.particles()];
            return shape.iter().map(|place| (*place - home) * (now / built)).collect();
        }
        let mut arc = 0.0;
        let mut shape = vec![DVec3::ZERO];
        for i in span.segments() {
            arc += state.longest(i);
            shape.push(DVec3::X * arc);
        }
        shape
    }

    fn sums(
        &self,
        span: &Span,
        shape: &[DVec3],
        origin: DVec3,
        regions_at: impl Fn(usize) -> f64,
    ) -> Sums {
        let mut sums = Sums {
            mass: vec![0.0],
            shape: vec![DVec3::ZERO],
            place: vec![DVec3::ZERO],
            product: vec![DMat3::ZERO],
        };
        for (k, i) in span.particles().enumerate() {
            let heavier = if self.work.touched[i] { self.collision_mass } else { 1.0 };
            let mass = heavier * self.parts.mass[i] / regions_at(k);
            let place = (self.state.positions[i] - origin) * mass;
            sums.mass.push(sums.mass[k] + mass);
            sums.shape.push(sums.shape[k] + shape[k] * mass);
            sums.place.push(sums.place[k] + place);
            sums.product.push(sums.product[k] + outer(place, shape[k]));
        }
        sums
    }
}
