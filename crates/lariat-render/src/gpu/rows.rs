//! Strands as the graphics card reads them: rows of numbers, in the order they are drawn.
//!
//! A round strand is a row of knots; the card sweeps the tube between two neighbours itself, with
//! as many sides as its size in the picture deserves. An outlined one is a list of triangles. What
//! is opaque comes first, sorted by its number of sides; what lets something through, because it is
//! thinner than a pixel or a ghost, comes after it from far to near.
//!
//! Tests: `opaque_comes_first_and_the_rest_from_far_to_near`, `no_link_joins_two_strands`,
//! `more_pixels_get_more_sides`, `an_outlined_strand_is_triangles`.

use glam::{DVec2, DVec3};
use lariat_core::geometry::{Profile, Strand, tube::Tube};

use super::pipelines::{Draw, Kind};
use crate::{
    RenderError,
    camera::Sights,
    cpu::{
        segment::Ball,
        world::{Knot, Lamp, finite, lamp, lay},
    },
    material::{Look, Relief, angle_of},
};

/// Numbers per knot and per corner of a triangle; `strand.wgsl` says which.
pub(super) const KNOT: usize = 20;
pub(super) const CORNER: usize = 24;

/// The numbers of sides that tubes are drawn with.
pub(super) const SIDES: [u32; 7] = [4, 6, 8, 12, 16, 24, 48];

/// The most looks in a picture; there are fewer names.
pub(super) const LOOKS: usize = 64;

/// Strands thinner than this, in pixels, let something through. As in `cpu/world.rs`.
const THIN: f64 = 0.6;

/// Strands that are drawn with one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Its pattern.
    pub kind: Kind,
    /// Index into [`SIDES`].
    pub sides: usize,
    /// Knots, from and to.
    pub first: u32,
    pub end: u32,
    /// Whether something shines through.
    pub veiled: bool,
    /// Whether it hides what is drawn after it and is behind.
    pub hides: bool,
}

impl Run {
    pub(super) fn draw(&self) -> Draw {
        match (self.veiled, self.hides) {
            (false, _) => Draw::Tube,
            (true, true) => Draw::Veil,
            (true, false) => Draw::Mist,
        }
    }
}

/// Flat ends or triangles that are drawn with one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub kind: Kind,
    /// Index into [`SIDES`], of ends.
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
    pub looks: Vec<Look>,
    pub lamps: Vec<Lamp>,
    /// The knots of each lamp's own strand.
    pub lamp_knots: Vec<std::ops::Range<usize>>,
    /// The box around everything, from `middle`.
    pub low: DVec3,
    pub high: DVec3,
    pub middle: DVec3,
    /// Links that cast shadows.
    pub links: usize,
    tube: Tube,
    balls: Vec<Ball>,
    laid: Vec<Knot>,
    order: Vec<Place>,
}

/// One strand before it is laid down.
#[derive(Clone, Copy, Debug)]
struct Place {
    index: usize,
    kind: Kind,
    sides: usize,
    veiled: bool,
    hides: bool,
    depth: f64,
}

