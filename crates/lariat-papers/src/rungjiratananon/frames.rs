//! Twist-free frames of the segments.
//!
//! Section 4, figure 1(b): a twisting angle is measured from a twist-free frame to the material frame. Each
//! segment has a normal from which its angle is measured. When the segment turns, the normal turns with it
//! by the smallest rotation. The angle between neighbouring normals, one transported to the other, is the
//! winding of their joint; it counts as twist (notes 4.2).
//!
//! # Differences from the paper
//!
//! * A frame that is swept along the string again in every step jumps by a full turn when a loop
//!   forms. Here normals and windings follow the motion.
//! * Windings are not counted at joints that are folded by more than 154°: there no smallest rotation
//!   exists, and passing on the other side would count as a turn.
//!
//! Tests: `a_cone_of_tangents_winds_by_its_solid_angle`.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use lariat_core::num::ops;

use super::state::Span;
use super::strings::Strings;

/// One plus the cosine of the angle at a joint below which windings are not counted.
const FOLDED: f64 = 0.1;

/// A vector across `from`, turned by the smallest rotation from `from` to `to`.
fn transported(vector: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let sum = 1.0 + from.dot(to);
    let turned = match sum > 1e-9 {
        true => vector - (from + to) * (vector.dot(to) / sum),
        // Opposite directions: a half turn about the vector itself.
        false => vector,
    };
    let across = turned - to * turned.dot(to);
    across.normalize_or(to.any_orthonormal_vector())
}

/// Right-handed angle about `axis` from `from` to `to`, both across it.
fn angle_about(axis: DVec3, from: DVec3, to: DVec3) -> f64 {
    ops::atan2(axis.dot(from.cross(to)), from.dot(to))
}

impl Strings {
    /// Normals of a new string, without twist.
    pub(super) fn lay_frames(&mut self, span: &Span) {
        let state = &mut self.state;
        for i in span.segments() {
            let along = state.positions[i + 1] - state.positions[i];
            let tangent = along.normalize_or(DVec3::X);
            state.normals[i] = match i > span.first {
                true => transported(state.normals[i - 1], state.tangents[i - 1], tangent),
                false => tangent.any_orthonormal_vector(),
            };
            state.tangents[i] = tangent;
        }
    }

    /// Carries the frames to the places of the segments after the step.
    pub(super) fn carry_frames(&mut self) {
        let state = &mut self.state;
        for span in &state.spans {
            for i in span.segments() {
                let before = state.tangents[i];
                let along = state.positions[i + 1] - state.positions[i];
                let tangent = along.try_normalize().unwrap_or(before);
                state.normals[i] = transported(state.normals[i], before, tangent);
                state.tangents[i] = tangent;
            }
            for j in span.joints() {
                let [before, after] = [state.tangents[j - 1], state.tangents[j]];
                if 1.0 + before.dot(after) < FOLDED {
                    continue;
                }
                let carried = transported(state.normals[j - 1], before, after);
                let winding = angle_about(after, carried, state.normals[j]);
                let change = winding - state.windings[j];
                state.windings[j] += (change + PI).rem_euclid(TAU) - PI;
            }
        }
    }
}
