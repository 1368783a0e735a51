//! What strings do to the solids they are tied to, and solids to strings.
//!
//! A string gave its tied particle, which weighs `m + M` with its load `M`, an impulse within a part:
//! `J = (m + M)(v' − v − g h)`. It has moved it by `A = (m + M)(x' − x − v h − ½ g h²)` beyond its
//! flight, and turned it by `K = (m + M)(r' × v' − r × v)` about the middle of the solid, all seen
//! from what moves as the solid did. The solid takes the share `M / (m + M)` of each, at its middle,
//! and the particle the rest by itself. Twist is handed over likewise, as angular momentum about the
//! string. Viscosity is that of strings: it slows the particle's own share alone
//! (`Strings::set_mass`).
//!
//! After the solids have stepped, a solid and all particles tied to it are one: they have the
//! momentum and the angular momentum that they have together, and their common middle is where
//! theirs are. Three equations for its spin, three for its speed: both momenta are kept to rounding,
//! whatever the masses, and from wherever they are looked at.
//!
//! Where several strings hold a solid, or one runs through its tie, each of them thinks it lighter
//! than it is, and would carry its weight only when stretched by `(g h²)`-ish lengths. So the
//! acceleration of the place that the particle could not know of is fed to it in the next parts, a
//! tenth of what is new at a time, and tension becomes what it should be.
//!
//! A segment turns with its solid about its own axis, the shortest way from where it pointed when it
//! was tied. From one direction to its opposite there is no shortest way: a solid that tumbles over
//! has its string tied anew, with the twist that it has.
//!
//! Tests: `momentum_is_kept_in_free_space`, `four_strings_hold_a_board_level`,
//! `a_wound_box_turns_with_its_period`, `a_box_that_tumbles_over_does_not_wind_its_string`,
//! `a_slack_end_that_swings_past_its_fold_is_not_wound`,
//! `a_solid_on_a_slack_string_flies_as_if_it_were_free`,
//! `what_solids_take_along_touches_other_strings`.

use glam::{DMat3, DVec3};
use lariat_core::num::ops;

use super::Tied;
use crate::solid::turn_by;

/// Share of what is new in an unknown acceleration that is believed in each part. Much more, and it
/// swings itself up; less, and loads are late.
const BELIEVED: f64 = 0.1;
/// What is believed at most, in gravities: a blow is no weight. Less: a bead of ten grams that carries two
/// hundred, which pull it with twenty gravities, is never carried as it should.
const MOST: f64 = 1000.0;

/// One plus the cosine of the angle between a segment and where it pointed when it was tied, below
/// which it is tied anew as it is: 134 degrees. Less: a box that tumbles over past its string winds it
/// by a turn at once, one way round or the other. More: boxes that only tilt lose the count.
const FOLDED: f64 = 0.3;

/// What a string did to a tied particle in a part.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pulled {
    /// Speed of the place before.
    before: DVec3,
    /// Newton seconds of the string upon both.
    impulse: DVec3,
    /// Spin of the segment before.
    spin: f64,
}

/// What a solid and the particles tied to it are together, in a part.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Joined {
    /// Ties that hold.
    ties: u32,
    /// Where its middle was when the part began, and how fast.
    middle: DVec3,
    speed: DVec3,
    /// Of the particles by themselves: kilograms, places times that, momentum, and angular momentum
    /// about the middle, which goes on as it did.
    mass: f64,
    places: DVec3,
    linear: DVec3,
    angular: DVec3,
    /// How strings moved and turned the solid besides by speed: kg m, and kg m².
    moved: DVec3,
    turned: DVec3,
    /// After its step, of particles about its middle: mass times place, and inertia.
    lever: DVec3,
    inertia: DMat3,
}

/// Inertia of a kilogram at a place: `r² − r rᵀ`.
fn inertia_of(r: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer(r)
}

fn outer(r: DVec3) -> DMat3 {
    DMat3::from_cols(r * r.x, r * r.y, r * r.z)
}

impl Tied {
    /// Tied particles are where they are tied, and move and spin as it does.
    pub(super) fn take_along(&mut self) {
        self.work.pulled.resize(self.holds.len(), Pulled::default());
        let mut furthest = 0.0_f64;
        for (k, hold) in self.holds.iter_mut().enumerate() {
            if !hold.active {
                continue;
            }
            let solid = &self.solids.solids[hold.solid];
            let place = solid.point(self.ties[k].local);
            let velocity = solid.velocity_at(place);
            let was = self.strings.state.positions[hold.particle];
            furthest = furthest.max(place.distance(was));
            self.strings.carry(hold.particle, place, velocity);
            let pulled = &mut self.work.pulled[k];
            pulled.before = velocity;
            let Some(segment) = hold.segment else { continue };
            let t = self.strings.tangent(segment);
            let (axis, side) = (solid.rotation * hold.axis, solid.rotation * hold.side);
            let spin = solid.spin.dot(t);
            pulled.spin = spin;
            let now = self.strings.material_side(segment);
            let state = &mut self.strings.state;
            state.spins[segment] = spin;
            // The side of the solid, carried over to where the segment points.
            let together = 1.0 + axis.dot(t);
            if together > FOLDED {
                let side = side - (axis + t) * (side.dot(t) / together);
                state.angles[segment] += ops::atan2(t.dot(now.cross(side)), now.dot(side));
            } else {
                let home = solid.rotation.inverse();
                (hold.axis, hold.side) = (home * t, home * now);
            }
        }
        self.strings.nudge(furthest);
    }

