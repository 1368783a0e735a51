//! Arc length of a displaced rope.
//!
//! On a frame that does not spin, a displacement `(x, y)` of a shape with turning `κ` has
//! `|P′|² = (L − x κn − y κb)² + x′² + y′²`: the integrand is known in closed form, and another
//! gross shape costs one square root per node. Where the frame turns more slowly than the curve
//! (`GrossShape::tangent_in_frame`, with `(c, s)` the curve's tangent in the frame), it is
//! `|P′|² = (c L − x κn − y κb)² + (s L + x′)² + y′²`.
//!
//! Gentle waves are integrated on a fixed set of Gauss points, split at known corners. Steep waves
//! and sharp turns are integrated adaptively, by halving panels until they agree. A clamped curve
//! has kinks at unknown places; there, chords are halved instead.
//!
//! Halving proceeds level by level over the whole rope, within a [`Budget`] of evaluations: a
//! million ripples cannot be resolved. The result is then an estimate from evenly spread nodes, and
//! the change by the last halving is its error bound, which the pose reports.
//!
//! Tests: `chords_are_halved_until_they_agree`, `halving_resolves_a_near_kink`,
//! `a_budget_is_kept_and_its_error_is_reported`, `random_poses_keep_their_length`.

use std::cell::Cell;

use glam::DVec3;

use super::layer::{Displacement, Layers, Layout, Offsets};
use crate::curve::bend::BentLine;
use crate::curve::catenary::Catenary;
use crate::curve::{FramedPoints, GrossShape};
use crate::num::quadrature::{gauss8, gauss8_nodes};

/// Working memory of the models, kept from pose to pose so that posing does not allocate.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) rail: FramedPoints,
    pub(super) offsets: Offsets,
    /// Quadrature nodes.
    nodes: Nodes,
    /// Links of a rope on a surface.
    pub(super) links: Vec<DVec3>,
    /// Backbone of a coiled cord, and the parameters of its points.
    pub(super) backbone: Vec<DVec3>,
    pub(super) places: Vec<f64>,
}

/// Nodes and weights of a quadrature over `u`.
#[derive(Clone, Debug, Default)]
struct Nodes {
    /// Number of panels, if they are of equal width.
    panels: Option<usize>,
    u: Vec<f64>,
    weights: Vec<f64>,
    /// Squared slope of the displacement at each node.
    slopes_squared: Vec<f64>,
}

/// Relative tolerance of a fit: a hundredth of the tolerance of kept lengths.
pub(super) const FIT_TOLERANCE: f64 = 1e-8;

/// Limit on the evaluations for fitting one rope.
///
/// [`TOTAL`](Self::TOTAL) is for the whole fit, [`PER_MEASUREMENT`](Self::PER_MEASUREMENT) for one
/// measurement; ordinary ropes need a few thousand. Once the budget is spent, each measurement halves
/// once, so that a search still terminates.
#[derive(Debug)]
pub(super) struct Budget {
    left: Cell<usize>,
    evaluations: Cell<usize>,
    /// Error bound of the last measurement, in metres.
    error_bound: Cell<f64>,
}

impl Budget {
    /// Takes about a tenth of a second. Noisy ropes on floors need 1e5.
    const TOTAL: usize = 1 << 20;
    /// Leaves room for several measurements that each use their full share.
    const PER_MEASUREMENT: usize = 1 << 17;

    pub(super) fn new() -> Self {
        Self {
            left: Cell::new(Self::TOTAL),
            evaluations: Cell::new(0),
            error_bound: Cell::new(0.0),
        }
    }

    /// Returns true if `places` more evaluations are within both limits.
    fn allows(&self, spent: usize, places: usize) -> bool {
        spent + places <= Self::PER_MEASUREMENT && places <= self.left.get()
    }

    fn spend(&self, places: usize) {
        self.left.set(self.left.get().saturating_sub(places));
        self.evaluations.set(self.evaluations.get() + places);
    }

    /// Error bound of the last measurement, in metres.
    pub(super) fn error_bound(&self) -> f64 {
        self.error_bound.get()
    }

    /// Number of evaluations so far.
    #[cfg(test)]
    fn evaluations(&self) -> usize {
        self.evaluations.get()
    }
}

/// Measures a displaced rope.
pub(super) struct Gauge<'a> {
    layers: Layers<'a>,
    budget: Budget,
    scratch: &'a Workspace,
    /// `None` if the fixed nodes in `scratch` suffice; otherwise the corners between which adaptive
    /// panels start.
    corners: Option<Vec<f64>>,
}

