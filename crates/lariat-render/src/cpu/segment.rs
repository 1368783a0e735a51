//! Intersection of a ray with a piece of tube: the cone between two cross-sections.
//!
//! The cone is tangent to two balls. For cross-sections of radius `ρ` a length `L` apart, with the
//! slope `g = (ρb − ρa) / L`, the balls are shifted along the axis by `ρ g` and have the radius
//! `ρ √(1 + g²)`; without a slope they equal the cross-sections. In a plane through the axis the
//! outline of the cone is the common tangent of two circles. For a point at `w` from the centre of
//! the first, with `B` from there to the second, `m = B·B`, `r` the difference of their radii and
//! `e = m − r²`, it satisfies `e w·w − (w·B)² + 2 ra r (w·B) − ra² m = 0` between `w·B = ra r` and
//! `w·B = ra r + e`, which are the planes of the cross-sections. Along a line this is a quadratic
//! equation.
//!
//! Where two pieces meet at an angle there would be a gap on the outer side. A ball at the centre
//! of each cross-section fills it, as large as the cones on both sides allow: `ρ / √(1 + g²)` with
//! the steeper of their slopes.
//!
//! Ends of a strand are cut off flat.
//!
//! Of the two roots only the one where the line enters is needed, `(−k₁ − √h) / k₂`, also where the
//! other half of the double cone is hit first; it is computed in the form without cancellation. A
//! ray that starts inside a piece does not hit it: at the inner side of a bend pieces overlap, and
//! light that starts there must not be blocked.
//!
//! Tests: `a_capsule_is_hit_where_its_formula_says`, `a_cone_is_hit_where_its_formula_says`,
//! `hits_are_on_the_surface`, `ends_are_flat_where_they_are_cut`,
//! `a_piece_without_length_is_its_larger_ball`.

use glam::DVec3;

use crate::laid::Ring;

/// Piece of a tube between two cross-sections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub a: Ring,
    pub b: Ring,
    /// Radii of the balls at the two joints, relative to those of the cross-sections.
    pub joints: [f64; 2],
    /// Flat ends of the strand before and after this piece, if they are near.
    pub cut: [Option<Cut>; 2],
}

/// A flat end of a strand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub end: Ring,
    /// Along the strand, in the direction of its points.
    pub along: DVec3,
    /// Whether this piece ends there and has the disc; other pieces nearby are only clipped.
    pub own: bool,
}

/// A piece with all numbers that do not depend on the ray.
#[derive(Clone, Debug)]
pub(crate) struct PreparedPiece {
    /// Centre of the first of the two balls that the cone is tangent to.
    start: DVec3,
    /// From there to the centre of the second.
    axis: DVec3,
    /// `m`, `e`, `ra r` and `ra² m` of the equation.
    m: f64,
    e: f64,
    ra_r: f64,
    ra2_m: f64,
    /// Balls at the two joints: centre and square of the radius.
    balls: [(DVec3, f64); 2],
    /// Flat ends; few pieces have one.
    cut: Option<Box<[Option<Cut>; 2]>>,
}

impl PreparedPiece {
    /// Distance from `from` along the unit vector `direction` to the first hit at `least` or
    /// beyond; infinity without a hit.
    #[inline]
    pub(crate) fn hit(&self, from: DVec3, direction: DVec3, least: f64) -> f64 {
        let Self { axis, m, e, ra_r, .. } = *self;
        let w = from - self.start;
        let mut cone = f64::INFINITY;
        // Without a length there are only the balls.
        if e > 0.0 {
            let (x0, x1) = (w.dot(axis), direction.dot(axis));
            let k2 = e - x1 * x1;
            let k1 = e * w.dot(direction) - x0 * x1 + ra_r * x1;
            let k0 = e * w.dot(w) - x0 * x0 + 2.0 * ra_r * x0 - self.ra2_m;
            let h = k1 * k1 - k0 * k2;
            // The balls touch the cone from inside: most lines miss the cone, and a line that
            // misses it and is not nearly parallel to it also misses the balls.
            if h < 0.0 && k2 > 1e-9 * m {
                return f64::INFINITY;
            }
            if h >= 0.0 {
                let root = h.sqrt();
                let t = if k1 > 0.0 { (-k1 - root) / k2 } else { k0 / (root - k1) };
                let y = x0 + t * x1 - ra_r;
                // Slightly larger, so that no ray passes between two cones.
                if y >= -1e-9 * e && y <= (1.0 + 1e-9) * e {
                    cone = t;
                }
            }
        }
        let mut best = f64::INFINITY;
        let mut consider = |t: f64| {
            if t >= least && t < best && self.keeps(from + direction * t) {
                best = t;
            }
        };
        consider(cone);
        for (centre, radius_sq) in self.balls {
            consider(ball_entry(centre, radius_sq, from, direction));
        }
        for cut in self.cut.iter().flat_map(|cut| cut.iter().flatten()).filter(|cut| cut.own) {
            let t = (cut.end.centre - from).dot(cut.along) / direction.dot(cut.along);
            if t >= least && t < best {
                let off = from + direction * t - cut.end.centre;
                if off.dot(off) <= cut.end.radius * cut.end.radius {
                    best = t;
                }
            }
        }
        best
    }

