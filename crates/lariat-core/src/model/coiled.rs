//! A cord wound around a backbone: telephone cords, microphone cords.
//!
//! Barzel 1997, section 3.3 and figures 11 and 12. The backbone is a suspended rope whose length
//! comes from a sag; the coils are a helix drawn on the cylinder around it, and come apart and
//! together as the backbone stretches and shrinks.
//!
//! # Where we leave the paper
//! * Samples are spread evenly over the coils, not over the backbone, so a crowded coil is as
//!   round as a lonely one.
//! * With a fixed `wire_length` the coil radius gives way as the cord is stretched:
//!   `r = √(W² − B²)/(2πN)` for wire `W` and backbone `B`.
//! * Leads: straight cable before and after the coils, as microphone cords have.
//!
//! Tests: `figure_11_without_sag`, `a_wire_keeps_its_length`, `leads_are_straight`.

use std::f64::consts::TAU;

use glam::DVec3;

use super::layer::{Coils, Rotation};
use super::{Finding, Pose, Scratch, SuspendedRope};
use crate::curve::catenary::CannotHang;
use crate::curve::surface::Axis;
use crate::curve::{Framing, Polyline};
use crate::num::ops;

/// How a wire is wound around a backbone.
#[derive(Clone, Debug, PartialEq)]
pub struct Winding {
    /// Radius of the coils, to the middle of the wire.
    pub radius: f64,
    /// How many coils.
    pub coils: f64,
    /// Points per coil.
    pub points_per_coil: usize,
    /// If given, the metres of wire: the radius follows from it.
    pub wire_length: Option<f64>,
    /// Metres of straight cable before and after the coils.
    pub leads: (f64, f64),
    /// Twist and torsion of the whole winding.
    pub rotations: Vec<Rotation>,
}

/// A coiled cord.
#[derive(Clone, Debug, PartialEq)]
pub struct CoiledCord {
    /// The curve it is wound around.
    pub backbone: SuspendedRope,
    /// How.
    pub winding: Winding,
}

impl CoiledCord {
    /// The shape it takes.
    pub fn pose(&self) -> Result<Pose, CannotHang> {
        let (mut pose, mut scratch) = (Pose::default(), Scratch::default());
        self.pose_into(&mut pose, &mut scratch)?;
        Ok(pose)
    }

    /// [`pose`](Self::pose) into memory that is used again.
    pub fn pose_into(&self, pose: &mut Pose, scratch: &mut Scratch) -> Result<(), CannotHang> {
        self.backbone.pose_into(pose, scratch)?;
        let (coils, _) =
            Coils::new(self.winding.coils, &[], 0.0, &[], super::layer::coils::Compression::Pinned);
        self.winding.wind(&coils, pose);
        Ok(())
    }
}

impl Winding {
    /// `curve_on_surface` of figures 11 and 14: replaces the backbone in `pose` by the helix on
    /// the cylinder around it.
    pub(super) fn wind(&self, coils: &Coils, pose: &mut Pose) {
        let Ok(backbone) = Polyline::new(std::mem::take(&mut pose.points)) else { return };
        let axis = Axis::new(&backbone, pose.up, Framing::RotationMinimising);
        let length = axis.spline().length();
        let mut radius = self.radius;
        if let Some(wire) = self.wire_length {
            let room = wire * wire - length * length;
            radius = if room > 0.0 { room.sqrt() / (TAU * self.coils.max(1e-9)) } else { 0.0 };
            if room <= 0.0 {
                pose.findings.push(Finding::WireTooShort { wire, backbone: length });
            }
        }
        // The stretch of the backbone that is coiled, in u.
        let share =
            |metres: f64| if length > 0.0 { (metres.max(0.0) / length).min(0.45) } else { 0.0 };
        let (start, end) = (share(self.leads.0), 1.0 - share(self.leads.1));
        // The wire leaves and joins the axis within one coil where there is a lead.
        let ramp = ((end - start) / self.coils.max(1.0)).max(1e-9);
        let rise = |x: f64| {
            let t = x.clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        };
        let point = |u: f64| -> DVec3 {
            let (centre, frame) = axis.at(u);
            let within = ((u - start) / (end - start)).clamp(0.0, 1.0);
            let v = coils.at(within) + Rotation::total(&self.rotations, within) / TAU;
            let mut r = radius;
            if start > 0.0 {
                r *= rise((u - start) / ramp);
            }
            if end < 1.0 {
                r *= rise((end - u) / ramp);
            }
            let (sin, cos) = (ops::sin_turns(v), ops::cos_turns(v));
            centre + (frame.normal() * cos + frame.binormal() * sin) * r
        };
        for u in self.places(coils, start, end) {
            pose.points.push(point(u));
        }
    }

