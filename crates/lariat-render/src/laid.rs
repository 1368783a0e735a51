//! Preparation of strands and meshes, shared by all renderers: checks, appearance, and knots along
//! a strand.
//!
//! Between two points a round strand follows the cubic with the tangents at these points, divided
//! so that no two pieces meet at more than [`BEND`].
//!
//! Tests: `a_bent_strand_is_cut_finer`, `values_that_are_not_finite_are_named`,
//! `a_pattern_stays_whole_where_a_strand_widens`, `a_pattern_stays_where_it_is_when_a_rope_tears`.

use glam::DVec3;
use lariat_core::{
    geometry::{Mesh, Strand},
    num::ops,
};

use crate::{
    RenderError,
    camera::FARTHEST,
    surface::{Relief, SOCKET, Surface},
    view::{Appearance, DrawnStrand},
};

/// Largest angle between two pieces of a tube, in radians: 7 degrees, which at the outline of a
/// rope of 20 pixels is a fiftieth of a pixel.
const BEND: f64 = 0.122;

/// Angle above which a turn between two points stays a kink, in radians.
const KINK: f64 = 1.3;

/// Largest number of pieces between two points.
const CUTS: f64 = 8.0;

/// Smallest radius of strands in a picture, in pixels. Thinner strands are widened to it and made
/// translucent: a distant rope is a faint line instead of a row of dashes.
pub(crate) const THIN: f64 = 0.6;

/// A point along a strand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knot {
    pub tangent: DVec3,
    pub normal: DVec3,
    /// Metres from the start.
    pub s: f64,
    /// Arc length in local radii. Patterns use it, so that they keep their proportions where a
    /// strand widens.
    pub radii: f64,
    pub twist: f64,
    /// Growth of the radius along the strand.
    pub growth: f64,
}

/// A cross-section: its centre and its radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ring {
    pub centre: DVec3,
    pub radius: f64,
}

/// A knot and its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Laid {
    pub ring: Ring,
    pub knot: Knot,
    /// The point of the strand before it, and the position towards the next, 0–1.
    pub point: usize,
    pub h: f64,
}

impl Laid {
    /// Interpolated colour of a map.
    pub(crate) fn colour(&self, map: &[[f32; 3]]) -> DVec3 {
        let here = wide(map[self.point]);
        if self.h > 0.0 { here.lerp(wide(map[self.point + 1]), self.h) } else { here }
    }
}

/// A light source: a bulb.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lamp {
    pub centre: DVec3,
    pub radius: f64,
    pub colour: DVec3,
    pub strand: u32,
}

/// Surface and opacity of a strand with its appearance.
pub(crate) fn surface_and_opacity(drawn: &DrawnStrand<'_>) -> (Surface, f64) {
    let surface = Surface::of(&drawn.strand.look);
    match drawn.appearance {
        Appearance::Look => (surface, 1.0),
        Appearance::Map(_) => {
            (Surface { reflect: 0.03, roughness: 0.9, metal: false, glow: 0.0, ..surface }, 1.0)
        }
        Appearance::Ghost { tint, opacity } => {
            let colour = wide(tint.map(|c| c.max(0.0)));
            let smooth = Relief::Smooth;
            let surface = Surface { colour, relief: smooth, metal: false, glow: 0.0, ..surface };
            (surface, f64::from(opacity.clamp(0.0, 1.0)))
        }
    }
}

