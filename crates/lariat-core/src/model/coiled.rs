//! A cord wound around a backbone: telephone cords, microphone cords.
//!
//! Barzel 1997, section 3.3 and figures 11 and 12. The backbone is a suspended rope whose length
//! comes from a sag; the coils are a helix drawn on the cylinder around it, and open and
//! close as the backbone stretches and shrinks.
//!
//! # Differences from the paper
//! * Samples are spread evenly over the coils, not over the backbone, so every coil has the same
//!   number of points.
//! * With a fixed `wire_length` the coil radius shrinks as the cord is stretched. For an even
//!   helix it is `r = √(W² − B²)/(2πN)`, wire `W` and backbone `B`; with leads, bunches, twist
//!   or a bent backbone it is the root of the wire's length as a function of `r`.
//! * Leads: straight cable before and after the coils, as microphone cords have.
//!
//! # Length of the wire
//! Wound at distance `r ρ(u)` and angle `θ(u)` about a backbone `C` with a frame that does not
//! spin, a wire towards `d = cos θ n + sin θ b` has
//! `|P′|² = (|C′| − r ρ C″·d/|C′|)² + r² (ρ′² + ρ² θ′²)`. All terms but `r` are tabulated once at
//! Gauss points, so another trial radius costs one square root per node.
//!
//! Tests: `figure_11_without_sag`, `a_wire_keeps_its_length`,
//! `a_wire_keeps_its_length_however_it_is_wound`, `leads_are_straight`.

use std::f64::consts::TAU;

use glam::DVec3;

use super::layer::{Coils, Rotation};
use super::{Pose, PoseWarning, SuspendedRope, Workspace};
use crate::curve::catenary::CatenaryError;
use crate::curve::surface::Axis;
use crate::curve::{Framing, Polyline};
use crate::num::quadrature::gauss8_nodes;
use crate::num::{ops, root};

/// Parameters of a wire wound around a backbone.
#[derive(Clone, Debug, PartialEq)]
pub struct Winding {
    /// Radius of the coils, to the middle of the wire.
    pub radius: f64,
    /// Number of coils.
    pub coils: f64,
    /// Points per coil.
    pub points_per_coil: usize,
    /// Length of the wire in metres; if given, it determines the radius.
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
    /// Parameters of the winding.
    pub winding: Winding,
}

impl CoiledCord {
    /// The pose of the cord.
    pub fn pose(&self) -> Result<Pose, CatenaryError> {
        let (mut pose, mut scratch) = (Pose::default(), Workspace::default());
        self.pose_into(&mut pose, &mut scratch)?;
        Ok(pose)
    }

    /// [`pose`](Self::pose) into existing buffers. The spline of the backbone is reallocated.
    pub fn pose_into(&self, pose: &mut Pose, scratch: &mut Workspace) -> Result<(), CatenaryError> {
        self.backbone.pose_into(pose, scratch)?;
        let (coils, _) =
            Coils::new(self.winding.coils, &[], 0.0, &[], super::layer::coils::Compression::Pinned);
        self.winding.wind(&coils, pose, scratch);
        Ok(())
    }
}

impl Winding {
    /// `curve_on_surface` of figures 11 and 14: replaces the backbone in `pose` by the helix on
    /// the cylinder around it.
    pub(super) fn wind(&self, coils: &Coils, pose: &mut Pose, scratch: &mut Workspace) {
        // Copied rather than moved, so that the pose keeps the capacity for its many points.
        scratch.backbone.clone_from(&pose.points);
        pose.points.clear();
        // The tension of the backbone is not that of the wire.
        pose.tension = None;
        let Ok(backbone) = Polyline::new(std::mem::take(&mut scratch.backbone)) else { return };
        let axis = Axis::new(&backbone, pose.up, Framing::RotationMinimising);
        let wound = Wound::new(self, coils, &axis);
        let radius = match self.wire_length {
            None => self.radius,
            Some(wire) => {
                let (radius, warning) = wound.radius_for(wire, backbone.points().len() - 1);
                pose.warnings.extend(warning);
                radius
            }
        };
        self.places(coils, wound.start, wound.end, &mut scratch.places);
        wound.points(&scratch.places, radius, &mut pose.points);
        scratch.backbone = backbone.into_points();
    }

