//! A rope held at one end: a leash, a whip, a strap, the tail of a lasso.
//!
//! Barzel 1997, section 3.2 and figure 9. The rest shape is a straight line down from the held end.
//! Bends give the gross shape; waves are added under an envelope that holds the start and, as `env`
//! goes from 0 to 1, the far end; then the rope is clamped to the floor.
//!
//! # Differences from the paper
//! With `keep_length` on, waves shorten the gross shape instead of lengthening the rope, and a rope
//! that meets the floor is laid along it link by link instead of being projected onto it.
//!
//! Under an envelope that would move the held end, a linear function that equals the displacement
//! there and is zero at the far end is subtracted (`layer::Hold`).
//!
//! Tests: `figure_9_at_rest`, `a_loose_rope_lies_down`, `no_length_is_lost_at_the_floor`,
//! `the_held_end_has_no_kink_beside_it`, `waves_shorten_the_gross_shape`,
//! `the_published_floor_shortens_the_rope`.

use glam::DVec3;

use super::keep_length::{self, Fitted};
use super::layer::{Clamp, Displacement, Layers, displaced};
use super::{Pose, PoseWarning, Workspace};
use crate::curve::bend::{Bend, BentLine};
use crate::curve::{Frame, GrossShape};

/// A rope held at one end.
#[derive(Clone, Debug, PartialEq)]
pub struct LooseRope {
    /// Position of the held end.
    pub from: DVec3,
    /// Direction at the held end, before any bend; down in the paper.
    pub direction: DVec3,
    /// Metres of rope.
    pub length: f64,
    /// Bends, in any order.
    pub bends: Vec<Bend>,
    /// Displacements.
    pub displacements: Vec<Displacement>,
    /// Surfaces that the rope must not penetrate; the held end stays in any case.
    pub clamps: Vec<Clamp>,
    /// Waves and clamps do not change the length.
    pub keep_length: bool,
    /// Number of points.
    pub samples: usize,
}

impl LooseRope {
    /// A rope hanging straight down: no bends, no waves, length kept, 49 samples.
    pub fn new(from: DVec3, length: f64) -> Self {
        Self {
            from,
            direction: DVec3::NEG_Z,
            length,
            bends: Vec::new(),
            displacements: Vec::new(),
            clamps: Vec::new(),
            keep_length: true,
            samples: 49,
        }
    }

    /// The pose of the rope.
    pub fn pose(&self) -> Pose {
        let (mut pose, mut scratch) = (Pose::default(), Workspace::default());
        self.pose_into(&mut pose, &mut scratch);
        pose
    }

