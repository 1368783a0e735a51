//! The pull of moving air.
//!
//! Across the rope `½ ρ C d |u| u`, with `u` the air that goes past; along it air only rubs. The
//! strength `½ ρ C d |u|` is that of the step's beginning, which makes the pull linear in the speeds, so
//! that the implicit step has it in its matrix.
//!
//! Tests: `a_rope_in_the_wind_leans_as_drag_and_weight_say`, `dense_air_carries_ropes_along`.

use glam::DVec3;

use super::nodes::Node;
use super::rope::SplineRope;

/// How much of the drag across a rope there is along it, where air only rubs.
pub(super) const SKIN: f64 = 0.03;

/// The pull of air at a node, as strong at any speed as it is at that of the step's beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Breeze {
    /// Newtons for every metre a second across the rope.
    pub strength: f64,
    /// Along the rope.
    pub way: DVec3,
    wind: DVec3,
}

impl Breeze {
    /// At a node of a rope as it moves now.
    fn at(rope: &SplineRope, node: &Node) -> Self {
        let (q, v) = (&rope.state.positions, &rope.state.velocities);
        let way = node.slope.of(q).normalize_or(DVec3::ZERO);
        let wind = rope.air.at(node.value.of(q));
        let past = wind - node.value.of(v);
        let across = past - way * way.dot(past);
        // ½ ρ C d |u| with d twice the radius.
        let per_metre = rope.air.density * rope.drag * rope.radius * across.length();
        Self { strength: per_metre * node.weight * node.rest, way, wind }
    }

    /// Newtons, at a speed.
    pub(super) fn pull(&self, speed: DVec3) -> DVec3 {
        let past = self.wind - speed;
        (past - self.way * ((1.0 - SKIN) * self.way.dot(past))) * self.strength
    }
}

impl SplineRope {
    /// The pull of air at every sail; nothing where there is no air.
    pub(super) fn breezes(&self, out: &mut Vec<Breeze>) {
        out.clear();
        if self.air.density != 0.0 && self.drag != 0.0 && self.radius != 0.0 {
            out.extend(self.sails.iter().map(|node| Breeze::at(self, node)));
        }
    }
}
