//! Collisions of strings with themselves, with each other and with obstacles.
//!
//! Section 6. Segments are capsules. The closest points of a colliding pair are at the fractions `s` and
//! `t`, and the ends of both segments move apart in proportion to them, `a = (1−s, s, −(1−t), −t)`:
//! `λ = (r₁ + r₂ − distance) / Σ w a²`, `x += w a λ n`. Colliding particles are marked, and count as
//! [`Strings::collision_mass`] times heavier while shape is matched.
//!
//! # Differences from the paper
//!
//! * R10: its seven voxels with particles miss contacts. Here voxels as large as a capsule hold the
//!   middles of segments, and all 27 neighbours are searched.
//! * Neighbours along one string always overlap. Pairs nearer than `1 + ⌈2r/l⌉` segments do not
//!   collide.
//! * The paper has no friction and no obstacles. Friction undoes the sliding of this step, by at
//!   most the coefficient times the correction of depth.
//!
//! Tests: `strings_that_cross_are_pushed_apart`, `a_string_lies_on_the_floor`,
//! `heavier_particles_do_not_keep_momentum`, `neighbours_do_not_collide`, `a_floor_that_rises_lifts_a_string`,
//! `friction_stops_a_sliding_string`.

use std::collections::BTreeMap;

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;

use super::strings::Strings;

/// Largest voxel index: places beyond it share the outermost voxels.
const OUTERMOST: f64 = 1e12;

impl Strings {
    /// Pushes strings out of obstacles and apart from each other.
    pub(super) fn collide(&mut self) {
        for pair in self.near_pairs() {
            self.push_apart(pair);
        }
        let obstacles = std::mem::take(&mut self.obstacles);
        for obstacle in &obstacles {
            self.push_out_of(obstacle, true);
        }
        self.obstacles = obstacles;
    }

    /// Pushes strings out of obstacles once more, after lengths were limited.
    pub(super) fn push_out(&mut self) {
        let obstacles = std::mem::take(&mut self.obstacles);
        for obstacle in &obstacles {
            self.push_out_of(obstacle, false);
        }
        self.obstacles = obstacles;
    }

    fn push_out_of(&mut self, obstacle: &Obstacle, rubs: bool) {
        for s in 0..self.state.spans.len() {
            let span = self.state.spans[s];
            let friction = self.values(span.string).friction;
            for i in span.particles().filter(|i| !self.work.held[*i]) {
                let place = self.state.positions[i];
                let (clear, outwards) = obstacle.clearance(place);
                let depth = (self.parts.radius[i] - obstacle.margin).max(0.0) - clear;
                if depth.is_nan() || depth <= 0.0 {
                    continue;
                }
                self.work.touched[i] = true;
                let mut place = place + outwards * depth;
                if rubs {
                    let slid = place - obstacle.carried(self.work.before[i]);
                    let slid = slid - outwards * slid.dot(outwards);
                    place -= limited(slid, friction * depth);
                }
                self.state.positions[i] = place;
            }
        }
    }

