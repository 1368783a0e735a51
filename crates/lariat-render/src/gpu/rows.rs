//! Strands as buffers for the graphics card, in drawing order.
//!
//! A round strand is a row of knots; the card sweeps the tube between two neighbours, with a number
//! of sides that depends on its size in the picture. An outlined strand is a list of triangles.
//! Opaque strands come first, sorted by their number of sides; translucent ones, thinner than a
//! pixel or ghosts, follow from far to near.
//!
//! Tests: `opaque_strands_come_first_and_others_from_far_to_near`, `no_link_joins_two_strands`,
//! `more_pixels_get_more_sides`, `coarse_tubes_have_fewer_sides_and_knots`, `a_long_link_is_cut`, `an_outlined_strand_is_triangles`.

use std::ops::Range;

use glam::{DVec2, DVec3};
use lariat_core::geometry::{Bounds, Mesh, Profile, Strand, tube::Tube};

use super::{
    pipelines::{Draw, Kind},
    skins::{Skins, balls},
};
use crate::{
    RenderError,
    camera::Projection,
    fray::with_frays,
    laid::{Laid, Lamp, THIN, finite, finite_mesh, lamp, lay, skin_surface, surface_and_opacity},
    surface::{Relief, Surface, angle_of},
    view::{Appearance, DrawnStrand},
};

/// Numbers per knot and per corner of a triangle; `strand.wgsl` describes them.
pub(super) const KNOT: usize = 20;
pub(super) const CORNER: usize = 24;

/// Index in a knot of the position along its strand, 0–1.
const U: usize = 17;

/// Index in a knot of its opacity: 1 except for ghosts and knots that only mark a position.
pub(super) const OPACITY: usize = 18;

/// Numbers of sides of tubes.
pub(super) const SIDES: [u32; 7] = [4, 6, 8, 12, 16, 24, 48];

/// Largest number of surfaces in a picture; there are fewer names.
pub(super) const SURFACES: usize = 64;

/// Minimum number of links of a strand that spans the diagonal of the scene.
const LINKS: f64 = 40.0;

/// Strands drawn with one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Its pattern.
    pub kind: Kind,
    /// Index into [`SIDES`].
    pub sides: usize,
    /// Range of knots.
    pub first: u32,
    pub end: u32,
    pub draw: Draw,
}

/// Flat ends or triangles drawn with one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub draw: Draw,
    pub kind: Kind,
    /// Index into [`SIDES`], for ends.
    pub sides: usize,
    pub first: u32,
    pub end: u32,
}

/// All strands of a moment.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub knots: Vec<[f32; KNOT]>,
    pub runs: Vec<Run>,
    /// Flat ends.
    pub caps: Vec<[f32; KNOT]>,
    pub cap_parts: Vec<Part>,
    pub corners: Vec<[f32; CORNER]>,
    pub corner_parts: Vec<Part>,
    pub skins: Skins,
    /// Surfaces, and whether their colour is a measure that no tint may change.
    pub surfaces: Vec<(Surface, bool)>,
    /// Knots of every round strand that is no ghost: its index, its index into [`SIDES`], its range.
    pub tube_ranges: Vec<(u32, usize, (u32, u32))>,
    /// Corners of every other strand.
    pub corner_ranges: Vec<(u32, (u32, u32))>,
    pub lamps: Vec<Lamp>,
    /// Knots of the strand of each lamp.
    pub lamp_knots: Vec<Range<usize>>,
    /// Bounding box of everything, relative to `middle`.
    pub low: DVec3,
    pub high: DVec3,
    pub middle: DVec3,
    /// Links and triangles of meshes that cast shadows.
    pub links: usize,
    /// Number of knots of tubes; knots that only mark the position of other strands follow.
    pub tubes: usize,
    /// The longest link, in metres.
    longest: f32,
    /// Whether fewer knots and sides are enough.
    coarse: bool,
    tube: Tube,
    /// Unsorted knots, and those of strands that are not round.
    laid: Vec<[f32; KNOT]>,
    hulls: Vec<[f32; KNOT]>,
    order: Vec<Place>,
}

