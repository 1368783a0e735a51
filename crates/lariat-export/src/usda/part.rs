//! Attributes of curve and tube prims: name, type, and whether they change over the frames.

use crate::survey::Role;
use crate::text_buffer::TextBuffer;

/// One attribute of a curve or of a tube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Number of points of the curve.
    Counts,
    /// Bounding box of the curve, including its thickness.
    Extent,
    /// Positions of the curve.
    Points,
    /// Diameters.
    Widths,
    /// Metres per second.
    Velocities,
    /// Colour of the look.
    Colour,
    /// Rotation of the profile about the tangent, in degrees.
    Twist,
    /// 0 to 1 along the curve, or along the whole rope of a piece.
    Along,
    /// Orientations as quaternions.
    Orientations,
    /// Number of corners of every face of the tube.
    FaceCounts,
    /// Point indices of the corners.
    FaceCorners,
    /// Bounding box of the tube.
    TubeExtent,
    /// Positions of the tube.
    TubePoints,
    /// Surface normals at the points of the tube.
    TubeNormals,
    /// Texture coordinates around and along the tube, 0 to 1, at every corner.
    TubeCoordinates,
}

/// Whether a strand of `count` points can be drawn; a curve needs two points.
pub(super) fn is_drawn(count: Option<usize>) -> bool {
    count.is_some_and(|count| count >= 2)
}

/// Whether the strand is absent at some frames.
fn comes_and_goes(role: &Role) -> bool {
    role.counts.iter().any(|&count| is_drawn(count) != is_drawn(role.counts[0]))
}

impl Part {
    /// Whether it is an attribute of the tube mesh.
    pub(super) fn is_of_a_tube(self) -> bool {
        matches!(
            self,
            Self::FaceCounts
                | Self::FaceCorners
                | Self::TubeExtent
                | Self::TubePoints
                | Self::TubeNormals
                | Self::TubeCoordinates
        )
    }

    /// Whether it changes over the frames.
    pub(super) fn changes(self, role: &Role) -> bool {
        let changes = &role.changes;
        let shape = changes.points || changes.radius;
        let topology = changes.count || changes.profile || changes.closed;
        let skin = shape || topology || changes.frames || changes.twist;
        match self {
            Self::Colour => changes.look,
            _ if comes_and_goes(role) => true,
            Self::Counts => changes.count,
            Self::Along => changes.count || changes.piece,
            Self::Extent => shape,
            Self::Points => changes.points,
            Self::Widths => changes.radius,
            Self::Velocities => changes.velocities,
            Self::Twist => changes.twist,
            Self::Orientations => changes.frames || changes.twist,
            Self::FaceCounts | Self::FaceCorners => topology,
            Self::TubeCoordinates => topology || changes.piece,
            Self::TubeExtent | Self::TubePoints | Self::TubeNormals => skin,
        }
    }

    /// Type, name and, where USD requires it, interpolation.
    fn declaration(self, role: &Role) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Counts => ("int[] curveVertexCounts", None),
            Self::Extent | Self::TubeExtent => ("float3[] extent", None),
            Self::Points | Self::TubePoints => ("point3f[] points", None),
            Self::Widths if role.even => ("float[] widths", Some("constant")),
            Self::Widths => ("float[] widths", Some("vertex")),
            Self::Velocities => ("vector3f[] velocities", None),
            Self::Colour => ("color3f[] primvars:displayColor", Some("constant")),
            Self::Twist => ("float[] primvars:twist", Some("vertex")),
            Self::Along => ("texCoord2f[] primvars:st", Some("vertex")),
            Self::Orientations => ("quatf[] primvars:frame", Some("vertex")),
            Self::FaceCounts => ("int[] faceVertexCounts", None),
            Self::FaceCorners => ("int[] faceVertexIndices", None),
            Self::TubeNormals => ("normal3f[] normals", Some("vertex")),
            Self::TubeCoordinates => ("texCoord2f[] primvars:st", Some("faceVarying")),
        }
    }

    /// Writes a constant attribute up to its value.
    pub(super) fn open_once(self, role: &Role, out: &mut TextBuffer) {
        open_once(self.declaration(role).0, out);
    }

    /// Writes the end of a constant attribute.
    pub(super) fn close_once(self, role: &Role, out: &mut TextBuffer) {
        close_once(self.declaration(role).1, out);
    }

    /// Writes a changing attribute up to its first time sample.
    pub(super) fn open_samples(self, role: &Role, out: &mut TextBuffer) {
        let (attribute, values) = self.declaration(role);
        open_samples(attribute, values, out);
    }
}

/// Writes a constant attribute up to its value.
pub(super) fn open_once(attribute: &str, out: &mut TextBuffer) {
    out.text("            ");
    out.text(attribute);
    out.text(" = ");
}

/// Writes the end of a constant attribute; `values` is its interpolation.
pub(super) fn close_once(values: Option<&str>, out: &mut TextBuffer) {
    interpolation(values, out);
    out.byte(b'\n');
}

/// Writes a changing attribute up to its first time sample.
pub(super) fn open_samples(attribute: &str, values: Option<&str>, out: &mut TextBuffer) {
    if values.is_some() {
        out.text("            ");
        out.text(attribute);
        interpolation(values, out);
        out.byte(b'\n');
    }
    out.text("            ");
    out.text(attribute);
    out.text(".timeSamples = {\n");
}

fn interpolation(values: Option<&str>, out: &mut TextBuffer) {
    if let Some(values) = values {
        out.text(" (\n                interpolation = \"");
        out.text(values);
        out.text("\"\n            )");
    }
}
