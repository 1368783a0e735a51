//! A rope held at both ends: reins, clothes lines, rigging, jump ropes.
//!
//! Barzel 1997, section 3.1 and figure 7. The catenary is both rest shape and gross shape,
//! because swing and sway only tilt its up direction. Waves are added under half a sine, so the
//! ends stay exactly where they are held. Under an envelope that would move the ends, the linear
//! function that equals the displacement at both ends is subtracted (`layer::Hold`).
//!
//! # Differences from the paper
//! * The rope keeps its length while it waves, unless `keep_length` is off; see `model::keep_length`.
//! * `SagDirection::Turn` rotates the whole sag about the line between the ends, as in a jump rope.
//!
//! Tests: `ends_stay`, `a_held_end_has_no_kink_beside_it`, `figure_7_vs_sampled_frames`,
//! `length_is_kept_by_default`, `a_wave_on_a_vertical_fold_keeps_its_length`.

use glam::DVec3;

use super::keep_length::{self, Fitted};
use super::layer::{Clamp, Displacement, Layers};
use super::{Pose, PoseWarning, Workspace};
use crate::curve::catenary::{Catenary, CatenaryError, chord_axes, tilted_up};
use crate::curve::{Frame, GrossShape};
use crate::geometry::Tension;

/// Direction in which a hung rope sags; angles in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SagDirection {
    /// Swing about the world's X, sway about its Y, as published.
    World {
        /// Side to side: positive moves the sag towards +Y.
        swing: f64,
        /// Back and forth along X.
        sway: f64,
    },
    /// The same with X along the level direction of the chord, so that swing is always sideways.
    Chord {
        /// Side to side.
        swing: f64,
        /// Back and forth along the chord.
        sway: f64,
    },
    /// The sag rotated about the line between the ends: a jump rope.
    Turn {
        /// 0 hangs down, half a turn points up.
        angle: f64,
    },
}

impl SagDirection {
    /// The up direction of the sag.
    fn up(self, from: DVec3, to: DVec3) -> DVec3 {
        match self {
            Self::World { swing, sway } => tilted_up(swing, sway, (DVec3::X, DVec3::Y)),
            Self::Chord { swing, sway } => tilted_up(swing, sway, chord_axes(from, to)),
            Self::Turn { angle } => Frame::new(to - from, DVec3::Z).sideways(angle),
        }
    }
}

/// A rope between two points.
#[derive(Clone, Debug, PartialEq)]
pub struct SuspendedRope {
    /// One end.
    pub from: DVec3,
    /// The other end.
    pub to: DVec3,
    /// Metres of rope.
    pub length: f64,
    /// Swing, sway or turn.
    pub sag_direction: SagDirection,
    /// Displacements, each measured on the undisplaced rope and added.
    pub displacements: Vec<Displacement>,
    /// Surfaces that the rope must not penetrate; the ends are held in any case.
    pub clamps: Vec<Clamp>,
    /// Waves and clamps use up slack instead of changing the length.
    pub keep_length: bool,
    /// Number of points.
    pub samples: usize,
}

impl SuspendedRope {
    /// A rope at rest between two points: no swing, no waves, length kept, 49 samples.
    pub fn new(from: DVec3, to: DVec3, length: f64) -> Self {
        Self {
            from,
            to,
            length,
            sag_direction: SagDirection::World { swing: 0.0, sway: 0.0 },
            displacements: Vec::new(),
            clamps: Vec::new(),
            keep_length: true,
            samples: 49,
        }
    }

