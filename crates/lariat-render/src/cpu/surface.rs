//! Surface point of a hit, with everything that shading needs.
//!
//! Tubes are made of straight pieces but must look smooth. A point of the surface belongs to the
//! point of the axis whose *interpolated* tangent is perpendicular to the line between them: `h`
//! solves `(p − a − h B)·(t₀ + h (t₁ − t₀)) = 0`. Neighbouring pieces share their tangents, so `h`,
//! the arc length, the angle around and the normal are continuous from one piece to the next.
//!
//! Tests: `normals_are_smooth_across_pieces`, `arc_length_is_continuous_across_pieces`,
//! `twist_turns_the_angle`, `caps_face_away`.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};
use lariat_core::num::ops;

use super::world::{Hit, World};
use crate::surface::{Place, Surface, Touch, angle_of};

/// A point on a strand or a mesh, for shading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfacePoint {
    pub at: DVec3,
    /// Outward normal, smooth, without relief.
    pub normal: DVec3,
    /// Normal with relief.
    pub bumped: DVec3,
    pub finish: Surface,
    pub touch: Touch,
    pub radius: f64,
    /// Opacity, 0–1: less than 1 where the strand is thinner than a pixel.
    pub cover: f64,
}

impl World {
    /// Surface point at `hit` of a ray along `direction`, for a pixel of this size.
    pub(crate) fn surface(
        &self,
        hit: Hit,
        from: DVec3,
        direction: DVec3,
        pixel: f64,
    ) -> SurfacePoint {
        if let Some(triangle) = self.on_skin(hit.index) {
            let finish = &self.objects[self.skin.object_of(triangle) as usize].finish;
            return self.skin.surface(triangle, hit, from, direction, finish, pixel);
        }
        let at = from + direction * hit.t;
        let index = hit.index as usize;
        let (first, strand, facet) = match self.links.get(index) {
            Some(link) => (link.first as usize, link.strand, None),
            None => {
                let facet = &self.facets[index - self.links.len()];
                (facet.first as usize, facet.strand, Some(facet))
            }
        };
        let object = &self.objects[strand as usize];
        let first = if facet.is_some() { first } else { self.between(index, at) };
        let h = self.along(first, at);
        let (a, b) = (&self.rings[first], &self.rings[first + 1]);
        let (k0, k1) = (&self.knots[first], &self.knots[first + 1]);
        let axis = b.centre - a.centre;
        let turn = k1.tangent - k0.tangent;
        let w = at - a.centre;
        let mix = |x: f64, y: f64| x + (y - x) * h;
        let tangent = (k0.tangent + turn * h).normalize_or(k0.tangent);
        let off = w - axis * h;
        let out = off - tangent * off.dot(tangent);
        // Local axes of the strand: its normal, rotated by its twist.
        let side = k0.normal.lerp(k1.normal, h);
        let side = (side - tangent * tangent.dot(side)).normalize_or(k0.normal);
        let other = tangent.cross(side);
        let (true_radius, wide) =
            (mix(a.radius, b.radius), mix(self.wide[first], self.wide[first + 1]));
        let radius = if facet.is_some() { true_radius } else { wide }.max(1e-9);
        // The square root is larger than the covered share, to keep thin strands visible even in a
        // thumbnail.
        let cover = if facet.is_some() { 1.0 } else { (true_radius / radius).min(1.0).sqrt() };
        let cover = cover * object.opacity;
        let flat = DVec2::new(out.dot(side), out.dot(other)) / radius;
        let twist = mix(k0.twist, k1.twist) / TAU;
        // An outline rotates with the twist; on a circle only the angle changes.
        let (side, across) = if object.round {
            (side, flat)
        } else {
            let (sin, cos) = (ops::sin_turns(twist), ops::cos_turns(twist));
            let turned = DVec2::new(cos * flat.x + sin * flat.y, cos * flat.y - sin * flat.x);
            (side * cos + other * sin, turned)
        };

        let (normal, cap) = match facet {
            Some(facet) => (facet_normal(facet.corners, facet.normals, at), facet.cap),
            None => match self.cap(index, at, radius) {
                Some(normal) => (normal, true),
                None => {
                    let out = out.normalize_or(side);
                    ((out - tangent * mix(k0.growth, k1.growth)).normalize_or(out), false)
                }
            },
        };
        // A ribbon without thickness is visible from both sides.
        let normal = if normal.dot(direction) > 0.0 && facet.is_some() { -normal } else { normal };
        let s = mix(k0.s, k1.s);
        // At grazing angles a pixel covers more of the surface.
        let glance = normal.dot(direction).abs().max(0.15);
        let place = Place {
            along: mix(k0.radii, k1.radii),
            u: if object.length > 0.0 { s / object.length } else { 0.0 },
            angle: angle_of(flat) - twist,
            across,
            radius,
            pixel: pixel / glance.sqrt(),
            round: object.round,
        };
        let mut touch = object.finish.relief.at(&place);
        if cap {
            touch.slope = DVec2::ZERO;
            touch.tint *= 0.8;
        }
        let around = tangent.cross(normal);
        // On the back of a strap the direction around is reversed.
        let facing = if object.round || normal.dot(side) >= 0.0 { 1.0 } else { -1.0 };
        let bumped = (normal - tangent * touch.slope.x - around * (touch.slope.y * facing))
            .normalize_or(normal);
        // A pixel that covers much of the circumference contains many normals: the highlight
        // becomes as wide as their range, and does not sparkle.
        let mut finish = object.finish;
        if object.mapped {
            finish.colour = self.colours[first].lerp(self.colours[first + 1], h);
            touch.tint = if cap { 0.8 } else { 1.0 };
            touch.paint.1 = 0.0;
        }
        if object.round {
            finish.roughness = finish.roughness.max((0.35 * pixel / radius).min(0.75));
        }
        SurfacePoint { at, normal, bumped, finish, touch, radius, cover }
    }

