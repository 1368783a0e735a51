//! Number of points of a document, counted before any of them is allocated.
//!
//! Most bodies have a given number: `samples`, or coils times points per coil. The number of a
//! string of lights depends on the distance between its ends; a compound has the points of its
//! parts, and a part may be in several compounds. If the ends are keyed, evaluation limits a string
//! of lights to [`Lowered::max_points`].
//!
//! Tests: `points_are_counted_before_they_are_allocated`, `points_of_nested_parts_are_counted`,
//! `points_of_lights_are_counted_over_the_gap`.
//!
//! [`Lowered::max_points`]: super::Lowered::max_points

use std::sync::Arc;

use glam::DVec3;
use lariat_core::{
    model::{POINTS_PER_BULB, POINTS_PER_TURN},
    motion::Channel,
};

use super::{Anchor, Lowering, Record, model::fixed, references::Node};
use crate::{
    check::{Code, Diagnostic},
    document::Thing,
};

/// Maximum number of points of a body.
#[derive(Clone, Copy, Default)]
pub(super) struct Points {
    /// All points.
    all: f64,
    /// Points of the curve that others are attached to or joined with.
    spine: f64,
}

impl Lowering<'_> {
    /// Counts the points of every body; bodies beyond the limits are invalid. In `order` every body
    /// comes after those it is attached to.
    pub(super) fn count_points(
        &mut self,
        nodes: &mut [Node<'_>],
        order: &[usize],
        locators: &[Option<Arc<Record>>],
    ) {
        // In the order of the document first, so that the last body is the one that exceeds the limit.
        let mut counted = vec![Points::default(); nodes.len()];
        for (body, node) in nodes.iter_mut().enumerate() {
            let Some(record) = &node.record else { continue };
            if let Some((points, because)) = self.points(record, locators) {
                counted[body] = points;
                node.valid &= self.is_within_bounds(record, points.all, because);
            }
        }
        for &body in order {
            let Some(record) = &nodes[body].record else { continue };
            if record.kind() != "compound" {
                continue;
            }
            let part = |name: &Arc<str>| {
                let named = self.named.get(&(Thing::Body, name.clone()))?;
                Some(counted[named.index].spine)
            };
            let all = record.names("parts").unwrap_or_default().iter().filter_map(part).sum();
            counted[body] = Points { all, spine: all };
            let good = self.is_within_bounds(record, all, "parts");
            nodes[body].valid &= good;
        }
        // Lights with keyed ends share the limit of all bodies equally.
        let lights = nodes.iter().filter(|node| node.has_lights()).count().max(1) as u64;
        let share = self.limits.samples_per_body.min(self.limits.samples_in_all / lights);
        for (node, points) in nodes.iter_mut().zip(counted) {
            let counted = points.all as u64;
            node.max_points = if node.has_lights() { counted.max(share) } else { counted };
        }
    }

    /// Adds the points of a body to those of the document; returns true if both are within limits.
    fn is_within_bounds(&mut self, record: &Record, points: f64, because: &str) -> bool {
        let most = self.limits.samples_per_body;
        let place = |diagnostic: Diagnostic| {
            diagnostic.label(
                record.span(because),
                record.path_of(because),
                format!("makes {points} points"),
            )
        };
        if points > most as f64 {
            self.find(place(Diagnostic::new(
                Code::TooManySamples,
                format!(
                    "`{}` has {points} points, more than the limit of {most}",
                    record.name()
                ),
            ))
            .help("a rope looks smooth with 50 to 200 points; raise the limit with `--limit samples-per-body=N`"));
            return false;
        }
        let most = self.limits.samples_in_all as f64;
        let before = self.samples;
        self.samples += points;
        if before <= most && self.samples > most {
            self.find(
                place(Diagnostic::new(
                    Code::TooManySamplesInAll,
                    format!("the bodies up to `{}` have {} points together, more than the limit of {most}", record.name(), self.samples),
                ))
                .help("use fewer points per body, or raise the limit with `--limit samples-in-all=N`"),
            );
            return false;
        }
        true
    }

    /// Maximum number of points of a body, and the parameter that determines it. `None` for
    /// compounds, whose parts must be counted first.
    fn points(
        &self,
        record: &Record,
        locators: &[Option<Arc<Record>>],
    ) -> Option<(Points, &'static str)> {
        let even = |points: f64, because| Some((Points { all: points, spine: points }, because));
        if record.has("coils") {
            let coils = most(record, "coils");
            let coil_points = coils * record.integer("points-per-coil").unwrap_or(0) as f64;
            let backbone = record.integer("backbone-samples").unwrap_or(0) as f64;
            let because = if backbone > coil_points {
                "backbone-samples"
            } else if record.is_given("coils") {
                "coils"
            } else {
                "points-per-coil"
            };
            return even(coil_points.max(backbone).ceil(), because);
        }
        if !record.has("samples") {
            return None;
        }
        let samples = record.integer("samples").unwrap_or(0) as f64;
        if !record.has("bulb-spacing") {
            return even(samples, "samples");
        }
        // Two wires with enough points for their turns, and the bulbs. A rope that is too short
        // spans the gap; a sagging one is at most as long as the gap and twice the sag.
        let place = |name| self.fixed_place(record, name, locators);
        let gap = place("from").zip(place("to")).map_or(0.0, |(from, to)| from.distance(to));
        let length = most(record, "length").max(gap + 2.0 * most(record, "sag"));
        let turns = POINTS_PER_TURN * length * most(record, "pair-turns").abs();
        let bulbs = POINTS_PER_BULB as f64 * (length / most(record, "bulb-spacing")).floor();
        let wires = 2.0 * (samples.max(turns) + 1.0);
        let because = if bulbs > wires {
            "bulb-spacing"
        } else if turns > samples {
            "pair-turns"
        } else {
            "samples"
        };
        Some((Points { all: (wires + bulbs).ceil(), spine: samples }, because))
    }

    /// Position of an end, if it is a constant point.
    fn fixed_place(
        &self,
        record: &Record,
        name: &str,
        locators: &[Option<Arc<Record>>],
    ) -> Option<DVec3> {
        match record.anchor(name)? {
            Anchor::Point(point) => fixed(point),
            Anchor::Locator { name, .. } => {
                let named = self.named.get(&(Thing::Locator, name.clone()))?;
                fixed(locators.get(named.index)?.as_ref()?.vector("position")?)
            }
            Anchor::Body { .. } => None,
        }
    }
}

/// Largest value of a parameter at its keys; 0 if it is not set.
fn most(record: &Record, name: &str) -> f64 {
    match record.scalar(name) {
        None => 0.0,
        Some(Channel::Constant(value)) => *value,
        Some(moving) => {
            moving.key_times().iter().map(|t| moving.at(*t)).fold(f64::NEG_INFINITY, f64::max)
        }
    }
}
