//! Where two segments are nearest to each other.
//!
//! Tests: `nearest_points_vs_a_fine_search`, `parallel_and_pointlike_segments_have_an_answer`.

use glam::DVec3;

/// The places where two segments are nearest, 0–1 along each, and the vector from the second's to
/// the first's.
pub fn nearest(a: [DVec3; 2], b: [DVec3; 2]) -> (f64, f64, DVec3) {
    let (u, v, w) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    let (uw, vw) = (u.dot(w), v.dot(w));
    let least = f64::MIN_POSITIVE;
    let mut s = 0.0;
    let determinant = uu * vv - uv * uv;
    if determinant > 1e-14 * uu * vv {
        s = ((uv * vw - vv * uw) / determinant).clamp(0.0, 1.0);
    }
    // The best place on the second for that on the first; if it lies beyond an end, the best on
    // the first for that end.
    let mut t = if vv > least { (uv * s + vw) / vv } else { -1.0 };
    if !(0.0..=1.0).contains(&t) {
        t = t.clamp(0.0, 1.0);
        s = if uu > least { ((uv * t - uw) / uu).clamp(0.0, 1.0) } else { 0.0 };
    }
    (s, t, w + u * s - v * t)
}

#[cfg(test)]
mod tests {
    use super::super::super::add::Dice;
    use super::*;

    #[test]
    fn nearest_points_vs_a_fine_search() {
        let mut dice = Dice(3);
        let mut point = || DVec3::new(dice.unit(), dice.unit(), dice.unit());
        for _ in 0..300 {
            let (a, b) = ([point(), point()], [point(), point()]);
            let (s, t, gap) = nearest(a, b);
            let at = |e: [DVec3; 2], s: f64| e[0].lerp(e[1], s);
            assert!((at(a, s) - at(b, t) - gap).length() < 1e-14);
            let mut best = f64::INFINITY;
            for i in 0..=60 {
                for j in 0..=60 {
                    let far = at(a, f64::from(i) / 60.0).distance(at(b, f64::from(j) / 60.0));
                    best = best.min(far);
                }
            }
            assert!(gap.length() <= best + 1e-14 && gap.length() > best - 0.03);
        }
    }

    #[test]
    fn parallel_and_pointlike_segments_have_an_answer() {
        let a = [DVec3::ZERO, DVec3::X];
        let (_, _, gap) = nearest(a, [DVec3::new(0.5, 1.0, 0.0), DVec3::new(3.0, 1.0, 0.0)]);
        assert!((gap.length() - 1.0).abs() < 1e-14);
        let (_, _, gap) = nearest(a, [DVec3::new(2.0, 1.0, 0.0), DVec3::new(3.0, 1.0, 0.0)]);
        assert!((gap.length() - 2.0_f64.sqrt()).abs() < 1e-14);
        let (_, _, gap) = nearest(a, [DVec3::new(0.3, 0.0, 2.0); 2]);
        assert!((gap.length() - 2.0).abs() < 1e-14);
        let (_, _, gap) = nearest([DVec3::ONE; 2], [DVec3::ZERO; 2]);
        assert_eq!(gap, DVec3::ONE);
    }
}
