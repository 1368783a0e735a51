//! How a string is added to a set: what is told once becomes rows of particles and segments.
//!
//! Masses lie at particles, half of a segment's at each of its ends. Segments differ from each other
//! by numbers of the string's seed, so that the same string always tears in the same place.
//!
//! Tests: `where_a_string_is_weak_does_not_depend_on_others`, `bad_numbers_are_refused_with_what_is_wrong`, `a_string_that_is_pulled_tears_once`.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::build::{Bend, Build, BuildError, factor_at};
use super::frames;
use super::match_shape;
use super::state::Span;
use super::strings::{Kind, Strings};

/// A stream of numbers that belongs to a seed (`SplitMix64`).
pub(super) struct Dice(pub u64);

impl Dice {
    /// 0–1.
    pub(super) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// What would push a segment of a limp string together altogether, over its mass, in m/s²: twenty
/// times its weight. More: strings that fall on the floor stand like rods. Less: segments vanish
/// under what lies on them.
pub(super) const LIMP: f64 = 200.0;

impl Strings {
    /// Adds a string at rest, and returns its number.
    pub fn add(&mut self, build: &Build) -> Result<usize, BuildError> {
        build.check()?;
        let points = &build.points;
        let n = points.len();
        let first = self.state.particles();
        let string = self.kinds.len();
        let laid: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let scale = build.length.map_or(1.0, |length| length / laid);
        let mut dice = Dice(build.seed ^ 0x5eed);
        let mut vary = || 1.0 + build.variation * (2.0 * dice.unit() - 1.0);
        let material = build.material;
        let parts = &mut self.parts;
        parts.mass.resize(first + n, 0.0);
        let mut s = 0.0;
        let (mut most, mut total) = (0.0_f64, 0.0);
        let (mut thickest, mut thinnest) = (0.0_f64, f64::INFINITY);
        for i in 0..n {
            // The last particle has no segment: its entries are those of the one before.
            let k = i.min(n - 2);
            let laid_here = points[k].distance(points[k + 1]);
            let u = if i < n - 1 { (s + 0.5 * laid_here) / laid } else { 1.0 };
            let length = laid_here * scale;
            let radius = build.radius * factor_at(&build.radius_along, u);
            let area = PI * radius * radius;
            let mass = material.density * area * length;
            parts.length.push(length);
            parts.radius.push(radius);
            parts.strength.push(vary());
            parts.stiffness.push(vary());
            parts.inertia.push(0.5 * mass * radius * radius);
            parts.turned.push(0.0);
            parts.slowed.push(1.0);
            let polar = 0.5 * area * radius * radius;
            let torsion = material.shear_modulus * polar * factor_at(&build.twist_along, u);
            parts.torsion.push(torsion);
            let rest = if build.curved { points[i] * scale } else { DVec3::X * (s * scale) };
            parts.rest.push(rest);
            if i < n - 1 {
                parts.mass[first + i] += 0.5 * mass;
                parts.mass[first + i + 1] += 0.5 * mass;
                total += mass;
                s += laid_here;
                thickest = thickest.max(radius);
                thinnest = thinnest.min(radius);
                let bend = material.rigidity * material.modulus * area * radius * radius / 4.0;
                if material.rigidity > 0.0 {
                    most = most.max(bend);
                }
            }
        }
        for (u, kilograms) in &build.weights {
            let at = nearest(&parts.length[first..first + n - 1], *u);
            parts.mass[first + at] += kilograms;
        }
        let stiffness = match build.bend {
            Bend::Limp => 0.0,
            Bend::Material => most,
            Bend::Stiffness { bend, .. } => bend,
        };
        let spacing = laid * scale / (n - 1) as f64;
        self.kinds.push(Kind {
            material,
            bend: build.bend,
            stiffness,
            thickest,
            tapers: matches!(build.bend, Bend::Material) && thinnest < thickest,
            mass_per_metre: total / (laid * scale),
            folded: 2.0 * stiffness * laid * scale / (spacing * spacing),
            curved: build.curved,
            twist: build.twist,
            tears: build.tears,
            pushes: build.pushes,
            spacing,
            buckles: {
                let bent = PI * PI * stiffness / (spacing * spacing);
                bent.max(LIMP * total / (n - 1) as f64)
            },
            stretches: build.stretches,
            flicks: build.flicks && !build.stretches && material.modulus.is_finite(),
            calm: build.calm,
            first,
            count: n,
        });
        let state = &mut self.state;
        state.spans.push(Span { first, count: n, string, narrow: u32::MAX, ..Span::default() });
        state.positions.extend_from_slice(points);
        let zeros = |row: &mut Vec<f64>| row.resize(first + n, 0.0);
        for row in [
            &mut state.tensions,
            &mut state.angles,
            &mut state.spins,
            &mut state.torques,
            &mut state.rest_twists,
            &mut state.turns,
            &mut state.turn_sines,
            &mut state.flicks,
        ] {
            zeros(row);
        }
        for row in [&mut state.velocities, &mut state.sides, &mut state.tangents, &mut state.swings]
        {
            row.resize(first + n, DVec3::ZERO);
        }
        state.turn_cosines.resize(first + n, 1.0);
        state.rests.extend_from_slice(&self.parts.length[first..]);
        state.held.resize(first + n, false);
        state.poses.resize(first + n, DMat3::IDENTITY);
        for i in first..first + n {
            let (r, strength) = (self.parts.radius[i], self.parts.strength[i]);
            state.yields.push(material.yield_stress * strength * PI * r * r);
            let j = i.saturating_sub(1).max(first);
            let span = 0.5 * (self.parts.length[i] + self.parts.length[j]);
            state.twist_yields.push(material.yield_shear * strength * span / r);
        }
        let span = state.spans[state.spans.len() - 1];
        frames::lay(state, &span);
        match_shape::lay(state, &span, build.curved);
        self.forget();
        Ok(string)
    }
}

/// The end of a segment nearest to a share of the whole length.
pub(super) fn nearest(lengths: &[f64], u: f64) -> usize {
    let total: f64 = lengths.iter().sum();
    let at = u.clamp(0.0, 1.0) * total;
    let mut s = 0.0;
    for (i, length) in lengths.iter().enumerate() {
        if at < s + 0.5 * length {
            return i;
        }
        s += length;
    }
    lengths.len()
}
