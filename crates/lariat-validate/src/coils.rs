//! Positions of the coils of a spring: monotone, complete, and with the given density.
//!
//! Barzel A.7 to A.9 with the corrections of `docs/papers/barzel.md`: pincers are a piecewise
//! constant density with rounded corners; the pinned form of several compression waves is exact at
//! both ends and monotone. The published form is not: two of thirty coils run backwards.
//!
//! Tests: `the_published_form_would_not_pass_as_monotone`, `a_lost_coil_would_be_seen`.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::DVec3;
use lariat_core::model::layer::coils::Compression;
use lariat_core::model::layer::{Coils, CompressionWave, Envelope, Pincer, Rotation, Wave};
use lariat_core::model::{Bunching, CoiledCord, Spring, SuspendedRope, Winding};
use lariat_core::num::ops;

use super::check::{Outcome, topic};
use super::reference::dice::Dice;
use super::reference::{measure, worst};

const FORWARD: &str = "0, at 4,001 points each";

topic! { "coils": "positions of the coils of a spring";

    "coil-monotone-pinned":
        "200 springs with random pincers and waves, pinned: most coils running backwards",
        FORWARD, 1e-12 ["coils"], worst(springs(Compression::Pinned, backwards));
    "coil-monotone-rigid": "the same with rigid ends: most coils running backwards",
        FORWARD, 1e-12 ["coils"], {
            let rigid = Compression::RigidEnds { plateau: 0.05 };
            Some(Outcome::worst(worst(springs(rigid, backwards))))
        };
    "coil-ends": "all of these: ends not exactly at 0 and N",
        "0", 0.0 ["ends"], {
            let pinned = springs(Compression::Pinned, ends_off);
            let rigid = springs(Compression::RigidEnds { plateau: 0.05 }, ends_off);
            Some(Outcome::worst(pinned.iter().chain(&rigid).sum()))
        };
    "coil-published-backwards":
        "published form, 30 coils, k 1, 1 bunch, phase 90°: coils running backwards" ["coils"],
        "mpmath 1.3: between the two roots of v′",
        1e-9 ["coils"], Outcome::absolute(1.893_133_424_217_298_255_8, published_fall());
    "coil-pinned-joint": "pinned, 50 sets of 1 to 3 waves of any phase: worst of 101 points" ["coils"],
        "(v + Σ k N (W(u) − W(0))/(W(1) − W(0)))/(1 + Σ k), W = u + sin(2πλu + φ)/2πλ",
        1e-11 ["coils"], joint();
    "coil-pincers": "100 springs with 1 to 3 pincers, sharp corners: worst error of the counts",
        "the given counts", 1e-12 ["coils"], held();
    "coil-rounded": "two rounded pincers: worst of 200 points" ["coils"],
        "Simpson on the density, with ramps for rounded steps",
        1e-9 ["coils"], rounded();
    "coil-rigid-density":
        "rigid ends, 30 coils with 3 bunches to 100 with 20: worst of 197 points" ["coils"],
        "Simpson on (1 − Ke) v′ + Ke N (1 + cos), scaled to N", 1e-5 ["coils"], rigid_density();
    "coil-helix": "figure 11, no sag, 20 coils on 2 m: worst of 481 points" ["m"],
        "(2u, −r sin 2πNu, r cos 2πNu)", 1e-13 ["m"], helix();
    "coil-wire": "6.5 m of wire in 20 coils over 1, 2 and 5 m: worst length error",
        "6.5 m; measured by chords and Richardson extrapolation", 1e-9 ["relative"], wire();
    "coil-wire-wound":
        "9 m of wire with sag, leads, twist, waves, pincers and bunches: worst length error",
        "9 m; measured by chords of 4,096 and 2,048 points per coil, and Richardson extrapolation",
        1e-6 ["relative"], wound();
}

fn coils(n: f64, pincers: &[Pincer], waves: &[CompressionWave], compression: Compression) -> Coils {
    Coils::new(n, pincers, 0.5, waves, compression).0
}

