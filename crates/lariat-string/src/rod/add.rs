//! Adding a string: from its description to rows of particles and segments.
//!
//! Half of a segment's mass is at each of its ends. Segments differ from each other by random numbers
//! of the string's seed, so the same string always tears in the same place.
//!
//! Tests: `where_a_string_is_weak_does_not_depend_on_others`.

use std::f64::consts::PI;

use glam::DVec3;

use super::super::add::{Dice, LIMP, nearest};
use super::super::build::{Bend, Build, BuildError, factor_at};
use super::super::frames::carried;
use super::parts::{Kind, bend_of};
use super::state::Span;
use super::strings::Strings;
use super::twist::joint_axes;

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
        // Mostly to one side, so that the string bows as a whole.
        let mut aside = Dice(build.seed ^ 0xc400);
        let mut way = || DVec3::new(aside.unit(), aside.unit(), aside.unit()) - DVec3::splat(0.5);
        let side = way().normalize_or(DVec3::X);
        let (mut s, mut total, mut stiffest) = (0.0, 0.0, 0.0_f64);
        let mut bends = Vec::with_capacity(n);
        for i in 0..n {
            // The last particle has no segment: its entries are those of the one before.
            let k = i.min(n - 2);
            let here = points[k].distance(points[k + 1]);
            let u = if i < n - 1 { (s + 0.5 * here) / laid } else { 1.0 };
            let length = here * scale;
            let radius = build.radius * factor_at(&build.radius_along, u);
            let area = PI * radius * radius;
            let mass = material.density * area * length;
            parts.length.push(length);
            parts.radius.push(radius);
            parts.strength.push(vary());
            parts.stiffness.push(vary());
            parts.inertia.push(0.5 * mass * radius * radius);
            parts.turned.push(0.0);
            parts.crooked.push((side + way()).normalize_or(DVec3::X));
            let polar = 0.5 * area * radius * radius;
            parts.torsion.push(material.shear_modulus * polar * factor_at(&build.twist_along, u));
            bends.push(bend_of(build, radius));
            stiffest = stiffest.max(bends[i]);
            if i < n - 1 {
                parts.mass[first + i] += 0.5 * mass;
                parts.mass[first + i + 1] += 0.5 * mass;
                total += mass;
                s += here;
            }
        }
        for i in 0..n {
            let gives = |k: usize| parts.length[first + k] / bends[k];
            let joint = if i > 0 && i < n - 1 { 2.0 / (gives(i - 1) + gives(i)) } else { 0.0 };
            parts.joint_bend.push(if joint.is_finite() { joint } else { 0.0 });
        }
        for (u, kilograms) in &build.weights {
            let at = nearest(&parts.length[first..first + n - 1], *u);
            parts.mass[first + at] += kilograms;
        }
        let spacing = laid * scale / (n - 1) as f64;
        let euler = PI * PI * stiffest / (spacing * spacing);
        self.kinds.push(Kind {
            material,
            twist: build.twist,
            curved: build.curved,
            tears: build.tears,
            pushes: build.pushes,
            stretches: (build.stretches || build.flicks) && material.modulus.is_finite(),
            bends: stiffest > 0.0 && !matches!(build.bend, Bend::Limp),
            buckling: euler.max(LIMP * total / (n - 1) as f64),
            folded: 2.0 * stiffest * laid * scale / (spacing * spacing),
            first,
            count: n,
        });
        let state = &mut self.state;
        state.spans.push(Span { first, count: n, string, ..Span::default() });
        state.resize(first + n);
        state.positions[first..].copy_from_slice(points);
        state.rests[first..].copy_from_slice(&parts.length[first..]);
        for i in first..first + n {
            let (r, strength) = (parts.radius[i], parts.strength[i]);
            state.yields[i] = material.yield_stress * strength * PI * r * r;
            let j = i.saturating_sub(1).max(first);
            let span = 0.5 * (parts.length[i] + parts.length[j]);
            state.twist_yields[i] = material.yield_shear * strength * span / r;
        }
        self.lay_frames(first, n, build.curved);
        self.forget();
        Ok(string)
    }

    /// Sides of a new string, transported from its first segment, and its curvature at rest.
    fn lay_frames(&mut self, first: usize, count: usize, curved: bool) {
        let state = &mut self.state;
        let mut last: Option<(DVec3, DVec3)> = None;
        for i in first..first + count - 1 {
            let along = state.positions[i + 1] - state.positions[i];
            let tangent = along.normalize_or(last.map_or(DVec3::X, |(tangent, _)| tangent));
            let side = match last {
                None => tangent.any_orthonormal_vector(),
                Some((before, side)) => carried(side, before, tangent),
            };
            let side = side - tangent * side.dot(tangent);
            let side = side.normalize_or(tangent.any_orthonormal_vector());
            (state.tangents[i], state.sides[i]) = (tangent, side);
            last = Some((tangent, side));
        }
        self.parts.bent.resize(first + count, [0.0; 2]);
        for j in first + 1..first + count - 1 {
            let tangents = [state.tangents[j - 1], state.tangents[j]];
            let sides = [state.sides[j - 1], state.sides[j]];
            if let Some(axes) = joint_axes(tangents, sides).filter(|_| curved) {
                let bend = tangents[1] - tangents[0];
                self.parts.bent[j] = axes.map(|axis| bend.dot(axis));
            }
        }
    }
}
