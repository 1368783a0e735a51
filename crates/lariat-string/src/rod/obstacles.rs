//! Contact with obstacles, as part of Newton's matrix.
//!
//! A particle that touches an obstacle, or a place within a segment that does, has a push `N ≥ 0`
//! along the outward normal `n` and friction `f` across it, at most `µ N`. The push is the multiplier
//! of an augmented Lagrangian, friction a spring that gives way; `g` is friction when the substep
//! began. In every iteration
//!
//! ```text
//! N' = N − κ (gap + n·dx)        as long as it pushes; a place that does not touches when gap < 0
//! f' = g − κ' slip               if |f'| ≤ µ N: it sticks; otherwise it slides with |f'| = µ N
//! ```
//!
//! goes into the blocks of its particle or of the two ends of its segment, so contact with obstacles
//! costs no more than the solve itself, whatever the number of contacts. At the solution the gap is
//! zero, whatever `κ` is: it only has to exceed the stiffness that the string has there, and is chosen
//! a thousand times that. Friction is about as stiff as the string: what it gives way by is no more
//! than what the string does, and a place at rest does not creep. Friction that turns round from one
//! iteration to the next has overshot, and its place sticks for an iteration.
//!
//! Slip is measured from where the place would be had it moved with the obstacle, so an obstacle that
//! moves carries what lies on it.
//!
//! Tests: `what_falls_on_the_floor_lies_still`, `what_slides_stops_and_stays`,
//! `a_slope_holds_up_to_its_friction`, `a_weight_over_a_round_beam_rests_with_60_segments`.

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Collider;

use super::chain::Chain;
use super::lanes::{Sym3, along_and_across};
use super::parts::Constants;
use super::state::Support;

/// `κ` over the transverse stiffness of the string. Less: more iterations. More: digits are lost.
const STIFFER: f64 = 1e3;

/// Stiffness of friction before it slides, over that of the string. More: places go to and fro between
/// sliding and sticking. Less: they give way visibly before they slide.
const GRIP: f64 = 2.0;

/// `κ` over the stiffness along the string, where that is pressed against the obstacle or rubs on it.
const STIFFER_ALONG: f64 = 10.0;

/// How much deeper than its ends a place within a segment must be to be a contact, in radii.
const DEEPER: f64 = 2e-4;

/// Distance within which contacts are looked for beyond the likely motion, in radii.
const NEAR: f64 = 0.5;

/// Depth at which a new contact is a blow, in radii.
const BLOW: f64 = 0.1;

/// Share of the permitted depth that is permitted to a place that is not pushed.
const UNNOTICED: f64 = 0.05;

/// Way of a segment in a substep, over the thickness of the obstacle, beyond which it is followed.
const FAST: f64 = 0.25;

/// Most steps on that way, and the distance at which it meets the obstacle, in radii.
const SWEEP: u32 = 64;
const MEETS: f64 = 0.02;

/// Least distance of a contact from the ends of its segment, over its length.
const INNER: f64 = 1e-3;

/// Seconds in which a place that is inside when a substep begins is pushed out. Less: a string that
/// starts inside an obstacle is thrown out of it.
pub(super) const RECOVERY: f64 = 0.05;

/// Steps of the search for the deepest place of a segment: its length times 0.618²⁰ is 7e-5 of it.
const SEARCH: u32 = 20;

/// A contact with an obstacle in the present substep.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Contact {
    /// Its place is 0 for a particle.
    pub support: Support,
    /// Distance from the obstacle, beyond the depth that is allowed in this substep.
    gap: f64,
    allowed: f64,
    /// Where the place would be if it had moved with the obstacle.
    carried: DVec3,
    stiffness: f64,
    grip: f64,
    /// Force and stiffness in this iteration; none if it does not touch.
    force: DVec3,
    block: Option<Sym3<f64>>,
    /// Friction when the substep began.
    before: DVec3,
    /// Direction of friction if it slides; none if it sticks.
    slides: Option<DVec3>,
    radius: f64,
}

/// Where a segment meets an obstacle.
struct Hit {
    /// Place along the segment.
    at: f64,
    place: DVec3,
    normal: DVec3,
}

impl Contact {
    /// Friction that would hold it if that were not limited, and its slip.
    fn held(&self, now: DVec3) -> (DVec3, DVec3) {
        let across = |v: DVec3| v - self.support.normal * v.dot(self.support.normal);
        let slip = across(now - self.carried);
        (across(self.before) - slip * self.grip, slip)
    }
}

/// Distance of a point of radius `radius` from an obstacle, and the outward normal.
fn clearance(obstacle: &Obstacle, radius: f64, x: DVec3) -> (f64, DVec3) {
    let (clear, out) = obstacle.clearance(x);
    (clear - (radius - obstacle.margin).max(0.0), out)
}

