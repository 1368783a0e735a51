//! Measures that colour strands, tension and slack: their range in a shot, and the legend.
//!
//! A colour means the same in every frame, so the range is that of the whole shot.
//!
//! Tests: `slack_is_the_excess_length_over_the_gap`, `a_range_holds_all_finite_values`,
//! `simulated_ropes_show_tension_in_newtons`, `colours_mean_the_same_in_every_frame`.

use lariat_core::geometry::Strand;
use lariat_render::overlay::Legend;

use super::options::Measure;
use crate::error::ShootError;

/// Range of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    low: f64,
    high: f64,
    /// Range of tensions in newtons, and whether every strand that has a tension has it in newtons.
    newtons: (f64, f64),
    all_in_newtons: bool,
}

impl Range {
    pub(crate) const EMPTY: Self = Self {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        newtons: (f64::INFINITY, f64::NEG_INFINITY),
        all_in_newtons: true,
    };

    /// Includes the finite values of a measure on a strand.
    pub(crate) fn include(&mut self, measure: Option<Measure>, strand: &Strand) {
        let Some(measure) = measure else { return };
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
        };
    }

    /// Whether tensions are shown in newtons.
    pub(super) fn is_in_newtons(&self) -> bool {
        self.all_in_newtons && self.newtons.0 <= self.newtons.1
    }
}

/// Value of a measure at each point of a strand, if the strand has it. Tensions are in newtons or
/// in metres of the strand's own weight.
pub(super) fn values(
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

/// Legend of a measure with this range.
pub(super) fn legend(measure: Measure, range: Range) -> Result<Legend, ShootError> {
    let known = range.low <= range.high;
    match measure {
        Measure::Tension if !known => Err(ShootError::NoTension),
        Measure::Tension => {
            let title = "tension".to_owned();
            let (unit, low, high) = match range.is_in_newtons() {
                true => ("N", range.newtons.0, range.newtons.1),
                // A rope that is not simulated has no mass.
                false => ("metres of own weight", range.low, range.high),
            };
            // A legend of a single value still needs a range.
            let room = if high > low { 0.0 } else { 0.05 * high.max(1e-3) };
            let (low, high) = ((low - room).max(0.0), high + room);
            Ok(Legend { title, unit: unit.to_owned(), low, high })
        }
        Measure::Slack => {
            let high = if known && range.high > 1e-6 { range.high } else { 1.0 };
            Ok(Legend { title: "slack".to_owned(), unit: "%".to_owned(), low: 0.0, high })
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use lariat_core::geometry::{Look, Sweep, Tension};

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
        let mut range = Range::EMPTY;
        range.include(Some(Measure::Tension), &strand);
        assert_eq!(range, Range::EMPTY, "the strand has no tension");
        assert!(legend(Measure::Tension, range).is_err());
        strand.tension = Some(Tension::Hanging {
            horizontal: f64::INFINITY,
            vertical_at_start: 0.0,
            weight: 1.0,
        });
        range.include(Some(Measure::Tension), &strand);
        assert_eq!(range, Range::EMPTY, "infinite values are left out");
        strand.tension =
            Some(Tension::Hanging { horizontal: 3.0, vertical_at_start: 0.0, weight: 4.0 });
        range.include(Some(Measure::Tension), &strand);
        assert_eq!((range.low, range.high), (3.0, 5.0));
        assert_eq!(legend(Measure::Tension, range).unwrap().unit, "metres of own weight");
    }

    #[test]
    fn simulated_ropes_show_tension_in_newtons() {
        let mut strand = rope(&[DVec3::ZERO, DVec3::X]);
        let newtons = [40.0, 80.0].into();
        strand.tension = Some(Tension::Measured { newtons, weight_per_metre: 2.0 });
        let mut range = Range::EMPTY;
        range.include(Some(Measure::Tension), &strand);
        let shown = legend(Measure::Tension, range).unwrap();
        assert_eq!((shown.unit.as_str(), shown.low, shown.high), ("N", 40.0, 80.0));
        let values = values(Measure::Tension, range.is_in_newtons(), &strand).unwrap();
        assert_eq!(values.collect::<Vec<_>>(), [40.0, 80.0]);
        // Together with a rope that is not simulated, both use the unit they share.
        strand.tension =
            Some(Tension::Hanging { horizontal: 3.0, vertical_at_start: 0.0, weight: 4.0 });
        range.include(Some(Measure::Tension), &strand);
        let shown = legend(Measure::Tension, range).unwrap();
        assert_eq!((shown.unit.as_str(), shown.high), ("metres of own weight", 40.0));
    }
}
