//! Attribute values of a curve: positions, widths, orientations.

use glam::{DMat3, DQuat, DVec3};
use lariat_core::curve::Frame;
use lariat_core::geometry::Strand;

use super::part::Part;
use crate::ExportError;
use crate::still::{Place, Still};
use crate::survey::Role;
use crate::text_buffer::TextBuffer;

/// Constant attributes of every curve.
pub(super) const FIXED: &str = "            uniform token type = \"linear\"
            uniform token wrap = \"nonperiodic\"
";

/// Placeholder for an absent strand: two coincident points without width.
pub(super) fn stand_in(role: &Role) -> Still {
    let first = &role.first.strand;
    // At the first position of the strand, so that bounds do not extend to the origin.
    let place = first.points().first().copied().filter(|p| p.is_finite()).unwrap_or(DVec3::ZERO);
    let strand = Strand::new(
        first.name.clone(),
        vec![place; 2],
        vec![Frame::WORLD; 2],
        vec![0.0; 2],
        vec![0.0; 2],
        first.look.clone(),
    );
    Still { strand, velocities: vec![DVec3::ZERO; 2] }
}

/// Value of an attribute of a curve; with `even` one width is enough.
pub(super) fn value(
    part: Part,
    still: &Still,
    even: bool,
    place: &Place,
    out: &mut TextBuffer,
) -> Result<(), ExportError> {
    let strand = &still.strand;
    out.byte(b'[');
    match part {
        Part::Counts => out.count(strand.points().len() as u64),
        Part::Extent => extent(strand, place, out)?,
        Part::Points => vectors(strand.points(), "position", place, out)?,
        Part::Velocities => vectors(&still.velocities, "velocity", place, out)?,
        Part::Widths => {
            let radius = strand.radius();
            let radius = if even { &radius[..1] } else { radius };
            numbers(radius.iter().map(|r| 2.0 * r), "width", place, out)?;
        }
        Part::Twist => {
            let degrees = strand.twist().iter().map(|twist| twist.to_degrees());
            numbers(degrees, "twist", place, out)?;
        }
        Part::Colour => vectors(&[DVec3::from(strand.look.colour)], "colour", place, out)?,
        Part::Along => along(strand, out),
        Part::Orientations => orientations(strand, place, out)?,
        _ => debug_assert!(false, "{part:?} is not an attribute of a curve"),
    }
    out.byte(b']');
    Ok(())
}

/// `(x,y,z),(x,y,z)`.
pub(super) fn vectors(
    vectors: &[DVec3],
    what: &'static str,
    place: &Place,
    out: &mut TextBuffer,
) -> Result<(), ExportError> {
    for (index, v) in vectors.iter().enumerate() {
        out.open_vector(index);
        out.single(place.single(index, what, v.x)?);
        out.byte(b',');
        out.single(place.single(index, what, v.y)?);
        out.byte(b',');
        out.single(place.single(index, what, v.z)?);
        out.byte(b')');
    }
    Ok(())
}

pub(super) fn numbers(
    numbers: impl Iterator<Item = f64>,
    what: &'static str,
    place: &Place,
    out: &mut TextBuffer,
) -> Result<(), ExportError> {
    for (index, number) in numbers.enumerate() {
        if index > 0 {
            out.byte(b',');
        }
        out.single(place.single(index, what, number)?);
    }
    Ok(())
}

/// Corners of the bounding box of the points, grown by the largest radius, as USD computes it.
fn extent(strand: &Strand, place: &Place, out: &mut TextBuffer) -> Result<(), ExportError> {
    let mut widest = 0.0_f32;
    for (index, radius) in strand.radius().iter().enumerate() {
        widest = widest.max(place.single(index, "width", 2.0 * radius)?);
    }
    bounds(strand.points(), widest * 0.5, place, out)
}

/// Corners of the bounding box of points as 32-bit numbers, grown by a margin.
pub(super) fn bounds(
    points: &[DVec3],
    margin: f32,
    place: &Place,
    out: &mut TextBuffer,
) -> Result<(), ExportError> {
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for (index, point) in points.iter().enumerate() {
        for axis in 0..3 {
            let value = place.single(index, "position", point[axis])?;
            low[axis] = low[axis].min(value);
            high[axis] = high[axis].max(value);
        }
    }
    let corner = |at: [f32; 3], margin: f32| DVec3::from(at.map(|x| f64::from(x + margin)));
    vectors(&[corner(low, -margin), corner(high, margin)], "extent", place, out)
}

/// `(0,u)` for every point: 0 at the start, 1 at the end, the second component as on a tube. On a
/// piece of a torn rope `u` refers to the whole rope, so that textures stay in place.
fn along(strand: &Strand, out: &mut TextBuffer) {
    for index in 0..strand.points().len() {
        out.open_vector(index);
        out.text("0,");
        out.single(strand.place(index) as f32);
        out.byte(b')');
    }
}

/// Quaternions, real part first. Of the two signs, the one closer to the previous point, so that
/// neighbours can be interpolated.
fn orientations(strand: &Strand, place: &Place, out: &mut TextBuffer) -> Result<(), ExportError> {
    let mut before = DQuat::IDENTITY;
    for (index, (frame, &twist)) in strand.frames().iter().zip(strand.twist()).enumerate() {
        let turn = orientation(frame, twist);
        place.finite(index, "orientation", turn.x + turn.y + turn.z + turn.w)?;
        let turn = if turn.dot(before) < 0.0 { -turn } else { turn };
        before = turn;
        out.open_vector(index);
        out.direction(turn.w);
        out.byte(b',');
        out.direction(turn.x);
        out.byte(b',');
        out.direction(turn.y);
        out.byte(b',');
        out.direction(turn.z);
        out.byte(b')');
    }
    Ok(())
}

/// World from strand: X to the tangent, Y to the twisted normal, Z to the twisted binormal.
fn orientation(frame: &Frame, twist: f64) -> DQuat {
    let frame = if twist == 0.0 { *frame } else { frame.twisted(twist) };
    let world_from_strand = DMat3::from_cols(frame.tangent(), frame.normal(), frame.binormal());
    DQuat::from_mat3(&world_from_strand)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn an_orientation_turns_x_onto_the_tangent_and_y_onto_the_twisted_normal() {
        let frame = Frame::new(DVec3::new(0.3, -0.5, 0.2), DVec3::Z);
        let straight = orientation(&frame, 0.0);
        assert!((straight * DVec3::X).distance(frame.tangent()) < 1e-15);
        assert!((straight * DVec3::Y).distance(frame.normal()) < 1e-15);
        assert!((straight * DVec3::Z).distance(frame.binormal()) < 1e-15);
        // A quarter turn rotates the normal onto the binormal.
        let twisted = orientation(&frame, FRAC_PI_2);
        assert!((twisted * DVec3::Y).distance(frame.binormal()) < 1e-15);
        assert!((twisted * DVec3::X).distance(frame.tangent()) < 1e-15);
    }
}
