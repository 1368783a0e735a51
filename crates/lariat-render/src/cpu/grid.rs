//! Lists of primitives by cell of a plane, for rays that share an eye or nearly a direction.
//!
//! Most rays from the camera and to the key light meet nothing. A cell of the picture, or of a
//! plane perpendicular to the light, lists all primitives that its rays can meet. An empty list
//! needs no further work; a short one is tested without a tree.
//!
//! Lists are complete: outlines are widened by more than rounding errors, and a ray that hits a
//! primitive finds it in its cell. The picture is therefore the same as with the tree (`world.rs`).
//! Cells with many primitives have no list, and a scene whose primitives cover too many cells has
//! no grid; rays use the tree there.
//!
//! Tests: `a_cell_lists_all_shapes_that_reach_it`, `crowded_cells_have_no_list`,
//! `the_grids_give_the_same_hits_as_the_tree`, `the_light_grid_gives_the_same_shadows_as_the_tree`.

use std::ops::Range;

use glam::{DVec2, DVec3};

use super::{
    samples::TENT,
    world::{Hit, World},
};
use crate::{
    Size,
    camera::{Projection, Ray},
};

/// Largest number of primitives in a list. With more, the tree is faster.
const LIST_MOST: u32 = 64;

/// Mark of a cell without a list.
const CROWDED: u32 = u32::MAX;

/// Average number of primitives per cell above which a grid is not built.
const DENSE: usize = 48;

/// Average length of the lists above which a grid takes too much memory.
const LONG: usize = 8;

/// Pixels along a side of a cell of the picture.
const CELL: u32 = 2;

/// Widening of all outlines, relative to distances, against rounding errors.
const HAIR: f64 = 2e-6;

/// Primitives that a ray can meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Candidates<'a> {
    /// These, in ascending order.
    Few(&'a [u32]),
    /// Any.
    Many,
}

/// Outline of a primitive on a plane: a segment or a triangle, widened.
#[derive(Clone, Copy, Debug)]
struct Outline {
    corners: [DVec2; 3],
    /// 2 or 3.
    count: usize,
    radius: f64,
}

/// The lists.
#[derive(Clone, Debug)]
struct Grid {
    columns: usize,
    rows: usize,
    /// First entry and number of entries of each cell.
    cells: Vec<(u32, u32)>,
    entries: Vec<u32>,
}

impl Grid {
    /// Lists of `count` primitives by their outlines, in units of cells; `None` without an outline.
    /// Returns `None` if too many cells are covered.
    fn build(
        (columns, rows): (usize, usize),
        count: usize,
        outline: impl Fn(u32) -> Option<Outline>,
    ) -> Option<Self> {
        let mut cells = vec![(0, 0u32); columns * rows];
        let most = DENSE * cells.len() + 4 * count;
        let mut covered = 0;
        for index in 0..count as u32 {
            let Some(outline) = outline(index) else { continue };
            outline.rows((columns, rows), |row, range| {
                covered += range.len();
                let row = &mut cells[row * columns..(row + 1) * columns];
                row[range].iter_mut().for_each(|cell| cell.1 += 1);
            });
            if covered > most {
                return None;
            }
        }
        let mut total = 0;
        for cell in &mut cells {
            let listed = if cell.1 <= LIST_MOST { cell.1 } else { 0 };
            *cell = (total, if cell.1 <= LIST_MOST { 0 } else { CROWDED });
            total = u32::saturating_add(total, listed);
        }
        if total as usize > LONG * cells.len() {
            return None;
        }
        let mut entries = vec![0; total as usize];
        for index in 0..count as u32 {
            let Some(outline) = outline(index) else { continue };
            outline.rows((columns, rows), |row, range| {
                let row = &mut cells[row * columns..(row + 1) * columns];
                for (first, listed) in row[range].iter_mut().filter(|cell| cell.1 != CROWDED) {
                    entries[(*first + *listed) as usize] = index;
                    *listed += 1;
                }
            });
        }
        Some(Self { columns, rows, cells, entries })
    }

    #[inline]
    fn at(&self, column: usize, row: usize) -> Candidates<'_> {
        match self.cells[row * self.columns + column] {
            (_, CROWDED) => Candidates::Many,
            (first, count) => {
                Candidates::Few(&self.entries[first as usize..(first + count) as usize])
            }
        }
    }
}