/// Calls `each` with the knots along a strand, divided at bends if `cut`.
pub(crate) fn lay(strand: &Strand, cut: bool, mut each: impl FnMut(&Laid)) {
    let (points, frames) = (strand.points(), strand.frames());
    let (radius, twist) = (strand.radius(), strand.twist());
    let last = points.len() - 1;
    let growth = |i: usize| {
        let (before, after) = (i.saturating_sub(1), (i + 1).min(last));
        let chord_length = points[before].distance(points[after]);
        if chord_length > 0.0 { (radius[after] - radius[before]) / chord_length } else { 0.0 }
    };
    let (mut s, mut radii) = (0.0, 0.0);
    // The pattern of a rope that may tear belongs to positions of the whole rope: it stretches with
    // it, and does not move when the rope tears before it.
    let of_whole = strand.piece.map(|piece| {
        let length: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        move |s: f64| piece.radii * piece.place(if length > 0.0 { s / length } else { 0.0 })
    });
    let counted = |s: f64, radii: f64| of_whole.as_ref().map_or(radii, |place| place(s));
    for i in 0..=last {
        if i > 0 {
            let chord_length = points[i - 1].distance(points[i]);
            (s, radii) =
                (s + chord_length, radii + in_radii(chord_length, radius[i - 1], radius[i]));
        }
        each(&Laid {
            ring: Ring { centre: points[i], radius: radius[i].max(0.0) },
            knot: Knot {
                tangent: frames[i].tangent(),
                normal: frames[i].normal(),
                s,
                radii: counted(s, radii),
                twist: twist[i],
                growth: growth(i),
            },
            point: i,
            h: 0.0,
        });
        if i == last || !cut {
            continue;
        }
        let (p0, p1) = (points[i], points[i + 1]);
        let (t0, t1) = (frames[i].tangent(), frames[i + 1].tangent());
        let chord = p1 - p0;
        let Some(along) = chord.try_normalize() else { continue };
        let Some(pieces) = pieces(t0, along, t1) else { continue };
        let chord_length = chord.length();
        for k in 1..pieces as usize {
            let h = k as f64 / pieces;
            let mix = |a: f64, b: f64| a + (b - a) * h;
            let (centre, tangent) = cubic(p0, p1, t0 * chord_length, t1 * chord_length, h);
            let tangent = tangent.normalize_or(along);
            let normal = frames[i].normal().lerp(frames[i + 1].normal(), h);
            let normal = (normal - tangent * tangent.dot(normal)).normalize_or(normal);
            each(&Laid {
                ring: Ring { centre, radius: mix(radius[i], radius[i + 1]).max(0.0) },
                knot: Knot {
                    tangent,
                    normal,
                    s: s + chord_length * h,
                    radii: counted(
                        s + chord_length * h,
                        radii + in_radii(chord_length, radius[i], radius[i + 1]) * h,
                    ),
                    twist: mix(twist[i], twist[i + 1]),
                    growth: mix(growth(i), growth(i + 1)),
                },
                point: i,
                h,
            });
        }
    }
}

/// Number of pieces between two points with these tangents, or `None` if the chord stays whole.
fn pieces(t0: DVec3, along: DVec3, t1: DVec3) -> Option<f64> {
    let turn = angle(t0, along).max(angle(along, t1)) * 2.0;
    (turn > BEND && turn <= 2.0 * KINK).then(|| (turn / BEND).ceil().min(CUTS))
}

/// Calls `each` with the cross-sections from point `i` of a round strand to the next, and their
/// positions between the two, 0–1; the same that [`lay`] gives.
pub(crate) fn lay_link(strand: &Strand, i: usize, mut each: impl FnMut(Ring, f64)) {
    let (points, frames, radius) = (strand.points(), strand.frames(), strand.radius());
    let (p0, p1) = (points[i], points[i + 1]);
    each(Ring { centre: p0, radius: radius[i].max(0.0) }, 0.0);
    let (t0, t1) = (frames[i].tangent(), frames[i + 1].tangent());
    let chord = p1 - p0;
    let pieces = chord.try_normalize().and_then(|along| pieces(t0, along, t1));
    let chord_length = chord.length();
    for k in 1..pieces.unwrap_or(1.0) as usize {
        let h = k as f64 / pieces.unwrap_or(1.0);
        let (centre, _) = cubic(p0, p1, t0 * chord_length, t1 * chord_length, h);
        let radius = (radius[i] + (radius[i + 1] - radius[i]) * h).max(0.0);
        each(Ring { centre, radius }, h);
    }
    each(Ring { centre: p1, radius: radius[i + 1].max(0.0) }, 1.0);
}

/// Length in radii, where the radius changes linearly.
fn in_radii(length: f64, from: f64, to: f64) -> f64 {
    length / (0.5 * (from.max(0.0) + to.max(0.0))).max(1e-9)
}

