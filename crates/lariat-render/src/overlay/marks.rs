//! Handles: the points that an animator edits, and the polygon they span.
//!
//! Tests: `handles_are_visible_on_any_background`, `a_polygon_is_joined`.

use glam::{DVec2, DVec3};

use super::canvas::{Canvas, Ink, PALE, SHADE};
use crate::Projection;

/// Shape of a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A point of the body.
    Square,
    /// A point that holds the body.
    Disc,
    /// A point that moves along the body.
    Diamond,
}

const LINE: Ink = Ink { colour: [255, 196, 64], cover: 0.8 };
const SQUARE: Ink = Ink::full([255, 176, 32]);
const DISC: Ink = Ink::full([64, 190, 255]);
const DIAMOND: Ink = Ink::full([150, 225, 90]);

/// Paints the handles of a body, connected in order if they are a control polygon.
pub fn marks(
    canvas: &mut Canvas<'_>,
    projection: &Projection,
    handles: &[(DVec3, Mark)],
    polygon: bool,
) {
    let unit = canvas.unit();
    let place = |p: DVec3| projection.project(p).map(|(x, y, _)| DVec2::new(x, y));
    if polygon {
        for pair in handles.windows(2) {
            if let (Some(a), Some(b)) = (place(pair[0].0), place(pair[1].0)) {
                canvas.line(a, b, 3.0 * unit, SHADE.times(0.5));
                canvas.line(a, b, 1.4 * unit, LINE);
            }
        }
    }
    for (at, mark) in handles {
        let Some(at) = place(*at) else { continue };
        let (half, ink) = match mark {
            Mark::Square => (5.0 * unit, SQUARE),
            Mark::Disc => (6.0 * unit, DISC),
            Mark::Diamond => (5.0 * unit, DIAMOND),
        };
        // Dark, pale, colour: visible on any background.
        for (wider, ink) in [(2.6, SHADE), (1.4, PALE), (0.0, ink)] {
            let half = half + wider * unit;
            match mark {
                Mark::Square => canvas.square(at, half, false, ink),
                Mark::Diamond => canvas.square(at, half, true, ink),
                Mark::Disc => canvas.disc(at, half, ink),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Camera, Lens, Picture, Size};

    fn painted(ground: u8, handles: &[(DVec3, Mark)], polygon: bool) -> Picture {
        let size = Size::new(100, 100).unwrap();
        let mut picture = Picture::new(size, [ground, ground, ground, 255]);
        let lens = Lens::Orthographic { height: 2.0 };
        let camera = Camera { eye: DVec3::NEG_Y, target: DVec3::ZERO, up: DVec3::Z, lens };
        marks(&mut Canvas::new(&mut picture), &camera.projection(size).unwrap(), handles, polygon);
        picture
    }

    #[test]
    fn handles_are_visible_on_any_background() {
        for mark in [Mark::Square, Mark::Disc, Mark::Diamond] {
            for ground in [0, 60, 128, 190, 255] {
                let picture = painted(ground, &[(DVec3::ZERO, mark)], false);
                let row: Vec<u8> = (40..60).map(|x| picture.at(x, 50)[0]).collect();
                let (low, high) = (row.iter().min().unwrap(), row.iter().max().unwrap());
                assert!(high - low > 60, "{mark:?} on {ground}: {row:?}");
            }
        }
        let behind = painted(60, &[(DVec3::NEG_Y * 2.0, Mark::Disc)], false);
        assert!(
            behind.pixels().iter().all(|p| p[0] == 60),
            "points behind the eye are not painted"
        );
    }

    #[test]
    fn a_polygon_is_joined() {
        let ends = [(DVec3::X * -0.8, Mark::Square), (DVec3::X * 0.8, Mark::Square)];
        let (apart, joined) = (painted(60, &ends, false), painted(60, &ends, true));
        assert_eq!(apart.at(50, 50), [60, 60, 60, 255]);
        assert!(joined.at(50, 50)[0] > 90);
    }
}
