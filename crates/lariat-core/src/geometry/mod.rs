//! What evaluation hands to pictures and files: strands, meshes, solids, tubes, footage,
//! cameras.

mod bounds;
mod camera;
mod footage;
mod mesh;
mod piece;
mod solid;
mod strand;
mod tension;
mod triangulate;
pub mod tube;

pub use bounds::Bounds;
pub use camera::{Camera, Lens};
pub use footage::{Footage, Take};
pub use mesh::{Attribute, BadMesh, Mesh, MeshShape};
pub use piece::{Piece, piece_name};
pub use solid::Solid;
pub use strand::{Look, Profile, Strand, Sweep, by_straight_lines, natural_colour};
pub use tension::Tension;