/// Slope above which the integrand is nearly kinked at every crest.
const STEEP: f64 = 1.5;
/// Largest gentle displacement, as a fraction of the radius of the tightest turn.
const TIGHT: f64 = 0.3;
/// Number of fixed panels above which adaptive panels are used.
const MAX_PANELS: f64 = 64.0;
/// Largest number of panels with which halving begins.
const MAX_FIRST_PANELS: f64 = 512.0;

impl<'a> Gauge<'a> {
    /// Chooses the method for a rope whose curvature jumps at `cuts`. Its sharpest turn covers the
    /// fraction `sharpest` of its length, with a radius of `tightest` metres. `None` if no displacement
    /// moves it.
    pub(super) fn new(
        layers: Layers<'a>,
        length: f64,
        (sharpest, tightest): (f64, f64),
        cuts: &[f64],
        scratch: &'a mut Workspace,
    ) -> Option<Self> {
        let displacements = layers.list;
        if displacements.iter().all(|d| d.steepness() == 0.0) {
            return None;
        }
        let steep = displacements.iter().map(Displacement::steepness).sum::<f64>() / length;
        // A displacement towards the inside of a bend by most of its radius makes the speed nearly
        // zero there: as difficult as a kink.
        let displacement: f64 = displacements.iter().map(|d| d.magnitude().abs()).sum();
        let gentle = steep <= STEEP && displacement <= TIGHT * tightest;
        let half_waves = displacements.iter().map(Displacement::half_waves).fold(1.0, f64::max);
        // With eight points per panel, accurate to 1e-8 with this many panels per half wave and no
        // panel wider than the sharpest turn.
        let panels = (half_waves * (0.6 + 0.7 * steep)).max(0.8 / sharpest).max(2.0);
        let plain = displacements.iter().all(Displacement::is_plain);
        let mut corners = cuts.to_vec();
        if !plain {
            for displacement in displacements {
                displacement.corners(&mut corners);
            }
        }
        if gentle && panels <= MAX_PANELS {
            // Displacements that are not plain are smooth between their corners but need more panels.
            scratch.prepare(layers, if plain { panels } else { 2.0 * panels }, corners);
            return Some(Self { layers, budget: Budget::new(), scratch, corners: None });
        }
        let start = half_waves.clamp(4.0, MAX_FIRST_PANELS).ceil();
        corners.extend((1..start as u32).map(|k| f64::from(k) / start));
        Some(Self { layers, budget: Budget::new(), scratch, corners: Some(corners) })
    }

    /// Error bound of the last measurement, in metres.
    pub(super) fn error_bound(&self) -> f64 {
        self.budget.error_bound()
    }

    /// Length of a hung rope with `share` of the displacements.
    pub(super) fn hung(&self, rope: &Catenary, share: f64) -> f64 {
        let nodes = &self.scratch.nodes;
        match &self.corners {
            None if !rope.is_sharp() => rope.displaced_length(
                &nodes.u,
                &nodes.weights,
                &self.scratch.offsets.x,
                &nodes.slopes_squared,
                share,
            ),
            corners => {
                // Panels shrink towards the lowest point, where a deep rope turns sharply.
                let (lowest, width) = rope.sharpest();
                let mut cuts = corners.clone().unwrap_or_default();
                cuts.push(lowest);
                let mut reach = width;
                while reach < 1.0 {
                    cuts.extend([lowest - reach, lowest + reach]);
                    reach *= 3.0;
                }
                self.integrate_adaptively(rope, cuts, share)
            }
        }
    }

