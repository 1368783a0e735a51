//! What evaluation hands to pictures and files: strands, tubes, footage, cameras.

mod bounds;
mod camera;
mod footage;
mod strand;
mod tension;
pub mod tube;

pub use bounds::Bounds;
pub use camera::{Camera, Lens};
pub use footage::{Footage, Take};
pub use strand::{Material, Profile, Strand, Sweep, by_straight_lines, natural_colour};
pub use tension::Tension;
