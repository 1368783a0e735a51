//! Forces and torques with which clamps hold their strings, read from the state after a step.
//!
//! A clamp gives what the acceleration of its particle takes and tension, bending, twist, contact,
//! gravity and the forces from outside do not give.
//!
//! Tests: `a_clamp_holds_what_hangs_on_it`, `a_clamp_holds_against_the_torque_of_a_twisted_string`.

use glam::DVec3;

use super::super::controls::Clamp;
use super::super::grip::Grip;
use super::super::twist::FOLDED;
use super::state::Span;
use super::strings::Strings;
use super::twist::{joint_axes, material_side};

impl Strings {
    /// Force and torque with which a clamp held at the end of the last step.
    pub fn grip(&self, clamp: &Clamp) -> Grip {
        let i = clamp.particle;
        let Some(span) = self.span_of(i).filter(|span| clamp.on && span.last_substep > 0.0) else {
            return Grip::default();
        };
        let state = &self.state;
        let acceleration = state.gained[i] / span.last_substep;
        let pushed = self.work.inputs.pushed.get(i).copied().unwrap_or_default();
        let needed = (acceleration - self.gravity - pushed) * self.parts.mass[i];
        let mut given = self.force_of_segments(&span, i) + self.force_of_contacts(i);
        for joint in i.saturating_sub(1)..=i + 1 {
            if span.joints().contains(&joint) {
                given += self.force_of_joint(joint, i);
            }
        }
        let mut torque = 0.0;
        if let (Some(_), Some(segment)) = (clamp.turn, span.segment_at(i)) {
            let of = |joint: usize| {
                if span.joints().contains(&joint) { state.torques[joint] } else { 0.0 }
            };
            let outside = self.work.inputs.torque.get(segment).copied().unwrap_or_default();
            torque = of(segment) - of(segment + 1) - outside;
        }
        Grip { force: needed - given, torque }
    }

    fn force_of_segments(&self, span: &Span, i: usize) -> DVec3 {
        let state = &self.state;
        let pull = |segment: usize| {
            let offset = state.positions[segment + 1] - state.positions[segment];
            offset.normalize_or_zero() * state.tensions[segment]
        };
        let ahead = if span.segments().contains(&i) { pull(i) } else { DVec3::ZERO };
        let behind = if i > span.first { pull(i - 1) } else { DVec3::ZERO };
        ahead - behind
    }

    /// Force of bending and twist at a joint on a particle.
    fn force_of_joint(&self, joint: usize, i: usize) -> DVec3 {
        let (state, parts) = (&self.state, &self.parts);
        let x = &state.positions;
        let offsets = [x[joint] - x[joint - 1], x[joint + 1] - x[joint]];
        let per = offsets.map(|offset| 1.0 / offset.length().max(f64::MIN_POSITIVE));
        let along = [offsets[0] * per[0], offsets[1] * per[1]];
        let sides = [joint - 1, joint]
            .map(|k| material_side(state.sides[k], state.tangents[k], state.angles[k]));
        let rest = joint_axes([state.tangents[joint - 1], state.tangents[joint]], sides)
            .map_or(DVec3::ZERO, |axes| {
                axes[0] * parts.bent[joint][0] + axes[1] * parts.bent[joint][1]
            });
        let held = |i: usize| self.clamps.iter().any(|clamp| clamp.on && clamp.particle == i);
        let free = |k: usize| if held(k) && held(k + 1) { 0.0 } else { parts.length[k] };
        let (all, bends) =
            (parts.length[joint - 1] + parts.length[joint], free(joint - 1) + free(joint));
        let stiffer = if bends > 0.0 { all / bends } else { 1.0 };
        let moment = (along[1] - along[0] - rest) * (parts.joint_bend[joint] * stiffer);
        let across = |k: usize| (moment - along[k] * moment.dot(along[k])) * per[k];
        let binormal = along[0].cross(along[1])
            * (state.torques[joint] / (1.0 + along[0].dot(along[1])).max(FOLDED));
        let first = binormal * per[0] - across(0);
        let last = -binormal * per[1] - across(1);
        match i {
            _ if i + 1 == joint => first,
            _ if i == joint + 1 => last,
            _ => -first - last,
        }
    }

    fn force_of_contacts(&self, i: usize) -> DVec3 {
        let mut sum = DVec3::ZERO;
        for support in &self.state.supports {
            let first = support.particle as usize;
            let share = match (support.within, i) {
                _ if i == first => 1.0 - support.at,
                (true, _) if i == first + 1 => support.at,
                _ => continue,
            };
            sum += (support.normal * support.push + support.friction) * share;
        }
        for pair in self.work.near.pairs.iter().filter(|pair| pair.touches()) {
            let shares = pair.ends().into_iter().filter(|(particle, _)| *particle == i);
            sum += pair.force * shares.map(|(_, weight)| weight).sum::<f64>();
        }
        sum
    }
}
