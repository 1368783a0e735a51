//! Stability limits: the fastest vibration, and the step at which a method diverges.
//!
//! The reference is a dense matrix: masses are integrals of products of the paper's polynomials
//! (eq. 3), springs connect evenly spaced points. Then a taut rope is disturbed longitudinally, where
//! springs are linear, to find the step at which the disturbance grows.

use glam::DVec3;
use lariat_core::dynamics::spline_rope::Force;
use lariat_papers::tuzel::{Build, Rope, Step};

use super::super::check::Outcome;
use super::{ideal, published};

/// 5,040 times the integrals of the products of eq. 3's four polynomials, each divided by 6.
const PRODUCTS: [[f64; 4]; 4] = [
    [20.0, 129.0, 60.0, 1.0],
    [129.0, 1188.0, 933.0, 60.0],
    [60.0, 933.0, 1188.0, 129.0],
    [1.0, 60.0, 129.0, 20.0],
];

type Matrix = Vec<Vec<f64>>;

/// Weights of all control points at a place along the rope, counted in segments, by eq. 3.
fn weights(points: usize, place: f64) -> Vec<f64> {
    let first = (place as usize).min(points - 4);
    let s = place - first as f64;
    let b = [
        -s * s * s + 3.0 * s * s - 3.0 * s + 1.0,
        3.0 * s * s * s - 6.0 * s * s + 4.0,
        -3.0 * s * s * s + 3.0 * s * s + 3.0 * s + 1.0,
        s * s * s,
    ];
    let mut all = vec![0.0; points];
    for (all, b) in all[first..].iter_mut().zip(b) {
        *all = b / 6.0;
    }
    all
}

/// Squared frequency of the fastest vibration of a free rope, for unit mass and unit springs.
fn fastest_of(points: usize, springs: usize) -> f64 {
    let segments = points - 3;
    let mut mass: Matrix = vec![vec![0.0; points]; points];
    for j in 0..segments {
        for a in 0..4 {
            for b in 0..4 {
                mass[j + a][j + b] += PRODUCTS[a][b] / 5040.0 / segments as f64;
            }
        }
    }
    let place = |k: usize| segments as f64 * k as f64 / springs as f64;
    let differences: Matrix = (0..springs)
        .map(|k| {
            let (from, to) = (weights(points, place(k)), weights(points, place(k + 1)));
            to.iter().zip(&from).map(|(to, from)| to - from).collect()
        })
        .collect();
    // Power iteration on M⁻¹ Dᵀ D, from an arbitrary start.
    let mut x: Vec<f64> = (0..points).map(|i| ((i * i * 7 + i * 3) % 11) as f64 - 5.0).collect();
    let mut square = 0.0;
    for _ in 0..4000 {
        let mut pulled = vec![0.0; points];
        let mut work = 0.0;
        for row in &differences {
            let long: f64 = row.iter().zip(&x).map(|(d, x)| d * x).sum();
            work += long * long;
            for (pulled, d) in pulled.iter_mut().zip(row) {
                *pulled += long * d;
            }
        }
        let inertia: f64 = (0..points)
            .map(|i| x[i] * mass[i].iter().zip(&x).map(|(m, x)| m * x).sum::<f64>())
            .sum();
        square = work / inertia;
        let next = solved(&mass, &pulled);
        let largest = next.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        x = next.iter().map(|x| x / largest).collect();
    }
    square
}

/// Gaussian elimination without pivoting.
fn solved(matrix: &Matrix, right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let (mut a, mut x) = (matrix.clone(), right.to_vec());
    for i in 0..n {
        for k in i + 1..n {
            let factor = a[k][i] / a[i][i];
            let row = a[i].clone();
            for (entry, pivot) in a[k].iter_mut().zip(&row).skip(i) {
                *entry -= factor * pivot;
            }
            x[k] -= factor * x[i];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| a[i][j] * x[j]).sum();
        x[i] = (x[i] - known) / a[i][i];
    }
    x
}

/// The rope's estimate of its fastest vibration, in units of spring stiffness over mass.
pub(super) fn fastest(points: usize, springs: usize) -> Option<Outcome> {
    let build = Build { control_points: points, springs, ..Build::published(ideal(100.0)) };
    let rope = published(DVec3::ZERO, DVec3::X * 2.0, &build)?;
    let stiffness = 100.0 / (2.0 / springs as f64);
    let ours = rope.fastest_squared() * rope.mass() / stiffness;
    Some(Outcome::relative(fastest_of(points, springs), ours))
}

/// Stretch stiffness EA of the taut rope, in newtons.
const STRETCH: f64 = 500.0;

/// The paper's rope without gravity, 1 m at rest and stretched by a tenth, and its ω.
fn taut(step: Step) -> Option<(Rope, f64)> {
    let build = Build { step, length: Some(1.0), ..Build::published(ideal(STRETCH)) };
    let mut rope = published(DVec3::ZERO, DVec3::X * 1.1, &build)?;
    rope.gravity = DVec3::ZERO;
    let pull = DVec3::X * (0.1 * STRETCH);
    rope.forces.extend([Force { u: 0.0, force: -pull }, Force { u: 1.0, force: pull }]);
    let omega = (fastest_of(11, 20) * STRETCH * 20.0 / rope.mass()).sqrt();
    Some((rope, omega))
}

/// True if a small longitudinal disturbance grows a thousandfold within 6,000 steps.
fn grows(rope: &Rope, dt: f64) -> bool {
    let mut rope = rope.clone();
    let still = rope.state.positions.clone();
    for (i, v) in rope.state.velocities.iter_mut().enumerate() {
        let side = if i % 2 == 0 { 1.0 } else { -1.0 };
        *v = DVec3::X * (side * 1e-6 / dt);
    }
    (0..6000).any(|_| {
        let diverged = rope.step(dt).is_err();
        let off = rope.state.positions.iter().zip(&still).map(|(q, still)| q.distance(*still));
        diverged || off.fold(0.0, f64::max) > 1e-3
    })
}

/// Step at which a method diverges, relative to its limit.
pub(super) fn diverging_step(step: Step) -> Option<Outcome> {
    let (mut rope, omega) = taut(step)?;
    let limit = match step {
        Step::SemiImplicit => 2.0 / omega,
        Step::Explicit => {
            rope.viscosity = omega;
            1.0 / omega
        }
    };
    let (mut stable, mut diverged) = (0.8, 1.25);
    for _ in 0..12 {
        let share = 0.5 * (stable + diverged);
        if grows(&rope, share * limit) { diverged = share } else { stable = share }
    }
    Some(Outcome::relative(1.0, 0.5 * (stable + diverged)))
}

/// Longest step reported by the rope, relative to the limit.
pub(super) fn reported() -> Option<Outcome> {
    let (rope, omega) = taut(Step::SemiImplicit)?;
    Some(Outcome::relative(0.8, rope.longest_step() * omega / 2.0))
}
