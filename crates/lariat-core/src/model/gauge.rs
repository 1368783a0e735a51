//! How long a rope is with everything that displaces it.
//!
//! On a frame that does not spin, a displacement `(x, y)` of a shape with turning `κ` has
//! `|P′|² = (L − x κn − y κb)² + x′² + y′²`: its length is an integral over what is known in
//! closed form, and trying another gross shape costs one square root a place.
//!
//! Gentle waves are measured at Gauss points laid out once; what has corners, between them; what
//! is steep or turns sharply, by halving panels until they agree. Where a clamp bites, the curve
//! has kinks nobody knows, and chords are halved instead.
//!
//! Tests: `chords_are_halved_until_they_agree`, `random_poses_keep_their_length`.

use glam::DVec3;

use super::layer::{Displacement, Layout, Offsets, superposed};
use crate::curve::bend::BentLine;
use crate::curve::catenary::Catenary;
use crate::curve::{Gross, Rail};
use crate::num::quadrature::{adaptive, gauss8_nodes};

/// Working memory of the models, kept from pose to pose so that posing does not allocate.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) rail: Rail,
    pub(super) offsets: Offsets,
    /// Where a rope is measured, and with which weights.
    nodes: Nodes,
    /// Links of a rope being laid.
    pub(super) links: Vec<DVec3>,
}

/// The places and weights of a quadrature over `u`.
#[derive(Clone, Debug, Default)]
struct Nodes {
    /// As many panels as these places and weights are of, if they are evenly spread.
    panels: Option<usize>,
    u: Vec<f64>,
    weights: Vec<f64>,
    /// Squared slope of the displacement at each place.
    slopes_squared: Vec<f64>,
}

/// A length counts as met when it is this near, relative to the rope: a hundredth of the promise.
pub(super) const CLOSE_ENOUGH: f64 = 1e-8;

/// How a displaced rope is measured.
pub(super) struct Gauge<'a> {
    displacements: &'a [Displacement],
    scratch: &'a Scratch,
    /// Smooth and gentle enough for the nodes in `scratch`; otherwise panels are halved until
    /// they agree, starting between these corners.
    corners: Option<Vec<f64>>,
}

/// Steeper than this, the integrand is nearly kinked at every crest.
const STEEP: f64 = 1.5;
/// A displacement of this part of the radius of the tightest turn is still gentle.
const TIGHT: f64 = 0.3;
/// More panels than this are better placed where they are needed.
const MOST_PANELS: f64 = 64.0;

impl<'a> Gauge<'a> {
    /// Looks at the displacements of a rope whose turning jumps at `cuts` and is sharpest within
    /// `sharpest` of its length, with a radius of `tightest` metres; `None` if nothing moves.
    pub(super) fn new(
        displacements: &'a [Displacement],
        length: f64,
        (sharpest, tightest): (f64, f64),
        cuts: &[f64],
        scratch: &'a mut Scratch,
    ) -> Option<Self> {
        if displacements.iter().all(|d| d.steepness() == 0.0) {
            return None;
        }
        let steep: f64 = displacements.iter().map(Displacement::steepness).sum::<f64>() / length;
        // Displaced towards the inside of a bend by most of its radius, the curve nearly stops
        // there: as bad as a kink.
        let aside: f64 = displacements.iter().map(|d| d.magnitude().abs()).sum();
        let gentle = steep <= STEEP && aside <= TIGHT * tightest;
        let busy = displacements.iter().map(Displacement::busyness).fold(1.0, f64::max);
        // Eight points a panel: to 1e-8 with so many panels a half wave, and with a panel no
        // wider than the sharpest turn.
        let panels = (busy * (0.6 + 0.7 * steep)).max(0.8 / sharpest).max(2.0);
        let plain = displacements.iter().all(Displacement::is_plain);
        let mut corners = cuts.to_vec();
        if !plain {
            for displacement in displacements {
                displacement.corners(&mut corners);
            }
        }
        if gentle && panels <= MOST_PANELS {
            // What is not plain is smooth between its corners, if not quite as gentle.
            scratch.prepare(displacements, if plain { panels } else { 2.0 * panels }, corners);
            return Some(Self { displacements, scratch, corners: None });
        }
        let start = busy.clamp(4.0, 2000.0).ceil();
        corners.extend((1..start as u32).map(|k| f64::from(k) / start));
        Some(Self { displacements, scratch, corners: Some(corners) })
    }

    pub(super) fn hung(&self, rope: &Catenary, share: f64) -> f64 {
        let nodes = &self.scratch.nodes;
        match &self.corners {
            None => rope.displaced_length(
                &nodes.u,
                &nodes.weights,
                &self.scratch.offsets.x,
                &nodes.slopes_squared,
                share,
            ),
            Some(corners) => {
                // Panels shrink towards the lowest point, where a deep rope turns within a moment.
                let (lowest, width) = rope.sharpest();
                let mut cuts = corners.clone();
                cuts.push(lowest);
                let mut reach = width;
                while reach < 1.0 {
                    cuts.extend([lowest - reach, lowest + reach]);
                    reach *= 3.0;
                }
                self.carefully(rope, cuts, share)
            }
        }
    }

