//! Strands and meshes prepared for rays: pieces of tube and triangles, in a tree of boxes.
//!
//! Round strands stay tubes, divided into pieces (`laid.rs`). Flat and outlined strands become
//! triangles from `geometry::tube`, each with the knots that it lies between. Triangles of meshes
//! come last (`skin.rs`).
//!
//! # Why the picture is the same everywhere
//!
//! The tree (`tree.rs`) is built and traversed in 32 bits, and its shape may change between versions.
//! The result does not depend on it. Boxes are larger than their contents by more than the rounding
//! error of the traversal, so no traversal misses anything, in any order. Hits are computed in 64
//! bits with additions, multiplications, divisions and square roots, which IEEE 754 rounds exactly
//! on every machine. Of two hits at the same distance the first in the list counts. The result is
//! therefore a function of the strands and the ray alone: the nearest hit, the first of equals.
//! Testing all pieces without a tree gives the same bits.
//!
//! Tests: `the_tree_gives_the_same_hits_as_testing_everything`, `the_first_of_equal_hits_wins`,
//! `nothing_and_a_single_point_are_invisible`, `a_shoulder_does_not_bulge`,
//! `strands_thinner_than_a_pixel_are_drawn_wider`, `a_strap_is_hit_on_its_face`.

use glam::DVec3;
use lariat_core::geometry::{Mesh, Profile, Strand, tube::Tube};

use super::{
    segment::{Cut, Piece, PreparedPiece, slant},
    skin::Skin,
    tree::{Ray32, Tree, short_box},
};
use crate::{
    RenderError,
    fray::with_frays,
    laid::{Knot, Lamp, Ring, THIN, finite, finite_mesh, lamp, lay, surface_and_opacity},
    surface::Surface,
    view::{Appearance, DrawnStrand},
};

/// Largest number of pieces in a picture, well within the tree's 32-bit indices.
const MOST: usize = 1 << 29;

/// Extent of a slanting tube in radii, across the longest edge of its box, above which it gets more
/// than one box.
const SLANT: f64 = 6.0;

/// Largest number of boxes of one tube.
const BOXES: f64 = 4.0;

/// Link from knot `first` to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub first: u32,
    pub strand: u32,
    /// Knots at the start and the end of the strand where it is cut off flat, if they are near.
    pub cut: [Option<u32>; 2],
}

/// A triangle of a strand that is not round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    pub corners: [DVec3; 3],
    pub normals: [DVec3; 3],
    /// Knot before it, and its strand.
    pub first: u32,
    pub strand: u32,
    pub cap: bool,
}

/// One strand or mesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    pub finish: Surface,
    pub round: bool,
    pub length: f64,
    /// Opacity where it is not thin, 0–1.
    pub opacity: f64,
    /// Whether its colour is that of its knots.
    pub mapped: bool,
}

/// All strands of a moment.
pub(crate) struct World {
    pub rings: Vec<Ring>,
    /// Radii of the balls at their joints, relative to their radii.
    joints: Vec<f64>,
    /// Radius of each as seen by the camera: at least [`THIN`] pixels.
    pub wide: Vec<f64>,
    pub knots: Vec<Knot>,
    /// A colour per knot, up to the last strand with a map.
    pub colours: Vec<DVec3>,
    pub links: Vec<Link>,
    pub facets: Vec<Facet>,
    pub skin: Skin,
    pub objects: Vec<Object>,
    pub lamps: Vec<Lamp>,
    /// Pieces of tube by link, as seen by the camera.
    shown: Vec<PreparedPiece>,
    /// The same with their own radii; empty if no strand is thinner than a pixel.
    own: Vec<PreparedPiece>,
    /// Facets and triangles of meshes: a corner and the two edges from there.
    triangles: Vec<[DVec3; 3]>,
    tree: Tree,
    /// Bounding box of everything as seen by the camera; empty without strands.
    pub low: DVec3,
    pub high: DVec3,
    /// Origin of the tree's coordinates, at the centre of the scene to preserve 32-bit accuracy.
    middle: DVec3,
}

