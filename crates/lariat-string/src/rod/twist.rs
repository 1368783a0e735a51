//! Frames and twist: how twist spreads along a piece and spins its segments.
//!
//! Each segment has a side that is transported as the segment turns (`super::super::frames` has the
//! reasons), and an angle `θ` of the material from it. The twist of a joint is
//! `m = θ₊ − θ₋ + turn − rest`, its torque `τ = k m + k η ṁ` with `k = GJ/l` and inner friction `η`:
//!
//! ```text
//! I θ̈ = τ_ahead − τ_behind + T − ν I θ̇
//! ```
//!
//! All joints of a piece are one tridiagonal system, made with the coefficients of the substep
//! (`chain.rs`). The force of twist on the particles is part of Newton's matrix (`band.rs`) with the
//! torque of the last substep.
//!
//! A segment that a clamp turns, or a solid, is turned at its end, not in its middle: the joint beside
//! it is softer by the half of the segment that the twist also winds (`Parts::joint_twist`).
//!
//! A string that is curved at rest has its curvature in material axes, so bending it another way
//! twists it: half of the torque `B t·(rest × now)` acts on each segment of the joint.
//!
//! Tests: `twist_spreads_evenly`, `the_period_of_a_torsion_pendulum_converges_by_the_square_of_its_segments`,
//! `a_cone_of_tangents_turns_by_its_solid_angle`, `a_full_loop_is_one_turn`.

use glam::DVec3;
use lariat_core::num::ops;

use super::super::build::Twist;
use super::super::controls::Turn;
use super::super::frames::{Sides, carried};
use super::chain::{Chain, Coefficients};
use super::parts::Constants;
use super::state::Rows;

/// A segment that a clamp turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnedSegment {
    /// From the first of its piece.
    pub segment: usize,
    pub turn: Turn,
    /// Its angle when the step began.
    pub from: f64,
}

/// Directions of the rest curvature of a joint: across the mean of its two tangents.
pub(super) fn joint_axes(tangents: [DVec3; 2], sides: [DVec3; 2]) -> Option<[DVec3; 2]> {
    let along = (tangents[0] + tangents[1]).try_normalize()?;
    let [a, b] = [0, 1].map(|k| carried(sides[k], tangents[k], along));
    let first = (a + b).try_normalize()?;
    Some([first, along.cross(first)])
}

/// The side of the material of a segment.
pub(super) fn material_side(side: DVec3, tangent: DVec3, angle: f64) -> DVec3 {
    let (sin, cos) = ops::sin_cos(angle);
    side * cos + tangent.cross(side) * sin
}

impl Chain {
    /// Sets the rest curvature of all joints in world axes, as the frames of the last substep are
    /// carried on to where the segments are in this iteration.
    pub(super) fn turn_rest_curvature(&mut self, rows: &Rows<'_>, constants: &Constants<'_>) {
        let n = self.count - 1;
        let h = self.coefficients.h;
        let mut before: Option<(DVec3, DVec3)> = None;
        for i in 0..n {
            let was = rows.tangents[i];
            let tangent = (self.x[i + 1] - self.x[i]).try_normalize().unwrap_or(was);
            let side = carried(rows.sides[i], was, tangent);
            let side = material_side(side, tangent, rows.angles[i] + h * rows.spins[i]);
            if let Some((last, last_side)) = before
                && let Some(axes) = joint_axes([last, tangent], [last_side, side])
            {
                let [a, b] = constants.parts.bent[self.first + i];
                self.set_bent(i, axes[0] * a + axes[1] * b);
            }
            before = Some((tangent, side));
        }
    }

    /// Carries frames to where segments are now, and spreads twist.
    pub(super) fn turn(
        &mut self,
        rows: &mut Rows<'_>,
        constants: &Constants<'_>,
        targets: &[TurnedSegment],
        share: f64,
    ) {
        let kind = &constants.kinds[self.string];
        if self.count < 2 {
            return;
        }
        if kind.twist == Twist::Free {
            // Frames are for the curvature at rest only.
            if kind.curved {
                self.carry_sides(rows);
            }
            return;
        }
        self.old_turns.clear();
        self.old_turns.extend((0..self.count).map(|j| rows.turns[j]));
        self.carry_sides(rows);
        self.spread(rows, constants, targets, share);
    }

    fn carry_sides(&self, rows: &mut Rows<'_>) {
        let n = self.count - 1;
        let sides = Sides {
            x: &self.x,
            rests: &rows.rests[..n],
            tangents: &mut rows.tangents[..n],
            sides: &mut rows.sides[..n],
            turns: &mut rows.turns[..n],
            cosines: &mut rows.turn_cosines[..n],
            sines: &mut rows.turn_sines[..n],
        };
        sides.carry(|_, _, _, _| ());
    }