    pub(super) fn loose(&self, rope: &BentLine, share: f64) -> f64 {
        match &self.corners {
            Some(corners) => self.carefully(rope, corners.clone(), share),
            None => {
                let (nodes, o) = (&self.scratch.nodes, &self.scratch.offsets);
                let place = |i: usize| {
                    let turning = rope.turning(nodes.u[i]);
                    let forward = rope.length() - share * (o.x[i] * turning.x + o.y[i] * turning.y);
                    let aside = share * share * nodes.slopes_squared[i];
                    nodes.weights[i] * (forward * forward + aside).sqrt()
                };
                (0..nodes.u.len()).map(place).sum()
            }
        }
    }

    fn carefully(&self, rope: &impl Gross, mut cuts: Vec<f64>, share: f64) -> f64 {
        let length = rope.length();
        within_the_rope(&mut cuts);
        let mut speed = |u: f64| {
            let (o, turning) = (superposed(self.displacements, u), rope.turning(u));
            let forward = length - share * (o.x * turning.x + o.y * turning.y);
            (forward * forward + share * share * (o.dx * o.dx + o.dy * o.dy)).sqrt()
        };
        let tolerance = 0.03 * CLOSE_ENOUGH * length.max(f64::MIN_POSITIVE);
        cuts.windows(2)
            .map(|w| adaptive(w[0], w[1], tolerance * (w[1] - w[0]), 20, &mut speed))
            .sum()
    }
}

impl Scratch {
    /// Places, weights and displacements for so many panels over the whole, none across a cut.
    fn prepare(&mut self, displacements: &[Displacement], panels: f64, mut cuts: Vec<f64>) {
        let nodes = &mut self.nodes;
        if cuts.is_empty() {
            let panels = panels.ceil() as usize;
            if nodes.panels != Some(panels) {
                nodes.panels = Some(panels);
                nodes.place(&[0.0, 1.0], panels as f64);
            }
            self.offsets.fill_layout(displacements, Layout::Gauss(panels));
        } else {
            within_the_rope(&mut cuts);
            nodes.panels = None;
            nodes.place(&cuts, panels);
            self.offsets.fill_at(displacements, &nodes.u);
        }
        let o = &self.offsets;
        nodes.slopes_squared.clear();
        nodes.slopes_squared.extend(o.dx.iter().zip(&o.dy).map(|(a, b)| a * a + b * b));
    }
}

/// Cuts in order, from the start of the rope to its end.
fn within_the_rope(cuts: &mut Vec<f64>) {
    cuts.retain(|u| *u > 0.0 && *u < 1.0);
    cuts.extend([0.0, 1.0]);
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
}

impl Nodes {
    fn place(&mut self, cuts: &[f64], panels: f64) {
        self.u.clear();
        self.weights.clear();
        for w in cuts.windows(2) {
            let count = ((w[1] - w[0]) * panels).ceil().max(1.0);
            let width = (w[1] - w[0]) / count;
            for k in 0..count as usize {
                for (x, weight) in gauss8_nodes() {
                    self.u.push(w[0] + width * (k as f64 + x));
                    self.weights.push(width * weight);
                }
            }
        }
    }
}

/// Length of any curve, kinks and all: chords are halved until halving changes nothing.
pub(super) fn chord_length(spans: usize, tolerance: f64, point: impl Fn(f64) -> DVec3) -> f64 {
    let spans = spans.max(8);
    let mut sum = 0.0;
    let mut a = (0.0, point(0.0));
    for i in 1..=spans {
        let u = i as f64 / spans as f64;
        let b = (u, point(u));
        sum += halved(&point, a, b, tolerance / spans as f64, 0);
        a = b;
    }
    sum
}

fn halved(
    point: &impl Fn(f64) -> DVec3,
    a: (f64, DVec3),
    b: (f64, DVec3),
    tolerance: f64,
    depth: u32,
) -> f64 {
    let at = |u: f64| (u, point(u));
    let (q1, m, q3) =
        (at(0.75 * a.0 + 0.25 * b.0), at(0.5 * (a.0 + b.0)), at(0.25 * a.0 + 0.75 * b.0));
    let two = a.1.distance(m.1) + m.1.distance(b.1);
    let four = a.1.distance(q1.1) + q1.1.distance(m.1) + m.1.distance(q3.1) + q3.1.distance(b.1);
    // Chords of a smooth curve fall short by h²; one step of Richardson leaves h⁴, whose size
    // the same difference bounds.
    let better = four + (four - two) / 3.0;
    let one = a.1.distance(b.1);
    let coarse = two + (two - one) / 3.0;
    if (better - coarse).abs() <= tolerance || depth >= 24 {
        return better;
    }
    halved(point, a, m, 0.5 * tolerance, depth + 1)
        + halved(point, m, b, 0.5 * tolerance, depth + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops;

    #[test]
    fn chords_are_halved_until_they_agree() {
        // A quarter circle with a kink to a straight line: π/2 + 1.
        let length = chord_length(8, 1e-10, |u| {
            let a = std::f64::consts::PI * u;
            if u < 0.5 {
                DVec3::new(ops::sin(a), ops::cos(a), 0.0)
            } else {
                DVec3::new(1.0, 0.0, 2.0 * (u - 0.5))
            }
        });
        assert!((length - std::f64::consts::FRAC_PI_2 - 1.0).abs() < 1e-9, "{length}");
        let length = chord_length(7, 1e-10, |u| {
            if u < 0.3 { DVec3::X * u } else { DVec3::new(0.3, u - 0.3, 0.0) }
        });
        assert!((length - 1.0).abs() < 1e-8, "{length}");
    }
}