/// Hit of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// Distance, in metres.
    pub t: f64,
    /// Index: links first, then facets, then triangles of meshes.
    pub index: u32,
}

impl World {
    /// Prepares strands and meshes. Rays may start up to `max_distance` metres from `middle`;
    /// `pixel` gives the size of a pixel at a point.
    pub(crate) fn build(
        strands: &[DrawnStrand<'_>],
        meshes: &[&Mesh],
        middle: DVec3,
        max_distance: f64,
        pixel: impl Fn(DVec3) -> f64,
    ) -> Result<Self, RenderError> {
        let mut world = Self {
            rings: Vec::new(),
            joints: Vec::new(),
            wide: Vec::new(),
            knots: Vec::new(),
            colours: Vec::new(),
            links: Vec::new(),
            facets: Vec::new(),
            skin: Skin::default(),
            objects: Vec::with_capacity(strands.len()),
            lamps: Vec::new(),
            shown: Vec::new(),
            own: Vec::new(),
            triangles: Vec::new(),
            tree: Tree::default(),
            low: DVec3::INFINITY,
            high: DVec3::NEG_INFINITY,
            middle,
        };
        let mut tube = Tube::default();
        for shown in strands {
            shown.check()?;
            finite(shown.strand)?;
            with_frays(shown, |shown| world.add(shown, &mut tube));
        }
        for mesh in meshes {
            finite_mesh(mesh)?;
            let object = world.skin.add(mesh, world.objects.len() as u32);
            world.objects.push(object);
        }
        let pieces = world.count();
        if pieces > MOST {
            return Err(RenderError::TooMany { pieces, most: MOST });
        }
        let shown = |ring: &Ring| ring.radius.max(THIN * pixel(ring.centre));
        world.wide.extend(world.rings.iter().map(shown));
        world.prepare();
        world.build_tree(max_distance);
        Ok(world)
    }

    /// Number of primitives that rays can hit.
    pub(crate) fn count(&self) -> usize {
        self.links.len() + self.facets.len() + self.skin.triangles.len()
    }

    /// Triangle of a mesh by its index in the tree; `None` for other primitives.
    pub(crate) fn on_skin(&self, index: u32) -> Option<usize> {
        (index as usize).checked_sub(self.links.len() + self.facets.len())
    }

    fn add(&mut self, shown: &DrawnStrand<'_>, tube: &mut Tube) {
        let strand = shown.strand;
        let index = self.objects.len() as u32;
        let (finish, opacity) = surface_and_opacity(shown);
        let map = match shown.appearance {
            Appearance::Map(colours) => Some(colours),
            Appearance::Look | Appearance::Ghost { .. } => None,
        };
        let round = strand.profile == Profile::Round;
        let first = self.knots.len() as u32;
        if strand.points().len() >= 2 {
            if map.is_some() {
                self.colours.resize(self.knots.len(), DVec3::ZERO);
            }
            lay(strand, round, |laid| {
                self.rings.push(laid.ring);
                self.knots.push(laid.knot);
                self.colours.extend(map.map(|map| laid.colour(map)));
            });
            if round {
                self.join(first, strand.closed, index);
            } else {
                tube.rebuild(strand, 0, true);
                self.add_facets(strand, tube, first, index);
            }
        }
        let length = self.knots.last().map_or(0.0, |k| k.s);
        self.objects.push(Object { finish, round, length, opacity, mapped: map.is_some() });
        if finish.glow > 0.0 && strand.points().len() >= 2 {
            self.lamps.push(lamp(strand, &finish, index));
        }
    }

    /// Links from knot `first` to the last one.
    fn join(&mut self, first: u32, closed: bool, strand: u32) {
        let last = self.knots.len() as u32 - 1;
        self.joints.resize(self.rings.len(), 1.0);
        for at in first..last {
            let (i, j) = (at as usize, at as usize + 1);
            // The ball at a joint nearer to the end than its radius would protrude.
            let reach = self.rings[i].radius.max(self.rings[j].radius);
            let near = |from: f64, to: f64| !closed && to - from <= reach;
            let cut = [
                near(0.0, self.knots[i].s).then_some(first),
                near(self.knots[j].s, self.knots[last as usize].s).then_some(last),
            ];
            self.links.push(Link { first: at, strand, cut });
            let (a, b) = (self.rings[i], self.rings[j]);
            let long = a.centre.distance(b.centre);
            if long > 0.0 && a.radius != b.radius {
                let room = 1.0 / slant((b.radius - a.radius) / long);
                self.joints[i] = self.joints[i].min(room);
                self.joints[j] = self.joints[j].min(room);
            }
        }
    }

    fn add_facets(&mut self, strand: &Strand, tube: &Tube, first: u32, index: u32) {
        let links = strand.points().len() as u32 - 1;
        let mut push = |corners: [u32; 3], at: u32, cap: bool| {
            self.facets.push(Facet {
                corners: corners.map(|c| tube.positions[c as usize]),
                normals: corners.map(|c| tube.normals[c as usize]),
                first: first + at,
                strand: index,
                cap,
            });
        };
        let around = (tube.quads.len() as u32 / links).max(1);
        for (k, &[a, b, c, d]) in tube.quads.iter().enumerate() {
            let at = (k as u32 / around).min(links - 1);
            push([a, b, c], at, false);
            push([a, c, d], at, false);
        }
        let half = tube.triangles.len() / 2;
        for (k, triangle) in tube.triangles.iter().enumerate() {
            push(*triangle, if k < half { 0 } else { links - 1 }, true);
        }
    }

    /// Builds the tree.
    fn build_tree(&mut self, max_distance: f64) {
        let count = self.count();
        if count == 0 {
            return;
        }
        // A traversal in 32 bits has an error of a few times 2⁻²⁴ of the coordinates.
        for i in 0..count {
            let (low, high) = self.extent(i);
            (self.low, self.high) = (self.low.min(low), self.high.max(high));
        }
        let widest = (self.low - self.middle).abs().max((self.high - self.middle).abs());
        let pad = DVec3::splat(2e-6 * widest.max_element().max(max_distance));
        let (mut boxes, mut owners) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for i in 0..count {
            self.cover(i, pad.x, |low, high| {
                boxes.push(short_box(low - pad - self.middle, high + pad - self.middle));
                owners.push(i as u32);
            });
        }
        self.tree = Tree::build(&boxes, &owners);
    }

    /// Calls `push` with boxes that contain one primitive together. The box of a slanting tube is
    /// mostly empty; several along it are smaller.
    fn cover(&self, index: usize, pad: f64, mut push: impl FnMut(DVec3, DVec3)) {
        let (low, high) = self.extent(index);
        let Some(link) = self.links.get(index) else { return push(low, high) };
        let first = link.first as usize;
        let (a, b) = (self.rings[first].centre, self.rings[first + 1].centre);
        let radius = self.wide[first].max(self.wide[first + 1]);
        let along = (b - a).abs();
        // The second largest extent of the axis: 0 if it is parallel to an edge of the box.
        let slanting = along.element_sum() - along.max_element() - along.min_element();
        let parts = (slanting / (SLANT * (radius + pad))).clamp(1.0, BOXES) as u32;
        if parts == 1 || self.count() > MOST / BOXES as usize {
            return push(low, high);
        }
        let at = |k: u32| a + (b - a) * (f64::from(k) / f64::from(parts));
        for k in 0..parts {
            let (p, q) = (at(k), at(k + 1));
            push(p.min(q) - radius, p.max(q) + radius);
        }
    }

    /// Prepares the pieces of tube and the triangles.
    fn prepare(&mut self) {
        let prepared = |shown: bool| {
            self.links.iter().map(|link| self.piece(link, shown).prepared()).collect()
        };
        let thin = self.rings.iter().zip(&self.wide).any(|(ring, wide)| ring.radius != *wide);
        (self.shown, self.own) = (prepared(true), if thin { prepared(false) } else { Vec::new() });
        let edges = |index: usize| {
            let [a, b, c] = self.corners(index);
            [a, b - a, c - a]
        };
        self.triangles = (self.links.len()..self.count()).map(edges).collect();
    }

    /// Bounding box of one primitive.
    fn extent(&self, index: usize) -> (DVec3, DVec3) {
        if let Some(link) = self.links.get(index) {
            let Piece { a, b, .. } = self.piece(link, true);
            let low = (a.centre - a.radius).min(b.centre - b.radius);
            (low, (a.centre + a.radius).max(b.centre + b.radius))
        } else {
            let [a, b, c] = self.corners(index);
            (a.min(b).min(c), a.max(b).max(c))
        }
    }

    /// Points whose convex hull, widened by a radius, contains one primitive: their positions, their
    /// number and the radius.
    pub(crate) fn skeleton(&self, index: u32, shown: bool) -> ([DVec3; 3], usize, f64) {
        let Some(link) = self.links.get(index as usize) else {
            return (self.corners(index as usize), 3, 0.0);
        };
        let first = link.first as usize;
        let [a, b] = [self.rings[first], self.rings[first + 1]];
        let radius =
            if shown { self.wide[first].max(self.wide[first + 1]) } else { a.radius.max(b.radius) };
        ([a.centre, b.centre, b.centre], 2, radius)
    }

    /// A piece of tube, with its own radius or, if `shown`, as seen by the camera.
    pub(crate) fn piece(&self, link: &Link, shown: bool) -> Piece {
        let first = link.first as usize;
        let ring = |i: usize| {
            let ring = self.rings[i];
            if shown { Ring { radius: self.wide[i], ..ring } } else { ring }
        };
        let cut = |side: usize| {
            let knot = link.cut[side]? as usize;
            let own = knot == first + side;
            Some(Cut { end: ring(knot), along: self.knots[knot].tangent, own })
        };
        let joints = [self.joints[first], self.joints[first + 1]];
        Piece { a: ring(first), b: ring(first + 1), joints, cut: [cut(0), cut(1)] }
    }

    /// Distance at which a ray hits one primitive.
    #[inline]
    pub(crate) fn intersect(
        &self,
        index: u32,
        from: DVec3,
        direction: DVec3,
        least: f64,
        shown: bool,
    ) -> f64 {
        let pieces = if shown || self.own.is_empty() { &self.shown } else { &self.own };
        if let Some(piece) = pieces.get(index as usize) {
            piece.hit(from, direction, least)
        } else {
            triangle(&self.triangles[index as usize - self.links.len()], from, direction, least)
        }
    }

    /// Corners of a facet or of a mesh triangle.
    fn corners(&self, index: usize) -> [DVec3; 3] {
        match self.on_skin(index as u32) {
            Some(triangle) => self.skin.corners(triangle),
            None => self.facets[index - self.links.len()].corners,
        }
    }

    /// First hit of a ray, at `least` metres or farther; with the radii seen by the camera if
    /// `shown`.
    pub(crate) fn first(
        &self,
        from: DVec3,
        direction: DVec3,
        least: f64,
        shown: bool,
    ) -> Option<Hit> {
        let mut best = Hit { t: f64::INFINITY, index: u32::MAX };
        let ray = Ray32::new(from - self.middle, direction);
        self.tree.walk(&ray, f32::INFINITY, |index| {
            let t = self.intersect(index, from, direction, least, shown);
            if t < best.t || (t == best.t && index < best.index) {
                best = Hit { t, index };
            }
            up(best.t)
        });
        best.t.is_finite().then_some(best)
    }

    /// A primitive that blocks the ray within `most` metres, if there is one. Which one of several
    /// depends on the tree.
    pub(crate) fn blocker(
        &self,
        from: DVec3,
        direction: DVec3,
        least: f64,
        most: f64,
    ) -> Option<u32> {
        let mut found = None;
        let ray = Ray32::new(from - self.middle, direction);
        self.tree.walk_unordered(&ray, up(most), |index| {
            if self.intersect(index, from, direction, least, false) >= most {
                return f32::INFINITY;
            }
            found = Some(index);
            f32::NEG_INFINITY
        });
        found
    }

    /// Whether anything blocks the ray within `most` metres.
    #[cfg(test)]
    fn blocked(&self, from: DVec3, direction: DVec3, least: f64, most: f64) -> bool {
        self.blocker(from, direction, least, most).is_some()
    }

    /// The strand of a hit.
    pub(crate) fn strand_of(&self, index: u32) -> u32 {
        match (self.links.get(index as usize), self.on_skin(index)) {
            (Some(link), _) => link.strand,
            (None, Some(triangle)) => self.skin.object_of(triangle),
            (None, None) => self.facets[index as usize - self.links.len()].strand,
        }
    }
}

/// Möller and Trumbore's intersection of a line with a triangle, from either side: a corner and the
/// edges from there.
#[inline]
fn triangle(&[a, e1, e2]: &[DVec3; 3], from: DVec3, direction: DVec3, least: f64) -> f64 {
    // Neighbours share an edge up to rounding; this overlap closes the gap.
    const OVERLAP: f64 = 1e-9;
    let p = direction.cross(e2);
    let det = e1.dot(p);
    if det == 0.0 {
        return f64::INFINITY;
    }
    let w = from - a;
    let u = w.dot(p) / det;
    if !(-OVERLAP..=1.0 + 3.0 * OVERLAP).contains(&u) {
        return f64::INFINITY;
    }
    let q = w.cross(e1);
    let v = direction.dot(q) / det;
    let t = e2.dot(q) / det;
    let inside = v >= -OVERLAP && u + v <= 1.0 + OVERLAP;
    if inside && t >= least { t } else { f64::INFINITY }
}

/// Next 32-bit number that is not smaller.
fn up(t: f64) -> f32 {
    ((t * (1.0 + 4e-7)) as f32).max(f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use lariat_core::{
        geometry::{Look, Sweep},
        num::ops,
    };

    use super::*;

    fn rope(points: &[DVec3], radius: f64) -> Strand {
        let mut strand = Strand::empty("rope", Look { name: "rope".into(), colour: [0.5; 3] });
        strand.sweep(points, &Sweep::round(DVec3::Z, radius));
        strand
    }

    fn helix(coils: f64, n: u32) -> Vec<DVec3> {
        (0..n)
            .map(|i| {
                let v = coils * f64::from(i) / f64::from(n - 1);
                DVec3::new(ops::cos_turns(v), ops::sin_turns(v), 0.2 * v)
            })
            .collect()
    }

    #[test]
    fn the_tree_gives_the_same_hits_as_testing_everything() {
        let (a, b) = (rope(&helix(5.0, 90), 0.04), rope(&helix(3.0, 40), 0.02));
        let mut strap = rope(&helix(2.0, 50), 0.1);
        strap.profile = Profile::flat(0.2, 0.02);
        let world = World::build(
            &[&a, &b, &strap].map(DrawnStrand::from),
            &[],
            DVec3::Z * 0.5,
            50.0,
            |_| 0.0,
        )
        .unwrap();
        let mut hits = 0;
        for k in 0..5000u32 {
            let f = |n: u32| ops::sin(f64::from(k) * 0.31 * f64::from(n) + f64::from(n));
            let from = DVec3::new(f(1), f(2), f(3)) * 40.0;
            let direction =
                (DVec3::new(f(4), f(5), 0.6 * f(6) + 0.5) - from).normalize_or(DVec3::X);
            let slow = (0..(world.links.len() + world.facets.len()) as u32)
                .map(|index| Hit { t: world.intersect(index, from, direction, 0.0, true), index })
                .filter(|hit| hit.t.is_finite())
                .reduce(|a, b| if b.t < a.t { b } else { a });
            assert_eq!(world.first(from, direction, 0.0, true), slow, "{k}");
            hits += u32::from(slow.is_some());
            for most in [20.0, 41.0, 60.0] {
                let blocked = slow.is_some_and(|hit| hit.t < most);
                assert_eq!(world.blocked(from, direction, 0.0, most), blocked, "{k}");
            }
        }
        assert!(hits > 500, "{hits}");
    }

    #[test]
    fn the_first_of_equal_hits_wins() {
        // Many copies of the same rope: the first is hit, regardless of the tree.
        let one = rope(&helix(1.0, 20), 0.1);
        let world =
            World::build(&[DrawnStrand::from(&one); 9], &[], DVec3::ZERO, 10.0, |_| 0.0).unwrap();
        for k in 0..40 {
            let from = DVec3::new(ops::cos_turns(f64::from(k) / 40.0), -5.0, 0.1);
            if let Some(hit) = world.first(from, DVec3::Y, 0.0, true) {
                assert_eq!(world.strand_of(hit.index), 0);
            }
        }
    }

    #[test]
    fn nothing_and_a_single_point_are_invisible() {
        let dot = rope(&[DVec3::ZERO], 0.1);
        for strands in [&[][..], &[DrawnStrand::from(&dot)]] {
            let world = World::build(strands, &[], DVec3::ZERO, 1.0, |_| 0.0).unwrap();
            assert_eq!(world.first(DVec3::Z, DVec3::NEG_Z, 0.0, true), None);
        }
    }

    #[test]
    fn a_shoulder_does_not_bulge() {
        // Widens to a plateau and narrows to a point; tested along its whole length from above.
        let points: Vec<DVec3> = [0.0, 0.3, 0.7, 1.0].map(|x| DVec3::X * x).to_vec();
        let mut bottle = rope(&points, 1.0);
        bottle.set_radius(&[0.1, 0.4, 0.4, 0.05]);
        let world =
            World::build(&[DrawnStrand::from(&bottle)], &[], DVec3::ZERO, 9.0, |_| 0.0).unwrap();
        let profile = |x: f64| match x {
            ..0.3 => 0.1 + x,
            0.3..0.7 => 0.4,
            _ => 0.4 - 0.35 * (x - 0.7) / 0.3,
        };
        for k in 1..100 {
            let x = f64::from(k) / 100.0;
            let hit = world.first(DVec3::new(x, 0.0, 5.0), DVec3::NEG_Z, 0.0, true).unwrap();
            assert!((5.0 - hit.t - profile(x)).abs() < 1e-9, "{} at {x}", 5.0 - hit.t);
        }
    }

    #[test]
    fn strands_thinner_than_a_pixel_are_drawn_wider() {
        let thin = rope(&[DVec3::ZERO, DVec3::X], 0.001);
        let world =
            World::build(&[DrawnStrand::from(&thin)], &[], DVec3::ZERO, 9.0, |_| 0.1).unwrap();
        let from = DVec3::new(0.5, 0.05, 3.0);
        let hit = world.first(from, DVec3::NEG_Z, 0.0, true).unwrap();
        let surface = world.surface(hit, from, DVec3::NEG_Z, 0.1);
        assert!((surface.cover * surface.cover - 0.001 / 0.06).abs() < 1e-12, "{}", surface.cover);
        // Shadow rays use the real radius and miss it.
        assert_eq!(world.first(from, DVec3::NEG_Z, 0.0, false), None);
        assert!(!world.blocked(from, DVec3::NEG_Z, 0.0, 9.0));
    }

    #[test]
    fn a_strap_is_hit_on_its_face() {
        let mut strap = rope(&[DVec3::ZERO, DVec3::X, DVec3::X * 2.0], 0.1);
        strap.profile = Profile::flat(0.2, 0.02);
        let world =
            World::build(&[DrawnStrand::from(&strap)], &[], DVec3::ZERO, 9.0, |_| 0.0).unwrap();
        let hit = world.first(DVec3::new(1.5, 0.05, 3.0), DVec3::NEG_Z, 0.0, true).unwrap();
        assert!((hit.t - 2.99).abs() < 1e-12, "{}", hit.t);
        assert_eq!(world.facets[hit.index as usize].first, 1);
        assert_eq!(world.first(DVec3::new(1.5, 0.11, 3.0), DVec3::NEG_Z, 0.0, true), None);
    }
}
