//! A straight rope with bends: circular arcs, and straight stretches between them.
//!
//! Barzel 1997, section 3.2 and appendix A.5, after Barr's circular bend. A bend begins at
//! `position`, covers `length` of the rope and turns it by `angle` towards `azimuth`, measured
//! in the rotation-minimising frame of the rope; beyond it the rope continues straight.
//!
//! Between any two bend ends the curvature is constant, so the rope is an arc:
//! `p(s) = p₀ + (sin(k s) t + (1 − cos(k s)) d)/k`, the frame turned about `t × d` by `k s`.
//!
//! # Differences from the paper
//!
//! * Barr's map bends space, slab after slab: after a first bend, later points can re-enter the
//!   slab of the next and be bent once more. We bend by the material coordinate `s` instead, which
//!   is the same as "far bend first, in undeformed coordinates" and preserves length exactly.
//! * Overlapping bends add their curvatures and stay arcs.
//! * A bend without length is a kink.
//!
//! Tests: `length_is_kept`, `a_full_turn_closes`, `overlapping_bends_vs_integration`,
//! `a_kink_turns_at_once`, `frames_are_rotation_minimising`.

use glam::{DVec2, DVec3};

use super::{Frame, GrossShape};
use crate::num::ops;

/// One bend of a rope.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bend {
    /// Start, as a fraction of the rope.
    pub position: f64,
    /// Length, as a fraction of the rope; 0 is a kink.
    pub length: f64,
    /// Angle by which it turns the rope, in radians.
    pub angle: f64,
    /// Direction in radians around the rope: 0 is towards the normal, a quarter turn towards the
    /// binormal.
    pub azimuth: f64,
}

/// A line with bends.
#[derive(Clone, Debug, PartialEq)]
pub struct BentLine {
    length: f64,
    arcs: Vec<Arc>,
}

/// A stretch of constant curvature.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Arc {
    /// Start, as a fraction of the rope.
    u: f64,
    point: DVec3,
    frame: Frame,
    /// Turning towards (normal, binormal) in radians per unit of `u`.
    turning: DVec2,
}

impl BentLine {
    /// A rope of `length` from `start` along the tangent of `frame`, bent by `bends`.
    pub fn new(start: DVec3, frame: Frame, length: f64, bends: &[Bend]) -> Self {
        let mut cuts: Vec<f64> = vec![0.0];
        for bend in bends {
            cuts.push(bend.position);
            cuts.push(bend.position + bend.length.max(0.0));
        }
        cuts.retain(|u| (0.0..1.0).contains(u));
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();

        let mut arcs = Vec::with_capacity(cuts.len());
        let (mut point, mut frame) = (start, frame);
        for (i, &u) in cuts.iter().enumerate() {
            for kink in bends.iter().filter(|b| b.length <= 0.0 && b.position == u) {
                frame = turned(frame, direction(kink.azimuth) * kink.angle).1;
            }
            let next = cuts.get(i + 1).copied().unwrap_or(1.0);
            // A bend covers an arc if it covers its middle: immune to rounding at the cuts.
            let middle = 0.5 * (u + next);
            let turning = bends
                .iter()
                .filter(|b| {
                    b.length > 0.0 && b.position <= middle && middle <= b.position + b.length
                })
                .map(|b| direction(b.azimuth) * (b.angle / b.length))
                .fold(DVec2::ZERO, |a, b| a + b);
            let arc = Arc { u, point, frame, turning };
            arcs.push(arc);
            (point, frame) = arc.at(next - u, length);
        }
        Self { length, arcs }
    }

    /// The same bends on a rope of another length.
    #[must_use]
    pub(crate) fn with_length(&self, length: f64) -> Self {
        let mut scaled = Self { length, arcs: self.arcs.clone() };
        // Fractions and angles are unchanged, so the shape scales about the start.
        let start = self.arcs[0].point;
        let factor = if self.length > 0.0 { length / self.length } else { 0.0 };
        for arc in &mut scaled.arcs {
            arc.point = start + (arc.point - start) * factor;
        }
        scaled
    }

    /// Parameters at which the curvature may jump: 0, every end of a bend, 1.
    pub(crate) fn cuts(&self) -> Vec<f64> {
        self.arcs.iter().map(|p| p.u).chain([1.0]).collect()
    }

