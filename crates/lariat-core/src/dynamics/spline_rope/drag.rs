//! Drag of the air.
//!
//! Across the rope the drag is `½ ρ C d |u| u`, with `u` the velocity of the air relative to the rope;
//! along it there is only skin friction. The coefficient `½ ρ C d |u|` is taken at the beginning of
//! the step. The drag is then linear in the velocities, and the implicit step includes it in its
//! matrix.
//!
//! Tests: `a_rope_in_the_wind_leans_as_drag_and_weight_say`, `dense_air_carries_ropes_along`.

use glam::DVec3;

use super::nodes::Node;
use super::rope::SplineRope;

/// Drag coefficient along a rope, relative to that across it.
pub(super) const SKIN_DRAG: f64 = 0.03;

/// Drag at one point of a rope, linear in the velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drag {
    /// Drag per speed across the rope, in newtons per m/s.
    pub coefficient: f64,
    /// Direction of the rope.
    pub direction: DVec3,
    wind: DVec3,
}

impl Drag {
    /// Drag at a node, with the coefficient for the current velocity.
    fn at(rope: &SplineRope, node: &Node) -> Self {
        let (q, v) = (&rope.state.positions, &rope.state.velocities);
        let direction = node.slope.of(q).normalize_or(DVec3::ZERO);
        let wind = rope.air.at(node.value.of(q));
        let relative = wind - node.value.of(v);
        let across = relative - direction * direction.dot(relative);
        // ½ ρ C d |u| with d twice the radius.
        let per_metre = rope.air.density * rope.drag * rope.radius * across.length();
        Self { coefficient: per_metre * node.weight * node.rest, direction, wind }
    }

    /// Drag in newtons at a velocity.
    pub(super) fn force(&self, velocity: DVec3) -> DVec3 {
        let relative = self.wind - velocity;
        let along = self.direction.dot(relative);
        (relative - self.direction * ((1.0 - SKIN_DRAG) * along)) * self.coefficient
    }
}

impl SplineRope {
    /// Finds the drag at every drag point; leaves `out` empty if there is none.
    pub(super) fn find_drag(&self, out: &mut Vec<Drag>) {
        out.clear();
        if self.air.density != 0.0 && self.drag != 0.0 && self.radius != 0.0 {
            out.extend(self.drag_points.iter().map(|node| Drag::at(self, node)));
        }
    }
}
