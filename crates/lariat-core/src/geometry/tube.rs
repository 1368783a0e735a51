//! The surface of a strand: rings of its profile, joined by quads, closed by caps.
//!
//! Barzel 1997, appendix A.4: the generalised cylinder, as a mesh. Round profiles get normals
//! that follow the taper; outlines get smooth normals except at corners sharper than 40 degrees,
//! where the vertex is doubled so that a strap has edges.
//!
//! Vertices are stored ring by ring; rebuilding for the next frame reuses the memory.
//!
//! Tests: `a_cylinder_has_the_area_of_its_formula`, `every_edge_is_shared_by_two_faces`,
//! `twist_turns_the_rings`.

use glam::{DVec2, DVec3};

use super::{Profile, Strand};
use crate::num::ops;

/// A mesh of quads (the side) and triangles (the caps).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tube {
    /// Vertex positions.
    pub positions: Vec<DVec3>,
    /// Unit normals, one per vertex.
    pub normals: Vec<DVec3>,
    /// Texture coordinates, one per vertex: around and along, both 0–1.
    pub uvs: Vec<DVec2>,
    /// Sides, counter-clockwise seen from outside.
    pub quads: Vec<[u32; 4]>,
    /// Caps, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The outline being swept.
    outline: Vec<Corner>,
    /// Layout for which faces and texture coordinates were built last.
    joined: Joined,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Joined {
    n: usize,
    caps: bool,
    /// Positions of the first and the last ring along the rope.
    span: [f64; 2],
    outline: Vec<Corner>,
}

/// A vertex of the outline, in radii.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Corner {
    at: DVec2,
    normal: DVec2,
    /// Around, 0–1.
    v: f64,
    /// A face joins this vertex to the next.
    joined: bool,
}

/// Cosine of the angle above which a corner is a sharp edge: 40 degrees.
const SHARP: f64 = 0.766;

impl Tube {
    /// The mesh of a strand with `sides` faces around (at least three; used for round profiles only).
    pub fn sweep(strand: &Strand, sides: usize, caps: bool) -> Self {
        let mut tube = Self::default();
        tube.rebuild(strand, sides, caps);
        tube
    }

    /// [`sweep`](Self::sweep) into existing buffers. Faces and texture coordinates are kept if the new
    /// strand has as many rings and sides as the last.
    pub fn rebuild(&mut self, strand: &Strand, sides: usize, caps: bool) {
        let n = strand.points().len();
        outline(&strand.profile, sides, &mut self.outline);
        let caps = caps && !strand.closed && !matches!(strand.profile, Profile::Open(_));
        self.positions.clear();
        self.normals.clear();
        if n < 2 || self.outline.is_empty() {
            self.join_rings(0, false, [0.0, 1.0]);
            return;
        }
        let total = n * self.outline.len() + if caps { 2 * (self.outline.len() + 1) } else { 0 };
        self.positions.reserve(total);
        self.normals.reserve(total);
        for i in 0..n {
            self.ring(strand, i);
        }
        if caps {
            self.cap(strand, 0);
            self.cap(strand, n - 1);
        }
        self.join_rings(n, caps, [strand.place(0), strand.place(n - 1)]);
    }

    /// Builds faces and texture coordinates for `n` rings of the current outline.
    fn join_rings(&mut self, n: usize, caps: bool, span: [f64; 2]) {
        let Joined { n: rings, caps: capped, span: spanned, outline } = &self.joined;
        if (*rings, *capped, *spanned) == (n, caps, span) && *outline == self.outline {
            return;
        }
        self.joined.clone_from(&Joined { n, caps, span, outline: self.outline.clone() });
        self.uvs.clear();
        self.quads.clear();
        self.triangles.clear();
        let around = self.outline.len() as u32;
        let last = n.max(2) as f64 - 1.0;
        for i in 0..n {
            let along = span[0] + (span[1] - span[0]) * (i as f64 / last);
            self.uvs.extend(self.outline.iter().map(|c| DVec2::new(c.v, along)));
        }
        for i in 0..(n as u32).saturating_sub(1) {
            let joined = self.outline.iter().enumerate().filter(|(_, c)| c.joined);
            self.quads.extend(joined.map(|(k, _)| {
                let a = i * around + k as u32;
                [a, a + 1, a + 1 + around, a + around]
            }));
        }
        if !caps {
            return;
        }
        for end in 0..2 {
            let centre = self.uvs.len() as u32;
            self.uvs.push(DVec2::splat(0.5));
            self.uvs.extend(self.outline.iter().map(|c| c.at * 0.5 + DVec2::splat(0.5)));
            for (k, _) in self.outline.iter().enumerate().filter(|(_, c)| c.joined) {
                let (a, b) = (centre + 1 + k as u32, centre + 2 + k as u32);
                self.triangles.push(if end == 0 { [centre, b, a] } else { [centre, a, b] });
            }
        }
    }

