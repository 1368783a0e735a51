//! Files of other programs become meshes: Wavefront's OBJ, and glTF in both its forms.
//!
//! ```text
//! format.rs   which format a name says
//! obj.rs      OBJ: one line after the other
//! gltf/       glTF: the container, its numbers, the nodes of a scene
//! error.rs    what can be wrong, with line or accessor
//! ```
//!
//! Bytes come in and a [`Mesh`] goes out. Nothing here opens a file: where a glTF keeps its numbers
//! in a file beside it, whoever called is asked for that one by name. So evaluation can read meshes
//! in a browser as well. Textures, bones and morphs are left alone; what is taken is faces, and
//! whatever numbers are painted onto points.
//!
//! ```
//! use lariat_import::{Format, Import, Up};
//!
//! let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
//! let import = Import { up: Some(Up::Z), ..Import::default() };
//! let mesh = import.read(Format::Obj, text.as_bytes(), &mut |_| Err("alone".to_owned()))?;
//! assert_eq!(mesh.shape().counts(), [4]);
//! assert_eq!(mesh.shape().triangles().len(), 2);
//! # Ok::<(), lariat_import::ImportError>(())
//! ```

mod error;
mod format;
mod gltf;
mod obj;

use glam::DVec3;
use lariat_core::geometry::{Attribute, Look, Mesh, MeshTopology};

pub use error::ImportError;
pub use format::Format;

/// Which way is up in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Up {
    /// Y, as in glTF and in most programs that model.
    Y,
    /// Z, as in Lariat.
    Z,
}

impl Up {
    /// The word for it in a document.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "y" => Some(Self::Y),
            "z" => Some(Self::Z),
            _ => None,
        }
    }

    /// A place of the file in a world where Z is up; what faces along Z there faces along −Y here.
    fn upright(self, p: DVec3) -> DVec3 {
        match self {
            Self::Y => DVec3::new(p.x, -p.z, p.y),
            Self::Z => p,
        }
    }
}

/// The most points of a mesh unless told otherwise.
pub const MAX_POINTS: usize = 4_000_000;

/// Corners of faces for every point that is allowed, of files that can name points again and again
/// without growing. A large mesh of triangles has 6 for each of its points, one of squares 4.
const CORNERS_PER_POINT: usize = 8;

/// Hands over a file by the name that another file calls it; or says why not.
pub type ResourceLoader<'b> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'b;

/// How files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import {
    /// Which way is up; unless told, as the format has it: Y in glTF, Z in OBJ.
    pub up: Option<Up>,
    /// The most points, so that no file takes all memory.
    pub most_points: usize,
}

impl Default for Import {
    fn default() -> Self {
        Self { up: None, most_points: MAX_POINTS }
    }
}

impl Import {
    /// Reads a mesh; `beside` is asked for files that this one names.
    pub fn read(
        &self,
        format: Format,
        bytes: &[u8],
        beside: &mut ResourceLoader<'_>,
    ) -> Result<Mesh, ImportError> {
        let mut found = match format {
            Format::Obj => obj::read(bytes, self.most_points)?,
            Format::Gltf => gltf::read(bytes, self.most_points, beside)?,
        };
        let up = self.up.unwrap_or(match format {
            Format::Obj => Up::Z,
            Format::Gltf => Up::Y,
        });
        for p in &mut found.points {
            *p = up.upright(*p);
        }
        found.mesh()
    }
}

/// What a file holds, before it is checked.
#[derive(Debug, Default)]
struct Found {
    points: Vec<DVec3>,
    counts: Vec<u32>,
    corners: Vec<u32>,
    attributes: Vec<Attribute>,
    /// For each point the first of those with which it shares a normal; empty if none do.
    together: Vec<u32>,
}

impl Found {
    fn mesh(self) -> Result<Mesh, ImportError> {
        if self.counts.is_empty() {
            return Err(ImportError::NoFaces { points: self.points.len() });
        }
        let shape = MeshTopology::new(&self.points, self.counts, self.corners)?;
        let mut shape = shape.with_attributes(self.attributes)?;
        if !self.together.is_empty() {
            shape = shape.with_shared_normals(self.together)?;
        }
        let look = Look { name: "plain".into(), colour: [0.5; 3] };
        Ok(Mesh::new("mesh", shape, self.points, look)?)
    }
}