    /// Whether a point is on the kept side of the flat ends.
    fn keeps(&self, p: DVec3) -> bool {
        let Some([start, end]) = self.cut.as_deref() else { return true };
        let past = |cut: &Cut| (p - cut.end.centre).dot(cut.along);
        start.is_none_or(|cut| past(&cut) >= 0.0) && end.is_none_or(|cut| past(&cut) <= 0.0)
    }
}

impl Piece {
    /// The piece with all numbers that do not depend on the ray.
    pub(crate) fn prepared(&self) -> PreparedPiece {
        let [first, second] = self.touching();
        let (ra, rb) = (first.radius, second.radius);
        let axis = second.centre - first.centre;
        let m = axis.dot(axis);
        let r = ra - rb;
        let ball = |ring: Ring, joint: f64| {
            let radius = ring.radius * joint;
            (ring.centre, radius * radius)
        };
        PreparedPiece {
            start: first.centre,
            axis,
            m,
            e: m - r * r,
            ra_r: ra * r,
            ra2_m: ra * ra * m,
            balls: [ball(self.a, self.joints[0]), ball(self.b, self.joints[1])],
            cut: self.cut.iter().any(Option::is_some).then(|| Box::new(self.cut)),
        }
    }

    /// [`PreparedPiece::hit`] for a single ray.
    pub(crate) fn hit(&self, from: DVec3, direction: DVec3, least: f64) -> f64 {
        self.prepared().hit(from, direction, least)
    }

    /// The two balls that the cone is tangent to.
    fn touching(&self) -> [Ring; 2] {
        let rings = [self.a, self.b];
        let wider = self.b.radius - self.a.radius;
        let along = self.b.centre - self.a.centre;
        let long = along.length();
        if wider == 0.0 || long == 0.0 {
            return rings;
        }
        let slope = wider / long;
        let slant = slant(slope);
        rings.map(|Ring { centre, radius }| Ring {
            centre: centre + along * (radius * slope / long),
            radius: radius * slant,
        })
    }
}

/// Ratio of the length along a surface to that along its axis, by its slope: `√(1 + g²)`.
pub(crate) fn slant(slope: f64) -> f64 {
    (1.0 + slope * slope).sqrt()
}

/// Distance at which a ray enters a ball; infinity if it does not.
fn ball_entry(centre: DVec3, radius_sq: f64, from: DVec3, direction: DVec3) -> f64 {
    let w = from - centre;
    let b = w.dot(direction);
    // From the component perpendicular to the ray, which avoids cancellation.
    let off = w - direction * b;
    let h = radius_sq - off.dot(off);
    if h < 0.0 { f64::INFINITY } else { -b - h.sqrt() }
}

#[cfg(test)]
mod tests {
    use lariat_core::num::ops;

    use super::*;

    fn ring(x: f64, y: f64, z: f64, radius: f64) -> Ring {
        Ring { centre: DVec3::new(x, y, z), radius }
    }

    #[test]
    fn a_capsule_is_hit_where_its_formula_says() {
        let (a, b) = (ring(0.0, 0.0, 0.0, 0.5), ring(2.0, 0.0, 0.0, 0.5));
        let piece = Piece { a, b, joints: [1.0; 2], cut: [None; 2] };
        let down = DVec3::NEG_Z;
        // Over the cylinder at height √(r² − y²), over the balls at √(r² − x² − y²).
        for y in [-0.49, -0.3, 0.0, 0.2, 0.4999] {
            let height = (0.25f64 - y * y).sqrt();
            let t = piece.hit(DVec3::new(0.7, y, 5.0), down, 0.0);
            assert!((t - (5.0 - height)).abs() < 1e-12, "{t}");
            let height = (0.25 - y * y * 0.25 - 0.16f64).sqrt();
            for x in [-0.4, 2.4] {
                let t = piece.hit(DVec3::new(x, 0.5 * y, 5.0), down, 0.0);
                assert!((t - (5.0 - height)).abs() < 1e-12, "{t} at {x}");
            }
        }
        // Along the axis, where the quadratic term vanishes.
        assert_eq!(piece.hit(DVec3::new(-9.0, 0.0, 0.0), DVec3::X, 0.0), 8.5);
        assert_eq!(piece.hit(DVec3::new(0.7, 0.51, 5.0), down, 0.0), f64::INFINITY);
        assert_eq!(piece.hit(DVec3::new(0.7, 0.0, -5.0), down, 0.0), f64::INFINITY);
    }

