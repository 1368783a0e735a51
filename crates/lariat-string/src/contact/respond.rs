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
//!   momentum. Instead contact and length take turns.
//!
//! Tests: `two_strings_that_meet_keep_their_momentum`, `friction_between_strings_stops_and_holds`.

use glam::DVec3;

use super::near::Pair;
use super::{Touch, capsule};

/// Seconds within which depth is corrected that was there before. Shorter: pairs that cannot all be
/// right pull at their strings. Longer: strings that were laid through each other stay so.
const OUT: f64 = 0.02;

/// The least distance of axes that is let be, over the sum of two radii. More: strings under load
/// are thrown about by what cannot be. Less: they pass through each other.
const DEEP: f64 = 0.7;

/// Particles that are pushed about.
pub(in super::super) struct Touching<'a> {
    /// The first one.
    pub base: usize,
    pub x: &'a mut [DVec3],
    pub v: &'a mut [DVec3],
    pub light: &'a [f64],
    /// Where they were when the part began.
    pub before: &'a [DVec3],
    pub radius: &'a [f64],
    pub touched: &'a mut [bool],
    /// What held ones were pushed with, in N s.
    pub grips: &'a mut [DVec3],
    /// Friction of particles.
    pub rub: &'a [f64],
    /// Seconds of the part.
    pub h: f64,
}

impl Touching<'_> {
    /// Pushes a pair apart, if it touches; things moved by so much at most against each other.
    /// Returns how far apart its axes were, over where they touch; below 0 on the wrong side.
    pub(super) fn push_apart(&mut self, pair: &mut Pair, first: bool, moved: f64) -> f64 {
        if first {
            if pair.is_left(moved) {
                pair.leave(moved);
                return 1.0;
            }
            pair.touch = None;
            (pair.deep, pair.back, pair.slowed, pair.held) = (0.0, 0.0, 0.0, 0.0);
            pair.off = None;
        } else if pair.free > 0.0 {
            // Round one found it apart by more than pushes will move.
            return 1.0;
        }
        let (x, h) = (&mut *self.x, self.h);
        let [i, j] = pair.segments.map(|i| i as usize - self.base);
        let (s, t, gap) = capsule::nearest([x[i], x[i + 1]], [x[j], x[j + 1]]);
        let apart = self.radius[i] + self.radius[j];
        let square = gap.length_squared();
        // Pulled right through by the rest of its string: it goes back to its side.
        // No part is long enough for it to have gone round.
        let through = pair.side.is_some_and(|side| gap.dot(side) < 0.0);
        let mut distance = square.sqrt();
        let touches = square < apart * apart || through;
        // One that was pressed may have been pressed too much, and is not left alone for that.
        if !touches && pair.press <= 0.0 {
            // Pushes of this part may still bring it nearer.
            pair.free = if distance > 1.5 * apart { distance - 1.5 * apart } else { -1.0 };
            if first && pair.rested > 0.0 {
                let at = |i: usize, s: f64| self.before[i].lerp(self.before[i + 1], s);
                let fast = (at(i, s) - at(j, t)).distance(gap) / h;
                pair.note(apart - distance, fast, apart, [s, t]);
            }
            return 1.0;
        }
        pair.free = -1.0;
        let friction = 0.5 * (self.rub[i] + self.rub[j]);
        let places = [i, i + 1, j, j + 1];
        let shares = [1.0 - s, s, t - 1.0, -t];
        let w = places.map(|p| self.light[p]);
        let gives: f64 = shares.iter().zip(w).map(|(a, w)| w * a * a).sum();
        if gives <= 0.0 {
            return 1.0;
        }
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
        if first {
            // What pressed it all the while has been done.
            pair.slowed = pair.press * h * gives;
            pair.deep = 0.5 * pair.slowed * h;
        }
        // What came nearer in this part goes back at once, and what is about to pass through; what
        // lay deeper comes out slowly.
        let came = (sum(self.before) - gap).dot(way).max(0.0);
        let slowly = (came + apart * h / OUT).max(DEEP * apart - distance);
        let off = (apart - distance).min(slowly);
        if first {
            pair.note(off, sum(self.before).distance(gap) / h, apart, [s, t]);
        }
        let depth = if touches { off } else { 0.0 };
        let mut shift = way * depth;
        pair.deep += depth;
        // Friction of places: what slid in this part goes back, as far as all pushes hold.
        let slid = gap - sum(self.before);
        let slid = slid - way * slid.dot(way);
        let far = slid.length();
        let holds = (friction * pair.deep - pair.back).max(0.0).min(far);
        if holds > 0.0 {
            shift -= slid * (holds / far);
            pair.back += holds;
        }
        let speed = sum(self.v);
        // What leads apart is taken back as far as what pressed it gave it.
        let nearing = (-speed.dot(way)).max(if touches { 0.0 } else { -pair.slowed });
        let mut change = way * nearing;
        pair.slowed += nearing + depth / h;
        let sliding = speed - way * speed.dot(way);
        let fast = sliding.length();
        let holds = (friction * pair.slowed - pair.held).max(0.0).min(fast);
        if holds > 0.0 {
            change -= sliding * (holds / fast);
            pair.held += holds;
        }
        for ((p, a), w) in places.iter().zip(shares).zip(w) {
            let part = a / gives;
            x[*p] += shift * (part * w);
            self.v[*p] += change * (part * w);
            self.touched[*p] = true;
            if w == 0.0 {
                self.grips[*p] += change * part;
            }
        }
        let push = pair.slowed / gives;
        let segments = pair.segments.map(|i| i as usize);
        if touches || push > 0.0 {
            pair.touch = Some(Touch { segments, at: [s, t], way, push });
        }
        if touches { distance / apart } else { 1.0 }
    }
}
