//! Intersection of rays with meshes: triangles with smooth normals.
//!
//! A mesh is coarser than the surface it represents. Smooth normals hide that in the shading, but
//! not at the edge of the mesh's own shadow, where whole triangles would be dark. Shadow rays
//! therefore start slightly above the triangle, where the point would be if the surface were round
//! between its corners (Hanika 2021, "Hacking the shadow terminator"). On a flat mesh the start
//! does not move.
//!
//! The visible side is that of the triangle, not of the smooth normal, which may face away near an
//! outline.
//!
//! Tests: `a_ball_of_triangles_looks_like_a_ball`, `a_sheet_is_seen_from_both_sides`,
//! `points_show_their_colours`, `a_wooden_box_shows_its_grain`.

use glam::DVec3;
use lariat_core::geometry::Mesh;

use super::{
    surface::SurfacePoint,
    world::{Hit, Object},
};
use crate::{
    laid::{skin_surface, timber_of},
    surface::{Surface, Touch, timber},
};

/// Offset of shadow rays above a mesh, relative to its size: that of a strand with this radius.
/// With less, a surface would shadow itself by rounding errors.
const OFFSET: f64 = 1e-3;

/// All meshes of a moment.
#[derive(Debug, Default)]
pub(crate) struct Skin {
    points: Vec<DVec3>,
    normals: Vec<DVec3>,
    colours: Vec<DVec3>,
    /// Positions of points in the timber that a mesh was cut from; arbitrary for other meshes.
    grain: Vec<DVec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
    parts: Vec<Part>,
}

/// One mesh.
#[derive(Debug)]
struct Part {
    /// One past its last triangle.
    end: usize,
    /// Index among the objects of the world.
    object: u32,
    /// Whether it shows the grain of the timber that it was cut from.
    wooden: bool,
    /// Radius of the strand with the same offset of shadow rays.
    radius: f64,
}

impl Skin {
    /// Adds a mesh; returns its surface.
    pub(crate) fn add(&mut self, mesh: &Mesh, object: u32) -> Object {
        let finish = skin_surface(mesh);
        let first = self.points.len() as u32;
        self.points.extend_from_slice(mesh.points());
        self.normals.extend_from_slice(mesh.normals());
        match mesh.colours() {
            Some(colours) => {
                self.colours.extend(colours.iter().map(|c| DVec3::from(*c).max(DVec3::ZERO)));
            }
            None => self.colours.resize(self.points.len(), finish.colour),
        }
        let grain = timber_of(mesh);
        self.grain.extend_from_slice(grain.unwrap_or_default());
        self.grain.resize(self.points.len(), DVec3::ZERO);
        let moved = mesh.shape().triangles().iter().map(|t| t.map(|corner| first + corner));
        self.triangles.extend(moved);
        let low = mesh.points().iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = mesh.points().iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let size = if mesh.points().is_empty() { 0.0 } else { (high - low).length() };
        self.parts.push(Part {
            end: self.triangles.len(),
            object,
            wooden: grain.is_some(),
            radius: (OFFSET * size).max(1e-9),
        });
        Object { finish, round: false, length: 0.0, opacity: 1.0, mapped: false }
    }

    pub(crate) fn corners(&self, triangle: usize) -> [DVec3; 3] {
        let [a, b, c] = self.triangles[triangle];
        [self.points[a as usize], self.points[b as usize], self.points[c as usize]]
    }

    fn part(&self, triangle: usize) -> &Part {
        &self.parts[self.parts.partition_point(|part| part.end <= triangle)]
    }

    /// Index of its mesh among the objects of the world.
    pub(crate) fn object_of(&self, triangle: usize) -> u32 {
        self.part(triangle).object
    }

    /// Surface point of a hit on a triangle.
    pub(crate) fn surface(
        &self,
        triangle: usize,
        hit: Hit,
        from: DVec3,
        direction: DVec3,
        finish: &Surface,
        pixel: f64,
    ) -> SurfacePoint {
        let at = from + direction * hit.t;
        let corners = self.corners(triangle);
        let weights = weights(corners, at);
        let which = self.triangles[triangle].map(|corner| corner as usize);
        let mixed = |rows: &[DVec3]| {
            rows[which[0]] * weights[0] + rows[which[1]] * weights[1] + rows[which[2]] * weights[2]
        };
        let [a, b, c] = corners;
        let face = (b - a).cross(c - a);
        // The visible side.
        let side = if face.dot(direction) > 0.0 { -1.0 } else { 1.0 };
        let normal =
            (mixed(&self.normals) * side).normalize_or(face.normalize_or(-direction) * side);
        let mut lifted = at;
        for k in 0..3 {
            let out = self.normals[which[k]] * side;
            let below = (at - corners[k]).dot(out).min(0.0);
            lifted -= out * (below * weights[k]);
        }
        let part = self.part(triangle);
        let touch = if part.wooden {
            let glance = normal.dot(direction).abs().max(0.15);
            timber(mixed(&self.grain), pixel / glance.sqrt())
        } else {
            Touch::NONE
        };
        SurfacePoint {
            at: lifted,
            normal,
            bumped: normal,
            finish: Surface { colour: mixed(&self.colours), ..*finish },
            touch,
            radius: part.radius,
            cover: 1.0,
        }
    }
}

/// Barycentric coordinates of a point in a triangle.
fn weights([a, b, c]: [DVec3; 3], p: DVec3) -> [f64; 3] {
    let (e1, e2, w) = (b - a, c - a, p - a);
    let face = e1.cross(e2);
    let area = face.dot(face);
    if area <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let v = (w.cross(e2).dot(face) / area).clamp(0.0, 1.0);
    let u = (e1.cross(w).dot(face) / area).clamp(0.0, 1.0 - v);
    [1.0 - u - v, v, u]
}
