//! Measures that colour strands (tension, twist and slack): their range and the legend.
//!
//! A colour means the same in every frame, so pictures of a shot use the range of the whole shot. A
//! window, which does not know all frames yet, uses the range of the frames that it showed.
//!
//! Tests: `slack_is_the_excess_length_over_the_gap`, `a_range_holds_all_finite_values`,
//! `simulated_ropes_show_tension_in_newtons`, `colours_mean_the_same_in_every_frame`,
//! `a_hanging_rope_carries_the_weight_below`, `a_twisted_rope_shows_its_turns_per_metre`.

use std::f64::consts::TAU;

use lariat_core::geometry::{Strand, Tension};
use lariat_render::overlay::{Legend, UNKNOWN, colour_of};

use super::options::Measure;
use crate::error::ShootError;

/// Range of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureRange {
    low: f64,
    high: f64,
    /// Range of tensions in newtons, and whether every strand that has a tension has it in newtons.
    newtons: (f64, f64),
    all_in_newtons: bool,
    /// Whether strands without newtons are grey as soon as one strand has them.
    prefers_newtons: bool,
}

impl MeasureRange {
    /// No values.
    pub const EMPTY: Self = Self {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        newtons: (f64::INFINITY, f64::NEG_INFINITY),
        all_in_newtons: true,
        prefers_newtons: false,
    };

    /// No values, for results of simulations: once a strand has a tension in newtons, those that have it
    /// in metres of their own weight only are grey.
    pub const OF_SIMULATIONS: Self = Self { prefers_newtons: true, ..Self::EMPTY };

    /// Includes the finite values of a measure on a strand.
    pub fn include(&mut self, measure: Measure, strand: &Strand) {
        let Some(all) = values(measure, false, strand) else { return };
        let mut any = false;
        for value in all.filter(|value| value.is_finite()) {
            (self.low, self.high) = (self.low.min(value), self.high.max(value));
            any = true;
        }
        match values(measure, true, strand) {
            Some(newtons) => {
                let (low, high) = &mut self.newtons;
                newtons.for_each(|value| (*low, *high) = (low.min(value), high.max(value)));
            }
            None => self.all_in_newtons &= !any,
        }
    }

    pub(crate) fn include_all_of(&mut self, other: Self) {
        *self = Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            newtons: (self.newtons.0.min(other.newtons.0), self.newtons.1.max(other.newtons.1)),
            all_in_newtons: self.all_in_newtons && other.all_in_newtons,
            prefers_newtons: self.prefers_newtons,
        };
    }

    /// Whether tensions are shown in newtons.
    fn is_in_newtons(&self) -> bool {
        (self.all_in_newtons || self.prefers_newtons) && self.newtons.0 <= self.newtons.1
    }

    /// Value of a measure at each point of a strand, in the unit of the legend; `None` if the strand
    /// does not have it.
    pub fn values(&self, measure: Measure, strand: &Strand) -> Option<Vec<f64>> {
        Some(values(measure, self.is_in_newtons(), strand)?.collect())
    }

    /// Linear colours of a strand with a legend of this range: one per point, grey if the strand does
    /// not have the measure.
    pub fn colours(&self, measure: Measure, legend: &Legend, strand: &Strand) -> Vec<[f32; 3]> {
        match values(measure, self.is_in_newtons(), strand) {
            Some(values) => values.map(|value| colour_of(legend.place(value))).collect(),
            None => vec![UNKNOWN; strand.points().len()],
        }
    }

    /// Legend of a measure with this range; an error if no strand has the measure.
    pub fn legend(&self, measure: Measure) -> Result<Legend, ShootError> {
        let known = self.low <= self.high;
        let (unit, low, high) = match measure {
            Measure::Tension if !known => return Err(ShootError::NoTension),
            Measure::Twist if !known => return Err(ShootError::NoTwist),
            Measure::Tension if self.is_in_newtons() => ("N", self.newtons.0, self.newtons.1),
            // A rope that is not simulated has no mass.
            Measure::Tension => ("metres of own weight", self.low, self.high),
            Measure::Twist => ("turns per metre", self.low, self.high),
            Measure::Slack if known && self.high > 1e-6 => ("%", 0.0, self.high),
            Measure::Slack => ("%", 0.0, 1.0),
        };
        // A legend of a single value still needs a range.
        let room = if high > low { 0.0 } else { 0.05 * high.abs().max(1e-3) };
        let least = if measure == Measure::Twist { f64::NEG_INFINITY } else { 0.0 };
        Ok(Legend {
            title: measure.name().to_owned(),
            unit: unit.to_owned(),
            low: (low - room).max(least),
            high: high + room,
        })
    }
}

