//! Damping of folds that the control points cannot resolve.
//!
//! A limp rope stores no energy in bending, so `inner_friction`, which is proportional to the
//! stiffness, does not damp its folds. Real limp ropes rub: the links of a chain, the strands of a
//! yarn. Without that the last segment of a hanging rope, where the tension vanishes, folds within
//! itself, where no node measures its length, and a steady wind keeps it flapping.
//!
//! A bending moment `c κ̇` damps the rate of curvature, with `c = FOLD_DAMPING √(T μ) h³`: `T` is the
//! tension, `μ` the mass per metre, `h` the length of a segment. A wave of wave number `k` then has
//! the damping ratio `FOLD_DAMPING (k h)³ / 2`: 0.15 where a wave is two segments long, 0.0003 where
//! it is sixteen. Shapes at rest do not change, and the effect vanishes with the third power of the
//! spacing of control points. Bending stiffness resists the shortest folds like a tension of
//! `EI (π/h)²`, and friction in bending damps them; only the missing part is added.
//!
//! In a wind that leans it further than about 45°, a limp rope flutters without end. So do masses on
//! stiff springs, simulated by another method.
//!
//! The paper does not have it.
//!
//! Tests: `a_limp_rope_in_an_even_wind_comes_to_rest`, `long_waves_of_a_limp_rope_keep_swinging`,
//! `a_limp_rope_in_a_strong_wind_flutters_as_masses_on_springs_do`.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::basis::{Basis, Row};
use super::blocks;
use super::rope::{SplineRope, Workspace};

/// Damping relative to `√(T μ) h³`. A hanging rope comes to rest in winds that lean it by 5° and 30°
/// for any value from 0.003 to 0.3. Larger: waves of ten segments lose motion to it.
const FOLD_DAMPING: f64 = 0.01;

/// Weights of the second derivative at every knot.
pub(super) fn rows(basis: Basis) -> Vec<Row> {
    let knot = |k: usize| {
        let [_, _, second] = basis.rows(k as f64);
        second
    };
    (0..=basis.segments()).map(knot).collect()
}

impl SplineRope {
    /// Finds the damping at each knot from the tensions at the beginning of the substep, and adds it to
    /// the constant matrix.
    pub(super) fn prepare_fold_damping(&self, tau: f64, work: &mut Workspace) {
        let section = &self.build.section;
        let segment = self.segment;
        let stiffness = section.bend / (segment * segment);
        let own_damping = stiffness * section.inner_friction / segment;
        work.fold_damping.clear();
        // A knot lies between the nodes of the segments that it joins.
        for (row, tensions) in self.folds.iter().zip(work.start_tensions.windows(2)) {
            let limp = (tensions[0].max(tensions[1]) - PI * PI * stiffness).max(0.0);
            let needed = FOLD_DAMPING * (limp * section.mass_per_metre).sqrt();
            let damping = (needed - own_damping).max(0.0) / tau;
            if damping > 0.0 {
                let block = DMat3::from_diagonal(DVec3::splat(damping));
                blocks::add(&mut work.constant_matrix, row, &block);
            }
            work.fold_damping.push(damping);
        }
    }

