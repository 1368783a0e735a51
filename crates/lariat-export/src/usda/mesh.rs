//! A body that is a mesh: faces once, points and normals as they move.
//!
//! Faces are polygons as in their file. Values at the points are `primvars` of the same name. Where
//! the mesh is absent it is invisible, and for tools that do not animate visibility all its points
//! coincide.

use std::sync::Arc;

use lariat_core::geometry::Mesh;

use super::curve::{bounds, numbers, vectors};
use super::tube::{normals, whole_numbers};
use crate::ExportError;
use crate::mesh::MeshRole;
use crate::names::identifiers;
use crate::still::Place;
use crate::text_buffer::TextBuffer;

/// Constant attributes of every mesh: no subdivision, visible from both sides.
pub(super) const FIXED: &str = concat!(
    "            uniform bool doubleSided = 1\n",
    "            uniform token subdivisionScheme = \"none\"\n"
);

/// One attribute of a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MeshPart {
    /// Bounding box.
    Extent,
    /// Number of corners of every face.
    Counts,
    /// Point indices of the corners.
    Corners,
    /// Positions.
    Points,
    /// Surface normals at the points.
    Normals,
    /// Colour of the look, or of every point.
    Colour,
    /// Values at the points: index of the attribute, and its name in the file.
    Attribute(usize, Arc<str>),
}

/// Attributes of a mesh, in the order of the file.
pub(super) fn parts(role: &MeshRole) -> Vec<MeshPart> {
    use MeshPart::{Attribute, Colour, Corners, Counts, Extent, Normals, Points};
    let mut parts = vec![Extent, Counts, Corners, Points, Normals, Colour];
    // Names reserved by USD.
    let taken = ["displayColor", "displayOpacity", "st"];
    let names = role.first.shape().attributes().iter().map(|a| &*a.name);
    let names = identifiers(taken.into_iter().chain(names));
    let own = names.into_iter().skip(taken.len()).enumerate();
    parts.extend(own.map(|(at, name)| Attribute(at, name.into())));
    parts
}

impl MeshPart {
    /// Whether it changes over the frames.
    pub(super) fn changes(&self, role: &MeshRole) -> bool {
        let comes_and_goes = role.there.iter().any(|there| *there != role.there[0]);
        match self {
            Self::Extent | Self::Points => role.points || role.shape || comes_and_goes,
            Self::Normals => role.points || role.shape,
            Self::Counts | Self::Corners => role.shape,
            Self::Attribute(..) => role.shape,
            Self::Colour => role.colours,
        }
    }

    /// Type, name and interpolation.
    pub(super) fn declaration(&self, role: &MeshRole) -> (String, Option<&'static str>) {
        let (text, values) = match self {
            Self::Extent => ("float3[] extent", None),
            Self::Counts => ("int[] faceVertexCounts", None),
            Self::Corners => ("int[] faceVertexIndices", None),
            Self::Points => ("point3f[] points", None),
            Self::Normals => ("normal3f[] normals", Some("vertex")),
            Self::Colour => {
                let each = role.first.colours().is_some();
                let values = if each { "vertex" } else { "constant" };
                ("color3f[] primvars:displayColor", Some(values))
            }
            Self::Attribute(_, name) => {
                return (format!("float[] primvars:{name}"), Some("vertex"));
            }
        };
        (text.to_owned(), values)
    }

    /// Value at one frame; `None` where the mesh is absent.
    pub(super) fn value(
        &self,
        role: &MeshRole,
        mesh: Option<&Mesh>,
        place: &Place,
        out: &mut TextBuffer,
    ) -> Result<(), ExportError> {
        let gone = mesh.is_none();
        let mesh = mesh.unwrap_or(&role.first);
        let in_one_place =
            || vec![mesh.points().first().copied().unwrap_or_default(); mesh.points().len()];
        out.byte(b'[');
        match self {
            Self::Extent if gone => bounds(&in_one_place(), 0.0, place, out)?,
            Self::Extent => bounds(mesh.points(), 0.0, place, out)?,
            Self::Counts => whole_numbers(mesh.shape().counts().iter().copied(), out),
            Self::Corners => whole_numbers(mesh.shape().corners().iter().copied(), out),
            Self::Points if gone => vectors(&in_one_place(), "position", place, out)?,
            Self::Points => vectors(mesh.points(), "position", place, out)?,
            Self::Normals => normals(mesh.normals(), place, out)?,
            Self::Colour => {
                let own = [mesh.look.colour];
                let colours = mesh.colours().unwrap_or(&own);
                let colours: Vec<_> = colours.iter().map(|colour| (*colour).into()).collect();
                vectors(&colours, "colour", place, out)?;
            }
            Self::Attribute(at, _) => {
                let values = mesh.shape().attributes().get(*at).map_or(&[][..], |a| &a.values);
                numbers(values.iter().copied(), "attribute", place, out)?;
            }
        }
        out.byte(b']');
        Ok(())
    }
}