    /// The pose of the rope.
    ///
    /// ```
    /// use glam::DVec3;
    /// use lariat_core::model::{SagDirection, SuspendedRope, layer::{Envelope, Wave}};
    ///
    /// let mut rope = SuspendedRope::new(DVec3::ZERO, DVec3::X * 4.0, 5.0);
    /// rope.sag_direction = SagDirection::World { swing: 0.4, sway: 0.0 };
    /// rope.displacements = vec![
    ///     Wave { magnitude: 0.1, frequency: 3.0, phase: 0.0, azimuth: 0.0, envelope: Envelope::BOTH_ENDS }.into(),
    /// ];
    /// let pose = rope.pose()?;
    /// assert_eq!(pose.points[0], rope.from); // exact: no rounding error
    /// assert_eq!(pose.points[48], rope.to);
    /// # Ok::<(), lariat_core::curve::catenary::CatenaryError>(())
    /// ```
    pub fn pose(&self) -> Result<Pose, CatenaryError> {
        let (mut pose, mut scratch) = (Pose::default(), Workspace::default());
        self.pose_into(&mut pose, &mut scratch)?;
        Ok(pose)
    }

    /// [`pose`](Self::pose) into existing buffers.
    pub fn pose_into(&self, pose: &mut Pose, scratch: &mut Workspace) -> Result<(), CatenaryError> {
        pose.clear();
        let n = self.samples.max(2);
        // Rest and gross shape.
        pose.up = self.sag_direction.up(self.from, self.to);
        let rope = Catenary::between(self.from, self.to, self.length, pose.up)?;
        let layers = Layers::between(&self.displacements);
        // Waves use up slack.
        let mut fitted = if self.keep_length {
            keep_length::fit_hung(rope, self.length, layers, scratch)
        } else {
            let too_short = PoseWarning::TooShort { length: self.length, gap: rope.gap() };
            let warning = (self.length < rope.gap()).then_some(too_short);
            Fitted { warning, ..Fitted::whole(rope) }
        };
        // Wave deformation.
        sample(&fitted, layers, n, pose, scratch);
        // Clamp.
        let touches = |points: &[DVec3]| {
            points[1..n - 1].iter().any(|p| self.clamps.iter().any(|c| c.touches(*p)))
        };
        let rests = touches(&pose.points);
        if rests {
            if self.keep_length {
                fitted = keep_length::fit_clamped(fitted, self.length, layers, &self.clamps, n);
                sample(&fitted, layers, n, pose, scratch);
            }
            for p in &mut pose.points[1..n - 1] {
                *p = Clamp::push_all(&self.clamps, *p);
            }
        }
        pose.slack = Some(fitted.gross.length() - fitted.gross.gap());
        // The share of the weight that a collider carries is unknown.
        pose.tension = (!rests).then(|| self.tension(&fitted.gross));
        pose.warnings.extend(fitted.warnings(self.length));
        Ok(())
    }
}

impl SuspendedRope {
    /// Tension along the gross shape, scaled to the weight of the whole rope: waves shorten the gross
    /// shape but not the rope.
    fn tension(&self, gross: &Catenary) -> Tension {
        let hung = gross.length();
        let times =
            if self.keep_length && hung > 0.0 { (self.length / hung).max(1.0) } else { 1.0 };
        Tension::Hanging {
            horizontal: gross.scale() * times,
            vertical_at_start: gross.vertical_at_start() * times,
            weight: hung * times,
        }
    }
}