    #[test]
    fn a_cone_is_hit_where_its_formula_says() {
        // Radii 1 and 0.5, two apart: at x from the first the cone is 1 − x/4 wide.
        let (a, b) = (ring(0.0, 0.0, 0.0, 1.0), ring(2.0, 0.0, 0.0, 0.5));
        let piece = Piece { a, b, joints: [1.0 / slant(0.25); 2], cut: [None; 2] };
        for x in [0.01, 0.26, 0.5, 1.0, 1.99] {
            let height = 1.0 - 0.25 * x;
            let t = piece.hit(DVec3::new(x, 0.0, 9.0), DVec3::NEG_Z, 0.0);
            assert!((t - (9.0 - height)).abs() < 1e-12, "{t} at {x}");
            // From the thin end, parallel to the axis: the other half of the double cone is hit
            // first.
            let t = piece.hit(DVec3::new(40.0, 0.0, height), DVec3::NEG_X, 0.0);
            assert!((t - (40.0 - x)).abs() < 1e-9, "{t} at {x}");
        }
        // Nothing protrudes, although the balls at its joints extend beyond its ends.
        for k in 0..=100 {
            let x = -1.0 + 0.04 * f64::from(k);
            let height = 9.0 - piece.hit(DVec3::new(x, 0.0, 9.0), DVec3::NEG_Z, 0.0);
            assert!(height <= 1.0 - 0.25 * x + 1e-12, "{height} at {x}");
        }
    }

    #[test]
    fn hits_are_on_the_surface() {
        // Many lines and many pieces, closed at both ends.
        let mut hits = 0;
        for k in 0..1200u32 {
            let f = |n: u32| ops::sin(f64::from(k) * 0.37 * f64::from(n) + f64::from(n));
            let a = ring(f(1), f(2), f(3), 0.05 + 0.4 * f(4).abs());
            let b = ring(f(5), f(6), f(7), 0.05 + 0.4 * f(8).abs());
            let from = DVec3::new(f(9), f(10), f(11)) * 3.0 + DVec3::X * 4.0;
            let direction = (DVec3::new(f(12), f(13), f(14)) * 0.7 - from).normalize_or(DVec3::X);
            let (long, axis) =
                (a.centre.distance(b.centre), (b.centre - a.centre).normalize_or(DVec3::X));
            let cut = |end| Some(Cut { end, along: axis, own: true });
            let joints = [1.0 / slant((b.radius - a.radius) / long); 2];
            let piece = Piece { a, b, joints, cut: [cut(a), cut(b)] };
            // Distance of a point outside the piece: beyond an end, or beside the cone.
            let outside = |p: DVec3| {
                let x = (p - a.centre).dot(axis);
                let wide = a.radius + (b.radius - a.radius) * x / long;
                let beside = (p - a.centre - axis * x).length() - wide;
                beside.max(-x).max(x - long)
            };
            let t = piece.hit(from, direction, 0.0);
            if t.is_finite() {
                hits += 1;
                assert!(
                    outside(from + direction * t).abs() < 1e-9,
                    "{k}: {}",
                    outside(from + direction * t)
                );
            }
            let most = t.min(10.0);
            let before =
                (0..500).all(|i| outside(from + direction * (most * f64::from(i) / 501.0)) > 0.0);
            assert!(before, "{k}: the ray passed through");
        }
        assert!(hits > 300, "{hits}");
    }

    #[test]
    fn ends_are_flat_where_they_are_cut() {
        let (a, b) = (ring(0.0, 0.0, 0.0, 0.5), ring(2.0, 0.0, 0.0, 0.5));
        let cut = |end| Some(Cut { end, along: DVec3::X, own: true });
        let piece = Piece { a, b, joints: [1.0; 2], cut: [cut(a), cut(b)] };
        for y in [0.0, 0.3, -0.49] {
            assert_eq!(piece.hit(DVec3::new(-3.0, y, 0.0), DVec3::X, 0.0), 3.0);
            assert_eq!(piece.hit(DVec3::new(5.0, y, 0.0), DVec3::NEG_X, 0.0), 3.0);
        }
        assert_eq!(piece.hit(DVec3::new(-0.2, 0.0, 5.0), DVec3::NEG_Z, 0.0), f64::INFINITY);
        assert_eq!(piece.hit(DVec3::new(2.2, 0.0, 5.0), DVec3::NEG_Z, 0.0), f64::INFINITY);
        assert!((piece.hit(DVec3::new(0.2, 0.0, 5.0), DVec3::NEG_Z, 0.0) - 4.5).abs() < 1e-12);
    }

    #[test]
    fn a_piece_without_length_is_its_larger_ball() {
        let (a, b) = (ring(0.0, 0.0, 0.0, 1.0), ring(0.0, 0.0, 0.0, 0.5));
        for (a, b) in [(a, b), (b, a), (a, a)] {
            let piece = Piece { a, b, joints: [1.0; 2], cut: [None; 2] };
            assert_eq!(piece.hit(DVec3::Z * 3.0, DVec3::NEG_Z, 0.0), 2.0);
        }
    }
}
