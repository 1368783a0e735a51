//! Meshes as buffers for the graphics card: a row per point, and indices of triangles.
//!
//! Tests: `a_mesh_is_rows_and_triangles`, `balls_hold_their_triangles`.

use glam::DVec3;
use lariat_core::geometry::Mesh;

use super::rows::KNOT;
use crate::laid::{skin_surface, timber_of};

/// Numbers per point; `strand.wgsl` describes them.
pub(super) const POINT: usize = 16;

/// Triangles that share a ball in the map of nearby objects: fewer are more accurate, more need
/// fewer rows.
const TOGETHER: usize = 64;

/// All meshes of a moment.
#[derive(Debug, Default)]
pub(super) struct Skins {
    pub points: Vec<[f32; POINT]>,
    pub triangles: Vec<[u32; 3]>,
    /// Range of triangles of every mesh.
    pub ranges: Vec<(u32, u32)>,
}

impl Skins {
    pub(super) fn clear(&mut self) {
        self.points.clear();
        self.triangles.clear();
        self.ranges.clear();
    }

    /// Adds a mesh with the index of its surface, relative to `middle`.
    pub(super) fn add(&mut self, mesh: &Mesh, surface: f32, middle: DVec3) {
        let first = self.points.len() as u32;
        let before = self.triangles.len() as u32;
        let own = skin_surface(mesh).colour;
        let grain = timber_of(mesh);
        for (k, (p, n)) in mesh.points().iter().zip(mesh.normals()).enumerate() {
            let p = *p - middle;
            let colour = mesh.colours().map_or(own, |all| DVec3::from(all[k]).max(DVec3::ZERO));
            let row = [
                [p.x, p.y, p.z, 0.0],
                [n.x, n.y, n.z, f64::from(surface)],
                [colour.x, colour.y, colour.z, 0.0],
                grain.map_or([0.0; 4], |all| [all[k].x, all[k].y, all[k].z, 1.0]),
            ];
            self.points.push(std::array::from_fn(|i| row[i / 4][i % 4] as f32));
        }
        let triangles = mesh.shape().triangles().iter();
        self.triangles.extend(triangles.map(|t| t.map(|corner| first + corner)));
        self.ranges.push((before, self.triangles.len() as u32));
    }
}

/// Balls around all triangles of a mesh, as knots that are neither visible nor in any depth map,
/// two coincident ones for each. They only mark occupied regions.
pub(super) fn balls(mesh: &Mesh, middle: DVec3, knots: &mut Vec<[f32; KNOT]>) {
    for some in mesh.shape().triangles().chunks(TOGETHER) {
        let corners = || some.iter().flatten().map(|corner| mesh.points()[*corner as usize]);
        let low = corners().fold(DVec3::INFINITY, DVec3::min);
        let high = corners().fold(DVec3::NEG_INFINITY, DVec3::max);
        let (centre, radius) = ((low + high) * 0.5 - middle, 0.5 * (high - low).length());
        let mut knot = [0.0; KNOT];
        for (x, value) in knot.iter_mut().zip([centre.x, centre.y, centre.z, radius]) {
            *x = value as f32;
        }
        let mut last = knot;
        last[KNOT - 1] = 1.0;
        knots.extend([knot, last]);
    }
}

#[cfg(test)]
mod tests {
    use lariat_core::geometry::{Look, MeshTopology};

    use super::*;

    fn square() -> Mesh {
        let points = vec![DVec3::ZERO, DVec3::X, DVec3::X + DVec3::Y, DVec3::Y];
        let shape = MeshTopology::new(&points, vec![4], vec![0, 1, 2, 3]).unwrap();
        let look = Look { name: "plain".into(), colour: [0.5, 0.25, 0.125] };
        Mesh::new("square", shape, points, look).unwrap()
    }

    #[test]
    fn a_mesh_is_rows_and_triangles() {
        let mut skins = Skins::default();
        let mut painted = square();
        painted.set_colours(Some([[0.0, 1.0, 0.0]; 4].into())).unwrap();
        skins.add(&square(), 3.0, DVec3::X);
        skins.add(&painted, 4.0, DVec3::X);
        assert_eq!(skins.triangles, [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]);
        let row = [-1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 3.0, 0.5, 0.25, 0.125, 0.0];
        assert_eq!(skins.points[3][..12], row);
        assert_eq!(skins.points[3][12..], [0.0; 4], "it was not cut from timber");
        assert_eq!(skins.points[4][7..11], [4.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn balls_hold_their_triangles() {
        let mut knots = Vec::new();
        balls(&square(), DVec3::ZERO, &mut knots);
        assert_eq!(knots.len(), 2);
        let [x, y, z, radius] = [0, 1, 2, 3].map(|k| f64::from(knots[0][k]));
        for p in square().points() {
            assert!(p.distance(DVec3::new(x, y, z)) <= radius + 1e-6);
        }
        assert_eq!((knots[0][KNOT - 1], knots[1][KNOT - 1]), (0.0, 1.0));
    }
}
