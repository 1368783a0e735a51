//! Strings that touch solids they are not tied to.
//!
//! Solids are looked at where they will be at the end of the part. A particle that is nearer to one
//! than its radius is put outside; what speed led it in it loses, and the solid gains by it,
//! `j = −u·n / (1/m + n·G·n)`; friction holds back what slides, at most `μ` times that. Between
//! particles the same is done at the deepest place of a segment, with `(1 − s)²/m₁ + s²/m₂` in the
//! place of `1/m`: an edge, a nail or a small ball does not pass between two of them. The distance
//! from a solid without hollows has one least value along a line, so halving finds it.
//!
//! The same impulse for both, at the same place: both momenta are kept, but for what putting apart
//! moves. What a place is pushed by its string passes on (`Strings::pass_on`), in rounds with the pushes:
//! its segments end as long as they were, so that nothing is stored in a stiff string that would throw
//! what it is tied to. What comes to a tied particle by that is handed over with the rest of what the
//! string did to it (`pull.rs`).
//!
//! The two particles next to a tie may be where the solid is: a knot has its place; and if that
//! is deep inside, the string leads there as through a hole. What is
//! tied to another solid is moved by that one alone, and a clamped particle by its hand.
//!
//! What is fast makes shorter parts, so that neither passes through the other in one of them; so does
//! what is close, for strings step without knowing what they touch, and a taut one goes into it by the
//! square of the part.
//!
//! Heavy solids are carried by taut strings, and do not sink in between, by what `lean.rs` does.
//!
//! What stands around strings but is no solid is an obstacle of theirs (`Strings::obstacles`).
//!
//! Tests: `a_string_falls_on_a_box_and_pushes_it`, `a_ball_thrown_at_a_string_is_slowed_by_it`,
//! `a_nail_does_not_pass_between_two_particles`, `what_is_fast_makes_shorter_parts`,
//! `the_deepest_place_vs_many_places`, `what_touches_beside_where_it_is_held_is_not_thrown`,
//! `the_end_of_a_string_is_as_thick_as_the_rest_of_it`, `a_string_far_away_makes_no_parts_shorter`,
//! `a_knot_of_one_string_is_none_of_the_next`, `a_box_thrown_up_on_its_string_is_not_thrown_by_it`,
//! `a_string_that_lies_on_its_own_box_stays_outside`, `what_touches_between_two_particles_is_close`.

use glam::{DMat3, DVec3};
use lariat_core::model::layer::Collider;
use lariat_string::Span;

use super::Tied;
use crate::solid::Solid;

/// Halvings for the deepest place of a segment: to a millionth of its length.
const HALVINGS: u32 = 20;

/// A place this near to an end of a segment, as a share of it, is that of its particle.
const AT_ITS_END: f64 = 1e-3;

/// How far strings and solids may move past each other in a part, over how thick both are. More:
/// they may pass through each other. Less: steps take longer.
const THROUGH: f64 = 0.4;

/// How far what lands may go into a string in a part, over its radius. More: it lands on the wrong side of
/// an edge. Less: steps in which something lands take longer.
const LANDS: f64 = 0.5;

/// Times that fast solids may make parts more. More: a diverged solid takes all the time there is.
const FAST_PARTS: f64 = 32.0;

/// How far a particle is moved at most to put a place of its segment out, over how deep that is; and
/// how fast, over how fast that goes in. More: a segment that touches right beside where it is held is
/// thrown about by its free end. Less: what is touched between two free particles comes out late.
const LEVER: f64 = 2.0;

/// Rounds in a part, of pushes and of strings that pass them on. Fewer: what is taut sinks in deeper.
const ROUNDS: u32 = 8;

/// A push is worth another round if it moves a particle by more than this, over the radius, at once or
/// within the part. More: what is taut sinks in deeper. Less: what is as good as outside takes longer.
const WORTH: f64 = 1e-6;

/// How far a particle is moved at most in a round, over the length of its segment. More: pushes make
/// kinks that lengths cannot follow.
const FURTHEST: f64 = 0.2;

/// The longest part while a string and a solid are close, in seconds. Longer: a taut string sinks into
/// what it lies on, with the square of that. Shorter: what touches takes longer.
const CLOSE: f64 = 1.0 / 960.0;