    fn ring(&mut self, strand: &Strand, i: usize) {
        let (points, radius) = (strand.points(), strand.radius());
        let n = points.len();
        let frame = match strand.twist()[i] {
            0.0 => strand.frames()[i],
            angle => strand.frames()[i].twisted(angle),
        };
        let (t, normal, binormal) = (frame.tangent(), frame.normal(), frame.binormal());
        let (before, after) = (i.saturating_sub(1), (i + 1).min(n - 1));
        // The slope of the radius along the strand tilts the normals.
        let change = radius[after] - radius[before];
        let distance = if change == 0.0 { 0.0 } else { points[before].distance(points[after]) };
        let growth = if distance > 0.0 { change / distance } else { 0.0 };
        let (p, r) = (points[i], radius[i]);
        let at = |c: &Corner| p + normal * (r * c.at.x) + binormal * (r * c.at.y);
        let out = |c: &Corner| normal * c.normal.x + binormal * c.normal.y;
        if growth == 0.0 && matches!(strand.profile, Profile::Round) {
            // On a circle the position is a radius away along the normal.
            let ring = self.normals.len();
            self.normals.extend(self.outline.iter().map(out));
            self.positions.extend(self.normals[ring..].iter().map(|out| p + *out * r));
            return;
        }
        self.positions.extend(self.outline.iter().map(at));
        if growth == 0.0 {
            self.normals.extend(self.outline.iter().map(out));
        } else {
            self.normals.extend(self.outline.iter().map(|c| {
                let out = out(c);
                (out - t * growth).normalize_or(out)
            }));
        }
    }

    /// Adds a fan over ring `i`, with separate vertices so that the rim is a sharp edge.
    fn cap(&mut self, strand: &Strand, i: usize) {
        let around = self.outline.len();
        let t = strand.frames()[i].tangent();
        let out = if i == 0 { -t } else { t };
        self.positions.push(strand.points()[i]);
        self.positions.extend_from_within(i * around..(i + 1) * around);
        self.normals.extend(std::iter::repeat_n(out, around + 1));
    }
}

/// The outline of a profile as vertices with normals; a closed one repeats its first vertex.
fn outline(profile: &Profile, sides: usize, out: &mut Vec<Corner>) {
    out.clear();
    match profile {
        Profile::Round => {
            let sides = sides.max(3);
            for k in 0..=sides {
                let v = k as f64 / sides as f64;
                let (sin, cos) = ops::sin_cos_turns(v);
                let at = DVec2::new(cos, sin);
                out.push(Corner { at, normal: at, v, joined: k < sides });
            }
        }
        Profile::Closed(points) => polygon(points, true, out),
        Profile::Open(points) => polygon(points, false, out),
    }
}

