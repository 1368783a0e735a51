//! Boards, boxes and crates: solids that fall, turn and bump, by rapier.
//!
//! Whoever steps sets forces with [`Solids::push`] and [`Solids::turn`], moves the ground, and calls
//! [`Solids::step`]; where everything is then is in [`Solids::solids`], in plain numbers. Strings that
//! are tied to a solid ask how it gives way to a pull ([`Solid::gives`]) and push it with what they
//! pull.
//!
//! ```text
//! shape.rs   what solids look like, and how their mass is spread
//! solid.rs   one of them: where it is, how it moves, how it gives way
//! bounce.rs  how solids bounce off what they hit
//! flight.rs  how it flies and tumbles when it touches nothing
//! ground.rs  what they rest on: the colliders of ropes, as rapier knows them
//! overlap.rs how deep one lies in something else
//! solids.rs  all of them, and their step
//! wind.rs    the push of air
//! tied/      strings that are tied to solids, both ways
//! ```
//!
//! # The same bits
//!
//! Rapier remembers contacts from step to step, in places that numbers do not reach. A run that goes
//! on from a checkpoint has no such memory, so neither may the one that made it: whoever records a
//! checkpoint calls [`Solids::forget`], and both go on from the numbers alone.

mod bounce;
mod flight;
mod ground;
mod overlap;
mod shape;
mod solid;
mod solids;
mod tied;
mod wind;

pub use shape::Shape;
pub use solid::Solid;
pub use solids::{Solids, Unfit};
pub use tied::{Tie, Tied, TiedError, TiedReport};