/// Close is nearer than this, over the radius of the string. More: what flies past makes parts shorter.
/// Less: what rests may be found apart.
const ALL_BUT: f64 = 1.25;

/// Where a string is: all of it, and how thick it is at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    low: DVec3,
    high: DVec3,
    pub radius: f64,
    pub friction: f64,
    /// How fast any of it is, in m/s.
    fast: f64,
    /// Whether any of it was pushed in this part.
    pushed: bool,
}

/// A place of a string that touches: two particles, and the share of the second.
pub(super) struct Place {
    pub particles: [usize; 2],
    pub share: f64,
    /// One over their masses; 0 for what is held.
    pub light: [f64; 2],
    pub distance: f64,
    pub out: DVec3,
    pub depth: f64,
}

impl Tied {
    /// Pushes strings and solids apart; returns how many particles touch.
    pub(super) fn meet(&mut self, h: f64) -> u32 {
        if self.solids.solids.is_empty() {
            return 0;
        }
        self.measure();
        self.work.soon.clear();
        for k in 0..self.solids.solids.len() {
            let soon = self.soon(k, h);
            self.work.soon.push(soon);
        }
        let mut meeting = 0;
        for round in 0..ROUNDS {
            let (particles, moved) = self.push_all(h, round == 0);
            if round == 0 {
                meeting = particles;
            }
            if !moved {
                break;
            }
            for s in 0..self.work.extents.len() {
                if self.work.extents[s].pushed {
                    self.strings.pass_on(s, h);
                }
            }
        }
        for s in 0..self.work.extents.len() {
            if self.work.extents[s].pushed {
                self.strings.settle(s);
            }
        }
        meeting
    }

    /// Pushes once where anything touches; returns how many particles do, and whether that moved anything
    /// at all.
    fn push_all(&mut self, h: f64, first: bool) -> (u32, bool) {
        let (mut particles, mut moved) = (0, false);
        for k in 0..self.solids.solids.len() {
            let mut soon = self.work.soon[k];
            let collider = soon.collider();
            for s in 0..self.work.extents.len() {
                let extent = self.work.extents[s];
                if !near(&extent, &soon, 1.0, 0.0) {
                    continue;
                }
                let span = self.strings.state.spans[s];
                let reach = soon.shape.half().length() + extent.radius;
                for i in span.particles() {
                    if self.is_beyond(i, soon.position, reach) {
                        continue;
                    }
                    if let Some(place) = self.particle_in(i, k, &collider, 1.0) {
                        self.remember(s);
                        moved |= self.push_apart(&place, k, &mut soon, (extent.friction, h, first));
                        particles += 1;
                    }
                }
                for i in span.segments() {
                    let reach = reach + self.strings.segment_length(i);
                    if self.is_beyond(i, soon.position, reach) {
                        continue;
                    }
                    if let Some(place) = self.segment_in(i, k, &collider, 1.0) {
                        self.remember(s);
                        moved |= self.push_apart(&place, k, &mut soon, (extent.friction, h, first));
                    }
                }
            }
            self.work.soon[k] = soon;
        }
        (particles, moved)
    }

    /// Lengths of a piece, before it is pushed for the first time.
    fn remember(&mut self, s: usize) {
        let extent = &mut self.work.extents[s];
        if !extent.pushed {
            extent.pushed = true;
            self.strings.mark(s);
        }
    }

    /// How many parts a step needs for strings and solids not to pass through each other.
    pub(super) fn parts_to_meet(&mut self, dt: f64, parts: u32) -> u32 {
        if !self.meets || self.solids.solids.is_empty() {
            return parts;
        }
        self.measure();
        let mut most = f64::from(parts);
        for solid in &self.solids.solids {
            let half = solid.shape.half();
            let turns = solid.spin.length() * half.length();
            for (span, extent) in self.strings.state.spans.iter().zip(&self.work.extents) {
                let thick = 2.0 * (half.min_element() + extent.radius);
                for i in span.particles() {
                    let state = &self.strings.state;
                    let speed = state.velocities[i].distance(solid.velocity) + turns;
                    let needed = speed * dt / (THROUGH * thick);
                    if needed <= most {
                        continue;
                    }
                    let away = state.positions[i].distance(solid.position) - half.length();
                    // The next particle may be there before it is.
                    let beside = span.segment_at(i);
                    let length = beside.map_or(0.0, |beside| self.strings.segment_length(beside));
                    let reach = length + extent.radius;
                    if away < speed * dt + reach {
                        most = needed;
                    }
                }
            }
        }
        let close = dt / CLOSE - 1e-9;
        if most < close && self.is_close() {
            most = close;
        }
        most = self.parts_to_land(dt, most);
        most.min(f64::from(parts) * FAST_PARTS).ceil() as u32
    }