/// One strand before sorting.
#[derive(Clone, Debug)]
struct Place {
    /// Its knots or corners.
    rows: Range<usize>,
    /// Index of its strand, of which it may be a frayed yarn.
    strand: u32,
    round: bool,
    /// Ends that are flat and thick enough to be visible.
    ends: [bool; 2],
    kind: Kind,
    sides: usize,
    draw: Draw,
    depth: f64,
    lamp: Option<Lamp>,
}

impl Rows {
    /// Prepares strands and meshes for a projection, with fewer knots and sides if `coarse`.
    pub(super) fn fill(
        &mut self,
        strands: &[DrawnStrand<'_>],
        meshes: &[&Mesh],
        bounds: &Bounds,
        projection: &Projection,
        coarse: bool,
    ) -> Result<(), RenderError> {
        self.coarse = coarse;
        self.knots.clear();
        self.runs.clear();
        self.caps.clear();
        self.cap_parts.clear();
        self.corners.clear();
        self.corner_parts.clear();
        self.skins.clear();
        self.surfaces.clear();
        self.lamps.clear();
        self.lamp_knots.clear();
        self.tube_ranges.clear();
        self.corner_ranges.clear();
        self.laid.clear();
        self.hulls.clear();
        self.order.clear();
        (self.low, self.high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) =
            if bounds.is_empty() { (DVec3::ZERO, DVec3::ZERO) } else { (bounds.low, bounds.high) };
        self.middle = (low + high) * 0.5;
        self.longest = ((high - low).length() / LINKS).max(1e-6) as f32;
        self.links = 0;
        for (index, drawn) in strands.iter().enumerate() {
            drawn.check()?;
            finite(drawn.strand)?;
            with_frays(drawn, |drawn| {
                if drawn.strand.points().len() >= 2 {
                    self.lay_down(drawn, index as u32, projection);
                }
            });
        }
        for mesh in meshes {
            finite_mesh(mesh)?;
            self.lay_skin(mesh);
        }
        if self.low.x > self.high.x {
            (self.low, self.high) = (DVec3::ZERO, DVec3::ZERO);
        }
        self.put_in_order();
        self.tubes = self.knots.len();
        self.knots.append(&mut self.hulls);
        Ok(())
    }

    fn lay_skin(&mut self, mesh: &Mesh) {
        let surface = self.number_of(&skin_surface(mesh), false);
        for p in mesh.points() {
            self.low = self.low.min(*p - self.middle);
            self.high = self.high.max(*p - self.middle);
        }
        self.links += mesh.shape().triangles().len();
        self.skins.add(mesh, surface, self.middle);
        balls(mesh, self.middle, &mut self.hulls);
    }

    fn lay_down(&mut self, drawn: &DrawnStrand<'_>, strand_index: u32, projection: &Projection) {
        let strand = drawn.strand;
        let (surface, opacity) = surface_and_opacity(drawn);
        let number = self.number_of(&surface, matches!(drawn.appearance, Appearance::Map(_)));
        let reach = strand.profile.reach();
        if !drawn.is_ghost() {
            for (p, r) in strand.points().iter().zip(strand.radius()) {
                self.low = self.low.min(*p - self.middle - r.max(0.0) * reach);
                self.high = self.high.max(*p - self.middle + r.max(0.0) * reach);
            }
        }
        let round = strand.profile == Profile::Round;
        let first = if round { self.laid.len() } else { self.corners.len() };
        // Strands that are not fully opaque cast no shadow, including the densest ghost.
        let opacity = if drawn.is_ghost() { opacity.min(0.999) } else { 1.0 } as f32;
        let paint = Paint { surface: &surface, number, opacity, appearance: drawn.appearance };
        let mut place = place_of(strand, projection, self.coarse);
        if round {
            // Corners between the points of a thin strand are smaller than a pixel.
            let cut = !self.coarse || SIDES[place.sides] > COARSE_SIDES;
            self.lay_tube(strand, &paint, cut);
        } else {
            self.lay_facets(strand, &paint);
        }
        let last = if round { self.laid.len() } else { self.corners.len() };
        if !drawn.is_ghost() {
            self.links += if round { last - first - 1 } else { strand.points().len() - 1 };
        }
        let kind = if drawn.is_ghost() { GHOST } else { kind_of(&surface) };
        if drawn.is_ghost() && round {
            place.draw = Draw::Mist;
        }
        let index = self.order.len() as u32;
        let lamp = (surface.glow > 0.0).then(|| lamp(strand, &surface, index));
        self.order.push(Place { rows: first..last, strand: strand_index, kind, lamp, ..place });
    }

    fn lay_tube(&mut self, strand: &Strand, paint: &Paint<'_>, cut: bool) {
        let first = self.laid.len();
        lay(strand, cut, |laid| {
            let next = paint.knot(laid, self.middle);
            if let Some(last) = self.laid.get(first..).and_then(<[_]>::last).copied() {
                // The sky is evaluated at knots only, so a long link is divided.
                let pieces = (distance(&last, &next) / self.longest).ceil().clamp(1.0, 64.0);
                for k in 1..pieces as usize {
                    let h = k as f32 / pieces;
                    self.laid.push(std::array::from_fn(|i| last[i] + (next[i] - last[i]) * h));
                }
            }
            self.laid.push(next);
        });
        let length = self.laid.last().map_or(0.0, |last| last[U]).max(1e-12);
        for knot in &mut self.laid[first..] {
            knot[U] /= length;
        }
        if let Some(last) = self.laid.last_mut() {
            (last[U], last[KNOT - 1]) = (1.0, 1.0);
        }
    }

    fn lay_facets(&mut self, strand: &Strand, paint: &Paint<'_>) {
        let mut tube = std::mem::take(&mut self.tube);
        tube.rebuild(strand, 0, true);
        let n = strand.points().len();
        let mut knots = Vec::with_capacity(n);
        lay(strand, false, |laid| knots.push(*laid));
        let length = knots.last().map_or(0.0, |laid| laid.knot.s).max(1e-12);
        for laid in &knots {
            let mut hull = paint.knot(laid, self.middle);
            hull[3] *= strand.profile.reach() as f32;
            // Neither visible nor in any map.
            hull[OPACITY] = 0.0;
            self.hulls.push(hull);
        }
        if let Some(last) = self.hulls.last_mut() {
            last[KNOT - 1] = 1.0;
        }
        let capped = usize::from(!tube.triangles.is_empty());
        // Rings, then a centre and a rim at each end.
        let around = (tube.positions.len() - 2 * capped) / (n + 2 * capped);
        let mut push = |corner: u32, cap: bool| {
            let corner = corner as usize;
            let ring = match corner / around {
                ring if ring < n => ring,
                _ if corner < n * around + around + 1 => 0,
                _ => n - 1,
            };
            let (at, laid) = (tube.positions[corner], &knots[ring]);
            let radius = strand.radius()[ring].max(1e-9);
            let frame = strand.frames()[ring].twisted(strand.twist()[ring]);
            let off = (at - strand.points()[ring]) / radius;
            let across = DVec2::new(off.dot(frame.normal()), off.dot(frame.binormal()));
            let (p, out, t) = (at - self.middle, tube.normals[corner], laid.knot.tangent);
            let (knot, colour) = (&laid.knot, paint.colour(laid));
            self.corners.push(
                [
                    [p.x, p.y, p.z, radius],
                    [out.x, out.y, out.z, knot.radii],
                    [t.x, t.y, t.z, knot.s / length],
                    [across.x, across.y, angle_of(across), f64::from(u8::from(cap))],
                    [colour.x, colour.y, colour.z, f64::from(paint.number)],
                    [f64::from(paint.opacity), 0.0, 0.0, 0.0],
                ]
                .concat_rows(),
            );
        };
        for &[a, b, c, d] in &tube.quads {
            for corner in [a, b, c, a, c, d] {
                push(corner, false);
            }
        }
        for triangle in &tube.triangles {
            for corner in triangle {
                push(*corner, true);
            }
        }
        self.tube = tube;
    }

    /// Opaque strands by kind, then the others from far to near.
    fn put_in_order(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        order.sort_by(|a, b| {
            let far_first = b.depth.total_cmp(&a.depth);
            let alike = (a.kind, a.sides).cmp(&(b.kind, b.sides));
            let veiled = |place: &Place| place.draw != Draw::Tube;
            let within = if veiled(a) { far_first } else { alike };
            veiled(a).cmp(&veiled(b)).then(within).then(a.rows.start.cmp(&b.rows.start))
        });
        for place in &order {
            let Place { kind, sides, draw, .. } = *place;
            let (first, end) = (self.knots.len(), self.knots.len() + place.rows.len());
            if let Some(lamp) = place.lamp {
                self.lamps.push(lamp);
                self.lamp_knots.push(if place.round { first..end } else { first..first });
            }
            if !place.round {
                let (first, end) = (place.rows.start as u32, place.rows.end as u32);
                self.corner_parts.push(Part { draw, kind, sides, first, end });
                if kind != GHOST {
                    self.corner_ranges.push((place.strand, (first, end)));
                }
                continue;
            }
            self.knots.extend_from_slice(&self.laid[place.rows.clone()]);
            let (first, end) = (first as u32, end as u32);
            if kind != GHOST {
                self.tube_ranges.push((place.strand, sides, (first, end)));
            }
            match self.runs.last_mut() {
                Some(run) if (run.kind, run.sides, run.draw) == (kind, sides, draw) => {
                    run.end = end;
                }
                _ => self.runs.push(Run { kind, sides, first, end, draw }),
            }
            self.add_caps(place, first as usize, end as usize);
        }
        self.order = order;
    }

    fn add_caps(&mut self, place: &Place, first: usize, end: usize) {
        let Place { kind, sides, .. } = *place;
        let before = self.caps.len() as u32;
        for (k, (at, sign)) in [(first, -1.0), (end - 1, 1.0)].into_iter().enumerate() {
            if place.ends[k] && place.draw != Draw::Mist {
                let mut cap = self.knots[at];
                cap[KNOT - 1] = sign;
                self.caps.push(cap);
            }
        }
        let end = self.caps.len() as u32;
        match self.cap_parts.last_mut() {
            Some(last) if (last.kind, last.sides) == (kind, sides) => last.end = end,
            _ if end == before => {}
            _ => self.cap_parts.push(Part { draw: Draw::Cap, kind, sides, first: before, end }),
        }
    }

    /// Index of a surface in the table, without its colour.
    fn number_of(&mut self, surface: &Surface, mapped: bool) -> f32 {
        let same = |(other, map): &(Surface, bool)| {
            Surface { colour: surface.colour, ..*other } == *surface && *map == mapped
        };
        let number = self.surfaces.iter().position(same).unwrap_or_else(|| {
            if self.surfaces.len() < SURFACES {
                self.surfaces.push((*surface, mapped));
            }
            self.surfaces.len() - 1
        });
        number as f32
    }
}

/// Surface, opacity and colours of a strand.
#[derive(Clone, Copy)]
struct Paint<'a> {
    surface: &'a Surface,
    number: f32,
    opacity: f32,
    appearance: Appearance<'a>,
}