impl Outline {
    /// Calls `visit` with each row that the outline reaches and a range of columns around it.
    fn rows(&self, (columns, rows): (usize, usize), mut visit: impl FnMut(usize, Range<usize>)) {
        let corners = &self.corners[..self.count];
        let low = corners.iter().fold(f64::INFINITY, |y, p| y.min(p.y)) - self.radius;
        let high = corners.iter().fold(f64::NEG_INFINITY, |y, p| y.max(p.y)) + self.radius;
        for row in cells_between(low, high, rows) {
            let (top, bottom) = (row as f64 - self.radius, row as f64 + 1.0 + self.radius);
            let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
            for k in 0..self.count {
                let (p, q) = (corners[k], corners[(k + 1) % self.count]);
                let (p, q) = if p.y <= q.y { (p, q) } else { (q, p) };
                if q.y < top || p.y > bottom {
                    continue;
                }
                // The part of the edge within the row.
                let slope = if q.y > p.y { (q.x - p.x) / (q.y - p.y) } else { 0.0 };
                let a = if p.y < top { p.x + (top - p.y) * slope } else { p.x };
                let b = if q.y > bottom { p.x + (bottom - p.y) * slope } else { q.x };
                (left, right) = (left.min(a).min(b), right.max(a).max(b));
            }
            let range = cells_between(left - self.radius, right + self.radius, columns);
            if !range.is_empty() {
                visit(row, range);
            }
        }
    }
}

/// Cells among `count` that an interval reaches.
fn cells_between(low: f64, high: f64, count: usize) -> Range<usize> {
    // A conversion of a negative number gives 0.
    let end = if high < 0.0 { 0 } else { (high as usize).saturating_add(1).min(count) };
    (low as usize).min(end)..end
}

/// Primitives by position in the picture.
pub(crate) struct ViewGrid {
    grid: Option<Grid>,
}

impl ViewGrid {
    pub(crate) fn new(world: &World, projection: &Projection, size: Size) -> Self {
        let [columns, rows] = [size.width(), size.height()].map(|n| n.div_ceil(CELL) as usize);
        let across = f64::from(size.width().max(size.height()));
        let everywhere = Outline {
            corners: [DVec2::splat(-across), DVec2::new(across, across) * 2.0, DVec2::ZERO],
            count: 2,
            radius: 4.0 * across,
        };
        let [forward, right, up] = projection.axes();
        let pixel = projection.pixel_at(1.0);
        let middle = DVec2::new(f64::from(size.width()), f64::from(size.height())) * 0.5;
        // Slopes of the sides of the picture, a pixel beyond it, and lengths of their normals.
        let edge = (middle + 1.0) * pixel;
        let normal = DVec2::new((1.0 + edge.x * edge.x).sqrt(), (1.0 + edge.y * edge.y).sqrt());
        let outline = |index: u32| {
            let (corners, count, radius) = world.skeleton(index, true);
            let mut outline = Outline { corners: [DVec2::ZERO; 3], count, radius: 0.0 };
            let mut behind = 0;
            let (mut beyond, mut before) = (DVec2::INFINITY, DVec2::INFINITY);
            let mut crosses = false;
            for (flat, corner) in outline.corners[..count].iter_mut().zip(corners) {
                let away = corner - projection.eye();
                let radius = radius + HAIR * away.length();
                let (depth, side) = (away.dot(forward), DVec2::new(away.dot(right), -away.dot(up)));
                if !projection.is_perspective() {
                    *flat = side / pixel;
                    outline.radius = outline.radius.max(radius / pixel);
                    continue;
                }
                // Distances from the sides of the picture.
                beyond = beyond.min(side - edge * depth - normal * radius);
                before = before.min(-side - edge * depth - normal * radius);
                behind += usize::from(depth + radius <= 0.0);
                let nearest = depth - radius;
                if nearest <= 0.0 {
                    crosses = true;
                    continue;
                }
                // A ball moves by at most this much when it is flattened to the plane of the
                // picture.
                let slope = side / depth;
                let wide = radius * (1.0 + slope.dot(slope)).sqrt() / nearest;
                *flat = slope / pixel;
                outline.radius = outline.radius.max(wide / pixel);
            }
            let perspective = projection.is_perspective();
            if perspective && beyond.max(before).max_element() > 0.0 || behind == count {
                return None;
            }
            if crosses {
                return Some(everywhere);
            }
            // Samples reach beyond the edges of a pixel.
            let reach = TENT - 0.5 + 1e-3;
            for corner in &mut outline.corners {
                *corner = (*corner + middle) / f64::from(CELL);
            }
            outline.radius = (outline.radius + reach) / f64::from(CELL);
            Some(outline)
        };
        Self { grid: Grid::build((columns, rows), world.count(), outline) }
    }

