//! Guides in a live view: lines and points in space, and highlighted strands and meshes.
//!
//! Guides are drawn over the finished picture, in exact colours and with a width in pixels. Parts
//! behind strands and meshes are dimmed. For overlays painted on finished pictures see
//! [`overlay`](crate::overlay).
//!
//! Tests: `a_polyline_knows_its_neighbours`, `a_grid_fades_out`; in the suite
//! `a_line_is_drawn_where_it_projects_to`, `a_hidden_line_is_dim`, and those beside them.

use glam::DVec3;

use crate::Picked;

/// Colour with alpha: encoded (sRGB) red, green and blue, 0–1, not multiplied by alpha.
pub type Colour = [f32; 4];

/// Lines, points and highlights over a live view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guides {
    pub(crate) segments: Vec<Segment>,
    pub(crate) dots: Vec<Dot>,
    pub(crate) highlights: Vec<Highlight>,
}

/// Style of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Width, in pixels.
    pub width: f32,
    /// Its colour.
    pub colour: Colour,
    /// Factor on alpha where it is behind strands or meshes: 0 hides it there, 1 draws it on top.
    pub hidden: f32,
}

impl Stroke {
    /// A line whose hidden parts are dim.
    pub const fn new(width: f32, colour: Colour) -> Self {
        Self { width, colour, hidden: 0.25 }
    }

    /// A line on top of everything.
    pub const fn on_top(width: f32, colour: Colour) -> Self {
        Self { width, colour, hidden: 1.0 }
    }
}

/// Shape of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DotShape {
    /// A filled circle.
    Disc,
    /// A circle line of two pixels.
    Ring,
    /// A filled square.
    Square,
    /// A filled square on its corner.
    Diamond,
}

/// A point with a size in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// Position, in metres.
    pub at: DVec3,
    /// Its shape.
    pub shape: DotShape,
    /// From its centre to its side, in pixels.
    pub radius: f32,
    /// Its colour.
    pub colour: Colour,
    /// Factor on alpha where it is behind strands or meshes.
    pub hidden: f32,
}

/// An outline around a strand or mesh of the last moment of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Highlight {
    /// The strand or mesh.
    pub object: Picked,
    /// Width of the outline, in pixels.
    pub width: f32,
    /// Its colour; alpha 1 is best, since faces of a translucent outline overlap.
    pub colour: Colour,
}

/// A straight piece of a line between its neighbours, which are equal to its ends if there are none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    pub before: DVec3,
    pub a: DVec3,
    pub b: DVec3,
    pub after: DVec3,
    pub width: f32,
    pub hidden: f32,
    pub colours: [Colour; 2],
}

/// A square grid that fades out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Its centre; lines pass through the whole multiples of `spacing` from `origin`.
    pub centre: DVec3,
    /// A corner of the grid.
    pub origin: DVec3,
    /// Unit vectors along its lines.
    pub axes: [DVec3; 2],
    /// Distance between lines, in metres; every tenth is stronger.
    pub spacing: f64,
    /// Radius at which it has faded out, in metres.
    pub reach: f64,
    /// Style of the stronger lines at the centre; others have a third of its alpha.
    pub stroke: Stroke,
}

/// Largest number of lines of a grid in each direction.
const LINES: f64 = 100.0;

/// Pieces of a grid line, each of which fades linearly.
const FADE: usize = 8;

impl Guides {
    /// Removes everything and keeps the memory.
    pub fn clear(&mut self) {
        self.segments.clear();
        self.dots.clear();
        self.highlights.clear();
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty() && self.dots.is_empty() && self.highlights.is_empty()
    }

    /// Adds a straight line.
    pub fn line(&mut self, a: DVec3, b: DVec3, stroke: &Stroke) {
        self.polyline(&[a, b], stroke);
    }

    /// Adds a line through points.
    pub fn polyline(&mut self, points: &[DVec3], stroke: &Stroke) {
        self.coloured(points, |_| stroke.colour, stroke);
    }

    /// Adds a line whose colour changes from point to point, such as a trail that fades out.
    ///
    /// # Panics
    /// If there are fewer colours than points.
    pub fn faded(&mut self, points: &[DVec3], colours: &[Colour], stroke: &Stroke) {
        assert!(
            colours.len() >= points.len(),
            "{} colours, {} points",
            colours.len(),
            points.len()
        );
        self.coloured(points, |i| colours[i], stroke);
    }