impl Paint<'_> {
    fn colour(&self, laid: &Laid) -> DVec3 {
        match self.appearance {
            Appearance::Map(map) => laid.colour(map),
            Appearance::Look | Appearance::Ghost { .. } => self.surface.colour,
        }
    }

    /// Row of a knot, with metres instead of 0–1 along the strand.
    fn knot(&self, laid: &Laid, middle: DVec3) -> [f32; KNOT] {
        let (p, t, n) = (laid.ring.centre - middle, laid.knot.tangent, laid.knot.normal);
        let colour = self.colour(laid);
        let twist = laid.knot.twist / std::f64::consts::TAU;
        [
            [p.x, p.y, p.z, laid.ring.radius],
            [t.x, t.y, t.z, laid.knot.radii],
            [n.x, n.y, n.z, twist],
            [colour.x, colour.y, colour.z, f64::from(self.number)],
            [laid.knot.growth, laid.knot.s, f64::from(self.opacity), 0.0],
        ]
        .concat_rows()
    }
}

/// Distance between two knots.
fn distance(a: &[f32; KNOT], b: &[f32; KNOT]) -> f32 {
    let off = [0, 1, 2].map(|i| a[i] - b[i]);
    off.iter().map(|x| x * x).sum::<f32>().sqrt()
}