impl Rows {
    /// Lays out strands as they are seen along `sights`.
    pub(super) fn fill(
        &mut self,
        strands: &[&Strand],
        middle: DVec3,
        sights: &Sights,
    ) -> Result<(), RenderError> {
        self.knots.clear();
        self.runs.clear();
        self.caps.clear();
        self.cap_parts.clear();
        self.corners.clear();
        self.corner_parts.clear();
        self.looks.clear();
        self.lamps.clear();
        self.lamp_knots.clear();
        self.order.clear();
        (self.low, self.high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        self.middle = middle;
        self.links = 0;
        for (index, strand) in strands.iter().enumerate() {
            finite(strand)?;
            if strand.points().len() >= 2 {
                self.order.push(seen(strand, index, sights));
            }
        }
        self.order.sort_by(|a, b| {
            let far_first = b.depth.total_cmp(&a.depth);
            let alike = (a.kind, a.sides).cmp(&(b.kind, b.sides));
            let within = if a.veiled { far_first } else { alike };
            a.veiled.cmp(&b.veiled).then(within).then(a.index.cmp(&b.index))
        });
        let order = std::mem::take(&mut self.order);
        for place in &order {
            self.lay_down(strands[place.index], place);
        }
        self.order = order;
        Ok(())
    }

    fn lay_down(&mut self, strand: &Strand, place: &Place) {
        let look = Look::of(&strand.material);
        let number = self.number_of(&look);
        let first = self.knots.len();
        let reach = strand.profile.reach();
        for (p, r) in strand.points().iter().zip(strand.radius()) {
            self.low = self.low.min(*p - self.middle - r.max(0.0) * reach);
            self.high = self.high.max(*p - self.middle + r.max(0.0) * reach);
        }
        let mut balls = std::mem::take(&mut self.balls);
        let mut laid = std::mem::take(&mut self.laid);
        balls.clear();
        laid.clear();
        let round = strand.profile == Profile::Round;
        lay(strand, round, &mut balls, &mut laid, |_, _| {});
        if round {
            self.lay_tube(strand, place, (&balls, &laid), &look, number);
        } else {
            let first = self.corners.len() as u32;
            self.lay_facets(strand, &laid, &look, number);
            let end = self.corners.len() as u32;
            add(&mut self.corner_parts, Part { kind: place.kind, sides: 0, first, end });
        }
        (self.balls, self.laid) = (balls, laid);
        if look.glow > 0.0 {
            self.lamps.push(lamp(strand, &look, place.index as u32));
            self.lamp_knots.push(first..self.knots.len());
        }
    }

    fn lay_tube(
        &mut self,
        strand: &Strand,
        place: &Place,
        (balls, laid): (&[Ball], &[Knot]),
        look: &Look,
        number: f32,
    ) {
        let first = self.knots.len();
        let length = laid.last().map_or(0.0, |knot| knot.s).max(1e-12);
        for (ball, knot) in balls.iter().zip(laid) {
            self.knots.push(row(ball, knot, self.middle, look, number, length));
        }
        if let Some(last) = self.knots.last_mut() {
            last[KNOT - 1] = 1.0;
        }
        let end = self.knots.len() as u32;
        self.links += balls.len() - 1;
        let Place { kind, sides, veiled, hides, .. } = *place;
        match self.runs.last_mut() {
            Some(run)
                if (run.kind, run.sides, run.veiled, run.hides) == (kind, sides, veiled, hides) =>
            {
                run.end = end;
            }
            _ => self.runs.push(Run { kind, sides, first: first as u32, end, veiled, hides }),
        }
        if !strand.closed && hides {
            for (at, way) in [(first, -1.0), (end as usize - 1, 1.0)] {
                let mut cap = self.knots[at];
                cap[KNOT - 1] = way;
                self.caps.push(cap);
            }
            let end = self.caps.len() as u32;
            add(&mut self.cap_parts, Part { kind, sides, first: end - 2, end });
        }
    }

    fn lay_facets(&mut self, strand: &Strand, laid: &[Knot], look: &Look, number: f32) {
        let mut tube = std::mem::take(&mut self.tube);
        tube.rebuild(strand, 0, true);
        let n = strand.points().len();
        let capped = usize::from(!tube.triangles.is_empty());
        // Rings, then at each end a middle and a rim.
        let around = (tube.positions.len() - 2 * capped) / (n + 2 * capped);
        let length = laid.last().map_or(0.0, |knot| knot.s).max(1e-12);
        let mut push = |corner: u32, cap: bool| {
            let corner = corner as usize;
            let ring = match corner / around {
                ring if ring < n => ring,
                _ if corner < n * around + around + 1 => 0,
                _ => n - 1,
            };
            let (at, knot) = (tube.positions[corner], &laid[ring]);
            let radius = strand.radius()[ring].max(1e-9);
            let frame = strand.frames()[ring].twisted(strand.twist()[ring]);
            let off = (at - strand.points()[ring]) / radius;
            let across = DVec2::new(off.dot(frame.normal()), off.dot(frame.binormal()));
            let (p, out, t) = (at - self.middle, tube.normals[corner], knot.tangent);
            let colour = look.colour;
            let angle = angle_of(across);
            self.corners.push(
                [
                    [p.x, p.y, p.z, radius],
                    [out.x, out.y, out.z, knot.s],
                    [t.x, t.y, t.z, knot.s / length],
                    [across.x, across.y, angle, f64::from(u8::from(cap))],
                    [colour.x, colour.y, colour.z, f64::from(number)],
                    [1.0, 0.0, 0.0, 0.0],
                ]
                .concat_rows(),
            );
        };
        for &[a, b, c, d] in &tube.quads {
            [a, b, c, a, c, d].into_iter().for_each(|corner| push(corner, false));
        }
        for triangle in &tube.triangles {
            triangle.iter().for_each(|corner| push(*corner, true));
        }
        self.links += n - 1;
        self.tube = tube;
    }

    /// The place of a look in the table, colour aside.
    fn number_of(&mut self, look: &Look) -> f32 {
        let same = |other: &Look| Look { colour: look.colour, ..*other } == *look;
        let number = self.looks.iter().position(same).unwrap_or_else(|| {
            if self.looks.len() < LOOKS {
                self.looks.push(*look);
            }
            self.looks.len() - 1
        });
        number as f32
    }
}

/// Joins a part to the one before it if they are alike.
fn add(parts: &mut Vec<Part>, part: Part) {
    match parts.last_mut() {
        Some(last) if (last.kind, last.sides) == (part.kind, part.sides) => last.end = part.end,
        _ => parts.push(part),
    }
}

/// Rows one after the other, in 32 bits.
trait ConcatRows<const N: usize> {
    fn concat_rows(self) -> [f32; N];
}

impl<const R: usize, const N: usize> ConcatRows<N> for [[f64; 4]; R] {
    fn concat_rows(self) -> [f32; N] {
        const { assert!(4 * R == N) };
        std::array::from_fn(|i| self[i / 4][i % 4] as f32)
    }
}

fn row(
    ball: &Ball,
    knot: &Knot,
    middle: DVec3,
    look: &Look,
    number: f32,
    length: f64,
) -> [f32; KNOT] {
    let (p, t, n, colour) = (ball.centre - middle, knot.tangent, knot.normal, look.colour);
    [
        [p.x, p.y, p.z, ball.radius],
        [t.x, t.y, t.z, knot.s],
        [n.x, n.y, n.z, knot.twist / std::f64::consts::TAU],
        [colour.x, colour.y, colour.z, f64::from(number)],
        [knot.growth, knot.s / length, 1.0, 0.0],
    ]
    .concat_rows()
}

/// How a strand is drawn from where it is seen.
fn seen(strand: &Strand, index: usize, sights: &Sights) -> Place {
    let (mut thickest, mut thinnest) = (0.0_f64, f64::INFINITY);
    let mut depth = 0.0;
    for (p, r) in strand.points().iter().zip(strand.radius()) {
        let far = p.distance(sights.eye());
        depth += far;
        let pixels = r.max(0.0) / sights.pixel_at(far).max(1e-12);
        (thickest, thinnest) = (thickest.max(pixels), thinnest.min(pixels));
    }
    let round = strand.profile == Profile::Round;
    Place {
        index,
        kind: kind_of(&Look::of(&strand.material)),
        sides: sides_for(thickest),
        veiled: round && thinnest < THIN,
        hides: thickest >= THIN,
        depth: depth / strand.points().len() as f64,
    }
}

/// Index of the fewest sides whose corners are not seen on a tube of so many pixels' radius: flat
/// sides are two fifths of a pixel off at most, `r (1 − cos(π/n)) ≤ 0.4`, roughly `n ≥ 3.5 √r`.
/// More would be smoother and cost more than it shows: a pixel that several triangles share is
/// shaded for each of them.
fn sides_for(pixels: f64) -> usize {
    let wanted = 3.52 * pixels.max(0.0).sqrt();
    SIDES.iter().position(|n| f64::from(*n) >= wanted).unwrap_or(SIDES.len() - 1)
}

/// The number of a pattern in `relief.wgsl`.
fn kind_of(look: &Look) -> Kind {
    Kind(match look.relief {
        Relief::Smooth => 0,
        Relief::Laid { .. } => 1,
        Relief::Braid => 2,
        Relief::Weave => 3,
        Relief::Leather => 4,
        Relief::Wood => 5,
        Relief::Bulb => 6,
    })
}

/// A look as two rows of the card's table.
pub(super) fn look_rows(look: &Look) -> [[f32; 4]; 2] {
    let (strands, yarns) = match look.relief {
        Relief::Laid { strands, yarns } => (strands as f32, f32::from(u8::from(yarns))),
        _ => (0.0, 0.0),
    };
    let metal = f32::from(u8::from(look.metal));
    [
        [0.0, strands, yarns, look.glow as f32],
        [look.reflect as f32, look.roughness as f32, metal, 0.0],
    ]
}

#[cfg(test)]
mod tests {
    use lariat_core::geometry::{Material, Sweep};

