//! Places where strands of a pose touch something, found from the pose alone.
//!
//! Recordings of simulations have no contacts, and bodies that are not simulated touch as well. So
//! contacts are found where surfaces meet: those of two strands, and of a strand and the floors,
//! colliders and simulated solids that its body keeps out of. All simulated strings keep out of the
//! obstacles of any of them, as in their simulation.
//!
//! Forces are not known: they are neither recorded nor determined by a pose.
//!
//! Tests, in `tests/suite/contact.rs`: `a_rope_on_a_floor_touches_it_where_it_lies`,
//! `crossing_ropes_touch_where_they_cross`, `a_string_touches_the_solid_it_lies_on`.

use glam::DVec3;
use lariat_core::geometry::Bounds;
use lariat_core::model::layer::Collider;
use lariat_string::nearest_on_segments;

use crate::moment::Moment;
use crate::scene::{Scene, World};

/// Largest distance of two surfaces that touch, relative to the radius of the strand. Larger: marks
/// appear before anything touches. Smaller: they flicker, since contacts are solved to some percent.
const TOUCH: f64 = 0.12;

/// Length of a strand, in radii, within which it does not touch itself: neighbouring links of a bend
/// are always near each other.
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
    /// Arc length at its middle.
    s: f64,
    bounds: Bounds,
}

impl Scene {
    /// Contacts of all bodies that are drawn, at a frame that was evaluated.
    pub fn contacts(&self, moment: &Moment) -> Vec<Contact> {
        let shown: Vec<usize> = (0..moment.bodies.len().min(self.body_count()))
            .filter(|body| self.is_drawn(*body) && moment.bodies[*body].visible)
            .collect();
        let mut contacts = self.contacts_with_obstacles(moment, &shown);
        contacts.extend(contacts_of_strands(moment, &shown));
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
                for (point, radius) in strand.points().iter().zip(strand.radius()) {
                    let near = obstacles.iter().filter_map(|obstacle| {
                        let (distance, out) = obstacle.distance(*point);
                        (distance - radius <= TOUCH * radius).then(|| *point - out * distance)
                    });
                    let with = Touched::Obstacle;
                    contacts.extend(near.map(|at| Contact { body, at, with }));
                }
            }
        }
        contacts
    }

    /// Floors, colliders and solids that some bodies keep out of.
    fn obstacles(&self, bodies: &[usize], world: &World<'_>, moment: &Moment) -> Vec<Collider> {
        let (mut clamps, mut found) = (Vec::new(), Vec::new());
        for &index in bodies {
            let body = &self.bodies[index];
            body.layers.clamps(world, &body.looks, 0.0, &mut clamps, &mut Vec::new());
            found.extend(clamps.drain(..).map(|clamp| clamp.collider));
            let strings = self.string_world.as_ref();
            if let (Some(slot), Some(strings)) = (body.solid, strings) {
                let posed = moment.bodies[index].placement;
                found.extend(posed.map(|placement| strings.collider_of_solid(slot, placement)));
            }
        }
        let mut distinct: Vec<Collider> = Vec::new();
        for one in found {
            if !distinct.contains(&one) {
                distinct.push(one);
            }
        }
        distinct
    }
}

/// Contacts of strands with each other and with themselves.
fn contacts_of_strands(moment: &Moment, shown: &[usize]) -> Vec<Contact> {
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
            let is_apart = a.bounds.low.cmpgt(b.bounds.high) | b.bounds.low.cmpgt(a.bounds.high);
            let is_bend = (a.body, a.strand) == (b.body, b.strand)
                && (a.s - b.s).abs() < BEND * a.radius.max(b.radius);
            if is_apart.any() || is_bend {
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

fn links(moment: &Moment, shown: &[usize]) -> Vec<Link> {
    let mut links = Vec::new();
    for &body in shown {
        for (index, strand) in moment.bodies[body].strands.iter().enumerate() {
            let mut s = 0.0;
            for (i, pair) in strand.points().windows(2).enumerate() {
                let radius = 0.5 * (strand.radius()[i] + strand.radius()[i + 1]);
                let length = pair[0].distance(pair[1]);
                let mut bounds = Bounds::EMPTY;
                for point in pair {
                    bounds.include(*point, radius * (1.0 + TOUCH));
                }
                let ends = [pair[0], pair[1]];
                links.push(Link { body, strand: index, ends, radius, s: s + 0.5 * length, bounds });
                s += length;
            }
        }
    }
    links
}