/// Concatenates rows as 32-bit numbers.
trait ConcatRows<const N: usize> {
    fn concat_rows(self) -> [f32; N];
}

impl<const R: usize, const N: usize> ConcatRows<N> for [[f64; 4]; R] {
    fn concat_rows(self) -> [f32; N] {
        const { assert!(4 * R == N) };
        std::array::from_fn(|i| self[i / 4][i % 4] as f32)
    }
}

/// Way of drawing a strand for a projection.
fn place_of(strand: &Strand, projection: &Projection, coarse: bool) -> Place {
    let (mut thickest, mut thinnest) = (0.0_f64, f64::INFINITY);
    let mut depth = 0.0;
    let pixels_at = |p: DVec3, r: f64| {
        r.max(0.0) / projection.pixel_at(p.distance(projection.eye())).max(1e-12)
    };
    for (p, r) in strand.points().iter().zip(strand.radius()) {
        depth += p.distance(projection.eye());
        let pixels = pixels_at(*p, *r);
        (thickest, thinnest) = (thickest.max(pixels), thinnest.min(pixels));
    }
    let round = strand.profile == Profile::Round;
    let closed = matches!(strand.profile, Profile::Closed(_));
    Place {
        rows: 0..0,
        strand: 0,
        round,
        ends: [0, strand.points().len() - 1]
            .map(|i| !strand.closed && pixels_at(strand.points()[i], strand.radius()[i]) >= THIN),
        kind: Kind(0),
        sides: sides_for(if coarse { COARSE * thickest } else { thickest }),
        draw: match (thinnest < THIN, thickest < THIN) {
            _ if closed => Draw::Shell,
            _ if !round => Draw::Facet,
            (false, _) => Draw::Tube,
            (true, false) => Draw::Veil,
            (true, true) => Draw::Mist,
        },
        depth: depth / strand.points().len() as f64,
        lamp: None,
    }
}