    /// What strings did to tied particles is done to solids.
    pub(super) fn hand_over(&mut self, h: f64) {
        let joined = &mut self.work.joined;
        joined.clear();
        joined.extend(self.solids.solids.iter().map(|solid| Joined {
            middle: solid.position,
            speed: solid.velocity,
            inertia: DMat3::ZERO,
            ..Joined::default()
        }));
        let spin_slowed = 1.0 - ops::exp(-self.strings.spin_viscosity * h);
        let gravity = self.strings.gravity;
        for (k, hold) in self.holds.iter().enumerate() {
            if !hold.active {
                continue;
            }
            let solid = self.solids.solids[hold.solid];
            let state = &self.strings.state;
            let (x, v) = (state.positions[hold.particle], state.velocities[hold.particle]);
            let pulled = &mut self.work.pulled[k];
            let (own, load) = (hold.own, hold.load);
            let (both, share) = (own + load, load / (own + load));
            let (place, before) = (solid.point(self.ties[k].local), pulled.before);
            let weight = gravity + hold.unknown;
            // From the middle of the solid, which goes on as it did.
            let (r, w) = (place - solid.position, before - solid.velocity);
            let (there, then) = (x - solid.position - solid.velocity * h, v - solid.velocity);
            // The mean of a fall from the one to the other.
            let between = (r * 2.0 + there) / 3.0 + w * (h / 6.0);
            let impulse = (v - before - weight * h) * both;
            let turn = (there.cross(then) - r.cross(w) - between.cross(weight) * h) * both;
            let moved = (x - place - before * h - weight * (0.5 * h * h)) * both;
            pulled.impulse = impulse;
            let force = impulse * (share / h);
            // Weight pulls at the solid while the string leads it aside.
            let aside = force.cross(gravity) * (h * h / 6.0);
            self.solids.push(hold.solid, force, solid.position);
            self.solids.turn(hold.solid, turn * (share / h) + aside);
            let joined = &mut self.work.joined[hold.solid];
            joined.ties += 1;
            joined.mass += own;
            joined.places += (place + before * h + gravity * (0.5 * h * h) + moved / both) * own;
            joined.linear += (before + gravity * h + impulse / both) * own;
            joined.angular += (r.cross(w) + between.cross(gravity) * h + turn / both) * own;
            let unexplained = (moved - impulse * (0.5 * h)) * share;
            joined.moved += unexplained;
            joined.turned += r.cross(unexplained);
            let Some(segment) = hold.segment else { continue };
            let spin = state.spins[segment];
            let gained = spin - pulled.spin + pulled.spin * spin_slowed;
            let t = self.strings.tangent(segment);
            joined.angular += t * (hold.own_inertia * (pulled.spin + gained));
            self.solids.turn(hold.solid, t * (gained * hold.inertia / h));
        }
    }

    /// Solids and the particles tied to them go on as one.
    pub(super) fn join(&mut self, h: f64) {
        let (work, solids) = (&mut self.work, &mut self.solids.solids);
        for (joined, solid) in work.joined.iter_mut().zip(solids.iter_mut()) {
            if joined.ties == 0 {
                continue;
            }
            // What it has by itself, before it is put where strings have led it.
            let along = solid.position - joined.middle - joined.speed * h;
            let speed = solid.velocity - joined.speed;
            joined.angular += solid.turning() + along.cross(speed) * solid.mass;
            joined.linear += solid.velocity * solid.mass;
            solid.position += joined.moved / solid.mass;
            let turn = turn_by(solid.turns() * joined.turned);
            solid.rotation = (turn * solid.rotation).normalize();
        }
        for (k, hold) in self.holds.iter().enumerate() {
            if !hold.active {
                continue;
            }
            let joined = &mut work.joined[hold.solid];
            let lever = solids[hold.solid].rotation * self.ties[k].local;
            joined.lever += lever * hold.own;
            joined.inertia += inertia_of(lever) * hold.own;
            if let Some(segment) = hold.segment {
                joined.inertia += outer(self.strings.tangent(segment)) * hold.own_inertia;
            }
        }
        for (joined, solid) in work.joined.iter().zip(solids.iter_mut()) {
            if joined.ties == 0 {
                continue;
            }
            let mass = joined.mass + solid.mass;
            let lever = joined.lever;
            solid.position = (solid.position * solid.mass + joined.places - lever) / mass;
            let along = solid.position - joined.middle - joined.speed * h;
            let mean = joined.linear / mass;
            let past = mean - joined.speed;
            let angular = joined.angular - (along * mass + lever).cross(past);
            let inertia =
                solid.turns().inverse() + joined.inertia - inertia_of(lever) * mass.recip();
            solid.spin = inertia.inverse() * angular;
            solid.velocity = mean - solid.spin.cross(lever) / mass;
        }
        self.learn(h);
    }

    /// What ties could not know of, they are told from now on.
    fn learn(&mut self, h: f64) {
        let gravity = self.strings.gravity;
        let most = MOST * gravity.length();
        for (k, hold) in self.holds.iter_mut().enumerate() {
            if !hold.active {
                continue;
            }
            let span = self.strings.span_of(hold.particle);
            let through = span.is_some_and(|span| span.joints().contains(&hold.particle));
            if self.work.joined[hold.solid].ties < 2 && !through {
                hold.unknown = DVec3::ZERO;
                continue;
            }
            let solid = &self.solids.solids[hold.solid];
            let pulled = &self.work.pulled[k];
            let place = solid.point(self.ties[k].local);
            let gained = (solid.velocity_at(place) - pulled.before) / h;
            let known = gravity + pulled.impulse / ((hold.own + hold.load) * h);
            let unknown = (gained - known).clamp_length_max(most);
            hold.unknown += (unknown - hold.unknown) * BELIEVED;
        }
    }
}
