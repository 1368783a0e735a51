//! View direction of the automatic camera: two angles, or along an axis.
//!
//! Tests: `views_are_angles_or_names`, `the_default_view_is_the_renderers`.

use std::str::FromStr;

use glam::DVec3;
use lariat_core::num::ops;
use lariat_render::NamedView;

/// Viewpoint of the automatic camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Viewpoint {
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

impl Default for Viewpoint {
    /// From the front, slightly from the right and from above: [`NamedView::ThreeQuarter`] in whole
    /// degrees.
    fn default() -> Self {
        Self::Angles { around: 23.0, above: 17.0 }
    }
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
    /// Direction from the camera to the scene.
    pub fn direction(self) -> DVec3 {
        match self {
            Self::Along(view) => view.direction(),
            Self::Angles { around, above } => {
                let (sa, ca) = ops::sin_cos(ops::radians(around));
                let (se, ce) = ops::sin_cos(ops::radians(above));
                -DVec3::new(sa * ce, -ca * ce, se)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_default_view_is_the_renderers() {
        let theirs = NamedView::ThreeQuarter.direction().normalize_or_zero();
        assert!(Viewpoint::default().direction().dot(theirs) > 0.9999);
    }
}