    /// Primitives that the rays of a pixel can meet.
    #[inline]
    pub(crate) fn at(&self, x: usize, y: usize) -> Candidates<'_> {
        let cell = CELL as usize;
        self.grid.as_ref().map_or(Candidates::Many, |grid| grid.at(x / cell, y / cell))
    }
}

/// Primitives by position on a plane perpendicular to the key light.
pub(crate) struct LightGrid {
    grid: Option<Grid>,
    /// Towards the light, and the axes of the plane: unit vectors.
    axes: [DVec3; 3],
    /// Corner of the first cell on the plane, and the number of cells per metre.
    corner: DVec2,
    scale: f64,
    /// Least height at which rays may start.
    bottom: f64,
    /// Highest coordinate of each primitive along the light.
    tops: Vec<f32>,
}

impl LightGrid {
    /// For rays towards a disc of radius `wide` at distance 1, from starting points that are not
    /// below `bottom`; with about `cells` cells.
    pub(crate) fn new(
        world: &World,
        axes: [DVec3; 3],
        wide: f64,
        bottom: f64,
        cells: usize,
    ) -> Self {
        let none =
            Self { grid: None, axes, corner: DVec2::ZERO, scale: 1.0, bottom, tops: Vec::new() };
        let [towards, right, up] = axes;
        let rise = towards.z - wide;
        if rise < 0.2 || world.count() == 0 {
            return none;
        }
        let size = (world.high - world.low).abs().max_element();
        let far = world.low.abs().max(world.high.abs()).max_element();
        let hair = HAIR * (far + size + (world.high.z - bottom).max(0.0));
        let outline = |index: u32| {
            let (corners, count, radius) = world.skeleton(index, false);
            let high = corners[..count].iter().fold(f64::NEG_INFINITY, |z, p| z.max(p.z)) + radius;
            // Rays that meet the primitive start at most this far away.
            let most = ((high - bottom) / rise).max(0.0);
            let radius = radius + wide * most + hair;
            let corners = corners.map(|p| DVec2::new(p.dot(right), p.dot(up)));
            Outline { corners, count, radius }
        };
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for index in 0..world.count() as u32 {
            let outline = outline(index);
            for corner in &outline.corners[..outline.count] {
                low = low.min(*corner - outline.radius);
                high = high.max(*corner + outline.radius);
            }
        }
        let extent = (high - low).max(DVec2::splat(hair));
        let scale = (cells as f64 / (extent.x * extent.y)).sqrt();
        let scale = scale.min(cells.min(2048) as f64 / extent.max_element());
        if !(scale.is_finite() && scale > 0.0) {
            return none;
        }
        let [columns, rows] = (extent * scale).to_array().map(|n| n as usize + 1);
        let scaled = |index: u32| {
            let Outline { corners, count, radius } = outline(index);
            let corners = corners.map(|p| (p - low) * scale);
            Some(Outline { corners, count, radius: radius * scale + 1e-6 })
        };
        let top = |index: u32| {
            let (corners, count, radius) = world.skeleton(index, false);
            let along = |p: &DVec3| p.dot(towards);
            let top = corners[..count].iter().map(along).fold(f64::NEG_INFINITY, f64::max);
            (top + radius + hair) as f32
        };
        Self {
            grid: Grid::build((columns, rows), world.count(), scaled),
            corner: low,
            scale,
            tops: (0..world.count() as u32).map(top).collect(),
            ..none
        }
    }

    /// Primitives that rays from a point to the light can meet.
    #[inline]
    pub(crate) fn at(&self, from: DVec3) -> Candidates<'_> {
        let Some(grid) = self.grid.as_ref().filter(|_| from.z >= self.bottom) else {
            return Candidates::Many;
        };
        let [_, right, up] = self.axes;
        let place = (DVec2::new(from.dot(right), from.dot(up)) - self.corner) * self.scale;
        let inside = place.x >= 0.0
            && place.y >= 0.0
            && place.x < grid.columns as f64
            && place.y < grid.rows as f64;
        if inside { grid.at(place.x as usize, place.y as usize) } else { Candidates::Few(&[]) }
    }

    /// One of the candidates that blocks the ray, if there is one.
    #[inline]
    pub(crate) fn blocker(
        &self,
        world: &World,
        candidates: Candidates<'_>,
        from: DVec3,
        direction: DVec3,
        least: f64,
    ) -> Option<u32> {
        match candidates {
            Candidates::Few(list) => {
                let start = from.dot(self.axes[0]) as f32;
                list.iter().copied().find(|&index| {
                    self.tops[index as usize] >= start
                        && world.intersect(index, from, direction, least, false) < f64::INFINITY
                })
            }
            Candidates::Many => world.blocker(from, direction, least, f64::INFINITY),
        }
    }
}

