//! View direction of the automatic camera: chosen from the motion, two angles, or along an axis.
//!
//! [`Spread`] measures the shape and the motion of a shot, and rates directions by them.
//!
//! Tests: `views_are_angles_or_names`, `the_preferred_view_is_the_renderers`,
//! `a_rope_across_the_view_keeps_it`, `a_rope_along_the_view_is_seen_from_another_side`,
//! `motion_along_the_view_is_seen_from_another_side`.

use std::str::FromStr;

use glam::{DMat3, DVec3};
use lariat_core::num::ops;
use lariat_render::NamedView;

/// Viewpoint of the automatic camera.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Viewpoint {
    /// In perspective, from one of a few directions: [`PREFERRED`](Self::PREFERRED) unless another
    /// one shows clearly more of the shape and the motion of the shot.
    #[default]
    Automatic,
    /// In perspective; 0, 0 is the front.
    Angles {
        /// Degrees around the vertical, to the right.
        around: f64,
        /// Degrees above the horizon.
        above: f64,
    },
    /// Along an axis, without perspective.
    Along(NamedView),
}

/// Error for text that is not a viewpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected front, side or top, or two angles as in 25,15")]
pub struct ViewpointError;

impl FromStr for Viewpoint {
    type Err = ViewpointError;

    /// Parses `front`, `side`, `top`, or two angles as in `25,15`.
    fn from_str(text: &str) -> Result<Self, ViewpointError> {
        match text {
            "front" => return Ok(Self::Along(NamedView::Front)),
            "side" => return Ok(Self::Along(NamedView::Side)),
            "top" => return Ok(Self::Along(NamedView::Top)),
            _ => {}
        }
        let angles = parse_angles(text).ok_or(ViewpointError)?;
        Ok(Self::Angles { around: angles.0, above: angles.1 })
    }
}

/// Parses two angles in degrees, around and above, as in `25,15`.
pub fn parse_angles(text: &str) -> Option<(f64, f64)> {
    let angle = |text: &str| text.trim().parse::<f64>().ok().filter(|angle| angle.is_finite());
    let (around, above) = text.split_once(',')?;
    Some((angle(around)?, angle(above)?))
}

impl Viewpoint {
    /// From the front, slightly from the right and from above: [`NamedView::ThreeQuarter`] in whole
    /// degrees.
    pub const PREFERRED: Self = Self::Angles { around: 23.0, above: 17.0 };

    /// Directions to choose from, the preferred one first. The light comes from the front left, so
    /// none is from behind. The higher ones are for motion in a level plane, as that of a tail.
    pub(crate) fn candidates(self) -> Vec<Self> {
        let Self::Automatic = self else { return vec![self] };
        let level = [23.0, -23.0, 45.0, -45.0, 67.0, -67.0].map(|around| (around, 17.0));
        let high = [23.0, -23.0, 67.0, -67.0].map(|around| (around, 40.0));
        let from = |(around, above)| Self::Angles { around, above };
        level.into_iter().chain(high).map(from).collect()
    }

    /// Direction from the camera to the scene.
    pub fn direction(self) -> DVec3 {
        match self {
            Self::Automatic => Self::PREFERRED.direction(),
            Self::Along(view) => view.direction(),
            Self::Angles { around, above } => {
                let (sa, ca) = ops::sin_cos(ops::radians(around));
                let (se, ce) = ops::sin_cos(ops::radians(above));
                -DVec3::new(sa * ce, -ca * ce, se)
            }
        }
    }
}

/// Factor by which a direction must show more than the preferred one. Smaller: the view changes
/// with small edits of a document, and ropes that swing a little are seen from above. Larger: ropes
/// are seen from their end, and wagging tails from the side.
const CLEARLY: f64 = 1.7;

/// Factor by which one of the other directions must show more than a nearer one.
const BETTER: f64 = 1.05;

/// Second moments of the points of a shot, and of their displacements since its first frame.
///
/// A direction shows the part of both that is across it, in parallel projection, which is enough to
/// compare directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    weight: f64,
    first: DVec3,
    second: DMat3,
    motion: DMat3,
}

impl Spread {
    /// Nothing. A default matrix would be the identity.
    pub(crate) const EMPTY: Self =
        Self { weight: 0.0, first: DVec3::ZERO, second: DMat3::ZERO, motion: DMat3::ZERO };

    /// Includes a point relative to a fixed place, its displacement, and its weight.
    pub(crate) fn include(&mut self, p: DVec3, moved: DVec3, weight: f64) {
        if !(p.is_finite() && moved.is_finite() && weight.is_finite()) {
            return;
        }
        self.weight += weight;
        self.first += p * weight;
        self.second += outer(p) * weight;
        self.motion += outer(moved) * weight;
    }

    /// Includes another spread about the same place.
    pub(crate) fn include_all_of(&mut self, other: &Self) {
        self.weight += other.weight;
        self.first += other.first;
        self.second += other.second;
        self.motion += other.motion;
    }