    /// Where along the backbone the samples are: even over the coils, and a few on the leads.
    fn places(&self, coils: &Coils, start: f64, end: f64) -> Vec<f64> {
        let per_coil = self.points_per_coil.max(4);
        let n = ((self.coils.max(0.0) * per_coil as f64).ceil() as usize).max(per_coil);
        let lead = 2 * per_coil;
        let mut places = Vec::with_capacity(n + 1 + 2 * lead);
        if start > 0.0 {
            places.extend((0..lead).map(|i| start * i as f64 / lead as f64));
        }
        let total = coils.at(1.0);
        // A table of v(u), read backwards: places need only be nearly even, the points themselves
        // are computed exactly wherever they are.
        let steps = (4.0 * self.coils).clamp(64.0, 4096.0) as usize;
        let mut k = 0;
        let (mut u0, mut v0, mut u1, mut v1) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..=n {
            let wanted = total * i as f64 / n as f64;
            while v1 < wanted && k < steps {
                k += 1;
                (u0, v0) = (u1, v1);
                u1 = k as f64 / steps as f64;
                v1 = coils.at(u1);
            }
            let u = if v1 > v0 {
                u0 + (u1 - u0) * ((wanted - v0) / (v1 - v0)).clamp(0.0, 1.0)
            } else {
                i as f64 / n as f64
            };
            let u = if i == n { 1.0 } else { u };
            places.push(start + (end - start) * u);
        }
        if end < 1.0 {
            places.extend((1..=lead).map(|i| end + (1.0 - end) * i as f64 / lead as f64));
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Spline;
    use crate::model::{SagForm, length_for_sag};

    fn cord(sag: f64) -> CoiledCord {
        let gap = 2.0;
        let mut backbone = SuspendedRope::new(
            DVec3::ZERO,
            DVec3::X * gap,
            length_for_sag(gap, sag, SagForm::Published),
        );
        (backbone.keep_length, backbone.samples) = (false, 65);
        let winding = Winding {
            radius: 0.05,
            coils: 20.0,
            points_per_coil: 24,
            wire_length: None,
            leads: (0.0, 0.0),
            rotations: vec![],
        };
        CoiledCord { backbone, winding }
    }

    #[test]
    fn figure_11_without_sag() {
        let pose = cord(0.0).pose().unwrap();
        assert_eq!(pose.points.len(), 20 * 24 + 1);
        for (i, p) in pose.points.iter().enumerate() {
            // A helix around the X axis: normal up, binormal −Y.
            let u = i as f64 / 480.0;
            let a = TAU * 20.0 * u;
            let exact = DVec3::new(2.0 * u, -0.05 * ops::sin(a), 0.05 * ops::cos(a));
            assert!(p.distance(exact) < 1e-12, "{i}: {p} {exact}");
        }
    }

    #[test]
    fn coils_stay_on_their_cylinder() {
        let cord = cord(0.7);
        let backbone =
            Spline::through(&Polyline::new(cord.backbone.pose().unwrap().points).unwrap());
        for (i, p) in cord.pose().unwrap().points.iter().enumerate().step_by(7) {
            let near = backbone.closest(*p);
            assert!((near.distance - 0.05).abs() < 1e-4, "{i}: {near:?}");
        }
    }

    #[test]
    fn a_wire_keeps_its_length() {
        let length = |gap: f64| {
            let mut cord = cord(0.0);
            cord.backbone.to = DVec3::X * gap;
            cord.backbone.length = gap;
            cord.winding.wire_length = Some(6.5);
            cord.winding.points_per_coil = 48;
            Spline::through(&Polyline::new(cord.pose().unwrap().points).unwrap()).length()
        };
        for gap in [1.0, 2.0, 5.0, 6.4] {
            assert!((length(gap) / 6.5 - 1.0).abs() < 1e-5, "gap {gap}: {}", length(gap));
        }
        let mut short = cord(0.0);
        short.winding.wire_length = Some(1.0);
        let pose = short.pose().unwrap();
        let [Finding::WireTooShort { wire, backbone }] = pose.findings[..] else {
            panic!("{:?}", pose.findings)
        };
        assert!(wire == 1.0 && (backbone - 2.0).abs() < 1e-14);
    }

    #[test]
    fn leads_are_straight() {
        let mut cord = cord(0.0);
        cord.winding.leads = (0.3, 0.2);
        let pose = cord.pose().unwrap();
        assert_eq!(pose.points[0], DVec3::ZERO);
        assert!(pose.points.last().unwrap().distance(DVec3::X * 2.0) < 1e-14);
        for p in &pose.points {
            if p.x < 0.3 || p.x > 1.8 {
                assert!(p.y.abs() < 1e-14 && p.z.abs() < 1e-14, "{p}");
            }
        }
        assert!(pose.points.iter().any(|p| p.z > 0.049));
    }
}
