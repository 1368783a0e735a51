//! Where a line of sight meets a piece of tube: two balls and the cone that touches both.
//!
//! In the plane of the axis the outline of the cone is the common tangent of two circles. For a
//! point at `w` from the centre `a` of the first, with `B = b − a`, `m = B·B`, `r = ra − rb` and
//! `e = m − r²`, it satisfies `e w·w − (w·B)² + 2 ra r (w·B) − ra² m = 0` between
//! `w·B = ra r` and `w·B = ra r + e`: a quadratic along a line. Beyond those ends the balls take
//! over, so neighbouring pieces join without a gap whatever their bend.
//!
//! An end of a strand is cut off flat where it ends.
//!
//! Of the two roots only the one where the line enters is wanted, `(−k₁ − √h) / k₂`, which is also
//! the right one where the other half of the double cone is met first; it is taken in the form that
//! does not cancel. Who starts inside a piece does not meet it: at the inner side of a bend pieces
//! overlap, and light that starts there must not be swallowed.
//!
//! Tests: `a_capsule_is_hit_where_its_formula_says`, `a_cone_is_hit_where_its_formula_says`,
//! `what_is_hit_is_on_the_surface`, `ends_are_flat_where_they_are_cut`,
//! `a_ball_within_a_ball_is_the_larger_one`.

use glam::DVec3;

use crate::laid::Ball;

/// The piece of a tube between two balls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub a: Ball,
    pub b: Ball,
    /// Where the strand is cut off flat before this piece and after it, if that is near.
    pub cut: [Option<Cut>; 2],
}

/// A flat end of a strand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub end: Ball,
    /// Along the strand, towards its later points.
    pub along: DVec3,
    /// Whether this piece is the one that ends there and has the disc; others near it only must
    /// not stick out.
    pub own: bool,
}

impl Piece {
    /// How far along the line from `from` along the unit vector `way` the surface is first met,
    /// at `least` or beyond; infinity if it is not.
    pub(crate) fn hit(&self, from: DVec3, way: DVec3, least: f64) -> f64 {
        let (ra, rb) = (self.a.radius, self.b.radius);
        let axis = self.b.centre - self.a.centre;
        let w = from - self.a.centre;
        let m = axis.dot(axis);
        let r = ra - rb;
        let e = m - r * r;
        let mut best = f64::INFINITY;
        let mut consider = |t: f64| {
            if t >= least && t < best && self.keeps(from + way * t) {
                best = t;
            }
        };
        if e <= 0.0 {
            // One ball holds the other.
            let ball = if r > 0.0 { self.a } else { self.b };
            consider(ball_entry(&ball, from, way));
        } else {
            let (x0, x1) = (w.dot(axis), way.dot(axis));
            let k2 = e - x1 * x1;
            let k1 = e * w.dot(way) - x0 * x1 + ra * r * x1;
            let k0 = e * w.dot(w) - x0 * x0 + 2.0 * ra * r * x0 - ra * ra * m;
            let h = k1 * k1 - k0 * k2;
            // The balls touch the cone from inside: a line that misses the cone and is not nearly
            // parallel to it misses them as well, which is most lines.
            if h < 0.0 && k2 > 1e-9 * m {
                return f64::INFINITY;
            }
            if h >= 0.0 {
                let root = h.sqrt();
                let t = if k1 > 0.0 { (-k1 - root) / k2 } else { k0 / (root - k1) };
                let y = x0 + t * x1 - ra * r;
                if y > 0.0 && y < e {
                    consider(t);
                }
            }
            consider(ball_entry(&self.a, from, way));
            consider(ball_entry(&self.b, from, way));
        }
        for cut in self.cut.iter().flatten().filter(|cut| cut.own) {
            let t = (cut.end.centre - from).dot(cut.along) / way.dot(cut.along);
            if t >= least && t < best {
                let off = from + way * t - cut.end.centre;
                if off.dot(off) <= cut.end.radius * cut.end.radius {
                    best = t;
                }
            }
        }
        best
    }

    /// Whether a point is not cut off.
    fn keeps(&self, p: DVec3) -> bool {
        let past = |cut: &Cut| (p - cut.end.centre).dot(cut.along);
        self.cut[0].is_none_or(|cut| past(&cut) >= 0.0)
            && self.cut[1].is_none_or(|cut| past(&cut) <= 0.0)
    }
}

/// Where a line enters a ball; infinity if it does not.
fn ball_entry(ball: &Ball, from: DVec3, way: DVec3) -> f64 {
    let w = from - ball.centre;
    let b = w.dot(way);
    // Of what is left when the part along the line is gone, not of the whole: no cancellation.
    let off = w - way * b;
    let h = ball.radius * ball.radius - off.dot(off);
    if h < 0.0 { f64::INFINITY } else { -b - h.sqrt() }
}

#[cfg(test)]
mod tests {
    use lariat_core::num::ops;

    use super::*;

    fn ball(x: f64, y: f64, z: f64, radius: f64) -> Ball {
        Ball { centre: DVec3::new(x, y, z), radius }
    }

