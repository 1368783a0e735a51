//! Meshes: points with faces between them.
//!
//! A mesh has two parts. Its [`MeshTopology`] does not change while it moves: faces as in the file,
//! their triangles, and per-point attributes (weights). All frames share it. The other part is the
//! positions and normals of the points. Both are cheap to clone.
//!
//! Normals are smooth: the area-weighted sum of the face normals at every point, added in the order
//! of the file, so that the sum has the same bits everywhere. Coincident points, which files have
//! along texture seams, can share a normal ([`MeshTopology::with_shared_normals`]); otherwise they
//! make a hard edge.
//!
//! Not here: reading files (`lariat-import`) and moving points (`lariat-eval`).
//!
//! Tests: `normals_of_a_ball_point_outwards`, `larger_faces_weigh_more`,
//! `a_rotated_mesh_has_rotated_normals`, `a_seam_is_smooth_and_a_hard_edge_is_not`,
//! `invalid_meshes_are_rejected`, `clones_share_the_constant_part`.

use std::sync::Arc;

use glam::{DAffine3, DVec3};
use thiserror::Error;

use super::Look;
use super::triangulate::triangulate;
use crate::num::{MAX_VALUE, is_in_range};

/// A named number at every point of a mesh: `weight`, `red`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Name, unique within a mesh.
    pub name: Arc<str>,
    /// One value per point.
    pub values: Vec<f64>,
}

/// Error for invalid mesh data.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MeshError {
    /// Too many points to be counted in 32 bits.
    #[error("a mesh has {points} points; the maximum is 4294967295")]
    TooManyPoints {
        /// Number of points.
        points: usize,
    },
    /// A face of one or two corners.
    #[error("face {face} has {corners} corners: a face needs 3 or more")]
    TooFewCorners {
        /// Index of the face, from 0.
        face: usize,
        /// Number of its corners.
        corners: u32,
    },
    /// The sum of the corner counts is not the number of corners.
    #[error("the faces have {counted} corners in total, but {listed} are listed")]
    CornerCount {
        /// Sum of the counts.
        counted: u64,
        /// Number of listed corners.
        listed: usize,
    },
    /// A corner refers to a point that does not exist.
    #[error("face {face} has a corner at point {point}, but there are {points} points (from 0)")]
    PointOutOfRange {
        /// Index of the face, from 0.
        face: usize,
        /// Index of the point, from 0.
        point: u32,
        /// Number of points.
        points: usize,
    },
    /// A list whose length is not the number of points.
    #[error("`{what}` has {found} values for {points} points: it needs one per point")]
    LengthMismatch {
        /// Name of the list.
        what: String,
        /// Number of its values.
        found: usize,
        /// Number of points.
        points: usize,
    },
    /// A value that is NaN, infinite, or beyond [`MAX_VALUE`].
    #[error("`{what}` of point {point} is {value:e}; expected a finite number up to {MAX_VALUE:e}")]
    OutOfRange {
        /// Name of the list.
        what: String,
        /// Index of the point, from 0.
        point: usize,
        /// The value.
        value: f64,
    },
    /// Two attributes with the same name.
    #[error("two attributes are called `{name}`: rename one of them")]
    DuplicateAttribute {
        /// The name.
        name: String,
    },
}

/// The constant part of a mesh: faces, triangles, attributes.
///
/// Fields are private because the lists must be consistent.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshTopology {
    points: usize,
    counts: Vec<u32>,
    corners: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    attributes: Vec<Attribute>,
    /// For each point the first point with which it shares a normal; empty if no normals are shared.
    shared_with: Vec<u32>,
    /// Position of each point in the material that it is cut from; empty without grain.
    grain: Vec<DVec3>,
}

