//! Picking: the strand or mesh under a pixel, and the position along the strand.
//!
//! Picking runs on the CPU, against the same tubes that renderers draw. Boxes around a few links of
//! each strand are computed once per moment; a pick tests the boxes near its ray, then the links in
//! them. So moving a rope costs as little as looking at its points, and a pick needs no device.
//!
//! A thin rope is hard to hit exactly. A strand within the tolerance, in pixels, is picked unless
//! the ray hits another strand, or a mesh in front of it.
//!
//! Ghosts and frayed yarns are not picked.
//!
//! Tests: `a_straight_rope_is_picked_at_its_known_place`, `picks_agree_with_the_reference_renderer`,
//! `a_near_miss_is_picked_within_the_tolerance`, `a_mesh_hides_strands_behind_it`,
//! `a_strap_is_picked_on_its_face_only`, `nothing_is_picked_behind_the_eye`,
//! `a_rectangle_picks_every_strand_in_it`.

use glam::{DVec2, DVec3};
use lariat_core::geometry::{Bounds, Mesh, Profile, Strand, tube::Tube};

use crate::{
    Moment, Projection, Ray, RenderError, Size,
    cpu::segment::{Cut, Piece},
    laid::{Ring, THIN, finite, finite_mesh, lay_link},
};

/// Links per box. Fewer: more boxes to test. More: more links to test in each.
const TOGETHER: usize = 16;

/// Largest distance of a bent link from its chord, as a share of the chord's length. The cubic
/// between two points leaves its chord by at most `4/27 (sin a + sin b)` of its length.
const BULGE: f64 = 0.3;

/// Strands and meshes of one moment, ready to be picked.
#[derive(Clone, Debug)]
pub struct Picker<'a> {
    moment: &'a Moment<'a>,
    projection: Projection,
    groups: Vec<Group>,
    meshes: Vec<Bounds>,
}

/// A few consecutive links of a strand.
#[derive(Clone, Copy, Debug)]
struct Group {
    strand: u32,
    first: u32,
    end: u32,
    bounds: Bounds,
}

/// A picked object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Picked {
    /// Index in the strands of the moment.
    Strand(usize),
    /// Index in the meshes of the moment.
    Mesh(usize),
}

/// Result of a pick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    /// The strand or mesh.
    pub object: Picked,
    /// Position along a strand by sample index, 0–1; 0 for a mesh.
    pub u: f64,
    /// Point on its surface, or on its axis if the ray misses it.
    pub point: DVec3,
    /// Distance of `point` along the ray, in metres.
    pub distance: f64,
    /// Distance of the ray from the surface, in pixels; 0 if it is hit.
    pub off: f64,
}

impl<'a> Picker<'a> {
    /// Prepares a moment for picks in a picture of a size.
    pub fn new(moment: &'a Moment<'a>, size: Size) -> Result<Self, RenderError> {
        let projection = moment.camera.projection(size)?;
        let mut groups = Vec::new();
        for (index, drawn) in moment.strands.iter().enumerate() {
            if !drawn.is_ghost() {
                finite(drawn.strand)?;
                group(drawn.strand, index as u32, &mut groups);
            }
        }
        for mesh in &moment.meshes {
            finite_mesh(mesh)?;
        }
        let meshes = moment.meshes.iter().map(|mesh| Bounds::of_mesh(mesh)).collect();
        Ok(Self { moment, projection, groups, meshes })
    }

