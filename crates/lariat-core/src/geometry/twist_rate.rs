//! Twist of a strand per metre.
//!
//! Between two points the profile turns by the difference of the strand's twist, and by the angle
//! between the second frame and the first one carried there without twisting. The first part is not
//! wrapped, so a link may hold several turns; the second is zero for rotation-minimising frames.
//! Divided by the length of the links it is the twist of rod theory: for a strand that follows the
//! Frenet frames of its curve, the torsion of the curve.
//!
//! Tests: `end_turns_over_length`, `the_twist_of_frenet_frames_is_the_torsion`.

use super::Strand;
use crate::num::ops;

impl Strand {
    /// Twist at each point, in radians per metre, positive to the right like a screw. A point between
    /// two links has the twist of both over their length; without a length it is 0.
    pub fn twist_rates(&self) -> Vec<f64> {
        let (points, frames, twist) = (self.points(), self.frames(), self.twist());
        let links: Vec<[f64; 2]> = (1..points.len())
            .map(|i| {
                let carried = frames[i - 1].carried(points[i - 1], points[i], frames[i].tangent());
                let normal = frames[i].normal();
                let turned =
                    ops::atan2(normal.dot(carried.binormal()), normal.dot(carried.normal()));
                [turned + twist[i] - twist[i - 1], points[i].distance(points[i - 1])]
            })
            .collect();
        (0..points.len())
            .map(|i| {
                let around = &links[i.saturating_sub(1)..(i + 1).min(links.len())];
                let [turn, length] =
                    around.iter().fold([0.0, 0.0], |[a, b], [turn, long]| [a + turn, b + long]);
                if length > 0.0 { turn / length } else { 0.0 }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use glam::DVec3;

    use crate::curve::Framing;
    use crate::geometry::{Look, Strand, Sweep};
    use crate::num::ops;

    fn strand(points: &[DVec3], sweep: &Sweep<'_>) -> Strand {
        let mut strand = Strand::empty("x", Look { name: "rope".into(), colour: [0.5; 3] });
        strand.sweep(points, sweep);
        strand
    }

    #[test]
    fn end_turns_over_length() {
        // Four turns over two metres, a whole turn between two points.
        let points: Vec<DVec3> = (0..5).map(|i| DVec3::X * (0.5 * f64::from(i))).collect();
        let turned = |u: f64| 4.0 * TAU * u;
        let sweep = Sweep { rotation: Some(&turned), ..Sweep::round(DVec3::Z, 0.01) };
        for rate in strand(&points, &sweep).twist_rates() {
            assert!((rate - 4.0 * TAU / 2.0).abs() < 1e-12, "{rate}");
        }
        let still = strand(&[DVec3::ZERO; 3], &Sweep::round(DVec3::Z, 0.01));
        assert_eq!(still.twist_rates(), [0.0; 3]);
        assert!(strand(&[], &Sweep::round(DVec3::Z, 0.01)).twist_rates().is_empty());
    }

    #[test]
    fn the_twist_of_frenet_frames_is_the_torsion() {
        let (radius, rise) = (0.7, 0.3);
        let points: Vec<DVec3> = (0..2001)
            .map(|i| {
                let (sin, cos) = ops::sin_cos(0.004 * f64::from(i));
                DVec3::new(radius * cos, radius * sin, rise * 0.004 * f64::from(i))
            })
            .collect();
        let sweep = Sweep { framing: Framing::Frenet, ..Sweep::round(DVec3::Z, 0.01) };
        let torsion = rise / (radius * radius + rise * rise);
        let rates = strand(&points, &sweep).twist_rates();
        for rate in &rates[10..1990] {
            assert!((rate / torsion - 1.0).abs() < 1e-3, "{rate}, not {torsion}");
        }
        // Frames that are carried along have no twist on the same curve.
        let carried = strand(&points, &Sweep::round(DVec3::Z, 0.01)).twist_rates();
        assert!(carried.iter().all(|rate| rate.abs() < 1e-6));
    }
}