impl MeshTopology {
    /// Faces between points: `counts` has the number of corners of each face, `corners` the points of
    /// the corners, face by face, counter-clockwise seen from outside. Faces of more than three
    /// corners are triangulated at the rest positions `rest`.
    pub fn new(rest: &[DVec3], counts: Vec<u32>, corners: Vec<u32>) -> Result<Self, MeshError> {
        let points = rest.len();
        if u32::try_from(points).is_err() {
            return Err(MeshError::TooManyPoints { points });
        }
        in_range("points", rest.iter().map(DVec3::to_array))?;
        let counted: u64 = counts.iter().map(|count| u64::from(*count)).sum();
        if counted != corners.len() as u64 {
            return Err(MeshError::CornerCount { counted, listed: corners.len() });
        }
        let mut triangles = Vec::with_capacity(corners.len().saturating_sub(2 * counts.len()));
        let mut remaining = &corners[..];
        for (face, count) in counts.iter().enumerate() {
            if *count < 3 {
                return Err(MeshError::TooFewCorners { face, corners: *count });
            }
            let (own, after) = remaining.split_at(*count as usize);
            remaining = after;
            if let Some(point) = own.iter().find(|corner| **corner as usize >= points) {
                return Err(MeshError::PointOutOfRange { face, point: *point, points });
            }
            triangulate(own, rest, &mut triangles);
        }
        let (attributes, shared_with, grain) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { points, counts, corners, triangles, attributes, shared_with, grain })
    }

    /// Adds attributes.
    pub fn with_attributes(self, attributes: Vec<Attribute>) -> Result<Self, MeshError> {
        for (at, attribute) in attributes.iter().enumerate() {
            let name = &attribute.name;
            fits(name, attribute.values.len(), self.points)?;
            in_range(name, attribute.values.iter().map(|value| [*value]))?;
            if attributes[..at].iter().any(|other| other.name == *name) {
                return Err(MeshError::DuplicateAttribute { name: name.to_string() });
            }
        }
        Ok(Self { attributes, ..self })
    }

    /// Shares normals between coincident points: `shared_with` has for each point the first point with
    /// which it shares a normal, which may be itself.
    pub fn with_shared_normals(self, shared_with: Vec<u32>) -> Result<Self, MeshError> {
        fits("shared normals", shared_with.len(), self.points)?;
        if let Some(face) = shared_with.iter().position(|point| *point as usize >= self.points) {
            let (point, points) = (shared_with[face], self.points);
            return Err(MeshError::PointOutOfRange { face, point, points });
        }
        Ok(Self { shared_with, ..self })
    }

    /// Adds the position of each point in a material with a grain, in metres; the first coordinate is
    /// along the grain. It stays with the points while they move.
    pub fn with_grain(self, grain: Vec<DVec3>) -> Result<Self, MeshError> {
        fits("grain", grain.len(), self.points)?;
        in_range("grain", grain.iter().map(DVec3::to_array))?;
        Ok(Self { grain, ..self })
    }

    /// Position of each point in the material that it is cut from, if it has a grain.
    pub fn grain(&self) -> Option<&[DVec3]> {
        (!self.grain.is_empty()).then_some(&self.grain[..])
    }

    /// Number of corners of each face.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The points at the corners of the faces, face by face.
    pub fn corners(&self) -> &[u32] {
        &self.corners
    }

    /// The faces as triangles.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The attributes.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The values of an attribute, one per point.
    pub fn attribute(&self, name: &str) -> Option<&[f64]> {
        self.attributes.iter().find(|a| *a.name == *name).map(|a| &a.values[..])
    }

    /// Fills `out` with the smooth normal at each of `points`; +Z for points without a face.
    fn normals(&self, points: &[DVec3], out: &mut Vec<DVec3>) {
        out.clear();
        out.resize(points.len(), DVec3::ZERO);
        let sum_at =
            |point: u32| self.shared_with.get(point as usize).map_or(point, |t| *t) as usize;
        let mut left = &self.corners[..];
        for count in &self.counts {
            let (face, after) = left.split_at(*count as usize);
            left = after;
            // Newell's sum, whose length is twice the area: larger faces weigh more, and the
            // triangulation makes no difference.
            let origin = points[face[0] as usize];
            let mut area = DVec3::ZERO;
            let mut before = points[face[1] as usize] - origin;
            for corner in &face[2..] {
                let next = points[*corner as usize] - origin;
                area += before.cross(next);
                before = next;
            }
            for corner in face {
                out[sum_at(*corner)] += area;
            }
        }
        for point in 0..self.shared_with.len() {
            out[point] = out[self.shared_with[point] as usize];
        }
        for normal in out.iter_mut() {
            *normal = normal.normalize_or(DVec3::Z);
        }
    }
}

