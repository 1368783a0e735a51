//! How many points a document asks for, before any of them is made.

use lariat_core::motion::Channel;

use super::{Lowering, Record};
use crate::check::{Code, Diagnostic};

impl Lowering<'_> {
    /// Whether the body stays within the bounds; counts its points.
    pub(super) fn check_extent(&mut self, record: &Record) {
        let Some((points, because)) = points(record) else { return };
        let most = self.limits.samples_per_body;
        let place = |finding: Diagnostic| {
            finding.label(
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
            return;
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
        }
    }
}

/// How many points a body has at most, and which parameter makes them so many.
fn points(record: &Record) -> Option<(f64, &'static str)> {
    if !record.has("profile") {
        return None;
    }
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
        return Some((coil_points.max(backbone).ceil(), because));
    }
    if !record.has("samples") {
        return None;
    }
    let samples = record.integer("samples").unwrap_or(0) as f64;
    if record.has("bulb-spacing") {
        // Two wires, each with enough points to show its turns, and the bulbs.
        let length = most(record, "length").max(most(record, "sag"));
        let turns = length * most(record, "pair-turns").abs();
        let bulbs = length / most(record, "bulb-spacing");
        let wires = 2.0 * samples.max(16.0 * turns);
        let because = if 8.0 * bulbs > wires {
            "bulb-spacing"
        } else if 16.0 * turns > samples {
            "pair-turns"
        } else {
            "samples"
        };
        return Some(((wires + 8.0 * bulbs).ceil(), because));
    }
    Some((samples, "samples"))
}

/// The largest value a parameter has at its keys; 0 if it has none.
fn most(record: &Record, name: &str) -> f64 {
    match record.scalar(name) {
        None => 0.0,
        Some(Channel::Constant(value)) => *value,
        Some(Channel::Keyed(keys)) => {
            keys.keys().iter().map(|key| key.value).fold(f64::NEG_INFINITY, f64::max)
        }
    }
}