    /// How many parts a step needs for nothing to land deep in a string, or a string in it.
    fn parts_to_land(&self, dt: f64, mut most: f64) -> f64 {
        let state = &self.strings.state;
        for (k, solid) in self.solids.solids.iter().enumerate() {
            let collider = solid.collider();
            let size = solid.shape.half().length();
            for (span, extent) in state.spans.iter().zip(&self.work.extents) {
                let goes =
                    (extent.fast + solid.velocity.length() + solid.spin.length() * size) * dt;
                if !near(extent, solid, 1.0, goes) || self.is_tied(span, k) {
                    continue;
                }
                for i in span.particles() {
                    let (x, v) = (state.positions[i], state.velocities[i]);
                    let fast = v.distance(solid.velocity) + solid.spin.length() * size;
                    let needed = fast * dt / (LANDS * extent.radius);
                    if needed <= most
                        || self.is_beyond(i, solid.position, size + extent.radius + fast * dt)
                    {
                        continue;
                    }
                    let (distance, out) = collider.distance(x);
                    let into = -(v - solid.velocity_at(x)).dot(out);
                    if distance > 0.0 && distance < extent.radius + into * dt {
                        most = most.max(into * dt / (LANDS * extent.radius));
                    }
                }
            }
        }
        most
    }

    /// Whether a string touches a solid now, or all but.
    fn is_close(&self) -> bool {
        let x = &self.strings.state.positions;
        self.solids.solids.iter().enumerate().any(|(k, solid)| {
            let collider = solid.collider();
            let size = solid.shape.half().length();
            let spans = self.strings.state.spans.iter().zip(&self.work.extents);
            spans.filter(|(_, extent)| near(extent, solid, ALL_BUT, 0.0)).any(|(span, extent)| {
                let reach = ALL_BUT * extent.radius;
                let particle = |i: usize| {
                    !self.is_beyond(i, solid.position, size + reach)
                        && collider.distance(x[i]).0 < reach
                        && !self.is_knotted(i, k, 1, &collider)
                };
                let segment = |i: usize| {
                    let reach = size + reach + self.strings.segment_length(i);
                    !self.is_beyond(i, solid.position, reach)
                        && self.segment_in(i, k, &collider, ALL_BUT).is_some()
                };
                span.particles().any(particle) || span.segments().any(segment)
            })
        })
    }

    /// Whether a piece is tied to a solid.
    pub(super) fn is_tied(&self, span: &Span, k: usize) -> bool {
        let mut ties = self.holds.iter().filter(|hold| hold.active && hold.solid == k);
        ties.any(|hold| span.particles().contains(&hold.particle))
    }

    /// Whether a piece may touch a solid.
    pub(super) fn is_near(&self, s: usize, solid: &Solid) -> bool {
        near(&self.work.extents[s], solid, ALL_BUT, 0.0)
    }