/// Positions and normals of the points.
#[derive(Clone, Debug, Default, PartialEq)]
struct Posed {
    points: Vec<DVec3>,
    normals: Vec<DVec3>,
}

/// One mesh at one moment.
///
/// Points and normals are private because there is one per point of the topology.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Unique within its body.
    pub name: Arc<str>,
    /// Appearance; its colour is used unless every point has a colour.
    pub look: Look,
    shape: Arc<MeshTopology>,
    posed: Arc<Posed>,
    colours: Option<Arc<[[f64; 3]]>>,
}

impl Mesh {
    /// A mesh at the given points.
    pub fn new(
        name: impl Into<Arc<str>>,
        shape: impl Into<Arc<MeshTopology>>,
        points: Vec<DVec3>,
        look: Look,
    ) -> Result<Self, MeshError> {
        let shape = shape.into();
        fits("points", points.len(), shape.points)?;
        in_range("points", points.iter().map(DVec3::to_array))?;
        let mut normals = Vec::new();
        shape.normals(&points, &mut normals);
        let posed = Arc::new(Posed { points, normals });
        Ok(Self { name: name.into(), look, shape, posed, colours: None })
    }

    /// The part that all frames share.
    pub fn shape(&self) -> &Arc<MeshTopology> {
        &self.shape
    }

    /// Positions of the points, in metres.
    pub fn points(&self) -> &[DVec3] {
        &self.posed.points
    }

    /// Unit normal at each point.
    pub fn normals(&self) -> &[DVec3] {
        &self.posed.normals
    }

    /// Linear colour of each point, if set: a visualised field.
    pub fn colours(&self) -> Option<&[[f64; 3]]> {
        self.colours.as_deref()
    }

    /// Sets or removes the linear colours of the points.
    pub fn set_colours(&mut self, colours: Option<Arc<[[f64; 3]]>>) -> Result<(), MeshError> {
        if let Some(colours) = &colours {
            fits("colours", colours.len(), self.shape.points)?;
            in_range("colours", colours.iter().copied())?;
        }
        self.colours = colours;
        Ok(())
    }

    /// Poses this mesh as `rest` transformed by `world_from_mesh`, a rotation, translation and uniform
    /// scale. If `own` is given, its points replace those of `rest` before the transformation: a mesh
    /// deforms in mesh space. Memory is reused.
    ///
    /// # Panics
    /// If `own` does not have one position per point: a mistake in the program, never in a document.
    pub fn pose(&mut self, rest: &Self, own: Option<&[DVec3]>, world_from_mesh: &DAffine3) {
        if !Arc::ptr_eq(&self.shape, &rest.shape) {
            self.shape = rest.shape.clone();
        }
        if own.is_none() && *world_from_mesh == DAffine3::IDENTITY {
            self.posed = rest.posed.clone();
            return;
        }
        let from = own.unwrap_or(&rest.posed.points);
        assert_eq!(from.len(), rest.shape.points, "one position per point");
        // Points that another clone still uses are not overwritten.
        if Arc::get_mut(&mut self.posed).is_none() {
            self.posed = Arc::default();
        }
        let Some(posed) = Arc::get_mut(&mut self.posed) else { return };
        posed.points.clear();
        posed.points.extend(from.iter().map(|p| world_from_mesh.transform_point3(*p)));
        if own.is_some() {
            rest.shape.normals(&posed.points, &mut posed.normals);
        } else {
            let turned = rest.posed.normals.iter().map(|n| {
                let turned = world_from_mesh.transform_vector3(*n);
                turned.normalize_or(DVec3::Z)
            });
            posed.normals.clear();
            posed.normals.extend(turned);
        }
    }
}

/// Meshes are equal if they look the same.
impl PartialEq for Mesh {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.look == other.look
            && self.colours == other.colours
            && (Arc::ptr_eq(&self.shape, &other.shape) || self.shape == other.shape)
            && (Arc::ptr_eq(&self.posed, &other.posed) || self.posed == other.posed)
    }
}

fn fits(what: &str, found: usize, points: usize) -> Result<(), MeshError> {
    if found == points {
        return Ok(());
    }
    Err(MeshError::LengthMismatch { what: what.to_owned(), found, points })
}

