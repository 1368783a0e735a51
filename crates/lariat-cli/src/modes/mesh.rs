//! Mesh of recorded points, for caches without faces.
//!
//! The distance between the mesh and the mean of the recording is measured; it also determines the
//! up axis of the file.
//!
//! Tests: `points_without_faces_get_those_of_a_mesh`, `the_up_axis_of_a_mesh_is_detected`,
//! `a_mesh_with_another_number_of_points_is_an_error`.

use std::path::Path;

use glam::DVec3;
use lariat::Folder;
use lariat::modes_document::{MeshBody, relative_path};
use lariat_core::modes::ModeSet;
use lariat_eval::Files;
use lariat_import::{Format, Import, Up};

use crate::{
    exit::Failure,
    input::{self, Allowed},
    words,
};

/// Relative distance below which the other up axis is chosen.
const NEARER: f64 = 0.5;

/// Mesh of a document, and its distance from the recording.
pub(crate) struct RecordedMesh {
    pub(crate) body: MeshBody,
    /// RMS distance of its points from the mean of the recording, in metres.
    pub(crate) distance: f64,
}

impl RecordedMesh {
    /// Reads a mesh, which must have as many points as the modes.
    pub(crate) fn new(
        mesh: &Path,
        document: &Path,
        set: &ModeSet,
        most: u64,
        allowed: &Allowed,
    ) -> Result<Self, Failure> {
        let path = mesh.to_string_lossy();
        let shown = words::shown(&path);
        let Some(format) = Format::from_path(&path) else {
            let endings = Format::EXTENSIONS.map(|ending| format!(".{ending}"));
            let supported = endings.join(", ");
            return Err(Failure::new(format!(
                "unsupported mesh format `{shown}`; supported: {supported}"
            )));
        };
        input::not_a_named_pipe(mesh)?;
        // The user chose this file, which may be a link; files that it refers to are beside it.
        let target = mesh.canonicalize().ok();
        let target = target.as_deref().and_then(Path::parent);
        let folder = allowed.with(Folder::of(mesh))?.allow(target);
        let name = mesh.file_name().unwrap_or_default().to_string_lossy();
        let bytes = folder
            .read(&name, most)
            .map_err(|unread| Failure::new(format!("cannot read `{shown}`: {}", unread.why)))?;
        let off = |up: Option<Up>| {
            let mut beside = |name: &str| folder.read(name, most).map_err(|unread| unread.why);
            let found = Import { up, ..Import::default() }.read(format, &bytes, &mut beside);
            let found = found.map_err(|error| Failure::new(format!("`{shown}`: {error}")))?;
            let (given, wanted) = (found.points().len(), set.mean().len() / 3);
            if given != wanted {
                return Err(Failure::new(format!(
                    "`{shown}` has {}, but the recording has {wanted}; record the motion of this mesh, \
                     or choose its part with --body",
                    words::count(given as u64, "point")
                )));
            }
            Ok(distance(found.points(), set.mean()))
        };
        let other = match format {
            Format::Obj => (Up::Y, "y"),
            Format::Gltf => (Up::Z, "z"),
        };
        let (as_is, turned) = (off(None)?, off(Some(other.0))?);
        let (up, off) =
            if turned < NEARER * as_is { (Some(other.1), turned) } else { (None, as_is) };
        let name = mesh.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let file = relative_path(document, mesh);
        let beside = mesh.parent().unwrap_or(Path::new(""));
        let folder = Folder::of(document).allow(&allowed.folders).allow(target).allow([beside]);
        Ok(Self { body: MeshBody { name, file, up, folder }, distance: off })
    }
}

/// RMS distance of points from a row of coordinates.
fn distance(points: &[DVec3], row: &[f64]) -> f64 {
    let squares = points.iter().zip(row.chunks_exact(3));
    let sum: f64 = squares.map(|(p, q)| p.distance_squared(DVec3::new(q[0], q[1], q[2]))).sum();
    (sum / points.len().max(1) as f64).sqrt()
}