    /// The knot before a hit on a link. The ball at a joint belongs to both of its links and is hit
    /// on the first; half of it lies beyond the joint.
    fn between(&self, index: usize, at: DVec3) -> usize {
        let first = self.links[index].first as usize;
        let past = (at - self.rings[first + 1].centre).dot(self.knots[first + 1].tangent);
        let before = (at - self.rings[first].centre).dot(self.knots[first].tangent);
        let same = |other: usize| {
            self.links.get(other).is_some_and(|link| link.strand == self.links[index].strand)
        };
        if past > 0.0 && same(index + 1) {
            first + 1
        } else if before < 0.0 && index > 0 && same(index - 1) {
            first - 1
        } else {
            first
        }
    }

    /// Position of a point between knot `first` and the next, 0–1.
    fn along(&self, first: usize, at: DVec3) -> f64 {
        let (a, b) = (self.rings[first].centre, self.rings[first + 1].centre);
        let (t0, t1) = (self.knots[first].tangent, self.knots[first + 1].tangent);
        along(at - a, b - a, t0, t1 - t0).clamp(0.0, 1.0)
    }

    /// The normal of a flat end, if the point lies on one.
    fn cap(&self, index: usize, at: DVec3, radius: f64) -> Option<DVec3> {
        let near = 1e-6 * radius;
        let [start, end] = self.piece(&self.links[index], true).cut;
        [(start, -1.0), (end, 1.0)].into_iter().find_map(|(cut, sign)| {
            let cut = cut.filter(|cut| cut.own)?;
            ((at - cut.end.centre).dot(cut.along).abs() < near).then_some(cut.along * sign)
        })
    }
}

/// Solves for `h` by Newton's method, starting from the foot on the chord; two steps suffice for
/// turns of a few degrees.
fn along(w: DVec3, axis: DVec3, tangent: DVec3, turn: DVec3) -> f64 {
    let m = axis.dot(axis);
    if m <= 0.0 {
        return 0.0;
    }
    let (c0, c2) = (w.dot(tangent), -axis.dot(turn));
    let c1 = w.dot(turn) - axis.dot(tangent);
    let mut h = (w.dot(axis) / m).clamp(0.0, 1.0);
    for _ in 0..2 {
        let slope = c1 + 2.0 * c2 * h;
        if slope < 0.0 {
            h = (h - (c0 + h * (c1 + h * c2)) / slope).clamp(-0.5, 1.5);
        }
    }
    h
}

/// Normals of the corners, interpolated at the point.
fn facet_normal([a, b, c]: [DVec3; 3], normals: [DVec3; 3], p: DVec3) -> DVec3 {
    let (e1, e2, w) = (b - a, c - a, p - a);
    let face = e1.cross(e2);
    let area = face.dot(face);
    if area <= 0.0 {
        return normals[0];
    }
    let v = w.cross(e2).dot(face) / area;
    let u = e1.cross(w).dot(face) / area;
    (normals[0] * (1.0 - u - v) + normals[1] * v + normals[2] * u).normalize_or(normals[0])
}

#[cfg(test)]
mod tests {
    use lariat_core::{
        geometry::{Look, Strand, Sweep},
        num::ops,
    };

    use super::*;
    use crate::view::DrawnStrand;