    use super::*;
    use crate::{Camera, Lens, Size};

    fn rope(at: DVec3, radius: f64) -> Strand {
        let material = Material { name: "rope".into(), colour: [0.4, 0.3, 0.2] };
        let mut strand = Strand::empty("rope", material);
        strand.sweep(&[at, at + DVec3::X, at + 2.0 * DVec3::X], &Sweep::round(DVec3::Z, radius));
        strand
    }

    /// As seen from ten metres before the origin, a pixel at a metre being a millimetre.
    fn laid(strands: &[Strand]) -> Rows {
        let camera = Camera {
            eye: DVec3::NEG_Y * 10.0,
            target: DVec3::ZERO,
            up: DVec3::Z,
            lens: Lens::Perspective { angle: 2.0 * lariat_core::num::ops::atan2(0.05, 1.0) },
        };
        let sights = camera.sights(Size::new(100, 100).unwrap()).unwrap();
        let mut rows = Rows::default();
        rows.fill(&strands.iter().collect::<Vec<_>>(), DVec3::ZERO, &sights).unwrap();
        rows
    }

    #[test]
    fn opaque_comes_first_and_the_rest_from_far_to_near() {
        // A pixel is ten to thirteen millimetres large there.
        let thin = |y: f64| rope(DVec3::Y * y, 0.001);
        let rows = laid(&[thin(1.0), rope(DVec3::ZERO, 0.2), thin(3.0), thin(2.0)]);
        let veiled: Vec<bool> = rows.runs.iter().map(|run| run.veiled).collect();
        assert_eq!(veiled, [false, true]);
        assert!(!rows.runs[1].hides);
        let places: Vec<f32> = rows.knots.iter().step_by(3).map(|knot| knot[1]).collect();
        assert_eq!(places, [0.0, 3.0, 2.0, 1.0]);
        assert_eq!(rows.caps.len(), 2, "only the thick one has ends to be seen");
    }

    #[test]
    fn no_link_joins_two_strands() {
        let rows = laid(&[rope(DVec3::ZERO, 0.1), rope(DVec3::Z, 0.1)]);
        let last: Vec<f32> = rows.knots.iter().map(|knot| knot[KNOT - 1]).collect();
        assert_eq!(last, [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
        assert_eq!(rows.links, 4);
        let Run { first, end, .. } = rows.runs[0];
        assert_eq!((rows.runs.len(), first, end), (1, 0, 6), "both are drawn at once");
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
    fn an_outlined_strand_is_triangles() {
        let mut strap = rope(DVec3::ZERO, 0.5);
        strap.profile = Profile::flat(1.0, 0.1);
        let rows = laid(&[strap]);
        assert!(rows.knots.is_empty() && rows.runs.is_empty());
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