/// A measure of two hundred random springs; its second argument is the number of coils.
fn springs(compression: Compression, measure: fn(&Coils, f64) -> f64) -> Vec<f64> {
    let mut dice = Dice::new(0x5941);
    (0..200)
        .map(|_| {
            let n = dice.between(2.0, 80.0);
            let pincers = pincers(&mut dice, n);
            let waves: Vec<_> = (0..dice.below(4)).map(|_| wave(&mut dice)).collect();
            let rounding = dice.between(0.0, 1.0);
            let (curve, _) = Coils::new(n, &pincers, rounding, &waves, compression);
            measure(&curve, n)
        })
        .collect()
}

/// Up to three pincers that do not overlap and hold fewer coils than there are.
fn pincers(dice: &mut Dice, n: f64) -> Vec<Pincer> {
    (0..dice.below(4))
        .map(|i| {
            let position = (i as f64 + dice.between(0.0, 0.5)) / 3.0;
            let length = dice.between(0.01, 0.5) / 3.0;
            Pincer { position, length, count: n * dice.between(0.0, 0.33) }
        })
        .collect()
}

fn wave(dice: &mut Dice) -> CompressionWave {
    CompressionWave {
        magnitude: ops::pow(10.0, dice.between(-1.0, 2.0)),
        frequency: dice.between(0.2, 9.0),
        phase: dice.between(0.0, TAU),
    }
}

/// Largest fall of the curve below an earlier value.
fn backwards(curve: &Coils, _: f64) -> f64 {
    fall((0..=4000).map(|i| curve.at(f64::from(i) / 4000.0)))
}

fn fall(values: impl Iterator<Item = f64>) -> f64 {
    let (mut top, mut most) = (f64::NEG_INFINITY, 0.0_f64);
    for v in values {
        if v.is_nan() {
            return f64::NAN;
        }
        top = top.max(v);
        most = most.max(top - v);
    }
    most
}

fn ends_off(curve: &Coils, n: f64) -> f64 {
    f64::from(u8::from(curve.at(0.0) != 0.0)) + f64::from(u8::from(curve.at(1.0) != n))
}

/// Fall of the published form, which is at the far end, where the plateau ends.
fn published_fall() -> f64 {
    let waves = [CompressionWave { magnitude: 1.0, frequency: 1.0, phase: FRAC_PI_2 }];
    let curve = coils(30.0, &[], &waves, Compression::Published { plateau: 0.5 / 30.0 });
    fall((0..=200_000).map(|i| curve.at(0.98 + 0.02 * f64::from(i) / 200_000.0)))
}

/// `W(u)` of the paper.
fn staircase(wave: &CompressionWave, u: f64) -> f64 {
    let w = TAU * wave.frequency;
    u + ops::sin(w * u + wave.phase) / w
}

fn joint() -> Option<Outcome> {
    let mut dice = Dice::new(0x301);
    let n = 40.0;
    let errors = (0..50).flat_map(|_| {
        let waves: Vec<_> = (0..=dice.below(3)).map(|_| wave(&mut dice)).collect();
        let curve = coils(n, &[], &waves, Compression::Pinned);
        (0..=100).map(move |i| {
            let u = f64::from(i) / 100.0;
            let (mut sum, mut k) = (n * u, 1.0);
            for wave in &waves {
                let rise = |u: f64| staircase(wave, u) - staircase(wave, 0.0);
                sum += wave.magnitude * n * rise(u) / rise(1.0);
                k += wave.magnitude;
            }
            curve.at(u) - sum / k
        })
    });
    Some(Outcome::worst(worst(errors)))
}

