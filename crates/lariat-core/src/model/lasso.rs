//! A lasso: a hoop that twirls, a span to the hand, a tail beyond it.
//!
//! Barzel 1997, section 4 and figures 16 and 21: "a special-purpose hoop, which was twirled and
//! positioned directly; a rope suspended between the knot of the hoop and the hand; and a loose
//! rope continuing out from the hand". The hoop begins and ends at the knot, so `hoop[1]` of the
//! figure is its last sample.
//!
//! Tests: `figure_16_is_one_curve`, `a_hoop_starts_and_ends_at_its_knot`,
//! `a_hoop_closes_under_any_wave`.

use std::f64::consts::TAU;

use glam::DVec3;

use super::layer::{Displacement, Layers, displaced};
use super::{LooseRope, Pose, PoseWarning, SuspendedRope};
use crate::curve::catenary::CatenaryError;
use crate::curve::{Frame, Polyline};
use crate::num::ops;

/// A ring of rope with a knot.
#[derive(Clone, Debug, PartialEq)]
pub struct Hoop {
    /// Centre.
    pub centre: DVec3,
    /// Radius in metres.
    pub radius: f64,
    /// Angle between its axis and the vertical, in radians.
    pub tilt: f64,
    /// Direction of the tilt, in radians from +X towards +Y.
    pub tilt_azimuth: f64,
    /// Angle of the knot around the hoop, in radians.
    pub twirl: f64,
    /// Displacements; azimuth 0 is out of the hoop's plane. An envelope that holds the ends holds the
    /// knot; under any other, the displacements of the two ends are averaged.
    pub displacements: Vec<Displacement>,
    /// Number of points, the knot counted twice.
    pub samples: usize,
}

impl Hoop {
    /// The pose: a closed curve that starts and ends at the knot.
    pub fn pose(&self) -> Pose {
        let n = self.samples.max(4);
        let (sin_tilt, cos_tilt) = ops::sin_cos(self.tilt);
        let (sin_azimuth, cos_azimuth) = ops::sin_cos(self.tilt_azimuth);
        let axis = DVec3::new(sin_tilt * cos_azimuth, sin_tilt * sin_azimuth, cos_tilt);
        // Angle 0 in the hoop's plane: +X, rotated with the axis by the smallest rotation, so that
        // `twirl` means the same for every tilt.
        let lean = DVec3::new(cos_azimuth, sin_azimuth, 0.0);
        let x = DVec3::X + lean * (cos_azimuth * (cos_tilt - 1.0))
            - DVec3::Z * (sin_tilt * cos_azimuth);
        let y = axis.cross(x);
        // Waves that differ at the two ends are corrected to meet (`layer::Hold::ring`).
        let layers = Layers::around(&self.displacements);
        let points = (0..n - 1).map(|i| {
            let u = i as f64 / (n - 1) as f64;
            let (sin, cos) = ops::sin_cos(self.twirl + TAU * u);
            let outward = x * cos + y * sin;
            let frame = Frame::from_orthonormal(y * cos - x * sin, axis);
            displaced(self.centre + outward * self.radius, frame, layers.at(u), 1.0)
        });
        let mut points: Vec<DVec3> = points.collect();
        points.push(points[0]);
        Pose { points, closed: true, up: axis, ..Pose::default() }
    }
}

/// A whole lasso.
#[derive(Clone, Debug, PartialEq)]
pub struct Lasso {
    /// The hoop.
    pub hoop: Hoop,
    /// The span; its ends are set to knot and hand.
    pub span: SuspendedRope,
    /// The tail; it is set to start at the hand.
    pub tail: LooseRope,
    /// Position of the hand.
    pub hand: DVec3,
    /// Metres of rope from the knot to the end of the tail.
    pub length: f64,
    /// Metres of rope between knot and hand.
    pub span_length: f64,
}

