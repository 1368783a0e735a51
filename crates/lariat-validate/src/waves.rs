//! Posed ropes against the paper's figures 7 and 9, and the growth of a rope by published waves.
//!
//! Tests: `a_mirrored_wave_would_be_seen`.

use lariat_core::model::layer::{Displacement, Envelope, Pulse, PulseShape};
use lariat_core::model::{LooseRope, SuspendedRope};
use lariat_core::num::ops;

use super::bends::{Followed, random_bends};
use super::check::{Outcome, topic};
use super::reference::dice::Dice;
use super::reference::{measure, worst};
use super::ropes::{self, Formula};

topic! { "waves": "posed ropes as published: gross shape and waves";

    "wave-suspended": "figure 7: 50 suspended ropes, swing, sway, 1 to 3 waves: worst position error",
        "A cosh((x − x₀)/A) along the tilted up vector, plus sin(πu) mag sin(2πfu + phase) along cos azm n + sin azm b",
        1e-12 ["of the length"], suspended(|rope| rope);
    "wave-loose": "figure 9: 30 loose ropes, bends and 1 to 3 waves: worst position error",
        "Runge-Kutta along the bends, plus sin(π/2 (1 + env) u) mag sin(2πfu + phase)",
        1e-11 ["of the length"], loose();
    "wave-humps": "pulse and soliton at 49 points: worst error of the displacement" ["m"],
        "mag exp(−x²) and mag sech²(x) with x = (u − c)/w, times the envelope",
        1e-15 ["m"], humps();
    "wave-growth": "published wave of 0.3 m and 2 ripples on 6 m: relative growth of the rope",
        "mpmath 1.3: ∫ √(1 + (w′/6)²) du − 1, w = 0.3 sin(πu) sin(4πu)",
        1e-10, Outcome::absolute(0.049_897_596_131_215_982_776, growth(false)?);
    "wave-no-growth": "the same wave on a rope that keeps its length: growth",
        "0", 1e-6, Outcome::absolute(0.0, growth(true)?);
}

/// Worst position error of fifty published ropes; `change` modifies a rope before it is posed.
fn suspended(change: impl Fn(SuspendedRope) -> SuspendedRope) -> f64 {
    let mut dice = Dice::new(0xf17);
    worst((0..50).map(|_| {
        let mut rope = ropes::random(&mut dice);
        rope.keep_length = false;
        let formula = Formula::published(&rope);
        let length = rope.length;
        let Ok(pose) = change(rope).pose() else { return f64::NAN };
        let places = pose.points.iter().enumerate();
        worst(places.map(|(i, p)| p.distance(formula.at(i as f64 / 48.0)))) / length
    }))
}

fn loose() -> Option<Outcome> {
    let mut dice = Dice::new(0xf19);
    Some(Outcome::worst(worst(random_bends(30).into_iter().map(|bends| {
        let mut rope = LooseRope::new(dice.vector(1.0), dice.between(1.0, 5.0));
        let envelope = Envelope::Sine { env: dice.between(0.0, 1.0) };
        rope.displacements = ropes::waves(&mut dice, rope.length, &envelope);
        (rope.bends, rope.keep_length, rope.samples) = (bends, false, 17);
        let unit = Followed::new(&rope.bends);
        let places = rope.pose().points.into_iter().enumerate();
        worst(places.map(|(i, ours)| {
            let u = i as f64 / 16.0;
            let (x, y) = ropes::push(&rope.displacements, u);
            let place = unit.at(u);
            let truth =
                rope.from + place.point * rope.length + place.normal * x + place.binormal * y;
            ours.distance(truth) / rope.length
        }))
    }))))
}

fn humps() -> Option<Outcome> {
    let mut dice = Dice::new(0x40b);
    let mut errors = Vec::new();
    for shape in [PulseShape::Gaussian, PulseShape::Soliton] {
        let pulse = Displacement::from(Pulse {
            shape,
            magnitude: 0.4,
            position: dice.between(-0.2, 1.2),
            width: dice.between(0.05, 0.3),
            azimuth: dice.between(0.0, 6.0),
            envelope: Envelope::Sine { env: 0.3 },
        });
        for i in 0..49 {
            let u = f64::from(i) / 48.0;
            let (ours, truth) = (pulse.at(u), ropes::push(std::slice::from_ref(&pulse), u));
            errors.push(ops::hypot(ours.x - truth.0, ours.y - truth.1));
        }
    }
    Some(Outcome::worst(worst(errors)))
}

/// Relative growth of the 6 m rope of `docs/papers/barzel.md`.
fn growth(keep_length: bool) -> Option<f64> {
    let rope = SuspendedRope { keep_length, samples: 8193, ..ropes::measured_in_the_papers() };
    Some(measure::of_points(&rope.pose().ok()?.points) / 6.0 - 1.0)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use lariat_core::model::layer::Wave;

    use super::*;

    #[test]
    fn a_mirrored_wave_would_be_seen() {
        let changed = |change: fn(&mut Wave)| {
            suspended(|mut rope| {
                for layer in &mut rope.displacements {
                    if let Displacement::Wave(wave) = layer {
                        change(wave);
                    }
                }
                rope
            })
        };
        assert!(changed(|wave| wave.azimuth = -wave.azimuth) > 1e-3);
        assert!(changed(|wave| wave.phase += 1e-6) > 1e-9);
        assert!(suspended(|rope| SuspendedRope { to: rope.to + DVec3::X * 1e-6, ..rope }) > 1e-8);
    }
}