/// Fills `pose` with the samples of a rope with its share of the displacements.
fn sample(
    fitted: &Fitted<Catenary>,
    layers: Layers<'_>,
    n: usize,
    pose: &mut Pose,
    scratch: &mut Workspace,
) {
    let waves = fitted.share != 0.0 && !layers.list.is_empty();
    if waves && scratch.offsets.fill(layers, n) {
        let (x, y) = (&scratch.offsets.x, &scratch.offsets.y);
        fitted.gross.sample_displaced(x, y, fitted.share, &mut pose.points);
    } else {
        fitted.gross.fill(n, &mut scratch.rail);
        pose.points.clone_from(&scratch.rail.points);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::{Framing, Polyline, Spline, frames, tangents};
    use crate::model::layer::{Collider, Envelope, Noise, Pulse, PulseShape, Wave};
    use crate::num::ops;
    use proptest::prelude::*;
    use std::f64::consts::TAU;

    fn ripples(magnitude: f64, frequency: f64, phase: f64, azimuth: f64) -> Displacement {
        Wave { magnitude, frequency, phase, azimuth, envelope: Envelope::BOTH_ENDS }.into()
    }

    /// Every kind of envelope.
    fn envelope() -> impl Strategy<Value = Envelope> {
        prop_oneof![
            Just(Envelope::BOTH_ENDS),
            Just(Envelope::START),
            Just(Envelope::Flat),
            (0.0..1.0_f64).prop_map(|env| Envelope::Sine { env }),
            (0.02..0.5_f64).prop_map(|width| Envelope::Plateau { width }),
            Just(Envelope::Plateau { width: 0.0 }),
            (0.0..1.0_f64, 0.0..1.0_f64)
                .prop_map(|(a, b)| Envelope::Points(vec![(0.0, a), (0.4, 1.0), (1.0, b)].into())),
        ]
    }

    fn measured(rope: &SuspendedRope) -> f64 {
        let fine = SuspendedRope { samples: 6001, ..rope.clone() };
        let points = fine.pose().unwrap().points;
        Spline::through(&Polyline::new(points).unwrap()).length()
    }

    /// Level, steep and folded ropes: the ends together carry the whole weight, and their horizontal
    /// tensions are equal.
    #[test]
    fn the_ends_carry_the_rope() {
        for (to, length) in [
            (DVec3::new(4.0, 0.0, 0.0), 5.0),
            (DVec3::new(2.0, 1.0, 3.0), 5.5),
            (DVec3::new(0.5, 0.0, -4.0), 4.1),
            (DVec3::new(0.0, 0.0, 1.0), 3.0),
            (DVec3::new(3.0, 0.0, 0.2), 3.007),
        ] {
            let rope =
                SuspendedRope { samples: 4001, ..SuspendedRope::new(DVec3::ZERO, to, length) };
            let pose = rope.pose().unwrap();
            let tension = pose.tension.unwrap();
            // The pull is along the rope, outwards at both ends.
            let end = |u: f64, a: usize, b: usize| {
                (pose.points[a] - pose.points[b]).normalize_or_zero() * tension.at(u)
            };
            let (start, end) = (end(0.0, 0, 1), end(1.0, 4000, 3999));
            assert!(((start + end).z / length - 1.0).abs() < 2e-3, "{start} {end} of {length}");
            let level = |pull: DVec3| DVec3::new(pull.x, pull.y, 0.0);
            let sum = level(start) + level(end);
            assert!(sum.length() < 2e-3 * (1.0 + start.length()), "{sum} for {length}");
        }
    }

    /// Tension in metres of weight is the height above the catenary's directrix, everywhere.
    #[test]
    fn tension_is_the_height_above_the_directrix() {
        let rope = SuspendedRope::new(DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, 2.5, 1.5), 4.7);
        let hung = Catenary::between(rope.from, rope.to, rope.length, DVec3::Z).unwrap();
        let directrix = hung.lowest().z - hung.scale();
        let pose = rope.pose().unwrap();
        for (i, p) in pose.points.iter().enumerate() {
            let found = pose.tension.as_ref().unwrap().at(i as f64 / 48.0);
            assert!((found - (p.z - directrix)).abs() < 1e-12, "{found} at {p}");
        }
    }

    #[test]
    fn waves_do_not_make_a_rope_lighter() {
        let mut rope = SuspendedRope::new(DVec3::ZERO, DVec3::X * 4.0, 6.0);
        rope.displacements = vec![ripples(0.3, 2.0, 0.0, 0.0)];
        let Some(Tension::Hanging { weight, vertical_at_start: start, .. }) =
            rope.pose().unwrap().tension
        else {
            panic!("it hangs")
        };
        assert!((weight - 6.0).abs() < 1e-12 && (start + 3.0).abs() < 1e-9, "{weight} {start}");
    }

    #[test]
    fn a_taut_rope_has_infinite_tension() {
        let pose = SuspendedRope::new(DVec3::ZERO, DVec3::X * 4.0, 3.0).pose().unwrap();
        assert_eq!(pose.tension.unwrap().at(0.3), f64::INFINITY);
    }

    #[test]
    fn a_rope_on_a_floor_has_no_known_tension() {
        let mut rope = SuspendedRope::new(DVec3::Z, DVec3::new(4.0, 0.0, 1.0), 6.0);
        assert!(rope.pose().unwrap().tension.is_some());
        rope.clamps = vec![Clamp { collider: Collider::floor(0.0), margin: 0.0 }];
        assert_eq!(rope.pose().unwrap().tension, None);
    }

    /// Figure 7 step by step, with sampled frames instead of exact ones.
    #[test]
    fn figure_7_vs_sampled_frames() {
        let mut rope =
            SuspendedRope::new(DVec3::new(0.0, 0.0, 1.0), DVec3::new(4.0, 0.5, 1.5), 6.0);
        rope.sag_direction = SagDirection::World { swing: 0.6, sway: -0.2 };
        rope.displacements = vec![ripples(0.3, 2.0, 0.4, 0.9), ripples(0.1, 5.0, 1.0, -0.3)];
        rope.keep_length = false;
        rope.samples = 801;
        let ours = rope.pose().unwrap();

        let up = DVec3::new(
            ops::sin(-0.2),
            -ops::sin(0.6) * ops::cos(-0.2),
            ops::cos(0.6) * ops::cos(-0.2),
        );
        let hung = Catenary::between(rope.from, rope.to, 6.0, up).unwrap().sample(801);
        let (mut t, mut f) = (Vec::new(), Vec::new());
        tangents(&hung, false, &mut t);
        frames(&hung, &t, up, Framing::RotationMinimising, &mut f);
        for i in 0..801 {
            let u = i as f64 / 800.0;
            let mut p = hung[i];
            for (m, freq, phase, azm) in [(0.3, 2.0, 0.4, 0.9), (0.1, 5.0, 1.0, -0.3_f64)] {
                let d = f[i].normal() * ops::cos(azm) + f[i].binormal() * ops::sin(azm);
                p += d * (ops::sin(0.5 * TAU * u) * m * ops::sin(TAU * freq * u + phase));
            }
            assert!(p.distance(ours.points[i]) < 1e-6, "sample {i}");
        }
    }

    #[test]
    fn length_is_kept_by_default() {
        let mut rope = SuspendedRope::new(DVec3::ZERO, DVec3::X * 4.0, 6.0);
        rope.displacements = vec![ripples(0.3, 2.0, 0.0, 0.0)];
        assert!((measured(&rope) - 6.0).abs() < 6e-6);
        let pose = rope.pose().unwrap();
        assert_eq!(pose.warnings, []);
        assert!(pose.slack.unwrap() < 2.0 && pose.slack.unwrap() > 1.5);
    }

    /// Length of the smooth curve behind the samples, by chords halved until they agree.
    fn smooth_length(rope: &SuspendedRope) -> f64 {
        fn halved(at: &dyn Fn(f64) -> DVec3, a: (f64, DVec3), b: (f64, DVec3), depth: u32) -> f64 {
            let u = 0.5 * (a.0 + b.0);
            let m = (u, at(u));
            let (one, two) = (a.1.distance(b.1), a.1.distance(m.1) + m.1.distance(b.1));
            if depth == 0 || (depth < 40 && two - one < 1e-12) {
                return two + (two - one) / 3.0;
            }
            halved(at, a, m, depth - 1) + halved(at, m, b, depth - 1)
        }
        let hung = Catenary::between(rope.from, rope.to, rope.length, DVec3::Z).unwrap();
        let layers = Layers::between(&rope.displacements);
        let fitted = keep_length::fit_hung(hung, rope.length, layers, &mut Workspace::default());
        let at = |u: f64| keep_length::point_at(&fitted.gross, layers, fitted.share, u);
        halved(&at, (0.0, at(0.0)), (1.0, at(1.0)), 50)
    }

    /// Ropes whose ends approach the same vertical, and reach it: the wave does not jump where the
    /// rope turns, the length is kept, and the shape is continuous in the limit.
    #[test]
    fn a_wave_on_a_vertical_fold_keeps_its_length() {
        let gaps = (1..=12).map(|k| ops::pow(10.0, -f64::from(k))).chain([0.0]);
        for (rise, length) in [(0.0, 3.0), (1.0, 3.0), (-2.9, 3.0)] {
            for azimuth in [0.0, 0.6, 0.5 * TAU] {
                let mut before: Option<(f64, Vec<DVec3>)> = None;
                for gap in gaps.clone() {
                    let to = DVec3::new(gap, 0.0, rise);
                    let mut rope = SuspendedRope::new(DVec3::ZERO, to, length);
                    rope.displacements = vec![ripples(0.03, 2.3, 0.7, azimuth)];
                    let case = format!("gap {gap:e}, rise {rise}, azimuth {azimuth}");
                    let error = (smooth_length(&rope) / length - 1.0).abs();
                    assert!(error < 1e-6, "{case}: off by {error:e}");
                    rope.samples = 6001;
                    let pose = rope.pose().unwrap();
                    assert_eq!(pose.warnings, [], "{case}");
                    let step = pose.points.windows(2).map(|w| w[0].distance(w[1]));
                    let longest = step.fold(0.0, f64::max);
                    assert!(longest < 10.0 * length / 6000.0, "{case}: a step of {longest}");
                    if let Some((wider, points)) = before {
                        let moved = points.iter().zip(&pose.points).map(|(a, b)| a.distance(*b));
                        let moved = moved.fold(0.0, f64::max);
                        // Fits stop within 1e-8 of the length of each other.
                        let limit = 2e-8 * length + 6.0 * (wider - gap);
                        assert!(moved < limit, "{case}: moved by {moved:e}");
                    }
                    before = Some((gap, pose.points));
                }
            }
        }
    }

    #[test]
    fn published_ropes_grow() {
        let mut rope = SuspendedRope::new(DVec3::ZERO, DVec3::X * 4.0, 6.0);
        rope.displacements = vec![ripples(0.3, 2.0, 0.0, TAU / 4.0)];
        rope.keep_length = false;
        // dL/L ~ (π f mag/L)²/2 gives 4.9 % (docs/papers/barzel.md).
        let growth = measured(&rope) / 6.0 - 1.0;
        assert!((growth - 0.05).abs() < 2e-3, "{growth}");
    }

    #[test]
    fn waves_without_slack_shrink_and_are_reported() {
        let mut rope = SuspendedRope::new(DVec3::ZERO, DVec3::X * 4.0, 4.01);
        rope.displacements = vec![ripples(0.5, 4.0, 0.0, 1.0)];
        let pose = rope.pose().unwrap();
        let [PoseWarning::TooWavy { share, missing }] = pose.warnings[..] else {
            panic!("{:?}", pose.warnings)
        };
        assert!((0.01..0.5).contains(&share) && missing > 0.1);
        assert!((measured(&rope) / 4.01 - 1.0).abs() < 1e-6, "still the nearest reachable pose");
        assert_eq!(pose.slack, Some(0.0));
    }

    #[test]
    fn a_rope_too_short_is_straight_and_reported() {
        let mut rope = SuspendedRope::new(DVec3::ZERO, DVec3::X * 4.0, 3.0);
        rope.displacements = vec![ripples(0.5, 4.0, 0.0, 1.0)];
        let pose = rope.pose().unwrap();
        assert_eq!(pose.warnings, [PoseWarning::TooShort { length: 3.0, gap: 4.0 }]);
        assert!(pose.points.iter().all(|p| p.y == 0.0 && p.z == 0.0));
    }

    #[test]
    fn a_rope_without_slack_reports_that_it_cannot_wave() {
        let mut rope = SuspendedRope::new(DVec3::ZERO, DVec3::X * 4.0, 4.0);
        assert_eq!(rope.pose().unwrap().warnings, []);
        rope.displacements = vec![ripples(0.5, 4.0, 0.0, 1.0)];
        let pose = rope.pose().unwrap();
        let [PoseWarning::TooWavy { share: 0.0, missing }] = pose.warnings[..] else {
            panic!("{:?}", pose.warnings)
        };
        assert!((missing - 2.965_859_025_6).abs() < 1e-6, "{missing}");
        assert!(pose.points.iter().all(|p| p.y == 0.0 && p.z == 0.0));
    }

    /// A wave under a flat envelope has no step beside the ends.
    #[test]
    fn a_held_end_has_no_kink_beside_it() {
        let mut rope = SuspendedRope::new(DVec3::ZERO, DVec3::X * 4.0, 4.6);
        let wave = Wave {
            magnitude: 0.1,
            frequency: 3.3,
            phase: 1.2,
            azimuth: 1.0,
            envelope: Envelope::Flat,
        };
        rope.displacements = vec![wave.into()];
        rope.samples = 2001;
        let steps = |points: &[DVec3]| -> Vec<f64> {
            points.windows(2).map(|w| w[0].distance(w[1])).collect()
        };
        let lengths = steps(&rope.pose().unwrap().points);
        for w in lengths.windows(2) {
            assert!((w[1] / w[0] - 1.0).abs() < 0.02, "{w:?}");
        }
        assert!((measured(&rope) / 4.6 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn absurdly_fine_waves_are_posed_and_reported() {
        for floor in [None, Some(-0.5)] {
            let mut rope = SuspendedRope::new(DVec3::ZERO, DVec3::X * 4.0, 6.0);
            rope.displacements = vec![ripples(1e-6, 1e6, 0.3, 1.0)];
            rope.clamps = floor
                .map(|z| Clamp { collider: Collider::floor(z), margin: 0.0 })
                .into_iter()
                .collect();
            let pose = rope.pose().unwrap();
            assert!(pose.points.iter().all(|p| p.is_finite()));
            let is_too_fine = |f: &PoseWarning| matches!(f, PoseWarning::TooFine { error_bound } if *error_bound > 6e-6);
            assert!(pose.warnings.iter().any(is_too_fine), "{:?}", pose.warnings);
        }
    }

    #[test]
    fn a_fold_over_a_floor_reports_the_left_over_length() {
        for to in [DVec3::Z, DVec3::Z * 1.4] {
            let mut rope = SuspendedRope::new(DVec3::Z, to, 6.0);
            rope.clamps = vec![Clamp { collider: Collider::floor(0.0), margin: 0.01 }];
            let pose = rope.pose().unwrap();
            let [PoseWarning::TooLong { left_over }] = pose.warnings[..] else {
                panic!("{:?}", pose.warnings)
            };
            // There is room only for the way down to the floor and up again.
            let room = 0.99 + (to.z - 0.01);
            assert!((left_over - (6.0 - room)).abs() < 1e-6, "{left_over}");
        }
        // A fold that does not reach the floor is laid completely.
        let mut rope = SuspendedRope::new(DVec3::Z, DVec3::Z, 1.5);
        rope.clamps = vec![Clamp { collider: Collider::floor(0.0), margin: 0.01 }];
        assert_eq!(rope.pose().unwrap().warnings, []);
    }

    #[test]
    fn a_jump_rope_turns_about_its_chord() {
        let mut rope = SuspendedRope::new(DVec3::ZERO, DVec3::new(3.0, 0.0, 0.3), 4.0);
        let middle = |rope: &SuspendedRope| rope.pose().unwrap().points[24];
        let down = middle(&rope);
        rope.sag_direction = SagDirection::Turn { angle: 0.5 * TAU };
        let up = middle(&rope);
        assert!(down.z < -0.5 && up.z > 0.5);
        rope.sag_direction = SagDirection::Turn { angle: TAU };
        assert!(middle(&rope).z < -0.5);
    }

    #[test]
    fn a_rope_on_a_floor_keeps_its_length() {
        let mut rope =
            SuspendedRope::new(DVec3::new(0.0, 0.0, 1.0), DVec3::new(4.0, 0.0, 1.2), 5.4);
        rope.clamps = vec![Clamp { collider: Collider::floor(0.0), margin: 0.02 }];
        rope.displacements = vec![ripples(0.05, 3.0, 0.3, 1.2)];
        let pose = rope.pose().unwrap();
        assert_eq!(pose.warnings, []);
        assert!(pose.points.iter().all(|p| p.z >= 0.02 - 1e-12));
        assert!(pose.points.iter().filter(|p| p.z < 0.020_001).count() > 5, "it lies on the floor");
        // Kinks at the floor: measured by fine chords.
        let fine = SuspendedRope { samples: 200_001, ..rope.clone() }.pose().unwrap().points;
        let length: f64 = fine.windows(2).map(|w| w[0].distance(w[1])).sum();
        assert!((length / 5.4 - 1.0).abs() < 1e-6, "{length}");
    }

    #[test]
    fn too_much_rope_for_the_floor_is_reported() {
        let mut rope =
            SuspendedRope::new(DVec3::new(0.0, 0.0, 1.0), DVec3::new(4.0, 0.0, 1.0), 9.0);
        rope.clamps = vec![Clamp { collider: Collider::floor(0.0), margin: 0.0 }];
        let pose = rope.pose().unwrap();
        let [PoseWarning::TooLong { left_over }] = pose.warnings[..] else {
            panic!("{:?}", pose.warnings)
        };
        // There is room for one metre down, four along and one up.
        assert!((left_over - 3.0).abs() < 0.2, "{left_over}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn random_poses_keep_their_length(
            to in prop::array::uniform3(-4.0..4.0_f64),
            slack in 0.02..1.5_f64, envelope in envelope(),
            swing in -1.5..1.5_f64, sway in -1.0..1.0_f64,
            waves in prop::collection::vec((0.0..0.4_f64, 0.0..6.0_f64, 0.0..7.0_f64, 0.0..7.0_f64), 0..3),
            noise in 0.0..0.1_f64,
        ) {
            let to = DVec3::from_array(to);
            // Ends above one another make a fold, whose kink the measuring spline would round.
            prop_assume!(to.length() > 0.5 && to.truncate().length() > 0.01);
            let mut rope = SuspendedRope::new(DVec3::ZERO, to, to.length() * (1.0 + slack));
            rope.sag_direction = SagDirection::Chord { swing, sway };
            rope.displacements = waves.iter().map(|&(m, f, p, a)| ripples(m * to.length() / 4.0, f, p, a)).collect();
            rope.displacements.push(Noise { magnitude: noise, scale: 3.0, drift: 0.3, seed: 1, envelope }.into());
            let error = (measured(&rope) / rope.length - 1.0).abs();
            prop_assert!(error < 1e-6, "{:e}, {:?}", error, rope.pose().unwrap().warnings);
        }

        #[test]
        fn ends_stay(
            to in prop::array::uniform3(-4.0..4.0_f64), length in 0.0..20.0_f64,
            magnitude in 0.0..2.0_f64, frequency in 0.0..40.0_f64, keep in any::<bool>(), samples in 2_usize..80,
            envelope in envelope(), kind in 0..3,
        ) {
            let from = DVec3::new(0.1, 0.2, 0.3);
            let mut rope = SuspendedRope::new(from, DVec3::from_array(to), length);
            rope.displacements = vec![match kind {
                0 => Wave { magnitude, frequency, phase: 1.0, azimuth: 2.0, envelope }.into(),
                1 => Pulse { shape: PulseShape::Soliton, magnitude, position: 0.9, width: 0.3, azimuth: 2.0, envelope }.into(),
                _ => Noise { magnitude, scale: 3.7, drift: 0.3, seed: 1, envelope }.into(),
            }];
            rope.clamps = vec![Clamp { collider: Collider::floor(0.5), margin: 0.1 }];
            (rope.keep_length, rope.samples) = (keep, samples);
            let pose = rope.pose().unwrap();
            prop_assert_eq!(pose.points[0], rope.from);
            prop_assert_eq!(pose.points[samples - 1], rope.to);
            prop_assert!(pose.points.iter().all(|p| p.is_finite()));
        }
    }
}