/// Whether a straight segment can touch an obstacle between its ends only.
fn bulges(obstacle: &Obstacle) -> bool {
    !matches!(obstacle.now, Collider::Plane { .. } | Collider::HeightField(_))
}

/// The deepest place of a segment, by the convexity of the distance along it.
fn deepest(far: impl Fn(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut a, mut b) = (0.0, 1.0);
    let (mut x, mut y) = (1.0 - GOLDEN, GOLDEN);
    let (mut far_x, mut far_y) = (far(x), far(y));
    for _ in 0..SEARCH {
        if far_x < far_y {
            (b, y, far_y) = (y, x, far_x);
            x = b - GOLDEN * (b - a);
            far_x = far(x);
        } else {
            (a, x, far_x) = (x, y, far_y);
            y = a + GOLDEN * (b - a);
            far_y = far(y);
        }
    }
    0.5 * (a + b)
}

/// The place within a segment that is nearer to an obstacle than both of its ends, if there is one;
/// `far` is the distance along the segment.
fn within(far: impl Fn(f64) -> f64, radius: f64) -> Option<f64> {
    let ends = [far(0.0), far(1.0)];
    let (least, most) = (ends[0].min(ends[1]) - DEEPER * radius, ends[0].max(ends[1]));
    // The distance is convex, so this bounds how near it can be.
    if 2.0 * far(0.5) - most > least {
        return None;
    }
    let place = deepest(&far);
    (far(place) < least).then_some(place)
}

impl Chain {
    /// Finds the contacts that are possible in this substep. A new one that is a blow makes the
    /// substep one of first order.
    pub(super) fn find_contacts(&mut self, obstacles: &[Obstacle], constants: &Constants<'_>) {
        self.contacts.clear();
        let radii = &constants.parts.radius[self.first..];
        for (index, obstacle) in obstacles.iter().enumerate() {
            let mut before = f64::INFINITY;
            for (i, radius) in radii[..self.count].iter().copied().enumerate() {
                let carried = obstacle.carried(self.x_start[i]);
                let way = self.x[i].distance(carried);
                let near = clearance(obstacle, radius, carried).0 - way - NEAR * radius;
                let mut add = |particle: usize, within: bool| {
                    let support = Support {
                        particle: particle as u32,
                        obstacle: index as u32,
                        within,
                        ..Support::default()
                    };
                    self.contacts.push(Contact { support, ..Contact::default() });
                };
                if near < 0.0 {
                    add(i, false);
                }
                if i > 0 && bulges(obstacle) {
                    let length = self.x[i].distance(self.x[i - 1]);
                    if before + near < length {
                        add(i - 1, true);
                    }
                }
                before = near;
            }
        }
        self.contacts.sort_unstable_by_key(|contact| contact.support.key());
        let mut known = self.supports.iter().peekable();
        let mut blow = false;
        let mut contacts = std::mem::take(&mut self.contacts);
        for contact in &mut contacts {
            let key = contact.support.key();
            while known.next_if(|known| known.key() < key).is_some() {}
            if let Some(known) = known.next_if(|known| known.key() == key) {
                contact.support = *known;
                contact.before = known.friction;
            }
            let radius = radii[contact.support.particle as usize];
            let obstacle = &obstacles[contact.support.obstacle as usize];
            contact.radius = radius;
            contact.allowed = self.start_depth(contact, obstacle, radius)
                * (1.0 - self.step_length / RECOVERY).max(0.0);
            self.measure(contact, obstacle, radius);
            blow |= contact.support.push <= 0.0 && contact.gap < -BLOW * radius;
        }
        self.contacts = contacts;
        if blow {
            self.first_order = self.first_order.max(2);
        }
        self.free &= self.contacts.is_empty();
    }

    /// Keeps pushes and friction of a substep that was accepted.
    pub(super) fn keep_contacts(&mut self, friction: f64) {
        self.supports.clear();
        let pressed = self.contacts.iter().filter(|contact| contact.support.push > 0.0);
        self.supports.extend(pressed.map(|contact| {
            let Support { push, friction: rub, .. } = contact.support;
            Support { friction: rub.clamp_length_max(friction * push), ..contact.support }
        }));
    }

