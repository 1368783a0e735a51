//! Source of strands, meshes and cameras at any frame: a bound scene or recorded geometry.
//!
//! Exporters and renderers read a [`Footage`] body by body and frame by frame, in the order of the
//! file, so that only one frame of one body has to be in memory.

use super::{Camera, Mesh, Strand};

/// Bodies whose strands and meshes can be evaluated at any frame, in any order, from any thread.
pub trait Footage: Sync {
    /// Number of bodies.
    fn body_count(&self) -> usize;

    /// The name of a body; unique.
    fn body_name(&self, body: usize) -> &str;

    /// Replaces `out` with the strands of one body at one frame (fractions are between frames).
    fn strands(&self, body: usize, frame: f64, out: &mut Vec<Strand>);

    /// Replaces `out` with the mesh of one body at one frame (fractions are between frames); `None`
    /// if it has none there, which is the default.
    fn mesh(&self, _body: usize, _frame: f64, out: &mut Option<Mesh>) {
        *out = None;
    }

    /// Unique names of the cameras; none by default.
    fn camera_names(&self) -> Vec<&str> {
        Vec::new()
    }

    /// One camera at one frame (fractions are between frames); `None` if there is no such camera.
    fn camera(&self, _camera: usize, _frame: f64) -> Option<Camera> {
        None
    }
}

/// Strands and meshes recorded at whole frames.
#[derive(Clone, Debug, Default)]
pub struct RecordedFootage {
    /// The frame of the first recording.
    pub first: i64,
    /// Name and recordings of every body, one `Vec<Strand>` per frame.
    pub bodies: Vec<(String, Vec<Vec<Strand>>)>,
    /// Meshes of every body, one per frame; bodies without meshes may be omitted at the end.
    pub meshes: Vec<Vec<Option<Mesh>>>,
}

impl RecordedFootage {
    /// The recording nearest to `frame`, clamped to the first and the last.
    fn nearest<'t, T>(&self, recordings: &'t [T], frame: f64) -> Option<&'t T> {
        let index = (frame.round() - self.first as f64).max(0.0) as usize;
        recordings.get(index.min(recordings.len().checked_sub(1)?))
    }
}

impl Footage for RecordedFootage {
    fn body_count(&self) -> usize {
        self.bodies.len()
    }

    fn body_name(&self, body: usize) -> &str {
        &self.bodies[body].0
    }

    /// The strands of the recording nearest to `frame`.
    fn strands(&self, body: usize, frame: f64, out: &mut Vec<Strand>) {
        out.clear();
        if let Some(strands) = self.nearest(&self.bodies[body].1, frame) {
            out.extend_from_slice(strands);
        }
    }

    /// The mesh of the recording nearest to `frame`.
    fn mesh(&self, body: usize, frame: f64, out: &mut Option<Mesh>) {
        let recordings = self.meshes.get(body).map_or(&[][..], |recordings| recordings);
        *out = self.nearest(recordings, frame).cloned().flatten();
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::geometry::{Look, MeshTopology};

    #[test]
    fn frames_outside_a_recording_get_its_first_or_last_mesh() {
        let points = |x: f64| vec![DVec3::X * x, DVec3::Y, DVec3::Z];
        let mesh = |x: f64| {
            let shape = MeshTopology::new(&points(x), vec![3], vec![0, 1, 2]).unwrap();
            let look = Look { name: "plain".into(), colour: [0.5; 3] };
            Some(Mesh::new("mesh", shape, points(x), look).unwrap())
        };
        let take = RecordedFootage {
            first: 10,
            bodies: vec![("belly".to_owned(), Vec::new()), ("rope".to_owned(), Vec::new())],
            meshes: vec![vec![mesh(1.0), None, mesh(3.0)]],
        };
        let at = |body: usize, frame: f64| {
            let mut out = mesh(9.0);
            take.mesh(body, frame, &mut out);
            out.map(|mesh| mesh.points()[0].x)
        };
        assert_eq!(
            [0.0, 10.4, 11.0, 12.0, 99.0].map(|frame| at(0, frame)),
            [Some(1.0), Some(1.0), None, Some(3.0), Some(3.0)]
        );
        assert_eq!(at(1, 10.0), None);
    }
}