    /// The smallest radius of its bends, in metres; infinite for a straight line.
    pub(crate) fn tightest(&self) -> f64 {
        let sharpest = self.arcs.iter().map(|p| p.turning.length()).fold(0.0, f64::max);
        self.length / sharpest
    }

    fn arc(&self, u: f64) -> &Arc {
        let after = self.arcs.partition_point(|p| p.u <= u);
        &self.arcs[after.max(1) - 1]
    }
}

fn direction(azimuth: f64) -> DVec2 {
    let (sin, cos) = ops::sin_cos(azimuth);
    DVec2::new(cos, sin)
}

/// Displacement over an arc as a fraction of its length, and the frame at its end, for a turn by
/// `angle` (towards normal, binormal): `(sin φ/φ, (1 − cos φ)/φ)` along the tangent and `d`.
fn turned(frame: Frame, angle: DVec2) -> ((f64, f64, DVec3), Frame) {
    let phi = angle.length();
    let (t, n, b) = (frame.tangent(), frame.normal(), frame.binormal());
    if phi == 0.0 {
        return ((1.0, 0.0, n), frame);
    }
    let unit = angle / phi;
    let d = n * unit.x + b * unit.y;
    let (sin, cos) = ops::sin_cos(phi);
    // 1 − cos φ as 2 sin²(φ/2): no cancellation for small bends.
    let half = ops::sin(0.5 * phi);
    let advance = (sin / phi, 2.0 * half * half / phi, d);
    // The rotation in the plane of t and d; it leaves vectors normal to both unchanged.
    let turn = |v: DVec3| {
        let (along, towards) = (v.dot(t), v.dot(d));
        v + t * (along * (cos - 1.0) - towards * sin) + d * (along * sin + towards * (cos - 1.0))
    };
    (advance, Frame::new(turn(t), turn(n)))
}

impl Arc {
    /// Point and frame after `du` of the rope, which is `length` long.
    fn at(&self, du: f64, length: f64) -> (DVec3, Frame) {
        let ((forward, sideways, d), frame) = turned(self.frame, self.turning * du);
        let distance = du * length;
        (
            self.point + self.frame.tangent() * (distance * forward) + d * (distance * sideways),
            frame,
        )
    }
}

impl GrossShape for BentLine {
    fn length(&self) -> f64 {
        self.length
    }

    fn at(&self, u: f64) -> (DVec3, Frame) {
        let arc = self.arc(u);
        arc.at(u - arc.u, self.length)
    }