/// A colour as 64-bit numbers.
fn wide([r, g, b]: [f32; 3]) -> DVec3 {
    DVec3::new(r.into(), g.into(), b.into())
}

/// Whether a number is too large or not finite.
fn beyond(x: f64) -> bool {
    x.is_nan() || x.abs() > FARTHEST
}

/// Checks that all values of a strand are finite.
pub(crate) fn finite(strand: &Strand) -> Result<(), RenderError> {
    let refuse = |what, point, value| {
        Err(RenderError::NotFinite { strand: strand.name.to_string(), point, what, value })
    };
    for (i, p) in strand.points().iter().enumerate() {
        if let Some(value) = p.to_array().into_iter().find(|x| beyond(*x)) {
            return refuse("position", i, value);
        }
    }
    for (what, row) in [("radius", strand.radius()), ("twist", strand.twist())] {
        if let Some(i) = row.iter().position(|x| beyond(*x)) {
            return refuse(what, i, row[i]);
        }
    }
    for (i, frame) in strand.frames().iter().enumerate() {
        let sum = frame.tangent() + frame.normal();
        if !sum.is_finite() {
            return refuse("frame", i, sum.x + sum.y + sum.z);
        }
    }
    Ok(())
}

/// Checks that all positions of a mesh are finite.
pub(crate) fn finite_mesh(mesh: &Mesh) -> Result<(), RenderError> {
    for (point, p) in mesh.points().iter().enumerate() {
        if let Some(value) = p.to_array().into_iter().find(|x| beyond(*x)) {
            return Err(RenderError::MeshNotFinite { mesh: mesh.name.to_string(), point, value });
        }
    }
    Ok(())
}

/// Positions of the points of a mesh in the timber that it was cut from, if it shows its grain.
pub(crate) fn timber_of(mesh: &Mesh) -> Option<&[DVec3]> {
    let wooden = Surface::of(&mesh.look).relief == Relief::Wood && mesh.colours().is_none();
    mesh.shape().grain().filter(|_| wooden)
}

/// Surface of a mesh. Patterns follow strands, so a mesh has none; it does not glow.
pub(crate) fn skin_surface(mesh: &Mesh) -> Surface {
    Surface { relief: Relief::Smooth, glow: 0.0, ..Surface::of(&mesh.look) }
}

/// Centre of the glass, and its brightness.
pub(crate) fn lamp(strand: &Strand, surface: &Surface, index: u32) -> Lamp {
    let points = strand.points();
    let start = points.first().copied().unwrap_or_default();
    // A bulb is straight.
    let length = points.last().map_or(0.0, |end| end.distance(start));
    let is_glass = |p: &DVec3| p.distance(start) >= SOCKET * length;
    let glass = points.iter().zip(strand.radius()).filter(|(p, _)| is_glass(p));
    let (count, sum, radius) = glass.fold((0.0, DVec3::ZERO, 0.0_f64), |(n, sum, most), (p, r)| {
        (n + 1.0, sum + *p, most.max(*r))
    });
    let centre = if count > 0.0 { sum / count } else { start };
    Lamp { centre, radius, colour: surface.colour * surface.glow, strand: index }
}

/// Hermite cubic from `p0` to `p1` with these derivatives, and its derivative.
fn cubic(p0: DVec3, p1: DVec3, d0: DVec3, d1: DVec3, h: f64) -> (DVec3, DVec3) {
    let (h2, h3) = (h * h, h * h * h);
    let at = p0 * (2.0 * h3 - 3.0 * h2 + 1.0)
        + d0 * (h3 - 2.0 * h2 + h)
        + p1 * (3.0 * h2 - 2.0 * h3)
        + d1 * (h3 - h2);
    let derivative = (p1 - p0) * (6.0 * h - 6.0 * h2)
        + d0 * (3.0 * h2 - 4.0 * h + 1.0)
        + d1 * (3.0 * h2 - 2.0 * h);
    (at, derivative)
}

fn angle(a: DVec3, b: DVec3) -> f64 {
    ops::atan2(a.cross(b).length(), a.dot(b))
}

#[cfg(test)]
mod tests {
    use lariat_core::geometry::{Look, RopePiece, Sweep};

    use super::*;

