//! What evaluation hands to pictures and files: strands, tubes, footage.

mod footage;
mod strand;

pub use footage::{Footage, Take};
pub use strand::{Material, Profile, Strand};
