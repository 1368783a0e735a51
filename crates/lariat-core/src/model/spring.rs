//! A long loose spring with bunching coils and compression waves; and the Slinky dog's variant.
//!
//! Barzel 1997, section 3.4, figures 13-15: the coiled cord's backbone, kept one radius above the
//! floor, with a separate coil curve: pincers, then compression waves (`layer::coils`).
//!
//! The Slinky of figure 20 has "a more intricate variant for the gross shape": two inner control
//! points, a sag that vanishes as the ends meet, and ends normal to the torso. The paper does
//! not give the details; here it is a Hermite curve along the two normals, plus two bumps that move
//! exactly one inner point each and keep the ends and their directions, plus a droop of the same
//! kind.
//!
//! Tests: `figure_14_without_layers_is_a_cord`, `coils_stay_above_the_floor`,
//! `slinky_ends_are_normal_to_the_torso`, `moving_one_inner_point_leaves_the_other`,
//! `sag_vanishes_as_the_ends_meet`.

use glam::DVec3;

use super::coiled::Winding;
use super::layer::coils::Compression;
use super::layer::{
    Clamp, Coils, CompressionWave, Displacement, Layers, Offsets, Pincer, displaced,
};
use super::{Pose, PoseWarning, SuspendedRope, Workspace};
use crate::curve::catenary::CatenaryError;
use crate::curve::{Framing, Polyline, Spline, frames_along};

/// Distribution of the coils of a spring.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bunching {
    /// Pincers.
    pub pincers: Vec<Pincer>,
    /// Compression waves.
    pub waves: Vec<CompressionWave>,
    /// Treatment of the ends by compression waves.
    pub compression: Compression,
    /// Fraction of the room between pincer ends that is rounded, 0–1.
    pub rounding: f64,
}

/// A spring.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// The curve it is wound around; give it clamps with a margin of one coil radius.
    pub backbone: SuspendedRope,
    /// Parameters of the winding.
    pub winding: Winding,
    /// Distribution of the coils.
    pub bunching: Bunching,
}

impl Spring {
    /// The pose of the spring.
    pub fn pose(&self) -> Result<Pose, CatenaryError> {
        let (mut pose, mut scratch) = (Pose::default(), Workspace::default());
        self.pose_into(&mut pose, &mut scratch)?;
        Ok(pose)
    }

    /// [`pose`](Self::pose) into existing buffers, as
    /// [`CoiledCord::pose_into`](super::CoiledCord::pose_into) does.
    pub fn pose_into(&self, pose: &mut Pose, scratch: &mut Workspace) -> Result<(), CatenaryError> {
        self.pose_backbone(pose, scratch)?;
        // Coils: rest, gross shape, compression waves; then the helix.
        self.bunching.wind(&self.winding, pose, scratch);
        Ok(())
    }

    /// Poses the backbone alone, clamped above the floor.
    pub fn pose_backbone(
        &self,
        pose: &mut Pose,
        scratch: &mut Workspace,
    ) -> Result<(), CatenaryError> {
        self.backbone.pose_into(pose, scratch)?;
        // Unlike those of a rope, the ends of a spring's backbone are clamped too.
        for p in &mut pose.points {
            *p = Clamp::push_all(&self.backbone.clamps, *p);
        }
        Ok(())
    }
}

impl Bunching {
    fn wind(&self, winding: &Winding, pose: &mut Pose, scratch: &mut Workspace) {
        let (coils, warning) =
            Coils::new(winding.coils, &self.pincers, self.rounding, &self.waves, self.compression);
        pose.warnings.extend(warning.map(PoseWarning::Pincers));
        winding.wind(&coils, pose, scratch);
    }
}

/// The spring between the halves of a Slinky dog.
#[derive(Clone, Debug, PartialEq)]
pub struct Slinky {
    /// Point on the first half.
    pub from: DVec3,
    /// Point on the second half.
    pub to: DVec3,
    /// Direction at the first half.
    pub from_normal: DVec3,
    /// Direction at the second half.
    pub to_normal: DVec3,
    /// Length of the end tangents, as a factor of the distance.
    pub reach: f64,
    /// Offsets of the two inner control points, at a third and two thirds.
    pub inner: [DVec3; 2],
    /// Droop in metres at the rest distance.
    pub sag: f64,
    /// Distance at which the sag has its full size.
    pub rest_distance: f64,
    /// Waves of the backbone.
    pub displacements: Vec<Displacement>,
    /// Surfaces that the backbone must not penetrate.
    pub clamps: Vec<Clamp>,
    /// Points of the backbone.
    pub samples: usize,
    /// Parameters of the winding.
    pub winding: Winding,
    /// Distribution of the coils.
    pub bunching: Bunching,
}