    /// The object at a position in the picture, in pixels from the top left corner, or near it: a
    /// strand up to `tolerance` pixels away.
    pub fn at(&self, x: f64, y: f64, tolerance: f64) -> Option<Pick> {
        let ray = self.projection.through(x, y);
        let mut hit: Option<Pick> = None;
        let mut near: Option<Pick> = None;
        let mut add = |pick: Pick| {
            if pick.off == 0.0 {
                if hit.is_none_or(|other| pick.distance < other.distance) {
                    hit = Some(pick);
                }
            } else if pick.off <= tolerance
                && near.is_none_or(|o| (pick.off, pick.distance) < (o.off, o.distance))
            {
                near = Some(pick);
            }
        };
        let mut strap = None;
        for group in &self.groups {
            let most = tolerance.max(THIN) + 1.0;
            if !self.may_meet(&ray, &group.bounds, most) {
                continue;
            }
            let strand = self.moment.strands[group.strand as usize].strand;
            if strand.profile != Profile::Round && strap != Some(group.strand) {
                strap = Some(group.strand);
                self.on_strap(&ray, group.strand as usize, &mut add);
            }
            for i in group.first..group.end {
                self.on_link(&ray, group.strand as usize, i as usize, most, &mut add);
            }
        }
        for (index, bounds) in self.meshes.iter().enumerate() {
            if self.may_meet(&ray, bounds, 0.0) {
                add_triangles(&ray, self.moment.meshes[index], index, &mut add);
            }
        }
        match (hit, near) {
            (Some(hit), _) if matches!(hit.object, Picked::Strand(_)) => Some(hit),
            (Some(hit), Some(near)) if hit.distance < near.distance => Some(hit),
            (hit, near) => near.or(hit),
        }
    }

    /// All strands and meshes with a point in a rectangle between two positions in the picture, in
    /// pixels, hidden ones included.
    pub fn within(&self, a: (f64, f64), b: (f64, f64)) -> Vec<Picked> {
        let (a, b) = (DVec2::from(a), DVec2::from(b));
        let (low, high) = (a.min(b), a.max(b));
        let inside = |p: &DVec3| {
            self.projection.project(*p).is_some_and(|(x, y, _)| {
                DVec2::new(x, y).cmpge(low).all() && DVec2::new(x, y).cmple(high).all()
            })
        };
        let strands = self.moment.strands.iter().enumerate().filter(|(_, s)| !s.is_ghost());
        let strands = strands.filter(|(_, drawn)| drawn.strand.points().iter().any(inside));
        let meshes = self.moment.meshes.iter().enumerate();
        let meshes = meshes.filter(|(_, mesh)| mesh.points().iter().any(inside));
        let strands = strands.map(|(k, _)| Picked::Strand(k));
        strands.chain(meshes.map(|(k, _)| Picked::Mesh(k))).collect()
    }

    /// Mapping between points of space and pixels.
    pub fn projection(&self) -> &Projection {
        &self.projection
    }

    /// Whether a ray passes a box within a number of pixels.
    fn may_meet(&self, ray: &Ray, bounds: &Bounds, pixels: f64) -> bool {
        let far = bounds.low.distance(ray.origin).max(bounds.high.distance(ray.origin));
        let far = far + (bounds.high - bounds.low).length();
        let margin = pixels * self.projection.pixel_at(far);
        let (low, high) = (bounds.low - margin, bounds.high + margin);
        let (mut from, mut to) = (0.0_f64, f64::INFINITY);
        for axis in 0..3 {
            let (o, d) = (ray.origin[axis], ray.direction[axis]);
            if d == 0.0 {
                if o < low[axis] || o > high[axis] {
                    return false;
                }
                continue;
            }
            let (a, b) = ((low[axis] - o) / d, (high[axis] - o) / d);
            (from, to) = (from.max(a.min(b)), to.min(a.max(b)));
        }
        from <= to
    }