    /// Measures gaps where particles are now. Returns the largest depth, in radii, and the largest
    /// error of friction over its own size.
    pub(super) fn measure_contacts(
        &mut self,
        obstacles: &[Obstacle],
        constants: &Constants<'_>,
    ) -> [f64; 2] {
        let radii = &constants.parts.radius[self.first..];
        let friction = constants.friction[self.first];
        let mut off = 0.0_f64;
        let mut contacts = std::mem::take(&mut self.contacts);
        let mut deepest = 0.0_f64;
        for contact in &mut contacts {
            let radius = radii[contact.support.particle as usize];
            self.measure(contact, &obstacles[contact.support.obstacle as usize], radius);
            // Where nothing pushes yet, next to nothing is allowed.
            let share = if contact.support.push > 0.0 { 1.0 } else { UNNOTICED };
            deepest = deepest.max(-contact.gap / (share * radius));
            if contact.support.push > 0.0 && friction > 0.0 {
                let (known, most) = (contact.support.friction, friction * contact.support.push);
                let (held, _) = contact.held(self.place(contact));
                off = off.max(held.clamp_length_max(most).distance(known) / most);
            }
        }
        self.contacts = contacts;
        [deepest, off]
    }

    /// Where a fast segment meets an obstacle on its way, if it does: by steps that are as long as the
    /// distance from the obstacle, so that nothing is passed.
    fn swept(&self, i: usize, obstacle: &Obstacle, radius: f64) -> Option<Hit> {
        let (a, b) = (self.x[i], self.x[i + 1]);
        let from = [i, i + 1].map(|k| obstacle.carried(self.x_start[k]));
        let way = from[0].distance(a).max(from[1].distance(b));
        if way < FAST * (obstacle.thinnest() + radius) {
            return None;
        }
        let mut gone = 0.0;
        for _ in 0..SWEEP {
            let (a, b) = (from[0].lerp(a, gone), from[1].lerp(b, gone));
            let far = |s: f64| clearance(obstacle, radius, a.lerp(b, s)).0;
            let at = deepest(far).clamp(INNER, 1.0 - INNER);
            let left = far(at);
            if left < MEETS * radius {
                let place = a.lerp(b, at);
                let (_, normal) = clearance(obstacle, radius, place);
                return Some(Hit { at, place, normal });
            }
            gone += left / way;
            if gone >= 1.0 {
                return None;
            }
        }
        None
    }

    /// Where a contact is in this iteration.
    fn place(&self, contact: &Contact) -> DVec3 {
        let (i, at) = (contact.support.particle as usize, contact.support.at);
        if at > 0.0 { self.x[i].lerp(self.x[i + 1], at) } else { self.x[i] }
    }

    /// Depth of a contact when the substep begins: 0, or negative.
    fn start_depth(&self, contact: &Contact, obstacle: &Obstacle, radius: f64) -> f64 {
        let i = contact.support.particle as usize;
        let far = |x: DVec3| clearance(obstacle, radius, x).0;
        let a = obstacle.carried(self.x_start[i]);
        let least = if contact.support.within {
            let b = obstacle.carried(self.x_start[i + 1]);
            let place = within(|s| far(a.lerp(b, s)), radius);
            place.map_or(0.0, |s| far(a.lerp(b, s)))
        } else {
            far(a)
        };
        least.min(0.0)
    }

    fn measure(&self, contact: &mut Contact, obstacle: &Obstacle, radius: f64) {
        let i = contact.support.particle as usize;
        contact.support.at = 0.0;
        if contact.support.within {
            let (a, b) = (self.x[i], self.x[i + 1]);
            if let Some(hit) = self.swept(i, obstacle, radius) {
                contact.carried =
                    obstacle.carried(self.x_start[i].lerp(self.x_start[i + 1], hit.at));
                contact.support.at = hit.at;
                contact.support.normal = hit.normal;
                contact.gap = (a.lerp(b, hit.at) - hit.place).dot(hit.normal) - contact.allowed;
                return;
            }
            let far = |s: f64| clearance(obstacle, radius, a.lerp(b, s)).0;
            let Some(at) = within(far, radius) else {
                contact.gap = f64::INFINITY;
                return;
            };
            contact.support.at = at;
        }
        let at = contact.support.at;
        let place = |x: &[DVec3]| if at > 0.0 { x[i].lerp(x[i + 1], at) } else { x[i] };
        let now = place(&self.x);
        contact.carried = obstacle.carried(place(&self.x_start));
        (contact.gap, contact.support.normal) = clearance(obstacle, radius, now);
        contact.gap -= contact.allowed;
    }