fn polygon(points: &[DVec2], closed: bool, out: &mut Vec<Corner>) {
    let n = points.len();
    if n < 2 {
        return;
    }
    let edges = if closed { n } else { n - 1 };
    // Counter-clockwise: the outside is to the right of an edge.
    let edge = |k: usize| {
        let e = points[(k + 1) % n] - points[k % n];
        DVec2::new(e.y, -e.x).normalize_or(DVec2::X)
    };
    for k in 0..=edges {
        let before = if k > 0 { Some(edge(k - 1)) } else { closed.then(|| edge(n - 1)) };
        let after = if k < edges { Some(edge(k)) } else { closed.then(|| edge(0)) };
        let (a, b) = (before.or(after).unwrap_or(DVec2::X), after.or(before).unwrap_or(DVec2::X));
        let (at, v) = (points[k % n], k as f64 / edges as f64);
        if a.dot(b) > SHARP {
            let normal = (a + b).normalize_or(a);
            out.push(Corner { at, normal, v, joined: k < edges });
        } else {
            if k > 0 {
                out.push(Corner { at, normal: a, v, joined: false });
            }
            if k < edges {
                out.push(Corner { at, normal: b, v, joined: true });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Look, Sweep};
    use std::collections::BTreeMap;
    use std::f64::consts::TAU;

    fn strand(n: u32, sweep: &Sweep<'_>, profile: Profile) -> Strand {
        let points: Vec<_> =
            (0..n).map(|i| DVec3::X * (2.0 * f64::from(i) / f64::from(n - 1))).collect();
        let mut strand = Strand::empty("rope", Look { name: "rope".into(), colour: [1.0; 3] });
        strand.profile = profile;
        strand.sweep(&points, sweep);
        strand
    }

    fn area(tube: &Tube) -> f64 {
        let p = |i: u32| tube.positions[i as usize];
        let triangle = |a, b, c| 0.5 * (p(b) - p(a)).cross(p(c) - p(a)).length();
        let quads: f64 = tube
            .quads
            .iter()
            .map(|q| triangle(q[0], q[1], q[2]) + triangle(q[0], q[2], q[3]))
            .sum();
        quads + tube.triangles.iter().map(|t| triangle(t[0], t[1], t[2])).sum::<f64>()
    }

    #[test]
    fn a_cylinder_has_the_area_of_its_formula() {
        let tube = Tube::sweep(&strand(9, &Sweep::round(DVec3::Z, 0.1), Profile::Round), 256, true);
        let formula = TAU * 0.1 * 2.0 + TAU * 0.1 * 0.1;
        assert!((area(&tube) / formula - 1.0).abs() < 1e-3);
    }

    #[test]
    fn faces_point_outwards() {
        for profile in [Profile::Round, Profile::flat(0.2, 0.02)] {
            let tube = Tube::sweep(&strand(5, &Sweep::round(DVec3::Z, 0.1), profile), 12, true);
            let p = |i: u32| tube.positions[i as usize];
            for q in &tube.quads {
                let n = (p(q[1]) - p(q[0])).cross(p(q[3]) - p(q[0]));
                assert!(n.dot(tube.normals[q[0] as usize]) > 0.0);
            }
            for t in &tube.triangles {
                let n = (p(t[1]) - p(t[0])).cross(p(t[2]) - p(t[0]));
                assert!(n.dot(tube.normals[t[0] as usize]) > 0.0);
            }
        }
    }

    /// Welded by position, every edge belongs to exactly two faces: the mesh is watertight.
    #[test]
    fn every_edge_is_shared_by_two_faces() {
        for profile in [Profile::Round, Profile::flat(0.2, 0.02)] {
            let tube = Tube::sweep(&strand(5, &Sweep::round(DVec3::Z, 0.1), profile), 7, true);
            let key = |i: u32| {
                let p = tube.positions[i as usize] * 1e9;
                (p.x.round() as i64, p.y.round() as i64, p.z.round() as i64)
            };
            let mut edges = BTreeMap::new();
            let faces =
                tube.quads.iter().map(|q| &q[..]).chain(tube.triangles.iter().map(|t| &t[..]));
            for face in faces {
                for k in 0..face.len() {
                    let (a, b) = (key(face[k]), key(face[(k + 1) % face.len()]));
                    *edges.entry(if a < b { (a, b) } else { (b, a) }).or_insert(0) += 1;
                }
            }
            assert!(edges.values().all(|n| *n == 2));
        }
    }

    #[test]
    fn twist_turns_the_rings() {
        let quarter = |u: f64| u * TAU / 4.0;
        let sweep = Sweep { rotation: Some(&quarter), ..Sweep::round(DVec3::Z, 0.1) };
        let tube = Tube::sweep(&strand(3, &sweep, Profile::Round), 4, false);
        // Normal is up; the last ring is turned by a quarter, towards the binormal −Y.
        assert!(tube.positions[0].distance(DVec3::new(0.0, 0.0, 0.1)) < 1e-15);
        assert!(tube.positions[10].distance(DVec3::new(2.0, -0.1, 0.0)) < 1e-15);
    }

    #[test]
    fn rebuilding_is_the_same_as_building() {
        let mut tube = Tube::default();
        let (a, b) = (Sweep::round(DVec3::Z, 0.1), Sweep::round(DVec3::Y, 0.2));
        for (n, sweep, profile, sides, caps) in [
            (5, &a, Profile::Round, 8, true),
            (5, &b, Profile::Round, 8, true),
            (9, &b, Profile::Round, 8, true),
            (9, &b, Profile::Round, 6, false),
            (9, &b, Profile::flat(0.2, 0.02), 6, true),
        ] {
            let strand = strand(n, sweep, profile);
            tube.rebuild(&strand, sides, caps);
            assert_eq!(tube, Tube::sweep(&strand, sides, caps));
            assert_eq!(tube.positions.len(), tube.uvs.len());
        }
    }

    #[test]
    fn a_strap_has_edges() {
        let tube = Tube::sweep(
            &strand(2, &Sweep::round(DVec3::Z, 0.1), Profile::flat(0.2, 0.02)),
            0,
            false,
        );
        assert_eq!(tube.quads.len(), 4);
        assert_eq!(tube.positions.len(), 16, "four corners, doubled, two rings");
    }
}