    /// Picks of the link from point `i` to the next.
    fn on_link(&self, ray: &Ray, index: usize, i: usize, most: f64, add: &mut impl FnMut(Pick)) {
        let strand = self.moment.strands[index].strand;
        let (points, radius) = (strand.points(), strand.radius());
        let chord = [points[i], points[i + 1]];
        let (_, along, aside) = approach(ray, chord);
        let wide = radius[i].max(radius[i + 1]).max(0.0) * strand.profile.reach();
        let room = wide + BULGE * chord[0].distance(chord[1]);
        if aside > room + most * self.projection.pixel_at(along + room) {
            return;
        }
        let round = strand.profile == Profile::Round;
        let last = points.len() - 2;
        let pixel = |p: DVec3| self.projection.pixel_at(p.distance(self.projection.eye()));
        let place = |h: f64| (i as f64 + h) / (last + 1) as f64;
        // Balls at the joints near a flat end must not bulge beyond it.
        let ends = [0, last + 1].map(|k| {
            let open = round && !strand.closed && is_near(strand, i, k);
            let end = Ring { centre: points[k], radius: radius[k].max(0.0) };
            open.then(|| Cut { end, along: strand.frames()[k].tangent(), own: false })
        });
        let mut before: Option<(Ring, f64)> = None;
        lay_link(strand, i, |ring, h| {
            // As wide as it is drawn; other profiles are hit by their triangles.
            let thin = THIN * pixel(ring.centre);
            let radius = if round { ring.radius.max(thin) } else { thin };
            let ring = Ring { radius, ..ring };
            if let Some((from, from_h)) = before.replace((ring, h)) {
                let axis = [from.centre, ring.centre];
                let at = |s: f64| place(from_h + s * (h - from_h));
                let own = [i == 0 && from_h == 0.0, i == last && h == 1.0];
                let cut = [0, 1].map(|k| {
                    let end = Cut { own: own[k], ..ends[k]? };
                    Some(if own[k] { Cut { end: [from, ring][k], ..end } } else { end })
                });
                let piece = Piece { a: from, b: ring, joints: [1.0; 2], cut };
                let hit = piece.hit(ray.origin, ray.direction, 0.0);
                let object = Picked::Strand(index);
                if hit.is_finite() {
                    let point = ray.origin + ray.direction * hit;
                    let u = at(nearest(axis, point));
                    add(Pick { object, u, point, distance: hit, off: 0.0 });
                } else {
                    let (s, along, aside) = approach(ray, axis);
                    let radius = from.radius + (ring.radius - from.radius) * s;
                    if along > 0.0 {
                        let off = (aside - radius) / self.projection.pixel_at(along);
                        let point = axis[0].lerp(axis[1], s);
                        // A ray through the missing half of a ball at a flat end is a miss too.
                        let off = off.max(1e-9);
                        add(Pick { object, u: at(s), point, distance: along, off });
                    }
                }
            }
        });
    }

    /// Hits of the faces of a strand that is not round.
    fn on_strap(&self, ray: &Ray, index: usize, add: &mut impl FnMut(Pick)) {
        let strand = self.moment.strands[index].strand;
        let mut tube = Tube::default();
        tube.rebuild(strand, 0, true);
        let corner = |k: u32| tube.positions[k as usize];
        let halves = tube.quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
        for triangle in halves.chain(tube.triangles.iter().copied()) {
            if let Some(distance) = triangle_hit(ray, triangle.map(corner)) {
                let point = ray.origin + ray.direction * distance;
                let u = nearest_u(strand, point);
                add(Pick { object: Picked::Strand(index), u, point, distance, off: 0.0 });
            }
        }
    }
}

/// Boxes around the links of a strand.
fn group(strand: &Strand, index: u32, groups: &mut Vec<Group>) {
    let (points, radius) = (strand.points(), strand.radius());
    let links = points.len().saturating_sub(1);
    let reach = strand.profile.reach();
    for first in (0..links).step_by(TOGETHER) {
        let end = (first + TOGETHER).min(links);
        let mut bounds = Bounds::EMPTY;
        let (mut widest, mut longest_sq) = (0.0_f64, 0.0_f64);
        for i in first..=end {
            bounds.low = bounds.low.min(points[i]);
            bounds.high = bounds.high.max(points[i]);
            widest = widest.max(radius[i]);
            if i < end {
                longest_sq = longest_sq.max(points[i].distance_squared(points[i + 1]));
            }
        }
        let room = widest * reach + BULGE * longest_sq.sqrt();
        bounds.low -= room;
        bounds.high += room;
        groups.push(Group { strand: index, first: first as u32, end: end as u32, bounds });
    }
}