    fn spread(
        &mut self,
        rows: &mut Rows<'_>,
        constants: &Constants<'_>,
        targets: &[TurnedSegment],
        share: f64,
    ) {
        let n = self.count - 1;
        let kind = &constants.kinds[self.string];
        let Coefficients { h, last, alpha, beta, .. } = self.coefficients;
        let slowed = beta / (1.0 + beta * constants.spin_viscosity);
        let c = beta * slowed;
        let friction = kind.material.inner_friction / h;
        let parts = constants.parts;
        let first = self.first;
        let mut target = targets.iter().peekable();
        let mut room = (std::mem::take(&mut self.upper), std::mem::take(&mut self.known));
        room.0.resize(n, 0.0);
        room.1.resize(n, 0.0);
        let (upper, known) = (&mut room.0[..], &mut room.1[..]);
        let (mut above, mut value, mut behind, mut behind_stiff) = (0.0, 0.0, 0.0, 0.0);
        let mut behind_rest = Rest::default();
        for i in 0..n {
            let (angle, spin) = (rows.angles[i], rows.spins[i]);
            let start = angle + (rows.turned[i] + spin * last) * alpha;
            let aim = start + (spin + rows.spun[i] * alpha) * slowed;
            let per = (parts.inertia[first + i] + parts.turned[first + i]) / c;
            // Torque of the joint ahead for equal angles, and its stiffness.
            let (mut ahead, mut stiff, mut rest) = (0.0, 0.0, Rest::default());
            if i + 1 < n {
                let j = i + 1;
                let elastic =
                    constants.parts.joint_twist(first + j, self.turned_ends(j, targets, constants));
                let rub = elastic * friction;
                let was = rows.angles[j] - angle + self.old_turns[j] - rows.rest_twists[j];
                stiff = elastic + rub;
                ahead = stiff * (rows.turns[j] - rows.rest_twists[j]) - rub * was;
                if kind.curved {
                    rest = rest_torque(rows, j, parts.joint_bend[first + j], parts.bent[first + j]);
                }
            }
            let outside = constants.torque[first + i];
            if let Some(held) = target.next_if(|target| target.segment == i) {
                value = held.angle(share, angle, rows.sides[i], rows.tangents[i]);
                above = 0.0;
            } else {
                // Half of the torque of rest curvature acts on each segment of its joint.
                let own = 0.25 * (behind_rest.stiffness + rest.stiffness);
                let (k0, k1) =
                    (behind_stiff - 0.25 * behind_rest.stiffness, stiff - 0.25 * rest.stiffness);
                let bent = 0.5 * (behind_rest.at_zero() + rest.at_zero());
                let pivot = 1.0 / (per + behind_stiff + stiff + own - k0 * above);
                let force = per * aim + ahead - behind + outside + bent;
                value = (force + k0 * value) * pivot;
                above = k1 * pivot;
            }
            (upper[i], known[i]) = (above, value);
            (behind, behind_stiff, behind_rest) = (ahead, stiff, rest);
        }
        for i in (0..n - 1).rev() {
            known[i] += upper[i] * known[i + 1];
        }
        let mut held = targets.iter().peekable();
        for (i, now) in known.iter().copied().enumerate() {
            let was = rows.angles[i];
            let start = was + (rows.turned[i] + rows.spins[i] * last) * alpha;
            let led = held.next_if(|target| target.segment == i).is_some();
            let spin = if led { (now - was) / h } else { (now - start) / beta };
            rows.turned[i] = now - was - spin * h;
            rows.spun[i] = spin - rows.spins[i];
            (rows.angles[i], rows.spins[i]) = (now, spin);
        }
        for j in 1..n {
            let elastic =
                constants.parts.joint_twist(first + j, self.turned_ends(j, targets, constants));
            let twist = rows.angles[j] - rows.angles[j - 1] + rows.turns[j] - rows.rest_twists[j];
            rows.torques[j] = elastic * twist;
        }
        (self.upper, self.known) = room;
    }

    /// Whether the segments before and after a joint are turned at their far ends, and the shares of
    /// them that can twist.
    fn turned_ends(
        &self,
        joint: usize,
        targets: &[TurnedSegment],
        constants: &Constants<'_>,
    ) -> [f64; 2] {
        [joint - 1, joint].map(|i| {
            let end = i == 0 || i + 2 == self.count;
            if !end {
                0.5
            } else if targets.iter().any(|target| target.segment == i) {
                // Held at both ends it is inside the clamp; at one, all of it winds.
                if self.is_held(i) && self.is_held(i + 1) { 0.0 } else { 1.0 }
            } else if constants.parts.turned[self.first + i] > 0.0 {
                1.0
            } else {
                0.5
            }
        })
    }
}

/// The torque of a joint that is curved at rest, and what it changes by with the mean of the two
/// angles.
#[derive(Clone, Copy, Default)]
struct Rest {
    torque: f64,
    stiffness: f64,
    /// Mean of the angles where these were computed.
    angles: [f64; 2],
}

impl Rest {
    /// The torque for equal angles of 0, by its linear form.
    fn at_zero(&self) -> f64 {
        self.torque + 0.5 * self.stiffness * (self.angles[0] + self.angles[1])
    }
}

fn rest_torque(rows: &Rows<'_>, joint: usize, bend: f64, bent: [f64; 2]) -> Rest {
    let (i, j) = (joint - 1, joint);
    let tangents = [rows.tangents[i], rows.tangents[j]];
    let angles = [rows.angles[i], rows.angles[j]];
    let sides = [0, 1].map(|k| material_side(rows.sides[i + k], tangents[k], angles[k]));
    let Some(axes) = joint_axes(tangents, sides) else { return Rest::default() };
    let rest = axes[0] * bent[0] + axes[1] * bent[1];
    let now = tangents[1] - tangents[0];
    let along = axes[0].cross(axes[1]);
    let torque = bend * along.dot(rest.cross(now));
    Rest { torque, stiffness: (bend * rest.dot(now)).max(0.0), angles }
}

impl TurnedSegment {
    /// The angle at a share of the step, given the frame there.
    fn angle(&self, share: f64, now: f64, side: DVec3, tangent: DVec3) -> f64 {
        match self.turn {
            Turn::Angle(to) => self.from + (to - self.from) * share,
            Turn::Side(to) => {
                let material = material_side(side, tangent, now);
                let off = ops::atan2(tangent.dot(material.cross(to)), material.dot(to));
                if off.is_finite() { now + off } else { now }
            }
        }
    }
}