    /// Adds pushes and friction to the equations of this iteration. Returns whether no contact has
    /// begun or ceased to slide.
    pub(super) fn press(&mut self, friction: f64) -> bool {
        let settled = true;
        let mut contacts = std::mem::take(&mut self.contacts);
        for contact in &mut contacts {
            if contact.gap == f64::INFINITY {
                contact.block = None;
                (contact.support.push, contact.support.friction) = (0.0, DVec3::ZERO);
                continue;
            }
            self.stiffen(contact);
            let normal = contact.support.normal;
            let support = &mut contact.support;
            // A contact that pushed stays one until it would have to pull.
            if support.push <= 0.0 && contact.gap >= 0.0 {
                contact.block = None;
                (support.push, support.friction) = (0.0, DVec3::ZERO);
                continue;
            }
            let push = support.push - contact.stiffness * contact.gap;
            let i = support.particle as usize;
            let most = friction * support.push;
            let (held, _) = contact.held(self.place(contact));
            let size = held.length();
            // Friction that turns round has overshot: the place sticks first.
            let way = (held / size).try_normalize().filter(|_| size > most);
            contact.slides = match (contact.slides, way) {
                (Some(before), Some(now)) if now.dot(before) <= 0.0 => None,
                (_, way) => way,
            };
            let normal = normal.to_array();
            let (rub, mut block) = if friction <= 0.0 {
                (DVec3::ZERO, along_and_across(0.0, contact.stiffness, normal))
            } else if let Some(way) = contact.slides {
                // Only the direction of friction changes with the motion.
                let grip = contact.grip * (most / size);
                let mut block = along_and_across(grip, contact.stiffness - grip, normal);
                for (block, way) in
                    block.iter_mut().zip(along_and_across(0.0, -grip, way.to_array()))
                {
                    *block += way;
                }
                (way * most, block)
            } else {
                (held, along_and_across(contact.grip, contact.stiffness - contact.grip, normal))
            };
            contact.force = contact.support.normal * push + rub;
            if contact.support.at > 0.0 {
                let (first, last) = (1.0 - contact.support.at, contact.support.at);
                let scaled = |by: f64| block.map(|x| x * by);
                self.band.add_extra(i, &scaled(first * first), contact.force * first);
                self.band.add_extra(i + 1, &scaled(last * last), contact.force * last);
                self.band.add_link(i, &scaled(first * last));
            } else {
                self.band.add_extra(i, &block, contact.force);
            }
            for x in &mut block {
                *x = -*x;
            }
            contact.block = Some(block);
        }
        self.contacts = contacts;
        settled
    }

    /// Sets the stiffness of a contact from that of the string there.
    fn stiffen(&self, contact: &mut Contact) {
        let i = contact.support.particle as usize;
        let normal = contact.support.normal;
        let (mut transverse, mut pressed, mut rubbed) = (0.0, 0.0, 0.0);
        let mut add_particle = |i: usize| {
            let (place, lane) = self.band.place(i);
            let node = &self.band.nodes[place];
            transverse += node.inertia.as_array()[lane];
        };
        add_particle(i);
        let last = if contact.support.within { i + 1 } else { i };
        if last > i {
            add_particle(last);
        }
        for segment in i.saturating_sub(1)..(last + 1).min(self.count - 1) {
            let (place, lane) = match segment + 1 < self.band.places() {
                true => (segment, 0),
                false => (self.count - 2 - segment, 1),
            };
            let node = &self.band.nodes[place];
            let offset = self.x[segment + 1] - self.x[segment];
            let rest = node.rest_length.as_array()[lane];
            transverse += node.tension.as_array()[lane].max(0.0) / rest;
            if self.bent {
                transverse += 4.0 * node.bend.as_array()[lane] / (rest * rest);
            }
            let stiff = node.stiffness.as_array()[lane];
            let towards = offset.normalize_or_zero().dot(normal);
            pressed += stiff * (towards * towards);
            rubbed += stiff * (1.0 - towards * towards).max(0.0);
        }
        contact.stiffness = STIFFER * transverse + STIFFER_ALONG * pressed;
        contact.grip = GRIP * (transverse + rubbed);
    }

    /// Sets pushes and friction to those with which the last solve is in balance. Returns false if one
    /// of them would have to pull.
    pub(super) fn answer_contacts(&mut self, share: f64) -> bool {
        let mut settled = true;
        let mut contacts = std::mem::take(&mut self.contacts);
        for contact in &mut contacts {
            let Some(block) = &contact.block else { continue };
            let i = contact.support.particle as usize;
            let moved = match contact.support.at > 0.0 {
                true => {
                    let ends = [i, i + 1].map(|i| self.band.displacement(i));
                    ends[0].lerp(ends[1], contact.support.at)
                }
                false => self.band.displacement(i),
            } * share;
            let change = super::lanes::sym_mul(block, moved.to_array());
            let force = contact.force + DVec3::from_array(change);
            let push = force.dot(contact.support.normal).max(0.0);
            let rub = force - contact.support.normal * force.dot(contact.support.normal);
            settled &= push > 0.0;
            contact.support.push = push;
            contact.support.friction = rub;
        }
        self.contacts = contacts;
        settled
    }
}