/// Whether link `i` of a strand is within twice its radius of point `end`, the first or the last,
/// along the strand.
fn is_near(strand: &Strand, i: usize, end: usize) -> bool {
    let (points, radius) = (strand.points(), strand.radius());
    let between = if end == 0 { 0..i } else { i + 1..end };
    let most = 2.0 * radius[i].max(radius[i + 1]);
    let mut length = 0.0;
    for k in between {
        length += points[k].distance(points[k + 1]);
        if length > most {
            return false;
        }
    }
    true
}

/// Nearest approach of a ray to a segment: position on the segment, 0–1, distance along the ray,
/// and distance between the two.
fn approach(ray: &Ray, [a, b]: [DVec3; 2]) -> (f64, f64, f64) {
    let (d, e, w) = (ray.direction, b - a, a - ray.origin);
    let (along_e, length_sq) = (d.dot(e), e.dot(e));
    // Across the ray, the segment starts at `w` and goes along `e`, both without their parts along it.
    let across = length_sq - along_e * along_e;
    let flat = w - d * w.dot(d);
    let s = if across > 1e-18 * length_sq { (-flat.dot(e) / across).clamp(0.0, 1.0) } else { 0.0 };
    let off = w + e * s;
    let along = off.dot(d);
    (s, along, (off - d * along).length())
}

/// Position on a segment nearest to a point, 0–1.
fn nearest([a, b]: [DVec3; 2], p: DVec3) -> f64 {
    let chord = b - a;
    let length_sq = chord.dot(chord);
    if length_sq > 0.0 { ((p - a).dot(chord) / length_sq).clamp(0.0, 1.0) } else { 0.0 }
}

/// Position along a strand nearest to a point, by sample index, 0–1.
fn nearest_u(strand: &Strand, p: DVec3) -> f64 {
    let points = strand.points();
    let mut best = (f64::INFINITY, 0.0);
    for (i, pair) in points.windows(2).enumerate() {
        let h = nearest([pair[0], pair[1]], p);
        let far = pair[0].lerp(pair[1], h).distance_squared(p);
        if far < best.0 {
            best = (far, (i as f64 + h) / (points.len() - 1) as f64);
        }
    }
    best.1
}

fn add_triangles(ray: &Ray, mesh: &Mesh, index: usize, add: &mut impl FnMut(Pick)) {
    for triangle in mesh.shape().triangles() {
        if let Some(distance) = triangle_hit(ray, triangle.map(|k| mesh.points()[k as usize])) {
            let point = ray.origin + ray.direction * distance;
            add(Pick { object: Picked::Mesh(index), u: 0.0, point, distance, off: 0.0 });
        }
    }
}

/// Distance at which a ray meets a triangle, from either side (Möller and Trumbore 1997).
fn triangle_hit(ray: &Ray, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (e, f) = (b - a, c - a);
    let p = ray.direction.cross(f);
    let det = e.dot(p);
    if det == 0.0 {
        return None;
    }
    let w = ray.origin - a;
    let u = w.dot(p) / det;
    let q = w.cross(e);
    let v = ray.direction.dot(q) / det;
    let t = f.dot(q) / det;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0).then_some(t)
}

#[cfg(test)]
mod tests {
    use lariat_core::{
        geometry::{Look, MeshTopology, Sweep},
        num::ops,
    };

    use super::*;
    use crate::{Camera, Lens, NamedView, cpu::world::World, view::DrawnStrand};

    fn rope(points: &[DVec3], radius: f64) -> Strand {
        let mut strand = Strand::empty("rope", Look { name: "rope".into(), colour: [0.5; 3] });
        strand.sweep(points, &Sweep::round(DVec3::Z, radius));
        strand
    }

    /// From ten metres in front; two metres are a hundred pixels.
    fn flat() -> Camera {
        Camera {
            eye: DVec3::new(0.0, -10.0, 0.0),
            target: DVec3::ZERO,
            up: DVec3::Z,
            lens: Lens::Orthographic { height: 2.0 },
        }
    }

    const SIZE: (u32, u32) = (200, 100);