    fn ring(n: u32, rotation: Option<&dyn Fn(f64) -> f64>) -> Strand {
        let points: Vec<_> = (0..n)
            .map(|i| {
                let v = 0.5 * f64::from(i) / f64::from(n - 1);
                DVec3::new(ops::cos_turns(v), ops::sin_turns(v), 0.0)
            })
            .collect();
        let mut strand = Strand::empty("ring", Look { name: "plain".into(), colour: [0.5; 3] });
        strand.sweep(&points, &Sweep { rotation, ..Sweep::round(DVec3::Z, 0.1) });
        strand
    }

    /// Seen from above along the crest, every normal points up and out by the same angle.
    #[test]
    fn normals_are_smooth_across_pieces() {
        let strand = ring(25, None);
        let world =
            World::build(&[DrawnStrand::from(&strand)], &[], DVec3::ZERO, 10.0, |_| 0.0).unwrap();
        let mut before: Option<DVec3> = None;
        for k in 0..2000 {
            let v = 0.02 + 0.46 * f64::from(k) / 2000.0;
            let out = DVec3::new(ops::cos_turns(v), ops::sin_turns(v), 0.0);
            let from = out * 1.06 + DVec3::Z * 3.0;
            let hit = world.first(from, DVec3::NEG_Z, 0.0, true).unwrap();
            let normal = world.surface(hit, from, DVec3::NEG_Z, 1e-3).normal;
            // On an exact ring: 0.06 out, 0.08 up.
            let exact = out * 0.6 + DVec3::Z * 0.8;
            assert!(normal.distance(exact) < 0.02, "{normal} for {exact}");
            if let Some(before) = before {
                assert!(normal.distance(before) < 0.0045, "a step at {k}");
            }
            before = Some(normal);
        }
    }

    #[test]
    fn arc_length_is_continuous_across_pieces() {
        let strand = ring(25, None);
        let world =
            World::build(&[DrawnStrand::from(&strand)], &[], DVec3::ZERO, 10.0, |_| 0.0).unwrap();
        let place = |v: f64| {
            let out = DVec3::new(ops::cos_turns(v), ops::sin_turns(v), 0.0);
            let from = out * 1.09 + DVec3::Z * 3.0;
            let hit = world.first(from, DVec3::NEG_Z, 0.0, true).unwrap();
            let index = hit.index as usize;
            let at = from + DVec3::NEG_Z * hit.t;
            let first = world.between(index, at);
            let h = world.along(first, at);
            world.knots[first].s + (world.knots[first + 1].s - world.knots[first].s) * h
        };
        // On the outer side of a bend, where the foot on the chords would stop at every joint,
        // equal steps around give equal steps along.
        let step = 0.46 / 2000.0;
        for k in 0..2000 {
            let v = 0.02 + step * f64::from(k);
            let (here, next) = (place(v), place(v + step));
            assert!((here / TAU - v).abs() < 2e-3, "{} for {v}", here / TAU);
            let went = (next - here) / (TAU * step);
            assert!((0.85..1.15).contains(&went), "{went} of a step at {v}");
        }
    }

    #[test]
    fn twist_turns_the_angle() {
        let quarter = |_: f64| TAU / 4.0;
        let (plain, turned) = (ring(25, None), ring(25, Some(&quarter)));
        let rope = |strand: &Strand| {
            let mut strand = strand.clone();
            strand.look.name = "rope".into();
            let world =
                World::build(&[DrawnStrand::from(&strand)], &[], DVec3::ZERO, 10.0, |_| 0.0)
                    .unwrap();
            let from = DVec3::new(0.03, 1.0, 3.0);
            let hit = world.first(from, DVec3::NEG_Z, 0.0, true).unwrap();
            world.surface(hit, from, DVec3::NEG_Z, 1e-5)
        };
        let (a, b) = (rope(&plain), rope(&turned));
        assert!(a.normal.distance(b.normal) < 1e-12, "the tube is the same");
        assert!(a.bumped.distance(b.bumped) > 0.05, "its relief turns");
    }

    #[test]
    fn caps_face_away() {
        let strand = ring(25, None);
        let world =
            World::build(&[DrawnStrand::from(&strand)], &[], DVec3::ZERO, 10.0, |_| 0.0).unwrap();
        for (x, direction) in [(1.0, DVec3::Y), (-1.0, DVec3::Y)] {
            let from = DVec3::new(x + 0.01, -3.0, 0.02);
            let hit = world.first(from, direction, 0.0, true).unwrap();
            let surface = world.surface(hit, from, direction, 1e-3);
            assert!(surface.normal.dot(direction) < -0.98, "{}", surface.normal);
            assert!((hit.t - 3.0).abs() < 1e-2);
        }
    }
}