impl Slinky {
    /// The pose of the spring.
    pub fn pose(&self) -> Pose {
        let (mut pose, mut scratch) = (Pose::default(), Workspace::default());
        self.pose_into(&mut pose, &mut scratch);
        pose
    }

    /// [`pose`](Self::pose) into existing buffers. The samples of the gross shape are
    /// reallocated.
    pub fn pose_into(&self, pose: &mut Pose, scratch: &mut Workspace) {
        pose.clear();
        pose.points.extend(self.backbone(&mut scratch.offsets));
        pose.up = DVec3::Z;
        self.bunching.wind(&self.winding, pose, scratch);
    }

    /// Positions of the two inner control points on the gross shape.
    pub fn inner_points(&self) -> [DVec3; 2] {
        [self.gross(1.0 / 3.0), self.gross(2.0 / 3.0)]
    }

    /// Points of the backbone, which the wire is wound around.
    pub fn backbone_points(&self) -> Vec<DVec3> {
        self.backbone(&mut Workspace::default().offsets)
    }

    /// The gross shape at `u`, before uniform resampling.
    fn gross(&self, u: f64) -> DVec3 {
        let distance = self.from.distance(self.to);
        let (m0, m1) = (
            self.from_normal.normalize_or_zero() * (self.reach * distance),
            self.to_normal.normalize_or_zero() * (self.reach * distance),
        );
        let v = 1.0 - u;
        let hermite = self.from * (v * v * (1.0 + 2.0 * u))
            + self.to * (u * u * (1.0 + 2.0 * v))
            + m0 * (u * v * v)
            - m1 * (u * u * v);
        // Zero with zero slope at both ends, 1 at one third and 0 at two thirds.
        let bump = |u: f64| u * u * (1.0 - u) * (1.0 - u) * (40.5 - 60.75 * u);
        let sag =
            self.sag * if self.rest_distance > 0.0 { distance / self.rest_distance } else { 1.0 };
        hermite + self.inner[0] * bump(u) + self.inner[1] * bump(v)
            - DVec3::Z * (sag * 16.0 * u * u * v * v)
    }

