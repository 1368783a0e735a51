//! A string of lights: a twisted pair of wires, and a bulb every few inches.
//!
//! Barzel 1997, section 3.1 and figure 17: "a twisted pair of wires is run along the axis, with a
//! light bulb every few inches". Bulbs sit at equal steps of arc length and point away from the
//! cable, each turned by the golden angle from the one before, so that their directions look
//! random and are the same in every frame.
//!
//! Tests: `two_wires_touch_and_never_cross`, `bulbs_are_evenly_spaced`,
//! `a_stretched_string_keeps_its_turns_and_bulbs`, `glass_is_wider_than_its_socket`.

use std::f64::consts::TAU;

use glam::DVec3;

use super::Pose;
use crate::curve::surface::Axis;
use crate::curve::{Framing, Polyline};

/// Parameters of a string of lights along a rope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lights {
    /// Radius of each wire; the pair winds around the axis at this distance.
    pub wire_radius: f64,
    /// Turns of the pair per metre.
    pub pair_turns: f64,
    /// Metres between bulbs.
    pub bulb_spacing: f64,
    /// Length of a bulb with its socket, in metres.
    pub bulb_size: f64,
    /// Metres of rope at rest, which determine the number of turns and bulbs, so that a rope that
    /// stretches keeps all of them; the length of the posed rope if not given.
    pub rest_length: Option<f64>,
}

/// One bulb: a short curve with its own radii.
#[derive(Clone, Debug, PartialEq)]
pub struct Bulb {
    /// From the cable outwards.
    pub points: Vec<DVec3>,
    /// Radius at each point.
    pub radius: Vec<f64>,
}

/// Golden angle in turns: no two multiples have the same direction.
const GOLDEN: f64 = 0.381_966_011_250_105_15;
/// Points of each wire in one turn of the pair.
pub const POINTS_PER_TURN: f64 = 10.0;
/// Points of one bulb.
pub const POINTS_PER_BULB: usize = OUTLINE.len();
/// Outline of a bulb: distance along it and radius, both as fractions of its size. The glass is
/// more than twice as wide as the socket, so that a bulb that points away from the viewer is a disc
/// of light behind a small socket and not a thin ring around it.
const OUTLINE: [(f64, f64); 14] = [
    (0.0, 0.10),
    (0.03, 0.13),
    (0.23, 0.13),
    (0.25, 0.15),
    (0.28, 0.15),
    (0.30, 0.12),
    (0.37, 0.20),
    (0.46, 0.28),
    (0.56, 0.31),
    (0.67, 0.29),
    (0.78, 0.22),
    (0.88, 0.13),
    (0.96, 0.05),
    (1.0, 0.005),
];

impl Lights {
    /// The two wires along a posed rope.
    pub fn wires(&self, rope: &Pose) -> [Pose; 2] {
        let Some(axis) = axis(rope) else { return Default::default() };
        let turns = self.pair_turns * self.rest_length.unwrap_or(axis.spline().length());
        let n = ((turns.abs() * POINTS_PER_TURN).ceil() as usize).max(rope.points.len()) + 1;
        [0.0, 0.5].map(|start| {
            let points = (0..n).map(|i| {
                let u = i as f64 / (n - 1) as f64;
                let (centre, frame) = axis.at(u);
                let v = turns * u + start;
                let direction = frame.around(v);
                centre + direction * self.wire_radius
            });
            Pose { points: points.collect(), up: rope.up, ..Pose::default() }
        })
    }

    /// The bulbs along a posed rope; the first is half a spacing from the start.
    pub fn bulbs(&self, rope: &Pose) -> Vec<Bulb> {
        let Some(axis) = axis(rope) else { return Vec::new() };
        let posed = axis.spline().length();
        if self.bulb_spacing <= 0.0 {
            return Vec::new();
        }
        let count = (self.rest_length.unwrap_or(posed) / self.bulb_spacing + 0.5).floor() as usize;
        let stretch = self.rest_length.map_or(1.0, |rest| posed / rest);
        (0..count)
            .map(|k| {
                let s = (k as f64 + 0.5) * self.bulb_spacing * stretch;
                let (centre, frame) = axis.at(axis.spline().parameter_at(s));
                let out = frame.sideways(TAU * GOLDEN * k as f64);
                let at = |(along, _): &(f64, f64)| {
                    centre + out * (self.wire_radius + along * self.bulb_size)
                };
                Bulb {
                    points: OUTLINE.iter().map(at).collect(),
                    radius: OUTLINE.iter().map(|(_, radius)| radius * self.bulb_size).collect(),
                }
            })
            .collect()
    }
}

fn axis(rope: &Pose) -> Option<Axis> {
    let curve = Polyline::new(rope.points.clone()).ok()?;
    Some(Axis::new(&curve, rope.up, Framing::RotationMinimising))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SuspendedRope;

    fn strung() -> (Lights, Pose) {
        let rope = SuspendedRope::new(DVec3::ZERO, DVec3::X * 3.0, 3.6).pose().unwrap();
        let lights = Lights {
            wire_radius: 0.002,
            pair_turns: 20.0,
            bulb_spacing: 0.15,
            bulb_size: 0.03,
            rest_length: None,
        };
        (lights, rope)
    }

    #[test]
    fn two_wires_touch_and_never_cross() {
        let (lights, rope) = strung();
        let [a, b] = lights.wires(&rope);
        assert_eq!(a.points.len(), b.points.len());
        for (p, q) in a.points.iter().zip(&b.points) {
            assert!((p.distance(*q) - 0.004).abs() < 1e-12);
        }
    }

    #[test]
    fn a_stretched_string_keeps_its_turns_and_bulbs() {
        let (lights, rope) = strung();
        let lights = Lights { rest_length: Some(3.6), ..lights };
        let mut stretched = rope.clone();
        stretched.points.iter_mut().for_each(|point| *point *= 1.08);
        let counts = |rope: &Pose| (lights.wires(rope)[0].points.len(), lights.bulbs(rope).len());
        assert_eq!(counts(&rope), (721, 24));
        assert_eq!(counts(&stretched), counts(&rope));
    }

    #[test]
    fn glass_is_wider_than_its_socket() {
        let (lights, rope) = strung();
        let bulb = &lights.bulbs(&rope)[0];
        let along = |p: DVec3| p.distance(bulb.points[0]) / lights.bulb_size;
        let widest = |socket: bool| {
            let pairs = bulb.points.iter().zip(&bulb.radius);
            let part = pairs.filter(|(p, _)| (along(**p) < 0.29) == socket);
            part.map(|(_, radius)| *radius).fold(0.0, f64::max)
        };
        assert!(widest(false) > 2.0 * widest(true), "{} {}", widest(false), widest(true));
        // The pair of wires is four radii wide and crosses a bulb that points away.
        assert!(widest(false) > 2.0 * 2.0 * lights.wire_radius);
    }

    #[test]
    fn bulbs_are_evenly_spaced() {
        let (lights, rope) = strung();
        let bulbs = lights.bulbs(&rope);
        assert_eq!(bulbs.len(), 24);
        for pair in bulbs.windows(2) {
            let step = pair[0].points[0].distance(pair[1].points[0]);
            assert!((step - 0.15).abs() < 0.006, "{step}");
        }
        assert!(bulbs.iter().all(|b| b.points.len() == b.radius.len()));
        assert_eq!(Lights { bulb_spacing: 0.0, ..lights }.bulbs(&rope), []);
    }
}