    /// Where strings are.
    pub(super) fn measure(&mut self) {
        let (strings, extents) = (&self.strings, &mut self.work.extents);
        extents.clear();
        extents.extend(strings.state.spans.iter().map(|span| {
            let x = &strings.state.positions[span.particles()];
            let (low, high) = x.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |box_, x| {
                (box_.0.min(*x), box_.1.max(*x))
            });
            let radius = span.particles().map(|i| strings.radius_at(i)).fold(0.0, f64::max);
            let squares = strings.state.velocities[span.particles()].iter();
            let fast = squares.map(|v| v.length_squared()).fold(0.0, f64::max).sqrt();
            Extent {
                low,
                high,
                radius,
                fast,
                friction: strings.overrides(span.string).friction,
                pushed: false,
            }
        }));
    }

    /// Whether a particle is further from a place than that.
    pub(super) fn is_beyond(&self, i: usize, place: DVec3, reach: f64) -> bool {
        self.strings.state.positions[i].distance_squared(place) > reach * reach
    }

    /// One over the mass of a particle, 0 if it is held or moves with a solid.
    fn light(&self, i: usize) -> f64 {
        let tied = self.holds.iter().any(|hold| hold.active && hold.particle == i);
        if tied || self.is_clamped(i) { 0.0 } else { self.strings.mass(i).recip() }
    }

    /// Whether a particle is so near to a knot at a solid; or, where the knot is deep inside, leads
    /// there from outside, as through a hole.
    fn is_knotted(&self, i: usize, k: usize, near: usize, collider: &Collider) -> bool {
        let x = &self.strings.state.positions;
        self.holds.iter().filter(|hold| hold.active && hold.solid == k).any(|hold| {
            let knot = hold.particle;
            let thick = 2.0 * self.strings.radius_at(i);
            let deep = || collider.distance(x[knot]).0 < -thick;
            let joined = || self.strings.span_of(knot).is_some_and(|s| s.particles().contains(&i));
            let inside = |j: usize| collider.distance(x[j]).0 < 0.5 * thick;
            let leads_there = || (knot.min(i)..=knot.max(i)).all(inside);
            joined() && (knot.abs_diff(i) <= near || (deep() && leads_there()))
        })
    }

    /// A particle, if it is in a solid; or would be, were it so many times as thick.
    pub(super) fn particle_in(
        &self,
        i: usize,
        k: usize,
        collider: &Collider,
        thicker: f64,
    ) -> Option<Place> {
        let (distance, out) = collider.distance(self.strings.state.positions[i]);
        let depth = thicker * self.strings.radius_at(i) - distance;
        if depth <= 0.0 || self.is_knotted(i, k, 1, collider) {
            return None;
        }
        let light = [self.light(i), 0.0];
        (light[0] > 0.0).then_some(Place {
            particles: [i, i],
            share: 0.0,
            light,
            distance,
            out,
            depth,
        })
    }

    /// The deepest place of a segment, if it is in a solid and none of its ends; or would be, were it so
    /// many times as thick.
    pub(super) fn segment_in(
        &self,
        i: usize,
        k: usize,
        collider: &Collider,
        thicker: f64,
    ) -> Option<Place> {
        let x = &self.strings.state.positions;
        let (a, b) = (x[i], x[i + 1]);
        let radius = thicker * self.strings.radius(i);
        // Nowhere on it nearer than this.
        let ends = collider.distance(a).0 + collider.distance(b).0;
        if 0.5 * (ends - a.distance(b)) > radius {
            return None;
        }
        let share = deepest(collider, a, b);
        if !(AT_ITS_END..=1.0 - AT_ITS_END).contains(&share) {
            return None;
        }
        let (distance, out) = collider.distance(a.lerp(b, share));
        let depth = radius - distance;
        let knotted = |i: usize| self.is_knotted(i, k, 0, collider);
        if depth <= 0.0 || knotted(i) || knotted(i + 1) {
            return None;
        }
        let light = [self.light(i), self.light(i + 1)];
        (light[0] + light[1] > 0.0).then_some(Place {
            particles: [i, i + 1],
            share,
            light,
            distance,
            out,
            depth,
        })
    }

    /// Pushes a place of a string and a solid apart; returns whether by anything worth another round.
    fn push_apart(
        &mut self,
        at: &Place,
        k: usize,
        soon: &mut Solid,
        (friction, h, first): (f64, f64, bool),
    ) -> bool {
        let Place { particles: [a, b], share, light, out, .. } = *at;
        let state = &self.strings.state;
        let (x, y) = (state.positions[a], state.positions[b]);
        let (v, w) = (state.velocities[a], state.velocities[b]);
        let weights = [1.0 - share, share];
        let yields = [0, 1].map(|n| weights[n] * light[n]);
        let gives_way = yields[0] * weights[0] + yields[1] * weights[1];
        // On the axis of the string, so that nothing of it turns by friction alone.
        let place = x.lerp(y, share) - out * at.distance.min(0.0);
        let past = v.lerp(w, share) - soon.velocity_at(place);
        let gives = soon.gives(place) + DMat3::from_diagonal(DVec3::splat(gives_way));
        let into = (-past.dot(out)).max(0.0);
        let mut impulse = out * (into / out.dot(gives * out));
        let sliding = past + out * into;
        let fast = sliding.length();
        if fast > 0.0 && into > 0.0 {
            let way = sliding / fast;
            let stops = fast / way.dot(gives * way);
            impulse -= way * stops.min(friction * impulse.length());
        }
        // Near to where it is held, a segment is a lever: its other end need not go all the way, nor as
        // fast; it is moved once in a part, and no faster than in the longest.
        let lever = |gives: f64| (yields[0].max(yields[1]) / gives).max(LEVER) / LEVER;
        let held = lever(gives_way);
        let once = if first { (h / self.longest).min(1.0) } else { 0.0 };
        let pace = if held > 1.0 { once } else { 1.0 };
        impulse *= pace / lever(out.dot(gives * out));
        // What lies deep inside comes out in time: put out at once, it would snap back.
        let most = 2.0 * self.strings.radius_at(a) + past.length() * h;
        let rests = &self.strings.state.rests;
        let beside = self.strings.segment_at(a).map_or(f64::INFINITY, |i| rests[i]);
        let depth = at.depth.min(most).min(FURTHEST * beside);
        let apart = out * (pace * depth / (gives_way * held));
        self.strings.carry(a, x + apart * yields[0], v + impulse * yields[0]);
        if a != b {
            self.strings.carry(b, y + apart * yields[1], w + impulse * yields[1]);
        }
        let arm = place - soon.position;
        self.solids.push(k, impulse / -h, self.solids.solids[k].position);
        self.solids.turn(k, arm.cross(impulse) / -h);
        soon.velocity -= impulse / soon.mass;
        soon.spin -= soon.turns() * arm.cross(impulse);
        let radius = self.strings.radius_at(a);
        let most = yields[0].max(yields[1]);
        most * (apart.length() + impulse.length() * h) > WORTH * radius
    }
}