    /// Parameters of the samples: even over the coils, and a few on the leads.
    fn places(&self, coils: &Coils, start: f64, end: f64, places: &mut Vec<f64>) {
        let per_coil = self.points_per_coil.max(4);
        let n = ((self.coils.max(0.0) * per_coil as f64).ceil() as usize).max(per_coil);
        let lead = 2 * per_coil;
        places.clear();
        if start > 0.0 {
            places.extend((0..lead).map(|i| start * i as f64 / lead as f64));
        }
        let total = coils.at(1.0);
        // By an inverted table of v(u): the spacing is only nearly even, but the points are exact.
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
    }
}

/// A wire around its backbone, of any radius.
struct Wound<'a> {
    winding: &'a Winding,
    coils: &'a Coils,
    axis: &'a Axis,
    /// The stretch of the backbone that is coiled, in `u`.
    start: f64,
    end: f64,
    /// Length in `u`, one coil, over which the wire leaves or joins the axis at a lead.
    ramp: f64,
}

/// Terms of the wire's speed at one quadrature node; see the module documentation.
struct Node {
    weight: f64,
    speed: f64,
    /// `ρ C″·d/|C′|`.
    bend: f64,
    /// `ρ′² + ρ² θ′²`.
    around: f64,
}

/// Relative tolerance of the length of wire.
const LENGTH_TOLERANCE: f64 = 1e-9;
/// Relative change of the length below which the table of nodes is fine enough.
const TABLE_TOLERANCE: f64 = 1e-7;
/// Largest number of panels per coil. Wires that would need more keep their length to fewer digits.
const MAX_PANELS_PER_COIL: f64 = 16.0;
/// Approximate limit on the panels of a table: a thousand coils at the coarsest.
const MAX_PANELS: f64 = 16_384.0;

impl<'a> Wound<'a> {
    fn new(winding: &'a Winding, coils: &'a Coils, axis: &'a Axis) -> Self {
        let length = axis.spline().length();
        let share =
            |metres: f64| if length > 0.0 { (metres.max(0.0) / length).min(0.45) } else { 0.0 };
        let (start, end) = (share(winding.leads.0), 1.0 - share(winding.leads.1));
        let ramp = ((end - start) / winding.coils.max(1.0)).max(1e-9);
        Self { winding, coils, axis, start, end, ramp }
    }

    /// Position within the coiled stretch, 0 to 1.
    fn within(&self, u: f64) -> f64 {
        ((u - self.start) / (self.end - self.start)).clamp(0.0, 1.0)
    }

