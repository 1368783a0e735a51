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
//! Halving goes through the whole rope level by level, and only as far as a [`Budget`] of places
//! looked at: a million ripples are more than any number of halvings can follow. What is known
//! then is an estimate over evenly spread places, and how much the last halving still changed it
//! is its doubt, which the pose reports.
//!
//! Tests: `chords_are_halved_until_they_agree`, `halving_finds_what_is_steep`,
//! `a_budget_is_kept_and_doubt_is_said`, `random_poses_keep_their_length`.

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
    /// Where a rope is measured, and with which weights.
    nodes: Nodes,
    /// Links of a rope being laid.
    pub(super) links: Vec<DVec3>,
    /// What a wire is wound around, and where along it its points are.
    pub(super) backbone: Vec<DVec3>,
    pub(super) places: Vec<f64>,
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

/// How many places of a rope may be looked at while it is made to fit.
///
/// In all [`IN_ALL`](Self::IN_ALL), and [`AT_ONCE`](Self::AT_ONCE) for one measurement; ropes that
/// an animator can tell from one another need a few thousand. What is spent is spent: later
/// measurements halve once and leave it at that, so that a search still comes to its end.
#[derive(Debug)]
pub(super) struct Budget {
    left: Cell<usize>,
    looked: Cell<usize>,
    /// How far off the last measurement may be, in metres.
    doubt: Cell<f64>,
}

impl Budget {
    /// A tenth of a second or so. Less: noisy ropes on floors are cut short, which need 1e5.
    const IN_ALL: usize = 1 << 20;
    /// Enough for a few searches' worth of trials even if every one of them takes all of it.
    const AT_ONCE: usize = 1 << 17;

    pub(super) fn new() -> Self {
        Self { left: Cell::new(Self::IN_ALL), looked: Cell::new(0), doubt: Cell::new(0.0) }
    }

    /// Takes `places` if `spent` of this measurement and what is left allow it.
    fn allows(&self, spent: usize, places: usize) -> bool {
        spent + places <= Self::AT_ONCE && places <= self.left.get()
    }

    fn spend(&self, places: usize) {
        self.left.set(self.left.get().saturating_sub(places));
        self.looked.set(self.looked.get() + places);
    }

    /// How far off the last measurement may be, in metres.
    pub(super) fn doubt(&self) -> f64 {
        self.doubt.get()
    }

    /// How many places were looked at so far.
    #[cfg(test)]
    fn looked(&self) -> usize {
        self.looked.get()
    }
}

/// How a displaced rope is measured.
pub(super) struct Gauge<'a> {
    layers: Layers<'a>,
    budget: Budget,
    scratch: &'a Workspace,
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
/// Halving begins with no more panels than this; what is finer is found by halving, or not at all.
const FIRST_PANELS: f64 = 512.0;

impl<'a> Gauge<'a> {
    /// Looks at the displacements of a rope whose turning jumps at `cuts` and is sharpest within
    /// `sharpest` of its length, with a radius of `tightest` metres; `None` if nothing moves.
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
            scratch.prepare(layers, if plain { panels } else { 2.0 * panels }, corners);
            return Some(Self { layers, budget: Budget::new(), scratch, corners: None });
        }
        let start = busy.clamp(4.0, FIRST_PANELS).ceil();
        corners.extend((1..start as u32).map(|k| f64::from(k) / start));
        Some(Self { layers, budget: Budget::new(), scratch, corners: Some(corners) })
    }

    /// How far off the last measurement may be, in metres.
    pub(super) fn doubt(&self) -> f64 {
        self.budget.doubt()
    }

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
                // Panels shrink towards the lowest point, where a deep rope turns within a moment.
                let (lowest, width) = rope.sharpest();
                let mut cuts = corners.clone().unwrap_or_default();
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

    fn carefully(&self, rope: &impl GrossShape, mut cuts: Vec<f64>, share: f64) -> f64 {
        let length = rope.length();
        within_the_rope(&mut cuts);
        let mut speed = |u: f64| {
            let (o, turning) = (self.layers.at(u), rope.turning(u));
            let along = rope.tangent_in_frame(u) * length;
            let forward = along.x - share * (o.x * turning.x + o.y * turning.y);
            let (aside, across) = (along.y + share * o.dx, share * o.dy);
            (forward * forward + (aside * aside + across * across)).sqrt()
        };
        let tolerance = 0.03 * CLOSE_ENOUGH * length.max(f64::MIN_POSITIVE);
        integrated(&cuts, tolerance, &self.budget, &mut speed)
    }
}