    /// The backbone: gross shape evenly sampled, waves, clamp.
    fn backbone(&self, offsets: &mut Offsets) -> Vec<DVec3> {
        let n = self.samples.max(4);
        let raw = (0..n).map(|i| self.gross(i as f64 / (n - 1) as f64)).collect();
        let Ok(raw) = Polyline::new(raw) else { return Vec::new() };
        let mut points = Spline::through(&raw).resampled(n).into_points();
        if offsets.fill(Layers::between(&self.displacements), n) {
            let mut f = Vec::new();
            frames_along(&points, false, DVec3::Z, Framing::RotationMinimising, &mut f);
            for (i, p) in points.iter_mut().enumerate() {
                *p = displaced(*p, f[i], offsets.at(i), 1.0);
            }
        }
        for p in &mut points {
            *p = Clamp::push_all(&self.clamps, *p);
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CoiledCord;
    use crate::model::layer::Collider;

    fn winding() -> Winding {
        Winding {
            radius: 0.1,
            coils: 15.0,
            points_per_coil: 20,
            wire_length: None,
            leads: (0.0, 0.0),
            rotations: vec![],
        }
    }

    fn spring() -> Spring {
        let mut backbone = SuspendedRope::new(DVec3::Z, DVec3::new(2.0, 0.0, 1.0), 2.3);
        (backbone.keep_length, backbone.samples) = (false, 65);
        Spring { backbone, winding: winding(), bunching: Bunching::default() }
    }

    #[test]
    fn figure_14_without_layers_is_a_cord() {
        let spring = spring();
        let cord =
            CoiledCord { backbone: spring.backbone.clone(), winding: spring.winding.clone() };
        assert_eq!(spring.pose().unwrap().points, cord.pose().unwrap().points);
    }

    #[test]
    fn coils_stay_above_the_floor() {
        let mut spring = spring();
        spring.backbone.from.z = 0.05;
        spring.backbone.length = 4.5;
        spring.backbone.clamps = vec![Clamp { collider: Collider::floor(0.0), margin: 0.1 }];
        let pose = spring.pose().unwrap();
        let lowest = pose.points.iter().map(|p| p.z).fold(f64::INFINITY, f64::min);
        // The spline through a clamped backbone may undercut its samples a little.
        assert!(lowest > -2e-3, "{lowest}");
    }

    #[test]
    fn a_pincer_crowds_the_wire() {
        let mut spring = spring();
        spring.backbone.length = 2.0;
        spring.bunching.pincers = vec![Pincer { position: 0.4, length: 0.1, count: 8.0 }];
        let pose = spring.pose().unwrap();
        let inside = pose.points.iter().filter(|p| p.x > 0.8 && p.x < 1.0).count();
        // 8 of 15 coils, 20 points each.
        assert!((inside as f64 / 160.0 - 1.0).abs() < 0.1, "{inside}");
    }

    fn slinky() -> Slinky {
        Slinky {
            from: DVec3::new(0.0, 0.0, 1.0),
            to: DVec3::new(2.0, 0.0, 1.0),
            from_normal: DVec3::X,
            to_normal: DVec3::X,
            reach: 0.5,
            inner: [DVec3::ZERO; 2],
            sag: 0.0,
            rest_distance: 2.0,
            displacements: vec![],
            clamps: vec![],
            samples: 97,
            winding: winding(),
            bunching: Bunching::default(),
        }
    }

    #[test]
    fn slinky_ends_are_normal_to_the_torso() {
        let mut dog = slinky();
        dog.from_normal = DVec3::new(1.0, 1.0, 0.0);
        dog.to_normal = DVec3::new(1.0, 0.0, -1.0);
        dog.inner = [DVec3::new(0.0, 0.2, 0.3), DVec3::new(0.1, 0.0, -0.2)];
        dog.sag = 0.3;
        let h = 1e-7;
        let out = (dog.gross(h) - dog.gross(0.0)).normalize_or_zero();
        let back = (dog.gross(1.0) - dog.gross(1.0 - h)).normalize_or_zero();
        assert!(out.distance(dog.from_normal.normalize_or_zero()) < 1e-5);
        assert!(back.distance(dog.to_normal.normalize_or_zero()) < 1e-5);
        let backbone = dog.backbone(&mut Offsets::default());
        assert_eq!((backbone[0], backbone[96]), (dog.from, dog.to));
    }

    #[test]
    fn slinky_ends_stay_under_any_envelope() {
        use crate::model::layer::{Envelope, Wave};
        for envelope in [Envelope::Flat, Envelope::START, Envelope::BOTH_ENDS] {
            let mut dog = slinky();
            let wave = Wave { magnitude: 0.1, frequency: 1.3, phase: 1.1, azimuth: 0.4, envelope };
            dog.displacements = vec![wave.into()];
            let backbone = dog.backbone(&mut Offsets::default());
            assert_eq!((backbone[0], backbone[96]), (dog.from, dog.to));
        }
    }

    #[test]
    fn a_pinched_wire_keeps_its_length() {
        use crate::curve::{Polyline, Spline};
        let pincers = vec![Pincer { position: 0.4, length: 0.1, count: 8.0 }];
        let waves = vec![CompressionWave { magnitude: 2.0, frequency: 2.5, phase: 0.4 }];
        for (pincers, waves, compression) in [
            (pincers.clone(), vec![], Compression::Pinned),
            (vec![], waves.clone(), Compression::Pinned),
            (pincers.clone(), waves.clone(), Compression::RigidEnds { plateau: 0.1 }),
            (pincers, waves, Compression::Published { plateau: 0.1 }),
        ] {
            let mut spring = spring();
            spring.bunching = Bunching { pincers, waves, compression, rounding: 0.5 };
            (spring.winding.wire_length, spring.winding.points_per_coil) = (Some(9.0), 200);
            let pose = spring.pose().unwrap();
            assert_eq!(pose.warnings, []);
            let wire = Spline::through(&Polyline::new(pose.points).unwrap()).length();
            assert!((wire / 9.0 - 1.0).abs() < 1e-6, "{wire}: {:?}", spring.bunching);
        }
    }

    #[test]
    fn memory_is_reused() {
        let (mut pose, mut scratch) = (Pose::default(), Workspace::default());
        for _ in 0..3 {
            spring().pose_into(&mut pose, &mut scratch).unwrap();
            let before = pose.points.as_ptr();
            slinky().pose_into(&mut pose, &mut scratch);
            assert_eq!(pose.points.as_ptr(), before);
        }
    }

    #[test]
    fn moving_one_inner_point_leaves_the_other() {
        let (plain, mut dog) = (slinky(), slinky());
        dog.inner[0] = DVec3::new(0.0, 0.3, 0.1);
        assert!((dog.gross(1.0 / 3.0) - plain.gross(1.0 / 3.0)).distance(dog.inner[0]) < 1e-14);
        assert!(dog.gross(2.0 / 3.0).distance(plain.gross(2.0 / 3.0)) < 1e-14);
    }

    #[test]
    fn sag_vanishes_as_the_ends_meet() {
        let droop = |gap: f64| {
            let mut dog = slinky();
            (dog.sag, dog.to.x) = (0.4, gap);
            1.0 - dog.gross(0.5).z
        };
        assert!((droop(2.0) - 0.4).abs() < 1e-14);
        assert!((droop(1.0) - 0.2).abs() < 1e-14);
        assert!(droop(0.01) < 0.003);
    }
}