    fn size() -> Size {
        Size::new(SIZE.0, SIZE.1).unwrap()
    }

    #[test]
    fn a_straight_rope_is_picked_at_its_known_place() {
        let points: Vec<DVec3> =
            (0..=40).map(|i| DVec3::X * (-1.0 + f64::from(i) / 20.0)).collect();
        let strands = [rope(&points, 0.1)];
        let moment = Moment::new(&strands, flat());
        let picker = Picker::new(&moment, size()).unwrap();
        // Pixel 50 is at x = -1, pixel 150 at x = 1.
        for x in 51..150 {
            let x = f64::from(x) + 0.25;
            let pick = picker.at(x, 51.0, 0.0).unwrap();
            assert_eq!(pick.object, Picked::Strand(0));
            assert!((pick.u - (x - 50.0) / 100.0).abs() < 1e-12, "{} at {x}", pick.u);
            // 0.02 m below the axis of a tube of 0.1 m.
            let expected = 10.0 - (0.1_f64 * 0.1 - 0.02 * 0.02).sqrt();
            assert!((pick.distance - expected).abs() < 1e-12, "{}", pick.distance);
        }
        assert!(picker.at(49.0, 50.0, 0.0).is_none(), "beyond its flat end");
        assert!(picker.at(100.0, 56.0, 0.0).is_none(), "below it");
    }

    #[test]
    fn a_near_miss_is_picked_within_the_tolerance() {
        let strands = [rope(&[DVec3::NEG_X, DVec3::X], 0.02)];
        let moment = Moment::new(&strands, flat());
        let picker = Picker::new(&moment, size()).unwrap();
        // Its radius is one pixel.
        let pick = picker.at(75.0, 54.0, 5.0).unwrap();
        assert!((pick.off - 3.0).abs() < 1e-9 && (pick.u - 0.25).abs() < 1e-9, "{pick:?}");
        assert!(picker.at(75.0, 54.0, 2.9).is_none());
        let end = picker.at(46.0, 50.0, 4.0).unwrap();
        assert_eq!(end.u, 0.0);
    }

    #[test]
    fn nothing_is_picked_behind_the_eye() {
        let strands = [rope(&[DVec3::new(-1.0, -20.0, 0.0), DVec3::new(1.0, -20.0, 0.0)], 0.1)];
        let moment = Moment::new(&strands, flat());
        let picker = Picker::new(&moment, size()).unwrap();
        assert!(picker.at(100.0, 50.0, 10.0).is_none());
    }

