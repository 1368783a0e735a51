//! Halos around bulbs, hidden by strands in front of them.

use glam::DVec3;

use super::{
    GpuRenderer,
    rows::{KNOT, OPACITY},
};
use crate::{
    camera::{Projection, Ray},
    cpu::{DISC, GLOW, HALO, HIDDEN, segment::Piece},
    laid::{Lamp, Ring as Section},
};

impl GpuRenderer {
    /// Halos of a moment, as in the reference, except that straps do not hide them.
    pub(super) fn glows(&self, projection: &Projection, part: f64, halos: &mut Vec<[f32; 8]>) {
        for (lamp, own) in self.rows.lamps.iter().zip(&self.rows.lamp_knots) {
            let Some((x, y, depth)) = projection.project(lamp.centre) else { continue };
            let wide = lamp.radius / projection.pixel_at(depth);
            let rays = DISC.map(|at| projection.through(x + at[0] * wide, y + at[1] * wide));
            let knots = &self.rows.knots[..self.rows.tubes];
            let mut hidden = [false; DISC.len()];
            for pair in [&knots[..own.start], &knots[own.end..]].iter().flat_map(|k| k.windows(2)) {
                let [a, b] = [&pair[0], &pair[1]];
                if a[KNOT - 1] != 0.0 || a[OPACITY] < 1.0 {
                    continue;
                }
                let piece = piece_of(a, b, self.rows.middle);
                if !may_hide(&piece, lamp, rays[0]) {
                    continue;
                }
                for (hidden, ray) in hidden.iter_mut().zip(&rays) {
                    let far = lamp.centre.distance(ray.origin);
                    *hidden |= piece.hit(ray.origin, ray.direction, 0.0) < far;
                }
            }
            let share = hidden.iter().filter(|hidden| !**hidden).count() as f64 / DISC.len() as f64;
            let much = GLOW * (HIDDEN + (1.0 - HIDDEN) * share);
            let reach = HALO * wide;
            let colour = lamp.colour * (much * part);
            halos.push([x, y, reach, 0.0, colour.x, colour.y, colour.z, 0.0].map(|v| v as f32));
        }
    }
}

/// The tube between two knots.
fn piece_of(a: &[f32; KNOT], b: &[f32; KNOT], middle: DVec3) -> Piece {
    let section = |k: &[f32; KNOT]| {
        let centre = middle + DVec3::new(k[0].into(), k[1].into(), k[2].into());
        Section { centre, radius: k[3].into() }
    };
    Piece { a: section(a), b: section(b), joints: [1.0; 2], cut: [None; 2] }
}

/// Whether a piece is close enough to the ray through a lamp's centre to hide any of the lamp.
fn may_hide(piece: &Piece, lamp: &Lamp, ray: Ray) -> bool {
    let (a, b) = (piece.a, piece.b);
    let middle = (a.centre + b.centre) * 0.5 - ray.origin;
    let along = middle.dot(ray.direction);
    let around = 0.5 * a.centre.distance(b.centre) + a.radius.max(b.radius) + lamp.radius;
    let aside = middle - ray.direction * along;
    aside.dot(aside) <= around * around
        && along - around < lamp.centre.distance(ray.origin)
        && along + around > 0.0
}
