//! Places where strands of a pose touch something, found from the pose alone.
//!
//! Recordings of simulations have no contacts, and bodies that are not simulated touch as well. So
//! contacts are found where surfaces meet: those of two strands, and of a strand and the floors,
//! colliders and simulated solids that its body keeps out of. All simulated strings keep out of the
//! obstacles of any of them, as in their simulation.
//!
//! Forces are not known: they are neither recorded nor determined by a pose.
//!
//! Strands that are built together, like the wires and bulbs of a string of lights, always touch. So do
//! an end and the body that it is attached to. These are no contacts.
//!
//! Tests, in `tests/suite/contact.rs`: `a_rope_on_a_floor_touches_it_where_it_lies`,
//! `crossing_ropes_touch_where_they_cross`, `a_string_touches_the_solid_it_lies_on`,
//! `strands_that_are_built_together_do_not_touch`, `an_attached_end_does_not_touch_what_holds_it`.

use glam::DVec3;
use lariat_core::geometry::{Bounds, Strand};
use lariat_core::model::layer::{Clamp, Collider};
use lariat_string::nearest_on_segments;

use crate::moment::Moment;
use crate::scene::{Scene, World};

/// Largest distance of two surfaces that touch, relative to the radius of the strand. Larger: marks
/// appear before anything touches. Smaller: they flicker, since contacts are solved to some percent.
const TOUCH: f64 = 0.12;

/// Length of a strand, in radii, within which it does not touch itself: neighbouring links of a bend
/// are always near each other. The same length at an attached end does not touch what holds the end.
/// Larger: short loops and hitches are missed. Smaller: bends and attachments are marked.
const BEND: f64 = 6.0;

/// A place where a strand touches something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Index of the body.
    pub body: usize,
    /// Place on its surface, in metres.
    pub at: DVec3,
    /// The thing that it touches.
    pub with: Touched,
}

/// A thing that a strand touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    /// A strand of this body.
    Strand(usize),
    /// A floor, a collider or a simulated solid.
    Obstacle,
}

/// A link of a strand.
struct Link {
    body: usize,
    strand: usize,
    ends: [DVec3; 2],
    radius: f64,
    /// Arc length at its middle, and its own length.
    s: f64,
    length: f64,
    bounds: Bounds,
    whole: Whole,
}

/// The strand of a link.
#[derive(Clone, Copy)]
struct Whole {
    /// Its length, and its ends.
    length: f64,
    ends: [DVec3; 2],
    closed: bool,
    is_piece: bool,
}

impl Whole {
    fn of(strand: &Strand) -> Option<Self> {
        let (first, last) = (*strand.points().first()?, *strand.points().last()?);
        let length = strand.points().windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let (closed, is_piece) = (strand.closed, strand.piece.is_some());
        Some(Self { length, ends: [first, last], closed, is_piece })
    }

    /// The ends that are within a reach of a place along it.
    fn ends_near(&self, s: f64, reach: f64) -> impl Iterator<Item = DVec3> {
        let near = [s < reach, self.length - s < reach];
        let closed = self.closed;
        self.ends
            .into_iter()
            .zip(near)
            .filter(move |(_, near)| *near && !closed)
            .map(|(end, _)| end)
    }
}

impl Link {
    /// Length of its own strand between it and another link.
    fn arc_to(&self, other: &Self) -> f64 {
        let arc = (self.s - other.s).abs();
        let arc = if self.whole.closed { arc.min(self.whole.length - arc) } else { arc };
        arc - 0.5 * (self.length + other.length)
    }

    /// Whether it is near an end of its strand, and that end is near another link.
    fn joins(&self, other: &Self) -> bool {
        let reach = BEND * self.radius.max(other.radius);
        let [a, b] = other.ends;
        let along = b - a;
        self.whole.ends_near(self.s, reach).any(|end| {
            let share = (end - a).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
            end.distance(a + along * share.clamp(0.0, 1.0)) < reach
        })
    }
}

/// A floor, a collider or a solid, and the body of the solid.
#[derive(Clone, PartialEq)]
struct Barrier {
    collider: Collider,
    solid: Option<usize>,
}

impl Scene {
    /// Contacts of all bodies that are drawn, at a frame that was evaluated.
    pub fn contacts(&self, moment: &Moment) -> Vec<Contact> {
        let shown: Vec<usize> = (0..moment.bodies.len().min(self.body_count()))
            .filter(|body| self.is_drawn(*body) && moment.bodies[*body].visible)
            .collect();
        let mut contacts = self.contacts_with_obstacles(moment, &shown);
        contacts.extend(self.contacts_of_strands(moment, &shown));
        contacts
    }

    fn contacts_with_obstacles(&self, moment: &Moment, shown: &[usize]) -> Vec<Contact> {
        let world = World::posed(self, moment);
        let shared: Vec<usize> =
            self.string_world.iter().flat_map(|strings| strings.bodies()).collect();
        let of_strings = self.obstacles(&shared, &world, moment);
        let mut contacts = Vec::new();
        for &body in shown {
            let own;
            let obstacles = if shared.contains(&body) {
                &of_strings
            } else {
                own = self.obstacles(&[body], &world, moment);
                &own
            };
            for strand in &moment.bodies[body].strands {
                self.contacts_with_barriers((body, strand), obstacles, &mut contacts);
            }
        }
        contacts
    }