/// Value of a measure at each point of a strand, if the strand has it. Tensions are in newtons or
/// in metres of the strand's own weight.
fn values(
    measure: Measure,
    newtons: bool,
    strand: &Strand,
) -> Option<Box<dyn Iterator<Item = f64> + '_>> {
    match measure {
        Measure::Tension if newtons => {
            let tension = strand.tension.as_ref()?;
            tension.newtons(0.0)?;
            let last = (strand.points().len().max(2) - 1) as f64;
            let at = move |i: usize| tension.newtons(i as f64 / last).unwrap_or(0.0);
            Some(Box::new((0..strand.points().len()).map(at)))
        }
        Measure::Tension => Some(Box::new(strand.tensions()?)),
        Measure::Twist => is_twisted(strand)
            .then(|| Box::new(strand.twist_rates().into_iter().map(|rate| rate / TAU)) as _),
        Measure::Slack => {
            let slack = slack(strand)?;
            Some(Box::new(strand.points().iter().map(move |_| slack)))
        }
    }
}

/// Length of a strand in excess of the distance between its ends, in percent; `None` for a ring.
fn slack(strand: &Strand) -> Option<f64> {
    let points = strand.points();
    let gap = points.first()?.distance(*points.last()?);
    let length: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let apart = !strand.closed && gap > 1e-9 * length;
    apart.then(|| ((length / gap - 1.0) * 100.0).max(0.0))
}