    #[test]
    fn a_capsule_is_hit_where_its_formula_says() {
        let (a, b) = (ball(0.0, 0.0, 0.0, 0.5), ball(2.0, 0.0, 0.0, 0.5));
        let piece = Piece { a, b, cut: [None; 2] };
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
        // Along the axis, where the quadratic has no square.
        assert_eq!(piece.hit(DVec3::new(-9.0, 0.0, 0.0), DVec3::X, 0.0), 8.5);
        assert_eq!(piece.hit(DVec3::new(0.7, 0.51, 5.0), down, 0.0), f64::INFINITY);
        assert_eq!(piece.hit(DVec3::new(0.7, 0.0, -5.0), down, 0.0), f64::INFINITY);
    }

    #[test]
    fn a_cone_is_hit_where_its_formula_says() {
        // Radii 1 and 0.5, two apart: sin β = ¼, and the outline is (1 − x sin β) / cos β.
        let (a, b) = (ball(0.0, 0.0, 0.0, 1.0), ball(2.0, 0.0, 0.0, 0.5));
        let piece = Piece { a, b, cut: [None; 2] };
        let sin: f64 = 0.25;
        let cos = (1.0 - sin * sin).sqrt();
        for x in [0.26, 0.5, 1.0, 2.1] {
            let height = (1.0 - x * sin) / cos;
            let t = piece.hit(DVec3::new(x, 0.0, 9.0), DVec3::NEG_Z, 0.0);
            assert!((t - (9.0 - height)).abs() < 1e-12, "{t} at {x}");
            // From the thin end, parallel to the axis: the other half of the double cone is first.
            let t = piece.hit(DVec3::new(40.0, 0.0, height), DVec3::NEG_X, 0.0);
            assert!((t - (40.0 - x)).abs() < 1e-9, "{t} at {x}");
        }
    }

    #[test]
    fn what_is_hit_is_on_the_surface() {
        // Many lines at many pieces; the distance to the nearest point of the hull must be nought.
        let mut hits = 0;
        for k in 0..1200u32 {
            let f = |n: u32| ops::sin(f64::from(k) * 0.37 * f64::from(n) + f64::from(n));
            let a = Ball { centre: DVec3::new(f(1), f(2), f(3)), radius: 0.05 + 0.4 * f(4).abs() };
            let b = Ball { centre: DVec3::new(f(5), f(6), f(7)), radius: 0.05 + 0.4 * f(8).abs() };
            let from = DVec3::new(f(9), f(10), f(11)) * 3.0 + DVec3::X * 4.0;
            let way = (DVec3::new(f(12), f(13), f(14)) * 0.7 - from).normalize_or(DVec3::X);
            let piece = Piece { a, b, cut: [None; 2] };
            let nearest = |p: DVec3| {
                (0..=1000)
                    .map(|i| f64::from(i) / 1000.0)
                    .map(|h| {
                        p.distance(a.centre.lerp(b.centre, h))
                            - (a.radius + (b.radius - a.radius) * h)
                    })
                    .fold(f64::INFINITY, f64::min)
            };
            let t = piece.hit(from, way, 0.0);
            if t.is_finite() {
                hits += 1;
                assert!(nearest(from + way * t).abs() < 1e-5, "{k}: {}", nearest(from + way * t));
                assert!(nearest(from + way * (t * 0.97)) > 0.0, "{k}: not the first");
            } else if k < 100 {
                // The slow check for some only.
                let miss = (0..200).all(|i| nearest(from + way * (f64::from(i) * 0.05)) > 0.0);
                assert!(miss, "{k}: went through");
            }
        }
        assert!(hits > 300, "{hits}");
    }

    #[test]
    fn ends_are_flat_where_they_are_cut() {
        let (a, b) = (ball(0.0, 0.0, 0.0, 0.5), ball(2.0, 0.0, 0.0, 0.5));
        let cut = |end| Some(Cut { end, along: DVec3::X, own: true });
        let piece = Piece { a, b, cut: [cut(a), cut(b)] };
        for y in [0.0, 0.3, -0.49] {
            assert_eq!(piece.hit(DVec3::new(-3.0, y, 0.0), DVec3::X, 0.0), 3.0);
            assert_eq!(piece.hit(DVec3::new(5.0, y, 0.0), DVec3::NEG_X, 0.0), 3.0);
        }
        assert_eq!(piece.hit(DVec3::new(-0.2, 0.0, 5.0), DVec3::NEG_Z, 0.0), f64::INFINITY);
        assert_eq!(piece.hit(DVec3::new(2.2, 0.0, 5.0), DVec3::NEG_Z, 0.0), f64::INFINITY);
        assert!((piece.hit(DVec3::new(0.2, 0.0, 5.0), DVec3::NEG_Z, 0.0) - 4.5).abs() < 1e-12);
    }

    #[test]
    fn a_ball_within_a_ball_is_the_larger_one() {
        let (a, b) = (ball(0.0, 0.0, 0.0, 1.0), ball(0.1, 0.0, 0.0, 0.5));
        for (a, b) in [(a, b), (b, a), (a, a)] {
            let piece = Piece { a, b, cut: [None; 2] };
            assert_eq!(piece.hit(DVec3::Z * 3.0, DVec3::NEG_Z, 0.0), 2.0);
        }
    }
}
