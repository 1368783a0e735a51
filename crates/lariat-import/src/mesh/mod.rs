//! Readers of meshes: Wavefront OBJ, and glTF as text or binary.
//!
//! ```text
//! format.rs   formats by file name extension
//! obj.rs      OBJ
//! gltf/       glTF: container, accessors, scene nodes
//! error.rs    errors, with line or accessor
//! ```
//!
//! A reader takes bytes and returns a [`Mesh`]. It opens no files: buffers that a glTF keeps in
//! other files are requested from the caller by name, so meshes can also be read in a browser.
//! Only faces and the values painted on points are read; textures, skeletons and morph targets are
//! ignored.
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

/// Up axis of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Up {
    /// Y, as in glTF and in most modelling programs.
    Y,
    /// Z, as in Lariat.
    Z,
}

impl Up {
    /// Axis of a name in a document.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "y" => Some(Self::Y),
            "z" => Some(Self::Z),
            _ => None,
        }
    }

    /// Converts a position to Z up; +Z of a Y-up file becomes −Y.
    fn upright(self, p: DVec3) -> DVec3 {
        match self {
            Self::Y => DVec3::new(p.x, -p.z, p.y),
            Self::Z => p,
        }
    }
}

/// Default limit on the points of a mesh.
pub const MAX_POINTS: usize = 4_000_000;

/// Limit on face corners per allowed point: some files can name points many times without growing.
/// A large triangle mesh has 6 corners per point, a quad mesh 4.
const CORNERS_PER_POINT: usize = 8;

/// Loads a file by the name that another file references; the error is the reason.
pub type ResourceLoader<'b> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'b;

/// Options of reading a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import {
    /// Up axis; by default that of the format: Y for glTF, Z for OBJ.
    pub up: Option<Up>,
    /// Limit on points, so that no file exhausts memory.
    pub max_points: usize,
}

impl Default for Import {
    fn default() -> Self {
        Self { up: None, max_points: MAX_POINTS }
    }
}

impl Import {
    /// Reads a mesh; `beside` loads the files that it references.
    pub fn read(
        &self,
        format: Format,
        bytes: &[u8],
        beside: &mut ResourceLoader<'_>,
    ) -> Result<Mesh, ImportError> {
        let mut found = match format {
            Format::Obj => obj::read(bytes, self.max_points)?,
            Format::Gltf => gltf::read(bytes, self.max_points, beside)?,
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

/// Content of a file, not yet validated.
#[derive(Debug, Default)]
struct Found {
    points: Vec<DVec3>,
    counts: Vec<u32>,
    corners: Vec<u32>,
    attributes: Vec<Attribute>,
    /// For each point the first point of its smoothing group; empty if there are no groups.
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