/// Index of the smallest number of sides whose corners are invisible on a tube with a radius of
/// this many pixels: the error is at most two fifths of a pixel, `r (1 − cos(π/n)) ≤ 0.4`, roughly
/// `n ≥ 3.5 √r`. More sides would be smoother but cost more: a pixel that several triangles share
/// is shaded for each of them.
fn sides_for(pixels: f64) -> usize {
    let wanted = 3.52 * pixels.max(0.0).sqrt();
    SIDES.iter().position(|n| f64::from(*n) >= wanted).unwrap_or(SIDES.len() - 1)
}

/// Factor on the radius of a coarse tube for its number of sides: the error is at most one pixel.
const COARSE: f64 = 0.4;

/// Largest number of sides of a coarse tube whose bends need no more knots than the strand has
/// points; its radius is at most seven pixels.
const COARSE_SIDES: u32 = 6;

/// Pattern number of ghosts: no pattern, no light and no shadow.
pub(super) const GHOST: Kind = Kind(7);

/// Pattern number of meshes, which cast and receive shadows by their surface instead of their axis.
pub(super) const SKIN: Kind = Kind(8);

/// Number of a pattern in `relief.wgsl`.
fn kind_of(surface: &Surface) -> Kind {
    Kind(match surface.relief {
        Relief::Smooth => 0,
        Relief::Laid { .. } => 1,
        Relief::Braid => 2,
        Relief::Weave => 3,
        Relief::Leather => 4,
        Relief::Wood => 5,
        Relief::Bulb => 6,
    })
}

