//! Geometry for renderers and exporters: strands, meshes, solids, tubes, footage, cameras.

mod bounds;
mod camera;
mod footage;
mod look;
mod mesh;
mod rope_piece;
mod solid;
mod strand;
mod tension;
mod triangulate;
pub mod tube;
mod twist_rate;

pub use bounds::Bounds;
pub use camera::{Camera, Lens};
pub use footage::{Footage, RecordedFootage};
pub use look::{LOOKS, Look, is_look, natural_colour};
pub use mesh::{Attribute, Mesh, MeshError, MeshTopology};
pub use rope_piece::{RopePiece, piece_name};
pub use solid::Solid;
pub use strand::{Profile, Strand, Sweep, interpolate_linear};
pub use tension::Tension;