    fn coloured(&mut self, points: &[DVec3], colour: impl Fn(usize) -> Colour, stroke: &Stroke) {
        for (i, pair) in points.windows(2).enumerate() {
            self.segments.push(Segment {
                before: points[i.saturating_sub(1)],
                a: pair[0],
                b: pair[1],
                after: points[(i + 2).min(points.len() - 1)],
                width: stroke.width,
                hidden: stroke.hidden,
                colours: [colour(i), colour(i + 1)],
            });
        }
    }

    /// Adds a point.
    pub fn dot(&mut self, dot: Dot) {
        self.dots.push(dot);
    }

    /// Outlines a strand or mesh.
    pub fn highlight(&mut self, highlight: Highlight) {
        self.highlights.push(highlight);
    }

    /// Adds a grid.
    pub fn grid(&mut self, grid: &Grid) {
        let [x, y] = grid.axes;
        if !(grid.spacing > 0.0 && grid.reach > 0.0) {
            return;
        }
        let spacing = grid.spacing.max(2.0 * grid.reach / LINES);
        let off = grid.centre - grid.origin;
        for (along, across) in [(x, y), (y, x)] {
            let middle = off.dot(across);
            let first = ((middle - grid.reach) / spacing).ceil() as i64;
            let last = ((middle + grid.reach) / spacing).floor() as i64;
            for k in first..=last {
                let aside = k as f64 * spacing - middle;
                let half = (grid.reach * grid.reach - aside * aside).max(0.0).sqrt();
                let strength = if k % 10 == 0 { 1.0 } else { 1.0 / 3.0 };
                let at = |i: usize| half * (2.0 * i as f64 / FADE as f64 - 1.0);
                let points: [DVec3; FADE + 1] =
                    std::array::from_fn(|i| grid.centre + across * aside + along * at(i));
                let colours: [Colour; FADE + 1] = std::array::from_fn(|i| {
                    let far = ((aside * aside + at(i) * at(i)).sqrt() / grid.reach).min(1.0);
                    let [r, g, b, a] = grid.stroke.colour;
                    [r, g, b, a * (strength * (1.0 - far) * (1.0 - far)) as f32]
                });
                self.faded(&points, &colours, &grid.stroke);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Colour = [1.0, 0.0, 0.0, 1.0];

    #[test]
    fn a_polyline_knows_its_neighbours() {
        let mut guides = Guides::default();
        let points = [0.0, 1.0, 2.0, 3.0].map(|x| DVec3::X * x);
        guides.polyline(&points, &Stroke::new(2.0, RED));
        let found: Vec<[f64; 4]> =
            guides.segments.iter().map(|s| [s.before.x, s.a.x, s.b.x, s.after.x]).collect();
        assert_eq!(found, [[0.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 3.0], [1.0, 2.0, 3.0, 3.0]]);
        guides.polyline(&points[..1], &Stroke::new(2.0, RED));
        assert_eq!(guides.segments.len(), 3, "a single point is no line");
        guides.clear();
        assert!(guides.is_empty());
    }

    #[test]
    fn a_grid_fades_out() {
        let mut guides = Guides::default();
        let centre = DVec3::new(3.2, 0.0, 0.0);
        let (origin, axes, stroke) = (DVec3::ZERO, [DVec3::X, DVec3::Y], Stroke::new(1.0, RED));
        let grid = Grid { centre, origin, axes, spacing: 1.0, reach: 12.0, stroke };
        guides.grid(&grid);
        // Lines through whole metres within 12 m of the centre.
        assert_eq!(guides.segments.len(), (24 + 25) * FADE);
        for segment in &guides.segments {
            for (p, colour) in [segment.a, segment.b].into_iter().zip(segment.colours) {
                let far = p.distance(centre);
                assert!(far <= 12.0 + 1e-9 && p.z == 0.0);
                assert!(colour[3] <= ((1.0 - far / 12.0) * (1.0 - far / 12.0) + 1e-6) as f32);
            }
            let whole = |x: f64| (x - x.round()).abs() < 1e-9;
            assert!(whole(segment.a.x) && whole(segment.b.x) || whole(segment.a.y));
        }
        // A fine spacing does not give millions of lines.
        guides.clear();
        guides.grid(&Grid { spacing: 1e-6, ..grid });
        assert!(guides.segments.len() <= 2 * 101 * FADE, "{}", guides.segments.len());
    }
}
