//! The mesh of a body over all frames: what of it changes, and what does not.
//!
//! Faces and attributes are shared by all frames and written once; places and normals are written
//! once if the mesh stands still. As with strands (`survey.rs`) that is known only after the last
//! frame, so a mesh is looked through before it is written: the first sight is kept, the others are
//! compared with it and let go, unless all of them can be held.
//!
//! Tests: `faces_are_written_once`, `memory_changes_no_byte_of_a_mesh`.

use lariat_core::geometry::{Footage, Mesh};

use crate::ExportError;
use crate::still::Place;

/// A mesh over all frames.
#[derive(Debug)]
pub(crate) struct MeshRole {
    /// The mesh when it was seen first.
    pub(crate) first: Mesh,
    /// Whether it is there, at each frame.
    pub(crate) there: Vec<bool>,
    /// Whether faces or attributes are other ones at some frame.
    pub(crate) shape: bool,
    /// Whether points are elsewhere at some frame.
    pub(crate) points: bool,
    /// Whether its material or the colours of its points change.
    pub(crate) colours: bool,
    /// All frames, if they can be held.
    pub(crate) held: Option<Vec<Option<Mesh>>>,
}

/// What a mesh takes in memory for each point that it does not share: place and normal.
const HELD_BYTES_PER_POINT: usize = 48;

impl MeshRole {
    /// Looks through the mesh of a body; nothing if it has none at any frame. All frames are held if
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

    /// The mesh at the `at`-th frame.
    pub(crate) fn look(
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

    /// How many frames it is there.
    pub(crate) fn count(&self) -> usize {
        self.there.iter().filter(|there| **there).count()
    }

    /// Points at all frames together.
    pub(crate) fn all_points(&self) -> u64 {
        self.count() as u64 * self.first.points().len() as u64
    }

    /// The first frame, by its place in the shot, where it is there.
    pub(crate) fn entrance(&self) -> usize {
        self.there.iter().position(|there| *there).unwrap_or(0)
    }
}

/// Refuses a mesh with a number that is none; construction does, but points may be moved later.
pub(crate) fn check(mesh: &Mesh, place: &Place) -> Result<(), ExportError> {
    for (index, p) in mesh.points().iter().enumerate() {
        for value in p.to_array() {
            place.finite(index, "position", value)?;
        }
    }
    Ok(())
}
