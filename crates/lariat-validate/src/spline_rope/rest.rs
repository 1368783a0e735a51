//! Ropes at rest: the catenary, Hooke's law, a beam, and the wind.
//!
//! Every rope starts from another pose and settles by viscosity.
//!
//! Tests: `a_heavier_load_would_be_seen`.

use glam::DVec3;
use lariat_core::dynamics::air::Air;
use lariat_core::dynamics::material::Section;
use lariat_core::dynamics::spline_rope::{Build, Pin, SplineRope};
use lariat_core::num::ops;

use super::super::check::Outcome;
use super::super::reference::hung::{Hung, leaned};
use super::super::reference::worst;
use super::{GRAVITY, ideal, laid, settle};

/// Worst of 101 points of a hanging rope, which starts swung out by 40 degrees. Its weight stretches it
/// by less than 1e-7.
pub(super) fn catenary(segments: usize) -> Option<f64> {
    let (from, to, length) = (DVec3::ZERO, DVec3::new(1.0, 0.0, 0.2), 1.5);
    let hung = |swing: f64| Hung::between(from, to, length, leaned(swing, 0.0)).rest();
    let (truth, swung) = (hung(0.0), hung(0.7));
    let places = |i: u32| f64::from(i) / 100.0;
    let points: Vec<DVec3> = (0..=100).map(|i| swung.at(places(i)).point).collect();
    let build = Build { length: Some(length), ..Build::new(segments + 3, ideal(1e7)) };
    let mut rope = SplineRope::along(&points, &build).ok()?;
    rope.pins.extend([Pin::at(0.0, from), Pin::at(1.0, to)]);
    settle(&mut rope, 8.0, 0.02, 500)?;
    Some(worst((0..=100).map(|i| rope.point(places(i)).distance(truth.at(places(i)).point))))
}

/// Outcomes for a rope with a weight at its end.
pub(super) struct Loaded {
    pub(super) elongation: Outcome,
    pub(super) top: Outcome,
    pub(super) along: Outcome,
    pub(super) reaction: Outcome,
}

pub(super) fn loaded() -> Option<Loaded> {
    loaded_with(3.0)
}

/// A rope with `actual` kilograms at its end, compared with references for three.
fn loaded_with(actual: f64) -> Option<Loaded> {
    let (length, kilograms, stretch) = (2.0, 3.0, 5000.0);
    let mut build = Build::new(12, ideal(stretch));
    build.weights.push((1.0, actual));
    let mut rope = laid(DVec3::ZERO, DVec3::NEG_Z * length, &build)?;
    rope.pins.push(Pin::at(0.0, DVec3::ZERO));
    settle(&mut rope, 20.0, 0.02, 600)?;
    let own = 0.1 * length;
    let longer = -rope.point(1.0).z - length;
    let below = |u: f64| (kilograms + own * (1.0 - u)) * GRAVITY;
    let along = (0..=20).map(|i| {
        let u = f64::from(i) / 20.0;
        rope.tension(u) / below(u) - 1.0
    });
    Some(Loaded {
        elongation: Outcome::relative((kilograms + 0.5 * own) * GRAVITY * length / stretch, longer),
        top: Outcome::relative(below(0.0), rope.tension(0.0)),
        along: Outcome::worst(worst(along)),
        reaction: Outcome::relative(below(0.0), rope.reaction(0).length()),
    })
}

/// A rod so stiff that it sags by a hundred-thousandth of its length, so that the tension from its
/// fixed ends is negligible.
pub(super) fn beam() -> Option<Outcome> {
    let (length, bend) = (1.0, 1000.0);
    let section = Section { bend, inner_friction: 0.01, ..ideal(1e4) };
    let mut rope = laid(DVec3::ZERO, DVec3::X * length, &Build::new(19, section))?;
    rope.pins.extend([Pin::at(0.0, DVec3::ZERO), Pin::at(1.0, DVec3::X * length)]);
    settle(&mut rope, 20.0, 0.01, 300)?;
    let sag = 5.0 * 0.1 * GRAVITY * length * length * length * length / (384.0 * bend);
    Some(Outcome::relative(sag, -rope.point(0.5).z))
}

/// Lean of a rope in a steady wind, in degrees. Without any stiffness it would flutter like a flag.
pub(super) fn wind() -> Option<Outcome> {
    let (density, radius, wind) = (1.2, 0.01, 6.0);
    let build = Build::new(16, Section { bend: 1e-4, ..ideal(1e5) });
    let mut rope = laid(DVec3::ZERO, DVec3::NEG_Z * 2.0, &build)?;
    rope.pins.push(Pin::at(0.0, DVec3::ZERO));
    (rope.radius, rope.drag) = (radius, 1.2);
    rope.air = Air { density, wind: DVec3::X * wind, ..Air::default() };
    settle(&mut rope, 4.0, 0.02, 1500)?;
    let pull = 0.5 * density * 1.2 * 2.0 * radius * wind * wind / (0.1 * GRAVITY);
    let sin = (-1.0 + (1.0 + 4.0 * pull * pull).sqrt()) / (2.0 * pull);
    let tip = rope.point(1.0);
    let lean = |sin: f64, cos: f64| ops::atan2(sin, cos).to_degrees();
    Some(Outcome::absolute(lean(sin, (1.0 - sin * sin).sqrt()), lean(tip.x, -tip.z)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heavier_load_would_be_seen() {
        let heavier = loaded_with(3.0001).unwrap();
        for outcome in [heavier.elongation, heavier.top, heavier.reaction] {
            assert!(outcome.error > 1e-5, "{outcome:?}");
        }
    }
}