    /// Distance of the wire from the axis, in radii, and its derivative by `u`.
    fn rise(&self, u: f64) -> (f64, f64) {
        let ramp = |x: f64| {
            let t = x.clamp(0.0, 1.0);
            (t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t) / self.ramp)
        };
        let (mut rise, mut slope) = (1.0, 0.0);
        if self.start > 0.0 {
            (rise, slope) = ramp((u - self.start) / self.ramp);
        }
        if self.end < 1.0 {
            let (fall, steep) = ramp((self.end - u) / self.ramp);
            (rise, slope) = (rise * fall, slope * fall - rise * steep);
        }
        (rise, slope)
    }

    /// Direction of the wire from the axis, in turns around the frame.
    fn turns(&self, u: f64) -> f64 {
        let within = self.within(u);
        self.coils.at(within) + Rotation::total(&self.winding.rotations, within) / TAU
    }

    /// Appends the points of the wire at `places` to `out`.
    fn points(&self, places: &[f64], radius: f64, out: &mut Vec<DVec3>) {
        const LANES: usize = 8;
        out.reserve(places.len());
        for places in places.chunks(LANES) {
            // In blocks, which takes a third of the time.
            let (mut sin, mut cos) = ([0.0; LANES], [0.0; LANES]);
            for (u, v) in places.iter().zip(&mut sin) {
                *v = self.turns(*u);
            }
            for k in 0..LANES {
                (sin[k], cos[k]) = ops::sin_cos_turns(sin[k]);
            }
            for (k, u) in places.iter().enumerate() {
                let (centre, frame) = self.axis.at(*u);
                let around = frame.normal() * cos[k] + frame.binormal() * sin[k];
                out.push(centre + around * (radius * self.rise(*u).0));
            }
        }
    }

    /// The radius at which the wire is `wire` metres long, around a backbone of `spans` spans.
    fn radius_for(&self, wire: f64, spans: usize) -> (f64, Option<PoseWarning>) {
        let backbone = self.axis.spline().length();
        if wire <= backbone {
            return (0.0, Some(PoseWarning::WireTooShort { wire, backbone }));
        }
        let cuts = self.cuts(spans);
        let mut finer = 1.0;
        let mut nodes = self.tabulated(&cuts, finer);
        loop {
            let Some(radius) = radius_of(&nodes, wire, backbone, self.winding.coils) else {
                let wound = length_of(&nodes, self.winding.radius);
                return (self.winding.radius, Some(PoseWarning::WireTooLong { wire, wound }));
            };
            finer *= 2.0;
            nodes = self.tabulated(&cuts, finer);
            let off = (length_of(&nodes, radius) / wire - 1.0).abs();
            if off <= TABLE_TOLERANCE
                || finer >= MAX_PANELS_PER_COIL
                || nodes.len() as f64 > 8.0 * MAX_PANELS
            {
                // Solved again with the finer table, which exists already.
                return (
                    radius_of(&nodes, wire, backbone, self.winding.coils).unwrap_or(radius),
                    None,
                );
            }
        }
    }

    /// Parameters at which the wire's speed may have corners.
    fn cuts(&self, spans: usize) -> Vec<f64> {
        let mut within = Vec::new();
        self.coils.cuts(&mut within);
        for rotation in &self.winding.rotations {
            rotation.cuts(&mut within);
        }
        let width = self.end - self.start;
        let mut cuts: Vec<f64> = within.iter().map(|x| self.start + x * width).collect();
        cuts.extend([self.start, self.end, self.start + self.ramp, self.end - self.ramp]);
        // The backbone's spline bends differently from span to span.
        cuts.extend((1..spans).map(|i| i as f64 / spans as f64));
        cuts.retain(|u| *u > 0.0 && *u < 1.0);
        cuts.extend([0.0, 1.0]);
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        cuts
    }

    /// Nodes of a quadrature with about `finer` panels per coil, none across a cut.
    fn tabulated(&self, cuts: &[f64], finer: f64) -> Vec<Node> {
        let half_waves: f64 = self.winding.rotations.iter().map(Rotation::half_waves).sum();
        let half_waves = half_waves + 2.0 * self.coils.bunches();
        let mut nodes = Vec::new();
        for w in cuts.windows(2) {
            let (a, b) = (self.within(w[0]), self.within(w[1]));
            let coils = (self.coils.at(b) - self.coils.at(a)).abs() + half_waves * (b - a);
            let panels = (finer * coils).clamp(1.0, MAX_PANELS).ceil();
            let width = (w[1] - w[0]) / panels;
            for k in 0..panels as usize {
                let from = w[0] + width * k as f64;
                for (x, weight) in gauss8_nodes() {
                    nodes.push(self.node(from + width * x, weight * width, 0.01 * width));
                }
            }
        }
        nodes
    }

    /// Terms of the wire's speed at `u`. `nearby` is a step that stays within the span of the backbone,
    /// where the slope of the spline is a parabola and its central difference exact.
    fn node(&self, u: f64, weight: f64, nearby: f64) -> Node {
        let spline = self.axis.spline();
        let speed = spline.slope(u).length();
        let change = (spline.slope(u + nearby) - spline.slope(u - nearby)) / (2.0 * nearby);
        let (_, frame) = self.axis.at(u);
        let v = self.turns(u);
        let d = frame.around(v);
        let (rise, slope) = self.rise(u);
        let within = self.within(u);
        let turning = if within > 0.0 && within < 1.0 {
            let rotation: f64 = self.winding.rotations.iter().map(|r| r.slope(within)).sum();
            (TAU * self.coils.slope(within) + rotation) / (self.end - self.start)
        } else {
            0.0
        };
        let bend = if speed > 0.0 { rise * change.dot(d) / speed } else { 0.0 };
        let around = slope * slope + rise * rise * turning * turning;
        Node { weight, speed, bend, around }
    }
}