    /// Adds the damping forces at the positions of this iteration.
    pub(super) fn damp_folds(&self, work: &mut Workspace) {
        for (row, damping) in self.folds.iter().zip(&work.fold_damping) {
            if *damping > 0.0 {
                let change = row.of(&work.next) - row.of(&work.bar);
                row.add_to(&mut work.force, change * -*damping);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Build, Pin};
    use super::*;
    use crate::dynamics::air::Air;
    use crate::dynamics::material::{Material, Section};
    use crate::num::ops;

    #[test]
    fn a_limp_rope_in_an_even_wind_comes_to_rest() {
        // Winds that lean it by 5° and 30°.
        for (material, wind) in [("hemp", 3.0), ("hemp", 8.0), ("chain", 3.0), ("chain", 12.0)] {
            let section =
                Section { bend: 0.0, ..Material::find(material).unwrap().at_radius(0.005) };
            let points: Vec<DVec3> =
                (0..=20).map(|i| DVec3::NEG_Z * (0.1 * f64::from(i))).collect();
            let mut rope = SplineRope::along(&points, &Build::new(16, section)).unwrap();
            rope.pins.push(Pin::at(0.0, DVec3::ZERO));
            rope.radius = 0.005;
            rope.air = Air { density: 1.2, wind: DVec3::X * wind, ..Air::default() };
            for _ in 0..60 * 60 {
                rope.step(1.0 / 60.0).unwrap();
            }
            let fastest =
                (0..=32).map(|i| rope.velocity(f64::from(i) / 32.0).length()).fold(0.0, f64::max);
            assert!(fastest < 1e-3, "{material} in {wind} m/s: {fastest} m/s");
        }
    }

    /// Largest speed of a hanging chain of masses and stiff springs in a wind, in the last of 40 s, by
    /// small explicit steps: an independent method with the same drag.
    fn speed_of_masses(wind: f64, mass_per_metre: f64, radius: f64) -> f64 {
        let (n, length, wave_speed) = (16, 2.0, 60.0);
        let h = length / f64::from(n);
        let (dt, stretch) = (0.2 * h / wave_speed, mass_per_metre * wave_speed * wave_speed);
        let mut x: Vec<DVec3> = (0..=n).map(|i| DVec3::NEG_Z * (h * f64::from(i))).collect();
        let mut v = vec![DVec3::ZERO; x.len()];
        let (steps, last) = ((40.0 / dt) as usize, x.len() - 1);
        let mut fastest = 0.0_f64;
        for step in 0..steps {
            let mut force: Vec<DVec3> = vec![DVec3::NEG_Z * (9.81 * mass_per_metre * h); x.len()];
            force[last] *= 0.5;
            for i in 0..last {
                let along = x[i + 1] - x[i];
                let direction = along / along.length();
                let rate = (v[i + 1] - v[i]).dot(direction);
                let tension = stretch * ((along.length() / h - 1.0) + 2e-4 * rate);
                let tension = if tension < 0.0 { 0.1 * tension } else { tension };
                let past = DVec3::X * wind - (v[i] + v[i + 1]) * 0.5;
                let across = past - direction * direction.dot(past);
                let drag = across * (1.2 * 1.2 * radius * h * across.length());
                force[i] += direction * tension + drag * 0.5;
                force[i + 1] += drag * 0.5 - direction * tension;
            }
            for i in 1..=last {
                let mass = mass_per_metre * h * if i == last { 0.5 } else { 1.0 };
                v[i] += force[i] * (dt / mass);
                x[i] += v[i] * dt;
            }
            if step as f64 * dt > 39.0 {
                fastest = v.iter().map(|v| v.length()).fold(fastest, f64::max);
            }
        }
        fastest
    }

    #[test]
    fn a_limp_rope_in_a_strong_wind_flutters_as_masses_on_springs_do() {
        let section = Section { bend: 0.0, ..Material::find("hemp").unwrap().at_radius(0.005) };
        let points: Vec<DVec3> = (0..=20).map(|i| DVec3::NEG_Z * (0.1 * f64::from(i))).collect();
        for (wind, flutters) in [(3.0, false), (8.0, false), (15.0, true)] {
            let mut rope = SplineRope::along(&points, &Build::new(16, section)).unwrap();
            rope.pins.push(Pin::at(0.0, DVec3::ZERO));
            rope.radius = 0.005;
            rope.air = Air { density: 1.2, wind: DVec3::X * wind, ..Air::default() };
            let mut ours = 0.0_f64;
            for step in 0..40 * 60 {
                rope.step(1.0 / 60.0).unwrap();
                if step >= 39 * 60 {
                    ours = (0..=16)
                        .map(|i| rope.velocity(f64::from(i) / 16.0).length())
                        .fold(ours, f64::max);
                }
            }
            let theirs = speed_of_masses(wind, section.mass_per_metre, 0.005);
            assert_eq!(ours > 0.3, flutters, "{wind} m/s: the rope moves at {ours} m/s");
            assert_eq!(theirs > 0.3, flutters, "{wind} m/s: the masses move at {theirs} m/s");
        }
    }

    #[test]
    fn long_waves_of_a_limp_rope_keep_swinging() {
        // Two metres under 10 N without gravity; waves of 32 and of 16 segments.
        let section = Section {
            mass_per_metre: 0.1,
            stretch: 1e4,
            bend: 0.0,
            compression: 0.1,
            inner_friction: 0.0,
        };
        let (tension, length, segments) = (10.0, 2.0, 32.0);
        for waves in [1.0, 2.0] {
            let points: Vec<DVec3> =
                (0..=64).map(|i| DVec3::X * (length * f64::from(i) / 64.0)).collect();
            let laid = length / (1.0 + tension / section.stretch);
            let build = Build { length: Some(laid), ..Build::new(35, section) };
            let mut rope = SplineRope::along(&points, &build).unwrap();
            rope.gravity = DVec3::ZERO;
            rope.pins.extend([Pin::at(0.0, points[0]), Pin::at(1.0, points[64])]);
            let wave_number = 2.0 * PI * waves / length;
            let omega = wave_number * (tension / section.mass_per_metre).sqrt();
            let earlier: Vec<DVec3> = points
                .iter()
                .map(|p| *p - DVec3::Y * (1e-6 * ops::sin_cos(wave_number * p.x).0))
                .collect();
            rope.throw(&earlier, 1e-3);
            let dt = 0.002 / omega;
            // Energy of the swing falls with twice the damping ratio.
            let swing = |rope: &SplineRope| rope.energy().kinetic;
            let peak = |rope: &mut SplineRope| {
                let mut most = 0.0_f64;
                for _ in 0..(PI / 0.002) as usize {
                    rope.step(dt).unwrap();
                    most = most.max(swing(rope));
                }
                most
            };
            let first = peak(&mut rope);
            let half_swings = 8;
            let mut last = first;
            for _ in 0..half_swings {
                last = peak(&mut rope);
            }
            let found = ops::ln(first / last) / (2.0 * PI * f64::from(half_swings));
            let kh = wave_number * length / segments;
            let expected = 0.5 * FOLD_DAMPING * kh * kh * kh;
            assert!((found / expected - 1.0).abs() < 0.1, "{waves}: {found:e} for {expected:e}");
        }
    }
}
