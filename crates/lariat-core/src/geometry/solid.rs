//! Boxes, balls and cylinders as meshes.
//!
//! Each is centred at the origin, in metres. Edges are slightly bevelled, so that they catch light.
//! Points are few, so that files stay small; normals are smooth over the bevels and flat on the
//! faces, because they are weighted by area ([`MeshTopology`]).
//!
//! Every point has a position in the wood that it is cut from ([`MeshTopology::grain`]): the grain is
//! along the longest edge of a box and along the axis of a cylinder.
//!
//! Tests: `a_box_has_its_size`, `meshes_are_closed_and_face_outwards`, `volumes_vs_formulas`,
//! `grain_runs_along_the_longest_edge`, `a_box_is_flat_on_its_faces`.

use glam::DVec3;

use super::{MeshError, MeshTopology};
use crate::num::ops;

/// A solid centred at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// A box, a board, a crate.
    Box {
        /// Its edge lengths along X, Y and Z, in metres.
        size: DVec3,
    },
    /// A ball.
    Ball {
        /// In metres.
        radius: f64,
    },
    /// An upright cylinder with flat ends.
    Cylinder {
        /// In metres.
        radius: f64,
        /// Along Z, in metres.
        height: f64,
    },
}

/// Width of a bevel, as a fraction of the shortest edge, and its maximum in metres.
const BEVEL: (f64, f64) = (0.04, 0.01);

/// Sides of a circle: with 48 its outline deviates by a fifth of a percent.
const SIDES: u32 = 48;

/// Steps of a ball from pole to pole.
const BALL_RINGS: u32 = 24;

impl Solid {
    /// Returns its faces and points.
    pub fn mesh(&self) -> Result<(MeshTopology, Vec<DVec3>), MeshError> {
        let mut builder = Builder::default();
        // Axis along the grain.
        let mut along = 2;
        match *self {
            Self::Box { size } => {
                builder.block(0.5 * size, bevel(size.min_element()));
                along =
                    (0..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best });
            }
            Self::Ball { radius } => builder.ball(radius),
            Self::Cylinder { radius, height } => {
                builder.cylinder(radius, 0.5 * height, bevel(height.min(2.0 * radius)));
            }
        }
        let grain = |p: &DVec3| DVec3::new(p[along], p[(along + 1) % 3], p[(along + 2) % 3]);
        let grain = builder.points.iter().map(grain).collect();
        let shape = MeshTopology::new(&builder.points, builder.counts, builder.corners)?
            .with_grain(grain)?;
        Ok((shape, builder.points))
    }
}

fn bevel(shortest: f64) -> f64 {
    (BEVEL.0 * shortest).min(BEVEL.1)
}

/// A convex mesh around the origin under construction.
#[derive(Default)]
struct Builder {
    points: Vec<DVec3>,
    counts: Vec<u32>,
    corners: Vec<u32>,
}

impl Builder {
    /// Adds a face, oriented outwards.
    fn face(&mut self, face: &[u32]) {
        let at = |k: usize| self.points[face[k] as usize];
        let area = (2..face.len())
            .fold(DVec3::ZERO, |sum, k| sum + (at(k - 1) - at(0)).cross(at(k) - at(0)));
        let middle: DVec3 = (0..face.len()).map(at).sum();
        self.counts.push(face.len() as u32);
        if area.dot(middle) < 0.0 {
            self.corners.extend(face.iter().rev());
        } else {
            self.corners.extend(face);
        }
    }

