//! Mesh of a body over all frames, and which of its properties change.
//!
//! Faces and attributes are shared by all frames and written once; positions and normals are
//! written once if the mesh does not move. As with strands (`survey.rs`) this is known only after
//! the last frame, so a mesh is evaluated before it is written: the first frame is kept, the others
//! are compared with it and dropped, unless all of them fit in memory.
//!
//! Tests: `faces_are_written_once`, `memory_changes_no_byte_of_a_mesh`.

use lariat_core::geometry::{Footage, Mesh};

use crate::ExportError;
use crate::still::Place;

/// A mesh over all frames.
#[derive(Debug)]
pub(crate) struct MeshRole {
    /// The mesh at its first frame.
    pub(crate) first: Mesh,
    /// Whether the mesh exists at each frame.
    pub(crate) there: Vec<bool>,
    /// Whether faces or attributes change.
    pub(crate) shape: bool,
    /// Whether points move.
    pub(crate) points: bool,
    /// Whether the look or the colours of points change.
    pub(crate) colours: bool,
    /// All frames, if they fit in memory.
    pub(crate) held: Option<Vec<Option<Mesh>>>,
}

/// Memory per point that frames do not share: position and normal.
const HELD_BYTES_PER_POINT: usize = 48;

impl MeshRole {
    /// Evaluates the mesh of a body at all frames; `None` if it has none. All frames are held if
    /// they fit into `memory` bytes.
    pub(crate) fn survey(
        footage: &dyn Footage,
        body: usize,
        frames: &[i64],
        memory: usize,
    ) -> Option<Self> {
        let mut role: Option<Self> = None;
        let mut cost = 0;
        let mut now = None;
        for (at, frame) in frames.iter().enumerate() {
            footage.mesh(body, *frame as f64, &mut now);
            let Some(mesh) = &now else { continue };
            let role = role.get_or_insert_with(|| Self {
                first: mesh.clone(),
                there: vec![false; frames.len()],
                shape: false,
                points: false,
                colours: false,
                held: Some(vec![None; frames.len()]),
            });
            role.there[at] = true;
            let first = &role.first;
            let shared = std::ptr::eq(mesh.points(), first.points());
            role.shape |= mesh.shape() != first.shape();
            role.points |= !shared && mesh.points() != first.points();
            role.colours |= mesh.colours() != first.colours() || mesh.look != first.look;
            if let Some(held) = &mut role.held {
                cost += if shared { 0 } else { mesh.points().len() * HELD_BYTES_PER_POINT };
                if cost > memory {
                    role.held = None;
                } else {
                    held[at] = Some(mesh.clone());
                }
            }
        }
        role
    }

    /// The mesh at frame index `at`.
    pub(crate) fn evaluate(
        &self,
        footage: &dyn Footage,
        body: usize,
        frame: i64,
        at: usize,
    ) -> Option<Mesh> {
        if let Some(held) = &self.held {
            return held[at].clone();
        }
        let mut mesh = None;
        footage.mesh(body, frame as f64, &mut mesh);
        mesh
    }

    /// Number of frames at which it exists.
    pub(crate) fn count(&self) -> usize {
        self.there.iter().filter(|there| **there).count()
    }

    /// Number of points of all frames.
    pub(crate) fn all_points(&self) -> u64 {
        self.count() as u64 * self.first.points().len() as u64
    }

    /// Index of the first frame at which it exists.
    pub(crate) fn first_index(&self) -> usize {
        self.there.iter().position(|there| *there).unwrap_or(0)
    }
}

/// Refuses values that are not finite; points may have moved since construction checked them.
pub(crate) fn check(mesh: &Mesh, place: &Place) -> Result<(), ExportError> {
    for (index, p) in mesh.points().iter().enumerate() {
        for value in p.to_array() {
            place.finite(index, "position", value)?;
        }
    }
    Ok(())
}