    fn rope(points: &[DVec3], radius: f64) -> Strand {
        let mut strand = Strand::empty("rope", Look { name: "rope".into(), colour: [0.5; 3] });
        strand.sweep(points, &Sweep::round(DVec3::Z, radius));
        strand
    }

    fn knots(strand: &Strand) -> Vec<Laid> {
        let mut knots = Vec::new();
        lay(strand, true, |laid| knots.push(*laid));
        knots
    }

    #[test]
    fn values_that_are_not_finite_are_named() {
        let message = |strand: &Strand| finite(strand).unwrap_err().to_string();
        assert_eq!(
            message(&rope(&[DVec3::ZERO, DVec3::new(1.0, f64::NAN, 0.0)], 0.1)),
            "position of strand `rope` is NaN at point 1; expected a finite number"
        );
        let error = message(&rope(&[DVec3::ZERO, DVec3::X], f64::INFINITY));
        assert!(error.contains("radius of strand `rope` is inf at point 0"), "{error}");
        assert!(finite(&rope(&[DVec3::ZERO, DVec3::X * 1e200], 0.1)).is_err());
        assert!(finite(&rope(&[DVec3::ZERO, DVec3::X], 0.1)).is_ok());
    }

    #[test]
    fn a_bent_strand_is_cut_finer() {
        // A helix of radius 1, with 30 degrees per step.
        let helix: Vec<DVec3> = (0..13)
            .map(|i| f64::from(i) / 12.0)
            .map(|u| DVec3::new(ops::cos_turns(u), ops::sin_turns(u), u))
            .collect();
        let laid = knots(&rope(&helix, 0.02));
        assert!(laid.len() > 12 * 4, "{}", laid.len());
        for pair in laid.windows(2) {
            assert!(angle(pair[0].knot.tangent, pair[1].knot.tangent) < 1.3 * BEND);
        }
        // It deviates from the helix much less than its chords, which are 3.4 cm inside.
        for Laid { ring, .. } in &laid {
            let off = ring.centre.truncate().length() - 1.0;
            assert!(off.abs() < 4e-3, "{off}");
        }
        assert_eq!(knots(&rope(&[DVec3::ZERO, DVec3::X, DVec3::X * 2.0], 0.02)).len(), 3);
    }

    #[test]
    fn a_pattern_stays_where_it_is_when_a_rope_tears() {
        // Two metres of rope stretched to three, and torn after a quarter.
        let whole = RopePiece::whole(2.0, 0.1);
        let points: Vec<DVec3> = (0..=8).map(|i| DVec3::X * (0.375 * f64::from(i))).collect();
        let mut rope_there = rope(&points, 0.08);
        rope_there.piece = Some(whole);
        let mut piece = rope(&points[2..], 0.08);
        piece.piece = Some(whole.part(0.25, 1.0));
        let (before, after) = (knots(&rope_there), knots(&piece));
        for (a, b) in before[2..].iter().zip(&after) {
            assert!(
                (a.knot.radii - b.knot.radii).abs() < 1e-12,
                "{} {}",
                a.knot.radii,
                b.knot.radii
            );
        }
        assert_eq!((before[8].knot.radii, after[0].knot.s), (20.0, 0.0));
    }

    #[test]
    fn a_pattern_stays_whole_where_a_strand_widens() {
        // From radius 0.1 to 0.3 over a metre: ∫ ds / ρ is ln 3 / 0.2.
        let points: Vec<DVec3> = (0..=200).map(|i| DVec3::X * f64::from(i) / 200.0).collect();
        let mut cone = rope(&points, 1.0);
        let radius: Vec<f64> = points.iter().map(|p| 0.1 + 0.2 * p.x).collect();
        cone.set_radius(&radius);
        let laid = knots(&cone);
        let found = laid[200].knot.radii;
        assert!((found - 5.493_061_443_340_549).abs() < 1e-4, "{found}");
        assert!((laid[200].knot.s - 1.0).abs() < 1e-12);
        // At a constant radius it is the length divided by the radius.
        let even = knots(&rope(&points, 0.25));
        assert!((even[200].knot.radii - 4.0).abs() < 1e-12);
    }
}
