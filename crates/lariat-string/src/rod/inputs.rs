//! What acts on strings in a step: clamps, forces, torques, springs and friction, in the order of the
//! particles.
//!
//! Tests: `bad_numbers_are_refused_with_what_is_wrong`, `nothing_explodes`.

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;

use super::super::spring::Spring;
use super::strings::Strings;
use super::twist::TurnedSegment;

/// A clamp in the present step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    pub particle: usize,
    pub from: DVec3,
    pub to: DVec3,
}

/// What acts on the strings in the present step.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs {
    pub holds: Vec<Hold>,
    pub turned: Vec<TurnedSegment>,
    pub springs: Vec<Spring>,
    /// Accelerations by forces, and whether there are any.
    pub pushed: Vec<DVec3>,
    pub is_pushed: bool,
    pub friction: Vec<f64>,
    pub torque: Vec<f64>,
    /// Obstacles in the present substep.
    pub obstacles: Vec<Obstacle>,
}

impl Strings {
    /// Reads clamps, forces, torques and friction.
    pub(super) fn take_inputs(&mut self, dt: f64) {
        let n = self.state.particles();
        let mut inputs = std::mem::take(&mut self.work.inputs);
        inputs.holds.clear();
        inputs.turned.clear();
        for clamp in self.clamps.iter().filter(|clamp| clamp.on && clamp.particle < n) {
            let from = self.state.positions[clamp.particle];
            if clamp.target.is_finite() {
                inputs.holds.push(Hold { particle: clamp.particle, from, to: clamp.target });
                let speed = from.distance(clamp.target) / dt;
                self.state.fastest_hold = self.state.fastest_hold.max(speed);
            }
            if let (Some(turn), Some(segment)) = (clamp.turn, self.segment_at(clamp.particle)) {
                inputs.turned.push(TurnedSegment {
                    segment,
                    turn,
                    from: self.state.angles[segment],
                });
            }
        }
        for obstacle in self.obstacles.iter().filter(|obstacle| obstacle.before != obstacle.now) {
            let speeds =
                self.state.positions.iter().map(|x| obstacle.carried(*x).distance(*x) / dt);
            self.state.fastest_hold = speeds.fold(self.state.fastest_hold, f64::max);
        }
        // The last of several clamps at a particle holds it.
        inputs.holds.reverse();
        inputs.holds.sort_by_key(|hold| hold.particle);
        inputs.holds.dedup_by_key(|hold| hold.particle);
        inputs.turned.sort_by_key(|turned| turned.segment);
        inputs.turned.dedup_by_key(|turned| turned.segment);
        inputs.springs.clone_from(&self.springs);
        inputs.springs.retain(|spring| spring.particle < n && spring.target.is_finite());
        inputs.springs.sort_by_key(|spring| spring.particle);
        inputs.pushed.clear();
        inputs.pushed.resize(n, DVec3::ZERO);
        inputs.is_pushed = false;
        for force in self.forces.iter().filter(|force| force.particle < n) {
            if force.force.is_finite() && force.force != DVec3::ZERO {
                inputs.pushed[force.particle] += force.force / self.parts.mass[force.particle];
                inputs.is_pushed = true;
            }
        }
        inputs.torque.clear();
        inputs.torque.resize(n, 0.0);
        for torque in self.torques.iter().filter(|torque| torque.segment < n) {
            if torque.torque.is_finite() {
                inputs.torque[torque.segment] += torque.torque;
            }
        }
        inputs.friction.clear();
        inputs.friction.resize(n, 0.0);
        for span in &self.state.spans {
            inputs.friction[span.particles()].fill(self.overrides(span.string).friction);
        }
        self.work.inputs = inputs;
        self.parts.set_curves(&self.kinds, self.settings.longest);
    }
}