    /// Pairs of segments whose middles lie in neighbouring voxels, in ascending order.
    fn near_pairs(&self) -> Vec<[usize; 2]> {
        let mut segments: Vec<(usize, usize)> = Vec::new();
        let mut size = 0.0_f64;
        for span in &self.state.spans {
            if self.values(span.string).contact {
                for i in span.segments() {
                    let length = self.state.positions[i].distance(self.state.positions[i + 1]);
                    size = size.max(length + 2.0 * self.parts.radius[i]);
                    segments.push((i, span.string));
                }
            }
        }
        if !(size > 0.0 && size.is_finite()) {
            return Vec::new();
        }
        let voxel = |i: usize| {
            let middle = (self.state.positions[i] + self.state.positions[i + 1]) * (0.5 / size);
            middle.to_array().map(|x| x.floor().clamp(-OUTERMOST, OUTERMOST) as i64)
        };
        let mut voxels: BTreeMap<[i64; 3], Vec<(usize, usize)>> = BTreeMap::new();
        let mut pairs = Vec::new();
        // Each segment meets those that are in the grid already, so every pair is found once.
        for (i, string) in segments {
            let [x, y, z] = voxel(i);
            for (x, y) in (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| (x, y))) {
                for (_, inside) in voxels.range([x, y, z - 1]..=[x, y, z + 1]) {
                    let others = inside
                        .iter()
                        .filter(|(j, other)| *other != string || i - j > self.neighbours(*j));
                    pairs.extend(others.map(|(j, _)| [*j, i]));
                }
            }
            voxels.entry([x, y, z]).or_default().push((i, string));
        }
        pairs.sort_unstable();
        pairs
    }

    /// Number of segments along a string that are too near to collide.
    fn neighbours(&self, segment: usize) -> usize {
        let across = 2.0 * self.parts.radius[segment] / self.parts.length[segment];
        (across.ceil() as usize).saturating_add(1)
    }

    /// Pushes a pair of segments apart if they overlap.
    fn push_apart(&mut self, [i, j]: [usize; 2]) {
        let ends = [i, i + 1, j, j + 1];
        let at = |row: &[DVec3]| ends.map(|end| row[end]);
        let x = at(&self.state.positions);
        let (s, t) = closest(x);
        let shares = [1.0 - s, s, t - 1.0, -t];
        let gap = weighted(x, shares);
        let (reach, distance) = (self.parts.radius[i] + self.parts.radius[j], gap.length());
        let inverse = ends.map(|end| match self.work.held[end] {
            true => 0.0,
            false => 1.0 / self.parts.mass[end],
        });
        let gives: f64 = inverse.iter().zip(shares).map(|(w, a)| w * a * a).sum();
        if distance.is_nan() || distance >= reach || gives <= 0.0 {
            return;
        }
        // Axes that cross have no direction between them: any direction across both will do.
        let (u, v) = (x[1] - x[0], x[3] - x[2]);
        let across = u.cross(v).normalize_or(u.normalize_or(DVec3::X).any_orthonormal_vector());
        let normal = gap.try_normalize().unwrap_or(across);
        let slid = gap - weighted(at(&self.work.before), shares);
        let friction = 0.5 * (self.friction_of(i) + self.friction_of(j));
        let depth = reach - distance;
        let back = limited(slid - normal * slid.dot(normal), friction * depth);
        let change = (normal * depth - back) / gives;
        for ((end, a), w) in ends.into_iter().zip(shares).zip(inverse) {
            self.state.positions[end] += change * (w * a);
            self.work.touched[end] = true;
        }
    }

    fn friction_of(&self, segment: usize) -> f64 {
        let string = self.kinds.partition_point(|kind| kind.first <= segment) - 1;
        self.values(string).friction
    }
}

/// A vector shortened to at most `longest`.
fn limited(vector: DVec3, longest: f64) -> DVec3 {
    let length = vector.length();
    if length > longest { vector * (longest / length) } else { vector }
}

fn weighted(places: [DVec3; 4], shares: [f64; 4]) -> DVec3 {
    places.into_iter().zip(shares).map(|(place, share)| place * share).sum()
}

/// Fractions along two segments, given by their four ends, at which they are closest.
fn closest([a, b, c, d]: [DVec3; 4]) -> (f64, f64) {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    let fraction = |numerator: f64, square: f64| match square > 0.0 {
        true => (numerator / square).clamp(0.0, 1.0),
        false => 0.0,
    };
    let parallel = uu * vv - uv * uv;
    let s = match parallel > 1e-12 * uu * vv {
        true => ((uv * w.dot(v) - vv * w.dot(u)) / parallel).clamp(0.0, 1.0),
        false => 0.5,
    };
    // The closest point of the second segment to that one, and back: exact for all convex pairs.
    let t = fraction((w + u * s).dot(v), vv);
    let s = fraction((v * t - w).dot(u), uu);
    (s, fraction((w + u * s).dot(v), vv))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closest_points_vs_a_fine_search() {
        let mut seed = 7_u64;
        let mut unit = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        for _ in 0..200 {
            let ends = [(); 4].map(|()| DVec3::new(unit(), unit(), unit()));
            let far = |s: f64, t: f64| weighted(ends, [1.0 - s, s, t - 1.0, -t]).length();
            let (s, t) = closest(ends);
            let found = far(s, t);
            for (i, j) in (0..=40).flat_map(|i| (0..=40).map(move |j| (i, j))) {
                let searched = far(f64::from(i) / 40.0, f64::from(j) / 40.0);
                assert!(found <= searched + 1e-12, "{found} {searched}");
            }
        }
    }

    #[test]
    fn points_and_parallel_segments_have_closest_points() {
        let (x, y) = (DVec3::X, DVec3::Y);
        let (s, t) = closest([DVec3::ZERO, x, y, y + x]);
        assert!((s - t).abs() < 1e-12);
        assert_eq!(closest([DVec3::ZERO, DVec3::ZERO, y, y]), (0.0, 0.0));
        assert_eq!(closest([DVec3::ZERO, x, x * 3.0 + y, x * 2.0 + y]), (1.0, 1.0));
    }
}