fn held() -> Option<Outcome> {
    let mut dice = Dice::new(0x4e1d);
    let mut errors = Vec::new();
    for _ in 0..100 {
        let n = dice.between(5.0, 60.0);
        let pincers = pincers(&mut dice, n);
        let (curve, warning) = Coils::new(n, &pincers, 0.0, &[], Compression::Pinned);
        if warning.is_some() {
            return None;
        }
        for p in &pincers {
            errors.push(curve.at(p.position + p.length) - curve.at(p.position) - p.count);
        }
    }
    Some(Outcome::worst(worst(errors)))
}

const PINCERS: [Pincer; 2] = [
    Pincer { position: 0.2, length: 0.1, count: 12.0 },
    Pincer { position: 0.6, length: 0.15, count: 8.0 },
];

/// Density of 30 coils with [`PINCERS`]. The shortest piece is 0.1 long, so a corner is a ramp over
/// 0.05 times `rounding` to each side.
fn density(u: f64, rounding: f64) -> f64 {
    let outside = (30.0 - 20.0) / (1.0 - 0.25);
    let corners = [
        (0.2, outside, 120.0),
        (0.3, 120.0, outside),
        (0.6, outside, 8.0 / 0.15),
        (0.75, 8.0 / 0.15, outside),
    ];
    let half = 0.05 * rounding;
    let mut slope = outside;
    for (corner, before, after) in corners {
        let x = ((u - corner + half) / (2.0 * half)).clamp(0.0, 1.0);
        if u >= corner - half {
            slope = before + (after - before) * x;
        }
    }
    slope
}

fn rounded() -> Option<Outcome> {
    let curve = coils(30.0, &PINCERS, &[], Compression::Pinned);
    // `coils` has a rounding of 0.5.
    let errors = integrated(200, |u| density(u, 0.5)).map(|(u, v)| curve.at(u) - v);
    Some(Outcome::worst(worst(errors)))
}

/// Integral of a density up to each of `n` equal steps.
fn integrated(n: u32, density: impl Fn(f64) -> f64) -> impl Iterator<Item = (f64, f64)> {
    let mut sum = measure::Sum::default();
    (1..=n).map(move |i| {
        let (a, b) = (f64::from(i - 1) / f64::from(n), f64::from(i) / f64::from(n));
        sum.add(measure::simpson(a, b, 1e-12, &density));
        (b, sum.total())
    })
}

fn rigid_density() -> Option<Outcome> {
    let mut errors = Vec::new();
    for (n, bunches) in [(30.0, 3.0), (60.0, 11.5), (100.0, 20.0)] {
        let wave = CompressionWave { magnitude: 1.0, frequency: bunches, phase: 1.0 };
        let curve = coils(n, &[], &[wave], Compression::RigidEnds { plateau: 0.1 });
        let density = |u: f64| {
            let t = (u.min(1.0 - u) / 0.1).min(1.0);
            let weight = 0.5 * t * t * (3.0 - 2.0 * t);
            n * (1.0 - weight + weight * (1.0 + ops::cos(2.0 * PI * bunches * u + 1.0)))
        };
        // A prime number of points: only the ends can coincide with entries of a table.
        let table: Vec<_> = integrated(197, density).collect();
        let scale = n / table.last()?.1;
        errors.extend(table.iter().map(|(u, v)| curve.at(*u) - v * scale));
    }
    Some(Outcome::worst(worst(errors)))
}

/// A cord without sag over `gap` metres.
fn cord(gap: f64, wire_length: Option<f64>) -> CoiledCord {
    let mut backbone = SuspendedRope::new(DVec3::ZERO, DVec3::X * gap, gap);
    (backbone.keep_length, backbone.samples) = (false, 65);
    let winding = Winding {
        radius: 0.05,
        coils: 20.0,
        points_per_coil: if wire_length.is_some() { 96 } else { 24 },
        wire_length,
        leads: (0.0, 0.0),
        rotations: Vec::new(),
    };
    CoiledCord { backbone, winding }
}