fn in_range<const N: usize>(
    what: &str,
    rows: impl Iterator<Item = [f64; N]>,
) -> Result<(), MeshError> {
    for (point, row) in rows.enumerate() {
        if let Some(value) = row.iter().find(|x| !is_in_range(**x)) {
            return Err(MeshError::OutOfRange { what: what.to_owned(), point, value: *value });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use crate::num::ops;

    fn plain() -> Look {
        Look { name: "plain".into(), colour: [0.5; 3] }
    }

    fn mesh(points: &[[f64; 3]], faces: &[&[u32]]) -> Mesh {
        let points: Vec<DVec3> = points.iter().copied().map(DVec3::from).collect();
        let counts = faces.iter().map(|face| face.len() as u32).collect();
        let shape = MeshTopology::new(&points, counts, faces.concat()).unwrap();
        Mesh::new("mesh", shape, points, plain()).unwrap()
    }

    /// A ball of squares, with triangles at its poles.
    fn ball() -> Mesh {
        let (around, down) = (24, 12);
        let mut points = vec![[0.0, 0.0, 1.0]];
        for i in 1..down {
            let (s, c) = ops::sin_cos(std::f64::consts::PI * f64::from(i) / f64::from(down));
            for j in 0..around {
                let turns = f64::from(j) / f64::from(around);
                points.push([s * ops::cos_turns(turns), s * ops::sin_turns(turns), c]);
            }
        }
        points.push([0.0, 0.0, -1.0]);
        let at = |i: u32, j: u32| 1 + (i - 1) * around as u32 + j % around as u32;
        let last = points.len() as u32 - 1;
        let mut faces: Vec<Vec<u32>> = Vec::new();
        for j in 0..around as u32 {
            faces.push(vec![0, at(1, j), at(1, j + 1)]);
            for i in 1..down as u32 - 1 {
                faces.push(vec![at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
            faces.push(vec![at(down as u32 - 1, j), last, at(down as u32 - 1, j + 1)]);
        }
        let faces: Vec<&[u32]> = faces.iter().map(|face| &face[..]).collect();
        mesh(&points, &faces)
    }

    #[test]
    fn normals_of_a_ball_point_outwards() {
        let ball = ball();
        for (p, n) in ball.points().iter().zip(ball.normals()) {
            // Neighbouring faces differ in size only along a meridian.
            assert!(n.distance(*p) < 0.07 && (n.x * p.y - n.y * p.x).abs() < 1e-15, "{n} at {p}");
        }
    }

    #[test]
    fn larger_faces_weigh_more() {
        // Two faces along X: normal Z with three times the area, and normal Y.
        let bent = mesh(
            &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 1.0]],
            &[&[0, 1, 2], &[0, 3, 1]],
        );
        let expected = DVec3::new(0.0, 1.0, 3.0) / 10.0_f64.sqrt();
        assert!(bent.normals()[0].distance(expected) < 1e-15, "{}", bent.normals()[0]);
        assert_eq!(bent.normals()[2], DVec3::Z);
    }

    #[test]
    fn a_rotated_mesh_has_rotated_normals() {
        let rest = ball();
        // A quarter turn about Z, twice as large, two metres up.
        let turn = DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z);
        let world_from_mesh = DAffine3::from_mat3_translation(turn * 2.0, DVec3::Z * 2.0);
        let mut posed = rest.clone();
        posed.pose(&rest, None, &world_from_mesh);
        // Cross-check: normals computed from the transformed points.
        let own: Vec<DVec3> = rest.points().to_vec();
        let mut recomputed = rest.clone();
        recomputed.pose(&rest, Some(&own), &world_from_mesh);
        assert_eq!(posed.points(), recomputed.points());
        for (a, b) in posed.normals().iter().zip(recomputed.normals()) {
            assert!(a.distance(*b) < 1e-12);
        }
        let p = rest.points()[1];
        assert_eq!(posed.points()[1], DVec3::new(-2.0 * p.y, 2.0 * p.x, 2.0 * p.z + 2.0));
    }

    #[test]
    fn a_seam_is_smooth_and_a_hard_edge_is_not() {
        // Two squares at a right angle that meet along X, with separate points there.
        let points = [
            [0.0; 3],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0; 3],
            [0.0, 0.0, 1.0],
            [1.0, 0.0, 1.0],
            [1.0, 0.0, 0.0],
        ];
        let hard = mesh(&points, &[&[0, 1, 2, 3], &[4, 5, 6, 7]]);
        assert_eq!((hard.normals()[0], hard.normals()[4]), (DVec3::Z, DVec3::Y));
        let shape = MeshTopology::clone(hard.shape());
        let shape = shape.with_shared_normals(vec![0, 1, 2, 3, 0, 5, 6, 1]).unwrap();
        let smooth = Mesh::new("mesh", shape, hard.points().to_vec(), plain()).unwrap();
        let half = 0.5_f64.sqrt();
        for (a, b) in [(0, 4), (1, 7)] {
            assert_eq!(smooth.normals()[a], smooth.normals()[b]);
            assert!(smooth.normals()[a].distance(DVec3::new(0.0, half, half)) < 1e-15);
        }
        assert_eq!(smooth.normals()[3], DVec3::Z);
    }

    #[test]
    fn invalid_meshes_are_rejected() {
        let four = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let says = |counts: &[u32], corners: &[u32]| {
            MeshTopology::new(&four, counts.to_vec(), corners.to_vec()).unwrap_err().to_string()
        };
        assert_eq!(says(&[2], &[0, 1]), "face 0 has 2 corners: a face needs 3 or more");
        assert_eq!(
            says(&[3, 3], &[0, 1, 2, 0, 4, 1]),
            "face 1 has a corner at point 4, but there are 4 points (from 0)"
        );
        assert_eq!(says(&[3], &[0, 1]), "the faces have 3 corners in total, but 2 are listed");
        let shape = MeshTopology::new(&four, vec![3], vec![0, 1, 2]).unwrap();
        let with = |name: &str, values: &[f64]| {
            let attribute = Attribute { name: name.into(), values: values.to_vec() };
            shape.clone().with_attributes(vec![attribute.clone(), attribute])
        };
        assert_eq!(
            with("weight", &[1.0]).unwrap_err().to_string(),
            "`weight` has 1 values for 4 points: it needs one per point"
        );
        assert_eq!(
            with("weight", &[0.0, f64::NAN, 0.0, 0.0]).unwrap_err().to_string(),
            "`weight` of point 1 is NaN; expected a finite number up to 1e100"
        );
        assert_eq!(
            with("weight", &[0.0; 4]).unwrap_err().to_string(),
            "two attributes are called `weight`: rename one of them"
        );
        let mut points = four.to_vec();
        points[2].y = f64::INFINITY;
        assert!(matches!(
            MeshTopology::new(&points, vec![3], vec![0, 1, 2]),
            Err(MeshError::OutOfRange { point: 2, .. })
        ));
        points[2].y = 1e101;
        assert_eq!(
            MeshTopology::new(&points, vec![3], vec![0, 1, 2]).unwrap_err().to_string(),
            "`points` of point 2 is 1e101; expected a finite number up to 1e100"
        );
        assert!(Mesh::new("m", shape.clone(), points, plain()).is_err());
        let mut mesh = Mesh::new("m", shape, four.to_vec(), plain()).unwrap();
        assert!(mesh.set_colours(Some([[1.0; 3]; 3].into())).is_err());
        assert!(mesh.set_colours(Some([[1.0; 3]; 4].into())).is_ok());
    }

    #[test]
    fn clones_share_the_constant_part() {
        let rest = ball();
        let mut posed = rest.clone();
        posed.pose(&rest, None, &DAffine3::IDENTITY);
        assert!(std::ptr::eq(posed.points(), rest.points()));
        let mut moved = posed.clone();
        moved.pose(&rest, None, &DAffine3::from_translation(DVec3::X));
        assert!(Arc::ptr_eq(moved.shape(), rest.shape()));
        // The mesh it was cloned from did not move.
        assert_eq!(posed, rest);
        assert_ne!(moved, rest);
        // No other clone uses these points: the next pose reuses their memory.
        let memory = moved.points().as_ptr();
        moved.pose(&rest, None, &DAffine3::from_translation(DVec3::Y));
        assert_eq!(moved.points().as_ptr(), memory);
    }
}