    fn wall(y: f64) -> Mesh {
        let points = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, z)| DVec3::new(x, y, z))
            .to_vec();
        let shape = MeshTopology::new(&points, vec![4], vec![0, 1, 2, 3]).unwrap();
        let look = Look { name: "plain".into(), colour: [0.5; 3] };
        Mesh::new("wall", shape, points, look).unwrap()
    }

    #[test]
    fn a_mesh_hides_strands_behind_it() {
        let strands = [rope(&[DVec3::NEG_X, DVec3::X], 0.02)];
        for (y, on_rope, near_rope) in
            [(-1.0, Picked::Mesh(0), Picked::Mesh(0)), (1.0, Picked::Strand(0), Picked::Strand(0))]
        {
            let meshes = [wall(y)];
            let moment = Moment::new(&strands, flat()).with_meshes(&meshes);
            let picker = Picker::new(&moment, size()).unwrap();
            assert_eq!(picker.at(75.0, 50.0, 4.0).unwrap().object, on_rope);
            assert_eq!(picker.at(75.0, 53.0, 4.0).unwrap().object, near_rope);
            assert_eq!(picker.at(75.0, 70.0, 4.0).unwrap().object, Picked::Mesh(0));
        }
    }

    #[test]
    fn a_strap_is_picked_on_its_face_only() {
        let mut strap = rope(&[DVec3::NEG_X, DVec3::ZERO, DVec3::X], 0.4);
        // Thin along Z, wide along Y: seen from the front it is a line.
        strap.profile = Profile::flat(0.8, 0.04);
        let strands = [strap];
        let front = Moment::new(&strands, flat());
        let picker = Picker::new(&front, size()).unwrap();
        assert!(picker.at(75.0, 50.2, 0.0).is_some());
        assert!(picker.at(75.0, 55.0, 0.0).is_none());
        let top = Camera { eye: DVec3::Z * 10.0, up: DVec3::Y, ..flat() };
        let top = Moment::new(&strands, top);
        let picker = Picker::new(&top, size()).unwrap();
        let pick = picker.at(75.0, 65.0, 0.0).unwrap();
        assert!((pick.u - 0.25).abs() < 1e-9 && pick.off == 0.0, "{pick:?}");
        assert!((pick.distance - 9.98).abs() < 1e-9, "{pick:?}");
    }

    /// A coil, a bent rope, a tapering one.
    fn several() -> Vec<Strand> {
        let coil: Vec<DVec3> = (0..=90)
            .map(|i| {
                let turns = f64::from(i) / 15.0;
                DVec3::new(0.3 * turns, 0.4 * ops::cos_turns(turns), 0.4 * ops::sin_turns(turns))
            })
            .collect();
        let bent =
            [DVec3::new(-1.0, 0.3, 0.8), DVec3::new(0.4, 0.2, -0.7), DVec3::new(2.0, -0.6, 0.9)];
        let mut tail = rope(&[DVec3::new(-1.0, -0.8, -0.6), DVec3::new(1.0, -1.0, 0.0)], 0.2);
        tail.set_radius(&[0.2, 0.05]);
        vec![rope(&coil, 0.06), rope(&bent, 0.08), tail]
    }

    #[test]
    fn picks_agree_with_the_reference_renderer() {
        let strands = several();
        let bounds = crate::bounds_of(&strands);
        for camera in [
            Camera::framing(&bounds, NamedView::ThreeQuarter.direction(), 2.0),
            Camera::orthographic(&bounds, NamedView::Side, 2.0),
        ] {
            let moment = Moment::new(&strands, camera);
            let picker = Picker::new(&moment, size()).unwrap();
            let drawn: Vec<DrawnStrand<'_>> = strands.iter().map(DrawnStrand::from).collect();
            let projection = camera.projection(size()).unwrap();
            let pixel = |p: DVec3| projection.pixel_at(p.distance(projection.eye()));
            let world = World::build(&drawn, &[], DVec3::ZERO, 100.0, pixel).unwrap();
            let (mut hits, mut other) = (0, 0);
            for y in 0..SIZE.1 {
                for x in 0..SIZE.0 {
                    let (x, y) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                    let ray = projection.through(x, y);
                    let expected = world.first(ray.origin, ray.direction, 0.0, true);
                    let found = picker.at(x, y, 0.0);
                    hits += usize::from(found.is_some());
                    let same = match (expected, found) {
                        (None, None) => true,
                        (Some(hit), Some(pick)) => {
                            pick.object == Picked::Strand(world.strand_of(hit.index) as usize)
                                && (pick.distance - hit.t).abs() < 1e-3
                        }
                        _ => false,
                    };
                    other += usize::from(!same);
                }
            }
            // At outlines the joints of cones differ: the reference makes their balls smaller.
            assert!(hits > 1500 && other * 250 < hits, "{other} of {hits} pixels differ");
        }
    }

    #[test]
    fn a_rectangle_picks_every_strand_in_it() {
        let at = |z: f64| rope(&[DVec3::new(-1.0, 0.0, z), DVec3::new(1.0, 0.0, z)], 0.02);
        let strands = [at(0.8), at(0.0), at(-0.8)];
        let moment = Moment::new(&strands, flat());
        let picker = Picker::new(&moment, size()).unwrap();
        let found = picker.within((60.0, 60.0), (40.0, 0.0));
        assert_eq!(found, [Picked::Strand(0), Picked::Strand(1)]);
        assert!(picker.within((60.0, 60.0), (60.0, 60.0)).is_empty());
    }
}