    /// Index of the best of some directions: the first, unless another one is clearly better.
    pub(crate) fn best(&self, directions: impl IntoIterator<Item = DVec3>) -> usize {
        let rated = directions.into_iter().map(|direction| self.rating(direction));
        let mut best = (0, 0.0);
        for (index, rating) in rated.enumerate() {
            // Later ones are farther from the preferred direction.
            let least = if best.0 == 0 { CLEARLY * best.1 } else { BETTER * best.1 };
            if index == 0 || rating > least {
                best = (index, rating);
            }
        }
        best.0
    }

    /// Square of the visible size of the shape, times the visible share of the motion.
    fn rating(&self, direction: DVec3) -> f64 {
        if self.weight <= 0.0 {
            return 0.0;
        }
        let forward = direction.normalize_or(DVec3::Y);
        let across = |m: &DMat3| trace(m) - forward.dot(*m * forward);
        let shape = self.second * (1.0 / self.weight) - outer(self.first / self.weight);
        let all = trace(&self.motion);
        let moving = if all > 0.0 { across(&self.motion) / all } else { 1.0 };
        across(&shape).max(0.0) * moving.max(0.0).sqrt()
    }
}

fn outer(p: DVec3) -> DMat3 {
    DMat3::from_cols(p * p.x, p * p.y, p * p.z)
}

fn trace(m: &DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Viewpoint for a line through these points that moves by `moved` at its last point.
    fn chosen(points: &[DVec3], moved: DVec3) -> Viewpoint {
        let mut spread = Spread::EMPTY;
        for (k, p) in points.iter().enumerate() {
            let moved = moved * (k as f64 / points.len() as f64);
            spread.include(*p, DVec3::ZERO, 1.0);
            spread.include(*p + moved, moved, 1.0);
        }
        let candidates = Viewpoint::Automatic.candidates();
        candidates[spread.best(candidates.iter().map(|view| view.direction()))]
    }

    /// A sagging line of 2 m along a direction.
    fn sagging(along: DVec3) -> Vec<DVec3> {
        let at = |k: i32| f64::from(k) / 20.0;
        (-20..=20).map(|k| along * at(k) + DVec3::Z * (0.3 * at(k) * at(k))).collect()
    }

    fn around(view: Viewpoint) -> f64 {
        let Viewpoint::Angles { around, .. } = view else { panic!("{view:?}") };
        around
    }

    #[test]
    fn a_rope_across_the_view_keeps_it() {
        for along in [DVec3::X, DVec3::new(1.0, 0.3, 0.0), DVec3::Z] {
            assert_eq!(chosen(&sagging(along), DVec3::ZERO), Viewpoint::PREFERRED, "{along}");
            assert_eq!(chosen(&sagging(along), DVec3::Z), Viewpoint::PREFERRED, "{along}");
        }
        assert_eq!(chosen(&[], DVec3::ZERO), Viewpoint::PREFERRED);
        assert_eq!(chosen(&[DVec3::ONE], DVec3::ZERO), Viewpoint::PREFERRED);
    }

    #[test]
    fn a_rope_along_the_view_is_seen_from_another_side() {
        let from = Viewpoint::PREFERRED.direction();
        let level = DVec3::new(from.x, from.y, 0.0);
        let view = around(chosen(&sagging(level), DVec3::ZERO));
        assert!((23.0 - view).abs() >= 60.0, "{view}");
        // Also without sag.
        let line: Vec<DVec3> = (0..9).map(|k| level * f64::from(k)).collect();
        assert!((23.0 - around(chosen(&line, DVec3::ZERO))).abs() >= 60.0);
    }

    #[test]
    fn motion_along_the_view_is_seen_from_another_side() {
        // A level line to the right that swings towards the camera is seen from higher above.
        let line: Vec<DVec3> = (0..9).map(|k| DVec3::X * (0.1 * f64::from(k))).collect();
        let view = chosen(&line, DVec3::new(-0.2, -0.8, 0.0));
        assert!(matches!(view, Viewpoint::Angles { above: 40.0, .. }), "{view:?}");
        // A post that moves towards the camera is seen from the side.
        let post: Vec<DVec3> = (0..9).map(|k| DVec3::Z * (0.1 * f64::from(k))).collect();
        let view = chosen(&post, Viewpoint::PREFERRED.direction() * DVec3::new(1.0, 1.0, 0.0));
        assert!((23.0 - around(view)).abs() > 40.0, "{view:?}");
    }

    #[test]
    fn views_are_angles_or_names() {
        let look = |text: &str| text.parse::<Viewpoint>().map(Viewpoint::direction);
        assert!((look("0,0").unwrap() - DVec3::Y).length() < 1e-15);
        assert!((look(" 90 , 0").unwrap() - look("side").unwrap()).length() < 1e-15);
        assert!((look("0,90").unwrap() - look("top").unwrap()).length() < 1e-15);
        for bad in ["", "below", "1", "1,2,3", "nan,0", "front,0"] {
            assert!(look(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_preferred_view_is_the_renderers() {
        let theirs = NamedView::ThreeQuarter.direction().normalize_or_zero();
        assert!(Viewpoint::PREFERRED.direction().dot(theirs) > 0.9999);
    }
}