impl Lasso {
    /// `concat(hoop, span, tail)`.
    pub fn pose(&self) -> Result<Pose, CatenaryError> {
        let hoop = self.hoop.pose();
        let knot = hoop.points[hoop.points.len() - 1];
        let span = SuspendedRope {
            from: knot,
            to: self.hand,
            length: self.span_length,
            ..self.span.clone()
        };
        let tail_length = (self.length - self.span_length).max(0.0);
        let tail = LooseRope { from: self.hand, length: tail_length, ..self.tail.clone() };
        let (span, tail) = (span.pose()?, tail.pose());

        let mut whole = Pose { up: hoop.up, slack: span.slack, ..Pose::default() };
        let parts = [&hoop, &span, &tail].map(|p| Polyline::new(p.points.clone()));
        if let Ok(joined) = Polyline::join(parts.iter().flatten()) {
            whole.points = joined.into_points();
        }
        if self.span_length > self.length * (1.0 + 1e-9) {
            let (span, length) = (self.span_length, self.length);
            whole.warnings.push(PoseWarning::SpanTooLong { span, length });
        }
        whole.warnings.extend(hoop.warnings.iter().chain(&span.warnings).chain(&tail.warnings));
        Ok(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::layer::{Envelope, Wave};

    fn hoop() -> Hoop {
        Hoop {
            centre: DVec3::new(0.0, 0.0, 3.0),
            radius: 0.8,
            tilt: 0.3,
            tilt_azimuth: 1.0,
            twirl: 0.7,
            displacements: vec![],
            samples: 49,
        }
    }

    #[test]
    fn a_hoop_starts_and_ends_at_its_knot() {
        let mut hoop = hoop();
        let wave = Wave {
            magnitude: 0.1,
            frequency: 3.0,
            phase: 0.4,
            azimuth: 0.0,
            envelope: Envelope::BOTH_ENDS,
        };
        hoop.displacements = vec![wave.into()];
        let pose = hoop.pose();
        assert_eq!(pose.points[0], pose.points[48]);
        assert!(pose.closed);
    }

    /// For any frequency and envelope, the step over the knot is like its neighbours.
    #[test]
    fn a_hoop_closes_under_any_wave() {
        let ring = hoop();
        for frequency in [0.0, 0.4, 1.0, 2.3, 5.0] {
            for envelope in [Envelope::Flat, Envelope::START, Envelope::BOTH_ENDS] {
                let wave = Wave { magnitude: 0.2, frequency, phase: 0.4, azimuth: 0.3, envelope };
                let hoop = Hoop { displacements: vec![wave.into()], samples: 2001, ..ring.clone() };
                let points = hoop.pose().points;
                assert_eq!(points[0], points[2000]);
                let longest = points.windows(2).map(|w| w[0].distance(w[1])).fold(0.0, f64::max);
                assert!(longest < 0.01, "{frequency} {:?}: {longest}", hoop.displacements);
            }
        }
        // Whole periods close by themselves and are not changed.
        let wave = Wave {
            magnitude: 0.2,
            frequency: 2.0,
            phase: 0.4,
            azimuth: 0.0,
            envelope: Envelope::Flat,
        };
        let hoop = Hoop { tilt: 0.0, displacements: vec![wave.into()], ..hoop() };
        let knot = hoop.pose().points[0];
        assert!((knot.z - 3.0 - 0.2 * ops::sin(0.4)).abs() < 1e-15, "{knot}");
    }

    #[test]
    fn a_hoop_is_a_circle_in_its_plane() {
        let pose = hoop().pose();
        for p in &pose.points {
            let v = *p - DVec3::new(0.0, 0.0, 3.0);
            assert!((v.length() - 0.8).abs() < 1e-15);
            assert!(v.dot(pose.up).abs() < 1e-15);
        }
        let level = Hoop { tilt: 0.0, twirl: 0.0, ..hoop() }.pose();
        assert!(level.points[0].distance(DVec3::new(0.8, 0.0, 3.0)) < 1e-15);
        assert!(level.points[12].distance(DVec3::new(0.0, 0.8, 3.0)) < 1e-15);
    }

    #[test]
    fn figure_16_is_one_curve() {
        let lasso = Lasso {
            hoop: hoop(),
            span: SuspendedRope::new(DVec3::ZERO, DVec3::ZERO, 0.0),
            tail: LooseRope::new(DVec3::ZERO, 0.0),
            hand: DVec3::new(2.0, 0.0, 1.4),
            length: 4.0,
            span_length: 3.0,
        };
        let pose = lasso.pose().unwrap();
        // Three parts of 49, the joints counted once.
        assert_eq!(pose.points.len(), 49 + 48 + 48);
        assert_eq!(pose.points[0], pose.points[48]);
        assert_eq!(pose.points[96], lasso.hand);
        assert!(pose.points[144].distance(DVec3::new(2.0, 0.0, 0.4)) < 1e-14);
        assert!(pose.points.windows(2).all(|w| w[0] != w[1]), "no duplicate joints");
    }

    #[test]
    fn a_span_longer_than_the_rope_is_reported() {
        let mut lasso = Lasso {
            hoop: hoop(),
            span: SuspendedRope::new(DVec3::ZERO, DVec3::ZERO, 0.0),
            tail: LooseRope::new(DVec3::ZERO, 0.0),
            hand: DVec3::new(2.0, 0.0, 1.4),
            length: 3.0,
            span_length: 3.0,
        };
        assert_eq!(lasso.pose().unwrap().warnings, []);
        lasso.span_length = 3.5;
        let expected = PoseWarning::SpanTooLong { span: 3.5, length: 3.0 };
        assert_eq!(lasso.pose().unwrap().warnings, [expected]);
    }
}