impl World {
    /// First hit of a ray from the camera among candidates, at `least` metres or farther.
    #[inline]
    pub(crate) fn first_among(
        &self,
        candidates: Candidates<'_>,
        ray: Ray,
        least: f64,
    ) -> Option<Hit> {
        let Candidates::Few(list) = candidates else {
            return self.first(ray.origin, ray.direction, least, true);
        };
        let mut best = Hit { t: f64::INFINITY, index: u32::MAX };
        for &index in list {
            let t = self.intersect(index, ray.origin, ray.direction, least, true);
            if t < best.t {
                best = Hit { t, index };
            }
        }
        best.t.is_finite().then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use lariat_core::{
        geometry::{Lens, Look, Profile, Strand, Sweep},
        num::ops,
    };

    use super::*;
    use crate::{Camera, cpu::shade::across, view::DrawnStrand};

    /// Numbers between −1 and 1 that differ for every `k` and `n`.
    fn scattered(k: u32, n: u32) -> f64 {
        ops::sin(f64::from(k) * 0.37 * f64::from(n) + 1.3 * f64::from(n))
    }

    #[test]
    fn a_cell_lists_all_shapes_that_reach_it() {
        let outlines: Vec<Outline> = (0..60)
            .map(|k| {
                let f = |n| scattered(k, n);
                let corner = |n| DVec2::new(10.0 + 13.0 * f(n), 6.0 + 9.0 * f(n + 1));
                Outline {
                    corners: [corner(1), corner(3), corner(5)],
                    count: 2 + (k % 2) as usize,
                    radius: 0.4 * (1.0 + f(7)),
                }
            })
            .collect();
        let chunks = outlines.chunks(12);
        let mut inside = 0;
        for outlines in chunks {
            let outline = |index: u32| Some(outlines[index as usize]);
            let grid = Grid::build((20, 12), outlines.len(), outline).unwrap();
            for k in 0..20_000 {
                let f = |n| 0.5 + 0.5 * scattered(k, n);
                let index = k as usize % outlines.len();
                let Outline { corners: [a, b, c], count, radius } = outlines[index];
                // A point of the segment or the triangle, and one up to the radius away.
                let (u, v) = (f(1), if count == 3 { f(2) } else { 0.0 });
                let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                let away = DVec2::new(ops::cos_turns(f(3)), ops::sin_turns(f(3)));
                let p = a + (b - a) * u + (c - a) * v + away * (radius * f(4));
                if p.x < 0.0 || p.y < 0.0 || p.x >= 20.0 || p.y >= 12.0 {
                    continue;
                }
                inside += 1;
                let Candidates::Few(list) = grid.at(p.x as usize, p.y as usize) else {
                    panic!("12 primitives are few");
                };
                assert!(list.contains(&(index as u32)), "{index} at {p} is not in {list:?}");
                assert!(list.is_sorted());
            }
        }
        assert!(inside > 20_000, "{inside}");
    }

    #[test]
    fn crowded_cells_have_no_list() {
        let dot = Outline { corners: [DVec2::splat(2.5); 3], count: 2, radius: 0.1 };
        let most = LIST_MOST as usize;
        let at = |count: usize, x: usize| {
            let grid = Grid::build((4, 4), count, |_| Some(dot)).unwrap();
            match grid.at(x, 2) {
                Candidates::Few(list) => Some(list.len()),
                Candidates::Many => None,
            }
        };
        assert_eq!((at(most, 2), at(most + 1, 2), at(most + 1, 1)), (Some(most), None, Some(0)));
        // Primitives that cover everything need a tree.
        let large = Outline { radius: 9.0, ..dot };
        assert!(Grid::build((4, 4), 200, |_| Some(large)).is_none());
    }

    fn world(pixel: f64) -> World {
        let rope = |coils: f64, n: u32, radius: f64| {
            let points: Vec<DVec3> = (0..n)
                .map(|i| {
                    let v = coils * f64::from(i) / f64::from(n - 1);
                    DVec3::new(ops::cos_turns(v), ops::sin_turns(v), 0.2 * v)
                })
                .collect();
            let look = Look { name: "rope".into(), colour: [0.5; 3] };
            let mut strand = Strand::empty("rope", look);
            strand.sweep(&points, &Sweep::round(DVec3::Z, radius));
            strand
        };
        let mut strap = rope(2.0, 50, 0.1);
        strap.profile = Profile::flat(0.2, 0.02);
        let strands = [rope(5.0, 90, 0.04), rope(3.0, 40, 0.002), strap];
        let drawn: Vec<DrawnStrand<'_>> = strands.iter().map(DrawnStrand::from).collect();
        World::build(&drawn, &[], DVec3::Z * 0.5, 50.0, |_| pixel).unwrap()
    }

    #[test]
    fn the_grids_give_the_same_hits_as_the_tree() {
        let world = world(0.02);
        let size = Size::new(400, 272).unwrap();
        let camera = |eye: DVec3, lens: Lens| Camera {
            eye,
            target: DVec3::new(0.0, 0.0, 0.5),
            up: DVec3::Z,
            lens,
        };
        let wide = Lens::Perspective { angle: 1.9 };
        let mut lengths = Vec::new();
        for camera in [
            camera(DVec3::new(1.0, -4.0, 2.0), Lens::Perspective { angle: 0.6 }),
            camera(DVec3::new(3.0, 1.0, 1.0), Lens::Orthographic { height: 2.5 }),
            // Among the coils: some are behind the eye, some are beside it.
            camera(DVec3::new(0.5, 0.4, 0.3), wide),
            // Inside a rope.
            camera(DVec3::new(1.02, 0.0, 0.41), wide),
        ] {
            let projection = camera.projection(size).unwrap();
            let grid = ViewGrid::new(&world, &projection, size);
            let mut counts = [0; 3];
            for k in 0..50 * 34 {
                let (x, y) = (k % 50 * 8 + k % 7, k / 50 * 8 + k % 5);
                let among = grid.at(x as usize, y as usize);
                counts[match among {
                    Candidates::Few([]) => 0,
                    Candidates::Few(_) => 1,
                    Candidates::Many => 2,
                }] += 1;
                for n in 1..12 {
                    let at = DVec2::new(scattered(k, n), scattered(k, n + 12)) * TENT + 0.5;
                    let ray = projection.through(f64::from(x) + at.x, f64::from(y) + at.y);
                    let least = if n % 3 == 0 { 2.0 } else { 0.0 };
                    let tree = world.first(ray.origin, ray.direction, least, true);
                    assert_eq!(world.first_among(among, ray, least), tree, "{x} {y}");
                }
            }
            lengths.push(counts);
        }
        assert!(lengths[..3].iter().all(|counts| counts[1] > 100), "{lengths:?}");
    }

    #[test]
    fn the_light_grid_gives_the_same_shadows_as_the_tree() {
        let world = world(0.0);
        let towards = DVec3::new(-0.55, -0.5, 0.95).normalize_or(DVec3::Z);
        let (right, up) = across(towards);
        let (bottom, wide) = (-0.5, 0.03);
        let grid = LightGrid::new(&world, [towards, right, up], wide, bottom, 4000);
        let (mut blocked, mut few, mut empty) = (0, 0, 0);
        for k in 0..40_000 {
            let f = |n| scattered(k, n);
            let height = if k % 2 == 0 { bottom } else { 0.5 + f(3) };
            let from = DVec3::new(1.6 * f(1) + 0.3, 1.6 * f(2) + 0.3, height);
            let disc = DVec2::new(f(4), f(5)) * 0.7;
            let direction = towards + (right * disc.x + up * disc.y) * wide;
            let direction = direction / direction.length();
            let candidates = grid.at(from);
            few += u32::from(matches!(candidates, Candidates::Few(_)));
            empty += u32::from(candidates == Candidates::Few(&[]));
            let tree = world.blocker(from, direction, 1e-9, f64::INFINITY).is_some();
            let found = grid.blocker(&world, candidates, from, direction, 1e-9).is_some();
            assert_eq!(found, tree, "{from}");
            blocked += u32::from(tree);
        }
        assert!(blocked > 2000 && few > 30_000 && empty > 10_000, "{blocked} {few} {empty}");
        // Below the lowest start the lists are not complete, and the tree is used.
        assert_eq!(grid.at(DVec3::Z * (bottom - 0.1)), Candidates::Many);
    }
}