/// Whether a string may touch a solid, if it were so many times as thick.
fn near(extent: &Extent, solid: &Solid, thicker: f64, goes: f64) -> bool {
    let reach = DVec3::splat(solid.shape.half().length() + thicker * extent.radius + goes);
    let apart = (extent.low - solid.position - reach).max(solid.position - reach - extent.high);
    apart.max_element() <= 0.0
}

/// Where along a line, 0–1, a solid without hollows is deepest.
fn deepest(collider: &Collider, a: DVec3, b: DVec3) -> f64 {
    let along = b - a;
    let deepens = |share: f64| collider.distance(a + along * share).1.dot(along) < 0.0;
    if !deepens(0.0) {
        return 0.0;
    }
    if deepens(1.0) {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if deepens(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;
    use crate::solid::turn_by;

    #[test]
    fn the_deepest_place_vs_many_places() {
        let shapes = [
            Shape::Box { half: DVec3::new(0.3, 0.02, 0.1) },
            Shape::Ball { radius: 0.1 },
            Shape::Cylinder { half: 0.2, radius: 0.01 },
        ];
        let (mut inside, mut inner) = (0, 0);
        for k in 0..600 {
            let mixed = |n: u32| f64::from((k * 7919 + n * 104_729) % 1009) / 1009.0 - 0.5;
            let point = |n: u32| DVec3::new(mixed(n), mixed(n + 1), mixed(n + 2)) * 0.5;
            let mut solid = Solid::new(shapes[k as usize % 3], 1.0, DVec3::ZERO);
            solid.rotation = turn_by(point(9) * 4.0);
            let (collider, a, b) = (solid.collider(), point(1), point(4));
            let share = deepest(&collider, a, b);
            let found = collider.distance(a.lerp(b, share)).0;
            let at = |n: u32| collider.distance(a.lerp(b, f64::from(n) / 4096.0)).0;
            let known = (0..=4096).map(at).fold(f64::INFINITY, f64::min);
            assert!(found < known + 1e-6, "{k}: {found} at {share}, but {known}");
            inside += u32::from(found < 0.0);
            inner += u32::from(share > 0.01 && share < 0.99);
        }
        assert!(inside > 100 && inner > 300, "{inside} {inner}");
    }
}
