//! Random ropes, and the paper's formula for them.
//!
//! [`Formula`] is figure 7 with the conventions of `docs/papers/barzel.md`: the catenary along a
//! tilted up vector, plus `env(u) · magnitude · sin(2π f u + phase)` along each azimuth. From a pose
//! it takes only the reported slack and share of the waves.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::DVec3;
use lariat_core::model::layer::{Displacement, Envelope, Pulse, PulseShape, Wave};
use lariat_core::model::{Pose, PoseWarning, SagDirection, SuspendedRope};
use lariat_core::num::ops;

use super::reference::dice::Dice;
use super::reference::hung::{Hung, Rest, unit};

/// A rope over 1 to 6 m with 2 to 80 % of slack, leaning in any direction, with one to three waves,
/// for which it usually has enough slack.
pub(super) fn random(dice: &mut Dice) -> SuspendedRope {
    let from = dice.vector(2.0);
    let level = dice.between(0.0, TAU);
    let (sin, cos) = ops::sin_cos(level);
    let to = from + DVec3::new(cos, sin, dice.between(-1.0, 1.0)) * dice.between(1.0, 4.0);
    let length = from.distance(to) * (1.0 + ops::pow(10.0, dice.between(-1.7, -0.1)));
    let mut rope = SuspendedRope::new(from, to, length);
    let (swing, sway) = (dice.between(-1.2, 1.2), dice.between(-0.6, 0.6));
    rope.sag_direction = match dice.below(3) {
        0 => SagDirection::World { swing, sway },
        1 => SagDirection::Chord { swing, sway },
        _ => SagDirection::Turn { angle: dice.between(-4.0, 4.0) },
    };
    rope.displacements = waves(dice, length, &Envelope::BOTH_ENDS);
    rope
}

/// One to three waves of up to 6 ripples on `length` metres.
pub(super) fn waves(dice: &mut Dice, length: f64, envelope: &Envelope) -> Vec<Displacement> {
    (0..=dice.below(3))
        .map(|_| {
            let frequency = dice.between(0.3, 6.0);
            let wave = Wave {
                magnitude: length * dice.between(0.0, 0.06) / frequency.max(1.0),
                frequency,
                phase: dice.between(0.0, TAU),
                azimuth: dice.between(0.0, TAU),
                envelope: envelope.clone(),
            };
            wave.into()
        })
        .collect()
}

/// Up vector of a rope.
fn up(rope: &SuspendedRope) -> DVec3 {
    let leaned = |swing: f64, sway: f64, x: DVec3| {
        let y = DVec3::Z.cross(x);
        let ((ss, cs), (sy, cy)) = (ops::sin_cos(swing), ops::sin_cos(sway));
        x * sy - y * (ss * cy) + DVec3::Z * (cs * cy)
    };
    let chord = rope.to - rope.from;
    match rope.sag_direction {
        SagDirection::World { swing, sway } => leaned(swing, sway, DVec3::X),
        SagDirection::Chord { swing, sway } => {
            let level = DVec3::new(chord.x, chord.y, 0.0);
            leaned(swing, sway, level / level.length())
        }
        SagDirection::Turn { angle } => {
            let along = chord / chord.length();
            let normal = DVec3::Z - along * along.z;
            let normal = normal / normal.length();
            let (sin, cos) = ops::sin_cos(angle);
            normal * cos + along.cross(normal) * sin
        }
    }
}

/// The smooth curve of a suspended rope.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    rest: Rest,
    layers: Vec<Displacement>,
    share: f64,
    /// Height of a floor, which only the ends may be below.
    floor: Option<f64>,
}

impl Formula {
    /// The rope as published: its whole length hangs, and waves are added.
    pub(super) fn published(rope: &SuspendedRope) -> Self {
        Self::hanging(rope, rope.length, 1.0)
    }

    /// The rope as posed, with the reported slack and share of the waves.
    pub(super) fn of_pose(rope: &SuspendedRope, pose: &Pose) -> Option<Self> {
        let share = pose.warnings.iter().find_map(|diagnostic| match diagnostic {
            PoseWarning::TooWavy { share, .. } => Some(*share),
            _ => None,
        });
        let gap = rope.from.distance(rope.to);
        Some(Self::hanging(rope, gap + pose.slack?, share.unwrap_or(1.0)))
    }