    /// Length of a loose rope with `share` of the displacements.
    pub(super) fn loose(&self, rope: &BentLine, share: f64) -> f64 {
        match &self.corners {
            Some(corners) => self.integrate_adaptively(rope, corners.clone(), share),
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

    fn integrate_adaptively(&self, rope: &impl GrossShape, mut cuts: Vec<f64>, share: f64) -> f64 {
        let length = rope.length();
        clip_to_rope(&mut cuts);
        let mut speed = |u: f64| {
            let (o, turning) = (self.layers.at(u), rope.turning(u));
            let along = rope.tangent_in_frame(u) * length;
            let forward = along.x - share * (o.x * turning.x + o.y * turning.y);
            let (aside, across) = (along.y + share * o.dx, share * o.dy);
            (forward * forward + (aside * aside + across * across)).sqrt()
        };
        let tolerance = 0.03 * FIT_TOLERANCE * length.max(f64::MIN_POSITIVE);
        integrated(&cuts, tolerance, &self.budget, &mut speed)
    }
}

/// Integral of `f` from the first cut to the last. No panel crosses a cut. Each is halved until its
/// integral changes by less than its share of `tolerance`, at most twenty times, or until the budget
/// is spent.
fn integrated(
    cuts: &[f64],
    tolerance: f64,
    budget: &Budget,
    f: &mut impl FnMut(f64) -> f64,
) -> f64 {
    struct Panel {
        from: f64,
        to: f64,
        whole: f64,
        /// Half the change by the halving that created this panel.
        error_bound: f64,
    }
    let mut open: Vec<Panel> = cuts
        .windows(2)
        .map(|w| Panel {
            from: w[0],
            to: w[1],
            whole: gauss8(w[0], w[1], &mut *f),
            error_bound: 0.0,
        })
        .collect();
    let mut spent = 8 * open.len();
    budget.spend(spent);
    let (mut sum, mut next) = (0.0, Vec::new());
    for level in 0..20 {
        let places = 16 * open.len();
        // The first halving is always done: the error estimate needs it.
        if level > 0 && !budget.allows(spent, places) {
            break;
        }
        spent += places;
        budget.spend(places);
        for panel in open.drain(..) {
            let middle = 0.5 * (panel.from + panel.to);
            let left = gauss8(panel.from, middle, &mut *f);
            let right = gauss8(middle, panel.to, &mut *f);
            let change = (left + right - panel.whole).abs();
            if change <= tolerance * (panel.to - panel.from) {
                sum += left + right;
                continue;
            }
            let half = |from, to, whole| Panel { from, to, whole, error_bound: 0.5 * change };
            next.push(half(panel.from, middle, left));
            next.push(half(middle, panel.to, right));
        }
        std::mem::swap(&mut open, &mut next);
        if open.is_empty() {
            break;
        }
    }
    budget.error_bound.set(open.iter().map(|p| p.error_bound).sum());
    sum + open.iter().map(|p| p.whole).sum::<f64>()
}

impl Workspace {
    /// Nodes, weights and displacements for `panels` panels over the whole rope, none across a cut.
    fn prepare(&mut self, layers: Layers<'_>, panels: f64, mut cuts: Vec<f64>) {
        let nodes = &mut self.nodes;
        if cuts.is_empty() {
            let panels = panels.ceil() as usize;
            if nodes.panels != Some(panels) {
                nodes.panels = Some(panels);
                nodes.place(&[0.0, 1.0], panels as f64);
            }
            self.offsets.fill_layout(layers, Layout::Gauss(panels));
        } else {
            clip_to_rope(&mut cuts);
            nodes.panels = None;
            nodes.place(&cuts, panels);
            self.offsets.fill_at(layers, &nodes.u);
        }
        let o = &self.offsets;
        nodes.slopes_squared.clear();
        nodes.slopes_squared.extend(o.dx.iter().zip(&o.dy).map(|(a, b)| a * a + b * b));
    }
}

/// Sorts the cuts and limits them to the rope, its ends included.
fn clip_to_rope(cuts: &mut Vec<f64>) {
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

/// Largest number of initial chords.
const MAX_FIRST_SPANS: usize = 512;

/// Length of any curve, also with kinks: chords over `spans` equal steps are halved until the length
/// changes by less than `tolerance`, at most twenty-four times, or until the budget is spent.
pub(super) fn chord_length(
    spans: usize,
    tolerance: f64,
    budget: &Budget,
    point: impl Fn(f64) -> DVec3,
) -> f64 {
    /// A stretch of the curve with its ends and its middle.
    struct Stretch {
        u: [f64; 3],
        p: [DVec3; 3],
        error_bound: f64,
    }
    impl Stretch {
        fn width(&self) -> f64 {
            self.u[2] - self.u[0]
        }

        /// Chords of a smooth curve are too short by O(h²). One Richardson step leaves O(h⁴), which the
        /// next halving bounds.
        fn length(&self) -> f64 {
            let [a, m, b] = self.p;
            let two = a.distance(m) + m.distance(b);
            two + (two - a.distance(b)) / 3.0
        }
    }
    let spans = spans.clamp(8, MAX_FIRST_SPANS);
    let places: Vec<DVec3> =
        (0..=2 * spans).map(|i| point(i as f64 / (2 * spans) as f64)).collect();
    let mut spent = places.len();
    budget.spend(spent);
    let mut open: Vec<Stretch> = (0..spans)
        .map(|i| Stretch {
            u: [2 * i, 2 * i + 1, 2 * i + 2].map(|k| k as f64 / (2 * spans) as f64),
            p: [places[2 * i], places[2 * i + 1], places[2 * i + 2]],
            error_bound: 0.0,
        })
        .collect();
    let (mut sum, mut next) = (0.0, Vec::new());
    for level in 0..24 {
        let count = 2 * open.len();
        if level > 0 && !budget.allows(spent, count) {
            break;
        }
        spent += count;
        budget.spend(count);
        for s in open.drain(..) {
            let (u1, u3) = (0.5 * (s.u[0] + s.u[1]), 0.5 * (s.u[1] + s.u[2]));
            let (p1, p3) = (point(u1), point(u3));
            let [left, right] = [
                Stretch { u: [s.u[0], u1, s.u[1]], p: [s.p[0], p1, s.p[1]], error_bound: 0.0 },
                Stretch { u: [s.u[1], u3, s.u[2]], p: [s.p[1], p3, s.p[2]], error_bound: 0.0 },
            ];
            let better = left.length() + right.length();
            let change = (better - s.length()).abs();
            if change <= tolerance * s.width() {
                sum += better;
                continue;
            }
            next.extend([left, right].map(|half| Stretch { error_bound: 0.5 * change, ..half }));
        }
        std::mem::swap(&mut open, &mut next);
        if open.is_empty() {
            break;
        }
    }
    budget.error_bound.set(open.iter().map(|s| s.error_bound).sum());
    sum + open.iter().map(Stretch::length).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops;

    #[test]
    fn chords_are_halved_until_they_agree() {
        // A quarter circle with a kink to a straight line: π/2 + 1.
        let length = chord_length(8, 1e-10, &Budget::new(), |u| {
            let a = std::f64::consts::PI * u;
            if u < 0.5 {
                DVec3::new(ops::sin(a), ops::cos(a), 0.0)
            } else {
                DVec3::new(1.0, 0.0, 2.0 * (u - 0.5))
            }
        });
        assert!((length - std::f64::consts::FRAC_PI_2 - 1.0).abs() < 1e-9, "{length}");
        let length = chord_length(7, 1e-10, &Budget::new(), |u| {
            if u < 0.3 { DVec3::X * u } else { DVec3::new(0.3, u - 0.3, 0.0) }
        });
        assert!((length - 1.0).abs() < 1e-8, "{length}");
    }

    #[test]
    fn halving_resolves_a_near_kink() {
        // √(1e-8 + x²) over −1..1, nearly a kink: its integral in closed form.
        let e: f64 = 1e-4;
        let exact = (1.0 + e * e).sqrt() + e * e * ops::asinh(1.0 / e);
        let budget = Budget::new();
        let ours = integrated(&[-1.0, 1.0], 1e-12, &budget, &mut |x| (e * e + x * x).sqrt());
        assert!((ours - exact).abs() < 1e-12, "{ours} {exact}");
        assert!(budget.evaluations() < 2000 && budget.error_bound() == 0.0);
    }

    #[test]
    fn a_budget_is_kept_and_its_error_is_reported() {
        // A million ripples: their mean length by an elliptic integral is 4.0144.
        let speed = |u: f64| {
            let slope = 6.0 * ops::cos_turns(1e6 * u);
            (1.0 + slope * slope).sqrt()
        };
        let (budget, mut calls) = (Budget::new(), 0);
        let ours = integrated(&[0.0, 1.0], 1e-10, &budget, &mut |u| {
            calls += 1;
            speed(u)
        });
        assert_eq!(calls, budget.evaluations());
        assert!(calls <= Budget::PER_MEASUREMENT, "{calls}");
        assert!(
            (ours - 4.0144).abs() < 0.1 && budget.error_bound() > 1e-3,
            "{ours} {}",
            budget.error_bound()
        );
        for _ in 0..100 {
            integrated(&[0.0, 1.0], 1e-10, &budget, &mut |u| speed(u));
            chord_length(49, 1e-10, &budget, |u| DVec3::new(u, ops::sin_turns(1e6 * u), 0.0));
        }
        // Once the whole budget is spent, a measurement takes one halving.
        let least = 100 * (24 + 5 * 49);
        assert!(
            budget.evaluations() <= Budget::TOTAL + Budget::PER_MEASUREMENT + least,
            "{}",
            budget.evaluations()
        );
    }
}