/// Length of the wire at a radius, in metres.
fn length_of(nodes: &[Node], radius: f64) -> f64 {
    let speed = |p: &Node| {
        let forward = p.speed - radius * p.bend;
        p.weight * (forward * forward + radius * radius * p.around).sqrt()
    };
    nodes.iter().map(speed).sum()
}

/// The radius at which the wire has the given length; `None` if it has so few coils that even a
/// radius of its whole length is not enough.
fn radius_of(nodes: &[Node], wire: f64, backbone: f64, coils: f64) -> Option<f64> {
    let f = |radius: f64| length_of(nodes, radius) - wire;
    let close = LENGTH_TOLERANCE * wire;
    // First guess: the even helix. Upper bound: the length of the wire.
    let even = ((wire - backbone) * (wire + backbone)).max(0.0).sqrt() / (TAU * coils.max(0.2));
    let (mut low, mut high) = ((0.0, backbone - wire), (even, f(even)));
    if high.1.abs() <= close {
        return Some(even);
    }
    if high.1 < 0.0 {
        (low, high) = (high, (wire.max(even), f(wire.max(even))));
    }
    (high.1 >= 0.0).then(|| root::bracketed(low, high, close, 60, f))
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
        let [PoseWarning::WireTooShort { wire, backbone }] = pose.warnings[..] else {
            panic!("{:?}", pose.warnings)
        };
        assert!(wire == 1.0 && (backbone - 2.0).abs() < 1e-14);
    }

    /// Leads, a bent backbone, twist, torsion and waves on the backbone, singly and combined.
    #[test]
    fn a_wire_keeps_its_length_however_it_is_wound() {
        use crate::model::layer::{Envelope, Wave};
        let mut plain = cord(0.6);
        (plain.winding.wire_length, plain.winding.points_per_coil) = (Some(6.5), 96);
        let mut cords = vec![plain.clone()];
        let mut leads = plain.clone();
        leads.winding.leads = (0.3, 0.2);
        cords.push(leads.clone());
        let mut twisted = plain.clone();
        twisted.winding.rotations = vec![Rotation::Twist { turns: 3.0, from: 0.2, to: 0.7 }];
        cords.push(twisted.clone());
        let wave = Rotation::Torsion {
            angle: 2.0,
            frequency: 2.5,
            phase: 0.3,
            envelope: Envelope::Plateau { width: 0.2 },
        };
        leads.winding.rotations = vec![wave, twisted.winding.rotations[0].clone()];
        leads.backbone.displacements = vec![
            Wave {
                magnitude: 0.1,
                frequency: 2.0,
                phase: 0.3,
                azimuth: 1.0,
                envelope: Envelope::BOTH_ENDS,
            }
            .into(),
        ];
        cords.push(leads);
        for cord in cords {
            let pose = cord.pose().unwrap();
            assert_eq!(pose.warnings, []);
            let wire = Spline::through(&Polyline::new(pose.points).unwrap()).length();
            assert!((wire / 6.5 - 1.0).abs() < 1e-6, "{wire}: {:?}", cord.winding);
        }
    }

    #[test]
    fn a_wire_with_too_few_coils_keeps_its_radius() {
        let mut cord = cord(0.0);
        (cord.winding.coils, cord.winding.wire_length) = (0.01, Some(6.5));
        let pose = cord.pose().unwrap();
        let [PoseWarning::WireTooLong { wire, wound }] = pose.warnings[..] else {
            panic!("{:?}", pose.warnings)
        };
        assert!(wire == 6.5 && (wound - 2.0).abs() < 1e-5, "{wound}");
        assert!(pose.points.iter().all(|p| p.distance(DVec3::X) < 1.1));
    }

    #[test]
    fn memory_is_reused() {
        let (cord, mut pose, mut scratch) = (cord(0.3), Pose::default(), Workspace::default());
        cord.pose_into(&mut pose, &mut scratch).unwrap();
        let memory = |pose: &Pose, scratch: &Workspace| {
            (pose.points.as_ptr(), scratch.backbone.as_ptr(), scratch.places.as_ptr())
        };
        let before = memory(&pose, &scratch);
        for _ in 0..3 {
            cord.pose_into(&mut pose, &mut scratch).unwrap();
            assert_eq!(memory(&pose, &scratch), before);
        }
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
