//! The numbers of a curve: positions, widths, turns.

use glam::{DMat3, DQuat, DVec3};
use lariat_core::curve::Frame;
use lariat_core::geometry::Strand;

use super::part::Part;
use crate::ExportError;
use crate::pen::Pen;
use crate::still::{Place, Still};
use crate::survey::Role;

/// What every curve says once.
pub(super) const FIXED: &str = "            uniform token type = \"linear\"
            uniform token wrap = \"nonperiodic\"
";

/// What stands for a strand where it is not there: two points in one place, without width.
pub(super) fn stand_in(role: &Role) -> Still {
    let first = &role.first.strand;
    // Where the strand appears, so that it does not draw the box of the shot to the origin.
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

/// One attribute of a curve; `even` says that one width is enough.
pub(super) fn value(
    part: Part,
    still: &Still,
    even: bool,
    place: &Place,
    pen: &mut Pen,
) -> Result<(), ExportError> {
    let strand = &still.strand;
    pen.byte(b'[');
    match part {
        Part::Counts => pen.count(strand.points().len() as u64),
        Part::Extent => extent(strand, place, pen)?,
        Part::Points => vectors(strand.points(), "position", place, pen)?,
        Part::Velocities => vectors(&still.velocities, "velocity", place, pen)?,
        Part::Widths => {
            let radius = strand.radius();
            let radius = if even { &radius[..1] } else { radius };
            numbers(radius.iter().map(|r| 2.0 * r), "width", place, pen)?;
        }
        Part::Twist => {
            let degrees = strand.twist().iter().map(|twist| twist.to_degrees());
            numbers(degrees, "twist", place, pen)?;
        }
        Part::Colour => vectors(&[DVec3::from(strand.look.colour)], "colour", place, pen)?,
        Part::Along => along(strand, pen),
        Part::Orientations => orientations(strand, place, pen)?,
        _ => debug_assert!(false, "{part:?} is no part of a curve"),
    }
    pen.byte(b']');
    Ok(())
}

/// `(x,y,z),(x,y,z)`.
pub(super) fn vectors(
    vectors: &[DVec3],
    what: &'static str,
    place: &Place,
    pen: &mut Pen,
) -> Result<(), ExportError> {
    for (index, v) in vectors.iter().enumerate() {
        pen.open_vector(index);
        pen.single(place.single(index, what, v.x)?);
        pen.byte(b',');
        pen.single(place.single(index, what, v.y)?);
        pen.byte(b',');
        pen.single(place.single(index, what, v.z)?);
        pen.byte(b')');
    }
    Ok(())
}

pub(super) fn numbers(
    numbers: impl Iterator<Item = f64>,
    what: &'static str,
    place: &Place,
    pen: &mut Pen,
) -> Result<(), ExportError> {
    for (index, number) in numbers.enumerate() {
        if index > 0 {
            pen.byte(b',');
        }
        pen.single(place.single(index, what, number)?);
    }
    Ok(())
}

/// The lowest and highest corner of the box around the points, grown by the widest radius on all
/// sides, as USD itself would compute it.
fn extent(strand: &Strand, place: &Place, pen: &mut Pen) -> Result<(), ExportError> {
    let mut widest = 0.0_f32;
    for (index, radius) in strand.radius().iter().enumerate() {
        widest = widest.max(place.single(index, "width", 2.0 * radius)?);
    }
    bounds(strand.points(), widest * 0.5, place, pen)
}

/// The lowest and highest corner of the box around points as 32-bit numbers, grown by a margin.
pub(super) fn bounds(
    points: &[DVec3],
    margin: f32,
    place: &Place,
    pen: &mut Pen,
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
    vectors(&[corner(low, -margin), corner(high, margin)], "extent", place, pen)
}

/// `(0,u)` for every point: 0 at the start, 1 at the end; around comes first, as on a tube. On a
/// piece of a torn rope it goes on along the whole, so that a texture stays where it was.
fn along(strand: &Strand, pen: &mut Pen) {
    for index in 0..strand.points().len() {
        pen.open_vector(index);
        pen.text("0,");
        pen.single(strand.place(index) as f32);
        pen.byte(b')');
    }
}

/// Quaternions, real part first. Of the two that mean the same turn, the one nearer to that of
/// the point before, so that what lies between two points can be blended.
fn orientations(strand: &Strand, place: &Place, pen: &mut Pen) -> Result<(), ExportError> {
    let mut before = DQuat::IDENTITY;
    for (index, (frame, &twist)) in strand.frames().iter().zip(strand.twist()).enumerate() {
        let turn = orientation(frame, twist);
        place.finite(index, "orientation", turn.x + turn.y + turn.z + turn.w)?;
        let turn = if turn.dot(before) < 0.0 { -turn } else { turn };
        before = turn;
        pen.open_vector(index);
        pen.direction(turn.w);
        pen.byte(b',');
        pen.direction(turn.x);
        pen.byte(b',');
        pen.direction(turn.y);
        pen.byte(b',');
        pen.direction(turn.z);
        pen.byte(b')');
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
        // A quarter turn takes the normal to where the binormal was.
        let twisted = orientation(&frame, FRAC_PI_2);
        assert!((twisted * DVec3::Y).distance(frame.binormal()) < 1e-15);
        assert!((twisted * DVec3::X).distance(frame.tangent()) < 1e-15);
    }
}