fn helix() -> Option<Outcome> {
    let pose = cord(2.0, None).pose().ok()?;
    if pose.points.len() != 481 {
        return None;
    }
    let errors = pose.points.iter().enumerate().map(|(i, p)| {
        let u = i as f64 / 480.0;
        // Whole turns are dropped before the sine, so that the reference has all its digits.
        let (sin, cos) = ops::sin_cos(TAU * (i % 24) as f64 / 24.0);
        p.distance(DVec3::new(2.0 * u, -0.05 * sin, 0.05 * cos))
    });
    Some(Outcome::worst(worst(errors)))
}

fn wire() -> Option<Outcome> {
    let mut errors = Vec::new();
    for gap in [1.0, 2.0, 5.0] {
        let pose = cord(gap, Some(6.5)).pose().ok()?;
        errors.push(measure::of_points(&pose.points) / 6.5 - 1.0);
    }
    Some(Outcome::worst(worst(errors)))
}

/// All combinations of sag, leads, twist with waves, pincers and bunches.
fn wound() -> Option<Outcome> {
    let wave = Wave {
        magnitude: 0.05,
        frequency: 2.0,
        phase: 0.4,
        azimuth: 1.0,
        envelope: Envelope::BOTH_ENDS,
    };
    let rotations = vec![
        Rotation::Twist { turns: 3.0, from: 0.2, to: 0.7 },
        Rotation::Torsion { angle: 1.5, frequency: 2.0, phase: 0.3, envelope: Envelope::Flat },
    ];
    let bunches = CompressionWave { magnitude: 1.5, frequency: 2.5, phase: 0.4 };
    let mut errors = Vec::new();
    for k in 0..32_u32 {
        let has = |bit: u32| k & (1 << bit) != 0;
        let CoiledCord { mut backbone, mut winding } = cord(2.0, Some(9.0));
        backbone.length = if has(0) { 2.6 } else { 2.0 };
        winding.points_per_coil = 4096;
        if has(1) {
            winding.leads = (0.3, 0.2);
        }
        if has(2) {
            (winding.rotations, backbone.displacements) =
                (rotations.clone(), vec![wave.clone().into()]);
        }
        let bunching = Bunching {
            pincers: if has(3) {
                vec![Pincer { position: 0.4, length: 0.1, count: 8.0 }]
            } else {
                vec![]
            },
            waves: if has(4) { vec![bunches] } else { vec![] },
            compression: Compression::Pinned,
            rounding: 0.5,
        };
        let pose = Spring { backbone, winding, bunching }.pose().ok()?;
        if !pose.warnings.is_empty() {
            return None;
        }
        // Points crowd in the bunches, so that there are few where a twist begins between two of them.
        let points = &pose.points;
        let every = |stride: usize| {
            let mut sum = measure::Sum::default();
            let kept: Vec<_> = points.iter().step_by(stride).chain(points.last()).collect();
            kept.windows(2).for_each(|w| sum.add(w[0].distance(*w[1])));
            sum.total()
        };
        let (one, two) = (every(1), every(2));
        errors.push((one + (one - two) / 3.0) / 9.0 - 1.0);
    }
    Some(Outcome::worst(worst(errors)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_form_would_not_pass_as_monotone() {
        let published = springs(Compression::Published { plateau: 0.05 }, backwards);
        assert!(worst(published) > 1.0);
        assert_eq!(fall([0.0, 1.0, 0.25, 2.0].into_iter()), 0.75);
        assert!(fall([0.0, f64::NAN].into_iter()).is_nan());
    }

    #[test]
    fn a_lost_coil_would_be_seen() {
        let curve = coils(30.0, &PINCERS, &[], Compression::Pinned);
        assert_eq!(ends_off(&curve, 30.0), 0.0);
        assert_eq!(ends_off(&curve, 29.0), 1.0);
        // The density with slightly less rounding.
        let errors = integrated(200, |u| density(u, 0.49)).map(|(u, v)| curve.at(u) - v);
        assert!(worst(errors) > 1e-4);
    }
}