    /// [`pose`](Self::pose) into existing buffers.
    pub fn pose_into(&self, pose: &mut Pose, scratch: &mut Workspace) {
        pose.clear();
        let n = self.samples.max(2);
        // Rest and gross shape: the frame's convention makes normal +X for a rope hanging down.
        let rope = BentLine::new(
            self.from,
            Frame::new(self.direction, DVec3::Z),
            self.length,
            &self.bends,
        );
        let layers = Layers::from_start(&self.displacements);
        let fitted = if self.keep_length {
            keep_length::fit_loose(&rope, layers, scratch)
        } else {
            Fitted::whole(rope)
        };
        // Wave deformation.
        fitted.gross.fill(n, &mut scratch.rail);
        let moves = fitted.share != 0.0 && scratch.offsets.fill(layers, n);
        let rail = &scratch.rail;
        pose.points.extend((0..n).map(|i| match moves {
            true => displaced(rail.points[i], rail.frames[i], scratch.offsets.at(i), fitted.share),
            false => rail.points[i],
        }));
        // Clamp.
        if pose.points[1..].iter().any(|p| self.clamps.iter().any(|c| c.touches(*p))) {
            if self.keep_length {
                let out = (n, &mut pose.points);
                keep_length::lay(&fitted, self.length, layers, &self.clamps, scratch, out);
            } else {
                for p in &mut pose.points[1..] {
                    *p = Clamp::push_all(&self.clamps, *p);
                }
            }
        }
        pose.warnings.extend(fitted.warnings(self.length));
        let past = self.bends.iter().map(|b| b.position + b.length.max(0.0)).enumerate();
        let worst = past.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, end)| *end > 1.0 + 1e-9);
        pose.warnings.extend(worst.map(|(bend, end)| PoseWarning::BendPastEnd { bend, end }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::{Polyline, Spline};
    use crate::model::layer::{Collider, Envelope, Wave};

    fn floor() -> Vec<Clamp> {
        vec![Clamp { collider: Collider::floor(0.0), margin: 0.01 }]
    }

    fn wave(magnitude: f64, frequency: f64, env: f64) -> Displacement {
        Wave { magnitude, frequency, phase: 0.3, azimuth: 0.4, envelope: Envelope::Sine { env } }
            .into()
    }

    fn chords(rope: &LooseRope, samples: usize) -> f64 {
        let points = LooseRope { samples, ..rope.clone() }.pose().points;
        points.windows(2).map(|w| w[0].distance(w[1])).sum()
    }

    #[test]
    fn figure_9_at_rest() {
        let pose = LooseRope::new(DVec3::new(1.0, 2.0, 3.0), 2.0).pose();
        assert_eq!(pose.points[0], DVec3::new(1.0, 2.0, 3.0));
        assert!(pose.points[48].distance(DVec3::new(1.0, 2.0, 1.0)) < 1e-15);
    }

    #[test]
    fn the_free_end_waves_and_the_held_one_does_not() {
        let mut rope = LooseRope::new(DVec3::Z * 3.0, 2.0);
        rope.displacements = vec![wave(0.2, 1.25, 0.0)];
        let free = rope.pose();
        rope.displacements = vec![wave(0.2, 1.25, 1.0)];
        let held = rope.pose();
        assert_eq!(free.points[0], rope.from);
        assert!(free.points[48].x.abs() > 0.1);
        assert!(held.points[48].x.abs() < 1e-15);
    }

    #[test]
    fn waves_shorten_the_gross_shape() {
        let mut rope = LooseRope::new(DVec3::Z * 3.0, 2.0);
        rope.bends = vec![Bend { position: 0.3, length: 0.4, angle: 1.5, azimuth: 0.7 }];
        rope.displacements = vec![wave(0.15, 3.0, 0.2)];
        let length = Spline::through(
            &Polyline::new(LooseRope { samples: 4001, ..rope.clone() }.pose().points).unwrap(),
        )
        .length();
        assert!((length - 2.0).abs() < 2e-6, "{length}");
        rope.keep_length = false;
        assert!(chords(&rope, 4001) > 2.1);
    }

    #[test]
    fn absurd_waves_are_scaled_down_and_reported() {
        let mut rope = LooseRope::new(DVec3::Z * 3.0, 2.0);
        rope.displacements = vec![wave(3.0, 6.0, 0.2)];
        assert!(matches!(rope.pose().warnings[..], [PoseWarning::TooWavy { .. }]));
    }

    #[test]
    fn a_loose_rope_lies_down() {
        // Two metres hang, one lies on the floor.
        let mut rope = LooseRope::new(DVec3::Z * 2.01, 3.0);
        rope.clamps = floor();
        let pose = rope.pose();
        assert!(pose.points.iter().all(|p| p.z >= 0.01 - 1e-9));
        // A rope that comes straight down lies towards the first normal, +X.
        assert!(pose.points[48].distance(DVec3::new(1.0, 0.0, 0.01)) < 1e-9, "{}", pose.points[48]);
        assert!((chords(&rope, 961) - 3.0).abs() < 3e-3);
    }

    /// Also at heights where the rope meets the floor within a link.
    #[test]
    fn no_length_is_lost_at_the_floor() {
        for k in 0..40 {
            let height = 0.7 + 0.013 * f64::from(k);
            let mut rope = LooseRope::new(DVec3::Z * (height + 0.01), 3.0);
            rope.clamps = floor();
            let end = rope.pose().points[48];
            assert!(end.distance(DVec3::new(3.0 - height, 0.0, 0.01)) < 1e-12, "{height}: {end}");
        }
    }

    /// Under any envelope the rope leaves the held end without a step, and its length is kept.
    #[test]
    fn the_held_end_has_no_kink_beside_it() {
        for envelope in [
            Envelope::Flat,
            Envelope::Points(vec![(0.0, 0.7), (1.0, 0.3)].into()),
            Envelope::Plateau { width: 0.0 },
        ] {
            let mut rope = LooseRope::new(DVec3::Z * 3.0, 2.0);
            rope.bends = vec![Bend { position: 0.3, length: 0.4, angle: 1.5, azimuth: 0.7 }];
            let wave = Wave { magnitude: 0.1, frequency: 1.3, phase: 1.1, azimuth: 0.4, envelope };
            rope.displacements = vec![wave.into()];
            rope.samples = 4001;
            let points = rope.pose().points;
            assert_eq!(points[0], rope.from);
            let length = Spline::through(&Polyline::new(points).unwrap()).length();
            assert!((length - 2.0).abs() < 2e-6, "{length}");
        }
    }

    #[test]
    fn a_loose_rope_lies_over_a_ball() {
        let mut rope = LooseRope::new(DVec3::new(0.05, 0.0, 2.0), 3.0);
        rope.clamps = vec![Clamp {
            collider: Collider::Sphere { centre: DVec3::Z * 0.5, radius: 0.5 },
            margin: 0.01,
        }];
        rope.clamps.extend(floor());
        for p in rope.pose().points {
            assert!(p.distance(DVec3::Z * 0.5) > 0.51 - 1e-3 && p.z > 0.01 - 1e-3, "{p}");
        }
        let length = chords(&rope, 961);
        assert!((length - 3.0).abs() < 5e-3, "{length}");
    }

    #[test]
    fn a_bend_past_the_end_is_reported() {
        let mut rope = LooseRope::new(DVec3::Z * 3.0, 2.0);
        let bend = |position: f64| Bend { position, length: 0.25, angle: 1.0, azimuth: 0.0 };
        rope.bends = vec![bend(0.1), bend(0.75)];
        assert_eq!(rope.pose().warnings, []);
        rope.bends.push(bend(0.875));
        assert_eq!(rope.pose().warnings, [PoseWarning::BendPastEnd { bend: 2, end: 1.125 }]);
    }

    #[test]
    fn the_published_floor_shortens_the_rope() {
        let mut rope = LooseRope::new(DVec3::Z * 2.0, 3.0);
        rope.clamps = floor();
        rope.keep_length = false;
        assert!((chords(&rope, 49) - 1.99).abs() < 1e-12);
    }
}