/// Whether a strand has a twist of its own: it is simulated, or its profile turns along it.
fn is_twisted(strand: &Strand) -> bool {
    matches!(strand.tension, Some(Tension::Measured { .. }))
        || strand.twist().windows(2).any(|pair| pair[0] != pair[1])
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use lariat_core::geometry::{Look, Sweep};
    use lariat_eval::Scene;
    use lariat_scene::{Limits, check::check};

    use super::*;

    fn rope(points: &[DVec3]) -> Strand {
        let mut strand = Strand::empty("x", Look { name: "rope".into(), colour: [0.5; 3] });
        strand.sweep(points, &Sweep::round(DVec3::Z, 0.1));
        strand
    }

    #[test]
    fn slack_is_the_excess_length_over_the_gap() {
        let bent = rope(&[DVec3::ZERO, DVec3::new(3.0, 4.0, 0.0), DVec3::X * 6.0]);
        assert!((slack(&bent).unwrap() - 200.0 / 3.0).abs() < 1e-12);
        assert_eq!(slack(&rope(&[DVec3::ZERO, DVec3::X])), Some(0.0));
        assert_eq!(slack(&rope(&[DVec3::ZERO, DVec3::X, DVec3::ZERO])), None, "ends that meet");
    }

    #[test]
    fn a_range_holds_all_finite_values() {
        let mut strand = rope(&[DVec3::ZERO, DVec3::X]);
        let mut range = MeasureRange::EMPTY;
        range.include(Measure::Tension, &strand);
        assert_eq!(range, MeasureRange::EMPTY, "the strand has no tension");
        assert!(range.legend(Measure::Tension).is_err());
        strand.tension = Some(Tension::Hanging {
            horizontal: f64::INFINITY,
            vertical_at_start: 0.0,
            weight: 1.0,
        });
        range.include(Measure::Tension, &strand);
        assert_eq!(range, MeasureRange::EMPTY, "infinite values are left out");
        strand.tension =
            Some(Tension::Hanging { horizontal: 3.0, vertical_at_start: 0.0, weight: 4.0 });
        range.include(Measure::Tension, &strand);
        assert_eq!((range.low, range.high), (3.0, 5.0));
        assert_eq!(range.legend(Measure::Tension).unwrap().unit, "metres of own weight");
    }

    #[test]
    fn simulated_ropes_show_tension_in_newtons() {
        let mut strand = rope(&[DVec3::ZERO, DVec3::X]);
        let newtons = [40.0, 80.0].into();
        strand.tension = Some(Tension::Measured { newtons, weight_per_metre: 2.0 });
        let mut range = MeasureRange::EMPTY;
        range.include(Measure::Tension, &strand);
        let shown = range.legend(Measure::Tension).unwrap();
        assert_eq!((shown.unit.as_str(), shown.low, shown.high), ("N", 40.0, 80.0));
        assert_eq!(range.values(Measure::Tension, &strand).unwrap(), [40.0, 80.0]);
        // Together with a rope that is not simulated, both use the unit they share.
        strand.tension =
            Some(Tension::Hanging { horizontal: 3.0, vertical_at_start: 0.0, weight: 4.0 });
        range.include(Measure::Tension, &strand);
        let shown = range.legend(Measure::Tension).unwrap();
        assert_eq!((shown.unit.as_str(), shown.high), ("metres of own weight", 40.0));
        // Unless newtons are preferred: then the other rope is grey.
        let mut range = MeasureRange { prefers_newtons: true, ..range };
        assert_eq!(range.legend(Measure::Tension).unwrap().unit, "N");
        range.include(Measure::Tension, &strand);
        assert_eq!(range.values(Measure::Tension, &strand), None);
    }

    fn strand_of(text: &str, frame: f64) -> Strand {
        let checked = check(text.as_bytes(), &Limits::DEFAULT);
        assert!(!checked.has_errors(), "{:#?}", checked.diagnostics);
        let scene = Scene::bind(&checked.content.unwrap().lowered);
        scene.evaluate(frame).bodies[0].strands[0].clone()
    }

    #[test]
    fn a_hanging_rope_carries_the_weight_below() {
        let text = "lariat = 2\n[[body]]\nname = 'line'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\n\
                    length = 1\nradius = 0.005\ndynamics = { kind = 'string', material = 'hemp', \
                    density = 1000, segments = 20, viscosity = 8 }\n";
        let strand = strand_of(text, 48.0);
        let mut range = MeasureRange::EMPTY;
        range.include(Measure::Tension, &strand);
        let weight = 1000.0 * std::f64::consts::PI * 0.005 * 0.005 * 9.81;
        let newtons = range.values(Measure::Tension, &strand).unwrap();
        for (point, newtons) in strand.points().iter().zip(&newtons) {
            let below = (point.z - 1.0) * weight;
            // A tension belongs to a segment, so it is off by half of one.
            assert!((newtons - below).abs() < 0.03 * weight, "{newtons} N, not {below} N");
        }
        let legend = range.legend(Measure::Tension).unwrap();
        assert!((legend.high / weight - 1.0).abs() < 0.03, "{legend:?}");
        // The colour of a point is that of its tension.
        let colours = range.colours(Measure::Tension, &legend, &strand);
        let place = |i: usize| legend.place(newtons[i]);
        assert_eq!((colours[0], colours[7]), (colour_of(place(0)), colour_of(place(7))));
        assert!(place(0) > 0.99 && (place(10) - 0.5).abs() < 0.06);
    }

    #[test]
    fn a_twisted_rope_shows_its_turns_per_metre() {
        let text = "lariat = 2\n[world]\ngravity = [0, 0, 0]\n[[body]]\nname = 'cord'\nmodel = \
                    'suspended-rope'\nfrom = [0, 0, 1]\nto = [0.4, 0, 1]\nsag = 0.001\nradius = \
                    0.003\ndynamics = { kind = 'string', material = 'rubber', segments = 20, \
                    twist-end = { keys = [[1, 0], [25, 2]] }, inner-friction = 0.05 }\n";
        let strand = strand_of(text, 48.0);
        let mut range = MeasureRange::EMPTY;
        range.include(Measure::Twist, &strand);
        let turns = range.values(Measure::Twist, &strand).unwrap();
        // The ends hold the first and the last of twenty segments, so the twist lies between their
        // middles.
        let expected = 2.0 / (0.4 * 19.0 / 20.0);
        for turns in &turns[2..19] {
            assert!((turns / expected - 1.0).abs() < 0.03, "{turns} turns per metre");
        }
        // A rope that is neither simulated nor twisted has none.
        let plain = rope(&[DVec3::ZERO, DVec3::X]);
        assert_eq!(range.values(Measure::Twist, &plain), None);
        let legend = range.legend(Measure::Twist).unwrap();
        assert_eq!(range.colours(Measure::Twist, &legend, &plain), [UNKNOWN; 2]);
    }
}