    /// Adds a box: three points at each corner, one on each face that meets there.
    fn block(&mut self, half: DVec3, bevel: f64) {
        let inner = half - bevel;
        for corner in 0..8 {
            let sign =
                DVec3::from([0, 1, 2].map(|a| if corner >> a & 1 == 1 { 1.0 } else { -1.0 }));
            for axis in 0..3 {
                let mut p = sign * inner;
                p[axis] = sign[axis] * half[axis];
                self.points.push(p);
            }
        }
        // Index of the point of a corner (one bit per axis) on the face normal to an axis.
        let on = |bits: u32, face: usize| 3 * bits + face as u32;
        for a in 0..3 {
            let (b, c) = ((a + 1) % 3, (a + 2) % 3);
            let bit = |a_bit: u32, b_bit: u32, c_bit: u32| a_bit << a | b_bit << b | c_bit << c;
            for side in 0..2 {
                let around = [(0, 0), (1, 0), (1, 1), (0, 1)];
                self.face(&around.map(|(y, z)| on(bit(side, y, z), a)));
            }
            for (y, z) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let (from, to) = (bit(0, y, z), bit(1, y, z));
                self.face(&[on(from, b), on(to, b), on(to, c), on(from, c)]);
            }
        }
        for corner in 0..8 {
            self.face(&[0, 1, 2].map(|axis| on(corner, axis)));
        }
    }

    /// Adds a ring of points, with faces to the previous ring if `joined`.
    fn ring(&mut self, radius: f64, z: f64, joined: bool) {
        let first = self.points.len() as u32;
        for k in 0..SIDES {
            let turns = f64::from(k) / f64::from(SIDES);
            let (x, y) = (ops::cos_turns(turns), ops::sin_turns(turns));
            self.points.push(DVec3::new(radius * x, radius * y, z));
        }
        for k in (0..SIDES).filter(|_| joined) {
            let next = (k + 1) % SIDES;
            self.face(&[first - SIDES + k, first - SIDES + next, first + next, first + k]);
        }
    }

    fn cylinder(&mut self, radius: f64, half: f64, bevel: f64) {
        self.ring(radius - bevel, -half, false);
        self.ring(radius, bevel - half, true);
        self.ring(radius, half - bevel, true);
        self.ring(radius - bevel, half, true);
        for first in [0, 3 * SIDES] {
            let end: Vec<u32> = (first..first + SIDES).collect();
            self.face(&end);
        }
    }

    fn ball(&mut self, radius: f64) {
        self.points.push(DVec3::Z * -radius);
        for i in 1..BALL_RINGS {
            let turns = 0.5 * f64::from(i) / f64::from(BALL_RINGS);
            let (across, up) = (ops::sin_turns(turns), -ops::cos_turns(turns));
            self.ring(radius * across, radius * up, i > 1);
        }
        let top = self.points.len() as u32;
        self.points.push(DVec3::Z * radius);
        for k in 0..SIDES {
            let next = (k + 1) % SIDES;
            self.face(&[0, 1 + k, 1 + next]);
            self.face(&[top, top - SIDES + k, top - SIDES + next]);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::f64::consts::PI;

    use super::*;
    use crate::geometry::{Look, Mesh};

    const BOARD: Solid = Solid::Box { size: DVec3::new(0.3, 1.2, 0.02) };
    const BARREL: Solid = Solid::Cylinder { radius: 0.3, height: 0.8 };
    const BALL: Solid = Solid::Ball { radius: 0.25 };

    fn mesh(solid: Solid) -> Mesh {
        let (shape, points) = solid.mesh().unwrap();
        let look = Look { name: "wood".into(), colour: [0.5; 3] };
        Mesh::new("mesh", shape, points, look).unwrap()
    }

    /// The enclosed volume, by the divergence theorem.
    fn volume(mesh: &Mesh) -> f64 {
        let at = |corner: u32| mesh.points()[corner as usize];
        let six: f64 =
            mesh.shape().triangles().iter().map(|t| at(t[0]).dot(at(t[1]).cross(at(t[2])))).sum();
        six / 6.0
    }

    #[test]
    fn a_box_has_its_size() {
        let board = mesh(BOARD);
        let high = board.points().iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let low = board.points().iter().copied().fold(DVec3::INFINITY, DVec3::min);
        assert_eq!((low, high), (DVec3::new(-0.15, -0.6, -0.01), DVec3::new(0.15, 0.6, 0.01)));
        assert_eq!((board.points().len(), board.shape().counts().len()), (24, 6 + 12 + 8));
    }

    #[test]
    fn meshes_are_closed_and_face_outwards() {
        for solid in [BOARD, BARREL, BALL] {
            let mesh = mesh(solid);
            // Every edge has two faces, which traverse it in opposite directions.
            let mut edges: BTreeMap<(u32, u32), i32> = BTreeMap::new();
            let mut left = mesh.shape().corners();
            for count in mesh.shape().counts() {
                let (face, after) = left.split_at(*count as usize);
                left = after;
                for k in 0..face.len() {
                    *edges.entry((face[k], face[(k + 1) % face.len()])).or_default() += 1;
                }
            }
            for (edge, count) in &edges {
                assert_eq!((*count, edges.get(&(edge.1, edge.0))), (1, Some(&1)), "{solid:?}");
            }
            for (p, n) in mesh.points().iter().zip(mesh.normals()) {
                assert!(p.dot(*n) > 0.0, "{solid:?}: {n} at {p}");
            }
        }
    }

    #[test]
    fn volumes_vs_formulas() {
        // Bevels and flat sides remove a little volume and never add any.
        for (solid, whole) in [
            (BOARD, 0.3 * 1.2 * 0.02),
            (BARREL, PI * 0.09 * 0.8),
            (BALL, 4.0 / 3.0 * PI * 0.25 * 0.25 * 0.25),
        ] {
            let share = volume(&mesh(solid)) / whole;
            assert!((0.985..1.0).contains(&share), "{solid:?}: {share}");
        }
    }

    #[test]
    fn grain_runs_along_the_longest_edge() {
        let board = mesh(BOARD);
        let grain = board.shape().grain().unwrap();
        for (p, g) in board.points().iter().zip(grain) {
            assert_eq!(*g, DVec3::new(p.y, p.z, p.x));
        }
        assert_eq!(mesh(BARREL).shape().grain().unwrap()[0].x, -0.4);
    }

    #[test]
    fn a_box_is_flat_on_its_faces() {
        let crate_ = mesh(Solid::Box { size: DVec3::splat(0.4) });
        for (at, normal) in crate_.normals().iter().enumerate() {
            // Three points per corner, on the faces normal to X, Y and Z.
            assert!(normal[at % 3].abs() > 0.99, "{normal}");
        }
    }
}
