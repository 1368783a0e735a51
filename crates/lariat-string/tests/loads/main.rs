//! Strings under load, against closed forms and independent methods.
//!
//! Only the public interface is used. Another implementation with the same fields and methods takes
//! the place of the present one by the line that names [`World`]. Unless a test says otherwise it
//! makes 240 steps per second with the default settings.
//!
//! ```text
//! common.rs        materials, runs, distances, random numbers
//! wrap.rs          a rope laid around a cylinder
//! beam.rs          a weight on a rope over a round and a square beam
//! pulley.rs        two weights over a frictionless cylinder
//! post.rs          a post that is pushed against a tight rope
//! capstan.rs       friction around a cylinder, a bollard
//! drop.rs          every material, dropped plumb
//! fall.rs          a climber's fall
//! columns.rs       columns that stand, buckle and bend
//! rest.rs          hanging: tension, stretch, the catenary
//! twisted_rods.rs  straight rods and rings that buckle by twist
//! torsion.rs       torsion pendulum, spread of twist
//! link.rs          a cord that is wound until it coils
//! energy.rs        energy of thrown cords
//! momentum.rs      angular momentum in flight, energy of a swing
//! bad_numbers.rs   absurd numbers
//! fast.rs          200 m/s
//! slope.rs         sliding on a plane
//! ```

mod bad_numbers;
mod beam;
mod capstan;
mod columns;
mod common;
mod drop;
mod energy;
mod fall;
mod fast;
mod link;
mod momentum;
mod post;
mod pulley;
mod rest;
mod slope;
mod torsion;
mod twisted_rods;
mod wrap;

/// The solver under test.
pub use lariat_string::rod::Strings as World;
