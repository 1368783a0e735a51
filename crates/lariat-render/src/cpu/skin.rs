//! Intersection of rays with meshes: triangles with smooth normals.
//!
//! A mesh is coarser than the surface it represents. Smooth normals hide that in the light, but not
//! at the edge of the mesh's own shadow, where whole triangles would be dark. Shadow rays therefore
//! start slightly above: where the point would be if the surface were round between its corners
//! (Hanika 2021, "Hacking the shadow terminator"). On a flat mesh the start is not moved.
//!
//! The triangle decides which side is seen, not the smooth normal, which may face away near an
//! outline.
//!
//! Tests: `a_ball_of_triangles_looks_like_a_ball`, `a_sheet_is_seen_from_both_sides`,
//! `points_show_their_colours`, `a_wooden_box_shows_its_grain`.

use glam::DVec3;
use lariat_core::geometry::Mesh;

use super::{
    surface::SurfacePoint,
    world::{Hit, Thing},
};
use crate::{
    laid::{skin_surface, timber_of},
    surface::{Surface, Touch, timber},
};

/// Offset of shadow rays above a mesh, in sizes of the mesh: that of a strand with this radius.
/// With less, a surface would shadow itself by rounding errors.
const CAREFUL: f64 = 1e-3;

/// All meshes of a moment.
#[derive(Debug, Default)]
pub(crate) struct Skin {
    points: Vec<DVec3>,
    normals: Vec<DVec3>,
    colours: Vec<DVec3>,
    /// Where points are in the wood that they were cut from; of others, anywhere.
    grain: Vec<DVec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
    parts: Vec<Part>,
}

/// One mesh.
#[derive(Debug)]
struct Part {
    /// Its last triangle, and one more.
    end: usize,
    /// Its number among the things of the world.
    thing: u32,
    /// Whether it is wood that shows where it was cut.
    wooden: bool,
    /// As careful as with a strand of this radius.
    radius: f64,
}

impl Skin {
    /// Adds a mesh; returns its surface.
    pub(crate) fn add(&mut self, mesh: &Mesh, thing: u32) -> Thing {
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
            thing,
            wooden: grain.is_some(),
            radius: (CAREFUL * size).max(1e-9),
        });
        Thing { finish, round: false, length: 0.0, opacity: 1.0, mapped: false }
    }

    pub(crate) fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|corner| self.points[corner as usize])
    }

    fn part(&self, triangle: usize) -> &Part {
        &self.parts[self.parts.partition_point(|part| part.end <= triangle)]
    }

    /// The number of its mesh among the things of the world.
    pub(crate) fn thing_of(&self, triangle: usize) -> u32 {
        self.part(triangle).thing
    }

    /// Surface point of a hit on a triangle.
    pub(crate) fn surface(
        &self,
        triangle: usize,
        hit: Hit,
        from: DVec3,
        way: DVec3,
        finish: &Surface,
        pixel: f64,
    ) -> SurfacePoint {
        let at = from + way * hit.t;
        let corners = self.corners(triangle);
        let weights = weights(corners, at);
        let which = self.triangles[triangle].map(|corner| corner as usize);
        let mixed = |rows: &[DVec3]| {
            rows[which[0]] * weights[0] + rows[which[1]] * weights[1] + rows[which[2]] * weights[2]
        };
        let [a, b, c] = corners;
        let face = (b - a).cross(c - a);
        // The side that is seen.
        let side = if face.dot(way) > 0.0 { -1.0 } else { 1.0 };
        let normal = (mixed(&self.normals) * side).normalize_or(face.normalize_or(-way) * side);
        let mut lifted = at;
        for k in 0..3 {
            let out = self.normals[which[k]] * side;
            let below = (at - corners[k]).dot(out).min(0.0);
            lifted -= out * (below * weights[k]);
        }
        let part = self.part(triangle);
        let touch = if part.wooden {
            let glance = normal.dot(way).abs().max(0.15);
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
            strand: part.thing,
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