/// A surface as two rows of the card's table.
pub(super) fn surface_rows((surface, mapped): &(Surface, bool)) -> [[f32; 4]; 2] {
    let (strands, yarns) = match surface.relief {
        Relief::Laid { strands, yarns } => (strands as f32, f32::from(u8::from(yarns))),
        _ => (0.0, 0.0),
    };
    let metal = f32::from(u8::from(surface.metal));
    [
        [strands, yarns, surface.glow as f32, 0.0],
        [surface.reflect as f32, surface.roughness as f32, metal, f32::from(u8::from(*mapped))],
    ]
}

#[cfg(test)]
mod tests {
    use lariat_core::geometry::{Look, Sweep};

    use super::*;
    use crate::{Camera, Lens, Size};

    fn rope(at: DVec3, radius: f64) -> Strand {
        let look = Look { name: "rope".into(), colour: [0.4, 0.3, 0.2] };
        let mut strand = Strand::empty("rope", look);
        strand.sweep(&[at, at + DVec3::X, at + 2.0 * DVec3::X], &Sweep::round(DVec3::Z, radius));
        strand
    }

    /// Seen from ten metres in front of the origin; a pixel at one metre is a millimetre.
    fn laid(strands: &[Strand]) -> Rows {
        let camera = Camera {
            eye: DVec3::NEG_Y * 10.0,
            target: DVec3::ZERO,
            up: DVec3::Z,
            lens: Lens::Perspective { angle: 2.0 * lariat_core::num::ops::atan2(0.05, 1.0) },
        };
        let projection = camera.projection(Size::new(100, 100).unwrap()).unwrap();
        let mut rows = Rows::default();
        let drawn: Vec<DrawnStrand<'_>> = strands.iter().map(DrawnStrand::from).collect();
        // A box so large that no link is divided.
        let bounds = Bounds { low: -DVec3::splat(99.0), high: DVec3::splat(99.0) };
        rows.fill(&drawn, &[], &bounds, &projection, false).unwrap();
        rows
    }

    #[test]
    fn opaque_strands_come_first_and_others_from_far_to_near() {
        // A pixel is ten to thirteen millimetres there.
        let thin = |y: f64| rope(DVec3::Y * y, 0.001);
        let rows = laid(&[thin(1.0), rope(DVec3::ZERO, 0.2), thin(3.0), thin(2.0)]);
        let draws: Vec<Draw> = rows.runs.iter().map(|run| run.draw).collect();
        assert_eq!(draws, [Draw::Tube, Draw::Mist]);
        let places: Vec<f32> = rows.knots.iter().step_by(3).map(|knot| knot[1]).collect();
        assert_eq!(places, [0.0, 3.0, 2.0, 1.0]);
        assert_eq!(rows.caps.len(), 2, "only the thick strand has visible ends");
    }