    fn contacts_with_barriers(
        &self,
        (body, strand): (usize, &Strand),
        barriers: &[Barrier],
        contacts: &mut Vec<Contact>,
    ) {
        let Some(whole) = Whole::of(strand) else { return };
        let (mut s, mut before) = (0.0, whole.ends[0]);
        for (point, radius) in strand.points().iter().zip(strand.radius()) {
            s += before.distance(*point);
            before = *point;
            let at_end = whole.ends_near(s, BEND * radius).next().is_some();
            let near = barriers.iter().filter_map(|Barrier { collider, solid }| {
                let (distance, out) = collider.distance(*point);
                // An attached string may begin inside its solid.
                let held = solid.is_some_and(|solid| self.dependencies(body).contains(&solid))
                    && (at_end || distance < 0.0);
                (distance - radius <= TOUCH * radius && !held).then(|| *point - out * distance)
            });
            contacts.extend(near.map(|at| Contact { body, at, with: Touched::Obstacle }));
        }
    }

    /// Floors, colliders and solids that some bodies keep out of.
    fn obstacles(&self, bodies: &[usize], world: &World<'_>, moment: &Moment) -> Vec<Barrier> {
        let (mut clamps, mut found) = (Vec::new(), Vec::new());
        for &index in bodies {
            let body = &self.bodies[index];
            body.layers.clamps(world, &body.looks, 0.0, &mut clamps, &mut Vec::new());
            let barrier = |clamp: Clamp| Barrier { collider: clamp.collider, solid: None };
            found.extend(clamps.drain(..).map(barrier));
            let strings = self.string_world.as_ref();
            if let (Some(slot), Some(strings)) = (body.solid, strings) {
                let posed = moment.bodies[index].placement;
                found.extend(posed.map(|placement| Barrier {
                    collider: strings.collider_of_solid(slot, placement),
                    solid: Some(index),
                }));
            }
        }
        let mut distinct: Vec<Barrier> = Vec::new();
        for one in found {
            if !distinct.contains(&one) {
                distinct.push(one);
            }
        }
        distinct
    }

    /// Contacts of strands with each other and with themselves.
    fn contacts_of_strands(&self, moment: &Moment, shown: &[usize]) -> Vec<Contact> {
        let mut links = links(moment, shown);
        let mut contacts = Vec::new();
        let sum = |total: Bounds, link: &Link| total.union(link.bounds);
        let all = links.iter().fold(Bounds::EMPTY, sum);
        if all.is_empty() {
            return contacts;
        }
        // Along the longest side, the fewest links overlap.
        let axis = (all.high - all.low).max_position();
        links.sort_by(|a, b| a.bounds.low[axis].total_cmp(&b.bounds.low[axis]));
        for (i, a) in links.iter().enumerate() {
            let overlapping = links[i + 1..].iter();
            let reach = a.bounds.high[axis];
            for b in overlapping.take_while(|b| b.bounds.low[axis] <= reach) {
                let is_apart =
                    a.bounds.low.cmpgt(b.bounds.high) | b.bounds.low.cmpgt(a.bounds.high);
                if is_apart.any() || self.is_built_together(a, b) {
                    continue;
                }
                let (s, _, gap) = nearest_on_segments(a.ends, b.ends);
                let (apart, thick) = (gap.length(), a.radius + b.radius);
                if apart <= thick + TOUCH * a.radius.min(b.radius) {
                    let on_axis = a.ends[0].lerp(a.ends[1], s);
                    let at = on_axis - gap * (a.radius / thick.max(f64::MIN_POSITIVE));
                    contacts.push(Contact { body: a.body, at, with: Touched::Strand(b.body) });
                }
            }
        }
        contacts
    }

    /// Whether two links touch by the way they are built: neighbours, lights, and attached ends.
    fn is_built_together(&self, a: &Link, b: &Link) -> bool {
        if (a.body, a.strand) == (b.body, b.strand) {
            // A lasso begins at its own knot.
            let is_knot = self.bodies[a.body].is_lasso() && (a.joins(b) || b.joins(a));
            return is_knot || a.arc_to(b) < BEND * a.radius.max(b.radius);
        }
        if a.body == b.body {
            let pieces = a.whole.is_piece && b.whole.is_piece;
            return self.has_lights(a.body) || (!pieces && (a.joins(b) || b.joins(a)));
        }
        let is_held =
            |one: &Link, by: &Link| self.dependencies(one.body).contains(&by.body) && one.joins(by);
        is_held(a, b) || is_held(b, a)
    }
}

fn links(moment: &Moment, shown: &[usize]) -> Vec<Link> {
    let mut links = Vec::new();
    for &body in shown {
        for (index, strand) in moment.bodies[body].strands.iter().enumerate() {
            let Some(whole) = Whole::of(strand) else { continue };
            let mut s = 0.0;
            for (i, pair) in strand.points().windows(2).enumerate() {
                let radius = 0.5 * (strand.radius()[i] + strand.radius()[i + 1]);
                let length = pair[0].distance(pair[1]);
                let mut bounds = Bounds::EMPTY;
                for point in pair {
                    bounds.include(*point, radius * (1.0 + TOUCH));
                }
                let ends = [pair[0], pair[1]];
                let middle = s + 0.5 * length;
                links.push(Link {
                    body,
                    strand: index,
                    ends,
                    radius,
                    s: middle,
                    length,
                    bounds,
                    whole,
                });
                s += length;
            }
        }
    }
    links
}