    /// The same rope, clamped to `height` from below.
    pub(super) fn above(self, height: f64) -> Self {
        Self { floor: Some(height), ..self }
    }

    fn hanging(rope: &SuspendedRope, length: f64, share: f64) -> Self {
        let (from, to, up) = (rope.from, rope.to, up(rope));
        let rest = if length > from.distance(to) {
            Hung::between(from, to, length, unit(up)).rest()
        } else {
            Rest::taut(from, to, up)
        };
        Self { rest, layers: rope.displacements.clone(), share, floor: None }
    }

    /// Point at `u`.
    pub(super) fn at(&self, u: f64) -> DVec3 {
        let (x, y) = held(&self.layers, u, (1.0, 1.0));
        let place = self.rest.at(u).pushed(self.share * x, self.share * y);
        match self.floor {
            Some(height) if u > 0.0 && u < 1.0 => place.with_z(place.z.max(height)),
            _ => place,
        }
    }
}

/// Displacement of a rope by layers at `u`, along normal and binormal, by the formulas of the paper.
/// Noise and sampled displacements have no formula, and are taken from the library.
pub(super) fn push(layers: &[Displacement], u: f64) -> (f64, f64) {
    layers.iter().fold((0.0, 0.0), |(x, y), layer| {
        let (height, azimuth) = match layer {
            Displacement::Wave(wave) => {
                let ripple = ops::sin(TAU * wave.frequency * u + wave.phase);
                (wave.magnitude * weight(&wave.envelope, u) * ripple, wave.azimuth)
            }
            Displacement::Pulse(pulse) => {
                (pulse.magnitude * weight(&pulse.envelope, u) * hump(pulse, u), pulse.azimuth)
            }
            Displacement::Noise(noise) => {
                let pushed = noise.at(u);
                return (x + pushed.x, y + pushed.y);
            }
            Displacement::Sampled(sampled) => {
                let pushed = sampled.at(u);
                return (x + pushed.x, y + pushed.y);
            }
        };
        let (sin, cos) = ops::sin_cos(azimuth);
        (x + height * cos, y + height * sin)
    })
}

/// [`push`] for a rope that is held (1) or free (0) at its start and end: the line between the
/// displacements of held ends is subtracted.
pub(super) fn held(layers: &[Displacement], u: f64, (start, end): (f64, f64)) -> (f64, f64) {
    let ((x, y), (x0, y0), (x1, y1)) = (push(layers, u), push(layers, 0.0), push(layers, 1.0));
    let (a, b) = (start * (1.0 - u), end * u);
    (x - a * x0 - b * x1, y - a * y0 - b * y1)
}

fn hump(pulse: &Pulse, u: f64) -> f64 {
    let x = (u - pulse.position) / pulse.width;
    match pulse.shape {
        PulseShape::Gaussian => ops::exp(-x * x),
        PulseShape::Soliton => 1.0 / (ops::cosh(x) * ops::cosh(x)),
    }
}

fn weight(envelope: &Envelope, u: f64) -> f64 {
    match envelope {
        Envelope::Sine { env } => ops::sin(FRAC_PI_2 * (1.0 + env) * u),
        Envelope::Flat => 1.0,
        Envelope::Plateau { width } => {
            let t = (u.min(1.0 - u) / width).min(1.0);
            t * t * (3.0 - 2.0 * t)
        }
        Envelope::Points(points) => {
            let Some(w) = points.windows(2).find(|w| w[0].0 <= u && u <= w[1].0) else {
                return f64::NAN;
            };
            w[0].1 + (w[1].1 - w[0].1) * (u - w[0].0) / (w[1].0 - w[0].0)
        }
    }
}

/// The rope whose growth `docs/papers/barzel.md` states: 6 m over 4 m, one sideways wave of 0.3 m and 2
/// ripples.
pub(super) fn measured_in_the_papers() -> SuspendedRope {
    let mut rope = SuspendedRope::new(DVec3::ZERO, DVec3::X * 4.0, 6.0);
    let wave = Wave {
        magnitude: 0.3,
        frequency: 2.0,
        phase: 0.0,
        azimuth: 0.5 * PI,
        envelope: Envelope::BOTH_ENDS,
    };
    rope.displacements = vec![wave.into()];
    rope
}