    #[test]
    fn no_link_joins_two_strands() {
        let rows = laid(&[rope(DVec3::ZERO, 0.1), rope(DVec3::Z, 0.1)]);
        let last: Vec<f32> = rows.knots.iter().map(|knot| knot[KNOT - 1]).collect();
        assert_eq!(last, [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
        assert_eq!(rows.links, 4);
        let Run { first, end, .. } = rows.runs[0];
        assert_eq!((rows.runs.len(), first, end), (1, 0, 6), "both are drawn with one call");
    }

    #[test]
    fn more_pixels_get_more_sides() {
        let sides: Vec<u32> =
            [0.1, 1.0, 3.0, 10.0, 100.0, 1e9].map(|pixels| SIDES[sides_for(pixels)]).to_vec();
        assert_eq!(sides, [4, 4, 8, 12, 48, 48]);
        for pixels in [1.0, 3.0, 7.0, 20.0, 60.0] {
            let n = f64::from(SIDES[sides_for(pixels)]);
            let off = pixels * (1.0 - lariat_core::num::ops::cos_turns(0.5 / n));
            assert!(off <= 0.41, "{off} pixels with {n} sides at {pixels}");
        }
    }

    #[test]
    fn coarse_tubes_have_fewer_sides_and_knots() {
        let mut bent = rope(DVec3::ZERO, 0.1);
        let points = [DVec3::ZERO, DVec3::new(1.0, 0.0, 0.3), DVec3::new(2.0, 0.0, 0.0)];
        let counts = [0.05, 0.5].map(|radius| {
            bent.sweep(&points, &Sweep::round(DVec3::Z, radius));
            let camera = Camera {
                eye: DVec3::NEG_Y * 10.0,
                target: DVec3::ZERO,
                up: DVec3::Z,
                lens: Lens::Orthographic { height: 4.0 },
            };
            let projection = camera.projection(Size::new(400, 400).unwrap()).unwrap();
            let bounds = Bounds { low: -DVec3::splat(99.0), high: DVec3::splat(99.0) };
            [false, true].map(|coarse| {
                let mut rows = Rows::default();
                let drawn = [DrawnStrand::from(&bent)];
                rows.fill(&drawn, &[], &bounds, &projection, coarse).unwrap();
                (SIDES[rows.runs[0].sides], rows.knots.len() > 3)
            })
        });
        // Radii of 5 and 50 pixels: the thick one keeps its knots.
        assert_eq!(counts, [[(8, true), (6, false)], [(48, true), (16, true)]]);
    }

    #[test]
    fn a_long_link_is_cut() {
        let mut mast = rope(DVec3::ZERO, 0.1);
        mast.sweep(&[DVec3::ZERO, DVec3::Z * 4.0], &Sweep::round(DVec3::X, 0.1));
        let camera = Camera::framing(&Bounds::of(&mast), DVec3::Y, 1.0);
        let projection = camera.projection(Size::new(9, 9).unwrap()).unwrap();
        let mut rows = Rows::default();
        rows.fill(&[DrawnStrand::from(&mast)], &[], &Bounds::of(&mast), &projection, false)
            .unwrap();
        assert_eq!(rows.knots.len(), 40);
        for (k, knot) in rows.knots.iter().enumerate() {
            let u = k as f32 / 39.0;
            assert!((knot[2] - (4.0 * u - 2.0)).abs() < 1e-5 && (knot[17] - u).abs() < 1e-5);
        }
    }

    #[test]
    fn an_outlined_strand_is_triangles() {
        let mut strap = rope(DVec3::ZERO, 0.5);
        strap.profile = Profile::flat(1.0, 0.1);
        let rows = laid(&[strap]);
        assert!(rows.tubes == 0 && rows.runs.is_empty());
        assert_eq!(rows.knots.len(), 3, "knots that mark its position");
        // Two links of four faces, and two ends of four triangles.
        assert_eq!(rows.corners.len(), 3 * (2 * 2 * 4 + 2 * 4));
        for corner in &rows.corners {
            let (x, y) = (corner[12].abs(), corner[13].abs());
            let middle = corner[15] > 0.5 && x < 1e-6 && y < 1e-6;
            assert!(middle || ((x - 0.1).abs() < 1e-6 && (y - 1.0).abs() < 1e-6), "{x} {y}");
        }
        assert_eq!(
            (rows.low.y, rows.high.x),
            (-0.5 * 1.01_f64.sqrt(), 2.0 + 0.5 * 1.01_f64.sqrt())
        );
    }
}
