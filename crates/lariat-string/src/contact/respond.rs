//! Pushes and friction between two segments that touch.
//!
//! With the nearest places at `s` and `t` and `a = (1−s, s, −(1−t), −t)` (notes 4.5):
//! `λ = (r₁ + r₂ − distance) / Σ w a²`, `x += w a λ n`, which keeps momentum. Speeds lose what
//! brings the places nearer. Friction holds back what slides, at most `μ` times the push: places
//! stay where they stuck, speeds become equal, and neither is ever turned round.
//!
//! # Where we leave the paper
//!
//! * It makes colliding particles three times heavier while shape is matched, which keeps no
//!   momentum; `Settings::heavier` has that. Instead contact and length take turns.
//!
//! Tests: `two_strings_that_meet_keep_their_momentum`, `friction_between_strings_stops_and_holds`.

use glam::DVec3;

use super::super::strings::Strings;
use super::{Touch, capsule};

impl Strings {
    /// Pushes apart all pairs that touch.
    pub(super) fn push_apart(&mut self, h: f64, first: bool) {
        let (x, v) = (&mut self.state.positions, &mut self.state.velocities);
        let (light, before) = (&self.work.light, &self.work.before);
        let contacts = &mut self.work.contacts;
        let radius = &self.parts.radius;
        contacts.touches.clear();
        for ((a, b), side) in contacts.near.iter().zip(&contacts.sides) {
            let (i, j) = (*a as usize, *b as usize);
            let (s, t, gap) = capsule::nearest([x[i], x[i + 1]], [x[j], x[j + 1]]);
            let apart = radius[i] + radius[j];
            let square = gap.length_squared();
            // Pulled right through by the rest of its string: it goes back to its side.
            let through = gap.dot(*side) < 0.0
                && (0.0..1.0).contains(&s)
                && (0.0..1.0).contains(&t)
                && s * t > 0.0;
            if square >= apart * apart && !through {
                continue;
            }
            let friction = 0.5 * (self.work.rub[i] + self.work.rub[j]);
            let places = [i, i + 1, j, j + 1];
            let shares = [1.0 - s, s, t - 1.0, -t];
            let w = places.map(|p| light[p]);
            let gives: f64 = shares.iter().zip(w).map(|(a, w)| w * a * a).sum();
            if gives <= 0.0 {
                continue;
            }
            let mut distance = square.sqrt();
            // Lying in each other, any way across both will do.
            let way = if through {
                distance = -distance;
                gap / distance
            } else if distance > 1e-9 * apart {
                gap / distance
            } else {
                let (u, d) = (x[i + 1] - x[i], x[j + 1] - x[j]);
                u.cross(d).normalize_or(u.any_orthonormal_vector())
            };
            let sum =
                |row: &[DVec3]| places.iter().zip(shares).map(|(p, a)| row[*p] * a).sum::<DVec3>();
            // What came nearer in this part goes back at once; what lay deeper comes out within two
            // hundredths of a second, so that pairs which cannot all be right pull at no string.
            let came = (sum(before) - gap).dot(way).max(0.0);
            let depth = (apart - distance).min(came + apart * h / 0.02);
            let mut shift = way * depth;
            if first {
                // Friction of places: what slid in this part goes back, as far as the push holds.
                let slid = gap - sum(before);
                let slid = slid - way * slid.dot(way);
                let far = slid.length();
                if far > 0.0 {
                    shift -= slid * (friction * depth / far).min(1.0);
                }
            }
            let speed = sum(v);
            let nearing = (-speed.dot(way)).max(0.0);
            let mut change = way * nearing;
            let sliding = speed - way * speed.dot(way);
            let fast = sliding.length();
            let held = friction * (nearing + if first { depth / h } else { 0.0 });
            if fast > 0.0 {
                change -= sliding * (held / fast).min(1.0);
            }
            for ((p, a), w) in places.iter().zip(shares).zip(w) {
                let part = w * a / gives;
                x[*p] += shift * part;
                v[*p] += change * part;
                contacts.touched[*p] = true;
            }
            let push = (nearing + depth / h) / gives;
            contacts.touches.push(Touch { segments: [i, j], at: [s, t], way, push });
        }
    }
}
