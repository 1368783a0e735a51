//! How many points a document asks for, before any of them is made.
//!
//! Most bodies say it outright: `samples`, or coils times points. A string of lights has as many
//! as its wires and bulbs need, which depends on how far its ends are apart; a compound has those
//! of its parts, and a part may be in several compounds. Where keys decide, nothing is known
//! here: evaluation then keeps a string of lights within [`Lowered::most_points`].
//!
//! Tests: `points_are_counted_before_any_of_them_is_made`, `parts_of_parts_are_counted`,
//! `lights_are_counted_over_the_gap_they_span`.
//!
//! [`Lowered::most_points`]: super::Lowered::most_points

use glam::DVec3;
use lariat_core::motion::Channel;

use super::{Anchor, Lowering, Record, model::fixed, references::Node};
use crate::{
    check::{Code, Diagnostic},
    document::Thing,
};

/// Points of one bulb of a string of lights.
const PER_BULB: f64 = 11.0;
/// Points of each wire in one turn of the pair.
const PER_TURN: f64 = 10.0;

/// How many points a body has at most.
#[derive(Clone, Copy, Default)]
pub(super) struct Points {
    /// All of them.
    all: f64,
    /// Those of the curve that others attach to or join.
    spine: f64,
}

impl Lowering<'_> {
    /// Counts the points of every body; those beyond the bounds are not good. `order` has every
    /// body after those it hangs on.
    pub(super) fn count_points(
        &mut self,
        nodes: &mut [Node],
        order: &[usize],
        locators: &[Option<Record>],
    ) {
        // In the order of the document first, so that it is the last body that is one too many.
        let mut counted = vec![Points::default(); nodes.len()];
        for (body, node) in nodes.iter_mut().enumerate() {
            let Some(record) = &node.record else { continue };
            if let Some((points, because)) = self.points(record, locators) {
                counted[body] = points;
                node.good &= self.is_within_bounds(record, points.all, because);
            }
        }
        for &body in order {
            let Some(record) = &nodes[body].record else { continue };
            if record.kind() != "compound" {
                continue;
            }
            let part = |name: &std::sync::Arc<str>| {
                let named = self.named.get(&(Thing::Body, name.clone()))?;
                Some(counted[named.index].spine)
            };
            let all = record.names("parts").unwrap_or_default().iter().filter_map(part).sum();
            counted[body] = Points { all, spine: all };
            let good = self.is_within_bounds(record, all, "parts");
            nodes[body].good &= good;
        }
        // Lights whose ends are keyed have an equal share of what all bodies may have.
        let lights = nodes.iter().filter(|node| node.has_lights()).count().max(1) as u64;
        let share = self.limits.samples_per_body.min(self.limits.samples_in_all / lights);
        for (node, points) in nodes.iter_mut().zip(counted) {
            let counted = points.all as u64;
            node.most_points = if node.has_lights() { counted.max(share) } else { counted };
        }
    }

    /// Whether the body stays within the bounds; adds its points to those of the document.
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

    /// How many points a body has at most, and which parameter makes them so many. Nothing for
    /// compounds, whose parts must be counted first.
    fn points(
        &self,
        record: &Record,
        locators: &[Option<Record>],
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
        // Two wires, each with enough points to show its turns, and the bulbs. A rope that is too
        // short is drawn across the gap; one that sags is at most as long as going down and up.
        let place = |name| self.fixed_place(record, name, locators);
        let gap = place("from").zip(place("to")).map_or(0.0, |(from, to)| from.distance(to));
        let length = most(record, "length").max(gap + 2.0 * most(record, "sag"));
        let turns = PER_TURN * length * most(record, "pair-turns").abs();
        let bulbs = PER_BULB * (length / most(record, "bulb-spacing")).floor();
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

    /// Where an end is held, if that is a point that never moves.
    fn fixed_place(
        &self,
        record: &Record,
        name: &str,
        locators: &[Option<Record>],
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

/// The largest value a parameter has at its keys; 0 if it has none.
fn most(record: &Record, name: &str) -> f64 {
    match record.scalar(name) {
        None => 0.0,
        Some(Channel::Constant(value)) => *value,
        Some(moving) => {
            moving.key_times().iter().map(|t| moving.at(*t)).fold(f64::NEG_INFINITY, f64::max)
        }
    }
}