/// Integral of `f` from the first cut to the last, none of its panels across a cut: each is halved
/// until that changes less than its part of `tolerance`, twenty times at most, or until the budget
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
        /// What the halving that made it still changed.
        doubt: f64,
    }
    let mut open: Vec<Panel> = cuts
        .windows(2)
        .map(|w| Panel { from: w[0], to: w[1], whole: gauss8(w[0], w[1], &mut *f), doubt: 0.0 })
        .collect();
    let mut spent = 8 * open.len();
    budget.spend(spent);
    let (mut sum, mut next) = (0.0, Vec::new());
    for level in 0..20 {
        let places = 16 * open.len();
        // The first halving is always made: without it nothing is known about the error.
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
            let half = |from, to, whole| Panel { from, to, whole, doubt: 0.5 * change };
            next.push(half(panel.from, middle, left));
            next.push(half(middle, panel.to, right));
        }
        std::mem::swap(&mut open, &mut next);
        if open.is_empty() {
            break;
        }
    }
    budget.doubt.set(open.iter().map(|p| p.doubt).sum());
    sum + open.iter().map(|p| p.whole).sum::<f64>()
}

impl Workspace {
    /// Places, weights and displacements for so many panels over the whole, none across a cut.
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
            within_the_rope(&mut cuts);
            nodes.panels = None;
            nodes.place(&cuts, panels);
            self.offsets.fill_at(layers, &nodes.u);
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

/// The most spans that chords are first drawn over, however many samples a rope has.
const FIRST_SPANS: usize = 512;

/// Length of any curve, kinks and all: chords over `spans` equal steps are halved until halving
/// changes nothing, twenty-four times at most, or until the budget is spent.
pub(super) fn chord_length(
    spans: usize,
    tolerance: f64,
    budget: &Budget,
    point: impl Fn(f64) -> DVec3,
) -> f64 {
    /// A stretch with its two ends and its middle.
    struct Stretch {
        u: [f64; 3],
        p: [DVec3; 3],
        doubt: f64,
    }
    impl Stretch {
        fn width(&self) -> f64 {
            self.u[2] - self.u[0]
        }

        /// Chords of a smooth curve fall short by h²; one step of Richardson leaves h⁴, whose size
        /// the next halving bounds.
        fn length(&self) -> f64 {
            let [a, m, b] = self.p;
            let two = a.distance(m) + m.distance(b);
            two + (two - a.distance(b)) / 3.0
        }
    }
    let spans = spans.clamp(8, FIRST_SPANS);
    let places: Vec<DVec3> =
        (0..=2 * spans).map(|i| point(i as f64 / (2 * spans) as f64)).collect();
    let mut spent = places.len();
    budget.spend(spent);
    let mut open: Vec<Stretch> = (0..spans)
        .map(|i| Stretch {
            u: [2 * i, 2 * i + 1, 2 * i + 2].map(|k| k as f64 / (2 * spans) as f64),
            p: [places[2 * i], places[2 * i + 1], places[2 * i + 2]],
            doubt: 0.0,
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
                Stretch { u: [s.u[0], u1, s.u[1]], p: [s.p[0], p1, s.p[1]], doubt: 0.0 },
                Stretch { u: [s.u[1], u3, s.u[2]], p: [s.p[1], p3, s.p[2]], doubt: 0.0 },
            ];
            let better = left.length() + right.length();
            let change = (better - s.length()).abs();
            if change <= tolerance * s.width() {
                sum += better;
                continue;
            }
            next.extend([left, right].map(|half| Stretch { doubt: 0.5 * change, ..half }));
        }
        std::mem::swap(&mut open, &mut next);
        if open.is_empty() {
            break;
        }
    }
    budget.doubt.set(open.iter().map(|s| s.doubt).sum());
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
    fn halving_finds_what_is_steep() {
        // √(1e-8 + x²) over −1..1, nearly a kink: its integral in closed form.
        let e: f64 = 1e-4;
        let exact = (1.0 + e * e).sqrt() + e * e * ops::asinh(1.0 / e);
        let budget = Budget::new();
        let ours = integrated(&[-1.0, 1.0], 1e-12, &budget, &mut |x| (e * e + x * x).sqrt());
        assert!((ours - exact).abs() < 1e-12, "{ours} {exact}");
        assert!(budget.looked() < 2000 && budget.doubt() == 0.0);
    }

    #[test]
    fn a_budget_is_kept_and_doubt_is_said() {
        // A million ripples: an elliptic integral says 4.0144 for their mean length.
        let speed = |u: f64| {
            let slope = 6.0 * ops::cos_turns(1e6 * u);
            (1.0 + slope * slope).sqrt()
        };
        let (budget, mut calls) = (Budget::new(), 0);
        let ours = integrated(&[0.0, 1.0], 1e-10, &budget, &mut |u| {
            calls += 1;
            speed(u)
        });
        assert_eq!(calls, budget.looked());
        assert!(calls <= Budget::AT_ONCE, "{calls}");
        assert!((ours - 4.0144).abs() < 0.1 && budget.doubt() > 1e-3, "{ours} {}", budget.doubt());
        for _ in 0..100 {
            integrated(&[0.0, 1.0], 1e-10, &budget, &mut |u| speed(u));
            chord_length(49, 1e-10, &budget, |u| DVec3::new(u, ops::sin_turns(1e6 * u), 0.0));
        }
        // Once the whole budget is spent, a measurement is one halving.
        let least = 100 * (24 + 5 * 49);
        assert!(budget.looked() <= Budget::IN_ALL + Budget::AT_ONCE + least, "{}", budget.looked());
    }
}