    fn turning(&self, u: f64) -> DVec2 {
        self.arc(u).turning
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::{FramedPoints, Polyline, Spline};
    use proptest::prelude::*;
    use std::f64::consts::{FRAC_PI_2, PI, TAU};

    fn hanging() -> Frame {
        Frame::new(DVec3::NEG_Z, DVec3::Z)
    }

    fn sampled(line: &BentLine, n: usize) -> FramedPoints {
        let mut rail = FramedPoints::default();
        line.fill(n, &mut rail);
        rail
    }

    #[test]
    fn without_bends_it_is_a_line() {
        let line = BentLine::new(DVec3::Y, hanging(), 3.0, &[]);
        let rail = sampled(&line, 4);
        assert_eq!(rail.points[3], DVec3::new(0.0, 1.0, -3.0));
    }

    #[test]
    fn a_full_turn_closes() {
        let ring = Bend { position: 0.0, length: 1.0, angle: TAU, azimuth: 0.3 };
        let rail = sampled(&BentLine::new(DVec3::ZERO, hanging(), 2.0, &[ring]), 65);
        assert!(rail.points[64].length() < 1e-14);
        assert!(rail.frames[64].normal().distance(rail.frames[0].normal()) < 1e-14);
    }

    #[test]
    fn a_quarter_bend_goes_towards_its_azimuth() {
        // Hanging down: normal +X, binormal −Y (the convention).
        let bend = |azimuth| Bend { position: 0.5, length: 0.25, angle: FRAC_PI_2, azimuth };
        let end = |azimuth| {
            sampled(&BentLine::new(DVec3::ZERO, hanging(), 4.0, &[bend(azimuth)]), 9).points[8]
        };
        // 2 down, a quarter circle of radius 1/(π/2), then 1 straight.
        let r = 1.0 / FRAC_PI_2;
        assert!(end(0.0).distance(DVec3::new(r + 1.0, 0.0, -2.0 - r)) < 1e-14);
        assert!(end(FRAC_PI_2).distance(DVec3::new(0.0, -r - 1.0, -2.0 - r)) < 1e-14);
    }

    #[test]
    fn a_kink_turns_at_once() {
        let kink = Bend { position: 0.5, length: 0.0, angle: FRAC_PI_2, azimuth: PI };
        let rail = sampled(&BentLine::new(DVec3::ZERO, hanging(), 4.0, &[kink]), 9);
        assert!(rail.points[8].distance(DVec3::new(-2.0, 0.0, -2.0)) < 1e-14);
    }

    /// Reference: Runge-Kutta on the frame equations with 20,000 steps.
    fn integrated(length: f64, bends: &[Bend]) -> DVec3 {
        let steps = 20_000;
        let h = 1.0 / f64::from(steps);
        let kappa = |u: f64| {
            bends.iter().filter(|b| b.position <= u && u < b.position + b.length).fold(
                DVec2::ZERO,
                |k, b| {
                    k + DVec2::new(libm::cos(b.azimuth), libm::sin(b.azimuth))
                        * (b.angle / b.length)
                },
            )
        };
        let (mut p, mut t, mut n, mut b) = (DVec3::ZERO, DVec3::NEG_Z, DVec3::X, DVec3::NEG_Y);
        for i in 0..steps {
            let k = kappa((f64::from(i) + 0.5) * h);
            let rate = |t: DVec3, n: DVec3, b: DVec3| (n * k.x + b * k.y, t * -k.x, t * -k.y);
            let (t1, n1, b1) = rate(t, n, b);
            let (t2, n2, b2) = rate(t + t1 * (h / 2.0), n + n1 * (h / 2.0), b + b1 * (h / 2.0));
            p += (t + t1 * (h / 2.0)) * (h * length);
            (t, n, b) = (t + t2 * h, n + n2 * h, b + b2 * h);
        }
        p
    }

    #[test]
    fn overlapping_bends_vs_integration() {
        let bends = [
            Bend { position: 0.1, length: 0.5, angle: 2.0, azimuth: 0.4 },
            Bend { position: 0.3, length: 0.4, angle: -1.5, azimuth: 2.0 },
            Bend { position: 0.65, length: 0.2, angle: 3.0, azimuth: -1.0 },
        ];
        let ours = sampled(&BentLine::new(DVec3::ZERO, hanging(), 2.0, &bends), 33).points[32];
        let reference = integrated(2.0, &bends);
        assert!(ours.distance(reference) < 1e-6, "{ours} for {reference}");
    }

    proptest! {
        #[test]
        fn length_is_kept(
            bends in prop::collection::vec((0.0..1.0_f64, 0.02..0.9_f64, -6.0..6.0_f64, -3.0..3.0_f64), 0..5),
        ) {
            let bends: Vec<_> = bends.iter().map(|&(position, length, angle, azimuth)| Bend { position, length, angle, azimuth }).collect();
            let line = BentLine::new(DVec3::ZERO, hanging(), 3.0, &bends);
            let measured: f64 = {
                let points = sampled(&line, 4001).points;
                Spline::through(&Polyline::new(points).unwrap()).length()
            };
            prop_assert!((measured - 3.0).abs() < 3e-5, "{}", measured);
            let scaled = line.with_length(1.5);
            let again = BentLine::new(DVec3::ZERO, hanging(), 1.5, &bends);
            prop_assert!(sampled(&scaled, 9).points[8].distance(sampled(&again, 9).points[8]) < 1e-13);
        }

        #[test]
        fn frames_are_rotation_minimising(angle in -3.0..3.0_f64, azimuth in -3.0..3.0_f64) {
            let bends = [
                Bend { position: 0.1, length: 0.3, angle, azimuth },
                Bend { position: 0.5, length: 0.3, angle: 1.0, azimuth: azimuth + 1.0 },
            ];
            let rail = sampled(&BentLine::new(DVec3::ZERO, hanging(), 1.0, &bends), 2001);
            let t: Vec<_> = rail.frames.iter().map(Frame::tangent).collect();
            let mut carried = Vec::new();
            crate::curve::frames(&rail.points, &t, DVec3::Z, crate::curve::Framing::RotationMinimising, &mut carried);
            prop_assert!(carried[2000].normal().distance(rail.frames[2000].normal()) < 1e-6);
        }
    }
}
