//! Attribute values of a tube mesh: quads around the strand, triangles over its ends.

use glam::DVec3;
use lariat_core::geometry::tube::Tube;
use lariat_core::geometry::{Profile, Strand};

use super::curve::{bounds, vectors};
use super::part::Part;
use crate::still::{Place, Still};
use crate::survey::Role;
use crate::text_buffer::TextBuffer;
use crate::{ExportError, TubeOptions};

/// Attributes of a tube, in the order of the file.
pub(super) const PARTS: [Part; 7] = [
    Part::TubeExtent,
    Part::FaceCounts,
    Part::FaceCorners,
    Part::TubePoints,
    Part::TubeNormals,
    Part::Colour,
    Part::TubeCoordinates,
];

/// Constant attributes of a tube; an open profile is visible from both sides.
pub(super) fn fixed(role: &Role) -> &'static str {
    match role.first.strand.profile {
        Profile::Open(_) => concat!(
            "            uniform bool doubleSided = 1\n",
            "            uniform token subdivisionScheme = \"none\"\n"
        ),
        _ => "            uniform token subdivisionScheme = \"none\"\n",
    }
}

/// Value of an attribute of a tube; where the strand is absent, the mesh is empty.
pub(super) fn value(
    part: Part,
    still: Option<&Still>,
    tubes: TubeOptions,
    place: &Place,
    out: &mut TextBuffer,
) -> Result<(), ExportError> {
    let Some(still) = still else {
        out.text(if part == Part::TubeExtent { "[(0,0,0),(0,0,0)]" } else { "[]" });
        return Ok(());
    };
    check(&still.strand, place)?;
    let tube = Tube::sweep(&still.strand, tubes.sides, tubes.caps);
    out.byte(b'[');
    match part {
        Part::FaceCounts => {
            let sides = tube.quads.iter().map(|_| 4);
            whole_numbers(sides.chain(tube.triangles.iter().map(|_| 3)), out);
        }
        Part::FaceCorners => whole_numbers(corners(&tube), out),
        Part::TubeExtent if tube.positions.is_empty() => out.text("(0,0,0),(0,0,0)"),
        Part::TubeExtent => bounds(&tube.positions, 0.0, place, out)?,
        Part::TubePoints => vectors(&tube.positions, "position", place, out)?,
        Part::TubeNormals => normals(&tube.normals, place, out)?,
        Part::TubeCoordinates => {
            for (index, corner) in corners(&tube).enumerate() {
                let uv = tube.uvs[corner as usize];
                out.open_vector(index);
                out.single(place.single(index, "texture coordinate", uv.x)?);
                out.byte(b',');
                out.single(place.single(index, "texture coordinate", uv.y)?);
                out.byte(b')');
            }
        }
        _ => debug_assert!(false, "{part:?} is not an attribute of a tube"),
    }
    out.byte(b']');
    Ok(())
}

/// Refuses a strand that is not finite while its points still have their own indices; those of the
/// mesh would not help a user.
fn check(strand: &Strand, place: &Place) -> Result<(), ExportError> {
    for (index, point) in strand.points().iter().enumerate() {
        for value in point.to_array() {
            place.single(index, "position", value)?;
        }
        place.single(index, "radius", strand.radius()[index])?;
        place.single(index, "twist", strand.twist()[index])?;
    }
    Ok(())
}

/// Point indices of the corners, face after face.
fn corners(tube: &Tube) -> impl Iterator<Item = u32> {
    tube.quads.iter().flatten().chain(tube.triangles.iter().flatten()).copied()
}

pub(super) fn normals(
    normals: &[DVec3],
    place: &Place,
    out: &mut TextBuffer,
) -> Result<(), ExportError> {
    for (index, normal) in normals.iter().enumerate() {
        place.finite(index, "normal", normal.element_sum())?;
        out.open_vector(index);
        out.direction(normal.x);
        out.byte(b',');
        out.direction(normal.y);
        out.byte(b',');
        out.direction(normal.z);
        out.byte(b')');
    }
    Ok(())
}

pub(super) fn whole_numbers(numbers: impl Iterator<Item = u32>, out: &mut TextBuffer) {
    for (index, number) in numbers.enumerate() {
        if index > 0 {
            out.byte(b',');
        }
        out.count(number.into());
    }
}
